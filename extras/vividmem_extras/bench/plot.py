"""A plot of the figures of `speed` as SVG, by matplotlib, which is imported when one is drawn."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vividmem_extras.bench.peers import MissingPeerError
from vividmem_extras.bench.report import Cell

MEASURES = ("search p50", "search p95", "add at this size")  # one panel each
INCHES = (12.0, 4.0)


def check() -> None:
    """Raise `MissingPeerError` if nothing can be drawn here: before hours are spent measuring."""
    _pyplot()


def draw(figures: Sequence[Mapping[str, Cell]], path: Path) -> None:
    """Write the plot of *figures* to *path*: CPU time over memories, both axes logarithmic.

    The same figures give the same bytes.
    """
    plt = _pyplot()
    drawn, panels = plt.subplots(1, len(MEASURES), figsize=INCHES, layout="constrained")
    for panel, measure in zip(panels, MEASURES, strict=True):
        for name, points in lines(figures, measure).items():
            sizes, times = zip(*points, strict=True)
            own = name == "vividmem"
            panel.loglog(sizes, times, marker="o", label=name, linewidth=3.0 if own else 1.2)
        panel.set(title=measure, xlabel="memories", ylabel="CPU time, us")
        panel.grid(visible=True, which="major", alpha=0.3)
    panels[0].legend(fontsize="small")
    drawn.savefig(path, format="svg", metadata={"Date": None})
    plt.close(drawn)


def lines(
    figures: Sequence[Mapping[str, Cell]], measure: str
) -> dict[str, list[tuple[float, float]]]:
    """Return of each system its points for *measure*: memories and microseconds, by size."""
    found: dict[str, list[tuple[float, float]]] = {}
    for figure in figures:
        if figure["measure"] == measure:
            size, seconds = float(figure["size"] or 0), float(figure["value"] or 0)
            found.setdefault(str(figure["system"]), []).append((size, seconds * 1e6))
    return {name: sorted(points) for name, points in found.items()}


def _pyplot() -> Any:
    try:
        matplotlib: Any = importlib.import_module("matplotlib")
    except ImportError as err:
        raise MissingPeerError("a plot needs: pip install 'vividmem[bench]'") from err
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "vividmem"  # else ids are drawn anew each time
    return importlib.import_module("matplotlib.pyplot")
