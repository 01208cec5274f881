"""What is remembered, found and forgotten: ``/api/memory``."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import nullcontext
from itertools import islice
from typing import Annotated, Literal

from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import Field, ValidationError

from vividmem import Decision, Memory, Receipt, VividMem, decoded, felt
from vividmem_extras.server import bodies, replies, stores
from vividmem_extras.server.feed import baseline_tokens
from vividmem_extras.server.refusals import RESPONSES
from vividmem_extras.server.replies import MemoryOut
from vividmem_extras.server.shelf import Shelf, Slot

router = APIRouter(prefix="/api/memory", responses=RESPONSES)
ALL = 1_000_000  # memories


async def shelf_of(request: Request) -> Shelf:
    """Return the stores of the server that was asked."""
    shelf: Shelf = request.app.state.shelf
    return shelf


Desk = Annotated[Shelf, Depends(shelf_of)]
Who = Annotated[bodies.Name, Query(description="whose memory it is", examples=["Seraphina"])]
Entity = Annotated[bodies.Name, Query(examples=["Alex"])]
MaybeEntity = Annotated[bodies.Name | None, Query(examples=["Alex"])]
MaybeMoment = Annotated[Annotated[str, Field(max_length=64)] | None, Query(description="ISO 8601")]
MemoryId = Annotated[int, Path(ge=1, le=bodies.LAST_ID)]


async def stored(desk: Shelf, body: bodies.Body, name: str) -> replies.MemoryReply:
    """Call the library's *name* with what *body* says and return the memory."""

    def call(mem: VividMem, _: Slot) -> Memory:
        made: Memory = getattr(mem, name)(**body.options())
        return made

    memory = await desk.use(body.character, call, make=True)
    return replies.MemoryReply(memory=MemoryOut.of(memory))


@router.post("/reflection", tags=["remember"])
async def reflection(body: bodies.ReflectionBody, desk: Desk) -> replies.MemoryReply:
    """Remember something of the character's own."""
    return await stored(desk, body, "add_self_reflection")


@router.post("/impression", tags=["remember"])
async def impression(body: bodies.ImpressionBody, desk: Desk) -> replies.MemoryReply:
    """Remember something about somebody."""
    return await stored(desk, body, "add_social_impression")


@router.post("/fact", tags=["remember"])
async def fact(body: bodies.FactBody, desk: Desk) -> replies.MemoryReply:
    """Set the one current value of an attribute; the one before stays in the history."""
    return await stored(desk, body, "add_fact")


@router.post("/preference", tags=["remember"])
async def preference(body: bodies.PreferenceBody, desk: Desk) -> replies.MemoryReply:
    """Set what somebody feels about something."""
    return await stored(desk, body, "update_entity_preference")


def observed(mem: VividMem, slot: Slot, body: bodies.ObserveBody) -> Decision:
    """Let the gate decide on *body*, tell the feed, and return the decision."""
    names = "text entity speaker emotion importance source when episode".split()
    told = body.model_dump(include=set(names), exclude_none=True)
    decision = mem.observe(**told)
    slot.feed.add(
        decision, text=body.text, speaker=body.speaker, entity=body.entity, source=body.source,
        at=time.time(), baseline=baseline_tokens(mem, body.speaker, body.text, decision.memory),
    )  # fmt: skip
    return decision


@router.post("/observe", tags=["remember"])
async def observe(body: bodies.ObserveBody, desk: Desk) -> replies.DecisionReply:
    """Let the gate decide what of a message is kept; no model is asked."""

    def call(mem: VividMem, slot: Slot) -> replies.DecisionReply:
        return replies.DecisionReply.of(observed(mem, slot, body))

    return await desk.use(body.character, call, make=True)


@router.post("/revise", tags=["remember"])
async def revise(body: bodies.ReviseBody, desk: Desk) -> replies.ReviseReply:
    """Replace what a message taught by what its new text does: swiped, regenerated, edited.

    One atomic change; a source never heard of is simply observed.
    """

    def call(mem: VividMem, slot: Slot) -> replies.ReviseReply:
        with mem.batch():
            receipt = mem.retract(body.source)
            slot.feed.without(receipt.forgotten)
            slot.feed.without_source(body.source)
            decision = observed(mem, slot, body)
        told = replies.DecisionReply.of(decision)
        return replies.ReviseReply(forgotten=list(receipt.forgotten), decision=told)

    return await desk.use(body.character, call, make=True)


@router.post("/process", tags=["remember"])
async def process(body: bodies.ProcessBody, desk: Desk) -> replies.ProcessReply:
    """Do all that one message needs: observe it, move the mood, build the prompt block."""

    def call(mem: VividMem, slot: Slot) -> replies.ProcessReply:
        emotion = body.emotion or felt(body.text)
        moves = emotion != "neutral"
        decision = None
        with mem.batch() if moves else nullcontext():
            if body.store:
                decision = replies.DecisionReply.of(observed(mem, slot, body))
            if moves:
                mem.mood.update(emotion)
        asked = body.conversation or body.text
        block = mem.get_context_block(body.entity, asked, max_tokens=body.max_tokens)
        return replies.ProcessReply(
            decision=decision, emotion=emotion, mood=replies.MoodReply.of(mem),
            context=replies.ContextReply.of(block),
        )  # fmt: skip

    return await desk.use(body.character, call, make=body.store)


@router.post("/query", tags=["find"])
async def query(body: bodies.QueryBody, desk: Desk) -> replies.HitsReply:
    """Return what a question brings to mind, with scores and reasons."""

    def call(mem: VividMem, _: Slot) -> replies.HitsReply:
        hits = mem.resonate(**body.options())
        return replies.HitsReply(hits=list(map(replies.HitOut.of, hits)))

    return await desk.use(body.character, call)


@router.get("/context/{character:path}", tags=["find"])
async def context(
    desk: Desk,
    character: Annotated[bodies.Name, Path()],
    entity: Annotated[bodies.Blank, Query()] = "",
    conversation: Annotated[str, Query(max_length=bodies.MOST_TEXT)] = "",
    max_tokens: Annotated[bodies.Tokens, Query()] = 1200,
) -> replies.ContextReply:
    """Return the block for a prompt; changes nothing."""
    body = bodies.ContextBody(
        character=character, entity=entity, conversation=conversation, max_tokens=max_tokens
    )
    return await long_context(body, desk)


@router.post("/context", tags=["find"])
async def long_context(body: bodies.ContextBody, desk: Desk) -> replies.ContextReply:
    """Return the block for a prompt, for conversations too long for an address."""

    def call(mem: VividMem, _: Slot) -> replies.ContextReply:
        block = mem.get_context_block(body.entity, body.conversation, max_tokens=body.max_tokens)
        return replies.ContextReply.of(block)

    return await desk.use(body.character, call)


def listing(find: Callable[[VividMem], list[Memory]]) -> Callable[..., replies.MemoriesReply]:
    """Return a call that answers with the memories *find* returns."""
    return lambda mem, _: replies.MemoriesReply(memories=list(map(MemoryOut.of, find(mem))))


@router.get("/preferences", tags=["find"])
async def preferences(character: Who, entity: Entity, desk: Desk) -> replies.MemoriesReply:
    """Return the current preferences of somebody, in id order."""
    return await desk.use(character, listing(lambda mem: mem.preferences(entity)))


@router.get("/facts", tags=["find"])
async def facts(
    character: Who, desk: Desk, entity: MaybeEntity = None, as_of: MaybeMoment = None
) -> replies.MemoriesReply:
    """Return the facts that hold now, or held at a moment."""
    return await desk.use(character, listing(lambda mem: mem.facts(entity, as_of=as_of)))


@router.get("/history", tags=["find"])
async def history(
    character: Who, entity: Entity, desk: Desk,
    attribute: Annotated[bodies.Name | None, Query()] = None,
) -> replies.MemoriesReply:  # fmt: skip
    """Return what was ever told of somebody, or of one attribute, by the time it began."""
    return await desk.use(character, listing(lambda mem: mem.history(entity, attribute)))


@router.get("/memories", tags=["find"])
async def memories(
    character: Who, desk: Desk, kind: Annotated[bodies.Name | None, Query()] = None,
    entity: MaybeEntity = None, after: Annotated[int, Query(ge=0, le=bodies.LAST_ID)] = 0,
    limit: Annotated[bodies.Limit, Query()] = 100,
    order: Annotated[Literal["asc", "desc"], Query()] = "asc",
) -> replies.PageReply:  # fmt: skip
    """Return one page of all memories in id order, outdated ones, too; *after* is the last id."""

    def call(mem: VividMem, _: Slot) -> replies.PageReply:
        if order == "asc":
            found = mem.memories(kind=kind, entity=entity, after=after, limit=limit + 1)
        else:
            told = reversed(mem.memories(kind=kind, entity=entity, limit=ALL))
            found = list(islice((m for m in told if not after or m.id < after), limit + 1))
        page = list(map(MemoryOut.of, found[:limit]))
        return replies.PageReply(memories=page, next=page[-1].id if len(found) > limit else None)

    return await desk.use(character, call)


@router.get("/memories/{memory_id}", tags=["find"])
async def memory(memory_id: MemoryId, character: Who, desk: Desk) -> replies.DetailReply:
    """Return one memory, how it will fade, and the history of what it tells; changes nothing."""

    def call(mem: VividMem, _: Slot) -> replies.DetailReply:
        fading = replies.ForecastOut.of(mem.forecast(memory_id))
        one = mem.memories(after=memory_id - 1, limit=1)[0]
        past = mem.history(one.entity, one.attribute) if one.entity and one.attribute else []
        return replies.DetailReply(
            memory=MemoryOut.of(one), forecast=fading, history=list(map(MemoryOut.of, past))
        )

    return await desk.use(character, call)


@router.post("/memories/{memory_id}/correct", tags=["change"])
async def correct(memory_id: MemoryId, body: bodies.CorrectBody, desk: Desk) -> replies.MemoryReply:
    """Replace a wrong wording; the old one was never true."""

    def call(mem: VividMem, slot: Slot) -> Memory:
        made = mem.correct(memory_id, body.text)
        slot.feed.without([memory_id])
        return made

    return replies.MemoryReply(memory=MemoryOut.of(await desk.use(body.character, call)))


@router.post("/memories/{memory_id}/feedback", tags=["change"])
async def feedback(
    memory_id: MemoryId, body: bodies.FeedbackBody, desk: Desk
) -> replies.MemoryReply:
    """Tell whether a memory helped: it lasts longer, or loses confidence."""
    found = await desk.use(body.character, lambda mem, _: mem.feedback(memory_id, body.helped))
    return replies.MemoryReply(memory=MemoryOut.of(found))


async def erased(
    desk: Shelf, character: str, forget: Callable[[VividMem], Receipt], source: str = ""
) -> replies.ReceiptReply:
    """Let *forget* erase, clear the feed of it, and return the receipt."""

    def call(mem: VividMem, slot: Slot) -> replies.ReceiptReply:
        receipt = forget(mem)
        slot.feed.without((*receipt.forgotten, *receipt.derived))
        if source:
            slot.feed.without_source(source)
        return replies.ReceiptReply.of(receipt, stores.count_of(slot.snapshots))

    return await desk.use(character, call)


@router.delete("/memories/{memory_id}", tags=["change"])
async def forget(memory_id: MemoryId, character: Who, desk: Desk) -> replies.ReceiptReply:
    """Erase a memory, its other wordings and its notes; the words are in no file of the store."""
    return await erased(desk, character, lambda mem: mem.forget(memory_id))


@router.delete("/entity", tags=["change"])
async def forget_entity(character: Who, entity: Entity, desk: Desk) -> replies.ReceiptReply:
    """Erase all memories about somebody, and nobody else's."""
    return await erased(desk, character, lambda mem: mem.forget_entity(entity))


@router.post("/retract", tags=["change"])
async def retract(body: bodies.RetractBody, desk: Desk) -> replies.ReceiptReply:
    """Undo exactly what a message taught: it was deleted."""
    return await erased(
        desk, body.character, lambda mem: mem.retract(body.source), source=body.source
    )


@router.get("/export", tags=["whole store"], response_model=replies.ExportReply)
async def export(character: Who, desk: Desk) -> Response:
    """Return everything as one JSON object that `import` reads without loss."""

    def call(mem: VividMem, _: Slot) -> bytes:
        return json.dumps(mem.export(), ensure_ascii=False).encode()

    return Response(await desk.use(character, call), media_type="application/json")


_IMPORTED = {"requestBody": {"required": True, "content": {"application/json": {
    "schema": bodies.ImportBody.model_json_schema()}}}}  # fmt: skip


@router.post("/import", tags=["whole store"], openapi_extra=_IMPORTED)
async def import_(request: Request, desk: Desk) -> replies.ImportReply:
    """Add what an export returned; twice changes nothing, and a bad record changes nothing."""
    body = await to_thread.run_sync(_import_of, await request.body())
    ids = await desk.use(body.character, lambda mem, _: mem.import_(body.data), make=True)
    return replies.ImportReply(new=ids)


def _import_of(content: bytes) -> bodies.ImportBody:
    """Return what an import holds; it may be large, so it is read in a thread."""
    try:
        return bodies.ImportBody.model_validate(decoded(content))
    except ValidationError as error:
        found = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise RequestValidationError(found) from error


@router.post("/import/reindex", tags=["whole store"])
async def reindex(body: bodies.CharacterBody, desk: Desk) -> replies.CountReply:
    """Compact the store, close it and build its index anew from the files."""

    def call(mem: VividMem, slot: Slot) -> int:
        mem.save()
        slot.close()
        return 0

    await desk.use(body.character, call)
    count = await desk.use(body.character, lambda mem, _: mem.stats()["memories"])
    return replies.CountReply(memories=count)
