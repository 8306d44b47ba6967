"""The picture of many lines: the board where they run, the units with their status, sources and reach, breaks, and the
key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.line_sketch import Break, LineSketch, weights
from ...asking.view import View
from ...game.boards import Board
from ...state.state import hexside
from ...util.errors import InputError
from ..answer_page import AnswerPage, enlargement, parted_note
from ..counters import Face, add_shadow
from ..geometry import PageBox, box_around, hexagon
from ..hex_sets import hexes_around, keep_on_map, sort_from_upper_left
from ..layout import Layout
from ..legend import list_cover_entries, map_key
from ..lettering import POINT
from ..map.arcs import text_box
from ..map.layers import LetteredMap, MapWish, letter_map, map_layers
from ..map.names import number_texts
from ..map.survey import Scale, Survey, SurveyReader
from ..scene import Layer, Point, Rectangle, Scene, enlarge
from ..situation import (
    LABEL_HEIGHT,
    NAME_HEIGHT,
    OverMap,
    cap_sentences,
    counters_of,
    marker_layer,
    named_places,
    nations_of_units,
    pill_layer,
    pill_marks,
    rooms_of,
)
from ..style import HEX, MARGIN, PAPER, RADIUS
from ..symbols import Symbols
from .backdrop import backdrop_layer
from .breaks import SIGN, break_layer, break_marks, break_points, format_origins
from .key import lines_key
from .reach import closed_layer, cordon_layer, failing_layer, reach_layer, ring_layer
from .strands import dot_layer, strand_layers
from .units import Plate, glow_layer, list_layer, plate_layer, plate_marks, plates_of, status_boxes, status_layer

_NARROWEST = 150.0  # mm, of a picture
_SHEET = 480.0  # mm, up to which a picture has hexes of full size
_LEAST_HEX = 12.0  # mm, the height of a hex in a larger one at least
_LISTED = 22.0  # mm, the height of a hex below which units are listed, not shown as counters
_FINE = 8.0  # mm, the height of a hex below which lines are widened
_READ = 14.0  # the same for letters on a poster, which are enlarged
_READ_NEAR = 18.0  # the same for letters on a page
_MARGIN = 1  # hexes round what matters that are drawn with counters
_WIDE_MARGIN = 2  # the same with lists


class Size(NamedTuple):
    """How large a picture is."""

    hex: float
    """The height of one on paper, in millimetres."""
    unit: float
    """By how much what lies on the map is reduced."""
    written: float
    """By how much what stands round it is enlarged."""
    least: float = 0.0
    """The size of the smallest letters of lists, in millimetres, 0 for one that is read from a wall."""

    @property
    def listed(self) -> bool:
        """Whether units are listed."""
        return self.hex < _LISTED

    @property
    def widened(self) -> float:
        """By how much lines are widened."""
        return max(1.0, self.unit * 0.5)


def lines_scene(view: View, shown: LineSketch, *, paged: bool = False) -> Scene:
    """Return lines over the board as a scene. What it reads does not count as read by the view. paged: whether it is as
    wide as a page of text, and read there.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    signs = _LineSigns.of(view, shown, paged=paged)
    shown, reader, size, page, survey = signs.shown, signs.reader, signs.size, signs.page, signs.survey
    layout, standing, width = survey.layout, signs.standing, signs.width
    keys = (
        lines_key(shown, reader.palette, page.wide, list_cover_entries(reader, standing.faces), flat=layout.flat),
        map_key(survey, nations_of_units(reader, layout.names), page.wide),
    )
    written, height = page.layers(page.top + layout.height / size.unit / size.written, keys)
    height *= size.written

    on_paper = width * size.unit, height * size.unit
    drawn = map_layers(survey, on_paper, PAPER, signs.wish, signs.lettering)
    casings, failing, *lines = signs.ways
    over = (
        *drawn.ground,
        backdrop_layer(survey, sqrt(size.written)) if size.listed else Layer("backdrop", ()),
        *signs.areas,
        casings,
        *drawn.ways,
        failing,
        *lines,
        *drawn.written,
        standing.units,
        marker_layer(layout, reader, survey.symbols, (), standing.boxes) if not size.listed else Layer("markers", ()),
        standing.badges,
        *signs.over,
    )
    paper = Layer("paper", (Rectangle(x=0, y=0, width=width, height=height, fill=PAPER),))
    return Scene(
        width=width,
        height=height,
        title=shown.title,
        description=" ".join([_describe_lines(shown), *cap_sentences(reader, standing.faces)]),
        layers=(
            paper,
            *(enlarge(layer, 1 / size.unit) for layer in over if layer.shapes),
            *(enlarge(layer, size.written) for layer in written),
        ),
    )


def lines_over_map(view: View, shown: LineSketch) -> OverMap:
    """Return what the picture of lines shows, without ground and counters. Raises InputError as `lines_scene`."""
    signs = _LineSigns.of(view, shown, whole=True)
    unit = signs.size.unit
    below = tuple(enlarge(layer, 1 / unit) for layer in (*signs.areas, *signs.ways) if layer.shapes)
    above = tuple(enlarge(layer, 1 / unit) for layer in signs.over if layer.shapes)
    lines = (*(strand.hexes for strand in shown.strands), *(way.hexes for way in shown.failing))
    joined = (name for line in lines for name in keep_on_map(view.board, line))
    return OverMap(below, above, signs.survey.layout, tuple(dict.fromkeys(joined)), unit)


class _LineSigns(NamedTuple):
    """What a picture of lines shows on the hexes of its frame."""

    shown: LineSketch
    reader: SurveyReader
    size: Size
    page: AnswerPage
    width: float
    """Of the picture, in millimetres."""
    survey: Survey
    standing: _LineUnits
    breaks: Sequence[tuple[Break, Point]]
    wish: MapWish
    lettering: LetteredMap

    @classmethod
    def of(cls, view: View, shown: LineSketch, *, whole: bool = False, paged: bool = False) -> _LineSigns:
        """Return what a picture of lines shows. whole: as on the map itself, and not in panels; paged: as
        `lines_scene`.
        """
        reader, symbols = SurveyReader(view), Symbols(view.game)
        hexes, size = _choose_page_frame(view, shown) if paged else _choose_frame(view, shown)
        closed = (replace(area, hexes=area.hexes.intersection(hexes)) for area in shown.closed)
        shown = replace(shown, closed=tuple(area for area in closed if area.hexes))
        panels = not (size.listed or whole)
        bare = Layout(view.board, hexes, panels=panels)
        page = AnswerPage(
            shown.title,
            (*shown.caption, *parted_note(bare)),
            max(bare.width / size.unit / size.written, _PAGE - 2 * MARGIN if paged else _NARROWEST),
            shown.answer,
        )
        width = page.width * size.written
        origin = (width * size.unit - bare.width) / 2, page.top * size.written * size.unit
        layout = Layout(view.board, hexes, origin, panels=panels)
        scales = Scale(max(_FINE / size.hex, 1.0), max((_READ_NEAR if paged else _READ) / size.hex, 1.0))
        survey = Survey(layout, reader, symbols, places=named_places(view), scale=scales)
        standing = _place_units(
            shown, layout, reader, symbols, size, {place.hex for place in survey.places}, makes_room=not whole
        )
        breaks = [*break_points(layout, shown, standing.boxes, size.widened)]
        wish = _choose_wish(survey, standing, shown, breaks, size, whole=whole)
        return cls(shown, reader, size, page, width, survey, standing, breaks, wish, letter_map(survey, wish))

    @property
    def scale(self) -> float:
        """By how much lines are widened."""
        return self.size.widened

    @property
    def areas(self) -> tuple[Layer, ...]:
        """The hexes within reach, closed, left to a unit, and of units that lack something."""
        shown, survey, scale = self.shown, self.survey, self.scale
        return (
            reach_layer(survey, shown.reaches, scale),
            closed_layer(survey, shown.closed, scale),
            cordon_layer(survey, shown.cordon, scale) if shown.cordon else Layer("cordon", ()),
            glow_layer(shown, survey.layout) if self.size.listed else Layer("lacking", ()),
        )

    @property
    def ways(self) -> tuple[Layer, ...]:
        """The lines and what lies beside them: their casings first, then those that fail."""
        shown, layout, palette, scale = self.shown, self.survey.layout, self.reader.palette, self.scale
        casings, lines = strand_layers(layout, shown.strands, shown.sides, palette, scale)
        return (
            casings,
            failing_layer(layout, shown.failing, scale),
            lines,
            dot_layer(layout, shown.strands, shown.sides, palette) if not self.size.listed else Layer("dots", ()),
            ring_layer(layout, shown.origins, palette, scale),
        )

    @property
    def over(self) -> tuple[Layer, ...]:
        """What is written over the counters: statuses, labels and breaks."""
        layout, standing, placed = self.survey.layout, self.standing, self.lettering.placed
        return (
            plate_layer(placed, standing.plates),
            pill_layer(standing.labels, placed),
            break_layer(self.breaks, layout, self.shown, placed, scale=self.scale, large=self.size.written),
        )


class _LineUnits(NamedTuple):
    """What stands in the hexes: the units, the box that each stack fills, the statuses on counters with their boxes and
    in words, the labels, and the faces of the counters, none of those in lists.
    """

    units: Layer
    boxes: Mapping[str, PageBox]
    badges: Layer
    statuses: Sequence[PageBox]
    plates: Mapping[str, Plate]
    labels: Mapping[str, str]
    faces: Mapping[str, Sequence[Face]] = {}


def _place_units(
    shown: LineSketch,
    layout: Layout,
    reader: SurveyReader,
    symbols: Symbols,
    size: Size,
    named_hexes: Collection[str],
    *,
    makes_room: bool = True,
) -> _LineUnits:
    """Return the units as lists, which hold their status themselves, or else as counters with labels below them.
    named_hexes: those with a name; makes_room: whether the counters make room for names and labels.
    """
    if size.listed:
        units, boxes = list_layer(shown, layout, reader, symbols, size.least * size.unit)
        return _LineUnits(units, boxes, Layer("statuses", ()), (), {}, {})
    modes, plates = format_origins(shown), plates_of(shown, size.written)
    named = [name for name in {**shown.labels, **modes} if layout.draws(name)]
    labels = {name: "; ".join(filter(None, (shown.labels.get(name), modes.get(name)))) for name in named}
    room = dict[str, float]()
    if makes_room:
        room = dict.fromkeys(labels, LABEL_HEIGHT + 0.6) | {at: plate.height + 0.9 for at, plate in plates.items()}
        for name in (name for name in named_hexes if len(reader.state.stack(name)) < 2):
            room[name] = room.get(name, 0.0) + NAME_HEIGHT
    units, boxes, faces = counters_of(layout, reader, symbols, (), room)
    rooms = rooms_of(layout, (), room)
    badges, statuses = status_layer(shown, faces, rooms), [*status_boxes(shown, faces, rooms)]
    return _LineUnits(units, boxes, badges, statuses, plates, labels, faces)


def _describe_lines(shown: LineSketch) -> str:
    """Return what a picture shows, for readers who cannot see it."""
    words = shown.words
    units = ((unit, f", {unit.more}" if unit.more else "") for unit in shown.units)
    parts = [f"{unit.unit} in {unit.place}: {words.statuses[unit.status]}{more}." for unit, more in units]
    parts += [
        f"{origin.name} in {origin.place}{f', {origin.mode}' if origin.mode else ''}." for origin in shown.origins
    ]
    parts += [f"{gap.where}: {gap.why}." for gap in shown.breaks]
    if shown.cordon:
        parts.append(f"{words.left}: {', '.join(sorted(shown.cordon.left))}.")
    parts += [f"{closed.text}: {', '.join(sorted(closed.hexes))}." for closed in shown.closed]
    parts += [f"{words.failing}: {', '.join(way.hexes)}; {way.ends}: {way.text}." for way in shown.failing]
    return " ".join(parts)


def _choose_frame(view: View, shown: LineSketch) -> tuple[list[str], Size]:
    """Return the hexes that are drawn, sorted from the upper left, and how large. Raises InputError if there are none."""
    matter = keep_on_map(view.board, shown.hexes)
    if not matter:
        raise InputError("no hex to draw", hint=f"name hexes of the map {view.board.title}")
    size = _choose_size(Layout(view.board, matter, panels=True))
    hexes = _spread(view.board, matter, _WIDE_MARGIN if size.listed else _MARGIN)
    return sort_from_upper_left(view.board, hexes), size


_PAGE = 190.0  # mm, the width of a page of text
_PAGE_HIGH = 200.0  # mm, of a map on it
_PAGE_HEX = 21.0  # mm, the height of its hexes at most
READ_AT_WIDTH = 6 * POINT
"""The size of the smallest letters on a page, in millimetres."""


def _choose_page_frame(view: View, shown: LineSketch) -> tuple[list[str], Size]:
    """Return the hexes that are drawn on a page of text, and how large. Raises InputError if there are none."""
    matter = keep_on_map(view.board, shown.hexes)
    if not matter:
        raise InputError("no hex to draw", hint=f"name hexes of the map {view.board.title}")
    hexes = sort_from_upper_left(view.board, _spread(view.board, matter, _MARGIN))
    layout = Layout(view.board, hexes)
    hex = min(HEX * min((_PAGE - 2 * MARGIN) / layout.width, _PAGE_HIGH / layout.height), _PAGE_HEX)
    return hexes, Size(hex, HEX / hex, 1.0, READ_AT_WIDTH)


def _choose_size(layout: Layout) -> Size:
    long = max(layout.width, layout.height) + 2 * HEX
    hex = HEX if long <= _SHEET else max(HEX * _SHEET / long, _LEAST_HEX)
    unit = HEX / hex
    return Size(hex, unit, enlargement(layout.width / unit))


def _spread(board: Board, hexes: Collection[str], margin: int) -> set[str]:
    """Return hexes with those up to a distance round them, and without small gaps."""
    around = set(hexes)
    for _ in range(margin):
        around = hexes_around(board, around)
    for _ in range(2 * margin):
        edge = hexes_around(board, around) - around
        around |= {name for name in edge if sum(other in around for other in board.neighbours(name)) >= 4}
    return around


def _choose_wish(
    survey: Survey,
    standing: _LineUnits,
    shown: LineSketch,
    breaks: Sequence[tuple[Break, Point]],
    size: Size,
    *,
    whole: bool,
) -> MapWish:
    """Return how the map under the lines is drawn, and what is written on it: clear of counters, of their statuses and
    of lines. whole: on a map that is drawn by others, with its numbers and names.
    """
    layout, boxes, sheet = survey.layout, standing.boxes, survey.sheet
    steps = {pair for strand in shown.strands for pair in pairwise(strand.hexes)}
    followed, taken = {hexside(*pair) for pair in steps}, [*map(add_shadow, boxes.values()), *standing.statuses]
    sources = {origin.place for origin in shown.origins if not origin.ways and layout.draws(origin.place)}
    if size.listed:
        return MapWish(
            regions=False, numbers=not whole, names=not whole, followed=followed, taken=taken, tinted=sources
        )
    strands = [[*map(layout.centre, name.split("|"))] for side in shown.sides for name in weights(shown.strands, side)]
    strands += [[*map(layout.centre, way.hexes)] for way in shown.failing]
    taken += [box_around(*point, 2 * SIGN, 2 * SIGN) for _, point in breaks]
    if whole:
        taken += map(text_box, number_texts(survey))
    rings = [hexagon(layout.centre(name), RADIUS * 0.9, flat=layout.flat) for name in sorted(sources)]
    strands += [[*ring, ring[0]] for ring in rings]
    marks = [
        *break_marks(breaks, shown, size.widened, size.written),
        *plate_marks(layout, standing.plates, boxes, sheet),
        *pill_marks(layout, standing.labels, boxes, sheet),
    ]
    return MapWish(
        regions=False,
        numbers=not whole,
        names=not whole,
        stacks=boxes,
        followed=followed,
        within=True,
        marks=marks,
        taken=taken,
        strands=strands,
        tinted=sources,
    )
