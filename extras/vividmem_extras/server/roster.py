"""Which character's memory lies in which folder.

A character's name never becomes a path: its folder is named after a hash of the name, and
``name.json`` inside says whose it is. With a password a folder is named by chance and its name is
sealed, see `SealedNames`; one that was encrypted later is sealed when it is seen. Folders that hold
a store but have no name, made by other programs, are found under their own names.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vividmem import (
    KEY_FILE,
    InvalidMemoryError,
    StoreError,
    VividMemError,
    WrongKeyError,
    checked_name,
    replace_file,
    sync_folder,
    write_file,
)
from vividmem_extras.names import MAX_NAME
from vividmem_extras.server.sealed import BOOK, SealedNames

_log = logging.getLogger("vividmem.server")
NAME_FILE = "name.json"
STORE_FILE = "memory.json"


class UnknownCharacterError(VividMemError, KeyError):
    """No memory is kept of this character."""

    def __str__(self) -> str:
        """Return the message itself; a KeyError would show it quoted."""
        return str(self.args[0]) if self.args else ""


def name_of(character: object) -> str:
    """Return *character* as a name that is told apart from others; raise InvalidMemoryError."""
    name = checked_name(character, "character", MAX_NAME)
    return unicodedata.normalize("NFC", name)


class Roster:
    """The characters of one folder; safe between threads, and fresh on every miss."""

    def __init__(
        self, root: Path, password: str | None = None, config: Mapping[str, Any] | None = None
    ) -> None:
        self.root = root
        self.sealed = SealedNames(root, password, config)
        self._mutex = threading.Lock()
        self._known: dict[str, Path] = {}

    def names(self) -> dict[str, Path]:
        """Return all characters in the order of their names, each with its folder.

        Those whose names cannot be read are left out; raises `WrongKeyError` if that leaves none.
        """
        with self._mutex:
            self._known = self._listed()
            if not self._known:
                self.sealed.all()
            return dict(sorted(self._known.items()))

    def find(self, name: str) -> Path | None:
        """Return the folder of *name*, None if there is none.

        Raises `WrongKeyError` if it may be one of those whose names cannot be read.
        """
        with self._mutex:
            folder = self._known.get(name)
            if folder is None or self._holder(folder) != name:
                self._known = self._listed()
                folder = self._known.get(name)
            if folder is None:
                self.sealed.all()
            return folder

    def make(self, name: str) -> Path:
        """Return the folder of *name*, made if it is missing."""
        found = self.find(name)
        if found is not None:
            return found
        with self._mutex:
            if self.sealed.wanted:
                folder = self.root / self.sealed.claim(f"c-{secrets.token_hex(16)}", name)
                folder.mkdir(parents=True, exist_ok=True)
            else:
                folder = self._vacant(name)
                folder.mkdir(parents=True, exist_ok=True)
                self._write_name(folder, name)
            self._known[name] = folder
            return folder

    def rename(self, old: str, new: str) -> None:
        """Let *new* have the memory of *old*; raise InvalidMemoryError if it has one already."""
        folder = self.find(old)
        if folder is None:
            raise UnknownCharacterError(f"no character is called {old!r}")
        if self.find(new) not in (None, folder):
            raise InvalidMemoryError(f"character {new!r} has a memory already: wipe it first")
        with self._mutex:
            self._write_name(folder, new)
            self._known = self._listed()

    def drop(self, name: str) -> None:
        """Forget that there was a character called *name*."""
        with self._mutex:
            folder = self._known.pop(name, None)
            if folder is not None:
                _remove_name(folder)
                self.sealed.drop(folder.name)

    def close(self) -> None:
        """Let go of the files."""
        self.sealed.close()

    def _listed(self) -> dict[str, Path]:
        """Return the characters whose names can be read."""
        listed: dict[str, Path] = {}
        folders = sorted(self.root.iterdir()) if self.root.is_dir() else []
        for folder in (self.root, *folders):
            holder = self._holder(folder)
            if holder is not None:
                self._seal(folder)
                listed.setdefault(holder, folder)
        return listed

    def _holder(self, folder: Path) -> str | None:
        """Return whose memory *folder* holds; None if it is nobody's, or that is sealed."""
        told = _written_name(folder)
        if told is not None:
            return told
        if folder.name == BOOK or not (folder / STORE_FILE).is_file():
            return None
        try:
            held = self.sealed.of(folder.name)
        except WrongKeyError:
            held = None
        if held is not None or (folder.name.startswith("c-") and folder != self.root):
            return held
        try:
            return name_of(folder.name)
        except InvalidMemoryError:
            return None

    def _vacant(self, name: str) -> Path:
        """Return the folder *name* would have; one that a renamed character holds is passed by."""
        attempt = 0
        while True:
            key = name if attempt == 0 else f"{name}\0{attempt}"
            folder = self.root / f"c-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
            if self._holder(folder) in (None, name):
                return folder
            attempt += 1

    def _write_name(self, folder: Path, name: str) -> None:
        if self.sealed.wanted:
            self.sealed.set(folder.name, name)
            _remove_name(folder)
            return
        path = folder / NAME_FILE
        told = json.dumps({"name": name}, ensure_ascii=False).encode()
        write_file(f"{path}.tmp", told)
        replace_file(f"{path}.tmp", str(path))
        sync_folder(folder)

    def _seal(self, folder: Path) -> None:
        """Seal the name of a folder that has been encrypted since it was written."""
        if not self.sealed.wanted or not (folder / KEY_FILE).is_file():
            return
        told = _written_name(folder)
        if told is not None:
            try:
                self._write_name(folder, told)
            except (WrongKeyError, StoreError) as error:  # it stays readable, as it was
                _log.warning("the name of %s is not sealed: %s", folder.name, error)


def _written_name(folder: Path) -> str | None:
    """Return the name in the folder's name.json; None if there is none that can be read."""
    try:
        return name_of(json.loads((folder / NAME_FILE).read_bytes())["name"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _remove_name(folder: Path) -> None:
    (folder / NAME_FILE).unlink(missing_ok=True)
    sync_folder(folder)
