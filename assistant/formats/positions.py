"""Positions as read from files, file formats, and records of play.

A record has throws and chat lines step by step, and the position after each step.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec

from ..game.games import Game
from ..game.history import Past
from ..game.states import apply_changes
from ..state.changes import AnyChange
from ..state.state import GameState, is_limited
from ..util.console import format_count
from ..util.errors import InputError, Where
from ..util.files import read_bytes
from ..util.limits import Limit, TooMuch
from ..util.notes import note
from ..util.patterns import late_pattern


class Asked(msgspec.Struct, frozen=True):
    """A question that a file asks, with its parameters as typed."""

    question: str
    parameters: Mapping[str, Any]
    marks: Mapping[str, Where] = {}
    """The place in the file of each parameter ("at") and answer ("crt"), and of the question by ""."""
    answers: Mapping[str, str] = {}
    """The dice and choices below the question, if the file asks other questions too."""


V = TypeVar("V")
LINK = late_pattern(r"#fs([0-9]{1,4})\.([A-Za-z0-9_-]*)")
"""The fragment of a link: the version of the packing, and the packed text."""
PASTED = "pasted.link"
"""The name in messages of a link given instead of a file."""
_MAX_PLACES_DRAWN = 100
"""Maximum number of places with units for which a notebook draws the map by itself."""


class Position(msgspec.Struct, frozen=True):
    """A state, the questions asked of it, and the answers so far."""

    game: Game
    state: GameState
    asks: tuple[Asked, ...] = ()
    answers: Annotated[Mapping[str, str], note("dice and choices by name, for each question that waits for them")] = {}
    marks: Annotated[Mapping[str, Where], note('the place of each answer ("crt") in the file')] = {}
    past: Annotated[Past | None, note("what the journal that it is from knows of earlier turns")] = None
    _draw: ClassVar[Callable[[Position], Any] | None] = None
    """A function that draws a position, set by the service, as this package may not import the drawing."""

    def _repr_svg_(self) -> str | None:
        """Return the map for a notebook, or None if there are no units or too many places with units."""
        standing = {unit.place for unit in self.state.units.values() if unit.place}
        draw = type(self)._draw
        if draw is None or not 0 < len(standing) <= _MAX_PLACES_DRAWN:
            return None
        try:
            svg: str | None = draw(self)._repr_svg_()
            return svg
        except InputError:  # no unit is on a map
            return None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the text for IPython in a terminal, or for a notebook beside or instead of the map."""
        units = self.state.units.values()
        places = format_count(len({unit.place for unit in units if unit.place}), "place")
        seen = f", as {self.state.seen_by} sees it" if is_limited(self.state.seen_by) else ""
        printer.text(f"<position of {self.game.title}{seen}: {format_count(len(units), 'unit')} in {places}>")

    def with_state(self, state: GameState) -> Position:
        """Return the position with another state, and without the past if a side sees that state."""
        past = None if is_limited(state.seen_by) else self.past
        return msgspec.structs.replace(self, state=state, past=past)

    def answered(self, answers: Mapping[str, str], marks: Mapping[str, Where] = {}) -> Position:
        """Return the position with further answers, which replace those of the same names.

        `marks`: the places of the new answers.
        """
        asks = tuple(msgspec.structs.replace(asked, answers=_leave_out(asked.answers, answers)) for asked in self.asks)
        marks = {**_leave_out(self.marks, answers), **marks}
        return msgspec.structs.replace(self, asks=asks, answers={**self.answers, **answers}, marks=marks)

    def answers_to(self, asked: Asked, waits_for: Callable[[str, str], bool]) -> dict[str, str]:
        """Return the answers to a question.

        They are the answers below the question. If the file asks this question or none, shared answers that the
        question waits for count too, as do answers below other questions that do not wait for them.

        `waits_for`: whether a question waits for an answer, both by name.
        """
        named = {posed.question for posed in self.asks}
        if named and asked.question not in named:
            return dict(asked.answers)
        candidates = dict(self.answers)
        for posed in self.asks:
            candidates |= {name: value for name, value in posed.answers.items() if not waits_for(posed.question, name)}
        candidates |= asked.answers

        def is_meant(name: str) -> bool:
            if waits_for(asked.question, name):
                return True
            is_below_another = name not in asked.answers and name not in self.answers
            return not (is_below_another or any(waits_for(question, name) for question in named))

        return {name: value for name, value in candidates.items() if is_meant(name)}

    def marks_of(self, asked: Asked) -> dict[str, Where]:
        """Return the places of a question's parameters and answers."""
        below = {name: posed.marks[name] for posed in self.asks for name in posed.answers if name in posed.marks}
        return {**self.marks, **below, **asked.marks}

    def seen(self, state: GameState) -> Position:
        """Return the position as one viewpoint sees it.

        A side learns the file of a question or answer, but not the line: the number would count hidden lines above.

        `state`: the state as this viewpoint sees it.
        """
        if not is_limited(state.seen_by):
            return self.with_state(state)
        asks = tuple(msgspec.structs.replace(asked, marks=_drop_lines(asked.marks)) for asked in self.asks)
        return msgspec.structs.replace(self.with_state(state), asks=asks, marks=_drop_lines(self.marks))

    def after(self, changes: Iterable[AnyChange]) -> Position:
        """Return the position after changes, without questions and answers.

        Raises InputError if a change belongs to another state.
        """
        return Position(self.game, apply_changes(self.game, self.state, changes))


def _leave_out(values: Mapping[str, V], names: Container[str]) -> dict[str, V]:
    return {name: value for name, value in values.items() if name not in names}


def pose_position(
    game: Game, state: GameState, asks: Sequence[Asked], answers: Mapping[str, str], marks: Mapping[str, Where]
) -> Position:
    """Return a position with the questions and answers of a file.

    `answers`: the answers above all questions. Answers below the last question are added if `shares_answers` allows it.
    """
    if not shares_answers(asks):
        return Position(game, state, tuple(asks), answers, marks)
    *others, last = asks
    below = {name: last.marks[name] for name in last.answers if name in last.marks}
    own = {name: mark for name, mark in last.marks.items() if name not in below or name in last.parameters}
    bare = Asked(last.question, last.parameters, own)
    return Position(game, state, (*others, bare), {**answers, **last.answers}, {**marks, **below})


def shares_answers(asks: Sequence[Asked]) -> bool:
    """Return whether answers below the last question are for every question that waits for them.

    That is so if no other question has answers or the name of the last one.
    """
    return bool(asks) and not any(asked.answers or asked.question == asks[-1].question for asked in asks[:-1])


def _drop_lines(marks: Mapping[str, Where]) -> Mapping[str, Where]:
    return {name: Where(where.file) for name, where in marks.items()}


Cut = Callable[[Game, GameState], GameState]
"""A function that reduces a state to what one viewpoint may know."""


class Format(msgspec.Struct, frozen=True):
    """A file format: its name, its file name suffixes, and its reader.

    A moment may follow the file name, as in `war.journal@mar16/5` or `war.journal#212`.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Annotated[
        Callable[[bytes, str, Callable[[str], Game]], Position],
        note("from bytes, their name for messages and the loader of games; raises InputError with line and column"),
    ]
    read_cut: Annotated[
        Callable[[bytes, str, Callable[[str], Game], Cut], Position] | None,
        note("for a format in which players hide units: the state is reduced before anything else reads it"),
    ] = None
    read_record: Annotated[
        Callable[[bytes, str, Callable[[str], Game], Cut], Record] | None,
        note("for a format that holds how a game was played"),
    ] = None
    survey: Annotated[
        Callable[[TooMuch, Path], TooMuch] | None,
        note("the error for a file that is too large, with every other limit that it exceeds"),
    ] = None
    read_at: Annotated[
        Callable[..., Position] | None,
        note("for a format that holds every earlier position: the moment with its sign, then the cut"),
    ] = None


JOURNAL = ".journal"
"""The suffix of a journal."""
_MOMENT = late_pattern(r"(.*?)(\.\w+)([@#].*)", re.DOTALL)


def part_moment(
    path: str, formats: Iterable[Format], exists: Callable[[str], bool] = os.path.exists
) -> tuple[str, str]:
    """Split a path into the file and the moment after its suffix, which is "" if there is none.

    A file with the whole name takes precedence.

    `exists`: whether a file has a name.
    """
    match = _MOMENT.fullmatch(path)
    if match is None or exists(path):  # `exists` is false for an impossible name, too
        return path, ""
    has_moments = any(format.read_at and match[2].casefold() in format.suffixes for format in formats)
    return (match[1] + match[2], match[3]) if has_moments else (path, "")


def file_bytes(path: Path, formats: Iterable[Format]) -> bytes:
    """Return the bytes of a file.

    Raises InputError if it cannot be read. For a file that is too large the error names all exceeded limits, if its
    format can find them.
    """
    try:
        return read_bytes(path)
    except TooMuch as error:
        too_much = error.with_more({Limit.FILE: ("it holds", path.stat().st_size)})
    surveys = (format.survey for format in formats if path.suffix.lower() in format.suffixes)
    survey = next(filter(None, surveys), None)
    raise survey(too_much, path) if survey else too_much


# --- records of play --------------------------------------------------------------------------------------------------

BY_PROGRAM = "Field Staff"
"""The speaker of lines that this program writes into the chat of a log, such as a question and its dice."""
_MAX_CACHED_POSITIONS = 300


class Throw(msgspec.Struct, frozen=True):
    """Dice that a player threw."""

    step: Annotated[int, note("the step of the log, counted from 1")]
    dice: Annotated[str, note("the dice, such as 2d6")]
    faces: Annotated[tuple[int, ...], note("what each die shows")]
    player: Annotated[str, note("who threw them")]

    @property
    def total(self) -> int:
        """The sum of the faces."""
        return sum(self.faces)

    def __str__(self) -> str:
        shown = "+".join(map(str, self.faces))
        return f"{self.dice} {shown}" + (f" = {self.total}" if len(self.faces) > 1 else "")


class ChatLine(msgspec.Struct, frozen=True):
    """A line that a player typed for all to read."""

    step: Annotated[int, note("the step of the log, counted from 1")]
    text: Annotated[str, note("what was typed")]
    player: Annotated[str, note("who typed it")]


class RollReport(msgspec.Struct, frozen=True):
    """A chat line that looks like the report of a throw, but fits no known button."""

    step: Annotated[int, note("the step of the log, counted from 1")]
    text: Annotated[str, note("the report")]
    player: Annotated[str, note("who threw them")]


Event = Throw | ChatLine | RollReport


class Record:
    """A game as it was played, from one position on.

    `position`: returns the position after a number of steps; it may raise InputError.
    """

    def __init__(
        self,
        game: Game,
        steps: int,
        events: tuple[Event, ...],
        moments: tuple[int, ...],
        position: Callable[[int], Position],
        *,
        by_lines: bool = False,
    ) -> None:
        self.by_lines = by_lines
        """Whether only throws and typed lines count as steps."""
        self.game = game
        self.steps = steps
        self.events = events
        """Throws, chat lines and reports in order, without undone throws."""
        self.moments = moments
        """The number 0, and the steps after which the position may differ, in order."""
        self._position = lru_cache(_MAX_CACHED_POSITIONS)(position)

    def at(self, step: int) -> Position:
        """Return the position after a step.

        Raises InputError if it cannot be read, or if the record begins later.
        """
        if not self.moments or step < self.moments[0]:
            raise InputError(
                f"no position is known after step {step}", hint=f"the record has {format_count(self.steps, 'step')}"
            )
        return self._position(self.moments[bisect_right(self.moments, step) - 1])


def count_by_lines(record: Record) -> Record:
    """Return a record whose steps are throws and typed lines, each with the position before the next one.

    With the usual step numbers a player could learn how often others have moved.
    """
    ends = [*(event.step - 1 for event in record.events), record.steps]
    numbered = (msgspec.structs.replace(event, step=number) for number, event in enumerate(record.events, 1))
    count = len(record.events)
    return Record(
        record.game,
        count,
        tuple(numbered),
        tuple(range(count + 1)),
        lambda step: record.at(ends[step]),
        by_lines=True,
    )


def is_link(text: str) -> bool:
    """Return whether a text is a single word with a link or its fragment, even a damaged one."""
    words = text.split(maxsplit=1)
    return len(words) == 1 and LINK.search(words[0]) is not None


def position_name(file: str) -> str:
    """Return the name of a position's file in messages."""
    return PASTED if is_link(file) else file


def ending_of(typed: bytes) -> str:
    """Return the suffix of the format of typed or pasted text: JSON, a link, or else notation."""
    if typed.lstrip().startswith(b"{"):
        return ".json"
    return ".link" if is_link(typed.decode("ascii", "replace")) else ".pos"
