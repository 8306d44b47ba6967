"""The report on a set-up: what a scenario begins with, where its units stand or should stand, and what has to be placed
or stated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, TypeVar

import msgspec

from ..field.deployment import Instruction, Named, SetUpCheck, placings, unit_parts, word_verdict
from ..questions.report import Part, Report, Step, step
from ..questions.view import View
from ..state.changes import Change
from ..state.sources import Value
from ..state.state import FactKey
from ..util.notes import note


class Deployed(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up of a scenario, and how far a position agrees with it."""

    scenario: Annotated[str, note("the scenario")]
    units: Annotated[tuple[SetUpCheck, ...], note("each unit that is set up")]
    extra: Annotated[tuple[str, ...], note("units on the map that the scenario does not set up")]


D = TypeVar("D", bound=Deployed)


def set_up(
    view: View,
    deployed: D,
    orders: Collection[Instruction],
    begins: Mapping[FactKey, Value],
    steps: Iterable[Step],
    *,
    named: Named,
    rule: str,
    placing_rule: str,
) -> Report[D]:
    """The report on a set-up.

    begins: the facts with which the scenario begins; those that are not stated are to be stated. steps: what else there
    is to say of it; named: finds the hex of a place; rule: of those facts; placing_rule: of where units are placed.
    """
    extra = tuple(step(placing_rule, "{unit}", unit=unit) for unit in deployed.extra)
    missing = (Change(*of, None, value, rule) for of, value in begins.items() if of not in view.state.facts)
    return Report(
        title=f"Set-up of {deployed.scenario}",
        verdict=word_verdict(deployed.units),
        parts=(Part("Scenario", tuple(steps)), *unit_parts(deployed.units), Part("Not in this set-up", extra)),
        changes=(*missing, *placings(view, orders, deployed.units, named)),
        result=deployed,
    )
