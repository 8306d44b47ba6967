"""What is asked at the table of a side while the combat that all share changes."""

from __future__ import annotations

from assistant.faces.page.shared_question import Following, combat_asked
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Asked, Position
from assistant.installed.registry import load_game
from assistant.state.state import GameState

GAME = load_game("twilight-in-the-east")


def table_of(question: str, **parameters: str) -> TableState:
    """Return an empty table with a question."""
    return TableState(Position(GAME, GameState(game=GAME.id), asks=(Asked(question, parameters),)))


FIRST = table_of("battle", **{"at": "41.19", "from": "40.20"})
SECOND = table_of("battle", **{"at": "42.21", "from": "40.19"})
SUPPLY = table_of("supply", unit="25/3")


def test_combat_of_another_hex_takes_the_place_of_what_is_asked_and_the_same_stays_as_it_is() -> None:
    following = Following(SUPPLY, combat_asked(FIRST)).follow(FIRST, bool)
    assert following.table is SUPPLY
    assert following.follow(SECOND, bool).table is SECOND


def test_undo_of_the_own_combat_brings_back_what_was_asked_at_the_combat_before() -> None:
    following = Following(SUPPLY, combat_asked(FIRST)).follow(SECOND, bool)
    assert following.follow(FIRST, bool, is_undone=True).table is SUPPLY
    assert following.follow(FIRST, bool).table is FIRST
    assert following.follow(None, bool, is_undone=True).table is None
