"""Which character's memory lies in which folder.

A character's name never becomes a path: its folder is named after a hash of the name, and
``name.json`` inside says whose it is. Folders that hold a store but no such file, made by other
programs, are found under their own names.
"""

from __future__ import annotations

import hashlib
import json
import threading
import unicodedata
from pathlib import Path

from vividmem import (
    InvalidMemoryError,
    VividMemError,
    checked_name,
    replace_file,
    sync_folder,
    write_file,
)

MOST_NAME = 200  # characters
NAME_FILE = "name.json"
STORE_FILE = "memory.json"


class UnknownCharacterError(VividMemError, KeyError):
    """No memory is kept of this character."""

    def __str__(self) -> str:
        """Return the message itself; a KeyError would show it quoted."""
        return str(self.args[0]) if self.args else ""


def name_of(character: object) -> str:
    """Return *character* as a name that is told apart from others; raise InvalidMemoryError."""
    name = checked_name(character, "character", MOST_NAME)
    return unicodedata.normalize("NFC", name)


class Roster:
    """The characters of one folder; safe between threads, and fresh on every miss."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._mutex = threading.Lock()
        self._known: dict[str, Path] = {}

    def names(self) -> dict[str, Path]:
        """Return all characters in the order of their names, each with its folder."""
        with self._mutex:
            self._known = self._listed()
            return dict(sorted(self._known.items()))

    def find(self, name: str) -> Path | None:
        """Return the folder of *name*, None if there is none."""
        with self._mutex:
            folder = self._known.get(name)
            if folder is None or _holder(folder, self.root) != name:
                self._known = self._listed()
                folder = self._known.get(name)
            return folder

    def make(self, name: str) -> Path:
        """Return the folder of *name*, made if it is missing."""
        found = self.find(name)
        if found is not None:
            return found
        with self._mutex:
            folder = self._vacant(name)
            folder.mkdir(parents=True, exist_ok=True)
            _write_name(folder, name)
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
            _write_name(folder, new)
            self._known = self._listed()

    def drop(self, name: str) -> None:
        """Forget that there was a character called *name*."""
        with self._mutex:
            folder = self._known.pop(name, None)
            if folder is not None:
                (folder / NAME_FILE).unlink(missing_ok=True)
                sync_folder(folder)

    def _listed(self) -> dict[str, Path]:
        listed: dict[str, Path] = {}
        folders = sorted(self.root.iterdir()) if self.root.is_dir() else []
        for folder in (self.root, *folders):
            holder = _holder(folder, self.root)
            if holder is not None:
                listed.setdefault(holder, folder)
        return listed

    def _vacant(self, name: str) -> Path:
        """Return the folder *name* would have; one that a renamed character holds is passed by."""
        attempt = 0
        while True:
            key = name if attempt == 0 else f"{name}\0{attempt}"
            folder = self.root / f"c-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
            if _holder(folder, self.root) in (None, name):
                return folder
            attempt += 1


def _holder(folder: Path, root: Path) -> str | None:
    """Return whose memory *folder* holds; None if it is nobody's."""
    try:
        told = json.loads((folder / NAME_FILE).read_bytes())
        return name_of(told["name"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass  # made by another program, or no store at all
    if not (folder / STORE_FILE).is_file() or (folder.name.startswith("c-") and folder != root):
        return None
    try:
        return name_of(folder.name)
    except InvalidMemoryError:
        return None


def _write_name(folder: Path, name: str) -> None:
    path = folder / NAME_FILE
    told = json.dumps({"name": name}, ensure_ascii=False).encode()
    write_file(f"{path}.tmp", told)
    replace_file(f"{path}.tmp", str(path))
    sync_folder(folder)
