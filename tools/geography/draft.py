"""A board drawn from a game's geography, layer by layer, each based on the ones before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import dist, exp
from typing import NamedTuple

import msgspec

from assistant.game.hexes import Corner, HexGrid
from assistant.state.state import hexside

from .land import LakeShape, Land
from .lines import Point, on_line, resample
from .mesh import Side
from .network import Network
from .rivers import LaidRiver, Layout, rivers
from .settings import Hands
from .snapping import Banks, Guide, corners, snap
from .tables import Course, Tables, Town, how_known
from .ways import Stretch, find_exits, ways

_SAVING_ALONG_WATER_HEXES = 0.1
"""The saving of a border for each hexside of water that it follows."""
_MAX_GAP_HEXES = 0.05
"""The maximum gap between two pieces of one border."""
_JOINING_DISTANCE_HEXES = 0.7
"""The distance from an earlier border within which a border may join it."""
_MISSED_DISTANCE_HEXES = 0.95
"""The distance from its walks beyond which a border counts as missed."""
_MAX_POINTS_IGNORED = 8
"""The maximum number of points, at steps of half a hex, of a missed part of a border that is ignored."""
_LAKE_STEP_HEXES = 0.1
_SHORE_REACH_HEXES = 0.6
"""The distance at which the shift of a lake's course has fallen to a third."""


class Border(NamedTuple):
    """A border, or a part of it on the map."""

    name: str
    words: str
    known: str
    walk: tuple[Side, ...]


class Draft:
    """A board drawn from tables. Each layer is made when it is first asked for."""

    def __init__(self, tables: Tables, grid: HexGrid) -> None:
        self.tables = tables
        self.settings = tables.settings
        self.land = Land(tables, grid)

    # --- water --------------------------------------------------------------------------------------------------------

    @cached_property
    def rivers(self) -> Mapping[str, LaidRiver]:
        return self._lay_rivers("rivers.csv", self.settings.words.rivers, self.settings.leaving)

    @cached_property
    def lakes(self) -> Mapping[str, LaidRiver]:
        return self._lay_rivers("lakes.csv", (self.settings.words.lake,))

    @cached_property
    def _network(self) -> Network:
        return Network(tuple(tuple(self.land.placed(points)) for _, points in self.tables.data("courses.csv")))

    def _lay_rivers(
        self, file: str, ranks: Sequence[str], leaving: Sequence[str] | None = None
    ) -> Mapping[str, LaidRiver]:
        land = self.land
        courses = rivers(self.tables.courses(file), land.ground, self._network, ranks)
        layout = Layout(land.mesh, land.positions, land.sea, leaving)
        on_map = [river for river in courses if any(land.mesh.hex_at(point) for point in river.line)]
        layout.lay(on_map, {name: frozenset(hexes) for name, hexes in self.settings.touching.items()})
        return layout.laid

    @cached_property
    def water(self) -> dict[str, str]:
        """The words of the hexsides with a river, a lake or the sea.

        A river keeps its course through a lake that is no longer than a hexside.
        """
        lake, sides = self.settings.words.lake, self.settings.sides
        shore_words = self.land.shore_sides
        words = {side: word for side, word in shore_words.items() if word == lake}
        for laid in (*self.rivers.values(), *self.lakes.values()):
            for word, walk in laid.stretches:
                words |= {hexside(side.left, side.right): word for side in walk}
        named = {side for word in sides for side in sides[word]}
        words |= {side: word for side, word in shore_words.items() if side in named or word != lake}
        open_sides = {side for side in sides.get(self.settings.words.open, ()) if words.get(side) == lake}
        return {side: word for side, word in words.items() if side not in open_sides}

    @cached_property
    def lake_shapes(self) -> list[LakeShape]:
        """The shapes of the lakes on hexsides, shifted with their courses to these hexsides."""
        lake, mesh = self.settings.words.lake, self.land.mesh
        moves: list[tuple[Point, Point]] = []
        for laid in self.lakes.values():
            walk = [mesh.at(corner) for corner in corners(laid.walk)]
            for x, y in resample(laid.river.line, _LAKE_STEP_HEXES):
                nearest_x, nearest_y = on_line((x, y), walk)
                moves.append(((x, y), (nearest_x - x, nearest_y - y)))
        shapes = self.land.lake_shapes({side for side, word in self.water.items() if word == lake})
        return [LakeShape(shape.name, tuple(_move(point, moves) for point in shape.shore)) for shape in shapes]

    # --- borders ------------------------------------------------------------------------------------------------------

    @cached_property
    def borders(self) -> list[Border]:
        """The borders on hexsides. They follow a river nearby, and end where they meet an earlier border."""
        merged: dict[str, tuple[Course, list[Point]]] = {}
        for course in self.tables.courses("borders.csv"):
            line = self.land.placed(course.points)
            if course.name in merged and dist(merged[course.name][1][-1], line[0]) < _MAX_GAP_HEXES:
                merged[course.name][1].extend(line[1:])
            else:
                merged.setdefault(course.name, (course, line))
        borders: list[Border] = []
        corners_used: set[Corner] = set()
        for name, (course, line) in merged.items():
            guide = self._make_guide(name)
            starts, ends = (
                frozenset(
                    corner
                    for corner in corners_used
                    if dist(self.land.mesh.at(corner), line[end]) <= _JOINING_DISTANCE_HEXES
                )
                for end in (0, -1)
            )
            guide = msgspec.structs.replace(guide, starts=starts, ends=ends)
            for walk in self._find_walks(line, guide):
                borders.append(Border(name, course.words, how_known(course.certainty), tuple(walk)))
                corners_used.update(corners(walk))
        return borders

    def _find_walks(self, line: Sequence[Point], guide: Guide) -> Iterator[list[Side]]:
        """Yield the walks along a border, and along long parts of it that ran just outside the edge of the map."""
        mesh = self.land.mesh
        walks = snap(mesh, line, guide)
        yield from walks
        middles = [mesh.middle(side) for walk in walks for side in walk]
        missed: list[Point] = []
        for point in [*resample(line, 0.5), None]:
            if (
                point
                and mesh.sides_near(point, _MISSED_DISTANCE_HEXES)
                and all(dist(point, middle) > _MISSED_DISTANCE_HEXES for middle in middles)
            ):
                missed.append(point)
            else:
                if len(missed) > _MAX_POINTS_IGNORED:
                    yield from snap(mesh, missed, guide)
                missed = []

    def _make_guide(self, name: str) -> Guide:
        """Return the guide of a border: it saves along water, and keeps to the side of places that the settings name."""
        hands = self.settings.hands.get(name, Hands())
        left, right = (
            {self.land.town_hexes[place] for place in places if place in self.land.town_hexes}
            for places in (hands.left, hands.right)
        )
        return Guide(
            banks=Banks(frozenset(left - right), frozenset(right - left)),
            price=lambda side: -_SAVING_ALONG_WATER_HEXES if hexside(side.left, side.right) in self.water else 0.0,
        )

    @cached_property
    def countries(self) -> Mapping[str, frozenset[str]]:
        """The countries of each hex: several if a border lacks a hexside, none for the sea."""
        parting = self.settings.words.parting
        walls = {
            hexside(side.left, side.right) for border in self.borders if border.words == parting for side in border.walk
        }
        mesh, sea = self.land.mesh, self.land.sea
        countries_of: dict[str, set[str]] = {}
        for country, seeds in self.settings.countries.items():
            todo = [hex for hex, _ in map(self.land.station, seeds) if hex]
            seen = set(todo)
            while todo:
                here = todo.pop()
                countries_of.setdefault(here, set()).add(country)
                for other in mesh.neighbours[here]:
                    if other not in seen and other not in sea and hexside(here, other) not in walls:
                        seen.add(other)
                        todo.append(other)
        return {name: frozenset(countries) for name, countries in countries_of.items()}

    @cached_property
    def edges(self) -> Mapping[str, list[str]]:
        """The hexes of land along the map's edge, by their country."""
        by_country: dict[str, list[str]] = {}
        for name in sorted(self.land.mesh.hexes - self.land.sea):
            if len(self.land.mesh.neighbours[name]) < 6 and len(self.countries.get(name, ())) == 1:
                by_country.setdefault(min(self.countries[name]), []).append(name)
        return by_country

    @cached_property
    def coasts(self) -> Mapping[str, frozenset[str]]:
        """The hexes of each sea and on its coast, by the words that the settings have for them."""
        mesh, sea = self.land.mesh, self.land.sea
        coasts = {}
        for words, seed in self.settings.seas.items():
            todo = [self.land.station(seed)[0]]
            seen = set(todo)
            while todo:
                here = todo.pop()
                around = {other for other in mesh.neighbours[here] if other not in seen}
                seen |= around
                todo += sorted(around & sea)
            coasts[words] = frozenset(seen)
        return coasts

    @cached_property
    def exits(self) -> frozenset[str]:
        """The hexes from which railways leave the map."""
        exits = find_exits(self.land, self.tables.routes("railways.csv"))
        return frozenset(hex for hex in exits if len(self.land.mesh.neighbours[hex]) < 6)

    @cached_property
    def ridges(self) -> list[list[Side]]:
        """The borders along crests, between two mountain hexes without a river or a pass."""
        terrain = self.settings.words.terrain
        passes = {self.land.town_hexes[name] for name in self.settings.passes if name in self.land.town_hexes}
        mountains = {name for name, kind in self.land.terrain.items() if kind in (terrain.mountain, terrain.high)}

        def is_ridge(side: Side) -> bool:
            both = {side.left, side.right}
            return both <= mountains and not both & passes and hexside(side.left, side.right) not in self.water

        crests = [border.walk for border in self.borders if border.name in self.settings.crests]
        return [part for walk in crests for part in runs(walk, is_ridge)]

    # --- railways, roads, places --------------------------------------------------------------------------------------

    @cached_property
    def railways(self) -> list[Stretch]:
        return ways(self.land, self.water, self.tables.routes("railways.csv"))

    @cached_property
    def roads(self) -> list[Stretch]:
        return ways(self.land, self.water, self.tables.routes("roads.csv"))

    @cached_property
    def places(self) -> list[tuple[str, Town]]:
        """The places with their hexes, one per hex: those in rules first, then the largest, then those on railways."""
        sizes = self.settings.words.sizes
        stations = {name for route in self.tables.routes("railways.csv") for name in route.stations}

        def rank(town: Town) -> tuple[bool, int, bool, str]:
            return not town.rule, -sizes.index(town.size), town.name not in stations, town.name

        by_hex: dict[str, Town] = {}
        for name, hex in self.land.town_hexes.items():
            town = self.tables.towns[name]
            if town.size in sizes and (hex not in by_hex or rank(town) < rank(by_hex[hex])):
                by_hex[hex] = town
        return sorted(by_hex.items(), key=lambda item: (item[1].name, item[0]))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each place on this board. A remark in brackets is left out unless it tells two places apart."""
        plain = {town.name: town.name.partition(" (")[0] for _, town in self.places}
        alike = Counter(plain.values())
        return {name: short if alike[short] == 1 else name for name, short in plain.items()}

    @cached_property
    def termini(self) -> frozenset[str]:
        """The hexes with a terminus and the end of exactly one railway."""
        links = {frozenset(pair) for stretch in self.railways for pair in pairwise(stretch.hexes)}
        ends = Counter(hex for link in links for hex in link)
        return frozenset(hex for hex, town in self.places if town.has_terminus and ends[hex] == 1)

    @cached_property
    def stations(self) -> list[str]:
        on_rails = {hex for stretch in self.railways for hex in stretch.hexes}
        return sorted(hex for hex, town in self.places if hex in on_rails and town.size)

    @cached_property
    def labels(self) -> list[tuple[str, str, list[str]]]:
        placed = []
        for label in self.tables.regions("labels.csv"):
            line = resample(self.land.placed(label.points), 0.5)
            hexes = list(dict.fromkeys(hex for hex in map(self.land.mesh.hex_at, line) if hex))
            if hexes and label.name not in self.settings.off:
                placed.append((label.name, label.kind, hexes))
        return placed


def _move(point: Point, moves: Sequence[tuple[Point, Point]]) -> Point:
    """Return a point of a shore moved with the course of its lake; the effect fades with the distance."""
    total = right = down = 0.0
    for start, (x, y) in moves:
        weight = exp(-((dist(point, start) / _SHORE_REACH_HEXES) ** 2))
        total, right, down = total + weight, right + weight * x, down + weight * y
    divisor = max(total, 1.0)
    return point[0] + right / divisor, point[1] + down / divisor


def runs(walk: Sequence[Side], holds: Callable[[Side], bool]) -> Iterator[list[Side]]:
    """Yield the longest runs of consecutive hexsides in a walk that pass a test."""
    part: list[Side] = []
    for side in walk:
        if holds(side):
            part.append(side)
        elif part:
            yield part
            part = []
    if part:
        yield part
