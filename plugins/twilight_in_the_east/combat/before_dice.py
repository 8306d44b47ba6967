"""The certain part of a combat, before the dice (10.1 to 11.3).

It has strengths, odds, column, magnitude, modifiers, the sides' policies, and the meaning of the table's cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.mechanics.odds import Bands, Odds, half_up, up
from assistant.mechanics.procedure import Modifier
from assistant.util.errors import InputError, format_suggestion

from ..forces.units import SIDES, CombatUnit, Force, Role, forces, formation_joined, is_marsch, stacks
from ..terms import FORTRESSES, GREAT_RIVERS
from .allocation import Allotment, can_use, command_of, points_allocated, units_without_point
from .engagement import (
    FLANK_LOSS_DRM,
    MAX_ODDS,
    MIN_ODDS,
    BattleParameters,
    Engagement,
    WayPolicy,
    column_shifts,
    divisions,
    final_odds,
    initial_odds,
    losses_for_leaders,
    magnitude,
    modifiers,
    odds_of_modifiers,
    shift_places,
    total_of,
)
from .pieces import Pieces

MAX_RETREAT_HEXES = 3
"""The longest retreat in the Combat Results Table (10.9.1)."""
ARTILLERY_MODIFIERS = Bands((0, 3, 7, 12, 18, 25), ("0", "1", "2", "3", "4", "5"))
"""The modifier of a step loss roll, by the opponent's artillery value (10.10.3 point 3)."""


LossModifiers = Annotated[tuple[Modifier, ...], note("DRM on the step loss roll, before the combat's own result")]


LossSum = Annotated[int, note("sum of the step loss modifiers")]


class CrtResult(msgspec.Struct, frozen=True):
    """One side's part of a cell of the Combat Results Table."""

    modifier: int = 0
    """The modifier of the side's roll on the Step Loss Results Table (SLRT)."""
    white: int = 0
    """Hexes of a white retreat, which fortress units may turn into step losses."""
    black: int = 0
    """Hexes of a black retreat, which an Improved Position or a fortress unit cancels."""
    x: bool = False
    """Whether the cell has an X, which lowers the modifier if all attackers are German."""
    asterisk: bool = False
    """Whether the cell has an asterisk, which helps attackers in their checks."""


def read_result(text: str) -> CrtResult:
    """Parse one side's part of a cell: `+1 X W2`, or `-` for nothing. Rule: 10.9.1"""
    tokens = {token[0]: token for token in text.split() if token != "-"}
    return CrtResult(
        modifier=int(tokens.get("+") or tokens.get("-") or 0),
        white=int(tokens.get("W", "W0")[1:]),
        black=int(tokens.get("B", "B0")[1:]),
        x="X" in tokens,
        asterisk="*" in tokens,
    )


def crt_modifier(result: CrtResult, *, all_german: bool) -> int:
    """Return the SLRT modifier of a result: one less on an X if all attackers are German. Rule: 10.9.1b, 10.10.3a"""
    return result.modifier - (result.x and all_german)


def crt_retreat(
    result: CrtResult, position: int, fortress_steps: int = 0, leftover: str = "retreat"
) -> tuple[int, int]:
    """Return the hexes that a stack retreats, and the steps that its fortress units lose instead.

    A black retreat is ignored in an Improved Position and by a stack with a fortress unit. A fortress unit loses a step
    for each hex of a white retreat.

    `position`: the level of the Improved Position, or 0.
    `fortress_steps`: steps that the fortress units of the stack have left.
    `leftover`: ruling fortress-steps, for white hexes beyond these steps.

    Rule: 10.9.1d, 10.9.1e, 13.3.1a
    """
    absorbed = min(result.white, fortress_steps)
    black = 0 if position or fortress_steps else result.black
    white = 0 if fortress_steps and leftover == "ignored" else result.white - absorbed
    return white + black, absorbed


def fortress_steps(units: Iterable[CombatUnit]) -> int:
    """Return the steps left to all fortress units of a stack, which may replace hexes of retreat (10.9.1)."""
    return sum(unit.left for unit in units if unit.arm in FORTRESSES)


def columns_above(odds: Odds, each: int) -> int:
    """Return the columns by which the odds exceed 6:1, divided by `each` and rounded up.

    Rule: 10.10.3g, 10.10.3h, 11.3.1j
    """
    return up(Fraction(max(odds.columns - MAX_ODDS.columns, 0), each))


def columns_below(odds: Odds) -> int:
    """Return the number of columns by which the odds are below 1:4. Rule: 10.10.3i, 11.3.1h"""
    return max(MIN_ODDS.columns - odds.columns, 0)


def artillery_modifiers(units: Sequence[CombatUnit], value: Fraction) -> tuple[Modifier, ...]:
    """Return the modifiers of a side's roll for the opponent's artillery.

    `units`: the opponent's units, including artillery that takes no part.
    `value`: the opponent's artillery value, with APs and terrain counted.

    Rule: 2.1i, 10.10.3b, 10.10.3c
    """
    if not any(unit.artillery or unit.arm in FORTRESSES for unit in units):
        return (Modifier("10.10.3", "opponent without intrinsic artillery", -1),)
    worth = half_up(value)
    return modifiers("10.10.3", (f"opponent's artillery value of {worth}", int(ARTILLERY_MODIFIERS.of(worth))))


def german_modifier(*, all_german: bool) -> tuple[Modifier, ...]:
    """Return the modifier of -1 for a side whose units are all German. Rule: 10.10.3d"""
    return modifiers("10.10.3", ("German units only", -1 if all_german else 0))


def attacker_loss_modifiers(
    defenders: Sequence[CombatUnit], position: int, odds: Odds, *, hardship: bool = True
) -> tuple[Modifier, ...]:
    """Return the modifiers of the attacker's roll alone: Demoralized defenders, a Level 4 position, odds above 6:1.

    `hardship`: whether a Level 4 position counts: always in the campaign, and elsewhere by ruling level-4-hardship.

    Rule: 10.10.3e, 10.10.3f, 10.10.3g, 13.3.2
    """
    demoralized = any(unit.demoralized for unit in defenders)
    return modifiers(
        "10.10.3",
        ("a defender is Demoralized", -3 if demoralized else 0),
        ("Level 4 Improved Position", 1 if position == 4 and hardship else 0),
        (f"odds of {odds}", -columns_above(odds, 2)),
    )


def defender_loss_modifiers(odds: Odds, *, is_flanked: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of the defender's roll alone: odds above 6:1 or below 1:4, and being flanked.

    Rule: 10.10.3h, 10.10.3i, 10.10.3j
    """
    by_odds = columns_above(odds, 3) - columns_below(odds)
    return modifiers("10.10.3", (f"odds of {odds}", by_odds), ("flanked", FLANK_LOSS_DRM * is_flanked))


POLICY_MEANINGS = {
    "usual": (
        "losses go to the unit that has lost least in this combat, then to the one with the most steps left; +1 on a "
        "check goes to the Force that can best afford it"
    ),
    "strongest": "losses go to the strongest units first; +1 on a check goes to the Force that can best afford it",
    "weakest": "losses go to the weakest units first; +1 on a check goes to the Force that can least afford it",
}
"""The effect of each named policy, as far as the rules leave a choice."""
ORDER_POLICY_MEANING = (
    "losses go first to {units}, in this order, then as usual; +1 on a check goes to the first of these Forces that "
    "checks"
)
"""The effect of a policy that names units."""


class Policy(msgspec.Struct, frozen=True):
    """A side's way to make its choices when chances are computed."""

    name: str = "usual"
    """The policy as typed."""
    meaning: str = POLICY_MEANINGS["usual"]
    """The effect of the policy, in words."""
    ranks: Mapping[str, int] = MappingProxyType({})
    """The position of each unit in the order in which units take losses, from 0."""
    modifier: Literal["best", "least", "rank"] = "best"
    """The Force that takes +1 on a check: the one that can best or least afford it, or the first by rank."""
    way: WayPolicy = "straight"
    """The choice of hexes when the side's stacks retreat."""

    def rank(self, unit: str) -> int:
        """Return a unit's position in the order of losses; units without a rank come last."""
        return self.ranks.get(unit, len(self.ranks))

    def order(self, margin: int, rank: int) -> tuple[int, int]:
        """Return a Force's sort key for taking +1 on a check; the Force with the lowest key takes it.

        `margin`: the highest natural roll with which the Force passes.
        `rank`: the lowest rank among the Force's units.
        """
        return (rank if self.modifier == "rank" else 0), (margin if self.modifier == "least" else -margin)


def policies(engagement: Engagement, parameters: BattleParameters) -> dict[Role, Policy]:
    """Return the policy of each side.

    Raises InputError if a parameter is neither the name of a policy nor a list of units that fight for the side.
    """
    stated = zip(SIDES, (parameters.attacker_policy, parameters.defender_policy), strict=True)
    return {role: replace(_parse_policy(engagement, role, given), way=parameters.ways) for role, given in stated}


def _parse_policy(engagement: Engagement, role: Role, given: Sequence[str]) -> Policy:
    name = ",".join(given)
    units = [unit.id for unit in engagement.side(role)]
    if name == "usual":
        return Policy()
    if name in POLICY_MEANINGS:
        strengths = {unit.id: engagement.strengths(unit, role)[0] for unit in engagement.side(role)}
        levels = sorted(set(strengths.values()), reverse=name == "strongest")
        ranks = {unit: levels.index(worth) for unit, worth in strengths.items()}
        return Policy(name, POLICY_MEANINGS[name], ranks, "best" if name == "strongest" else "least")
    for word in given or ("",):
        if word not in units:
            what = f"{role}-policy: {word!r} is neither a policy nor a unit that fights for this side"
            raise InputError(what, hint=format_suggestion(word, [*POLICY_MEANINGS, *units]))
    ranks = {unit: number for number, unit in enumerate(dict.fromkeys(given))}
    return Policy(name, ORDER_POLICY_MEANING.format(units=", ".join(ranks)), ranks, "rank")


class Combat(msgspec.Struct, frozen=True):
    """A combat with known odds: the part that its dice do not change."""

    engagement: Engagement
    odds: Annotated[Odds, note("odds after shifts")]
    magnitude: str
    modifiers: Annotated[
        Mapping[Role, tuple[Modifier, ...]],
        note("modifiers of each side's step loss roll, without those of the combat's result"),
    ]
    forces: Annotated[Mapping[Role, Mapping[str, tuple[Force, ...]]], note("Forces of each side, by hex")]
    initial: Annotated[Odds, note("odds before shifts")]
    counted: Annotated[Odds, note("odds that decide the modifiers for odds past the ends of the chart")]
    policies: Annotated[Mapping[Role, Policy], note("each side's policy for its choices")] = MappingProxyType(
        dict.fromkeys(SIDES, Policy())
    )
    pieces: Annotated[
        Pieces | None, note("the pieces on the map, or None if the ground is unknown and retreats cost nothing")
    ] = None

    @property
    def standing(self) -> Pieces:
        assert self.pieces is not None
        return self.pieces

    @property
    def column(self) -> str:
        """The column of the chart: the final odds, or the nearest end of the chart if they are past it. Rule: 10.7"""
        return str(self.odds.within(MIN_ODDS, MAX_ODDS))


def combat_of(engagement: Engagement, odds: Odds, magnitude: str, initial: Odds | None = None) -> Combat:
    """Return the combat that follows from an engagement and its odds.

    `odds`: the odds after shifts.
    `initial`: the odds before shifts, or None if nothing shifts.
    """
    initial = odds if initial is None else initial
    counted = odds_of_modifiers(initial, odds, engagement.readings.beyond_chart)
    hardship = engagement.campaign or engagement.readings.level_4_hardship == "always"
    own: dict[Role, tuple[Modifier, ...]] = {
        "attacker": attacker_loss_modifiers(engagement.defenders, engagement.position, counted, hardship=hardship),
        "defender": defender_loss_modifiers(counted, is_flanked=engagement.flanked),
    }

    def all_of(role: Role, other: Role) -> tuple[Modifier, ...]:
        return (
            *artillery_modifiers(engagement.present(other), engagement.artillery(other)),
            *german_modifier(all_german=engagement.all_german(role)),
            *own[role],
            *losses_for_leaders(engagement, role),
            *modifiers("", ("added by the players", engagement.drm.get(role, 0))),
        )

    drm = {role: all_of(role, other) for role, other in zip(SIDES, SIDES[::-1], strict=True)}
    by_hex = {role: stacks(engagement.side(role)).items() for role in SIDES}
    in_stacks = {role: {place: forces(stack) for place, stack in by_place} for role, by_place in by_hex.items()}
    return Combat(engagement, odds, magnitude, drm, in_stacks, initial, counted)


def rulings_of_dice(combat: Combat) -> dict[str, bool]:
    """Return for rulings on the results of the dice whether each matters in this combat, by field of `Readings`."""
    engagement = combat.engagement
    beside_it = any(unit.arm not in FORTRESSES for unit in (*engagement.defenders, *engagement.withheld))
    others = [unit.left for unit in engagement.attackers if not is_marsch(unit)]
    return {
        "marsch_first": 0 < len(others) < len(engagement.attackers) and max(others) == 1,
        "fortress_steps": 0 < fortress_steps(engagement.defenders) < MAX_RETREAT_HEXES and beside_it,
        "level_4_hardship": engagement.position == 4 and not engagement.campaign,
        "disordered_again": any(unit.formation and unit.disorder == 1 for unit in engagement.units),
        "beyond_chart": odds_of_modifiers(combat.initial, combat.odds, "begun") != combat.odds,
    }


class UnitStrength(msgspec.Struct, frozen=True):
    """The strength that one unit brings to a combat."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex")]
    command: Annotated[str, note("the corps, or its hex if it is independent")]
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
    """A Force's Effectiveness Check before the dice."""

    force: Annotated[str, note("the first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("the hex")]
    cel: Annotated[int, note("the Combat Effectiveness Level before the combat")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers that apply whatever is rolled")] = ()
    in_place: Annotated[tuple[Modifier, ...], note("the modifiers that apply if its stack does not retreat")] = ()


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """All that is certain of a combat before the dice."""

    at: Annotated[str, note("the defending hex")]
    turn: Annotated[int, note("the game turn")]
    season: Annotated[str, note("the tables in use")]
    terrain: Annotated[str, note("terrain of the defending hex")]
    position: Annotated[int, note("level of the defender's Improved Position, 0 for none")]
    flanked: Annotated[bool, note("whether the defender is flanked")]
    held_around: Annotated[int, note("how many hexes around the defender the attackers hold or have in their ZOC")]
    held_hexes: Annotated[tuple[str, ...], note("the hexes that `held_around` counts")]
    held_by_formations: Annotated[
        int,
        note(
            "hexes that attacking formations alone hold or have in their ZOC, if lone Asset Units are attacked strongly "
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


class CombatOdds(NamedTuple):
    """The odds of a combat with their derivation, and its magnitude."""

    attack: int
    """The total strength of the attackers."""
    defence: int
    """The total strength of the defenders."""
    shifts: tuple[Modifier, ...]
    net_shift: int
    initial: Odds
    final: Odds
    magnitude: str

    @property
    def column(self) -> str:
        return str(self.final.within(MIN_ODDS, MAX_ODDS))


def find_odds(engagement: Engagement) -> CombatOdds:
    """Return the odds and the magnitude of a combat (10.7, 10.10.1)."""
    attack, defence = engagement.total("attacker"), engagement.total("defender")
    shifts = column_shifts(engagement)
    net_shift, final = final_odds(attack, defence, shifts)
    size = magnitude(divisions(engagement.attackers), divisions(engagement.defenders))
    return CombatOdds(attack, defence, shifts, net_shift, initial_odds(attack, defence), final, size)


def evaluate_combat(engagement: Engagement) -> tuple[Reckoning, Combat]:
    """Return the figures of a combat that are certain before the dice, and the combat."""
    odds = find_odds(engagement)
    combat = combat_at_odds(engagement, odds)
    return reckon(odds, combat), combat


def combat_at_odds(engagement: Engagement, odds: CombatOdds) -> Combat:
    """Return the combat of an engagement whose odds are known."""
    return combat_of(engagement, odds.final, odds.magnitude, odds.initial)


def reckon(odds: CombatOdds, combat: Combat) -> Reckoning:
    """Return the figures of a combat that are certain before the dice. Rule: 10.2.1a, 10.10.1"""
    engagement = combat.engagement
    attacker = side_strength(engagement, "attacker", odds.attack)
    defender = side_strength(engagement, "defender", odds.defence)
    return Reckoning(
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
        initial=str(odds.initial),
        shifts=odds.shifts,
        shift_places=tuple(shift_places(engagement)),
        net_shift=odds.net_shift,
        final=str(odds.final),
        column=combat.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=combat.magnitude,
        attacker_modifiers=combat.modifiers["attacker"],
        defender_modifiers=combat.modifiers["defender"],
        attacker_drm=total_of(combat.modifiers["attacker"]),
        defender_drm=total_of(combat.modifiers["defender"]),
    )


def _measure_printed_strength(unit: CombatUnit, role: Role) -> int:
    """Return a unit's printed strength without artillery (3.4.1, 3.4.2, 12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    if unit.arm == "artillery":
        return 0
    return unit.steps if role == "attacker" else unit.defence


def side_strength(engagement: Engagement, role: Role, total: int) -> SideStrength:
    """Return one side's strength, unit by unit.

    `total`: the side's total strength, already rounded.

    Rule: 10.1.3a, 10.6.1, 4.5c
    """
    units = engagement.side(role)
    present = engagement.present(role)
    strengths = [engagement.strengths(unit, role) for unit in units]
    able = [unit for unit in present if can_use(unit)]
    points = points_allocated(able) if all(unit.ap for unit in able) else Allotment(present, able).fewest()

    def of_unit(unit: CombatUnit, strength: Fraction, guns: Fraction) -> UnitStrength:
        guns = guns if unit.fssm == 0 else Fraction(0)
        across = bool(GREAT_RIVERS & engagement.across(unit.place))
        return UnitStrength(
            unit=unit.id,
            place=unit.place,
            command=command_of(unit, units),
            steps=unit.left,
            printed=_measure_printed_strength(unit, role),
            lost=unit.lost,
            base=strength - guns,
            artillery=guns,
            strength=strength,
            halved=unit.half if role == "defender" else across,
            ap=unit.ap,
            joins=formation_joined(unit, units),
            back=unit.reduced,
        )

    return SideStrength(
        units=tuple(of_unit(unit, *strength) for unit, strength in zip(units, strengths, strict=True)),
        total=total,
        artillery=sum((guns for _, guns in strengths), Fraction(0)),
        divisions=divisions(units),
        points=points_allocated(units),
        points_needed=len(points),
        without=units_without_point(present),
    )
