"""Who may ask what: hosts, web origins, the token, kinds and sizes of bodies.

A pure ASGI layer around the application, so that no route can be reached past it.
"""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vividmem_extras.doors import bears, is_json
from vividmem_extras.server.refusals import refusal
from vividmem_extras.server.settings import Settings

API = "/api/"
IMPORT = "/api/memory/import"
METHODS = "GET, POST, DELETE"
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_log = logging.getLogger("vividmem.server")


class _TooLargeError(HTTPException):
    """More bytes arrive than are allowed; FastAPI lets through only what is of this kind."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, f"the body has more than {limit} bytes")


class Guard:
    """Refuses what the settings do not allow, and bounds what they do."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._hosts = settings.allowed_hosts()
        self._origins = settings.allowed_origins()
        self._token = "" if settings.no_auth else settings.token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin", "")
        answer = _Answer(send, origin if self._is_allowed(origin, headers) else "")
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, answer)
            return
        await self._served(scope, receive, answer)

    async def _served(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        """Let the application answer; what nobody expected becomes a plain 500."""
        limit = self._limit(scope["path"])
        try:
            await self._app(scope, _bounded(receive, limit), answer)
        except Exception as error:  # noqa: BLE001 - the border: no traceback may show a text
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            _log.error("%s %s: %s at %s", scope["method"], _route(scope), type(error), where)
            if not answer.started:
                told = "the server failed; its log says where"
                await refusal(500, "internal", told)(scope, receive, answer)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        """Return why the request is refused, or the answer to a preflight; None: go on."""
        if _host_of(headers.get("host", "")) not in self._hosts:
            return refusal(403, "host", "this host is not allowed: start with --allow-host")
        origin = headers.get("origin")
        if origin is not None and not self._is_allowed(origin, headers):
            return refusal(403, "origin", "this origin is not allowed: start with --allow-origin")
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return Response(status_code=204)
        if not scope["path"].startswith(API):
            return None
        if self._token and not bears(headers.get("authorization", ""), self._token):
            told = "send the header Authorization: Bearer TOKEN; the token is shown at the start"
            return refusal(401, "unauthorized", told, headers={"WWW-Authenticate": "Bearer"})
        return self._unfit_body(scope, headers)

    def _unfit_body(self, scope: Scope, headers: Headers) -> Response | None:
        limit, length = self._limit(scope["path"]), headers.get("content-length", "")
        if scope["method"] == "POST" and not is_json(headers.get("content-type", "")):
            return refusal(415, "media_type", "the body must be application/json")
        if length.isdecimal() and int(length[:20]) > limit:
            return _too_large(limit)
        return None

    def _is_allowed(self, origin: str, headers: Headers) -> bool:
        """Return whether a page of *origin* may use the server: its own, or a listed one."""
        own = f"http://{headers.get('host', '')}".lower()
        return bool(origin) and (origin.lower() == own or origin.lower() in self._origins)

    def _limit(self, path: str) -> int:
        return self._settings.most_import if path == IMPORT else self._settings.most_body


class _Answer:
    """Sends a response with the headers that all of them have."""

    def __init__(self, send: Send, origin: str) -> None:
        self._send, self._origin = send, origin
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("Cache-Control", "no-store")
            headers.add_vary_header("Origin")
            if self._origin:
                headers.update(_cross_origin(self._origin))
        await self._send(message)


def _cross_origin(origin: str) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": "Authorization, Content-Type",
        "Access-Control-Allow-Private-Network": "true",
        "Access-Control-Max-Age": "600",
    }


def _host_of(header: str) -> str:
    """Return the name in a Host header, without port and brackets, in lower case.

    >>> _host_of("LOCALHOST:5050"), _host_of("[::1]:5050"), _host_of("127.0.0.1.evil.example:80")
    ('localhost', '::1', '127.0.0.1.evil.example')
    """
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.rpartition(":")[0].lower() if ":" in header else header.lower()


def _too_large(limit: int) -> Response:
    return refusal(413, "too_large", f"the body has more than {limit} bytes")


def _route(scope: Scope) -> str:
    """Return the pattern of the route, which names nobody."""
    return str(getattr(scope.get("route"), "path", "?"))


def _bounded(receive: Receive, limit: int) -> Receive:
    """Return *receive* that raises once more than *limit* bytes have come."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            raise _TooLargeError(limit)
        return message

    return counted
