"""What a later statement may have replaced stays, and a question decides between the two."""

import pytest

from vividmem import LexicalGate, VividMem

KNOWN, LATER = "The ferry lands at the old pier", "The ferry lands beside the lighthouse"
ASKED = "Where does the ferry land?"


class Unsure(LexicalGate):
    """A gate that holds everything for as likely replaced as its chance."""

    def __init__(self, chance):
        super().__init__(lambda term: 1.0)
        self.chance = chance

    def replaced(self, newer, chances):
        return dict.fromkeys(chances, self.chance)


class Contrary(LexicalGate):
    """A gate that is rather sure that everything contradicts everything."""

    def contradicts(self, newer, older):
        return 0.9


def told(clock, chance=0.5, **options):
    """Return a memory that was told KNOWN and, three days later, LATER, with both memories."""
    mem = VividMem(clock=clock, gate=Unsure(chance), **options)
    first = mem.observe(KNOWN, source="harbour")
    clock.days(3)
    second = mem.observe(LATER, source="captain")
    return mem, first.memory, second


def texts(mem, question, **options):
    return [hit.text for hit in mem.resonate(question, limit=3, **options)]


def now(mem, memory):
    return next(one for one in mem.memories(limit=10) if one.id == memory.id)


def test_what_may_have_been_replaced_stays_and_the_reason_says_so(clock):
    mem, first, second = told(clock)
    assert second.action == "store" and f"it may replace memory {first.id}" in second.reason
    assert now(mem, first).current and now(mem, first).doubted_by == (second.memory.id,)


@pytest.mark.parametrize(("chance", "doubted"), [(0.1, False), (0.5, True)])
def test_only_what_is_likely_enough_is_doubted(clock, chance, doubted):
    mem, first, _ = told(clock, chance)
    assert bool(now(mem, first).doubted_by) is doubted


def test_what_surely_was_replaced_is_over_and_not_doubted(clock):
    mem, first, second = told(clock, 0.9)
    assert second.action == "supersede"
    assert not now(mem, first).current and now(mem, first).doubted_by == ()


def test_a_question_both_answer_brings_the_later_and_history_brings_both(clock):
    mem, _, _ = told(clock)
    assert texts(mem, ASKED) == [LATER]
    assert set(texts(mem, ASKED, include_history=True)) == {KNOWN, LATER}


def test_a_question_only_the_older_answers_brings_it_and_then_the_later(clock):
    mem, first, second = told(clock)
    hits = mem.resonate("What is at the old pier?", limit=3)
    assert [hit.id for hit in hits] == [first.id, second.memory.id]
    assert hits[1].why.via == first.id


def test_a_question_of_the_past_brings_the_older_first(clock):
    mem, _, _ = told(clock)
    assert texts(mem, "Where did the ferry land before?") == [KNOWN, LATER]


def test_of_a_chain_of_doubts_the_last_word_counts(clock):
    mem, _, _ = told(clock)
    clock.days(3)
    mem.observe("The ferry lands in the new harbour")
    assert texts(mem, ASKED) == ["The ferry lands in the new harbour"]


def test_what_is_told_again_is_no_longer_doubted(clock):
    mem, first, _ = told(clock)
    clock.days(3)
    assert mem.observe(KNOWN).action == "merge"
    assert now(mem, first).doubted_by == ()
    assert KNOWN in texts(mem, ASKED)


@pytest.mark.parametrize(
    "undo", [lambda mem, later: mem.forget(later.id), lambda mem, later: mem.retract("captain")]
)
def test_without_the_later_one_nothing_is_doubted(clock, undo):
    mem, first, second = told(clock)
    undo(mem, second.memory)
    assert now(mem, first).doubted_by == ()
    assert texts(mem, ASKED) == [KNOWN]


def test_doubts_survive_reopening_export_and_import(clock, tmp_path):
    mem, first, second = told(clock, path=tmp_path / "a")
    mem.close()
    with VividMem(tmp_path / "a", clock=clock) as again:
        assert now(again, first).doubted_by == (second.memory.id,)
        data = again.export()
    with VividMem(clock=clock) as other:
        other.observe("Something else was told here before")
        other.import_(data)
        assert texts(other, ASKED) == [LATER]
        (doubted,) = [one for one in other.memories(limit=9) if one.doubted_by]
        (later,) = [one for one in other.memories(limit=9) if one.text == LATER]
        assert doubted.text == KNOWN and doubted.doubted_by == (later.id,)


def test_a_doubt_of_another_entity_does_not_hide_what_is_asked_of_one(clock):
    mem = VividMem(clock=clock, gate=Unsure(0.5))
    mem.observe(KNOWN, entity="Ann")
    clock.days(3)
    mem.observe(LATER, entity="Ben")
    assert texts(mem, ASKED, entity="Ann") == [KNOWN]


@pytest.mark.parametrize(
    ("known", "later", "question"),
    [
        ("Captain Ysolt sails the Heron.", "Ysolt sails the Petrel now.", "what does Ysolt sail?"),
        ("CI is Jenkins", "we moved CI to Buildkite", "which CI do we use?"),
        ("billing runs on Heroku", "migrated billing to Fly.io", "where does billing run?"),
        ("our rabbit is named Coco", "Coco is gone, she died in her sleep", "how is Coco?"),
        ("the bug is in cart.py", "turns out it's not cart.py at all", "is the bug in cart.py?"),
    ],
)  # fmt: skip
def test_the_words_alone_may_leave_a_doubt_that_a_question_decides(clock, known, later, question):
    with VividMem(clock=clock) as mem:
        first = mem.observe(known).memory
        clock.days(3)
        mem.observe(later)
        assert now(mem, first).current and now(mem, first).doubted_by
        assert texts(mem, question) == [later]


def test_what_fills_the_slot_asked_for_is_not_hidden_by_what_says_nothing_of_it(clock):
    mem = VividMem(clock=clock, gate=Unsure(0.4))
    mem.observe("Maureen is 58")
    clock.days(3)
    mem.observe("Maureen's retiring in July, her last shift is the 17th")
    assert texts(mem, "how old is Maureen?")[0] == "Maureen is 58"


@pytest.mark.parametrize(("chance", "left"), [(0.45, True), (0.55, False)])
def test_what_is_likely_over_is_hidden_whatever_else_the_later_one_tells(clock, chance, left):
    mem = VividMem(clock=clock, gate=Unsure(chance))
    known = mem.observe("I train at McFit").memory
    clock.days(3)
    mem.observe("i'm at Kraftwerk round the corner now, sauna included")
    found = texts(mem, "Which gym do I train at?")
    assert (known.text in found) is left
    assert now(mem, known).doubt == chance and now(mem, known).current


def test_what_names_the_thing_asked_for_is_not_hidden_by_what_does_not(clock):
    mem = VividMem(clock=clock, gate=Unsure(0.6))
    both = "Falcon runs on port 9100 locally, Heron on 9200"
    mem.observe(both)
    clock.days(3)
    mem.observe("Falcon now runs on port 9300")
    assert texts(mem, "which port does Heron run on?")[0] == both


def test_a_doubt_lowers_what_a_memory_is_trusted(clock):
    mem = VividMem(clock=clock, gate=Unsure(0.45))
    mem.observe("The ferry lands at the old pier")
    assert mem.resonate("where does the ferry land?")[0].certainty == "certain"
    clock.days(3)
    mem.observe(LATER)
    hits = {hit.text: hit for hit in mem.resonate("ferry pier", include_history=True)}
    doubted = hits["The ferry lands at the old pier"]
    assert doubted.certainty == "likely" and doubted.confidence == pytest.approx(0.55)


def test_what_tells_several_things_stays_below_the_later_one(clock):
    mem = VividMem(clock=clock, gate=Contrary(lambda term: 1.0))
    long = "The ferry lands at the old pier. Tickets are sold in the blue hut beside it."
    first = mem.observe(long).memory
    clock.days(3)
    assert mem.observe(LATER).action == "store"
    assert now(mem, first).current and now(mem, first).doubted_by
    assert texts(mem, ASKED) == [LATER, long]
    assert texts(mem, "Where are tickets sold?")[0] == long
