"""The possible routes of a retreat: the hexes that may come next, possible last hexes, and bars to a hex."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Annotated, NamedTuple

from ..game.boards import Board
from ..state.vocabulary import HexesOwed, StartHex
from ..util.notes import note
from .field import Bar, HexBar, first_bar
from .field.search import cheapest_ways, whole_ways


class RetreatWays(NamedTuple):
    """The possible routes of a retreat."""

    board: Board
    start: StartHex
    owed: HexesOwed
    bars: Annotated[Sequence[Bar], note("the bars to a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for the units if their retreat ends there")]
    rule: str
    away: Annotated[bool, note("whether each hex must lie farther from the start; if not, the bars give the direction")]
    exits: Annotated[Callable[[str], bool], note("whether units may leave the map from a hex")]

    def is_over(self, way: Sequence[str]) -> bool:
        """Return whether a route may end: it is long enough, and its last hex has room."""
        return len(way) >= self.owed and self._may_end(way[-1])

    def _may_end(self, at: str) -> bool:
        """Return whether a route of sufficient length may end in a hex."""
        return (not self.away or self.board.distance(self.start, at) >= self.owed) and self.holds(at)

    def leads_on(self, way: Sequence[str], there: str) -> bool:
        """Return whether a route may enter a hex.

        The hex must be new, and farther away until the route is long enough.
        """
        if there == self.start or there in way:
            return False
        return not self.away or len(way) >= self.owed or self.board.distance(self.start, there) == len(way) + 1

    def judge_step(self, way: Sequence[str], there: str) -> HexBar | None:
        """Return the bar to the next hex of a route, or None if nothing bars it."""
        here = (self.start, *way)[-1]
        if self.is_over(way):
            return HexBar(self.rule, f"the retreat ends in {here}")
        if barred := first_bar(self.bars, here, there):
            return barred
        if not self.leads_on(way, there):
            farther = f"it is not farther from {self.start}, or " if self.away else "it "
            return HexBar(self.rule, f"{farther}has already been entered")
        if not self.completes((*way, there), farther=True):
            return HexBar(self.rule, self._explain_end(way, there))
        # A route may go beyond the hexes owed only if no other ends in time, and off the map only if none stays on it.
        if self.completes((*way, there), farther=False) or not self.completes((), farther=False):
            return None
        stays = self._replace(exits=lambda at: False).completes((*way, there), farther=True)
        return HexBar(self.rule, f"other routes {'avoid over-stacked hexes' if stays else 'stay on the map'}")

    def _explain_end(self, way: Sequence[str], there: str) -> str:
        number = len(way) + 1
        beyond = "no hex is open beyond it"
        if number < self.owed:
            return f"it is hex {number} of {self.owed}, and {beyond}"
        return beyond if self.holds(there) else f"stacking leaves the units no room there, and {beyond}"

    def completes(self, way: Sequence[str], *, farther: bool) -> bool:
        """Return whether a route can be completed.

        `farther`: whether the route may continue beyond the hexes owed, or off the map.
        """

        def ends(way: Sequence[str]) -> bool:
            if self.is_over(way):
                return True
            return farther and (self.exits((self.start, *way)[-1]) or (len(way) >= self.owed and self._leads_out(way)))

        def onward(way: Sequence[str]) -> Iterable[str]:
            return () if len(way) >= self.owed or ends(way) else self._list_next(way, way)

        return any(map(ends, whole_ways(tuple(way), onward)))

    def _list_next(self, way: Sequence[str], entered: Sequence[str]) -> Iterator[str]:
        here = (self.start, *way)[-1]
        for there in self.board.neighbours(here):
            if self.leads_on(entered, there) and not first_bar(self.bars, here, there):
                yield there

    def _leads_out(self, way: Sequence[str]) -> bool:
        """Return whether a route of sufficient length can continue, through any hexes, to a hex where it may end."""

        def onward(reached: tuple[int, str]) -> Iterator[tuple[int, str]]:
            steps, here = reached
            return ((steps + 1, there) for there in self._list_next([here], way))

        ways = cheapest_ways([(0, way[-1])], onward, itemgetter(1))
        return any(self._may_end(at) or self.exits(at) for steps, at in ways if steps)
