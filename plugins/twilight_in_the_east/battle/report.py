"""A combat before its dice, as `battle` reports it of one attack and `need` of several: what is certain, the chances,
the checks to come, and what would change it; and its report: what the dice led to, retreats and the advance (10.9 to
11.4).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from assistant.asking import Answers, Part, Step, View, note, step
from assistant.asking.asks import Ask
from assistant.asking.play import Aliases, Play, play_procedure
from assistant.asking.what_if import NextColumn, format_changes_in_brief, make_next_column_step, next_column, what_if
from assistant.mechanics.chances import Chances, Likelihood, ends_of_check
from assistant.mechanics.procedure import Choice, Modifier, Node, Resolution
from assistant.state.state import hexside
from assistant.util.memo import Memo
from assistant.util.texts import natural

from ..combat.before_dice import (
    Combat,
    KnownCheck,
    Reckoning,
    attacker_check_modifiers,
    column_and_magnitude,
    defender_check_modifiers,
    evaluate_combat,
    force_cel,
    force_modifiers,
    fortress_steps,
    modifier_steps,
    policies,
    read_result,
    rulings_of_dice,
)
from ..combat.engagement import BattleParameters, Engagement, initial_odds
from ..combat.legality import out_of_turn_steps, refusals
from ..combat.pieces import Piece, Pieces
from ..combat.retreat_bars import WayIn, retreat_bar
from ..combat.setup import agree_readings, engage, withhold_another
from ..displacement.rules import DEPARTS, Displaced, find_units_in_way, passing_step, units_passed_by, write_elimination
from ..forces.units import SIDES, Force, Role, stack_excess
from ..leaders.command import Leader, uses_left
from ..results.outcome import BattleOutcome, CheckOutcome, RepulseTried, Withdrawal
from ..results.resolution import Start, resolution
from ..results.retreats import Retreats, hexes_around, may_open, withheld_units
from ..retreat.ways import charge_step, force_step, options_part, priority_step
from ..terms import OFF_MAP, SAY

TableLosses = Annotated[tuple[Likelihood, ...], note("steps lost on the Step Loss Results Table")]
LOST = note("steps lost on the Step Loss Results Table, to checks, and in retreats by the result")
AllLosses = Annotated[tuple[Likelihood, ...], LOST]


class ForceChances(msgspec.Struct, frozen=True):
    """What its check may do to one Force."""

    force: Annotated[str, note("its first unit")]
    passes: Annotated[Fraction, note("chance that the Force passes its check")]
    retreats: Annotated[Fraction, note("chance that the check makes the Force retreat")]
    unchecked: Annotated[
        Fraction, note("chance that the Force makes no check, as it is eliminated or has left before it")
    ]
    disordered: Annotated[Fraction, note("chance that the check Disorders the Force")]
    surrenders: Annotated[Fraction, note("chance that the Force cannot retreat at all and surrenders")]


class NamedPolicy(msgspec.Struct, frozen=True):
    """How a side settles its choices before the dice."""

    name: Annotated[str, note("usual, strongest, weakest, or units in the order in which they take losses")]
    meaning: Annotated[str, note("what the policy does")]


class BattleChances(msgspec.Struct, frozen=True):
    """Probabilities before the dice, exact but for the retreats that checks cause: these are counted, not walked."""

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
    situations: Annotated[int, note("how many distinct situations were examined")]
    ways: Annotated[
        str,
        note("how stacks retreat: straight or priorities, or '' where no ground is known and retreats cost nothing"),
    ]
    attacker_policy: Annotated[NamedPolicy, note("how the attacker makes choices")]
    defender_policy: Annotated[NamedPolicy, note("how the defender makes choices")]


class OptionalUnit(msgspec.Struct, frozen=True):
    """A unit that may stay out or join."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("attacker or defender")]
    withheld: Annotated[bool, note("whether the unit stays out now")]
    column: Annotated[str, note("the column if the unit joined instead, or stayed out")]
    magnitude: Annotated[str, note("the magnitude if the unit joined instead, or stayed out")]


class BattleResult(Reckoning, frozen=True, kw_only=True):
    """A combat: the odds and how they came about, the magnitude, and chances or the outcome of the dice."""

    chances: Annotated[BattleChances | None, note("the chances, null once dice are rolled or without a chart cell")] = (
        None
    )
    outcome: Annotated[BattleOutcome | None, note("the result of the dice, null until rolled")] = None
    next_column: Annotated[NextColumn | None, note("how near other ratios are, null once dice are rolled")] = None
    optional: Annotated[
        tuple[OptionalUnit, ...], note("before dice are rolled, each unit that may stay out or join")
    ] = ()


def _format_combat(combat: Combat, battle: BattleResult) -> Step:
    """Return who fights whom where, and at what column."""
    sides = {f"{role}s": [unit.id for unit in combat.engagement.side(role)] for role in SIDES}
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    if battle.net_shift:
        reasons = list(dict.fromkeys(shift.why for shift in battle.shifts))
        return SAY("10.8", "battle.combat_shifted", battle, combat.engagement, reasons=reasons, **totals, **sides)
    return SAY("10.8", "battle.combat", battle, combat.engagement, **totals, **sides)


def short_chances(combat: Combat, battle: BattleResult) -> tuple[Step, ...]:
    """Return a combat before its dice in three sentences: who, with what chances, and how much more leads to the next
    column.
    """
    sentences = [_format_combat(combat, battle)]
    if battle.chances:
        at_least = "_at_least" if battle.chances.may_open else ""
        sentences.append(SAY("11.4", f"battle.chances{at_least}", battle.chances))
    if battle.next_column and battle.next_column.more is not None:
        sentences.append(SAY("4.4.1", "battle.more_shifted" if battle.net_shift else "battle.more", battle.next_column))
    return tuple(sentences)


def short_outcome(combat: Combat, battle: BattleResult, after: BattleOutcome, asks: Sequence[Ask]) -> tuple[Step, ...]:
    """Return a combat with dice in a few sentences: who, what it cost so far or in all, who retreats, and what is
    next.
    """
    sentences = [_format_combat(combat, battle)]
    if asks and after.crt:
        sentences.append(short_result(battle, after))
    if after.losses and (after.attacker_steps or after.defender_steps or not asks):
        units = [f"{unit} {steps}" for unit, steps in after.lost().items() if steps]
        name = "battle.losses_by_unit" if units else "battle.losses_none"
        sentences.append(SAY("11.1", "battle.so_far_by_unit" if asks else name, after, units=units))
    if (passed := [check.force for check in after.checks if check.passed]) and asks:
        sentences.append(SAY("7.2", "battle.passed", passed=passed))
    if failed := [check.force for check in after.checks if not check.passed]:
        sentences.append(SAY("7.2.1", "battle.failed", failed=failed))
    if asks:
        return tuple(sentences)
    sentences += [SAY("11.2", "battle.retreat", owed) for owed in after.obligations if owed.hexes]
    if after.vacated is not None:
        sentences.append(SAY("11.4", "battle.leaves" if after.vacated else "battle.holds", combat.engagement))
    return tuple(sentences)


def short_result(battle: BattleResult, after: BattleOutcome) -> Step:
    """Return who retreats by the result of the roll on the Combat Results Table, and how far. Rule: 10.9.1"""
    cells = map(read_result, after.crt.split("/"))
    hexes = {role: cell.white + cell.black for role, cell in zip(("attacker", "defender"), cells, strict=True)}
    retreating = [role for role, count in hexes.items() if count]
    name = "both" if len(retreating) == 2 else "".join(retreating) or "none"
    return SAY("10.9.1", f"battle.result_{name}", battle, after, **hexes)


def _policy_steps(chances: BattleChances) -> Iterator[Step]:
    """Return how the sides settle their choices, in one line where they do it alike."""
    policies = {"attacker": chances.attacker_policy, "defender": chances.defender_policy}
    if chances.attacker_policy == chances.defender_policy:
        return iter([step("10.2.1", "choices ({name}): {meaning}", chances.attacker_policy)])
    text = "choices of the {role} ({name}): {meaning}"
    return (step("10.2.1", text, policy, role=role) for role, policy in policies.items())


def ways_step(chances: BattleChances) -> Step:
    """Return what the chances that concern retreats rest on: a policy, or no ground at all."""
    if not chances.ways:
        text = (
            "the ground around is not stated: what retreats cost is left out, and so is the chance that a stack is "
            "unable to retreat"
        )
        return step("11.2", text)
    meanings = {
        "straight": (
            "the legal route that costs least, and of several the one that the priorities put first; no Repulse"
        ),
        "priorities": "at each step the hex that the priorities put first; no Repulse",
    }
    text = "retreats by the result ({ways}): {meaning}; the cost of retreats by checks and away from supply is left out"
    return step("11.2.2", text, chances, meaning=meanings[chances.ways])


def chances_part(chances: BattleChances) -> Part:
    """Return the chances in words."""
    steps = [*_policy_steps(chances), ways_step(chances)]
    for role, retreat in (("attacker", chances.attacker_retreat), ("defender", chances.defender_retreat)):
        if any(likelihood.value for likelihood in retreat):
            text = "hexes the {role} retreats by the CRT result: {likelihoods}"
            steps.append(step("10.9.1", text, role=role, likelihoods=retreat))
    for role in SIDES:
        text = "steps the {role} loses, {mean:f} on average: {likelihoods}"
        lost = getattr(chances, f"{role}_steps")
        mean = getattr(chances, f"{role}_mean")
        steps.append(step("11.1", text, role=role, mean=mean, likelihoods=lost))
    for force in chances.forces:
        ends = ends_of_check(force.passes, force.retreats, force.unchecked)
        steps.append(step("11.3", "{force}'s check: {likelihoods}", force, likelihoods=ends))
    for force in chances.forces:
        for rule, event, chance in (
            ("11.3.2", "is Disordered", force.disordered),
            ("11.2.6", "surrenders", force.surrenders),
        ):
            alone = (Likelihood(f"{force.force} {event}", chance),)
            if chance:
                steps.append(step(rule, "{likelihoods}", likelihoods=alone, force=force.force))
    leaves = (Likelihood("defender vacates the hex" + (", at least" if chances.may_open else ""), chances.vacates),)
    steps.append(step("11.4", "{likelihoods}", likelihoods=leaves, role="defender"))
    means = (
        f"attacker loses {float(chances.attacker_mean):.1f} steps on average, defender "
        f"{float(chances.defender_mean):.1f}"
    )
    brief = f"{means}; {steps[-1].text}"
    return Part("Chances", (*steps, *may_open_steps(chances)), brief)


def may_open_steps(chances: BattleChances) -> Iterator[Step]:
    """Yield why the chance that the defender leaves is only the least that it may be."""
    if chances.may_open:
        text = "attackers that retreat first, by a failed check, may open {hexes} to the defender: that is left out"
        yield step("11.3", text, hexes=list(chances.may_open))


def outcome_parts(combat: Combat, after: BattleOutcome, scored: Sequence[Step]) -> list[Part]:
    """Return what the dice led to. scored: the Victory Points in words."""
    owed = "{force} must retreat {hexes} from {place} ({by_crt} by the result, {by_check} by its check)"
    afterwards = [
        *_eliminated_steps(combat, after),
        *(step("11.2", owed, duty) for duty in after.obligations),
        *advance_steps(combat, after),
        *scored,
    ]
    retreated = [force for retreat in after.retreats if retreat.cause == "crt" for force in retreat.forces]
    lost = {force.force: sum(other.levels for other in retreated if other.force == force.force) for force in retreated}
    checks = (line for check in after.checks for line in _check_steps(check, lost.get(check.force, 0)))
    return [
        Part("Result and losses", tuple(_loss_steps(combat, after))),
        Part("Effectiveness Checks", tuple(checks)),
        Part("Afterwards", tuple(afterwards)),
    ]


def _eliminated_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Yield the units that have lost all their steps, in words."""
    lost = after.lost()
    engagement = combat.engagement
    units = (*engagement.units, *engagement.idle, *engagement.withheld)
    if gone := [unit.id for unit in units if lost[unit.id] >= unit.left > 0]:
        yield step("11.1", "eliminated: {units}", units=gone)


def _loss_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Yield the result, and both rolls for step losses."""
    if after.crt:
        yield step("10.9.1", "{crt_roll} on {column}: {crt} (attacker / defender)", after, column=combat.column)
        yield from _ignored_steps(combat.engagement, after.crt)
    for side in after.losses:
        if side.by_result:
            yield step(
                "10.10.3", "DRM on the {side}'s step loss roll: {by_result:+} from the Combat Results Table", side
            )
        known = "{steps:#step}, {ec} on a check" if side.steps is not None else "a cell that is not known"
        text = "{side} rolls {natural} {added:+} = {modified} on {magnitude}: " + known
        yield step("10.10.2", text, side, magnitude=combat.magnitude)
        if side.losses is not None:
            yield step("11.1.1", "{side} loses: {losses}", side, losses=_format_losses(side.losses))
    for unit, count in after.absorbed.items():
        yield step("10.9.1", "{unit} loses {steps:#step} in place of hexes of retreat", unit=unit, steps=count)


def _ignored_steps(engagement: Engagement, crt: str) -> Iterator[Step]:
    """Yield the black retreats that an Improved Position or a fortress unit spares a stack (10.9.1, 13.3.1). crt: both
    sides' results.
    """
    attacking, defending = map(read_result, crt.split(" / "))
    spared = [place for place, level in engagement.positions.items() if attacking.black and level]
    if defending.black and engagement.position:
        spared.append(engagement.at)
    for place in spared:
        yield step("13.3.1", "black retreat of {place} ignored in its Improved Position", place=place)
    if defending.black and not engagement.position and fortress_steps(engagement.defenders):
        yield step("10.9.1", "black retreat of {at} ignored beside its fortress unit", engagement)


def _format_losses(losses: Mapping[str, int]) -> list[str]:
    """Return the step losses as they are listed."""
    return [f"{unit} {count}" for unit, count in losses.items()]


def _check_steps(check: CheckOutcome, lost: int) -> Iterator[Step]:
    """Yield one Force's check, and what failing costs it. lost: levels that its retreat has cost it before."""
    yield from modifier_steps(f"{check.force}'s check", check.modifiers)
    rule, result = ("7.2", "passes") if check.passed else ("7.2.1", "fails by {margin}")
    retreated = " ({lost:#level} lost in its retreat)" if lost else ""
    rolls = "{force} rolls {natural} {added:+} = {modified} against {cel}" + retreated + ": " + result
    yield step(rule, rolls, check, **({"lost": lost} if lost else {}))
    if not check.passed:
        clauses = {
            "loses {cel_loss:#level}": check.cel_loss,
            "retreats {retreat:#hex}": check.retreat,
            "loses {steps:#step}": check.steps,
            "is Disordered, degree {disorder}": check.disorder,
        }
        yield step("11.3.2", "{force} " + ", ".join(text for text, amount in clauses.items() if amount), check)
    if check.losses:
        yield step("11.3.2", "{force} loses: {losses}", check, losses=_format_losses(check.losses))


def advance_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Yield who may advance. Rule: 11.4.1, 11.4.2"""
    engagement = combat.engagement
    if after.advance is None:
        return
    if not after.advance:
        yield step("11.4", "no unit may advance into {at}", engagement)
        return
    yield step("11.4", "may advance into {at}: {units}", engagement, units=list(after.advance))
    if any(stack_excess(unit for unit in engagement.attackers if unit.id in after.advance)):
        yield step("11.4.1", "of these, no more than three divisions and two artillery units")
    if after.guns_stay:
        text = "artillery does not advance over an un-bridged Major or Grand River: {guns}"
        text += "; whether there is a bridge was not stated" if None in engagement.bridged.values() else ""
        yield step("11.4.2", text, guns=list(after.guns_stay))


def retreat_parts(combat: Combat, after: BattleOutcome, resolved: Resolution) -> list[Part]:
    """Return the retreats that were carried out, the hexes open adjacent to a stack on its way, and who has
    advanced.
    """
    parts = [Part("Repulses", tuple(map(_repulse_step, after.repulses)))]
    out = withheld_units(combat)
    steps = [line for retreat in after.retreats for line in _retreat_steps(retreat, out)]
    text = "{force} ends farther from supply: {levels:#level}, {steps:#step}"
    steps += [step("11.2.3", text, retreat) for retreat in after.farther]
    parts.append(Part("Retreats", tuple(steps)))
    order = tuple(priority_step(over.hex, over.better, over.why) for over in after.passed_over)
    parts.append(Part("Priorities", order))
    parts.append(Part("Displacement", tuple(_displacement_steps(combat, after))))
    if after.advanced:
        text = "advance into {at}: {units}"
        parts.append(Part("Advance", (step("11.4", text, combat.engagement, units=list(after.advanced)),)))
    for situation, node, answer in resolved.trace:
        if answer is None and isinstance(situation, Retreats) and node in resolved.pending and _is_next_hex(node):
            parts.append(options_part(hexes_around(combat, situation)))
    return parts


def _is_next_hex(node: Node) -> bool:
    """Return whether a choice is that of the next hex of a retreat, and not of who takes its losses, goes on, or tries
    a Repulse.
    """
    return isinstance(node, Choice) and natural(node.name.rpartition(".")[2]) is not None


def assume_ways(view: View, after: BattleOutcome) -> None:
    """Note the hexsides on the ways back that were taken to be open, as nothing is stated of them."""
    for retreat in after.retreats:
        entered = (hex for hex in retreat.way if hex != OFF_MAP and view.board.is_hex(hex))
        for here, there in pairwise((retreat.start, *entered)):
            view.granted("barrier", hexside(here, there), (), "11.2.4", "{hexsides} can be crossed (not stated)")


def _repulse_step(tried: RepulseTried) -> Step:
    """Return a Repulse that a stack has tried in its retreat."""
    rolled = " by {crt}" if tried.crt else ""
    if not tried.repulsed:
        return step("8.5.4", "{force} in {here} cannot push the stack in {at} away: odds of {odds}" + rolled, tried)
    failed = "; failed checks: {failed}" if tried.failed else ""
    text = "{force} in {here} pushes the stack in {at} away: odds of {odds}" + rolled + failed
    return step("8.5.3", text, tried, failed=list(tried.failed))


def _retreat_steps(withdrawal: Withdrawal, withheld: Collection[str] = ()) -> Iterator[Step]:
    """Yield one retreat: its way, what that costs, what becomes of each Force. withheld: the units that were withheld
    from the combat.
    """
    if on_map := [hex for hex in withdrawal.way if hex != OFF_MAP]:
        by_check = "by check from {here} to {hexes}: {forces}"
        text = by_check if withdrawal.cause == "check" else "the stack of {place} retreats to {hexes}"
        yield step("11.2.1", text, withdrawal, here=withdrawal.start, hexes=on_map, forces=list(withdrawal.ends))
    if len(set(withdrawal.ends.values())) > 1:
        ends = [f"{name} {'off the map' if hex == OFF_MAP else f'in {hex}'}" for name, hex in withdrawal.ends.items()]
        yield step("11.2.1", "where they end: {ends}", ends=ends)
    if withdrawal.beyond:
        text = (
            "{forces} had to retreat farther than {owed:#hex}, as the hex where they should have stopped could not "
            "hold all units"
        )
        yield step("4.2.3", text, withdrawal, forces=list(withdrawal.beyond))
    for force in withdrawal.forces:
        if force.force in withheld and withdrawal.way:
            text = "{force} was withheld and retreats with the others: {owed:#hex}, the fewest that any of them must"
            yield step("10.1.5", text, withdrawal, force=force.force)
    if withdrawal.departed:
        text = "off the map for good, removed from the game and not eliminated: {departed}"
        yield step("1.2.2", text, withdrawal, departed=list(withdrawal.departed))
    if withdrawal.surrendered:
        yield step(
            "11.2.6",
            "no hex is open from {place}; surrendered, and permanently eliminated: {forces}",
            withdrawal,
            forces=list(withdrawal.surrendered),
        )
    yield from map(charge_step, withdrawal.charges)
    for force in withdrawal.forces:
        if force.force not in withdrawal.surrendered and (
            force.eliminated or force.levels or force.steps or force.guns or force.destroyed
        ):
            yield force_step(force)


def _displacement_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    """Yield the units that had to make room for the enemy, and those that the question `displace` decides about."""
    for displaced in after.displaced:
        yield step(
            displaced.rule,
            _write_displaced(displaced),
            displaced,
        )
    for hex, going in _list_units_passed(combat, after):
        yield passing_step(hex, going)
    staying = find_units_in_way(combat, after.unsettled, after.places) if after.vacated else ()
    for unit in dict.fromkeys((*after.unsettled, *staying)):
        text = "{unit} may have to leave its hex (ask displace)"
        text += "; no unit advances before that" if unit in staying else ""
        yield step("9.5", text, unit=unit)


def _write_displaced(displaced: Displaced) -> str:
    """Return the template for a unit that had to leave its hex."""
    if displaced.hex == OFF_MAP:
        return DEPARTS
    return "{unit} goes from {place} to {hex}: {why}" if displaced.hex else write_elimination(displaced.unit)


def _list_units_passed(combat: Combat, after: BattleOutcome) -> Iterator[tuple[str, list[Piece]]]:
    """Yield the hexes that retreating stacks enter, each with the units that leave it while they pass.

    Units that must go from the hex where a retreat ends are displaced instead.
    """
    done = {*(displaced.unit for displaced in after.displaced), *after.unsettled}
    if combat.pieces is None:
        return
    for retreat in after.retreats:
        names = [force.force for force in retreat.forces if not force.eliminated]
        for hex, going in units_passed_by(combat.pieces, names, retreat.way[:-1]):
            if left := [piece for piece in going if piece.id not in done and after.places.get(piece.id, piece.place)]:
                yield hex, left


_PIECES: Memo[None, Pieces] = Memo()
"""The pieces of the battle."""


def evaluate_before_dice(
    view: View, engagement: Engagement, parameters: BattleParameters, *, dice: bool = False
) -> tuple[Engagement, BattleResult, Combat]:
    """Return a combat with the readings that matter for its dice, all that is certain of it, and what the dice need.

    dice: whether any are given, so that ways back are walked whatever is known of the ground. Raises InputError for an
    unknown policy.
    """
    reckoning, combat = evaluate_combat(engagement)
    known = dice or _is_ground_known(view, engagement)
    pieces = view.memo(_PIECES, None, lambda before, apart: Pieces(view)) if known else None
    readings = agree_readings(view, engagement.readings, rulings_of_dice(combat))
    if readings != engagement.readings:
        engagement = replace(engagement, readings=readings)
        reckoning, combat = evaluate_combat(engagement)
    battle = BattleResult(**msgspec.structs.asdict(reckoning))
    return engagement, battle, replace(combat, policies=policies(engagement, parameters), pieces=pieces)


def _is_ground_known(view: View, engagement: Engagement) -> bool:
    """Return whether the way back of the defender can be looked at before the dice: anything is stated of the ground
    around it, and not assumed alone, or else something beside the ground closes a hex to it.
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
    """Return a combat played as far as these dice and choices lead. aliases: the names that they may have."""
    named = {role: next((unit.id for unit in combat.engagement.side(role)), "") for role in SIDES}
    roles: dict[str, str] = {role: view.side_of(unit) for role, unit in named.items() if unit}
    return play_procedure(view, resolution(combat, view.cell), Start(), answers, aliases=aliases, roles=roles)


def battle_chances(combat: Combat, every: Chances) -> BattleChances:
    """Return the chances that players ask for, out of all that can come of a combat."""

    def of_force(force: Force) -> ForceChances:
        before = max(unit.disorder for unit in force.units)
        name = force.name
        return ForceChances(
            force=name,
            passes=every.probability(lambda passes: passes is True, f"{name}.passes"),
            retreats=every.probability(bool, f"{name}.retreat"),
            unchecked=every.probability(lambda passes: passes is None, f"{name}.passes"),
            disordered=every.probability(lambda degree: (degree or 0) > before, f"{name}.disorder"),
            surrenders=every.probability(bool, f"{name}.surrenders"),
        )

    listed = [f"{role}.{what}" for what in ("losses", "steps", "retreat") for role in SIDES]
    figures: dict[str, Any] = {name.replace(".", "_"): every.likelihoods(name) for name in listed}
    figures |= {f"{role}_mean": every.mean(f"{role}.steps") for role in SIDES}
    figures |= {f"{role}_policy": NamedPolicy(*combat.policies[role][:2]) for role in SIDES}
    return BattleChances(
        crt=tuple(sorted(every.likelihoods("crt"), key=lambda likelihood: -likelihood.chance)),
        vacates=every.probability(lambda leaves: leaves is True, "defender.vacates"),
        forces=tuple(of_force(force) for _, force in _checking_forces(combat)),
        may_open=may_open(combat),
        situations=every.situations,
        ways=combat.policies["attacker"].way if combat.pieces else "",
        **figures,
    )


def known_checks(combat: Combat) -> tuple[KnownCheck, ...]:
    """Return the check that each Force will make, artillery alone making none, with the modifiers that do not depend on
    the dice. An Improved Position helps a defender who stays in it.
    """
    engagement = combat.engagement
    checks = list[KnownCheck]()
    under = engagement.flanked, engagement.position
    for role, force in _checking_forces(combat):
        always = force_modifiers(force.units, [0] * len(force.units), engagement.turn)
        held: tuple[Modifier, ...] = ()
        if role == "attacker":
            always += attacker_check_modifiers(asterisk=False, odds=combat.counted)
        else:
            held = defender_check_modifiers(*under, retreat=0, odds=combat.counted)
            always += defender_check_modifiers(*under, retreat=1, odds=combat.counted)
        in_place = tuple(modifier for modifier in held if modifier not in always)
        place = force.units[0].place
        cel = force_cel(force.units)
        checks.append(KnownCheck(force.name, role, place, cel, always, in_place))
    return tuple(checks)


def _checking_forces(combat: Combat) -> Iterator[tuple[Role, Force]]:
    """Yield the Forces that will check, artillery alone making no check, each with its side."""
    for role in SIDES:
        for force in chain.from_iterable(combat.forces[role].values()):
            if any(unit.arm != "artillery" for unit in force.units):
                yield role, force


def checks_part(checks: Iterable[KnownCheck]) -> Part:
    """Return the checks in words, a line for each stack, whose Forces check by one roll."""
    by_hex: dict[str, list[str]] = {}
    for check in checks:
        known = [f"{modifier.amount:+} {modifier.why}" for modifier in check.modifiers]
        known += [f"{modifier.amount:+} {modifier.why} unless it retreats" for modifier in check.in_place]
        listed = f" ({', '.join(known)})" if known else ""
        by_hex.setdefault(check.place, []).append(f"{check.force} against {check.cel}{listed}")
    text = "the stack in {place} checks by one roll: {checking}"
    steps = tuple(step("11.3.1", text, place=at, checking=lines) for at, lines in by_hex.items())
    return Part("Checks to come", steps, brief="")


def next_odds(attack: int, defence: int) -> NextColumn | None:
    """Return how many points of attack lead to the next ratio, and how many may be missing before this one is lost;
    None where there is no ratio. Rule: 4.4.1
    """
    has_ratio = attack > 0 and defence > 0
    return next_column(lambda points: initial_odds(points, defence), attack) if has_ratio else None


def optional_units(view: View, parameters: BattleParameters, engagement: Engagement) -> tuple[OptionalUnit, ...]:
    """Return the units of either side that may be withheld, or that are and may join, each with what the combat would
    then be. Rule: 10.1.5c
    """
    out = parameters.withhold
    sides = {unit.id: role for role in SIDES for unit in engagement.side(role)}
    sides |= {name: "defender" if name in engagement.stack else "attacker" for name in out}

    def outcome(quiet: View, switched: BattleParameters, unit: str) -> tuple[str, str] | None:
        other = engage(quiet, switched) if unit in out else withhold_another(quiet, engagement, unit, parameters)
        if other is None or refusals(other, view.board.neighbours(other.at)) or out_of_turn_steps(other):
            return None
        return column_and_magnitude(other)

    would_be = what_if(view, parameters, "withhold", sides, outcome)
    return tuple(
        OptionalUnit(unit, sides[unit], unit in out, column, magnitude)
        for unit, (column, magnitude) in would_be.items()
    )


def leader_steps(engagement: Engagement, leaders: Iterable[Leader]) -> tuple[Step, ...]:
    """Return what the combat would be with leaders whose players may use them in it, a line each."""
    lines = []
    for leader in leaders:
        led = replace(engagement, leaders=(*engagement.leaders, leader))
        column, _ = column_and_magnitude(led)
        text = "with {title} (leader={leader}): column {column}, and {drm:+} on the step loss roll of his units"
        lines.append(step(leader.rule, text, leader, column=column))
    return tuple(lines)


def leaders_part(engagement: Engagement) -> Part:
    """Return what becomes of the markers of the leaders who have been used in a combat that is over."""
    steps = []
    for leader, _ in engagement.telling():
        last = uses_left(leader, engagement.used) == 1
        text = "{title} has been used in this combat: " + ("his marker comes off" if last else "flip his marker")
        steps.append(step(leader.rule, text, leader))
    return Part("Leaders", tuple(steps))


def help_part(battle: BattleResult, might: Iterable[Step] = ()) -> Part:
    """Return what would change the combat, in words. might: what leaders would change in it."""
    steps = [*might]
    when = " before shifts"
    if battle.next_column is not None:
        steps.append(make_next_column_step("4.4.1", battle.next_column, when))
    for optional_unit in battle.optional:
        text = ("with" if optional_unit.withheld else "without") + " {unit}: column {column}, {magnitude}"
        steps.append(step("10.1.5", text, optional_unit))
    others = {f"{'with' if unit.withheld else 'without'} {unit.unit}": unit.column for unit in battle.optional}
    return Part(
        "What would change it", tuple(steps), format_changes_in_brief(battle.next_column, others, battle.column, when)
    )
