"""Feelings: `mem.mood` and `mem.chemistry`, and what they do to memory and recall."""

import math
import multiprocessing
import random
from dataclasses import asdict

import pytest

from vividmem import InvalidMemoryError, Modulation, Pad, VividMem

EVENTS = (
    "achievement conflict creative_flow learning_breakthrough loss_grief rejection relaxation"
    " social_bonding surprise_positive threat_detected"
).split()


# -- mood


def test_five_times_angry_is_half_gone_after_six_hours(mem, clock):
    for _ in range(5):
        mem.mood.update(["angry"])
    before = mem.mood.pad
    assert mem.mood.label == "angry"
    clock.hours(6)
    assert mem.mood.pad == pytest.approx([value / 2 for value in before], abs=1e-5)


def test_a_mood_is_saved_and_shared(folder, clock):
    with VividMem(folder, clock=clock) as one, VividMem(folder, clock=clock) as two:
        one.mood.update(["angry", "anxious"])
        assert two.mood.pad == one.mood.pad
        one.save()
        told = one.mood.pad
    with VividMem(folder, clock=clock) as again:
        assert again.mood.pad == told
        assert again.mood.label != "neutral"


def add_up(folder, label):
    with VividMem(folder) as mem:
        for _ in range(20):
            mem.mood.update(label)


def test_two_processes_move_one_mood(folder):
    workers = [
        multiprocessing.get_context("spawn").Process(target=add_up, args=(folder, label))
        for label in ("sad", "angry")
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    with VividMem(folder) as mem:
        assert mem.mood.pad.pleasure < -0.5


def test_several_labels_count_in_their_order(mem):
    assert mem.mood.update(["happy", "sad"]).pleasure < 0.2
    one = VividMem()
    one.mood.update("happy")
    one.mood.update("sad")
    assert one.mood.pad == pytest.approx(mem.mood.pad, abs=1e-4)


@pytest.mark.parametrize("wrong", [None, 5, [5], [""], ["x\ny"], b"sad", [None]])
def test_what_is_no_label_is_refused(mem, wrong):
    mem.mood.update("sad")
    before = mem.mood.pad
    with pytest.raises(InvalidMemoryError, match="emotion"):
        mem.mood.update(wrong)
    assert mem.mood.pad == before


def test_an_unknown_label_counts_as_neutral(mem):
    mem.mood.update(["happy"] * 5)
    before = mem.mood.pad.pleasure
    mem.mood.update("zorbish")
    assert 0 < mem.mood.pad.pleasure < before


def test_a_new_session_halves_the_mood_and_reset_ends_it(mem):
    mem.mood.update(["sad"] * 5)
    before = mem.mood.pad
    assert mem.mood.new_session() == pytest.approx([v / 2 for v in before], abs=1e-5)
    mem.mood.reset()
    assert mem.mood.pad == Pad()


def test_export_and_import_carry_the_mood_into_an_empty_store_only(mem, clock):
    mem.mood.update(["proud"] * 3)
    copy = VividMem(clock=clock)
    copy.import_(mem.export())
    assert copy.mood.pad == mem.mood.pad
    other = VividMem(clock=clock)
    other.mood.update("sad")
    before = other.mood.pad
    other.import_(mem.export())
    assert other.mood.pad == before


def test_a_batch_that_fails_leaves_the_mood(mem):
    mem.mood.update("happy")
    before = mem.mood.pad
    with pytest.raises(ZeroDivisionError), mem.batch():
        mem.mood.update(["sad"] * 5)
        1 / 0  # noqa: B018
    assert mem.mood.pad == before


def sixty_feelings(mem, clock):
    """20 sad, 20 happy and 20 neutral memories that all answer the same question."""
    rows = [("sad", n) for n in range(20)] + [("happy", n) for n in range(20)]
    rows += [("neutral", n) for n in range(20)]
    random.Random(7).shuffle(rows)
    for label, number in rows:
        mem.add_self_reflection(f"A walk along the river, {label[0]}{number}", label)
        clock.hours(1)


@pytest.mark.parametrize("minutes", [0, 5])
def test_a_sad_agent_does_not_spiral(mem, clock, minutes):
    sixty_feelings(mem, clock)
    mem.mood.update(["sad"] * 4)
    for _ in range(100):
        labels = [hit.memory.emotion for hit in mem.resonate("walk along the river", limit=8)]
        assert len(labels) == 8
        assert labels.count("sad") < 4
        mem.mood.update(labels)
        clock.minutes(minutes)
    assert mem.mood.pad.pleasure > -0.15
    clock.days(3)
    assert mem.mood.label == "neutral"


def test_a_mood_brings_up_what_fits_it_first_and_why_says_so(mem, clock):
    sixty_feelings(mem, clock)
    plain = mem.resonate("walk along the river", limit=8, reinforce=False)
    assert all(hit.why.mood == 0 for hit in plain)
    mem.mood.update(["happy"] * 5)
    hits = mem.resonate("walk along the river", limit=8, reinforce=False)
    happy = [hit for hit in hits if hit.memory.emotion == "happy"]
    assert len(happy) >= 6 > [hit.memory.emotion for hit in plain].count("happy")
    assert all(0 < hit.why.mood <= 0.15 for hit in happy)


def test_an_emotion_that_came_up_often_lifts_less_until_a_new_session(mem, clock):
    mem.add_self_reflection("The lighthouse keeper waved", "happy")
    mem.mood.update(["happy"] * 5)

    def lift():
        return mem.resonate("lighthouse keeper")[0].why.mood

    first, second, third = lift(), lift(), lift()
    assert first > second > third > 0
    mem.mood.new_session()
    mem.mood.update(["happy"] * 5)
    assert lift() > third
    lift()
    clock.minutes(31)
    mem.mood.update(["happy"] * 5)
    assert lift() == pytest.approx(first, rel=0.05)


@pytest.mark.parametrize("label", ["sad", "happy", "angry", "afraid", "content"])
def test_an_exact_question_is_answered_first_in_any_mood(mem, label):
    for number in range(30):
        mem.add_self_reflection(f"The boiler valve number {number} leaks a little", label, 10)
    mem.add_self_reflection("The pressure of the boiler valve is 7 bar", "neutral", 1)
    mem.mood.update([label] * 8)
    hit = mem.resonate("pressure of the boiler valve", limit=1)[0]
    assert hit.text == "The pressure of the boiler valve is 7 bar"


# -- the core never changes; what is presented drifts


def core(memory):
    return memory.text, memory.when, memory.emotion, memory.photograph_json, memory.arousal


@pytest.mark.parametrize("label", ["happy", "angry", "sad"])
def test_recalls_in_any_mood_leave_the_core_and_stay_within_the_bound(mem, clock, label):
    mem.add_self_reflection("We crossed the bridge at dawn", "content")
    before = mem.memories()[0]
    for _ in range(200):
        mem.mood.update([label] * 3)
        hit = mem.resonate("bridge at dawn")[0]
        clock.minutes(7)
    assert core(mem.memories()[0]) == core(before)
    assert max(abs(value) for value in mem.memories()[0].drift) <= 0.3
    assert hit.memory.emotion == "content"
    clock.days(300)
    settled = mem.resonate("bridge at dawn", reinforce=False)[0]
    assert settled.emotion == "content"
    assert settled.pad == pytest.approx((0.7, -0.3, 0.3), abs=0.01)


def test_what_is_presented_drifts_towards_the_mood_and_is_framed_by_it(mem, clock):
    note = mem.add_self_reflection("The parcel came on Tuesday", "thoughtful")
    assert mem.recall(note.id).framing == "For reference: "
    for _ in range(60):
        mem.mood.update(["joyful"] * 6)
        clock.minutes(10)
        hit = mem.recall(note.id)
    assert hit.pad.pleasure == pytest.approx(0.2 + 0.3, abs=0.02)
    assert hit.framing == "Good news from before: "
    assert hit.emotion != "thoughtful"
    assert hit.memory.emotion == "thoughtful"


def test_drift_survives_a_restart(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        mem.mood.update(["happy"] * 9)
        note = mem.add_self_reflection("The parcel came on Tuesday")
        mem.recall(note.id)
        told = mem.recall(note.id).pad
    with VividMem(folder, clock=clock) as mem:
        assert mem.resonate("parcel", reinforce=False)[0].pad.pleasure > told.pleasure > 0


def test_looking_without_reinforcement_drifts_nothing(mem):
    mem.add_self_reflection("The parcel came on Tuesday")
    mem.mood.update(["happy"] * 9)
    before = mem.export()
    for _ in range(20):
        mem.resonate("parcel", reinforce=False)
    assert mem.export() == before


# -- notes on stirring memories


def test_a_stirring_memory_takes_notes_and_never_changes(mem):
    fire = mem.add_social_impression("Ines", "Ines's house burned down last night")
    before = mem.memories()[0]
    note = mem.annotate(fire.id, "The cat was rescued by a neighbour")
    assert note.links == (fire.id,)
    assert mem.memories()[0] == before
    assert mem.recall(fire.id).notes == ("The cat was rescued by a neighbour",)
    assert mem.resonate("rescued cat")[0].id == note.id
    receipt = mem.forget(fire.id)
    assert receipt.derived == (note.id,)
    assert mem.memories() == []


def test_an_ordinary_memory_takes_none(mem):
    note = mem.add_self_reflection("We had soup")
    with pytest.raises(InvalidMemoryError, match="correct"):
        mem.annotate(note.id, "It was pumpkin soup")
    assert len(mem.memories()) == 1


def test_links_survive_export_import_and_restart(mem, folder, clock):
    mem.add_self_reflection("filler")
    fire = mem.add_self_reflection("The house burned down last night")
    mem.annotate(fire.id, "The cat was rescued")
    with VividMem(folder, clock=clock) as copy:
        copy.add_self_reflection("something that takes the first id")
        copy.import_(mem.export())
    with VividMem(folder, clock=clock) as copy:
        hit = copy.resonate("house burned", reinforce=False)[0]
        assert hit.notes == ("The cat was rescued",)


# -- rivals


def twins(mem, emotion="neutral", extra=""):
    words = "The blue ferry to the island leaves from the old harbour at noon on weekdays"
    first = mem.add_self_reflection(f"{words} from pier four{extra}", emotion)
    second = mem.add_self_reflection(f"{words} from pier nine{extra}", emotion)
    return first, second


def test_recalling_one_of_two_alike_weakens_the_other_a_little_and_once_a_day(mem, clock):
    _, second = twins(mem)
    clock.days(1)
    before = mem.forecast(second.id).retention
    mem.resonate("ferry pier four", limit=1)
    after = mem.forecast(second.id).retention
    assert before - 0.05 <= after < before - 0.03
    for _ in range(50):
        mem.resonate("ferry pier four", limit=1)
    assert mem.forecast(second.id).retention == after
    clock.days(1)
    mem.resonate("ferry pier four", limit=1)
    assert mem.forecast(second.id).retention < after - 0.05
    for _ in range(40):
        clock.days(1)
        mem.resonate("ferry pier four", limit=1)
    assert mem.forecast(second.id).retention >= 0
    assert mem.memories()[1].interference[0] <= 0.3


def test_a_recall_makes_up_for_it(mem, clock):
    _, second = twins(mem)
    clock.hours(1)
    fresh = mem.forecast(second.id).retention
    mem.resonate("ferry pier four", limit=1)
    assert mem.forecast(second.id).retention < fresh
    mem.recall(second.id)
    assert mem.forecast(second.id).retention == fresh


def test_flashbulbs_and_what_is_different_are_spared(mem, clock):
    _, second = twins(mem, extra=" since the accident")
    other = mem.add_self_reflection("The green ferry was sold to a museum of ships")
    clock.hours(1)
    before = [mem.forecast(m.id).retention for m in (second, other)]
    mem.resonate("ferry pier four", limit=1)
    assert [mem.forecast(m.id).retention for m in (second, other)] == before


def test_recalling_by_id_weakens_rivals_too(mem, clock):
    first, second = twins(mem)
    clock.hours(1)
    before = mem.forecast(second.id).retention
    mem.recall(first.id)
    assert mem.forecast(second.id).retention < before


# -- chemistry


def test_switched_off_everything_is_neutral_and_events_do_nothing(mem):
    assert mem.chemistry.enabled is False
    mem.chemistry.on_event("threat_detected", 1.0)
    mem.add_self_reflection("A good day", "joyful")
    state = mem.chemistry.get_state()
    assert state.modifiers == Modulation()
    assert str(state) == (
        "dopamine: 0.50 ~ | cortisol: 0.30 ~ | serotonin: 0.60 ~ | oxytocin: 0.40 ~"
        " | norepinephrine: 0.50 ~"
    )


def test_a_threat_shows_in_levels_trends_and_factors(mem, clock):
    mem.chemistry.enabled = True
    state = mem.chemistry.on_event("threat_detected", 1.0)
    assert state.levels["cortisol"] == pytest.approx(0.6)
    assert state.trend["cortisol"] == state.trend["norepinephrine"] == "\u25b2"
    assert state.levels["serotonin"] == pytest.approx(0.55)
    clock.minutes(46)
    assert mem.chemistry.get_state().levels["cortisol"] == pytest.approx(0.45)
    mem.chemistry.on_event("loss_grief", 1.0)
    assert mem.chemistry.get_state().trend["dopamine"] == "\u25bc"


@pytest.mark.parametrize("event", EVENTS)
def test_all_ten_events_are_known_and_bounded(mem, clock, event):
    mem.chemistry.enabled = True
    for _ in range(30):
        state = mem.chemistry.on_event(event, 1.0)
        assert all(0 <= level <= 1 for level in state.levels.values())
    baseline = VividMem().chemistry.get_state().levels
    for name, level in state.levels.items():
        assert abs(level - baseline[name]) < 0.65  # thirty in a row count for about two


@pytest.mark.parametrize("wrong", ["party", "", "Threat_Detected", None, 3, []])
def test_an_unknown_event_is_an_error_that_names_the_ten(mem, wrong):
    mem.chemistry.enabled = True
    before = mem.chemistry.get_state()
    with pytest.raises(InvalidMemoryError) as caught:
        mem.chemistry.on_event(wrong)
    assert all(event in str(caught.value) for event in EVENTS)
    assert mem.chemistry.get_state() == before


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan, "high", None, True])
def test_an_intensity_outside_its_range_is_refused(mem, wrong):
    mem.chemistry.enabled = True
    with pytest.raises(InvalidMemoryError, match="intensity"):
        mem.chemistry.on_event("conflict", wrong)


def test_the_same_event_again_pushes_less_until_ten_minutes_have_passed(mem, clock):
    mem.chemistry.enabled = True

    def push():
        before = mem.chemistry.levels.dopamine
        return mem.chemistry.on_event("achievement", 0.3).levels["dopamine"] - before

    first, second = push(), push()
    assert second == pytest.approx(first / 2)
    clock.minutes(11)
    assert push() == pytest.approx(first, rel=1e-6)


def test_chemistry_is_saved_and_decays_while_nobody_looks(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        mem.chemistry.enabled = True
        mem.chemistry.on_event("threat_detected", 1.0)
    clock.minutes(46)
    with VividMem(folder, clock=clock) as mem:
        assert mem.chemistry.enabled
        assert mem.chemistry.levels.cortisol == pytest.approx(0.45)
        mem.save()
    with VividMem(folder, clock=clock) as mem:
        assert mem.chemistry.levels.cortisol == pytest.approx(0.45)


def test_sleep_is_that_much_decay(mem, clock):
    mem.chemistry.enabled = True
    mem.chemistry.on_event("threat_detected", 1.0)
    rested = mem.chemistry.sleep(46 / 60)
    assert rested.levels["cortisol"] == pytest.approx(0.45)
    assert mem.chemistry.sleep(1000).levels["cortisol"] == pytest.approx(0.3)


def test_storing_a_feeling_sets_off_its_cascade_in_the_same_write(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        mem.chemistry.enabled = True
        before = mem.stats()["store"]["sequence"]
        mem.add_social_impression("Ana", "Ana hugged me", "affectionate")
        assert mem.stats()["store"]["sequence"] == before + 1
        assert mem.chemistry.levels.oxytocin > 0.4
        level = mem.chemistry.levels.oxytocin
        mem.add_social_impression("Ana", "Ana drove home", "neutral")
        assert mem.chemistry.levels.oxytocin == level


# -- the nine factors, each with chemistry on and off


def at(mem, **levels):
    """Switch chemistry on and bring it to *levels* with the means it has."""
    mem.chemistry.enabled = True
    pushes = {
        "dopamine": ("surprise_positive", "loss_grief"), "cortisol": ("threat_detected", ""),
        "serotonin": ("relaxation", "loss_grief"), "oxytocin": ("social_bonding", "rejection"),
        "norepinephrine": ("surprise_positive", "relaxation"),
    }  # fmt: skip
    for name, high in levels.items():
        event = pushes[name][0 if high else 1]
        for _ in range(3):
            mem.chemistry.on_event(event, 1.0)
    return mem.chemistry.factors()


def both(make):
    """Return what *make* gives with chemistry off and with the same events while it is on."""
    return [make(on) for on in (False, True)]


def test_encoding_lasts_longer_and_weighs_more_under_dopamine(clock):
    def stored(on):
        mem = VividMem(clock=clock)
        if on:
            at(mem, dopamine=True)
        return mem.add_self_reflection("We found the source", "proud", 5)

    off, on = both(stored)
    assert on.stability > 1.05 * off.stability
    assert on.importance > off.importance == 5


def test_a_neutral_note_keeps_its_importance_whatever_the_dopamine(mem):
    at(mem, dopamine=True)
    assert mem.add_self_reflection("Lunch at noon").importance == 5


def test_novelty_lifts_what_was_rarely_recalled(clock):
    def lifts(on):
        mem = VividMem(clock=clock)
        for name in ("old", "new"):
            mem.add_self_reflection(f"The {name} mill by the stream")
        for _ in range(8):
            mem.recall(1)
        if on:
            at(mem, dopamine=True)
        found = mem.resonate("mill by the stream", reinforce=False)
        return {hit.id: hit.why.chemistry for hit in found}

    off, on = both(lifts)
    assert set(off.values()) == {0}
    assert on[2] > on[1] > 0


def test_stress_keeps_weak_matches_down_but_never_an_exact_or_urgent_one(clock):
    def found(on):
        mem = VividMem(clock=clock)
        for number in range(30):
            mem.add_self_reflection(f"an ordinary note about the weather of day {number}")
        mem.add_self_reflection("The harbour master keeps a ledger of all boats")
        mem.add_self_reflection("The harbour master retired and moved to the hills with a cat")
        mem.add_self_reflection("A gull sat on the wall and the master of the ferry fed it bread")
        mem.add_self_reflection(
            "The wall clock of the harbour office stopped before the storm came"
        )
        if on:
            for _ in range(6):
                at(mem, cortisol=True)
        return [h.id for h in mem.resonate("harbour master ledger", reinforce=False)]

    off, on = both(found)
    assert on[0] == off[0] == 31
    assert set(on) < set(off)


def test_an_exact_question_finds_its_memory_at_full_stress(mem):
    mem.add_self_reflection("The safe is behind the painting in the study", importance=1)
    for number in range(20):
        mem.add_self_reflection(f"Fire in the study, emergency number {number}", "afraid", 10)
    mem.chemistry.enabled = True
    for _ in range(40):
        mem.chemistry.on_event("threat_detected", 1.0)
        mem.chemistry.on_event("conflict", 1.0)
    assert mem.chemistry.levels.cortisol > 0.95
    assert mem.resonate("the safe is behind the painting")[0].id == 1


def test_stress_narrows_the_block_to_what_threatens(clock):
    def shown(on):
        mem = VividMem(clock=clock)
        for number in range(10):
            mem.add_self_reflection(f"A calm note about gardening, {number}", "content", 7)
        mem.add_self_reflection("The scaffolding is loose and I am afraid", "afraid", 4)
        if on:
            for _ in range(3):
                at(mem, cortisol=True)
        block = mem.get_context_block()
        return block.count("\n- "), "scaffolding" in block

    (count, threat), (fewer, threat_shown) = both(shown)
    assert fewer < count
    assert threat_shown
    assert not threat


def test_above_seven_tenths_of_cortisol_every_memory_is_a_flashbulb(clock):
    def stored(on):
        mem = VividMem(clock=clock)
        if on:
            for _ in range(4):
                at(mem, cortisol=True)
            assert mem.chemistry.levels.cortisol > 0.7
        return mem.add_self_reflection("The door was green")

    off, on = both(stored)
    assert (off.arousal, off.photograph) == (0.2, None)
    assert on.arousal >= 0.8
    assert on.photograph.what == "The door was green"


def test_serotonin_steadies_the_mood_and_its_bias(clock):
    def moved(on):
        mem = VividMem(clock=clock)
        mem.add_self_reflection("The lighthouse keeper waved", "happy")
        if on:
            at(mem, serotonin=True)
        mem.mood.update("happy")
        pleasure = mem.mood.pad.pleasure
        mem.mood.update(["happy"] * 9)
        return pleasure, mem.resonate("lighthouse keeper", reinforce=False)[0].why.mood

    off, on = both(moved)
    assert on[0] < off[0]
    assert on[1] < off[1]


def test_patience_lets_old_memories_compete(clock):
    def recency(on):
        mem = VividMem(clock=clock)
        mem.add_self_reflection("The lighthouse keeper waved")
        clock.days(40)
        if on:
            at(mem, serotonin=True)
        return mem.resonate("lighthouse keeper", reinforce=False)[0].why.recency

    off, on = both(recency)
    assert on > off > 0


@pytest.mark.parametrize("emotion", ["neutral", "grateful"])
def test_oxytocin_lifts_people_and_good_memories_of_them_most(clock, emotion):
    def lifts(on):
        mem = VividMem(clock=clock)
        mem.add_self_reflection("The mill by the stream", emotion)
        mem.add_social_impression("Ana", "The mill by the stream", emotion)
        if on:
            at(mem, oxytocin=True)
        hits = mem.resonate("mill by the stream", reinforce=False)
        return {hit.memory.kind: hit.why.chemistry for hit in hits}

    off, on = both(lifts)
    assert set(off.values()) == {0}
    assert on["impression"] > on["reflection"] + 0.05
    if emotion == "grateful":
        assert on["impression"] > on["reflection"] + 0.15


def chained_notes(mem):
    mem.add_self_reflection("violin lessons with grandmother Helena in Zadar")
    mem.add_self_reflection("grandmother Helena of Zadar baked walnut bread for Ignac")
    mem.add_self_reflection("walnut bread for Ignac was sold by the beekeeper Ludmila")
    mem.add_self_reflection("beekeeper Ludmila sold honeycomb frames to Anselm")
    mem.add_self_reflection("honeycomb frames for Anselm were carved by Quirin in Lvov")
    for number in range(200):
        mem.add_self_reflection(f"ordinary note number {number} about the weather")


def test_alertness_spreads_associations_wider(clock):
    def reached(on):
        mem = VividMem(clock=clock)
        chained_notes(mem)
        if on:
            at(mem, norepinephrine=True)
            for event in ("creative_flow", "learning_breakthrough", "achievement"):
                mem.chemistry.on_event(event, 1.0)
        hits = mem.resonate("violin lessons", limit=10, reinforce=False)
        return max(hit.why.hop for hit in hits)

    off, on = both(reached)
    assert (off, on) == (2, 3)


def test_factors_come_from_the_levels_and_are_all_one_when_off(mem):
    factors = at(mem, dopamine=True, oxytocin=True)
    assert factors.novelty > 1 and factors.social > 1
    mem.chemistry.enabled = False
    assert mem.chemistry.factors() == Modulation()
    assert set(asdict(mem.chemistry.get_state().modifiers).values()) == {1.0}


@pytest.mark.parametrize("wrong", [1, "on", None])
def test_the_switch_takes_only_true_and_false(mem, wrong):
    with pytest.raises(InvalidMemoryError, match="enabled"):
        mem.chemistry.enabled = wrong


def test_an_old_folder_without_feelings_opens_neutral(folder, clock):
    with VividMem(folder, clock=clock) as mem:
        mem.add_self_reflection("The heron came back")
    with VividMem(folder, clock=clock) as mem:
        assert mem.mood.label == "neutral"
        assert mem.chemistry.enabled is False
        assert mem.resonate("heron")[0].pad == Pad()
