"""What can be done to a whole store: wiped, copied, brought back."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from vividmem import (
    Change,
    InvalidMemoryError,
    Memory,
    StoreError,
    UnknownMemoryError,
    VividMem,
    encoded,
    memory_of,
    memory_record,
    sync_folder,
    write_file,
)

Opener = Callable[[Path], VividMem]  # how the server opens a store
SNAPSHOTS = "snapshots"
LEFT_BEHIND = 3600.0  # seconds after which an unfinished copy is nobody's
_NAME = re.compile(r"\d{8}T\d{6}\.\d{6}Z(-[a-z]+)?")
_STORE_FILES = re.compile(r"memory\.json|journal-\d+\.jsonl")


class Snapshot(NamedTuple):
    """A copy of a store as it was at one moment."""

    name: str
    taken: float  # UTC seconds
    size: int  # bytes


class _Everything:
    """Contains whatever is asked for."""

    def __contains__(self, _: object) -> bool:
        return True


def replaced(
    mem: VividMem, memories: list[Memory], settings: Mapping[str, Any], *, purge: bool = False
) -> int:
    """Make *memories* and *settings* all that the store of *mem* holds; return how many left.

    One durable change in the journal, which other processes follow like any other; after that the
    snapshot is written anew, so that what is gone is in no file when this returns; with *purge* in
    no copy of damaged files either. *mem* is closed and will read the files when it is used again:
    taking 50,000 memories out of its index one by one would take minutes.
    """
    ledger = mem._ledger
    with ledger.writing() as view:
        kept = {memory.id for memory in memories}
        gone = tuple(i for i in view.state.memories if i not in kept)
        told = {**dict.fromkeys(view.state.settings), **settings}
        ledger._append(Change(puts=tuple(memories), drops=gone, settings=told))
        head = {"next_id": max([view.state.next_id, *(i + 1 for i in kept)]), "settings": settings}
        lines = [(memory.id, encoded(memory_record(memory))) for memory in memories]
        ledger.store.rewrite([(0, encoded(head)), *lines], _Everything())
        if purge:
            ledger.store.purge()
    mem.close()
    return len(gone)


def wipe(mem: VividMem, folder: Path, opened: Opener) -> int:
    """Erase everything, snapshots included, check that it is gone, return how many memories were.

    A damaged store is wiped, too. Raises `StoreError` if anything is still in the folder.
    """
    _mended(mem)
    count = replaced(mem, [], {}, purge=True)
    snapshots = folder / SNAPSHOTS
    if snapshots.is_dir():
        shutil.rmtree(snapshots)
        sync_folder(folder)
    with opened(folder) as again:  # from the files, as after a restart
        left = again.export()
    if left["memories"] or left["settings"] or snapshots.exists():
        raise StoreError(f"{folder}: not all of it could be erased; look at the folder")
    return count


def snapshots(folder: Path) -> list[Snapshot]:
    """Return the snapshots of the store in *folder*, newest first."""
    found = []
    home = folder / SNAPSHOTS
    for path in home.iterdir() if home.is_dir() else ():
        if _NAME.fullmatch(path.name) and (path / "memory.json").is_file():
            moment = datetime.strptime(path.name[:23], "%Y%m%dT%H%M%S.%fZ")
            size = sum(file.stat().st_size for file in path.iterdir())
            found.append(Snapshot(path.name, moment.replace(tzinfo=timezone.utc).timestamp(), size))
    return sorted(found, reverse=True)


def take_snapshot(mem: VividMem, folder: Path, label: str = "") -> Snapshot:
    """Copy the store in *folder* as it is between two writes, and return the snapshot.

    It is whole or absent: files are copied beside, and the folder gets its name last.
    """
    home = folder / SNAPSHOTS
    home.mkdir(exist_ok=True)
    _sweep(home)
    moment = datetime.fromtimestamp(time.time(), timezone.utc)
    name = f"{moment:%Y%m%dT%H%M%S.%fZ}{label}"
    half = Path(tempfile.mkdtemp(prefix=".half-", dir=home))
    try:
        with mem._ledger.writing():  # nobody writes until all is copied
            mem.save()
            for path in folder.iterdir():
                if _STORE_FILES.fullmatch(path.name):
                    write_file(str(half / path.name), path.read_bytes())
        sync_folder(half)
        half.rename(home / name)
        sync_folder(home)
    finally:
        if half.exists():
            shutil.rmtree(half)
    return next(found for found in snapshots(folder) if found.name == name)


def restore_snapshot(mem: VividMem, folder: Path, name: str, opened: Opener) -> int:
    """Make the store what it was in snapshot *name* and return how many memories it has now.

    What it is now is kept as a snapshot first; of a damaged store, what could be read, beside the
    copies that a repair keeps. Raises `UnknownMemoryError`, `StoreError`.
    """
    _known(folder, name)
    told = _content(folder / SNAPSHOTS / name, opened)
    memories = [memory_of(record) for record in told["memories"]]
    _mended(mem)
    take_snapshot(mem, folder, "-before")
    replaced(mem, memories, told["settings"])
    return len(memories)


def _content(snapshot: Path, opened: Opener) -> dict[str, Any]:
    """Return what the copy in *snapshot* holds, read from a copy of the copy."""
    with tempfile.TemporaryDirectory(prefix=".read-", dir=snapshot.parent) as read:
        shutil.copytree(snapshot, read, dirs_exist_ok=True)
        with opened(Path(read)) as mem:
            if mem.stats()["damage"]:
                raise InvalidMemoryError(f"snapshot {snapshot.name} is damaged")
            return mem.export()


def delete_snapshot(folder: Path, name: str) -> None:
    """Delete snapshot *name*; raises `UnknownMemoryError`."""
    _known(folder, name)
    gone = folder / SNAPSHOTS / f".gone-{name}"
    (folder / SNAPSHOTS / name).rename(gone)
    shutil.rmtree(gone)
    sync_folder(folder / SNAPSHOTS)


def _mended(mem: VividMem) -> None:
    """Make a damaged store writable; what is damaged is copied first."""
    if mem.stats()["damage"]:
        mem.repair()


def _sweep(home: Path) -> None:
    """Remove what a crash left of a copy that was under way."""
    late = time.time() - LEFT_BEHIND
    for path in home.glob(".*-*"):
        if path.stat().st_mtime < late:
            shutil.rmtree(path)


def _known(folder: Path, name: str) -> None:
    if not any(found.name == name for found in snapshots(folder)):
        raise UnknownMemoryError(f"no snapshot is called {name!r}")
