"""States: stacks, values, the names of hexsides, and what is trusted."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from itertools import chain, combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant
from assistant.formats import json_state
from assistant.formats.notation import read_on
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game
from assistant.state.state import GameState, Unit, hexside
from assistant.state.tracks import Fact, Source
from assistant.state.trust import DEFAULT_SOURCES, PLACEHOLDERS, Trust, placeholder_kind, write_trust
from assistant.util.errors import InputError

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


# --- what is trusted, as lines of notation ----------------------------------------------------------------------------

GAME = "twilight-in-the-east"
SOURCES = [*PLACEHOLDERS.values()]
ALL_TRUST = [
    frozenset(some) for some in chain.from_iterable(combinations(SOURCES, many) for many in range(len(SOURCES) + 1))
]


def trusted(text: str, before: frozenset[Source] = DEFAULT_SOURCES) -> frozenset[Source]:
    """What is trusted once lines are read."""
    game = load_game(GAME)
    state = GameState(game=GAME, accepts=before)
    return read_on(text, Position(game, state)).state.accepts if text else before


@pytest.mark.parametrize("before", ALL_TRUST)
def test_lines_lead_from_any_trust_to_any_other(before: frozenset[Source]) -> None:
    for now in ALL_TRUST:
        assert trusted("\n".join(write_trust(now, before)), before) == now


@pytest.mark.parametrize("accepts", ALL_TRUST)
def test_a_position_is_read_as_it_is_written(accepts: frozenset[Source]) -> None:
    position = Position(load_game(GAME), GameState(game=GAME, accepts=accepts))
    assert assistant.parse(write_notation(position)).state.accepts == accepts
    assert json_state.read_json(json_state.write_json(position), "a.json", load_game).state.accepts == accepts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trust charts", {"map", "charts"}),
        ("trust all", {"map", "charts", "counters"}),
        ("trust own", set()),
        ("own all", set()),
        ("own map", set()),
        ("trust charts counters\nown map charts", {"counters"}),
        ("accept drawn", {"map"}),
        ("accept reconstruction illustrative", {"map", "charts", "counters"}),
        ("own map\naccept drawn", {"map"}),
        ("accept made-up", {"map", "charts"}),
        ("accept stated", {"map"}),
    ],
)
def test_what_is_typed(text: str, expected: set[str]) -> None:
    assert {placeholder_kind(source) for source in trusted(text)} == expected


@pytest.mark.parametrize("text", ["trust", "own", "trust maps", "own 41.19"])
def test_what_cannot_be_trusted_is_refused_with_what_can(text: str) -> None:
    with pytest.raises(InputError) as caught:
        trusted(text)
    assert "map, charts, counters or all" in caught.value.hint


def test_options_hold_whatever_a_position_says() -> None:
    trust = Trust(more=frozenset({Source.RECONSTRUCTION}), less=frozenset({Source.DRAWN}))
    assert [trust.over(accepts) for accepts in ALL_TRUST[:2]] == [frozenset({Source.RECONSTRUCTION})] * 2


@pytest.mark.parametrize("text", ["trust own map", "trust all own", "own all map"])
def test_all_and_own_stand_alone(text: str) -> None:
    with pytest.raises(InputError, match="stands alone"):
        trusted(text)


def test_a_state_trusts_only_what_needs_trust() -> None:
    state = build_state(load_game(GAME), Stated(accepts=[*Source]))
    assert state.accepts == {*PLACEHOLDERS.values()}
