"""What takes the place of an earlier statement, whatever it is about."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from vividmem import REPLACES, VividMem, claims, frames_of, may_replace, replacement

PAIRS = Path(__file__).parent.parent / "extras" / "reader" / "pairs.tsv"

# known | later | question
OPEN = """
The night export keeps 14 files. | The night export keeps 30 files now. | what does the export keep?
Our linter is Flake9. | We have moved off Flake9, the linter is Ruffian. | which linter do we have?
The upload limit is 20 MB. | We raised the upload limit to 50 MB. | what is the upload limit?
Parcels leave from Tilburg. | Parcels no longer leave from Tilburg. | from where do they leave?
The choir sings on Mondays. | The choir sings on Thursdays now. | when does the choir sing?
Alerts go to the pager of Imani. | Alerts go to the pager of Tobias now. | who gets the alerts?
"""
# known | what changes nothing of it
MENTIONS = """
The nightly export keeps 14 files. | The weekly export keeps 30 files.
The nightly export keeps 14 files. | Should the nightly export keep 30 files?
Our linter is Flake9. | If it were up to me our linter would be Ruffian.
The upload limit is 20 MB. | Somebody asked whether we could raise the upload limit to 50 MB.
The choir rehearses on Mondays. | My nephew's choir rehearses on Thursdays.
Noor paints with watercolours. | I paint with oils these days.
I paint with watercolours. | My sister paints with oils now.
Noor paints with watercolours. | Noor bakes bread with rye now.
The user service runs on Nimbus. | The billing service runs on Cirrus now.
"""


def rows(table):
    return [tuple(row.split(" | ")) for row in table.strip().split("\n")]


@pytest.fixture
def mem(clock):
    with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
        yield mem


def say(mem, clock, *texts):
    """Tell *texts*, a week apart; return what was decided last."""
    for text in texts:
        clock.days(7)
        decision = mem.observe(text)
    return decision


@pytest.mark.parametrize(("known", "later", "question"), rows(OPEN))
def test_what_no_frame_knows_is_replaced_too(mem, clock, known, later, question):
    decision = say(mem, clock, known, "The kettle is louder than the radio.", later)
    assert (decision.action, [m.text for m in decision.contradicts]) == ("supersede", [known])
    assert [hit.text for hit in mem.resonate(question, limit=1)] == [later]
    assert known not in [hit.text for hit in mem.resonate(question)]
    assert known in [hit.text for hit in mem.resonate(question, include_history=True)]


@pytest.mark.parametrize(("known", "mention"), rows(MENTIONS))
def test_what_is_of_another_or_only_thought_replaces_nothing(mem, clock, known, mention):
    assert say(mem, clock, known, mention).contradicts == ()
    assert [m.current for m in mem.memories() if m.text == known] == [True]


def test_what_was_replaced_is_back_when_the_newer_is_retracted(mem, clock):
    known, later = rows(OPEN)[0][:2]
    mem.observe(known)
    clock.days(7)
    mem.observe(later, source="m2")
    mem.retract("m2")
    assert [(m.text, m.current) for m in mem.memories()] == [(known, True)]


def test_the_agent_replaces_nothing_that_the_user_has_told(mem, clock):
    known, later = rows(OPEN)[0][:2]
    mem.observe(known)
    clock.days(7)
    mem.observe(later, speaker="assistant")
    assert [m.current for m in mem.memories() if m.text == known] == [True]


def test_what_is_known_of_one_person_is_not_replaced_by_what_another_tells(mem, clock):
    known, later = "The dog sleeps in the attic.", "The dog sleeps in the cellar now."
    mem.observe(known, speaker="Pia")
    clock.days(7)
    mem.observe(later, speaker="Tom")
    assert [m.current for m in mem.memories() if m.text == known] == [True]


def test_what_is_passed_over_at_a_look_would_hardly_have_been_replaced():
    pairs = [line.split("\t")[2:4] for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    table, shuffled = frames_of(), Random(5)
    others = shuffled.sample([known for known, _ in pairs], len(pairs))
    chances = []
    for (known, later), other in list(zip(pairs, others, strict=True))[::9]:
        for older in (known, other):
            pair = later, older, claims(older), table, ""
            chances += [] if may_replace(*pair) else [replacement(*pair)]
    assert len(chances) > len(pairs) / 30  # or the look saves nothing
    assert sum(chance >= REPLACES for chance in chances) < len(chances) / 100


@pytest.mark.parametrize("name", ["b", "c", "d", "e", "f"])
def test_the_rows_of_an_exam_name_values_that_stand_in_their_statements(name):
    lines = (PAIRS.parent / "exams" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    asked = [row for row in rows if row["kind"] != "talk"]
    assert {row["kind"] for row in asked} == {"update", "trap", "keep"}
    for row in asked:
        stated = row["said"] if row["kind"] == "update" else row["known"]
        assert row["value"].lower() in stated.lower(), row
        assert all(row["value"].lower() != question.lower() for question in row["questions"])


def test_an_exam_prints_its_shares():
    script = PAIRS.parent / "exam.py"
    told = subprocess.run(
        [sys.executable, script, "b"], capture_output=True, text=True, check=True
    ).stdout
    clean, stale = map(float, re.findall(r"([01]\.\d{3}) (?:clean|stale)", told))
    assert 0.5 < clean < 1 and 0 < stale < 0.5


def test_an_exam_of_sets_prints_its_shares():
    script = PAIRS.parent / "exam.py"
    told = subprocess.run(
        [sys.executable, script, "sets"], capture_output=True, text=True, check=True
    ).stdout
    lost, right, wrong = map(float, re.findall(r"([01]\.\d{3})", told))
    assert lost < 0.05 and 0.15 < right < 1 and wrong < 0.1


def test_statements_that_are_true_together_are_of_one_set_each():
    lines = (PAIRS.parent / "together.tsv").read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines]
    assert len({text for _, text in rows}) == len(rows) > 2000


TALK = """
Hey Nora! I went to the choir group yesterday and it was so moving. Have you ever sung?
Wow, that sounds great, Tom! What did the group do for you?
The choir has made me feel welcome and gave me courage. I was so happy about all the support!
Thanks for telling me, Tom. I'm off to swim with the kids. Talk soon!
Hey Tom, since we last talked a lot has happened to me. I ran for charity on Saturday!
That's wonderful, Nora! Taking care of ourselves matters so much. I'm proud of you.
Thanks, Tom! My goal is to give the kids a loving home. Your kind words mean a lot.
No doubt, Nora. They'll get all the love they need. My family means everything to me.
Yes, we can do it! Your courage is inspiring. I want to be brave for my family.
"""


def test_turns_of_a_talk_replace_nothing(mem, clock):
    for place, turn in enumerate(TALK.strip().splitlines()):
        clock.minutes(2)
        assert mem.observe(turn, speaker=("Tom", "Nora")[place % 2]).contradicts == (), turn


# --- one of many matters -------------------------------------------------------------------------


def both_hold(mem, clock, known, later):
    """Whether *known* still holds three days on, when *later* is told."""
    mem.observe(known)
    clock.days(3)
    mem.observe(later)
    return [memory.current for memory in mem.memories() if memory.text == known] == [True]


MATTERS = {
    "Falcon": ("Teresa owns Falcon", "Falcon listens on port 9100", "Falcon has forty tests",
               "Falcon keeps its secrets in Vault", "Falcon PRs are reviewed by two people"),
    "Bea": ("Bea is vegetarian", "Bea has a twin brother", "Bea plays the oboe",
            "Bea's birthday is June 2", "Bea teaches chemistry"),
    "the standup": ("Owen runs the standup", "the standup takes ten minutes"),
    "Sir Aldous": ("Sir Aldous is afraid of water", "Sir Aldous has a scar on his chin",
                   "Sir Aldous serves Duke Renn"),
}  # fmt: skip
DOINGS = {
    "Falcon": ("Falcon got bumped to Go 1.22", "Falcon was moved to Frankfurt",
               "the timeout of Falcon was raised to 30 s"),
    "Bea": ("Bea moved to Turin", "Bea sold her scooter", "Bea switched to oat milk",
            "Bea came over for lunch with her neighbour"),
    "the standup": ("the standup was moved to 9:45",),
    "Sir Aldous": ("Sir Aldous sold his grey horse", "Sir Aldous gave Mirela a ring",
                   "Sir Aldous went to Castle Thorn"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("known", "later"),
    [(known, later) for who, told in MATTERS.items() for known in told for later in DOINGS[who]],
)
def test_what_somebody_does_leaves_the_rest_that_is_known_of_them(mem, clock, known, later):
    assert both_hold(mem, clock, known, later)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 310 is with Paula.", "Ticket 311 is with Goran."),
        ("Order 5512 is a lamp.", "Order 5519 is a chair."),
        ("the hotel in Bergen is the Skansen", "the hotel in Turku is the Park"),
        ("my seat to Bergen is 14A", "my seat to Turku is 3F"),
        ("test DB host is db4.lan", "live DB host is db7.lan"),
        ("the read timeout is 5 s", "the write timeout is 20 s"),
        ("Chapter 3: the duel", "Chapter 4: the wedding"),
        ("I got 14/20 in lesson 2.", "I got 17/20 in lesson 3."),
        ("Rule 3: no elves.", "Rule 4: roll openly."),
        ("junior plan gets 2 seats", "senior plan gets 9 seats"),
        ("Aldous gave the ring to Mirela.", "Aldous gave the map to the smith."),
        ("Nadia bought a kayak.", "Nadia sold the tent."),
    ],
)
def test_siblings_are_true_together(mem, clock, one, other):
    assert both_hold(mem, clock, one, other)


@pytest.mark.parametrize(
    ("known", "later", "question", "left"),
    [
        ("Falcon runs on port 9100 locally, Heron on 9200", "Falcon now runs on port 9300",
         "which port does Heron run on?", "9200"),
        ("Tools: Vite 5, Vitest 1, Zod 3, Hono", "Hono was replaced by Express",
         "which Zod do we use?", "Zod 3"),
        ("Lena is at Nordbank and Ivo is at Statoil", "Lena is at Kolibri now",
         "where is Ivo?", "Statoil"),
        ("party budget: food 900, band 400, flowers 150", "food is 1100 now",
         "what is the budget for the band?", "400"),
        ("Rome expenses 310.20, Turin expenses 95.40", "correction: Turin was 85.40",
         "what were the Rome expenses?", "310.20"),
    ],
)  # fmt: skip
def test_what_changes_in_part_still_tells_the_rest(mem, clock, known, later, question, left):
    mem.observe(known)
    clock.days(3)
    mem.observe(later)
    assert left in " ".join(hit.text for hit in mem.resonate(question, limit=3))


# --- long messages -------------------------------------------------------------------------------

BEFORE = "Sorry for being quiet, it has been a brutal few weeks. "
AFTER = " Anyway, the weather is finally better and I planted some beans."


@pytest.mark.parametrize(
    ("known", "update"),
    [
        ("My driving instructor is Vince.", "Vince quit, my new instructor is Marge."),
        ("My gym is FitLab.", "I cancelled FitLab and joined the climbing hall instead."),
        ("Mum lives in Cardiff.", "Mum sold the house and lives with my brother in Bath now."),
        ("The cleaner comes on Tuesdays.", "The cleaner comes on Fridays now."),
        ("I take the bus to work.", "I cycle to work now."),
    ],
)
def test_an_update_inside_a_long_message_replaces_what_it_changes(mem, clock, known, update):
    other = "My sister is a beekeeper."
    mem.observe(other)
    assert known in told_over(mem, clock, known, BEFORE + update + AFTER)
    assert [m.text for m in mem.memories() if m.text == other and m.current] == [other]


@pytest.mark.parametrize(
    "known",
    ["My husband is Marcus.", "My dentist is Dr. Okafor.", "I live in Leeds.", "My boss is Helen.",
     "I work at Siemens.", "I drive a Skoda Octavia.", "My bank is Triodos."],
)  # fmt: skip
@pytest.mark.parametrize(
    "message",
    [
        "Today Nils and I went to Whitby for chips. The sea was rough. We were soaked.",
        "Busy weekend! We went to the market with Priya. Leo lost his first tooth.",
        "I need to book the MOT; Nils is off to Paris; Leo has a cough. So much to do.",
        "Anna paid me back. I put the money into savings. Feels good.",
        "News: the boiler got fixed. The plumber was called Steve. We watched the Dune film.",
    ],
)
def test_a_long_message_about_other_things_ends_nothing(mem, clock, known, message):
    assert told_over(mem, clock, known, message) == []


@pytest.mark.xfail(reason="read as a change", strict=True)
def test_the_new_flat_of_another_is_not_mine(mem, clock):
    message = "Ines showed me photos of her new flat in Porto. It has a balcony. Jealous!"
    assert told_over(mem, clock, "I live in Leeds.", message) == []


def told_over(mem, clock, known, message):
    """Return what is over, wholly or in part, after *known* and then *message* were told."""
    mem.observe(known)
    clock.days(7)
    return [memory.text for memory in mem.observe(message).contradicts]
