"""The question `stack`: what hexes hold, and what is too much (3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from assistant.questions import Gather, View, changed
from assistant.readymade.stacks import Limits, stack_question
from assistant.state.changes import AnyChange, Gain
from assistant.state.state import Unit

from . import terms

MOST = 3
"""How many infantry and cavalry units a hex holds."""


class Counted(NamedTuple):
    """A unit as the stacking limits count it."""

    id: str
    nation: str
    arm: str


def counted(facts: Gather, unit: Unit) -> Counted:
    """A unit of the position as the limits count it."""
    return Counted(unit.id, facts.word("nation", unit.id), facts.word("arm", unit.id))


def fits(units: Collection[Counted]) -> bool:
    """Whether units may end a Movement Phase in one hex: three of infantry and cavalry, a heavy artillery unit and a
    headquarters. Dummies count as what they pretend to be.
    Rule: 3.2, 10.1
    """
    arms = [unit.arm for unit in units]
    artillery, headquarters = arms.count(terms.ARTILLERY), arms.count(terms.HEADQUARTERS)
    return artillery <= 1 and headquarters <= 1 and len(arms) - artillery - headquarters <= MOST


def gone(view: View, unit: str, rule: str) -> Iterator[AnyChange]:
    """What changes as an excess unit is eliminated. Its Strength Points count for the enemy. Rule: 3.2, 8.0/vp"""
    yield changed(view, "place", unit, None, rule)
    with view.gather() as facts:
        points = strength_lost(facts, unit)
    if points:
        yield Gain("lost", view.side_of(unit), points, "8.0")


def strength_lost(facts: Gather, unit: str) -> int:
    """The Strength Points that count for the enemy as a unit is eliminated: none of heavy artillery. Rule: 8.0/vp, 3.1/artillery"""
    if facts.word("arm", unit) in (terms.ARTILLERY, terms.DUMMY):
        return 0
    return facts.integer("sp", unit)


QUESTION = stack_question(
    Limits(
        read=counted,
        fits=fits,
        mixes=lambda unit: False,
        limit_rule="3.2",
        excess_rule="3.2",
        mixed_rule="3.2",
        gone=gone,
        lost="",
        ends="the side's Movement Phase",
        together="which no rule allows",
        now=lambda view: view.word("phase") in ("", terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT),
    )
)
