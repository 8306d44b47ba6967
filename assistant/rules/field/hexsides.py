"""Hexsides: the features between two hexes, read in the same way by all chapters of a game.

The network of a paper map consists of the ways that a player has typed. Only the player can see where other ways lead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TypeVar

import msgspec

from ...asking.view import Gather, View
from ...mechanics.tracing import radius
from ...state.state import hexside
from ...state.tracks import Reader

T = TypeVar("T")


class HexsideTracks(msgspec.Struct, frozen=True):
    """The tracks in which a game states the features between two hexes."""

    lies: str
    """The track of features on the hexside itself, as several words, or "" if the game has no such features."""
    terrain: str
    """The track of the terrain of a hex."""
    links: tuple[str, ...] = ()
    """The tracks of links across the hexside, such as rail and road."""

    def between(self, facts: View | Gather, here: str, there: str) -> Hexside:
        """Return the hexside between two adjacent hexes."""
        return Hexside(facts, here, there, self)

    def assume_none(self, view: View, names: Iterable[str], rule: str, text: str) -> None:
        """Record in the report the hexsides that are assumed to be empty because nothing is stated.

        `text`: the assumption, such as "to have no river".
        """
        for name in names:
            nothing = view.game.track(self.lies).nothing
            view.granted(self.lies, name, nothing, rule, f"{{hexsides}} assumed {text} (not stated)")


class Hexside:
    """The hexside between two hexes, in the direction in which a unit or a line passes.

    Facts are read only when needed, so that irrelevant facts are not asked for.
    """

    def __init__(self, facts: View | Gather, here: str, there: str, tracks: HexsideTracks) -> None:
        self.view = facts.view if isinstance(facts, Gather) else facts
        self.here = here
        self.there = there
        self.name = hexside(here, there)
        self._facts: Reader = facts
        self._tracks = tracks

    @property
    def lies(self) -> frozenset[str]:
        """The features on the hexside; empty while unknown."""
        return self._facts.words(self._tracks.lies, self.name)

    @property
    def is_stated(self) -> bool:
        """Whether the features on the hexside are known."""
        return not self._tracks.lies or self.view.fact(self._tracks.lies, self.name) is not None

    @property
    def leaves(self) -> str:
        """The terrain of the hex that is left, or "" while it is unknown."""
        return self._facts.word(self._tracks.terrain, self.here)

    @property
    def enters(self) -> str:
        """The terrain of the hex that is entered, or "" while it is unknown."""
        return self._facts.word(self._tracks.terrain, self.there)

    def cost_in(self, costs: Mapping[str, T]) -> T:
        """Return the value in a table for the terrain of the hex entered.

        Raises MissingFacts while the terrain is unknown: a move asks for it, and `reach` leaves the hex out. Raises
        KeyError if the table lacks the terrain.
        """
        with self.view.gather() as facts:
            terrain = facts.word(self._tracks.terrain, self.there)
        return costs[terrain]

    @property
    def linked(self) -> bool:
        """Whether a road, a railway or the like is known to cross the hexside."""
        links = ((track, self.view.fact(track, self.name)) for track in self._tracks.links)
        return any(fact and fact.value != self.view.game.track(track).nothing for track, fact in links)

    def word(self, track: str) -> str:
        """Return the hexside's value of a track, or "" while it is unknown."""
        return self._facts.word(track, self.name)


def leads_into(facts: Gather, link: str, at: str) -> bool:
    """Return whether a link leads into a hex.

    Asks for the hexsides of the hex while none is known to carry the link.

    `link`: the link's track, and its value if the track has values.
    """
    sides = [hexside(at, other) for other in facts.view.board.neighbours(at)]
    if any(facts.view.word(link, side) == link for side in sides):
        return True
    return link in [facts.word(link, side) for side in sides]  # a list, so that all missing facts are asked for at once


# --- the network of a paper map ---------------------------------------------------------------------------------------


class NetworkTracks(msgspec.Struct, frozen=True):
    """The tracks in which a game states a network."""

    hexside: HexsideTracks
    """The tracks of the features between two hexes."""
    complete: str
    """The flag of a hex whose ways are all typed."""
    whole: str
    """The flag of a side whose lines use only typed ways."""


class Network:
    """The typed ways as one side uses them.

    `also`: hexes in which the side's lines begin and end, typed or not.
    `built`: hexsides that other facts make part of the network.
    `lines`: whether typed lines are part of the network.
    `beyond`: the number of hexes that lines may go beyond the network, if the player has stated all other hexsides.
    """

    def __init__(
        self,
        view: View,
        tracks: NetworkTracks,
        side: str,
        also: Iterable[str] = (),
        *,
        built: Iterable[str] = (),
        lines: bool = True,
        beyond: int = 0,
    ) -> None:
        self._view = view
        self._tracks = tracks
        self._stated = view.stated if lines else view.state.facts
        self.is_whole = view.flag(tracks.whole, side)
        self._also = also
        self._built = frozenset(built)
        self._beyond = beyond if tracks.hexside.lies in view.board.silence else 0

    @cached_property
    def sides(self) -> frozenset[str]:
        """The hexsides with known features, even if there are none on them, or with known links across them."""
        view = self._view
        tracks = self._tracks.hexside
        bearing = set[str]()
        for track in (tracks.lies, *tracks.links):
            stated = (side for name, side in self._stated if name == track)
            nothing = None if track == tracks.lies else view.game.track(track).nothing
            known = {*stated, *view.board.known(track)}
            bearing |= {side for side in known if (fact := view.fact(track, side)) and fact.value != nothing}
        return self._built | bearing

    @cached_property
    def ways(self) -> dict[str, list[str]]:
        """The hexes of the network, each with the next ones along the ways."""
        neighbours: dict[str, list[str]] = {at: [] for at in self._also if self._view.board.is_hex(at)}
        for start, end in sorted(tuple(side.split("|")) for side in self.sides):
            neighbours.setdefault(start, []).append(end)
            neighbours.setdefault(end, []).append(start)
        if not self._beyond:
            return neighbours
        near = self._view.board.neighbours
        hexes = radius(neighbours, self._beyond, near).cost
        return {at: [there for there in sorted(near(at)) if there in hexes] for at in sorted(hexes)}

    def next_to(self, at: str) -> list[str]:
        """Return the next hexes along the ways."""
        return self.ways.get(at, [])

    def is_open(self, at: str, closed: Collection[str] = ()) -> bool:
        """Return whether an untyped way may lead out of a hex.

        `closed`: hexes that no line enters.
        """
        if self.is_whole or self._is_complete(at):
            return False
        around = self._view.board.neighbours(at)
        if self._beyond:
            return any(other not in closed and other not in self.ways for other in around)
        return any(
            other not in closed and hexside(at, other) not in self.sides and not self._is_complete(other)
            for other in around
        )

    def _is_complete(self, at: str) -> bool:
        return self._view.flag(self._tracks.complete, at)
