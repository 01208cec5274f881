"""Statements that revise earlier ones by discourse, and the traps that must not."""

import pytest

REVISIONS = """
The deadline of the report is May 5. | Correction: the deadline of the report is May 9.
Note: the client demo is at 3:00 PM. | Update: the client demo was rescheduled to 11:30 AM.
The launch is scheduled for March 3. | The launch has been postponed to April 5.
Purchase order #4521 approved for $50,000. | Change of plans: purchase order #4521 cancelled.
The project budget is $50,000. | Make that $150,000.
Schedule the review for Tuesday. | No wait, change that to Thursday.
I need to ship the parcel to Portland. | Actually, send it to Miami instead.
We're thinking pilot program for the rollout. | The official plan is beta testing.
Let's try the green theme instead. | Actually, let's go back to the card layout.
Your travel allowance is $200. | Your $200 is now $140 max.
The meeting will be in Seattle office, Room 302. | Meeting is in Portland office, Room 1.
"""
TRAPS = """
Our sofa is in the living room. | Actually, I moved the sofa.
We live in Lisbon. | Update: we had a great time in Lisbon.
My gym membership is at FitCo. | Cancel culture is a topic in every podcast now.
I drink coffee every morning. | I'll have tea instead today.
The grant deadline is June 1. | The thesis deadline was extended to July 3.
My dentist appointment is at 3 pm. | Sarah's dentist appointment was cancelled.
My flight is on Monday. | Dana's flight was cancelled.
The launch is scheduled for March 3. | If the launch moved to April 5, we would miss the fair.
The launch is scheduled for March 3. | Bob joked that the launch was cancelled.
The launch is scheduled for March 3. | Was the launch moved to April 5?
The demo is on Friday. | Update: the demo on Friday will be recorded.
I have two children. | Make that two coffees, please.
I live in Oslo. | Change of plans: we're having pizza tonight.
The wifi hint is bluebird. | Scratch that itch, as they say.
We decided on Lisbon for the offsite. | We decided on a name for the cat.
We're going with Acme for catering. | Let's go with the flow.
The parcel arrives on Tuesday. | My neighbour's parcel was delayed until Thursday.
Invoice 4711 is approved. | Invoice 4712 was cancelled.
I take my coffee black. | No, wait for me at the corner.
The standup is at 10 am. | We pushed the cart to the top of the hill.
John, we all believe in your plan. | Let's do it, we can change a lot.
The book is worth it. | Those moments make it all worth it.
The seminar is in room 12. | The exam is in room 14.
I need to ship the package to Portland. | Send it to me when you find the photo.
"""


def pairs(rows):
    return [tuple(row.split(" | ")) for row in rows.strip().splitlines()]


@pytest.mark.parametrize(("old", "new"), pairs(REVISIONS))
def test_a_revision_supersedes_what_it_revises(mem, clock, old, new):
    first = mem.observe(old).memory
    clock.minutes(3)
    decision = mem.observe(new)
    assert decision.action == "supersede"
    assert [memory.id for memory in decision.contradicts] == [first.id]
    hits = mem.resonate(old, include_history=True, reinforce=False)
    assert next(hit for hit in hits if hit.id == first.id).certainty == "outdated"


@pytest.mark.parametrize(("known", "trap"), pairs(TRAPS))
def test_a_trap_revises_nothing(mem, clock, known, trap):
    first = mem.observe(known).memory
    clock.minutes(3)
    mem.observe(trap)
    assert next(m for m in mem.memories() if m.id == first.id).current


def test_an_echo_goes_with_what_it_echoes(mem, clock):
    mem.observe("The meeting will be in Seattle office, Room 302.")
    echo = mem.observe("Got it, meeting location: Seattle office.", speaker="assistant").memory
    clock.minutes(3)
    mem.observe("Meeting is in Portland office, Room 1.")
    assert not next(m for m in mem.memories() if m.id == echo.id).current


def test_the_assistant_revises_nothing(mem, clock):
    first = mem.observe("The launch is scheduled for March 3.").memory
    clock.minutes(3)
    mem.observe("The launch has been postponed to April 5.", speaker="assistant")
    assert next(m for m in mem.memories() if m.id == first.id).current


def test_that_means_nothing_said_hours_ago(mem, clock):
    first = mem.observe("The project budget is $50,000.").memory
    clock.days(1)
    mem.observe("Make that $150,000.")
    assert next(m for m in mem.memories() if m.id == first.id).current


def test_a_successor_is_found_by_the_words_of_what_it_revised(mem, clock):
    mem.observe("The project budget is $50,000.")
    clock.minutes(3)
    mem.observe("Make that $150,000.")
    hits = mem.resonate("What is the project budget?", reinforce=False)
    assert [hit.text for hit in hits] == ["Make that $150,000."]


def test_a_newer_number_ranks_above_the_older_one(mem, clock):
    mem.add_social_impression("User", "My Zotero library has 45 sources, tagged by theme.")
    clock.days(9)
    mem.add_social_impression(
        "User", "I have added 52 sources to my Zotero library by now, how odd."
    )
    hits = mem.resonate("How many sources are in my Zotero library?", reinforce=False)
    assert "52" in hits[0].text
