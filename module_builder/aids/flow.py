"""Text in lines, and blocks in columns and pages, in a size at which they fit."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeVar

from assistant.drawing.colours import INK, WHITE
from assistant.drawing.lettering import POINT_MM, fit_line, wrap
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape, Text
from assistant.drawing.style import SOFT_INK
from assistant.util.errors import InputError
from assistant.util.typesetting import sentence

from ..sheets.sizes import Box
from .page_layout import Size

Anchor = Literal["start", "middle", "end"]
Way = TypeVar("Way")
GAP_MM = 3.0
"""The usual space between columns."""
COLUMN_GAP_MM = 2 * GAP_MM
"""The space between the two columns of a page."""
_MAX_PAGES = 500
"""The maximum number of pages of a card."""
_MIN_LINE_MM = 6 * POINT_MM
"""The smallest size of letters that must stand on one line."""
LINE_PITCH_FACTOR = 1.24
"""The distance of base lines, as a multiple of the size of letters."""


class Words(NamedTuple):
    """A paragraph broken into lines."""

    lines: Sequence[str]
    size: float
    bold: bool = False
    typed: bool = False
    """Whether hyphens and quotes are those of a keyboard."""
    pitch: float = LINE_PITCH_FACTOR
    """The distance of base lines, as a multiple of the size of letters."""

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * self.pitch

    def at(self, x: float, y: float, *, fill: str = INK, anchor: Anchor = "start") -> list[Shape]:
        first = y + self.size * (self.pitch - 0.24)
        size, bold, typed = self.size, self.bold, self.typed
        shapes: list[Shape] = []
        for number, line in enumerate(self.lines):
            y = first + number * size * self.pitch
            shapes.append(Text(x=x, y=y, text=line, size=size, bold=bold, fill=fill, anchor=anchor, typed=typed))
        return shapes


def set_words(text: str, size: float, width: float, *, bold: bool = False, pitch: float = LINE_PITCH_FACTOR) -> Words:
    """Break a text into lines that fit a width. A word that is wider is hyphenated."""
    lines = wrap(text, size, width, bold=bold, broken=True) if text.strip() else []
    return Words(tuple(lines), size, bold, pitch=pitch)


def set_line(
    x: float,
    y: float,
    text: str,
    size: float,
    room: float,
    *,
    bold: bool = False,
    fill: str = INK,
    anchor: Anchor = "start",
) -> Text:
    """Return a line on a base line, smaller if it is too long, but still legible.

    It is smaller than other words only if it would be cut off.
    """
    fitted = fit_line(text, size, room, min_size=min(size, _MIN_LINE_MM), bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, bold=bold, fill=fill, anchor=anchor)


def paragraph(text: str, size: float, width: float) -> list[Block]:
    """Return a text as blocks of one line, which may flow over pages."""

    def block(line: Words) -> Block:
        return Block(line.height, lambda x, y: line.at(x, y, fill=SOFT_INK))

    return [block(Words((line,), size)) for line in set_words(text, size, width).lines]


class Block(NamedTuple):
    """Shapes that stay together."""

    height: float
    draw: Callable[[float, float], Iterable[Shape]]
    """Returns the shapes, from the upper left corner of the block."""
    tied: bool = False
    """Whether the next block stays with it."""


def blocks_scene(title: str, blocks: Iterable[Block], width: float, margin: float) -> Scene:
    """Return blocks below one another as a picture of a width, for windows and pages that are not a set of aids."""
    shapes, y = list[Shape](), margin
    for block in blocks:
        shapes += block.draw(margin, y)
        y += block.height
    height = y + margin
    ground = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    return Scene(width=width, height=height, title=sentence(title), layers=(Layer("table", (ground, *shapes)),))


class _Place(NamedTuple):
    block: Block
    x: float
    y: float


def _place_blocks(blocks: Sequence[Block], area: Box, columns: int, gap: float, above: float) -> list[list[_Place]]:
    """Return the places of blocks on each page. Raises InputError for more than 500 pages."""
    pages: list[list[_Place]] = [[]]
    width = (area.width - gap * (columns - 1)) / columns
    column, y = 0, area.top
    for number, block in enumerate(blocks):
        needed = block.height
        for follower, before in zip(blocks[number + 1 :], blocks[number:], strict=False):
            if not before.tied:
                break
            needed += above + follower.height
        if y > area.top and y + needed > area.bottom + 1e-6:
            column, y = column + 1, area.top
            if column == columns:
                if len(pages) == _MAX_PAGES:
                    raise _error_of_pages()
                pages.append([])
                column = 0
        pages[-1].append(_Place(block, area.left + column * (width + gap), y))
        y += block.height + above
    return pages


def flow_blocks(
    blocks: Sequence[Block], area: Box, columns: int = 1, gap: float = GAP_MM, above: float = 0.0
) -> list[Block]:
    """Return each page as a block, with blocks from top to bottom, column by column.

    `gap`: the space between columns.
    `above`: the space between two blocks.

    Raises InputError for more than 500 pages.
    """
    return [
        _join_blocks(places) for places in _place_blocks(blocks, area._replace(left=0.0, top=0.0), columns, gap, above)
    ]


def _join_blocks(places: Sequence[_Place]) -> Block:

    def draw(x: float, y: float) -> Iterator[Shape]:
        for place in places:
            yield from place.block.draw(x + place.x, y + place.y)

    return Block(max((place.y + place.block.height for place in places), default=0.0), draw)


def pages_needed(blocks: Sequence[Block], area: Box, columns: int = 1, gap: float = GAP_MM, above: float = 0.0) -> int:
    """Return the number of pages that blocks flow over."""
    return len(_place_blocks(blocks, area, columns, gap, above))


def balance_columns(blocks: Sequence[Block], area: Box, above: float) -> list[Block]:
    """Return each page as a block, with blocks in two columns, of equal height if they fit one page."""

    def fits(height: float) -> bool:
        return pages_needed(blocks, area._replace(height=height), columns=2, gap=COLUMN_GAP_MM, above=above) == 1

    low, enough = 0.0, area.height
    while fits(area.height) and enough - low > 2.0:
        middle = (low + enough) / 2
        low, enough = (low, middle) if fits(middle) else (middle, enough)
    return flow_blocks(blocks, area._replace(height=enough), columns=2, gap=COLUMN_GAP_MM, above=above)


def choose_largest(
    blocks: Callable[[Way], Sequence[Block]],
    sizes: Sequence[Way],
    area: Box,
    columns: int = 1,
    gap: float = GAP_MM,
    above: float = 0.0,
) -> Sequence[Block]:
    """Return blocks in the largest letters in which they fit one page, or take the fewest."""
    made = cache(blocks)
    return made(choose_fewest(lambda size: pages_needed(made(size), area, columns, gap, above), sizes))


def choose_fewest(pages: Callable[[Way], int], ways: Sequence[Way]) -> Way:
    """Return the first way to set a card, from the roomiest, that takes as few pages as the last.

    `pages`: returns the number of pages of a way.
    """
    fewest = pages(ways[-1])
    return ways[bisect(range(len(ways) - 1), 0, key=lambda number: pages(ways[number]) <= fewest)]


class Piece(NamedTuple):
    """A part of a card that stays together on a page."""

    block: Block
    half: bool = False
    """Whether it takes only one of two columns."""
    landscape: bool = False
    """Whether its page lies on its side."""

    @property
    def size(self) -> Size:
        return Size(self.block.height, self.half, self.landscape)


def half_of(area: Box) -> Box:
    """Return one of the two columns of a page."""
    return area._replace(width=(area.width - COLUMN_GAP_MM) / 2)


def make_pieces(blocks: Sequence[Block], area: Box, *, half: bool = False, landscape: bool = False) -> list[Piece]:
    """Return blocks in one piece, or in one for each page if they are higher than `area`."""
    return [Piece(block, half, landscape) for block in flow_blocks(blocks, area)]


def _error_of_pages() -> InputError:
    return InputError(f"a card has more than {_MAX_PAGES} pages", hint="leave cards out with --only")
