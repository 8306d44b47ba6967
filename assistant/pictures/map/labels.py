"""The names of regions, ranges and waters across a map, where they cover the least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from ...drawing.lettering import text_width
from ...drawing.scene import Group, Layer, Point, Shape, Text
from ...game.boards import Label
from ..colours import INK, WHITE, mix
from ..layout import Area, middle_of, point_between
from ..style import HEX, PLAIN
from .courses import Line, reach, smooth
from .land import is_water
from .names import WATER_INK, letter_box, letters
from .survey import Room, Survey


class LabelStyle(NamedTuple):
    """How names of a kind look: their ink and their largest size."""

    ink: str
    most: float


_STYLES = {
    "region": LabelStyle(mix(INK, PLAIN, 0.6), 21.0),
    "range": LabelStyle("#755634", 17.0),
    "water": LabelStyle(mix(WATER_INK, WHITE, 0.15), 19.0),
}
_LAKE = LabelStyle(WATER_INK, 6.0)
_LEAST = 5.2
#: How much larger they may be on a small map, and how far apart their letters may stand, in their widths; on water less
#: far.
_AFAR, _SPREAD, _SPREAD_ON_WATER = 1.7, 6.0, 1.8
#: What shares of their size those of water may have, and where along their water they may start, as shares of the room
#: for it.
_SHARES, _STARTS = (1.0, 0.8, 0.62, 0.5), (0.5, 0.25, 0.75, 0.0, 1.0)
#: How far they may be moved, in hexes.
_SHIFTS = tuple((x / 4, y / 4) for x in (0, -1, 1, -2, 2) for y in (0, -1, 1, -2, 2, -3, 3))
#: How bad it is to shrink away, to move by a hex, and for a letter to stand beyond the hexes drawn.
_SHRUNK, _MOVED, _BEYOND_AREA = 60.0, 6.0, 40.0
#: How bad a place may be: no name stands beyond the hexes drawn with more than a few letters.
_WORST = 200.0
#: What share of its hexes must be drawn for a name to be written, or how many.
_ENOUGH, _MANY = 1 / 3, 5
#: How bad it is for other names to cover a letter.
_AREA_LETTER = 8.0


def label_layer(survey: Survey, room: Room) -> Layer:
    """The names of regions, ranges and waters across the map."""
    shapes: list[Shape] = []
    for label in survey.board.labels:
        drawn = [name for name in label.hexes if survey.layout.draws(name)]
        if len(drawn) >= min(len(label.hexes) * _ENOUGH, _MANY) and (texts := _place_label(survey, label, drawn, room)):
            shapes.append(Group(label.name, tuple(texts)))
            for letter in texts:
                room.take(letter_box(letter), _AREA_LETTER)
    return Layer("regions", tuple(shapes))


def _place_label(survey: Survey, label: Label, hexes: Sequence[str], room: Room) -> list[Text]:
    """The letters of a name where they cover the least; none where it would be too small to read or find no room."""
    best: tuple[float, list[Text]] | None = None
    for shrunk, text in _write_label(survey, label, hexes):
        for x, y in _SHIFTS:
            cost = shrunk + _MOVED * (abs(x) + abs(y))
            if best is not None and cost >= best[0]:
                continue
            moved = [_move(letter_box(letter), x * HEX, y * HEX) for letter in text]
            cost += sum(map(room.cost, moved)) + _BEYOND_AREA * sum(not survey.frames(box, HEX / 2) for box in moved)
            if best is None or cost < best[0]:
                best = cost, [msgspec.structs.replace(line, x=line.x + x * HEX, y=line.y + y * HEX) for line in text]
    return best[1] if best and best[0] < _WORST else []


def _move(box: Area, x: float, y: float) -> Area:
    return Area(box.left + x, box.top + y, box.right + x, box.bottom + y)


def _write_label(survey: Survey, label: Label, hexes: Sequence[str]) -> Iterator[tuple[float, list[Text]]]:
    """A name along its hexes in one size after another, with how bad it is to be so small."""
    style, points = _STYLES[label.kind], [survey.layout.centre(name) for name in hexes]
    text = label.name.upper() if label.kind != "water" else label.name
    scale = survey.scale
    if label.kind == "water" and not any(is_water(survey.terrain[name]) for name in hexes):
        size = _LAKE.most * scale.letters
        if not scale.small:
            yield 0.0, letters(text, _level([middle_of(points)], text, size), size, ink=_LAKE.ink, slant=True)
        return
    water = label.kind == "water"
    sweep = (
        smooth(_calm_label(points) if water else _few(points), 8)
        if len(points) > 1
        else _level(points, text, style.most * 0.7)
    )
    line = sweep[::-1] if sweep[0][0] > sweep[-1][0] else sweep
    length = reach(line)[-1]
    natural = length / (text_width(text, 1.0) * 1.45)
    if scale.small and natural < _LEAST * scale.lines:
        return
    most = style.most * (_AFAR if scale.small else 1.0)
    largest, least = min(most, natural), _LEAST * min(scale.letters, 2.0)
    for size in dict.fromkeys(max(largest * share, least) for share in (_SHARES if water else (1.0,))):
        ink = (
            mix(style.ink, INK, 0.35) if scale.small or size < most / 2 else style.ink
        )  # what is small has to be darker
        wide = text_width(text, size)
        spread = min(max(length / wide, 1.0), _SPREAD)
        if not water:
            yield 0.0, letters(text, line, size, spread=spread, ink=ink)
            continue
        spread = min(spread, _SPREAD_ON_WATER)
        for share in _STARTS:
            start = (length - wide * spread) * share
            cost = _SHRUNK * (1 - size / max(most, size)) + abs(share - 0.5)
            yield cost, letters(text, line, size, spread=spread, start=start, ink=ink, slant=True)


def _level(points: Sequence[Point], text: str, size: float) -> Line:
    """A level line through a point with room for a text."""
    (x, y), *_ = points
    half = max(text_width(text, size) * 0.65, HEX)
    return (x - half, y), (x + half, y)


def _calm_label(points: Sequence[Point]) -> list[Point]:
    """Points without their zigzag: each in the middle of its neighbours' middle and itself, but for the ends."""
    middles = [point_between(one, other, 0.5) for one, other in pairwise(points)]
    return [points[0], *[point_between(one, other, 0.5) for one, other in pairwise(middles)], points[-1]]


def _few(points: list[Point]) -> list[Point]:
    """Four points at most that show the sweep of a line: its ends, and the middle of each half."""
    if len(points) < 4:
        return points
    half = len(points) // 2
    return [points[0], middle_of(points[:half]), middle_of(points[half:]), points[-1]]
