"""The turn track: a box for each turn, with room for a counter and what is known of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.drawing.style import GRID, SEASONS, SOFT_INK
from assistant.game.course import TURNS, Figure, Turn, TurnFact, numbers_of
from assistant.game.games import Game
from assistant.util.errors import InputError, Where
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .page import (
    LEAST,
    SIZES,
    AidSet,
    AidStyle,
    Block,
    Words,
    box,
    concerns,
    counter_box,
    one_line,
    printed_rule,
    short_of,
    thin_line,
    words,
)

_SIZES = tuple(size for size in SIZES if size <= 8.5 * POINT)
_PAD, _TURN_HEAD = 1.4, 6.4
_NUMBER = 12 * POINT
_BESIDE = 20.0
"""The room for words beside a counter."""
_MOST_STRETCHED, _SHAPE = 1.6, 1.5
"""How much higher than the highest needs to be a box may become; how wide it is at best, for its height."""
_LINE = 5.0
"""The height of a line of figures, with boxes to write into."""
_WRITTEN = (7.0, 5.4)
"""The width of such a box: as it should be, and at least."""
_NAMED, _APART = 0.6, 1.9
"""Between a name and its box, and between a box and the name of the next with that."""
_DATE = 24.0
"""The word `date` and the line on which a date is written that nobody has stated."""


class TurnFigure(NamedTuple):
    """A figure of a turn. who: whose it is, in short, "" where that need not be said; value: "" for a box to write into."""

    who: str
    value: str


class FigureLine(NamedTuple):
    """A line of the printed turn record: a figure, or that of several nations."""

    title: str
    entries: Sequence[TurnFigure]

    def names_width(self, size: float) -> float:
        """Return the width of the names before its boxes."""
        return sum(text_width(entry.who, size) for entry in self.entries)

    def width(self, size: float) -> float:
        """Return the width that it needs at least."""
        boxes = len(self.entries) * (_WRITTEN[1] + _APART)
        return text_width(self.title, size) + self.names_width(size) + boxes


class BoxText(NamedTuple):
    """The words of one box. beside: those right of the counter; below: those under it, each with whom it concerns; lines: the
    figures of the turn; band: what follows the turn, with the figures of that.
    """

    beside: tuple[Words, ...]
    below: tuple[tuple[str, Words], ...]
    lines: tuple[FigureLine, ...]
    band: Words | None
    band_lines: tuple[FigureLine, ...]

    @property
    def foot(self) -> float:
        """The height of the figures and of the band."""
        band = self.band.height + 1.0 + _LINE * len(self.band_lines) if self.band else 0.0
        return _LINE * len(self.lines) + (0.8 if self.lines else 0.0) + band

    def height(self, look: AidStyle) -> float:
        """Return what a box needs, with its head."""
        above = max(look.box, sum(part.height for part in self.beside)) + _PAD
        under = sum(part.height + 0.6 for _, part in self.below)
        return _TURN_HEAD + _PAD + above + under + self.foot + 0.6


def turn_track(aids: AidSet, area: Box, *, low: bool = False) -> list[Block]:
    """Return each page: as few as hold everything, in letters as large as have room there; or as low as boxes may be in
    large ones.

    Raises InputError for a turn with more events than a page has room for.
    """
    grid = _grid(aids, area, low=low)
    wide = area.width / grid.columns
    for turn in (turn for rows in grid.pages for row in rows if row.height > area.height for turn in row.turns):
        if _fill(aids, turn, grid.figures, wide, grid.size).height(aids.look) > area.height:
            what = f"the events of turn {turn.number} do not fit on a page"
            raise InputError(what, where=Where(TURNS), hint="shorten them, or leave some out")
    return [_page(aids, grid, rows, wide, 0.0 if low else area.height) for rows in grid.pages]


def _page(aids: AidSet, grid: TrackGrid, rows: Sequence[Row], wide: float, room: float) -> Block:
    """Return some rows below one another. wide: a box; room: the height that they fill, within bounds."""
    level = _level([row.height for row in rows], room)
    heights = [max(row.height, level) for row in rows]

    def draw(x: float, y: float) -> Iterator[Shape]:
        for row, high in zip(rows, heights, strict=True):
            for column, turn in enumerate(row.turns):
                at = Box(x + column * wide, y, wide, high)
                yield from _box(aids, turn, _fill(aids, turn, grid.figures, wide, grid.size), at, grid.size)
            y += high

    return Block(sum(heights), draw)


def _level(heights: Sequence[float], room: float) -> float:
    """Return the height of all rows but those that need more, so that they fill a page, within bounds."""
    left, rising = room, sorted(heights, reverse=True)
    for number, high in enumerate(rising):
        level = left / (len(rising) - number)
        if high <= level:
            return min(level, rising[0] * _MOST_STRETCHED)
        left -= high
    return 0.0


Record = Mapping[int, tuple[Sequence[FigureLine], Sequence[FigureLine]]]
"""The figures of each turn, by its number: those of the turn itself, and those of what follows it."""


class Row(NamedTuple):
    """Turns side by side, and the height that they need."""

    turns: Sequence[Turn]
    height: float


class TrackGrid(NamedTuple):
    """How a track is laid out. figures: of each turn; size: of the letters; pages: the rows of each."""

    figures: Record
    columns: int
    size: float
    pages: list[list[Row]]


def _grid(aids: AidSet, area: Box, *, low: bool) -> TrackGrid:
    """Return the layout with the fewest pages, of these the one with the largest letters, of these the one with the
    best shaped boxes, or the lowest.
    """
    grids, record = list[TrackGrid](), _figures(aids)
    for columns in range(2, 9):
        wide = area.width / columns
        if columns > 2 and (
            wide < aids.look.box + 3 * _PAD + _BESIDE
            or any(_date_room(aids, turn, wide) < 0 for turn in aids.turns)
            or any(line.width(LEAST) > wide - 2 * _PAD for figures in record.values() for line in chain(*figures))
        ):
            break
        for size in _SIZES[:1] if low else _SIZES:
            heights = [_fill(aids, turn, record, wide, size).height(aids.look) for turn in aids.turns]
            starts = range(0, len(heights), columns)
            rows = [Row(aids.turns[n : n + columns], max(heights[n : n + columns])) for n in starts]
            grids.append(TrackGrid(record, columns, size, _pages(rows, area.height)))

    def worse(grid: TrackGrid) -> tuple[float, ...]:
        if low:
            return len(grid.pages), -grid.size, sum(row.height for rows in grid.pages for row in rows)
        high = area.height / max(map(len, grid.pages))
        return len(grid.pages), -grid.size, abs(log(area.width / grid.columns / high / _SHAPE))

    return min(grids, key=worse)


def _date_room(aids: AidSet, turn: Turn, wide: float) -> float:
    """Return the room that the name of a turn and its date leave in the head of a box, below 0 if the date must be cut
    off.
    """
    name = text_width(aids.tag(str(turn.number)), _NUMBER, bold=True)
    date = text_width(turn.date.in_words, LEAST) if turn.date else _DATE
    return wide - name - date - 4 * _PAD


def _pages(rows: Sequence[Row], high: float) -> list[list[Row]]:
    """Rows on as few pages as hold them, about as much on each."""
    fewest = len(_pack(rows, high))
    low, enough = max(row.height for row in rows), high
    while enough - low > 0.5:
        middle = (low + enough) / 2
        low, enough = (low, middle) if len(_pack(rows, middle)) == fewest else (middle, enough)
    return _pack(rows, enough)


def _pack(rows: Sequence[Row], high: float) -> list[list[Row]]:
    """Rows on pages, each filled before the next one begins."""
    pages: list[list[Row]] = [[]]
    filled = 0.0
    for row in rows:
        if pages[-1] and filled + row.height > high:
            pages.append([])
            filled = 0.0
        pages[-1].append(row)
        filled += row.height
    return pages


def _fill(aids: AidSet, turn: Turn, record: Record, wide: float, size: float) -> BoxText:
    """Return the words of a turn, broken for a box of this width."""
    inner, aside = wide - 2 * _PAD, wide - aids.look.box - 3 * _PAD
    beside: list[Words] = []
    if turn.season:
        beside.append(words(turn.season.marked, size, aside, bold=True))
    if turn.weather:
        beside.append(words(sentence(turn.weather.marked), size, aside))
    regular, at_end = record[turn.number]
    wanted = [fact for fact in turn.events if concerns(fact.who, aids.people)]
    below = [(fact.who, words(_event(aids, fact), size, inner - 2)) for fact in wanted]
    band = words(turn.interphase.marked, size, inner, bold=True) if turn.interphase else None
    lines = regular if band else [*regular, *at_end]
    return BoxText(tuple(beside), tuple(below), tuple(lines), band, tuple(at_end) if band else ())


def _figures(aids: AidSet) -> Record:
    """Return the figures of the printed record for each turn, with boxes for those that nobody has stated: first those
    of the turn itself, then those of the phase after it. A figure is of that phase if only turns that have one have the
    figure.
    """
    numbers = range(aids.turns[0].number, aids.turns[-1].number + 1)
    after = {other.number for other in aids.turns if other.interphase}
    wanted = [figure for figure in aids.course.turns.figures if concerns(figure.who, aids.people)]
    having = {figure.name: frozenset(numbers_of(figure.turns, numbers)) for figure in wanted}
    found = dict[int, tuple[list[FigureLine], list[FigureLine]]]()
    for turn in aids.turns:
        regular, at_end = found.setdefault(turn.number, ([], []))
        for title in dict.fromkeys(figure.title for figure in wanted):
            alike = (figure for figure in wanted if figure.title == title)
            here = [figure for figure in alike if turn.number in having[figure.name]]
            if here:
                line = FigureLine(title, [_entry(aids.game, turn, figure, named=len(here) > 1) for figure in here])
                late = all(having[figure.name] <= after for figure in here)
                (at_end if late else regular).append(line)
    return found


def _entry(game: Game, turn: Turn, figure: Figure, *, named: bool) -> TurnFigure:
    """Return a figure for a turn. named: whether it says whose it is."""
    known = turn.figures.get(figure.name)
    return TurnFigure(short_of(game, figure.who) if figure.who and named else "", known.in_words if known else "")


def _event(aids: AidSet, fact: TurnFact) -> str:
    """Return an event with whom it concerns and its rule."""
    text = f"{short_of(aids.game, fact.who)}: {fact.marked}" if fact.who else sentence(fact.marked)
    rule = printed_rule(fact.rule)
    return f"{text} ({rule})" if rule else text


def _box(aids: AidSet, turn: Turn, filled: BoxText, at: Box, size: float) -> Iterator[Shape]:
    """One turn."""
    yield box(at, radius=0)
    yield from _head(aids, turn, at, size)
    top = at.top + _TURN_HEAD + _PAD
    yield counter_box(at.left + _PAD, top, aids.look)
    y = top
    for part in filled.beside:
        yield from part.at(at.left + 2 * _PAD + aids.look.box, y)
        y += part.height
    y = max(y, top + aids.look.box) + _PAD
    for who, part in filled.below:
        ink = aids.accent(who)
        yield Rectangle(
            x=at.left + _PAD,
            y=y + part.size * 0.34,
            width=1.2,
            height=1.2,
            fill=ink,
            stroke=SOFT_INK,
            stroke_width=0.12,
        )
        yield from part.at(at.left + _PAD + 2, y)
        y += part.height + 0.6
    yield from _foot(aids, filled, at, size)


def _head(aids: AidSet, turn: Turn, at: Box, size: float) -> Iterator[Shape]:
    """Yield the head of a box: what the turn is called, and its date, or a line to write it on."""
    ground = aids.look.tint(_season(aids, turn))
    yield Rectangle(
        x=at.left, y=at.top, width=at.width, height=_TURN_HEAD, fill=ground, stroke=SOFT_INK, stroke_width=0.3
    )
    base = at.top + _TURN_HEAD - 1.8
    name = aids.tag(str(turn.number))
    yield Text(x=at.left + _PAD, y=base, text=name, size=_NUMBER, bold=True, fill=INK)
    room = at.width - text_width(name, _NUMBER, bold=True) - 4 * _PAD
    if turn.date:
        yield one_line(at.right - _PAD, base, turn.date.in_words, size, room, anchor="end")
    else:
        left = at.right - _PAD - min(room, _DATE)
        yield one_line(left, base, "date", LEAST, room, fill=SOFT_INK)
        left += text_width("date", LEAST) + 0.8
        yield thin_line(left, base + 0.4, at.right - _PAD, base + 0.4, stroke=SOFT_INK)


def _foot(aids: AidSet, filled: BoxText, at: Box, size: float) -> Iterator[Shape]:
    """Yield what stands at the foot of a box: the figures of the turn, and what follows it, on a ground of its own."""
    y = at.bottom - filled.foot
    for line in filled.lines:
        yield from _figure_line(line, Box(at.left + _PAD, y, at.width - 2 * _PAD, _LINE), size)
        y += _LINE
    if filled.band:
        y = at.bottom - filled.band.height - 1.0 - _LINE * len(filled.band_lines)
        strip = Box(at.left, y, at.width, at.bottom - y)
        yield Rectangle(
            x=strip.left, y=strip.top, width=strip.width, height=strip.height, fill=aids.look.tint(GRID, 0.35)
        )
        yield thin_line(strip.left, strip.top, strip.right, strip.top, stroke=SOFT_INK)
        yield from filled.band.at(strip.left + _PAD, strip.top + 0.5)
        y += filled.band.height + 0.6
        for line in filled.band_lines:
            yield from _figure_line(line, Box(at.left + _PAD, y, at.width - 2 * _PAD, _LINE), size)
            y += _LINE
        yield box(at, fill="", radius=0)


def _figure_line(line: FigureLine, at: Box, size: float) -> Iterator[Shape]:
    """Yield a line of figures: its title, and at its right a box for each figure with whose it is before it."""
    size = next((less for less in _SIZES if less <= size and line.width(less) <= at.width), LEAST)
    base = at.top + _LINE / 2 + size * 0.35
    count, names = len(line.entries), line.names_width(size)
    share = (at.width - text_width(line.title, size) - names) / count - _APART
    wide = max(min(share, _WRITTEN[0]), _WRITTEN[1])
    yield one_line(at.left, base, line.title, size, at.width - names - count * (wide + _APART))
    right = at.right
    for entry in reversed(line.entries):
        yield Rectangle(
            x=right - wide, y=at.top + 0.35, width=wide, height=_LINE - 0.9, radius=0.5, fill=WHITE, stroke=GRID, stroke_width=0.2
        )  # fmt: skip
        if entry.value:
            yield one_line(right - wide / 2, base, entry.value, size, wide - 0.6, bold=True, anchor="middle")
        right -= wide + _NAMED
        if entry.who:
            yield one_line(right, base, entry.who, size, at.width, anchor="end")
        right -= text_width(entry.who, size) + _APART - _NAMED


def _season(aids: AidSet, turn: Turn) -> str:
    """Return the ground of a turn's season."""
    order = list(dict.fromkeys(other.season.text for other in aids.turns if other.season))
    return SEASONS[order.index(turn.season.text) % len(SEASONS)] if turn.season else "#ffffff"
