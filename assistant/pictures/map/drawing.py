"""The whole map in layers, from the ground up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import dist
from typing import NamedTuple

import msgspec

from ...drawing.scene import Layer, Point, Text
from ..layout import Area
from ..palettes import is_water
from ..style import COUNTER, HEX
from .arcs import boxes_of, take_texts, text_box
from .borders import border_layers
from .flags import flag_boxes, flag_layer, take_flags
from .labels import hexes_by_labels, label_layer, lake_names
from .land import LAKE_WIDTH, clear_texture, edge_layer, exact, grid_layer, terrain_layers, with_straits
from .names import number_texts, river_names
from .own_art import art_layer
from .survey import Room, Survey
from .towns import take_signs, town_layers, towns_of
from .waters import Waters
from .ways import Ways, crossing_layer

#: How bad it is for a name to cover a number, and for that of a region to lie on another name, over a bit of a lake, or on
#: a number.
_NUMBER, _NAMED, _LAKE, _NUMBERED = 200.0, 60.0, 60.0, 9.0
#: The same of a name beyond the hexes drawn.
_OUT = 60.0


class MapLayers(NamedTuple):
    """A map in layers. ground: up to what lies along hexsides; ways: roads and railways; written: all above them."""

    ground: tuple[Layer, ...]
    ways: tuple[Layer, ...]
    written: tuple[Layer, ...]

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


def rim_layer(survey: Survey, written: Sequence[Layer]) -> Layer:
    """The rims of what is written on a map, in the colour of the ground: they hide the tints and hatchings of a picture, and
    belong above these and below all lines.
    """
    draws, at = survey.layout.draws, {survey.layout.centre(name): name for name in survey.layout.names}
    texts = [text for layer in written if layer.name in ("numbers", "names") for text in layer.shapes]
    rims = []
    for text in texts:
        if isinstance(text, Text):
            near = text.text if draws(text.text) else at[min(at, key=lambda centre: dist(centre, (text.x, text.y)))]
            ground = survey.ground(near)
            rims.append(msgspec.structs.replace(text, fill=ground, halo=ground))
    return Layer("rims", tuple(rims))


ALONG_HEXSIDES = ("rivers", "borders", "lakes", "hexsides", "edge")
"""The layers of the ground that run along hexsides, and the edge, which covers what would lie beyond it."""


class MapWish(NamedTuple):
    """How a map is drawn.

    regions: whether regions have their names. numbers, names: whether hexes have their number and towns, waters and
    regions their names; counters: the hexes in whose middle counters stand, of which
    names keep clear; counter: the side of one; places: names of places by hex, before those of the board; followed: the
    hexsides that drawn lines cross; taken: boxes in
    which no name may stand; rivers: if this is a part of a larger picture, the hexsides of each river by its name.
    """

    numbers: bool = True
    names: bool = True
    regions: bool = True
    counters: Collection[str] = ()
    counter: float = COUNTER
    places: Mapping[str, str] = {}
    followed: Collection[str] = ()
    taken: Collection[Area] = ()
    rivers: Mapping[str, Sequence[str]] | None = None


def map_layers(survey: Survey, size: tuple[float, float], paper: str, wish: MapWish) -> MapLayers:
    """The map of a survey in a picture of a size on paper of a colour; a picture of an author's own takes its place.

    Raises InputError with the file for such a picture that cannot be shown.
    """
    if (art := art_layer(survey)) is not None:
        return MapLayers((art,), (), ())
    waters = Waters(survey)
    ways = Ways(survey, wish.followed)
    ground, texture, sea = terrain_layers(survey)
    tints, borders = border_layers(survey, waters)
    land = (tints, with_straits(survey, sea, waters.straits), grid_layer(survey))
    edge = edge_layer(survey, *size, paper)
    rivers, *others = waters.layers()
    lines = (rivers, borders, *others)
    regions: tuple[Layer, ...] = ()
    numbers = number_texts(survey) if wish.numbers else []
    towns = towns_of(survey, wish.places)
    room, under = Room(), Room()
    if wish.names:
        _take(room, survey, waters, ways, wish)
        take_signs(survey, towns, room)
        take_flags(survey, room)
        lakes = lake_names(survey, waters, room, partly=wish.rivers is not None)
        under = room.copy()  # the names of regions, whose letters stand far apart, are not kept off by numbers alone
        if not survey.scale.small:
            take_texts(numbers, room, _NUMBER)
    named = town_layers(survey, towns, room, named=wish.names, counters=wish.counters, counter=wish.counter)
    if survey.scale.small:  # there numbers give way to names
        names = Room()
        take_signs(survey, towns, names)
        take_texts(named[-1].shapes, names, _NUMBER)
        numbers = [number for number in numbers if not names.cost(text_box(number))]
        take_texts(numbers, room, _NUMBER)
    written = [Layer("numbers", tuple(numbers)), flag_layer(survey), *named]
    if wish.names:
        rivers_named = river_names(survey, waters, room, wish.rivers)
        if wish.regions:
            take_texts((*written[-1].shapes, *rivers_named), under, _NAMED)
            near = hexes_by_labels(survey)
            take_texts((number for number in numbers if number.text in near), under, _NUMBERED)
            for lake in waters.lakes:
                under.take_line(lake.axis, LAKE_WIDTH, _LAKE)
            regions = (label_layer(survey, under),)
        written.append(Layer("waters", (*lakes, *rivers_named)))
    over = boxes_of(shape for layer in (*regions, *written[1:]) for shape in layer.shapes)
    texture = clear_texture(texture, (*over, *flag_boxes(survey)))
    below = (ground, texture, *land, *regions, *lines, edge)
    crossing = (crossing_layer(survey, waters, ways), *ways.layers())
    return MapLayers(*(tuple([layer for layer in part if layer.shapes]) for part in (below, crossing, written)))


def _take(room: Room, survey: Survey, waters: Waters, ways: Ways, wish: MapWish) -> None:
    """Take the room of what names keep clear of: ways, waters, borders, coasts, and what the wish takes. What a name
    covers of lines counts as a share of its size.
    """
    share = 1 / survey.scale.letters
    for run in ways.rails:
        room.take_line(run.line, 2.2, 10.0 * share)
    for run in ways.roads:
        room.take_line(run.line, 1.0, 2.5 * share)
    for river in waters.rivers:
        room.take_line((*river.line[:-1:3], river.line[-1]), max(river.widths), 10.0 * share)
    for lake in waters.lakes:
        room.take_line(lake.area, 1.0, 2.0 * share)
    for name in {**survey.borders, **dict.fromkeys(waters.others)}:
        side = survey.sides[name]
        room.take_line((survey.point(side.start), survey.point(side.end)), 1.6, 4.0 * share)
    for coast in exact(survey, {name for name, terrain in survey.terrain.items() if is_water(terrain)}):
        room.take_line(coast, 1.6, 6.0 * share)
    for beyond in _beyond(survey):
        room.take(beyond, _OUT)
    for area in wish.taken:
        room.take(area, 150.0)


def _beyond(survey: Survey) -> Iterator[Area]:
    """Boxes beyond the hexes drawn, in the notches at their edge: one in the middle of each hex there."""
    layout, centres = survey.layout, set[Point]()
    for name in layout.names:
        for beyond, start, end in survey.around[name]:
            if not beyond or not layout.draws(beyond):
                (x0, y0), (x1, y1) = survey.point(start), survey.point(end)
                x, y = layout.centre(name)
                centres.add((round(x0 + x1 - x, 1), round(y0 + y1 - y, 1)))
    half = HEX * 0.36
    for x, y in centres:
        yield Area(x - half, y - half, x + half, y + half)
