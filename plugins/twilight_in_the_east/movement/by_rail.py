"""The question `rail`: timetables of units, Rail Points, and when units can fight (8.2, 17.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
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
    Verdict,
    View,
    declare,
    holding,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.question import WAY, Moves
from assistant.asking.report import MissingFacts, VerdictKind
from assistant.asking.sketch import Arrow, Role, Sketch, Spot, sketch_of, way_of
from assistant.asking.view import changed
from assistant.asking.wording import fill
from assistant.rules.field import SideField, side_of
from assistant.rules.sketches import draw_zones, enemies_of
from assistant.state.changes import Change
from assistant.state.points import format_amounts, format_points
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import Allowed, UnitId

from ..entering.consequences import follows_changes
from ..forces.account import SpendingPurpose, end_moves, read_account, spend
from ..forces.bars import say_bars
from ..forces.leaders import format_reason_kept, leaves_eighth, may_be_kept
from ..forces.markers import BY_RAIL, mark_half, mark_task, marker_of
from ..forces.movement_points import printed_points
from ..forces.objectives import is_sought
from ..forces.unit import unit_on_map
from ..fortresses.warsaw import bars_garrison_end, is_of_garrison
from ..ground.calendar import (
    ATTACK_PHASES,
    MOVEMENT_PHASES,
    PHASES,
    CounterPhase,
    MovementPhase,
    first_phase,
    phase_of,
    phases,
    player_order,
    why_no_movement,
)
from ..ground.hexsides import around_side, field
from ..leaders.francois import CLOSE_RULE, KEEPS_RULE
from ..leaders.khan import COMMAND_EFFECTS_RULE
from ..railways.lines import RailLines, read_lines
from ..railways.losses import lost_since_movement
from ..railways.rail_points import POOL_TITLES, Purse, RailPool, pools_after, read_pools, serves_warsaw
from ..railways.routes import rail_points, rate_now, read_rate
from ..railways.stations import Yards, station_capacity
from ..railways.transport import Stage, Timetable, Train, TrainPhase, first_battle, late_entraining, timetables
from ..terms import DEPOTS, SUPPLY_ARMS
from .march.dice import LeaderDice, dice_steps, dice_to_come, format_dice, throw_for_leaders, with_dice
from .march.ends import steps_against_ends
from .trains import (
    RAIL_RULE,
    Planning,
    Run,
    bar_zones_to_guns,
    read_train,
    steps_about,
    why_detour,
    why_unit_stays,
)

ACTIVITIES: Mapping[SpendingPurpose, str] = {
    "entraining": "entrain",
    "rail": "move",
    "trans-shipping": "trans-ship",
    "detraining": "detrain",
    "waiting": "wait in the queue",
}
"""The words for activities that cost Movement Points."""

# --- parameters and result --------------------------------------------------------------------------------------------


class RailParameters(Parameters, frozen=True):
    """Parameters of the question `rail`."""

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


class RailPhase(msgspec.Struct, frozen=True, kw_only=True):
    """One phase of a unit's timetable."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("movement or counter-movement")]
    place: Annotated[str, note("the hex where the unit is at the end of the phase")]
    hexes: Annotated[tuple[str, ...], note("the hexes that it enters")] = ()
    spent: Annotated[
        Mapping[str, Fraction],
        note("the Movement Points: entraining, rail, trans-shipping, detraining, or waiting in a queue"),
    ]
    left: Annotated[Fraction, note("Movement Points that it has left then")]
    aboard: Annotated[bool, note("whether it is in Rail Mode at the end of the phase")]
    task: Annotated[str, note("what it has begun and not completed")] = ""
    marker: Annotated[int, note("Movement Points on its MPs Expended marker")] = 0
    off_map: Annotated[int, note("hexes behind it on an off-map line, 0 for a unit on the map")] = 0
    paid: Annotated[Mapping[str, Fraction], note("Rail Points that it costs, by pool")]
    pools: Annotated[Mapping[str, Fraction | None], note("Rail Points left then, by pool; null where not known")]
    stations: Annotated[Mapping[str, Fraction], note("Rail Cost Points that the stations it uses can serve then")]


class RailTime(msgspec.Struct, frozen=True):
    """A phase of a game turn, as a time in a timetable."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("the word, such as attack")]


class UnitByRail(msgspec.Struct, frozen=True, kw_only=True):
    """The timetable of a unit."""

    unit: UnitId
    destination: Annotated[
        str, note("the RR Station to which it goes, empty if it does not complete entraining yet and has to name none")
    ]
    route: Annotated[tuple[str, ...], note("the hexes of its route, in order")] = ()
    hexes: Annotated[int, note("the hexes of its route, those of single track counted twice")] = 0
    phases: Annotated[tuple[RailPhase, ...], note("where it is and what it spends, phase by phase")] = ()
    paid: Annotated[Mapping[str, Fraction], note("all Rail Points that it costs, by pool")] = {}
    lacking: Annotated[Fraction, note("Rail Points that are missing")] = msgspec.field(default_factory=Fraction)
    arrives: Annotated[RailTime | None, note("the phase in which it has detrained, null if it does not get so far")] = (
        None
    )
    fights: Annotated[
        RailTime | None, note("the first attack phase in which it can attack, null for a Corps Train, which never does")
    ] = None


class RailResult(msgspec.Struct, frozen=True, kw_only=True):
    """The timetables of some units."""

    allowed: Allowed
    units: Annotated[tuple[UnitByRail, ...], note("the units in the order in which they were named")] = ()


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: RailParameters, answers: Answers) -> Report[RailResult]:
    """Return the report on units that move by rail: each phase until they have detrained.

    If the units may go, their leaders' dice for this phase are rolled first.

    Raises MissingFacts if a deciding fact is not stated.
    Raises AnswerError if an answer is for a die that the units do not roll.
    Raises InputError if the units do not go together, or one never goes by rail.
    """
    units = _check_units(view, parameters.units)
    title = f"{', '.join(unit.id for unit in units)} by rail"
    with view.gather() as facts:
        now = _read_now(view, side_of(facts, units[0]), parameters.counter)
        standing = _list_bars_to_all(facts, units, now, parameters.counter)
    if standing:
        return _refuse(title, standing)
    dice = throw_for_leaders(view, units, answers) if now.present else LeaderDice()
    if dice.asks:
        free = _run_trains(view, units, now, title, parameters)
        if free.verdict.kind == "no":
            return free
        now_due = verdict("figure", "{dice} first", dice=format_dice(dice))
        parts = (Part("Leaders", tuple(dice_steps(dice))),)
        return Report(title=title, verdict=now_due, parts=parts, asks=dice.asks, result=RailResult(allowed=False))
    after = dice.after(view)
    report = _run_trains(after, [after.unit(unit.id) for unit in units], now, title, parameters)
    return with_dice(report, dice)


def _list_bars_to_all(facts: Gather, units: Sequence[Unit], now: MovementPhase, counter: bool | None) -> list[Step]:
    """Return why units do not go by rail, whatever their route."""
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
    """Return the report on units whose leaders' dice are rolled."""
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
        lines = bar_zones_to_guns(facts, lines, trains, goals)
        planning = Planning(facts, lines, parameters.via, parameters.gauge, parameters.displace)
        runs = planning.plan_runs(runs, goals)
    chosen = bool(parameters.via or parameters.gauge)  # without these parameters each route is the cheapest
    for run in runs:
        reasons += run.reasons
        if chosen:
            reasons += why_detour(lines, run)
    if reasons:
        return _refuse(title, reasons)
    return _report_runs(lines, runs, now, title, parameters)


def _check_units(view: View, names: Sequence[str]) -> list[Unit]:
    if not names:
        raise InputError("units: no unit is named", hint="name the units that go by rail")
    units = [unit_on_map(view, name)[0] for name in names]
    if len({unit.id for unit in units}) < len(units):
        raise InputError("units: a unit is named twice", hint="name each once")
    if len({view.side_of(unit.id) for unit in units} - {""}) > 1:
        raise InputError("units: the units are of both sides", hint="ask for the trains of one side at a time")
    return units


def _list_destinations(trains: Sequence[Train], to: Sequence[str], late: Collection[str]) -> list[str]:
    """Return the destination named for each train, or "" if it keeps its own or does not complete entraining yet.

    `late`: ids of the units that do not complete entraining.

    Raises InputError if the number of destinations is neither one nor that of the trains, or a train has none.
    """
    if len(to) not in (0, 1, len(trains)):
        raise InputError(f"to: {len(to)} destinations for {len(trains)} units", hint="name one, or one for each")
    named = list(to) if len(to) == len(trains) else [to[0] if to else ""] * len(trains)
    for train, hex in zip(trains, named, strict=True):
        if not hex and train.unit not in late and not (train.aboard and train.destination):
            raise _refuse_without_destination(train.unit)
    return named


def _refuse_without_destination(unit: str) -> InputError:
    return InputError(f"to: the destination of {unit} is not named", hint="to=HEX, an RR Station")


def _refuse(title: str, reasons: Sequence[Step]) -> Report[RailResult]:
    return refused(title, "not possible by rail", reasons, result=RailResult(allowed=False))


def _report_runs(
    lines: RailLines, runs: Sequence[Run], now: MovementPhase, title: str, parameters: RailParameters
) -> Report[RailResult]:
    view = lines.view
    tables = _find_timetables(lines, runs, now, _find_warsaw_stations(lines, runs) if parameters.warsaw else ())
    for run, table in zip(runs, tables, strict=True):
        if run.waits and not run.train.destination and (table.stages[0].train.aboard or table.stages[0].arrived):
            # The unit completes entraining after all, because a unit named before leaves it room at the station.
            raise _refuse_without_destination(run.train.unit)
    first = {run.train.unit: table.stages[0] for run, table in zip(runs, tables, strict=True)}
    ends = {unit: stage.train.place for unit, stage in first.items() if stage.hexes}
    against = [*_list_kept_units(view, tables), *steps_against_ends(view, ends)] if now.present else []
    against += steps_against_destinations(view, runs, against)
    if against:
        return _refuse(title, against)
    _note_later_dice(view, tables, present=now.present)
    shown = tuple(_unit_by_rail(run, table) for run, table in zip(runs, tables, strict=True))
    result = RailResult(allowed=True, units=shown)
    reasons = [line for run, table in zip(runs, tables, strict=True) for line in lacking_now(run, table)]
    if len(reasons) == len(runs):
        return refused(title, "the Rail Points do not suffice", reasons, result=replace(result, allowed=False))
    _suppose_lines(view, runs)
    _suppose_gauges(lines, runs)
    changes = _list_present_changes(view, runs, tables) if now.present else [*_list_changes_at_once(view, runs)]
    following = follows_changes(view, changes, _find_way_past_enemies(lines.around, tables) if changes else ())
    return Report(
        title=title,
        verdict=_conclude(view, shown),
        parts=(
            Part("Their moves begin again", tuple(reasons)),
            *(
                Part(unit.unit, tuple(_unit_steps(view, lines, run, unit)))
                for run, unit in zip(runs, shown, strict=True)
            ),
            *following.parts(view),
            _pools_part(view, tables),
        ),
        changes=(*changes, *following.changes),
        result=result,
    )


def _list_kept_units(view: View, tables: Sequence[Timetable]) -> list[Step]:
    """Return a step for each Asset Unit that Francois keeps in the Eighth Army's area in the first phase."""
    with view.gather() as facts:
        trains = [(view.unit(table.stages[0].train.unit), table.stages[0].hexes) for table in tables]
        kept = [(unit, hexes) for unit, hexes in trains if hexes and may_be_kept(facts, unit)]
        out = [unit.id for unit, hexes in kept if any(leaves_eighth(facts, unit, hex) for hex in hexes)]
    return [step(KEEPS_RULE, "{why}", why=format_reason_kept(unit)) for unit in out]


def steps_against_destinations(view: View, runs: Sequence[Run], known: Sequence[Step]) -> list[Step]:
    """Return a step for each unit of the Warsaw Garrison that may not end its movement at its destination.

    `known`: earlier reasons; the units that they bar are left out.

    Rule: 24.1.2
    """
    barred = {line.figures.get("unit") for line in known}
    trains = [run.train for run in runs if run.train.destination and run.train.unit not in barred]
    with view.gather() as facts:
        own = [train for train in trains if is_of_garrison(facts, view.unit(train.unit))]
        bars = [bars_garrison_end(facts, train.unit, train.destination) for train in own]
    return [bar for bar in bars if bar]


def lacking_now(run: Run, table: Timetable) -> list[Step]:
    """Return a step if a unit would entrain in the first phase without the Rail Points.

    Only that move begins again, not those of other units.

    Rule: 8.2.3e
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


# --- the timetables, phase by phase -----------------------------------------------------------------------------------


def _read_now(view: View, side: str, counter: bool | None) -> MovementPhase:
    """Return the first phase of the timetables: the position's, or the side's own Movement Phase if none is stated."""
    phase = phase_of(view)
    phasing = view.word("phasing")
    turn = view.integer("turn")
    order = player_order(view)
    enemy = next(other for other in order if other != side)
    if counter is not None or not phase or phase == "other":
        if counter is None:
            text = "it is the Movement Phase of its side (phase not stated)"
            view.premises.assume(step("5.4.7", text))
        return MovementPhase(turn, enemy if counter else side, bool(counter), present=True)
    whose = phasing or (enemy if phase == "counter-movement" else side)
    return first_phase(phase, whose, turn, side, order)


def _find_timetables(
    lines: RailLines, runs: Sequence[Run], now: MovementPhase, warsaw: Collection[str]
) -> list[Timetable]:
    """Return the timetable of each train.

    `warsaw`: the stations where Warsaw points may be used.
    """
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
        _moments_from(view, now, lines.side, lines.rate),
        _read_yards(view, now),
        read_pools(view, *nations),
        warsaw,
        renewed=find_pools_after,
        since=view.integer("turn"),
    )


def _moments_from(view: View, now: MovementPhase, side: str, rate: int) -> Callable[[], Iterator[TrainPhase]]:
    """Return the phases from `now` on, each with its rate.

    A later rate comes from the turn record, or is assumed to be `rate`.

    `rate`: the RR hexes per Movement Point of this turn.
    """
    order = player_order(view)
    noted = set[int]()

    def run() -> Iterator[TrainPhase]:
        for turn, phasing, counter, _ in phases(now, side, order):
            known = rate if turn == view.integer("turn") else read_rate(view, turn)
            if known is None and turn not in noted:
                noted.add(turn)
                text = "{rate} RR hexes per Movement Point in GT {turn} too (not in the turn record)"
                view.premises.assume(step("8.2.2", text, rate=rate, turn=turn))
            yield TrainPhase(turn, phasing, counter, known or rate)

    return run


def _find_warsaw_stations(lines: RailLines, runs: Sequence[Run]) -> frozenset[str]:
    """Return the stations on the routes where units pay and may use Warsaw points.

    A ruling decides by which lines a station must be joined to Warsaw (17.2.1).
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
    """Return the work of the stations in the present phase so far, or none for a later phase."""
    capacity = station_capacity(counter=now.counter)
    queuing = view.flag("queuing")
    if not now.present:
        return Yards(capacity, queuing=queuing)
    used = _read_station_points(view, "station-used")
    busy = _read_station_points(view, "station-busy")
    return Yards(capacity, used, busy if queuing else {}, queuing)


def _read_station_points(view: View, track: str) -> dict[str, Fraction]:
    return {hex: view.points(track, hex) for name, hex in view.stated if name == track}


def _unit_by_rail(run: Run, table: Timetable) -> UnitByRail:
    shown = list[RailPhase]()
    begins = run.train
    for stage, yards, purse in zip(table.stages, table.yards, table.purses, strict=True):
        shown.append(_rail_phase(run.train.nation, stage, begins, yards, purse))
        begins = stage.train
    paid = dict[str, Fraction]()
    for stage in table.stages:
        for pool, points in stage.paid.items():
            paid[pool.kind] = paid.get(pool.kind, Fraction(0)) + points
    done = table.done
    battle = first_battle(done, marked=run.train.marked) if done and run.attacks else None
    return UnitByRail(
        unit=run.train.unit,
        destination=run.train.destination,
        route=run.way.hexes,
        hexes=run.way.weighted,
        phases=tuple(shown),
        paid=paid,
        lacking=table.stages[-1].lacking,
        arrives=RailTime(done.turn, done.phasing, MOVEMENT_PHASES[done.counter]) if done else None,
        fights=RailTime(battle.turn, battle.phasing, ATTACK_PHASES[battle.counter]) if battle else None,
    )


def _rail_phase(nation: str, stage: Stage, begins: Train, yards: Yards, purse: Purse) -> RailPhase:
    moment, train = stage.moment, stage.train
    return RailPhase(
        turn=moment.turn,
        phasing=moment.phasing,
        phase=MOVEMENT_PHASES[moment.counter],
        place=train.place,
        hexes=stage.hexes,
        spent=stage.spent,
        left=stage.left,
        aboard=train.aboard,
        task=train.task,
        marker=int(train.done),
        off_map=train.gone,
        paid={pool.kind: points for pool, points in stage.paid.items()},
        pools={pool.kind: points for pool, points in purse.items() if pool.nation == nation},
        stations={hex: yards.room(hex) for hex in dict.fromkeys((begins.place, train.place)) if hex in yards.used},
    )


# --- assumptions ------------------------------------------------------------------------------------------------------


def _note_later_dice(view: View, tables: Sequence[Timetable], *, present: bool) -> None:
    """Note the units that will roll for leaders in later phases, as long as their leader commands.

    `present`: whether the first phase of the timetables is the present one, whose dice are rolled.
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
        view.premises.assume(step(COMMAND_EFFECTS_RULE, text, units=led))
    if corps:
        view.premises.assume(step(CLOSE_RULE, "in later phases the German 1st Corps does not roll a 6"))


def _suppose_lines(view: View, runs: Sequence[Run]) -> None:
    """Note the hexes of routes on a paper map that are assumed operational."""
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


def _suppose_gauges(lines: RailLines, runs: Sequence[Run]) -> None:
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


def _pools_part(view: View, tables: Sequence[Timetable]) -> Part:
    """Return the assumptions that pools suffice whose points are not known."""
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


# --- changes ----------------------------------------------------------------------------------------------------------


def _list_present_changes(view: View, runs: Sequence[Run], tables: Sequence[Timetable]) -> list[Change]:
    """Return the changes of the first phase of the timetables."""
    made = [*end_moves(view, [run.train.unit for run in runs])]
    for run, table in zip(runs, tables, strict=True):
        made += _unit_changes(view, run, table.stages[0])
    last = tables[-1]
    yards = last.yards[0]
    purse = last.purses[0]
    for track, values in (("station-used", yards.used), ("station-busy", yards.busy)):
        for hex, points in values.items():
            if points != view.points(track, hex):
                made.append(changed(view, track, hex, format_points(points) if points else None, "8.2.6"))
    for pool, left in purse.items():
        if left is not None and left != view.points(pool.kind, pool.nation):
            made.append(changed(view, pool.kind, pool.nation, format_points(left), "8.2.1"))
    return made


def _unit_changes(view: View, run: Run, stage: Stage) -> Iterator[Change]:
    name, train = run.train.unit, stage.train
    passed = (*run.displaced, *stage.hexes)
    spent = {word: stage.spent[word] for word in ACTIVITIES if word in stage.spent}
    yield from spend(view, name, spent, passed, RAIL_RULE)
    if train.place != view.unit(name).place:
        yield changed(view, "place", name, train.place, RAIL_RULE)
    facts = {
        "entrained": train.aboard or None,
        "destination": train.destination if train.aboard else None,
        "train-gauge": train.gauge if train.aboard and train.gauge else None,
        "off-map": _write_off_map(stage, run) or None,
    }
    for track, after in facts.items():
        if (view.state.value(track, name) or None) != after:
            yield changed(view, track, name, after, RAIL_RULE)
    if run.train.task or train.task:
        yield from mark_task(view, name, train.task, int(train.done), RAIL_RULE)
    if run.troubled:
        yield from mark_half(view, name, "initial", run.troubled)


def _write_off_map(stage: Stage, run: Run) -> str:
    """Return the unit's place on an off-map line for the track `off-map`, or "" on the map."""
    if not stage.train.gone or run.route is None:
        return ""
    ends = [leg.hex for leg in run.route.legs if leg.off_map and leg.hex not in stage.hexes]
    return format_amounts({ends[0]: Fraction(stage.train.gone)})


def _list_changes_at_once(view: View, runs: Sequence[Run]) -> Iterator[Change]:
    """Yield the changes before units move: new destinations in place of lost ones."""
    for run in runs:
        if run.troubled == RAIL_RULE:
            yield changed(view, "destination", run.train.unit, run.train.destination, RAIL_RULE)
            yield from mark_half(view, run.train.unit, "initial", RAIL_RULE)


def _find_way_past_enemies(around: SideField, tables: Sequence[Timetable]) -> tuple[str, ...]:
    """Return the hexes of the longest way in the first phase where passing may have consequences.

    They are hexes next to enemies, objectives of a Strategic Plan, and the last hex. Elsewhere trains on their own line
    change nothing.
    """
    way = max((table.stages[0].hexes for table in tables), key=len, default=())
    matters = (hex for hex in way[:-1] if around.next_to_enemy(hex) or is_sought(around.view, hex, around.side))
    return (*matters, *way[-1:])


# --- the result in words ----------------------------------------------------------------------------------------------


def _conclude(view: View, units: Sequence[UnitByRail]) -> Verdict:
    waiting = [unit.unit for unit in units if not unit.destination and not unit.lacking]
    late = [unit.unit for unit in units if unit.arrives is None and unit.unit not in waiting]
    if len(late) == len(units):
        return verdict("no", "{units} cannot complete the journey", units=late)
    fights = [f"{unit.unit} in the {_format_phase(view, unit.fights)}" for unit in units if unit.fights]
    detrained = [unit for unit in units if unit.arrives and not unit.fights]
    arrivals = [f"{unit.unit} in the {_format_phase(view, unit.arrives)}" for unit in detrained if unit.arrives]
    texts = list[str]()
    if fights:
        texts.append("first attack possible: {when:+}")
    if arrivals:
        texts.append("detrained: {arrivals:+}")
    if late:
        texts.append("{units} cannot complete the journey")
    if waiting:
        texts.append("{delayed} cannot complete entraining in this phase, and so cannot move by rail yet")
    kind: VerdictKind = "figure" if fights or arrivals else "yes"
    said = SimpleNamespace(when=fights, arrivals=arrivals, units=late, delayed=waiting)
    return verdict("no" if late else kind, "; ".join(texts), said)


def _unit_steps(view: View, lines: RailLines, run: Run, unit: UnitByRail) -> Iterator[Step]:
    if run.displaced:
        text = "{unit} displaces to {hex} first, and bears a Combat Strength 1/2 marker"
        yield step("8.2.4", text, unit=unit.unit, hex=run.displaced[-1])
    elif run.troubled:
        text = "{unit} goes to {hex} instead, and bears a Combat Strength 1/2 marker"
        yield step(run.troubled, text, unit=unit.unit, hex=unit.destination)
    if unit.hexes:
        text = (
            "to {hex}: {count:#hex}, single track counted twice; {points:#Movement Point} at {rate} per Movement Point"
        )
        points = rail_points(unit.hexes, lines.rate)
        yield step("8.2.2", text, hex=unit.destination, count=unit.hexes, points=points, rate=lines.rate)
    for phase in unit.phases:
        yield _phase_step(view, phase)
    if not unit.destination:
        yield step("8.2.3", "{unit} names its destination as soon as it has completed entraining", unit=unit.unit)
    if run.unfit:
        text = "the destination named is not needed yet, and would be refused now: {why:+}"
        yield step("8.2.3", text, why=[line.text for line in run.unfit])
    if unit.lacking:
        last = unit.phases[-1]
        text = "its side is {missing:#Rail Point} short in {hex}[aboard:: it waits there to trans-ship]"
        yield step("8.2.3", text, last, missing=unit.lacking, hex=last.place)
    if unit.arrives and run.train.marked:
        text = (
            "its Combat Strength 1/2 marker takes effect once it has detrained, "
            "and comes off in the second Post-Combat Phase"
        )
        yield step("8.2.5", text)


def _phase_step(view: View, phase: RailPhase) -> Step:
    """Return a phase in words: the unit's place at its end, the points spent, and the points left."""
    spent = [
        f"{_format_points(phase.spent[word])} to {doing}" for word, doing in ACTIVITIES.items() if word in phase.spent
    ] or ["nothing spent"]
    text = (
        "{when}: {doings:+}; in {hex}[over:, {over:#hex} along the off-map line]"
        "[points:, {points:#Movement Point} on its marker for {task}][paid:; pays {paid:+}][stations:; {stations:+}]"
    )
    return step(
        "8.2.3",
        text,
        when=_format_phase(view, phase),
        doings=spent,
        hex=phase.place,
        over=phase.off_map,
        points=phase.marker,
        task=phase.task,
        paid=[_format_pool(kind, points, phase.pools.get(kind)) for kind, points in phase.paid.items()],
        stations=[f"{hex} can serve {_format_points(left)} RCP more" for hex, left in phase.stations.items()],
    )


def _format_phase(view: View, time: RailPhase | RailTime) -> str:
    of_turn = f" of GT {time.turn}" if time.turn else ""
    return f"{PHASES[time.phase]}{of_turn} ({view.game.file.title_of(time.phasing)} player turn)"


def _format_points(points: Fraction) -> str:
    return fill("{points}", {"points": points})


def _format_pool(kind: str, points: Fraction, left: Fraction | None) -> str:
    name = " ".join(filter(None, [_format_points(points), POOL_TITLES[kind], "RP"]))
    return name if left is None else f"{name} ({_format_points(left)} left)"


# --- the picture ------------------------------------------------------------------------------------------------------


def _sketch(view: View, report: Report[RailResult]) -> Sketch:
    units = report.shown.units
    side = view.side_of(units[0].unit) if units else ""
    places = (unit.place for unit in view.units() if not units and unit.place)
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(_timetable_spots(view, units)),
        arrows=tuple(arrow for unit in units for arrow in _route_arrows(view, unit, side)),
        zones=draw_zones(view, field, enemies_of(view, side)) if units else (),
        words={"way": "the route", "passed": "where a unit is as a phase ends", "end": "where it has detrained"},
        focus=tuple(filter(view.board.is_hex, places)),
    )


def _timetable_spots(view: View, units: Sequence[UnitByRail]) -> Iterator[Spot]:
    """Yield the hexes where units set out or end a phase, each labelled with its first game turn."""
    roles: dict[str, Role] = {str(view.unit(unit.unit).place): "start" for unit in units}
    turns = dict[str, int]()
    stays = dict[str, list[str]]()
    for unit in units:
        ends = dict[str, list[str]]()
        for phase in unit.phases:
            roles.setdefault(phase.place, "passed")
            turns.setdefault(phase.place, phase.turn)
            away = ", under way off the map" if phase.off_map else ""
            end = _format_phase(view, phase) + away
            ends.setdefault(phase.place, []).append(end)
        for hex, times in ends.items():
            stays.setdefault(hex, []).append(f"{unit.unit} at the end of the {', the '.join(times)}")
        if unit.arrives:
            roles[unit.phases[-1].place] = "end"
    for hex, role in roles.items():
        turn = turns.get(hex, 0)
        yield Spot(hex=hex, role=role, label=f"GT {turn}" if turn else "", why="; ".join(stays.get(hex, ())))


def _route_arrows(view: View, unit: UnitByRail, side: str) -> Iterator[Arrow]:
    """Yield the route of a unit, in parts if it leads off the map or the unit displaces."""
    part = list[str]()
    for hex in (str(view.unit(unit.unit).place), *unit.route):
        if part and hex not in view.board.neighbours(part[-1]):
            yield from way_of(part, side)
            part = []
        part.append(hex)
    yield from way_of(part, side)


def cannot_ride(view: View, unit: str, before: str, after: str) -> bool:
    """Return whether a unit cannot have gone by rail in a phase, whatever else it did.

    Entraining and detraining each cost as many Movement Points as it has Rail Cost Points, and the ride adds to that
    (8.2.3c).
    """
    mover = view.unit(unit)
    try:
        with view.gather() as facts:
            if facts.word("arm", unit) in DEPOTS:
                return True
            marker = marker_of(facts, mover)
            if facts.flag("entrained", unit) or marker.task in BY_RAIL:
                return False
            cost = facts.points("rail-cost", unit)
            return not cost or 2 * cost >= printed_points(facts, mover)
    except (InputError, MissingFacts):
        return False


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
    shows=(Moves(by="by rail", to="to", is_excluded=cannot_ride),),
)
