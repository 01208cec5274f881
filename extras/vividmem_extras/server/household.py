"""Characters and whole stores: listed, counted, renamed, copied, wiped: ``/api/memory``."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query

from vividmem import VividMem
from vividmem_extras.server import bodies, replies, stores
from vividmem_extras.server.refusals import RESPONSES
from vividmem_extras.server.routes import Desk, Who
from vividmem_extras.server.shelf import Slot

router = APIRouter(prefix="/api/memory", responses=RESPONSES, tags=["whole store"])


@router.get("/characters")
async def characters(
    desk: Desk, after: Annotated[bodies.Blank, Query()] = "",
    limit: Annotated[bodies.Limit, Query()] = 1000,
) -> replies.CharactersReply:  # fmt: skip
    """Return the characters in the order of their names."""
    found = {name: path for name, path in (await desk.listed()).items() if name > after}
    page = [
        replies.CharacterOut(name=name, folder=path.name)
        for name, path in islice(found.items(), limit)
    ]
    return replies.CharactersReply(
        characters=page, next=page[-1].name if len(found) > limit else None
    )


@router.post("/characters/rename")
async def rename(body: bodies.RenameBody, desk: Desk) -> replies.CharactersReply:
    """Let another name have the memory; a character that has one already is not overwritten."""
    await desk.rename(body.character, body.new_name)
    return await characters(desk)


@router.get("/stats")
async def stats(character: Who, desk: Desk) -> replies.StatsReply:
    """Return how much of what is stored, and the state of the store."""

    def call(mem: VividMem, slot: Slot) -> replies.StatsReply:
        copies = stores.count_of(slot.snapshots)
        return replies.StatsReply(character=slot.name, stats=mem.stats(), snapshots=copies)

    return await desk.use(character, call)


@router.post("/wipe")
async def wipe(body: bodies.WipeBody, desk: Desk) -> replies.WipeReply:
    """Erase all that a character remembers, its snapshots and its name, and check it."""
    return replies.WipeReply(wiped=await desk.wipe(body.character))


@router.get("/snapshots")
async def snapshots(character: Who, desk: Desk) -> replies.SnapshotsReply:
    """Return the snapshots, newest first."""

    def call(_: VividMem, slot: Slot) -> replies.SnapshotsReply:
        return replies.SnapshotsReply(
            snapshots=list(map(replies.SnapshotOut.of, slot.snapshots.snapshots()))
        )

    return await desk.use(character, call)


@router.post("/snapshot")
async def snapshot(body: bodies.CharacterBody, desk: Desk) -> replies.SnapshotReply:
    """Copy the store as it is now."""

    def call(mem: VividMem, slot: Slot) -> replies.SnapshotOut:
        mem.save()
        return replies.SnapshotOut.of(slot.snapshots.snapshot(slot.folder))

    return replies.SnapshotReply(snapshot=await desk.use(body.character, call))


@router.post("/restore")
async def restore(body: bodies.RestoreBody, desk: Desk) -> replies.CountReply:
    """Make the store what it was in a snapshot; what it is now is kept as one first."""

    def call(mem: VividMem, slot: Slot) -> int:
        count = stores.restore(mem, slot.folder, slot.snapshots, body.snapshot, desk.opened)
        slot.close()
        slot.feed.clear()
        return count

    return replies.CountReply(memories=await desk.use(body.character, call))


@router.post("/snapshot/delete")
async def delete_snapshot(body: bodies.RestoreBody, desk: Desk) -> replies.SnapshotsReply:
    """Delete a snapshot and return those that are left, newest first."""
    await desk.use(body.character, lambda _, slot: slot.snapshots.delete(body.snapshot))
    return await snapshots(body.character, desk)
