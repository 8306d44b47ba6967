"""The question `retreat`: which hexes a stack may enter, what rule bars each other one, and what a way back costs (11.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise, takewhile

from assistant.questions import Answers, InputError, declare
from assistant.questions.report import Ask, Part, Report, Step, refused, step, verdict
from assistant.questions.view import View, changed
from assistant.state.changes import Change

from ..forces.armies import corps_and_army
from ..forces.step_changes import step_losses
from ..forces.units import CombatUnit, Force
from ..fortresses.garrisons import garrison_move, is_inside
from ..ground.improved_positions import after_moves
from ..ground.phases import ATTACK_PHASES, phase_of
from ..ground.zones import assume_zones
from ..terms import DEPOTS, FORTRESSES
from . import cost, hexes, stack
from .cost import Charge, ForceRetreat, RetreatHex
from .report import RetreatParameters, RetreatResult, cost_part, in_a_line, options_part
from .stack import Retreat


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, and what the way so far costs.

    Raises MissingFacts for whatever the way needs and is not stated, InputError for a way that cannot be.
    """
    if parameters.owed < 0:
        raise InputError(f"hexes: {parameters.owed} cannot be owed")
    parameters = stack.as_owed(view, parameters)
    with view.gather() as facts:
        retreat = stack.read_retreat(facts, parameters)
        way = [hexes.entered(facts, retreat, *leg) for leg in pairwise((parameters.at, *parameters.way))]
    stack.check_end(view, retreat)
    title = f"Retreat of {', '.join(retreat.names)} from {parameters.at}"
    passed = list(takewhile(lambda hex: not hex.barred, way))
    options = hexes.around(view, retreat, passed[-1].hex if passed else parameters.at)
    if len(passed) < len(way):
        barred = way[len(passed)]
        no = verdict("no", "{hex} cannot be entered: {why}", barred, why=barred.barred)
        return Report(title=title, verdict=no, parts=(options_part(options),))
    if reasons := stack.parting(view, retreat):
        return refused(title, "this is no retreat as a stack", reasons)
    return judged(view, retreat, title, way, options, answers)


def judged(
    view: View,
    retreat: Retreat,
    title: str,
    way: Sequence[RetreatHex],
    options: tuple[RetreatHex, ...],
    answers: Answers,
) -> Report[RetreatResult]:
    """The report on the way so far, or on the whole retreat where it is over or stuck."""
    parameters, owed = retreat.parameters, retreat.parameters.owed
    stuck = all(option.barred for option in options) and len(way) < owed
    complete = len(way) >= owed or stuck
    gone = stuck and cost.surrenders(owed, len(way), parameters.cause)
    end = way[-1].hex if way else parameters.at
    costs = common_costs(view, retreat, way, stuck=stuck)
    supplied = complete and not gone and not parameters.withheld
    own = {force.name: away_from_supply(view, retreat, force, end) if supplied else () for force in retreat.forces}
    lost = [cost.suffered(force, [*costs, *own[force.name]]) for force in retreat.forces]
    better = priorities_broken(view, retreat, way)
    over = over_stack(view, retreat, end, lost) if complete and not gone else ()
    result = RetreatResult(
        at=parameters.at,
        units=retreat.names,
        owed=owed,
        way=tuple(hex.hex for hex in way),
        end=end,
        options=() if complete else options,
        forces=tuple(lost),
        passed_over={entered: best for entered, (best, _) in better.items()},
        surrenders=gone,
        complete=complete,
        over_stacked=bool(over),
    )
    presume(view, retreat, way)
    text = "the priorities put {better} before {hex}: {why}"
    order = tuple(step("11.2.2", text, better=best, hex=entered, why=why) for entered, (best, why) in better.items())
    parts = [cost_part(result, costs, own)] if way or complete else []
    parts += [Part("Priorities", order), Part("Over-stacked", over), *([] if complete else [options_part(options)])]
    asks, changes = consequences(view, retreat, end, lost, gone, answers) if complete else ((), ())
    return Report(title=title, verdict=in_a_line(result), parts=tuple(parts), asks=asks, changes=changes, result=result)


# --- what it costs ----------------------------------------------------------------------------------------------------


def common_costs(view: View, retreat: Retreat, way: Sequence[RetreatHex], *, stuck: bool) -> tuple[Charge, ...]:
    """What the way costs each Force alike. stuck: whether it leads no farther."""
    parameters = retreat.parameters
    levels = view.ruling("ezoc-levels") if sum(hex.zone for hex in way) > cost.LEVELS else "one"
    costs = cost.charges(way, levels)
    costs += cost.unable(parameters.owed, len(way), parameters.cause) if stuck else ()
    return cost.spared(costs) if parameters.withheld else costs


def priorities_broken(view: View, retreat: Retreat, way: Sequence[RetreatHex]) -> dict[str, tuple[str, str]]:
    """The hexes of a way before which the priorities put another one, each with that one and why. Rule: 11.2.2"""
    places = (retreat.parameters.at, *(hex.hex for hex in way))
    tried = (
        (hex, hexes.passed_over(hex, hexes.around(view, retreat, here))) for here, hex in zip(places, way, strict=False)
    )
    return {hex.hex: better for hex, better in tried if better}


def presume(view: View, retreat: Retreat, way: Sequence[RetreatHex]) -> None:
    """Say what the report takes for granted."""
    parameters = retreat.parameters
    if left := [unit for unit in stack.stayers(view, retreat) if view.fact("owes", unit) is None]:
        view.presume(step("11.2.1", "{units} stay: a stack parts only where they owe fewer hexes", units=left))
    if parameters.cause == "repulse" and way and not phase_of(view):
        view.presume(step("10.1", "the Repulse was tried in a movement phase (phase not stated)"))
    if parameters.at in parameters.way:
        view.presume(step("11.2.2", "the way comes back to {at}, against the priorities", parameters))
    assume_zones(retreat.around, {way[-1].hex if way else parameters.at, *parameters.way})


def away_from_supply(view: View, retreat: Retreat, force: Force, end: str) -> tuple[Charge, ...]:
    """What a Force loses that ends farther from every supply source of its command, as far as these are known (11.2.3)."""
    parameters = retreat.parameters
    owed = parameters.owed + parameters.before
    if owed < 2:
        return ()
    if not parameters.is_last:
        view.presume(step("11.2.3", "whether it ends farther from supply is judged after its checks (last=yes)"))
        return ()
    sources = stack.supply_sources(view, retreat, force)
    if not corps_and_army(view, force.name)[1] and any(view.word("arm", unit.id) in DEPOTS for unit in view.units()):
        view.presume(step("11.2.3", "the army of {unit} is not stated, so its depots are left out", unit=force.name))
    if not sources:
        text = "no supply source of {unit}'s command is known: whether it ends farther from all is left to the players"
        view.presume(step("11.2.3", text, unit=force.name))
        return ()
    start = parameters.first or parameters.at
    before, after = ([view.board.distance(source, place) for source in sources] for place in (start, end))
    fortress = any(view.word("arm", unit.id) in FORTRESSES for unit in view.stack(end))
    doubtful = not fortress and cost.is_farther(before, after, "nearest") and not cost.is_farther(before, after)
    which = view.ruling("away-from-supply") if doubtful else "every"
    charged = cost.farther_from_supply(before, after, owed, fortress, which)
    spared = charged and parameters.cause == "repulse" and view.ruling("repulsed-from-supply") == "spared"
    return () if spared else charged


def over_stack(view: View, retreat: Retreat, end: str, lost: Sequence[ForceRetreat]) -> tuple[Step, ...]:
    """What a last hex that holds too much obliges the stack to (4.2.3)."""
    gone = {gun for force in lost for gun in force.guns}
    for force, of_force in zip(retreat.forces, lost, strict=True):
        gone |= {unit.id for unit in cost.bearers(force)} if of_force.eliminated else set()
    divisions, guns = stack.excess(view, retreat, end, [unit for unit in retreat.units if unit.id not in gone])
    text = "{hex} holds {divisions} divisions and {guns} artillery units too many: retreat as many units on as it takes, or stay if "
    text += "that does not help"
    return (step("4.2.3", text, hex=end, divisions=divisions, guns=guns),) if divisions or guns else ()


# --- what changes -----------------------------------------------------------------------------------------------------


def consequences(
    view: View, retreat: Retreat, end: str, lost: Sequence[ForceRetreat], gone: bool, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """What to do on the map, and the choices that owners have to make first."""
    asks: list[Ask] = []
    changes: list[Change] = []
    at = retreat.parameters.at
    formations = {
        unit.id: unit.nation for unit in (*stack.standing(view, retreat, end), *retreat.units) if unit.formation
    }
    for force, of_force in zip(retreat.forces, lost, strict=True):
        taken, ask = ({}, None) if of_force.eliminated else cost.shared(force, of_force.steps, answers)
        asks += [ask] if ask else []
        for unit in force.units:
            if gone or unit.id in of_force.guns or (of_force.eliminated and unit in cost.bearers(force)):
                changes.append(changed(view, "place", unit.id, None, "11.2.6" if gone else "11.2"))
                continue
            losses = step_losses(view, unit, steps) if (steps := taken.get(unit.id, 0)) else []
            moves = end != at and not any(change.track == "place" for change in losses)
            changes += losses
            if moves:
                changes.append(changed(view, "place", unit.id, end, "11.2.1"))
            if unit.formation and of_force.levels:
                changes.append(changed(view, "cel", unit.id, -unit.levels - of_force.levels, "11.2.5"))
            changes += marker_off(view, retreat, unit)
            if moves:
                others = {name for name, nation in formations.items() if nation == unit.nation}
                changes += [*remembered(view, retreat, unit, end), *kept_attached(view, force, unit, others)]
    changes += after_moves(view, changes)
    if asks or not changes:
        return tuple(asks), ()
    return (), (*changes, *kept_control(view, retreat, end))


def marker_off(view: View, retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """A Prepared Attack marker comes off in a retreat from a Repulse. Rule: 8.4.3"""
    off = retreat.parameters.cause == "repulse" and unit.prepared
    return [changed(view, "prepared", unit.id, None, "8.4.3")] if off else []


def remembered(view: View, retreat: Retreat, unit: CombatUnit, end: str) -> list[Change]:
    """What is to be remembered of a unit that has retreated: that it has in this attack phase, what it still owes, and that out
    of its complex it is a Fortress Garrison no more (10.1, 11.2.1, 12.4.1)."""
    parameters = retreat.parameters
    changes = []
    if parameters.cause != "repulse" or phase_of(view) in ATTACK_PHASES:
        changes.append(changed(view, "retreated", unit.id, True, "10.1"))
    owed = view.state.value("owes", unit.id)
    if isinstance(owed, int):
        changes.append(changed(view, "owes", unit.id, max(owed - len(parameters.way), 0), "11.2.1"))
    inside = is_inside(view, parameters.at, end)
    if unit.garrison and garrison_move(inside, required=True, can_stay=False) == "released":
        changes.append(changed(view, "garrison", unit.id, None, "12.4.1"))
    return changes


def kept_attached(view: View, force: Force, unit: CombatUnit, formations: Collection[str]) -> list[Change]:
    """The record of the formation with which an Asset Unit retreats, where it ends beside others to which it might be counted.

    formations: of its nation in the last hex, its own among them. Rule: 11.2.1a
    """
    own = force.formation
    if own is None or unit.formation or unit.with_ == own.id or len(formations) < 2:
        return []
    return [changed(view, "with", unit.id, own.id, "11.2.1")]


def kept_control(view: View, retreat: Retreat, end: str) -> list[Change]:
    """The record that a hex which a retreat leaves empty stays with the side that left it until an enemy enters.
    Rule: 4.3b
    """
    at, side = retreat.parameters.at, retreat.around.side
    left = end == at or at in retreat.friends or view.state.value("control", at) == side
    return [] if left else [changed(view, "control", at, side, "4.3")]


def picture(view: View, report: Report[RetreatResult]) -> str:
    """The hexes of the retreat and those around, as SVG."""
    from assistant.pictures.line import line_picture

    result = report.drawable
    assert result is not None
    return line_picture(view, [result.at, *result.way], title=report.title, caption=report.verdict.text)


QUESTION = declare(
    "retreat",
    "which hexes a stack may retreat into, what bars the others, and what the way costs",
    answer,
    {"losses.FORCE": "the units of a Force that take the steps which the way costs, one name a step, joined by commas"},
    picture=picture,
)
