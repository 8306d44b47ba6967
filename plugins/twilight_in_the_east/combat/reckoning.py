"""What is certain of a combat before the dice: strengths, odds, column, magnitude, modifiers, and how each side
settles its choices (10.1 to 10.10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.mechanics.odds import Odds
from assistant.mechanics.procedure import Modifier
from assistant.questions import Part, Step, note, step
from assistant.util.errors import InputError, suggested

from ..forces.units import SIDES, CombatUnit, Force, Role, forces, is_marsch, joined, stacks
from ..terms import FORTRESSES, GREAT_RIVERS
from .allocation import MOST_POINTS, can_use, fewest, left_without, points_allocated
from .engagement import (
    HIGHEST,
    LOWEST,
    BattleParameters,
    Engagement,
    WayPolicy,
    added_up,
    column_shifts,
    command_of,
    divisions,
    final_odds,
    initial_odds,
    magnitude,
    modifiers,
    odds_of_modifiers,
    rounded_total,
)
from .pieces import Pieces
from .tables import (
    FARTHEST,
    artillery_modifiers,
    attacker_loss_modifiers,
    defender_loss_modifiers,
    fortress_steps,
    german_modifier,
)

MEANINGS = {
    "usual": "losses go to the unit that has lost least in this combat, then to the one with the most steps left; +1 on a check goes to the Force that can best afford it",
    "strongest": "losses go to the strongest units first; +1 on a check goes to the Force that can best afford it",
    "weakest": "losses go to the weakest units first; +1 on a check goes to the Force that can least afford it",
}
"""What each policy that has a name does, as far as the rules let it."""
AS_STATED = "losses go first to {units}, in this order, then as usual; +1 on a check goes to the first of these Forces that checks"


class Policy(NamedTuple):
    """How one side settles its choices.

    name: as typed; meaning: what it does; ranks: the place of a unit among those who take losses, 0 for the first; modifier: whom
    +1 on a check goes to: the Force that can best or least afford it, or that with the first unit by rank; way: how its stacks
    retreat.
    """

    name: str = "usual"
    meaning: str = MEANINGS["usual"]
    ranks: Mapping[str, int] = MappingProxyType({})
    modifier: Literal["best", "least", "rank"] = "best"
    way: WayPolicy = "straight"

    def rank(self, unit: str) -> int:
        """The place of a unit; whoever has none comes after those who have."""
        return self.ranks.get(unit, len(self.ranks))

    def order(self, margin: int, rank: int) -> tuple[int, int]:
        """The place of a Force among those that may take +1 on a check. margin: by how much it passes; rank: its first unit's."""
        return (rank if self.modifier == "rank" else 0), (margin if self.modifier == "least" else -margin)


def policies(engagement: Engagement, parameters: BattleParameters) -> dict[Role, Policy]:
    """The policy of each side. Raises InputError for one that is neither a policy nor units that fight there."""
    stated = zip(SIDES, (parameters.attacker_policy, parameters.defender_policy), strict=True)
    return {role: policy(engagement, role, given)._replace(way=parameters.ways) for role, given in stated}


def policy(engagement: Engagement, role: Role, given: Sequence[str]) -> Policy:
    """The policy that a side is said to follow: one by name, or units in the order in which they take losses.

    Raises InputError for what is neither a policy nor a unit that fights on that side.
    """
    name, units = ",".join(given), [unit.id for unit in engagement.side(role)]
    if name == "usual":
        return Policy()
    if name in MEANINGS:
        strengths = {unit.id: engagement.strengths(unit, role)[0] for unit in engagement.side(role)}
        levels = sorted(set(strengths.values()), reverse=name == "strongest")
        ranks = {unit: levels.index(worth) for unit, worth in strengths.items()}
        return Policy(name, MEANINGS[name], ranks, "best" if name == "strongest" else "least")
    for one in given or ("",):
        if one not in units:
            what = f"{role}-policy: {one!r} is neither a policy nor a unit that fights for this side"
            raise InputError(what, hint=suggested(one, [*MEANINGS, *units]))
    ranks = {unit: number for number, unit in enumerate(dict.fromkeys(given))}
    return Policy(name, AS_STATED.format(units=", ".join(ranks)), ranks, "rank")


class Combat(msgspec.Struct, frozen=True):
    """A combat whose odds are known: what stays the same through its dice.

    odds, initial: after and before shifts; counted: those that modifiers for odds past the ends of the chart go by; modifiers: of
    both rolls for step losses but the result's own; forces: of each side, by hex; policies: how each side settles its choices
    before the dice; pieces: who stands where, None where no ground is known, so that ways back cost nothing.
    """

    engagement: Engagement
    odds: Odds
    magnitude: str
    modifiers: Mapping[Role, tuple[Modifier, ...]]
    forces: Mapping[Role, Mapping[str, tuple[Force, ...]]]
    initial: Odds
    counted: Odds
    policies: Mapping[Role, Policy] = MappingProxyType(dict.fromkeys(SIDES, Policy()))
    pieces: Pieces | None = None

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
    """The combat that its odds make of an engagement. odds, initial: after and before shifts, None where nothing shifts."""
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
            *modifiers("", ("added by the players", engagement.drm.get(role, 0))),
        )

    drm = {role: all_of(role, other) for role, other in zip(SIDES, SIDES[::-1], strict=True)}
    by_hex = {role: stacks(engagement.side(role)).items() for role in SIDES}
    in_stacks = {role: {place: forces(stack) for place, stack in found} for role, found in by_hex.items()}
    return Combat(engagement, odds, magnitude, drm, in_stacks, initial, counted)


def on_the_dice(combat: Combat) -> dict[str, bool]:
    """Which rulings matter for what the dice lead to."""
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


class KnownCheck(msgspec.Struct, frozen=True):
    """A Force's Effectiveness Check as far as it is known before the dice."""

    force: Annotated[str, note("its first unit")]
    side: Annotated[str, note("attacker or defender")]
    place: Annotated[str, note("its hex")]
    cel: Annotated[int, note("the Combat Effectiveness Level, before the combat costs it any")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers that hold whatever the dice")] = ()
    in_place: Annotated[tuple[Modifier, ...], note("the modifiers that hold if its stack does not retreat")] = ()


LossModifiers = Annotated[tuple[Modifier, ...], note("added to the roll for losses, before the combat's own result")]
LossSum = Annotated[int, note("the sum of these modifiers")]


class Reckoning(msgspec.Struct, frozen=True, kw_only=True):
    """What is certain of a combat before the dice."""

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


def weigh(engagement: Engagement) -> tuple[Reckoning, Combat]:
    """Everything about a combat that is certain before the dice. Rule: 10.2.1a, 10.10.1"""
    attacker, defender = (side_strength(engagement, role) for role in SIDES)
    shifts = column_shifts(engagement)
    initial = initial_odds(attacker.total, defender.total)
    net_shift, final = final_odds(attacker.total, defender.total, shifts)
    combat = combat_of(engagement, final, magnitude(attacker.divisions, defender.divisions), initial)
    same = ("at", "turn", "season", "terrain", "position", "flanked")
    result = Reckoning(
        **{name: getattr(engagement, name) for name in same},
        held_around=engagement.flank.held,
        held_by_formations=engagement.flank.by_formations,
        flank_rule=engagement.flank.rule,
        flanked_as_typed=engagement.said_flanked is not None,
        attacker=attacker,
        defender=defender,
        initial=str(initial),
        shifts=shifts,
        net_shift=net_shift,
        final=str(final),
        column=combat.column,
        divisions=attacker.divisions + defender.divisions,
        magnitude=combat.magnitude,
        attacker_modifiers=combat.modifiers["attacker"],
        defender_modifiers=combat.modifiers["defender"],
        attacker_drm=added_up(combat.modifiers["attacker"]),
        defender_drm=added_up(combat.modifiers["defender"]),
    )
    return result, combat


def printed_strength(unit: CombatUnit, role: Role) -> int:
    """The strength on a unit's counter without its artillery: steps in attack (3.4.1), defence in defence (3.4.2), the
    product of a fortress (12.2)."""
    if unit.arm in FORTRESSES:
        return unit.steps * unit.fssm
    return 0 if unit.arm == "artillery" else unit.steps if role == "attacker" else unit.defence


def points_needed(present: Sequence[CombatUnit]) -> int:
    """The fewest AP that give ammunition to all units present that can use it: told beside those allocated."""
    able = [unit for unit in present if can_use(unit)]
    return len(points_allocated(able) if all(unit.ap for unit in able) else fewest(able, present))


def side_strength(engagement: Engagement, role: Role) -> SideStrength:
    """One side's strength, unit by unit, and in all, rounded once. Rule: 10.1.3a, 10.6.1, 4.5c"""
    units, present = engagement.side(role), engagement.present(role)

    def of_unit(unit: CombatUnit) -> UnitStrength:
        whole, guns = engagement.strengths(unit, role)
        guns = guns if unit.fssm == 0 else Fraction(0)
        across = bool(GREAT_RIVERS & engagement.across(unit.place))
        return UnitStrength(
            unit=unit.id,
            place=unit.place,
            command=command_of(unit, units),
            steps=unit.left,
            printed=printed_strength(unit, role),
            lost=unit.lost,
            base=whole - guns,
            artillery=guns,
            strength=whole,
            halved=unit.half if role == "defender" else across,
            ap=unit.ap,
            joins=joined(unit, units),
        )

    strengths = tuple(map(of_unit, units))
    return SideStrength(
        units=strengths,
        total=rounded_total([unit.strength for unit in strengths]),
        artillery=engagement.artillery(role),
        divisions=divisions(units),
        points=points_allocated(units),
        points_needed=points_needed(present),
        without=left_without(present),
    )


def strength_part(engagement: Engagement, battle: Reckoning) -> Part:
    """Strengths, unit by unit."""
    steps = []
    for role, side in (("attacker", battle.attacker), ("defender", battle.defender)):
        steps.append(step("10.5.1", "{role}: AP allocated to {points}", side, role=role))
        if side.without:
            text = "{role}: {points_needed:#AP} would serve all"
            text += ", but at most two may be allocated" if side.points_needed > MOST_POINTS else ""
            steps.append(step("10.5.1", text + "; without an AP: {without}", side, role=role))
        for unit in side.units:
            rule = "10.6" if unit.halved else "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(unit_step(rule, unit))
        steps.append(step("4.5", "{role}: {total} in all", side, role=role))
    if idle := [unit.id for unit in engagement.idle]:
        steps.append(step("10.1.4", "{units} take no part: no AP, Displaced, or no combat unit with them", units=idle))
    return Part("Strengths", tuple(steps), brief=brief_strengths(battle))


def brief_strengths(battle: Reckoning) -> str:
    """The units that fight without an AP as two are the most that a side may allocate. Rule: 10.5b"""
    sides = {"attacker": battle.attacker, "defender": battle.defender}
    short = {role: side for role, side in sides.items() if side.points and side.points_needed > MOST_POINTS}
    text = "; ".join(f"{role}'s {', '.join(side.without)} without an AP" for role, side in short.items())
    return f"{text}, as a side has {MOST_POINTS} at most" if text else ""


def unit_step(rule: str, unit: UnitStrength) -> Step:
    """The strength of one unit."""
    text = "{unit} in {place}: "
    if unit.halved or unit.lost:
        text += "{printed}" + (" less {lost} lost" if unit.lost else "") + (", halved" if unit.halved else "") + " is "
    text += "{base}"
    if unit.artillery:
        text += ("," if unit.lost else "") + " + {artillery} artillery = {strength}"
    return step(rule, text, unit)


def odds_part(battle: Reckoning) -> Part:
    """The ratio, each shift, and the column."""
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    rule, text = "4.4.1", "{attack}:{defence} rounds to {initial}"
    if not all(totals.values()):
        rule, text = "10.7", "{attack}:{defence} has no ratio: the last column, {initial}, is taken unshifted"
    steps = [step(rule, text, battle, **totals)]
    steps += flank_steps(battle)
    steps += [step(shift.rule, "{why}: {amount:+}", shift) for shift in battle.shifts]
    if not battle.shifts:
        steps.append(step("10.8", "no shifts ({terrain} terrain)", battle))
    rule = "10.7" if battle.final != battle.column else "10.8"
    text = "shifted by {net_shift:+} to {final}: column {column}" if battle.net_shift else "column {column}"
    shifts = ", ".join(f"{shift.amount:+} {shift.why}" for shift in battle.shifts)
    beyond = f"{battle.final}, beyond the last " if battle.final != battle.column else ""
    brief = f"{totals['attack']} against {totals['defence']} is {battle.initial}"
    brief += f"; {shifts}: {beyond}column {battle.column}" if shifts else f", unshifted: column {battle.column}"
    return Part("Odds and column", (*steps, step(rule, text, battle)), brief)


def flank_steps(battle: Reckoning) -> Iterator[Step]:
    """Who holds the hexes around the defender, and whether it is flanked: typed, by the rule of Asset Units, or as usual."""
    text = "{held_around} of the six hexes around {at} are held by the attacker or in its ZOC"
    so = "flanked" if battle.flanked else "not flanked"
    if battle.flanked_as_typed:
        yield step(
            "10.4.1", f"{so}, as typed with flanked={'yes' if battle.flanked else 'no'}; {text}, as stated", battle
        )
    elif battle.flank_rule == "10.4.5":
        yield step("10.4.5", "a hex with a fortress unit cannot be flank attacked; " + text + ", as stated", battle)
    elif battle.flank_rule == "10.4.2":
        text = "{held_by_formations} of the six hexes around {at} are held by attacking formations or in their ZOC, as stated: "
        yield step("10.4.2", text + f"Asset Units without a formation are {so}, which takes three", battle)
    elif battle.held_around:
        yield step("10.4.1", f"{text}, as stated: {so}", battle)


def size_part(battle: Reckoning) -> Part:
    """Magnitude, and what is known of both rolls for losses."""
    text = "{attacking:#division} against {defending}, {divisions} in all: {magnitude}"
    sides = {"attacking": battle.attacker.divisions, "defending": battle.defender.divisions}
    attacking = modifier_steps("attacker's losses", battle.attacker_modifiers)
    defending = modifier_steps("defender's losses", battle.defender_modifiers)
    brief = f"{battle.magnitude}; loss rolls: " + ", ".join(
        f"{role} {sum(modifier.amount for modifier in modifiers):+}"
        for role, modifiers in (("attacker", battle.attacker_modifiers), ("defender", battle.defender_modifiers))
    )
    return Part("Magnitude and losses", (step("10.10.1", text, battle, **sides), *attacking, *defending), brief)


def modifier_steps(what: str, modifiers: Iterable[Modifier]) -> list[Step]:
    """The modifiers of a roll, a line each."""
    return [step(modifier.rule, "{what}: {amount:+} {why}", modifier, what=what) for modifier in modifiers]
