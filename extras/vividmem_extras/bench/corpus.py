"""A generated corpus whose word frequencies, lengths and times resemble an agent's memory."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from vividmem_extras.bench.peers import Item

YEAR_END = 1_735_689_600.0  # 2025-01-01, when the clock of the run stands
YEAR = 365 * 86_400.0  # seconds
NAMES = "Alex Bruno Chiara Dmitri Elena Farid Greta Hiro Ines Jonas Kavya Lucia".split()
CONSONANTS = "b d f g h k l m n p r s t v z br dr kl pl st tr".split()
VOWELS = "a e i o u".split()
ENDS = ["", "", "", "l", "n", "r", "s", "t"]


@dataclass(frozen=True, kw_only=True)
class CorpusConfig:
    """The shape of the corpus, chosen by eye; ranges are inclusive."""

    smallest_vocabulary: int = 3_000  # words, however few memories
    largest_vocabulary: int = 50_000  # words; between the two, one per memory
    zipf_shift: float = 2.7  # Mandelbrot's: the weight of rank r is 1 / (r + shift)
    sentence: tuple[int, int] = (8, 20)  # words
    episode: tuple[int, int] = (5, 40)  # memories
    gap: tuple[float, float] = (20.0, 300.0)  # seconds between memories of an episode
    named: float = 0.2  # share of sentences that name somebody
    restated: float = 0.02  # share that repeats an earlier sentence, by the same speaker
    query: tuple[int, int] = (3, 6)  # words
    function_words: int = 20  # most frequent words, never asked for


@dataclass(frozen=True, slots=True)
class Corpus:
    """Memories, *extra* ones to add later, and the queries to ask of the former."""

    items: list[Item]
    extra: list[Item]
    queries: list[str]


def generate(size: int, extra: int, queries: int, seed: int) -> Corpus:
    """Return *size* memories and *extra* more; the same arguments give the same corpus."""
    cfg = CorpusConfig()
    rng = random.Random(f"{seed}/{size}")
    count = min(cfg.largest_vocabulary, max(cfg.smallest_vocabulary, size))
    words = vocabulary(count, rng)
    told = list(_items(size + extra, words, rng, cfg))
    common = frozenset(words[: cfg.function_words])
    asked = [query(rng.choice(told[:size]).text, common, rng, cfg) for _ in range(queries)]
    return Corpus(told[:size], told[size:], asked)


def vocabulary(count: int, rng: random.Random) -> list[str]:
    """Return *count* different words of one to four syllables, the most frequent first."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = min(4, 1 + len(words) // 40) if len(words) < 120 else rng.randint(2, 4)
        word = "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(syllables))
        words[word + rng.choice(ENDS)] = None
    return list(words)


def query(text: str, common: frozenset[str], rng: random.Random, cfg: CorpusConfig) -> str:
    """Return some words of *text* in their order, without *common* ones."""
    words = [word for word in text.lower().rstrip(".").split() if word not in common]
    count = min(len(words), rng.randint(*cfg.query))
    return " ".join(words[place] for place in sorted(rng.sample(range(len(words)), count)))


def _items(count: int, words: list[str], rng: random.Random, cfg: CorpusConfig) -> Iterator[Item]:
    """Yield *count* memories, episode after episode, over one year."""
    weights = list(itertools.accumulate(1 / (rank + cfg.zipf_shift) for rank in range(len(words))))
    told: list[Item] = []
    episode, left, when = 0, 0, 0.0
    for place in range(count):
        if left == 0:
            episode, left = episode + 1, rng.randint(*cfg.episode)
            when = max(when, YEAR_END - YEAR * (1 - place / count))
        left -= 1
        when += rng.uniform(*cfg.gap)
        speaker, text = rng.choice(NAMES), ""
        if told and rng.random() < cfg.restated:
            earlier = rng.choice(told)
            speaker, text = earlier.speaker, earlier.text
        text = text or _sentence(words, weights, rng, cfg)
        told.append(Item(text, speaker, min(when, YEAR_END), f"episode-{episode}"))
        yield told[-1]


def _sentence(words: list[str], weights: list[float], rng: random.Random, cfg: CorpusConfig) -> str:
    """Return one sentence; some name somebody in place of a word."""
    chosen = rng.choices(words, cum_weights=weights, k=rng.randint(*cfg.sentence))
    if rng.random() < cfg.named:
        chosen[rng.randrange(len(chosen))] = rng.choice(NAMES)
    text = " ".join(chosen)
    return text[0].upper() + text[1:] + "."
