"""Strengths, odds, column shifts and the magnitude of a combat (3.4, 10.1 to 10.8, 10.10)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from assistant.asking.permission import Clause
from assistant.mechanics.odds import Odds, half_up, odds_from_midpoint
from assistant.mechanics.procedure import Modifier

from ..forces.bars import is_barred
from ..forces.units import CombatUnit, stacking_value
from ..terms import FORTRESSES, GREAT_RIVERS
from .allocation import commands_of


class FlankEffects(msgspec.Struct, frozen=True):
    """What being flanked costs a defender: columns to the right, and what it adds to its roll for losses and to its
    checks.
    """

    columns: int = 0
    losses: int = 0
    check: int = 0


LOWEST = Odds.parse("1:4")
HIGHEST = Odds.parse("6:1")
PREPARED = "10.3.1"
"""The rule that shifts a Prepared Attack's column."""


def bars_of_guns(unit: CombatUnit) -> Iterator[Clause]:
    """Yield why the artillery of a unit does not count in a combat. Rule: 3.5.1, 10.5a"""
    yield not unit.armed, "10.5", "without an AP"
    yield is_barred(unit, "use AP"), "10.5", "barred from using one"


def artillery_value(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """Return the artillery that a unit brings to bear: with an AP only, unless it needs none; halved across a Major or
    Grand River.

    Half of a fortress unit's strength is artillery and needs no AP. across: what lies on the hexside it attacks over.
    Rule: 3.4.3, 3.5.1, 3.7.2
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm, 2)
    if any(holds for holds, _, _ in bars_of_guns(unit)):
        return Fraction(0)
    return Fraction(unit.artillery, 2 if GREAT_RIVERS & set(across) else 1)


def attack_strength(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """Return a unit's strength in attack: steps left and artillery, all halved across a Major or Grand River.
    Rule: 3.4.1, 3.5.1, 10.6.1
    """
    steps = 0 if unit.arm == "artillery" else unit.left
    return Fraction(steps, 2 if GREAT_RIVERS & set(across) else 1) + artillery_value(unit, across)


def defence_strength(unit: CombatUnit) -> Fraction:
    """Return a unit's strength in defence: printed strength less steps lost, and artillery; half under a 1/2 marker.
    Rule: 3.4.2, 3.7.2, 10.6.2, 12.2
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm)
    strength = 0 if unit.arm == "artillery" else max(unit.defence - unit.lost, 0)
    return Fraction(strength, 2 if unit.half else 1) + artillery_value(unit)


def rounded_total(strengths: Sequence[Fraction]) -> int:
    """Return a side's total, rounded once when everything is added up. Rule: 4.4, 4.5c, 10.1.3a"""
    return half_up(sum(strengths, Fraction(0)))


def initial_odds(attack: int, defence: int) -> Odds:
    """Return the odds before shifts. A defence of nothing gives the highest column of the chart. Rule: 4.4.1, 10.7"""
    if defence <= 0:
        return HIGHEST
    return odds_from_midpoint(attack, defence) if attack > 0 else LOWEST


def odds_of_modifiers(initial: Odds, final: Odds, reading: str) -> Odds:
    """Return the odds by which the modifiers of losses and checks go, where the final ones lie past an end of the
    chart.

    reading: ruling beyond-chart, the final odds, or those only where the odds lay past it before any shift. Rule: 10.8e
    """
    begun = initial != initial.within(LOWEST, HIGHEST)
    return final if reading == "final" or begun else final.within(LOWEST, HIGHEST)


def shift_for_corps(units: Sequence[CombatUnit], reading: str) -> tuple[Modifier, ...]:
    """Return a shift of one column left if the attackers belong to more than one corps. reading: ruling several-corps.
    Rule: 10.8c
    """
    more = max(len(commands_of(units, units)) - 1, 0)
    shift = more if reading == "each" else min(more, 1)
    return modifiers("10.8", (f"attackers of {more + 1} corps or independent stacks", -shift))


def shift_for_prepared(units: Sequence[CombatUnit], target: str) -> tuple[Modifier, ...]:
    """Return a shift of one column right if every attacker has a Prepared Attack marker pointing at the defending hex.
    Rule: 10.3.1
    """
    return modifiers(PREPARED, ("Prepared Attack", all(unit.prepared == target for unit in units)))


def flank_effects(*, flanked: bool) -> FlankEffects:
    """Return all that being flanked costs a defender. Rule: 10.4.3"""
    return FlankEffects(columns=2, losses=2, check=1) if flanked else FlankEffects()


def shift_for_flank(*, flanked: bool) -> tuple[Modifier, ...]:
    """Return a shift of two columns right against a flanked defender. Rule: 10.8b"""
    return modifiers("10.4.3", ("defender flanked", flank_effects(flanked=flanked).columns))


def shift_for_position(level: int, attackers: Sequence[CombatUnit]) -> tuple[Modifier, ...]:
    """Return a shift of one column left for each level of the defender's Improved Position, less what artillery with an
    AP negates.

    Level 1 is negated by high trajectory or heavy artillery; of Levels 2 to 4 each of the two negates one column.
    Rule: 10.8d, 13.3.1b
    """
    kinds = {kind for unit in attackers if artillery_value(unit) for kind in unit.classes}
    negating = sorted(kinds & {"heavy", "high-trajectory"})
    return modifiers(
        "10.8",
        (f"Level {level} Improved Position", -level),
        (f"negated by {' and '.join(negating)} artillery", min(len(negating), level)),
    )


def barrier_shifts(crossed: Iterable[Collection[str]], shifts: Mapping[str, int]) -> list[int]:
    """Return the worst shift of what lies on the hexside of each attacking hex, or 0 if there is none. Rule: 10.8a"""
    return [min((shifts.get(feature, 0) for feature in side), default=0) for side in crossed]


def shift_for_terrain(
    terrain: str, crossed: Sequence[Collection[str]], shifts: Mapping[str, int], reading: str
) -> tuple[Modifier, ...]:
    """Return the shift of the defender's terrain, and of rivers and ridges that the attackers cross: the worst feature
    of each hexside, by `reading` (ruling river-shift) of the mildest hex (all), which may cross nothing, or the worst
    (any).

    crossed: for each attacking hex what is on the hexside; shifts: the Terrain Effects Chart's, by feature.
    Rule: 10.8a
    """
    worst = barrier_shifts(crossed, shifts)
    names = sorted({feature for side in crossed for feature in side if shifts.get(feature, 0)})
    across = (max if reading == "all" else min)(worst, default=0)
    return modifiers("10.8", (f"{terrain} terrain", shifts[terrain]), (f"across {' and '.join(names)}", across))


def modifiers(rule: str, *amounts: tuple[str, int]) -> tuple[Modifier, ...]:
    """Return the modifiers of a rule, each from why it applies and how much it adds; those that add nothing are left
    out.
    """
    return tuple([Modifier(rule, why, int(amount)) for why, amount in amounts if amount])


def final_odds(attack: int, defence: int, shifts: Sequence[Modifier]) -> tuple[int, Odds]:
    """Return the shift of the initial odds, and the odds that come of it; where there is no ratio nothing shifts.
    Rule: 10.7
    """
    net = sum(shift.amount for shift in shifts) if defence > 0 and attack > 0 else 0
    return net, initial_odds(attack, defence).shifted(net)


def divisions(units: Iterable[CombatUnit]) -> Fraction:
    """Return the divisions that units count for in a combat's magnitude, before its losses.

    An infantry division counts 1; an infantry brigade, a reduced infantry division, a cavalry division and a Fortress
    one half; artillery, Forts, cavalry brigades and smaller units nothing.
    Rule: 10.10.1, 12.0
    """
    fortress = Fraction(1, 2)
    return sum((fortress if unit.arm == "fortress" else stacking_value(unit) for unit in units), Fraction(0))


def magnitude(attacking: Fraction, defending: Fraction) -> str:
    """Return the magnitude of a combat: Small under 2 divisions, Medium under 4, Large under 6, from 6 on Massive if
    the defenders make up at least 2.
    Rule: 10.10.1, 10.10.1b
    """
    both = attacking + defending
    if both < 4:
        return "Small" if both < 2 else "Medium"
    return "Massive" if both >= 6 and defending >= 2 else "Large"
