"""The question `stack`: what hexes hold, and what is too much (3.2)."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from assistant.rules.stacks import Limits, StackedUnit, count_again, count_unit, stack_question

from . import terms
from .forces import eliminate

MOST = 3
"""How many infantry and cavalry units a hex holds."""


def fits(units: Collection[StackedUnit]) -> bool:
    """Return whether units may end a Movement Phase in one hex: three of infantry and cavalry, a heavy artillery unit
    and a headquarters. Dummies count as what they pretend to be. Rule: 3.2, 10.1
    """
    arms = [unit.arm for unit in units]
    artillery = arms.count(terms.ARTILLERY)
    headquarters = arms.count(terms.HEADQUARTERS)
    return artillery <= 1 and headquarters <= 1 and len(arms) - artillery - headquarters <= MOST


LIMITS = Limits(
    read=count_unit,
    fits=fits,
    limit_rule="3.2",
    excess_rule="3.2",
    gone=eliminate,
    ends="the side's Movement Phase",
    own=lambda view, at: view.word("phasing") in ("", view.side_of(view.stack(at)[0].id)),
    stays=partial(count_again, rule="6.5"),
    now=lambda view: view.word("phase") in ("", terms.FIRST_MOVEMENT, terms.SECOND_MOVEMENT),
)
QUESTION = stack_question(LIMITS)
