"""Refuges of artillery, Corps Trains and depots next to an enemy: the rules (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import MissingFacts, View, note
from assistant.asking.asks import Ask
from assistant.asking.permission import Clause
from assistant.mechanics.tracing import CostField, radius, trace_links
from assistant.rules.field import SideField, closed_hexes
from assistant.state.state import hexside

from ..entering.obligations import reasons_to_stay_by_rail, say_first
from ..ground.edges import is_at_edge, lies_off_map
from ..ground.hexsides import NETWORK, between, hexes_closed_to, impassable, leads_to_box
from ..railways.interference import (
    rail_displacements,
    threatened_hexes,
)
from ..railways.lines import read_lines
from ..railways.routes import RailNet, missing_rate, read_rail_net
from ..railways.transport import Train
from ..terms import BATTERIES, BUKOWINA_BOX, COMBAT_ARMS, DEPOTS, FIXED, KG_TRAIN, OFF_MAP, PRAGA_HEX

MAX_ARTILLERY_HEXES = 3
"""Maximum distance to which artillery is displaced, in hexes."""
MAX_TRAIN_HEXES = 3
"""Maximum distance to which a Corps Train is displaced, in hexes."""
MAX_DEPOT_HEXES = 15
"""Maximum distance to which a depot is displaced along the RR line, in hexes."""
ALONE_REASON = "it is in an EZOC without a friendly combat unit"


class Refuge(msgspec.Struct, frozen=True):
    """A hex to which a displaced unit may go."""

    hex: Annotated[str, note("the number, or off-map where the unit leaves the map for good")]
    way: Annotated[tuple[str, ...], note("hexes of the route, the one where it ends last")]
    with_: Annotated[tuple[str, ...], note("the units in the hex")] = msgspec.field(default=(), name="with")


class DisplaceResult(msgspec.Struct, frozen=True, kw_only=True):
    """The refuges of a unit."""

    unit: Annotated[str, note("the id")]
    place: Annotated[str, note("the hex, empty off the map")]
    must: Annotated[bool, note("whether the unit must leave its hex")]
    why: Annotated[str, note("the reason to leave or to stay")]
    refuges: Annotated[tuple[Refuge, ...], note("where the unit may go, in the order that the rules prefer")] = ()
    eliminated: Annotated[bool, note("whether the unit must leave its hex but cannot")] = False
    removed: Annotated[bool, note("whether the unit is taken off the map until it may come back")] = False


class Surroundings(msgspec.Struct, frozen=True):
    """A unit that may have to leave its hex, and the hexes around it as its side sees them without it."""

    view: View
    unit: str
    place: str
    side: str
    nation: str
    enemies: frozenset[str]
    enemy_zones: frozenset[str]
    friends: frozenset[str]
    others: Sequence[tuple[str, str]] = ()
    """The other units with their hexes, in the order of their stacks."""
    arms: Mapping[str, str] = MappingProxyType({})
    """The arm of each friend among the other units."""
    arm: str = ""
    """The unit's own arm."""
    marked: bool = False
    """Whether the unit is artillery that has been displaced before."""
    reached: bool = False
    """Whether the unit still has to leave because an enemy came adjacent to it in this phase."""
    lately: frozenset[str] = frozenset()
    """Hexes of the side's RR line that the enemy took in this phase, and that still count for the unit."""

    @property
    def combat(self) -> frozenset[str]:
        """The hexes with friendly combat units, which fortress units are not (2.1)."""
        return frozenset(place for name, place in self.others if self.arms.get(name) in COMBAT_ARMS)

    def beside(self, hex: str) -> tuple[str, ...]:
        return tuple(name for name, place in self.others if place == hex)

    @property
    def company(self) -> tuple[str, ...]:
        return tuple(name for name in self.beside(self.place) if self.arms.get(name) in COMBAT_ARMS)

    @property
    def depot_beside(self) -> str:
        """A depot in the unit's hex, or "" if there is none."""
        return next((name for name in self.beside(self.place) if self.view.word("arm", name) in DEPOTS), "")

    def reasons_to_fall(self) -> Iterator[Clause]:
        """Yield why artillery or a Corps Train that must leave its hex is eliminated, whatever is around it.

        Rule: 9.5.1a, 22.4.2, 22.5.1
        """
        yield (
            self.unit in BATTERIES,
            "22.4.2",
            "it is in an EZOC without a friendly combat unit, and never moves (22.4.2)",
        )
        yield (
            self.arm == "artillery" and self.marked and not self.depot_beside,
            "9.5.1",
            "it is in an EZOC without a friendly combat unit, and cannot displace again",
        )
        yield (
            self.unit == KG_TRAIN and self.view.ruling("lone-kg-train") == "lost",
            "22.5.1",
            "it would have to retreat, but it never moves (22.5.1)",
        )

    def next_to_enemy(self, hex: str) -> bool:
        return not self.enemies.isdisjoint(self.view.board.neighbours(hex))

    def within(self, max_hexes: int) -> CostField:
        """Return the hexes of the map within a distance, with the ways to them.

        The ways avoid enemies, EZOCs, forbidden hexes and hexsides that cannot be crossed. Romania is off the map.

        Rule: 9.5.1, 9.8.1, 1.2.2b
        """
        shut = closed_hexes(self.enemies, self.enemy_zones, self.friends) | hexes_closed_to(self.nation)

        def crosses(here: str, there: str) -> bool:
            return not impassable(between(self.view, here, there))

        def enters(hex: str) -> bool:
            return hex not in shut and not lies_off_map(self.view, hex)

        return radius([self.place], max_hexes, self.next_to, enters=enters, crosses=crosses)

    def leads_off_map(self, hex: str) -> bool:
        """Return whether a unit may leave the map for good from a hex.

        It may over an edge, or into a Romanian hex without enemies. A half-hex that leads into the Holding Box is an
        exception.

        Rule: 1.2.2b
        """
        if leads_to_box(hex, {self.nation}):
            return False
        if is_at_edge(self.view, hex):
            return True
        romania = (near for near in self.view.board.neighbours(hex) if lies_off_map(self.view, near))
        free = (near for near in romania if near not in self.enemies)
        return any(not impassable(between(self.view, hex, near)) for near in free)

    def over_the_edge(self, ways: CostField) -> tuple[Refuge, ...]:
        """Return the shortest of the ways that continue off the map, or () if none does."""
        nearest = min(filter(self.leads_off_map, ways.cost), key=lambda hex: (ways.cost[hex], hex), default="")
        return (Refuge(OFF_MAP, (*ways.line(nearest)[1:], OFF_MAP)),) if nearest else ()

    def next_to(self, place: str) -> Iterable[str]:
        """Return the hexes around a place, including the Holding Box if the place leads into it."""
        if place == BUKOWINA_BOX:
            return ()
        box = (BUKOWINA_BOX,) if leads_to_box(place, {self.nation}) else ()
        return (*self.view.board.neighbours(place), *box)

    def refuges(self, ways: CostField, hexes: Iterable[str]) -> tuple[Refuge, ...]:
        return tuple(Refuge(hex, ways.line(hex)[1:], self.beside(hex)) for hex in hexes)

    def bars_of_train(self, hex: str, far: int, *, goes_full_distance: bool) -> Iterator[Clause]:
        """Yield why a Corps Train does not retreat to a hex within its reach.

        `far`: the distance of the hex.
        `goes_full_distance`: whether the Corps Train can reach a hex three hexes away.

        Rule: 9.8.1b
        """
        on_map = hex != BUKOWINA_BOX
        yield on_map and far < MAX_TRAIN_HEXES and goes_full_distance, "9.8.1", "it is fewer than three hexes away"
        yield on_map and hex not in self.combat and not goes_full_distance, "9.8.1", "no friendly combat unit is there"

    def stays(self, why: str) -> DisplaceResult:
        return DisplaceResult(unit=self.unit, place=self.place, must=False, why=why)

    def goes(self, why: str, refuges: tuple[Refuge, ...] = (), *, or_lost: bool = True) -> DisplaceResult:
        """Return the result for a unit that must go to one of its refuges.

        `or_lost`: whether the unit is eliminated without a refuge.
        """
        lost = or_lost and not refuges
        return replace(self.stays(why), must=True, refuges=refuges, eliminated=lost)


def displace_guns(around: Surroundings, friend: str) -> DisplaceResult:
    """Return the refuges of artillery in an EZOC without a combat unit.

    The artillery goes to the nearest friendly unit within three hexes, or to the Holding Box, or is eliminated.

    `friend`: "nearest" for the nearest friend, or "safe" for the nearest one with whom the artillery may stay.

    Rule: 9.5.1
    """
    ways = around.within(MAX_ARTILLERY_HEXES)
    friends = [hex for hex, far in ways.cost.items() if far and hex in around.friends]
    if friend == "safe":
        exposed = around.enemy_zones - around.combat
        friends = [hex for hex in friends if hex not in exposed] or friends
    nearest = min((ways.cost[hex] for hex in friends), default=0)
    near = [hex for hex in friends if ways.cost[hex] == nearest]
    near.sort(key=lambda hex: (hex not in around.combat, hex))  # hexes where the artillery may stay come first
    near = near or [hex for hex in ways.cost if hex == BUKOWINA_BOX]
    return around.goes(ALONE_REASON, around.refuges(ways, near))


def displace_landsturm(around: Surroundings, *, flees: bool) -> DisplaceResult:
    """Return the result for a Landsturm Abteilung, which is removed for good once Russian infantry is adjacent.

    `flees`: whether Russian infantry is adjacent to it.

    Rule: 22.4.1
    """
    stays = say_first([(not flees, "22.4.1", "no Russian infantry is adjacent to it")])
    if stays:
        return around.stays(stays)
    return around.goes("Russian infantry is adjacent to it, but it never moves (22.4.1)")


def displace_artillery(around: Surroundings) -> DisplaceResult:
    """Return the refuges of artillery, by the rulings that matter to it. Rule: 9.5.1a"""
    view = around.view
    beside = around.depot_beside
    if around.marked and beside and view.ruling("displaced-with-depot") == "depot":
        return around.goes(ALONE_REASON, along_the_line(replace(around, unit=beside)))
    if lost := say_first(around.reasons_to_fall()):
        return around.goes(lost)
    nearest = displace_guns(around, "nearest")
    safe = displace_guns(around, "safe")
    return safe if nearest.refuges != safe.refuges and view.ruling("displaced-to") == "safe" else nearest


def displace_train(around: Surroundings) -> DisplaceResult:
    """Return the refuges of a Corps Train in an EZOC without a combat unit.

    The Corps Train goes three hexes. If it cannot, it goes to a friendly combat unit or into the Holding Box; by a
    ruling off the map if no other way is left; or else it is eliminated.

    Rule: 9.8.1, 1.2.2b
    """
    if lost := say_first(around.reasons_to_fall()):
        return around.goes(lost)
    ways = around.within(MAX_TRAIN_HEXES)
    goes_full_distance = MAX_TRAIN_HEXES in ways.cost.values()
    reached = [(hex, far) for hex, far in ways.cost.items() if far]
    hexes = [
        hex
        for hex, far in reached
        if not say_first(around.bars_of_train(hex, far, goes_full_distance=goes_full_distance))
    ]
    leaving = () if hexes else around.over_the_edge(ways)
    if leaving and around.view.ruling("train-off-map") == "departs":
        return around.goes(ALONE_REASON, leaving)
    return around.goes(ALONE_REASON, around.refuges(ways, sorted(hexes)))


def displace_depot(around: Surroundings) -> DisplaceResult:
    """Return whether a depot must leave its hex, and its refuges along the RR line.

    It must leave if an enemy is adjacent. Ruling depot-stuck decides whether a depot without a refuge, or one that
    never moves, is eliminated.

    Raises MissingFacts as `along_the_line` does.

    Rule: 9.9
    """
    near = around.reached or around.next_to_enemy(around.place)
    stays = say_first([(not near, "9.9", "no enemy is adjacent to it")])
    if stays:
        return around.stays(stays)
    fixed = around.unit in FIXED
    line = () if fixed else along_the_line(around)
    or_lost = not line and around.view.ruling("depot-stuck") == "lost"
    clauses = (
        (fixed, "24.5.1", "an enemy is adjacent to it, but it cannot move (24.5.1)"),
        (near, "9.9", "an enemy is adjacent to it"),
    )
    return around.goes(say_first(clauses), line, or_lost=or_lost)


def displace_entrained(around: Surroundings, seen: SideField, rates: Collection[int]) -> DisplaceResult:
    """Return the refuges of a unit in Rail Mode once an enemy combat or artillery unit is adjacent to it.

    The unit goes along the line toward its destination; if it finds no hex, a ruling decides.

    `rates`: the known RR hexes per Movement Point.

    Raises MissingFacts for its destination and a rate that matters.

    Rule: 8.2.4b
    """
    view = around.view
    reasons = reasons_to_stay_by_rail(view, around.unit, around.place, around.side, reached=around.reached)
    if stays := say_first(reasons):
        return around.stays(stays)
    destination = view.word("destination", around.unit)
    if not destination:
        how = f"{around.unit} destination=HEX"
        raise MissingFacts(
            [Ask(kind="fact", name=how, rule="8.2.3", title=f"the destination of {around.unit}", how=how)]
        )
    train = Train(
        unit=around.unit,
        nation=around.nation,
        cost=view.points("rail-cost", around.unit),
        place=around.place,
        destination=destination,
        gauge=view.word("train-gauge", around.unit),
    )
    threatened = threatened_hexes(view, around.enemies)
    by_rate = [read_lines(view, around.side, seen, rate, around.lately) for rate in rates]
    known = {rail_displacements(lines.find_route(train, before=True), lines.net, threatened) for lines in by_rate}
    if len(known) > 1:
        raise missing_rate()
    (ways,) = known
    refuges = tuple(Refuge(way.end, way.hexes, around.beside(way.end)) for way in ways)
    or_lost = view.ruling("train-stuck", not refuges) == "lost"
    return around.goes("an enemy is adjacent to it", refuges, or_lost=or_lost)


def displace_by_arm(around: Surroundings) -> DisplaceResult:
    """Return the refuges of artillery, a Corps Train or a depot. Raises MissingFacts as `along_the_line` does.

    Rule: 9.5.1, 9.8.1, 9.9
    """
    if around.arm == "artillery":
        return displace_artillery(around)
    return displace_train(around) if around.arm == "corps-train" else displace_depot(around)


def line_of_depot(around: Surroundings) -> tuple[CostField, RailNet]:
    """Return the hexes that a depot reaches along its side's RR line, and all RR lines of its side.

    The hexes lie within 15 hexes. An enemy who has stood on the line since an earlier phase closes it.

    Rule: 9.9
    """
    view = around.view
    side = around.side
    net = read_rail_net(view, side, around.enemies, around.lately)

    def linked(here: str, there: str) -> bool:
        return hexside(here, there) in net.tracks

    def shut(hex: str) -> bool:
        operational = hex in net.links and (view.board.hexes or view.word("operational", hex) == side)
        closed = hex in hexes_closed_to(around.nation) or not (hex in around.lately or operational)
        return closed and hex != around.place

    return trace_links([around.place], view.board.neighbours, linked, shut, MAX_DEPOT_HEXES), net


def enemies_on_the_line(around: Surroundings) -> list[str]:
    """Return the hexes where enemies are on the RR line of a depot, but its loss is not recorded. Rule: 9.9"""
    view = around.view
    side = around.side
    ways, _ = line_of_depot(around)
    whole = read_rail_net(view, side, (), around.lately)
    own = [hex for hex in around.enemies - around.lately if view.word("operational", hex) == side]
    reached = {near for near, far in ways.cost.items() if far < MAX_DEPOT_HEXES}
    beside = {hex: reached.intersection(view.board.neighbours(hex)) for hex in own}
    return sorted(hex for hex in own if any(hexside(near, hex) in whole.tracks for near in beside[hex]))


def along_the_line(around: Surroundings) -> tuple[Refuge, ...]:
    """Return the refuges of a depot along the RR line of its side, the nearest hex first.

    No enemy is in a refuge or adjacent to it.

    Raises MissingFacts if no hex is found and an RR line that may lead to one is not fully stated.

    Rule: 9.9
    """
    view = around.view
    place = around.place
    side = around.side
    neighbours = view.board.neighbours
    is_whole = view.flag(NETWORK.whole, side)
    ways, net = line_of_depot(around)

    def may_lead_on(here: str) -> bool:
        """Return whether an RR line of unstated existence or owner may lead on."""
        for there in neighbours(here):
            over = hexside(here, there)
            if view.fact("rail", over) is None:
                if not is_whole:
                    return True
            elif over in net.tracks and view.fact("operational", there) is None:
                return True
        return False

    near = {hex: far for hex, far in ways.cost.items() if far and not around.next_to_enemy(hex)}
    safe = sorted(near.keys() - around.enemies, key=lambda hex: (near[hex], hex))
    if not safe and any(map(may_lead_on, ways.cost)):
        how = (
            f"HEX|HEX rail1 and HEX operational={side} for each hex of the line from {place}, and no-rail where there "
            f"is none"
        )
        title = f"the RR line along which {around.unit} goes"
        raise MissingFacts([Ask(kind="fact", name="line", rule="9.9", title=title, how=how)])
    return around.refuges(ways, safe)


def displace_praga(around: Surroundings, *, germans: bool) -> DisplaceResult:
    """Return the result for the PRAGA depot of the Tannenberg scenario.

    The depot is off the map while a German unit is adjacent to its hex, and returns once none is.

    `germans`: whether a German unit is adjacent.

    Rule: 24.5.2
    """
    why = f"{'a' if germans else 'no'} German unit is adjacent to {PRAGA_HEX}"
    if germans == (not around.place):
        return around.stays(why)
    back = () if germans else (Refuge(PRAGA_HEX, (PRAGA_HEX,)),)
    return replace(around.goes(why, back, or_lost=False), removed=germans)
