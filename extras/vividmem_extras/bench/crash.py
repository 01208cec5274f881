"""Acknowledged writes lost to a crash, and anything else that a crash must not leave behind.

Random: rounds on one folder, with 1-4 processes that add, correct and forget, each telling when a
call has returned, until all are killed at a random instant, in every third round one of them
earlier. The folder is reopened: every acknowledged write is there, every acknowledged erasure
complete (the words are in no file), of each process at most the one call under way in doubt, and
that one done or not begun. The next round goes on in the same folder.

Kill points: a kill at every system call of one operation, see `killpoints`. Power loss: see
`powerloss`. Contention: 4 processes x 200 writes, and 8 threads on one object, nobody killed.
The calls that encrypt, decrypt, rekey and change a password have kill points, too; after each the
folder opens by the old or the new password and holds all it held. With --password all folders are
encrypted. Exit code 1 if anything was lost, invented, torn, left readable, damaged, or raised.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import multiprocessing
import random
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from vividmem import VividMem, VividMemError
from vividmem_extras.bench.account import (
    CODINGS,
    FAULTS,
    NEW_PASSWORD,
    PASSWORD,
    SABOTAGES,
    Account,
    Opening,
    Step,
    Tally,
    after,
    check_states,
    check_words,
    matched,
    observed,
    perform,
    reopened,
    sentence,
    states,
)
from vividmem_extras.bench.killpoints import PATIENCE, SCENARIOS, kill_points, strace_works
from vividmem_extras.bench.powerloss import coding_steps, power_losses, steps
from vividmem_extras.bench.report import Cell, Report

COLUMNS = ("part", "case", "tried", "acknowledged", *FAULTS, "missed")
PARTS = "random points power contention".split()
SHORT_ROUNDS = 20
SHORT_SCENARIOS = ["write", "compaction"]
MOST_WRITERS = 4
STEPS = 60  # calls a writer makes at most; the kill usually comes first
ROUNDS_PER_FOLDER = 25  # then a new one: opening one costs time in its size
LONGEST = 0.25  # seconds until the kill
SETTLED = 0.75  # share of rounds in which they count from the first acknowledgement, not the start
STAGGER = 0.02  # seconds by which one is killed before the others
POINTS_COMPACT_BYTES = 20_000  # above the journal of the prepared folder
WRITERS, WRITES = 4, 200  # contention
THREADS, CALLS = 8, 40
CAN_ENCRYPT = importlib.util.find_spec("cryptography") is not None

#: How often a writer makes each call, of 100.
MIX = {
    "reflect": 22,
    "impress": 22,
    "fact": 14,
    "batch": 10,
    "correct": 12,
    "forget": 8,
    "forget_entity": 2,
    "save": 4,
    "resonate": 6,
}

_processes: Any = multiprocessing.get_context(
    "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
)


@dataclass(slots=True)
class Writer:
    """One process at work: its plan, and how it is heard."""

    steps: list[Step]
    process: Any
    answers: Connection

    def acknowledged(self) -> int:
        """Return how many calls returned; the process is dead."""
        count = 0
        with suppress(EOFError, OSError):
            while self.answers.poll():
                self.answers.recv_bytes()
                count += 1
        self.answers.close()
        return count


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument("--rounds", type=int, default=0, help="of random kills (300; short: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of the plans and instants")
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=PARTS, help="what to do; all of it"
    )
    parser.add_argument("--points", nargs="+", choices=SCENARIOS, help="operations to kill in")
    parser.add_argument("--password", action="store_true", help="the folders are encrypted")
    parser.add_argument("--no-strace", action="store_true", help="kill from inside only")
    parser.add_argument(
        "--sabotage", choices=SABOTAGES, default="", help="break a promise: this must be noticed"
    )


def run(args: argparse.Namespace) -> Report:
    """Do the parts that are asked for; the short form has fewer rounds and operations."""
    logging.getLogger("vividmem").setLevel(logging.ERROR)  # it warns of each torn line it cuts
    rounds = args.rounds or (SHORT_ROUNDS if args.short else 300)
    scenarios = args.points or (SHORT_SCENARIOS if args.short else SCENARIOS)
    if not args.points and not CAN_ENCRYPT:
        scenarios = [name for name in scenarios if name not in CODINGS]
    strace = not args.no_strace and strace_works()
    passwords = (PASSWORD,) if args.password else (None,)
    opening = Opening(args.sabotage, passwords=passwords)
    tallies: dict[tuple[str, str], Tally] = {}
    if "random" in args.parts:
        tallies["random", f"{rounds} rounds"] = random_kills(opening, rounds, args.seed)
    if "points" in args.parts:
        quiet = replace(opening, compact_bytes=POINTS_COMPACT_BYTES)
        for name, forms in kill_points(quiet, scenarios, strace=strace).items():
            tallies |= {("points", f"{name}, {form}"): tally for form, tally in forms.items()}
    if "power" in args.parts:
        tallies["power", "every call"] = power_losses(opening, steps())
        if not args.sabotage and CAN_ENCRYPT:
            turned = replace(opening, passwords=(None, NEW_PASSWORD))
            tallies["power", "encryption"] = power_losses(turned, coding_steps())
    if "contention" in args.parts:
        tallies["contention", f"{WRITERS} processes"] = processes_together(opening)
        tallies["contention", f"{THREADS} threads"] = threads_together(opening)
    return report(tallies, {"rounds": rounds, "seed": args.seed, "strace": int(strace)})


def report(tallies: dict[tuple[str, str], Tally], settings: dict[str, Cell]) -> Report:
    """Lay the tallies out, one a row."""
    rows = tuple(
        (part, case, t.tried, t.acknowledged, *(getattr(t, fault) for fault in FAULTS), t.missed)
        for (part, case), t in tallies.items()
    )
    points = sum(t.tried for (part, _), t in tallies.items() if part == "points")
    notes = [
        f"{points} kill points. lost: acknowledged and not there; invented: never attempted;"
        " torn: half of a call; words: forgotten, and in a file; missed: points not reached."
    ]
    if "strace" in settings and not settings["strace"]:
        notes.append("No strace that may inject here: kills come from inside the process only.")
    notes += [example for tally in tallies.values() for example in tally.examples]
    failed = any(tally.failed for tally in tallies.values())
    return Report("crash", COLUMNS, rows, tuple(notes), settings=settings, failed=failed)


def random_kills(opening: Opening, rounds: int, seed: int) -> Tally:
    """Kill writers at random instants, round after round."""
    tally = Tally()
    for first in range(0, rounds, ROUNDS_PER_FOLDER):
        account: Account = {}
        gone: set[str] = set()
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "agent"
            for number in range(first, min(first + ROUNDS_PER_FOLDER, rounds)):
                rng = random.Random(f"{seed}/{number}")
                left = killed_round(tally, opening, folder, (account, gone), number, rng)
                if left is None:
                    break  # what follows a damaged folder is no news
                account = left
    return tally


def killed_round(
    tally: Tally,
    opening: Opening,
    folder: Path,
    past: tuple[Account, set[str]],
    number: int,
    rng: random.Random,
) -> Account | None:
    """Run one round; *past* is what is there and what was forgotten.

    Returns the account it leaves, None if the folder does not open, and adds to what was forgotten.
    """
    sure, gone = past
    writers = at_work(opening, folder, sure, number, rng)
    if rng.random() < SETTLED:
        wait([writer.answers for writer in writers], PATIENCE)
    time.sleep(rng.uniform(0, LONGEST))
    _kill(writers, rng.choice(writers) if number % 3 == 0 else None)
    tally.tried += 1
    place = f"round {number}"
    doubtful = []
    for writer in writers:
        done = writer.acknowledged()
        tally.acknowledged += done
        for step in writer.steps[:done]:
            sure = after(sure, step)
            gone.update(step.removes)
        doubtful += writer.steps[done : done + 1]
        died = writer.process.exitcode
        tally.note("errors", died not in _GOOD_ENDS, f"{place}: a writer ended with {died}")
    if folder.exists():
        check_words(tally, gone, folder, f"{place}, before reopening")
    found = contents(tally, opening, folder, place)
    if found is None:
        return None
    for step in doubtful:
        if happened(tally, step, found, place):
            sure = after(sure, step)
            gone.update(step.removes)
    check_states(tally, states(sure), found, place)
    check_words(tally, gone, folder, place)
    return matched(sure, found)


def at_work(
    opening: Opening, folder: Path, account: Account, number: int, rng: random.Random
) -> list[Writer]:
    """Start the writers of a round, each with a plan of its own."""
    count = rng.randint(1, MOST_WRITERS)
    plans = [list(planned(account, number, place, count, rng)) for place in range(count)]
    ids = {token: known.id for token, known in account.items()}
    return [started(opening, folder, plan, ids) for plan in plans]


def contents(
    tally: Tally, opening: Opening, folder: Path, place: str
) -> dict[str, tuple[int, bool]] | None:
    """Reopen the folder and return what is in it, None if it does not open."""
    memory = reopened(tally, opening, folder, place)
    if memory is None:
        return None
    with memory:
        found, strange = observed(memory)
    tally.note("invented", len(strange), f"{place}: {strange[:2]}")
    return found


def happened(tally: Tally, step: Step, found: dict[str, tuple[int, bool]], place: str) -> bool:
    """Tell whether a step nobody acknowledged was done; half of it is counted as torn."""
    signs = [token in found for token in step.adds]
    signs += [token not in found for token in step.removes]
    signs += [token in found and not found[token][1] for token in step.outdates]
    tally.note("torn", any(signs) and not all(signs), f"{place}: half of {step}")
    return any(signs)


def planned(
    account: Account, number: int, place: int, writers: int, rng: random.Random
) -> Iterator[Step]:
    """Yield the calls of one writer; it touches only memories that no other writer touches."""
    own = {token: known for token, known in account.items() if _owner(known.home, writers) == place}
    mine = next(
        home for home in (f"q{number}w{rng.randrange(10**6)}" for _ in range(10**6))
        if _owner(home, writers) == place
    )  # fmt: skip
    kinds = rng.choices(list(MIX), list(MIX.values()), k=STEPS)
    for serial, kind in enumerate(kinds):
        step = _step(kind, own, mine, 10 * (STEPS * number + serial), rng)
        own = after(own, step)
        yield step


def _step(kind: str, own: Account, mine: str, serial: int, rng: random.Random) -> Step:
    """Return a call of *kind*, or an addition where there is nothing to correct or forget."""
    token = f"{mine}n{serial}z"
    if kind in ("save", "resonate"):
        return Step(kind, target=rng.choice([*own, "nothing"]))
    if kind == "batch":
        return Step(kind, mine, tuple(f"{mine}n{serial + i}z" for i in range(rng.randint(2, 6))))
    if kind == "fact":
        old = (t for t, known in own.items() if (known.kind, known.home) == (kind, mine))
        return Step(kind, mine, (token,), tuple(t for t in old if own[t].current))
    if kind in ("correct", "forget", "forget_entity") and own:
        return _change(kind, own, token, rng)
    return Step("reflect" if kind == "reflect" else "impress", mine, (token,))


def _change(kind: str, own: Account, token: str, rng: random.Random) -> Step:
    """Return a call that corrects or forgets one of the writer's own memories."""
    target = rng.choice(list(own))
    known = own[target]
    if kind == "forget_entity":
        told = (t for t, other in own.items() if other.home == known.home)
        removed = tuple(t for t in told if own[t].kind != "reflect")
        return Step(kind, known.home, removes=removed)
    if not known.current or known.kind == "fact":
        return Step("resonate", target=target)
    if kind == "correct":
        new = f"{known.home}{token[token.index('n') :]}"
        return Step(kind, known.home, (new,), (target,), target=target)
    wordings = tuple(t for t, other in own.items() if other.root == known.root)
    return Step(kind, known.home, removes=wordings, target=target)


def _owner(home: str, writers: int) -> int:
    return zlib.crc32(home.encode()) % writers


_GOOD_ENDS = {0, -9, -15}  # done, killed, killed on Windows


def _kill(writers: list[Writer], earlier: Writer | None) -> None:
    """Kill all writers, one of them a little earlier if asked to."""
    if earlier is not None:
        earlier.process.kill()
        time.sleep(STAGGER)
    for writer in writers:
        writer.process.kill()
    for writer in writers:
        writer.process.join()


def started(opening: Opening, folder: Path, steps: list[Step], ids: dict[str, int]) -> Writer:
    """Start a writer."""
    answers, told = _processes.Pipe(duplex=False)
    process = _processes.Process(target=write, args=(opening, folder, steps, ids, told))
    process.start()
    told.close()
    return Writer(steps, process, answers)


def write(
    opening: Opening, folder: Path, steps: list[Step], ids: dict[str, int], told: Connection
) -> None:
    """Make the calls one after the other, and tell of each when it has returned."""
    memory = opening(folder)
    for step in steps:
        perform(memory, step, ids)
        told.send_bytes(b"ok")
    memory.close()


def processes_together(opening: Opening) -> Tally:
    """Let processes write into one folder, and look for what each has written."""
    tally = Tally()
    tokens = [[f"q0w{writer}n{i}z" for i in range(WRITES)] for writer in range(WRITERS)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "agent"
        writers = [
            started(opening, folder, [Step("impress", "both", (token,)) for token in own], {})
            for own in tokens
        ]
        for writer in writers:
            writer.process.join(PATIENCE)
            writer.process.kill()
            died = writer.process.exitcode
            tally.note("errors", died != 0, f"a process ended with {died}")
            tally.acknowledged += writer.acknowledged()
        _check_together(tally, opening, folder, {token for own in tokens for token in own})
    return tally


def threads_together(opening: Opening) -> Tally:
    """Let threads write through one object, with reading and correcting between."""
    tally = Tally()
    raised: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "agent"
        with opening(folder) as memory:
            threads = [
                threading.Thread(target=_calls_of_thread, args=(memory, number, raised))
                for number in range(THREADS)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        tally.note("errors", len(raised), "; ".join(raised[:3]))
        tokens = {f"q0w{number}n{i}z" for number in range(THREADS) for i in range(2 * CALLS)}
        tally.acknowledged = len(tokens) - len(raised)
        _check_together(tally, opening, folder, tokens)
    return tally


def _calls_of_thread(memory: VividMem, number: int, raised: list[str]) -> None:
    for i in range(CALLS):
        token, better = f"q0w{number}n{2 * i}z", f"q0w{number}n{2 * i + 1}z"
        try:
            made = memory.add_social_impression(f"q0w{number}", sentence(token))
            memory.resonate(token)
            memory.correct(made.id, sentence(better))
            memory.get_context_block(f"q0w{number}", better)
        except (VividMemError, LookupError, RuntimeError, TypeError, ValueError, OSError) as err:
            raised.append(repr(err))


def _check_together(tally: Tally, opening: Opening, folder: Path, tokens: set[str]) -> None:
    tally.tried = len(tokens)
    found = contents(tally, opening, folder, "together")
    if found is not None:
        tally.note("lost", len(tokens - found.keys()), f"{sorted(tokens - found.keys())[:4]}")
        tally.note("invented", len(found.keys() - tokens), f"{sorted(found.keys() - tokens)[:4]}")
