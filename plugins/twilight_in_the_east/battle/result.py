"""The typed result of a combat: every figure of the working under a name."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.mechanics.chances import Likelihood
from assistant.mechanics.procedure import Modifier
from assistant.questions import note
from assistant.questions.what_if import NextColumn

from ..results.outcome_report import BattleOutcome


class UnitStrength(msgspec.Struct, frozen=True):
    """What one unit brings to a combat."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    command: Annotated[str, note("its corps, or its hex if it is independent")]
    steps: Annotated[int, note("steps left")]
    printed: Annotated[int, note("the strength on its counter, before losses")]
    lost: Annotated[int, note("steps lost")]
    base: Annotated[Fraction, note("strength without artillery")]
    artillery: Annotated[Fraction, note("artillery value that counts")]
    strength: Annotated[Fraction, note("strength with its artillery")]
    halved: Annotated[bool, note("whether a river or a 1/2 marker halves it")]
    ap: Annotated[bool, note("whether it has an Artillery Ammunition Point")]
    joins: Annotated[str, note("of an Asset Unit the formation whose Force it is part of, '' without one")] = ""


class SideStrength(msgspec.Struct, frozen=True):
    """One side of a combat."""

    units: Annotated[tuple[UnitStrength, ...], note("the strength of each unit")]
    total: Annotated[int, note("their total strength, rounded once")]
    artillery: Annotated[Fraction, note("their artillery value")]
    divisions: Annotated[Fraction, note("their division equivalents for the magnitude")]
    points: Annotated[
        tuple[str, ...], note("the Artillery Ammunition Points allocated, by the command that each serves")
    ] = ()
    points_needed: Annotated[int, note("APs needed to serve every command that could use one")] = 0
    without: Annotated[tuple[str, ...], note("commands that could use an AP and have none")] = ()


class ForceChances(msgspec.Struct, frozen=True):
    """What its check may do to one Force."""

    force: Annotated[str, note("its first unit")]
    passes: Annotated[Fraction, note("chance that it passes")]
    retreats: Annotated[Fraction, note("chance that its check makes it retreat")]
    disordered: Annotated[Fraction, note("chance that its check Disorders it")]
    surrenders: Annotated[Fraction, note("chance that it cannot retreat at all and surrenders")]


class KnownCheck(msgspec.Struct, frozen=True):
    """A Force's Effectiveness Check as far as it is known before the dice."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    cel: Annotated[int, note("the Combat Effectiveness Level, before the combat costs it any")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers that hold whatever the dice")] = ()
    in_place: Annotated[tuple[Modifier, ...], note("the modifiers that hold if its stack does not retreat")] = ()


class NamedPolicy(msgspec.Struct, frozen=True):
    """How a side settles its choices before the dice."""

    name: Annotated[str, note("usual, strongest, weakest, or units in the order in which they take losses")]
    meaning: Annotated[str, note("what that policy does")]


class BattleChances(msgspec.Struct, frozen=True):
    """Probabilities before the dice, exact but for the retreats that checks cause: these are counted, not walked."""

    crt: Annotated[tuple[Likelihood, ...], note("the cells of the Combat Results Table")]
    attacker_losses: Annotated[tuple[Likelihood, ...], note("steps lost on the Step Loss Results Table")]
    defender_losses: Annotated[tuple[Likelihood, ...], note("steps lost on the Step Loss Results Table")]
    attacker_steps: Annotated[
        tuple[Likelihood, ...],
        note("steps lost on the Step Loss Results Table, to checks, and in retreats by the result"),
    ]
    defender_steps: Annotated[
        tuple[Likelihood, ...],
        note("steps lost on the Step Loss Results Table, to checks, and in retreats by the result"),
    ]
    attacker_mean: Annotated[
        Fraction, note("steps that the attacker loses on average, checks and retreats by the result included")
    ]
    defender_mean: Annotated[
        Fraction, note("steps that the defender loses on average, checks and retreats by the result included")
    ]
    attacker_retreat: Annotated[
        tuple[Likelihood, ...], note("hexes of the attacker's retreat by the Combat Results Table")
    ]
    defender_retreat: Annotated[
        tuple[Likelihood, ...], note("hexes of the defender's retreat by the Combat Results Table")
    ]
    vacates: Annotated[Fraction, note("chance that the defender leaves the hex or is wiped out")]
    may_open: Annotated[
        tuple[str, ...],
        note(
            "hexes that attackers may open, thrown back by their checks, to a defender that cannot leave; `vacates` is the least then"
        ),
    ]
    forces: Annotated[tuple[ForceChances, ...], note("the chances of each Force's check")]
    situations: Annotated[int, note("how many distinct situations were examined")]
    ways: Annotated[
        str, note("how retreats go: straight or priorities, or '' where no ground is known and ways cost nothing")
    ]
    attacker_policy: Annotated[NamedPolicy, note("how the attacker settles choices")]
    defender_policy: Annotated[NamedPolicy, note("how the defender settles choices")]


class OptionalUnit(msgspec.Struct, frozen=True):
    """A unit that may stay out or join."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("attacker or defender")]
    withheld: Annotated[bool, note("whether it stays out now")]
    column: Annotated[str, note("the column if that were changed")]
    magnitude: Annotated[str, note("the magnitude if that were changed")]


LossModifiers = Annotated[tuple[Modifier, ...], note("added to the roll for losses, before the combat's own result")]
LossSum = Annotated[int, note("the sum of these modifiers")]


class BattleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A combat: the odds and how they came about, the magnitude, and chances or the outcome of the dice."""

    at: Annotated[str, note("the defending hex")]
    turn: Annotated[int, note("the game turn")]
    season: Annotated[str, note("the tables in use")]
    terrain: Annotated[str, note("terrain of the defending hex")]
    position: Annotated[int, note("level of its Improved Position, 0 for none")]
    flanked: Annotated[bool, note("whether the defender is flanked")]
    held_around: Annotated[int, note("how many hexes around it the attackers hold or have in their ZOC")]
    held_by_formations: Annotated[
        int,
        note("how many by attacking formations alone, where lone Asset Units are attacked strongly enough, or else 0"),
    ]
    flank_rule: Annotated[str, note("the rule by which the position shows it flanked or not")]
    flanked_as_typed: Annotated[bool, note("whether `flanked` is what the players typed, whatever the position shows")]
    attacker: Annotated[SideStrength, note("the attackers' strength")]
    defender: Annotated[SideStrength, note("the defenders' strength")]
    initial: Annotated[str, note("the odds before shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift, positive to the right")]
    net_shift: Annotated[int, note("the sum of the shifts")]
    final: Annotated[str, note("the odds after shifts, which may lie beyond the ends of the chart")]
    column: Annotated[str, note("the column that is read")]
    divisions: Annotated[Fraction, note("division equivalents of both sides, for the magnitude")]
    magnitude: Annotated[str, note("Small, Medium, Large or Massive")]
    attacker_modifiers: LossModifiers
    defender_modifiers: LossModifiers
    checks: Annotated[tuple[KnownCheck, ...], note("before the dice, what is known of each Effectiveness Check")] = ()
    attacker_drm: LossSum
    defender_drm: LossSum
    chances: Annotated[BattleChances | None, note("the chances; null with dice or without a chart cell")] = None
    outcome: Annotated[BattleOutcome | None, note("the result of the dice; null before them")] = None
    next_column: Annotated[NextColumn | None, note("how near other ratios are; null with dice")] = None
    optional: Annotated[tuple[OptionalUnit, ...], note("before the dice, each unit that may stay out or join")] = ()
