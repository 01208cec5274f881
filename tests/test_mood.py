"""Mood: labels, the moving average, congruence and drift, as pure functions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vividmem import (
    PADS,
    MoodConfig,
    Pad,
    calmed,
    congruence,
    drift_after,
    felt,
    framing,
    known_emotion,
    mood_after,
    mood_label,
    pad_of,
)

CFG = MoodConfig()
SHARES = st.floats(-1, 1)
PAD = st.builds(Pad, SHARES, SHARES, SHARES)


@pytest.mark.parametrize(
    ("label", "known"),
    [
        ("sad", "sad"), ("SAD", "sad"), (" Grief ", "sad"), ("fear", "afraid"), ("rage", "angry"),
        ("excitement", "excited"), ("love", "affectionate"), ("curiosity", "curious"),
        ("thankful", "grateful"), ("stressed", "overwhelmed"), ("envy", "jealous"),
        ("sadistic", "neutral"), ("a", "neutral"), ("happ", "neutral"), ("", "neutral"),
        ("joyfully", "neutral"), ("content", "content"), ("shame", "embarrassed"),
    ],
)  # fmt: skip
def test_a_label_is_looked_up_whole(label, known):
    assert known_emotion(label) == known
    assert pad_of(label) == PADS[known]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("I am so happy today", "happy"), ("I am not happy at all", "neutral"),
        ("She made pasta for the ambassador", "neutral"), ("crypto gloves, a painting", "neutral"),
        ("We were scared and then terrified", "afraid"), ("I never felt lonely there", "neutral"),
        ("He is furious about the delay", "angry"), ("I wasn't worried", "neutral"),
        ("mission accomplished, what a relief, I am relieved", "relieved"),
        ("Ich bin glücklich", "neutral"), ("Grateful, thankful, and a bit sad", "grateful"),
    ],
)  # fmt: skip
def test_a_feeling_is_read_by_whole_words_that_nothing_denies(text, label):
    assert felt(text) == label


@pytest.mark.parametrize("label", ["sad", "curious", "anxious", "content", "angry", "joyful"])
def test_one_emotion_fed_again_and_again_ends_in_its_own_name(label):
    mood = Pad()
    for _ in range(20):
        mood = mood_after(mood, PADS[label], CFG.alpha)
    assert mood_label(mood, CFG) == label


@pytest.mark.parametrize("label", sorted(PADS.keys() - {"bittersweet"}))
def test_every_feeling_at_full_length_has_its_own_name(label):
    assert mood_label(PADS[label], CFG) == label


def test_a_weak_mood_has_no_name():
    assert mood_label(Pad(0.1, -0.1, 0.0), CFG) == "neutral"
    assert mood_label(mood_after(Pad(), PADS["happy"], 0.1), CFG) == "neutral"


@given(st.lists(st.sampled_from(sorted(PADS)), max_size=40), st.floats(0, 1))
def test_a_mood_never_leaves_its_bounds(labels, alpha):
    mood = Pad()
    for label in labels:
        mood = mood_after(mood, PADS[label], alpha)
    assert all(-1 <= value <= 1 for value in mood)


@given(PAD, st.floats(0, 1e7), st.floats(0, 1e7))
def test_calming_in_two_steps_is_calming_in_one(mood, first, second):
    twice = calmed(calmed(mood, first, CFG), second, CFG)
    assert math.dist(twice, calmed(mood, first + second, CFG)) < 1e-9


@given(PAD, PAD, st.floats(0, 1000))
def test_congruence_is_within_its_bounds(feeling, mood, age):
    lift = congruence(feeling, mood, age, CFG)
    assert -0.15 - 1e-9 <= lift <= 0.15 + 1e-9
    if feeling.pleasure < 0 and mood.pleasure < 0:
        assert lift <= 0.10


def test_a_dark_lift_halves_every_fourteen_days():
    fresh, older = (congruence(PADS["sad"], PADS["sad"], age, CFG) for age in (0.0, 14.0))
    assert fresh == pytest.approx(0.10)
    assert older == pytest.approx(fresh / 2)
    bright = [congruence(PADS["happy"], PADS["happy"], age, CFG) for age in (0.0, 14.0)]
    assert bright == pytest.approx([0.15, 0.15])


def test_one_recall_of_a_neutral_memory_in_a_happy_mood_moves_it_by_a_twentieth():
    assert drift_after(Pad(), Pad(), Pad(1, 0, 0), CFG) == Pad(0.05, 0, 0)


@given(PAD, st.lists(PAD, min_size=1, max_size=8))
def test_a_thousand_recalls_in_any_mood_stay_within_the_bound(initial, moods):
    drift = Pad()
    for turn in range(1000):
        drift = drift_after(drift, initial, moods[turn % len(moods)], CFG)
        assert all(abs(value) <= 0.3 for value in drift)


def test_later_moods_weigh_more_than_earlier_ones():
    last_happy = drift_after(
        drift_after(Pad(), Pad(), Pad(-1, 0, 0), CFG), Pad(), Pad(1, 0, 0), CFG
    )
    assert last_happy.pleasure == pytest.approx(0.05 - 0.9 * 0.05)


@pytest.mark.parametrize(
    ("pleasure", "words"),
    [(0.31, "Good news from before: "), (0.3, "For reference: "), (0.0, "For reference: "),
     (-0.3, "For reference: "), (-0.31, "Note this previous issue: ")],
)  # fmt: skip
def test_framing_follows_pleasure(pleasure, words):
    assert framing(Pad(pleasure, 0, 0)) == words
