"""The server over loopback: latency of one message, many clients, a kill in mid-load.

Latency: the time from sending ``POST /process`` to its last byte, one client on one connection, in
turns with a bare ``os.write`` + ``os.fdatasync`` on the same disk; once as users run it and once
without fsync, which is the cost besides fsync. Wall-clock times mean something on a quiet machine
only; the CPU time of the server for each request, in the next two columns, does on any.

Load: clients that observe messages of their own at the same time, on one character and on four.
Kill: the same load, the server killed with SIGKILL at a random instant and started again; each
message that was acknowledged must be there. Exit code 1 if one is not, or at any reply of 5xx.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from vividmem import VividMem
from vividmem_extras.bench.corpus import generate
from vividmem_extras.bench.report import Cell, Report
from vividmem_extras.server.process import Client, ServerProcess
from vividmem_extras.server.roster import Roster

NAME = "Seraphina"
COLUMNS = ("part", "case", "requests", "p50 ms", "p95 ms", "cpu p50", "cpu p95", "5xx", "lost")
WITHOUT_FSYNC = '{"config": {"store": {"durability": "os"}}}'
BATCH = 5_000
WORDS = "amber birch cedar dune ember fjord grove heron iris jade kelp lotus moss nettle".split()
LONGEST = 1.5  # seconds until the kill


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    add = parser.add_argument
    add("--memories", type=int, default=0, help="stored before (20000; short: 1000)")
    add("--messages", type=int, default=0, help="that are timed (400; short: 50)")
    add("--clients", type=int, default=8, help="at the same time")
    add("--requests", type=int, default=0, help="of each client (200; short: 25)")
    add("--kills", type=int, default=0, help="of the server in mid-load (5; short: 1)")
    add("--seed", type=int, default=0)


def run(args: argparse.Namespace) -> Report:
    """Do all parts; the short form does less of each."""
    small = args.short
    memories = args.memories or (1_000 if small else 20_000)
    messages = args.messages or (50 if small else 400)
    requests = args.requests or (25 if small else 200)
    kills = args.kills or (1 if small else 5)
    rows: list[tuple[Cell, ...]] = []
    with tempfile.TemporaryDirectory(prefix="vividmem-bench-") as scratch:
        folder = Path(scratch) / "timed"
        texts = filled(folder, memories, 2 * messages, args.seed)
        rows += latency(folder, "as users run it", texts[:messages], "")
        rows += latency(folder, "without fsync", texts[messages:], WITHOUT_FSYNC)
        for characters in (1, 4):
            rows.append(load(Path(scratch) / f"load{characters}", args, requests, characters))
        rows.append(killed(Path(scratch) / "killed", args, requests, kills))
    failed = any(isinstance(cell, int) and cell for row in rows for cell in row[7:])
    notes = (f"{memories} memories before; 5xx and lost must be 0",)
    told: dict[str, Cell] = {"memories": memories, "messages": messages, "seed": args.seed}
    return Report("server", COLUMNS, tuple(rows), notes, settings=told, failed=failed)


def filled(folder: Path, memories: int, messages: int, seed: int) -> list[str]:
    """Fill the store of NAME and return texts of messages it has not seen."""
    corpus = generate(memories, messages, 1, seed)
    with VividMem(Roster(folder).make(NAME)) as mem:
        for start in range(0, memories, BATCH):
            with mem.batch():
                for item in corpus.items[start : start + BATCH]:
                    mem.add_social_impression(item.speaker or "Ines", item.text, when=item.when)
        mem.save()
    return [item.text for item in corpus.extra]


def latency(folder: Path, case: str, texts: Sequence[str], settings: str) -> list[tuple[Cell, ...]]:
    """Return the row of ``/process``, and with fsync that of a bare durable write."""
    times, spent, bare = list[float](), list[float](), list[float]()
    with ServerProcess(folder, settings=settings) as server, open(folder / "bare", "ab") as file:
        client = server.client()
        for number, text in enumerate(["hello there, it is me", *texts]):
            told = f"I am happy: {text}" if number % 2 else text
            cpu, began = server.cpu_seconds(), time.perf_counter()
            reply = client.post("/process", character=NAME, text=told, entity="Ines")
            times.append(time.perf_counter() - began)
            spent.append(server.cpu_seconds() - cpu)
            assert reply.status == 200, reply
            began = time.perf_counter()
            os.write(file.fileno(), reply.content[:500])
            os.fdatasync(file.fileno())
            bare.append(time.perf_counter() - began)
        client.close()
    timed = (*_quantiles(times[1:]), *_quantiles(spent[1:]))  # the first one opens the store
    rows = list[tuple[Cell, ...]]([("process", case, len(texts), *timed, 0, 0)])
    if not settings:
        nothing = (None, None, None, None)
        rows.append(("bare write", "fdatasync", len(texts), *_quantiles(bare[1:]), *nothing))
    return rows


def _quantiles(seconds: Sequence[float]) -> tuple[float, float]:
    """Return median and 95th percentile in milliseconds."""
    return 1000 * statistics.median(seconds), 1000 * statistics.quantiles(seconds, n=20)[-1]


class Speaker(threading.Thread):
    """A client that observes messages nobody else says, and notes which were acknowledged."""

    def __init__(self, client: Client, number: int, requests: int, character: str) -> None:
        super().__init__()
        self.client, self.number, self.requests = client, number, requests
        self.character = character
        self.sources: list[str] = []
        self.failed = 0
        self.times: list[float] = []

    def run(self) -> None:
        """Speak until done or hung up on, then hang up."""
        try:
            self._speak()
        finally:
            self.client.close()

    def _speak(self) -> None:
        rng = random.Random(self.number)
        for turn in range(self.requests):
            words = " ".join(rng.sample(WORDS, 4))
            text = f"Box {self.number}x{turn} in the cellar holds {words} and {rng.random()}"
            source = f"{self.number}:{turn}"
            began = time.perf_counter()
            try:
                reply = self.client.post(
                    "/observe", character=self.character, text=text, entity="Ines", source=source
                )
            except (OSError, http.client.HTTPException):
                return  # the server is gone: this one was not acknowledged
            self.times.append(time.perf_counter() - began)
            self.failed += reply.status >= 500
            if reply.status == 200 and reply.json["memory"]:
                self.sources.append(source)


def speakers(
    server: ServerProcess, args: argparse.Namespace, requests: int, characters: int
) -> list[Speaker]:
    """Return as many clients as asked for, started."""
    started = [
        Speaker(server.client(), number, requests, f"{NAME} {number % characters}")
        for number in range(args.clients)
    ]
    for speaker in started:
        speaker.start()
    return started


def load(
    folder: Path, args: argparse.Namespace, requests: int, characters: int
) -> tuple[Cell, ...]:
    """Return the row of all clients speaking at once."""
    with ServerProcess(folder) as server:
        started = speakers(server, args, requests, characters)
        for speaker in started:
            speaker.join()
        lost = sum(map(len, missing(server, started)))
    times = [second for speaker in started for second in speaker.times]
    failed = sum(speaker.failed for speaker in started)
    case = f"{args.clients} clients, {characters} characters"
    return ("load", case, len(times), *_quantiles(times), None, None, failed, lost)


def missing(server: ServerProcess, started: Sequence[Speaker]) -> list[set[str]]:
    """Return which acknowledged messages of each client are not in the memory."""
    client, known = server.client(), dict[str, set[str]]()
    for name in {speaker.character for speaker in started}:
        records = client.get("/export", character=name)
        told = records.json["memories"] if records.status == 200 else []
        known[name] = {source for record in told for source in record.get("sources", ())}
    client.close()
    return [set(speaker.sources) - known[speaker.character] for speaker in started]


def killed(folder: Path, args: argparse.Namespace, requests: int, kills: int) -> tuple[Cell, ...]:
    """Return the row of servers killed under load and started again."""
    rng, asked, failed, lost = random.Random(args.seed), 0, 0, 0
    for number in range(kills):
        home = folder / str(number)
        server = ServerProcess(home)
        started = speakers(server, args, requests, 2)
        time.sleep(rng.uniform(0.2, LONGEST))
        server.kill()
        for speaker in started:
            speaker.join()
        with ServerProcess(home) as again:
            lost += sum(map(len, missing(again, started)))
        asked += sum(len(speaker.times) for speaker in started)
        failed += sum(speaker.failed for speaker in started)
    return ("kill", f"{kills} kills", asked, None, None, None, None, failed, lost)
