"""The server over real HTTP: what its routes do, and what is left after a restart."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from vividmem import VividMem

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")

import anyio

from vividmem_extras.server.settings import Settings
from vividmem_extras.server.shelf import Shelf

PIN = "My bank PIN is kept in the blue teapot"


def told(reply, status=200):
    """The JSON of a reply that must have this status."""
    assert reply.status == status, reply
    return reply.json


def texts(client, character):
    """All texts the character remembers and that still hold."""
    page = told(client.get("/memories", character=character, limit=1000))
    return [m["text"] for m in page["memories"] if m["status"] == "current"]


def words_in(folder: Path) -> bytes:
    """Every byte of every file below *folder*, names included."""
    paths = sorted(folder.rglob("*"))
    names = " ".join(path.name for path in paths).encode()
    return names + b"".join(path.read_bytes() for path in paths if path.is_file())


def test_what_each_adding_route_stores_is_listed_and_found(client, who):
    alex = {"character": who, "entity": "Alex"}
    told(client.post("/reflection", character=who, text="I enjoyed the talk about astronomy"))
    told(client.post("/impression", **alex, text="Alex explains things patiently", importance=7))
    told(client.post("/fact", **alex, attribute="favorite_color", value="blue"))
    new = told(client.post("/fact", **alex, attribute="favorite_color", value="green"))["memory"]
    told(client.post("/preference", **alex, category="music", item="jazz", sentiment="loves"))
    kinds = [m["kind"] for m in told(client.get("/memories", character=who))["memories"]]
    assert kinds == ["reflection", "impression", "fact", "fact", "preference"]
    assert [
        m["value"] for m in told(client.get("/facts", character=who, entity="Alex"))["memories"]
    ] == ["green"]
    past = told(client.get("/history", character=who, entity="Alex", attribute="favorite_color"))
    assert [m["value"] for m in past["memories"]] == ["blue", "green"]
    liked = told(client.get("/preferences", character=who, entity="Alex"))["memories"]
    assert [(m["value"], m["sentiment"]) for m in liked] == [("jazz", "loves")]
    hit = told(client.post("/query", character=who, query="that astronomy talk"))["hits"][0]
    assert "astronomy" in hit["memory"]["text"] and "astronomi" in " ".join(hit["why"]["words"])
    detail = told(client.get(f"/memories/{new['id']}", character=who))
    assert [m["value"] for m in detail["history"]] == ["blue", "green"]
    assert detail["forecast"]["points"][0][0] == 0


def test_context_and_process_find_an_old_memory_that_matches(client, who):
    """S3: the block is made of what resonates, not only of what is vivid."""
    told(client.post("/impression", character=who, entity="Bo", importance=2, when="2020-01-01",
                     text="Bo is deadly allergic to peanuts"))  # fmt: skip
    for number in range(12):
        text = f"Bo told a long story about harbour {number} and its lighthouse keeper"
        told(client.post("/impression", character=who, entity="Bo", text=text, importance=9))
    question = "can we cook with peanuts tonight?"
    block = told(client.get(f"/context/{who}", entity="Bo", conversation=question))["block"]
    assert "deadly allergic to peanuts" in block
    answer = told(client.post("/process", character=who, entity="Bo", text=question))
    assert "deadly allergic to peanuts" in answer["context"]["block"]
    assert answer["decision"]["action"] == "skip"


def test_process_stores_feels_and_answers_in_one_call(client, who):
    answer = told(client.post("/process", character=who, entity="Ines", source="m1",
                              text="I am so happy, I moved to Ghent", max_tokens=300))  # fmt: skip
    assert answer["decision"]["action"] == "store"
    assert answer["emotion"] == "happy" and answer["mood"]["pleasure"] > 0.2
    assert "Ghent" in answer["context"]["block"] and answer["context"]["tokens"] <= 300
    told(client.post("/process", character=who, text="I am so sad today", store=False))
    assert len(texts(client, who)) == 1


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("she made pasta for the ambassador", "neutral"),  # not mad, past, sad
        ("I am not happy about the gloves", "neutral"),  # not happy, love
        ("our mission is painting crypto wallets", "neutral"),  # not miss, pain, cry
        ("I am so happy today", "happy"),
    ],
)
def test_emotions_are_read_from_whole_words_that_are_not_denied(client, who, text, emotion):
    """S10."""
    assert (
        told(client.post("/process", character=who, text=text, entity="Ines"))["emotion"] == emotion
    )


def test_a_message_swiped_edited_and_deleted_leaves_only_the_surviving_text(client, who):
    """Case 55, S14."""
    mine = {"character": who, "entity": "Ines"}
    told(client.post("/observe", **mine, text="I keep bees behind the chapel", source="c:11"))
    told(client.post("/observe", **mine, text="I moved to Porto last year", source="c:12"))
    swiped = told(client.post("/revise", **mine, text="I moved to Turku last year", source="c:12"))
    assert len(swiped["forgotten"]) == 1
    assert sorted(texts(client, who)) == [
        "I keep bees behind the chapel",
        "I moved to Turku last year",
    ]
    told(client.post("/revise", **mine, text="I bought a canoe in Turku", source="c:12"))
    assert sorted(texts(client, who)) == [
        "I bought a canoe in Turku",
        "I keep bees behind the chapel",
    ]
    told(client.post("/retract", character=who, source="c:12"))
    assert texts(client, who) == ["I keep bees behind the chapel"]
    pulse = told(client.get("/pulse", character=who))
    assert [one["source"] for one in pulse["decisions"]] == ["c:11"]
    whole = json.dumps(told(client.get("/export", character=who)))
    assert "Porto" not in whole and "canoe" not in whole


def test_wipe_leaves_no_word_and_nothing_comes_back_after_a_restart(served, connect, tmp_path):
    """Case 58, S1."""
    name, folder = "Seraphina <b>", tmp_path / "all"
    client = connect(served())
    mine = {"character": name, "entity": "Zebulon"}
    told(client.post("/impression", **mine, text=PIN))
    told(client.post("/fact", **mine, attribute="town", value="Umea"))
    told(client.post("/preference", **mine, category="drinks", item="mead"))
    told(client.post("/mood", character=name, emotions=["angry", "angry"]))
    told(client.post("/brief", character=name, entity="Zebulon"))
    told(client.post("/brief/apply", character=name, entity="Zebulon",
                     reply='{"brief": "a cautious man"}'))  # fmt: skip
    told(client.post("/snapshot", character=name))
    assert b"teapot" in words_in(folder)
    told(client.post("/wipe", character=name), 422)
    assert told(client.post("/wipe", character=name, confirm=True))["wiped"] == 4
    left = words_in(folder)
    for word in (b"teapot", b"Zebulon", b"Umea", b"mead", b"cautious", b"Seraphina"):
        assert word not in left
    assert told(client.get("/characters"))["characters"] == []
    again = connect(served())
    assert told(again.get("/stats", character=name), 404)["error"]["code"] == "unknown_character"
    told(again.post("/observe", character=name, text="I moved to Ghent", entity="Ines"))
    assert told(again.get("/mood", character=name))["label"] == "neutral"
    assert texts(again, name) == ["I moved to Ghent"]


def test_a_wipe_is_seen_by_another_process_that_has_the_folder_open(served, connect, tmp_path):
    client = connect(served())
    told(client.post("/reflection", character="a", text=PIN))
    folder = tmp_path / "all" / told(client.get("/characters"))["characters"][0]["folder"]
    with VividMem(folder) as other:
        assert len(other.memories()) == 1
        told(client.post("/wipe", character="a", confirm=True))
        assert other.memories() == [] and other.resonate("blue teapot") == []
        other.add_self_reflection("I came later")
    assert b"teapot" not in words_in(folder)


def test_mood_arcs_and_chemistry_survive_a_restart(served, connect):
    """S2."""
    first = served()
    client = connect(first)
    told(client.post("/mood", character="a", emotions=["angry"] * 3))
    told(client.post("/impression", character="a", entity="Kai", text="Kai helped", emotion="warm"))
    told(client.post("/chemistry", character="a", enabled=True, event="achievement"))
    mood = told(client.get("/mood", character="a"))
    assert first.stop()[0] == 0
    again = connect(served())
    assert told(again.get("/mood", character="a"))["label"] == mood["label"] == "angry"
    assert told(again.get("/arc", character="a", entity="Kai"))["arcs"][0]["interactions"] == 1
    state = told(again.get("/chemistry", character="a"))
    assert state["enabled"] and state["levels"]["dopamine"] > 0.6


def test_export_and_import_carry_everything_and_twice_changes_nothing(client, who):
    """S11."""
    mine = {"character": who, "entity": "Ines"}
    told(client.post("/observe", **mine, text="I moved to Ghent", when="2021-05-01", source="m"))
    told(client.post("/fact", **mine, attribute="tea", value="jasmine", valid_from="2020-01-01"))
    told(client.post("/preference", **mine, category="music", item="fado"))
    told(client.post("/tasks/start", character=who, text="Tune the piano"))
    told(client.post("/mood", character=who, emotions=["happy"]))
    told(client.post("/chemistry", character=who, enabled=True))
    data = told(client.get("/export", character=who))
    copy = f"{who} copy"
    new = told(client.post("/import", character=copy, data=data))["new"]
    assert len(new) == len(data["memories"]) == 4
    assert told(client.get("/export", character=copy)) == data
    assert told(client.post("/import", character=copy, data=data))["new"] == []
    assert told(client.get("/characters", limit=1000))["next"] is None


def test_a_bad_entry_of_an_import_changes_nothing(client, who):
    """S9."""
    told(client.post("/reflection", character=who, text="I was here before"))
    data = told(client.get("/export", character=who))
    worse = {"id": 9, "kind": "reflection", "text": "late", "when": 1.0, "importance": "high"}
    data["memories"].append(worse)
    refused = told(client.post("/import", character=who, data=data), 422)["error"]
    assert refused["code"] == "invalid" and "importance" in refused["message"]
    assert texts(client, who) == ["I was here before"]
    told(client.post("/import", character=who, data={"memories": [3]}), 422)
    told(client.post("/import", character=f"{who} never", data={"vividmem": 99}), 422)


def test_characters_are_told_apart_as_written_and_no_name_becomes_a_path(served, connect, tmp_path):
    """S12."""
    names = ["A.B", "AB", "a.b", "!!!", "../../evil", "/etc/passwd", "Ann/Bob", "猫", "x" * 200,
             "<img src=x onerror=alert(1)>", "con", ".", ".."]  # fmt: skip
    client = connect(served())
    for name in names:
        told(client.post("/reflection", character=name, text=f"I am called {name[:50]}"))
    for name in names:
        assert texts(client, name) == [f"I am called {name[:50]}"]
        block = told(client.post("/context", character=name, conversation="called"))["block"]
        assert f"I am called {name[:2]}" in block or "<" in name
    listed = [one["name"] for one in told(client.get("/characters"))["characters"]]
    assert listed == sorted(names)
    folders = [path.name for path in (tmp_path / "all").iterdir()]
    assert len(folders) == len(names) and all(f.startswith("c-") and len(f) == 34 for f in folders)
    assert [path.name for path in tmp_path.iterdir()] == ["all"]
    told(client.post("/reflection", character="x" * 201, text="too long"), 422)
    told(client.get("/context/Ann%2FBob"))


def test_asking_never_makes_a_character(served, connect, tmp_path):
    """S12."""
    client = connect(served())
    for route in "mood facts arc stats memories export pulse retention contradictions".split():
        assert (
            told(client.get(f"/{route}", character="nobody"), 404)["error"]["code"]
            == "unknown_character"
        )
    told(client.post("/query", character="nobody", query="who?"), 404)
    told(client.get("/context/nobody"), 404)
    told(client.post("/wipe", character="nobody", confirm=True), 404)
    assert list((tmp_path / "all").iterdir()) == []


def test_a_character_may_be_renamed_but_never_onto_another(client, who):
    told(client.post("/reflection", character=who, text="I was called otherwise"))
    told(client.post("/reflection", character=f"{who} other", text="I am the other"))
    told(client.post("/characters/rename", character=who, new_name=f"{who} other"), 422)
    told(client.post("/characters/rename", character=who, new_name=f"{who} new"))
    assert texts(client, f"{who} new") == ["I was called otherwise"]
    told(client.get("/stats", character=who), 404)
    told(client.post("/reflection", character=who, text="I begin anew"))
    assert texts(client, who) == ["I begin anew"]
    assert texts(client, f"{who} new") == ["I was called otherwise"]


def test_a_folder_made_by_the_library_is_served_under_its_own_name(served, connect, tmp_path):
    with VividMem(tmp_path / "all" / "Old agent") as mem:
        mem.add_self_reflection("I was made elsewhere")
    client = connect(served())
    assert [one["name"] for one in told(client.get("/characters"))["characters"]] == ["Old agent"]
    assert texts(client, "Old agent") == ["I was made elsewhere"]
    single = connect(served(folder=tmp_path / "all" / "Old agent"))
    assert texts(single, "Old agent") == ["I was made elsewhere"]


def test_library_and_server_see_each_other_at_the_next_call(served, connect, tmp_path):
    client = connect(served())
    told(client.post("/reflection", character="a", text="told through the server"))
    folder = tmp_path / "all" / told(client.get("/characters"))["characters"][0]["folder"]
    with VividMem(folder) as mem:
        mem.add_self_reflection("told beside it")
        assert sorted(texts(client, "a")) == ["told beside it", "told through the server"]
        told(client.post("/reflection", character="a", text="and once more"))
        assert len(mem.memories()) == 3


def test_an_idle_store_is_closed_and_opened_again_when_asked_for(tmp_path):
    def remember(mem, slot):
        return mem.add_self_reflection(f"I am {slot.name}")

    async def visit(idle_seconds, most_open):
        told = Settings(
            folder=tmp_path, token="x" * 20, idle_seconds=idle_seconds, most_open=most_open
        )
        shelf = Shelf(told)
        for name in ("Ada", "Bo", "Cy"):
            await shelf.use(name, remember, make=True)
        await shelf.tidy()
        left = shelf.open_count()
        found = [await shelf.use(name, lambda m, _: m.memories()[0].text) for name in ("Ada", "Cy")]
        await shelf.close()
        assert found == ["I am Ada", "I am Cy"] and shelf.open_count() == 0
        return left

    assert anyio.run(visit, 0.0, 32) == 0
    assert anyio.run(visit, 600.0, 32) == 3
    assert anyio.run(visit, 600.0, 1) == 1


def damaged(folder: Path) -> None:
    """Flip a byte in the middle of the journal."""
    (journal,) = folder.glob("journal-*.jsonl")
    content = journal.read_bytes()
    journal.write_bytes(content.replace(b"teapot", b"teapit", 1))


def test_a_damaged_store_can_be_wiped_and_restored(served, connect, tmp_path):
    first = served()
    client = connect(first)
    for name in ("wiped", "restored"):
        told(client.post("/reflection", character=name, text="I came before"))
        taken = told(client.post("/snapshot", character=name))["snapshot"]["name"]
        told(client.post("/reflection", character=name, text=PIN))
        told(client.post("/reflection", character=name, text="I came after"))
    first.stop()
    for path in (tmp_path / "all").iterdir():
        damaged(path)
    again = connect(served())
    told(again.post("/reflection", character="wiped", text="no"), 409)
    told(again.post("/wipe", character="wiped", confirm=True))
    told(again.post("/reflection", character="wiped", text="I begin anew"))
    assert texts(again, "wiped") == ["I begin anew"]
    assert told(again.post("/restore", character="restored", snapshot=taken))["memories"] == 1
    assert texts(again, "restored") == ["I came before"]
    (folder,) = [p for p in (tmp_path / "all").iterdir() if list(p.glob("*.corrupt-*"))]
    assert b"restored" in (folder / "name.json").read_bytes()


def test_pages_join_without_gap_or_overlap_in_both_directions(client, who):
    for number in range(7):
        told(client.post("/fact", character=who, entity="Kai", attribute=f"key{number}", value="x"))
    for order, expected in (("asc", [1, 2, 3, 4, 5, 6, 7]), ("desc", [7, 6, 5, 4, 3, 2, 1])):
        seen, after = [], 0
        while after is not None:
            page = told(client.get("/memories", character=who, limit=3, after=after, order=order))
            seen += [m["id"] for m in page["memories"]]
            after = page["next"]
        assert seen == expected


def test_correct_feedback_forget_and_their_traces(client, who):
    mine = {"character": who, "entity": "Ines"}
    first = told(client.post("/observe", **mine, text="I live in Gent with Theo"))["memory"]["id"]
    new = told(
        client.post(f"/memories/{first}/correct", character=who, text="I live in Ghent with Theo")
    )
    assert texts(client, who) == ["I live in Ghent with Theo"]
    memory_id = new["memory"]["id"]
    helped = told(client.post(f"/memories/{memory_id}/feedback", character=who, helped=True))
    assert helped["memory"]["stability"] > new["memory"]["stability"]
    told(client.post("/snapshot", character=who))
    receipt = told(client.delete(f"/memories/{memory_id}", character=who))
    assert memory_id in receipt["forgotten"] and receipt["snapshots"] == 1
    told(client.delete(f"/memories/{memory_id}", character=who), 404)
    told(client.post("/impression", **mine, text="Ines sings"))
    assert len(told(client.delete("/entity", character=who, entity="Ines"))["forgotten"]) == 1
    assert texts(client, who) == []


def test_a_snapshot_brings_back_everything_and_keeps_what_was_before(client, who):
    told(client.post("/fact", character=who, entity="Kai", attribute="town", value="Porto"))
    told(client.post("/mood", character=who, emotions=["happy", "happy"]))
    taken = told(client.post("/snapshot", character=who))["snapshot"]["name"]
    before = told(client.get("/export", character=who))
    told(client.post("/fact", character=who, entity="Kai", attribute="town", value="Turku"))
    told(client.post("/mood", character=who, emotions=["sad"] * 5))
    told(client.delete("/memories/1", character=who))
    assert told(client.post("/restore", character=who, snapshot=taken))["memories"] == 1
    after = told(client.get("/export", character=who))
    assert after["memories"] == before["memories"] and after["settings"] == before["settings"]
    names = [one["name"] for one in told(client.get("/snapshots", character=who))["snapshots"]]
    assert len(names) == 2 and names[0].endswith("-before")
    told(client.post("/restore", character=who, snapshot="../../etc"), 404)
    told(client.post("/restore", character=who, snapshot=names[0]))
    assert told(client.get("/facts", character=who))["memories"][0]["value"] == "Turku"
    left = told(client.post("/snapshot/delete", character=who, snapshot=taken))["snapshots"]
    assert taken not in [one["name"] for one in left]


def test_consolidate_and_dream_are_prepared_and_applied(client, who):
    """S4."""
    for day in ("on Monday", "on Tuesday", "on Friday", "at noon"):
        text = f"Ines practised the violin sonata in the chapel {day}"
        told(client.post("/impression", character=who, entity="Ines", text=text))
    asked = told(client.post("/consolidate", character=who))
    assert len(asked["ids"]) >= 2 and "violin sonata" in asked["prompt"]
    reply = json.dumps([{"ids": asked["ids"], "gist": "Ines practises the sonata every week"}])
    report = told(client.post("/consolidate/apply", character=who, reply=f"Here: {reply}"))
    assert len(report["changed"]) == 5 and report["problems"] == []  # the gist, its sources
    hits = told(client.post("/query", character=who, query="practises every week"))["hits"]
    assert hits[0]["memory"]["kind"] == "gist"
    assert told(client.post("/consolidate", character=who))["prompt"] is None
    assert told(client.post("/dream", character=who))["job"] == "dream"
    assert told(client.post("/dream/apply", character=who, reply="no JSON"))["changed"] == []
    assert told(client.post("/rescore", character=who))["ids"]
    refused = told(client.post("/consolidate/run", character=who), 409)["error"]
    assert refused["code"] == "no_model" and "--model-url" in refused["message"]


class Scripted(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that always says the same, or fails."""

    asked: list = []  # noqa: RUF012
    status = 200

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, self.headers["Authorization"], json.loads(body)))
        told = {"choices": [{"message": {"content": '{"brief": "Ines restores violins."}'}}]}
        content = json.dumps(told).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def model():
    """The address of a scripted model."""
    with HTTPServer(("127.0.0.1", 0), Scripted) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listener.server_port}/v1"
        listener.shutdown()
        thread.join()


def test_a_configured_model_writes_briefs_and_its_failure_is_told(
    served, connect, model, tmp_path, monkeypatch
):
    key = tmp_path / "key"
    key.write_text("secret-key\n")
    options = ["--model-url", model, "--model", "small", "--model-key-file", str(key)]
    client = connect(served(*options))
    told(client.post("/impression", character="a", entity="Ines", text="Ines restores violins"))
    reports = told(client.post("/brief/run", character="a", entity="Ines"))["reports"]
    assert len(reports[0]["changed"]) == 1
    brief = told(client.get("/brief", character="a", entity="Ines"))["brief"]
    assert brief == "Ines restores violins."
    path, authorization, body = Scripted.asked[-1]
    assert (path, authorization, body["model"]) == (
        "/v1/chat/completions",
        "Bearer secret-key",
        "small",
    )
    monkeypatch.setattr(Scripted, "status", 500)
    failed = told(client.post("/brief/run", character="a", entity="Ines"), 502)["error"]
    assert failed["code"] == "model_failed"
    assert told(client.get("/brief", character="a", entity="Ines"))["brief"] == brief


def test_tasks_and_projects_over_http(client, who):
    told(client.post("/tasks/project", character=who, name="Kiln", description="rebuild it"))
    task = told(client.post("/tasks/start", character=who, text="Order fire bricks"))["memory"]
    told(client.post("/tasks/log", character=who, text="Asked the quarry", outcome="failure",
                     task=task["id"]))  # fmt: skip
    logged = told(client.post("/tasks/log", character=who, text="Asked the pottery",
                              task=task["id"]))  # fmt: skip
    assert "Asked the pottery" in logged["solution"]["text"]
    found = told(client.get("/tasks/solutions", character=who, problem="order fire bricks"))
    assert found["hits"][0]["memory"]["id"] == logged["solution"]["id"]
    state = told(client.get("/tasks", character=who))
    assert state["project"]["work"]["name"] == "Kiln" and len(state["open"]) == 1
    told(client.post(f"/tasks/{task['id']}/complete", character=who, outcome="they came"))
    told(client.post(f"/tasks/{task['id']}/complete", character=who), 422)
    assert told(client.get("/tasks", character=who))["open"] == []


def test_sessions_are_counted_and_calm_the_mood(client, who):
    told(client.post("/mood", character=who, emotions=["angry"] * 4))
    before = told(client.get("/mood", character=who))["arousal"]
    first = told(client.post("/session/bump", character=who))
    assert first["session"] == 1 and first["mood"]["arousal"] == pytest.approx(before / 2, abs=0.01)


def test_the_budget_holds_for_scripts_without_blanks(client, who):
    """S13: a Han character is at least a token."""
    told(
        client.post(
            "/reflection", character=who, text="猫が好きです、毎日一緒に散歩をします。" * 20
        )
    )
    answer = told(client.get(f"/context/{who}", conversation="猫が好き", max_tokens=100))
    assert answer["tokens"] <= 100 and len(answer["block"]) <= 130 and answer["truncated"]


@pytest.mark.parametrize("text", ["", "   ", "x" * 20_001])
def test_blank_and_huge_texts_are_refused(client, who, text):
    """S9."""
    told(client.post("/reflection", character=who, text=text), 422)
    told(client.post("/observe", character=who, text=text), 422)
    told(client.get("/stats", character=who), 404 if text == "" or len(text) > 9 else 200)


@pytest.mark.parametrize(
    "importance", ["NaN", "Infinity", "-5", "1e9", '"high"', '"8"', "true", "null"]
)
def test_an_importance_that_is_none_is_refused_by_name(client, who, importance):
    """S9."""
    body = f'{{"character": {json.dumps(who)}, "text": "x y", "importance": {importance}}}'
    path, headers = "/api/memory/reflection", {"Content-Type": "application/json"}
    refused = client.ask("POST", path, body.encode(), headers)
    assert refused.status == 422
    assert refused.json["error"]["fields"] == ["importance"]


def test_who_said_it_is_told_by_the_caller_not_guessed_from_the_words(client, who):
    """S9: "You said your dog ..." is whatever its speaker says it is."""
    text = "You said your dog Rex sleeps on the sofa"
    user = told(client.post("/observe", character=who, text=text, entity="Ines"))["memory"]
    own = told(client.post("/observe", character=who, text=f"{text} now", speaker="assistant"))
    assert (user["kind"], user["entity"]) == ("impression", "Ines")
    assert own["memory"]["kind"] == "reflection"


def test_half_an_emoji_is_stored_as_a_replacement_character(client, who):
    content = f'{{"character": {json.dumps(who)}, "text": "cut \\ud83d here"}}'.encode()
    headers = {"Content-Type": "application/json"}
    reply = client.ask("POST", "/api/memory/reflection", content, headers)
    assert told(reply)["memory"]["text"] == "cut \ufffd here"


def test_forgetting_and_skipping_leave_no_trace_in_the_feed(client, who):
    mine = {"character": who, "entity": "Ines"}
    told(client.post("/observe", **mine, text="thanks!", source="m1"))
    kept = told(client.post("/observe", **mine, text="I moved to Ghent", source="m2"))["memory"]
    feed = told(client.get("/pulse", character=who))
    assert [one["action"] for one in feed["decisions"]] == ["skip", "store"]
    assert feed["tokens"]["spent"] == 0 and feed["tokens"]["baseline"] > 100
    number = feed["decisions"][0]["number"]
    later = told(client.get("/pulse", character=who, after=number))
    assert [one["text"] for one in later["decisions"]] == ["I moved to Ghent"]
    told(client.delete(f"/memories/{kept['id']}", character=who))
    told(client.post("/retract", character=who, source="m1"))
    after = told(client.get("/pulse", character=who))
    assert after["decisions"] == [] and after["forgotten"] == 2


def test_what_was_replaced_and_what_is_open_are_both_told(client, who):
    mine = {"character": who, "entity": "Kai"}
    told(client.post("/fact", **mine, attribute="town", value="Porto"))
    told(client.post("/fact", **mine, attribute="town", value="Turku"))
    found = told(client.get("/contradictions", character=who))
    (pair,) = found["superseded"]
    assert (pair["older"]["value"], pair["newer"]["value"]) == ("Porto", "Turku")
    told_of = told(client.get("/retention", character=who))
    assert sum(told_of["spread"]) == 1
    assert told_of["vivid"][0]["memory"]["value"] == "Turku"


def test_a_damaged_store_answers_409_reads_on_and_hurts_nobody_else(served, connect, tmp_path):
    first = served()
    client = connect(first)
    for number in range(5):
        told(client.post("/reflection", character="a", text=f"I know number {number}"))
    folder = tmp_path / "all" / told(client.get("/characters"))["characters"][0]["folder"]
    first.stop()
    (journal,) = folder.glob("journal-*.jsonl")
    journal.write_bytes(journal.read_bytes().replace(b"number 2", b"numbre 2"))
    again = connect(served())
    assert (
        told(again.post("/reflection", character="a", text="new"), 409)["error"]["code"]
        == "damaged"
    )
    assert len(texts(again, "a")) == 4
    told(again.post("/reflection", character="b", text="I am well"))


def test_the_server_ends_with_zero_and_says_why_it_cannot_start(served, tmp_path):
    first = served()
    assert first.stop()[0] == 0
    port = served().address.rpartition(":")[2]
    with pytest.raises(OSError, match="choose another --port"):
        served("--port", port)
    with pytest.raises(OSError, match="--no-auth works on loopback only"):
        served("--no-auth", "--host", "0.0.0.0")
    with pytest.raises(OSError, match="give --model-url and --model together"):
        served("--model", "small")


def test_the_token_file_keeps_the_token_and_is_private(served, connect, tmp_path):
    path = tmp_path / "token"
    first = served("--token-file", str(path))
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o077 == 0
    assert path.read_text().strip() == first.token
    assert served("--token-file", str(path)).token == first.token


def test_without_auth_loopback_needs_no_token(served, connect):
    process = served("--no-auth")
    assert process.token == ""
    client = connect(process)
    assert client.ask("GET", "/healthz").json["auth"] is False
    told(client.post("/reflection", character="a", text="no token"))
