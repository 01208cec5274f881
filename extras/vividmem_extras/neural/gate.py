"""The write gate with meaning: what is new, and what contradicts what is known."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence

import vividmem
from vividmem_extras.neural.embedder import STATES, VectorEmbedder
from vividmem_extras.neural.nli import OnnxNli, Verdict
from vividmem_extras.neural.surprise import OnnxSurprise

import numpy as np  # isort: skip  # after models, which says what is missing

_SAVED_EVERY = 32  # steps of the associative memory between two savings
_LEARNT_ANEW = 256  # newest memories it learns where no state was kept
_REMEMBERED = 32  # verdicts that are kept
_SPOKEN_FOR = 0.05  # chance by words from which the classifier is asked however far the meaning
_TURNED = vividmem.DOUBTS  # chance below which even a certain contradiction changes nothing
_WEIGHTS, _BIAS = (0.42, 0.24, 5.84, -9.45, 0.54), -2.58  # by `training weigh`
_REPLAYED = 7  # stored memories that are shown again with each new one


class NeuralGate(vividmem.Gate):
    """Judges with the words first, then with an embedder, a classifier of pairs and a memory.

    Give it the *embedder* of the same store. *nli* and *surprise* None: the models of
    `vividmem-models`; False: do without. Two statements are compared by *nli* only if their cosine
    is at least *same_slot*, no frame has read both, and at most *pairs* times for one observation;
    they contradict from *contradiction* on. What has the cosine *same* with a memory, says nothing
    else by its numbers and negations, and follows from it as it follows from that, is not new.
    """

    def __init__(
        self,
        embedder: VectorEmbedder,
        nli: OnnxNli | bool | None = None,
        surprise: OnnxSurprise | bool | None = None,
        *,
        same_slot: float = 0.4,
        contradiction: float = 0.93,  # chosen on the training's threshold.txt
        same: float = 0.85,
        entailment: float = 0.7,
        pairs: int = 4,  # one that goes and three in doubt
        frames: bool = True,
    ) -> None:
        self._embedder = embedder
        self._nli = OnnxNli() if nli is None or nli is True else nli or None
        if surprise is None or surprise is True:
            surprise = OnnxSurprise(dimension=embedder.dimension)
        self._memory = surprise or None
        self._words = vividmem.LexicalGate(lambda term: 1.0)
        self._same_slot, self._same, self._entailment = same_slot, same, entailment
        self._contradiction, self._pairs, self._frames = contradiction, pairs, frames
        self._verdicts: dict[tuple[str, str], Verdict] = {}
        self._newer, self._asked = "", 0  # pairs asked about the newest statement
        self._weighed: set[tuple[str, str]] = set()  # pairs of it that were weighed as a whole
        self._drops: int | None = None  # the embedder's count when the memory was last in step

    def surprise(self, text: str, known: Sequence[str]) -> float:
        """Return how new *text* is beside the *known* texts most like it, 0..1."""
        by_words = self._words.surprise(text, known)
        vector = self._embedder.vector(text)
        loss = self._absorbed(vector[None])
        if not known:
            return 1.0
        cosines = self._embedder.vectors_of(known) @ vector
        best = int(cosines.argmax())
        surprise = by_words
        if cosines[best] >= self._same_slot and loss is not None:
            surprise = min(surprise, loss)
        if cosines[best] >= self._same and self._says_the_same(text, known[best]):
            surprise = min(surprise, 1.0 - float(cosines[best]))
        return round(surprise, 4)

    def contradicts(self, newer: str, older: str) -> float:
        """Return how likely the two cannot both be true; 0.5 is where they do not."""
        if self._words.contradicts(newer, older):
            return 1.0
        if self._nli is None or (newer, older) in self._weighed:
            return 0.0
        one, other = self._embedder.vectors_of((newer, older))
        if float(one @ other) < self._same_slot:
            return 0.0
        if self._frames and claimed(newer) and claimed(older):
            return 0.0
        self._newer, self._asked = newer, self._asked + 1 if newer == self._newer else 1
        if self._asked > self._pairs:
            return 0.0
        (verdict,) = self._judged(self._nli, (older, newer))
        return _around_half(verdict.contradiction, self._contradiction)

    def replaced(self, newer: str, chances: Mapping[str, float]) -> Mapping[str, float]:
        """Return how likely *newer* takes the place of each older text, 0..1.

        *chances* is what the words make of it. Where the meaning is close, or words speak for it,
        the classifier is asked, too, of at most *pairs* texts: those most likely to be replaced.
        What the frames read firmly it cannot take back, and what words alone would have ended
        stays in doubt.
        """
        if self._nli is None or not chances:
            return chances
        texts = list(chances)
        rows = self._embedder.vectors_of((newer, *texts))
        cosines = dict(zip(texts, (rows[1:] @ rows[0]).tolist(), strict=True))
        most = {text: _likely(chance, 1.0, cosines[text]) for text, chance in chances.items()
                if cosines[text] >= self._same_slot or chance >= _SPOKEN_FOR}  # fmt: skip
        asked = [text for text in sorted(most, key=most.__getitem__, reverse=True)
                 if most[text] >= _TURNED][: self._pairs]  # fmt: skip
        verdicts = self._judged(self._nli, *((text, newer) for text in asked))
        told = zip(asked, verdicts, strict=True)
        self._weighed = {(newer, text) for text in asked}
        return dict(chances) | {
            text: max(
                _likely(chances[text], verdict.contradiction, cosines[text]),
                _left_of(chances[text]),
            )
            for text, verdict in told
        }

    def _says_the_same(self, text: str, known: str) -> bool:
        signs = [(vividmem.polarity(t), vividmem.numbers(t)) for t in (text, known)]
        if signs[0] != signs[1]:
            return False
        if self._nli is None:
            return True
        both = self._judged(self._nli, (known, text), (text, known))
        return min(verdict.entailment for verdict in both) >= self._entailment

    def _judged(self, nli: OnnxNli, *pairs: tuple[str, str]) -> list[Verdict]:
        """Return the verdicts on *pairs*; those on the newest observation are at hand."""
        new = [pair for pair in pairs if pair not in self._verdicts]
        if len(self._verdicts) > _REMEMBERED:
            self._verdicts.clear()
            new = list(pairs)
        self._verdicts.update(zip(new, nli.judge(new), strict=True))
        return [self._verdicts[pair] for pair in pairs]

    def _absorbed(self, vector: np.typing.NDArray[np.float32]) -> float | None:
        """Return how surprised the memory was by *vector*, which it has taken in, 0..1."""
        memory = self._memory
        if memory is None:
            return None
        if self._drops != self._embedder.drops:
            self._learn(memory)
        vectors = self._embedder.vectors
        shown = vectors.some(_REPLAYED, memory.steps)
        loss = memory.absorb(np.concatenate([vector, vectors.matrix(shown)]))[0]
        cache = self._embedder.cache
        if cache is not None and memory.steps % _SAVED_EVERY == 0:
            memory.save(cache / f"{STATES}state.npz", self._stamp)
        if not np.isfinite(loss):  # a rate set too high: what it tells is worth nothing
            memory.reset()
            return None
        return min(1.0, max(0.0, loss))

    def _learn(self, memory: OnnxSurprise) -> None:
        """Take the memory from its file, or let it learn the newest memories anew."""
        embedder, self._drops = self._embedder, self._embedder.drops
        cache = embedder.cache
        memory.reset()
        if cache is not None and memory.restore(cache / f"{STATES}state.npz", self._stamp):
            return
        newest = embedder.vectors.newest(_LEARNT_ANEW)
        for start in range(0, len(newest), 1 + _REPLAYED):
            memory.absorb(embedder.vectors.matrix(newest[start : start + 1 + _REPLAYED]))

    @property
    def _stamp(self) -> tuple[str, ...]:
        return (self._embedder.model, "1")


@functools.lru_cache(maxsize=1024)
def claimed(text: str) -> bool:
    """Return whether the table of frames reads anything in *text*; what only hints is nothing."""
    return any(claim.strength >= vividmem.TOO_WEAK for claim in vividmem.claims(text))


def _likely(chance: float, contradiction: float, cosine: float) -> float:
    """Return how likely a text is replaced: a logistic model of words, classifier and meaning."""
    signs = signs_of(chance, contradiction, cosine)
    return 1 / (1 + math.exp(-_BIAS - sum(w * x for w, x in zip(_WEIGHTS, signs, strict=True))))


def _left_of(chance: float) -> float:
    """Return what is left at least of a *chance* by words, whatever the classifier says."""
    return min(chance, vividmem.LIKELY if chance >= vividmem.REPLACES else vividmem.KEEPS_FIRM)


def signs_of(chance: float, contradiction: float, cosine: float) -> tuple[float, ...]:
    """Return what is weighed of a pair of texts."""
    words, told = _odds(chance), _odds(contradiction)
    return words, told, cosine, max(0.0, cosine - 0.5), cosine * told


def _odds(share: float) -> float:
    return math.log((share + 0.001) / (1.001 - share))


def _around_half(probability: float, threshold: float) -> float:
    """Return *probability* stretched so that *threshold* comes to 0.5."""
    if probability < threshold:
        return 0.5 * probability / threshold
    return 0.5 + 0.5 * (probability - threshold) / max(1e-9, 1 - threshold)
