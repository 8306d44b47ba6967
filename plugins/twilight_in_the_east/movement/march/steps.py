"""The step of a march from a hex into the next: what bars it, and what it costs, the ground and the zones apart. One
judge for `move`, `reach` and `ezoc` (4.1.4, 6.3, 8.1, 9.3, 13.2, 23.3, 23.4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, Step, View, holding, note
from assistant.asking.permission import Clause
from assistant.asking.premises import Noted
from assistant.mechanics.crossings import Worked
from assistant.rules.field import HexBar, SideField, side_of
from assistant.rules.field.movement import EnteredHex
from assistant.rules.field.ways import NoWay, bar_of
from assistant.state.differences import Divergence
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import UnitId
from assistant.util.memo import Memo

from ...combat.garrisons import garrison_move, known_inside
from ...concealment.cover import option_of
from ...concealment.rules import bars_of_dummy_step
from ...control.front_line import holder
from ...forces.account import read_account
from ...forces.armies import is_asset_unit
from ...forces.leaders import format_reason_kept, leaves_eighth, may_be_kept
from ...forces.movement_points import pinning_enemies
from ...forces.unit import side_shown
from ...forces.units import is_of_fischer
from ...ground.chart import STEP, terrain_ask
from ...ground.costs import PILLAU, PILLAU_STRAIT, Price, congestion, crosses_at_pillau, fits_causeway
from ...ground.edges import is_at_edge
from ...ground.hexsides import Entry, bar_of_province, between, do_zones_cross, entry_bar, impassable, why_closed
from ...leaders.francois import KEEPS
from ...terms import COMBAT_ARMS, DUMMY, GREAT_RIVERS, HALF_HEXES, KG_TRAIN, ROMANIA
from .movers import holds_garrison
from .prices import PricedMap, Prices
from .zones import Friends, Zones, areas_of, bar_of_area, bars_of_zones, friends_in, surcharge

T = TypeVar("T")
V = TypeVar("V")


class Paid(msgspec.Struct, frozen=True):
    """What a part of the ground costs."""

    what: Annotated[
        str, note("a feature of the Terrain Effects Chart, or a friend in the hex that makes its road dearer")
    ]
    points: Annotated[Fraction, note("its Movement Points")]


class Stepped(EnteredHex, frozen=True, kw_only=True):
    """A hex that units enter. Its cost is in halves of a Movement Point."""

    ground: Annotated[Fraction, note("Movement Points for the ground")]
    zones: Annotated[int, note("Movement Points that EZOCs add")] = 0
    spared: Annotated[
        Mapping[UnitId, Fraction], note("of these, what each unit that does not spend all of them is spared")
    ] = {}
    by: Annotated[str, note("how the hex is entered: over the ground, or by road along a roadway or RR line")] = (
        "ground"
    )
    made_of: Annotated[
        tuple[Paid, ...], note("what the Movement Points for the ground are made of, empty if not known")
    ] = ()
    why: Annotated[str, note("why EZOCs add Movement Points, empty if they add none")] = ""
    enters_zone: Annotated[bool, note("whether the units enter an EZOC from a hex outside any")] = False

    @property
    def points(self) -> Fraction:
        """What it costs in all, in Movement Points, at most."""
        return Fraction(self.cost, STEP)


CROSSING = "4.1.1a"
"""The rule by which artillery and Corps Trains leave a hex as a combat unit begins to cross a great river into it."""


class FirstLeave(HexBar):
    """Enemies who leave the hex before it is entered, so that it is barred only until they have."""


class Party(msgspec.Struct, frozen=True):
    """Units that make a step together."""

    units: tuple[Unit, ...]
    side: str
    nations: frozenset[str]
    arms: frozenset[str]
    counter: bool = False
    """Whether it is their Counter Movement Phase."""

    @property
    def alone(self) -> bool:
        """Whether it is one unit, which may use roads. Rule: 8.1.4, 8.1c"""
        return len(self.units) == 1


def read_party(facts: Gather, units: Sequence[Unit], *, counter: bool) -> Party:
    """Return units that make a step together, in plain values. counter: as in `Party`."""
    nations = frozenset(facts.word("nation", unit.id) for unit in units)
    arms = frozenset(facts.word("arm", unit.id) for unit in units)
    return Party(tuple(units), side_of(facts, units[0]), nations, arms, counter)


def holds_enemies(hex: str, enemies: Collection[str]) -> bool:
    """Return whether enemies, of whatever kind, keep units from a hex. enemies: the hexes where they stand. Rule: 8.0"""
    return hex in enemies


def _bar_of_step(there: str, nations: Collection[str], enemies: Collection[str], shut: str) -> HexBar | None:
    """Return what closes the next hex to units that move, None if nothing in the one table does.

    nations: of the units; enemies: the hexes where enemies stand; shut: what stops everybody, in words.
    """
    return entry_bar(Entry(there, nations, holds_enemies(there, enemies), shut))


def bar_of_chart(price: Price, *, alone: bool) -> HexBar | None:
    """Return what the chart prohibits to a unit, or to units that move together, which use no road. alone: whether it is
    one unit. Rule: 8.1.1b, 8.1.4
    """
    to_all = price.prohibits(alone=True)
    clauses = (
        (to_all, "8.1.1", "the Terrain Effects Chart prohibits the move there, or the move back"),
        (
            not (to_all or alone) and price.prohibits(alone=False),
            "8.1.1",
            "the Terrain Effects Chart prohibits the move there, or the move back, to units that move together: each "
            "alone may use the road",
        ),
    )
    return bar_of(clauses)


def bar_of_leaving(country: str, reading: str) -> HexBar | None:
    """Return what keeps units from leaving the map for Romania. reading: ruling off-map-move. Rule: 1.2.2"""
    return bar_of([(country == ROMANIA and reading == "refused", "1.2.2", "it lies in Romania, which is off the map")])


def steps_against_edge(view: View, hex: str) -> list[Step]:
    """Return what keeps units in a hex from leaving the map over its edge. Rule: 1.2.2"""
    at_edge = is_at_edge(view, hex)
    clauses = (
        (not at_edge, "1.2.2", "{hex} does not lie at an edge of the map"),
        (
            at_edge and view.ruling("off-map-move") == "refused",
            "1.2.2",
            "units may not move off the map voluntarily; depots and entrained units go by rail (8.2.8)",
        ),
    )
    return holding(clauses, hex=hex)


def _bar_with(clauses: Iterable[Clause], **figures: object) -> HexBar | None:
    """Return what bars a hex by the first of some clauses that holds, with its figures."""
    return next((HexBar(bar.rule, bar.text) for bar in holding(clauses, **figures)), None)


def counts_for_causeway(facts: Gather, units: Sequence[Unit]) -> tuple[int, int, int]:
    """Return how many divisions, brigades and Asset Units some units are at a causeway. A Corps Train is like an Asset
    Unit, or counts for nothing, by ruling causeway-trains. Rule: 8.1.6
    """
    trains = [unit for unit in units if facts.word("arm", unit.id) == "corps-train"]
    if facts.view.ruling("causeway-trains", bool(trains)) == "free":
        units = [unit for unit in units if unit not in trains]
    units = [unit for unit in units if unit.id not in facts.view.decoys]
    sizes = ["" if is_asset_unit(facts, unit.id) else facts.word("size", unit.id) for unit in units]
    divisions = sizes.count("XX")
    brigades = sizes.count("X")
    return divisions, brigades, len(sizes) - divisions - brigades


def _has_crossed(facts: Gather, unit: Unit, over: str) -> bool:
    """Return whether a unit has crossed a hexside before in the phase, by its account."""
    return any(hexside(here, there) == over for here, there in pairwise(read_account(facts, unit.id).passed))


CROSSED = ("divisions", "brigades", "assets")
"""The words of the track `crossed`."""


def causeway_counts(facts: Gather, over: str, units: Sequence[Unit]) -> tuple[int, int, int]:
    """Return how many divisions, brigades and Asset Units have crossed a causeway in the phase once some units have,
    too. Each unit counts once, however often it crosses. Rule: 8.1.6
    """
    before = facts.amounts("crossed", over)
    divisions, brigades, assets = counts_for_causeway(
        facts, [unit for unit in units if not _has_crossed(facts, unit, over)]
    )
    return (
        divisions + int(before.get("divisions", 0)),
        brigades + int(before.get("brigades", 0)),
        assets + int(before.get("assets", 0)),
    )


class MapStep(NamedTuple):
    """What the map makes of a step."""

    kind: int
    """Its number on a map that is priced as a whole, 0 on another."""
    shut: str
    """What stops everybody, in words, "" if nothing does as far as is stated."""
    causeway: bool
    """Whether it leads over a causeway."""
    romanian: bool
    """Whether it leads into Romania."""


Onward = tuple[str, int]
"""The hex that a step enters, and whether a zone was entered before."""


def _find_hexes_beside(view: View, hexes: Collection[str]) -> set[str]:
    """Return some hexes and those adjacent to them."""
    return {*hexes}.union(*map(view.board.neighbours, hexes))


def touched(view: View, apart: Divergence) -> set[str]:
    """Return the hexes of which a step may be another one: units, zones and roads tell on the next hex but one."""
    return _find_hexes_beside(view, _find_hexes_beside(view, apart.hexes))


def _keep_known_steps(view: View, memo: Memo[Hashable, dict[str, dict[T, V]]], kind: Hashable) -> dict[str, dict[T, V]]:
    """Return a table of steps by the hex that is left, of which those stay that are the same in the view `instead` of
    which this one is. kind: of the party.
    """

    def untouched(known: dict[str, dict[T, V]] | None, apart: Divergence) -> dict[str, dict[T, V]]:
        table = dict(known or {})
        if table:
            for hex in touched(view, apart):
                table.pop(hex, None)
        return table

    return view.memo(memo, kind, untouched)


_JUDGED: Memo[Hashable, dict[str, dict[Onward, Stepped | HexBar]]] = Memo()
"""The steps that are judged, by the kind of the party."""
_NOTED: Memo[Hashable, dict[str, dict[Onward, Noted]]] = Memo()
"""What a report says of each of them besides."""


class Judge:
    """Judges the steps of a party: what bars each, and what it costs.

    around: the field as its side sees it; zones: those of enemies; prices: of the ground, None where another source has
    them, or nothing is paid; on a map priced as a whole, equal steps are judged once.
    """

    def __init__(
        self, facts: Gather, around: SideField, zones: Zones, party: Party, prices: Prices | PricedMap | None = None
    ) -> None:
        view = facts.view
        self.facts = facts
        self.around = around
        self.zones = zones
        self.party = party
        self.friends = cache(partial(friends_in, facts, party.units, party.side))
        """Who of its side stands in a hex already."""
        self.bar_of_leaving_hex = cache(self._find_pin)
        """The enemies whose Prepared Attack markers keep the party in a hex."""
        self.garrisons = [unit for unit in party.units if holds_garrison(facts, unit)]
        self._fischer = any(is_of_fischer(unit.id, view.word("corps", unit.id)) for unit in party.units)
        self.rumour = DUMMY in party.arms
        self.kept = [unit for unit in party.units if may_be_kept(facts, unit)]
        self._may_hold = party.counter or bool(self.garrisons) or bool(self.kept) or self.rumour
        self._exact = Worked[int, Fraction](lambda halves: Fraction(halves, STEP))
        self._areas = areas_of(view, party.units)
        self._map = prices if isinstance(prices, PricedMap) else None
        self._prices = None if isinstance(prices, PricedMap) else prices
        self._alone = party.alone
        self._own = {str(unit.place) for unit in party.units}
        self._judged = dict[str, dict[Onward, Stepped | HexBar]]()
        self._noted = dict[str, dict[Onward, Noted]]()
        if self._map:
            self._judged = _keep_known_steps(view, _JUDGED, self.kind)
            self._noted = _keep_known_steps(view, _NOTED, self.kind)

    @cached_property
    def kind(self) -> Hashable:
        """All of the party on which it turns what its steps are, but for garrisons, markers and causeways."""
        party = self.party
        areas = frozenset(self._areas.items())
        units = party.side, party.nations, party.arms, party.counter, party.alone
        return (*units, areas, self._fischer, self.zones.fled)

    def bar(self, here: str, there: str) -> HexBar | None:
        """Return what closes the next hex to the party, whatever its ground costs: first what the map and the enemies
        in the hex do, then zones, then the area of its army.
        """
        return self._held(here, there) or self._closed(here, there, self._step_of_map(here, there))

    def _held(self, here: str, there: str) -> HexBar | None:
        """Return what keeps some units of the party, where others may go."""
        pinned = self.bar_of_leaving_hex(here)
        if pinned:
            return pinned
        for unit in self.kept:
            if leaves_eighth(self.facts, unit, there):
                return HexBar(KEEPS, format_reason_kept(unit.id))
        return self._garrison(there) or (self._dummy(there) if self.rumour else None)

    def _closed(self, here: str, there: str, step: MapStep) -> HexBar | None:
        """Return what closes the next hex to all that are like the party."""
        closed = self._shut(here, there, step)
        if closed and not isinstance(closed, FirstLeave):
            return closed
        return self.bar_of_zones(here, there) or self.bar_of_area(there) or closed

    def _shut(self, here: str, there: str, step: MapStep) -> HexBar | None:
        """Return what the map and the enemies in the next hex close, the step being read."""
        shut = "" if step.causeway or (step.shut and self._strait(here, there)) else step.shut
        closed = _bar_of_step(there, self.party.nations, self.zones.enemies, shut)
        if closed and closed.rule == "4.2":
            first = self._displaced_first(here, there)
            if first:
                return _bar_of_step(there, self.party.nations, (), shut) or first
        if closed:
            return closed
        if step.causeway:
            full = self._causeway(here, there)
            if full:
                return full
        fischer = self._fischer and there not in HALF_HEXES  # these lead to the Box, where it may be
        return self._province(there, romanian=step.romanian) if step.romanian or fischer else None

    def _step_of_map(self, here: str, there: str) -> MapStep:
        """Return what the map makes of a step: where the chart is read, it says itself what ground it prohibits."""
        view = self.facts.view
        if self._map:
            kind, shut, causeway = self._map.across(here, there)
            return MapStep(kind, shut, causeway, self._map.countries[there] == ROMANIA)
        shut = (impassable if self._prices is None else why_closed)(between(view, here, there))
        return MapStep(0, shut, view.flag("causeway", hexside(here, there)), view.word("country", there) == ROMANIA)

    def _strait(self, here: str, there: str) -> bool:
        """Return whether the party may cross at Pillau."""
        over = hexside(here, there)
        may = over == PILLAU_STRAIT and self.party.nations == {"german"}
        return may and crosses_at_pillau(over, self.party.nations, holder(self.facts, self.around, PILLAU))

    def _displaced_first(self, here: str, there: str) -> FirstLeave | None:
        """Return the artillery and Corps Trains alone in a hex, which leave it before a combat unit enters: as it comes
        adjacent, or over a great river as it begins to cross. Rule: 4.1.1a
        """
        over = between(self.facts.view, here, there)
        crossed = bool(GREAT_RIVERS & over.lies)
        if not (crossed or do_zones_cross(over)) or self.party.arms.isdisjoint(COMBAT_ARMS):
            return None
        units = self.facts.view.stack(there)
        arms = [self.facts.word("arm", unit.id) for unit in units]
        if any(arm not in ("artillery", "corps-train") for arm in arms) or any(unit.id == KG_TRAIN for unit in units):
            return None
        if crossed:
            rule, when = CROSSING, "as the crossing begins"
        else:
            rule = "9.5.1" if "artillery" in arms else "9.8.1"
            when = "as a combat unit is adjacent to it"
        names = ", ".join(unit.id for unit in units)
        return FirstLeave(rule, f"{names} must first leave the hex (ask displace), {when}")

    def _find_pin(self, here: str) -> HexBar | None:
        """Return the markers that keep one of the units in a hex."""
        for unit in self.party.units if self.party.counter else ():
            enemies = pinning_enemies(self.facts, unit, here)
            text = "{unit} may not leave {hex}: Prepared Attack markers of {enemies} point at it"
            pinned = _bar_with([(enemies, "8.4.2", text)], unit=unit.id, hex=here, enemies=enemies)
            if pinned:
                return pinned
        return None

    def _garrison(self, there: str) -> HexBar | None:
        """Return what keeps Fortress Garrisons in their fortress or complex."""
        for unit in self.garrisons:
            move = garrison_move(inside=known_inside(self.facts, str(unit.place), there), required=False, can_stay=True)
            text = "{unit} is a Fortress Garrison and does not leave its fortress or complex"
            barred = _bar_with([(move == "barred", "12.4.1", text)], unit=unit.id)
            if barred:
                return barred
        return None

    def _dummy(self, there: str) -> HexBar | None:
        """Return what keeps dummies from a hex: enemies near, and that their side does not control it."""
        if there in self.around.enemies:
            return None
        near = self.around.next_to_enemy(there)
        controlled = near or holder(self.facts, self.around, there) == self.party.side
        bars = bars_of_dummy_step(option_of(self.facts.view), controlled=controlled, next_to_enemy=near)
        return _bar_with(bars)

    def _causeway(self, here: str, there: str) -> HexBar | None:
        """Return what keeps the party from a causeway: control of the hexes, or how many have crossed it. Rule: 8.1.6"""
        controls = holder(self.facts, self.around, there) == self.party.side  # it stands in the other end itself
        clauses = (
            (not controls, "8.1.6", "its side does not control {hex}, at the end of the causeway"),
            (
                controls and not fits_causeway(*causeway_counts(self.facts, hexside(here, there), self.party.units)),
                "8.1.6",
                "too many units would cross the causeway in this phase",
            ),
        )
        return _bar_with(clauses, hex=there)

    def _province(self, there: str, *, romanian: bool) -> HexBar | None:
        """Return what keeps the party out of a country or province. romanian: whether the hex lies in Romania."""
        if romanian:
            return bar_of_leaving(ROMANIA, self.facts.view.ruling("off-map-move"))
        return bar_of_province(self.facts.word("province", there), fischer=True)

    def bar_of_zones(self, here: str, there: str) -> HexBar | None:
        """Return what enemy zones close; not a half-hex, which an EZOC does not close (23.4.1)."""
        if there in HALF_HEXES or (there not in self.zones.every and there not in self.zones.strong):
            return None
        party = self.party
        return self._with_friends(
            there,
            lambda friends: bar_of(bars_of_zones(here, there, self.zones, friends, party.arms, counter=party.counter)),
        )

    def _with_friends(self, there: str, judge: Callable[[Friends], T]) -> T:
        """Return what friends in the next hex make of it; whether combat units in Rail Mode are some is a ruling."""
        friends = self.friends(there)
        counted = judge(friends)
        if not friends.by_rail:
            return counted
        alone = judge(replace(friends, combat=False))
        return counted if self.facts.view.ruling("rail-mode-friend", counted != alone) == "counts" else alone

    def bar_of_area(self, there: str) -> HexBar | None:
        """Return the area of an army, where the hex is adjacent to an enemy."""
        beside = any(self._areas.values()) and self.around.next_to_enemy(there)
        return bar_of_area(self._areas, there, next_to_enemy=beside) if beside else None

    def surcharge(self, here: str, there: str, *, entered: bool) -> tuple[int, str]:
        """Return what zones add to a step, and why. entered: whether a zone was entered before in the move."""
        every = self.zones.every
        leaves = here in every
        enters = there in every
        if there in HALF_HEXES or not (leaves or enters):
            return 0, ""
        paid = entered and leaves and not enters and self.facts.view.ruling("ezoc-leaving") == "once"
        return self._with_friends(there, lambda friends: surcharge(here, there, every, friends, paid=paid))

    def enter(self, here: str, there: str, entered: int) -> Stepped | HexBar:
        """Return the next hex with what it costs, or what bars it. entered: 1 if a zone was entered before in the move."""
        if self._may_hold:
            held = self._held(here, there)
            if held:
                return held
        if self._map is None or there in self._own:  # where it stands itself, others find it as a friend
            return self._judge(here, there, self._step_of_map(here, there), entered)
        onward = (there, entered)
        known = self._judged.get(here)
        if known is None or onward not in known:
            return self._judge_for_all(here, there, entered)
        if self._noted and here in self._noted and onward in self._noted[here]:
            self.facts.view.premises.note_again(self._noted[here][onward])
        return known[onward]

    def _judge_for_all(self, here: str, there: str, entered: int) -> Stepped | HexBar:
        """Return a step that is judged, and known from then on if it is the same for all units like these and nothing
        is missing.
        """
        step = self._step_of_map(here, there)
        judged, noted = self.facts.view.premises.note(lambda: self._judge(here, there, step, entered))
        if not (step.causeway or isinstance(judged, NoWay) or (self._map and self._map.lacking)):
            self._judged.setdefault(here, {})[there, entered] = judged
            if any(noted):
                self._noted.setdefault(here, {})[there, entered] = noted
        return judged

    def _judge(self, here: str, there: str, step: MapStep, entered: int) -> Stepped | HexBar:
        """Return the step as it is for all that are like the party, if nothing holds some of its units."""
        barred = self._closed(here, there, step)
        if barred and barred.rule != CROSSING:
            return barred
        crossing = self._pay(here, there, step, entered)
        return crossing if barred is None or isinstance(crossing, HexBar) else barred

    def pay(self, here: str, there: str, entered: int) -> Stepped | HexBar:
        """Return the next hex with what it costs, whoever is in it, or what bars its ground. entered: as in `enter`."""
        return self._pay(here, there, self._step_of_map(here, there), entered)

    def _pay(self, here: str, there: str, step: MapStep, entered: int) -> Stepped | HexBar:
        """Return the step with what it costs, or what bars its ground."""
        price = None
        if self._map:
            price = self._map.price(step.kind)
        elif self._prices:
            price = self._prices(here, there)
        if price is None:
            return self.stepped(here, there, 0, entered=bool(entered))
        if prohibited := bar_of_chart(price, alone=self._alone):
            return prohibited
        crowd = self._crowd(there, price)
        cheapest = price.cheapest(crowd, alone=self._alone)
        if cheapest is None:
            if self.facts.view.fact("terrain", there) is None:
                self.facts.ask(terrain_ask(self.facts.view, there))
            return NoWay("", "its ground is not stated")
        by = "ground" if cheapest == price.off else "road"
        return self.stepped(here, there, cheapest, by, entered=bool(entered))

    def stepped(self, here: str, there: str, ground: int, by: str = "ground", *, entered: bool) -> Stepped:
        """Return the next hex, with what its ground costs and zones add. ground: in halves of a Movement Point;
        entered: whether a zone was entered before in the move.
        """
        every = self.zones.every
        if there not in every and here not in every:
            return Stepped(hex=there, cost=ground, ground=self._exact[ground], by=by)
        extra, why = self.surcharge(here, there, entered=entered)
        enters = there in every and here not in every
        cost = ground + extra * STEP
        return Stepped(
            hex=there, cost=cost, ground=self._exact[ground], zones=extra, by=by, why=why, enters_zone=enters
        )

    def _crowd(self, there: str, price: Price) -> int:
        """Return the halves of a Movement Point that friends in the next hex add along a road, where that may matter."""
        if not self._alone or price.road is None or (price.off is not None and price.off <= price.road):
            return 0
        facts = self.facts
        return int(congestion(map(partial(_find_crowd, facts), self._friends_by_road(there))) * STEP)

    def _friends_by_road(self, hex: str) -> list[Unit]:
        """Return the friends in a hex that may make its road dearer; whether those in Rail Mode do is a ruling."""
        facts, party = self.facts, self.party
        there = [unit for unit in facts.view.stack(hex) if unit not in party.units]
        friends = [unit for unit in there if side_of(facts, unit) == party.side]
        by_rail = [unit for unit in friends if facts.flag("entrained", unit.id)]
        matters = bool(by_rail) and congestion(map(partial(_find_crowd, facts), by_rail)) > 0
        if facts.view.ruling("rail-mode-road", matters) == "counted":
            return friends
        return [unit for unit in friends if unit not in by_rail]

    def crowding(self, hex: str) -> tuple[Paid, ...]:
        """Return what each friend in a hex that is entered by road adds."""
        each = ((unit.id, congestion([_find_crowd(self.facts, unit)])) for unit in self._friends_by_road(hex))
        return tuple(Paid(name, points) for name, points in each if points)


def _find_crowd(facts: Gather, unit: Unit) -> tuple[str, str, bool]:
    """Return a friend in the way: its arm, size and whether it is a division that shows its reduced side."""
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id) if arm == "infantry" else ""
    return arm, size, size == "XX" and side_shown(facts, unit.id) != "front"
