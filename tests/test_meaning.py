"""Embedders: what is found by meaning, and what an embedder is told of the store.

The embedder here knows a few synonyms; `test_neural.py` has the real one.
"""

import pytest

import vividmem
from vividmem import VividMem

UTC = {"timezone": "UTC"}
SENSES = {
    word: sense
    for sense, words in enumerate(
        (
            "car automobile vehicle",
            "workshop garage",
            "bread loaf bake baked",
            "sea ocean",
            "sailing boat",
            "lantern lamp",
            "rope cord",
            "paint varnish",
            "oak timber",
        )
    )
    for word in words.split()
}


class Thesaurus(vividmem.Embedder):
    """Texts are alike as far as they speak of the same senses; keeps what it is told in RAM."""

    def __init__(self):
        self.texts, self.opened, self.dropped = {}, [], []

    def open(self, folder, *, clear):
        self.opened.append((folder, clear))

    def load(self, texts):
        self.texts = dict(texts)

    def put(self, memory_id, text):
        self.texts[memory_id] = text

    def drop(self, memory_ids):
        self.dropped += memory_ids
        for memory_id in memory_ids:
            self.texts.pop(memory_id, None)

    def near(self, text, count):
        found = self.cosines(text, {i: [i] for i in self.texts})
        found = sorted(found.items(), key=lambda pair: -pair[1])
        return dict(found[:count])

    def cosines(self, text, passages):
        alike = {key: [likeness(text, self.texts[i]) for i in ids] for key, ids in passages.items()}
        return {key: sum(found) / len(found) for key, found in alike.items()}

    def describe(self):
        return {"model": "thesaurus", "vectors": len(self.texts), "waiting": 0}


def senses(text):
    return {SENSES[word] for word in vividmem.words(text) if word in SENSES}


def likeness(one, other):
    a, b = senses(one), senses(other)
    return len(a & b) / (len(a) * len(b)) ** 0.5 if a and b else 0.0


@pytest.fixture
def thesaurus():
    return Thesaurus()


@pytest.fixture
def mem(clock, thesaurus):
    with VividMem(clock=clock, config=UTC, embedder=thesaurus) as memory:
        yield memory


def test_a_memory_is_found_by_its_meaning_although_it_shares_no_word(mem, clock):
    mem.add_self_reflection("My car is in the workshop")
    mem.add_self_reflection("The kettle whistles")
    (hit,) = mem.resonate("where is the automobile?")
    assert hit.text == "My car is in the workshop"
    assert hit.why.words == () and hit.why.meaning == pytest.approx(0.5**0.5)
    assert "meaning: 0.71" in str(hit.why)
    with VividMem(clock=clock, config=UTC) as plain:
        plain.add_self_reflection("My car is in the workshop")
        assert plain.resonate("where is the automobile?") == []


def test_what_is_hardly_alike_in_meaning_is_no_answer(mem):
    mem.add_self_reflection(
        "We took the boat over the ocean with our loaf, an old vehicle, a lantern, rope,"
        " paint, oak and half a workshop"
    )
    assert mem.resonate("automobile") == mem.resonate("aubergine recipes") == []


def test_words_lead_and_meaning_decides_among_what_they_find_alike(mem):
    for text in ("The parrot bit the vet", "A car for the parrot", "Sam has a parrot named Jo"):
        mem.add_self_reflection(text)
    hits = mem.resonate("parrot vehicle")
    assert hits[0].text == "A car for the parrot" and len(hits) == 3
    mem.add_self_reflection("An automobile")
    assert mem.resonate("parrot vehicle")[0].text == "A car for the parrot"


def test_of_two_turns_in_the_same_words_the_one_beside_what_is_meant_comes_first(mem):
    talks = {
        "monday": ("The automobile broke down", "That"),
        "friday": ("We swam in the sea", "It"),
    }
    for day, (before, pronoun) in talks.items():
        mem.add_social_impression("Sam", before, episode=day)
        mem.add_social_impression("Sam", f"{pronoun} cost Sam a lot", episode=day)
    for asked, day in (("vehicle", "monday"), ("ocean", "friday")):
        hits = [hit for hit in mem.resonate(f"cost of the {asked}") if "cost" in hit.text]
        assert [hit.memory.episode == day for hit in hits] == [True, False]
        assert hits[0].why.passage > hits[1].why.passage == 0


def test_filters_hold_for_what_is_found_by_meaning(mem):
    mem.add_social_impression("Ada", "The car is new")
    mem.add_social_impression("Bo", "The car is old", "happy")
    assert [hit.memory.entity for hit in mem.resonate("automobile", entity="Bo")] == ["Bo"]
    assert mem.resonate("automobile", kinds=["fact"]) == []
    sealed = mem.add_self_reflection("A secret car", tags=["sealed"])
    assert sealed.id not in [hit.id for hit in mem.resonate("automobile", limit=9)]


def test_a_fact_that_was_replaced_is_not_found_by_meaning(mem):
    mem.add_fact("Ada", "errand", "bring the car")
    mem.add_fact("Ada", "errand", "buy stamps")
    assert mem.resonate("automobile") == []
    (old,) = mem.resonate("automobile", include_history=True)
    assert old.memory.value == "bring the car"


def test_an_embedder_that_fails_is_an_error_and_loses_no_write(mem, thesaurus):
    mem.add_self_reflection("My car is in the workshop")
    thesaurus.near = lambda text, count: 1 / 0
    with pytest.raises(ZeroDivisionError):
        mem.resonate("automobile")
    del thesaurus.near
    assert [hit.text for hit in mem.resonate("automobile")] == ["My car is in the workshop"]


def test_an_embedder_is_told_of_all_there_is_and_of_what_is_forgotten(folder, clock, thesaurus):
    with VividMem(folder, clock=clock, config=UTC) as memory:
        kept = memory.add_self_reflection("A boat")
        gone = memory.add_self_reflection("A loaf")
    with VividMem(folder, clock=clock, config=UTC, embedder=thesaurus) as memory:
        memory.resonate("vehicle")
        assert thesaurus.texts == {kept.id: "A boat", gone.id: "A loaf"}
        assert thesaurus.opened[-1] == (folder, True)
        memory.forget(gone.id)
        assert thesaurus.dropped == [gone.id]
        assert memory.stats()["embedder"] == {"model": "thesaurus", "vectors": 1, "waiting": 0}


def test_what_another_process_forgot_is_dropped_here_too(folder, clock, thesaurus):
    with VividMem(folder, clock=clock, config=UTC, embedder=thesaurus) as memory:
        gone = memory.add_self_reflection("A loaf")
        assert memory.resonate("bread")
        with VividMem(folder, clock=clock, config=UTC) as other:
            other.forget(gone.id)
        assert memory.resonate("bread") == []
        assert thesaurus.texts == {}


def test_a_batch_that_is_undone_leaves_nothing_in_the_embedder(mem, thesaurus):
    with pytest.raises(KeyError), mem.batch():
        mem.add_self_reflection("A loaf")
        raise KeyError("never mind")
    assert mem.resonate("bread") == [] and thesaurus.texts == {}


class Recorder(vividmem.Gate):
    """A gate that notes what it is asked about."""

    def __init__(self):
        self.known = []

    def surprise(self, text, known):
        self.known = list(known)
        return 1.0

    def contradicts(self, newer, older):
        return 0.0


def test_the_gate_is_shown_what_means_nearly_the_same_about_the_same_person(clock, thesaurus):
    gate = Recorder()
    with VividMem(clock=clock, config=UTC, embedder=thesaurus, gate=gate) as memory:
        memory.observe("The car stands idle", entity="Ada")
        memory.observe("The car stands idle", entity="Bo")
        memory.observe("An automobile was towed", entity="Ada")
        assert gate.known == ["The car stands idle"]


def test_without_an_embedder_stats_say_so(clock):
    with VividMem(clock=clock, config=UTC) as memory:
        assert memory.stats()["embedder"] == {}
