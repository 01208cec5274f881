"""The command line, as real processes: `python -m vividmem COMMAND`, as quick as its byte code."""

import json
import os
import re
import select
import subprocess
import sys
import time
from html.parser import HTMLParser
from typing import NamedTuple

import pytest

from conftest import PATIENCE, ROOT
from vividmem import VividMem, curve, main

PROGRAM = [sys.executable, "-m", "vividmem"]
FILE = [sys.executable, str(ROOT / "vividmem.py")]  # compiled anew by each run
COMMANDS = (
    "demo read add observe fact resonate context facts history list forget stats doctor export"
    " import browse forecast encrypt decrypt rekey passwd"
).split()
TALK = """Alice: The heron came back to the pond today.
Bob: I will repair the telescope on Sunday.

Alice: My sister moved to Lisbon.
"""


class Done(NamedTuple):
    """How one process ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def environment(**changes):
    """The environment of every run: UTC, UTF-8, and no memory folder from outside."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("VIVIDMEM_")}
    usual = {"PYTHONPATH": str(ROOT), "TZ": "UTC", "PYTHONIOENCODING": "utf-8"}
    return kept | usual | changes


def run(*words, stdin="", cwd=None, program=PROGRAM, **changes):
    """Run the program; what holds for every run is asserted here."""
    done = subprocess.run(
        [*program, *map(str, words)],
        input=stdin.encode(),
        capture_output=True,
        cwd=cwd,
        env=environment(**changes),
        timeout=PATIENCE,
    )
    encoding = changes.get("PYTHONIOENCODING", "utf-8")
    streams = (done.stdout.decode(encoding), done.stderr.decode(encoding))
    out, err = (text.replace(os.linesep, "\n") for text in streams)
    done = Done(done.returncode, out, err)
    assert "Traceback" not in done.err, done.err
    assert done.code in (0, 1, 2)
    if done.code == 2:
        assert done.out == ""
    if done.code == 0:
        assert done.err == ""
    if "--json" in words and done.out:
        json.loads(done.out)
    return done


@pytest.fixture
def cli(folder):
    """Run a command on the test's folder; `cli.folder` is that folder."""

    def command(name, *words, code=0, **options):
        done = run(name, *words, "--dir", folder, **options)
        assert done.code == code, done
        return done

    command.folder = folder
    return command


def texts(done):
    return [record["text"] for record in done.json]


def words_on_disk(folder):
    return b"".join(path.read_bytes() for path in folder.iterdir())


def talk(tmp_path, text, name="talk.txt"):
    """Write *text* (or bytes) to a file and return its path."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# -- usage


def test_the_file_itself_is_that_program(cli):
    cli("add", "The heron came back", program=FILE)
    for words in (["list", "--json"], ["resonate", "heron"], ["stats", "--json"]):
        assert cli(*words, program=FILE) == cli(*words)
    assert run("list", program=FILE) == run("list")
    assert run("--help", program=FILE) == run("--help")
    assert run("nothing", program=FILE) == run("nothing")


def test_every_command_is_listed_and_explains_itself():
    helped = run("--help")
    assert helped.code == 0
    for name in COMMANDS:
        assert re.search(rf"^\s+{name}\s+\S", helped.out, re.MULTILINE), name
        assert "--json" in run(name, "--help").out


def test_the_version_is_printed():
    assert re.fullmatch(r"vividmem \d+\.\d+\S*\n", run("--version").out)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["dance"],
        ["resonate"],
        ["forget", "one"],
        ["list", "--limit", "many"],
        ["add", "text", "--importance", "high"],
        ["stats", "--colour"],
        ["no-such-file.txt", "--ask", "who?"],
    ],
)
def test_wrong_usage_is_code_2_and_says_so_on_stderr(words):
    done = run(*words)
    assert done.code == 2
    assert "usage:" in done.err


@pytest.mark.parametrize("name", ["add hello", "list", "stats", "doctor", "facts", "resonate x"])
def test_without_a_folder_a_command_names_both_ways_to_give_one(name, tmp_path):
    done = run(*name.split(), "--json", cwd=tmp_path)
    assert done.code in (1, 2)
    assert done.out == ""
    assert "--dir" in done.err
    assert "VIVIDMEM_DIR" in done.err
    assert list(tmp_path.iterdir()) == []


def test_the_folder_may_come_from_the_environment_and_dir_outranks_it(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert run("add", "the heron", VIVIDMEM_DIR=str(one)).code == 0
    assert run("add", "the telescope", "--dir", two, VIVIDMEM_DIR=str(one)).code == 0
    assert texts(run("list", "--json", VIVIDMEM_DIR=str(one))) == ["the heron"]
    assert texts(run("list", "--json", "--dir", two)) == ["the telescope"]


@pytest.mark.parametrize(
    "words",
    [
        ["add", "   "],
        ["add", "text", "--importance", "11"],
        ["add", "text", "--when", "someday"],
        ["add", "text", "--importance", "nan"],
        ["fact", "Alex", "", "blue"],
        ["list", "--limit", "-3"],
        ["list", "--kind", "dream"],
        ["forget"],
        ["forget", "77"],
        ["forecast", "77"],
        ["import", "no-such-file.json"],
        ["read", "no-such-file.txt"],
    ],
)
def test_what_is_refused_is_code_1_with_one_line_on_stderr(cli, words):
    done = cli(*words, "--json", code=1)
    assert done.out == ""
    assert re.fullmatch(r"vividmem: .{10,}\n", done.err)


def test_a_folder_that_cannot_be_one_is_refused(tmp_path):
    done = run("list", "--dir", talk(tmp_path, "a file"))
    assert (done.code, done.out) == (1, "")
    assert "talk.txt" in done.err


ASKING = (
    "list,doctor,doctor --repair,stats,resonate x,facts,history Alice,context,forecast 1,export,"
    "export out.json,browse,forget 1,forget --entity Alice"
).split(",")


@pytest.mark.parametrize("words", ASKING)
def test_what_adds_nothing_makes_no_folder(cli, tmp_path, words):
    done = cli(*words.split(), code=1, cwd=tmp_path)
    assert done.out == ""
    assert f"no memory folder at {cli.folder}" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["add x", "fact Alice town Porto", "read t.txt", "import e.json"])
def test_what_adds_makes_the_folder(cli, tmp_path, words):
    talk(tmp_path, TALK, "t.txt")
    talk(tmp_path, '{"vividmem": 1, "memories": []}', "e.json")
    cli(*words.split(), cwd=tmp_path)
    assert cli("doctor").out.startswith("sound")


# -- observe


def test_observe_prints_the_decision_and_makes_the_folder(cli):
    assert cli("observe", "I live in Porto").out.startswith("store: it is new\n")
    done = cli("observe", "I moved to Ghent")
    assert done.out.startswith("supersede: it replaces memory 1\n")
    assert "user: I moved to Ghent" in done.out and "user: I live in Porto" in done.out
    assert cli("observe", "-", stdin="I moved to Ghent!\n").out.startswith("merge: ")
    assert cli("observe", "thanks!").out == "skip: it is small talk\n"
    assert "I moved to Ghent" in cli("facts").out
    assert len(cli("history", "user", "home", "--json").json) == 2


def test_observe_takes_speaker_entity_source_and_time(cli):
    words = ["--speaker", "Pia", "--source", "chat:7", "--when", "2026-01-05T09:00Z"]
    told = cli("observe", "I live in Lyon", *words, "--json").json
    assert (told["action"], told["contradicts"]) == ("store", [])
    assert (told["memory"]["entity"], told["memory"]["sources"]) == ("Pia", ["chat:7"])
    assert told["memory"]["when"] == 1767603600.0
    assert 0 < told["threshold"] < told["surprise"] <= 1
    about = cli("observe", "I keep bees", "--entity", "Alex", "--json").json
    assert about["memory"]["entity"] == "Alex"
    mine = cli("observe", "I keep a diary", "--speaker", "assistant", "--json").json
    assert mine["memory"]["kind"] == "reflection"


@pytest.mark.parametrize(
    "words", [["   "], ["x", "--when", "soon"], ["x", "--entity", " y "], ["x", "--speaker", ""]]
)
def test_observe_refuses_what_cannot_be(cli, words):
    done = cli("observe", *words, code=1)
    assert done.out == "" and done.err.startswith("vividmem: ")


def test_context_prints_what_was_observed(cli):
    cli("observe", "I moved to Ghent", "--entity", "Alex")
    block = cli("context", "where does Alex live?", "--entity", "Alex", "--json").json
    assert "I moved to Ghent" in block["block"] and block["left_out"] == 0
    assert block["tokens"] <= 1200


# -- add, fact, resonate, context


def test_add_keeps_everything_it_is_told(cli):
    options = "--emotion joy --importance 8 --source chat:7 --episode e1 --when 2026-01-05T18:00"
    cli("add", "The heron came back", "--entity", "Alice", *options.split(), "--tag", "birds")
    (record,) = cli("list", "--json").json
    assert record["text"] == "The heron came back"
    assert (record["entity"], record["emotion"], record["importance"]) == ("Alice", "joy", 8)
    assert record["when"] == 1767636000
    assert (record["episode"], record["tags"]) == ("e1", ["birds"])
    assert "chat:7" in json.dumps(record)


def test_add_prints_the_memory_for_people_or_as_json(cli):
    assert re.search(r"^\s+1\s+20\d\d-\d\d-\d\d\s+The heron$", cli("add", "The heron").out, re.M)
    added = cli("add", "The telescope", "--json").json
    assert (added["id"], added["text"]) == (2, "The telescope")


def test_a_dash_takes_the_text_from_stdin(cli):
    cli("add", "-", stdin="The heron came back,\ntwice: é 雪 🙂\n")
    cli("fact", "Alice", "town", "-", stdin="Lisbon\n")
    assert texts(cli("list", "--json"))[0] == "The heron came back,\ntwice: é 雪 🙂"
    assert cli("facts", "--json").json[0]["value"] == "Lisbon"
    assert texts(cli("resonate", "-", "--json", stdin="heron"))[0].startswith("The heron")
    assert cli("add", "-", stdin="", code=1).out == ""


def test_a_text_of_several_lines_is_listed_on_one(cli):
    cli("add", "-", stdin="first\nsecond\n")
    assert len(cli("list").out.splitlines()) == 1


def test_resonate_shows_hits_scores_and_reasons(cli):
    cli("add", "The heron came back to the pond", "--entity", "Alice")
    cli("add", "The telescope needs a new mirror", "--entity", "Bob")
    plain = cli("resonate", "heron pond").out
    assert "Alice: The heron came back" in plain
    assert "telescope" not in plain
    assert "heron" in cli("resonate", "heron pond", "--why").out.splitlines()[1]
    (hit,) = cli("resonate", "heron pond", "--json").json
    assert hit["text"] == "The heron came back to the pond"
    assert hit["entity"] == "Alice"
    assert hit["score"] > 0
    assert 0 <= hit["confidence"] <= 1
    assert "heron" in hit["why"]["words"]
    assert cli("resonate", "heron", "--entity", "Bob", "--json").json == []
    assert cli("resonate", "aubergine recipes").out == "nothing known\n"


def test_resonate_reinforces_unless_told_not_to(cli):
    def recalls():
        return cli("list", "--json").json[0].get("recalls", 0)

    cli("add", "The heron came back")
    cli("resonate", "heron", "--no-reinforce")
    assert recalls() == 0
    cli("resonate", "heron")
    assert recalls() == 1


def test_resonate_brings_outdated_facts_only_when_asked_for(cli):
    cli("fact", "Alice", "town", "Porto")
    cli("fact", "Alice", "town", "Lisbon")
    assert texts(cli("resonate", "Alice town Porto Lisbon", "--json")) == ["Alice: town: Lisbon"]
    both = cli("resonate", "Alice town Porto Lisbon", "--history", "--json").json
    assert {hit["text"] for hit in both} == {"Alice: town: Lisbon", "Alice: town: Porto"}
    assert {hit["certainty"] for hit in both if "Porto" in hit["text"]} == {"outdated"}


def test_context_prints_a_block_within_its_budget(cli):
    cli("fact", "Alice", "town", "Lisbon")
    cli("add", "The heron came back to the pond", "--entity", "Alice")
    block = cli("context", "heron", "--entity", "Alice").out
    assert "Lisbon" in block
    assert "heron" in block
    shown = cli("context", "heron", "--entity", "Alice", "--max-tokens", "30", "--json").json
    assert shown["tokens"] <= 30
    assert shown["block"].strip() != block.strip()


# -- facts, history, list


def test_facts_are_those_of_now_or_of_the_time_asked_for(cli):
    cli("fact", "Alice", "town", "Porto", "--valid-from", "2025-01-01")
    cli("fact", "Alice", "town", "Lisbon", "--valid-from", "2026-03-01")

    def town(*words):
        return [fact["value"] for fact in cli("facts", *words, "--json").json]

    assert town() == town("--entity", "Alice") == ["Lisbon"]
    assert town("--as-of", "2026-02-01") == ["Porto"]
    assert town("--as-of", "2024-02-01") == []
    assert town("--entity", "Bob") == []
    assert cli("facts", "--as-of", "2024-02-01").out == "nothing known\n"


def test_history_tells_what_was_true_when(cli):
    cli("fact", "Alice", "town", "Porto", "--valid-from", "2025-01-01")
    cli("fact", "Alice", "town", "Lisbon", "--valid-from", "2026-03-01")
    cli("fact", "Alice", "pet", "heron")
    old, new = cli("history", "Alice", "town").out.splitlines()
    assert "Porto" in old
    assert "from 2025-01-01 until 2026-03-01" in old
    assert "from 2026-03-01" in new
    assert [fact["value"] for fact in cli("history", "Alice", "town", "--json").json] == [
        "Porto",
        "Lisbon",
    ]
    assert len(cli("history", "Alice", "--json").json) == 3


def test_list_turns_its_pages(cli, tmp_path):
    lines = "".join(f"Alice: number {word} of the list\n" for word in "one two six ten".split())
    cli("read", talk(tmp_path, lines))
    pages, last = [], 0
    while page := cli("list", "--limit", "3", "--after", str(last), "--json").json:
        pages.append(page)
        last = page[-1]["id"]
    assert [len(page) for page in pages] == [3, 1]
    assert [record["id"] for page in pages for record in page] == [1, 2, 3, 4]
    assert len(cli("list", "--limit", "3").out.splitlines()) == 3


def test_list_filters_by_kind_and_entity(cli):
    cli("fact", "Alice", "town", "Porto")
    cli("add", "The heron", "--entity", "Alice")
    cli("add", "The telescope", "--entity", "Bob")
    assert texts(cli("list", "--kind", "fact", "--json")) == ["Alice: town: Porto"]
    assert texts(cli("list", "--entity", "Bob", "--json")) == ["The telescope"]
    assert cli("list", "--entity", "Carol").out == "empty\n"


# -- forget, stats, doctor


def test_forget_erases_by_id_and_by_entity(cli):
    for word in ("heron", "otter", "badger"):
        cli("add", f"The {word}", "--entity", "Alice")
    cli("add", "The telescope", "--entity", "Bob")
    assert cli("forget", "1", "2").out == "forgotten: 1 2\n"
    words = words_on_disk(cli.folder)
    assert b"heron" not in words
    assert b"otter" not in words
    receipts = cli("forget", "--entity", "Alice", "--json").json
    assert [each["forgotten"] for each in receipts] == [[3]]
    assert b"badger" not in words_on_disk(cli.folder)
    assert texts(cli("list", "--json")) == ["The telescope"]
    assert cli("forget", "--entity", "Alice").out == "forgotten: nothing\n"


def test_forget_erases_all_of_its_ids_or_none(cli):
    for word in ("heron", "otter"):
        cli("add", f"The {word}", "--entity", "Alice")
    assert "99" in cli("forget", "1", "99", code=1).err
    assert texts(cli("list", "--json")) == ["The heron", "The otter"]
    assert cli("forget", "2", "1", "2").out == "forgotten: 2 1\n"


def test_stats_count(cli):
    cli("fact", "Alice", "town", "Porto")
    cli("add", "The telescope", "--entity", "Bob")
    found = cli("stats", "--json").json
    assert (found["memories"], found["entities"], found["damage"]) == (2, 2, [])
    assert found["kinds"] == {"fact": 1, "impression": 1}
    assert "memories: 2" in cli("stats").out


def test_doctor_finds_a_sound_folder_sound(cli):
    cli("add", "The heron")
    assert cli("doctor").out == "sound: 1 memories\n"
    assert cli("doctor", "--json").json == {"damage": [], "copies": [], "memories": 1}
    assert cli("doctor", "--repair").out == "sound: 1 memories\n"


def test_doctor_repairs_a_damaged_folder_and_keeps_copies(cli):
    for word in ("heron", "otter", "badger"):
        cli("add", f"The {word} was here")
    (journal,) = cli.folder.glob("journal-*.jsonl")
    damaged = journal.read_bytes().replace(b"otter", b"0tter")
    journal.write_bytes(damaged)

    done = cli("doctor", code=1)
    assert done.out.startswith("damaged")
    assert journal.name in done.out
    assert cli("doctor", "--json", code=1).json["damage"]
    assert journal.read_bytes() == damaged
    assert texts(cli("list", "--json")) == ["The heron was here", "The badger was here"]
    assert "doctor --repair" in cli("add", "one more", code=1).err

    repaired = cli("doctor", "--repair", "--json").json
    assert repaired["memories"] == 2
    kept = {(cli.folder / name).read_bytes() for name in repaired["copies"]}
    assert damaged in kept
    assert cli("doctor").out == "sound: 2 memories\n"
    cli("add", "one more")
    assert texts(cli("list", "--json"))[-1] == "one more"


# -- export, import, browse, forecast, demo


def test_export_and_import_lose_nothing_and_repeat_nothing(cli, tmp_path):
    cli("add", "The heron: é 雪 🙂 \u2028 end", "--entity", "Zoë", "--tag", "birds")
    cli("fact", "Alice", "town", "Porto")
    cli("fact", "Alice", "town", "Lisbon")
    exported = cli("export").out
    path = tmp_path / "all.json"
    assert str(path) in cli("export", path).out
    assert json.loads(exported) == json.loads(path.read_text(encoding="utf-8"))
    assert cli("export", "--json").json == json.loads(exported)

    other = tmp_path / "other"
    assert run("import", path, "--dir", other, "--json").json["new"] == [1, 2, 3]
    assert run("export", "--dir", other).out == exported
    assert run("import", "-", "--dir", other, stdin=exported).out == (
        "0 new memories from own (3 known)\n"
    )
    assert run("export", "--dir", other).out == exported


@pytest.mark.parametrize(
    "text", ["", "not JSON", "[1, 2]", '{"vividmem": 1}', '{"memories": [7]}', "\udcff"]
)
def test_what_is_no_export_is_refused_before_anything_changes(cli, tmp_path, text):
    cli("add", "The heron")
    path = talk(tmp_path, text.encode("utf-8", "surrogateescape"), "bad.json")
    assert cli("import", path, code=1).err.startswith("vividmem: ")
    assert texts(cli("list", "--json")) == ["The heron"]


class Tags(HTMLParser):
    """The elements of a page, as a browser would see them."""

    def __init__(self, page):
        super().__init__()
        self.found, self.script, self._inside = [], "", False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = tag == "script"

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        self.script += data if self._inside else ""


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "</script><b>out</b><!-- <script>",
    "\u2028 &lt;i&gt; \\u003c \"quoted\" 'so' `${x}`",
    "@ROWS@ é 雪 🙂",
)


def test_browse_writes_a_page_on_which_texts_stay_texts(cli, tmp_path):
    for text in HOSTILE:
        cli("add", text, "--entity", '"><img src=y onerror=alert(3)>', "--tag", "</script>")
    path = tmp_path / "page.html"
    assert str(path) in cli("browse", path).out
    page = path.read_text(encoding="utf-8")
    assert re.search(r"https?:", page) is None
    seen = Tags(page)
    names = [name for name, _ in seen.found]
    assert names.count("script") == 1
    assert not {"img", "b", "i", "iframe", "link", "base"} & set(names)
    assert not [key for _, attrs in seen.found for key in attrs if key in ("src", "href")]
    assert not [key for _, attrs in seen.found for key in attrs if key.startswith("on")]
    start = re.search(r"\brows\s*=\s*(?=\[)", seen.script).end()
    rows, _ = json.JSONDecoder().raw_decode(seen.script, start)
    assert rows == cli("export", "--json").json["memories"]
    assert [row["text"] for row in rows] == list(HOSTILE)
    assert "innerHTML" not in page
    assert "document.write" not in page


def test_browse_has_a_usual_name_and_an_empty_folder_a_page(cli, tmp_path):
    cli.folder.mkdir()
    assert cli("browse", "--json", cwd=tmp_path).json["file"] == "vividmem.html"
    assert "<!doctype html>" in (tmp_path / "vividmem.html").read_text(encoding="utf-8").lower()


def test_forecast_shows_how_a_memory_fades(cli):
    cli("add", "The heron")
    first, *points = cli("forecast", "1").out.splitlines()
    assert "fades: 20" in first
    assert all(re.match(r"\s*\d+ days\s+[01]\.\d\d", line) for line in points)
    found = cli("forecast", "1", "--json").json
    left = [retention for _, retention in found["points"]]
    assert left == sorted(left, reverse=True)
    assert left[-1] < left[0] <= 1


def test_demo_plays_without_leaving_anything(tmp_path):
    done = run("demo", cwd=tmp_path, TMPDIR=str(tmp_path))
    assert done.code == 0
    assert "replaces Porto" in done.out
    assert "nothing known" in done.out
    assert "day 89" in done.out
    assert list(tmp_path.iterdir()) == []
    assert len(run("demo", "--json").json) == len(done.out.splitlines())


# -- read


def test_read_remembers_a_transcript_and_answers(cli, tmp_path):
    done = cli("read", talk(tmp_path, TALK), "--ask", "Who repairs the telescope?")
    assert "3 utterances read" in done.out
    assert "? Who repairs the telescope?" in done.out
    assert "Bob: I will repair the telescope" in done.out
    records = cli("list", "--json").json
    assert [record["entity"] for record in records] == ["Alice", "Bob", "Alice"]
    assert records[2]["text"] == "My sister moved to Lisbon."


def test_read_answers_several_questions_with_reasons_or_as_json(tmp_path):
    path = talk(tmp_path, TALK)
    asked = ["--ask", "the heron", "--ask", "aubergine", "--limit", "1"]
    done = run("read", path, *asked, "--why")
    assert "nothing known" in done.out
    assert "heron" in done.out
    found = run("read", path, *asked, "--json").json
    assert found["utterances"] == 3
    assert [len(hits) for hits in found["answers"].values()] == [1, 0]
    assert list(found["answers"]) == ["the heron", "aubergine"]


def test_a_file_is_enough_to_read_it_and_without_a_folder_nothing_is_kept(tmp_path):
    talk(tmp_path, TALK)
    done = run("talk.txt", "--ask", "telescope?", cwd=tmp_path)
    assert done.code == 0
    assert "Bob: I will repair the telescope" in done.out
    assert [path.name for path in tmp_path.iterdir()] == ["talk.txt"]


def test_a_blank_line_starts_an_episode_and_lines_know_their_source(cli, tmp_path):
    cli("read", talk(tmp_path, f"\n\n{TALK}\n\n\nBob: Good night."))
    records = cli("list", "--json").json
    episodes = [record["episode"] for record in records]
    assert episodes[0] == episodes[1]
    assert len(set(episodes)) == 3
    assert "talk.txt:3" in json.dumps(records[0])
    assert "talk.txt:6" in json.dumps(records[2])


def test_times_in_a_transcript_become_the_times_of_the_memories(cli, tmp_path):
    lines = "[2026-01-05 18:00] Alice: The heron came.\n[2026-01-06T07:30:00Z] Bob: It left.\nHm.\n"
    cli("read", talk(tmp_path, lines))
    first, second, third = cli("list", "--json").json
    assert (first["when"], second["when"]) == (1767636000, 1767684600)
    assert (first["entity"], first["text"]) == ("Alice", "The heron came.")
    assert abs(third["when"] - time.time()) < 300
    assert third.get("entity", "") == ""


ROWS = [
    {"speaker": "Alice", "text": "The heron came.", "when": "2026-01-05T18:00:00Z", "session": 4},
    {"role": "Bob", "content": "It left: é 雪"},
    {"text": "Nobody said this."},
]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, ROWS)),
        "\n\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS) + "\n",
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2, ensure_ascii=False),
        "\ufeff" + "\r\n".join(map(json.dumps, ROWS)) + "\r\n",
    ],
    ids=["lines", "lines with blanks", "list", "indented list", "BOM and CRLF"],
)
def test_json_is_read_as_lines_or_as_one_list(cli, tmp_path, text):
    assert "3 utterances" in cli("read", talk(tmp_path, text, "talk.jsonl")).out
    first, second, third = cli("list", "--json").json
    assert (first["entity"], first["text"]) == ("Alice", "The heron came.")
    assert (first["when"], first["episode"]) == (1767636000, "4")
    assert (second["entity"], second["text"]) == ("Bob", "It left: é 雪")
    assert third.get("entity", "") == ""


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_text(cli, tmp_path):
    cli("read", talk(tmp_path, b"\xef\xbb\xbf" + TALK.replace("\n", "\r\n").encode()))
    records = cli("list", "--json").json
    assert records[0]["entity"] == "Alice"
    assert records[1]["text"] == "I will repair the telescope on Sunday."
    assert "\\r" not in json.dumps(records)


@pytest.mark.parametrize("bad", ['{"text": ', '{"speaker": "Bob"}', "7", '{"text": 7}', "Bob: hm"])
def test_a_bad_line_of_json_is_named_and_nothing_is_kept(cli, tmp_path, bad):
    lines = [json.dumps(ROWS[0]), bad, json.dumps(ROWS[2])]
    done = cli("read", talk(tmp_path, "\n".join(lines), "talk.jsonl"), code=1)
    assert "talk.jsonl:2" in done.err
    assert cli("list", "--json").json == []


@pytest.mark.parametrize(
    "text",
    [
        '[2026-01-05 18:00] Alice: The heron.\n{"text": "no JSON here"}\n',
        "[laughs] The heron.\n[1] The otter.\n",
        "{sighs} The heron.\nAlice: {}\n",
    ],
)
def test_a_plain_text_may_begin_with_a_bracket(cli, tmp_path, text):
    assert "2 utterances" in cli("read", talk(tmp_path, text)).out
    assert "The heron." in texts(cli("list", "--json"))[0]


def test_a_bad_time_in_a_transcript_leaves_nothing_behind(cli, tmp_path):
    lines = "Alice: The heron.\n[2026-13-45 18:00] Bob: It left.\n"
    assert "2026-13-45" in cli("read", talk(tmp_path, lines), code=1).err
    assert cli("list", "--json").json == []


def test_a_file_that_is_not_utf_8_is_refused_by_name(cli, tmp_path):
    done = cli("read", talk(tmp_path, "Zoë: hello".encode("latin-1")), code=1)
    assert "talk.txt" in done.err
    assert "UTF-8" in done.err.upper()


@pytest.mark.skipif(sys.platform == "win32", reason="no such rights there")
@pytest.mark.parametrize("command", ["export", "browse"])
def test_what_is_written_of_a_memory_is_for_its_owner_only(cli, tmp_path, command):
    cli("add", "The heron came back")
    cli(command, tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    (tmp_path / "out").chmod(0o640)  # the owner's choice
    cli(command, tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["x\0y", "x\ud800y"], ids=["NUL", "surrogate"])
@pytest.mark.parametrize("command", ["read", "import", "export", "browse", "list --password-file"])
def test_what_no_file_can_be_called_is_refused(folder, capsys, command, name):
    with VividMem(folder) as mem:
        mem.add_self_reflection("The heron came back")
    assert main([*command.split(), name, "--dir", str(folder)]) == 1
    assert "no file can be called" in capsys.readouterr().err


def test_an_empty_file_is_no_transcript_but_no_crash_either(cli, tmp_path):
    done = run("read", talk(tmp_path, ""), "--dir", cli.folder)
    assert done.code in (0, 1)


# -- terminals, pipes, encodings


def in_terminal(words, typed, *, own_stdout=True):
    """Run the program with a terminal for stdin; return exit code, stdout and the screen.

    *typed* are pairs: what must be on the screen before it is typed, and what is typed.
    """
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        stdin=theirs,
        stdout=theirs if own_stdout else subprocess.PIPE,
        stderr=theirs,
        env=environment(TERM="dumb"),
        close_fds=True,
    )
    os.close(theirs)
    screen = b""
    deadline = time.monotonic() + PATIENCE
    waiting = list(typed)
    while process.poll() is None and time.monotonic() < deadline:
        if waiting and (waiting[0][0] is None or waiting[0][0].encode() in screen):
            os.write(ours, waiting.pop(0)[1].encode())
        if select.select([ours], [], [], 0.05)[0]:
            try:
                screen += os.read(ours, 4096)
            except OSError:  # Linux: the other side is closed
                break
    out = b"" if own_stdout else process.communicate(timeout=PATIENCE)[0]
    code = process.wait(PATIENCE)
    while select.select([ours], [], [], 0)[0]:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        screen += more
    os.close(ours)
    assert b"Traceback" not in screen, screen
    return code, out.decode(), screen.decode()


@pytest.mark.parametrize("end", ["\n", "\x04"], ids=["empty line", "control-D"])
def test_without_ask_read_converses_at_a_terminal(tmp_path, end):
    typed = [("ask> ", "who repairs the telescope?\n"), ("I will repair the telescope", end)]
    code, _, screen = in_terminal(["read", talk(tmp_path, TALK)], typed)
    assert code == 0
    assert screen.count("ask> ") == 2
    assert "3 utterances read" in screen


def test_what_was_read_is_told_before_the_first_question(tmp_path):
    _, _, screen = in_terminal(["read", talk(tmp_path, TALK)], [("ask> ", "\n")])
    assert screen.index("3 utterances read") < screen.index("ask> ")


def test_a_conversation_leaves_only_json_on_stdout_if_asked_for(tmp_path):
    typed = [(None, "who repairs the telescope?\n\n")]
    words = ["read", talk(tmp_path, TALK), "--json"]
    code, out, _ = in_terminal(words, typed, own_stdout=False)
    assert code == 0
    assert list(json.loads(out)["answers"]) == ["who repairs the telescope?"]


def test_without_a_terminal_read_asks_nothing(cli, tmp_path):
    assert cli("read", talk(tmp_path, TALK), stdin="a question\n").out == "3 utterances read\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("words", [["list"], ["list", "--json"], ["resonate", "heron"], ["export"]])
def test_a_narrow_output_encoding_is_no_crash(cli, words, encoding):
    cli("add", "The heron of Zoë: 雪 🙂", "--entity", "Алиса")
    done = run(*words, "--dir", cli.folder, PYTHONIOENCODING=encoding)
    assert done.code == 0
    assert "The heron of Zo" in done.out
    if "--json" in words or words == ["export"]:
        assert "The heron of Zoë: 雪 🙂" in json.dumps(done.json, ensure_ascii=False)


def test_an_error_in_a_narrow_encoding_is_no_crash(cli):
    done = cli("facts", "--as-of", "雪", code=1, PYTHONIOENCODING="ascii")
    assert done.err.startswith("vividmem: ")


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are Unicode there")
def test_bytes_that_are_no_text_become_a_replacement_character(cli):
    done = subprocess.run(
        [*PROGRAM, "add", b"heron \xff", "--dir", cli.folder],
        capture_output=True,
        env=environment(),
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert texts(cli("list", "--json")) == ["heron \ufffd"]


def test_a_reader_that_goes_away_is_no_crash(cli, tmp_path):
    lines = "".join(f"Alice: {number} herons {'x' * 2000}\n" for number in range(100))
    cli("read", talk(tmp_path, lines))
    process = subprocess.Popen(
        [*PROGRAM, "export", "--dir", cli.folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    process.stdout.read(10)
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    process.wait(PATIENCE)
    assert "Traceback" not in err
    assert "Exception ignored" not in err


# -- forecast --plot, mood, chem


def test_the_curve_falls_to_its_floor(cli):
    cli("add", "The basement flooded, we lost everything")
    lines = cli("forecast", "1", "--plot").out.split("\n")
    rows = {line[:4].strip(): line[6:] for line in lines if " |" in line}
    assert rows["1.0"].startswith("*")
    assert set(rows["0.7"]) == {"-", "*"}
    assert rows["0.7"].endswith("*" * 20)
    assert not any(rows[height].strip() for height in ("0.6", "0.0"))
    assert lines[-2].split() == ["0", "45", "90", "days"]


def test_the_curve_of_an_ordinary_memory_reaches_zero_and_has_no_floor(cli):
    cli("add", "We had soup")
    out = cli("forecast", "1", "--plot", "--days", "30").out
    assert "-" not in out.split("\n", 2)[2].rsplit("     +", 1)[0].replace("\n", "")
    assert re.search(r"^ 0\.0 \|[ *]+\*$", out, re.M)
    assert "30 days" in out
    assert cli("forecast", "1", "--plot", "--days", "0", code=1).out == ""


def test_the_curve_of_a_task_bends_where_its_project_has_rested_long(clock):
    with VividMem(clock=clock) as mem:
        task = mem.tasks.start("Rebuild the indexer", priority=9)
        for _ in range(6):
            clock.days(2)
            mem.recall(task.id)
        found = mem.forecast(task.id)
    rows = [line[6:] for line in curve(found, 60) if " |" in line]
    tops = [[n for n, row in enumerate(rows) if row[c : c + 1] == "*"] for c in range(61)]
    for day, left in found.points[: len([day for day, _ in found.points if day <= 60])]:
        assert 10 - tops[int(day)][0] == pytest.approx(10 * left, abs=0.51)


def test_mood_takes_emotions_in_and_calms(cli):
    cli("add", "x")
    assert cli("mood").out.startswith("neutral")
    assert cli("mood", "sad", "sad", "sad").out.startswith("sad (pleasure -0.")
    shown = cli("mood", "--json").json
    assert shown["label"] == "sad"
    assert -0.5 < shown["pleasure"] < -0.3
    assert cli("mood", "--reset").out.startswith("neutral")


def test_chem_switches_pushes_and_sleeps(cli):
    cli("add", "x")
    assert cli("chem").out.startswith("off: dopamine: 0.50 ~ | cortisol: 0.30 ~")
    assert "encoding: 1." in cli("chem", "threat_detected", "--on").out
    raised = cli("chem", "--json").json
    assert raised["enabled"] is True
    assert raised["levels"]["cortisol"] > 0.45
    assert cli("chem", "--sleep", "24", "--json").json["levels"]["cortisol"] < 0.31
    assert cli("chem", "--off").out.startswith("off")
    assert cli("chem", "party", code=1).out == ""


# -- encryption


@pytest.fixture
def secret(tmp_path):
    """A file that holds a password."""
    pytest.importorskip("cryptography")
    (tmp_path / "password").write_text("open, sesame\n", encoding="utf-8")
    return tmp_path / "password"


def test_a_folder_is_encrypted_rekeyed_given_another_password_and_decrypted(cli, secret, tmp_path):
    cli("add", "The heron nests")
    assert "encrypted" in cli("encrypt", "--password-file", secret).out
    assert b"heron" not in words_on_disk(cli.folder)
    assert texts(cli("list", "--json", VIVIDMEM_PASSWORD="open, sesame")) == ["The heron nests"]
    (tmp_path / "new").write_text("another", encoding="utf-8")
    cli("passwd", "--password-file", secret, "--new-password-file", tmp_path / "new")
    assert "wrong password" in cli("list", "--password-file", secret, code=1).err
    assert cli("rekey", "--json", VIVIDMEM_PASSWORD="another").json == {"encrypted": True}
    cli("decrypt", VIVIDMEM_PASSWORD="another")
    assert texts(cli("list", "--json")) == ["The heron nests"]


def test_without_a_terminal_a_missing_password_is_an_error_that_names_the_ways(cli, secret):
    cli("add", "The heron", "--password-file", secret)
    for command in ("list", "decrypt", "stats"):
        err = cli(command, code=1).err
        assert "VIVIDMEM_PASSWORD" in err
        assert "--password-file" in err
    err = cli("passwd", "--password-file", secret, code=1).err
    assert "VIVIDMEM_NEW_PASSWORD" in err
    assert "is empty" in cli("list", code=1, VIVIDMEM_PASSWORD="").err
    assert "No such file" in cli("list", "--password-file", "nowhere", code=1).err


def test_a_password_for_a_plain_folder_is_refused_with_the_way_to_encrypt_it(cli):
    cli("add", "The heron")
    assert "vividmem encrypt" in cli("list", code=1, VIVIDMEM_PASSWORD="x").err


def test_a_password_is_never_taken_from_an_argument_nor_options_abbreviated(cli, tmp_path):
    for words in (["--password", "x"], ["--password-f", "x"], ["--js"]):
        assert "unrecognized" in cli("list", *words, code=2).err
    done = run("read", talk(tmp_path, TALK), VIVIDMEM_PASSWORD="x")  # no folder, nothing to open
    assert done.code == 0


@pytest.mark.parametrize("command", ["list", "encrypt", "import"])
def test_a_password_that_is_not_typed_is_an_error_and_no_crash(cli, secret, tmp_path, command):
    words = [command, "--dir", cli.folder]
    if command == "import":
        words += [tmp_path / "old"]
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "brief.enc").write_bytes(b"gAAAAA")
        (tmp_path / "old" / ".salt").write_bytes(b"0123456789abcdef")
    options = [] if command == "encrypt" else ["--password-file", secret]
    cli("add", "The heron", *options)
    words += options if command == "import" else []
    code, _, screen = in_terminal(words, [("assword", "\x04")])
    assert code == 1
    assert "no password was typed" in screen


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_at_a_terminal_the_password_is_asked_for_and_not_shown(cli, secret):
    import pty

    cli("add", "The heron", "--password-file", secret)
    pid, terminal = pty.fork()
    if not pid:
        os.execve(sys.executable, [*PROGRAM, "list", "--dir", str(cli.folder)], environment())
    shown = b""
    while b"Password of" not in shown:
        assert select.select([terminal], [], [], PATIENCE)[0]
        shown += os.read(terminal, 1000)
    os.write(terminal, b"open, sesame\n")
    try:
        while part := os.read(terminal, 1000):
            shown += part
    except OSError:  # Linux says so when the process has ended
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    os.close(terminal)
    assert b"The heron" in shown
    assert b"sesame" not in shown
