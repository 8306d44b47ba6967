"""The rows of schedules, with their dates and conditions read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from ..util.errors import InputError, Where
from ..util.texts import natural
from .calendar import MONTHS, Calendar
from .games import Game
from .schedule_dates import RowDate, find_counted_subject, find_span, read_dates
from .schedule_rows import (
    LEAVING,
    Reading,
    ScheduleRow,
    with_reading,
)


class RowCondition(NamedTuple):
    """A fact that must hold, or must not."""

    track: str
    subject: str
    value: str
    """Empty for anything but its value when not stated."""
    holds: bool


class CompiledRow(msgspec.Struct, frozen=True):
    """A row whose dates and conditions have been read."""

    row: ScheduleRow
    where: Where
    at: tuple[RowDate, ...]
    first: tuple[RowDate, ...]
    until: tuple[RowDate, ...]
    months: frozenset[int]
    turns: frozenset[int]
    when: tuple[RowCondition, ...]
    counted: Reading | None = None
    """The reading of a ruling by which alone its counter counts."""


class RotationStep(NamedTuple):
    """A step of a rotation."""

    cells: Mapping[str, str]
    """Those that it overrides."""
    row: ScheduleRow
    """A row of these alone."""
    fields: tuple[str, ...]
    """Which of its fields they are."""
    where: Where

    def change(self, row: ScheduleRow) -> ScheduleRow:
        """Return a row of the rotation as this step makes it."""
        return msgspec.structs.replace(row, **{field: getattr(self.row, field) for field in self.fields})


def sort_by_turn(rows: Iterable[CompiledRow]) -> tuple[tuple[ScheduleRow, Where], ...]:
    """Return rows in the order of their turns, as `Schedules.in_order` has them."""
    place = (0, False)
    file = ""
    placed = list[tuple[tuple[int, bool], CompiledRow]]()
    for row in rows:
        turn = next((date.number for date in row.at if not date.track), None)
        if turn is not None:
            place = (turn, row.row.action not in LEAVING)
        elif row.where.file != file:
            place = (0, False)
        file = row.where.file
        placed.append((place, row))
    return tuple((row.row, row.where) for _, row in sorted(placed, key=lambda each: each[0]))


def compile_row(game: Game, calendar: Calendar, row: ScheduleRow, where: Where) -> CompiledRow:
    """Return a row with its dates and conditions read. Raises InputError for one that names what the game does not
    have, or that can never come.
    """
    counter, counted = with_reading(game, row.counter)
    row = msgspec.structs.replace(row, counter=counter)
    at = read_dates(game, calendar, row.at, row.who)
    first = read_dates(game, calendar, row.from_, row.who)
    until = read_dates(game, calendar, row.until, row.who)
    if any(date.reading for date in at):
        raise InputError("at: a ruling is named in from, until or counter alone", hint="state the turns from and until")
    compiled = CompiledRow(
        row=row,
        where=where,
        at=at,
        first=first,
        until=until,
        months=_read_months(row.months),
        turns=_read_turns(calendar, row.turns),
        when=tuple(_read_condition(game, word, row.who) for word in row.when.split()),
        counted=counted,
    )
    span = find_span(calendar, first, until)
    if not span:
        raise InputError("the row can never come: it ends before it begins", hint="correct `from` or `until`")
    if not at and not any(names_turn(compiled, calendar, number) for number in span):
        raise InputError(
            "the row can never come: no turn is one of `turns` and `months`", hint="correct them, or the dates"
        )
    return compiled


def names_turn(row: CompiledRow, calendar: Calendar, number: int) -> bool:
    """Return whether a turn and its month are such as a row names."""
    if row.turns and calendar.turn_of_month(number) not in row.turns:
        return False
    return not row.months or calendar.month(number).of_year in row.months


def _read_months(text: str) -> frozenset[int]:
    """Return the months that a cell names, 1 for January, none for all. Raises InputError for a word that is not one."""
    months: set[int] = set()
    for word in text.casefold().split():
        match word:
            case "odd" | "even":
                months.update(range(1 if word == "odd" else 2, 13, 2))
            case "all":
                months.update(range(1, 13))
            case _ if word[:3] in MONTHS:
                months.add(MONTHS.index(word[:3]) + 1)
            case _:
                raise InputError(f"{word!r} is not a month", hint="odd, even, or names such as jan apr")
    return frozenset(months)


def _read_turns(calendar: Calendar, text: str) -> frozenset[int]:
    numbers = [natural(word) for word in text.split()]
    if None in numbers:
        raise InputError(f"turns: {text!r} are not numbers", hint="such as 1 3 5, or 0 for the special turn")
    if wrong := [number for number in numbers if number is not None and not calendar.has_turn(number)]:
        raise InputError(f"a month has no turn {wrong[0]}")
    return frozenset(number for number in numbers if number is not None)


def _read_condition(game: Game, word: str, who: str) -> RowCondition:
    """Return a fact that a row goes by: `TRACK`, `TRACK=VALUE`, `SUBJECT.TRACK=VALUE`, with `not:` before it."""
    bare = word.removeprefix("not:")
    path, _, value = bare.partition("=")
    subject, _, name = path.rpartition(".")
    track = game.track(name)
    if value:
        track.parse(value)
    return RowCondition(name, find_counted_subject(game, subject, track, who), value, bare == word)
