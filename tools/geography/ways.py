"""Railways and roads from hex to hex: chains through the hexes of their stations, in stretches of one kind.

Each link is in one stretch only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import dist
from typing import NamedTuple

from assistant.state.state import hexside
from assistant.util.errors import InputError

from .land import Land
from .lines import Point, from_segment, resample
from .mesh import Mesh
from .tables import Route, how_known

#: The cost of a step for the square of its distance, in hexes, from the straight line between stations.
_COST_PER_SQUARE_DISTANCE = 0.7
#: The saving of a step along another line.
_SAVING_ON_SHARED_LINK = 0.3
#: The maximum distance of a way from the straight line.
_MAX_DISTANCE_HEXES = 4.0

Price = Callable[[str, str], float | None]
"""The cost of a step between two adjacent hexes beyond 1, or None if it is barred."""


class Stretch(NamedTuple):
    """A stretch of a railway or road of one kind, hex by hex.

    `words`: the words of its links.
    """

    name: str
    words: tuple[str, ...]
    hexes: list[str]
    known: str


class Stop(NamedTuple):
    """A station of a line: its hex, its position, and whether the line only passes nearby."""

    hex: str
    point: Point
    is_soft: bool


def ways(land: Land, water: Mapping[str, str], routes: Sequence[Route]) -> list[Stretch]:
    """Return the stretches of railways or roads.

    `water`: the words of hexsides with water.
    """
    crossed = land.settings.words.crossed

    def price(here: str, there: str) -> float | None:
        return None if there in land.sea else crossed.get(water.get(hexside(here, there), ""), 0.0)

    chains: list[tuple[Route, list[str]]] = []
    links: set[frozenset[str]] = set()
    for route in routes:
        for run in runs_on_map(land, route):
            soft = [index for index, stop in enumerate(run) if stop.is_soft]
            chain = chain_hexes(land.mesh, [(stop.hex, stop.point) for stop in run], soft, price, links)
            if len(chain) > 1:
                chains.append((route, chain))
                links |= {frozenset(pair) for pair in pairwise(chain)}
    return stretches(chains, land.settings.words.strongest, land.settings.words.both)


def runs_on_map(land: Land, route: Route) -> list[list[Stop]]:
    """Return the stations of a line on the map, cut where the line leaves it.

    Towards a station off the map the line runs to the edge.
    """
    runs: list[list[Stop]] = [[]]
    before: Point | None = None
    for index, name in enumerate(route.stations):
        hex, point = land.station(name)
        if hex:
            if before is not None and not runs[-1]:
                runs[-1] += _run_to_edge(land, point, before)
            runs[-1].append(Stop(hex, point, index in route.soft))
        elif runs[-1]:
            runs[-1] += _run_to_edge(land, runs[-1][-1].point, point)
            runs.append([])
        before = point
    return [run for run in runs if len(run) > 1]


def find_exits(land: Land, routes: Sequence[Route]) -> frozenset[str]:
    """Return the hexes from which railways or roads leave the map."""
    exits = set[str]()
    for route in routes:
        for (here, start), (there, end) in pairwise(map(land.station, route.stations)):
            if bool(here) != bool(there):
                ways_out = _run_to_edge(land, start, end) if here else _run_to_edge(land, end, start)
                exits |= {stop.hex for stop in ways_out}
    return frozenset(exits)


def _run_to_edge(land: Land, start: Point, end: Point) -> list[Stop]:
    """Return the last hex of land from a point on the map towards one off it, or nothing."""
    for point in reversed(resample([start, end], 0.1)):
        hex = land.mesh.hex_at(point)
        if hex and hex not in land.sea:
            return [Stop(hex, point, False)]
    return []


def chain_hexes(
    mesh: Mesh,
    stations: Sequence[tuple[str, Point]],
    soft: Collection[int],
    price: Price,
    shared: Collection[frozenset[str]] = (),
) -> list[str]:
    """Return the hexes of a line, station by station.

    `soft`: the indices of stations that the line only passes nearby.

    Raises InputError if the sea lies between two stations.
    """
    firm = [index for index in range(len(stations)) if index not in soft]
    chain = [stations[firm[0]][0]]
    for first, last in pairwise(firm):
        between = [point for _, point in stations[first : last + 1]]
        start, end = stations[first][0], stations[last][0]
        if start != end:
            chain += _find_way(mesh, start, end, between, price, shared)[1:]
    return chain


def _find_way(
    mesh: Mesh,
    start: str,
    end: str,
    line: Sequence[Point],
    price: Price,
    shared: Collection[frozenset[str]],
) -> list[str]:
    goal = mesh.centre(end)
    best, before = {start: 0.0}, {start: ""}
    queue = [(dist(mesh.centre(start), goal), start)]
    while queue:
        _, hex_here = heappop(queue)
        if hex_here == end:
            break
        for other in mesh.neighbours[hex_here]:
            extra = price(hex_here, other)
            if extra is None:
                continue
            distance = min(from_segment(mesh.centre(other), one, two)[0] for one, two in pairwise(line))
            if distance > _MAX_DISTANCE_HEXES:
                continue
            saved = _SAVING_ON_SHARED_LINK if frozenset((hex_here, other)) in shared else 0.0
            cost = best[hex_here] + 1 + extra + _COST_PER_SQUARE_DISTANCE * distance * distance - saved
            if cost < best.get(other, 1e9):
                best[other], before[other] = cost, hex_here
                heappush(queue, (cost + (1 - _SAVING_ON_SHARED_LINK) * dist(mesh.centre(other), goal), other))
    if end not in before:
        raise InputError(f"no way by land leads from {start} to {end}", hint="move the stations in these hexes")
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def stretches(
    chains: Sequence[tuple[Route, Sequence[str]]], strongest: Sequence[str], joined: Mapping[str, str]
) -> list[Stretch]:
    """Return lines cut into stretches of one kind; each link is in the first line that uses it.

    `strongest`: the order of the first words of lines; of lines on one link the first of these holds.
    `joined`: the word for different second words on one link, by these words joined by +.

    Raises InputError for second words that `joined` does not join.
    """
    kinds: dict[frozenset[str], str] = {}
    second_words: dict[frozenset[str], set[str]] = {}
    for route, chain in chains:
        kind, *seconds = route.words.split()
        for pair in map(frozenset, pairwise(chain)):
            kinds[pair] = min(kind, kinds.get(pair, kind), key=strongest.index)
            second_words.setdefault(pair, set()).update(seconds)

    def words(pair: frozenset[str]) -> tuple[str, ...]:
        seconds = sorted(second_words[pair])
        if len(seconds) < 2:
            return (kinds[pair], *seconds)
        if "+".join(seconds) not in joined:
            where = " and ".join(sorted(pair))
            raise InputError(
                f"lines that are {' and '.join(seconds)} meet between {where}",
                hint="say in [words] both what that makes",
            )
        return kinds[pair], joined["+".join(seconds)]

    parts: list[Stretch] = []
    done: set[frozenset[str]] = set()
    for route, chain in chains:
        part: Stretch | None = None
        for here, there in pairwise(chain):
            pair = frozenset((here, there))
            if pair in done:
                part = None
            elif part is not None and part.words == words(pair):
                part.hexes.append(there)
            else:
                part = Stretch(route.name, words(pair), [here, there], how_known(route.certainty))
                parts.append(part)
            done.add(pair)
    return parts
