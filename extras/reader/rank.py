"""Fit the trees that order what a question brings up, and write them into vividmem.py.

    python extras/reader/rank.py            print how well they do on what is left out
    python extras/reader/rank.py --write    fit on all and rewrite the table

Needs numpy and lightgbm. Learnt from the lives in `streams` but those kept apart, and the sets b, c
and e of `exams`, all written for this project. What is right is the answer named, the later
statement of an update, the known one of a trap, and either of a confirmation.

The objective is LambdaMART's (Burges 2010). Left out is one of six parts, by life or store, in
turn; the lives kept apart are ordered by trees fitted on all others.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import lightgbm
import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[0]), str(HERE)]

import exam  # noqa: E402
from fit import CORE, replaced, short, wrapped  # noqa: E402

import vividmem as vm  # noqa: E402

APART = ("5", "6", "9", "12")  # lives measured only
DAY, PARTS = 86_400.0, 6
WEIGHTS = {"life": 3.0, "update": 0.7, "trap": 1.5, "keep": 0.5}
TREES = {"num_leaves": 8, "learning_rate": 0.15, "min_data_in_leaf": 40, "lambda_l2": 5.0}
ROUNDS = 40


class Asked(NamedTuple):
    """A question with the signs of each of its hits, best first."""

    kind: str  # one of WEIGHTS
    part: int  # of PARTS, by where it comes from
    signs: list[dict[str, float]]
    right: list[bool]  # hits that answer it
    stale: list[bool]  # hits that did once


class Recorder:
    """Notes what `vividmem` is about to weigh, and lets it stand as it is."""

    def __init__(self) -> None:
        self.top: list[vm.Ranked] = []
        self.signs: list[dict[str, float]] = []
        self.memories: Mapping[int, vm.Memory] = {}
        vm.by_precedence = self.note

    def note(
        self, query: str, hits: Sequence[vm.Ranked], memories: Mapping[int, vm.Memory],
        index: vm.Index,
    ) -> list[vm.Ranked]:  # fmt: skip
        """Keep the signs of the best of *hits*."""
        self.top = sorted(hits, key=vm.best_ranked)[: vm.CONTENDERS]
        said, self.memories = vm.folded(query), memories
        self.signs = vm.precedence_signs(said, self.top, memories, index) if self.top[1:] else []
        return list(hits)

    def asked(
        self, mem: Any, question: str, kind: str, part: int,
        right: Any, stale: Any = lambda _: False,
    ) -> Asked:  # fmt: skip
        """Ask *question* of *mem*; *right* and *stale* judge a memory."""
        self.top, self.signs = [], []
        mem.resonate(question, limit=10, reinforce=False)
        found = [self.memories[hit.doc] for hit in self.top]
        judged = [right(m) for m in found], [bool(stale(m)) for m in found]
        return Asked(kind, part % PARTS, self.signs, *judged)


def lives(note: Recorder, apart: bool) -> Iterator[Asked]:
    """Yield the questions of the lives, of those kept apart or of the others."""
    for number, path in enumerate(sorted((HERE / "streams").glob("*.tsv"))):
        if (path.stem in APART) is not apart:
            continue
        sitting, lines = exam.Sitting(random.Random(1)), dict[int, str]()
        for row in path.read_text(encoding="utf-8").splitlines():
            kind, *cells = row.split("\t")
            if kind == "T":
                sitting.now += float(cells[1]) * DAY + 60
                sitting.mem.observe(cells[2])
                lines[int(cells[0])] = cells[2]
            else:
                answer, old = (
                    lines[int(cells[1])],
                    {lines[int(n)] for n in cells[2].split(",") if n},
                )
                yield note.asked(
                    sitting.mem, cells[0], "life", number,
                    lambda m, answer=answer: m.text == answer,
                    lambda m, old=old: m.text in old,
                )  # fmt: skip


def exams(note: Recorder, names: Sequence[str] = ("b", "c", "e")) -> Iterator[Asked]:
    """Yield the questions of the sets of updates, traps and confirmations."""
    for name in names:
        lines = (HERE / "exams" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        talk = [row["said"] for row in rows if row["kind"] == "talk"]
        groups: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            if row["kind"] != "talk":
                groups.setdefault(row["group"], []).append(row)
        for number, group in groups.items():
            sitting = exam.Sitting(random.Random(number))
            for _ in sitting.sit([{**row, "questions": []} for row in group], talk):
                pass
            for row in group:
                texts = {"update": "said", "trap": "known", "keep": "known said"}[row["kind"]]
                right = {row[each] for each in texts.split()}
                old = {row["known"]} if row["kind"] == "update" else set()
                for question in row["questions"]:
                    yield note.asked(
                        sitting.mem, question, row["kind"], number,
                        lambda m, right=right: m.text in right,
                        lambda m, old=old: m.text in old,
                    )  # fmt: skip


class Fitted(NamedTuple):
    """Trees, and the signs they look at."""

    names: list[str]
    model: lightgbm.Booster

    def row(self) -> str:
        """Return the table as vividmem holds it."""
        found = list[str]()
        for tree in self.model.dump_model()["tree_info"]:
            found += written_out(tree["tree_structure"])
        return "\n".join([wrapped(", ".join(self.names)), wrapped(" ".join(found))])


def written_out(node: Mapping[str, Any]) -> list[str]:
    """Return the tree under *node*, each node before what hangs below it."""
    if "leaf_value" in node:
        return [short(f"{node['leaf_value']:.3f}")]
    low, high = written_out(node["left_child"]), written_out(node["right_child"])
    limit = short(f"{node['threshold']:.3g}")
    return [f"{node['split_feature']}:{limit}", *low, *high]


def fitted(asked: Sequence[Asked]) -> Fitted:
    """Return the trees that put the right hits of *asked* first."""
    use = [each for each in asked if each.signs and any(each.right)]
    names = sorted(use[0].signs[0])
    rows = np.array(
        [[signs[name] for name in names] for each in use for signs in each.signs], float
    )
    data = lightgbm.Dataset(
        rows, [int(right) for each in use for right in each.right],
        group=[len(each.right) for each in use],
        weight=[WEIGHTS[each.kind] for each in use for _ in each.right],
    )  # fmt: skip
    told = {"objective": "lambdarank", "lambdarank_truncation_level": 5, "verbose": -1,
            "num_threads": 1, "seed": 0, "deterministic": True, **TREES}  # fmt: skip
    return Fitted(names, lightgbm.train(told, data, ROUNDS))


def orders(asked: Sequence[Asked], trees: Fitted | None) -> list[np.ndarray]:
    """Return the hits of each question in the order of *trees*; as they came without."""
    found = []
    for each in asked:
        if trees is None or not each.signs:
            found.append(np.arange(len(each.right)))
            continue
        rows = np.array([[signs[name] for name in trees.names] for signs in each.signs], float)
        found.append(np.argsort(-trees.model.predict(rows), kind="stable"))
    return found


def report(title: str, asked: Sequence[Asked], found: Sequence[np.ndarray]) -> None:
    """Print by kind the share of answers first, among three, five and ten, and of stale ones."""
    for kind in WEIGHTS:
        rows = [
            (each, order) for each, order in zip(asked, found, strict=True) if each.kind == kind
        ]
        if rows:
            shares = [
                np.mean([any(each.right[n] for n in order[:k]) for each, order in rows])
                for k in (1, 3, 5, 10)
            ]
            stale = np.mean([any(each.stale[n] for n in order[:3]) for each, order in rows])
            told = " ".join(f"{share:.3f}" for share in shares)
            print(f"{title:8} {kind:7} {len(rows):5} questions: {told}, stale {stale:.3f}")


def main() -> None:
    """Measure, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    note = Recorder()
    asked = [*lives(note, apart=False), *exams(note)]
    left_out = list(lives(note, apart=True))
    if args.write:
        source = CORE.read_text(encoding="utf-8")
        CORE.write_text(replaced(source, "PRECEDENCE", fitted(asked).row()), encoding="utf-8")
        return
    found: list[np.ndarray] = [np.arange(0)] * len(asked)
    for part in range(PARTS):
        trees = fitted([each for each in asked if each.part != part])
        for at, (each, order) in enumerate(zip(asked, orders(asked, trees), strict=True)):
            if each.part == part:
                found[at] = order
    report("as found", asked, orders(asked, None))
    report("ordered", asked, found)
    report("apart", left_out, orders(left_out, None))
    report("apart +", left_out, orders(left_out, fitted(asked)))


if __name__ == "__main__":
    main()
