"""What all extras raise when a package they need is not installed."""

from __future__ import annotations

from vividmem import VividMemError


class MissingExtraError(VividMemError, ImportError):
    """An optional package is not installed; the message is the pip line that brings it."""

    def __init__(self, what: str, pip: str) -> None:
        super().__init__(f"{what} needs packages that are not installed: {pip}")
