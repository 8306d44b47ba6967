"""The railways that trains of a side use, on the map and off it (8.2.3, 8.2.8, 17.2.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, MissingFacts, View, note
from assistant.asking.asks import Ask
from assistant.rules.field import SideField

from ..ground.hexsides import hexes_closed_to
from .network import known_station
from .rail_points import Payment, Purse, pay_rail_points, pools_for, read_pools, serves_warsaw
from .routes import Legs, RailNet, Route, cheapest_route, read_rail_net
from .stations import work_on
from .transport import Train, hexes_for

OFF_MAP_HEX_WEIGHTS = {"off-map-double": 1, "off-map-single": 2}
"""The number of map hexes for one hex of an off-map line, by the track that states the line."""
BARRED_EDGE_HEXES = {"central-powers": frozenset({"46.12"})}
"""The hexes at a side's own map edges where it may neither leave nor enter the map (8.2.8)."""


class RailLines(msgspec.Struct, frozen=True):
    """The railways that trains of a side use."""

    view: View
    side: str
    net: Annotated[RailNet, note("the friendly operational lines")]
    before: Annotated[RailNet, note("the operational lines before the enemy took some lately")]
    around: Annotated[SideField, note("who is where")]
    off_map: Annotated[Legs, note("the off-map lines")]
    rate: Annotated[int, note("RR hexes per Movement Point")]
    gauged: Annotated[bool, note("whether gauges concern its units")]
    stations: Annotated[frozenset[str], note("hexes where units may trans-ship")]
    barred: Annotated[
        Mapping[str, frozenset[str]], note("by unit, the hexes that it may not pass beside those closed to its nation")
    ] = {}

    def transshipping_hexes(self, train: Train) -> Fraction | None:
        """Return the cost of trans-shipping a unit, in hexes (17.2.2).

        Returns None if gauges do not matter to the unit.
        """
        return train.cost * self.rate if self.gauged else None

    def find_route(self, train: Train, via: Sequence[str] = (), *, before: bool = False) -> Route | None:
        """Return the cheapest route of a train to its destination, or None if there is none.

        `via`: hexes through which the route must lead.
        `before`: whether to use the lines that existed before the enemy took some.
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
                change=self.transshipping_hexes(train),
                stations=self.stations & net.links.keys(),
                off_map=self.off_map,
            )
            if onward is None:
                return None
            route = route.then(onward)
        return route

    def pay_for(self, train: Train, purse: Purse) -> Payment:
        """Return the payment of Rail Points for a unit that leaves on its present gauge."""
        warsaw = serves_warsaw(self.net, train.place, "any")
        return pay_rail_points(purse, pools_for(train.nation, train.gauge, warsaw=warsaw), train.cost)

    def points_lacking(self, train: Train, left: Fraction) -> Fraction:
        """Return the Rail Points that a unit under way lacks to trans-ship in its hex.

        Returns 0 if the unit does not wait for them.

        `left`: the unit's Movement Points.

        Rule: 17.2.2
        """
        route = self.find_route(train)
        leg = route.legs[0] if route else None
        if leg is None or not leg.is_change or not leg.gauge or left < train.cost - train.done:
            return Fraction(0)
        return self.pay_for(replace(train, gauge=leg.gauge), read_pools(self.view, train.nation)).lacking

    def stops_short(self, train: Train, left: Fraction) -> bool:
        """Return whether a unit under way loses its Movement Points because they are too few to go on.

        They are too few to reach the next hex or to trans-ship the unit.

        `left`: the unit's Movement Points.

        Rule: 8.2.3h, 17.2.2
        """
        route = self.find_route(train)
        if route is None:
            return False
        if route.legs[0].is_change:
            return not work_on(train.cost, train.done, left).points
        return not hexes_for(route.legs[0], train.gone, left, self.rate)


def read_lines(view: View, side: str, around: SideField, rate: int, lately: Collection[str]) -> RailLines:
    """Return the railways of a side.

    `rate`: RR hexes per Movement Point.
    `lately`: hexes now without enemies that the enemy has taken since the side's last movement phase.
    """
    net = read_rail_net(view, side, around.enemies)
    before = read_rail_net(view, side, (), lately) if lately or around.enemies else net
    gauged = side == "russian"
    both = before.of_both_gauges if gauged else ()
    stations = frozenset(hex for hex in both if known_station(view, hex))
    return RailLines(view, side, net, before, around, read_off_map(view, side), rate, gauged, stations)


# --- lines off the map ------------------------------------------------------------------------------------------------


def read_off_map(view: View, side: str) -> Legs:
    """Return the off-map lines of a side, as the owner entered them from the Off-Map RR Charts.

    Raises InputError if a line leads back to its own hex or has a fractional length, MissingFacts if no map edge at its
    ends is known.
    """
    lines = dict[frozenset[str], int]()
    for hex, there, hexes in _list_stated_lines(view):
        lines[frozenset({hex, there})] = lines.get(frozenset({hex, there}), 0) + hexes
    ends = {hex for line in lines for hex in line}
    for line in lines:
        if all(view.word("map-edge", hex) in ("", "none") for hex in line):
            here, there = sorted(line)
            how = f"{here} map-edge={side}"
            edge = f"the side to which the map edge at {here} or {there} is friendly"
            title = f"{edge}, for the off-map line between them"
            raise MissingFacts([Ask(kind="fact", name=how, rule="8.2.8", title=title, how=how)])
    return usable_off_map(lines, {hex: view.word("map-edge", hex) for hex in ends}, side)


def _list_stated_lines(view: View) -> Iterator[tuple[str, str, int]]:
    """Yield each stated off-map line once: its two ends, and its length in map hexes."""
    seen = dict[tuple[str, str, str], int]()
    for track, weight in OFF_MAP_HEX_WEIGHTS.items():
        known = {subject for stated, subject in view.stated if stated == track} | {*view.board.known(track)}
        for hex in sorted(known):
            for name, number in view.amounts(track, hex).items():
                where = f"{track} of {hex}"
                there = view.board.place(name)
                if there == hex:
                    raise InputError(f"{where}: it leads back to {hex}", hint=f"write: {hex} {track}=HEX:HEXES")
                if number.denominator != 1:
                    raise InputError(f"{where}: {number} is not a whole number of hexes", hint="count whole hexes")
                back = seen.get((track, there, hex))
                if back is not None:
                    if back != int(number):
                        what = f"{where}: {number} hexes to {there}, but {back} from there"
                        raise InputError(what, hint="state the line at one of its ends")
                    continue
                seen[track, hex, there] = int(number)
                yield hex, there, int(Fraction(number)) * weight


def usable_off_map(
    lines: Mapping[frozenset[str], int], edges: Mapping[str, str], side: str
) -> dict[str, dict[str, int]]:
    """Return the off-map lines that units of a side may take, from each end to the others.

    Units leave and enter the map at their side's own map edges; an end without a known edge counts as one.

    `lines`: lengths by both ends, single-track hexes doubled.
    `edges`: the side of a hex's map edge.

    Rule: 8.2.8
    """
    legs = dict[str, dict[str, int]]()
    for ends, hexes in lines.items():
        owners = {edges.get(hex, "") for hex in ends} - {"", "none"}
        if owners == {side} and BARRED_EDGE_HEXES.get(side, frozenset()).isdisjoint(ends):
            for here in ends:
                (there,) = ends - {here}
                legs.setdefault(here, {})[there] = hexes
    return legs
