"""What lies between two adjacent hexes: the one reading of a hexside that all chapters of a game use."""

from __future__ import annotations

import msgspec

from ..questions.view import Gather, View
from ..state.sources import Reader
from ..state.state import hexside


class HexsideTracks(msgspec.Struct, frozen=True):
    """The tracks in which a game states what lies between two hexes.

    lies: what lies on the hexside itself, as several words; terrain: that of a hex; links: what crosses the hexside,
    such as rail and road.
    """

    lies: str
    terrain: str
    links: tuple[str, ...] = ()


class Hexside:
    """What lies between a hex and the next one, in the order in which a unit or a line passes.

    Facts are read only when they are needed, so that facts that do not matter are neither read nor asked for.
    """

    def __init__(self, facts: View | Gather, here: str, there: str, tracks: HexsideTracks) -> None:
        self.view = facts.view if isinstance(facts, Gather) else facts
        self.here, self.there, self.name = here, there, hexside(here, there)
        self._facts: Reader = facts
        self._tracks = tracks

    @property
    def lies(self) -> frozenset[str]:
        """What lies on the hexside; empty while unknown."""
        return self._facts.words(self._tracks.lies, self.name)

    @property
    def is_stated(self) -> bool:
        """Whether what lies on the hexside is known."""
        return self.view.fact(self._tracks.lies, self.name) is not None

    @property
    def leaves(self) -> str:
        """The terrain of the hex that is left; "" while it is unknown."""
        return self._facts.word(self._tracks.terrain, self.here)

    @property
    def enters(self) -> str:
        """The terrain of the hex that is entered; "" while it is unknown."""
        return self._facts.word(self._tracks.terrain, self.there)

    @property
    def linked(self) -> bool:
        """Whether a road, a railway or the like is known to cross the hexside."""
        links = ((track, self.view.fact(track, self.name)) for track in self._tracks.links)
        return any(fact and fact.value != self.view.game.track(track).nothing for track, fact in links)

    def word(self, track: str) -> str:
        """The value of a track for the hexside; "" while it is unknown."""
        return self._facts.word(track, self.name)
