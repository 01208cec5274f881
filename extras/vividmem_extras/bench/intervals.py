"""Bootstrap confidence intervals over groups of questions, and paired gaps between systems."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

RESAMPLES = 1_000
LEVEL = 0.95  # of the confidence intervals


class Tally(NamedTuple):
    """What one group (a stream, a conversation) adds to a share."""

    hits: float
    total: int


class Interval(NamedTuple):
    """A figure with its confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return the interval as tables show it."""
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def share(tallies: Sequence[Tally], places: Sequence[int] | None = None) -> float:
    """Return the hits per total over all *tallies*, or over those at *places*.

    >>> share([Tally(1, 1), Tally(0, 3)])
    0.25
    """
    picked = tallies if places is None else [tallies[place] for place in places]
    total = sum(tally.total for tally in picked)
    return sum(tally.hits for tally in picked) / total if total else 0.0


def resamples(groups: int, seed: int, count: int = RESAMPLES) -> list[list[int]]:
    """Return *count* draws with replacement of the places of *groups* groups."""
    rng = random.Random(f"bootstrap/{seed}")
    return [rng.choices(range(groups), k=groups) for _ in range(count)]


def interval(tallies: Sequence[Tally], draws: Sequence[Sequence[int]]) -> Interval:
    """Return the share of *tallies* with its percentile interval over *draws*."""
    return _percentiles(share(tallies), [share(tallies, places) for places in draws])


def gap(ours: Sequence[Tally], theirs: Sequence[Tally], draws: Sequence[Sequence[int]]) -> Interval:
    """Return our share minus theirs, both over the same draws, with its interval."""
    gaps = [share(ours, places) - share(theirs, places) for places in draws]
    return _percentiles(share(ours) - share(theirs), gaps)


def win_rate(ours: Sequence[Tally], theirs: Sequence[Tally]) -> float:
    """Return the share of groups in which our hits are more, half of the ties counted.

    >>> win_rate([Tally(2, 2), Tally(1, 2)], [Tally(1, 2), Tally(1, 2)])
    0.75
    """
    pairs = list(zip(ours, theirs, strict=True))
    wins = sum(mine.hits > other.hits for mine, other in pairs)
    ties = sum(mine.hits == other.hits for mine, other in pairs)
    return (wins + ties / 2) / len(pairs)


def _percentiles(value: float, sampled: list[float]) -> Interval:
    """Return *value* between the outer percentiles of *sampled*."""
    ranked = sorted(sampled)
    cut = int(len(ranked) * (1 - LEVEL) / 2)
    return Interval(value, ranked[cut], ranked[-1 - cut])
