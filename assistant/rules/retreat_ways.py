"""The ways of a retreat: which hexes may follow, where it may end, and why not."""

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
    """The ways of a retreat."""

    board: Board
    start: StartHex
    owed: HexesOwed
    bars: Annotated[Sequence[Bar], note("what bars a hex, in the order of the rules")]
    holds: Annotated[Callable[[str], bool], note("whether a hex has room for those who end their retreat there")]
    rule: str
    away: Annotated[bool, note("whether each hex lies farther from the start; if not, bars say where to")]
    exits: Annotated[Callable[[str], bool], note("whether units may leave the map from a hex")]

    def is_over(self, way: Sequence[str]) -> bool:
        """Return whether a way may end: it leads far enough, and its last hex has room."""
        return len(way) >= self.owed and self._may_end(way[-1])

    def _may_end(self, at: str) -> bool:
        """Return whether a way that is long enough may end in a hex."""
        return (not self.away or self.board.distance(self.start, at) >= self.owed) and self.holds(at)

    def leads_on(self, way: Sequence[str], there: str) -> bool:
        """Return whether a way may go on into a hex: not one that it has entered, and farther away until it is long
        enough.
        """
        if there == self.start or there in way:
            return False
        return not self.away or len(way) >= self.owed or self.board.distance(self.start, there) == len(way) + 1

    def judge_step(self, way: Sequence[str], there: str) -> HexBar | None:
        """Return what bars the next hex of a way, None if nothing does."""
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
        # beyond the hexes owed only if no other way ends in time, off the map only if none stays on it
        if self.completes((*way, there), farther=False) or not self.completes((), farther=False):
            return None
        stays = self._replace(exits=lambda at: False).completes((*way, there), farther=True)
        return HexBar(self.rule, f"other routes {'avoid over-stacked hexes' if stays else 'stay on the map'}")

    def _explain_end(self, way: Sequence[str], there: str) -> str:
        """Return why the next hex of a way is none that it can end in or go on from."""
        number = len(way) + 1
        beyond = "no hex is open beyond it"
        if number < self.owed:
            return f"it is hex {number} of {self.owed}, and {beyond}"
        return beyond if self.holds(there) else f"stacking leaves the units no room there, and {beyond}"

    def completes(self, way: Sequence[str], *, farther: bool) -> bool:
        """Return whether a way can be completed. farther: whether it may go on beyond the hexes owed, or off the map."""

        def ends(way: Sequence[str]) -> bool:
            if self.is_over(way):
                return True
            return farther and (self.exits((self.start, *way)[-1]) or (len(way) >= self.owed and self._leads_out(way)))

        def onward(way: Sequence[str]) -> Iterable[str]:
            return () if len(way) >= self.owed or ends(way) else self._list_next(way, way)

        return any(map(ends, whole_ways(tuple(way), onward)))

    def _list_next(self, way: Sequence[str], entered: Sequence[str]) -> Iterator[str]:
        """Yield the hexes into which a way may go on. entered: all that it may not enter again."""
        here = (self.start, *way)[-1]
        for there in self.board.neighbours(here):
            if self.leads_on(entered, there) and not first_bar(self.bars, here, there):
                yield there

    def _leads_out(self, way: Sequence[str]) -> bool:
        """Return whether a way that is long enough leads on, by whatever hexes, to one where it may end."""

        def onward(reached: tuple[int, str]) -> Iterator[tuple[int, str]]:
            far, here = reached
            return ((far + 1, there) for there in self._list_next([here], way))

        ways = cheapest_ways([(0, way[-1])], onward, itemgetter(1))
        return any(self._may_end(at) or self.exits(at) for far, at in ways if far)
