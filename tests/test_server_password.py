"""Encrypted characters: no word and no name in the clear, and a wrong password stops only them."""

import subprocess
import sys

import pytest

from test_server import PIN, texts, told, words_in
from vividmem import VividMem

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("cryptography", reason="the extra 'crypto' is not installed")

QUICK = "{'config': {'store': {'scrypt_cost': 12}}}"
NAMES = ["Seraphina", "../../evil", "Ann/Bob", "password=Blue-hunter2", ".", ".names"]


@pytest.fixture
def encrypted(served, connect, monkeypatch):
    """A connection to a server that is started anew with a password, or None for none."""
    running = []

    def start(password, *options):
        while running:
            running.pop().stop()
        monkeypatch.delenv("VIVIDMEM_PASSWORD", raising=False)
        if password is not None:
            monkeypatch.setenv("VIVIDMEM_PASSWORD", password)
        running.append(served(*options, settings=QUICK))
        return connect(running[-1])

    yield start


def characters(client):
    return [one["name"] for one in told(client.get("/characters"))["characters"]]


def test_neither_words_nor_names_are_in_the_clear_and_both_are_there_after_a_restart(
    encrypted, tmp_path
):
    client = encrypted("sesame")
    for name in NAMES:
        told(client.post("/reflection", character=name, text=f"{PIN}, says {name}"))
        told(client.post("/snapshot", character=name))
    assert characters(client) == sorted(NAMES)
    stored = words_in(tmp_path / "all")
    for word in (b"teapot", b"Seraphina", b"Bob", b"hunter2"):
        assert word not in stored
    again = encrypted("sesame")
    assert characters(again) == sorted(NAMES)
    for name in NAMES:
        assert texts(again, name) == [f"{PIN}, says {name.replace('Blue-hunter2', '[secret]')}"]
    assert [path.name for path in tmp_path.iterdir()] == ["all"]


def test_the_password_may_be_in_a_file(encrypted, tmp_path):
    (tmp_path / "word").write_text("sesame\n")
    client = encrypted(None, "--password-file", str(tmp_path / "word"))
    told(client.post("/reflection", character="Ana", text=PIN))
    assert texts(encrypted("sesame"), "Ana") == [PIN]


@pytest.mark.parametrize("password", ["wrong", None])
def test_a_wrong_or_missing_password_locks_what_is_encrypted_and_writes_nothing(
    encrypted, tmp_path, password
):
    told(encrypted("sesame").post("/reflection", character="Ana", text=PIN))
    client = encrypted(password)
    before = words_in(tmp_path / "all")
    for _ in range(2):
        for reply in (
            client.get("/memories", character="Ana"),
            client.post("/reflection", character="Ana", text="I am another"),
            client.post("/wipe", character="Ana", confirm=True),
        ):
            refused = told(reply, 423)["error"]
            assert refused["code"] == "locked" and "password" in refused["message"]
    assert "sealed" in told(client.get("/characters"), 423)["error"]["message"]
    assert words_in(tmp_path / "all") == before
    assert client.ask("GET", "/healthz").status == 200
    assert texts(encrypted("sesame"), "Ana") == [PIN]


def test_without_a_password_plain_characters_are_served_beside_locked_ones(encrypted):
    told(encrypted(None).post("/reflection", character="Bo", text="I keep bees"))
    told(encrypted("sesame").post("/reflection", character="Ana", text=PIN))
    client = encrypted(None)
    assert texts(client, "Bo") == ["I keep bees"] and characters(client) == ["Bo"]
    told(client.get("/memories", character="Ana"), 423)


def test_one_character_under_another_password_is_locked_alone(encrypted, tmp_path):
    client = encrypted("sesame")
    for name in ("Ana", "Bo"):
        told(client.post("/reflection", character=name, text=f"I am {name}"))
    home = {c["name"]: c["folder"] for c in told(client.get("/characters"))["characters"]}
    encrypted(None)
    with VividMem(tmp_path / "all" / home["Bo"], password="sesame") as mem:
        mem.encryption.change_password("another")
    client = encrypted("sesame")
    assert characters(client) == ["Ana", "Bo"]
    told(client.get("/memories", character="Bo"), 423)
    assert texts(client, "Ana") == ["I am Ana"]


def test_a_plain_character_is_refused_with_the_way_to_encrypt_it_and_then_its_name_is_sealed(
    encrypted, tmp_path
):
    told(encrypted(None).post("/reflection", character="Seraphina", text=PIN))
    client = encrypted("sesame")
    refused = told(client.get("/memories", character="Seraphina"), 423)["error"]["message"]
    assert "vividmem encrypt --dir" in refused
    (home,) = [path for path in (tmp_path / "all").iterdir() if path.name.startswith("c-")]
    with VividMem(home) as mem:
        mem.encryption.encrypt("sesame")
    assert texts(client, "Seraphina") == [PIN]
    assert characters(client) == ["Seraphina"]
    assert b"Seraphina" not in words_in(tmp_path / "all")


def test_renaming_and_wiping_leave_no_name(encrypted, tmp_path):
    client = encrypted("sesame")
    told(client.post("/reflection", character="Ana", text=PIN))
    told(client.post("/characters/rename", character="Ana", new_name="Bo"))
    told(client.get("/memories", character="Ana"), 404)
    assert texts(client, "Bo") == [PIN]
    told(client.post("/snapshot", character="Bo"))
    told(client.post("/wipe", character="Bo", confirm=True))
    assert characters(client) == []
    with VividMem(tmp_path / "all" / ".names", password="sesame") as book:
        assert book.memories() == []
    told(encrypted("sesame").get("/memories", character="Bo"), 404)


def test_a_snapshot_of_an_encrypted_character_is_gone_back_to(encrypted, tmp_path):
    client = encrypted("sesame")
    told(client.post("/reflection", character="Ana", text="I keep bees"))
    taken = told(client.post("/snapshot", character="Ana"))["snapshot"]["name"]
    told(client.post("/reflection", character="Ana", text=PIN))
    assert told(client.post("/restore", character="Ana", snapshot=taken))["memories"] == 1
    assert texts(client, "Ana") == ["I keep bees"]
    assert b"bees" not in words_in(tmp_path / "all")


def test_two_servers_that_meet_a_new_character_give_it_one_folder(tmp_path):
    from vividmem_extras.server.roster import Roster

    quick = {"store": {"scrypt_cost": 12}}
    one, other = (Roster(tmp_path, "sesame", quick) for _ in range(2))
    assert one.find("Ana") is None and other.find("Ana") is None
    home = one.make("Ana")
    assert other.make("Ana") == home != other.make("Bo")
    with VividMem(home, password="sesame", config=quick) as mem:
        mem.add_self_reflection("I keep bees")
    assert other.find("Ana") == one.find("Ana") == home
    one.close(), other.close()


def test_an_empty_password_file_starts_nothing(tmp_path):
    (tmp_path / "word").write_text("\n")
    words = ["--dir", str(tmp_path / "all"), "--port", "0"]
    words += ["--password-file", str(tmp_path / "word")]
    done = subprocess.run(
        [sys.executable, "-m", "vividmem_extras.server", *words], capture_output=True, text=True
    )
    assert done.returncode == 1 and "password is empty" in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "all").exists()
