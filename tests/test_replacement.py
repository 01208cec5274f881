"""What takes the place of an earlier statement, whatever it is about."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from vividmem import REPLACES, VividMem, claims, frames_of, may_replace, replacement, stands_beside

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


# what is told with another sentence | what ends it
OVER_IN_PART = """
My dentist is Dr Bauer. She has cold hands. | I changed dentist, it's Dr Lindt now.
My doctor is Dr Moss. The waiting room smells of soup. | I switched to Dr Pike as my doctor.
My phone is a Pixel 6. The screen has a crack. | I have an iPhone 15 now.
My car is a Volvo. The kids named it Sven. | I have a Skoda now.
My bank is Citi. The app is slow. | I changed bank, it's Lloyds now.
My gym is FitLab. The showers are cold. | I changed gym, it's Boulder Barn now.
We meet on Mondays at nine. Dan brings the cake. | We meet on Tuesdays now.
I live in Hamburg. We have two rabbits. | I moved to Leipzig last week.
"""
# what is told with another sentence | what is about something else
TOLD_BESIDE = """
The feed is CSV with semicolons, the others are UTF-8. Do not touch it. | Yuki moves to mobile. \
Her replacement is Emil, from the agency.
Bees are out early. The office is in Bergen, on two floors. | The lift has a dent. Two men from \
the office in Oslo carried the crate.
We have 6 desks in the cellar, numbers 4 and 5 for guests. Ana has 1. | The parcel came at noon. \
Call number 9 was the courier.
We are two tired runners. The coach is called Jess. | Birthday! 47. Ria gave me a lamp.
The form has to go in before 31 August. It costs 243. | Lab notes handed in. The deadline was 17:00.
My landlord is Mr Graaf. He looks like a heron. | Sue's new landlord is Mrs Pott. She has a parrot.
My team is Platform. We sit on the second floor. | Ines came with the baby. Her team is Fraud.
The rota hangs in the hall. I work at the library. | I booked the afternoon off work, for Mum.
My sister works at the zoo. She feeds owls. | A man who works at the mill showed us round. Owls too.
"""


@pytest.mark.parametrize(("known", "later"), rows(OVER_IN_PART))
def test_the_sentence_whose_value_has_another_now_is_over_and_the_rest_stays(
    mem, clock, known, later
):
    first = mem.observe(known).memory
    say(mem, clock, later)
    part = mem.recall(first.id)
    assert part.memory.current
    assert part.outdated == (known.partition(". ")[0] + ".",)


@pytest.mark.parametrize(("known", "later"), rows(TOLD_BESIDE))
def test_a_slot_that_both_seem_to_fill_ends_no_sentence_about_another_thing(
    mem, clock, known, later
):
    first = mem.observe(known).memory
    say(mem, clock, later)
    part = mem.recall(first.id)
    assert part.memory.current
    assert part.outdated == ()


# what holds | what became of a thing in it
BEFALLEN = """
we stack the old crates behind the barn until somebody wants them | \
the crates are sold, a man from Lund took all
the review of my paper sits with Prof. Lind, six weeks they say | \
review arrived, two pages and one coffee stain
Malik covers the late shift with Ana and a very old dog | the late shift is no more, we close at six
The beta of the map app runs for five customers. | The beta is finished, all customers have the map.
My French class is Mondays 19-21, teacher Odile. | French class ended with an exam, passed B1.
"""
# what holds or happened | what became of another thing, or what happened to it changes nothing
NOT_BEFALLEN = """
Dan fixed the sink with a spoon. | Dan moved to Rotterdam.
Priya likes number three of the candidates. | Priya left on Friday with balloons.
my uncle Pete is visiting | Pete left early
The first aiders are Ana and Bo. | Ana is here again with cake.
The plotter sits in the drawing office. | The plotter paper arrived.
My sister keeps bees on the roof of the school. | The roof of the barn was repaired.
The museum is closed on Mondays. | The museum shop was moved to the left wing.
"""


def doubted(mem, clock, known, later):
    """Return whether *known* is in doubt, or over, after *later* was told."""
    first = mem.observe(known).memory
    say(mem, clock, later)
    memory = mem.recall(first.id).memory
    return bool(memory.doubted_by) or not memory.current


@pytest.mark.parametrize(("known", "later"), rows(BEFALLEN))
def test_what_became_of_a_thing_puts_in_doubt_what_was_told_of_it(mem, clock, known, later):
    assert doubted(mem, clock, known, later)


@pytest.mark.parametrize(("known", "later"), rows(NOT_BEFALLEN))
def test_what_happened_or_is_of_another_thing_is_in_no_doubt(mem, clock, known, later):
    assert not doubted(mem, clock, known, later)


@pytest.mark.xfail(reason="read as a change", strict=True)
def test_the_new_flat_of_another_is_not_mine(mem, clock):
    message = "Ines showed me photos of her new flat in Porto. It has a balcony. Jealous!"
    assert told_over(mem, clock, "I live in Leeds.", message) == []


def told_over(mem, clock, known, message):
    """Return what is over, wholly or in part, after *known* and then *message* were told."""
    mem.observe(known)
    clock.days(7)
    return [memory.text for memory in mem.observe(message).contradicts]


# known | a special case, all of a kind, another's value, or the denial of another thing
BESIDE = """
the repo of orbit is github.com/corp/orbit | secret scanning is on for all repos
the bucket is corp-raw | versioning is on for all buckets
the wiki is at wiki.corp | comments are off for all wikis
Slack channel: #ledgerly | retention is 90 days for all channels
the dashboard is at grafana.corp/d/led | dark mode is on for all dashboards
the runner is gh-runner-3 | caching is on for every runner
my laptop is a ThinkPad | disk encryption is on for all laptops
our office is in Gent | smoking is forbidden in all offices
the database is Postgres | backups are enabled on all databases
the branch is release-7 | force push is disabled on every branch
our timeout is 30s | nginx default timeout is 60s
max upload size is 10 MB | S3 max upload size is 5 GB
we support Python 3.9 | Django 5 no longer supports Python 3.9
default port is 9443 | Postgres default port is 5432
free tier is 3 users | Vercel free tier is 1 user
session length is 8 hours | Okta session length is 2 hours
we dropped Windows | Electron dropped Windows 7
our retention is 14 days | Datadog retention is 15 days
the rate limit is 100 per minute | GitHub's rate limit is 5000 per hour
max message size is 1 MB | the max message size of Kafka is 10 MB
our notice period is 3 months | in Denmark the notice period is 1 month
rate limit is 100 req/s per key | bumped to 250 for enterprise keys, everyone else unchanged
log level is INFO | log level of the importer is DEBUG
canary is 5% | canary is 1% for payments
Ingress is nginx on all clusters | Traefik on teal only
We open Monday to Friday 9 to 18 | We're closed on 1 May
We open Monday to Friday 9 to 18, Saturday 10 to 14 | On 3 April (Good Friday) we're closed
Choir practice is on Mondays | No choir practice on 6 April
Standup is at 9:15 | standup at 10 today
no emojis please | you can use emojis when I'm texting with the kids
The clinic is open every weekday from 8 to 16 | The clinic is closed on Tuesday for training
Team call daily at 9 | the team call is at 9:30 on Fridays
Cleaning every second Tuesday | cleaning every Tuesday in May
timeout is 30s | timeout is 60s for uploads
deploys are on Tuesdays | no deploy this Tuesday
heap is 2 GB | heap of the indexer is 6 GB
lunch is at 12 | lunch is at 13 on Friday, Carla is late
The pharmacy closes at 18 | The pharmacy closes at 13 on Christmas Eve
Physio every Tuesday at 4pm | No physio next Tuesday
we review every PR | docs PRs need no review
backups run nightly | backups run hourly for billing
tests run on every push | tests don't run on docs-only pushes
Yoga every Wednesday at 18 | yoga on 1 April is cancelled
I wake up at 6 | I woke up at 9 today
always answer in English | answer in Dutch when I write to my mum
retries: 3 | retries: 5 for acme
our meeting is at 10 | our meeting is at 11 this week
I drink my coffee black | today I had milk in my coffee
I like rooibos tea | I don't like coffee anymore
I work at a bakery | I don't work on saturdays anymore
Mia goes to ballet | Mia doesn't go to swimming anymore
I play the cello | I don't play tennis anymore
we use Vite | we don't use Redux anymore
Tom eats fish | Tom doesn't eat meat anymore
I drive a Golf | I don't drive at night anymore
my sister lives in Hull | my sister doesn't live with Tom anymore
I read sci-fi | I don't read the newspaper anymore
I take metformin | I don't take sugar in my tea anymore
Ana speaks Kotlin | Ana doesn't speak to Rui anymore
Leo likes Lego | Leo doesn't like dinosaurs any more
we support Firefox | we don't support IE anymore
Noor teaches on Mondays | Noor no longer teaches the beginners
I watch Severance | I stopped watching the news
I run 10 km on sundays | I no longer run with Pia
Mia goes to ballet | Mia no longer goes to swimming
Ben drinks oat milk | Ben doesn't drink beer anymore
Opening party is october 3 | due date: october 20
the funeral is on friday the 10th | due date: october 20
the wedding is on june 6 | surgery is on june 20
check every six months | next one in march
dentist check-up every six months | next check-up is in march
the exam is on may 5 | going on may 9
Hendrik arrives on may 2 | shopping on may 3
my flight is on july 1 | the release is on july 8
the demo is on monday | the retro is on friday
Tom's party is on june 4 | my party is on june 12
tax deadline is may 31 | application deadline is may 15
the interview is on tuesday at 10 | the concert is on friday
the wedding is on june 6 | deadline for the cake is june 1
boiler service every year | next service is in november
vaccination every 3 years | next vaccination due in 2027
mum's surgery is on the 12th | the closing date is the 20th
Dad has a check every six months, that's it | Dad's check was fine, nothing new, next one in march
Mia gets her allergy shot every four weeks | Mia's allergy shot went ok, next one on the 3rd
we get the chimney swept every year | next sweep is in october
Opening party is october 3 from 4 pm, 60 guests | due date: october 20
Carla and Hendrik move in together in january | due date: october 20. so the wedding has to move
I'm doing the shopping for them on saturdays | due date: october 20. so the wedding has to move
the funeral is on friday the 10th at 11 in Eutin | due date: october 20. so the wedding has to move
the release is on may 3 | deadline: june 1, everyone
the vote is on sunday | submission date: march 9. busy weeks ahead
mum's operation is on april 2 | the launch date is april 30. stressful month
my sister's visit is on june 1 | exam: june 14, 30 questions
"""
# known | the same thing, changed
CHANGED = """
our timeout is 30s | our timeout is 45s now
max upload size is 10 MB | max upload size is 25 MB
default port is 9443 | default port is 9543 now
we support Python 3.9 | we no longer support Python 3.9
session length is 8 hours | session length is 4 hours from now on
comments are on for all wikis | comments are off for all wikis
log level is INFO | log level is DEBUG now
canary is 5% | canary is 10% now
Standup is at 9:15 | standup is at 10 from now on
Choir practice is on Mondays | Choir practice is on Thursdays now
no emojis please | you can use emojis again
timeout is 30s | timeout is 60s
log level of the importer is DEBUG | log level of the importer is INFO again
canary is 1% for payments | canary is 3% for payments
Team call daily at 9 | the team call is daily at 9:30 now
CI is Jenkins | LED-9 is done: CI moved to Buildkite
search runs on Elasticsearch | search runs on OpenSearch now
staging is on port 8443 | staging is on port 9443 now
Node is 18 | Node is 20 now
the frontend is in Vue | we rewrote the frontend in Svelte
I like coffee | I don't like coffee anymore
Mia goes to ballet | Mia doesn't go to ballet anymore
I work at a bakery | I don't work at the bakery anymore
we support Python 3.8 | we don't support Python 3.8 anymore
I play the cello | I don't play the cello anymore
Tom eats fish | Tom doesn't eat fish anymore
we use Redux | we don't use Redux anymore
I drive a Golf | I don't drive the Golf anymore
due date: october 20 | due date: november 3
the wedding is on june 6 | the wedding is on june 20 now
surgery is on june 20 | surgery was moved to june 27
tax deadline is may 31 | tax deadline was extended to june 30
the exam is on may 5 | the exam is on may 12 now
Opening party is october 3 | the opening party was moved to october 10
the office is in Leeds | we moved the office to York
we're on Postgres 13 | the epic is done: we're on Postgres 16
deadline: june 1 | deadline: june 8
the launch date is april 30 | the launch date is may 7. finally
"""
# known | a plan on paper, a ticket, a draft or an assumption
PROPOSED = """
CI is Jenkins | LED-9: move CI to Buildkite
CI is Jenkins | moving CI to Buildkite is on the roadmap
search runs on Elasticsearch | ADR-9 (draft): move search to OpenSearch
search runs on Elasticsearch | RFC: replace Elasticsearch by OpenSearch
Node is 18 | as soon as Node is 20 we can use fetch
staging is on port 8443 | say staging is on port 9443
the db is MySQL | suppose the db is Postgres, would that work
we use npm | TODO: switch to pnpm
we deploy on Tuesdays | proposal: deploy on Thursdays
I live in Ghent | assume I live in Berlin, what would rent be
the cache is Redis | OPS-77 move the cache to Valkey
the wiki is Confluence | idea: move the wiki to Notion
we use Slack | we're evaluating Teams
the frontend is in Vue | backlog: rewrite the frontend in Svelte
our cloud is AWS | spike: run on Hetzner
CI is Jenkins | ticket opened to move CI to Buildkite
CI is Jenkins | there's a PR to move CI to Buildkite
we use Jira | once we're on Linear we can close Jira
the office is in Leeds | plan: move the office to York
we're on Postgres 13 | epic: upgrade to Postgres 16
our phone system is 3CX | suggestion: switch to Teams phones
the logo is blue | Draft 2: make the logo green
billing runs on Heroku | CORE-412 migrate billing to Fly.io
the API is in Python | moving the API to Go is on our wish list
I work at Larkspur | say I work at Novatek
"""
# known | a change noted in short
NOTED = """
owner: Rui | owner: Rui -> Ana
owner: Rui | owner: Rui → Ana
port: 8443 | port: 8443 -> 9443
replicas: 3 | replicas: 3 → 5
retention: 7d | retention -> 30d
LOG_LEVEL=info | LOG_LEVEL=debug
PORT=8080 | PORT=9090
region: eu-west-1 | region: eu-west-1 -> eu-north-1
oncall: Lea | oncall: Lea -> Rui
log level: info | log level: info → debug
status of LED-7: open | status of LED-7: open → done
assignee LED-7: Rui | assignee LED-7: Rui => Ana
CI: Jenkins | CI: Jenkins → Buildkite
lead: Ewa | lead: Ewa → Farid
heap is -Xmx2g | heap: -Xmx2g -> -Xmx4g
registrar is Gandi | registrar changed: Gandi → Cloudflare
timeout=30 | timeout=60
node: 18 | node: 20
budget: 10k | budget: 10k -> 12k
db: MySQL | db -> Postgres
my weight: 82 kg | weight: 82 kg -> 80 kg
plan: Basic | plan: Basic → Pro
due: March 3 | due: March 3 -> March 10
MAX_CONN=50 | MAX_CONN=100
base image: debian 11 | base image: debian 11 → debian 12
the SLA is 4h | SLA: 4h -> 2h
FEATURE_X=off | FEATURE_X=on
max retries is 3 | max retries 3 -> 8
approver: Lea | approver: Lea => Marek
price of Pro: 12 EUR | price of Pro: 12 EUR -> 15 EUR
our plan: Basic | our plan: Basic -> Team
reviewer is Rui | reviewer changed: Rui -> Ana
concurrency: 4 | concurrency: 4 -> 8
delivery: 4 May | delivery: 4 May -> 11 May
"""
# known | the same of something else
NOTED_OF_ANOTHER = """
owner: Rui | reviewer: Lea -> Ana
port: 8443 | admin port: 3000 -> 3001
LOG_LEVEL=info | DB_LEVEL=debug
PORT=8080 | ADMIN_PORT=9090
owner: Rui | owner of billing: Lea -> Ana
replicas: 3 | shards: 3 -> 5
deploy: build -> test -> ship | lint: prettier -> eslint
region: eu-west-1 | backup region: us-east-1 -> us-east-2
max retries is 3 | max connections 3 -> 8
FEATURE_X=off | FEATURE_Y=on
delivery of the sofa: 4 May | delivery of the lamp: 2 May -> 11 May
pipeline: build -> test -> deploy | release: rc -> final
we sort by name | sort order: asc -> desc
price of Basic: 12 EUR | price of Pro: 15 EUR -> 18 EUR
the docs say f(x) | def f(x) -> int
I live in Ghent | mapping: home -> house
"""
# known | what is told in words that mean something else at work
TRADE = """
Priya is on antibiotics | Priya is on PTO until the 20th
My partner is Ana | new partner: Dyne, parquet, daily 05:30
new partner: Cora, xlsx by mail | new partner: Dyne, parquet, daily 05:30
I take ibuprofen | all services are on k8s now
I'm on sertraline | Ana is on PTO next week
the heater is broken | LED-9 is fixed
the printer is down | prod is down
my phone is a Pixel | phone support is 15 euros
the price is 12 euros | the meeting is at 15
my husband is Tom | our launch partner is Fabrikam
my home is in Leeds | home page is at /index
I have a dog, Rex | watchdog is off
Priya is on antibiotics | Priya is on a call
my kids are Mia and Leo | child processes are killed after 30s
I play tennis | we play the migration on Monday
Priya is on call | the repo is called kestrel
oncall: Gitte | API calls are rate limited
Priya is on call | Ana called this morning
kestrel on-call: Farid | atlas on-call: Ewa
Oncall is Tomasz | the call is at 10
Priya is on call | I'm on a call until 3
Bo is on call for payments | Kwame is on call for search
Priya is on call | the pager app is at pagerduty.com/corp
Priya is on call | Ana is on the phone
Lea is oncall | oncall gets paid 200 a week
Lea is oncall | who called Lea yesterday was Bo
Lea is the release manager | Rui is on call
"""
# known | who is on call since
ON_CALL = """
Priya is on call | Tomasz is on call now
oncall: Gitte | oncall: Rui
Oncall is Tomasz | oncall is Ines
on-call is Lea | on-call is Rui now
kestrel on-call: Farid | kestrel on-call: Ewa
Priya has the pager | Tomasz has the pager now
Priya is on call | Tomasz took over the pager from Priya
Bo has the pager | Lea carries the pager now
Lea is oncall | Rui is on-call this week
"""


@pytest.mark.parametrize(("known", "later"), rows(BESIDE))
def test_a_special_case_or_another_thing_leaves_the_rule(mem, clock, known, later):
    decision = say(mem, clock, known, later)
    assert known not in [memory.text for memory in decision.contradicts]
    assert known in [memory.text for memory in mem.memories() if memory.current]


@pytest.mark.parametrize(("known", "later"), rows(PROPOSED))
def test_what_is_proposed_or_assumed_is_kept_and_ends_nothing(mem, clock, known, later):
    decision = say(mem, clock, known, later)
    assert (decision.action, decision.contradicts) == ("store", ())


@pytest.mark.parametrize(("known", "later"), rows(CHANGED) + rows(NOTED) + rows(ON_CALL))
def test_a_change_of_the_thing_itself_ends_the_value_it_had(mem, clock, known, later):
    decision = say(mem, clock, known, later)
    assert [memory.text for memory in decision.contradicts] == [known]
    assert later in [memory.text for memory in mem.memories() if memory.current]


@pytest.mark.parametrize(("known", "later"), rows(NOTED_OF_ANOTHER) + rows(TRADE))
def test_what_is_noted_of_another_thing_ends_nothing(mem, clock, known, later):
    decision = say(mem, clock, known, later)
    assert (decision.action, decision.contradicts) == ("store", ())


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("I smoke every day", "I quit smoking today"),
        ("I take the pill daily", "I come off the pill in May"),
        ("Choir is on Mondays", "Choir is on Fridays from 6 April"),
        ("The timeout is 30s", "The timeout of the importer is 60s now"),
    ],
)
def test_what_ends_or_changes_a_rule_on_a_day_is_no_exception(known, later):
    assert not stands_beside(later, known)
