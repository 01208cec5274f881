"""The command line: ``vividmem-server --dir FOLDER``, or ``python -m vividmem_extras.server``."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import webbrowser
from pathlib import Path

from vividmem import ConfigError, MissingExtraError, VividMemError, __version__
from vividmem_extras.doors import listener
from vividmem_extras.opening import given_password, opening_options
from vividmem_extras.server.model import chat_model
from vividmem_extras.server.settings import MEGABYTE, Settings, parts_for, token_from

GRACE = 10  # seconds that requests under way have when the server is stopped
KEEP_ALIVE = 75  # seconds a connection may rest between two requests


def main(argv: list[str] | None = None) -> int:
    """Serve until stopped; return 0, 1 when it could not start, or 2 for bad usage."""
    args = _parser().parse_args(argv)
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    try:
        settings = settings_of(args)
        return serve(settings, open_browser=args.open)
    except (ConfigError, MissingExtraError) as error:
        print(f"vividmem-server: {error}", file=sys.stderr)
        return 2
    except (VividMemError, OSError) as error:
        print(f"vividmem-server: {error}", file=sys.stderr)
        return 1


def serve(settings: Settings, *, open_browser: bool = False) -> int:
    """Serve until SIGINT or SIGTERM, then finish what is under way and close all stores."""
    try:
        import uvicorn

        from vividmem_extras.server.app import create_app
        from vividmem_extras.server.stores import copies_of
    except ImportError as err:
        raise MissingExtraError("the server", "pip install 'vividmem[server]'") from err
    parts_for(settings)  # what is missing is told now, and the models are loaded
    copies_of(settings.folder, settings)
    settings.folder.mkdir(parents=True, exist_ok=True)
    listening = listener(settings.host, settings.port)
    config = uvicorn.Config(
        create_app(settings), access_log=False, log_level="warning", server_header=False,
        timeout_graceful_shutdown=GRACE, timeout_keep_alive=KEEP_ALIVE, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(config)

    def leave(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):  # before uvicorn listens for them, and after
        signal.signal(number, leave)
    _announce(settings, listening.getsockname()[1], open_browser=open_browser)
    server.run(sockets=[listening])
    return 0


def _announce(settings: Settings, port: int, *, open_browser: bool) -> None:
    """Print where the dashboard is and what opens it."""
    secret = "" if settings.no_auth else f"#token={settings.token}"
    address = f"{_address(settings.host, port)}/{secret}"
    print(f"vividmem {__version__}: {settings.folder}")
    print(f"dashboard: {address}")
    if not settings.no_auth:
        print(f"token: {settings.token}")
    sys.stdout.flush()
    if open_browser:
        webbrowser.open(address)


def settings_of(args: argparse.Namespace) -> Settings:
    """Return what the command line says; raise ConfigError where it does not fit together."""
    if bool(args.model_url) != bool(args.model):
        raise ConfigError("give --model-url and --model together")
    key = args.model_key_file.read_text(encoding="utf-8").strip() if args.model_key_file else ""
    model = chat_model(args.model_url, args.model, key) if args.model_url else None
    return Settings(
        folder=args.dir.expanduser().resolve(), host=args.host, port=args.port,
        token="" if args.no_auth else token_from(args.token_file), no_auth=args.no_auth,
        hosts=tuple(args.allow_host), origins=tuple(args.allow_origin),
        most_import=args.max_import * MEGABYTE, idle_seconds=args.idle, model=model,
        model_name=args.model, password=given_password(args), neural=args.neural,
        snapshot_url=args.snapshot_url, keep=args.keep,
    )  # fmt: skip


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="vividmem-server", description="Memories of many characters over HTTP."
    )
    add = parser.add_argument
    add("--version", action="version", version=f"vividmem {__version__}")
    add("--dir", type=Path, required=True, help="folder of all memories, one folder a character")
    add("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    add("--port", type=int, default=5050, help="port; 0 takes a free one (5050)")
    add("--token-file", type=Path, help="keeps the token from one start to the next")
    add("--no-auth", action="store_true", help="no token; on loopback only")
    add("--open", action="store_true", help="show the dashboard in a browser")
    add("--allow-host", action="append", default=[], metavar="NAME", help="a further host name")
    add("--allow-origin", action="append", default=[], metavar="URL", help="a further web origin")
    add("--max-import", type=int, default=64, metavar="MB", help="size of an import (64)")
    add("--idle", type=float, default=600, metavar="SECONDS", help="until a store is closed (600)")
    add("--snapshot-url", default="", metavar="URL", help="as s3://bucket/agents; else beside each")
    add("--keep", type=int, default=20, metavar="N", help="snapshots kept of each character (20)")
    opening_options(parser)
    add("--model-url", default="", help="OpenAI-compatible address, as http://127.0.0.1:8080/v1")
    add("--model", default="", metavar="NAME", help="the model's name there")
    add("--model-key-file", type=Path, help="file that holds its key")
    return parser


if __name__ == "__main__":
    sys.exit(main())
