"""Index: what it answers equals a naive dictionary of documents, after any changes."""

import math
import random
import tracemalloc
from collections import Counter
from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle import Corpus, Doc
from vividmem import Index, SearchConfig

CFG = SearchConfig()
WORDS = "stone stones stonework stoneworks stove sto amber river 東京 京都 都 é".split()
GROUPS = 3

rows = st.builds(
    Doc,
    terms=st.lists(st.sampled_from(WORDS), max_size=8).map(tuple),
    group=st.integers(0, GROUPS),
    asks=st.booleans(),
)
histories = st.lists(st.tuples(st.integers(0, 9), rows | st.none()), max_size=30)


def replayed(history):
    """An index after *history*, and the documents it should hold."""
    index = Index(CFG)
    for group in range(1, GROUPS + 1):
        index.groups.new(given=group == 2)
    for doc, row in history:
        if row is None:
            index.remove(doc)
        else:
            index.add(doc, row.terms, row.group, row.asks)
    docs = {doc: row for doc, row in dict(history).items() if row is not None and row.terms}
    return index, docs


def holders(docs, term):
    return sorted(doc for doc, row in docs.items() if term in row.terms)


@given(histories)
def test_it_holds_what_was_added_last(history):
    index, docs = replayed(history)
    assert len(index) == len(docs)
    assert [doc for doc in range(20) if doc in index] == sorted(docs)
    for doc in range(12):
        row = docs.get(doc, Doc(()))
        assert index.terms_of(doc) == list(row.terms)
        assert index.groups.of(doc) == (row.group if doc in docs else 0)
        assert index.groups.bounds_known(doc) == (doc in docs and row.group == 2)
    assert index.asking == {doc for doc, row in docs.items() if row.asks}


@given(histories, st.integers(0, 5))
def test_frequencies_and_newest_are_those_of_a_full_scan(history, count):
    index, docs = replayed(history)
    for term in [*WORDS, "unheard"]:
        held = holders(docs, term)
        assert index.frequency(term) == len(held)
        assert index.newest(term, count) == (held[-count:] if count else [])
        rate = math.log(1 + (len(docs) - len(held) + 0.5) / (len(held) + 0.5))
        assert index.idf(term) == pytest.approx(rate)
        assert index.idf(term) > 0


@given(histories)
def test_members_are_those_of_a_full_scan(history):
    index, docs = replayed(history)
    for group in range(1, GROUPS + 1):
        assert list(index.groups.members(group)) == sorted(
            d for d in docs if docs[d].group == group
        )


@given(histories)
def test_words_that_start_alike_are_those_of_a_full_scan(history):
    index, docs = replayed(history)
    oracle = Corpus(docs, CFG)
    for prefix in [*WORDS, "ston", "stonew", "stones", "s", "京", "unheard", ""]:
        assert index.starting_with(prefix) == oracle.starting_with(prefix)


@given(st.lists(rows.map(lambda row: Doc(row.terms, abs(row.group), row.asks)), max_size=12))
def test_group_scores_are_bm25_of_each_group_as_one_document(added):
    history = list(enumerate(Doc(row.terms, row.group or 1) for row in added))
    index, docs = replayed(history)
    weights = {"stone": 1.0, "amber": 0.5, "東京": 2.0, "unheard": 1.0}
    expected = Corpus(docs, CFG).episode_scores(weights)
    found = index.group_scores(weights, {1, 2, 3}, 512)
    assert found == pytest.approx(expected)


def test_group_scores_follow_what_is_added_and_removed_after_they_were_asked_for():
    def scores(asked_early):
        index = Index(CFG)
        for _ in range(2):
            index.groups.new(given=False)
        index.add(1, ["amber", "tea"], 1)
        index.add(2, ["amber", "stone"], 2)
        for change in (lambda: index.add(3, ["amber"] * 3, 1), lambda: index.remove(2)):
            if asked_early:
                index.group_scores({"amber": 1.0, "tea": 0.5}, {1, 2}, 512)
            change()
        return index.group_scores({"amber": 1.0, "tea": 0.5}, {1, 2}, 512)

    assert scores(asked_early=True) == scores(asked_early=False)


def test_documents_without_group_do_not_change_the_scores_of_groups():
    def scores(alone):
        index = Index(CFG)
        for _ in range(2):
            index.groups.new(given=False)
        index.add(1, ["amber"], 1)
        index.add(2, ["amber", "river", "stone", "lamp"], 2)
        for doc in range(3, 3 + alone):
            index.add(doc, ["clay"] * 50)
        return index.group_scores({"amber": 1.0}, {1, 2}, 512)

    assert scores(20) == pytest.approx(scores(0))


def test_group_scores_leave_out_what_is_everywhere():
    index = Index(CFG)
    group = index.groups.new(given=False)
    for doc in range(1, 6):
        index.add(doc, ["tea", f"word{doc}"], group)
    assert index.group_scores({"tea": 1.0}, {group}, 4) == {}
    assert index.group_scores({"tea": 1.0}, {group}, 5).keys() == {group}


@given(histories, st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=3), st.integers(1, 5))
def test_holding_all_is_what_a_full_scan_of_the_youngest_finds(history, asked, count):
    index, docs = replayed(history)
    expected = []
    if asked:
        rarest = min(len(holders(docs, term)) for term in asked)
        rare = [term for term in asked if len(holders(docs, term)) == rarest]
        young = [holders(docs, term)[-count:] for term in rare]
        expected = [[d for d in found if set(asked) <= set(docs[d].terms)] for found in young]
    found = sorted(index.holding_all(asked, count))
    assert found in expected if expected else found == []


@given(histories, st.integers(0, 4), st.sets(st.integers(0, 9)))
def test_common_terms_are_those_of_a_full_scan(history, least, chosen):
    index, docs = replayed(history)
    chosen &= docs.keys()
    shared = Counter(term for doc in chosen for term in set(docs[doc].terms))
    oracle = Corpus(docs, CFG)
    expected = {t: n * oracle.idf(t) for t, n in shared.items() if n >= least}
    assert index.common(chosen, least) == pytest.approx(expected)


@given(histories)
def test_the_spread_is_the_coefficient_of_variation(history):
    index, docs = replayed(history)
    lengths = [len(row.terms) for row in docs.values()]
    expected = pstdev(lengths) / fmean(lengths) if lengths else 0.0
    assert index.spread() == pytest.approx(expected, abs=1e-6)


@given(histories, st.dictionaries(st.sampled_from(WORDS), st.floats(0.1, 3.0), min_size=1))
def test_the_best_are_those_of_a_full_scan(history, weights):
    index, docs = replayed(history)
    expected = Corpus(docs, CFG).top(weights, 3, None)
    found = index.search(weights, 3, None)[0]
    assert [doc for doc, _ in found] == list(expected)
    assert [score for _, score in found] == pytest.approx(list(expected.values()), abs=1e-6)


def test_even_lengths_are_normalised_little_and_mixed_ones_fully():
    """b is 0.3 where all are short turns, 1.0 where long and short are mixed (SPEC 3.1)."""
    for long, b in ((5, 0.3), (400, 1.0)):
        docs = {doc: Doc(("amber", *["moss"] * 3)) for doc in range(1, 20)}
        docs[20] = Doc(("amber", *["moss"] * (long - 1)))
        index = Index(CFG)
        for doc, row in docs.items():
            index.add(doc, row.terms)
        assert Corpus(docs, CFG).b == pytest.approx(b)
        score = index.search({"amber": 1.0}, 1, None)[1]
        mean = fmean(len(row.terms) for row in docs.values())
        norms = [1.2 * (1 - b + b * length / mean) for length in (4, long)]
        assert score(1) / score(20) == pytest.approx((1 + norms[1]) / (1 + norms[0]))


# --- runs ----------------------------------------------------------------------------------------


def test_runs_are_neighbours_in_both():
    """Shown through `Why.phrases`, which names the runs of two and of three."""
    from vividmem import Question, rank

    index = Index(CFG)
    for doc in range(1, 30):
        index.add(doc, [f"word{doc}", "moss"])
    index.add(30, "amber river stone amber lamp".split())
    question = Question(tuple("unheard amber lamp river stone amber".split()))
    (hit,) = rank(question, index, CFG, 1)
    assert hit.why.phrases == ("amber lamp", "river stone", "stone amber", "river stone amber")


# --- removal and memory --------------------------------------------------------------------------


def random_terms(random_, count, vocabulary=5_000):
    return [f"term{min(random_.randrange(vocabulary), random_.randrange(vocabulary))}" for _ in
            range(count)]  # fmt: skip


def test_many_removals_leave_the_others_whole():
    random_ = random.Random(1)
    docs = {doc: random_terms(random_, 40) for doc in range(600)}
    index = Index(CFG)
    for doc, found in docs.items():
        index.add(doc, found)
    for doc in random_.sample(range(600), 500):
        index.remove(doc)
        del docs[doc]
    for doc in random_.sample(sorted(docs), 50):
        docs[doc] = random_terms(random_, 30)
        index.add(doc, docs[doc])
    assert {doc: index.terms_of(doc) for doc in range(600) if doc in index} == docs
    oracle = Corpus({doc: Doc(tuple(found)) for doc, found in docs.items()}, CFG)
    weights = dict.fromkeys(docs[min(docs)], 1.0)
    assert [doc for doc, _ in index.search(weights, 10, None)[0]] == list(
        oracle.top(weights, 10, None)
    )


def allocated(work):
    """Bytes that *work* leaves allocated."""
    tracemalloc.start()
    try:
        kept = work()
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert kept is not None
    return size


def test_replacing_one_document_forever_needs_no_more_room():
    random_ = random.Random(2)
    texts = [random_terms(random_, 100, vocabulary=200) for _ in range(40)]

    def replaced(times):
        index = Index(CFG)
        for number in range(times):
            index.add(7, texts[number % 40])
        return index

    assert allocated(lambda: replaced(1_500)) < 2 * allocated(lambda: replaced(100))


def test_a_document_of_twelve_terms_costs_about_150_bytes():
    """The bound flat arrays give; lists of Python integers would need several times as much."""
    random_ = random.Random(3)
    texts = [random_terms(random_, 12) for _ in range(12_000)]
    index = Index(CFG)
    for doc, found in enumerate(texts[:2_000], 1):
        index.add(doc, found)  # the vocabulary is paid for

    def more():
        for doc, found in enumerate(texts[2_000:], 2_001):
            index.add(doc, found)
        return index

    assert allocated(more) / 10_000 < 250


@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_adding_in_any_order_gives_the_same_index(seed):
    random_ = random.Random(seed)
    docs = {doc: random_terms(random_, 5, vocabulary=12) for doc in range(1, 25)}
    found = []
    for _ in range(2):
        order = random_.sample(sorted(docs), len(docs))
        index = Index(CFG)
        group = index.groups.new(given=False)
        for doc in order:
            index.add(doc, docs[doc], group * (doc % 2))
        weights = dict.fromkeys(
            random.Random(seed).sample(sorted({w for d in docs.values() for w in d}), 4), 1
        )
        found.append(
            (index.search(weights, 9, None)[0], list(index.groups.members(group)), index.spread())
        )
    assert found[0][1] == found[1][1]
    assert [doc for doc, _ in found[0][0]] == [doc for doc, _ in found[1][0]]
    assert found[0][2] == pytest.approx(found[1][2])
