"""What a statement does to what is known: it replaces, ends, adds or disputes; nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from looks import found
from vividmem import Contradiction, InvalidMemoryError, VividMem

DAY = 86400.0


def texts(memories):
    return [memory.text for memory in memories]


def say(mem, clock, *said, **options):
    """Observe one statement a day, each its own source ("m1", "m2" ...); return the decisions."""
    decisions = []
    for number, text in enumerate(said, 1):
        decisions.append(mem.observe(text, source=f"m{number}", **options))
        clock.days(1)
    return decisions


def picture(mem):
    """All that is believed: which words, in which status, ended by which words."""
    by_id = {m.id: m.text for m in mem.memories()}
    return [
        (m.text, m.status, by_id.get(m.superseded_by), m.valid_until,
         [(c.family, c.value, c.status, by_id.get(c.by)) for c in m.claims])
        for m in mem.memories()
    ]  # fmt: skip


MOVES = ("I live in Porto", "I moved to Ghent", "I moved to Lyon")

# --- supersession --------------------------------------------------------------------------------


def test_what_is_superseded_is_outdated_and_not_in_a_default_answer(mem, clock):
    say(mem, clock, *MOVES[:2])
    old, new = mem.memories()
    assert (old.status, old.superseded_by, new.status) == ("superseded", new.id, "current")
    assert old.valid_until == new.begins
    assert found(mem, "where do I live?") == ["I moved to Ghent"]
    assert "I live in Porto" not in found(mem, "Porto")
    assert set(found(mem, "where do I live?", include_history=True)) == set(MOVES[:2])
    was = mem.recall(old.id)
    assert was.certainty == "outdated"
    assert was.confidence < mem.recall(new.id).confidence
    assert was.retention < mem.recall(new.id).retention


def test_a_longer_text_stays_for_what_else_it_tells(mem, clock):
    long = (
        "I live in Porto, I work at Fernhill as a welder, my dentist is Dr Ibsen and on weekends I"
        " play the oboe in a little orchestra near the river with Theo and Nadia"
    )
    say(mem, clock, long, "I moved to Ghent")
    assert mem.memories()[0].current
    assert found(mem, "where do I live?") == ["I moved to Ghent"]
    assert found(mem, "who is my dentist?") == [long]
    assert texts(mem.history("user", "home")) == [long, "I moved to Ghent"]
    assert texts(mem.facts("user")) == [long, "I moved to Ghent"]
    start = clock() - 2 * DAY
    assert texts(mem.facts("user", as_of=start + 5)) == [long]


@pytest.mark.parametrize(
    ("known", "update"),
    [
        ("I live in Leeds with my wife Bea", "we moved to York"),
        ("I work as a nurse and live in Leeds", "I moved to York"),
    ],
)
def test_what_tells_more_than_the_change_is_still_found(mem, clock, known, update):
    say(mem, clock, known, update)
    assert known in texts(memory for memory in mem.memories() if memory.current)
    assert mem.resonate("where do I live?")[0].text == update


def test_another_attribute_adds(mem, clock):
    said = ("I live in Porto", "I work at Fernhill", "I play the oboe", "I like olives")
    assert [d.action for d in say(mem, clock, *said)] == ["store"] * 4
    assert all(m.current for m in mem.memories())


@pytest.mark.parametrize(
    "said",
    [
        ("I like olives", "I like capers", "I like figs"),
        ("I play the oboe", "I play the cello, too"),
        ("I speak Greek", "I also speak Finnish"),
        ("I have a cat called Pixel", "I also have a dog called Rufus"),
        ("I'm allergic to peanuts", "found out I'm allergic to bees"),
        ("I'm allergic to nuts", "I'm allergic to penicillin, got a rash"),
        ("I'm lactose intolerant", "gluten intolerant too"),
        ("I have asthma", "I've been diagnosed with ADHD"),
        ("I have a dog called Rex", "we adopted a kitten! her name is Pip"),
        ("I take ibuprofen every morning", "I also take vitamin D"),
        ("I like jazz", "I've come to love techno"),
    ],
)
def test_attributes_of_many_values_add(mem, clock, said):
    say(mem, clock, *said)
    assert [m.status for m in mem.memories()] == ["current"] * len(said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I live in Porto", "Nadia moved to Ghent"),
        ("I live in Porto", "My sister moved to Ghent"),
        ("Theo works at Fernhill", "Theo's brother joined Larkspur"),
        ("I live in Porto", "I moved the sofa"),
        ("I live in Porto", "We might move to Ghent next year"),
        ("I live in Porto", "I dreamt that I lived in Ghent"),
        ("I live in Porto", "If I lived in Ghent I would cycle"),
        ("The blue kettle is broken", "The red kettle works"),
        ("The north gate is open", "The south gate is closed"),
        ("The front door is locked", "The back door is unlocked"),
        ("The kitchen light is on", "The hallway light is off"),
        ("I love olives", "Ben hates olives"),
        ("I drive a Volvo", "I took the bus today"),
    ],
)
def test_other_subjects_things_and_mere_wishes_end_nothing(mem, clock, known, said):
    _, told = say(mem, clock, known, said)
    assert told.contradicts == ()
    assert mem.memories()[0].current
    assert mem.contradictions() == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Milo is allowed to eat peanuts", "Milo is not allowed to eat peanuts"),  # polarity
        ("Guests may smoke on the terrace", "Guests may not smoke on the terrace"),
        ("Tariq can swim", "Tariq can't swim"),
        ("The team works on Fridays", "The team doesnt work on Fridays"),
        ("The bike costs 500 dollars", "The bike costs 800 dollars"),  # number
        ("The ticket was 30 dollars", "The ticket was 45 dollars"),
        ("The oven is hot", "The oven is cold"),  # antonym
        ("Sales went up", "Sales went down"),
        ("The shop is open", "The shop is closed"),
        ("Priya is taller than Oskar", "Oskar is taller than Priya"),  # order
        ("The kettle is heavier than the pan", "The pan is heavier than the kettle"),
    ],
)
def test_polarity_number_antonym_and_order_replace_and_lose_nothing(mem, clock, old, new):
    _, told = say(mem, clock, old, new)
    assert told.action == "supersede"
    assert texts(told.contradicts) == [old]
    assert texts(mem.memories()) == [old, new]
    assert [m.status for m in mem.memories()] == ["superseded", "current"]
    assert old in found(mem, old, include_history=True)


# --- two clocks ----------------------------------------------------------------------------------


def test_as_of_follows_every_move(mem, clock):
    start = clock()
    say(mem, clock, *MOVES)
    days = [start + day * DAY + 60 for day in range(3)]
    assert [texts(mem.facts("user", as_of=day)) for day in days] == [[m] for m in MOVES]
    assert mem.facts("user", as_of=start - 1) == []
    assert [found(mem, "where do I live?", as_of=day) for day in days] == [[m] for m in MOVES]


@pytest.mark.parametrize(
    ("now", "then", "entity", "attribute"),
    [
        ("I live in Turku", "Back in 2024 I lived in Umea", "user", "home"),
        ("I work at Larkspur", "In 2024 I worked at Fernhill", "user", "employer"),
        ("Nadia lives in Ghent", "In 2024 Nadia lived in Porto", "Nadia", "city"),
        ("My phone is a Pixel", "In 2024 my phone was an iPhone", "user", "phone"),
        ("I drive a Volvo", "Back in 2024 I drove a Skoda", "user", "car"),
    ],
)
def test_the_past_told_late_is_true_in_its_time_only(mem, clock, now, then, entity, attribute):
    for said in ((now, then), (then, now)):
        with VividMem(clock=clock, config={"timezone": "UTC"}) as other:
            say(other, clock, *said)
            assert texts(other.facts(entity)) == [now]
            assert texts(other.facts(entity, as_of="2024-06-01")) == [then]
            assert other.facts(entity, as_of="2023-06-01") == []
            assert texts(other.facts(entity, as_of=clock())) == [now]
            assert texts(other.history(entity, attribute)) == [then, now]
            assert other.contradictions() == []


def test_a_statement_dated_before_the_known_one_is_over_at_once(mem, clock):
    mem.observe("I live in Turku")
    told = mem.observe("I live in Umea", when="2024-05-01")
    assert (told.action, told.contradicts) == ("store", ())
    assert "newer" in told.reason
    assert [m.status for m in mem.memories()] == ["current", "superseded"]
    assert texts(mem.facts("user")) == ["I live in Turku"]
    assert texts(mem.facts("user", as_of="2024-06-01")) == ["I live in Umea"]
    assert texts(mem.history("user", "home")) == ["I live in Umea", "I live in Turku"]


def test_told_in_any_order_the_latest_holds(clock):
    dated = [("I live in Porto", 0), ("I live in Ghent", 10), ("I live in Lyon", 20)]
    for turn in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (0, 2, 1)):
        with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
            start = clock() - 100 * DAY
            for place in turn:
                text, day = dated[place]
                mem.observe(text, when=start + day * DAY)
            assert texts(mem.facts("user")) == ["I live in Lyon"], turn
            assert texts(mem.history("user", "home")) == [text for text, _ in dated]


# --- facts and history ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["home", "city", "home town", "Home_Town", "address"])
def test_history_is_found_by_the_attribute_or_its_family(mem, clock, name):
    say(mem, clock, *MOVES, "I work at Fernhill")
    assert texts(mem.history("user", name)) == list(MOVES)


def test_history_without_an_attribute_is_all_that_was_told_of_somebody(mem, clock):
    say(mem, clock, "Nadia works at Fernhill", "I live in Porto", "Nadia joined Larkspur")
    assert texts(mem.history("Nadia")) == ["Nadia works at Fernhill", "Nadia joined Larkspur"]
    assert texts(mem.history("nadia")) == texts(mem.history("Nadia"))
    assert texts(mem.history("user")) == ["I live in Porto"]
    assert mem.history("Theo") == []


def test_facts_told_and_observed_are_one_history(mem, clock):
    mem.add_fact("Alex", "home town", "Porto")
    clock.days(1)
    told = mem.observe("I moved to Ghent", entity="Alex")
    assert (told.action, texts(told.contradicts)) == ("supersede", ["Alex: home town: Porto"])
    assert texts(mem.facts("Alex")) == ["I moved to Ghent"]
    clock.days(1)
    mem.add_fact("Alex", "home town", "Lyon")
    path = ["Alex: home town: Porto", "I moved to Ghent", "Alex: home town: Lyon"]
    assert texts(mem.facts("Alex")) == path[2:]
    assert texts(mem.history("Alex", "home town")) == path
    assert texts(mem.history("Alex", "city")) == path


def test_what_may_have_many_values_is_no_fact_but_has_a_history(mem, clock):
    say(mem, clock, "I like olives", "I hate olives")
    assert mem.facts("user") == []
    assert texts(mem.history("user")) == ["I like olives", "I hate olives"]


def test_what_is_sealed_is_in_neither(mem):
    mem.add_social_impression("Ana", "I live in Porto", tags=["sealed"])
    assert mem.facts("Ana") == mem.history("Ana") == []


def test_a_relation_is_another_person(mem, clock):
    say(mem, clock, "My sister lives in Oslo", "I live in Porto")
    assert texts(mem.facts("user")) == ["I live in Porto"]
    assert texts(mem.facts()) == ["I live in Porto"]


@pytest.mark.parametrize("wrong", [5, None, " x", "a\nb"])
def test_a_wrong_attribute_is_refused(mem, wrong):
    if wrong is None:
        assert mem.history("user", wrong) == []
    else:
        with pytest.raises(InvalidMemoryError):
            mem.history("user", wrong)


# --- retract -------------------------------------------------------------------------------------


def test_retracting_an_update_makes_the_old_value_current_again(mem, clock):
    mem.observe(MOVES[0], source="m1")
    before = picture(mem)
    clock.days(1)
    mem.observe(MOVES[1], source="m2")
    assert mem.retract("m2").forgotten == (2,)
    assert picture(mem) == before
    assert found(mem, "where do I live?") == [MOVES[0]]


@pytest.mark.parametrize("source", [1, 2, 3])
@pytest.mark.parametrize(
    "said",
    [
        MOVES,
        ("I work at Fernhill", "I joined Larkspur", "I joined Halden"),
        ("Mara lives in Oslo", "Mara moved to Rome", "Mara moved back to Oslo"),
        ("I love olives", "I hate olives", "I love olives again"),
        ("The deploy is on", "The deploy is off", "The deploy is on again"),
        (
            "My favourite tea is sencha",
            "My favourite tea is now rooibos",
            "My favourite tea is mint",
        ),
        ("I live in Porto", "I moved to Ghent", "I live in Ghent now"),
    ],
)
def test_without_one_of_three_it_is_as_if_only_the_others_had_been_told(clock, said, source):
    start = clock()
    with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
        say(mem, clock, *said)
        mem.retract(f"m{source}")
        left = picture(mem)
        assert mem.contradictions() == []
    clock.now = start
    with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
        for number, text in enumerate(said, 1):
            if number != source:
                mem.observe(text, source=f"m{number}")
            clock.days(1)
        known = [row[:3] for row in picture(mem)]
        if len(known) == 2:
            assert [row[:3] for row in left] == known
        else:  # the two left say the same: told alone they would be one
            assert [status for _, status, _ in known] == ["current"]
            assert [row[1] for row in left] == ["current", "current"]


@given(st.permutations([1, 2, 3]))
def test_retracting_everything_in_any_order_leaves_nothing(order):
    now = [1_800_000_000.0]
    with VividMem(clock=lambda: now[0]) as mem:
        for number, text in enumerate(MOVES, 1):
            mem.observe(text, source=f"m{number}")
            now[0] += DAY
        for number in order:
            left = texts(mem.facts("user"))
            assert len(left) == 1, left
            mem.retract(f"m{number}")
        assert mem.memories() == []


def test_of_a_merge_only_the_share_goes(mem, clock):
    for source in ("m1", "m2"):
        mem.observe("Rosa keeps bees on the roof", source=source)
        clock.days(1)
    assert mem.retract("m2").forgotten == ()
    (left,) = mem.memories()
    assert (left.text, left.seen, left.sources) == ("Rosa keeps bees on the roof", 1, ("m1",))
    assert mem.retract("m1").forgotten == (left.id,)


@pytest.mark.parametrize("sources", [("", "m1"), ("m1", "")])
def test_what_was_also_told_without_a_source_stays(mem, clock, sources):
    for source in sources:
        mem.observe("Rosa keeps bees on the roof", source=source)
        clock.days(1)
    assert mem.retract("m1").forgotten == ()
    (left,) = mem.memories()
    assert (left.seen, left.sources) == (1, ())
    with VividMem(clock=clock) as copy:
        copy.import_(mem.export())
        assert copy.memories() == mem.memories()


def test_a_source_that_told_twice_goes_as_a_whole(mem, clock):
    for _ in range(2):
        mem.observe("Rosa keeps bees on the roof", source="m1")
        clock.days(1)
    assert mem.retract("m1").forgotten == (1,)


def test_facts_and_notes_of_a_source_go_with_it(mem, clock):
    mem.add_fact("Alex", "city", "Porto", source="m1")
    clock.days(1)
    mem.add_fact("Alex", "city", "Ghent", source="m2")
    mem.observe("Our house burned down last night", entity="Alex", source="m2")
    mem.annotate(mem.memories()[-1].id, "The cat was rescued")
    assert len(mem.retract("m2").forgotten) == 3
    assert [(m.text, m.status) for m in mem.memories()] == [("Alex: city: Porto", "current")]


def test_an_unknown_source_changes_nothing(mem, clock):
    say(mem, clock, *MOVES)
    before = mem.export()
    assert mem.retract("m9").forgotten == ()
    assert mem.export() == before
    for wrong in (None, 5, "", " m1"):
        with pytest.raises(InvalidMemoryError):
            mem.retract(wrong)
    assert mem.export() == before


def test_retracting_inside_a_batch_that_fails_is_undone(mem, clock):
    say(mem, clock, *MOVES)
    before = mem.export()["memories"]
    with pytest.raises(RuntimeError), mem.batch():
        mem.retract("m2")
        raise RuntimeError
    assert mem.export()["memories"] == before


# --- open conflicts ------------------------------------------------------------------------------


def disputed(mem, clock):
    """Two notes the agent made that cannot both be true."""
    mem.add_social_impression("Mara", "Mara lives in Athens")
    clock.days(1)
    mem.add_social_impression("Mara", "Mara lives in Nairobi")


def test_what_was_only_noted_stays_open_older_and_newer_side_by_side(mem, clock):
    disputed(mem, clock)
    (pair,) = mem.contradictions()
    assert isinstance(pair, Contradiction)
    assert (pair.older.text, pair.newer.text) == ("Mara lives in Athens", "Mara lives in Nairobi")
    assert pair.about == "home"
    assert all(m.current for m in mem.memories())


@pytest.mark.parametrize(
    ("one", "other", "about"),
    [
        ("Kim can drive", "Kim cannot drive", "polarity"),
        ("We keep bees", "We dont keep bees", "polarity"),
        ("The ticket was 30 dollars", "The ticket was 45 dollars", "number"),
        ("The curtain went up", "The curtain went down", "antonym"),
        ("Ann is older than Ben", "Ben is older than Ann", "order"),
    ],
)
def test_word_against_word_says_what_it_is_about(mem, clock, one, other, about):
    mem.add_self_reflection(one)
    clock.days(1)
    mem.add_self_reflection(other)
    assert [pair.about for pair in mem.contradictions()] == [about]


def test_a_model_may_verify(mem, clock):
    disputed(mem, clock)
    prompts = []

    def reply(answer):
        return lambda prompt: prompts.append(prompt) or answer

    assert len(mem.contradictions(llm_fn=reply("Yes, they do."))) == 1
    assert mem.contradictions(llm_fn=reply("No.")) == []
    assert "Athens" in prompts[0] and "Nairobi" in prompts[0]
    with pytest.raises(InvalidMemoryError):
        mem.contradictions(llm_fn=reply(None))


def test_the_newest_conflicts_come_first_and_are_limited(mem, clock):
    for name in ("Ana", "Ben", "Theo"):
        for city in ("Porto", "Ghent"):
            mem.add_social_impression(name, f"{name} lives in {city}")
            clock.days(1)
    assert [pair.newer.entity for pair in mem.contradictions()] == ["Theo", "Ben", "Ana"]
    assert [pair.newer.entity for pair in mem.contradictions(limit=1)] == ["Theo"]
    for wrong in (0, -1, None, "all", True):
        with pytest.raises(InvalidMemoryError):
            mem.contradictions(limit=wrong)


def test_what_was_settled_is_no_conflict(mem, clock):
    disputed(mem, clock)
    mem.observe("Mara moved to Rome")
    assert [m.status for m in mem.memories()][-1] == "current"
    disputed_still = [pair for pair in mem.contradictions() if "Rome" in pair.newer.text]
    assert disputed_still == []


def test_a_feeling_alone_is_no_contradiction(mem, clock):
    mem.add_self_reflection("The choir sang in the chapel", "sad")
    clock.days(1)
    again = mem.add_self_reflection("The choir sang in the chapel", "happy")
    assert again.seen == 2
    assert mem.contradictions() == []


NO_CONFLICT = """
CI is on GitHub Actions | the package manager is pnpm
we moved to York | we split up, Rob moved out
the frontend is React 18 | the backend framework is FastAPI
we deploy on Fly.io | the database is hosted on Neon
our linter is ruff | the test runner is pytest
the web app is written in TypeScript | the scripts are in Bash
my sister moved to Oslo | my brother moved to Lima
I play tennis on Mondays | I play chess on Fridays
I take metformin | I take the bus
the staging database is Postgres 15 | the cache is Redis
my work phone is a Pixel | my private phone is an iPhone
I have an appointment on Monday | the dentist appointment is on Friday
our standup is at 9 | the retro is at 4
Rosa is our designer | Tim is our tester
my laptop runs Linux | my work machine runs Windows
I'm reading Dune | the book club reads Emma
the API is in Go | the CLI is written in Rust
my mother is a nurse | my mother lives in Bath
I went to school in Kent | my daughter goes to Hill School
we use Slack for chat | we use Zoom for calls
the build runs on Jenkins | the deploy is on Heroku
my bank is Citi | my insurance is with Aviva
we adopted a cat | the dog is a beagle
Ana moved in | Tom moved out
"""
CONFLICT = """
I live in Leeds | I live in York
my boss is Karl | my boss is Juhani
Mara works at Fernhill | Mara works at Larkspur
the frontend is React | the frontend is Vue
our CI is Jenkins | our CI is CircleCI
my dentist is Dr Ibsen | my dentist is Dr Moe
I bank with Citi | my bank is Lloyds
the deadline is Friday | the deadline is Monday
we use Postgres | our database is MySQL
my husband is Greg | my husband is Paul
Dana owns the billing service | Pete owns the billing service
I'm vegan | I eat meat every day
my sister lives in Oslo | my sister lives in Lima
"""


def split(table):
    """The rows of a table, cell by cell."""
    return [tuple(map(str.strip, row.split("|"))) for row in table.strip().splitlines()]


@pytest.mark.parametrize(("one", "other"), split(NO_CONFLICT))
@pytest.mark.parametrize("how", ["observed", "noted"])
def test_different_things_of_one_family_are_no_conflict(mem, clock, one, other, how):
    for text in (one, other):
        if how == "observed":
            mem.observe(text, entity="Mara")
        else:
            mem.add_social_impression("Mara", text)
        clock.days(1)
    assert mem.contradictions() == []
    assert "Open contradictions" not in mem.get_context_block("Mara")


@pytest.mark.parametrize(("one", "other"), split(CONFLICT))
def test_one_slot_with_two_values_that_were_noted_is_a_conflict(mem, clock, one, other):
    for text in (one, other):
        mem.add_social_impression("Mara", text)
        clock.days(1)
    assert [(c.older.text, c.newer.text) for c in mem.contradictions()] == [(one, other)]


# --- doubt ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("speaker", ["user", "assistant"])
def test_retelling_a_doubted_statement_does_not_raise_its_confidence(mem, clock, speaker):
    memory = mem.observe("The museum is closed on Mondays", speaker=speaker).memory
    doubted = mem.feedback(memory.id, helped=False)
    assert doubted.confidence < memory.confidence
    for _ in range(3):
        clock.days(1)
        mem.observe("The museum is closed on Mondays", speaker=speaker)
    assert mem.memories()[0].confidence == doubted.confidence
    assert mem.recall(memory.id).certainty == "likely"
    mem.feedback(memory.id, helped=False)
    assert mem.recall(memory.id).certainty == "doubtful"


def test_a_memory_that_helped_lasts_longer(mem, clock):
    memory = mem.observe("The museum is closed on Mondays").memory
    clock.days(2)
    helped = mem.feedback(memory.id, helped=True)
    assert helped.stability > memory.stability
    assert helped.confidence == memory.confidence
    for wrong in (1, None, "yes"):
        with pytest.raises(InvalidMemoryError):
            mem.feedback(memory.id, wrong)


# --- changes -------------------------------------------------------------------------------------


def test_changes_since_an_id_or_a_time(mem, clock):
    say(mem, clock, "I live in Porto", "Rosa keeps bees on the roof", "The kiln cracked")
    since, last = clock(), mem.memories()[-1].id
    clock.hours(1)
    mem.observe("I moved to Ghent")
    mem.observe("rosa keeps bees on the roof!")
    mem.forget(3)
    for moment in (since, last):
        found_now = mem.changes(moment)
        assert found_now.added == (4,)
        assert found_now.superseded == (1,)
        assert found_now.changed == (2,)
        assert found_now.forgotten == (3,)
    clock.hours(1)
    assert mem.changes(clock()) == ((), (), (), ())


def test_changes_of_what_a_retraction_erased(mem, clock):
    say(mem, clock, *MOVES)
    since = clock()
    mem.retract("m3")
    assert mem.changes(since).forgotten == (3,)
    assert mem.changes(0).added == (1, 2)
    with VividMem(clock=clock) as copy:
        copy.import_(mem.export())
        assert copy.changes(since).forgotten == (3,)


def test_words_of_the_forgotten_are_not_among_the_changes(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        gone = mem.observe("The quagga sleeps in the shed").memory
        mem.forget(gone.id)
        assert mem.changes(0.0).forgotten == (gone.id,)
        assert all(b"quagga" not in p.read_bytes() for p in folder.iterdir())
    with VividMem(folder, clock=clock) as mem:
        assert mem.changes("2020-01-01").forgotten == (gone.id,)


@pytest.mark.parametrize("wrong", [None, "soon", float("nan"), True, b"1", []])
def test_a_wrong_since_is_refused(mem, wrong):
    with pytest.raises(InvalidMemoryError):
        mem.changes(wrong)


# --- years ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("year", ["2019", "2023", "2024", "2025"])
@pytest.mark.parametrize(
    ("now", "then", "question"),
    [
        ("I live in Turku", "In {} I lived in Umea", "where do I live?"),
        ("I live in Turku", "I lived in Umea in {}", "where do I live?"),
        ("I live in Turku", "I moved to Umea in {}", "where do I live?"),
        ("I work at Larkspur", "I worked at Fernhill in {}", "where do I work?"),
        ("I work at Larkspur", "In {} I joined Fernhill", "where do I work?"),
        ("Nadia lives in Ghent", "Nadia moved to Porto in {}", "where does Nadia live?"),
    ],
)
def test_what_is_dated_to_a_year_gone_by_ends_nothing(mem, clock, now, then, question, year):
    """The clock stands in 2026; whatever the year, what holds was told for today."""
    say(mem, clock, now, then.format(year))
    assert found(mem, question)[0] == now
    assert mem.memories()[0].current


@pytest.mark.parametrize("year", ["2019", "2023", "2025"])
def test_a_change_in_a_year_gone_by_holds_since_then(mem, clock, year):
    say(mem, clock, f"I moved to Umea in {year}")
    (home,) = mem.facts("user", as_of=f"{year}-06-01")
    assert home.current
    assert found(mem, "where do I live?") == [f"I moved to Umea in {year}"]
    say(mem, clock, "I moved to Turku")
    assert found(mem, "where do I live?") == ["I moved to Turku"]


# --- what was before -----------------------------------------------------------------------------

BEFORE = """
my boss is Karl | my new boss is Juhani | who was my boss before Juhani?
the wedding is on June 4 | the wedding is now on July 9 | what was the original wedding date?
my girlfriend is Mia | my girlfriend is now Priya | who was my girlfriend before Priya?
we live in Leeds | we moved to York | where did we use to live?
I live in Leeds | I moved to York | where did I live before?
our database is MySQL | we switched to Postgres | what database did we use before Postgres?
our database is MySQL | we migrated to Postgres | our database before we migrated to Postgres?
my dentist is Dr Moe | my dentist is now Dr Ibsen | who was my previous dentist?
I drive a Golf | I bought a Tesla | what car did I drive before the Tesla?
I bank with Citi | I switched to Lloyds | which bank was I with originally?
I work at Fernhill | I joined Larkspur | where did I work before Larkspur?
Nadia works at Fernhill | Nadia joined Larkspur | where did Nadia work before Larkspur?
Nadia lives in Rome | Nadia moved to Oslo | where did Nadia use to live?
my landlord is Mr Pike | my new landlord is Ms Roe | who was our landlord prior to Ms Roe?
the deadline is Friday | the deadline is now Monday | what was the initial deadline?
my favourite tea is sencha | my favourite tea is now rooibos | my favourite tea before rooibos?
my phone is a Pixel | I got an iPhone | what phone did I have before the iPhone?
the rent is 900 | the rent is now 950 | what was the old rent?
my flatmate is Rob | my new flatmate is Sam | who was my flatmate before Sam?
I use Vim | I switched to VS Code | which editor did I use to use?
my gym is Puregym | my gym is now Everlast | what was my former gym?
my manager is Lena | my manager is Omar now | who was my manager first?
"""
NOW = """
my boss is Karl | my new boss is Juhani | who is my boss?
the wedding is on June 4 | the wedding is now on July 9 | when is the wedding?
we live in Leeds | we moved to York | where do we live?
Kojo is 9. | Kojo turned 10 last week. | how old is Kojo?
my son is 4 | my son turned 5 | how old is my son?
Mia is 31 years old | Mia turned 32 yesterday | how old is Mia now?
our house is 90 years old | our house is 91 years old | how old is our house?
my first name is Jo | my first name is Joanna | what is my first name?
I work at Fernhill | I joined Larkspur | where do I work?
the printer is broken | the printer works again | is the printer broken?
my dog is 3 | my dog is 4 now | how old is my dog?
I live in Leeds | I moved to York | what's my address?
my bank is Citi | I switched to Lloyds | which bank do I use?
"""


@pytest.mark.parametrize(("older", "newer", "question"), split(BEFORE))
def test_who_asks_for_what_was_before_gets_the_older_value_first(
    mem, clock, older, newer, question
):
    say(mem, clock, older, "I bought new shoes in May", "The weather was awful", newer)
    assert found(mem, question)[0] == older


@pytest.mark.parametrize(("older", "newer", "question"), split(NOW))
def test_who_asks_for_what_is_gets_nothing_that_is_over(mem, clock, older, newer, question):
    say(mem, clock, older, "I bought new shoes in May", "The weather was awful", newer)
    hits = mem.resonate(question)
    assert hits[0].text == newer
    assert all(hit.certainty != "outdated" for hit in hits)


def test_before_a_value_is_what_came_before_that_value_only(mem, clock):
    say(mem, clock, "my boss is Karl", "my new boss is Juhani", "my new boss is Mona")
    assert found(mem, "who was my boss before Juhani?")[0] == "my boss is Karl"
    assert found(mem, "who was my boss before Mona?")[:2] == [
        "my new boss is Juhani",
        "my boss is Karl",
    ]
    assert found(mem, "who was my boss originally?")[:2] == [
        "my boss is Karl",
        "my new boss is Juhani",
    ]
    assert found(mem, "who is my boss?")[0] == "my new boss is Mona"


def test_a_fact_whose_time_is_over_answers_no_question_of_now(mem, clock):
    mem.observe("I live in Rome", entity="Ana")
    clock.days(1)
    mem.add_fact("Ana", "home", "Oslo", valid_until=clock.now + 5 * DAY)
    assert "Oslo" in found(mem, "where does Ana live?")[0]
    clock.days(6)
    assert not any("Oslo" in text for text in found(mem, "where does Ana live?"))


# --- of whom is asked ----------------------------------------------------------------------------

OF_ANOTHER = """
my sister Ana is allergic to nuts | what am I allergic to?
Rob is a vegetarian | am I vegetarian?
Helen's husband is Greg | who is my husband?
I live in Leeds | where does my sister live?
Dana owns the billing service | who owns the auth service?
Nadia works at Fernhill | where do I work?
my brother plays the cello | which instrument do I play?
my mother's birthday is 4 May | when is my birthday?
my neighbour Olga drives a Tesla | what car do I drive?
Tom banks with Citi | which bank do I use?
I work at Larkspur | where does Nadia work?
I'm allergic to penicillin | what is my son allergic to?
my dad takes metformin | what medication do I take?
Nadia lives in Porto | where does Bruno live?
my colleague Ivo speaks Finnish | what languages do I speak?
my wife is a nurse | what is my job?
Priya is 31 | how old is Tom?
"""
OF_THE_ONE_ASKED = """
my sister Ana is allergic to nuts | who is allergic to nuts?
my sister Ana is allergic to nuts | what is Ana allergic to?
my sister Ana is allergic to nuts | what is my sister allergic to?
Rob is a vegetarian | is Rob vegetarian?
Rob is a vegetarian | who is vegetarian?
Helen's husband is Greg | who is Helen's husband?
My sister Ana lives in Toronto | where does Ana live?
The doctor told me I'm allergic to penicillin | what am I allergic to?
Dana owns the billing service | who owns the billing service?
Dana owns the billing service | what does Dana own?
my dog is called Rex | what is my dog's name?
my husband and I are vegetarian | am I vegetarian?
we bank with Citi | which bank do I use?
my wife Mia and I live in Leeds | where do I live?
our flat is in Leeds | where do I live?
my husband is Greg | what is my husband's name?
Nadia works at Fernhill | who works at Fernhill?
my daughter Lea goes to Hill School | which school does Lea go to?
my boss Karl lives in Bath | where does my boss live?
my brother Tom gave me his Golf, so now I drive it | what car do I drive?
my mother's maiden name is Pike | what was my mother's maiden name?
Tom and Priya live in Oslo | where does Priya live?
"""
MEANWHILE = ("I bought new shoes in May", "The weather was awful", "The neighbours had a party")


@pytest.mark.parametrize(("told", "question"), split(OF_ANOTHER))
def test_what_is_told_of_another_is_no_answer_at_all(mem, clock, told, question):
    say(mem, clock, *MEANWHILE, told)
    assert told not in found(mem, question)


@pytest.mark.parametrize(("told", "question"), split(OF_THE_ONE_ASKED))
def test_what_names_the_one_asked_for_or_is_asked_of_anybody_is_found(mem, clock, told, question):
    say(mem, clock, *MEANWHILE, told)
    hit = mem.resonate(question)[0]
    assert (hit.text, hit.certainty, hit.why.of_another) == (told, "certain", False)


def test_what_shares_more_than_the_slot_comes_last_and_in_doubt(mem, clock):
    trip, nadia = "The trip to the harbour was windy", "Nadia lives in Porto by the harbour"
    say(mem, clock, *MEANWHILE, trip, nadia)
    first, last = mem.resonate("where by the harbour does Bruno live?")
    assert (first.certainty, first.why.of_another) == ("likely", False)  # it tells of no home
    assert (last.text, last.certainty) == ("Nadia lives in Porto by the harbour", "doubtful")
    assert last.why.of_another
    assert last.score < first.score
    assert last.confidence < 0.5


@pytest.mark.parametrize(
    ("name", "told", "question"),
    [
        ("Melanie", "I live in Porto", "where does Mel live?"),
        ("John", "I have a dog and a cat", "do both James and John have pets?"),
        (
            "Tim",
            "I work at Fernhill",
            "what did the mail that John sent say about where Tim works?",
        ),
    ],
)
def test_a_short_name_and_a_second_name_are_names_too(mem, clock, name, told, question):
    for text in MEANWHILE:
        mem.observe(text, entity="Ana")
    mem.observe(told, entity=name)
    hits = {hit.text: hit for hit in mem.resonate(question)}
    assert not hits[told].why.of_another


def test_the_true_answer_stands_alone(mem, clock):
    say(mem, clock, "Ana is allergic to nuts", "I'm allergic to penicillin", "Rob loves nuts")
    mine = found(mem, "what am I allergic to?")
    assert mine[0] == "I'm allergic to penicillin"
    assert "Ana is allergic to nuts" not in mine
    assert found(mem, "what is Ana allergic to?")[0] == "Ana is allergic to nuts"
    both = {"Ana is allergic to nuts", "I'm allergic to penicillin"}
    assert both <= set(found(mem, "who has an allergy?")) | set(found(mem, "who is allergic?"))


def test_a_question_in_no_name_may_be_of_anybody_who_speaks_of_himself(mem, clock):
    for name, city in (("Ana", "Rome"), ("Bo", "Lyon")):
        mem.observe(f"I live in {city}", entity=name)
        clock.days(1)
    assert set(found(mem, "where do I live?")) == {"I live in Rome", "I live in Lyon"}
    assert found(mem, "where do I live?", entity="Bo") == ["I live in Lyon"]


# --- hostile and forgotten -----------------------------------------------------------------------


def test_replacements_that_run_in_a_circle_are_followed_once(mem):
    usual = {"kind": "impression", "entity": "Ana", "status": "superseded", "sources": ["a"]}
    circle = [
        {**usual, "id": 1, "text": "Ana lives in Porto", "when": 1.7e9, "superseded_by": 2},
        {**usual, "id": 2, "text": "Ana lives in Ghent", "when": 1.7e9 + 1, "superseded_by": 1},
    ]
    mem.import_({"vividmem": 1, "memories": circle})
    assert mem.resonate("where does Ana live?") == []
    assert set(mem.retract("a").forgotten) == {1, 2}


def test_who_was_forgotten_is_nobody_a_question_could_mean(mem):
    mem.observe("I live in Rome", entity="Ana")
    mem.observe("I live in Lyon", entity="Bo")
    mem.forget_entity("Ana")
    hit = mem.resonate("where do I live?")[0]
    assert (hit.text, hit.why.slot) == ("I live in Lyon", "home")


# --- two who are named ---------------------------------------------------------------------------

OF_TWO = [
    ("the plan is Basic", "the plan is Pro"),
    ("the app version is 5.2", "the app version is 5.3"),
    ("the printer is broken", "the printer works again"),
    ("our admin is Pete", "our admin is Sue"),
    ("the deadline is Friday", "the deadline is Monday"),
    ("CI is on GitHub Actions", "CI is on Jenkins"),
    ("the subscription costs 9 dollars", "the subscription costs 12 dollars"),
    ("the database is Postgres", "we migrated the database to MySQL"),
    ("the invoice is unpaid", "the invoice is paid"),
    ("Nadia works at Fernhill", "Nadia just joined Larkspur"),
    ("the server is down", "the server is back up"),
    ("the billing address is in Leeds", "the billing address is in York"),
    ("the app crashes on startup", "the app crashes on startup"),
    ("order is late", "order is late"),
]


@pytest.mark.parametrize(("first", "second"), OF_TWO)
@pytest.mark.parametrize("one", ["Ana Ruiz", "user"])
def test_what_one_named_says_neither_ends_nor_swallows_what_another_says(
    mem, clock, one, first, second
):
    mem.observe(first, entity=one)
    clock.days(5)
    told = mem.observe(second, entity="Bo Chen")
    assert (told.action, told.contradicts) == ("store", ())
    assert [(m.text, m.entity, m.seen) for m in mem.memories()] == [
        (first, one, 1),
        (second, "Bo Chen", 1),
    ]
    assert not any(c.status == "ended" for m in mem.memories() for c in m.claims)
    assert mem.contradictions() == []
    assert found(mem, second, entity="Bo Chen") == [second]
    assert found(mem, first, entity=one) == [first]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pair
        for pair in OF_TWO
        if pair[0] != pair[1] and pair[0] not in ("the plan is Basic", "the server is down")
    ],
)
def test_what_one_named_says_still_replaces_what_he_said_himself(mem, clock, first, second):
    mem.observe("Bo's own words", entity="Bo Chen")
    mem.observe(first, entity="Ana Ruiz")
    clock.days(5)
    assert texts(mem.observe(second, entity="ana ruiz").contradicts) == [first]


def test_things_of_which_a_hundred_speak_are_each_updated_by_their_own(mem, clock):
    for number in range(100):
        mem.observe("the deadline is Friday", entity=f"client {number}")
    clock.days(5)
    told = mem.observe("the deadline is Monday", entity="client 3")
    assert [(m.text, m.entity) for m in told.contradicts] == [
        ("the deadline is Friday", "client 3")
    ]
    assert sum(m.current for m in mem.memories(limit=200)) == 100


def test_a_question_without_a_name_finds_what_each_said_of_his_own_thing(mem, clock):
    for client, day in (("Ana", "Friday"), ("Bo", "Monday"), ("Cleo", "Sunday")):
        mem.observe(f"the deadline is {day}", entity=client)
        clock.days(1)
    said = {f"the deadline is {day}" for day in ("Friday", "Monday", "Sunday")}
    assert set(found(mem, "when is the deadline?")) == said
    hit = mem.resonate("when is the deadline?", entity="Ana")[0]
    assert (hit.text, hit.why.slot) == ("the deadline is Friday", "deadline")


def test_the_user_and_the_agent_speak_of_one_world(mem, clock):
    say(mem, clock, "the deploy is off")
    assert texts(say(mem, clock, "the deploy is on")[0].contradicts) == ["the deploy is off"]
    mem.observe("Nadia works at Fernhill")
    clock.days(1)
    told = mem.observe("I just joined Larkspur", entity="Nadia")
    assert texts(told.contradicts) == ["Nadia works at Fernhill"]


def test_taking_back_a_statement_restores_what_its_own_teller_had_said(tmp_path, clock):
    def opened():
        return VividMem(tmp_path, clock=clock, config={"timezone": "UTC"})

    with opened() as mem:
        mem.observe("the deadline is Friday", entity="Ana", source="a")
        clock.days(1)
        mem.observe("the deadline is Monday", entity="Ana", source="b")
        clock.days(1)
        mem.observe("the deadline is Sunday", entity="Bo", source="c")
        mem.save()
    with opened() as mem:
        clock.days(1)
        mem.retract("b")
        assert [(m.text, m.current) for m in mem.memories()] == [
            ("the deadline is Friday", True),
            ("the deadline is Sunday", True),
        ]
        told = mem.observe("the deadline is Tuesday", entity="Ana")
        assert texts(told.contradicts) == ["the deadline is Friday"]


# -- whose name it is


@pytest.mark.parametrize(
    "text",
    ["A boy named Pip ran in and shouted.", "The innkeeper, a fat man named Obbo, is 50.",
     "A merchant gave Kaelen a bow, an elm shortbow named Thistle.",
     "There was a kid called Wim in the shop.", "She met a dog named Argos at the gate."],
)  # fmt: skip
def test_who_is_named_in_passing_is_no_fact_about_the_user(mem, text):
    mem.observe("My name is Ann and I live in Ulm.")
    mem.observe(text)
    assert texts(mem.facts("user")) == ["My name is Ann and I live in Ulm."]
    assert text not in texts(mem.history("user", "name"))
    assert text in found(mem, text)


@pytest.mark.parametrize(
    "text",
    ["I have a boy named Pip.", "Got a kitten named Muffin.", "My dog is called Argos.",
     "The name is Ann.", "My son is called Wim."],
)  # fmt: skip
def test_what_is_ones_own_keeps_its_name(mem, text):
    mem.observe(text)
    assert texts(mem.history("user")) == [text]


@pytest.mark.parametrize(
    ("known", "update", "question", "kept"),
    [("I live in Leeds. I bake bread on Sundays.", "I moved to York.", "what do I bake?", True),
     ("My boss is Ilse. She keeps bees.", "My boss is Tom now.", "who keeps bees?", True),
     ("I work at Fernhill. Coffee there is great.", "I just joined Larkspur.", "coffee", True),
     ("I drive a Golf. Love it.", "I drive a Skoda now.", "Golf", False),
     ("I live in Leeds!", "I moved to York.", "Leeds", False)],
)  # fmt: skip
def test_a_short_text_with_another_sentence_stays_for_what_that_tells(
    mem, clock, known, update, question, kept
):
    say(mem, clock, known, update)
    assert (known in found(mem, question)) is kept


# --- whose it is, and what is only passed by -----------------------------------------------------


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("my therapist is Frau Wendt", "Anna's therapist is Herr Kolb"),
        ("my midwife is Ute", "Paula's midwife is Gerda"),
        ("my boss is Frau Reuter", "Carla started at the practice, her boss Dr Hahn is strict"),
        ("My dentist is Dr Bahr", "Mia's brace is in, Dr Koch says her teeth look great"),
        ("My vet is Dr Sommer", "Ben's dog was at the vet, Dr Pohl gave it a shot"),
        ("my yoga teacher is Malte", "my swimming teacher is Beate, she screams a lot"),
        ("my boyfriend is Jonas", "my training partner is Kerem"),
        ("Ann's contract runs until May", "Bob's contract now runs until July"),
        ("Ann's discount is 5%", "Bob's discount is 10% now"),
        ("Tim's exam is on Monday", "Eva's exam is on Friday now"),
    ],
)
def test_what_is_somebody_elses_ends_nothing(mem, clock, known, later):
    say(mem, clock, known, later)
    assert all(memory.current for memory in mem.memories())


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("I live in Hamburg", "in Lisbon now. Ate 6 pasteis"),
        ("I live in Hamburg", "viewing on tuesday at 17:00, flat in Ottensen, Elbe Road, 1380"),
        ("I live at 8 Pine Street, Hull", "Dan is my neighbour"),
        ("I'm 34", "I'm vegetarian since I was 16. Jonas eats everything."),
        ("I'm 34", "I smoked till I was 25"),
        ("I'm 34", "I've played chess since I was 8"),
        ("I'm Lena, a vet", "Call me Len from now on"),
        ("my name is Dana", "my surname is Roth"),
        ("takes ramipril 5 mg in the morning", "started on amlodipine 5 mg"),
        ("I take 5 mg ramipril", "I take 10 mg amlodipine"),
        ("I'm lactose intolerant", "turns out I'm gluten intolerant too"),
        ("I'm allergic to latex", "turns out I'm allergic to bees now"),
    ],
)
def test_what_is_passed_by_of_another_time_or_one_more_ends_nothing(mem, clock, known, later):
    say(mem, clock, known, later)
    assert all(memory.current for memory in mem.memories())


@pytest.mark.parametrize(
    ("known", "later"),
    [
        ("Anna's therapist is Herr Kolb", "Anna's therapist is Frau Ritter now"),
        ("my yoga teacher is Malte", "my yoga teacher is Beate now"),
        ("Ann's phone number is 555-1111", "Ann's phone number is 555-2222 now"),
        ("Tom's car is a Golf", "Tom's car is a Polo now"),
        ("I live in Hamburg", "we found a flat in Ottensen"),
        ("I'm 34", "I'm 35 now"),
        ("my surname is Brandt", "my surname is Feldmann now"),
        ("I take sertraline", "I switched from sertraline to citalopram"),
        ("I take sertraline", "I stopped taking sertraline"),
        ("I'm allergic to nuts", "I'm no longer allergic to nuts"),
    ],
)
def test_an_update_of_the_same_thing_still_ends_it(mem, clock, known, later):
    assert say(mem, clock, known, later)[1].action == "supersede"


def test_a_guess_at_a_slot_merges_nothing_away(mem, clock):
    said = "I go to work by train", "Got a bike from mum, a green one", "insurance pays the bike"
    say(mem, clock, *said)
    assert texts(mem.memories()) == list(said)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I'm Victor, managing partner at Lund & Pryce", "where do I work?"),
        ("I'm Victor, managing partner at Lund & Pryce", "what is my position?"),
        ("I'm Dana, 34, a nurse from Leeds", "what is my job?"),
        ("I'm Dana, 34, a nurse from Leeds", "where am I from?"),
        ("Sabine Roth here, CFO of Brandt", "where do I work?"),
        ("Hi, I'm Omar, a welder at Kestrel Yards", "who is my employer?"),
        ("I am Pete, 51, plumber from Cork", "what's my job?"),
        ("my mum is called Christel", "what's my mum's name?"),
        ("Dad's called Werner, mum's Christel", "what's my dad's name?"),
        ("my dad Werner loves trains", "what's my dad's name?"),
    ],
)
def test_an_introduction_and_the_name_of_a_relation_answer(mem, said, question):
    mem.observe(said)
    assert found(mem, question)[:1] == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I'm Victor, tired of London",
        "I'm Ida, back at the Savoy",
        "I'm Tom, a fan of Leeds United",
        "I'm Tom, father of Ben",
    ],
)
def test_an_introduction_without_work_names_no_job(mem, said):
    mem.observe(said)
    told = {claim.family for memory in mem.memories() for claim in memory.claims}
    assert not told & {"title", "employer"}
