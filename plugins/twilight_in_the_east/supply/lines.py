"""Supply lines, hex by hex: the cheapest over a drawn board, or one as a player types it (14.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.field.standing import Around
from assistant.mechanics.tracing import CostField, Crossing, Crossings, Ground, compile_crossings, cost_field
from assistant.questions.report import Part, Step, step
from assistant.questions.view import Gather, View
from assistant.util.notes import note

from ..ground import calendar
from ..ground.hexsides import between
from ..terms import GREAT_RIVERS
from .rules import HEX, RAILS, ROADS, Cost, Source, Supply, connected_railway, is_flooded, step_cost, supply_from

LINKS = ("rail", "road", "crossing")


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a supply line."""

    hex: Annotated[str, note("its number")]
    cost: Annotated[Fraction, note("in hexes")]
    sum: Annotated[Fraction, note("what the line has cost up to it")]
    why: Annotated[str, note("what makes the cost")]


class Line(NamedTuple):
    """A supply line as far as it leads.

    start: its first hex; steps: the hexes after it; by_rail: those that it enters along a RR line; barred: why it leads no further,
    "" if it reaches its end.
    """

    start: str
    steps: tuple[LineStep, ...] = ()
    by_rail: tuple[str, ...] = ()
    barred: str = ""

    @property
    def end(self) -> str:
        """The last hex that it reaches."""
        return self.steps[-1].hex if self.steps else self.start

    @property
    def cost(self) -> Fraction:
        """What it costs, in hexes."""
        return self.steps[-1].sum if self.steps else Fraction(0)


def measure(hexes: Sequence[str], costs: Iterable[Cost | str], closed: Collection[str]) -> Line:
    """A line with the running sum of its costs, up to where it is barred.

    costs: of each hex after the first, or why no line leads there; closed: hexes that no line passes.

    Rule: 14.1
    """
    steps: list[LineStep] = []
    by_rail: list[str] = []
    total = 0
    barred = _closed(hexes[0]) if hexes[0] in closed else ""
    for hex, cost in zip(hexes[1:], costs, strict=True):
        if hex in closed or isinstance(cost, str):
            barred = barred or (_closed(hex) if hex in closed else f"into {hex}: {cost}")
            break
        total += cost.quarters
        steps.append(LineStep(hex, Fraction(cost.quarters, HEX), Fraction(total, HEX), cost.why))
        by_rail += [hex] if cost.by_rail else []
    return Line(hexes[0], tuple(steps), tuple(by_rail), barred)


def _closed(hex: str) -> str:
    return f"{hex} is enemy-occupied or in an EZOC"


def judge(view: View, source: Source, line: Line) -> Supply | None:
    """What a source gives along a line, None if it is too far; ruling supply-rounding is looked up only where it may matter."""
    reading = view.ruling("supply-rounding") if line.cost.denominator > 1 else "exact"
    return supply_from(source, int(line.cost * HEX), reading)


def line_part(title: str, line: Line) -> Part:
    """A line, hex by hex, in words."""
    steps = (step("14.1.2", "{hex}: {cost} ({why}), {sum} so far", one) for one in line.steps)
    return Part(title, (Step("14.1.2", "from {hex}", {"hex": line.start}), *steps))


# --- typed lines ------------------------------------------------------------------------------------------------------


def typed_line(facts: Gather, hexes: Sequence[str], around: Around) -> Line:
    """A line as a player types it, along RR lines that he vouches for.

    Rule: 14.1, 4.1.2
    """
    return measure(hexes, [typed_step(facts, here, there) for here, there in pairwise(hexes)], around.closed)


def typed_step(facts: Gather, here: str, there: str) -> Cost | str:
    """The cost of one step of a typed line; terrain, turn and weather are asked for only where they matter.

    Rule: 14.1.2a, 14.1.2b
    """
    over, view = between(facts, here, there), facts.view
    rail, road, crossing = (over.word(track) for track in LINKS)
    by_rail, barrier = rail in RAILS, over.lies
    terrain = view.word("terrain", there) if by_rail else over.enters
    flooded = freeze = False
    if GREAT_RIVERS & barrier and facts.flag("campaign"):
        flooded = is_flooded(calendar.weather(facts, "high-water"), facts.integer("turn"), True)
    if terrain == "wetlands" and road not in ROADS and not by_rail:
        freeze = facts.flag("campaign") and calendar.weather(facts, "freeze") == "freeze"
    return step_cost(terrain, barrier, rail, road, crossing, operational=True, freeze=freeze, flooded=flooded)


# --- a drawn board ----------------------------------------------------------------------------------------------------


class SupplyMap(NamedTuple):
    """A drawn board made ready for tracing, for one side.

    costs: of each kind of crossing, or why it is barred; closed: hexes that no line enters; railway: operational RR hexes linked to
    a friendly map edge; loc: those that EZOCs leave open to a depot's LOC.
    """

    crossings: Crossings
    costs: dict[Crossing, Cost | str]
    railway: frozenset[str]
    loc: frozenset[str]
    closed: frozenset[str]

    def line(self, source: Source, to: str) -> Line | None:
        """The cheapest line from a source to a hex, None if none leads there within its ranges."""
        field = self._field({source.place}, max(source.range, source.extended))
        if to not in field.cost:
            return None
        hexes = field.line(to)
        number = self.crossings.number
        kinds = [dict(self.crossings.ways[number[here]])[number[there]] for here, there in pairwise(hexes)]
        return measure(hexes, [self.costs[self.crossings.kinds[kind]] for kind in kinds], ())

    def nearest_railway(self, to: str, hexes: int) -> str:
        """The linked RR hex from which a line to a hex costs least, "" if none reaches it within so many hexes."""
        field = self._field(self.railway - self.closed, hexes)
        return field.line(to)[0] if to in field.cost else ""

    def _field(self, starts: Collection[str], hexes: int) -> CostField:
        """The cost in quarters of a hex from the nearest start, up to a range and the quarters that may be rounded away."""

        def price(kind: Crossing) -> int | None:
            cost = self.costs[kind]
            return cost.quarters if isinstance(cost, Cost) else None

        sources, limit = dict.fromkeys(sorted(starts), 0), hexes * HEX + 1
        return cost_field(self.crossings, price, sources, closed=self.closed - set(starts), limit=limit)


def compile_map(facts: Gather, around: Around) -> SupplyMap:
    """The crossings of a drawn board with their costs for a side, its linked RR lines and the hexes closed to it.

    Rule: 14.1, 14.1.1
    """
    view = facts.view
    board, side = view.board, around.side
    campaign = facts.flag("campaign")
    weather = calendar.weather(facts, "freeze", "high-water") if campaign else "normal"
    flooded = campaign and is_flooded(weather, facts.integer("turn"), campaign)
    operational = {place for place in board.hexes if view.word("operational", place) == side}
    control = {place: side if place in around.friends else view.word("control", place) for place in board.hexes}

    def ground(place: str) -> Ground:
        terrain = facts.word("terrain", place)
        return (("terrain", terrain), ("operational", place in operational), ("control", control[place]))

    def over(here: str, there: str) -> Ground:
        across = between(facts, here, there)
        return (("barrier", tuple(sorted(across.lies))), *((track, across.word(track)) for track in LINKS))

    def cost(kind: Crossing) -> Cost | str:
        leaves, across, enters = dict(kind.leaves), dict(kind.over), dict(kind.enters)
        barrier = across["barrier"]
        rail, road, crossing = (str(across[track]) for track in LINKS)
        return step_cost(
            str(enters["terrain"]),
            barrier if isinstance(barrier, tuple) else (),
            rail,
            road,
            crossing,
            operational=bool(leaves["operational"] and enters["operational"]),
            freeze=weather == "freeze",
            flooded=flooded,
        )

    def railed(here: str, there: str) -> bool:
        return between(facts, here, there).word("rail") in RAILS

    crossings = compile_crossings(sorted(board.hexes), board.neighbours, ground, over)
    edges = {place for place in operational if view.word("map-edge", place) == side}
    railway, loc = (
        connected_railway(edges, operational - closed, board.neighbours, railed)
        for closed in (around.enemies, around.closed)
    )
    return SupplyMap(crossings, {kind: cost(kind) for kind in crossings.kinds}, railway, loc, around.closed)
