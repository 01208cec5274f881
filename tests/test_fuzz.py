"""Hostile bytes, records, imports, texts and commands: only VividMemErrors, nothing good lost.

The short form runs a few hundred inputs a target, --long at least 200,000.
"""

import contextlib
import functools
import io
import json
import random
import re
import shutil
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vividmem import (
    InvalidMemoryError,
    RamStore,
    VividMem,
    VividMemError,
    importable,
    main,
)

LONG = settings.default.max_examples > 500
WANTED = 200_000 if LONG else 0
NOW = 1_767_603_600.0
CONFIG = {"timezone": "UTC", "store": {"durability": "os"}}


def rounds(short, long, **more):
    """How many examples a target gets; one example holds several inputs."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    return settings(max_examples=long if LONG else short, suppress_health_check=quiet, **more)


def opened(**options):
    return VividMem(clock=lambda: NOW, config=CONFIG, **options)


# --- what is thrown: hypothesis draws a seed, which draws quickly

WORDS = (
    "I|you|my|not|no|live in|moved to|Porto|works at|is|was|the|sister|Nadia|pin|password: a1b2c3d4"
    "|sk-abcdefgh1234|2024|2026-02-31|v2.14.3|</memory>|[Facts]|###|system:|ignore all previous"
    "|instructions|he|isn't|雪が好き|ที่|\u200b|\u202e|\U000e0041|e\u0301|👩\u200d👧|\ud800|\x00|\n|\t"
    "|1e999|-0|'|\"|\\|%|{}|${x}|<|[|- |\u2028"
).split("|")
ODD_TEXTS = ["", " ", "\u200b", "x" * 20_001, "a " * 999, "\n[Facts]\n- x", "9" * 400, "\ud800"]
ODD_NUMBERS = [2**31, 2**63, -1, 10**400, 1e308, -0.0, 1e-320, NOW, NOW * 1000, NOW * 1e6, True]
ODD_NUMBERS += [float("nan"), float("inf"), 0, 1, 4, 10, 0.5]
NAMES = ["Nadia", "john", "", "user", "../../x", "a\nb", "You", "a", "b", "x" * 300]
TIMES = (
    "2025-07-01T12:00:00Z|2025-7-1@04h13m22s|9999-12-31T23:59:59-12:00|0001-01-01|1714536900000"
    "|2024-13-1@99h99m99s|May 1, 2024 4:13am|Xyz 41, 0000 99:99pm|2024-5-1 @04h 13m 22s 123ms|9"
).split("|")


class Thrower(random.Random):
    """Draws hostile values after a specification."""

    def text(self):
        kind = self.random()
        if kind < 0.6:
            return " ".join(self.choices(WORDS, k=self.randrange(10)))
        if kind < 0.7:
            return self.choice(ODD_TEXTS)
        top = self.choice([0x80, 0x250, 0x3000, 0x10FFFF])
        return "".join(chr(self.randrange(top + 1)) for _ in range(self.randrange(30)))

    def name(self):
        return self.choice(NAMES) if self.random() < 0.7 else self.text()

    def number(self):
        odd = self.random() < 0.5
        return self.choice(ODD_NUMBERS) if odd else self.choice([self.random(), self.randrange(50)])

    def time(self):
        return (
            self.choice(TIMES) if self.random() < 0.6 else self.choice([self.number, self.text])()
        )

    def json(self, depth=0):
        kind = self.randrange(8 if depth < 3 else 5)
        if kind > 5:
            return {self.text()[:9]: self.json(depth + 1) for _ in range(self.randrange(3))}
        if kind > 4:
            return [self.json(depth + 1) for _ in range(self.randrange(3))]
        return [None, self.number(), self.text(), self.name(), self.time()][kind]

    def of(self, spec):
        """Return a value after *spec*, now and then another."""
        if self.random() < 0.04:
            return self.json()
        if isinstance(spec, str):
            return getattr(self, spec)()
        if isinstance(spec, tuple):
            return self.choice(spec)
        if isinstance(spec, list):
            return [self.of(spec[0]) for _ in range(self.randrange(4))]
        left_out = self.choice([0, 0.1, 0.5])
        return {n: self.of(part) for n, part in spec.items() if self.random() >= left_out}


NODE = {
    "id": "name", "parent": ("a", "b", "c", "root", None),
    "message": {
        "id": "name", "author": {"role": ("user", "assistant", "system"), "name": "name"},
        "content": {"content_type": ("text",), "parts": ["text"]}, "create_time": "time",
    },
}  # fmt: skip
TALK = dict.fromkeys(["a", "b", "c", "root"], NODE)
TALK = {"conversation_id": "name", "current_node": ("a", "b", "c"), "create_time": "time",
        "mapping": TALK}  # fmt: skip
PREFERENCES = {"Ana": {"food": [{"item": "text", "sentiment": "name", "timestamp": "time"}]}}
VIVID = {
    "content": "text", "emotion": "name", "importance": "number", "timestamp": "time",
    "entity": "name", "access_count": "number", "last_access": "time", "stability": "number",
    "privacy": ("sealed", "public"), "anchor": (True, False), "attribute": "name", "value": "text",
    "description": "text", "task_id": "name", "parent_id": "name", "tags": ["text"],
    "action": "text", "result": "name", "name": "name", "problem_signature": "text",
    "solution": "text", "last_accessed": "time", "self_brief": "text",
    "entity_briefs": {"Ana": "text", "a\nb": "text"}, "entity_preferences": PREFERENCES,
}  # fmt: skip
ROWS = {
    "mcp": [
        {"type": ("entity",), "name": "name", "entityType": "name", "observations": ["text"]},
        {"type": ("relation",), "from": "name", "to": "name", "relationType": "name"},
    ],
    "mem0": [
        {"id": "name", "memory": "text", "user_id": "name", "agent_id": "name", "run_id": "name",
         "created_at": "time", "updated_at": "time", "metadata": "json", "categories": ["name"]},
    ],
    "chatgpt": [
        {"role": ("user", "assistant", "tool"), "content": "text", "created_at": "time"}, TALK,
    ],
    "sillytavern": [
        {"user_name": "name", "character_name": "name", "create_date": "time"},
        {"name": "name", "is_user": (True, False), "mes": "text", "send_date": "time",
         "swipes": ["text"], "swipe_id": "number"},
    ],
}  # fmt: skip
FILES = (
    "self_memory.json social/ana.json stm.json brief.json solutions.json other.json brief.enc"
    " projects/Hive/meta.json projects/Hive/tasks.json projects/../x/actions.json"
    " projects/Hive/artifacts.json"
).split()
KINDS = "reflection impression fact preference task brief gist project solution artifact action"
MEMORY = {
    "id": tuple(range(4, 40)), "kind": tuple(KINDS.split()), "text": "text", "when": "number",
    "learned": "number", "entity": "name", "emotion": "name", "importance": "number",
    "valid_from": "number", "valid_until": "number", "episode": "name", "tags": ["name"],
    "meta_json": ("", "{}", "{", "[]", '{"a": NaN}'), "sources": ["name"],
    "status": ("current", "superseded", "merged", "retracted"), "superseded_by": (1, 5, 6, 40),
    "corrects": (1, 4, 5, 6, 7), "attribute": "name", "value": "text", "sentiment": "name",
    "confidence": (0, 0.5, 1), "arousal": (0, 0.9), "seen": "number", "links": [(1, 4, 5, 6, 40)],
    "photograph_json": ("", '{"who": [], "what": "", "when": "", "where": []}', "[[[["),
    "work_json": ("", "{}", '{"state": "open"}', '{"needs": [1, 99]}', "[[[["),
    "stability": "number", "accessed": "number", "reinforced": "number", "spaced": "number",
    "recalls": "number", "drift": ["number"], "interference": ["number"],
}  # fmt: skip
SETTINGS = dict.fromkeys("mood chemistry gate reflection tasks forgotten imports x".split(), "json")
CHANGE = {"put": [MEMORY], "drop": [(4, 5, 6, 50)], "trace": [["number"]], "next": "number",
          "set": SETTINGS}  # fmt: skip


def claims_of(throw):
    words = [throw.text(), throw.choice(["home", "employer", "open", "x"]), throw.text()]
    flags = [throw.random() < 0.5, throw.choice(["current", "ended", "past", "x"]), True, False]
    return [*words, throw.text(), *flags, throw.text(), [throw.text()], 0.5, throw.randrange(40)]


def memory_of(throw):
    """A record that is nearly good, or one that is not."""
    wild = throw.of(MEMORY)
    if throw.random() < 0.4 or not isinstance(wild, dict):
        return wild
    kept = {name: wild[name] for name in throw.sample(sorted(wild), min(4, len(wild)))}
    good = {"id": throw.randrange(4, 40), "kind": "impression", "text": throw.text() or "x"}
    claims = {"claims": [claims_of(throw)]} if throw.random() < 0.3 else {}
    return {**good, "when": NOW - throw.randrange(10**8), **kept, **claims}


SEEDS = st.integers(0, 2**62).map(Thrower)


# --- targets


def told(line):
    """Say how much was thrown: shown by pytest -s."""
    sys.stderr.write(f"{line}\n")


def furnished(mem):
    """Put three good memories in and return what must never go."""
    mem.add_self_reflection("The heron came back to the pond")
    mem.add_fact("Nadia", "home town", "Porto")
    mem.observe("I keep bees on the roof", entity="Ana")
    return {memory.id: memory.text for memory in mem.memories()}


def assert_whole(mem, good):
    """The good memories are there, all can be asked, and what is kept can be read again."""
    held = {memory.id: memory.text for memory in mem.memories(limit=1_000_000)}
    assert good.items() <= held.items()
    mem.resonate("the heron at the pond where does Nadia live", reinforce=False)
    assert_well_formed(mem.get_context_block("Nadia", "heron pond Porto", max_tokens=500))
    exported = json.loads(json.dumps(mem.export()))
    with opened() as other:
        other.import_(exported)
        assert other.export()["memories"] == exported["memories"]


def assert_well_formed(block):
    rows = block.splitlines()
    if not rows:
        return
    assert (rows[0], rows[-1]) == ("<memory>", "</memory>")
    assert all(re.match(r"- |\[[A-Z]|\(truncated: ", row) for row in rows[1:-1]), rows
    assert block.count("<") == 2


@pytest.mark.parametrize("form", ROWS)
def test_hostile_imports_only_refuse(form):
    count = 0

    @given(SEEDS)
    @rounds(12, 8_400)
    def throw(thrower):
        nonlocal count
        rows = [thrower.of(thrower.choice(ROWS[form])) for _ in range(24)]
        count += len(rows)
        with opened() as mem:
            good = furnished(mem)
            with contextlib.suppress(InvalidMemoryError):
                mem.import_(rows, form=form)
            assert_whole(mem, good)
            before = mem.export()
            with contextlib.suppress(InvalidMemoryError):
                assert mem.import_(rows, form=form) == []
            assert mem.export() == before

    try:
        throw()
    finally:
        told(f"{form}: {count} records")
    assert count >= WANTED


def records_in(content):
    return len(content) if isinstance(content, list) else 1


def test_hostile_folders_of_vividnessmem_only_refuse():
    count = 0

    @given(SEEDS)
    @rounds(15, 10_500)
    def throw(thrower):
        nonlocal count
        files = {name: thrower.of([VIVID]) for name in thrower.sample(FILES, 9)}
        files |= {
            "brief.json": thrower.of(VIVID),
            "stm.json": [thrower.of(VIVID) for _ in range(9)],
        }
        count += sum(map(records_in, files.values()))
        with opened() as mem:
            good = furnished(mem)
            with contextlib.suppress(InvalidMemoryError):
                mem.import_(files, form="vividnessmem")
            assert_whole(mem, good)
            before = mem.export()
            with contextlib.suppress(InvalidMemoryError):
                mem.import_(files, form="vividnessmem")
            assert mem.export() == before

    try:
        throw()
    finally:
        told(f"vividnessmem: {count} records")
    assert count >= WANTED


@given(SEEDS)
@rounds(60, 3_000)
def test_hostile_import_files_only_refuse(tmp_path_factory, thrower):
    row = thrower.of(thrower.choice(thrower.choice([*ROWS.values()])))
    text = json.dumps(thrower.choice([row, [row], [row, row]]))
    cut, junk = thrower.randrange(len(text)), thrower.randbytes(thrower.randrange(6))
    path = tmp_path_factory.getbasetemp() / "hostile.json"
    path.write_bytes(text[:cut].encode() + junk + text[cut:].encode())
    with opened() as mem:
        good = furnished(mem)
        with contextlib.suppress(VividMemError):
            mem.import_(importable(path))
        assert_whole(mem, good)


def test_hostile_payloads_behind_a_good_checksum_are_left_out():
    count = 0

    @given(SEEDS)
    @rounds(12, 10_100)
    def throw(thrower):
        nonlocal count
        store = RamStore()
        with opened(store=store) as mem:
            good = furnished(mem)
        other = store.handle()
        with other.lock():
            for _ in range(20):
                count += 1
                change = {**changed(thrower), "put": [memory_of(thrower)]}
                junk = thrower.random() < 0.1
                line = json.dumps(thrower.json() if junk else change).encode()
                if thrower.random() < 0.05:
                    line = line[: thrower.randrange(len(line))] + thrower.randbytes(3)
                other.read()
                other.append(line.replace(b"\n", b" "), durable=True)
        used(store, good)

    try:
        throw()
    finally:
        told(f"payload: {count} lines")
    assert count >= WANTED


def changed(thrower):
    found = thrower.of(CHANGE)
    found = found if isinstance(found, dict) else {}
    if isinstance(found.get("drop"), list):  # those three are rightly dropped if a line says so
        found["drop"] = [gone for gone in found["drop"] if gone not in (1, 2, 3)]
    return found


def used(store, good):
    """Open what holds hostile lines, use it, and open it again."""
    for _ in range(2):
        with opened(store=store.handle()) as mem:
            assert good.keys() <= {memory.id for memory in mem.memories(limit=1000)}
            with contextlib.suppress(VividMemError):
                mem.resonate("the heron where does Nadia live", include_history=True)
            assert_well_formed(mem.get_context_block("Nadia", "heron"))
            for ask in (mem.contradictions, mem.stats, mem.export, mem.tasks.open):
                ask()
            mem.observe("I moved to Ghent last week", entity="Nadia")
            mem.save()


def test_hostile_texts_are_stored_as_given_or_refused():
    count = 0

    @given(SEEDS)
    @rounds(12, 10_100)
    def throw(thrower):
        nonlocal count
        texts, name = [thrower.text() for _ in range(20)], thrower.name()
        count += len(texts)
        with opened() as mem:
            good = furnished(mem)
            for place, text in enumerate(texts):
                with contextlib.suppress(InvalidMemoryError):
                    say(mem, text, name, place % 6)
            mem.resonate(texts[0][:20_000], reinforce=bool(len(texts) % 2))
            with contextlib.suppress(InvalidMemoryError):
                assert_well_formed(mem.get_context_block(name, texts[-1], max_tokens=400))
            assert_whole(mem, good)

    try:
        throw()
    finally:
        told(f"text: {count} texts")
    assert count >= WANTED


def say(mem, text, name, way):
    """Bring *text* in by one of the doors."""
    if way == 0:
        assert_kept(mem.add_self_reflection(text).text, text)
    elif way == 1:
        mem.observe(text, entity="Nadia", source=name)
    elif way == 2:
        mem.add_social_impression(name, text, emotion=text[:20] or "sad", tags=[name], episode=name)
    elif way == 3:
        mem.add_fact("Nadia", text[:100], text)
    elif way == 4:
        mem.tasks.start(text, tags=[name])
    else:
        mem.update_entity_preference(name, "x", text, text[:30])


def assert_kept(stored, given_text):
    repaired = given_text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert (
        stored == repaired
        or "[secret" in stored
        or stored.casefold()[:5] == repaired.casefold()[:5]
    )


@functools.cache
def store_files(folder):
    with VividMem(folder, clock=lambda: NOW, config=CONFIG) as mem:
        good = furnished(mem)
        mem.save()
        mem.add_self_reflection("The telescope is repaired")
        good[max(good) + 1] = "The telescope is repaired"
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.stat().st_size}, good


def serve(folder, files, good):
    """Open the folder with these *files*; what is damaged must be told, the rest whole."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        mem = VividMem(folder, clock=lambda: NOW, config=CONFIG)
    except VividMemError:
        return
    with mem:
        held = {memory.id: memory.text for memory in mem.memories()}
        damaged = mem.stats()["damage"]
        assert damaged or good.items() <= held.items() or good.keys() - held.keys() == {max(good)}
        mem.resonate("heron pond", reinforce=False)
        with contextlib.suppress(VividMemError):
            mem.add_self_reflection("written after")
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    if damaged:
        assert all(kept[name] == content for name, content in files.items())


@pytest.mark.parametrize("kind", ["memory.json", "journal"])
def test_hostile_bytes_in_a_file_are_damage_or_harmless(kind, tmp_path_factory):
    count = 0
    files, good = store_files(tmp_path_factory.mktemp("good"))
    folder = tmp_path_factory.mktemp("bad")
    name = next(n for n in files if n.startswith(kind))

    @given(SEEDS)
    @rounds(30, 20_000)
    def throw(thrower):
        nonlocal count
        content = files[name]
        for _ in range(10):
            count += 1
            place = thrower.randrange(len(content) + 1)
            end = thrower.randrange(place, min(len(content), place + 40) + 1)
            some = thrower.randbytes(thrower.randrange(40))
            junk = thrower.choice([some, content[max(0, place - 30) : place]])
            serve(folder, files | {name: content[:place] + junk + content[end:]}, good)

    try:
        throw()
    finally:
        told(f"{kind}: {count} files")
    assert count >= WANTED


@pytest.mark.slow
def test_every_flipped_byte_and_every_truncation_of_a_small_store_is_survived(tmp_path):
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    files, good = store_files(tmp_path / "good")
    for name, content in files.items():
        for place in range(len(content)):
            serve(tmp_path / "bad", files | {name: content[:place]}, good)
            for value in range(256):
                broken = content[:place] + bytes([value]) + content[place + 1 :]
                serve(tmp_path / "bad", files | {name: broken}, good)


def test_every_truncation_and_a_flip_of_every_byte_is_survived(tmp_path):
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    files, good = store_files(tmp_path / "good")
    for name, content in files.items():
        for place in range(len(content)):
            serve(tmp_path / "bad", files | {name: content[:place]}, good)
            broken = content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
            serve(tmp_path / "bad", files | {name: broken}, good)


OPTIONS = (
    "--json --entity --limit -1 0 nan 1e999 - -- --when 2026-01-05 --tag --importance 11 --help x"
    " --as-of --history --kind --after --max-tokens --repair --plot --days --event --sleep --on"
).split()
COMMANDS = (
    "add observe fact resonate context facts history list forget stats doctor import forecast mood"
    " chem"
).split()


def test_hostile_commands_end_with_a_code(tmp_path_factory, monkeypatch):
    count = 0
    folder = tmp_path_factory.mktemp("agent")
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))

    @given(SEEDS)
    @rounds(80, 200_000)
    def throw(thrower):
        nonlocal count
        count += 1
        command = thrower.choice(COMMANDS)
        words = [thrower.choice([thrower.text()[:99], *thrower.sample(OPTIONS, 2)])
                 for _ in range(thrower.randrange(6))]  # fmt: skip
        if count % 50 == 1:
            shutil.rmtree(folder)
            with VividMem(folder, clock=lambda: NOW, config=CONFIG) as mem:
                furnished(mem)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = main([command, *words, "--dir", str(folder)])
            except SystemExit as done:
                code = done.code
        assert code in (0, 1, 2) and "Traceback" not in out.getvalue()

    try:
        throw()
    finally:
        told(f"commands: {count} command lines")
    assert count >= WANTED
