"""A page of player aids: its paper, its head and foot, and the words and boxes on it. All lengths are millimetres."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from assistant.drawing.colours import INK, WHITE, ink_on, mix
from assistant.drawing.lettering import POINT, fit_line, text_width, wrap
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene, Shape, Text, inset
from assistant.drawing.style import GRID, PAPER, SOFT_INK, palette_of
from assistant.game.course import CourseFile, Part, Phase, Turn, phases_in, turns
from assistant.game.games import Game
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.typesetting import sentence

from ..sheets.sizes import MARGIN, Box, Paper
from .page_layout import Size

if TYPE_CHECKING:
    from assistant.records.journal.journal import Journal

Anchor = Literal["start", "middle", "end"]
Way = TypeVar("Way")
SIZES = tuple(points * POINT for points in (11.0, 10.5, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0))
"""The sizes of words, from that which is tried first to the smallest."""
LEAST = 7 * POINT
"""The smallest size that is read at arm's length."""
_LEAST_LINE = 6 * POINT
"""The smallest size of what must stand on one line."""
HEADING = 12 * POINT
"""The size of headings in bars."""
PITCH = 1.24
"""From one base line to the next, as a share of the size."""
ROOM = 1.0
"""How much larger a box is than the counter that lies in it."""
GAP = 3.0  # mm between columns
BETWEEN = 2 * GAP  # mm between the two columns of a page
EASY = 8.5 * POINT
"""Letters that are read with ease: smaller ones only where nothing else has room."""
_TITLE = 17 * POINT  # size of letters, mm, as the next three
_SMALL = 9 * POINT
_FOOT = 7 * POINT
_ASIDE = 8 * POINT
_HEAD = 13.0  # mm, the height of the head of a page
_FOOT_ROOM = 6.0  # mm, that of its foot
_FOOT_LINE = 2.8  # mm from one line of the foot to the next
_HEAD_SHARE = 0.57  # share of its width that the title of a page may take
_LEAST_TITLE = 12 * POINT  # size of one of several cards at least, mm
_MOST_PAGES = 500  # of a card


class AidStyle(NamedTuple):
    """How aids are printed. paper: upright; die: the side of a counter; low_ink: whether grounds stay white."""

    paper: Paper
    die: float
    low_ink: bool = False

    @property
    def box(self) -> float:
        """The side of a box in which a counter lies."""
        return self.die + ROOM

    def tint(self, colour: str, share: float = 1.0) -> str:
        """Return a ground: a share, 0 to 1, of a colour on paper; white if ink is to be saved."""
        return WHITE if self.low_ink else mix(PAPER, colour, share)


def _measure_page(style: AidStyle, *, landscape: bool) -> tuple[float, float]:
    """Return the width and height of a page in millimetres."""
    return (style.paper.height, style.paper.width) if landscape else (style.paper.width, style.paper.height)


def content_area(style: AidStyle, *, landscape: bool = False) -> Box:
    """Return the part of a page between its head and its foot."""
    width, height = _measure_page(style, landscape=landscape)
    return Box(MARGIN, MARGIN + _HEAD, width - 2 * MARGIN, height - 2 * MARGIN - _HEAD - _FOOT_ROOM)


def aid_page(
    style: AidStyle,
    title: str,
    game: str,
    shapes: Iterable[Shape],
    *,
    note: str = "",
    aside: str = "",
    accent: str = SOFT_INK,
    landscape: bool = False,
) -> Scene:
    """Return a page with its head and its foot around some shapes.

    title: of the card; game: its title; note, aside: at the foot, left and right; accent: of the line below the head.
    """
    width, height = _measure_page(style, landscape=landscape)
    left, right, base = MARGIN, width - MARGIN, MARGIN + 6.6
    head = fit_line(title, _TITLE, (right - left) * _HEAD_SHARE, least=LEAST, bold=True)
    name = fit_line(game, _SMALL, (right - left) * 0.4, least=LEAST)
    around: list[Shape] = [
        Text(x=left, y=base, text=head.lines[0], size=head.size, bold=True, fill=INK),
        Text(x=right, y=base, text=name.lines[0], size=name.size, anchor="end", fill=SOFT_INK),
        Rectangle(x=left, y=base + 2.4, width=right - left, height=0.9, fill=accent),
    ]
    foot = height - MARGIN - 0.8
    if note:
        first, *others = wrap(note, _FOOT, right - left - text_width(aside, _FOOT) - GAP)
        for above, line in enumerate([" ".join(others), first] if others else [first]):
            room = right - left - (0.0 if above else text_width(aside, _FOOT) + GAP)
            around.append(set_line(left, foot - above * _FOOT_LINE, line, _FOOT, room, fill=SOFT_INK))
    if aside:
        around.append(set_line(right, foot, aside, _FOOT, right - left, fill=SOFT_INK, anchor="end"))
    whole = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    layers = (Layer("paper", (whole,)), Layer("content", tuple(shapes)), Layer("frame", tuple(around)))
    return Scene(width=width, height=height, title=f"{game}: {title}", layers=layers)


def title_of_several(titles: Sequence[str], area: Box) -> str:
    """Return the title of a page with some cards: theirs, where they have room."""
    title = " \u00b7 ".join(titles)
    return title if text_width(title, _LEAST_TITLE, bold=True) <= area.width * _HEAD_SHARE else "Player aids"


def format_rule(rule: str) -> str:
    """Return the number of a rule, or of several between commas, as the rulebook prints it, "" for a rule without one:
    entries of the rule index tell its parts apart behind a slash.
    """
    numbers = (part.strip().partition("/")[0] for part in rule.split(","))
    return ", ".join(dict.fromkeys(number for number in numbers if "0" <= number[:1] <= "9"))


# --- words ------------------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """A paragraph broken into lines. typed: whether it has the hyphens and quotes of a keyboard; pitch: from one base line to the
    next, as a share of the size.
    """

    lines: Sequence[str]
    size: float
    bold: bool = False
    typed: bool = False
    pitch: float = PITCH

    @property
    def height(self) -> float:
        """From the top of its first line to the bottom of its last."""
        return len(self.lines) * self.size * self.pitch

    def at(self, x: float, y: float, *, fill: str = INK, anchor: Anchor = "start") -> list[Shape]:
        """Return the lines with their top at y."""
        first = y + self.size * (self.pitch - 0.24)
        return [
            Text(
                x=x,
                y=first + n * self.size * self.pitch,
                text=line,
                size=self.size,
                bold=self.bold,
                fill=fill,
                anchor=anchor,
                typed=self.typed,
            )
            for n, line in enumerate(self.lines)
        ]


def paragraph(text: str, size: float, width: float) -> list[Block]:
    """Return a text as blocks of a line each, which may flow over pages."""

    def block(line: Words) -> Block:
        return Block(line.height, lambda x, y: line.at(x, y, fill=SOFT_INK))

    return [block(Words((line,), size)) for line in set_words(text, size, width).lines]


def set_words(text: str, size: float, width: float, *, bold: bool = False, pitch: float = PITCH) -> Words:
    """Return a text in lines that fit a width. A word that is wider than that is hyphenated."""
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
    """Return a line on a base line, smaller if it is too long, but never smaller than can be read: smaller than other
    words only where it would be cut off.
    """
    fitted = fit_line(text, size, room, least=min(size, _LEAST_LINE), bold=bold)
    return Text(x=x, y=y, text=fitted.lines[0], size=fitted.size, bold=bold, fill=fill, anchor=anchor)


# --- boxes ------------------------------------------------------------------------------------------------------------


def draw_box(
    area: Box, *, fill: str = WHITE, stroke: str = SOFT_INK, width: float = 0.3, radius: float = 1.0
) -> Rectangle:
    """Return a box with a frame."""
    return Rectangle(
        x=area.left, y=area.top, width=area.width, height=area.height, radius=radius, fill=fill, stroke=stroke, stroke_width=width
    )  # fmt: skip


def draw_bar(style: AidStyle, area: Box, colour: str, text: str, size: float, aside: str = "") -> Iterator[Shape]:
    """Yield a heading in a colour, or in a frame of that colour if ink is to be saved. aside: small words at its right
    end.
    """
    ground = WHITE if style.low_ink else colour
    ink, base = ink_on(ground), area.top + area.height / 2 + size * 0.35
    frame = inset(*area, 0.25, radius=0.8, fill=ground, stroke=colour, stroke_width=0.5)
    yield (
        frame
        if style.low_ink
        else Rectangle(x=area.left, y=area.top, width=area.width, height=area.height, radius=0.8, fill=colour)
    )
    room = area.width - 4
    beside = min(text_width(aside, _ASIDE), room * 0.6) if aside else 0.0
    yield set_line(area.left + 2, base, text, size, room - beside - (GAP if aside else 0.0), bold=True, fill=ink)
    if aside:
        yield set_line(area.right - 2, base, aside, _ASIDE, beside, fill=ink, anchor="end")


def counter_box(x: float, y: float, style: AidStyle) -> Rectangle:
    """Return the box in which a counter lies."""
    return Rectangle(
        x=x, y=y, width=style.box, height=style.box, radius=0.8, fill=WHITE, stroke=GRID, stroke_width=0.25
    )


def thin_line(x0: float, y0: float, x1: float, y1: float, *, stroke: str = GRID, width: float = 0.25) -> Polyline:
    """Return a thin line."""
    return Polyline(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, butt=True)


# --- flow -------------------------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """What stays in one piece. draw: its shapes, with its upper left corner at a point; tied: whether the next block
    stays with it.
    """

    height: float
    draw: Callable[[float, float], Iterable[Shape]]
    tied: bool = False


def blocks_scene(title: str, blocks: Iterable[Block], width: float, margin: float) -> Scene:
    """Return blocks below one another as a picture of this width: for windows and pages that are not a set of aids."""
    shapes, y = list[Shape](), margin
    for block in blocks:
        shapes += block.draw(margin, y)
        y += block.height
    height = y + margin
    ground = Rectangle(x=0, y=0, width=width, height=height, fill=WHITE)
    return Scene(width=width, height=height, title=sentence(title), layers=(Layer("table", (ground, *shapes)),))


class _Place(NamedTuple):
    """Where a block stands."""

    block: Block
    x: float
    y: float


def _place_blocks(blocks: Sequence[Block], area: Box, columns: int, gap: float, above: float) -> list[list[_Place]]:
    """Return where blocks stand on each page. Raises InputError for more than 500 pages."""
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
                if len(pages) == _MOST_PAGES:
                    raise _error_of_pages()
                pages.append([])
                column = 0
        pages[-1].append(_Place(block, area.left + column * (width + gap), y))
        y += block.height + above
    return pages


def flow_blocks(
    blocks: Sequence[Block], area: Box, columns: int = 1, gap: float = GAP, above: float = 0.0
) -> list[Block]:
    """Return each page as a block of its own, with blocks from top to bottom, column by column.

    gap: between columns; above: between two blocks. Raises InputError for more than 500 pages.
    """
    return [_join(places) for places in _place_blocks(blocks, area._replace(left=0.0, top=0.0), columns, gap, above)]


def _join(places: Sequence[_Place]) -> Block:
    """Return blocks that stand somewhere, as one."""

    def draw(x: float, y: float) -> Iterator[Shape]:
        for place in places:
            yield from place.block.draw(x + place.x, y + place.y)

    return Block(max((place.y + place.block.height for place in places), default=0.0), draw)


def pages_needed(blocks: Sequence[Block], area: Box, columns: int = 1, gap: float = GAP, above: float = 0.0) -> int:
    """Return how many pages blocks would flow over."""
    return len(_place_blocks(blocks, area, columns, gap, above))


def balance(blocks: Sequence[Block], area: Box, above: float) -> list[Block]:
    """Return each page as a block, with blocks in two columns, as equally high as they can be where they fit on one
    page.
    """

    def fits(height: float) -> bool:
        return pages_needed(blocks, area._replace(height=height), columns=2, gap=BETWEEN, above=above) == 1

    low, enough = 0.0, area.height
    while fits(area.height) and enough - low > 2.0:
        middle = (low + enough) / 2
        low, enough = (low, middle) if fits(middle) else (middle, enough)
    return flow_blocks(blocks, area._replace(height=enough), columns=2, gap=BETWEEN, above=above)


def choose_largest(
    blocks: Callable[[Way], Sequence[Block]],
    sizes: Sequence[Way],
    area: Box,
    columns: int = 1,
    gap: float = GAP,
    above: float = 0.0,
) -> Sequence[Block]:
    """Return blocks in the largest letters in which they fit one page, or as few as they fit at all."""
    made = cache(blocks)
    return made(choose_fewest(lambda size: pages_needed(made(size), area, columns, gap, above), sizes))


def choose_fewest(pages: Callable[[Way], int], ways: Sequence[Way]) -> Way:
    """Return the first of some ways to set a card, each closer than the one before, that takes as few pages as the
    last. pages: how many a way takes.
    """
    fewest = pages(ways[-1])
    return ways[bisect(range(len(ways) - 1), 0, key=lambda number: pages(ways[number]) <= fewest)]


class Piece(NamedTuple):
    """What stays in one piece on a page. half: whether it takes only one of two columns; landscape: whether its page lies on its
    side.
    """

    block: Block
    half: bool = False
    landscape: bool = False

    @property
    def size(self) -> Size:
        """What it takes of a page."""
        return Size(self.block.height, self.half, self.landscape)


def half_of(area: Box) -> Box:
    """Return one of the two columns of a page."""
    return area._replace(width=(area.width - BETWEEN) / 2)


def make_pieces(blocks: Sequence[Block], area: Box, *, half: bool = False, landscape: bool = False) -> list[Piece]:
    """Return blocks in one piece, or in one for each page where they are higher than that. area: the room of a page."""
    return [Piece(block, half, landscape) for block in flow_blocks(blocks, area)]


def _error_of_pages() -> InputError:
    return InputError(f"a card has more than {_MOST_PAGES} pages", hint="leave cards out with --only")


# --- what the pages of a set have in common ---------------------------------------------------------------------------


class AidSet:
    """A set of player aids. side, nation: whom it is for, "" for everybody; made_up: whether reconstructed cells of
    charts are shown; journal: of the game that is played, None without one. Raises InputError for an unknown side or nation, or a nation of another side.
    """

    def __init__(
        self,
        game: Game,
        course: CourseFile,
        style: AidStyle,
        *,
        side: str = "",
        nation: str = "",
        made_up: bool = False,
        journal: Journal | None = None,
    ) -> None:
        self.game, self.course, self.look = game, course, style
        self.side, self.nation, self.made_up, self.journal = side, nation, made_up, journal
        self.people = _find_people(game, side, nation)
        """The sides and nations that it concerns."""
        self.palette = palette_of(game)

    @cached_property
    def turns(self) -> Sequence[Turn]:
        """The turns of the game. Raises InputError for a mistake in the files that describe them."""
        return turns(self.game)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides in the order of their player turns; one without a name in a game that has none."""
        return self.course.turns.order or tuple(self.game.file.sides) or ("",)

    def area(self, *, landscape: bool = False) -> Box:
        """Return the part of a page between its head and its foot."""
        return content_area(self.look, landscape=landscape)

    def phases(self, part: Part, side: str = "") -> list[Phase]:
        """Return the phases of a part of the sequence of play. side: whose part it is, "" for all."""
        return [phase for phase, _ in phases_in(self.game, self.course, part, None, side)]

    def tag(self, numbers: str) -> str:
        """Return what a turn is called in short, or several."""
        return self.course.turns.tag.replace("{}", numbers)

    def in_turns(self, numbers: str) -> str:
        """Return some turns, such as `3` or `5-10 12`, as a text names them; "" for all."""
        if not numbers:
            return ""
        listed = re.sub("(?<=[0-9])-(?=[0-9])", "\u2013", numbers.replace(" ", ", "))
        called = self.tag(listed)
        if called != listed:
            return called
        return f"turn {listed}" if numbers.isdecimal() else f"turns {listed}"

    def turn_of(self, side: str) -> str:
        """Return what the player turn of a side is called: `Russian player turn`, `Italy's player turn`."""
        if not side:
            return "player turn"
        owner = self.game.file.title_of(side) + ("'s" if self.game.file.is_country(side) else "")
        return f"{owner} player turn"

    def accent(self, who: str) -> str:
        """Return the colour that stands for a nation, or for a side, for nobody that of lines."""
        return self.palette.side(who).strong if who else SOFT_INK


def _find_people(game: Game, side: str, nation: str) -> frozenset[str]:
    """Return the sides and nations of a set of aids, all of them if neither is named."""
    sides = game.file.sides
    nations = [name for members in sides.values() for name in members]
    if side and side not in sides:
        raise InputError(f"unknown side {side!r}", where=Where("--side"), hint=format_suggestion(side, sides))
    if nation and nation not in nations:
        raise InputError(f"unknown nation {nation!r}", where=Where("--nation"), hint=format_suggestion(nation, nations))
    if side and nation and nation not in sides[side]:
        hint = f"of {side}: {', '.join(sides[side])}"
        raise InputError(f"{nation} is not a nation of {side}", where=Where("--nation"), hint=hint)
    if nation:
        return frozenset({nation, *(name for name, members in sides.items() if nation in members)})
    return frozenset({side, *sides[side]}) if side else frozenset({*sides, *nations})


def is_for(who: str, people: frozenset[str]) -> bool:
    """Return whether what concerns a side or nation, "" for all, belongs in a set of aids."""
    return not who or who in people


def initials_of(game: Game, who: str) -> str:
    """Return a side or nation by its initials: `CP`, `A-H`, `R`."""
    nations = {name for members in game.file.sides.values() for name in members}
    return ("-" if who in nations else "").join(part[:1].upper() for part in who.split("-"))
