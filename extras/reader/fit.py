"""Fit the models of the reader and write their tables into vividmem.py.

    python extras/reader/fit.py            print how well they do on held-out sentences
    python extras/reader/fit.py --write    fit on all sentences and rewrite the tables

Needs numpy and scikit-learn. Sentences, all written for this purpose:

    statements.tsv   family, type, value, sentence; s: states how it is, u: tells that it has
                     changed, q: asks, n: only mentions
    traps.tsv        family, known statement, its value, a sentence that changes nothing of it
    nothing.txt      sentences of no family
    pairs.tsv        kind, topic, known statement, a later one, old value, new value, and mostly a
                     question that asks for it; u: it takes the place of the known one, e: it ends
                     it, t: it changes nothing of it, k: it says the same or more
    together.tsv     name of a set, a statement: those of a set are true together; sets named p and
                     q tell of one subject, the others of things that resemble each other
    mistaken.tsv     u or t, known, later statement: pairs of users' streams that an earlier fit
                     held for likely
    streams/         lives of users: T, number, days since the last, statement, numbers of what it
                     makes out of date, with p if in part; Q, question, number of the answer, of
                     stale ones. 5, 6, 9 and 12 are not fitted on (exam.py)
"""

from __future__ import annotations

import argparse
import functools
import itertools
import random
import re
import sys
import textwrap
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
CORE = HERE.parents[1] / "vividmem.py"
sys.path.insert(0, str(CORE.parent))

import vividmem as vm  # noqa: E402

RENAMED = {"hair_glasses": "glasses", "wifi_or_place": "open"}
EXTRA = ("shop", "childcare", "favourite", "open")  # families without a row of their own
LEAST, FEWEST = 0.45, 2


class Row(NamedTuple):
    """A sentence with the family it belongs to."""

    family: str
    type: str  # s, u, q, n, t (trap) or z (of no family)
    value: str
    text: str
    known: str = ""  # of a trap: the statement it does not change


def rows() -> list[Row]:
    """Return all sentences."""
    found = []
    for line in (HERE / "statements.tsv").read_text(encoding="utf-8").splitlines():
        family, sort, value, text = line.split("\t")
        found.append(Row(RENAMED.get(family, family), sort, value, text))
    for line in (HERE / "traps.tsv").read_text(encoding="utf-8").splitlines():
        family, known, value, text = line.split("\t")
        found.append(Row(RENAMED.get(family, family), "t", value, text, known))
    for text in (HERE / "nothing.txt").read_text(encoding="utf-8").splitlines():
        found.append(Row(vm.NO_FAMILY, "z", "-", text))
    return found


class Written(NamedTuple):
    """A row of pairs.tsv."""

    kind: str  # u, e, t or k
    topic: str
    known: str
    said: str
    old: str
    new: str
    question: str = ""

    @property
    def changes(self) -> bool:
        """Return whether what is said takes the place of what is known, or ends it."""
        return self.kind in "ue"


@functools.cache
def written_pairs() -> list[Written]:
    """Return the rows of pairs.tsv."""
    lines = (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    return [Written(*line.split("\t")) for line in lines]


@functools.cache
def said_of_several() -> frozenset[str]:
    """Return the later statements held against several known ones, which change one of them.

    What such a one says by itself tells nothing of whether it changes something.
    """
    often = Counter(pair.said for pair in written_pairs())
    return frozenset(said for said, times in often.items() if times > 1)


def told_once(pairs: Iterable[Written]) -> list[Written]:
    """Return those of *pairs* whose later statement is held against one known one."""
    return [pair for pair in pairs if pair.said not in said_of_several()]


def untaught() -> vm.Frames:
    """Return the frames without what was fitted before."""
    vm.TELLING_LIFE = vm.TELLING_WORK = ""
    vm._frames_of.cache_clear()
    return vm.frames_of()


# Related words: what statements answer a word of a question with.


def related_words(written: Iterable[Written]) -> dict[str, list[str]]:
    """Return for terms that ask the terms that statements on the same slot hold, closest first.

    A slot is asked with the words of its topic, its first statement and its questions.
    """
    slots: dict[str, tuple[set[str], set[str]]] = {}
    for pair in written:
        asks, tells = slots.setdefault(pair.known, (set(), set()))
        asks.update(told_by(pair.topic), told_by(pair.known), told_by(pair.question))
        tells.update(told_by(pair.topic), told_by(pair.known))
        tells.update(told_by(pair.said) if pair.kind != "t" else ())
    asking = Counter(word for asks, _ in slots.values() for word in asks)
    telling = Counter(word for _, tells in slots.values() for word in tells)
    both = Counter((one, other) for asks, tells in slots.values() for one in asks
                   for other in tells if other != one)  # fmt: skip
    found: dict[str, list[tuple[float, str]]] = {}
    for (one, other), count in both.items():
        expected = asking[one] * telling[other] / len(slots)
        close = (count - expected) / (asking[one] + 4)
        if count >= TOGETHER and count > LIFT * expected and close >= CLOSE:
            found.setdefault(one, []).append((-close, other))
    often = Counter(other for row in found.values() for _, other in row)
    kept = {one: [other for _, other in sorted(row) if often[other] <= ANYWHERE][:NEAR]
            for one, row in sorted(found.items())}  # fmt: skip
    return {one: row for one, row in kept.items() if row}


@functools.lru_cache(maxsize=2**16)
def told_by(text: str) -> frozenset[str]:
    """Return the terms of *text* that are words of a language."""
    return frozenset(term for term in vm.terms(text) if term.isalpha() and len(term) > 1)


TOGETHER, LIFT = 3, 2.7  # slots that hold both, and how much more often than by chance
ANYWHERE = 30  # terms beside which a word may stand; beside more it tells nothing
CLOSE, NEAR = 0.05, 8  # share of a word's slots that hold the other, words related to one


# Families: a softmax over sums of weights of words, none below zero, most of them zero.


class Seen(NamedTuple):
    """What the model of families sees of a row."""

    words: frozenset[str]
    hints: dict[str, float]


def seen(row: Row, table: vm.Frames) -> Seen:
    """Return words and hints of *row*; the hints as they are weighed in vividmem."""
    words: set[str] = set()
    hints: dict[str, float] = {}
    for sentence in vm.sentences(row.text):
        said = vm.parsed(sentence, table)
        words |= vm.words_telling(said.tokens, said.spans)
        if row.type == "q":
            tokens = [t for t in said.tokens if t.low not in vm.listed("breaks")]
            spans = vm.spans_of(tokens, table)
            text = " ".join(token.low for token in tokens)
            clause = vm.Clause(tokens, text, spans, "", True, vm.marks_in(text))
            cues = vm._asked_scores(clause, table)
            more = {name: vm.ASKED_BY * min(score, 4.0) for name, score in cues.items()}
        else:
            reader = vm.Reader(table, vm.Talk(""))
            for clause in said.clauses:
                reader.read(clause)
            more = vm.statement_hints(said, reader.claims)
        for name, add in more.items():
            hints[name] = max(add, hints.get(name, 0.0))
    for word in words:
        for name, share in table.links.get(word, {}).items():
            hints[name] = hints.get(name, 0.0) + vm.LINKED * share
    return Seen(frozenset(words), hints)


class Families(NamedTuple):
    """The fitted model of families."""

    names: list[str]
    vocabulary: dict[str, int]
    weights: np.ndarray
    biases: np.ndarray

    def probabilities(self, given: Sequence[Seen]) -> np.ndarray:
        """Return a row of probabilities for each of *given*."""
        sums = Held(given, self.vocabulary).summed(self.weights) + self.biases
        sums += hinted(given, self.names)
        odds = np.exp(sums - sums.max(1, keepdims=True))
        return odds / odds.sum(1, keepdims=True)


class Held:
    """Which words each of some rows holds; sums over them both ways."""

    def __init__(self, given: Sequence[Seen], vocabulary: dict[str, int]) -> None:
        """Look the words of *given* up in *vocabulary*; a last word, which all hold, fills gaps."""
        self.filler = len(vocabulary)
        words, rows, self.starts = [], [], []
        for at, one in enumerate(given):
            self.starts.append(len(words))
            held = [*(vocabulary[word] for word in one.words if word in vocabulary), self.filler]
            words += held
            rows += [at] * len(held)
        self.words, self.rows = np.array(words), np.array(rows)
        self.order = np.argsort(self.words, kind="stable")
        present, firsts = np.unique(self.words[self.order], return_index=True)
        self.present, self.firsts = present, firsts

    def summed(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the words of each row."""
        padded = np.vstack([weights, np.zeros((1, weights.shape[1]), weights.dtype)])
        return np.add.reduceat(padded[self.words], self.starts)

    def gathered(self, gaps: np.ndarray) -> np.ndarray:
        """Return the sum of *gaps* of the rows that hold each word."""
        found = np.zeros((self.filler + 1, gaps.shape[1]), gaps.dtype)
        found[self.present] = np.add.reduceat(gaps[self.rows[self.order]], self.firsts)
        return found[:-1]


def hinted(given: Sequence[Seen], names: Sequence[str]) -> np.ndarray:
    """Return the hints of each of *given* by family."""
    place = {name: at for at, name in enumerate(names)}
    found = np.zeros((len(given), len(names)), np.float32)
    for at, one in enumerate(given):
        for name, add in one.hints.items():
            if name in place:
                found[at, place[name]] = add
    return found


def fitted(given: Sequence[Seen], families: Sequence[str], names: list[str]) -> Families:
    """Return the model of *families* of *given*, by Adam with a penalty on the sum of weights."""
    counts = Counter(word for one in given for word in one.words)
    kept = sorted(word for word, count in counts.items() if count >= FEWEST)
    vocabulary = {word: at for at, word in enumerate(kept)}
    matrix, hints = Held(given, vocabulary), hinted(given, names)
    wanted = np.zeros((len(given), len(names)), np.float32)
    wanted[np.arange(len(given)), [names.index(family) for family in families]] = 1
    weights = np.full((len(vocabulary), len(names)), 0.02, np.float32)
    biases = np.zeros(len(names), np.float32)
    moments = [(np.zeros_like(p), np.zeros_like(p)) for p in (weights, biases)]
    for step in range(1, STEPS + 1):
        sums = matrix.summed(weights) + biases + hints
        odds = np.exp(sums - sums.max(1, keepdims=True))
        gap = (odds / odds.sum(1, keepdims=True) - wanted) / len(given)
        for part, slope, (first, second) in zip(
            (weights, biases), (matrix.gathered(gap) + PENALTY, gap.sum(0)), moments, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            rate = RATE / (1 - 0.9**step)
            part -= rate * first / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        np.maximum(weights, 0, out=weights)
    return Families(names, vocabulary, weights, biases)


STEPS, RATE, PENALTY = 200, 0.05, 5e-5


# Assertion and succession: logistic regression with a quadratic penalty.


def logistic(
    matrix: np.ndarray | csr_matrix, wanted: np.ndarray, share: np.ndarray, penalty: float
) -> np.ndarray:
    """Return the weights of a logistic regression whose rows count by *share*."""
    model = LogisticRegression(C=1 / penalty, fit_intercept=False, max_iter=1000, tol=1e-6)
    return model.fit(matrix, wanted, sample_weight=share / share.sum()).coef_[0]


def assertions(
    some: Sequence[Row], written: Sequence[Written], table: vm.Frames
) -> dict[str, float]:
    """Return the weights of what tells that a sentence states a change."""
    used = [row for row in some if row.type in "untz"]
    words = [vm.words_asserting(text, table) for text in (
        *(row.text for row in used), *(pair.said for pair in written))]  # fmt: skip
    counts = Counter(word for each in words for word in each)
    place = {word: at for at, word in enumerate(sorted(w for w, n in counts.items() if n >= OFTEN))}
    held = [(at, place[word]) for at, each in enumerate(words) for word in each if word in place]
    at, column = zip(*sorted(held), strict=True)
    matrix = csr_matrix((np.ones(len(held)), (at, column)), shape=(len(words), len(place)))
    wanted = np.array([row.type == "u" for row in used] + [pair.changes for pair in written])
    share = np.array([1.0] * len(used) + [_WRITTEN] * len(written))
    share[wanted] *= 0.5 / share[wanted].sum()
    share[~wanted] *= 0.5 / share[~wanted].sum()
    weights = logistic(matrix, wanted, share, 1.5e-4)
    return {word: round(float(weights[at]), 1) for word, at in place.items()
            if abs(weights[at]) >= SMALLEST}  # fmt: skip


_WRITTEN = 2.0  # what a sentence of a pair counts: the words of both kinds are alike there
OFTEN, SMALLEST = 5, 0.2


class Pair(NamedTuple):
    """A known slot, a text, and whether the text gives the slot a new value."""

    text: str
    slot: vm.Claim
    new: bool
    share: float
    sort: str


def slot(family: str, value: str, subject: str, table: vm.Frames) -> vm.Claim:
    """Return the known slot of *family* of *subject*."""
    known = family in table.rows
    single = table.rows[family].single if known else True
    name = family if known else "open"
    return vm.Claim(subject, name, "", value, True, "current", single, False, "", (), 1.0)


def subject_of(text: str, family: str, table: vm.Frames) -> str:
    """Return whom *text*, of a family, is about, as the reader sees it."""
    said = vm.parsed(vm.sentences(text)[0], table)
    row = table.rows.get(family) or next(iter(table.rows.values()))
    return vm.Reader(table, vm.Talk(""))._spoken_of(said, None, None, row)


class Pairs:
    """Slots with texts that change them, and many more with texts that do not."""

    def __init__(self, some: Sequence[Row], table: vm.Frames, chance: random.Random) -> None:
        """Make the pairs of *some*, with values and strangers by *chance*."""
        self.table, self.chance = table, chance
        self.found: list[Pair] = []
        self.values: dict[str, list[str]] = {}
        for row in some:
            if row.type == "s":
                self.values.setdefault(row.family, []).append(row.value)
        self.families = sorted(self.values)
        of_type = {"z": self.nothing, "u": self.update, "n": self.mention, "s": self.same,
                   "t": self.trap}  # fmt: skip
        for row in some:
            if row.type in of_type and (row.type == "z" or row.family in self.values):
                of_type[row.type](row)

    def add(self, row: Row, family: str, subject: str, share: float, **given: Any) -> None:
        """Add *row* with a slot of *family*; the slot's value is by chance if not given."""
        value = given.get("value") or self.chance.choice(self.values[family])
        known = slot(family, value, subject, self.table)
        self.found.append(Pair(row.text, known, given.get("new", False), share, row.type))

    def nothing(self, row: Row) -> None:
        """What is of no family changes no slot."""
        for name in self.chance.sample(self.families, 6):
            self.add(row, name, "", 1.0)

    def update(self, row: Row) -> None:
        """An update changes its slot, not those of other families, not that of somebody else."""
        subject = subject_of(row.text, row.family, self.table)
        self.add(row, row.family, subject, 1.0, value=row.value.partition("|")[2], new=True)
        others = [name for name in self.families if name != row.family]
        for name in self.chance.sample(others, 3):
            self.add(row, name, subject, 1.0)
        stranger = "" if subject else self.chance.choice(STRANGERS)
        self.add(row, row.family, stranger, 0.7)

    def mention(self, row: Row) -> None:
        """What only mentions a family changes nothing of it."""
        for who in (subject_of(row.text, row.family, self.table), ""):
            self.add(row, row.family, who, 2.0)

    def same(self, row: Row) -> None:
        """The same told again changes nothing."""
        self.add(
            row, row.family, subject_of(row.text, row.family, self.table), 0.5, value=row.value
        )

    def trap(self, row: Row) -> None:
        """A trap does not change what is known."""
        self.add(
            row, row.family, subject_of(row.known, row.family, self.table), 2.0, value=row.value
        )


STRANGERS = "nadia", "theo", "sister", "mother"


def signs(some: Iterable[Pair], table: vm.Frames) -> list[dict[str, float]]:
    """Return the signs of each pair, as vividmem sees them."""
    return [vm.signs_of(vm.scene_of(pair.text, table), pair.slot, table)[0] for pair in some]


def successions(given: Sequence[Pair], seen_: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return what each sign adds to the log-odds that a slot has a new value."""
    names, matrix = matrix_of(seen_)
    wanted = np.array([pair.new for pair in given], np.float32)
    weights = logistic(matrix, wanted, np.array([pair.share for pair in given], np.float32), 1e-3)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


# Replacement: the same over signs of two statements.


class Couple(NamedTuple):
    """A known statement, a later one, and whether the later takes its place."""

    known: str
    said: str
    new: bool
    share: float
    sort: str
    fold: int = 0  # the written ones are in one of `FOLDS` that assertions were not fitted on


def couples(some: Sequence[Row], table: vm.Frames, chance: random.Random) -> list[Couple]:
    """Return the written pairs, pairs made of *some* rows, and strangers for the later of each."""
    found, known = [], []
    for pair in written_pairs():
        share = _AGAIN if pair.said in said_of_several() else 1.0
        couple = Couple(pair.known, pair.said, pair.changes, share, pair.kind, fold_of(pair))
        found.append((pair.topic, couple))
        known.append((pair.topic, pair.known))
        theirs = of_another(pair.known, chance)
        if theirs and pair.kind == "u":
            other = couple._replace(known=theirs, new=False, sort="o", share=_OTHERS)
            found.append((pair.topic, other))
    told = Told(some, table)
    for row in some:
        if row.family not in told.families or row.type not in told.used(row):
            continue
        before = row.value.partition("|")[2] if row.type == "u" else ""
        actor = actor_in(row.text, table)
        for same in (True, False) if row.type in "us" else (True,):
            old = row.known or told.one(row.family, actor, chance, before, same=same)
            if old and not (row.type == "s" and row.value in old):
                new = row.type in "us" and same
                found.append((row.family, Couple(old, row.text, new, _MADE,
                                                 row.type if same else "o")))  # fmt: skip
                known.append((row.family, old))
    for topic, couple in found[:]:
        others = [old for other, old in chance.sample(known, _STRANGERS_EACH) if other != topic]
        found += [(topic, couple._replace(known=old, new=False, sort="x")) for old in others]
    made = [couple for _, couple in found]
    return [*made, *beside_each_other(), *mistaken(), *lived(table)]


def beside_each_other() -> Iterator[Couple]:
    """Yield all pairs of statements that are true together."""
    sets: dict[str, list[str]] = {}
    for line in (HERE / "together.tsv").read_text(encoding="utf-8").splitlines():
        name, text = line.split("\t")
        sets.setdefault(name, []).append(text)
    for name, texts in sets.items():
        share = _OF_ONE if name[0] in "pq" else _BESIDE
        for known, said in itertools.permutations(texts, 2):
            yield Couple(known, said, False, share, "b")


def mistaken() -> Iterator[Couple]:
    """Yield the pairs that an earlier fit held for likely."""
    for line in (HERE / "mistaken.tsv").read_text(encoding="utf-8").splitlines():
        kind, known, said = line.split("\t")
        yield Couple(known, said, kind == "u", _LIVED, "h")


def lived(table: vm.Frames) -> Iterator[Couple]:
    """Yield the pairs of each stream that vividmem would weigh.

    Of a long statement each part is held against the earlier ones, unless it changes something.
    """
    longest = vm.BeliefConfig().revised_words
    for path in sorted((HERE / "streams").glob("*.tsv")):
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        told = [(row[3], row[4].split(",")) for row in rows if row[0] == "T"]
        read = [vm.claims(text, "", table) for text, _ in told]
        for at, (said, ends) in enumerate(told if path.stem not in KEPT_APART else ()):
            over = {end.strip() for end in ends}
            parts = vm.told_parts(said, "", table)
            for number, (known, _) in enumerate(told[:at], 1):
                if f"{number}p" in over or vm.length_of_sentence(known) > longest:
                    continue
                if str(number) in over:
                    yield Couple(known, said, True, _LIVED, "h")
                    continue
                for part in parts:
                    if vm.may_replace(part, known, read[number - 1], table, ""):
                        yield Couple(known, part, False, _LIVED, "h")


KEPT_APART = ("5", "6", "9", "12")  # streams to measure on


def fold_of(pair: Written) -> int:
    """Return the fold of *pair*, from 1; pairs that share a statement are in the same."""
    return 1 + zlib.crc32(first_of(pair.known, beside_first()).encode()) % FOLDS


@functools.cache
def beside_first() -> dict[str, str]:
    """Return for known statements another one that is in the same group of pairs, if any."""
    beside, said = dict[str, str](), dict[str, str]()
    for pair in written_pairs():
        one = first_of(pair.known, beside)
        other = first_of(said.setdefault(pair.said, pair.known), beside)
        if one != other:
            beside[one] = other
    return beside


def first_of(known: str, beside: dict[str, str]) -> str:
    """Return the statement that stands for all those of the group of *known*."""
    while known in beside:
        known = beside[known]
    return known


FOLDS = 5


_STRANGERS_EACH = 4  # strangers for each pair
_BESIDE, _OF_ONE = 0.3, 0.15  # what a pair that is true together counts, and one of one subject
_LIVED = 2.0  # what a pair of a user's stream counts
_AGAIN = 0.5  # what a pair counts whose later statement is held against other known ones, too
_MADE, _OTHERS = 0.2, 0.5  # what a pair made of rows counts, and one of somebody else


def of_another(known: str, chance: random.Random) -> str:
    """Return *known*, which tells of the speaker, as told of somebody else; "" if it does not."""
    led, _, rest = known.partition(" ")
    who = chance.choice(("Noor", "Felix", "Priya", "Tom", "My sister", "My brother", "My boss"))
    return f"{who}'s {rest}" if led.lower() in ("my", "our") else ""


def actor_in(text: str, table: vm.Frames) -> str:
    """Return of whom *text* tells first; "i" if of nobody."""
    return next(iter(vm.side_of(text, table).actors), "i")


class Told:
    """Statements of some rows, by family and by whom they are about."""

    def __init__(self, some: Sequence[Row], table: vm.Frames) -> None:
        """Sort the statements among *some*."""
        self.single = {name for name, row in table.rows.items() if row.single}
        self.families: dict[str, list[tuple[str, Row]]] = {}
        for row in some:
            if row.type == "s" and row.value in row.text:
                self.families.setdefault(row.family, []).append((actor_in(row.text, table), row))

    def used(self, row: Row) -> str:
        """Return the types of which pairs are made in the family of *row*.

        Where one holds one value at a time, another one stated takes the place of the first.
        """
        return "unts" if row.family in self.single else "unt"

    def one(self, family: str, actor: str, chance: random.Random, value: str, *, same: bool) -> str:
        """Return a statement of *family* about *actor*, or about others, with another *value*."""
        rows = [row for who, row in self.families[family] if (who == actor) is same]
        if not rows:
            return ""
        row = chance.choice(rows)
        return row.text.replace(row.value, value) if value else row.text


class Trees(NamedTuple):
    """The fitted model of replacements: names of signs, and trees of log-odds over them."""

    names: list[str]
    model: HistGradientBoostingClassifier

    def rows(self) -> list[str]:
        """Return the names and the trees as vividmem holds them."""
        found = [f"{self.model._baseline_prediction[0][0]:.3f}"]
        for (predictor,) in self.model._predictors:
            found += written_out(predictor.nodes, 0)
        return [", ".join(self.names), " ".join(found)]


def written_out(nodes: np.ndarray, at: int) -> list[str]:
    """Return the tree under the node *at*, each node before what hangs below it."""
    node = nodes[at]
    if node["is_leaf"]:
        return [short(f"{node['value']:.3f}")]
    low, high = (written_out(nodes, node[side]) for side in ("left", "right"))
    limit = short(f"{node['num_threshold']:.3g}")
    return [f"{node['feature_idx']}:{limit if limit != '.5' else ''}", *low, *high]


def short(number: str) -> str:
    """Return *number* without the nought before its point."""
    return re.sub(r"^(-?)0\.", r"\1.", number)


def replacements(given: Sequence[Couple], seen_: Sequence[dict[str, float]]) -> Trees:
    """Return trees over the signs of two statements for the log-odds of a replacement."""
    names, matrix = matrix_of(seen_)
    model = HistGradientBoostingClassifier(
        max_iter=TREES, learning_rate=0.08, max_leaf_nodes=12, l2_regularization=2.0,
        min_samples_leaf=40, early_stopping=False, random_state=0,
    )  # fmt: skip
    model.fit(
        matrix,
        np.array([couple.new for couple in given]),
        sample_weight=np.array([couple.share for couple in given]),
    )
    return Trees(names, model)


TREES = 200


def couple_signs(
    given: Sequence[Couple], taught: Taught, some: Sequence[Row], table: vm.Frames
) -> list[dict[str, float]]:
    """Return the signs of each couple, as vividmem sees them that never saw its later statement."""
    found: list[dict[str, float]] = [{}] * len(given)
    for fold in range(FOLDS + 1):
        seen_ = [pair for pair in written_pairs() if fold_of(pair) != fold]
        taught.read_by(assertions(some, told_once(seen_), table), related_words(told_once(seen_)))
        for at, couple in enumerate(given):
            if couple.fold == fold:
                told = vm.claims(couple.known, "", table)
                found[at] = vm.pair_signs(couple.said, couple.known, told, table)
    taught.read_by(taught.asserting, related_words(told_once(written_pairs())))
    return found


def matrix_of(given: Sequence[dict[str, float]]) -> tuple[list[str], np.ndarray]:
    """Return the names of all signs, and a row of their values for each of *given*."""
    names = sorted({name for each in given for name in each})
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((len(given), len(names)), np.float32)
    for at, each in enumerate(given):
        for name, value in each.items():
            matrix[at, place[name]] = value
    return names, matrix


# The tables, as vividmem.py holds them.


def by_weight(weights: dict[str, float]) -> str:
    """Return words after their weight, the heaviest first."""
    groups: dict[float, list[str]] = {}
    for word, weight in weights.items():
        groups.setdefault(weight, []).append(word)
    return " ".join(f"{weight:g} {' '.join(sorted(groups[weight]))}" if weight % 1 else
                    f"{weight:.1f} {' '.join(sorted(groups[weight]))}"
                    for weight in sorted(groups, reverse=True))  # fmt: skip


def signed(weights: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the weights from nought, and those below it."""
    above = {word: weight for word, weight in weights.items() if weight >= 0}
    return above, {word: weight for word, weight in weights.items() if weight < 0}


def wrapped(text: str, first: str = "") -> str:
    """Return *text* in lines of at most 100 columns; those after the first begin with a blank."""
    return "\n".join(textwrap.wrap(first + text, 100, subsequent_indent=" ", break_long_words=False,
                                   break_on_hyphens=False))  # fmt: skip


def told_by_families(model: Families) -> dict[str, str]:
    """Return the row of each family: its bias, and the words that speak for it."""
    words = sorted(model.vocabulary, key=model.vocabulary.__getitem__)
    found = {}
    for at, name in enumerate(model.names):
        column = model.weights[:, at]
        kept = {words[n]: round(float(column[n]) * 2) / 2 for n in np.flatnonzero(column >= LEAST)}
        bias = float(model.biases[at])
        found[name] = f"{name}: {bias:.2f} bias {by_weight(kept)}"
    return found


def replaced(source: str, name: str, table: str) -> str:
    """Return *source* with the text of the constant *name* replaced by *table*."""
    pattern = re.compile(rf'^({name} = """\n).*?^"""$', re.DOTALL | re.MULTILINE)
    found, count = pattern.subn(lambda match: f'{match[1]}{table}\n"""', source)
    if count != 1:
        raise SystemExit(f"{name} was not found in {CORE}")
    return found


def write(
    model: Families,
    asserting: dict[str, float],
    succession: dict[str, float],
    replacement: Trees,
) -> None:
    """Put the tables into vividmem.py."""
    told = told_by_families(model)
    half = len(told) // 2
    source = CORE.read_text(encoding="utf-8")
    lines = list(told.values())
    source = replaced(source, "TELLING_LIFE", wrapped("; ".join(lines[:half])))
    source = replaced(source, "TELLING_WORK", wrapped("; ".join(lines[half:])))
    for name, part in zip(("ASSERTING", "MENTIONING"), signed(asserting), strict=True):
        source = replaced(source, name, wrapped(by_weight(part)).replace("\n ", "\n"))
    source = replaced(source, "SUCCESSION", listed(succession))
    related = halves(listed_related(related_words(told_once(written_pairs()))))
    for name, half_ in zip(("RELATED", "MORE_RELATED"), related, strict=True):
        source = replaced(source, name, wrapped(half_).replace("\n ", "\n"))
    trees = "\n".join([wrapped(row) for row in replacement.rows()])
    CORE.write_text(replaced(source, "REPLACEMENT", trees), encoding="utf-8")


def listed_related(related: dict[str, list[str]]) -> str:
    """Return terms with their related ones."""
    return "; ".join(f"{term}: {' '.join(others)}" for term, others in related.items())


def halves(listed: str) -> tuple[str, str]:
    """Return the rows of *listed* in two parts of about one length."""
    end = listed.index(";", len(listed) // 2)
    return listed[:end], listed[end + 2 :]


def listed(weights: dict[str, float]) -> str:
    """Return signs with their weights, in lines."""
    rows = "; ".join(f"{name}: {weight}" for name, weight in sorted(weights.items()) if weight)
    return textwrap.fill(rows, 98, break_long_words=False, break_on_hyphens=False)


class Taught:
    """The three models, put into the running vividmem in place of its tables."""

    def __init__(self, some: Sequence[Row], given: Sequence[Seen], names: list[str]) -> None:
        """Fit families and assertions on *some*, which were *given* so."""
        taught = [at for at, row in enumerate(some) if row.type in "suqz"]
        families = [some[at].family for at in taught]
        self.model = fitted([given[at] for at in taught], families, names)
        lines = list(told_by_families(self.model).values())
        vm.TELLING_LIFE, vm.TELLING_WORK = "\n".join(lines[:40]), "\n" + "\n".join(lines[40:])
        vm._frames_of.cache_clear()
        once = told_once(written_pairs())
        self.asserting = assertions(some, once, vm.frames_of())
        self.read_by(self.asserting, related_words(once))

    def read_by(self, asserting: dict[str, float], related: dict[str, list[str]]) -> None:
        """Let vividmem weigh assertions so, and take these words for related."""
        vm.ASSERTING, vm.MENTIONING = map(by_weight, signed(asserting))
        vm.RELATED, vm.MORE_RELATED = halves(listed_related(related))
        for cached in (vm._asserting, vm._related, vm.assertion, vm.reading_of, vm.scene_of):
            cached.cache_clear()


def measure(name: str, some: Sequence[Row], given: Sequence[Seen], model: Families) -> None:
    """Print how often the likeliest family is the right one."""
    kept = [at for at, row in enumerate(some) if row.type in "suq"]
    best = model.probabilities([given[at] for at in kept]).argmax(1)
    for sort in "suq":
        hits = [model.names[b] == some[at].family for at, b in zip(kept, best, strict=True)
                if some[at].type == sort]  # fmt: skip
        print(f"{name} {sort}: right family {np.mean(hits):.3f} of {len(hits)}")


def main() -> None:
    """Fit, measure, and with --write rewrite the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="rewrite the tables in vividmem.py")
    args = parser.parse_args()
    chance, everything = random.Random(0), rows()
    table = untaught()
    names = [vm.NO_FAMILY, *table.rows, *EXTRA]
    given = [seen(row, table) for row in everything]
    apart = [chance.random() < 0.2 for _ in everything]
    some = [row for row, held_out in zip(everything, apart, strict=True) if not held_out]
    rest = [row for row, held_out in zip(everything, apart, strict=True) if held_out]
    half = Taught(
        some, [g for g, held_out in zip(given, apart, strict=True) if not held_out], names
    )
    measure("held out", rest, [g for g, held_out in zip(given, apart, strict=True) if held_out],
            half.model)  # fmt: skip
    # Succession is fitted where the other two have not been, or it would trust them too much.
    unseen = Pairs(rest, vm.frames_of(), chance).found
    succession = successions(unseen, signs(unseen, vm.frames_of()))
    report(unseen, succession)
    found = couples(rest, vm.frames_of(), chance)
    seen_ = couple_signs(found, half, some, vm.frames_of())
    weighed = replacements(found, seen_)
    report_couples(found, seen_, weighed)
    if args.write:
        whole = Taught(everything, given, names)
        write(whole.model, whole.asserting, succession, weighed)


def report(given: Sequence[Pair], weights: dict[str, float]) -> None:
    """Print, at some thresholds, the share of updates and of each sort of others that pass."""
    found = []
    for each in signs(given, vm.frames_of()):
        odds = sum(weights.get(name, 0.0) * value for name, value in each.items())
        found.append(1 / (1 + np.exp(-odds)))
    for threshold in (0.3, 0.4, 0.5, 0.6):
        line = f"from {threshold}:"
        for sort, new in (("u", True), ("u", False), ("n", False), ("t", False), ("s", False)):
            passed = [f >= threshold for f, pair in zip(found, given, strict=True)
                      if pair.sort == sort and pair.new == new]  # fmt: skip
            line += f" {sort}{'+' if new else '-'} {np.mean(passed):.3f}"
        print(line)


def report_couples(
    given: Sequence[Couple], seen_: Sequence[dict[str, float]], trees: Trees
) -> None:
    """Print, at some thresholds, the share of each sort of couples that pass."""
    found = trees.model.predict_proba(matrix_of(seen_)[1])[:, 1]
    for threshold in (0.3, 0.5, 0.6, 0.7, 0.8):
        line = f"replacement from {threshold}:"
        for sort in "uetnkoxbh":
            passed = [f >= threshold for f, couple in zip(found, given, strict=True)
                      if couple.sort == sort]  # fmt: skip
            line += f" {sort} {np.mean(passed):.3f}"
        print(line)


if __name__ == "__main__":
    main()
