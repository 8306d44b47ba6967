"""The question `rail`: the timetable of units that go by rail, the Rail Points that they cost, and when they can fight
(8.2, 17.2).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    declare,
    holding,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.question import WAY
from assistant.asking.sketch import Sketch, sketch_of
from assistant.rules.field import SideField, side_of
from assistant.rules.sketches import draw_zones, enemies_of
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import Allowed

from ..entering.consequences import follows_changes
from ..forces.account import read_account
from ..forces.bars import say_bars
from ..forces.leaders import format_reason_kept, leaves_eighth, may_be_kept
from ..forces.objectives import is_sought
from ..forces.unit import unit_on_map
from ..fortresses.warsaw import bars_garrison_end, is_of_garrison
from ..ground.calendar import CounterPhase, why_no_movement
from ..ground.hexsides import around_side, field
from ..ground.phases import MovementPhase
from ..leaders.francois import CLOSE, KEEPS
from ..leaders.khan import MOVES
from ..railways.lines import RailLines, read_lines
from ..railways.losses import lost_since_movement
from ..railways.moments import moments_from, read_now
from ..railways.rail_points import Purse, RailPool, pools_after, read_pools, serves_warsaw
from ..railways.routes import rate_now
from ..railways.stations import Yards, station_capacity
from ..railways.transport import Timetable, Train, late_entraining, timetables
from ..terms import SUPPLY_ARMS
from .march.dice import Thrown, dice_steps, dice_to_come, format_dice, throw_for_leaders, with_dice
from .march.ends import steps_against_ends
from .rail_changes import list_changes_at_once, list_present_changes
from .timetable import UnitByRail, conclude, route_arrows, timetable_spots, unit_by_rail, unit_steps
from .train_plans import Planning, Run, steps_about, why_detour, why_unit_stays
from .trains import heed_zones, read_train

# --- parameters and result --------------------------------------------------------------------------------------------


class RailParameters(Parameters, frozen=True):
    """Units that go by rail."""

    units: Annotated[tuple[UnitName, ...], note("the units, in the order in which they use stations and Rail Points")]
    to: Annotated[
        tuple[PlaceName, ...],
        note(
            "the RR Station to which they go, or one for each; units in Rail Mode name only a new one, and units that "
            "do not complete entraining in this phase need none",
            WAY,
        ),
    ] = ()
    via: Annotated[tuple[PlaceName, ...], note("hexes through which the route of a unit is to lead", WAY)] = ()
    rate: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=99)] | None,
        note("RR hexes per Movement Point this turn, and in later turns that the turn record does not show"),
    ] = None
    gauge: Annotated[
        Literal["", "broad", "standard"],
        note("the lines by which Russian units leave, if those of either gauge lead there equally well"),
    ] = ""
    warsaw: Annotated[
        bool, note("whether Warsaw points are used before those of European gauge, where either may be")
    ] = True
    changed: Annotated[
        tuple[PlaceName, ...],
        note(
            "hexes of the RR line that the enemy has taken since its side's last movement phase, besides those that "
            "the position records"
        ),
    ] = ()
    displace: Annotated[
        PlaceName | None, note("the hex to which a unit in Rail Mode that is cut off from its destination displaces")
    ] = None
    counter: CounterPhase = None


class RailResult(msgspec.Struct, frozen=True, kw_only=True):
    """The timetables of some units."""

    allowed: Allowed
    units: Annotated[tuple[UnitByRail, ...], note("in the order in which they were named")] = ()


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: RailParameters, answers: Answers) -> Report[RailResult]:
    """Return the report on units that go by rail: each phase until they have detrained; if they may go, first their
    leaders' dice of this phase alone.

    Raises MissingFacts for what is not stated and matters, InputError for units that do not go together, and for one
    that never goes by rail; AnswerError for dice of others.
    """
    units = _check_units(view, parameters.units)
    title = f"{', '.join(unit.id for unit in units)} by rail"
    with view.gather() as facts:
        now = read_now(view, side_of(facts, units[0]), parameters.counter)
        standing = _list_bars_to_all(facts, units, now, parameters.counter)
    if standing:
        return _refuse(title, standing)
    thrown = throw_for_leaders(view, units, answers) if now.present else Thrown()
    if thrown.asks:
        free = _run_trains(view, units, now, title, parameters)
        if free.verdict.kind == "no":
            return free
        now_due = verdict("figure", "{dice} first", dice=format_dice(thrown))
        parts = (Part("Leaders", tuple(dice_steps(thrown))),)
        return Report(title=title, verdict=now_due, parts=parts, asks=thrown.asks, result=RailResult(allowed=False))
    after = thrown.after(view)
    report = _run_trains(after, [after.unit(unit.id) for unit in units], now, title, parameters)
    return with_dice(report, thrown)


def _list_bars_to_all(facts: Gather, units: Sequence[Unit], now: MovementPhase, counter: bool | None) -> list[Step]:
    """Return why units do not go by rail, whatever their route. counter: as for `why_no_movement`."""
    reasons = list[Step]()
    if now.present:
        reasons += say_bars(why_no_movement(facts.view, side_of(facts, units[0]), counter))
    for unit in units:
        account = read_account(facts.view, unit.id)
        reasons += steps_about(unit.id, why_unit_stays(facts, unit, account, present=now.present))
    return reasons


def _run_trains(
    view: View, units: Sequence[Unit], now: MovementPhase, title: str, parameters: RailParameters
) -> Report[RailResult]:
    """Return the report on units whose leaders' dice are known. Raises MissingFacts and InputError as `answer` does."""
    accounts = [read_account(view, unit.id) for unit in units]
    with view.gather() as facts:
        reasons = _list_bars_to_all(facts, units, now, parameters.counter)
    if reasons:
        return _refuse(title, reasons)
    with view.gather() as facts:
        side = side_of(facts, units[0])
        trains = [read_train(facts, unit, account) for unit, account in zip(units, accounts, strict=True)]
        around = around_side(facts, side)
    late_units = late_entraining(trains, _read_yards(view, now), counter=now.counter) if now.present else frozenset()
    goals = _list_destinations(trains, parameters.to, late_units)
    runs = list[Run]()
    for train, account in zip(trains, accounts, strict=True):
        attacks = view.word("arm", train.unit) not in SUPPLY_ARMS
        runs.append(Run(train, account, attacks=attacks, waits=train.unit in late_units))
    rate = parameters.rate or rate_now(view)
    lost = lost_since_movement(view, side, now.turn, now.phasing, counter=now.counter)
    lines = read_lines(view, side, around, rate, {*parameters.changed, *lost})
    with view.gather() as facts:
        lines = heed_zones(facts, lines, trains, goals)
        planning = Planning(facts, lines, parameters.via, parameters.gauge, parameters.displace)
        runs = planning.plan_runs(runs, goals)
    chosen = bool(parameters.via or parameters.gauge)  # or else each route is the cheapest
    for run in runs:
        reasons += run.reasons
        if chosen:
            reasons += why_detour(lines, run)
    if reasons:
        return _refuse(title, reasons)
    return _report_runs(lines, runs, now, title, parameters)


def _check_units(view: View, names: Sequence[str]) -> list[Unit]:
    """Return the units that go. Raises InputError for none, for one that is named twice or not on the map, and for
    units of two sides.
    """
    if not names:
        raise InputError("units: no unit is named", hint="name the units that go by rail")
    units = [unit_on_map(view, name)[0] for name in names]
    if len({unit.id for unit in units}) < len(units):
        raise InputError("units: a unit is named twice", hint="name each once")
    if len({view.side_of(unit.id) for unit in units} - {""}) > 1:
        raise InputError("units: the units are of both sides", hint="ask for the trains of one side at a time")
    return units


def _list_destinations(trains: Sequence[Train], to: Sequence[str], late: Collection[str]) -> list[str]:
    """Return the destination that is named for each train, "" for a train that keeps the destination that it has, or
    that does not complete entraining yet. late: the units that do not.

    Raises InputError for another number of destinations than trains, and for a train without any.
    """
    if len(to) not in (0, 1, len(trains)):
        raise InputError(f"to: {len(to)} destinations for {len(trains)} units", hint="name one, or one for each")
    named = list(to) if len(to) == len(trains) else [to[0] if to else ""] * len(trains)
    for train, hex in zip(trains, named, strict=True):
        if not hex and train.unit not in late and not (train.aboard and train.destination):
            raise _refuse_without_destination(train.unit)
    return named


def _refuse_without_destination(unit: str) -> InputError:
    """Return the error that a unit needs a destination that is not named."""
    return InputError(f"to: the destination of {unit} is not named", hint="to=HEX, an RR Station")


def _refuse(title: str, reasons: Sequence[Step]) -> Report[RailResult]:
    """Return the report on units that do not go by rail."""
    return refused(title, "not possible by rail", reasons, result=RailResult(allowed=False))


def _report_runs(
    lines: RailLines, runs: Sequence[Run], now: MovementPhase, title: str, parameters: RailParameters
) -> Report[RailResult]:
    """Return the report on units whose routes are known."""
    view = lines.view
    tables = _find_timetables(lines, runs, now, _find_warsaw_stations(lines, runs) if parameters.warsaw else ())
    for run, table in zip(runs, tables, strict=True):
        if run.waits and not run.train.destination and (table.stages[0].train.aboard or table.stages[0].arrived):
            raise _refuse_without_destination(run.train.unit)  # one named before it makes room for it at the station
    first = {run.train.unit: table.stages[0] for run, table in zip(runs, tables, strict=True)}
    ends = {unit: stage.train.place for unit, stage in first.items() if stage.hexes}
    against = [*_list_kept_units(view, tables), *steps_against_ends(view, ends)] if now.present else []
    against += steps_against_destinations(view, runs, against)
    if against:
        return _refuse(title, against)
    _note_later_dice(view, tables, present=now.present)
    shown = tuple(unit_by_rail(run, table) for run, table in zip(runs, tables, strict=True))
    result = RailResult(allowed=True, units=shown)
    reasons = [line for run, table in zip(runs, tables, strict=True) for line in lacking_now(run, table)]
    if len(reasons) == len(runs):
        return refused(title, "the Rail Points do not suffice", reasons, result=replace(result, allowed=False))
    _suppose_lines(view, runs)
    _suppose_gauges(lines, runs)
    changes = list_present_changes(view, runs, tables) if now.present else [*list_changes_at_once(view, runs)]
    following = follows_changes(view, changes, _find_way_past_enemies(lines.around, tables) if changes else ())
    return Report(
        title=title,
        verdict=conclude(view, shown),
        parts=(
            Part("Their moves begin again", tuple(reasons)),
            *(
                Part(unit.unit, tuple(unit_steps(view, lines, run, unit)))
                for run, unit in zip(runs, shown, strict=True)
            ),
            *following.parts(view),
            _pools_part(view, tables),
        ),
        changes=(*changes, *following.changes),
        result=result,
    )


def _find_timetables(
    lines: RailLines, runs: Sequence[Run], now: MovementPhase, warsaw: Collection[str]
) -> list[Timetable]:
    """Return what each train does in each phase. warsaw: the stations where Warsaw points may be used."""
    view = lines.view
    nations = dict.fromkeys(run.train.nation for run in runs)

    def find_pools_after(turn: int) -> Purse:
        pools = dict[RailPool, Fraction | None]()
        for nation in nations:
            pools |= pools_after(view, nation, turn)
        return pools

    return timetables(
        [run.train if now.present else run.train.afresh for run in runs],
        [run.way for run in runs],
        moments_from(view, now, lines.side, lines.rate),
        _read_yards(view, now),
        read_pools(view, *nations),
        warsaw,
        renewed=find_pools_after,
        since=view.integer("turn"),
    )


def _list_kept_units(view: View, tables: Sequence[Timetable]) -> list[Step]:
    """Return the Asset Units that would leave the area of the Eighth Army in the first phase, in which Francois keeps
    them.
    """
    with view.gather() as facts:
        trains = [(view.unit(table.stages[0].train.unit), table.stages[0].hexes) for table in tables]
        kept = [(unit, hexes) for unit, hexes in trains if hexes and may_be_kept(facts, unit)]
        out = [unit.id for unit, hexes in kept if any(leaves_eighth(facts, unit, hex) for hex in hexes)]
    return [step(KEEPS, "{why}", why=format_reason_kept(unit)) for unit in out]


def steps_against_destinations(view: View, runs: Sequence[Run], known: Sequence[Step]) -> list[Step]:
    """Return the units of the Warsaw Garrison whose journey would end where they may not end their movement, but for
    units that something bars already. known: what does. Rule: 24.1.2
    """
    barred = {line.figures.get("unit") for line in known}
    trains = [run.train for run in runs if run.train.destination and run.train.unit not in barred]
    with view.gather() as facts:
        own = [train for train in trains if is_of_garrison(facts, view.unit(train.unit))]
        bars = [bars_garrison_end(facts, train.unit, train.destination) for train in own]
    return [bar for bar in bars if bar]


def _note_later_dice(view: View, tables: Sequence[Timetable], *, present: bool) -> None:
    """Note the units that will roll for leaders in phases to come, each while its leader commands. present: whether the
    first phase of the timetables is that of the position, whose die is known.
    """
    led = list[str]()
    corps = False
    with view.gather() as facts:
        for table in tables:
            turns = {stage.moment.turn for stage in (table.stages[1:] if present else table.stages)}
            rolling, held = dice_to_come(facts, [view.unit(table.stages[0].train.unit)], turns)
            led += rolling
            corps = corps or held
    if led:
        text = (
            "in later phases the timetable gives {units} the whole Movement Allowance, before the dice for Khan "
            "Nakhichevanski"
        )
        view.premises.assume(step(MOVES, text, units=led))
    if corps:
        view.premises.assume(step(CLOSE, "in later phases the German 1st Corps does not roll a 6"))


def _find_way_past_enemies(around: SideField, tables: Sequence[Timetable]) -> tuple[str, ...]:
    """Return the hexes of the longest way of the first phase where something may follow from it: those next to enemies,
    objectives of a Strategic Plan, and its end; on their own line trains change nothing else.
    """
    way = max((table.stages[0].hexes for table in tables), key=len, default=())
    matters = (hex for hex in way[:-1] if around.next_to_enemy(hex) or is_sought(around.view, hex, around.side))
    return (*matters, *way[-1:])


def _find_warsaw_stations(lines: RailLines, runs: Sequence[Run]) -> frozenset[str]:
    """Return the stations of these routes where units pay and Warsaw points may be used; the lines over which they are
    joined to Warsaw are a ruling (17.2.1).
    """
    if not lines.gauged:
        return frozenset()
    hexes = {run.train.place for run in runs}
    for run in runs:
        hexes |= {leg.hex for leg in run.way.legs if leg.is_change}
    by_any = frozenset(hex for hex in hexes if serves_warsaw(lines.net, hex, "any"))
    by_european = frozenset(hex for hex in hexes if serves_warsaw(lines.net, hex, "european"))
    return by_any if lines.view.ruling("warsaw-line", by_any != by_european) == "any" else by_european


def _read_yards(view: View, now: MovementPhase) -> Yards:
    """Return what the stations have done in the phase of the position, nothing in a later one."""
    capacity = station_capacity(counter=now.counter)
    queuing = view.flag("queuing")
    if not now.present:
        return Yards(capacity, queuing=queuing)
    used = _read_station_points(view, "station-used")
    busy = _read_station_points(view, "station-busy")
    return Yards(capacity, used, busy if queuing else {}, queuing)


def _read_station_points(view: View, track: str) -> dict[str, Fraction]:
    """Return what is stated of the stations in a track of points, by hex."""
    return {hex: view.points(track, hex) for name, hex in view.stated if name == track}


def lacking_now(run: Run, table: Timetable) -> list[Step]:
    """Return a line for a unit that would entrain in the first phase without the Rail Points: its move alone begins
    anew. Rule: 8.2.3e
    """
    first = table.stages[0]
    text = (
        "{unit} needs {due:#Rail Point}[broad: of Russian gauge][standard: of European gauge] in {hex}, {missing} more "
        "than it can use there"
    )
    train = first.train
    gauge = run.way.gauge if train.nation == "russian" else ""
    return holding(
        [(first.lacking and not first.wasted and not train.aboard, "8.2.3", text)],
        unit=train.unit,
        due=train.cost,
        broad=gauge == "broad",
        standard=gauge == "standard",
        hex=train.place,
        missing=first.lacking,
    )


def _suppose_lines(view: View, runs: Sequence[Run]) -> None:
    """Note the hexes of routes whose RR line counts as operational although that is not stated, on a map that is typed."""
    if view.board.hexes:
        return
    hexes = dict[str, None]()
    for run in runs:
        hexes |= dict.fromkeys((run.train.place, *run.way.hexes))
    unstated = [hex for hex in hexes if not view.word("operational", hex)]
    if unstated:
        view.premises.assume(
            step("17.1.1", "friendly operational RR lines lead through {hexes} (not stated)", hexes=unstated)
        )


def _pools_part(view: View, tables: Sequence[Timetable]) -> Part:
    """Return the pools that pay although it is not known what is left in them, which is assumed."""
    steps = dict[str, Step]()
    for table in tables:
        for stage, purse in zip(table.stages, table.purses, strict=True):
            for pool in stage.paid:
                if purse.get(pool) is None:
                    if view.fact(pool.kind, pool.nation) is not None:
                        why = f"those that it has in GT {stage.moment.turn} are not in the turn record"
                    else:
                        why = f"nation {pool.nation} {pool.kind}=NUMBER is not stated"
                    text = "the {nation} side has the Rail Points that it spends ({why})"
                    line = step("8.2.1", text, nation=view.title_of(pool.nation), why=why)
                    steps[line.text] = line
    return Part("Assumed", tuple(steps.values()), brief="; ".join(steps))


def _suppose_gauges(lines: RailLines, runs: Sequence[Run]) -> None:
    """Note the lines of routes of which gauge is not stated, where it matters."""
    if not lines.gauged:
        return
    unstated = dict[str, None]()
    for run in runs:
        for here, there in pairwise((run.train.place, *run.way.hexes)):
            over = hexside(here, there)
            if over in lines.net.tracks and not lines.net.gauges.get(over):
                unstated[over] = None
    if unstated:
        lines.view.premises.assume(
            step("17.2", "{hexsides} are of Russian gauge (gauge not stated)", hexsides=[*unstated])
        )


def _sketch(view: View, report: Report[RailResult]) -> Sketch:
    """Return the routes of units, with where each is as its phases end, and the enemy's zones of control; the map with
    all units for those that do not go by rail.
    """
    units = report.shown.units
    side = view.side_of(units[0].unit) if units else ""
    places = (unit.place for unit in view.units() if not units and unit.place)
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(timetable_spots(view, units)),
        arrows=tuple(arrow for unit in units for arrow in route_arrows(view, unit, side)),
        zones=draw_zones(view, field, enemies_of(view, side)) if units else (),
        words={"way": "the route", "passed": "where a unit is as a phase ends", "end": "where it has detrained"},
        focus=tuple(filter(view.board.is_hex, places)),
    )


QUESTION = declare(
    "rail",
    "when units that go by rail arrive and can attack, and what they cost in Rail Points",
    answer,
    {
        "khan.UNIT": "the die of a unit of the Russian 1st Cavalry Corps as it begins to move",
        "francois": "the die of the German 1st Corps as its first unit begins to move",
    },
    decision=None,
    sketch=_sketch,
)
