"""Related words: a question in other words than the statement still finds it."""

import pytest

from vividmem import related

KNOWN = """
My barber is Sal.
I get my teeth seen to by Dr Moss.
Rent is 950 a month.
I go to bed at eleven.
Spotify is what I use for music.
The car is a blue Golf.
We ship on Thursdays.
"""


@pytest.mark.parametrize(
    "question, answer",
    [
        ("Who cuts my hair?", "Sal"),
        ("When do I fall asleep?", "eleven"),
        ("What do I drive?", "Golf"),
        ("Where do I listen to songs?", "Spotify"),
        ("Who is my dentist?", "Moss"),
        ("Which day do we deploy?", "Thursdays"),
    ],
)
def test_a_question_finds_what_says_it_with_another_word(mem, question, answer):
    for text in KNOWN.strip().splitlines():
        mem.observe(text)
    found = mem.resonate(question, limit=3)
    assert any(answer in hit.text for hit in found)


def test_the_word_itself_counts_for_more(mem):
    mem.observe("The barber shop smells of soap.")
    mem.observe("My hair is red.")
    assert mem.resonate("hair")[0].text == "My hair is red."


def test_why_shows_the_related_word(mem):
    mem.observe("My barber is Sal.")
    (hit,) = mem.resonate("Who does my haircut?")
    assert "barber" in hit.why.expansions
    assert hit.why.words == ()
    assert hit.why.prefixes == ()


def test_what_has_nothing_to_do_with_the_question_stays_away(mem):
    for text in KNOWN.strip().splitlines():
        mem.observe(text)
    assert mem.resonate("What is the tallest mountain of Nepal?") == []


def test_related_words_are_terms_of_the_index_and_never_the_word_itself():
    for word in ("hair", "sleep", "drive", "doctor"):
        found = related(word)
        assert found
        assert len(found) == len(set(found))
        assert word not in found
    assert related("nosuchword") == ()
