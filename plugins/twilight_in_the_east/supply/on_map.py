"""Supply over a drawn board: the best line from every source that may serve a unit, and isolation (14.2 to 14.4)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from assistant.field.standing import Around
from assistant.mechanics.tracing import CostField, Crossing, Crossings, Ground, compile_crossings, cost_field
from assistant.questions.report import MissingFacts, Part, Report, Step, Verdict
from assistant.questions.view import Gather, View, ask_for_fact
from assistant.state.state import Unit, hexside

from ..ground import calendar
from ..terms import COMBAT_ARMS, DEPOTS, SUPPLY_ARMS
from . import rules as supply
from .report import LineStep, SourceTried, SupplyResult, hops, line_part, report, sources_part, state_verdict
from .rules import HEX, Cost, Source
from .sources import boyen, needs_no_line, supply_unit, unusable

OTHERS = "of another"
SIDES_OF_GROUND = ("barrier", "rail", "road", "crossing")


class Traced(NamedTuple):
    """A board made ready for tracing, for one side.

    prices: what each kind of crossing costs, or why it is barred; closed: hexes that no line enters; railway: operational RR hexes joined to a friendly map edge; loc: those that EZOCs leave open to a depot's LOC.
    """

    crossings: Crossings
    prices: dict[Crossing, Cost | str]
    railway: frozenset[str]
    loc: frozenset[str]
    closed: frozenset[str]

    def field(self, starts: Collection[str], hexes: int) -> CostField:
        """The cost in quarters of a hex from the nearest start, up to a range and the quarter that may be rounded away."""
        sources, limit = dict.fromkeys(sorted(starts), 0), hexes * HEX + 1
        return cost_field(self.crossings, self._price, sources, closed=self.closed - set(starts), limit=limit)

    def reach(self, source: Source, place: str, reading: str) -> supply.Reach | None:
        """What a source gives at a hex, None if it is too far. reading: ruling supply-rounding."""
        cost = self.field({source.place}, max(source.range, source.extended)).cost.get(place)
        return None if cost is None else supply.reach(source, cost, reading)

    def steps(self, field: CostField, place: str) -> tuple[LineStep, ...]:
        """The cheapest line to a hex, hex by hex. Raises KeyError if the hex was not reached."""
        line = field.line(place)
        kinds = {
            (self.crossings.hexes[at], self.crossings.hexes[to]): self.crossings.kinds[kind]
            for at, ways in enumerate(self.crossings.ways)
            for to, kind in ways
        }
        return hops(line, [self.prices[kinds[here, there]] for here, there in pairwise(line)], frozenset())[0]

    def _price(self, kind: Crossing) -> int | None:
        cost = self.prices[kind]
        return cost.quarters if isinstance(cost, Cost) else None


def prepared(view: View, facts: Gather, around: Around) -> Traced:
    """The board's crossings with their costs, the connected RR lines and the closed hexes.

    Rule: 14.1, 14.1.1
    """
    campaign = facts.flag("campaign")
    weather = calendar.weather(facts, "freeze", "high-water") if campaign else "normal"
    flooded = campaign and supply.is_flooded(weather, facts.integer("turn"), campaign)
    operational = {place for place in view.board.hexes if _said(view, "operational", place) == around.side}
    control = {place: _said(view, "control", place) for place in view.board.hexes} | dict.fromkeys(
        around.friends, around.side
    )

    def ground(place: str) -> Ground:
        return (
            ("terrain", facts.word("terrain", place)),
            ("operational", place in operational),
            ("control", control[place]),
        )

    def over(here: str, there: str) -> Ground:
        side = hexside(here, there)
        barrier = tuple(sorted(facts.words("barrier", side)))
        return (("barrier", barrier), *((track, facts.word(track, side)) for track in SIDES_OF_GROUND[1:]))

    crossings = compile_crossings(sorted(view.board.hexes), view.board.neighbours, ground, over)
    prices = {}
    for kind in crossings.kinds:
        leaves, across, enters = dict(kind.leaves), dict(kind.over), dict(kind.enters)
        barrier = across["barrier"]
        prices[kind] = supply.step_cost(
            str(enters["terrain"]),
            barrier if isinstance(barrier, tuple) else (),
            str(across["rail"]),
            str(across["road"]),
            str(across["crossing"]),
            operational=bool(leaves["operational"] and enters["operational"]),
            freeze=weather == "freeze",
            flooded=flooded,
        )
    edges = [place for place in view.board.hexes if _said(view, "map-edge", place) == around.side]
    closed = supply.closed_hexes(around.enemies, around.enemy_zones, around.friends)
    railway = supply.connected_railway(crossings, operational, edges, around.enemies)
    loc = supply.connected_railway(crossings, operational, edges, closed)
    return Traced(crossings, prices, railway, loc, closed)


def _said(view: View, track: str, place: str) -> str:
    """What is said of a hex, "" where nobody says."""
    fact = view.fact(track, place)
    return "" if fact is None else str(fact.value)


def trace(view: View, unit: Unit, around: Around) -> Report[SupplyResult]:
    """The best supply state of a unit over a drawn board, from every source that may serve it.

    Rule: 14.4c, 14.4d
    """
    place = str(unit.place)
    with view.gather() as facts:
        board = prepared(view, facts, around)
        sources = allowed_sources(facts, view, unit, around, board)
    tried: list[SourceTried] = []
    best: tuple[int, int, Source, supply.Reach, CostField] | None = None
    for source, no_use in sources:
        field = board.field({source.place}, max(source.range, source.extended))
        cost = field.cost.get(place)
        found = None
        if not no_use and cost is not None:
            found = supply.reach(source, cost, view.ruling("supply-rounding") if cost % HEX else "exact")
        why_not = no_use or ("" if found else "no line within its range")
        exact = None if cost is None else Fraction(cost, HEX)
        tried.append(SourceTried(source.name, source.kind, source.place, exact, source.range, source.extended, why_not))
        if found and cost is not None:
            rank = (("in", "low").index(found.state) * 2 + found.extended, cost)
            if best is None or rank < best[:2]:
                best = (*rank, source, found, field)
    if best is None:
        return out_of_supply(view, unit, around, board, tuple(tried))
    *_, source, found, field = best
    steps = board.steps(field, place)
    result = SupplyResult(
        unit=unit.id,
        place=place,
        state=found.state,
        source=source.name,
        extended=found.extended,
        cost=steps[-1].sum if steps else Fraction(0),
        line=steps,
        tried=tuple(tried),
    )
    parts = [sources_part(tried), line_part(f"The line from {source.name}", field.line(place)[0], steps)]
    return report(view, result, state_verdict(result, source), parts)


def allowed_sources(facts: Gather, view: View, unit: Unit, around: Around, board: Traced) -> list[tuple[Source, str]]:
    """The sources that attachment allows a unit, each with the reason why it cannot be used now ("" if it can). A depot has its
    LOC alone, and a Corps Train on a connected RR line that line.

    Rule: 14.2.1, 14.2.2, 14.2.4b
    """
    arm, here = facts.word("arm", unit.id), str(unit.place)
    if arm in DEPOTS:
        return [(on_the_line(here), no_loc(facts, board, here))]
    reading = view.ruling("supply-rounding")
    depots: list[tuple[Source, str]] = []
    trains: list[tuple[Source, str]] = []
    fortresses: list[tuple[Source, str]] = []
    for other in view.units():
        friend = other.place in around.friends and other.id != unit.id
        if friend and (fortress := boyen(unit, other)):
            fortresses.append((fortress, ""))
        if not friend or other.place is None or facts.word("arm", other.id) not in SUPPLY_ARMS:
            continue
        source, no_use = supply_unit(facts, other.id, other.place), unusable(facts, unit, other, around.side)
        if source.kind == "corps-train":
            trains.append((source, no_use))
        else:
            depots.append((source, no_use or no_loc(facts, board, other.place)))
    sources = [(source, no_use) for source, no_use in depots if not no_use.startswith(OTHERS)] + fortresses
    for train, no_use in trains:
        fed = (
            needs_no_line(facts, view.unit(train.name))
            or train.place in board.railway
            or any(not closed and board.reach(depot, train.place, reading) is not None for depot, closed in depots)
        )
        if not no_use.startswith(OTHERS):
            sources.append((train, no_use or ("" if fed else "Out of Supply itself (14.2.2)")))
    if arm == "corps-train" and here in board.railway:
        sources.append((on_the_line(here), ""))
    if arm in (*COMBAT_ARMS, "artillery"):
        nearest_line = nearest_railway(board, here)
        if nearest_line:
            sources.append(
                (
                    Source(
                        f"the RR line at {nearest_line}", "RR line", nearest_line, supply.RR_IN_SUPPLY, supply.RR_LOW
                    ),
                    "",
                )
            )
    return sources


def on_the_line(place: str) -> Source:
    """A RR line as what supplies a supply unit that stands on it, at any length and nowhere else (14.2.1, 14.2.2)."""
    return Source(f"the RR line at {place}", "RR line", place, 0, 0)


def no_loc(facts: Gather, board: Traced, place: str) -> str:
    """Why a depot in a hex is Out of Supply, "" if it is not: it needs a RR Station there and a LOC.

    Rule: 14.2.1
    """
    return "" if facts.flag("station", place) and place in board.loc else "no LOC (14.2.1)"


def nearest_railway(board: Traced, place: str) -> str:
    """The connected RR line hex from which a line to this hex costs least, "" if none reaches it within six hexes.

    Rule: 14.2.3
    """
    field = board.field(board.railway - board.closed, supply.RR_LOW)
    return field.line(place)[0] if place in field.cost else ""


def out_of_supply(
    view: View, unit: Unit, around: Around, board: Traced, tried: tuple[SourceTried, ...]
) -> Report[SupplyResult]:
    """The report on a unit that no source reaches, with the test of isolation.

    Rule: 14.4.1, 14.4d
    """
    isolated = is_isolated(view, unit, around, board)
    result = SupplyResult(unit=unit.id, place=str(unit.place), state="out", isolated=isolated, tried=tried)
    text = "{unit} is Out of Supply and Isolated" if isolated else "{unit} is Out of Supply, but not Isolated"
    found = Step(
        "14.4.1",
        "a line of any length to an operational RR line hex, friendly zones opening hexes: {found}",
        {"found": not isolated},
    )
    parts = [sources_part(tried), Part("Isolation", (found,))]
    return report(view, result, Verdict("no", text, {"unit": unit.id}), parts)


def is_isolated(view: View, unit: Unit, around: Around, board: Traced) -> bool:
    """Whether an Out of Supply unit is Isolated: no line of any length to a friendly operational RR hex.

    Raises MissingFacts where that turns on who controls hexes of which nobody says it.

    Rule: 14.4.1, 4.1.3
    """
    closed = supply.closed_for_isolation(around.enemies, around.enemy_zones, around.friends, around.friendly_zones)
    railway = {place for place in view.board.hexes if _said(view, "operational", place) == around.side} - closed
    starts = dict.fromkeys(sorted(railway), 0)

    def way_out(friendly: Collection[str]) -> CostField:
        """The enemy hexes on the way from a RR line, those in the control of these being friendly."""

        def price(kind: Crossing) -> int | None:
            return None if isinstance(board.prices[kind], str) else int(dict(kind.enters)["control"] not in friendly)

        return cost_field(board.crossings, price, starts, closed=closed, limit=supply.MOST_ENEMY_HEXES)

    here = str(unit.place)
    if here in way_out({around.side}).cost:
        return False
    at_best = way_out({around.side, ""})
    if here not in at_best.cost:
        return True
    unsaid = [hex for hex in at_best.line(here) if not _said(view, "control", hex) and hex not in around.friends]
    raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unsaid])


def measured(line: Sequence[str], costs: Sequence[Cost | str], around: Around) -> tuple[tuple[LineStep, ...], str]:
    """The steps of a typed line with their running sum, up to where it is barred, and why it is ("" if it is not).

    Rule: 14.1, 4.1.2
    """
    closed = supply.closed_hexes(around.enemies, around.enemy_zones, around.friends)
    steps, barred = hops(line, costs, closed)
    return steps, f"{line[0]} is enemy-occupied or in an EZOC" if line[0] in closed else barred


def typed_step(facts: Gather, view: View, here: str, there: str) -> Cost | str:
    """The cost of one step of a typed line; the terrain is asked for only where no RR line makes it indifferent.

    Rule: 14.1.2a, 14.1.2b
    """
    side = hexside(here, there)
    barrier = facts.words("barrier", side)
    rail, road, crossing = (facts.word(track, side) for track in SIDES_OF_GROUND[1:])
    known = view.fact("terrain", there)
    terrain = str(known.value) if known else "" if rail in supply.RAILS else facts.word("terrain", there)
    flooded = freeze = False
    if {"major-river", "grand-river"} & barrier and facts.flag("campaign"):
        flooded = supply.is_flooded(calendar.weather(facts, "high-water"), facts.integer("turn"), True)
    if terrain == "wetlands" and road not in supply.ROADS and rail not in supply.RAILS:
        freeze = facts.flag("campaign") and calendar.weather(facts, "freeze") == "freeze"
    return supply.step_cost(terrain, barrier, rail, road, crossing, operational=True, freeze=freeze, flooded=flooded)
