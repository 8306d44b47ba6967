"""A leader's effect on a combat: the units that it needs, column shifts, and the step loss roll (25.2 to 25.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from .command import Leader

Role = Literal["attacker", "defender"]


BRIGADES_PER_DIVISION = 2
"""Number of brigades that count as a division (2.2)."""
BRIGADES_RULING = "leaders-brigades"
"""The ruling on brigades under a leader whose effect needs a division."""
PAIRED_RULE = "25.4"
"""The rule of the two leaders whose corps may defend in one hex: Artamonov and Blagoveshchenski."""


class Led(msgspec.Struct, frozen=True):
    """A unit in a combat, as the rules on leaders read it."""

    nation: str
    corps: str
    """The corps to which the unit is attached, or ""."""
    army: str
    """The army to which the unit is attached, or ""."""
    brigades: int
    """Infantry brigades: 2 for a division, 1 for a brigade, or 0 for other units."""


def _leads(leader: Leader, unit: Led) -> bool:
    """Return whether a unit may cause a leader's effect on a combat.

    It belongs to his corps or army and to a nation that he may command. If his effect needs a division, it is an
    infantry brigade or division.
    """
    of_his = unit.corps == leader.corps if leader.corps else unit.army == leader.army
    return unit.nation in leader.nations and of_his and (unit.brigades > 0 or not leader.divisions)


def leader_needs_army(leader: Leader, role: Role, unit: Led, units: Sequence[Led], reading: str) -> bool:
    """Return whether a unit's army is not stated and may decide whether a leader's command applies.

    `units`: the side's units in the combat.
    `reading`: as in `does_lead`.
    """
    led = [replace(each, army=each.army or leader.army) for each in units]
    may_lead = not unit.army and _leads(leader, replace(unit, army=leader.army))
    return bool(leader.army) and may_lead and does_lead(leader, role, led, reading)


def does_lead(leader: Leader, role: Role, units: Sequence[Led], reading: str) -> bool:
    """Return whether a leader's command applies to a side of a combat, ignoring past uses.

    A unit of the corps in the leader's `spares` rules it out.

    `reading`: ruling leaders-brigades: by "pair" two brigades count as a division, by "division" they do not.

    Rule: 25.2, 25.3, 25.4, 25.5, 25.6.1b, 25.7
    """
    if leader.fights not in (role, "both"):
        return False
    spared = any(unit.nation == leader.nation and unit.corps == leader.spares for unit in units if leader.spares)
    led = [unit.brigades for unit in units if _leads(leader, unit)]
    if spared or not led:
        return False
    if not leader.divisions:
        return True
    return (sum(led) if reading == "pair" else max(led)) >= BRIGADES_PER_DIVISION


def shift_of(leader: Leader, role: Role) -> int:
    """Return the columns by which a leader shifts the odds, positive to the right, by the role of his units.

    Rule: 25.4, 25.5, 25.6.1b, 25.7
    """
    return leader.columns if role == "attacker" else -leader.columns


def rolls_of(leader: Leader, role: Role, reading: str) -> Role:
    """Return the side whose step loss roll a leader modifies: the side of his own units.

    `reading`: ruling leaders-loss-roll; by "enemy" the leaders of rule 25.4 modify the other side's roll.

    Rule: 25.2, 25.3, 25.4, 25.5, 25.6.1b, 25.7
    """
    if leader.rule == PAIRED_RULE and reading == "enemy":
        return "attacker" if role == "defender" else "defender"
    return role


def effective(telling: Sequence[tuple[Leader, Role]], reading: str) -> list[tuple[Leader, Role]]:
    """Return the leaders with an effect in a combat; leaders left out still use up their characteristic.

    `telling`: the leaders who apply, each with the role of his units.
    `reading`: ruling leaders-together: if both corps of rule 25.4 defend together, "each" leader has an effect, or one
    by "once".

    Rule: 25.4
    """
    pair = [leader for leader, _ in telling if leader.rule == PAIRED_RULE]
    idle = pair[1:] if reading == "once" else []
    return [(leader, role) for leader, role in telling if leader not in idle]


def format_reason(leader: Leader, used: int) -> str:
    """Return the reason for a leader's shift or modifier, such as `Brusilov, use 1 of 2`.

    `used`: the number of earlier combats in which he was used.
    """
    return f"{leader.title}, use {used + 1} of {leader.uses}"
