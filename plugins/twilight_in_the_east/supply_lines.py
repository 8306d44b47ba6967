"""The question `supply`: whether a unit is in supply, along which hexes, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import msgspec

from assistant.errors import InputError, nearest
from assistant.questions import Answers, Question, UnitName
from assistant.report import Ask, MissingFacts, Part, Report, Step, Verdict
from assistant.state import Unit, hexside
from assistant.tracing import Crossing, Crossings, Field, Ground, compile_crossings, cost_field
from assistant.view import Gather, View

from . import supply
from .supply import HEX, Cost, Source
from .units import COMBAT_ARMS, corps_of
from .zones import exerts_zone, zones

SUPPLY_ARMS = ("corps-train", "minor-depot", "major-depot")
SIDES_OF_GROUND = ("barrier", "rail", "road", "crossing")
STATES = {"in": "In Supply", "low": "in Low Supply", "out": "Out of Supply"}


class SupplyParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit whose supply is asked.

    unit: its id; line: a typed line by its name, the only one that ends at the unit if left out.
    """

    unit: UnitName
    line: str = ""


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a supply line.

    hex: its number; cost: in hexes; sum: what the line has cost up to it; why: what makes the cost.
    """

    hex: str
    cost: Fraction
    sum: Fraction
    why: str


class SourceTried(msgspec.Struct, frozen=True):
    """A supply source that was tried.

    source: its name; kind: corps-train, minor-depot, major-depot or RR line; place: its hex; cost: to the unit in hexes,
    null where no line leads there; range: normal reach in hexes; extended_range: in Extended Mode, or of Low Supply for a
    RR line; why_not: why it does not serve, empty if it does.
    """

    source: str
    kind: str
    place: str
    cost: Fraction | None
    range: int
    extended_range: int
    why_not: str


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply.

    unit: its id; place: its hex; state: in, low or out, null where only one typed line was judged and does not serve;
    isolated: whether an Out of Supply unit is Isolated; source: what serves it; extended: whether that has to be in
    Extended Mode; cost: of the line in hexes; line: its hexes from the source; tried: every source that was looked at.
    """

    unit: str
    place: str
    state: str | None
    isolated: bool | None = None
    source: str = ""
    extended: bool = False
    cost: Fraction | None = None
    line: tuple[LineStep, ...] = ()
    tried: tuple[SourceTried, ...] = ()


class Situation(NamedTuple):
    """Who stands where, as supply sees it: the side, its units' hexes, the enemies' hexes, and both sides' zones."""

    side: str
    friends: frozenset[str]
    enemies: frozenset[str]
    friendly_zones: frozenset[str]
    enemy_zones: frozenset[str]


def answer(view: View, parameters: SupplyParameters, answers: Answers) -> Report[SupplyResult]:
    """The report on a unit's supply: along a typed line, or traced over a drawn board from every source.

    Raises MissingFacts for whatever nobody stated, InputError for a line that does not lead to the unit.

    Rule: 14.1, 14.4c
    """
    del answers
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"{unit.id} is not on the map")
    with view.gather() as facts:
        around = situation(facts, view, unit)
    name = parameters.line or _only_line(view, unit.place)
    if name:
        return judge_line(view, unit, around, name)
    if not view.board.hexes:
        how = f"line NAME: SOURCE-HEX ... {unit.place}"
        raise MissingFacts(
            [Ask(kind="parameter", name="line", rule="14.1", title="no map is drawn: the line as you see it", how=how)]
        )
    return trace(view, unit, around)


def _only_line(view: View, place: str) -> str:
    ending = [name for name, line in view.state.lines.items() if line[-1] == place]
    return ending[0] if len(ending) == 1 else ""


def situation(facts: Gather, view: View, unit: Unit) -> Situation:
    """Both sides' units and zones of control.

    Rule: 4.1, 4.1.1, 4.1.2
    """
    side = view.game.side_of(facts.word("nation", unit.id) or "german")
    occupied: dict[bool, set[str]] = {True: set(), False: set()}
    exerting: dict[bool, set[str]] = {True: set(), False: set()}
    for other in view.state.units.values():
        nation = facts.word("nation", other.id)
        if other.place is None or not nation:
            continue
        friend = view.game.side_of(nation) == side
        occupied[friend].add(other.place)
        if exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)):
            exerting[friend].add(other.place)

    def barrier(here: str, there: str) -> frozenset[str]:
        fact = view.fact("barrier", hexside(here, there))
        return frozenset(fact.value) if fact and isinstance(fact.value, tuple) else frozenset()

    ours, theirs = (zones(exerting[friend], view.board.neighbours, barrier) for friend in (True, False))
    return Situation(side, frozenset(occupied[True]), frozenset(occupied[False]), ours, theirs)


# --- a typed line -----------------------------------------------------------------------------------------------------


def judge_line(view: View, unit: Unit, around: Situation, name: str) -> Report[SupplyResult]:
    """Whether one line that a player typed supplies the unit.

    Raises InputError if there is no such line, or it does not end at the unit.

    Rule: 14.1, 14.1.2a, 4.1.2
    """
    if name not in view.state.lines:
        raise InputError(f"no line {name!r} in this position", hint=nearest(name, view.state.lines))
    line = view.state.lines[name]
    if line[-1] != unit.place:
        raise InputError(f"the line {name!r} ends in {line[-1]}, but {unit.id} is in {unit.place}")
    with view.gather() as facts:
        source = named_source(facts, view, name, line[0])
        costs = [typed_step(facts, view, here, there) for here, there in pairwise(line)]
    closed = supply.closed_hexes(around.enemies, around.enemy_zones, around.friends)
    steps, barred = hops(line, costs, closed)
    total = steps[-1].sum if steps else Fraction(0)
    reading = view.ruling("supply-rounding") if total.denominator > 1 else "exact"
    found = None if barred else supply.reach(source, int(total * HEX), reading)
    why_not = barred or ("" if found else f"{source.name} reaches {source.range}, extended {source.extended}")
    tried = SourceTried(source.name, source.kind, line[0], total, source.range, source.extended, why_not)
    result = SupplyResult(
        unit=unit.id,
        place=str(unit.place),
        state=found.state if found else None,
        source=source.name if found else "",
        extended=bool(found and found.extended),
        cost=total,
        line=steps,
        tried=(tried,),
    )
    parts = [line_part(f"The line from {source.name}", line[0], steps)]
    unseen = [there for cost, there in zip(costs, line[1:], strict=True) if isinstance(cost, Cost) and "RR" in cost.why]
    unseen = [there for there in unseen if view.fact("terrain", there) is None]
    if unseen:
        parts.append(Part("Taken for granted", (Step("14.1.1", "no High Mountain in {hexes}", {"hexes": unseen}),)))
    if why_not:
        text = "this line does not supply {unit}: {why}; another one may"
        verdict = Verdict("no", text, {"unit": unit.id, "why": why_not})
    else:
        verdict = state_verdict(result, source)
    return report(view, result, verdict, parts)


def named_source(facts: Gather, view: View, name: str, place: str) -> Source:
    """The source at the beginning of a typed line: the supply unit of that name, or else a RR line hex.

    Rule: 14.2, 14.2.3
    """
    if name in view.state.units:
        unit = view.unit(name)
        if unit.place != place:
            raise InputError(f"{name} is in {unit.place}, but its line begins in {place}")
        if facts.word("supply", name) == "out":
            raise InputError(f"{name} is Out of Supply itself and supplies nobody (14.2)")
        return supply_unit(facts, name, place)
    return Source(f"the RR line at {place}", "RR line", place, supply.RR_IN_SUPPLY, supply.RR_LOW)


def supply_unit(facts: Gather, name: str, place: str) -> Source:
    """A depot or Corps Train as a source, with both its ranges.

    Rule: 3.6.1, 14.2
    """
    arm = facts.word("arm", name)
    if arm and arm not in SUPPLY_ARMS:
        raise InputError(f"{name} is no supply unit")
    return Source(name, arm, place, facts.integer("range", name), facts.integer("extended-range", name))


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
        flooded = supply.is_flooded(facts.word("weather"), facts.integer("turn"), True)
    if terrain == "wetlands" and road not in supply.ROADS and rail not in supply.RAILS:
        freeze = facts.integer("turn") >= 34 and facts.word("weather") == "freeze"
    return supply.step_cost(terrain, barrier, rail, road, crossing, operational=True, freeze=freeze, flooded=flooded)


def hops(line: Sequence[str], costs: Sequence[Cost | str], closed: frozenset[str]) -> tuple[tuple[LineStep, ...], str]:
    """The steps of a line with their running sum, up to where it is barred, and why it is ("" if it is not)."""
    steps: list[LineStep] = []
    total = 0
    for there, cost in zip(line[1:], costs, strict=True):
        if there in closed:
            return tuple(steps), f"{there} is enemy-occupied or in an EZOC"
        if isinstance(cost, str):
            return tuple(steps), f"into {there}: {cost}"
        total += cost.quarters
        steps.append(LineStep(there, Fraction(cost.quarters, HEX), Fraction(total, HEX), cost.why))
    return tuple(steps), ""


# --- a drawn board ----------------------------------------------------------------------------------------------------


class Traced(NamedTuple):
    """A board made ready for tracing, for one side."""

    crossings: Crossings
    prices: dict[Crossing, Cost | str]
    railway: frozenset[str]
    closed: frozenset[str]

    def field(self, start: str, hexes: int) -> Field:
        """The cost in quarters of a hex from one source, up to a range."""
        return cost_field(self.crossings, self._price, {start: 0}, closed=self.closed - {start}, limit=hexes * HEX + 1)

    def _price(self, kind: Crossing) -> int | None:
        cost = self.prices[kind]
        return cost.quarters if isinstance(cost, Cost) else None


def prepared(view: View, facts: Gather, around: Situation) -> Traced:
    """The board's crossings with their costs, the connected RR lines and the closed hexes.

    Rule: 14.1, 14.1.1, 14.2.1a
    """
    turn_fact = view.fact("turn")
    turn = int(turn_fact.value) if turn_fact and isinstance(turn_fact.value, int) else facts.integer("turn")
    weather = str(fact.value) if (fact := view.fact("weather")) else "normal" if turn < 17 else facts.word("weather")
    flooded = supply.is_flooded(weather, turn, facts.flag("campaign"))
    operational = {place for place in view.board.hexes if _is(view, "operational", place, around.side)}
    control = {place for place in view.board.hexes if _is(view, "control", place, around.side)}

    def ground(place: str) -> Ground:
        return (
            ("terrain", facts.word("terrain", place)),
            ("operational", place in operational),
            ("ours", place in control),
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
    edges = [place for place in view.board.hexes if _is(view, "map-edge", place, around.side)]
    closed = supply.closed_hexes(around.enemies, around.enemy_zones, around.friends)
    return Traced(crossings, prices, supply.connected_railway(crossings, operational, edges, closed), closed)


def _is(view: View, track: str, place: str, side: str) -> bool:
    fact = view.fact(track, place)
    return fact is not None and fact.value == side


def trace(view: View, unit: Unit, around: Situation) -> Report[SupplyResult]:
    """The best supply state of a unit over a drawn board, from every source that may serve it.

    Rule: 14.2, 14.4c, 14.4d
    """
    place = str(unit.place)
    with view.gather() as facts:
        board = prepared(view, facts, around)
        sources = allowed_sources(facts, view, unit, around, board)
    tried: list[SourceTried] = []
    best: tuple[int, int, Source, supply.Reach, Field] | None = None
    for source, unusable in sources:
        field = board.field(source.place, max(source.range, source.extended))
        cost = field.cost.get(place)
        found = None
        if not unusable and cost is not None:
            found = supply.reach(source, cost, view.ruling("supply-rounding") if cost % HEX else "exact")
        why_not = unusable or ("" if found else "no line within its range")
        exact = None if cost is None else Fraction(cost, HEX)
        tried.append(SourceTried(source.name, source.kind, source.place, exact, source.range, source.extended, why_not))
        if found and cost is not None:
            rank = (("in", "low").index(found.state) * 2 + found.extended, cost)
            if best is None or rank < best[:2]:
                best = (*rank, source, found, field)
    if best is None:
        return out_of_supply(view, unit, around, board, tuple(tried))
    *_, source, found, field = best
    line = field.line(place)
    kinds = {
        (board.crossings.hexes[at], board.crossings.hexes[to]): board.crossings.kinds[kind]
        for at, ways in enumerate(board.crossings.ways)
        for to, kind in ways
    }
    costs = [board.prices[kinds[here, there]] for here, there in pairwise(line)]
    steps, _ = hops(line, costs, frozenset())
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
    parts = [sources_part(tried), line_part(f"The line from {source.name}", line[0], steps)]
    return report(view, result, state_verdict(result, source), parts)


def allowed_sources(
    facts: Gather, view: View, unit: Unit, around: Situation, board: Traced
) -> list[tuple[Source, str]]:
    """The sources that attachment allows a unit, each with the reason why it cannot be used now ("" if it can).

    Rule: 14.2, 14.2.1, 14.2.2, 14.2.3, 14.3.1, 14.3.2
    """
    corps, army = chain(view, unit.id)
    depots: list[tuple[Source, str]] = []
    trains: list[Source] = []
    for other in view.state.units.values():
        arm = facts.word("arm", other.id)
        friend = other.place in around.friends
        if arm not in SUPPLY_ARMS or not friend or other.place is None:
            continue
        their_corps, their_army = chain(view, other.id)
        source = supply_unit(facts, other.id, other.place)
        if arm == "corps-train" and supply.may_draw(corps, army, arm, their_corps, their_army):
            trains.append(source)
        elif arm != "corps-train" and supply.may_draw(corps, army, arm, their_corps, their_army):
            station = facts.flag("station", other.place)
            unusable = "" if station and other.place in board.railway else "no LOC (14.2.1)"
            depots.append((source, unusable))
    sources = list(depots)
    for train in trains:
        on_line = train.place in board.railway
        fed = any(
            not unusable
            and board.field(depot.place, max(depot.range, depot.extended)).cost.get(train.place) is not None
            for depot, unusable in depots
        )
        unusable = "" if on_line or fed else "Out of Supply itself (14.2.2)"
        if facts.flag("entrained", train.name):
            unusable = "entrained (14.2.2)"
        sources.append((train, unusable))
    if facts.word("arm", unit.id) in (*COMBAT_ARMS, "artillery"):
        nearest_line = nearest_railway(board, str(unit.place))
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


def nearest_railway(board: Traced, place: str) -> str:
    """The connected RR line hex from which a line to this hex costs least, "" if none reaches it within six hexes.

    Rule: 14.2.3
    """
    field = cost_field(
        board.crossings,
        board._price,
        dict.fromkeys(sorted(board.railway - board.closed), 0),
        closed=board.closed,
        limit=supply.RR_LOW * HEX,
    )
    return field.line(place)[0] if place in field.cost else ""


def chain(view: View, unit: str) -> tuple[str, str]:
    """A unit's corps and army, "" where it has none or nobody said.

    Rule: 2.1d, 3.3.1
    """
    corps, army = view.fact("corps", unit), view.fact("army", unit)
    return str(corps.value) if corps else corps_of(unit), str(army.value) if army else ""


def out_of_supply(
    view: View, unit: Unit, around: Situation, board: Traced, tried: tuple[SourceTried, ...]
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


def is_isolated(view: View, unit: Unit, around: Situation, board: Traced) -> bool:
    """Whether an Out of Supply unit is Isolated: no line of any length to a friendly operational RR hex.

    Rule: 14.4.1, 4.1.3
    """
    closed = supply.closed_for_isolation(around.enemies, around.enemy_zones, around.friends, around.friendly_zones)

    def price(kind: Crossing) -> int | None:
        if isinstance(board.prices[kind], str):
            return None
        return 0 if dict(kind.enters)["ours"] else 1

    railway = {place for place in view.board.hexes if _is(view, "operational", place, around.side)} - closed
    starts = dict.fromkeys(sorted(railway), 0)
    field = cost_field(board.crossings, price, starts, closed=closed, limit=supply.MOST_ENEMY_HEXES)
    return unit.place not in field.cost


# --- the report -------------------------------------------------------------------------------------------------------


def state_verdict(result: SupplyResult, source: Source) -> Verdict:
    """In Supply is a yes, Low Supply a figure of its own."""
    state = STATES[str(result.state)]
    figures = {"unit": result.unit, "state": state, "source": source.name, "cost": result.cost}
    mode = " in Extended Mode" if result.extended else ""
    template = "{unit} is {state} from {source}" + mode + ", {cost} hexes away"
    return Verdict("yes" if result.state == "in" else "figure", template, figures)


def line_part(title: str, start: str, steps: Sequence[LineStep]) -> Part:
    """A line, hex by hex."""
    listed = [Step("14.1.2", "from {hex}", {"hex": start})]
    for step in steps:
        figures = {name: getattr(step, name) for name in step.__struct_fields__}
        listed.append(Step("14.1.2", "{hex}: {cost} ({why}), {sum} so far", figures))
    return Part(title, tuple(listed))


def sources_part(tried: Sequence[SourceTried]) -> Part:
    """Every source that was looked at."""
    steps = []
    for one in tried:
        figures = {name: getattr(one, name) for name in one.__struct_fields__}
        text = "{source} in {place}, range {range}, extended {extended_range}: "
        text += "no line" if one.cost is None else "{cost} hexes away"
        text += "; {why_not}" if one.why_not else ""
        steps.append(Step("14.2", text, figures))
    if not steps:
        steps.append(Step("14.2", "no source that the unit may draw on", {}))
    return Part("Sources", tuple(steps))


def report(view: View, result: SupplyResult, verdict: Verdict, parts: Sequence[Part]) -> Report[SupplyResult]:
    """The report on one unit's supply."""
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Supply of {result.unit} in {result.place}",
        verdict=verdict,
        parts=tuple(parts),
        result=result,
    )


QUESTION = Question(
    name="supply",
    title="whether a unit is in supply, along which hexes, and why not",
    parameters=SupplyParameters,
    result=SupplyResult,
    answer=answer,
)
