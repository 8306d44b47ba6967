"""The scene of lines over the board: units, signs and labels, the surrounding board in pale tints, and the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise, product, starmap
from math import sqrt
from typing import NamedTuple

from msgspec.structs import replace

from ...asking.line_sketch import STATUSES, Break, LineSketch, Origin, weigh_hexsides
from ...asking.view import View
from ...game.boards import Board
from ...game.hexes import Corner, Hex, HexGrid
from ...state.state import hexside
from ...util.errors import InputError
from ..answer_page import AnswerPage, enlargement, parted_note
from ..colours import INK, WHITE, mix
from ..counters import Face, add_shadow
from ..geometry import PageBox, box_around, hexagon
from ..hatching import Strokes, slant_of
from ..hex_sets import hexes_around, keep_on_map, sort_from_upper_left
from ..layout import Layout
from ..legend import KeyEntry, KeyStyle, MapKey, hatched_sign, list_cover_entries, map_key
from ..lettering import POINT_MM
from ..map.board_names import boxes_of_names
from ..map.borders import BORDER_COLOUR
from ..map.countries import frontier_among
from ..map.land import walk_rings
from ..map.layers import LetteredMap, MapWish, letter_map, map_layers
from ..map.names import printed_name
from ..map.survey import Scale, Survey, SurveyReader
from ..map.towns import town_kind
from ..scene import Circle, Layer, Path, Point, Polygon, Rectangle, Scene, Shape, Text, enlarge
from ..situation import (
    LABEL_HEIGHT_MM,
    NAME_HEIGHT_MM,
    RING_ROOM_MM,
    OverMap,
    cap_sentences,
    counters_of,
    make_pill,
    marker_layer,
    named_places,
    nations_of_units,
    pill_layer,
    pill_marks,
    pill_shapes,
    rooms_of,
)
from ..style import HEX_MM, MARGIN, PAPER, RADIUS, RIVER, SOFT_INK, UNKNOWN_GROUND, Palette
from ..symbols import Symbols
from .layers import (
    BREAK_REACH_MM,
    CLOSED_SLANT_DEGREES,
    DASH,
    FAR_DASH_MM,
    FAR_STROKES,
    MIN_WIDTH_MM,
    NEAR_STROKES,
    OUTLINE_WIDTH_MM,
    DrawnReach,
    break_layer,
    break_marks,
    break_points,
    break_shapes,
    closed_layer,
    cordon_layer,
    dot_layer,
    draw_ticks,
    drawn_reaches,
    failing_layer,
    failing_shapes,
    limit_lines,
    limit_shapes,
    reach_layer,
    ring_layer,
    ring_shapes,
    source_ground,
    status_shapes,
    strand_layers,
    ways_shapes,
    width_of,
)
from .units import Plate, glow_layer, list_layer, plate_layer, plate_marks, plates_of, status_boxes, status_layer

_MIN_PICTURE_WIDTH_MM = 150.0
_MAX_FULL_SIZE_MM = 480.0
"""The maximum size of a picture with hexes of full size."""
_MIN_HEX_MM = 12.0
_MIN_HEX_WITH_COUNTERS_MM = 22.0
"""The minimum height of a hex with counters; on smaller hexes units are listed."""
_MIN_HEX_WITH_FINE_LINES_MM = 8.0
"""The height of a hex below which lines are widened."""
_MIN_HEX_READ_AFAR_MM = 14.0
"""The height of a poster's hex below which letters are enlarged."""
_MIN_HEX_READ_NEAR_MM = 18.0
"""The height of a page's hex below which letters are enlarged."""
_MARGIN_HEXES = 1
_MARGIN_OF_LISTS_HEXES = 2
_PAGE_WIDTH_MM = 190.0
_MAX_PAGE_MAP_HEIGHT_MM = 200.0
_MAX_PAGE_HEX_MM = 21.0
MIN_LIST_LETTER_MM = 6 * POINT_MM
"""The size of the smallest letters of lists on a page."""
_SCALE_OF_PLATES_ON_BOARD = 1.1
"""The scale of plates over a map drawn elsewhere, which is a screen."""


class Size(NamedTuple):
    """The sizes in a picture."""

    hex: float
    """The height of a hex on paper, in mm."""
    unit: float
    """The factor by which the map is reduced."""
    written: float
    """The factor by which texts round the map are enlarged."""
    least: float = 0.0
    """The size of the smallest letters of lists in mm, or 0 for a poster."""

    @property
    def listed(self) -> bool:
        """Whether units are listed instead of drawn as counters."""
        return self.hex < _MIN_HEX_WITH_COUNTERS_MM

    @property
    def widened(self) -> float:
        return max(1.0, self.unit * 0.5)


def lines_scene(view: View, shown: LineSketch, *, paged: bool = False) -> Scene:
    """Return lines over the board as a scene; facts read for it do not count as read by the view.

    `paged`: whether it has the width of a text page.

    Raises InputError if there are no hexes to draw, or if a colour of the game is invalid.
    """
    signs = _LineSigns.of(view, shown, paged=paged)
    shown, reader, size, page, survey = signs.shown, signs.reader, signs.size, signs.page, signs.survey
    layout, standing, width = survey.layout, signs.standing, signs.width
    keys = (
        _lines_key(shown, survey, page.wide, list_cover_entries(reader, standing.faces)),
        map_key(survey, nations_of_units(reader, layout.names), page.wide),
    )
    page_layers, height = page.layers(page.top + layout.height / size.unit / size.written, keys)
    height *= size.written

    on_paper = width * size.unit, height * size.unit
    drawn = map_layers(survey, on_paper, PAPER, signs.wish, signs.lettering)
    casings, failing, *lines = signs.ways
    over = (
        *drawn.ground,
        _backdrop_layer(survey, sqrt(size.written)) if size.listed else Layer("backdrop", ()),
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
            *(enlarge(layer, size.written) for layer in page_layers),
        ),
    )


def lines_over_map(view: View, shown: LineSketch) -> OverMap:
    """Return the signs and lines of the picture, without ground and counters.

    Raises InputError as `lines_scene` does.
    """
    signs = _LineSigns.of(view, shown, whole=True)
    unit = signs.size.unit
    below = tuple(enlarge(layer, 1 / unit) for layer in (*signs.areas, *signs.ways) if layer.shapes)
    above = tuple(enlarge(layer, 1 / unit) for layer in signs.over if layer.shapes)
    lines = (*(strand.hexes for strand in shown.strands), *(way.hexes for way in shown.failing))
    joined = (name for line in lines for name in keep_on_map(view.board, line))
    return OverMap(below, above, signs.survey.layout, tuple(dict.fromkeys(joined)), unit)


class _LineSigns(NamedTuple):
    shown: LineSketch
    reader: SurveyReader
    size: Size
    page: AnswerPage
    width: float
    """The width of the picture, in mm."""
    survey: Survey
    standing: _LineUnits
    breaks: Sequence[tuple[Break, Point]]
    wish: MapWish
    lettering: LetteredMap

    @classmethod
    def of(cls, view: View, shown: LineSketch, *, whole: bool = False, paged: bool = False) -> _LineSigns:
        """Return the content of a picture of lines.

        `whole`: whether the picture will be laid over a map drawn elsewhere, and so is not in panels.
        `paged`: whether it has the width of a text page.
        """
        reader, symbols = SurveyReader(view), Symbols(view.game)
        hexes, size = _choose_page_frame(view, shown) if paged else _choose_frame(view, shown)
        closed = (replace(area, hexes=area.hexes.intersection(hexes)) for area in shown.closed)
        shown = replace(shown, closed=tuple(area for area in closed if area.hexes))
        panels = not (size.listed or whole)
        bare = Layout(view.board, hexes, panels=panels)
        page = AnswerPage(
            shown.title,
            (*_format_extended(shown, bare, listed=size.listed), *shown.caption, *parted_note(bare)),
            max(bare.width / size.unit / size.written, _PAGE_WIDTH_MM - 2 * MARGIN if paged else _MIN_PICTURE_WIDTH_MM),
            shown.answer,
        )
        width = page.width * size.written
        origin = (width * size.unit - bare.width) / 2, page.top * size.written * size.unit
        layout = Layout(view.board, hexes, origin, panels=panels)
        scales = Scale(
            max(_MIN_HEX_WITH_FINE_LINES_MM / size.hex, 1.0),
            max((_MIN_HEX_READ_NEAR_MM if paged else _MIN_HEX_READ_AFAR_MM) / size.hex, 1.0),
        )
        survey = Survey(layout, reader, symbols, places=named_places(view), scale=scales)
        standing = _place_units(
            shown, layout, reader, symbols, size, {place.hex for place in survey.places}, makes_room=not whole
        )
        breaks = [*break_points(layout, shown, standing.boxes, size.widened)]
        wish = _choose_wish(survey, standing, shown, breaks, size, whole=whole)
        return cls(shown, reader, size, page, width, survey, standing, breaks, wish, letter_map(survey, wish))

    @property
    def scale(self) -> float:
        return self.size.widened

    @property
    def areas(self) -> tuple[Layer, ...]:
        shown, survey, scale = self.shown, self.survey, self.scale
        return (
            reach_layer(survey, shown.reaches, scale),
            closed_layer(survey, shown.closed, scale),
            cordon_layer(survey, shown.cordon, scale) if shown.cordon else Layer("cordon", ()),
            glow_layer(shown, survey.layout) if self.size.listed else Layer("lacking", ()),
        )

    @property
    def ways(self) -> tuple[Layer, ...]:
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
        layout, standing, placed = self.survey.layout, self.standing, self.lettering.placed
        return (
            plate_layer(placed, standing.plates),
            pill_layer(standing.labels, placed),
            break_layer(self.breaks, layout, self.shown, placed, scale=self.scale, large=self.size.written),
        )


class _LineUnits(NamedTuple):
    """The units in the hexes, with the boxes of stacks and statuses."""

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
    """Return the units as lists that include statuses, or as counters with labels below.

    `makes_room`: whether counters leave room for labels, plates and names.
    """
    if size.listed:
        units, boxes = list_layer(shown, layout, reader, symbols, size.least * size.unit)
        return _LineUnits(units, boxes, Layer("statuses", ()), (), {}, {})
    modes, plates = _format_origins(shown), plates_of(shown, size.written if makes_room else _SCALE_OF_PLATES_ON_BOARD)
    named = [name for name in {**shown.labels, **modes} if layout.draws(name)]
    labels = {name: "; ".join(filter(None, (shown.labels.get(name), modes.get(name)))) for name in named}
    room = dict[str, float]()
    if makes_room:
        room = dict.fromkeys(labels, LABEL_HEIGHT_MM + 0.6) | {at: plate.height + 0.9 for at, plate in plates.items()}
        ringed = {origin.place for origin in shown.origins if not origin.ways}
        room |= {name: room[name] + RING_ROOM_MM for name in ringed.intersection(room)}
        for name in (name for name in named_hexes if len(reader.state.stack(name)) < 2):
            room[name] = room.get(name, 0.0) + NAME_HEIGHT_MM
    units, boxes, faces = counters_of(layout, reader, symbols, (), room)
    rooms = rooms_of(layout, (), room)
    badges, statuses = status_layer(shown, faces, rooms), [*status_boxes(shown, faces, rooms)]
    return _LineUnits(units, boxes, badges, statuses, plates, labels, faces)


def _format_extended(shown: LineSketch, layout: Layout, *, listed: bool) -> Iterator[str]:
    """Yield a sentence with the drawn sources in their far-reaching mode, or nothing if there are none.

    `listed`: whether units are listed, where such a source has an E.
    """
    extended = (origin.name for origin in shown.origins if origin.extended and layout.draws(origin.place))
    if names := ", ".join(dict.fromkeys(extended)):
        word = shown.words.extended
        yield f"{word[:1].upper()}{word[1:]}{' (E)' if listed else ''}: {names}."


def _format_origins(shown: LineSketch) -> dict[str, str]:
    words: dict[str, list[str]] = {}
    for origin in shown.origins:
        if origin.mode:
            words.setdefault(origin.place, []).append(origin.mode)
    return {place: "; ".join(dict.fromkeys(modes)) for place, modes in words.items()}


def _describe_lines(shown: LineSketch) -> str:
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
    required = keep_on_map(view.board, shown.hexes)
    if not required:
        raise InputError("no hex to draw", hint=f"name hexes of the map {view.board.title}")
    size = _choose_size(Layout(view.board, required, panels=True))
    hexes = _spread(view.board, required, _MARGIN_OF_LISTS_HEXES if size.listed else _MARGIN_HEXES)
    return sort_from_upper_left(view.board, hexes), size


def _choose_page_frame(view: View, shown: LineSketch) -> tuple[list[str], Size]:
    required = keep_on_map(view.board, shown.hexes)
    if not required:
        raise InputError("no hex to draw", hint=f"name hexes of the map {view.board.title}")
    hexes = sort_from_upper_left(view.board, _spread(view.board, required, _MARGIN_HEXES))
    layout = Layout(view.board, hexes)
    hex = min(
        HEX_MM * min((_PAGE_WIDTH_MM - 2 * MARGIN) / layout.width, _MAX_PAGE_MAP_HEIGHT_MM / layout.height),
        _MAX_PAGE_HEX_MM,
    )
    return hexes, Size(hex, HEX_MM / hex, 1.0, MIN_LIST_LETTER_MM)


def _choose_size(layout: Layout) -> Size:
    longer_side = max(layout.width, layout.height) + 2 * HEX_MM
    hex = HEX_MM if longer_side <= _MAX_FULL_SIZE_MM else max(HEX_MM * _MAX_FULL_SIZE_MM / longer_side, _MIN_HEX_MM)
    unit = HEX_MM / hex
    return Size(hex, unit, enlargement(layout.width / unit))


def _spread(board: Board, hexes: Collection[str], margin: int) -> set[str]:
    """Return the hexes with all hexes up to `margin` from them, and with small gaps filled."""
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
    """Return the wish for the map under the lines: its texts keep clear of counters, statuses and lines."""
    layout, boxes, sheet = survey.layout, standing.boxes, survey.sheet
    steps = {pair for strand in shown.strands for pair in pairwise(strand.hexes)}
    followed, taken = {hexside(*pair) for pair in steps}, [*map(add_shadow, boxes.values()), *standing.statuses]
    sources = {origin.place for origin in shown.origins if not origin.ways and layout.draws(origin.place)}
    strands = [
        [*map(layout.centre, name.split("|"))] for side in shown.sides for name in weigh_hexsides(shown.strands, side)
    ]
    strands += [[*map(layout.centre, way.hexes)] for way in shown.failing]
    rings = [hexagon(layout.centre(name), RADIUS * 0.9, flat=layout.flat) for name in sorted(sources)]
    strands += [[*ring, ring[0]] for ring in rings]
    tinted = {
        origin.place: source_ground(survey.ground(origin.place), survey.palette.side(origin.side).strong)
        for origin in shown.origins
        if origin.place in sources
    }
    wish = MapWish(
        regions=False,
        numbers=not whole,
        names=not whole,
        stacks=boxes,
        followed=followed,
        taken=taken,
        strands=strands,
        tinted=tinted,
        outlines=limit_lines(survey, shown.reaches, size.widened),
    )
    if size.listed:
        return wish
    taken += [box_around(*point, 2 * BREAK_REACH_MM, 2 * BREAK_REACH_MM) for _, point in breaks]
    if whole:
        taken += boxes_of_names(survey)
    marks = [
        *break_marks(breaks, shown, size.widened, size.written),
        *plate_marks(layout, standing.plates, boxes, sheet),
        *pill_marks(layout, standing.labels, boxes, sheet, sources),
    ]
    return wish._replace(within=True, marks=marks, taken=taken)


# --- the surrounding board --------------------------------------------------------------------------------------------

_BACKDROP_PAPER_SHARE = 0.55
"""The share of paper in the colours of the backdrop."""
_BACKDROP_TOWN_KINDS = ("city", "fortress")
_CITY_SIZE_MM = 10.0
"""The size of the letters of cities on a hex of full size."""
_MIN_GREAT_RIVER_WIDTH_MM = 1.7
_MAX_BACKDROP_HEXES = 12_000
"""The maximum number of hexes in a backdrop: a larger one takes long and is of little use."""


def _backdrop_layer(survey: Survey, large: float) -> Layer:
    """Return the surrounding board in pale tints with great rivers, frontiers and cities; empty if no ground is known."""
    reader, palette, grid = survey.look, survey.palette, survey.board.grid
    by_colour: dict[str, list[Hex]] = {}
    beyond = {name: hex for name, hex in _find_hexes_beyond(survey) if _lies_on_sheet(survey, name)}
    if len(beyond) > _MAX_BACKDROP_HEXES:
        return Layer("backdrop", ())
    for name, terrain in reader.words_on_map(reader.picture.terrain, beyond).items():
        by_colour.setdefault(palette.ground(terrain) if terrain else UNKNOWN_GROUND, []).append(beyond[name])
    if by_colour.keys() <= {UNKNOWN_GROUND}:
        return Layer("backdrop", ())
    shapes: list[Shape] = []
    for colour, hexes in by_colour.items():
        pale = mix(colour, PAPER, _BACKDROP_PAPER_SHARE)
        rings = tuple(_trace_outlines(grid, hexes, survey))
        shapes.append(Path(lines=rings, closed=True, fill=pale, stroke=pale, width=0.4))
    shapes += (*_draw_rivers_and_frontiers(survey, beyond), *_draw_cities(survey, beyond, large))
    return Layer("backdrop", tuple(shapes))


def _draw_rivers_and_frontiers(survey: Survey, hexes: Collection[str]) -> Iterator[Shape]:
    reader, picture, palette = survey.look, survey.picture, survey.palette
    frontier = frontier_among(reader.values(picture.border), ())

    def lines_along(track: str, wanted: Callable[[str], bool]) -> tuple[tuple[Point, Point], ...]:
        known = (side.partition("|") for side in survey.board.known(track) if track in reader.tracks)
        ends = {hexside(one, other): (one, other) for one, _, other in known if one in hexes and other in hexes}
        words_by_side = reader.lying_on(track, ends)
        return tuple(
            [survey.layout.hexside(*ends[name]) for name, words in words_by_side.items() if any(map(wanted, words))]
        )

    @cache
    def is_great(word: str) -> bool:
        style = palette.hexside(word)
        return style is not None and style.kind == "river" and style.width >= _MIN_GREAT_RIVER_WIDTH_MM

    for lines, colour, width in (
        (lines_along(picture.barrier, is_great), mix(RIVER, PAPER, 0.6), 2.2),
        (lines_along(picture.border, lambda word: word == frontier), mix(BORDER_COLOUR, PAPER, 0.5), 1.4),
    ):
        if lines:
            yield Path(lines=lines, stroke=colour, width=width * survey.scale.lines)


def _draw_cities(survey: Survey, hexes: Collection[str], large: float) -> Iterator[Shape]:
    ink, size = mix(SOFT_INK, PAPER, 0.35), _CITY_SIZE_MM * survey.scale.letters * large
    for place in survey.places:
        if place.hex in hexes and town_kind(place.kind) in _BACKDROP_TOWN_KINDS:
            x, y = survey.layout.centre(place.hex)
            yield Circle(x=x, y=y, radius=size * 0.3, fill=PAPER, stroke=ink, width=size * 0.12)
            base = y + size * 1.35
            yield Text(x=x, y=base, text=printed_name(place.name), size=size, anchor="middle", fill=ink, halo=PAPER)


def _find_hexes_beyond(survey: Survey) -> Iterator[tuple[str, Hex]]:
    """Yield the hexes of the board in the box round the drawn hexes that are not drawn themselves."""
    layout, grid = survey.layout, survey.board.grid
    drawn = [grid.parse(name) for name in layout.names]
    columns, rows = [one.column for one in drawn], [one.row for one in drawn]
    across, down = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
    of_board = survey.board.hexes
    if len(across) * len(down) < len(of_board):
        named = {grid.name(hex): hex for hex in starmap(Hex, product(across, down))}
        inside = {name: hex for name, hex in named.items() if name in of_board}
    else:
        parsed = ((name, grid.parse(name)) for name in of_board)
        inside = {name: hex for name, hex in parsed if hex.column in across and hex.row in down}
    for name in sorted(inside):
        if not layout.draws(name):
            yield name, inside[name]


def _lies_on_sheet(survey: Survey, name: str) -> bool:
    """Return whether a hex lies whole in the box of the drawn hexes, so that it does not reach below the title."""
    sheet = survey.sheet
    area = PageBox(sheet.left - 1.0, sheet.top - 1.0, sheet.right + 1.0, sheet.bottom + 1.0)
    return all(area.left < x < area.right and area.top < y < area.bottom for x, y in survey.layout.corners(name))


def _trace_outlines(grid: HexGrid, hexes: Iterable[Hex], survey: Survey) -> Iterator[tuple[Point, ...]]:
    """Yield the closed outlines of hexes, without the hexsides between two of them."""
    sides: set[tuple[Corner, Corner]] = set()
    for at in hexes:
        corners = grid.outline(at)
        for side in zip(corners, (*corners[1:], corners[0]), strict=True):
            if (back := (side[1], side[0])) in sides:
                sides.discard(back)
            else:
                sides.add(side)
    for ring in walk_rings(dict(sides)):
        yield tuple(map(survey.point, ring))


# --- the key ----------------------------------------------------------------------------------------------------------

_KEY_STYLE = KeyStyle("signs", row=6.8, size=3.1, ink=INK, swatch=10.0, gap=5.0)


def _lines_key(sketch: LineSketch, survey: Survey, width: float, covers: Sequence[KeyEntry] = ()) -> MapKey:
    """Return the key to lines: the signs that the picture has, and no others."""
    palette, flat = survey.palette, survey.layout.flat
    entries = (
        *_list_statuses(sketch),
        *_list_lines(sketch, palette),
        *_list_places(sketch, survey),
        *_list_reaches(sketch, survey),
        *_list_closed(sketch, palette, flat=flat),
        *_list_failing(sketch),
        *covers,
    )
    return MapKey(entries, _KEY_STYLE, width)


def _choose_colour(palette: Palette, sides: Collection[str]) -> str:
    """Return the colour of a sign: the colour of a single side, or ink for several sides."""
    return palette.side(*sides).strong if len(sides) == 1 else SOFT_INK


def _list_statuses(sketch: LineSketch) -> Iterator[KeyEntry]:
    counts = Counter(unit.status for unit in sketch.units)
    for status in STATUSES:
        if counts[status]:
            text = sketch.words.statuses[status] + (f": {counts[status]}" if len(sketch.units) > 1 else "")
            yield KeyEntry(text, partial(status_shapes, status, radius=2.1))


def _list_lines(sketch: LineSketch, palette: Palette) -> Iterator[KeyEntry]:
    words = sketch.words
    for side in sketch.sides:
        colour, strands = palette.side(side).strong, [strand for strand in sketch.strands if strand.side == side]
        whose = f" ({words.sides.get(side, side)})" if len(sketch.sides) > 1 else ""
        stretches = weigh_hexsides(strands, side).values()
        if any(weight.full for weight in stretches):
            yield KeyEntry(words.line + whose, partial(_draw_stretch, colour, ()))
        if any(not weight.full for weight in stretches):
            yield KeyEntry(words.low_line + whose, partial(_draw_stretch, colour, DASH))
    carried = {
        side: max((weight.number for weight in weigh_hexsides(sketch.strands, side).values()), default=0)
        for side in sketch.sides
    }
    max_units = max(carried.values(), default=0)
    if max_units > 1:
        colour = _choose_colour(palette, [side for side, number in carried.items() if number > 1])
        yield KeyEntry(f"of 1 to {max_units} units", partial(_draw_wedge, colour, width_of(max_units)))


def _draw_stretch(colour: str, dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
    line, width = ((x - 3.8, y), (x + 3.8, y)), MIN_WIDTH_MM * 1.3
    dashes = tuple(part * 1.4 for part in dash)
    casing = Path(lines=(line,), stroke=mix(colour, WHITE, 0.25), width=width + 2.0, opacity=0.28)
    return [casing, Path(lines=(line,), stroke=colour, width=width, dash=dashes, butt=bool(dash))]


def _draw_wedge(colour: str, width: float, x: float, y: float) -> Sequence[Shape]:
    thin, thick = MIN_WIDTH_MM / 2, min(width, 5.0) / 2
    points = ((x - 3.8, y - thin), (x + 3.8, y - thick), (x + 3.8, y + thick), (x - 3.8, y + thin))
    return [Polygon(points=points, fill=colour)]


def _list_places(sketch: LineSketch, survey: Survey) -> Iterator[KeyEntry]:
    words, flat = sketch.words, survey.layout.flat
    origins = [origin for origin in sketch.origins if survey.layout.draws(origin.place)]

    def colour_of(those: Iterable[Origin]) -> str:
        return _choose_colour(survey.palette, {origin.side for origin in those})

    def ring(colour: str, x: float, y: float, *, extended: bool) -> Sequence[Shape]:
        return ring_shapes((x, y), colour, flat=flat, scale=2.2, extended=extended, radius=3.6)

    for extended, text in ((False, words.source), (True, words.extended)):
        if single := [origin for origin in origins if not origin.ways and origin.extended is extended]:
            yield KeyEntry(text, partial(ring, colour_of(single), extended=extended))
    if sketch.labels and words.labels:
        yield KeyEntry(words.labels, partial(pill_shapes, make_pill("1")))
    covered = sketch.covered
    if ways := [origin for origin in origins if origin.ways and origin.place not in covered]:
        colour = colour_of(ways)
        yield KeyEntry(words.ways, lambda x, y: ways_shapes((x, y), colour, 1.0))
    if any(not gap.limit for gap in sketch.breaks):
        yield KeyEntry(words.breaks, lambda x, y: break_shapes(x, y, 1.9))
    if any(gap.limit for gap in sketch.breaks):
        yield KeyEntry(words.limit, lambda x, y: limit_shapes(x, y, 1.9))


def _list_reaches(sketch: LineSketch, survey: Survey) -> Iterator[KeyEntry]:
    words, flat, reaches = sketch.words, survey.layout.flat, drawn_reaches(survey, sketch.reaches)

    def colour_of(those: Iterable[DrawnReach]) -> str:
        return _choose_colour(survey.palette, {reach.side for reach in those})

    def outline(colour: str, dash: tuple[float, ...], x: float, y: float) -> Sequence[Shape]:
        line, inner = hexagon((x, y), 3.4, flat=flat), hexagon((x, y), 2.5, flat=flat)
        shapes = [Path(lines=(line,), closed=True, stroke=colour, width=OUTLINE_WIDTH_MM * 0.8, dash=dash)]
        if not dash:
            ticks = tuple(draw_ticks([(*line, line[0])], [(*inner, inner[0])]))
            shapes.append(Path(lines=ticks, stroke=colour, width=OUTLINE_WIDTH_MM * 0.5, butt=True))
        return shapes

    def hatched(colour: str, strokes: Strokes, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(strokes.scaled(0.6, 0.8), colour, slant_of([""], ""), 3.4, (x, y), flat=flat)

    if near := [reach for reach in reaches if not reach.ways and reach.near]:
        yield KeyEntry(words.near, partial(outline, colour_of(near), ()))
    if far := [reach for reach in reaches if not reach.ways and reach.far]:
        yield KeyEntry(words.far, partial(outline, colour_of(far), tuple(part * 0.5 for part in FAR_DASH_MM)))
    if near := [reach for reach in reaches if reach.ways and reach.near]:
        yield KeyEntry(words.ways_near, partial(hatched, colour_of(near), NEAR_STROKES))
    if far := [reach for reach in reaches if reach.ways and reach.far]:
        yield KeyEntry(words.ways_far, partial(hatched, colour_of(far), FAR_STROKES))


def _list_closed(sketch: LineSketch, palette: Palette, *, flat: bool) -> Iterator[KeyEntry]:
    def ring(x: float, y: float) -> Sequence[Shape]:
        line = hexagon((x, y), 3.2, flat=flat)
        return [Path(lines=(line,), closed=True, fill=PAPER, stroke=INK, width=1.2)]

    def closed(enemy: str, x: float, y: float) -> Sequence[Shape]:
        return hatched_sign(NEAR_STROKES.scaled(0.6, 1.2), enemy, CLOSED_SLANT_DEGREES, 3.4, (x, y), flat=flat)

    if sketch.cordon:
        yield KeyEntry(sketch.words.left, ring)
    for area in sketch.closed:
        yield KeyEntry(area.text, partial(closed, palette.side(area.enemy).strong))


def _list_failing(sketch: LineSketch) -> Iterator[KeyEntry]:
    if sketch.failing:
        yield KeyEntry(sketch.words.failing, lambda x, y: failing_shapes(((x - 3.8, y), (x + 3.8, y)), 0.8))
