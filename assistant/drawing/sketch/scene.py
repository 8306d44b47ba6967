"""A sketch as a scene: the map with units, roles of hexes, ways, zones and labels, and the keys below."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...asking.placeholders import format_drawn_note
from ...asking.sketch import ArrowKind, Remark, Sketch, Spot, ZoneHexes
from ...asking.view import View
from ...game.boards import Board, NamedPlace
from ...state.state import hexside
from ...util.errors import InputError
from ..answer_page import AnswerPage, Block, enlargement, figures_note, parted_note, stack_blocks
from ..colours import INK
from ..counters import add_shadow
from ..geometry import PageBox, box_around, boxes_along, move_towards
from ..hex_sets import hexes_around, keep_on_map, sort_from_upper_left
from ..layout import Layout
from ..legend import MapKey, list_cover_entries, map_key
from ..lettering import POINT_MM, base_line, text_width
from ..map.board_names import boxes_of_names
from ..map.layers import LetteredMap, MapWish, letter_map, map_layers
from ..map.names import number_texts
from ..map.survey import Survey, SurveyReader
from ..placement import Inscription
from ..scene import Layer, Rectangle, Scene, Shape, Text, enlarge, inset, shift
from ..situation import (
    OverMap,
    cap_sentences,
    counters_of,
    marker_boxes,
    marker_layer,
    marker_sentences,
    named_places,
    nations_of_units,
    rooms_of,
)
from ..style import MARGIN, PAPER, SOFT_INK
from ..symbols import Symbols
from .arrows import Lines, arrow_layer, arrow_lines, format_arrow, goal_layer
from .below_map import (
    TableBlock,
    fate_lines,
    find_badge,
    find_due,
    format_zone,
    is_sum,
    owed_lines,
    reason_lines,
    result_lines,
    sketch_key,
    working_blocks,
)
from .fates import Shown, arrived_faces, fate_layer
from .lanes import bead_box, place_beads
from .layers import (
    HexOutline,
    format_spot,
    lines_of_outlines,
    outline_layer,
    outlines_of,
    shade_layer,
    tint_layer,
    tinted_grounds,
    zone_layer,
)
from .marks import (
    COMPARED_HEIGHT_MM,
    FOOT_ROOM_MM,
    LABEL_HEIGHT_MM,
    RING_WIDTH_MM,
    add_feet,
    badge_layer,
    badge_marks,
    foot_layer,
    label_layer,
    label_marks,
    number_layer,
    remark_layer,
    remark_marks,
)

_FRAME_GAP_MM = 6.0
"""The distance from a panel of a parted map to its frame."""
_FRAME_GAP_ABOVE_MM = 14.0
"""The distance above a panel, with room for its title."""
_TITLE_INDENT_MM = 3.0
_TITLE_SIZE_MM = 4.6
_MAX_TITLE_ENLARGEMENT = 2.0
_HOLE_GAP_MM = 4.0
"""The distance from the texts between frames to the frames above and below."""
_MIN_PAGE_WIDTH_MM = 110.0
_PAGE_WIDTH_MM = 190.0
"""The width of a page on which a wider picture is printed smaller."""
_MIN_LETTER_MM = 6 * POINT_MM
"""The size of the smallest letters on such a page."""
_ARROW_WIDTH_MM = 2.0
"""The width of an arrow with its rim."""
_ARROW_HEAD_MM = 3.6
_ATTACK_WIDTH_MM = 3.4
"""The width of an attack with its rim."""
_ATTACK_HEAD_MM = 4.4
_STUB_WIDTH_MM = 2.0
"""The width of the arrow, with its head, for a way that will be open later."""


def sketch_scene(view: View, sketch: Sketch) -> Scene:
    """Return a sketch as a scene, with its hexes and those around. Facts read for it do not count as read by the view.

    Boxes and hexes off the map are left out.

    Raises InputError if there are no hexes to draw, or if a colour of the game is invalid.
    """
    signs = _SketchSigns.of(view, sketch)
    frame, reader, symbols, standing = signs.frame, signs.reader, signs.symbols, signs.standing
    sketch, layout, survey = frame.sketch, frame.layout, signs.survey
    nations = nations_of_units(reader, layout.names)
    covers = list_cover_entries(reader, standing.faces)

    def key(width: float) -> MapKey:
        return sketch_key(
            view, sketch, signs.colours, signs.target, width, covers, flat=layout.flat, moved=standing.moved
        )

    written, height = _lay_out(frame, key, map_key(survey, nations, frame.page.wide))
    size = frame.width, height
    drawn = map_layers(survey, size, PAPER, signs.wish, signs.lettering)
    words = [
        *_describe_sketch(view, sketch, standing.faces, standing.arrived),
        *marker_sentences(layout, reader, symbols),
    ]
    return Scene(
        width=size[0],
        height=size[1],
        title=sketch.title,
        description=" ".join([*words, *cap_sentences(reader, standing.faces)]),
        layers=(
            Layer("paper", (Rectangle(x=0, y=0, width=size[0], height=size[1], fill=PAPER),)),
            *drawn.land,
            *signs.areas,
            *drawn.along_hexsides,
            signs.limits,
            *drawn.ways,
            signs.ways,
            *drawn.written,
            standing.counters,
            standing.fates,
            marker_layer(layout, reader, symbols, frame.crossing, standing.boxes),
            *signs.over,
            *_draw_panels(frame, survey),
            *written,
        ),
        centres=tuple((name, layout.centre(name)) for name in layout.names),
    )


def sketch_over_map(view: View, sketch: Sketch) -> OverMap:
    """Return the picture of a sketch, without ground and counters.

    Raises InputError as `sketch_scene` does.
    """
    signs = _SketchSigns.of(view, sketch, whole=True)
    joined = dict.fromkeys(name for arrow in signs.frame.sketch.arrows for name in arrow.hexes)
    return OverMap((*signs.areas, signs.limits, signs.ways), signs.over, signs.frame.layout, tuple(joined))


class _SketchSigns(NamedTuple):
    frame: _SketchFrame
    reader: SurveyReader
    symbols: Symbols
    standing: _SketchUnits
    survey: Survey
    colours: Mapping[str, str]
    lines: Lines
    outlines: Sequence[HexOutline]
    wish: MapWish
    lettering: LetteredMap

    @classmethod
    def of(cls, view: View, sketch: Sketch, *, whole: bool = False) -> _SketchSigns:
        """Return the content of a picture of a sketch.

        `whole`: whether it will be laid over a map drawn elsewhere, and so is not in panels.
        """
        reader, symbols = SurveyReader(view), Symbols(view.game)
        frame = _make_frame(view, sketch, whole=whole)
        places = named_places(view)
        standing = _place_units(view, frame, reader, symbols, places, whole=whole)
        survey = Survey(frame.layout, reader, symbols, places=places)
        colours = _choose_colours(reader, frame.sketch)
        outlines = outlines_of(survey, frame.sketch, colours, colours[_side_of_target(reader, frame.sketch)])
        lines = arrow_lines(frame.layout, frame.sketch, add_feet(frame.sketch, standing.boxes))
        target = colours[_side_of_target(reader, frame.sketch)]
        tinted = tinted_grounds(survey, frame.sketch, colours, target)
        wish = _choose_wish(frame, survey, standing, lines, outlines, whole=whole)._replace(tinted=tinted)
        return cls(frame, reader, symbols, standing, survey, colours, lines, outlines, wish, letter_map(survey, wish))

    @property
    def target(self) -> str:
        return self.colours[_side_of_target(self.reader, self.frame.sketch)]

    @property
    def areas(self) -> tuple[Layer, ...]:
        layout, sketch = self.frame.layout, self.frame.sketch
        shades = (shade_layer(layout, sketch),) if sketch.levels else ()
        zones = zone_layer(layout, sketch, self.colours)
        tints = tint_layer(layout, sketch, self.colours, self.target)
        frames = [outline for outline in self.outlines if not outline.is_limit]
        return *shades, tints, zones, outline_layer(frames, self._written)

    @property
    def limits(self) -> Layer:
        """The outlines of areas, which lie over rivers and borders."""
        return outline_layer([outline for outline in self.outlines if outline.is_limit], self._written, "limits")

    @property
    def _written(self) -> list[PageBox]:
        """The boxes of names and of numbers without a plate, at which outlines are interrupted."""
        plates = {mark.key for _, mark in self.wish.marks}.union(self.wish.raised)
        return [place.box for key, place in self.lettering.placed.items() if key not in plates]

    @property
    def ways(self) -> Layer:
        arrows, numbers = self._draw_arrows(self._kinds_below), goal_layer(self.lines)
        return Layer("ways", (*arrows.shapes, *numbers.shapes))

    @property
    def over(self) -> tuple[Layer, ...]:
        sketch, placed = self.frame.sketch, self.lettering.placed
        kinds = {arrow.kind for arrow, _ in self.lines} - self._kinds_below
        numbers = self.lettering.numbers or number_texts(self.survey)
        raised = [number for number in numbers if number.text in self.wish.raised]
        layers = [
            foot_layer(sketch, self.standing.boxes, self.colours, self.target),
            label_layer(sketch, placed),
            self._draw_arrows(kinds),
        ]
        if raised:
            layers.append(number_layer(raised))
        layers.append(remark_layer(self.frame.layout, sketch, placed))
        if sketch.levels:
            layers.append(badge_layer(sketch, placed))
        return tuple(layers)

    @property
    def _kinds_below(self) -> set[ArrowKind]:
        """The kinds of arrows drawn below the counters: ways, and on a shaded map attacks, which continue ways."""
        return {"way", "support", "attack"} if self.frame.sketch.levels else {"way", "support"}

    def _draw_arrows(self, kinds: Collection[str]) -> Layer:
        lines = [line for line in self.lines if line[0].kind in kinds]
        return arrow_layer(lines, self.colours, shaded=bool(self.frame.sketch.levels))


class _SketchFrame(NamedTuple):
    sketch: Sketch
    layout: Layout
    page: AnswerPage
    large: float
    """The enlargement of texts round the map."""
    width: float
    """The width of the picture, in mm."""
    height: float
    """The height of the map with its frames, in mm."""

    @property
    def is_framed(self) -> bool:
        return self.layout.is_parted and bool(self.sketch.levels)

    @property
    def crossing(self) -> list[tuple[str, str]]:
        """The steps of all arrows for which counters make room."""
        return [pair for arrow in self.sketch.arrows if arrow.kind != "onward" for pair in pairwise(arrow.hexes)]


def _make_frame(view: View, sketch: Sketch, *, whole: bool = False) -> _SketchFrame:
    sketch, hexes = frame_hexes(view.board, sketch)
    framed = bool(sketch.levels)
    bare = Layout(view.board, hexes, panels=not whole, framed=framed)
    rim, above = (_FRAME_GAP_MM, _FRAME_GAP_ABOVE_MM) if framed and bare.is_parted else (0.0, 0.0)
    width_of_map = bare.width + 2 * rim
    large = enlargement(width_of_map)
    caption = [*sketch.caption, *parted_note(bare), *figures_note(view, bare.names), *format_drawn_note(view.board)]
    tables = (block.width for block in _list_tables(sketch)) if framed else ()
    page = AnswerPage(
        sketch.title,
        caption,
        max(width_of_map / large, _MIN_PAGE_WIDTH_MM, *tables),
        sketch.answer,
        find_badge(sketch),
        find_due(sketch),
    )
    width = page.width * large
    origin = (width - bare.width) / 2, page.top * large + above
    layout = Layout(view.board, hexes, origin, panels=not whole, framed=framed)
    return _SketchFrame(sketch, layout, page, large, width, bare.height + rim + above)


def _draw_panels(frame: _SketchFrame, survey: Survey) -> Iterator[Layer]:
    if frame.is_framed:
        names = {place.hex: place.name for place in survey.places}
        yield panel_layer(frame.layout, frame.sketch, names, frame.large)


def panel_layer(layout: Layout, sketch: Sketch, names: Mapping[str, str], large: float) -> Layer:
    """Return the frames of panels with their titles.

    `names`: the names of hexes.
    `large`: the factor by which texts round the map are enlarged.
    """
    shapes = list[Shape]()
    for hexes, box in layout.panels:
        first = next((spot.hex for spot in sketch.spots if spot.hex in hexes), hexes[0])
        left, top = box.left - _FRAME_GAP_MM, box.top - _FRAME_GAP_ABOVE_MM
        size = box.right + _FRAME_GAP_MM - left, box.bottom + _FRAME_GAP_MM - top
        shapes.append(inset((left, top, *size), 0, radius=2.0, stroke=SOFT_INK, stroke_width=0.6))
        text = f"hexes round {first} {names.get(first, '')}".strip()
        letters = _TITLE_SIZE_MM * min(large, _MAX_TITLE_ENLARGEMENT)
        letters *= min(1.0, (size[0] - 2 * _TITLE_INDENT_MM) / text_width(text, letters, bold=True))
        base = base_line(top + 1.5 + letters / 2, letters)
        shapes.append(Text(x=left + _TITLE_INDENT_MM, y=base, text=text, size=letters, bold=True, fill=INK))
    return Layer("panels", tuple(shapes))


def _find_hole(layout: Layout) -> PageBox:
    """Return the largest free box between or beside the frames of panels."""
    hole = layout.hole
    top = min(box.top for _, box in layout.panels)
    bottom = max(box.bottom for _, box in layout.panels)
    upper = hole.top - _FRAME_GAP_ABOVE_MM if hole.top == top else hole.top + _FRAME_GAP_MM + _HOLE_GAP_MM
    lower = hole.bottom + _FRAME_GAP_MM if hole.bottom == bottom else hole.bottom - _FRAME_GAP_ABOVE_MM - _HOLE_GAP_MM
    return PageBox(hole.left - _FRAME_GAP_MM, upper, hole.right + _FRAME_GAP_MM, lower)


def _lay_out(frame: _SketchFrame, key: Callable[[float], MapKey], key_of_map: MapKey) -> tuple[list[Layer], float]:
    """Return the texts of a sketch, between the frames of panels or below the map, and the picture's height in mm."""
    beside, width = _lay_out_beside(frame, key), frame.page.wide
    below = () if beside else (*_list_blocks(frame.sketch, width), key(width), *_list_tables(frame.sketch))
    written, height = frame.page.layers(frame.page.top + frame.height / frame.large, (*below, key_of_map))
    return [*(enlarge(layer, frame.large) for layer in written), *beside], height * frame.large


def _lay_out_beside(frame: _SketchFrame, key: Callable[[float], MapKey]) -> list[Layer]:
    """Return the texts of a sketch between the frames of panels, or an empty list if they do not all fit."""
    if not frame.is_framed:
        return []
    hole, tables = _find_hole(frame.layout), _list_tables(frame.sketch)
    width, height = (hole.right - hole.left) / frame.large, (hole.bottom - hole.top) / frame.large
    signs = key(width)
    if max([signs.width, *(table.width for table in tables)]) > width:
        return []
    layers, top = stack_blocks(0.0, [*_list_blocks(frame.sketch, width), signs, *tables])
    if top > height:
        return []
    across = hole.left - MARGIN * frame.large
    return [shift(enlarge(layer, frame.large), across, hole.top) for layer in layers]


def _list_tables(sketch: Sketch) -> list[TableBlock]:
    return [
        TableBlock(table, wrapped=bool(sketch.levels)) for table in sketch.tables if table.rows and not is_sum(table)
    ]


class _SketchUnits(NamedTuple):
    counters: Layer
    fates: Layer
    """The signs of the units' fates."""
    boxes: Mapping[str, PageBox]
    """The box of each stack."""
    faces: Shown
    """The counters of each stack."""
    arrived: Shown
    """The counters of units that enter a hex by the answer."""
    markers: Sequence[PageBox]
    """The boxes of markers."""

    @property
    def moved(self) -> bool:
        """Whether a unit is drawn at its old and its new place."""
        come = {shown.id for stack in self.arrived.values() for shown in stack}
        return any(shown.id in come for stack in self.faces.values() for shown in stack)


def _heights_below(sketch: Sketch) -> Mapping[str, float]:
    height = COMPARED_HEIGHT_MM if sketch.levels else LABEL_HEIGHT_MM
    labelled = (spot for spot in sketch.spots if sketch.text(spot) or spot.role in ("barred", "cut"))
    heights = {"start": FOOT_ROOM_MM, "target": FOOT_ROOM_MM, "weakest": height + RING_WIDTH_MM}
    return {spot.hex: heights.get(spot.role, height) for spot in labelled}


def _place_units(
    view: View,
    frame: _SketchFrame,
    reader: SurveyReader,
    symbols: Symbols,
    places: Collection[NamedPlace],
    *,
    whole: bool,
) -> _SketchUnits:
    """Return the units of the drawn hexes, clear of arrows.

    Unless the map is drawn elsewhere, they are clear of labels and names too.
    """
    sketch, layout, crossing = frame.sketch, frame.layout, frame.crossing
    arrived, below = arrived_faces(view, sketch), {} if whole else _heights_below(sketch)
    lone = [place.hex for place in places if len(reader.state.stack(place.hex)) < 2]
    named = [] if whole or sketch.levels else lone
    min_letter = _MIN_LETTER_MM * max(frame.width / _PAGE_WIDTH_MM, 1.0)
    counters, boxes, faces = counters_of(layout, reader, symbols, crossing, below, arrived, named, min_letter)
    fates = fate_layer(sketch, faces, arrived, rooms_of(layout, crossing, below, named))
    return _SketchUnits(counters, fates, boxes, faces, arrived, marker_boxes(layout, reader, symbols, crossing, boxes))


def _choose_wish(
    frame: _SketchFrame,
    survey: Survey,
    standing: _SketchUnits,
    lines: Lines,
    outlines: Sequence[HexOutline],
    *,
    whole: bool,
) -> MapWish:
    """Return the wish for the map under a sketch: its texts keep clear of counters, markers and arrows."""
    sketch, layout, boxes = frame.sketch, frame.layout, add_feet(frame.sketch, standing.boxes)
    taken = [*map(add_shadow, boxes.values()), *standing.markers]
    for arrow, points in lines:
        width, tip = (
            (_ATTACK_WIDTH_MM, _ATTACK_HEAD_MM)
            if arrow.kind == "attack" and not sketch.levels
            else (_ARROW_WIDTH_MM, _ARROW_HEAD_MM)
        )
        taken += boxes_along(points, (_STUB_WIDTH_MM if arrow.kind == "onward" else width) / 2)
        taken.append(box_around(*move_towards(points[-1], points[-2], tip / 2), tip, tip))
    taken += [bead_box(point) for _, point in place_beads(lines)]
    if whole:
        taken += boxes_of_names(survey)
    sheet = survey.sheet
    marks: list[tuple[str, Inscription[Any]]] = []
    if sketch.levels:
        marks += badge_marks(layout, sketch)
    marks += label_marks(layout, sketch, boxes, sheet)
    marks += remark_marks(layout, sketch, boxes, sheet)
    return MapWish(
        regions=False,
        numbers=not whole,
        names=not whole,
        stacks=boxes,
        followed={hexside(*pair) for pair in frame.crossing},
        within=True,
        marks=marks,
        taken=taken,
        outlines=[*lines_of_outlines(outlines)],
        raised={spot.hex for spot in sketch.spots if spot.level or spot.place},
    )


def _list_blocks(sketch: Sketch, width: float) -> Iterator[Block]:
    yield from working_blocks(sketch, width)
    yield fate_lines(sketch, width)
    yield result_lines(sketch, width)
    if not find_due(sketch):
        yield owed_lines(sketch, width)
    yield reason_lines(sketch, width)


def standing_scene(view: View) -> Scene:
    """Return a scene of the hexes with units and their neighbours, as far as the viewpoint knows them.

    Raises InputError if no unit is on the map.
    """
    standing = (unit.place for unit in view.state.units.values() if unit.place)
    hexes = [place for place in dict.fromkeys([*standing, *view.unseen]) if view.board.is_hex(place)]
    if not hexes:
        raise InputError("no unit stands on the map: there is nothing to draw")
    return sketch_scene(view, Sketch(title=view.game.title, focus=tuple(hexes)))


def _keep_on_board(board: Board, sketch: Sketch) -> Sketch:
    """Return a sketch with the regular names of hexes, and without parts off the map.

    Raises InputError if no hex remains.
    """

    spots: list[Spot] = []
    for spot in sketch.spots:
        for hex in keep_on_map(board, [spot.hex]):
            spots.append(replace(spot, hex=hex))
    arrows = [replace(arrow, hexes=tuple(keep_on_map(board, arrow.hexes))) for arrow in sketch.arrows]
    remarks: list[Remark] = []
    for remark in sketch.remarks:
        ends = remark.where.split("|")
        kept = keep_on_map(board, ends)
        if len(kept) == len(ends):
            remarks.append(replace(remark, where="|".join(kept)))
    zones: list[ZoneHexes] = []
    for zone in sketch.zones:
        hexes, holders = keep_on_map(board, zone.hexes), keep_on_map(board, zone.holders)
        zones.append(replace(zone, hexes=frozenset(hexes), holders=frozenset(holders)))
    placed = replace(
        sketch,
        spots=tuple(spots),
        arrows=tuple(arrow for arrow in arrows if len(arrow.hexes) > 1),
        remarks=tuple(remarks),
        zones=tuple(zones),
        focus=tuple(keep_on_map(board, sketch.focus)),
    )
    if not placed.hexes:
        named = ", ".join(sketch.hexes) or "none given"
        raise InputError(f"no hex to draw: {named}", hint=f"name hexes of the map {board.title}")
    return placed


def frame_hexes(board: Board, sketch: Sketch) -> tuple[Sketch, list[str]]:
    """Return the sketch with regular names and only the drawn zones, and the drawn hexes from the upper left.

    The hexes of the sketch are drawn, their neighbours except barred hexes, and the hexes of units with zones that
    reach these. A shaded map also has single hexes enclosed by them.

    Raises InputError if no hex remains.
    """
    placed = _keep_on_board(board, sketch)
    weakest = [spot.hex for spot in placed.spots if spot.role == "weakest"]
    inner = weakest or [spot.hex for spot in placed.spots if spot.role not in ("barred", "cut")]
    hexes = hexes_around(board, [*placed.focus, *inner]).union(placed.hexes)
    for zone in placed.zones:
        reached = zone.hexes & hexes
        hexes |= {at for at in zone.holders if not reached.isdisjoint(board.neighbours(at))}
    if placed.levels:
        hexes |= {at for at in hexes_around(board, hexes) if hexes.issuperset(board.neighbours(at))}
    zones = (replace(zone, hexes=zone.hexes & hexes) for zone in placed.zones)
    return replace(placed, zones=tuple(zone for zone in zones if zone.hexes)), sort_from_upper_left(board, hexes)


def _choose_colours(reader: SurveyReader, sketch: Sketch) -> Mapping[str, str]:
    arrows, zones = (arrow.side for arrow in sketch.arrows), (zone.side for zone in sketch.zones)
    spots = (spot.side for spot in sketch.spots)
    sides = dict.fromkeys((sketch.side, *arrows, *zones, *spots, *reader.game.file.sides))
    return {side: reader.palette.side(side).strong if side else INK for side in (*sides, "")}


def _side_of_target(reader: SurveyReader, sketch: Sketch) -> str:
    """Return the side of the first unit in the attacked hex, or else the first side other than the sketch's."""
    there = (unit.id for spot in sketch.spots if spot.role == "target" for unit in reader.state.stack(spot.hex))
    others = (side for side in reader.game.file.sides if side != sketch.side)
    return reader.side_among(there) or next(others, sketch.side)


def _describe_sketch(view: View, sketch: Sketch, faces: Shown, arrived: Shown) -> list[str]:
    parts = [f"{sketch.answer}."] if sketch.answer else []
    parts += [f"Hex {name}: {'; '.join(face.title for face in stack)}." for name, stack in faces.items()]
    parts += [f"Hex {name}: {', '.join(face.id for face in stack)} afterwards." for name, stack in arrived.items()]
    parts += [f"{format_spot(sketch, spot)}." for spot in sketch.spots]
    parts += [f"{format_arrow(arrow)}." for arrow in sketch.arrows]
    for zone in sketch.zones:
        parts.append(f"{format_zone(view, zone)}: {', '.join(sorted(zone.hexes))}.")
    parts += [f"{remark.where}: {remark.text}." for remark in sketch.remarks]
    parts += [f"{chain.title}: {', '.join(map(' '.join, chain.links))}." for chain in sketch.chains]
    parts += [f"{fate.line}." for fate in sketch.fates]
    parts += [f"{', '.join(row)}." for table in sketch.tables for row in table.rows]
    return [*parts, *(f"{text}." for text in (*sketch.results, *sketch.owed))]
