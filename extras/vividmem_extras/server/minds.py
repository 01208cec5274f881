"""Mood, chemistry, sessions and reflection: ``/api/memory``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query

from vividmem import BASELINE, EVENTS, HALF_LIVES, Report, VividMem
from vividmem_extras.server import bodies, replies
from vividmem_extras.server.model import NoModelError
from vividmem_extras.server.refusals import RESPONSES
from vividmem_extras.server.routes import Desk, MaybeEntity, Who
from vividmem_extras.server.shelf import Shelf, Slot

router = APIRouter(prefix="/api/memory", responses=RESPONSES)


@router.get("/mood", tags=["mind"])
async def mood(character: Who, desk: Desk) -> replies.MoodReply:
    """Return the mood now."""
    return await desk.use(character, lambda mem, _: replies.MoodReply.of(mem))


@router.post("/mood", tags=["mind"])
async def feel(body: bodies.MoodBody, desk: Desk) -> replies.MoodReply:
    """Take in feelings, or return to neutral, and return the mood after it."""

    def call(mem: VividMem, _: Slot) -> replies.MoodReply:
        if body.reset:
            mem.mood.reset()
        if body.emotions:
            mem.mood.update(body.emotions)
        return replies.MoodReply.of(mem)

    return await desk.use(body.character, call, make=True)


def chemistry_of(mem: VividMem) -> replies.ChemistryReply:
    """Return the chemistry of *mem* as clients see it."""
    state = mem.chemistry.get_state()
    modifiers = {name: getattr(state.modifiers, name) for name in state.modifiers.__slots__}
    return replies.ChemistryReply(
        enabled=state.enabled, levels=dict(state.levels), trend=dict(state.trend),
        baselines=BASELINE._asdict(), half_lives=HALF_LIVES._asdict(), modifiers=modifiers,
        events=list(EVENTS),
    )  # fmt: skip


@router.get("/chemistry", tags=["mind"])
async def chemistry(character: Who, desk: Desk) -> replies.ChemistryReply:
    """Return the five chemicals now."""
    return await desk.use(character, lambda mem, _: chemistry_of(mem))


@router.post("/chemistry", tags=["mind"])
async def stir(body: bodies.ChemistryBody, desk: Desk) -> replies.ChemistryReply:
    """Switch chemistry, let hours of sleep pass, or tell it of an event, in this order."""

    def call(mem: VividMem, _: Slot) -> replies.ChemistryReply:
        with mem.batch():
            if body.enabled is not None:
                mem.chemistry.enabled = body.enabled
            if body.sleep_hours is not None:
                mem.chemistry.sleep(body.sleep_hours)
            if body.event is not None:
                mem.chemistry.on_event(body.event, body.intensity)
        return chemistry_of(mem)

    return await desk.use(body.character, call, make=True)


@router.get("/arc", tags=["mind"])
async def arc(character: Who, desk: Desk, entity: MaybeEntity = None) -> replies.ArcsReply:
    """Return how things stand with somebody, or with everybody."""

    def call(mem: VividMem, _: Slot) -> replies.ArcsReply:
        one = [mem.reflection.arc(entity)] if entity is not None else mem.reflection.arcs()
        return replies.ArcsReply(arcs=[replies.ArcOut.of(found) for found in one if found])

    return await desk.use(character, call)


@router.post("/session/bump", tags=["mind"])
async def bump(body: bodies.CharacterBody, desk: Desk) -> replies.SessionReply:
    """Begin a session: the mood calms down, jobs of reflection come nearer."""

    def call(mem: VividMem, _: Slot) -> replies.SessionReply:
        session = mem.reflection.bump_session()
        due = list(mem.reflection.due())
        return replies.SessionReply(session=session, due=due, mood=replies.MoodReply.of(mem))

    return await desk.use(body.character, call, make=True)


@router.get("/brief", tags=["reflect"])
async def brief(
    character: Who, desk: Desk, entity: Annotated[bodies.Blank, Query()] = ""
) -> replies.BriefReply:
    """Return the brief about somebody, or about the character itself."""
    found = await desk.use(character, lambda mem, _: mem.reflection.brief(entity))
    return replies.BriefReply(entity=entity, brief=found)


@router.post("/brief", tags=["reflect"])
async def prepare_brief(body: bodies.EntityBody, desk: Desk) -> replies.PromptReply:
    """Return the prompt for a brief."""

    def call(mem: VividMem, _: Slot) -> replies.PromptReply:
        return replies.PromptReply.of("brief", mem.reflection.prepare_brief(body.entity))

    return await desk.use(body.character, call)


@router.post("/brief/apply", tags=["reflect"])
async def apply_brief(body: bodies.ReplyBody, desk: Desk) -> replies.ReportReply:
    """Keep the brief in a model's reply."""

    def call(mem: VividMem, _: Slot) -> Report:
        return mem.reflection.apply_brief(body.reply, body.entity)

    return replies.ReportReply.of(await desk.use(body.character, call))


@router.post("/brief/run", tags=["reflect"])
async def run_brief(body: bodies.EntityBody, desk: Desk) -> replies.ReportsReply:
    """Let the server's model write the brief; 409 without one."""

    def job(mem: VividMem, model: Callable[[str], str]) -> list[Report]:
        prompt = mem.reflection.prepare_brief(body.entity)
        if prompt is None:
            return []
        return [mem.reflection.apply_brief(model(prompt), body.entity)]

    return await thought(desk, body.character, job)


@router.post("/curate", tags=["reflect"])
async def prepare_curate(body: bodies.CurateBody, desk: Desk) -> replies.PromptReply:
    """Return the prompt that asks what of a conversation to remember."""

    def call(mem: VividMem, _: Slot) -> replies.PromptReply:
        return replies.PromptReply.of("curate", mem.reflection.prepare_curate(body.conversation))

    return await desk.use(body.character, call, make=True)


@router.post("/curate/apply", tags=["reflect"])
async def apply_curate(body: bodies.ReplyBody, desk: Desk) -> replies.ReportReply:
    """Remember what a model's reply chose."""

    def call(mem: VividMem, _: Slot) -> Report:
        return mem.reflection.apply_curate(body.reply, source=body.source)

    return replies.ReportReply.of(await desk.use(body.character, call, make=True))


@router.post("/reflection/run", tags=["reflect"])
async def run_due(body: bodies.CharacterBody, desk: Desk) -> replies.ReportsReply:
    """Let the server's model do all that is due; 409 without one."""
    return await thought(desk, body.character, lambda mem, model: mem.reflection.run(model))


async def thought(
    desk: Shelf, character: str, job: Callable[[VividMem, Callable[[str], str]], list[Report]]
) -> replies.ReportsReply:
    """Do *job* with the server's model, other calls going on beside it."""
    model = desk.settings.model
    if model is None:
        raise NoModelError("no model: start the server with --model-url, or prepare and apply")
    reports = await desk.aside(character, lambda mem: job(mem, model))
    return replies.ReportsReply(reports=list(map(replies.ReportReply.of, reports)))


def _job_routes(job: str, asks: str, does: str) -> None:
    """Add the three routes of a job of reflection: prepare, apply, run."""

    async def prepare(body: bodies.CharacterBody, desk: Desk) -> replies.PromptReply:
        def call(mem: VividMem, _: Slot) -> replies.PromptReply:
            prepared = getattr(mem.reflection, f"prepare_{job}")()
            return replies.PromptReply.of(job, prepared)

        return await desk.use(body.character, call)

    async def apply(body: bodies.ReplyBody, desk: Desk) -> replies.ReportReply:
        def call(mem: VividMem, _: Slot) -> Report:
            report: Report = getattr(mem.reflection, f"apply_{job}")(body.reply)
            return report

        return replies.ReportReply.of(await desk.use(body.character, call))

    async def run(body: bodies.CharacterBody, desk: Desk) -> replies.ReportsReply:
        def call(mem: VividMem, model: Callable[[str], str]) -> list[Report]:
            prepared = getattr(mem.reflection, f"prepare_{job}")()
            if prepared is None:
                return []
            return [getattr(mem.reflection, f"apply_{job}")(model(prepared))]

        return await thought(desk, body.character, call)

    told = {"": asks, "/apply": does, "/run": f"{does[:-1]}, with the server's model."}
    ends: dict[str, Callable[..., Any]] = {"": prepare, "/apply": apply, "/run": run}
    for end, route in ends.items():
        name = f"{route.__name__}_{job}"
        router.add_api_route(
            f"/{job}{end}", route, methods=["POST"], name=name, tags=["reflect"],
            description=told[end],
        )  # fmt: skip


_job_routes("consolidate", "Return the prompt that asks for gists.", "Make the gists of a reply.")
_job_routes("dream", "Return the prompt that asks for insights.", "Keep the insights of a reply.")
_job_routes(
    "rescore",
    "Return the prompt that asks what deserves another importance.",
    "Change importances as a reply says.",
)
