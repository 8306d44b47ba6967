"""The report on a combat: chances, results of the dice, retreats, the advance, and alternatives (10.9 to 11.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import SimpleNamespace

from msgspec.structs import replace

from assistant.asking import Part, Step, View, holding, step
from assistant.asking.asks import Ask
from assistant.asking.report import fill_from
from assistant.asking.what_if import format_changes_in_brief, make_next_column_step
from assistant.mechanics.chances import Likelihood, ends_of_check
from assistant.mechanics.procedure import Choice, Resolution
from assistant.state.state import hexside

from ..combat.before_dice import Combat, KnownCheck, find_odds, fortress_steps, read_result
from ..combat.engagement import Engagement
from ..combat.pieces import Piece
from ..combat.report import modifier_steps
from ..displacement.in_combat import (
    DEPARTS_TEXT,
    ELIMINATED_TEXT,
    find_units_in_way,
    is_mobile,
    passing_step,
    units_passed_by,
)
from ..forces.units import SIDES, stack_excess
from ..leaders.command import Leader, uses_left
from ..results.outcome import BattleOutcome, CheckOutcome, RepulseTried, Withdrawal
from ..results.retreats import Retreats, hexes_around, withheld_units
from ..retreat.words import charge_step, force_step, options_part, priority_sentence, priority_step
from ..terms import DISPLACING, OFF_MAP, SAY
from .chances import BattleChances, BattleResult


def _format_combat(combat: Combat, battle: BattleResult) -> Step:
    sides = {f"{role}s": [unit.id for unit in combat.engagement.side(role)] for role in SIDES}
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    if battle.net_shift:
        reasons = list(dict.fromkeys(shift.why for shift in battle.shifts))
        return SAY("10.8", "battle.combat_shifted", battle, combat.engagement, reasons=reasons, **totals, **sides)
    return SAY("10.8", "battle.combat", battle, combat.engagement, **totals, **sides)


def short_chances(combat: Combat, battle: BattleResult) -> tuple[Step, ...]:
    """Return up to three sentences on a combat before its dice: units, chances, and strength to the next column."""
    sentences = [_format_combat(combat, battle)]
    if battle.chances:
        at_least = "_at_least" if battle.chances.may_open else ""
        sentences.append(SAY("11.4", f"battle.chances{at_least}", battle.chances))
    if battle.next_column and battle.next_column.more is not None:
        sentences.append(SAY("4.4.1", "battle.more_shifted" if battle.net_shift else "battle.more", battle.next_column))
    return tuple(sentences)


def short_outcome(combat: Combat, battle: BattleResult, after: BattleOutcome, asks: Sequence[Ask]) -> tuple[Step, ...]:
    """Return a few sentences on a combat with dice: units, losses, checks, and retreats.

    `asks`: the rolls and choices still to be made.
    """
    sentences = [_format_combat(combat, battle)]
    if asks and after.crt:
        sentences.append(short_result(battle, after))
    sentences += _format_losses_so_far(after) if asks else _format_losses_in_all(after)
    if (passed := [check.force for check in after.checks if check.passed]) and asks:
        sentences.append(SAY("7.2", "battle.passed", passed=passed))
    if failed := [check.force for check in after.checks if not check.passed]:
        sentences.append(SAY("7.2.1", "battle.failed", failed=failed))
    sentences += [priority_sentence(over.hex, over.better, over.why) for over in after.passed_over]
    if asks:
        return tuple(sentences)
    sentences += [SAY("11.2", "battle.retreat", owed) for owed in after.obligations if owed.hexes]
    if after.vacated is not None:
        sentences.append(SAY("11.4", "battle.leaves" if after.vacated else "battle.holds", combat.engagement))
    return tuple(sentences)


def _format_losses_so_far(after: BattleOutcome) -> Iterator[Step]:
    units = _format_losses(after.lost())
    is_due = after.attacker_due or after.defender_due
    if is_due:
        yield SAY("11.1.1", "battle.due", after, both=after.attacker_due and after.defender_due)
    if units:
        by_side = len(after.losses) == len(SIDES) and not is_due
        yield SAY("11.1", "battle.so_far_by_unit" if by_side else "battle.lost_so_far", after, units=units)


def _format_losses_in_all(after: BattleOutcome) -> Iterator[Step]:
    if after.losses:
        units = _format_losses(after.lost())
        yield SAY("11.1", "battle.losses_by_unit" if units else "battle.losses_none", after, units=units)


def short_result(battle: BattleResult, after: BattleOutcome) -> Step:
    """Return a sentence on the retreats by the Combat Results Table. Rule: 10.9.1"""
    cells = map(read_result, after.crt.split("/"))
    hexes = {role: cell.white + cell.black for role, cell in zip(("attacker", "defender"), cells, strict=True)}
    retreating = [role for role, count in hexes.items() if count]
    name = "both" if len(retreating) == 2 else "".join(retreating) or "none"
    return SAY("10.9.1", f"battle.result_{name}", battle, after, **hexes)


def ways_step(chances: BattleChances) -> Step:
    """Return a line on the retreats that the chances assume: by a policy, or none on unknown ground."""
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
    """Return the part on the chances."""
    policies = {"attacker": chances.attacker_policy, "defender": chances.defender_policy}
    if chances.attacker_policy == chances.defender_policy:
        steps = [step("10.2.1", "choices ({name}): {meaning}", chances.attacker_policy)]
    else:
        text = "choices of the {role} ({name}): {meaning}"
        steps = [step("10.2.1", text, policy, role=role) for role, policy in policies.items()]
    steps.append(ways_step(chances))
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
    leaves = (Likelihood(fill_from("defender vacates the hex[may_open:, at least]", chances), chances.vacates),)
    steps.append(step("11.4", "{likelihoods}", likelihoods=leaves, role="defender"))
    means = (
        f"attacker loses {float(chances.attacker_mean):.1f} steps on average, defender "
        f"{float(chances.defender_mean):.1f}"
    )
    brief = f"{means}; {steps[-1].text}"
    return Part("Chances", (*steps, *may_open_steps(chances)), brief)


def may_open_steps(chances: BattleChances) -> Iterator[Step]:
    """Yield the reason if the chance that the defender vacates the hex is only a minimum."""
    if chances.may_open:
        text = "attackers that retreat first, by a failed check, may open {hexes} to the defender: that is left out"
        yield step("11.3", text, hexes=list(chances.may_open))


def outcome_parts(combat: Combat, after: BattleOutcome, scored: Sequence[Step]) -> list[Part]:
    """Return the parts on the results of the dice.

    `scored`: lines on the Victory Points.
    """
    owed = "{force} must retreat {hexes} from {place} ({by_crt} by the result, {by_check} by its check)"
    steps = after.lost()
    gone = [unit.id for unit in combat.engagement.everybody if steps[unit.id] >= unit.left > 0]
    afterwards = [
        *holding([(gone, "11.1", "eliminated: {units}")], units=gone),
        *(step("11.2", owed, duty) for duty in after.obligations),
        *advance_steps(combat.engagement, after),
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


def _loss_steps(combat: Combat, after: BattleOutcome) -> Iterator[Step]:
    if after.crt:
        yield step("10.9.1", "{crt_roll} on {column}: {crt} (attacker / defender)", after, column=combat.column)
        yield from _ignored_steps(combat.engagement, after.crt)
    for side in after.losses:
        if side.by_result:
            yield step(
                "10.10.3", "DRM on the {side}'s step loss roll: {by_result:+} from the Combat Results Table", side
            )
        text = (
            "{side} rolls {natural} {added:+} = {modified} on {magnitude}: "
            "[known:{steps:#step}, {ec} on a check|a cell that is not known]"
        )
        yield step("10.10.2", text, side, magnitude=combat.magnitude, known=side.steps is not None)
        if side.losses is not None:
            yield step("11.1.1", "{side} loses: {losses}", side, losses=_format_losses(side.losses))
    for unit, count in after.absorbed.items():
        yield step("10.9.1", "{unit} loses {steps:#step} in place of hexes of retreat", unit=unit, steps=count)


def _ignored_steps(engagement: Engagement, crt: str) -> Iterator[Step]:
    """Yield the black retreats cancelled by an Improved Position or a fortress unit (10.9.1, 13.3.1).

    `crt`: the cell of the Combat Results Table, attacker / defender.
    """
    attacking, defending = map(read_result, crt.split(" / "))
    spared = [place for place, level in engagement.positions.items() if attacking.black and level]
    if defending.black and engagement.position:
        spared.append(engagement.at)
    for place in spared:
        yield step("13.3.1", "black retreat of {place} ignored in its Improved Position", place=place)
    if defending.black and not engagement.position and fortress_steps(engagement.defenders):
        yield step("10.9.1", "black retreat of {at} ignored beside its fortress unit", engagement)


def _check_steps(check: CheckOutcome, lost: int) -> Iterator[Step]:
    yield from modifier_steps(f"{check.force}'s check", check.modifiers)
    text = (
        "{force} rolls {natural} {added:+} = {modified} against {cel}[lost: ({lost:#level} lost in its retreat)]: "
        "[passed:passes|fails by {margin}]"
    )
    yield step("7.2" if check.passed else "7.2.1", text, check, SimpleNamespace(lost=lost))
    if not check.passed:
        clauses = {
            "loses {cel_loss:#level}": check.cel_loss,
            "retreats {retreat:#hex}": check.retreat,
            "loses {steps:#step}": check.steps,
            "is Disordered, degree {disorder}": check.disorder,
        }
        costs = [fill_from(text, check) for text, amount in clauses.items() if amount]
        yield step("11.3.2", "{force} {costs}", check, costs=costs)
    if check.losses:
        yield step("11.3.2", "{force} loses: {losses}", check, losses=_format_losses(check.losses))


def _format_losses(losses: Mapping[str, int]) -> list[str]:
    return [f"{unit} {count}" for unit, count in losses.items() if count]


def advance_steps(engagement: Engagement, after: BattleOutcome) -> list[Step]:
    """Return the units that may advance, in words. Rule: 11.4, 11.4.1, 11.4.2"""
    units = after.advance
    if units is None:
        return []
    clauses = (
        (not units, "11.4", "no unit may advance into {at}"),
        (units, "11.4", "may advance into {at}: {units}"),
        (
            any(stack_excess(unit for unit in engagement.attackers if unit.id in units)),
            "11.4.1",
            "of these, no more than three divisions and two artillery units",
        ),
        (
            units and after.guns_stay,
            "11.4.2",
            "artillery does not advance over an un-bridged Major or Grand River: {guns}"
            "[unstated:; whether there is a bridge was not stated]",
        ),
    )
    unstated = None in engagement.bridged.values()
    return holding(clauses, engagement, units=list(units), guns=list(after.guns_stay), unstated=unstated)


def retreat_parts(combat: Combat, after: BattleOutcome, resolved: Resolution) -> list[Part]:
    """Return the parts on retreats, displacement and the advance, and on the hexes from which a player chooses next."""
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
        is_hex_due = answer is None and isinstance(node, Choice) and node.units and node in resolved.pending
        if is_hex_due and isinstance(situation, Retreats):
            parts.append(options_part(hexes_around(combat, situation)))
    return parts


def _repulse_step(tried: RepulseTried) -> Step:
    if not tried.repulsed:
        text = "{force} in {here} cannot push the stack in {at} away: odds of {odds}[crt: by {crt}]"
        return step("8.5.4", text, tried)
    text = (
        "{force} in {here} pushes the stack in {at} away: odds of {odds}[crt: by {crt}]"
        "[failed:; failed checks: {failed}]"
    )
    return step("8.5.3", text, tried, failed=list(tried.failed))


def _retreat_steps(withdrawal: Withdrawal, withheld: Collection[str] = ()) -> Iterator[Step]:
    if on_map := [hex for hex in withdrawal.way if hex != OFF_MAP]:
        text = "[by_check:by check from {here} to {hexes}: {forces}|the stack of {place} retreats to {hexes}]"
        by_check = withdrawal.cause == "check"
        forces = list(withdrawal.ends)
        yield step("11.2.1", text, withdrawal, by_check=by_check, here=withdrawal.start, hexes=on_map, forces=forces)
    if len(set(withdrawal.ends.values())) > 1:
        places = {name: "off the map" for name, hex in withdrawal.ends.items() if hex == OFF_MAP}
        ends = [f"{name} {places.get(name, f'in {hex}')}" for name, hex in withdrawal.ends.items()]
        yield step("11.2.1", "where they end: {ends}", ends=ends)
    if withdrawal.trains:
        yield step(
            "11.2.1",
            "{trains} [several:retreat|retreats] with the stack",
            withdrawal,
            several=len(withdrawal.trains) > 1,
        )
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
    for displaced in after.displaced:
        if not displaced.hex:
            yield step(displaced.rule, ELIMINATED_TEXT, displaced, mobile=is_mobile(displaced.unit))
        else:
            text = DEPARTS_TEXT if displaced.hex == OFF_MAP else "{unit} goes from {place} to {hex}: {why}"
            yield step(displaced.rule, text, displaced)
    for hex, going in _list_units_passed(combat, after):
        yield passing_step(hex, going)
    staying = find_units_in_way(combat, after.unsettled, after.places) if after.vacated else ()
    for unit in dict.fromkeys((*after.unsettled, *staying)):
        text = "{unit} may have to leave its hex (ask displace)[staying:; no unit advances before that]"
        arm = combat.standing.view.word("arm", unit) if unit in combat.standing.by_id else ""
        _, rule, _ = DISPLACING.get(arm, ("", "9.5", ""))
        yield step(rule, text, unit=unit, staying=unit in staying)


def _list_units_passed(combat: Combat, after: BattleOutcome) -> Iterator[tuple[str, list[Piece]]]:
    """Yield the hexes that retreating stacks pass through, each with the units that must leave it."""
    done = {*(displaced.unit for displaced in after.displaced), *after.unsettled}
    if combat.pieces is None:
        return
    for retreat in after.retreats:
        names = [force.force for force in retreat.forces if not force.eliminated]
        for hex, going in units_passed_by(combat.pieces, names, retreat.way[:-1]):
            if left := [piece for piece in going if piece.id not in done and after.places.get(piece.id, piece.place)]:
                yield hex, left


def assume_ways_open(view: View, after: BattleOutcome) -> None:
    """Note in the report the hexsides crossed in retreats that were assumed to be open."""
    for retreat in after.retreats:
        entered = (hex for hex in retreat.way if hex != OFF_MAP and view.board.is_hex(hex))
        for here, there in pairwise((retreat.start, *entered)):
            view.granted("barrier", hexside(here, there), (), "11.2.4", "{hexsides} can be crossed (not stated)")


def checks_part(checks: Iterable[KnownCheck]) -> Part:
    """Return the part on the checks to come, a line for each stack, as its Forces check by one roll."""
    by_hex: dict[str, list[str]] = {}
    for check in checks:
        known = [f"{modifier.amount:+} {modifier.why}" for modifier in check.modifiers]
        known += [f"{modifier.amount:+} {modifier.why} unless it retreats" for modifier in check.in_place]
        listed = f" ({', '.join(known)})" if known else ""
        by_hex.setdefault(check.place, []).append(f"{check.force} against {check.cel}{listed}")
    text = "the stack in {place} checks by one roll: {checking}"
    steps = tuple(step("11.3.1", text, place=at, checking=lines) for at, lines in by_hex.items())
    return Part("Checks to come", steps, brief="")


def leader_steps(engagement: Engagement, leaders: Iterable[Leader]) -> tuple[Step, ...]:
    """Return a line for each leader that might be used: the column and the modifier with him."""
    lines = []
    for leader in leaders:
        led = replace(engagement, leaders=(*engagement.leaders, leader))
        column = find_odds(led).column
        text = "with {title} (leader={leader}): column {column}, and {drm:+} on the step loss roll of his units"
        lines.append(step(leader.rule, text, leader, column=column))
    return tuple(lines)


def leaders_part(engagement: Engagement) -> Part:
    """Return the part on markers of leaders used in the combat, which are flipped or removed."""
    steps = []
    for leader, _ in engagement.telling():
        text = "{title} has been used in this combat: [last:his marker comes off|flip his marker]"
        steps.append(step(leader.rule, text, leader, last=uses_left(leader, engagement.used) == 1))
    return Part("Leaders", tuple(steps))


def help_part(battle: BattleResult, might: Iterable[Step] = ()) -> Part:
    """Return the part on the next column, leaders, and units that may join or stay out.

    `might`: lines on leaders who might be used.
    """
    steps = [*might]
    when = " before shifts"
    if battle.next_column is not None:
        steps.append(make_next_column_step("4.4.1", battle.next_column, when))
    for optional_unit in battle.optional:
        steps.append(step("10.1.5", "[withheld:with|without] {unit}: column {column}, {magnitude}", optional_unit))
    others = {f"{'with' if unit.withheld else 'without'} {unit.unit}": unit.column for unit in battle.optional}
    return Part(
        "What would change it", tuple(steps), format_changes_in_brief(battle.next_column, others, battle.column, when)
    )
