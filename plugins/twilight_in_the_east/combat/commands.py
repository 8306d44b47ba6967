"""Commands: who uses an Artillery Ammunition Point together, and who leads Asset Units (6.4, 10.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..forces.units import CombatUnit, formation_joined
from ..leaders.combat import DIVISION, Led


def commands_of(some: Iterable[CombatUnit], units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """Return the commands under which some units of a side fight, each of which needs an AP of its own. Rule: 10.5.1"""
    return tuple(dict.fromkeys(command_of(unit, units) for unit in some))


def command_of(unit: CombatUnit, units: Sequence[CombatUnit]) -> str:
    """Return the command that a unit fights under: a corps, or the hex of its stack if it is independent; an Asset Unit
    fights under the formation it stands with. Corps of one number in two nations are two commands. Rule: 6.4.1a
    """
    unit = command_holder(unit, units)
    if any(other.corps == unit.corps and other.nation != unit.nation for other in units if unit.corps):
        return f"{unit.nation} {unit.corps}"
    return unit.corps or unit.place


def command_holder(unit: CombatUnit, units: Sequence[CombatUnit]) -> CombatUnit:
    """Return the unit whose command a unit shares: itself, or for an Asset Unit the formation that it stands with
    (6.4.1).
    """
    name = formation_joined(unit, units)
    return next((other for other in units if other.id == name), unit)


def units_as_led(units: Iterable[CombatUnit], present: Sequence[CombatUnit]) -> tuple[Led, ...]:
    """Return units as leaders see them: an Asset Unit is attached where the formation is that it stands with (25.1.2).

    present: all units of its side that may be such formations.
    """
    led = []
    for unit in units:
        holder = command_holder(unit, present)
        brigades = {"XX": DIVISION, "X": 1}.get(unit.size, 0) if unit.formation and unit.arm == "infantry" else 0
        led.append(Led(unit.nation, holder.corps, holder.army, brigades))
    return tuple(led)
