"""The ASGI application: routes, guard, dashboard, and what happens at start and end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

from vividmem import __version__
from vividmem_extras.server import household, minds, panel, refusals, routes, works
from vividmem_extras.server.guard import Guard
from vividmem_extras.server.replies import HealthReply
from vividmem_extras.server.settings import Settings
from vividmem_extras.server.shelf import Shelf

STATIC = Path(__file__).parent / "static"
TIDY_SECONDS = 30.0
DESCRIPTION = (
    "Memories of many characters, one folder each. Every route below /api needs"
    " `Authorization: Bearer TOKEN`; bodies are JSON. A reading route never makes a character:"
    " of an unknown one it answers 404 `unknown_character`."
)


def create_app(settings: Settings) -> FastAPI:
    """Return the application that serves the folder of *settings*."""
    shelf = Shelf(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(_tidy(shelf))
        yield
        tidying.cancel()
        with suppress(asyncio.CancelledError):
            await tidying
        await shelf.close()

    app = FastAPI(
        title="vividmem", version=__version__, description=DESCRIPTION, lifespan=lifespan,
        docs_url=None, redoc_url=None,  # both load scripts from elsewhere
    )  # fmt: skip
    app.state.shelf = shelf
    refusals.install(app)
    for part in (routes, minds, works, household, panel):
        app.include_router(part.router)

    @app.get("/healthz", tags=["server"], openapi_extra={"security": []})
    async def healthz() -> HealthReply:
        """Tell that the server answers; needs no token."""
        has_model = settings.model is not None
        return HealthReply(
            status="ok", version=__version__, model=has_model, auth=not settings.no_auth
        )

    @app.get("/", include_in_schema=False)
    async def dashboard() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(Guard, settings=settings)
    app.openapi = lambda: _with_token(FastAPI.openapi(app))  # type: ignore[method-assign]
    return app


async def _tidy(shelf: Shelf) -> None:
    while True:
        await asyncio.sleep(TIDY_SECONDS)
        await shelf.tidy()


def _with_token(schema: dict[str, object]) -> dict[str, object]:
    """Return *schema* that tells of the token."""
    components = schema.setdefault("components", {})
    assert isinstance(components, dict)
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schema["security"] = [{"token": []}]
    return schema
