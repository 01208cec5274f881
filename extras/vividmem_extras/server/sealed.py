"""The names of encrypted characters, in an encrypted store of their own: the folder ``.names``.

Its password is that of the server; ``vividmem passwd --dir FOLDER/.names`` changes it, as for any
memory folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vividmem import StoreError, VividMem, WrongKeyError

BOOK = ".names"
_ATTRIBUTE = "character"
_log = logging.getLogger("vividmem.server")
_CONFIG: dict[str, Any] = {"beliefs": {"secrets": 0}}  # a name is kept as it is


class SealedNames:
    """Which folder holds whose memory. A password that does not open it is tried once."""

    def __init__(
        self, root: Path, password: str | None, config: Mapping[str, Any] | None = None
    ) -> None:
        """*config*: of its store, as for `VividMem`; only what it says of files counts."""
        self.wanted = password is not None  # whether names are to be kept here
        self._folder, self._password = root / BOOK, password
        self._config = _CONFIG | {"store": (config or {}).get("store", {})}
        self._mutex = threading.Lock()
        self._opened: VividMem | None = None
        self._refused: WrongKeyError | None = None

    def all(self) -> dict[str, str]:
        """Return the names by their folders; raises `WrongKeyError`."""
        if not self._folder.is_dir():
            return {}
        return {fact.entity: fact.value for fact in self._book().facts()}

    def of(self, folder: str) -> str | None:
        """Return whose memory *folder* holds, None if it is not known here."""
        if not self._folder.is_dir():
            return None
        return next((fact.value for fact in self._book().facts(folder)), None)

    def claim(self, folder: str, name: str) -> str:
        """Return the folder that holds the memory of *name*: *folder*, unless there is one."""
        with self._writing() as book:
            held = next((fact.entity for fact in book.facts() if fact.value == name), None)
            if held is None:
                book.add_fact(folder, _ATTRIBUTE, name)
        return held or folder

    def set(self, folder: str, name: str) -> None:
        """Let *folder* hold the memory of *name*; the name before is in no file any more."""
        with self._writing() as book:
            book.forget_entity(folder)
            book.add_fact(folder, _ATTRIBUTE, name)

    def drop(self, folder: str) -> None:
        """Forget whose memory *folder* held."""
        if self.of(folder) is not None:
            with self._writing() as book:
                book.forget_entity(folder)

    def close(self) -> None:
        """Let go of the files."""
        with self._mutex:
            opened, self._opened = self._opened, None
            if opened is not None:
                opened.close()

    @contextmanager
    def _writing(self) -> Iterator[VividMem]:
        """Give the book for one change; no other server can come in between."""
        book = self._book()
        try:
            with book.batch():
                yield book
        except StoreError:
            self.close()  # a failed write poisons the handle: the next call opens it anew
            raise

    def _book(self) -> VividMem:
        with self._mutex:
            if self._refused is not None:
                raise self._refused
            if self._opened is None:
                try:
                    self._opened = VividMem(
                        self._folder, config=self._config, password=self._password
                    )
                except WrongKeyError as error:
                    told = "the names of encrypted characters are sealed"
                    self._refused = WrongKeyError(f"{told}: {error}")
                    _log.warning("%s", self._refused)
                    raise self._refused from error
            return self._opened
