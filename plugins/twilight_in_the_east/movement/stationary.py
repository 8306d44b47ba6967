"""Units that spend Movement Points where they stand: the questions `dig-in`, whether a unit may build or raise an Improved
Position, and what that costs and gives (13.1 to 13.3), and `recover`, whether it may recover Combat Effectiveness
Levels, recover from Disorder or turn an Incomplete marker, and what that takes (7.4.2, 8.6, 24.3.2).
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from assistant.field import side_of
from assistant.questions import Answers, Parameters, UnitName, declare, holding, note, read_unless, refused
from assistant.questions.report import Ask, Part, Report, Step, Verdict, step, verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitHex, UnitId

from ..forces.armies import is_asset_unit
from ..forces.movement_points import (
    Purpose,
    Spending,
    as_points,
    cannot_spend,
    pinning_enemies,
    points_counted,
    reckon_spending,
    require_points,
    spending_step,
)
from ..forces.reading import (
    COST,
    is_sheltered,
    is_unit_demoralized,
    mark_task,
    points_carried,
    suffers,
    supply_status,
    task_first_steps,
    unit_on_map,
)
from ..forces.units import is_demoralized
from ..ground.calendar import CounterPhase, is_counter_movement
from ..ground.hexsides import assume_crossed, field
from ..ground.works import LATER, PRINTED, fate, level_in, position_changes
from ..terms import BUKOWINA_BOX, COMBAT_ARMS

LEVELS = range(1, 5)
FORMATION = 3
"""The level from which it takes a formation that is In Supply (13.1, 13.1.2)."""
NEAR = {"within": 3, "nearer": 2, "between": 4}
"""How far away an enemy may be at most where work begins, in hexes, by the reading of ruling dig-in-distance (13.1)."""
NEAR_BY_ONE_READING = range(min(NEAR.values()) + 1, max(NEAR.values()) + 1)
FIRST_TURN = {
    3: {"german": 22, "russian": 25, "austro-hungarian": 25},
    4: {"german": 35, "russian": 35, "austro-hungarian": 35},
}
"""The game turn from which a level may be begun (13.1.3)."""


class Digger(msgspec.Struct, frozen=True):
    """A unit that digs in, in plain values.

    distance: hexes to the nearest enemy, None if there is none; begun: whether work on the level has begun already;
    ruins: whether a position of the map lies in ruins in its hex, which it would rebuild; home: whether that is in its
    home country; raised: from which game turn a position that was rebuilt is raised to Level 4, None for any other;
    ruling: from a ruling, and whether it matters, to the reading that holds.
    """

    arm: str
    nation: str
    formation: bool
    demoralized: bool
    supply: str
    turn: int
    distance: int | None
    ruling: Callable[[str, bool], str]
    begun: bool = False
    ruins: bool = False
    home: bool = False
    raised: int | None = None

    @property
    def rebuilt(self) -> tuple[bool, int] | None:
        """What the ruins become if it rebuilds them, see `fate`; None if it builds a position of its
        own.
        """
        return fate("rebuilt", self.home, self.turn) if self.ruins else None

    @property
    def cost(self) -> int:
        """The Movement Points that its next level takes (13.1.1)."""
        return 0 if self.rebuilt and self.ruling("rebuilding-cost", True) == "none" else COST


def reasons_against(digger: Digger, level: int) -> list[Step]:
    """Every rule against building or raising a position to a level. Rule: 13.1b, 13.1.2, 13.1.3"""
    rebuilt, begins, infantry = digger.rebuilt, not digger.begun, digger.arm == "infantry"
    near = NEAR[digger.ruling("dig-in-distance", begins and digger.distance in NEAR_BY_ONE_READING)]
    far = begins and (digger.distance is None or digger.distance > near)
    unfit = not digger.formation or suffers(digger.supply, "position")
    upper = unfit and level >= FORMATION and (not rebuilt or digger.ruling("rebuilding", True) == "formation")
    first = digger.raised or FIRST_TURN.get(level, {}).get(digger.nation, 1)
    early = begins and digger.turn < first and (not rebuilt or digger.ruling("rebuilding-dates", True) == "usual")
    reasons = (
        (level not in LEVELS, "13.0", "there is no Level {level}"),
        (not infantry, "13.1", "only infantry builds positions"),
        (infantry and upper and not digger.formation, "13.1", "only a formation raises a position to Level {level}"),
        (far, "13.1", "no enemy within {near:#hex}, so it cannot begin"),
        (digger.demoralized, "13.1.2", "it is Demoralized"),
        (
            upper and suffers(digger.supply, "position"),
            "13.1.2",
            "only a unit that is In Supply may build Level {level}",
        ),
        (early, "13.1.3", "Level {level} cannot be begun before GT {turn}"),
    )
    limits = SimpleNamespace(level=level, near=near, turn=first)
    return holding(reasons, limits)


def defensive_gains(level: int) -> dict[str, Any]:
    """What a level gives to those who defend it, by the fields of the result (13.2, 13.3)."""
    check, hardship = -1 if level >= 2 else 0, 1 if level == LEVELS[-1] else 0
    return {"shift": -level, "check": check, "hardship": hardship, "bars": level >= FORMATION}


# --- the question -----------------------------------------------------------------------------------------------------


class DigInParameters(Parameters, frozen=True):
    """A unit that digs in where it stands."""

    unit: Annotated[UnitName, note("its id")]
    points: Annotated[float, note("Movement Points spent on digging in now")] = 0
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on digging in; from the unit's marker if left out")
    ] = None
    spent: Annotated[float, note("Movement Points that it has spent on anything else in this phase")] = 0
    counter: CounterPhase = None
    home: Annotated[bool | None, note("whether the hex lies in its home country, where the map shows a ruin")] = None


class DigInResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may dig in."""

    unit: UnitId
    place: UnitHex
    level: Annotated[int, note("the level that would be reached")]
    allowed: Allowed
    credited: Annotated[int, note("Movement Points spent on the level, those spent now included")]
    missing: Annotated[int, note("Movement Points still needed")]
    rebuilds: Annotated[bool, note("whether a ruined position of the map is rebuilt")]
    shift: Annotated[int, note("odds columns that the level gives a defender, negative to the left")]
    check: Annotated[int, note("DRM on checks after combat if the stack does not retreat")]
    hardship: Annotated[int, note("DRM on the attackers' step loss roll")]
    bars: Annotated[bool, note("whether the position bars movement from EZOC to EZOC")]
    spending: Annotated[
        Spending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


def answer_dig_in(view: View, parameters: DigInParameters, answers: Answers) -> Report[DigInResult]:
    """The report on digging in.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map and points that
    it cannot spend or have spent.
    """
    unit, place = unit_on_map(view, parameters.unit)
    points, before = as_points(parameters.points, "points"), as_points(parameters.spent, "spent")
    with view.gather() as facts:
        begun = points_carried(facts, unit, "position", parameters.carried)
        barred = cannot_spend(facts, unit, "position", parameters.counter)
        spends = reckon_spending(facts, unit, before + points, "position", parameters.counter)
        others = barred + task_first_steps(begun, before) + others_at_work(facts, unit, place)
        stands = level_in(facts, place)
        last = read_digger(facts, unit, place, begun=begun > 0)
        standing = others + reasons_against(last, stands + 1)
        digger = read_unless(standing, lambda: in_time(view, parameters, unit, place, last, stands)) or last
    level = PRINTED if digger.rebuilt else stands + 1
    reasons = others + reasons_against(digger, level)
    if not reasons and before + points:
        require_points(view, unit.id, spends, before)
    title = f"Improved Position of {unit.id} in {place}"
    if level not in LEVELS:
        no = verdict("no", "the position is at Level {most}", most=LEVELS[-1])
        return Report(title=title, verdict=no, parts=(Part("Not allowed", tuple(reasons)),))
    spent = begun + points_counted(points)
    result = DigInResult(
        unit=unit.id,
        place=place,
        level=level,
        allowed=not reasons,
        credited=min(spent, digger.cost),
        missing=max(digger.cost - spent, 0),
        rebuilds=digger.rebuilt is not None,
        spending=spends,
        **defensive_gains(level),
    )
    done = result.allowed and not result.missing
    built = (
        position_changes(view, place, *digger.rebuilt)
        if digger.rebuilt
        else [changed(view, "ip", place, level, "13.1.1")]
    )
    changes = (*(built if done else ()), *mark_task(view, unit.id, "position", 0 if done else spent))
    text = "{unit} reaches Level {level}" if done else "{unit} needs {missing:#Movement Point} more for Level {level}"
    text = "{unit} may not work on Level {level}: {reasons:#reason}" if reasons else text
    return Report(
        title=title,
        verdict=verdict("no" if reasons else "yes", text, result, reasons=len(reasons)),
        parts=(
            Part("Not allowed", tuple(reasons)),
            work_part(digger, spends, max(spent - digger.cost, 0) if result.allowed else 0),
            gain_part(result),
        ),
        changes=() if reasons else changes,
        result=result,
    )


def read_digger(facts: Gather, unit: Unit, place: str, *, begun: bool) -> Digger:
    """The unit in the last game turn, in which every level may be begun, and with no ruin in its hex."""
    return facts.record(
        Digger,
        unit.id,
        formation=not is_asset_unit(facts, unit.id),
        demoralized=is_unit_demoralized(facts, unit),
        supply=supply_status(facts, unit),
        turn=int(facts.view.game.track("turn").most or 0),
        distance=field(facts).around(side_of(facts, unit)).nearest_enemy(place),
        begun=begun,
        ruins=False,
        home=False,
        raised=None,
        ruling=facts.view.ruling,
    )


def in_time(view: View, parameters: DigInParameters, unit: Unit, place: str, digger: Digger, stands: int) -> Digger:
    """The unit in the present game turn, with the ruin in its hex. stands: the level that the hex has. Raises
    MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        ruins = facts.word("printed-ip", place) not in ("", "none") and facts.flag("ruined", place) and not stands
        if ruins and parameters.home is None:
            title = f"whether {place} lies in the home country of {unit.id}"
            facts.ask(Ask(kind="parameter", name="home", rule="13.5.1", title=title, how="home=yes|no"))
        return replace(
            digger,
            turn=facts.integer("turn") if stands > 1 or ruins else 1,
            ruins=ruins,
            home=bool(parameters.home),
            raised=turn_of_raising(facts, unit, place) if stands + 1 == LEVELS[-1] else None,
        )


def others_at_work(facts: Gather, unit: Unit, place: str) -> list[Step]:
    """That another unit works on the position of the hex already, as its marker says: one unit a phase does (13.1)."""
    others = [other for other in facts.view.stack(place) if other.id != unit.id]
    busy = [
        other.id
        for other in others
        if facts.integer("expended", other.id) and facts.word("task", other.id) == "position"
    ]
    return [step("13.1", "{unit} works on it already", unit=other) for other in busy]


def turn_of_raising(facts: Gather, unit: Unit, place: str) -> int | None:
    """The game turn from which a position of the map that its side has rebuilt may be raised to Level 4, a ruling; None
    for any other position, which waits for the turn of all (13.1.3, 13.5.1).
    """
    if facts.word("printed-ip", place) != side_of(facts, unit) or not facts.flag("ruined", place):
        return None
    return LATER + 1 if facts.view.ruling("rebuilt-level-4") == "own" else None


def work_part(digger: Digger, spends: Spending | None, over: int) -> Part:
    """What holds for the work itself, and what the unit spends on it, in words. over: Movement Points beyond what the
    level takes.
    """
    text = "{cost:#Movement Point} for each level, carried over from phase to phase; "
    text += "until the level is complete the unit may not attack, and it loses the points if it is attacked"
    steps = [step("13.1", "only one unit per hex per phase may work on it"), step("13.1.1", text, digger)]
    if digger.rebuilt:
        text = "a ruined position of the map is rebuilt to Level {rebuilt} at once"
        steps.append(step("13.5.1", text, rebuilt=PRINTED))
    if spends and spends.spent:
        steps.append(spending_step(spends))
    if over:
        text = "{over:#Movement Point} more than the level takes, not used here: ask again for the next level"
        steps.append(step("13.1.1", text, over=over))
    return Part("The work", tuple(steps))


def gain_part(result: DigInResult) -> Part:
    """What a level is worth, in words."""
    text = "Level {level}: the column shifts by {shift:+}, less what artillery negates; black retreats are ignored"
    further = (
        (result.check, "13.3.3", "checks of a stack that does not retreat: {check:+}"),
        (result.hardship, "13.3.2", "attackers' roll for step losses: {hardship:+}"),
        (result.bars, "13.2", "no enemy may move from its ZOC into the ZOC of another such position"),
    )
    steps = holding(further, result)
    return Part("What the position gives", (step("13.3.1", text, result), *steps))


DIG_IN = declare(
    "dig-in",
    "whether a unit may build an Improved Position or raise its level, and what that costs and gives",
    answer_dig_in,
)


FAR = {"counted": 5, "between": 6}
"""How far the nearest enemy must be for recovery from Disorder, in hexes, by the reading of ruling recovery-distance
(7.4.2).
"""
USUAL, DEMORALIZED, COVERED, ADJACENT = 3, 5, 2, 1
"""How far the nearest enemy must be for the recovery of levels, in hexes, by what holds for the unit (8.6.1)."""
STRONG = 3
"""The level from which on the ZOC out of an Improved Position covers hexes (8.6.1)."""
CAVALRY_TIRES = 8
"""The last game turn in which cavalry recovers its original effectiveness (8.6.3)."""
Task = Literal["recovery", "disorder", "incomplete"]
RULES: dict[Task, str] = {"recovery": "8.6", "disorder": "7.4.2", "incomplete": "24.3.2"}
SIDES = 2
"""The sides of an Incomplete marker (24.3)."""


class Recovering(msgspec.Struct, frozen=True):
    """A unit that would recover, in plain values.

    levels, disorder: Combat Effectiveness Levels that it has lost, and its degree of Disorder; distance: hexes to the
    nearest enemy, None if there is none; begun: whether it has spent points on it in an earlier phase; covered: whether
    friends cover every hex between it and enemies two hexes away; sheltered: whether it is stacked with a fortress unit
    of a Fortress Complex; turn: the game turn, where it matters.
    """

    arm: str
    levels: int
    disorder: int
    supply: str
    distance: int | None
    begun: bool = False
    covered: bool = False
    sheltered: bool = False
    turn: int = 1

    @property
    def demoralized(self) -> bool:
        """Whether it counts as Demoralized."""
        return is_demoralized(self.levels, self.disorder)

    @property
    def tired(self) -> bool:
        """Whether it is cavalry that does not recover its last level any more (8.6.3)."""
        return self.arm == "cavalry" and self.turn > CAVALRY_TIRES

    def nearer(self, far: int) -> bool:
        """Whether an enemy is nearer than so many hexes."""
        return self.distance is not None and self.distance < far


def disorder_bars(unit: Recovering, far: int, nearer: str) -> list[Step]:
    """What forbids recovery from Disorder: an enemy who is too near, and being Out of Supply.

    far: how far the nearest one must be, in hexes; nearer: ruling disorder-nearer. Rule: 7.4.2
    """
    far = COVERED if unit.begun and nearer == "continued" else far
    text = "an enemy is {distance:#hex} away, but {far} are needed"
    near = [step("7.4.2", text, unit, far=far)] if unit.nearer(far) else []
    return near + ([step("7.4.2", "it is Out of Supply")] if suffers(unit.supply, "recovery") else [])


def far_enough(unit: Recovering, complex_reading: str) -> int:
    """How far the nearest enemy must be for the recovery of levels, in hexes.

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
    """What forbids the recovery of a level: Disorder, being Out of Supply, an enemy who is too near, and for cavalry
    the last level after GT 8.

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
    """How many of so many levels or degrees are left, and the Movement Points that are carried over for the next one.

    points: all that were spent, in earlier phases too; more: from how many are done to whether the next may be begun.
    Points that nothing is left for count for nothing.
    Rule: 8.6
    """
    done = 0
    while points >= COST and done < count and more(done):
        done, points = done + 1, points - COST
    return count - done, points if done < count and more(done) else 0


def turn_marker(side: int, points: int) -> int:
    """The side of a Corps Train's Incomplete marker after so many Movement Points of one phase, 0 once it is off: seven
    turn it from 1 to 2, seven more take it off, and none are carried over.
    Rule: 24.3.2
    """
    then = side + points // COST
    return then if then <= SIDES else 0


# --- the question -----------------------------------------------------------------------------------------------------


class RecoverParameters(Parameters, frozen=True):
    """A unit that recovers where it stands."""

    unit: Annotated[UnitName, note("its id")]
    points: Annotated[float, note("Movement Points spent on recovery now")]
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on recovery; from the unit's marker if left out")
    ] = None
    spent: Annotated[float, note("Movement Points that it has spent on anything else in this phase")] = 0
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
        Spending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


def answer_recover(view: View, parameters: RecoverParameters, answers: Answers) -> Report[RecoverResult]:
    """The report on recovery: of a Corps Train from its Incomplete marker, of others from Disorder first and then of
    levels.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map or has nothing
    to recover, and for points that it cannot have spent.
    """
    unit, place = where(view, parameters.unit)
    points, before = as_points(parameters.points, "points"), as_points(parameters.spent, "spent")
    with view.gather() as facts:
        task = what_for(facts, unit)
        begun = 0 if task == "incomplete" else points_carried(facts, unit, task, parameters.carried)
        barred = cannot_spend(facts, unit, task, parameters.counter) + pinned_steps(
            facts, unit, place, parameters.counter
        )
    title, text = f"Recovery of {unit.id}" + (" from Disorder" if task == "disorder" else ""), "{unit} cannot recover"
    others = barred + task_first_steps(begun, before)
    now = begun + points_counted(points)

    def gathered() -> tuple[int, Spending | None, Recovering]:
        with view.gather() as facts:
            count = to_go(facts, unit, task)
            purpose: Purpose = "recovery" if task == "incomplete" else task
            spends = reckon_spending(facts, unit, before + points, purpose, parameters.counter)
            begins = not begun or (now > COST and count > 1)
            return count, spends, read_recovering(facts, unit, place, task, begun=begun > 0, begins=begins)

    known = read_unless(others, gathered)
    if known is None:
        return refused(title, text, others, unit=unit.id)
    count, spends, recovering = known
    others = [*others, *([] if count else [nothing_to_recover(view, unit)])]
    at_first = rules(view, task, recovering)(0) if count else []
    turn = read_unless(others + at_first, lambda: turn_for(view, task, recovering)) or recovering.turn
    recovering = replace(recovering, turn=turn)
    may = rules(view, task, recovering)
    reasons = others + (may(0) if count else [])
    if not reasons and before + points:
        with view.gather() as facts:
            facts.integer("movement", unit.id)  # no Forced March makes up for what it lacks, so the allowance decides
        require_points(view, unit.id, spends, before)
    after, over = (count, begun) if reasons else recover_levels(count, now, lambda done: not may(done))
    if task == "incomplete" and not reasons:
        after, over = sides_to_go(turn_marker(SIDES + 1 - count, now)), 0
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
        verdict=in_a_line(result, now, tired=recovering.tired),
        parts=(recovery_part(result),),
        changes=consequences(view, result),
        result=result,
    )


def where(view: View, name: str) -> tuple[Unit, str]:
    """A unit and the hex where it stands, or the Bukowina Holding Box. Raises InputError if it is not on the map.
    Rule: 23.4
    """
    unit = view.unit(name)
    return (unit, BUKOWINA_BOX) if unit.place == BUKOWINA_BOX else unit_on_map(view, name)


def what_for(facts: Gather, unit: Unit) -> Task:
    """What a unit recovers: Disorder comes before levels."""
    if facts.word("arm", unit.id) == "corps-train":
        return "incomplete"
    return "disorder" if facts.integer("disorder", unit.id) else "recovery"


def to_go(facts: Gather, unit: Unit, task: Task) -> int:
    """How many levels, degrees or sides of its marker a unit has to recover."""
    if task == "incomplete":
        return sides_to_go(facts.integer("incomplete", unit.id))
    if task == "disorder":
        return facts.integer("disorder", unit.id)
    return 0 if is_asset_unit(facts, unit.id) else -facts.integer("cel", unit.id)


def sides_to_go(side: int) -> int:
    """How often an Incomplete marker that shows a side must be turned until it is off. side: 0 for no marker."""
    return SIDES + 1 - side if side else 0


def nothing_to_recover(view: View, unit: Unit) -> Step:
    """Why a unit has nothing to recover."""
    if view.word("arm", unit.id) == "corps-train":
        return step("24.3.2", "it bears no Incomplete marker")
    with view.gather() as facts:
        formation = facts.word("arm", unit.id) in COMBAT_ARMS and not is_asset_unit(facts, unit.id)
    if not formation:
        return step("8.6", "only formations lose and recover Combat Effectiveness Levels")
    return step("8.6", "it is neither Disordered nor below its base Combat Effectiveness")


def pinned_steps(facts: Gather, unit: Unit, place: str, counter: bool | None) -> list[Step]:
    """That a Prepared Attack marker points at a unit, which then does not recover in the Counter Movement Phase
    (8.4.2).
    """
    pinning = pinning_enemies(facts, unit, place) if is_counter_movement(facts.view, counter) else []
    text = "Prepared Attack markers of {pinning} point at its hex"
    return [step("8.4.2", text, pinning=pinning)] if pinning else []


def read_recovering(facts: Gather, unit: Unit, place: str, task: Task, *, begun: bool, begins: bool) -> Recovering:
    """The unit in plain values, as far as they matter for what it recovers: in the Holding Box it is In Supply and far
    from all enemies. begins: whether it begins to recover a level (23.4).
    """
    name, arm, levels, away = unit.id, facts.word("arm", unit.id), task == "recovery", place == BUKOWINA_BOX
    alone = away or task == "incomplete"
    distance = None if alone else field(facts).around(side_of(facts, unit)).nearest_enemy(place)
    return Recovering(
        arm=arm,
        levels=-facts.integer("cel", name) if task != "incomplete" else 0,
        disorder=facts.integer("disorder", name),
        supply="in" if away else supply_status(facts, unit),
        distance=distance,
        begun=begun,
        covered=levels and begins and distance == COVERED and is_covered(facts, unit, place),
        sheltered=levels and distance in range(DEMORALIZED) and is_sheltered(facts, unit),
    )


def turn_for(view: View, task: Task, unit: Recovering) -> int:
    """The game turn where it matters to a unit's recovery, else the first. Raises MissingFacts if it is not stated
    (8.6.3).
    """
    with view.gather() as facts:
        return facts.integer("turn") if task == "recovery" and unit.arm == "cavalry" else unit.turn


def is_covered(facts: Gather, unit: Unit, place: str) -> bool:
    """Whether friends cover every hex between a unit and enemies two hexes away: one stands there in an Improved
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


def rules(view: View, task: Task, unit: Recovering) -> Callable[[int], list[Step]]:
    """From how many levels or degrees are recovered already to what forbids the next one, by the readings that hold."""

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


def consequences(view: View, result: RecoverResult) -> tuple[Change, ...]:
    """What changes on the map: the level, the degree or the marker, and what is carried over."""
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


def in_a_line(result: RecoverResult, points: int, *, tired: bool) -> Verdict:
    """The recovery in a line. points: all that were spent on it; tired: whether its last level is lost for good."""
    if result.after == result.degree:
        text = "{unit} needs {missing:#Movement Point} more"
        text = "{unit} needs {cost} Movement Points in one phase" if result.task == "incomplete" else text
        return verdict("figure", text, result, missing=COST - points, cost=COST)
    left = " and keeps its last loss" if tired and result.after == 1 else " and has {after} to go"
    texts = {
        "recovery": "{unit} recovers {levels:#level}" + (left if result.after else ""),
        "disorder": "{unit} recovers from D{degree}" + (" to D{after}" if result.after else ", and stays Demoralized"),
        "incomplete": "the Incomplete marker of {unit} "
        + ("is turned to its other side" if result.after else "comes off"),
    }
    return verdict("yes", texts[result.task], result, levels=result.degree - result.after)


def recovery_part(result: RecoverResult) -> Part:
    """What recovery takes, what is carried over and what is left, in words."""
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


RECOVER = declare(
    "recover",
    "whether a unit may recover Combat Effectiveness Levels or recover from Disorder, or a Corps Train may turn its Incomplete marker",
    answer_recover,
)

QUESTIONS = (DIG_IN, RECOVER)
