"""A board in tiles: its hexes, their positions, and each tile as SVG, drawn on request and then cached."""

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
from ...drawing.map.board_names import river_hexsides, wish_under_counters
from ...drawing.map.layers import MapLayers, map_layers
from ...drawing.map.own_art import measure_art, part_of_art
from ...drawing.map.survey import FULL_SCALE, Scale, Survey, SurveyReader
from ...drawing.palettes import is_water
from ...drawing.scene import Layer, Point, Scene, Text
from ...drawing.situation import named_places
from ...drawing.style import HEX_MM, PAPER, RADIUS
from ...drawing.svg import to_svg
from ...drawing.symbols import Symbols
from ...game.boards import Board
from ...game.games import Game
from ...game.hexes import Hex
from ...state.state import FactKey
from ...state.tracks import Fact
from ...util.memo import Memo

T = TypeVar("T")
_NAME_TRACK = "named"
"""The track of the names of places."""
_DRAWN_MARGIN_MM = 1.5 * HEX_MM
"""The distance beyond its box up to which a tile draws hexes, so that lines continue in the next tile."""
_MIN_LETTER_SCALE_OVER_COUNTERS = 2.0
"""The minimum enlargement of letters at which names may overlap counters, which are larger than hexes then."""
_RINGS_AROUND = 2
"""The number of rings of hexes drawn around the shown ones, without a drawn board."""


class ZoomLevel(NamedTuple):
    """A size in which a board is drawn."""

    least: int
    """The minimum height of a hex on the screen, in pixels, for which this size is used."""
    hexes: int
    """The number of hexes along the edge of a tile."""
    scale: Scale
    """The scale of letters and lines."""
    bleed: float
    """The distance by which the names of a tile may extend beyond its box."""


def _make_distant_level(least: int, pixels: float, hexes: int) -> ZoomLevel:
    scale = Scale(max(26.0 / pixels, 1.0), 56.0 / pixels)
    return ZoomLevel(least, hexes, scale, HEX_MM * scale.letters)


LEVELS = (
    ZoomLevel(52, 10, FULL_SCALE, HEX_MM),
    _make_distant_level(24, 32.0, 12),
    _make_distant_level(10, 14.0, 20),
    _make_distant_level(0, 6.0, 30),
)
"""The sizes in which boards are drawn, the largest first."""

_FIELDS: Memo[str, TiledHexes] = Memo()
"""The hexes of each drawn board of a game, by the name of the board."""


class Recent(Generic[T]):
    """A cache of the values used last, by key.

    `max_kept`: the maximum number of values.
    """

    def __init__(self, max_kept: int) -> None:
        self._max_kept = max_kept
        self._values = dict[str, T]()

    def get(self, key: str, make: Callable[[], T]) -> T:
        value = self._values.pop(key, None)
        if value is None:
            value = make()
        self._values[key] = value  # at the end, because it is the value used last
        for old in list(self._values)[: -self._max_kept]:
            del self._values[old]
        return value


class Tile(NamedTuple):
    """A tile as SVG."""

    ground: str
    """The map, of which only the part in the box of the tile is shown."""
    names: str
    """The names and numbers over the ground, which may extend into the next tiles."""


class Pictures:
    """A cache of the last pictures of boards, and their tiles, for one or several tables."""

    def __init__(self) -> None:
        self._fields = Recent[TiledHexes](4)
        self._boards = Recent[BoardPicture](3)
        self.tints = Recent[Mapping[str, str]](3)
        self.tiles = Recent[Tile](64)

    def of(self, view: View, hexes: Collection[str]) -> BoardPicture:
        """Return the picture of the board of a position.

        `hexes`: the hexes to show; without a drawn board, only these and the ones around them are shown.
        """
        board = view.board
        facts = _find_drawn_facts(view)
        around = () if board.name else tuple(sorted(_find_around(board, hexes)))
        key = _hash(view.game.id, board.name, around)

        def lay() -> TiledHexes:
            return _lay_field(key, view.game, board, around)

        field = view.game.memo(_FIELDS, board.name, lay) if board.name else self._fields.get(key, lay)
        return self._boards.get(_hash(key, facts), lambda: BoardPicture(view.quiet_view(), facts, field, self))


def _lay_field(key: str, game: Game, board: Board, around: tuple[str, ...]) -> TiledHexes:
    """Return the drawn hexes: all of the board's map, or `around` if no board is drawn.

    `key`: the key of these hexes.
    """
    if board.is_of_areas and board.picture:
        return TiledHexes(key, board, tuple(board.picture.places), measure_art(game.folder, board.name, board.picture))
    return TiledHexes(key, board, around or tuple(board_hexes(board)))


def _find_around(board: Board, hexes: Collection[str]) -> set[str]:
    field = {name for name in hexes if board.is_hex(name)} or {board.grid.name(board.grid.middle)}
    for _ in range(_RINGS_AROUND):
        field = hexes_around(board, field)
    return field


def _find_drawn_facts(view: View) -> Mapping[FactKey, Fact]:
    """Return the facts of the position and the owner's pack that the map shows."""
    picture = view.game.file.picture
    drawn = {picture.terrain, picture.barrier, picture.rail, picture.road, picture.gauge}
    drawn |= {picture.border, picture.country, picture.crossing, picture.causeway, picture.town, _NAME_TRACK}
    known = {**view.board.facts.over, **view.stated}
    return {key: fact for key, fact in known.items() if key[0] in drawn}


def _hash(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=9).hexdigest()


class TiledHexes:
    """The drawn hexes of a board, or the places of a map of areas, with their positions and tiles.

    `key`: the key of these hexes.
    `whole`: the width and height of the picture of a map of areas.
    """

    def __init__(self, key: str, board: Board, hexes: tuple[str, ...], whole: tuple[float, float] = (0.0, 0.0)) -> None:
        self.key = key
        self.whole = whole
        self.board = board
        self.hexes = hexes
        self.flat = board.grid.orientation == "flat"
        grid = board.grid
        ends = [grid.centre(Hex(column, row)) for column in grid.columns for row in grid.rows]
        # the first hex lies so that the edges of tiles run between the centres of hexes
        along = 2.25 * RADIUS
        across = 1.25 * HEX_MM
        x, y = (along, across) if self.flat else (across, along)
        if board.is_of_areas:
            ends, x, y = [(0.0, 0.0)], 0.0, 0.0
        self._shift = x - min(x for x, _ in ends) * HEX_MM, y - min(y for _, y in ends) * HEX_MM
        self.centres = {name: self.centre(name) for name in hexes}

    @cached_property
    def rounded_centres(self) -> tuple[tuple[str, float, float], ...]:
        return tuple((name, round(x, 1), round(y, 1)) for name, (x, y) in self.centres.items())

    def centre(self, name: str) -> Point:
        return self.centre_of(self.board.centre(name))

    def centre_of(self, point: Point) -> Point:
        return point[0] * HEX_MM + self._shift[0], point[1] * HEX_MM + self._shift[1]

    def size(self, level: int) -> tuple[float, float]:
        hexes = LEVELS[level].hexes
        along = 1.5 * RADIUS * hexes
        across = HEX_MM * hexes
        return (along, across) if self.flat else (across, along)

    @cached_property
    def tiles(self) -> tuple[Mapping[tuple[int, int], list[str]], ...]:
        """The hexes of each tile by column and row, level by level."""
        tiles_by_level: list[dict[tuple[int, int], list[str]]] = [{} for _ in LEVELS]
        for level, tiles in enumerate(tiles_by_level):
            if self.board.is_of_areas:
                columns, rows = (ceil(length / step) for length, step in zip(self.whole, self.size(level), strict=True))
                tiles.update({(column, row): [] for column in range(columns) for row in range(rows)})
                continue
            width, height = self.size(level)
            for name, (x, y) in self.centres.items():
                left, right = floor((x - RADIUS) / width), floor((x + RADIUS) / width)
                top, bottom = floor((y - RADIUS) / height), floor((y + RADIUS) / height)
                for column in range(left, right + 1):
                    for row in range(top, bottom + 1):
                        tiles.setdefault((column, row), []).append(name)
        return tuple(tiles_by_level)

    def within(self, level: int, point: Point, distance: float) -> set[tuple[int, int]]:
        """Return the tiles, by column and row, that a square around a point touches.

        `distance`: half the side of the square, less than that of a tile.
        """
        x, y = point
        width, height = self.size(level)
        columns = {floor((x - distance) / width), floor((x + distance) / width)}
        rows = {floor((y - distance) / height), floor((y + distance) / height)}
        return {(column, row) for column in columns for row in rows}

    def near(self, box: PageBox) -> list[str]:
        left, top, right, bottom = box
        return [name for name, (x, y) in self.centres.items() if left <= x < right and top <= y < bottom]


class BoardPicture:
    """The picture of a board.

    `facts`: the facts in the picture, other than those of the board itself.
    """

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
        return tuple(dict(self._find_tiles(level)) for level in range(len(LEVELS)))

    def _find_tiles(self, level: int) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield each tile, by column and row, with a key: a digest of its possible contents."""
        facts_by_tile: dict[tuple[int, int], list[object]] = {}
        for (track, subject), fact in self._facts.items():
            centres = [self.field.centre(name) for name in subject.split("|") if self.board.shows(name)]
            for tile in {
                tile for centre in centres for tile in self.field.within(level, centre, _DRAWN_MARGIN_MM + 2 * HEX_MM)
            }:
                facts_by_tile.setdefault(tile, []).append((track, subject, fact.value))
        for tile, names in self.field.tiles[level].items():
            field = () if self.board.name else names
            facts = facts_by_tile.get(tile, ())
            yield tile, _hash(self.game.id, self.board.name, level, tile, field, facts, self._country_facts)

    def draw(self, level: int, column: int, row: int) -> Tile | None:
        key = self.tiles[level].get((column, row)) if 0 <= level < len(LEVELS) else None
        return None if key is None else self._pictures.tiles.get(key, lambda: self._draw(level, column, row))

    def _draw(self, level: int, column: int, row: int) -> Tile:
        _, _, scale, bleed = LEVELS[level]
        tile_width, tile_height = self.field.size(level)
        left = column * tile_width
        top = row * tile_height
        width = tile_width + 2 * bleed
        height = tile_height + 2 * bleed
        if self.board.picture is not None and self.board.is_of_areas:
            box = PageBox(left - bleed, top - bleed, left + tile_width + bleed, top + tile_height + bleed)
            art = part_of_art(self.game.folder, self.board.name, self.board.picture, box)
            scene = Scene(width=width, height=height, title="", layers=(art,))
            return Tile(to_svg(scene), to_svg(msgspec.structs.replace(scene, layers=())))
        survey, drawn = self.draw_box(PageBox(left, top, left + tile_width, top + tile_height), scale, bleed)
        written = [_clip_to_frame(survey, layer) if layer.name == "numbers" else layer for layer in drawn.written]

        def svg(*layers: Layer) -> str:
            return to_svg(Scene(width=width, height=height, title="", layers=layers))

        return Tile(svg(*drawn.ground, *drawn.ways), svg(*written))

    def draw_box(
        self, box: PageBox, scale: Scale = FULL_SCALE, bleed: float = 0, *, named: bool = True
    ) -> tuple[Survey, MapLayers]:
        """Return the layers of the board in a box, moved so that the box begins at `bleed`.

        `bleed`: the distance by which the picture extends beyond the box.
        `named`: whether to draw the numbers of hexes and the names of towns and waters.
        """
        left, top, right, bottom = box
        names = self.field.near(
            PageBox(
                left - _DRAWN_MARGIN_MM, top - _DRAWN_MARGIN_MM, right + _DRAWN_MARGIN_MM, bottom + _DRAWN_MARGIN_MM
            )
        )
        unmoved = Layout(self.board, names)
        x, y = self.field.centres[names[0]]
        unmoved_x, unmoved_y = unmoved.centre(names[0])
        layout = Layout(self.board, names, (x - left + bleed - unmoved_x, y - top + bleed - unmoved_y))
        width = right - left
        height = bottom - top
        frame = PageBox(bleed, bleed, bleed + width, bleed + height)
        survey = Survey(
            layout,
            self.look,
            self._symbols,
            scale=scale,
            places=self._places,
            frame=frame,
            tints=lambda: self._country_tints,
        )
        size = width + 2 * bleed, height + 2 * bleed
        # names keep clear of every hex where a counter may lie, so that no tile is drawn again when a unit moves
        wish = wish_under_counters(survey, self._river_hexsides)
        if scale is not FULL_SCALE:
            counters = layout.names if scale.letters < _MIN_LETTER_SCALE_OVER_COUNTERS else ()
            wish = wish._replace(counters=counters, taken=())
        if not named:
            wish = wish._replace(numbers=False, names=False, rivers=None)
        return survey, map_layers(survey, size, PAPER, wish)

    @cached_property
    def _river_hexsides(self) -> Mapping[str, Sequence[str]]:
        return river_hexsides(self.board, self.game.file.picture.barrier)

    @cached_property
    def _country_tints(self) -> Mapping[str, str] | None:
        """The tints of the countries by hex, or None without borders, cached until facts about countries change."""
        picture = self.game.file.picture
        stated = [subject for track, subject in self._facts if track == picture.border]
        sides = [*self.board.known(picture.border)[:1], *stated]
        hexes = [name for name in dict.fromkeys("|".join(sides).split("|")) if name in self.field.centres]
        if not self.board.name or not hexes:
            return None
        key = _hash(self.game.id, self.board.name, self._country_facts)
        return self._pictures.tints.get(key, lambda: Survey(Layout(self.board, hexes), self.look, self._symbols).tints)

    @cached_property
    def _country_facts(self) -> list[tuple[FactKey, object]]:
        """The facts that shape countries, and so may change the tint of any tile."""
        return [(key, fact.value) for key, fact in self._facts.items() if self._shapes_countries(key, fact)]

    def _shapes_countries(self, key: FactKey, fact: Fact) -> bool:
        """Return whether a fact is about a border or country, or changes land to water or water to land."""
        picture = self.game.file.picture
        if key[0] == picture.terrain:
            drawn = self.board.fact(*key)
            return is_water(str(fact.value)) or (drawn is not None and is_water(str(drawn.value)))
        return key[0] in (picture.border, picture.country)


def _clip_to_frame(survey: Survey, layer: Layer) -> Layer:
    """Return the texts of a layer that are in the tile, as the others belong to the next one."""
    inside = (text for text in layer.shapes if isinstance(text, Text) and survey.holds((text.x, text.y)))
    return Layer(layer.name, tuple(inside))
