"""Movement hex by hex: how far a way leads before something bars it, and all hexes within reach of a unit.

A game judges each step: what the hex that is entered costs, in its smallest step, or what bars it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Annotated, Generic, NamedTuple, TypeVar

import msgspec

from ..questions.report import Step, step
from ..questions.view import View, changed
from ..state.changes import Change, Enter
from ..state.vocabulary import HexNumber
from ..util.notes import note
from .ways import Barred, check_way


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that a unit enters."""

    hex: HexNumber
    cost: Annotated[int, note("what entering it costs, in the smallest step of a Movement Point")]


E = TypeVar("E", bound=Entered)
JudgeStep = Callable[[str, str, int], E | Barred]
"""Judges a step from a hex into the next; the number is that of the hexes entered before."""


class Walked(NamedTuple, Generic[E]):
    """How far a way leads. cost: of the hexes entered; barred: what keeps the unit from the next one, None if the way
    is free; lacks: what the next hex costs beyond the allowance, 0 if it is not that; minimum: whether it is a minimum
    move.
    """

    entered: tuple[E, ...]
    cost: int
    barred: Barred | None = None
    lacks: int = 0
    minimum: bool = False


class Reached(msgspec.Struct, frozen=True, kw_only=True):
    """A hex within reach."""

    hex: HexNumber
    cost: Annotated[int, note("what it costs to get there, in the smallest step of a Movement Point")]
    way: Annotated[tuple[str, ...], note("a cheapest way, hex by hex")]
    minimum: Annotated[bool, note("whether only the minimum move leads there")] = False


class Moving(NamedTuple, Generic[E]):
    """How a unit moves from a hex. allowance: in the smallest step of a Movement Point; minimum: whether it may enter a
    hex that costs more than that all the same, as the only one of its move, for all that it has.
    """

    view: View
    at: str
    allowance: int
    enter: JudgeStep[E]
    minimum: Callable[[E], bool] = lambda entered: False

    def along(self, way: Sequence[str]) -> Walked[E]:
        """A way up to the first hex that bars it. Raises InputError for an empty way or a hex that is not next to the
        one before.
        """
        check_way(self.view, self.at, way)
        entered, spent = list[E](), 0
        for number, (here, there) in enumerate(pairwise((self.at, *way))):
            entry = self.enter(here, there, number)
            if isinstance(entry, Barred):
                return Walked(tuple(entered), spent, entry)
            if (lacks := spent + entry.cost - self.allowance) > 0:
                if len(way) == 1 and self.minimum(entry):
                    return Walked((entry,), self.allowance, minimum=True)
                return Walked(tuple(entered), spent, lacks=lacks)
            entered.append(entry)
            spent += entry.cost
        return Walked(tuple(entered), spent)

    def stopped(
        self, unit: str, way: Sequence[str], walked: Walked[E], rule: str, points: Callable[[int], str] = str
    ) -> list[Step]:
        """What keeps a unit from the next hex of a way that leads no farther, in a step; none if nothing does.

        rule: of what hexes cost; points: Movement Points as players say them.
        """
        at = way[min(len(walked.entered), len(way) - 1)]
        if walked.barred:
            return [step(walked.barred.rule, "{hex}: {why}", hex=at, why=walked.barred.why)]
        text = "{hex}: {cost_points} Movement Points are needed, and {unit} has {allowance_points}"
        needed, has = points(self.allowance + walked.lacks), points(self.allowance)
        lacking = step(rule, text, hex=at, unit=unit, cost_points=needed, allowance_points=has)
        return [lacking] if walked.lacks else []

    def within_reach(self) -> tuple[Reached, ...]:
        """The hexes that it can move to, each with its cheapest way, the cheapest first."""
        reached = dict[str, Reached]()
        edge: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
        while edge:
            spent, number, way = heappop(edge)
            here = way[-1] if way else self.at
            if here in reached:
                continue
            if way:
                minimum = spent > self.allowance
                reached[here] = Reached(hex=here, cost=min(spent, self.allowance), way=way, minimum=minimum)
            for there in self.view.board.neighbours(here):
                if there in reached or there == self.at:
                    continue
                entry = self.enter(here, there, number)
                if isinstance(entry, Barred):
                    continue
                if spent + entry.cost <= self.allowance or (not way and self.minimum(entry)):
                    heappush(edge, (spent + entry.cost, number + 1, (*way, there)))
        return tuple(sorted(reached.values(), key=lambda place: (place.cost, place.hex)))


def bring_unit(view: View, unit: str, at: str | None, rule: str, *, on_top: bool = False) -> Change | Enter:
    """The change that brings a unit to a place, or off the map to wait there if it is None. rule: by which it comes;
    on_top: of the stack, if it enters play; otherwise below it.
    """
    if unit in view.state.units:
        return changed(view, "place", unit, at, rule)
    return Enter(unit, unit, at, len(view.stack(at)) if at and not on_top else 0, rule)
