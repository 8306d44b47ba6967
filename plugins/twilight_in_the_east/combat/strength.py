"""Combat strengths, odds and column shifts (10.4 to 10.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

import msgspec

from assistant.mechanics.odds import Odds, odds_from_midpoint
from assistant.mechanics.procedure import Modifier
from assistant.mechanics.rounding import half_up

from ..forces.bars import is_barred
from ..forces.units import CombatUnit, joined
from ..terms import FORTRESSES, GREAT_RIVERS


class FlankEffects(msgspec.Struct, frozen=True):
    """What being flanked costs a defender: columns to the right, and what it adds to its roll for losses and to its checks."""

    columns: int = 0
    losses: int = 0
    check: int = 0


LOWEST, HIGHEST = Odds.parse("1:4"), Odds.parse("6:1")
PREPARED = "10.3.1"
"""The rule that shifts a Prepared Attack's column."""


def artillery_value(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """The artillery that a unit brings to bear: with an AP only, unless it needs none; halved across a Major or Grand River.

    Half of a fortress unit's strength is artillery and needs no AP. across: what lies on the hexside it attacks over.
    Rule: 3.4.3, 3.7.2, 10.5a
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm, 2)
    if not unit.armed or is_barred(unit, "use AP"):
        return Fraction(0)
    return Fraction(unit.artillery, 2 if GREAT_RIVERS & set(across) else 1)


def attack_strength(unit: CombatUnit, across: Collection[str] = ()) -> Fraction:
    """A unit's strength in attack: steps left and artillery, all halved across a Major or Grand River. Rule: 3.4.1, 10.6.1"""
    steps = 0 if unit.arm == "artillery" else unit.left
    return Fraction(steps, 2 if GREAT_RIVERS & set(across) else 1) + artillery_value(unit, across)


def defence_strength(unit: CombatUnit) -> Fraction:
    """A unit's strength in defence: printed strength less steps lost, and artillery; half under a 1/2 marker.
    Rule: 3.4.2, 3.7.2, 10.6.2, 12.2
    """
    if unit.arm in FORTRESSES:
        return Fraction(unit.left * unit.fssm)
    strength = 0 if unit.arm == "artillery" else max(unit.defence - unit.lost, 0)
    return Fraction(strength, 2 if unit.half else 1) + artillery_value(unit)


def rounded_total(strengths: Sequence[Fraction]) -> int:
    """A side's total, rounded once when everything is added up. Rule: 4.4, 4.5c, 10.1.3a"""
    return half_up(sum(strengths, Fraction(0)))


def initial_odds(attack: int, defence: int) -> Odds:
    """The odds before shifts. A defence of nothing gives the highest column of the chart. Rule: 4.4.1, 10.7"""
    if defence <= 0:
        return HIGHEST
    return odds_from_midpoint(attack, defence) if attack > 0 else LOWEST


def odds_of_modifiers(initial: Odds, final: Odds, reading: str) -> Odds:
    """The odds by which the modifiers of losses and checks go, where the final ones lie past an end of the chart.

    reading: ruling beyond-chart, the final odds, or those only where the odds lay past it before any shift. Rule: 10.8e
    """
    begun = initial != initial.within(LOWEST, HIGHEST)
    return final if reading == "final" or begun else final.within(LOWEST, HIGHEST)


def commands_of(some: Iterable[CombatUnit], units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """The commands under which some units of a side fight, as `command_of` names them, each once: each needs an AP of its own. Rule: 10.5.1"""
    return tuple(dict.fromkeys(command_of(unit, units) for unit in some))


def command_of(unit: CombatUnit, units: Sequence[CombatUnit]) -> str:
    """The command that a unit fights under: a corps, or the hex of its stack if it is independent; an Asset Unit fights under the
    formation it stands with. Corps of one number in two nations are told apart. Rule: 6.4.1a
    """
    unit = commanded_with(unit, units)
    if any(other.corps == unit.corps and other.nation != unit.nation for other in units if unit.corps):
        return f"{unit.nation} {unit.corps}"
    return unit.corps or unit.place


def commanded_with(unit: CombatUnit, units: Sequence[CombatUnit]) -> CombatUnit:
    """The unit whose command a unit shares: itself, or for an Asset Unit the formation that it stands with (6.4.1)."""
    name = joined(unit, units)
    return next((other for other in units if other.id == name), unit)


def shift_for_corps(units: Sequence[CombatUnit], reading: str) -> tuple[Modifier, ...]:
    """One column left if the attackers belong to more than one corps. reading: ruling several-corps. Rule: 10.8c"""
    more = max(len(commands_of(units, units)) - 1, 0)
    shift = more if reading == "each" else min(more, 1)
    return modifiers("10.8", (f"attackers of {more + 1} corps or independent stacks", -shift))


def shift_for_prepared(units: Sequence[CombatUnit], target: str) -> tuple[Modifier, ...]:
    """One column right if every attacker has a Prepared Attack marker pointing at the defending hex. Rule: 10.3.1"""
    return modifiers(PREPARED, ("Prepared Attack", all(unit.prepared == target for unit in units)))


def flank_effects(flanked: bool) -> FlankEffects:
    """All that being flanked costs a defender. Rule: 10.4.3"""
    return FlankEffects(columns=2, losses=2, check=1) if flanked else FlankEffects()


def shift_for_flank(flanked: bool) -> tuple[Modifier, ...]:
    """Two columns right against a flanked defender; `shift_for_prepared` has the Prepared Attack's column. Rule: 10.8b"""
    return modifiers("10.4.3", ("defender flanked", flank_effects(flanked).columns))


def shift_for_position(level: int, attackers: Sequence[CombatUnit]) -> tuple[Modifier, ...]:
    """One column left for each level of the defender's Improved Position, less what artillery with an AP negates.

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
    """For each attacking hex the worst shift of what lies on its hexside, 0 for none. Rule: 10.8a"""
    return [min((shifts.get(feature, 0) for feature in side), default=0) for side in crossed]


def shift_for_terrain(
    terrain: str, crossed: Sequence[Collection[str]], shifts: Mapping[str, int], reading: str
) -> tuple[Modifier, ...]:
    """The shift of the defender's terrain, and of rivers and ridges that the attackers cross.

    crossed: for each attacking hex what lies on the hexside. shifts: the Terrain Effects Chart's shift by feature.
    reading: ruling river-shift. Of several features on one hexside the worst one shifts; of several hexsides the mildest
    (all), which is none where one attacker crosses nothing, or the worst (any). Rule: 10.8a
    """
    worst = barrier_shifts(crossed, shifts)
    names = sorted({feature for side in crossed for feature in side if shifts.get(feature, 0)})
    across = (max if reading == "all" else min)(worst, default=0)
    return modifiers("10.8", (f"{terrain} terrain", shifts[terrain]), (f"across {' and '.join(names)}", across))


def modifiers(rule: str, *amounts: tuple[str, int]) -> tuple[Modifier, ...]:
    """The modifiers of a rule, each from why it applies and how much it adds; those that add nothing are left out."""
    return tuple(Modifier(rule, why, int(amount)) for why, amount in amounts if amount)
