"""Embedders: texts to vectors, and the vectors of one store."""

from __future__ import annotations

import functools
import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import vividmem
from vividmem import ConfigError
from vividmem_extras.neural.models import digest, inputs_of, model_file, session, tokenizer

import numpy as np  # isort: skip  # after models, which says what is missing
from vividmem_extras.neural.vectors import Floats, Vectors  # isort: skip

VECTORS, STATES = "vectors-", "surprise-"  # how the names of files beside a store begin
_REMEMBERED = 256  # texts whose vectors are kept at hand


class VectorEmbedder(vividmem.Embedder):
    """Serves one store with the vectors that *embed* makes of texts.

    *embed* takes a list of texts and returns as many vectors of *dimension* numbers; *model* names
    it, and vectors of another model are never mixed with its own. Vectors are made when something
    is asked: at most *at_once* texts per question, the newest first, so that a big store answers at
    once by words and little by little by meaning (`stats()["embedder"]` tells how many wait). None:
    all at the first question. What *embed* raises reaches the caller.
    """

    def __init__(
        self,
        embed: Callable[[list[str]], Sequence[Sequence[float]] | Floats],
        *,
        model: str,
        dimension: int,
        at_once: int | None = 64,
    ) -> None:
        self.model, self.dimension = model, dimension
        self.drops = 0  # how often something was forgotten
        self._embed, self._at_once = embed, at_once
        self._folder: Path | None = None
        self._clear = False
        self._opened = False
        self._texts: dict[int, str] = {}  # what waits for a vector
        self._recent: OrderedDict[str, Floats] = OrderedDict()

    def open(self, folder: Path | None, *, clear: bool) -> None:
        """Begin, or go on, to serve the store in *folder*; keep vectors there only if *clear*."""
        if self._opened and folder != self._folder:
            serves = f"this embedder serves {self._folder or 'a store in RAM'}"
            raise ConfigError(f"{serves}: make another one for {folder or 'that store'}")
        if self._opened and clear == self._clear:
            return
        self._opened, self._folder, self._clear = True, folder, clear
        self.__dict__.pop("vectors", None)
        if folder is not None:
            files = [file for file in folder.glob(f"{VECTORS}*") if file.stem != self._file_name]
            remove(files if clear else [*folder.glob(f"{VECTORS}*"), *folder.glob(f"{STATES}*")])

    def load(self, texts: Mapping[int, str]) -> None:
        """Take *texts*, by memory id, as all there are."""
        known = self.vectors.digests()
        self.vectors.drop(known.keys() - texts.keys())
        self._texts = {i: t for i, t in texts.items() if i not in known or known[i] != _digest(t)}

    def put(self, memory_id: int, text: str) -> None:
        """Take in one more text; its vector is made when something is asked."""
        self._texts[memory_id] = text

    def drop(self, memory_ids: Iterable[int]) -> None:
        """Forget these; on return no file holds their vectors."""
        gone = [i for i in memory_ids if i in self._texts or i in self.vectors]
        if not gone:
            return
        for memory_id in gone:
            self._texts.pop(memory_id, None)
        self._recent.clear()
        self.vectors.drop(gone)
        if self.cache is not None:
            remove(self.cache.glob(f"{STATES}*"))  # they have learnt from what is forgotten
        self.drops += 1

    def near(self, text: str, count: int) -> Mapping[int, float]:
        """Return the *count* memories nearest in meaning to *text*, with their cosines."""
        vector = self.vector(text)
        self.catch_up(self._at_once)
        return self.vectors.near(vector, count)

    def cosines(self, text: str, passages: Mapping[int, Sequence[int]]) -> Mapping[int, float]:
        """Return how close *text* is to the mean of each passage, some memory ids.

        What has no vector yet is left out, and so is a passage without any.
        """
        return self.vectors.cosines(self.vector(text), passages)

    def describe(self) -> dict[str, int | str]:
        """Return the model's name and how many memories have vectors, how many wait for one."""
        return {"model": self.model, "vectors": len(self.vectors), "waiting": len(self._texts)}

    def vector(self, text: str) -> Floats:
        """Return the unit vector of *text*."""
        return self.vectors_of([text])[0]

    def vectors_of(self, texts: Sequence[str]) -> Floats:
        """Return the unit vectors of *texts*, a row each; what was just asked is at hand."""
        found = {text: self._known(text) for text in dict.fromkeys(texts)}
        new = [text for text, vector in found.items() if vector is None]
        if new:
            found.update(zip(new, self._made(new), strict=True))
        rows = np.stack([found[text] for text in texts])
        self._recent.update((text, vector) for text, vector in found.items() if vector is not None)
        while len(self._recent) > _REMEMBERED:
            self._recent.popitem(last=False)
        return rows

    def catch_up(self, most: int | None = None) -> int:
        """Make vectors for *most* memories that wait (None: for all); return how many still do."""
        waiting = sorted(self._texts, reverse=True)[:most]
        for start in range(0, len(waiting), 32):
            part = waiting[start : start + 32]
            rows = self.vectors_of([self._texts[i] for i in part])
            told = zip(part, rows, strict=True)
            self.vectors.set({i: (_digest(self._texts[i]), row) for i, row in told})
            for memory_id in part:
                del self._texts[memory_id]
        return len(self._texts)

    @functools.cached_property
    def vectors(self) -> Vectors:
        """Return the vectors of the store that is served."""
        path = None if self.cache is None else self.cache / f"{self._file_name}.bin"
        return Vectors(self.model, self.dimension, path)

    @property
    def cache(self) -> Path | None:
        """Return the folder in which what is made of texts may lie."""
        return self._folder if self._clear else None

    @property
    def _file_name(self) -> str:
        return VECTORS + hashlib.sha256(f"{self.model} {self.dimension}".encode()).hexdigest()[:12]

    def _known(self, text: str) -> Floats | None:
        recent = self._recent.get(text)
        return self.vectors.of_text(_digest(text)) if recent is None else recent

    def _made(self, texts: list[str]) -> Floats:
        rows = np.asarray(self._embed(texts), np.float32)
        if rows.shape != (len(texts), self.dimension) or not np.isfinite(rows).all():
            wanted = f"{len(texts)} vectors of {self.dimension} finite numbers"
            raise ConfigError(f"the model {self.model} must return {wanted}, not {rows.shape}")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


class OnnxEmbedder(VectorEmbedder):
    """Serves one store with a sentence model: all-MiniLM-L6-v2 of `vividmem-models`, or another.

    *path* is an .onnx file, or a folder with `embedder.onnx`; `tokenizer.json` lies beside it. The
    model has the inputs of BERT and returns sentence vectors, or token vectors, of which the mean
    is taken. Embedders of one file share it. *at_once*: as for `VectorEmbedder`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        longest: int = 128,
        threads: int = 1,
        at_once: int | None = 64,
    ) -> None:
        file = model_file("embedder.onnx", path)
        self._session = session(file, threads)
        self._tokens = tokenizer(file.with_name("tokenizer.json"), longest)
        shape = self._session.get_outputs()[0].shape
        if not isinstance(shape[-1], int):
            raise ConfigError(f"{file} does not say how long its vectors are")
        name = f"{file.stem}-{digest(file)[:12]}"
        super().__init__(self._run, model=name, dimension=shape[-1], at_once=at_once)

    def _run(self, texts: list[str]) -> Floats:
        encodings = self._tokens.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda i: len(encodings[i].ids))
        rows: Floats = np.zeros((len(texts), self.dimension), np.float32)
        for start in range(0, len(order), 16):  # of about one length: little is padded
            part = order[start : start + 16]
            inputs = inputs_of(self._session, [encodings[i] for i in part])
            told = np.asarray(self._session.run(None, inputs)[0])
            if told.ndim == 3:
                mask = inputs["attention_mask"][:, :, None]
                told = (told * mask).sum(1) / mask.sum(1)
            rows[part] = told
        return rows


def remove(files: Iterable[Path]) -> None:
    """Remove *files*, as far as no other process on Windows holds them open."""
    for file in files:
        with suppress(FileNotFoundError, PermissionError):
            file.unlink()


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
