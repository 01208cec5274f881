"""What can be done to a whole store: wiped, copied, brought back."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vividmem import (
    Change,
    InvalidMemoryError,
    Memory,
    StoreError,
    VividMem,
    drop_derived,
    encoded,
    memory_of,
    memory_record,
    sync_folder,
)
from vividmem_extras.server.settings import Settings
from vividmem_extras.snapshots import SHELF, SnapshotError, SnapshotStore

Opener = Callable[[Path], VividMem]  # how the server opens a store
BEFORE = "before"  # label of a snapshot taken before a restore
LEFT_BEHIND = 3600.0  # seconds after which a copy to be read is nobody's
_READ = ".read-"


class _Everything:
    """Contains whatever is asked for."""

    def __contains__(self, _: object) -> bool:
        return True


def replaced(
    mem: VividMem, folder: Path, memories: list[Memory], settings: Mapping[str, Any], *,
    purge: bool = False,
) -> int:  # fmt: skip
    """Make *memories* and *settings* all that the store of *mem* holds; return how many left.

    One durable change in the journal, which other processes follow like any other; after that the
    snapshot is written anew, so that what is gone is in no file when this returns; with *purge* in
    no copy of damaged files either. *mem* is closed, and another is to be opened: taking 50,000
    memories out of its index one by one would take minutes, and its gate has learnt from them.
    """
    ledger = mem._ledger
    with ledger.writing(alone=True) as view:
        kept = {memory.id for memory in memories}
        gone = tuple(i for i in view.state.memories if i not in kept)
        told = {**dict.fromkeys(view.state.settings), **settings}
        ledger._append(Change(puts=tuple(memories), drops=gone, settings=told))
        head = {"next_id": max([view.state.next_id, *(i + 1 for i in kept)]), "settings": settings}
        lines = [(memory.id, encoded(memory_record(memory))) for memory in memories]
        ledger.store.rewrite([(0, encoded(head)), *lines], _Everything())
        if purge:
            ledger.store.purge()
        drop_derived(folder)
    mem.close()
    return len(gone)


def copies_of(folder: Path, settings: Settings) -> SnapshotStore:
    """Return the snapshots of the store in *folder*: beside it, or where the settings say.

    Raises `MissingExtraError`, `ConfigError`.
    """
    if settings.snapshot_url:
        return SnapshotStore(settings.snapshot_url, agent=folder.name, keep=settings.keep)
    return SnapshotStore(str(folder / SHELF), keep=settings.keep)


def count_of(copies: SnapshotStore) -> int | None:
    """Return how many snapshots there are; None if they cannot be reached."""
    try:
        return len(copies.snapshots())
    except SnapshotError:
        return None


def wipe(mem: VividMem, folder: Path, copies: SnapshotStore, opened: Opener) -> int:
    """Erase everything, snapshots included, check that it is gone, return how many memories were.

    A damaged store is wiped, too. Raises `StoreError` if anything is still there.
    """
    _mended(mem)
    count = replaced(mem, folder, [], {}, purge=True)
    copies.clear()
    if (folder / SHELF).is_dir():
        shutil.rmtree(folder / SHELF)
        sync_folder(folder)
    with opened(folder) as again:  # from the files, as after a restart
        left = again.export()
    if left["memories"] or left["settings"] or (folder / SHELF).exists():
        raise StoreError(f"{folder}: not all of it could be erased; look at the folder")
    return count


def restore(mem: VividMem, folder: Path, copies: SnapshotStore, name: str, opened: Opener) -> int:
    """Make the store what it was in snapshot *name* and return how many memories it has now.

    Others that have it open follow. What it is now is kept as a snapshot first; of a damaged store,
    what could be read, beside the copies that a repair keeps. Raises `StoreError`, `WrongKeyError`.
    """
    told = _content(copies, name, folder, opened)
    memories = [memory_of(record) for record in told["memories"]]
    _mended(mem)
    mem.save()
    copies.snapshot(folder, label=BEFORE)
    replaced(mem, folder, memories, told["settings"])
    return len(memories)


def _content(copies: SnapshotStore, name: str, folder: Path, opened: Opener) -> dict[str, Any]:
    """Return what snapshot *name* holds, read from a copy of it."""
    home = folder / SHELF
    home.mkdir(exist_ok=True)
    _sweep(home)
    with tempfile.TemporaryDirectory(prefix=_READ, dir=home) as beside:
        copy = Path(beside) / "store"
        copies.restore(copy, snapshot_id=name)
        with opened(copy) as mem:
            if mem.stats()["damage"]:
                raise InvalidMemoryError(f"snapshot {name} is damaged")
            return mem.export()


def _sweep(home: Path) -> None:
    """Remove what a crash left of a copy to be read."""
    late = time.time() - LEFT_BEHIND
    for path in home.glob(f"{_READ}*"):
        if path.stat().st_mtime < late:
            shutil.rmtree(path)


def _mended(mem: VividMem) -> None:
    """Make a damaged store writable; what is damaged is copied first."""
    if mem.stats()["damage"]:
        mem.repair()
