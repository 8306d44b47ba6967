"""Railways and roads on the board: their stations on the map, and stretches of one kind with each link once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from assistant.state.state import hexside
from assistant.util.errors import InputError

from .land import Land
from .lines import Point, resampled
from .links import chained
from .tables import Route, how_known


class Stretch(NamedTuple):
    """A stretch of a railway or road of one kind, hex by hex. words: what its links are; known: how."""

    name: str
    words: tuple[str, ...]
    hexes: list[str]
    known: str


class Stop(NamedTuple):
    """A station of a line: its hex, where in it, and whether the line only passes near it."""

    hex: str
    point: Point
    soft: bool


def ways(land: Land, water: Mapping[str, str], routes: Sequence[Route]) -> list[Stretch]:
    """The stretches of railways or roads. water: what lies on hexsides."""
    crossed = land.settings.words.crossed

    def price(here: str, there: str) -> float | None:
        return None if there in land.sea else crossed.get(water.get(hexside(here, there), ""), 0.0)

    chains: list[tuple[Route, list[str]]] = []
    links: set[frozenset[str]] = set()
    for route in routes:
        for run in runs_on_map(land, route):
            soft = [index for index, stop in enumerate(run) if stop.soft]
            chain = chained(land.mesh, [(stop.hex, stop.point) for stop in run], soft, price, links)
            if len(chain) > 1:
                chains.append((route, chain))
                links |= {frozenset(pair) for pair in pairwise(chain)}
    return stretches(chains, land.settings.words.strongest, land.settings.words.both)


def runs_on_map(land: Land, route: Route) -> list[list[Stop]]:
    """The stations of a line on the map, cut where it leaves it; towards a station off the map it runs to the edge."""
    runs: list[list[Stop]] = [[]]
    before: Point | None = None
    for index, name in enumerate(route.stations):
        hex, point = land.station(name)
        if hex:
            if before is not None and not runs[-1]:
                runs[-1] += _to_edge(land, point, before)
            runs[-1].append(Stop(hex, point, index in route.soft))
        elif runs[-1]:
            runs[-1] += _to_edge(land, runs[-1][-1].point, point)
            runs.append([])
        before = point
    return [run for run in runs if len(run) > 1]


def _to_edge(land: Land, start: Point, end: Point) -> list[Stop]:
    """The last hex of land on the way from a point on the map to one off it."""
    for point in reversed(resampled([start, end], 0.1)):
        hex = land.mesh.hex_at(point)
        if hex and hex not in land.sea:
            return [Stop(hex, point, False)]
    return []


def stretches(
    chains: Sequence[tuple[Route, Sequence[str]]], strongest: Sequence[str], both: Mapping[str, str]
) -> list[Stretch]:
    """Lines cut into stretches of one kind, each link once, in the first line that uses it.

    strongest: of the first words of lines that share a link, the first in this order holds; both: what their second words,
    if they differ, come to, joined by +. Raises InputError for words that it does not join.
    """
    kinds: dict[frozenset[str], str] = {}
    more: dict[frozenset[str], set[str]] = {}
    for route, chain in chains:
        kind, *rest = route.words.split()
        for pair in map(frozenset, pairwise(chain)):
            kinds[pair] = min(kind, kinds.get(pair, kind), key=strongest.index)
            more.setdefault(pair, set()).update(rest)

    def words(pair: frozenset[str]) -> tuple[str, ...]:
        rest = sorted(more[pair])
        if len(rest) < 2:
            return (kinds[pair], *rest)
        if "+".join(rest) not in both:
            where = " and ".join(sorted(pair))
            raise InputError(
                f"lines that are {' and '.join(rest)} meet between {where}", hint="say in [words] both what that makes"
            )
        return kinds[pair], both["+".join(rest)]

    found: list[Stretch] = []
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
                found.append(part)
            done.add(pair)
    return found
