"""The RR lines along which units move by rail, and the cheapest routes (8.2.2, 8.2.3, 8.2.7, 17.1, 17.2)."""

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
from .network import RAIL_HEX_WEIGHTS, Links, linked_to, rail_over, read_links, read_network
from .typed_lines import typed_railways

GAUGES = ("broad", "standard")
"""The gauges of RR lines; a line of both counts for each (17.1)."""
ANY_GAUGE = ("",)
"""The gauges to try for units to which gauges do not matter."""
BOTH_GAUGES = "both"
Legs = Mapping[str, Mapping[str, int]]
"""The next places from each place, with the price of each leg."""
RATE_LIMITS = (1, 99)
"""The minimum and the maximum number of RR hexes per Movement Point that are considered."""
HALVES_PER_HEX = 2
"""The price of a hex in half hexes; halves are needed because units of half a Rail Cost Point trans-ship."""
P = TypeVar("P", bound=Hashable)
NO_LEGS: Legs = MappingProxyType({})


def rail_points(weighted: int, rate: int) -> Fraction:
    """Return the exact Movement Points of a move by rail.

    `weighted`: the hexes of the move, single-track ones doubled.
    `rate`: the RR hexes per Movement Point.

    Rule: 8.2.2
    """
    return Fraction(weighted, rate)


def carries_trains(tracks: str, *, narrow: bool) -> bool:
    """Return whether units move by rail along a line.

    They do not over narrow track.

    `tracks`: the line's tracks, such as `rail2`.

    Rule: 8.2.3i
    """
    return tracks in ("rail1", "rail2") and not narrow


def is_of(line: str, gauge: str) -> bool:
    """Return whether an RR line may be of a gauge, which it may if its gauge is not stated.

    `line`: the line's gauge, or "" if it is not stated.
    `gauge`: the gauge, or "" for any.

    Rule: 17.2.3
    """
    return not gauge or line in ("", BOTH_GAUGES, gauge)


class RailNet(msgspec.Struct, frozen=True):
    """The RR lines along which the units of a side move by rail."""

    links: Links
    """The adjacent hexes along the lines, by hex."""
    tracks: Mapping[str, str]
    """The tracks of the line by hexside."""
    gauges: Mapping[str, str] = {}
    """The gauge of the line by hexside, or "" if it is not stated."""

    def legs(self, gauge: str = "") -> dict[str, dict[str, int]]:
        """Return the legs between adjacent hexes, priced in hexes with single track doubled.

        `gauge`: the gauge of the lines, or "" for any.
        """
        legs = dict[str, dict[str, int]]()
        for hex, beyond in self.links.items():
            legs[hex] = {}
            for there in beyond:
                over = hexside(hex, there)
                if over in self.tracks and is_of(self.gauges.get(over, ""), gauge):
                    legs[hex][there] = RAIL_HEX_WEIGHTS[self.tracks[over]]
        return legs

    @property
    def of_both_gauges(self) -> frozenset[str]:
        """The hexes that lines of both gauges serve."""
        return frozenset(hex for hex in self.links if len(self.gauges_at(hex)) == len(GAUGES))

    def gauges_at(self, hex: str) -> tuple[str, ...]:
        """Return the gauges of the lines that serve a hex; a line of unstated gauge counts as both."""
        sides = [hexside(hex, there) for there in self.links.get(hex, ())]
        lines = [self.gauges.get(over, "") for over in sides if over in self.tracks]
        return tuple(gauge for gauge in GAUGES if any(is_of(line, gauge) for line in lines))


def cheapest_routes(
    here: P, next_places: Callable[[P], Iterable[tuple[P, int]]], closed: Container[P] = ()
) -> dict[P, tuple[int, tuple[P, ...]]]:
    """Return the places that can be reached from one, each with the cost of the cheapest way and the way.

    Of ways with the same price the one found last is extended first.

    `next_places`: a function that returns the next places from a place, each with its price.
    `closed`: places that no way enters.
    """
    least_costs: dict[P, int] = {here: 0}
    tie_breaker = count(0, -1)

    def onward(route: tuple[int, int, tuple[P, ...]]) -> Iterator[tuple[int, int, tuple[P, ...]]]:
        spent, _, way = route
        for there, price in next_places(way[-1]):
            if there not in closed and (there not in least_costs or spent + price < least_costs[there]):
                least_costs[there] = spent + price
                yield spent + price, next(tie_breaker), (*way, there)

    routes: list[tuple[int, int, tuple[P, ...]]] = [(0, next(tie_breaker), (here,))]
    found = cheapest_ways(routes, onward, lambda route: route[2][-1])
    return {way[-1]: (spent, way) for spent, _, way in found}


def along(legs: Legs) -> Callable[[str], Iterable[tuple[str, int]]]:
    """Return the argument `next_places` of `cheapest_routes` for a set of legs."""
    return lambda place: legs.get(place, {}).items()


def ways(here: str, legs: Legs, closed: Collection[str]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return the hexes that a unit can reach along RR lines, each with the shortest way and its cost.

    The cost is in weighted hexes, and comes first.

    `legs`: the legs along which the unit may go.
    `closed`: hexes that the unit may not enter.

    Rule: 8.2.7
    """
    return {hex: found for hex, found in cheapest_routes(here, along(legs), closed).items() if hex != here}


# --- the route of a train ---------------------------------------------------------------------------------------------


class RouteLeg(msgspec.Struct, frozen=True):
    """A leg of a route."""

    hex: str
    """The hex where the leg ends."""
    hexes: int
    """The price of the leg in hexes, or 0 for a trans-shipping."""
    gauge: str = ""
    """The gauge of the line, or "" for units to which gauges do not matter."""
    off_map: bool = False
    """Whether the leg leads off the map, where it may take several phases."""

    @property
    def is_change(self) -> bool:
        """Whether the unit trans-ships to the other gauge here."""
        return not self.hexes


class Route(msgspec.Struct, frozen=True):
    """A route by rail."""

    start: str
    legs: tuple[RouteLeg, ...] = ()
    gauge: str = ""
    """The gauge of the first line, or "" for units to which gauges do not matter."""

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes that the route enters, in order."""
        return tuple(leg.hex for leg in self.legs if not leg.is_change)

    @property
    def weighted(self) -> int:
        """The number of hexes of the route, single-track ones doubled."""
        return sum(leg.hexes for leg in self.legs)

    def price(self, change: Fraction | None = None) -> Fraction:
        """Return the price of the route in hexes, including trans-shipping.

        `change`: the price of each trans-shipping in hexes.
        """
        return self.weighted + (change or Fraction(0)) * sum(leg.is_change for leg in self.legs)

    def then(self, onward: Route) -> Route:
        """Return this route extended by one that begins at its end."""
        return Route(self.start, (*self.legs, *onward.legs), self.gauge or onward.gauge)

    @property
    def end(self) -> str:
        """The hex where the route ends."""
        return self.legs[-1].hex if self.legs else self.start

    @property
    def last_gauge(self) -> str:
        """The gauge of the last line of the route."""
        return self.legs[-1].gauge if self.legs else self.gauge


def with_off_map(legs: Legs, off_map: Legs) -> Legs:
    """Return the RR lines of the map together with the off-map lines, which begin at its edges. Rule: 8.2.8"""
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
    """Return the route by rail that costs the fewest Movement Points, or None if there is none.

    `closed`: hexes that the route may not enter.
    `gauge`: the gauge of the line on which the unit is, or "" for any.
    `change`: the number of hexes as which trans-shipping counts, or None for units without gauges.
    `stations`: hexes where units may trans-ship if both gauges serve them.
    `off_map`: the lines between map edges.

    Rule: 8.2.3h
    """
    gauges = ANY_GAUGE if change is None else GAUGES
    legs = {each: with_off_map(net.legs(each), off_map) for each in gauges}

    def beyond(place: tuple[str, str]) -> Iterator[tuple[tuple[str, str], int]]:
        here, line = place
        for there, hexes in legs[line].get(here, {}).items():
            yield (there, line), hexes * HALVES_PER_HEX
        if change is not None and here in stations:
            yield from (((here, other), int(change * HALVES_PER_HEX)) for other in gauges if other != line)

    closed_places = {*product(closed, gauges)}
    first_gauges = (gauge,) if gauge or change is None else net.gauges_at(start)
    found = [cheapest_routes((start, first), beyond, closed_places) for first in first_gauges]
    ends = [routes[to, last] for routes in found for last in gauges if (to, last) in routes]
    if not ends:
        return None
    _, best = min(ends, key=itemgetter(0))
    return Route(start, tuple(_trace_leg(net, off_map, *leg) for leg in pairwise(best)), best[0][1])


def _trace_leg(net: RailNet, off_map: Legs, here: tuple[str, str], there: tuple[str, str]) -> RouteLeg:
    (start, _), (end, gauge) = here, there
    if start == end:
        return RouteLeg(end, 0, gauge)
    tracks = net.tracks.get(hexside(start, end))
    return (
        RouteLeg(end, RAIL_HEX_WEIGHTS[tracks], gauge)
        if tracks
        else RouteLeg(end, off_map[start][end], gauge, off_map=True)
    )


# --- RR lines and rates in a position ---------------------------------------------------------------------------------


def read_rail_net(view: View, side: str, enemies: Collection[str], lately_operational: Collection[str] = ()) -> RailNet:
    """Return the friendly operational RR lines of a side on which trains run.

    On a paper map a typed line counts as operational unless it certainly is not, or is not linked to a friendly map
    edge.

    `enemies`: hexes of enemy units.
    `lately_operational`: hexes that were operational until recently and still count.
    """
    links = read_links(view)
    if view.board.hexes:
        network = read_network(view, side, enemies)
        edges = {hex for hex in lately_operational if side in (view.word("map-edge", hex), view.word("linked", hex))}
        own = linked_to(network.edges | edges, network.own | set(lately_operational), links) | set(lately_operational)
    else:
        typed = typed_railways(view, side, enemies, lately_operational)
        own = typed.linked.union(typed.doubtful, lately_operational)
    tracks = dict[str, str]()
    gauges = dict[str, str]()
    rail = rail_over(view)
    for start in own & links.keys():
        for end in links[start]:
            over = hexside(start, end)
            if end not in own or over in tracks:
                continue
            kind = rail(over)
            if carries_trains(kind, narrow=view.flag("narrow", over)):
                tracks[over] = kind
                gauges[over] = view.word("gauge", over)
    return RailNet({hex: links[hex] for hex in links if hex in own}, tracks, gauges)


def read_rate(view: View, turn: int) -> int | None:
    """Return the RR hexes per Movement Point in a game turn, or None if the turn record has none (8.2.2)."""
    return record_figure(view, "rail-rate", turn)


def rate_now(view: View) -> int:
    """Return the RR hexes per Movement Point this turn (8.2.2).

    Raises MissingFacts if the turn record has none.
    """
    rate = read_rate(view, view.integer("turn"))
    if rate is None:
        raise missing_rate()
    return rate


def missing_rate() -> MissingFacts:
    """Return the error that asks for the RR hexes per Movement Point this turn."""
    how = "rate=NUMBER, or enter it: assistant pack enter twilight-in-the-east turns"
    title = "RR hexes per Movement Point this turn"
    return MissingFacts([Ask(kind="parameter", name="rate", rule="8.2.2", title=title, how=how)])


def possible_rates(view: View) -> tuple[int, ...]:
    """Return the RR hexes per Movement Point this turn (8.2.2).

    Returns `RATE_LIMITS` if the turn record has none.
    """
    rate = read_rate(view, view.integer("turn"))
    return RATE_LIMITS if rate is None else (rate,)
