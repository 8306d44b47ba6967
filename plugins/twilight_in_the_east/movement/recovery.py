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

from assistant.asking import Parameters, UnitOrDecoy, declare, holding, note, read_unless, refused
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
from ..forces.unit import suffers, supply_status, unit_on_map
from ..forces.units import is_demoralized
from ..ground.calendar import CounterPhase, is_counter_movement
from ..ground.hexsides import assume_crossed, field
from ..ground.works import level_in
from ..terms import BUKOWINA_BOX, COMBAT_ARMS

FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy must be for recovery from Disorder, in hexes, by the reading of ruling recovery-distance
(7.4.2).
"""
# Hexes that the nearest enemy must be away for the recovery of levels, by what holds for the unit (8.6.1).
USUAL = 3
DEMORALIZED = 5
COVERED = 2
ADJACENT = 1
STRONG = 3
"""The level from which on the ZOC out of an Improved Position covers hexes (8.6.1)."""
CAVALRY_TIRES = 8
"""The last game turn in which cavalry recovers its original effectiveness (8.6.3)."""
Task = Literal["recovery", "disorder", "incomplete"]
RULES: dict[Task, str] = {"recovery": "8.6", "disorder": "7.4.2", "incomplete": "24.3.2"}
SIDES = 2
"""The sides of an Incomplete marker (24.3)."""


class Recovering(msgspec.Struct, frozen=True):
    """A unit that would recover, in plain values."""

    arm: str
    levels: Annotated[int, note("Combat Effectiveness Levels that it has lost")]
    disorder: Annotated[int, note("its degree")]
    supply: str
    distance: Annotated[int | None, note("hexes to the nearest enemy, None if there is none")]
    begun: Annotated[bool, note("whether it has spent points on it in an earlier phase")] = False
    covered: Annotated[bool, note("whether friends cover every hex between it and enemies two hexes away")] = False
    sheltered: Annotated[bool, note("whether it is stacked with a fortress unit of a Fortress Complex")] = False
    turn: Annotated[int, note("the game turn, where it matters")] = 1

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized."""
        return is_demoralized(self.levels, self.disorder)

    @property
    def tired(self) -> bool:
        """Whether it is cavalry that does not recover its last level any more (8.6.3)."""
        return self.arm == "cavalry" and self.turn > CAVALRY_TIRES

    def nearer(self, far: int) -> bool:
        """Return whether an enemy is nearer than so many hexes."""
        return self.distance is not None and self.distance < far


def disorder_bars(unit: Recovering, far: int, nearer: str) -> list[Step]:
    """Return what forbids recovery from Disorder: an enemy who is too near, and being Out of Supply.

    far: how far the nearest one must be, in hexes; nearer: ruling disorder-nearer. Rule: 7.4.2
    """
    far = COVERED if unit.begun and nearer == "continued" else far
    text = "an enemy is {distance:#hex} away, but {far} are needed"
    near = [step("7.4.2", text, unit, far=far)] if unit.nearer(far) else []
    return near + ([step("7.4.2", "it is Out of Supply")] if suffers(unit.supply, "recovery") else [])


def far_enough(unit: Recovering, complex_reading: str) -> int:
    """Return how far the nearest enemy must be for the recovery of levels, in hexes.

    Three as a rule, five for a Demoralized unit, two where friends cover every hex between, one with a fortress unit of
    a Fortress Complex; what has begun goes on as long as no enemy is adjacent. complex_reading: ruling
    complex-demoralized.
    Rule: 8.6.1, 8.6.1b, 8.6.1c
    """
    if unit.sheltered and (not unit.demoralized or complex_reading == "sheltered"):
        return ADJACENT
    if unit.begun:
        return COVERED
    if unit.demoralized:
        return DEMORALIZED
    return COVERED if unit.covered else USUAL


def level_bars(unit: Recovering, far: int) -> list[Step]:
    """Return what forbids the recovery of a level: Disorder, being Out of Supply, an enemy who is too near, and for
    cavalry the last level after GT 8.

    far: see `far_enough`. Rule: 8.6.2, 8.6.3
    """
    reasons = (
        (unit.disorder > 0, "8.6.2", "it is Disordered"),
        (suffers(unit.supply, "recovery"), "8.6.2", "it is Out of Supply"),
        (unit.nearer(far), "8.6.1", "an enemy is {distance:#hex} away, but {far} are needed"),
        (unit.tired and unit.levels == 1, "8.6.3", "after GT 8 cavalry does not recover its last level"),
    )
    return holding(reasons, unit, far=far)


def recover_levels(count: int, points: int, more: Callable[[int], bool] = lambda done: True) -> tuple[int, int]:
    """Return how many of so many levels or degrees are left, and the Movement Points that are carried over for the next
    one.

    points: all that were spent, in earlier phases too; more: from how many are done to whether the next may be begun.
    Points that nothing is left for count for nothing.
    Rule: 8.6
    """
    done = 0
    while points >= COST and done < count and more(done):
        done = done + 1
        points = points - COST
    return count - done, points if done < count and more(done) else 0


def turn_marker(side: int, points: int) -> int:
    """Return the side of a Corps Train's Incomplete marker after so many Movement Points of one phase, 0 once it is
    off: seven turn it from 1 to 2, seven more take it off, and none are carried over. Rule: 24.3.2
    """
    then = side + points // COST
    return then if then <= SIDES else 0


def too_few_to_turn(needed: int, left: Fraction) -> list[Step]:
    """Return what says that a Corps Train has too few Movement Points left in the phase for the next side of its
    Incomplete marker: they would be spent for nothing, as none are carried over. needed: points that it still has to
    spend on that.
    Rule: 24.3.2
    """
    text = "{needed:#more Movement Point} would have to be spent on its marker in this phase, and it has {left} left"
    return [step("24.3.2", text, needed=needed, left=left)] if left < needed else []


# --- the question -----------------------------------------------------------------------------------------------------


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
            "what the unit recovers or recovers from: Combat Effectiveness Levels, Disorder or, for a Corps Train, its supply columns"
        ),
    ]
    degree: Annotated[
        int,
        note(
            "the Combat Effectiveness Levels that it has lost, its degree of Disorder, or how many times its marker must still be turned"
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
        barred = cannot_spend(facts, unit, task, parameters.counter) + _pinned_steps(
            facts, unit, place, parameters.counter
        )
    title = f"Recovery of {unit.id}" + (" from Disorder" if task == "disorder" else "")
    text = "{unit} cannot recover"
    others = barred + effort.first_steps
    begun = effort.begun
    now = effort.credited
    all_spent = effort.before + points

    def gathered() -> tuple[int, MovementSpending | None, Recovering]:
        with view.gather() as facts:
            count = _count_to_go(facts, unit, task)
            purpose: Purpose = "recovery" if task == "incomplete" else task
            spends = measure_spending(facts, unit, all_spent, purpose, parameters.counter)
            begins = not begun or (now > COST and count > 1)
            return count, spends, _read_recovering(facts, unit, place, task, begun=begun > 0, begins=begins)

    known = read_unless(others, gathered)
    if known is None:
        return refused(title, text, others, unit=unit.id)
    count, spends, recovering = known
    others = [*others, *([] if count else [_format_nothing_to_recover(view, unit)])]
    if count and task == "incomplete" and spends:
        others += too_few_to_turn(COST - begun, spends.allowance - effort.before)
    at_first = _find_rules(view, task, recovering)(0) if count else []
    turn = read_unless(others + at_first, lambda: _require_turn(view, task, recovering)) or recovering.turn
    recovering = replace(recovering, turn=turn)
    may = _find_rules(view, task, recovering)
    reasons = others + (may(0) if count else [])
    if not reasons and all_spent:
        with view.gather() as facts:
            facts.integer("movement", unit.id)  # no Forced March makes up for what it lacks, so the allowance decides
        require_points(view, unit.id, spends, effort.before)
    after, over = (count, begun) if reasons else recover_levels(count, now, lambda done: not may(done))
    if task == "incomplete" and not reasons:
        after = _count_sides_to_go(turn_marker(SIDES + 1 - count, now))
        over = 0
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
    pinning = pinning_enemies(facts, unit, place) if is_counter_movement(facts.view, counter) else []
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
    values = {
        "recovery": ("cel", -result.after),
        "disorder": ("disorder", result.after),
        "incomplete": ("incomplete", SIDES + 1 - result.after if result.after else 0),
    }
    track, value = values[result.task]
    changes = (
        [changed(view, track, result.unit, value or None, RULES[result.task])] if result.after < result.degree else []
    )
    return (*changes, *mark_task(view, result.unit, result.task, result.carried))


def _choose_verdict(result: RecoverResult, points: int, *, tired: bool) -> Verdict:
    """Return the recovery in a line. points: all that were spent on it; tired: whether its last level is lost for good."""
    if result.after == result.degree:
        text = "{unit} needs {missing:#more Movement Point}"
        text += " in this phase" if result.task == "incomplete" else ""
        return verdict("figure", text, result, missing=COST - points)
    left = " and keeps its last loss" if tired and result.after == 1 else " and has {after} to go"
    texts = {
        "recovery": "{unit} recovers {levels:#level}" + (left if result.after else ""),
        "disorder": "{unit} recovers from D{degree}" + (" to D{after}" if result.after else ", and stays Demoralized"),
        "incomplete": "the Incomplete marker of {unit} "
        + ("is turned to its other side" if result.after else "comes off"),
    }
    return verdict("yes", texts[result.task], result, levels=result.degree - result.after)


def _recovery_part(result: RecoverResult) -> Part:
    """Return what recovery takes, what is carried over and what is left, in words."""
    terms = "{points:#Movement Point} while stationary, none by Forced March"
    over = "; what is spent carries over unless an enemy becomes adjacent to it"
    terms += ", all in one phase" if result.task == "incomplete" else over
    steps = [step(RULES[result.task], terms, points=COST)]
    if result.carried:
        text = "{carried:#Movement Point} carried over, to be completed before anything else; until then it does not attack"
        steps.append(step("8.9", text, result))
    if result.spending:
        steps.append(spending_step(result.spending))
    return Part("Recovery", tuple(steps))


QUESTION = declare(
    "recover",
    "whether a unit may recover Combat Effectiveness Levels or recover from Disorder, or a Corps Train may turn its Incomplete marker",
    _report_recovery,
)
