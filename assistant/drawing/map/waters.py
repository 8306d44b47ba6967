"""Features along hexsides: rivers as tapering lines, lakes with a shore, ridges, slopes and closed hexsides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from ...game.hexes import Corner
from ..colours import WHITE, mix
from ..geometry import PageBox, middle_of, point_between, shift_aside
from ..palettes import ground_colour, is_water
from ..scene import Layer, Path, Point, Polygon, Polyline, Shape, encloses
from ..style import HEX_MM, LAKE, HexsideKind, HexsideStyle
from .courses import Line, MapCourse, courses_along, ribbon, shift_line, smooth
from .grounds import shore_of
from .land import LONG_LAKE_WIDTH_MM, lake_outline, points_each, settle_corners, smooth_outlines, wander
from .survey import Survey

WATERS: tuple[HexsideKind, ...] = ("river", "lake")
"""The kinds of hexsides that are water, which small maps show too."""
_MAX_RIVER_BEND_MM = 0.058 * HEX_MM
"""The bend of the thinnest river off its hexside."""
_BEND_LOSS_PER_MM = 0.15
"""The reduction of the bend for each millimetre of a river's width, in mm."""
_MAX_WIDTH_FOR_BEND_MM = 3.0
"""The width above which rivers bend no less."""
_LAKE_BEND_MM = 0.02 * HEX_MM
_LAKE_GAP_MM = 2.0
"""The maximum gap that is filled with water, between a lake along hexsides and a lake with its own outline."""
_SOURCE_WIDTH_FACTOR = 0.35
_CONFLUENCE_WIDTH_FACTOR = 0.85
"""The width factor at the start of a river that flows out of others, or from beyond the edge of the picture."""
_MOUTH_WIDTH_FACTOR = 1.2
_WIDENING_RATE = 1.6
"""The rate of widening: a river reaches the width of its mouth after 1/1.6 of its length."""
_WIDTH_BLEND_HEXSIDES = 2
"""The number of hexsides before and after a corner whose widths are averaged there."""
_DOUBTFUL_DASH_MM = (2.2, 1.5)
_COAST_STEPS = 16
"""The number of points tried between a river's end at a corner and the middle of the open water there."""
_STRAIT_WIDTH_MM = 0.4 * HEX_MM


class River(NamedTuple):
    """A river as it is drawn."""

    course: MapCourse[Corner]
    line: Line
    """The line, with `points_each` points for each hexside, and one more at the end."""
    widths: tuple[float, ...]
    """The width at each point of the line, in the units of the picture."""


class Lake(NamedTuple):
    """A lake along hexsides, or a lake with its own outline."""

    area: Line
    axis: Line
    """The line along the middle of the lake, for its name."""
    colour: str
    """The colour that the game states for the lake's word."""
    doubtful: bool


class Waters:
    """The rivers, lakes and other hexside features of a survey."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey

    @cached_property
    def _styles_by_kind(self) -> dict[str, dict[str, HexsideStyle]]:
        styles_by_kind: dict[str, dict[str, HexsideStyle]] = defaultdict(dict)
        terrain, palette = self.survey.terrain, self.survey.palette
        styles = {word: palette.hexside(word) for words in self.survey.barriers.values() for word in words}
        for name, words in self.survey.barriers.items():
            for word in words:
                style = styles[word]
                if style is None:
                    continue
                side = self.survey.sides[name]
                if style.kind in WATERS and (is_water(terrain[side.one]) or is_water(terrain[side.other])):
                    continue  # the shore of open water is drawn with the water
                styles_by_kind[style.kind].setdefault(name, style)
        return styles_by_kind

    @property
    def rivers(self) -> list[River]:
        """The rivers in the order of drawing: the widest first, then the longest."""
        return self._rivers_and_turns[0]

    @cached_property
    def _rivers_and_turns(self) -> tuple[list[River], Mapping[Corner, Point]]:
        """The rivers, and the point at which they turn at each corner.

        The first river at a corner sets this point. Tributaries come later, so that they meet the larger river there.
        """
        styles = self._styles_by_kind["river"]
        courses = courses_along(self.survey, styles, self.survey.picture.barrier)
        courses.sort(key=lambda course: (-max(styles[side].width for side in course.sides), -len(course.sides)))
        sides_at = self._count_sides_at(styles)
        settled: dict[Corner, Point] = {}
        rivers = []
        for course in courses:
            downstream = self._turn_downstream(course, styles, sides_at)
            river, turning_points = self._lay_river(downstream, styles, sides_at, settled)
            rivers.append(river)
            for corner, point in zip(river.course.nodes, turning_points, strict=True):
                settled.setdefault(corner, point)
        return rivers, settled

    def _count_sides_at(self, sides: Iterable[str]) -> Mapping[Corner, int]:
        return Counter(
            corner for name in sides for corner in (self.survey.sides[name].start, self.survey.sides[name].end)
        )

    def _turn_downstream(
        self, course: MapCourse[Corner], styles: dict[str, HexsideStyle], sides_at: Mapping[Corner, int]
    ) -> MapCourse[Corner]:
        """Return the course in the direction in which it ends at its wider end, or else where it meets another river.

        A named course is unchanged, because the game states its direction.
        """
        if course.name:
            return course
        first_width, last_width = styles[course.sides[0]].width, styles[course.sides[-1]].width
        starts_at_river = sides_at[course.nodes[0]] > 1 and sides_at[course.nodes[-1]] == 1
        if first_width > last_width or (first_width == last_width and starts_at_river):
            return MapCourse(course.name, course.sides[::-1], course.nodes[::-1])
        return course

    def _lay_river(
        self,
        course: MapCourse[Corner],
        styles: dict[str, HexsideStyle],
        sides_at: Mapping[Corner, int],
        settled: Mapping[Corner, Point],
    ) -> tuple[River, list[Point]]:
        """Return the river, and the point at which it turns for each of its corners."""
        corners = course.nodes
        forks = {corner for corner in corners if sides_at[corner] > 2}
        turning_points = settle_corners(self.survey, corners, settled, forks)
        bends = [
            _MAX_RIVER_BEND_MM - min(styles[side].width, _MAX_WIDTH_FOR_BEND_MM) * _BEND_LOSS_PER_MM
            for side in course.sides
        ]
        line = wander(self.survey, corners, turning_points, bends, bridged=self._are_crossed_by_ways(course))
        has_source = sides_at[corners[0]] == 1 and corners[0] not in self.survey.edge
        widths = self._find_widths(course, styles, has_source=has_source, point_count=len(line))
        return River(course, line, widths), turning_points

    def _are_crossed_by_ways(self, course: MapCourse[Corner]) -> list[bool]:
        survey = self.survey
        return [side in survey.rails or side in survey.roads or side in survey.crossings for side in course.sides]

    def _find_widths(
        self, course: MapCourse[Corner], styles: dict[str, HexsideStyle], *, has_source: bool, point_count: int
    ) -> tuple[float, ...]:
        """Return the river's width at each point of its line: the blended hexside width, growing downstream."""
        side_widths = [styles[side].width for side in course.sides]
        padded = [side_widths[0], *side_widths, side_widths[-1]]
        corner_widths = []
        for number in range(len(course.nodes)):
            near = padded[max(number + 1 - _WIDTH_BLEND_HEXSIDES, 0) : number + 1 + _WIDTH_BLEND_HEXSIDES]
            corner_widths.append(sum(near) / len(near))
        start_factor = _SOURCE_WIDTH_FACTOR if has_source else _CONFLUENCE_WIDTH_FACTOR
        widths = []
        for number in range(point_count):
            share = number / (point_count - 1)
            position = share * (len(corner_widths) - 1)
            lower = min(int(position), len(corner_widths) - 2)
            step = corner_widths[lower + 1] - corner_widths[lower]
            width = corner_widths[lower] + step * (position - lower)
            growth = min(share * _WIDENING_RATE, 1.0)
            factor = start_factor + (_MOUTH_WIDTH_FACTOR - start_factor) * growth
            widths.append(width * self.survey.scale.lines * factor)
        return tuple(widths)

    @cached_property
    def pieces(self) -> Mapping[str, tuple[Corner, Line]]:
        """The stretch of a river's line on each hexside, and the corner where the stretch begins.

        A border along a river is drawn on the same stretch.
        """
        steps = points_each(self.survey)
        return {
            side: (river.course.nodes[number], river.line[number * steps : (number + 1) * steps + 1])
            for river in self.rivers
            for number, side in enumerate(river.course.sides)
        }

    @property
    def settled(self) -> Mapping[Corner, Point]:
        return self._rivers_and_turns[1]

    def layers(self) -> list[Layer]:
        """Return three layers: rivers, lakes, and other features of hexsides."""
        return [
            Layer("rivers", tuple(self._draw_rivers())),
            Layer("lakes", tuple(self._draw_lakes())),
            Layer("hexsides", tuple(self._draw_dry_hexsides())),
        ]

    def _draw_rivers(self) -> list[Shape]:
        styles = self._styles_by_kind["river"]
        solid: dict[str, list[Line]] = defaultdict(list)
        doubtful: dict[tuple[str, float], list[Line]] = defaultdict(list)
        track, steps = self.survey.picture.barrier, points_each(self.survey)
        for course, line, widths in self.rivers:
            doubts = [self.survey.doubtful(track, side) for side in course.sides]
            for (is_doubtful, colour), run in groupby(
                range(len(course.sides)), key=lambda n: (doubts[n], styles[course.sides[n]].colour)
            ):
                numbers = list(run)
                first, last = numbers[0] * steps, (numbers[-1] + 1) * steps
                piece, piece_widths = line[first : last + 1], widths[first : last + 1]
                if len(piece) < 2:
                    continue
                piece, piece_widths = self._end_at_coast(piece, piece_widths, course.nodes[numbers[-1] + 1])
                back, back_widths = self._end_at_coast(piece[::-1], piece_widths[::-1], course.nodes[numbers[0]])
                piece, piece_widths = back[::-1], back_widths[::-1]
                if is_doubtful:
                    mean_width = sum(piece_widths) / len(piece_widths)
                    # widths are rounded to half a mm, so that there are few paths
                    doubtful[colour, round(mean_width * 2) / 2].append(piece)
                else:
                    solid[colour].append(ribbon(piece, piece_widths))
        shapes: list[Shape] = [
            Path(lines=tuple(lines), closed=True, holes=False, fill=colour) for colour, lines in solid.items()
        ]
        shapes += [
            Path(lines=tuple(lines), stroke=colour, width=max(width, 0.5) * 0.9, dash=_DOUBTFUL_DASH_MM, butt=True)
            for (colour, width), lines in doubtful.items()
        ]
        return shapes

    def _end_at_coast(self, line: Line, widths: tuple[float, ...], end: Corner) -> tuple[Line, tuple[float, ...]]:
        """Return the line and widths, cut or extended to the coast if open water lies at the corner `end`.

        The drawn coast is smoothed, so it may miss the corner.
        """
        if end not in self._water_middles:
            return line, widths
        middle = self._water_middles[end]
        onward = (
            *line,
            *(point_between(line[-1], middle, number / _COAST_STEPS) for number in range(1, _COAST_STEPS + 1)),
        )
        in_water = (number for number, point in enumerate(onward) if self._is_in_open_water(point))
        point_count = next(in_water, len(line) - 1) + 1
        widths += (widths[-1],) * _COAST_STEPS
        return onward[:point_count], widths[:point_count]

    def _is_in_open_water(self, point: Point) -> bool:
        x, y = point
        return any(
            box.left <= x <= box.right and box.top <= y <= box.bottom and encloses(coast, point)
            for box, coast in self._coasts
        )

    @cached_property
    def _coasts(self) -> tuple[tuple[PageBox, Line], ...]:
        water = {name for name, terrain in self.survey.terrain.items() if is_water(terrain)}
        coasts = []
        for line in smooth_outlines(self.survey, water):
            xs, ys = zip(*line, strict=True)
            coasts.append((PageBox(min(xs), min(ys), max(xs), max(ys)), line))
        return tuple(coasts)

    @cached_property
    def lakes(self) -> list[Lake]:
        """The lakes along hexsides, one for each course, then the lakes with their own outline.

        Courses that end in open water are left out, as they are `straits`.
        """
        styles, lakes = self._styles_by_kind["lake"], []
        sides_at, track = self._count_sides_at(styles), self.survey.picture.barrier
        for course in courses_along(self.survey, styles, track):
            corners = course.nodes
            if corners[0] in self._water_middles or corners[-1] in self._water_middles:
                continue
            joins = sides_at[corners[0]] > 1, sides_at[corners[-1]] > 1
            axis = self._find_axis(corners, self.settled)
            area = lake_outline(axis, corners[0], joins)
            doubtful = any(self.survey.doubtful(track, side) for side in course.sides)
            lakes.append(Lake(area, axis, styles[course.sides[0]].colour, doubtful))
        colour = lakes[0].colour if lakes else LAKE
        return [*lakes, *(Lake(area, _find_level_axis(area), colour, False) for area in self._own_lake_outlines())]

    def _own_lake_outlines(self) -> Iterator[Line]:
        """Yield the board's own outlines of lakes in drawn hexes or beside them."""
        layout = self.survey.layout
        for outline in self.survey.board.outlines:
            if any(map(layout.draws, (outline.hex, *self.survey.board.neighbours(outline.hex)))):
                x, y = self.survey.board.centre(outline.hex)
                line = tuple(layout.place(x + right, y + down) for right, down in outline.points)
                yield smooth(line, 2, closed=True)

    def _find_axis(self, corners: Sequence[Corner], settled: Mapping[Corner, Point]) -> Line:
        turning_points = settle_corners(self.survey, corners, settled)
        return wander(self.survey, corners, turning_points, [_LAKE_BEND_MM] * (len(corners) - 1))

    def _draw_lakes(self) -> list[Shape]:
        areas_by_look: dict[tuple[bool, str], list[Line]] = defaultdict(list)
        for lake in self.lakes:
            areas_by_look[lake.doubtful, lake.colour].append(lake.area)
        gap = _LAKE_GAP_MM if self.survey.board.outlines else 0.0
        shapes: list[Shape] = []
        for (doubtful, colour), areas in areas_by_look.items():
            shapes += lake_shapes(areas, colour, closed=gap, opacity=0.6 if doubtful else 1.0)
        return shapes

    @cached_property
    def _water_middles(self) -> dict[Corner, Point]:
        """By corner of open water, the middle of the centres of the water hexes around it."""
        water_centres: dict[Corner, list[Point]] = defaultdict(list)
        for name, terrain in self.survey.terrain.items():
            if is_water(terrain):
                for _, corner, _ in self.survey.around[name]:
                    water_centres[corner].append(self.survey.layout.centre(name))
        return {corner: middle_of(centres) for corner, centres in water_centres.items()}

    @cached_property
    def straits(self) -> tuple[Line, ...]:
        """Areas of water along hexsides that end in open water; each reaches half-way to the middle of that water."""
        straits = []
        for course in courses_along(self.survey, self._styles_by_kind["lake"], self.survey.picture.barrier):
            corners = course.nodes
            opens = corners[0] in self._water_middles, corners[-1] in self._water_middles
            if not any(opens):
                continue
            axis = self._find_axis(corners, {})
            before = [point_between(axis[0], self._water_middles[corners[0]], 0.5)] if opens[0] else []
            after = [point_between(axis[-1], self._water_middles[corners[-1]], 0.5)] if opens[1] else []
            line = (*before, *axis, *after)
            straits.append(lake_outline(line, corners[0], opens, width=_STRAIT_WIDTH_MM))
        return tuple(straits)

    @property
    def dry_hexsides(self) -> list[str]:
        return [name for kind, sides in self._styles_by_kind.items() if kind not in WATERS for name in sides]

    def _draw_dry_hexsides(self) -> list[Shape]:
        if self.survey.scale.small:
            return []
        shapes_of_sides: list[tuple[float, list[Shape]]] = []
        for kind, sides in self._styles_by_kind.items():
            if kind in WATERS:
                continue
            for name, style in sides.items():
                side = self.survey.sides[name]
                shapes = hexside_shapes(style, self.survey.point(side.start), self.survey.point(side.end))
                shapes_of_sides.append((style.width, shapes))
        shapes_of_sides.sort(key=lambda entry: -entry[0])
        return [shape for _, shapes in shapes_of_sides for shape in shapes]

    def middle_at(self, name: str) -> Point:
        """Return the middle of the river on the hexside, or of the hexside if it has no river."""
        if name in self.pieces:
            _, line = self.pieces[name]
            return point_between(line[(len(line) - 1) // 2], line[len(line) // 2], 0.5)
        side = self.survey.sides[name]
        return point_between(self.survey.point(side.start), self.survey.point(side.end), 0.5)

    def lake_width_at(self, name: str) -> float:
        return LONG_LAKE_WIDTH_MM if name in self._styles_by_kind["lake"] else 0.0

    def river_width_at(self, name: str) -> float:
        style = self._styles_by_kind["river"].get(name)
        return style.width if style else 0.0


def lake_shapes(areas: Sequence[Line], colour: str, *, closed: float = 0.0, opacity: float = 1.0) -> list[Shape]:
    """Return lakes with their shore below them.

    `closed`: the maximum width of gaps that are closed, in mm.
    """
    shore, water, lines = _colour_of_shore(colour), ground_colour("lake"), tuple(areas)
    return [
        Path(lines=lines, closed=True, holes=False, fill=shore, stroke=shore, width=closed + 1.1, opacity=opacity),
        Path(lines=lines, closed=True, holes=False, fill=water, stroke=water if closed else "", width=closed),
    ]


def _find_level_axis(area: Line) -> Line:
    y = sum(y for _, y in area) / len(area)
    left, right = min(x for x, _ in area), max(x for x, _ in area)
    return tuple([(left + (right - left) * number / 12, y) for number in range(13)])


def _colour_of_shore(colour: str) -> str:
    """Return the colour of a lake's shore: the one stated for its word, or a dark tone of the water by default."""
    return shore_of(ground_colour("lake")) if colour == LAKE else colour


def hexside_shapes(style: HexsideStyle, start: Point, end: Point) -> list[Shape]:
    """Return the shapes of a feature along one hexside, as on the map or in its key."""
    if style.kind == "river":
        middle = [point_between(start, end, share) for share in (0.25, 0.5, 0.75)]
        wave = smooth((start, *shift_line(middle, [0.5, 0.0, -0.5]), end), 4)
        growth = _MOUTH_WIDTH_FACTOR - _SOURCE_WIDTH_FACTOR
        widths = [style.width * (_SOURCE_WIDTH_FACTOR + growth * n / (len(wave) - 1)) for n in range(len(wave))]
        return [Polygon(points=ribbon(wave, widths), fill=style.colour)]
    if style.kind == "lake":
        middle = [point_between(start, end, n / 8) for n in range(9)]
        widths = [0.4, 2.6, 3.8, 4.0, 3.4, 4.0, 3.6, 2.4, 0.4]
        area = smooth(ribbon(middle, widths), 2, closed=True)
        return [Polygon(points=area, fill=ground_colour("lake"), stroke=_colour_of_shore(style.colour), width=0.5)]
    if style.kind == "teeth":
        return _draw_crest(style, start, end)
    shapes: list[Shape] = [Polyline(points=(start, end), stroke=style.colour, width=style.width)]
    if style.kind == "hachures":
        for share in (n / 12 for n in range(1, 12)):
            at = [point_between(start, end, share)]
            tick = (*shift_aside(at, (start, end), -1.5), *shift_aside(at, (start, end), 1.5))
            shapes.append(Polyline(points=tick, stroke=style.colour, width=0.4))
    elif style.kind == "closed":
        shapes.append(Polyline(points=(start, end), stroke=WHITE, width=1.7, dash=(0.5, 2.2), butt=True))
    return shapes


_PEAKS_PER_HEXSIDE = 4
_PEAK_HALF_LENGTH_FACTOR = 0.55
"""The length from a peak's top to its end; 1 is the distance between peaks. Over 0.5, peaks overlap."""
_PEAK_HALF_WIDTH_MM = 1.75
_SHARE_OF_WHITE_IN_LIGHT = 0.25


def _draw_crest(style: HexsideStyle, start: Point, end: Point) -> list[Shape]:
    """Return a ridge as a row of peaks, each with a lit and a dark side, unlike any line with ticks."""
    lit, shaded = list[Line](), list[Line]()
    for number in range(_PEAKS_PER_HEXSIDE):
        middle = (number + 0.5) / _PEAKS_PER_HEXSIDE
        first = point_between(start, end, middle - _PEAK_HALF_LENGTH_FACTOR / _PEAKS_PER_HEXSIDE)
        last = point_between(start, end, middle + _PEAK_HALF_LENGTH_FACTOR / _PEAKS_PER_HEXSIDE)
        peak = [point_between(start, end, middle)]
        for offset, triangles in ((-_PEAK_HALF_WIDTH_MM, lit), (_PEAK_HALF_WIDTH_MM, shaded)):
            (tip,) = shift_aside(peak, (start, end), offset)
            triangles.append((first, tip, last))
    if (end[0] - start[0]) - (end[1] - start[1]) < 0:
        lit, shaded = shaded, lit  # the light comes from the upper left
    rim = Path(lines=(*lit, *shaded), closed=True, stroke=WHITE, width=0.5, holes=False, opacity=0.7)
    return [
        rim,
        Path(lines=tuple(lit), closed=True, holes=False, fill=mix(style.colour, WHITE, _SHARE_OF_WHITE_IN_LIGHT)),
        Path(lines=tuple(shaded), closed=True, holes=False, fill=style.colour),
    ]
