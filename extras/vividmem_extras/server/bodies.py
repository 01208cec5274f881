"""What clients send: every body as a strict model, so that nothing is guessed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

MOST_TEXT = 20_000  # characters, as TextConfig.max_text
MOST_NAME = 200  # characters, as TextConfig.max_name
MOST_LONG = 100_000  # characters of a conversation, or of the reply of a model
MOST_DEPTH = 64  # of lists and objects in each other
LAST_ID = 2**31 - 1


def repaired(value: object) -> object:
    """Return *value*; in a text lone surrogates, half of a cut emoji, become U+FFFD."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def nests(value: object, most: int = MOST_DEPTH) -> bool:
    """Return whether lists and objects in *value* lie in each other more than *most* deep."""
    level = [value]
    for _ in range(most):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def shallow(value: dict[str, Any]) -> dict[str, Any]:
    """Return *value* if a reply could hold it; deeper ones cannot be written as JSON again."""
    if nests(value):
        raise ValueError(f"is nested more than {MOST_DEPTH} deep")
    return value


_repair = BeforeValidator(repaired)
Name = Annotated[str, _repair, Field(min_length=1, max_length=MOST_NAME)]
Text = Annotated[str, _repair, Field(min_length=1, max_length=MOST_TEXT)]
Blank = Annotated[str, _repair, Field(max_length=MOST_NAME)]  # a name that may be missing
Note = Annotated[str, _repair, Field(max_length=MOST_TEXT)]  # a text that may be missing
Seconds = Annotated[float, Field(ge=-253_402_300_799, le=253_402_300_799)]
Moment = Annotated[
    Seconds | Annotated[str, _repair, Field(max_length=64)],
    Field(description="UTC seconds since 1970, or ISO 8601", examples=["2026-03-31T18:00+02:00"]),
]
Tags = Annotated[list[Name], Field(max_length=64)]
Importance = Annotated[float, Field(ge=1, le=10)]
Meta = Annotated[dict[str, Any], AfterValidator(shallow)]
MemoryId = Annotated[int, Field(ge=1, le=LAST_ID)]
Limit = Annotated[int, Field(ge=1, le=1_000)]
Tokens = Annotated[int, Field(ge=0, le=1_000_000)]


class Body(BaseModel):
    """What all bodies share: whose memory it is; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    character: Name = Field(description="whose memory it is", examples=["Seraphina"])

    def options(self, *without: str) -> dict[str, Any]:
        """Return the fields that are arguments of the library's call of the same name."""
        return self.model_dump(exclude={"character", *without}, exclude_none=True)


class Remembered(Body):
    """What reflections and impressions share."""

    text: Text = Field(examples=["I enjoyed that conversation about astronomy"])
    emotion: Name = Field("neutral", examples=["happy"])
    importance: Importance = 5
    why_saved: Note = ""
    why_importance: Note = ""
    why_emotion: Note = ""
    source: Blank = Field("", description="your id of what told it", examples=["chat1:12"])
    when: Moment | None = None
    episode: Blank = ""
    tags: Tags = []
    meta: Meta | None = None


class ReflectionBody(Remembered):
    """A memory of the character's own."""


class ImpressionBody(Remembered):
    """A memory about somebody."""

    entity: Name = Field(examples=["Alex"])


class FactBody(Body):
    """The one current value of an attribute."""

    entity: Name = Field(examples=["Alex"])
    attribute: Name = Field(examples=["favorite_color"])
    value: Text | float = Field(examples=["green"])
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    source: Blank = ""
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    tags: Tags = []
    meta: Meta | None = None


class PreferenceBody(Body):
    """What somebody feels about something."""

    entity: Name = Field(examples=["Alex"])
    category: Name = Field(examples=["music"])
    item: Text = Field(examples=["jazz"])
    sentiment: Name = Field("likes", examples=["loves"])
    source: Blank = ""
    tags: Tags = []
    meta: Meta | None = None


class ObserveBody(Body):
    """One message for the gate."""

    text: Text = Field(examples=["I moved to Chicago last week"])
    entity: Blank = Field("", description="whom it is about", examples=["Alex"])
    speaker: Name = Field(
        "user", description='"user", "assistant" (the character itself) or a name'
    )
    emotion: Name | None = Field(None, description="read from the text if left out")
    importance: Importance | None = None
    source: Blank = Field("", description="your id of the message", examples=["chat1:12"])
    when: Moment | None = None
    episode: Blank = ""


class ReviseBody(ObserveBody):
    """A message whose text is another now: swiped, regenerated or edited."""

    source: Name = Field(description="the id it was observed under", examples=["chat1:12"])


class ProcessBody(ObserveBody):
    """One message: observed, felt, and answered with the block for the next prompt."""

    conversation: Note = Field(
        "", description="what the block is to match; the message itself if left out"
    )
    max_tokens: Tokens = 800
    store: bool = Field(True, description="false: mood and context only")


class QueryBody(Body):
    """A question to the memory."""

    query: Annotated[str, _repair, Field(max_length=MOST_TEXT)] = Field(
        examples=["tell me about that astronomy discussion"]
    )
    limit: Annotated[int, Field(ge=1, le=200)] = 5
    entity: Name | None = None
    kinds: Annotated[list[Name], Field(max_length=16)] | None = None
    tags: Tags = []
    as_of: Moment | None = None
    include_history: bool = False
    reinforce: bool = Field(True, description="whether what is found is strengthened by it")


class ContextBody(Body):
    """What the prompt block is for."""

    entity: Blank = Field("", examples=["Alex"])
    conversation: Annotated[str, _repair, Field(max_length=MOST_LONG)] = ""
    max_tokens: Tokens = 1200


class MoodBody(Body):
    """Feelings to take in, in order; or a return to neutral."""

    emotions: Annotated[list[Name], Field(max_length=64)] = Field([], examples=[["happy"]])
    reset: bool = False


class ChemistryBody(Body):
    """A switch, an event, hours of sleep; each may be left out."""

    enabled: bool | None = None
    event: Name | None = Field(None, examples=["learning_breakthrough"])
    intensity: Annotated[float, Field(ge=0, le=1)] = 0.7
    sleep_hours: Annotated[float, Field(ge=0, le=10_000)] | None = None


class CharacterBody(Body):
    """A call that needs nothing but to know whose memory is meant."""


class RenameBody(Body):
    """Another name for the same memory."""

    new_name: Name = Field(examples=["Seraphina II"])


class WipeBody(Body):
    """The end of all that a character remembers, its snapshots included."""

    confirm: Literal[True] = Field(description="must be true: there is no way back")


class CorrectBody(Body):
    """The right wording; of a fact the value alone will do."""

    text: Text = Field(examples=["Alex works in Ghent"])


class FeedbackBody(Body):
    """Whether a memory helped."""

    helped: bool


class RetractBody(Body):
    """A message that was deleted."""

    source: Name = Field(examples=["chat1:12"])


class ImportBody(Body):
    """What an export returned."""

    data: dict[str, Any] = Field(examples=[{"vividmem": 1, "memories": []}])


class EntityBody(Body):
    """Whom a brief is about; the character itself if left out."""

    entity: Blank = ""


class CurateBody(Body):
    """A conversation of which a model shall say what to remember."""

    conversation: Annotated[str, _repair, Field(min_length=1, max_length=MOST_LONG)]


class ReplyBody(Body):
    """A model's reply to a prompt; fences and talk around the JSON do no harm."""

    reply: Annotated[str, _repair, Field(max_length=MOST_LONG)]
    entity: Blank = Field("", description="of a brief: whom it is about")
    source: Blank = Field("", description="of a curation")


class RestoreBody(Body):
    """A snapshot to go back to."""

    snapshot: Name = Field(examples=["20260331T180000.000000Z"])


class ProjectBody(Body):
    """The project to work on; begun if it is new."""

    name: Name = Field(examples=["Kiln rebuild"])
    description: Note = ""


class TaskBody(Body):
    """A task, or part of one."""

    text: Text = Field(examples=["Order fire bricks"])
    parent: MemoryId | None = None
    project: Name | None = None
    priority: Importance = 5
    urgency: Annotated[float, Field(ge=0, le=1)] = 0.5
    tags: Tags = []


class OutcomeBody(Body):
    """How a task ended."""

    outcome: Note = ""


class ActionBody(Body):
    """Something done, and whether it worked."""

    text: Text = Field(examples=["Fired at 900 degrees"])
    outcome: Literal["success", "failure", "note"] = "success"
    task: MemoryId | None = None
    project: Name | None = None


class SolutionBody(Body):
    """What solved a problem, and what did not."""

    problem: Text
    solution: Text
    failed: Annotated[list[Text], Field(max_length=32)] = []
    project: Name | None = None
    tags: Tags = []


class ArtifactBody(Body):
    """A thing that is worked on, and what it depends on."""

    name: Name
    text: Note = ""
    needs: Annotated[list[Name], Field(max_length=64)] = []
    project: Name | None = None
    tags: Tags = []
