"""LoCoMo: whether the turns that answer a question are found.

Each conversation is one store, each turn one memory, added in order through the public API:
``add_social_impression(speaker, text, when=<date of the session>, episode=<session>)``. A turn with
a picture gets the picture's caption (``blip_caption``) after its text. All systems get the same
words, the speaker's name among them (see `peers`). The clock stands at the last session. Questions
of all five categories that name evidence are asked with ``resonate(question, limit=20,
reinforce=False)``.

Recall@k is the share of a question's evidence turns among the first k, averaged over questions (not
the share of questions with any hit: that is 3-5 points higher). MRR is that of the first evidence
turn within 20. Evidence ids are cleaned (``"D8:6; D9:17"``, ``"D:11:26"``); one that names no turn
of the conversation stays and counts as not found.

With ``--observe`` there is one more row, and a note on what the write gate keeps and costs: every
turn goes through ``observe(text, entity=speaker, speaker=speaker, when=…, episode=…)``.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import count, islice
from pathlib import Path
from typing import Any

from vividmem_extras.bench.data import DataError, checked
from vividmem_extras.bench.metrics import CUTS, DEPTH, Outcome, means, outcome, per_category
from vividmem_extras.bench.peers import Item, MissingPeerError, chosen, fill, start
from vividmem_extras.bench.report import Cell, Report

DEFAULT_SYSTEMS = "vividmem,fts5,bm25s,rank_bm25,minilm,vividnessmem"
OBSERVED = "vividmem-observe"
STORE, SHORT_STORE = 20_000, 2_000  # observations before one is timed
TIMED = 500  # observations that are timed
COLUMNS = ("system", "category", "questions", *(f"R@{cut}" for cut in CUTS), "MRR")
CATEGORIES = {
    1: "1 multi-hop",
    2: "2 temporal",
    3: "3 open-domain",
    4: "4 single-hop",
    5: "5 adversarial",
}

_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the ids of the turns that answer it."""

    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One store's worth of turns; *turn_ids* run parallel to *items*."""

    items: tuple[Item, ...]
    turn_ids: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def end(self) -> float:
        """When the last session took place."""
        return max(item.when for item in self.items)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument("--data", type=Path, required=True, help="locomo_dev.json or locomo10.json")
    parser.add_argument("--systems", default="", help=f"of {DEFAULT_SYSTEMS}")
    parser.add_argument(
        "--observe", action="store_true", help="also vividmem with every turn through `observe`"
    )


def run(args: argparse.Namespace) -> Report:
    """Ask every question of every system; the short form takes the first conversation."""
    names = chosen(args.systems, DEFAULT_SYSTEMS)
    names += [OBSERVED] if args.observe and OBSERVED not in names else []
    source = checked(args.data)
    conversations = load(args.data)[: 1 if args.short else None]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        try:
            outcomes = measure(name, conversations)
        except MissingPeerError as err:
            rows.append((name, str(err)))
            continue
        for category, group in per_category(outcomes).items():
            rows.append((name, category, len(group), *means(group)))
    turns = sum(len(conversation.items) for conversation in conversations)
    notes = (
        f"{len(conversations)} conversations, {turns} turns. R@k: share of a question's evidence"
        f" turns in the first k, mean over questions; MRR of the first one within {DEPTH}.",
        *(gate_notes(conversations, SHORT_STORE if args.short else STORE) if args.observe else ()),
    )
    settings: dict[str, Cell] = {"conversations": len(conversations), "depth": DEPTH}
    return Report("locomo", COLUMNS, tuple(rows), notes, source, settings)


def measure(name: str, conversations: Iterable[Conversation]) -> list[Outcome]:
    """Return how the system *name* does on every question, one fresh store per conversation."""
    outcomes = []
    for conversation in conversations:
        system = start(name, conversation.end)
        fill(system, conversation.items)
        for question in conversation.questions:
            numbers = system.search(question.text, DEPTH)
            ranked = [conversation.turn_ids[number] for number in numbers]
            outcomes.append(outcome(question.category, ranked, question.evidence))
        system.close()
    return outcomes


def gate_notes(conversations: Sequence[Conversation], size: int) -> list[str]:
    """Return what the write gate keeps and what it costs, in words."""
    try:
        stored, turns, each, full = gate_cost(conversations, size)
    except MissingPeerError as err:
        return [f"{OBSERVED}: {err}"]
    return [
        f"{OBSERVED}: {stored / turns:.3f} of the turns stored; {1e6 * each:.0f} us CPU per"
        f" observation, {1e6 * full:.0f} us after {size} others in one store."
    ]


def gate_cost(conversations: Sequence[Conversation], size: int) -> tuple[int, int, float, float]:
    """Return turns stored, turns told, and CPU seconds each: on average, and after *size*."""
    gates = [observed(conversation) for conversation in conversations]
    turns = sum(len(conversation.items) for conversation in conversations)
    spent = sum(seconds for _, seconds in gates)
    stored = sum(number for number, _ in gates)
    return stored, turns, spent / turns, cost_at(size, conversations)


def observed(conversation: Conversation) -> tuple[int, float]:
    """Return how many turns of *conversation* the gate stores, and the CPU seconds it takes."""
    system = start(OBSERVED, conversation.end)
    begun = time.process_time()
    fill(system, conversation.items)
    spent = time.process_time() - begun
    stored: int = getattr(system, "stored", 0)
    system.close()
    return stored, spent


def cost_at(size: int, conversations: Sequence[Conversation]) -> float:
    """Return the CPU seconds of one observation after *size* others.

    The store is filled with copies of all turns, the speakers of each copy being other people.
    """
    turns = [item for conversation in conversations for item in conversation.items]
    copies = (
        replace(item, speaker=f"{item.speaker} {number}", episode=f"{item.episode}-{number}")
        for number in count()
        for item in turns
    )
    system = start(OBSERVED, max(item.when for item in turns))
    fill(system, islice(copies, size))
    timed = list(islice(copies, TIMED))
    begun = time.process_time()
    fill(system, timed)
    spent = time.process_time() - begun
    system.close()
    return spent / len(timed)


def load(path: Path) -> list[Conversation]:
    """Read the conversations of a LoCoMo file."""
    try:
        samples = json.loads(path.read_text(encoding="utf-8"))
        return [conversation(sample) for sample in samples]
    except (json.JSONDecodeError, KeyError, TypeError) as err:
        raise DataError(f"{path} is not a LoCoMo file: {err!r}") from err


def conversation(sample: dict[str, Any]) -> Conversation:
    """Read one conversation."""
    sessions = sample["conversation"]
    names = sorted(filter(_SESSION.fullmatch, sessions), key=lambda name: int(name[8:]))
    items, turn_ids = [], []
    for name in names:
        when = session_time(sessions[f"{name}_date_time"])
        for turn in sessions[name]:
            items.append(Item(turn_text(turn), turn["speaker"], when, name))
            turn_ids.append(turn["dia_id"])
    questions = (
        Question(each["question"], CATEGORIES[each["category"]], clean_evidence(each["evidence"]))
        for each in sample["qa"]
    )
    return Conversation(tuple(items), tuple(turn_ids), tuple(q for q in questions if q.evidence))


def turn_text(turn: dict[str, Any]) -> str:
    """Return what was said, with the caption of the picture that came with it.

    >>> turn_text({"text": "Look!", "blip_caption": "a photo of a dog"})
    'Look! a photo of a dog'
    """
    caption: str = turn.get("blip_caption") or ""
    return f"{turn['text']} {caption}".strip()


def session_time(text: str) -> float:
    """Return a session's date as Unix seconds, read as UTC.

    >>> session_time("1:56 pm on 8 May, 2023")
    1683554160.0
    """
    moment = datetime.strptime(text.strip(), "%I:%M %p on %d %B, %Y")
    return moment.replace(tzinfo=timezone.utc).timestamp()


def clean_evidence(ids: Iterable[str]) -> frozenset[str]:
    """Return the turn ids hidden in a question's evidence strings.

    >>> sorted(clean_evidence(["D8:6; D9:17", "D:11:26"]))
    ['D11:26', 'D8:6', 'D9:17']
    """
    pairs = (match for text in ids for match in _TURN_ID.findall(text))
    return frozenset(f"D{session}:{int(turn)}" for session, turn in pairs)
