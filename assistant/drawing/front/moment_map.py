"""One map of a game over time: who holds which ground, what was gained, the front, who stands where, moved and fought."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import cos, dist, pi, sin
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.view import View
from ...game.hexes import Corner
from ..colours import INK, WHITE
from ..geometry import move_towards
from ..hatching import Strokes, hatching, slant_of
from ..map.courses import Line, shift_line
from ..map.grounds import stretches_along
from ..map.land import find_rings, ring_line, smooth_outlines
from ..map.survey import SurveyReader
from ..scene import Group, Layer, Path, Point, Polygon, Polyline, Shape, inset, thin_out
from ..situation import counters_of
from ..style import HEX
from ..symbols import ASPECT
from .territory import Held, assign_ground, ground_gained, side_of_unit
from .theatre import FIRE, Theatre

_WASH = 0.12  # share of the ground that the colour of its side covers
GAINED = 0.34  # the same of ground that was gained
HATCHING = Strokes(pitch=2.6, width=0.5, opacity=0.75)
_BAND = 1.5  # mm, the band of each side along the front, on a full-sized map
_BAND_OFF = 0.9  # mm that it is off the front
_FRONT = 0.75  # mm, the line of the front itself
BLOCK = HEX * 0.86
"""The side of a small counter."""


class MomentMap(NamedTuple):
    """A moment as it is drawn."""

    view: View
    held: Held
    """Who holds which hex."""
    gained: Held
    """Since the moment before."""
    moved: Mapping[str, tuple[str, str]]
    """The units that moved, with where they stood."""
    attacked: Sequence[str]
    """The hexes attacked since then."""


def list_moments(theatre: Theatre, views: Sequence[View], attacked: Sequence[Collection[str]]) -> list[MomentMap]:
    """Return the moments of a game as they are drawn. attacked: the hexes attacked before each, since the one before
    it.
    """
    moments = list[MomentMap]()
    for view, fought in zip(views, attacked, strict=True):
        before = moments[-1] if moments else None
        held = assign_ground(view, theatre.area, before.held if before else None)
        gained = ground_gained(before.held, held) if before else {}
        moved = _find_moves(before.view, view) if before else {}
        moments.append(MomentMap(view, held, gained, moved, tuple(sorted(fought))))
    return moments


def _find_moves(before: View, after: View) -> dict[str, tuple[str, str]]:
    """Return the units that stand elsewhere than before, with where they stood and stand."""
    old = before.state.units
    moves: dict[str, tuple[str, str]] = {}
    for unit in after.state.units.values():
        was = old[unit.id].place if unit.id in old else None
        if was and unit.place and was != unit.place:
            moves[unit.id] = (was, unit.place)
    return moves


def moment_layers(theatre: Theatre, moment: MomentMap) -> list[Layer]:
    """Return the map of a moment in layers, at the size of the theatre's layout."""
    return [
        *theatre.base,
        thin_out(_wash_layer(theatre, moment.held), theatre.grain),
        thin_out(_gained_layer(theatre, moment.gained), theatre.grain),
        *theatre.edge,
        *theatre.town_layers,
        thin_out(_front_layer(theatre, moment.held), theatre.grain),
        _arrow_layer(theatre, moment),
        _counter_layer(theatre, moment.view),
        _combat_layer(theatre, moment.attacked),
        *theatre.name_layers,
    ]


# --- ground -----------------------------------------------------------------------------------------------------------


def _side_colour(theatre: Theatre, side: str) -> str:
    return theatre.survey.palette.side(side).strong


def _group_by_side(held: Held) -> dict[str, set[str]]:
    hexes: dict[str, set[str]] = {}
    for place, side in sorted(held.items()):
        hexes.setdefault(side, set()).add(place)
    return dict(sorted(hexes.items()))


def _wash_layer(theatre: Theatre, held: Held) -> Layer:
    """Return the ground of each side in a thin wash of its colour."""
    shapes = [
        Path(lines=smooth_outlines(theatre.survey, hexes), closed=True, fill=_side_colour(theatre, side), opacity=_WASH)
        for side, hexes in _group_by_side(held).items()
    ]
    return Layer("ground", tuple(shapes))


def _gained_layer(theatre: Theatre, gained: Held) -> Layer:
    """Return the ground that was gained, hatched in the colour of its side: each side's strokes lean otherwise."""
    shapes, sides = list[Shape](), [*theatre.game.file.sides]
    for side, hexes in _group_by_side(gained).items():
        colour, larger = _side_colour(theatre, side), theatre.survey.scale.lines
        shapes.append(Path(lines=smooth_outlines(theatre.survey, hexes), closed=True, fill=colour, opacity=GAINED))
        corners = map(theatre.layout.corners, sorted(hexes))
        shapes += hatching(corners, colour, slant_of(sides, side), HATCHING.scaled(larger, larger))
    return Layer("gained", tuple(shapes))


def front_lines(theatre: Theatre, held: Held) -> Iterator[tuple[str, str, Line]]:
    """Yield the front in stretches: of which side the ground to its right is, and of which that to its left."""
    survey, sides = theatre.survey, _group_by_side(held)
    for side, hexes in sides.items():
        borders: set[tuple[Corner, str]] = set()
        for place in hexes:
            for beyond, start, _ in survey.around[place]:
                if held.get(beyond, "") > side:
                    borders.add((start, held[beyond]))
        for ring in find_rings(survey, hexes):
            line = ring_line(survey, ring)
            for other in sorted({other for _, other in borders}):
                for stretch in stretches_along(ring, line, {start for start, whose in borders if whose == other}):
                    yield side, other, stretch


def _front_layer(theatre: Theatre, held: Held) -> Layer:
    """Return the front: a line with a band of each side's colour beside it."""
    scale, bands, lines = theatre.survey.scale.lines, list[Shape](), list[Line]()
    for side, other, line in front_lines(theatre, held):
        lines.append(line)
        for whose, offset in ((side, _BAND_OFF), (other, -_BAND_OFF)):
            band = shift_line(line, offset * scale)
            bands.append(Polyline(points=band, stroke=_side_colour(theatre, whose), width=_BAND * scale, butt=True))
    if not lines:
        return Layer("front", ())
    ink = Path(lines=tuple(lines), stroke=INK, width=_FRONT * scale)
    rim = Path(lines=tuple(lines), stroke=WHITE, width=(2 * _BAND + 2.2 * _BAND_OFF) * scale, opacity=0.75)
    return Layer("front", (rim, *bands, ink))


# --- units ------------------------------------------------------------------------------------------------------------


def _counter_layer(theatre: Theatre, view: View) -> Layer:
    """Return who stands where: counters where there is room for them, else a block for each stack with the symbol of
    its top unit.
    """
    reader = SurveyReader(view)
    if not theatre.is_small:
        layer, _, _ = counters_of(theatre.layout, reader, theatre.symbols, (), {})
        return layer
    groups = []
    for place in theatre.names:
        stack, unseen = reader.state.stack(place), reader.unseen_nation(place)
        nations = [reader.word(reader.picture.nation, unit.id) for unit in stack]
        named = [unit.id for unit in stack]
        if unseen is not None:
            nations.append(unseen)
            named.append("unseen units")
        if nations:
            arm = reader.word(reader.picture.symbol, stack[0].id) if stack else ""
            block = tuple(_draw_block(theatre, theatre.layout.centre(place), nations, arm))
            groups.append(Group(f"{place}: {', '.join(named)}", block))
    return Layer("units", tuple(groups))


def _draw_block(theatre: Theatre, at: Point, nations: Sequence[str], arm: str) -> Iterator[Shape]:
    """Yield a stack as a small block round a point in the strong colours of its nations, with the symbol of its top
    unit: the counters below the top one show at its edge, two at most.
    """
    (x, y), height, depths = at, BLOCK * 0.7, min(len(nations), 3)
    for depth in range(depths - 1, -1, -1):
        strong = theatre.survey.palette.inks(nations[min(depth, len(nations) - 1)]).strong
        offset = (depth - (depths - 1) / 2) * BLOCK * 0.09
        box = x - BLOCK / 2 + offset, y - height / 2 + offset, BLOCK, height
        yield inset(box, 0.0, radius=BLOCK * 0.06, fill=strong, stroke=WHITE, stroke_width=BLOCK * 0.06)
    offset = -(depths - 1) / 2 * BLOCK * 0.09
    if (symbol := theatre.symbols.symbol(arm) if arm else None) is not None:
        inks = theatre.survey.palette.inks(nations[0])
        width = height * ASPECT
        yield replace(
            symbol, x=x + offset - width / 2, y=y + offset - height / 2, width=width, height=height, ink=inks.strong_ink
        )


def _arrow_layer(theatre: Theatre, moment: MomentMap) -> Layer:
    """Return the ways of the units that moved, from where they stood to where they stand."""
    layout, scale, units = theatre.layout, theatre.survey.scale.lines, moment.view.state.units
    ways = {way: side_of_unit(moment.view, units[unit]) for unit, way in moment.moved.items()}
    arrows = []
    for (before, after), side in ways.items():
        if before not in theatre.area or after not in theatre.area or not side:
            continue
        start, end = layout.centre(before), layout.centre(after)
        distance = dist(start, end)
        points = start, move_towards(end, start, min(BLOCK * 0.5, distance / 3))
        width = 1.0 * scale
        arrows.append(
            Polyline(
                points=points,
                stroke=_side_colour(theatre, side),
                width=width,
                head=min(3.4 * scale, distance * 0.3),
                casing=WHITE,
                casing_width=width * 2.0,
                casing_opacity=0.8,
            )
        )
    return Layer("ways", tuple(arrows))


def _combat_layer(theatre: Theatre, attacked: Iterable[str]) -> Layer:
    """Return a star in each hex that was attacked."""
    groups, larger = [], theatre.survey.scale.lines
    for place in attacked:
        if place in theatre.area:
            x, y = theatre.layout.centre(place)
            at = x + HEX * 0.27, y - HEX * 0.25
            groups.append(Group(f"{place}: attacked", tuple(star_shapes(at, 3.2 * larger))))
    return Layer("combats", tuple(groups))


def star_shapes(at: Point, radius: float) -> Iterator[Shape]:
    """Yield the sign of a combat round a point: a star of eight rays."""
    points = []
    for number in range(16):
        far, turn = radius * (1.0 if number % 2 == 0 else 0.5), number * pi / 8
        points.append((at[0] + far * sin(turn), at[1] - far * cos(turn)))
    yield Polygon(points=tuple(points), fill=FIRE, stroke=WHITE, width=radius * 0.22)
