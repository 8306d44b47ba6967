"""The ground of a game's maps over time: one area at one scale for all of them, drawn once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec.structs import replace

from ...asking.view import View
from ...game.boards import Board
from ...util.errors import InputError
from ..colours import INK, WHITE
from ..hex_sets import hexes_around, sort_from_upper_left
from ..layout import Layout
from ..map.layers import MapLayers, MapWish, map_layers
from ..map.survey import Scale, Survey, SurveyReader
from ..scene import Layer, Point, Text, enlarge, inset, shift, thin_out
from ..situation import named_places
from ..style import HEX, PAPER
from ..symbols import Symbols
from .territory import units_by_place

_BESIDE = 2.2  # hexes that the map goes on beyond what happens
_NEAR = 3  # hexes to an enemy within which a unit is in the front
_FLATTEST = 1.7  # the greatest width of a map, as a share of its height
_STEEPEST = 0.8  # its least width, as a share of its height
_LINE = 0.3  # mm on paper for which lines of a full-sized map are enlarged on a small one
_LETTER = 0.46  # the same for the size of letters
_MOST_LINES = 5.5  # times that lines are enlarged at most
_MOST_LETTERS = 9.0  # times that letters are enlarged at most
_LEFT_OUT = ("texture", "roads", "waters")
"""The layers that a small map does without."""
_VEIL = 0.4
"""How much of the ground is paled."""
_GRAIN = 0.5
"""How far apart points of lines are on paper at least, in millimetres."""
FIRE = "#c4281c"
"""The colour of the sign of a combat."""
FULL_COUNTER = 8.0
"""From which height of a hex on paper on, in millimetres, it has room for counters with ids and figures."""


class Theatre:
    """The area of a game's maps. views: the moments, in order, at least one; width: of a map on paper, in millimetres.

    Raises InputError if no unit stands on the map, and for moments on different boards.
    """

    def __init__(self, views: Sequence[View], width: float, attacked: Collection[str] = ()) -> None:
        first = views[0]
        boards = {view.state.board for view in views}
        if len(boards) > 1:
            hint = "choose turns on one board"
            raise InputError(f"the record goes from the board {min(boards)!r} to {max(boards)!r}", hint=hint)
        self.board, self.game, self.wide = first.board, first.game, width
        self.names = sort_from_upper_left(self.board, find_area(views, attacked))
        self.area = frozenset(self.names)
        bare = Layout(self.board, self.names)
        self.scale_on_paper = width / bare.width
        self.high = bare.height * self.scale_on_paper
        self.layout = bare
        self.symbols = Symbols(self.game)
        lines = min(max(_LINE / self.scale_on_paper, 1.0), _MOST_LINES)
        letters = min(max(_LETTER / self.scale_on_paper, 1.0), _MOST_LETTERS)
        scale = Scale(lines, letters)
        self._placed: dict[tuple[int, Point], tuple[Layer, Layer]] = {}
        self.survey = Survey(bare, SurveyReader(first), self.symbols, scale=scale, places=named_places(first))

    @property
    def is_small(self) -> bool:
        """Whether hexes are too small for counters with ids and figures."""
        return HEX * self.scale_on_paper < FULL_COUNTER

    @property
    def key_colours(self) -> tuple[str, ...]:
        """The colours by which a map is read: those of sides and of combats, white and ink."""
        sides = (self.survey.palette.side(side).strong for side in self.game.file.sides)
        return (*sides, FIRE, WHITE, INK)

    def place(self, layer: Layer, at: Point) -> Layer:
        """Return a layer on paper, with the upper left corner of the map at a point. What never changes is worked out
        once.
        """
        key = id(layer), at
        if key in self._placed:
            return self._placed[key][1]
        placed = shift(enlarge(layer, self.scale_on_paper), *at)
        if any(layer is known for known in (*self.base, *self.edge, *self.town_layers, *self.name_layers)):
            self._placed[key] = layer, placed
        return placed

    @property
    def grain(self) -> float:
        """How far apart points of lines are at least that are told apart on paper, in the layout's millimetres."""
        return _GRAIN / self.scale_on_paper

    @cached_property
    def base(self) -> tuple[Layer, ...]:
        """The map without anything that changes and without names, pale: what is drawn on it stands out."""
        size = self.layout.width, self.layout.height
        left_out = _LEFT_OUT if self.survey.scale.small else ()
        layers = (layer for layer in (*self._drawn.ground, *self._drawn.ways) if layer.name not in (*left_out, "edge"))
        veil = inset((0.0, 0.0, *size), -HEX, fill=PAPER, opacity=_VEIL)
        return (*(thin_out(layer, self.grain) for layer in layers), Layer("veil", (veil,)))

    @cached_property
    def edge(self) -> tuple[Layer, ...]:
        """What hides all beyond the map."""
        return tuple(layer for layer in self._drawn.ground if layer.name == "edge")

    @property
    def town_layers(self) -> tuple[Layer, ...]:
        """The signs of towns and what else is written below counters."""
        return self._written[0]

    @property
    def name_layers(self) -> tuple[Layer, ...]:
        """The names, which can be read over counters."""
        return self._written[1]

    @cached_property
    def _written(self) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
        left_out = _LEFT_OUT if self.survey.scale.small else ()
        layers = [layer for layer in self._drawn.written if layer.name not in left_out]
        names = tuple(_with_rims(layer) for layer in layers if layer.name == "names")
        return tuple(layer for layer in layers if layer.name != "names"), names

    @cached_property
    def _drawn(self) -> MapLayers:
        size = self.layout.width, self.layout.height
        return map_layers(self.survey, size, PAPER, MapWish(numbers=not self.survey.scale.small, regions=False))


def _with_rims(layer: Layer) -> Layer:
    """Return a layer whose texts can be read over counters."""
    return Layer(
        layer.name, tuple(replace(shape, halo=PAPER) if isinstance(shape, Text) else shape for shape in layer.shapes)
    )


def find_area(views: Sequence[View], attacked: Collection[str] = ()) -> set[str]:
    """Return the hexes in and round the box of all that happens: where units move, enter, leave and fight, and stand
    near to enemies; where nothing happens, of all units. Raises InputError if no unit stands on the map.
    """
    board = views[0].board
    standing = {place for view in views for place, _ in units_by_place(view) if board.is_hex(place)}
    if not standing:
        raise InputError("no unit stands on the map: there is no front to draw")
    acting = {place for pair in pairwise(views) for place in _find_moves(*pair) if board.is_hex(place)}
    acting |= {place for place in attacked if board.is_hex(place)}
    for view in views:
        acting |= _find_contacts(view, board)
    return _hexes_in_box(board, acting or standing)


def _find_moves(before: View, after: View) -> Iterator[str]:
    """Yield where units were or are that moved, entered or left."""
    old, new = before.state.units, after.state.units
    for unit in {**old, **new}:
        ends = [units[unit].place if unit in units else None for units in (old, new)]
        if ends[0] != ends[1]:
            yield from filter(None, ends)


def _find_contacts(view: View, board: Board) -> set[str]:
    """Return where units stand near to an enemy."""
    places = [(place, side) for place, side in units_by_place(view) if board.is_hex(place)]
    sides = dict(places)
    near = set[str]()
    for place, side in places:
        around = {place}
        for _ in range(_NEAR):
            around = hexes_around(board, around)
        if any(sides.get(other, side) != side for other in around):
            near.add(place)
    return near


def _hexes_in_box(board: Board, places: Iterable[str]) -> set[str]:
    """Return the hexes in and round the box of some, of which neither side is too short."""
    xs, ys = zip(*map(board.centre, places), strict=True)
    left, right, top, bottom = min(xs) - _BESIDE, max(xs) + _BESIDE, min(ys) - _BESIDE, max(ys) + _BESIDE
    width, height = right - left, bottom - top
    if lacking := max(height * _STEEPEST - width, 0.0):
        left, right = left - lacking / 2, right + lacking / 2
    if lacking := max(width / _FLATTEST - height, 0.0):
        top, bottom = top - lacking / 2, bottom + lacking / 2

    def is_inside(place: str) -> bool:
        x, y = board.centre(place)
        return bool(left <= x <= right and top <= y <= bottom)

    if board.hexes:
        return set(filter(is_inside, board.hexes))
    inside, edge = set(places), set(places)  # of a map that is not drawn
    while edge:
        edge = {beyond for place in edge for beyond in board.neighbours(place) if beyond not in inside}
        edge = set(filter(is_inside, edge))
        inside |= edge
    return inside
