"""The question `stack`: the units in hexes, and whether there are too many (3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from assistant.asking import Gather, View
from assistant.rules.stacks import Limits, StackedUnit, count_again, count_unit, stack_question
from assistant.state.changes import AnyChange
from assistant.state.state import Unit

from . import terms
from .forces import eliminate_unit

MAX_UNITS = 3
"""The maximum number of infantry and cavalry units in a hex."""


def fits_in_hex(units: Collection[StackedUnit]) -> bool:
    """Return whether units may end a Movement Phase in one hex.

    A hex holds three units of infantry and cavalry, a heavy artillery unit and a headquarters. Dummies count as the
    units that they represent.

    Rule: 3.2, 10.1
    """
    arms = [unit.arm for unit in units]
    artillery = arms.count(terms.ARTILLERY)
    headquarters = arms.count(terms.HEADQUARTERS)
    return artillery <= 1 and headquarters <= 1 and len(arms) - artillery - headquarters <= MAX_UNITS


def may_stack(facts: Gather, units: Iterable[str]) -> bool:
    """Return whether units of the position may end a Movement Phase in one hex."""
    return fits_in_hex([count_unit(facts, facts.view.unit(name)) for name in units])


class _Stacking(Limits[StackedUnit]):
    """The limits at the end of a Movement Phase."""

    limit_rule = "3.2"
    excess_rule = "3.2"
    ends = "the side's Movement Phase"

    def read(self, facts: Gather, unit: Unit) -> StackedUnit:
        return count_unit(facts, unit)

    def fits(self, units: Collection[StackedUnit]) -> bool:
        return fits_in_hex(units)

    def gone(self, view: View, unit: str, rule: str) -> Iterable[AnyChange]:
        return eliminate_unit(view, unit, rule)

    def own(self, view: View, at: str) -> bool:
        return view.word("phasing") in ("", view.side_of(view.stack(at)[0].id))

    def stays(self, view: View, unit: str) -> Iterable[AnyChange]:
        return count_again(view, unit, rule="6.5")

    def now(self, view: View) -> bool:
        return view.word("phase") in ("", terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT)


LIMITS = _Stacking()
QUESTION = stack_question(LIMITS)
