"""Pairs of sentences people have labelled, as their data sets store them."""

from __future__ import annotations

import csv
import itertools
import json
import random
import zlib
from pathlib import Path

from vividmem_extras.training.grammar import LABELS, NOT_AGAINST, C, E, N, Pair

KEPT_APART = 2_000  # pairs of SNLI never trained on
_LATER = {"u": C, "e": C, "t": N, "k": NOT_AGAINST}


def snli(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Return SNLI's dev and test pairs, as those to train on and those kept apart."""
    pairs = []
    for part in ("dev", "test"):
        columns = [(folder / "snli" / f"{name}.{part}").read_text("utf-8").splitlines()
                   for name in ("s1", "s2", "labels")]  # fmt: skip
        pairs += [Pair(a, b, LABELS.index(label), "snli")
                  for a, b, label in zip(*columns, strict=True) if label in LABELS]  # fmt: skip
    premises = sorted({pair.first for pair in pairs})  # a premise stands on one side only
    random.Random(8).shuffle(premises)
    apart: list[Pair] = []
    by_premise: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_premise.setdefault(pair.first, []).append(pair)
    while len(apart) < KEPT_APART:
        apart += by_premise.pop(premises.pop())
    return [pair for rest in by_premise.values() for pair in rest], apart


def breaking_nli(folder: Path) -> list[Pair]:
    """Return the pairs of Breaking-NLI, which differ in one word."""
    rows = map(json.loads, (folder / "breaking_nli.jsonl").read_text("utf-8").splitlines())
    return [Pair(row["sentence1"], row["sentence2"], LABELS.index(row["gold_label"]), "breaking")
            for row in rows if row["gold_label"] in LABELS]  # fmt: skip


def med(folder: Path) -> list[Pair]:
    """Return the pairs of MED, on monotonicity."""
    with open(folder / "MED.tsv", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Pair(row["sentence1"], row["sentence2"], LABELS.index(row["gold_label"]), "med")
            for row in rows if row["gold_label"] in LABELS]  # fmt: skip


def sick(folder: Path) -> list[Pair]:
    """Return SICK's test pairs: only to measure with, its licence forbids training."""
    with open(folder / "SICK_test_annotated.txt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    label_of = {label.upper(): place for place, label in enumerate(LABELS)}
    return [
        Pair(row["sentence_A"], row["sentence_B"], label_of[row["entailment_judgment"]], "sick")
        for row in rows
    ]


def later(path: Path) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs of a known and a later statement in *path*: to train on, and kept apart.

    A tenth of the known statements stand, with all that was said later, on the second side. What
    replaces or ends the known contradicts it, what only seems to is neutral. What tells the known
    again or more does not contradict; turned round, the known follows: so it is there twice.
    """
    sides: tuple[list[Pair], list[Pair]] = ([], [])
    for line in path.read_text("utf-8").splitlines():
        kind, _, known, said, *_ = line.split("\t")
        side = sides[_kept_apart(known)]
        side.append(Pair(known, said, _LATER[kind], "later"))
        if kind == "k":
            side.append(Pair(said, known, E, "later"))
    return sides


def together(path: Path) -> list[Pair]:
    """Return the pairs of two statements of one set in *path*: both are true."""
    sets: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        name, text = line.split("\t")
        sets.setdefault(name, []).append(text)
    return [
        Pair(known, said, NOT_AGAINST, "together")
        for texts in sets.values()
        for known, said in itertools.combinations(texts, 2)
    ]


def written(path: Path) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs written by hand in *path*, as those to train on and those kept apart.

    A tenth of the first statements stand, with all their seconds, on the second side.
    """
    sides: tuple[list[Pair], list[Pair]] = ([], [])
    for line in path.read_text("utf-8").splitlines():
        label, first, second = line.split("\t")
        sides[_kept_apart(first)].append(Pair(first, second, LABELS.index(label), "written"))
    return sides


def _kept_apart(first: str) -> bool:
    return zlib.crc32(first.encode()) % 10 == 0


def everyday() -> list[Pair]:
    """Return the 300 pairs written by hand before there was a grammar: only to measure with."""
    return _written("everyday")


def for_threshold() -> list[Pair]:
    """Return the 120 pairs on which the threshold of the gate is chosen: for nothing else."""
    return _written("threshold")


def _written(name: str) -> list[Pair]:
    text = (Path(__file__).parent / f"{name}.txt").read_text("utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line and line[0] != "#"]
    return [Pair(first, second, LABELS.index(label), name) for label, first, second in rows]
