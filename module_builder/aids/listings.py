"""Tables of a game's own, from its folder `tables/`, as printed ones: the columns that `course.toml` names, words broken into
lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import POINT, text_width
from assistant.drawing.scene import Polyline, Rectangle, Scene, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.calendar import parse_date
from assistant.game.course import ListingColumn, PrintedTable, listing_rows
from assistant.game.games import Game
from assistant.util.typesetting import sentence, with_spaces

from ..sheets.sizes import Box
from .page import (
    EASY,
    LEAST,
    SIZES,
    AidStyle,
    Block,
    Piece,
    Words,
    blocks_scene,
    half_of,
    one_line,
    paragraph,
    pieces_of,
    printed_rule,
    words,
)

_TITLE, _NOTE, _RULE = 12 * POINT, 7.5 * POINT, 9.5 * POINT
_MOST = 9.5 * POINT
_PAD, _MARGIN = 1.2, 4.0
_NARROW = 30.0
"""Texts up to this width are not broken into lines where there is any room."""


class Cells(NamedTuple):
    """A table as it is printed: its heads, and its rows of texts."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def listing_pieces(game: Game, listing: PrintedTable, look: AidStyle, area: Box, most: float = _MOST) -> list[Piece]:
    """Return a table in the whole width, or in half of it if that is enough: without breaking texts, or, in small
    letters, where it then takes less of a page. most: the size of its largest letters. Raises InputError for a file
    that is not there.
    """
    cells, half = read_cells(game, listing), half_of(area)
    short = _needed(cells, min(most, _MOST)) <= half.width
    room = half if short else area
    pieces = pieces_of(_listing_blocks(listing, cells, look, room.width, room.height, most), room, half=short)
    if most <= EASY and not short and sum(_least_widths(cells, most)) <= half.width:
        column = pieces_of(_listing_blocks(listing, cells, look, half.width, half.height, most), half, half=True)
        if sum(piece.size.share for piece in column) < sum(piece.size.share for piece in pieces):
            return column
    return pieces


def listing_scene(game: Game, listing: PrintedTable, look: AidStyle, wide: float) -> Scene:
    """Return a table alone, as a picture of this width: for windows. Raises InputError for a file that is not there."""
    blocks = _listing_blocks(listing, read_cells(game, listing), look, wide - 2 * _MARGIN, 1000.0)
    return blocks_scene(listing.title, blocks, wide, _MARGIN)


def read_cells(game: Game, listing: PrintedTable) -> Cells:
    """Return the texts of a table. Raises InputError for a file or a column that is not there."""
    rows = listing_rows(game, listing)
    return Cells(
        [column.title for column in listing.columns],
        [[_text(game, column, row[column.name]) for column in listing.columns] for row in rows],
    )


def _text(game: Game, column: ListingColumn, value: str) -> str:
    """Return what is printed for a value: its words as the column has them, the names of nations, months in full."""
    if value in column.values:
        return column.values[value]
    if not value:
        return column.empty
    nations = {name for members in game.file.sides.values() for name in members}
    if value in nations or value in game.file.sides:
        return game.file.title_of(value)
    dates = " ".join(_date(word) for word in value.split()) if column.dates else value
    return sentence(value if " " in value else with_spaces(value)) if dates == value else dates


def _date(word: str) -> str:
    """Return a month, or a turn of one, in words; any other word as it is."""
    date = parse_date(word)
    if date is None:
        return word
    month, turn = date
    name = f"{month.in_words[:3]} {month.year}"
    return name if turn is None else f"{name}/{turn or 'special'}"


def _needed(cells: Cells, size: float) -> float:
    """Return the width in which no text is broken but heads."""
    return sum(_widest(cells, column, size) for column in range(len(cells.heads)))


def _widest(cells: Cells, column: int, size: float) -> float:
    return max(_narrowest(cells, column, size), *(_cell_width(row, column, size) for row in cells.rows))


def _cell_width(row: Sequence[str], column: int, size: float) -> float:
    return text_width(row[column], size, bold=column == 0) + 2 * _PAD + 0.1


def _narrowest(cells: Cells, column: int, size: float) -> float:
    """Return the width of the longest word of a column."""
    inside = (word for row in cells.rows for word in row[column].split())
    longest = max((text_width(word, size, bold=column == 0) for word in inside), default=0.0)
    head = max((text_width(word, size, bold=True) for word in cells.heads[column].split()), default=0.0)
    return max(longest, head) + 2 * _PAD + 0.1


def column_widths(cells: Cells, size: float, wide: float) -> list[float]:
    """Return the widths of the columns: what each needs, and where that is too much, less for those with long texts,
    but never less than their longest word.
    """
    columns = range(len(cells.heads))
    needed = [_widest(cells, column, size) for column in columns]
    spare = wide - sum(needed)
    if spare >= 0:
        return [width + spare / len(needed) for width in needed]
    least = _least_widths(cells, size)
    room, wished = wide - sum(least), sum(needed) - sum(least)
    return [low + room * (width - low) / wished for low, width in zip(least, needed, strict=True)]


def _least_widths(cells: Cells, size: float) -> list[float]:
    """Return what each column needs at least: its longest word where its texts are long."""
    needed = [_widest(cells, column, size) for column in range(len(cells.heads))]
    return [width if width <= _NARROW else _narrowest(cells, n, size) for n, width in enumerate(needed)]


def _listing_blocks(
    listing: PrintedTable, cells: Cells, look: AidStyle, wide: float, high: float, most: float = _MOST
) -> list[Block]:
    """Return a table in letters as large as its page has room for. most: the largest."""
    tried = (_blocks(listing, cells, look, size, wide) for size in SIZES if size <= min(most, _MOST))
    return next((blocks for blocks in tried if sum(block.height for block in blocks) <= high), None) or _blocks(
        listing, cells, look, LEAST, wide
    )


def _blocks(listing: PrintedTable, cells: Cells, look: AidStyle, size: float, wide: float) -> list[Block]:
    widths = column_widths(cells, size, wide)
    blocks = [_title(listing, wide), _row(cells.heads, widths, look, size, head=True)]
    blocks += [_row(row, widths, look, size, shaded=bool(number % 2)) for number, row in enumerate(cells.rows)]
    blocks.append(Block(0.8, lambda x, y: ()))
    blocks += paragraph(listing.remark, _NOTE, wide) if listing.remark else []
    return blocks


def _title(listing: PrintedTable, wide: float) -> Block:
    rule = printed_rule(listing.rule)

    def draw(x: float, y: float) -> Iterator[Shape]:
        yield one_line(x, y + _TITLE, sentence(listing.title), _TITLE, wide - 20, bold=True)
        if rule:
            yield one_line(x + wide, y + _TITLE, rule, _RULE, 18, anchor="end", fill=SOFT_INK)

    return Block(_TITLE * 1.5, draw, tied=True)


def _row(
    texts: Sequence[str],
    widths: Sequence[float],
    look: AidStyle,
    size: float,
    *,
    head: bool = False,
    shaded: bool = False,
) -> Block:
    """Return a row of a table: its heads, or its texts broken into lines."""
    cells: list[Words] = [
        words(text, size, width - 2 * _PAD, bold=head or column == 0)
        for column, (text, width) in enumerate(zip(texts, widths, strict=True))
    ]
    high = max(max(cell.height for cell in cells), size) + 1.4
    ground = look.tint(GRID, 0.5 if head else 0.16 if shaded else 0.0)

    def draw(x: float, y: float) -> Iterator[Shape]:
        at = Box(x, y, sum(widths), high)
        yield Rectangle(x=at.left, y=at.top, width=at.width, height=high, fill=ground, stroke=GRID, stroke_width=0.2)
        left = x
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            if number:
                yield Polyline(points=((left, y), (left, at.bottom)), stroke=GRID, width=0.2, butt=True)
            yield from cell.at(left + _PAD, y + 0.5 + (high - 1.4 - cell.height if head else 0.0))
            left += width
        if head:
            yield Polyline(points=((x, at.bottom), (at.right, at.bottom)), stroke=SOFT_INK, width=0.35, butt=True)

    return Block(high, draw, tied=head)
