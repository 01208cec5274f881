"""`AsyncVividMem`: the memory for programs that run on asyncio.

    from vividmem_extras.aio import AsyncVividMem

    async with AsyncVividMem("./my_agent_memory") as mem:
        await mem.observe("I moved to Ghent", entity="Ines")
        hits = await mem.resonate("where does Ines live?")

Every method has the name, arguments and result of the one it stands for, and runs in a thread, so
that the event loop never waits for a disk. A call that is cancelled once it has begun is carried
out all the same, so that no lock stays behind; `close` waits for it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, nullcontext
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from vividmem import Chemistry, Memory, Mood, Pad, Reflection, StoreError, Tasks, VividMem

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Later = Coroutine[Any, Any, R]


class _Once(Generic[T]):
    """A thing made by the first thread that asks for it."""

    def __init__(self, make: Callable[[], T], made: T | None = None) -> None:
        self._make, self.made = make, made
        self._lock = threading.Lock()

    def __call__(self) -> T:
        with self._lock:
            if self.made is None:
                self.made = self._make()
            return self.made


class _Calls:
    """Runs calls in threads, one handle's calls apart from its batches."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # a batch holds it; other calls only pass through it
        self._batching: asyncio.Task[Any] | None = None
        self._running: set[asyncio.Future[Any]] = set()

    async def run(self, function: Callable[[], R], executor: Executor | None = None) -> R:
        """Return what *function* returns, called in a thread; a cancelled call goes on there."""
        async with nullcontext() if executor else self.turn():
            work = asyncio.get_running_loop().run_in_executor(executor, function)
            self._running.add(work)
            work.add_done_callback(self._ended)
        return await asyncio.shield(work)

    @asynccontextmanager
    async def turn(self, *, batch: bool = False) -> AsyncIterator[None]:
        """Wait until no batch is open; with *batch* open one, which keeps others waiting."""
        task = asyncio.current_task()
        if self._batching is not None and self._batching is task:
            raise StoreError("inside batch() use the handle it gives, and close none")
        async with self._turn:
            self._batching = task if batch else None
            try:
                yield
            finally:
                self._batching = None

    async def drained(self) -> None:
        """Return when no call is running any more."""
        while self._running:
            await asyncio.wait(self._running)

    def _ended(self, work: asyncio.Future[Any]) -> None:
        self._running.discard(work)
        if not work.cancelled():
            work.exception()  # it counts as seen, though whoever asked may be gone


async def _settled(function: Callable[[], R], executor: Executor | None = None) -> R:
    """Return what *function* returns in a thread; if cancelled, only once it has ended."""
    work = asyncio.get_running_loop().run_in_executor(executor, function)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise


class _Part(Generic[T]):
    """An object whose methods run in threads."""

    def __init__(self, source: Callable[[], T], calls: _Calls, executor: Executor | None) -> None:
        self._source, self._calls, self._executor = source, calls, executor

    async def _run(self, function: Callable[[T], R]) -> R:
        return await self._calls.run(lambda: function(self._source()), self._executor)


def _later(
    method: Callable[Concatenate[T, P], R],
) -> Callable[Concatenate[_Part[T], P], Later[R]]:
    """Return *method* as a coroutine function of the part that stands for its object."""

    @wraps(method)
    async def called(self: _Part[T], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._run(lambda plain: method(plain, *args, **kwargs))

    return called


class AsyncMood(_Part[Mood]):
    """`mem.mood`; what is a property there is a method here."""

    update = _later(Mood.update)
    new_session = _later(Mood.new_session)
    reset = _later(Mood.reset)

    async def pad(self) -> Pad:
        """Return the mood now: pleasure, arousal, dominance, each -1..1."""
        return await self._run(lambda mood: mood.pad)

    async def label(self) -> str:
        """Return the emotion nearest to the mood."""
        return await self._run(lambda mood: mood.label)


class AsyncChemistry(_Part[Chemistry]):
    """`mem.chemistry`; what is a property there is a method here."""

    get_state = _later(Chemistry.get_state)
    on_event = _later(Chemistry.on_event)
    sleep = _later(Chemistry.sleep)

    async def enabled(self) -> bool:
        """Return whether chemistry has any effect."""
        return await self._run(lambda chemistry: chemistry.enabled)

    async def enable(self) -> None:
        """Switch chemistry on."""
        await self._run(lambda chemistry: setattr(chemistry, "enabled", True))

    async def disable(self) -> None:
        """Switch chemistry off."""
        await self._run(lambda chemistry: setattr(chemistry, "enabled", False))


class AsyncReflection(_Part[Reflection]):
    """`mem.reflection`."""

    bump_session = _later(Reflection.bump_session)
    due = _later(Reflection.due)
    run = _later(Reflection.run)
    prepare_curate = _later(Reflection.prepare_curate)
    apply_curate = _later(Reflection.apply_curate)
    prepare_brief = _later(Reflection.prepare_brief)
    apply_brief = _later(Reflection.apply_brief)
    brief = _later(Reflection.brief)
    prepare_rescore = _later(Reflection.prepare_rescore)
    apply_rescore = _later(Reflection.apply_rescore)
    regrets = _later(Reflection.regrets)
    prepare_consolidate = _later(Reflection.prepare_consolidate)
    apply_consolidate = _later(Reflection.apply_consolidate)
    prepare_dream = _later(Reflection.prepare_dream)
    apply_dream = _later(Reflection.apply_dream)
    arc = _later(Reflection.arc)
    arcs = _later(Reflection.arcs)

    async def sessions(self) -> int:
        """Return how many sessions there were."""
        return await self._run(lambda reflection: reflection.sessions)


class AsyncTasks(_Part[Tasks]):
    """`mem.tasks`."""

    use_project = _later(Tasks.use_project)
    projects = _later(Tasks.projects)
    archive_project = _later(Tasks.archive_project)
    start = _later(Tasks.start)
    complete = _later(Tasks.complete)
    fail = _later(Tasks.fail)
    abandon = _later(Tasks.abandon)
    open = _later(Tasks.open)
    subtasks = _later(Tasks.subtasks)
    actions = _later(Tasks.actions)
    log = _later(Tasks.log)
    record_solution = _later(Tasks.record_solution)
    find_solutions = _later(Tasks.find_solutions)
    reuse = _later(Tasks.reuse)
    track = _later(Tasks.track)
    related = _later(Tasks.related)
    overview = _later(Tasks.overview)

    async def project(self) -> Memory | None:
        """Return the active project."""
        return await self._run(lambda tasks: tasks.project)


class AsyncVividMem(_Part[VividMem]):
    """A `VividMem` whose methods are awaited.

    *memory* is the folder, or a `VividMem` that was opened with options of its own; None keeps
    everything in RAM. A folder is opened by the first call, in a thread like any other.
    """

    def __init__(self, memory: VividMem | str | os.PathLike[str] | None = None) -> None:
        given = memory if isinstance(memory, VividMem) else None
        path = None if isinstance(memory, VividMem) else memory
        self._begin(_Once(lambda: VividMem(path), given), _Calls(), None)

    def _begin(self, once: _Once[VividMem], calls: _Calls, executor: Executor | None) -> None:
        super().__init__(once, calls, executor)
        self._once = once
        self.mood = AsyncMood(lambda: once().mood, calls, executor)
        self.chemistry = AsyncChemistry(lambda: once().chemistry, calls, executor)
        self.reflection = AsyncReflection(lambda: once().reflection, calls, executor)
        self.tasks = AsyncTasks(lambda: once().tasks, calls, executor)

    async def __aenter__(self) -> AsyncVividMem:
        await self._run(lambda mem: None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    add_self_reflection = _later(VividMem.add_self_reflection)
    add_social_impression = _later(VividMem.add_social_impression)
    add_fact = _later(VividMem.add_fact)
    update_entity_preference = _later(VividMem.update_entity_preference)
    observe = _later(VividMem.observe)
    resonate = _later(VividMem.resonate)
    recall = _later(VividMem.recall)
    get_context_block = _later(VividMem.get_context_block)
    facts = _later(VividMem.facts)
    preferences = _later(VividMem.preferences)
    history = _later(VividMem.history)
    memories = _later(VividMem.memories)
    forecast = _later(VividMem.forecast)
    stats = _later(VividMem.stats)
    correct = _later(VividMem.correct)
    annotate = _later(VividMem.annotate)
    forget = _later(VividMem.forget)
    forget_entity = _later(VividMem.forget_entity)
    retract = _later(VividMem.retract)
    contradictions = _later(VividMem.contradictions)
    feedback = _later(VividMem.feedback)
    changes = _later(VividMem.changes)
    save = _later(VividMem.save)
    export = _later(VividMem.export)
    import_ = _later(VividMem.import_)
    repair = _later(VividMem.repair)

    @asynccontextmanager
    async def batch(self) -> AsyncIterator[AsyncVividMem]:
        """Make many writes one, all or none: those of the handle that this gives.

        Other calls wait until the batch has ended; one on the outer handle, awaited inside the
        batch, would wait for ever, so use the inner one. Cancelled inside, it leaves nothing.
        """
        if self._executor:
            yield self  # an inner batch joins the outer
            return
        async with self._calls.turn(batch=True):
            with ThreadPoolExecutor(1) as thread:  # the lock of a batch belongs to one thread
                inner = AsyncVividMem.__new__(AsyncVividMem)
                inner._begin(self._once, self._calls, thread)
                batch = ExitStack()
                try:
                    await _settled(lambda: batch.enter_context(self._once().batch()), thread)
                    yield inner
                except BaseException as error:
                    told = type(error), error, error.__traceback__
                    await _settled(lambda: batch.__exit__(*told), thread)
                    raise
                await _settled(batch.close, thread)

    async def close(self) -> None:
        """Wait for calls that are running, write what is soft and release the folder."""
        async with self._calls.turn():
            await self._calls.drained()
            opened = self._once.made
            if opened is not None:
                await _settled(opened.close)
