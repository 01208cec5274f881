"""Streams of facts that drift, generated from a sheet: the data of `drift`.

A sheet (`drift_dev`, `drift_heldout`) is text, one block a slot, one line a wording:

    slot NAME [SHAPE | fixed]     a slot; "fixed" never changes; a shape adds shared wordings
    v A; B; C                     values, found in no other wording of the sheet
    s                             the user states it; a second such wording restates it
    x                             an update that names the {old} value
    c                             an update told by a cue ("these days", "I changed over to")
    p                             an update that only somebody who knows the value would notice
    o, a                          the same slot of another person {n}, and the question for it
    q                             a late question, in other words
    h                             a question for what was before

A stream mixes statements, updates, restatements, the same slots of other people, facts that never
change and small talk, over half a year; the questions come weeks after the last of them. A policy
is given texts and times; `Said` holds more for the oracle and for the judge only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

SIDES = {"dev": "drift_dev", "heldout": "drift_heldout"}
START = 1_735_689_600.0  # 2025-01-01: when the first stream begins, Unix seconds
DAY = 86_400.0  # seconds
UPDATES = {"x": "explicit", "c": "cue", "p": "poor"}

_ARTICLE = re.compile(r"\b(a) (?=[aeio])(?!one)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class StreamConfig:
    """What one stream holds; counts and shares chosen by eye."""

    changing: int = 7  # slots whose value changes
    changes_twice: float = 0.3  # share of these that change once more
    kept: int = 3  # slots that could change and do not
    fixed: int = 3  # facts that never change
    others: int = 8  # the same slots of other people
    restated: int = 5  # statements told again in other words
    talk: int = 12  # sentences of small talk
    days: float = 180.0  # from the first sentence to the last
    wait: tuple[float, float] = (10.0, 40.0)  # days from there to the questions
    kinds: tuple[float, float, float] = (0.4, 0.35, 0.25)  # shares of the kinds of UPDATES


@dataclass(frozen=True, slots=True)
class Slot:
    """One block of a sheet."""

    name: str
    fixed: bool
    lines: dict[str, tuple[str, ...]]  # by the letter of the line; "v" holds the values


@dataclass(frozen=True, slots=True)
class Sheet:
    """One side's worth of wordings."""

    slots: tuple[Slot, ...]
    people: tuple[str, ...]
    talk: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a stream; its kind, key and value are hidden from policies."""

    text: str
    when: float  # Unix seconds
    kind: str  # "fact", "explicit", "cue", "poor", "restated", "other" or "talk"
    key: tuple[str, str] = ("", "")  # whose slot, which slot
    value: str = ""
    speaker: str = "user"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the value that is right now, and those that no longer are."""

    text: str
    kind: str  # how the value came last: a kind of `Said`; "kept", "other" or "history"
    current: str
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stream:
    """What is said, in order of time, and what is asked at *end*."""

    said: tuple[Said, ...]
    asked: tuple[Asked, ...]
    end: float  # Unix seconds


@dataclass(slots=True)
class _Draft:
    """A stream while it is made."""

    sheet: Sheet
    cfg: StreamConfig
    rng: random.Random
    said: list[Said] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    used: dict[str, set[str]] = field(default_factory=dict)  # values already said of each slot
    worded: dict[tuple[str, str], set[str]] = field(default_factory=dict)


@cache
def sheet(side: str) -> Sheet:
    """Return the sheet of *side*, a key of SIDES."""
    module: Any = import_module(f"vividmem_extras.bench.{SIDES[side]}")
    shapes = {name: lines for name, _, lines in _blocks(module.SHAPES)}
    slots = []
    for name, tag, lines in _blocks(module.SLOTS):
        shared = shapes.get(tag, {})
        merged = {letter: (*lines[letter], *shared.get(letter, ())) for letter in lines}
        slots.append(Slot(name, tag == "fixed", merged))
    return Sheet(tuple(slots), tuple(module.PEOPLE), tuple(module.SMALL_TALK.strip().splitlines()))


def generate(side: str, count: int, seed: int, cfg: StreamConfig | None = None) -> list[Stream]:
    """Return *count* streams of one side; the same arguments give the same streams."""
    return [
        _stream(sheet(side), random.Random(f"{side}/{seed}/{number}"), cfg or StreamConfig())
        for number in range(count)
    ]


def names(text: str, value: str) -> bool:
    """Tell whether *text* holds *value* as whole words, in whatever case.

    >>> names("The Bus is late.", "bus"), names("busy", "bus")
    (True, False)
    """
    return _pattern(value).search(text) is not None


@cache
def _pattern(value: str) -> re.Pattern[str]:
    """Return the pattern that finds *value*."""
    return re.compile(rf"(?<![\w.,:])(?<!\d-){re.escape(value)}(?!\w|[.,:]\d)", re.IGNORECASE)


def _blocks(text: str) -> Iterator[tuple[str, str, dict[str, tuple[str, ...]]]]:
    """Yield name, tag and lines of each block of a sheet."""
    for block in text.strip().split("\n\n"):
        head, *rows = block.splitlines()
        _, name, *tag = head.split()
        lines: dict[str, list[str]] = {}
        for row in rows:
            letter, words = row.split(" ", 1)
            lines.setdefault(letter, []).extend(words.split("; ") if letter == "v" else [words])
        yield name, "".join(tag), {letter: tuple(each) for letter, each in lines.items()}


def _stream(source: Sheet, rng: random.Random, cfg: StreamConfig) -> Stream:
    """Return one stream."""
    draft = _Draft(source, cfg, rng)
    can_change = [slot for slot in source.slots if not slot.fixed]
    never = [slot for slot in source.slots if slot.fixed]
    picked = rng.sample(can_change, cfg.changing + cfg.kept)
    changing, kept = picked[: cfg.changing], picked[cfg.changing :]
    for slot in changing:
        _tell_changes(draft, slot, 2 if rng.random() < cfg.changes_twice else 1)
    for slot in (*kept, *rng.sample(never, cfg.fixed)):
        _tell_changes(draft, slot, 0)
    _tell_of_others(draft, [slot for slot in picked if "o" in slot.lines])
    _restate(draft)
    for text in rng.sample(source.talk, cfg.talk):
        draft.said.append(Said(text, _time(rng.random(), cfg), "talk"))
    said = tuple(sorted(draft.said, key=lambda each: each.when))
    rng.shuffle(draft.asked)
    return Stream(said, tuple(draft.asked), said[-1].when + rng.uniform(*cfg.wait) * DAY)


def _tell_changes(draft: _Draft, slot: Slot, changes: int) -> None:
    """State the user's *slot*, change it, and ask for it."""
    rng, key = draft.rng, ("", slot.name)
    values = rng.sample(slot.lines["v"], changes + 1)
    draft.used[slot.name] = set(values)
    kind, old = "fact", ""
    for value, moment in zip(values, sorted(rng.random() for _ in range(changes + 1)), strict=True):
        letter = "s"
        if old:
            letter = rng.choices(tuple(UPDATES), draft.cfg.kinds)[0]
            kind = UPDATES[letter]
        text = _worded(draft, key, slot.lines[letter]).format(v=value, old=old)
        draft.said.append(_said(text, moment, kind, key, value, draft.cfg))
        old = value
    kind = kind if changes else "kept"
    draft.asked.append(Asked(rng.choice(slot.lines["q"]), kind, values[-1], tuple(values[:-1])))
    if changes:
        draft.asked.append(Asked(rng.choice(slot.lines["h"]), "history", values[-2]))


def _tell_of_others(draft: _Draft, slots: Iterable[Slot]) -> None:
    """State some of *slots* of other people, with values of their own, and ask for these."""
    rng = draft.rng
    pairs = [(slot, name) for slot in slots for name in draft.sheet.people]
    for slot, name in rng.sample(pairs, min(draft.cfg.others, len(pairs))):
        free = [value for value in slot.lines["v"] if value not in draft.used[slot.name]]
        if not free:
            continue
        value, key = rng.choice(free), (name, slot.name)
        draft.used[slot.name].add(value)
        text = rng.choice(slot.lines["o"]).format(n=name, v=value)
        draft.said.append(_said(text, rng.random(), "other", key, value, draft.cfg))
        draft.asked.append(Asked(rng.choice(slot.lines["a"]).format(n=name), "other", value))


def _restate(draft: _Draft) -> None:
    """Tell some of the user's facts again, in other words, while they are still true."""
    rng, days = draft.rng, draft.cfg.days * DAY
    own = [said for said in draft.said if said.key[0] == "" and said.key[1]]
    for said in rng.sample(own, min(draft.cfg.restated, len(own))):
        slot = next(slot for slot in draft.sheet.slots if slot.name == said.key[1])
        later = [each.when for each in own if each.key == said.key and each.when > said.when]
        ends = min(later, default=START + days)
        moment = (rng.uniform(said.when, ends) - START) / days
        text = _worded(draft, said.key, slot.lines["s"]).format(v=said.value)
        draft.said.append(_said(text, moment, "restated", said.key, said.value, draft.cfg))


def _worded(draft: _Draft, key: tuple[str, str], wordings: tuple[str, ...]) -> str:
    """Return one of *wordings* that was not used for this slot yet, if there is one."""
    used = draft.worded.setdefault(key, set())
    fresh = [wording for wording in wordings if wording not in used]
    wording = draft.rng.choice(fresh or wordings)
    used.add(wording)
    return wording


def _said(
    text: str, moment: float, kind: str, key: tuple[str, str], value: str, cfg: StreamConfig
) -> Said:  # fmt: skip
    """Return a sentence with a capital first letter, "an" where a value begins with a vowel."""
    text = _ARTICLE.sub(r"\1n ", text)
    return Said(text[0].upper() + text[1:], _time(moment, cfg), kind, key, value)


def _time(moment: float, cfg: StreamConfig) -> float:
    """Return the time at *moment*, 0..1 of the stream."""
    return START + moment * cfg.days * DAY
