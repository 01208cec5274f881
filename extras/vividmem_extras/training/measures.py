"""How well probabilities of contradiction, neutral and entailment fit the labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vividmem_extras.training.grammar import NOT_AGAINST, C, Pair


def auc(scores: Sequence[float], wanted: Sequence[bool]) -> float:
    """Return how likely a wanted one scores above an unwanted one, ties as half."""
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    ranks = [0.0] * len(scores)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and scores[order[end]] == scores[order[start]]:
            end += 1
        for i in order[start:end]:
            ranks[i] = (start + end + 1) / 2
        start = end
    positive = [rank for rank, w in zip(ranks, wanted, strict=True) if w]
    negative = len(scores) - len(positive)
    if not positive or not negative:
        return float("nan")
    return (sum(positive) - len(positive) * (len(positive) + 1) / 2) / (len(positive) * negative)


def measured(
    pairs: Sequence[Pair], probabilities: Sequence[Sequence[float]], threshold: float
) -> dict[str, Any]:
    """Return accuracy, AUC of contradiction, its precision and recall from *threshold* on."""
    guesses = [max(range(3), key=row.__getitem__) for row in probabilities]
    against = [row[0] for row in probabilities]
    wanted = [pair.label == C for pair in pairs]
    called = [score >= threshold for score in against]
    hits = sum(c and w for c, w in zip(called, wanted, strict=True))
    right = sum(
        g != C if p.label == NOT_AGAINST else g == p.label
        for g, p in zip(guesses, pairs, strict=True)
    )
    return {
        "pairs": len(pairs),
        "accuracy": round(right / len(pairs), 4),
        "auc": round(auc(against, wanted), 4),
        "precision": round(hits / max(1, sum(called)), 4),
        "recall": round(hits / max(1, sum(wanted)), 4),
    }
