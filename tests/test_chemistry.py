"""Chemistry: levels, events, cascades and factors, as pure functions."""

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vividmem import (
    BASELINE,
    EVENTS,
    HALF_LIVES,
    PADS,
    ChemistryConfig,
    Levels,
    Modulation,
    cascade,
    levels_after,
    modulation,
    pushed,
)

CFG = ChemistryConfig()
LEVELS = st.builds(Levels, *[st.floats(0, 1)] * 5)


def near(levels):
    return pytest.approx(tuple(levels), abs=1e-9)


@given(LEVELS)
def test_one_tick_of_two_hours_equals_a_hundred_and_twenty_of_a_minute(levels):
    stepped = levels
    for _ in range(120):
        stepped = levels_after(stepped, 1)
    assert stepped == near(levels_after(levels, 120))


@pytest.mark.parametrize("name", Levels._fields)
def test_half_of_the_excess_is_gone_after_one_half_life(name):
    base, half = getattr(BASELINE, name), getattr(HALF_LIVES, name)
    raised = BASELINE._replace(**{name: base + 0.3})
    assert getattr(levels_after(raised, half), name) == pytest.approx(base + 0.15)
    assert getattr(levels_after(raised, 100 * half), name) == pytest.approx(base)


def test_time_that_goes_back_changes_nothing():
    levels = BASELINE._replace(cortisol=0.9)
    assert levels_after(levels, -50) == near(levels)


@given(LEVELS, st.sampled_from(sorted(EVENTS)), st.floats(0, 1))
def test_no_push_is_too_strong_and_no_level_leaves_its_range(levels, name, strength):
    after = pushed(levels, EVENTS[name], strength, CFG)
    assert all(0 <= level <= 1 for level in after)
    assert all(abs(a - b) <= 0.35 + 1e-9 for a, b in zip(after, levels, strict=True))


def test_a_threat_raises_cortisol_and_norepinephrine():
    after = pushed(BASELINE, EVENTS["threat_detected"], 1.0, CFG)
    assert after.cortisol == pytest.approx(0.6)
    assert after.norepinephrine == pytest.approx(0.8)
    assert after.dopamine == BASELINE.dopamine


@pytest.mark.parametrize(
    ("emotion", "about", "up", "down"),
    [
        ("happy", False, {"dopamine", "norepinephrine"}, {"cortisol"}),
        ("happy", True, {"dopamine", "norepinephrine", "oxytocin"}, {"cortisol"}),
        ("grateful", False, {"dopamine", "oxytocin"}, {"cortisol"}),
        ("afraid", True, {"cortisol", "norepinephrine"}, {"serotonin", "dopamine"}),
        ("neutral", True, set(), set()),
        ("unheard-of", True, set(), set()),
    ],
)
def test_a_stored_emotion_sets_off_its_cascade(emotion, about, up, down):
    change = cascade(emotion, about_somebody=about)._asdict()
    assert {name for name, delta in change.items() if delta > 0} == up
    assert {name for name, delta in change.items() if delta < 0} == down


def test_a_cascade_is_in_proportion_to_the_feeling():
    change = cascade("sad", about_somebody=False)
    assert change.cortisol == pytest.approx(0.12 * 0.6)
    assert change.dopamine == pytest.approx(-0.10 * 0.6)
    assert PADS["sad"].pleasure == -0.6


def test_at_baseline_every_factor_is_one():
    assert asdict(modulation(BASELINE)) == pytest.approx(asdict(Modulation()))


BOUNDS = {
    "encoding": (0.6, 1.3 * 1.15), "novelty": (0.8, 1.3), "inhibition": (1, 1.4),
    "narrowing": (0.6, 1.2), "mood_stability": (0.5, 1.5), "patience": (0.7, 1.3),
    "social": (0.7, 1.4), "trust": (0.5, 1.6), "alertness": (0.6, 1.5),
}  # fmt: skip


@given(LEVELS)
def test_every_factor_stays_within_its_bounds(levels):
    for name, value in asdict(modulation(levels)).items():
        low, high = BOUNDS[name]
        assert low - 1e-9 <= value <= high + 1e-9, name


@pytest.mark.parametrize(
    ("chemical", "factor", "rises"),
    [
        ("dopamine", "encoding", True), ("dopamine", "novelty", True),
        ("cortisol", "inhibition", True), ("cortisol", "narrowing", False),
        ("serotonin", "mood_stability", False), ("serotonin", "patience", True),
        ("oxytocin", "social", True), ("oxytocin", "trust", True),
        ("norepinephrine", "alertness", True),
    ],
)  # fmt: skip
def test_each_factor_follows_its_chemical(chemical, factor, rises):
    raised = modulation(BASELINE._replace(**{chemical: getattr(BASELINE, chemical) + 0.2}))
    assert (getattr(raised, factor) > 1) is rises
    assert (getattr(raised, factor) < 1) is not rises


def test_encoding_is_best_under_some_stress_and_bad_under_much():
    calm, alert, panic = (
        modulation(BASELINE._replace(cortisol=c)).encoding for c in (0.3, 0.45, 1)
    )
    assert calm < alert < 1.15
    assert panic == pytest.approx(0.6)
