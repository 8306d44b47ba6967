"""The grounds of a map: terrain in its colours and textures, water with its shores, and the grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, product
from math import cos, hypot, pi, sin

import msgspec

from ...game.hexes import Corner
from ..colours import INK, darken, mix
from ..geometry import PageBox
from ..palettes import is_water, kinds_of_ground
from ..scene import Circle, Layer, Marks, Path, Point, Polygon, Shape, Symbol, inset
from ..style import GRID, HEX_MM, UNKNOWN_GROUND, Palette
from ..symbols import ASPECT, Symbols
from .courses import Line, shift_line
from .land import POINTS_PER_CORNER, find_rings, land_outlines, ring_line, smooth_outlines, stray_at
from .survey import Survey

_DOT_RADIUS_MM = 0.4
_RIM_WIDTH_MM = 3.6
"""The width of the rim that makes the edge of an area soft."""
_RIM_OPACITY = 0.34
_SHORE_DISTANCES_MM = ((1.6, 0.5), (3.6, 0.32), (6.2, 0.18))
"""The lines along a shore: distance in mm, and share of the shore's colour."""
_HALF_SHORE_WIDTH_MM = 0.55


def terrain_layers(survey: Survey) -> list[Layer]:
    """Return the ground, its textures, and the water over it."""
    hexes: dict[str, set[str]] = {}
    for name, terrain in survey.terrain.items():
        hexes.setdefault(terrain, set()).add(name)
    order = {word: number for number, word in enumerate(survey.look.values(survey.picture.terrain))}
    grounds = sorted(
        (word for word in hexes if word and not is_water(word)), key=lambda word: (order.get(word, len(order)), word)
    )
    water = {name for terrain in hexes if is_water(terrain) for name in hexes[terrain]}
    faint = {name for word in grounds for name in hexes[word] if survey.doubtful(survey.picture.terrain, name)}
    is_covered = bool(grounds) and not faint and "" not in hexes  # the lowest ground can then fill the whole map
    left, top, right, bottom = survey.frame
    below = survey.palette.ground(grounds[0]) if is_covered else UNKNOWN_GROUND
    # the layer `edge` hides whatever lies beyond the hexes
    shapes: list[Shape] = [inset((left, top, right - left, bottom - top), -HEX_MM / 2, fill=below)]
    upper = grounds[1:] if is_covered else grounds
    shapes += _draw_grounds(survey, {word: hexes[word] - faint for word in upper}, water, 1.0)
    shapes += _draw_grounds(survey, {word: hexes[word] & faint for word in grounds}, water, 0.55)
    texture = [signs for word in grounds for signs in draw_texture(survey, word, hexes[word])]
    return [
        Layer("terrain", tuple(shapes)),
        Layer("texture", tuple(texture)),
        Layer("sea", tuple(_draw_water(survey, water))),
    ]


def _draw_grounds(survey: Survey, grounds: Mapping[str, set[str]], water: set[str], opacity: float) -> list[Shape]:
    """Return the areas of grounds, each with a soft edge on the one below.

    An area continues below smaller areas, so that no paper is visible where three areas meet.

    `grounds`: the hexes of each ground, the lowest first.
    `water`: the hexes drawn above all grounds.
    """
    areas: list[list[Shape]] = []
    covered = set(water)
    for word, hexes in reversed([*grounds.items()]):
        if hexes:
            covered |= hexes
            areas.append(_draw_area(survey, hexes, covered, survey.palette.ground(word), opacity))
    return [shape for area in reversed(areas) for shape in area]


def _draw_area(survey: Survey, hexes: set[str], covered: set[str], colour: str, opacity: float) -> list[Shape]:
    """Return an area with a soft edge towards lower grounds.

    `covered`: its hexes and the hexes of areas above it.
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
    width = _RIM_WIDTH_MM * survey.scale.lines**1.4
    return [Path(lines=edges, stroke=colour, width=width, opacity=_RIM_OPACITY), area]


def stretches_along(ring: list[Corner], line: Line, starts: Collection[Corner]) -> Iterator[Line]:
    """Yield the stretches of an outline along some of its hexsides, with the points needed for a soft edge.

    `ring`: the corners of the outline.
    `line`: its smooth line.
    `starts`: the corners where these hexsides begin.
    """
    points = line[POINTS_PER_CORNER - 1 :: POINTS_PER_CORNER]  # two points for each hexside
    inside = [corner in starts for corner in ring]
    if all(inside):
        yield (*points, points[0])
        return
    first = inside.index(False)
    for along, sides in groupby((*range(first, len(ring)), *range(first)), inside.__getitem__):
        if along:
            yield tuple([point for side in sides for point in points[2 * side : 2 * side + 2]])


def open_straits(survey: Survey, sea: Layer, straits: tuple[Line, ...]) -> Layer:
    """Return open water joined with straits, whose shore is drawn below it and whose water above its shore."""
    if not straits:
        return sea
    colour, shore = _water_colours(survey)
    width = _HALF_SHORE_WIDTH_MM * 2 * survey.scale.lines
    below = Path(lines=straits, closed=True, holes=False, fill=shore, stroke=shore, width=width)
    return Layer(sea.name, (below, *sea.shapes, Path(lines=straits, closed=True, holes=False, fill=colour)))


def _water_colours(survey: Survey) -> tuple[str, str]:
    colour = survey.palette.ground(next(filter(is_water, survey.terrain.values())))
    return colour, shore_of(colour)


def shore_of(water: str) -> str:
    """Return the colour of a shore for the colour of its water."""
    return mix(water, darken(water), 0.62)


def _draw_water(survey: Survey, water: set[str]) -> Iterator[Shape]:
    if not water:
        return
    colour, shore = _water_colours(survey)
    coast = smooth_outlines(survey, water)
    yield Path(lines=coast, closed=True, fill=colour, stroke=shore, width=_HALF_SHORE_WIDTH_MM * 2 * survey.scale.lines)
    for off, depth in _SHORE_DISTANCES_MM:
        lines = tuple([shift_line(line, off * survey.scale.lines) for line in coast])
        yield Path(lines=lines, closed=True, stroke=mix(colour, shore, depth), width=0.45 * survey.scale.lines)


# --- textures ---------------------------------------------------------------------------------------------------------

_SIGN_PLACES_HEXES = (
    (0.0, 0.0),
    *((0.378, 0.0), (0.189, 0.327), (-0.189, 0.327), (-0.378, 0.0), (-0.189, -0.327), (0.189, -0.327)),
)
"""The places of a texture's signs, from the middle of a hex; they form even rows over the whole map."""
_ROW_ANGLE_COSINE_AND_SINE = (0.9449, 0.3273)
"""The cosine and sine of the angle between the rows of signs and the hex rows."""
_MAX_STRAY_HEXES = 0.085
_STREWN_PATTERN_COUNT = 64
_TOWN_RADIUS_HEXES = 0.2
"""The radius round a town that is free of signs."""
_NUMBER_DOWN_HEXES = -0.37
"""The distance from the centre of a hex down to the middle of its number: negative, as the number is above."""
_NUMBER_RIGHT_HEXES = -0.2
"""The distance from the centre right to the number in hexes with a level upper side: negative, as it is to the left."""
_NUMBER_GAP_HEXES = 0.17
_SIGN_WIDTHS_MM = {
    "high-mountain": 10.5,
    "mountain": 9.6,
    "hill": 8.0,
    "rough": 7.0,
    "broken": 6.0,
    "forest": 7.0,
    "woods": 6.6,
    "wetlands": 7.4,
}
"""The widths of signs by the kind of ground."""
_OTHER_SIGN_WIDTH_MM = 4.4
"""The width of the sign of any other terrain."""
_CELL_SIDE_MM = 4.0
"""The side of the cells by which names above signs are found."""


def draw_texture(survey: Survey, terrain: str, hexes: set[str]) -> list[Marks]:
    """Return the signs of a terrain, scattered over its hexes but not over numbers and towns."""
    sign, width = sign_of(terrain, survey.palette, survey.symbols)
    if sign is None:
        return []
    small, large = list[Point](), list[Point]()
    scale = survey.scale.lines
    sign = msgspec.structs.replace(sign, width=width * scale, height=sign.height * scale)
    width, height = sign.width, sign.height
    pointy = survey.board.grid.orientation == "pointy"
    strewn = _strew_signs(scale, None if survey.scale.small else (width, height), pointy=pointy)
    for name in survey.hexes:
        if name not in hexes:
            continue
        x, y = survey.layout.centre(name)
        left, top = x - width / 2, y - height / 2
        number = (
            int((stray_at((round(x * 8), round(y * 8)), 80) + 1) / 2 * _STREWN_PATTERN_COUNT) % _STREWN_PATTERN_COUNT
        )
        anywhere, off_town = strewn[number]
        small_signs, large_signs = off_town if survey.is_town(name) else anywhere
        small += [(left + dx, top + dy) for dx, dy in small_signs]
        large += [(left + dx, top + dy) for dx, dy in large_signs]
    small_sign = msgspec.structs.replace(sign, width=width * 0.8, height=height * 0.8)
    return [
        Marks(symbol=symbol, points=tuple(points)) for symbol, points in ((sign, large), (small_sign, small)) if points
    ]


_MIN_GAP_TO_SIDES_MM = 0.8
"""The least distance of a texture's sign from the sides of its hex."""
_Signs = tuple[list[Point], list[Point]]
"""The places of the small and the large signs of a hex, from its centre."""


def clear_texture(layer: Layer, names: Iterable[PageBox]) -> Layer:
    """Return a texture without the signs below names."""
    taken: set[tuple[int, int]] = set()
    for left, top, right, bottom in names:
        columns = range(int(left // _CELL_SIDE_MM), int(right // _CELL_SIDE_MM) + 1)
        rows = range(int(top // _CELL_SIDE_MM), int(bottom // _CELL_SIDE_MM) + 1)
        taken.update(product(columns, rows))
    shapes = []
    for marks in layer.shapes:
        assert isinstance(marks, Marks)
        dx, dy = marks.symbol.width / 2, marks.symbol.height / 2
        points = [
            (x, y) for x, y in marks.points if ((x + dx) // _CELL_SIDE_MM, (y + dy) // _CELL_SIDE_MM) not in taken
        ]
        shapes.append(msgspec.structs.replace(marks, points=tuple(points)))
    return Layer(layer.name, tuple([marks for marks in shapes if marks.points]))


@cache
def _strew_signs(scale: float, size: Point | None, *, pointy: bool) -> list[tuple[_Signs, _Signs]]:
    """Return the patterns of signs in a hex, each as a version without and one with room for a town.

    `scale`: the enlargement of the signs, which makes them fewer.
    `size`: the size of a sign that must stay in its hex, or None if it may leave the hex.
    """
    across, down = _ROW_ANGLE_COSINE_AND_SINE
    patterns = []
    for pattern in range(_STREWN_PATTERN_COUNT):
        small, large = list[Point](), list[Point]()
        for number, (dx, dy) in enumerate(_SIGN_PLACES_HEXES):
            key = pattern, number
            at_x = dx * across - dy * down + stray_at(key, 1) * _MAX_STRAY_HEXES
            at_y = dx * down + dy * across + stray_at(key, 2) * _MAX_STRAY_HEXES
            if size:
                at_x, at_y = _move_inside(at_x, at_y, size, pointy=pointy)
            over_number = (
                abs(at_x - (0.0 if pointy else _NUMBER_RIGHT_HEXES)) < _NUMBER_GAP_HEXES * 1.6
                and abs(at_y - _NUMBER_DOWN_HEXES) < _NUMBER_GAP_HEXES
            )
            if not over_number and stray_at(key, 3) <= 2 / scale**2 - 1:
                (large if stray_at(key, 4) > 0 else small).append((at_x * HEX_MM, at_y * HEX_MM))
        patterns.append(((small, large), (_clear_town(small), _clear_town(large))))
    return patterns


def _clear_town(signs: Iterable[Point]) -> list[Point]:
    return [(x, y) for x, y in signs if hypot(x, y) > HEX_MM * _TOWN_RADIUS_HEXES]


def _move_inside(x: float, y: float, size: Point, *, pointy: bool) -> Point:
    """Return a point, measured from the centre in hexes, moved inwards until a sign of the size fits into the hex."""
    share = 1.0
    for number in range(3):
        angle = pi / 3 * number + (0.0 if pointy else pi / 6)
        across, down = abs(cos(angle)), abs(sin(angle))
        distance = abs(x * cos(angle) + y * sin(angle)) * HEX_MM
        room = HEX_MM / 2 - _MIN_GAP_TO_SIDES_MM - (size[0] * across + size[1] * down) / 2
        share = min(share, max(room, 0.0) / distance if distance else 1.0)
    return x * share, y * share


def sign_of(terrain: str, palette: Palette, symbols: Symbols) -> tuple[Symbol | None, float]:
    """Return the sign of a terrain in its ink and size, or None if it has no sign, and the usual width of the sign.

    Because of the sign, colour is not the only clue.
    """
    sign = symbols.texture(terrain)
    kinds = [kind for kind in kinds_of_ground(terrain) if kind in _SIGN_WIDTHS_MM]
    width = _SIGN_WIDTHS_MM[kinds[0]] if kinds else _OTHER_SIGN_WIDTH_MM
    if sign is None:
        return None, width
    colour = palette.ground(terrain)
    ink = mix(colour, darken(colour), 0.5)
    return msgspec.structs.replace(sign, width=width, height=width / ASPECT, ink=ink), width


def terrain_sign(terrain: str, at: Point, width: float, palette: Palette, symbols: Symbols) -> list[Symbol]:
    """Return the sign of a terrain centred on a point, or nothing if it has none."""
    sign, _ = sign_of(terrain, palette, symbols)
    if sign is None:
        return []
    height = width / ASPECT
    return [msgspec.structs.replace(sign, x=at[0] - width / 2, y=at[1] - height / 2, width=width, height=height)]


# --- the grid and the edge --------------------------------------------------------------------------------------------


def grid_layer(survey: Survey) -> Layer:
    """Return the outlines of the hexes, dashed between two hexes of unknown terrain."""
    if survey.scale.small:
        return Layer("grid", ())
    known, unknown = list[Line](), list[Line]()
    point, draws, terrain = survey.point, survey.layout.draws, survey.terrain
    for name in survey.layout.names:
        run: list[Point] = []
        for beyond, start, end in survey.around[name]:
            is_drawn_here = not beyond or name < beyond or not draws(beyond)
            if is_drawn_here and (terrain[name] or terrain.get(beyond)):
                run = run or [point(start)]
                run.append(point(end))
                continue
            if is_drawn_here:
                unknown.append((point(start), point(end)))
            if run:
                known.append(tuple(run))
            run = []
        if run:
            known.append(tuple(run))
    shapes = []
    for lines, width, dash in ((known, 0.26, ()), (unknown, 0.22, (1.3, 1.1))):
        if lines:
            colour = mix(GRID, UNKNOWN_GROUND, 0.25)
            shapes.append(Path(lines=tuple(lines), stroke=colour, width=width, dash=dash, opacity=0.7))
    return Layer("grid", (*shapes, *dot_layer(survey).shapes))


def dot_layer(survey: Survey) -> Layer:
    """Return the dots in the middle of the hexes, or an empty layer on a small map or a grid without dots."""
    if not survey.board.grid.dots or survey.scale.small:
        return Layer("dots", ())
    colour = mix(GRID, INK, 0.3)
    centres = map(survey.layout.centre, survey.layout.names)
    return Layer("dots", tuple(Circle(x=x, y=y, radius=_DOT_RADIUS_MM, fill=colour) for x, y in centres))


def edge_layer(survey: Survey, width: float, height: float, paper: str) -> Layer:
    """Return paper over everything beyond the hexes, and a line along their edge."""
    margin = HEX_MM
    frame = (
        (-margin, -margin),
        (width + margin, -margin),
        (width + margin, height + margin),
        (-margin, height + margin),
    )
    edge = land_outlines(survey, set(survey.layout.names))
    line = Path(lines=edge, closed=True, stroke=mix(INK, UNKNOWN_GROUND, 0.35), width=0.5 * survey.scale.lines)
    return Layer("edge", (Path(lines=(frame, *edge), closed=True, fill=paper), line))


def plain_hex(points: Sequence[Point], fill: str) -> Polygon:
    """Return a single hex, as for a key."""
    return Polygon(points=tuple(points), fill=fill, stroke=GRID, width=0.25)
