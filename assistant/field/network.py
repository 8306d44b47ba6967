"""The network of a paper map: the ways between hexes that a player has typed, and where others may lead on that only he
can see.

It is made of facts like any other ground, so it is typed once and kept. Whatever is known to lie between two hexes
makes a way of it; what is not named there is not there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

import msgspec

from ..questions.view import View
from ..state.state import hexside
from .hexsides import HexsideTracks


class NetworkTracks(msgspec.Struct, frozen=True):
    """The tracks in which a game states a network. hexside: what lies between two hexes; complete: the flag of a hex
    into which every way is typed; whole: the flag of a side of which every way is typed that its lines can take.
    """

    hexside: HexsideTracks
    complete: str
    whole: str


class Network:
    """The typed ways as one side uses them. also: hexes in which its lines begin and end, typed or not; built: hexsides
    that other facts make ways of it; lines: whether the steps of typed lines belong to it.
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
    ) -> None:
        self._view, self._tracks = view, tracks
        self._stated = view.stated if lines else view.state.facts
        self.is_whole = view.flag(tracks.whole, side)
        self._also = also
        self._built = frozenset(built)

    @cached_property
    def sides(self) -> frozenset[str]:
        """The hexsides of which something is known: what lies on them, if only that nothing does, or what crosses them."""
        view, of = self._view, self._tracks.hexside
        bearing = set[str]()
        for track in (of.lies, *of.links):
            stated = (side for name, side in self._stated if name == track)
            nothing = None if track == of.lies else view.game.track(track).nothing
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
        return neighbours

    def next_to(self, at: str) -> list[str]:
        """The next hexes along the ways."""
        return self.ways.get(at, [])

    def is_open(self, at: str, closed: Collection[str] = ()) -> bool:
        """Whether a way that is not typed may lead out of a hex. closed: hexes that no line enters."""
        if self.is_whole or self._is_complete(at):
            return False
        return any(
            other not in closed and hexside(at, other) not in self.sides and not self._is_complete(other)
            for other in self._view.board.neighbours(at)
        )

    def _is_complete(self, at: str) -> bool:
        return self._view.flag(self._tracks.complete, at)
