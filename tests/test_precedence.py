"""Which of what a question brings up comes first: what is likely to answer it."""

from pathlib import Path

import pytest

import vividmem
from vividmem import VividMem

LIFE = Path(__file__).parents[1] / "extras" / "reader" / "streams" / "12.tsv"
CHOIR = [
    "Choir is on Thursdays at half past seven, in the Methodist hall.",
    "We sang in coats at choir, the heating in the hall is broken.",
    "Choir goes on in the school gym while they look at the roof.",
    "The bread came out flat again.",
]
BIKE = [
    "I ride the blue bike to work and lock it behind the bakery.",
    "The blue bike has a new chain.",
    "Rain all day, we stayed in and played cards.",
    "The red bike from my uncle came, I ride it to work and lock it at the station.",
]


@pytest.fixture
def told(clock):
    """A store that was told sentences, some weeks apart, by the user."""
    mem = VividMem(clock=clock)

    def tell(texts):
        for text in texts:
            mem.add_social_impression("User", text)
            clock.days(20)
        return mem

    yield tell
    mem.close()


def first_of_a_life(clock):
    """Return how many questions of a life that nothing was fitted on bring their answer first."""
    mem, lines, first = VividMem(clock=clock), dict[str, str](), 0
    for row in LIFE.read_text(encoding="utf-8").splitlines():
        kind, *cells = row.split("\t")
        if kind == "T":
            clock.days(float(cells[1]))
            mem.observe(cells[2])
            lines[cells[0]] = cells[2]
        else:
            hits = mem.resonate(cells[0], limit=3, reinforce=False)
            first += [hit.text for hit in hits[:1]] == [lines[cells[1]]]
    mem.close()
    return first


def test_more_questions_of_a_life_bring_their_answer_first_than_by_score_alone(clock, monkeypatch):
    ordered = first_of_a_life(clock)
    monkeypatch.setattr(vividmem, "by_precedence", lambda query, hits, memories, index: list(hits))
    assert ordered >= first_of_a_life(clock) + 5  # of 60


@pytest.mark.parametrize("question", ["where is choir now?", "what did we sing in coats?"])
def test_scores_fall_and_each_memory_comes_once(told, question):
    hits = told(CHOIR).resonate(question)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.memory.id for hit in hits}) == len(hits) > 1


def test_fewer_hits_are_the_first_of_more(told):
    mem = told(CHOIR + BIKE)
    for question in ("where is choir now?", "which bike do I ride?", "what about the hall?"):
        many = [hit.text for hit in mem.resonate(question, limit=8, reinforce=False)]
        few = [hit.text for hit in mem.resonate(question, limit=2, reinforce=False)]
        assert few == many[:2]


def test_what_holds_the_number_asked_for_comes_before_what_was_told_later(told):
    texts = ["Ticket 4711 is about the lift", "Ticket 4712 is about the lift door"]
    assert "4711" in told(texts).resonate("what was ticket 4711 about?")[0].text


def test_what_is_of_the_time_asked_for_comes_before_what_was_told_later(told):
    mem = told([f"The dog ran off at the river {when}" for when in ("at noon", "at dusk", "again")])
    hits = mem.resonate("when did the dog run off at the river six weeks ago?", reinforce=False)
    assert hits[0].text.endswith("at dusk") and hits[0].why.time


def test_bare_keywords_keep_the_order_of_what_they_match(told, monkeypatch):
    """What only names words says nothing of how they are meant."""
    mem = told(BIKE)
    before = [hit.text for hit in mem.resonate("blue bike bakery", reinforce=False)]
    monkeypatch.setattr(vividmem, "by_precedence", lambda query, hits, memories, index: list(hits))
    assert [hit.text for hit in mem.resonate("blue bike bakery", reinforce=False)] == before
    assert before[0] == BIKE[0]
