"""What a combat's dice are read with: cells of the Combat Results Table, modifiers of step losses, Effectiveness
Checks (7.2, 10.9, 10.10, 11.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from assistant.mechanics.odds import Bands, Odds, half_up, up
from assistant.mechanics.procedure import Dice, Modifier, Roll, Situation

from ..forces.units import CombatUnit, is_demoralized
from ..ground.calendar import is_summer
from ..terms import FORTRESSES
from .engagement import HIGHEST, LOWEST, flank_effects, modifiers

FARTHEST = 3
"""The hexes of the longest retreat that the table knows (10.9.1)."""


class CrtResult(msgspec.Struct, frozen=True):
    """One side's part of a cell: SLRT modifier, white and black retreat in hexes, and the X and asterisk marks."""

    modifier: int = 0
    white: int = 0
    black: int = 0
    x: bool = False
    asterisk: bool = False


def read_result(text: str) -> CrtResult:
    """A cell's part from its notation: `+1 X W2`, or `-` for nothing. Rule: 10.9.1"""
    found = {token[0]: token for token in text.split() if token != "-"}
    return CrtResult(
        modifier=int(found.get("+") or found.get("-") or 0),
        white=int(found.get("W", "W0")[1:]),
        black=int(found.get("B", "B0")[1:]),
        x="X" in found,
        asterisk="*" in found,
    )


def crt_modifier(result: CrtResult, all_german: bool) -> int:
    """The SLRT modifier of a result: one less on an X if all attackers are German. Rule: 10.9.1b, 10.10.3a"""
    return result.modifier - (result.x and all_german)


def crt_retreat(
    result: CrtResult, position: int, fortress_steps: int = 0, leftover: str = "retreat"
) -> tuple[int, int]:
    """Hexes that a stack retreats, and steps that its fortress units lose instead.

    A black retreat is ignored in an Improved Position (its level is `position`) and by a stack with a fortress unit; a
    fortress unit turns white retreats into step losses, one for one, while it has steps.

    leftover: ruling fortress-steps, what becomes of white hexes for which no steps are left. Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    absorbed = min(result.white, fortress_steps)
    black = 0 if position or fortress_steps else result.black
    white = 0 if fortress_steps and leftover == "ignored" else result.white - absorbed
    return white + black, absorbed


def fortress_steps(units: Iterable[CombatUnit]) -> int:
    """Steps of all fortress units of a stack, which stand in for hexes of retreat (10.9.1)."""
    return sum(unit.left for unit in units if unit.arm in FORTRESSES)


ARTILLERY = Bands((0, 3, 7, 12, 18, 25), ("0", "1", "2", "3", "4", "5"))
"""The modifier for the opponent's artillery value (10.10.3 point 3)."""


def columns_above(odds: Odds, each: int) -> int:
    """How often `each` columns, or part of them, go into the odds above 6:1. Rule: 10.10.3g, 10.10.3h, 11.3.1j"""
    return up(Fraction(max(odds.columns - HIGHEST.columns, 0), each))


def columns_below(odds: Odds) -> int:
    """How many columns the odds lie below 1:4. Rule: 10.10.3i, 11.3.1h"""
    return max(LOWEST.columns - odds.columns, 0)


def artillery_modifiers(units: Sequence[CombatUnit], value: Fraction) -> tuple[Modifier, ...]:
    """What the opponent's artillery adds to a side's roll: its units, those that stand idle for want of an AP among them,
    and their artillery value with APs and terrain. Rule: 10.10.3b, 10.10.3c
    """
    if not any(unit.artillery or unit.arm in FORTRESSES for unit in units):
        return (Modifier("10.10.3", "opponent without intrinsic artillery", -1),)
    worth = half_up(value)
    return modifiers("10.10.3", (f"opponent's artillery value of {worth}", int(ARTILLERY.of(worth))))


def german_modifier(all_german: bool) -> tuple[Modifier, ...]:
    """One less for a side whose units are all German. Rule: 10.10.3d"""
    return modifiers("10.10.3", ("German units only", -all_german))


def attacker_loss_modifiers(
    defenders: Sequence[CombatUnit], position: int, odds: Odds, hardship: bool = True
) -> tuple[Modifier, ...]:
    """What concerns the attacker's roll alone: Demoralized defenders, a Level 4 position, odds above 6:1.

    hardship: whether a Level 4 position tells in this scenario, which ruling level-4-hardship decides outside the campaign.
    Rule: 10.10.3e, 10.10.3f, 10.10.3g, 13.3.2
    """
    return modifiers(
        "10.10.3",
        ("a defender is Demoralized", -3 * any(unit.demoralized for unit in defenders)),
        ("Level 4 Improved Position", position == 4 and hardship),
        (f"odds of {odds}", -columns_above(odds, 2)),
    )


def defender_loss_modifiers(is_flanked: bool, odds: Odds) -> tuple[Modifier, ...]:
    """What concerns the defender's roll alone: odds above 6:1 or below 1:4, and being flanked.
    Rule: 10.10.3h, 10.10.3i, 10.10.3j
    """
    by_odds = columns_above(odds, 3) - columns_below(odds)
    return modifiers("10.10.3", (f"odds of {odds}", by_odds), ("flanked", flank_effects(is_flanked).losses))


SIZES = ("XX", "X", "III", "II")


class Standing(msgspec.Struct, frozen=True):
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
    name: str, rule: str, whose: str, modifiers: Mapping[str, tuple[Modifier, ...]], then: Callable[[int], Situation]
) -> Roll:
    """The roll of an Effectiveness Check, which every Force owes after a Forced March and after each combat it was in.

    rule: the one that calls for it; whose: in words; modifiers: those of each Force that the roll is read for. Rule: 7.2
    """
    return Roll(name, rule, f"Effectiveness Check {whose}", Dice(2, 6), modifiers, then)


def failure(margin: int, force: Standing, again: str = "worse") -> Failure:
    """The consequences of a check by the amount it was failed: modified roll less CEL, nothing if 0 or less.

    A Force that is not Demoralized loses 1, 2, 3 or 4 levels (failed by 1 to 3, 4 to 7, 8 to 11, 12 or more), and
    retreats one hex from 4 on; see `cascade` for what does not fit on its track. again: ruling disordered-again.
    Rule: 7.2b, 7.2.1, 11.3.2aa
    """
    if margin <= 0:
        return Failure(disorder=force.disorder)
    grade = 1 if margin <= 3 else 2 if margin <= 7 else 3 if margin <= 11 else 4
    if force.lone_assets:
        return lone_assets_failure(grade)
    if force.demoralized:
        return demoralized_failure(grade, force, again)
    return cascade(grade, 0 if grade == 1 else 1, force)


def cascade(reductions: int, retreat: int, force: Standing) -> Failure:
    """Levels that fit on the track are lost; reaching -4 adds a hex of retreat, and what is left over converts.

    The first reduction left over is a step and D1, the second a further hex and D2, the third a further step.
    Rule: 11.3.2ab, 11.3.2ac, 7.4
    """
    lost = min(reductions, 4 - force.levels)
    over = reductions - lost
    return Failure(
        cel=lost,
        retreat=retreat + (force.levels + lost == 4) + (over >= 2),
        steps=(over >= 1) + (over >= 3),
        disorder=min(over, 2),
    )


def demoralized_failure(grade: int, force: Standing, again: str) -> Failure:
    """What a failed check costs a Force that is Demoralized already.

    again: ruling disordered-again, what becomes of a degree of Disorder that it has: the worse one stays, or it is Disordered
    one degree further. Rule: 11.3.2b
    """
    retreat, steps, disorder = {1: (1, 1, 0), 2: (1, 2, 1), 3: (2, 2, 2), 4: (2, 3, 2)}[grade]
    further = force.disorder + 1 if again == "further" and disorder and force.disorder else 0
    return Failure(0, retreat, steps, max(disorder, force.disorder, min(further, 2)))


def lone_assets_failure(grade: int) -> Failure:
    """Asset Units without a formation lose a step for each level, and retreat as a sound unit would. Rule: 11.3.2c"""
    return Failure(0, 0 if grade == 1 else 1, grade, 0)


def force_cel(units: Sequence[CombatUnit]) -> int:
    """The CEL with which a Force checks: its formation's, or the base effectiveness of its largest combat Asset Unit
    (of several of a size, the highest). Rule: 7.1b, 7.2b, 6.4.1c
    """
    if formation := next((unit for unit in units if unit.formation), None):
        return formation.cel
    combat = [unit for unit in units if unit.arm != "artillery"]
    ranked = ((SIZES.index(unit.size) if unit.size in SIZES else 9, -unit.effectiveness) for unit in combat)
    return -min(ranked, default=(0, 0))[1]


def force_modifiers(units: Sequence[CombatUnit], losses: Sequence[int], turn: int) -> tuple[Modifier, ...]:
    """What a Force's own condition adds to its roll: steps lost on the SLRT, Low Supply, and its reduced side in Summer. Steps
    lost before, be it to EZOCs in a retreat, add nothing.

    losses: steps that each unit lost on the SLRT in this combat, in the order of the units.
    Rule: 11.2.5e, 11.3.1a, 11.3.1d, 11.3.1e
    """
    steps = sum(losses)
    alive = [(unit, lost) for unit, lost in zip(units, losses, strict=True) if unit.left > lost]
    reduced = is_summer(turn) and any(unit.formation and unit.on_reduced_side(lost) for unit, lost in alive)
    return modifiers(
        "11.3.1",
        (f"{steps} step{'s' if steps > 1 else ''} lost", 2 * steps),
        ("Low Supply", any(unit.low_supply for unit, _ in alive)),
        ("on its reduced side", reduced),
    )


def stack_modifiers(retreat: int) -> tuple[Modifier, ...]:
    """One more for each hex that the stack has had to retreat by the Combat Results Table. Rule: 11.3.1c, 11.2.1b"""
    return modifiers("11.3.1", (f"retreat of {retreat}", retreat))


def attacker_check_modifiers(asterisk: bool, odds: Odds) -> tuple[Modifier, ...]:
    """What concerns attackers alone: the asterisk, and odds above 6:1. Rule: 11.3.1i, 11.3.1j, 10.9.1c"""
    return modifiers("11.3.1", ("asterisk", -asterisk), (f"odds of {odds}", -columns_above(odds, 3)))


def defender_check_modifiers(is_flanked: bool, position: int, retreat: int, odds: Odds) -> tuple[Modifier, ...]:
    """What concerns defenders alone: being flanked, an Improved Position held, and odds below 1:4.

    position: the level of the Improved Position; it helps from Level 2 on, if the stack did not retreat.
    Rule: 11.3.1f, 11.3.1g, 11.3.1h, 13.3.3
    """
    return modifiers(
        "11.3.1",
        ("flanked", flank_effects(is_flanked).check),
        (f"Level {position} Improved Position held", -(position >= 2 and not retreat)),
        (f"odds of {odds}", -columns_below(odds)),
    )
