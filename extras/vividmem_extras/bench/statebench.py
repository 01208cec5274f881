"""StateBench: whether the right strings come back, and the stale ones do not.

Each timeline is one store. Its conversation turns, user's and assistant's, are told in order, at
their times; what the data set writes into its own state (`state_write`, `supersession`) and its
initial state are not: a memory has to read the turns. A query is asked where it stands, three
results. Only queries that strings can score are asked: at least one ``must_mention`` string and at
least one ``must_not_mention`` string was said before. Strings are compared in any case and anywhere
in a text, as the data set's own judge does.

- current: a ``must_mention`` string is among the results
- stale: a ``must_not_mention`` string is among the results
- clean: current and not stale

"best" is not a system: it answers with the one turn, if any, that is current and not stale, which
is the most that answering with turns can reach. A turn that corrects by quoting the old value is
stale by its own words.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from vividmem_extras.bench.data import DataError, checked
from vividmem_extras.bench.intervals import Tally, interval, resamples
from vividmem_extras.bench.peers import AGENT, MissingPeerError
from vividmem_extras.bench.policies import SPEAKER, Policy, Vectors, maker, shown_name
from vividmem_extras.bench.report import Cell, Report
from vividmem_extras.bench.streams import Said

K = 3  # results per query
DEFAULT_POLICIES = "vividmem,store-all,newest-3,forgetting"
COLUMNS = ("policy", "track", "queries", "clean", "current", "stale")
SHORT = 40  # timelines of the short form


@dataclass(frozen=True, slots=True)
class Query:
    """One question at a moment, with the strings its answer must and must not hold."""

    text: str
    when: float  # Unix seconds
    right: tuple[str, ...]
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Turns and queries in the order they came."""

    track: str
    events: tuple[Said | Query, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the results of one query hold."""

    track: str
    current: bool
    stale: bool

    @property
    def clean(self) -> bool:
        """Whether a right string is there and no wrong one."""
        return self.current and not self.stale


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument("--data", type=Path, required=True, help="statebench_dev.jsonl")
    parser.add_argument("--systems", default="", help=f"of {DEFAULT_POLICIES}")


def run(args: argparse.Namespace) -> Report:
    """Ask every query of every policy; the short form takes the first 40 timelines."""
    source = checked(args.data)
    timelines = load(args.data)[: SHORT if args.short else None]
    makers = {
        name.strip(): maker(name.strip(), Vectors())
        for name in (args.systems or DEFAULT_POLICIES).split(",")
    }
    rows: list[tuple[Cell, ...]] = []
    for name, make in makers.items():
        try:
            judged = [measure(make, each) for each in timelines]
            rows += _rows(shown_name(name), judged)
        except MissingPeerError as err:
            rows.append((name, str(err)))
    best = [best_turn(each) for each in timelines]
    rows.append(_rows("best", best)[0])
    asked = sum(len(each) for each in best)
    notes = (
        f"{len(timelines)} timelines, {asked} queries that strings can score; k = {K}."
        " In brackets: 95 % bootstrap intervals over timelines.",
    )
    return Report("statebench", COLUMNS, tuple(rows), notes, source, {"k": K})


def measure(make: Callable[[], Policy], timeline: Timeline) -> list[Verdict]:
    """Tell one timeline to a fresh policy, and judge its answers."""
    policy, verdicts, told = make(), [], list[str]()
    for event in timeline.events:
        if isinstance(event, Said):
            policy.observe(event)
            told.append(event.text)
        elif scorable(event, told):
            results = policy.ask(event.text, K, event.when)
            verdicts.append(judge(event, results, timeline.track))
    policy.close()
    return verdicts


def best_turn(timeline: Timeline) -> list[Verdict]:
    """Return what the best single turn would be judged, one verdict a query."""
    verdicts, told = [], list[str]()
    for event in timeline.events:
        if isinstance(event, Said):
            told.append(event.text)
        elif scorable(event, told):
            single = [judge(event, [text], timeline.track) for text in told]
            verdicts.append(max(single, key=lambda verdict: (verdict.clean, verdict.current)))
    return verdicts


def scorable(query: Query, told: Sequence[str]) -> bool:
    """Tell whether both a right and a wrong string of *query* were said."""
    return holds(told, query.right) and holds(told, query.wrong)


def judge(query: Query, results: Sequence[str], track: str = "") -> Verdict:
    """Judge the *results* of one query."""
    return Verdict(track, holds(results, query.right), holds(results, query.wrong))


def holds(texts: Iterable[str], strings: Iterable[str]) -> bool:
    """Tell whether one of *strings* is in one of *texts*.

    >>> holds(["Meet in Portland."], ["portland", "Room 1"])
    True
    """
    wanted = [string.lower() for string in strings]
    return any(string in text.lower() for text in texts for string in wanted)


def load(path: Path) -> list[Timeline]:
    """Read the timelines of a StateBench file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [timeline(json.loads(line)) for line in lines if line]
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as err:
        raise DataError(f"{path} is not a StateBench file: {err!r}") from err


def timeline(record: dict[str, Any]) -> Timeline:
    """Read one timeline; its turns and queries only."""
    events: list[Said | Query] = []
    for event in record["events"]:
        when = datetime.fromisoformat(event["ts"]).replace(tzinfo=timezone.utc).timestamp()
        if event["type"] == "conversation_turn":
            speaker = AGENT if event["speaker"] == "assistant" else SPEAKER
            events.append(Said(event["text"], when, "turn", speaker=speaker))
        elif event["type"] == "query":
            truth = event["ground_truth"]
            right, wrong = truth["must_mention"], truth["must_not_mention"]
            events.append(Query(event["prompt"], when, tuple(right), tuple(wrong)))
    return Timeline(record["track"], tuple(events))


def _rows(name: str, judged: Sequence[Sequence[Verdict]]) -> list[tuple[Cell, ...]]:
    """Return the line over all tracks, then one a track."""
    judged = [group for group in judged if group]
    tracks = sorted({group[0].track for group in judged})
    rows = [_row(name, "all", judged)]
    if name != "best":
        rows += [_row(name, each, [g for g in judged if g[0].track == each]) for each in tracks]
    return rows


def _row(name: str, track: str, judged: Sequence[Sequence[Verdict]]) -> tuple[Cell, ...]:
    """Return one line; the overall one has intervals."""
    cells: list[Cell] = []
    for share in ("clean", "current", "stale"):
        tallies = [Tally(sum(getattr(v, share) for v in group), len(group)) for group in judged]
        found = interval(tallies, resamples(len(tallies), 0))
        cells.append(str(found) if track == "all" else found.value)
    return (name, track, sum(len(group) for group in judged), *cells)
