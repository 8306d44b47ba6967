"""A combat before its dice: its certain figures and its chances."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Answers, View, note
from assistant.asking.play import Aliases, Play, play_procedure
from assistant.asking.what_if import NextColumn, next_column, what_if
from assistant.mechanics.chances import Chances, Likelihood, mean_of
from assistant.mechanics.procedure import Modifier
from assistant.state.state import hexside
from assistant.util.memo import Memo

from ..combat.before_dice import (
    Combat,
    CombatOdds,
    KnownCheck,
    Reckoning,
    combat_at_odds,
    find_odds,
    policies,
    reckon,
    rulings_of_dice,
)
from ..combat.checks import attacker_check_modifiers, defender_check_modifiers, force_cel, force_modifiers
from ..combat.engagement import BattleParameters, Engagement, initial_odds
from ..combat.legality import out_of_turn_steps, refusals
from ..combat.pieces import Pieces
from ..combat.retreat_ground import WayIn, retreat_bar
from ..combat.setup import Setup, agree_readings
from ..forces.units import SIDES, Force, Role
from ..results.outcome import BattleOutcome
from ..results.resolution import Start, resolution
from ..results.retreats import may_open

TableLosses = Annotated[tuple[Likelihood, ...], note("steps lost on the Step Loss Results Table")]
ALL_LOSSES_NOTE = note("steps lost on the Step Loss Results Table, to checks, and in retreats by the result")
"""Note on the step losses of a whole combat."""
AllLosses = Annotated[tuple[Likelihood, ...], ALL_LOSSES_NOTE]


class ForceChances(msgspec.Struct, frozen=True):
    """The effects of its check on one Force."""

    force: Annotated[str, note("the first unit")]
    passes: Annotated[Fraction, note("chance that the Force passes its check")]
    retreats: Annotated[Fraction, note("chance that the check makes the Force retreat")]
    unchecked: Annotated[
        Fraction, note("chance that the Force makes no check, as it is eliminated or has left before it")
    ]
    disordered: Annotated[Fraction, note("chance that the check Disorders the Force")]
    surrenders: Annotated[Fraction, note("chance that the Force cannot retreat at all and surrenders")]


class NamedPolicy(msgspec.Struct, frozen=True):
    """The rule by which a side settles its choices before the dice."""

    name: Annotated[str, note("usual, strongest, weakest, or units in the order in which they take losses")]
    meaning: Annotated[str, note("what the policy does")]


class BattleChances(msgspec.Struct, frozen=True):
    """Probabilities before the dice, exact except that retreats by checks are counted, not walked."""

    crt: Annotated[tuple[Likelihood, ...], note("the cells of the Combat Results Table")]
    attacker_losses: TableLosses
    defender_losses: TableLosses
    attacker_steps: AllLosses
    defender_steps: AllLosses
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
    vacates: Annotated[Fraction, note("chance that the defender vacates the hex or is eliminated")]
    may_open: Annotated[
        tuple[str, ...],
        note(
            "hexes that attackers may open by retreating after a failed check to a defender that cannot retreat; "
            "`vacates` is then a minimum"
        ),
    ]
    forces: Annotated[tuple[ForceChances, ...], note("the chances of each Force's check")]
    situations: Annotated[int, note("number of distinct situations examined")]
    ways: Annotated[
        str,
        note("how stacks retreat: straight or priorities, or '' where no ground is known and retreats cost nothing"),
    ]
    attacker_policy: Annotated[NamedPolicy, note("how the attacker makes choices")]
    defender_policy: Annotated[NamedPolicy, note("how the defender makes choices")]


class OptionalUnit(msgspec.Struct, frozen=True):
    """A unit that may stay out or join."""

    unit: Annotated[str, note("the id")]
    side: Annotated[str, note("attacker or defender")]
    withheld: Annotated[bool, note("whether the unit stays out now")]
    column: Annotated[str, note("the column if the unit joined instead, or stayed out")]
    magnitude: Annotated[str, note("the magnitude if the unit joined instead, or stayed out")]


class BattleResult(Reckoning, frozen=True, kw_only=True):
    """A combat: the odds with their derivation, the magnitude, and the chances or the outcome of the dice."""

    chances: Annotated[BattleChances | None, note("the chances, null once dice are rolled or without a chart cell")] = (
        None
    )
    outcome: Annotated[BattleOutcome | None, note("the result of the dice, null until rolled")] = None
    next_column: Annotated[NextColumn | None, note("how near other ratios are, null once dice are rolled")] = None
    optional: Annotated[
        tuple[OptionalUnit, ...], note("before dice are rolled, each unit that may stay out or join")
    ] = ()


_PIECES: Memo[None, Pieces] = Memo()
"""Cached pieces of a position."""


def evaluate_before_dice(
    view: View, engagement: Engagement, parameters: BattleParameters, *, dice: bool = False
) -> tuple[Engagement, BattleResult, Combat]:
    """Return the engagement with the players' readings, the certain part of the result, and the combat.

    `dice`: whether dice are given, so that retreats are carried out even on unknown ground.

    Raises InputError if a policy is unknown.
    """
    odds, combat = prepare_combat(view, engagement, parameters, dice=dice)
    battle = BattleResult(**msgspec.structs.asdict(reckon(odds, combat)))
    return combat.engagement, battle, combat


def prepare_combat(
    view: View, engagement: Engagement, parameters: BattleParameters, *, dice: bool = False
) -> tuple[CombatOdds, Combat]:
    """Return the odds of a combat, and the combat with the players' readings and policies.

    `dice`: as in `evaluate_before_dice`.

    Raises InputError if a policy is unknown.
    """
    odds = find_odds(engagement)
    combat = combat_at_odds(engagement, odds)
    known = dice or _is_ground_known(view, engagement)
    pieces = view.memo(_PIECES, None, lambda before, divergence: Pieces(view, before, divergence)) if known else None
    readings = agree_readings(view, engagement.readings, rulings_of_dice(combat))
    if readings != engagement.readings:
        engagement = replace(engagement, readings=readings)
        odds = find_odds(engagement)
        combat = combat_at_odds(engagement, odds)
    return odds, replace(combat, policies=policies(engagement, parameters), pieces=pieces)


def _is_ground_known(view: View, engagement: Engagement) -> bool:
    """Return whether the defender's retreats can be judged before the dice.

    They can if the position states terrain around the hex, or if another fact closes an adjacent hex.
    """
    at = engagement.at
    nations = {unit.nation for unit in engagement.in_the_hex}
    places = {unit.place for unit in engagement.attackers}
    around = [hex for hex in view.board.neighbours(at) if hex not in places]
    known = (view.fact(*key) for hex in around for key in (("terrain", hex), ("barrier", hexside(at, hex))))
    if any(fact is not None and not fact.assumed for fact in known):
        return True
    return any(retreat_bar(WayIn(view, at, hex, nations=nations)) for hex in around)


def play_out(view: View, combat: Combat, answers: Answers, aliases: Aliases | None = None) -> Play:
    """Return a combat played with given dice and choices.

    `aliases`: alternative names of answers.
    """
    named = {role: next((unit.id for unit in combat.engagement.side(role)), "") for role in SIDES}
    roles: dict[str, str] = {role: view.side_of(unit) for role, unit in named.items() if unit}
    return play_procedure(view, resolution(combat, view.cell), Start(), answers, aliases=aliases, roles=roles)


def battle_chances(combat: Combat, chances: Chances) -> BattleChances:
    """Return the chances that players ask for, selected from all chances of a combat."""

    def of_force(force: Force) -> ForceChances:
        before = max(unit.disorder for unit in force.units)
        name = force.name
        passes, retreats, unchecked = check_chances(chances, name)
        return ForceChances(
            force=name,
            passes=passes,
            retreats=retreats,
            unchecked=unchecked,
            disordered=chances.probability(lambda degree: (degree or 0) > before, f"{name}.disorder"),
            surrenders=chances.probability(bool, f"{name}.surrenders"),
        )

    attacker = combat.policies["attacker"]
    defender = combat.policies["defender"]
    steps = {role: chances.likelihoods(f"{role}.steps") for role in SIDES}
    return BattleChances(
        crt=tuple(sorted(chances.likelihoods("crt"), key=lambda likelihood: -likelihood.chance)),
        attacker_losses=chances.likelihoods("attacker.losses"),
        defender_losses=chances.likelihoods("defender.losses"),
        attacker_steps=steps["attacker"],
        defender_steps=steps["defender"],
        attacker_mean=mean_of(steps["attacker"]),
        defender_mean=mean_of(steps["defender"]),
        attacker_retreat=chances.likelihoods("attacker.retreat"),
        defender_retreat=chances.likelihoods("defender.retreat"),
        vacates=chance_to_vacate(chances),
        forces=tuple(of_force(force) for _, force in checking_forces(combat)),
        may_open=may_open(combat),
        situations=chances.situations,
        ways=attacker.way if combat.pieces else "",
        attacker_policy=NamedPolicy(attacker.name, attacker.meaning),
        defender_policy=NamedPolicy(defender.name, defender.meaning),
    )


def chance_to_vacate(chances: Chances) -> Fraction:
    """Return the chance that the defender vacates the hex or is eliminated."""
    return chances.marginal("defender.vacates").get(True, Fraction(0))


def check_chances(chances: Chances, force: str) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances that a Force passes its check, retreats by it, and makes none.

    `force`: the name of the Force.
    """
    passes = chances.marginal(f"{force}.passes")
    retreats = chances.probability(bool, f"{force}.retreat")
    return passes.get(True, Fraction(0)), retreats, passes.get(None, Fraction(0))


def known_checks(combat: Combat) -> tuple[KnownCheck, ...]:
    """Return the check of each Force, with the modifiers that do not depend on the dice."""
    engagement = combat.engagement
    checks = list[KnownCheck]()
    odds = combat.counted
    flanked = engagement.flanked
    position = engagement.position
    for role, force in checking_forces(combat):
        always = force_modifiers(force.units, [0] * len(force.units), engagement.turn)
        held: tuple[Modifier, ...] = ()
        if role == "attacker":
            always += attacker_check_modifiers(odds, asterisk=False)
        else:
            held = defender_check_modifiers(odds, position, 0, is_flanked=flanked)
            always += defender_check_modifiers(odds, position, 1, is_flanked=flanked)
        in_place = tuple(modifier for modifier in held if modifier not in always)
        place = force.units[0].place
        cel = force_cel(force.units)
        checks.append(KnownCheck(force.name, role, place, cel, always, in_place))
    return tuple(checks)


def checking_forces(combat: Combat) -> Iterator[tuple[Role, Force]]:
    """Yield the Forces that may have to check, each with its role; artillery alone makes no check."""
    for role in SIDES:
        for force in chain.from_iterable(combat.forces[role].values()):
            if any(unit.arm != "artillery" for unit in force.units):
                yield role, force


def next_odds(attack: int, defence: int) -> NextColumn | None:
    """Return the strength missing for the next better ratio and the strength to spare, or None without a ratio.

    Rule: 4.4.1
    """
    has_ratio = attack > 0 and defence > 0
    return next_column(lambda points: initial_odds(points, defence), attack) if has_ratio else None


def optional_units(view: View, parameters: BattleParameters, engagement: Engagement) -> tuple[OptionalUnit, ...]:
    """Return the units that may be withheld or may join, each with the column and magnitude in that case.

    Rule: 10.1.5c
    """
    out = parameters.withhold
    sides = {unit.id: role for role in SIDES for unit in engagement.side(role)}
    sides |= {name: "defender" if name in engagement.stack else "attacker" for name in out}

    def outcome(quiet: View, switched: BattleParameters, unit: str) -> tuple[str, str] | None:
        joins = Setup(quiet, switched).engage() if unit in out else None
        other = joins or Setup(quiet, parameters).withhold_another(engagement, unit)
        if other is None or refusals(other) or out_of_turn_steps(other):
            return None
        odds = find_odds(other)
        return odds.column, odds.magnitude

    would_be = what_if(view, parameters, "withhold", sides, outcome)
    optional = []
    for unit, (column, magnitude) in would_be.items():
        optional.append(OptionalUnit(unit, sides[unit], unit in out, column, magnitude))
    return tuple(optional)
