"""The names of rivers, written along their course, and the printed numbers of the hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import hypot

from ...drawing.lettering import text_width
from ...drawing.scene import Group, Layer, Point, Shape, Text
from ..colours import INK, ink_on, mixed
from ..style import HEX, RIVER
from .curves import Line, point_at, reach, smooth
from .letters import letter_box, letters
from .room import Room
from .survey import Survey
from .waters import STEPS, River, Waters

_NUMBER_SIZE = 3.4
WATER_INK = mixed(RIVER, INK, 0.35)
#: The size of rivers' names, how far apart their letters stand, how far off the river they are, and hexes from one to the next.
_RIVER_SIZE, _SPACED, _OFF, _AGAIN = 4.1, 1.16, 1.5, 20.0
#: Up to how much larger letters all hexes have their number.
_NUMBERS_TO = 1.3
#: How bad it is for a river's name to bend, for a letter to stand beyond the hexes drawn, and to stand aside of the middle of its
#: stretch; how bad a place may be; how bad it is for others to cover one of its letters.
_BENT, _BEYOND, _ASIDE = 14.0, 40.0, 3.0
_MOST_COST = 30.0
_LETTER = 50.0


def number_texts(survey: Survey, beside: Collection[str], *, rims: bool = True) -> list[Text]:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs.

    rims: whether they have one that keeps them legible.
    """
    texts = []
    larger = survey.scale.letters
    for name in _numbered(survey):
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
                fill=mixed(ink_on(ground), ground, 0.3),
            )
        )
    return texts


def _numbered(survey: Survey) -> list[str]:
    """The hexes that have their number: all, or where that would be too small those whose column and row are multiples of five."""
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
                text, bent = _written(name, line, far, start, wide, size, river, way)
                boxes = [letter_box(letter) for letter in text]
                outside = sum(not survey.frames(box) for box in boxes)
                cost = sum(map(room.cost, boxes)) + bent * _BENT + outside * _BEYOND
                cost += abs(step / steps - 0.5) * _ASIDE
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
