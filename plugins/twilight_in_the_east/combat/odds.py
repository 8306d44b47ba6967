"""Column shifts, the odds that come of them, and the magnitude of a combat (10.7, 10.8, 10.10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier

from ..forces.units import CombatUnit, stacking_value
from . import strength
from .engagement import Engagement


def column_shifts(engagement: Engagement) -> tuple[Modifier, ...]:
    """Every shift of a combat's column, positive to the right. Rule: 10.8e"""
    crossed, readings = list(engagement.crossed.values()), engagement.readings
    return (
        *strength.shift_for_terrain(engagement.terrain, crossed, engagement.shifts, readings.river_shift),
        *strength.shift_for_prepared(engagement.attackers, engagement.at),
        *strength.shift_for_flank(engagement.flanked),
        *strength.shift_for_corps(engagement.attackers, readings.several_corps),
        *strength.shift_for_position(engagement.position, engagement.attackers),
        *strength.modifiers("", ("added by the players", engagement.shift)),
    )


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """The shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts. Rule: 10.7"""
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, strength.initial_odds(attack, defence).shifted(net)


def divisions(units: Iterable[CombatUnit]) -> Fraction:
    """The divisions that units count for in a combat's magnitude, before its losses.

    An infantry division counts 1; an infantry brigade, a reduced infantry division, a cavalry division and a Fortress one half;
    artillery, Forts, cavalry brigades and smaller units nothing. Rule: 10.10.1, 12.0
    """
    fortress = Fraction(1, 2)
    return sum((fortress if unit.arm == "fortress" else stacking_value(unit) for unit in units), Fraction(0))


def magnitude(attacking: Fraction, defending: Fraction) -> str:
    """Small under 2 divisions, Medium under 4, Large under 6, from 6 on Massive if the defenders make up at least 2.
    Rule: 10.10.1, 10.10.1b
    """
    both = attacking + defending
    if both < 4:
        return "Small" if both < 2 else "Medium"
    return "Massive" if both >= 6 and defending >= 2 else "Large"
