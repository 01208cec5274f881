"""What the MCP server offers: nine tools and five resources over one memory.

`mcp_server` registers them. The texts of this module are read by language models: the docstring of
a tool is its description, and the fields say what each argument is.
"""

# No `from __future__ import annotations`: the SDK reads the types of the tools at run time.

import json
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Annotated, Any, Literal, TypeVar, cast

from vividmem import (
    Contradiction,
    Decision,
    InvalidMemoryError,
    Memory,
    MissingExtraError,
    Receipt,
    Recollection,
    VividMem,
    VividMemError,
    retention,
)
from vividmem_extras.replies import NOTHING, fields_of, sureness_of

try:
    import anyio.to_thread
    from pydantic import Field
except ImportError as err:
    raise MissingExtraError("the MCP server", "pip install 'vividmem[mcp]'") from err

R = TypeVar("R")
DAY = 86400.0  # seconds

Text = Annotated[str, Field(description="One statement, in plain words", max_length=20_000)]
About = Annotated[str, Field(description="Name of the person or thing; empty for anybody")]
Limit = Annotated[int, Field(description="How many at most", ge=1, le=100)]
Offset = Annotated[int, Field(description="next_offset of the page before; 0 for the first", ge=0)]
AsOf = Annotated[str, Field(description="ISO date or time: what was true then; empty for now")]
Id = Annotated[int, Field(description="Id of a memory, as another tool gave it", ge=1)]


Action = Literal["store", "merge", "supersede", "skip"]


@dataclass(frozen=True, kw_only=True)
class Remembrance:
    """One memory."""

    id: int
    text: str
    kind: str  # reflection, impression, fact, preference, gist, ...
    about: str  # "" is the agent itself
    when: str  # when it happened or was said, ISO, UTC
    status: str  # current, superseded, retracted or merged
    valid_until: str | None = None  # ISO, UTC


@dataclass(frozen=True, kw_only=True)
class Recalled(Remembrance):
    """One memory that came back to mind."""

    certainty: str  # certain, likely, doubtful or outdated
    confidence: float  # 0..1
    score: float
    advice: str  # how to speak of it; empty if it is certain
    outdated: list[str]  # the sentences of its text that are over
    notes: list[str]


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """What became of a statement."""

    action: Action
    reason: str
    memory: Remembrance | None
    contradicts: list[Remembrance]  # what it replaced, or conflicts with


@dataclass(frozen=True, kw_only=True)
class Recall:
    """What a question brought to mind, best first."""

    found: int
    advice: str
    memories: list[Recalled]
    next_offset: int | None


@dataclass(frozen=True, kw_only=True)
class Page:
    """A part of a list."""

    total: int
    memories: list[Remembrance]
    next_offset: int | None


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A part of all memories, in id order."""

    memories: list[Remembrance]
    next_after: int | None


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """Ids that are gone, those of memories made from them included."""

    forgotten: list[int]


@dataclass(frozen=True, kw_only=True)
class Context:
    """A block for a prompt."""

    block: str
    tokens: int
    left_out: int
    truncated: bool


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """Two memories that cannot both be true now."""

    about: str
    older: Remembrance
    newer: Remembrance


@dataclass(frozen=True, kw_only=True)
class Conflicts:
    """A part of the open conflicts, the newest first."""

    conflicts: list[Conflict]
    next_offset: int | None


@dataclass(frozen=True, kw_only=True)
class Reflected:
    """Either a prompt to answer, or what an answer changed."""

    prompt: str
    due: list[str]
    changed: list[int]
    problems: list[str]


class MemoryTools:
    """The tools and resources; *memory* gives the opened memory or raises `VividMemError`."""

    def __init__(self, memory: Callable[[], VividMem]) -> None:
        self._memory = memory
        self._recent: deque[dict[str, Any]] = deque(maxlen=50)  # decisions of this server

    def remember(
        self,
        text: Text,
        about: About = "",
        speaker: Annotated[
            str,
            Field(description="Who said it: user, assistant (your own thought) or a name"),
        ] = "user",
        attribute: Annotated[
            str,
            Field(description="To set a fact: its name, such as home town; text is the value"),
        ] = "",
        source: Annotated[str, Field(description="Id of the message it comes from")] = "",
    ) -> Remembered:
        """Store what is worth keeping: a statement as it was said, or one fact about somebody.

        An update replaces what it contradicts; small talk, questions and repetitions add nothing.
        """
        mem = self._memory()
        if attribute:
            return set_fact(mem, about, attribute, text, source)
        decision = mem.observe(text, entity=about, speaker=speaker, source=source)
        self._note(decision)
        return Remembered(
            action=cast(Action, decision.action),
            reason=decision.reason,
            memory=shown(decision.memory) if decision.memory else None,
            contradicts=over(decision.contradicts, decision.action),
        )

    def recall(
        self,
        query: Annotated[str, Field(description="A question or a topic", max_length=20_000)],
        about: About = "",
        limit: Limit = 5,
        offset: Offset = 0,
        as_of: AsOf = "",
        include_outdated: Annotated[bool, Field(description="Also what is no longer so")] = False,
    ) -> Recall:
        """Find what is known about a question. Speak of each memory as its advice says."""
        hits = self._memory().resonate(
            query, limit=offset + limit, entity=about or None, as_of=as_of or None,
            include_history=include_outdated, reinforce=not offset,
        )  # fmt: skip
        more = offset + limit if len(hits) == offset + limit else None
        memories = [recalled(hit) for hit in hits[offset:]]
        advice = "" if hits else NOTHING
        return Recall(found=len(memories), advice=advice, memories=memories, next_offset=more)

    def facts(
        self,
        about: About = "",
        attribute: Annotated[str, Field(description="Only this attribute's history")] = "",
        as_of: AsOf = "",
        history: Annotated[bool, Field(description="Also what was so before")] = False,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> Page:
        """List what is true about somebody now, was true at a time, or ever was."""
        mem = self._memory()
        if history or attribute:
            if not about:
                raise InvalidMemoryError("history needs about: whose?")
            found = mem.history(about, attribute or None)
            found = found if history else [memory for memory in found if memory.current]
        else:
            found = mem.facts(about or None, as_of=as_of or None)
            if about and not as_of:
                found = found + mem.preferences(about)
        return paged(found, limit, offset)

    def memories(
        self,
        about: About = "",
        kind: Annotated[str, Field(description="Only this kind, such as impression")] = "",
        after: Annotated[int, Field(description="next_after of the page before", ge=0)] = 0,
        limit: Limit = 20,
    ) -> Listing:
        """List all memories in the order of their ids, outdated ones, too."""
        found = self._memory().memories(
            kind=kind or None, entity=about or None, after=after, limit=limit + 1
        )
        more = found[limit - 1].id if len(found) > limit else None
        return Listing(memories=[shown(memory) for memory in found[:limit]], next_after=more)

    def correct(self, id: Id, text: Text) -> Remembrance:
        """Replace a memory that was never right by the right wording; the old one is gone."""
        return shown(self._memory().correct(id, text))

    def forget(
        self,
        ids: Annotated[list[int] | None, Field(description="Ids of memories to erase")] = None,
        about: Annotated[str, Field(description="Erase all about this person or thing")] = "",
    ) -> Forgotten:
        """Erase memories for good, by id or all about somebody. It cannot be undone."""
        if bool(ids) == bool(about):
            raise InvalidMemoryError("give either ids or about, to say what is to be forgotten")
        mem = self._memory()
        gone: set[int] = set()
        with mem.batch():  # all of them or, if one id is unknown, none
            if about:
                gone |= gone_with(mem.forget_entity(about))
            for memory_id in ids or ():
                if memory_id not in gone:  # it may have been another wording of one before
                    gone |= gone_with(mem.forget(memory_id))
        return Forgotten(forgotten=sorted(gone))

    def context(
        self,
        about: Annotated[str, Field(description="Who you are talking to")] = "",
        conversation: Annotated[str, Field(description="What was said last")] = "",
        max_tokens: Annotated[int, Field(ge=0, le=100_000)] = 800,
    ) -> Context:
        """Get everything that matters now as one block of text, at the start of a conversation."""
        block = self._memory().get_context_block(about, conversation, max_tokens=max_tokens)
        left_out, cut = int(block.left_out), bool(block.truncated)
        return Context(block=str(block), tokens=block.tokens, left_out=left_out, truncated=cut)

    def contradictions(self, limit: Limit = 20, offset: Offset = 0) -> Conflicts:
        """List pairs of memories that cannot both be true. Ask which one is, then correct."""
        found = self._memory().contradictions(limit=offset + limit + 1)
        more = offset + limit if len(found) > offset + limit else None
        pairs = [conflict(pair) for pair in found[offset : offset + limit]]
        return Conflicts(conflicts=pairs, next_offset=more)

    def reflect(
        self,
        job: Annotated[
            Literal["due", "curate", "brief", "rescore", "consolidate", "dream"],
            Field(description="due lists which jobs are due"),
        ] = "due",
        reply: Annotated[str, Field(description="Your answer to the job's prompt")] = "",
        about: Annotated[str, Field(description="For brief: whom it is about")] = "",
        conversation: Annotated[str, Field(description="For curate: what was said")] = "",
    ) -> Reflected:
        """Think memories over: get the prompt of a job, answer it, call again with the reply."""
        jobs = self._memory().reflection
        if reply:
            options = {"entity": about} if job == "brief" else {}
            if job == "due":
                raise InvalidMemoryError("reply needs the job it answers")
            report = getattr(jobs, f"apply_{job}")(reply, **options)
            return reflected(changed=report.changed, problems=report.problems)
        if job == "due":
            return reflected(due=jobs.due())
        given = {"curate": (conversation,), "brief": (about,)}.get(job, ())
        prompt = getattr(jobs, f"prepare_{job}")(*given)
        return reflected(prompt=str(prompt or ""), problems=() if prompt else ("nothing to do",))

    def stats(self) -> dict[str, Any]:
        """Counts of what is stored and the state of the store."""
        return self._memory().stats()

    def mood(self) -> dict[str, Any]:
        """The agent's mood: label, pleasure, arousal and dominance, each -1..1."""
        mood = self._memory().mood
        return {"label": mood.label, **mood.pad._asdict()}

    def surprise(self) -> dict[str, Any]:
        """The write gate: threshold, decisions so far, and the last ones of this server."""
        return {**self._memory().stats()["gate"], "recent": list(self._recent)}

    def retention(self) -> dict[str, Any]:
        """How well current memories are retained: mean, tenths from 0 to 1, how many faded."""
        mem, now = self._memory(), time.time()
        decay = mem.config.decay
        left = [retention(m, now, decay) for m in mem.memories(limit=1_000_000) if m.current]
        tenths = Counter(min(int(share * 10), 9) for share in left)
        return {
            "memories": len(left),
            "mean": round(sum(left) / len(left), 4) if left else None,
            "tenths": [tenths[tenth] for tenth in range(10)],
            "faded": sum(share < decay.faded_below for share in left),
        }

    def drift(self) -> dict[str, Any]:
        """How what is known moves: changes of 7 and 30 days, open conflicts, drifted feelings."""
        mem, now = self._memory(), time.time()
        told: dict[str, Any] = {}
        for days in (7, 30):
            changes = mem.changes(now - days * DAY)
            names = ("added", "changed", "superseded", "forgotten")
            told[f"{days}_days"] = {name: len(getattr(changes, name)) for name in names}
        moved = [max(map(abs, m.drift)) for m in mem.memories(limit=1_000_000) if m.drift]
        told["open_contradictions"] = len(mem.contradictions(limit=100))
        told["feelings_moved"] = {
            "memories": len(moved),
            "largest": round(max(moved, default=0.0), 4),
        }
        return told

    def _note(self, decision: Decision) -> None:
        names = ("action", "surprise", "threshold")
        self._recent.append({name: getattr(decision, name) for name in names})


#: Tools with what they do to the world: (name, title, read only, destructive, idempotent).
TOOLS: Sequence[tuple[str, str, bool, bool, bool]] = (
    ("remember", "Remember", False, False, False),
    ("recall", "Recall", False, False, False),  # what is recalled lasts longer
    ("facts", "Facts and their history", True, False, True),
    ("memories", "List memories", True, False, True),
    ("correct", "Correct a memory", False, True, False),
    ("forget", "Forget", False, True, True),
    ("context", "Context for a conversation", True, False, True),
    ("contradictions", "Open contradictions", True, False, True),
    ("reflect", "Reflect", False, False, False),
)
RESOURCES = ("stats", "mood", "surprise", "retention", "drift")


def in_thread(function: Callable[..., R], error_kind: Any) -> Callable[..., Awaitable[R]]:
    """Return *function* as a coroutine function that keeps the event loop free.

    What the library raises on purpose becomes *error_kind*, whose text the client shows.
    """

    @wraps(function)
    async def called(*args: Any, **kwargs: Any) -> R:
        try:
            done: R = await anyio.to_thread.run_sync(partial(function, *args, **kwargs))
        except VividMemError as error:
            raise error_kind(str(error)) from error
        return done

    return called


def as_json(method: Callable[[], Mapping[str, Any]]) -> Callable[[], str]:
    """Return a function that gives what *method* tells as JSON text."""

    def told() -> str:
        return json.dumps(method(), ensure_ascii=False)

    return told


def shown(memory: Memory) -> Remembrance:
    """Return a memory as the tools show it."""
    return Remembrance(**fields_of(memory))


def recalled(hit: Recollection) -> Recalled:
    """Return a hit as the tools show it."""
    told = {**fields_of(hit.memory), **sureness_of(hit)}
    return Recalled(**told, score=round(hit.score, 4), notes=list(hit.notes))


def set_fact(mem: VividMem, about: str, attribute: str, value: str, source: str) -> Remembered:
    """Set a fact and return what became of it."""
    with mem.batch():
        known = mem.history(about, attribute) if about else []
        fact = mem.add_fact(about, attribute, value, source=source)
        current = {memory.id for memory in mem.history(about, attribute) if memory.current}
    replaced = over([m for m in known if m.current and m.id not in current], "supersede")
    again = fact.id in {memory.id for memory in known}
    action: Action = "supersede" if replaced else "merge" if again else "store"
    return Remembered(action=action, reason="a fact", memory=shown(fact), contradicts=replaced)


def over(memories: Iterable[Memory], action: str) -> list[Remembrance]:
    """Return what a statement met, which was told as it was before *action*."""
    if action != "supersede":
        return [shown(memory) for memory in memories]
    return [replace(shown(memory), status="superseded") for memory in memories]


def gone_with(receipt: Receipt) -> set[int]:
    """Return all ids that a receipt names."""
    return {*receipt.forgotten, *receipt.derived}


def paged(found: Sequence[Memory], limit: int, offset: int) -> Page:
    """Return *limit* of *found* from *offset* on."""
    more = offset + limit if len(found) > offset + limit else None
    page = [shown(memory) for memory in found[offset : offset + limit]]
    return Page(total=len(found), memories=page, next_offset=more)


def conflict(pair: Contradiction) -> Conflict:
    """Return a conflict as the tools show it."""
    return Conflict(about=pair.about, older=shown(pair.older), newer=shown(pair.newer))


def reflected(
    *, prompt: str = "", due: Iterable[str] = (), changed: Iterable[int] = (),
    problems: Iterable[str] = (),
) -> Reflected:  # fmt: skip
    """Return the result of one step of a job."""
    told = {"due": list(due), "problems": [str(problem) for problem in problems]}
    return Reflected(prompt=prompt, changed=list(changed), **told)
