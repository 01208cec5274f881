"""Antonyms and kinds of things out of WordNet's own files (Debian: the package wordnet-base)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

_OFTEN = 3  # uses in the tagged texts from which a word is common
_CONCRETE = ("05", "06", "13", "20")  # animal, artifact, food, plant


class WordNet:
    """Pairs of common words, read from the folder of WordNet's `data.*` files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._uses = self._counted()
        self.antonyms = list(self._antonyms())
        self.kinds = list(self._kinds())

    def _counted(self) -> Counter[str]:
        uses: Counter[str] = Counter()
        for line in (self._folder / "cntlist.rev").read_text(encoding="ascii").splitlines():
            sense, _, count = line.split()
            uses[sense.partition("%")[0]] += int(count)
        return uses

    def _rows(self, name: str) -> Iterator[tuple[str, str, list[str], list[list[str]]]]:
        """Yield offset, field, words and pointers of each set of synonyms."""
        for line in (self._folder / name).read_text(encoding="ascii").splitlines():
            if line.startswith("  "):
                continue
            parts = line.partition(" | ")[0].split()
            count = int(parts[3], 16)
            words = [word.partition("(")[0] for word in parts[4 : 4 + 2 * count : 2]]
            rest = parts[5 + 2 * count :]
            pointers = [rest[i : i + 4] for i in range(0, 4 * int(parts[4 + 2 * count]), 4)]
            yield parts[0], parts[1], words, pointers

    def _antonyms(self) -> Iterator[tuple[str, str]]:
        rows = {row[0]: row for row in self._rows("data.adj")}
        for _, _, words, pointers in rows.values():
            for mark, target, _, places in pointers:
                if mark == "!" and places != "0000":
                    one = words[int(places[:2], 16) - 1]
                    other = rows[target][2][int(places[2:], 16) - 1]
                    if min(self._uses[one], self._uses[other]) >= _OFTEN and "_" not in one + other:
                        yield one, other

    def _kinds(self) -> Iterator[tuple[str, str]]:
        rows = {row[0]: row for row in self._rows("data.noun")}
        for _, domain, words, pointers in rows.values():
            if domain not in _CONCRETE or self._uses[words[0]] < _OFTEN:
                continue
            for mark, target, *_ in pointers:
                if mark != "@":
                    continue
                broad, plain = rows[target][2][0], "".join(words[:1])
                common = self._uses[broad] >= _OFTEN and (plain + broad).islower()
                if common and "_" not in plain + broad:
                    yield plain, broad
