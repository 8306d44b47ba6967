"""A second reckoning of General Supply, made from the rulebook alone: it walks every path, hex by hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Map(NamedTuple):
    """A small map. next_to: the hexes round each; marsh, neutral, sea: hexes; straits: hexsides of sea; rails: hexsides with a railroad."""

    next_to: dict[str, list[str]]
    marsh: set[str]
    neutral: set[str]
    sea: set[str]
    straits: set[frozenset[str]]
    rails: set[frozenset[str]]


class Piece(NamedTuple):
    """A unit. kind: army, supply or fortress."""

    side: str
    kind: str
    at: str
    radius: int = 0


def zones(land: Map, pieces: list[Piece], against: str) -> set[str]:
    """The hexes in the zones of the enemies of a side: supply units have none; no zone enters a fortress of the side (13, 20.1)."""
    held = {one.at for one in pieces if one.side == against and one.kind == "fortress"}
    found = set()
    for one in pieces:
        if one.side != against and one.kind != "supply":
            for other in land.next_to[one.at]:
                if other not in held and frozenset((one.at, other)) not in land.straits:
                    found.add(other)
    return found


def paths(land: Map, start: str, most: int, leads: Callable[[str, str], bool]) -> Iterator[list[str]]:
    """All paths from a hex that pass no hex twice and are no longer than so many hexes."""
    walks = [[start]]
    while walks:
        walk = walks.pop()
        yield walk
        if len(walk) <= most:
            walks += [
                [*walk, there] for there in land.next_to[walk[-1]] if there not in walk and leads(walk[-1], there)
            ]


def is_supplied(land: Map, pieces: list[Piece], unit: Piece) -> bool:
    """Whether a unit is in General Supply (17.4, 17.5, 17.7)."""
    if unit.kind in ("supply", "fortress"):
        return True
    own = [one for one in pieces if one.side == unit.side]
    if any(one.kind in ("supply", "fortress") and one.at == unit.at for one in own):
        return True
    enemies = {one.at for one in pieces if one.side != unit.side}
    zoned = zones(land, pieces, unit.side)

    def passes(here: str, there: str) -> bool:
        barred = {*land.marsh, *land.neutral, *land.sea, *enemies}
        return here not in land.marsh and there not in barred and frozenset((here, there)) not in land.straits

    def by_radius(here: str, there: str) -> bool:
        return here not in zoned and passes(here, there)

    def by_rail(here: str, there: str) -> bool:
        return frozenset((here, there)) in land.rails and passes(here, there) and not {here, there} & zoned

    for source in own:
        if source.kind != "supply":
            continue
        if any(walk[-1] == unit.at for walk in paths(land, source.at, source.radius, by_radius)):
            return True
        on_rail = any(source.at in side for side in land.rails) and source.at not in zoned
        for walk in paths(land, source.at, len(land.next_to), by_rail) if on_rail else ():
            last = walk[-1]
            if last == unit.at or (unit.at in land.next_to[last] and passes(last, unit.at)):
                return True
    return False
