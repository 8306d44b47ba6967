"""The ground: areas of one terrain with soft edges and a texture, water with its shore, the grid, and what hides all
beyond the hexes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from ...drawing.scene import Layer, Marks, Path, Point, Polygon, Shape, Symbol, inset
from ..colours import INK, dark, mixed
from ..palettes import kinds_of_ground
from ..style import GRID, HEX, PLAIN, Palette
from ..symbols import ASPECT, Symbols
from .curves import Line, shifted
from .outlines import exact, outlines, stray
from .survey import Survey

#: Widths of the rims of an area and how much each covers: together its soft edge.
_RIMS = ((10.0, 0.14), (6.4, 0.22), (3.0, 0.32))
#: The lines along a shore: how far off it they are, and how much of its colour they have.
_WATER_LINES = ((1.6, 0.5), (3.6, 0.32), (6.2, 0.18))
_SHORE = 0.55
#: Signs of a texture in a hex: seven, which lie in even rows over the whole map, each a little astray.
_SIGNS = (
    (0.0, 0.0),
    *((0.378, 0.0), (0.189, 0.327), (-0.189, 0.327), (-0.378, 0.0), (-0.189, -0.327), (0.189, -0.327)),
)
_TURN = (0.9449, 0.3273)  # cosine and sine of the angle between these rows and those of the hexes
_ASTRAY = 0.085
#: From the centre of a hex to the middle of its number, and how near a sign may be to it.
_NUMBER_AT, _NUMBER_ROOM = -0.41, 0.17
_SIZES = {
    "high-mountain": 10.5, "mountain": 9.6, "hill": 8.0, "rough": 7.0, "broken": 6.0, "forest": 7.0, "woods": 6.6, "wetlands": 7.4,
}  # fmt: skip
_SIZE = 4.4
#: Grounds that are darker in their midst.
_HIGH = frozenset({"hill", "mountain", "high-mountain"})
WATER = frozenset({"sea", "lake"})


@cache
def is_water(terrain: str) -> bool:
    """Whether a terrain is open water."""
    return not WATER.isdisjoint(kinds_of_ground(terrain)[:1])


def terrain_layers(survey: Survey) -> list[Layer]:
    """The ground with its textures, and water over it."""
    hexes: dict[str, set[str]] = {}
    for name, terrain in survey.terrain.items():
        hexes.setdefault(terrain, set()).add(name)
    palette, shapes, texture = survey.palette, list[Shape](), list[Shape]()
    left, top, right, bottom = survey.frame
    shapes.append(
        inset(left, top, right - left, bottom - top, -HEX / 2, fill=PLAIN)
    )  # the paper hides what is beyond the hexes
    order = {word: number for number, word in enumerate(survey.look.values(survey.picture.terrain))}
    for terrain in sorted(filter(None, hexes), key=lambda word: (order.get(word, len(order)), word)):
        if is_water(terrain):
            continue
        faint = {name for name in hexes[terrain] if survey.doubtful(survey.picture.terrain, name)}
        for some, opacity in ((hexes[terrain] - faint, 1.0), (faint, 0.55)):
            if some:
                colour = palette.ground(terrain)
                shapes += _area(survey, some, colour, opacity)
                if _HIGH.intersection(kinds_of_ground(terrain)) and (heart := _heart(survey, some)):
                    shapes += _area(survey, heart, mixed(colour, dark(colour), 0.12), opacity)
        texture += texture_of(survey, terrain, hexes[terrain])
    water = {name for terrain in hexes if is_water(terrain) for name in hexes[terrain]}
    return [
        Layer("terrain", tuple(shapes)),
        Layer("texture", tuple(texture)),
        Layer("sea", tuple(_water(survey, water))),
    ]


def _heart(survey: Survey, hexes: set[str]) -> set[str]:
    """The hexes of a set whose neighbours all belong to it."""
    return {name for name in hexes if all(beyond in hexes for beyond, _, _ in survey.around[name] if beyond)}


def _area(survey: Survey, hexes: set[str], colour: str, opacity: float) -> Iterator[Shape]:
    """An area with its soft edge."""
    lines = outlines(survey, hexes)
    if opacity >= 1:
        wider = survey.scale.lines**1.4
        for width, share in _RIMS:
            yield Path(lines=lines, closed=True, stroke=colour, width=width * wider, opacity=share)
    yield Path(lines=lines, closed=True, fill=colour, opacity=opacity)


def with_straits(survey: Survey, sea: Layer, straits: tuple[Line, ...]) -> Layer:
    """Open water with straits that open into it: their shore below it, their water above its shore."""
    if not straits:
        return sea
    colour, shore = _water_colours(survey)
    width = _SHORE * 2 * survey.scale.lines
    below = Path(lines=straits, closed=True, holes=False, fill=shore, stroke=shore, width=width)
    return Layer(sea.name, (below, *sea.shapes, Path(lines=straits, closed=True, holes=False, fill=colour)))


def _water_colours(survey: Survey) -> tuple[str, str]:
    """The colours of open water and of its shore."""
    colour = survey.palette.ground(next(filter(is_water, survey.terrain.values())))
    return colour, shore_of(colour)


def shore_of(water: str) -> str:
    """The colour of the shore of water of a colour."""
    return mixed(water, dark(water), 0.62)


def _water(survey: Survey, water: set[str]) -> Iterator[Shape]:
    """Open water as one area, with lines along its shore."""
    if not water:
        return
    colour, shore = _water_colours(survey)
    coast = outlines(survey, water)
    yield Path(lines=coast, closed=True, fill=colour, stroke=shore, width=_SHORE * 2 * survey.scale.lines)
    deep = _heart(survey, water)
    if deep:
        yield from _area(survey, deep, mixed(colour, shore, 0.1), 1.0)
    for off, depth in _WATER_LINES:
        lines = tuple([shifted(line, off * survey.scale.lines) for line in coast])
        yield Path(lines=lines, closed=True, stroke=mixed(colour, shore, depth), width=0.45 * survey.scale.lines)


# --- textures ---------------------------------------------------------------------------------------------------------


def texture_of(survey: Survey, terrain: str, hexes: set[str]) -> list[Marks]:
    """The signs of a terrain, strewn over its hexes but not over their numbers and towns."""
    sign, width = sign_of(terrain, survey.palette, survey.symbols)
    if sign is None:
        return []
    small, large = list[Point](), list[Point]()
    larger = survey.scale.lines
    sign = msgspec.structs.replace(sign, width=width * larger, height=sign.height * larger)
    width, height = sign.width, sign.height
    across, down = _TURN
    for name in survey.hexes:
        if name not in hexes:
            continue
        x, y = survey.layout.centre(name)
        key = round(x * 8), round(y * 8)
        for number, (dx, dy) in enumerate(_SIGNS):
            if (not number and survey.is_town(name)) or stray(key, 80 + number) > 2 / larger**2 - 1:
                continue
            at_x = dx * across - dy * down + stray(key, 2 * number) * _ASTRAY
            at_y = dx * down + dy * across + stray(key, 2 * number + 1) * _ASTRAY
            if abs(at_x) < _NUMBER_ROOM * 1.6 and abs(at_y - _NUMBER_AT) < _NUMBER_ROOM:
                continue
            chosen = large if stray(key, 40 + number) > 0 else small
            chosen.append((x + at_x * HEX - width / 2, y + at_y * HEX - height / 2))
    less = msgspec.structs.replace(sign, width=width * 0.8, height=height * 0.8)
    return [Marks(symbol=symbol, points=tuple(points)) for symbol, points in ((sign, large), (less, small)) if points]


def sign_of(terrain: str, palette: Palette, symbols: Symbols) -> tuple[Symbol | None, float]:
    """The sign of a terrain in its ink and size, so that colour is not the only clue, and its width; None if it has no
    sign.
    """
    sign = symbols.texture(terrain)
    kinds = [kind for kind in kinds_of_ground(terrain) if kind in _SIZES]
    width = _SIZES[kinds[0]] if kinds else _SIZE
    if sign is None:
        return None, width
    colour = palette.ground(terrain)
    ink = mixed(colour, dark(colour), 0.5)
    return msgspec.structs.replace(sign, width=width, height=width / ASPECT, ink=ink), width


def terrain_sign(terrain: str, at: Point, width: float, palette: Palette, symbols: Symbols) -> list[Symbol]:
    """The sign of a terrain centred on a point; empty if it has none."""
    sign, _ = sign_of(terrain, palette, symbols)
    if sign is None:
        return []
    height = width / ASPECT
    return [msgspec.structs.replace(sign, x=at[0] - width / 2, y=at[1] - height / 2, width=width, height=height)]


# --- grid and edge ----------------------------------------------------------------------------------------------------


def grid_layer(survey: Survey) -> Layer:
    """The outlines of the hexes, dashed between two hexes of unknown terrain."""
    if survey.scale.small:
        return Layer("grid", ())
    known, unknown = list[Line](), list[Line]()
    for name in survey.layout.names:
        run: list[Point] = []
        for beyond, start, end in survey.around[name]:
            mine = not beyond or not survey.layout.draws(beyond) or name < beyond
            if mine and (survey.terrain[name] or survey.terrain.get(beyond)):
                run = run or [survey.point(start)]
                run.append(survey.point(end))
                continue
            if mine:
                unknown.append((survey.point(start), survey.point(end)))
            if run:
                known.append(tuple(run))
            run = []
        if run:
            known.append(tuple(run))
    shapes = []
    for lines, width, dash in ((known, 0.26, ()), (unknown, 0.22, (1.3, 1.1))):
        if lines:
            colour = mixed(GRID, PLAIN, 0.25)
            shapes.append(Path(lines=tuple(lines), stroke=colour, width=width, dash=dash, opacity=0.8))
    return Layer("grid", tuple(shapes))


def edge_layer(survey: Survey, width: float, height: float, paper: str) -> Layer:
    """What lies beyond the hexes, hidden by the paper: all that is drawn ends at their edge. width, height: of the
    picture.
    """
    far = HEX
    frame = ((-far, -far), (width + far, -far), (width + far, height + far), (-far, height + far))
    edge = exact(survey, set(survey.layout.names))
    line = Path(lines=edge, closed=True, stroke=mixed(INK, PLAIN, 0.35), width=0.5 * survey.scale.lines)
    return Layer("edge", (Path(lines=(frame, *edge), closed=True, fill=paper), line))


def plain_hex(points: Sequence[Point], fill: str) -> Polygon:
    """A single hex, as for a key."""
    return Polygon(points=tuple(points), fill=fill, stroke=GRID, width=0.25)
