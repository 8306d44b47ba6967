"""Trains: what a unit that goes by rail does in each phase until it has detrained, and when it can fight (8.2.3 to
8.2.6, 17.2.2).
"""

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
LONGEST = 60
"""Phases after which a timetable breaks off."""
NOTHING: Mapping[str, Fraction] = MappingProxyType({})


class TrainPhase(msgspec.Struct, frozen=True):
    """A phase in which the trains of a side run."""

    turn: int
    """0 if it is not stated."""
    phasing: str
    """The side whose player turn it is."""
    counter: bool
    """Whether it is the Counter Movement Phase."""
    rate: int
    """RR hexes to a Movement Point."""


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that goes by rail."""

    unit: str
    nation: str
    cost: Annotated[Fraction, note("Rail Cost Points")]
    place: Annotated[str, note("its hex, from which it goes on")]
    destination: Annotated[str, note('"" while it has none')]
    allowance: Annotated[Fraction, note("printed Movement Points, which its route does not depend on")] = Fraction(0)
    aboard: Annotated[bool, note("whether it is in Rail Mode")] = False
    task: Annotated[str, note("what it has begun")] = ""
    done: Annotated[Fraction, note("the points on its marker")] = Fraction(0)
    spent: Annotated[Fraction, note("Movement Points in this phase so far")] = Fraction(0)
    gauge: Annotated[str, note('of the line on which it is, "" if that does not matter')] = ""
    gone: Annotated[int, note("hexes already behind it on an off-map line")] = 0
    marked: Annotated[bool, note("whether it has a 1/2 marker")] = False
    slowed: Annotated[bool, note("whether a die of its leader leaves it half its Movement Points in this phase")] = (
        False
    )

    def points(self, *, counter: bool) -> Fraction:
        """Return its Movement Points in a phase, without those of a Forced March (5.4.7, 25.1.1)."""
        points = self.allowance / 2 if counter else self.allowance
        return points / 2 if self.slowed else points

    @property
    def afresh(self) -> Train:
        """The train as the next phase begins, in which it has spent nothing and no die has slowed it."""
        return replace(self, spent=Fraction(0), slowed=False)


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit does in a phase."""

    moment: TrainPhase
    train: Train
    """As the phase leaves it."""
    hexes: tuple[str, ...] = ()
    """Those that it enters."""
    spent: Mapping[str, Fraction] = NOTHING
    """Movement Points, by what for."""
    paid: Mapping[RailPool, Fraction] = {}
    lacking: Fraction = Fraction(0)
    """Rail Points."""
    wasted: bool = False
    """Whether it has entrained for want of Rail Points to no purpose."""
    left: Fraction = Fraction(0)
    """Movement Points that it may still spend once it has detrained, or lose."""
    arrived: bool = False


class Running(msgspec.Struct):
    """A phase of a train under way: what it has, and what it has done so far."""

    train: Train
    moment: TrainPhase
    route: Route
    yards: Yards
    purse: Purse
    warsaw: Collection[str]
    clock: Fraction
    """Movement Points spent in the phase so far."""
    have: Fraction
    """Its Movement Points in the phase."""
    spent: dict[str, Fraction] = {}
    hexes: list[str] = []
    paid: dict[RailPool, Fraction] = {}
    lacking: Fraction = Fraction(0)
    wasted: bool = False
    arrived: bool = False

    def take(self, doing: Doing, points: Fraction) -> None:
        """Spend Movement Points."""
        if points:
            self.spent[doing] = self.spent.get(doing, Fraction(0)) + points
            self.clock += points

    def set(self, **given: object) -> None:
        """Change what is true of the train."""
        self.train = replace(self.train, **given)


def run_phase(
    train: Train, route: Route, moment: TrainPhase, yards: Yards, purse: Purse, warsaw: Collection[str] = ()
) -> tuple[Stage, Route, Yards, Purse]:
    """Return a phase of a train: it entrains and pays, moves, trans-ships and detrains, in that order, as far as its
    Movement Points go; with what is left of its route, of the stations and of the Rail Points.

    warsaw: the stations where Warsaw points may be used. Rule: 8.2.3a
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
    """Entrain a unit, which pays as it enters Rail Mode, and return whether it has. Without the Rail Points its move
    begins anew, unless it began under a marker: then it has spent the points that were missing to no purpose.
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
    """Take over what was paid."""
    running.purse = payment.left
    for pool, points in payment.paid.items():
        running.paid[pool] = running.paid.get(pool, Fraction(0)) + points


def move_along(running: Running) -> None:
    """A unit in Rail Mode moves along its route, as far as its Movement Points go, and trans-ships on the way: it never
    stops while it can go on.
    Rule: 8.2.3h
    """
    while running.route.legs:
        leg = running.route.legs[0]
        passed = tranship(running, leg) if leg.is_change else pass_leg(running, leg)
        if not passed:
            return
        running.route = Route(leg.hex, running.route.legs[1:], leg.gauge)


def pass_leg(running: Running, leg: RouteLeg) -> bool:
    """Move a unit along a part of its route, as far as its Movement Points go, and return whether it reaches its end.
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


def hexes_for(leg: RouteLeg, gone: int, points: Fraction, rate: int) -> int:
    """Return the hexes of a part of a route for which Movement Points last, each for as many as the rate says,
    fractions among them: over an off-map line as many as they go, on the map the whole hex or nothing.

    gone: hexes of an off-map line already behind the unit. Rule: 8.2.2, 8.2.8
    """
    room = floor(points * rate)
    if leg.off_map:
        return min(room, leg.hexes - gone)
    return leg.hexes if room >= leg.hexes else 0


def tranship(running: Running, leg: RouteLeg) -> bool:
    """Trans-ship a unit to the other gauge: a Movement Point and a new Rail Point for each Rail Cost Point, without
    detraining; whether it has.
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
    """A unit that has reached its destination spends what it has left on detraining, as far as the station serves it.
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
    """Return the units that do not complete entraining in a phase, and so go nowhere in it; in the order in which they
    are named they use the stations, as do those that detrain where they are (8.2.3, 8.2.6).

    counter: whether it is the Counter Movement Phase.
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


# --- several trains, phase by phase -----------------------------------------------------------------------------------


class Timetable(msgspec.Struct, frozen=True):
    """What a train does in each phase."""

    stages: tuple[Stage, ...]
    yards: tuple[Yards, ...]
    """After each of them."""
    purses: tuple[Purse, ...]
    """After each of them."""

    @property
    def done(self) -> TrainPhase | None:
        """The phase in which the unit has detrained, None if it does not get so far."""
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
    """Return the timetables of some trains that share stations and Rail Points, in the order in which they are named.

    moments: the phases; yards, purse: as the first phase has them; warsaw: where Warsaw points may be used; renewed:
    the pools after the Inter-Phase of a game turn; since: the game turn of `purse`, None for the first phase's.
    """
    current = list(trains)
    left = list(routes)
    lists: list[list[tuple[Stage, Yards, Purse]]] = [[] for _ in trains]
    arrived = [False] * len(trains)
    turn = since
    for number, moment in zip(range(LONGEST), moments(), strict=False):
        if turn is not None and renewed and has_interphase(turn, moment.turn):
            purse = renewed(last_renewal(moment.turn - 1))
        turn = moment.turn
        if number:
            yards = Yards(station_capacity(counter=moment.counter), queuing=yards.queuing)
        for at, train in enumerate(current):
            if not arrived[at]:
                stage, left[at], yards, purse = run_phase(train, left[at], moment, yards, purse, warsaw)
                lists[at].append((stage, yards, purse))
                over = stage.arrived or stage.wasted or bool(stage.lacking) or not stage.train.destination
                current[at], arrived[at] = stage.train, over
        if all(arrived):
            break
    return [Timetable(*(tuple(column) for column in zip(*rows, strict=True))) for rows in lists]


def has_interphase(before: int, now: int) -> bool:
    """Return whether an Inter-Phase falls between two game turns: one follows every third turn. Rule: 5.2.1"""
    return (now - 1) // TURNS_PER_INTER_PHASE > (before - 1) // TURNS_PER_INTER_PHASE


class Battle(msgspec.Struct, frozen=True):
    """An attack phase."""

    turn: int
    """0 if it is not stated."""
    phasing: str
    """The side whose player turn it is."""
    counter: bool
    """Whether it is the Counter Attack Phase."""


def first_battle(done: TrainPhase, *, marked: bool) -> Battle:
    """Return the first attack phase in which a unit can attack that has detrained: that of the same player turn, or
    with a Combat Strength 1/2 marker that of a game turn later.

    done: the phase in which it has detrained; marked: whether it has the marker, on its Initial side.
    Rule: 8.2.5
    """
    turn = done.turn + 1 if done.turn and marked else done.turn
    return Battle(turn, done.phasing, done.counter)
