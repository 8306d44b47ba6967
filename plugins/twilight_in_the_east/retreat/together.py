"""Retreating as a stack: who goes along, who may stay, and who goes on where the last hex holds too much (11.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from assistant.questions.report import Step
from assistant.questions.view import View
from assistant.util.errors import InputError

from ..forces.units import CombatUnit
from ..terms import FORTRESSES, SUPPLY_ARMS
from .stack import Retreating


def as_a_stack(view: View, found: Retreating, crowded: Callable[[tuple[CombatUnit, ...], str], bool]) -> list[Step]:
    """What is wrong with who retreats how far: a stack parts only where its units owe different numbers of hexes, or in the last
    hex, where only those go on that are too many.

    crowded: whether a hex holds too much once these units stand there too. Raises InputError for a way that goes on without need.

    Rule: 11.2.1
    """
    goes_on(found, crowded)
    return apart(view, found.parameters.at, [unit.id for unit in found.units], found.parameters.owed)


def stayers(view: View, at: str, going: Collection[str]) -> list[str]:
    """The units that stay where others of their stack retreat; supply and fortress units never go along."""
    arms = {unit.id: view.fact("arm", unit.id) for unit in view.stack(at) if unit.id not in going}
    return [unit for unit, arm in arms.items() if not arm or arm.value not in (*SUPPLY_ARMS, *FORTRESSES)]


def parted(view: View, at: str, going: Collection[str]) -> list[Step]:
    """What is granted where only a part of the stack retreats, and nobody says what the others owe (11.2.1)."""
    left = [unit for unit in stayers(view, at, going) if view.fact("owes", unit) is None]
    text = "{units} stay: a stack parts only where they owe fewer hexes"
    return [Step("11.2.1", text, {"units": left})] if left else []


def apart(view: View, at: str, going: Sequence[str], hexes: int) -> list[Step]:
    """What is wrong with who retreats and who stays, as far as it is known what they owe: a unit that still owes hexes goes along,
    and nobody goes farther than he owes.

    hexes: of the retreat.
    """
    steps = []
    for unit in stayers(view, at, going):
        owed = view.fact("owes", unit)
        if owed is not None and owed.value:
            text = "{unit} still owes {owed:#hex} and retreats with the others"
            steps.append(Step("11.2.1", text, {"unit": unit, "owed": owed.value}))
    for unit in going:
        owed = view.fact("owes", unit)
        if owed is not None and isinstance(owed.value, int) and owed.value < hexes:
            text = "{unit} owes {owed:#hex} only"
            steps.append(Step("11.2.1", text, {"unit": unit, "owed": owed.value}))
    return steps


def goes_on(found: Retreating, crowded: Callable[[tuple[CombatUnit, ...], str], bool]) -> None:
    """Raise InputError if a way goes on beyond the hexes that are owed without need: it does only from a hex that holds too much,
    and only for those that are too many there.

    crowded: whether a hex holds too much once these units stand there too.
    """
    parameters = found.parameters
    owed = parameters.owed
    for hex in parameters.way[max(owed - 1, 0) : -1] if owed else parameters.way:
        if not crowded(found.units, hex):
            hint = f"{owed} hexes are owed, and only an over-stack in the last of them leads farther (4.2.3)"
            raise InputError(f"way: it goes on from {hex}", hint=hint)
        for force in found.forces:
            if not crowded(force.units, hex):
                hint = "only those go on that are too many: ask for the others first, with units="
                raise InputError(f"way: {force.name} may stay in {hex} (11.2.1)", hint=hint)
