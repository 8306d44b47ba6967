"""The grid of a map and the edge of its land."""

from __future__ import annotations

from collections.abc import Sequence

from ..colours import INK, mix
from ..scene import Layer, Path, Point, Polygon
from ..style import GRID, HEX, PLAIN
from .courses import Line
from .land import land_outlines
from .survey import Survey


def grid_layer(survey: Survey) -> Layer:
    """Return the outlines of the hexes, dashed between two hexes of unknown terrain."""
    if survey.scale.small:
        return Layer("grid", ())
    known, unknown = list[Line](), list[Line]()
    point, draws, terrain = survey.point, survey.layout.draws, survey.terrain
    for name in survey.layout.names:
        run: list[Point] = []
        for beyond, start, end in survey.around[name]:
            mine = not beyond or name < beyond or not draws(beyond)
            if mine and (terrain[name] or terrain.get(beyond)):
                run = run or [point(start)]
                run.append(point(end))
                continue
            if mine:
                unknown.append((point(start), point(end)))
            if run:
                known.append(tuple(run))
            run = []
        if run:
            known.append(tuple(run))
    shapes = []
    for lines, width, dash in ((known, 0.26, ()), (unknown, 0.22, (1.3, 1.1))):
        if lines:
            colour = mix(GRID, PLAIN, 0.25)
            shapes.append(Path(lines=tuple(lines), stroke=colour, width=width, dash=dash, opacity=0.7))
    return Layer("grid", tuple(shapes))


def edge_layer(survey: Survey, width: float, height: float, paper: str) -> Layer:
    """Return what lies beyond the hexes, hidden by the paper: all that is drawn ends at their edge. width, height: of
    the picture.
    """
    margin = HEX
    frame = (
        (-margin, -margin),
        (width + margin, -margin),
        (width + margin, height + margin),
        (-margin, height + margin),
    )
    edge = land_outlines(survey, set(survey.layout.names))
    line = Path(lines=edge, closed=True, stroke=mix(INK, PLAIN, 0.35), width=0.5 * survey.scale.lines)
    return Layer("edge", (Path(lines=(frame, *edge), closed=True, fill=paper), line))


def plain_hex(points: Sequence[Point], fill: str) -> Polygon:
    """Return a single hex, as for a key."""
    return Polygon(points=tuple(points), fill=fill, stroke=GRID, width=0.25)
