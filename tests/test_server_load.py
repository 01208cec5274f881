"""The server under load: many clients, slow neighbours, another process, a kill in the middle."""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")

from conftest import PATIENCE
from vividmem import VividMem
from vividmem_extras.bench import server as bench
from vividmem_extras.bench.__main__ import available
from vividmem_extras.server.process import ServerProcess
from vividmem_extras.server.roster import Roster


@pytest.fixture
def asked(long):
    """What the benchmark is told: 8 clients with 25 requests each, 200 with --long."""
    return argparse.Namespace(
        clients=8, seed=0, requests=200 if long else 25, kills=5 if long else 2
    )


def faults(row):
    """5xx and lost of one row of the benchmark."""
    return row[-2:]


@pytest.mark.parametrize("characters", [1, 4])
def test_many_clients_lose_nothing_and_see_no_5xx(tmp_path, asked, characters):
    row = bench.load(tmp_path, asked, asked.requests, characters)
    assert row[2] == 8 * asked.requests
    assert faults(row) == (0, 0)


def test_what_was_acknowledged_is_there_after_a_kill(tmp_path, asked):
    row = bench.killed(tmp_path, asked, 200, asked.kills)
    assert row[2] > 0 and faults(row) == (0, 0)


def test_the_benchmark_is_offered():
    assert "server" in available()


def test_another_process_and_the_server_write_to_one_folder_at_once(tmp_path):
    folder = Roster(tmp_path).make("Kai")
    with ServerProcess(tmp_path) as server, VividMem(folder) as mem:
        speaker = bench.Speaker(server.client(), 1, 40, "Kai")
        speaker.start()
        for number in range(40):
            mem.add_fact("Ines", f"key {number}", f"hangs on hook {number}")
        speaker.join()
        assert speaker.failed == 0 and len(speaker.sources) == 40
        assert bench.missing(server, [speaker]) == [set()]
        assert len(mem.memories(kind="fact")) == 40
        assert len(mem.memories(kind="impression")) == 40


class Thinking(BaseHTTPRequestHandler):
    """A model that answers only when it is let go."""

    begun = threading.Event()
    let_go = threading.Event()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.begun.set()
        self.let_go.wait(PATIENCE)
        told = {"choices": [{"message": {"content": '{"brief": "Ines sings."}'}}]}
        content = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


def test_while_a_model_thinks_everybody_else_is_served(tmp_path):
    listener = HTTPServer(("127.0.0.1", 0), Thinking)
    answering = threading.Thread(target=listener.serve_forever)
    answering.start()
    url = f"http://127.0.0.1:{listener.server_port}/v1"
    with ServerProcess(tmp_path, "--model-url", url, "--model", "slow") as server:
        client, patient = server.client(), server.client()
        client.post("/impression", character="Kai", entity="Ines", text="Ines sings")
        replies = []

        def think():
            replies.append(patient.post("/brief/run", character="Kai", entity="Ines"))

        thinking = threading.Thread(target=think)
        thinking.start()
        assert Thinking.begun.wait(PATIENCE)
        assert client.ask("GET", "/healthz").status == 200
        told = client.post("/observe", character="Kai", entity="Ines", text="I moved to Ghent")
        assert told.status == 200 and replies == []
        assert (
            client.post("/process", character="Bo", entity="Ines", text="I keep bees").status == 200
        )
        Thinking.let_go.set()
        thinking.join()
        assert replies[0].status == 200 and len(replies[0].json["reports"][0]["changed"]) == 1
        assert client.get("/brief", character="Kai", entity="Ines").json["brief"] == "Ines sings."
        client.close()
        patient.close()
    listener.shutdown()
    listener.server_close()
    answering.join()


def test_a_store_that_another_process_holds_delays_no_other_character(tmp_path):
    folder = Roster(tmp_path).make("Kai")
    settings = '{"config": {"store": {"lock_timeout": 1.0}}}'
    with ServerProcess(tmp_path, settings=settings) as server, VividMem(folder) as mem:
        client = server.client()
        assert client.post("/observe", character="Kai", text="I keep bees").status == 200
        with mem.batch():  # holds the lock
            mem.add_self_reflection("not yet written")
            waiting = [server.client() for _ in range(4)]
            replies = []
            threads = [
                threading.Thread(
                    target=lambda c=c: replies.append(
                        c.post("/observe", character="Kai", text="I moved to Ghent")
                    )
                )
                for c in waiting
            ]
            for thread in threads:
                thread.start()
            assert client.post("/observe", character="Bo", text="I keep goats").status == 200
            for thread in threads:
                thread.join()
        assert {(r.status, r.json["error"]["code"]) for r in replies} == {(503, "busy")}
        assert replies[0].headers["retry-after"] == "1"
        assert client.post("/observe", character="Kai", text="I moved to Ghent").status == 200
        for one in (client, *waiting):
            one.close()
