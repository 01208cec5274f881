"""The stores of a server: opened when asked for, one call at a time, closed when idle."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from vividmem import StoreError, VividMem
from vividmem_extras.server import stores
from vividmem_extras.server.feed import Feed
from vividmem_extras.server.roster import Roster, UnknownCharacterError, name_of
from vividmem_extras.server.settings import Settings, open_store
from vividmem_extras.snapshots import SnapshotStore

T = TypeVar("T")


class Slot:
    """The place of one character's store; its limiter lets one call at a time in."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.mem: VividMem | None = None
        self.folder = Path()
        self.copies: SnapshotStore | None = None
        self.feed = Feed()
        self.limiter = CapacityLimiter(1)
        self.users = 0
        self.used = time.monotonic()

    def close(self) -> None:
        """Write what is soft and let go of the files."""
        mem, self.mem = self.mem, None
        if mem is not None:
            mem.close()

    @property
    def snapshots(self) -> SnapshotStore:
        """Return the snapshots of the store, which has been opened."""
        assert self.copies is not None
        return self.copies


class Shelf:
    """All stores of one folder. A call runs in a thread, never on the event loop.

    Calls for one character wait for each other on the event loop, so that a store that is slow to
    open keeps no thread from the others.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.roster = Roster(settings.folder, settings.password, settings.config)
        self._slots: dict[str, Slot] = {}

    def opened(self, folder: Path) -> VividMem:
        """Return the store in *folder*, as all of this server are opened."""
        return open_store(folder, self.settings)

    async def use(
        self, character: str, call: Callable[[VividMem, Slot], T], *, make: bool = False
    ) -> T:
        """Return what *call* returns of the store of *character*, opened if need be.

        With *make* a character without a memory gets one; else UnknownCharacterError is raised.
        """
        slot = self._slot(name_of(character))
        slot.users += 1
        try:
            return await to_thread.run_sync(self._run, slot, call, make, limiter=slot.limiter)
        finally:
            slot.users -= 1
            slot.used = time.monotonic()
            self._forget(slot)

    async def aside(self, character: str, call: Callable[[VividMem], T]) -> T:
        """Return what *call* returns while other calls go on beside it: it waits for a model."""
        slot = self._slot(name_of(character))
        slot.users += 1
        try:
            mem = await to_thread.run_sync(
                self._run, slot, lambda mem, _: mem, False, limiter=slot.limiter
            )
            return await to_thread.run_sync(call, mem)
        finally:
            slot.users -= 1
            slot.used = time.monotonic()
            self._forget(slot)

    async def listed(self) -> dict[str, Path]:
        """Return all characters with their folders."""
        return await to_thread.run_sync(self.roster.names)

    async def wipe(self, character: str) -> int:
        """Erase all that *character* remembers and its name; return how many memories it were."""

        def erase(mem: VividMem, slot: Slot) -> int:
            count = stores.wipe(mem, slot.folder, slot.snapshots, self.opened)
            slot.close()
            slot.feed.clear()
            self.roster.drop(slot.name)
            return count

        return await self.use(character, erase)

    async def rename(self, character: str, new_name: str) -> None:
        """Let *new_name* have the memory of *character*."""
        old, new = name_of(character), name_of(new_name)
        target = self._slot(new)

        def move(_: VividMem, slot: Slot) -> None:
            self.roster.rename(slot.name, new)
            target.feed.take(slot.feed)
            slot.close()

        target.users += 1
        try:
            await self.use(old, move)
        finally:
            target.users -= 1
            self._forget(target)

    async def tidy(self) -> None:
        """Close what has been idle for too long, and the idlest of what is too many."""
        late = time.monotonic() - self.settings.idle_seconds
        idle = sorted(
            (slot for slot in self._slots.values() if slot.mem and not slot.users),
            key=lambda slot: slot.used,
        )
        surplus = sum(slot.mem is not None for slot in self._slots.values())
        surplus -= self.settings.most_open
        for place, slot in enumerate(idle):
            if slot.used < late or place < surplus:
                await to_thread.run_sync(slot.close, limiter=slot.limiter)

    async def close(self) -> None:
        """Close all stores."""
        for slot in list(self._slots.values()):
            await to_thread.run_sync(slot.close, limiter=slot.limiter)
        await to_thread.run_sync(self.roster.close)

    def open_count(self) -> int:
        """Return how many stores are open."""
        return sum(slot.mem is not None for slot in self._slots.values())

    def _slot(self, name: str) -> Slot:
        return self._slots.setdefault(name, Slot(name))

    def _forget(self, slot: Slot) -> None:
        """Keep no place for a name that has no store."""
        if slot.mem is None and not slot.users and not slot.feed.told:
            self._slots.pop(slot.name, None)

    def _run(self, slot: Slot, call: Callable[[VividMem, Slot], T], make: bool) -> T:
        if slot.mem is None:
            folder = self.roster.find(slot.name)
            if folder is None and not make:
                raise UnknownCharacterError(f"no memory is kept of a character {slot.name!r}")
            slot.folder = folder or self.roster.make(slot.name)
            slot.copies = stores.copies_of(slot.folder, self.settings)
            slot.mem = self.opened(slot.folder)
        try:
            return call(slot.mem, slot)
        except StoreError:
            slot.close()  # a failed write poisons the handle: the next call opens it anew
            raise
