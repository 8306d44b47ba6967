"""The ids of slots: they depend on names alone, whatever comes and goes besides."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError
from module_builder.vassal.pieces import maker as ids
from module_builder.vassal.pieces.maker import FIRST_FREE_SLOT, slot_number, slots


def test_an_id_depends_on_the_name_alone() -> None:
    many = [f"{number}/{number % 7}" for number in range(500)]
    before, after = slots(many), slots(["99 guards", *reversed(many)])
    assert {name: after[name] for name in many} == before
    assert all(0 < int(id) < FIRST_FREE_SLOT for id in after.values())
    assert len({*after.values()}) == 501


def test_of_two_names_with_the_same_number_each_gets_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ids, "slot_number", lambda name: len(name))
    assert slots(["bb", "aa", "c"]) == {"aa": "2", "bb": "3", "c": "1"}
    assert slots(["aa", "c", "bb"]) == {"aa": "2", "bb": "3", "c": "1"}


def test_a_renamed_unit_keeps_the_id_of_its_older_name() -> None:
    found = slots(["1/1", "2 Guards"], {"2 Guards": slot_number("2 gd")})
    assert found == {"1/1": str(slot_number("1/1")), "2 Guards": str(slot_number("2 gd"))}


def test_two_units_of_one_older_name_are_an_error() -> None:
    with pytest.raises(InputError, match="b and a have the same slot id"):
        slots(["a", "b"], {"a": 7, "b": 7})
