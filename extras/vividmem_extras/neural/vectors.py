"""Vectors by memory id: whole numbers of one byte, in RAM or in a file beside the store.

The search is in two steps: the signs of all vectors (a bit a dimension) are compared with those of
the query, and the few hundred that agree most are compared in full.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from vividmem import Lock

Floats: TypeAlias = "np.typing.NDArray[np.float32]"
HEADER = 4096  # bytes before the first row: a line of JSON, at the end a counter of changes
_GROWTH = 1024  # rows a table grows by, at least
_LOOKED_AT = 256  # vectors compared in full, at least
_LOCK_SECONDS = 30.0


class Vectors:
    """Unit vectors by memory id, each with the digest of the text it was made of.

    With *path* the rows lie in that file, mapped into memory, and other processes may change it at
    the same time. The file is a cache: whatever is damaged or of another make is left out.
    """

    def __init__(self, stamp: str, dimension: int, path: Path | None = None) -> None:
        self._stamp, self._dimension, self._path = stamp, dimension, path
        self._lock = Lock("" if path is None else str(path.with_suffix(".lock")))
        self._row = np.dtype(
            [("id", "<i8"), ("text", "<u8"), ("scale", "<f4"), ("code", "i1", (dimension,))]
        )
        self._words = -(-dimension // 64)
        self._changes = -1
        self._slots: dict[int, int] = {}
        self._free: list[int] = []
        self._rows: Any = np.zeros(0, self._row)
        self._signs: Any = np.zeros((self._words, 0), np.uint64)  # a row for each 64 dimensions
        self._texts: Any = np.zeros(0, np.uint64)  # their digests, side by side to be searched
        self._counter: Any = np.zeros(1, np.uint64)
        with self._held():
            self._changes = int(self._counter[0])

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, memory_id: int) -> bool:
        return memory_id in self._slots

    def digests(self) -> dict[int, int]:
        """Return the digest of its text for each memory id."""
        return {
            i: int(text)
            for i, text in zip(self._slots, self._texts[list(self._slots.values())], strict=True)
        }

    def of_text(self, text: int) -> Floats | None:
        """Return the vector of a text with this digest, if one is kept."""
        self._look()
        for slot in np.flatnonzero(self._texts == np.uint64(text))[:1]:
            row = self._rows[slot]
            return np.asarray(row["code"] * row["scale"], np.float32)
        return None

    def set(self, found: Mapping[int, tuple[int, Floats]]) -> None:
        """Keep a digest and a vector for each memory id."""
        with self._held():
            self._reserve(sum(memory_id not in self._slots for memory_id in found))
            for memory_id, (text, vector) in found.items():
                slot = self._slots.get(memory_id)
                slot = self._free.pop() if slot is None else slot
                scale = float(np.abs(vector).max()) / 127 or 1.0
                code = np.rint(vector / scale).astype(np.int8)
                self._rows[slot] = (memory_id, text, scale, code)
                self._signs[:, slot] = self._signs_of(code[None])[:, 0]
                self._texts[slot] = text
                self._slots[memory_id] = slot
            self._counter += np.uint64(1)
            self._changes = int(self._counter[0])

    def drop(self, memory_ids: Iterable[int]) -> None:
        """Overwrite the vectors of these with zeros."""
        gone = list(memory_ids)
        if not gone:
            return
        with self._held():
            slots = [self._slots.pop(i) for i in gone if i in self._slots]
            if slots:
                self._rows[slots] = np.zeros(1, self._row)
                self._texts[slots] = 0
                self._free += slots
                self._flush()
                self._counter += np.uint64(1)
                self._changes = int(self._counter[0])

    def near(self, vector: Floats, count: int) -> dict[int, float]:
        """Return the *count* ids whose vectors are nearest, with their cosines, nearest first."""
        self._look()
        if not self._slots or count <= 0:
            return {}
        differ: Any = np.zeros(len(self._rows), np.uint16)
        for signs, asked in zip(self._signs, self._signs_of(vector[None]), strict=True):
            differ += np.bitwise_count(signs ^ asked)
        differ[self._texts == 0] = 2 * self._dimension  # free rows
        looked = min(max(_LOOKED_AT, 8 * count), len(differ))
        slots = np.argpartition(differ, looked - 1)[:looked]
        slots = slots[self._rows["id"][slots] > 0]
        cosines = self._cosines(vector, slots)
        best = np.argsort(-cosines, kind="stable")[:count]
        ids = self._rows["id"][slots[best]]
        return dict(zip(ids.tolist(), cosines[best].tolist(), strict=True))

    def cosines(self, vector: Floats, passages: Mapping[int, Sequence[int]]) -> dict[int, float]:
        """Return the cosines of the means of the vectors of *passages*, as far as there are any."""
        self._look()
        known = {key: [i for i in ids if i in self._slots] for key, ids in passages.items()}
        known = {key: ids for key, ids in known.items() if ids}
        if not known:
            return {}
        rows = {i: row for row, i in enumerate(dict.fromkeys(chain.from_iterable(known.values())))}
        order = [rows[i] for ids in known.values() for i in ids]
        starts = np.cumsum([0, *map(len, known.values())])[:-1]
        sums = np.add.reduceat(self.matrix(rows)[order], starts, axis=0)
        lengths = np.linalg.norm(sums, axis=1)
        told = sums @ vector / np.where(lengths > 0, lengths, 1)
        return dict(zip(known, told.tolist(), strict=True))

    def matrix(self, memory_ids: Iterable[int]) -> Floats:
        """Return the vectors of those of *memory_ids* that have one, a row each."""
        slots = [self._slots[i] for i in memory_ids if i in self._slots]
        rows = self._rows[slots]
        return np.asarray(rows["code"] * rows["scale"][:, None], np.float32)

    def newest(self, count: int) -> list[int]:
        """Return the *count* highest ids that have a vector, in order."""
        return sorted(self._slots)[-count:]

    def some(self, count: int, seed: int) -> list[int]:
        """Return up to *count* ids that have a vector, drawn by *seed*."""
        ids = self._rows["id"]
        drawn = np.random.default_rng(seed).integers(0, len(ids), count) if len(ids) else []
        return [memory_id for memory_id in ids[drawn].tolist() if memory_id > 0]

    def _cosines(self, vector: Floats, slots: Any) -> Floats:
        codes = self._rows["code"][slots].astype(np.float32)
        return np.asarray(codes @ vector * self._rows["scale"][slots], np.float32)

    def _signs_of(self, codes: Any) -> Any:
        bits = np.packbits(codes > 0, axis=1)
        whole: Any = np.zeros((len(codes), 8 * self._words), np.uint8)
        whole[:, : bits.shape[1]] = bits
        return whole.view(np.uint64).T

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Exclude others and see what they changed."""
        with self._lock.held(_LOCK_SECONDS):
            if self._path is not None:
                self._refresh(self._path)
            yield

    def _look(self) -> None:
        """See what another process has changed, if one has."""
        if self._changes != int(self._counter[0]):
            with self._held():
                pass

    def _refresh(self, path: Path) -> None:
        """Map the file if that has not been done, it has grown, or it was changed by another."""
        if not self._usable(path):
            with suppress(FileNotFoundError):
                path.unlink()
            with open(path, "xb") as file:
                file.write(self._header())
            self._changes = -1
        size = (path.stat().st_size - HEADER) // self._row.itemsize
        if self._changes < 0 or size != len(self._rows):
            self._counter = np.memmap(path, np.uint64, "r+", HEADER - 8, (1,))
            self._rows = (
                np.memmap(path, self._row, "r+", HEADER, (size,))
                if size
                else np.zeros(0, self._row)
            )
            self._changes = -1
        if self._changes != int(self._counter[0]):
            self._take_stock()

    def _usable(self, path: Path) -> bool:
        """Return whether the file at *path* is one of these."""
        try:
            with open(path, "rb") as file:
                return file.read(HEADER - 8) == self._header()[: HEADER - 8]
        except FileNotFoundError:
            return False

    def _header(self) -> bytes:
        told = {"format": 1, "model": self._stamp, "dimension": self._dimension}
        return (json.dumps(told) + "\n").encode().ljust(HEADER - 8) + bytes(8)

    def _take_stock(self) -> None:
        """Learn from the rows which slots hold what; a row whose length is not 1 is free."""
        ids, codes = np.array(self._rows["id"]), self._rows["code"]
        lengths: Any = np.zeros(len(ids), np.float32)
        self._signs = np.zeros((self._words, len(ids)), np.uint64)
        self._texts = np.array(self._rows["text"])
        for start in range(0, len(ids), 8192):
            part = codes[start : start + 8192]
            lengths[start : start + 8192] = np.linalg.norm(part.astype(np.float32), axis=1)
            self._signs[:, start : start + 8192] = self._signs_of(part)
        whole = (ids > 0) & (np.abs(lengths * self._rows["scale"] - 1) < 0.05)
        self._texts[~whole] = 0
        self._slots = {int(ids[slot]): int(slot) for slot in np.flatnonzero(whole)}
        used = set(self._slots.values())
        self._free = [slot for slot in reversed(range(len(ids))) if slot not in used]
        self._changes = int(self._counter[0])

    def _reserve(self, count: int) -> None:
        """Make room for *count* more rows."""
        missing = count - len(self._free)
        if missing <= 0:
            return
        before = len(self._rows)
        size = before + max(missing, _GROWTH, before // 4)
        if self._path is None:
            rows: Any = np.zeros(size, self._row)
            rows[:before] = self._rows
            self._rows = rows
        else:
            with open(self._path, "r+b") as file:
                file.truncate(HEADER + size * self._row.itemsize)
            self._rows = np.memmap(self._path, self._row, "r+", HEADER, (size,))
        signs: Any = np.zeros((self._words, size), np.uint64)
        signs[:, :before] = self._signs
        self._signs = signs
        self._texts = np.concatenate([self._texts, np.zeros(size - before, np.uint64)])
        self._free += range(size - 1, before - 1, -1)

    def _flush(self) -> None:
        if isinstance(self._rows, np.memmap):
            self._rows.flush()
