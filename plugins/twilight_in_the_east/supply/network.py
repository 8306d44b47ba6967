"""The network that a player has typed of a paper map, made ready for tracing: what is certain of it, and what is possible (14.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec

from assistant.field import Around, Cost, Line, LineMap, Network
from assistant.mechanics.tracing import Crossing, Ground, Worked, compile_crossings, link
from assistant.questions import Gather, View

from ..ground import calendar
from ..ground.hexsides import NETWORK, between
from ..terms import GREAT_RIVERS
from .lines import LINKS
from .rules import HEX, RAILS, ROADS, is_flooded, step_cost
from .special import HALF_HEXES

UNKNOWN_TERRAIN = "the terrain of the hex is not stated"


class PaperMap(msgspec.Struct, frozen=True):
    """A typed network for one side.

    certain: its lines where terrain that matters and is not stated bars the way; possible: where it is clear; railway, loc: the hexes
    of RR lines as sources and as a depot's LOC.
    """

    network: Network
    certain: LineMap
    possible: LineMap
    railway: Railway
    loc: Railway


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
    network = Network(view, NETWORK, side, begins, lines=lines)
    wet = any(GREAT_RIVERS & view.words("barrier", side) for side in network.sides)
    wet = wet or any(view.word("terrain", hex) == "wetlands" for hex in network.ways)
    campaign = wet and facts.flag("campaign")
    weather = calendar.weather(facts, "freeze", "high-water") if campaign else "normal"
    flooded = campaign and is_flooded(weather, facts.integer("turn"), campaign)
    railway, loc = (railways(view, network, side, closed) for closed in (around.enemies, around.closed))

    def line_map(operational: Collection[str], unknown: str) -> LineMap:
        def ground(place: str) -> Ground:
            control = side if place in around.friends else view.word("control", place)
            terrain = view.word("terrain", place) or unknown
            return (("terrain", terrain), ("operational", place in operational), ("control", control))

        def over(here: str, there: str) -> Ground:
            across = between(view, here, there)
            return (
                ("barrier", tuple(sorted(across.lies))),
                *((track, across.word(track) or f"no-{track}") for track in LINKS),
            )

        cost = partial(step_kind, freeze=weather == "freeze", flooded=flooded)
        crossings = compile_crossings(network.ways, network.next_to, ground, over)
        return LineMap(crossings, Worked(cost), around.closed, HEX)

    certain = line_map(railway.linked, "")
    return PaperMap(network, certain, line_map(railway.linked | railway.doubtful, "clear"), railway, loc)


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


def unstated_terrain(view: View, line: Line) -> list[str]:
    """The hexes of a line whose terrain matters to it and is not stated: those that it enters neither by rail nor by road."""
    entered = pairwise([line.start, *(one.hex for one in line.steps)])
    by_foot = (there for here, there in entered if between(view, here, there).word("road") not in ROADS)
    return [hex for hex in by_foot if hex not in line.linked and not view.word("terrain", hex)]


def railways(view: View, network: Network, side: str, closed: Collection[str]) -> Railway:
    """The typed RR lines of a side: hexes that are stated to be another side's or out of use do not count, others do.

    closed: hexes in which such a line is cut.
    """

    def operational(place: str) -> bool:
        return view.word("operational", place) in ("", side)

    def railed(here: str, there: str) -> bool:
        return operational(there) and between(view, here, there).word("rail") in RAILS

    def along(starts: Iterable[str], shut: Collection[str] = ()) -> frozenset[str]:
        return frozenset(link(starts, network.next_to, railed, lambda hex: hex in shut).cost)

    hexes = [place for place in network.ways if operational(place)]
    lying = {place for place in hexes if any(railed(place, other) for other in network.next_to(place))}
    lying |= {place for place in hexes if view.word("operational", place) == side}
    vouched = {place for place in lying if side in (view.word("map-edge", place), view.word("linked", place))}
    stated = along(vouched - set(closed), closed)
    granted, doubtful = set[str](), set[str]()
    left = lying - stated - set(closed)
    while left:
        stretch = along({min(left)}, closed)
        left -= stretch
        whole = along({min(stretch)})
        uncut = whole == stretch and vouched.isdisjoint(whole)
        ends = {hex for hex in stretch if sum(railed(hex, other) for other in network.next_to(hex)) <= 1}
        if any(not view.word("linked", hex) for hex in ends or (stretch if uncut else ())):
            (granted if uncut else doubtful).update(stretch)
    return Railway(stated, frozenset(granted), frozenset(doubtful))
