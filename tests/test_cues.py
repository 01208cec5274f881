"""Cues: words, polarity, numbers, names and the times a query speaks of."""

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vividmem import (
    TimeWindow,
    names,
    numbers,
    polarity,
    time_window,
    without_time,
    words,
)

UTC = datetime.timezone.utc
PLUS_3 = datetime.timezone(datetime.timedelta(hours=3))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("don't dont do not", "do not do not do not"),
        ("cannot can't cant", "can not can not can not"),
        ("isn't won't shan't ain’t", "is not will not shall not is not"),
        ("I'm sure they've left; she'll call", "i am sure they have left she will call"),
        ("It's Nadia's", "it is nadia"),
        ("Zoë's C++, C# and ADR-016!", "zoe c++ c# and adr-016"),
        ("_it_ **is** 1,000", "it is 1000"),
        ("猫が好き", "猫 が 好 き"),
        ("", ""),
        ("?!", ""),
    ],
)
def test_words_write_contractions_out(text, expected):
    assert " ".join(words(text)) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("I no longer smoke", ["no longer"]),
        ("I used to smoke", ["used to"]),
        ("I am used to it", []),
        ("I do not smoke any more", ["not"]),
        ("any more tea?", []),
        ("She quit and he stopped", ["quit", "stopped"]),
        ("dont", ["not"]),
        ("never without him", ["never", "without"]),
        ("not only good but cheap", []),
        ("Do not forget to call, don't forget!", []),
        ("I know him", []),
    ],
)
def test_polarity_words_are_these(text, expected):
    assert list(polarity(text)) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1,000 and 1000", "1000 1000"),
        ("two, twenty-five, twenty five", "2 25 25"),
        ("two hundred people, 1.5 million, $5k", "200 1500000 5000"),
        ("zero", "0"),
        ("7pm and 7 pm", "7pm 7pm"),
        ("on Monday, Tue and fridays", "monday tuesday friday"),
        ("May 5th, 2023", "may 5 2023"),
        ("5 Mar", "5 march"),
        ("We visited May 5", "may 5"),
        ("a hundred, twenty twenty-one five, Special K", "100 20 21 5"),
        ("I may march on", ""),
        ("in May", "may"),
        ("no one, the second one", "2"),
        ("on 2027-03-31 at 10:30", "2027-03-31 10:30"),
        ("tomorrow, not yesterday", "tomorrow yesterday"),
        ("500 dollars", "500"),
        ("I am", ""),
        ("", ""),
    ],
)
def test_numbers_are_normalised(text, expected):
    assert " ".join(numbers(text)) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Yesterday Nadia met Zoë's brother in Porto.", "nadia porto zoe"),
        ("Nadia left. Later Nadia came back.", "nadia"),
        ("The ticket QX-4471 runs v2.14.3 at 7pm", "qx-4471 v2.14.3"),
        ("I am here. I think so", ""),
        ("WE ARE SO HAPPY", ""),
        ("On Monday in May we met", ""),
        ("we met McDonald and O’Brien", "mcdonald o'brien"),
        ("Ann left. Later Anna came back.", "anna"),
        ("Ann’s dog barked. Ann laughed.", "ann"),
        ("", ""),
    ],
)
def test_names_are_capitalised_inside_sentences_or_identifiers(text, expected):
    assert sorted(names(text)) == expected.split()


@given(st.text())
def test_reading_never_raises_and_is_the_same_each_time(text):
    for function in (words, polarity, numbers, names):
        assert function(text) == function(text)
    time_window(text, 1.7e9, PLUS_3)


def at(text, zone):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


WINDOWS = """
yesterday | 2024-05-14 | 2024-05-15 | exact
what did we do the day before yesterday? | 2024-05-13 | 2024-05-14 | exact
Today | 2024-05-15 | 2024-05-16 | exact
tonight | 2024-05-15T18 | 2024-05-16T04 | vague
last night | 2024-05-14T18 | 2024-05-15T06 | exact
this week | 2024-05-13 | 2024-05-20 | exact
last   week | 2024-05-06 | 2024-05-13 | exact
past week | 2024-05-09 | 2024-05-16 | exact
last weekend | 2024-05-11 | 2024-05-13 | exact
over the weekend | 2024-05-11 | 2024-05-13 | exact
last month | 2024-04-01 | 2024-05-01 | vague
last year | 2023-01-01 | 2024-01-01 | vague
last Monday | 2024-05-13 | 2024-05-14 | exact
last Wednesday | 2024-05-08 | 2024-05-09 | exact
on Wednesday | 2024-05-15 | 2024-05-16 | exact
on Sunday | 2024-05-12 | 2024-05-13 | exact
since Monday | 2024-05-13 | 2024-05-16 | exact
this year | 2024-01-01 | 2025-01-01 | vague
this weekend | 2024-05-18 | 2024-05-20 | exact
in autumn | 2023-09-01 | 2023-12-01 | vague
3 days ago | 2024-05-12 | 2024-05-13 | exact
two weeks ago | 2024-04-29 | 2024-05-06 | vague
a month ago | 2024-04-01 | 2024-05-01 | vague
five years ago | 2019-01-01 | 2020-01-01 | vague
a few days ago | 2024-05-10 | 2024-05-14 | vague
in the last three days | 2024-05-13 | 2024-05-16 | exact
in March | 2024-03-01 | 2024-04-01 | vague
in June | 2023-06-01 | 2023-07-01 | vague
in March 2023 | 2023-03-01 | 2023-04-01 | vague
March 2023 | 2023-03-01 | 2023-04-01 | vague
in 2023 | 2023-01-01 | 2024-01-01 | vague
in May | 2024-05-01 | 2024-06-01 | vague
last May | 2023-05-01 | 2023-06-01 | vague
since March | 2024-03-01 | 2024-05-16 | vague
since yesterday | 2024-05-14 | 2024-05-16 | exact
on 5 May | 2024-05-05 | 2024-05-06 | vague
May 5th | 2024-05-05 | 2024-05-06 | vague
on the 20th of May | 2023-05-20 | 2023-05-21 | vague
5 May 2023 | 2023-05-05 | 2023-05-06 | vague
2027-03-31 | 2027-03-31 | 2027-04-01 | vague
Feb 29 | 2024-02-29 | 2024-03-01 | vague
last summer | 2023-06-01 | 2023-09-01 | vague
last winter | 2023-12-01 | 2024-03-01 | vague
in the fall of 2022 | 2022-09-01 | 2022-12-01 | vague
"""


def full(text):
    return text + ":00" if "T" in text else text


@pytest.mark.parametrize("row", WINDOWS.strip().splitlines())
@pytest.mark.parametrize("zone", [UTC, PLUS_3, ZoneInfo("Europe/Berlin")], ids=str)
def test_a_time_phrase_means_this_window_on_wednesday_15_may_2024(row, zone):
    query, start, end, exact = (cell.strip() for cell in row.split("|"))
    window = time_window(query, at("2024-05-15T14:30", zone), zone)
    assert window is not None
    assert window.start == at(full(start), zone)
    assert window.end == at(full(end), zone)
    assert window.exact == (exact == "exact")


@pytest.mark.parametrize(
    "query",
    [
        "may I ask something?",
        "this may be wrong",
        "march on and fall down",
        "on mondays",
        "9999 years ago",
        "on 31 February",
        "room 2023",
        "the last time",
        "on the last day of school",
        "always on the march",
        "what is my name?",
        "",
    ],
)
def test_what_is_no_past_time_gives_no_window(query):
    assert time_window(query, at("2024-05-15T14:30", UTC), UTC) is None


def test_yesterday_is_a_day_of_the_readers_calendar():
    now = at("2024-05-15T09:00", PLUS_3)
    window = time_window("what did we do yesterday?", now, PLUS_3)
    assert window.start <= at("2024-05-14T00:30", PLUS_3) < window.end
    assert not window.start <= at("2024-05-15T00:30", PLUS_3) < window.end


@pytest.mark.parametrize("day, hours", [("2024-03-31", 23), ("2024-10-27", 25), ("2024-05-15", 24)])
def test_a_day_is_as_long_as_the_clock_change_makes_it(day, hours):
    zone = ZoneInfo("Europe/Berlin")
    window = time_window("today", at(f"{day}T12:00", zone), zone)
    assert window.end - window.start == hours * 3600


def test_without_time_takes_the_phrase_out_and_leaves_the_rest():
    query = "What did  Nadia say Last   week about Porto?"
    window = time_window(query, at("2024-05-15T14:30", UTC), UTC)
    assert without_time(query, window) == "What did Nadia say about Porto?"
    assert isinstance(window, TimeWindow)
