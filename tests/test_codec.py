"""Codec: records to JSON and back, changes joined, the state and its look-ups."""

import json
from collections import Counter
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vividmem import (
    Change,
    Claim,
    InvalidMemoryError,
    Memory,
    State,
    Trace,
    change_of,
    change_record,
    decoded,
    encoded,
    entity_key,
    joined,
    memory_of,
    memory_record,
    slot_of,
    terms,
    traced,
)

YEAR_9999 = 253_402_300_799.0
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAME = st.sampled_from(["", "Ann", "ANN", "McDonald", "mcdonald", "Bo van der Berg", "名前"])
TIME = st.floats(-YEAR_9999, YEAR_9999) | st.integers(0, 2_000_000_000).map(float)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
UNKNOWN = st.dictionaries(st.sampled_from(["mood", "photo", "x", "новое"]), JSON, max_size=3)


DRIFT = st.just(()) | st.tuples(*[st.floats(-0.3, 0.3)] * 3)
INTERFERENCE = st.just(()) | st.tuples(st.floats(0, 0.3), st.floats(0, 1e9))
CLAIMS = st.builds(
    Claim, TEXT, TEXT, TEXT, TEXT, st.booleans(), st.sampled_from(["current", "ended", "past"]),
    st.booleans(), st.booleans(), TEXT, st.tuples(TEXT), st.floats(0, 1), st.integers(0, 99),
)  # fmt: skip
PHOTOGRAPH = st.builds(
    lambda who, what: json.dumps({"who": who, "what": what, "when": "2026", "where": []}),
    st.lists(NAME, max_size=2),
    TEXT,
)


def sorted_json(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


WORKS = ['{"state":"open","urgency":0.5}', '{"name":"x","needs":[3,4]}', '{"uses":2,"active":9.5}']


@st.composite
def any_memory(draw):
    """A memory with any value in every field."""
    return Memory(
        id=draw(st.integers(1, 10**9)),
        kind=draw(
            st.sampled_from(["reflection", "impression", "fact", "preference", "task", "gist"])
        ),
        text=draw(TEXT.filter(str.strip)),
        when=draw(TIME),
        learned=draw(TIME),
        entity=draw(NAME | TEXT),
        emotion=draw(TEXT),
        importance=draw(st.floats(1, 10)),
        valid_from=draw(st.none() | TIME),
        valid_until=draw(st.none() | TIME),
        episode=draw(TEXT),
        tags=tuple(draw(st.lists(TEXT, max_size=3))),
        meta_json=sorted_json(draw(UNKNOWN)),
        why_saved=draw(TEXT),
        why_importance=draw(TEXT),
        why_emotion=draw(TEXT),
        sources=tuple(draw(st.lists(TEXT, max_size=3))),
        status=draw(st.sampled_from(["current", "superseded", "retracted", "merged"])),
        superseded_by=draw(st.none() | st.integers(1, 99)),
        doubted_by=tuple(draw(st.lists(st.integers(1, 99), max_size=3))),
        doubt=draw(st.floats(0, 1)),
        corrects=draw(st.none() | st.integers(1, 99)),
        attribute=draw(TEXT),
        value=draw(TEXT),
        sentiment=draw(TEXT),
        claims=tuple(draw(st.lists(CLAIMS, max_size=2))),
        confidence=draw(st.floats(0, 1)),
        arousal=draw(st.floats(0, 1)),
        photograph_json=draw(st.just("") | PHOTOGRAPH),
        work_json=draw(st.just("") | st.sampled_from(WORKS)),
        links=tuple(draw(st.lists(st.integers(1, 99), max_size=2))),
        seen=draw(st.integers(1, 99)),
        confirmed=draw(st.none() | st.floats(-1e9, 1e9)),
        stability=draw(st.floats(0.01, 1e4)),
        reinforced=draw(TIME),
        accessed=draw(TIME),
        spaced=draw(st.integers(0, 99)),
        recalls=draw(st.integers(0, 10**6)),
        drift=draw(DRIFT),
        interference=draw(INTERFERENCE),
        extra_json=sorted_json(draw(UNKNOWN)),
    )


def memory(number=1, text="x", **changes):
    usual = {"kind": "reflection", "when": 10.0, "learned": 10.0, "reinforced": 10.0}
    return Memory(**{"id": number, "text": text, **usual, "accessed": 10.0, **changes})


# --- records -------------------------------------------------------------------------------------


@given(any_memory())
@settings(max_examples=100)
def test_a_record_gives_the_memory_back(one):
    record = memory_record(one)
    assert memory_of(record) == one
    assert memory_of(decoded(encoded(record))) == one


def test_the_strategy_sets_every_field():
    """A field added to `Memory` must be added to `any_memory`, too."""
    assert {f.name for f in fields(Memory)} == set(Memory.__slots__)
    assert len(fields(Memory)) == 41


@given(any_memory())
def test_a_line_is_one_line_of_utf_8(one):
    line = encoded(memory_record(one))
    assert b"\n" not in line
    assert json.loads(line.decode("utf-8"))["id"] == one.id


def test_usual_values_are_left_out():
    record = memory_record(memory())
    assert record == {"id": 1, "kind": "reflection", "text": "x", "when": 10.0}


@given(any_memory(), UNKNOWN)
def test_unknown_fields_survive(one, unknown):
    record = {**memory_record(replace(one, extra_json="")), **unknown}
    again = memory_record(memory_of(record))
    assert {name: again[name] for name in unknown} == unknown
    assert memory_record(memory_of(again)) == again


def test_unknown_fields_survive_every_change(mem):
    record = {**memory_record(memory(7, "the harbour froze")), "mood_vector": [1, 2]}
    mem.import_({"vividmem": 1, "memories": [record]})
    mem.resonate("harbour")
    mem.correct(7, "the harbour thawed")
    exported = {record["id"]: record for record in mem.export()["memories"]}
    assert exported[7]["mood_vector"] == [1, 2]


GOOD = {"id": 1, "kind": "reflection", "text": "x", "when": 10.0}
BAD = [
    ("id", 0), ("id", -1), ("id", "1"), ("id", 1.5), ("id", None), ("id", True),
    ("kind", None), ("kind", 5),
    ("text", ""), ("text", "  "), ("text", None), ("text", b"x"), ("text", ["x"]),
    ("when", "yesterday"), ("when", None), ("when", float("nan")), ("when", float("inf")),
    ("when", 1e30), ("learned", float("nan")), ("learned", 1e30), ("reinforced", float("nan")),
    ("accessed", float("-inf")), ("accessed", "x"),
    ("entity", None), ("entity", 5), ("emotion", ["happy"]),
    ("importance", 0), ("importance", 11), ("importance", None), ("importance", "6"),
    ("importance", float("nan")), ("importance", True),
    ("valid_from", "2024"), ("valid_from", float("nan")), ("valid_from", float("inf")),
    ("valid_until", float("nan")), ("valid_until", float("inf")), ("valid_until", False),
    ("tags", "anchored"), ("tags", [1]), ("tags", None), ("tags", {"a": 1}),
    ("sources", "m1"), ("sources", [None]),
    ("status", "gone"), ("status", None),
    ("superseded_by", "2"), ("superseded_by", 1.5), ("corrects", "x"),
    ("confidence", 1.1), ("confidence", -0.1), ("confidence", float("nan")),
    ("arousal", 2), ("arousal", None),
    ("seen", "2"), ("seen", 0), ("seen", -3), ("seen", 1.5),
    ("stability", 0), ("stability", -1), ("stability", "x"), ("stability", float("nan")),
    ("stability", float("inf")),
    ("spaced", -1), ("spaced", None), ("recalls", -1), ("recalls", 0.5),
    ("meta_json", 5), ("meta_json", "{"), ("meta_json", "[1]"),
]  # fmt: skip


@pytest.mark.parametrize("name, value", BAD)
def test_a_bad_field_is_refused_and_named_by_an_import(mem, name, value):
    with pytest.raises(InvalidMemoryError, match=name):
        mem.import_({"vividmem": 1, "memories": [{**GOOD, name: value}]})
    assert mem.memories() == []


WRONG = [(n, v) for n, v in BAD if isinstance(v, (str, list, dict, bytes)) or v is None]
OUTSIDE = [("id", 0), ("importance", 11), ("confidence", -1), ("arousal", 2), ("stability", 0)]
OUTSIDE += [("when", float("nan")), ("accessed", 1e30), ("reinforced", float("inf"))]


@pytest.mark.parametrize("name, value", [b for b in WRONG + OUTSIDE if b[0] != "meta_json"])
def test_a_stored_record_that_would_break_the_library_is_refused(name, value):
    with pytest.raises(InvalidMemoryError):
        memory_of({**GOOD, name: value})


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_field_is_named(name):
    with pytest.raises(InvalidMemoryError, match=name):
        memory_of({key: value for key, value in GOOD.items() if key != name})


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b'"x"', b"{}x"])
def test_what_is_no_object_is_refused(payload):
    with pytest.raises(InvalidMemoryError):
        decoded(payload)


def test_deep_nesting_is_refused_not_a_crash():
    with pytest.raises(InvalidMemoryError):
        decoded(b'{"put":' + b"[" * 100_000 + b"]" * 100_000 + b"}")


# --- changes -------------------------------------------------------------------------------------

IDS = st.integers(1, 5)


TEMPLATES = [
    memory(1, text, kind=kind, entity=entity, attribute=attribute, value=value, **more)
    for text, entity in (("tea", ""), ("Tea", "Ann"), ("tea", "ann"), ("bees", "McDonald"),
                         ("bees", "mcdonald"))
    for kind, attribute, value in (("reflection", "", ""), ("impression", "", ""),
                                   ("fact", "City", "Oslo"), ("preference", "city", "Ghent"))
    for more in ({}, {}, {"status": "superseded"}, {"valid_until": 50.0}, {"corrects": 2},
                 {"corrects": 3, "status": "superseded"})
]  # fmt: skip


def small_memory():
    pairs = st.tuples(IDS, st.sampled_from(TEMPLATES))
    return pairs.map(lambda pair: replace(pair[1], id=pair[0]))


TRACES = st.builds(
    Trace,
    IDS,
    st.floats(1, 180),
    st.floats(0, 99),
    st.floats(0, 99),
    IDS,
    st.integers(0, 9),
    DRIFT,
    INTERFERENCE,
)


@st.composite
def any_change(draw, traces=True):
    """A change as the library makes them: an id is put or dropped, not both."""
    puts = draw(st.lists(small_memory(), max_size=3, unique_by=lambda one: one.id))
    put = {one.id for one in puts}
    drops = [i for i in draw(st.lists(IDS, max_size=2, unique=True)) if i not in put]
    found = draw(st.lists(TRACES, max_size=2)) if traces else []
    free = max(put, default=0) + 1 if put else draw(st.integers(0, 7))
    saved = draw(st.dictionaries(st.sampled_from(["note", "x"]), st.none() | UNKNOWN, max_size=2))
    return Change(tuple(puts), tuple(drops), tuple(found), free, saved)


def applied(*changes):
    """The state after *changes*, in the order the library applies their parts."""
    state = State()
    for change in changes:
        for put in change.puts:
            state.put(put)
        for gone in change.drops:
            state.drop(gone)
        state.next_id = max(state.next_id, change.next_id)
        for trace in change.traces:
            state.trace(trace)
    return state


@given(any_change())
def test_a_change_survives_its_line(change):
    rejected = []
    assert change_of(decoded(encoded(change_record(change))), rejected) == change
    assert rejected == []


@given(st.lists(any_change(), max_size=5))
@settings(max_examples=100)
def test_joined_changes_do_what_they_do_one_by_one(changes):
    whole = joined(changes)
    assert applied(whole).memories == applied(*changes).memories
    assert len({one.id for one in whole.puts}) == len(whole.puts)


@given(st.lists(any_change(), max_size=3), st.lists(any_change(), max_size=4))
@settings(max_examples=100)
def test_joined_changes_do_so_on_what_was_there(before, changes):
    assert applied(*before, joined(changes)).memories == applied(*before, *changes).memories


@given(st.lists(any_change(), max_size=4))
def test_joined_changes_give_no_id_out_twice(changes):
    assert applied(joined(changes)).next_id == applied(*changes).next_id


def test_what_is_forgotten_and_imported_again_in_one_batch_is_there(folder):
    from vividmem import VividMem

    with VividMem(folder) as mem:
        kept = mem.add_self_reflection("the harbour froze")
        export = mem.export()
        with mem.batch():
            mem.forget(kept.id)
            mem.import_(export)
        assert [m.text for m in mem.memories()] == ["the harbour froze"]
    with VividMem(folder) as mem:
        assert [m.text for m in mem.memories()] == ["the harbour froze"]


def test_an_id_forgotten_in_a_batch_is_not_given_out_again(folder):
    from vividmem import VividMem

    with VividMem(folder) as mem:
        mem.add_self_reflection("the ferry sails")
        with mem.batch():
            gone = mem.add_self_reflection("the harbour froze")
            mem.forget(gone.id)
    with VividMem(folder) as mem:
        assert mem.add_self_reflection("the mill burnt").id > gone.id


@pytest.mark.parametrize(
    "record",
    [
        {"put": 5},
        {"put": [5]},
        {"put": ["text"]},
        {"put": {"id": 1}},
        {"drop": 5},
        {"drop": ["x"]},
        {"drop": "12"},
        {"drop": [1.5]},
        {"drop": [None]},
        {"trace": [[1]]},
        {"trace": [5]},
        {"trace": [[1, "x", 0.0, 0.0, 0, 0]]},
        {"trace": [[1, float("nan"), 0.0, 0.0, 0, 0]]},
        {"trace": [[1, 3.0, None, 0.0, 0, 0]]},
        {"trace": [[1, 0.0, 0.0, 0.0, 0, 0]]},
        {"trace": [["1", 3.0, 0.0, 0.0, 0, 0]]},
    ],
)
def test_what_is_no_change_is_refused(record):
    rejected = []
    try:
        change_of(record, rejected)
    except InvalidMemoryError:
        return
    assert rejected


def test_a_bad_memory_in_a_change_does_not_take_the_others_with_it():
    rejected = []
    change = change_of({"put": [{**GOOD, "importance": None}, GOOD], "drop": [7]}, rejected)
    assert ([m.id for m in change.puts], change.drops, len(rejected)) == ([1], (7,), 1)


# --- the state -----------------------------------------------------------------------------------


@given(st.lists(any_change(), max_size=10))
@settings(max_examples=100)
def test_look_ups_of_the_state_equal_full_scans(changes):
    state = applied(*changes)
    held = state.memories
    for entity in ("", "Ann", "ANN", "McDonald", "nobody"):
        about = sorted(i for i, m in held.items() if entity_key(m.entity) == entity_key(entity))
        assert list(state.ids_about(entity)) == about
        assert state.about(entity) == [held[i] for i in about]
    for slot in filter(None, map(slot_of, held.values())):
        assert state.chain(slot) == [held[i] for i in sorted(held) if slot_of(held[i]) == slot]
    assert state.chain(("fact", "nobody", "nothing")) == []
    assert state.next_id > max([0, *(one.id for change in changes for one in change.puts)])
    ends = {i: m.valid_until for i, m in held.items() if m.current and m.valid_until is not None}
    assert state.ending == ends


@given(st.lists(any_change(traces=False), max_size=10))
@settings(max_examples=150)
def test_names_of_the_state_are_those_of_its_entities(changes):
    state = applied(*changes)
    known = {term for m in state.memories.values() for term in terms(m.entity)}
    asked = ["ann", "mcdonald", "mc", "donald", "bo"]
    assert state.names_in(asked) == known.intersection(asked)


def test_a_name_is_no_name_when_its_last_spelling_is_forgotten():
    state = State()
    state.put(memory(1, entity="McDonald"))
    state.put(memory(2, entity="mcdonald"))
    assert state.names_in(["donald"]) == {"donald"}
    state.drop(1)
    state.drop(2)
    assert state.names_in(["mcdonald", "mc", "donald"]) == frozenset()


def free_text(m):
    return m.kind in ("reflection", "impression")


@given(st.lists(any_change(traces=False), max_size=10), small_memory())
@settings(max_examples=150)
def test_exact_words_are_found_as_by_a_full_scan(changes, draft):
    draft = replace(draft, kind="reflection")
    state = applied(*changes)
    same = {
        i
        for i, m in state.memories.items()
        if free_text(m) and m.current and (m.kind, m.text) == (draft.kind, draft.text)
        and entity_key(m.entity) == entity_key(draft.entity)
    }  # fmt: skip
    found = state.same_text(draft)
    assert (found and found.id) in (same or {None})


@given(st.lists(any_change(traces=False), max_size=8))
def test_wordings_are_those_linked_by_corrections(changes):
    state = applied(*changes)
    linked = Counter()
    for one in state.memories.values():
        if one.corrects is not None:
            linked[one.id, one.corrects] = linked[one.corrects, one.id] = 1
    for start in state.memories:
        reached = {start}
        for _ in range(6):
            reached |= {b for a, b in linked if a in reached}
        assert state.wordings(start) == sorted(reached & state.memories.keys())


@given(st.lists(any_change(), max_size=6))
def test_a_trace_changes_only_the_soft_part(changes):
    state = applied(*changes)
    for number, old in list(state.memories.items()):
        trace = Trace(number, 9.0, 1.0, 2.0, 3, 4)
        state.trace(trace)
        new = state.memories[number]
        assert new == traced(old, trace)
        assert memory_record(replace(new, stability=3.0))["text"] == old.text
    state.trace(Trace(99, 9.0, 1.0, 2.0, 3, 4))
    assert 99 not in state.memories


# --- export and import ---------------------------------------------------------------------------


def test_export_and_import_are_lossless_and_idempotent(mem, clock):
    from vividmem import VividMem

    mem.add_self_reflection("broken \ud83d emoji", tags=["a"], meta={"k": [1, None]})
    mem.add_fact("Ann", "city", "Oslo")
    clock.days(1)
    mem.add_fact("Ann", "city", "Ghent", valid_until="2030-01-01")
    mem.correct(1, "whole now")
    mem.resonate("Ghent")
    export = json.loads(json.dumps(mem.export()))
    with VividMem(clock=clock, config={"timezone": "UTC"}) as other:
        assert other.import_(export) == [m.id for m in mem.memories()]
        assert other.memories() == mem.memories()
        assert other.export() == mem.export()
        assert other.import_(export) == []
        assert other.export() == mem.export()


@pytest.mark.parametrize("number", [2**32, 2**40, 2**70])
def test_an_id_too_large_for_the_index_is_refused_or_replaced(mem, number):
    record = memory_record(memory(number, "the harbour froze"))
    try:
        mem.import_({"vividmem": 1, "memories": [record]})
    except InvalidMemoryError:
        assert mem.memories() == []
    else:
        assert mem.resonate("harbour froze")[0].text == "the harbour froze"


def test_a_bad_record_stops_an_import_before_anything_changes(mem):
    records = [memory_record(memory(n, f"text {n}")) for n in (1, 2)]
    records.append({**GOOD, "id": 3, "importance": None})
    with pytest.raises(InvalidMemoryError, match="record 3"):
        mem.import_({"vividmem": 1, "memories": records})
    assert mem.memories() == []


@pytest.mark.parametrize(
    "data", [None, [], {}, {"memories": 5}, {"vividmem": 99, "memories": []}, {"memories": [5]},
             {"vividmem": "1", "memories": []}, {"memories": [GOOD, GOOD]}]
)  # fmt: skip
def test_what_is_no_export_is_refused(mem, data):
    with pytest.raises(InvalidMemoryError):
        mem.import_(data)
