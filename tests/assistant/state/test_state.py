"""States: stacks, values and the names of hexsides."""

from __future__ import annotations

from copy import copy
from functools import cached_property

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.state.state import GameState, Unit, hexside
from assistant.state.tracks import Fact

STATE = GameState(
    game="g",
    units={
        "below": Unit("below", "hussars", "0101", 1),
        "top": Unit("top", "hussars", "0101", 0),
        "next door": Unit("next door", "train", "0102"),
        "dead": Unit("dead", "train", None),
    },
    facts={("turn", ""): Fact(3), ("lost", "top"): Fact(0), ("reduced", "top"): Fact(False)},
)

CACHED = {name for name, value in vars(GameState).items() if isinstance(value, cached_property)}


def test_a_stack_is_told_from_the_top() -> None:
    assert [unit.id for unit in STATE.stack("0101")] == ["top", "below"]
    assert [unit.id for unit in STATE.stack("0102")] == ["next door"]
    assert STATE.stack("0103") == ()


def test_a_value_is_what_the_state_itself_says_place_and_order_among_them() -> None:
    assert (STATE.value("turn"), STATE.value("lost", "top")) == (3, 0)
    assert STATE.value("reduced", "top") is False, "a denial is no silence"
    assert (STATE.value("weather"), STATE.value("lost", "below")) == (None, None)
    assert (STATE.value("place", "below"), STATE.value("order", "below")) == ("0101", 1)
    assert STATE.value("place", "dead") is None


def test_a_state_stays_as_it_is_and_shares_nothing_with_another() -> None:
    with pytest.raises(AttributeError):
        STATE.board = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        STATE.units["top"].place = "0102"  # type: ignore[misc]
    with pytest.raises(TypeError):
        GameState(game="g").units["a"] = Unit("a", "a", None)  # type: ignore[index]
    assert GameState(game="g") == GameState(game="g")


def test_what_is_cached_is_not_part_of_a_state() -> None:
    state = msgspec.structs.replace(STATE)
    for name in CACHED:
        getattr(state, name)
    fresh = msgspec.structs.replace(state)
    assert vars(state).keys() == CACHED and not vars(fresh) and not vars(copy(state))
    assert state == fresh and repr(state) == repr(fresh)
    later = msgspec.structs.replace(state, units={}, facts={("turn", ""): Fact(4)})
    assert (later.stack("0101"), later.tracks, later.facts_since(state)) == ((), {"turn"}, {("turn", ""): Fact(4)})


@given(st.text(), st.text())
def test_a_hexside_is_named_alike_from_both_sides_and_names_both(one: str, other: str) -> None:
    assert hexside(one, other) == hexside(other, one)
    assert hexside(one, other) in (f"{one}|{other}", f"{other}|{one}")


def test_of_what_lines_state_the_first_one_counts_and_before_it_the_state_itself() -> None:
    lines = {
        "one": {("rail", "0101"): Fact("single"), ("turn", ""): Fact(9)},
        "other": {
            ("rail", "0101"): Fact("double"),
            ("rail", "0102"): Fact("double"),
            ("operational", "0102"): Fact(False),
        },
    }
    state = msgspec.structs.replace(STATE, line_facts=lines)
    assert (state.value("rail", "0101"), state.value("rail", "0102")) == ("single", "double")
    assert state.value("operational", "0102") is False, "a denial is no silence"
    assert state.value("turn") == 3
    assert state.value("rail", "0103") is None
