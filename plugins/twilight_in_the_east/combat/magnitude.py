"""The size of a combat (10.10.1)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..forces.units import CombatUnit, stacking_value


def divisions(units: Iterable[CombatUnit]) -> Fraction:
    """The divisions that units count for in a combat's magnitude, before its losses.

    An infantry division counts 1; an infantry brigade, a reduced infantry division, a cavalry division and a Fortress
    one half; artillery, Forts, cavalry brigades and smaller units nothing. Rule: 10.10.1, 12.0
    """
    fortress = Fraction(1, 2)
    return sum((fortress if unit.arm == "fortress" else stacking_value(unit) for unit in units), Fraction(0))


def magnitude(attacking: Fraction, defending: Fraction) -> str:
    """Small under 2 divisions, Medium under 4, Large under 6, from 6 on Massive if the defenders make up at least 2.
    Rule: 10.10.1, 10.10.1b
    """
    both = attacking + defending
    if both < 2:
        return "Small"
    if both < 4:
        return "Medium"
    return "Massive" if both >= 6 and defending >= 2 else "Large"
