"""The sets of pairs a classifier is measured on; none of them is trained on."""

from __future__ import annotations

from pathlib import Path

from vividmem_extras.training import corpora
from vividmem_extras.training.grammar import Grammar, Pair

THRESHOLD = 0.93  # probability from which the gate takes a contradiction for one
_FAMILY_SEED, _FAMILY_PAIRS = 1001, 2_000


def examinations(
    data: Path | None, later: Path | None = None, written: Path | None = None
) -> dict[str, list[Pair]]:
    """Return the sets by name.

    Those of *data*, the folder of labelled corpora, of *later*, the file of known and later
    statements, and of *written*, that of pairs written by hand, if they are given.
    """
    drawn = list(Grammar(_FAMILY_SEED, test=True).pairs(_FAMILY_PAIRS))
    sets = {"held-out families": drawn, "everyday": corpora.everyday()}
    if later is not None:
        sets["known and later held out"] = corpora.later(later)[1]
    if written is not None:
        sets["written by hand held out"] = corpora.written(written)[1]
    if data is not None:
        sets |= {"snli held out": corpora.snli(data)[1], "sick": corpora.sick(data)}
    return sets
