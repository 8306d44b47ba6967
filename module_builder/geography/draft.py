"""The board as it is drawn from a game's geography: layer by layer, each resting on those before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import dist
from typing import NamedTuple

from assistant.game.hexes import HexGrid
from assistant.state.state import hexside

from .areas import Area
from .fitting import Fit, Ground, fitted, shifted_to
from .lines import Point, resampled
from .links import chained
from .mesh import Mesh, Side, at, everywhere
from .network import Network
from .rivers import Laid, Layout, River, rivers
from .snapping import Guide, snapped
from .tables import Position, Route, Settings, Tables, Town

#: The words of rivers, the smallest first, and what a line pays to cross one.
RIVERS = ("minor-river", "major-river", "grand-river")
_CROSSED = {"minor-river": 0.15, "major-river": 0.4, "grand-river": 0.8, "lake": 6.0, "sea": 30.0}
#: Words of railways and roads, the stronger first: where two lines share a link, the stronger holds.
_STRONGER = ("rail2", "rail1", "primary-road", "secondary-road")
#: From which share of sea on a hex is sea, and a hexside between two hexes of land is sea or lake.
_SEA_HEX, _WATER_SIDE = 0.62, 0.6


#: The sizes of places, the smallest first.
SIZES = ("", "platform", "village", "town", "city")


class Stretch(NamedTuple):
    """A stretch of a railway or road of one kind, hex by hex. gauge: "" for a road."""

    name: str
    kind: str
    gauge: str
    hexes: list[str]


#: Kinds of regions, each over those before it; the fewest cells of heights that a hex needs.
_OVER = ("wetlands", "rough", "mountain", "high-mountain")
_LEAST_CELLS = 3


#: Points along narrow land, and how much of it a hex needs to be land, in hexes.
_SPIT_STEP, _LEAST_SPIT = 0.1, 0.3
#: How near the middle of a lake lies to the one of a table, in degrees.
_SAME_LAKE = 0.04


class Draft:
    """One board drawn from tables: each layer is made when it is first asked for."""

    def __init__(self, tables: Tables, grid: HexGrid) -> None:
        self.tables = tables
        self.grid = grid

    @cached_property
    def fit(self) -> Fit:
        """The fit to the places on which it rests."""
        return fitted(self.grid, self.tables.settings.centre, self.tables.base)

    @cached_property
    def ground(self) -> Ground:
        """The fit, with every known place inside its hex."""
        return shifted_to(self.grid, self.fit, self.tables.known, self.tables.settings.shifts)

    @cached_property
    def mesh(self) -> Mesh:
        """The hexes on the map."""
        west = sorted(self.tables.settings.west)
        kept = set()
        for name in everywhere(self.grid):
            hex = self.grid.parse(name)
            columns = [column for row, column in west if row <= hex.row]
            if not columns or hex.column <= columns[-1]:
                kept.add(name)
        return Mesh(self.grid, frozenset(kept))

    def _placed(self, points: Iterable[Position]) -> list[Point]:
        return [self.ground.place(*point) for point in points]

    # --- water and towns --------------------------------------------------------------------------------------------

    @cached_property
    def _shores(self) -> Mapping[str, Area]:
        rings: dict[str, list[tuple[Point, ...]]] = {"sea": [], "lake": []}
        for kind, points in self.tables.data("shores.csv"):
            middle = sum(south for south, _ in points) / len(points), sum(east for _, east in points) / len(points)
            if kind == "lake" and any(dist(middle, young) < _SAME_LAKE for young in self.tables.settings.younger):
                continue
            rings["sea" if kind in ("sea", "land") else "lake"].append(tuple(self._placed(points)))
        return {kind: Area(tuple(lines)) for kind, lines in rings.items()}

    @cached_property
    def town_hexes(self) -> Mapping[str, str]:
        """The hex of each town on the map: the known one, or where it falls, at the shore the nearest on land."""
        found = {}
        for town in self.tables.towns.values():
            if town.name in self.tables.settings.off:
                continue
            if town.hex:
                found[town.name] = self.grid.name(self.grid.parse(town.hex))
            elif town.position:
                hex = self.mesh.hex_at(self.ground.place(*town.position))
                if hex:
                    found[town.name] = hex
        return found

    @cached_property
    def sea(self) -> frozenset[str]:
        """The hexes of sea. A hex with a town in it is land."""
        land = set(self.town_hexes.values()) | self._land_by_rule
        area = self._shores["sea"]
        return frozenset(
            name
            for name in self.mesh.hexes
            if name not in land and name not in self._spits and area.share(list(self.mesh.points(name, 3))) >= _SEA_HEX
        )

    @cached_property
    def _land_by_rule(self) -> frozenset[str]:
        return frozenset(self.tables.settings.land)

    @cached_property
    def _spits(self) -> Mapping[str, set[str]]:
        """The hexes of narrow land in the sea, each with the ones on which it goes on."""
        found: dict[str, set[str]] = {}
        for course in self.tables.courses("land.csv"):
            line = resampled(self._placed(course.points), _SPIT_STEP)
            held = [name for name in map(self.mesh.hex_at, line) if name]
            chain = [name for name in dict.fromkeys(held) if held.count(name) * _SPIT_STEP >= _LEAST_SPIT]
            for here, there in pairwise(chain):
                found.setdefault(here, set()).add(there)
                found.setdefault(there, set()).add(here)
        return found

    @cached_property
    def positions(self) -> Mapping[str, tuple[Point, str]]:
        """Where towns on the map lie, with their hexes."""
        return {
            name: (self.ground.place(*town.position) if town.position else self.mesh.centre(hex), hex)
            for name, hex in self.town_hexes.items()
            for town in (self.tables.towns[name],)
        }

    @cached_property
    def terrain(self) -> Mapping[str, str]:
        """The terrain of every hex: heights over regions, the sea over both; places in wetlands stand on dry ground."""
        found = dict.fromkeys(self.mesh.hexes, "clear")
        heights = self._heights
        settled = set(self.town_hexes.values())
        areas = [
            (region.kind, Area((tuple(self._placed(region.points)),)))
            for kind in _OVER
            for region in self.tables.regions("regions.csv")
            if region.kind == kind
        ]
        for name in self.mesh.hexes:
            points = list(self.mesh.points(name, 1))
            for kind, area in areas:
                if area.share(points) > 0.5:
                    found[name] = kind
            if name in heights:
                found[name] = _by_height(found[name], *heights[name], self.tables.settings)
            if found[name] == "wetlands" and name in settled:
                found[name] = "clear"
            if name in self.sea:
                found[name] = "sea"
            elif name in self.tables.settings.clear:
                found[name] = "clear"
        return found

    @cached_property
    def _heights(self) -> Mapping[str, tuple[float, float]]:
        """The mean height of hexes and the mean difference of heights in their cells, in metres."""
        cells: dict[str, list[tuple[int, int]]] = {}
        for position, mean, relief in self.tables.heights():
            name = self.mesh.hex_at(self.ground.place(*position))
            if name:
                cells.setdefault(name, []).append((mean, relief))
        return {
            name: (sum(mean for mean, _ in found) / len(found), sum(relief for _, relief in found) / len(found))
            for name, found in cells.items()
            if len(found) >= _LEAST_CELLS
        }

    # --- hexsides ---------------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        """The river lines of the open data, on the board."""
        return Network(tuple(tuple(self._placed(points)) for _, points in self.tables.data("courses.csv")))

    @cached_property
    def rivers(self) -> Mapping[str, Laid]:
        """The rivers on their hexsides, by name."""
        layout = Layout(self.mesh, self.positions, self.sea)
        touching = {name: frozenset(hexes) for name, hexes in self.tables.settings.touching.items()}
        courses = rivers(self.tables.courses("rivers.csv"), self.ground, self.network, RIVERS)
        layout.lay([river for river in courses if self._on_map(river)], touching)
        return layout.laid

    def _on_map(self, river: River) -> bool:
        return any(self.mesh.hex_at(point) for point in river.line)

    @cached_property
    def water(self) -> dict[str, str]:
        """What lies on hexsides: the word of each that has a river, a lake or the sea."""
        found = {}
        for laid in self.rivers.values():
            for word, walk in laid.stretches:
                for side in walk:
                    found[hexside(side.left, side.right)] = word
        for laid in self.lakes.values():
            for side in laid.walk:
                found[hexside(side.left, side.right)] = "lake"
        return found | self.shore_sides

    @cached_property
    def lakes(self) -> Mapping[str, Laid]:
        """The long lakes on their hexsides, by name."""
        layout = Layout(self.mesh, self.positions, self.sea)
        courses = rivers(self.tables.courses("lakes.csv"), self.ground, self.network, ("lake",))
        layout.lay([lake for lake in courses if self._on_map(lake)], {})
        return layout.laid

    @cached_property
    def shore_sides(self) -> dict[str, str]:
        """The hexsides between hexes of land that lie in the sea or in a lake for the most part."""
        found = {}
        for side in self.mesh.sides:
            if (
                side.left > side.right
                or {side.left, side.right} & self.sea
                or side.right in self._spits.get(side.left, ())
            ):
                continue
            (x1, y1), (x2, y2) = at(side.start), at(side.end)
            line = [(x1 + (x2 - x1) * step / 8, y1 + (y2 - y1) * step / 8) for step in range(1, 8)]
            for kind, area in self._shores.items():
                if area.share(line) >= _WATER_SIDE:
                    found[hexside(side.left, side.right)] = kind
        for word, sides in self.tables.settings.sides.items():
            found |= dict.fromkeys(sides, word)
        return {name: word for name, word in found.items() if word != "open"}

    @cached_property
    def borders(self) -> list[tuple[str, str, tuple[Side, ...]]]:
        """The borders on hexsides: name, words and walk. Where a river is near they follow it."""
        merged: dict[str, tuple[str, list[Point]]] = {}
        for course in self.tables.courses("borders.csv"):
            line = self._placed(course.points)
            if course.name in merged and dist(merged[course.name][1][-1], line[0]) < 0.05:
                merged[course.name][1].extend(line[1:])
            else:
                merged.setdefault(course.name, (course.words, line))
        guide = Guide(price=lambda side: -0.1 if hexside(side.left, side.right) in self.water else 0.0)
        found = []
        for name, (words, line) in merged.items():
            for walk in snapped(self.mesh, line, guide):
                found.append((name, words, tuple(walk)))
        return found

    # --- railways and roads -------------------------------------------------------------------------------------------

    def _price(self, here: str, there: str) -> float | None:
        if there in self.sea:
            return None
        return _CROSSED.get(self.water.get(hexside(here, there), ""), 0.0)

    def _runs(self, line: Route) -> list[list[tuple[str, Point, bool]]]:
        """The stations of a line on the map: hex, position and whether it only passes near; cut where it leaves the map.

        On the way to a station off the map it runs to the map's edge.
        """
        runs: list[list[tuple[str, Point, bool]]] = [[]]
        before: Point | None = None
        for index, name in enumerate(line.stations):
            hex, point = self._station(name)
            if hex:
                if before is not None and not runs[-1]:
                    runs[-1] += self._to_edge(point, before)[::-1]
                runs[-1].append((hex, point, index in line.soft))
            elif runs[-1]:
                runs[-1] += self._to_edge(runs[-1][-1][1], point)
                runs.append([])
            before = point
        return [run for run in runs if len(run) > 1]

    def _station(self, name: str) -> tuple[str, Point]:
        """The hex of a station, "" off the map, and its position."""
        town = self.tables.towns.get(name)
        hex = self.town_hexes.get(name, "") if town else self.grid.name(self.grid.parse(name))
        position = town.position if town else None
        return hex, self.ground.place(*position) if position else self.mesh.centre(hex)

    def _to_edge(self, start: Point, end: Point) -> list[tuple[str, Point, bool]]:
        """The last hex of the map on the way from a point on it to one off it."""
        for point in reversed(resampled([start, end], 0.1)):
            hex = self.mesh.hex_at(point)
            if hex and hex not in self.sea:
                return [(hex, point, False)]
        return []

    def _lines(self, file: str) -> list[tuple[str, str, str, list[str]]]:
        found = []
        links: set[frozenset[str]] = set()
        for line in self.tables.lines(file):
            for run in self._runs(line):
                stations = [(hex, point) for hex, point, _ in run]
                soft = [index for index, (_, _, passed) in enumerate(run) if passed]
                chain = chained(self.mesh, stations, soft, self._price, links)
                if len(chain) > 1:
                    found.append((line.code, line.name, line.words, chain))
                    links |= {frozenset(pair) for pair in pairwise(chain)}
        return found

    @cached_property
    def railways(self) -> list[Stretch]:
        """The railways in stretches of one kind, each link once."""
        return _stretches(self._lines("railways.csv"))

    @cached_property
    def roads(self) -> list[Stretch]:
        """The roads in stretches of one kind, each link once."""
        return _stretches(self._lines("roads.csv"))

    # --- what follows -------------------------------------------------------------------------------------------------

    @cached_property
    def countries(self) -> Mapping[str, frozenset[str]]:
        """The countries in which each hex lies: more than one where a hexside is missing in a border, none on the sea."""
        walls = {
            hexside(side.left, side.right)
            for _, words, walk in self.borders
            for side in walk
            if words == "state-border"
        }
        found: dict[str, set[str]] = {}
        for country, seeds in self.tables.settings.countries.items():
            todo = [hex for hex, _ in map(self._station, seeds) if hex]
            seen = set(todo)
            while todo:
                here = todo.pop()
                found.setdefault(here, set()).add(country)
                for other in self.mesh.neighbours[here]:
                    if other not in seen and other not in self.sea and hexside(here, other) not in walls:
                        seen.add(other)
                        todo.append(other)
        return {name: frozenset(countries) for name, countries in found.items()}

    @cached_property
    def edges(self) -> Mapping[str, list[str]]:
        """The hexes of land along the map's edge, by the country in which they lie."""
        found: dict[str, list[str]] = {}
        for name in sorted(self.mesh.hexes - self.sea):
            if len(self.mesh.neighbours[name]) < 6 and len(self.countries.get(name, ())) == 1:
                found.setdefault(min(self.countries[name]), []).append(name)
        return found

    @cached_property
    def ridges(self) -> list[tuple[str, list[Side]]]:
        """The borders along crests, where mountains lie on both hands and neither a river nor a pass."""
        passes = {self.town_hexes[name] for name in self.tables.settings.passes if name in self.town_hexes}
        high = {name for name, kind in self.terrain.items() if kind in ("mountain", "high-mountain")}

        def is_ridge(side: Side) -> bool:
            both = {side.left, side.right}
            return both <= high and not both & passes and hexside(*both) not in self.water

        return [
            (name, part)
            for name, _, walk in self.borders
            if name in self.tables.settings.crests
            for part in runs(walk, is_ridge)
        ]

    @cached_property
    def places(self) -> list[tuple[str, Town]]:
        """The places of the map with their hexes, one a hex: those of rules first, then the largest, then those of railways."""
        stations = {name for line in self.tables.lines("railways.csv") for name in line.stations}

        def rank(town: Town) -> tuple[bool, int, bool, str]:
            return not town.rule, -SIZES.index(town.size), town.name not in stations, town.name

        kept: dict[str, Town] = {}
        for name, hex in self.town_hexes.items():
            town = self.tables.towns[name]
            if hex not in kept or rank(town) < rank(kept[hex]):
                kept[hex] = town
        return sorted(kept.items(), key=lambda item: (item[1].name, item[0]))

    @cached_property
    def labels(self) -> list[tuple[str, str, list[str]]]:
        """Names written across the map: name, kind and hexes."""
        found = []
        for label in self.tables.regions("labels.csv"):
            line = resampled(self._placed(label.points), 0.5)
            hexes = [hex for hex in map(self.mesh.hex_at, line) if hex]
            hexes = [hex for index, hex in enumerate(hexes) if not index or hex != hexes[index - 1]]
            if hexes:
                found.append((label.name, label.kind, hexes))
        return found

    @cached_property
    def stations(self) -> list[str]:
        """The hexes of towns on a railway."""
        on_rails = {hex for stretch in self.railways for hex in stretch.hexes}
        return sorted(hex for hex, town in self.places if hex in on_rails and town.size)


def runs(walk: Sequence[Side], holds: Callable[[Side], bool]) -> Iterator[list[Side]]:
    """The parts of a walk whose hexsides pass a test."""
    part: list[Side] = []
    for side in walk:
        if holds(side):
            part.append(side)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _by_height(kind: str, mean: float, relief: float, settings: Settings) -> str:
    """The terrain of a hex by its height and the relief of its ground, where that says more than the region."""
    if mean >= settings.high_mountain:
        return "high-mountain"
    if mean >= settings.mountain and relief >= settings.rough:
        return "mountain" if kind != "high-mountain" else kind
    if relief >= settings.rough and kind in ("clear", "wetlands"):
        return "rough"
    if kind in ("mountain", "high-mountain") and relief < settings.rough / 2:
        return "rough" if relief >= settings.rough / 3 else "clear"
    return kind


def _stretches(lines: Sequence[tuple[str, str, str, list[str]]]) -> list[Stretch]:
    """Lines cut into stretches of one kind; a link that several lines use is the strongest of them, and is kept once."""
    kinds: dict[frozenset[str], str] = {}
    gauges: dict[frozenset[str], set[str]] = {}
    for _, _, words, chain in lines:
        kind, _, gauge = words.partition(" ")
        for pair in map(frozenset, pairwise(chain)):
            kinds[pair] = min(kind, kinds.get(pair, kind), key=_STRONGER.index)
            gauges.setdefault(pair, set()).add(gauge)
    found: list[Stretch] = []
    done: set[frozenset[str]] = set()
    for _, name, _, chain in lines:
        part: Stretch | None = None
        for here, there in pairwise(chain):
            pair = frozenset((here, there))
            gauge = "both" if len(gauges[pair]) > 1 else min(gauges[pair])
            if pair in done:
                part = None
            elif part is not None and (part.kind, part.gauge) == (kinds[pair], gauge):
                part.hexes.append(there)
            else:
                part = Stretch(name, kinds[pair], gauge, [here, there])
                found.append(part)
            done.add(pair)
    return found
