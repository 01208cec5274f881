"""The chat agent, against a scripted OpenAI-compatible server on loopback."""

import inspect
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from blocks import ROOT
from conftest import PATIENCE
from looks import texts
from vividmem import ConfigError, token_estimate
from vividmem_extras.agent import SCHEMAS, Agent, Endpoint, EndpointError, MemoryTools

PATH = os.pathsep.join([str(ROOT), str(ROOT / "extras")])


def call(name, **arguments):
    """A model's message that calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": "call_7", "type": "function", "function": function}]}


def dutiful(messages):
    """A model that looks up every question and says what it was told, no more."""
    last = messages[-1]
    if last["role"] == "tool":
        told = json.loads(last["content"])
        if not told["found"]:
            return {"content": "I do not know."}
        return {"content": " ".join(m["text"] + ". " + m["advice"] for m in told["memories"])}
    if last["content"].endswith("?"):
        return call("recall_memory", query=last["content"])
    return {"content": "Noted."}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        asked = json.loads(self.rfile.read(size))
        self.server.asked.append(asked | {"headers": dict(self.headers), "path": self.path})
        reply = self.server.model(asked["messages"])
        if isinstance(reply, tuple):
            status, headers, body = reply
        elif self.server.streams:
            status, headers, body = 200, {"Content-Type": "text/event-stream"}, sse(reply)
        else:
            message = {"choices": [{"message": {"role": "assistant", **reply}}]}
            status, headers, body = 200, {"Content-Type": "application/json"}, json.dumps(message)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body.encode())

    do_GET = do_POST  # noqa: N815


def sse(message):
    """*message* in pieces of a few characters, as a server streams it."""
    deltas = [{"role": "assistant"}]
    text = message.get("content") or ""
    deltas += [{"content": text[at : at + 3]} for at in range(0, len(text), 3)]
    for index, one in enumerate(message.get("tool_calls", ())):
        head = one | {"index": index, "function": {"name": one["function"]["name"]}}
        deltas.append({"tool_calls": [head]})
        arguments = one["function"]["arguments"]
        for at in range(0, len(arguments), 5):
            piece = {"index": index, "function": {"arguments": arguments[at : at + 5]}}
            deltas.append({"tool_calls": [piece]})
    chunks = [json.dumps({"choices": [{"index": 0, "delta": delta}]}) for delta in deltas]
    return ": hello\n\n" + "".join(f"data: {chunk}\n\n" for chunk in [*chunks, "[DONE]"])


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.model, listening.streams, listening.asked = dutiful, True, []
    listening.url = f"http://127.0.0.1:{listening.server_port}/v1"
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    yield listening
    listening.shutdown()
    thread.join()
    listening.server_close()


@pytest.fixture
def agent(server, mem):
    return Agent(mem, Endpoint(base_url=server.url, model="scripted"), person="Ines")


def chat(server, folder, *lines, **environ):
    """One run of the terminal chat; what it printed."""
    words = ["--base-url", server.url, "--model", "scripted", "--dir", folder, "--person", "Ines"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "vividmem_extras.agent", *map(str, words)],
        env=os.environ | {"PYTHONPATH": PATH, "PYTHONUTF8": "1"} | environ,
        input="\n".join([*lines, ""]),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        encoding="utf-8",
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def shown(server, *roles):
    """All that the model was sent in messages of these roles."""
    messages = [message for asked in server.asked for message in asked["messages"]]
    return "\n".join(message["content"] for message in messages if message["role"] in roles)


def test_teach_restart_ask(server, folder):
    taught = chat(server, folder, "I moved to Ghent last week")
    assert "[remembered: store: I moved to Ghent last week]" in taught and "Noted." in taught
    server.asked.clear()
    answered = chat(server, folder, "Where do I live?")
    assert "[recalled: I moved to Ghent last week (certain)]" in answered
    assert "I moved to Ghent last week." in answered.splitlines()[-1]
    assert "Ghent" in shown(server, "tool") and "Ghent" in shown(server, "system")


def test_an_encrypted_memory_is_talked_with_by_its_password_alone(server, folder):
    pytest.importorskip("cryptography", reason="the extra crypto is not installed")
    chat(server, folder, "My sister lives in Ghent", VIVIDMEM_PASSWORD="sesame")
    assert not any(b"Ghent" in path.read_bytes() for path in folder.iterdir())
    told = chat(server, folder, "where does my sister live?", VIVIDMEM_PASSWORD="sesame")
    assert "Ghent" in told
    words = ["--base-url", server.url, "--model", "scripted", "--dir", folder]
    for given, why in (({"VIVIDMEM_PASSWORD": "wrong"}, "wrong password"), ({}, "needs its pass")):
        done = subprocess.run(
            [sys.executable, "-m", "vividmem_extras.agent", *map(str, words)],
            env=os.environ | {"PYTHONPATH": PATH} | given,
            input="hello\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 1 and why in done.stderr and "Traceback" not in done.stderr


def test_update_restart_ask_and_the_stale_value_is_never_sent(server, folder):
    chat(server, folder, "I live in Porto", "My savings are with Triodos")
    updated = chat(server, folder, "I moved to Ghent")
    assert "(instead of: I live in Porto)" in updated
    server.asked.clear()
    chat(server, folder, "Where do I live?", "Which bank do I use?")
    sent = shown(server, "system", "tool")
    assert "Ghent" in sent and "Triodos" in sent and "Porto" not in sent


def test_in_the_turn_of_the_update_the_block_is_already_new(server, agent):
    agent.ask("I live in Porto")
    server.asked.clear()
    agent.ask("I moved to Ghent")
    assert "Ghent" in shown(server, "system") and "Porto" not in shown(server, "system")


def test_results_of_tools_are_not_sent_again_once_their_turn_is_over(server, agent):
    agent.ask("I live in Porto")
    agent.ask("Where do I live?")
    agent.ask("I moved to Ghent")
    server.asked.clear()
    agent.ask("Where do I live?")
    assert "Porto" not in shown(server, "system", "tool")
    assert "Where do I live?" in shown(server, "user") and "Noted." in shown(server, "assistant")


def test_the_unknown_is_sent_as_nothing_known(server, folder):
    chat(server, folder, "I moved to Ghent")
    server.asked.clear()
    answered = chat(server, folder, "What is the name of my dentist?")
    assert "[recalled: nothing known]" in answered and "I do not know." in answered
    (reply,) = [m["content"] for m in server.asked[-1]["messages"] if m["role"] == "tool"]
    assert json.loads(reply)["answer"] == "nothing known"
    assert "nothing known" in shown(server, "system")


def test_what_is_outdated_or_doubtful_comes_with_advice(mem):
    mem.observe("I live in Porto", entity="Ines")
    mem.observe("I moved to Ghent", entity="Ines")
    note = mem.add_social_impression("Theo", "Theo keeps bees on the roof")
    for _ in range(6):
        mem.feedback(note.id, helped=False)
    tools = MemoryTools(mem, person="Ines")
    asked = {"query": "where does Ines live?", "include_outdated": True}
    told = json.loads(tools.call("recall_memory", asked))
    advice = {memory["text"]: memory["advice"] for memory in told["memories"]}
    assert "not so now" in advice["I live in Porto"] and advice["I moved to Ghent"] == ""
    (bees,) = json.loads(tools.call("recall_memory", {"query": "bees on the roof"}))["memories"]
    assert (bees["certainty"], bees["confidence"] < 0.5) == ("doubtful", True)
    assert "not sure" in bees["advice"]


def test_the_answer_streams_and_tells_what_happened(agent):
    agent.ask("I moved to Ghent")
    events = list(agent.turn("Where do I live?"))
    assert events[0].kind == "recalled"
    pieces = [event.text for event in events if event.kind == "text"]
    assert len(pieces) > 3 and "".join(pieces).startswith("I moved to Ghent.")


def test_an_endpoint_that_does_not_stream_will_do(server, agent):
    server.streams = False
    agent.ask("I moved to Ghent")
    assert agent.ask("Where do I live?").startswith("I moved to Ghent.")


def test_a_model_may_remember_what_others_said(server, agent, mem):
    server.model = lambda messages: (
        {"content": "Done."}
        if messages[-1]["role"] == "tool"
        else call("remember", text="I collect stamps", said_by="Pia", about="Pia")
    )
    events = list(agent.turn("Pia told you about her hobby, keep it"))
    assert ("remembered", "store: I collect stamps") in events
    assert [memory.entity for memory in mem.memories() if "stamps" in memory.text] == ["Pia"]


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("recall_memory", "{", "JSON"),
        ("recall_memory", "[" * 20_000, "JSON"),
        ("recall_memory", "[1]", "object"),
        ("recall_memory", "{}", "query"),
        ("recall_memory", '{"query": 5}', "string"),
        ("recall_memory", '{"query": "x", "limit": 3}', "limit"),
        ("remember", '{"text": " ", "said_by": "user"}', "text"),
        ("remember", '{"text": "x"}', "said_by"),
        ("erase", "{}", "recall_memory"),
    ],
)
def test_a_wrong_call_is_told_to_the_model_and_raises_nothing(mem, name, arguments, told):
    reply = json.loads(MemoryTools(mem).call(name, arguments))
    assert told in reply["error"] and texts(mem) == []


def test_a_wrong_call_does_not_end_the_turn(server, agent):
    server.model = lambda messages: (
        {"content": messages[-1]["content"]}
        if messages[-1]["role"] == "tool"
        else call("recall_memory", question="x")
    )
    events = list(agent.turn("Where do I live?"))
    assert events[0].kind == "problem" and "question" in events[0].text


def test_a_model_that_only_calls_tools_is_stopped(server, agent):
    server.model = lambda messages: call("recall_memory", query="anything")
    assert agent.ask("Hello you there, how are things?") == ""
    assert [asked["tool_choice"] for asked in server.asked] == ["auto"] * 5 + ["none"]


def test_schemas_say_what_the_tools_take():
    for schema in SCHEMAS:
        function = schema["function"]
        tool = inspect.signature(getattr(MemoryTools, function["name"]))
        assert set(function["parameters"]["properties"]) == set(tool.parameters) - {"self"}
        assert set(function["parameters"]["required"]) <= set(tool.parameters)


def test_writing_takes_no_tokens_and_the_estimate_is_what_curation_would_take(server, agent, mem):
    assert agent.stats()["extract_by_model_tokens"] == 0
    agent.ask("I moved to Ghent")
    first = agent.stats()
    prompt = mem.reflection.prepare_curate("Ines: I moved to Ghent\nyou: Noted.")
    kept = '[{"about": "Ines", "text": "I moved to Ghent", "emotion": "neutral", "importance": 5}]'
    assert first["extract_by_model_tokens"] == token_estimate(prompt) + token_estimate(kept)
    agent.ask("thanks!")
    second = agent.stats()
    assert second["extract_by_model_tokens"] > first["extract_by_model_tokens"] > 300
    assert (second["exchanges"], second["write_tokens"]) == (2, 0)
    assert "estimate" in second["method"] and mem.stats()["gate"]["write_tokens"] == 0
    assert len(server.asked) == 2  # one request an answer: none was made to write


def test_stats_can_be_asked_in_the_terminal(server, folder):
    assert '"write_tokens": 0' in chat(server, folder, "I moved to Ghent", "/stats", "/quit", "x")


def test_a_failing_endpoint_is_named_and_what_was_said_is_kept(server, agent, mem):
    server.model = lambda messages: (500, {"Content-Type": "text/plain"}, "out of memory")
    with pytest.raises(EndpointError, match=r"/v1/chat/completions: 500 .*out of memory"):
        agent.ask("I moved to Ghent")
    assert texts(mem) == ["I moved to Ghent"]
    server.model = dutiful
    assert agent.ask("Where do I live?").startswith("I moved to Ghent.")


@pytest.mark.parametrize(
    "body",
    ["data: {\n\n", "data: 5\n\n", 'data: {"error": {"message": "overloaded"}}\n\n'],
)
def test_a_broken_stream_is_an_error(server, agent, body):
    server.model = lambda messages: (200, {"Content-Type": "text/event-stream"}, body)
    with pytest.raises(EndpointError):
        agent.ask("I moved to Ghent")


def test_the_chat_goes_on_after_an_error(server, folder):
    replies = iter([(500, {}, "busy"), {"content": "Here again."}])
    server.model = lambda messages: next(replies)
    told = chat(server, folder, "I moved to Ghent", "I have a cat called Biscuit")
    assert "busy" in told and "Here again." in told


def test_nobody_listening_is_an_error(mem):
    endpoint = Endpoint(base_url="http://127.0.0.1:1/v1", model="x")
    with pytest.raises(EndpointError, match=r"127\.0\.0\.1:1"):
        Agent(mem, endpoint).ask("I moved to Ghent")


def test_the_key_goes_to_the_endpoint_and_follows_no_redirect(server, mem):
    endpoint = Endpoint(base_url=server.url, model="x", api_key="sesame")
    Agent(mem, endpoint).ask("I moved to Ghent")
    assert server.asked[0]["headers"]["Authorization"] == "Bearer sesame"
    server.asked.clear()
    server.model = lambda messages: (307, {"Location": f"{server.url}/elsewhere"}, "")
    with pytest.raises(EndpointError, match="307"):
        Agent(mem, endpoint).ask("I have a cat")
    assert [asked["path"] for asked in server.asked] == ["/v1/chat/completions"]


@pytest.mark.parametrize("url", ["", "localhost:8080", "file:///etc/passwd", "ftp://host"])
def test_only_http_is_an_endpoint(url):
    with pytest.raises(ConfigError, match="base_url"):
        Endpoint(base_url=url, model="x")


def test_the_model_cannot_steer_the_terminal(server, folder):
    server.model = lambda messages: {"content": "a\x1b[2Jb\x07c\u202ed"}
    told = chat(server, folder, "I moved to Ghent")
    assert not {"\x1b", "\x07", "\u202e"} & set(told) and "a[2Jbcd" in told


def test_what_is_too_long_is_answered_and_not_remembered(server, agent, mem):
    events = list(agent.turn("word " * 5_000))
    assert events[0].kind == "problem" and "not remembered" in events[0].text
    assert events[-1].kind == "text" and texts(mem) == []
