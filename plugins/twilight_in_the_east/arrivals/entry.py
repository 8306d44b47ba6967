"""Reinforcements that are due, their entry hexes, and the cost of entry (16.0, 16.1, 16.1.1).

Other hexes replace a blocked entry hex. Units enter on foot or in Rail Mode.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import msgspec

from assistant.asking import Gather, InputError, Step, View, holding, if_known, note
from assistant.game.schedule_files import read_schedules
from assistant.game.schedule_rows import hexes_in
from assistant.rules.arrival_places import is_open, nearest_open, open_places
from assistant.rules.arrivals import Coming, coming_unit, coming_units, fact_of, units_of_rows, with_units
from assistant.rules.field import SideField
from assistant.rules.field.places import hexes_with
from assistant.state.state import hexside
from assistant.state.vocabulary import Hex, UnitId

from ..forces.activation import WITHDRAW, orders
from ..forces.departures import ARRIVES, ENTRY, WITHDRAWN, check_not_departed, departure_of
from ..ground.chart import HALVES_PER_POINT as HALVES
from ..ground.chart import Chart
from ..ground.costs import Passage, price_passage
from ..ground.edges import is_at_edge
from ..ground.hexsides import Entry, around_side, entry_bar
from ..railways.network import known_station
from ..railways.routes import RailNet, rail_points, read_rail_net
from ..substitutions.facts import is_replaced, is_substitute, with_substitutes
from ..terms import DEPOTS, SUPPLY_ARMS

WITHDRAWAL = "withdrawal"
"""Track: the game turn on a unit's Withdrawal Indicator."""
MAX_STATIONS = 3
"""The maximum number of RR Stations named near a blocked entry hex."""
MAX_STATION_DISTANCE_HEXES = 8
"""The maximum distance of the named stations from the entry hex; the nearest is always named.

The owner judges which stations are near enough (16.1).
"""
CLOSED_ENTRY_TEXT = (
    "[blocked:{entries} is blocked][alone:the enemy controls {entries}]"
    "[several:each of {hexes} is blocked or controlled by the enemy], and "
)
"""The text on why units do not enter in their entry hexes."""

# --- which units are due ----------------------------------------------------------------------------------------------


def is_due(due: int, turn: int, *, waits: bool) -> bool:
    """Return whether a reinforcement enters in a game turn.

    It enters in the turn for which it is indicated, or later if the position says that it waits. Otherwise it has been
    in play.

    `due`: the turn for which the reinforcement is indicated.
    `waits`: whether the position states its arrival.

    Rule: 16.0
    """
    return due <= turn if waits else due == turn


def units_to_come(view: View, side: str) -> Iterator[Coming]:
    """Yield the reinforcements of a side, earliest first, without those that have left the map for good (1.2.2)."""
    return (coming for coming in coming_units(view, side, rule="16.0") if not has_departed(view, coming))


def has_departed(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due has left the map for good.

    A unit that was withdrawn returns if a later row brings it.

    Rule: 1.2.2b
    """
    way = departure_of(view, coming.unit)
    if way != WITHDRAWN:
        return bool(way)
    turn = max(coming.turn, view.integer("turn"))
    return is_withdrawn(withdrawal_turns(view, turn).get(coming.unit), turn)


def units_due(view: View, side: str, turn: int) -> tuple[Coming, ...]:
    """Return the reinforcements of a side in a turn, including earlier ones that are stated to wait.

    Substitutes are left out: they come by exchange (16.2).
    """
    known = with_substitutes(view)
    leave = withdrawal_turns(view, turn)
    due = []
    for coming in units_to_come(view, side):
        if not is_due(coming.turn, turn, waits=view.state.value(ARRIVES, coming.unit) is not None):
            continue
        if is_substitute(known, coming.unit) or is_replaced(view, coming.unit):
            continue
        if not is_withdrawn(leave.get(coming.unit), turn):
            due.append(coming)
    return tuple(due)


def units_overdue(view: View, side: str, turn: int) -> tuple[Coming, ...]:
    """Return the units of a side that were due before a turn but are not in the position.

    They were eliminated or never placed. Substitutes, and units withdrawn by the schedules, are left out.
    """
    known = with_substitutes(view)
    gone = _find_withdrawals(view, turn - 1) | _find_withdrawals(view, turn)
    rows = units_of_rows(view.game, read_schedules(view.game), fact_of(view))
    earlier = (coming for coming in rows if coming.side == side and coming.turn < turn)
    missing = (coming for coming in earlier if coming.unit not in view.state.units and coming.unit not in gone)
    last = {coming.unit: coming for coming in sorted(missing, key=lambda coming: coming.turn)}
    return tuple(coming for coming in last.values() if not is_substitute(known, coming.unit))


def unit_due(view: View, side: str, name: str) -> Coming:
    """Return the arrival of a unit, in any turn.

    Raises InputError if the unit is on the map, has no stated arrival, or has left the map for good.
    """
    coming = coming_unit(coming_units(view, side, rule="16.0"), name)
    if coming is None or has_departed(view, coming):
        check_not_departed(view, name)
    place = view.state.units[name].place if name in view.state.units else None
    if place is not None and (coming is None or view.board.is_hex(place)):
        raise InputError(f"unit: {name} is in {place} already", hint="only units off the map arrive")
    if coming is None:
        hint = f'state its turn and its entry hex: "{name}" arrives=TURN entry=HEX'
        raise InputError(f"unit: nothing says when {name} arrives", hint=hint)
    return coming


def is_returning(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due is an eliminated supply unit that returns (16.4).

    Such a unit has been in play, and has no entry hex.
    """
    return not (coming.new or entry_hexes(view, coming)) and view.word("arm", coming.unit) in SUPPLY_ARMS


def comes_with_army(arm: str, *, new: bool, entry: bool) -> bool:
    """Return whether a unit that is due comes with its army.

    That is a depot not in play before, without an entry hex. It is placed in any RR Station that `why_no_depot` does
    not bar.

    `new`: whether the scenario or its counter brings the unit.
    `entry`: whether an entry hex is indicated.

    Rule: 16.3
    """
    return arm in DEPOTS and new and not entry


def is_depot_of_army(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due is a depot that comes with its army."""
    entry = bool(entry_hexes(view, coming))
    return not entry and coming.new and comes_with_army(view.word("arm", coming.unit), new=coming.new, entry=entry)


def is_withdrawn(indicator: int | None, turn: int) -> bool:
    """Return whether a unit is removed in the Reinforcement Phase of a turn, or should have been before.

    `indicator`: the game turn on the unit's counter, or None without one.

    Rule: 3.3.6, 16.5
    """
    return indicator is not None and indicator <= turn


def withdrawal_turns(view: View, turn: int) -> dict[str, int]:
    """Return the game turn of each unit's withdrawal, up to a turn, by its counter or else the schedules."""
    shown = {unit.id: view.integer(WITHDRAWAL, unit.id) for unit in view.units()}
    return _find_withdrawals(view, turn) | {unit: indicated for unit, indicated in shown.items() if indicated}


def _find_withdrawals(view: View, turn: int) -> dict[str, int]:
    """Return the units that rows withdraw up to a turn, except units that later rows bring back."""
    gone = [(order.turn, unit) for order in orders(view, WITHDRAW) if 0 < order.turn <= turn for unit in order.units]
    if not gone:
        return {}
    come = [*units_of_rows(view.game, read_schedules(view.game), fact_of(view))]
    back = {(coming.turn, coming.unit) for coming in come if coming.turn <= turn}
    return {unit: left for left, unit in sorted(gone) if not any(left < at and unit == name for at, name in back)}


# --- where units enter ------------------------------------------------------------------------------------------------


class Blocked(msgspec.Struct, frozen=True):
    """A blocked entry hex."""

    hex: Hex
    why: Annotated[tuple[str, ...], note("what blocks the hex")]


class ArrivingUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is due, with its entry hexes."""

    unit: UnitId
    turn: Annotated[int, note("the game turn in which it is due")]
    rule: Annotated[str, note("the rule that brings it")]
    entry: Annotated[tuple[str, ...], note("the entry hexes, empty while none is stated")] = ()
    open: Annotated[tuple[str, ...], note("the entry hexes known to be open")] = ()
    blocked: Annotated[tuple[Blocked, ...], note("the entry hexes that are blocked")] = ()
    instead: Annotated[
        tuple[str, ...],
        note(
            "where it enters if all are blocked, or may enter if the enemy controls the others: the nearest open RR "
            "hexes, or nearby RR Stations"
        ),
    ] = ()
    edge: Annotated[bool, note("whether it enters from a map edge")] = False
    rail: Annotated[bool, note("whether it may enter in Rail Mode")] = False
    cost: Annotated[Fraction | None, note("Movement Points of its first hex on foot, null if not known")] = None
    returns: Annotated[bool, note("whether it is an eliminated supply unit that comes back (ask return)")] = False
    army: Annotated[str, note("the army to which its row of the schedule attaches it, empty for none")] = ""
    corps: Annotated[str, note("the corps to which that row attaches it, none, or empty where it says nothing")] = ""
    depot: Annotated[
        bool, note("whether it comes with its army, in any open RR Station that friendly lines join to the map edge")
    ] = False

    @property
    def waits(self) -> bool:
        """Whether all its entry hexes and their replacements are known to be closed, so that the unit stays due."""
        return bool(self.entry) and len(self.blocked) == len(self.entry) and not self.instead


def arriving_units(view: View, side: str, turn: int) -> tuple[ArrivingUnit, ...]:
    """Return the units of a side that are due in a turn, each with its entry hexes.

    Raises MissingFacts if the zones of control are not known.
    """
    due = units_due(view, side, turn)
    there = with_units(view, (coming.unit for coming in due))
    if not due:
        return ()
    with there.gather() as facts:
        ground = EntryGround(facts, side, {there.word("nation", coming.unit) for coming in due})
    return tuple(read_arriving(there, ground, coming) for coming in due)


def read_arriving(view: View, ground: EntryGround, coming: Coming) -> ArrivingUnit:
    """Return a unit that is due, with its known entry hexes."""
    entries = entry_hexes(view, coming)
    ground = ground_of(view, ground, coming.unit)
    if is_depot_of_army(view, coming):
        stations = ground.depot_stations()
        return ArrivingUnit(
            unit=coming.unit,
            turn=coming.turn,
            rule="16.3",
            open=stations,
            cost=Fraction(0),
            army=coming.army.partition(" ")[2],
            depot=True,
        )
    entrances = {hex: ground.read_entrance(hex) for hex in entries}
    with view.gather() as facts:
        bars = {hex: ground.bars_to_entry(facts, hex) for hex in entries}
    blocked = tuple(Blocked(hex, tuple(bar.text for bar in reasons)) for hex, reasons in bars.items() if reasons)
    edge = any(entrance.edge for entrance in entrances.values())
    free = open_places(view, entries, ground.bars_to_entry)
    instead = ground.find_instead(entries, edge=edge) if entries and ground.is_shut(entries) else ()
    first = next(iter(free or instead), "")
    costs = first and edge
    free_of_cost = None if edge else Fraction(0)
    return ArrivingUnit(
        unit=coming.unit,
        turn=coming.turn,
        rule=coming.rule,
        entry=entries,
        open=free,
        blocked=blocked,
        instead=instead,
        edge=edge,
        rail=edge and any(ground.read_entrance(hex).railway for hex in (*free, *instead)),
        cost=if_known(view, lambda facts: cost_on_foot(facts, first)) if costs else free_of_cost,
        army=coming.army.partition(" ")[2],
        corps=coming.corps,
        returns=is_returning(view, coming),
    )


def entry_hexes(view: View, coming: Coming) -> tuple[str, ...]:
    """Return the entry hexes of a unit, as stated or else by its row in the schedule."""
    return hexes_in(view.board, view.word(ENTRY, coming.unit) or coming.place)


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """A hex in which units may enter, as their side sees it."""

    hex: str
    enemies: Annotated[bool, note("whether an enemy unit is in it")] = False
    zone: Annotated[bool, note("whether it is in an EZOC")] = False
    lost: Annotated[bool, note("whether the enemy controls it")] = False
    shut: Annotated[str, note("what closes it to everybody or to their nation, in words")] = ""
    edge: Annotated[bool, note("whether it is at an edge of the map")] = False
    railway: Annotated[bool, note("whether an RR line leads through it")] = False
    station: Annotated[bool, note("whether it has an RR Station")] = False
    beside: Annotated[bool, note("whether an enemy unit is adjacent to it, which bars depots")] = False


class EntryGround:
    """The hexes where a side's units may enter, as the side sees them."""

    def __init__(self, facts: Gather, side: str, nations: Collection[str] = (), *, depots: bool = False) -> None:
        self.view = facts.view
        self.side = side
        self.nations = nations
        self.depots = depots
        self.around: SideField = around_side(facts, side)

    @cached_property
    def net(self) -> RailNet:
        return read_rail_net(self.view, self.side, self.around.enemies)

    def for_depots(self) -> EntryGround:
        """Return the hexes as they are for depots, alone or with other units."""
        other = copy(self)
        other.depots = True
        return other

    def read_entrance(self, hex: str) -> Entrance:
        return msgspec.structs.replace(
            self._read_held(hex),
            edge=is_at_edge(self.view, hex),
            railway=hex in self.net.links,
            station=bool(known_station(self.view, hex)),
        )

    def _read_held(self, hex: str) -> Entrance:
        view = self.view
        around = self.around
        closed = entry_bar(Entry(hex, self.nations, False, "a sea hex" if view.word("terrain", hex) == "sea" else ""))
        return Entrance(
            hex=hex,
            enemies=hex in around.enemies,
            zone=hex in around.enemy_zones,
            lost=hex not in around.friends and view.word("control", hex) not in ("", self.side),
            shut=closed.why if closed else "",
            beside=self.depots and view.board.is_hex(hex) and around.next_to_enemy(hex),
        )

    def bars_to_hex(self, _: Gather, at: str) -> list[Step]:
        """Return what blocks a hex that is not an entry hex of the units."""
        return why_blocked(self._read_held(at))

    def bars_to_entry(self, _: Gather, at: str) -> list[Step]:
        """Return what blocks an entry hex, or a hex where a supply unit returns.

        By a ruling enemy control alone does not block it.
        """
        held = self._read_held(at)
        alone = held.lost and not why_blocked(held, control=False)
        closed = self.view.ruling("entry-control", alone) == "closed"
        return why_blocked(held, control=closed or not alone)

    def is_shut(self, entries: Iterable[str]) -> bool:
        """Return whether all entry hexes are blocked or controlled by the enemy, so that units may enter elsewhere."""
        return all(why_blocked(self._read_held(hex)) for hex in entries)

    def find_instead(self, entries: Sequence[str], *, edge: bool) -> tuple[str, ...]:
        """Return the hexes where units may enter if all their entry hexes are blocked.

        From a map edge they are the nearest open RR hexes of friendly lines, otherwise RR Stations nearby.
        """
        places = self._list_railway_entrances() if edge else self._list_stations()
        most, within = (0, 0) if edge else (MAX_STATIONS, MAX_STATION_DISTANCE_HEXES)
        near = (nearest_open(self.view, entry, places, self.bars_to_hex, most, within) for entry in entries)
        return tuple(dict.fromkeys(hex for hexes in near for hex in hexes))

    def _list_railway_entrances(self) -> list[str]:
        if self.view.ruling("blocked-entry") == "any":
            return [*self.net.links]
        return [hex for hex in self.net.links if is_at_edge(self.view, hex)]

    def _list_stations(self) -> list[str]:
        known = (hex for hex in hexes_with(self.view, "station") if self.view.board.is_hex(hex))
        return [hex for hex in known if self.view.word("control", hex) in ("", self.side)]

    def is_open_station(self, hex: str) -> bool:
        """Return whether a hex is an open RR Station in which units may enter instead of their entry hex."""
        return bool(known_station(self.view, hex)) and is_open(self.view, hex, self.bars_to_hex)

    def bars_to_depot(self, _: Gather, at: str) -> list[Step]:
        """Return the known reasons why a depot that comes with its army is not placed in a hex."""
        entrance = self.read_entrance(at)
        return why_no_depot(entrance) + why_blocked(msgspec.structs.replace(entrance, enemies=False, lost=False))

    def depot_stations(self) -> tuple[str, ...]:
        """Return the known RR Stations in which a depot that comes with its army may be placed."""
        stations = (hex for hex in sorted(self.net.links) if known_station(self.view, hex))
        return open_places(self.view, stations, self.bars_to_depot)

    def list_tracks(self, hex: str) -> tuple[str, ...]:
        """Return the tracks of the lines that lead through a hex, as `rail2`."""
        sides = (hexside(hex, there) for there in self.net.links.get(hex, ()))
        return tuple(self.view.word("rail", name) for name in sides)


def ground_of(view: View, ground: EntryGround, unit: str) -> EntryGround:
    """Return the hexes where a unit may enter, which differ for a depot (9.9).

    `ground`: the hexes for other units.
    """
    return ground.for_depots() if view.word("arm", unit) in DEPOTS else ground


def why_blocked(entrance: Entrance, *, control: bool = True) -> list[Step]:
    """Return the blocks of a hex for reinforcements: an enemy unit, an EZOC or enemy control.

    For a depot an adjacent enemy is a block too.

    `control`: whether enemy control is a block, by ruling entry-control.

    Rule: 16.1b
    """
    clauses = (
        (entrance.shut, "8.1.1", "{hex}: {why}"),
        (entrance.enemies, "16.1", "an enemy unit is in {hex}"),
        (entrance.zone, "16.1", "{hex} is in an EZOC"),
        (
            entrance.beside and not entrance.zone,
            "9.9",
            "{hex} is adjacent to an enemy, where a depot may never be",
        ),
        (entrance.lost and control, "16.1", "the enemy controls {hex}"),
    )
    return holding(clauses, entrance, why=entrance.shut)


def why_blocked_now(view: View, side: str, nation: str, entries: Collection[str]) -> list[str]:
    """Return what blocks a nation's entry hexes now, or an empty list if they are not known.

    Facts become premises only if a hex is blocked.
    """

    def look(seen: View) -> list[str]:
        def reasons(facts: Gather) -> list[str]:
            ground = EntryGround(facts, side, {nation} - {""})
            return [bar.text for hex in entries for bar in ground.bars_to_entry(facts, hex)]

        return if_known(seen, reasons) or []

    return look(view) if entries and look(view.quiet_view()) else []


def why_elsewhere(
    at: str, entries: Collection[str], other_hexes: Collection[str], *, blocked: bool, lost: bool, edge: bool
) -> list[Step]:
    """Return why reinforcements do not enter in a hex that is not one of their entry hexes.

    If all entry hexes are blocked or the enemy's, the reinforcements enter from a map edge at the nearest open friendly
    RR hex, or in an RR Station nearby.

    `other_hexes`: the hexes where they enter if the entry hexes are blocked.
    `blocked`: whether every entry hex is blocked.
    `lost`: whether the enemy controls every entry hex that is not blocked.

    Rule: 16.0, 16.1b
    """
    shut = blocked or lost
    barred = at not in entries and at not in other_hexes
    clauses = (
        (at not in entries and not shut, "16.0", "the entry hex is {entries}"),
        (
            barred and shut and edge,
            "16.1",
            CLOSED_ENTRY_TEXT + "units from the map edge enter at "
            "[instead:the nearest open friendly RR hex: {instead}|an open friendly RR hex, and none is known]",
        ),
        (
            barred and shut and not edge,
            "16.1",
            CLOSED_ENTRY_TEXT + "{at} is not an open RR Station that their side controls",
        ),
    )
    several = not blocked and len(entries) > 1
    return holding(
        clauses,
        at=at,
        entries=" or ".join(entries),
        hexes=" and ".join(entries),
        instead=" or ".join(other_hexes),
        blocked=blocked,
        alone=not blocked and not several,
        several=several,
    )


def why_no_rail_mode(entrance: Entrance, destination: str | None) -> list[Step]:
    """Return why reinforcements do not enter in Rail Mode.

    They enter at a map edge with an RR line through their first hex, and name their destination first.

    `destination`: the destination, or None if none is named.

    Rule: 16.0, 16.1.1
    """
    clauses = (
        (not entrance.edge, "16.0", "{hex} is not at a map edge, and reinforcements enter in Rail Mode only there"),
        (not entrance.railway, "16.0", "no friendly operational RR line is known in {hex}"),
        (not destination, "16.1.1", "name the destination before units enter in Rail Mode (destination=HEX)"),
    )
    return holding(clauses, entrance)


def why_no_depot(entrance: Entrance) -> list[Step]:
    """Return why a depot of a new army is not placed in a hex.

    The hex must be a friendly RR Station that friendly operational lines join to the map edge.

    Rule: 16.3
    """
    clauses = (
        (not entrance.station, "16.3", "{hex} has no RR Station"),
        (entrance.lost or entrance.enemies, "16.3", "its side does not control {hex}"),
        (not entrance.railway, "16.3", "no friendly operational RR line joins {hex} to the map edge"),
    )
    return holding(clauses, entrance)


# --- costs and duties of units that enter -----------------------------------------------------------------------------


def first_cost(ground: Callable[[], Fraction | None], *, edge: bool) -> Fraction | None:
    """Return the Movement Points of the first hex on foot, or None if its ground is prohibited.

    A hex at a map edge costs what its ground does, any other nothing.

    `ground`: returns the cost of the ground, called only if it is needed.

    Rule: 16.1c
    """
    return ground() if edge else Fraction(0)


def cost_on_foot(facts: Gather, hex: str) -> Fraction | None:
    """Return the Movement Points for entry over the map edge, or None if the chart prohibits it."""
    chart = Chart(facts)
    passage = Passage(facts.word("terrain", hex))
    price = price_passage(passage, chart.cost, freeze=chart.freezes(passage)).off
    return None if price is None else Fraction(price, HALVES)


def cost_by_rail(tracks: Collection[str], rate: int) -> Fraction:
    """Return the Movement Points of a first hex in Rail Mode: one RR hex, or two on single track.

    `tracks`: the tracks of the hex's lines, such as `rail2`.
    `rate`: RR hexes to a Movement Point.

    Rule: 16.1c
    """
    return rail_points(1 if "rail2" in tracks else 2, rate)


def rail_points_due(cost: Fraction, *, edge: bool) -> Fraction:
    """Return the Rail Points for a reinforcement in Rail Mode, 0 from a map edge.

    `cost`: the Rail Cost Points.
    `edge`: whether the reinforcement enters from a map edge.

    Rule: 16.1.1
    """
    return Fraction(0) if edge else cost


def must_conform(hex: str, *, over: bool) -> list[Step]:
    """Return a line if reinforcements enter over the stacking limits, as they may until the movement phase ends.

    `over`: whether their hex is over the limits.

    Rule: 16.1
    """
    text = "{hex} is over the stacking limits, which hold again at the end of this player turn's Movement Phase"
    return holding([(over, "16.1", text)], hex=hex)


def needs_army(arm: str, army: str, *, asset: bool) -> bool:
    """Return whether the army of a reinforcement must be stated, because its marker is placed on a display at once.

    `army`: the known army, or "".
    `asset`: whether the reinforcement is an Asset Unit.

    Rule: 16.1d
    """
    return not army and not asset and arm in ("infantry", "cavalry", "corps-train")
