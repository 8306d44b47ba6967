"""The step of a march from a hex into the next: what bars it, and what it costs, the ground and the zones apart. One judge
for `move`, `reach` and `ezoc` (4.1.4, 6.3, 8.1, 9.3, 13.2, 23.3, 23.4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace

from assistant.field import Around, Barred, side_of
from assistant.field.moving import Entered, NoWay
from assistant.mechanics.crossings import Crossing, Crossings, Worked, compile_crossings
from assistant.questions import Gather, Step, View, note, step
from assistant.state.differences import Apart
from assistant.state.state import Unit, hexside

from ...combat.pieces import garrison_move, known_inside
from ...control.front_line import holder
from ...forces.account import read_account
from ...forces.armies import is_asset_unit
from ...forces.movement_points import pinning_enemies
from ...forces.units import has_turned, is_of_fischer
from ...ground.costs import (
    HALF_HEX,
    PILLAU,
    PILLAU_STRAIT,
    STEP,
    Chart,
    Price,
    assume_bare,
    congestion,
    crosses_at_pillau,
    fits_causeway,
    lying,
    lying_over,
    terrain_ask,
)
from ...ground.edges import is_at_edge
from ...ground.hexsides import Entry, bar_of_province, between, do_zones_cross, entry_bar, impassable, why_closed
from ...terms import COMBAT_ARMS, GREAT_RIVERS, HALF_HEXES, KG_TRAIN, ROMANIA
from .movers import holds_garrison
from .zones import Friends, Zones, areas_of, bar_of_area, bar_of_zones, friends_in, surcharge

T = TypeVar("T")

Prices = Callable[[str, str], Price]
"""What the ground between a hex and the next one costs."""


class Stepped(Entered, frozen=True, kw_only=True):
    """A hex that units enter. Its cost is in halves of a Movement Point."""

    ground: Annotated[Fraction, note("Movement Points for the ground")]
    zones: Annotated[int, note("Movement Points that EZOCs add")] = 0
    by: Annotated[str, note("how the hex is entered: over the ground, or by road along a roadway or RR line")] = (
        "ground"
    )
    why: Annotated[str, note("why EZOCs add Movement Points, empty if they add none")] = ""
    enters_zone: Annotated[bool, note("whether the units enter an EZOC from a hex outside any")] = False

    @property
    def points(self) -> Fraction:
        """What it costs in all, in Movement Points."""
        return self.ground + self.zones


CROSSING = "4.1.1a"
"""The rule by which artillery and Corps Trains leave a hex as a combat unit begins to cross a great river into it."""


class FirstLeave(Barred):
    """Enemies who leave the hex before it is entered, so that it is barred only until they have."""


class Party(msgspec.Struct, frozen=True):
    """Units that make a step together. counter: whether it is their Counter Movement Phase; aside: whether they are cavalry
    that reacts or retires, which no marker pins and which spends no Movement Points.
    """

    units: tuple[Unit, ...]
    side: str
    nations: frozenset[str]
    arms: frozenset[str]
    counter: bool = False
    aside: bool = False

    @property
    def alone(self) -> bool:
        """Whether it is one unit, which may use roads. Rule: 8.1.4, 8.1c"""
        return len(self.units) == 1


def read_party(facts: Gather, units: Sequence[Unit], *, counter: bool, aside: bool = False) -> Party:
    """Units that make a step together, in plain values. counter, aside: as in `Party`."""
    nations = frozenset(facts.word("nation", unit.id) for unit in units)
    arms = frozenset(facts.word("arm", unit.id) for unit in units)
    return Party(tuple(units), side_of(facts, units[0]), nations, arms, counter, aside)


def shows_reduced(view: View, unit: str) -> bool:
    """Whether a unit shows its reduced side, as far as that is known."""
    back = view.fact("back-steps", unit)
    steps, lost = view.integer("steps", unit), view.integer("lost", unit)
    return view.flag("reduced", unit) or has_turned(steps, lost, view.integer("back-steps", unit) if back else 0)


def holds_enemies(hex: str, enemies: Collection[str]) -> bool:
    """Whether enemies, of whatever kind, keep units from a hex. enemies: the hexes where they stand. Rule: 8.0"""
    return hex in enemies


def why_shut(view: View, here: str, there: str, *, priced: bool) -> str:
    """What stops everybody on the way into the next hex, in words; "" if nothing does as far as is stated. priced: whether
    the chart itself is read, which says what ground it prohibits.
    """
    over = between(view, here, there)
    return why_closed(over) if priced else impassable(over)


def bar_of_step(there: str, nations: Collection[str], enemies: Collection[str], shut: str) -> Barred | None:
    """What closes the next hex to units that move, None if nothing in the one table does.

    nations: of the units; enemies: the hexes where enemies stand; shut: what stops everybody, as `why_shut`.
    """
    return entry_bar(Entry(there, nations, holds_enemies(there, enemies), shut))


def bar_of_chart(price: Price) -> Barred:
    """What the chart prohibits to a unit, or to units that move together, which use no road. Rule: 8.1.1b, 8.1.4"""
    why = "the Terrain Effects Chart prohibits the move there, or the move back"
    if not price.prohibits(alone=True):
        why += ", to units that move together: each alone may use the road"
    return Barred("8.1.1", why)


def bar_of_leaving(country: str, reading: str) -> Barred | None:
    """What keeps units from leaving the map for Romania. reading: ruling off-map-move. Rule: 1.2.2"""
    leaves = country == ROMANIA and reading == "refused"
    return Barred("1.2.2", "it lies in Romania, which is off the map") if leaves else None


def bar_of_edge(view: View, hex: str) -> Step | None:
    """What keeps units in a hex from leaving the map over its edge. Rule: 1.2.2"""
    if not is_at_edge(view, hex):
        return step("1.2.2", "{hex} does not lie at an edge of the map", hex=hex)
    if view.ruling("off-map-move") == "refused":
        return step(
            "1.2.2", "no unit moves off the map of its own will; a depot or entrained unit goes by rail (8.2.8)"
        )
    return None


def counts_for_causeway(facts: Gather, units: Sequence[Unit]) -> tuple[int, int, int]:
    """How many divisions, brigades and Asset Units some units are at a causeway. A Corps Train is like an Asset Unit, or
    counts for nothing, by ruling causeway-trains.
    Rule: 8.1.6
    """
    trains = [unit for unit in units if facts.word("arm", unit.id) == "corps-train"]
    if facts.view.ruling("causeway-trains", bool(trains)) == "free":
        units = [unit for unit in units if unit not in trains]
    sizes = ["" if is_asset_unit(facts, unit.id) else facts.word("size", unit.id) for unit in units]
    divisions, brigades = sizes.count("XX"), sizes.count("X")
    return divisions, brigades, len(sizes) - divisions - brigades


def has_crossed(facts: Gather, unit: Unit, over: str) -> bool:
    """Whether a unit has crossed a hexside before in the phase, by its account."""
    return any(hexside(here, there) == over for here, there in pairwise(read_account(facts, unit.id).passed))


CROSSED = ("divisions", "brigades", "assets")
"""The words of the track `crossed`."""


def causeway_counts(facts: Gather, over: str, units: Sequence[Unit]) -> tuple[int, int, int]:
    """How many divisions, brigades and Asset Units have crossed a causeway in the phase once some units have, too. Each
    unit counts once, however often it crosses.
    Rule: 8.1.6
    """
    before = facts.amounts("crossed", over)
    now = counts_for_causeway(facts, [unit for unit in units if not has_crossed(facts, unit, over)])
    divisions, brigades, assets = (int(before.get(word, 0)) + count for word, count in zip(CROSSED, now, strict=True))
    return divisions, brigades, assets


Shut = dict[tuple[str, str], tuple[Barred | None, bool, bool]]
"""What the map closes, by step; see `Judge`."""


def new_table(known: Shut | None, apart: Apart) -> Shut:
    """A table of what the map closes, which units of one nation share; nothing of another position's holds."""
    return {}


class Judge:
    """Judges the steps of a party: what bars each, and what it costs.

    around: the field as its side sees it; zones: those of enemies; prices: of the ground, None where another source has
    them, or nothing is paid.
    """

    def __init__(self, facts: Gather, around: Around, zones: Zones, party: Party, prices: Prices | None = None) -> None:
        self.facts, self.around, self.zones, self.party, self._prices = facts, around, zones, party, prices
        self._friends = dict[str, Friends]()
        self._garrisons = [unit for unit in party.units if holds_garrison(facts, unit)]
        self._fischer = any(is_of_fischer(unit.id, facts.view.word("corps", unit.id)) for unit in party.units)
        self._pinned = dict[str, Barred | None]()
        self._exact = Worked[int, Fraction](lambda halves: Fraction(halves, STEP))
        self._areas = areas_of(facts.view, party.units)
        self._shut = facts.view.kept(
            ("steps that are shut", party.side, party.nations, prices is None, zones.fled), new_table
        )

    def friends(self, hex: str) -> Friends:
        """Who of its side stands in a hex already."""
        if hex not in self._friends:
            self._friends[hex] = friends_in(self.facts, self.party.units, self.party.side, hex)
        return self._friends[hex]

    def bar(self, here: str, there: str) -> Barred | None:
        """What closes the next hex to the party, whatever its ground costs: first what the map and the enemies in the hex
        do, then zones, then the area of its army.
        """
        if held := self.bar_of_leaving_hex(here) or self._garrison(there):
            return held
        closed = self.entry(here, there)
        if closed and not isinstance(closed, FirstLeave):
            return closed
        return self.bar_of_zones(here, there) or self.bar_of_area(there) or closed

    def entry(self, here: str, there: str) -> Barred | None:
        """What the map and the enemies in the next hex close."""
        step = here, there
        if step not in self._shut:
            self._shut[step] = self._shut_by_map(here, there, self.zones.enemies)
        shut, causeway, romanian = self._shut[step]
        if shut and shut.rule == "4.2" and (first := self._displaced_first(here, there)):
            bare, _, _ = self._shut_by_map(here, there, ())
            return bare or first
        shut = shut or (self._causeway(here, there) if causeway else None)
        fischer = self._fischer and there not in HALF_HEXES  # these lead to the Box, where it may be
        return shut or (self._province(there, romanian=romanian) if romanian or fischer else None)

    def _shut_by_map(self, here: str, there: str, enemies: Collection[str]) -> tuple[Barred | None, bool, bool]:
        """What the table closes to units of these nations, whether the step leads over a causeway, and whether it leads
        into Romania. enemies: the hexes where they stand.
        """
        view, nations = self.facts.view, self.party.nations
        over = hexside(here, there)
        causeway = view.flag("causeway", over)
        open_way = causeway or (over == PILLAU_STRAIT and self._strait(over))
        shut = "" if open_way else why_shut(view, here, there, priced=self._prices is not None)
        return bar_of_step(there, nations, enemies, shut), causeway, view.word("country", there) == ROMANIA

    def _strait(self, over: str) -> bool:
        """Whether the party may cross at Pillau."""
        may = self.party.nations == {"german"}
        return may and crosses_at_pillau(over, self.party.nations, holder(self.facts, self.around, PILLAU))

    def _displaced_first(self, here: str, there: str) -> FirstLeave | None:
        """The artillery and Corps Trains alone in a hex, which leave it before a combat unit enters: as it comes adjacent,
        or over a great river as it begins to cross.
        Rule: 4.1.1a
        """
        over = between(self.facts.view, here, there)
        crossed = bool(GREAT_RIVERS & over.lies)
        if not (crossed or do_zones_cross(over)) or self.party.arms.isdisjoint(COMBAT_ARMS):
            return None
        units = [unit for unit in self.facts.view.stack(there) if side_of(self.facts, unit) != self.party.side]
        arms = [self.facts.word("arm", unit.id) for unit in units]
        if any(arm not in ("artillery", "corps-train") for arm in arms) or any(unit.id == KG_TRAIN for unit in units):
            return None
        rule = CROSSING if crossed else "9.5.1" if "artillery" in arms else "9.8.1"
        when = "as the crossing begins" if crossed else "as a combat unit is adjacent to it"
        names = ", ".join(unit.id for unit in units)
        return FirstLeave(rule, f"{names} must first leave the hex (ask displace), {when}")

    def bar_of_leaving_hex(self, here: str) -> Barred | None:
        """The enemies whose Prepared Attack markers keep the party in a hex."""
        if not self.party.counter or self.party.aside:
            return None
        if here not in self._pinned:
            pins = ((unit, pinning_enemies(self.facts, unit, here)) for unit in self.party.units)
            why = ((unit, names) for unit, names in pins if names)
            self._pinned[here] = next((bar_of_pin(unit.id, here, names) for unit, names in why), None)
        return self._pinned[here]

    def _garrison(self, there: str) -> Barred | None:
        """What keeps Fortress Garrisons in their fortress or complex."""
        for unit in self._garrisons:
            inside = known_inside(self.facts, str(unit.place), there)
            if garrison_move(inside, required=False, can_stay=True) == "barred":
                return bar_of_garrison(unit.id)
        return None

    def _causeway(self, here: str, there: str) -> Barred | None:
        """What keeps the party from a causeway: control of the hexes, or how many have crossed it. Rule: 8.1.6"""
        if holder(self.facts, self.around, there) != self.party.side:  # the other end is its own, as it stands there
            return Barred("8.1.6", f"its side does not control {there}, at the end of the causeway")
        if not fits_causeway(*causeway_counts(self.facts, hexside(here, there), self.party.units)):
            return Barred("8.1.6", "too many units would cross the causeway in this phase")
        return None

    def _province(self, there: str, *, romanian: bool) -> Barred | None:
        """What keeps the party out of a country or province. romanian: whether the hex lies in Romania."""
        if romanian:
            return bar_of_leaving(ROMANIA, self.facts.view.ruling("off-map-move"))
        return bar_of_province(self.facts.word("province", there), fischer=True)

    def bar_of_zones(self, here: str, there: str) -> Barred | None:
        """What enemy zones close; not a half-hex, which an EZOC does not close (23.4.1)."""
        if there in HALF_HEXES or (there not in self.zones.every and there not in self.zones.strong):
            return None
        party = self.party
        return self._with_friends(
            there, lambda friends: bar_of_zones(here, there, self.zones, friends, party.arms, counter=party.counter)
        )

    def _with_friends(self, there: str, judge: Callable[[Friends], T]) -> T:
        """What friends in the next hex make of it; whether combat units in Rail Mode are some is a ruling."""
        friends = self.friends(there)
        counted = judge(friends)
        if not friends.by_rail:
            return counted
        alone = judge(replace(friends, combat=False))
        return counted if self.facts.view.ruling("rail-mode-friend", counted != alone) == "counts" else alone

    def bar_of_area(self, there: str) -> Barred | None:
        """The area of an army, where the hex is adjacent to an enemy."""
        beside = any(self._areas.values()) and self.around.next_to_enemy(there)
        return bar_of_area(self._areas, there, next_to_enemy=beside) if beside else None

    def surcharge(self, here: str, there: str, entered: bool) -> tuple[int, str]:
        """What zones add to a step, and why. entered: whether a zone was entered before in the move."""
        every = self.zones.every
        leaves, enters = here in every, there in every
        if there in HALF_HEXES or not (leaves or enters):
            return 0, ""
        paid = entered and leaves and not enters and self.facts.view.ruling("ezoc-leaving") == "once"
        return self._with_friends(there, lambda friends: surcharge(here, there, every, friends, paid=paid))

    def enter(self, here: str, there: str, entered: int) -> Stepped | Barred:
        """The next hex with what it costs, or what bars it. entered: 1 if a zone was entered before in the move."""
        barred = self.bar(here, there)
        if barred and barred.rule == CROSSING:
            crossing = self.pay(here, there, entered)
            return crossing if isinstance(crossing, Barred) else barred
        return barred or self.pay(here, there, entered)

    def pay(self, here: str, there: str, entered: int) -> Stepped | Barred:
        """The next hex with what it costs, whoever is in it, or what bars its ground. entered: as in `enter`."""
        if self._prices is None:
            return self.stepped(here, there, bool(entered), 0)
        price = self._prices(here, there)
        if price.prohibits(alone=self.party.alone):
            return bar_of_chart(price)
        crowd = self._crowd(there, price)
        cheapest = price.cheapest(crowd, alone=self.party.alone)
        if cheapest is None:
            if self.facts.view.fact("terrain", there) is None:
                self.facts.ask(terrain_ask(self.facts.view, there))
            return NoWay("", "its ground is not stated")
        by = "road" if self.party.alone and price.road is not None and cheapest == price.road + crowd else "ground"
        return self.stepped(here, there, bool(entered), cheapest, by)

    def stepped(self, here: str, there: str, entered: bool, ground: int, by: str = "ground") -> Stepped:
        """The next hex, with what its ground costs and zones add. ground: in halves of a Movement Point."""
        every = self.zones.every
        if there not in every and here not in every:
            return Stepped(hex=there, cost=ground, ground=self._exact[ground], by=by)
        extra, why = self.surcharge(here, there, entered)
        enters = there in every and here not in every
        cost = ground + extra * STEP
        return Stepped(
            hex=there, cost=cost, ground=self._exact[ground], zones=extra, by=by, why=why, enters_zone=enters
        )

    def _crowd(self, there: str, price: Price) -> int:
        """The halves of a Movement Point that friends in the next hex add along a road, where that may matter."""
        if not self.party.alone or price.road is None or (price.off is not None and price.off <= price.road):
            return 0
        facts = self.facts
        friends = [
            unit
            for unit in facts.view.stack(there)
            if unit not in self.party.units
            and side_of(facts, unit) == self.party.side
            and not facts.flag("entrained", unit.id)
        ]
        return int(congestion(map(partial(crowd_of, facts), friends)) * STEP)


def crowd_of(facts: Gather, unit: Unit) -> tuple[str, str, bool]:
    """A friend in the way: its arm, size and whether it shows its reduced side."""
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id) if arm == "infantry" else ""
    return arm, size, shows_reduced(facts.view, unit.id)


def bar_of_pin(unit: str, here: str, enemies: Sequence[str]) -> Barred:
    """The markers that keep a unit in a hex. enemies: that bear them."""
    return Barred("8.4.2", f"{unit} may not leave {here}: Prepared Attack markers of {', '.join(enemies)} point at it")


def bar_of_garrison(unit: str) -> Barred:
    """What keeps a Fortress Garrison inside."""
    return Barred("12.4.1", f"{unit} is a Fortress Garrison and does not leave its fortress or complex")


# --- the ground -------------------------------------------------------------------------------------------------------


def prices_of_way(facts: Gather, chart: Chart) -> Prices:
    """The prices of the steps of a way: what they rest on and is not stated is asked for; that nothing lies on a hexside
    of which nothing is stated, and no road leads over it, is taken for granted.
    """

    def price(here: str, there: str) -> Price:
        view = facts.view
        if there in HALF_HEXES:
            return Price(HALF_HEX)
        over = lying_over(facts, here, there)
        name = hexside(here, there)
        if view.fact("barrier", name) is None:
            assume_bare(view, [name])
        return chart.price(Crossing(lying(view, here), over, lying(view, there)))

    return price


def crossings_of_map(view: View) -> Crossings:
    """The steps of the map, compiled into kinds, once for a view: what is not stated of a hexside is nothing, and terrain
    that is not stated has no price.
    """

    def compiled(known: Crossings | None, apart: Apart) -> Crossings:
        near = {hex for name in apart.hexsides for hex in name.split("|")} | set(apart.hexes)
        return compile_crossings(
            view.board.in_order,
            view.board.neighbours,
            partial(lying, view),
            partial(lying_over, view),
            known,
            near,
        )

    return view.kept("steps of marches", compiled)


def prices_of_map(view: View, chart: Chart) -> Prices:
    """The prices of all steps of the map, each kind priced once."""
    crossings = crossings_of_map(view)
    number, layout, kinds = crossings.number, crossings.layout, crossings.kinds
    by_kind = Worked[int, Price](lambda kind: chart.price(kinds[kind]))
    by_hex = dict[int, Mapping[int, int]]()

    def price(here: str, there: str) -> Price:
        start, end = number[here], number[there]
        ways = by_hex.get(start)
        if ways is None:
            by_hex[start] = ways = dict(zip(layout.around.of(start), crossings.steps.of(start), strict=True))
        return by_kind[ways[end]]

    return price
