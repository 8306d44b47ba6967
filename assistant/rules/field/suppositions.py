"""Suppositions: a position in which a further line of notation holds."""

from __future__ import annotations

from ...formats.notation import read_on
from ...formats.positions import Position
from ...game.games import Game
from ...state.state import GameState
from ...util.errors import InputError


def suppose_line(game: Game, state: GameState, line: str) -> GameState:
    """Return the state in which a line of position notation also holds.

    The line replaces all statements of the position about the same subjects. A stack that it names is replaced whole.

    Raises InputError if the line is not notation, or contains a question or answers.
    """
    try:
        after = read_on(line, Position(game, state), same_moment=True)
    except InputError as error:
        error.where = None  # the place within one line says no more than the line itself
        raise
    if after.asks or after.answers:
        hint = "state facts and units, as in a position"
        raise InputError(f"{line!r} is a question or an answer, not a fact to suppose", hint=hint)
    return after.state
