"""Bad input for every public call: an error of the right class names the field, nothing changes."""

import json
import re

import pytest

import vividmem
from vividmem import (
    ConfigError,
    CorruptStoreError,
    InvalidMemoryError,
    LockTimeoutError,
    ReadOnlyStoreError,
    StoreError,
    UnknownMemoryError,
    VividMem,
    VividMemError,
)

NAN, INF = float("nan"), float("inf")
ENDLESS = 10**5000  # Python refuses to write so many digits out


def nested(depth, inside=None):
    """A list in a list in a list ..."""
    for _ in range(depth):
        inside = [inside]
    return inside


class Odd:
    """Nothing any call can use."""

    def __repr__(self):
        return "<odd>"


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """A store with one memory of each kind and one outdated; no test may change it."""
    folder = tmp_path_factory.mktemp("errors") / "agent"
    config = {"timezone": "UTC", "store": {"durability": "os"}}
    with VividMem(folder, clock=lambda: 1767603600.0, config=config) as mem:
        mem.add_self_reflection("Rosa keeps bees", "happy", 7, tags=["x"], meta={"k": 1})
        mem.add_social_impression("Ana", "collects stamps")
        mem.add_fact("Ana", "city", "Turku")
        mem.update_entity_preference("Ana", "music", "jazz")
        mem.correct(2, "collects coins")
        mem.folder = folder
        yield mem


def picture(mem):
    files = {path.name: path.read_bytes() for path in mem.folder.iterdir()}
    return json.dumps(mem.export()), mem.get_context_block("Ana", "bees?"), files


def refused(mem, field, kinds, call):
    """Assert that *call* raises one of ours that names *field*, and changes nothing."""
    before = picture(mem)
    with pytest.raises(VividMemError) as caught:
        call(mem)
    assert isinstance(caught.value, kinds)
    assert re.search(rf"\b{field}\b", str(caught.value)), str(caught.value)
    assert len(str(caught.value)) < 1000
    assert "Traceback" not in str(caught.value)
    assert picture(mem) == before


NOT_TEXT = [None, b"bytes", 5, 2.5, NAN, True, ["list"], {"a": 1}, Odd()]
BLANK = ["", " ", "\n\t ", "\u3000", "\u00a0"]
UNFIT_NAMES = [
    " x",
    "x ",
    "x\n",
    "a\nb",
    "a\tb",
    "a\0b",
    "a\x1bb",
    "a\x7fb",
    "a\x85b",
    "a\u2028b",
    "x" * 201,
]
NOT_NUMBERS = [None, "5", "high", "8/10", b"5", [5], {}, NAN, INF, -INF, True, False, 5j, Odd()]
NOT_NUMBERS += [ENDLESS, [ENDLESS], "x" * 5000]
NOT_TIMES = [
    "yesterday",
    "",
    "2026-13-01",
    "2026-02-30",
    "12:00",
    b"2026-01-01",
    NAN,
    INF,
    -INF,
    1e20,
    True,
    [2026],
    {},
    ENDLESS,
    "2026" * 2000,
    Odd(),
]
NOT_NAME_LISTS = [
    "anchored",
    b"x",
    5,
    None,
    [None],
    [5],
    [b"x"],
    [""],
    [" "],
    ["a\nb"],
    ["x" * 201],
    [["x"]],
    Odd(),
]
NOT_META = [
    "text",
    b"x",
    5,
    [1],
    [("a", 1)],
    {"a": NAN},
    {"a": INF},
    {"a": b"x"},
    {"a": Odd()},
    {"a": {1, 2}},
    {(1, 2): 3},
    {"a": "x" * 10_001},
    {"a": ENDLESS},
    {"a": nested(600)},
    {"token": nested(600)},
    {"a": nested(100_000)},
    True,
    Odd(),
]
LONG = "x" * 20_001
ID_TYPES = [None, "1", b"1", 1.0, NAN, True, [1], Odd()]
NO_IDS = [0, -1, 99, 10**30]

reflection = {
    "add_self_reflection": lambda mem, **o: mem.add_self_reflection(**{"text": "new", **o})
}
impression = {
    "add_social_impression": lambda mem, **o: mem.add_social_impression(
        **{"entity": "Ben", "text": "new", **o}
    )
}
fact = {
    "add_fact": lambda mem, **o: mem.add_fact(
        **{"entity": "Ben", "attribute": "a", "value": "v", **o}
    )
}
preference = {
    "update_entity_preference": lambda mem, **o: mem.update_entity_preference(
        **{"entity": "Ben", "category": "c", "item": "i", **o}
    )
}
free = reflection | impression
adds = free | fact | preference
resonate = {"resonate": lambda mem, **o: mem.resonate(**{"query": "bees", **o})}
block = {"get_context_block": lambda mem, **o: mem.get_context_block(**o)}

# (calls, option, field the message names, bad values)
TABLE = [
    (free, "text", "text", [*NOT_TEXT, *BLANK, LONG]),
    (free, "emotion", "emotion", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (free, "importance", "importance", [*NOT_NUMBERS, -5, 0, 0.99, 10.01, 11, 1e9, 10**400]),
    (free, "when", "when", NOT_TIMES),
    (free, "episode", "episode", [*NOT_TEXT[1:], " ", *UNFIT_NAMES]),
    (free, "why_saved", "why_saved", [*NOT_TEXT, LONG]),
    (free, "why_importance", "why_importance", [*NOT_TEXT, LONG]),
    (free, "why_emotion", "why_emotion", [*NOT_TEXT, LONG]),
    (adds, "source", "source", [*NOT_TEXT[1:], " ", *UNFIT_NAMES]),
    (adds, "tags", "tags", NOT_NAME_LISTS),
    (adds, "meta", "meta", NOT_META),
    (impression | fact | preference, "entity", "entity", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (fact, "attribute", "attribute", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (
        fact,
        "value",
        "value",
        [None, b"v", True, False, NAN, INF, -INF, ENDLESS, ["v"], {}, Odd(), *BLANK, LONG],
    ),
    (fact, "confidence", "confidence", [*NOT_NUMBERS, -0.01, 1.01, 1e9]),
    (fact, "valid_from", "valid_from", NOT_TIMES),
    (fact, "valid_until", "valid_until", NOT_TIMES),
    (preference, "category", "category", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (preference, "item", "item", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (preference, "sentiment", "sentiment", [*NOT_TEXT, *BLANK, *UNFIT_NAMES]),
    (resonate, "query", "query", NOT_TEXT),
    (resonate, "limit", "limit", [*NOT_NUMBERS, 0, -1, 2.5, 1e9]),
    (resonate, "entity", "entity", [*NOT_TEXT[1:], "x" * 201]),
    (
        resonate,
        "kinds",
        "kinds?",
        ["fact", b"fact", 5, ["hunch"], ["Fact"], [None], [5], [""], ["fact", "x"], Odd()],
    ),
    (resonate, "tags", "tags", NOT_NAME_LISTS),
    (resonate, "as_of", "as_of", NOT_TIMES),
    (block, "current_entity", "current_entity", [*NOT_TEXT[1:], " ", *UNFIT_NAMES]),
    (block, "conversation_context", "conversation_context", NOT_TEXT),
    (block, "max_tokens", "max_tokens", [*NOT_NUMBERS, -1, -0.5, 1e9]),
    ({"facts": lambda mem, **o: mem.facts(**o)}, "entity", "entity", NOT_TEXT[1:]),
    ({"facts": lambda mem, **o: mem.facts(**o)}, "as_of", "as_of", NOT_TIMES),
    ({"preferences": lambda mem, **o: mem.preferences(**o)}, "entity", "entity", NOT_TEXT),
    ({"history": lambda mem, **o: mem.history(**o)}, "entity", "entity", NOT_TEXT),
    (
        {"history": lambda mem, **o: mem.history("Ana", **o)},
        "attribute",
        "attribute",
        [*NOT_TEXT[1:], *BLANK, *UNFIT_NAMES],
    ),
    (
        {"memories": lambda mem, **o: mem.memories(**o)},
        "kind",
        "kinds?",
        ["hunch", "", b"fact", 5, True, ["fact"], Odd()],
    ),
    ({"memories": lambda mem, **o: mem.memories(**o)}, "entity", "entity", NOT_TEXT[1:]),
    (
        {"memories": lambda mem, **o: mem.memories(**o)},
        "after",
        "after",
        ["1", b"1", NAN, [1], True, Odd()],
    ),
    (
        {"memories": lambda mem, **o: mem.memories(**o)},
        "limit",
        "limit",
        [*NOT_NUMBERS, 0, -1, 2.5, 1e9],
    ),
    ({"correct": lambda mem, **o: mem.correct(1, **o)}, "text", "text", [*NOT_TEXT, *BLANK, LONG]),
    (
        {"forget_entity": lambda mem, **o: mem.forget_entity(**o)},
        "entity",
        "entity",
        [*NOT_TEXT, *BLANK, *UNFIT_NAMES],
    ),
    (
        {
            name: lambda mem, name=name, **o: getattr(mem, name)(*o.values())
            for name in ("recall", "forget", "forecast")
        }
        | {"correct": lambda mem, **o: mem.correct(*o.values(), "new")},
        "memory_id",
        "memory_id",
        ID_TYPES,
    ),
]


def named(value):
    try:
        shown = ascii(value)
    except (ValueError, RecursionError):
        shown = "endless"
    return shown if len(shown) < 24 else f"{shown[:12]}~{len(shown)}"


CASES = [
    pytest.param(call, option, field, bad, id=f"{name}-{option}-{named(bad)}")
    for calls, option, field, values in TABLE
    for name, call in calls.items()
    for bad in values
]


@pytest.mark.parametrize(("call", "option", "field", "bad"), CASES)
def test_a_bad_argument_is_refused_by_name_and_nothing_changes(used, call, option, field, bad):
    refused(used, field, (ValueError, TypeError), lambda mem: call(mem, **{option: bad}))


@pytest.mark.parametrize("name", ["recall", "forget", "forecast", "correct"])
@pytest.mark.parametrize("unknown", NO_IDS)
def test_an_unknown_id_is_a_key_error_that_names_it(used, name, unknown):
    more = ("new",) if name == "correct" else ()
    refused(
        used, re.escape(str(abs(unknown))), KeyError, lambda mem: getattr(mem, name)(unknown, *more)
    )


@pytest.mark.parametrize("name", ["recall", "forget", "forecast", "correct"])
def test_an_id_of_thousands_of_digits_is_unknown(used, name):
    more = ("new",) if name == "correct" else ()
    refused(used, "no memory", KeyError, lambda mem: getattr(mem, name)(ENDLESS, *more))


@pytest.mark.parametrize(("call", "option", "field", "bad"), CASES[:: len(CASES) // 60])
def test_a_bad_argument_inside_a_batch_leaves_the_batch_alone(call, option, field, bad):
    with VividMem(clock=lambda: 1767603600.0) as mem:
        with mem.batch():
            mem.add_self_reflection("Rosa keeps bees")
            mem.add_social_impression("Ana", "collects stamps")
            with pytest.raises(VividMemError):
                call(mem, **{option: bad})
        assert [m.text for m in mem.memories()] == ["Rosa keeps bees", "collects stamps"]


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (mem_call, options)
        for mem_call, options in [
            (reflection["add_self_reflection"], {"importance": 1}),
            (reflection["add_self_reflection"], {"importance": 10.0}),
            (reflection["add_self_reflection"], {"text": "x" * 20_000}),
            (reflection["add_self_reflection"], {"text": "tab\tand\nline \x07 bell"}),
            (
                reflection["add_self_reflection"],
                {"tags": (), "meta": {}, "episode": "", "source": ""},
            ),
            (reflection["add_self_reflection"], {"when": 0}),
            (reflection["add_self_reflection"], {"when": -1e9}),
            (reflection["add_self_reflection"], {"meta": {"a": {"b": [1, 2.5, "x", None, True]}}}),
            (impression["add_social_impression"], {"entity": "x" * 200}),
            (impression["add_social_impression"], {"entity": "👩‍👩‍👧 \u200d"}),
            (fact["add_fact"], {"confidence": 0}),
            (fact["add_fact"], {"value": 0}),
            (resonate["resonate"], {"query": ""}),
            (resonate["resonate"], {"query": "\0\x1b[31m"}),
            (resonate["resonate"], {"limit": 10_000}),
            (block["get_context_block"], {"max_tokens": 0}),
            (block["get_context_block"], {"conversation_context": "\n \n"}),
        ]
    ],
)
def test_what_lies_just_inside_the_bounds_is_taken(mem, call, options):
    call(mem, **options)


@pytest.mark.parametrize("count", ["5", None, NAN, -1, [5], Odd()], ids=repr)
def test_what_is_no_count_of_tokens_is_refused_by_name(used, count):
    refused(
        used,
        "count_tokens",
        ValueError,
        lambda mem: mem.get_context_block("Ana", "bees", count_tokens=lambda text: count),
    )


@pytest.mark.parametrize("count", [5, 0, 2.5, True])
def test_any_number_is_a_count_of_tokens(used, count):
    assert used.get_context_block("Ana", "bees", count_tokens=lambda text: count)


def test_a_long_conversation_is_no_reason_to_refuse_a_block(mem):
    mem.add_self_reflection("Rosa keeps bees")
    talk = (
        "user: hello there, how was the week?\nassistant: quiet.\n" * 1000 + "user: and the bees?"
    )
    assert "Rosa keeps bees" in mem.get_context_block("", talk)


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (ConfigError, ValueError),
        (InvalidMemoryError, ValueError),
        (UnknownMemoryError, KeyError),
        (StoreError, OSError),
        (CorruptStoreError, ValueError),
        (ReadOnlyStoreError, PermissionError),
        (LockTimeoutError, TimeoutError),
    ],
)
def test_every_error_is_ours_and_the_builtin_a_caller_expects(error, builtin):
    assert issubclass(error, VividMemError)
    assert issubclass(error, builtin)
    assert error.__name__ in vividmem.__all__
    assert str(error("what happened")) == "what happened"


def test_an_error_does_not_repeat_a_secret_or_a_whole_text(mem):
    with pytest.raises(InvalidMemoryError) as caught:
        mem.add_self_reflection("hunter2 " * 5000)
    assert "hunter2" not in str(caught.value)
    with pytest.raises(InvalidMemoryError) as caught:
        mem.add_social_impression("n" * 10_000 + "\n", "text")
    assert len(str(caught.value)) < 1000


def test_nothing_is_printed_or_logged_of_what_is_stored(opened_quietly, capfd, caplog):
    caplog.set_level(0)
    mem = opened_quietly
    mem.add_self_reflection("the quagga sleeps")
    mem.resonate("quagga")
    mem.get_context_block("", "quagga")
    for call in (lambda: mem.add_self_reflection("quagga", importance=99), lambda: mem.recall(99)):
        with pytest.raises(VividMemError):
            call()
    mem.forget(1)
    mem.save()
    mem.close()
    out, err = capfd.readouterr()
    assert out == err == ""
    assert "quagga" not in caplog.text


@pytest.fixture
def opened_quietly(folder):
    with VividMem(folder, config={"store": {"durability": "os"}}) as mem:
        yield mem
