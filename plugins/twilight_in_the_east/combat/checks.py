"""Effectiveness Checks: what modifies the roll, when it fails, and what failing costs (7.1 to 7.4, 11.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Dice, Modifier, Roll, Situation

from ..forces.units import CombatUnit, is_demoralized
from ..ground.calendar import is_summer
from .before_dice import columns_above, columns_below
from .engagement import FLANK_CHECK_DRM, modifiers

SIZES = ("XX", "X", "III", "II")


class Standing(msgspec.Struct, frozen=True, cache_hash=True):
    """How a Force stands when it checks: Combat Effectiveness Levels lost, degree of Disorder, and whether it is lone
    Asset Units, whose level is constant."""

    levels: int = 0
    disorder: int = 0
    lone_assets: bool = False

    @property
    def demoralized(self) -> bool:
        """Whether the results for Demoralized units apply. Rule: 7.3"""
        return is_demoralized(self.levels, self.disorder)


class Failure(NamedTuple):
    """What a failed check costs: levels of CEL, hexes of retreat, steps, and the degree of Disorder that results."""

    cel: int = 0
    retreat: int = 0
    steps: int = 0
    disorder: int = 0


def check_roll(
    name: str,
    rule: str,
    whose: str,
    added: Mapping[str, tuple[Modifier, ...]],
    then: Callable[[int], Situation],
    side: str = "",
) -> Roll:
    """Return the roll of an Effectiveness Check, which every Force owes after a Forced March and after each combat it
    was in.

    rule: the one that calls for it; whose: in words; added: those of each Force that the roll is read for; side: of
    the combat that throws it, "" outside a combat.
    Rule: 7.2
    """
    return Roll(name, rule, f"Effectiveness Check {whose}", Dice(2, 6), added, then, side=side)


def failure(margin: int, force: Standing, again: str = "worse") -> Failure:
    """Return the consequences of a check by the amount it was failed: modified roll less CEL, if positive.

    A Force that is not Demoralized loses 1 to 4 levels (by 1, 4, 8, 12 or more), and retreats one hex from 4 on;
    `cascade` has the excess. Asset Units without a formation lose a step for each level, and retreat as a sound unit would.

    again: ruling disordered-again.

    Rule: 7.2b, 7.2.1, 11.3.2aa, 11.3.2c
    """
    if margin <= 0:
        return Failure(disorder=force.disorder)
    grade = 1 + bisect_left((3, 7, 11), margin)
    if force.lone_assets:
        return Failure(retreat=0 if grade == 1 else 1, steps=grade)
    if force.demoralized:
        return demoralized_failure(grade, force, again)
    return cascade(grade, 0 if grade == 1 else 1, force)


def cascade(reductions: int, retreat: int, force: Standing) -> Failure:
    """Return a failure by which levels that fit on the track are lost; reaching -4 adds a hex of retreat, and what is
    left over converts.

    The first reduction left over is a step and D1, the second a further hex and D2, the third a further step.
    Rule: 11.3.2ab, 11.3.2ac, 7.4
    """
    lost = min(reductions, 4 - force.levels)
    over = reductions - lost
    if force.levels + lost == 4:
        retreat += 1
    if over >= 2:
        retreat += 1
    steps = 2 if over >= 3 else min(over, 1)
    return Failure(cel=lost, retreat=retreat, steps=steps, disorder=min(over, 2))


def demoralized_failure(grade: int, force: Standing, again: str) -> Failure:
    """Return what a failed check costs a Force that is Demoralized already.

    again: ruling disordered-again, what becomes of a degree of Disorder that it has: the worse one stays, or it is
    Disordered one degree further.
    Rule: 11.3.2b
    """
    retreat, steps, disorder = {1: (1, 1, 0), 2: (1, 2, 1), 3: (2, 2, 2), 4: (2, 3, 2)}[grade]
    further = force.disorder + 1 if again == "further" and disorder and force.disorder else 0
    return Failure(0, retreat, steps, max(disorder, force.disorder, min(further, 2)))


def force_cel(units: Sequence[CombatUnit]) -> int:
    """Return the CEL with which a Force checks: its formation's, or the base effectiveness of its largest combat Asset
    Unit (of several of a size, the highest). Rule: 7.1b, 7.2b, 6.4.1c
    """
    if formation := next((unit for unit in units if unit.formation), None):
        return formation.cel
    combat = [unit for unit in units if unit.arm != "artillery"]
    ranked = ((SIZES.index(unit.size) if unit.size in SIZES else 9, -unit.effectiveness) for unit in combat)
    return -min(ranked, default=(0, 0))[1]


def force_modifiers(units: Sequence[CombatUnit], losses: Sequence[int], turn: int) -> tuple[Modifier, ...]:
    """Return what a Force's own condition adds to its roll: steps lost on the SLRT, Low Supply, and its reduced side in
    Summer. Steps lost before, be it to EZOCs in a retreat, add nothing.

    losses: steps that each unit lost on the SLRT in this combat, in the order of the units.
    Rule: 11.2.5e, 11.3.1a, 11.3.1d, 11.3.1e
    """
    steps = sum(losses)
    alive = [(unit, lost) for unit, lost in zip(units, losses, strict=True) if unit.left > lost]
    reduced = is_summer(turn) and any(unit.formation and unit.on_reduced_side(lost) for unit, lost in alive)
    return modifiers(
        "11.3.1",
        (f"for {steps} step{'s' if steps > 1 else ''} lost", 2 * steps),
        ("Low Supply", any(unit.low_supply for unit, _ in alive)),
        ("on its reduced side", reduced),
    )


def stack_modifiers(retreat: int) -> tuple[Modifier, ...]:
    """Return the modifier of one more for each hex that the stack has had to retreat by the Combat Results Table. Rule:
    11.3.1c, 11.2.1b
    """
    return modifiers("11.3.1", (f"retreat of {retreat}", retreat))


def attacker_check_modifiers(odds: Odds, *, asterisk: bool) -> tuple[Modifier, ...]:
    """Return what concerns attackers alone: the asterisk, and odds above 6:1. Rule: 11.3.1i, 11.3.1j, 10.9.1c"""
    marked = -1 if asterisk else 0
    return modifiers("11.3.1", ("asterisk", marked), (f"odds of {odds}", -columns_above(odds, 3)))


def defender_check_modifiers(odds: Odds, position: int, retreat: int, *, is_flanked: bool) -> tuple[Modifier, ...]:
    """Return what concerns defenders alone: being flanked, an Improved Position held, and odds below 1:4.

    position: the level of the Improved Position; it helps from Level 2 on, if the stack did not retreat.
    Rule: 11.3.1f, 11.3.1g, 11.3.1h, 13.3.3
    """
    held = -1 if position >= 2 and not retreat else 0
    return modifiers(
        "11.3.1",
        ("flanked", FLANK_CHECK_DRM * is_flanked),
        (f"Level {position} Improved Position held", held),
        (f"odds of {odds}", -columns_below(odds)),
    )
