"""What can only be measured in a process of its own: opening a store, memory, import.

``python -m vividmem_extras.bench.probe FOLDER NOW QUERY`` opens the store, answers one query and
prints a JSON line. The parent starts it with `opened`.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from vividmem_extras.bench.peers import Vividmem

CLOCK = "import time; print(time.process_time())"
ROUNDS = 11  # fresh processes per median


class Opened(NamedTuple):
    """What one fresh process saw."""

    cpu: float  # seconds from opening the store to the first answer
    parse: float  # seconds that json.loads of the snapshot takes, for comparison
    rss: int | None  # bytes resident after the first answer; None where /proc is not


def opened(folder: Path, now: float, query: str) -> Opened:
    """Open the store in *folder* in a fresh process and answer *query*."""
    module = "vividmem_extras.bench.probe"
    printed = _python("-m", module, str(folder), str(now), query)
    return Opened(*json.loads(printed))


def import_cost() -> tuple[float, float]:
    """Return the CPU seconds of a bare Python, and of one that imports vividmem; medians.

    Bytecode is compiled once, as for an installed package, into a folder that is removed.
    """
    bare, full = [], []
    with tempfile.TemporaryDirectory(prefix="vividmem-bench-") as cache:
        _python("-c", "import vividmem", cache=cache)
        for _ in range(ROUNDS):
            bare.append(float(_python("-c", CLOCK, cache=cache)))
            full.append(float(_python("-c", f"import vividmem; {CLOCK}", cache=cache)))
    return statistics.median(bare), statistics.median(full)


def resident() -> int | None:
    """Return the resident memory of this process in bytes, None where it cannot be read."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def _python(*words: str, cache: str = "") -> str:
    """Run this Python with the same import path, and return what it prints.

    *cache* is a folder for bytecode in place of the usual ones.
    """
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    if cache:
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        environ["PYTHONPYCACHEPREFIX"] = cache
    done = subprocess.run(
        [sys.executable, *words], env=environ, check=True, capture_output=True, text=True
    )
    return done.stdout


def _report(folder: Path, now: float, query: str) -> Opened:
    """Measure in this process, the store before the comparison so that it starts cold."""
    started = time.process_time()
    system = Vividmem(now, folder)
    system.memory.resonate(query, reinforce=False)
    cpu, rss = time.process_time() - started, resident()
    system.close()
    snapshot = folder / "memory.json"
    text = snapshot.read_text(encoding="utf-8") if snapshot.exists() else "null"
    started = time.process_time()
    json.loads(text)
    return Opened(cpu, time.process_time() - started, rss)


if __name__ == "__main__":
    print(json.dumps(_report(Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3])))
