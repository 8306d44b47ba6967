"""The question `stack`, and whether a hex has room for units."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, NamedTuple

from ...asking.question import Question
from ...asking.view import Gather, View, changed, moment
from ...game.games import Game
from ...state.changes import AnyChange, Gain
from ...state.state import Unit
from ..stacks import Limits, stack_question
from .compiled import Rules, rules_of

LOST_POINTS = "lost"
"""The track of sides with the points of their lost units; a game may lack it."""


class Counted(NamedTuple):
    """A unit as the limits count it."""

    id: str
    nation: str
    counts: tuple[tuple[int, int], ...]
    """For each limit in force, its size and what the unit counts of it."""


def count_unit(rules: Rules, facts: Gather, unit: Unit) -> Counted:
    """Return a unit as the limits in force count it."""
    counts = list[tuple[int, int]]()
    for limit in rules.limits:
        if limit.is_in_force(facts):
            counted = limit.is_for(facts, unit.id) and limit.is_chosen(facts)
            points = facts.integer(limit.clause.points, unit.id) if counted and limit.clause.points else int(counted)
            counts.append((limit.clause.total, points))
    return Counted(unit.id, facts.word(facts.view.game.file.picture.nation, unit.id), tuple(counts))


def fits_in_hex(units: Collection[Counted]) -> bool:
    """Return whether units may stay in one hex."""
    by_limit = zip(*(unit.counts for unit in units), strict=True)
    return all(sum(points for _, points in counts) <= counts[0][0] for counts in by_limit)


def may_stack(facts: Gather, units: Iterable[str]) -> bool:
    """Return whether units may stay in one hex, by their ids."""
    rules = rules_of(facts.view.game)
    return fits_in_hex([count_unit(rules, facts, facts.view.unit(name)) for name in units])


def has_room(facts: Gather, units: Collection[str]) -> Callable[[str], bool]:
    """Return a function that returns whether a hex has room for units that come together."""
    view = facts.view
    return lambda at: may_stack(facts, [*(unit.id for unit in view.stack(at) if unit.id not in units), *units])


def eliminate_unit(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """Yield the changes that eliminate a unit: it leaves the map, and its side loses the points that it is worth."""
    yield changed(view, "place", unit, None, rule)
    scoring = rules_of(view.game).file.victory
    if scoring and scoring.losses and (points := view.integer(scoring.losses, unit)):
        yield Gain(LOST_POINTS, view.side_of(unit), points, scoring.rule)


class StackingLimits(Limits[Counted]):
    """The stacking limits of a game."""

    def __init__(self, rules: Rules) -> None:
        stacking = rules.stacking
        self._rules = rules
        self.limit_rule = self.excess_rule = stacking.rule
        self.ends = stacking.ends

    def read(self, facts: Gather, unit: Unit) -> Counted:
        """Return a unit as the limits count it."""
        return count_unit(self._rules, facts, unit)

    def fits(self, units: Collection[Counted]) -> bool:
        """Return whether units may end the phase in one hex."""
        return fits_in_hex(units)

    def gone(self, view: View, unit: str, rule: str) -> Iterable[AnyChange]:
        """Return the changes that eliminate a unit."""
        return eliminate_unit(view, unit, rule)

    def own(self, view: View, at: str) -> bool:
        """Return whether the current phase belongs to the side that holds a hex."""
        return moment(view)[1] in ("", view.side_of(view.stack(at)[0].id))

    def now(self, view: View) -> bool:
        """Return whether excess units are eliminated at the end of the current phase."""
        phases = self._rules.stacking.phases
        return not phases or moment(view)[0] in ("", *phases)


def make_questions(game: Game) -> tuple[Question[Any, Any], ...]:
    """Return the question `stack` of a game."""
    return (stack_question(StackingLimits(rules_of(game))),)
