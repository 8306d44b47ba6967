"""A step of a march: its bars, and its cost for the ground and for enemy zones.

The questions `move`, `reach` and `ezoc` all use it (4.1.4, 6.3, 8.1, 9.3, 13.2, 23.3, 23.4.1).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import chain, pairwise
from typing import Annotated, TypeVar

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, Step, View, holding, note
from assistant.asking.permission import Clause
from assistant.asking.premises import Noted
from assistant.asking.report import fill_from
from assistant.mechanics.crossings import Worked
from assistant.rules.field import HexBar, SideField, side_of
from assistant.rules.field.movement import EnteredHex
from assistant.rules.field.ways import NoWay, bar_of
from assistant.state.differences import Divergence
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import UnitId
from assistant.util.memo import Memo

from ...combat.garrisons import known_inside
from ...concealment.cover import option_of
from ...concealment.rules import bars_of_dummy_step
from ...control.front_line import holder
from ...forces.account import read_account
from ...forces.armies import is_asset_unit, kept_from_enemy
from ...forces.leaders import format_reason_kept, leaves_eighth, may_be_kept
from ...forces.movement_points import UNPINNED_DETACHMENTS, holds_garrison, pinning_enemies
from ...forces.unit import side_shown
from ...forces.units import is_of_fischer
from ...ground.chart import HALVES_PER_POINT, Chart, terrain_ask
from ...ground.costs import (
    HALF_HEX_COST_HALVES,
    PILLAU,
    PILLAU_STRAIT,
    Price,
    congestion,
    crosses_at_pillau,
    fits_causeway,
)
from ...ground.edges import is_at_edge
from ...ground.hexsides import (
    Entry,
    bars_of_entry,
    between,
    do_zones_cross,
    impassable,
    is_outside_bukowina,
    why_closed,
)
from ...leaders.francois import KEEPS_RULE
from ...terms import COMBAT_ARMS, DUMMY, GREAT_RIVERS, HALF_HEXES, KG_TRAIN, ROMANIA
from .prices import Across, PricedMap, Prices, find_crossing
from .zones import StepAmongZones, Zones, areas_of, friends_in

T = TypeVar("T")
V = TypeVar("V")


class Paid(msgspec.Struct, frozen=True):
    """A part of the cost of the ground."""

    what: Annotated[
        str, note("a feature of the Terrain Effects Chart, or a friend in the hex that makes its road dearer")
    ]
    points: Annotated[Fraction, note("the Movement Points")]


class Stepped(EnteredHex, frozen=True, kw_only=True):
    """A hex that units enter, with its cost in halves of a Movement Point."""

    ground: Annotated[Fraction, note("Movement Points for the ground")]
    zones: Annotated[int, note("Movement Points that EZOCs add")] = 0
    spared: Annotated[
        Mapping[UnitId, Fraction], note("Movement Points for EZOCs that a unit does not spend, by unit")
    ] = {}
    by: Annotated[str, note("how the hex is entered: over the ground, or by road along a roadway or RR line")] = (
        "ground"
    )
    made_of: Annotated[
        tuple[Paid, ...], note("the parts of the Movement Points for the ground, empty if not known")
    ] = ()
    why: Annotated[str, note("why EZOCs add Movement Points, empty if they add none")] = ""
    enters_zone: Annotated[bool, note("whether the units enter an EZOC from a hex outside any")] = False

    @property
    def points(self) -> Fraction:
        """The whole cost in Movement Points; units spared a part of it pay less."""
        return Fraction(self.cost, HALVES_PER_POINT)


CROSSING_RULE = "4.1.1a"
"""The rule by which artillery and Corps Trains leave a hex once a combat unit begins to cross a great river into it."""


class Party(msgspec.Struct, frozen=True):
    """Units that make a step together."""

    units: tuple[Unit, ...]
    side: str
    nations: frozenset[str]
    arms: frozenset[str]
    counter: bool = False
    """Whether it is the party's Counter Movement Phase."""

    @property
    def is_alone(self) -> bool:
        """Whether the party is one unit, and so may use roads. Rule: 8.1.4, 8.1c"""
        return len(self.units) == 1


def read_party(facts: Gather, units: Sequence[Unit], *, counter: bool) -> Party:
    """Return units that make a step together, with the facts that decide on it."""
    nations = frozenset(facts.word("nation", unit.id) for unit in units)
    arms = frozenset(facts.word("arm", unit.id) for unit in units)
    return Party(tuple(units), side_of(facts, units[0]), nations, arms, counter)


def bars_of_chart(price: Price, *, is_alone: bool) -> Iterator[Clause]:
    """Yield why the chart prohibits a step.

    Units that move together use no road.

    `is_alone`: whether one unit moves.

    Rule: 8.1.1b, 8.1.4
    """
    text = "the Terrain Effects Chart prohibits the move there, or the move back"
    yield price.prohibits(moves_alone=True), "8.1.1", text
    yield (
        not is_alone and price.prohibits(moves_alone=False),
        "8.1.1",
        "the Terrain Effects Chart prohibits the move there, or the move back, to units that move together: each "
        "alone may use the road",
    )


def steps_against_edge(view: View, hex: str) -> list[Step]:
    """Return why units in a hex may not leave the map over its edge.

    Rule: 1.2.2
    """
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


def counts_for_causeway(facts: Gather, units: Sequence[Unit]) -> tuple[int, int, int]:
    """Return the number of divisions, brigades and Asset Units among units that cross a causeway.

    A Corps Train counts as an Asset Unit or not at all, by ruling causeway-trains.

    Rule: 8.1.6
    """
    trains = [unit for unit in units if facts.word("arm", unit.id) == "corps-train"]
    if facts.view.ruling("causeway-trains", bool(trains)) == "free":
        units = [unit for unit in units if unit not in trains]
    units = [unit for unit in units if unit.id not in facts.view.decoys]
    sizes = ["" if is_asset_unit(facts, unit.id) else facts.word("size", unit.id) for unit in units]
    divisions = sizes.count("XX")
    brigades = sizes.count("X")
    return divisions, brigades, len(sizes) - divisions - brigades


CROSSED_WORDS = ("divisions", "brigades", "assets")
"""The keys of the amounts in the track `crossed`."""


def causeway_counts(facts: Gather, over: str, units: Sequence[Unit]) -> tuple[int, int, int]:
    """Return the divisions, brigades and Asset Units that have crossed a causeway in the phase after a step.

    A unit counts once, however often it crosses.

    Rule: 8.1.6
    """
    before = facts.amounts("crossed", over)
    crossed = {unit.id: pairwise(read_account(facts, unit.id).passed) for unit in units}
    new = [unit for unit in units if not any(hexside(here, there) == over for here, there in crossed[unit.id])]
    divisions, brigades, assets = counts_for_causeway(facts, new)
    return (
        divisions + int(before.get("divisions", 0)),
        brigades + int(before.get("brigades", 0)),
        assets + int(before.get("assets", 0)),
    )


Onward = tuple[str, int]
"""The hex that a step enters, and 1 if a zone was entered before, else 0."""


def hexes_affected(view: View, divergence: Divergence) -> set[str]:
    """Return the hexes whose steps may change: units, zones and roads affect steps up to two hexes away."""
    hexes = {*divergence.hexes}
    for _ in range(2):
        hexes = hexes.union(*map(view.board.neighbours, hexes))
    return hexes


def _keep_known_steps(view: View, memo: Memo[Hashable, dict[str, dict[T, V]]], kind: Hashable) -> dict[str, dict[T, V]]:
    """Return the judged steps of a kind of party by the hex that they leave.

    Entries from the previous view are kept where nothing has changed.

    `kind`: the kind of the party.
    """

    def untouched(known: dict[str, dict[T, V]] | None, divergence: Divergence) -> dict[str, dict[T, V]]:
        table = dict(known or {})
        if table:
            for hex in hexes_affected(view, divergence):
                table.pop(hex, None)
        return table

    return view.memo(memo, kind, untouched)


_JUDGED: Memo[Hashable, dict[str, dict[Onward, Stepped | HexBar]]] = Memo()
"""The judged steps by kind of party."""
_NOTED: Memo[Hashable, dict[str, dict[Onward, Noted]]] = Memo()
"""The facts and assumptions of each judged step, to be repeated in reports."""


def _find_pin(facts: Gather, party: Party, here: str) -> HexBar | None:
    """Return the bar to a party in which Prepared Attack markers at its hex keep a unit there, or None.

    Rule: 6.4.4, 8.4.2
    """
    for unit in party.units if party.counter else ():
        enemies = pinning_enemies(facts, unit, here)
        text = "{unit} may not leave {hex}: Prepared Attack markers of {enemies} point at it"
        clause = enemies and unit.id not in UNPINNED_DETACHMENTS, "8.4.2", text
        for pin in holding([clause], unit=unit.id, hex=here, enemies=enemies):
            return HexBar(pin.rule, pin.text)
    return None


class Judge:
    """A judge of the steps of a party: their bars and their costs.

    On a map priced as a whole, each kind of step is judged only once.

    `around`: the field as the party's side sees it.
    `zones`: the enemy zones.
    `prices`: the prices of the ground, or None if the ground costs nothing.
    """

    def __init__(
        self, facts: Gather, around: SideField, zones: Zones, party: Party, prices: Prices | PricedMap | None = None
    ) -> None:
        view = facts.view
        self.facts = facts
        self.around = around
        self.zones = zones
        self.party = party
        self.map = prices if isinstance(prices, PricedMap) else None
        self.prices = None if isinstance(prices, PricedMap) else prices
        self.friends = cache(partial(friends_in, facts, party.units, party.side))
        """The friends of the party in a hex."""
        self.bar_of_leaving_hex = cache(partial(_find_pin, facts, party))
        """The bar to a party that Prepared Attack markers keep in a hex, or None."""
        self.garrisons = [unit for unit in party.units if holds_garrison(facts, unit)]
        self.fischer = any(is_of_fischer(unit.id, view.word("corps", unit.id)) for unit in party.units)
        self.rumour = DUMMY in party.arms
        self.kept = [unit for unit in party.units if may_be_kept(facts, unit)]
        self.areas = areas_of(view, party.units)
        self.is_bound = any(self.areas.values())
        """Whether the area of an army of the party is stated, which bars hexes outside it next to enemies."""
        self.exact = Worked[int, Fraction](lambda halves: Fraction(halves, HALVES_PER_POINT))
        """Converts halves of a Movement Point into Movement Points."""
        self._may_hold = party.counter or bool(self.garrisons) or bool(self.kept) or self.rumour
        self._own = {str(unit.place) for unit in party.units}
        self._judged = dict[str, dict[Onward, Stepped | HexBar]]()
        self._noted = dict[str, dict[Onward, Noted]]()
        if self.map:
            self._judged = _keep_known_steps(view, _JUDGED, self.kind)
            self._noted = _keep_known_steps(view, _NOTED, self.kind)

    @cached_property
    def kind(self) -> Hashable:
        """The properties of the party that decide its steps, other than garrisons, markers and causeways."""
        party = self.party
        areas = frozenset((army, own) for army, own in self.areas.items() if own is not None)  # others bar nothing
        units = party.side, party.nations, party.arms, party.counter, party.is_alone
        return (*units, areas, self.fischer, self.zones.fled)

    def enter(self, here: str, there: str, entered: int) -> Stepped | HexBar:
        """Return the next hex with its cost, or the bar to it.

        `entered`: 1 if a zone was entered before in the move, else 0.
        """
        if self._may_hold:
            held = MarchStep(self, here, there).find_bar_to_some()
            if held:
                return held
        if self.map is None or there in self._own:  # not shared, as other units would find the party there as friends
            return MarchStep(self, here, there, entered).judge()
        known = self._judged.get(here)
        onward = (there, entered)
        if known is None or onward not in known:
            return self._judge_for_all(MarchStep(self, here, there, entered))
        if self._noted and here in self._noted and onward in self._noted[here]:
            self.facts.view.premises.note_again(self._noted[here][onward])
        return known[onward]

    def _judge_for_all(self, step: MarchStep) -> Stepped | HexBar:
        """Judge a step for all units of this kind.

        The result is stored unless it depends on causeways or missing facts.
        """
        judged, noted = self.facts.view.premises.note(step.judge)
        if not (step.over.causeway or isinstance(judged, NoWay) or (self.map and self.map.lacking)):
            onward = (step.there, step.entered)
            self._judged.setdefault(step.here, {})[onward] = judged
            if any(noted):
                self._noted.setdefault(step.here, {})[onward] = noted
        return judged


class MarchStep:
    """A step of a march.

    `by`: the judge of the party.
    `here`, `there`: the hexes left and entered.
    `entered`: 1 if a zone was entered before in the move, else 0.
    """

    def __init__(self, by: Judge, here: str, there: str, entered: int = 0) -> None:
        self.by = by
        self.here = here
        self.there = there
        self.entered = entered
        self.over = by.map.across(here, there) if by.map else self._read_over()

    def judged_by(self, by: Judge) -> MarchStep:
        """Return the same step for another judge of the party."""
        return MarchStep(by, self.here, self.there, self.entered)

    # properties of the step

    def _read_over(self) -> Across:
        """Return the kind of the hexside, on a map that is not priced as a whole.

        With prices, uncrossable rivers and high mountains are left to the chart.
        """
        by, view = self.by, self.by.facts.view
        shut = (impassable if by.prices is None else why_closed)(between(view, self.here, self.there))
        return Across(0, shut, view.flag("causeway", hexside(self.here, self.there)))

    @property
    def shut(self) -> str:
        """The feature of the hexside that bars the party, in words, or "".

        A causeway is never barred, nor is the strait at Pillau if the party may cross there.
        """
        by, nations, shut = self.by, self.by.party.nations, self.over.shut
        if not shut or self.over.causeway:
            return ""
        strait = hexside(self.here, self.there) == PILLAU_STRAIT and nations == {"german"}
        crosses = strait and crosses_at_pillau(PILLAU_STRAIT, nations, holder(by.facts, by.around, PILLAU))
        return "" if crosses else shut

    @property
    def is_romanian(self) -> bool:
        known = self.by.map.countries[self.there] if self.by.map else self.by.facts.view.word("country", self.there)
        return known == ROMANIA

    @property
    def controlled(self) -> bool:
        """Whether the side of the party controls the next hex."""
        return holder(self.by.facts, self.by.around, self.there) == self.by.party.side

    @property
    def crosses_river(self) -> bool:
        """Whether the step crosses a great river."""
        return bool(GREAT_RIVERS & between(self.by.facts.view, self.here, self.there).lies)

    @property
    def first_to_leave(self) -> str:
        """The artillery and Corps Trains that leave the next hex before a combat unit enters it, or "".

        They are alone in the hex. They leave when the combat unit becomes adjacent or, over a great river, when it
        begins to cross.

        Rule: 4.1.1a
        """
        if self.there not in self.by.zones.enemies or self.by.party.arms.isdisjoint(COMBAT_ARMS):
            return ""
        if not (self.crosses_river or do_zones_cross(between(self.by.facts.view, self.here, self.there))):
            return ""
        units = [unit.id for unit in self.by.facts.view.stack(self.there)]
        leave = self._read_arms_there() <= {"artillery", "corps-train"} and KG_TRAIN not in units
        return ", ".join(units) if leave else ""

    @property
    def holds_enemies(self) -> bool:
        """Whether enemies are in the next hex that do not leave before the party enters. Rule: 8.0"""
        return self.there in self.by.zones.enemies and not self.first_to_leave

    def _read_arms_there(self) -> set[str]:
        facts = self.by.facts
        return {facts.word("arm", unit.id) for unit in facts.view.stack(self.there)}

    @property
    def army_outside(self) -> str:
        """The army of the party that may not enter the next hex, or "".

        The hex is adjacent to an enemy and outside the army's area.
        """
        near = self.by.around.next_to_enemy(self.there)
        kept = (army for army, own in self.by.areas.items() if kept_from_enemy(self.there, own, next_to_enemy=near))
        return next(kept, "")

    @property
    def garrison_kept(self) -> str:
        """The Fortress Garrison that would leave its fortress or complex, or "" if none would."""
        units = self.by.garrisons
        kept = (unit.id for unit in units if not known_inside(self.by.facts, str(unit.place), self.there))
        return next(kept, "")

    @cached_property
    def among_zones(self) -> list[StepAmongZones]:
        """The possible readings of the step among enemy zones.

        If friends in the next hex are in Rail Mode, the second reading leaves them out.
        """
        by, in_zones = self.by, self.by.zones.hexes
        leaves = bool(self.entered) and self.here in in_zones and self.there not in in_zones
        paid = leaves and by.facts.view.ruling("ezoc-leaving") == "once"
        friends, party = by.friends(self.there), by.party
        step = StepAmongZones(self.here, self.there, by.zones, friends, party.arms, party.counter, paid)
        return [step, step._replace(friends=replace(friends, combat=False))] if friends.by_rail else [step]

    def _choose(self, readings: Sequence[T]) -> T:
        """Return the result for the reading that the ruling on friends in Rail Mode selects.

        The report names the ruling only if the results differ.
        """
        counted, left_out = readings[0], readings[-1]
        same = counted == left_out
        return counted if same or self.by.facts.view.ruling("rail-mode-friend") == "counts" else left_out

    # bars

    def find_bar_to_some(self) -> HexBar | None:
        """Return the bar to individual units of the party, or None."""
        held = self.by.bar_of_leaving_hex(self.here) or self._first(self.bars_to_some())
        return held or (self._find_bar_of_dummy() if self.by.rumour else None)

    def find_bar_to_all(self) -> HexBar | None:
        """Return the bar to the next hex for all parties of this kind, or None.

        The order is: the map and the enemies in the hex, zones, the army's area, and enemies that leave the hex first.
        """
        entry = Entry(self.there, self.by.party.nations, self.holds_enemies, self.shut)
        closed = self._first(chain(bars_of_entry(entry), self.bars_of_map())) or self.find_bar_of_zones()
        if closed or not (self.by.is_bound or self.there in self.by.zones.enemies):
            return closed
        return self._first(chain(self.bars_of_area(), self.bars_of_leaving()))

    def _first(self, clauses: Iterable[Clause]) -> HexBar | None:
        for holds, rule, why in clauses:
            if holds:
                return HexBar(rule, fill_from(why, self) if "{" in why else why)
        return None

    def bars_to_some(self) -> Iterator[Clause]:
        """Yield the bars to only some units of the party. Rule: 12.4.1"""
        for unit in self.by.kept:
            yield leaves_eighth(self.by.facts, unit, self.there), KEEPS_RULE, format_reason_kept(unit.id)
        text = "{garrison_kept} is a Fortress Garrison and does not leave its fortress or complex"
        yield self.garrison_kept, "12.4.1", text

    def _find_bar_of_dummy(self) -> HexBar | None:
        """Return the bar to a dummy, or None.

        Enemies nearby or enemy control of the next hex can bar it.
        """
        if self.there in self.by.around.enemies:
            return None
        near = self.by.around.next_to_enemy(self.there)
        option = option_of(self.by.facts.view)
        return bar_of(bars_of_dummy_step(option, controlled=near or self.controlled, next_to_enemy=near))

    def bars_of_map(self) -> Iterator[Clause]:
        """Yield the bars of causeways, Romania and Fischer's province, unless enemies must leave the hex first."""
        if not self.first_to_leave:
            if self.over.causeway:
                yield from self.bars_of_causeway()
            if self.is_romanian:
                yield from self.bars_of_romania()
            elif self.by.fischer:
                yield from self.bars_of_fischer()

    def bars_of_causeway(self) -> Iterator[Clause]:
        """Yield why the party may not cross a causeway.

        Rule: 8.1.6
        """
        controls = self.controlled
        yield not controls, "8.1.6", "its side does not control {there}, at the end of the causeway"
        counts = causeway_counts(self.by.facts, hexside(self.here, self.there), self.by.party.units)
        yield not fits_causeway(*counts), "8.1.6", "too many units would cross the causeway in this phase"

    def bars_of_romania(self) -> Iterator[Clause]:
        """Yield why a hex in Romania is barred.

        Rule: 1.2.2
        """
        refused = self.by.facts.view.ruling("off-map-move") == "refused"
        yield refused, "1.2.2", "it lies in Romania, which is off the map"

    def bars_of_fischer(self) -> Iterator[Clause]:
        """Yield why the units of Fischer may not leave their province.

        The half-hexes are open: they lead to the Holding Box, where these units may be.

        Rule: 23.3
        """
        outside = self.there not in HALF_HEXES and is_outside_bukowina(self.by.facts.word("province", self.there))
        yield outside, "23.3", "the units of Fischer stay in Bukowina or its Holding Box"

    def find_bar_of_zones(self) -> HexBar | None:
        """Return the bar by enemy zones, or None; an EZOC does not bar a half-hex (23.4.1)."""
        zones = self.by.zones
        if self.there in HALF_HEXES or (self.there not in zones.hexes and self.there not in zones.strong):
            return None
        return self._choose([bar_of(reading.bars()) for reading in self.among_zones])

    def bars_of_area(self) -> Iterator[Clause]:
        """Yield why an army may not enter a hex adjacent to enemies.

        Rule: 6.3.1b
        """
        outside = self.army_outside
        yield outside, "6.3.1", "it is adjacent to an enemy and outside the Area of Attachment of {army_outside}"

    def bars_of_leaving(self) -> Iterator[Clause]:
        """Yield a bar for each enemy that must leave the hex before it is entered. Rule: 4.1.1a"""
        leaves = self.first_to_leave
        text = "{first_to_leave} must first leave the hex (ask displace), as the crossing begins"
        yield leaves and self.crosses_river, "4.1.1a", text
        text = "{first_to_leave} must first leave the hex (ask displace), as a combat unit is adjacent to it"
        beside = leaves and not self.crosses_river
        guns = beside and "artillery" in self._read_arms_there()
        yield guns, "9.5.1", text
        yield beside and not guns, "9.8.1", text

    # costs

    def enter(self) -> Stepped | HexBar:
        """Return the next hex with its cost, or the bar to it."""
        return self.by.enter(self.here, self.there, self.entered)

    def judge(self) -> Stepped | HexBar:
        """Return the entered hex with its cost or its bar, without the bars to individual units."""
        barred = self.find_bar_to_all()
        if barred and barred.rule != CROSSING_RULE:
            return barred
        crossing = self.pay()
        return crossing if barred is None or isinstance(crossing, HexBar) else barred

    def begin(self, outcome: Stepped | HexBar) -> Stepped | None:
        """Return the step that units begin and pay for, or None if it is barred.

        Units also begin to cross a great river toward artillery and Corps Trains, which leave the hex only then.

        `outcome`: the result of `judge` or `enter`.

        Rule: 4.1.1a
        """
        crossing = self.pay() if isinstance(outcome, HexBar) and outcome.rule == CROSSING_RULE else outcome
        return None if isinstance(crossing, HexBar) else crossing

    def pay(self) -> Stepped | HexBar:
        """Return the next hex with its cost, or the bar of its ground; units there are ignored."""
        by, is_alone = self.by, self.by.party.is_alone
        price = by.map.price(self.over.kind) if by.map else by.prices and by.prices(self.here, self.there)
        if price is None:
            return self.enter_for(0)
        if prohibited := bar_of(bars_of_chart(price, is_alone=is_alone)):
            return prohibited
        cheapest = price.cheapest(self._count_crowd(price), moves_alone=is_alone)
        if cheapest is None:
            if by.facts.view.fact("terrain", self.there) is None:
                by.facts.ask(terrain_ask(by.facts.view, self.there))
            return NoWay("", "its ground is not stated")
        return self.enter_for(cheapest, "ground" if cheapest == price.off else "road")

    def enter_for(self, ground: int, entered_by: str = "ground") -> Stepped:
        """Return the next hex, with the costs of its ground and zones.

        `ground`: the cost of the ground, in halves of a Movement Point.
        `entered_by`: "ground" or "road".
        """
        in_zones = self.by.zones.hexes
        extra, why = self.surcharge
        return Stepped(
            hex=self.there,
            cost=ground + extra * HALVES_PER_POINT,
            ground=self.by.exact[ground],
            zones=extra,
            by=entered_by,
            why=why,
            enters_zone=self.there in in_zones and self.here not in in_zones,
        )

    @property
    def surcharge(self) -> tuple[int, str]:
        """The Movement Points that zones add, and the reason, or 0 and ""."""
        in_zones = self.by.zones.hexes
        if self.there in HALF_HEXES or not (self.here in in_zones or self.there in in_zones):
            return 0, ""
        return self._choose([reading.surcharge for reading in self.among_zones])

    def _count_crowd(self, price: Price) -> int:
        """Return the cost of a road that friends in the next hex add, in halves of a Movement Point.

        Returns 0 if it cannot matter.
        """
        if not self.by.party.is_alone or price.road is None or (price.off is not None and price.off <= price.road):
            return 0
        return int(sum(paid.points for paid in self.crowding()) * HALVES_PER_POINT)

    def crowding(self) -> list[Paid]:
        """Return the Movement Points that each friend in the next hex adds to its entry by road.

        A ruling decides on friends in Rail Mode.
        """
        facts, party = self.by.facts, self.by.party
        there = [unit for unit in facts.view.stack(self.there) if unit not in party.units]
        friends = [unit for unit in there if side_of(facts, unit) == party.side]
        by_rail = [unit.id for unit in friends if facts.flag("entrained", unit.id)]
        adds = {unit.id: congestion([_find_crowd(facts, unit)]) for unit in friends}
        counted = facts.view.ruling("rail-mode-road", any(adds[unit] for unit in by_rail)) == "counted"
        return [Paid(unit, points) for unit, points in adds.items() if points and (counted or unit not in by_rail)]

    def with_ground(self, stepped: Stepped, chart: Chart) -> Stepped:
        """Return the entered hex with the parts of its ground cost."""
        parts: Iterable[tuple[str, int]] = [("half-hex", HALF_HEX_COST_HALVES)]
        if self.there not in HALF_HEXES:
            parts = chart.parts(find_crossing(self.by.facts.view, self.here, self.there), stepped.by)
        made_of = [Paid(feature, Fraction(halves, HALVES_PER_POINT)) for feature, halves in parts]
        if sum(paid.points for paid in made_of) < stepped.ground:
            made_of += self.crowding()
        return replace(stepped, made_of=tuple(made_of))


def _find_crowd(facts: Gather, unit: Unit) -> tuple[str, str, bool]:
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id) if arm == "infantry" else ""
    return arm, size, size == "XX" and side_shown(facts, unit.id) != "front"
