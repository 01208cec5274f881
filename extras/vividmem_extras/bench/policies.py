"""Write policies behind one Protocol: each sees texts and times, and decides what to keep.

All but vividmem compare and retrieve by the cosine of MiniLM sentence vectors. They are written
from their descriptions, and their thresholds were tuned on the dev side of `drift` by
``drift --tune``:

- store-all keeps everything.
- dedup skips what resembles something kept more than a threshold.
- sage is the gate of SAGE (Brahma et al. 2026, arXiv 2605.30711): the novelty of a text is its
  negative log density under a von Mises-Fisher kernel over what is kept, compared with that of the
  kept texts among themselves. Novel: add. Redundant: ignore. Between: merge; the paper asks a
  language model to merge, here, without one, the new text takes the place of the nearest.
- forgetting keeps everything and demotes the most similar older text above a threshold.
- oracle is told whose slot a sentence fills: it retires the old value, skips restatements and small
  talk.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

from vividmem_extras.bench.peers import AGENT, MissingPeerError, UnknownSystemError, minilm_vectors
from vividmem_extras.bench.streams import Said

SPEAKER = "user"  # who says everything in the streams; vividmem's entity, too
NEWEST = 3  # texts the policy "newest" answers with


class Policy(Protocol):
    """A memory that decides at each sentence."""

    def observe(self, said: Said) -> bool:
        """Take in *said*, its text, speaker and time only; tell whether it was kept."""

    def ask(self, question: str, k: int, now: float, *, history: bool = False) -> list[str]:
        """Return the texts of at most *k* results, best first; *history* adds what is retired."""

    def current(self, text: str) -> bool:
        """Tell whether the sentence *text* is still held to be true."""

    def close(self) -> None:
        """Give everything back."""


class Vectors:
    """Sentence vectors of MiniLM, kept in RAM for all stores of a run."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Encode all *texts* that are new, in one go."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, minilm_vectors(new), strict=True))

    def of(self, text: str) -> Any:
        """Return the vector of *text*."""
        self.prepare((text,))
        return self._known[text]


@dataclass(frozen=True, kw_only=True)
class PolicyConfig:
    """Thresholds, tuned on the dev side for the mean of clean recall and unchanged facts kept."""

    dedup: float = 0.9  # cosine from which a text is a duplicate
    forgetting: float = 0.4  # cosine from which a text demotes the nearest older one
    concentration: float = 20.0  # kappa of the von Mises-Fisher kernel
    novel: float = 0.8  # share of the usual novelty of kept texts from which one is added
    redundant: float = 0.0  # the share up to which one is ignored


class StoreAll:
    """Keeps everything; the base of the policies that compare vectors."""

    def __init__(self, vectors: Vectors, cfg: PolicyConfig) -> None:
        self._vectors, self._cfg = vectors, cfg
        self._kept: dict[str, Any] = {}  # text to vector, oldest first
        self._retired: dict[str, Any] = {}

    def observe(self, said: Said) -> bool:
        """Keep *said*."""
        self._keep(said.text)
        return True

    def ask(self, question: str, k: int, now: float, *, history: bool = False) -> list[str]:
        """Return the texts nearest to *question*."""
        pool = {**self._retired, **self._kept} if history else self._kept
        asked = self._vectors.of(question)
        return sorted(pool, key=lambda text: -float(pool[text] @ asked))[:k]

    def current(self, text: str) -> bool:
        """Tell whether *text* is kept."""
        return text in self._kept

    def close(self) -> None:
        """Nothing is held."""

    def _keep(self, text: str) -> None:
        """Keep *text* as the newest."""
        self._kept.pop(text, None)
        self._kept[text] = self._vectors.of(text)

    def _nearest(self, text: str) -> tuple[str, float]:
        """Return the kept text most similar to *text*, and their cosine; "" when there is none."""
        vector = self._vectors.of(text)
        cosines = ((float(other @ vector), kept) for kept, other in self._kept.items())
        cosine, kept = max(cosines, default=(-1.0, ""))
        return kept, cosine


class Newest(StoreAll):
    """Keeps everything and answers with the newest, whatever is asked."""

    def ask(self, question: str, k: int, now: float, *, history: bool = False) -> list[str]:
        """Return the newest texts."""
        return list(islice(reversed(self._kept), min(k, NEWEST)))


class Dedup(StoreAll):
    """Skips what resembles something kept."""

    def observe(self, said: Said) -> bool:
        """Keep *said* unless it is a near duplicate."""
        if self._nearest(said.text)[1] >= self._cfg.dedup:
            return False
        self._keep(said.text)
        return True


class Forgetting(StoreAll):
    """Demotes the most similar older text."""

    def observe(self, said: Said) -> bool:
        """Keep *said*; the nearest older text above the threshold is retired."""
        nearest, cosine = self._nearest(said.text)
        if cosine >= self._cfg.forgetting:
            self._retired[nearest] = self._kept.pop(nearest)
        self._keep(said.text)
        return True


class Sage(StoreAll):
    """Adds the novel, ignores the redundant, merges what lies between."""

    def __init__(self, vectors: Vectors, cfg: PolicyConfig) -> None:
        super().__init__(vectors, cfg)
        self._numpy = importlib.import_module("numpy")

    def observe(self, said: Said) -> bool:
        """Route *said* by its novelty against the usual one of this store."""
        if len(self._kept) > 1:
            novelty, usual = self._novelties(said.text)
            if novelty <= self._cfg.redundant * usual:
                return False
            if novelty < self._cfg.novel * usual:
                del self._kept[self._nearest(said.text)[0]]
        self._keep(said.text)
        return True

    def _novelties(self, text: str) -> tuple[float, float]:
        """Return the novelty of *text*, and the mean one of the kept among themselves."""
        kept = self._numpy.stack(list(self._kept.values()))
        among = self._numpy.exp(self._cfg.concentration * (kept @ kept.T - 1))
        self._numpy.fill_diagonal(among, 0.0)
        density = self._numpy.exp(self._cfg.concentration * (kept @ self._vectors.of(text) - 1))
        usual = -self._numpy.log(among.sum(axis=1)).mean()
        return float(-self._numpy.log(density.sum())), float(usual)


class Oracle(StoreAll):
    """Knows whose slot each sentence fills and what value it gives."""

    def __init__(self, vectors: Vectors, cfg: PolicyConfig) -> None:
        super().__init__(vectors, cfg)
        self._holders: dict[tuple[str, str], Said] = {}

    def observe(self, said: Said) -> bool:
        """Retire what *said* replaces; skip what says nothing new."""
        holder = self._holders.get(said.key)
        if not said.value or (holder is not None and holder.value == said.value):
            return False
        if holder is not None:
            self._retired[holder.text] = self._kept.pop(holder.text)
        self._holders[said.key] = said
        self._keep(said.text)
        return True


class Vividmem:
    """vividmem through `observe` and `resonate`, on a clock that moves with the stream.

    *parts* is a row of `NEURAL`; None: the core alone.
    """

    def __init__(self, parts: Mapping[str, Any] | None = None) -> None:
        try:
            vividmem = importlib.import_module("vividmem")
        except ModuleNotFoundError as err:
            raise MissingPeerError("vividmem.py is not on the path") from err
        self._now = 0.0
        options = {} if parts is None else _neural(parts)
        self.memory: Any = vividmem.VividMem(clock=lambda: self._now, **options)
        self._ids: dict[str, int] = {}  # by text

    def observe(self, said: Said) -> bool:
        """Observe *said*; before `observe` was built: store it as an impression."""
        self._now = max(self._now, said.when)
        text, when = said.text, said.when
        if not hasattr(self.memory, "observe"):
            if said.speaker == AGENT:
                memory = self.memory.add_self_reflection(text, when=when)
            else:
                memory = self.memory.add_social_impression(SPEAKER, text, when=when)
            self._ids[text] = memory.id
            return True
        decision = self.memory.observe(text, entity=SPEAKER, speaker=said.speaker, when=when)
        if decision.memory is not None:
            self._ids[said.text] = decision.memory.id
        return str(decision.action) in ("store", "supersede")

    def ask(self, question: str, k: int, now: float, *, history: bool = False) -> list[str]:
        """Return what resonates, without reinforcement, so that no question helps the next."""
        self._now = max(self._now, now)
        hits = self.memory.resonate(question, limit=k, include_history=history, reinforce=False)
        return [hit.text for hit in hits]

    def current(self, text: str) -> bool:
        """Tell whether the memory that *text* made, or was merged into, is current."""
        number = self._ids.get(text)
        if number is None:
            return False
        found = self.memory.memories(after=number - 1, limit=1)
        return any(memory.id == number and memory.current for memory in found)

    def close(self) -> None:
        """Close the store."""
        self.memory.close()


#: The neural gate, and what is left of it without this or that part: options of `NeuralGate`.
NEURAL: Mapping[str, Mapping[str, Any]] = {
    "neural": {},
    "neural:surprise-only": {"nli": False},
    "neural:contradiction-only": {"surprise": False, "same": 2.0},
    "neural:no-prefilter": {"same_slot": -1.0},
    "neural:frames-only": {"nli": False, "surprise": False, "same": 2.0},
}


def _neural(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of `VividMem` for the neural gate made of *parts*."""
    try:
        neural: Any = importlib.import_module("vividmem_extras.neural")
        embedder = neural.OnnxEmbedder(at_once=None)
        return {"embedder": embedder, "gate": neural.NeuralGate(embedder, **parts)}
    except ImportError as err:
        raise MissingPeerError(str(err)) from err


COSINE: Mapping[str, type[StoreAll]] = {
    "store-all": StoreAll,
    "dedup": Dedup,
    "sage": Sage,
    "forgetting": Forgetting,
    "oracle": Oracle,
    "newest-3": Newest,
}


def maker(name: str, vectors: Vectors, cfg: PolicyConfig | None = None) -> Callable[[], Policy]:
    """Return what makes a fresh policy called *name*; raise `UnknownSystemError` on another name.

    Of a policy that is not installed the first call raises `MissingPeerError`.
    """
    if name == "vividmem":
        return Vividmem
    if name in NEURAL:
        return lambda: Vividmem(NEURAL[name])
    if name not in COSINE:
        known = ", ".join((*COSINE, *NEURAL))
        raise UnknownSystemError(f"no policy is called {name}; there are vividmem, {known}")
    return lambda: COSINE[name](vectors, cfg or PolicyConfig())


def shown_name(name: str) -> str:
    """Return the name of a policy as tables show it, telling how vividmem was written to."""
    if name != "vividmem":
        return name
    memory = importlib.import_module("vividmem").VividMem
    return name if hasattr(memory, "observe") else "vividmem (no observe)"
