"""What lies between two adjacent hexes: the one reading of a hexside that all chapters of a game use."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ..questions.view import Gather, View
from ..state.state import hexside


class Reader(Protocol):
    """Reads facts as plain values: a `View` as far as they are known, a `Gather` asking for those that are missing."""

    def word(self, track: str, subject: str = "") -> str:
        """A word or a text; "" while it is unknown."""

    def words(self, track: str, subject: str = "") -> frozenset[str]:
        """Several words; none while they are unknown."""


class HexsideTracks(NamedTuple):
    """The tracks by which a game says what lies between two hexes.

    lies: what lies on the hexside itself, in several words; terrain: of a hex; links: what leads over the hexside, such as rail and
    road.
    """

    lies: str
    terrain: str
    links: tuple[str, ...] = ()


class Hexside:
    """What lies between a hex and the next one, in the order in which a unit or a line passes.

    Nothing is read before it is needed, so that nothing counts as read, and nothing is asked for, that did not matter.
    """

    def __init__(self, facts: View | Gather, here: str, there: str, tracks: HexsideTracks) -> None:
        self.view = facts.view if isinstance(facts, Gather) else facts
        self.here, self.there, self.name = here, there, hexside(here, there)
        self._facts: Reader = facts
        self._tracks = tracks

    @property
    def lies(self) -> frozenset[str]:
        """What lies on the hexside; nothing while that is unknown."""
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
        """Whether a road, a railway or the like is known to lead over the hexside."""
        links = ((track, self.view.fact(track, self.name)) for track in self._tracks.links)
        return any(fact and fact.value != self.view.game.track(track).nothing for track, fact in links)

    def word(self, track: str) -> str:
        """What a track says of the hexside; "" while it is unknown."""
        return self._facts.word(track, self.name)
