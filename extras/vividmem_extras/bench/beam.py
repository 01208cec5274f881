"""BEAM: whether source messages are found, and the new statement above the old one.

Each chat is one store and each message one memory, added in order: the user's as
``add_social_impression("User", …)``, the assistant's as ``add_self_reflection(…)``, being the
agent's own words. ``vividmem-observe`` sends every message through the write gate instead:
``observe(…, entity="User", speaker="User")``, the assistant's with ``speaker="assistant"``; what is
superseded is no longer answered, and the new statement then stands alone. The data give a date
(``time_anchor``) for the first message of a batch only; the messages after it are laid one minute
apart from it. The episode is the group of turns the data put a message in. A message longer than
the library's default limit of 20,000 characters is cut at paragraphs into several memories, for all
systems alike; any of them counts as the message.

All categories are asked but abstention, which has no source. Recall@k and MRR are as in `locomo`.
``new>old`` is over the knowledge_update questions: the share in which the first message of
``updated_info`` ranks above the first of ``original_info`` within the 20 results; a pair of which
neither is found counts against the system, and one message that is both is no pair.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import fmean
from typing import Any

from vividmem_extras.bench.data import DataError, checked
from vividmem_extras.bench.metrics import (
    CUTS,
    DEPTH,
    Outcome,
    means,
    outcome,
    per_category,
    reciprocal_rank,
    unique,
)
from vividmem_extras.bench.peers import AGENT, Item, MissingPeerError, chosen, fill, start
from vividmem_extras.bench.report import Cell, Report

DEFAULT_SYSTEMS = "vividmem,vividmem-observe,fts5,bm25s"
COLUMNS = ("system", "category", "questions", *(f"R@{cut}" for cut in CUTS), "MRR", "new>old")
UPDATES = "knowledge_update"
MAX_TEXT = 20_000  # characters; the library's default
MESSAGE_GAP = 60.0  # seconds from one message to the next; the data give days only
EPOCH = 1_700_000_000.0  # when a chat without any anchor starts


@dataclass(frozen=True, slots=True)
class Question:
    """One question, the messages it rests on, and which of them say the new and the old."""

    text: str
    category: str
    evidence: frozenset[int]
    updated: frozenset[int] = frozenset()
    original: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Chat:
    """One store's worth of messages; *message_ids* run parallel to *items*."""

    items: tuple[Item, ...]
    message_ids: tuple[int, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How one question went; *newer_first* is None unless it is about an update."""

    outcome: Outcome
    newer_first: bool | None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder of chats, each with chat.json"
    )
    parser.add_argument("--systems", default="", help=f"of {DEFAULT_SYSTEMS}, and others")


def run(args: argparse.Namespace) -> Report:
    """Ask every question of every system; the short form takes the first chat."""
    names = chosen(args.systems, DEFAULT_SYSTEMS)
    source = checked(args.data)
    chats = load(args.data)[: 1 if args.short else None]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        try:
            rows += table_rows(name, measure(name, chats))
        except MissingPeerError as err:
            rows.append((name, str(err)))
    messages = sum(len(set(chat.message_ids)) for chat in chats)
    notes = (
        f"{len(chats)} chats, {messages} messages. R@k: share of a question's source messages"
        f" in the first k, mean over questions. new>old: updated message above the"
        f" original in {DEPTH}.",
    )
    settings: dict[str, Cell] = {"chats": len(chats), "depth": DEPTH}
    return Report("beam", COLUMNS, tuple(rows), notes, source, settings)


def table_rows(name: str, results: list[Result]) -> list[tuple[Cell, ...]]:
    """Return the lines of one system; the update column belongs to the update questions."""
    pairs = [result.newer_first for result in results if result.newer_first is not None]
    share = fmean(pairs) if pairs else None
    groups = per_category([result.outcome for result in results])
    return [
        (name, category, len(group), *means(group), share if category in ("all", UPDATES) else None)
        for category, group in groups.items()
    ]


def measure(name: str, chats: Iterable[Chat]) -> list[Result]:
    """Return how the system *name* does on every question, one fresh store per chat."""
    results = []
    for chat in chats:
        system = start(name, max(item.when for item in chat.items))
        fill(system, chat.items)
        for question in chat.questions:
            numbers = system.search(question.text, DEPTH)
            results.append(judge(question, unique(chat.message_ids[number] for number in numbers)))
        system.close()
    return results


def judge(question: Question, ranked: list[int]) -> Result:
    """Judge one ranking of message ids."""
    verdict = outcome(question.category, ranked, question.evidence)
    if not (question.updated and question.original):
        return Result(verdict, None)
    return Result(verdict, newer_first(ranked, question.updated, question.original))


def newer_first(ranked: list[int], updated: frozenset[int], original: frozenset[int]) -> bool:
    """Tell whether the first *updated* message ranks above the first *original* one.

    >>> newer_first([7, 3], frozenset([7]), frozenset([3])), newer_first([], {7}, {3})
    (True, False)
    """
    return reciprocal_rank(ranked, updated) > reciprocal_rank(ranked, original)


def load(folder: Path) -> list[Chat]:
    """Read the chats of a folder, in the order of their numbers."""
    paths = sorted(folder.glob("*/chat.json"), key=lambda path: (len(path.parent.name), str(path)))
    if not paths:
        raise DataError(f"{folder} holds no chat.json one level below")
    chats = []
    for path in paths:
        asked = path.parent / "probing_questions" / "probing_questions.json"
        try:
            batches = json.loads(path.read_text(encoding="utf-8"))
            questions = json.loads(asked.read_text(encoding="utf-8"))
            chats.append(chat(batches, questions))
        except (OSError, json.JSONDecodeError, KeyError, TypeError) as err:
            raise DataError(f"{path.parent} is not a BEAM chat: {err!r}") from err
    return chats


def chat(batches: list[dict[str, Any]], asked: dict[str, list[dict[str, Any]]]) -> Chat:
    """Read one chat and its questions."""
    items, message_ids = [], []
    when = EPOCH
    for episode, message in _messages(batches):
        anchor = message.get("time_anchor")
        when = anchor_time(anchor) if anchor else when + MESSAGE_GAP
        speaker = AGENT if message["role"] == "assistant" else "User"
        for part in parts(message["content"], MAX_TEXT):
            items.append(Item(part, speaker, when, episode))
            message_ids.append(message["id"])
    questions = (question(category, each) for category, group in asked.items() for each in group)
    return Chat(tuple(items), tuple(message_ids), tuple(q for q in questions if q.evidence))


def question(category: str, record: dict[str, Any]) -> Question:
    """Read one question; its sources are a list, or a dict of lists for pairs of statements."""
    sources: Any = record.get("source_chat_ids") or []
    updated, original = frozenset[int](), frozenset[int]()
    if category == UPDATES:
        new = frozenset(numbers(sources["updated_info"]))
        old = frozenset(numbers(sources["original_info"]))
        updated, original = new - old, old - new
    return Question(record["question"], category, frozenset(numbers(sources)), updated, original)


def numbers(sources: Any) -> Iterator[int]:
    """Yield the message ids in nested lists and dicts.

    >>> list(numbers({"first": [2], "second": [[0], 5]}))
    [2, 0, 5]
    """
    if isinstance(sources, int):
        yield sources
        return
    for each in sources.values() if isinstance(sources, dict) else sources:
        yield from numbers(each)


def parts(text: str, limit: int) -> list[str]:
    r"""Cut *text* after line breaks into parts of at most *limit* characters.

    >>> parts("one\ntwo\nthree", 8)
    ['one\ntwo\n', 'three']
    """
    cut = []
    while len(text) > limit:
        at = text.rfind("\n", 0, limit) + 1 or limit
        cut.append(text[:at])
        text = text[at:]
    return [part for part in (*cut, text) if part.strip()]


def anchor_time(text: str) -> float:
    """Return a ``time_anchor`` as Unix seconds, read as UTC.

    >>> anchor_time("March-15-2024")
    1710460800.0
    """
    moment = datetime.strptime(text.strip(), "%B-%d-%Y")
    return moment.replace(tzinfo=timezone.utc).timestamp()


def _messages(batches: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every message with the name of its group of turns."""
    for batch in batches:
        for place, group in enumerate(batch["turns"]):
            for message in group:
                yield f"batch-{batch['batch_number']}/group-{place}", message
