"""The question `forced-march`: Movement Points gained by Forced March, the check, and the cost of a failure (8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, cast

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Answers,
    InputError,
    MissingFacts,
    Parameters,
    UnitName,
    declare,
    note,
    refused,
)
from assistant.asking.asks import Ask
from assistant.asking.case import list_bars
from assistant.asking.play import play_procedure
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.mechanics.procedure import Modifier
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..entering.consequences import follows_changes
from ..forces.account import CHECKED_TRACK, Account, read_account
from ..forces.leaders import khan_result
from ..forces.losses import step_losses, units_off_map
from ..forces.movement_points import (
    allowance_now,
    excess_points_now,
    led_allowance,
    march_due,
    parse_points,
)
from ..forces.spending import INFANTRY_WORK, ForcedMarch, Purpose, chance_to_pass, list_march_bounds
from ..forces.units import CombatUnit
from ..ground import calendar
from ..ground.calendar import CounterPhase, is_counter_movement
from .march_check import Lost, MarchCheck, column, likely_losses, march, marchers_of, read_check, risk_steps

# --- the question -----------------------------------------------------------------------------------------------------


class ForcedMarchParameters(Parameters, frozen=True):
    """Parameters of the question `forced-march`."""

    unit: Annotated[UnitName, note("the id; if left out, the one unit that owes a check")] = ""
    points: Annotated[
        float | None, note("Movement Points beyond its allowance; if left out, those that its account has")
    ] = None
    spent: Annotated[float | None, note("all Movement Points spent in the phase, stated instead of `points`")] = None
    purpose: Annotated[
        Purpose | None,
        note(
            "what the points beyond the allowance are spent on; if left out, what its account has last, or else a move"
        ),
    ] = None
    counter: CounterPhase = None
    alone: Annotated[bool | None, note("whether an Asset Unit moves without the formation in its hex")] = None


class ForcedMarchResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a Forced March."""

    unit: UnitId
    points: Annotated[Fraction, note("Movement Points beyond the allowance")]
    most: Annotated[int, note("the most Movement Points that the unit may add")]
    allowance: Annotated[Fraction | None, note("Movement Points that the unit may then spend, null where not stated")]
    cel: Annotated[int, note("Combat Effectiveness Level against which the unit checks")]
    modifiers: Annotated[tuple[Modifier, ...], note("the modifiers of its check")]
    passes: Annotated[Fraction, note("the chance that the unit passes")]
    column: Annotated[str, note("the column of the Forced March Results Table")]
    levels: Annotated[
        Lost,
        note("Combat Effectiveness Levels that a failed check costs, each with its chance, null without the chart"),
    ] = None
    steps: Annotated[Lost, note("steps that a failed check costs, each with its chance, null without the chart")] = None
    failed_by: Annotated[int | None, note("by how much the check failed, 0 for a pass, null until rolled")] = None
    lost_levels: Annotated[int, note("Combat Effectiveness Levels that the unit then loses")] = 0
    lost_steps: Annotated[int, note("steps that the unit then loses")] = 0
    marker: Annotated[bool, note("whether the unit loses its Prepared Attack marker")] = False


def answer(view: View, parameters: ForcedMarchParameters, answers: Answers) -> Report[ForcedMarchResult]:
    """Return the report on a Forced March: legality, check, chances, and the cost by the given dice.

    Raises MissingFacts if a deciding fact is not stated, InputError if no points lie beyond the allowance.
    """
    name = parameters.unit or _require_unit(view)
    account = read_account(view, name)
    case = _read_march(view, view.unit(name), parameters, account)
    _check_points(parameters)
    barred = list_bars(case.bars_of_unit, case.bars_of_asset, case.bars_of_length)
    title = f"Forced March of {name}"
    if barred:
        return refused(title, "{unit} cannot make this march: {why}", barred[:1], unit=name)
    points = case.points
    with view.gather() as facts:
        checking = read_check(facts, case.unit, points, case.purpose, moves_alone=parameters.alone is not False)
    played = play_procedure(view, march(checking, view.cell), checking, answers)
    result = _find_before_dice(checking, points, allowance_now(view, name, parameters.counter), case.most)
    if played.chances:
        levels, steps = likely_losses(played.chances)
        result = replace(result, levels=levels, steps=steps)
    result = replace(result, **played.settled)
    changes = () if played.stuck else _list_changes(view, checking.unit, result)
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=_choose_verdict(result, stuck=played.stuck),
        parts=(
            _before_part(result, begun=bool(account.total)),
            Part("Assumed", _list_granted_weather(view)),
            _after_part(result, stuck=played.stuck),
            *following.parts(view),
        ),
        asks=played.asks,
        changes=(*changes, *following.changes),
        result=result,
    )


def _require_unit(view: View) -> str:
    owing = [*marchers_of(view)]
    if len(owing) == 1:
        return owing[0]
    title = f"which unit marches: {', '.join(owing)} owe a check" if owing else "which unit marches"
    raise MissingFacts([Ask(kind="parameter", name="unit", rule="8.3", title=title, how="unit=UNIT")])


def _find_purpose(account: Account, beyond: Fraction) -> Purpose:
    """Return the purpose of the points beyond the allowance, by the unit's account.

    The purpose is the work (a position or a marker) that took the unit's last points if it took all points beyond, or
    else a move.

    `beyond`: the points beyond the allowance.
    """
    last = account.last
    at_work = last in INFANTRY_WORK and account.spent[last] >= beyond > 0
    return cast(Purpose, last) if at_work else "move"


def _is_spent(parameters: ForcedMarchParameters, account: Account, due: Fraction) -> bool:
    """Return whether the account already has the Movement Points for which the unit would check.

    `due`: the points beyond the allowance for which the unit has not checked.
    """
    if parameters.spent is not None:
        return bool(due) and account.total >= parse_points(parameters.spent, "spent", by_rail=True)
    return due > 0 and due >= parse_points(parameters.points, "points", by_rail=True)


def _read_march(view: View, unit: Unit, parameters: ForcedMarchParameters, account: Account) -> ForcedMarch:
    """Return the Forced March.

    If the points are spent and only the check is due, no marker bars it.
    """
    due = march_due(view, unit.id, parameters.counter)
    purpose = parameters.purpose or _find_purpose(account, due)
    counter = is_counter_movement(view, parameters.counter)
    with view.gather() as facts:
        spent = _is_spent(parameters, account, due)
        bound = tuple(list_march_bounds(facts, unit, purpose, parameters.counter, spent=spent))
    return ForcedMarch(
        view=view,
        unit=unit,
        arm=view.word("arm", unit.id),
        read_excess=lambda facts: _count_points_beyond(facts, parameters, unit.id, account.total, counter=counter),
        purpose=purpose,
        counter=counter,
        bound=bound,
        spent=account.spent,
        khan=khan_result(view, unit.id),
        alone=parameters.alone,
    )


_POINTS_HINT = "points=N for Movement Points beyond the allowance, or spent=N for all that the unit spends"
"""The hint about the parameters `points` and `spent`."""


def _check_points(parameters: ForcedMarchParameters) -> None:
    """Raise InputError if both `points` and `spent` are given, or `points` is not positive."""
    if parameters.points is not None and parameters.spent is not None:
        raise InputError("points or spent: give one of the two", hint=_POINTS_HINT)
    if parameters.points is not None:
        _check_beyond(parse_points(parameters.points, "points", by_rail=True))


def _check_beyond(points: Fraction) -> Fraction:
    if points <= 0:
        raise InputError(f"a Forced March spends points beyond the allowance, not {float(points):g}")
    return points


def _count_points_beyond(
    facts: Gather, parameters: ForcedMarchParameters, unit: str, before: Fraction, *, counter: bool
) -> Fraction:
    """Return the Movement Points beyond the allowance.

    `before`: the points that the unit has spent by its account.
    """
    if parameters.points is None and parameters.spent is None and not before:
        title = f"Movement Points of {unit} beyond its allowance"
        raise MissingFacts([Ask(kind="parameter", name="points", rule="8.3.1", title=title, how=_POINTS_HINT)])
    if parameters.points is not None:
        return parse_points(parameters.points, "points", by_rail=True)
    spent = before if parameters.spent is None else parse_points(parameters.spent, "spent", by_rail=True)
    allowed = led_allowance(facts.view, unit, facts.integer("movement", unit), counter=counter)
    return _check_beyond(excess_points_now(facts.view, spent, allowed))


def _list_granted_weather(view: View) -> tuple[Step, ...]:
    """Return the assumption that there is no summer heat, if heat is possible and the weather is not stated."""
    turn = view.fact("turn")
    possible = turn is None or "summer-heat" in calendar.possible_weather(int(str(turn.value)))
    stated = view.state.value("weather") or view.state.value("campaign")
    return (step("8.3.2", "no summer heat (weather not stated)"),) if possible and not stated else ()


def _find_before_dice(of: MarchCheck, points: Fraction, allowed: Fraction | None, most: int) -> ForcedMarchResult:
    """Return the result before the dice.

    `points`: the points beyond the allowance.
    `allowed`: the allowance, or None if it is not stated.
    `most`: the maximum number of points that the unit may add.
    """
    return ForcedMarchResult(
        unit=of.unit.id,
        points=points,
        most=most,
        allowance=None if allowed is None else allowed + points,
        cel=of.unit.cel,
        modifiers=of.modifiers,
        passes=chance_to_pass(of.unit.cel, of.modifiers),
        column=column(of.unit),
    )


def _list_changes(view: View, unit: CombatUnit, result: ForcedMarchResult) -> tuple[Change, ...]:
    """Return the changes after the dice; the unit spends nothing more in the phase (8.3.2)."""
    if result.failed_by is None:
        return ()
    changes = step_losses(view, unit, result.lost_steps) if result.lost_steps else []
    if result.lost_levels:
        changes.insert(0, changed(view, "cel", unit.id, -unit.levels - result.lost_levels, "8.3.3"))
    if result.marker:
        changes.append(changed(view, "prepared", unit.id, None, "8.3.3"))
    if unit.id not in units_off_map(changes):
        changes.append(changed(view, CHECKED_TRACK, unit.id, True, "8.3.2"))
    return tuple(changes)


# --- the result in words ----------------------------------------------------------------------------------------------


MARKER_LOST_TEXT = "[marker:, Prepared Attack marker off]"
"""The end of a template, shown if the unit loses its Prepared Attack marker."""


def _choose_verdict(result: ForcedMarchResult, *, stuck: bool) -> Verdict:
    if stuck:
        text = "undecided: {unit} fails by {failed_by}, but the Forced March Results Table is not known"
        return verdict("undecided", text, result)
    if result.failed_by is None:
        text = "{unit} may spend {points:#point} beyond its allowance; {passes:%} chance to pass its check"
    elif result.failed_by == 0:
        text = "{unit} passes its check"
    else:
        text = "{unit} fails by {failed_by}: {lost_levels:#level} and {lost_steps:#step} lost" + MARKER_LOST_TEXT
    return verdict("figure", text, result)


def _before_part(result: ForcedMarchResult, *, begun: bool) -> Part:
    """Return the limits of the march, and the check.

    `begun`: whether the account has points of this phase; if not, the bars to a Forced March are recalled.
    """
    steps = [step("8.3", "{points} of at most {most} points beyond the allowance", result)]
    if result.allowance is not None:
        steps.append(step("8.3", "at most {allowance} points in all in this phase", result))
    steps += [step(modifier.rule, "check: {amount:+} {why}", modifier) for modifier in result.modifiers]
    steps.append(step("8.3.2", "checks against {cel}: {passes:%} chance to pass", result))
    steps += risk_steps(result.levels, result.steps)
    if not begun:
        text = "not allowed in a phase in which it recovers levels, recovers from Disorder, entrains or detrains"
        steps.append(step("8.3.1", text))
    return Part("Forced March", tuple(steps))


def _after_part(result: ForcedMarchResult, *, stuck: bool) -> Part:
    if result.failed_by is None:
        return Part("Outcome", ())
    if not result.failed_by:
        return Part("Outcome", (step("8.3.2", "the check is passed"),))
    cost = "a cell that is not known" if stuck else "{lost_levels:#level}, {lost_steps:#step}"
    text = "failed by {failed_by}, column {column}: " + cost + MARKER_LOST_TEXT
    return Part("Outcome", (step("8.3.3", text, result),))


QUESTION = declare(
    "forced-march",
    "how many Movement Points a unit may gain by Forced March, its check, and what a failure costs",
    answer,
    {"ec": "its Effectiveness Check"},
)
