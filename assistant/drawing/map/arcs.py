"""Letters along an evenly bent line, so that a name reads as one.

The letters have the widths and kerning of the typeface, and turn little from one letter to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, degrees, hypot, inf, pi, radians, sin
from typing import NamedTuple

from ..colours import INK
from ..geometry import PageBox
from ..lettering import FIGURE_HEIGHT, kern_text, text_width
from ..placement import TakenBoxes
from ..scene import ANCHORS, Group, Point, Shape, Text

MAX_TURN = radians(9.0)
"""The greatest turn from one letter to the next."""
_HYPHEN = "\u2010"
"""A hyphen at which no line breaks, because letters are drawn one by one."""


class Arc(NamedTuple):
    """A circular arc, or a straight line, without ends.

    `x`, `y`: the middle of the line.
    `direction`: the direction in the middle, clockwise from east, in radians.
    `bend`: the clockwise turn in radians for each unit of length, or 0 for a straight line.
    """

    x: float
    y: float
    direction: float = 0.0
    bend: float = 0.0

    def at(self, distance: float) -> tuple[float, float, float]:
        """Return the point at a distance from the middle, and the direction there."""
        half = self.bend * distance / 2
        chord = distance * sin(half) / half if half else distance
        direction = self.direction + half
        return self.x + chord * cos(direction), self.y + chord * sin(direction), direction + half

    def go(self, distance: float) -> Arc:
        return Arc(*self.at(distance), self.bend)

    def beside(self, off: float) -> Arc:
        """Return the parallel line at the distance `off` to the right, which is below a line that runs east."""
        x, y = self.x - sin(self.direction) * off, self.y + cos(self.direction) * off
        return Arc(x, y, self.direction, self.bend / (1 - self.bend * off))

    def place_of(self, point: Point) -> Point:
        """Return the distance of a nearby point from the middle along the line, and to the right of the line."""
        dx, dy = point[0] - self.x, point[1] - self.y
        east, south = cos(self.direction), sin(self.direction)
        along = dx * east + dy * south
        return along, dy * east - dx * south - self.bend * along * along / 2


def arc_near(points: Sequence[Point], most_bend: float = inf) -> Arc:
    """Return the line from west to east that fits points best, which should be about evenly spaced.

    `most_bend`: the maximum bend.
    """
    count = len(points)
    shares, bulges, shares_squared, bulges_squared = _weigh_points(count)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = sum(xs) / count, sum(ys) / count
    dx, dy = _dot_product(shares, xs) / shares_squared, _dot_product(shares, ys) / shares_squared
    bulge = (dx * _dot_product(bulges, ys) - dy * _dot_product(bulges, xs)) / bulges_squared
    if dx < 0:
        dx, dy, bulge = -dx, -dy, -bulge
    speed = hypot(dx, dy) or 1.0
    bend = max(min(2 * bulge / speed**3, most_bend), -most_bend)
    straight = Arc(x, y, atan2(dy, dx))
    return straight.beside(-bend * speed * speed * shares_squared / count / 2)._replace(bend=bend)


@lru_cache(maxsize=256)
def _weigh_points(count: int) -> tuple[list[float], list[float], float, float]:
    """Return the weights of evenly spaced points for fitting a direction and a bulge, and the sums of their squares."""
    shares = [2 * number / (count - 1) - 1 for number in range(count)]
    mean = _dot_product(shares, shares) / count
    bulges = [share * share - mean for share in shares]
    return shares, bulges, mean * count, _dot_product(bulges, bulges) or 1.0


def _dot_product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])


class ArcText(NamedTuple):
    """A text to be set along a line.

    `letters`: each letter with the distance of its middle from the middle of the text.
    """

    letters: tuple[tuple[str, float], ...]
    size: float
    width: float

    @property
    def most_bend(self) -> float:
        return MAX_TURN / max([after - before for (_, before), (_, after) in pairwise(self.letters)], default=1.0)

    def along(self, arc: Arc, ink: str = INK, *, slant: bool = False) -> list[Text]:
        """Return the letters standing on the line, centred on its middle.

        A line that bends too much for the text is straightened.
        """
        arc = arc._replace(bend=max(min(arc.bend, self.most_bend), -self.most_bend))
        letters = []
        for letter, along in self.letters:
            x, y, turn = arc.at(along)
            letters.append(
                Text(x=x, y=y, text=letter, size=self.size, anchor="middle", fill=ink, slant=slant, turn=degrees(turn))
            )
        return letters

    def across(self, arc: Arc, ink: str = INK, *, slant: bool = False) -> list[Text]:
        """Return the letters centred on the line, in its middle."""
        return self.along(arc.beside(self.size * FIGURE_HEIGHT / 2), ink, slant=slant)


def set_word(text: str, size: float, letter_gap: float = 0.0) -> ArcText:
    """Return a text with extra room between its letters."""
    kerned = kern_text(text.replace("-", _HYPHEN))
    length, places = 0.0, []
    for letter, kern in zip(kerned.text, kerned.kerns, strict=True):
        width = text_width(letter, size)
        places.append((letter, length + width / 2))
        length += width + kern * size / 1000 + letter_gap
    length -= letter_gap
    return ArcText(tuple([(letter, at - length / 2) for letter, at in places if letter != " "]), size, length)


def letter_box(letter: Text) -> PageBox:
    """Return the box of a letter, which may be turned."""
    half = letter.size * 0.36
    up = half * 0.8
    angle = letter.turn * pi / 180
    x, y = letter.x + sin(angle) * up, letter.y - cos(angle) * up
    return PageBox(x - half, y - half, x + half, y + half)


def text_box(text: Text) -> PageBox:
    """Return the box of a level line of text."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return PageBox(left, text.y - text.size * FIGURE_HEIGHT, left + width, text.y + text.size * 0.1)


def boxes_of(shapes: Iterable[Shape]) -> Iterator[PageBox]:
    """Yield the boxes of texts: of level lines, and of each letter along a line."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from boxes_of(shape.shapes)
        elif isinstance(shape, Text):
            yield text_box(shape) if len(shape.text) > 1 else letter_box(shape)


def take_texts(shapes: Iterable[Shape], room: TakenBoxes, weight: float) -> None:
    """Mark the boxes of texts as taken."""
    for box in boxes_of(shapes):
        room.take(box, weight)
