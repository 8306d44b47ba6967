"""Positions: what a file holds, and the formats in which files come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ..game.games import Game
from ..state.changes import AnyChange
from ..state.state import GameState
from ..util.errors import Where


class Asked(NamedTuple):
    """A question that a file asks, and its parameters as typed.

    marks: where each parameter ("at") stands in the file, and under "" where the question does.
    """

    question: str
    parameters: Mapping[str, Any]
    marks: Mapping[str, Where] = {}


class Position(NamedTuple):
    """What a file holds.

    game: the game; state: who stands where, and every fact that is stated; asks: the questions asked of it; answers: the dice
    and choices given to them, by name; marks: where each answer ("crt") stands in the file.
    """

    game: Game
    state: GameState
    asks: tuple[Asked, ...] = ()
    answers: Mapping[str, str] = {}
    marks: Mapping[str, Where] = {}

    def after(self, changes: Iterable[AnyChange]) -> Position:
        """The position once changes, such as those of a report, are carried out; it asks nothing and answers nothing.

        Raises InputError for a change that was made for another state.
        """
        return Position(self.game, self.game.apply(self.state, changes))


Cut = Callable[[Game, GameState], GameState]
"""Cuts a state down to what somebody may know."""


class Format(NamedTuple):
    """One file format: its name, the endings of its files, and the reader.

    read: from the file's bytes, its name for messages and the loader of games; raises InputError with line and column.
    read_cut: the same of a format in which players hide things, which are cut off before they can matter to anything.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, Callable[[str], Game]], Position]
    read_cut: Callable[[bytes, str, Callable[[str], Game], Cut], Position] | None = None
