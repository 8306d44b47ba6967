"""The question `retreat`: which hexes a stack may enter, what rule bars each other one, and what a way back costs
(11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from assistant.field import Walk
from assistant.pictures.usual import of_way
from assistant.questions import Answers, InputError, Part, Report, Step, View, declare, refused, step, verdict
from assistant.questions.report import Ask
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.util.errors import quoted

from ..combat.pieces import Pieces, keep_attached, release_garrison, sources_of_command
from ..displacement.rules import passing_step, units_passed_by
from ..entering.following import follows_changes
from ..forces.armies import areas, army_of, corps_and_army
from ..forces.losses import lost_part, step_losses
from ..forces.sharing import bearers, shared
from ..forces.units import CombatUnit, Force, is_marsch
from ..ground.calendar import ATTACK_PHASES, phase_of
from ..ground.zones import assume_zones
from ..repulse.rules import Clearing, clearing
from ..terms import BUKOWINA_BOX, FORTRESSES, RETREAT_CAUSE
from .report import RetreatParameters, RetreatResult, cost_part, in_a_line, options_part, priority_step, remark
from .stack import Retreat, as_owed, check_end, enter_hex, excess, parting, read_retreat, stayers
from .ways import (
    LEVELS,
    Charge,
    ForceRetreat,
    RetreatHex,
    Unable,
    charges,
    charges_of_withheld,
    look_around,
    passed_over,
    suffer,
    supply_charges,
    unable_to_retreat,
    wear,
)

Leg = tuple[RetreatHex, tuple[RetreatHex, ...]]
"""A hex that is entered, and all hexes around the one before."""


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat: the hexes that are open next, and what the way so far costs.

    Raises MissingFacts for whatever the way needs and is not stated, InputError for a way that cannot be, and for the
    losses of a Force that is not there.
    """
    if not view.board.is_hex(parameters.at):
        raise InputError(
            f"at: {parameters.at} is off the map, and whoever is there need not retreat",
            hint="give the hex of the stack",
        )
    if parameters.owed < 0:
        raise InputError(f"hexes: {parameters.owed} is not a possible number of hexes to retreat")
    named, walk = parameters.units, Walk.along(parameters.way, answers)
    parameters = replace(as_owed(view, parameters), way=walk.way)
    with view.gather() as facts:
        retreat = read_retreat(facts, parameters, named)
        places = (parameters.at, *parameters.way)
        before = ("", *places)
        legs = [enter_hex(facts, retreat, leg) for leg in zip(before, places, places[1:], strict=False)]
    check_end(retreat)
    walk.refuse_others(answers, *(f"losses.{force.name}" for force in retreat.forces))
    title = f"Retreat of {', '.join(retreat.names)} from {parameters.at}"
    for hex, options in legs:
        if hex.barred:
            no = verdict("no", "{hex} cannot be entered: {why}", hex, why=hex.barred)
            return Report(title=title, verdict=no, parts=(options_part(options),))
    if reasons := parting(retreat):
        return refused(title, "this is not a legal retreat as a stack", reasons)
    return judge(retreat, title, legs, answers, walk)


def judge(retreat: Retreat, title: str, legs: Sequence[Leg], answers: Answers, walk: Walk) -> Report[RetreatResult]:
    """The report on the way so far, or on the whole retreat where it is over or stuck."""
    parameters, way = retreat.parameters, [hex for hex, _ in legs]
    before = (parameters.at, *parameters.way)[-2] if parameters.way else ""
    options = look_around(retreat.ground, parameters.end, before)
    complete = len(way) >= parameters.owed or all(option.barred for option in options)
    unable = unable_to_retreat(parameters.owed, way, parameters.due_to, hexes_before(retreat)) if complete else Unable()
    gone = unable.surrenders
    costs = common_costs(retreat, way, unable.costs)
    supplied = complete and not gone and not parameters.withheld
    own = {force.name: away_from_supply(retreat, force) if supplied else () for force in retreat.forces}
    lost = tuple(suffer(force, [*costs, *own[force.name]]) for force in retreat.forces)
    better = {hex.hex: first for hex, around in legs if (first := passed_over(hex, around))}
    over = over_stack(retreat, lost) if complete and not gone else ()
    result = RetreatResult(
        at=parameters.at,
        units=retreat.names,
        owed=parameters.owed,
        way=parameters.way,
        end=parameters.end,
        options=() if complete else options,
        forces=lost,
        passed_over={entered: best for entered, (best, _) in better.items()},
        surrenders=gone,
        complete=complete,
        over_stacked=bool(over),
    )
    presume(retreat)
    order = tuple(priority_step(entered, best, why) for entered, (best, why) in better.items())
    parts = [cost_part(result, costs, own)] if way or complete else []
    pieces = Pieces(retreat.view)
    if gone or any(charge in costs for charge in unable.costs):
        parts.append(may_clear(retreat, pieces, common_costs(retreat, way, ())).part)
    on_the_way = units_passed_by(pieces, retreat.names, parameters.way)
    parts.append(Part("Displacement", tuple(passing_step(hex, going) for hex, going in on_the_way)))
    parts += [Part("Priorities", order), Part("Over-stacked", over), *([] if complete else [options_part(options)])]
    chosen = f"hex {{number}} of {result.owed} of the retreat from {result.at}"
    price = partial(price_of, retreat, way)
    onward = walk.ask("11.2.2", chosen, options, price, retreat.names)
    asks, changes = consequences(retreat, result, answers) if complete else (onward, ())
    following = follows_changes(retreat.view, changes, result.way)
    parts += [lost_part(retreat.view, changes), following.part]
    changes = (*changes, *following.changes)
    return Report(title=title, verdict=in_a_line(result), parts=tuple(parts), asks=asks, changes=changes, result=result)


def hexes_before(retreat: Retreat) -> int:
    """The hexes that the stack has retreated before: as the player says, or at least one where the position says of all
    that they have retreated in this phase, which units that were withheld may have done in another combat (10.1).
    """
    fought = not retreat.parameters.withheld and all(unit.retreated for unit in retreat.units)
    return max(retreat.parameters.before, int(fought))


def common_costs(retreat: Retreat, way: Sequence[RetreatHex], lacking: tuple[Charge, ...]) -> tuple[Charge, ...]:
    """What the way costs each Force alike. lacking: what they pay for the hexes that they cannot retreat."""
    parameters = retreat.parameters
    zones = sum(hex.zone for hex in way)
    through = retreat.view.ruling("ezoc-count", min(zones, parameters.zones) > 0) == "through"
    earlier = parameters.zones if through else 0
    levels = retreat.view.ruling("ezoc-levels", zones > 0 and earlier + zones > LEVELS)
    costs = charges(way, levels, earlier) + lacking
    return charges_of_withheld(costs) if parameters.withheld else costs


def price_of(retreat: Retreat, way: Sequence[RetreatHex], hex: RetreatHex) -> str:
    """What a hex that may be entered next costs the Forces of the stack, in words."""
    quiet = replace(retreat, around=retreat.around.read_from(retreat.view.unnoticed()))
    before, after = (common_costs(quiet, entered, ()) for entered in (way, [*way, hex]))
    names = [force.name for force in retreat.forces]
    return remark(retreat.forces, dict.fromkeys(names, before), dict.fromkeys(names, after))


def may_clear(retreat: Retreat, pieces: Pieces, costs: Sequence[Charge]) -> Clearing:
    """The Repulse that the stack may try where its way ends. costs: what the way so far costs each Force (11.2.6)."""
    parameters = retreat.parameters
    left = [force for force in (wear(force, costs) for force in retreat.forces) if force]
    return clearing(pieces.layout(()), left, parameters.end, retreat.around.side, parameters.due_to)


def presume(retreat: Retreat) -> None:
    """Say what the report takes for granted."""
    view, parameters = retreat.view, retreat.parameters
    if left := [unit for unit in stayers(retreat) if view.fact("owes", unit) is None]:
        text = "{units} stay behind: units of a stack separate only if some owe fewer hexes than the others"
        view.presume(step("11.2.1", text, units=left))
    if (
        any(view.word("arm", unit.id) in FORTRESSES for unit in view.stack(parameters.at))
        and parameters.due_to == "crt"
    ):
        text = "the fortress unit in {at} has taken its steps, and a black result was left out: {owed:#hex} still to retreat"
        view.presume(step("12.2.1", text, parameters, owed=parameters.owed))
    if parameters.due_to == "repulse" and parameters.way and not phase_of(view):
        view.presume(step("10.1", "the Repulse was tried in a movement phase (phase not stated)"))
    bare = sorted({army_of(view, unit.id) for unit in retreat.units if unit.formation} - {""} - {*areas(view)})
    if bare and (others := sorted(areas(view))):
        text = "the Area of Attachment of {armies} is not stated ({how}), only that of {others}"
        how = f'army {quoted(bare[0])} area="44.18-44.22 45.19"'
        view.presume(step("11.2.2", text, armies=bare, how=how, others=others))
    if parameters.at in parameters.way:
        view.presume(step("11.2.2", "the way comes back to {at}, against the priorities", parameters))
    assume_zones(retreat.around, {parameters.end, *parameters.way} - {BUKOWINA_BOX})


def away_from_supply(retreat: Retreat, force: Force) -> tuple[Charge, ...]:
    """What a Force loses that ends farther from every supply source of its command, as far as these are known (11.2.3)."""
    view, parameters = retreat.view, retreat.parameters
    owed = parameters.owed + parameters.before
    if owed < 2:
        return ()
    goes_on = parameters.due_to == "crt" if parameters.last is None else not parameters.last
    if goes_on and parameters.end != BUKOWINA_BOX:
        text = "whether the stack ends farther from supply is judged after its remaining checks; "
        view.presume(step("11.2.3", text + "state last=yes if no further retreat follows"))
        return ()
    sources = sources_of_command(view, retreat.supply, *corps_and_army(view, force.name))
    ends = (parameters.first or parameters.at, parameters.end)
    hexes = (0, owed) if parameters.due_to == "repulse" else (owed, 0)
    fortress = any(view.word("arm", unit.id) in FORTRESSES for unit in view.stack(parameters.end))
    return supply_charges(view, sources, force.name, ends, hexes, fortress=fortress)


def over_stack(retreat: Retreat, lost: Sequence[ForceRetreat]) -> tuple[Step, ...]:
    """What a last hex that holds too much obliges the stack to (4.2.3)."""
    coming = [unit for force, of_force in zip(retreat.forces, lost, strict=True) for unit in survivors(force, of_force)]
    divisions, guns = excess(retreat, retreat.parameters.end, coming)
    text = "{hex} is over-stacked by {divisions:#division} and {guns:#artillery unit}: "
    text += "retreat enough units farther, or stay if that does not help"
    over = step("4.2.3", text, hex=retreat.parameters.end, divisions=divisions, guns=guns)
    return (over,) if divisions or guns else ()


def survivors(force: Force, lost: ForceRetreat) -> list[CombatUnit]:
    """The units of a Force that what it lost does not eliminate."""
    gone = bearers(force) if lost.eliminated else ()
    return [unit for unit in force.units if unit not in gone and unit.id not in lost.guns]


def consequences(
    retreat: Retreat, result: RetreatResult, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """What to do on the map, and the choices that owners have to make first."""
    view, at, end = retreat.view, result.at, result.end
    asks: list[Ask] = []
    of_unit: dict[str, list[Change]] = {}
    for force, lost in zip(retreat.forces, result.forces, strict=True):
        taken, due = ({}, ()) if lost.eliminated else shared(force, lost.steps, answers)
        asks += due
        if due and any(is_marsch(unit) for unit in force.units):
            text = "that no Marsch unit takes the first step loss of an Austro-Hungarian attack is left to its owner"
            view.presume(step("23.8", text))
        left = [] if result.surrenders else survivors(force, lost)
        for unit in force.units:
            changes = of_unit.setdefault(unit.id, [])
            if unit not in left:
                changes.append(changed(view, "place", unit.id, None, "11.2.6" if result.surrenders else "11.2"))
                continue
            losses = step_losses(view, unit, taken[unit.id]) if unit.id in taken else []
            stays = not any(change.track == "place" for change in losses)
            moves = end != at and stays
            changes += [*losses, *(paid(retreat, unit) if stays else ())]
            if moves:
                changes.append(changed(view, "place", unit.id, end, "11.2.1"))
            if unit.formation and lost.levels:
                changes.append(changed(view, "cel", unit.id, -unit.levels - lost.levels, "11.2"))
            changes += marker_off(retreat, unit)
            if moves:
                beside = {*(other.id for other in view.stack(end)), *retreat.names}
                changes += [*retreat_marks(retreat, unit), *keep_attached(view, force, unit, beside)]
    in_order = [
        change for unit in view.stack(at) for change in of_unit.get(unit.id, ())
    ]  # so the stack arrives as it lay
    return (tuple(asks), ()) if asks else ((), tuple(in_order))


def marker_off(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """A Prepared Attack marker comes off in a retreat from a Repulse. Rule: 8.4.3"""
    off = retreat.parameters.due_to == "repulse" and unit.prepared
    return [changed(retreat.view, "prepared", unit.id, None, "8.4.3")] if off else []


def paid(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """What a unit owes once it has retreated the hexes of this retreat, or paid for those that it could not, and that
    nothing makes it retreat any more.
    Rule: 11.2.1, 11.2.6b
    """
    view, owed = retreat.view, retreat.view.state.value("owes", unit.id)
    if not isinstance(owed, int):
        return []
    left = max(owed - retreat.parameters.owed, 0)
    over = not left and view.fact(RETREAT_CAUSE, unit.id)
    changes = [changed(view, "owes", unit.id, left, "11.2.1")]
    return [*changes, changed(view, RETREAT_CAUSE, unit.id, None, "11.2.1")] if over else changes


def retreat_marks(retreat: Retreat, unit: CombatUnit) -> list[Change]:
    """What is to be remembered of a unit that has retreated: that it has in this attack phase, and that out of its
    complex it is a Fortress Garrison no more (10.1, 12.4.1).
    """
    view, parameters = retreat.view, retreat.parameters
    in_attack = parameters.due_to != "repulse" or phase_of(view) in ATTACK_PHASES
    changes = [changed(view, "retreated", unit.id, True, "10.1")] if in_attack else []
    return changes + release_garrison(view, unit.id, parameters.at, parameters.end)


QUESTION = declare(
    "retreat",
    "which hexes a stack may retreat into, what bars the others, and what the way costs",
    answer,
    {
        "hex.N": "the hex that the stack enters as the N-th of its retreat",
        "losses.FORCE": "the units of a Force that take the steps which the way costs, one name a step, joined by commas",
    },
    picture=of_way(lambda result: (result.at, *result.way)),
)
