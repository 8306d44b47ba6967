"""The hex numbers on a map, and the names of regions, ranges, lakes and rivers."""

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
from ..placement import COST_ON_FIRM, TakenBoxes
from ..scene import Group, Layer, Point, Polyline, Shape, Text, encloses
from ..style import HEX_MM, RADIUS, RIVER, UNKNOWN_GROUND
from .arcs import Arc, ArcText, arc_near, letter_box, set_word, text_box
from .courses import Line, lengths_along
from .survey import Survey
from .waters import Lake, River, Waters

MIN_LETTER_SIZE_MM = 4.15
"""The minimum legible size of letters in print, where a hex is 16 mm high."""
_UNPRINTED = late_pattern(r" (\([^)]*\)|[Rr]iver)$")
"""The part at the end of a name that is not printed on a map."""


def printed_name(name: str) -> str:
    """Return a name as printed on a map: `Kreuzburg` for `Kreuzburg (Prussia)`, `Goldap` for `Goldap river`."""
    return _UNPRINTED.sub("", name) or name


_NUMBER_SIZE_MM = MIN_LETTER_SIZE_MM
WATER_INK = mix(RIVER, INK, 0.35)
_RIVER_SIZE_MM = 4.2
_RIVER_LETTER_GAP_FACTOR = 0.08
"""The gap between letters; 1 is their size."""
_CAPITAL_HEIGHT_FACTOR = 0.66
"""The height of capitals; 1 is the size of letters."""
_RIVER_GAP_MM = 1.7
"""The distance of a name from its river."""
_EDGE_GAP_MM = 0.2 * HEX_MM
_NAME_REPEAT_HEXES = 9.0
"""The distance after which a river is named again."""
_NUMBER_DEPTH_MM = 3.2
"""The distance of numbers below the upper edge of their hex, where no river and few counters reach them."""
_NORTH_GAP_MM = 2.6
"""The distance between a number and a line that runs north."""
_HEXSIDE_GAP_MM = 0.6
_NUMBER_GROUND_SHARE = 0.46
"""The share of the ground colour in the ink of numbers, which makes them faint."""
_NUMBER_GROUND_SHARE_AFAR = 0.6
_MAX_ENLARGEMENT_WITH_NUMBERS = 1.3
"""The greatest enlargement of letters at which all hexes have their number."""
_MIN_RIVER_LENGTH_FACTOR = 1.6
"""The least length of a named river, as a multiple of the length of its name."""
_MIN_RIVER_LENGTH_FACTOR_AFAR = 3.0
_COST_OF_BEND = 2.0
"""Cost of the maximum bend of a river's name."""
_MIN_STEEP_SLOPE = 0.8
"""The sine of the slope above which a name is too steep."""
_COST_PER_STEEPNESS = 28.0
"""Cost for each unit of the slope's sine beyond `_MIN_STEEP_SLOPE`."""
_COST_OF_STRAY_PER_MM = 1.1
"""Cost of each millimetre that bends push a name away from the river."""
_LETTER_OUTSIDE_COST = 40.0
"""Cost for a letter outside the drawn hexes."""
_OFF_CENTRE_COST = 3.0
"""Cost for a name at the end of its stretch, in proportion less towards the middle."""
_BEND_RANGE_FACTOR = 0.4
"""The reach beyond the ends of a name within which bends count, as a share of its size."""
_MAX_COST_OF_RIVER_NAME = 26.0
_RIVER_LETTER_COST = 50.0
"""Cost for other names of each covered letter of a river's name."""


def number_texts(survey: Survey) -> list[Text]:
    """Return the printed hex numbers, all at the same place in their hexes.

    They are at the top, or left of the middle if ways may run due north.
    """
    size, quiet = (
        _NUMBER_SIZE_MM * survey.scale.letters,
        _NUMBER_GROUND_SHARE if _has_all_numbers(survey) else _NUMBER_GROUND_SHARE_AFAR,
    )
    is_left = survey.layout.flat and _has_all_numbers(survey)
    texts = []
    for name in _choose_numbered(survey):
        x, y = survey.layout.centre(name)
        ground, depth = survey.ground(name), _NUMBER_DEPTH_MM
        if is_left:  # a long number stands lower, clear of the slanted hexside at its left
            depth = max(depth, (_NORTH_GAP_MM + text_width(name, size) + _HEXSIDE_GAP_MM - RADIUS / 2) * sqrt(3))
        texts.append(
            Text(
                x=x - _NORTH_GAP_MM if is_left else x,
                y=y - HEX_MM / 2 + depth + size * FIGURE_HEIGHT,
                text=name,
                size=size,
                anchor="end" if is_left else "middle",
                fill=mix(ink_on(ground), ground, quiet),
            )
        )
    return texts


def _has_all_numbers(survey: Survey) -> bool:
    return survey.scale.letters <= _MAX_ENLARGEMENT_WITH_NUMBERS


def _choose_numbered(survey: Survey) -> list[str]:
    """Return the hexes with a printed number: all, or on a small map those of every fifth column and row.

    On a small map no hex at the edge has a number.
    """
    draws, names = survey.layout.draws, survey.layout.names
    if _has_all_numbers(survey):
        return list(names)
    at = {name: survey.board.grid.parse(name) for name in names}
    fifth = [name for name in names if at[name].column % 5 == 0 and at[name].row % 5 == 0]
    return [name for name in fifth if all(draws(beyond) for beyond, _, _ in survey.around[name])]


# --- rivers -----------------------------------------------------------------------------------------------------------


def river_names(
    survey: Survey, waters: Waters, room: TakenBoxes, hexsides_by_river: Mapping[str, Sequence[str]] | None = None
) -> list[Shape]:
    """Return the names of rivers beside straight stretches, repeatedly on a long river.

    `hexsides_by_river`: the hexsides of each river by name, if this map is a part of a larger picture.
    """
    shapes: list[Shape] = []
    texts_by_name: dict[str, list[Text]] = {}
    for river in waters.rivers:
        name = river.course.name
        if not name:
            continue
        for text in _place_along_river(survey, river, room, hexsides_by_river):
            min_distance = _NAME_REPEAT_HEXES * HEX_MM * 0.6 * survey.scale.letters
            if any(
                hypot(other.x - text[0].x, other.y - text[0].y) < min_distance for other in texts_by_name.get(name, ())
            ):
                continue
            texts_by_name.setdefault(name, []).append(text[0])
            shapes.append(Group(name, tuple(text)))
            for letter in text:
                room.take(letter_box(letter), _RIVER_LETTER_COST)
    return shapes


def _place_along_river(
    survey: Survey, river: River, room: TakenBoxes, whole: Mapping[str, Sequence[str]] | None
) -> Iterator[list[Text]]:
    line, scale = river.line, survey.scale.letters
    size = (_RIVER_SIZE_MM + min(max(river.widths), 3.0) * 0.35) * scale
    word = set_word(printed_name(river.course.name), size, size * _RIVER_LETTER_GAP_FACTOR)
    reaches = lengths_along(line)
    length, width = reaches[-1], word.width
    if length < width * (_MIN_RIVER_LENGTH_FACTOR_AFAR if survey.scale.small else _MIN_RIVER_LENGTH_FACTOR):
        return
    repeat_distance = _NAME_REPEAT_HEXES * HEX_MM * scale
    stretches: Iterable[tuple[float, float]]
    if whole is None:
        stretches = _split_evenly(length, repeat_distance)
    else:
        stretches = _own_stretches(survey, river, length, whole.get(river.course.name, ()), repeat_distance)
    for lower, end in stretches:
        upper = end - width
        best, chosen = _MAX_COST_OF_RIVER_NAME, list[Text]()
        steps = max(int((upper - lower) / (HEX_MM * 0.7)), 1)
        for step in sorted(range(steps + 1), key=lambda step: abs(step / steps - 0.5)):
            start = lower + (upper - lower) * step / steps
            offset_cost = abs(step / steps - 0.5) * _OFF_CENTRE_COST
            if start < 0 or start + width > length:
                continue
            if offset_cost >= best:
                break  # the steps farther aside cost even more
            stretch = line[bisect(reaches, start) - 1 : bisect(reaches, start + width) + 1]
            for cost, arc in _lines_beside(stretch, word, max(river.widths) / 2 + _RIVER_GAP_MM):
                cost += offset_cost
                if cost >= best:
                    continue
                text = word.along(arc, WATER_INK, slant=True)
                for letter in text:
                    box = letter_box(letter)
                    cost += room.cost(box) + (0.0 if survey.frames(box, _EDGE_GAP_MM) else _LETTER_OUTSIDE_COST)
                    if cost >= best:
                        break
                else:
                    best, chosen = cost, text
        if chosen:
            yield chosen


def _split_evenly(length: float, again: float) -> list[tuple[float, float]]:
    """Return the starts and ends of stretches, each about `again` long."""
    count = max(round(length / again), 1)
    return [(length * number / count, length * (number + 1) / count) for number in range(count)]


def _own_stretches(
    survey: Survey, river: River, length: float, sides: Sequence[str], again: float
) -> Iterator[tuple[float, float]]:
    """Yield the stretches of a whole river that are named in this part of a picture.

    They are distances along the line drawn here. Each stretch is named in the part whose frame contains its middle.

    `length`: the length of the line.
    `sides`: the hexsides of the whole river.
    `again`: the distance after which a river is named again.
    """
    numbers_here = {side: number for number, side in enumerate(river.course.sides)}
    hexside_length = length / len(numbers_here)
    for start, end in _split_evenly(len(sides), again / hexside_length):
        stretch = sides[round(start) : round(end)]
        middle_side = stretch[len(stretch) // 2] if stretch else ""
        numbers = [numbers_here[side] for side in stretch if side in numbers_here]
        if middle_side in numbers_here:
            (x0, y0), (x1, y1) = (
                survey.point(survey.sides[middle_side].start),
                survey.point(survey.sides[middle_side].end),
            )
            if survey.holds(((x0 + x1) / 2, (y0 + y1) / 2)):
                yield min(numbers) * hexside_length, (max(numbers) + 1) * hexside_length


def _lines_beside(stretch: Line, word: ArcText, off: float) -> Iterator[tuple[float, Arc]]:
    """Yield the lines above and below a stretch on which its name is clear of all bends, each with its cost.

    `off`: the distance between the name and the stretch.
    """
    arc = arc_near(stretch, word.most_bend)
    bend_cost = (
        abs(arc.bend) / word.most_bend * _COST_OF_BEND
        + max(abs(sin(arc.direction)) - _MIN_STEEP_SLOPE, 0) * _COST_PER_STEEPNESS
    )
    half = word.width / 2 + word.size * _BEND_RANGE_FACTOR
    offsets = [off for along, off in map(arc.place_of, stretch) if abs(along) < half] or [0.0]
    above, below = min(offsets), max(offsets)
    yield bend_cost - above * _COST_OF_STRAY_PER_MM, arc.beside(above - off)
    yield bend_cost + below * _COST_OF_STRAY_PER_MM, arc.beside(below + off + word.size * _CAPITAL_HEIGHT_FACTOR)


# --- names across the map ---------------------------------------------------------------------------------------------


class LabelStyle(NamedTuple):
    """The style of the names of a kind: their ink, and their maximum size in mm."""

    ink: str
    max_size: float


_STYLES = {
    "region": LabelStyle(mix(INK, UNKNOWN_GROUND, 0.54), 12.5),
    "range": LabelStyle("#654724", 12.0),
    "water": LabelStyle(mix(WATER_INK, WHITE, 0.15), 15.0),
}
_MIN_CONTRAST = 2.5
"""The minimum contrast ratio of ink and ground, as WCAG defines it."""
_MIN_PALE_SIZE_MM = 7.0
"""The size below which names have darker ink."""
_MIN_LABEL_SIZE_MM = 5.2
_MIN_LABEL_SIZE_AFAR_MM = 3.4
"""The size below which a small map leaves out names."""
_GROWTH_EXPONENT = 0.6
"""The exponent by which names grow with the enlargement of letters."""
_MAX_SPREAD_FACTOR = 4.6
"""The greatest length of a spread name, as a multiple of its usual width."""
_MAX_SPREAD_FACTOR_ON_WATER = 1.8
_WATER_NAME_SIZE_FACTORS = (1.0, 0.8, 0.62, 0.5)
"""The sizes tried for names of water; 1 is the largest."""
_WATER_NAME_START_SHARES = (0.5, 0.25, 0.75, 0.0, 1.0)
"""The starts tried along the water, as shares of the spare length."""
_STRETCH_SHARES = ((0.0, 1.0), (0.0, 0.8), (0.2, 1.0), (0.1, 0.9), (0.0, 0.6), (0.4, 1.0), (0.2, 0.8))
"""The stretches of its line tried for a name on land, as start and end shares, the best first."""
_MAX_BEND_RADIANS = 1.1
"""The maximum bend of a name from one end to the other."""
_SHIFTS_HEXES = tuple(
    sorted(
        ((x / 8, y / 8) for x in (0, -2, 2, -4, 4) for y in (0, -1, 1, -2, 2, -3, 3, -5, 5)),
        key=lambda by: abs(by[0]) + abs(by[1]),
    )
)
"""The shifts of names that are tried, in hexes, the shortest first."""
_COST_OF_SHRINKING = 60.0
"""Cost of the smallest letters, in the unit of `TakenBoxes`; larger letters cost less."""
_COST_OF_LEAVING_OUT = 26.0
"""Cost of using no part of the line; a partly used line costs less."""
_COST_PER_HEX_MOVED = 6.0
_LETTER_OUTSIDE_AREA_COST = 40.0
"""The penalty for a letter of an area's name outside the drawn hexes."""
_COST_ON_ANOTHER_NAME = 90.0
"""Cost of a letter on another name across the map."""
_MAX_LABEL_COST = 140.0
"""The maximum cost of a label, so that only a few of its letters may be outside the drawn hexes."""
_MIN_DRAWN_SHARE = 1 / 3
"""The share of a name's hexes that must be drawn for it to be written."""
_MIN_HEXES_DRAWN = 5
"""The number of drawn hexes of a name that is enough in any case."""
_LABEL_LETTER_COST = 8.0
"""Cost for other names of each covered letter."""


def region_labels(survey: Survey, room: TakenBoxes) -> Layer:
    """Return the names of regions, ranges and open water across the map, without overlaps.

    Names with the fewest hexes are placed first, as they have the least choice.
    """
    groups: dict[int, Group] = {}
    labels_taken = TakenBoxes()
    order = sorted(enumerate(survey.board.labels), key=lambda entry: (len(entry[1].hexes), entry[0]))
    for number, label in order:
        if _is_lake_name(survey, label):
            continue
        drawn = [name for name in label.hexes if survey.layout.draws(name)]
        is_enough_drawn = len(drawn) >= min(len(label.hexes) * _MIN_DRAWN_SHARE, _MIN_HEXES_DRAWN)
        if is_enough_drawn and (texts := _place_label(survey, label, drawn, room, labels_taken)):
            groups[number] = Group(label.name, tuple(texts))
            for letter in texts:
                room.take(letter_box(letter), _LABEL_LETTER_COST)
                labels_taken.take(letter_box(letter), _COST_ON_ANOTHER_NAME)
    return Layer("regions", tuple([groups[number] for number in sorted(groups)]))


def hexes_by_labels(survey: Survey) -> set[str]:
    """Return the hexes of labels across the map, and their neighbours."""
    along = {name for label in survey.board.labels for name in label.hexes if name in survey.around}
    return along.union(beyond for name in along for beyond, _, _ in survey.around[name])


def _is_lake_name(survey: Survey, label: MapLabel) -> bool:
    """Return whether the label names water between hexes."""
    return label.kind == "water" and not any(is_water(survey.terrain.get(name, "")) for name in label.hexes)


def _place_label(
    survey: Survey, label: MapLabel, hexes: Sequence[str], room: TakenBoxes, others: TakenBoxes
) -> list[Text]:
    """Return the letters of a name at its cheapest place, or none if the name would be too small or has no room.

    `room`: boxes to avoid.
    `others`: boxes of other names across the map.
    """
    best, chosen = _MAX_LABEL_COST, list[Text]()
    for size_cost, text in _write_label(survey, label, hexes):
        boxes = list(map(letter_box, text))
        for x, y in _SHIFTS_HEXES:
            cost = size_cost + _COST_PER_HEX_MOVED * (abs(x) + abs(y))
            if cost >= best:
                break  # longer shifts cost even more
            for box in boxes:
                moved = _move_box(box, x * HEX_MM, y * HEX_MM)
                cost += 0.0 if survey.frames(moved, HEX_MM / 2) else _LETTER_OUTSIDE_AREA_COST
                cost += room.cost(moved, best - cost) + others.cost(moved)
                if cost >= best:
                    break
            else:
                best = cost
                chosen = [msgspec.structs.replace(line, x=line.x + x * HEX_MM, y=line.y + y * HEX_MM) for line in text]
    return chosen


def _move_box(box: PageBox, x: float, y: float) -> PageBox:
    return PageBox(box.left + x, box.top + y, box.right + x, box.bottom + y)


def _write_label(survey: Survey, label: MapLabel, hexes: Sequence[str]) -> Iterator[tuple[float, list[Text]]]:
    style, points = _STYLES[label.kind], [survey.layout.centre(name) for name in hexes]
    text = printed_name(label.name)
    style = style._replace(ink=_darken_ink(style.ink, {survey.ground(name) for name in hexes}))
    if label.kind == "water":
        yield from _set_along(survey, style, text, *_find_arc(points, text, style.max_size), water=True)
        return
    text = text.upper()
    arc, length = _find_arc(points, text, style.max_size)
    windows = _STRETCH_SHARES if len(points) > 1 else _STRETCH_SHARES[:1]
    for first, last in windows:
        part = arc.go(length * (first + last - 1) / 2)
        for cost, written in _set_along(survey, style, text, part, length * (last - first), water=False):
            yield cost + _COST_OF_LEAVING_OUT * (1 - last + first), written


def _darken_ink(ink: str, grounds: Collection[str]) -> str:
    inks = (mix(ink, INK, share / 10) for share in range(10))
    return next((ink for ink in inks if all(contrast(ink, ground) >= _MIN_CONTRAST for ground in grounds)), INK)


def _find_arc(points: Sequence[Point], text: str, size: float) -> tuple[Arc, float]:
    """Return the line for a name across hexes, and its length. For a single hex or a ring it is level."""
    if points[0] == points[-1]:
        return Arc(*points[0]), max(text_width(text, size * 0.7) * 1.3, 2 * HEX_MM)
    arc = arc_near(points, _MAX_BEND_RADIANS / dist(points[0], points[-1]))
    along = [arc.place_of(point)[0] for point in points]
    return arc.go((min(along) + max(along)) / 2), max(along) - min(along)


def _set_along(
    survey: Survey, style: LabelStyle, text: str, arc: Arc, length: float, *, water: bool
) -> Iterator[tuple[float, list[Text]]]:
    scale = survey.scale
    natural = length / (text_width(text, 1.0) * 1.45)
    if scale.small and natural < _MIN_LABEL_SIZE_AFAR_MM * scale.letters:
        return
    most = style.max_size * scale.letters**_GROWTH_EXPONENT
    largest, least = min(most, natural), _MIN_LABEL_SIZE_MM * min(scale.letters, 2.0)
    shares = _WATER_NAME_SIZE_FACTORS if water else (1.0,)
    for size in dict.fromkeys(max(largest * share, least) for share in shares):
        # pale ink is illegible in small letters
        ink = mix(style.ink, INK, 0.4) if size < _MIN_PALE_SIZE_MM * scale.letters else style.ink
        width = text_width(text, size)
        spread = min(max(length / width, 1.0), _MAX_SPREAD_FACTOR_ON_WATER if water else _MAX_SPREAD_FACTOR)
        word = set_word(text, size, width * (spread - 1) / max(len(text) - 1, 1))
        if not water:
            yield 0.0, word.across(arc, ink)
            continue
        for share in _WATER_NAME_START_SHARES:
            cost = _COST_OF_SHRINKING * (1 - size / max(most, size)) + abs(share - 0.5)
            yield cost, word.across(arc.go((length - word.width) * (share - 0.5)), ink, slant=True)


# --- names of lakes ---------------------------------------------------------------------------------------------------

_LAKE_SIZES_MM = (5.6, 5.0, MIN_LETTER_SIZE_MM)
_LAKE_LETTER_GAP_FACTOR = 0.03
"""The gap between letters; 1 is their size."""
_LAKE_STEP_MM = 2.5
"""The distance between the places tried along a lake."""
_COST_OF_LAKE_BEND = 3.0
"""Cost of the maximum bend of a name."""
_COST_ON_LAND = 2.5
"""Cost for the corner of a letter to stand on land."""
_MAX_COST_OF_NAME_IN_LAKE = 14.0
_MAX_LAKE_DISTANCE_MM = 1.6 * HEX_MM
"""The maximum distance of a lake from the hexes of its name."""
_LAKE_GAPS_MM = (4.0, 8.0, 13.0)
"""The distances from the lake that are tried for a name beside it."""
_LEADER_WIDTH_MM = 0.35
_LAKE_LETTER_COST = 50.0
"""Cost for other names of each covered letter of a lake's name."""


def lake_names(survey: Survey, waters: Waters, room: TakenBoxes, *, partly: bool = False) -> list[Shape]:
    """Return the names of lakes between hexes, in the lake or beside it with a leader, or none on a small map.

    `partly`: whether this map is a part of a larger picture and names only lakes whose middle hex it contains.
    """
    shapes: list[Shape] = []
    if survey.scale.small:
        return shapes
    for label in survey.board.labels:
        centres = [survey.layout.centre(name) for name in label.hexes if survey.layout.draws(name)]
        if not centres or not _is_lake_name(survey, label):
            continue
        middle_hex = label.hexes[len(label.hexes) // 2]
        if partly and not (survey.layout.draws(middle_hex) and survey.holds(survey.layout.centre(middle_hex))):
            continue
        middle, name = middle_of(centres), printed_name(label.name)
        lakes = sorted(waters.lakes, key=lambda lake: _distance_to_line(middle, lake.axis))
        lakes = [lake for lake in lakes if _distance_to_line(middle, lake.axis) < _MAX_LAKE_DISTANCE_MM]
        inside = (_place_in_lake(survey, name, lake, room) for lake in lakes)
        written = next(filter(None, inside), None) or _place_beside_lake(survey, name, middle, lakes, room)
        shapes.append(Group(label.name, tuple(written)))
        for letter in written:
            if isinstance(letter, Text):
                room.take(text_box(letter) if len(letter.text) > 1 else letter_box(letter), _LAKE_LETTER_COST)
    return shapes


def _distance_to_line(point: Point, line: Line) -> float:
    return min(dist(point, other) for other in line)


def _place_in_lake(survey: Survey, name: str, lake: Lake, room: TakenBoxes) -> list[Shape]:
    """Return the name along the straightest run of its lake, or an empty list if there is no room."""
    line, reaches = lake.axis, lengths_along(lake.axis)
    best, chosen = _MAX_COST_OF_NAME_IN_LAKE, list[Shape]()
    for size in _LAKE_SIZES_MM:
        size *= survey.scale.letters
        word = set_word(name, size, size * _LAKE_LETTER_GAP_FACTOR)
        free = reaches[-1] - word.width
        for number in range(max(int(free / _LAKE_STEP_MM), -1) + 1):
            start = number * _LAKE_STEP_MM
            stretch = line[bisect(reaches, start) - 1 : bisect(reaches, start + word.width) + 1]
            arc = arc_near(stretch, word.most_bend)
            cost = abs(arc.bend) / word.most_bend * _COST_OF_LAKE_BEND + abs(start - free / 2) / HEX_MM
            if cost >= best:
                continue
            text = word.across(arc, WATER_INK, slant=True)
            for box in map(letter_box, text):
                cost += 0.0 if survey.frames(box) else _LETTER_OUTSIDE_AREA_COST
                cost += _COST_ON_LAND * sum(not encloses(lake.area, corner) for corner in box.corners)
                cost += COST_ON_FIRM if room.cost(box, COST_ON_FIRM) >= COST_ON_FIRM else 0.0
                if cost >= best:
                    break  # further letters only add cost
            else:
                best, chosen = cost, list(text)
        if chosen:
            break
    return chosen


def _place_beside_lake(
    survey: Survey, name: str, middle: Point, lakes: Sequence[Lake], room: TakenBoxes
) -> list[Shape]:
    """Return the name beside its lake with a leader to the shore, or around `middle` if no lake is near."""
    size = _LAKE_SIZES_MM[1] * survey.scale.letters
    width, height = text_width(name, size), size * FIGURE_HEIGHT
    shores = [lakes[0].area[number] for number in range(0, len(lakes[0].area), 6)] if lakes else [middle]
    best: tuple[float, Text, tuple[Point, Point]] | None = None
    for x, y in shores:
        for offset in _LAKE_GAPS_MM:
            for across, down in ((1, 0), (-1, 0), (0, -1), (0, 1), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)):
                end = x + across * offset, y + down * offset
                left = end[0] - width * (1 - across) / 2
                base = end[1] + height * (1 + down) / 2
                text = Text(x=left, y=base, text=name, size=size, fill=WATER_INK, slant=True)
                box = text_box(text)
                box = PageBox(box.left - 0.5, box.top - 0.5, box.right + 1.0, box.bottom + 1.0)
                cost = offset * 0.2 + room.cost(box) + dist(end, middle) / HEX_MM * 2
                cost += sum(
                    _COST_ON_LAND * 4 for lake in lakes for corner in box.corners if encloses(lake.area, corner)
                )
                cost += 0.0 if survey.frames(box) else _LETTER_OUTSIDE_AREA_COST * 5
                if best is None or cost < best[0]:
                    best = cost, text, ((x, y), end)
    assert best is not None
    cost, text, leader = best
    if cost >= COST_ON_FIRM:
        return []  # the name would cover something firm
    return [Polyline(points=leader, stroke=WATER_INK, width=_LEADER_WIDTH_MM), text] if lakes else [text]
