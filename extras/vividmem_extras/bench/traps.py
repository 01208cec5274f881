"""Traps: sentences that sound like an update and are none.

Each row is a known fact, a question and the value that answers it; below it, after a dash, stands a
trap told a day later, after which the value still is the answer. A fresh store is told the small
talk of the side, so that no gate starts empty, then both, and is asked before and after the trap,
three results each. A row counts as changed when the fact is no
longer current, or when its value was among the results before the trap and is not after it. "not
first" counts the rows in which it led the results before and does not any more; "not found" those
whose value was not even found before the trap, which says something about the reading of the
question and nothing about the trap.

The known part (`traps_dev`) may be used to build a reader. The held-out one (`traps_heldout`), in
another style, may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from vividmem_extras.bench.peers import MissingPeerError
from vividmem_extras.bench.policies import Policy, shown_name
from vividmem_extras.bench.report import Cell, Report
from vividmem_extras.bench.streams import DAY, START, Said, names, sheet

K = 3  # results per question
COLUMNS = ("policy", "traps", "changed", "share", "ended", "lost", "not first", "not found")
SHOWN = 12  # changed rows the notes name

PARTS = {"dev": "known", "heldout": "held-out"}


@dataclass(frozen=True, slots=True)
class Trap:
    """One row."""

    fact: str
    question: str
    value: str
    trap: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one trap did."""

    trap: Trap
    ended: bool  # the fact is no longer current
    lost: bool  # the value was found before, and is not any more
    displaced: bool  # the value led the results before, and does not any more
    unread: bool  # the value was not found even before the trap

    @property
    def changed(self) -> bool:
        """Whether a known fact changed."""
        return self.ended or self.lost


@cache
def rows(side: str) -> tuple[Trap, ...]:
    """Return the traps of *side*, a key of PARTS."""
    module: Any = import_module(f"vividmem_extras.bench.traps_{side}")
    found, known = [], ("", "", "")
    for line in module.ROWS.strip().splitlines():
        if line.startswith("- "):
            found.append(Trap(*known, line[2:]))
        else:
            fact, question, value = line.split(" | ")
            known = (fact, question, value)
    return tuple(found)


def run(side: str, makers: Mapping[str, Callable[[], Policy]]) -> Report:
    """Set all traps of *side* for all policies."""
    table: list[tuple[Cell, ...]] = []
    notes = [f"the {PARTS[side]} part; changed: ended or lost; k = {K}"]
    for name, make in makers.items():
        try:
            outcomes = [spring(make, trap, sheet(side).talk) for trap in rows(side)]
        except MissingPeerError as err:
            table.append((name, str(err)))
            continue
        changed = [outcome for outcome in outcomes if outcome.changed]
        ended, lost, displaced, unread = (
            sum(getattr(outcome, each) for outcome in outcomes)
            for each in ("ended", "lost", "displaced", "unread")
        )
        share = len(changed) / len(outcomes)
        label = shown_name(name)
        table.append((label, len(outcomes), len(changed), share, ended, lost, displaced, unread))
        notes += [f"{label}: {hit.trap.fact} / {hit.trap.trap}" for hit in changed[:SHOWN]]
    return Report("drift", COLUMNS, tuple(table), tuple(notes), settings={"side": side, "k": K})


def spring(make: Callable[[], Policy], trap: Trap, talk: Sequence[str] = ()) -> Outcome:
    """Tell a fresh store *talk*, fact and trap, and compare what it answers before and after."""
    policy = make()
    for text in talk:
        policy.observe(Said(text, START - DAY, "talk"))
    policy.observe(Said(trap.fact, START, "fact"))
    before = _named(policy, trap, START + DAY)
    policy.observe(Said(trap.trap, START + DAY, "talk"))
    after = _named(policy, trap, START + 2 * DAY)
    ended = not policy.current(trap.fact)
    policy.close()
    return Outcome(
        trap,
        ended=ended,
        lost=any(before) and not any(after),
        displaced=before[:1] == [True] and after[:1] != [True],
        unread=not any(before),
    )


def _named(policy: Policy, trap: Trap, now: float) -> list[bool]:
    """Ask, and tell of each result whether it gives the value; the trap itself never does."""
    results = policy.ask(trap.question, K, now)
    return [text != trap.trap and names(text, trap.value) for text in results]
