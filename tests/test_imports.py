"""Moving in: memories and chats of other systems, with a fate for every record."""

import base64
import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime, timezone

import pytest

from conftest import PATIENCE, ROOT
from vividmem import (
    InvalidMemoryError,
    MissingExtraError,
    WrongKeyError,
    importable,
)

UTC = timezone.utc
DAY = 86400


def moment(*parts):
    return datetime(*parts, tzinfo=UTC).timestamp()


def texts(mem, **options):
    return [memory.text for memory in mem.memories(**options)]


def outcomes(found):
    return [fate.outcome for fate in found.fates]


def written(path, *rows):
    """Write *rows* as JSON lines and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# --- the forms


MCP = [
    {"type": "entity", "name": "John_Smith", "entityType": "person",
     "observations": ["Works at Larkspur", "Speaks fluent Spanish"]},
    {"type": "entity", "name": "Larkspur", "entityType": "company", "observations": []},
    {"type": "relation", "from": "John_Smith", "to": "Ana", "relationType": "is_married_to"},
]  # fmt: skip
MEM0 = {
    "results": [
        {"id": "m-1", "memory": "Lives in Porto", "hash": "x", "user_id": "Nadia",
         "metadata": {"topic": "home"}, "categories": ["home"],
         "created_at": "2024-07-01T12:00:00.123456-07:00", "updated_at": None},
        {"id": "m-2", "memory": "Lives in Ghent", "user_id": "Nadia",
         "created_at": "2025-07-01T12:00:00Z", "updated_at": "2025-08-01T12:00:00Z"},
        {"id": "m-3", "memory": "I should answer in fewer words", "agent_id": "helper",
         "created_at": "2025-07-02T12:00:00Z"},
    ]
}  # fmt: skip


def node(name, parent, role, text, seconds, **more):
    message = {"id": name, "author": {"role": role}, "create_time": seconds,
               "content": {"content_type": "text", "parts": [text]},
               "recipient": "all"}  # fmt: skip
    return {"id": name, "parent": parent, "children": [], "message": {**message, **more}}


CHATGPT = [
    {
        "conversation_id": "c-1", "title": "Moving", "create_time": moment(2025, 3, 1),
        "current_node": "d",
        "mapping": {
            "root": {"id": "root", "parent": None, "children": ["a"], "message": None},
            "a": node("a", "root", "system", "You are a helpful assistant", None),
            "b": node("b", "a", "user", "I live in Turku and I keep bees on the roof",
                      moment(2025, 3, 1, 10)),
            "b2": node("b2", "a", "user", "My brother repairs clocks in Malmo", 1),
            "c": node("c", "b", "assistant", "Bees need a sheltered place in winter.",
                      moment(2025, 3, 1, 10, 1)),
            "d": node("d", "c", "user", "thanks!", moment(2025, 3, 1, 10, 2)),
        },
    }
]  # fmt: skip
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "I restore old violins in a workshop"},
    {"role": "assistant", "content": None},
    {"role": "user", "content": [{"type": "text", "text": "My sister Ida moved to Lisbon"},
                                 {"type": "image_url", "image_url": {"url": "x"}}]},
]  # fmt: skip
TAVERN = [
    {"user_name": "Ines", "character_name": "Seraphina",
     "create_date": "2024-5-1 @04h 13m 22s 123ms", "chat_metadata": {}},
    {"name": "Seraphina", "is_user": False, "mes": "I guard this glade and its spring.",
     "send_date": "May 1, 2024 4:13am", "swipes": ["x", "I guard this glade and its spring."],
     "swipe_id": 1},
    {"name": "Ines", "is_user": True, "mes": "I work at the observatory in Graz",
     "send_date": "2024-5-1 @04h 14m 02s 7ms"},
    {"name": "Ines", "is_user": True, "mes": "I am allergic to walnuts",
     "send_date": 1714536900000},
    {"name": "Corvin", "is_user": False, "mes": "My forge burned down last winter",
     "send_date": "2024-05-01T04:16:00.000Z"},
    {"name": "System", "is_system": True, "is_user": False, "mes": "Chat renamed", "send_date": ""},
]  # fmt: skip


FORMS = "mcp mem0 chatgpt messages tavern".split()


def test_mcp_observations_and_relations_become_statements_about_their_entity(mem):
    found = mem.import_(MCP)
    assert found.form == "mcp"
    assert outcomes(found) == ["new", "new", "left", "new"]
    assert {m.entity for m in mem.memories()} == {"John_Smith"}
    assert mem.resonate("where does John Smith work?", limit=1)[0].text == "Works at Larkspur"
    assert "John_Smith is married to Ana" in texts(mem)
    assert mem.memories()[0].tags == ("person",)
    mem.observe("I joined Fernhill last week", entity="John_Smith")
    assert [m.status for m in mem.memories() if "Larkspur" in m.text] == ["superseded"]


def test_the_graph_an_mcp_server_returns_is_read_like_its_lines(mem):
    graph = {"entities": [{k: v for k, v in row.items() if k != "type"} for row in MCP[:2]],
             "relations": [{k: v for k, v in MCP[2].items() if k != "type"}]}  # fmt: skip
    assert mem.import_(graph).counts() == {"new": 3, "left": 1}


def test_mem0_keeps_who_when_and_what_was_noted_and_later_truth_replaces(mem, clock):
    found = mem.import_(MEM0)
    assert outcomes(found) == ["new"] * 3
    old, new, own = mem.memories()
    assert (old.entity, old.kind, own.kind, own.entity) == ("Nadia", "impression", "reflection", "")
    assert old.when == moment(2024, 7, 1, 19) + 0.123
    assert old.meta == {"topic": "home"} and old.tags == ("home",)
    assert new.accessed == moment(2025, 8, 1, 12)
    assert (old.status, new.status) == ("superseded", "current")
    assert [h.text for h in mem.resonate("where does Nadia live?", limit=1)] == ["Lives in Ghent"]


def test_what_is_imported_out_of_order_still_ends_in_the_newest_truth(mem):
    mem.import_({"results": MEM0["results"][1::-1]})
    assert {m.text: m.current for m in mem.memories()} == {
        "Lives in Porto": False,
        "Lives in Ghent": True,
    }


def test_of_a_chatgpt_conversation_the_current_branch_is_heard_as_of_its_time(mem):
    found = mem.import_(CHATGPT)
    assert found.form == "chatgpt"
    assert outcomes(found) == ["left", "new", "new", "left"]
    said, answered = mem.memories()
    assert (said.kind, said.entity, said.when) == ("impression", "user", moment(2025, 3, 1, 10))
    assert answered.kind == "reflection"
    assert said.sources == ("chatgpt:b",) and said.episode == "chatgpt:c-1"
    assert "clocks" not in json.dumps(mem.export())  # of a branch that was left
    assert [f.reason for f in found.fates if f.outcome == "left"] == [
        "it is the system's own text",
        "it is small talk",
    ]


def test_a_message_that_was_imported_can_be_retracted_by_its_source(mem):
    mem.import_(CHATGPT)
    assert mem.retract("chatgpt:b").forgotten == (1,)
    assert texts(mem) == ["Bees need a sheltered place in winter."]


def test_a_list_of_messages_is_heard_and_the_user_gets_the_name_given(mem):
    found = mem.import_(MESSAGES, entity="Mara")
    assert outcomes(found) == ["left", "new", "left", "new"]
    assert {m.entity for m in mem.memories()} == {"Mara"}
    assert "My sister Ida moved to Lisbon" in texts(mem)


@pytest.mark.parametrize("wrap", [lambda m: {"messages": m}, lambda m: [{"messages": m}]])
def test_wrapped_messages_are_one_conversation(mem, wrap):
    assert mem.import_(wrap(MESSAGES)).counts() == {"new": 2, "left": 2}
    assert len({m.episode for m in mem.memories()}) == 1


def test_a_sillytavern_chat_is_heard_by_role_with_every_form_of_date(mem):
    found = mem.import_(TAVERN)
    assert found.form == "sillytavern"
    assert outcomes(found) == ["new", "new", "new", "new", "left"]
    told = {m.text: m for m in mem.memories()}
    own = told["I guard this glade and its spring."]
    assert (own.kind, own.when) == ("reflection", moment(2024, 5, 1, 4, 13))
    work = told["I work at the observatory in Graz"]
    assert (work.entity, work.when) == ("Ines", moment(2024, 5, 1, 4, 14, 2) + 0.007)
    assert told["I am allergic to walnuts"].when == moment(2024, 5, 1, 4, 15)
    forge = told["My forge burned down last winter"]
    assert (forge.entity, forge.when) == ("Corvin", moment(2024, 5, 1, 4, 16))
    assert len({m.episode for m in mem.memories()}) == 1


@pytest.mark.parametrize(
    "data",
    [MCP, MEM0, CHATGPT, MESSAGES, TAVERN],
    ids=FORMS,
)
def test_importing_twice_adds_nothing(mem, data):
    first = mem.import_(data)
    before = mem.export()
    again = mem.import_(data)
    assert again == [] and set(outcomes(again)) <= {"known", "left"}
    assert mem.export() == before
    assert len(again.fates) == len(first.fates)


def test_a_longer_version_of_a_chat_adds_only_what_is_new(mem):
    mem.import_(TAVERN[:3])
    found = mem.import_(TAVERN)
    assert outcomes(found) == ["known", "known", "new", "new", "left"]


def test_a_dry_run_tells_the_same_and_changes_nothing(mem, folder, clock):
    before = mem.export()
    tried = mem.import_(TAVERN, dry_run=True)
    assert mem.export() == before
    assert tried.fates == mem.import_(TAVERN).fates


def test_a_dry_run_inside_a_batch_leaves_the_batch_as_it_was(mem):
    with mem.batch():
        mem.add_self_reflection("The heron came back")
        mem.import_(MCP, dry_run=True)
    assert texts(mem) == ["The heron came back"]


def test_imports_decay_from_the_time_of_the_event(mem, clock):
    mem.add_social_impression("Nadia", "Nadia plays the oboe on Fridays")
    mem.import_(MEM0)
    left = {m.text: mem.forecast(m.id).retention for m in mem.memories()}
    assert left["Nadia plays the oboe on Fridays"] > 0.99
    assert left["Lives in Ghent"] < 0.01


def test_an_import_moves_no_chemistry(mem):
    mem.chemistry.enabled = True
    before = mem.chemistry.get_state().levels
    mem.import_([{"role": "user", "content": "I am devastated, my dog died in the fire"}])
    assert mem.chemistry.get_state().levels == before


def test_a_bad_record_is_refused_with_its_reason_and_the_others_come_in(mem):
    rows = [*MEM0["results"], {"id": "x", "memory": " "}, 7, {"id": "y", "memory": 9},
            {"id": "z", "memory": "x" * 30_000},
            {"id": "w", "memory": "ok then", "user_id": "a\x07b"}]  # fmt: skip
    found = mem.import_(rows)
    assert found.counts() == {"new": 3, "refused": 5}
    reasons = [fate.reason for fate in found.fates if fate.outcome == "refused"]
    assert "blank" in reasons[0] and "limit" in reasons[3] and "control character" in reasons[4]


def test_a_record_nested_without_end_is_refused_and_the_others_come_in(mem):
    """In every format, whatever part of the record it is."""
    deep = deeper = [[]]
    for level in range(100_000):
        deeper = [deeper]
        deep = deeper if level < 600 else deep
    forms = {
        "mcp": {"type": "entity", "name": "Bot", "entityType": "bot", "observations": ["hums"]},
        "mem0": MEM0["results"][0],
        "chatgpt": {"role": "user", "content": "I restore old violins"},
        "sillytavern": {"name": "Ana", "is_user": True, "mes": "I keep bees"},
    }
    for form, row in forms.items():
        for odd in (deep, deeper, 10**5000, {(1, 2): 3}):
            rows = [row] + [{**row, name: odd} for name in (*row, "metadata", "create_time")]
            outcomes = [fate.outcome for fate in mem.import_(rows, form=form).fates]
            assert set(outcomes[1:]) == {"refused"}
    assert len(mem.memories()) == len(forms)


def test_an_export_nested_without_end_is_refused_whole(mem):
    mem.add_self_reflection("The heron came back", meta={"a": 1})
    data, deep = mem.export(), []
    for _ in range(900):
        deep = [deep]
    (memory,) = data["memories"]
    as_text = json.dumps({"token": deep[0][0][0]})
    for bad in ({**memory, "new_field": deep}, {**memory, "id": 9, "meta_json": as_text}):
        with pytest.raises(InvalidMemoryError):
            mem.import_({**data, "memories": [bad]})
    with pytest.raises(InvalidMemoryError, match="setting"):
        mem.import_({**data, "settings": {"of a newer version": {"a": deep}}})
    assert mem.export() == data


def test_a_folder_without_chats_is_refused_by_what_is_missing(mem, tmp_path):
    (tmp_path / "notes.txt").write_text("no chat", encoding="utf-8")
    for place in (tmp_path, tmp_path / "empty"):
        place.mkdir(exist_ok=True)
        with pytest.raises(InvalidMemoryError, match="import needs"):
            mem.import_(importable(place))


def test_an_import_that_breaks_off_leaves_nothing(opened, folder):
    mem = opened()
    mem.add_self_reflection("The heron came back")
    before = mem.export()

    def rows():
        yield from MEM0["results"]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"):
        mem.import_(rows())
    assert mem.export() == before == opened().export()


@pytest.mark.parametrize("data", [None, 7, "text", b"{}", [], {}, [1], [[]], {"a": 1}, [{"a": 1}]])
def test_what_is_of_no_known_form_is_refused_by_name(mem, data):
    before = mem.export()
    with pytest.raises(InvalidMemoryError, match="import needs"):
        mem.import_(data)
    assert mem.export() == before


def test_an_unknown_form_names_the_known_ones(mem):
    with pytest.raises(InvalidMemoryError, match="sillytavern"):
        mem.import_(MCP, form="diary")


def test_progress_is_told_while_reading(mem):
    told = []
    rows = ({"role": "user", "content": "ok"} for _ in range(1600))
    mem.import_(rows, progress=told.append)
    assert told == [500, 1000, 1500]


# --- files


def test_json_lines_one_list_and_a_pretty_object_are_read_alike(tmp_path, mem):
    lines = written(tmp_path / "a.jsonl", *MEM0["results"])
    listed, pretty = tmp_path / "b.json", tmp_path / "c.json"
    listed.write_text("\ufeff" + json.dumps(MEM0["results"], indent=2), encoding="utf-8")
    pretty.write_text(json.dumps(MEM0, indent=2), encoding="utf-8")
    assert len(mem.import_(importable(lines))) == 3
    assert mem.import_(importable(listed)).counts() == {"known": 3}
    assert mem.import_(importable(pretty)).counts() == {"known": 3}


def test_a_line_that_is_no_json_is_refused_alone(tmp_path, mem):
    path = written(tmp_path / "a.jsonl", *MEM0["results"])
    path.write_text(path.read_text() + '{"id": "torn", "mem', encoding="utf-8")
    found = mem.import_(importable(path))
    assert found.counts() == {"new": 3, "refused": 1}


def test_a_list_that_breaks_off_is_refused_whole(tmp_path, mem):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(MEM0["results"])[:-40], encoding="utf-8")
    with pytest.raises(InvalidMemoryError, match="breaks off after record 2"):
        mem.import_(importable(path))
    assert texts(mem) == []


def test_a_folder_of_chats_is_one_import(tmp_path, mem):
    written(tmp_path / "chats" / "Seraphina" / "one.jsonl", *TAVERN)
    other = {**TAVERN[0], "create_date": "2024-6-1 @04h 13m 22s 123ms"}
    written(tmp_path / "chats" / "Seraphina" / "two.jsonl", other,
            {"name": "Ines", "is_user": True, "mes": "I sold my telescope",
             "send_date": ""})  # fmt: skip
    found = mem.import_(importable(tmp_path / "chats"))
    assert found.counts() == {"new": 5, "left": 1}
    assert len({m.episode for m in mem.memories()}) == 2
    (sold,) = (m for m in mem.memories() if "telescope" in m.text)
    assert sold.when == moment(2024, 6, 1, 4, 13, 22) + 0.123


MEASURED = """
import json, resource, sys, time
sys.path.insert(0, sys.argv[2])
from vividmem import VividMem, importable
with VividMem() as mem:
    mem.observe("I keep bees on the roof")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = mem.import_(importable(sys.argv[1]))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([len(found.fates), found.counts(), (after - before) // 1024]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs the resource module")
def test_a_large_chat_is_read_in_bounded_memory(tmp_path, long):
    size = (100 if long else 12) << 20
    path = tmp_path / "conversations.json"
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(size // 40_000):
            chat = json.loads(json.dumps(CHATGPT[0]))
            chat["conversation_id"] = f"c-{number}"
            for name in "bcd":
                message = chat["mapping"][name]["message"]
                message["id"] = f"{name}{number}"
                message["content"]["parts"] = ["thanks!"]
                message["metadata"] = {"citations": "x" * 13_000}
            file.write("," * bool(number) + json.dumps(chat))
        file.write("]")
    command = [sys.executable, "-c", MEASURED, str(path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=3 * PATIENCE)
    records, counts, grown = json.loads(done.stdout)
    assert records == 4 * (size // 40_000) and counts == {"left": records}
    assert grown < 40  # MB


# --- vividnessmem


def memory(content, stamp="2025-10-01T09:00:00", **more):
    return {"content": content, "emotion": "neutral", "importance": 5, "timestamp": stamp,
            "source": "reflection", "entity": "", "access_count": 0, "last_access": stamp,
            "stability": 3.0, "why_saved": "", "privacy": "public", **more}  # fmt: skip


VIVID = {
    "self_memory.json": [
        memory("I enjoyed the talk about comets", emotion="happy", importance=8, access_count=4,
               last_access="2025-12-01T09:00:00", stability=21.5, why_saved="it was fun"),
        memory("I promised never to lie", anchor=True, cherished=True, privacy="sealed"),
        memory(""),
    ],
    "social/ana_m.json": [memory("Ana keeps bees", entity="Ana M", importance="9")],
    "stm.json": [{"entity": "Ana M", "attribute": "favorite_food", "value": "olives",
                  "retrieval_tags": [], "timestamp": "2025-11-01T09:00:00", "stability": 0.5}],
    "brief.json": {
        "session_count": 4, "self_brief": "I like the sky.",
        "entity_briefs": {"Ana M": "A beekeeper."},
        "entity_preferences": {"Ana M": {"music": [{"item": "jazz", "sentiment": "loves",
                                                    "timestamp": "2025-11-02T09:00:00"}]}},
        "relationship_arcs": {"Ana M": {"warmth": 0.2}}, "dream_log": [], "mood": [0.1, 0, 0],
    },
    "solutions.json": [{"problem_signature": "build breaks",
                        "failed_approaches": ["clean the cache"],
                        "solution": "pin the compiler", "context_tags": ["ci"], "times_applied": 2,
                        "importance": 8, "timestamp": "2025-10-05T09:00:00", "stability": 3.0}],
    "projects/Hive/meta.json": {"created": "2025-09-01T09:00:00",
                                "last_accessed": "2025-10-09T09:00:00"},
    "projects/Hive/tasks.json": [
        {"task_id": "t1", "description": "Build the frame", "status": "active", "priority": 7,
         "created_at": "2025-10-02T09:00:00", "outcome": "", "parent_id": "", "project": "Hive",
         "tags": ["wood"]},
        {"task_id": "t2", "description": "Buy screws", "status": "completed", "priority": 5,
         "created_at": "2025-10-03T09:00:00", "outcome": "brass ones", "parent_id": "t1"},
    ],
    "projects/Hive/actions.json": [
        {"task_id": "t1", "action": "glued it", "result": "failure", "error": "came apart",
         "fix": "", "timestamp": "2025-10-04T09:00:00", "importance": 5}],
    "projects/Hive/artifacts.json": [
        {"name": "frame", "artifact_type": "part", "description": "of oak", "importance": 5,
         "dependencies": [], "current_state": "glued", "last_updated": "2025-10-04T09:00:00"}],
    "cooccurrence.json": {"a": {"b": 1}},
}  # fmt: skip


def vivid_folder(path, files=None):
    for name, content in (VIVID if files is None else files).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        (path / name).write_bytes(raw)
    return path


def assert_vivid(mem, found):
    assert found.form == "vividnessmem"
    told = {m.text: m for m in mem.memories()}
    comet = told["I enjoyed the talk about comets"]
    assert (comet.kind, comet.emotion, comet.importance) == ("reflection", "happy", 8)
    assert (comet.when, comet.accessed) == (moment(2025, 10, 1, 9), moment(2025, 12, 1, 9))
    assert (comet.recalls, comet.stability, comet.why_saved) == (4, 21.5, "it was fun")
    assert set(told["I promised never to lie"].tags) == {"anchored", "cherished", "sealed"}
    bees = told["Ana keeps bees"]
    assert (bees.kind, bees.entity, bees.importance) == ("impression", "Ana M", 9)
    (food,) = mem.history("Ana M", "favorite_food")
    assert (food.value, food.begins) == ("olives", moment(2025, 11, 1, 9))
    assert [(p.value, p.sentiment) for p in mem.preferences("Ana M")] == [("jazz", "loves")]
    assert mem.reflection.brief() == "I like the sky."
    assert mem.reflection.brief("Ana M") == "A beekeeper."
    (hive,) = mem.tasks.projects()
    (frame,) = mem.tasks.open("Hive")
    assert (frame.text, frame.importance, frame.links) == ("Build the frame", 7, (hive.id,))
    assert [m.text for m in mem.tasks.subtasks(frame.id)] == ["Buy screws (done: brass ones)"]
    assert [m.work.state for m in mem.tasks.actions(frame.id)] == ["failure"]
    (fix,) = mem.tasks.find_solutions("the build breaks")
    assert fix.memory.work.uses == 2 and "clean the cache" in fix.text
    assert told["frame: of oak; glued"].work.name == "frame"
    reported = {f.place: f.outcome for f in found.fates if f.outcome in ("left", "refused")}
    assert reported["self_memory.json, record 3"] == "refused"
    assert reported["cooccurrence.json"] == "left"
    assert reported["brief.json, relationship_arcs"] == "left"


def test_a_folder_of_vividnessmem_finds_its_homes(mem, tmp_path):
    found = mem.import_(importable(vivid_folder(tmp_path / "old")))
    assert_vivid(mem, found)
    before = mem.export()
    assert mem.import_(importable(tmp_path / "old")) == []
    assert mem.export() == before


def test_forgetting_what_an_imported_brief_was_made_from_takes_the_brief_along(mem, tmp_path):
    mem.import_(importable(vivid_folder(tmp_path / "old")))
    mem.forget_entity("Ana M")
    assert "beekeeper" not in json.dumps(mem.export())
    assert mem.reflection.brief() == "I like the sky."


def fernet(password, salt):
    crypto = pytest.importorskip("cryptography.fernet")
    key = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 480_000, 32)
    return crypto.Fernet(base64.urlsafe_b64encode(key))


def sealed_folder(path, password="correct horse"):
    salt = b"0123456789abcdef"
    box = fernet(password, salt)
    renamed = {"self_memory.json": "self_memory.enc", "brief.json": "brief.enc",
               "social/ana_m.json": "social/0123456789abcdef.enc"}  # fmt: skip
    files = {renamed.get(n, n): box.encrypt(json.dumps(c).encode()) for n, c in VIVID.items()}
    return vivid_folder(path, {**files, ".salt": salt})


def test_an_encrypted_folder_of_vividnessmem_opens_with_its_password_only(mem, tmp_path):
    path = sealed_folder(tmp_path / "old")
    with pytest.raises(WrongKeyError, match="give its password"):
        importable(path)
    with pytest.raises(WrongKeyError, match="wrong"):
        importable(path, "wrong one")
    assert texts(mem) == []
    found = mem.import_(importable(path, "correct horse"))
    assert {f.place.replace("0123456789abcdef.enc", "x") for f in found.fates}
    assert {"Ana keeps bees", "A beekeeper."} <= set(texts(mem))
    (path / ".salt").unlink()
    with pytest.raises(WrongKeyError, match=r"\.salt is missing"):
        importable(path, "correct horse")


def test_without_the_package_an_encrypted_folder_names_what_to_install(tmp_path, monkeypatch):
    path = sealed_folder(tmp_path / "old")
    monkeypatch.setitem(sys.modules, "cryptography.fernet", None)
    with pytest.raises(MissingExtraError, match="pip install"):
        importable(path, "correct horse")


@pytest.mark.parametrize("password", [None, "correct horse"])
def test_a_folder_that_vividnessmem_wrote_is_read(mem, tmp_path, password):
    peer = pytest.importorskip("vividnessmem")
    old = peer.VividnessMem(str(tmp_path / "old"), encryption_key=password)
    old.add_self_reflection("I enjoyed the talk about comets", "happy", 8)
    old.add_social_impression("McDonald", "McDonald restores old violins", "grateful", 7)
    old.add_fact("McDonald", "favorite_color", "teal")
    old.update_entity_preference("McDonald", "music", "jazz", "likes")
    old.apply_brief({"self_brief": "I like the sky."})
    old.set_active_project("Hive")
    task = old.start_task("Build the frame", priority=7)
    old.log_action(task, "glued it", "failure", error="came apart")
    old.record_solution("build breaks", ["clean the cache"], "pin the compiler")
    old.bump_session()
    old.save()
    found = mem.import_(importable(tmp_path / "old", password or ""))
    assert "refused" not in found.counts()
    told = {m.text: m for m in mem.memories()}
    assert told["I enjoyed the talk about comets"].importance == 8
    assert told["McDonald restores old violins"].entity == "McDonald"
    assert [m.value for m in mem.history("McDonald", "favorite_color")] == ["teal"]
    assert [m.text for m in mem.tasks.open("Hive")] == ["Build the frame"]
    assert mem.reflection.brief() == "I like the sky."
    assert mem.import_(importable(tmp_path / "old", password or "")) == []


# --- secrets and the command line


SECRET = "sk-live-abc123XYZ789abc"


def test_no_secret_of_an_import_reaches_the_disk(opened, folder, tmp_path):
    mem = opened()
    row = {"id": SECRET, "memory": f"The key is {SECRET}", "user_id": f"Ana {SECRET}"}
    row |= {"run_id": SECRET, "categories": [SECRET], "created_at": "2025-01-01"}
    row |= {"metadata": {"api_key": "hunter2-hunter2", "note": {"deep": [SECRET]}}}
    mem.import_([row])
    mem.import_([{"role": "user", "content": f"my token is {SECRET} for the robot"}])
    bot = {"type": "entity", "name": "Bot", "entityType": SECRET, "observations": [SECRET]}
    mem.import_([bot])
    fact = {"entity": "Ana M", "attribute": "password", "value": "swordfish", "timestamp": ""}
    files = {**VIVID, "stm.json": [fact],
             "brief.json": {"self_brief": f"The key {SECRET}"},
             "projects/Hive/tasks.json": [{"task_id": "1", "description": f"rotate {SECRET}",
                                           "outcome": SECRET}]}  # fmt: skip
    mem.import_(importable(vivid_folder(tmp_path / "old", files)))
    record = mem.export()["memories"][0] | {
        "text": f"again {SECRET}",
        "sources": [SECRET],
        "id": 99,
    }
    mem.import_({"vividmem": 1, "memories": [record]})
    mem.save()
    raw = b"".join(path.read_bytes() for path in folder.iterdir())
    assert SECRET.encode() not in raw and b"hunter2" not in raw and b"swordfish" not in raw
    assert b"[secret" in raw and b"again" in raw


def vivid(*words, code=0, **env):
    done = subprocess.run(
        [sys.executable, "-m", "vividmem", *map(str, words)], cwd=ROOT,
        capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
        encoding="utf-8", env={**os.environ, "TZ": "UTC", "PYTHONIOENCODING": "utf-8", **env},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_the_command_imports_reports_and_repeats_nothing(tmp_path):
    chat, target = written(tmp_path / "chat.jsonl", *TAVERN, 7), tmp_path / "agent"
    tried = vivid("import", chat, "--dir", target, "--dry-run")
    assert tried.startswith("4 new memories would be from sillytavern")
    assert json.loads(vivid("list", "--dir", target, "--json")) == []
    told = vivid("import", chat, "--dir", target, "--format", "sillytavern")
    assert "4 new memories from sillytavern (4 new, 1 left, 1 refused)" in told
    assert "record 7: it is no JSON object" in told
    assert "0 new memories" in vivid("import", chat, "--dir", target)
    shown = json.loads(vivid("import", chat, "--dir", target, "--json"))
    assert shown["counts"] == {"known": 4, "left": 1, "refused": 1}
    assert len(shown["records"]) == 6


def test_the_password_of_an_encrypted_folder_comes_from_a_file_or_the_environment(tmp_path):
    path, target = sealed_folder(tmp_path / "old"), tmp_path / "agent"
    assert "give its password" in vivid("import", path, "--dir", target, code=1)
    word = tmp_path / "word"
    word.write_text("correct horse\n", encoding="utf-8")
    told = vivid("import", path, "--dir", target, "--source-password-file", word)
    assert "from vividnessmem" in told
    env = {"VIVIDMEM_SOURCE_PASSWORD": "correct horse"}
    assert "0 new memories" in vivid("import", path, "--dir", target, **env)
