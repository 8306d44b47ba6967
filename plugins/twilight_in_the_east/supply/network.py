"""The network that a player has typed of a paper map, made ready for tracing: what is certain of it, and what is possible (14.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec

from assistant.field import Around, Cost, Line, LineMap, Network
from assistant.mechanics.crossings import Crossing, Ground, Worked, compile_crossings
from assistant.mechanics.tracing import CostField, link
from assistant.questions import Gather, View
from assistant.state.state import hexside

from ..ground import calendar
from ..ground.hexsides import NETWORK, between
from ..railways.built import field_railways, hexsides_of, joined, left_of_field_railway
from ..railways.network import may_operate, operational_for
from ..terms import GREAT_RIVERS, HALF_HEXES
from .lines import LINKS, SupplyMap, beside_field_railways
from .rules import HEX, RAILS, ROADS, is_flooded, step_cost
from .special import FERRY, bars_across, holder_of_pillau

UNKNOWN_TERRAIN = "the terrain of the hex is not stated"


class PaperMap(msgspec.Struct, frozen=True):
    """A typed network for one side.

    certain: the map on which what matters and is not stated bars the way; possible: that on which it does not, be it terrain, the
    link of a RR line or who holds Pillau; railway, loc: the hexes of RR lines as sources and as a depot's LOC; deployed: by hex of a
    Field Railway that of its DEPLOYED marker.
    """

    network: Network
    certain: SupplyMap
    possible: SupplyMap
    railway: Railway
    loc: Railway
    deployed: Mapping[str, str]


class Railway(msgspec.Struct, frozen=True):
    """The hexes of typed RR lines of a side, by whether they are linked to a friendly map edge.

    stated: it is stated; granted: nothing is stated and nothing cuts the line, so that it is taken for granted; doubtful: the line is
    cut, and they are on a stretch with an end of it of which nothing is stated.
    """

    stated: frozenset[str]
    granted: frozenset[str]
    doubtful: frozenset[str]

    @property
    def linked(self) -> frozenset[str]:
        """The hexes that are linked."""
        return self.stated | self.granted


def compile_network(facts: Gather, around: Around, *, lines: bool = True) -> PaperMap:
    """The typed network for a side, with its units on it. lines: whether the steps of typed lines belong to it."""
    view, side = facts.view, around.side
    begins = (*around.friends, *(hex for hex in HALF_HEXES if view.board.has(hex)))
    built = [line for line in field_railways(view, side) if left_of_field_railway(line.hexes, around.enemies)]
    fields = [left_of_field_railway(line.hexes, around.enemies) for line in built]
    narrow = frozenset[str]().union(*map(hexsides_of, fields))
    network = Network(view, NETWORK, side, begins, built=narrow, lines=lines)
    wet = any(GREAT_RIVERS & view.words("barrier", side) for side in network.sides)
    wet = wet or any(view.word("terrain", hex) == "wetlands" for hex in network.ways)
    campaign = wet and facts.flag("campaign")
    weather = calendar.weather(facts, "freeze", "high-water") if campaign else "normal"
    flooded = campaign and is_flooded(weather, facts.integer("turn"), campaign)
    stations = [hexes[0] for hexes in fields]
    railway, loc = (railways(view, network, side, closed, stations) for closed in (around.enemies, around.closed))

    def supply_map(linked: Collection[str], loc: frozenset[str], unknown: str, pillau: str) -> SupplyMap:
        """The network where these RR hexes are linked. unknown: terrain that is not stated; pillau: who holds it if that is not."""
        in_use = [hexes for line, hexes in zip(built, fields, strict=True) if line.deployed in linked]
        operational = joined(CostField(dict.fromkeys(sorted(linked), 0), {}), in_use)
        by_field = frozenset[str]().union(*map(hexsides_of, in_use))
        only_field = frozenset(operational.cost.keys() - set(linked))

        def ground(place: str) -> Ground:
            control = side if place in around.friends else view.word("control", place)
            terrain = view.word("terrain", place) or unknown
            return (("terrain", terrain), ("operational", place in operational.cost), ("control", control))

        def over(here: str, there: str) -> Ground:
            across = between(view, here, there)
            words = {track: across.word(track) or f"no-{track}" for track in LINKS}
            words = beside_field_railways(words, across.name, by_field, only_field)
            barrier = bars_across(view, side, across.name, across.lies, unstated=pillau)
            return (("barrier", tuple(sorted(barrier))), *words.items())

        cost = partial(step_kind, freeze=weather == "freeze", flooded=flooded)
        crossings = compile_crossings(network.ways, network.next_to, ground, over)
        line_map = LineMap(crossings, Worked(cost), around.closed, HEX)
        on_rails = frozenset(operational.cost)
        return SupplyMap(line_map, Worked(no_rails), loc, operational, view.board.distance, on_rails)

    return PaperMap(
        network,
        supply_map(railway.linked, loc.linked, "", ""),
        supply_map(railway.linked | railway.doubtful, loc.linked | loc.doubtful, "clear", side),
        railway,
        loc,
        {hex: hexes[0] for hexes in fields for hex in hexes[1:]},
    )


def no_rails(here: str) -> tuple[str, ...]:
    """The RR lines from a hex as far as they matter: all that are linked are already known."""
    return ()


def step_kind(kind: Crossing, *, freeze: bool, flooded: bool) -> Cost | str:
    """What a kind of step costs, or what bars it; terrain that is not stated does where it makes a difference."""
    enters, over = dict[str, Any](kind.enters), dict[str, Any](kind.over)
    railed = bool(dict(kind.leaves)["operational"] and enters["operational"])
    terrain = enters["terrain"]
    clear, mountain = (
        step_cost(terrain or usual, **over, operational=railed, freeze=freeze, flooded=flooded)
        for usual in ("clear", "mountain")
    )
    same = isinstance(clear, str) or isinstance(mountain, str) or clear.amount == mountain.amount
    return clear if same else UNKNOWN_TERRAIN


def needs_pillau(view: View, line: Line) -> bool:
    """Whether a line crosses the strait at Pillau and it is not stated who holds that (14.1.1)."""
    entered = pairwise([line.start, *(one.hex for one in line.steps)])
    return not holder_of_pillau(view) and any(hexside(here, there) == FERRY for here, there in entered)


def unstated_terrain(view: View, line: Line) -> list[str]:
    """The hexes of a line whose terrain matters to it and is not stated: those that it enters neither by rail nor by road."""
    entered = pairwise([line.start, *(one.hex for one in line.steps)])
    by_foot = (there for here, there in entered if between(view, here, there).word("road") not in ROADS)
    return [hex for hex in by_foot if hex not in line.linked and not view.word("terrain", hex)]


def typed_railways(view: View, around: Around, lost: Collection[str] = ()) -> Railway:
    """The typed RR lines of a side as its supply counts them, EZOCs aside. lost: hexes in which they are cut besides those of enemies."""
    closed = around.enemies.union(lost)
    built = [left_of_field_railway(line.hexes, around.enemies) for line in field_railways(view, around.side)]
    stations = [hexes[0] for hexes in built if hexes]
    return railways(view, Network(view, NETWORK, around.side, around.friends), around.side, closed, stations)


def railways(view: View, network: Network, side: str, closed: Collection[str], stations: Collection[str]) -> Railway:
    """The typed RR lines of a side: hexes that are stated to be another side's or out of use do not count, others do.

    closed: hexes in which such a line is cut; stations: where Field Railways begin, which is on a RR line, typed or not (17.5.1).
    """

    def operational(place: str) -> bool:
        return may_operate(view, place, side)

    def has_rail(here: str, there: str) -> bool:
        return between(view, here, there).word("rail") in RAILS

    def is_laid(here: str, there: str) -> bool:
        return view.word("rail", hexside(here, there)) in RAILS

    def railed(here: str, there: str) -> bool:
        return operational(there) and has_rail(here, there)

    def along(starts: Iterable[str], shut: Collection[str] = ()) -> frozenset[str]:
        return frozenset(link(starts, network.next_to, railed, lambda hex: hex in shut).cost)

    def typed_with(hex: str) -> frozenset[str]:
        """The RR hexes of the side on the typed line through a hex, beyond what cuts it too, be it a bridge that is down."""
        return lying.intersection(link([hex], network.next_to, is_laid, lambda _: False).cost)

    def lies(place: str) -> bool:
        if operational_for(view, place) == side or view.word("linked", place) == side:
            return True
        begins = place in stations and network.is_open(place, closed)
        return begins or any(has_rail(place, other) for other in network.next_to(place))

    lying = frozenset(place for place in network.ways if operational(place) and lies(place))
    vouched = {place for place in lying if side in (view.word("map-edge", place), view.word("linked", place))}
    stated = along(vouched - set(closed), closed)
    granted, doubtful = set[str](), set[str]()
    left = lying - stated - set(closed)
    while left:
        stretch = along({min(left)}, closed)
        left -= stretch
        whole = typed_with(min(stretch))
        uncut = whole == stretch and vouched.isdisjoint(whole)
        ends = {hex for hex in stretch if sum(railed(hex, other) for other in network.next_to(hex)) <= 1}
        if any(not view.word("linked", hex) for hex in ends or (stretch if uncut else ())):
            (granted if uncut else doubtful).update(stretch)
    return Railway(stated, frozenset(granted), frozenset(doubtful))
