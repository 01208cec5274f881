import errno
import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import vividmem
from conftest import PATIENCE
from vividmem import (
    ConfigError,
    CorruptStoreError,
    FileStore,
    LockTimeoutError,
    RamStore,
    ReadOnlyStoreError,
    StoreConfig,
    StoreError,
    VividMemError,
)

EVERYTHING = range(1_000_000)
CHEAP = StoreConfig(scrypt_cost=12)


plain = pytest.mark.parametrize("password", [None], indirect=True)  # looks into the lines


@pytest.fixture(params=[None, "open, sesame"], ids=["plain", "encrypted"])
def password(request):
    """None, then a password: what holds for a folder holds for an encrypted one."""
    if request.param:
        pytest.importorskip("cryptography")
    return request.param


def payload(number):
    return b'{"n":%d}' % number


def append(store, *numbers, durable=False):
    for number in numbers:
        with store.lock():
            store.read()
            store.append(payload(number), durable=durable)


def rewrite(store, fresh, stale=()):
    with store.lock():
        store.read()
        store.rewrite(fresh, stale)


def numbers(payloads):
    return [json.loads(line)["n"] for line in payloads]


def read_all(store):
    """What a newcomer reads: the snapshot as key -> number, the journal as numbers."""
    replay = store.read()
    assert replay.fresh
    return {key: json.loads(line)["n"] for key, line in replay.snapshot.items()}, numbers(
        replay.journal
    )


class StoreContract:
    """What every store promises. A subclass has a fixture `opened`: each call one more handle."""

    def test_the_first_read_is_a_whole_picture_and_the_next_is_nothing(self, opened):
        store = opened()
        assert read_all(store) == ({}, [])
        assert store.read() is None

    def test_appended_changes_reach_another_handle_in_order(self, opened):
        store, other = opened(), opened()
        other.read()
        append(store, 1, 2, 3)
        replay = other.read()
        assert (replay.fresh, numbers(replay.journal)) == (False, [1, 2, 3])
        assert other.read() is None

    def test_a_handle_is_not_told_its_own_changes(self, opened):
        store = opened()
        append(store, 1, 2)
        assert store.read() is None

    def test_two_handles_that_write_in_turn_see_each_other(self, opened):
        first, second = opened(), opened()
        append(first, 1)
        append(second, 2)
        append(first, 3)
        assert numbers(second.read().journal) == [3]
        assert read_all(opened()) == ({}, [1, 2, 3])

    def test_a_rewrite_drops_stale_keys_sets_fresh_ones_and_sorts(self, opened):
        store = opened()
        rewrite(store, [(key, payload(key)) for key in (5, 1, 3, 0)])
        append(store, 7)
        rewrite(store, [(4, payload(40)), (1, payload(10))], {3})
        replay = opened().read()
        assert [*replay.snapshot.items()] == [
            (0, payload(0)),
            (1, payload(10)),
            (4, payload(40)),
            (5, payload(5)),
        ]
        assert replay.journal == []

    def test_who_knew_everything_need_not_reload_after_a_rewrite(self, opened):
        store, other = opened(), opened()
        append(store, 1)
        other.read()
        rewrite(store, [(1, payload(1))])
        assert other.read() is None
        append(other, 2)
        assert numbers(store.read().journal) == [2]
        assert read_all(opened()) == ({1: 1}, [2])

    def test_who_missed_two_rewrites_reloads(self, opened):
        store, other = opened(), opened()
        other.read()
        for number in (1, 2):
            append(store, number)
            rewrite(store, [(number, payload(number))])
        append(store, 3)
        assert read_all(other) == ({1: 1, 2: 2}, [3])

    def test_writing_without_having_read_what_others_wrote_is_refused(self, opened):
        store, other = opened(), opened()
        store.read()
        append(other, 1)
        with store.lock():
            with pytest.raises(StoreError, match="read"):
                store.append(payload(2), durable=False)
            with pytest.raises(StoreError, match="read"):
                store.rewrite([], ())
        assert read_all(opened()) == ({}, [1])

    def test_a_journal_that_outgrew_config_and_snapshot_wants_a_rewrite(self, opened):
        store = opened(StoreConfig(compact_bytes=100))
        append(store, 1)
        assert not store.wants_rewrite()
        append(store, *range(20))
        assert store.wants_rewrite()
        rewrite(store, [(key, payload(key)) for key in range(100)])
        append(store, *range(20))
        assert not store.wants_rewrite()

    def test_the_lock_is_re_entrant_in_a_thread(self, opened):
        store = opened()
        with store.lock(), store.lock():
            store.read()
            store.append(payload(1), durable=True)
        append(store, 2)
        assert read_all(opened()) == ({}, [1, 2])

    def test_the_lock_keeps_other_threads_out_until_they_time_out(self, opened):
        store = opened(StoreConfig(lock_timeout=0.05))
        caught = []

        def late():
            try:
                with store.lock():
                    pass
            except LockTimeoutError as err:
                caught.append(err)

        with store.lock():
            thread = threading.Thread(target=late)
            thread.start()
            thread.join()
        assert len(caught) == 1
        assert isinstance(caught[0], TimeoutError)

    def test_eight_threads_on_one_handle_lose_nothing(self, opened):
        store = opened()
        threads = [
            threading.Thread(target=append, args=(store, *range(base, base + 50)))
            for base in range(0, 400, 50)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(read_all(opened())[1]) == list(range(400))

    def test_a_sound_store_reports_no_damage_and_salvages_nothing(self, opened):
        store = opened()
        append(store, 1)
        assert store.damage() == []
        assert store.salvage() == []
        assert store.describe()["sequence"] == 1

    def test_a_closed_store_opens_itself_again(self, opened):
        store = opened()
        append(store, 1)
        store.close()
        store.close()
        assert read_all(store) == ({}, [1])


class TestRamStore(StoreContract):
    @pytest.fixture
    def opened(self):
        first = RamStore()
        return first.handle

    def test_without_keep_nothing_is_retained(self):
        store = RamStore(keep=False)
        append(store, 1, 2)
        rewrite(store, [(1, payload(1))])
        append(store, 3)
        assert store.read() is None
        assert not store.wants_rewrite()
        assert store.describe()["journal_bytes"] == store.describe()["snapshot_bytes"] == 0
        store.close()
        assert read_all(store) == ({}, [])


class TestFileStore(StoreContract):
    @pytest.fixture
    def opened(self, tmp_path, password):
        stores = []

        def handle(config=CHEAP):
            config = replace(config, scrypt_cost=CHEAP.scrypt_cost)
            stores.append(FileStore(tmp_path / "store", config, password=password))
            return stores[-1]

        yield handle
        for store in stores:
            store.close()


@pytest.fixture
def folder(tmp_path, password):
    """A folder with a snapshot of three memories and a journal of three changes."""
    store = FileStore(tmp_path / "store", CHEAP, password=password)
    rewrite(store, [(key, payload(key)) for key in (1, 2, 3)])
    append(store, 4, 5, 6)
    store.close()
    return store.path


@pytest.fixture
def opened(password):
    """Open a folder; closed when the test ends."""
    stores = []

    def handle(path, config=CHEAP):
        config = replace(config, scrypt_cost=CHEAP.scrypt_cost)
        stores.append(FileStore(path, config, password=password))
        return stores[-1]

    yield handle
    for store in stores:
        store.close()


def contents(folder):
    """Name -> bytes of all that matters in *folder*."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != ".lock"}


def restore(folder, files):
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def spoilt(text, number):
    """*text* with one character of the line *number* changed."""
    end = text.index(b"]", text.index(b'",%d,' % number)) - 2
    return text[:end] + (b"9" if text[end : end + 1] == b"8" else b"8") + text[end + 1 :]


def own_files(*names, password):
    """The names a sound folder holds."""
    return sorted([*names, *(["memory.key"] if password else [])])


def assert_read_only(store):
    """*store* refuses to write, says what to run, and leaves every file as it is."""
    before = contents(store.path)
    for write in (lambda: append(store, 9), lambda: rewrite(store, [], EVERYTHING)):
        with pytest.raises(ReadOnlyStoreError, match="vividmem doctor --repair") as caught:
            write()
        assert str(store.path) in str(caught.value)
        assert isinstance(caught.value, PermissionError)
    assert contents(store.path) == before


# --- what is on the disk


@plain
def test_the_snapshot_is_json_with_one_memory_a_line(folder):
    lines = (folder / "memory.json").read_text().splitlines()
    header, *rest = json.loads("\n".join(lines))
    assert header[2]["format"] == 1
    assert header[2]["product"] == "vividmem"
    assert (header[2]["generation"], header[2]["sequence"], header[2]["count"]) == (2, 0, 3)
    assert [entry[1:] for entry in rest] == [[1, {"n": 1}], [2, {"n": 2}], [3, {"n": 3}]]
    assert len(lines) == 4


def test_journal_lines_check_themselves_and_are_numbered_across_generations(folder, opened):
    store = opened(folder)
    rewrite(store, [(4, payload(4))])
    append(store, 7, 8)
    lines = (folder / "journal-3.jsonl").read_bytes().splitlines()
    assert [json.loads(line)[1] for line in lines] == [4, 5]
    for line in lines:
        assert int(json.loads(line)[0], 16) == zlib.crc32(line.split(b",", 1)[1][:-1])


@plain
def test_a_rewrite_copies_unchanged_lines_byte_for_byte(folder, opened):
    odd = b'{"n":7, "caf\\u00e9" : 1.50}'  # valid, but not as json.dumps would write it
    store = opened(folder)
    rewrite(store, [(7, odd)])
    before = (folder / "memory.json").read_bytes().split(b"\n")
    rewrite(store, [(2, payload(20))])
    after = (folder / "memory.json").read_bytes().split(b"\n")
    assert [before[1], before[3], before[4]] == [after[1], after[3], after[4]]
    assert odd in after[4]
    assert before[2] != after[2]


def test_a_payload_of_two_lines_is_refused_before_anything_is_written(folder, opened):
    store, before = opened(folder), contents(folder)
    with store.lock():
        store.read()
        with pytest.raises(StoreError):
            store.append(b'{"n":\n1}', durable=False)
        with pytest.raises(StoreError):
            store.rewrite([(1, b'{"n":\n1}')], ())
    assert contents(folder) == before


@plain
def test_unknown_header_fields_survive_a_rewrite(folder, opened):
    alter_header(folder, colour="teal", nested={"a": [1]})
    rewrite(opened(folder), [(9, payload(9))])
    header = json.loads((folder / "memory.json").read_bytes())[0][2]
    assert (header["colour"], header["nested"], header["generation"]) == ("teal", {"a": [1]}, 3)


def alter_header(folder, **fields):
    first, rest = (folder / "memory.json").read_bytes().split(b",\n", 1)
    header = json.loads(first[1:])[2] | fields
    body = b"-1," + json.dumps(header).encode()
    (folder / "memory.json").write_bytes(b'[["%08x",%b],\n' % (zlib.crc32(body), body) + rest)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(folder, opened):
    alter_header(folder, format=2)
    before = contents(folder)
    store = opened(folder)
    for _ in range(2):
        with pytest.raises(CorruptStoreError, match="newer version"):
            store.read()
    assert contents(folder) == before


@pytest.mark.parametrize("fields", [{"format": "x"}, {"generation": None}, {"sequence": "1"}])
def test_a_header_of_the_wrong_shape_is_damage(folder, opened, fields):
    alter_header(folder, **fields)
    store = opened(folder)
    assert read_all(store) == ({1: 1, 2: 2, 3: 3}, [4, 5, 6])
    assert_read_only(store)


def test_only_the_owner_may_read_the_files(folder):
    if os.name == "posix":
        assert {file.stat().st_mode & 0o077 for file in folder.iterdir()} == {0}


def test_describe_tells_sizes_generation_and_sequence(folder, opened):
    store = opened(folder)
    store.read()
    facts = store.describe()
    assert (facts["generation"], facts["sequence"]) == (2, 3)
    assert facts["snapshot_bytes"] == (folder / "memory.json").stat().st_size
    assert facts["journal_bytes"] == (folder / "journal-2.jsonl").stat().st_size


# --- paths


def test_home_relative_and_missing_parents_are_resolved(tmp_path, monkeypatch, opened):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    append(opened("~/a/b"), 1)
    store = opened("c/d")
    monkeypatch.chdir("/")
    append(store, 2)
    assert (tmp_path / "a" / "b" / "memory.json").exists()
    assert (tmp_path / "c" / "d" / "memory.json").exists()


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_path_that_is_a_file_is_a_clear_error(tmp_path, name):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StoreError, match="folder") as caught:
        FileStore(tmp_path / name)
    assert isinstance(caught.value, OSError)
    assert isinstance(caught.value, VividMemError)
    assert (tmp_path / "file").read_text() == "mine"


# --- torn writes


def test_every_cut_of_the_journal_loses_only_what_was_cut(folder, opened, caplog, keys_once):
    files = contents(folder)
    journal = files["journal-2.jsonl"]
    for length in range(len(journal) + 1):
        restore(folder, files | {"journal-2.jsonl": journal[:length]})
        whole = [4, 5, 6][: journal[:length].count(b"\n")]
        store = opened(folder)
        assert read_all(store) == ({1: 1, 2: 2, 3: 3}, whole)
        assert store.damage() == []
        append(store, 7)
        assert read_all(opened(folder)) == ({1: 1, 2: 2, 3: 3}, [*whole, 7])
        store.close()


def test_readers_leave_a_torn_line_and_the_next_writer_cuts_it_with_a_warning(
    folder, opened, caplog
):
    with open(folder / "journal-2.jsonl", "ab") as file:
        file.write(b'["secret')
    store, before = opened(folder), contents(folder)
    assert read_all(store)[1] == [4, 5, 6]
    assert store.read() is None
    assert contents(folder) == before
    with caplog.at_level(logging.WARNING, "vividmem"):
        append(store, 7)
    assert "8 bytes" in caplog.text
    assert "secret" not in caplog.text
    assert read_all(opened(folder))[1] == [4, 5, 6, 7]


def test_a_line_just_as_long_as_the_torn_one_it_replaces_is_still_seen(folder, opened):
    line = (folder / "journal-2.jsonl").read_bytes().split(b"\n")[0]
    with open(folder / "journal-2.jsonl", "ab") as file:
        file.write(b"\0" * (len(line) + 1))
    reader, writer = opened(folder), opened(folder)
    reader.read()
    append(writer, 7)
    assert numbers(reader.read().journal) == [7]


# --- damage


def test_every_flipped_byte_is_noticed_and_nothing_is_overwritten(
    folder, opened, password, keys_once
):
    files = contents(folder)
    for name, content in files.items():
        for place in range(len(content)):
            for flipped in {content[place] ^ mask for mask in (1, 32, 255)} | {10, 44}:
                if flipped == content[place]:
                    continue
                broken = bytearray(content)
                broken[place] = flipped
                restore(folder, files | {name: bytes(broken)})
                store = opened(folder)
                snapshot, journal = read_all(store)
                assert store.damage(), (name, place, flipped)
                assert len(snapshot) + len(journal) >= 5, (name, place, flipped)
                assert snapshot.items() <= {1: 1, 2: 2, 3: 3}.items()
                assert set(journal) <= {4, 5, 6}
                if flipped == content[place] ^ 1:
                    assert_read_only(store)
                store.close()
    assert not password or keys_once.cache_info().hits > 1000  # else it takes minutes


def test_a_bad_line_among_good_ones_is_damage_and_the_good_ones_are_served(folder, opened):
    journal = (folder / "journal-2.jsonl").read_bytes()
    (folder / "journal-2.jsonl").write_bytes(spoilt(journal, 2))
    store = opened(folder)
    assert read_all(store) == ({1: 1, 2: 2, 3: 3}, [4, 6])
    assert len(store.damage()) == 1
    assert "journal-2.jsonl" in store.damage()[0]
    assert_read_only(store)


def test_a_bad_but_complete_last_line_may_have_been_acknowledged_so_it_is_damage(folder, opened):
    journal = (folder / "journal-2.jsonl").read_bytes()
    (folder / "journal-2.jsonl").write_bytes(spoilt(journal, 3))
    store = opened(folder)
    assert read_all(store)[1] == [4, 5]
    assert_read_only(store)


@pytest.mark.parametrize("order, served", [("021", [4, 6, 5]), ("02", [4, 6]), ("0112", None)])
def test_a_gap_or_repeat_in_the_journal_is_damage(folder, opened, order, served):
    lines = (folder / "journal-2.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "journal-2.jsonl").write_bytes(b"".join(lines[int(n)] for n in order))
    store = opened(folder)
    assert read_all(store)[1] == (served or [4, 5, 5, 6])
    assert_read_only(store)


def without_header(text):
    return b"[" + text.split(b",\n", 1)[1]


def without_second(text):
    lines = text.split(b",\n")
    return b",\n".join(lines[:2] + lines[3:])


@pytest.mark.parametrize(
    "broken, served",
    [
        (lambda text: b"", {}),
        (lambda text: b"\xff\xfe\x00garbage", {}),
        (lambda text: text[: len(text) // 2], {}),
        (lambda text: text[:-5], {1: 1, 2: 2}),
        (lambda text: text[:-2], {1: 1, 2: 2, 3: 3}),
        (lambda text: text + b"}", {1: 1, 2: 2, 3: 3}),
        (lambda text: text + text, {1: 1, 2: 2, 3: 3}),
        (lambda text: text[:-2] + b"}]\n", {1: 1, 2: 2, 3: 3}),
        (lambda text: text.replace(b"\n", b"\r\n"), {1: 1, 2: 2, 3: 3}),
        (lambda text: text.replace(b",\n", b",\n\n"), {1: 1, 2: 2, 3: 3}),
        (lambda text: text.replace(b",\n", b","), {1: 1, 2: 2, 3: 3}),
        (without_header, {1: 1, 2: 2, 3: 3}),
        (without_second, {1: 1, 3: 3}),
    ],
)
def test_a_broken_snapshot_is_served_as_far_as_it_goes(folder, opened, broken, served):
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(broken(text))
    store = opened(folder)
    snapshot, journal = read_all(store)
    assert snapshot == served or served == {}
    assert journal == [4, 5, 6]
    assert "memory.json" in store.damage()[0]
    assert_read_only(store)


@pytest.mark.parametrize("name", ["memory.json", "journal-2.jsonl"])
def test_a_missing_file_is_damage_and_the_other_is_served(folder, opened, name):
    (folder / name).unlink()
    store = opened(folder)
    snapshot, journal = read_all(store)
    assert snapshot == ({} if name == "memory.json" else {1: 1, 2: 2, 3: 3})
    assert journal == ([4, 5, 6] if name == "memory.json" else [])
    assert name in store.damage()[0]
    assert_read_only(store)


def test_a_lost_snapshot_is_damage_even_if_its_journal_is_empty(folder, opened):
    rewrite(opened(folder), [(4, payload(4))])
    (folder / "memory.json").unlink()
    store = opened(folder)
    assert read_all(store) == ({}, [])
    assert_read_only(store)


def test_a_broken_snapshot_without_any_journal_is_damage_too(folder, opened):
    kept = {name: text for name, text in contents(folder).items() if name == "memory.key"}
    restore(folder, kept | {"memory.json": b""})
    store = opened(folder)
    assert read_all(store) == ({}, [])
    assert len(store.damage()) == 1
    assert_read_only(store)
    store.salvage()
    rewrite(store, [(1, payload(1))])
    append(store, 2)
    assert read_all(opened(folder)) == ({1: 1}, [2])


@pytest.mark.parametrize("name", ["memory.json", "journal-2.jsonl"])
def test_a_file_that_cannot_be_opened_at_all_is_damage(folder, opened, name):
    (folder / name).unlink()
    (folder / name).mkdir()
    store = opened(folder)
    read_all(store)
    assert name in " ".join(store.damage())
    with pytest.raises(ReadOnlyStoreError):
        append(store, 9)


def test_a_journal_newer_than_the_snapshot_is_served_too_and_never_deleted(
    folder, opened, password
):
    (folder / "journal-7.jsonl").write_bytes((folder / "journal-2.jsonl").read_bytes())
    store = opened(folder)
    assert read_all(store)[1] == [4, 5, 6, *([] if password else [4, 5, 6])]  # not authentic there
    assert_read_only(store)


def test_damage_that_arrives_while_open_stops_the_next_write(folder, opened):
    store = opened(folder)
    store.read()
    with open(folder / "journal-2.jsonl", "ab") as file:
        file.write(b"rubbish\n")
    with pytest.raises(ReadOnlyStoreError):
        append(store, 7)
    other = opened(folder)
    other.read()
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(spoilt(text, 2))
    replay = store.read()
    assert replay.fresh
    assert len(replay.snapshot) == 2


def test_a_snapshot_that_rots_while_open_is_not_copied_by_a_rewrite(folder, opened):
    store = opened(folder)
    store.read()
    stamp = (folder / "memory.json").stat()
    text = (folder / "memory.json").read_bytes()
    with open(folder / "memory.json", "r+b") as file:
        file.write(spoilt(text, 2))
    os.utime(folder / "memory.json", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert store.read() is None
    with pytest.raises(ReadOnlyStoreError):
        rewrite(store, [])
    assert store.damage()


# --- repair


def test_salvage_copies_quarantines_and_allows_a_rewrite(folder, opened, password):
    before = contents(folder)
    journal = spoilt(before["journal-2.jsonl"], 2)
    snapshot = spoilt(before["memory.json"], 2)
    restore(folder, before | {"memory.json": snapshot, "journal-2.jsonl": journal})
    store = opened(folder)
    assert read_all(store) == ({1: 1, 3: 3}, [4, 6])
    copies = store.salvage()
    assert {(folder / name).read_bytes() for name in copies[:2]} == {snapshot, journal}
    assert all(".corrupt-" in name for name in copies[:2])
    quarantined = (folder / copies[2]).read_text().splitlines()
    assert copies[2].startswith("quarantine-")
    if not password:
        assert ['"n":8' in quarantined[0], '\\"n\\":8' in quarantined[1]] == [False, True]
    with pytest.raises(ReadOnlyStoreError):
        append(store, 7)
    rewrite(store, [(4, payload(4)), (6, payload(6))])
    assert store.damage() == []
    append(store, 7)
    assert read_all(opened(folder)) == ({1: 1, 3: 3, 4: 4, 6: 6}, [7])
    assert {(folder / name).read_bytes() for name in copies[:2]} == {snapshot, journal}


@pytest.mark.parametrize("name", ["memory.json", "journal-2.jsonl"])
def test_a_missing_file_can_be_repaired(folder, opened, name, password):
    (folder / name).unlink()
    store = opened(folder)
    store.read()
    assert store.salvage() == []
    rewrite(store, [(1, payload(1))], EVERYTHING)
    assert read_all(opened(folder)) == ({1: 1}, [])
    assert sorted(contents(folder)) == own_files(
        "journal-3.jsonl", "memory.json", password=password
    )


def test_journals_not_served_or_newer_are_copied_before_a_repair_removes_them(
    folder, opened, password
):
    journal = (folder / "journal-2.jsonl").read_bytes()
    (folder / "journal-7.jsonl").write_bytes(journal)
    (folder / "memory.json").write_bytes(b"")
    store = opened(folder)
    assert read_all(store) == ({}, [] if password else [4, 5, 6])
    store.salvage()
    rewrite(store, [], EVERYTHING)
    kept = [name for name in contents(folder) if name.startswith("journal-2.jsonl.corrupt-")]
    assert [(folder / name).read_bytes() for name in kept] == [journal]
    assert store.describe()["generation"] == 8


def test_handles_that_still_hold_the_lost_lines_reload_after_a_repair(folder, opened):
    witness = opened(folder)
    assert read_all(witness)[1] == [4, 5, 6]
    journal = (folder / "journal-2.jsonl").read_bytes()
    with open(folder / "journal-2.jsonl", "r+b") as file:
        file.write(spoilt(journal, 3))
    doctor = opened(folder)
    doctor.read()
    doctor.salvage()
    rewrite(doctor, [(4, payload(4)), (5, payload(5))])
    assert read_all(witness) == ({1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, [])


# --- several handles and processes


def test_an_unchanged_store_is_read_with_two_stats_and_no_lock(folder, opened, monkeypatch):
    store = opened(folder)
    store.read()
    calls = []
    stat = os.stat
    monkeypatch.setattr(os, "stat", lambda path: calls.append(path) or stat(path))
    monkeypatch.setattr(os, "open", None)
    assert store.read() is None
    assert len(calls) == 2


def test_who_missed_changes_before_one_rewrite_drains_the_old_journal(folder, opened):
    store, other = opened(folder), opened(folder)
    other.read()
    append(store, 7, 8)
    rewrite(store, [(7, payload(7)), (8, payload(8))])
    append(store, 9)
    replay = other.read()
    assert (replay.fresh, numbers(replay.journal)) == (False, [7, 8, 9])
    rewrite(other, [], {1})
    assert read_all(opened(folder)) == ({2: 2, 3: 3, 7: 7, 8: 8}, [])


def test_a_folder_wiped_and_begun_again_is_reloaded(folder, opened):
    store = opened(folder)
    store.read()
    for file in folder.iterdir():
        file.unlink()
    fresh = opened(folder)
    append(fresh, 1, 2, 3)
    rewrite(fresh, [(1, payload(1))])
    assert read_all(store) == ({1: 1}, [])


OPENING = """
import os, sys
from vividmem import FileStore, StoreConfig
password = os.environ.get("PASSWORD")
store = FileStore(sys.argv[1], StoreConfig(scrypt_cost=12), password=password)
"""
WRITER = (
    OPENING
    + """
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 50):
    with store.lock():
        store.read()
        store.append(b'{"n":%d}' % number, durable=True)
        if number % 25 == int(sys.argv[3]):
            store.rewrite([], ())
"""
)


def started(*arguments, code=WRITER, password=None, **options):
    paths = os.pathsep.join([str(Path(vividmem.__file__).parent), *filter(None, sys.path)])
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environ = os.environ | {"PYTHONPATH": paths} | ({"PASSWORD": password} if password else {})
    return subprocess.Popen(command, env=environ, **options)


def test_four_processes_of_fifty_appends_make_two_hundred_lines(tmp_path, opened, password):
    bases = 0, 50, 100, 150
    processes = [started(tmp_path / "store", base, -1, password=password) for base in bases]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0, 0]
    store = opened(tmp_path / "store")
    assert sorted(read_all(store)[1]) == list(range(200))
    assert store.damage() == []
    lines = (tmp_path / "store" / "journal-1.jsonl").read_bytes().splitlines()
    assert [json.loads(line)[1] for line in lines] == list(range(1, 201))


def test_a_reader_misses_nothing_while_others_write_and_compact(tmp_path, opened, password):
    store = opened(tmp_path / "store")
    processes = [
        started(tmp_path / "store", base, base // 10, password=password) for base in (0, 50, 100)
    ]
    while any(process.poll() is None for process in processes):
        store.read()
    store.read()
    assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0]
    assert store.damage() == []
    assert store.describe()["sequence"] == 150


def test_a_process_killed_in_its_lock_leaves_the_store_free(folder, opened, password):
    code = "with store.lock(): store.read(); store.append(b'{\"n\":7}', durable=False); os._exit(9)"
    assert started(folder, code=OPENING + code, password=password).wait(PATIENCE) == 9
    store = opened(folder, StoreConfig(lock_timeout=0.5))
    append(store, 8)
    assert read_all(opened(folder))[1] == [4, 5, 6, 7, 8]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_is_another_process_to_the_lock(folder, opened):
    store = opened(folder, StoreConfig(lock_timeout=0.1))
    append(store, 7)
    with store.lock():
        child = os.fork()
        if not child:
            other = FileStore(folder, StoreConfig(lock_timeout=0.1))
            try:
                other.read()
            except LockTimeoutError:
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    child = os.fork()
    if not child:
        append(store, 8)
        os._exit(0)
    os.waitpid(child, 0)
    assert numbers(store.read().journal) == [8]


def test_a_lock_timeout_names_the_file(folder, opened):
    with opened(folder).lock(), pytest.raises(LockTimeoutError) as caught:
        opened(folder, StoreConfig(lock_timeout=0.05)).read()
    assert str(folder / ".lock") in str(caught.value)


# --- crashes and failing disks


def test_leftovers_of_a_crash_are_swept(folder, opened):
    before = contents(folder)
    (folder / "memory.json.tmp").write_bytes(b"[half")
    (folder / "journal-1.jsonl").write_bytes(b"older\n")
    (folder / "journal-3.jsonl").write_bytes(b"")  # made for a rewrite that never happened
    store = opened(folder)
    assert read_all(store) == ({1: 1, 2: 2, 3: 3}, [4, 5, 6])
    assert store.damage() == []
    assert contents(folder) == before


CRASHING_REWRITE = (
    OPENING
    + """
def replace(source, target, replace=os.replace):
    if sys.argv[2] == "after":
        replace(source, target)
    os._exit(9)
os.replace = replace
with store.lock():
    store.read()
    store.rewrite([(4, b'{"n":4}'), (5, b'{"n":5}'), (6, b'{"n":6}')], ())
"""
)


@pytest.mark.parametrize("moment, generation", [("before", 2), ("after", 3)])
def test_a_process_that_dies_in_a_rewrite_loses_nothing(
    folder, opened, moment, generation, password
):
    witness = opened(folder)
    witness.read()
    assert started(folder, moment, code=CRASHING_REWRITE, password=password).wait(PATIENCE) == 9
    store = opened(folder)
    snapshot, journal = read_all(store)
    assert [*snapshot.values(), *journal] == [1, 2, 3, 4, 5, 6]
    assert store.damage() == []
    names = f"journal-{generation}.jsonl", "memory.json"
    assert sorted(contents(folder)) == own_files(*names, password=password)
    append(witness, 7)
    assert numbers(store.read().journal) == [7]


def test_nothing_is_swept_from_a_damaged_folder(folder, opened):
    (folder / "memory.json").write_bytes(b"")
    (folder / "memory.json.tmp").write_bytes(b"[half")
    (folder / "journal-1.jsonl").write_bytes(b"older\n")
    before = contents(folder)
    opened(folder).read()
    assert contents(folder) == before


def test_a_crash_in_the_very_first_open_leaves_a_store_that_opens(tmp_path, opened, password):
    (tmp_path / "journal-1.jsonl").write_bytes(b"")
    (tmp_path / "memory.json.tmp").write_bytes(b"[")
    store = opened(tmp_path)
    append(store, 1)
    assert store.damage() == []
    names = "journal-1.jsonl", "memory.json"
    assert sorted(contents(tmp_path)) == own_files(*names, password=password)


def failing(monkeypatch, name, error, times):
    """Let os.<name> raise *error* the first *times* times; what it was called with is returned."""
    original, calls = getattr(os, name), []

    def faulty(*arguments):
        calls.append(arguments)
        if len(calls) <= times:
            raise error
        return original(*arguments)

    monkeypatch.setattr(os, name, faulty)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return calls


def test_a_replace_refused_twice_succeeds_at_the_third_try(folder, opened, monkeypatch):
    store = opened(folder)
    calls = failing(monkeypatch, "replace", PermissionError(13, "in use"), 2)
    rewrite(store, [(4, payload(4))])
    assert len(calls) == 3
    assert read_all(opened(folder)) == ({1: 1, 2: 2, 3: 3, 4: 4}, [])


@pytest.mark.parametrize("error", [PermissionError(13, "in use"), OSError(errno.ENOSPC, "full")])
def test_a_replace_refused_for_good_leaves_everything_as_it_was(folder, opened, monkeypatch, error):
    store, before = opened(folder), contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, "replace", error, 1_000)
        with pytest.raises(StoreError) as caught:
            rewrite(store, [(4, payload(4))])
    assert caught.value.__cause__ is error
    assert str(folder / "memory.json") in str(caught.value)
    assert contents(folder) == before
    append(store, 7)
    rewrite(store, [(4, payload(4))])
    assert read_all(opened(folder))[0] == {1: 1, 2: 2, 3: 3, 4: 4}


def test_a_full_disk_takes_nothing_back_and_writing_goes_on_afterwards(folder, opened, monkeypatch):
    store, before = opened(folder), contents(folder)
    store.read()
    write, calls = os.write, []

    def half_then_full(fd, line):
        calls.append(line)
        if len(calls) % 2:
            return write(fd, line[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, store.lock():
        patch.setattr(os, "write", half_then_full)
        with pytest.raises(StoreError, match="No space left") as caught:
            store.append(payload(7), durable=True)
    assert isinstance(caught.value.__cause__, OSError)
    assert str(folder) in str(caught.value)
    assert contents(folder) == before
    append(store, 8)
    assert read_all(opened(folder))[1] == [4, 5, 6, 8]


def test_short_writes_are_completed(folder, opened, monkeypatch):
    store, write = opened(folder), os.write
    store.read()
    monkeypatch.setattr(os, "write", lambda fd, line: write(fd, line[:3]))
    append(store, 7)
    assert read_all(opened(folder))[1] == [4, 5, 6, 7]


SYNC = "fdatasync" if hasattr(os, "fdatasync") else "fsync"


def test_a_failed_sync_takes_the_line_back_and_poisons_the_handle(folder, opened, monkeypatch):
    store, before = opened(folder), contents(folder)
    store.read()
    with monkeypatch.context() as patch:
        failing(patch, SYNC, OSError(errno.EIO, "Input/output error"), 1)
        with pytest.raises(StoreError, match="Input/output error"):
            append(store, 7, durable=True)
    assert contents(folder) == before
    other = opened(folder)
    append(other, 8)
    rewrite(other, [(8, payload(8))])
    append(other, 9)
    rewrite(other, [(9, payload(9))])
    assert store.read().fresh  # a reload is not a reopening
    for write in (lambda: append(store, 10), lambda: rewrite(store, [])):
        with pytest.raises(StoreError, match="open it again"):
            write()
    store.close()
    append(store, 11)
    assert read_all(opened(folder)) == ({1: 1, 2: 2, 3: 3, 8: 8, 9: 9}, [11])


@pytest.mark.parametrize(
    "durability, durable, synced", [("fsync", True, 1), ("fsync", False, 0), ("os", True, 0)]
)
def test_only_durable_appends_of_a_durable_store_are_synced(
    folder, opened, monkeypatch, durability, durable, synced
):
    store = opened(folder, StoreConfig(durability=durability))
    store.read()
    calls = failing(monkeypatch, SYNC, OSError(), 0)
    append(store, 7, durable=durable)
    assert len(calls) == synced


def crafted(folder, key):
    """Give the second line *key* and make every checksum right again."""
    lines = (folder / "memory.json").read_bytes().split(b"\n")
    rest = key + b',{"n":2}'
    lines[2] = b'["%08x",%b],' % (zlib.crc32(rest), rest)
    body = b"\n".join(lines)[len(lines[0]) - 1 :]
    header = json.loads(lines[0][1:-1])[2] | {"checksum": f"{zlib.crc32(body):08x}"}
    first = b"-1," + json.dumps(header).encode()
    (folder / "memory.json").write_bytes(b'[["%08x",%b]' % (zlib.crc32(first), first) + body)


@pytest.mark.parametrize("key", [b"x", b"", b"1.5", b'"2"', b"9" * 5000])
def test_a_snapshot_key_that_is_no_integer_is_damage(folder, opened, key):
    crafted(folder, key)
    store = opened(folder)
    assert read_all(store) == ({1: 1, 3: 3}, [4, 5, 6])
    assert_read_only(store)
    store.salvage()
    rewrite(store, [(n, payload(n)) for n in (4, 5, 6)])
    assert read_all(opened(folder)) == ({1: 1, 3: 3, 4: 4, 5: 5, 6: 6}, [])


def test_a_journal_number_that_is_no_integer_is_damage(folder, opened):
    rest = b'x,{"n":7}'
    with open(folder / "journal-2.jsonl", "ab") as file:
        file.write(b'["%08x",%b]\n' % (zlib.crc32(rest), rest))
    store = opened(folder)
    assert read_all(store)[1] == [4, 5, 6]
    assert_read_only(store)


@pytest.mark.parametrize("header", [b"{", b"[]", b"null", b"[" * 100_000])
def test_a_header_that_is_no_json_object_is_damage(folder, opened, header):
    rest = b"-1," + header
    text = (folder / "memory.json").read_bytes().split(b",\n", 1)[1]
    (folder / "memory.json").write_bytes(b'[["%08x",%b],\n' % (zlib.crc32(rest), rest) + text)
    store = opened(folder)
    assert read_all(store) == ({1: 1, 2: 2, 3: 3}, [4, 5, 6])
    assert_read_only(store)


def test_a_deleted_folder_is_a_store_error(folder, opened):
    store = opened(folder)
    store.read()
    shutil.rmtree(folder)
    for call in (store.describe, store.read, store.purge):
        with pytest.raises(StoreError):
            call()


def test_purge_removes_all_copies_and_nothing_else(folder, opened, password):
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(spoilt(text, 2))
    store = opened(folder)
    store.read()
    copies = store.salvage()
    rewrite(store, [(n, payload(n)) for n in (4, 5, 6)])
    assert len(copies) == 2
    assert sorted(store.purge()) == sorted(copies)
    assert sorted(contents(folder)) == own_files(
        "journal-3.jsonl", "memory.json", password=password
    )
    assert store.purge() == RamStore().purge() == []
    append(store, 7)


def test_a_store_that_keeps_nothing_has_no_other_handles():
    with pytest.raises(ConfigError):
        RamStore(keep=False).handle()


def test_a_rewrite_that_fails_in_a_repair_can_be_tried_again(folder, opened, monkeypatch):
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(spoilt(text, 2))
    store = opened(folder)
    store.read()
    store.salvage()
    before = contents(folder)
    with monkeypatch.context() as patch:
        failing(patch, "replace", OSError(28, "full"), 9)
        with pytest.raises(StoreError):
            rewrite(store, [])
    assert contents(folder) == before
    assert len(store.damage()) == 1
    rewrite(store, [(4, payload(4))])
    assert read_all(opened(folder)) == ({1: 1, 3: 3, 4: 4}, [])


def test_a_huge_lock_timeout_is_fine(folder, opened):
    append(opened(folder, StoreConfig(lock_timeout=1e300)), 7)


def test_a_folder_begun_again_with_equal_numbers_is_reloaded(folder, opened):
    store = opened(folder)
    store.read()
    for file in folder.iterdir():
        file.unlink()
    fresh = opened(folder)
    rewrite(fresh, [])
    append(fresh, 7, 8, 9)
    rewrite(fresh, [(7, payload(7))])
    assert fresh.describe()["generation"] == 3
    assert read_all(store) == ({7: 7}, [])


def test_a_new_folder_is_synced_into_its_parents(tmp_path, monkeypatch):
    synced, sync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.fstat(fd).st_ino), sync(fd)))
    FileStore(tmp_path / "new" / "deep").close()
    assert {(tmp_path / "new").stat().st_ino, tmp_path.stat().st_ino} <= set(synced)
