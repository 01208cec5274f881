"""A kill at every system call of one operation: from outside by strace, and from inside.

Both forms start a process that opens a copy of the same folder, waits, makes one call and
acknowledges it. `strace` sees every call to the kernel and kills before it is made. `Tap`, which
needs no strace, stands in for the functions of ``os`` that the library uses and ends the process
before, after and, for a write, in the middle of one. Nothing that Python buffers reaches a file
after either.
"""

from __future__ import annotations

import builtins
import io
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from unittest import mock

from vividmem import VividMem, VividMemError
from vividmem_extras.bench.account import (
    CODINGS,
    NEW_PASSWORD,
    PASSWORD,
    Account,
    Opening,
    Step,
    Tally,
    after,
    check_states,
    check_words,
    matched,
    observed,
    perform,
    reopened,
    states,
)

TAPPED = (
    "open close read write lseek ftruncate truncate fsync fdatasync replace rename remove unlink"
    " stat lstat fstat listdir scandir mkdir link"
).split()
MODES = {"wb": os.O_TRUNC, "ab": os.O_APPEND, "xb": os.O_EXCL}
KILLED = 137  # the exit code a shell reports for SIGKILL
ACKNOWLEDGED = b"ok"
STRACE_ACK = r'"\0\0\0\2ok"'  # how strace shows that on the pipe
PATIENCE = 240.0  # seconds for a process to answer
HOME = "q0w0"

#: Calls of the waiting process that strace may or may not see when it attaches.
UNSTEADY = "poll ppoll restart_syscall select pselect6".split()

_SYSCALL = re.compile(r"^(?:\d+\s+)?(\w+)\(")

_processes: Any = multiprocessing.get_context(
    "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
)


@dataclass(frozen=True, slots=True)
class Event:
    """One call that went through a `Tap`."""

    name: str
    args: tuple[Any, ...]
    result: Any


@dataclass(frozen=True, slots=True)
class Point:
    """Where the process ends: in its *number*-th call; *written* is for a write cut short."""

    number: int
    when: str = "before"  # before, after, within
    written: int = 0


@dataclass(slots=True)
class Tap:
    """Stands between the library and the system: notes each call and may end the process."""

    point: Point | None = None
    events: list[Event] = field(default_factory=list)

    @contextmanager
    def installed(self) -> Iterator[Tap]:
        """Stand in for the functions of ``os`` and for ``open`` of a file to write."""
        with ExitStack() as stack:
            for name in filter(partial(hasattr, os), TAPPED):
                stack.enter_context(self._instead(os, name))
            try:
                import fcntl
            except ImportError:  # Windows
                pass
            else:
                stack.enter_context(self._instead(fcntl, "flock"))
            opened = partial(self._open, builtins.open)
            stack.enter_context(mock.patch.object(builtins, "open", opened))
            stack.enter_context(mock.patch.object(io, "open", opened))
            yield self

    def _instead(self, module: Any, name: str) -> AbstractContextManager[Any]:
        return mock.patch.object(module, name, partial(self._call, name, getattr(module, name)))

    def _call(self, name: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        due = self.point if self.point and self.point.number == len(self.events) else None
        if due and due.when == "before":
            os._exit(KILLED)
        if due and due.when == "within":
            function(args[0], bytes(args[1])[: due.written])
            os._exit(KILLED)
        place = len(self.events)
        self.events.append(Event(name, (), None))  # a call that raises is a call, too
        try:
            result = function(*args, **options)
        finally:
            if due:
                os._exit(KILLED)
        kept = (bytes(each) if isinstance(each, memoryview) else each for each in args)
        self.events[place] = Event(name, tuple(kept), result)
        return result

    def _open(
        self, really: Callable[..., Any], file: Any, mode: str = "r", *args: Any, **options: Any
    ) -> Any:
        """Open a file to write so that its writes pass through ``os.write``."""
        if mode not in MODES:
            return really(file, mode, *args, **options)
        flags = os.O_WRONLY | os.O_CREAT | MODES[mode] | getattr(os, "O_CLOEXEC", 0)
        flags |= getattr(os, "O_BINARY", 0)
        opener = options.get("opener") or os.open
        return io.BufferedWriter(_Descriptor(opener(file, flags)))


class _Descriptor(io.RawIOBase):
    """A file to write, all of whose calls are looked up in ``os`` when they are made."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def writable(self) -> bool:
        return True

    def write(self, chunk: Any) -> int:
        return os.write(self._fd, bytes(chunk))

    def close(self) -> None:
        if not self.closed:
            super().close()
            os.close(self._fd)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One call on a folder: *base* is its state before; *opens* if opening is part of it."""

    name: str
    step: Step
    template: Path
    base: Account
    opens: bool = False
    opening: Opening | None = None  # if it opens otherwise than the other folders

    @property
    def ids(self) -> dict[str, int]:
        """The ids of the memories in the folder."""
        return {token: known.id for token, known in self.base.items()}


def kill_points(opening: Opening, names: list[str], *, strace: bool) -> dict[str, dict[str, Tally]]:
    """Kill at every call of the scenarios *names*; return the tallies by scenario and form."""
    tallies: dict[str, dict[str, Tally]] = {}
    with tempfile.TemporaryDirectory() as place:
        for scenario in scenarios(opening, Path(place)):
            if scenario.name not in names:
                continue
            fitting = scenario.opening or opening
            harness = Harness(fitting, scenario, Path(place) / "folder")
            tallies[scenario.name] = {"inside": harness.inside()}
            if strace:
                tallies[scenario.name]["strace"] = harness.strace(Path(place) / "strace.log")
    return tallies


def strace_works() -> bool:
    """Tell whether there is an strace that can inject signals here."""
    if not hasattr(os, "fork") or shutil.which("strace") is None:
        return False
    asked = ["strace", "-o", os.devnull, "-e", "inject=getpid:signal=SIGKILL:when=30000", "true"]
    return subprocess.run(asked, capture_output=True).returncode == 0


SCENARIOS = "create write batch correct forget forget-entity compaction overflow recovery".split()
SCENARIOS += CODINGS


def scenarios(opening: Opening, place: Path) -> Iterator[Scenario]:
    """Yield what is tried, each with the folder it starts from, made in *place*."""
    folder = place / "template"
    base: Account = {}
    token = f"{HOME}n99z"
    added = Step("impress", HOME, (token,))
    yield Scenario("create", added, folder, base, opens=True)
    base = prepared(replace(opening, compact_bytes=10**6), folder)
    first, fact, other = f"{HOME}n1z", f"{HOME}n4z", f"{HOME}n6z"
    yield Scenario("write", Step("fact", HOME, (token,), (fact,)), folder, base)
    several = tuple(f"{HOME}n{number}z" for number in range(90, 95))
    yield Scenario("batch", Step("batch", HOME, several), folder, base)
    yield Scenario("correct", Step("correct", HOME, (token,), (other,), target=other), folder, base)
    wordings = tuple(t for t, known in base.items() if known.root == first)
    forget = Scenario("forget", Step("forget", HOME, (), (), wordings, first), folder, base)
    yield forget
    personal = tuple(t for t, known in base.items() if known.kind != "reflect")
    yield Scenario("forget-entity", Step("forget_entity", HOME, (), (), personal), folder, base)
    yield Scenario("compaction", Step("save"), folder, base)
    large = Step("batch", HOME, tuple(f"{HOME}n{number}z" for number in range(100, 190)))
    yield Scenario("overflow", large, folder, base)
    wounded = place / "wounded"
    yield Scenario("recovery", added, wounded, half_forgotten(opening, forget, wounded), opens=True)
    yield from codings(opening, place)


def codings(opening: Opening, place: Path) -> Iterator[Scenario]:
    """Yield the calls that change the encryption, whatever the other folders have."""
    passwords: dict[str, tuple[str | None, ...]] = {"encrypt": (None, NEW_PASSWORD)}
    passwords |= {"decrypt": (PASSWORD, None), "rekey": (PASSWORD,)}
    passwords |= {"passwd": (PASSWORD, NEW_PASSWORD)}
    for kind, fitting in passwords.items():
        folder = place / kind
        begun = replace(opening, compact_bytes=10**6, passwords=fitting[:1])
        base = prepared(begun, folder)
        yield Scenario(kind, Step(kind), folder, base, opening=replace(begun, passwords=fitting))


def prepared(opening: Opening, folder: Path) -> Account:
    """Fill a new folder: a snapshot, a journal, corrected and replaced memories."""
    token = [f"{HOME}n{number}z" for number in range(12)]
    steps = [
        *(
            Step(kind, HOME, (token[i],))
            for i, kind in enumerate(("reflect", "impress", "impress"))
        ),
        Step("fact", HOME, (token[3],)),
        Step("save"),
        Step("fact", HOME, (token[4],), (token[3],)),
        Step("correct", HOME, (token[5],), (token[1],), target=token[1]),
        *(Step("impress", HOME, (each,)) for each in token[6:]),
    ]
    account: Account = {}
    ids: dict[str, int] = {}
    with opening(folder) as memory:
        for step in steps:
            perform(memory, step, ids)
            account = after(account, step)
        return matched(account, observed(memory)[0])


def half_forgotten(opening: Opening, forget: Scenario, folder: Path) -> Account:
    """Make a folder as a crash leaves it: words still to be erased, and half a line."""
    harness = Harness(opening, forget, folder)
    *_, counted = harness.killed_inside(None)
    synced = next(i for i, event in enumerate(counted) if event[0] in ("fdatasync", "fsync"))
    harness.killed_inside(Point(synced, "after"))
    journal = max(folder.glob("journal-*.jsonl"), key=lambda path: path.stat().st_size)
    with journal.open("ab") as file:
        file.write(b'["0badc0de",99,{"puts":[')
    return after(forget.base, forget.step)


@dataclass(frozen=True, slots=True)
class Harness:
    """Runs one scenario again and again in *folder*, and judges what is left."""

    opening: Opening
    scenario: Scenario
    folder: Path

    def inside(self) -> Tally:
        """End the process itself before, after and within each call it makes."""
        tally = Tally()
        _, _, calls = self.killed_inside(None)
        for point in points(calls):
            acknowledged, code, _ = self.killed_inside(point)
            name = calls[point.number][0]
            place = f"{self.scenario.name}, {point.when} call {point.number} ({name})"
            self.judge(tally, acknowledged, code == KILLED, place)
        return tally

    def killed_inside(self, point: Point | None) -> tuple[bool, int | None, list[tuple[str, int]]]:
        """Return whether it acknowledged, its exit code, and name and size of its calls."""
        with self.started(point) as (process, go, answers):
            go.send_bytes(b"go")
            return _outcome(process, answers)

    def strace(self, log: Path) -> Tally:
        """Kill from outside, before each call to the kernel."""
        tally = Tally()
        self.traced(log, [])
        seen: Counter[str] = Counter()
        for name in kernel_calls(log.read_text(encoding="utf-8", errors="replace")):
            seen[name] += 1
            inject = ["-e", f"inject={name}:signal=SIGKILL:when={seen[name]}"]
            acknowledged, code = self.traced(log, ["-e", f"trace={name}", *inject])
            place = f"{self.scenario.name}, strace at {name} number {seen[name]}"
            self.judge(tally, acknowledged, code == -signal.SIGKILL, place)
        return tally

    def traced(self, log: Path, options: list[str]) -> tuple[bool, int | None]:
        """Return whether it acknowledged under strace, and its exit code."""
        with self.started(None, tapped=False) as (process, go, answers):
            command = ["strace", "-f", "-o", str(log), *options, "-p", str(process.pid)]
            with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
                assert tracer.stderr is not None
                while "attached" not in (line := tracer.stderr.readline()):
                    if not line:
                        raise RuntimeError("strace cannot attach to a process here")
                go.send_bytes(b"go")
                acknowledged, code, _ = _outcome(process, answers)
                tracer.communicate()
            return acknowledged, code

    @contextmanager
    def started(self, point: Point | None, *, tapped: bool = True) -> Iterator[tuple[Any, ...]]:
        """Start the process on a fresh copy of the folder; it waits for a word to go."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.scenario.template.exists():
            shutil.copytree(self.scenario.template, self.folder)
        heard, go = _processes.Pipe(duplex=False)
        answers, told = _processes.Pipe(duplex=False)
        job = self.opening, self.scenario, self.folder, Tap(point) if tapped else None
        process = _processes.Process(target=victim, args=(*job, heard, told))
        process.start()
        told.close()
        heard.close()
        try:
            if answers.recv_bytes() != b"ready":
                raise RuntimeError("the process did not get ready")
            yield process, go, answers
        finally:
            process.kill()
            process.join()
            go.close()
            answers.close()

    def judge(self, tally: Tally, acknowledged: bool, killed: bool, place: str) -> None:
        """Reopen the folder: the step is done or, unless acknowledged, not begun."""
        tally.tried += killed
        tally.note("missed", not killed, f"{place}: no kill, acknowledged: {acknowledged}")
        tally.acknowledged += acknowledged
        step, base = self.scenario.step, self.scenario.base
        if acknowledged:
            gone = base if step.kind in ("encrypt", "rekey", "passwd") else step.removes
            check_words(tally, gone, self.folder, f"{place}, before reopening")
            last = replace(self.opening, passwords=self.opening.passwords[-1:])
            settled = reopened(tally, last, self.folder, f"{place}, by the new password")
            if settled:
                settled.close()
        memory = reopened(tally, self.opening, self.folder, place)
        if memory is None:
            return
        with memory:
            found = judge_state(tally, memory, base, step, acknowledged, place)
            hidden = memory.encryption.enabled
        check_words(tally, found if hidden else (), self.folder, f"{place}, encrypted")
        check_words(tally, set(step.removes) - found.keys(), self.folder, place)
        check_goes_on(tally, self.opening, self.folder, place)


def judge_state(
    tally: Tally, memory: VividMem, base: Account, step: Step, acknowledged: bool, place: str
) -> dict[str, tuple[int, bool]]:
    """Count what is wrong when *step* was under way, or acknowledged; return what is there."""
    found, strange = observed(memory)
    tally.note("invented", len(strange), f"{place}: {strange[:2]}")
    seen = {token: current for token, (_, current) in found.items()}
    before, done = states(base), states(after(base, step))
    if acknowledged or seen in (before, done):
        check_states(tally, before if seen == before and not acknowledged else done, found, place)
        return found
    kept = {token for token, current in before.items() if done.get(token) is current}
    lost = [token for token in kept if seen.get(token) is not before[token]]
    extra = [token for token in seen if token not in done and token not in base]
    tally.note("lost", len(lost), f"{place}: {lost[:4]}")
    tally.note("invented", len(extra), f"{place}: {extra[:4]}")
    tally.note("torn", not lost and not extra, f"{place}: half of {step.kind}")
    return found


def check_goes_on(tally: Tally, opening: Opening, folder: Path, place: str) -> None:
    """Write once more, and find it in a new opening."""
    step = Step("impress", HOME, (f"{HOME}n77z",))
    for last in (False, True):
        memory = reopened(tally, opening, folder, f"{place}, then one more write")
        if memory is None:
            return
        with memory:
            try:
                if not last:
                    perform(memory, step, {})
                elif step.adds[0] not in observed(memory)[0]:
                    tally.note("lost", 1, f"{place}: the next write")
            except VividMemError as err:
                tally.note("damage", 1, f"{place}, then one more write: {err}")
                return


def victim(
    opening: Opening,
    scenario: Scenario,
    folder: Path,
    tap: Tap | None,
    go: Connection,
    answers: Connection,
) -> None:
    """Do the step when told to, acknowledge it, and tell which calls it took."""
    memory = None if scenario.opens else opening(folder)
    answers.send_bytes(b"ready")
    go.poll(None)  # strace may or may not count the call it interrupts when it attaches: no read
    go.recv_bytes()
    with tap.installed() if tap else ExitStack():
        if memory is None:
            memory = opening(folder)
        perform(memory, scenario.step, scenario.ids)
    answers.send_bytes(ACKNOWLEDGED)
    answers.send([] if tap is None else [_brief(event) for event in tap.events])


def points(calls: list[tuple[str, int]]) -> Iterator[Point]:
    """Yield every place to end at: around each call, and for a write also three within."""
    for number, (name, size) in enumerate(calls):
        yield Point(number, "before")
        if name == "write":
            for written in sorted({1, size // 2, size - 1} - {0, size}):
                yield Point(number, "within", written)
        yield Point(number, "after")


def kernel_calls(log: str) -> Iterator[str]:
    """Yield the names of the calls in an strace log, up to the acknowledgement."""
    for line in log.splitlines():
        match = _SYSCALL.match(line)
        if match and match[1] not in UNSTEADY:
            yield match[1]
        if STRACE_ACK in line:
            return


def _outcome(process: Any, answers: Connection) -> tuple[bool, int | None, list[tuple[str, int]]]:
    """Return whether the process acknowledged, its exit code and the calls it told of."""
    acknowledged, calls = False, []
    try:
        acknowledged = answers.poll(PATIENCE) and answers.recv_bytes() == ACKNOWLEDGED
        calls = answers.recv()
    except (EOFError, OSError):
        pass  # it was killed first
    process.join(PATIENCE)
    return acknowledged, process.exitcode, calls


def _brief(event: Event) -> tuple[str, int]:
    return event.name, event.result if event.name == "write" else 0
