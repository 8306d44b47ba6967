"""What a leader means for a combat: whose units bring it about, the columns it shifts, and what the step loss roll of
his units takes (25.2 to 25.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from .command import Leader

Role = Literal["attacker", "defender"]


DIVISION = 2
"""The brigades that make a division (2.2)."""
BRIGADES = "leaders-brigades"
"""The ruling on brigades where a leader commands divisions."""
PAIRED = "25.4"
"""The rule of the two leaders whose corps may defend in one hex: Artamonov and Blagoveshchenski."""


class Led(msgspec.Struct, frozen=True):
    """A unit that fights, as leaders see it."""

    nation: str
    corps: str
    """To which it is attached, "" for none."""
    army: str
    """To which it is attached, "" for none."""
    brigades: int
    """How many it is worth as infantry: a division two, a brigade one, any other unit none."""


def _leads(leader: Leader, unit: Led) -> bool:
    """Return whether a unit may bring about what a leader means for a combat: of his corps, or of his army whatever its
    nation, and infantry of the size of a brigade or division if he commands divisions.
    """
    of_his = unit.corps == leader.corps if leader.corps else unit.army == leader.army
    return unit.nation in leader.nations and of_his and (unit.brigades > 0 or not leader.divisions)


def leader_needs_army(leader: Leader, role: Role, unit: Led, units: Sequence[Led], reading: str) -> bool:
    """Return whether the army of a unit, which is not stated, may decide if a leader's command applies to a side.
    units: those of the side that fight; reading: as of `tells`.
    """
    led = [replace(each, army=each.army or leader.army) for each in units]
    may_lead = not unit.army and _leads(leader, replace(unit, army=leader.army))
    return bool(leader.army) and may_lead and does_lead(leader, role, led, reading)


def does_lead(leader: Leader, role: Role, units: Sequence[Led], reading: str) -> bool:
    """Return whether a leader's command applies in a combat to one of its sides, as long as it is not used up.

    reading: ruling leaders-brigades, whether a "pair" of brigades is the infantry division that some leaders need, or
    only a "division". Units of the spared corps rule out Prittwitz.
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
    return (sum(led) if reading == "pair" else max(led)) >= DIVISION


def shift_of(leader: Leader, role: Role) -> int:
    """Return the columns by which the odds shift for a leader whose units have a role, positive to the right.
    Rule: 25.4, 25.5, 25.6.1b, 25.7
    """
    return leader.columns if role == "attacker" else -leader.columns


def rolls_of(leader: Leader, role: Role, reading: str) -> Role:
    """Return whose step loss roll takes what a leader adds: that of his own units.

    reading: ruling leaders-loss-roll, whether 25.4 means the roll of the side that its leaders command, or of its
    enemy.
    Rule: 25.2, 25.3, 25.4, 25.5, 25.6.1b, 25.7
    """
    if leader.rule == PAIRED and reading == "enemy":
        return "attacker" if role == "defender" else "defender"
    return role


def effective(telling: Sequence[tuple[Leader, Role]], reading: str) -> list[tuple[Leader, Role]]:
    """Return the leaders who apply in a combat, without those whose shift and loss roll another's replace; their uses
    count all the same.

    telling: each with the role of his units; reading: ruling leaders-together, whether units of both corps of 25.4
    defending together bring the effects for "each" leader, or "once". Rule: 25.4
    """
    pair = [leader for leader, _ in telling if leader.rule == PAIRED]
    idle = pair[1:] if reading == "once" else []
    return [(leader, role) for leader, role in telling if leader not in idle]


def format_reason(leader: Leader, used: int) -> str:
    """Return why a combat is shifted or its rolls take more, in words. used: in how many combats he has been used
    before.
    """
    return f"{leader.title}, use {used + 1} of {leader.uses}"
