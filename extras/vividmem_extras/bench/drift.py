"""Drift: what write policies still answer rightly after facts have changed.

Each stream (`streams`) is told sentence by sentence to every policy (`policies`), on a clock that
moves; weeks later its questions are asked, k = 3 results each. A result is current when it names
the value that is right now, and stale when it names one that was right before and not the current
one: "I moved from Turku to Bergen" is current. Over the questions for what changed:

- clean: something current among the results and nothing stale; also by the kind of the last update
- stale: something stale among the results
- first: the first result is current

kept is the share of questions for facts that did not change, other people's among them, whose value
is among the results; stored the share of sentences that became a memory of their own; old the share
of questions for what was before that are answered when history is asked for. Intervals are
bootstrapped over streams; gaps are paired, vividmem minus the policy, over the same draws; wins is
the share of streams where vividmem has more clean answers, ties counted half.

The figures of the held-out side count; everything was tuned on the dev side. ``--traps`` runs
the trap list (`traps`) instead: its known part on the dev side, its other part on the held-out one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from vividmem_extras.bench import traps
from vividmem_extras.bench.intervals import (
    Interval,
    Tally,
    gap,
    interval,
    resamples,
    share,
    win_rate,
)
from vividmem_extras.bench.peers import MissingPeerError
from vividmem_extras.bench.policies import NEURAL, Policy, PolicyConfig, Vectors, maker, shown_name
from vividmem_extras.bench.report import Cell, Report
from vividmem_extras.bench.streams import SIDES, UPDATES, Asked, Stream, generate, names

K = 3  # results per question
DEFAULT_POLICIES = "vividmem,store-all,dedup,sage,forgetting,oracle"
SHORT = 40  # streams of the short form
SHARES = ("clean", "stale", "first", "kept", "stored", "old")
WITH_INTERVAL = ("clean", "stale", "kept")
GAPS = tuple(f"gap {each}" for each in WITH_INTERVAL)
COLUMNS = ("policy", *SHARES, *UPDATES.values(), *GAPS, "wins")
#: What `--tune` tries. Into `PolicyConfig` went the best mean of clean and kept on dev; of several
#: within .002 of it, the one with the most clean. For clean alone the gates would replace whatever
#: is near: .66 clean at .57 kept.
GRID: dict[str, dict[str, tuple[float, ...]]] = {
    "dedup": {"dedup": (0.8, 0.85, 0.9, 0.95)},
    "forgetting": {"forgetting": (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)},
    "sage": {
        "concentration": (5.0, 10.0, 20.0),
        "novel": (0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
        "redundant": (0.0, 0.1),
    },
}

Tallies = dict[str, list[Tally]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the results of one question hold."""

    current: bool
    stale: bool
    first: bool

    @property
    def clean(self) -> bool:
        """Whether the current value is there, and no other."""
        return self.current and not self.stale


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument("--side", choices=tuple(SIDES), default="dev", help="default: dev")
    parser.add_argument("--streams", type=int, default=400, help="default: 400")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--systems", default="", help=f"of {DEFAULT_POLICIES}")
    gates = ("lexical", "neural")
    parser.add_argument(
        "--gate", choices=gates, default="lexical", help="neural: it and its ablations, too"
    )
    parser.add_argument("--traps", action="store_true", help="the trap list instead of streams")
    parser.add_argument("--tune", action="store_true", help="try thresholds, on the dev side only")


def run(args: argparse.Namespace) -> Report:
    """Tell all streams to all policies, and ask; the short form takes the first 40 streams."""
    policies = [name.strip() for name in (args.systems or DEFAULT_POLICIES).split(",")]
    policies += [name for name in NEURAL if args.gate == "neural" and name not in policies]
    vectors = Vectors()
    if args.traps:
        told = [name for name in policies if name != "oracle"]  # no labels, nothing to know
        return traps.run(args.side, {name: maker(name, vectors) for name in told})
    count = min(args.streams, SHORT) if args.short else args.streams
    streams = generate("dev" if args.tune else args.side, count, args.seed)
    if args.tune:
        return _tuned(streams, vectors)
    missing: list[tuple[Cell, ...]] = []
    measured = {}
    for name in policies:
        try:
            measured[name] = measure(maker(name, vectors), streams, vectors)
        except MissingPeerError as err:
            missing.append((name, str(err)))
    lines = list(_lines(measured, resamples(count, args.seed)))
    return Report(
        "drift", COLUMNS, (*(shown for shown, _ in lines), *missing), _notes(streams, args.side),
        settings={"side": args.side, "streams": count, "seed": args.seed, "k": K},
        figures=tuple(figures for _, figures in lines),
    )  # fmt: skip


def measure(
    make: Callable[[], Policy], streams: Sequence[Stream], vectors: Vectors | None = None
) -> Tallies:
    """Return the tallies of each share, one a stream, for a fresh policy per stream."""
    tallies: Tallies = {}
    for stream in streams:
        policy = make()
        if vectors is not None and not hasattr(policy, "memory"):
            vectors.prepare(said.text for said in stream.said)
            vectors.prepare(asked.text for asked in stream.asked)
        for name, tally in _told(policy, stream).items():
            tallies.setdefault(name, []).append(tally)
        policy.close()
    return tallies


def judge(results: Sequence[str], asked: Asked) -> Verdict:
    """Judge the *results* of one question.

    >>> moved = Asked("Where do I live?", "explicit", "Bergen", ("Turku",))
    >>> judge(["I left Turku for Bergen.", "I love Turku."], moved)
    Verdict(current=True, stale=True, first=True)
    """
    current = [names(text, asked.current) for text in results]
    stale = any(
        names(text, old)
        for text, right in zip(results, current, strict=True)
        for old in asked.stale
        if not right
    )
    return Verdict(any(current), stale, current[:1] == [True])


def _told(policy: Policy, stream: Stream) -> dict[str, Tally]:
    """Tell *stream* to *policy*, ask its questions, and return what this adds to each share."""
    stored = [policy.observe(said) for said in stream.said]
    verdicts = []
    for asked in stream.asked:
        results = policy.ask(asked.text, K, stream.end, history=asked.kind == "history")
        verdicts.append((asked.kind, judge(results, asked)))
    changed = [verdict for kind, verdict in verdicts if kind in UPDATES.values()]
    tallies = {
        "clean": _tally(verdict.clean for verdict in changed),
        "stale": _tally(verdict.stale for verdict in changed),
        "first": _tally(verdict.first for verdict in changed),
        "kept": _tally(v.current for kind, v in verdicts if kind in ("kept", "other")),
        "old": _tally(v.current for kind, v in verdicts if kind == "history"),
        "stored": _tally(stored),
    }
    for update in UPDATES.values():
        tallies[update] = _tally(v.clean for kind, v in verdicts if kind == update)
    return tallies


def _tally(flags: Iterable[bool]) -> Tally:
    """Count *flags*."""
    seen = list(flags)
    return Tally(sum(seen), len(seen))


def _lines(
    measured: dict[str, Tallies], draws: list[list[int]]
) -> Iterator[tuple[tuple[Cell, ...], dict[str, Cell]]]:
    """Yield the line of each policy as shown, and its figures unrounded."""
    ours = measured.get("vividmem")
    for name, tallies in measured.items():
        spread = {each: interval(tallies[each], draws) for each in WITH_INTERVAL}
        gaps: dict[str, Interval] = {}
        wins = None
        if ours is not None and name != "vividmem":
            gaps = {each: gap(ours[each], tallies[each], draws) for each in WITH_INTERVAL}
            wins = win_rate(ours["clean"], tallies["clean"])
        plain = {each: share(tallies[each]) for each in (*SHARES, *UPDATES.values())}
        shown = [str(spread[each]) if each in spread else plain[each] for each in plain]
        paired = [str(gaps[each]) if gaps else None for each in WITH_INTERVAL]
        figures: dict[str, Cell] = {"policy": shown_name(name), **plain, "wins": wins}
        for prefix, found in (("", spread), ("gap ", gaps)):
            for each, (value, low, high) in found.items():
                figures |= {f"{prefix}{each}": value}
                figures |= {f"{prefix}{each} low": low, f"{prefix}{each} high": high}
        yield (shown_name(name), *shown, *paired, wins), figures


def _notes(streams: Sequence[Stream], side: str) -> tuple[str, ...]:
    """Return what the figures are over."""
    kinds = [asked.kind for stream in streams for asked in stream.asked]
    changed = sum(kind in UPDATES.values() for kind in kinds)
    told = sum(len(stream.said) for stream in streams)
    return (
        f"{len(streams)} streams of the {side} side, {told} sentences; {changed} questions for what"
        f" changed, {kinds.count('kept') + kinds.count('other')} for what did not,"
        f" {kinds.count('history')} for what was before; k = {K}. In brackets: 95 % bootstrap"
        " intervals over streams; gaps are vividmem minus the policy.",
    )


def _tuned(streams: Sequence[Stream], vectors: Vectors) -> Report:
    """Return clean recall and the rest of each policy at each point of its grid."""
    rows: list[tuple[Cell, ...]] = []
    for name, grid in GRID.items():
        for point in product(*grid.values()):
            setting = dict(zip(grid, point, strict=True))
            cfg = replace(PolicyConfig(), **setting)
            tallies = measure(maker(name, vectors, cfg), streams, vectors)
            label = " ".join(f"{key}={value}" for key, value in setting.items())
            shares = {each: share(tallies[each]) for each in SHARES}
            goal = (shares["clean"] + shares["kept"]) / 2
            rows.append((name, label, goal, *shares.values()))
    columns = ("policy", "setting", "goal", *SHARES)
    return Report("drift", columns, tuple(rows), _notes(streams, "dev"))
