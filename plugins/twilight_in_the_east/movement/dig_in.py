"""The question `dig-in`: whether a unit may build or raise an Improved Position where it stands, and what that costs
and gives (13.1 to 13.3).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Parameters, UnitOrDecoy, declare, holding, note, read_unless
from assistant.asking.asks import Ask
from assistant.asking.report import Part, Report, Step, Verdict, VerdictKind, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitHex, UnitId
from assistant.util.errors import quoted

from ..forces.account import read_account, spend_and_end
from ..forces.armies import is_asset_unit
from ..forces.markers import COST, mark_task
from ..forces.movement_points import SpentBefore, cannot_spend, parse_points
from ..forces.spending import Effort, MovementSpending, measure_spending, read_effort, require_points, spending_step
from ..forces.unit import is_unit_demoralized, suffers, supply_status, unit_on_map
from ..ground.calendar import CounterPhase
from ..ground.hexsides import field
from ..ground.works import LATER, POINTS, PRINTED, clear_points, find_fate, level_in, position_changes

LEVELS = range(1, 5)
WORKED = "worked-on"
"""The track of a hex on whose position a unit has worked in this phase."""
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
    """A unit that digs in, in plain values."""

    arm: str
    nation: str
    formation: bool
    demoralized: bool
    supply: str
    turn: int
    distance: Annotated[int | None, note("hexes to the nearest enemy, None if there is none")]
    ruling: Annotated[
        Callable[[str, bool], str], note("from a ruling, and whether it matters, to the reading that holds")
    ]
    begun: Annotated[bool, note("whether work on the level has begun already")] = False
    ruins: Annotated[bool, note("whether a position of the map is in ruins in its hex, which it would rebuild")] = False
    home: Annotated[bool, note("whether that is in its home country")] = False
    raised: Annotated[
        int | None, note("from which game turn a rebuilt position is raised to Level 4, None for any other")
    ] = None

    @property
    def rebuilt(self) -> tuple[bool, int] | None:
        """What the ruins become if it rebuilds them, see `find_fate`; None if it builds a position of its own."""
        return find_fate("rebuilt", self.turn, friendly=self.home) if self.ruins else None

    @property
    def cost(self) -> int:
        """The Movement Points that its next level takes (13.1.1)."""
        return 0 if self.rebuilt and self.ruling("rebuilding-cost", True) == "none" else COST


def reasons_against(digger: Digger, level: int) -> list[Step]:
    """Return every rule against building or raising a position to a level. Rule: 13.1b, 13.1.2, 13.1.3"""
    rebuilt = digger.rebuilt
    begins = not digger.begun
    infantry = digger.arm == "infantry"
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


# --- the question -----------------------------------------------------------------------------------------------------


class DigInParameters(Parameters, frozen=True):
    """A unit that digs in where it stands."""

    unit: Annotated[UnitOrDecoy, note("its id")]
    points: Annotated[float, note("Movement Points spent on digging in now")] = 0
    carried: Annotated[
        int | None, note("Movement Points that earlier phases spent on digging in; from the unit's marker if left out")
    ] = None
    spent: SpentBefore = None
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
        MovementSpending | None, note("what the unit spends in the phase, null where its allowance is not stated")
    ] = None


def _report_digging(view: View, parameters: DigInParameters) -> Report[DigInResult]:
    """Return the report on digging in.

    Raises MissingFacts for what matters and is not stated, InputError for a unit that is not on the map and points that
    it cannot spend or have spent.
    """
    unit, place = unit_on_map(view, parameters.unit)
    points = parse_points(parameters.points, "points")
    with view.gather() as facts:
        effort = read_effort(facts, unit, "position", points, parameters.spent, parameters.carried)
        current = level_in(facts, place)
        given = bool(effort.begun) or parameters.carried is not None or not current
        taken = 0 if given else points_on_position(facts, place)
        effort = replace(effort, begun=effort.begun + taken)
        barred = cannot_spend(facts, unit, "position", parameters.counter)
        spends = measure_spending(facts, unit, effort.before + effort.used(), "position", parameters.counter)
        others = barred + effort.first_steps + others_at_work(facts, unit, place)
        last = _read_digger(facts, unit, place, begun=effort.begun > 0)
        standing = others + reasons_against(last, current + 1)
        digger = read_unless(standing, lambda: _add_turn(view, parameters, unit, place, last, current)) or last
    level = PRINTED if digger.rebuilt else current + 1
    reasons = others + reasons_against(digger, level)
    if not reasons and effort.before + points:
        require_points(view, unit.id, spends, effort.before)
    title = f"Improved Position of {unit.id} in {place}"
    if level not in LEVELS:
        no = verdict("no", "the position is at Level {most}", most=LEVELS[-1])
        return Report(title=title, verdict=no, parts=(Part("Not allowed", tuple(reasons)),))
    spent = effort.credited
    result = DigInResult(
        unit=unit.id,
        place=place,
        level=level,
        allowed=not reasons,
        credited=min(spent, digger.cost),
        missing=max(digger.cost - spent, 0),
        rebuilds=digger.rebuilt is not None,
        shift=-level,
        check=-1 if level >= 2 else 0,
        hardship=1 if level == LEVELS[-1] else 0,
        bars=level >= FORMATION,
        spending=spends,
    )
    return Report(
        title=title,
        verdict=_choose_verdict(result, len(reasons), points),
        parts=(
            Part("Not allowed", tuple(reasons)),
            _work_part(digger, spends, max(spent - digger.cost, 0) if result.allowed else 0),
            _gain_part(result),
        ),
        changes=() if reasons else _list_changes(view, result, digger, effort, taken),
        result=result,
    )


def _choose_verdict(result: DigInResult, reasons: int, points: Fraction) -> Verdict:
    """Return the answer in a line. reasons: how many there are against it; points: that the unit would spend now."""
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


def _list_changes(view: View, result: DigInResult, digger: Digger, effort: Effort, taken: int) -> tuple[Change, ...]:
    """Return what changes on the map. taken: the Movement Points of a marker that lies on the position itself."""
    unit, place = result.unit, result.place
    done = not result.missing
    changes = list[Change]()
    if done and digger.rebuilt:
        changes += position_changes(view, place, *digger.rebuilt)
    elif done:
        changes.append(changed(view, "ip", place, result.level, "13.1.1"))
    changes += mark_task(view, unit, "position", 0 if done else effort.credited)
    if taken or done:
        changes += clear_points(view, place, "13.1.1")
    changes += work_changes(view, unit, place, effort.used(digger.cost))
    return tuple(changes)


def _read_digger(facts: Gather, unit: Unit, place: str, *, begun: bool) -> Digger:
    """Return the unit in the last game turn, in which every level may be begun, and with no ruin in its hex."""
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


def is_at_home(facts: Gather, unit: Unit, place: str) -> bool | None:
    """Return whether a hex lies in the home country of a unit, by the country that is stated for it; None where none
    is. In an ally's country it does by ruling rebuilding-home. Rule: 13.5.1
    """
    country = facts.view.fact("country", place)
    if country is None:
        return None
    nation = str(country.value)
    if nation == facts.word("nation", unit.id):
        return True
    allied = nation not in ("none", "romanian") and facts.view.game.side_of(nation) == side_of(facts, unit)
    return facts.view.ruling("rebuilding-home", allied) == "side" and allied


def _add_turn(view: View, parameters: DigInParameters, unit: Unit, place: str, digger: Digger, level: int) -> Digger:
    """Return the unit in the present game turn, with the ruin in its hex. level: the level that the hex has. Raises
    MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        ruins = facts.word("printed-ip", place) not in ("", "none") and facts.flag("ruined", place) and not level
        home = parameters.home if parameters.home is not None or not ruins else is_at_home(facts, unit, place)
        if ruins and home is None:
            title = f"whether {place} lies in the home country of {unit.id}"
            facts.ask(Ask(kind="parameter", name="home", rule="13.5.1", title=title, how="home=yes|no"))
        return replace(
            digger,
            turn=facts.integer("turn") if level > 1 or ruins else 1,
            ruins=ruins,
            home=bool(home),
            raised=_find_turn_of_raising(facts, unit, place) if level + 1 == LEVELS[-1] else None,
        )


def others_at_work(facts: Gather, unit: Unit, place: str) -> list[Step]:
    """Return what says that another unit works on the position of the hex, as its marker says, or has worked on it in
    this phase and may have finished a level or left: one unit a phase does.
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
    """Return the Movement Points on a marker that lies on the position itself, with which whichever unit works there
    goes on, by a ruling; 0 if none lies there. Rule: 13.1.1
    """
    points = facts.integer(POINTS, place)
    return points if points and facts.view.ruling("position-marker") == "position" else 0


def work_changes(view: View, unit: str, place: str, points: Fraction) -> list[Change]:
    """Return the changes by which a unit spends Movement Points on the position of a hex, on which no other unit works
    in this phase; none for no points. Rule: 13.1
    """
    changes = list[Change]()
    if points and not view.flag(WORKED, place):
        changes.append(changed(view, WORKED, place, True, "13.1"))
    changes += spend_and_end(view, [unit], {"position": points}, rule="13.1.1")
    return changes


def _find_turn_of_raising(facts: Gather, unit: Unit, place: str) -> int | None:
    """Return the game turn from which a position of the map that its side has rebuilt may be raised to Level 4, a
    ruling; None for any other position, which waits for the turn of all (13.1.3, 13.5.1).
    """
    if facts.word("printed-ip", place) != side_of(facts, unit) or not facts.flag("ruined", place):
        return None
    return LATER + 1 if facts.view.ruling("rebuilt-level-4") == "own" else None


def _work_part(digger: Digger, spends: MovementSpending | None, over: int) -> Part:
    """Return what holds for the work itself, and what the unit spends on it, in words. over: Movement Points beyond
    what the level takes.
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
        text = "{over:#Movement Point} beyond the cost of the level, not used here: ask again for the next level"
        steps.append(step("13.1.1", text, over=over))
    return Part("The work", tuple(steps))


def _gain_part(result: DigInResult) -> Part:
    """Return what a level is worth, in words."""
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
