"""Projects and tasks: ``/api/memory/tasks``."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from vividmem import Memory, VividMem
from vividmem_extras.server import bodies, replies
from vividmem_extras.server.refusals import RESPONSES
from vividmem_extras.server.replies import MemoryOut
from vividmem_extras.server.routes import Desk, MemoryId, Who
from vividmem_extras.server.shelf import Shelf, Slot

router = APIRouter(prefix="/api/memory/tasks", responses=RESPONSES, tags=["tasks"])


async def worked(desk: Shelf, body: bodies.Body, name: str) -> replies.MemoryReply:
    """Call `mem.tasks`' *name* with what *body* says and return the memory."""

    def call(mem: VividMem, _: Slot) -> Memory:
        made: Memory = getattr(mem.tasks, name)(**body.options())
        return made

    memory = await desk.use(body.character, call, make=True)
    return replies.MemoryReply(memory=MemoryOut.of(memory))


@router.get("")
async def tasks(
    character: Who, desk: Desk, project: Annotated[bodies.Name | None, Query()] = None
) -> replies.TasksReply:
    """Return the active project, all projects, and the open tasks."""

    def call(mem: VividMem, _: Slot) -> replies.TasksReply:
        active = mem.tasks.project
        return replies.TasksReply(
            project=MemoryOut.of(active) if active else None,
            projects=list(map(MemoryOut.of, mem.tasks.projects(archived=True))),
            open=list(map(MemoryOut.of, mem.tasks.open(project))),
        )

    return await desk.use(character, call)


@router.post("/project")
async def use_project(body: bodies.ProjectBody, desk: Desk) -> replies.MemoryReply:
    """Make a project the active one, begun if it is new."""
    return await worked(desk, body, "use_project")


@router.post("/start")
async def start(body: bodies.TaskBody, desk: Desk) -> replies.MemoryReply:
    """Begin a task, or a part of one."""
    return await worked(desk, body, "start")


@router.post("/{memory_id}/{ending}")
async def finish(
    memory_id: MemoryId,
    ending: Annotated[Literal["complete", "fail", "abandon"], Path()],
    body: bodies.OutcomeBody,
    desk: Desk,
) -> replies.MemoryReply:
    """End a task; its outcome is logged."""

    def call(mem: VividMem, _: Slot) -> Memory:
        done: Memory = getattr(mem.tasks, ending)(memory_id, body.outcome)
        return done

    return replies.MemoryReply(memory=MemoryOut.of(await desk.use(body.character, call)))


@router.post("/log")
async def log(body: bodies.ActionBody, desk: Desk) -> replies.LoggedReply:
    """Log an action; a success after failures becomes a solution."""

    def call(mem: VividMem, _: Slot) -> replies.LoggedReply:
        action, solution = mem.tasks.log(**body.options())
        kept = MemoryOut.of(solution) if solution else None
        return replies.LoggedReply(action=MemoryOut.of(action), solution=kept)

    return await desk.use(body.character, call, make=True)


@router.post("/solution")
async def record_solution(body: bodies.SolutionBody, desk: Desk) -> replies.MemoryReply:
    """Keep what solved a problem, and what did not."""
    return await worked(desk, body, "record_solution")


@router.get("/solutions")
async def find_solutions(
    character: Who, desk: Desk, problem: Annotated[bodies.Text, Query()],
    limit: Annotated[int, Query(ge=1, le=100)] = 3,
) -> replies.HitsReply:  # fmt: skip
    """Return the solutions that a problem brings to mind; of those alike, the proven first."""

    def call(mem: VividMem, _: Slot) -> replies.HitsReply:
        hits = mem.tasks.find_solutions(problem, limit=limit)
        return replies.HitsReply(hits=list(map(replies.HitOut.of, hits)))

    return await desk.use(character, call)


@router.post("/artifact")
async def track(body: bodies.ArtifactBody, desk: Desk) -> replies.MemoryReply:
    """Keep a thing that is worked on, or its new state."""
    return await worked(desk, body, "track")
