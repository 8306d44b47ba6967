"""The grounds of a map: each terrain as an area of its own colour, and the water with its shores."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby

from ...game.hexes import Corner
from ..colours import darken, mix
from ..palettes import is_water
from ..scene import Layer, Path, Shape, inset
from ..style import HEX, PLAIN
from .courses import Line, shift_line
from .land import SMOOTH, find_rings, ring_line, smooth_outlines
from .survey import Survey
from .textures import draw_texture

_RIM = 3.6  # mm, the rim that makes the edge of an area soft
_RIM_COVERS = 0.34  # how opaque it is
_WATER_LINES = ((1.6, 0.5), (3.6, 0.32), (6.2, 0.18))
"""The lines along a shore: how far off it they are, and how much of its colour they have."""
_SHORE = 0.55  # mm, half the width of the line of a shore


def terrain_layers(survey: Survey) -> list[Layer]:
    """Return the ground with its textures, and water over it."""
    hexes: dict[str, set[str]] = {}
    for name, terrain in survey.terrain.items():
        hexes.setdefault(terrain, set()).add(name)
    order = {word: number for number, word in enumerate(survey.look.values(survey.picture.terrain))}
    grounds = sorted(
        (word for word in hexes if word and not is_water(word)), key=lambda word: (order.get(word, len(order)), word)
    )
    water = {name for terrain in hexes if is_water(terrain) for name in hexes[terrain]}
    faint = {name for word in grounds for name in hexes[word] if survey.doubtful(survey.picture.terrain, name)}
    whole = bool(grounds) and not faint and "" not in hexes  # then the lowest ground lies below all else
    left, top, right, bottom = survey.frame
    below = survey.palette.ground(grounds[0]) if whole else PLAIN
    shapes: list[Shape] = [
        inset((left, top, right - left, bottom - top), -HEX / 2, fill=below)
    ]  # the paper hides what is beyond the hexes
    upper = grounds[1:] if whole else grounds
    shapes += _draw_grounds(survey, {word: hexes[word] - faint for word in upper}, water, 1.0)
    shapes += _draw_grounds(survey, {word: hexes[word] & faint for word in grounds}, water, 0.55)
    texture = [signs for word in grounds for signs in draw_texture(survey, word, hexes[word])]
    return [
        Layer("terrain", tuple(shapes)),
        Layer("texture", tuple(texture)),
        Layer("sea", tuple(_draw_water(survey, water))),
    ]


def _draw_grounds(survey: Survey, grounds: Mapping[str, set[str]], water: set[str], opacity: float) -> list[Shape]:
    """Return the areas of grounds, each with its soft edge on the one before it: an area goes on below those that lie
    on it, so that no paper is seen between three of them. grounds: their hexes, the lowest first; water: what lies on
    all of them.
    """
    areas: list[list[Shape]] = []
    covered = set(water)
    for word, hexes in reversed([*grounds.items()]):
        if hexes:
            covered |= hexes
            areas.append(_draw_area(survey, hexes, covered, survey.palette.ground(word), opacity))
    return [shape for area in reversed(areas) for shape in area]


def _draw_area(survey: Survey, hexes: set[str], covered: set[str], colour: str, opacity: float) -> list[Shape]:
    """Return an area with a soft edge where its hexes meet a lower ground. covered: its hexes and those of what lies on
    it.
    """
    around = find_rings(survey, covered)
    lines = tuple([ring_line(survey, ring) for ring in around])
    area = Path(lines=lines, closed=True, fill=colour, opacity=opacity)
    if opacity < 1:
        return [area]
    soft = {start for name in hexes for beyond, start, _ in survey.around[name] if beyond and beyond not in covered}
    edges = tuple(
        [edge for ring, line in zip(around, lines, strict=True) for edge in stretches_along(ring, line, soft)]
    )
    if not edges:
        return [area]
    width = _RIM * survey.scale.lines**1.4
    return [Path(lines=edges, stroke=colour, width=width, opacity=_RIM_COVERS), area]


def stretches_along(ring: list[Corner], line: Line, some: Collection[Corner]) -> Iterator[Line]:
    """Yield the stretches of an outline along some of its hexsides, with as many points as a soft edge needs. ring: its
    corners; some: those where these hexsides begin.
    """
    points = line[SMOOTH - 1 :: SMOOTH]  # two for each hexside
    inside = [corner in some for corner in ring]
    if all(inside):
        yield (*points, points[0])
        return
    first = inside.index(False)
    for along, sides in groupby((*range(first, len(ring)), *range(first)), inside.__getitem__):
        if along:
            yield tuple([point for side in sides for point in points[2 * side : 2 * side + 2]])


def open_straits(survey: Survey, sea: Layer, straits: tuple[Line, ...]) -> Layer:
    """Return open water with straits that open into it: their shore below it, their water above its shore."""
    if not straits:
        return sea
    colour, shore = _water_colours(survey)
    width = _SHORE * 2 * survey.scale.lines
    below = Path(lines=straits, closed=True, holes=False, fill=shore, stroke=shore, width=width)
    return Layer(sea.name, (below, *sea.shapes, Path(lines=straits, closed=True, holes=False, fill=colour)))


def _water_colours(survey: Survey) -> tuple[str, str]:
    """Return the colours of open water and of its shore."""
    colour = survey.palette.ground(next(filter(is_water, survey.terrain.values())))
    return colour, shore_of(colour)


def shore_of(water: str) -> str:
    """Return the colour of the shore of water of a colour."""
    return mix(water, darken(water), 0.62)


def _draw_water(survey: Survey, water: set[str]) -> Iterator[Shape]:
    """Yield open water as one area, with lines along its shore."""
    if not water:
        return
    colour, shore = _water_colours(survey)
    coast = smooth_outlines(survey, water)
    yield Path(lines=coast, closed=True, fill=colour, stroke=shore, width=_SHORE * 2 * survey.scale.lines)
    for off, depth in _WATER_LINES:
        lines = tuple([shift_line(line, off * survey.scale.lines) for line in coast])
        yield Path(lines=lines, closed=True, stroke=mix(colour, shore, depth), width=0.45 * survey.scale.lines)
