"""The question `dig-in`: building or raising an Improved Position, its cost and its benefits (13.1 to 13.3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Parameters, UnitOrDecoy, declare, holding, note, read_unless
from assistant.asking.asks import Ask
from assistant.asking.case import fact, list_bars_with
from assistant.asking.permission import Clause
from assistant.asking.report import Part, Report, Step, Verdict, VerdictKind, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitHex, UnitId
from assistant.util.errors import quoted

from ..forces.account import read_account, spend_and_end
from ..forces.armies import is_asset_unit
from ..forces.markers import TASK_COST, mark_task
from ..forces.movement_points import SpentBefore, cannot_spend, parse_points
from ..forces.spending import (
    MovementSpending,
    Working,
    read_effort,
    require_points,
    spending_step,
)
from ..forces.unit import is_unit_demoralized, suffers, supply_status, unit_on_map
from ..ground.calendar import CounterPhase
from ..ground.works import LATER_LEVEL_TURN, POINTS, PRINTED_LEVEL, clear_points, find_fate, level_in, position_changes

LEVELS = range(1, 5)
WORKED = "worked-on"
"""Track: whether a unit has worked on the position of a hex in this phase."""
MIN_FORMATION_LEVEL = 3
"""The minimum level that only a formation In Supply may build (13.1, 13.1.2)."""
_MAX_ENEMY_DISTANCES = {"within": 3, "nearer": 2, "between": 4}
"""The maximum distance of an enemy at which work may begin (13.1), by reading of ruling dig-in-distance."""
_DISPUTED_DISTANCES = range(min(_MAX_ENEMY_DISTANCES.values()) + 1, max(_MAX_ENEMY_DISTANCES.values()) + 1)
FIRST_TURNS = {
    3: {"german": 22, "russian": 25, "austro-hungarian": 25},
    4: {"german": 35, "russian": 35, "austro-hungarian": 35},
}
"""The first game turn in which the level may be begun (13.1.3), by level and nation."""


class Digging(Working):
    """A unit that would build or raise an Improved Position in its hex."""

    current: int
    """The present level of the position, or 0 without one."""
    home: bool | None
    """Whether the hex is in the unit's home country, or None to use the country stated for the hex."""
    taken: int = 0
    """The Movement Points of a marker that lies on the position itself, which count for the unit."""

    purpose = "position"

    @property
    def spends_now(self) -> Fraction:
        """The Movement Points that the unit spends on the position, at most what the position needs."""
        return self.effort.used()

    @property
    def level(self) -> int:
        """The level that the unit builds.

        Raises MissingFacts if a fact is not stated.
        """
        return PRINTED_LEVEL if self.is_rebuilt else self.current + 1

    @property
    def most(self) -> int:
        """The highest level that exists."""
        return LEVELS[-1]

    @property
    def near(self) -> int:
        """The maximum distance of an enemy at which work may begin, in hexes."""
        return _MAX_ENEMY_DISTANCES[self.view.ruling("dig-in-distance", self.distance in _DISPUTED_DISTANCES)]

    @property
    def turn(self) -> int:
        """The first game turn in which the level may be begun.

        By a ruling a side may raise a position that it rebuilt on its own map symbol to Level 4 earlier.

        Raises MissingFacts if a fact is not stated.

        Rule: 13.1.3, 13.5.1
        """
        with self.view.gather() as facts:
            printed = self.level == self.most and facts.word("printed-ip", self.place) == side_of(facts, self.unit)
            if printed and facts.flag("ruined", self.place) and self.view.ruling("rebuilt-level-4") == "own":
                return LATER_LEVEL_TURN + 1
            return FIRST_TURNS.get(self.level, {}).get(facts.word("nation", self.unit.id), 1)

    @fact
    def is_rebuilt(self) -> bool:
        """A position of the map is in ruins in its hex, and that is in its home country."""
        facts, place = self.facts, self.place
        if self.current or facts.word("printed-ip", place) in ("", "none") or not facts.flag("ruined", place):
            return False
        facts.integer("turn")  # asks for the game turn, which decides what a rebuilt position becomes (13.5.1)
        home = is_at_home(facts, self.unit, place) if self.home is None else self.home
        if home is None:
            title = f"whether {place} lies in the home country of {self.unit.id}"
            facts.ask(Ask(kind="parameter", name="home", rule="13.5.1", title=title, how="home=yes|no"))
        return bool(home)

    @fact
    def is_infantry(self) -> bool:
        """It is infantry."""
        return self.facts.word("arm", self.unit.id) == "infantry"

    @fact
    def is_formation(self) -> bool:
        """It is not an Asset Unit."""
        return not is_asset_unit(self.facts, self.unit.id)

    @fact
    def demoralized(self) -> bool:
        """It counts as Demoralized."""
        return is_unit_demoralized(self.facts, self.unit)

    @fact
    def unsupplied(self) -> bool:
        """It is not In Supply."""
        return suffers(supply_status(self.facts, self.unit), "position")

    @fact
    def is_unfit(self) -> bool:
        """The level requires a formation In Supply, which it is not; for rebuilding this counts only by a ruling."""
        unfit = self.level >= MIN_FORMATION_LEVEL and (not self.is_formation or self.unsupplied)
        return unfit and (not self.is_rebuilt or self.view.ruling("rebuilding") == "formation")

    @fact
    def no_enemy_near(self) -> bool:
        """It would begin, and no enemy is near."""
        return not self.effort.begun and (self.distance is None or self.distance > self.near)

    @fact
    def too_early(self) -> bool:
        """It would begin before the game turn of the level; for rebuilding this counts only by a ruling."""
        first = 1 if self.effort.begun else self.turn
        before = first > 1 and self.facts.integer("turn") in range(1, first)
        return before and (not self.is_rebuilt or self.view.ruling("rebuilding-dates") == "usual")

    def bars(self) -> Iterator[Clause]:
        """Yield why the unit may not work on the level.

        Rule: 13.1b, 13.1.2, 13.1.3
        """
        yield self.current + 1 not in LEVELS, "13.0", "there is no Level {level}"
        yield not self.is_infantry, "13.1", "only infantry builds positions"
        yield (
            self.is_infantry and self.is_unfit and not self.is_formation,
            "13.1",
            "only a formation raises a position to Level {level}",
        )
        yield self.no_enemy_near, "13.1", "no enemy within {near:#hex}, so it cannot begin"
        yield self.demoralized, "13.1.2", "it is Demoralized"
        yield (
            self.is_unfit and self.unsupplied,
            "13.1.2",
            "only a unit that is In Supply may build Level {level}",
        )
        yield self.too_early, "13.1.3", "Level {level} cannot be begun before GT {turn}"


# --- the question -----------------------------------------------------------------------------------------------------


class DigInParameters(Parameters, frozen=True):
    """Parameters of the question `dig-in`."""

    unit: Annotated[UnitOrDecoy, note("the id")]
    points: Annotated[float, note("Movement Points spent on digging in now")] = 0
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on digging in; from the unit's marker if left out")
    ] = None
    spent: SpentBefore = None
    counter: CounterPhase = None
    home: Annotated[bool | None, note("whether the hex lies in its home country, where the map shows a ruin")] = None


class DigInResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on digging in."""

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
        MovementSpending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


def _report_digging(view: View, parameters: DigInParameters) -> Report[DigInResult]:
    """Return the report on digging in.

    Raises MissingFacts if a deciding fact is not stated, InputError if the unit is not on the map or cannot spend the
    points.
    """
    case = _read_case(view, parameters)
    unit, place, effort = case.unit.id, case.place, case.effort
    with view.gather() as facts:
        bars = list_bars_with(facts, case.bars_of_spending, case.bars)
        spends = read_unless(bars, lambda: case.spends)
        rebuilt = bool(read_unless(bars, lambda: case.is_rebuilt))
    if not bars and effort.before + effort.points:
        require_points(view, unit, spends, effort.before)
    title = f"Improved Position of {unit} in {place}"
    not_allowed = Part("Not allowed", tuple(bars))
    if case.current == case.most:
        no = verdict("no", "the position is at Level {most}", case)
        return Report(title=title, verdict=no, parts=(not_allowed,))
    level = PRINTED_LEVEL if rebuilt else case.current + 1
    cost = 0 if rebuilt and view.ruling("rebuilding-cost") == "none" else TASK_COST  # 13.1.1
    spent = effort.credited
    result = DigInResult(
        unit=unit,
        place=place,
        level=level,
        allowed=not bars,
        credited=min(spent, cost),
        missing=max(cost - spent, 0),
        rebuilds=rebuilt,
        shift=-level,
        check=-1 if level >= 2 else 0,
        hardship=1 if level == case.most else 0,
        bars=level >= MIN_FORMATION_LEVEL,
        spending=spends,
    )
    return Report(
        title=title,
        verdict=_choose_verdict(result, len(bars), effort.points),
        parts=(
            not_allowed,
            _work_part(result, cost, max(spent - cost, 0) if result.allowed else 0),
            _gain_part(result),
        ),
        changes=() if bars else _list_changes(case, result, cost),
        result=result,
    )


def _read_case(view: View, parameters: DigInParameters) -> Digging:
    unit, place = unit_on_map(view, parameters.unit)
    points = parse_points(parameters.points, "points")
    with view.gather() as facts:
        effort = read_effort(facts, unit, "position", points, parameters.spent, parameters.carried)
        current = level_in(facts, place)
        given = bool(effort.begun) or parameters.carried is not None or not current
        taken = 0 if given else points_on_position(facts, place)
        effort = replace(effort, begun=effort.begun + taken)
        bound = cannot_spend(facts, unit, "position", parameters.counter)
        bound += effort.first_steps + others_at_work(facts, unit, place)
    return Digging(
        view=view,
        unit=unit,
        place=place,
        effort=effort,
        counter=parameters.counter,
        bound=bound,
        current=current,
        home=parameters.home,
        taken=taken,
    )


def _choose_verdict(result: DigInResult, reasons: int, points: Fraction) -> Verdict:
    """Return the verdict.

    `reasons`: the number of bars.
    `points`: the points that the unit would spend now.
    """
    if result.allowed and not result.missing:
        return verdict("yes", "{unit} reaches Level {level}", result, reasons=reasons)
    if result.allowed:
        text = "{unit} needs {missing:#more Movement Point} for Level {level}"
    else:
        text = "{unit} may not work on Level {level}: {reasons:#reason}"
    kind: VerdictKind = "yes" if result.allowed else "no"
    if points:
        return verdict(kind, text, result, reasons=reasons)
    if result.allowed:
        text += " ({ask} spends them)"
    ask = f"dig-in {quoted(result.unit)} points={result.missing}"
    return verdict(kind, text, result, reasons=reasons, ask=ask)


def _list_changes(case: Digging, result: DigInResult, cost: int) -> tuple[Change, ...]:
    """Return the changes on the map.

    `cost`: the cost of the level.

    Raises MissingFacts if a position is rebuilt and the game turn is not stated.
    """
    view, unit, place = case.view, result.unit, result.place
    done = not result.missing
    changes = list[Change]()
    if done and result.rebuilds:
        with view.gather() as facts:
            fate = find_fate("rebuilt", facts.integer("turn"), friendly=True)
        changes += position_changes(view, place, *fate) if fate else []
    elif done:
        changes.append(changed(view, "ip", place, result.level, "13.1.1"))
    changes += mark_task(view, unit, "position", 0 if done else case.effort.credited)
    if case.taken or done:
        changes += clear_points(view, place, "13.1.1")
    changes += work_changes(view, unit, place, case.effort.used(cost))
    return tuple(changes)


def is_at_home(facts: Gather, unit: Unit, place: str) -> bool | None:
    """Return whether a hex lies in the home country of a unit, or None if the country is not stated.

    An ally's country counts by ruling rebuilding-home.

    Rule: 13.5.1
    """
    country = facts.view.fact("country", place)
    if country is None:
        return None
    nation = str(country.value)
    if nation == facts.word("nation", unit.id):
        return True
    allied = nation not in ("none", "romanian") and facts.view.game.side_of(nation) == side_of(facts, unit)
    return facts.view.ruling("rebuilding-home", allied) == "side" and allied


def others_at_work(facts: Gather, unit: Unit, place: str) -> list[Step]:
    """Return a line for each other unit that bars work on the position.

    Only one unit works on it in a phase. Another works on it by its marker, or has worked on it in this phase and may
    have finished a level or left.

    Rule: 13.1
    """
    others = [other.id for other in facts.view.stack(place) if other.id != unit.id]
    busy = [other for other in others if facts.integer("expended", other) and facts.word("task", other) == "position"]
    if busy:
        return [step("13.1", "{unit} works on it already", unit=other) for other in busy]
    has_worked = bool(read_account(facts, unit.id).spent.get("position"))
    if facts.flag(WORKED, place) and not has_worked:
        return [step("13.1", "another unit has worked on it in this phase")]
    return []


def points_on_position(facts: Gather, place: str) -> int:
    """Return the Movement Points on a marker on the position itself, or 0 if there is none.

    By a ruling any unit that works there continues from them.

    Rule: 13.1.1
    """
    points = facts.integer(POINTS, place)
    return points if points and facts.view.ruling("position-marker") == "position" else 0


def work_changes(view: View, unit: str, place: str, points: Fraction) -> list[Change]:
    """Return the changes by which a unit spends Movement Points on a position, or an empty list if it spends none.

    No other unit may work on the position in the same phase.

    Rule: 13.1
    """
    changes = list[Change]()
    if points and not view.flag(WORKED, place):
        changes.append(changed(view, WORKED, place, True, "13.1"))
    changes += spend_and_end(view, [unit], {"position": points}, rule="13.1.1")
    return changes


def _work_part(result: DigInResult, cost: int, over: int) -> Part:
    """Return the conditions of the work, and the points spent.

    `cost`: the cost of the level.
    `over`: the Movement Points beyond the cost.
    """
    text = "{cost:#Movement Point} for each level, carried over from phase to phase; "
    text += "until the level is complete the unit may not attack, and it loses the points if it is attacked"
    steps = [step("13.1", "only one unit per hex per phase may work on it"), step("13.1.1", text, cost=cost)]
    if result.rebuilds:
        text = "a ruined position of the map is rebuilt to Level {rebuilt} at once"
        steps.append(step("13.5.1", text, rebuilt=PRINTED_LEVEL))
    if result.spending and result.spending.spent:
        steps.append(spending_step(result.spending))
    if over:
        text = "{over:#Movement Point} beyond the cost of the level, not used here: ask again for the next level"
        steps.append(step("13.1.1", text, over=over))
    return Part("The work", tuple(steps))


def _gain_part(result: DigInResult) -> Part:
    """Return the benefits of a level of Field Works."""
    text = "Level {level}: the column shifts by {shift:+}, less what artillery negates; black retreats are ignored"
    further = (
        (result.check, "13.3.3", "checks of a stack that does not retreat: {check:+}"),
        (result.hardship, "13.3.2", "attackers' roll for step losses: {hardship:+}"),
        (result.bars, "13.2", "no enemy may move from its ZOC into the ZOC of another such position"),
    )
    steps = holding(further, result)
    return Part("What the position gives", (step("13.3.1", text, result), *steps))


QUESTION = declare(
    "dig-in",
    "whether a unit may build an Improved Position or raise its level, and what that costs and gives",
    _report_digging,
)
