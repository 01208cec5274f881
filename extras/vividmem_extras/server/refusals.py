"""From what is raised to what a client is told; nothing of a stored text is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from vividmem import (
    ConfigError,
    CorruptStoreError,
    InvalidMemoryError,
    LockTimeoutError,
    MissingExtraError,
    ReadOnlyStoreError,
    StoreError,
    UnknownMemoryError,
    VividMemError,
    WrongKeyError,
)
from vividmem_extras.server.model import ModelError, NoModelError
from vividmem_extras.server.replies import ErrorReply
from vividmem_extras.server.roster import UnknownCharacterError
from vividmem_extras.snapshots import UnknownSnapshotError

#: The first class that fits decides: status and code.
STATUSES: dict[type[VividMemError], tuple[int, str]] = {
    UnknownCharacterError: (404, "unknown_character"),
    UnknownMemoryError: (404, "unknown_memory"),
    UnknownSnapshotError: (404, "unknown_snapshot"),
    InvalidMemoryError: (422, "invalid"),
    WrongKeyError: (423, "locked"),
    ConfigError: (422, "invalid"),
    NoModelError: (409, "no_model"),
    ModelError: (502, "model_failed"),
    LockTimeoutError: (503, "busy"),
    MissingExtraError: (503, "missing_extra"),
    ReadOnlyStoreError: (409, "damaged"),
    CorruptStoreError: (409, "damaged"),
    StoreError: (503, "store_failed"),
}
CODES = {
    400: "bad_request",
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    code: {"model": ErrorReply, "description": what}
    for code, what in {
        400: "not JSON",
        401: "no token, or a wrong one",
        403: "a host or origin that is not allowed",
        404: "no such character or memory",
        409: "not now: the store is damaged, or there is no model",
        413: "the body is too large",
        415: "the body must be application/json",
        422: "a field is wrong; nothing has changed",
        423: "no password, or a wrong one, for this character",
        502: "the model failed",
        503: "another process holds the store, or the disk refused",
    }.items()
}


def refusal(
    status: int, code: str, message: str, fields: list[str] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:  # fmt: skip
    """Return a refusal as all of them look."""
    told = {"error": {"code": code, "message": message, "fields": fields or []}}
    return JSONResponse(told, status, headers=dict(headers or {}))


def install(app: FastAPI) -> None:
    """Let *app* answer all that is raised on purpose with a refusal."""
    app.add_exception_handler(VividMemError, _ours)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(StarletteHTTPException, _http)
    app.add_exception_handler(RecursionError, _too_deep)


def _ours(_: Request, error: Exception) -> JSONResponse:
    status, code = next(STATUSES[kind] for kind in STATUSES if isinstance(error, kind))
    headers = {"Retry-After": "1"} if status == 503 else {}
    return refusal(status, code, str(error), headers=headers)


def _unfit(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return refusal(400, "bad_request", "the body is not JSON")
    where = [".".join(str(part) for part in one["loc"][1:]) or "body" for one in found]
    said = "; ".join(f"{place}: {one['msg']}" for place, one in zip(where, found, strict=True))
    return refusal(422, "invalid", said[:2000], list(dict.fromkeys(where)))


def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException | StarletteHTTPException)
    code = CODES.get(error.status_code, "refused")
    return refusal(error.status_code, code, str(error.detail), headers=error.headers)


def _too_deep(_: Request, __: Exception) -> JSONResponse:
    return refusal(422, "invalid", "the body is nested too deeply", ["body"])
