"""The weights with which the neural gate joins words, classifier and cosine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import vividmem
from vividmem_extras.neural import OnnxEmbedder, OnnxNli
from vividmem_extras.neural.gate import signs_of
from vividmem_extras.training import corpora
from vividmem_extras.training.grammar import C, E

import numpy as np  # isort: skip  # after models, which says what is missing

SETS = ("b", "c", "e")  # of extras/reader/exams; the others are kept apart
_STRANGERS, _BESIDE = 4_000, 3  # pairs of other statements drawn from a set, and for an update
_DEARER = 1.5  # what it counts to end what holds, as against leaving what is over
_RIDGE = 0.1  # weight of the squares of the weights


class Couple(NamedTuple):
    """A known statement, a later one, and whether that takes its place."""

    known: str
    said: str
    new: bool


def couples(folder: Path, later: Path | None) -> list[Couple]:
    """Return the pairs of the exams in *folder*, strangers of one store, and those of the sets.

    Of the known and later statements in *later* those are added that no model was trained on.
    """
    found: list[Couple] = []
    for name in SETS:
        rows = [row for row in _rows(folder / f"{name}.jsonl") if row["kind"] != "talk"]
        chance, stores = random.Random(1), dict[int, list[dict[str, Any]]]()
        for row in rows:
            stores.setdefault(row["group"], []).append(row)
        found += dict.fromkeys(Couple(r["known"], r["said"], r["kind"] == "update") for r in rows)
        others = [(o["known"], r["said"]) for r in rows for o in stores[r["group"]] if o is not r]
        drawn = chance.sample(others, min(_STRANGERS, len(others)))
        found += [Couple(known, said, new=False) for known, said in drawn]
    chance = random.Random(1)
    for row in _rows(folder / "sets.jsonl"):
        for update in row["updates"]:
            found.append(Couple(update["ends"], update["said"], new=True))
            others_ = [told for told in row["told"] if told != update["ends"]]
            found += [Couple(o, update["said"], new=False) for o in chance.sample(others_, _BESIDE)]
    apart = [] if later is None else corpora.later(later)[1]
    return found + [Couple(p.first, p.second, p.label == C) for p in apart if p.label != E]


def weights(
    folder: Path, models: Path | None, later: Path | None = None
) -> tuple[list[float], float]:
    """Return the weights of the five signs and the bias that fit the exams in *folder* best.

    A logistic regression with a small ridge, by Newton's method. *later*: see `couples`.
    """
    some = couples(folder, later)
    rows = np.array(list(_signs(some, models)))
    rows = np.hstack([rows, np.ones((len(rows), 1))])
    wanted = np.array([couple.new for couple in some], float)
    counts = np.where(wanted == 1, 1.0, _DEARER)
    ridge = np.diag([*[_RIDGE] * (rows.shape[1] - 1), 0.0])
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (counts * (likely - wanted)) + ridge @ found
        bend = (rows * (counts * likely * (1 - likely))[:, None]).T @ rows + ridge
        found -= np.linalg.solve(bend, slope)
    *told, bias = found.tolist()
    return told, bias


def _signs(some: list[Couple], models: Path | None) -> Iterable[tuple[float, ...]]:
    nli, embedder = OnnxNli(models), OnnxEmbedder(models)
    verdicts = nli.judge([(couple.known, couple.said) for couple in some])
    texts = list(dict.fromkeys(text for couple in some for text in couple[:2]))
    vectors = dict(zip(texts, embedder.vectors_of(texts), strict=True))
    for couple, verdict in zip(some, verdicts, strict=True):
        cosine = float(vectors[couple.known] @ vectors[couple.said])
        yield signs_of(_by_words(couple), verdict.contradiction, cosine)


def _by_words(couple: Couple) -> float:
    table = vividmem.frames_of()
    pair = couple.said, couple.known, vividmem.claims(couple.known, "", table), table, ""
    return vividmem.replacement(*pair) if vividmem.may_replace(*pair) else 0.0


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
