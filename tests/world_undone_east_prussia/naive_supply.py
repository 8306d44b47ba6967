"""A second reckoning of lines of supply, made from the rulebook alone: it adds hexes until no more are reached."""

from __future__ import annotations

from typing import NamedTuple


class Land(NamedTuple):
    """A small map. next_to: the hexes round each; rivers: hexsides; wild: hexes of forest or swamp; fortress: its hex, "" for
    none; west, east: edges; konigsberg: its hex; held: the hexes that each side controls by marker or country.
    """

    next_to: dict[str, list[str]]
    rivers: set[frozenset[str]]
    wild: set[str]
    fortress: str
    west: set[str]
    east: set[str]
    konigsberg: str
    held: dict[str, set[str]]


def closed(land: Land, pieces: dict[str, str], side: str) -> set[str]:
    """The hexes that no line of a side enters. pieces: the side of the units in each hex."""
    friends = {at for at, own in pieces.items() if own == side}
    enemies = set(pieces) - friends
    zones = {
        there
        for at in enemies
        for there in land.next_to[at]
        if frozenset((at, there)) not in land.rivers and not (there == land.fortress and side == "german")
    }
    if side == "russian" and land.fortress:
        zones |= set(land.next_to[land.fortress])
    theirs = set(land.held["german" if side == "russian" else "russian"])
    if land.fortress:
        theirs = theirs | {land.fortress} if side == "russian" else theirs - {land.fortress}
    return enemies | ((zones | theirs) - friends)


def supplied(land: Land, pieces: dict[str, str], side: str, longest: int) -> set[str]:
    """All hexes to which a line of a side leads, of so many hexes after the first at most."""
    shut = closed(land, pieces, side)
    reached = (land.east if side == "russian" else land.west | {land.konigsberg}) - shut
    for _ in range(longest):
        leads_on = {at for at in reached if side == "german" or at not in land.wild}
        reached = reached | {there for at in leads_on for there in land.next_to[at] if there not in shut}
    return reached
