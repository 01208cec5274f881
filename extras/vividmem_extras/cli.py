"""The program `vividmem` as installed: the core's command line and the commands of the extras.

``python vividmem.py`` knows nothing of this module; there, and in an editable install,
``python -m vividmem_extras.cli`` is the same as ``vividmem``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

import vividmem
from vividmem import VividMemError
from vividmem_extras.opening import agent_folder

HELP = """
also, with the extra "cloud" (each has --help):
    snapshot URL        copy the whole memory to S3, OSS, GCS, Azure or a folder
    snapshots URL       list what is there
    restore URL         put a snapshot into a new folder
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return 0 if done, 1 if refused or damaged, 2 for bad usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["-h"] or words[:1] == ["--help"]:
        try:
            return vividmem.main(words)
        finally:
            print(HELP, end="")
    if not words or words[0] not in COMMANDS:
        return vividmem.main(words)
    args = _parser(words[0]).parse_args(words[1:])
    try:
        shown, lines = COMMANDS[words[0]][0](args)
    except (VividMemError, OSError) as error:
        print(f"vividmem: {error}", file=sys.stderr)
        return 1
    print(json.dumps(shown, indent=2) if args.json else "\n".join(lines))
    return 0


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"vividmem {command}", description=COMMANDS[command][1])
    parser.add_argument("url", help="where snapshots lie, such as s3://bucket/agents")
    parser.add_argument("--agent", default="", help="one of several agents in DIR, and at URL")
    parser.add_argument("--json", action="store_true", help="print JSON")
    if command != "snapshots":
        parser.add_argument("--dir", default="", help="memory folder; else VIVIDMEM_DIR")
    if command == "snapshot":
        parser.add_argument("--keep", type=int, default=7, help="snapshots to keep (7)")
    if command == "restore":
        parser.add_argument("--id", default="", help="which snapshot; the newest if left out")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace a memory, which is copied aside; no program may have it open",
        )
    return parser


Shown = tuple[object, list[str]]  # as data, and as lines for people


def _snapshot(args: argparse.Namespace) -> Shown:
    from vividmem_extras.snapshots import SnapshotStore

    store = SnapshotStore(args.url, agent=args.agent, keep=args.keep)
    made = store.snapshot(agent_folder(args.dir, args.agent))
    told = {"id": made.id, "files": len(made.files), "bytes": made.size}
    return told, [f"{made.id}: {len(made.files)} files, {made.size} bytes, read back and sound"]


def _snapshots(args: argparse.Namespace) -> Shown:
    from vividmem_extras.snapshots import SnapshotStore

    found = SnapshotStore(args.url, agent=args.agent).snapshots()
    told = [{"id": one.id, "files": len(one.files), "bytes": one.size} for one in found]
    return told, [f"{one.id}  {one.size} bytes" for one in found] or ["no snapshots"]


def _restore(args: argparse.Namespace) -> Shown:
    from vividmem_extras.snapshots import SnapshotStore

    folder = agent_folder(args.dir, args.agent)
    store = SnapshotStore(args.url, agent=args.agent)
    found = store.restore(folder, snapshot_id=args.id, replace=args.replace)
    told = {"id": found.id, "folder": str(folder), "bytes": found.size}
    return told, [f"{found.id} restored into {folder}"]


COMMANDS: dict[str, tuple[Callable[[argparse.Namespace], Shown], str]] = {
    "snapshot": (_snapshot, "copy the whole memory as it is at this moment"),
    "snapshots": (_snapshots, "list the complete snapshots, the newest first"),
    "restore": (_restore, "put a snapshot into a new folder"),
}

if __name__ == "__main__":
    sys.exit(main())
