"""What is trusted, as lines of notation: each state of trust can be written, read, and led to from any other."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

import assistant
from assistant.formats import json_state
from assistant.formats.notation import read_on
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.game.states import Stated, build_state
from assistant.installed.registry import load_game
from assistant.state.state import GameState
from assistant.state.tracks import Source
from assistant.state.trust import PLACEHOLDERS, USUAL, Trust, placeholder_kind, write_trust
from assistant.util.errors import InputError

GAME = "twilight-in-the-east"
SOURCES = [*PLACEHOLDERS.values()]
ALL_TRUST = [
    frozenset(some) for some in chain.from_iterable(combinations(SOURCES, many) for many in range(len(SOURCES) + 1))
]


def trusted(text: str, before: frozenset[Source] = USUAL) -> frozenset[Source]:
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
