"""The typed result of a combat: every figure of the working under a name."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from assistant.mechanics.chances import Likelihood
from assistant.mechanics.procedure import Modifier

from ..results.outcome import BattleOutcome


class UnitStrength(msgspec.Struct, frozen=True):
    """What one unit brings to a combat.

    unit: its id; place: its hex; command: its corps, or its hex if it is independent; steps: steps left; printed: the
    strength on its counter, before losses; lost: steps lost; base: strength without artillery; artillery: artillery value that counts; strength: both together; halved: whether a river or a 1/2
    marker halves it; ap: whether it has an Artillery Ammunition Point; joins: of an Asset Unit the formation in its hex whose
    Force it is part of, "" if there is none.
    """

    unit: str
    place: str
    command: str
    steps: int
    printed: int
    lost: int
    base: Fraction
    artillery: Fraction
    strength: Fraction
    halved: bool
    ap: bool
    joins: str = ""


class SideStrength(msgspec.Struct, frozen=True):
    """One side of a combat.

    units: what each brings; total: their strength, rounded once; artillery: their artillery value; divisions: what they
    count for the magnitude; points: the Artillery Ammunition Points allocated, by whom they serve; points_needed: how many it
    would take to serve all who could use one; without: those of them who have none.
    """

    units: tuple[UnitStrength, ...]
    total: int
    artillery: Fraction
    divisions: Fraction
    points: tuple[str, ...] = ()
    points_needed: int = 0
    without: tuple[str, ...] = ()


class ForceChances(msgspec.Struct, frozen=True):
    """What its check may do to one Force.

    force: its first unit; passes: chance that it passes; retreats: chance that its check makes it retreat; disordered:
    chance that its check Disorders it; mean_cel: mean of the levels that the check costs; mean_steps: mean of the steps.
    """

    force: str
    passes: Fraction
    retreats: Fraction
    disordered: Fraction
    mean_cel: Fraction
    mean_steps: Fraction


class NamedPolicy(msgspec.Struct, frozen=True):
    """How a side settles its choices before the dice.

    name: usual, strongest, weakest, or units in the order in which they take losses; meaning: what that does.
    """

    name: str
    meaning: str


class BattleChances(msgspec.Struct, frozen=True):
    """Exact probabilities before the dice.

    crt: the cells of the Combat Results Table; attacker_losses, defender_losses: steps lost on the Step Loss Results
    Table; attacker_steps, defender_steps: these and the steps lost to checks; defender_retreat: hexes by the Combat
    Results Table; vacates: chance that the defender leaves the hex or is wiped out; forces: what the checks may do;
    situations: how many distinct situations were looked at; attacker_policy, defender_policy: how each side settles its choices.
    """

    crt: tuple[Likelihood, ...]
    attacker_losses: tuple[Likelihood, ...]
    defender_losses: tuple[Likelihood, ...]
    attacker_steps: tuple[Likelihood, ...]
    defender_steps: tuple[Likelihood, ...]
    defender_retreat: tuple[Likelihood, ...]
    vacates: Fraction
    forces: tuple[ForceChances, ...]
    situations: int
    attacker_policy: NamedPolicy
    defender_policy: NamedPolicy


class NextColumn(msgspec.Struct, frozen=True):
    """How near the ratio is to others.

    more: points of attack to the next one; odds: that one, before shifts; spare: points that may be missing before this one is
    lost.
    """

    more: int
    odds: str
    spare: int


class OptionalUnit(msgspec.Struct, frozen=True):
    """A unit that may stay out or join.

    unit: its id; side: attacker or defender; withheld: whether it stays out now; column, magnitude: of the combat if that were
    changed.
    """

    unit: str
    side: str
    withheld: bool
    column: str
    magnitude: str


class BattleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A combat: the odds and how they came about, the magnitude, and chances or the outcome of the dice.

    at: the defending hex; turn: the game turn; season: the tables in use; terrain: of the defending hex; position: level
    of its Improved Position, 0 for none; flanked: whether the defender is; held_around: how many of the hexes around it
    the attackers hold or have in their zones; attacker, defender: both sides' strengths;
    initial: the odds before shifts; shifts: each column shift, to the right positive; net_shift: their sum; final: the
    odds after shifts, beyond the chart's ends where they lead there; column: the column that is read; divisions: for the
    magnitude, both sides; magnitude: Small, Medium, Large or Massive; attacker_modifiers, defender_modifiers: what each
    side adds to its roll for step losses, before the combat's own result; chances: null once dice are given or while a
    chart cell is missing; outcome: null before the dice; next_column: how near other ratios are, null where there is no ratio or
    dice are given; optional: before the dice, each unit that may stay out or join.
    """

    at: str
    turn: int
    season: str
    terrain: str
    position: int
    flanked: bool
    held_around: int
    attacker: SideStrength
    defender: SideStrength
    initial: str
    shifts: tuple[Modifier, ...]
    net_shift: int
    final: str
    column: str
    divisions: Fraction
    magnitude: str
    attacker_modifiers: tuple[Modifier, ...]
    defender_modifiers: tuple[Modifier, ...]
    chances: BattleChances | None = None
    outcome: BattleOutcome | None = None
    next_column: NextColumn | None = None
    optional: tuple[OptionalUnit, ...] = ()
