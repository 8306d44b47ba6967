"""Names on a map: letters along a line; rivers along their course, numbers of hexes, and the names of regions where
they cover the least.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple

import msgspec

from ...drawing.lettering import FIGURE_HEIGHT, text_width
from ...drawing.scene import ANCHORS, Group, Layer, Point, Shape, Text
from ...game.boards import Label
from ..colours import INK, WHITE, ink_on, mix
from ..layout import point_between
from ..style import HEX, PLAIN, RIVER
from .courses import Line, point_at, reach, smooth
from .land import is_water
from .survey import Area, Room, Survey
from .waters import STEPS, River, Waters


def letters(
    text: str,
    line: Line,
    size: float,
    *,
    spread: float = 1.0,
    start: float | None = None,
    off: float = 0.0,
    ink: str = INK,
    halo: str = "",
    bold: bool = False,
    slant: bool = False,
) -> list[Text]:
    """The letters of a text along a line. spread: the room for each, in its widths; start: how far along the first one
    stands, by default so that the text is in the middle; off: how far above the line they stand, else centred on it.
    """
    far = reach(line)
    widths = [text_width(letter, size, bold=bold) for letter in text]
    room = sum(widths) * spread - (widths[-1] * (spread - 1) if widths else 0.0)
    at = (far[-1] - room) / 2 if start is None else start
    down = size * 0.36 if not off else -off
    texts = []
    for letter, width in zip(text, widths, strict=True):
        (x, y), (dx, dy) = point_at(line, far, at + width / 2)
        if letter.strip():
            texts.append(
                Text(
                    x=x - dy * down,
                    y=y + dx * down,
                    text=letter,
                    size=size,
                    anchor="middle",
                    bold=bold,
                    fill=ink,
                    halo=halo,
                    turn=degrees(atan2(dy, dx)),
                    slant=slant,
                )
            )
        at += width * spread
    return texts


def letter_box(letter: Text) -> Area:
    """The box of a letter, which may be turned."""
    half = letter.size * 0.36
    up = half * 0.8
    angle = radians(letter.turn)
    x, y = letter.x + sin(angle) * up, letter.y - cos(angle) * up
    return Area(x - half, y - half, x + half, y + half)


def text_box(text: Text) -> Area:
    """The box of a level line of text."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return Area(left, text.y - text.size * FIGURE_HEIGHT, left + width, text.y + text.size * 0.1)


_NUMBER_SIZE = 3.4
WATER_INK = mix(RIVER, INK, 0.35)
#: The size of rivers' names, how far apart their letters stand, how far off the river they are, and hexes from one to
#: the next.
_RIVER_SIZE, _SPACED, _OFF, _AGAIN = 4.1, 1.16, 1.5, 20.0
#: Up to how much larger letters all hexes have their number.
_NUMBERS_TO = 1.3
#: How bad it is for a river's name to bend, for a letter to stand beyond the hexes drawn, and to stand aside of the
#: middle of its stretch; how bad a place may be; how bad it is for others to cover one of its letters.
_BENT, _BEYOND, _ASIDE = 14.0, 40.0, 3.0
_MOST_COST = 30.0
_LETTER = 50.0


def number_texts(survey: Survey, beside: Collection[str], *, rims: bool = True) -> list[Text]:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs.

    rims: whether they have one that keeps them legible.
    """
    texts = []
    larger = survey.scale.letters
    for name in _number(survey):
        x, y = survey.layout.centre(name)
        ground = survey.ground(name)
        aside = name in beside
        texts.append(
            Text(
                x=x - 2.9 if aside else x,
                y=y - HEX / 2 + 1.7 + 2.2 * larger,
                text=name,
                size=_NUMBER_SIZE * larger,
                anchor="end" if aside else "middle",
                halo=ground if rims else "",
                fill=mix(ink_on(ground), ground, 0.3),
            )
        )
    return texts


def _number(survey: Survey) -> list[str]:
    """The hexes that have their number: all, or where that would be too small those whose column and row are multiples
    of five.
    """
    names = survey.layout.names
    if survey.scale.letters <= _NUMBERS_TO:
        return list(names)
    at = {name: survey.board.grid.parse(name) for name in names}
    return [name for name in names if at[name].column % 5 == 0 and at[name].row % 5 == 0]


# --- rivers -----------------------------------------------------------------------------------------------------------


def river_names(survey: Survey, waters: Waters, room: Room) -> Layer:
    """The names of rivers beside them, where they run straight and nothing else is written; again on a long river."""
    shapes: list[Shape] = []
    written: dict[str, list[Text]] = {}
    for river in waters.rivers:
        name = river.course.name
        if not name:
            continue
        for text in _along_river(survey, river, room):
            near = _AGAIN * HEX * 0.6 * survey.scale.letters
            if any(hypot(other.x - text[0].x, other.y - text[0].y) < near for other in written.get(name, ())):
                continue
            written.setdefault(name, []).append(text[0])
            shapes.append(Group(name, tuple(text)))
            for letter in text:
                room.take(letter_box(letter), _LETTER)
    return Layer("waters", tuple(shapes))


def _along_river(survey: Survey, river: River, room: Room) -> Iterator[list[Text]]:
    line = _calm(river.line)
    name, larger = river.course.name, survey.scale.letters
    size = (_RIVER_SIZE + min(max(river.widths), 3.0) * 0.35) * larger
    wide = text_width(name, size) * _SPACED
    far = reach(line)
    length = far[-1]
    if length < wide * 1.15:
        return
    many = max(round(length / (_AGAIN * HEX * larger)), 1)
    for number in range(many):
        lower, upper = length * number / many, length * (number + 1) / many - wide
        best: tuple[float, list[Text]] | None = None
        steps = max(int((upper - lower) / (HEX * 0.7)), 1)
        for step in range(steps + 1):
            start = lower + (upper - lower) * step / steps
            if start < 0 or start + wide > length:
                continue
            for way in (1, -1):
                text, bent = _write(name, line, far, start, wide, size, river, way)
                boxes = [letter_box(letter) for letter in text]
                outside = sum(not survey.frames(box) for box in boxes)
                cost = sum(map(room.cost, boxes)) + bent * _BENT + outside * _BEYOND
                cost += abs(step / steps - 0.5) * _ASIDE
                if best is None or cost < best[0]:
                    best = cost, text
        if best is not None and best[0] < _MOST_COST:
            yield best[1]


def _write(
    name: str, line: Line, far: list[float], start: float, wide: float, size: float, river: River, way: int
) -> tuple[list[Text], float]:
    """A river's name above (1) or below (-1) a stretch of it, and how much it bends there."""
    piece = tuple(point_at(line, far, start + wide * n / 12)[0] for n in range(13))
    if piece[0][0] > piece[-1][0]:
        piece = piece[::-1]
    edge = max(river.widths) / 2 + _OFF
    off = edge if way > 0 else -(edge + size * 0.66)
    chord = hypot(piece[-1][0] - piece[0][0], piece[-1][1] - piece[0][1])
    steep = abs(piece[-1][1] - piece[0][1]) / (chord or 1.0)
    text = letters(name, piece, size, spread=_SPACED, start=0.0, off=off, ink=WATER_INK, slant=True)
    return text, (wide / (chord or 1.0) - 1) * 12 + max(steep - 0.8, 0) * 2


def _calm(line: Line) -> Line:
    """A line without its small bends, along which letters stand quietly."""
    some = line[::STEPS]
    if len(some) < 4:
        return line
    if some[-1] != line[-1]:
        some = (*some, line[-1])
    calm: list[Point] = []
    for number in range(len(some)):
        near = some[max(number - 2, 0) : number + 3]
        calm.append((sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)))
    return smooth(calm, 3)


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
        if len(drawn) >= min(len(label.hexes) * _ENOUGH, _MANY) and (texts := _place(survey, label, drawn, room)):
            shapes.append(Group(label.name, tuple(texts)))
            for letter in texts:
                room.take(letter_box(letter), _AREA_LETTER)
    return Layer("regions", tuple(shapes))


def _place(survey: Survey, label: Label, hexes: Sequence[str], room: Room) -> list[Text]:
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
            yield 0.0, letters(text, _level([_middle(points)], text, size), size, ink=_LAKE.ink, slant=True)
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


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _calm_label(points: Sequence[Point]) -> list[Point]:
    """Points without their zigzag: each in the middle of its neighbours' middle and itself, but for the ends."""
    middles = [point_between(one, other, 0.5) for one, other in pairwise(points)]
    return [points[0], *[point_between(one, other, 0.5) for one, other in pairwise(middles)], points[-1]]


def _few(points: list[Point]) -> list[Point]:
    """Four points at most that show the sweep of a line: its ends, and the middle of each half."""
    if len(points) < 4:
        return points
    half = len(points) // 2
    return [points[0], _middle(points[:half]), _middle(points[half:]), points[-1]]
