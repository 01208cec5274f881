"""What the server, the MCP server and the agent share: the neural parts, and what is missing."""

import os
import subprocess
import sys

import pytest

from blocks import ROOT
from test_server import texts, told, words_in
from vividmem import MissingExtraError

PATH = os.pathsep.join([str(ROOT), str(ROOT / "extras")])
PROGRAMS = {
    "server.__main__": ("server", 2, ["--port", "0"]),
    "mcp_server": ("mcp", 1, []),
    "agent": ("", 1, ["--base-url", "http://127.0.0.1:9/v1", "--model", "none"]),
}
SAID, ASKED = "My car is in the workshop", "where is my automobile?"


@pytest.fixture
def models():
    """The models, or the test is skipped."""
    from vividmem_extras.opening import neural_parts

    try:
        return neural_parts()
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("missing", ["onnxruntime", "cryptography"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_an_option_needs_is_named_at_the_start(program, missing, tmp_path):
    needs, status, words = PROGRAMS[program]
    pytest.importorskip({"server": "fastapi", "mcp": "mcp", "": "vividmem"}[needs])
    (tmp_path / "word").write_text("sesame\n")
    asked = {"onnxruntime": ["--neural"], "cryptography": ["--password-file", "word"]}[missing]
    code = f"import sys; sys.modules[{missing!r}] = None\n"
    code += f"from vividmem_extras.{program} import main\n"
    code += f"sys.exit(main({['--dir', 'x', *words, *asked]!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": PATH}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert {"onnxruntime": "vividmem[neural]", "cryptography": "vividmem[crypto]"}[
        missing
    ] in done.stderr
    assert "Traceback" not in done.stderr and not (tmp_path / "x").exists()


def test_a_neural_server_finds_by_meaning_for_each_character_apart(
    models,
    served,
    connect,
    tmp_path,
):
    client = connect(served("--neural"))
    for name in ("Ana", "Bo"):
        told(client.post("/observe", character=name, text=f"{SAID}, says {name}", entity=name))
    for name in ("Ana", "Bo"):
        (hit,) = told(client.post("/query", character=name, query=ASKED))["hits"]
        assert hit["memory"]["text"] == f"{SAID}, says {name}"
        stats = told(client.get("/stats", character=name))["stats"]
        assert stats["embedder"]["vectors"] == 1
    plain = connect(served())
    assert told(plain.post("/query", character="Ana", query=ASKED))["hits"] == []


def test_wiping_and_restoring_take_what_neural_parts_have_derived(
    models,
    served,
    connect,
    tmp_path,
):
    client = connect(served("--neural"))
    taken = {}
    for name in ("Ana", "Bo"):
        told(client.post("/reflection", character=name, text="I keep bees"))
        taken[name] = told(client.post("/snapshot", character=name))["snapshot"]["name"]
        told(client.post("/observe", character=name, text=SAID))
        told(client.post("/query", character=name, query=ASKED))
    files = list((tmp_path / "all").rglob("vectors-*.bin"))
    assert len(files) == 2
    told(client.post("/wipe", character="Ana", confirm=True))
    told(client.post("/restore", character="Bo", snapshot=taken["Bo"]))
    assert list((tmp_path / "all").glob("*/vectors-*")) == []
    assert told(client.post("/query", character="Bo", query=ASKED))["hits"] == []
    assert texts(client, "Bo") == ["I keep bees"]


def test_snapshots_lie_at_the_url_each_characters_apart_and_go_with_a_wipe(
    served,
    connect,
    tmp_path,
):
    shelf = tmp_path / "shelf"
    client = connect(served("--snapshot-url", str(shelf), "--keep", "2"))
    for name in ("Ana", "Bo"):
        told(client.post("/reflection", character=name, text=f"I am {name}"))
        for _ in range(3):
            told(client.post("/snapshot", character=name))
    assert b"I am Ana" in words_in(shelf) and b"I am Bo" in words_in(shelf)
    assert not list((tmp_path / "all").rglob("manifest.json"))
    kept = {}
    for name in ("Ana", "Bo"):
        found = told(client.get("/snapshots", character=name))["snapshots"]
        assert len(found) == 2
        kept[name] = found[-1]["name"]
    told(client.post("/restore", character="Ana", snapshot=kept["Bo"]), 404)
    told(client.delete("/memories/1", character="Bo"))
    assert told(client.post("/restore", character="Bo", snapshot=kept["Bo"]))["memories"] == 1
    told(client.post("/wipe", character="Ana", confirm=True))
    assert b"I am Ana" not in words_in(shelf) and b"I am Bo" in words_in(shelf)


def test_where_snapshots_cannot_be_reached_forgetting_still_works_and_says_so(
    served,
    connect,
    tmp_path,
):
    (tmp_path / "shelf").write_text("no folder")
    client = connect(served("--snapshot-url", str(tmp_path / "shelf")))
    told(client.post("/reflection", character="Ana", text="I am Ana"))
    assert told(client.post("/snapshot", character="Ana"), 503)["error"]["code"] == "store_failed"
    receipt = told(client.delete("/memories/1", character="Ana"))
    assert receipt["forgotten"] == [1] and receipt["snapshots"] is None
    told(client.post("/wipe", character="Ana", confirm=True), 503)
    (tmp_path / "shelf").unlink()
    told(client.post("/wipe", character="Ana", confirm=True))
