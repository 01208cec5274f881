"""Who may ask the server what: hosts, origins, token, kinds and sizes of bodies, headers."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")

from conftest import PATIENCE
from vividmem_extras.server.process import Client, ServerProcess

JSON = {"Content-Type": "application/json"}
SILLY = "http://127.0.0.1:8000"
CHARACTERS = "/api/memory/characters"


def code(reply):
    """Status and code of a refusal, which always has the same shape."""
    assert reply.json.keys() == {"error"} and reply.json["error"]["message"]
    return reply.status, reply.json["error"]["code"]


def body(**fields):
    return json.dumps(fields).encode()


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:5050",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "",
    ],
)
@pytest.mark.parametrize("path", [CHARACTERS, "/", "/healthz", "/static/main.js", "/openapi.json"])
def test_another_host_name_is_refused_on_every_path(client, host, path):
    """Case 57: what a rebinding page would send."""
    assert code(client.ask("GET", path, headers={"Host": host})) == (403, "host")


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "http://127.0.0.1:8000.evil.example",
        "http://evil.example:8000",
        "http://localhost:8001",
    ],
)
def test_another_web_origin_is_refused_and_gets_no_cors_header(client, origin):
    """Case 57, S7."""
    for method, path in (
        ("GET", CHARACTERS),
        ("POST", "/api/memory/wipe"),
        ("OPTIONS", CHARACTERS),
    ):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST", **JSON}
        reply = client.ask(method, path, body(character="a", confirm=True), asked)
        assert code(reply) == (403, "origin")
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize("origin", [SILLY, "http://localhost:8000"])
def test_sillytavern_may_ask_and_no_origin_is_ever_answered_with_a_star(client, who, origin):
    asked = {"Origin": origin, "Access-Control-Request-Method": "DELETE",
             "Access-Control-Request-Headers": "authorization"}  # fmt: skip
    preflight = client.ask("OPTIONS", CHARACTERS, headers=asked)
    assert preflight.status == 204 and preflight.content == b""
    assert "DELETE" in preflight.headers["access-control-allow-methods"]
    assert "Authorization" in preflight.headers["access-control-allow-headers"]
    for reply in (preflight, client.ask("GET", CHARACTERS, headers={"Origin": origin})):
        assert reply.headers["access-control-allow-origin"] == origin
        assert "origin" in reply.headers["vary"].lower()
    assert "access-control-allow-origin" not in client.ask("GET", CHARACTERS).headers


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-seq",
        "",
    ],
)
def test_a_body_that_is_not_json_is_refused_before_it_is_read(client, who, kind):
    """Case 57: what a form or a simple request could send."""
    told = body(character=who, text="smuggled in")
    reply = client.ask("POST", "/api/memory/reflection", told, {"Content-Type": kind})
    assert code(reply) == (415, "media_type")
    assert client.get("/stats", character=who).status == 404


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", "Bearer wrong", "Basic dTpw", "bearer  ", "Bearer \xff"]
)
def test_every_route_needs_the_token_deletion_included(server, authorization):
    """Case 57, S7."""
    client = Client(server.address)
    headers = {} if authorization is None else {"Authorization": authorization}
    paths = client.ask("GET", "/openapi.json").json["paths"]
    asked = [(m.upper(), path) for path, methods in paths.items() for m in methods]
    assert len(asked) > 60
    for method, path in asked:
        if path == "/healthz":
            continue
        path = path.replace("{memory_id}", "1").replace("{character}", "a")
        reply = client.ask(method, path, body(), headers | JSON)
        assert code(reply) == (401, "unauthorized"), path
        assert reply.headers["www-authenticate"] == "Bearer"
    client.close()


def test_the_right_token_is_taken_whatever_the_case_of_its_scheme(server):
    client = Client(server.address)
    for scheme in ("Bearer", "bearer"):
        headers = {"Authorization": f"{scheme} {server.token}"}
        assert client.ask("GET", CHARACTERS, headers=headers).status == 200
    assert client.ask("GET", f"{CHARACTERS}?token={server.token}").status == 401
    client.close()


def test_a_body_too_large_is_refused_by_its_length_and_by_its_bytes(server, client, who):
    """S9."""
    large = body(character=who, text="x" * 2_000_000)
    reply = client.ask("POST", "/api/memory/reflection", large, JSON)
    assert code(reply) == (413, "too_large")
    parts = urlsplit(server.address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    headers = {**JSON, "Authorization": f"Bearer {server.token}", "Transfer-Encoding": "chunked"}
    pieces = iter([b'{"character": "a", "text": "'] + [b"x" * 65_536] * 24)
    connection.request("POST", "/api/memory/reflection", pieces, headers, encode_chunked=True)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["error"]["code"]) == (413, "too_large")
    connection.close()


def test_an_import_may_be_larger_than_other_bodies(client, who):
    records = [
        {"id": n, "kind": "reflection", "text": f"note {n} {'word ' * 200}", "when": 1.7e9}
        for n in range(1, 1200)
    ]
    data = {"vividmem": 1, "next_id": 1200, "memories": records, "settings": {}}
    reply = client.post("/import", character=who, data=data)
    assert reply.status == 200 and len(reply.json["new"]) == 1199


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"character": "a"}',
        b"1" * 5000,
        b'{"a":' * 900 + b"1" + b"}" * 900,
    ],
)
@pytest.mark.parametrize("path", ["/api/memory/observe", "/api/memory/import"])
def test_nonsense_is_a_refusal_of_the_usual_shape(client, content, path):
    reply = client.ask("POST", path, content, JSON)
    assert code(reply)[0] in (400, 422)


def test_a_meta_nested_too_deeply_is_refused(client, who):
    deep = "[" * 400 + "]" * 400
    content = f'{{"character": {json.dumps(who)}, "text": "deep", "meta": {{"a": {deep}}}}}'
    reply = client.ask("POST", "/api/memory/reflection", content.encode(), JSON)
    assert reply.status in (200, 422)
    bad = f'{{"character": {json.dumps(who)}, "text": "nan", "meta": {{"a": NaN}}}}'
    assert client.ask("POST", "/api/memory/reflection", bad.encode(), JSON).status == 422


def test_unknown_fields_routes_and_methods_are_refused(client, who):
    reply = client.post("/observe", character=who, text="x y", entty="Ines")
    assert code(reply) == (422, "invalid") and reply.json["error"]["fields"] == ["entty"]
    assert code(client.ask("GET", "/api/nothing")) == (404, "not_found")
    assert code(client.ask("GET", "/api/memory/observe"))[0] in (404, 405)
    assert client.ask("GET", "/static/../server.py").status == 404
    assert client.ask("GET", "/static/%2e%2e/app.py").status == 404


def test_pages_are_sent_with_a_strict_policy_and_answers_are_not_kept(client):
    page = client.ask("GET", "/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    answer = client.ask("GET", CHARACTERS)
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers
    for name in ("main.js", "memories.js", "panel.css", "icon.svg"):
        assert client.ask("GET", f"/static/{name}").status == 200
    assert b"http://" not in page.content and b"https://" not in page.content


def test_further_hosts_and_origins_may_be_allowed(tmp_path):
    options = ["--allow-host", "memory.home", "--allow-origin", "https://chat.example/"]
    with ServerProcess(tmp_path, *options) as server:
        client = server.client()
        headers = {"Host": "Memory.Home:80", "Origin": "https://chat.example"}
        assert client.ask("GET", CHARACTERS, headers=headers).status == 200
        assert client.ask("GET", CHARACTERS, headers={"Host": "other.home"}).status == 403
        client.close()


def test_without_a_token_only_named_origins_may_ask(tmp_path):
    with ServerProcess(tmp_path, "--no-auth") as server:
        client = server.client()
        assert client.ask("GET", CHARACTERS, headers={"Origin": SILLY}).status == 403
        assert client.ask("GET", CHARACTERS, headers={"Origin": server.address}).status == 200
        client.close()


def test_the_log_names_no_character_and_shows_no_text(tmp_path):
    with ServerProcess(tmp_path) as server:
        client = server.client()
        client.post("/observe", character="Zebulon", text="my secret garden")
        client.post("/observe", character="Zebulon", text="", entity="Zebulon")
        client.get("/memories/99", character="Zebulon")
        client.close()
        assert server.stop() == (0, "")
