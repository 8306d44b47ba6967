"""A game's own tables, from its folder `tables/`, with the columns that `course.toml` names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Polyline, Rectangle, Scene, Shape
from assistant.drawing.style import GRID, SOFT_INK
from assistant.game.calendar import parse_date
from assistant.game.course import ListingColumn, PrintedTable, listing_rows
from assistant.game.games import Game
from assistant.util.typesetting import sentence, with_spaces

from ..sheets.sizes import Box
from .flow import GAP_MM, Block, Piece, Words, blocks_scene, half_of, make_pieces, paragraph, set_line, set_words
from .page import EASY_SIZE_MM, LETTER_SIZES_MM, MIN_SIZE_MM, AidStyle, format_rule

_TITLE_SIZE_MM = 12 * POINT_MM
_NOTE_SIZE_MM = 8 * POINT_MM
_RULE_SIZE_MM = 9.5 * POINT_MM
_MAX_TEXT_SIZE_MM = 9.5 * POINT_MM
_CELL_PADDING_MM = 1.2
_MARGIN_MM = 4.0
_MAX_UNBROKEN_WIDTH_MM = 30.0  # shorter texts are not broken into lines while there is room


class Cells(NamedTuple):
    """The texts of a table: its heads and rows."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def listing_pieces(
    game: Game, listing: PrintedTable, style: AidStyle, area: Box, max_size: float = _MAX_TEXT_SIZE_MM
) -> list[Piece]:
    """Return a table in half the width of a page if its texts need not be broken there, or if it takes less room so.

    `max_size`: the maximum size of letters.

    Raises InputError if a file is missing.
    """
    cells, half = read_cells(game, listing), half_of(area)
    short = _width_needed(cells, min(max_size, _MAX_TEXT_SIZE_MM)) <= half.width
    room = half if short else area
    pieces = make_pieces(_fit_blocks(listing, cells, style, room.width, room.height, max_size), room, half=short)
    if max_size <= EASY_SIZE_MM and not short and sum(_least_widths(cells, max_size)) <= half.width:
        column = make_pieces(_fit_blocks(listing, cells, style, half.width, half.height, max_size), half, half=True)
        if sum(piece.size.share for piece in column) < sum(piece.size.share for piece in pieces):
            return column
    return pieces


def listing_scene(game: Game, listing: PrintedTable, style: AidStyle, width: float) -> Scene:
    """Return a table as a picture of a width, for windows. Raises InputError if a file is missing."""
    blocks = _fit_blocks(listing, read_cells(game, listing), style, width - 2 * _MARGIN_MM, 1000.0)
    return blocks_scene(listing.title, blocks, width, _MARGIN_MM)


def read_cells(game: Game, listing: PrintedTable) -> Cells:
    """Return the texts of a table. Raises InputError if a file or column is missing."""
    rows = listing_rows(game, listing)
    return Cells(
        [column.title for column in listing.columns],
        [[_format_value(game, column, row[column.name]) for column in listing.columns] for row in rows],
    )


def _format_value(game: Game, column: ListingColumn, value: str) -> str:
    """Return the printed form of a value: the column's words, names of nations, months in full."""
    if value in column.values:
        return column.values[value]
    if not value:
        return column.empty
    nations = {name for members in game.file.sides.values() for name in members}
    if value in nations or value in game.file.sides:
        return game.file.title_of(value)
    dates = " ".join(_format_date(word) for word in value.split()) if column.dates else value
    return sentence(value if " " in value else with_spaces(value)) if dates == value else dates


def _format_date(word: str) -> str:
    date = parse_date(word)
    if date is None:
        return word
    month, turn = date
    name = f"{month.in_words[:3]} {month.year}"
    return name if turn is None else f"{name}/{turn or 'special'}"


def _width_needed(cells: Cells, size: float) -> float:
    """Return the minimum width of the table at which only column headings wrap."""
    return sum(_widest_in(cells, column, size) for column in range(len(cells.heads)))


def _widest_in(cells: Cells, column: int, size: float) -> float:
    return max(_longest_word_in(cells, column, size), *(_width_of_cell(row, column, size) for row in cells.rows))


def _width_of_cell(row: Sequence[str], column: int, size: float) -> float:
    return text_width(row[column], size, bold=column == 0) + 2 * _CELL_PADDING_MM + 0.1


def _longest_word_in(cells: Cells, column: int, size: float) -> float:
    inside = (word for row in cells.rows for word in row[column].split())
    longest = max((text_width(word, size, bold=column == 0) for word in inside), default=0.0)
    head = max((text_width(word, size, bold=True) for word in cells.heads[column].split()), default=0.0)
    return max(longest, head) + 2 * _CELL_PADDING_MM + 0.1


def column_widths(cells: Cells, size: float, room_of_table: float) -> list[float]:
    """Return the widths of the columns, as wide as their texts if there is room.

    Otherwise, columns with long texts are narrower, but at least as wide as their longest word.
    """
    columns = range(len(cells.heads))
    needed = [_widest_in(cells, column, size) for column in columns]
    spare = room_of_table - sum(needed)
    if spare >= 0:
        return [width + spare / len(needed) for width in needed]
    least = _least_widths(cells, size)
    room, wished = room_of_table - sum(least), sum(needed) - sum(least)
    return [low + room * (width - low) / wished for low, width in zip(least, needed, strict=True)]


def _least_widths(cells: Cells, size: float) -> list[float]:
    needed = [_widest_in(cells, column, size) for column in range(len(cells.heads))]
    return [
        width if width <= _MAX_UNBROKEN_WIDTH_MM else _longest_word_in(cells, n, size) for n, width in enumerate(needed)
    ]


def _fit_blocks(
    listing: PrintedTable, cells: Cells, style: AidStyle, width: float, height: float, most: float = _MAX_TEXT_SIZE_MM
) -> list[Block]:
    tried = (
        _list_blocks(listing, cells, style, size, width)
        for size in LETTER_SIZES_MM
        if size <= min(most, _MAX_TEXT_SIZE_MM)
    )
    return next((blocks for blocks in tried if sum(block.height for block in blocks) <= height), None) or _list_blocks(
        listing, cells, style, MIN_SIZE_MM, width
    )


def _list_blocks(listing: PrintedTable, cells: Cells, style: AidStyle, size: float, width: float) -> list[Block]:
    widths = column_widths(cells, size, width)
    blocks = [_block_of_title(listing, width), _block_of_row(cells.heads, widths, style, size, head=True)]
    blocks += [
        _block_of_row(row, widths, style, size, shaded=bool(number % 2)) for number, row in enumerate(cells.rows)
    ]
    blocks.append(Block(0.8, lambda x, y: ()))
    if listing.remark:
        blocks += paragraph(listing.remark, _NOTE_SIZE_MM, width)
    return blocks


def _block_of_title(listing: PrintedTable, width: float) -> Block:
    rule = format_rule(listing.rule)
    rule_width = min(text_width(rule, _RULE_SIZE_MM), width / 2)

    def draw(x: float, y: float) -> Iterator[Shape]:
        room = width - rule_width - (GAP_MM if rule else 0.0)
        yield set_line(x, y + _TITLE_SIZE_MM, sentence(listing.title), _TITLE_SIZE_MM, room, bold=True)
        if rule:
            yield set_line(x + width, y + _TITLE_SIZE_MM, rule, _RULE_SIZE_MM, rule_width, anchor="end", fill=SOFT_INK)

    return Block(_TITLE_SIZE_MM * 1.5, draw, tied=True)


def _block_of_row(
    texts: Sequence[str],
    widths: Sequence[float],
    style: AidStyle,
    size: float,
    *,
    head: bool = False,
    shaded: bool = False,
) -> Block:
    cells: list[Words] = [
        set_words(text, size, width - 2 * _CELL_PADDING_MM, bold=head or column == 0)
        for column, (text, width) in enumerate(zip(texts, widths, strict=True))
    ]
    height = max(max(cell.height for cell in cells), size) + 1.4
    share = 0.16 if shaded else 0.0
    ground = style.tint(GRID, 0.5 if head else share)

    def draw(x: float, y: float) -> Iterator[Shape]:
        at = Box(x, y, sum(widths), height)
        yield Rectangle(x=at.left, y=at.top, width=at.width, height=height, fill=ground, stroke=GRID, stroke_width=0.2)
        left = x
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            if number:
                yield Polyline(points=((left, y), (left, at.bottom)), stroke=GRID, width=0.2, butt=True)
            yield from cell.at(left + _CELL_PADDING_MM, y + 0.5 + (height - 1.4 - cell.height if head else 0.0))
            left += width
        if head:
            yield Polyline(points=((x, at.bottom), (at.right, at.bottom)), stroke=SOFT_INK, width=0.35, butt=True)

    return Block(height, draw, tied=head)
