"""What the dashboard shows beyond the other routes: ``/api/memory``."""

from __future__ import annotations

import heapq
import time
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from vividmem import VividMem, retention, vividness
from vividmem_extras.server import replies
from vividmem_extras.server.minds import chemistry_of
from vividmem_extras.server.refusals import RESPONSES
from vividmem_extras.server.replies import ForecastOut, MemoryOut
from vividmem_extras.server.routes import ALL, Desk, Who
from vividmem_extras.server.shelf import Slot

router = APIRouter(prefix="/api/memory", responses=RESPONSES, tags=["dashboard"])
BUCKETS = 10
METHOD = (
    "one model call a message: this library's curation prompt for that message alone, and a reply"
    " that holds what was kept; token_estimate counts both; since the server started"
)


class ToldOut(BaseModel):
    """One observation and what became of it."""

    number: int
    at: float
    action: str
    reason: str
    surprise: float
    threshold: float
    text: str
    speaker: str
    entity: str
    source: str
    memory_id: int | None
    replaces: list[tuple[int, str]]


class TokensOut(BaseModel):
    """What writing cost in model tokens, beside a system that asks a model at each write."""

    spent: int = Field(description="always 0: the gate asks no model")
    baseline: int
    observed: int = Field(description="messages since the server started")
    method: str


class PulseReply(BaseModel):
    """What moves: cheap enough to be asked for every other second."""

    now: float
    sequence: int = Field(description="of the last change; other panels need a look if it moved")
    forgotten: int = Field(description="rises when decisions told before must not be shown")
    decisions: list[ToldOut] = Field(description="after the number that was given, oldest first")
    threshold: float
    counts: dict[str, int]
    tokens: TokensOut
    mood: replies.MoodReply
    chemistry: replies.ChemistryReply


@router.get("/pulse")
async def pulse(
    character: Who, desk: Desk, after: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 200,
) -> PulseReply:  # fmt: skip
    """Return what happened lately: decisions of this server, mood, chemistry, counters."""

    def call(mem: VividMem, slot: Slot) -> PulseReply:
        feed, gate = slot.feed, gate_of(mem)
        spent = TokensOut(
            spent=0, baseline=feed.baseline_tokens, observed=feed.observed, method=METHOD
        )
        return PulseReply(
            now=time.time(), sequence=gate[0], threshold=gate[1], counts=gate[2], tokens=spent,
            forgotten=feed.forgotten,
            decisions=[ToldOut.model_validate(told, from_attributes=True)
                       for told in feed.since(after, limit)],
            mood=replies.MoodReply.of(mem), chemistry=chemistry_of(mem),
        )  # fmt: skip

    return await desk.use(character, call)


def gate_of(mem: VividMem) -> tuple[int, float, dict[str, int]]:
    """Return the store's sequence number, the gate's threshold and its counts.

    `stats()` has them, too, but looks at every memory.
    """
    with mem._ledger.reading():
        told = mem._observer.counts()
        sequence = mem._ledger.store.describe()["sequence"]
    return int(sequence), told["threshold"], told["decisions"]


class CurveOut(BaseModel):
    """A memory and how it will fade."""

    memory: MemoryOut
    forecast: ForecastOut


class RetentionReply(BaseModel):
    """How the store fades."""

    vivid: list[CurveOut] = Field(description="the most vivid memories")
    fading: list[CurveOut] = Field(description="those that fade next, soonest first")
    spread: list[int] = Field(description="current memories by retention, in tenths from 0")
    faded_below: float


@router.get("/retention")
async def fading(
    character: Who, desk: Desk, limit: Annotated[int, Query(ge=1, le=50)] = 8
) -> RetentionReply:
    """Return the curves of the most vivid memories, what fades next, and the spread of all."""

    def call(mem: VividMem, _: Slot) -> RetentionReply:
        now, cfg = time.time(), mem.config.decay
        found = [memory for memory in mem.memories(limit=ALL) if memory.current]
        left = {memory.id: retention(memory, now, cfg) for memory in found}
        spread = [0] * BUCKETS
        for value in left.values():
            spread[min(BUCKETS - 1, int(value * BUCKETS))] += 1
        alive = [memory for memory in found if left[memory.id] >= cfg.faded_below]
        vivid = heapq.nlargest(limit, alive, key=lambda m: (vividness(m, now, cfg), m.id))
        near = heapq.nsmallest(4 * limit, alive, key=lambda m: (left[m.id], m.id))
        curves = [CurveOut(memory=MemoryOut.of(m), forecast=ForecastOut.of(mem.forecast(m.id)))
                  for m in (*vivid, *near)]  # fmt: skip
        due = [curve for curve in curves[len(vivid) :] if curve.forecast.fades_at is not None]
        due.sort(key=lambda curve: curve.forecast.fades_at or 0.0)
        return RetentionReply(
            vivid=curves[: len(vivid)], fading=due[:limit], spread=spread,
            faded_below=cfg.faded_below,
        )  # fmt: skip

    return await desk.use(character, call)


@router.get("/contradictions", tags=["find"])
async def contradictions(
    character: Who, desk: Desk, limit: Annotated[int, Query(ge=1, le=100)] = 10
) -> replies.ConflictsReply:
    """Return what cannot both be true, and what was replaced lately; both newest first."""

    def call(mem: VividMem, _: Slot) -> replies.ConflictsReply:
        known = {memory.id: memory for memory in mem.memories(limit=ALL)}
        over = ((memory, known.get(memory.superseded_by or 0)) for memory in known.values()
                if memory.status == "superseded")  # fmt: skip
        pairs = [(older, newer) for older, newer in over if newer is not None]
        latest = heapq.nlargest(limit, pairs, key=lambda pair: (pair[1].learned, pair[1].id))
        replaced = [
            replies.ConflictOut(
                older=MemoryOut.of(older), newer=MemoryOut.of(newer), about=older.attribute
            )
            for older, newer in latest
        ]
        found = list(map(replies.ConflictOut.of, mem.contradictions(limit=limit)))
        return replies.ConflictsReply(open=found, superseded=replaced)

    return await desk.use(character, call)
