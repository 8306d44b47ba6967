"""What a leader means for a combat: whose units bring it about, the columns it shifts, and what the step loss roll of
his units takes (25.2 to 25.7).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from .command import Leader

Role = Literal["attacker", "defender"]


class Led(NamedTuple):
    """A unit that fights, as leaders see it. corps, army: to which it is attached, "" for none; division: whether it is
    infantry of the size of a division.
    """

    nation: str
    corps: str
    army: str
    division: bool


def leads(leader: Leader, unit: Led) -> bool:
    """Whether a unit brings about what a leader means for a combat: of his nation, of his corps or army, and of the size
    of a division if that is required.
    """
    of_his = unit.corps == leader.corps if leader.corps else unit.army == leader.army
    return unit.nation == leader.nation and of_his and (unit.division or not leader.divisions)


def needs_army(leader: Leader, unit: Led) -> bool:
    """Whether the army of a unit, which is not stated, decides if a leader leads it."""
    return bool(leader.army) and not unit.army and leads(leader, unit._replace(army=leader.army))


def tells(leader: Leader, role: Role, units: Sequence[Led]) -> bool:
    """Whether a leader's command applies in a combat to one of its sides, as long as it is not used up.

    units: those of the side that fight. An attack in which units of the corps that is spared take part is none for
    Prittwitz. Rule: 25.2, 25.3, 25.4, 25.5, 25.6.1b, 25.7
    """
    if leader.fights not in (role, "both"):
        return False
    spared = any(unit.nation == leader.nation and unit.corps == leader.spares for unit in units if leader.spares)
    return not spared and any(leads(leader, unit) for unit in units)


def shift_of(leader: Leader, role: Role) -> int:
    """The columns by which the odds shift for a leader whose units have a role, positive to the right.
    Rule: 25.4, 25.5, 25.6.1b, 25.7
    """
    return leader.columns if role == "attacker" else -leader.columns


def rolls_of(leader: Leader, role: Role, reading: str) -> Role:
    """Whose step loss roll takes what a leader adds: that of his own units.

    reading: ruling leaders-loss-roll, whether 25.4 means the roll of the side that its leaders command, or of its enemy.
    Rule: 25.2, 25.3, 25.4, 25.5, 25.6.1b, 25.7
    """
    if leader.rule == "25.4" and reading == "enemy":
        return "attacker" if role == "defender" else "defender"
    return role


def why_tells(leader: Leader, used: int) -> str:
    """Why a combat is shifted or its rolls take more, in words. used: in how many combats he has been used before."""
    return f"{leader.title}, use {used + 1} of {leader.uses}"
