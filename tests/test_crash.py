"""SIGKILL and power loss: the benchmark `crash` run as its users run it, and made to fail.

The short form has 20 rounds and the kill points of one write and one compaction; --long has 300
rounds and every operation.
"""

import json
import os
import signal
import subprocess
import sys

import pytest

from vividmem import VividMem
from vividmem_extras.bench import account, killpoints
from vividmem_extras.bench.account import FAULTS, Known, Opening, Step, Tally, after, sentence
from vividmem_extras.bench.killpoints import Harness, Point, Scenario, Tap, kernel_calls, points
from vividmem_extras.bench.powerloss import Content, Disk

ENCRYPTED = pytest.mark.parametrize("words", [[], ["--password"]], ids=["plain", "encrypted"])
SHORT = ("--short",)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="forks and kills")


def crash(tmp_path, *words, timeout=900):
    """Run the benchmark; return its exit code and the rows of its JSON by part and case."""
    figures = tmp_path / "crash.json"
    command = [sys.executable, "-m", "vividmem_extras.bench", "crash", "--json", str(figures)]
    environ = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [*command, *words], env=environ, capture_output=True, text=True, timeout=timeout
    )
    assert figures.exists(), done.stderr
    record = json.loads(figures.read_text(encoding="utf-8"))
    assert done.returncode in (0, 1), done.stderr
    rows = {(row["part"], row["case"]): row for row in record["rows"]}
    return done.returncode, rows, "\n".join([*record["notes"], done.stderr])


def faults(rows):
    """What is wrong, by case; empty if nothing is."""
    return {
        case: found
        for case, row in rows.items()
        if (found := {name: row[name] for name in FAULTS if row[name]})
    }


@ENCRYPTED
def test_random_kills_lose_nothing_and_leave_nothing(tmp_path, long, words):
    code, rows, notes = crash(tmp_path, "--parts", "random", *words, *(() if long else SHORT))
    (row,) = rows.values()
    assert row["tried"] == (300 if long else 20), notes
    assert row["acknowledged"] > row["tried"]
    assert faults(rows) == {}, notes
    assert code == 0


@POSIX
def test_a_kill_while_the_encryption_changes_leaves_the_old_state_or_the_new(tmp_path, long):
    pytest.importorskip("cryptography")
    points = ["encrypt", "decrypt", "rekey", "passwd"]
    words = ["--parts", "points", "--points", *points, *([] if long else ["--no-strace"])]
    code, rows, notes = crash(tmp_path, *words)
    assert {case.split(",")[0] for _, case in rows} == set(points)
    assert all(row["tried"] > 30 and row["missed"] == 0 for row in rows.values()), notes
    assert (faults(rows), code) == ({}, 0), notes


@POSIX
@ENCRYPTED
def test_a_kill_at_every_call_of_an_operation_loses_nothing(tmp_path, long, words):
    code, rows, notes = crash(tmp_path, "--parts", "points", *words, *(() if long else SHORT))
    forms = {case.rsplit(", ")[-1] for _, case in rows}
    assert forms == ({"inside", "strace"} if killpoints.strace_works() else {"inside"})
    assert all(row["tried"] > 10 for row in rows.values()), notes
    assert all(row["missed"] <= row["tried"] // 10 for row in rows.values()), notes
    assert faults(rows) == {}, notes
    assert code == 0


@ENCRYPTED
def test_power_loss_at_every_call_loses_nothing(tmp_path, words):
    code, rows, notes = crash(tmp_path, "--parts", "power", *words)
    assert all(row["tried"] > 50 for row in rows.values())
    assert (faults(rows), code) == ({}, 0), notes


@ENCRYPTED
def test_processes_and_threads_together_lose_nothing(tmp_path, words):
    code, rows, notes = crash(tmp_path, "--parts", "contention", *words)
    assert rows["contention", "4 processes"]["acknowledged"] == 800, notes
    assert rows["contention", "8 threads"]["acknowledged"] == 640, notes
    assert (faults(rows), code) == ({}, 0), notes


@POSIX
@pytest.mark.parametrize(
    ("sabotage", "words", "expected"),
    [
        ("late", "--parts random --rounds 4", "lost"),
        ("late", "--parts points --points write --no-strace", "lost"),
        ("unsynced", "--parts power", "lost"),
        ("leaky", "--parts power", "words"),
        ("leaky", "--parts points --points encrypt --no-strace", "words"),
        ("in-place", "--parts points --points compaction --no-strace", "damage"),
        ("unbatched", "--parts power", "torn"),
        ("ghost", "--parts random --rounds 4", "invented"),
    ],
)
def test_a_broken_promise_is_noticed(tmp_path, sabotage, words, expected):
    code, rows, notes = crash(tmp_path, *words.split(), "--sabotage", sabotage)
    assert code == 1
    assert sum(row[expected] for row in rows.values()) > 0, notes


def test_every_text_is_told_apart_from_every_other(mem):
    made = [mem.add_social_impression("q0w0", sentence(f"q0w0n{i}z")) for i in range(200)]
    assert len({memory.id for memory in made}) == 200


def test_the_ledger_follows_corrections_and_erasures():
    book = after({}, Step("impress", "q0w0", ("q0w0n1z",)))
    book = after(book, Step("correct", "q0w0", ("q0w0n2z",), ("q0w0n1z",), target="q0w0n1z"))
    assert book == {
        "q0w0n1z": Known("impress", "q0w0", "q0w0n1z", current=False),
        "q0w0n2z": Known("impress", "q0w0", "q0w0n1z"),
    }
    assert after(book, Step("forget", "q0w0", removes=tuple(book), target="q0w0n1z")) == {}


def test_what_nobody_wrote_is_noticed(folder):
    with VividMem(folder) as memory:
        memory.add_self_reflection(sentence("q0w0n1z"))
        memory.add_self_reflection(sentence("q0w0n2z")[:-3])
        memory.add_self_reflection("something without a token")
        found, strange = account.observed(memory)
    assert found == {"q0w0n1z": (1, True)}
    assert len(strange) == 2


def test_a_tap_sees_what_the_library_does_and_leaves_no_trace(folder):
    plain = os.write
    with Tap().installed() as tap, VividMem(folder) as memory:
        memory.add_self_reflection("hello")
    names = [event.name for event in tap.events]
    assert {"open", "write", "fsync", "replace", "fdatasync"} <= {*names, "fdatasync"}
    assert os.write is plain
    assert b"hello" in b"".join(event.args[1] for event in tap.events if event.name == "write")


def test_points_lie_around_every_call_and_within_every_write():
    assert list(points([("fsync", 0), ("write", 9)])) == [
        Point(0, "before"),
        Point(0, "after"),
        Point(1, "before"),
        Point(1, "within", 1),
        Point(1, "within", 4),
        Point(1, "within", 8),
        Point(1, "after"),
    ]


def test_calls_in_a_trace_are_counted_up_to_the_acknowledgement():
    log = '12 read(3, "go", 2) = 2\n12 write(5, "\\0\\0\\0\\2ok", 6) = 6\n12 close(5) = 0\n'
    assert list(kernel_calls(log)) == ["read", "write"]


@POSIX
def test_the_process_under_test_really_dies(tmp_path):
    scenario = Scenario("create", Step("impress", "q0w0", ("q0w0n1z",)), tmp_path / "no", {}, True)
    harness = Harness(Opening(), scenario, tmp_path / "folder")
    acknowledged, code, calls = harness.killed_inside(None)
    assert (acknowledged, code) == (True, 0)
    assert calls
    acknowledged, code, _ = harness.killed_inside(Point(len(calls) // 2))
    assert (acknowledged, code) == (False, killpoints.KILLED)
    assert signal.SIGKILL == 9


def test_only_what_was_synced_survives_a_power_loss(tmp_path):
    with Tap().installed() as tap:
        fd = os.open(tmp_path / "a", os.O_RDWR | os.O_CREAT)
        os.write(fd, b"sure")
        os.fsync(fd)
        os.write(fd, b"perhaps")
        os.close(fd)
    disk = Disk(str(tmp_path))
    for event in tap.events:
        disk.apply(event)
    assert set(disk.pictures()) == {
        (),  # the name of the file was never synced
        (("a", b"sure"),),
        (("a", b"sureper"),),
        (("a", b"sure\0\0\0\0\0\0\0"),),
        (("a", b"sureperhaps"),),
    }
    assert Content(b"cut", b"cut longer").after_loss("half") == b"cut longer"


def test_a_tally_without_faults_has_not_failed():
    tally = Tally(tried=1, missed=1)
    assert not tally.failed
    tally.note("lost", 0, "nothing")
    assert not tally.failed
    tally.note("lost", 2, "two")
    assert (tally.failed, tally.examples) == (True, ["lost: two"])
