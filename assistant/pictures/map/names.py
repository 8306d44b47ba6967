"""What is written on a map beside its towns: letters along a line, numbers of hexes, and rivers along their course."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from math import atan2, cos, degrees, dist, hypot, radians, sin, sqrt

from ...drawing.lettering import FIGURE_HEIGHT, text_width
from ...drawing.scene import ANCHORS, Group, Shape, Text
from ..colours import INK, ink_on, mix
from ..layout import Area, middle_of
from ..style import HEX, RADIUS, RIVER
from .courses import Line, point_at, reach, smooth
from .survey import Room, Survey
from .wander import STEPS
from .waters import River, Waters

LEAST = 4.15
"""The least size of letters on a map: what can be read in print where a hex is 16 mm high."""
#: What a printed name leaves out.
_APART = re.compile(r" (\([^)]*\)|[Rr]iver)$")


def printed(name: str) -> str:
    """A name as a map prints it, without what keeps it apart from others of its like: `Kreuzburg (Prussia)` and
    `Goldap river` stand where they lie.
    """
    return _APART.sub("", name) or name


def letters(
    text: str,
    line: Line,
    size: float,
    *,
    spread: float = 1.0,
    start: float | None = None,
    off: float = 0.0,
    ink: str = INK,
    slant: bool = False,
) -> list[Text]:
    """The letters of a text along a line. spread: the room for each, in its widths; start: how far along the first one
    stands, by default so that the text is in the middle; off: how far above the line they stand, else centred on it.
    """
    far = reach(line)
    widths = [text_width(letter, size) for letter in text]
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
                    fill=ink,
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


def take_texts(shapes: Iterable[Shape], room: Room, weight: float) -> None:
    """Take the room of names that are written: of level lines, and of letters along a line. weight: how bad it is to
    cover one.
    """
    for shape in shapes:
        if isinstance(shape, Group):
            take_texts(shape.shapes, room, weight)
        elif isinstance(shape, Text):
            room.take(text_box(shape) if len(shape.text) > 1 else letter_box(shape), weight)


def text_box(text: Text) -> Area:
    """The box of a level line of text."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return Area(left, text.y - text.size * FIGURE_HEIGHT, left + width, text.y + text.size * 0.1)


_NUMBER_SIZE = LEAST
WATER_INK = mix(RIVER, INK, 0.35)
#: The size of rivers' names, how far apart their letters stand, how far off the river they are, and hexes from one to
#: the next.
_RIVER_SIZE, _SPACED, _OFF, _AGAIN = 4.2, 1.16, 1.7, 12.0
#: How far below the upper edge of its hex a number stands, where no river reaches it and few counters do; how far it is
#: off a line due north, and off a slanted hexside.
_NUMBER_DEPTH, _OFF_NORTH, _OFF_SIDE = 3.2, 2.2, 0.6
#: How much of the ground the ink of numbers has, so that they are seen when looked for; on a small map more of it.
_QUIET, _QUIETER = 0.46, 0.6
#: Up to how much larger letters all hexes have their number.
_NUMBERS_TO = 1.3
#: How bad it is for a river's name to bend, for a letter to stand beyond the hexes drawn, and to stand aside of the
#: middle of its stretch; how bad a place may be; how bad it is for others to cover one of its letters.
_BENT, _BEYOND, _ASIDE = 14.0, 40.0, 3.0
_MOST_COST = 26.0
_LETTER = 50.0


def number_texts(survey: Survey, beside: Collection[str], *, rims: bool = True) -> list[Text]:
    """The printed hex numbers at the top of the hexes; left of the middle in the hexes `beside`, where a line runs.

    rims: whether all have one that keeps them legible, and not only those beside a line.
    """
    texts = []
    larger = survey.scale.letters
    size, quiet = _NUMBER_SIZE * larger, _QUIETER if larger > _NUMBERS_TO else _QUIET
    for name in _number(survey):
        x, y = survey.layout.centre(name)
        ground = survey.ground(name)
        aside = name in beside
        depth = _NUMBER_DEPTH
        if aside:  # lower where it is so long that it would lie on the slanted hexside at its left
            depth = max(depth, (_OFF_NORTH + text_width(name, size) + _OFF_SIDE - RADIUS / 2) * sqrt(3))
        texts.append(
            Text(
                x=x - _OFF_NORTH if aside else x,
                y=y - HEX / 2 + depth + size * FIGURE_HEIGHT,
                text=name,
                size=size,
                anchor="end" if aside else "middle",
                halo=ground if rims or aside else "",
                fill=mix(ink_on(ground), ground, quiet),
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


def river_names(survey: Survey, waters: Waters, room: Room) -> list[Shape]:
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
    return shapes


def _along_river(survey: Survey, river: River, room: Room) -> Iterator[list[Text]]:
    """The places of a river's name, one on each stretch of its course where it covers the least."""
    line = _calm(river.line)
    name, larger = printed(river.course.name), survey.scale.letters
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
        for step in sorted(range(steps + 1), key=lambda step: abs(step / steps - 0.5)):
            start = lower + (upper - lower) * step / steps
            aside_by = abs(step / steps - 0.5) * _ASIDE
            if start < 0 or start + wide > length:
                continue
            if best is not None and aside_by >= best[0]:
                break  # those farther aside are no better
            piece, bent = _stretch(line, far, start, wide)
            for way in (1, -1):
                worst = _MOST_COST if best is None else best[0]
                cost = aside_by + bent * _BENT
                if cost >= worst:
                    break
                text = _write(name, piece, size, river, way)
                for letter in text:
                    box = letter_box(letter)
                    cost += room.cost(box) + (0.0 if survey.frames(box) else _BEYOND)
                    if cost >= worst:
                        break
                else:
                    best = cost, text
        if best is not None:
            yield best[1]


def _stretch(line: Line, far: list[float], start: float, wide: float) -> tuple[Line, float]:
    """The stretch of a river along which its name may stand, from west to east, and how much it bends."""
    piece = tuple([point_at(line, far, start + wide * number / 12)[0] for number in range(13)])
    if piece[0][0] > piece[-1][0]:
        piece = piece[::-1]
    chord = dist(piece[0], piece[-1]) or 1.0
    steep = abs(piece[-1][1] - piece[0][1]) / chord
    return piece, (wide / chord - 1) * 12 + max(steep - 0.8, 0) * 2


def _write(name: str, piece: Line, size: float, river: River, way: int) -> list[Text]:
    """A river's name above (1) or below (-1) a stretch of it."""
    edge = max(river.widths) / 2 + _OFF
    off = edge if way > 0 else -(edge + size * 0.66)
    return letters(name, piece, size, spread=_SPACED, start=0.0, off=off, ink=WATER_INK, slant=True)


def _calm(line: Line) -> Line:
    """A line without its small bends, along which letters stand quietly."""
    some = line[:: STEPS // 2]
    if len(some) < 4:
        return line
    if some[-1] != line[-1]:
        some = (*some, line[-1])
    return smooth([middle_of(some[max(number - 3, 0) : number + 4]) for number in range(len(some))], 3)
