"""Power loss, modelled: what a disk may hold when only what was synced is sure to be there.

One run is recorded call by call. At each call the model asks what could be found after a power
loss: of the changes to the folder's names since its last sync the first few, for every "few"; of
each file what was last synced, and of what was written since nothing, half, zeros, or everything.
Every such folder is opened. What was acknowledged before that call has to be there.
The lock file is left out: nothing depends on what it holds.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from vividmem_extras.bench.account import (
    Account,
    Opening,
    Step,
    Tally,
    after,
    check_words,
    perform,
    reopened,
)
from vividmem_extras.bench.killpoints import Event, Tap, judge_state

FATES = ("nothing", "half", "zeros", "everything")  # of what was written since the last sync
LOCK = ".lock"
HOME = "q0w0"

Picture = tuple[tuple[str, bytes], ...]  # names and contents of a folder


@dataclass(slots=True, eq=False)
class Content:
    """What a file holds, and what of it is sure to be on the disk."""

    now: bytes = b""
    synced: bytes = b""

    def after_loss(self, fate: str) -> bytes:
        """Return what may be found when *fate* befell what is not synced."""
        if fate == "nothing" or not self.now.startswith(self.synced):
            return self.now if fate == "everything" else self.synced
        rest = self.now[len(self.synced) :]
        if fate == "half":
            rest = rest[: len(rest) // 2]
        return self.synced + (b"\0" * len(rest) if fate == "zeros" else rest)


@dataclass(slots=True)
class Disk:
    """A folder: its names as they are, as they were last synced, and the changes between."""

    folder: str
    names: dict[str, Content] = field(default_factory=dict)
    synced: dict[str, Content] = field(default_factory=dict)
    changes: list[tuple[str, Content | None]] = field(default_factory=list)  # None: gone
    groups: list[int] = field(default_factory=list)  # where in `changes` a call ends
    files: dict[int, Content | None] = field(default_factory=dict)  # None: the folder itself

    def apply(self, event: Event) -> None:
        """Follow one call."""
        handle = {
            "open": self._open,
            "close": self._close,
            "write": self._write,
            "ftruncate": self._truncate,
            "fsync": self._sync,
            "fdatasync": self._sync,
            "replace": self._rename,
            "rename": self._rename,
            "remove": self._remove,
            "unlink": self._remove,
        }.get(event.name)
        if handle and event.args:  # without arguments: it raised
            handle(event)

    def pictures(self) -> Iterator[Picture]:
        """Yield what may be found after a power loss now."""
        for count in [0, *self.groups]:
            names = dict(self.synced)
            for name, content in self.changes[:count]:
                if content is None:
                    names.pop(name, None)
                else:
                    names[name] = content
            for fate in FATES:
                yield tuple(sorted((name, c.after_loss(fate)) for name, c in names.items()))

    def _open(self, event: Event) -> None:
        path, flags = os.fspath(event.args[0]), event.args[1]
        if path == self.folder:
            self.files[event.result] = None
        if os.path.dirname(path) != self.folder or os.path.basename(path) == LOCK:
            return
        name = os.path.basename(path)
        if name not in self.names:
            self._name({name: Content()})
        if flags & os.O_TRUNC:
            self.names[name].now = b""
        self.files[event.result] = self.names[name]

    def _close(self, event: Event) -> None:
        self.files.pop(event.args[0], None)

    def _write(self, event: Event) -> None:
        content = self.files.get(event.args[0])
        if content is not None:
            content.now += event.args[1][: event.result]

    def _truncate(self, event: Event) -> None:
        content = self.files.get(event.args[0])
        if content is not None:
            content.now = content.now[: event.args[1]].ljust(event.args[1], b"\0")

    def _sync(self, event: Event) -> None:
        if event.args[0] not in self.files:
            return
        content = self.files[event.args[0]]
        if content is not None:
            content.synced = content.now
            return
        self.synced = dict(self.names)
        self.changes.clear()
        self.groups.clear()

    def _rename(self, event: Event) -> None:
        source, target = (os.path.basename(path) for path in event.args[:2])
        self._name({target: self.names[source], source: None})

    def _remove(self, event: Event) -> None:
        self._name({os.path.basename(event.args[0]): None})

    def _name(self, changes: dict[str, Content | None]) -> None:
        """Make the changes of one call: all of them reach the disk, or none."""
        for name, content in changes.items():
            if content is None:
                self.names.pop(name, None)
            else:
                self.names[name] = content
        self.changes += changes.items()
        self.groups.append(len(self.changes))


def steps() -> list[Step]:
    """Return what is recorded: every kind of write, and compactions between."""
    token = [f"{HOME}n{number}z" for number in range(20)]
    return [
        Step("reflect", HOME, (token[0],)),
        Step("impress", HOME, (token[1],)),
        Step("fact", HOME, (token[2],)),
        Step("save"),
        Step("fact", HOME, (token[3],), (token[2],)),
        Step("batch", HOME, tuple(token[4:8])),
        Step("resonate", target=token[4]),
        Step("correct", HOME, (token[8],), (token[4],), target=token[4]),
        Step("forget", HOME, (), (), (token[4], token[8]), token[4]),
        Step("impress", HOME, (token[9],)),
        Step("resonate", target=token[9]),
        Step("save"),
        Step("reflect", HOME, (token[10],)),
        Step("forget_entity", HOME, (), (), (*token[1:4], *token[5:8], token[9])),
        Step("impress", HOME, (token[11],)),
    ]


def coding_steps() -> list[Step]:
    """Return calls that change the encryption of a folder in plain text, with writes between."""
    token = [f"{HOME}n{number}z" for number in range(5)]
    kinds = ["save", "encrypt", "rekey", "passwd", "decrypt"]
    pairs = ((Step("impress", HOME, (t,)), Step(k)) for t, k in zip(token, kinds, strict=True))
    return [step for pair in pairs for step in pair]


def power_losses(opening: Opening, planned: list[Step]) -> Tally:
    """Record the *planned* steps, lose the power at each call, count what is wrong afterwards."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "recorded"
        folder.mkdir()
        events, acknowledged = recorded(opening, folder, planned)
        tally.acknowledged = len(acknowledged)
        disk = Disk(str(folder))
        account: Account = {}
        gone: set[str] = set()
        waiting = list(zip(planned, acknowledged, strict=True))
        seen: set[tuple[Picture, int]] = set()
        for number, event in enumerate(events):
            while waiting and waiting[0][1] <= number:
                done, _ = waiting.pop(0)
                account = after(account, done)
                gone.update(done.removes)
            disk.apply(event)
            step = waiting[0][0] if waiting else Step("save")
            for picture in disk.pictures():
                if (picture, len(waiting)) not in seen:
                    seen.add((picture, len(waiting)))
                    where = f"power loss after call {number} ({event.name}), in {step.kind}"
                    check(tally, opening, picture, (account, gone, step), where)
    return tally


def recorded(opening: Opening, folder: Path, planned: list[Step]) -> tuple[list[Event], list[int]]:
    """Do the *planned* steps in *folder*; return all calls, and how many each return came after."""
    tap = Tap()
    acknowledged = []
    ids: dict[str, int] = {}
    with tap.installed():
        memory = opening(folder)
        for step in planned:
            perform(memory, step, ids)
            acknowledged.append(len(tap.events))
        memory.close()
    return tap.events, acknowledged


def check(
    tally: Tally,
    opening: Opening,
    picture: Picture,
    due: tuple[Account, set[str], Step],
    place: str,
) -> None:
    """Open the folder of *picture*; *due* is what was done, forgotten, and under way."""
    tally.tried += 1
    base, gone, step = due
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, content in picture:
            (folder / name).write_bytes(content)
        shape = ", ".join(f"{name} {len(content)}" for name, content in picture)
        place = f"{place}, leaving {shape or 'nothing'}"
        memory = reopened(tally, opening, folder, place)
        if memory is None:
            return
        with memory:
            found = judge_state(tally, memory, base, step, False, place)
            hidden = memory.encryption.enabled
        check_words(tally, found if hidden else (), folder, f"{place}, encrypted")
        check_words(tally, gone.union(step.removes) - found.keys(), folder, place)
