"""Positions, as read from files, and the file formats they come in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..game.games import Game
from ..state.changes import AnyChange
from ..state.hidden import is_limited
from ..state.state import GameState
from ..util.errors import Where
from ..util.files import read_bytes
from ..util.limits import Limit, TooMuch


class Asked(msgspec.Struct, frozen=True):
    """A question that a file asks, and its parameters as typed.

    marks: the place of each parameter ("at") in the file, and under "" that of the question.
    """

    question: str
    parameters: Mapping[str, Any]
    marks: Mapping[str, Where] = {}


class Position(msgspec.Struct, frozen=True):
    """A state, the questions asked of it, and the answers so far.

    game: the game; state: all units and stated facts; asks: the questions; answers: their dice and choices, by name;
    marks: the place of each answer ("crt") in the file.
    """

    game: Game
    state: GameState
    asks: tuple[Asked, ...] = ()
    answers: Mapping[str, str] = {}
    marks: Mapping[str, Where] = {}

    def with_state(self, state: GameState) -> Position:
        """The same questions and answers with another state of the game."""
        return msgspec.structs.replace(self, state=state)

    def seen(self, state: GameState) -> Position:
        """The same with what one viewpoint sees of the state.

        A side is told the file of a question or an answer, but not the line, for there may be hidden ones above it.
        """
        if not is_limited(state.seen_by):
            return self.with_state(state)
        asks = tuple(msgspec.structs.replace(asked, marks=_without_lines(asked.marks)) for asked in self.asks)
        return msgspec.structs.replace(self, state=state, asks=asks, marks=_without_lines(self.marks))

    def after(self, changes: Iterable[AnyChange]) -> Position:
        """The position after changes, such as those of a report, without questions and answers.

        Raises InputError for a change that belongs to another state.
        """
        return Position(self.game, self.game.apply(self.state, changes))


def _without_lines(marks: Mapping[str, Where]) -> Mapping[str, Where]:
    return {name: Where(where.file) for name, where in marks.items()}


Cut = Callable[[Game, GameState], GameState]
"""Reduces a state to what one viewpoint may know."""


class Format(msgspec.Struct, frozen=True):
    """A file format: its name, its file name suffixes, and its reader.

    read: from the file's bytes, its name for messages and the loader of games; raises InputError with line and column.
    read_cut: the same for a format in which players hide units: the state is reduced before anything else reads it.
    read_record: the same for a format that holds how a game was played; it gives a `Record`.
    survey: the error for a file that is too large, with every other limit that it exceeds.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, Callable[[str], Game]], Position]
    read_cut: Callable[[bytes, str, Callable[[str], Game], Cut], Position] | None = None
    read_record: Callable[[bytes, str, Callable[[str], Game], Cut], object] | None = None
    survey: Callable[[TooMuch, Path], TooMuch] | None = None


def bytes_of(path: Path, formats: Iterable[Format]) -> bytes:
    """The bytes of a file. Raises InputError if it cannot be read; for one that is too large it names all limits that
    its format knows.
    """
    try:
        return read_bytes(path)
    except TooMuch as error:
        too_much = error.with_more({Limit.FILE: ("it holds", path.stat().st_size)})
    surveys = (format.survey for format in formats if path.suffix.lower() in format.suffixes)
    survey = next(filter(None, surveys), None)
    raise survey(too_much, path) if survey else too_much
