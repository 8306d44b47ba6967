"""The question `recover`: recovery of Combat Effectiveness Levels, from Disorder, or of an Incomplete marker.

The unit recovers in its hex (7.4.2, 8.6, 24.3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import Parameters, UnitOrDecoy, declare, if_known, note, refused
from assistant.asking.case import fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.question import Sets
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.asking.wording import fill
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitId

from ..forces.account import spend_and_end
from ..forces.armies import is_asset_unit
from ..forces.markers import TASK_COST, is_sheltered, mark_task
from ..forces.movement_points import UNPINNED_DETACHMENTS, SpentBefore, cannot_spend, parse_points, pinning_enemies
from ..forces.spending import (
    Effort,
    MovementSpending,
    Working,
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

DISORDER_DISTANCES_HEXES = {"counted": 5, "between": 6}
"""Minimum distance of enemies for recovery from Disorder (7.4.2), by reading of ruling recovery-distance."""

# Minimum distances of enemies for the recovery of levels (8.6.1).
USUAL_DISTANCE_HEXES = 3
DEMORALIZED_DISTANCE_HEXES = 5
COVERED_DISTANCE_HEXES = 2
MIN_COVERING_LEVEL = 3
"""Minimum level of an Improved Position that covers with its ZOC (8.6.1)."""
LAST_FRESH_CAVALRY_TURN = 8
"""The last game turn in which cavalry can recover its last lost level (8.6.3)."""
INCOMPLETE_MARKER_SIDES = 2
"""The number of sides of an Incomplete marker (24.3)."""
Task = Literal["recovery", "disorder", "incomplete"]


class RecoverParameters(Parameters, frozen=True):
    """Parameters of the question `recover`."""

    unit: Annotated[UnitOrDecoy, note("the id")]
    points: Annotated[float, note("Movement Points spent on recovery now")] = 0
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on recovery; from the unit's marker if left out")
    ] = None
    spent: SpentBefore = None
    counter: CounterPhase = None


class RecoverResult(msgspec.Struct, frozen=True, kw_only=True):
    """The recovery of a unit."""

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


# --- the rules --------------------------------------------------------------------------------------------------------


class Recovering(Working):
    """A unit that would recover in its hex."""

    having_done: Callable[[int], Recovering]
    """A function that returns the case after a number of levels, degrees or turns of the marker."""
    recovered: int = 0
    """The number of levels, degrees or turns of the marker recovered so far."""

    task: ClassVar[Task]
    rule: ClassVar[str]
    track: ClassVar[str]
    """The track that records the recovery."""
    title: ClassVar[str] = "Recovery of {unit}"
    terms: ClassVar[str] = "; what is spent carries over unless an enemy becomes adjacent to it"
    recovers: ClassVar[str]
    """The template of the verdict if the unit recovers."""
    needs: ClassVar[str] = "{unit} needs {missing:#more Movement Point}"

    @cached_property
    def degree(self) -> int:
        """The number of levels, degrees or turns of the marker that the unit has to recover.

        Raises MissingFacts if a fact is not stated.
        """
        with self.view.gather() as facts:
            return self.count_to_go(facts)

    def count_to_go(self, facts: Gather) -> int:
        raise NotImplementedError

    @property
    def to_go(self) -> int:
        """The number of levels, degrees or turns still to recover."""
        return self.degree - self.recovered

    @property
    def begun(self) -> bool:
        """Whether the unit spent points on the next level, degree or turn in an earlier phase."""
        return self.effort.begun > 0 and not self.recovered

    @property
    def far(self) -> int:
        """The minimum distance of enemies for the recovery, in hexes."""
        raise NotImplementedError

    @property
    def pinning(self) -> list[str]:
        """The enemies whose Prepared Attack markers point at the unit's hex."""
        with self.view.gather() as facts:
            return pinning_enemies(facts, self.unit, self.place)

    @fact
    def pinned(self) -> bool:
        """A Prepared Attack marker keeps it where it is in the Counter Movement Phase."""
        counter = is_counter_movement(self.view, self.counter)
        return counter and self.unit.id not in UNPINNED_DETACHMENTS and bool(self.pinning)

    @fact
    def is_reduced(self) -> bool:
        """It has levels, degrees or turns left to recover."""
        return self.to_go > 0

    @fact
    def enemy_near(self) -> bool:
        """An enemy is nearer than allowed."""
        return self.distance is not None and self.distance < self.far

    @fact
    def unsupplied(self) -> bool:
        """It is Out of Supply, outside the Holding Box."""
        return self.place != BUKOWINA_BOX and suffers(supply_status(self.facts, self.unit), "recovery")

    def bars_of_spending(self) -> Iterator[Clause | Step]:
        """Yield why the unit may not spend Movement Points on recovery.

        Rule: 8.4.2b
        """
        yield from super().bars_of_spending()
        yield self.pinned, "8.4.2", "Prepared Attack markers of {pinning} point at its hex"
        yield from self.effort.first_steps

    def bars(self) -> Iterator[Clause]:
        """Yield why the unit may not recover the next level or degree, or turn its marker."""
        raise NotImplementedError

    def may_go_on(self, recovered: int) -> bool:
        """Return whether the unit may recover one more level, degree or turn after `recovered` of them."""
        return not list_bars(self.having_done(recovered).bars)

    def recover(self) -> tuple[int, int]:
        """Return the number of levels, degrees or turns that remain, and the Movement Points carried over."""
        return recover_levels(self.degree, self.effort.credited, self.may_go_on)

    def state(self, after: int) -> int:
        """Return the value of the unit's track after the recovery.

        `after`: the levels, degrees or turns that remain.
        """
        return after


class RecoveringLevels(Recovering):
    """A unit that would recover Combat Effectiveness Levels."""

    task = purpose = "recovery"
    rule = "8.6"
    track = "cel"
    recovers = "{unit} recovers {levels:#level}[after: and has {after} to go]"

    def count_to_go(self, facts: Gather) -> int:
        """Return the levels that the unit has lost; an Asset Unit loses none."""
        return 0 if is_asset_unit(facts, self.unit.id) else -facts.integer("cel", self.unit.id)

    @property
    def far(self) -> int:
        """The minimum distance of enemies outside a Fortress Complex, in hexes.

        It is three, or five for a Demoralized unit. It is two if friends cover every hex between, or the recovery has
        begun.

        Rule: 8.6.1, 8.6.1c
        """
        if self.begun:
            return COVERED_DISTANCE_HEXES
        if self.demoralized:
            return DEMORALIZED_DISTANCE_HEXES
        return COVERED_DISTANCE_HEXES if self.covered else USUAL_DISTANCE_HEXES

    @fact
    def is_formation(self) -> bool:
        """It is a formation."""
        arm = self.facts.word("arm", self.unit.id)
        return arm in COMBAT_ARMS and not is_asset_unit(self.facts, self.unit.id)

    @fact
    def disordered(self) -> bool:
        """It is Disordered."""
        return self.facts.integer("disorder", self.unit.id) > 0

    @fact
    def demoralized(self) -> bool:
        """It counts as Demoralized by its lost levels."""
        return is_demoralized(self.to_go, 0)

    @fact
    def covered(self) -> bool:
        """Friends cover every hex between it and enemies two hexes away."""
        return self.distance == COVERED_DISTANCE_HEXES and _is_covered(self.facts, self.unit, self.place)

    @fact
    def in_complex(self) -> bool:
        """It is stacked with a fortress unit of a Fortress Complex."""
        return is_sheltered(self.facts, self.unit)

    @fact
    def unsheltered(self) -> bool:
        """By the ruling a Fortress Complex does not shelter a Demoralized unit."""
        return self.view.ruling("complex-demoralized") != "sheltered"

    @fact
    def tired_cavalry(self) -> bool:
        """It is cavalry, and GT 8 is over."""
        return (
            self.facts.word("arm", self.unit.id) == "cavalry" and self.facts.integer("turn") > LAST_FRESH_CAVALRY_TURN
        )

    @fact
    def one_level_left(self) -> bool:
        """It has only one level to recover."""
        return self.to_go == 1

    def bars(self) -> Iterator[Clause]:
        """Yield why the unit may not recover a level.

        Rule: 8.6, 8.6.1, 8.6.2, 8.6.3
        """
        yield (
            not self.is_reduced and not self.is_formation,
            "8.6",
            "only formations lose and recover Combat Effectiveness Levels",
        )
        yield (
            not self.is_reduced and self.is_formation,
            "8.6",
            "it is neither Disordered nor below its base Combat Effectiveness",
        )
        yield self.is_reduced and self.disordered, "8.6.2", "it is Disordered"
        yield self.is_reduced and self.unsupplied, "8.6.2", "it is Out of Supply"
        yield (
            self.is_reduced and self.enemy_near and not self.in_complex,
            "8.6.1",
            "an enemy is {distance:#hex} away, but {far} are needed",
        )
        yield from self.bars_in_complex()
        yield self.one_level_left and self.tired_cavalry, "8.6.3", "after GT 8 cavalry does not recover its last level"

    def bars_in_complex(self) -> Iterator[Clause]:
        """Yield why a Demoralized unit may not recover in a Fortress Complex.

        Near enemies do not bar other units there.

        Rule: 8.6.1b
        """
        yield (
            self.demoralized and self.enemy_near and self.in_complex and self.unsheltered,
            "8.6.1",
            "an enemy is {distance:#hex} away, but {far} are needed",
        )

    def state(self, after: int) -> int:
        return -after


class RecoveringFromDisorder(Recovering):
    """A unit that would recover from Disorder."""

    task = purpose = "disorder"
    rule = "7.4.2"
    track = "disorder"
    title = "Recovery of {unit} from Disorder"
    recovers = "{unit} recovers from D{degree}[after: to D{after}|, and stays Demoralized]"

    def count_to_go(self, facts: Gather) -> int:
        return facts.integer("disorder", self.unit.id)

    @property
    def far(self) -> int:
        """The minimum distance of enemies for the recovery, in hexes. Rule: 7.4.2"""
        open_distance = self.distance in range(
            min(DISORDER_DISTANCES_HEXES.values()), max(DISORDER_DISTANCES_HEXES.values())
        )
        return DISORDER_DISTANCES_HEXES[self.view.ruling("recovery-distance", open_distance)]

    @fact
    def goes_on(self) -> bool:
        """It has begun, no enemy is adjacent, and by a ruling that is enough."""
        beside = self.distance is not None and self.distance < COVERED_DISTANCE_HEXES
        return self.begun and not beside and self.view.ruling("disorder-nearer") == "continued"

    def bars(self) -> Iterator[Clause]:
        """Yield why the unit may not recover a degree.

        Rule: 7.4.2
        """
        yield self.enemy_near and not self.goes_on, "7.4.2", "an enemy is {distance:#hex} away, but {far} are needed"
        yield self.unsupplied, "7.4.2", "it is Out of Supply"


class RecoveringTrain(Recovering):
    """A Corps Train that would turn its Incomplete marker."""

    task = "incomplete"
    purpose = "recovery"
    rule = "24.3.2"
    track = "incomplete"
    terms = ", all in one phase"
    recovers = "the Incomplete marker of {unit} [after:is turned to its other side|comes off]"
    needs = "{unit} needs {missing:#more Movement Point} in this phase"

    def count_to_go(self, facts: Gather) -> int:
        """Return the number of turns until the marker is off."""
        return self.state(facts.integer("incomplete", self.unit.id))

    @property
    def needed(self) -> int:
        """The points still needed on the upper side of the marker."""
        return TASK_COST - self.effort.begun

    @property
    def left(self) -> Fraction:
        """The points left in the phase, or the cost of a turn if the allowance is not stated."""
        return self.spends.allowance - self.effort.before if self.spends else Fraction(TASK_COST)

    @fact
    def too_few_points(self) -> bool:
        """It has too few points left in the phase for its marker, and none are carried over."""
        return self.left < self.needed

    def bars(self) -> Iterator[Clause]:
        """Yield why the train may not turn its marker.

        Rule: 24.3.2
        """
        yield not self.is_reduced, "24.3.2", "it bears no Incomplete marker"
        yield (
            self.is_reduced and self.too_few_points,
            "24.3.2",
            "{needed:#more Movement Point} would have to be spent on its marker in this phase, and it has {left} left",
        )

    def recover(self) -> tuple[int, int]:
        """Return the number of turns of the marker that remain; no points are carried over."""
        return self.state(turn_marker(self.state(self.degree), self.effort.credited)), 0

    def state(self, after: int) -> int:
        """Convert the number of turns left to the side of the marker, or the reverse; 0 means no marker."""
        return INCOMPLETE_MARKER_SIDES + 1 - after if after else 0


KINDS: dict[Task, type[Recovering]] = {
    kind.task: kind for kind in (RecoveringLevels, RecoveringFromDisorder, RecoveringTrain)
}


def recover_levels(count: int, points: int, more: Callable[[int], bool] = lambda recovered: True) -> tuple[int, int]:
    """Return the levels or degrees left of `count`, and the Movement Points carried over for the next one.

    Points beyond the last level or degree are lost.

    `points`: all points spent, including earlier phases.
    `more`: returns whether the next level or degree may be begun, given the number recovered.

    Rule: 8.6
    """
    recovered = 0
    while points >= TASK_COST and recovered < count and more(recovered):
        recovered += 1
        points -= TASK_COST
    return count - recovered, points if points and recovered < count and more(recovered) else 0


def turn_marker(side: int, points: int) -> int:
    """Return the side of a Corps Train's Incomplete marker after Movement Points of one phase, or 0 once it is off.

    Seven points turn it from 1 to 2, seven more take it off, and none are carried over.

    Rule: 24.3.2
    """
    then = side + points // TASK_COST
    return then if then <= INCOMPLETE_MARKER_SIDES else 0


def _is_covered(facts: Gather, unit: Unit, place: str) -> bool:
    """Return whether friends cover every hex between a unit and enemies two hexes away (8.6.1).

    A friend in an Improved Position covers its hex; at Level 3 or 4 it also covers its ZOC.
    """
    board = facts.view.board
    near = {hex for beside in board.neighbours(place) for hex in (beside, *board.neighbours(beside))}
    around = field(facts, near=near).around(side_of(facts, unit))
    enemies = [hex for hex in around.enemies if board.distance(place, hex) == COVERED_DISTANCE_HEXES]
    between = {hex for enemy in enemies for hex in board.neighbours(enemy)} & set(board.neighbours(place))
    held = {hex for hex in between & around.friends if level_in(facts, hex)}

    def strong(friend: Unit) -> bool:
        return level_in(facts, str(friend.place)) >= MIN_COVERING_LEVEL

    bare = between - held
    by_all = bare <= around.field.zone(around.side, strong)
    by_others = bare <= around.field.zone(around.side, lambda friend: friend != unit and strong(friend))
    unstated = around.field.unstated(around.side)
    assume_crossed(facts.view, sorted(name for name in unstated if not bare.isdisjoint(name.split("|"))))
    return by_all if facts.view.ruling("recovery-own-zone", by_all != by_others) == "any" else by_others


# --- the question -----------------------------------------------------------------------------------------------------


def _report_recovery(view: View, parameters: RecoverParameters) -> Report[RecoverResult]:
    """Return the report on recovery: of a Corps Train's marker, else from Disorder, else of levels.

    Raises MissingFacts if a deciding fact is not stated, InputError if the unit is not on the map, has nothing to
    recover or cannot have spent the points.
    """
    case = _read_case(view, parameters)
    unit, effort = case.unit.id, case.effort
    title = fill(case.title, {"unit": unit})
    bars = list_bars(case.bars_of_spending, case.bars)
    if bars:
        result = if_known(view, lambda facts: _make_result(case, None))
        return refused(title, "{unit} cannot recover", bars, unit=unit, result=result)
    if effort.before + effort.points:
        with view.gather() as facts:
            # Asks for the allowance, which decides because no Forced March can add to it.
            facts.integer("movement", unit)
        require_points(view, unit, case.spends, effort.before)
    result = _make_result(case, case.recover())
    used = {effort.task: _count_points_used(effort, result)}
    return Report(
        title=title,
        verdict=_choose_verdict(case, result),
        parts=(_recovery_part(case, result),),
        changes=(*_list_changes(case, result), *spend_and_end(view, [unit], used, rule=case.rule)),
        result=result,
    )


def _read_case(view: View, parameters: RecoverParameters) -> Recovering:
    """Return the recovery; Disorder comes before levels (8.6.2).

    Points that a Corps Train spent earlier in the phase count, but are not carried over (24.3.2).
    """
    unit, place = find_unit(view, parameters.unit)
    points = parse_points(parameters.points, "points")
    with view.gather() as facts:
        task: Task = "disorder" if facts.integer("disorder", unit.id) else "recovery"
        if facts.word("arm", unit.id) == "corps-train":
            task = "incomplete"
        carried = 0 if task == "incomplete" else parameters.carried
        effort = read_effort(facts, unit, task, points, parameters.spent, carried)
        if task == "incomplete":
            effort = replace(effort, begun=floor(effort.account.spent_on(task)) % TASK_COST)
        bound = cannot_spend(facts, unit, task, parameters.counter)

    def having_done(recovered: int) -> Recovering:
        return KINDS[task](
            view=view,
            unit=unit,
            place=place,
            effort=effort,
            counter=parameters.counter,
            bound=bound,
            having_done=having_done,
            recovered=recovered,
        )

    return having_done(0)


def _make_result(case: Recovering, recovered: tuple[int, int] | None) -> RecoverResult:
    """Return the result.

    `recovered`: the levels, degrees or turns that remain and the points carried over, or None if the unit may not
    recover.
    """
    after, carried = recovered or (case.degree, case.effort.begun)
    return RecoverResult(
        unit=case.unit.id,
        task=case.task,
        degree=case.degree,
        allowed=recovered is not None,
        distance=None if case.task == "incomplete" else case.distance,
        carried=carried,
        after=after,
        spending=case.spends,
    )


def _count_points_used(effort: Effort, result: RecoverResult) -> Fraction:
    """Return the offered points that the unit spends.

    Points beyond its recovery are spent only if they are carried over or count toward the next level.
    """
    recovered = result.degree - result.after
    return effort.used(TASK_COST * recovered) if recovered and not result.carried else effort.points


def find_unit(view: View, name: str) -> tuple[Unit, str]:
    """Return a unit with its hex or the Bukowina Holding Box.

    Raises InputError if it is not on the map.

    Rule: 23.4
    """
    unit = view.unit(name)
    return (unit, BUKOWINA_BOX) if unit.place == BUKOWINA_BOX else unit_on_map(view, name)


def _list_changes(case: Recovering, result: RecoverResult) -> tuple[Change, ...]:
    kept = mark_task(case.view, result.unit, result.task, result.carried)
    if result.after == result.degree:
        return tuple(kept)
    return (changed(case.view, case.track, result.unit, case.state(result.after) or None, case.rule), *kept)


def _choose_verdict(case: Recovering, result: RecoverResult) -> Verdict:
    if result.after == result.degree:
        return verdict("figure", case.needs, result, missing=TASK_COST - case.effort.credited)
    tired = isinstance(case, RecoveringLevels) and if_known(case.view, lambda _: case.tired_cavalry)
    text = "{unit} recovers {levels:#level} and keeps its last loss" if tired and result.after == 1 else case.recovers
    return verdict("yes", text, result, levels=result.degree - result.after)


def _recovery_part(case: Recovering, result: RecoverResult) -> Part:
    terms = "{points:#Movement Point} while stationary, none by Forced March" + case.terms
    steps = [step(case.rule, terms, points=TASK_COST)]
    if result.carried:
        text = (
            "{carried:#Movement Point} carried over, to be completed before anything else; "
            "until then it does not attack"
        )
        steps.append(step("8.9", text, result))
    if result.spending:
        steps.append(spending_step(result.spending))
    return Part("Recovery", tuple(steps))


_EFFORTS: Mapping[str, tuple[str, ...]] = {"points": ("1", "7", "8", "14"), "carried": ("0", "6")}
"""Movement Points to try for a recovery seen on a table; at most 6 are carried over from earlier phases."""
QUESTION = declare(
    "recover",
    "whether a unit may recover Combat Effectiveness Levels or recover from Disorder, "
    "or a Corps Train may turn its Incomplete marker",
    _report_recovery,
    shows=(
        Sets(track="cel", subject="unit", parameters=_EFFORTS, change="up"),
        Sets(track="disorder", subject="unit", parameters=_EFFORTS, change="down"),
    ),
)
