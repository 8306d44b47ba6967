"""The railways of a side as its trains use them: which lines are friendly operational, now and before the enemy took
some, where units trans-ship, and by which route a train reaches its destination (8.2.3, 8.2.8, 17.2.2).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import View, note
from assistant.rules.field import SideField

from ..ground.hexsides import hexes_closed_to
from .network import known_station
from .off_map import read_off_map
from .rail_points import Payment, Purse, pay_rail_points, pools_for, read_pools, serves_warsaw
from .routes import Legs, RailNet, Route, cheapest_route, read_rail_net
from .stations import work_on
from .transport import Train, hexes_for


class RailLines(msgspec.Struct, frozen=True):
    """The railways of a side, as its trains use them."""

    view: View
    side: str
    net: Annotated[RailNet, note("the friendly operational lines")]
    before: Annotated[RailNet, note("the same before the enemy took some lately")]
    around: Annotated[SideField, note("who is where")]
    off_map: Annotated[Legs, note("the off-map lines")]
    rate: Annotated[int, note("RR hexes per Movement Point")]
    gauged: Annotated[bool, note("whether gauges concern its units")]
    stations: Annotated[frozenset[str], note("where these may trans-ship")]
    barred: Annotated[
        Mapping[str, frozenset[str]], note("by unit, the hexes that it may not pass beside those closed to its nation")
    ] = {}

    def change(self, train: Train) -> Fraction | None:
        """Return for how many hexes it counts to trans-ship a unit, None for one that gauges do not concern (17.2.2)."""
        return train.cost * self.rate if self.gauged else None

    def route(self, train: Train, via: Sequence[str] = (), *, before: bool = False) -> Route | None:
        """Return the cheapest route of a train to its destination through some hexes, None if there is none. before:
        over the lines as they were before the enemy took some.
        """
        net = self.before if before else self.net
        route = Route(train.place, gauge=train.gauge)
        for end in (*via, train.destination):
            onward = cheapest_route(
                net,
                route.end,
                end,
                closed=hexes_closed_to(train.nation) | self.barred.get(train.unit, frozenset()),
                gauge=route.last_gauge,
                change=self.change(train),
                stations=self.stations & net.links.keys(),
                off_map=self.off_map,
            )
            if onward is None:
                return None
            route = route.then(onward)
        return route

    def pay(self, train: Train, purse: Purse) -> Payment:
        """Return what a unit pays that leaves over the gauge on which it is."""
        warsaw = serves_warsaw(self.net, train.place, "any")
        return pay_rail_points(purse, pools_for(train.nation, train.gauge, warsaw=warsaw), train.cost)

    def points_lacking(self, train: Train, left: Fraction) -> Fraction:
        """Return the Rail Points that are missing for a unit under way that would trans-ship where it is with its
        Movement Points, and waits for them; 0 if it does not wait. left: its Movement Points. Rule: 17.2.2
        """
        route = self.route(train)
        leg = route.legs[0] if route else None
        if leg is None or not leg.is_change or not leg.gauge or left < train.cost - train.done:
            return Fraction(0)
        return self.pay(replace(train, gauge=leg.gauge), read_pools(self.view, train.nation)).lacking

    def stops_short(self, train: Train, left: Fraction) -> bool:
        """Return whether a unit under way has fewer Movement Points left than the next hex of its route takes, or
        than count for trans-shipping, so that they are lost. left: its Movement Points. Rule: 8.2.3h, 17.2.2
        """
        route = self.route(train)
        if route is None:
            return False
        if route.legs[0].is_change:
            return not work_on(train.cost, train.done, left).points
        return not hexes_for(route.legs[0], train.gone, left, self.rate)


def read_lines(view: View, side: str, around: SideField, rate: int, lately: Collection[str]) -> RailLines:
    """Return the railways of a side. rate: RR hexes per Movement Point; lately: hexes that the enemy has taken since
    its last movement phase, beside those in which enemies are.
    """
    net = read_rail_net(view, side, around.enemies)
    before = read_rail_net(view, side, (), lately) if lately or around.enemies else net
    gauged = side == "russian"
    both = before.of_both_gauges if gauged else ()
    stations = frozenset(hex for hex in both if known_station(view, hex))
    return RailLines(view, side, net, before, around, read_off_map(view, side), rate, gauged, stations)
