"""The land of a board: the hexes on the map and those of sea, the positions of places, and the terrain of every hex."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from math import dist, exp
from typing import NamedTuple

import msgspec

from assistant.game.hexes import HexGrid
from assistant.state.state import hexside
from assistant.util.errors import Where, located

from .areas import Area
from .fitting import Fit, Ground, fit_map, shift_to
from .lines import Point, resample, simplify
from .mesh import Mesh, Side, everywhere
from .settings import Position, Settings, Terrain
from .tables import Tables

_PLACES = Where("places.csv")
#: The minimum share of sea in a hex of sea.
_MIN_SEA_SHARE = 0.5
#: The minimum share of water on a hexside between two hexes of land that is sea or lake.
_MIN_WATER_SHARE = 0.6
#: The minimum share of sea in a hex that is too wet for a place whose hex is not known.
_MIN_SHARE_TOO_WET = 0.65
_SPIT_STEP_HEXES = 0.1
#: The minimum length of narrow land in a hex that counts as land.
_MIN_SPIT_HEXES = 0.3
#: The maximum distance of a lake's centre from that of a lake in the settings, for it to be the same lake.
_MAX_LAKE_DISTANCE_DEGREES = 0.04
#: The maximum distance of a lake's shape from its shore.
_SHAPE_TOLERANCE_HEXES = 0.02
#: The distance from the centre of a hex at which a cell of heights weighs a third.
_CELL_REACH_HEXES = 0.45
#: The minimum total weight of the cells of a hex.
_MIN_CELL_WEIGHT = 0.3
#: The minimum number of neighbours with hills that make a flat hex rough, in a first and a second round.
_MIN_HILLS_AROUND = (5, 6)


class LakeShape(NamedTuple):
    """A lake with its shore on the board."""

    name: str
    shore: tuple[Point, ...]


class Land:
    """The land by a game's tables. Each layer is made when it is first asked for."""

    def __init__(self, tables: Tables, grid: HexGrid) -> None:
        self.tables = tables
        self.settings = settings = tables.settings
        columns, rows = settings.columns or grid.columns, settings.rows or grid.rows
        self.grid = msgspec.structs.replace(grid, columns=columns, rows=rows)

    @cached_property
    def fit(self) -> Fit:
        with located(_PLACES):
            settings = self.settings
            return fit_map(
                self.grid,
                settings.centre,
                self.tables.base,
                similarity=settings.similarity,
                kilometres=settings.kilometres,
            )

    @cached_property
    def ground(self) -> Ground:
        """The fit, with every known place inside its hex."""
        with located(_PLACES):
            return shift_to(self.grid, self.fit, self.tables.known, self.settings.shifts)

    def placed(self, points: Iterable[Position]) -> list[Point]:
        return [self.ground.place(*point) for point in points]

    @cached_property
    def mesh(self) -> Mesh:
        west = sorted(self.settings.west)
        hexes = set()
        for name in everywhere(self.grid):
            hex = self.grid.parse(name)
            columns = [column for row, column in west if row <= hex.row]
            if not columns or hex.column <= columns[-1]:
                hexes.add(name)
        return Mesh(self.grid, frozenset(hexes))

    # --- places -----------------------------------------------------------------------------------------------------

    @cached_property
    def town_hexes(self) -> Mapping[str, str]:
        """The hex of each place on the map: the known one, or else that of its position or the nearest on the shore."""
        hexes = {}
        for town in self.tables.towns.values():
            if town.name in self.settings.off:
                continue
            hex = town.hex or (self._find_shore(self.ground.place(*town.position)) if town.position else None)
            if hex:
                with located(_PLACES):
                    hexes[town.name] = self.grid.name(self.grid.parse(hex))
        return hexes

    def _find_shore(self, point: Point) -> str | None:
        """Return the hex in which a place falls; if it is mostly sea, the adjacent hex of land whose centre is nearest."""
        hex = self.mesh.hex_at(point)
        if hex is None or self._measure_sea(hex) < _MIN_SHARE_TOO_WET:
            return hex
        dry = [other for other in self.mesh.neighbours[hex] if self._measure_sea(other) < _MIN_SEA_SHARE]
        return min(dry, key=lambda other: (dist(point, self.mesh.centre(other)), other), default=hex)

    def _measure_sea(self, hex: str) -> float:
        area = self._shores[self.settings.words.sea_side]
        return area.share(list(self.mesh.points(hex, 3)))

    @cached_property
    def positions(self) -> Mapping[str, tuple[Point, str]]:
        points = {}
        for name, hex in self.town_hexes.items():
            position = self.tables.towns[name].position
            points[name] = (self.ground.place(*position) if position else self.mesh.centre(hex), hex)
        return points

    def station(self, at: str | Position) -> tuple[str, Point]:
        """Return the hex and the position of a place, a hex number or a position; the hex is "" if it is off the map."""
        if not isinstance(at, str):
            point = self.ground.place(*at)
            return self.mesh.hex_at(point) or "", point
        if at in self.positions:
            point, hex = self.positions[at]
            return hex, point
        town = self.tables.towns.get(at)
        if town and town.position:
            return "", self.ground.place(*town.position)
        hex = self.grid.name(self.grid.parse(town.hex if town else at))
        return hex, self.mesh.centre(hex)

    # --- sea and lakes ----------------------------------------------------------------------------------------------

    @cached_property
    def _rings(self) -> Mapping[str, list[tuple[Point, ...]]]:
        """The shores of the sea and of the lakes of 1914 as closed lines, by the word of their hexsides."""
        words = self.settings.words
        rings: dict[str, list[tuple[Point, ...]]] = {words.sea_side: [], words.lake: []}
        for kind, points in self.tables.data("shores.csv"):
            middle = sum(south for south, _ in points) / len(points), sum(east for _, east in points) / len(points)
            if kind != "lake" or _is_among(middle, self.settings.wide):
                rings[words.sea_side].append(tuple(self.placed(points)))
            elif not _is_among(middle, self.tables.younger):
                rings[words.lake].append(tuple(self.placed(points)))
        return rings

    @cached_property
    def _shores(self) -> Mapping[str, Area]:
        """The sea and the lakes as areas, by the word of their hexsides, except lakes laid along hexsides."""
        lake = self.settings.words.lake
        on_lakes = [point for course in self.tables.courses("lakes.csv") for point in self.placed(course.points)]
        rings_of = {
            word: [ring for ring in rings if word != lake or not any(map(Area((ring,)).holds, on_lakes))]
            for word, rings in self._rings.items()
        }
        return {word: Area(tuple(rings)) for word, rings in rings_of.items()}

    def lake_shapes(self, sides: Collection[str]) -> list[LakeShape]:
        """Return the shapes of the lakes on these hexsides, or with a waypoint in the table of lakes."""
        named = [
            (point, course.name)
            for course in self.tables.courses("lakes.csv")
            for point in resample(self.placed(course.points), _SPIT_STEP_HEXES)
        ]
        middles = [self.mesh.middle(side) for side in self.mesh.sides if hexside(side.left, side.right) in sides]
        shapes = []
        for ring in self._rings[self.settings.words.lake]:
            if not any(map(self.mesh.hex_at, ring)):
                continue
            area, near = Area((ring,)), (min(x for x, _ in ring) - 1, max(x for x, _ in ring) + 1)
            names = [name for point, name in named if near[0] < point[0] < near[1] and area.holds(point)]
            if names or any(near[0] < point[0] < near[1] and area.holds(point) for point in middles):
                name = max(names, key=names.count, default="")
                shapes.append(LakeShape(name, tuple(simplify(ring, _SHAPE_TOLERANCE_HEXES))))
        return shapes

    @cached_property
    def sea(self) -> frozenset[str]:
        """The hexes of sea, except those with a drawn place, on narrow land, or treated as land by a rule."""
        sizes = self.settings.words.sizes
        towns = (hex for name, hex in self.town_hexes.items() if self.tables.towns[name].size in sizes)
        land = {*towns, *self.settings.land, *self._spits}
        return frozenset(
            name for name in self.mesh.hexes if name not in land and self._measure_sea(name) >= _MIN_SEA_SHARE
        )

    @cached_property
    def _spits(self) -> Mapping[str, set[str]]:
        """The hexes of narrow land in the sea, each with the ones on which it goes on."""
        spits: dict[str, set[str]] = {}
        for course in self.tables.courses("land.csv"):
            held = [
                name for name in map(self.mesh.hex_at, resample(self.placed(course.points), _SPIT_STEP_HEXES)) if name
            ]
            chain = [name for name in dict.fromkeys(held) if held.count(name) * _SPIT_STEP_HEXES >= _MIN_SPIT_HEXES]
            for here, there in pairwise(chain):
                spits.setdefault(here, set()).add(there)
                spits.setdefault(there, set()).add(here)
        return spits

    @cached_property
    def shore_sides(self) -> dict[str, str]:
        """The hexsides between hexes of land that are mostly in the sea or a lake, and those named by rules."""
        words, word_of = self.settings.words, {}
        for side in self.mesh.sides:
            if side.left > side.right or {side.left, side.right} & self.sea:
                continue
            if side.right in self._spits.get(side.left, ()):
                continue
            (x1, y1), (x2, y2) = self.mesh.at(side.start), self.mesh.at(side.end)
            line = [(x1 + (x2 - x1) * step / 8, y1 + (y2 - y1) * step / 8) for step in range(1, 8)]
            for word, area in self._shores.items():
                if area.share(line) >= _MIN_WATER_SHARE and (word != words.sea_side or self._is_strait(side)):
                    word_of[hexside(side.left, side.right)] = word
        for word, sides in self.settings.sides.items():
            word_of |= dict.fromkeys(sides, word)
        return {name: word for name, word in word_of.items() if word != words.open}

    def _is_strait(self, side: Side) -> bool:
        return all(
            {hex for other in self.mesh.onward[corner] for hex in (other.left, other.right)} & self.sea
            for corner in (side.start, side.end)
        )

    # --- terrain ----------------------------------------------------------------------------------------------------

    @cached_property
    def terrain(self) -> Mapping[str, str]:
        """The terrain of every hex: heights over regions, the sea over both; towns in wetlands stand on dry ground."""
        words = self.settings.words.terrain
        towns = {
            hex
            for name, hex in self.town_hexes.items()
            if self.tables.towns[name].size in self.settings.words.sizes[-2:]
        }
        fine, coarse = self._measure_relief("heights.txt"), self._measure_relief("rises.txt")
        words_of = {}
        for name, (kind, certainty) in self._regions.items():
            if name in self.sea:
                words_of[name] = words.sea
            elif name in self.settings.clear or (kind == words.wet and name in towns):
                words_of[name] = words.flat
            elif kind == words.wet and certainty == "high":
                words_of[name] = kind
            elif name in fine:
                words_of[name] = by_height(kind, *fine[name], self.settings)
            elif name in coarse:
                words_of[name] = by_rise(kind, coarse[name][1], self.settings)
            else:
                words_of[name] = kind
        for hills in _MIN_HILLS_AROUND:
            words_of = self._even_out(words_of, hills)
        return words_of

    @cached_property
    def _regions(self) -> Mapping[str, tuple[str, str]]:
        """The kind of the region that covers most of each hex, or flat, with the certainty of the region."""
        words, regions = self.settings.words.terrain, self.tables.regions("regions.csv")
        areas = [
            (region, Area((tuple(self.placed(region.points)),)))
            for kind in words.over
            for region in regions
            if region.kind == kind
        ]
        kinds = dict.fromkeys(self.mesh.hexes, (words.flat, ""))
        for name in self.mesh.hexes:
            points = list(self.mesh.points(name, 1))
            for region, area in areas:
                if area.share(points) > 0.5:
                    kinds[name] = region.kind, region.certainty
        return kinds

    def _even_out(self, terrain: Mapping[str, str], min_hills: int) -> dict[str, str]:
        """Return terrain without features too small for the data to be right.

        These are a single rough hex on flat ground, and a flat hex without a town next to `min_hills` or more hexes of
        hills.
        """
        words = self.settings.words.terrain
        hills = (words.rough, words.mountain, words.high)
        flat = {*self.town_hexes.values(), *self.settings.clear}
        evened = dict(terrain)
        for name, kind in terrain.items():
            around = sum(terrain[other] in hills for other in self.mesh.neighbours[name])
            if kind == words.rough and not around:
                evened[name] = words.flat
            elif kind == words.flat and around >= min_hills and name not in flat:
                evened[name] = words.rough
        return evened

    def _measure_relief(self, file: str) -> Mapping[str, tuple[float, float]]:
        """Return the mean height and the relief of hexes in metres; nearer cells of the table weigh more."""
        sums: dict[str, tuple[float, float, float]] = {}
        for position, mean, relief in self.tables.heights(file):
            point = self.ground.place(*position)
            here = self.mesh.hex_at(point)
            for name in (here, *self.mesh.neighbours[here]) if here else ():
                weight = exp(-((dist(point, self.mesh.centre(name)) / _CELL_REACH_HEXES) ** 2))
                total, heights, reliefs = sums.get(name, (0.0, 0.0, 0.0))
                sums[name] = total + weight, heights + weight * mean, reliefs + weight * relief
        return {
            name: (heights / total, reliefs / total)
            for name, (total, heights, reliefs) in sums.items()
            if total >= _MIN_CELL_WEIGHT
        }


def _is_among(lake: Position, lakes: Iterable[Position]) -> bool:
    """Return whether a lake is one of `lakes`, each given by the mean of the points on its shore."""
    return any(dist(lake, other) < _MAX_LAKE_DISTANCE_DEGREES for other in lakes)


def by_height(kind: str, mean: float, relief: float, settings: Settings) -> str:
    """Return the terrain of a hex by its mean height and relief in metres, or else by `kind`, that of its region."""
    words = settings.words.terrain
    for word, (height, steep) in ((words.high, settings.high_mountain), (words.mountain, settings.mountain)):
        if mean >= height and relief >= steep:
            return word
    return by_relief(kind, relief, settings.rough, words)


def by_rise(kind: str, rise: float, settings: Settings) -> str:
    """Return the terrain of a hex if only its height above the ground around it is known, in metres."""
    words = settings.words.terrain
    return (
        words.flat
        if kind == words.wet and settings.dry <= rise < settings.rise
        else by_relief(kind, rise, settings.rise, words)
    )


def by_relief(kind: str, relief: float, rough: int, words: Terrain) -> str:
    """Return the terrain of a hex by its relief: rough from `rough` metres on, or half of that in a rough region."""
    if relief >= (rough / 2 if kind == words.rough else rough) and kind in (words.flat, words.wet, words.rough):
        return words.rough
    return words.flat if kind == words.rough else kind
