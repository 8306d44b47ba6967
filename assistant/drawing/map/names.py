"""What is written on a map beside its towns: numbers of hexes, and the names of regions, ranges, lakes and rivers."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import dist, hypot, sin, sqrt
from typing import NamedTuple

import msgspec

from ...game.boards import MapLabel
from ...util.patterns import late_pattern
from ..colours import INK, WHITE, contrast, ink_on, mix
from ..geometry import PageBox, middle_of
from ..lettering import FIGURE_HEIGHT, text_width
from ..palettes import is_water
from ..placement import FIRM, TakenBoxes
from ..scene import Group, Layer, Point, Polyline, Shape, Text, encloses
from ..style import HEX, PLAIN, RADIUS, RIVER
from .arcs import Arc, ArcText, arc_near, letter_box, set_word, text_box
from .courses import Line, lengths_along
from .survey import Survey
from .waters import Lake, River, Waters

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


# --- names across the map ---------------------------------------------------------------------------------------------


class LabelStyle(NamedTuple):
    """How names of a kind look: their ink and their largest size."""

    ink: str
    most: float


_STYLES = {
    "region": LabelStyle(mix(INK, PLAIN, 0.54), 12.5),
    "range": LabelStyle("#654724", 12.0),
    "water": LabelStyle(mix(WATER_INK, WHITE, 0.15), 15.0),
}
_CONTRAST = 2.5  # the least of their ink with the ground, as WCAG defines it
_SMALL = 7.0  # mm at full scale: what is smaller has darker ink
_LEAST = 5.2  # mm, the size of a name at least
_LEAST_AFAR = 3.4  # mm below which a small map leaves a name out, where letters are as large as on a hex of full size
_AFAR = 0.6  # the power with which names grow with the other letters
_SPREAD = 4.6  # widths of a letter that letters may stand apart
_SPREAD_ON_WATER = 1.8  # the same on water
_SHARES = (1.0, 0.8, 0.62, 0.5)  # of their size that names of water may have
_STARTS = (0.5, 0.25, 0.75, 0.0, 1.0)  # where along their water they may start, as shares of the room for it
_WINDOWS = ((0.0, 1.0), (0.0, 0.8), (0.2, 1.0), (0.1, 0.9), (0.0, 0.6), (0.4, 1.0), (0.2, 0.8))
"""Along which shares of its line a name on land may stand, the best first."""
_MOST_BEND = 1.1  # radians that the line of a name bends from one end to the other at most
_SHIFTS = tuple(
    sorted(
        ((x / 8, y / 8) for x in (0, -2, 2, -4, 4) for y in (0, -1, 1, -2, 2, -3, 3, -5, 5)),
        key=lambda by: abs(by[0]) + abs(by[1]),
    )
)
"""How far they may be moved, in hexes."""
_SHRUNK = 60.0  # cost of shrinking away, as the next four in the unit of `TakenBoxes`
_LEFT_OUT = 26.0  # of leaving a part of the line out
_MOVED = 6.0  # of moving by a hex
_BEYOND_AREA = 40.0  # for a letter beyond the hexes drawn
_ON_ANOTHER = 90.0  # for a letter on another name across the map
_WORST = 140.0  # cost of a place at most: no name stands beyond the hexes drawn with more than a few letters
_ENOUGH = 1 / 3  # share of its hexes that must be drawn for a name to be written
_MANY = 5  # or so many of them
_AREA_LETTER = 8.0  # cost for other names of covering a letter


def region_labels(survey: Survey, room: TakenBoxes) -> Layer:
    """Return the names of regions, ranges and open water across the map; those with the least choice first, so that
    none lies on another.
    """
    found: dict[int, Group] = {}
    others = TakenBoxes()
    order = sorted(enumerate(survey.board.labels), key=lambda entry: (len(entry[1].hexes), entry[0]))
    for number, label in order:
        if _is_lake_name(survey, label):
            continue
        drawn = [name for name in label.hexes if survey.layout.draws(name)]
        enough = len(drawn) >= min(len(label.hexes) * _ENOUGH, _MANY)
        if enough and (texts := _place_label(survey, label, drawn, room, others)):
            found[number] = Group(label.name, tuple(texts))
            for letter in texts:
                room.take(letter_box(letter), _AREA_LETTER)
                others.take(letter_box(letter), _ON_ANOTHER)
    return Layer("regions", tuple([found[number] for number in sorted(found)]))


def hexes_by_labels(survey: Survey) -> set[str]:
    """Return the hexes of names across the map, and those beside them."""
    along = {name for label in survey.board.labels for name in label.hexes if name in survey.around}
    return along.union(beyond for name in along for beyond, _, _ in survey.around[name])


def _is_lake_name(survey: Survey, label: MapLabel) -> bool:
    """Return whether a name is that of water between hexes."""
    return label.kind == "water" and not any(is_water(survey.terrain.get(name, "")) for name in label.hexes)


def _place_label(
    survey: Survey, label: MapLabel, hexes: Sequence[str], room: TakenBoxes, others: TakenBoxes
) -> list[Text]:
    """Return the letters of a name where they cover the least; none where it would be too small to read or find no
    room. others: the names across the map so far.
    """
    best, chosen = _WORST, list[Text]()
    for shrunk, text in _write_label(survey, label, hexes):
        boxes = list(map(letter_box, text))
        for x, y in _SHIFTS:
            cost = shrunk + _MOVED * (abs(x) + abs(y))
            if cost >= best:
                break  # the others are no better
            for box in boxes:
                moved = _move_box(box, x * HEX, y * HEX)
                cost += 0.0 if survey.frames(moved, HEX / 2) else _BEYOND_AREA
                cost += room.cost(moved, best - cost) + others.cost(moved)
                if cost >= best:
                    break
            else:
                best = cost
                chosen = [msgspec.structs.replace(line, x=line.x + x * HEX, y=line.y + y * HEX) for line in text]
    return chosen


def _move_box(box: PageBox, x: float, y: float) -> PageBox:
    return PageBox(box.left + x, box.top + y, box.right + x, box.bottom + y)


def _write_label(survey: Survey, label: MapLabel, hexes: Sequence[str]) -> Iterator[tuple[float, list[Text]]]:
    """Yield a name along its hexes in one size after another, with how bad it is to be so small."""
    style, points = _STYLES[label.kind], [survey.layout.centre(name) for name in hexes]
    text = printed_name(label.name)
    style = style._replace(ink=_darken_ink(style.ink, {survey.ground(name) for name in hexes}))
    if label.kind == "water":
        yield from _set_along(survey, style, text, *_find_arc(points, text, style.most), water=True)
        return
    text = text.upper()
    arc, length = _find_arc(points, text, style.most)
    windows = _WINDOWS if len(points) > 1 else _WINDOWS[:1]
    for first, last in windows:
        part = arc.go(length * (first + last - 1) / 2)
        for cost, written in _set_along(survey, style, text, part, length * (last - first), water=False):
            yield cost + _LEFT_OUT * (1 - last + first), written


def _darken_ink(ink: str, grounds: Collection[str]) -> str:
    """Return an ink, darker where it would be lost on one of some grounds."""
    inks = (mix(ink, INK, share / 10) for share in range(10))
    return next((ink for ink in inks if all(contrast(ink, ground) >= _CONTRAST for ground in grounds)), INK)


def _find_arc(points: Sequence[Point], text: str, size: float) -> tuple[Arc, float]:
    """Return the line on which a name across hexes stands, and its length: level through the middle of a single one, or
    of the hex in which it begins and ends.
    """
    if points[0] == points[-1]:
        return Arc(*points[0]), max(text_width(text, size * 0.7) * 1.3, 2 * HEX)
    arc = arc_near(points, _MOST_BEND / dist(points[0], points[-1]))
    along = [arc.place_of(point)[0] for point in points]
    return arc.go((min(along) + max(along)) / 2), max(along) - min(along)


def _set_along(
    survey: Survey, style: LabelStyle, text: str, arc: Arc, length: float, *, water: bool
) -> Iterator[tuple[float, list[Text]]]:
    """Yield a name along a line, with how bad it is to be so small."""
    scale = survey.scale
    natural = length / (text_width(text, 1.0) * 1.45)
    if scale.small and natural < _LEAST_AFAR * scale.letters:
        return
    most = style.most * scale.letters**_AFAR
    largest, least = min(most, natural), _LEAST * min(scale.letters, 2.0)
    shares = _SHARES if water else (1.0,)
    for size in dict.fromkeys(max(largest * share, least) for share in shares):
        ink = mix(style.ink, INK, 0.4) if size < _SMALL * scale.letters else style.ink  # what is small has to be darker
        width = text_width(text, size)
        spread = min(max(length / width, 1.0), _SPREAD_ON_WATER if water else _SPREAD)
        word = set_word(text, size, width * (spread - 1) / max(len(text) - 1, 1))
        if not water:
            yield 0.0, word.across(arc, ink)
            continue
        for share in _STARTS:
            cost = _SHRUNK * (1 - size / max(most, size)) + abs(share - 0.5)
            yield cost, word.across(arc.go((length - word.width) * (share - 0.5)), ink, slant=True)


# --- lakes ------------------------------------------------------------------------------------------------------------

# --- names of lakes ---------------------------------------------------------------------------------------------------

_LAKE_SIZES = (5.6, 5.0, LEAST)  # mm, of the letters of names of lakes
_LAKE_APART = 0.03  # between letters, as a share of their size
_LAKE_STEP = 2.5  # mm from one place of a name along its lake to the next
_LAKE_BENT = 3.0  # cost for a name of bending as much as it may
_ON_LAND = 2.5  # cost for the corner of a letter to stand on land
_WORST_IN_LAKE = 14.0  # cost of a place in the lake at most
_NEAR = 1.6 * HEX  # mm that a lake may be from the hexes of its name
_OFF_LAKE = (4.0, 8.0, 13.0)  # mm off the lake that a name beside it stands, tried in this order
_LEADER = 0.35  # mm, the thickness of its leader
_LAKE_LETTER = 50.0  # cost for others of covering a letter of a lake


def lake_names(survey: Survey, waters: Waters, room: TakenBoxes, *, partly: bool = False) -> list[Shape]:
    """Return the names of lakes between hexes: in the lake along its run, or else beside it with a leader; none on a
    small map, nor where there is no room. partly: whether this is a part of a larger picture, which names the lakes
    whose middle hex it has.
    """
    shapes: list[Shape] = []
    if survey.scale.small:
        return shapes
    for label in survey.board.labels:
        at = [survey.layout.centre(name) for name in label.hexes if survey.layout.draws(name)]
        if not at or not _is_lake_name(survey, label):
            continue
        own = label.hexes[len(label.hexes) // 2]
        if partly and not (survey.layout.draws(own) and survey.holds(survey.layout.centre(own))):
            continue
        middle, name = middle_of(at), printed_name(label.name)
        lakes = sorted(waters.lakes, key=lambda lake: _distance_to_line(middle, lake.axis))
        lakes = [lake for lake in lakes if _distance_to_line(middle, lake.axis) < _NEAR]
        inside = (_place_in_lake(survey, name, lake, room) for lake in lakes)
        written = next(filter(None, inside), None) or _place_beside_lake(survey, name, middle, lakes, room)
        shapes.append(Group(label.name, tuple(written)))
        for letter in written:
            if isinstance(letter, Text):
                room.take(text_box(letter) if len(letter.text) > 1 else letter_box(letter), _LAKE_LETTER)
    return shapes


def _distance_to_line(point: Point, line: Line) -> float:
    return min(dist(point, other) for other in line)


def _place_in_lake(survey: Survey, name: str, lake: Lake, room: TakenBoxes) -> list[Shape]:
    """Return a name in its lake, along its run where it bends least; empty where it finds no room."""
    line, far = lake.axis, lengths_along(lake.axis)
    best, chosen = _WORST_IN_LAKE, list[Shape]()
    for size in _LAKE_SIZES:
        size *= survey.scale.letters
        word = set_word(name, size, size * _LAKE_APART)
        free = far[-1] - word.width
        for number in range(max(int(free / _LAKE_STEP), -1) + 1):
            start = number * _LAKE_STEP
            stretch = line[bisect(far, start) - 1 : bisect(far, start + word.width) + 1]
            arc = arc_near(stretch, word.most_bend)
            cost = abs(arc.bend) / word.most_bend * _LAKE_BENT + abs(start - free / 2) / HEX
            if cost >= best:
                continue
            text = word.across(arc, WATER_INK, slant=True)
            for box in map(letter_box, text):
                cost += 0.0 if survey.frames(box) else _BEYOND_AREA
                cost += _ON_LAND * sum(not encloses(lake.area, corner) for corner in box.corners)
                cost += FIRM if room.cost(box, FIRM) >= FIRM else 0.0
                if cost >= best:
                    break  # no further letter makes it better
            else:
                best, chosen = cost, list(text)
        if chosen:
            break
    return chosen


def _place_beside_lake(
    survey: Survey, name: str, middle: Point, lakes: Sequence[Lake], room: TakenBoxes
) -> list[Shape]:
    """Return a name beside its lake with a leader to its shore, where it covers the least; without a lake in its
    middle.
    """
    size = _LAKE_SIZES[1] * survey.scale.letters
    width, height = text_width(name, size), size * FIGURE_HEIGHT
    shores = [lakes[0].area[number] for number in range(0, len(lakes[0].area), 6)] if lakes else [middle]
    best: tuple[float, Text, tuple[Point, Point]] | None = None
    for x, y in shores:
        for offset in _OFF_LAKE:
            for across, down in ((1, 0), (-1, 0), (0, -1), (0, 1), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)):
                end = x + across * offset, y + down * offset
                left = end[0] - width * (1 - across) / 2
                base = end[1] + height * (1 + down) / 2
                text = Text(x=left, y=base, text=name, size=size, fill=WATER_INK, slant=True)
                box = text_box(text)
                box = PageBox(box.left - 0.5, box.top - 0.5, box.right + 1.0, box.bottom + 1.0)
                cost = offset * 0.2 + room.cost(box) + dist(end, middle) / HEX * 2
                cost += sum(_ON_LAND * 4 for lake in lakes for corner in box.corners if encloses(lake.area, corner))
                cost += 0.0 if survey.frames(box) else _BEYOND_AREA * 5
                if best is None or cost < best[0]:
                    best = cost, text, ((x, y), end)
    assert best is not None
    cost, text, leader = best
    if cost >= FIRM:
        return []  # it would cover what must not be covered
    return [Polyline(points=leader, stroke=WATER_INK, width=_LEADER), text] if lakes else [text]
