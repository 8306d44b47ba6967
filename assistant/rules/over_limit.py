"""Units over the stacking limit since a retreat, by the track `over`: who they are, and when they count again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from ..asking.view import Gather, View, changed
from ..state.changes import AnyChange
from ..state.state import Unit
from .excess import beyond


class StackedUnit(NamedTuple):
    """A unit as most stacking limits count it. over: whether it is over them since a retreat."""

    id: str
    nation: str
    arm: str
    over: bool = False


def count_unit(facts: Gather, unit: Unit) -> StackedUnit:
    """Return a unit of the position as most limits count it: the tracks `nation` and `arm`, and `over`, which a game
    may lack.
    """
    over = "over" in facts.view.game.tracks and facts.flag("over", unit.id)
    return StackedUnit(unit.id, facts.word("nation", unit.id), facts.word("arm", unit.id), over)


def over_limit(
    facts: Gather, at: str, arriving: Iterable[str], fits: Callable[[Collection[StackedUnit]], bool]
) -> list[str]:
    """Return the units that retreat into a hex beyond what it holds, in the order in which they are named; by the track
    `over`.
    """
    inside = (count_unit(facts, unit) for unit in facts.view.stack(at) if not facts.view.flag("over", unit.id))
    return beyond(inside, (count_unit(facts, facts.view.unit(name)) for name in arriving), fits)


def still_over(facts: Gather, at: str, fits: Callable[[Collection[StackedUnit]], bool]) -> list[str]:
    """Return the units of a hex that are over the limit since a retreat and for which there is no room yet; by the
    track `over`.
    """
    came = [unit.id for unit in facts.view.stack(at) if facts.view.flag("over", unit.id)]
    return over_limit(facts, at, came, fits) if came else []


def count_again(view: View, unit: str, *, rule: str) -> Iterator[AnyChange]:
    """Yield what changes for a unit over the limit since a retreat that stays, or goes elsewhere: it counts again; by the track
    `over`, which a game may lack.
    """
    if "over" in view.game.tracks and view.flag("over", unit):
        yield changed(view, "over", unit, None, rule)
