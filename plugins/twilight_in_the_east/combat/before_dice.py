"""What is certain of a combat before the dice: strengths, odds, column, magnitude, modifiers, and how each side settles
its choices (10.1 to 10.10); and what the dice are read with: cells of the Combat Results Table, modifiers of step
losses, Effectiveness Checks (7.2, 10.9, 10.10, 11.3).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import Part, Step, note, step
from assistant.mechanics.odds import Bands, Odds, half_up, up
from assistant.mechanics.procedure import Dice, Modifier, Roll, Situation
from assistant.util.errors import InputError, format_suggestion

from ..forces.units import SIDES, CombatUnit, Force, Role, forces, formation_joined, is_demoralized, is_marsch, stacks
from ..ground.calendar import is_summer
from ..terms import FORTRESSES, GREAT_RIVERS
from .allocation import MOST_POINTS, can_use, fewest, points_allocated, units_without_point
from .engagement import (
    HIGHEST,
    LOWEST,
    BattleParameters,
    Engagement,
    WayPolicy,
    column_shifts,
    command_of,
    divisions,
    final_odds,
    flank_effects,
    initial_odds,
    losses_for_leaders,
    magnitude,
    modifiers,
    odds_of_modifiers,
    rounded_total,
    shift_places,
    total_of,
)
from .pieces import Pieces

FARTHEST = 3
"""The hexes of the longest retreat that the table knows (10.9.1)."""
ARTILLERY = Bands((0, 3, 7, 12, 18, 25), ("0", "1", "2", "3", "4", "5"))
"""The modifier for the opponent's artillery value (10.10.3 point 3)."""
SIZES = ("XX", "X", "III", "II")
MEANINGS = {
    "usual": (
        "losses go to the unit that has lost least in this combat, then to the one with the most steps left; +1 on a "
        "check goes to the Force that can best afford it"
    ),
    "strongest": "losses go to the strongest units first; +1 on a check goes to the Force that can best afford it",
    "weakest": "losses go to the weakest units first; +1 on a check goes to the Force that can least afford it",
}
"""What each policy that has a name does, as far as the rules let it."""
AS_STATED = (
    "losses go first to {units}, in this order, then as usual; +1 on a check goes to the first of these Forces that "
    "checks"
)
LossModifiers = Annotated[tuple[Modifier, ...], note("DRM on the step loss roll, before the combat's own result")]
LossSum = Annotated[int, note("sum of the step loss modifiers")]


class CrtResult(msgspec.Struct, frozen=True):
    """One side's part of a cell: SLRT modifier, white and black retreat in hexes, and the X and asterisk marks."""

    modifier: int = 0
    white: int = 0
    black: int = 0
    x: bool = False
    asterisk: bool = False


def read_result(text: str) -> CrtResult:
    """Return a cell's part from its notation: `+1 X W2`, or `-` for nothing. Rule: 10.9.1"""
    tokens = {token[0]: token for token in text.split() if token != "-"}
    return CrtResult(
        modifier=int(tokens.get("+") or tokens.get("-") or 0),
        white=int(tokens.get("W", "W0")[1:]),
        black=int(tokens.get("B", "B0")[1:]),
        x="X" in tokens,
        asterisk="*" in tokens,
    )


def crt_modifier(result: CrtResult, all_german: bool) -> int:
    """Return the SLRT modifier of a result: one less on an X if all attackers are German. Rule: 10.9.1b, 10.10.3a"""
    return result.modifier - (result.x and all_german)


def crt_retreat(
    result: CrtResult, position: int, fortress_steps: int = 0, leftover: str = "retreat"
) -> tuple[int, int]:
    """Return hexes that a stack retreats, and steps that its fortress units lose instead.

    A black retreat is ignored in an Improved Position (level `position`) and by a stack with a fortress unit, which
    turns white retreats into step losses, one for one. leftover: ruling fortress-steps, what becomes of white hexes
    beyond its steps.
    Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    absorbed = min(result.white, fortress_steps)
    black = 0 if position or fortress_steps else result.black
    white = 0 if fortress_steps and leftover == "ignored" else result.white - absorbed
    return white + black, absorbed


def fortress_steps(units: Iterable[CombatUnit]) -> int:
    """Return steps of all fortress units of a stack, which stand in for hexes of retreat (10.9.1)."""
    return sum(unit.left for unit in units if unit.arm in FORTRESSES)


def columns_above(odds: Odds, each: int) -> int:
    """Return how often `each` columns, or part of them, go into the odds above 6:1.
    Rule: 10.10.3g, 10.10.3h, 11.3.1j
    """
    return up(Fraction(max(odds.columns - HIGHEST.columns, 0), each))


def columns_below(odds: Odds) -> int:
    """Return how many columns the odds lie below 1:4. Rule: 10.10.3i, 11.3.1h"""
    return max(LOWEST.columns - odds.columns, 0)


def artillery_modifiers(units: Sequence[CombatUnit], value: Fraction) -> tuple[Modifier, ...]:
    """Return what the opponent's artillery adds to a side's roll: its units, those that stand idle for want of an AP
    among them, and their artillery value with APs and terrain. Rule: 2.1i, 10.10.3b, 10.10.3c
    """
    if not any(unit.artillery or unit.arm in FORTRESSES for unit in units):
        return (Modifier("10.10.3", "opponent without intrinsic artillery", -1),)
    worth = half_up(value)
    return modifiers("10.10.3", (f"opponent's artillery value of {worth}", int(ARTILLERY.of(worth))))


def german_modifier(all_german: bool) -> tuple[Modifier, ...]:
    """Return the modifier of one less for a side whose units are all German. Rule: 10.10.3d"""
    return modifiers("10.10.3", ("German units only", -all_german))


def attacker_loss_modifiers(
    defenders: Sequence[CombatUnit], position: int, odds: Odds, hardship: bool = True
) -> tuple[Modifier, ...]:
    """Return what concerns the attacker's roll alone: Demoralized defenders, a Level 4 position, odds above 6:1.

    hardship: whether a Level 4 position counts in this scenario; outside the campaign ruling level-4-hardship decides.
    Rule: 10.10.3e, 10.10.3f, 10.10.3g, 13.3.2
    """
    return modifiers(
        "10.10.3",
        ("a defender is Demoralized", -3 * any(unit.demoralized for unit in defenders)),
        ("Level 4 Improved Position", position == 4 and hardship),
        (f"odds of {odds}", -columns_above(odds, 2)),
    )


def defender_loss_modifiers(is_flanked: bool, odds: Odds) -> tuple[Modifier, ...]:
    """Return what concerns the defender's roll alone: odds above 6:1 or below 1:4, and being flanked.
    Rule: 10.10.3h, 10.10.3i, 10.10.3j
    """
    by_odds = columns_above(odds, 3) - columns_below(odds)
    return modifiers("10.10.3", (f"odds of {odds}", by_odds), ("flanked", flank_effects(is_flanked).losses))


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
    `cascade` has the excess. again: ruling disordered-again.
    Rule: 7.2b, 7.2.1, 11.3.2aa
    """
    if margin <= 0:
        return Failure(disorder=force.disorder)
    grade = 1 + bisect_left((3, 7, 11), margin)
    if force.lone_assets:
        return lone_assets_failure(grade)
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
    return Failure(
        cel=lost,
        retreat=retreat + (force.levels + lost == 4) + (over >= 2),
        steps=(over >= 1) + (over >= 3),
        disorder=min(over, 2),
    )


def demoralized_failure(grade: int, force: Standing, again: str) -> Failure:
    """Return what a failed check costs a Force that is Demoralized already.

    again: ruling disordered-again, what becomes of a degree of Disorder that it has: the worse one stays, or it is
    Disordered one degree further.
    Rule: 11.3.2b
    """
    retreat, steps, disorder = {1: (1, 1, 0), 2: (1, 2, 1), 3: (2, 2, 2), 4: (2, 3, 2)}[grade]
    further = force.disorder + 1 if again == "further" and disorder and force.disorder else 0
    return Failure(0, retreat, steps, max(disorder, force.disorder, min(further, 2)))


def lone_assets_failure(grade: int) -> Failure:
    """Return the failure by which Asset Units without a formation lose a step for each level, and retreat as a sound
    unit would. Rule: 11.3.2c
    """
    return Failure(0, 0 if grade == 1 else 1, grade, 0)


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


def attacker_check_modifiers(asterisk: bool, odds: Odds) -> tuple[Modifier, ...]:
    """Return what concerns attackers alone: the asterisk, and odds above 6:1. Rule: 11.3.1i, 11.3.1j, 10.9.1c"""
    return modifiers("11.3.1", ("asterisk", -asterisk), (f"odds of {odds}", -columns_above(odds, 3)))


def defender_check_modifiers(is_flanked: bool, position: int, retreat: int, odds: Odds) -> tuple[Modifier, ...]:
    """Return what concerns defenders alone: being flanked, an Improved Position held, and odds below 1:4.

    position: the level of the Improved Position; it helps from Level 2 on, if the stack did not retreat.
    Rule: 11.3.1f, 11.3.1g, 11.3.1h, 13.3.3
    """
    return modifiers(
        "11.3.1",
        ("flanked", flank_effects(is_flanked).check),
        (f"Level {position} Improved Position held", -(position >= 2 and not retreat)),
        (f"odds of {odds}", -columns_below(odds)),
    )


class Policy(NamedTuple):
    """How one side settles its choices."""

    name: str = "usual"
    """The policy as typed."""
    meaning: str = MEANINGS["usual"]
    """What it does."""
    ranks: Mapping[str, int] = MappingProxyType({})
    """The place of a unit among those who take losses, 0 for the first."""
    modifier: Literal["best", "least", "rank"] = "best"
    """Whom +1 on a check goes to: the Force that can best or least afford it, or that with the first unit by rank."""
    way: WayPolicy = "straight"
    """How its stacks retreat."""

    def rank(self, unit: str) -> int:
        """Return the place of a unit; whoever has none comes after those who have."""
        return self.ranks.get(unit, len(self.ranks))

    def order(self, margin: int, rank: int) -> tuple[int, int]:
        """Return the place of a Force among those that may take +1 on a check. margin: by how much it passes; rank: its
        first unit's.
        """
        return (rank if self.modifier == "rank" else 0), (margin if self.modifier == "least" else -margin)


def policies(engagement: Engagement, parameters: BattleParameters) -> dict[Role, Policy]:
    """Return the policy of each side. Raises InputError for one that is neither a policy nor units that fight there."""
    stated = zip(SIDES, (parameters.attacker_policy, parameters.defender_policy), strict=True)
    return {role: _parse_policy(engagement, role, given)._replace(way=parameters.ways) for role, given in stated}


def _parse_policy(engagement: Engagement, role: Role, given: Sequence[str]) -> Policy:
    """Return the policy that a side is said to follow: one by name, or units in the order in which they take losses.

    Raises InputError for what is neither a policy nor a unit that fights on that side.
    """
    name = ",".join(given)
    units = [unit.id for unit in engagement.side(role)]
    if name == "usual":
        return Policy()
    if name in MEANINGS:
        strengths = {unit.id: engagement.strengths(unit, role)[0] for unit in engagement.side(role)}
        levels = sorted(set(strengths.values()), reverse=name == "strongest")
        ranks = {unit: levels.index(worth) for unit, worth in strengths.items()}
        return Policy(name, MEANINGS[name], ranks, "best" if name == "strongest" else "least")
    for word in given or ("",):
        if word not in units:
            what = f"{role}-policy: {word!r} is neither a policy nor a unit that fights for this side"
            raise InputError(what, hint=format_suggestion(word, [*MEANINGS, *units]))
    ranks = {unit: number for number, unit in enumerate(dict.fromkeys(given))}
    return Policy(name, AS_STATED.format(units=", ".join(ranks)), ranks, "rank")


class Combat(msgspec.Struct, frozen=True):
    """A combat whose odds are known: what stays the same through its dice."""

    engagement: Engagement
    odds: Annotated[Odds, note("after shifts")]
    magnitude: str
    modifiers: Annotated[
        Mapping[Role, tuple[Modifier, ...]], note("of both rolls for step losses, except the result's own")
    ]
    forces: Annotated[Mapping[Role, Mapping[str, tuple[Force, ...]]], note("of each side, by hex")]
    initial: Annotated[Odds, note("before shifts")]
    counted: Annotated[Odds, note("those that modifiers for odds past the ends of the chart go by")]
    policies: Annotated[Mapping[Role, Policy], note("how each side makes its choices before the dice")] = (
        MappingProxyType(dict.fromkeys(SIDES, Policy()))
    )
    pieces: Annotated[
        Pieces | None, note("who is where, None where no ground is known, so that ways back cost nothing")
    ] = None

    @property
    def standing(self) -> Pieces:
        """Who stands where, of a combat of which the ground is known."""
        assert self.pieces is not None
        return self.pieces

    @property
    def column(self) -> str:
        """The chart's column: the final odds, or the last one on their side. Rule: 10.7"""
        return str(self.odds.within(LOWEST, HIGHEST))


def combat_of(engagement: Engagement, odds: Odds, magnitude: str, initial: Odds | None = None) -> Combat:
    """Return the combat that its odds make of an engagement. odds, initial: after and before shifts, None where nothing
    shifts.
    """
    initial = odds if initial is None else initial
    counted = odds_of_modifiers(initial, odds, engagement.readings.beyond_chart)
    hardship = engagement.campaign or engagement.readings.level_4_hardship == "always"
    own: dict[Role, tuple[Modifier, ...]] = {
        "attacker": attacker_loss_modifiers(engagement.defenders, engagement.position, counted, hardship),
        "defender": defender_loss_modifiers(engagement.flanked, counted),
    }

    def all_of(role: Role, other: Role) -> tuple[Modifier, ...]:
        return (
            *artillery_modifiers(engagement.present(other), engagement.artillery(other)),
            *german_modifier(engagement.all_german(role)),
            *own[role],
            *losses_for_leaders(engagement, role),
            *modifiers("", ("added by the players", engagement.drm.get(role, 0))),
        )

    drm = {role: all_of(role, other) for role, other in zip(SIDES, SIDES[::-1], strict=True)}
    by_hex = {role: stacks(engagement.side(role)).items() for role in SIDES}
    in_stacks = {role: {place: forces(stack) for place, stack in by_place} for role, by_place in by_hex.items()}
    return Combat(engagement, odds, magnitude, drm, in_stacks, initial, counted)


def rulings_of_dice(combat: Combat) -> dict[str, bool]:
    """Return which rulings matter for what the dice lead to."""
    engagement = combat.engagement
    beside_it = any(unit.arm not in FORTRESSES for unit in (*engagement.defenders, *engagement.withheld))
    others = [unit.left for unit in engagement.attackers if not is_marsch(unit)]
    return {
        "marsch_first": 0 < len(others) < len(engagement.attackers) and max(others) == 1,
        "fortress_steps": 0 < fortress_steps(engagement.defenders) < FARTHEST and beside_it,
        "level_4_hardship": engagement.position == 4 and not engagement.campaign,
        "disordered_again": any(unit.formation and unit.disorder == 1 for unit in engagement.units),
        "beyond_chart": odds_of_modifiers(combat.initial, combat.odds, "begun") != combat.odds,
    }


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
    joins: Annotated[str, note("for an Asset Unit, the formation to whose Force it belongs; '' if none")] = ""
    back: Annotated[bool, note("whether its back lies up, from whose strength only the steps lost since are taken")] = (
        False
    )


class SideStrength(msgspec.Struct, frozen=True):
    """One side of a combat."""

    units: Annotated[tuple[UnitStrength, ...], note("the strength of each unit")]
    total: Annotated[int, note("the total strength of the units, rounded once")]
    artillery: Annotated[Fraction, note("the artillery value of the units")]
    divisions: Annotated[Fraction, note("the division equivalents of the units, for the magnitude")]
    points: Annotated[
        tuple[str, ...], note("the Artillery Ammunition Points allocated, by the command that each serves")
    ] = ()
    points_needed: Annotated[int, note("APs needed to serve every command that could use one")] = 0
    without: Annotated[tuple[str, ...], note("commands that could use an AP and have none")] = ()


class KnownCheck(msgspec.Struct, frozen=True):
    """A Force's Effectiveness Check as far as it is known before the dice."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    cel: Annotated[int, note("the Combat Effectiveness Level before the combat")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers that apply whatever is rolled")] = ()
    in_place: Annotated[tuple[Modifier, ...], note("the modifiers that apply if its stack does not retreat")] = ()


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """What is certain of a combat before the dice."""

    at: Annotated[str, note("the defending hex")]
    turn: Annotated[int, note("the game turn")]
    season: Annotated[str, note("the tables in use")]
    terrain: Annotated[str, note("terrain of the defending hex")]
    position: Annotated[int, note("level of the defender's Improved Position, 0 for none")]
    flanked: Annotated[bool, note("whether the defender is flanked")]
    held_around: Annotated[int, note("how many hexes around the defender the attackers hold or have in their ZOC")]
    held_hexes: Annotated[tuple[str, ...], note("which hexes these are")]
    held_by_formations: Annotated[
        int,
        note(
            "how many by attacking formations only, if Asset Units without a formation are attacked strongly "
            "enough; otherwise 0"
        ),
    ]
    flank_rule: Annotated[str, note("the rule by which the position shows the defender flanked or not")]
    flanked_as_typed: Annotated[bool, note("whether `flanked` is what the players typed, whatever the position shows")]
    attacker: Annotated[SideStrength, note("the attackers' strength")]
    defender: Annotated[SideStrength, note("the defenders' strength")]
    initial: Annotated[str, note("the odds before shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift, positive to the right")]
    shift_places: Annotated[
        tuple[tuple[str, ...], ...], note("the hexes or hexsides where the cause of each shift lies")
    ]
    net_shift: Annotated[int, note("the sum of the shifts")]
    final: Annotated[str, note("the odds after shifts, which may lie beyond the ends of the chart")]
    column: Annotated[str, note("the column that is read")]
    divisions: Annotated[Fraction, note("division equivalents of both sides, for the magnitude")]
    magnitude: Annotated[str, note("Small, Medium, Large or Massive")]
    attacker_modifiers: LossModifiers
    defender_modifiers: LossModifiers
    checks: Annotated[
        tuple[KnownCheck, ...], note("before dice are rolled, what is known about each Effectiveness Check")
    ] = ()
    attacker_drm: LossSum
    defender_drm: LossSum


def evaluate_combat(engagement: Engagement) -> tuple[Reckoning, Combat]:
    """Return everything about a combat that is certain before the dice. Rule: 10.2.1a, 10.10.1"""
    attacker = side_strength(engagement, "attacker")
    defender = side_strength(engagement, "defender")
    shifts = column_shifts(engagement)
    initial = initial_odds(attacker.total, defender.total)
    net_shift, final = final_odds(attacker.total, defender.total, shifts)
    combat = combat_of(engagement, final, magnitude(attacker.divisions, defender.divisions), initial)
    result = Reckoning(
        at=engagement.at,
        turn=engagement.turn,
        season=engagement.season,
        terrain=engagement.terrain,
        position=engagement.position,
        flanked=engagement.flanked,
        held_around=engagement.flank.held,
        held_hexes=engagement.flank.hexes,
        held_by_formations=engagement.flank.by_formations,
        flank_rule=engagement.flank.rule,
        flanked_as_typed=engagement.said_flanked is not None,
        attacker=attacker,
        defender=defender,
        initial=str(initial),
        shifts=shifts,
        shift_places=tuple(shift_places(engagement)),
        net_shift=net_shift,
        final=str(final),
        column=combat.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=combat.magnitude,
        attacker_modifiers=combat.modifiers["attacker"],
        defender_modifiers=combat.modifiers["defender"],
        attacker_drm=total_of(combat.modifiers["attacker"]),
        defender_drm=total_of(combat.modifiers["defender"]),
    )
    return result, combat


def column_and_magnitude(engagement: Engagement) -> tuple[str, str]:
    """Return the column and the magnitude of a combat, as `weigh` has them."""
    attack = rounded_total([engagement.strengths(unit, "attacker")[0] for unit in engagement.attackers])
    defence = rounded_total([engagement.strengths(unit, "defender")[0] for unit in engagement.defenders])
    _, final = final_odds(attack, defence, column_shifts(engagement))
    size = magnitude(divisions(engagement.attackers), divisions(engagement.defenders))
    return str(final.within(LOWEST, HIGHEST)), size


def _measure_printed_strength(unit: CombatUnit, role: Role) -> int:
    """Return the strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence
    (3.4.2), the product of a fortress (12.2).
    """
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    if unit.arm == "artillery":
        return 0
    return unit.steps if role == "attacker" else unit.defence


def _count_points_needed(present: Sequence[CombatUnit]) -> int:
    """Return the fewest AP that give ammunition to all units present that can use it."""
    able = [unit for unit in present if can_use(unit)]
    return len(points_allocated(able) if all(unit.ap for unit in able) else fewest(able, present))


def side_strength(engagement: Engagement, role: Role) -> SideStrength:
    """Return one side's strength, unit by unit, and in all, rounded once. Rule: 10.1.3a, 10.6.1, 4.5c"""
    units = engagement.side(role)
    present = engagement.present(role)

    def of_unit(unit: CombatUnit) -> UnitStrength:
        whole, guns = engagement.strengths(unit, role)
        guns = guns if unit.fssm == 0 else Fraction(0)
        across = bool(GREAT_RIVERS & engagement.across(unit.place))
        return UnitStrength(
            unit=unit.id,
            place=unit.place,
            command=command_of(unit, units),
            steps=unit.left,
            printed=_measure_printed_strength(unit, role),
            lost=unit.lost,
            base=whole - guns,
            artillery=guns,
            strength=whole,
            halved=unit.half if role == "defender" else across,
            ap=unit.ap,
            joins=formation_joined(unit, units),
            back=unit.reduced,
        )

    strengths = tuple(map(of_unit, units))
    return SideStrength(
        units=strengths,
        total=rounded_total([unit.strength for unit in strengths]),
        artillery=engagement.artillery(role),
        divisions=divisions(units),
        points=points_allocated(units),
        points_needed=_count_points_needed(present),
        without=units_without_point(present),
    )


def strength_part(engagement: Engagement, battle: Reckoning) -> Part:
    """Return the part on the strengths, unit by unit."""
    steps = []
    for role, side in (("attacker", battle.attacker), ("defender", battle.defender)):
        steps.append(step("10.5.1", "{role}: AP allocated to {points}", side, role=role))
        if side.without:
            text = "{role}: {points_needed:#AP} would serve all"
            text += ", but at most two may be allocated" if side.points_needed > MOST_POINTS else ""
            steps.append(step("10.5.1", text + "; without an AP: {without}", side, role=role))
        for unit in side.units:
            rule = "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(_unit_step("10.6" if unit.halved else rule, unit))
        steps.append(step("4.5", "{role}: {total} in all", side, role=role))
    if idle := [unit.id for unit in engagement.idle]:
        steps.append(
            step(
                "10.1.4",
                "{units} take no part: without an AP, Displaced, or not stacked with a combat unit",
                units=idle,
            )
        )
    return Part("Strengths", tuple(steps), brief=brief_strengths(battle))


def brief_strengths(battle: Reckoning) -> str:
    """Return the units that fight without an AP as two are the most that a side may allocate. Rule: 10.5b"""
    sides = {"attacker": battle.attacker, "defender": battle.defender}
    short = {role: side for role, side in sides.items() if side.points and side.points_needed > MOST_POINTS}
    text = "; ".join(f"{role}'s {', '.join(side.without)} without an AP" for role, side in short.items())
    return f"{text}, as a side has {MOST_POINTS} at most" if text else ""


def _unit_step(rule: str, unit: UnitStrength) -> Step:
    """Return the strength of one unit."""
    text = "{unit} in {place}: "
    if unit.halved or unit.lost:
        lost = (" on its back" if unit.back else "") + " less {lost} lost" if unit.lost else ""
        text += "{printed}" + lost + (", halved" if unit.halved else "") + " is "
    text += "{base}"
    if unit.artillery:
        text += ("," if unit.lost else "") + " + {artillery} artillery = {strength}"
    return step(rule, text, unit)


def odds_part(battle: Reckoning, engagement: Engagement) -> Part:
    """Return the ratio, each shift, and the column; and why a river or ridge that only some attackers cross does not
    shift it.
    """
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    rule, text = "4.4.1", "{attack}:{defence} rounds to {initial}"
    if not all(totals.values()):
        rule, text = "10.7", "{attack}:{defence} has no ratio: the last column, {initial}, is used, unshifted"
    steps = [step(rule, text, battle, **totals)]
    steps += _flank_steps(battle)
    steps += [step(shift.rule, "{why}: {amount:+}", shift) for shift in battle.shifts]
    if not battle.shifts:
        steps.append(step("10.8", "no shifts ({terrain} terrain)", battle))
    spared = _find_features_some_cross(engagement)
    if spared:
        text = "no shift for {features}: not every attacker crosses one (ruling river-shift)"
        steps.append(step("10.8", text, features=spared))
    rule = "10.7" if battle.final != battle.column else "10.8"
    text = "shifted by {net_shift:+} to {final}: column {column}" if battle.net_shift else "column {column}"
    shifts = ", ".join(f"{shift.amount:+} {shift.why}" for shift in battle.shifts)
    beyond = f"{battle.final}, beyond the last " if battle.final != battle.column else ""
    brief = f"{totals['attack']} against {totals['defence']} is {battle.initial}"
    spared_brief = f"no shift for {' and '.join(spared)}, which not every attacker crosses" if spared else ""
    shifting = ", ".join(filter(None, (shifts, spared_brief)))
    brief += f"; {shifting}: {beyond}column {battle.column}" if shifting else f", unshifted: column {battle.column}"
    return Part("Odds and column", (*steps, step(rule, text, battle)), brief)


def _find_features_some_cross(engagement: Engagement) -> tuple[str, ...]:
    """Return the rivers and ridges that some attackers cross, where others cross nothing, so that the column is not
    shifted (10.8).
    """
    if not engagement.mixed or engagement.readings.river_shift != "all":
        return ()
    return tuple(sorted(frozenset[str]().union(*engagement.crossed.values()) - {"", "open"}))


def _flank_steps(battle: Reckoning) -> Iterator[Step]:
    """Yield who holds the hexes around the defender, and whether it is flanked: typed, by the rule of Asset Units, or
    as usual.
    """
    text = "{held_around} of the six hexes around {at} are held by the attacker or in its ZOC"
    so = "flanked" if battle.flanked else "not flanked"
    if battle.flanked_as_typed:
        yield step(
            "10.4.1", f"{so}, as typed with flanked={'yes' if battle.flanked else 'no'}; {text}, as stated", battle
        )
    elif battle.flank_rule == "10.4.5":
        yield step("10.4.5", "a hex with a fortress unit cannot be flank attacked; " + text + ", as stated", battle)
    elif battle.flank_rule == "10.4.2":
        text = (
            "{held_by_formations} of the six hexes around {at} are held by attacking formations or in their ZOC, as "
            "stated: "
        )
        yield step("10.4.2", text + f"Asset Units without a formation are {so} (three hexes are needed)", battle)
    elif battle.held_around:
        yield step("10.4.1", f"{text}, as stated: {so}", battle)


def size_part(battle: Reckoning) -> Part:
    """Return the part on the magnitude, and what is known of both rolls for losses."""
    text = "{attacking:#division} against {defending}, {divisions} in all: {magnitude}"
    sides = {"attacking": battle.attacker.divisions, "defending": battle.defender.divisions}
    attacking = modifier_steps("attacker's losses", battle.attacker_modifiers)
    defending = modifier_steps("defender's losses", battle.defender_modifiers)
    attacker_drm = sum(modifier.amount for modifier in battle.attacker_modifiers)
    defender_drm = sum(modifier.amount for modifier in battle.defender_modifiers)
    brief = f"{battle.magnitude}; loss rolls: attacker {attacker_drm:+}, defender {defender_drm:+}"
    return Part("Magnitude and losses", (step("10.10.1", text, battle, **sides), *attacking, *defending), brief)


def modifier_steps(what: str, added: Iterable[Modifier]) -> list[Step]:
    """Return the modifiers of a roll, a line each."""
    return [step(modifier.rule, "{what}: {amount:+} {why}", modifier, what=what) for modifier in added]
