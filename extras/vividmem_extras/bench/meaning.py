"""What meaning costs: a store with embedder and neural gate beside one of words alone, in turns.

Both hold the same statements of one person, drawn from the training's grammar (it takes its names
from `faker`), in RAM, a vector for each. Times are CPU of the calling thread, in which the models
run, too: of `resonate` for ten results without reinforcement, and of `observe`.
"""

from __future__ import annotations

import importlib
import statistics
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from vividmem import VividMem
from vividmem_extras.bench.corpus import YEAR_END
from vividmem_extras.bench.peers import MissingPeerError

SPEAKER, TOP = "user", 10
EPISODE = 12  # statements of one episode
HELD_SEED = 1_000  # added to the seed for what is asked and observed

Timer = Callable[..., float]  # of a call and its arguments: seconds


def costs(size: int, queries: int, seed: int, cpu: Timer) -> Iterator[tuple[str, float, float]]:
    """Yield measure and the seconds with meaning and by words alone, at *size* memories."""
    asked = statements(queries, seed + HELD_SEED, later=True)
    told = statements(queries, seed + HELD_SEED)
    stores = filled(statements(size, seed))

    def ask(memory: VividMem, text: str) -> None:
        memory.resonate(text, limit=TOP, reinforce=False)

    def observe(memory: VividMem, text: str) -> None:
        memory.observe(text, entity=SPEAKER)

    for memory in stores:
        ask(memory, asked[0])  # all that waits gets its vector
    for name, call, texts in (("resonate", ask, asked), ("observe", observe, told)):
        took = [[cpu(call, memory, text) for memory in stores] for text in texts]
        by_meaning, by_words = (list(column) for column in zip(*took, strict=True))
        yield f"{name} p50", statistics.median(by_meaning), statistics.median(by_words)
        yield f"{name} mean", statistics.fmean(by_meaning), statistics.fmean(by_words)
        yield f"{name} p95", _p95(by_meaning), _p95(by_words)


def statements(count: int, seed: int, *, later: bool = False) -> list[str]:
    """Return *count* different statements of the grammar; *later*: the second ones of its pairs."""
    try:
        grammar: Any = importlib.import_module("vividmem_extras.training.grammar")
        pairs = grammar.Grammar(seed).pairs(2 * count + 100)
        texts = (pair.second if later or len(pair.first) < 6 else pair.first for pair in pairs)
        return list(islice(dict.fromkeys(texts), count))
    except ImportError as err:
        raise MissingPeerError(str(err)) from err


def filled(texts: list[str]) -> tuple[VividMem, VividMem]:
    """Return a store with embedder and gate and one without, both with *texts*."""
    try:
        neural: Any = importlib.import_module("vividmem_extras.neural")
        embedder = neural.OnnxEmbedder(at_once=None)
        stores = (
            VividMem(clock=_now, embedder=embedder, gate=neural.NeuralGate(embedder)),
            VividMem(clock=_now),
        )
    except ImportError as err:
        raise MissingPeerError(str(err)) from err
    for memory in stores:
        with memory.batch():
            for number, text in enumerate(texts):
                episode = f"episode-{number // EPISODE}"
                memory.add_social_impression(SPEAKER, text, episode=episode)
    return stores


def _now() -> float:
    return YEAR_END


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]
