"""Speed: CPU time per call at growing sizes, memory and disk, as ratios.

The corpus is generated from a seed (see `corpus`). All systems answer the same queries in one run,
taking turns query by query, top 10 each. Only minilm and vividnessmem, a thousand times slower,
take their turns apart and answer the first 20: between two calls they would empty the others'
caches. A system is left out at sizes where it would take hours.

Times are CPU times: of the calling thread for one call (else one system's idle workers would be
counted with its neighbour, so what minilm's workers do is left out), of the whole process for
filling. Only the ratios carry over to another machine. The reference is SQLite FTS5 in memory,
whose rows are inserted in one transaction. Systems that build their whole index at once have that
cost spread over the memories.

What concerns vividmem alone has its own reference: the context block, and ``resonate`` as it is
called without options (five hits, which it strengthens), are compared with the search; a durable
add with a bare ``os.write`` + ``os.fdatasync`` of as many bytes, in turns, as wall-clock medians; a
batch with single durable adds; opening (until the first answer, in a fresh process, cold and with
the cache of an earlier one) with ``json.loads`` of the snapshot; disk and resident memory with the
bytes of the texts; forgetting somebody with adding as much; import with a bare Python.

``--sizes 1000000`` measures at a million; filling takes ten times as long as at 100,000.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from vividmem_extras.bench import meaning, plot, probe, sealed
from vividmem_extras.bench.corpus import YEAR_END, Corpus, generate
from vividmem_extras.bench.peers import (
    Item,
    MissingPeerError,
    System,
    Vividmem,
    chosen,
    fill,
    start,
)
from vividmem_extras.bench.report import Cell, Report

DEFAULT_SYSTEMS = "vividmem,fts5,bm25s,rank_bm25,tantivy,vividnessmem"
DEFAULT_SIZES = "1000,5000,20000,100000"
REFERENCE = "fts5"
TOP = 10
LARGEST = {"vividnessmem": 1_000, "rank_bm25": 100_000}  # memories; beyond, it takes hours
SLOW = frozenset({"minilm", "vividnessmem"})  # they take their turns apart
FEW = 20  # queries that slow systems answer
EXTRA = 320  # memories added one by one at full size
BLOCK = 10  # of them at a turn: a single add of FTS5 is too short for the clock
BATCH = 100  # memories of the batch that is timed
LOAD = 10_000  # memories per batch while a store is filled
DURABLE = 200  # durable adds, and as many bare writes


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value and what it is compared with."""

    size: int
    measure: str
    system: str
    value: float  # seconds or bytes
    unit: str  # "s" or "B"
    reference: float | None = None
    built_at_once: bool = False

    @property
    def ratio(self) -> float | None:
        """The value over its reference."""
        return self.value / self.reference if self.reference else None

    def __str__(self) -> str:
        """The cell of the table: time or bytes, and the ratio in brackets."""
        text = f"{self.value:,.0f} B" if self.unit == "B" else _seconds(self.value)
        text += "*" if self.built_at_once else ""
        return text if self.ratio is None else f"{text} ({self.ratio:.2f}x)"


@dataclass(slots=True)
class Runner:
    """One system at one size, and the CPU seconds it took."""

    name: str
    system: System
    build: float = 0.0  # all adds and the first search
    searches: list[float] = field(default_factory=list)
    adds: list[float] = field(default_factory=list)  # at full size


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add this benchmark's options."""
    parser.add_argument("--systems", default="", help=f"of {DEFAULT_SYSTEMS}")
    parser.add_argument("--sizes", default=DEFAULT_SIZES, help="memories, as in %(default)s")
    parser.add_argument("--queries", type=int, default=200, help="queries at each size")
    parser.add_argument("--seed", type=int, default=0, help="of the corpus")
    parser.add_argument("--password", action="store_true", help="only: what encryption costs")
    parser.add_argument("--neural", action="store_true", help="only: what meaning costs")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw the times, as SVG")
    parser.add_argument("--dir", type=Path, help="where to write stores; else a temporary folder")


def run(args: argparse.Namespace) -> Report:
    """Measure at every size; the short form takes 1,000 memories and 50 queries."""
    if args.password:
        return encryption(args)
    if args.neural:
        return by_meaning(args)
    names = chosen(args.systems, DEFAULT_SYSTEMS)
    if args.plot is not None:
        plot.check()
    sizes = [1_000] if args.short else [int(size) for size in args.sizes.split(",")]
    queries = min(50, args.queries) if args.short else args.queries
    missing = absent(names)
    present = [name for name in names if name not in missing]
    figures: list[Figure] = []
    for size in sizes:
        corpus = generate(size, EXTRA, queries, args.seed)
        figures += in_memory(corpus, present)
        if "vividmem" in present:
            figures += on_disk(corpus, args.dir)
    if "vividmem" in present:
        bare, full = probe.import_cost()
        figures.append(Figure(0, "import", "vividmem", full - bare, "s", bare))
    notes = [f"{name}: {advice}" for name, advice in missing.items()]
    notes.append(
        f"{queries} queries, top {TOP}. In brackets: search, add and p95 to {REFERENCE}, the others"
        " to their own reference (--help). * index built at once, spread over the memories."
    )
    settings: dict[str, Cell] = {"seed": args.seed, "queries": queries, "top": TOP}
    records = tuple(asdict(figure) | {"ratio": figure.ratio} for figure in figures)
    if args.plot is not None:
        plot.draw(records, args.plot)
    rows = table_rows(figures, present)
    columns = ("size", "measure", *present)
    return Report("speed", columns, rows, tuple(notes), settings=settings, figures=records)


def encryption(args: argparse.Namespace) -> Report:
    """Measure encrypted folders beside plain ones, see `sealed`."""
    figures = [
        Figure(size, measure, "encrypted", value, unit, plain)
        for size in ([1_000] if args.short else [1_000, 20_000])
        for measure, unit, value, plain in sealed.costs(
            generate(size, EXTRA, 1, args.seed), args.dir
        )
    ]
    rows = table_rows(figures, ["encrypted"])
    notes = ("In brackets: to a plain folder, in turns.",)
    records = tuple(asdict(figure) | {"ratio": figure.ratio} for figure in figures)
    columns = ("size", "measure", "encrypted")
    return Report("speed", columns, rows, notes, settings={"seed": args.seed}, figures=records)


def by_meaning(args: argparse.Namespace) -> Report:
    """Measure stores with embedder and neural gate beside stores of words alone, see `meaning`."""
    sizes = [500] if args.short else [int(size) for size in args.sizes.split(",")]
    queries = min(20, args.queries) if args.short else args.queries
    figures = [
        Figure(size, measure, "neural", value, "s", words)
        for size in sizes
        for measure, value, words in meaning.costs(size, queries, args.seed, cpu)
    ]
    rows = table_rows(figures, ["neural"])
    notes = (
        f"{queries} statements each, CPU of one thread. In brackets: to words alone, in turns.",
    )
    records = tuple(asdict(figure) | {"ratio": figure.ratio} for figure in figures)
    columns = ("size", "measure", "neural")
    settings: dict[str, Cell] = {"seed": args.seed, "queries": queries}
    return Report("speed", columns, rows, notes, settings=settings, figures=records)


def absent(names: Sequence[str]) -> dict[str, str]:
    """Return what to do about each system that cannot be started."""
    missing = {}
    for name in names:
        try:
            start(name, YEAR_END).close()
        except MissingPeerError as err:
            missing[name] = str(err)
    return missing


def table_rows(figures: Sequence[Figure], names: Sequence[str]) -> tuple[tuple[Cell, ...], ...]:
    """Lay *figures* out: one line per size and measure, one column per system."""
    lines: dict[tuple[int, str], dict[str, str]] = {}
    for figure in figures:
        lines.setdefault((figure.size, figure.measure), {})[figure.system] = str(figure)
    return tuple(
        (size or None, measure, *(cells.get(name) for name in names))
        for (size, measure), cells in lines.items()
    )


def in_memory(corpus: Corpus, names: Sequence[str]) -> list[Figure]:
    """Measure building, searching and adding of all systems, and the context block."""
    size = len(corpus.items)
    runners = [built(name, corpus) for name in names if size <= LARGEST.get(name, size)]
    slow = [runner for runner in runners if runner.name in SLOW]
    quick = [runner for runner in runners if runner.name not in SLOW]
    searching(quick, corpus.queries)
    searching(slow, corpus.queries[:FEW])
    figures = compare(size, "search p50", {r.name: statistics.median(r.searches) for r in runners})
    figures += compare(size, "search p95", {r.name: p95(r.searches) for r in runners})
    figures += [f for runner in runners for f in context(runner, corpus)]
    adding(quick, corpus.extra)
    adding(slow, corpus.extra)
    figures += added(size, runners)
    for runner in runners:
        runner.system.close()
    return figures


def built(name: str, corpus: Corpus) -> Runner:
    """Fill a fresh system; its first search, which may build the index, belongs to that."""
    runner = Runner(name, start(name, YEAR_END))
    runner.build = process_cpu(fill, runner.system, corpus.items)
    runner.build += process_cpu(runner.system.search, corpus.queries[0], TOP)
    return runner


def searching(runners: Sequence[Runner], queries: Sequence[str]) -> None:
    """Ask all *queries*, the systems taking turns."""
    for query in queries:
        for runner in runners:
            runner.searches.append(cpu(runner.system.search, query, TOP))


def adding(runners: Sequence[Runner], extra: Sequence[Item]) -> None:
    """Add *extra* to the systems that need not be built anew, in turns block by block."""
    for first in range(0, len(extra), BLOCK):
        block = extra[first : first + BLOCK]
        for runner in runners:
            if runner.system.incremental:
                runner.adds.append(cpu(fill, runner.system, block) / len(block))


def added(size: int, runners: Sequence[Runner]) -> list[Figure]:
    """Return what an add costs at full size, and what filling cost per memory."""
    adds = {runner.name: statistics.median(runner.adds) for runner in runners if runner.adds}
    fills = {runner.name: runner.build / size for runner in runners}
    at_once = frozenset(runner.name for runner in runners if not runner.system.incremental)
    return [
        *compare(size, "add at this size", adds),
        *compare(size, "fill, per memory", fills, at_once),
    ]


def context(runner: Runner, corpus: Corpus) -> Iterator[Figure]:
    """Compare vividmem's context block, and a plain call, with a search of the same words."""
    if not isinstance(runner.system, Vividmem):
        return
    memory, size = runner.system.memory, len(corpus.items)
    search = statistics.median(runner.searches)
    pairs = zip(corpus.extra, corpus.queries, strict=False)
    took = [cpu(memory.get_context_block, item.speaker, query) for item, query in pairs]
    yield Figure(size, "context block", "vividmem", statistics.median(took), "s", search)
    took = [cpu(memory.resonate, query) for query in corpus.queries]
    yield Figure(size, "resonate, plain", "vividmem", statistics.median(took), "s", search)


def compare(
    size: int, measure: str, values: dict[str, float], at_once: frozenset[str] = frozenset()
) -> list[Figure]:
    """Return the *values* of the systems as ratios to the reference, if that was measured."""
    reference = values.get(REFERENCE)
    return [
        Figure(size, measure, name, value, "s", reference, name in at_once)
        for name, value in values.items()
    ]


def on_disk(corpus: Corpus, parent: Path | None) -> list[Figure]:
    """Measure vividmem on a disk: what a store takes, how it opens, what a durable add costs."""
    size = len(corpus.items)
    text_bytes = sum(len(item.text.encode()) for item in corpus.items)
    with tempfile.TemporaryDirectory(prefix="vividmem-bench-", dir=parent) as folder:
        store = Path(folder) / "store"
        system = Vividmem(YEAR_END, store)
        for first in range(0, size, LOAD):
            with system.memory.batch():
                fill(system, corpus.items[first : first + LOAD])
        system.memory.save()
        disk = folder_bytes(store) / size
        figures = [Figure(size, "disk per memory", "vividmem", disk, "B", text_bytes / size)]
        system.close()
        figures += opening(size, Path(folder), corpus.queries[0], text_bytes)
        system = Vividmem(YEAR_END, store)
        figures += durable(size, system, store, corpus.extra)
        figures += forgetting(size, system, corpus)
        system.close()
    return figures


def opening(size: int, folder: Path, query: str, text_bytes: int) -> Iterator[Figure]:
    """Open the store cold and again in fresh processes, and an empty one to compare memory with."""
    (folder / "store" / "index.cache").unlink(missing_ok=True)
    first, again = (probe.opened(folder / "store", YEAR_END, query) for _ in range(2))
    empty = probe.opened(folder / "empty", YEAR_END, query)
    yield Figure(size, "open, cold", "vividmem", first.cpu, "s", first.parse)
    yield Figure(size, "open, with cache", "vividmem", again.cpu, "s", again.parse)
    if again.rss is not None and empty.rss is not None:
        rss = (again.rss - empty.rss) / size
        yield Figure(size, "RSS per memory", "vividmem", rss, "B", text_bytes / size)


def durable(size: int, system: Vividmem, store: Path, extra: Sequence[Item]) -> Iterator[Figure]:
    """Compare durable adds with bare writes of as many bytes, in turns, and a batch with them."""
    single, batched = extra[:DURABLE], extra[DURABLE : DURABLE + BATCH]
    before = folder_bytes(store)
    system.add(single[0])
    block = b"x" * max(1, folder_bytes(store) - before)
    file = os.open(store.with_name("bare"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    adds, writes = [], []
    for item in single[1:]:
        writes.append(wall(bare_write, file, block))
        adds.append(wall(system.add, item))
    os.close(file)
    bare = statistics.median(writes)
    yield Figure(size, "durable add", "vividmem", statistics.median(adds), "s", bare)
    single_add = statistics.median(adds)
    each = wall(add_batch, system, batched) / len(batched)
    yield Figure(size, f"add in a batch of {BATCH}", "vividmem", each, "s", single_add)


def forgetting(size: int, system: Vividmem, corpus: Corpus) -> Iterator[Figure]:
    """Forget all about one speaker, and compare each with what it took to add."""
    taking = [cpu(system.add, item) for item in corpus.extra[DURABLE + BATCH :]]
    receipts: list[Any] = []
    took = cpu(lambda: receipts.append(system.memory.forget_entity(corpus.items[0].speaker)))
    each, added_in = took / len(receipts[0].forgotten), statistics.median(taking or [0.0])
    yield Figure(size, "forget one of many", "vividmem", each, "s", added_in or None)


def add_batch(system: Vividmem, items: Sequence[Item]) -> None:
    """Add *items* with one fsync."""
    with system.memory.batch():
        fill(system, items)


def bare_write(file: int, block: bytes) -> None:
    """Append *block* and wait for the disk; the whole of what durability costs at the least."""
    os.write(file, block)
    getattr(os, "fdatasync", os.fsync)(file)


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files under *folder*."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def cpu(call: Callable[..., object], *args: object) -> float:
    """Return the CPU seconds this thread spends in one *call* with *args*."""
    started = time.thread_time()
    call(*args)
    return time.thread_time() - started


def process_cpu(call: Callable[..., object], *args: object) -> float:
    """Return the CPU seconds all threads spend during one *call* with *args*."""
    started = time.process_time()
    call(*args)
    return time.process_time() - started


def wall(call: Callable[..., object], *args: object) -> float:
    """Return the seconds one *call* with *args* takes on the wall clock."""
    started = time.perf_counter()
    call(*args)
    return time.perf_counter() - started


def p95(values: Sequence[float]) -> float:
    """Return the smallest value that 95 % of *values* do not exceed.

    >>> p95([float(n) for n in range(1, 101)])
    95.0
    """
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * 95 // 100) - 1)]


def _seconds(value: float) -> str:
    """Return seconds in the unit that reads best.

    >>> _seconds(0.00125), _seconds(2.5)
    ('1250 us', '2500 ms')
    """
    return f"{value * 1e6:.0f} us" if value < 0.01 else f"{value * 1e3:.0f} ms"
