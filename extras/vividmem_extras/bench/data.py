"""Data sets by path: never shipped, known by their hash."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from vividmem_extras.bench.report import Source

#: sha256 of the copies that published figures were measured on.
KNOWN = {
    "locomo_dev.json": "ee8f45f9bb413443394e59e334e76747370a70635f4f2988ce9190710b1d84b4",
    "beam_dev": "d63b2477b7fc6fedca6e69b3a431c965bb293175413522eb952e8db9d55f47ec",
    "statebench_dev.jsonl": "ff8bd4b452c250523eb5809c5701a85e3034f020bfac3077ff822e29a9e58ecd",
    "statebench_train.jsonl": "44517849e115e04423dba1371f2c2210ec3d8fbe82eb695ce6b71880047d5952",
}


class DataError(ValueError):
    """The data set is not there, or not in the expected form."""


def checked(path: Path) -> Source:
    """Return *path* with its hash; say on stderr when no published figure was measured on it.

    A folder's hash is that of the sorted lines ``hash  relative/path`` of its JSON files.
    """
    if not path.exists():
        raise DataError(f"{path} does not exist: give your own copy of the data set with --data")
    digest = _folder_sha256(path) if path.is_dir() else _sha256(path)
    source = Source(str(path), digest, digest in KNOWN.values())
    if not source.known:
        print(
            f"warning: {path} (sha256 {digest}) is not a copy that published figures were measured"
            " on; compare systems within this run only",
            file=sys.stderr,
        )
    return source


def _sha256(path: Path) -> str:
    """Return the hash of one file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _folder_sha256(folder: Path) -> str:
    """Return one hash for all JSON files under *folder*."""
    files = sorted(folder.rglob("*.json"), key=lambda path: path.relative_to(folder).as_posix())
    lines = [f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
