"""The board around a picture of lines, in pale tints: its grounds, great rivers, frontiers and cities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import product, starmap

from ...game.hexes import Corner, Hex, HexGrid
from ...state.state import hexside
from ..colours import mix
from ..map.borders import INKS
from ..map.countries import frontier_among
from ..map.land import walk_rings
from ..map.names import printed_name
from ..map.survey import Survey
from ..map.towns import town_kind
from ..scene import Circle, Layer, Path, Point, Shape, Text
from ..style import PAPER, PLAIN, RIVER, SOFT_INK

_PALE = 0.55
"""How much of the paper a colour of the backdrop has."""
_CITIES = ("city", "fortress")  # kinds of places that are named
_CITY_LETTERS = 10.0  # mm, the size of their letters on a hex of full size
_GREAT = 1.7
"""The width from which on a river is a great one."""
_MOST = 12_000
"""How many hexes a backdrop has at most: a larger one says little and takes long."""


def backdrop_layer(survey: Survey, large: float) -> Layer:
    """Return the hexes of the board in the box round those that are drawn, each ground in a pale tint, with great
    rivers, frontiers and cities; nothing where no ground is known. large: how much larger letters are than on a sheet.
    """
    reader, palette, grid = survey.look, survey.palette, survey.board.grid
    by_colour: dict[str, list[Hex]] = {}
    beyond = dict(_find_hexes_beyond(survey))
    if len(beyond) > _MOST:
        return Layer("backdrop", ())
    for name, terrain in reader.words_on_map(reader.picture.terrain, beyond).items():
        by_colour.setdefault(palette.ground(terrain) if terrain else PLAIN, []).append(beyond[name])
    if by_colour.keys() <= {PLAIN}:
        return Layer("backdrop", ())
    shapes: list[Shape] = []
    for colour, hexes in by_colour.items():
        pale = mix(colour, PAPER, _PALE)
        rings = tuple(_find_rings(grid, hexes, survey))
        shapes.append(Path(lines=rings, closed=True, fill=pale, stroke=pale, width=0.4))
    shapes += (*_draw_hexsides(survey, beyond), *_draw_cities(survey, beyond, large))
    return Layer("backdrop", tuple(shapes))


def _draw_hexsides(survey: Survey, hexes: Collection[str]) -> Iterator[Shape]:
    """Yield the great rivers and the frontiers along the sides of some hexes, each as straight lines."""
    reader, picture, palette = survey.look, survey.picture, survey.palette
    frontier = frontier_among(reader.values(picture.border), ())

    def lines_along(track: str, wanted: Callable[[str], bool]) -> tuple[tuple[Point, Point], ...]:
        known = (side.partition("|") for side in survey.board.known(track) if track in reader.tracks)
        ends = {hexside(one, other): (one, other) for one, _, other in known if one in hexes and other in hexes}
        lying = reader.lying_on(track, ends)
        return tuple([survey.layout.hexside(*ends[name]) for name, words in lying.items() if any(map(wanted, words))])

    @cache
    def is_great(word: str) -> bool:
        style = palette.hexside(word)
        return style is not None and style.kind == "river" and style.width >= _GREAT

    for lines, colour, width in (
        (lines_along(picture.barrier, is_great), mix(RIVER, PAPER, 0.6), 2.2),
        (lines_along(picture.border, lambda word: word == frontier), mix(INKS, PAPER, 0.5), 1.4),
    ):
        if lines:
            yield Path(lines=lines, stroke=colour, width=width * survey.scale.lines)


def _draw_cities(survey: Survey, hexes: Collection[str], large: float) -> Iterator[Shape]:
    """Yield the cities and fortresses in some hexes, with their names."""
    ink, size = mix(SOFT_INK, PAPER, 0.35), _CITY_LETTERS * survey.scale.letters * large
    for place in survey.places:
        if place.hex in hexes and town_kind(place.kind) in _CITIES:
            x, y = survey.layout.centre(place.hex)
            yield Circle(x=x, y=y, radius=size * 0.3, fill=PAPER, stroke=ink, width=size * 0.12)
            at = y + size * 1.35
            yield Text(x=x, y=at, text=printed_name(place.name), size=size, anchor="middle", fill=ink, halo=PAPER)


def _find_hexes_beyond(survey: Survey) -> Iterator[tuple[str, Hex]]:
    """Yield the hexes of the board that lie in the box round those that are drawn and are none of them."""
    layout, grid = survey.layout, survey.board.grid
    at = [grid.parse(name) for name in layout.names]
    columns, rows = [one.column for one in at], [one.row for one in at]
    across, down = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
    of_board = survey.board.hexes
    if len(across) * len(down) < len(of_board):
        named = {grid.name(here): here for here in starmap(Hex, product(across, down))}
        inside = {name: here for name, here in named.items() if name in of_board}
    else:
        parsed = ((name, grid.parse(name)) for name in of_board)
        inside = {name: here for name, here in parsed if here.column in across and here.row in down}
    for name in sorted(inside):
        if not layout.draws(name):
            yield name, inside[name]


def _find_rings(grid: HexGrid, hexes: Iterable[Hex], survey: Survey) -> Iterator[tuple[Point, ...]]:
    """Yield the closed outlines of hexes along their hexsides: what lies between two of them is left out."""
    sides: set[tuple[Corner, Corner]] = set()
    for at in hexes:
        corners = grid.outline(at)
        for side in zip(corners, (*corners[1:], corners[0]), strict=True):
            if (back := (side[1], side[0])) in sides:
                sides.discard(back)
            else:
                sides.add(side)
    for ring in walk_rings(dict(sides)):
        yield tuple(map(survey.point, ring))
