"""What the gate decided lately, kept in RAM for the dashboard.

Nothing of it is written to disk. What is forgotten, retracted or wiped leaves it, too.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count

from vividmem import Decision, Memory, VividMem, redacted, token_estimate

MOST_TOLD = 500  # decisions kept of one character
MOST_SHOWN = 280  # characters of a text
REPLY_FRAME = 25  # tokens of JSON around the text of one extracted memory
_numbers = count(round(time.time() * 1000))  # rises for all feeds, and over restarts


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One observation and what became of it."""

    number: int
    at: float  # UTC seconds
    action: str
    reason: str
    surprise: float
    threshold: float
    text: str  # the first characters of what was said
    speaker: str
    entity: str
    source: str
    memory_id: int | None
    replaces: tuple[tuple[int, str], ...] = ()  # ids and texts of what it contradicts


@dataclass(slots=True)
class Feed:
    """The last decisions about one character, and what a model would have cost so far."""

    told: deque[Told] = field(default_factory=lambda: deque(maxlen=MOST_TOLD))
    observed: int = 0
    baseline_tokens: int = 0
    forgotten: int = 0  # rises with every decision that left before its time

    def add(self, decision: Decision, *, text: str, speaker: str, entity: str, source: str,
            at: float, baseline: int) -> Told:  # fmt: skip
        """Take in one decision and return how it is told."""
        memory = decision.memory
        told = Told(
            number=next(_numbers), at=at, action=decision.action, reason=decision.reason,
            surprise=decision.surprise, threshold=decision.threshold, speaker=speaker,
            text=(redacted(text) if memory is None else memory.text)[:MOST_SHOWN],
            entity=entity, source=source, memory_id=memory.id if memory else None,
            replaces=tuple((m.id, m.text[:MOST_SHOWN]) for m in decision.contradicts),
        )  # fmt: skip
        self.told.append(told)
        self.observed += 1
        self.baseline_tokens += baseline
        return told

    def since(self, number: int, limit: int) -> list[Told]:
        """Return the newest *limit* decisions after *number*, oldest first."""
        return [told for told in self.told if told.number > number][-limit:]

    def without(self, ids: Iterable[int]) -> None:
        """Drop what tells of memories that are gone."""
        gone = set(ids)
        self._keep(
            lambda told: told.memory_id not in gone and gone.isdisjoint(i for i, _ in told.replaces)
        )

    def without_source(self, source: str) -> None:
        """Drop what *source* told, what was skipped of it included."""
        self._keep(lambda told: told.source != source)

    def clear(self) -> None:
        """Drop everything."""
        self._keep(lambda told: False)
        self.observed = self.baseline_tokens = 0

    def take(self, other: Feed) -> None:
        """Take over what *other* told."""
        self.told, other.told = other.told, deque(maxlen=MOST_TOLD)
        self.observed, other.observed = other.observed, 0
        self.baseline_tokens, other.baseline_tokens = other.baseline_tokens, 0

    def _keep(self, wanted: Callable[[Told], bool]) -> None:
        before = len(self.told)
        self.told = deque(filter(wanted, self.told), maxlen=MOST_TOLD)
        self.forgotten += before - len(self.told)


def baseline_tokens(mem: VividMem, speaker: str, text: str, kept: Memory | None) -> int:
    """Return what a system that asks a model at each write would have spent on one message.

    One call: the curation prompt of this library for this message alone, and a reply that holds
    the memory that was kept, or an empty list. Counted with `token_estimate`. Systems that also
    show the model what is known, or ask twice, spend more.
    """
    asked = mem.reflection.prepare_curate(f"{speaker}: {text}")
    reply = token_estimate(kept.text) + REPLY_FRAME if kept is not None else 1
    return token_estimate(asked or "") + reply
