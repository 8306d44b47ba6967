"""The stated ground of a march, and its cost on the owner's chart (8.1)."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from typing import Any

from assistant.asking import Gather, Step, View, step
from assistant.asking.asks import Ask, ask_for_fact
from assistant.mechanics.crossings import Crossing, Ground
from assistant.state.points import format_points
from assistant.state.state import Cell, hexside

from ..terms import HALF_HEXES
from . import calendar
from .costs import (
    BRIDGES,
    HALF_HEX_COST_HALVES,
    RIVERS,
    ROADWAYS,
    WEATHER_TABLES,
    Cost,
    Passage,
    Price,
    facts_needed,
    parts_of_price,
    price_passage,
    table_in_force,
)
from .hexsides import TRACKS, between, bridge

COST_CHART = "terrain-cost"
"""The name of the owner's chart of terrain costs."""
HALVES_PER_POINT = 2
"""The number of halves in a Movement Point."""
PROHIBITED = "prohibited"
ANY_ROAD = "road"
"""The feature of a road not shown as primary or secondary."""
RAIL = "rail"
RAILS = ("rail1", "rail2")
"""The features of single-track and double-track RR lines."""


def format_halves(halves: int) -> str:
    """Format halves of a Movement Point as Movement Points."""
    return format_points(Fraction(halves, HALVES_PER_POINT))


def lying(facts: View | Gather, hex: str) -> Ground:
    """Return the ground of a hex that decides its cost."""
    return (("terrain", facts.word("terrain", hex)), ("half", hex in HALF_HEXES))


def lying_over(view: View, here: str, there: str) -> Ground:
    """Return the features on a hexside that matter to a step across it.

    They include the escarpment beyond it, and the roadways that meet a spur there.
    """
    across = between(view, here, there)
    features = across.lies
    road = across.word("road")
    rail = across.word("rail")
    crossing = ""
    if RIVERS & features:
        crossing = (
            "bridge" if bridge(across) and across.linked else _known_crossing(view, across.name, linked=across.linked)
        )
    ways = {road} if road in (ANY_ROAD, *ROADWAYS) else set()
    if rail in RAILS:
        ways.add("rail")
    to_spur = crossing in ("ferry", "pontoon") and not ways
    beyond = "escarpment" in features
    unstated = {
        "crossing": RIVERS & features and not across.linked and view.fact("crossing", across.name) is None,
        "escarpment": beyond and view.fact("escarpment", there) is None,
    }
    return (
        ("lies", tuple(sorted(features))),
        ("crossing", crossing),
        ("causeway", view.flag("causeway", across.name)),
        ("unstated", tuple(track for track, lacks in unstated.items() if lacks)),
        ("ways", tuple(sorted(spur_ways(view, across.name, there) if to_spur else ways))),
        ("escarpment", beyond and view.flag("escarpment", there)),
        ("ways back", tuple(sorted(spur_ways(view, across.name, here) if to_spur else ways))),
        ("escarpment back", beyond and view.flag("escarpment", here)),
    )


def _known_crossing(view: View, over: str, *, linked: bool) -> str:
    """Return the known crossing of a river, or "".

    `linked`: whether a road that ends at a ferry leads there.
    """
    word = view.word("crossing", over)
    if word in BRIDGES:
        return word
    return "ferry" if linked else ""


def spur_ways(view: View, over: str, there: str) -> set[str]:
    """Return the roadways of a hex that a ferry or pontoon bridge with a spur leads to, on either bank.

    Units pay the rate of these roadways. If no spur is stated, the assumption that there is none is noted.

    Rule: 8.1.3b
    """
    roads = {str(view.value("road", hexside(there, near))) for near in view.board.neighbours(there)}
    roads &= {*ROADWAYS, ANY_ROAD}
    if not roads or not view.granted("spur", over, False, "8.1.3", "{hexsides} assumed to have no spur (not stated)"):
        return set()
    return roads


def _passage_of(kind: Crossing, back: str = "") -> Passage:
    """Return a kind of step in plain values.

    `back`: " back" for the way back, or "".
    """
    enters = dict[str, Any](kind.leaves if back else kind.enters)
    over = dict[str, Any](kind.over)
    return Passage(
        enters["terrain"],
        frozenset(over["lies"]),
        frozenset(over[f"ways{back}"]),
        over["crossing"],
        over[f"escarpment{back}"],
        over["causeway"],
        enters["half"],
        frozenset() if back else frozenset(over["unstated"]),
    )


def roads_of_one_bank(there: Passage, back: Passage) -> frozenset[str]:
    """Return the roadways to a ferry or pontoon bridge if only one bank has a spur.

    `back`: the same step in the other direction.

    Rule: 8.1.3b
    """
    return there.ways | back.ways if not (there.ways and back.ways) else frozenset()


class Chart:
    """The owner's chart, with the table in force.

    Each feature is looked up once, and asked for if its cost is not known.
    """

    def __init__(self, facts: Gather) -> None:
        self._facts = facts
        self._costs = dict[str, Cost]()
        self.lacking = set[str]()
        """The features whose cost is not known."""

    @cached_property
    def _turn(self) -> int:
        return self._facts.integer("turn")

    @cached_property
    def _weather(self) -> str:
        facts = self._facts
        if facts.flag("campaign"):
            return calendar.weather(facts, "freeze", "high-water")
        return "normal"

    @cached_property
    def _left_out(self) -> tuple[Step, ...]:
        return () if self._facts.flag("campaign") else tuple(calendar.weather_left_out(self._facts.view))

    @property
    def table(self) -> str:
        return table_in_force(self._turn, self._weather)

    def freezes(self, passage: Passage) -> bool:
        """Return whether Freeze changes a step.

        The weather is asked for only if minor rivers or wetlands are involved.
        """
        changes = passage.terrain == "wetlands" or "minor-river" in passage.lies
        return changes and self._weather == "freeze"

    def _table_for(self, feature: str) -> str:
        """Return the table that prices a feature.

        The weather is asked for only if its table differs in the feature.
        """
        view = self._facts.view
        possible = calendar.possible_weather(self._turn)
        if len(possible) == 1 or view.state.value("weather") is not None:
            return self.table
        season = calendar.season(self._turn)
        apart = view.quiet_view()
        usual = apart.cell(COST_CHART, season, feature)
        others = [apart.cell(COST_CHART, table_in_force(self._turn, weather), feature) for weather in possible]
        if any(cell and (usual is None or cell.values != usual.values) for cell in others):
            return self.table
        return season

    def cost(self, feature: str) -> Cost:
        """Return the cost of a feature in halves of a Movement Point, or None if it is prohibited or missing."""
        if feature not in self._costs:
            self._costs[feature] = self._of_any_road() if feature == ANY_ROAD else self._look_up(feature)
        return self._costs[feature]

    def _of_any_road(self) -> Cost:
        """Return the cost of a road of unstated kind, which counts as secondary.

        The assumption is noted if the kind matters.
        """
        primary, secondary = map(self.cost, ROADWAYS)
        if primary != secondary:
            self._facts.view.premises.assume(step("8.1.4", "a roadway counts as a secondary road (kind not stated)"))
        return secondary

    def _look_up(self, feature: str) -> Cost:
        """Return the chart's cell for a feature.

        A ruling may limit the weather's table to the features that it changes. Other features then have the season's
        cost.
        """
        if not self._turn:
            self.lacking.add(feature)
            return None
        known = self._known(feature)
        if known is None:
            self.lacking.add(feature)
            self._facts.cell(COST_CHART, self._table_for(feature), feature)
            return None
        value = known.values["cost"]
        return None if value == PROHIBITED else int(Fraction(str(value)) * HALVES_PER_POINT)

    def _known(self, feature: str) -> Cell | None:
        view = self._facts.view
        table = self._table_for(feature)
        season, dearer = WEATHER_TABLES.get(table, ("", frozenset[str]()))
        known = view.cell(COST_CHART, table, feature)
        if known is None and season and feature not in dearer:
            known = view.cell(COST_CHART, season, feature)
            if known is not None:  # the season's cell serves instead, so no cell is missing
                view.premises.missed_cells.pop((COST_CHART, view.cell_key(COST_CHART, table, feature)), None)
        return known

    def _needed(self, ways: frozenset[str]) -> frozenset[str]:
        """Return the ways over a hexside whose cost is needed.

        Beside a road, an RR line is not needed if the owner has entered no cost for one, as a unit may take the road;
        this is noted.
        """
        if RAIL not in ways or not self._turn or not any(self._known(way) for way in ways.intersection(ROADWAYS)):
            return ways
        view = self._facts.view
        missed = {*view.premises.missed_cells}
        if self._known(RAIL) is not None:
            return ways
        for cell in view.premises.missed_cells.keys() - missed:
            del view.premises.missed_cells[cell]
        text = "a step is paid by road where an RR line leads too, of which no cost is typed ({how})"
        view.premises.assume(step("8.1.4", text, how=f"chart {COST_CHART} {self.table} {RAIL} = COST"))
        return ways - {RAIL}

    def price(self, kind: Crossing) -> Price:
        """Return the price of a kind of step, including the way back."""
        if _passage_of(kind).half_hex:
            return Price(HALF_HEX_COST_HALVES)
        for line in self._left_out:
            self._facts.view.premises.assume(line)
        return self._priced(*self._passages(kind))

    def facts_needed(self, kind: Crossing) -> frozenset[str]:
        """Return the unstated facts that decide the cost of a kind of step: `crossing`, `escarpment`, or both."""
        passage = _passage_of(kind)
        if not passage.unstated or passage.half_hex:
            return frozenset()
        return facts_needed(passage, freeze=self.freezes(passage), added=self._added(passage))

    def parts(self, kind: Crossing, by: str) -> tuple[tuple[str, int], ...]:
        """Return the features that make up the price of a step, each with its cost in halves of a Movement Point.

        `by`: "road" or "ground".
        """
        passage, _ = self._passages(kind)
        return parts_of_price(passage, self.cost, by=by, freeze=self.freezes(passage), added=self._added(passage))

    def _passages(self, kind: Crossing) -> tuple[Passage, Passage]:
        """Return a kind of step and the way back in plain values.

        By a ruling the roadway of one bank belongs to both.
        """
        there = _passage_of(kind)
        there = there._replace(ways=self._needed(there.ways))
        back = _passage_of(kind, " back")
        back = back._replace(ways=self._needed(back.ways))
        roads = roads_of_one_bank(there, back)
        matters = bool(roads) and (not there.ways or self._priced(there, back).back_shut)
        if self._facts.view.ruling("ferry-spur", matters) == "terrain":
            return there, back
        return there._replace(ways=roads or there.ways), back._replace(ways=roads or back.ways)

    def _priced(self, there: Passage, back: Passage) -> Price:
        added = self._added(there)
        price = price_passage(there, self.cost, freeze=self.freezes(there), added=added)
        returning = price_passage(back, self.cost, freeze=self.freezes(back), added=added)
        return price._replace(back_shut=returning.shut, back_road=returning.road is not None)

    def _added(self, passage: Passage) -> bool:
        return self._facts.view.ruling("causeway-cost", passage.causeway) == "added"


def terrain_ask(view: View, hex: str) -> Ask:
    """Return the question for the terrain of a hex."""
    return ask_for_fact(view.game.track("terrain"), hex)


def assume_bare(view: View, over: Collection[str]) -> None:
    """Note the assumption that hexsides of a march without stated facts are empty."""
    TRACKS.assume_none(view, over, "8.1.1", "to have nothing that costs Movement Points")
