"""Hostile bytes, records, imports, texts and commands: only VividMemErrors, nothing good lost.

The short form runs a few hundred inputs a target, --long at least 200,000.
"""

import contextlib
import functools
import hashlib
import io
import json
import logging
import random
import re
import shutil
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vividmem
from looks import PASSWORD
from vividmem import (
    Config,
    FileStore,
    InvalidMemoryError,
    RamStore,
    VividMem,
    VividMemError,
    WrongKeyError,
    importable,
    main,
)

LONG = settings.default.max_examples > 500
WANTED = 200_000 if LONG else 0
NOW = 1_767_603_600.0
CONFIG = Config.of({"timezone": "UTC", "store": {"durability": "os", "scrypt_cost": 12}})
ZONES = [CONFIG, *(replace(CONFIG, timezone=zone) for zone in ("", "+14:00", "America/Lima"))]


def rounds(short, long, **more):
    """How many examples a target gets; one example holds several inputs."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
    return settings(max_examples=long if LONG else short, suppress_health_check=quiet, **more)


def opened(config=CONFIG, **options):
    return VividMem(clock=lambda: NOW, config=config, **options)


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
    "id": tuple(range(4, 99)), "kind": tuple(KINDS.split()), "text": "text", "when": "number",
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
    good = {"id": throw.randrange(4, 99), "kind": "impression", "text": throw.text() or "x"}
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
    @rounds(8, 2_800)
    def throw(thrower):
        nonlocal count
        rows = [thrower.of(thrower.choice(ROWS[form])) for _ in range(72)]
        count += len(rows)
        with opened(thrower.choice(ZONES)) as mem:
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
        with opened(thrower.choice(ZONES)) as mem:
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


def known_words():
    """The words the reader knows, by list, and those that fill a sentence."""
    rows = [row.partition(": ")[2] for row in vividmem.WORD_LISTS.split("\n")]
    lists = [words for words in map(re.compile(r"[\w'-]+").findall, rows) if words]
    filling = "the a an my our I he of in to is has was not and new me Mia Porto 12 . ,".split()
    return [*lists, sorted(vividmem.frames_of().telling)], filling


def test_any_words_that_the_reader_knows_can_be_observed_and_asked_for():
    lists, filling = known_words()

    @given(SEEDS)
    @rounds(40, 3_000)
    def throw(thrower):
        with opened() as mem:
            for _ in range(12):
                drawn = [thrower.choice(thrower.choice(lists)) for _ in range(8)]
                text = " ".join(
                    thrower.choice([word, *thrower.choices(filling, k=2)]) for word in drawn
                )
                assert mem.observe(text).action in ("store", "merge", "supersede", "skip"), text
                mem.resonate(f"{text}?", limit=3)

    throw()


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
    @rounds(8, 3_400)
    def throw(thrower):
        nonlocal count
        store = RamStore()
        config = thrower.choice(ZONES)
        with opened(config, store=store) as mem:
            good = furnished(mem)
        other = store.handle()
        with other.lock():
            for _ in range(60):
                count += 1
                change = {**changed(thrower), "put": [memory_of(thrower)]}
                junk = thrower.random() < 0.1
                line = json.dumps(thrower.json() if junk else change).encode()
                if thrower.random() < 0.05:
                    line = line[: thrower.randrange(len(line))] + thrower.randbytes(3)
                other.read()
                other.append(line.replace(b"\n", b" "), durable=True)
        used(store, good, config)

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


def used(store, good, config):
    """Open what holds hostile lines, use it, and open it again."""
    for _ in range(2):
        with opened(config, store=store.handle()) as mem:
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
    @rounds(8, 3_400)
    def throw(thrower):
        nonlocal count
        texts, name = [thrower.text() for _ in range(60)], thrower.name()
        count += len(texts)
        with opened(thrower.choice(ZONES)) as mem:
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
        assert_kept(mem.add_self_reflection(text), text)
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


def assert_kept(memory, given_text):
    """It is what was given, without its secrets, or the memory that was there and says so."""
    repaired = given_text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert memory.text == repaired or "[secret" in memory.text or memory.seen > 1


@functools.cache
def store_files(folder, password=None):
    """Write a small store; return what its files hold, and its texts by id."""
    with VividMem(folder, password=password, clock=lambda: NOW, config=CONFIG) as mem:
        good = furnished(mem)
        mem.save()
        mem.add_self_reflection("The telescope is repaired")
        good[max(good) + 1] = "The telescope is repaired"
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.stat().st_size}, good


def laid_out(folder, files):
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def assert_untouched(folder, files):
    assert all((folder / name).read_bytes() == content for name, content in files.items())


def lines_of(folder, password):
    """What a store serves of a folder: the lines of the snapshot, those of the journal, damage."""
    store = FileStore(folder, CONFIG.store, password=password)
    with contextlib.closing(store):
        replay = store.read()
        return replay.snapshot, replay.journal, store.damage()


def serve_lines(folder, files, good, password=None):
    """Read the lines of these *files* as a store; what is damaged must be told, the rest whole."""
    laid_out(folder, files)
    try:
        snapshot, journal, damaged = lines_of(folder, password)
    except VividMemError:
        assert_untouched(folder, files)
        return
    assert {*snapshot} <= {*good[0]} and {*journal} <= {*good[1]}
    assert damaged or (snapshot == good[0] and journal in (good[1], good[1][:-1]))
    store = FileStore(folder, CONFIG.store, password=password)
    with contextlib.closing(store), contextlib.suppress(VividMemError), store.lock():
        store.read()
        store.append(b"{}", durable=False)
    if damaged:
        assert_untouched(folder, files)
    else:
        assert lines_of(folder, password)[1] == [*journal, b"{}"]


def serve(folder, files, good, password=None):
    """Open the folder with these *files*; what is damaged must be told, the rest whole."""
    laid_out(folder, files)
    try:
        mem = VividMem(folder, password=password, clock=lambda: NOW, config=CONFIG)
    except VividMemError:
        return
    with mem:
        held = {memory.id: memory.text for memory in mem.memories()}
        damaged = mem.stats()["damage"]
        assert held.items() <= good.items()
        assert damaged or held == good or good.keys() - held.keys() == {max(good)}
        mem.resonate("heron pond", reinforce=False)
        with contextlib.suppress(VividMemError):
            mem.add_self_reflection("written after")
    if damaged:
        assert_untouched(folder, files)


@pytest.fixture(params=[None, PASSWORD], ids=["plain", "encrypted"])
def small_store(request, tmp_path_factory, monkeypatch, keys_once):
    """What the files of a small store hold; a function that serves it with others instead.

    It opens them as a memory if *whole*, else it only reads their lines, which is quicker.
    """
    if request.param:
        pytest.importorskip("cryptography")
    monkeypatch.setattr(logging.getLogger("vividmem"), "disabled", True)
    files, good = store_files(tmp_path_factory.mktemp("good"), request.param)
    folder = tmp_path_factory.mktemp("bad")

    laid_out(folder, files)
    lines = lines_of(folder, request.param)

    def serve_with(name, content, *, whole):
        way, expected = (serve, good) if whole else (serve_lines, lines)
        way(folder, files | {name: content}, expected, request.param)

    return files, serve_with


@pytest.mark.parametrize("kind", ["memory.json", "journal", "memory.key"])
def test_hostile_bytes_in_a_file_are_damage_or_harmless(kind, small_store):
    count, (files, serve_with) = 0, small_store
    sealed = "memory.key" in files
    name = next((n for n in files if n.startswith(kind)), "")
    if not name:
        pytest.skip("only an encrypted store has a key")

    @given(SEEDS)
    @rounds(30, 4_000 if sealed else 20_000)
    def throw(thrower):
        nonlocal count
        content = files[name]
        for each in range(10):
            count += 1
            place = thrower.randrange(len(content) + 1)
            end = thrower.randrange(place, min(len(content), place + 40) + 1)
            some = thrower.randbytes(thrower.randrange(40))
            junk = thrower.choice([some, content[max(0, place - 30) : place]])
            serve_with(name, content[:place] + junk + content[end:], whole=each == 0)

    try:
        throw()
    finally:
        told(f"{kind}{', encrypted' * sealed}: {count} files")
    assert count >= WANTED // (5 if sealed else 1)


def test_every_flipped_byte_and_every_truncation_of_a_small_store_is_survived(small_store):
    """One bit of each byte; --long: all other values of each byte, if encrypted all bits."""
    count, (files, serve_with) = 0, small_store
    flips = range(1, 256) if LONG else [1]
    if "memory.key" in files:
        if not LONG:
            pytest.skip("test_cipher.py flips a bit of each byte of an encrypted store")
        flips = [1 << bit for bit in range(8)]
    for name, content in files.items():
        for place in range(len(content)):
            serve_with(name, content[:place], whole=place % 8 == 0)
            for flip in flips:
                broken = content[:place] + bytes([content[place] ^ flip]) + content[place + 1 :]
                serve_with(name, broken, whole=place % 8 == 1 and flip == 1)
            count += 1 + len(flips)
    told(f"flipped and cut{', encrypted' * ('memory.key' in files)}: {count} files")


USAGE = """
add TEXT --entity NAME --emotion NAME --importance NUMBER --source NAME --when TIME --tag NAME
observe TEXT --entity NAME --speaker NAME --source NAME --when TIME
fact NAME NAME TEXT --valid-from TIME
resonate TEXT --limit NUMBER --entity NAME --as-of TIME --why --history --no-reinforce
context TEXT --entity NAME --max-tokens NUMBER
facts --entity NAME --as-of TIME
history NAME NAME
list --kind NAME --entity NAME --after NUMBER --limit NUMBER
forget ID ID --entity GHOST
stats
doctor --repair
export FILE
browse FILE
import FILE --format FORM --entity NAME --dry-run --source-password-file FILE
read FILE --ask TEXT --limit NUMBER --why
forecast ID --plot --days NUMBER
mood NAME NAME --reset
chem EVENT --intensity NUMBER --on --off --sleep NUMBER
rekey --password-file FILE
""".strip().splitlines()
SEALING = """
decrypt --password-file FILE
passwd --new-password-file FILE
encrypt --password-file FILE
""".strip().splitlines()
STRAY = "--json -1 nan -- - --help x --password-file --dir --version --limit= ''".split()
FILES_HERE = "- talk out memory.html nowhere .".split()
SCALAR = {
    "ID": lambda throw: str(throw.choice([*range(4, 20), 10**400, -1, "x", 99])),
    "NUMBER": lambda throw: str(throw.number()),
    "TIME": lambda throw: str(throw.time())[:999],
    "NAME": lambda throw: throw.name(),
    "TEXT": lambda throw: throw.text(),
    "GHOST": lambda throw: "ghost " + throw.text(),
    "FILE": lambda throw: throw.choice([*FILES_HERE, throw.text().replace("/", "")]),
    "FORM": lambda throw: throw.choice(["auto", "vividnessmem", *ROWS]),
    "EVENT": lambda throw: throw.choice(["achievement", "conflict", throw.name()]),
}


def words_of(throw):
    """A command line that is nearly right."""
    command, *parts = throw.choice(SEALING if throw.random() < 0.02 else USAGE).split()
    words, skipped = [command], False
    for part in parts:
        if part.startswith("--"):
            skipped = throw.random() < 0.6
            words += [part] * (not skipped)
        elif not skipped and throw.random() < 0.96:
            words.append(SCALAR[part](throw))
    if throw.random() < 0.1:
        words.insert(throw.randrange(len(words) + 1), throw.choice(STRAY))
    return words + ["--json"] * (throw.random() < 0.3)


def hostile_file(throw):
    """A transcript, or what some memory has exported, and a few bytes too many."""
    rows = [throw.of(throw.choice(throw.choice([*ROWS.values()]))) for _ in range(4)]
    lines = [*map(json.dumps, rows), f"Ana: {throw.text()}", f"[{throw.time()}] Ana: x"]
    text = throw.choice([json.dumps(rows), "\n".join(lines[:4]), "\n".join(lines[4:])])
    return text.encode("utf-8", "replace") + throw.randbytes(throw.choice([0, 0, 3]))


def run_here(words, stdin, patch):
    """Run a command line in this process; return code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    patch.setattr("sys.stdin", io.StringIO(stdin))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as done:
            code = done.code
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(params=[None, PASSWORD], ids=["plain", "encrypted"])
def agent(request, tmp_path, monkeypatch):
    """Make the memory folder of command lines anew; the current folder is another one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(logging.getLogger("vividmem"), "disabled", True)
    if request.param:
        pytest.importorskip("cryptography")
        monkeypatch.setenv("VIVIDMEM_PASSWORD", request.param)
        monkeypatch.setenv("VIVIDMEM_NEW_PASSWORD", request.param)
    dear, used = hashlib.scrypt, vividmem.hashlib
    monkeypatch.setattr(used, "scrypt", lambda word, **rest: dear(word, **{**rest, "n": 16}))

    def opened_anew():
        shutil.rmtree(tmp_path / "agent", ignore_errors=True)
        return reopened()

    def reopened():
        options = {"clock": lambda: NOW, "config": CONFIG}
        return VividMem(tmp_path / "agent", password=request.param, **options)

    return opened_anew, reopened


def test_hostile_commands_end_with_a_code_and_lose_nothing(agent, tmp_path, monkeypatch):
    count, reached, (opened_anew, reopened) = 0, 0, agent

    @given(SEEDS)
    @rounds(3, 2_000)
    def throw(thrower):
        nonlocal count, reached
        with opened_anew() as mem:
            good = furnished(mem)
        (tmp_path / "here" / "talk").write_bytes(hostile_file(thrower))
        for _ in range(50):
            words = [*words_of(thrower), "--dir", str(tmp_path / "agent")]
            code, out, err = run_here(words, thrower.text(), monkeypatch)
            assert code in (0, 1, 2) and "Traceback" not in err
            if code == 0 and "--json" in words and not {"--help", "--version"} & {*words}:
                json.loads(out)
            count, reached = count + 1, reached + (code < 2)
        try:
            mem = reopened()
        except WrongKeyError:  # decrypted, or encrypted, by a command of these
            return
        with mem:
            assert_whole(mem, good)

    try:
        throw()
    finally:
        told(f"commands: {count} command lines, {reached} of them no wrong usage")
    assert count >= WANTED // 2  # and as many in the other state
