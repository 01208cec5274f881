"""What a sentence speaks of, and whether it states: families of words, assertions, hints."""

import re
from pathlib import Path

import pytest

from vividmem import VividMem, assertion, families_of, frames_of, parsed


def likely(sentence):
    table = frames_of()
    return families_of(parsed(sentence, table), {}, table)


def letters(text):
    return re.sub(r"\W", "", text.lower())


def told(clock, said, question):
    """What three answers to *question* are, after each of *said* on a day of its own."""
    with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
        for text in said:
            mem.observe(text)
            clock.days(1)
        return [hit.text for hit in mem.resonate(question, limit=3)]


@pytest.mark.parametrize(
    ("sentence", "family"),
    [
        ("The overdraft was paid off from my savings.", "bank"),
        ("My molar needs a filling.", "dentist"),
        ("The gearbox and the clutch are worn.", "car"),
        ("Two chapters of her novel, and the author has me hooked.", "reading"),
        ("The migration filled the tables with a bad index.", "database"),
        ("Grandad's inhaler and his tablets are in the pill box.", "medication"),
    ],
)
def test_words_tell_the_family_of_a_sentence(sentence, family):
    assert next(iter(likely(sentence))) == family


def test_likelihoods_are_shares_of_one_the_best_first():
    found = likely("The overdraft was paid off from my savings.")
    assert 0.5 < sum(found.values()) <= 1
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_names_and_numbers_tell_nothing_of_themselves():
    assert likely("Ines said so to Theo.") == likely("Oskar said so to Mara.")


@pytest.mark.parametrize(
    ("states", "mentions"),
    [
        ("I've switched to Monzo.", "I might switch to Monzo."),
        ("I bank with Monzo these days.", "My cousin asked me about Monzo."),
        ("We finally moved into the flat in Leeds.", "Someone was talking about a flat in Leeds."),
        ("Since May I cycle to work.", "If I had a bike I would cycle to work."),
    ],
)
def test_stating_is_told_from_mentioning(states, mentions):
    table = frames_of()
    assert assertion(states, table) > 0 > assertion(mentions, table)


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("I run about in an old Saab.", "What car do I drive?"),
        ("Halfway through Rebecca on the train, page 200.", "Which book am I reading?"),
    ],
)
def test_what_no_cue_reads_is_found_by_what_it_speaks_of(clock, said, question):
    assert told(clock, ["It rained all day.", said, "The bins blew over."], question)[:1] == [said]


@pytest.mark.parametrize(
    ("known", "new", "question"),
    [
        (
            "I live in Sheffield",
            "So it finally happened, we left Sheffield and I am in Whitby full time.",
            "where do I live?",
        ),
        (
            "I bank with Barclays",
            "Starling has all my savings, the Barclays card went through the shredder.",
            "which bank do I use?",
        ),
        (
            "I play squash on Fridays",
            "My knees said no to squash, so it is swimming for me on Fridays.",
            "which sport do I do?",
        ),
        (
            "We host on Azure",
            "The whole cluster came up on Scaleway last night, dns switched over.",
            "where are we hosted?",
        ),
    ],
)
def test_what_ended_a_slot_answers_for_it(clock, known, new, question):
    assert told(clock, [known, new], question) == [new]


@pytest.mark.parametrize(
    ("known", "trap"),
    [
        ("I bank with Barclays", "I queued behind a man who shouted about Monzo."),
        ("I play squash on Fridays", "My nephew would love to try swimming."),
        ("I live in Sheffield", "If we had moved to Whitby we would have the sea."),
        ("We host on Azure", "Scaleway was down and everybody talked about it."),
        ("Ines speaks Greek", "Not just does Ines speak Greek, she sings in it."),
        ("Theo plays chess", "Theo does not merely play chess, he teaches it."),
        ("We use Jenkins", "We looked at Buildkite and stuck with Jenkins."),
    ],
)
def test_a_mention_ends_nothing(clock, known, trap):
    with VividMem(clock=clock, config={"timezone": "UTC"}) as mem:
        mem.observe(known)
        clock.days(9)
        assert mem.observe(trap).contradicts == ()
        assert mem.memories()[0].current


@pytest.mark.parametrize("name", ["statements", "traps"])
def test_what_the_models_were_fitted_on_names_values_that_stand_in_its_sentences(name):
    path = Path(__file__).parents[1] / "extras" / "reader" / f"{name}.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert {len(row) for row in rows} == {4}
    told = [row for row in rows if row[1] in ("s", "u")] if name == "statements" else rows
    for _, said, value, text in told:
        sentence = text if name == "statements" else said
        assert all(letters(part) in letters(sentence) for part in value.split("|")), sentence


def test_a_row_of_ones_own_is_likely_by_its_cues():
    rows = "tea_shop | one brand | buy my tea at | tea shop | where buy tea | Mlesna"
    config = {"timezone": "UTC", "beliefs": {"frames": rows}}
    with VividMem(config=config) as mem:
        mem.observe("I buy my tea at Mlesna")
        mem.observe("I buy my tea at Whittard now")
        assert [h.text for h in mem.resonate("which tea shop?")] == ["I buy my tea at Whittard now"]
