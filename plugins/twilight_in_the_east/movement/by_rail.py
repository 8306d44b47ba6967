"""The question `rail`: the timetable of units that go by rail, the Rail Points that they cost, and when they can fight (8.2,
17.2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.field import Around, side_of
from assistant.questions import (
    Answers,
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
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.question import WAY
from assistant.questions.view import changed
from assistant.questions.wording import fill, names_in
from assistant.state.changes import Change
from assistant.state.points import spell_amounts, spell_points
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import Allowed, UnitId

from ..entering.following import follows_changes
from ..forces.account import On, end_moves, read_account, spend
from ..forces.half_markers import mark_half
from ..forces.reading import mark_task, unit_on_map
from ..ground.calendar import CounterPhase, phase_of, why_no_movement
from ..ground.hexsides import around_side
from ..railways.losses import lost_since_movement
from ..railways.rail_points import (
    POOL_TITLES,
    Purse,
    pools_after,
    read_pools,
    serves_warsaw,
)
from ..railways.routes import (
    Route,
    rail_points,
    rate_now,
    read_rate,
)
from ..railways.stations import (
    Yards,
    station_capacity,
)
from ..railways.transport import Moment, Stage, Timetable, Train, first_battle, late_entraining, phases, timetables
from ..terms import SUPPLY_ARMS
from .train_plans import (
    RAIL_ROADS,
    Lines,
    Run,
    Wishes,
    heed_zones,
    plan_runs,
    read_lines,
    read_train,
    steps_about,
    why_detour,
    why_unit_stays,
)

PHASE = {False: "movement", True: "counter-movement"}
BATTLE = {False: "attack", True: "counter-attack"}
"""The words of the phases, by whether the side is active whose player turn it is not."""
TITLES = {
    "movement": "Movement Phase",
    "counter-movement": "Counter Movement Phase",
    "attack": "Attack Phase",
    "counter-attack": "Counter Attack Phase",
}
BEFORE_MOVEMENT = ("reinforcement", "attachment", "pontoon", "supply", "engineering")
"""The phases of a player turn before its Movement Phase."""
OUTSIDE_PLAYER_TURNS = {"weather": 0, "administrative": 1, "replacements": 1}
"""The phases outside the player turns, with how many game turns later the next player turns come."""


# --- parameters and result --------------------------------------------------------------------------------------------


class RailParameters(Parameters, frozen=True):
    """Units that go by rail."""

    units: Annotated[tuple[UnitName, ...], note("the units, in the order in which they use stations and Rail Points")]
    to: Annotated[
        tuple[PlaceName, ...],
        note(
            "the RR Station to which they go, or one for each; units in Rail Mode name only a new one, and units that do "
            "not complete entraining in this phase need none",
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
            "hexes of the RR line that the enemy has taken since its side's last movement phase, besides those that the "
            "position records"
        ),
    ] = ()
    displace: Annotated[
        PlaceName | None, note("the hex to which a unit in Rail Mode that is cut off from its destination displaces")
    ] = None
    counter: CounterPhase = None


class RailPhase(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit does in a phase."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("movement or counter-movement")]
    place: Annotated[str, note("the hex where the unit is at the end of the phase")]
    hexes: Annotated[tuple[str, ...], note("the hexes that it enters")] = ()
    spent: Annotated[
        Mapping[str, Fraction],
        note("its Movement Points: entraining, rail, trans-shipping, detraining, or waiting in a queue"),
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
    """A phase of a game turn."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("its word, such as attack")]


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
    units: Annotated[tuple[UnitByRail, ...], note("in the order in which they were named")] = ()


# --- when ---------------------------------------------------------------------------------------------------------------


class Now(msgspec.Struct, frozen=True):
    """The first phase of the timetables. present: whether it is the phase of the position, so that what happens in it
    changes the position.
    """

    turn: int
    phasing: str
    counter: bool
    present: bool


def first_phase(phase: str, phasing: str, turn: int, side: str, order: Sequence[str]) -> Now:
    """The phase in which a side moves next, or the one that it is in.

    phase, phasing, turn: of the position; order: both sides, in the order of their player turns (5.4).
    """
    if phase in OUTSIDE_PLAYER_TURNS:
        turn += bool(turn) * OUTSIDE_PLAYER_TURNS[phase]
        return Now(turn, order[0], side != order[0], False)
    own = phasing == side
    if phase == PHASE[not own]:
        return Now(turn, phasing, not own, True)
    if phase in BEFORE_MOVEMENT or (phase == "movement" and not own):
        return Now(turn, phasing, not own, False)
    steps = phases(turn, phasing, side, order, counter=not own)
    next(steps)
    turn, phasing, counter = next(steps)
    return Now(turn, phasing, counter, False)


def read_now(view: View, side: str, counter: bool | None) -> Now:
    """The first phase of the timetables as the position has it; where it is silent, the side's own Movement Phase."""
    phase, phasing, turn = phase_of(view), view.word("phasing"), view.integer("turn")
    order = turn_order(view)
    if counter is not None or not phase or phase == "other":
        if counter is None:
            text = "it is the Movement Phase of its side (phase not stated)"
            view.presume(step("5.4.7", text))
        enemy = next(other for other in order if other != side)
        return Now(turn, enemy if counter else side, bool(counter), True)
    whose = phasing or (side if phase != "counter-movement" else next(other for other in order if other != side))
    return first_phase(phase, whose, turn, side, order)


def turn_order(view: View) -> tuple[str, ...]:
    """Both sides in the order of their player turns: the Russians are first (5.3)."""
    return tuple(sorted(view.game.file.sides, key=lambda side: side != "russian"))


def moments_from(view: View, now: Now, side: str, rate: int) -> Callable[[], Iterator[Moment]]:
    """The phases from one on, each with its rate: by the turn record, or the one given, which is noted. rate: of this
    turn.
    """
    order, noted = turn_order(view), set[int]()

    def run() -> Iterator[Moment]:
        for turn, phasing, counter in phases(now.turn, now.phasing, side, order, counter=now.counter):
            known = rate if turn == view.integer("turn") else read_rate(view, turn)
            if known is None and turn not in noted:
                noted.add(turn)
                text = "{rate} RR hexes per Movement Point in GT {turn} too (not in the turn record)"
                view.presume(step("8.2.2", text, rate=rate, turn=turn))
            yield Moment(turn, phasing, counter, known or rate)

    return run


# --- the question -----------------------------------------------------------------------------------------------------


def answer(view: View, parameters: RailParameters, answers: Answers) -> Report[RailResult]:
    """The report on units that go by rail: each phase until they have detrained.

    Raises MissingFacts for what is not stated and matters, InputError for units that do not go together, and for one
    that never goes by rail.
    """
    units = check_units(view, parameters.units)
    names = [unit.id for unit in units]
    title = f"{', '.join(names)} by rail"
    accounts = [read_account(view, name) for name in names]
    with view.gather() as facts:
        side = side_of(facts, units[0])
        now = read_now(view, side, parameters.counter)
        late = why_no_movement(view, side, parameters.counter) if now.present else ("", "")
        pairs = zip(units, accounts, strict=True)
        stay = [
            line
            for unit, account in pairs
            for line in steps_about(unit.id, why_unit_stays(facts, unit, account, present=now.present))
        ]
    reasons = [*(step(rule, "{why}", why=why) for rule, why in [late] if why), *stay]
    if reasons:
        return refuse(title, reasons)
    with view.gather() as facts:
        trains = [read_train(facts, unit, account) for unit, account in zip(units, accounts, strict=True)]
        around = around_side(facts, side)
    late_units = late_entraining(trains, yards_now(view, now), counter=now.counter) if now.present else frozenset()
    goals = destinations(trains, parameters.to, late_units)
    runs = [
        Run(
            train,
            account,
            attacks=view.word("arm", train.unit) not in SUPPLY_ARMS,
            waits=train.unit in late_units,
        )
        for train, account in zip(trains, accounts, strict=True)
    ]
    rate = parameters.rate or rate_now(view)
    lost = lost_since_movement(view, side, now.turn, now.phasing, counter=now.counter)
    lines = read_lines(view, side, around, rate, {*parameters.changed, *lost})
    with view.gather() as facts:
        lines = heed_zones(facts, lines, trains, goals)
        runs = plan_runs(facts, lines, runs, goals, Wishes(parameters.via, parameters.gauge, parameters.displace))
    chosen = bool(parameters.via or parameters.gauge)  # or else each route is the cheapest
    reasons = [line for run in runs for line in (*run.reasons, *(why_detour(lines, run) if chosen else ()))]
    if reasons:
        return refuse(title, reasons)
    return report_runs(view, lines, runs, now, title, parameters)


def check_units(view: View, names: Sequence[str]) -> list[Unit]:
    """The units that go. Raises InputError for none, for one that is named twice or not on the map, and for units of two
    sides.
    """
    if not names:
        raise InputError("units: no unit is named", hint="name the units that go by rail")
    units = [unit_on_map(view, name)[0] for name in names]
    if len({unit.id for unit in units}) < len(units):
        raise InputError("units: a unit is named twice", hint="name each once")
    if len({view.side_of(unit.id) for unit in units} - {""}) > 1:
        raise InputError("units: the units are of both sides", hint="ask for the trains of one side at a time")
    return units


def destinations(trains: Sequence[Train], to: Sequence[str], late: Collection[str]) -> list[str]:
    """The destination that is named for each train, "" for one that goes on to that which it has, or that does not complete
    entraining yet. late: those units.

    Raises InputError for another number of destinations than trains, and for a train without any.
    """
    if len(to) not in (0, 1, len(trains)):
        raise InputError(f"to: {len(to)} destinations for {len(trains)} units", hint="name one, or one for each")
    named = list(to) if len(to) == len(trains) else [*to, ""][:1] * len(trains)
    for train, hex in zip(trains, named, strict=True):
        if not hex and train.unit not in late and not (train.aboard and train.destination):
            raise no_destination(train.unit)
    return named


def no_destination(unit: str) -> InputError:
    """That a unit needs a destination that is not named."""
    return InputError(f"to: the destination of {unit} is not named", hint="to=HEX, an RR Station")


def refuse(title: str, reasons: Sequence[Step]) -> Report[RailResult]:
    """The report on units that do not go by rail."""
    return refused(title, "not possible by rail", reasons, result=RailResult(allowed=False))


def report_runs(
    view: View, lines: Lines, runs: Sequence[Run], now: Now, title: str, parameters: RailParameters
) -> Report[RailResult]:
    """The report on units whose routes are known."""
    routes = [run.route or Route(run.train.place) for run in runs]
    nations = dict.fromkeys(run.train.nation for run in runs)
    purse: Purse = {pool: left for nation in nations for pool, left in read_pools(view, nation).items()}
    warsaw = warsaw_stations(view, lines, runs, routes) if parameters.warsaw else frozenset()
    yards = yards_now(view, now)
    tables = timetables(
        [run.train if now.present else replace(run.train, spent=Fraction(0)) for run in runs],
        routes,
        moments_from(view, now, lines.side, lines.rate),
        yards,
        purse,
        warsaw,
        lambda turn: {pool: left for nation in nations for pool, left in pools_after(view, nation, turn).items()},
        view.integer("turn"),
    )
    for run, table in zip(runs, tables, strict=True):
        if run.waits and not run.train.destination and (table.stages[0].train.aboard or table.stages[0].arrived):
            raise no_destination(run.train.unit)  # one named before it makes room for it at the station
    shown = tuple(unit_by_rail(run, route, table) for run, route, table in zip(runs, routes, tables, strict=True))
    result = RailResult(allowed=True, units=shown)
    reasons = [line for run, table in zip(runs, tables, strict=True) for line in lacking_now(run, table)]
    if len(reasons) == len(runs):
        return refused(title, "the Rail Points do not suffice", reasons, result=replace(result, allowed=False))
    suppose_lines(view, runs, routes)
    suppose_pools(view, tables)
    suppose_gauges(view, lines, runs, routes)
    changes = present_changes(view, runs, tables) if now.present else [*changes_at_once(view, runs)]
    following = follows_changes(view, changes, way_past_enemies(lines.around, tables) if changes else ())
    return Report(
        title=title,
        verdict=conclude(view, shown),
        parts=(
            Part("Their moves begin anew", tuple(reasons)),
            *(
                Part(unit.unit, tuple(unit_steps(view, lines, run, unit)))
                for run, unit in zip(runs, shown, strict=True)
            ),
            following.part,
        ),
        changes=(*changes, *following.changes),
        result=result,
    )


def way_past_enemies(around: Around, tables: Sequence[Timetable]) -> tuple[str, ...]:
    """The hexes of the longest way of the first phase where something may follow from it: those next to enemies, and its
    end; on their own line trains change nothing else.
    """
    way = max((table.stages[0].hexes for table in tables), key=len, default=())
    return (*(hex for hex in way[:-1] if around.next_to_enemy(hex)), *way[-1:])


def warsaw_stations(view: View, lines: Lines, runs: Sequence[Run], routes: Sequence[Route]) -> frozenset[str]:
    """The stations of these routes where units pay and Warsaw points may be used; the lines over which they are joined to
    Warsaw are a ruling (17.2.1).
    """
    if not lines.gauged:
        return frozenset()
    hexes = {run.train.place for run in runs}
    for route in routes:
        hexes |= {leg.hex for leg in route.legs if leg.is_change}
    readings = {
        reading: frozenset(hex for hex in hexes if serves_warsaw(lines.net, hex, reading))
        for reading in ("any", "european")
    }
    return readings[view.ruling("warsaw-line", readings["any"] != readings["european"])]


def yards_now(view: View, now: Now) -> Yards:
    """What the stations have done in the phase of the position, nothing in a later one."""
    capacity, queuing = station_capacity(counter=now.counter), view.flag("queuing")
    if not now.present:
        return Yards(capacity, queuing=queuing)
    used, busy = (
        {hex: view.points(track, hex) for name, hex in view.stated if name == track}
        for track in ("station-used", "station-busy")
    )
    return Yards(capacity, used, busy if queuing else {}, queuing)


def unit_by_rail(run: Run, route: Route, table: Timetable) -> UnitByRail:
    """The timetable of a unit as the result has it."""
    shown = tuple(
        rail_phase(run.train.nation, stage, begins, yards, purse)
        for stage, begins, yards, purse in zip(
            table.stages, [run.train, *(stage.train for stage in table.stages)], table.yards, table.purses, strict=False
        )
    )
    paid = dict[str, Fraction]()
    for stage in table.stages:
        for pool, points in stage.paid.items():
            paid[pool.kind] = paid.get(pool.kind, Fraction(0)) + points
    done = table.done
    battle = first_battle(done, marked=run.train.marked) if done and run.attacks else None
    return UnitByRail(
        unit=run.train.unit,
        destination=run.train.destination,
        route=route.hexes,
        hexes=route.weighted,
        phases=shown,
        paid=paid,
        lacking=table.stages[-1].lacking,
        arrives=RailTime(done.turn, done.phasing, PHASE[done.counter]) if done else None,
        fights=RailTime(battle.turn, battle.phasing, BATTLE[battle.counter]) if battle else None,
    )


def rail_phase(nation: str, stage: Stage, begins: Train, yards: Yards, purse: Purse) -> RailPhase:
    """A phase of a unit as the result has it. begins: the unit as the phase begins for it."""
    moment, train = stage.moment, stage.train
    return RailPhase(
        turn=moment.turn,
        phasing=moment.phasing,
        phase=PHASE[moment.counter],
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


def lacking_now(run: Run, table: Timetable) -> list[Step]:
    """A line for a unit that would entrain in the first phase without the Rail Points: its move alone begins anew.
    Rule: 8.2.3e
    """
    first = table.stages[0]
    if not first.lacking or first.wasted or first.train.aboard:
        return []
    text = "{unit} needs {due:#Rail Point}" + gauge_words(run.train, run.route.gauge if run.route else "")
    text += " in {hex}, {missing} more than it can use there"
    train = first.train
    return [step("8.2.3", text, unit=train.unit, due=train.cost, hex=train.place, missing=first.lacking)]


def gauge_words(train: Train, gauge: str) -> str:
    """Of which gauge Rail Points have to be, after what they are: "" where that does not matter. gauge: of the line by
    which a unit leaves.
    """
    titles = {"broad": " of Russian gauge", "standard": " of European gauge"}
    return titles.get(gauge, "") if train.nation == "russian" else ""


def suppose_lines(view: View, runs: Sequence[Run], routes: Sequence[Route]) -> None:
    """Note the hexes of routes whose RR line counts as operational although that is not stated, on a map that is typed."""
    if view.board.hexes:
        return
    hexes = {hex: None for run, route in zip(runs, routes, strict=True) for hex in (run.train.place, *route.hexes)}
    if unsaid := [hex for hex in hexes if not view.word("operational", hex)]:
        view.presume(step("17.1.1", "friendly operational RR lines lead through {hexes} (not stated)", hexes=unsaid))


def suppose_pools(view: View, tables: Sequence[Timetable]) -> None:
    """Note the pools that pay although it is not known what is left in them."""
    for table in tables:
        for stage, purse in zip(table.stages, table.purses, strict=True):
            for pool in stage.paid:
                if purse.get(pool) is None:
                    known = view.fact(pool.kind, pool.nation) is not None
                    why = (
                        f"those that it has in GT {stage.moment.turn} are not in the turn record"
                        if known
                        else f"nation {pool.nation} {pool.kind}=NUMBER is not stated"
                    )
                    text = "the {nation} side has the Rail Points that it spends ({why})"
                    view.presume(step("8.2.1", text, nation=view.title_of(pool.nation), why=why))


def suppose_gauges(view: View, lines: Lines, runs: Sequence[Run], routes: Sequence[Route]) -> None:
    """Note the lines of routes of which gauge is not stated, where it matters."""
    unsaid = dict[str, None]()
    for run, route in zip(runs, routes, strict=True) if lines.gauged else ():
        for over in (hexside(*pair) for pair in pairwise((run.train.place, *route.hexes))):
            if over in lines.net.tracks and not lines.net.gauges.get(over):
                unsaid[over] = None
    if unsaid:
        view.presume(step("17.2", "{hexsides} are of Russian gauge (gauge not stated)", hexsides=[*unsaid]))


# --- what it changes --------------------------------------------------------------------------------------------------


def present_changes(view: View, runs: Sequence[Run], tables: Sequence[Timetable]) -> list[Change]:
    """What the first phase of the timetables changes, as it is that of the position."""
    made = [*end_moves(view, [run.train.unit for run in runs])]
    for run, table in zip(runs, tables, strict=True):
        made += unit_changes(view, run, table.stages[0])
    last = tables[-1]
    yards, purse = last.yards[0], last.purses[0]
    for track, values in (("station-used", yards.used), ("station-busy", yards.busy)):
        for hex, points in values.items():
            if points != view.points(track, hex):
                made.append(changed(view, track, hex, spell_points(points) if points else None, "8.2.6"))
    for pool, left in purse.items():
        if left is not None and left != view.points(pool.kind, pool.nation):
            made.append(changed(view, pool.kind, pool.nation, spell_points(left), "8.2.1"))
    return made


def changes_at_once(view: View, runs: Sequence[Run]) -> Iterator[Change]:
    """What changes before the units move, in whichever phase it is: the destinations that the enemy makes them give up."""
    for run in runs:
        if run.troubled == RAIL_ROADS:
            yield changed(view, "destination", run.train.unit, run.train.destination, RAIL_ROADS)
            yield from mark_half(view, run.train.unit, "initial", RAIL_ROADS)


def unit_changes(view: View, run: Run, stage: Stage) -> Iterator[Change]:
    """What a unit does in the phase of the position, as changes of it."""
    name, train = run.train.unit, stage.train
    passed = (*run.displaced, *stage.hexes)
    spent = {word: stage.spent[word] for word in DOINGS if word in stage.spent}
    yield from spend(view, name, spent, passed, RAIL_ROADS)
    if train.place != view.unit(name).place:
        yield changed(view, "place", name, train.place, RAIL_ROADS)
    facts = {
        "entrained": train.aboard or None,
        "destination": train.destination if train.aboard else None,
        "train-gauge": train.gauge if train.aboard and train.gauge else None,
        "off-map": off_map_text(stage, run) or None,
    }
    for track, after in facts.items():
        if (view.state.value(track, name) or None) != after:
            yield changed(view, track, name, after, RAIL_ROADS)
    if run.train.task or train.task:
        yield from mark_task(view, name, train.task, int(train.done), RAIL_ROADS)
    if run.troubled:
        yield from mark_half(view, name, "initial", run.troubled)


def off_map_text(stage: Stage, run: Run) -> str:
    """Where a unit is on an off-map line, as the position keeps it; "" on the map."""
    if not stage.train.gone or run.route is None:
        return ""
    ends = [leg.hex for leg in run.route.legs if leg.off_map and leg.hex not in stage.hexes]
    return spell_amounts({ends[0]: Fraction(stage.train.gone)})


# --- in words ---------------------------------------------------------------------------------------------------------


def time_words(view: View, turn: int, phasing: str, phase: str) -> str:
    """A phase in words: "Movement Phase of GT 9 (Russian player turn)"."""
    of_turn = f" of GT {turn}" if turn else ""
    return f"{TITLES[phase]}{of_turn} ({view.game.file.title_of(phasing)} player turn)"


def conclude(view: View, units: Sequence[UnitByRail]) -> Verdict:
    """The answer in a line."""
    waiting = [unit.unit for unit in units if not unit.destination and not unit.lacking]
    late = [unit.unit for unit in units if unit.arrives is None and unit.unit not in waiting]
    fight = [f"{unit.unit} in the {words_of_time(view, unit.fights)}" for unit in units if unit.fights]
    trains = [
        f"{unit.unit} in the {words_of_time(view, unit.arrives)}" for unit in units if unit.arrives and not unit.fights
    ]
    if len(late) == len(units):
        return verdict("no", "{units} cannot complete the journey", units=late)
    texts = [
        *["first attack possible: {when:+}"] * bool(fight),
        *["detrained: {arrivals:+}"] * bool(trains),
        *["{units} cannot complete the journey"] * bool(late),
        *["{delayed} cannot complete entraining in this phase, and so cannot move by rail yet"] * bool(waiting),
    ]
    figures = {"when": fight, "arrivals": trains, "units": late, "delayed": waiting}
    text = "; ".join(texts)
    return verdict(
        "no" if late else "figure" if fight or trains else "yes",
        text,
        **{name: figures[name] for name in names_in(text)},
    )


def words_of_time(view: View, time: RailTime) -> str:
    """A phase of a timetable in words."""
    return time_words(view, time.turn, time.phasing, time.phase)


def unit_steps(view: View, lines: Lines, run: Run, unit: UnitByRail) -> Iterator[Step]:
    """The timetable of a unit in words."""
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
        yield phase_step(view, phase)
    if not unit.destination:
        yield step("8.2.3", "{unit} names its destination as soon as it has completed entraining", unit=unit.unit)
    if run.unfit:
        text = "the destination named is not needed yet, and would be refused now: {why:+}"
        yield step("8.2.3", text, why=[line.text for line in run.unfit])
    if unit.lacking:
        text = "its side is {missing:#Rail Point} short in {hex}"
        text += ": it waits there to trans-ship" if unit.phases[-1].aboard else ""
        yield step("8.2.3", text, missing=unit.lacking, hex=unit.phases[-1].place)
    if unit.arrives and run.train.marked:
        text = "its Combat Strength 1/2 marker takes effect once it has detrained, and comes off in the second Post-Combat Phase"
        yield step("8.2.5", text)


DOINGS: Mapping[On, str] = {
    "entraining": "entrain",
    "rail": "move",
    "trans-shipping": "trans-ship",
    "detraining": "detrain",
    "waiting": "wait in the queue",
}
"""What Movement Points are spent on, in words."""


def phase_step(view: View, phase: RailPhase) -> Step:
    """A phase in words: where the unit is then, what it has spent, and what is left."""
    spent = [
        f"{points_words(phase.spent[word])} to {doing}" for word, doing in DOINGS.items() if word in phase.spent
    ] or ["nothing spent"]
    text = "{when}: {doings:+}; in {hex}"
    text += ", {over:#hex} along the off-map line" if phase.off_map else ""
    text += ", {points:#Movement Point} on its marker for {task}" if phase.marker else ""
    text += "; pays {paid:+}" if phase.paid else ""
    text += "; {stations:+}" if phase.stations else ""
    return step(
        "8.2.3",
        text,
        when=time_words(view, phase.turn, phase.phasing, phase.phase),
        doings=spent,
        hex=phase.place,
        over=phase.off_map,
        points=phase.marker,
        task=phase.task,
        paid=[pool_words(kind, points, phase.pools.get(kind)) for kind, points in phase.paid.items()],
        stations=[f"{hex} can serve {points_words(left)} RCP more" for hex, left in phase.stations.items()],
    )


def points_words(points: Fraction) -> str:
    """Movement Points in words: "5 9/14"."""
    return fill("{points}", {"points": points})


def pool_words(kind: str, points: Fraction, left: Fraction | None) -> str:
    """Rail Points of a pool in words, with those that are left."""
    name = " ".join(filter(None, [points_words(points), POOL_TITLES[kind], "RP"]))
    return name if left is None else f"{name} ({points_words(left)} left)"


QUESTION = declare(
    "rail", "when units that go by rail arrive and can attack, and what they cost in Rail Points", answer, decision=None
)
