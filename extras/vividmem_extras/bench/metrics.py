"""The arithmetic of the retrieval benchmarks: recall of evidence and reciprocal rank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

Key = TypeVar("Key")

DEPTH = 20  # how many results are asked for
CUTS = (1, 5, 10, 20)  # where recall is read; the last is DEPTH


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question went."""

    category: str
    recall: tuple[float, ...]  # at each of CUTS
    reciprocal_rank: float


def outcome(category: str, ranked: Sequence[Key], evidence: Collection[Key]) -> Outcome:
    """Judge one ranking."""
    recall = tuple(recall_at(cut, ranked, evidence) for cut in CUTS)
    return Outcome(category, recall, reciprocal_rank(ranked, evidence))


def recall_at(cut: int, ranked: Sequence[Key], evidence: Collection[Key]) -> float:
    """Return the share of *evidence* among the first *cut* of *ranked*.

    >>> recall_at(2, ["a", "x", "b"], {"a", "b"})
    0.5
    """
    return len(set(ranked[:cut]) & set(evidence)) / len(evidence)


def reciprocal_rank(ranked: Sequence[Key], evidence: Collection[Key]) -> float:
    """Return 1 / the rank of the first piece of *evidence*, 0 when none is there.

    >>> reciprocal_rank(["x", "a"], {"a"})
    0.5
    """
    return next((1 / rank for rank, key in enumerate(ranked, 1) if key in evidence), 0.0)


def means(outcomes: Sequence[Outcome]) -> tuple[float, ...]:
    """Return the mean recall at each cut and the mean reciprocal rank, over questions."""
    recall = (fmean(each.recall[i] for each in outcomes) for i in range(len(CUTS)))
    return (*recall, fmean(each.reciprocal_rank for each in outcomes))


def per_category(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return the outcomes under "all", then under each category in alphabetical order."""
    groups = {"all": list(outcomes)}
    for category in sorted({each.category for each in outcomes}):
        groups[category] = [each for each in outcomes if each.category == category]
    return groups


def unique(keys: Iterable[Key]) -> list[Key]:
    """Return *keys* without repetitions, the first of each kept."""
    return list(dict.fromkeys(keys))
