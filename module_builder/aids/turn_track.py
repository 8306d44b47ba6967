"""The turn track: a box for each turn, with room for a counter, the turn's figures and its events.

A campaign that counts its turns by months has a row for each month, with the reminders of the schedules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.drawing.style import GRID, SEASONS, SOFT_INK
from assistant.game.calendar import CalendarFile, Month, MonthCalendar, parse_date
from assistant.game.course import Figure
from assistant.game.games import Game
from assistant.game.schedule_files import read_schedules
from assistant.game.turn_record import TURNS, Turn, TurnFact, numbers_of
from assistant.util.errors import InputError, Where
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .aid_set import AidSet, initials_of, is_for
from .flow import Block, Words, set_line, set_words
from .page import LETTER_SIZES_MM, MIN_SIZE_MM, AidStyle, counter_box, draw_box, format_rule, thin_line

_SIZES = tuple(size for size in LETTER_SIZES_MM if size <= 8.5 * POINT_MM)
_PAD_MM = 1.4
"""The space at each side of a text."""
_TURN_HEAD_HEIGHT_MM = 6.4
"""The height of the head of a box."""
_NUMBER_SIZE_MM = 12 * POINT_MM
"""The size of the number of a turn."""
_MIN_WORDS_WIDTH_MM = 20.0
"""The minimum width for words beside a counter."""
_MAX_HEIGHT_FACTOR = 1.6
"""The maximum height of a box, as a multiple of the height that the highest needs."""
_BEST_WIDTH_TO_HEIGHT = 1.5
"""The best width of a box, as a multiple of its height."""
_FIGURES_HEIGHT_MM = 5.0
"""The height of a line of figures, with boxes to write into."""
_FIGURE_WIDTHS_MM = (7.0, 5.4)
"""The wanted and the minimum width of the box of a figure."""
_NAME_GAP_MM = 0.6
"""The space between a name and its box."""
_FIGURE_GAP_MM = 1.9
"""The space between a box and the name of the next box."""
_DATE_WIDTH_MM = 24.0
"""The width of the word `date` and a line to write an unstated date on."""
REMINDER = "reminder"
"""The word of the schedules for a row that only reminds the players of something."""
_MONTH_NAME_SIZE_MM = 11 * POINT_MM
"""The size of the letters of a month's name."""
_MONTH_TEXT_SIZE_MM = 8 * POINT_MM
"""Size of the letters of a month's text."""
_MONTH_HEADS_HEIGHT_MM = 6.0
"""The height of the row with the numbers of turns."""
_MONTH_PAD_MM = 1.2
"""The space at each side of a text."""
_MONTH_GAP_MM = 0.8
"""The space around a box."""
_MIN_MONTH_WIDTH_MM = 42.0
"""The width for a month's name and text; if an upright page has less, the track lies on its side."""


class FigureLine(NamedTuple):
    """A line of a turn's figures: one figure, or one for each of several nations."""

    title: str
    entries: Sequence[tuple[str, str]]
    """The owner of each figure in short, or "" if clear; and the figure, or "" for a box to write into."""

    def names_width(self, size: float) -> float:
        return sum(text_width(who, size) for who, _ in self.entries)

    def width(self, size: float) -> float:
        boxes = len(self.entries) * (_FIGURE_WIDTHS_MM[1] + _FIGURE_GAP_MM)
        return text_width(self.title, size) + self.names_width(size) + boxes


class BoxText(NamedTuple):
    """The text of one box."""

    beside: tuple[Words, ...]
    """The words right of the counter."""
    below: tuple[tuple[str, Words], ...]
    """The words below the counter, each with the owner."""
    lines: tuple[FigureLine, ...]
    """The figures of the turn."""
    band: Words | None
    """The words on what follows the turn."""
    band_lines: tuple[FigureLine, ...]

    @property
    def foot(self) -> float:
        band = self.band.height + 1.0 + _FIGURES_HEIGHT_MM * len(self.band_lines) if self.band else 0.0
        return _FIGURES_HEIGHT_MM * len(self.lines) + (0.8 if self.lines else 0.0) + band

    def height(self, style: AidStyle) -> float:
        above = max(style.box, sum(part.height for part in self.beside)) + _PAD_MM
        under = sum(part.height + 0.6 for _, part in self.below)
        return _TURN_HEAD_HEIGHT_MM + _PAD_MM + above + under + self.foot + 0.6


def turn_track(aids: AidSet, area: Box, *, low: bool = False) -> list[Block]:
    """Return the fewest pages that hold the track, in the largest letters; or with the lowest boxes if it is `low`.

    Raises InputError if a turn has more events than a page has room for.
    """
    grid = _choose_grid(aids, area, low=low)
    width = area.width / grid.columns
    for turn in _list_turns_in_high_rows(grid, area.height):
        if _fill_box(aids, turn, grid.figures, width, grid.size).height(aids.look) > area.height:
            what = f"the events of turn {turn.number} do not fit on a page"
            raise InputError(what, where=Where(TURNS), hint="shorten them, or leave some out")
    return [_block_of_page(aids, grid, rows, width, 0.0 if low else area.height) for rows in grid.pages]


def _list_turns_in_high_rows(grid: TrackGrid, height: float) -> Iterator[Turn]:
    for rows in grid.pages:
        for row in rows:
            if row.height > height:
                yield from row.turns


def _block_of_page(aids: AidSet, grid: TrackGrid, rows: Sequence[Row], width: float, room: float) -> Block:
    """Return rows below one another.

    `width`: the width of a box.
    `room`: the height to fill, within bounds.
    """
    level = _find_level([row.height for row in rows], room)
    heights = [max(row.height, level) for row in rows]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for row, height in zip(rows, heights, strict=True):
            for column, turn in enumerate(row.turns):
                at = Box(x + column * width, y, width, height)
                yield from _draw_box(aids, turn, _fill_box(aids, turn, grid.figures, width, grid.size), at, grid.size)
            y += height

    return Block(sum(heights), draw)


def _find_level(heights: Sequence[float], room: float) -> float:
    """Return the height of rows that fill a page, within bounds; higher rows keep theirs."""
    left, rising = room, sorted(heights, reverse=True)
    for number, height in enumerate(rising):
        level = left / (len(rising) - number)
        if height <= level:
            return min(level, rising[0] * _MAX_HEIGHT_FACTOR)
        left -= height
    return 0.0


Record = Mapping[int, tuple[Sequence[FigureLine], Sequence[FigureLine]]]
"""The figures by turn: of the turn itself, and of the phase after it."""


class Row(NamedTuple):
    """Turns side by side, and the height of their row."""

    turns: Sequence[Turn]
    height: float


class TrackGrid(NamedTuple):
    """The layout of a track."""

    figures: Record
    """The figures of each turn."""
    columns: int
    size: float
    """The size of letters."""
    pages: list[list[Row]]
    """The rows of each page."""


def _choose_grid(aids: AidSet, area: Box, *, low: bool) -> TrackGrid:
    """Return the layout with the fewest pages, then the largest letters, then the best shaped or lowest boxes."""
    grids, record = list[TrackGrid](), _list_figures(aids)
    for columns in range(2, 9):
        width = area.width / columns
        if columns > 2 and (
            width < aids.look.box + 3 * _PAD_MM + _MIN_WORDS_WIDTH_MM
            or any(_room_of_date(aids, turn, width) < 0 for turn in aids.turns)
            or any(
                line.width(MIN_SIZE_MM) > width - 2 * _PAD_MM for figures in record.values() for line in chain(*figures)
            )
        ):
            break
        sizes = _SIZES[:1] if low else _SIZES
        for size in sizes:
            heights = [_fill_box(aids, turn, record, width, size).height(aids.look) for turn in aids.turns]
            starts = range(0, len(heights), columns)
            rows = [Row(aids.turns[n : n + columns], max(heights[n : n + columns])) for n in starts]
            grids.append(TrackGrid(record, columns, size, _split_pages(rows, area.height)))

    def worse(grid: TrackGrid) -> tuple[float, ...]:
        if low:
            return len(grid.pages), -grid.size, sum(row.height for rows in grid.pages for row in rows)
        height = area.height / max(map(len, grid.pages))
        return len(grid.pages), -grid.size, abs(log(area.width / grid.columns / height / _BEST_WIDTH_TO_HEIGHT))

    return min(grids, key=worse)


def _room_of_date(aids: AidSet, turn: Turn, width: float) -> float:
    """Return the room beside a turn's name and date in the head of a box, below 0 if the date must be cut off."""
    name = text_width(aids.tag(str(turn.number)), _NUMBER_SIZE_MM, bold=True)
    date = text_width(turn.date.in_words, MIN_SIZE_MM) if turn.date else _DATE_WIDTH_MM
    return width - name - date - 4 * _PAD_MM


def _split_pages(rows: Sequence[Row], height: float) -> list[list[Row]]:
    fewest = len(_fill_pages(rows, height))
    low, enough = max(row.height for row in rows), height
    while enough - low > 0.5:
        middle = (low + enough) / 2
        low, enough = (low, middle) if len(_fill_pages(rows, middle)) == fewest else (middle, enough)
    return _fill_pages(rows, enough)


def _fill_pages(rows: Sequence[Row], height: float) -> list[list[Row]]:
    """Return rows on pages, each filled before the next begins."""
    pages: list[list[Row]] = [[]]
    filled = 0.0
    for row in rows:
        if pages[-1] and filled + row.height > height:
            pages.append([])
            filled = 0.0
        pages[-1].append(row)
        filled += row.height
    return pages


def _fill_box(aids: AidSet, turn: Turn, record: Record, width: float, size: float) -> BoxText:
    inner, aside = width - 2 * _PAD_MM, width - aids.look.box - 3 * _PAD_MM
    beside: list[Words] = []
    if turn.season:
        beside.append(set_words(turn.season.marked, size, aside, bold=True))
    if turn.weather:
        beside.append(set_words(sentence(turn.weather.marked), size, aside))
    regular, at_end = record[turn.number]
    wanted = [fact for fact in turn.events if is_for(fact.who, aids.people)]
    below = [(fact.who, set_words(_format_event(aids, fact), size, inner - 2)) for fact in wanted]
    band = set_words(turn.interphase.marked, size, inner, bold=True) if turn.interphase else None
    lines = regular if band else [*regular, *at_end]
    return BoxText(tuple(beside), tuple(below), tuple(lines), band, tuple(at_end) if band else ())


def _list_figures(aids: AidSet) -> Record:
    """Return the printed figures of each turn, with boxes for those not stated: of the turn, then of the phase after it.

    A figure is of that phase if only turns with such a phase have the figure.
    """
    numbers = range(aids.turns[0].number, aids.turns[-1].number + 1)
    after = {other.number for other in aids.turns if other.interphase}
    wanted = [figure for figure in aids.course.turns.figures if is_for(figure.who, aids.people)]
    having = {figure.name: frozenset(numbers_of(figure.turns, numbers)) for figure in wanted}
    found = dict[int, tuple[list[FigureLine], list[FigureLine]]]()
    for turn in aids.turns:
        regular, at_end = found.setdefault(turn.number, ([], []))
        for title in dict.fromkeys(figure.title for figure in wanted):
            alike = (figure for figure in wanted if figure.title == title)
            here = [figure for figure in alike if turn.number in having[figure.name]]
            if here:
                line = FigureLine(
                    title, [_make_figure(aids.game, turn, figure, named=len(here) > 1) for figure in here]
                )
                late = all(having[figure.name] <= after for figure in here)
                (at_end if late else regular).append(line)
    return found


def _make_figure(game: Game, turn: Turn, figure: Figure, *, named: bool) -> tuple[str, str]:
    """Return the owner of a turn's figure, or "" unless it is `named`, and the figure."""
    known = turn.figures.get(figure.name)
    return initials_of(game, figure.who) if figure.who and named else "", known.in_words if known else ""


def _format_event(aids: AidSet, fact: TurnFact) -> str:
    text = f"{initials_of(aids.game, fact.who)}: {fact.marked}" if fact.who else sentence(fact.marked)
    rule = format_rule(fact.rule)
    return f"{text} ({rule})" if rule else text


def _draw_box(aids: AidSet, turn: Turn, filled: BoxText, at: Box, size: float) -> Iterator[Shape]:
    yield draw_box(at, radius=0)
    yield from _draw_head(aids, turn, at, size)
    top = at.top + _TURN_HEAD_HEIGHT_MM + _PAD_MM
    yield counter_box(at.left + _PAD_MM, top, aids.look)
    y = top
    for part in filled.beside:
        yield from part.at(at.left + 2 * _PAD_MM + aids.look.box, y)
        y += part.height
    y = max(y, top + aids.look.box) + _PAD_MM
    for who, part in filled.below:
        ink = aids.accent(who)
        yield Rectangle(
            x=at.left + _PAD_MM,
            y=y + part.size * 0.34,
            width=1.2,
            height=1.2,
            fill=ink,
            stroke=SOFT_INK,
            stroke_width=0.12,
        )
        yield from part.at(at.left + _PAD_MM + 2, y)
        y += part.height + 0.6
    yield from _draw_foot(aids, filled, at, size)


def _draw_head(aids: AidSet, turn: Turn, at: Box, size: float) -> Iterator[Shape]:
    """Yield the head of a box: the name of the turn, and its date or a line to write it on."""
    ground = aids.look.tint(_colour_of_season(aids, turn))
    yield Rectangle(
        x=at.left, y=at.top, width=at.width, height=_TURN_HEAD_HEIGHT_MM, fill=ground, stroke=SOFT_INK, stroke_width=0.3
    )
    base = at.top + _TURN_HEAD_HEIGHT_MM - 1.8
    name = aids.tag(str(turn.number))
    yield Text(x=at.left + _PAD_MM, y=base, text=name, size=_NUMBER_SIZE_MM, bold=True, fill=INK)
    room = at.width - text_width(name, _NUMBER_SIZE_MM, bold=True) - 4 * _PAD_MM
    if turn.date:
        yield set_line(at.right - _PAD_MM, base, turn.date.in_words, size, room, anchor="end")
    else:
        left = at.right - _PAD_MM - min(room, _DATE_WIDTH_MM)
        yield set_line(left, base, "date", MIN_SIZE_MM, room, fill=SOFT_INK)
        left += text_width("date", MIN_SIZE_MM) + 0.8
        yield thin_line(left, base + 0.4, at.right - _PAD_MM, base + 0.4, stroke=SOFT_INK)


def _draw_foot(aids: AidSet, filled: BoxText, at: Box, size: float) -> Iterator[Shape]:
    """Yield the foot of a box: the figures of the turn, and the following phase on a separate ground."""
    y = at.bottom - filled.foot
    for line in filled.lines:
        yield from _draw_figures(line, Box(at.left + _PAD_MM, y, at.width - 2 * _PAD_MM, _FIGURES_HEIGHT_MM), size)
        y += _FIGURES_HEIGHT_MM
    if filled.band:
        y = at.bottom - filled.band.height - 1.0 - _FIGURES_HEIGHT_MM * len(filled.band_lines)
        strip = Box(at.left, y, at.width, at.bottom - y)
        yield Rectangle(
            x=strip.left, y=strip.top, width=strip.width, height=strip.height, fill=aids.look.tint(GRID, 0.35)
        )
        yield thin_line(strip.left, strip.top, strip.right, strip.top, stroke=SOFT_INK)
        yield from filled.band.at(strip.left + _PAD_MM, strip.top + 0.5)
        y += filled.band.height + 0.6
        for line in filled.band_lines:
            yield from _draw_figures(line, Box(at.left + _PAD_MM, y, at.width - 2 * _PAD_MM, _FIGURES_HEIGHT_MM), size)
            y += _FIGURES_HEIGHT_MM
        yield draw_box(at, fill="", radius=0)


def _draw_figures(line: FigureLine, at: Box, size: float) -> Iterator[Shape]:
    """Yield a line of figures: its title, and on the right a box for each figure after its owner."""
    size = next((less for less in _SIZES if less <= size and line.width(less) <= at.width), MIN_SIZE_MM)
    base = at.top + _FIGURES_HEIGHT_MM / 2 + size * 0.35
    count, names = len(line.entries), line.names_width(size)
    share = (at.width - text_width(line.title, size) - names) / count - _FIGURE_GAP_MM
    width = max(min(share, _FIGURE_WIDTHS_MM[0]), _FIGURE_WIDTHS_MM[1])
    yield set_line(at.left, base, line.title, size, at.width - names - count * (width + _FIGURE_GAP_MM))
    right = at.right
    for who, value in reversed(line.entries):
        yield Rectangle(
            x=right - width,
            y=at.top + 0.35,
            width=width,
            height=_FIGURES_HEIGHT_MM - 0.9,
            radius=0.5,
            fill=WHITE,
            stroke=GRID,
            stroke_width=0.2,
        )
        if value:
            yield set_line(right - width / 2, base, value, size, width - 0.6, bold=True, anchor="middle")
        right -= width + _NAME_GAP_MM
        if who:
            yield set_line(right, base, who, size, at.width, anchor="end")
        right -= text_width(who, size) + _FIGURE_GAP_MM - _NAME_GAP_MM


def _colour_of_season(aids: AidSet, turn: Turn) -> str:
    order = list(dict.fromkeys(other.season.text for other in aids.turns if other.season))
    return SEASONS[order.index(turn.season.text) % len(SEASONS)] if turn.season else "#ffffff"


class MonthRow(NamedTuple):
    """The row of a month."""

    month: Month
    turns: frozenset[int]
    """The numbers of turns within the month that the game has; 0 is the special turn."""
    said: Words
    """The reminders of the schedules."""

    def height(self, style: AidStyle) -> float:
        return max(style.box, _MONTH_NAME_SIZE_MM * 1.2 + self.said.height + 0.6) + 2 * _MONTH_GAP_MM


def lies_on_its_side(style: AidStyle, calendar: CalendarFile, upright: Box) -> bool:
    """Return whether the track by months needs landscape pages."""
    return upright.width - _count_columns(calendar) * (style.box + _MONTH_GAP_MM) < _MIN_MONTH_WIDTH_MM


def calendar_track(aids: AidSet, calendar: CalendarFile, area: Box) -> list[Block]:
    """Return the pages of the track by months. Raises InputError for a calendar or schedule that cannot be read."""
    boxes = _count_columns(calendar) * (aids.look.box + _MONTH_GAP_MM)
    rows = month_rows(aids.game, calendar, area.width - boxes - 2 * _MONTH_PAD_MM)
    pages: list[list[MonthRow]] = []
    left = 0.0
    for row in rows:
        height = row.height(aids.look)
        if height > left:
            pages.append([])
            left = area.height - _MONTH_HEADS_HEIGHT_MM
        pages[-1].append(row)
        left -= height
    return [_block_of_months(aids.look, calendar, page, area.width) for page in pages]


def month_rows(game: Game, calendar: CalendarFile, width: float) -> list[MonthRow]:
    """Return the months of a game in order, with reminders broken for a width."""
    turns = MonthCalendar(calendar)
    texts, months = reminders(game), dict[Month, set[int]]()
    for number in range(turns.first, turns.last + 1):
        months.setdefault(turns.month(number), set()).add(turns.turn_of_month(number))
    return [
        MonthRow(month, frozenset(some), set_words("; ".join(texts.get(month, ())), _MONTH_TEXT_SIZE_MM, width))
        for month, some in months.items()
    ]


def reminders(game: Game) -> Mapping[Month, list[str]]:
    """Return the reminders of the schedules by month, with the turn if they have one."""
    texts: dict[Month, list[str]] = {}
    for row in read_schedules(game).rows:
        date = parse_date(row.at) if row.item == REMINDER else None
        if date:
            month, turn = date
            rule = format_rule(row.rule)
            when = f"turn {turn}: " if turn else ""
            texts.setdefault(month, []).append(sentence(f"{when}{row.text}") + (f" ({rule})" if rule else ""))
    return texts


def _count_columns(calendar: CalendarFile) -> int:
    return calendar.turns + calendar.special


def _block_of_months(style: AidStyle, calendar: CalendarFile, rows: list[MonthRow], width: float) -> Block:
    heights = [row.height(style) for row in rows]
    return Block(
        _MONTH_HEADS_HEIGHT_MM + sum(heights),
        lambda x, y: _draw_months(style, calendar, rows, Box(x, y, width, _MONTH_HEADS_HEIGHT_MM + sum(heights))),
    )


def _draw_months(style: AidStyle, calendar: CalendarFile, rows: list[MonthRow], area: Box) -> Iterator[Shape]:
    each = style.box + _MONTH_GAP_MM
    numbers = range(0 if calendar.special else 1, calendar.turns + 1)
    left = area.right - len(numbers) * each
    yield Rectangle(
        x=area.left,
        y=area.top,
        width=area.width,
        height=_MONTH_HEADS_HEIGHT_MM - 0.6,
        radius=0.8,
        fill=style.tint(GRID, 0.5),
    )
    yield set_line(
        area.left + _MONTH_PAD_MM, area.top + 3.9, "Month", _MONTH_NAME_SIZE_MM * 0.85, left - area.left, bold=True
    )
    for column, number in enumerate(numbers):
        middle = left + (column + 0.5) * each
        yield set_line(
            middle,
            area.top + 3.9,
            str(number) if number else "Special",
            _MONTH_NAME_SIZE_MM * 0.85,
            each,
            bold=True,
            anchor="middle",
        )
    y = area.top + _MONTH_HEADS_HEIGHT_MM
    for number, row in enumerate(rows):
        height = row.height(style)
        at = Box(area.left, y, area.width, height)
        if row.month.of_year == 1 and number:
            yield thin_line(at.left, y, at.right, y, stroke=SOFT_INK, width=0.6)
        yield from _draw_row(style, row, at, left, list(numbers))
        yield thin_line(at.left, at.bottom, at.right, at.bottom)
        y += height


def _draw_row(style: AidStyle, row: MonthRow, at: Box, left: float, numbers: list[int]) -> Iterator[Shape]:
    """Yield a month: its name, its reminders, and a box for each of its turns in the game."""
    yield set_line(
        at.left + _MONTH_PAD_MM,
        at.top + _MONTH_GAP_MM + _MONTH_NAME_SIZE_MM,
        row.month.in_words,
        _MONTH_NAME_SIZE_MM,
        left - at.left - _MONTH_PAD_MM,
        bold=True,
    )
    yield from row.said.at(at.left + _MONTH_PAD_MM, at.top + _MONTH_GAP_MM + _MONTH_NAME_SIZE_MM * 1.2 + 0.6)
    for column, number in enumerate(numbers):
        place = Box(
            left + column * (style.box + _MONTH_GAP_MM), at.top + (at.height - style.box) / 2, style.box, style.box
        )
        if number in row.turns:
            yield counter_box(place.left, place.top, style)
            if not number:
                yield draw_box(place, fill=style.tint(GRID, 0.2), stroke=GRID, width=0.25, radius=0.8)
