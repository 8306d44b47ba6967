"""The layers of a sketch: zones of control as hatching, the parts of hexes, ways and attacks, labels, and what counts
on hexsides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import dist
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...drawing.lettering import base_line, fit_lines, text_width
from ...drawing.scene import Circle, Group, Layer, Path, Point, Polyline, Shape, Text, inset, text_lines
from ...questions.sketch import Arrow, Remark, Role, Sketch, Spot
from ...state.state import hexside
from ..colours import INK, WHITE, contrast
from ..counters import SHADOW
from ..hatching import Strokes, hatching, slant_of
from ..layout import Area, Layout, aside, distance_inside, hexagon, middle_of, move, point_between
from ..map.arcs import text_box
from ..map.land import exact
from ..map.survey import Survey
from ..style import HEX, RADIUS, SOFT_INK

# --- zones of control -------------------------------------------------------------------------------------------------

ZONE = Strokes(pitch=3.1, width=0.42, opacity=0.6)
"""The strokes of a zone of control."""


def zone_layer(layout: Layout, sketch: Sketch, colours: Mapping[str, str]) -> Layer:
    """The hexes in zones of control, hatched in the colour of the side that has them."""
    sides = [zone.side for zone in sketch.zones]
    shapes = list[Shape]()
    for zone in sketch.zones:
        hexes = map(layout.corners, sorted(zone.hexes))
        shapes += hatching(hexes, colours[zone.side], slant_of(sides, zone.side), ZONE)
    return Layer("zones", tuple(shapes))


# --- levels of shade --------------------------------------------------------------------------------------------------

SHADES = ("#fbf0bd", "#f7cf75", "#ea9440", "#bf4f1f", "#7a1c1c")
"""The shade of each level: ever darker, so that levels differ in grey too, and for players without one kind of cone."""
_HATCHES = (0.0, 5.2, 3.4, 2.2, 1.5)
"""How far apart the strokes over each shade are, in millimetres; 0 for no strokes."""
_LAST_LIGHT = 3
"""The last level whose strokes are dark: on darker shades they are white."""
_THROUGH, _SHADED, _SHADED_WEAKEST = 0.74, 0.84, 0.79
"""How opaque a shade is, and which share of a hex it fills, of one that stands out within its outline: the ground stays visible
round it.
"""


def shade_shapes(level: int, corners: Sequence[Point], scale: float = 1.0) -> list[Shape]:
    """The shade of a hex: darker and with denser strokes the higher its level. scale: of the distance of its strokes."""
    if not level:
        return []
    shapes: list[Shape] = [Path(lines=(tuple(corners),), closed=True, fill=SHADES[level - 1], opacity=_THROUGH)]
    if pitch := _HATCHES[level - 1]:
        ink = WHITE if level > _LAST_LIGHT else INK
        shapes += hatching([corners], ink, 60.0, Strokes(pitch=pitch * scale, width=0.35 * scale, opacity=0.6))
    return shapes


def shade_layer(layout: Layout, sketch: Sketch) -> Layer:
    """The hexes that are shaded by a level."""
    shades = ((spot, shade_shapes(spot.level, shade_corners(layout, spot))) for spot in sketch.spots)
    return Layer("shades", tuple(Group(spot_words(sketch, spot), tuple(shapes)) for spot, shapes in shades if shapes))


def shade_corners(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    """The corners of the shade of a hex: round it a ring of the ground is left."""
    share = _SHADED_WEAKEST if spot.role == "weakest" else _SHADED
    return hexagon(layout.centre(spot.hex), RADIUS * share, flat=layout.flat)


# --- the parts of hexes -----------------------------------------------------------------------------------------------

AREAS: tuple[Role, ...] = ("reached", "beyond")
"""The parts that have one outline round all their hexes, each round those of the ones before it, too."""
_FRAME = 0.93
"""How large the outline inside a hex is, as a share of the hex: rivers and borders along its sides stay free."""


def frame_shapes(role: Role, corners: Sequence[Point], colour: str, scale: float = 1.0) -> list[Shape]:
    """The outline of a hex that has a part: a heavy one where a way begins, a double one where it ends, dashes round a
    hex that is open, a line round all that are within reach and dots round those that are so only beyond an allowance,
    wide dots in no side's colour round a hex whose danger is not known, corners alone round a target, a dark one round a hex
    that stands out among those compared, none for others.

    They differ in form, so that they are told apart in grey. corners: of the outline; scale: of its lines.
    """

    def line(width: float, ink: str = colour, lines: Sequence[Sequence[Point]] = (corners,), **style: Any) -> Path:
        style = {"closed": True, **style}
        return Path(lines=tuple(map(tuple, lines)), stroke=ink, width=width * scale, **style)

    if role == "start":
        return [line(2.8, WHITE, opacity=0.75), line(1.9)]
    if role == "end":
        middle = middle_of(corners)
        inner = [move(corner, middle, 2.0 * scale) for corner in corners]
        return [line(1.6, WHITE, [corners, inner], opacity=0.75), line(0.8, colour, [corners, inner])]
    if role == "reached":
        return [line(2.2, WHITE, opacity=0.75), line(1.1)]
    if role == "beyond":
        return [line(1.8, WHITE, opacity=0.75), line(1.0, dash=(0.9 * scale, 1.1 * scale), butt=True)]
    if role == "open":
        return [line(1.6, WHITE, opacity=0.75), line(0.9, dash=(2.4 * scale, 1.3 * scale), butt=True)]
    if role == "unknown":
        return [line(1.6, WHITE, opacity=0.75), line(0.8, SOFT_INK, dash=(0.8 * scale, 2.4 * scale), butt=True)]
    if role == "weakest":
        return [line(2.8, WHITE, opacity=0.9), line(2.0, INK)]
    if role == "target":
        round_it = [*corners, *corners[:2]]
        bits = [
            (point_between(at, before, 0.28), at, point_between(at, after, 0.28))
            for before, at, after in zip(round_it, round_it[1:], round_it[2:], strict=False)
        ]
        return [line(3.2, WHITE, bits, closed=False, opacity=0.75), line(2.2, colour, bits, closed=False)]
    return []


def frame_of(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    """The corners of the outline inside a hex; of one that is shaded, that of its shade."""
    if spot.role == "weakest":
        return shade_corners(layout, spot)
    return hexagon(layout.centre(spot.hex), RADIUS * _FRAME, flat=layout.flat)


def spot_layer(survey: Survey, sketch: Sketch, colours: Mapping[str, str], target: str) -> Layer:
    """The outlines of hexes that have a part. colours: of sides; target: of what is attacked."""
    colour = colours[sketch.side]
    groups, layout = list[Shape](), survey.layout
    inside = {spot.hex for spot in sketch.spots if spot.role == "start"}
    for role in AREAS:
        if within := {spot.hex for spot in sketch.spots if spot.role == role}:
            inside |= within
            shapes = (shape for corners in exact(survey, inside) for shape in frame_shapes(role, corners, colour))
            groups.insert(0, Group(f"{', '.join(sorted(within))}: {sketch.word(role)}", tuple(shapes)))
    for spot in sketch.spots:
        if spot.role in AREAS:
            continue
        tint = target if spot.role == "target" else colours[spot.side or sketch.side]
        drawn = frame_shapes(spot.role, frame_of(layout, spot), tint)
        if drawn:
            groups.append(Group(f"{spot.hex}: {sketch.word(spot.role)}", tuple(drawn)))
    return Layer("parts", tuple(groups))


# --- ways and attacks -------------------------------------------------------------------------------------------------

_WAY, _RIM, _HEAD, _SHORTEST = 2.0, 1.1, 4.4, 4.6
"""The width of a way, its white rim, its head, and the least length of an arrow."""
_INSIDE, _BARELY, _FOOT = 4.2, 0.2, 1.9
"""How far the arrow of a choice leads into its hex, and into one with counters; how far the middle of an arrow's foot lies from
the counters that it leaves: its round end stays clear of them.
"""


_BEFORE = 1.2 * SHADOW
"""How far before counters an attack ends that is drawn up to them, in millimetres: clear of their shadow where it comes aslant."""


def arrow_line(layout: Layout, arrow: Arrow, boxes: Mapping[str, Area], *, whole: bool = False) -> tuple[Point, ...]:
    """The points of an arrow: from the counters of its first hex through the hex centres. That of a way ends at the
    middle of its last hex or at the counters there, that of a choice just inside it, that of an attack at the hexside; a way
    that is open later is a stub across its last hexside.

    boxes: the box that each stack fills; whole: whether an attack is drawn up to the counters that it is on.
    """
    points = [layout.centre(name) for name in arrow.hexes]
    if arrow.kind == "onward":
        return _stub(layout, arrow.hexes[-2], arrow.hexes[-1], boxes)
    first, last = arrow.hexes[0], arrow.hexes[-1]
    length = dist(points[-2], points[-1])
    if arrow.kind == "way":
        left = distance_inside(boxes[last].corners, points[-1], points[-2]) + 0.8 if last in boxes else 0.0
    else:
        left = distance_inside(layout.corners(last), points[-1], points[-2])
        inside = _BARELY if last in boxes else _INSIDE
        left += 0.3 if arrow.kind == "attack" else -inside
        if whole and last in boxes:
            left = distance_inside(boxes[last].corners, points[-1], points[-2]) + _BEFORE
    tip = point_between(points[-1], points[-2], min(left / length, 1.0))
    foot = distance_inside(boxes[first].corners, points[0], points[1]) + _FOOT if first in boxes else HEX / 6
    if len(points) == 2:
        foot = max(min(foot, dist(points[0], tip) - _SHORTEST), 0.0)
    return (move(points[0], points[1], foot), *points[1:-1], tip)


_STUB, _SHORT_STUB, _BESIDE = 3.6, 1.2, 1.7
"""How far the stub of a way that is open later leads to each side of the hexside, at least before counters, and how far it
lies to the right, so that one the other way has room.
"""


def _stub(layout: Layout, one: str, other: str, boxes: Mapping[str, Area]) -> tuple[Point, Point]:
    """A stub across the hexside between two hexes, as far as counters leave room."""
    start, end = layout.centre(one), layout.centre(other)
    middle = point_between(start, end, 0.5)
    ends = list[Point]()
    for name, centre in ((one, start), (other, end)):
        free = dist(centre, middle)
        if name in boxes:
            moved = aside((centre, middle), (start, end), _BESIDE)
            free -= distance_inside(boxes[name].corners, *moved) + 0.5
        ends.append(move(middle, centre, max(min(_STUB, free), _SHORT_STUB)))
    first, last = aside(ends, (start, end), _BESIDE)
    return first, last


_SECOND = 2.2
"""How far the second head of an attack lies behind the first, in millimetres."""


_EDGE = 0.9
"""How much wider than its white rim the dark edge of an arrow is, in millimetres."""


def edge_shapes(points: Sequence[Point], colour: str, width: float, head: float) -> Polyline:
    """An arrow with a rim that lets it stand out from any ground: white round a dark colour, dark round a light one."""
    rim = WHITE if contrast(colour, WHITE) > _DARK else INK
    return Polyline(points=tuple(points), stroke=colour, width=width, head=head, casing=rim, casing_width=width + _EDGE)


_DARK = 4.5
"""From which contrast to white on a colour is dark."""
_NAMED = 1.5
"""The width of a way with a name."""


def named_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """The arrow of a way with a name, or on a hex that is shaded: in dashes for a unit that only helps."""
    if kind == "support":
        arrow = edge_shapes(points, colour, _NAMED, 3.4)
        return [arrow, Polyline(points=_shorten(points, 3.4), stroke=WHITE, width=0.8, dash=(1.6, 1.6), butt=True)]
    if kind == "onward":
        return [edge_shapes(points, colour, 0.8, 2.6)]
    if kind == "attack":
        heads = (tuple(points), _shorten(points, _SECOND))
        return [edge_shapes(line, colour, 1.5, 3.2) for line in heads]
    return [edge_shapes(points, colour, _NAMED, 3.6)]


def arrow_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """An arrow: a way solid, a choice hollow, an attack with two heads, a way that is open later thin."""
    if kind == "onward":
        return [Polyline(points=tuple(points), stroke=colour, width=0.8, head=2.6, casing=WHITE, casing_width=2.0)]
    if kind == "choice":
        return [
            Polyline(points=tuple(points), stroke=colour, width=2.6, head=4.4, casing=WHITE, casing_width=3.5),
            Polyline(points=_shorten(points, 0.9), stroke=WHITE, width=1.5, head=2.7),
        ]
    if kind == "attack":
        tips = (tuple(points), _shorten(points, _SECOND))
        return [
            Polyline(points=tip, stroke=colour, width=1.4, head=3.2, casing=WHITE, casing_width=2.3) for tip in tips
        ]
    line = Polyline(points=tuple(points), stroke=colour, width=_WAY, head=_HEAD, casing=WHITE, casing_width=_WAY + _RIM)
    return [line]


def _shorten(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """A line that is so much shorter at its end, and a little at its beginning."""
    return (move(points[0], points[1], by * 0.2), *points[1:-1], move(points[-1], points[-2], by))


def arrow_layer(
    lines: Iterable[tuple[Arrow, Sequence[Point]]], colours: Mapping[str, str], *, shaded: bool = False
) -> Layer:
    """The arrows in the colours of their sides. shaded: whether they lie over shades, from which they must stand out."""
    groups, draw = [], named_shapes if shaded else arrow_shapes
    for arrow, points in lines:
        shapes = draw(arrow.kind, points, colours[arrow.side])
        groups.append(Group(arrow_words(arrow), tuple(shapes)))
    return Layer("arrows", tuple(groups))


def arrow_words(arrow: Arrow) -> str:
    """An arrow in words."""
    first, *others = arrow.hexes
    if arrow.kind == "attack":
        return f"{first} attacks {others[-1]}"
    if arrow.kind == "onward":
        return f"then open from {first} to {others[-1]}{f', {arrow.label}' if arrow.label else ''}"
    if arrow.name:
        what = "supports" if arrow.kind == "support" else "comes"
        return f"{arrow.name}: {what} from {first} by {', '.join(others)}"
    return f"{'a way' if arrow.kind == 'way' else 'open'} from {first} to {', '.join(others)}"


# --- labels -----------------------------------------------------------------------------------------------------------

LETTERS, LEAST, LARGE, _SHORT = 3.3, 2.1, 4.6, 3
"""The letters of a label, and the smallest ones, in millimetres: the smallest are 6 points; those of a figure alone, and
how many letters that has at most.
"""
_WIDEST, _WIDEST_COMPARED, _SIGN, _PAD = 20.0, 26.0, 2.6, 1.0
"""The widest text of a label, that of a hex among those compared, its sign and the room round it."""


class Tag(NamedTuple):
    """A label as it is drawn: the lines of its text, the size of the letters, its width and height, whether a sign stands
    before it, and the letter of its reason in a disc behind it, "" for none.
    """

    lines: tuple[str, ...]
    size: float
    width: float
    height: float
    signed: bool
    letter: str = ""


_DISC, _DISC_LETTER, _BEFORE_DISC = 1.5, 2.4, 0.7
"""The radius of the disc of a letter, the size of the letter and the gap before it, in millimetres."""


def tag_of(role: Role, text: str, widest: float = _WIDEST, letter: str = "") -> Tag:
    """A label: of an open or a barred hex with a sign before it. widest: its text at most, in millimetres; letter: that
    of its reason.
    """
    signed = role in ("open", "barred")
    text = text or " "
    compared = role in ("unknown", "shaded", "weakest", "cut")
    size = LARGE if compared or (len(text) <= _SHORT and not signed) else LETTERS
    fitted = fit_lines(text, size, _WIDEST_COMPARED if compared else widest, 2 * size, least=LEAST, bold=True)
    wide = max(text_width(line, fitted.size, bold=True) for line in fitted.lines)
    worded = bool(text.strip())
    if letter:
        wide = (wide + _BEFORE_DISC if worded else 0.0) + 2 * _DISC
    width = wide + 2 * _PAD + signed * (_SIGN + (0.7 if worded or letter else -0.4))
    return Tag(fitted.lines, fitted.size, width, fitted.size * 1.08 * len(fitted.lines) + 1.1, signed, letter)


def tag_shapes(role: Role, tag: Tag, x: float, y: float) -> list[Shape]:
    """A label round a point: dark for a barred hex or one that stands out, pale within dashes for one beyond an allowance,
    white for others; a cross or a tick before its text.
    """
    fill, ink = (INK, WHITE) if role in ("barred", "weakest", "cut") else (WHITE, SOFT_INK if role == "beyond" else INK)
    left, top = x - tag.width / 2, y - tag.height / 2
    shapes: list[Shape] = [inset(left, top, tag.width, tag.height, -0.35, radius=1.5, fill=WHITE)]
    if role == "beyond":
        right, low = left + tag.width, top + tag.height
        edge = ((left, top), (right, top), (right, low), (left, low))
        shapes.append(Path(lines=(edge,), closed=True, stroke=INK, width=0.3, dash=(0.8, 0.7), butt=True))
    else:
        shapes.append(inset(left, top, tag.width, tag.height, 0, radius=1.2, fill=fill, stroke=INK, stroke_width=0.3))
    start = left + _PAD
    if tag.signed:
        shapes.append(_sign(role, start + _SIGN / 2, y, _SIGN / 2, ink))
        start += _SIGN + 0.7
    base = base_line(y, tag.size, len(tag.lines), 1.08)
    end = left + tag.width - _PAD
    if tag.letter:
        shapes += _disc(tag.letter, end - _DISC, y, ink, fill)
        end -= 2 * _DISC + _BEFORE_DISC
    if not any(line.strip() for line in tag.lines):
        return shapes
    middle = (start + end) / 2
    return [*shapes, *text_lines(tag.lines, base, tag.size, 1.08, x=middle, anchor="middle", bold=True, fill=ink)]


def _disc(letter: str, x: float, y: float, fill: str, ink: str) -> Iterator[Shape]:
    """The letter of a reason in a disc, so that it does not run into the text before it."""
    yield Circle(x=x, y=y, radius=_DISC, fill=fill)
    base = base_line(y, _DISC_LETTER)
    yield Text(x=x, y=base, text=letter, size=_DISC_LETTER, anchor="middle", bold=True, fill=ink)


def _sign(role: Role, x: float, y: float, radius: float, ink: str) -> Shape:
    """A tick or a cross round a point."""
    cross = (((-0.8, -0.8), (0.8, 0.8)), ((-0.8, 0.8), (0.8, -0.8)))
    tick = (((-0.9, 0.05), (-0.25, 0.75), (0.95, -0.75)),)
    lines = tick if role == "open" else cross
    drawn = tuple(tuple((x + dx * radius, y + dy * radius) for dx, dy in line) for line in lines)
    return Path(lines=drawn, stroke=ink, width=radius * 0.42)


_FIRM = 20.0
"""How much more it counts to cover a counter or a label than a number or a line."""


class Room:
    """What is taken on the sheet, and where a label finds room."""

    def __init__(self, taken: Iterable[Area]) -> None:
        """taken: by counters and what else must not be covered."""
        self._taken = [(area, _FIRM) for area in taken]

    @property
    def firm(self) -> Sequence[Area]:
        """The boxes of counters, labels and what else must not be covered."""
        return [area for area, weight in self._taken if weight == _FIRM]

    def take(self, area: Area, weight: float = 1.0) -> None:
        """Take a box that a label covers if it finds no other place. weight: how much more it counts than a line."""
        self._taken.append((area, weight))

    def take_firm(self, area: Area) -> None:
        """Take a box that must not be covered."""
        self._taken.append((area, _FIRM))

    def take_line(self, points: Sequence[Point], half: float) -> None:
        """Take what lies that near to a line."""
        for area in boxes_along(points, half):
            self.take(area)

    def copy(self) -> Room:
        """Another room in which the same is taken."""
        other = Room(())
        other._taken = [*self._taken]
        return other

    def covers(self, area: Area) -> float:
        """How much of what is taken a box covers, in square millimetres; what must not be covered counts for more."""
        return sum(area.overlap(other) * weight for other, weight in self._taken)

    def place(self, width: float, height: float, points: Iterable[Point]) -> Point:
        """The first of some points round which a box covers nothing, or else the one where it covers the least; the box
        is taken.
        """
        best, least = (0.0, 0.0), float("inf")
        for x, y in points:
            covered = self.covers(box_round(x, y, width, height))
            if covered < least - 1e-9:
                best, least = (x, y), covered
            if not covered:
                break
        self._taken.append((box_round(*best, width, height), _FIRM))
        return best


def boxes_along(points: Sequence[Point], half: float) -> Iterator[Area]:
    """The boxes that hold what lies that near to a line."""
    for start, end in pairwise(points):
        many = max(int(dist(start, end) / half), 1)
        for number in range(many + 1):
            x, y = point_between(start, end, number / many)
            yield box_round(x, y, 2 * half, 2 * half)


def box_round(x: float, y: float, width: float, height: float) -> Area:
    """A box round a point."""
    return Area(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


HIGH = LETTERS * 1.08 + 1.8
"""The height of a label of one line with its rim, in millimetres."""
_LOWEST, _RISE = HEX / 2 - 0.9, 4.0
"""How far below the middle of a hex the lower edge of a label lies, and by how much it rises or falls at the side."""
_FREE_PLACES = ((0.0, 0.0), (0.0, 9.0), (0.0, -6.0), (8.5, 0.0), (-8.5, 0.0), (6.0, 8.0), (-6.0, 8.0))
"""Where a label may lie from the middle of a hex without counters, the best place first."""


_RISES, _MORE_RISES = (0.0, 1.0, -1.0, 2.0, -2.0), (0.5, -0.5, 1.5, -1.5, 2.5, -2.5)
"""How far a label beside counters lies above or below the middle, in rises, and where else it may where there is much to avoid."""


def places_for(centre: Point, tag: Tag, stack: Area | None, rises: Sequence[float] = _RISES) -> Iterator[Point]:
    """Where a label may lie in a hex, the best place first: without counters in the middle, else below them, or at their
    side.
    """
    x, y = centre
    if stack is None:
        yield from ((x + dx, y + dy) for dx, dy in _FREE_PLACES)
        return
    low = y + _LOWEST - (tag.height + 0.7) / 2
    beside = tag.width / 2 + 0.36
    yield from ((x + dx, low) for dx in (0.0, beside + 2.4, -beside - 2.4))
    for rise in rises:
        for edge in (stack.right + SHADOW + beside, stack.left - beside):
            yield edge, y + rise * _RISE


def label_layer(layout: Layout, sketch: Sketch, stacks: Mapping[str, Area], room: Room) -> Layer:
    """The labels of hexes. stacks: the boxes of counters, which are taken in the room."""
    groups = []
    for spot in sketch.spots:
        text = sketch.text(spot)
        if not text and spot.role not in ("open", "barred", "cut"):
            continue
        tag = tag_of(spot.role, sketch.plain(spot), letter=sketch.letter(spot))
        rises = (*_RISES, *_MORE_RISES) if sketch.levels else _RISES
        places = places_for(layout.centre(spot.hex), tag, stacks.get(spot.hex), rises)
        x, y = room.place(tag.width + 0.7, tag.height + 0.7, places)
        groups.append(Group(spot_words(sketch, spot), tuple(tag_shapes(spot.role, tag, x, y))))
    return Layer("labels", tuple(groups))


_NUMBER_PAD, _HALF_LINE = 0.5, 0.9
"""The room round the number of a hex on its plate, and half the width of an arrow that hides a number, in millimetres."""


def hidden_numbers(
    numbers: Iterable[Text], sketch: Sketch, lines: Iterable[tuple[Arrow, Sequence[Point]]]
) -> list[Text]:
    """The numbers of hexes that a shade, an outline or an arrow would hide. lines: the points of arrows."""
    shaded = {spot.hex for spot in sketch.spots if spot.level or spot.place}
    crossed = [area for _, points in lines for area in boxes_along(points, _HALF_LINE)]
    return [
        number for number in numbers if number.text in shaded or any(text_box(number).overlap(area) for area in crossed)
    ]


def number_layer(numbers: Iterable[Text]) -> Layer:
    """The numbers of hexes on plates, which can be read above shades and arrows."""
    groups = list[Shape]()
    for number in numbers:
        box = text_box(number)
        size = box.right - box.left, box.bottom - box.top
        plate = inset(box.left, box.top, *size, -_NUMBER_PAD, radius=0.8, fill=WHITE)
        groups.append(Group(number.text, (plate, replace(number, fill=INK))))
    return Layer("plates", tuple(groups))


BADGE, _BADGE_LETTER = 4.4, 6.4
"""The radius of the disc with the place of a hex that stands out, and the size of its figure, in millimetres."""


def badge_shapes(place: int, x: float, y: float) -> list[Shape]:
    """The place of a hex among those that stand out, in a disc."""
    base = base_line(y, _BADGE_LETTER)
    figure = Text(x=x, y=base, text=f"{place}", size=_BADGE_LETTER, anchor="middle", bold=True, fill=WHITE)
    return [Circle(x=x, y=y, radius=BADGE + 0.6, fill=WHITE), Circle(x=x, y=y, radius=BADGE, fill=INK), figure]


def badge_layer(sketch: Sketch, points: Mapping[str, Point]) -> Layer:
    """The places of hexes that stand out. points: where each is written, by hex."""
    groups = list[Group]()
    for spot in (spot for spot in sketch.spots if spot.place):
        shapes = badge_shapes(spot.place, *points[spot.hex])
        groups.append(Group(f"{spot.hex}: {spot.place}.", tuple(shapes)))
    return Layer("places", tuple(groups))


def badge_points(layout: Layout, sketch: Sketch, room: Room) -> dict[str, Point]:
    """Where the place of each hex that stands out is written: near one of its corners, the right one first, where it covers
    the least; the room is taken.
    """
    points = dict[str, Point]()
    for spot in (spot for spot in sketch.spots if spot.place):
        centre, size = layout.centre(spot.hex), 2 * BADGE + 1.0
        corners = sorted(layout.corners(spot.hex), key=lambda corner: (-round(corner[0], 3), corner[1]))
        points[spot.hex] = room.place(size, size, (point_between(corner, centre, 0.16) for corner in corners))
    return points


def spot_words(sketch: Sketch, spot: Spot) -> str:
    """A hex and its part in words."""
    label = f", {spot.label}" if spot.label else ""
    label = f", {spot.place}.{label}" if spot.place else label
    return f"{spot.hex}: {sketch.word(spot.role)}{label}{': ' if spot.why else ''}{spot.why}"


# --- what counts on hexsides ------------------------------------------------------------------------------------------


def remark_layer(layout: Layout, sketch: Sketch, stacks: Mapping[str, Area], room: Room) -> Layer:
    """What counts on hexsides, beside the arrows that cross them, the labels of these, and what counts in hexes. stacks: the
    boxes of counters.
    """
    groups = []
    labels = dict.fromkeys(remark_of(arrow) for arrow in sketch.arrows if arrow.label)  # once for a way there and back
    for remark in (*sketch.remarks, *labels):
        one, _, other = remark.where.partition("|")
        fitted = fit_lines(remark.text, 2.8, 17.0, 6.0, least=LEAST, bold=True)
        width = max(text_width(line, fitted.size, bold=True) for line in fitted.lines) + 2.0
        height = fitted.size * 1.08 * len(fitted.lines) + 1.0
        if other:
            middle = middle_of(layout.hexside(one, other))
            points = _places_on(layout.hexside(one, other))
        else:
            middle = layout.centre(one)
            tag = Tag(fitted.lines, fitted.size, width + 0.4, height, False)
            points = places_for(middle, tag, stacks.get(one))
        x, y = room.place(width + 0.6, height + 0.6, points)
        left, top = x - width / 2, y - height / 2
        shapes: list[Shape] = []
        if other and dist((x, y), middle) > width / 2:
            shapes.append(Path(lines=((middle, (x, y)),), stroke=INK, width=0.3))
        shapes.append(inset(left, top, width, height, 0, radius=0.5, fill=WHITE, stroke=SOFT_INK, stroke_width=0.25))
        base = base_line(y, fitted.size, len(fitted.lines), 1.08)
        shapes += text_lines(fitted.lines, base, fitted.size, 1.08, x=x, anchor="middle", bold=True, fill=INK)
        groups.append(Group(f"{remark.where}: {remark.text}", tuple(shapes)))
    return Layer("remarks", tuple(groups))


def remark_of(arrow: Arrow) -> Remark:
    """The label of an arrow as what counts on its last hexside."""
    return Remark(where=hexside(*arrow.hexes[-2:]), text=arrow.label)


def _places_on(line: tuple[Point, Point]) -> Iterator[Point]:
    """Where what counts on a hexside may be written, the best place first."""
    start, end = line
    length = dist(start, end) or 1.0
    across = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
    places = ((share, by) for by in (0.0, 3.0, -3.0) for share in (0.5, 0.24, 0.76, 0.05, 0.95))
    farther = ((share, by) for by in (6.0, -6.0, 9.0, -9.0) for share in (0.5, 0.05, 0.95))
    for share, by in (*places, *farther):
        x, y = point_between(start, end, share)
        yield x + across[0] * by, y + across[1] * by
