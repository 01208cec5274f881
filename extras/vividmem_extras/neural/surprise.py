"""An associative memory whose weights are its state, and how surprised it is.

After Titans (Behrouz, Zhong & Mirrokni 2024): a small network is to give back what it is shown;
the loss before a step of gradient descent is the surprise, and the step takes the item in.
The model file is that one step, gradients written out, so that no training framework is needed.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

from vividmem import ConfigError
from vividmem_extras.neural.models import model_file, session

import numpy as np  # isort: skip  # after models, which says what is missing
from vividmem_extras.neural.vectors import Floats  # isort: skip

_NAMES = ("w1", "w2", "s1", "s2")  # weights and momenta


class OnnxSurprise:
    """The memory: *hidden* units, *rate* of learning, *momentum* and *decay* of its steps.

    With the *rate* that is chosen where none is given a step cannot overshoot.
    *path* is the .onnx file of the step, or a folder with `surprise.onnx`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        dimension: int = 384,
        hidden: int = 1024,
        rate: float | None = None,
        momentum: float = 0.5,
        decay: float = 0.0,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if hidden < 1 or dimension < 1:
            raise ConfigError(f"hidden and dimension must be at least 1: {hidden}, {dimension}")
        rate = 1.0 / hidden if rate is None else rate  # |h|^2 is at most hidden
        self._session = session(model_file("surprise.onnx", path), threads)
        self._shape, self._seed = (dimension, hidden), seed
        self._rates = {
            name: np.asarray(value, np.float32)
            for name, value in (("rate", rate), ("momentum", momentum), ("decay", decay))
        }
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        chance = np.random.default_rng(self._seed)
        first = chance.standard_normal(self._shape).astype(np.float32)
        zeros: Floats = np.zeros(self._shape, np.float32)
        self._state = dict(zip(_NAMES, (first, zeros.T, zeros, zeros.T), strict=True))
        self.steps = 0

    def loss(self, vectors: Floats) -> list[float]:
        """Return how surprised the memory is by each of *vectors*: 1 at first, 0 if it knows it."""
        told: list[float] = self._run(vectors)[0].tolist()
        return told

    def absorb(self, vectors: Floats) -> list[float]:
        """Take in *vectors*, in one step, and return how surprising each was before."""
        loss, *state = self._run(vectors)
        self._state = dict(zip(_NAMES, state, strict=True))
        self.steps += 1
        surprises: list[float] = loss.tolist()
        return surprises

    def save(self, path: Path, stamp: Sequence[str]) -> None:
        """Write the state to *path*, marked by *stamp*."""
        halves = {name: array.astype(np.float16) for name, array in self._state.items()}
        fresh = path.with_suffix(".tmp")
        with open(fresh, "wb") as file:
            np.savez(file, stamp=np.array(stamp), steps=np.array(self.steps), **halves)
        os.replace(fresh, path)

    def restore(self, path: Path, stamp: Sequence[str]) -> bool:
        """Take the state from *path* and return True, if it is whole and marked by *stamp*."""
        try:
            with np.load(path, allow_pickle=False) as held:
                fits = held["stamp"].tolist() == list(stamp) and held["w1"].shape == self._shape
                if fits:
                    self._state = {name: held[name].astype(np.float32) for name in _NAMES}
                    self.steps = int(held["steps"])
                return bool(fits)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return False  # it is a cache: what cannot be read is learnt anew

    def _run(self, vectors: Floats) -> list[Floats]:
        given = {**self._state, "key": vectors, "value": vectors, **self._rates}
        told: list[Floats] = self._session.run(None, given)
        return told
