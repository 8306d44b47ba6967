"""What arrivals read of a position: the units that are due, the hexes where they enter as their side sees them, and
where they enter instead (16.0, 16.1).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Annotated

import msgspec

from assistant.asking import Gather, InputError, Step, View, if_known, note
from assistant.game.schedule_files import read_schedules
from assistant.game.schedule_rows import hexes_in
from assistant.rules.arrival_places import is_open, nearest_open, open_places
from assistant.rules.arrivals import Coming, coming_unit, coming_units, fact_of, units_of_rows, with_units
from assistant.rules.field import SideField
from assistant.rules.field.places import hexes_with
from assistant.state.state import hexside
from assistant.state.vocabulary import Hex, UnitId

from ..forces.activation import WITHDRAW, orders
from ..forces.departures import ARRIVES, ENTRY, WITHDRAWN, check_not_departed, way_departed
from ..ground.chart import STEP as HALVES
from ..ground.chart import Chart
from ..ground.costs import Passage, price_passage
from ..ground.edges import is_at_edge
from ..ground.hexsides import Entry, around_side, entry_bar
from ..railways.network import known_station
from ..railways.routes import RailNet, read_rail_net
from ..substitutions.facts import is_replaced, is_substitute, with_substitutes
from ..terms import DEPOTS, SUPPLY_ARMS
from .armies import comes_with_army
from .entry import Entrance, is_due, is_withdrawn, why_blocked, why_no_depot

WITHDRAWAL = "withdrawal"
"""The track of a Withdrawal Indicator with a game turn."""
STATIONS = 3
"""How many nearby RR Stations are named where an entry hex is blocked."""
NEARBY = 8
"""Hexes to all but the nearest of them at most: how near is near is for the owner to judge (16.1)."""


class Blocked(msgspec.Struct, frozen=True):
    """An entry hex that is blocked."""

    hex: Hex
    why: Annotated[tuple[str, ...], note("what blocks the hex")]


class ArrivingUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is due, and where it enters."""

    unit: UnitId
    turn: Annotated[int, note("the game turn in which it is due")]
    rule: Annotated[str, note("the rule that brings it")]
    entry: Annotated[tuple[str, ...], note("its entry hexes, empty while none is stated")] = ()
    open: Annotated[tuple[str, ...], note("those of its entry hexes that are known to be open")] = ()
    blocked: Annotated[tuple[Blocked, ...], note("its entry hexes that are blocked")] = ()
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
        """Whether every way in is known to be closed, so that it stays due."""
        return bool(self.entry) and len(self.blocked) == len(self.entry) and not self.instead


def units_to_come(view: View, side: str) -> Iterator[Coming]:
    """Return the reinforcements of a side, earliest first; one that has left the map does not come (1.2.2)."""
    return (coming for coming in coming_units(view, side, rule="16.0") if not has_departed(view, coming))


def has_departed(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due has left the map and does not come back; one that was withdrawn does where a
    row brings it back since. Rule: 1.2.2b
    """
    way = way_departed(view, coming.unit)
    if way != WITHDRAWN:
        return bool(way)
    turn = max(coming.turn, view.integer("turn"))
    return is_withdrawn(withdrawal_turns(view, turn).get(coming.unit), turn)


def units_due(view: View, side: str, turn: int) -> tuple[Coming, ...]:
    """Return the reinforcements of a side in a turn, with those of earlier turns of which the position says that they
    wait. A substitute comes by exchange (16.2).
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
    """Return the units of a side that rows of the schedules brought in an earlier turn, each by the last of these, and
    that the position does not have: they have come and been lost, or nobody has brought them in. Those that rows have
    withdrawn since are not among them.
    """
    known = with_substitutes(view)
    gone = _find_withdrawals(view, turn - 1) | _find_withdrawals(view, turn)
    rows = units_of_rows(view.game, read_schedules(view.game), fact_of(view))
    earlier = (coming for coming in rows if coming.side == side and coming.turn < turn)
    missing = (coming for coming in earlier if coming.unit not in view.state.units and coming.unit not in gone)
    last = {coming.unit: coming for coming in sorted(missing, key=lambda coming: coming.turn)}
    return tuple(coming for coming in last.values() if not is_substitute(known, coming.unit))


def withdrawal_turns(view: View, turn: int) -> dict[str, int]:
    """Return the game turn in which each unit is withdrawn: of its Withdrawal Indicator, or else of a row of the
    schedules, up to a turn.
    """
    shown = {unit.id: view.integer(WITHDRAWAL, unit.id) for unit in view.units()}
    return _find_withdrawals(view, turn) | {unit: indicated for unit, indicated in shown.items() if indicated}


def _find_withdrawals(view: View, turn: int) -> dict[str, int]:
    """Return the units that rows withdraw, each with its game turn, up to a turn; not those that rows have brought back
    since.
    """
    gone = [(order.turn, unit) for order in orders(view, WITHDRAW) if 0 < order.turn <= turn for unit in order.units]
    if not gone:
        return {}
    come = [*units_of_rows(view.game, read_schedules(view.game), fact_of(view))]
    back = {(coming.turn, coming.unit) for coming in come if coming.turn <= turn}
    return {unit: left for left, unit in sorted(gone) if not any(left < at and unit == name for at, name in back)}


def entry_hexes(view: View, coming: Coming) -> tuple[str, ...]:
    """Return the entry hexes of a unit, as it states them or else its row in the schedule; none where neither names a
    hex.
    """
    return hexes_in(view.board, view.word(ENTRY, coming.unit) or coming.place)


class EntryGround:
    """The hexes where units of a side may enter, as it sees them."""

    def __init__(self, facts: Gather, side: str, nations: Collection[str] = (), *, depots: bool = False) -> None:
        """nations: of the units that enter; depots: whether depots are among them."""
        self.view = facts.view
        self.side = side
        self.nations = nations
        self.depots = depots
        self.around: SideField = around_side(facts, side)

    @cached_property
    def net(self) -> RailNet:
        """The RR lines of the side."""
        return read_rail_net(self.view, self.side, self.around.enemies)

    def of_depots(self) -> EntryGround:
        """Return the hexes as depots enter them, or depots together with other units."""
        other = copy(self)
        other.depots = True
        return other

    def entrance(self, hex: str) -> Entrance:
        """Return a hex as the side sees it."""
        return msgspec.structs.replace(
            self.held(hex),
            edge=is_at_edge(self.view, hex),
            railway=hex in self.net.links,
            station=bool(known_station(self.view, hex)),
        )

    def held(self, hex: str) -> Entrance:
        """Return a hex as the side sees it, as far as that blocks it."""
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

    def bars(self, _: Gather, at: str) -> list[Step]:
        """Return what blocks a hex that is not an entry hex of the units."""
        return why_blocked(self.held(at))

    def bars_to_entry(self, _: Gather, at: str) -> list[Step]:
        """Return what blocks an entry hex, or one where a supply unit comes back; by a ruling the enemy's control alone
        does not.
        """
        held = self.held(at)
        alone = held.lost and not why_blocked(held, control=False)
        closed = self.view.ruling("entry-control", alone) == "closed"
        return why_blocked(held, control=closed or not alone)

    def is_shut(self, entries: Iterable[str]) -> bool:
        """Return whether every entry hex is blocked, or the enemy's, so that units may enter elsewhere."""
        return all(why_blocked(self.held(hex)) for hex in entries)

    def instead(self, entries: Sequence[str], *, edge: bool) -> tuple[str, ...]:
        """Return where units enter whose entry hexes are all blocked: from a map edge at the nearest open RR hexes of
        friendly lines, otherwise in an RR Station nearby; for each entry hex those that are nearest to it.
        """
        places = self.railway_entrances() if edge else self.stations()
        most, within = (0, 0) if edge else (STATIONS, NEARBY)
        near = (nearest_open(self.view, entry, places, self.bars, most, within) for entry in entries)
        return tuple(dict.fromkeys(hex for hexes in near for hex in hexes))

    def railway_entrances(self) -> list[str]:
        """Return the RR hexes of friendly operational lines at which units enter that come from the map edge; by a
        ruling those at the edge alone.
        """
        if self.view.ruling("blocked-entry") == "any":
            return [*self.net.links]
        return [hex for hex in self.net.links if is_at_edge(self.view, hex)]

    def stations(self) -> list[str]:
        """Return the RR Stations, without those that the enemy is known to control."""
        known = (hex for hex in hexes_with(self.view, "station") if self.view.board.is_hex(hex))
        return [hex for hex in known if self.view.word("control", hex) in ("", self.side)]

    def is_open_station(self, hex: str) -> bool:
        """Return whether units may enter in a hex as an RR Station near their entry hex."""
        return bool(known_station(self.view, hex)) and is_open(self.view, hex, self.bars)

    def bars_to_depot(self, _: Gather, at: str) -> list[Step]:
        """Return why a depot that comes with its army is not placed in a hex, as far as that is known: it arrives as a
        reinforcement, in no EZOC.
        """
        entrance = self.entrance(at)
        return why_no_depot(entrance) + why_blocked(msgspec.structs.replace(entrance, enemies=False, lost=False))

    def depot_stations(self) -> tuple[str, ...]:
        """Return the RR Stations in which a depot may be placed that comes with its army, as far as they are known."""
        stations = (hex for hex in sorted(self.net.links) if known_station(self.view, hex))
        return open_places(self.view, stations, self.bars_to_depot)

    def tracks(self, hex: str) -> tuple[str, ...]:
        """Return the tracks of the lines that lead through a hex, as `rail2`."""
        sides = (hexside(hex, there) for there in self.net.links.get(hex, ()))
        return tuple(self.view.word("rail", name) for name in sides)


def cost_on_foot(facts: Gather, hex: str) -> Fraction | None:
    """Return the Movement Points of a hex that is entered from the map edge, by its terrain; None where the chart
    prohibits it. What is not known is asked for.
    """
    chart = Chart(facts)
    passage = Passage(facts.word("terrain", hex))
    price = price_passage(passage, chart.cost, freeze=chart.freezes(passage)).off
    return None if price is None else Fraction(price, HALVES)


def why_blocked_now(view: View, side: str, nation: str, entries: Collection[str]) -> list[str]:
    """Return what blocks entry hexes of a nation as things stand, in words; nothing while that is not known. What is
    read counts as read only where something blocks one.
    """

    def look(seen: View) -> list[str]:
        def reasons(facts: Gather) -> list[str]:
            ground = EntryGround(facts, side, {nation} - {""})
            return [bar.text for hex in entries for bar in ground.bars_to_entry(facts, hex)]

        return if_known(seen, reasons) or []

    return look(view) if entries and look(view.unnoticed()) else []


def ground_of(view: View, ground: EntryGround, unit: str) -> EntryGround:
    """Return the hexes as a unit enters them, which are others for a depot (9.9). ground: the hexes for units that are
    not depots.
    """
    return ground.of_depots() if view.word("arm", unit) in DEPOTS else ground


def read_arriving(view: View, ground: EntryGround, coming: Coming) -> ArrivingUnit:
    """Return a unit that is due with where it enters, as far as that is known."""
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
    entrances = {hex: ground.entrance(hex) for hex in entries}
    with view.gather() as facts:
        bars = {hex: ground.bars_to_entry(facts, hex) for hex in entries}
    blocked = tuple(Blocked(hex, tuple(bar.text for bar in reasons)) for hex, reasons in bars.items() if reasons)
    edge = any(entrance.edge for entrance in entrances.values())
    free = open_places(view, entries, ground.bars_to_entry)
    instead = ground.instead(entries, edge=edge) if entries and ground.is_shut(entries) else ()
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
        rail=edge and any(ground.entrance(hex).railway for hex in (*free, *instead)),
        cost=if_known(view, lambda facts: cost_on_foot(facts, first)) if costs else free_of_cost,
        army=coming.army.partition(" ")[2],
        corps=coming.corps,
        returns=is_returning(view, coming),
    )


def is_returning(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due is an eliminated supply unit that comes back (16.4): it has been in play, and
    no entry hex is indicated for it.
    """
    return not (coming.new or entry_hexes(view, coming)) and view.word("arm", coming.unit) in SUPPLY_ARMS


def is_depot_of_army(view: View, coming: Coming) -> bool:
    """Return whether a unit that is due is a depot that comes with its army."""
    entry = bool(entry_hexes(view, coming))
    return not entry and coming.new and comes_with_army(view.word("arm", coming.unit), new=coming.new, entry=entry)


def arriving_units(view: View, side: str, turn: int) -> tuple[ArrivingUnit, ...]:
    """Return the units of a side that are due in a turn, each with where it enters. Raises MissingFacts for what the
    zones of control rest on.
    """
    due = units_due(view, side, turn)
    there = with_units(view, (coming.unit for coming in due))
    if not due:
        return ()
    with there.gather() as facts:
        ground = EntryGround(facts, side, {there.word("nation", coming.unit) for coming in due})
    return tuple(read_arriving(there, ground, coming) for coming in due)


def unit_due(view: View, side: str, name: str) -> Coming:
    """Return a unit by its id as it is due, in whatever turn. Raises InputError for one that is on the map, or of which
    nothing says that it arrives, or that has left the map for good.
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
