"""Counters face down or out of sight on a table, and what the game makes of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from assistant.formats.positions import Position
from assistant.game.covers import cover_counters, hidden_units, uncover_counters
from assistant.state.state import GameState

from ...cases import examples
from ...conftest import typed
from ..formats.vassal.test_positions import TWO, positions

CAPS, CRESTS = "hidden-units=caps\n", "hidden-units=concealment\n"


def hides(text: str) -> dict[tuple[str, str], object]:
    """What hides the counters of a position on a table."""
    position = typed(text)
    state = cover_counters(position.game, position.state)
    return {key: fact.value for key, fact in state.facts.items() if key[0] in ("masked", "invisible")}


def meant(text: str) -> GameState:
    position = typed(text)
    return uncover_counters(position.game, position.state)


def test_units_lie_face_down_by_crests_and_out_of_sight_under_caps() -> None:
    assert hides(CRESTS + "40.20: 25/3 concealed, 27/3") == {("masked", "25/3"): "russian"}
    assert hides(CAPS + "41.19: Tilsit concealed") == {("masked", "Tilsit"): "central-powers"}
    text = CAPS + "41.19 capped: Tilsit concealed"
    assert hides(text) == {("masked", "Tilsit"): "central-powers", ("invisible", "Tilsit"): "central-powers"}
    assert hides(CAPS + "40.20 capped: 25/3, Dummy/R1\n40.21: 27/3") == {
        ("invisible", "25/3"): "russian",
        ("invisible", "Dummy/R1"): "russian",
    }


@pytest.mark.parametrize("option", ["", "hidden-units=none\n", "hidden-units=on-map\n"])
def test_without_the_option_no_counter_lies_face_down_by_the_rules(option: str) -> None:
    assert hides(option + "40.20: 25/3 concealed") == {}
    assert meant(option + "40.20: 25/3 masked=russian").value("masked", "25/3") == "russian"


def test_a_counter_that_its_own_side_hid_is_concealed_or_under_the_cap() -> None:
    state = meant(CRESTS + "40.20: 25/3 masked=russian, 27/3 masked=central-powers, 28/20 masked=nobody")
    assert [state.value("concealed", unit) for unit in ("25/3", "27/3", "28/20")] == [True, None, None]
    assert [state.value("masked", unit) for unit in ("25/3", "27/3", "28/20")] == [None, "central-powers", "nobody"]
    state = meant(CAPS + "40.20 capped: 25/3 invisible=russian, 27/3 invisible=nobody\n40.21: 28/20 invisible=russian")
    said = [state.value("invisible", unit) for unit in ("25/3", "27/3", "28/20")]
    assert said == [None, "nobody", "russian"]


def test_who_is_hidden_from_others_is_known_by_each_of_the_ways() -> None:
    text = "40.20 capped: 25/3\n40.21: 27/3\n40.22: 28/20 masked=russian\n40.23: 29/20 invisible=russian\n40.24: 30/4"
    position = typed(CRESTS + text + " concealed\n41.19: 1/1")
    assert hidden_units(position.game, position.state) == {"25/3", "28/20", "29/20", "30/4"}


@given(positions())
@settings(max_examples=examples(100))
def test_what_the_game_has_comes_back_from_the_table(position: Position) -> None:
    state = uncover_counters(TWO, position.state)
    again = uncover_counters(TWO, cover_counters(TWO, state))
    assert dict(again.facts) == dict(state.facts)
