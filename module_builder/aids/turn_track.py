"""The turn track: a box for each turn, with room for a counter and what is known of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Rectangle, Shape, Text
from assistant.game.course import TURNS, Figure, Turn, TurnFact, numbers_of
from assistant.game.games import Game
from assistant.pictures.colours import INK
from assistant.pictures.style import GRID, SEASONS, SOFT_INK
from assistant.util.errors import InputError, Where

from ..sheets.sizes import Box
from .page import (
    LEAST,
    SIZES,
    AidSet,
    Look,
    Words,
    box,
    concerns,
    counter_box,
    one_line,
    sentence,
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
"""How much higher than it needs to be a box may become; how wide it is at best, for its height."""
_BLANK = "___"


class BoxText(NamedTuple):
    """The words of one box. beside: those right of the counter; below: those under it; band: those of the band at its
    foot.
    """

    beside: tuple[Words, ...]
    below: tuple[Words, ...]
    band: Words | None

    def height(self, look: Look) -> float:
        """What a box needs, with its head."""
        above = max(look.box, sum(part.height for part in self.beside)) + _PAD
        under = sum(part.height + 0.6 for part in self.below)
        return _TURN_HEAD + _PAD + above + under + (self.band.height + 1.6 if self.band else 0) + 0.6


def turn_track(aids: AidSet, area: Box) -> list[list[Shape]]:
    """The shapes of each page: as few pages as hold everything, in letters as large as have room there.

    Raises InputError for a turn with more events than a page has room for.
    """
    grid = _grid(aids, area)
    wide = area.width / grid.columns
    for turn in (turn for rows in grid.pages for row in rows if row.height > area.height for turn in row.turns):
        if _fill(aids, turn, wide, grid.size).height(aids.look) > area.height:
            what = f"the events of turn {turn.number} do not fit on a page"
            raise InputError(what, where=Where(TURNS), hint="shorten them, or leave some out")
    pages = []
    for rows in grid.pages:
        shapes: list[Shape] = []
        spare = (area.height - sum(row.height for row in rows)) / len(rows)
        top = area.top
        for row in rows:
            high = min(row.height + spare, row.height * _MOST_STRETCHED)
            for column, turn in enumerate(row.turns):
                shapes += _box(aids, turn, Box(area.left + column * wide, top, wide, high), grid.size)
            top += high
        pages.append(shapes)
    return pages


class Row(NamedTuple):
    """Turns side by side, and the height that they need."""

    turns: Sequence[Turn]
    height: float


class Grid(NamedTuple):
    """How a track is laid out. size: of the letters; pages: the rows of each."""

    columns: int
    size: float
    pages: list[list[Row]]


def _grid(aids: AidSet, area: Box) -> Grid:
    """The layout with the fewest pages, of these the one with the largest letters, of these the one with the best
    shaped boxes.
    """
    grids = list[Grid]()
    for columns in range(2, 9):
        wide = area.width / columns
        if columns > 2 and (
            wide < aids.look.box + 3 * _PAD + _BESIDE or any(_date_room(aids, t, wide) < 0 for t in aids.turns)
        ):
            break
        for size in _SIZES:
            heights = [_fill(aids, turn, wide, size).height(aids.look) for turn in aids.turns]
            starts = range(0, len(heights), columns)
            rows = [Row(aids.turns[n : n + columns], max(heights[n : n + columns])) for n in starts]
            grids.append(Grid(columns, size, _pages(rows, area.height)))

    def worse(grid: Grid) -> tuple[float, ...]:
        high = area.height / max(map(len, grid.pages))
        return len(grid.pages), -grid.size, abs(log(area.width / grid.columns / high / _SHAPE))

    return min(grids, key=worse)


def _date_room(aids: AidSet, turn: Turn, wide: float) -> float:
    """The room that the name of a turn and its date leave in the head of a box, below 0 if the date must be cut
    off.
    """
    name = text_width(aids.tag(str(turn.number)), _NUMBER, bold=True)
    date = text_width(turn.date.in_words, LEAST) if turn.date else 0.0
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


def _fill(aids: AidSet, turn: Turn, wide: float, size: float) -> BoxText:
    """The words of a turn, broken for a box of this width."""
    inner, aside = wide - 2 * _PAD, wide - aids.look.box - 3 * _PAD
    beside: list[Words] = []
    if turn.season:
        beside.append(words(turn.season.text, size, aside, bold=True))
    if turn.weather:
        beside.append(words(sentence(turn.weather.text), size, aside))
    regular, at_end = _figures(aids, turn)
    beside += [words(text, size, aside) for text in regular]
    below = [words(_event(aids, fact), size, inner - 2) for fact in turn.events if concerns(fact.who, aids.people)]
    band = None
    if turn.interphase:
        band = words(": ".join([turn.interphase.text, *filter(None, [", ".join(at_end)])]), size, inner, bold=True)
    return BoxText(tuple(beside), tuple(below), band)


def _figures(aids: AidSet, turn: Turn) -> tuple[list[str], list[str]]:
    """The figures of the printed record for a turn, with blanks for those that nobody has stated: first those of the
    turn itself, then those of the phase after it. A figure is of that phase if only turns that have one have the
    figure.
    """
    numbers = range(aids.turns[0].number, aids.turns[-1].number + 1)
    after = {other.number for other in aids.turns if other.interphase}
    regular, at_end = list[str](), list[str]()
    wanted = [figure for figure in aids.course.turns.figures if concerns(figure.who, aids.people)]
    for title in dict.fromkeys(figure.title for figure in wanted):
        alike = (figure for figure in wanted if figure.title == title)
        here = [figure for figure in alike if turn.number in numbers_of(figure.turns, numbers)]
        if here:
            text = f"{title} {' '.join(_figure(aids.game, turn, figure, named=len(here) > 1) for figure in here)}"
            late = all(set(numbers_of(figure.turns, numbers)) <= after for figure in here)
            (at_end if late else regular).append(text)
    return regular, at_end


def _figure(game: Game, turn: Turn, figure: Figure, *, named: bool) -> str:
    """A figure for a turn, or a blank. named: whether it says whose it is."""
    known = turn.figures.get(figure.name)
    value = known.in_words if known else _BLANK
    return f"{short_of(game, figure.who)}:{value}" if figure.who and named else value


def _event(aids: AidSet, fact: TurnFact) -> str:
    """An event with whom it concerns and its rule."""
    text = f"{short_of(aids.game, fact.who)}: {fact.text}" if fact.who else sentence(fact.text)
    return f"{text} ({fact.rule})" if fact.rule else text


def _box(aids: AidSet, turn: Turn, at: Box, size: float) -> Iterator[Shape]:
    """One turn."""
    filled = _fill(aids, turn, at.width, size)
    ground = aids.look.tint(_season(aids, turn))
    yield box(at, radius=0)
    yield Rectangle(
        x=at.left, y=at.top, width=at.width, height=_TURN_HEAD, fill=ground, stroke=SOFT_INK, stroke_width=0.3
    )
    base = at.top + _TURN_HEAD - 1.8
    name = aids.tag(str(turn.number))
    yield Text(x=at.left + _PAD, y=base, text=name, size=_NUMBER, bold=True, fill=INK)
    if turn.date:
        room = at.width - text_width(name, _NUMBER, bold=True) - 4 * _PAD
        yield one_line(at.right - _PAD, base, turn.date.in_words, size, room, anchor="end")
    top = at.top + _TURN_HEAD + _PAD
    yield counter_box(at.left + _PAD, top, aids.look)
    y = top
    for part in filled.beside:
        yield from part.at(at.left + 2 * _PAD + aids.look.box, y)
        y += part.height
    y = max(y, top + aids.look.box) + _PAD
    for part in filled.below:
        yield Rectangle(x=at.left + _PAD, y=y + part.size * 0.42, width=0.9, height=0.9, fill=SOFT_INK)
        yield from part.at(at.left + _PAD + 2, y)
        y += part.height + 0.6
    if filled.band:
        high = filled.band.height + 1.2
        strip = Box(at.left, at.bottom - high, at.width, high)
        yield Rectangle(x=strip.left, y=strip.top, width=strip.width, height=high, fill=aids.look.tint(GRID, 0.35))
        yield thin_line(strip.left, strip.top, strip.right, strip.top, stroke=SOFT_INK)
        yield from filled.band.at(strip.left + _PAD, strip.top + 0.5)
        yield box(at, fill="", radius=0)


def _season(aids: AidSet, turn: Turn) -> str:
    """The ground of a turn's season."""
    order = list(dict.fromkeys(other.season.text for other in aids.turns if other.season))
    return SEASONS[order.index(turn.season.text) % len(SEASONS)] if turn.season else "#ffffff"
