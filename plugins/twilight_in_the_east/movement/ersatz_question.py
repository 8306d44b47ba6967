"""The question `ersatz`: whether infantry absorbs steps of Ersatz units in its hex, how many, and at what cost (8.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import floor
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, Parameters, UnitName, declare, note, refused
from assistant.asking.case import Rule, list_bars_with
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitHex, UnitId

from ..entering.consequences import follows_changes
from ..forces.account import end_moves, spend
from ..forces.departures import DEPARTED, INCORPORATED
from ..forces.gains import regain, show_steps
from ..forces.losses import step_losses
from ..forces.markers import TASK_COST, mark_task
from ..forces.movement_points import allowance_now, cannot_spend, parse_points
from ..forces.spending import (
    Effort,
    MovementSpending,
    measure_spending,
    read_effort,
    require_points,
    spending_step,
)
from ..forces.unit import unit_on_map
from ..ground.calendar import CounterPhase
from ..scoring.points import worth_of
from .ersatz import (
    TASK,
    Member,
    Pair,
    Sharing,
    Transfer,
    bars_of_steps,
    points_begun,
    read_member,
    steps_after,
    sums,
    transfers_of,
)


class ErsatzParameters(Parameters, frozen=True):
    """Parameters of the question `ersatz`."""

    from_: Annotated[tuple[UnitName, ...], note("the Ersatz units that give steps")] = msgspec.field(name="from")
    to: Annotated[tuple[UnitName, ...], note("the infantry units that receive them")]
    steps: Annotated[
        tuple[int, ...],
        note("steps given: one number for each receiver, or for each of several givers; as many as fit if left out"),
    ] = ()
    points: Annotated[
        float | None,
        note("Movement Points that each unit spends on it now; as many as each has and needs if left out"),
    ] = None
    counter: CounterPhase = None


class ErsatzShare(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's share in the task."""

    unit: UnitId
    credited: Annotated[int, note("Movement Points spent on the task, those spent now included")]
    missing: Annotated[int, note("Movement Points that the unit still needs")]
    left: Annotated[int, note("steps of the unit once the task is complete, 0 if it leaves the map")]
    spending: Annotated[
        MovementSpending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


class ErsatzResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on absorbing steps."""

    place: UnitHex
    allowed: Allowed
    complete: Annotated[bool, note("whether all units have completed the task, so that the steps are incorporated")]
    transfers: Annotated[tuple[Transfer, ...], note("the steps that go from unit to unit once it is complete")]
    units: Annotated[tuple[ErsatzShare, ...], note("what each unit spends on it")]


def answer(view: View, parameters: ErsatzParameters) -> Report[ErsatzResult]:
    """Return the report on Ersatz replacements.

    Raises MissingFacts if a deciding fact is not stated, InputError if units are not on the map, pairs are ambiguous,
    or a unit cannot have the points.
    """
    _check_names(parameters)
    title = _format_title(parameters)
    text = "the steps cannot be incorporated"
    units = {name: unit_on_map(view, name)[0] for name in (*parameters.from_, *parameters.to)}
    with view.gather() as facts:
        bound = {name: cannot_spend(facts, unit, TASK, parameters.counter) for name, unit in units.items()}
    missing = view.gather()
    if bars := list_bars_with(missing, *_list_rules(view, units, bound, parameters)):
        return refused(title, text, bars)
    with missing as facts:
        members = {name: read_member(facts, name, gives=name in parameters.from_) for name in units}
    givers = [members[name] for name in parameters.from_]
    receivers = [members[name] for name in parameters.to]
    transfers = transfers_of(givers, receivers, parameters.steps)
    if bars := bars_of_steps(transfers, givers, receivers):
        return refused(title, text, bars)
    return _report_task(view, parameters, units, members, transfers)


def _list_rules(
    view: View, units: Mapping[str, Unit], bound: Mapping[str, Iterable[Step]], parameters: ErsatzParameters
) -> Iterator[Rule]:
    """Yield the rules that may bar the units from giving and receiving any steps.

    `bound`: the reasons why a unit cannot spend Movement Points, by unit.
    """
    each = {name: Sharing(view=view, unit=name, bound=bound[name]) for name in units}
    for giver in parameters.from_:
        yield each[giver].bars_of_giver
    for receiver in parameters.to:
        yield each[receiver].bars_of_receiver
    for giver, receiver in product(parameters.from_, parameters.to):
        here, there = str(units[giver].place), str(units[receiver].place)
        pair = Pair(view=view, giver=giver, receiver=receiver, here=here, there=there)
        yield pair.bars
    for case in each.values():
        yield case.bars_of_place


def _report_task(
    view: View,
    parameters: ErsatzParameters,
    units: Mapping[str, Unit],
    members: Mapping[str, Member],
    transfers: tuple[Transfer, ...],
) -> Report[ErsatzResult]:
    """Return the report on units that may give and receive steps, which change hands once all have spent enough points."""
    title = _format_title(parameters)
    efforts = _read_efforts(view, units, parameters)
    shares = list[ErsatzShare]()
    for name, effort in efforts.items():
        share = ErsatzShare(
            unit=name,
            credited=min(effort.credited, TASK_COST),
            missing=max(TASK_COST - effort.credited, 0),
            left=steps_after(members[name], transfers),
            spending=_measure_spending(view, units[name], effort, parameters),
        )
        shares.append(share)
    result = ErsatzResult(
        place=str(units[parameters.from_[0]].place),
        allowed=True,
        complete=not any(share.missing for share in shares),
        transfers=transfers,
        units=tuple(shares),
    )
    absorbed = tuple(share.unit for share in shares if not share.left) if result.complete else ()
    spared = units_spared(view, absorbed)
    changes = list[Change]()
    if result.complete:
        changes += step_changes(view, members, transfers)
    changes += [changed(view, DEPARTED, unit, INCORPORATED, "8.7.2") for unit in spared]
    changes += task_changes(view, result, efforts)
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=_choose_verdict(result),
        parts=(_task_part(result), *_absorbed_parts(spared), *following.parts(view)),
        changes=(*changes, *following.changes),
        result=result,
    )


def _format_title(parameters: ErsatzParameters) -> str:
    return "Ersatz replacements for " + " and ".join(parameters.to)


def _check_names(parameters: ErsatzParameters) -> None:
    """Raise InputError unless the steps of each pair of giver and receiver are clear."""
    givers, receivers, steps = parameters.from_, parameters.to, parameters.steps
    if not givers or not receivers:
        name = "to" if givers else "from"
        raise InputError(f"{name}: no unit is named", hint=f"name units: {name}=UNIT,UNIT")
    twice = [name for name in (*givers, *receivers) if (*givers, *receivers).count(name) > 1]
    if twice:
        raise InputError(f"{twice[0]} is named twice", hint="a unit gives or receives, and is named once")
    if len(givers) > 1 and len(receivers) > 1:
        raise InputError("several givers and several receivers", hint="ask for one giver or one receiver at a time")
    pairs = len(givers) * len(receivers)
    if steps and (len(steps) != pairs or min(steps) < 1):
        raise InputError(f"steps: {pairs} whole numbers from 1 are needed, in the order of the units")


def _read_efforts(view: View, units: Mapping[str, Unit], parameters: ErsatzParameters) -> dict[str, Effort]:
    """Return each unit's points on the task: those given, or as many whole ones as it has and needs."""
    points = None if parameters.points is None else parse_points(parameters.points, "points")
    with view.gather() as facts:
        return {name: _measure_effort(facts, unit, points, parameters.counter) for name, unit in units.items()}


def _measure_effort(facts: Gather, unit: Unit, points: Fraction | None, counter: bool | None) -> Effort:
    """Return a unit's points on the task now.

    `points`: the points offered, or None for as many whole ones as the unit has and needs.
    """
    effort = read_effort(facts, unit, TASK, points or Fraction(0), None)
    effort = replace(effort, begun=points_begun(effort.account, effort.begun))
    if points is None:
        facts.integer("movement", unit.id)
        allowed = allowance_now(facts.view, unit.id, counter) or Fraction(0)
        effort = replace(effort, points=Fraction(max(floor(allowed - effort.before), 0)))
    return replace(effort, points=effort.used())


def _measure_spending(view: View, unit: Unit, effort: Effort, parameters: ErsatzParameters) -> MovementSpending | None:
    """Return a unit's spending in the phase including the task, or None if it is not known."""
    with view.gather() as facts:
        if effort.points:
            # Asks for the allowance, which decides because no Forced March can add to it.
            facts.integer("movement", unit.id)
        spends = measure_spending(facts, unit, effort.before + effort.points, TASK, parameters.counter)
    if effort.points:
        require_points(view, unit.id, spends, effort.before)
    return spends


def step_changes(view: View, members: Mapping[str, Member], transfers: Iterable[Transfer]) -> list[Change]:
    """Return the changes by which units give and receive steps; a unit that gives its last step leaves the map.

    Rule: 8.7.2
    """
    given = sums(transfers, "giver")
    received = sums(transfers, "receiver")
    changes = list[Change]()
    for name, steps in given.items():
        changes += step_losses(view, members[name].unit, steps, "8.7.2")
    for name, steps in received.items():
        joined, _ = regain(members[name].unit, members[name].full, steps)
        changes += show_steps(view, joined, rule="8.7.2")
    return changes


def task_changes(view: View, result: ErsatzResult, efforts: Mapping[str, Effort]) -> list[Change]:
    """Return the changes of markers and accounts, except for units that leave the map.

    Moves begun by other units of the side end.

    Rule: 8.7.1
    """
    changes = list[Change]()
    for share in result.units:
        if result.complete and not share.left:
            continue
        changes += mark_task(view, share.unit, TASK, 0 if result.complete else share.credited, "8.7.1")
        changes += spend(view, share.unit, {TASK: efforts[share.unit].points}, rule="8.7.1")
    if any(effort.points for effort in efforts.values()):
        changes += end_moves(view, efforts)
    return changes


def _choose_verdict(result: ErsatzResult) -> Verdict:
    if result.complete:
        texts = [
            step("", "{receiver} receives {steps:#step} from {giver}", transfer).text for transfer in result.transfers
        ]
        return verdict("yes", "{transfers}", transfers="; ".join(texts))
    short = [
        step("", "{unit} needs {missing:#more Movement Point}", share).text for share in result.units if share.missing
    ]
    return verdict("figure", "{short_of_points}", short_of_points="; ".join(short))


def _task_part(result: ErsatzResult) -> Part:
    """Return the conditions of the task, and each unit's points and remaining steps."""
    text = (
        "each unit that gives or receives steps spends {cost:#Movement Point} while stationary, "
        "without a Forced March; until all have spent them, none of them may attack, "
        "and a unit that is attacked loses the points that it has spent"
    )
    steps = [step("8.7.1", text, cost=TASK_COST)]
    texts = "{giver} gives {receiver} {steps:#step}"
    steps += [step("8.7.2", texts, transfer) for transfer in result.transfers]
    for share in result.units:
        steps.append(step("8.7.1", "{unit}: {credited} of {cost} Movement Points spent on it", share, cost=TASK_COST))
        if share.spending and share.spending.spent:
            steps.append(spending_step(share.spending))
    return Part("Ersatz replacements", tuple(steps))


def units_spared(view: View, absorbed: Sequence[str]) -> Sequence[str]:
    """Return the units without steps left that do not count as eliminated: by a ruling all, or none. Rule: 8.7.2"""
    worth = any(worth_of(view, unit) for unit in absorbed)
    return () if absorbed and view.ruling("ersatz-absorbed", worth) == "eliminated" else absorbed


def _absorbed_parts(absorbed: Sequence[str]) -> tuple[Part, ...]:
    if not absorbed:
        return ()
    if len(absorbed) > 1:
        text = "{units} leave the map with their last steps, which does not count as elimination"
    else:
        text = "{units} leaves the map with its last step, which does not count as elimination"
    return (Part("Absorbed", (step("8.7.2", text, units=absorbed),)),)


QUESTION = declare(
    "ersatz",
    "whether infantry can incorporate steps of Ersatz units in its hex, how many, and at what cost",
    answer,
)
