"""The names of waters, regions and ranges, written along their course, and the printed numbers of the hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import atan2, cos, degrees, hypot, radians, sin

from ...drawing.lettering import text_width
from ...drawing.scene import Group, Layer, Point, Shape, Text
from ...game.boards import Label
from ..colours import INK, WHITE, ink_on, mixed
from ..style import HEX, PLAIN, RIVER
from .curves import Line, point_at, reach, smooth
from .room import Area, Room
from .survey import Survey
from .waters import STEPS, River, Waters

NUMBER_SIZE = 3.1
_WATER_INK = mixed(RIVER, INK, 0.35)
#: The ink of names by kind, their largest size, and whether they are bold and lean.
_KINDS = {
    "region": (mixed(INK, PLAIN, 0.58), 26.0, False, False),
    "range": ("#80603f", 20.0, False, False),
    "water": (mixed(_WATER_INK, WHITE, 0.15), 22.0, False, True),
}
_LEAST = 5.2
#: How much larger they may be on a small map.
_AFAR = 1.7
#: The size of rivers' names, how far apart their letters stand, how far off the river they are, and hexes from one to the next.
_RIVER_SIZE, _SPACED, _OFF, _AGAIN = 4.1, 1.16, 1.5, 20.0
#: Up to how much larger letters all hexes have their number.
_NUMBERS_TO = 1.3
_MOST_COST = 30.0
_NAME = 50.0


def number_layer(survey: Survey, beside: Collection[str], *, rims: bool = True) -> Layer:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs.

    rims: whether they have one that keeps them legible.
    """
    texts = []
    larger = survey.scale.letters
    for name in numbered(survey):
        x, y = survey.layout.centre(name)
        ground = survey.ground(name)
        aside = name in beside
        texts.append(
            Text(
                x=x - 2.9 if aside else x,
                y=y - HEX / 2 + 1.7 + 2.2 * larger,
                text=name,
                size=NUMBER_SIZE * larger,
                anchor="end" if aside else "middle",
                halo=ground if rims else "",
                fill=mixed(ink_on(ground), ground, 0.3),
            )
        )
    return Layer("numbers", tuple(texts))


def numbered(survey: Survey) -> list[str]:
    """The hexes that have their number: all, or where that would be too small those whose column and row are multiples of five."""
    names = survey.layout.names
    if survey.scale.letters <= _NUMBERS_TO:
        return list(names)
    at = {name: survey.board.grid.parse(name) for name in names}
    return [name for name in names if at[name].column % 5 == 0 and at[name].row % 5 == 0]


def label_layer(survey: Survey, room: Room) -> Layer:
    """The names of regions, ranges and waters across the map."""
    shapes: list[Shape] = []
    for label in survey.board.labels:
        written = tuple(_label(survey, label)) if any(map(survey.layout.draws, label.hexes)) else ()
        if written:
            shapes.append(Group(label.name, written))
            for shape in shapes[-1].shapes:  # type: ignore[union-attr]
                if isinstance(shape, Text):
                    room.take(_letter_box(shape), 8.0)
    return Layer("regions", tuple(shapes))


def _label(survey: Survey, label: Label) -> Iterator[Text]:
    ink, most, bold, slant = _KINDS[label.kind]
    text = label.name.upper() if label.kind != "water" else label.name
    points = [survey.layout.centre(name) for name in label.hexes if survey.layout.draws(name)]
    if len(points) == 1:
        x, y = points[0]
        half = max(text_width(text, most * 0.7, bold=bold) * 0.65, HEX)
        points = [(x - half, y), (x + half, y)]
    line = smooth(_few(points), 8)
    if line[0][0] > line[-1][0]:
        line = line[::-1]
    length = reach(line)[-1]
    natural = length / (text_width(text, 1.0, bold=bold) * 1.45)
    if survey.scale.small and natural < _LEAST * survey.scale.lines:
        return
    if survey.scale.small:
        most *= _AFAR
    size = min(most, max(natural, _LEAST * min(survey.scale.letters, 2.0)))
    if size < most / 2:
        ink = mixed(ink, INK, 0.35)  # what is small has to be darker
    spread = max(length / (text_width(text, size, bold=bold) or 1.0), 1.0)
    yield from letters(text, line, size, spread=min(spread, 6.0), ink=ink, bold=bold, slant=slant)


def _few(points: list[Point]) -> list[Point]:
    """Four points at most that show the sweep of a line: its ends, and the middle of each half."""
    if len(points) < 4:
        return points
    half = len(points) // 2
    parts = points[:half], points[half:]
    return [
        points[0],
        *[(sum(x for x, _ in part) / len(part), sum(y for _, y in part) / len(part)) for part in parts],
        points[-1],
    ]


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
    """The letters of a text along a line. spread: the room for each, in its widths; start: how far along the first one stands,
    by default so that the text is in the middle; off: how far above the line they stand, else centred on it."""
    far = reach(line)
    widths = [text_width(letter, size, bold=bold) for letter in text]
    room = sum(widths) * spread - (widths[-1] * (spread - 1) if widths else 0.0)
    at = (far[-1] - room) / 2 if start is None else start
    down = size * 0.36 if not off else -off
    found = []
    for letter, width in zip(text, widths, strict=True):
        (x, y), (dx, dy) = point_at(line, far, at + width / 2)
        if letter.strip():
            found.append(
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
    return found


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
            if any(hypot(one.x - text[0].x, one.y - text[0].y) < near for one in written.get(name, ())):
                continue
            written.setdefault(name, []).append(text[0])
            shapes.append(Group(name, tuple(text)))
            for letter in text:
                room.take(_letter_box(letter), _NAME)
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
                text, bent = _written(name, line, far, start, wide, size, river, way)
                outside = sum(not _is_drawn(survey, letter) for letter in text)
                cost = sum(room.cost(_letter_box(letter)) for letter in text) + bent * 14 + outside * 40
                cost += abs(step / steps - 0.5) * 3
                if best is None or cost < best[0]:
                    best = cost, text
        if best is not None and best[0] < _MOST_COST:
            yield best[1]


def _written(
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
    text = letters(name, piece, size, spread=_SPACED, start=0.0, off=off, ink=_WATER_INK, slant=True)
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


def _is_drawn(survey: Survey, letter: Text) -> bool:
    left, top, right, bottom = survey.frame
    return left < letter.x < right and top < letter.y < bottom


def _letter_box(letter: Text) -> Area:
    half = letter.size * 0.36
    up = half * 0.8
    angle = radians(letter.turn)
    x, y = letter.x + sin(angle) * up, letter.y - cos(angle) * up
    return Area(x - half, y - half, x + half, y + half)
