"""What draws a retreat: the supply sources of its commands, and the areas of its armies (11.2.2, 11.2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.questions import View
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, may_draw
from ..forces.units import CombatUnit, Force
from ..terms import SUPPLY_ARMS

Supply = Mapping[tuple[str, str], Mapping[str, tuple[Unit, str]]]
"""The supply units of a side with their arms, by id, by their corps and by their army."""


def supply_of(view: View, units: Iterable[Unit]) -> Supply:
    """The supply units among some units, by the commands that may draw on them."""
    found: dict[tuple[str, str], dict[str, tuple[Unit, str]]] = {}
    for unit in units:
        if (arm := view.word("arm", unit.id)) in SUPPLY_ARMS:
            corps, army = corps_and_army(view, unit.id)
            for key in (("corps", corps), ("army", army)):
                found.setdefault(key, {})[unit.id] = (unit, arm)
    return found


def sources_of_command(view: View, supply: Supply, corps: str, army: str) -> list[str]:
    """The hexes of the Corps Trains and the depots of a command, as far as they are known."""
    near = {**supply.get(("corps", corps), {}), **supply.get(("army", army), {})}
    drawn = (one for one, arm in near.values() if may_draw(corps, army, arm, *corps_and_army(view, one.id)))
    return [str(one.place) for one in drawn]


def sources_of(view: View, supply: Supply, forces: Iterable[Force]) -> frozenset[str]:
    """The hexes of all supply sources of the commands of some Forces, as far as they are known."""
    commands = {corps_and_army(view, force.name) for force in forces}
    return frozenset(place for command in commands for place in sources_of_command(view, supply, *command))


def areas_of(view: View, units: Sequence[CombatUnit]) -> tuple[frozenset[str] | None, ...]:
    """The Areas of Attachment of the armies of a stack, None where one is not stated; Asset Units go with their formations."""
    formations = [unit for unit in units if unit.formation] or units
    return tuple(dict.fromkeys(area(view, army_of(view, unit.id)) for unit in formations))
