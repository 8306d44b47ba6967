"""The question `stack`: what hexes hold, and what is too much (3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from assistant.questions import Gather, View, changed
from assistant.readymade.stacks import Limits, beyond, stack_question
from assistant.state.changes import AnyChange
from assistant.state.state import Unit

from . import terms
from .forces import eliminate

MOST = 3
"""How many infantry and cavalry units a hex holds."""


class Counted(NamedTuple):
    """A unit as the stacking limits count it."""

    id: str
    nation: str
    arm: str
    over: bool = False


def counted(facts: Gather, unit: Unit) -> Counted:
    """A unit of the position as the limits count it."""
    return Counted(unit.id, facts.word("nation", unit.id), facts.word("arm", unit.id), facts.flag("over", unit.id))


def fits(units: Collection[Counted]) -> bool:
    """Whether units may end a Movement Phase in one hex: three of infantry and cavalry, a heavy artillery unit and a
    headquarters. Dummies count as what they pretend to be.
    Rule: 3.2, 10.1
    """
    arms = [unit.arm for unit in units]
    artillery, headquarters = arms.count(terms.ARTILLERY), arms.count(terms.HEADQUARTERS)
    return artillery <= 1 and headquarters <= 1 and len(arms) - artillery - headquarters <= MOST


def over_limit(facts: Gather, at: str, arriving: Iterable[str]) -> list[str]:
    """The units that retreat into a hex beyond what it holds, in the order in which they are named. Rule: 6.5/overstack"""
    inside = (counted(facts, unit) for unit in facts.view.stack(at) if not facts.view.flag("over", unit.id))
    return beyond(inside, (counted(facts, facts.view.unit(name)) for name in arriving), fits)


def still_over(facts: Gather, at: str) -> list[str]:
    """The units of a hex that are over the limit since a retreat and for which there is no room yet. Rule: 6.5/overstack"""
    came = [unit.id for unit in facts.view.stack(at) if facts.view.flag("over", unit.id)]
    return over_limit(facts, at, came) if came else []


def fits_again(view: View, unit: str) -> Iterator[AnyChange]:
    """What changes for a unit over the limit since a retreat that stays: it counts again. Rule: 6.5/overstack"""
    if view.flag("over", unit):
        yield changed(view, "over", unit, None, "6.5")


QUESTION = stack_question(
    Limits(
        read=counted,
        fits=fits,
        mixes=lambda unit: False,
        limit_rule="3.2",
        excess_rule="3.2",
        mixed_rule="3.2",
        gone=eliminate,
        lost="",
        ends="the side's Movement Phase",
        together="which no rule allows",
        own=lambda view, at: view.word("phasing") in ("", view.side_of(view.stack(at)[0].id)),
        late=lambda unit: unit.over,
        stays=fits_again,
        now=lambda view: view.word("phase") in ("", terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT),
    )
)
