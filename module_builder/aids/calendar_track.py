"""The turn track of a campaign that counts its turns by months: a row for each month, with a box for each of its turns and what
the schedules say of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.drawing.lettering import POINT
from assistant.drawing.scene import Rectangle, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.calendar import CalendarFile, Month, MonthCalendar, parse_date
from assistant.game.games import Game
from assistant.game.schedules import read_schedules
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .page import AidSet, AidStyle, Block, Words, box, counter_box, one_line, printed_rule, thin_line, words

REMINDER = "reminder"
"""What the schedules call a row that only reminds the players of something."""
_NAME, _SAID, _HEADS = 11 * POINT, 7.5 * POINT, 6.0
_PAD, _GAP = 1.2, 0.8
_LEAST_WIDE = 42.0
"""The room for the name of a month and what is said of it; where an upright page has less, the track lies on its side."""


class MonthRow(NamedTuple):
    """A month. turns: those of the game in it, 0 for the special one; said: what the schedules say of it."""

    month: Month
    turns: frozenset[int]
    said: Words

    def height(self, look: AidStyle) -> float:
        """Return what it needs."""
        return max(look.box, _NAME * 1.2 + self.said.height + 0.6) + 2 * _GAP


def lies_on_its_side(look: AidStyle, calendar: CalendarFile, upright: Box) -> bool:
    """Return whether the track needs pages that lie on their sides."""
    return upright.width - _columns(calendar) * (look.box + _GAP) < _LEAST_WIDE


def calendar_track(aids: AidSet, calendar: CalendarFile, area: Box) -> list[Block]:
    """Return each page. Raises InputError for a calendar or a schedule that cannot be read."""
    boxes = _columns(calendar) * (aids.look.box + _GAP)
    rows = month_rows(aids.game, calendar, area.width - boxes - 2 * _PAD)
    pages: list[list[MonthRow]] = []
    left = 0.0
    for row in rows:
        high = row.height(aids.look)
        if high > left:
            pages.append([])
            left = area.height - _HEADS
        pages[-1].append(row)
        left -= high
    return [_page(aids.look, calendar, page, area.width) for page in pages]


def month_rows(game: Game, calendar: CalendarFile, wide: float) -> list[MonthRow]:
    """Return the months of a game in order, what is said of each broken for a width."""
    turns = MonthCalendar(calendar)
    said, months = reminders(game), dict[Month, set[int]]()
    for number in range(turns.first, turns.last + 1):
        months.setdefault(turns.month(number), set()).add(turns.turn_of_month(number))
    return [
        MonthRow(month, frozenset(some), words("; ".join(said.get(month, ())), _SAID, wide))
        for month, some in months.items()
    ]


def reminders(game: Game) -> Mapping[Month, list[str]]:
    """Return what the schedules remind the players of, by its month; with its turn where it has one."""
    said: dict[Month, list[str]] = {}
    for row in read_schedules(game).rows:
        date = parse_date(row.at) if row.item == REMINDER else None
        if date:
            month, turn = date
            rule = printed_rule(row.rule)
            when = f"turn {turn}: " if turn else ""
            said.setdefault(month, []).append(sentence(f"{when}{row.text}") + (f" ({rule})" if rule else ""))
    return said


def _columns(calendar: CalendarFile) -> int:
    """Return how many turns a month has."""
    return calendar.turns + calendar.special


def _page(look: AidStyle, calendar: CalendarFile, rows: list[MonthRow], wide: float) -> Block:
    """Return some months below the numbers of their turns."""
    heights = [row.height(look) for row in rows]
    return Block(
        _HEADS + sum(heights),
        lambda x, y: _months(look, calendar, rows, Box(x, y, wide, _HEADS + sum(heights))),
    )


def _months(look: AidStyle, calendar: CalendarFile, rows: list[MonthRow], area: Box) -> Iterator[Shape]:
    each = look.box + _GAP
    numbers = range(0 if calendar.special else 1, calendar.turns + 1)
    left = area.right - len(numbers) * each
    yield Rectangle(
        x=area.left, y=area.top, width=area.width, height=_HEADS - 0.6, radius=0.8, fill=look.tint(GRID, 0.5)
    )
    yield one_line(area.left + _PAD, area.top + 3.9, "Month", _NAME * 0.85, left - area.left, bold=True)
    for column, number in enumerate(numbers):
        middle = left + (column + 0.5) * each
        yield one_line(
            middle, area.top + 3.9, str(number) if number else "Special", _NAME * 0.85, each, bold=True, anchor="middle"
        )
    y = area.top + _HEADS
    for number, row in enumerate(rows):
        high = row.height(look)
        at = Box(area.left, y, area.width, high)
        if row.month.of_year == 1 and number:
            yield thin_line(at.left, y, at.right, y, stroke=SOFT_INK, width=0.6)
        yield from _row(look, row, at, left, list(numbers))
        yield thin_line(at.left, at.bottom, at.right, at.bottom)
        y += high


def _row(look: AidStyle, row: MonthRow, at: Box, left: float, numbers: list[int]) -> Iterator[Shape]:
    """Yield a month: its name, what is said of it, and a box for each of its turns that the game has."""
    yield one_line(at.left + _PAD, at.top + _GAP + _NAME, row.month.in_words, _NAME, left - at.left - _PAD, bold=True)
    yield from row.said.at(at.left + _PAD, at.top + _GAP + _NAME * 1.2 + 0.6)
    for column, number in enumerate(numbers):
        place = Box(left + column * (look.box + _GAP), at.top + (at.height - look.box) / 2, look.box, look.box)
        if number in row.turns:
            yield counter_box(place.left, place.top, look)
            if not number:
                yield box(place, fill=look.tint(GRID, 0.2), stroke=GRID, width=0.25, radius=0.8)
