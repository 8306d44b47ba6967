"""What is written on a map beside its towns: numbers of hexes, and the names of rivers along their course."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot, sin, sqrt

from ...util.patterns import late_pattern
from ..colours import INK, ink_on, mix
from ..lettering import FIGURE_HEIGHT, text_width
from ..scene import Group, Shape, Text
from ..style import HEX, RADIUS, RIVER
from ..taken import TakenBoxes
from .arcs import Arc, ArcText, arc_near, letter_box, set_word
from .courses import Line, lengths_along
from .survey import Survey
from .waters import River, Waters

LEAST = 4.15  # mm, the least size of letters on a map: what can be read in print where a hex is 16 mm high
_APART = late_pattern(r" (\([^)]*\)|[Rr]iver)$")
"""What a printed name leaves out."""


def printed_name(name: str) -> str:
    """Return a name as a map prints it, without what keeps it apart from others of its like: `Kreuzburg (Prussia)` and
    `Goldap river` stand where they lie.
    """
    return _APART.sub("", name) or name


_NUMBER_SIZE = LEAST  # mm, of the letters of numbers
WATER_INK = mix(RIVER, INK, 0.35)  # the ink of names of waters
_RIVER_SIZE = 4.2  # mm, of the letters of rivers' names
_APART_BY = 0.08  # between letters, as a share of their size
_CAPITALS = 0.66  # height of capitals, as a share of their size
_OFF = 1.7  # mm off the river
_OFF_EDGE = 0.2 * HEX  # mm off the edge of the map
_AGAIN = 9.0  # hexes from a name to the next one of a river
_NUMBER_DEPTH = 3.2  # mm below the upper edge of its hex, where no river reaches a number and few counters do
_OFF_NORTH = 2.6  # mm off a line due north
_OFF_SIDE = 0.6  # mm off a slanted hexside
_QUIET = 0.46  # share of the ground in the ink of numbers, so that they are seen when looked for
_QUIETER = 0.6  # the same on a small map
_NUMBERS_TO = 1.3  # times larger letters up to which all hexes have their number
_LONGER = 1.6  # times the length of its name that a river with one has at least
_LONGER_AFAR = 3.0  # the same on a small map
_BENT = 2.0  # cost for a river's name of bending as much as it may
_STEEP = 0.8  # sine of the slope from which on it is too steep
_TOO_STEEP = 28.0  # cost of being steeper, by the sine of the slope
_ASTRAY = 1.1  # cost of each millimetre off because the river bends
_BEYOND = 40.0  # cost of a letter beyond the hexes drawn
_ASIDE = 3.0  # cost of standing at an end of its stretch, not in the middle, twice
_BENDS_BESIDE = 0.4  # sizes beyond its ends within which bends count
_MOST_COST = 26.0  # cost of a place at most
_LETTER = 50.0  # cost for others of covering one of its letters


def number_texts(survey: Survey) -> list[Text]:
    """Return the printed hex numbers, all at one spot of their hexes: at the top, and left of the middle where ways run
    due north.
    """
    size, quiet = _NUMBER_SIZE * survey.scale.letters, _QUIET if _has_all_numbers(survey) else _QUIETER
    left = survey.layout.flat and _has_all_numbers(survey)
    texts = []
    for name in _choose_numbered(survey):
        x, y = survey.layout.centre(name)
        ground, depth = survey.ground(name), _NUMBER_DEPTH
        if left:  # lower where it is so long that it would lie on the slanted hexside at its left
            depth = max(depth, (_OFF_NORTH + text_width(name, size) + _OFF_SIDE - RADIUS / 2) * sqrt(3))
        texts.append(
            Text(
                x=x - _OFF_NORTH if left else x,
                y=y - HEX / 2 + depth + size * FIGURE_HEIGHT,
                text=name,
                size=size,
                anchor="end" if left else "middle",
                fill=mix(ink_on(ground), ground, quiet),
            )
        )
    return texts


def _has_all_numbers(survey: Survey) -> bool:
    """Return whether there is room for the numbers of all hexes."""
    return survey.scale.letters <= _NUMBERS_TO


def _choose_numbered(survey: Survey) -> list[str]:
    """Return the hexes that have their number: all, or where that would be too small those whose column and row are
    multiples of five, but for those at the edge, beyond which it would reach.
    """
    draws, names = survey.layout.draws, survey.layout.names
    if _has_all_numbers(survey):
        return list(names)
    at = {name: survey.board.grid.parse(name) for name in names}
    fifth = [name for name in names if at[name].column % 5 == 0 and at[name].row % 5 == 0]
    return [name for name in fifth if all(draws(beyond) for beyond, _, _ in survey.around[name])]


# --- rivers -----------------------------------------------------------------------------------------------------------


def river_names(
    survey: Survey, waters: Waters, room: TakenBoxes, whole: Mapping[str, Sequence[str]] | None = None
) -> list[Shape]:
    """Return the names of rivers beside them, where they run straight and nothing else is written; again on a long
    river. whole: if this is a part of a larger picture, the hexsides of each river by its name.
    """
    shapes: list[Shape] = []
    written: dict[str, list[Text]] = {}
    for river in waters.rivers:
        name = river.course.name
        if not name:
            continue
        for text in _place_along_river(survey, river, room, whole):
            near = _AGAIN * HEX * 0.6 * survey.scale.letters
            if any(hypot(other.x - text[0].x, other.y - text[0].y) < near for other in written.get(name, ())):
                continue
            written.setdefault(name, []).append(text[0])
            shapes.append(Group(name, tuple(text)))
            for letter in text:
                room.take(letter_box(letter), _LETTER)
    return shapes


def _place_along_river(
    survey: Survey, river: River, room: TakenBoxes, whole: Mapping[str, Sequence[str]] | None
) -> Iterator[list[Text]]:
    """Yield the places of a river's name, one on each stretch of its course where it covers the least."""
    line, scale = river.line, survey.scale.letters
    size = (_RIVER_SIZE + min(max(river.widths), 3.0) * 0.35) * scale
    word = set_word(printed_name(river.course.name), size, size * _APART_BY)
    reaches = lengths_along(line)
    length, width = reaches[-1], word.width
    if length < width * (_LONGER_AFAR if survey.scale.small else _LONGER):
        return
    again = _AGAIN * HEX * scale
    stretches: Iterable[tuple[float, float]]
    if whole is None:
        stretches = _split_evenly(length, again)
    else:
        stretches = _own_stretches(survey, river, length, whole.get(river.course.name, ()), again)
    for lower, end in stretches:
        upper = end - width
        best, chosen = _MOST_COST, list[Text]()
        steps = max(int((upper - lower) / (HEX * 0.7)), 1)
        for step in sorted(range(steps + 1), key=lambda step: abs(step / steps - 0.5)):
            start = lower + (upper - lower) * step / steps
            aside_by = abs(step / steps - 0.5) * _ASIDE
            if start < 0 or start + width > length:
                continue
            if aside_by >= best:
                break  # those farther aside are no better
            stretch = line[bisect(reaches, start) - 1 : bisect(reaches, start + width) + 1]
            for cost, arc in _lines_beside(stretch, word, max(river.widths) / 2 + _OFF):
                cost += aside_by
                if cost >= best:
                    continue
                text = word.along(arc, WATER_INK, slant=True)
                for letter in text:
                    box = letter_box(letter)
                    cost += room.cost(box) + (0.0 if survey.frames(box, _OFF_EDGE) else _BEYOND)
                    if cost >= best:
                        break
                else:
                    best, chosen = cost, text
        if chosen:
            yield chosen


def _split_evenly(length: float, again: float) -> list[tuple[float, float]]:
    """Return the stretches of a length, each with its start and end; again: about how long each is."""
    many = max(round(length / again), 1)
    return [(length * number / many, length * (number + 1) / many) for number in range(many)]


def _own_stretches(
    survey: Survey, river: River, length: float, sides: Sequence[str], again: float
) -> Iterator[tuple[float, float]]:
    """Yield the stretches of a whole river that are named in this part of the picture, along the line that is drawn
    here: those whose middle lies in its frame, so that each is named in one part. sides: of the whole river; length: of
    that line.
    """
    here = {side: number for number, side in enumerate(river.course.sides)}
    each = length / len(here)
    for start, end in _split_evenly(len(sides), again / each):
        stretch = sides[round(start) : round(end)]
        middle = stretch[len(stretch) // 2] if stretch else ""
        at = [here[side] for side in stretch if side in here]
        if middle in here:
            (x0, y0), (x1, y1) = survey.point(survey.sides[middle].start), survey.point(survey.sides[middle].end)
            if survey.holds(((x0 + x1) / 2, (y0 + y1) / 2)):
                yield min(at) * each, (max(at) + 1) * each


def _lines_beside(stretch: Line, word: ArcText, off: float) -> Iterator[tuple[float, Arc]]:
    """Yield the lines above and below a stretch of a river on which its name may stand, clear of all its bends, and how
    bad each is. off: how far it stands off the middle of the river.
    """
    arc = arc_near(stretch, word.most_bend)
    bent = abs(arc.bend) / word.most_bend * _BENT + max(abs(sin(arc.direction)) - _STEEP, 0) * _TOO_STEEP
    half = word.width / 2 + word.size * _BENDS_BESIDE
    aside = [off for along, off in map(arc.place_of, stretch) if abs(along) < half] or [0.0]
    above, below = min(aside), max(aside)
    yield bent - above * _ASTRAY, arc.beside(above - off)
    yield bent + below * _ASTRAY, arc.beside(below + off + word.size * _CAPITALS)
