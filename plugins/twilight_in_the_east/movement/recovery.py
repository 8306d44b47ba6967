"""The question `recover`: whether a unit may recover Combat Effectiveness Levels, recover from Disorder or turn an
Incomplete marker where it stands, and what that takes (7.4.2, 8.6, 24.3.2).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import Parameters, UnitOrDecoy, declare, note, read_unless, refused
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..forces.account import spend_and_end
from ..forces.armies import is_asset_unit
from ..forces.markers import COST, is_sheltered, mark_task
from ..forces.movement_points import SpentBefore, cannot_spend, parse_points, pinning_enemies
from ..forces.spending import (
    Effort,
    MovementSpending,
    Purpose,
    measure_spending,
    read_effort,
    require_points,
    spending_step,
)
from ..forces.unit import supply_status, unit_on_map
from ..ground.calendar import CounterPhase, is_counter_movement
from ..ground.hexsides import assume_crossed, field
from ..ground.works import level_in
from ..terms import BUKOWINA_BOX, COMBAT_ARMS
from .recovery_rules import (
    COVERED,
    DEMORALIZED,
    SIDES,
    STRONG,
    Recovering,
    disorder_bars,
    far_enough,
    level_bars,
    recover_levels,
    too_few_to_turn,
    turn_marker,
)

FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy must be for recovery from Disorder, in hexes, by the reading of ruling recovery-distance
(7.4.2).
"""
Task = Literal["recovery", "disorder", "incomplete"]
RULES: dict[Task, str] = {"recovery": "8.6", "disorder": "7.4.2", "incomplete": "24.3.2"}


class RecoverParameters(Parameters, frozen=True):
    """A unit that recovers where it stands."""

    unit: Annotated[UnitOrDecoy, note("its id")]
    points: Annotated[float, note("Movement Points spent on recovery now")] = 0
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on recovery; from the unit's marker if left out")
    ] = None
    spent: SpentBefore = None
    counter: CounterPhase = None


class RecoverResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit recovers."""

    unit: UnitId
    task: Annotated[
        Task,
        note(
            "what the unit recovers or recovers from: Combat Effectiveness Levels, Disorder or, "
            "for a Corps Train, its supply columns"
        ),
    ]
    degree: Annotated[
        int,
        note(
            "the Combat Effectiveness Levels that it has lost, its degree of Disorder, "
            "or how many times its marker must still be turned"
        ),
    ]
    allowed: Annotated[bool, note("whether the unit may recover")]
    distance: Annotated[int | None, note("hexes to the nearest enemy, null if there is none")]
    carried: Annotated[int, note("Movement Points that are carried over to the next phase")]
    after: Annotated[int, note("the lost levels, the degree of Disorder or the turns of the marker that are then left")]
    spending: Annotated[
        MovementSpending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


def _report_recovery(view: View, parameters: RecoverParameters) -> Report[RecoverResult]:
    """Return the report on recovery: of a Corps Train from its Incomplete marker, of others from Disorder first and
    then of levels.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map or has nothing
    to recover, and for points that it cannot have spent.
    """
    unit, place = find_unit(view, parameters.unit)
    points = parse_points(parameters.points, "points")
    with view.gather() as facts:
        task = _find_task(facts, unit)
        effort = _read_task(facts, unit, task, points, parameters)
        others = cannot_spend(facts, unit, task, parameters.counter)
        others += _pinned_steps(facts, unit, place, parameters.counter)
    others += effort.first_steps
    title = f"Recovery of {unit.id}" + (" from Disorder" if task == "disorder" else "")
    text = "{unit} cannot recover"
    now = effort.credited
    all_spent = effort.before + points
    known = read_unless(
        others, lambda: _gather_recovering(view, unit, place, task, effort, all_spent, parameters.counter)
    )
    if known is None:
        return refused(title, text, others, unit=unit.id)
    count, spends, recovering = known
    if not count:
        others.append(_format_nothing_to_recover(view, unit))
    if count and task == "incomplete" and spends:
        others += too_few_to_turn(COST - effort.begun, spends.allowance - effort.before)
    at_first = _find_rules(view, task, recovering)(0) if count else []
    turn = read_unless(others + at_first, lambda: _require_turn(view, task, recovering)) or recovering.turn
    recovering = replace(recovering, turn=turn)
    may = _find_rules(view, task, recovering)
    reasons = others + (may(0) if count else [])
    if not reasons and all_spent:
        with view.gather() as facts:
            facts.integer("movement", unit.id)  # no Forced March makes up for what it lacks, so the allowance decides
        require_points(view, unit.id, spends, effort.before)
    if reasons:
        after, over = count, effort.begun
    elif task == "incomplete":
        after, over = _count_sides_to_go(turn_marker(SIDES + 1 - count, now)), 0
    else:
        after, over = recover_levels(count, now, lambda done: not may(done))
    result = RecoverResult(
        unit=unit.id,
        task=task,
        degree=count,
        allowed=not reasons,
        distance=recovering.distance,
        carried=over,
        after=after,
        spending=spends,
    )
    if reasons:
        return refused(title, text, reasons, result, result=result)
    return Report(
        title=title,
        verdict=_choose_verdict(result, now, tired=recovering.tired),
        parts=(_recovery_part(result),),
        changes=(
            *_list_changes(view, result),
            *spend_and_end(view, [unit.id], {effort.task: _count_points_used(effort, result)}, rule=RULES[task]),
        ),
        result=result,
    )


def _gather_recovering(
    view: View, unit: Unit, place: str, task: Task, effort: Effort, spent: Fraction, counter: bool | None
) -> tuple[int, MovementSpending | None, Recovering]:
    """Return what a unit has to recover, what it spends in the phase, and the unit itself. spent: all Movement Points
    that it has then spent. Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        count = _count_to_go(facts, unit, task)
        purpose: Purpose = "recovery" if task == "incomplete" else task
        spends = measure_spending(facts, unit, spent, purpose, counter)
        begins = not effort.begun or (effort.credited > COST and count > 1)
        return count, spends, _read_recovering(facts, unit, place, task, begun=effort.begun > 0, begins=begins)


def _read_task(facts: Gather, unit: Unit, task: Task, points: Fraction, parameters: RecoverParameters) -> Effort:
    """Return what the unit spends on recovery now. What a Corps Train spends on its marker is not carried over, but
    what it has spent on the side that is up in this phase counts (24.3.2).
    """
    if task != "incomplete":
        return read_effort(facts, unit, task, points, parameters.spent, parameters.carried)
    effort = read_effort(facts, unit, task, points, parameters.spent, 0)
    return replace(effort, begun=floor(effort.account.spent.get(task, 0)) % COST)


def _count_points_used(effort: Effort, result: RecoverResult) -> Fraction:
    """Return the Movement Points that a unit spends of those that it would: none beyond what it recovers, unless they
    are carried over or go towards what it has not recovered yet.
    """
    done = result.degree - result.after
    return effort.used(COST * done) if done and not result.carried else effort.points


def find_unit(view: View, name: str) -> tuple[Unit, str]:
    """Return a unit and the hex where it stands, or the Bukowina Holding Box. Raises InputError if it is not on the
    map. Rule: 23.4
    """
    unit = view.unit(name)
    return (unit, BUKOWINA_BOX) if unit.place == BUKOWINA_BOX else unit_on_map(view, name)


def _find_task(facts: Gather, unit: Unit) -> Task:
    """Return what a unit recovers: Disorder comes before levels."""
    if facts.word("arm", unit.id) == "corps-train":
        return "incomplete"
    return "disorder" if facts.integer("disorder", unit.id) else "recovery"


def _count_to_go(facts: Gather, unit: Unit, task: Task) -> int:
    """Return how many levels, degrees or sides of its marker a unit has to recover."""
    if task == "incomplete":
        return _count_sides_to_go(facts.integer("incomplete", unit.id))
    if task == "disorder":
        return facts.integer("disorder", unit.id)
    return 0 if is_asset_unit(facts, unit.id) else -facts.integer("cel", unit.id)


def _count_sides_to_go(side: int) -> int:
    """Return how often an Incomplete marker that shows a side must be turned until it is off. side: 0 for no marker."""
    return SIDES + 1 - side if side else 0


def _format_nothing_to_recover(view: View, unit: Unit) -> Step:
    """Return why a unit has nothing to recover."""
    if view.word("arm", unit.id) == "corps-train":
        return step("24.3.2", "it bears no Incomplete marker")
    with view.gather() as facts:
        formation = facts.word("arm", unit.id) in COMBAT_ARMS and not is_asset_unit(facts, unit.id)
    if not formation:
        return step("8.6", "only formations lose and recover Combat Effectiveness Levels")
    return step("8.6", "it is neither Disordered nor below its base Combat Effectiveness")


def _pinned_steps(facts: Gather, unit: Unit, place: str, counter: bool | None) -> list[Step]:
    """Return what says that a Prepared Attack marker points at a unit, which then does not recover in the Counter
    Movement Phase (8.4.2).
    """
    if not is_counter_movement(facts.view, counter):
        return []
    pinning = pinning_enemies(facts, unit, place)
    text = "Prepared Attack markers of {pinning} point at its hex"
    return [step("8.4.2", text, pinning=pinning)] if pinning else []


def _read_recovering(facts: Gather, unit: Unit, place: str, task: Task, *, begun: bool, begins: bool) -> Recovering:
    """Return the unit in plain values, as far as they matter for what it recovers: in the Holding Box it is In Supply
    and far from all enemies. begins: whether it begins to recover a level (23.4).
    """
    name = unit.id
    arm = facts.word("arm", unit.id)
    levels = task == "recovery"
    away = place == BUKOWINA_BOX
    alone = away or task == "incomplete"
    distance = None if alone else field(facts).around(side_of(facts, unit)).nearest_enemy(place)
    return Recovering(
        arm=arm,
        levels=-facts.integer("cel", name) if task != "incomplete" else 0,
        disorder=facts.integer("disorder", name),
        supply="in" if away else supply_status(facts, unit),
        distance=distance,
        begun=begun,
        covered=levels and begins and distance == COVERED and _is_covered(facts, unit, place),
        sheltered=levels and distance in range(DEMORALIZED) and is_sheltered(facts, unit),
    )


def _require_turn(view: View, task: Task, unit: Recovering) -> int:
    """Return the game turn where it matters to a unit's recovery, else the first. Raises MissingFacts if it is not
    stated (8.6.3).
    """
    with view.gather() as facts:
        return facts.integer("turn") if task == "recovery" and unit.arm == "cavalry" else unit.turn


def _is_covered(facts: Gather, unit: Unit, place: str) -> bool:
    """Return whether friends cover every hex between a unit and enemies two hexes away: one stands there in an Improved
    Position, or one in a Level 3 or 4 Improved Position has the hex in its ZOC (8.6.1).
    """
    board = facts.view.board
    near = {hex for beside in board.neighbours(place) for hex in (beside, *board.neighbours(beside))}
    around = field(facts, near=near).around(side_of(facts, unit))
    enemies = [hex for hex in around.enemies if board.distance(place, hex) == COVERED]
    between = {hex for enemy in enemies for hex in board.neighbours(enemy)} & set(board.neighbours(place))
    held = {hex for hex in between & around.friends if level_in(facts, hex)}

    def strong(friend: Unit) -> bool:
        return level_in(facts, str(friend.place)) >= STRONG

    bare = between - held
    by_all = bare <= around.field.zone(around.side, strong)
    by_others = bare <= around.field.zone(around.side, lambda friend: friend != unit and strong(friend))
    unstated = around.field.unstated(around.side)
    assume_crossed(facts.view, sorted(name for name in unstated if not bare.isdisjoint(name.split("|"))))
    return by_all if facts.view.ruling("recovery-own-zone", by_all != by_others) == "any" else by_others


def _find_rules(view: View, task: Task, unit: Recovering) -> Callable[[int], list[Step]]:
    """Return a function from the levels or degrees that are recovered already to what forbids the next one, by the
    readings that hold.
    """

    def levels(unit: Recovering) -> list[Step]:
        far = {reading: far_enough(unit, reading) for reading in ("distant", "sheltered")}
        differs = len({unit.nearer(distance) for distance in far.values()}) > 1
        return level_bars(unit, far[view.ruling("complex-demoralized", differs)])

    def disorder(unit: Recovering) -> list[Step]:
        far = FAR[view.ruling("recovery-distance", unit.distance in range(min(FAR.values()), max(FAR.values())))]
        goes_on = unit.begun and unit.nearer(far) and not unit.nearer(COVERED)
        return disorder_bars(unit, far, view.ruling("disorder-nearer", goes_on))

    def after(done: int) -> list[Step]:
        begun = unit.begun and not done
        if task == "incomplete":
            return []
        if task == "disorder":
            return disorder(replace(unit, disorder=unit.disorder - done, begun=begun))
        return levels(replace(unit, levels=unit.levels - done, begun=begun))

    return after


def _list_changes(view: View, result: RecoverResult) -> tuple[Change, ...]:
    """Return what changes on the map: the level, the degree or the marker, and what is carried over."""
    kept = mark_task(view, result.unit, result.task, result.carried)
    if result.after == result.degree:
        return tuple(kept)
    if result.task == "recovery":
        track, value = "cel", -result.after
    elif result.task == "disorder":
        track, value = "disorder", result.after
    else:
        track, value = "incomplete", SIDES + 1 - result.after if result.after else 0
    return (changed(view, track, result.unit, value or None, RULES[result.task]), *kept)


def _choose_verdict(result: RecoverResult, points: int, *, tired: bool) -> Verdict:
    """Return the recovery in a line. points: all that were spent on it; tired: whether its last level is lost for good."""
    if result.after == result.degree:
        text = "{unit} needs {missing:#more Movement Point}"
        if result.task == "incomplete":
            text += " in this phase"
        return verdict("figure", text, result, missing=COST - points)
    if result.task == "recovery":
        text = "{unit} recovers {levels:#level}"
        if result.after:
            text += " and keeps its last loss" if tired and result.after == 1 else " and has {after} to go"
    elif result.task == "disorder":
        text = "{unit} recovers from D{degree}"
        text += " to D{after}" if result.after else ", and stays Demoralized"
    else:
        text = "the Incomplete marker of {unit} "
        text += "is turned to its other side" if result.after else "comes off"
    return verdict("yes", text, result, levels=result.degree - result.after)


def _recovery_part(result: RecoverResult) -> Part:
    """Return what recovery takes, what is carried over and what is left, in words."""
    terms = "{points:#Movement Point} while stationary, none by Forced March"
    if result.task == "incomplete":
        terms += ", all in one phase"
    else:
        terms += "; what is spent carries over unless an enemy becomes adjacent to it"
    steps = [step(RULES[result.task], terms, points=COST)]
    if result.carried:
        text = (
            "{carried:#Movement Point} carried over, to be completed before anything else; "
            "until then it does not attack"
        )
        steps.append(step("8.9", text, result))
    if result.spending:
        steps.append(spending_step(result.spending))
    return Part("Recovery", tuple(steps))


QUESTION = declare(
    "recover",
    "whether a unit may recover Combat Effectiveness Levels or recover from Disorder, "
    "or a Corps Train may turn its Incomplete marker",
    _report_recovery,
)
