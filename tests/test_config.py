"""Config: every setting is checked where it comes in, and the message names it."""

import dataclasses
from dataclasses import FrozenInstanceError, fields, is_dataclass
from datetime import datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vividmem import (
    Config,
    ConfigError,
    DecayConfig,
    SearchConfig,
    StoreConfig,
    VividMem,
    VividMemError,
    zone_of,
)

GROUPS = [f for f in fields(Config) if is_dataclass(getattr(Config(), f.name))]
SETTINGS = [
    (group.name, setting.name, getattr(getattr(Config(), group.name), setting.name))
    for group in GROUPS
    for setting in fields(getattr(Config(), group.name))
]
NUMBERS = [s for s in SETTINGS if isinstance(s[2], (int, float))]


def test_nothing_given_is_the_usual():
    assert Config.of(None) == Config.of({}) == Config()
    mine = Config(timezone="UTC")
    assert Config.of(mine) is mine


def test_a_nested_mapping_changes_what_it_names_and_nothing_else():
    cfg = Config.of({"timezone": "UTC", "decay": {"spacing_days": 1}, "search": {"k1": 2.0}})
    assert (cfg.timezone, cfg.decay.spacing_days, cfg.search.k1) == ("UTC", 1.0, 2.0)
    assert isinstance(cfg.decay.spacing_days, float)
    assert dataclasses.replace(cfg.decay, spacing_days=0.5) == DecayConfig()
    assert dataclasses.replace(cfg.search, k1=1.2) == SearchConfig()
    assert cfg.store == StoreConfig()


def test_what_was_given_is_not_changed():
    given_settings = {"decay": {"spacing_days": 1.0}, "timezone": "UTC"}
    for _ in range(2):
        with VividMem(config=given_settings) as mem:
            mem.add_self_reflection("the harbour froze")
            assert len(mem.memories()) == 1
    assert given_settings == {"decay": {"spacing_days": 1.0}, "timezone": "UTC"}
    assert Config.of(MappingProxyType(given_settings)).decay.spacing_days == 1.0


@pytest.mark.parametrize(
    "settings, named",
    [
        ({"decya": {}}, "decya"),
        ({"decay": {"spacing": 1}}, "spacing"),
        ({"decay": {"spacing": 1}}, "config.decay"),
        ({"decay": {"spacing": 1}}, "spacing_days"),  # what there is
        ({"decay": 5}, "config.decay"),
        ({"decay": None}, "config.decay"),
        ({"decay": [("spacing_days", 1)]}, "config.decay"),
        ({"timezone": 5}, "timezone"),
        ({"timezone": "Mars/Olympus"}, "Mars/Olympus"),
        ({"store": {"durability": "maybe"}}, "durability"),
        ({"store": {"durability": 1}}, "durability"),
        ({5: {}}, "5"),
        (5, "config"),
        ("UTC", "config"),
        ([], "config"),
    ],
)
def test_a_bad_setting_is_refused_and_named(settings, named):
    with pytest.raises(ConfigError, match=named):
        Config.of(settings)


def test_the_error_is_also_what_a_caller_expects():
    with pytest.raises(ValueError):
        VividMem(config={"nonsense": 1})
    with pytest.raises(VividMemError):
        VividMem(config={"nonsense": 1})


@pytest.mark.parametrize("group, name, usual", NUMBERS)
def test_no_number_may_be_text_or_nan_or_negative(group, name, usual):
    for bad in ("5", None, True, float("nan"), float("inf"), -1, [1]):
        with pytest.raises(ConfigError, match=f"{group}.{name}"):
            Config.of({group: {name: bad}})
    assert Config.of({group: {name: usual}}) == Config()


def refused(group, name, value):
    try:
        Config.of({group: {name: value}})
    except ConfigError:
        return True
    return False


def test_a_count_must_be_whole():
    counts = [(group, name) for group, name, usual in NUMBERS if isinstance(usual, int)]
    assert [count for count in counts if not refused(*count, 7.5)] == []
    assert Config.of({"search": {"candidates": 7.0}}).search.candidates == 7


def lived(config):
    """Use most of what a memory can do, under *config*."""
    now = [1_800_000_000.0]
    with VividMem(config=config, clock=lambda: now[0]) as mem:
        for number in range(4):
            mem.add_self_reflection(f"tea {number}", episode="one")
            mem.add_social_impression("Ann", f"Ann keeps {number} bees")
        fact = mem.add_fact("Ann", "city", "Oslo")
        now[0] += 90_000
        mem.add_fact("Ann", "city", "Rome")
        mem.update_entity_preference("Ann", "food", "olives")
        mem.resonate("how many bees does Ann keep?", limit=3)
        mem.resonate("tea", include_history=True)
        mem.get_context_block("Ann", "bees and tea?")
        mem.forecast(fact.id)
        mem.save()


@pytest.mark.parametrize("group, name, usual", [s for s in NUMBERS if s[0] != "text"])
def test_zero_is_either_refused_or_works(group, name, usual):
    try:
        cfg = Config.of({"timezone": "UTC", group: {name: 0}})
    except ConfigError:
        return
    lived(cfg)


SHARES = [
    ("search", "relative_floor"), ("search", "coverage_floor"), ("search", "b_short"),
    ("search", "b_mixed"), ("search", "question_factor"), ("search", "chain_penalty"),
    ("decay", "default_arousal"), ("decay", "flashbulb_floor"), ("decay", "stirring_floor"),
    ("decay", "recall_gain_decay"), ("merge", "overlap"),
]  # fmt: skip


@pytest.mark.parametrize("group, name", SHARES)
def test_a_share_above_one_is_refused(group, name):
    """Each breaks a promise: nothing is found, retention grows, scores turn negative."""
    with pytest.raises(ConfigError, match=name):
        Config.of({group: {name: 1.5}})


def test_settings_are_checked_when_the_records_are_built_directly():
    for bad in ({"initial_stability_days": -1.0}, {"max_stability_days": float("nan")}):
        with pytest.raises(ConfigError):
            Config(decay=DecayConfig(**bad))
    with pytest.raises(ConfigError):
        Config(store=StoreConfig(durability="maybe"))


def test_settings_are_frozen_and_take_names_only():
    for record in (Config(), *(getattr(Config(), group.name) for group in GROUPS)):
        name = fields(record)[0].name
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, 1)
        with pytest.raises(TypeError):
            type(record)(1)


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=3), min_size=1))
def test_unknown_names_are_always_refused(settings):
    with pytest.raises(ConfigError):
        Config.of({"search": settings})


# --- time zones ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, hours",
    [("UTC", 0), ("utc", 0), ("Z", 0), ("+03:00", 3), ("-0530", -5.5), ("Asia/Tokyo", 9)],
)
def test_zones_have_these_offsets(name, hours):
    moment = datetime(2026, 1, 5, 9)
    assert zone_of(name).utcoffset(moment) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "name",
    ["Mars/Olympus", "+25:00", "-99:99", "+3", "../../etc/passwd", "/etc/passwd", "Europe",
     "America", "\0", "Europe/Vienna ", "é", "x" * 300, "."],
)  # fmt: skip
def test_what_is_no_zone_is_a_config_error(name):
    with pytest.raises(ConfigError):
        zone_of(name)


def test_the_local_zone_knows_its_own_summer_time():
    zone = zone_of("")
    for month in (1, 7):
        naive = datetime(2026, month, 5, 9)
        assert naive.replace(tzinfo=zone).timestamp() == naive.timestamp()
        utc = datetime(2026, month, 5, 9, tzinfo=timezone.utc)
        assert utc.astimezone(zone).timestamp() == utc.timestamp()
        assert utc.astimezone(zone).replace(tzinfo=None) == utc.astimezone().replace(tzinfo=None)


def test_a_mapping_in_place_of_a_group_says_where_mappings_belong():
    with pytest.raises(ConfigError, match=r"config.search is a mapping: .*VividMem\(config="):
        Config(search={"k1": 0.5})
