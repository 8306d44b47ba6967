"""How far sources reach: the hexes within their usual and their far reach, tinted and outlined along hexsides."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import hypot

from ...drawing.scene import Layer, Path, Point, Shape
from ...game.hexes import Corner
from ..colours import WHITE, mixed
from ..map.survey import Survey
from .shown import Reach
from .strands import colour_of

NEAR_TINT, FAR_TINT = 0.20, 0.11
"""How strong the tints of ways are, 0 to 1."""
WIDTH, FAR_DASH = 0.8, (3.2, 1.8)
_NEAR_INSET, _FAR_INSET = 1.5, 0.6


def reach_layer(survey: Survey, reaches: Sequence[Reach], sides: Sequence[str], scale: float) -> Layer:
    """The reach of ways as tints, that of single sources as outlines: solid for the usual one, dashed for the far one."""
    shapes: list[Shape] = []
    drawn = frozenset(survey.layout.names)
    for one in sorted(reaches, key=lambda reach: not reach.ways):
        colour = colour_of(sides, one.side)
        near, far = one.near & drawn, one.far & drawn
        if one.ways:
            tints = ((far, FAR_TINT), (near, NEAR_TINT))
            shapes += [
                Path(lines=_rings(survey, hexes), closed=True, fill=mixed(colour, WHITE, 0.15), opacity=tint)
                for hexes, tint in tints
                if hexes
            ]
            continue
        far = frozenset() if far == near else far
        for hexes, inset, dash in ((far, _FAR_INSET, FAR_DASH), (near, _NEAR_INSET, ())):
            lines = _edges(survey, hexes, inset * scale)
            dashes = tuple(part * scale for part in dash)
            if lines:
                shapes.append(Path(lines=lines, stroke=WHITE, width=(WIDTH + 0.7) * scale, opacity=0.6))
                shapes.append(Path(lines=lines, stroke=colour, width=WIDTH * scale, dash=dashes))
    return Layer("reach", tuple(shapes))


def _rings(survey: Survey, hexes: Collection[str]) -> tuple[tuple[Point, ...], ...]:
    from ..map.outlines import exact

    return exact(survey, hexes)


def _edges(survey: Survey, hexes: Collection[str], inset: float) -> tuple[tuple[Point, ...], ...]:
    """The outline of hexes, moved a little inwards; open where it would follow the edge of what is drawn."""
    after: dict[Corner, Corner] = {}
    inside: dict[Corner, list[Point]] = {}
    draws = survey.layout.draws
    for name in survey.layout.names:
        if name not in hexes:
            continue
        centre = survey.layout.centre(name)
        for beyond, start, end in survey.around[name]:
            if beyond not in hexes:
                inside.setdefault(start, []).append(centre)
                inside.setdefault(end, []).append(centre)
                if beyond and draws(beyond):
                    after[start] = end
    edges = []
    entered = set(after.values())
    while after:
        corner = next((corner for corner in after if corner not in entered), None) or next(iter(after))
        run = [corner]
        while corner in after:
            corner = after.pop(corner)
            run.append(corner)
        edges.append(tuple(_moved(survey.point(one), inside[one], inset) for one in run))
    return tuple(edges)


def _moved(point: Point, towards: Sequence[Point], by: float) -> Point:
    """A corner moved towards the middle of the hexes inside."""
    x = sum(at for at, _ in towards) / len(towards) - point[0]
    y = sum(at for _, at in towards) / len(towards) - point[1]
    length = hypot(x, y) or 1.0
    return point[0] + x / length * by, point[1] + y / length * by
