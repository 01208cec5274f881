"""Hostile surroundings: a full disk, no rights, a wandering clock, forks, other Pythons."""

import contextlib
import functools
import gc
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import PATIENCE, ROOT
from looks import PASSWORD, texts
from vividmem import StoreError, VividMem, VividMemError, main

YEAR = 365.25
CONFIG = {"timezone": "UTC", "store": {"durability": "os", "scrypt_cost": 12}}
guarded = pytest.mark.parametrize(
    "password", [None, PASSWORD], indirect=True, ids=["plain", "encrypted"]
)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to mount or change the user"
)


def child(code, *arguments, program=sys.executable, **options):
    """Run *code* in a process of its own that can import vividmem; return it when it has ended."""
    head = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom vividmem import *\n"
    command = [program, "-c", head + code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)


# --- a full disk


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of its own that holds 256 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("cannot mount a small disk here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@AS_ROOT
@guarded
def test_on_a_full_disk_nothing_acknowledged_is_lost_and_room_heals_it(small_disk, password):
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 170_000)
    opened = functools.partial(VividMem, small_disk / "agent", password=password, config=CONFIG)
    kept = []
    with opened() as mem:
        with pytest.raises(StoreError, match="make room"):
            for number in range(10_000):
                mem.add_self_reflection(f"note {number} " + "word " * 60)
                kept.append(number)
        assert kept and len(texts(mem)) == len(kept)
        with pytest.raises(StoreError):
            mem.save()
        with pytest.raises(StoreError), mem.batch():
            for number in range(3):
                mem.add_self_reflection(f"batch {number} " + "word " * 900)
        with opened() as other:
            assert len(texts(other)) == len(kept) and other.stats()["damage"] == []
        ballast.unlink()
        mem.add_self_reflection("there is room again")
        mem.save()
    with opened() as mem:
        assert len(texts(mem)) == len(kept) + 1 and mem.stats()["damage"] == []


LIMITED = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
mem, kept = VividMem(sys.argv[1]), 0
try:
    while True:
        mem.add_self_reflection(f"note {kept} " + "word " * 60)
        kept += 1
except StoreError:
    print(kept)
"""


@POSIX
def test_a_limit_on_the_size_of_files_loses_nothing_acknowledged(folder):
    done = child(LIMITED, folder)
    assert done.returncode == 0, done.stderr
    with VividMem(folder) as mem:
        assert len(texts(mem)) == int(done.stdout) > 5
        assert mem.stats()["damage"] == []


# --- no rights

NOBODY = 65534
AS_NOBODY = f"""
import os
os.setgid({NOBODY}); os.setuid({NOBODY})
try:
    with VividMem(sys.argv[1], password=[*sys.argv, None][2]) as mem:
        print([m.text for m in mem.memories()])
        mem.add_self_reflection("written by another user")
    print("written")
except VividMemError as error:
    print(type(error).__name__, isinstance(error, OSError), error)
"""


@AS_ROOT
@guarded
@pytest.mark.parametrize("mode", [0o500, 0o000, 0o555])
def test_a_folder_that_may_not_be_written_is_a_clear_error_and_stays_as_it_is(
    mode, opened, password
):
    place = Path("/var/tmp") / f"vividmem-test-{os.getpid()}-{mode}"  # tmp_path is root's alone
    program = place / "vividmem.py"
    try:
        place.mkdir(mode=0o755)
        shutil.copy(ROOT / "vividmem.py", program)
        opened(place / "agent").add_self_reflection("The heron came back")
        files = {path: path.read_bytes() for path in (place / "agent").iterdir()}
        (place / "agent").chmod(mode)
        code = AS_NOBODY.replace("import os", f"import os; sys.path.insert(0, {str(place)!r})")
        # What that user may not be able to import any more.
        code = f"VividMem({str(place / 'first')!r}, password={password!r}).close()\n{code}"
        done = child(code, place / "agent", *filter(None, [password]), cwd=place)
        if done.returncode and "Permission" in done.stderr and "vividmem" not in done.stdout:
            pytest.skip("another user cannot start Python here")
        assert done.stdout.startswith("StoreError True"), done.stdout + done.stderr
        assert str(place / "agent") in done.stdout
        assert {path: path.read_bytes() for path in (place / "agent").iterdir()} == files
    finally:
        shutil.rmtree(place)


@pytest.mark.parametrize("place", ["file", "file/below", "\0", "x" * 5000])
def test_a_path_that_cannot_be_a_folder_is_a_clear_error(tmp_path, place):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(VividMemError, match=r"folder"):
        VividMem(tmp_path / place)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "not a folder"


# --- a wandering clock


@guarded
@pytest.mark.parametrize("years", [1, -1])
def test_a_clock_that_jumps_by_a_year_within_a_process_loses_and_breaks_nothing(
    opened, clock, years
):
    mem = opened()
    mem.add_fact("Nadia", "home town", "Porto")
    mem.observe("I keep bees on the roof", entity="Nadia")
    mem.mood.update(["happy"])
    mem.chemistry.enabled = True
    mem.chemistry.on_event("achievement")
    clock.days(years * YEAR)
    assert [hit.text for hit in mem.resonate("who keeps bees?")] == ["I keep bees on the roof"]
    mem.add_fact("Nadia", "home town", "Ghent")
    assert [m.value for m in mem.facts("Nadia") if m.kind == "fact"] == ["Ghent"]
    assert "Ghent" in mem.get_context_block("Nadia", "where does she live?")
    assert all(0 <= mem.forecast(m.id).retention <= 1 for m in mem.memories())
    assert all(0 <= level <= 1 for level in mem.chemistry.get_state().levels.values())
    assert all(-1 <= part <= 1 for part in mem.mood.pad)
    clock.days(-years * YEAR)
    assert [m.value for m in mem.history("Nadia", "home town") if m.kind == "fact"][-1:] != []
    assert len(opened().memories()) == len(mem.memories()) == 3


def test_processes_whose_clocks_are_a_year_apart_share_a_folder(folder, clock):
    code = "import time\nwith VividMem(sys.argv[1], clock=lambda: float(sys.argv[2])) as mem:\n"
    code += "    mem.add_self_reflection(sys.argv[3]); print(len(mem.resonate(sys.argv[3])))\n"
    told = []
    for days, text in ((0, "the heron"), (YEAR, "the telescope"), (-YEAR, "the kiln"), (0, "rain")):
        done = child(code, folder, clock.now + days * 86400, text)
        assert done.stdout.strip() == "1", done.stderr
        told.append(text)
    with VividMem(folder, clock=clock) as mem:
        assert texts(mem) == told
        assert all(0 <= hit.retention <= 1 for hit in mem.resonate("heron telescope kiln rain"))


ENDS = ["0001-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31", "9999-12-31T23:59:59", -9e10]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs tzset")
@pytest.mark.parametrize("when", ENDS)
@pytest.mark.parametrize("zone", ["+14:00", "America/Lima"])
@pytest.mark.parametrize("own", [False, True])
def test_a_time_at_an_end_of_the_calendar_is_kept_and_shown_in_any_zone(
    folder, clock, monkeypatch, capsys, when, zone, own
):
    try:
        with monkeypatch.context() as patch:
            if own:  # the zone of the machine
                patch.setenv("TZ", zone.replace("+14:00", "X-14"))
                time.tzset()
            with VividMem(folder, clock=clock, config={"timezone": "" if own else zone}) as mem:
                told = "production is down, we lost everything"
                mem.add_self_reflection(told, when=when)
                mem.add_fact("Nadia", "home town", "Porto", valid_from=when)
                mem.add_social_impression("Nadia", "Nadia keeps bees", when=when)
                mem.import_([{"role": "user", "content": "I restore violins", "time": when}])
                assert told in [hit.text for hit in mem.resonate("production outage in March")]
                assert mem.get_context_block("Nadia", "what was in the year 9999 and yesterday?")
                mem.reflection.prepare_brief("Nadia")
                mem.history("Nadia")
            for command in ("list", "history Nadia", "forecast 1", "resonate production --json"):
                assert main([*command.split(), "--dir", str(folder)]) == 0
    finally:
        time.tzset()


# --- long texts


def work_on(part, length):
    """Seconds of processor time to hear a text that repeats *part*, and to ask with it."""
    text = ("I live in Porto. " + part * length)[:length]
    with VividMem(config=CONFIG) as mem:
        mem.observe("I live in Ghent", entity="Ana")
        gc.collect()
        gc.disable()  # to collect what other tests have left takes half a second
        start = time.process_time()
        try:
            mem.observe(text, entity="Ana")
            mem.resonate(text)
            return time.process_time() - start
        finally:
            gc.enable()


@pytest.mark.parametrize(
    "part",
    ["\n", "\t", "'s ", "I live in ", "Nadia's ", "a.", "a_", "a-", "my ", "- x\n", "who is he ",
     "no wait ", "the scales said, ", "> ok\n", "Tom: I left\n", 'he said: "I moved" '],
)  # fmt: skip
def test_a_text_four_times_as_long_takes_about_four_times_the_work(part):
    work_on(part, 1_000)
    few, many = work_on(part, 5_000), work_on(part, 20_000)
    assert many < 10 * few + 0.2, f"{few:.2f} s, then {many:.2f} s"


# --- forks, links, no network, other Pythons


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@guarded
def test_parent_and_forked_children_go_on_with_one_handle_and_see_each_other(folder, password):
    with VividMem(folder, password=password, config=CONFIG) as mem:
        mem.add_self_reflection("before the fork")
        children = []
        for number in range(3):
            pid = os.fork()
            if not pid:
                status = 1
                with contextlib.suppress(VividMemError):
                    for part in range(5):
                        mem.add_self_reflection(f"child {number} said {part}")
                    mem.close()
                    status = 0
                os._exit(status)
            children.append(pid)
        for part in range(5):
            mem.add_self_reflection(f"parent said {part}")
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
        assert codes == [0, 0, 0]
        assert len(texts(mem)) == len(set(texts(mem))) == 21
        assert len({memory.id for memory in mem.memories()}) == 21


@POSIX
@guarded
def test_a_symlinked_folder_is_the_folder_it_leads_to(tmp_path, password, opened):
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    (tmp_path / "real").mkdir()
    with opened(tmp_path / "link") as one, opened(tmp_path / "real") as other:
        one.add_self_reflection("The heron came back")
        other.add_self_reflection("The kiln is hot")
        one.save()
        assert texts(one) == texts(other) == ["The heron came back", "The kiln is hot"]
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / "memory.json").is_file()


def test_nothing_asks_the_network(folder, monkeypatch):
    def refused(*_, **__):
        raise AssertionError("the network was asked")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refused)
    with VividMem(folder) as mem:
        mem.observe("I keep bees on the roof", entity="Nadia")
        mem.resonate("bees")
        mem.get_context_block("Nadia", "bees")
        mem.import_([{"role": "user", "content": "I restore old violins"}])
        mem.save()


WRITES = """
with VividMem(sys.argv[1], clock=lambda: 1.7e9, config={"timezone": "UTC"}) as mem:
    mem.add_fact("Zo\\u00eb", "town", "Porto"); mem.add_fact("Zo\\u00eb", "town", "Ghent")
    mem.observe("I keep bees on the roof", entity="Zo\\u00eb")
    mem.mood.update(["happy"]); mem.tasks.start("Build the frame")
    mem.save(); mem.add_self_reflection("after the snapshot")
"""
READS = """
import json
with VividMem(sys.argv[1], clock=lambda: 1.7e9, config={"timezone": "UTC"}) as mem:
    assert mem.stats()["damage"] == []
    print(json.dumps([mem.export(), [h.id for h in mem.resonate("bees", reinforce=False)]]))
"""


def python(version):
    """A working interpreter of this version, or a skip."""
    known = [shutil.which(f"python{version}")]
    known += sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for program in filter(None, known):
        asked = [str(program), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True)
        if done.stdout.strip() == version:
            return str(program)
    return pytest.skip(f"no Python {version} here")


@pytest.mark.parametrize("writer, reader", [("3.10", "3.13"), ("3.13", "3.10")])
def test_what_one_python_writes_another_reads_alike(folder, writer, reader):
    programs = [python(writer), python(reader)]
    written = child(WRITES, folder, program=programs[0])
    assert written.returncode == 0, written.stderr
    read = [child(READS, folder, program=program) for program in programs]
    assert [done.returncode for done in read] == [0, 0], read[0].stderr + read[1].stderr
    assert json.loads(read[0].stdout) == json.loads(read[1].stdout)
    assert len(json.loads(read[0].stdout)[0]["memories"]) == 5
