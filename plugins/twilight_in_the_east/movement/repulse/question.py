"""The question `repulse`: whether a moving or retreating Force can push a stack out of its hex (8.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from msgspec.structs import replace

from assistant.mechanics.procedure import AnswerError, Choice, Dice, Quantity
from assistant.questions import Answers, Step, declare, read_unless, refused, step
from assistant.questions.play import Play, play
from assistant.questions.report import Ask, MissingFacts, Report, ask_for
from assistant.questions.view import View, changed
from assistant.state.changes import Change
from assistant.util.errors import InputError, suggested

from ...battle.reckoning import weigh
from ...battle.report import odds_part, strength_part
from ...battle.result import BattleResult
from ...combat.engagement import BattleParameters, Engagement
from ...combat.flanks import flank_of
from ...combat.foregone import engaging, of_attackers
from ...combat.legality import refusals
from ...combat.setup import engage
from ...entering.following import follows_changes
from ...forces.reading import fighting
from ...forces.step_changes import step_losses
from ...forces.units import SIDES, CombatUnit, forces
from ...forces.victory_points import lost_part
from ...ground.hexsides import between
from ...ground.phases import attack_phase
from ...results import repulse
from ...results.combat import Combat
from ...results.effectiveness import force_cel
from ...retreat.cost import shared
from ...terms import COMBAT_ARMS, FORTRESSES, GREAT_RIVERS, NEVER_RETREAT, RETREAT_CAUSE
from . import rules
from .report import RepulseCheck, RepulseParameters, RepulseResult, in_a_line, needs_part, outcome_part

FORCE = "force"
"""The choice of the Force that attempts it."""
UNKNOWN = step("10.4.3", "hexsides around the defenders are not stated, nor asked for: flanked or not, it ends alike")
"""What the report takes for granted where flanks cannot change how a Repulse ends."""


def answer(view: View, parameters: RepulseParameters, answers: Answers) -> Report[RepulseResult]:
    """The report on a Repulse: whether it may be tried, its odds, its chances, and what these dice make of it.

    Raises MissingFacts for whatever the rules need and is not stated, InputError for a Repulse that cannot be named.
    """
    title, text = f"Repulse of {parameters.at} from {parameters.from_}", "this Repulse is not allowed"
    force = answers.get(FORCE, "")
    try:
        engagement = engaged_or_foregone(view, parameters, force)
    except MissingFacts:
        if certain := certainly_forbidden(view, parameters, force):
            return refused(title, text, certain)
        raise
    answers = {name: answer for name, answer in answers.items() if name != FORCE}
    if reasons := against(view, parameters, engagement):
        return refused(title, text, reasons)
    battle, combat = weigh(engagement)
    procedure = repulse.attempt(combat, view.cell)
    played = play(view, procedure, None, answers, aliases=aliases(engagement))
    result = before(parameters, battle, combat, played)
    ended = played.settled if answers or result.needs == "hopeless" else {}
    result, losing, changes = after(view, combat, parameters.during, result, ended, answers)
    changes = () if losing or played.asks else changes
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=in_a_line(result, stuck=played.stuck),
        parts=(
            strength_part(engagement, unserved(battle)),
            odds_part(battle),
            needs_part(result, parameters.during),
            outcome_part(result, parameters.during),
            lost_part(view, changes),
            following.part,
        ),
        asks=(*losing, *played.asks),
        changes=(*changes, *following.changes),
        result=result,
    )


def certainly_forbidden(view: View, parameters: RepulseParameters, force: str) -> list[Step]:
    """What forbids a Repulse whatever is not stated yet: the time, the ground, a fortress unit there, the Force that attempts it. force: as
    for `engaged`.
    """
    at, here = parameters.at, parameters.from_
    side = next(filter(None, (view.side_of(unit.id) for unit in view.stack(here))), "")
    forts = [unit.id for unit in view.stack(at) if view.word("arm", unit.id) in FORTRESSES]
    crossed = {here: between(view, here, at).lies} if at in view.board.neighbours(here) else {}
    reasons = rules.untimely(attack_phase(view, at, side), parameters) + repulse.sheltered(at, forts, crossed)
    with suppress(MissingFacts):
        _, attackers = engaging(view, as_combat(view, parameters))
        named = {group.name: group.units for group in forces(attackers)}
        chosen = [named[force]] if force in named else list(named.values())
        each = [[*repulse.unfit(units, parameters.during), *of_attackers(view, at, units)] for units in chosen]
        reasons += each[0] if each and all(each) else []
    return reasons


def against(view: View, parameters: RepulseParameters, engagement: Engagement) -> list[Step]:
    """What forbids a Repulse of which all is known but the dice."""
    reasons = rules.untimely(engagement.attack_phase, parameters) + repulse.forbidden(engagement, parameters.during)
    return [*reasons, *refusals(engagement, view.board.neighbours(engagement.at))]


def engaged_or_foregone(view: View, parameters: RepulseParameters, force: str) -> Engagement:
    """The Repulse as a combat, as `engaged`, but nothing is asked about flanks that cannot change how it ends: it is forbidden, or
    cannot succeed, or succeeds by itself, flanked or not. Its flanks are then as far as they are stated. Rule: 8.5.2, 10.4.3
    """
    try:
        return engaged(view, parameters, force)
    except MissingFacts:
        unflanked = replace(parameters, flanked=False)
        apart = View(view.game, view.state, view.end)  # what is only tried is no doubt of the report
        tried = read_unless([UNKNOWN], lambda: engaged(apart, unflanked, force))
        if tried is None or not (against(apart, parameters, tried) or is_foregone(tried)):
            raise
    view.presume(UNKNOWN)
    engagement = engaged(view, unflanked, force)
    flank = flank_of(engagement, engagement.attackers, as_stated=True)
    return replace(engagement, said_flanked=None, flank=flank, flanked=flank.holds)


def is_foregone(engagement: Engagement) -> bool:
    """Whether a Repulse needs no roll, flanked or not: two columns do not lead from one that fails to one that succeeds by itself.
    Rule: 8.5.2
    """
    ends = {rules.needs(weigh(replace(engagement, flanked=flanked))[1].odds) for flanked in (False, True)}
    return "roll" not in ends


def engaged(view: View, parameters: RepulseParameters, force: str) -> Engagement:
    """The Repulse as a combat without Artillery Ammunition Points, of one Force against the stack. force: the one that its owner has
    chosen, "" for none.

    Raises MissingFacts if several Forces stand in the hex and none is named, InputError if artillery alone attempts it or defends.
    """
    engagement = repulse.as_repulse(engage(view, as_combat(view, parameters), barred=GREAT_RIVERS))
    attempting = forces(repulse.taking_part(engagement))
    if len(attempting) > 1:
        title = f"the Force that attempts the Repulse of {parameters.at}"
        choice = Choice(FORCE, "8.5.1", title, "attacker", {able.name: able for able in attempting})
        if not force:
            raise MissingFacts([ask_for(choice)])
        chosen = next(able for able in attempting if able.name == choice.read(force))
        return engaged(view, replace(parameters, units=tuple(unit.id for unit in chosen.units)), "")
    if force:
        raise AnswerError(FORCE, InputError("only one Force is there"))
    return engagement


def as_combat(view: View, parameters: RepulseParameters) -> BattleParameters:
    """The parameters of a Repulse as a combat. Raises MissingFacts if it is not stated who stands there, InputError as `engaged` does."""
    with view.gather() as facts:
        there = {unit.id: facts.word("arm", unit.id) for unit in fighting(facts, parameters.from_)}
        defending = {facts.word("arm", unit.id) for unit in fighting(facts, parameters.at)}
    if not there:
        raise InputError(f"from: no unit that can attempt it is in {parameters.from_}")
    wanted = parameters.units or tuple(there)
    if {view.side_of(name) for name in wanted} & {view.side_of(unit.id) for unit in view.stack(parameters.at)} - {""}:
        raise InputError(f"at: units of the same side stand in {parameters.at}", hint="name a hex that the enemy holds")
    if not any(there.get(name) in COMBAT_ARMS for name in wanted):
        what = f"from: no combat unit in {parameters.from_} attempts it"
        raise InputError(what, hint="artillery alone makes no Repulse (8.5.1)")
    if defending == {"artillery"}:
        hint = "it displaces when an enemy comes next to it (9.5.1): ask displace"
        raise InputError(f"at: artillery alone in {parameters.at} is not repulsed", hint=hint)
    for name in wanted:
        if name not in there:
            raise InputError(f"units: {name} is not in {parameters.from_}", hint=suggested(name, there))
    return BattleParameters(
        at=parameters.at,
        from_=(parameters.from_,),
        withhold=(*parameters.withhold, *repulse.uninvolved(there, wanted)),
        attacker_ap=("none",),
        defender_ap=("none",),
        flanked=parameters.flanked,
        shift=parameters.shift,
    )


def unserved(battle: BattleResult) -> BattleResult:
    """The strengths without a word on whom Artillery Ammunition Points would serve: a Repulse takes none (8.5.1)."""
    return replace(battle, **{role: replace(getattr(battle, role), without=()) for role in SIDES})


def aliases(engagement: Engagement) -> dict[str, str]:
    """The names of answers: the check may be named after the hex or any unit there, or bare."""
    check = f"ec.{engagement.at}"
    losing = (f"losses.{unit.id}" for unit in (*engagement.attackers, *engagement.defenders))
    checks = ("ec", *(f"ec.{unit.id}" for unit in engagement.defenders))
    return dict.fromkeys(checks, check) | {name: name for name in ("crt", check, *losing)}


def before(parameters: RepulseParameters, battle: BattleResult, combat: Combat, played: Play) -> RepulseResult:
    """What is certain before the dice, and the chances where the chart is known."""
    cost = rules.cost(parameters.during)
    left = None if parameters.points is None else Fraction(parameters.points).limit_denominator(12) - cost
    cels = ((force.name, force_cel(force.units)) for force in repulse.defending(combat))
    checks = tuple(RepulseCheck(force=name, cel=cel, fails=1 - Dice(2, 6).at_most(cel)) for name, cel in cels)
    return RepulseResult(
        at=combat.engagement.at,
        force=tuple(unit.id for unit in repulse.taking_part(combat.engagement)),
        attack=battle.attacker.total,
        defence=battle.defender.total,
        initial=battle.initial,
        final=battle.final,
        shifts=battle.shifts,
        needs=rules.needs(combat.odds),
        chance=played.chances.probability(bool, "repulsed") if played.chances else None,
        checks=checks,
        cost=cost,
        points=left,
    )


def after(
    view: View, combat: Combat, during: str, result: RepulseResult, settled: Mapping[str, Quantity], answers: Answers
) -> tuple[RepulseResult, tuple[Ask, ...], tuple[Change, ...]]:
    """The result with what the dice made of it, which owner has to say first who takes a step, and what changes on the map; the
    retreat of two hexes stays an obligation, which is noted."""
    repulsed = settled.get("repulsed")
    if repulsed is None:
        return result, (), ()
    attempting = repulse.taking_part(combat.engagement)
    units = {unit.id: unit for unit in (*attempting, *combat.engagement.defenders)}
    lost, asks = ({}, ()) if repulsed else repelled(view, attempting, answers)
    losses, checks = dict(lost), []
    changes: list[Change] = []
    for force, check in zip(repulse.defending(combat), result.checks, strict=True):
        failed_by, levels, steps = settled.get(f"{force.name}.failed_by"), 0, 0
        passed = None if failed_by is None else failed_by == 0
        if passed is False:
            spent = force.formation is not None and force.formation.demoralized
            levels, steps = repulse.failing(force, view.ruling("repulse-demoralized", spent))
        if levels:
            changes.append(changed(view, "cel", check.force, -units[check.force].levels - levels, "8.5.3"))
        taken, due = shared(force, steps, answers, "8.5.3", "its check")
        losses |= taken
        asks += due
        checks.append(replace(check, passed=passed, failed_by=failed_by, levels=levels, steps=steps))
    for name, steps in losses.items():
        changes += step_losses(view, units[name], steps)
    changes += owing(view, result.at, changes) if repulsed else halting(view, during, attempting, changes)
    known = replace(result, crt=settled["crt"], repulsed=repulsed, checks=tuple(checks), losses=lost)
    return known, asks, tuple(changes)


def owing(view: View, at: str, changes: Sequence[Change]) -> list[Change]:
    """The note that all in a hex who can retreat owe two hexes because of the Repulse, but for those whom their check has eliminated.
    Rule: 8.5.3
    """
    gone = eliminated(changes)
    stack = [unit.id for unit in view.stack(at) if view.word("arm", unit.id) not in NEVER_RETREAT and unit.id not in gone]
    owed = (("owes", repulse.HEXES), (RETREAT_CAUSE, "repulse"))
    return [changed(view, track, unit, value, "8.5.3") for unit in stack for track, value in owed]


def halting(view: View, during: str, units: Sequence[CombatUnit], changes: Sequence[Change]) -> list[Change]:
    """The note that units whose Repulse has failed in movement move no further in this phase, but for those whom it has eliminated.
    Rule: 8.5.4
    """
    staying = [unit.id for unit in units if during == "movement" and unit.id not in eliminated(changes)]
    return [changed(view, "halted", unit, True, "8.5.4") for unit in staying]


def eliminated(changes: Sequence[Change]) -> set[str]:
    """The units that changes take off the map."""
    return {change.subject for change in changes if change.track == "place" and change.after is None}


def repelled(view: View, units: Sequence[CombatUnit], answers: Answers) -> tuple[dict[str, int], tuple[Ask, ...]]:
    """Who loses the step that a failed Repulse costs, or what the owner has to choose from. units: those that took part.
    Rule: 8.5.4, 8.5.4b
    """
    who = view.ruling("repulse-step", len(units) > 1)
    if who == "force":
        (force,) = forces(units)
        return shared(force, 1, answers, "8.5.4", "the failed Repulse")
    return {unit.id: 1 for unit in units if who == "every" or unit.arm in COMBAT_ARMS}, ()


QUESTION = declare(
    "repulse",
    "whether a moving or retreating Force can push a stack out of its hex",
    answer,
    {
        "force": "the Force that attempts it, where its hex holds several",
        "crt": "the roll for the Repulse",
        "ec": "the check of the stack that is pushed away",
        "ec.HEX": "the same, by its hex or a unit of it",
        "losses.FORCE": "the units that take the steps of its check or of the failed attempt, one name a step, joined by commas",
    },
)
