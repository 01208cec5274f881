"""The command line: ``python -m vividmem_extras.bench NAME [--help]``."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Protocol

from vividmem_extras.bench.data import DataError
from vividmem_extras.bench.peers import MissingPeerError, UnknownSystemError
from vividmem_extras.bench.report import Report

#: Every benchmark is a module of this package with ``add_options`` and ``run``; a name whose
#: module is not there is not offered.
BENCHMARKS = {
    "beam": "long chats: source messages found; new statement above the old one",
    "crash": "acknowledged writes lost to SIGKILL",
    "drift": "write policies over drifting streams",
    "locomo": "conversations: turns found that answer a question",
    "server": "the REST server: latency, many clients, kills",
    "speed": "CPU time, memory and disk at growing sizes",
    "statebench": "right strings present, stale ones absent",
}


class Benchmark(Protocol):
    """What a benchmark's module offers."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this benchmark to *parser*."""

    def run(self, args: argparse.Namespace) -> Report:
        """Measure, and return the table."""


def available() -> dict[str, str]:
    """Return the benchmarks that can be run, each with its one line."""
    return {
        name: summary
        for name, summary in BENCHMARKS.items()
        if importlib.util.find_spec(f"vividmem_extras.bench.{name}") is not None
    }


def main(argv: list[str] | None = None) -> int:
    """Run one benchmark; return 0, 1 when it failed, or 2 when it was asked for wrongly."""
    words = sys.argv[1:] if argv is None else argv
    offered = available()
    name = words[0] if words else "--help"
    if name not in offered:
        return _usage(name, offered)
    benchmark: Benchmark = importlib.import_module(f"vividmem_extras.bench.{name}")
    parser = argparse.ArgumentParser(
        prog=f"python -m vividmem_extras.bench {name}", description=offered[name]
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--short", action="store_true", help="a small part of it, for CI")
    benchmark.add_options(parser)
    args = parser.parse_args(words[1:])
    try:
        report = benchmark.run(args)
    except (DataError, MissingPeerError, UnknownSystemError) as err:
        print(f"{name}: {err}", file=sys.stderr)
        return 2
    print(report.text())
    if args.json is not None:
        report.write_json(args.json)
    return int(report.failed)


def _usage(name: str, offered: dict[str, str]) -> int:
    """Print what can be run; asking for help is no error."""
    asked = name in ("-h", "--help")
    lines = ["usage: python -m vividmem_extras.bench NAME [options]", ""]
    lines += [f"  {name:<12}{summary}" for name, summary in offered.items()]
    lines += ["", "NAME --help lists the options of one benchmark."]
    if not asked:
        lines.insert(0, f"no benchmark is called {name!r}")
    print("\n".join(lines), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
