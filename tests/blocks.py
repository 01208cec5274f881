"""The fenced blocks of README.md and howtouse.txt, and how tests start other programs."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HOWTOUSE = ROOT / "howtouse.txt"
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """The text between two fences and the line of its file where it begins."""

    line: int
    text: str


def blocks_in(text: str, language: str) -> list[Block]:
    r"""Return the blocks of *text* fenced as *language*.

    >>> blocks_in("See:\n```python\nx = 1\n```\n```console\n$ ls\n```\n", "python")
    [Block(line=3, text='x = 1\n')]
    """
    return [
        Block(text[: match.start(3)].count("\n") + 1, textwrap.dedent(match[3]))
        for match in FENCE.finditer(text)
        if match[2] == language
    ]


def run(*args: object, cwd: Path, pythonpath: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in *cwd* for at most a quarter of an hour; its output comes back as text."""
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1", "TZ": "UTC"}
    env = os.environ | plain | {"PYTHONPATH": pythonpath}
    env.pop("VIVIDMEM_DIR", None)
    return subprocess.run(
        [str(arg) for arg in args],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=900,
    )


def run_python(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run *code* in *cwd* as its own process that can import vividmem and vividmem_extras."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "extras")])
    return run(sys.executable, "-W", "error", "-c", code, cwd=cwd, pythonpath=path)
