"""The whole map in layers, from the ground up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from typing import Annotated, Any, NamedTuple

from msgspec.structs import replace

from ...util.notes import note
from ..colours import INK, WHITE
from ..geometry import PageBox, boxes_along
from ..palettes import is_water
from ..placement import FIRM, RING, STRAND, Inscription, Placement, TakenBoxes, place_marks, places_in_hex
from ..scene import Circle, Group, Layer, Point, Polyline, Shape, Text
from ..style import COUNTER, HEX, SOFT_INK
from .arcs import boxes_of, take_texts, text_box
from .borders import border_layers
from .crossings import crossing_layer
from .grounds import clear_texture, edge_layer, grid_layer, open_straits, terrain_layers
from .land import LAKE_WIDTH, land_outlines
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

_NUMBER = 200.0  # cost for a name of covering a number, as the next three in the unit of `TakenBoxes`
_NAMED = 60.0  # for that of a region of lying on another name
_LAKE = 60.0  # over a bit of a lake
_NUMBERED = 9.0  # or on a number
_OUT = 60.0  # cost of a name beyond the hexes drawn
_RAIL_WITHIN = 16.0  # cost for a name within its hex of covering a bit of a railway


class MapLayers(NamedTuple):
    """A map in layers."""

    ground: tuple[Layer, ...]
    """Up to what lies along hexsides."""
    ways: tuple[Layer, ...]
    """Roads and railways."""
    written: tuple[Layer, ...]
    """All above them."""

    @property
    def all(self) -> tuple[Layer, ...]:
        """All of them, from the ground up."""
        return (*self.ground, *self.ways, *self.written)

    @property
    def land(self) -> tuple[Layer, ...]:
        """The ground below what runs along hexsides."""
        return tuple(layer for layer in self.ground if layer.name not in ALONG_HEXSIDES)

    @property
    def along_hexsides(self) -> tuple[Layer, ...]:
        """Rivers, borders and what else runs along hexsides, up to the edge of the map."""
        return tuple(layer for layer in self.ground if layer.name in ALONG_HEXSIDES)


ALONG_HEXSIDES = ("rivers", "borders", "lakes", "hexsides", "edge")
"""The layers of the ground that run along hexsides, and the edge, which covers what would lie beyond it."""


class MapWish(NamedTuple):
    """How a map is drawn."""

    numbers: Annotated[bool, note("whether hexes have their numbers")] = True
    names: Annotated[bool, note("whether towns, waters and regions have theirs")] = True
    regions: bool = True
    counters: Annotated[
        Collection[str], note("the hexes with counters in their middle, of which names keep clear")
    ] = ()
    counter: Annotated[float, note("the side of one")] = COUNTER
    places: Annotated[Mapping[str, str], note("names of places by hex, before those of the board")] = {}
    followed: Annotated[Collection[str], note("the hexsides that drawn lines cross")] = ()
    within: Annotated[bool, note("whether numbers and names of towns stay in their hexes, or are led to these")] = False
    stacks: Annotated[
        Mapping[str, PageBox], note("the boxes of counters that then cover the signs of towns, by hex")
    ] = {}
    marks: Annotated[
        Sequence[tuple[str, Inscription[Any]]],
        note('what else is placed then, with its hex, "" for what is placed before all others'),
    ] = ()
    taken: Annotated[Collection[PageBox], note("boxes in which nothing may be written")] = ()
    outlines: Annotated[Collection[Sequence[Point]], note("lines that are broken where nothing else will do")] = ()
    strands: Annotated[Collection[Sequence[Point]], note("lines that are never broken")] = ()
    raised: Annotated[Collection[str], note("the hexes whose number is on a plate")] = ()
    tinted: Annotated[Collection[str], note("the hexes on whose ground it is dark")] = ()
    rivers: Annotated[
        Mapping[str, Sequence[str]] | None,
        note("of a part of a larger picture: the hexsides of each river by its name"),
    ] = None


class LetteredMap(NamedTuple):
    """What is written on a map, and where."""

    waters: Waters | None
    """What names keep clear of, None where nothing but marks is written."""
    ways: MapWays | None
    towns: Sequence[Town]
    placed: Mapping[str, Placement[Any]]
    """The names of towns and the marks of hexes, by their keys."""
    numbers: Sequence[Text]
    """Of hexes."""
    lakes: Sequence[Shape]
    """Their names."""
    rivers: Sequence[Shape]
    """Their names."""
    under: TakenBoxes
    """The room for the names of regions."""


def letter_map(survey: Survey, wish: MapWish) -> LetteredMap:
    """Return all that is written on a map, each in its place."""
    waters, ways = (Waters(survey), MapWays(survey, wish.followed)) if wish.names or wish.numbers else (None, None)
    numbers = (
        [text for text in number_texts(survey) if wish.within or text.text not in wish.tinted] if wish.numbers else []
    )
    towns = towns_of(survey, wish.places) if ways else []
    room, under, small = TakenBoxes(), TakenBoxes(), survey.scale.small
    lines = TakenBoxes() if wish.within else room
    lakes, rivers = list[Shape](), list[Shape]()
    placed: Mapping[str, Placement[Any]] = {}
    for area in wish.taken:
        room.take(area, FIRM)
    if waters and ways and wish.names:
        _take_lines(lines, survey, waters, ways, within=wish.within)
        _take_signs(survey, towns, wish, room)
        take_flags(survey, room)
        clear = _take_lines_of_wish(room.copy().include(lines), wish) if wish.within else room
        lakes = lake_names(survey, waters, clear, partly=wish.rivers is not None)
        under = room.copy()  # the names of regions, whose letters stand far apart, are not kept off by numbers alone
    if wish.within:
        for weight, drawn in ((RING, wish.outlines), (STRAND, wish.strands)):
            for line in drawn:
                lines.take_line(line, 1.6, weight)
        take_texts(lakes, room, FIRM)
        placed = place_marks(_group_by_hex(survey, towns, numbers, wish), room, lines, tries=3)
        _take_lines_of_wish(room.include(lines), wish)
        numbers = [_move_number(placed[number.text]) for number in numbers]
    elif wish.names:
        if not small:
            take_texts(numbers, room, _NUMBER)
        placed = place_marks([town_marks(survey, towns, counters=wish.counters, counter=wish.counter)], room)
        if small:  # there numbers give way to names
            names = TakenBoxes()
            _take_signs(survey, [town for town in towns if town.key in placed], wish, names)
            for place in placed.values():
                names.take(place.box, _NUMBER)
            numbers = [number for number in numbers if not names.cost(text_box(number))]
            take_texts(numbers, room, _NUMBER)
    if waters and wish.names:
        rivers = river_names(survey, waters, room, wish.rivers)
    return LetteredMap(waters, ways, towns, placed, numbers, lakes, rivers, under)


def _take_lines_of_wish(room: TakenBoxes, wish: MapWish) -> TakenBoxes:
    """Return a room in which the names of waters keep off outlines and lines, too."""
    for area in (area for line in (*wish.outlines, *wish.strands) for area in boxes_along(line, 1.5)):
        room.take(area, FIRM)
    return room


def _group_by_hex(
    survey: Survey, towns: Sequence[Town], numbers: Sequence[Text], wish: MapWish
) -> Iterator[Sequence[Inscription[Any]]]:
    """Yield what is placed together: the number of each hex, what stands beside hexsides and corners, and then the
    marks of each hex with the names of its towns, the fullest hexes first.
    """
    frame, groups = survey.sheet, dict[str, list[Inscription[Any]]]()
    yield from ([_mark_number(survey, number, plate=number.text in wish.raised)] for number in numbers)
    for name, mark in wish.marks:
        if name:
            groups.setdefault(name, []).append(mark)
        else:
            yield [mark]
    if wish.names:
        for mark, town in zip(within_marks(survey, towns, wish.stacks, frame), towns, strict=True):
            groups.setdefault(town.hex, []).append(mark)
    yield from sorted(groups.values(), key=len, reverse=True)


_ROUND_NUMBER = 0.3  # mm round the number of a hex
_ROUND_RAISED = 0.75  # mm round one on a plate
_OFF_SPOT = 3.0  # cost of each millimetre off its usual spot


def _mark_number(survey: Survey, number: Text, *, plate: bool) -> Inscription[Text]:
    """Return the number of a hex at its usual spot, or as near to it as there is room. plate: whether it stands on one."""
    centre, pad = survey.layout.centre(number.text), _ROUND_RAISED if plate else _ROUND_NUMBER
    usual, sizes = _box_of_number(number), []
    for share in _SIZES:
        smaller = replace(number, size=number.size * share)
        box = _box_of_number(smaller)
        size = box.right - box.left + 2 * pad, box.bottom - box.top + 2 * pad
        off = (box.left + box.right) / 2 - centre[0], (usual.top + usual.bottom) / 2 - centre[1], 0.0
        sizes.append((smaller, size, off))

    def places() -> Iterator[Placement[Text]]:
        flat = survey.layout.flat
        each = [
            places_in_hex(centre, size, (off,), text, flat=flat, off=_OFF_SPOT, worse=_NUMBER_SMALLER * number)
            for number, (text, size, off) in enumerate(sizes)
        ]
        return merge(*each, key=lambda place: place.cost)

    return Inscription(number.text, places, plate=plate)


_SIZES = (1.0, 0.84, 0.7, 0.6)  # of numbers, as shares of the usual one
_NUMBER_SMALLER = 30.0  # cost of each size smaller


def _box_of_number(number: Text) -> PageBox:
    """Return the box of the number of a hex, whose figures stand on their base line."""
    return text_box(number)._replace(bottom=number.y)


def _move_number(place: Placement[Text]) -> Text:
    """Return a number in its place."""
    number, box = place.drawn, _box_of_number(place.drawn)
    dx = (place.box.left + place.box.right - box.left - box.right) / 2
    dy = (place.box.top + place.box.bottom - box.top - box.bottom) / 2
    return replace(number, x=number.x + dx, y=number.y + dy, fill=SOFT_INK)


def _take_signs(survey: Survey, towns: Sequence[Town], wish: MapWish, room: TakenBoxes) -> None:
    """Take the room of the signs of towns: where counters cover them only on a map whose names stand beside them."""
    take_signs(survey, [town for town in towns if town.hex not in wish.stacks], room)


def map_layers(
    survey: Survey, size: tuple[float, float], paper: str, wish: MapWish, lettering: LetteredMap | None = None
) -> MapLayers:
    """Return the map of a survey in a picture of a size on paper of a colour; a picture of an author's own takes its
    place. lettering: what is written on it, if it is placed already.

    Raises InputError with the file for such a picture that cannot be shown.
    """
    if (art := art_layer(survey)) is not None:
        return MapLayers((art,), (), ())
    written = lettering or letter_map(survey, wish)
    waters, ways = written.waters or Waters(survey), written.ways or MapWays(survey, wish.followed)
    numbers = written.numbers
    ground, texture, sea = terrain_layers(survey)
    tints, borders = border_layers(survey, waters)
    land = (tints, open_straits(survey, sea, waters.straits), grid_layer(survey))
    edge = edge_layer(survey, *size, paper)
    rivers, *others = waters.layers()
    lines = (rivers, borders, *others)
    regions: tuple[Layer, ...] = ()
    above = [Layer("numbers", tuple(numbers)), flag_layer(survey)]
    if wish.within:
        above = [
            _draw_rimmed_numbers(survey, numbers, wish.tinted),
            flag_layer(survey),
            *_draw_led_towns(survey, written, paper),
        ]
    else:
        above += town_layers(survey, written.towns, written.placed, named=wish.names)
    if wish.names:
        if wish.regions:
            take_texts((*above[-1].shapes, *written.rivers), written.under, _NAMED)
            near = hexes_by_labels(survey)
            take_texts((number for number in numbers if number.text in near), written.under, _NUMBERED)
            for lake in waters.lakes:
                written.under.take_line(lake.axis, LAKE_WIDTH, _LAKE)
            regions = (region_labels(survey, written.under),)
        above.append(Layer("waters", (*written.lakes, *written.rivers)))
    over = boxes_of(shape for layer in (*regions, *above[1:]) for shape in layer.shapes)
    texture = clear_texture(texture, (*over, *flag_boxes(survey)))
    below = (ground, texture, *land, *regions, *lines, edge)
    crossing = (crossing_layer(survey, waters, ways), *ways.layers())
    return MapLayers(ground=_drop_empty(below), ways=_drop_empty(crossing), written=_drop_empty(above))


def _drop_empty(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    return tuple([layer for layer in layers if layer.shapes])


def _draw_rimmed_numbers(survey: Survey, numbers: Iterable[Text], tinted: Collection[str]) -> Layer:
    """Return the numbers of hexes with rims in the colour of their ground, which hide the lines and the hatching round
    their letters. tinted: the hexes whose number has none.
    """
    rimmed = [replace(number, halo=survey.ground(number.text)) for number in numbers if number.text not in tinted]
    plain = [replace(number, fill=SOFT_INK) for number in numbers if number.text in tinted]
    return Layer("numbers", (*rimmed, *plain))


def _draw_led_towns(survey: Survey, written: LetteredMap, paper: str) -> list[Layer]:
    """Return the signs of towns, their names with rims in the colour of their ground, and the leaders of those that
    stand outside their hexes.
    """
    signs, leaders, names = list[Shape](), list[Shape](), list[Shape]()
    for town in written.towns:
        signs.append(
            Group(town.name, tuple(town_shapes(town.kind, town.at, survey.scale.signs, fortress=town.fortress)))
        )
        if (place := written.placed.get(town.key)) is None:
            continue
        middle = place.box.middle
        leaders += leader_shapes(place.leader, dot=place.leader[1:] != (town.at,))
        names.append(
            Group(f"{town.hex}: {town.name}", tuple(place.drawn.at(place.box).texts(survey.ground_at(middle) or paper)))
        )
    return [Layer("leaders", tuple(leaders)), Layer("towns", tuple(signs)), Layer("names", tuple(names))]


_LEADER = 0.35  # mm, the width of a leader
_DOT = 0.7  # mm, the radius of the dot at its end


def leader_shapes(leader: Sequence[Point], *, dot: bool = True) -> Iterator[Shape]:
    """Yield a leader from a name to what it names. dot: whether it ends in a dot."""
    if leader:
        yield Polyline(points=tuple(leader), stroke=INK, width=_LEADER, casing=WHITE, casing_width=_LEADER + 0.8)
        if dot:
            yield Circle(x=leader[-1][0], y=leader[-1][1], radius=_DOT, fill=INK, stroke=WHITE, width=0.3)


def _take_lines(room: TakenBoxes, survey: Survey, waters: Waters, ways: MapWays, *, within: bool) -> None:
    """Take the room of what names keep clear of: ways, waters, borders and coasts. What a name covers of lines counts
    as a share of its size; that of railways, which are as black as letters, counts for more within hexes.
    """
    share = 1 / survey.scale.letters
    for run in ways.rails:
        room.take_line(run.line, 2.2, (_RAIL_WITHIN if within else 10.0) * share)
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
        room.take(beyond, _OUT)


def _boxes_beyond(survey: Survey) -> Iterator[PageBox]:
    """Yield boxes beyond the hexes drawn, in the notches at their edge: one in the middle of each hex there."""
    layout, centres = survey.layout, set[Point]()
    for name in layout.names:
        for beyond, start, end in survey.around[name]:
            if not beyond or not layout.draws(beyond):
                (x0, y0), (x1, y1) = survey.point(start), survey.point(end)
                x, y = layout.centre(name)
                centres.add((round(x0 + x1 - x, 1), round(y0 + y1 - y, 1)))
    half = HEX * 0.36
    for x, y in centres:
        yield PageBox(x - half, y - half, x + half, y + half)
