"""The layers of a sketch below its texts: zones of control as hatching, levels as shades, and the roles of hexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.sketch import Role, Sketch, Spot
from ..colours import INK, WHITE, mix
from ..geometry import PageBox, hexagon, middle_of, move_towards, point_between
from ..hatching import Strokes, hatching, slant_of
from ..layout import Layout
from ..map.land import inner_outlines
from ..map.survey import Survey
from ..scene import Group, Layer, Path, Point, Shape
from ..style import RADIUS, SOFT_INK, TARGET_RIM_MM

# --- zones of control -------------------------------------------------------------------------------------------------

ZONE = Strokes(pitch=3.1, width=0.42, opacity=0.6)
"""The strokes of a zone of control."""


def zone_layer(layout: Layout, sketch: Sketch, colours: Mapping[str, str]) -> Layer:
    """Return the hexes in zones of control, hatched in the colour of their side."""
    sides = [zone.side for zone in sketch.zones]
    shapes = list[Shape]()
    for zone in sketch.zones:
        hexes = map(layout.corners, sorted(zone.hexes))
        shapes += hatching(hexes, colours[zone.side], slant_of(sides, zone.side), ZONE)
    return Layer("zones", tuple(shapes))


# --- levels of shade --------------------------------------------------------------------------------------------------

SHADES = ("#fbf0bd", "#f7cf75", "#ea9440", "#bf4f1f", "#7a1c1c")
"""The shade of each level: ever darker, so that levels differ in grey and for colour-blind players too."""
_HATCH_PITCHES_MM = (0.0, 5.2, 3.4, 2.2, 1.5)
"""The distance between the strokes over each shade, or 0 for no strokes."""
_MAX_LIGHT_LEVEL = 3
"""The highest level with dark strokes; on darker shades they are white."""
_SHADE_OPACITY = 0.74
_SHADED_SHARE = 0.84
"""The share of a hex that its shade fills, so that ground is visible round it."""
_SHADED_SHARE_OF_WEAKEST = 0.79


def shade_shapes(level: int, corners: Sequence[Point], scale: float = 1.0) -> list[Shape]:
    """Return the shade of a hex, darker and with denser strokes for a higher level."""
    if not level:
        return []
    shapes: list[Shape] = [Path(lines=(tuple(corners),), closed=True, fill=SHADES[level - 1], opacity=_SHADE_OPACITY)]
    if pitch := _HATCH_PITCHES_MM[level - 1]:
        ink = WHITE if level > _MAX_LIGHT_LEVEL else INK
        shapes += hatching([corners], ink, 60.0, Strokes(pitch=pitch * scale, width=0.35 * scale, opacity=0.6))
    return shapes


def shade_layer(layout: Layout, sketch: Sketch) -> Layer:
    """Return the hexes that are shaded by a level."""
    shades = ((spot, shade_shapes(spot.level, _shade_corners(layout, spot))) for spot in sketch.spots)
    return Layer("shades", tuple(Group(format_spot(sketch, spot), tuple(shapes)) for spot, shapes in shades if shapes))


def _shade_corners(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    share = _SHADED_SHARE_OF_WEAKEST if spot.role == "weakest" else _SHADED_SHARE
    return hexagon(layout.centre(spot.hex), RADIUS * share, flat=layout.flat)


# --- the parts of hexes -----------------------------------------------------------------------------------------------

AREAS: tuple[Role, ...] = ("reached", "beyond")
"""The roles with one outline round all their hexes and those of the previous roles."""
_LIMIT_INSET_MM = 1.9
"""The distance of this outline from the corners, clear of rivers and borders along the hexsides."""
_FRAME_SHARE = 0.95
"""The size of the outline inside a hex, as a share, so that rivers and borders along its sides are visible."""


def frame_shapes(role: Role, corners: Sequence[Point], colour: str, scale: float = 1.0) -> list[Shape]:
    """Return the outline of a hex by its role, or an empty list if the role has none.

    Roles differ in form, not only in colour. A plain line is the start, or a hex within reach. A double line is the
    end, a heavy one a target, also the weakest of the hexes compared. A dashed line is an open hex, and a dotted one a
    hex beyond the allowance. Dots far from each other mean that a danger is unknown.
    """

    lines: tuple[tuple[Point, ...], ...] = (tuple(corners),)
    if role == "end":
        middle = middle_of(corners)
        lines += (tuple([move_towards(corner, middle, 2.0 * scale) for corner in corners]),)

    def rim(width: float, opacity: float = 0.75) -> Path:
        return Path(lines=lines, closed=True, stroke=WHITE, width=width * scale, opacity=opacity)

    def line(width: float, ink: str = colour) -> Path:
        return Path(lines=lines, closed=True, stroke=ink, width=width * scale)

    def dashes(width: float, dash: float, gap: float, ink: str = colour) -> Path:
        pattern = (dash * scale, gap * scale)
        return Path(lines=lines, closed=True, stroke=ink, width=width * scale, dash=pattern, butt=True)

    match role:
        case "start":
            return [rim(2.2), line(1.4)]
        case "end":
            return [rim(1.6), line(0.8)]
        case "reached":
            return [rim(2.2), line(1.1)]
        case "beyond":
            return [rim(1.8), dashes(1.0, 0.9, 1.1)]
        case "open":
            return [rim(1.6), dashes(0.9, 2.4, 1.3)]
        case "unknown":
            return [rim(1.6), dashes(0.8, 0.8, 2.4, SOFT_INK)]
        case "weakest":
            return [rim(3.4, opacity=0.9), line(2.2)]
        case "target":
            return [rim(TARGET_RIM_MM), line(2.2)]
    return []


_TINT_OPACITIES: Mapping[Role, float] = MappingProxyType({"start": 0.14, "target": 0.3})


def tint_shapes(role: Role, corners: Sequence[Point], colour: str) -> list[Shape]:
    """Return the tint of a hex by its role, or an empty list if the role has none."""
    return (
        [Path(lines=(tuple(corners),), closed=True, fill=colour, opacity=_TINT_OPACITIES[role])]
        if role in _TINT_OPACITIES
        else []
    )


def tint_layer(layout: Layout, sketch: Sketch, colours: Mapping[str, str], target: str) -> Layer:
    """Return the layer that tints hexes by their roles.

    `colours`: the colour of each side.
    `target`: the colour of hexes with the role `target`.
    """
    shapes = list[Shape]()
    for spot in sketch.spots:
        colour = target if spot.role == "target" else colours[spot.side or sketch.side]
        shapes += tint_shapes(spot.role, _frame_corners(layout, spot), colour)
    return Layer("tints", tuple(shapes))


def tinted_grounds(survey: Survey, sketch: Sketch, colours: Mapping[str, str], target: str) -> dict[str, str]:
    """Return the colour of the ground under each tint or shade, by hex.

    `colours`, `target`: as in `tint_layer`.
    """
    grounds = dict[str, str]()
    for spot in sketch.spots:
        if spot.level:
            grounds[spot.hex] = mix(survey.ground(spot.hex), SHADES[spot.level - 1], _SHADE_OPACITY)
        elif spot.role in _TINT_OPACITIES:
            colour = target if spot.role == "target" else colours[spot.side or sketch.side]
            grounds[spot.hex] = mix(survey.ground(spot.hex), colour, _TINT_OPACITIES[spot.role])
    return grounds


def _frame_corners(layout: Layout, spot: Spot) -> tuple[Point, ...]:
    return hexagon(layout.centre(spot.hex), RADIUS * _FRAME_SHARE, flat=layout.flat)


class HexOutline(NamedTuple):
    """The outline of a hex or of an area."""

    title: str
    """A text that names the hexes and their role."""
    shapes: Sequence[Shape]
    is_limit: bool = False
    """Whether it surrounds an area, so that rivers along it must not hide it."""


def outlines_of(survey: Survey, sketch: Sketch, colours: Mapping[str, str], target: str) -> list[HexOutline]:
    """Return the outlines of hexes by their roles."""
    colour = colours[sketch.side]
    outlines, layout = list[HexOutline](), survey.layout
    inside = {spot.hex for spot in sketch.spots if spot.role == "start"}
    for role in AREAS:
        if within := {spot.hex for spot in sketch.spots if spot.role == role}:
            inside |= within
            shapes = [
                shape
                for corners in inner_outlines(survey, inside, _LIMIT_INSET_MM)
                for shape in frame_shapes(role, corners, colour)
            ]
            title = f"{', '.join(sorted(within))}: {sketch.word(role)}"
            outlines.insert(0, HexOutline(title, shapes, is_limit=True))
    for spot in sketch.spots:
        if spot.role in AREAS:
            continue
        tint = target if spot.role == "target" else colours[spot.side or sketch.side]
        if drawn := frame_shapes(spot.role, _frame_corners(layout, spot), tint):
            outlines.append(HexOutline(f"{spot.hex}: {sketch.word(spot.role)}", drawn))
    return outlines


def lines_of_outlines(outlines: Iterable[HexOutline]) -> Iterator[tuple[Point, ...]]:
    """Yield the lines of outlines. A closed line repeats its first point at the end."""
    for outline in outlines:
        for shape in outline.shapes[:1]:  # the other shapes follow the same line
            yield from _lines_of_shape(shape)


def _lines_of_shape(shape: Shape) -> Iterator[tuple[Point, ...]]:
    if isinstance(shape, Path):
        for line in shape.lines:
            yield (*line, line[0]) if shape.closed else tuple(line)


def outline_layer(outlines: Iterable[HexOutline], written: Sequence[PageBox], name: str = "parts") -> Layer:
    """Return the outlines of hexes, interrupted at the texts on them. A text on the rim alone does not interrupt them.

    `name`: the name of the layer.
    """
    groups = list[Group]()
    for outline in outlines:
        paths = [shape for shape in outline.shapes if isinstance(shape, Path)]
        half = min((path.width for path in paths), default=0.0) / 2
        grown = [PageBox(box.left - half, box.top - half, box.right + half, box.bottom + half) for box in written]
        shapes = [_break_path(path, grown) for path in paths]
        groups.append(Group(outline.title, tuple(shape for shape in shapes if shape.lines)))
    return Layer(name, tuple(groups))


def _break_path(path: Path, boxes: Sequence[PageBox]) -> Path:
    lines = [*_lines_of_shape(path)]
    runs = [run for line in lines for run in _break_line_or_ring(line, boxes)]
    return path if runs == lines else replace(path, lines=tuple(runs), closed=False, butt=True)


def _break_line_or_ring(points: Sequence[Point], boxes: Sequence[PageBox]) -> list[tuple[Point, ...]]:
    """Return the parts of a line outside the boxes; the parts of a ring join where it begins and ends."""
    runs = break_line(points, boxes)
    if len(runs) > 1 and points[0] == points[-1] == runs[0][0] == runs[-1][-1]:
        return [*runs[1:-1], (*runs[-1], *runs[0][1:])]
    return runs


def break_line(points: Sequence[Point], boxes: Iterable[PageBox]) -> list[tuple[Point, ...]]:
    """Return the parts of a line outside the boxes."""
    runs, boxes = [list[Point]()], list(boxes)
    for start, end in pairwise(points):
        cuts = sorted(filter(None, (_shares_within(start, end, box) for box in boxes)))
        at = 0.0
        for enter, leave in cuts:
            if enter > at:
                runs[-1] += [point_between(start, end, at), point_between(start, end, enter)]
            if leave > at:
                runs.append([])
                at = leave
        if at < 1.0:
            runs[-1] += [point_between(start, end, at), end]
    return [tuple(point for point, _ in groupby(run)) for run in runs if len(set(run)) > 1]


def _shares_within(start: Point, end: Point, box: PageBox) -> tuple[float, float] | None:
    """Return the shares of a line at which it enters and leaves the box, or None if it misses the box."""
    first, last = 0.0, 1.0
    for one, other, lower, upper in (
        (start[0], end[0], box.left, box.right),
        (start[1], end[1], box.top, box.bottom),
    ):
        if abs(other - one) < 1e-9:
            if not lower < one < upper:
                return None
            continue
        enter, leave = sorted(((lower - one) / (other - one), (upper - one) / (other - one)))
        first, last = max(first, enter), min(last, leave)
    return (first, last) if first < last else None


def format_spot(sketch: Sketch, spot: Spot) -> str:
    """Return a text that describes a hex and its role."""
    label = f", {spot.label}" if spot.label else ""
    label = f", {spot.place}.{label}" if spot.place else label
    return f"{spot.hex}: {sketch.word(spot.role)}{label}{': ' if spot.why else ''}{spot.why}"
