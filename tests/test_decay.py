"""Decay: how memories fade, what strengthens them, and the most vivid of them."""

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vividmem import (
    ActiveSet,
    Arousal,
    DecayConfig,
    InvalidMemoryError,
    Memory,
    arousal,
    forecast,
    initial_stability,
    recalled,
    restated,
    retention,
    traced,
    unfinished,
    vividness,
)

CFG = DecayConfig()
DAY = 86_400.0
NOW = 1_800_000_000.0


def memory(number=1, **changes):
    usual = {"kind": "reflection", "text": "x", "when": NOW, "learned": NOW, "reinforced": NOW}
    return Memory(**{"id": number, **usual, "accessed": NOW, **changes})


def recalled_at(old, *moments):
    for moment in moments:
        old = traced(old, recalled(old, moment, CFG))
    return old


memories = st.builds(
    memory,
    importance=st.floats(1, 10),
    arousal=st.floats(0, 1),
    stability=st.floats(0.01, 180),
    reinforced=st.floats(NOW - 4_000 * DAY, NOW + 4_000 * DAY),
    spaced=st.integers(0, 50),
    tags=st.sampled_from([(), ("anchored",), ("sealed",)]),
)
moments = st.floats(NOW - 5_000 * DAY, NOW + 20_000 * DAY)


# --- retention -----------------------------------------------------------------------------------


@pytest.mark.parametrize("days, left", [(0, 1.0), (7, 0.85), (30, 0.715), (60, 0.70)])
def test_retention_gives_the_reference_figures(days, left):
    flash = memory(arousal=0.86, stability=initial_stability(0.86, CFG))
    assert retention(flash, NOW + days * DAY, CFG) == pytest.approx(left, abs=0.0015)


@pytest.mark.parametrize(
    "arousal, days", [(0.0, 3.0), (0.2, 4.62), (0.5, 7.05), (0.86, 9.966), (1.0, 11.1)]
)
def test_new_stability_grows_with_arousal(arousal, days):
    assert initial_stability(arousal, CFG) == pytest.approx(days)


@pytest.mark.parametrize(
    "arousal, floor",
    [(0.0, 0.0), (0.49, 0.0), (0.5, 0.4), (0.79, 0.4), (0.8, 0.7), (1.0, 0.7)],
)
def test_floors_hang_on_arousal(arousal, floor):
    assert retention(memory(arousal=arousal), NOW + 9_000 * DAY, CFG) == pytest.approx(floor)


def test_what_is_anchored_never_fades():
    anchor = memory(tags=("dear", "anchored"), importance=10, stability=0.1)
    assert retention(anchor, NOW + 9_000 * DAY, CFG) == 1.0
    assert forecast(anchor, NOW, CFG).fades_at is None


@given(memories, moments, moments)
def test_retention_falls_monotonically_within_its_bounds(one, first, second):
    early, late = sorted((first, second))
    left = retention(one, early, CFG), retention(one, late, CFG)
    assert 1.0 >= left[0] >= left[1] >= 0.0
    assert vividness(one, early, CFG) >= vividness(one, late, CFG)


@given(memories, st.floats(0, 4_000))
def test_a_time_ahead_counts_as_now(one, days_ahead):
    ahead = replace(one, reinforced=NOW + days_ahead * DAY)
    assert retention(ahead, NOW, CFG) == 1.0


@given(memories, moments)
def test_vividness_is_its_formula_and_stays_within_ten(one, moment):
    left = retention(one, moment, CFG)
    formula = 0.6 * one.importance + 0.3 * 10 * left + 0.1 * min(3.0, 0.5 * one.spaced)
    assert vividness(one, moment, CFG) == pytest.approx(formula)
    assert 0 <= vividness(one, moment, CFG) <= 10


def test_without_rehearsal_a_plain_memory_is_gone_and_a_flashbulb_is_not():
    later = NOW + 90 * DAY
    assert retention(memory(), later, CFG) < 0.001
    assert retention(memory(arousal=0.9), later, CFG) >= 0.7


# --- recall --------------------------------------------------------------------------------------


def test_a_recall_half_a_day_later_strengthens():
    old = memory(stability=3.0)
    new = recalled_at(old, NOW + 0.5 * DAY)
    assert (new.stability, new.spaced, new.recalls) == (pytest.approx(5.4), 1, 1)
    assert new.reinforced == new.accessed == NOW + 0.5 * DAY


def test_a_sooner_recall_is_counted_and_strengthens_nothing():
    old = memory(stability=3.0)
    new = recalled_at(old, NOW + 0.499 * DAY)
    assert (new.stability, new.spaced, new.recalls) == (3.0, 0, 1)
    assert new.reinforced == NOW
    assert new.accessed == NOW + 0.499 * DAY


def test_each_spaced_recall_gains_less():
    one, factors = memory(stability=1.0), []
    for number in range(1, 6):
        new = recalled_at(one, NOW + number * DAY)
        factors.append(new.stability / one.stability)
        one = new
    assert factors == pytest.approx([1 + 0.8 * 0.85**n for n in range(5)])


def test_a_thousand_recalls_in_a_minute_leave_stability_as_it_was():
    fresh = memory(stability=4.0)
    rapid = recalled_at(fresh, *(NOW + n * 0.06 for n in range(1_000)))
    assert (rapid.stability, rapid.spaced, rapid.recalls) == (4.0, 0, 1_000)
    assert vividness(rapid, NOW + DAY, CFG) == vividness(fresh, NOW + DAY, CFG)


def test_a_thousand_rapid_recalls_a_day_later_count_once():
    start = NOW + DAY
    rapid = recalled_at(memory(stability=4.0), *(start + n * 0.06 for n in range(1_000)))
    once = recalled_at(memory(stability=4.0), start)
    assert (rapid.stability, rapid.spaced) == (once.stability, 1)


def test_recalls_between_do_not_postpone_the_next_spaced_one():
    """Spacing is measured from the last reinforcement, so looking hourly still counts twice."""
    hourly = recalled_at(memory(), *(NOW + hour * 3_600 for hour in range(1, 25)))
    assert hourly.spaced == 2


def test_stability_is_capped_and_never_cut():
    one = recalled_at(memory(stability=100.0), *(NOW + n * DAY for n in range(1, 60)))
    assert one.stability == 180.0
    assert recalled_at(memory(stability=400.0), NOW + DAY).stability == 400.0


@given(memories, st.lists(moments, max_size=6))
def test_recalling_never_weakens_whatever_the_clock_does(one, clock):
    new = one
    for moment in clock:
        after = recalled_at(new, moment)
        assert after.stability >= new.stability
        assert after.spaced - new.spaced in (0, 1)
        assert after.recalls == new.recalls + 1
        assert after.accessed >= new.accessed
        assert after.reinforced >= new.reinforced
        assert retention(after, moment, CFG) >= retention(new, moment, CFG)
        new = after
    same = replace(
        new,
        stability=one.stability,
        reinforced=one.reinforced,
        accessed=one.accessed,
        spaced=one.spaced,
        recalls=one.recalls,
    )
    assert same == one


def test_telling_again_resets_the_clock_at_once():
    old = memory(stability=3.0)
    again = traced(old, restated(old, NOW + 60, CFG))
    assert (again.reinforced, again.stability, again.recalls) == (NOW + 60, 3.0, 0)
    later = traced(old, restated(old, NOW + 30 * DAY, CFG))
    assert retention(later, NOW + 30 * DAY, CFG) == 1.0
    assert later.stability > 3.0


@given(memories, moments)
def test_telling_again_never_turns_the_clock_back(one, moment):
    assert restated(one, moment, CFG).reinforced >= one.reinforced


# --- forecast ------------------------------------------------------------------------------------


@given(memories, moments)
def test_forecast_agrees_with_retention(one, moment):
    seen = forecast(one, moment, CFG)
    assert (seen.memory_id, seen.retention) == (one.id, retention(one, moment, CFG))
    assert (seen.vividness, seen.stability_days) == (vividness(one, moment, CFG), one.stability)
    assert [days for days, _ in seen.points] == sorted({days for days, _ in seen.points})
    for days, left in seen.points:
        assert left == pytest.approx(retention(one, moment + days * DAY, CFG))
        assert left >= seen.floor


@given(memories, moments)
def test_forecast_names_the_moment_it_fades(one, moment):
    seen = forecast(one, moment, CFG)
    if seen.fades_at is None:
        assert seen.floor >= CFG.faded_below
        return
    assert seen.fades_at >= moment
    assert retention(one, seen.fades_at + 60, CFG) < CFG.faded_below
    if seen.fades_at > moment + 60:
        assert retention(one, seen.fades_at - 60, CFG) >= CFG.faded_below


def test_the_clock_that_forecasts_is_the_one_that_fades(mem, clock):
    kept = mem.add_self_reflection("the ferry leaves at nine")
    seen = mem.forecast(kept.id)
    (days, left) = seen.points[4]
    clock.days(days)
    assert mem.forecast(kept.id).retention == pytest.approx(left)


def test_an_imported_memory_decays_from_when_it_happened(mem, clock):
    old = mem.add_self_reflection("the harbour froze", when=clock.now - 365 * DAY)
    new = mem.add_self_reflection("the ferry sails")
    assert mem.forecast(old.id).retention < mem.forecast(new.id).retention


@pytest.mark.parametrize("when", ["2036-01-05", "2036-01-05T10:00:00Z", "2036-01-05T10:00+02:00"])
def test_a_memory_dated_ahead_is_fresh_not_an_error(mem, when):
    ahead = mem.add_self_reflection("the eclipse will be total", when=when)
    assert mem.forecast(ahead.id).retention == 1.0
    assert 0 <= mem.resonate("total eclipse")[0].retention <= 1


# --- the active set ------------------------------------------------------------------------------


def expected_top(store, ids, count, now):
    """How vivid the first of a full sort are; equally vivid ones may stand in any order."""
    rated = [
        (-vividness(store[i], now, CFG), i)
        for i in ids
        if store[i].kind in ("reflection", "impression")
        and store[i].status == "current"
        and "sealed" not in store[i].tags
    ]
    return [vivid for vivid, _ in sorted(rated)[:count]]


class Life:
    """Memories that come, are recalled, change and go while an active set looks on."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.store, self.ids, self.now, self.next = {}, set(), NOW, 1
        self.active = ActiveSet(CFG)

    def add(self):
        number, self.next = self.next, self.next + 1
        self.store[number] = memory(
            number,
            kind=self.random.choice(["reflection", "impression", "reflection", "fact"]),
            importance=float(self.random.choice([1, 5, 5, 5, 9])),
            arousal=self.random.choice([0.2, 0.2, 0.6, 0.9]),
            stability=self.random.choice([0.1, 3.0, 4.62, 180.0]),
            reinforced=self.now + self.random.choice([0, 0, -3 * DAY, 5 * DAY]),
            tags=self.random.choice([(), (), (), ("anchored",), ("sealed",)]),
        )
        self.ids.add(number)
        self.active.change(None, self.store[number])

    def change(self):
        if not self.ids:
            return
        number = self.random.choice(sorted(self.ids))
        old = self.store[number]
        changed = {
            0: recalled_at(old, self.now),
            1: replace(old, status=self.random.choice(["current", "superseded"])),
            2: replace(old, importance=float(self.random.randint(1, 10))),
            3: replace(old, tags=self.random.choice([(), ("sealed",), ("anchored",)])),
        }[self.random.randrange(4)]
        self.store[number] = changed
        self.active.change(old, changed)

    def forget(self):
        if self.ids:
            top = [one.id for one in self.active.top(self.store, 5, self.now)]
            number = self.random.choice([*top, *sorted(self.ids)])
            self.active.change(self.store.pop(number), None)
            self.ids.discard(number)

    def wait(self):
        self.now += self.random.choice([60, DAY, 3 * DAY, 40 * DAY])

    def jump_back(self):
        self.now -= self.random.choice([60, DAY, 30 * DAY])

    def step(self):
        acts = [self.add] * 6 + [self.change] * 3 + [self.forget, self.wait, self.jump_back]
        self.random.choice(acts)()

    def look(self, count):
        return [one.id for one in self.active.top(self.store, count, self.now)]

    def vividness(self, count):
        return [-vividness(self.store[i], self.now, CFG) for i in self.look(count)]


@given(st.integers(0, 10**9), st.integers(1, 4))
@settings(max_examples=60)
def test_the_active_set_equals_a_full_sort(seed, count):
    life = Life(seed)
    for _ in range(120):
        life.step()
        if life.random.random() < 0.5:
            assert life.vividness(count) == expected_top(life.store, life.ids, count, life.now)


def test_the_active_set_equals_a_full_sort_among_equals():
    """Equally vivid memories come the oldest first, also when those in front are forgotten."""
    life = Life(0)
    for number in range(1, 601):
        life.store[number] = memory(number, tags=("anchored",))
        life.active.change(None, life.store[number])
    assert life.look(2) == [1, 2]
    for number in range(1, 256):
        life.active.change(life.store.pop(number), None)
    life.store[601] = memory(601, tags=("anchored",))
    life.active.change(None, life.store[601])
    assert life.look(2) == [256, 257]


class Counted(dict):
    """Memories by id that count how often one is looked at."""

    looks = 0

    def __getitem__(self, key):
        self.looks += 1
        return super().__getitem__(key)

    def get(self, key, default=None):
        self.looks += 1
        return super().get(key, default)


def test_more_can_be_asked_for_than_is_kept_at_hand():
    life = Life(0)
    for number in range(1, 401):
        life.store[number] = memory(number)
        life.active.change(None, life.store[number])
    assert life.look(300) == list(range(1, 301))


def looks_per_turn(store, turns=40, kind="reflection"):
    """How many memories a turn of ten minutes looks at in which one is added."""
    active, now = ActiveSet(CFG), NOW
    for one in store.values():
        active.change(None, one)
    store.looks = 0
    for turn in range(turns):
        now += 600
        number = 1_000_000 + turn
        store[number] = memory(number, kind=kind, reinforced=now, stability=4.62)
        active.change(None, store[number])
        active.top(store, 8, now)
    return store.looks / turns


def test_a_turn_looks_at_few_of_many_memories():
    random_ = random.Random(4)
    store = Counted()
    for number in range(1, 8_001):
        since = NOW - random_.uniform(0, 365) * DAY
        importance = random_.choice([5.0] * 6 + [3.0, 6.0, 7.0, 8.0])
        store[number] = memory(number, importance=importance, reinforced=since, stability=4.62)
    assert looks_per_turn(store) < 150


def test_a_turn_looks_at_few_of_many_memories_that_came_at_once():
    """As after an import: the 256 most vivid are equally vivid, and so are many others."""
    store = Counted((number, memory(number, stability=4.62)) for number in range(1, 8_001))
    assert looks_per_turn(store) < 150


def test_a_turn_looks_at_few_memories_where_most_are_facts():
    store = Counted()
    for number in range(1, 8_001):
        store[number] = memory(number, kind="reflection" if number <= 3 else "fact")
    assert looks_per_turn(store, kind="fact") < 150


def test_the_block_shows_the_most_vivid_after_any_change(mem, clock):
    for number in range(30):
        mem.add_self_reflection(f"plain thing number {number}", importance=3)
    dear = mem.add_self_reflection("the day the lighthouse was lit", importance=10)
    assert "lighthouse" in mem.get_context_block()
    clock.days(20)
    mem.correct(dear.id, "the night the lamp was lit")
    assert "lighthouse" not in mem.get_context_block()
    assert "lamp" in mem.get_context_block()
    assert math.isfinite(mem.forecast(dear.id).retention)


# --- arousal -------------------------------------------------------------------------------------

STIRRING = """
The basement flooded, we lost everything
Production is down, checkout fails
The website went down at midnight
There was a security breach in the billing system
All our customer data was leaked
We lost the database and the backup is gone
The power plant has failed
Critical bug in the payment service: orders vanish
URGENT: call me back
My grandmother died on Sunday
Karl passed away last night
My dad is in hospital
Mum had a stroke
I was in a car crash last week
The kitchen caught fire
Their house burned down
She was robbed on her way home
We got married in Porto!
My sister gave birth to twins
He was diagnosed with cancer
I got fired yesterday
Ransomware hit three servers
We were evacuated because of the wildfire
Our son is missing since Monday
It's an emergency
Because the server crashed, nobody could log in
"""
CALM = """
This is NOT urgent
This isn't urgent at all
security question for account recovery
no data was lost
Nothing was lost in the outage that never happened
just checking whether the site is down
Is production down?
If production goes down, call me
We had a fire drill at the office
We watched a film about a plane crash
In the novel the ship sinks and everyone dies
My phone died on the train
I nearly died of boredom
He died laughing
My dad works at the hospital
The outage was averted
Emergency contact is my wife
I took a crash course in welding
We met by accident
I wrote down the name of the server
thanks
I lost my keys
The exam failed to impress me
I don't think it is an emergency
No urgent issues today
Imagine the house burned down
Would you call the ambulance?
We were flooded with messages
"""


@pytest.mark.parametrize("text", STIRRING.strip().split("\n"))
def test_what_people_never_forget_is_stirring(text):
    assert arousal(text) == Arousal(0.85, "rules")


@pytest.mark.parametrize("text", CALM.strip().split("\n"))
def test_what_is_denied_supposed_asked_told_or_ordinary_is_not(text):
    assert arousal(text) == Arousal(0.2, "rules")


def test_a_harmless_context_calms():
    assert arousal("The server is down").score == 0.85
    assert arousal("The server is down", "this is only a drill").score == 0.2


def test_a_feeling_adds_its_arousal_up_to_one():
    assert arousal("We talked", feeling=0.8).score == pytest.approx(0.2 + 0.4 * 0.8)
    assert arousal("We talked", feeling=-0.6).score == 0.2
    assert arousal("Our house burned down", feeling=0.8).score == 1.0


@pytest.mark.parametrize(
    ("text", "feeling", "asked"),
    [("We talked", 0.0, False), ("Our house burned down", 0.0, False), ("We talked", 0.5, True)],
)
def test_a_model_is_asked_only_in_the_ambiguous_band(text, feeling, asked):
    prompts = []

    def model(prompt):
        prompts.append(prompt)
        return "consequence 0.9\nsurprise: 0.6, intensity: 0.6"

    found = arousal(text, feeling=feeling, llm_fn=model)
    assert bool(prompts) is asked
    assert found.source == ("combined" if asked else "rules")
    if asked:
        assert text in prompts[0]
        assert found.score == pytest.approx((0.4 + 0.7) / 2)


@pytest.mark.parametrize("reply", ["", "high", "0.5 0.5", "7 8 9", "0.1 0.2 0.3 0.4", None])
def test_a_model_that_does_not_answer_with_three_numbers_is_an_error(reply):
    with pytest.raises(InvalidMemoryError, match="three numbers"):
        arousal("We talked", feeling=0.5, llm_fn=lambda _: reply)


@given(st.text(max_size=200), st.text(max_size=50), st.floats(-1, 1))
def test_arousal_is_a_share_of_one_whatever_the_text(text, context, feeling):
    assert 0 <= arousal(text, context, feeling=feeling).score <= 1


@pytest.mark.parametrize(
    ("text", "emotion", "floor"),
    [("Our house burned down", "neutral", 0.7), ("We quarrelled", "angry", 0.4),
     ("We talked", "happy", 0.0)],
)  # fmt: skip
def test_floors_follow_arousal(mem, clock, text, emotion, floor):
    note = mem.add_self_reflection(text, emotion)
    clock.days(3650)
    found = mem.forecast(note.id)
    assert found.floor == floor
    assert found.retention == pytest.approx(floor, abs=1e-6)


@pytest.mark.parametrize(("days", "left"), [(7, 0.85), (30, 0.715), (60, 0.70)])
def test_the_reference_curve(mem, clock, days, left):
    """Floor .7 and arousal .86, as SPEC 5's figures have it."""
    mem.add_self_reflection("The basement flooded, we lost everything", "appreciative")
    record = mem.export()["memories"][0] | {"arousal": 0.86}
    record["stability"] = initial_stability(0.86, CFG)
    other = type(mem)(clock=clock)
    other.import_({"vividmem": 1, "memories": [record]})
    clock.days(days)
    assert other.forecast(1).retention == pytest.approx(left, abs=0.002)


def test_the_share_of_flashbulbs_is_told(mem):
    assert mem.stats()["flashbulbs"] == 0
    for number in range(9):
        mem.add_self_reflection(f"ordinary note {number} about cheese")
    mem.add_self_reflection("Our house burned down")
    assert mem.stats()["flashbulbs"] == 0.1


# --- the photograph ------------------------------------------------------------------------------


def test_a_stirring_memory_keeps_who_what_when_and_where(mem):
    text = "The ferry crashed near Brest on Tuesday and Mara Klein called Bo. Everyone is safe."
    note = mem.add_social_impression(
        "Ana", f"{text} There was an accident.", when="2026-01-02T08:00"
    )
    shot = note.photograph
    assert shot.who == ("Ana", "Mara Klein", "Bo")
    assert shot.what == "The ferry crashed near Brest on Tuesday and Mara Klein called Bo."
    assert shot.when == "2026-01-02T08:00+00:00"
    assert shot.where == ("Brest",)


def test_an_ordinary_memory_keeps_none(mem):
    assert mem.add_self_reflection("We had soup in Brest").photograph is None


def test_a_photograph_survives_restart_and_correction_takes_a_new_one(folder, clock):
    from vividmem import VividMem

    with VividMem(folder, clock=clock) as mem:
        first = mem.add_self_reflection("There was an accident in Brest")
        second = mem.correct(first.id, "There was an accident in Nantes")
    with VividMem(folder, clock=clock) as mem:
        kept = {memory.id: memory.photograph for memory in mem.memories()}
    assert kept[first.id].where == ("Brest",)
    assert kept[second.id].where == ("Nantes",)


# --- unfinished ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("urgency", "gain"), [(0.0, 0.0), (0.5, 0.1), (1.0, 0.2)])
def test_an_open_task_counts_by_its_urgency_and_a_finished_one_a_little_less(urgency, gain):
    assert unfinished(urgency, is_open=True) == pytest.approx(gain)
    assert unfinished(urgency, is_open=False) == -0.1
