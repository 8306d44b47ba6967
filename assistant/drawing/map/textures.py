"""The textures of grounds: signs strewn over the hexes of a terrain."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from math import cos, hypot, pi, sin

import msgspec

from ..colours import darken, mix
from ..geometry import PageBox
from ..palettes import kinds_of_ground
from ..scene import Layer, Marks, Point, Symbol
from ..style import HEX, Palette
from ..symbols import ASPECT, Symbols
from .land import stray_at
from .survey import Survey

_SIGNS = (
    (0.0, 0.0),
    *((0.378, 0.0), (0.189, 0.327), (-0.189, 0.327), (-0.378, 0.0), (-0.189, -0.327), (0.189, -0.327)),
)
"""Signs of a texture in a hex: seven, which lie in even rows over the whole map, each a little astray."""
_TURN = (0.9449, 0.3273)  # cosine and sine of the angle between these rows and those of the hexes
_ASTRAY = 0.085  # hexes that a sign is astray at most
_WAYS = 64  # in which signs are strewn over a hex
_TOWN_ROOM = 0.2  # hexes round the middle that are free of signs where a town lies
_NUMBER_AT = -0.37  # hexes from the centre of a hex down to the middle of its number
_NUMBER_ASIDE = -0.2  # hexes to its right, where hexes stand on a side
_NUMBER_ROOM = 0.17  # hexes that a sign stays off it
_SIZES = {
    "high-mountain": 10.5,
    "mountain": 9.6,
    "hill": 8.0,
    "rough": 7.0,
    "broken": 6.0,
    "forest": 7.0,
    "woods": 6.6,
    "wetlands": 7.4,
}
"""Mm, the widths of signs by the kind of ground."""
_SIZE = 4.4  # mm, the width of the sign of any other terrain
_CELL = 4.0  # mm, the side of the cells in which names are found under which signs would lie


def draw_texture(survey: Survey, terrain: str, hexes: set[str]) -> list[Marks]:
    """Return the signs of a terrain, strewn over its hexes but not over their numbers and towns."""
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
        number = int((stray_at((round(x * 8), round(y * 8)), 80) + 1) / 2 * _WAYS) % _WAYS
        anywhere, off_town = strewn[number]
        small_signs, large_signs = off_town if survey.is_town(name) else anywhere
        small += [(left + dx, top + dy) for dx, dy in small_signs]
        large += [(left + dx, top + dy) for dx, dy in large_signs]
    less = msgspec.structs.replace(sign, width=width * 0.8, height=height * 0.8)
    return [Marks(symbol=symbol, points=tuple(points)) for symbol, points in ((sign, large), (less, small)) if points]


_OFF_SIDES = 0.8
"""How far a sign of a texture stays off the sides of its hex."""
_Signs = tuple[list[Point], list[Point]]
"""Where the small and the large signs of a hex stand, from its centre."""


def clear_texture(layer: Layer, names: Iterable[PageBox]) -> Layer:
    """Return a texture without the signs that would lie under names."""
    taken: set[tuple[int, int]] = set()
    for left, top, right, bottom in names:
        columns = range(int(left // _CELL), int(right // _CELL) + 1)
        rows = range(int(top // _CELL), int(bottom // _CELL) + 1)
        taken.update(product(columns, rows))
    shapes = []
    for marks in layer.shapes:
        assert isinstance(marks, Marks)
        dx, dy = marks.symbol.width / 2, marks.symbol.height / 2
        points = [(x, y) for x, y in marks.points if ((x + dx) // _CELL, (y + dy) // _CELL) not in taken]
        shapes.append(msgspec.structs.replace(marks, points=tuple(points)))
    return Layer(layer.name, tuple([marks for marks in shapes if marks.points]))


@cache
def _strew_signs(scale: float, size: Point | None, *, pointy: bool) -> list[tuple[_Signs, _Signs]]:
    """Return the ways in which signs are strewn over a hex, each without a town in its middle and with one. larger: how
    much larger the signs are, and the fewer; size: of a sign that stays in its hex, None where it need not; pointy:
    whether hexes stand on a point.
    """
    across, down = _TURN
    ways = []
    for way in range(_WAYS):
        small, large = list[Point](), list[Point]()
        for number, (dx, dy) in enumerate(_SIGNS):
            key = way, number
            at_x = dx * across - dy * down + stray_at(key, 1) * _ASTRAY
            at_y = dx * down + dy * across + stray_at(key, 2) * _ASTRAY
            if size:
                at_x, at_y = _move_inside(at_x, at_y, size, pointy=pointy)
            over_number = (
                abs(at_x - (0.0 if pointy else _NUMBER_ASIDE)) < _NUMBER_ROOM * 1.6
                and abs(at_y - _NUMBER_AT) < _NUMBER_ROOM
            )
            if not over_number and stray_at(key, 3) <= 2 / scale**2 - 1:
                (large if stray_at(key, 4) > 0 else small).append((at_x * HEX, at_y * HEX))
        ways.append(((small, large), (_clear_town(small), _clear_town(large))))
    return ways


def _clear_town(signs: Iterable[Point]) -> list[Point]:
    return [(x, y) for x, y in signs if hypot(x, y) > HEX * _TOWN_ROOM]


def _move_inside(x: float, y: float, size: Point, *, pointy: bool) -> Point:
    """Return a point in a hex, from its centre and in hexes, as far towards the centre as a sign of a size needs to lie
    within the hex.
    """
    share = 1.0
    for number in range(3):
        angle = pi / 3 * number + (0.0 if pointy else pi / 6)
        across, down = abs(cos(angle)), abs(sin(angle))
        distance = abs(x * cos(angle) + y * sin(angle)) * HEX
        room = HEX / 2 - _OFF_SIDES - (size[0] * across + size[1] * down) / 2
        share = min(share, max(room, 0.0) / distance if distance else 1.0)
    return x * share, y * share


def sign_of(terrain: str, palette: Palette, symbols: Symbols) -> tuple[Symbol | None, float]:
    """Return the sign of a terrain in its ink and size, so that colour is not the only clue, and its width; None if it
    has no sign.
    """
    sign = symbols.texture(terrain)
    kinds = [kind for kind in kinds_of_ground(terrain) if kind in _SIZES]
    width = _SIZES[kinds[0]] if kinds else _SIZE
    if sign is None:
        return None, width
    colour = palette.ground(terrain)
    ink = mix(colour, darken(colour), 0.5)
    return msgspec.structs.replace(sign, width=width, height=width / ASPECT, ink=ink), width


def terrain_sign(terrain: str, at: Point, width: float, palette: Palette, symbols: Symbols) -> list[Symbol]:
    """Return the sign of a terrain centred on a point; empty if it has none."""
    sign, _ = sign_of(terrain, palette, symbols)
    if sign is None:
        return []
    height = width / ASPECT
    return [msgspec.structs.replace(sign, x=at[0] - width / 2, y=at[1] - height / 2, width=width, height=height)]
