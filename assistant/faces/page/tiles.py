"""A board in tiles: which hexes it has, where they lie, and each part of it as SVG, drawn when it is asked for and
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from math import ceil, floor
from typing import Generic, NamedTuple, TypeVar

import msgspec

from ...asking.view import View
from ...drawing.geometry import PageBox
from ...drawing.hex_sets import board_hexes, hexes_around
from ...drawing.layout import Layout
from ...drawing.map.layers import MapLayers, MapWish, map_layers
from ...drawing.map.own_art import measure_art, part_of_art
from ...drawing.map.survey import FULL, Scale, Survey, SurveyReader
from ...drawing.palettes import is_water
from ...drawing.scene import Layer, Point, Scene, Text
from ...drawing.situation import named_places
from ...drawing.style import COUNTER, HEX, PAPER, RADIUS
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.boards import Board
from ...game.games import Game
from ...game.hexes import Hex
from ...state.state import FactKey
from ...state.tracks import Fact

T = TypeVar("T")
_NAMED = "named"
"""The track that names places."""
_AROUND = 1.5 * HEX
"""How far beyond its box a tile draws hexes, so that what crosses its edge goes on in the next one."""
_AFAR = 2.0
"""How large letters are, as on a hex of full size, where names no longer keep clear of counters."""
_BELOW = 3.0
"""How far the counters of a stack reach below one."""
_TOUCH = 1.0
"""How far under a counter the rim of a letter may reach: less would leave too many rivers without a name."""
_RING = 2
"""How many hexes round those that matter a blank field has."""


class ZoomLevel(NamedTuple):
    """A board in one size."""

    least: int
    """The least height of a hex, in pixels, for which it is drawn."""
    hexes: int
    """How many there are along the edge of a tile."""
    scale: Scale
    """The scale at which it is drawn."""
    bleed: float
    """How far beyond its box the names of a tile may reach."""


def _afar(least: int, pixels: float, hexes: int) -> ZoomLevel:
    """Return a level for hexes so many pixels high."""
    scale = Scale(max(26.0 / pixels, 1.0), 56.0 / pixels)
    return ZoomLevel(least, hexes, scale, HEX * scale.letters)


LEVELS = (ZoomLevel(52, 10, FULL, HEX), _afar(24, 32.0, 12), _afar(10, 14.0, 20), _afar(0, 6.0, 30))
"""The sizes of boards, the nearest first."""


class Recent(Generic[T]):
    """What was made last, by its key. most: how many of them are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made = dict[str, T]()

    def get(self, key: str, make: Callable[[], T]) -> T:
        """Return what a key stands for, made if it is not kept."""
        made = self._made.pop(key, None)
        if made is None:
            made = make()
        self._made[key] = made
        for old in list(self._made)[: -self._most]:
            del self._made[old]
        return made


class Tile(NamedTuple):
    """A tile as SVG."""

    ground: str
    """Only what lies in the box of it counts."""
    names: str
    """What is written over the ground."""


class Pictures:
    """The pictures of boards that were asked for last, and their tiles, for one table after the other or for
    several.
    """

    def __init__(self) -> None:
        self._fields = Recent[TiledHexes](4)
        self._boards = Recent[BoardPicture](3)
        self.tints = Recent[Mapping[str, str]](3)
        self.tiles = Recent[Tile](64)

    def of(self, view: View, hexes: Collection[str]) -> BoardPicture:
        """Return the picture of the board of a position. hexes: those that matter where no board is drawn."""
        board = view.board
        facts = _find_drawn_facts(view)
        around = () if board.name else tuple(sorted(_find_around(board, hexes)))
        key = _hash(view.game.id, board.name, around)
        field = self._fields.get(key, lambda: _lay_field(key, view.game, board, around))
        return self._boards.get(_hash(key, facts), lambda: BoardPicture(view.quiet_view(), facts, field, self))


def _lay_field(key: str, game: Game, board: Board, around: tuple[str, ...]) -> TiledHexes:
    """Return what is drawn of a board, all of it if it is a map. around: hexes of another one."""
    if board.is_of_areas and board.picture:
        return TiledHexes(key, board, tuple(board.picture.places), measure_art(game.folder, board.name, board.picture))
    return TiledHexes(key, board, around or tuple(board_hexes(board)))


def _find_around(board: Board, hexes: Collection[str]) -> set[str]:
    field = {at for at in hexes if board.is_hex(at)} or {board.grid.name(board.grid.middle)}
    for _ in range(_RING):
        field = hexes_around(board, field)
    return field


def _find_drawn_facts(view: View) -> Mapping[FactKey, Fact]:
    """Return what the position and the owner's pack say of what the map shows."""
    picture = view.game.file.picture
    drawn = {picture.terrain, picture.barrier, picture.rail, picture.road, picture.gauge}
    drawn |= {picture.border, picture.country, picture.crossing, picture.causeway, picture.town, _NAMED}
    known = {**view.board.facts.over, **view.stated}
    return {key: fact for key, fact in known.items() if key[0] in drawn}


def _hash(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=9).hexdigest()


class TiledHexes:
    """The hexes that are drawn of a board, or the places of a map of areas: where they lie, and in which tiles. key: tells
    it from others; whole: how large the picture of such a map is.
    """

    def __init__(self, key: str, board: Board, hexes: tuple[str, ...], whole: tuple[float, float] = (0.0, 0.0)) -> None:
        self.key = key
        self.whole = whole
        self.board = board
        self.hexes = hexes
        self.flat = board.grid.orientation == "flat"
        grid = board.grid
        ends = [grid.centre(Hex(column, row)) for column in grid.columns for row in grid.rows]
        along = 2.25 * RADIUS
        across = 1.25 * HEX  # then the edges of tiles run between the middles of hexes
        x, y = (along, across) if self.flat else (across, along)
        if board.is_of_areas:
            ends, x, y = [(0.0, 0.0)], 0.0, 0.0
        self._shift = x - min(x for x, _ in ends) * HEX, y - min(y for _, y in ends) * HEX
        self.centres = {name: self.centre(name) for name in hexes}

    def centre(self, name: str) -> Point:
        """Return the middle of a hex. It stays where it is, whatever hexes are drawn."""
        return self.centre_of(self.board.centre(name))

    def centre_of(self, point: Point) -> Point:
        """Return where a point of the grid lies."""
        return point[0] * HEX + self._shift[0], point[1] * HEX + self._shift[1]

    def size(self, level: int) -> tuple[float, float]:
        """Return the width and height of a tile."""
        many = LEVELS[level].hexes
        along = 1.5 * RADIUS * many
        across = HEX * many
        return (along, across) if self.flat else (across, along)

    @cached_property
    def tiles(self) -> tuple[Mapping[tuple[int, int], list[str]], ...]:
        """The hexes of each tile by column and row, level by level."""
        of_levels: list[dict[tuple[int, int], list[str]]] = [{} for _ in LEVELS]
        for level, tiles in enumerate(of_levels):
            if self.board.is_of_areas:
                columns, rows = (ceil(length / step) for length, step in zip(self.whole, self.size(level), strict=True))
                tiles.update({(column, row): [] for column in range(columns) for row in range(rows)})
                continue
            for name, centre in self.centres.items():
                for at in self.within(level, centre, RADIUS):
                    tiles.setdefault(at, []).append(name)
        return tuple(of_levels)

    def within(self, level: int, point: Point, far: float) -> set[tuple[int, int]]:
        """Return the tiles, by column and row, that reach so near to a point. far: the distance, as in `centre`."""
        x, y = point
        width, height = self.size(level)
        columns = {floor((x - far) / width), floor((x + far) / width)}
        rows = {floor((y - far) / height), floor((y + far) / height)}
        return {(column, row) for column in columns for row in rows}

    def near(self, box: PageBox) -> list[str]:
        """Return the hexes whose middle lies in a box."""
        left, top, right, bottom = box
        return [name for name, (x, y) in self.centres.items() if left <= x < right and top <= y < bottom]


class BoardPicture:
    """The picture of a board. facts: what is stated of what it shows; kept: keeps what is drawn of it."""

    def __init__(self, view: View, facts: Mapping[FactKey, Fact], field: TiledHexes, pictures: Pictures) -> None:
        self.game = view.game
        self.board = view.board
        self.field = field
        self.look = SurveyReader(view)
        self._symbols = Symbols(view.game)
        self._places = named_places(view)
        self._facts = facts
        self._pictures = pictures
        self.places = tuple((place.hex, place.name) for place in self._places if place.hex in field.centres)

    @cached_property
    def tiles(self) -> tuple[Mapping[tuple[int, int], str], ...]:
        """The key of each tile by column and row, level by level."""
        return tuple(dict(self._find_tiles(level)) for level in range(len(LEVELS)))

    def _find_tiles(self, level: int) -> Iterator[tuple[tuple[int, int], str]]:
        stated: dict[tuple[int, int], list[object]] = {}
        for (track, subject), fact in self._facts.items():
            ends = [self.field.centre(name) for name in subject.split("|") if self.board.shows(name)]
            for at in {at for end in ends for at in self.field.within(level, end, _AROUND + 2 * HEX)}:
                stated.setdefault(at, []).append((track, subject, fact.value))
        for at, names in self.field.tiles[level].items():
            field = () if self.board.name else names
            yield at, _hash(self.game.id, self.board.name, level, at, field, stated.get(at, ()))

    def draw(self, level: int, column: int, row: int) -> Tile | None:
        """Return a tile as SVG; None where the board has none."""
        key = self.tiles[level].get((column, row)) if 0 <= level < len(LEVELS) else None
        return None if key is None else self._pictures.tiles.get(key, lambda: self._draw(level, column, row))

    def _draw(self, level: int, column: int, row: int) -> Tile:
        _, _, scale, bleed = LEVELS[level]
        wide, high = self.field.size(level)
        left = column * wide
        top = row * high
        if self.board.picture is not None and self.board.is_of_areas:
            box = PageBox(left - bleed, top - bleed, left + wide + bleed, top + high + bleed)
            art = part_of_art(self.game.folder, self.board.name, self.board.picture, box)
            scene = Scene(width=wide + 2 * bleed, height=high + 2 * bleed, title="", layers=(art,))
            return Tile(to_svg(scene), to_svg(msgspec.structs.replace(scene, layers=())))
        survey, drawn = self.draw_box(PageBox(left, top, left + wide, top + high), scale, bleed)
        width = wide + 2 * bleed
        height = high + 2 * bleed
        written = [_clip_to_frame(survey, layer) if layer.name == "numbers" else layer for layer in drawn.written]

        def svg(*layers: Layer) -> str:
            return to_svg(Scene(width=width, height=height, title="", layers=layers))

        return Tile(svg(*drawn.ground, *drawn.ways), svg(*written))

    def draw_box(
        self, box: PageBox, scale: Scale = FULL, bleed: float = 0, *, named: bool = True
    ) -> tuple[Survey, MapLayers]:
        """Return what is drawn of the board in a box, as in a picture of just that. bleed: how far the picture reaches
        beyond the box; named: whether hexes have their numbers, and towns and waters their names.
        """
        left, top, right, bottom = box
        names = self.field.near(PageBox(left - _AROUND, top - _AROUND, right + _AROUND, bottom + _AROUND))
        bare = Layout(self.board, names)
        x, y = self.field.centres[names[0]]
        bare_x, bare_y = bare.centre(names[0])
        layout = Layout(self.board, names, (x - left + bleed - bare_x, y - top + bleed - bare_y))
        wide = right - left
        high = bottom - top
        frame = PageBox(bleed, bleed, bleed + wide, bleed + high)
        reader = self.look
        symbols = self._symbols
        places = self._places
        survey = Survey(
            layout, reader, symbols, scale=scale, places=places, frame=frame, tints=lambda: self._find_tints
        )
        size = wide + 2 * bleed, high + 2 * bleed
        # wherever counters may lie, so that no tile is drawn anew as one moves; from afar counters are larger than
        # hexes
        apart = layout.names if scale.letters < _AFAR else ()
        taken = [_find_stack_box(*layout.centre(name)) for name in apart if scale is FULL]
        wish = MapWish(
            regions=False,
            numbers=named,
            names=named,
            counters=apart,
            taken=taken,
            rivers=self._draw_rivers if named else None,
        )
        return survey, map_layers(survey, size, PAPER, wish)

    @cached_property
    def _draw_rivers(self) -> Mapping[str, Sequence[str]]:
        """The hexsides of each river of the board by its name, in the order in which its chains are written."""
        sides: dict[str, dict[str, None]] = {}
        barrier = self.game.file.picture.barrier
        for chain in self.board.chains:
            if chain.name and chain.along and any(track == barrier for track, _ in chain.facts):
                sides.setdefault(chain.name, {}).update(dict.fromkeys(chain.path))
        return {name: tuple(path) for name, path in sides.items()}

    @cached_property
    def _find_tints(self) -> Mapping[str, str] | None:
        """The tints of the countries of a drawn board: worked out once, until what is stated changes them."""
        picture = self.game.file.picture
        stated = [subject for track, subject in self._facts if track == picture.border]
        sides = [*self.board.known(picture.border)[:1], *stated]
        hexes = [name for name in dict.fromkeys("|".join(sides).split("|")) if name in self.field.centres]
        if not self.board.name or not hexes:
            return None
        of_countries = [(key, fact.value) for key, fact in self._facts.items() if self._parts_countries(key, fact)]
        key = _hash(self.game.id, self.board.name, of_countries)
        return self._pictures.tints.get(key, lambda: Survey(Layout(self.board, hexes), self.look, self._symbols).tints)

    def _parts_countries(self, key: FactKey, fact: Fact) -> bool:
        """Return whether a fact tells where countries lie: a border, a country, or water, be it stated or drawn."""
        picture = self.game.file.picture
        if key[0] == picture.terrain:
            drawn = self.board.fact(*key)
            return is_water(str(fact.value)) or (drawn is not None and is_water(str(drawn.value)))
        return key[0] in (picture.border, picture.country)


def _find_stack_box(x: float, y: float) -> PageBox:
    """Return where a stack lies in a hex with this middle."""
    half = COUNTER / 2 - _TOUCH
    return PageBox(x - half, y - half, x + half, y + half + _BELOW)


def _clip_to_frame(survey: Survey, layer: Layer) -> Layer:
    """Return the texts of a layer that stand in the tile: others belong to the next one."""
    inside = (text for text in layer.shapes if isinstance(text, Text) and survey.holds((text.x, text.y)))
    return Layer(layer.name, tuple(inside))
