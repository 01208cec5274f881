"""The MCP server, driven by the SDK's own client and by lines no client would send."""

import asyncio
import http.client
import json
import os
import re
import select
import subprocess
import sys
import venv
import zlib
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from blocks import README, ROOT, blocks_in, run_python
from conftest import PATIENCE
from looks import on_disk, texts
from vividmem import MissingExtraError, VividMem

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import mcp
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

try:
    import httpx2 as httpx  # what 2.x of the SDK stands on
except ImportError:
    import httpx

from vividmem_extras.names import folder_name

PATH = os.pathsep.join([str(ROOT), str(ROOT / "extras")])
SERVER = ["-W", "error", "-m", "vividmem_extras.mcp_server"]
TOOLS = set("remember recall facts memories correct forget context contradictions reflect".split())
RESOURCES = {f"vividmem://{name}" for name in "stats mood surprise retention drift".split()}
TOKEN = "open-sesame"


def environ(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("VIVIDMEM")}
    return kept | {"PYTHONPATH": PATH, "NO_PROXY": "127.0.0.1"} | more


@asynccontextmanager
async def stdio(*words):
    """A session with a server of its own, over its stdin and stdout."""
    args = [*SERVER, *map(str, words)]
    params = StdioServerParameters(command=sys.executable, args=args, env=environ())
    async with stdio_client(params) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def over_http(url, token=TOKEN):
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx.AsyncClient(headers=headers, trust_env=False, timeout=PATIENCE) as client,
        streamable_http_client(url, http_client=client) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        await session.initialize()
        yield session


@contextmanager
def http_server(folder, *words):
    """A server on a free port; gives its process and its address."""
    args = [sys.executable, *SERVER, "--dir", str(folder), "--http", "--port", "0", *words]
    with subprocess.Popen(
        args, env=environ(VIVIDMEM_TOKEN=TOKEN), stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stderr.readline()
            yield process, re.search(r"http://\S+/mcp", line)[0]
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)


async def answer(session, tool, **arguments):
    """What a tool returns; a list of one text if it is an error."""
    result = await session.call_tool(tool, arguments)
    told = result.model_dump(by_alias=True, mode="json")
    return [told["content"][0]["text"]] if told["isError"] else told["structuredContent"]


async def resource(session, name):
    result = await session.read_resource(f"vividmem://{name}")
    return json.loads(result.contents[0].text)


async def tools_are_described(session):
    listed = (await session.list_tools()).model_dump(by_alias=True)["tools"]
    assert {tool["name"] for tool in listed} == TOOLS
    for tool in listed:
        assert tool["annotations"]["readOnlyHint"] in (True, False)
        assert tool["outputSchema"]["type"] == "object" and len(tool["description"]) < 250


async def remembering(session):
    first = await answer(session, "remember", text="I live in Porto", about="Ines")
    assert first["action"] == "store"
    moved = await answer(session, "remember", text="I moved to Ghent", about="Ines")
    assert moved["action"] == "supersede"
    assert [old["status"] for old in moved["contradicts"]] == ["superseded"]
    assert (await answer(session, "remember", text="thanks!"))["action"] == "skip"
    walnuts = "My brother Theo is allergic to walnuts"
    await answer(session, "remember", text=walnuts, about="Ines")
    for value, action in (("blue", "store"), ("blue", "merge"), ("green", "supersede")):
        told = await answer(session, "remember", text=value, about="Ines", attribute="colour")
        assert told["action"] == action, value


async def recalling(session):
    found = await answer(session, "recall", query="where does Ines live?")
    assert [hit["text"] for hit in found["memories"]] == ["I moved to Ghent"]
    old = await answer(session, "recall", query="where does Ines live?", include_outdated=True)
    hedges = {hit["text"]: hit["advice"] for hit in old["memories"]}
    assert "not so now" in hedges["I live in Porto"] and hedges["I moved to Ghent"] == ""
    nothing = await answer(session, "recall", query="aubergine recipes")
    assert nothing["found"] == 0 and "Nothing is known" in nothing["advice"]

    now = await answer(session, "facts", about="Ines")
    assert {memory["text"] for memory in now["memories"]} >= {"I moved to Ghent"}
    ever = await answer(session, "facts", about="Ines", attribute="colour", history=True)
    assert [memory["status"] for memory in ever["memories"]] == ["superseded", "current"]


async def weighing(session):
    block = await answer(session, "context", about="Ines", conversation="Theo and walnuts")
    assert "walnuts" in block["block"] and block["tokens"] <= 800
    conflicts = await answer(session, "contradictions")
    (pair,) = conflicts["conflicts"]
    assert (pair["older"]["text"], pair["newer"]["text"]) == (
        "Mara lives in Athens",
        "Mara lives in Oslo",
    )
    assert conflicts["next_offset"] is None
    wrong = await answer(session, "remember", text="I have three cats", about="Ana")
    right = await answer(session, "correct", id=wrong["memory"]["id"], text="I have two cats")
    assert right["text"] == "I have two cats"
    gone = await answer(session, "forget", ids=[right["id"]])
    assert set(gone["forgotten"]) == {wrong["memory"]["id"], right["id"]}
    assert (await answer(session, "forget", about="Mara"))["forgotten"]
    asked = await answer(session, "reflect", job="curate", conversation="Ana: I sold my boat")
    assert "sold my boat" in asked["prompt"]
    reply = '[{"about": "Ana", "text": "Ana sold her boat", "importance": 6}]'
    assert len((await answer(session, "reflect", job="curate", reply=reply))["changed"]) == 1
    assert isinstance((await answer(session, "reflect"))["due"], list)


async def resources_tell(session):
    uris = {str(entry.uri) for entry in (await session.list_resources()).resources}
    assert uris == RESOURCES
    assert (await resource(session, "stats"))["damage"] == []
    assert (await resource(session, "mood"))["label"]
    assert (await resource(session, "surprise"))["recent"][0]["action"] == "store"
    assert sum((await resource(session, "retention"))["tenths"]) > 0
    assert (await resource(session, "drift"))["7_days"]["superseded"] >= 2


async def every_tool(session):
    """Call each tool and read each resource, and check what they give."""
    for part in (tools_are_described, remembering, recalling, weighing, resources_tell):
        await part(session)


@pytest.fixture
def in_conflict(folder):
    """A folder with two notes that cannot both be true."""
    with VividMem(folder) as mem:
        mem.add_social_impression("Mara", "Mara lives in Athens")
        mem.add_social_impression("Mara", "Mara lives in Oslo")
    return folder


def test_every_tool_and_resource_over_stdio(folder, in_conflict):
    async def drive():
        async with stdio("--dir", folder) as session:
            await every_tool(session)

    asyncio.run(drive())
    with VividMem(folder) as mem:
        assert "I moved to Ghent" in texts(mem)


def test_every_tool_and_resource_over_http(folder, in_conflict):
    async def drive(url):
        async with over_http(url) as session:
            await every_tool(session)

    with http_server(folder) as (_, url):
        asyncio.run(drive(url))
    with VividMem(folder) as mem:
        assert "I moved to Ghent" in texts(mem)


async def speak(streams):
    """Talk through the client that agrees on the newest protocol both sides know."""
    async with mcp.Client(streams, mode="auto") as client:
        told = {"text": "I moved to Ghent", "about": "Ines"}
        await client.call_tool("remember", told)
        found = await client.call_tool("recall", {"query": "where does Ines live?"})
        assert found.structured_content["found"] == 1
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        return client.protocol_version


@pytest.mark.skipif(not hasattr(mcp, "Client"), reason="1.x of the SDK has no such client")
def test_the_newest_protocol_is_spoken_over_both_transports(folder):
    async def drive(url):
        args = [*SERVER, "--dir", str(folder)]
        params = StdioServerParameters(command=sys.executable, args=args, env=environ())
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(headers=headers, trust_env=False, timeout=PATIENCE) as web:
            http = streamable_http_client(url, http_client=web)
            return {await speak(stdio_client(params)), await speak(http)}

    with http_server(folder) as (_, url):
        (spoken,) = asyncio.run(drive(url))
    assert spoken >= "2026"


def test_pages_joined_are_the_whole(folder):
    with VividMem(folder) as mem, mem.batch():
        for number in range(25):
            mem.add_fact("Ines", f"colour of room {number}", f"colour {number}")

    async def drive():
        async with stdio("--dir", folder) as session:
            listed, after = [], 0
            while after is not None:
                page = await answer(session, "memories", after=after, limit=10)
                listed, after = listed + page["memories"], page["next_after"]
            told, offset = [], 0
            while offset is not None:
                page = await answer(session, "facts", about="Ines", limit=10, offset=offset)
                told, offset = told + page["memories"], page["next_offset"]
            found, offset = [], 0
            while offset is not None:
                asked = {"query": "colour of the rooms", "limit": 4, "offset": offset}
                page = await answer(session, "recall", **asked)
                found, offset = found + page["memories"], page["next_offset"]
            return ([memory["id"] for memory in part] for part in (listed, told, found))

    listed, told, found = asyncio.run(drive())
    assert listed == told == [*range(1, 26)]
    assert len(found) == len(set(found)) > 8


def test_refusals_name_what_is_wrong(folder):
    wrong = [
        ("remember", {"text": "   "}, "text"),
        ("remember", {"text": "blue", "attribute": "colour"}, "entity"),
        ("remember", {}, "text"),
        ("recall", {"query": "x", "limit": 0}, "limit"),
        ("recall", {"query": "x", "as_of": "someday"}, "as_of"),
        ("facts", {"history": True}, "about"),
        ("memories", {"kind": "nosuch"}, "nosuch"),
        ("correct", {"id": 999, "text": "x"}, "999"),
        ("forget", {}, "ids or about"),
        ("forget", {"ids": [999]}, "999"),
        ("reflect", {"job": "due", "reply": "[]"}, "job"),
        ("reflect", {"job": "nosuch"}, "job"),
        ("nosuch", {}, "nosuch"),
    ]

    async def drive():
        async with stdio("--dir", folder) as session:
            for tool, arguments, told in wrong:
                (problem,) = await answer(session, tool, **arguments)
                assert told in problem and "Traceback" not in problem, problem
            assert (await resource(session, "stats"))["memories"] == 0

    asyncio.run(drive())


def test_several_clients_share_one_folder(folder):
    async def drive():
        async with stdio("--dir", folder) as one, stdio("--dir", folder) as two:
            notes = [
                answer(session, "remember", text=str(n), about=f"{name} {n}", attribute="number")
                for n in range(20)
                for name, session in (("one", one), ("two", two))
            ]
            await asyncio.gather(*notes)
            for session in (one, two):
                assert (await resource(session, "stats"))["memories"] == 40

    asyncio.run(drive())
    with VividMem(folder) as mem:
        assert len(texts(mem)) == 40 and mem.stats()["damage"] == []


def test_no_agent_reads_another_s_memory(tmp_path):
    names = ["Ana", "ana", "Ana/x", "../Ana"]

    async def live(name):
        async with stdio("--dir", tmp_path / "all", "--agent", name) as session:
            code = f"My locker code is {names.index(name)}{names.index(name)}{names.index(name)}1"
            await answer(session, "remember", text=code, about="Pia")
            found = await answer(session, "recall", query="locker code")
            listed = await answer(session, "memories")
            told = [memory["text"] for memory in found["memories"] + listed["memories"]]
            assert told == [code, code]

    async def drive():
        for name in names:  # one after the other: each finds all that came before it
            await live(name)

    asyncio.run(drive())
    assert {path.name for path in tmp_path.iterdir()} == {"all"}
    assert {path.name for path in (tmp_path / "all").iterdir()} == set(map(folder_name, names))


class Raw:
    """A server on pipes, spoken to in lines; every line it prints must be JSON."""

    def __init__(self, *words, **more):
        self.process = subprocess.Popen(
            [sys.executable, *SERVER, *map(str, words)],
            env=environ(**more),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.number, self.rest = 0, b""
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        hello["clientInfo"] = {"name": "raw", "version": "1"}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        out, self.problems = self.process.communicate(timeout=PATIENCE)
        for line in (self.rest + out).splitlines():
            json.loads(line)
        assert self.process.returncode == 0, self.problems

    def write(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode())

    def read(self):
        while b"\n" not in self.rest:
            assert select.select([self.process.stdout], [], [], 60)[0], "no answer"
            self.rest += os.read(self.process.stdout.fileno(), 1 << 16)
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.number:
                return message

    def call(self, tool, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def resident(process):
    """Bytes of RAM of a process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024


MALFORMED = [
    b"",
    b"hello",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b"[" * 20_000,
    b'"' + b"x" * 2_000_000,
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 8, "method": 5}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "no/such"}',
    b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 10, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 11, "method": "tools/call", "params": {"name": ["x"]}}',
    b'{"jsonrpc": "2.0", "id": 12, "method": "tools/call", "params": {"name": "recall"}}',
    b'{"jsonrpc": "2.0", "id": 13, "method": "tools/call", "params": '
    b'{"name": "remember", "arguments": {"text": "broken \\ud83d emoji"}}}',
    b'{"jsonrpc": "2.0", "id": 14, "method": "resources/read", "params": {"uri": "file:///x"}}',
    b'{"jsonrpc": "2.0", "method": "notifications/nosuch"}',
]


def test_malformed_requests_do_not_end_the_server(folder):
    with Raw("--dir", folder) as raw:
        for number, line in enumerate(MALFORMED):
            raw.write(line)
            raw.number = 1000 + number
            assert raw.call("recall", query="anything")["isError"] is False, line[:80]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_a_thousand_calls_leak_nothing(folder):
    with Raw("--dir", folder) as raw:

        def calls(first, count):
            for n in range(first, first + count, 4):
                told = {"about": f"room {n % 40}", "attribute": "colour"}
                assert raw.call("remember", text=f"shade {n}", **told)["isError"] is False
                assert raw.call("recall", query=f"room {n % 40}")["isError"] is False
                assert raw.call("context", conversation="rooms")["isError"] is False
                assert raw.call("correct", id=10_000, text="x")["isError"] is True

        calls(0, 200)
        files, ram = raw.open_files(), resident(raw.process)
        calls(200, 1000)
        assert raw.open_files() == files
        assert resident(raw.process) - ram < 24_000_000
    with VividMem(folder) as mem:
        assert mem.stats()["damage"] == [] and len(mem.facts()) == 10
        assert len(texts(mem)) == 300


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_many_calls_over_http_leak_nothing(folder, long):
    async def drive(process, url):
        async with over_http(url) as session:
            counts = []
            for _ in range(6):
                for n in range(200 if long else 60):
                    await answer(session, "recall", query=f"room {n}")
                files = len(os.listdir(f"/proc/{process.pid}/fd"))
                counts.append((files, resident(process)))
            return counts

    with http_server(folder) as (process, url):
        (files, ram), *_, last = asyncio.run(drive(process, url))
        assert last[0] <= files and last[1] - ram < 24_000_000


def spoil(folder, kind):
    """Damage a memory, or put something in its place, that cannot be used."""
    snapshot, (journal,) = folder / "memory.json", folder.glob("journal-*.jsonl")
    if kind == "journal":
        journal.write_bytes(journal.read_bytes().replace(b"Umea", b"Ume!"))
    elif kind == "snapshot":
        snapshot.write_bytes(b"\0" * 10)
    elif kind == "newer":
        header = '-1,{"format":9}'
        snapshot.write_text(f'[["{zlib.crc32(header.encode()):08x}",{header}],\n]\n')
    else:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        folder.write_text("not a folder")


@pytest.mark.parametrize("kind", ["journal", "snapshot", "newer", "a file"])
def test_stdout_is_protocol_only_when_the_memory_cannot_be_used(folder, kind):
    with VividMem(folder) as mem:
        mem.add_fact("Ines", "home town", "Ghent")
        mem.save()
        mem.add_fact("Theo", "home town", "Umea")
        mem.add_fact("Theo", "job", "carpenter")
    spoil(folder, kind)
    before = on_disk(folder) if folder.is_dir() else folder.read_text()
    with Raw("--dir", folder) as raw:
        told = raw.call("remember", text="I moved to Oslo", about="Theo")
        assert told["isError"] is True
        found = raw.call("recall", query="what is the job of Theo?")
        readable = kind in ("journal", "snapshot")
        assert found["isError"] is not readable
        if readable:
            assert "carpenter" in json.dumps(found)
            assert "damaged" in told["content"][0]["text"]
    assert b"Traceback" not in raw.problems
    assert before == (on_disk(folder) if folder.is_dir() else folder.read_text())


def files(folder):
    """The bytes of each file of *folder*."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_encrypted_folder_opens_by_its_password_alone(folder, tmp_path):
    pytest.importorskip("cryptography", reason="the extra crypto is not installed")
    (tmp_path / "word").write_text("sesame\n")
    fact = {"text": "I work as a carpenter", "about": "Theo"}
    with Raw("--dir", folder, "--password-file", tmp_path / "word") as raw:
        assert not raw.call("remember", **fact).get("isError")
    assert not any(b"carpenter" in content for content in files(folder).values())
    with Raw("--dir", folder, VIVIDMEM_PASSWORD="sesame") as raw:
        assert "carpenter" in json.dumps(raw.call("recall", query="what is Theo's job?"))
    before = files(folder)
    for given, told in (({"VIVIDMEM_PASSWORD": "wrong"}, "wrong password"), ({}, "encrypted")):
        with Raw("--dir", folder, **given) as raw:
            for _ in range(2):
                refused = raw.call("remember", **fact)
                assert refused["isError"] and told in refused["content"][0]["text"]
        assert files(folder) == before


def test_with_neural_the_server_recalls_by_meaning(folder):
    from vividmem_extras.opening import neural_parts

    try:
        neural_parts()
    except MissingExtraError as error:
        pytest.skip(str(error))
    models = os.environ.get("VIVIDMEM_MODELS")
    with Raw("--dir", folder, "--neural", **({"VIVIDMEM_MODELS": models} if models else {})) as raw:
        raw.call("remember", text="My car is in the workshop", about="Ines")
        assert "workshop" in json.dumps(raw.call("recall", query="where is my automobile?"))


def request(url, method="POST", body=b"{}", **headers):
    """The status of one request, sent as it is."""
    host, port = re.search(r"//([^:/]+):(\d+)", url).groups()
    connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
    try:
        connection.putrequest(method, "/mcp", skip_host=True, skip_accept_encoding=True)
        given = {
            "Host": f"{host}:{port}",
            "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        }
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in given.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, response.read(), dict(response.getheaders())
    finally:
        connection.close()


def test_http_lets_in_only_the_right_host_origin_and_token(folder):
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"},
        },
    }
    body = json.dumps(hello).encode()
    with http_server(folder, "--allow-origin", "https://app.example") as (_, url):
        port = url.split(":")[2].split("/")[0]
        assert request(url, body=body)[0] == 200
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", "127.0.0.1:1"):
            assert request(url, body=body, Host=host)[0] == 403, host
        for origin in ("http://evil.example", "null", "https://app.example.evil.example"):
            assert request(url, body=body, Origin=origin)[0] == 403, origin
        for origin in ("https://app.example", f"http://127.0.0.1:{port}"):
            status, _, headers = request(url, body=body, Origin=origin)
            assert status == 200
            assert "*" not in headers.get("access-control-allow-origin", "")
        for token in (None, "", "Bearer", "Bearer wrong", TOKEN, f"Bearer {TOKEN}x"):
            status, _, headers = request(url, body=body, Authorization=token)
            assert (status, headers["www-authenticate"]) == (401, "Bearer"), token
        for kind in (None, "text/plain", "application/x-www-form-urlencoded"):
            assert request(url, body=body, Content_Type=kind)[0] == 415, kind
        assert request(url, "DELETE", Authorization=None)[0] == 401
        for broken in (b"", b"{", b"[]", b"\xff", b"x" * 5_000_000):
            assert request(url, body=broken)[0] >= 400
        assert request(url, body=body)[0] == 200


def test_what_cannot_start_says_so_on_stderr(tmp_path):
    for words, told in (
        (["--http", "--host", "0.0.0.0", "--no-auth", "--dir", "x"], "loopback"),
        ([], "--dir"),
        (["--dir", "x", "--agent", " "], "agent"),
    ):
        done = subprocess.run(
            [sys.executable, *SERVER, *words],
            cwd=tmp_path,
            env=environ(),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert (done.returncode, done.stdout) == (1, "") and told in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_the_sdk_the_server_says_what_to_install(tmp_path):
    code = "import sys; sys.modules['mcp'] = None; import vividmem_extras.mcp_server as server;"
    code += "sys.exit(server.main(['--dir', 'x']))"
    done = run_python(code, tmp_path)
    assert done.returncode == 1 and "pip install 'vividmem[mcp]'" in done.stdout
    assert "Traceback" not in done.stdout and list(tmp_path.iterdir()) == []


def test_the_settings_of_clients_in_the_readme_are_json():
    blocks = blocks_in(README.read_text(encoding="utf-8"), "json")
    servers = [block for one in blocks for block in json.loads(one.text).values()]
    assert len(servers) == 3 and all(list(server) == ["memory"] for server in servers)


@pytest.mark.slow
def test_the_other_version_of_the_sdk_passes_the_same_tests(tmp_path):
    wanted = "mcp>=1.30,<2" if version("mcp").startswith("2.") else "mcp>=2"
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    packages = [wanted, "pytest>=8.2", "hypothesis>=6.100"]
    got = subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=False)
    if got.returncode:
        pytest.skip(f"{wanted} cannot be installed here")
    tests = [python, "-m", "pytest", "-q", "tests/test_mcp.py"]
    done = subprocess.run(tests, cwd=ROOT, env=environ(), capture_output=True, text=True)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout
