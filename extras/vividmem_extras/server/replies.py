"""What clients get: every reply as a model, made from the library's records."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import BaseModel, Field

from vividmem import (
    Arc,
    ContextBlock,
    Contradiction,
    Decision,
    Forecast,
    Memory,
    Prompt,
    Receipt,
    Recollection,
    Report,
    VividMem,
)
from vividmem_extras.server.bodies import nests
from vividmem_extras.snapshots import Snapshot


class MemoryOut(BaseModel):
    """One memory as stored; times are UTC seconds."""

    id: int
    kind: str
    text: str
    entity: str
    emotion: str
    importance: float
    when: float
    learned: float
    begins: float
    valid_until: float | None
    status: str
    superseded_by: int | None
    attribute: str
    value: str
    sentiment: str
    confidence: float
    arousal: float
    stability: float
    episode: str
    sources: list[str]
    tags: list[str]
    meta: dict[str, Any]
    seen: int
    recalls: int
    links: list[int]
    why_saved: str
    work: dict[str, Any] | None = None

    @classmethod
    def of(cls, memory: Memory) -> MemoryOut:
        """Return *memory* as clients see it."""
        names = cls.model_fields.keys() - {"work", "sources", "meta", "tags", "links"}
        told = {name: getattr(memory, name) for name in names}
        work = memory.work._asdict() if memory.work_json else None
        return cls(
            **told, work=work, tags=list(memory.tags), links=list(memory.links),
            meta={} if nests(memory.meta) else memory.meta,  # an import may bring any depth
            sources=[source for source in memory.sources if source],
        )  # fmt: skip


class MemoryReply(BaseModel):
    """The memory that now says it."""

    memory: MemoryOut


class MemoriesReply(BaseModel):
    """Memories in the order the route states."""

    memories: list[MemoryOut]


class PageReply(BaseModel):
    """One page in id order; ask again with `after` = `next` until that is null."""

    memories: list[MemoryOut]
    next: int | None = Field(description="null on the last page")


class ForecastOut(BaseModel):
    """How a memory will fade if nobody recalls it."""

    retention: float
    floor: float
    stability_days: float
    vividness: float
    fades_at: float | None
    points: list[tuple[float, float]] = Field(description="(days from now, retention)")

    @classmethod
    def of(cls, found: Forecast) -> ForecastOut:
        """Return *found* as clients see it."""
        parts = {name: getattr(found, name) for name in cls.model_fields if name != "points"}
        return cls(**parts, points=list(found.points))


class DetailReply(BaseModel):
    """One memory, how it will fade, and what it is connected with."""

    memory: MemoryOut
    forecast: ForecastOut
    history: list[MemoryOut] = Field(description="what was ever told of the same attribute")


class DecisionReply(BaseModel):
    """What the gate made of a message."""

    action: str = Field(description='"store", "merge", "supersede" or "skip"')
    reason: str
    surprise: float
    threshold: float
    memory: MemoryOut | None
    contradicts: list[MemoryOut]

    @classmethod
    def of(cls, decision: Decision) -> DecisionReply:
        """Return *decision* as clients see it."""
        return cls(
            action=decision.action, reason=decision.reason, surprise=decision.surprise,
            threshold=decision.threshold, contradicts=list(map(MemoryOut.of, decision.contradicts)),
            memory=MemoryOut.of(decision.memory) if decision.memory else None,
        )  # fmt: skip


class HitOut(BaseModel):
    """A memory that came to mind, and why."""

    memory: MemoryOut
    score: float
    confidence: float
    certainty: str
    retention: float
    emotion: str
    framing: str
    notes: list[str]
    outdated: list[str]
    why: dict[str, Any]

    @classmethod
    def of(cls, hit: Recollection) -> HitOut:
        """Return *hit* as clients see it."""
        names = "score confidence certainty retention emotion framing".split()
        told = {name: getattr(hit, name) for name in names}
        return cls(
            **told, memory=MemoryOut.of(hit.memory), notes=list(hit.notes),
            outdated=list(hit.outdated), why=asdict(hit.why),
        )  # fmt: skip


class HitsReply(BaseModel):
    """What came to mind, best first; empty when nothing is relevant enough."""

    hits: list[HitOut]


class ContextReply(BaseModel):
    """The block for the prompt."""

    block: str
    tokens: int
    left_out: int
    truncated: bool

    @classmethod
    def of(cls, block: ContextBlock) -> ContextReply:
        """Return *block* as clients see it."""
        parts = {name: getattr(block, name) for name in ("tokens", "left_out", "truncated")}
        return cls(block=str(block), **parts)


class MoodReply(BaseModel):
    """The mood: its name, and where it lies in PAD space, each -1..1."""

    label: str
    pleasure: float
    arousal: float
    dominance: float

    @classmethod
    def of(cls, mem: VividMem) -> MoodReply:
        """Return the mood of *mem* as clients see it."""
        pad = {name: round(value, 4) for name, value in mem.mood.pad._asdict().items()}
        return cls(label=mem.mood.label, **pad)


class ProcessReply(BaseModel):
    """All that one message leads to."""

    decision: DecisionReply | None = Field(description="null with store=false")
    emotion: str
    mood: MoodReply
    context: ContextReply


class ArcOut(BaseModel):
    """How things stand with somebody."""

    entity: str
    warmth: float
    tone: str
    trajectory: str
    interactions: int
    history: list[tuple[float, str]]

    @classmethod
    def of(cls, arc: Arc) -> ArcOut:
        """Return *arc* as clients see it."""
        return cls(**{**arc._asdict(), "history": list(arc.history)})


class ArcsReply(BaseModel):
    """How things stand, in the order of the names; of one entity at most one."""

    arcs: list[ArcOut]


class ConflictOut(BaseModel):
    """Two memories that cannot both be true, or of which one replaced the other."""

    older: MemoryOut
    newer: MemoryOut
    about: str

    @classmethod
    def of(cls, pair: Contradiction) -> ConflictOut:
        """Return *pair* as clients see it."""
        return cls(older=MemoryOut.of(pair.older), newer=MemoryOut.of(pair.newer), about=pair.about)


class ConflictsReply(BaseModel):
    """Open contradictions, and what was replaced lately; both newest first."""

    open: list[ConflictOut]
    superseded: list[ConflictOut]


class SessionReply(BaseModel):
    """The number of the session that has begun, and the jobs of reflection that are due."""

    session: int
    due: list[str]
    mood: MoodReply


class ChemistryReply(BaseModel):
    """The five chemicals."""

    enabled: bool
    levels: dict[str, float]
    baselines: dict[str, float]
    half_lives: dict[str, float] = Field(description="minutes")
    trend: dict[str, str]
    modifiers: dict[str, float]
    events: list[str]


class StatsReply(BaseModel):
    """What is stored, and the state of the store."""

    character: str
    stats: dict[str, Any]
    snapshots: int | None = Field(description="null: they cannot be reached now")


class CharacterOut(BaseModel):
    """A character, and the folder that holds its memory, inside the server's."""

    name: str
    folder: str


class CharactersReply(BaseModel):
    """The characters in the order of their names."""

    characters: list[CharacterOut]
    next: str | None = Field(description="null on the last page")


class ReceiptReply(BaseModel):
    """What was erased; snapshots taken before still hold it until they are deleted."""

    forgotten: list[int]
    derived: list[int]
    snapshots: int | None = Field(description="null: they cannot be reached now")

    @classmethod
    def of(cls, receipt: Receipt, snapshots: int | None) -> ReceiptReply:
        """Return *receipt* as clients see it."""
        return cls(
            forgotten=list(receipt.forgotten), derived=list(receipt.derived), snapshots=snapshots
        )


class ReviseReply(BaseModel):
    """What of the old wording went, and what became of the new one."""

    forgotten: list[int]
    decision: DecisionReply


class WipeReply(BaseModel):
    """How many memories were erased; the folder was read anew and holds nothing."""

    wiped: int


class ImportReply(BaseModel):
    """The ids that are new."""

    new: list[int]


class CountReply(BaseModel):
    """How many memories there are now."""

    memories: int


class ExportReply(BaseModel):
    """All that is stored, as `import` takes it."""

    model_config = {"extra": "allow"}
    vividmem: int
    next_id: int
    memories: list[dict[str, Any]]
    settings: dict[str, Any]


class PromptReply(BaseModel):
    """A prompt for any model; null when there is nothing to think over."""

    job: str
    prompt: str | None
    ids: list[int]

    @classmethod
    def of(cls, job: str, prompt: Prompt | None) -> PromptReply:
        """Return *prompt* as clients see it."""
        if prompt is None:
            return cls(job=job, prompt=None, ids=[])
        return cls(job=job, prompt=str(prompt), ids=list(prompt.ids))


class ReportReply(BaseModel):
    """What a reply changed, and what of it could not be used."""

    job: str
    changed: list[int]
    problems: list[str]

    @classmethod
    def of(cls, report: Report) -> ReportReply:
        """Return *report* as clients see it."""
        return cls(job=report.job, changed=list(report.changed), problems=list(report.problems))


class ReportsReply(BaseModel):
    """A report of each reply."""

    reports: list[ReportReply]


class BriefReply(BaseModel):
    """The brief; "" if there is none."""

    entity: str
    brief: str


class TasksReply(BaseModel):
    """The active project, all projects, and the open tasks, most vivid first."""

    project: MemoryOut | None
    projects: list[MemoryOut]
    open: list[MemoryOut]


class LoggedReply(BaseModel):
    """The action, and the solution it completes, if any."""

    action: MemoryOut
    solution: MemoryOut | None


class SnapshotOut(BaseModel):
    """A copy of a store as it was at one moment."""

    name: str
    taken: float
    size: int = Field(description="bytes")

    @classmethod
    def of(cls, snapshot: Snapshot) -> SnapshotOut:
        """Return *snapshot* as clients see it."""
        moment = snapshot.taken.timestamp()
        return cls(name=snapshot.id, taken=moment, size=snapshot.size)


class SnapshotReply(BaseModel):
    """The copy that was made."""

    snapshot: SnapshotOut


class SnapshotsReply(BaseModel):
    """The copies, newest first."""

    snapshots: list[SnapshotOut]


class HealthReply(BaseModel):
    """That the server answers."""

    status: str
    version: str
    model: bool = Field(description="whether the /run routes have a model")
    auth: bool = Field(description="whether a token is needed")


class ErrorDetail(BaseModel):
    """What went wrong and what to do about it."""

    code: str
    message: str
    fields: list[str] = Field(default=[], description="the fields that are meant")


class ErrorReply(BaseModel):
    """How every refusal looks."""

    error: ErrorDetail
