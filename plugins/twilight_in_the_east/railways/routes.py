"""Along which RR lines units move by rail, and which route costs the fewest Movement Points (8.2.2, 8.2.3, 8.2.7, 17.1,
17.2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count, pairwise, product
from operator import itemgetter
from types import MappingProxyType
from typing import TypeVar

import msgspec

from assistant.asking import MissingFacts, View
from assistant.asking.asks import Ask
from assistant.rules.field.search import cheapest_ways
from assistant.state.state import hexside

from ..ground.calendar import record_figure
from .network import RAILS, Links, linked_to, rail_over, read_links, read_network
from .typed_lines import typed_railways

GAUGES = ("broad", "standard")
"""The gauges; a line of both counts for each (17.1)."""
ANY = ("",)
"""The gauge of units that gauges do not concern."""
BOTH = "both"
Legs = Mapping[str, Mapping[str, int]]
"""From each place the next ones, each with the price of the way there."""
RATES = (1, 99)
"""The fewest and the most RR hexes per Movement Point of which the program knows."""
HALVES = 2
"""The prices of a route count in half hexes, for units of half a Rail Cost Point that trans-ship."""
P = TypeVar("P", bound=Hashable)
NO_LEGS: Legs = MappingProxyType({})


def rail_points(weighted: int, rate: int) -> Fraction:
    """Return the Movement Points of a move by rail, exactly. weighted: hexes, single-track ones doubled; rate: hexes to
    a point. Rule: 8.2.2
    """
    return Fraction(weighted, rate)


def carries_trains(tracks: str, *, narrow: bool) -> bool:
    """Return whether units move by rail along a line: not over narrow track. tracks: of the line, as `rail2`.
    Rule: 8.2.3i
    """
    return tracks in ("rail1", "rail2") and not narrow


def is_of(line: str, gauge: str) -> bool:
    """Return whether a RR line is of a gauge, as far as that is stated. line: its gauge, "" if it is not stated; gauge:
    "" for any. Rule: 17.2.3
    """
    return not gauge or line in ("", BOTH, gauge)


class RailNet(msgspec.Struct, frozen=True):
    """The RR lines along which the units of a side move by rail."""

    links: Links
    """From each hex to the next ones."""
    tracks: Mapping[str, str]
    """By hexside."""
    gauges: Mapping[str, str] = {}
    """By hexside, "" where it is not stated."""

    def legs(self, gauge: str = "") -> dict[str, dict[str, int]]:
        """Return the next hexes from each hex, with the hexes for which each counts. gauge: of the lines, "" for any."""
        legs = dict[str, dict[str, int]]()
        for hex, beyond in self.links.items():
            legs[hex] = {}
            for there in beyond:
                over = hexside(hex, there)
                if over in self.tracks and is_of(self.gauges.get(over, ""), gauge):
                    legs[hex][there] = RAILS[self.tracks[over]]
        return legs

    @property
    def of_both_gauges(self) -> frozenset[str]:
        """The hexes that lines of both gauges serve."""
        return frozenset(hex for hex in self.links if len(self.gauges_at(hex)) == len(GAUGES))

    def gauges_at(self, hex: str) -> tuple[str, ...]:
        """Return the gauges of the lines that serve a hex, those of lines of unstated gauge among them."""
        sides = [hexside(hex, there) for there in self.links.get(hex, ())]
        lines = [self.gauges.get(over, "") for over in sides if over in self.tracks]
        return tuple(gauge for gauge in GAUGES if any(is_of(line, gauge) for line in lines))


def cheapest_routes(
    here: P, beyond: Callable[[P], Iterable[tuple[P, int]]], closed: Container[P] = ()
) -> dict[P, tuple[int, tuple[P, ...]]]:
    """Return the places to which ways lead from one, each with what the cheapest way costs and the way. Of ways of the
    same price the last that was found goes on first.

    beyond: the next places from one, each with the price of the way there; closed: places that no way enters.
    """
    least: dict[P, int] = {here: 0}
    turn = count(0, -1)

    def onward(ended: tuple[int, int, tuple[P, ...]]) -> Iterator[tuple[int, int, tuple[P, ...]]]:
        spent, _, way = ended
        for there, price in beyond(way[-1]):
            if there not in closed and (there not in least or spent + price < least[there]):
                least[there] = spent + price
                yield spent + price, next(turn), (*way, there)

    begun: list[tuple[int, int, tuple[P, ...]]] = [(0, next(turn), (here,))]
    found = cheapest_ways(begun, onward, lambda ended: ended[2][-1])
    return {way[-1]: (spent, way) for spent, _, way in found}


def along(legs: Legs) -> Callable[[str], Iterable[tuple[str, int]]]:
    """Return what tells the next places from one along legs."""
    return lambda place: legs.get(place, {}).items()


def ways(here: str, legs: Legs, closed: Collection[str]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return the hexes to which a unit may go along RR lines, each with the weighted hexes of the shortest way and the
    way.

    legs: along which it may go; closed: hexes that it may not enter.
    Rule: 8.2.7
    """
    return {hex: found for hex, found in cheapest_routes(here, along(legs), closed).items() if hex != here}


# --- the route of a train ---------------------------------------------------------------------------------------------


class RouteLeg(msgspec.Struct, frozen=True):
    """A part of a route."""

    hex: str
    """In which it ends."""
    hexes: int
    """For how many it counts, 0 where a unit trans-ships."""
    gauge: str = ""
    """Of the line, "" for units that gauges do not concern."""
    off_map: bool = False
    """Whether it leads off the map, so that it takes several phases."""

    @property
    def is_change(self) -> bool:
        """Whether the unit trans-ships here to the other gauge."""
        return not self.hexes


class Route(msgspec.Struct, frozen=True):
    """A route by rail."""

    start: str
    legs: tuple[RouteLeg, ...] = ()
    gauge: str = ""
    """Of the line by which it begins, "" for units that gauges do not concern."""

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes that it enters, in order."""
        return tuple(leg.hex for leg in self.legs if not leg.is_change)

    @property
    def weighted(self) -> int:
        """All its hexes, single-track ones doubled."""
        return sum(leg.hexes for leg in self.legs)

    def price(self, change: Fraction | None = None) -> Fraction:
        """Return all its hexes with the places where a unit trans-ships. change: for how many hexes that counts."""
        return self.weighted + (change or Fraction(0)) * sum(leg.is_change for leg in self.legs)

    def then(self, onward: Route) -> Route:
        """Return this route with another one that goes on from its end."""
        return Route(self.start, (*self.legs, *onward.legs), self.gauge or onward.gauge)

    @property
    def end(self) -> str:
        """The hex where it ends."""
        return self.legs[-1].hex if self.legs else self.start

    @property
    def last_gauge(self) -> str:
        """The gauge of the line by which it ends."""
        return self.legs[-1].gauge if self.legs else self.gauge


def with_off_map(legs: Legs, off_map: Legs) -> Legs:
    """Return the RR lines of the map with those off the map, which lead on from its edges. Rule: 8.2.8"""
    return {hex: {**off_map.get(hex, {}), **legs.get(hex, {})} for hex in (*legs, *off_map)}


def cheapest_route(
    net: RailNet,
    start: str,
    to: str,
    *,
    closed: Collection[str] = (),
    gauge: str = "",
    change: Fraction | None = None,
    stations: Collection[str] = (),
    off_map: Legs = NO_LEGS,
) -> Route | None:
    """Return the route by rail that costs the fewest Movement Points, None if there is none.

    closed: hexes that it may not enter; gauge: of the unit's line, "" for any; change: for how many hexes
    trans-shipping counts, None for units without gauges; stations: where they may trans-ship if both gauges serve them;
    off_map: lines between map edges.
    Rule: 8.2.3h
    """
    gauges = ANY if change is None else GAUGES
    legs = {each: with_off_map(net.legs(each), off_map) for each in gauges}

    def beyond(place: tuple[str, str]) -> Iterator[tuple[tuple[str, str], int]]:
        here, line = place
        for there, hexes in legs[line].get(here, {}).items():
            yield (there, line), hexes * HALVES
        if change is not None and here in stations:
            yield from (((here, other), int(change * HALVES)) for other in gauges if other != line)

    shut = {*product(closed, gauges)}
    begin = (gauge,) if gauge or change is None else net.gauges_at(start)
    found = [cheapest_routes((start, first), beyond, shut) for first in begin]
    ends = [routes[to, last] for routes in found for last in gauges if (to, last) in routes]
    if not ends:
        return None
    _, best = min(ends, key=itemgetter(0))
    return Route(start, tuple(_trace_leg(net, off_map, *leg) for leg in pairwise(best)), best[0][1])


def _trace_leg(net: RailNet, off_map: Legs, here: tuple[str, str], there: tuple[str, str]) -> RouteLeg:
    """Return the part of a route between two of its places, each a hex and a gauge."""
    (start, _), (end, gauge) = here, there
    if start == end:
        return RouteLeg(end, 0, gauge)
    tracks = net.tracks.get(hexside(start, end))
    return RouteLeg(end, RAILS[tracks], gauge) if tracks else RouteLeg(end, off_map[start][end], gauge, off_map=True)


# --- of a position ----------------------------------------------------------------------------------------------------


def read_rail_net(view: View, side: str, enemies: Collection[str], also: Collection[str] = ()) -> RailNet:
    """Return the friendly operational RR lines of a side as trains use them. On a paper map what is typed counts as
    operational unless it is certain that it is not, or not linked to a friendly map edge.

    enemies: hexes of enemy units; also: hexes that count all the same, as they have been operational until lately.
    """
    every = read_links(view)
    if view.board.hexes:
        network = read_network(view, side, enemies)
        edges = {hex for hex in also if side in (view.word("map-edge", hex), view.word("linked", hex))}
        own = linked_to(network.edges | edges, network.own | set(also), every) | set(also)
    else:
        typed = typed_railways(view, side, enemies, also)
        own = typed.linked.union(typed.doubtful, also)
    tracks = dict[str, str]()
    gauges = dict[str, str]()
    rail = rail_over(view)
    for start in own & every.keys():
        for end in every[start]:
            over = hexside(start, end)
            if end not in own or over in tracks:
                continue
            kind = rail(over)
            if carries_trains(kind, narrow=view.flag("narrow", over)):
                tracks[over] = kind
                gauges[over] = view.word("gauge", over)
    return RailNet({hex: every[hex] for hex in every if hex in own}, tracks, gauges)


def read_rate(view: View, turn: int) -> int | None:
    """Return the RR hexes per Movement Point in a game turn by the turn record, None if it does not say (8.2.2)."""
    return record_figure(view, "rail-rate", turn)


def rate_now(view: View) -> int:
    """Return the RR hexes per Movement Point this turn. Raises MissingFacts if they are not known (8.2.2)."""
    rate = read_rate(view, view.integer("turn"))
    if rate is None:
        raise missing_rate()
    return rate


def missing_rate() -> MissingFacts:
    """Return the error that the RR hexes per Movement Point this turn are to be stated."""
    how = "rate=NUMBER, or enter it: assistant pack enter twilight-in-the-east turns"
    title = "RR hexes per Movement Point this turn"
    return MissingFacts([Ask(kind="parameter", name="rate", rule="8.2.2", title=title, how=how)])


def possible_rates(view: View) -> tuple[int, ...]:
    """Return the RR hexes per Movement Point this turn; where the turn record does not say, the fewest and the most
    (8.2.2).
    """
    rate = read_rate(view, view.integer("turn"))
    return RATES if rate is None else (rate,)
