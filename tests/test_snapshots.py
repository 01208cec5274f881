"""Snapshots: whole, sound, consistent, on a real S3 server on loopback and in plain folders."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from blocks import ROOT, run
from conftest import PATIENCE
from looks import found, on_disk, texts
from vividmem import ConfigError, InvalidMemoryError, MissingExtraError, VividMem

pytest.importorskip("fsspec", reason="the extra cloud is not installed")

from vividmem_extras import cli
from vividmem_extras.names import folder_name
from vividmem_extras.snapshots import (
    Snapshot,
    SnapshotError,
    SnapshotStore,
    StoredFile,
    manifest_of,
)

PATH = os.pathsep.join([str(ROOT), str(ROOT / "extras")])
WRITER = """
import sys
from vividmem import VividMem

with VividMem(sys.argv[1], config={"store": {"durability": "os"}}) as mem:
    for number in range(10_000):
        with mem.batch():
            mem.add_fact(f"{sys.argv[2]} {number}", "first half", str(number))
            mem.add_fact(f"{sys.argv[2]} {number}", "second half", str(number))
        if number % 3 == 0:
            mem.save()  # all files change
        print(number, flush=True)
"""


@pytest.fixture
def taught(folder):
    with VividMem(folder) as mem:
        mem.add_fact("Ines", "home town", "Ghent")
        mem.add_social_impression("Theo", "Theo is allergic to walnuts")
    return folder


@pytest.fixture
def shelf(tmp_path):
    return SnapshotStore(str(tmp_path / "shelf"))


class Bucket:
    """An S3 server on loopback; *before_put* is called with the number of each upload."""

    def __init__(self, port):
        self.endpoint = f"http://127.0.0.1:{port}"
        self.before_put = lambda number: None
        self.puts = 0
        self.options = {
            "key": "test",
            "secret": "test",
            "client_kwargs": {"endpoint_url": self.endpoint},
        }
        self.environ = {
            "FSSPEC_S3_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }

    def store(self, **options):
        return SnapshotStore("s3://agents/all", options=self.options, **options)


@pytest.fixture(scope="module")
def server():
    pytest.importorskip("s3fs", reason="the extra cloud is not installed")
    pytest.importorskip("moto.server", reason="moto is not installed")
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    inner = DomainDispatcherApplication(create_backend_app)

    def app(environ, start_response):
        if environ["REQUEST_METHOD"] == "PUT" and environ["PATH_INFO"].count("/") > 1:
            bucket.puts += 1
            bucket.before_put(bucket.puts)
        return inner(environ, start_response)

    listening = make_server("127.0.0.1", 0, app, threaded=True)
    bucket = Bucket(listening.port)
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    yield bucket
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.fixture
def bucket(server, monkeypatch):
    import s3fs

    for name, value in server.environ.items():
        monkeypatch.setenv(name, value)
    server.before_put, server.puts = lambda number: None, 0
    files = s3fs.S3FileSystem(**server.options, skip_instance_cache=True)
    if files.exists("agents"):
        files.rm("agents", recursive=True)
    files.call_s3("create_bucket", Bucket="agents")
    server.puts = 0
    return server


def vividmem(*words, **environ):
    return subprocess.Popen(
        [sys.executable, "-m", "vividmem_extras.cli", *map(str, words)],
        env=os.environ | {"PYTHONPATH": PATH} | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_teach_snapshot_wipe_restore_ask_on_s3(bucket, taught, tmp_path):
    with vividmem("snapshot", "s3://agents/all", "--dir", taught, **bucket.environ) as made:
        shown, problems = made.communicate(timeout=PATIENCE)
    assert made.returncode == 0, problems
    assert "read back and sound" in shown
    for path in taught.iterdir():
        path.unlink()
    taught.rmdir()
    with vividmem("restore", "s3://agents/all", "--dir", taught, **bucket.environ) as back:
        _, problems = back.communicate(timeout=PATIENCE)
    assert back.returncode == 0, problems
    with VividMem(taught) as mem:
        assert found(mem, "which town is Ines's home?") == ["Ines: home town: Ghent"]
        assert found(mem, "what is Theo allergic to?") == ["Theo is allergic to walnuts"]
        assert mem.stats()["damage"] == []


@pytest.mark.parametrize("upload", [1, 2, 3])
def test_killed_in_mid_upload_the_one_before_is_restored(bucket, taught, tmp_path, upload):
    store = bucket.store()
    whole = store.snapshot(taught)
    assert bucket.puts == 3  # the sizes of what follows: two files and the manifest
    with VividMem(taught) as mem:
        mem.add_fact("Ines", "home town", "Umea")
    bucket.puts, started = 0, threading.Event()

    def kill(number):
        if number == upload:
            started.wait(PATIENCE)
            client.kill()

    bucket.before_put = kill
    with vividmem("snapshot", "s3://agents/all", "--dir", taught, **bucket.environ) as client:
        started.set()
        client.communicate(timeout=PATIENCE)
    assert client.returncode == -signal.SIGKILL
    bucket.before_put = lambda number: None
    if upload < 3:  # the third upload is the manifest itself: it had arrived as its sender died
        assert [one.id for one in store.snapshots()] == [whole.id]
    newest = store.restore(tmp_path / "back")
    with VividMem(tmp_path / "back") as mem:
        town = "Ghent" if newest.id == whole.id else "Umea"
        assert [fact.value for fact in mem.facts("Ines")] == [town]


@contextmanager
def writers(folder, *names):
    running = []
    try:
        for name in names:
            words = [sys.executable, "-c", WRITER, str(folder), name]
            environ = os.environ | {"PYTHONPATH": PATH}
            running.append(subprocess.Popen(words, env=environ, stdout=subprocess.PIPE, text=True))
            assert running[-1].stdout.readline() == "0\n"
        yield running
    finally:
        for writer in running:
            writer.kill()
            writer.communicate()


def test_two_writers_meanwhile_and_each_snapshot_is_one_moment(folder, tmp_path):
    shelf = SnapshotStore(str(tmp_path / "shelf"), keep=1)
    with writers(folder, "left", "right") as running:
        with (folder / "a.bin").open("wb") as large:  # read first: time for others to write
            large.truncate(32_000_000)
        for _ in range(5):
            done = [int(writer.stdout.readline()) for writer in running]
            shelf.snapshot(folder)
            shelf.restore(tmp_path / "back")
            with VividMem(tmp_path / "back") as mem:
                assert mem.stats()["damage"] == []
                for name, last in zip(("left", "right"), done, strict=True):
                    halves = [m.value for m in mem.facts() if m.entity.startswith(name)]
                    numbers = sorted(map(int, halves))
                    pairs = [number for number in range(len(numbers) // 2) for _ in "ab"]
                    assert numbers == pairs and numbers[-1] >= last
            shutil.rmtree(tmp_path / "back")
        assert all(writer.poll() is None for writer in running)


def test_a_snapshot_waits_for_a_write_that_has_begun(taught, shelf, tmp_path):
    taking = threading.Thread(target=shelf.snapshot, args=(taught,))
    with VividMem(taught) as mem, mem.batch():
        mem.add_fact("Ines", "home town", "Umea")
        taking.start()
        taking.join(1.0)  # it would be done by then if it did not wait
        assert taking.is_alive()
    taking.join()
    shelf.restore(tmp_path / "back")
    with VividMem(tmp_path / "back") as mem:
        assert [fact.value for fact in mem.facts("Ines")] == ["Umea"]


def test_only_the_last_n_are_kept(taught, tmp_path):
    shelf = SnapshotStore(str(tmp_path / "shelf"), keep=2)
    made = [shelf.snapshot(taught).id for _ in range(4)]
    assert [one.id for one in shelf.snapshots()] == made[:1:-1]
    assert sorted(path.name for path in (tmp_path / "shelf").iterdir()) == made[2:]


def test_a_dead_upload_goes_after_a_day_and_a_fresh_one_stays(taught, tmp_path, shelf):
    dead, fresh = "20200101T000000.000000Z-00000000", "29990101T000000.000000Z-00000000"
    for name in (dead, fresh):
        (tmp_path / "shelf" / name / "files").mkdir(parents=True)
        (tmp_path / "shelf" / name / "files" / "memory.json").write_text("[]")
    made = shelf.snapshot(taught)
    assert sorted(path.name for path in (tmp_path / "shelf").iterdir()) == [made.id, fresh]
    assert shelf.restore(tmp_path / "back").id == made.id


def test_restoring_into_a_live_folder_is_refused(taught, shelf):
    shelf.snapshot(taught)
    before = on_disk(taught)
    with pytest.raises(SnapshotError, match="not empty"):
        shelf.restore(taught)
    assert on_disk(taught) == before


def test_replacing_keeps_what_was_there_beside_it(taught, shelf, tmp_path):
    shelf.snapshot(taught)
    with VividMem(taught) as mem:
        mem.add_fact("Ines", "home town", "Umea")
        mem.save()  # of another generation than the snapshot
    shelf.restore(taught, replace=True)
    with VividMem(taught) as mem:
        assert [fact.value for fact in mem.facts("Ines")] == ["Ghent"]
        assert mem.stats()["damage"] == []
    (aside,) = tmp_path.glob("agent.replaced-*")
    with VividMem(aside) as mem:
        assert [fact.value for fact in mem.facts("Ines")] == ["Umea"]


def test_replacing_what_is_no_memory_is_refused(taught, shelf, tmp_path):
    shelf.snapshot(taught)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "cat.jpg").write_bytes(b"cat")
    with pytest.raises(SnapshotError, match="no memory"):
        shelf.restore(tmp_path / "pictures", replace=True)
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["cat.jpg"]


def test_a_clock_set_back_does_not_make_the_newest_the_oldest(taught, tmp_path):
    shelf = SnapshotStore(str(tmp_path / "shelf"), keep=1)
    made = shelf.snapshot(taught)
    ahead = Snapshot(made.id.replace("20", "29", 1), made.files)
    os.rename(tmp_path / "shelf" / made.id, tmp_path / "shelf" / ahead.id)
    (tmp_path / "shelf" / ahead.id / "manifest.json").write_bytes(manifest_of(ahead))
    assert [one.id for one in shelf.snapshots()] == [ahead.id]
    newer = shelf.snapshot(taught)
    assert [one.id for one in shelf.snapshots()] == [newer.id]


def test_a_changed_byte_is_found_and_nothing_is_restored(taught, shelf, tmp_path):
    made = shelf.snapshot(taught)
    assert shelf.verify() == made
    (path,) = (tmp_path / "shelf").rglob("memory.json")
    path.write_bytes(path.read_bytes().replace(b"format", b"farmot"))
    with pytest.raises(SnapshotError, match="not as it was written"):
        shelf.verify(made.id)
    with pytest.raises(SnapshotError, match="not as it was written"):
        shelf.restore(tmp_path / "back")
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize("length", [0, 1, 40, -1])
def test_a_manifest_cut_short_is_none(taught, shelf, tmp_path, length):
    first = shelf.snapshot(taught)
    second = shelf.snapshot(taught)
    path = tmp_path / "shelf" / second.id / "manifest.json"
    path.write_bytes(path.read_bytes()[:length])
    assert shelf.restore(tmp_path / "back").id == first.id


@pytest.mark.parametrize(
    "name", ["../evil", "/evil", "a/../../evil", "..\\evil", "C:evil", ".lock"]
)
def test_a_forged_manifest_leads_nowhere(taught, shelf, tmp_path, name):
    made = shelf.snapshot(taught)
    files = (StoredFile(name, made.files[0].size, made.files[0].sha256),)
    path = tmp_path / "shelf" / made.id / "manifest.json"
    path.write_bytes(manifest_of(Snapshot(made.id, files)))
    with pytest.raises(SnapshotError, match="no complete snapshot"):
        shelf.restore(tmp_path / "back")


def test_all_files_of_a_store_are_taken_and_those_of_another_are_not(taught, shelf, tmp_path):
    (taught / "vectors").mkdir()
    (taught / "vectors" / "a.bin").write_bytes(b"\0\xff")
    (taught / "keys.json").write_text("{}")
    (taught / "memory.json.tmp").write_text("half")
    with VividMem(taught / folder_name("Ana")) as other:
        other.add_fact("Ana", "locker code", "4096")
    made = shelf.snapshot(taught)
    names = {"journal-1.jsonl", "keys.json", "memory.json", "vectors/a.bin"}
    assert {file.path for file in made.files} == names
    shelf.restore(tmp_path / "back")
    assert (tmp_path / "back" / "vectors" / "a.bin").read_bytes() == b"\0\xff"
    assert "4096" not in (tmp_path / "back" / "journal-1.jsonl").read_text()


def test_an_encrypted_memory_stays_encrypted(folder, shelf, tmp_path):
    pytest.importorskip("cryptography", reason="the extra crypto is not installed")
    with VividMem(folder, password="sesame") as mem:
        mem.add_fact("Ines", "home town", "Ghent")
    shelf.snapshot(folder)
    kept = [path.read_bytes() for path in (tmp_path / "shelf").rglob("*") if path.is_file()]
    assert not any(b"Ghent" in content or b"Ines" in content for content in kept)
    shelf.restore(tmp_path / "back")
    with VividMem(tmp_path / "back", password="sesame") as mem:
        assert [fact.value for fact in mem.facts("Ines")] == ["Ghent"]


def test_a_snapshot_is_deleted_alone_and_all_of_them_are_cleared(taught, shelf, tmp_path):
    first, second = shelf.snapshot(taught), shelf.snapshot(taught, label="before")
    assert second.id.endswith("-before") and second.taken > first.taken
    shelf.delete(first.id)
    assert shelf.snapshots() == [second]
    with pytest.raises(SnapshotError, match="no complete snapshot"):
        shelf.delete(first.id)
    half = tmp_path / "shelf" / "20260101T000000.000000Z-00000000" / "files"
    half.mkdir(parents=True)
    (half / "memory.json").write_text("Ghent")
    assert sorted(shelf.clear()) == [half.parent.name, second.id]
    assert shelf.snapshots() == [] and list((tmp_path / "shelf").iterdir()) == []
    with pytest.raises(ConfigError, match="label"):
        shelf.snapshot(taught, label="../x")


def test_a_server_keeps_snapshots_on_s3_and_a_wipe_leaves_none(bucket, served, connect):
    client = connect(served("--snapshot-url", "s3://agents/all"))
    for name in ("Ana", "Bo"):
        client.post("/fact", character=name, entity="Ines", attribute="home town", value="Ghent")
        reply = client.post("/snapshot", character=name)
        assert reply.status == 200, reply
    taken = client.get("/snapshots", character="Ana").json["snapshots"][0]["name"]
    assert client.delete("/entity", character="Ana", entity="Ines").json["snapshots"] == 1
    restored = client.post("/restore", character="Ana", snapshot=taken)
    assert restored.status == 200 and restored.json["memories"] == 1, restored
    (fact,) = client.get("/facts", character="Ana").json["memories"]
    assert fact["value"] == "Ghent"
    home = {c["name"]: c["folder"] for c in client.get("/characters").json["characters"]}
    assert client.post("/wipe", character="Ana", confirm=True).status == 200
    left = {name: bucket.store(agent=folder).snapshots() for name, folder in home.items()}
    assert left["Ana"] == [] and len(left["Bo"]) == 1


def test_snapshots_within_the_memory_folder_hold_no_snapshots(taught):
    shelf = SnapshotStore(str(taught / "snapshots"))
    for _ in range(3):
        made = shelf.snapshot(taught)
    assert {file.path for file in made.files} <= {"journal-1.jsonl", "memory.json"}


def test_a_damaged_folder_does_not_push_out_good_snapshots(taught, tmp_path):
    shelf = SnapshotStore(str(tmp_path / "shelf"), keep=1)
    good = shelf.snapshot(taught)
    journal = taught / "journal-1.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"Ghent", b"Gent!"))
    with pytest.raises(SnapshotError, match="damaged"):
        shelf.snapshot(taught)
    assert shelf.restore(tmp_path / "back").id == good.id


def test_agents_under_one_url_never_see_each_other(tmp_path):
    names = ["Ana", "ana", "An", "Ana/x", "../Ana", "Ana ", "Ana.", "名前", "CON", "A" * 200]
    url = str(tmp_path / "shelf")
    for name in names:
        if name != name.strip():
            with pytest.raises(InvalidMemoryError):
                SnapshotStore(url, agent=name)
            continue
        assert SnapshotStore(url, agent=name).snapshots() == []
        with VividMem(tmp_path / "all" / folder_name(name)) as mem:
            mem.add_fact("whoever", "name", name)
        SnapshotStore(url, agent=name).snapshot(tmp_path / "all" / folder_name(name))
        assert len(SnapshotStore(url, agent=name).snapshots()) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"all", "shelf"}
    with pytest.raises(SnapshotError):
        SnapshotStore(url).restore(tmp_path / "back")


@pytest.mark.parametrize("name", ["", " ", "a\0b", "a\nb", "x" * 201])
def test_names_that_cannot_be_agents_are_refused(name):
    with pytest.raises(InvalidMemoryError):
        folder_name(name)


def test_what_is_no_memory_is_not_copied(tmp_path, shelf):
    (tmp_path / "pictures").mkdir()
    for folder in (tmp_path / "pictures", tmp_path / "nowhere"):
        with pytest.raises(SnapshotError, match="holds no memory"):
            shelf.snapshot(folder)
    assert list((tmp_path / "pictures").iterdir()) == [] and not (tmp_path / "nowhere").exists()


def test_bad_arguments_are_named(tmp_path, shelf):
    with pytest.raises(ConfigError, match="keep"):
        SnapshotStore("x", keep=0)
    with pytest.raises(ConfigError, match="nosuch"):
        SnapshotStore("nosuch://user:sesame@host/x")
    with pytest.raises(SnapshotError, match="no id"):
        shelf.restore(tmp_path / "back", snapshot_id="../x")
    with pytest.raises(SnapshotError, match="no complete snapshot"):
        shelf.restore(tmp_path / "back")


def test_an_unreachable_server_is_an_error_that_names_the_url(taught):
    options = {
        "key": "test",
        "secret": "sesame",
        "client_kwargs": {"endpoint_url": "http://127.0.0.1:1"},
        "config_kwargs": {"retries": {"max_attempts": 0}},
    }
    pytest.importorskip("s3fs", reason="the extra cloud is not installed")
    with pytest.raises(SnapshotError, match=r"s3://agents/all") as caught:
        SnapshotStore("s3://agents/all", options=options).snapshot(taught)
    assert "sesame" not in str(caught.value)


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'vividmem\[cloud\]'"):
        SnapshotStore("s3://agents/all")


def test_the_command_line_takes_lists_and_restores(taught, tmp_path, capsys):
    url, back = str(tmp_path / "shelf"), str(tmp_path / "back")
    assert cli.main(["snapshot", url, "--dir", str(taught), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert cli.main(["snapshots", url]) == 0
    assert capsys.readouterr().out.startswith(made["id"])
    assert cli.main(["restore", url, "--dir", str(taught)]) == 1
    assert "not empty" in capsys.readouterr().err
    assert cli.main(["restore", url, "--dir", back, "--id", made["id"]]) == 0
    assert cli.main(["facts", "--dir", back]) == 0
    assert "Ghent" in capsys.readouterr().out


def test_other_commands_and_help_are_the_core_s(tmp_path):
    helped = run(
        sys.executable, "-m", "vividmem_extras.cli", "--help", cwd=tmp_path, pythonpath=PATH
    )
    assert helped.returncode == 0
    assert "resonate" in helped.stdout and "restore URL" in helped.stdout


def test_importing_the_extras_stays_light(tmp_path):
    names = "vividmem_extras, vividmem_extras.snapshots, vividmem_extras.cli"
    code = f"import sys, {names}; print(*sys.modules)"
    shown = run(sys.executable, "-c", code, cwd=tmp_path, pythonpath=PATH).stdout.split()
    assert not {"fsspec", "s3fs", "mcp", "pydantic", "anyio"} & set(shown)


def test_texts_restored_are_those_taken(taught, shelf, tmp_path):
    shelf.snapshot(taught)
    shelf.restore(tmp_path / "back")
    with VividMem(taught) as before, VividMem(tmp_path / "back") as after:
        assert texts(after) == texts(before) and after.export() == before.export()
