"""Trains: the phases of units by rail, and their first combat after it (8.2.3 to 8.2.6, 17.2.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import note

from .rail_points import TURNS_PER_INTER_PHASE, Payment, Purse, RailPool, last_renewal, pay_rail_points, pools_for
from .routes import Route, RouteLeg, rail_points
from .stations import Yards, station_capacity, work_on

Doing = Literal["entraining", "rail", "trans-shipping", "detraining", "waiting"]
_MAX_PHASES = 60
"""The maximum number of phases of a timetable."""
NOTHING: Mapping[str, Fraction] = MappingProxyType({})


class TrainPhase(msgspec.Struct, frozen=True):
    """A phase in which the trains of a side run."""

    turn: int
    """The game turn, or 0 if it is not stated."""
    phasing: str
    """The side whose player turn it is."""
    counter: bool
    """Whether it is the Counter Movement Phase."""
    rate: int
    """The RR hexes per Movement Point in the phase."""


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that moves by rail."""

    unit: str
    nation: str
    cost: Annotated[Fraction, note("Rail Cost Points")]
    place: Annotated[str, note("the hex, from which it goes on")]
    destination: Annotated[str, note('the destination, or "" while it has none')]
    allowance: Annotated[Fraction, note("printed Movement Points, which its route does not depend on")] = Fraction(0)
    aboard: Annotated[bool, note("whether it is in Rail Mode")] = False
    task: Annotated[str, note("the task that it has begun")] = ""
    done: Annotated[Fraction, note("the points on its marker")] = Fraction(0)
    spent: Annotated[Fraction, note("Movement Points in this phase so far")] = Fraction(0)
    gauge: Annotated[str, note('the gauge of the line on which it is, or "" if that does not matter')] = ""
    gone: Annotated[int, note("hexes already behind it on an off-map line")] = 0
    marked: Annotated[bool, note("whether it has a 1/2 marker")] = False
    slowed: Annotated[bool, note("whether a die of its leader leaves it half its Movement Points in this phase")] = (
        False
    )

    def points(self, *, counter: bool) -> Fraction:
        """Return the train's Movement Points in a phase, without a Forced March (5.4.7, 25.1.1)."""
        points = self.allowance / 2 if counter else self.allowance
        return points / 2 if self.slowed else points

    @property
    def afresh(self) -> Train:
        """The train at the beginning of a later phase: it has spent nothing, and no die has slowed it."""
        return replace(self, spent=Fraction(0), slowed=False)


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's activity in one phase of its timetable, and the result."""

    moment: TrainPhase
    train: Train
    """The train at the end of the phase."""
    hexes: tuple[str, ...] = ()
    """The hexes that the unit enters."""
    spent: Mapping[str, Fraction] = NOTHING
    """The Movement Points spent, by activity."""
    paid: Mapping[RailPool, Fraction] = {}
    lacking: Fraction = Fraction(0)
    """The missing Rail Points."""
    wasted: bool = False
    """Whether the unit's entraining was wasted for lack of Rail Points."""
    left: Fraction = Fraction(0)
    """The Movement Points that the unit has not spent."""
    arrived: bool = False


class Running(msgspec.Struct):
    """A train's phase in progress, with what it may use and has done so far."""

    train: Train
    moment: TrainPhase
    route: Route
    yards: Yards
    purse: Purse
    warsaw: Collection[str]
    clock: Fraction
    """The Movement Points spent in the phase so far."""
    have: Fraction
    """The Movement Points that the train has in the phase."""
    spent: dict[str, Fraction] = {}
    hexes: list[str] = []
    paid: dict[RailPool, Fraction] = {}
    lacking: Fraction = Fraction(0)
    wasted: bool = False
    arrived: bool = False

    def take(self, doing: Doing, points: Fraction) -> None:
        """Spend Movement Points on an activity."""
        if points:
            self.spent[doing] = self.spent.get(doing, Fraction(0)) + points
            self.clock += points

    def set(self, **given: object) -> None:
        """Replace fields of the train."""
        self.train = replace(self.train, **given)


def run_phase(
    train: Train, route: Route, moment: TrainPhase, yards: Yards, purse: Purse, warsaw: Collection[str] = ()
) -> tuple[Stage, Route, Yards, Purse]:
    """Return a phase of a train, with the rest of its route, of the stations and of the Rail Points.

    The train entrains and pays, moves, trans-ships and detrains, in that order, as far as its Movement Points go.

    `warsaw`: the stations where Warsaw points may be used.

    Rule: 8.2.3a
    """
    running = Running(
        train=train,
        moment=moment,
        route=route,
        yards=yards,
        purse=purse,
        warsaw=warsaw,
        clock=train.spent,
        have=train.points(counter=moment.counter),
    )
    if train.aboard or entrain(running):
        move_along(running)
        if not running.route.legs:
            detrain(running)
    stage = Stage(
        moment=moment,
        train=running.train.afresh,
        hexes=tuple(running.hexes),
        spent=running.spent,
        paid=running.paid,
        lacking=running.lacking,
        wasted=running.wasted,
        left=max(running.have - running.clock, Fraction(0)),
        arrived=running.arrived,
    )
    return stage, running.route, running.yards, running.purse


def entrain(running: Running) -> bool:
    """Entrain a unit, which pays as it enters Rail Mode, and return whether it is aboard.

    Without enough Rail Points the unit begins anew. If it began in an earlier phase, it has wasted the points of this
    phase.

    Rule: 8.2.3c, 8.2.3d, 8.2.3e
    """
    train, hex = running.train, running.train.place
    start = running.yards.start(hex, running.clock)
    work = work_on(train.cost, train.done, running.have - start, running.yards.room(hex))
    if work.complete:
        pools = pools_for(train.nation, running.route.gauge, warsaw=hex in running.warsaw)
        payment = pay_rail_points(running.purse, pools, train.cost)
        running.lacking = payment.lacking
        if payment.lacking and not train.done:
            return False
        running.wasted = bool(payment.lacking)
        _record_payment(running, payment)
    if work.points:
        running.take("waiting", start - running.clock)
        running.take("entraining", work.points)
        running.yards = running.yards.after(hex, work.points, running.clock)
    if work.complete and not running.wasted:
        running.set(aboard=True, task="", done=Fraction(0), gauge=running.route.gauge)
        return True
    under_way = bool(work.done) and not running.wasted
    running.set(task="entraining" if under_way else "", done=work.done if under_way else Fraction(0))
    return False


def _record_payment(running: Running, payment: Payment) -> None:
    running.purse = payment.left
    for pool, points in payment.paid.items():
        running.paid[pool] = running.paid.get(pool, Fraction(0)) + points


def move_along(running: Running) -> None:
    """Move a unit in Rail Mode along its route, trans-shipping on the way, until its Movement Points run out.

    Rule: 8.2.3h
    """
    while running.route.legs:
        leg = running.route.legs[0]
        passed = tranship(running, leg) if leg.is_change else pass_leg(running, leg)
        if not passed:
            return
        running.route = Route(leg.hex, running.route.legs[1:], leg.gauge)


def pass_leg(running: Running, leg: RouteLeg) -> bool:
    """Move a unit along a leg of its route as far as its Movement Points go, and return whether it reaches the end.

    Rule: 8.2.2, 8.2.8
    """
    rate, gone = running.moment.rate, running.train.gone
    hexes = hexes_for(leg, gone, running.have - running.clock, rate)
    running.take("rail", rail_points(hexes, rate))
    if gone + hexes < leg.hexes:
        running.set(gone=gone + hexes)
        return False
    running.hexes.append(leg.hex)
    running.set(place=leg.hex, gone=0)
    return True


def hexes_for(leg: RouteLeg, hexes_behind: int, points: Fraction, rate: int) -> int:
    """Return the hexes of a leg for which Movement Points last, fractions included.

    Over an off-map line that is any part of the leg, on the map the whole hex or nothing.

    `hexes_behind`: hexes of an off-map line already behind the unit.

    Rule: 8.2.2, 8.2.8
    """
    room = floor(points * rate)
    if leg.off_map:
        return min(room, leg.hexes - hexes_behind)
    return leg.hexes if room >= leg.hexes else 0


def tranship(running: Running, leg: RouteLeg) -> bool:
    """Trans-ship a unit to the other gauge without detraining, and return whether that is complete.

    It costs a Movement Point and a new Rail Point for each Rail Cost Point.

    Rule: 17.2.2
    """
    train = running.train
    work = work_on(train.cost, train.done, running.have - running.clock)
    if work.complete:
        pools = pools_for(train.nation, leg.gauge, warsaw=train.place in running.warsaw)
        payment = pay_rail_points(running.purse, pools, train.cost)
        running.lacking = payment.lacking
        if payment.lacking:
            return False
        _record_payment(running, payment)
    running.take("trans-shipping", work.points)
    if work.complete:
        running.set(task="", done=Fraction(0), gauge=leg.gauge)
        return True
    running.set(task="trans-shipping" if work.done else "", done=work.done)
    return False


def detrain(running: Running) -> None:
    """Detrain a unit at its destination with its remaining Movement Points, as far as the station can serve it.

    Rule: 8.2.3j, 8.2.3k
    """
    train, hex = running.train, running.train.place
    start = running.yards.start(hex, running.clock)
    work = work_on(train.cost, train.done, running.have - start, running.yards.room(hex))
    if work.points:
        running.take("waiting", start - running.clock)
        running.take("detraining", work.points)
        running.yards = running.yards.after(hex, work.points, running.clock)
    if work.complete:
        running.arrived = True
        running.set(aboard=False, task="", done=Fraction(0), destination="", gauge="")
    else:
        running.set(task="detraining" if work.done else "", done=work.done)


def late_entraining(trains: Sequence[Train], yards: Yards, *, counter: bool) -> frozenset[str]:
    """Return the units that do not complete entraining in a phase, and so do not move in it (8.2.3, 8.2.6).

    Units use the stations in the given order, including units that detrain in their hex.

    `counter`: whether it is the Counter Movement Phase.
    """
    late = set[str]()
    for train in trains:
        if not train.aboard or train.place == train.destination:
            start = yards.start(train.place, train.spent)
            room = yards.room(train.place)
            work = work_on(train.cost, train.done, train.points(counter=counter) - start, room)
            yards = yards.after(train.place, work.points, start + work.points)
            if not work.complete and not train.aboard:
                late.add(train.unit)
    return frozenset(late)


# --- timetables of several trains, phase by phase ---------------------------------------------------------------------


class Timetable(msgspec.Struct, frozen=True):
    """The phases of a train, with the resources left after each."""

    stages: tuple[Stage, ...]
    yards: tuple[Yards, ...]
    """The stations after each stage."""
    purses: tuple[Purse, ...]
    """The Rail Points after each stage."""

    @property
    def done(self) -> TrainPhase | None:
        """The phase in which the unit has detrained, or None if it does not get so far."""
        last = self.stages[-1] if self.stages else None
        return last.moment if last and last.arrived else None


def timetables(
    trains: Sequence[Train],
    routes: Sequence[Route],
    moments: Callable[[], Iterator[TrainPhase]],
    yards: Yards,
    purse: Purse,
    warsaw: Collection[str] = (),
    renewed: Callable[[int], Purse] | None = None,
    since: int | None = None,
) -> list[Timetable]:
    """Return the timetables of trains that share stations and Rail Points, in the order given.

    `moments`: a function that returns the phases.
    `yards`, `purse`: the stations and Rail Points in the first phase.
    `warsaw`: the stations where Warsaw points may be used.
    `renewed`: a function that returns the Rail Points after the Inter-Phase of a game turn.
    `since`: the game turn of `purse`, or None for that of the first phase.
    """
    current_trains = list(trains)
    remaining_routes = list(routes)
    rows_by_train: list[list[tuple[Stage, Yards, Purse]]] = [[] for _ in trains]
    is_over = [False] * len(trains)
    turn = since
    for number, moment in zip(range(_MAX_PHASES), moments(), strict=False):
        if turn is not None and renewed and has_interphase(turn, moment.turn):
            purse = renewed(last_renewal(moment.turn - 1))
        turn = moment.turn
        if number:
            yards = Yards(station_capacity(counter=moment.counter), queuing=yards.queuing)
        for index, train in enumerate(current_trains):
            if not is_over[index]:
                stage, remaining_routes[index], yards, purse = run_phase(
                    train, remaining_routes[index], moment, yards, purse, warsaw
                )
                rows_by_train[index].append((stage, yards, purse))
                ends = stage.arrived or stage.wasted or bool(stage.lacking) or not stage.train.destination
                current_trains[index], is_over[index] = stage.train, ends
        if all(is_over):
            break
    return [Timetable(*(tuple(column) for column in zip(*train_rows, strict=True))) for train_rows in rows_by_train]


def has_interphase(before: int, now: int) -> bool:
    """Return whether an Inter-Phase, which follows every third turn, falls between two game turns. Rule: 5.2.1"""
    return (now - 1) // TURNS_PER_INTER_PHASE > (before - 1) // TURNS_PER_INTER_PHASE


class Battle(msgspec.Struct, frozen=True):
    """An attack phase."""

    turn: int
    """The game turn, or 0 if it is not stated."""
    phasing: str
    """The side whose player turn it is."""
    counter: bool
    """Whether it is the Counter Attack Phase."""


def first_battle(done: TrainPhase, *, marked: bool) -> Battle:
    """Return the first attack phase in which a detrained unit can attack.

    It is that of the same player turn, or a game turn later with a Combat Strength 1/2 marker on its Initial side.

    `done`: the phase in which the unit has detrained.
    `marked`: whether the unit has the marker.

    Rule: 8.2.5
    """
    turn = done.turn + 1 if done.turn and marked else done.turn
    return Battle(turn, done.phasing, done.counter)
