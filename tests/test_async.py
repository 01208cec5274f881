"""AsyncVividMem: the same names, a free event loop, and cancellation that breaks nothing."""

import asyncio
import inspect
import threading

import pytest

from conftest import PATIENCE
from looks import texts
from vividmem import Chemistry, InvalidMemoryError, Mood, Reflection, StoreError, Tasks, VividMem
from vividmem_extras import aio
from vividmem_extras.aio import AsyncVividMem

PARTS = [
    (AsyncVividMem, VividMem),
    (aio.AsyncMood, Mood),
    (aio.AsyncChemistry, Chemistry),
    (aio.AsyncReflection, Reflection),
    (aio.AsyncTasks, Tasks),
]
INSIDE = {"at", "surfaced", "wear", "levels", "factors", "after_storing"}  # for the core itself


def public(kind):
    return {name for name in vars(kind) if not name.startswith("_")}


@pytest.mark.parametrize(("later", "plain"), PARTS, ids=lambda kind: kind.__name__)
def test_every_public_name_is_there_with_the_same_parameters(later, plain):
    assert public(plain) - INSIDE <= public(later)
    for name in public(plain) & public(later):
        plain_one = vars(plain)[name]
        if inspect.isfunction(plain_one) and name != "batch":
            assert inspect.iscoroutinefunction(vars(later)[name])
            assert inspect.signature(vars(later)[name]) == inspect.signature(plain_one)


def test_what_is_taught_is_on_disk_and_answers(folder):
    async def teach():
        async with AsyncVividMem(folder) as mem:
            await mem.observe("I live in Porto", entity="Ines")
            decision = await mem.observe("I moved to Ghent", entity="Ines")
            await mem.mood.update(["happy", "joyful"])
            task = await mem.tasks.start("Call the movers")
            hits = await mem.resonate("where does Ines live?")
            return decision.action, hits[0].text, await mem.mood.label(), task.text

    action, text, label, task = asyncio.run(teach())
    assert (action, text) == ("supersede", "I moved to Ghent") and label != "neutral"
    with VividMem(folder) as mem:
        assert {"I live in Porto", "I moved to Ghent", task} <= set(texts(mem))


def test_many_calls_at_once_are_all_kept(folder):
    async def teach():
        async with AsyncVividMem(VividMem(folder, config={"store": {"durability": "os"}})) as mem:
            notes = (mem.add_self_reflection(f"Ticket {i} was answered") for i in range(60))
            return {memory.id for memory in await asyncio.gather(*notes)}

    assert len(asyncio.run(teach())) == 60
    with VividMem(folder) as mem:
        assert len(texts(mem)) == 60


def test_errors_arrive_as_they_are(folder):
    async def blank():
        async with AsyncVividMem(folder) as mem:
            await mem.add_fact("Ines", "home", "  ")

    with pytest.raises(InvalidMemoryError):
        asyncio.run(blank())


class Slow:
    """A model that answers only when told to; it makes a call last."""

    def __init__(self):
        self.asked, self.go = threading.Event(), threading.Event()

    def __call__(self, prompt):
        self.asked.set()
        assert self.go.wait(PATIENCE)
        return ""


async def begun(event):
    while not event.is_set():
        await asyncio.sleep(0)


def test_the_loop_goes_on_while_a_call_lasts(folder):
    async def ask():
        slow = Slow()
        async with AsyncVividMem(folder) as mem:
            asked = asyncio.create_task(mem.resonate("anything?", llm_fn=slow))
            await begun(slow.asked)
            turns = [await asyncio.sleep(0, turn) for turn in range(100)]
            assert not asked.done()
            slow.go.set()
            return turns, await asked

    assert asyncio.run(ask()) == ([*range(100)], [])


def test_a_cancelled_call_leaves_a_memory_that_works(folder):
    async def cancel():
        slow = Slow()
        mem = AsyncVividMem(folder)
        asked = asyncio.create_task(mem.resonate("anything?", llm_fn=slow))
        await begun(slow.asked)
        waiting = asyncio.create_task(mem.add_self_reflection("Written behind a slow call"))
        await asyncio.sleep(0)
        for task in (asked, waiting):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        slow.go.set()
        await mem.add_self_reflection("Written afterwards")
        await mem.close()

    asyncio.run(cancel())
    with VividMem(folder, config={"store": {"lock_timeout": 1.0}}) as mem:
        kept = texts(mem)
        assert "Written afterwards" in kept and len(kept) in (1, 2)
        mem.add_self_reflection("The lock is free")


def test_close_waits_for_a_cancelled_call_that_had_begun(folder):
    async def cancel():
        entered, go = threading.Event(), threading.Event()

        class Clock:
            now = 1e9

            def __call__(self):
                if entered.is_set() is False and armed:
                    entered.set()
                    assert go.wait(PATIENCE)
                return self.now

        armed = []
        mem = AsyncVividMem(VividMem(folder, clock=Clock()))
        armed.append(True)
        task = asyncio.create_task(mem.add_self_reflection("It had begun"))
        await begun(entered)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        closing = asyncio.create_task(mem.close())
        await asyncio.sleep(0)
        assert not closing.done()
        go.set()
        await closing

    asyncio.run(cancel())
    with VividMem(folder) as mem:
        assert texts(mem) == ["It had begun"]


def test_a_batch_is_all_or_nothing_and_keeps_others_out(folder):
    async def run():
        async with AsyncVividMem(folder) as mem:
            with pytest.raises(ZeroDivisionError):
                async with mem.batch() as inside:
                    await inside.add_self_reflection("This one fails")
                    outside = asyncio.create_task(mem.add_self_reflection("This one stays"))
                    await asyncio.sleep(0)
                    raise ZeroDivisionError
            await outside
            async with mem.batch() as inside:
                await inside.add_self_reflection("First of two")
                await inside.tasks.start("Second of two")

    asyncio.run(run())
    with VividMem(folder) as mem:
        assert texts(mem) == ["This one stays", "First of two", "Second of two"]


def test_a_cancelled_batch_leaves_nothing_and_no_lock(folder):
    async def run():
        mem = AsyncVividMem(folder)
        inside_it = asyncio.Event()

        async def work():
            async with mem.batch() as inside:
                await inside.add_self_reflection("Never to be seen")
                inside_it.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(work())
        await inside_it.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await mem.add_self_reflection("Seen")
        await mem.close()

    asyncio.run(run())
    with VividMem(folder) as mem:
        assert texts(mem) == ["Seen"]


@pytest.mark.parametrize("steps", range(12))
def test_a_batch_cancelled_at_any_step_frees_the_lock(folder, steps):
    async def run():
        async with AsyncVividMem(folder) as mem:

            async def work():
                async with mem.batch() as inside:
                    await inside.add_self_reflection("Perhaps")

            task = asyncio.create_task(work())
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            await mem.add_self_reflection("Afterwards")

    asyncio.run(run())
    with VividMem(folder, config={"store": {"lock_timeout": 1.0}}) as mem:
        assert "Afterwards" in texts(mem)
        mem.add_self_reflection("The lock is free")


def test_the_outer_handle_is_refused_inside_its_own_batch(folder):
    async def run():
        async with AsyncVividMem(folder) as mem, mem.batch() as inside:
            with pytest.raises(StoreError, match="inside batch"):
                await mem.add_self_reflection("It would wait for ever")
            with pytest.raises(StoreError, match="inside batch"):
                await inside.close()
            await inside.add_self_reflection("Right")

    asyncio.run(run())
    with VividMem(folder) as mem:
        assert texts(mem) == ["Right"]


def test_closing_what_was_never_used_makes_no_folder(folder):
    asyncio.run(AsyncVividMem(folder).close())
    assert not folder.exists()
