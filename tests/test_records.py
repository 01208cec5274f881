"""Records: made quickly, and frozen all the same."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, fields, replace

import pytest

from vividmem import Memory, Recollection, Why

MEMORY = Memory(id=1, kind="reflection", text="tea", when=1.0, learned=2.0)


@pytest.mark.parametrize("record", [Why(("tea",)), MEMORY, Recollection(MEMORY, 1.0, 1.0, "", 1.0)])
def test_a_record_is_frozen_hashable_and_equal_to_its_copies(record):
    name = next(iter(type(record).__slots__))
    with pytest.raises(FrozenInstanceError):
        setattr(record, name, 2)
    for other in (replace(record), copy.copy(record), pickle.loads(pickle.dumps(record))):
        assert other == record
        assert type(other) is type(record)
        assert hash(other) == hash(record)
    assert not hasattr(record, "__dict__")


def test_defaults_places_and_names_of_fields_hold():
    assert Why().coverage == 0.0
    assert Why(("tea",), hop=2) == replace(Why(), words=("tea",), hop=2)
    assert (MEMORY.status, MEMORY.stability) == ("current", 3.0)


def test_what_a_record_s_fields_are_is_found_out_once():
    assert all(one is other for one, other in zip(fields(Why), fields(Why), strict=True))
    assert Why(**asdict(Why(("tea",), hop=2))) == Why(("tea",), hop=2)


@pytest.mark.parametrize("given", [{}, {"id": 1}, {"flavour": "mint"}])
def test_a_missing_or_unknown_field_is_a_type_error(given):
    with pytest.raises(TypeError):
        Memory(**given)


def test_a_class_made_from_a_record_can_be_made():
    class Reason(Why):
        """A subclass with room for more."""

    made = Reason(("tea",))
    assert (type(made), made.words) == (Reason, ("tea",))
    with pytest.raises(FrozenInstanceError):
        made.words = ()
