"""The layers of a sketch below what is written: zones of control as hatching, the parts of hexes, ways and attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...asking.sketch import Arrow, Role, Sketch, Spot
from ..colours import INK, WHITE, contrast
from ..geometry import PageBox, distance_inside, hexagon, middle_of, move_towards, point_between, shift_aside
from ..hatching import Strokes, hatching, slant_of
from ..layout import Layout
from ..map.land import land_outlines
from ..map.survey import Survey
from ..placement import break_line
from ..scene import Group, Layer, Path, Point, Polyline, Shape
from ..style import HEX, RADIUS, SOFT_INK

# --- zones of control -------------------------------------------------------------------------------------------------

ZONE = Strokes(pitch=3.1, width=0.42, opacity=0.6)
"""The strokes of a zone of control."""


def zone_layer(layout: Layout, sketch: Sketch, colours: Mapping[str, str]) -> Layer:
    """Return the hexes in zones of control, hatched in the colour of the side that has them."""
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
_THROUGH = 0.74  # how opaque a shade is
_SHADED = 0.84  # share of a hex that it fills: the ground stays visible round it
_SHADED_WEAKEST = 0.79  # the same of one that stands out within its outline


def shade_shapes(level: int, corners: Sequence[Point], scale: float = 1.0) -> list[Shape]:
    """Return the shade of a hex: darker and with denser strokes the higher its level. scale: of the distance of its
    strokes.
    """
    if not level:
        return []
    shapes: list[Shape] = [Path(lines=(tuple(corners),), closed=True, fill=SHADES[level - 1], opacity=_THROUGH)]
    if pitch := _HATCHES[level - 1]:
        ink = WHITE if level > _LAST_LIGHT else INK
        shapes += hatching([corners], ink, 60.0, Strokes(pitch=pitch * scale, width=0.35 * scale, opacity=0.6))
    return shapes


def shade_layer(layout: Layout, sketch: Sketch) -> Layer:
    """Return the hexes that are shaded by a level."""
    shades = ((spot, shade_shapes(spot.level, _shade_corners(layout, spot))) for spot in sketch.spots)
    return Layer("shades", tuple(Group(format_spot(sketch, spot), tuple(shapes)) for spot, shapes in shades if shapes))


def _shade_corners(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    """Return the corners of the shade of a hex: round it a ring of the ground is left."""
    share = _SHADED_WEAKEST if spot.role == "weakest" else _SHADED
    return hexagon(layout.centre(spot.hex), RADIUS * share, flat=layout.flat)


# --- the parts of hexes -----------------------------------------------------------------------------------------------

AREAS: tuple[Role, ...] = ("reached", "beyond")
"""The parts that have one outline round all their hexes, each round those of the ones before it, too."""
_FRAME = 0.95
"""How large the outline inside a hex is, as a share of the hex: rivers and borders along its sides stay free."""


def frame_shapes(role: Role, corners: Sequence[Point], colour: str, scale: float = 1.0) -> list[Shape]:
    """Return the outline of a hex that has a part, none for other parts.

    A line: a way begins, or within reach; double: a way ends; dashes: open; dots: beyond an allowance; wide dots:
    danger unknown; the heaviest: a target; dark: it stands out among those compared. They differ in form, and so in
    grey. corners: of the outline.
    """

    def line(width: float, ink: str = colour, lines: Sequence[Sequence[Point]] = (corners,), **style: Any) -> Path:
        style = {"closed": True, **style}
        return Path(lines=tuple(map(tuple, lines)), stroke=ink, width=width * scale, **style)

    if role == "start":
        return [line(2.2, WHITE, opacity=0.75), line(1.4)]
    if role == "end":
        middle = middle_of(corners)
        inner = [move_towards(corner, middle, 2.0 * scale) for corner in corners]
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
        return [line(3.0, WHITE, opacity=0.75), line(2.2)]
    return []


_TINTS: Mapping[Role, float] = MappingProxyType({"start": 0.14, "target": 0.3})
"""How opaque the tint of a hex with a part is."""


def tint_shapes(role: Role, corners: Sequence[Point], colour: str) -> list[Shape]:
    """Return the tint of a hex that has a part, none for others. corners: of its outline."""
    return [Path(lines=(tuple(corners),), closed=True, fill=colour, opacity=_TINTS[role])] if role in _TINTS else []


def tint_layer(layout: Layout, sketch: Sketch, colours: Mapping[str, str], target: str) -> Layer:
    """Return the tints of hexes that have a part. colours: of sides; target: of what is attacked."""
    shapes = list[Shape]()
    for spot in sketch.spots:
        colour = target if spot.role == "target" else colours[spot.side or sketch.side]
        shapes += tint_shapes(spot.role, _frame_corners(layout, spot), colour)
    return Layer("tints", tuple(shapes))


def _frame_corners(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    """Return the corners of the outline inside a hex; of one that is shaded, that of its shade."""
    if spot.role == "weakest":
        return _shade_corners(layout, spot)
    return hexagon(layout.centre(spot.hex), RADIUS * _FRAME, flat=layout.flat)


class HexOutline(NamedTuple):
    """The outline of a hex or of an area. title: it in words; shapes: the lines of which it consists."""

    title: str
    shapes: Sequence[Shape]


def outlines_of(survey: Survey, sketch: Sketch, colours: Mapping[str, str], target: str) -> list[HexOutline]:
    """Return the outlines of hexes that have a part. colours: of sides; target: of what is attacked."""
    colour = colours[sketch.side]
    outlines, layout = list[HexOutline](), survey.layout
    inside = {spot.hex for spot in sketch.spots if spot.role == "start"}
    for role in AREAS:
        if within := {spot.hex for spot in sketch.spots if spot.role == role}:
            inside |= within
            shapes = [
                shape for corners in land_outlines(survey, inside) for shape in frame_shapes(role, corners, colour)
            ]
            outlines.insert(0, HexOutline(f"{', '.join(sorted(within))}: {sketch.word(role)}", shapes))
    for spot in sketch.spots:
        if spot.role in AREAS:
            continue
        tint = target if spot.role == "target" else colours[spot.side or sketch.side]
        if drawn := frame_shapes(spot.role, _frame_corners(layout, spot), tint):
            outlines.append(HexOutline(f"{spot.hex}: {sketch.word(spot.role)}", drawn))
    return outlines


def lines_of_outlines(outlines: Iterable[HexOutline]) -> Iterator[tuple[Point, ...]]:
    """Yield the lines of outlines, closed ones with their first point once more."""
    for outline in outlines:
        for shape in outline.shapes[:1]:  # the others lie on it
            yield from _lines_of_shape(shape)


def _lines_of_shape(shape: Shape) -> Iterator[tuple[Point, ...]]:
    if isinstance(shape, Path):
        for line in shape.lines:
            yield (*line, line[0]) if shape.closed else tuple(line)


def outline_layer(outlines: Iterable[HexOutline], written: Sequence[PageBox]) -> Layer:
    """Return the outlines of hexes, broken where something is written on them. written: its boxes."""
    groups = list[Group]()
    for outline in outlines:
        shapes = [replace(shape, **_break_path(shape, written)) for shape in outline.shapes if isinstance(shape, Path)]
        groups.append(Group(outline.title, tuple(shape for shape in shapes if shape.lines)))
    return Layer("parts", tuple(groups))


def _box_of_letters(box: PageBox) -> PageBox:
    """Return the part of a box in which letters stand."""
    return PageBox(box.left + _AIR, box.top + _AIR, box.right - _AIR, box.bottom - _AIR)


_AIR = 0.8
"""The air round letters in their box, in millimetres: an outline may reach into it."""


def _break_path(path: Path, written: Iterable[PageBox]) -> dict[str, Any]:
    """Return what changes of a path that is broken where something is written on it."""
    half = path.width / 2
    grown = [PageBox(box.left - half, box.top - half, box.right + half, box.bottom + half) for box in written]
    lines = [*_lines_of_shape(path)]
    runs = [run for line in lines for run in break_line(line, grown)]
    return {} if runs == lines else {"lines": tuple(runs), "closed": False, "butt": True}


# --- ways and attacks -------------------------------------------------------------------------------------------------

_WAY = 2.0  # mm, the width of a way
_ATTACK = 2.6  # mm, that of an attack
_RIM = 1.1  # mm, the white rim of both
_HEAD = 4.4  # mm, the head of a way
_SHORTEST = 4.6  # mm, the least length of an arrow
_INSIDE = 4.2  # mm that the arrow of a choice leads into its hex
_BARELY = 0.2  # mm, the same of one with counters
_FOOT = 1.9  # mm from the middle of an arrow's foot to the counters that it leaves: its round end stays clear of them


def arrow_line(
    layout: Layout, arrow: Arrow, boxes: Mapping[str, PageBox], *, joined: bool = False
) -> tuple[Point, ...]:
    """Return the points of an arrow, from the counters of its first hex through the hex centres to where its kind ends.

    boxes: the box that each stack fills; joined: whether an attack goes on where a way ends in the middle of its first
    hex.
    """
    points = [layout.centre(name) for name in arrow.hexes]
    if arrow.kind == "onward":
        return _find_stub(layout, arrow.hexes[-2], arrow.hexes[-1], boxes)
    first, last = arrow.hexes[0], arrow.hexes[-1]
    length = dist(points[-2], points[-1])
    if arrow.kind == "way" or (arrow.kind == "attack" and last in boxes and not joined):
        left = distance_inside(boxes[last].corners, points[-1], points[-2]) + 0.8 if last in boxes else 0.0
    else:
        left = distance_inside(layout.corners(last), points[-1], points[-2])
        inside = _BARELY if last in boxes else _INSIDE
        left += 0.3 if arrow.kind == "attack" else -inside
    tip = point_between(points[-1], points[-2], min(left / length, 1.0))
    foot = distance_inside(boxes[first].corners, points[0], points[1]) + _FOOT if first in boxes else HEX / 6
    if joined and first not in boxes:
        foot = 0.0
    elif len(points) == 2:
        foot = max(min(foot, dist(points[0], tip) - _SHORTEST), 0.0)
    return (move_towards(points[0], points[1], foot), *points[1:-1], tip)


_STUB = 3.6  # mm that the stub of a way that is open later leads to each side of the hexside
_SHORT_STUB = 1.2  # mm, the same at least before counters
_BESIDE = 1.7  # mm that it lies to the right, so that one the other way has room


def _find_stub(layout: Layout, one: str, other: str, boxes: Mapping[str, PageBox]) -> tuple[Point, Point]:
    """Return a stub across the hexside between two hexes, as far as counters leave room."""
    start, end = layout.centre(one), layout.centre(other)
    middle = point_between(start, end, 0.5)
    ends = list[Point]()
    for name, centre in ((one, start), (other, end)):
        free = dist(centre, middle)
        if name in boxes:
            moved = shift_aside((centre, middle), (start, end), _BESIDE)
            free -= distance_inside(boxes[name].corners, *moved) + 0.5
        ends.append(move_towards(middle, centre, max(min(_STUB, free), _SHORT_STUB)))
    first, last = shift_aside(ends, (start, end), _BESIDE)
    return first, last


_EDGE = 0.9
"""How much wider than its white rim the dark edge of an arrow is, in millimetres."""
_DARK = 4.5
"""From which contrast to white on a colour is dark."""
_NAMED = 1.5
"""The width of a way with a name."""


def named_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """Return the arrow of a way with a name, or on a hex that is shaded: a way without a head, as an attack goes on
    where it ends; in dashes for a unit that only helps. It has a rim that lets it stand out from any ground: white
    round a dark colour, dark round a light one.
    """
    width, head = {"support": (_NAMED, 3.4), "onward": (0.8, 2.6), "attack": (2.0, 4.4)}.get(kind, (_NAMED, 0.0))
    rim = WHITE if contrast(colour, WHITE) > _DARK else INK
    casing = width + _EDGE
    shapes: list[Shape] = [
        Polyline(points=tuple(points), stroke=colour, width=width, head=head, casing=rim, casing_width=casing)
    ]
    if kind == "support":
        shapes.append(Polyline(points=_shorten(points, 3.4), stroke=WHITE, width=0.8, dash=(1.6, 1.6), butt=True))
    return shapes


def arrow_shapes(kind: str, points: Sequence[Point], colour: str) -> list[Shape]:
    """Return an arrow: a way solid, a choice hollow, an attack broad, a way that is open later thin."""
    if kind == "onward":
        return [Polyline(points=tuple(points), stroke=colour, width=0.8, head=2.6, casing=WHITE, casing_width=2.0)]
    if kind == "choice":
        return [
            Polyline(points=tuple(points), stroke=colour, width=2.6, head=4.4, casing=WHITE, casing_width=3.5),
            Polyline(points=_shorten(points, 0.9), stroke=WHITE, width=1.5, head=2.7),
        ]
    if kind == "attack":
        casing = _ATTACK + _RIM
        return [
            Polyline(points=tuple(points), stroke=colour, width=_ATTACK, head=5.4, casing=WHITE, casing_width=casing)
        ]
    line = Polyline(points=tuple(points), stroke=colour, width=_WAY, head=_HEAD, casing=WHITE, casing_width=_WAY + _RIM)
    return [line]


def _shorten(points: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Return a line that is so much shorter at its end, and a little at its beginning."""
    return (move_towards(points[0], points[1], by * 0.2), *points[1:-1], move_towards(points[-1], points[-2], by))


def arrow_layer(
    lines: Iterable[tuple[Arrow, Sequence[Point]]], colours: Mapping[str, str], *, shaded: bool = False
) -> Layer:
    """Return the arrows in the colours of their sides. shaded: whether they lie over shades, from which they must stand
    out: then all rims come first, so that ways that meet run into one.
    """
    groups, rims = list[Group](), list[Shape]()
    for arrow, points in lines:
        shapes = (named_shapes if shaded else arrow_shapes)(arrow.kind, points, colours[arrow.side])
        if shaded:
            rims += [replace(shape, stroke="") for shape in shapes if isinstance(shape, Polyline) and shape.casing]
            shapes = [replace(shape, casing="") if isinstance(shape, Polyline) else shape for shape in shapes]
        groups.append(Group(format_arrow(arrow), tuple(shapes)))
    return Layer("arrows", (*rims, *groups))


def format_arrow(arrow: Arrow) -> str:
    """Return an arrow in words."""
    first, *others = arrow.hexes
    if arrow.kind == "attack":
        return f"{first} attacks {others[-1]}"
    if arrow.kind == "onward":
        return f"then open from {first} to {others[-1]}{f', {arrow.label}' if arrow.label else ''}"
    if arrow.name:
        what = "supports" if arrow.kind == "support" else "comes"
        return f"{arrow.name}: {what} from {first} by {', '.join(others)}"
    return f"{'a way' if arrow.kind == 'way' else 'open'} from {first} to {', '.join(others)}"


def format_spot(sketch: Sketch, spot: Spot) -> str:
    """Return a hex and its part in words."""
    label = f", {spot.label}" if spot.label else ""
    label = f", {spot.place}.{label}" if spot.place else label
    return f"{spot.hex}: {sketch.word(spot.role)}{label}{': ' if spot.why else ''}{spot.why}"
