"""Effectiveness Checks: modifiers of the roll, and the cost of failure (7.1 to 7.4, 11.3)."""

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

UNIT_SIZES = ("XX", "X", "III", "II")
"""Sizes of combat units from division to battalion, the largest first."""


class Standing(msgspec.Struct, frozen=True, cache_hash=True):
    """The condition of a Force before an Effectiveness Check."""

    levels: int = 0
    """Combat Effectiveness Levels that its formation has lost."""
    disorder: int = 0
    """The degree of Disorder of its formation."""
    lone_assets: bool = False
    """Whether it consists of Asset Units alone, which lose no levels."""

    @property
    def demoralized(self) -> bool:
        """Whether the results for Demoralized units apply. Rule: 7.3"""
        return is_demoralized(self.levels, self.disorder)


class Failure(NamedTuple):
    """The cost of a check; all 0 if it is passed, except for earlier Disorder."""

    cel: int = 0
    """Combat Effectiveness Levels lost."""
    retreat: int = 0
    """Hexes of retreat."""
    steps: int = 0
    """Steps lost."""
    disorder: int = 0
    """The degree of Disorder after the check."""


def check_roll(
    name: str,
    rule: str,
    whose: str,
    added: Mapping[str, tuple[Modifier, ...]],
    follow: Callable[[int], Situation],
    side: str = "",
) -> Roll:
    """Return the roll of an Effectiveness Check, as after a Forced March or a combat.

    `name`: the name of the roll in answers.
    `rule`: the rule that calls for the check.
    `whose`: the end of the roll's title, such as "in 41.19".
    `added`: the modifiers of each Force that checks by this roll.
    `follow`: returns the situation after a natural roll.
    `side`: the side of the combat that rolls, or "" outside a combat.

    Rule: 7.2
    """
    return Roll(name, rule, f"Effectiveness Check {whose}", Dice(2, 6), added, follow, side=side)


def failure(margin: int, force: Standing, again: str = "worse") -> Failure:
    """Return the consequences of a check.

    A Force that is not Demoralized loses 1, 2, 3 or 4 levels if it fails by 1, 4, 8 or 12. From 4 on it also retreats
    one hex. `cascade` converts levels that it no longer has. Asset Units without a formation lose a step for each
    level.

    `margin`: the modified roll less the CEL; the check is failed if it is positive.
    `again`: ruling disordered-again.

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
    """Return a failure that costs the levels left on the track, and converts the excess.

    Losing the fourth level adds a hex of retreat. The first excess level costs a step and brings Disorder of degree 1.
    The second adds a hex and brings degree 2; the third costs another step.

    `reductions`: the levels to lose.
    `retreat`: hexes of retreat before these are added.

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
    """Return the cost of a failed check for a Force that is Demoralized already.

    `grade`: 1 to 4, by the margin of failure.
    `again`: ruling disordered-again: the worse degree of Disorder counts, or the degree rises by one.

    Rule: 11.3.2b
    """
    retreat, steps, disorder = {1: (1, 1, 0), 2: (1, 2, 1), 3: (2, 2, 2), 4: (2, 3, 2)}[grade]
    further = force.disorder + 1 if again == "further" and disorder and force.disorder else 0
    return Failure(0, retreat, steps, max(disorder, force.disorder, min(further, 2)))


def force_cel(units: Sequence[CombatUnit]) -> int:
    """Return the CEL with which a Force checks.

    It is the CEL of its formation, or else the base effectiveness of its largest Asset Unit that is not artillery. Of
    several of that size, the most effective unit counts.

    Rule: 7.1b, 7.2b, 6.4.1c
    """
    if formation := next((unit for unit in units if unit.formation), None):
        return formation.cel
    combat = [unit for unit in units if unit.arm != "artillery"]
    ranked = ((UNIT_SIZES.index(unit.size) if unit.size in UNIT_SIZES else 9, -unit.effectiveness) for unit in combat)
    return -min(ranked, default=(0, 0))[1]


def force_modifiers(units: Sequence[CombatUnit], losses: Sequence[int], turn: int) -> tuple[Modifier, ...]:
    """Return the modifiers for a Force's own condition: steps lost on the SLRT, Low Supply, its reduced side in Summer.

    Steps lost otherwise, such as to EZOCs in a retreat, add nothing.

    `losses`: steps that each unit lost on the Step Loss Results Table (SLRT) in this combat, in the order of the units.

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
    """Return the modifier of +1 for each hex of retreat that the Combat Results Table has cost the stack.

    Rule: 11.3.1c, 11.2.1b
    """
    return modifiers("11.3.1", (f"retreat of {retreat}", retreat))


def attacker_check_modifiers(odds: Odds, *, asterisk: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of attackers alone: the asterisk, and odds above 6:1. Rule: 11.3.1i, 11.3.1j, 10.9.1c"""
    marked = -1 if asterisk else 0
    return modifiers("11.3.1", ("asterisk", marked), (f"odds of {odds}", -columns_above(odds, 3)))


def defender_check_modifiers(odds: Odds, position: int, retreat: int, *, is_flanked: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of defenders alone: being flanked, an Improved Position held, and odds below 1:4.

    `position`: the level of the Improved Position, which counts from 2 on if the stack does not retreat.
    `retreat`: hexes that the combat's result makes the stack retreat.

    Rule: 11.3.1f, 11.3.1g, 11.3.1h, 13.3.3
    """
    held = -1 if position >= 2 and not retreat else 0
    return modifiers(
        "11.3.1",
        ("flanked", FLANK_CHECK_DRM * is_flanked),
        (f"Level {position} Improved Position held", held),
        (f"odds of {odds}", -columns_below(odds)),
    )
