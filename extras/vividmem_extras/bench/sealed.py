"""What encryption costs: an encrypted folder beside a plain one, in turns, with the same memories.

Each figure is a median on the wall clock of the encrypted folder, its reference that of the plain
one. Opening is up to the first answer in this process; deriving the key, which costs what
`StoreConfig.scrypt_cost` says and no more in a large folder than in a small one, is told apart.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from vividmem import VividMem
from vividmem_extras.bench.account import PASSWORD, SCRYPT_COST
from vividmem_extras.bench.corpus import YEAR_END, Corpus
from vividmem_extras.bench.peers import Item

ADDS = 150  # of each kind
ROUNDS = 5  # openings and compactions of each folder
LOAD = 10_000  # memories per batch while a folder is filled
PASSWORDS = {"plain": None, "encrypted": PASSWORD}

Pair = dict[str, list[float]]  # kind of folder -> what was measured


def costs(corpus: Corpus, parent: Path | None) -> Iterator[tuple[str, str, float, float]]:
    """Yield measure, unit, and the medians of the encrypted and of the plain folder."""
    with tempfile.TemporaryDirectory(prefix="vividmem-bench-", dir=parent) as place:
        folders = {kind: Path(place) / kind for kind in PASSWORDS}
        for kind, folder in folders.items():
            with opened(kind, folder, "os") as memory:
                for first in range(0, len(corpus.items), LOAD):
                    with memory.batch():
                        filled(memory, corpus.items[first : first + LOAD])
                memory.save()
        disk = {kind: [float(snapshot_bytes(folder))] for kind, folder in folders.items()}
        yield told("disk", "B", disk)
        yield told("open", "s", openings(folders, corpus.queries[0]))
        for durability in ("fsync", "os"):
            adds = in_turns(folders, durability, corpus.extra[:ADDS])
            yield told(f"add, {durability}", "s", adds)
        yield told("compaction", "s", compactions(folders, corpus.extra))
        derivation = {"encrypted": [key_seconds(place)], "plain": [0.0]}
        yield told("scrypt, once a process", "s", derivation)


def told(measure: str, unit: str, pair: Pair) -> tuple[str, str, float, float]:
    """Return the row of one measure."""
    return measure, unit, statistics.median(pair["encrypted"]), statistics.median(pair["plain"])


def opened(kind: str, folder: Path, durability: str) -> VividMem:
    """Open a folder of this *kind*; the key is derived at the least cost there is."""
    store = {"durability": durability, "scrypt_cost": SCRYPT_COST, "compact_bytes": 10**9}
    config = {"timezone": "UTC", "store": store}
    return VividMem(folder, config=config, clock=lambda: YEAR_END, password=PASSWORDS[kind])


def filled(memory: VividMem, items: Sequence[Item]) -> None:
    """Remember *items*."""
    for item in items:
        memory.add_social_impression(item.speaker, item.text, when=item.when)


def openings(folders: dict[str, Path], query: str) -> Pair:
    """Open each folder and ask once, the two taking turns."""
    pair: Pair = {kind: [] for kind in folders}
    for _ in range(ROUNDS):
        for kind, folder in folders.items():
            started = time.perf_counter()
            with opened(kind, folder, "os") as memory:
                memory.resonate(query, reinforce=False)
                pair[kind].append(time.perf_counter() - started)
    return pair


def in_turns(folders: dict[str, Path], durability: str, items: Sequence[Item]) -> Pair:
    """Add *items* one by one, the two folders taking turns."""
    memories = {kind: opened(kind, folder, durability) for kind, folder in folders.items()}
    pair: Pair = {kind: [] for kind in folders}
    for number, item in enumerate(items):
        order = list(memories) if number % 2 else list(memories)[::-1]
        for kind in order:
            pair[kind].append(timed(filled, memories[kind], [item]))
    for memory in memories.values():
        memory.close()
    return pair


def compactions(folders: dict[str, Path], items: Sequence[Item]) -> Pair:
    """Compact each folder after one more memory, in turns."""
    memories = {kind: opened(kind, folder, "os") for kind, folder in folders.items()}
    pair: Pair = {kind: [] for kind in folders}
    for item in items[-ROUNDS:]:
        for kind, memory in memories.items():
            filled(memory, [item])
            pair[kind].append(timed(memory.save))
    for memory in memories.values():
        memory.close()
    return pair


def key_seconds(place: str) -> float:
    """Return what making an empty folder costs more at the usual cost of scrypt."""
    usual = timed(lambda: VividMem(Path(place) / "usual", password=PASSWORD).close())
    return usual - timed(lambda: opened("encrypted", Path(place) / "least", "fsync").close())


def snapshot_bytes(folder: Path) -> int:
    """Return the size of the snapshot."""
    return (folder / "memory.json").stat().st_size


def timed(call: Callable[..., object], *args: object) -> float:
    """Return the seconds one *call* with *args* takes on the wall clock."""
    started = time.perf_counter()
    call(*args)
    return time.perf_counter() - started
