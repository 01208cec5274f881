"""What a server is told at its start."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vividmem import ConfigError, VividMem, write_file
from vividmem_extras.doors import is_loopback
from vividmem_extras.opening import neural_parts

MEGABYTE = 1_000_000
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
SILLYTAVERN = ("http://127.0.0.1:8000", "http://localhost:8000")  # where it listens by default
LEAST_TOKEN = 16  # characters


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything a server may be told; the defaults suit one user on one machine."""

    folder: Path
    host: str = "127.0.0.1"
    port: int = 5050
    token: str = field(default="", repr=False)  # "" only with no_auth
    no_auth: bool = False
    hosts: tuple[str, ...] = ()  # further names under which it may be asked for
    origins: tuple[str, ...] = ()  # further web origins that may use it
    most_body: int = MEGABYTE  # bytes of a request
    most_import: int = 64 * MEGABYTE  # bytes of an import
    idle_seconds: float = 600.0  # after which a store that nobody uses is closed
    most_open: int = 32  # stores open at once; the one idle longest is closed for another
    model: Callable[[str], str] | None = None  # text to text, for reflection
    model_name: str = ""
    password: str | None = field(default=None, repr=False)  # of all stores; None: plain text
    neural: bool = False  # find and judge by meaning, too
    snapshot_url: str = ""  # where snapshots lie, as for fsspec; "": beside each store
    keep: int = 20  # snapshots of each store
    config: Mapping[str, Any] = field(default_factory=dict)  # of each store, as for VividMem

    def __post_init__(self) -> None:
        if self.no_auth and not is_loopback(self.host):
            raise ConfigError(f"--no-auth works on loopback only, not on {self.host}")
        if not self.no_auth and len(self.token) < LEAST_TOKEN:
            raise ConfigError(f"the token must have at least {LEAST_TOKEN} characters")

    def allowed_hosts(self) -> frozenset[str]:
        """Return the names a request may ask for, without port, in lower case."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)
        return frozenset(name.lower() for name in (*LOOPBACK_NAMES, *own, *self.hosts))

    def allowed_origins(self) -> frozenset[str]:
        """Return the web origins beside the server's own; with no token only those named."""
        usual = () if self.no_auth else SILLYTAVERN
        return frozenset(origin.rstrip("/").lower() for origin in (*usual, *self.origins))


def token_from(path: Path | None) -> str:
    """Return the token kept in *path*, made there if it is missing; a new one for None."""
    if path is None:
        return secrets.token_urlsafe(24)
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    token = secrets.token_urlsafe(24)
    write_file(str(path), token.encode() + b"\n")  # readable by its owner only
    return token


def parts_for(settings: Settings) -> Mapping[str, Any]:
    """Return the embedder and gate of one store, none where words alone decide.

    Each store has its own, for they learn what is in it; the models behind them are loaded once.
    """
    return neural_parts() if settings.neural else {}


def open_store(folder: Path, settings: Settings) -> VividMem:
    """Open the store in *folder*: the only place of the server that does."""
    return VividMem(
        folder, config=settings.config, password=settings.password, **parts_for(settings)
    )
