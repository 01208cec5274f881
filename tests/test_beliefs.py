"""Beliefs: what only restates, and what is true when, in which order it was told."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vividmem import (
    DecayConfig,
    InvalidMemoryError,
    Memory,
    MergeConfig,
    VividMem,
    certainty,
    holds_at,
    merged,
    one_a_slot,
    placed,
    restates,
    same_value,
    slot_key,
    slot_of,
)

CFG = MergeConfig()
NOW = 1_000.0

# --- restatement ---------------------------------------------------------------------------------

SAME = """
Rosa keeps bees on the roof | rosa keeps bees on the roof.
Rosa keeps bees on the roof |  Rosa  keeps bees on the roof!
Paris. | Paris!
Zoë ordered crème brûlée | Zoe ordered creme brulee
The café opens at nine | The cafe\u0301 opens at nine
I don't like olives | I dont like olives
I do not like olives | I don't like olives
I can't swim | I cannot swim
I can't swim | I can not swim
Nadia really keeps bees | Nadia keeps bees
Well, Nadia keeps bees | Nadia keeps bees
The rent is $1,000 a month | The rent is $1000 a month
I've two cats | I have two cats
She's a nurse in Ghent | She is a nurse in Ghent
He no longer smokes | he no longer smokes.
猫が好き | 猫が好き。
Марта живёт в Томске | марта живет в томске
Straße frei | STRASSE FREI
“I live in Porto” | I live in Porto
Milo is allowed to eat peanuts | Milo is allowed to eat peanuts :
Ann - the pilot - lives in Oslo | Ann the pilot lives in Oslo
the build uses C++ | The build uses C++.
"""

DIFFERENT = """
polarity
I like green tea | I do not like green tea
I like tea | I dont like tea
Milo is allowed to eat peanuts | Milo is not allowed to eat peanuts
She can swim | She can't swim
Bruno smokes | Bruno never smokes
Bruno smokes | Bruno used to smoke
Ines eats meat | Ines no longer eats meat
Ines eats meat | Ines does not eat meat anymore
He smokes cigars | He quit smoking cigars
Everyone came to the party | No one came to the party
There is milk in the fridge | There is no milk in the fridge
We ship with tests | We ship without tests
She hardly ever works late on Fridays at home | She works late on Fridays at home
He is happy about the plan | He is unhappy about the plan
numbers
The rent for the flat by the old mill near the station is 900 euros | \
The rent for the flat by the old mill near the station is 950 euros
I have two cats | I have three cats
I have two cats | I have 3 cats
Meet at 7pm in the lobby | Meet at 8pm in the lobby
The price is $500 | The price is $800
The price is $5 | The price is 5%
It costs 1.5 million | It costs 1.5 billion
Version 2.14.3 is live | Version 2.14.30 is live
The code is 4096 | The code is 4097
Call +43 660 1234567 | Call +43 660 1234568
It is -5 outside | It is 5 outside
The bag weighs 5 kg | The bag weighs 5 lb
The bag weighs 5 kg | The bag weighs 5 g
It is 20 °C in the cellar | It is 20 °F in the cellar
The room is 20 m² big | The room is 20 m³ big
The fee is €20 | The fee is £20
He ran ½ a mile | He ran ¼ a mile
The ratio is 3:4 | The ratio is 4:3
x > 5 holds in the test | x < 5 holds in the test
dates
The review is on Monday | The review is on Tuesday
The review is on 5 May | The review is on 6 May
The release is on 2027-03-31 | The release is on 2027-03-30
He arrives tomorrow | He arrives today
We met in March in Ghent | We met in May in Ghent
The lease ends in 2026 | The lease ends in 2027
names
Anna loves cilantro | Ben loves cilantro
Nadia works at Fernhill | Nadia works at Larkspur
He lives in London | He lives in Chicago
Ticket QX-4471 is closed | Ticket QX-4472 is closed
The stack uses PostgreSQL | The stack uses MySQL
The build uses C++ | The build uses C
The build uses C# | The build uses C
The build uses C++ | The build uses C#
He writes .NET code | He writes Java code
Run rm -rf build | Run rm -r build
Mail ann@example.org about the keys | Mail ann@example.com about the keys
Ann and Bo moved to Oslo in the spring with their two dogs and a cat | \
Ann moved to Oslo in the spring with their two dogs and a cat
antonyms
The deploy is on | The deploy is off
The shop is open | The shop is closed
I love olives | I hate olives
Sales went up | Sales went down
The test passed in the nightly run | The test failed in the nightly run
She turned left at the mill | She turned right at the mill
He came before lunch | He came after lunch
Nadia lent Ivo a bike | Nadia borrowed Ivo a bike
The printer is broken | The printer works
words that mean nearly the same
He often swims at dawn | He sometimes swims at dawn
She is at the sea | She is by the sea
order
Alice loves Bob | Bob loves Alice
Priya is taller than Oskar | Oskar is taller than Priya
The dog bit the man | The man bit the dog
Rename old to new | Rename new to old
Move the files from alpha to beta | Move the files from beta to alpha
tense and time
Nadia works at the mill | Nadia worked at the mill
Nadia works at the mill | Nadia will work at the mill
I live in Porto | I lived in Porto
I have lived in Porto | I had lived in Porto
She is a pilot | She was a pilot
He is moving to Ghent | He has moved to Ghent
modality
She can come | She may come
You must lock the door | You may lock the door
We should deploy today | We could deploy today
I would like to go | I will like to go
He is allowed to drive | He is required to drive
All tests pass | Some tests pass
Only Ann has the key | Ann has the key
Nearly everyone signed the letter at the school gate | Everyone signed the letter at the school gate
If it rains we stay at home in the evening together | We stay at home in the evening together
persons
I like tea | You like tea
He likes tea | She likes tea
My dog barks | Your dog barks
My brother lives in Oslo | My sister lives in Oslo
signs
I feel great 😀 | I feel great 😢
I feel great 😀 | I feel great
You moved to Oslo | You moved to Oslo?
Is Ann home | Is Ann home?
你住在杭州 | 你住在杭州？
I like it | I like it 👎
The model is A+ | The model is A
questions
Does Nadia keep bees? | Nadia keeps bees
Who is Heidi? | Heidi
other scripts
猫が好き | 犬が好き
猫が好き | 猫が好きではない
我喜欢茶 | 我不喜欢茶
我爱你 | 你爱我
我住在杭州 | 我住在广州
Марта любит чай | Марта не любит чай
Марта живёт в Томске | Марта живёт в Омске
Марта любит Ивана | Мартy любит Иван
Марта любит чай с мёдом и лимоном по утрам | Марта не любит чай с мёдом и лимоном по утрам
أحب الشاي | لا أحب الشاي
أحب الشاي مع العسل والنعناع في الصباح الباكر | لا أحب الشاي مع العسل والنعناع في الصباح الباكر
我每天早上喜欢喝绿茶 | 我每天早上不喜欢喝绿茶
Anna trinkt im Sommer gern Tee mit Milch | Anna trinkt im Sommer nicht gern Tee mit Milch
أسكن في دمشق | أسكن في عمان
나는 차를 좋아한다 | 나는 차를 싫어한다
ฉันชอบชา | ฉันไม่ชอบชา
more is not the same
Nadia keeps bees | Nadia keeps bees on the roof of the mill
Nadia | Nadia keeps bees
"""


def pairs_of(table):
    rows = [line.split("|") for line in table.splitlines() if "|" in line]
    return [(one.strip(), other.strip()) for one, other in rows]


@pytest.mark.parametrize("one, other", pairs_of(SAME))
def test_these_say_the_same(one, other):
    assert restates(one, other, CFG)
    assert restates(other, one, CFG)


@pytest.mark.parametrize("one, other", pairs_of(DIFFERENT))
def test_these_say_something_else(one, other):
    assert not restates(one, other, CFG)
    assert not restates(other, one, CFG)


@pytest.mark.parametrize("one, other", pairs_of(DIFFERENT))
def test_what_says_something_else_is_kept_beside(one, other):
    for texts in ((one, other), (other, one)):
        with VividMem() as mem:
            first, second = map(mem.add_self_reflection, texts)
            assert first.id != second.id
            assert [m.text for m in mem.memories()] == list(texts)


def test_leaving_out_a_harmless_word_of_many_is_the_same():
    long = "Nadia and her cousin keep brown bees in painted wooden hives near the mill"
    short = "Nadia and her cousin keep bees in painted wooden hives near the mill"
    assert restates(short, long, CFG)
    assert not restates(long, short, CFG)  # it tells more


SENTENCE = st.lists(
    st.sampled_from("Ann Bo likes not the 7 old mill never tea , . ? in on 猫".split()), max_size=8
).map(" ".join)


@given(SENTENCE)
def test_what_has_words_restates_itself(text):
    assert restates(text, text, CFG)
    assert restates(f"  {text}  ", text.upper() if text.islower() else text, CFG)


@given(SENTENCE, SENTENCE)
def test_restating_never_brings_a_word_that_was_not_there(new, old):
    if restates(new, old, CFG):
        said, known = (Counter(t.lower().replace(",", " ").split()) for t in (new, old))
        assert {w for w in said if w.isalpha()} <= set(known) | {"the"}


# --- merging -------------------------------------------------------------------------------------


def told(text="x", **changes):
    usual = {"id": 1, "kind": "reflection", "when": 0.0, "learned": 0.0, "stability": 3.0}
    return Memory(text=text, **{**usual, **changes})


def test_merging_keeps_the_first_words_all_sources_and_the_strictest_flags():
    old = told("first", sources=("m1",), tags=("anchored",), importance=4, why_saved="a")
    new = told("second", id=9, sources=("m2", "m1"), tags=("sealed",), importance=7, arousal=0.9)
    both = merged(old, new, 10.0, DecayConfig())
    assert (both.id, both.text, both.seen) == (1, "first", 2)
    assert (both.sources, both.tags) == (("m1", "m2"), ("anchored", "sealed"))
    assert (both.importance, both.arousal, both.why_saved) == (7, 0.9, "a")
    assert (both.reinforced, both.recalls) == (10.0, 0)


def test_fifty_restatements_are_one_memory_seen_fifty_one_times(mem):
    for text in ["Rosa keeps bees on the roof"] * 50 + [" rosa keeps bees on the roof."]:
        mem.add_self_reflection(text)
    assert [(m.text, m.seen) for m in mem.memories()] == [("Rosa keeps bees on the roof", 51)]


def test_a_restatement_does_not_unseal_or_unanchor(mem):
    mem.add_self_reflection("the safe is behind the painting", tags=["sealed", "anchored"])
    mem.add_self_reflection("The safe is behind the painting.")
    (one,) = mem.memories()
    assert set(one.tags) == {"sealed", "anchored"}
    assert mem.resonate("safe painting") == []


def test_the_same_words_about_two_people_are_two_memories(mem):
    mem.add_social_impression("Ann", "keeps bees")
    mem.add_social_impression("Bo", "keeps bees")
    mem.add_self_reflection("keeps bees")
    assert len(mem.memories()) == 3


def test_a_note_by_two_times_is_kept_with_the_sources_of_both(mem):
    mem.add_self_reflection("Nadia keeps bees", source="m1")
    again = mem.add_self_reflection("Nadia keeps bees", source="m2")
    assert again.sources == ("m1", "m2")


# --- slots ---------------------------------------------------------------------------------------


def fact(number, value, since, until=None, **changes):
    made = told(f"Theo: city: {value}", id=number, kind="fact", when=NOW, learned=NOW)
    changes = {"valid_from": since, "valid_until": until, **changes}
    return replace(made, entity="Theo", attribute="city", value=value, **changes)


def test_spellings_share_a_slot_and_people_do_not():
    one = fact(1, "Porto", 0)
    assert slot_of(one) == slot_of(replace(one, attribute="City", entity="THEO"))
    assert slot_of(one) != slot_of(replace(one, entity="Thea"))
    assert not slot_of(told("free text"))
    assert slot_key("favorite_color") == slot_key("Favorite  color")
    assert same_value(one, replace(one, value=" PORTO "))
    assert not same_value(one, replace(one, value="Ghent"))


@pytest.mark.parametrize("one, other", [("C", "C++"), ("+1", "-1"), ("5 kg", "5 g"), ("é", "f")])
def test_values_that_differ_are_not_the_same(one, other):
    assert not same_value(fact(1, one, 0), fact(2, other, 0))


# --- two clocks: the pure function ---------------------------------------------------------------


def settled(*news, now=NOW):
    """All records of a slot after *news* were told in this order, by id."""
    records = {}
    for new in news:
        for changed in placed(new, list(records.values()), now):
            records[changed.id] = changed
    return [records[number] for number in sorted(records)]


def true_at(records, moment):
    return [m.value for m in one_a_slot(m for m in records if holds_at(m, moment))]


def current(records, now=NOW):
    return [m.value for m in one_a_slot(m for m in records if m.current and holds_at(m, now))]


def test_a_later_value_supersedes():
    records = settled(fact(1, "Porto", 10), fact(2, "Ghent", 20))
    assert [(m.value, m.status, m.superseded_by) for m in records] == [
        ("Porto", "superseded", 2),
        ("Ghent", "current", None),
    ]
    assert [true_at(records, t) for t in (5, 10, 19.9, 20, NOW)] == [
        [], ["Porto"], ["Porto"], ["Ghent"], ["Ghent"],
    ]  # fmt: skip


def test_an_earlier_value_told_late_becomes_history_at_once():
    records = settled(fact(1, "Turku", 100), fact(2, "Umea", 50))
    assert [(m.value, m.status) for m in records] == [("Turku", "current"), ("Umea", "superseded")]
    assert (records[1].valid_until, records[1].superseded_by) == (100, 1)
    assert (true_at(records, 60), true_at(records, 40), current(records)) == (
        ["Umea"], [], ["Turku"],
    )  # fmt: skip


def test_a_value_told_late_between_two_others_has_its_time():
    records = settled(fact(1, "Porto", 10), fact(2, "Ghent", 100), fact(3, "Lyon", 50))
    assert [true_at(records, t) for t in (49, 50, 99, 100)] == [
        ["Porto"], ["Lyon"], ["Lyon"], ["Ghent"],
    ]  # fmt: skip
    assert current(records) == ["Ghent"]
    assert [m.superseded_by for m in records] == [3, None, 2]


def test_a_value_that_begins_later_waits():
    records = settled(fact(1, "Porto", 10), fact(2, "Ghent", NOW + 50))
    assert current(records) == ["Porto"]
    assert current(records, NOW + 50) == ["Ghent"]
    assert all(m.current for m in records)
    assert certainty(records[0], NOW + 50) == "outdated"


def test_before_a_value_that_waits_another_may_come():
    records = settled(fact(1, "Porto", 10), fact(2, "Ghent", NOW + 50), fact(3, "Lyon", 900))
    assert [true_at(records, t) for t in (899, 900, NOW, NOW + 50)] == [
        ["Porto"], ["Lyon"], ["Lyon"], ["Ghent"],
    ]  # fmt: skip


def test_at_equal_times_the_one_told_last_holds():
    records = settled(fact(1, "Porto", 10), fact(2, "Ghent", 10), fact(3, "Lyon", 10))
    assert true_at(records, 10) == current(records) == ["Lyon"]
    assert len(records) == 3


def test_the_same_value_again_is_no_new_record():
    porto = fact(1, "Porto", 10)
    assert placed(fact(2, "porto ", 20), [porto], NOW) == (porto,)


def test_the_same_value_from_earlier_on_begins_earlier():
    records = settled(fact(1, "Porto", 100), fact(2, "Porto", 10))
    assert [(m.id, m.begins, m.valid_until) for m in records] == [(1, 10, None)]


def test_an_old_value_can_come_back_and_the_path_stays():
    news = [fact(1, "Porto", 10), fact(2, "Ghent", 20), fact(3, "Porto", 30)]
    records = settled(*news)
    assert [m.value for m in records] == ["Porto", "Ghent", "Porto"]
    assert current(records) == ["Porto"]
    assert [true_at(records, t) for t in (15, 25, 35)] == [["Porto"], ["Ghent"], ["Porto"]]


def test_a_value_that_has_ended_is_history():
    records = settled(fact(1, "Umea", 10, 50))
    assert [m.status for m in records] == ["superseded"]
    assert [true_at(records, t) for t in (9, 10, 49, 50)] == [[], ["Umea"], ["Umea"], []]
    assert certainty(records[0], NOW) == "outdated"


def test_a_value_that_ended_does_not_hide_the_one_it_lay_in():
    """Turku since 10; back then, from 20 to 30, it was Umea; now it is Vaasa."""
    records = settled(fact(1, "Turku", 10), fact(2, "Umea", 20, 30), fact(3, "Vaasa", 500))
    assert current(records) == ["Vaasa"]
    assert records[0].status == "superseded"


def test_a_value_told_twice_from_the_same_time_stays_one_record():
    """Porto since 80, no: Ghent since 70, no: Porto since 70, and once more."""
    news = [fact(1, "Porto", 80), fact(2, "Ghent", 70), fact(3, "Porto", 70), fact(4, "Porto", 70)]
    assert true_at(settled(*news), 90) == ["Porto"]
    assert current(settled(*news, fact(5, "Lyon", 200))) == ["Lyon"]


def test_a_past_stay_told_late_is_alone_true_in_its_time():
    records = settled(fact(1, "Turku", 10), fact(2, "Umea", 20, 30))
    assert current(records) == ["Turku"]
    assert len(true_at(records, 25)) == 1


def test_a_given_end_is_not_moved_later():
    """Told: Lyon until NOW + 10, and Ghent from NOW + 50 on; between them nothing is known."""
    records = settled(fact(1, "Ghent", NOW + 50), fact(2, "Lyon", 900, NOW + 10))
    assert [true_at(records, t) for t in (NOW, NOW + 20, NOW + 60)] == [["Lyon"], [], ["Ghent"]]


def test_retracted_values_count_for_nothing():
    wrong = fact(1, "Porto", 10, status="retracted")
    assert placed(fact(2, "Ghent", 5), [wrong], NOW)[-1].current
    assert placed(fact(2, "Porto", 20), [wrong], NOW)[-1].id == 2


CITIES = ["Porto", "Ghent", "Lyon"]


@st.composite
def tellings(draw, open_ended=False):
    """Facts of one slot in the order of telling, with the time of telling."""
    news, now = [], NOW
    for number in range(1, draw(st.integers(1, 7)) + 1):
        now += draw(st.sampled_from([0, 1, 10]))
        since = now + draw(st.sampled_from([-30, -20, -10, -1, 0, 0, 5, 20]))
        ends = not open_ended and draw(st.integers(0, 3)) == 0
        until = since + draw(st.sampled_from([1, 5, 25])) if ends else None
        city = draw(st.sampled_from(CITIES))
        news.append((now, fact(number, city, since, until)))
    return news


def told_in_turn(news):
    records = {}
    for now, new in news:
        for changed in placed(new, [records[i] for i in sorted(records)], now):
            records[changed.id] = changed
    return list(records.values())


EVERY = [NOW - 40 + half / 2 for half in range(300)]


@given(tellings(open_ended=True))
def test_at_every_moment_at_most_one_value_is_true(news):
    records = told_in_turn(news)
    for moment in EVERY:
        assert len(true_at(records, moment)) <= 1
    assert len(current(records, news[-1][0])) <= 1


@given(tellings())
def test_at_every_moment_at_most_one_value_is_true_with_ends(news):
    records = told_in_turn(news)
    for moment in EVERY:
        assert len(set(true_at(records, moment))) <= 1


@given(tellings(open_ended=True))
def test_the_value_true_now_is_the_one_that_began_last(news):
    """Of all that was told to hold now, the latest to begin holds; told last, if equal."""
    news = [(t, replace(new, value=f"{new.value} {new.id}")) for t, new in news]
    records, now = told_in_turn(news), news[-1][0]
    begun = [new for _, new in news if new.begins <= now]
    last = sorted(begun, key=lambda new: (new.begins, new.id))[-1:]
    assert current(records, now) == [new.value for new in last]


@given(tellings())
def test_history_is_complete(news):
    """Each telling is a record of its own, or is inside one of its value; none is lost."""
    records = told_in_turn(news)
    assert {m.id for m in records} <= {new.id for _, new in news}
    for _, new in news:
        assert any(same_value(m, new) and m.begins <= new.begins for m in records)
    one_by_one = {}
    for now, new in news:
        known = dict(one_by_one)
        for changed in placed(new, [known[i] for i in sorted(known)], now):
            one_by_one[changed.id] = changed
        assert known.keys() <= one_by_one.keys()
        for number, old in known.items():
            assert one_by_one[number].value == old.value
            assert one_by_one[number].text == old.text


@given(tellings())
def test_pointers_lead_to_the_successor(news):
    records = {m.id: m for m in told_in_turn(news)}
    for one in records.values():
        if one.superseded_by is not None:
            assert one.status == "superseded"
            assert records[one.superseded_by].begins >= one.begins


# --- two clocks: through the library -------------------------------------------------------------


def values(memories):
    return [m.value for m in memories]


def test_facts_are_what_holds_and_history_is_all(mem, clock):
    mem.add_fact("Theo", "city", "Turku")
    clock.days(1)
    mem.add_fact("Theo", "city", "Umea", valid_from="2024-03-01")
    assert values(mem.facts("Theo")) == ["Turku"]
    assert values(mem.facts("Theo", as_of="2024-06-01")) == ["Umea"]
    assert values(mem.facts("Theo", as_of="2023-06-01")) == []
    assert values(mem.history("Theo", "city")) == ["Umea", "Turku"]
    assert [hit.text for hit in mem.resonate("Theo city")] == ["Theo: city: Turku"]


def test_a_stay_that_ended_leaves_one_city_after_a_move(mem, clock):
    mem.add_fact("Theo", "city", "Turku", valid_from="2020-01-01")
    mem.add_fact("Theo", "city", "Umea", valid_from="2024-01-01", valid_until="2024-06-01")
    assert values(mem.facts("Theo")) == ["Turku"]
    clock.days(10)
    mem.add_fact("Theo", "city", "Vaasa")
    assert values(mem.facts("Theo")) == ["Vaasa"]
    assert len(mem.facts("Theo", as_of="2024-03-01")) == 1


def test_a_value_confirmed_since_is_not_displaced_by_an_older_one(mem, clock):
    mem.add_fact("Theo", "city", "Turku", valid_from="2023-01-01")
    mem.add_fact("Theo", "city", "Turku")  # said again today
    clock.days(1)
    mem.add_fact("Theo", "city", "Umea", valid_from="2024-01-01")  # "back in 2024 I lived in Umea"
    assert values(mem.facts("Theo")) == ["Turku"]


def test_a_fact_that_waits_comes_true_by_itself(mem, clock):
    mem.add_fact("Theo", "city", "Turku")
    clock.days(1)
    mem.add_fact("Theo", "city", "Vaasa", valid_from=clock.now + 5 * 86_400)
    assert values(mem.facts("Theo")) == ["Turku"]
    clock.days(6)
    assert values(mem.facts("Theo")) == ["Vaasa"]
    assert "Turku" not in mem.get_context_block("Theo")


def test_what_waits_is_not_answered_as_true_yet(mem, clock):
    mem.add_fact("Theo", "city", "Turku")
    clock.days(1)
    mem.add_fact("Theo", "city", "Vaasa", valid_from=clock.now + 5 * 86_400)
    assert [hit.text for hit in mem.resonate("Theo city")] == ["Theo: city: Turku"]


def test_the_same_fact_five_times_is_one(mem, clock):
    for _ in range(5):
        kept = mem.add_fact("Theo", "name", "Theo Lind")
        clock.days(1)
    assert values(mem.history("Theo")) == ["Theo Lind"]
    assert kept.seen == 5


def test_a_corrected_fact_leaves_one_value_true(mem, clock):
    wrong = mem.add_fact("Theo", "city", "Turku")
    clock.days(1)
    mem.correct(wrong.id, "Tampere")
    assert values(mem.facts("Theo")) == ["Tampere"]
    clock.days(1)
    mem.add_fact("Theo", "city", "Vaasa")
    assert values(mem.facts("Theo")) == ["Vaasa"]


def test_one_sentiment_per_item(mem, clock):
    for sentiment in ("loves", "hates", "likes"):
        mem.update_entity_preference("Ann", "food", "olives", sentiment)
        clock.days(1)
    mem.update_entity_preference("Ben", "food", "olives", "hates")
    assert [m.sentiment for m in mem.preferences("Ann")] == ["likes"]
    assert [m.sentiment for m in mem.history("Ann")] == ["loves", "hates", "likes"]
    assert [m.sentiment for m in mem.preferences("Ben")] == ["hates"]


def test_an_end_before_the_beginning_is_refused(mem):
    with pytest.raises(InvalidMemoryError, match="valid_until"):
        mem.add_fact("Theo", "city", "Turku", valid_from="2024-05-01", valid_until="2024-04-01")
    assert mem.memories() == []


def city_life(told_facts):
    """Tell facts, one a day, and check that one city is true at any time."""
    now = [1_800_000_000.0]
    with VividMem(clock=lambda: now[0], config={"timezone": "UTC"}) as mem:
        start = now[0]
        for city, since, length in told_facts:
            begins = now[0] + since * 86_400
            ends = None if length is None else begins + length * 86_400
            mem.add_fact("Theo", "city", city, valid_from=begins, valid_until=ends)
            assert len(mem.facts("Theo")) <= 1
            now[0] += 86_400
        for day in range(-45, 40):
            assert len(set(values(mem.facts("Theo", as_of=start + day * 86_400)))) <= 1
        assert set(values(mem.history("Theo"))) == {city for city, *_ in told_facts}
        assert all(a.begins <= b.begins for a, b in pairwise(mem.history("Theo")))


DAYS = st.integers(-40, 20)


@given(st.lists(st.tuples(st.sampled_from(CITIES), DAYS, st.none()), max_size=6))
def test_through_the_library_one_city_is_true_at_any_time(told_facts):
    city_life(told_facts)


@given(st.lists(st.tuples(st.sampled_from(CITIES), DAYS, st.none() | st.just(3)), max_size=6))
def test_through_the_library_one_city_is_true_at_any_time_with_ends(told_facts):
    city_life(told_facts)


# --- certainty -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({}, "certain"),
        ({"confidence": 0.8}, "certain"),
        ({"confidence": 0.79}, "likely"),
        ({"confidence": 0.5}, "likely"),
        ({"confidence": 0.49}, "doubtful"),
        ({"status": "superseded"}, "outdated"),
        ({"status": "retracted"}, "outdated"),
        ({"valid_until": 50.0}, "outdated"),
        ({"valid_until": NOW + 1}, "certain"),
    ],
)
def test_certainty_follows_confidence_and_validity(changes, expected):
    assert certainty(told(**changes), NOW) == expected


# -- what of a memory is over

PARTS = [
    ("Joined the darts team! I'm terrible. It's at the Three Tuns",
     "Quit darts, I want thursdays for visiting mum.", "do I play darts?",
     "where are the Three Tuns?"),
    ("I live in Leeds. I bake bread on Sundays. It rains a lot here.", "I moved to York.",
     "Leeds", "what do I bake on Sundays?"),
    ("I work at Fernhill. My sister Priya paints boats.", "I just joined Larkspur.",
     "tell me about Fernhill", "who paints boats?"),
    ("We spent the day at the lake. My bank is Citi. The kids loved the boats.",
     "My bank is now Lloyds.", "Citi", "what did the kids love?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "newer", "over", "still"), PARTS)
def test_a_part_that_is_over_is_told_and_lowers_the_trust_in_what_is_found_by_it(
    mem, clock, text, newer, over, still
):
    first = mem.observe(text).memory
    clock.days(9)
    decision = mem.observe(newer)
    assert decision.reason == f"it replaces part of memory {first.id}"
    hit = next(hit for hit in mem.resonate(over) if hit.id == first.id)
    assert hit.text == text
    assert len(hit.outdated) == 1 and hit.outdated[0] in text
    assert hit.certainty == "outdated"
    assert hit.confidence < 0.5
    hits = mem.resonate(over)
    assert [h.text for h in hits[:2]] == [newer, text]
    kept = next(hit for hit in mem.resonate(still) if hit.id == first.id)
    assert kept.certainty == "certain"
    assert kept.outdated == hit.outdated
    assert mem.recall(first.id).certainty == "likely"


@pytest.mark.parametrize(
    ("text", "later"),
    [("I live in Leeds. I bake bread.", "My sister lives in York."),
     ("Joined the darts team! I'm terrible.", "Went to the darts final, what a night."),
     ("I drive a Golf. It is red.", "My boss drives a Skoda."),
     ("I work at Fernhill. We make lamps.", "I worked at Larkspur in 2009.")],
)  # fmt: skip
def test_what_ends_nothing_leaves_all_of_it_certain(mem, clock, text, later):
    first = mem.observe(text).memory
    clock.days(9)
    mem.observe(later)
    for hit in mem.resonate(text):
        assert hit.id != first.id or (hit.certainty, hit.outdated) == ("certain", ())


def test_a_memory_replaced_as_a_whole_is_said_to_be(mem, clock):
    mem.observe("I live in Leeds")
    clock.days(9)
    assert mem.observe("I moved to York").reason == "it replaces memory 1"


def test_what_ended_a_part_comes_with_it_though_it_shares_no_word(mem, clock):
    mem.observe("I'm on the Basic plan at 9.99 a month. My router is a Fritz.", entity="Ola")
    clock.days(9)
    mem.observe("I've upgraded to Pro at 24.99.", entity="Ola")
    newer, older = mem.resonate("which plan is she on?", entity="Ola")
    assert newer.text == "I've upgraded to Pro at 24.99."
    assert older.certainty in ("doubtful", "outdated")
    assert [m.text for m in mem.history("Ola")] == [older.text, newer.text]
    assert mem.history("Ola", "tariff") == []
    assert mem.resonate("which plan is she on?", entity="Ben") == []
