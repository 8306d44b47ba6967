"""The question `repulse`: whether a moving or retreating Force can push a stack out of its hex (8.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Answers,
    Parameters,
    Part,
    PlaceName,
    Step,
    UnitName,
    Verdict,
    declare,
    holding,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.asks import Ask, ask_for
from assistant.asking.play import Play, play_procedure
from assistant.asking.report import MissingFacts, Report
from assistant.asking.sketch import FigureTable, Sketch, Spot, sketch_of
from assistant.asking.view import View, changed
from assistant.mechanics.distribution import format_whole_percent
from assistant.mechanics.procedure import AnswerError, Choice, Dice, Modifier, Quantity
from assistant.rules.sketches import attack_arrows, draw_zones, side_at
from assistant.state.changes import Change
from assistant.util.errors import InputError, format_suggestion

from ..combat.before_dice import Combat, Reckoning, evaluate_combat
from ..combat.checks import force_cel
from ..combat.engagement import BattleParameters, Cause, Chosen, Engagement
from ..combat.flanks import flank_of
from ..combat.legality import refusals
from ..combat.report import odds_part, shift_remarks, strength_part
from ..combat.setup import Setup, attackers_steps
from ..concealment.cover import reveal_in_combat
from ..entering.consequences import follows_changes
from ..forces.account import read_account, spend_and_end
from ..forces.falling import falling_steps, find_falling, list_falls
from ..forces.losses import share_among, step_losses, units_off_map
from ..forces.markers import take_off_when_attacked
from ..forces.movement_points import parse_points
from ..forces.spending import MovementSpending, measure_spending, spending_step
from ..forces.unit import fighting_units, retreats_with_stack
from ..forces.units import CombatUnit, forces
from ..ground.calendar import MOVEMENT_PHASES, AttackPhase, attack_phase
from ..ground.hexsides import between, field
from ..ground.works import clear_points
from ..leaders.facts import count_uses_of
from ..terms import COMBAT_ARMS, GREAT_RIVERS, RETREAT_CAUSE, SUPPLY_ARMS
from .rules import (
    MIN_ODDS,
    REPULSED_HEXES,
    as_repulse,
    defending_forces,
    engage_led,
    failure_cost,
    forbidden_steps,
    losing_in_vain,
    needs,
    parameters_of,
    repulse_procedure,
    shelter_steps,
    unfit_steps,
    units_taking_part,
)


class RepulseParameters(Parameters, frozen=True, kw_only=True):
    """Parameters of the question `repulse`."""

    units: Annotated[
        tuple[UnitName, ...], note("the Force that attempts the Repulse; all in its hex if only that is named")
    ] = ()
    at: Annotated[PlaceName, note("the hex to be cleared")]
    from_: Annotated[
        PlaceName | None, note("the hex of the Force that attempts the Repulse; that of the units if left out")
    ] = msgspec.field(name="from", default=None)
    withhold: Annotated[tuple[UnitName, ...], note("defenders that stay out")] = ()
    during: Annotated[Literal["movement", "retreat"], note("movement or retreat")] = "movement"
    points: Annotated[
        float | None,
        note("Movement Points that the Force has left, in movement; from the accounts of its units if left out"),
    ] = None
    cause: Annotated[Cause, note("cause of the retreat: crt, check or repulse")] = "crt"
    tried: Annotated[bool, note("whether the retreating stack has attempted a Repulse in this retreat")] = False
    flanked: Annotated[bool | None, note("whether the defender is flanked; if not stated, the position decides")] = None
    shift: Annotated[int, note("further column shifts, positive to the right")] = 0
    leader: Chosen = ()


class RepulseCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A defending Force and its check, without modifiers."""

    force: Annotated[str, note("the Force, named by its first unit")]
    cel: Annotated[int, note("Combat Effectiveness Level against which the Force checks")]
    fails: Annotated[Fraction, note("the chance that the Force fails its check")]
    passed: Annotated[bool | None, note("whether the Force passed its check, null until rolled")] = None
    failed_by: Annotated[int | None, note("by how much the check failed, 0 for a pass, null until rolled")] = None
    levels: Annotated[int, note("Combat Effectiveness Levels that the check has cost the Force, 0 until rolled")] = 0
    steps: Annotated[int, note("steps that the check has cost the Force, 0 until rolled")] = 0


class RepulseResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a Repulse."""

    at: Annotated[str, note("the hex to be cleared")]
    force: Annotated[tuple[str, ...], note("the units that attempt the Repulse")]
    attack: Annotated[int, note("the attacker's total strength")]
    defence: Annotated[int, note("the defender's total strength")]
    initial: Annotated[str, note("odds before shifts")]
    final: Annotated[str, note("odds after shifts")]
    shifts: Annotated[tuple[Modifier, ...], note("each column shift")]
    shift_places: Annotated[
        tuple[tuple[str, ...], ...],
        note("where the cause of each shift lies: hexsides or hexes, empty for the combat as a whole"),
    ] = ()
    needs: Annotated[Literal["automatic", "roll", "hopeless"], note("automatic, roll, or hopeless")]
    chance: Annotated[Fraction | None, note("chance that the Repulse succeeds, null without the chart")] = None
    crt: Annotated[str, note("the cell rolled, empty without a roll")] = ""
    repulsed: Annotated[bool | None, note("whether the Repulse succeeded, null until rolled")] = None
    checks: Annotated[tuple[RepulseCheck, ...], note("the Effectiveness Checks of the defending Forces")] = ()
    losses: Annotated[dict[str, int], note("steps that the attacking units lose, empty until their owner chooses")] = {}
    fallen: Annotated[tuple[str, ...], note("units of the stack that are destroyed because they never retreat")] = ()
    cost: Annotated[int, note("Movement Points that the attempt costs the Force")] = 0
    points: Annotated[Fraction | None, note("Movement Points that the Force then has left, null if not stated")] = None


COST = 1
"""Movement Points for an attempt in movement (8.5.1)."""
FORCE = "force"
"""The name of the choice of the Force that attempts the Repulse."""
OUTCOME = "Outcome"
"""The title of the part on the outcome, which the picture shows."""
NEEDS = {
    "hopeless": f"{MIN_ODDS} at least: it fails without a roll",
    "roll": "a roll that makes the defender retreat",
    "automatic": "no roll: it succeeds",
}
"""Requirements of a Repulse in words, by the result of `needs`."""
FLANKS_UNSTATED = step(
    "10.4.3", "hexsides around the defenders are not stated: flanked or not, the outcome is the same"
)
"""The assumption of the report if flanks cannot change the outcome of a Repulse."""


def answer(view: View, parameters: RepulseParameters, answers: Answers) -> Report[RepulseResult]:
    """Return the report on a Repulse: legality, odds, chances, and the outcome by given dice.

    Raises MissingFacts if a deciding fact is not stated, InputError for a Repulse that cannot be named, AnswerError for
    an answer that is not due.
    """
    _check_parameters(parameters)
    parameters = replace(parameters, from_=_require_hex(view, parameters))
    title = f"Repulse of {parameters.at} from {parameters.from_}"
    text = "this Repulse is not allowed"
    attempt = Attempt(view, parameters, answers.get(FORCE, ""))
    try:
        engagement = attempt.engage_or_forego()
    except MissingFacts:
        certain = attempt.list_certain_bars()
        if certain:
            return refused(title, text, certain)
        raise
    answers = {name: answer for name, answer in answers.items() if name != FORCE}
    reasons = attempt.list_bars(engagement)
    if reasons:
        return refused(title, text, reasons)
    battle, combat = evaluate_combat(engagement)
    procedure = repulse_procedure(combat, view.cell)
    played = play_procedure(view, procedure, None, answers, aliases=_find_aliases(engagement))
    prices = attempt.price(engagement)
    result = _find_before_dice(parameters, battle, combat, played, prices)
    ended = played.settled if answers or result.needs == "hopeless" else {}
    result, losing, changes = _find_after_dice(view, combat, parameters.during, result, ended, answers)
    played.refuse_unreached(_list_loss_choices(view, combat, result))
    effective = [leader for leader, _ in engagement.telling() if result.repulsed is not None]
    changes = () if losing or played.asks else (*changes, *count_uses_of(view, effective))
    shown: tuple[Change, ...] = ()
    if changes:
        shown = tuple(reveal_in_combat(view, (parameters.at, *(unit.place for unit in engagement.attackers))))
    following = follows_changes(view.after(shown) if shown else view, changes)
    # a Repulse uses no Artillery Ammunition Points, so commands without one are not reported (8.5.1)
    attacker = replace(battle.attacker, without=())
    defender = replace(battle.defender, without=())
    return Report(
        title=title,
        verdict=choose_verdict(result, stuck=played.stuck),
        parts=(
            strength_part(engagement, replace(battle, attacker=attacker, defender=defender)),
            odds_part(battle, engagement),
            needs_part(result, parameters.during, prices),
            outcome_part(result, parameters.during),
            *following.parts(view),
        ),
        asks=(*losing, *played.asks),
        changes=(*shown, *changes, *following.changes),
        result=result,
    )


def _check_parameters(parameters: RepulseParameters) -> None:
    """Raise InputError for parameters that do not fit.

    Misfits are parameters of a retreat in movement, Movement Points in a retreat, and a negative number of points.
    """
    if parameters.during == "movement" and (parameters.tried or parameters.cause != "crt"):
        name = "tried" if parameters.tried else "cause"
        raise InputError(f"{name}: this matters only to a stack that retreats", hint="add during=retreat")
    if parameters.during == "retreat" and parameters.points is not None:
        raise InputError("points: an attempt in a retreat costs no Movement Points", hint="leave points out")
    parse_points(parameters.points, "points")


def _require_hex(view: View, parameters: RepulseParameters) -> str:
    """Return the hex of the Force that attempts the Repulse: as named, or that of its units.

    Raises MissingFacts if neither is named, InputError for units that are not in one hex.
    """
    if parameters.from_:
        return parameters.from_
    if not parameters.units:
        title = f"the Force that attempts the Repulse of {parameters.at}"
        how = "units=UNIT,UNIT, or from=HEX"
        raise MissingFacts([Ask(kind="parameter", name="units", rule="8.5.1", title=title, how=how)])
    places = {view.unit(name).place for name in parameters.units}
    if None in places or len(places) > 1:
        raise InputError("units: they are not all in one hex", hint="name units that stand together, on the map")
    return str(places.pop())


def timing_steps(now: AttackPhase, parameters: RepulseParameters) -> list[Step]:
    """Return the bars to a Repulse at this time.

    In movement a Repulse needs a Movement or Counter Movement Phase, the active side and a Movement Point. A retreating
    stack tries only one, and none while it retreats from a Repulse.

    `now`: the phase, by what is stated.

    Rule: 8.5, 8.5.1b, 8.5.1c
    """
    moves = parameters.during == "movement"
    points = parameters.points
    cost = attempt_cost(parameters.during)
    wrong_phase = moves and now.phase not in ("", *MOVEMENT_PHASES)
    others_move = moves and not wrong_phase and now.active not in ("", now.attacking)
    too_few = points is not None and points < cost
    reasons = (
        (
            wrong_phase,
            "8.5",
            "a Repulse is attempted only in movement phases or in a retreat, and the phase is {phase}",
        ),
        (others_move, "5.4", "the {title} side moves in this phase"),
        (
            parameters.cause == "repulse",
            "8.5.1",
            "a stack that retreats because of a Repulse may not attempt one",
        ),
        (
            parameters.tried,
            "8.5.1",
            "a stack may attempt only one Repulse during a retreat, and this one already has",
        ),
        (too_few, "8.5.1", "an attempt costs {cost:#Movement Point}, but {points} are left"),
    )
    return holding(reasons, now, cost=cost, points=points)


def attempt_cost(during: str) -> int:
    """Return the Movement Points that an attempt costs a Force: one in movement, none in a retreat. Rule: 8.5.1b"""
    return COST if during == "movement" else 0


class Attempt(NamedTuple):
    """A Repulse that is asked about."""

    view: View
    parameters: RepulseParameters
    """The parameters, with the hex of the Force."""
    force: str = ""
    """The Force that its owner has chosen, or ""."""

    @property
    def here(self) -> str:
        """The hex of the Force."""
        return str(self.parameters.from_)

    def list_certain_bars(self) -> list[Step]:
        """Return the bars to the Repulse that no later statement lifts.

        They are the time, the ground, a fortress unit there, and the Force that attempts it.
        """
        view, at, here = self.view, self.parameters.at, self.here
        side = next(filter(None, (view.side_of(unit.id) for unit in view.stack(here))), "")
        arms = {unit.id: view.word("arm", unit.id) for unit in view.stack(at)}
        crossed = {here: between(view, here, at).lies} if at in view.board.neighbours(here) else {}
        reasons = timing_steps(attack_phase(view, at, side), self.parameters)
        reasons += shelter_steps(at, arms, crossed)
        with suppress(MissingFacts):
            _, attackers = Setup(view, self.describe_as_combat()).read_sides()
            named = {group.name: group.units for group in forces(attackers)}
            chosen = [named[self.force]] if self.force in named else list(named.values())
            during = self.parameters.during
            each = [[*unfit_steps(units, during), *attackers_steps(view, at, units)] for units in chosen]
            if each and all(each):
                reasons += each[0]
        return reasons

    def list_bars(self, engagement: Engagement) -> list[Step]:
        """Return the bars to the Repulse once everything except the dice is known."""
        reasons = timing_steps(engagement.attack_phase, self.parameters)
        reasons += forbidden_steps(engagement, self.parameters.during)
        reasons += [spending_step(spends) for spends in self.price(engagement) if spends.why]
        return [*reasons, *refusals(engagement)]

    def price(self, engagement: Engagement) -> tuple[MovementSpending, ...]:
        """Return the Movement Points that each unit of the Force has spent after an attempt in movement.

        Units of unstated allowance are left out (8.5.1). Returns () if the player says what the Force has left.
        """
        now = engagement.attack_phase.phase
        asked = self.parameters
        if asked.during != "movement" or asked.points is not None or now not in MOVEMENT_PHASES:
            return ()
        force = tuple(unit.id for unit in units_taking_part(engagement))
        with self.view.gather() as facts:
            spent = {unit: read_account(facts, unit).total + COST for unit in force}
            units = [self.view.unit(unit) for unit in force]
            each = [measure_spending(facts, unit, spent[unit.id], "move", companions=force) for unit in units]
        return tuple(spends for spends in each if spends)

    def engage_or_forego(self) -> Engagement:
        """Return the Repulse as a combat, without asking for flanks that cannot change its outcome.

        They cannot if the Repulse is forbidden, cannot succeed, or succeeds without a roll, flanked or not.

        Rule: 8.5.2, 10.4.3
        """
        try:
            return self.engage()
        except MissingFacts:
            unflanked = self._replace(parameters=replace(self.parameters, flanked=False))
            # a separate view, so that the report does not mention the assumptions of this trial
            apart = unflanked._replace(view=View(self.view.game, self.view.state, self.view.end))
            tried = read_unless([FLANKS_UNSTATED], apart.engage)
            if tried is None or not (apart.list_bars(tried) or is_foregone(tried)):
                raise
        self.view.premises.assume(FLANKS_UNSTATED)
        engagement = unflanked.engage()
        flank = flank_of(engagement, engagement.attackers, as_stated=True)
        return replace(engagement, said_flanked=None, flank=flank, flanked=flank.holds)

    def engage(self) -> Engagement:
        """Return the Repulse as a combat of one Force against the stack, without Artillery Ammunition Points.

        Raises MissingFacts if several Forces stand in the hex and none is named, InputError if artillery alone attempts
        the Repulse or defends.
        """
        engagement = as_repulse(engage_led(self.view, self.describe_as_combat(), GREAT_RIVERS))
        attempting = forces(units_taking_part(engagement))
        if len(attempting) > 1:
            title = f"the Force that attempts the Repulse of {self.parameters.at}"
            choice = Choice(FORCE, "8.5.1", title, "attacker", {able.name: able for able in attempting})
            if not self.force:
                raise MissingFacts([ask_for(choice)])
            chosen = next(able for able in attempting if able.name == choice.read(self.force))
            units = tuple(unit.id for unit in chosen.units)
            return Attempt(self.view, replace(self.parameters, units=units)).engage()
        if self.force:
            raise AnswerError(FORCE, InputError("only one Force is there"))
        return engagement

    def describe_as_combat(self) -> BattleParameters:
        """Return the parameters of the Repulse as a combat.

        Raises MissingFacts if the units there are not stated, InputError as `engage` does.
        """
        view, asked, here = self.view, self.parameters, self.here
        with view.gather() as facts:
            there = {unit.id: facts.word("arm", unit.id) for unit in fighting_units(facts, here)}
            defending = {facts.word("arm", unit.id) for unit in fighting_units(facts, asked.at)}
        if not there:
            raise InputError(f"from: no unit that can attempt it is in {here}")
        wanted = asked.units or tuple(there)
        for name in wanted:
            if name not in there:
                raise InputError(f"units: {name} is not in {here}", hint=format_suggestion(name, there))
        held_by = {view.side_of(unit.id) for unit in view.stack(asked.at)} - {""}
        if not held_by.isdisjoint(view.side_of(name) for name in wanted):
            raise InputError(f"at: {asked.at} holds units of the same side", hint="name a hex that the enemy holds")
        if not any(there[name] in COMBAT_ARMS for name in wanted):
            what = f"from: no combat unit in {here} attempts it"
            raise InputError(what, hint="artillery alone may not attempt a Repulse (8.5.1)")
        if defending == {"artillery"}:
            hint = "it displaces when an enemy becomes adjacent to it (9.5.1): ask displace"
            raise InputError(f"at: {asked.at} holds only artillery, which is not repulsed", hint=hint)
        return parameters_of(
            asked.at,
            here,
            there,
            wanted,
            asked.withhold,
            flanked=asked.flanked,
            shift=asked.shift,
            leader=asked.leader,
        )


def is_foregone(engagement: Engagement) -> bool:
    """Return whether a Repulse needs no roll, flanked or not.

    Being flanked is two columns, fewer than lie between odds that fail and odds that succeed without a roll.

    Rule: 8.5.2
    """
    ends = {needs(evaluate_combat(replace(engagement, flanked=flanked))[1].odds) for flanked in (False, True)}
    return "roll" not in ends


def _find_aliases(engagement: Engagement) -> dict[str, str]:
    """Return the names that answers may have.

    The check may be named after the hex or any unit there, or be without a name.
    """
    check = f"ec.{engagement.at}"
    losing = (f"losses.{unit.id}" for unit in (*engagement.attackers, *engagement.defenders))
    checks = ("ec", *(f"ec.{unit.id}" for unit in engagement.defenders))
    return dict.fromkeys(checks, check) | {name: name for name in ("crt", check, *losing)}


def _find_before_dice(
    parameters: RepulseParameters,
    battle: Reckoning,
    combat: Combat,
    played: Play,
    prices: Sequence[MovementSpending] = (),
) -> RepulseResult:
    """Return the certain result before the dice, and the chances if the chart is known.

    `prices`: as in `Attempt.price`.
    """
    cost = attempt_cost(parameters.during)
    left = None if parameters.points is None else parse_points(parameters.points, "points") - cost
    if prices:
        left = min(spends.left for spends in prices)
    checks = list[RepulseCheck]()
    for force in defending_forces(combat):
        cel = force_cel(force.units)
        checks.append(RepulseCheck(force=force.name, cel=cel, fails=1 - Dice(2, 6).at_most(cel)))
    return RepulseResult(
        at=combat.engagement.at,
        force=tuple(unit.id for unit in units_taking_part(combat.engagement)),
        attack=battle.attacker.total,
        defence=battle.defender.total,
        initial=battle.initial,
        final=battle.final,
        shifts=battle.shifts,
        shift_places=battle.shift_places,
        needs=needs(combat.odds),
        chance=played.chances.probability(bool, "repulsed") if played.chances else None,
        checks=tuple(checks),
        cost=cost,
        points=left,
    )


def _find_after_dice(
    view: View, combat: Combat, during: str, result: RepulseResult, settled: Mapping[str, Quantity], answers: Answers
) -> tuple[RepulseResult, tuple[Ask, ...], tuple[Change, ...]]:
    """Return the result after the dice, the owners' open choices of step losses, and the changes on the map.

    The retreat of two hexes is recorded as owed.
    """
    repulsed = settled.get("repulsed")
    if repulsed is None:
        return result, (), ()
    attempting = units_taking_part(combat.engagement)
    units = {unit.id: unit for unit in (*attempting, *combat.engagement.defenders)}
    lost, asks = ({}, ()) if repulsed else share_failure(view, attempting, answers)
    losses = dict(lost)
    checks = []
    changes: list[Change] = []
    for force, check in zip(defending_forces(combat), result.checks, strict=True):
        failed_by = settled.get(f"{force.name}.failed_by")
        levels = 0
        steps = 0
        passed = None if failed_by is None else failed_by == 0
        if passed is False:
            levels, steps = failure_cost(force, view.ruling)
        if levels:
            changes.append(changed(view, "cel", check.force, -units[check.force].levels - levels, "8.5.3"))
        if steps:
            taken, due = share_among(force, steps, answers, "8.5.3", "its check")
            losses |= taken
            asks += due
        checks.append(replace(check, passed=passed, failed_by=failed_by, levels=levels, steps=steps))
    for name, steps in losses.items():
        changes += step_losses(view, units[name], steps)
    gone = units_off_map(changes)
    fallen = find_falling(unit.id for unit in view.stack(result.at) if repulsed and unit.id not in gone)
    changes += list_falls(view, fallen)
    gone += fallen
    staying = [unit.id for unit in attempting if unit.id not in gone]
    if repulsed:
        changes += note_owed_hexes(view, result.at, gone)
    elif during == "movement":
        changes += note_halt(view, staying)
    # the moves of other units end, unless they move along (8.1)
    changes += spend_and_end(view, staying, {"repulse": Fraction(attempt_cost(during))}, rule="8.5.1")
    attacked = [unit.id for unit in combat.engagement.defenders if unit.id not in gone]
    changes += take_off_when_attacked(view, attacked)
    changes += clear_points(view, result.at, "8.9.3")
    known = replace(
        result, crt=settled["crt"], repulsed=repulsed, checks=tuple(checks), losses=lost, fallen=tuple(fallen)
    )
    return known, asks, tuple(changes)


def _list_loss_choices(view: View, combat: Combat, result: RepulseResult) -> list[str]:
    """Return the names of the due choices of units that take the steps of a Repulse."""
    losing = [check.force for check in result.checks if check.steps]
    if result.repulsed is False:
        attempting = units_taking_part(combat.engagement)
        if view.ruling("repulse-step", len(attempting) > 1) == "force":
            losing += [force.name for force in forces(attempting)]
    return [f"losses.{name}" for name in losing]


def note_owed_hexes(view: View, at: str, eliminated: Collection[str]) -> list[Change]:
    """Return the changes that record the two hexes owed by all units that retreat with their stack.

    Corps Trains only accompany others: if no other unit is left, they leave their hex by 9.8.1.

    `eliminated`: the units that are eliminated.

    Rule: 8.5.3
    """
    going = [unit.id for unit in view.stack(at) if retreats_with_stack(view, unit.id) and unit.id not in eliminated]
    if all(view.word("arm", unit) in SUPPLY_ARMS for unit in going):
        return []
    noted = list[Change]()
    for unit in going:
        noted.append(changed(view, "owes", unit, REPULSED_HEXES, "8.5.3"))
        noted.append(changed(view, RETREAT_CAUSE, unit, "repulse", "8.5.3"))
    return noted


def note_halt(view: View, units: Iterable[str]) -> list[Change]:
    """Return the changes that record that units move no further in this phase after a failed Repulse. Rule: 8.5.4"""
    return [changed(view, "halted", unit, True, "8.5.4") for unit in units]


def share_failure(view: View, units: Sequence[CombatUnit], answers: Answers) -> tuple[dict[str, int], tuple[Ask, ...]]:
    """Return the steps that units lose by a failed Repulse, and the choice that their owner must make.

    `units`: the units that took part.

    Rule: 8.5.4, 8.5.4b
    """
    who = view.ruling("repulse-step", len(units) > 1)
    if who == "force":
        (force,) = forces(units)
        return share_among(force, 1, answers, "8.5.4", "the failed Repulse")
    return dict.fromkeys((unit.id for unit in losing_in_vain(units, who)), 1), ()


def choose_verdict(result: RepulseResult, *, stuck: bool) -> Verdict:
    """Return the verdict on a Repulse.

    `stuck`: whether the rolled cell is not known.
    """
    if stuck:
        text = "undecided: odds of {final}, but the cell of the Combat Results Table is not known"
        return verdict("undecided", text, result)
    if result.repulsed:
        failed = [check.force for check in result.checks if check.passed is False]
        text = (
            "the stack in {at} is repulsed and retreats {hexes:#hex}; failed checks: {failed}"
            "[fallen:; destroyed: {fallen}]"
        )
        return verdict("yes", text, result, hexes=REPULSED_HEXES, failed=failed)
    if result.repulsed is False:
        text = "the Repulse fails; [losses:steps lost: {losses}|its owner chooses which unit loses a step]"
        return verdict("no", text, losses=list(result.losses))
    if result.needs == "automatic":
        return verdict("yes", "odds of {final}: the Repulse succeeds without a roll", result)
    text = "odds of {final}: [charted:{chance:%} chance of success|roll on the Combat Results Table]"
    return verdict("figure", text, result, charted=result.chance is not None)


def needs_part(result: RepulseResult, during: str, prices: Sequence[MovementSpending] = ()) -> Part:
    """Return the meaning of the odds and the cost of the attempt.

    `prices`: the Movement Points that each unit spends on the attempt.
    """
    texts = {
        "hopeless": "{final} is less than 3:1: it fails without a roll",
        "automatic": "{final} is 7:1 or better: it succeeds without a roll",
        "roll": "{final}: it succeeds if the Combat Results Table has the defender retreat",
    }
    steps = [step("8.5.2", texts[result.needs], result)]
    if during == "movement":
        text = "the attempt costs the Force {cost:#Movement Point}[counted:, of which {points} are left]"
        steps.append(step("8.5.1", text, result, counted=result.points is not None))
        steps += [spending_step(spends) for spends in prices if spends.march]
    text = "{force} would check against {cel} without modifiers, with a {fails:%} chance to fail"
    return Part("Repulse", (*steps, *(step("8.5.3", text, check) for check in result.checks)))


def outcome_part(result: RepulseResult, during: str) -> Part:
    """Return the outcome for each side, and the further moves of the Force; empty before the dice."""
    if result.repulsed is None:
        return Part(OUTCOME, ())
    if result.repulsed:
        text = "all [fallen:other ]units in {at} retreat {hexes:#hex}: their owner chooses where (ask retreat at={at})"
        steps = [step("8.5.3", text, result, hexes=REPULSED_HEXES), *falling_steps(result.fallen)]
        for check in result.checks:
            if check.passed:
                steps.append(step("8.5.3", "{force} passes", check))
            elif check.passed is False:
                steps.append(step("8.5.3", "{force} fails by {failed_by}: {levels:#level}, {steps:#step}", check))
        text = "the Force [moving:may move on|continues its retreat]"
        return Part(OUTCOME, (*steps, step("8.5.3", text, moving=during == "movement")))
    text = "[losses:units that took part and lose a step: {losses}|the Force loses a step]"
    then = (
        "it [moving:moves no further, but may place a Prepared Attack marker or work on a position|"
        "must continue its retreat, or is Unable to Retreat (11.2.6)]"
    )
    steps = [step("8.5.4", text, losses=list(result.losses)), step("8.5.4", then, moving=during == "movement")]
    return Part(OUTCOME, tuple(steps))


def sketch_repulse(view: View, report: Report[RepulseResult]) -> Sketch:
    """Return the picture of a Repulse: target, attackers, strengths, shifts, odds, and the attackers' zones.

    The zones count for the flanks, and bar the way back.
    """
    result = report.shown
    places = tuple(dict.fromkeys(str(view.unit(name).place) for name in result.force))
    side = side_at(view, *places)
    outcome = next((part.steps for part in report.parts if part.title == OUTCOME), ())
    who = f"{', '.join(result.force)} alone attempts it" if len(result.force) == 1 else ""
    return sketch_of(
        view,
        report,
        results=tuple(filter(None, (who, *(entry.text for entry in outcome)))),
        side=side,
        spots=(
            *(Spot(hex=place, role="start", label=f"attack {result.attack}") for place in places),
            Spot(hex=result.at, role="target", label=f"defence {result.defence}"),
        ),
        remarks=tuple(shift_remarks(result.at, result.shifts, result.shift_places)),
        arrows=attack_arrows(places, [result.at], side),
        zones=draw_zones(view, field, [side]),
        tables=(FigureTable(title="Repulse", rows=tuple(_list_figures(result))),),
        words={"target": "the hex to be cleared", "start": "who attempts the Repulse", "attack": "Repulse"},
    )


def _list_figures(result: RepulseResult) -> Iterator[tuple[str, str]]:
    """Yield label and figure of each row: strengths, odds, each shift, requirement, and the checks that follow."""
    yield "attacker's strength", str(result.attack)
    yield "defender's strength", str(result.defence)
    yield "odds", result.initial
    for shift in result.shifts:
        yield shift.why, f"{shift.amount:+d}"
    yield "odds after shifts", result.final
    yield "it needs", NEEDS[result.needs]
    if result.chance is not None:
        yield "chance of success", format_whole_percent(result.chance)
    if result.crt:
        yield "result", result.crt
    if result.repulsed is not None:
        yield "Repulse", f"succeeds: the stack retreats {REPULSED_HEXES} hexes" if result.repulsed else "fails"
    for check in result.checks:
        if check.passed is None:
            came = f"fails {format_whole_percent(check.fails)}"
        else:
            came = "passes" if check.passed else f"fails by {check.failed_by}"
        yield f"check of {check.force} at {check.cel}", came


QUESTION = declare(
    "repulse",
    "whether a moving or retreating Force can push a stack out of its hex",
    answer,
    {
        "force": "the Force that attempts the Repulse, where its hex holds several",
        "crt": "the roll for the Repulse",
        "ec": "the check of the stack that is pushed away",
        "ec.HEX": "the check of the stack that is pushed away, by the hex or a unit of the stack",
        "losses.FORCE": (
            "the units that take the steps of its check or of the failed attempt, one name per step, joined by commas"
        ),
    },
    sketch=sketch_repulse,
)
