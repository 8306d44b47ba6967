"""Ways of retreat: which hexes lead far enough away, and to a hex within the stacking limits (15.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple


class Ways(NamedTuple):
    """What ways of retreat there are from a hex.

    owed: hexes to retreat; neighbours, distance: of the map; opens: whether a unit may go from a hex into the next; holds: whether it
    may end in a hex without over-stacking it.
    """

    start: str
    owed: int
    neighbours: Callable[[str], Iterable[str]]
    distance: Callable[[str, str], int]
    opens: Callable[[str, str], bool]
    holds: Callable[[str], bool]

    def is_over(self, way: Sequence[str]) -> bool:
        """Whether a way may end: it is long enough, leads far enough away, and its last hex holds the unit. Rule: 15.2/4, 15.2/5"""
        here = way[-1] if way else self.start
        return len(way) >= self.owed and self.distance(self.start, here) >= self.owed and self.holds(here)

    def leads_on(self, way: Sequence[str], there: str) -> bool:
        """Whether a way may go on into a hex: not one that it has entered, and farther away until it is long enough. Rule: 15.2/5"""
        if there == self.start or there in way:
            return False
        return len(way) >= self.owed or self.distance(self.start, there) == len(way) + 1

    def completes(self, way: Sequence[str], farther: bool) -> bool:
        """Whether a way can be completed. farther: whether it may go on beyond the hexes owed, past over-stacked ones. Rule: 15.2/4, 15.2/7"""
        if self.is_over(way):
            return True
        if len(way) >= self.owed and not farther:
            return False
        here = way[-1] if way else self.start
        return any(
            self.leads_on(way, there) and self.opens(here, there) and self.completes((*way, there), farther)
            for there in self.neighbours(here)
        )

    def is_spared(self) -> bool:
        """Whether some way ends in time, so that none may go on past over-stacked hexes. Rule: 15.2/7"""
        return self.completes((), False)
