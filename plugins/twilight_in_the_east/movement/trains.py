"""Units in Rail Mode or about to entrain: their facts and their routes (3.3.3, 8.2.3, 8.2.4, 17.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, InputError, Step, View, holding, note, step
from assistant.asking.permission import Clause, if_known
from assistant.asking.view import changed
from assistant.rules.field import SideField
from assistant.state.changes import AnyChange, Change
from assistant.state.points import check_halves
from assistant.state.state import Unit

from ..forces.account import Account
from ..forces.activation import read_dot, rule_of_dot
from ..forces.bars import IN_RAIL_MODE, bars, say_bars
from ..forces.leaders import khan_result
from ..forces.markers import BY_RAIL, bar_of_task, marker_of
from ..forces.movement_points import bar_of_khan, cannot_move, held_by_dot, printed_points
from ..forces.unit import StatusRead
from ..ground.hexsides import around_side
from ..railways.interference import StrandedTrain, cut_off_options, hexes_along, threatened_hexes
from ..railways.lines import RailLines
from ..railways.network import has_station, known_station
from ..railways.rail_points import Purse, read_pools
from ..railways.routes import RailNet, Route
from ..railways.stations import (
    Platform,
    is_clear_of_enemies,
    is_destination_lost,
    why_no_destination,
    why_no_entraining,
    why_not_instead,
)
from ..railways.transport import Train
from ..terms import COMBAT_ARMS, DEPOTS, FORTRESSES

MAX_STATIONS_NAMED = 3
"""Maximum number of nearby stations named if a hex has none."""


def bar_zones_to_guns(facts: Gather, lines: RailLines, trains: Sequence[Train], goals: Sequence[str]) -> RailLines:
    """Return a side's railways, with the EZOCs that artillery and Corps Trains may not pass in Rail Mode.

    By a ruling these are EZOCs without a friendly combat unit.

    `goals`: the destination named for each train, or "".
    """
    view, around = lines.view, lines.around
    guns = {train.unit for train in trains if facts.word("arm", train.unit) in ("artillery", "corps-train")}
    if not guns:
        return lines
    combat = {str(unit.place) for unit in around.units if view.word("arm", unit.id) in COMBAT_ARMS}
    alone = frozenset(around.enemy_zones - combat)
    to = [replace(train, destination=goal or train.destination) for train, goal in zip(trains, goals, strict=True)]
    routes = [lines.find_route(train) for train in to if train.unit in guns and train.destination]
    matters = any(route is not None and not alone.isdisjoint(route.hexes) for route in routes)
    if view.ruling("train-through-zone", matters) != "barred":
        return lines
    return replace(lines, barred=dict.fromkeys(guns, alone))


def _rail_cost(facts: Gather, unit: Unit) -> Fraction:
    if facts.word("arm", unit.id) in DEPOTS:
        raise InputError(f"unit: {unit.id} is a depot, which does not entrain", hint="ask move-depot (8.2.7)")
    cost = facts.points("rail-cost", unit.id)
    if not cost and facts.view.fact("rail-cost", unit.id):
        raise InputError(f"unit: {unit.id} has no Rail Cost Points", hint="it cannot move by rail (3.3.3)")
    return check_halves(cost, f"rail-cost of {unit.id}", "Rail Cost Points")


def read_train(facts: Gather, unit: Unit, account: Account) -> Train:
    """Return a unit as a train.

    The destination is "" if the unit has not named one.
    """
    marker = marker_of(facts, unit)
    by_rail = marker.task in BY_RAIL
    off_map = facts.amounts("off-map", unit.id)
    return Train(
        unit=unit.id,
        nation=facts.word("nation", unit.id),
        cost=_rail_cost(facts, unit),
        allowance=printed_points(facts, unit),
        place=str(unit.place),
        destination=facts.word("destination", unit.id),
        aboard=facts.flag("entrained", unit.id),
        task=marker.task if by_rail else "",
        done=Fraction(marker.points if by_rail else 0),
        spent=account.total,
        gauge=facts.view.word("train-gauge", unit.id),
        gone=int(sum(off_map.values())),
        marked=facts.flag("half", unit.id),
        slowed=khan_result(facts.view, unit.id) == "slowed",
    )


def platform_at(
    facts: Gather,
    lines_of: SideField,
    net: RailNet,
    hex: str,
    use: Callable[[Platform], Iterable[Clause]] | None = None,
) -> Platform:
    """Return a hex where a unit would entrain or detrain, as its side sees the hex.

    `use`: a function that yields why a hex is unsuitable, to find the nearest suitable stations if the hex has none.
    """
    view, station = facts.view, has_station(facts, hex)
    usable: Iterable[str] = ()
    if use and not station:
        known = [there for there in net.links if view.board.is_hex(there) and known_station(view, there)]
        known.sort(key=lambda there: (view.board.distance(hex, there), there))
        looked_at = (platform_at(facts, lines_of, net, there) for there in known)
        usable = (platform.hex for platform in looked_at if not any(holds for holds, *_ in use(platform)))
    return Platform(
        hex=hex,
        station=station,
        near=tuple(islice(usable, MAX_STATIONS_NAMED)),
        operational=hex in net.links,
        friendly=_is_friendly(view, lines_of, hex),
        zone=hex in lines_of.enemy_zones,
        enemy=lines_of.nearest_enemy(hex),
    )


def _is_friendly(view: View, around: SideField, hex: str) -> bool:
    return view.word("control", hex) in ("", around.side) and hex not in around.enemies


def has_lost_destination(view: View, around: SideField, hex: str) -> bool:
    """Return whether a hex can no longer be the destination of a side's units in Rail Mode."""
    friendly = _is_friendly(view, around, hex)
    zone = hex in around.enemy_zones
    return is_destination_lost(Platform(hex=hex, station=True, operational=True, friendly=friendly, zone=zone))


def find_lost_destinations(view: View, changes: Sequence[AnyChange]) -> Iterator[Change]:
    """Yield the changes by which units in Rail Mode must name a new destination.

    An enemy has come into the old one or next to it.

    Rule: 8.2.3g
    """
    now = view.quiet_view()
    trains = [unit for unit in view.stated_about.get("destination", ()) if now.flag("entrained", unit)]
    if trains and not {"place", "control"}.isdisjoint(getattr(change, "track", "") for change in changes):
        then = now.after(changes)
        for unit in trains:
            if _lacks_destination(then, unit) and not _lacks_destination(now, unit):
                yield changed(now, "destination-lost", unit, True, "8.2.3")


def _lacks_destination(view: View, unit: str) -> bool:
    hex = view.word("destination", unit)
    if not hex or not view.flag("entrained", unit) or view.unit(unit).place is None:
        return False
    side = view.side_of(unit)
    return bool(if_known(view, lambda facts: has_lost_destination(view, around_side(facts, side), hex)))


RAIL_RULE = "8.2.3"


class Run(msgspec.Struct, frozen=True):
    """A unit that goes by rail, before its timetable."""

    train: Annotated[Train, note("the unit as a train, with its destination")]
    account: Account
    route: Annotated[Route | None, note("the route to its destination, or None if it has no route")] = None
    reasons: Annotated[tuple[Step, ...], note("the reasons why the unit does not move, prefixed with its name")] = ()
    troubled: Annotated[
        str, note('the rule by which it bears a 1/2 marker, or "": it is cut off, or its destination is lost')
    ] = ""
    displaced: Annotated[tuple[str, ...], note("the hexes by which it displaces before it moves")] = ()
    attacks: Annotated[bool, note("whether it may attack once it has detrained, as Corps Trains never do")] = True
    waits: Annotated[bool, note("whether it does not complete entraining, so that it needs no destination yet")] = False
    unfit: Annotated[tuple[Step, ...], note("why its destination would be refused now")] = ()

    @property
    def way(self) -> Route:
        """The unit's route; without one, an empty route in its hex."""
        return self.route or Route(self.train.place)

    def refuse(self, reasons: Iterable[Step]) -> Run:
        """Return the unit with further reasons, each worded about "it", why it does not go."""
        return replace(self, reasons=(*self.reasons, *steps_about(self.train.unit, reasons)))


def why_unit_stays(facts: Gather, unit: Unit, account: Account, *, present: bool) -> list[Step]:
    """Return why a unit does not go by rail, whatever its route.

    `present`: whether the unit goes in the present phase.
    """
    of_status = [
        (bar.rule, f"it {bar.text('spend')}")
        for bar in bars(StatusRead(facts, unit), "spend")
        if bar is not IN_RAIL_MODE
    ]
    task = marker_of(facts, unit).task
    elsewhere = [
        (rule_of_dot(facts, unit), held_by_dot(*read_dot(facts, unit))),
        cannot_move(facts, unit),
        (bar_of_khan(facts, unit) if present else None) or ("", ""),
        bar_of_task(facts, unit, task if task in BY_RAIL else "entraining"),
    ]
    fortress = facts.word("arm", unit.id) in FORTRESSES
    entrained = facts.flag("entrained", unit.id)
    return [
        *say_bars(*of_status),
        *holding([(fortress, "12.1", "it is a fortress unit, which never moves")]),
        *say_bars(*elsewhere),
        *(holding(bars_once_detrained(account, entrained=entrained)) if present else ()),
    ]


def bars_once_detrained(account: Account, *, entrained: bool) -> Iterator[Clause]:
    """Yield why a unit that has detrained in a phase goes no further by rail in the phase.

    `entrained`: whether the unit is in Rail Mode.

    Rule: 8.2.3j
    """
    text = "it has detrained in this phase and does not entrain again"
    yield "detraining" in account.spent and not entrained, "8.2.3", text


def steps_about(unit: str, reasons: Iterable[Step]) -> tuple[Step, ...]:
    """Return reasons worded about "it" as steps about a unit, without duplicates."""
    each = dict.fromkeys((reason.rule, reason.text) for reason in reasons)
    return tuple(step(rule, "{unit}: {why}", unit=unit, why=why) for rule, why in each)


def why_detour(lines: RailLines, run: Run) -> list[Step]:
    """Return a step if a route through named hexes costs more than the cheapest one (8.2.3)."""
    if run.route is None:
        return []
    cheapest = lines.find_route(run.train)
    change = lines.transshipping_hexes(run.train)
    if cheapest is None or run.route.price(change) <= cheapest.price(change):
        return []
    text = "{unit}: the route takes {points:#Movement Point}, and the cheapest one {least}"
    points = run.route.price(change) / lines.rate
    least = cheapest.price(change) / lines.rate
    return [step(RAIL_RULE, text, unit=run.train.unit, points=points, least=least)]


class Planning(NamedTuple):
    """The routes that an owner plans for trains over the railways of the side."""

    facts: Gather
    lines: RailLines
    via: tuple[str, ...] = ()
    """The hexes through which the routes must lead."""
    gauge: str = ""
    """The gauge of the lines by which Russian units leave, or "" for any."""
    displace: str | None = None
    """The hex to which a unit displaces if it is cut off from its destination, or None."""

    def plan_runs(self, runs: Sequence[Run], goals: Sequence[str]) -> list[Run]:
        """Return the units with their routes, and the reasons against them.

        `goals`: the destination named for each unit, or "".
        """
        purse: Purse = read_pools(self.lines.view, *(run.train.nation for run in runs))
        planned = list[Run]()
        for run, goal in zip(runs, goals, strict=True):
            named = replace(run, train=replace(run.train, destination=goal))
            if not run.train.aboard:
                plan = self._plan_entraining(named, purse)
            elif run.train.destination:
                plan = self._plan_journey(run, goal)
            else:
                plan = self._plan_journey(named, "")
            if plan.route and not plan.train.aboard:
                purse = self.lines.pay_for(replace(plan.train, gauge=plan.route.gauge), purse).left
            planned.append(plan)
        return planned

    def _platform(self, hex: str, use: Callable[[Platform], Iterator[Clause]] | None = None) -> Platform:
        return platform_at(self.facts, self.lines.around, self.lines.net, hex, use)

    def _find_route_to_pay(self, train: Train, purse: Purse) -> Route | None:
        """Return the cheapest route of a unit that is to entrain, or None if there is none.

        Russian routes may cost the same over either gauge; then one is returned whose gauge has Rail Points.

        `purse`: the Rail Points left by the units named before.
        """
        lines = self.lines
        if not lines.gauged:
            return lines.find_route(train, self.via)
        begin = [self.gauge] if self.gauge else lines.net.gauges_at(train.place)
        routes = [lines.find_route(replace(train, gauge=each), self.via) for each in begin]
        known = [route for route in routes if route is not None]
        least = min((route.price(lines.transshipping_hexes(train)) for route in known), default=None)
        cheapest = [route for route in known if route.price(lines.transshipping_hexes(train)) == least]

        for route in cheapest:
            if not lines.pay_for(replace(train, gauge=route.gauge), purse).lacking:
                return route
        return cheapest[0] if cheapest else None

    def _plan_entraining(self, run: Run, purse: Purse) -> Run:
        """Return a unit that is to entrain with its route, and the reasons against it.

        The destination bars nothing while the unit does not complete entraining, as it is named only then.

        `purse`: the Rail Points left by the units named before.
        """
        train = run.train
        here = self._platform(train.place, why_no_entraining)
        reasons = holding(why_no_entraining(here), here)
        if run.waits and (reasons or not train.destination):
            return run.refuse(reasons)
        there = self._platform(train.destination, why_no_destination)
        reasons += holding(why_no_destination(there), there)
        gone = train.place == train.destination
        route = None if gone else self._find_route_to_pay(train, purse)
        clauses = (
            (gone, "8.2.3", "it is already in {place}"),
            (
                not (gone or route or reasons),
                "8.2.3",
                "no friendly operational RR line leads from {place} to {destination}",
            ),
        )
        reasons += holding(clauses, train)
        if run.waits and reasons:
            return replace(run, train=replace(train, destination=""), unfit=steps_about(train.unit, reasons))
        return replace(run, route=route).refuse(reasons)

    def _plan_journey(self, run: Run, new: str) -> Run:
        """Return a unit in Rail Mode with the route to its destination, or to a new one.

        A new destination is needed if the old one is lost or cut off.

        `new`: the new destination that the owner names, or "".
        """
        train = run.train
        if is_destination_lost(self._platform(train.destination)):
            return self._replace_destination(run, new)
        if self.lines.find_route(train) is None:
            return self._find_way_round(run, new)
        if new not in ("", train.destination):
            return run.refuse([step("8.2.3", "it can still reach its destination, {destination}", train)])
        return self._add_route(run)

    def _replace_destination(self, run: Run, new: str) -> Run:
        train = run.train
        if not new or new == train.destination:
            text = "its destination {destination} is lost: name a new one within 10 hexes of it (to=HEX)"
            return run.refuse([step("8.2.3", text, train)])
        distance = hexes_along(self.lines.before.legs(), train.destination).get(new)
        there = self._platform(new, why_no_destination)
        reasons = holding(why_not_instead(there, distance), there, distance=distance)
        run = replace(run, train=replace(train, destination=new, marked=True), troubled=RAIL_RULE)
        return self._add_route(run.refuse(reasons))

    def _add_route(self, run: Run) -> Run:
        """Return a unit with its cheapest route, or with the reason that there is none."""
        train = run.train
        route = self.lines.find_route(train, self.via)
        if route is not None:
            return replace(run, route=route)
        text = "no friendly operational RR line leads from {place}[hexes: through {hexes}] to {destination}"
        return run.refuse([step("8.2.3", text, train, hexes=self.via)])

    def _find_way_round(self, run: Run, new: str) -> Run:
        """Return a unit in Rail Mode that is cut off from its destination with its new route.

        The unit displaces toward its destination (8.2.4) or, if that does not help, takes a new one.
        """
        train = run.train
        options = self._find_options(train)
        for way in options.displace:
            if way.end == self.displace:
                moved = replace(train, place=way.end, marked=True)
                return self._add_route(replace(run, train=moved, troubled="8.2.4", displaced=way.hexes))
        if not options.displace and new in options.stations:
            train = replace(train, destination=new, marked=True)
            return self._add_route(replace(run, train=train, troubled="8.2.4"))
        ends = [way.end for way in options.displace]
        stations = () if ends else options.stations
        on_line = stations and options.kind == "on the line"
        own = stations == (train.place,) and not on_line
        text = (
            "it is cut off from {destination}; "
            "[ends:it displaces first, to {ends} (displace=HEX)]"
            "[on_line:it takes a new destination, on the line between: {stations} (to=HEX)]"
            "[own:it takes a new destination, its own hex, the nearest: {stations} (to=HEX)]"
            "[near:it takes a new destination, nearest: {stations} (to=HEX)]"
            "[nowhere:no station can be reached]"
            "[unknown:; first name the hexes of the line that the enemy has taken lately, if any (changed=HEXES)]"
        )
        cut_off = step(
            "8.2.4",
            text,
            train,
            ends=ends,
            stations=stations,
            on_line=on_line,
            own=own,
            near=stations and not (on_line or own),
            nowhere=not (ends or stations),
            unknown=self.lines.find_route(train, before=True) is None,
        )
        return run.refuse([cut_off])

    def _find_options(self, train: Train) -> StrandedTrain:
        """Return the options of a unit in Rail Mode that is cut off from its destination.

        A station in an EZOC is not offered: a unit bound for one must name another destination at once.
        """
        lines, view, around = self.lines, self.lines.view, self.lines.around
        stations = {hex for hex in lines.net.links if known_station(view, hex) and hex not in around.enemy_zones}
        threatened = threatened_hexes(view, around.enemies)
        old = lines.find_route(train, before=True)

        def find_options(among: set[str]) -> StrandedTrain:
            return cut_off_options(
                lines.net,
                old,
                train.place,
                train.destination,
                stations=among,
                threatened=threatened,
                off_map=lines.off_map,
            )

        def find_options_by_ruling(among: set[str]) -> StrandedTrain:
            every = find_options(among)
            is_own = every.stations == (train.place,) and not every.displace
            return find_options(among - {train.place}) if view.ruling("cut-off-own", is_own) == "away" else every

        free = find_options_by_ruling(stations)
        clear = {hex for hex in stations if is_clear_of_enemies(around.nearest_enemy(hex))}
        if free.displace or clear == stations:
            return free
        apart = find_options_by_ruling(clear)
        if apart == free:
            return free
        return apart if view.ruling("cut-off-clear") == "three" else free
