"""What lies along hexsides: rivers as tapering lines, lakes and coasts with a shore, ridges and closed hexsides."""

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
from ..style import HEX, LAKE, HexsideKind, HexsideStyle
from .courses import Line, MapCourse, courses_along, ribbon, shift_line, smooth
from .grounds import shore_of
from .land import LAKE_WIDTH, lake_outline, points_each, settle_corners, smooth_outlines, wander
from .survey import Survey

_BEND = 0.058 * HEX  # mm that a river bends off a hexside, at a width of nothing
_CALMER = 0.3  # share of its width by which it bends less
_LAKE_BEND = 0.02 * HEX  # mm that a lake bends off a hexside
WATERS: tuple[HexsideKind, ...] = ("river", "lake")
"""The kinds of hexsides that are water, which a map too small for hexes shows too."""
_CLOSED = 2.0
"""How wide a gap between a lake along hexsides and its shape is water."""
_SOURCE = 0.35  # width of a river at its source, as a share of the usual one
_CONFLUENCE = 0.85  # the same where it comes out of others
_MOUTH = 1.2  # the same at its mouth
_GROWING = 1.6  # how fast it grows
_SOFT = 2  # hexsides over which a width changes
_DASH = (2.2, 1.5)  # mm, of doubtful rivers
_TO_COAST = 16
"""In how many steps a river goes on from a corner of open water to its middle, until it is in the water."""
_STRAIT = 0.4 * HEX
"""How wide a strait between two pieces of open water is."""


class River(NamedTuple):
    """A river as it is drawn: its course, and a line with its width at each point, in the units of the picture."""

    course: MapCourse[Corner]
    line: Line
    widths: tuple[float, ...]


class Lake(NamedTuple):
    """A lake along hexsides: its outline, the line along which it runs, the colour that the game gives its word, and
    whether it is doubtful.
    """

    area: Line
    axis: Line
    colour: str
    doubtful: bool


class Waters:
    """The rivers and lakes of a survey."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey

    @cached_property
    def _kinds(self) -> dict[str, dict[str, HexsideStyle]]:
        """By kind, the hexsides with their style."""
        hexside_styles: dict[str, dict[str, HexsideStyle]] = defaultdict(dict)
        terrain, palette = self.survey.terrain, self.survey.palette
        styles = {word: palette.hexside(word) for words in self.survey.barriers.values() for word in words}
        for name, words in self.survey.barriers.items():
            for word in words:
                style = styles[word]
                if style is None:
                    continue
                side = self.survey.sides[name]
                if style.kind in WATERS and (is_water(terrain[side.one]) or is_water(terrain[side.other])):
                    continue  # the shore of open water is drawn with it
                hexside_styles[style.kind].setdefault(name, style)
        return hexside_styles

    @property
    def rivers(self) -> list[River]:
        """The rivers, those that others flow into first."""
        return self._laid_rivers[0]

    @cached_property
    def _laid_rivers(self) -> tuple[list[River], Mapping[Corner, Point]]:
        """The rivers laid one after the other, and the points of their corners, on which later ones meet them."""
        styles = self._kinds["river"]
        courses = courses_along(self.survey, styles, self.survey.picture.barrier)
        courses.sort(key=lambda course: (-max(styles[side].width for side in course.sides), -len(course.sides)))
        met = self._count_meetings(styles)
        settled: dict[Corner, Point] = {}
        rivers = []
        for course in courses:
            river, turning = self._draw_river(self._turn_downstream(course, styles, met), styles, met, settled)
            rivers.append(river)
            for corner, point in zip(river.course.nodes, turning, strict=True):
                settled.setdefault(corner, point)
        return rivers, settled

    def _count_meetings(self, sides: Iterable[str]) -> Mapping[Corner, int]:
        """Return how many of some hexsides meet at each corner."""
        return Counter(
            corner for name in sides for corner in (self.survey.sides[name].start, self.survey.sides[name].end)
        )

    def _turn_downstream(
        self, course: MapCourse[Corner], styles: dict[str, HexsideStyle], met: Mapping[Corner, int]
    ) -> MapCourse[Corner]:
        """Return a course that no chain names, turned so that it ends where it meets another river or is widest."""
        first, last = styles[course.sides[0]].width, styles[course.sides[-1]].width
        unnamed = not course.name
        backwards = first > last or (first == last and met[course.nodes[0]] > 1 and met[course.nodes[-1]] == 1)
        return MapCourse(course.name, course.sides[::-1], course.nodes[::-1]) if unnamed and backwards else course

    def _draw_river(
        self,
        course: MapCourse[Corner],
        styles: dict[str, HexsideStyle],
        met: Mapping[Corner, int],
        settled: Mapping[Corner, Point],
    ) -> tuple[River, list[Point]]:
        """Return a river with its line, and the points of its corners. settled: those where other rivers were before."""
        corners = course.nodes
        forks = {corner for corner in corners if met[corner] > 2}
        turning = settle_corners(self.survey, corners, settled, forks)
        bends = [_BEND - min(styles[side].width, 3.0) * _CALMER * 0.5 for side in course.sides]
        line = wander(self.survey, corners, turning, bends, bridged=self._find_bridged(course))
        rises = met[corners[0]] == 1 and corners[0] not in self.survey.edge
        return River(course, line, self._find_widths(course, styles, source=rises, points=len(line))), turning

    def _find_bridged(self, course: MapCourse[Corner]) -> list[bool]:
        """Return whether a way crosses each hexside of a course."""
        survey = self.survey
        return [side in survey.rails or side in survey.roads or side in survey.crossings for side in course.sides]

    def _find_widths(
        self, course: MapCourse[Corner], styles: dict[str, HexsideStyle], *, source: bool, points: int
    ) -> tuple[float, ...]:
        """Return the width of a river at each point of its line: by its hexsides, growing from its start. source:
        whether it rises there.
        """
        usual = [styles[side].width for side in course.sides]
        usual = [usual[0], *usual, usual[-1]]
        soft = []
        for number in range(len(course.nodes)):
            near = usual[max(number + 1 - _SOFT, 0) : number + 1 + _SOFT]
            soft.append(sum(near) / len(near))
        start, widths = _SOURCE if source else _CONFLUENCE, []
        for number in range(points):
            share = number / (points - 1)
            at = share * (len(soft) - 1)
            lower = min(int(at), len(soft) - 2)
            width = soft[lower] + (soft[lower + 1] - soft[lower]) * (at - lower)
            widths.append(width * self.survey.scale.lines * (start + (_MOUTH - start) * min(share * _GROWING, 1.0)))
        return tuple(widths)

    @cached_property
    def pieces(self) -> Mapping[str, tuple[Corner, Line]]:
        """By hexside the corner where its piece of a river begins, and that piece, which a border along it shares."""
        steps = points_each(self.survey)
        return {
            side: (river.course.nodes[number], river.line[number * steps : (number + 1) * steps + 1])
            for river in self.rivers
            for number, side in enumerate(river.course.sides)
        }

    @property
    def settled(self) -> Mapping[Corner, Point]:
        """The points on which rivers turn, by corner."""
        return self._laid_rivers[1]

    def layers(self) -> list[Layer]:
        """Return rivers, then lakes over them, then whatever else lies on hexsides."""
        return [
            Layer("rivers", tuple(self._draw_rivers())),
            Layer("lakes", tuple(self._draw_lakes())),
            Layer("hexsides", tuple(self._draw_others())),
        ]

    def _draw_rivers(self) -> list[Shape]:
        """Return the rivers as ribbons, by their colour; doubtful stretches as dashed lines."""
        styles = self._kinds["river"]
        solid: dict[str, list[Line]] = defaultdict(list)
        doubtful: dict[tuple[str, float], list[Line]] = defaultdict(list)
        track, steps = self.survey.picture.barrier, points_each(self.survey)
        for course, line, widths in self.rivers:
            marked = [self.survey.doubtful(track, side) for side in course.sides]
            for (doubt, colour), run in groupby(
                range(len(course.sides)), key=lambda n: (marked[n], styles[course.sides[n]].colour)
            ):
                numbers = list(run)
                first, last = numbers[0] * steps, (numbers[-1] + 1) * steps
                piece, piece_widths = line[first : last + 1], widths[first : last + 1]
                if len(piece) < 2:
                    continue
                piece, piece_widths = self._lead_to_coast(piece, piece_widths, course.nodes[numbers[-1] + 1])
                back, back_widths = self._lead_to_coast(piece[::-1], piece_widths[::-1], course.nodes[numbers[0]])
                piece, piece_widths = back[::-1], back_widths[::-1]
                if doubt:
                    doubtful[colour, round(sum(piece_widths) / len(piece_widths) * 2) / 2].append(piece)
                else:
                    solid[colour].append(ribbon(piece, piece_widths))
        shapes: list[Shape] = [
            Path(lines=tuple(lines), closed=True, holes=False, fill=colour) for colour, lines in solid.items()
        ]
        shapes += [
            Path(lines=tuple(lines), stroke=colour, width=max(width, 0.5) * 0.9, dash=_DASH, butt=True)
            for (colour, width), lines in doubtful.items()
        ]
        return shapes

    def _lead_to_coast(self, line: Line, widths: tuple[float, ...], end: Corner) -> tuple[Line, tuple[float, ...]]:
        """Return a river that ends at a corner, drawn on or cut where it meets the coast if open water lies at that
        corner.
        """
        if end not in self._shore:
            return line, widths
        middle = self._shore[end]
        onward = (*line, *(point_between(line[-1], middle, share / _TO_COAST) for share in range(1, _TO_COAST + 1)))
        inside = (number for number, point in enumerate(onward) if self._is_at_sea(point))
        last = next(inside, len(line) - 1) + 1
        widths += (widths[-1],) * _TO_COAST
        return onward[:last], widths[:last]

    def _is_at_sea(self, point: Point) -> bool:
        """Return whether a point lies in open water."""
        x, y = point
        return any(
            area.left <= x <= area.right and area.top <= y <= area.bottom and encloses(coast, point)
            for area, coast in self._coast
        )

    @cached_property
    def _coast(self) -> tuple[tuple[PageBox, Line], ...]:
        """The outlines of open water, with the box around each."""
        water = {name for name, terrain in self.survey.terrain.items() if is_water(terrain)}
        coast = []
        for line in smooth_outlines(self.survey, water):
            xs, ys = zip(*line, strict=True)
            coast.append((PageBox(min(xs), min(ys), max(xs), max(ys)), line))
        return tuple(coast)

    @cached_property
    def lakes(self) -> list[Lake]:
        """The lakes along hexsides, one for each course, which are drawn as one where they meet; those that open into
        open water are straits.
        """
        styles, areas = self._kinds["lake"], []
        met, track = self._count_meetings(styles), self.survey.picture.barrier
        for course in courses_along(self.survey, styles, track):
            corners = course.nodes
            if corners[0] in self._shore or corners[-1] in self._shore:
                continue
            joins = met[corners[0]] > 1, met[corners[-1]] > 1
            axis = self._find_axis(corners, self.settled)
            area = lake_outline(axis, corners[0], joins)
            doubtful = any(self.survey.doubtful(track, side) for side in course.sides)
            areas.append(Lake(area, axis, styles[course.sides[0]].colour, doubtful))
        colour = areas[0].colour if areas else LAKE
        return [*areas, *(Lake(area, _find_level_axis(area), colour, False) for area in self._lake_outlines())]

    def _lake_outlines(self) -> Iterator[Line]:
        """Yield the shapes of lakes that the board has, as far as they reach into the picture."""
        layout = self.survey.layout
        for outline in self.survey.board.outlines:
            if any(map(layout.draws, (outline.hex, *self.survey.board.neighbours(outline.hex)))):
                x, y = self.survey.board.centre(outline.hex)
                line = tuple(layout.place(x + right, y + down) for right, down in outline.points)
                yield smooth(line, 2, closed=True)

    def _find_axis(self, corners: Sequence[Corner], settled: Mapping[Corner, Point]) -> Line:
        """Return the line along which water fills hexsides."""
        turning = settle_corners(self.survey, corners, settled)
        return wander(self.survey, corners, turning, [_LAKE_BEND] * (len(corners) - 1))

    def _draw_lakes(self) -> list[Shape]:
        """Return lakes with their shore below them; fainter where they are doubtful."""
        alike: dict[tuple[bool, str], list[Line]] = defaultdict(list)
        for lake in self.lakes:
            alike[lake.doubtful, lake.colour].append(lake.area)
        closed = _CLOSED if self.survey.board.outlines else 0.0
        shapes: list[Shape] = []
        for (doubtful, colour), areas in alike.items():
            shapes += lake_shapes(areas, colour, closed=closed, opacity=0.6 if doubtful else 1.0)
        return shapes

    @cached_property
    def _shore(self) -> dict[Corner, Point]:
        """The corners of open water, and the middle of the water there."""
        beside: dict[Corner, list[Point]] = defaultdict(list)
        for name, terrain in self.survey.terrain.items():
            if is_water(terrain):
                for _, start, _ in self.survey.around[name]:
                    beside[start].append(self.survey.layout.centre(name))
        return {corner: middle_of(centres) for corner, centres in beside.items()}

    @cached_property
    def straits(self) -> tuple[Line, ...]:
        """Water along hexsides that leads to open water, as areas that reach into it."""
        straits = []
        for course in courses_along(self.survey, self._kinds["lake"], self.survey.picture.barrier):
            corners = course.nodes
            opens = corners[0] in self._shore, corners[-1] in self._shore
            if not any(opens):
                continue
            axis = self._find_axis(corners, {})
            before = [point_between(axis[0], self._shore[corners[0]], 0.5)] if opens[0] else []
            after = [point_between(axis[-1], self._shore[corners[-1]], 0.5)] if opens[1] else []
            line = (*before, *axis, *after)
            straits.append(lake_outline(line, corners[0], opens, width=_STRAIT))
        return tuple(straits)

    @property
    def others(self) -> list[str]:
        """The hexsides with something that is no water."""
        return [name for kind, sides in self._kinds.items() if kind not in WATERS for name in sides]

    def _draw_others(self) -> list[Shape]:
        """Return ridges, slopes and closed hexsides, each on its own; none on a small map."""
        if self.survey.scale.small:
            return []
        by_width: list[tuple[float, list[Shape]]] = []
        for kind, sides in self._kinds.items():
            if kind in WATERS:
                continue
            for name, style in sides.items():
                side = self.survey.sides[name]
                shapes = hexside_shapes(style, self.survey.point(side.start), self.survey.point(side.end))
                by_width.append((-style.width, shapes))
        by_width.sort(key=lambda entry: entry[0])
        return [shape for _, shapes in by_width for shape in shapes]

    def middle_at(self, name: str) -> Point:
        """Return the middle of the river on a hexside, or else of the hexside."""
        if name in self.pieces:
            _, line = self.pieces[name]
            return point_between(line[(len(line) - 1) // 2], line[len(line) // 2], 0.5)
        side = self.survey.sides[name]
        return point_between(self.survey.point(side.start), self.survey.point(side.end), 0.5)

    def lake_at(self, name: str) -> float:
        """Return how wide the lake on a hexside is, 0 if there is none."""
        return LAKE_WIDTH if name in self._kinds["lake"] else 0.0

    def width_at(self, name: str) -> float:
        """Return how wide the river on a hexside is, 0 if there is none."""
        style = self._kinds["river"].get(name)
        return style.width if style else 0.0


def lake_shapes(areas: Sequence[Line], colour: str, *, closed: float = 0.0, opacity: float = 1.0) -> list[Shape]:
    """Return lakes with their shore below them. colour: that of their word; closed: how wide a gap between two is
    water; opacity: of the shore.
    """
    shore, water, lines = _colour_of_shore(colour), ground_colour("lake"), tuple(areas)
    return [
        Path(lines=lines, closed=True, holes=False, fill=shore, stroke=shore, width=closed + 1.1, opacity=opacity),
        Path(lines=lines, closed=True, holes=False, fill=water, stroke=water if closed else "", width=closed),
    ]


def _find_level_axis(area: Line) -> Line:
    """Return the level line through the middle of a lake of its own shape, along which its name stands."""
    y = sum(y for _, y in area) / len(area)
    left, right = min(x for x, _ in area), max(x for x, _ in area)
    return tuple([(left + (right - left) * number / 12, y) for number in range(13)])


def _colour_of_shore(colour: str) -> str:
    """Return the colour of a lake's shore. colour: that of its word; the common one gives way to a dark tone of the
    water.
    """
    return shore_of(ground_colour("lake")) if colour == LAKE else colour


def hexside_shapes(style: HexsideStyle, start: Point, end: Point) -> list[Shape]:
    """Return the shapes along one hexside, as on the map or in its key."""
    if style.kind == "river":
        middle = [point_between(start, end, share) for share in (0.25, 0.5, 0.75)]
        wave = smooth((start, *shift_line(middle, [0.5, 0.0, -0.5]), end), 4)
        widths = [style.width * (_SOURCE + (_MOUTH - _SOURCE) * n / (len(wave) - 1)) for n in range(len(wave))]
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


_HEIGHTS = 4  # of a ridge along a hexside
_ALONG = 0.55  # share of its part of the hexside that a height reaches each way
_SIDEWAYS = 1.75  # mm that it reaches to each side
_LIT = 0.25  # share of white on its lit side


def _draw_crest(style: HexsideStyle, start: Point, end: Point) -> list[Shape]:
    """Return a ridge as a row of heights, each with its lit and its dark side: a solid form that no line with ticks
    resembles.
    """
    lit, shaded = list[Line](), list[Line]()
    for number in range(_HEIGHTS):
        middle = (number + 0.5) / _HEIGHTS
        first = point_between(start, end, middle - _ALONG / _HEIGHTS)
        last = point_between(start, end, middle + _ALONG / _HEIGHTS)
        at = [point_between(start, end, middle)]
        for by, side in ((-_SIDEWAYS, lit), (_SIDEWAYS, shaded)):
            (tip,) = shift_aside(at, (start, end), by)
            side.append((first, tip, last))
    if (end[0] - start[0]) - (end[1] - start[1]) < 0:
        lit, shaded = shaded, lit  # the light comes from the upper left
    rim = Path(lines=(*lit, *shaded), closed=True, stroke=WHITE, width=0.5, holes=False, opacity=0.7)
    return [
        rim,
        Path(lines=tuple(lit), closed=True, holes=False, fill=mix(style.colour, WHITE, _LIT)),
        Path(lines=tuple(shaded), closed=True, holes=False, fill=style.colour),
    ]
