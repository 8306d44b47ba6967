"""The whole map in layers, from the ground up.

First `letter_map` places all texts, then `map_layers` draws the map around them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from msgspec.structs import replace

from ...util.notes import note
from ..colours import INK, WHITE
from ..geometry import PageBox, boxes_along
from ..palettes import is_water
from ..placement import (
    COST_ON_FIRM,
    COST_ON_LINE,
    COST_ON_OUTLINE,
    Inscription,
    Placement,
    TakenBoxes,
    place_marks,
    places_in_hex,
)
from ..scene import Circle, Group, Layer, Point, Polyline, Shape, Text
from ..style import COUNTER_MM, HEX_MM, SOFT_INK, TARGET_RIM_MM
from .arcs import boxes_of, take_texts, text_box
from .borders import border_layers
from .crossings import crossing_layer
from .grounds import clear_texture, dot_layer, edge_layer, grid_layer, open_straits, terrain_layers
from .land import LONG_LAKE_WIDTH_MM, land_outlines
from .names import hexes_by_labels, lake_names, number_texts, region_labels, river_names
from .own_art import art_layer
from .survey import Survey
from .towns import (
    Town,
    flag_boxes,
    flag_layer,
    take_flags,
    take_signs,
    town_layers,
    town_marks,
    town_shapes,
    towns_of,
    within_marks,
)
from .waters import Waters
from .ways import MapWays

# The costs below are in the unit of `TakenBoxes`.
_COST_ON_NUMBER = 200.0
_REGION_COST_ON_NAME = 60.0
"""Cost for a letter of a region's name on another name, as the next two."""
_REGION_COST_ON_LAKE = 60.0
_REGION_COST_ON_NUMBER = 9.0
_COST_BEYOND_MAP = 60.0
_COST_ON_RAIL = 10.0
"""Cost of each piece of a railway covered by a name."""
_COST_ON_RAIL_WITHIN_HEX = 16.0
"""Cost of each piece of a railway covered by a name within its hex, whose letters are as black."""


class MapLayers(NamedTuple):
    """A map in layers."""

    ground: tuple[Layer, ...]
    """The ground, the names of regions, and the features along hexsides."""
    ways: tuple[Layer, ...]
    """Crossings, roads and railways."""
    written: tuple[Layer, ...]
    """Numbers, flags, towns and names."""

    @property
    def all(self) -> tuple[Layer, ...]:
        return (*self.ground, *self.ways, *self.written)

    @property
    def land(self) -> tuple[Layer, ...]:
        return tuple(layer for layer in self.ground if layer.name not in ALONG_HEXSIDES)

    @property
    def along_hexsides(self) -> tuple[Layer, ...]:
        """The layers of the features along hexsides, and the edge of the map."""
        return tuple(layer for layer in self.ground if layer.name in ALONG_HEXSIDES)


ALONG_HEXSIDES = ("rivers", "borders", "lakes", "hexsides", "edge")
"""The names of the layers of features along hexsides, and of the edge, which covers everything beyond the map."""


class MapWish(NamedTuple):
    """The wish for a map: its contents, and the boxes and lines that its texts should not cover."""

    numbers: Annotated[bool, note("whether hexes have their numbers")] = True
    names: Annotated[bool, note("whether towns, waters and regions have names")] = True
    regions: bool = True
    counters: Annotated[Collection[str], note("the hexes with counters in their middle, which names avoid")] = ()
    counter: Annotated[float, note("the side of a counter")] = COUNTER_MM
    places: Annotated[Mapping[str, str], note("names of places by hex, before those of the board")] = {}
    followed: Annotated[Collection[str], note("the hexsides that drawn lines cross")] = ()
    within: Annotated[bool, note("whether numbers and names of towns stay in their hexes or have leaders to them")] = (
        False
    )
    stacks: Annotated[
        Mapping[str, PageBox], note("the boxes of counters that then cover the signs of towns, by hex")
    ] = {}
    marks: Annotated[
        Sequence[tuple[str, Inscription[Any]]],
        note('further marks to place then, with their hex, or "" for marks placed before all others'),
    ] = ()
    taken: Annotated[Collection[PageBox], note("boxes in which nothing may be written")] = ()
    outlines: Annotated[
        Collection[Sequence[Point]], note("lines that are interrupted if nothing else is possible")
    ] = ()
    strands: Annotated[Collection[Sequence[Point]], note("lines that are never interrupted")] = ()
    raised: Annotated[Collection[str], note("the hexes whose number is on a plate")] = ()
    tinted: Annotated[
        Mapping[str, str], note("by hex, the colour of ground under a tint, which rims of texts take")
    ] = MappingProxyType({})
    rivers: Annotated[
        Mapping[str, Sequence[str]] | None,
        note("in a part of a larger picture: the hexsides of each river by its name"),
    ] = None


class LetteredMap(NamedTuple):
    """All texts on a map, in their places."""

    waters: Waters | None
    """The waters, which names avoid, or None if the map has neither names nor numbers."""
    ways: MapWays | None
    """The ways, which names avoid, or None as for `waters`."""
    towns: Sequence[Town]
    placed: Mapping[str, Placement[Any]]
    """The names of towns and the marks of hexes, by their keys."""
    numbers: Sequence[Text]
    """The numbers of hexes."""
    lakes: Sequence[Shape]
    """The names of lakes."""
    rivers: Sequence[Shape]
    """The names of rivers."""
    under: TakenBoxes
    """The boxes that names of regions avoid."""


def letter_map(survey: Survey, wish: MapWish) -> LetteredMap:
    """Return all texts on a map, each in its place.

    They are placed in this order, each leaving less room for the next: lakes, numbers, towns and marks, rivers.
    """
    waters, ways = (Waters(survey), MapWays(survey, wish.followed)) if wish.names or wish.numbers else (None, None)
    numbers = (
        [text for text in number_texts(survey) if wish.within or text.text not in wish.tinted] if wish.numbers else []
    )
    towns = towns_of(survey, wish.places) if ways else []
    room, under = TakenBoxes(), TakenBoxes()
    # marks on plates may cover lines, so within hexes the lines are kept apart
    lines = TakenBoxes() if wish.within else room
    if not wish.within:
        for strand in wish.strands:
            room.take_line(strand, 1.6, COST_ON_LINE)
        numbers = _keep_clear(numbers, wish)
    lakes, rivers = list[Shape](), list[Shape]()
    placed: Mapping[str, Placement[Any]] = {}
    for area in wish.taken:
        room.take(area, COST_ON_FIRM)
    if waters and ways and wish.names:
        _take_lines(lines, survey, waters, ways, within=wish.within)
        _take_signs(survey, towns, wish, room)
        take_flags(survey, room)
        room_for_lakes = _take_lines_of_wish(room.copy().include(lines), wish) if wish.within else room
        lakes = lake_names(survey, waters, room_for_lakes, partly=wish.rivers is not None)
        under = room.copy()  # without hex numbers, because the name of a region may cover them
    if wish.within:
        take_texts(lakes, room, COST_ON_FIRM)
        numbers, placed = _place_within_hexes(survey, towns, numbers, wish, room, lines)
        _take_lines_of_wish(room.include(lines), wish)
    elif wish.names:
        numbers, placed = _place_beside_towns(survey, towns, numbers, wish, room)
    if waters and wish.names:
        rivers = river_names(survey, waters, room, wish.rivers)
    return LetteredMap(waters, ways, towns, placed, numbers, lakes, rivers, under)


def _place_within_hexes(
    survey: Survey, towns: Sequence[Town], numbers: Sequence[Text], wish: MapWish, room: TakenBoxes, lines: TakenBoxes
) -> tuple[list[Text], Mapping[str, Placement[Any]]]:
    """Return the moved numbers, and the places of numbers, marks and town names, each in its hex or led to it."""
    outlines = TakenBoxes()
    for line in wish.outlines:
        for area in boxes_along(line, _OUTLINE_WIDTH_MM / 2):
            outlines.take(area, COST_ON_OUTLINE)
    for line in wish.strands:
        lines.take_line(line, _STRAND_WIDTH_MM, COST_ON_LINE)
    placed = place_marks(_group_by_hex(survey, towns, numbers, wish), room, lines, outlines=outlines, tries=3)
    lines.include(outlines)
    return [_move_number(placed[number.text]) for number in numbers], placed


def _place_beside_towns(
    survey: Survey, towns: Sequence[Town], numbers: list[Text], wish: MapWish, room: TakenBoxes
) -> tuple[list[Text], Mapping[str, Placement[Any]]]:
    """Return the remaining numbers, and the places of town names beside their signs.

    Names avoid numbers. On a small map, numbers that obstruct towns and names are left out instead.
    """
    if not survey.scale.small:
        take_texts(numbers, room, _COST_ON_NUMBER)
    marks = town_marks(survey, towns, counters=wish.counters, counter=wish.counter, stacks=wish.stacks)
    placed = place_marks([marks], room)
    if survey.scale.small:
        towns_and_names = TakenBoxes()
        _take_signs(survey, [town for town in towns if town.key in placed], wish, towns_and_names)
        for place in placed.values():
            towns_and_names.take(place.box, _COST_ON_NUMBER)
        numbers = [number for number in numbers if not towns_and_names.cost(text_box(number))]
        take_texts(numbers, room, _COST_ON_NUMBER)
    return numbers, placed


_OUTLINE_WIDTH_MM = 3.8
"""The width of an outline that names within a hex avoid, without its rim."""
_STRAND_WIDTH_MM = 1.6
_HALF_OUTLINE_WIDTH_MM = TARGET_RIM_MM / 2
_HALF_STRAND_WIDTH_MM = 1.5
_MAX_DROP_OF_NUMBER_MM = 4.0
_DROP_STEP_MM = 1.0


def _keep_clear(numbers: Sequence[Text], wish: MapWish) -> list[Text]:
    """Return the numbers that nothing over the map cuts, some of them a little lower; the others are left out."""
    over = TakenBoxes()
    for area in wish.taken:
        over.take(area, COST_ON_FIRM)
    for line in wish.outlines:
        over.take_line(line, 1.0, COST_ON_LINE)
    for line in wish.strands:
        over.take_line(line, 3.0, COST_ON_LINE)
    drops = [number * _DROP_STEP_MM for number in range(int(_MAX_DROP_OF_NUMBER_MM / _DROP_STEP_MM) + 1)]
    moved = ([replace(number, y=number.y + drop) for drop in drops] for number in numbers)
    clear = (next((text for text in texts if not over.cost(_box_of_number(text))), None) for texts in moved)
    return [number for number in clear if number]


def _take_lines_of_wish(room: TakenBoxes, wish: MapWish) -> TakenBoxes:
    for lines, half in ((wish.outlines, _HALF_OUTLINE_WIDTH_MM), (wish.strands, _HALF_STRAND_WIDTH_MM)):
        for line in lines:
            for area in boxes_along(line, half):
                room.take(area, COST_ON_FIRM)
    return room


def _group_by_hex(
    survey: Survey, towns: Sequence[Town], numbers: Sequence[Text], wish: MapWish
) -> Iterator[Sequence[Inscription[Any]]]:
    """Yield the groups of marks that are placed together, in the order of placing.

    First comes each number and each mark without a hex by itself, then the marks and town names of each hex, the
    fullest hexes first.
    """
    marks_by_hex = dict[str, list[Inscription[Any]]]()
    yield from ([_mark_number(survey, number, plate=number.text in wish.raised)] for number in numbers)
    for name, mark in wish.marks:
        if name:
            marks_by_hex.setdefault(name, []).append(mark)
        else:
            yield [mark]
    if wish.names:
        for mark, town in zip(within_marks(survey, towns, wish.stacks, survey.sheet), towns, strict=True):
            marks_by_hex.setdefault(town.hex, []).append(mark)
    yield from sorted(marks_by_hex.values(), key=len, reverse=True)


_NUMBER_PADDING_MM = 0.3
_PLATE_PADDING_MM = 0.75
"""The padding around a number on a plate."""
_COST_PER_MM_OFF_SPOT = 3.0
"""Cost for each mm between a number and its usual spot."""
_NUMBER_SIZE_FACTORS = (1.0, 0.84, 0.7, 0.6)
"""The scales of numbers that are tried; 1 is the usual size."""
_COST_OF_SMALLER_NUMBER = 30.0
"""Cost for each step down in the scales."""


def _mark_number(survey: Survey, number: Text, *, plate: bool) -> Inscription[Text]:
    """Return a mark for the number of a hex, as near to its usual spot as possible, smaller if necessary."""
    centre, padding = survey.layout.centre(number.text), _PLATE_PADDING_MM if plate else _NUMBER_PADDING_MM
    usual_box, sizes = _box_of_number(number), []
    for share in _NUMBER_SIZE_FACTORS:
        smaller = replace(number, size=number.size * share)
        box = _box_of_number(smaller)
        size = box.right - box.left + 2 * padding, box.bottom - box.top + 2 * padding
        usual_spot = (box.left + box.right) / 2 - centre[0], (usual_box.top + usual_box.bottom) / 2 - centre[1], 0.0
        sizes.append((smaller, size, usual_spot))

    def places() -> Iterator[Placement[Text]]:
        places_by_size = [
            places_in_hex(
                centre,
                size,
                (usual_spot,),
                text,
                flat=survey.layout.flat,
                off=_COST_PER_MM_OFF_SPOT,
                penalty=_COST_OF_SMALLER_NUMBER * step,
            )
            for step, (text, size, usual_spot) in enumerate(sizes)
        ]
        return merge(*places_by_size, key=lambda place: place.cost)

    return Inscription(number.text, places)


def _box_of_number(number: Text) -> PageBox:
    """Return the box of a number, down to the base line: figures have no descenders."""
    return text_box(number)._replace(bottom=number.y)


def _move_number(place: Placement[Text]) -> Text:
    number, box = place.drawn, _box_of_number(place.drawn)
    dx = (place.box.left + place.box.right - box.left - box.right) / 2
    dy = (place.box.top + place.box.bottom - box.top - box.bottom) / 2
    return replace(number, x=number.x + dx, y=number.y + dy, fill=SOFT_INK)


def _take_signs(survey: Survey, towns: Sequence[Town], wish: MapWish, room: TakenBoxes) -> None:
    take_signs(survey, [town for town in towns if town.hex not in wish.stacks], room)


def map_layers(
    survey: Survey, size: tuple[float, float], paper: str, wish: MapWish, lettering: LetteredMap | None = None
) -> MapLayers:
    """Return the map of a survey in layers, or the author's own picture if the game has one.

    Raises InputError with the file if the author's picture cannot be shown.
    """
    if (art := art_layer(survey)) is not None:
        dots = dot_layer(survey)
        return MapLayers((art, dots) if dots.shapes else (art,), (), ())
    written = lettering or letter_map(survey, wish)
    waters, ways = written.waters or Waters(survey), written.ways or MapWays(survey, wish.followed)
    numbers = written.numbers
    ground, texture, sea = terrain_layers(survey)
    tints, borders = border_layers(survey, waters)
    land = (tints, open_straits(survey, sea, waters.straits), grid_layer(survey))
    edge = edge_layer(survey, *size, paper)
    rivers, *lakes_and_hexsides = waters.layers()
    along_hexsides = (rivers, borders, *lakes_and_hexsides)
    regions: tuple[Layer, ...] = ()
    rimmed = wish.within or bool(wish.strands)
    above = [
        _draw_rimmed_numbers(survey, numbers, wish.tinted) if rimmed else Layer("numbers", tuple(numbers)),
        flag_layer(survey),
    ]
    if wish.within:
        above += _draw_led_towns(survey, written, wish.tinted, paper)
    else:
        leaders = (shape for place in written.placed.values() for shape in leader_shapes(place.leader))
        above.append(Layer("leaders", tuple(leaders)))
        halos = wish.tinted if wish.strands else None
        above += town_layers(survey, written.towns, written.placed, named=wish.names, halos=halos)
    if wish.names:
        if wish.regions:
            town_names = above[-1]
            take_texts((*town_names.shapes, *written.rivers), written.under, _REGION_COST_ON_NAME)
            near_labels = hexes_by_labels(survey)
            numbers_near = (number for number in numbers if number.text in near_labels)
            take_texts(numbers_near, written.under, _REGION_COST_ON_NUMBER)
            for lake in waters.lakes:
                written.under.take_line(lake.axis, LONG_LAKE_WIDTH_MM, _REGION_COST_ON_LAKE)
            regions = (region_labels(survey, written.under),)
        above.append(Layer("waters", (*written.lakes, *written.rivers)))
    # the texture of the ground is left out below names and flags, but not below numbers
    boxes_over_texture = boxes_of(shape for layer in (*regions, *above[1:]) for shape in layer.shapes)
    texture = clear_texture(texture, (*boxes_over_texture, *flag_boxes(survey)))
    below = (ground, texture, *land, *regions, *along_hexsides, edge)
    crossings_and_ways = (crossing_layer(survey, waters, ways), *ways.layers())
    return MapLayers(ground=_drop_empty(below), ways=_drop_empty(crossings_and_ways), written=_drop_empty(above))


def _drop_empty(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    return tuple([layer for layer in layers if layer.shapes])


def _draw_rimmed_numbers(survey: Survey, numbers: Iterable[Text], tinted: Mapping[str, str]) -> Layer:
    """Return the numbers of hexes with rims in the colour of their ground, which hide lines and hatching."""
    return Layer(
        "numbers",
        tuple(replace(number, halo=tinted.get(number.text) or survey.ground(number.text)) for number in numbers),
    )


def _draw_led_towns(survey: Survey, written: LetteredMap, tinted: Mapping[str, str], paper: str) -> list[Layer]:
    """Return three layers: leaders of names outside their hexes, signs of towns, and names with rims.

    The rims have the colour of the ground.
    """
    signs, leaders, names = list[Shape](), list[Shape](), list[Shape]()
    for town in written.towns:
        signs.append(
            Group(town.name, tuple(town_shapes(town.kind, town.at, survey.scale.signs, fortress=town.fortress)))
        )
        if (place := written.placed.get(town.key)) is None:
            continue
        hex = survey.hex_at(place.box.middle)
        halo = (tinted.get(hex) or survey.ground(hex)) if hex else paper
        ends_at_sign = place.leader[1:] == (town.at,)
        leaders += leader_shapes(place.leader, dot=not ends_at_sign)
        names.append(Group(f"{town.hex}: {town.name}", tuple(place.drawn.at(place.box).texts(halo))))
    return [Layer("leaders", tuple(leaders)), Layer("towns", tuple(signs)), Layer("names", tuple(names))]


_LEADER_WIDTH_MM = 0.35
_LEADER_CASING_WIDTH_MM = _LEADER_WIDTH_MM + 0.8
_LEADER_DOT_RADIUS_MM = 0.7


def leader_shapes(leader: Sequence[Point], *, dot: bool = True) -> Iterator[Shape]:
    """Yield the line from a name to its object, or nothing if `leader` is empty.

    `dot`: whether the line ends with a dot.
    """
    if leader:
        yield Polyline(
            points=tuple(leader),
            stroke=INK,
            width=_LEADER_WIDTH_MM,
            casing=WHITE,
            casing_width=_LEADER_CASING_WIDTH_MM,
        )
        if dot:
            x, y = leader[-1]
            yield Circle(x=x, y=y, radius=_LEADER_DOT_RADIUS_MM, fill=INK, stroke=WHITE, width=0.3)


def _take_lines(room: TakenBoxes, survey: Survey, waters: Waters, ways: MapWays, *, within: bool) -> None:
    """Mark as taken what names should avoid: ways, waters, borders, coasts, and the area beyond the map.

    The costs are divided by the size of the letters, because a larger name covers more pieces of a line.

    `within`: whether names stay within their hexes, so that covering a railway costs more.
    """
    share = 1 / survey.scale.letters
    for run in ways.rails:
        room.take_line(run.line, 2.2, (_COST_ON_RAIL_WITHIN_HEX if within else _COST_ON_RAIL) * share)
    for run in ways.roads:
        room.take_line(run.line, 1.0, 2.5 * share)
    for river in waters.rivers:
        room.take_line((*river.line[:-1:3], river.line[-1]), max(river.widths), 10.0 * share)
    for lake in waters.lakes:
        room.take_line(lake.area, 1.0, 2.0 * share)
    for name in {**survey.borders, **dict.fromkeys(waters.dry_hexsides)}:
        side = survey.sides[name]
        room.take_line((survey.point(side.start), survey.point(side.end)), 1.6, 4.0 * share)
    for coast in land_outlines(survey, {name for name, terrain in survey.terrain.items() if is_water(terrain)}):
        room.take_line(coast, 1.6, 6.0 * share)
    for beyond in _boxes_beyond(survey):
        room.take(beyond, _COST_BEYOND_MAP)


def _boxes_beyond(survey: Survey) -> Iterator[PageBox]:
    """Yield a box in the middle of each undrawn hex that touches the drawn hexes."""
    layout, centres = survey.layout, set[Point]()
    for name in layout.names:
        for beyond, start, end in survey.around[name]:
            if not beyond or not layout.draws(beyond):
                # the centre of the hex, mirrored at the hexside: a hex off the board has no name to ask for its centre
                (x0, y0), (x1, y1) = survey.point(start), survey.point(end)
                x, y = layout.centre(name)
                centres.add((round(x0 + x1 - x, 1), round(y0 + y1 - y, 1)))
    half = HEX_MM * 0.36
    for x, y in centres:
        yield PageBox(x - half, y - half, x + half, y + half)
