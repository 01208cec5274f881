"""What a language model is told of a memory, and how it is to speak of it."""

from __future__ import annotations

from datetime import timezone
from typing import Any

from vividmem import Memory, Recollection, calendar_time

NOTHING = "Nothing is known about this. Say so; do not guess."
HEDGES = {
    "likely": "Probably so: say that you are fairly sure.",
    "doubtful": "Doubtful: say that you are not sure.",
    "outdated": "Outdated: it was so once and is not so now.",
}


def iso(moment: float) -> str:
    """Return UTC seconds as ISO text.

    >>> iso(0)
    '1970-01-01T00:00:00+00:00'
    """
    return calendar_time(moment, timezone.utc).isoformat(timespec="seconds")


def fields_of(memory: Memory) -> dict[str, Any]:
    """Return a memory's id, text, kind, whom it is about, when, status and end, as plain data."""
    return {
        "id": memory.id,
        "text": memory.text,
        "kind": memory.kind,
        "about": memory.entity,
        "when": iso(memory.when),
        "status": memory.status,
        "valid_until": None if memory.valid_until is None else iso(memory.valid_until),
    }


def sureness_of(hit: Recollection) -> dict[str, Any]:
    """Return how sure a memory is, and what that means for who speaks of it."""
    return {
        "certainty": hit.certainty,
        "confidence": round(hit.confidence, 3),
        "advice": HEDGES.get(hit.certainty, ""),
        "outdated": list(hit.outdated),
    }
