"""New tests: to be appended to tests/test_store.py."""

import json
import shutil
import zlib

import pytest

from test_store import *  # noqa: F403
from test_store import (
    append,
    assert_read_only,
    contents,
    payload,
    read_all,
    rewrite,
)
from vividmem import ConfigError, RamStore, StoreConfig, StoreError

for _n in [n for n in list(globals()) if n.startswith(("test_", "Test", "StoreContract"))]:
    del globals()[_n]


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


def test_purge_removes_all_copies_and_nothing_else(folder, opened):
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(text.replace(b'"n":2', b'"n":8'))
    store = opened(folder)
    store.read()
    copies = store.salvage()
    rewrite(store, [(n, payload(n)) for n in (4, 5, 6)])
    assert len(copies) == 2
    assert sorted(store.purge()) == sorted(copies)
    assert sorted(contents(folder)) == ["journal-3.jsonl", "memory.json"]
    assert store.purge() == RamStore().purge() == []
    append(store, 7)


def test_a_store_that_keeps_nothing_has_no_other_handles():
    with pytest.raises(ConfigError):
        RamStore(keep=False).handle()


def test_a_rewrite_that_fails_in_a_repair_can_be_tried_again(folder, opened, monkeypatch):
    text = (folder / "memory.json").read_bytes()
    (folder / "memory.json").write_bytes(text.replace(b'"n":2', b'"n":8'))
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
