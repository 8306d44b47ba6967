"""Supply along lines of any length, from a map edge or a town to units; and the question `supply` of such a game.

Lines pass between enemies, their zones of control and their hexes. A game defines the beginnings and ends of lines,
their greatest length, and the control of hexes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, NamedTuple

from ..asking.asks import Ask
from ..asking.question import Parameters, Question, SideName, UnitName, declare
from ..asking.report import Part, Report, step
from ..asking.view import Gather, View, moment
from ..mechanics.crossings import Crossing, Crossings, Ground, Numbered, OpenWays, Worked, number_crossings
from ..mechanics.repairs import Lifted, Lifting, lifted_field
from ..mechanics.tracing import ANY_LENGTH, Spread
from ..state.differences import NOTHING, Divergence
from ..state.state import Unit
from ..util.memo import Memo
from ..util.notes import note
from .field import Field, SideField
from .field.lines import hex_count, price_of_hex, price_within
from .field.places import ask_for_place, edge_assumed, edge_hexes, hex_named
from .field.units import check_units, sides_asked
from .supply import (
    Cause,
    Hindrance,
    SideSupply,
    Supplied,
    Supply,
    SupplyWords,
    cause_of_hindrances,
    cause_without_source,
    decided,
    find_obstacles,
)

LINE = "line"
"""The kind of supply of a unit to which a line leads."""
STATED = "stated"
"""The kind of supply of a unit whose supply the position states."""
SEEN_SUPPLY = "supply"
"""The track in which players state the supply that they see on their map; a game may lack it."""
MAX_OPENED_HEXES = 40
"""The maximum number of closed hexes in a cause."""
POCKET_RADIUS_HEXES = 3
"""The distance searched back from a unit to see whether it is cut off."""


class From(NamedTuple):
    """A source of lines of supply: all the hexes in which they begin."""

    name: Annotated[str, note("the source's name in answers, such as the western edge of the map")]
    hexes: Annotated[Collection[str], note("the hexes in which lines begin; none while they are unknown")]
    ask: Annotated[Ask | None, note("the request to make while the hexes are unknown")] = None
    assumed: Annotated[str, note("the assumption of lines that begin there, in words, or empty")] = ""


def from_edge(view: View, edge: str) -> From:
    """Return an edge of the map as a source.

    `edge`: north, east, south or west.
    """
    hexes = edge_hexes(view, edge)
    return From(f"the {edge}ern edge", hexes, assumed=edge_assumed(view, edge, hexes))


def from_place(view: View, name: str, rule: str, track: str = "named") -> From:
    """Return a named place as a source. Its hex is asked for if supply depends on it.

    `rule`: the rule that names the place.
    """
    at = hex_named(view, name, track)
    return From(name, [at] if at else [], ask_for_place(name, rule, track))


class LineRules(NamedTuple):
    """The rules by which a side's lines of supply lead in a game."""

    sources: tuple[From, ...]
    rule: Annotated[str, note("the rule of lines")]
    longest: Annotated[int | None, note("the maximum number of hexes after a line's first, or None if unlimited")] = (
        None
    )
    if_longer: Annotated[Ask | None, note("the request to make if only a longer line leads to a unit")] = None
    ends_in: Annotated[Collection[str], note("ground that a line may enter but not leave")] = ()
    ground: Annotated[str, note("the track of the ground of hexes")] = "terrain"
    holder: Annotated[
        Callable[[str], str] | None,
        note("returns who controls a hex without units, or an empty text; None if control does not count"),
    ] = None
    may_be: Annotated[Callable[[str], bool], note("whether an unknown source may lie in a hex")] = lambda at: True
    assume: Annotated[
        Callable[[SideField, Collection[str]], None],
        note("records in the report what is assumed of zones in hexes"),
    ] = lambda around, hexes: None


class Passed(NamedTuple):
    """The facts of a hex that matter to a line through it."""

    ground: str
    """The ground of the hex if lines end there, or ""."""
    unstated: tuple[str, ...]
    """The tracks that matter and are not known."""
    held: bool
    """Whether enemies control the hex without standing in it."""


class SideLines:
    """A side's lines of supply in a position."""

    def __init__(
        self, around: SideField, rules: LineRules, known: SideLines | None = None, apart: Collection[str] = ()
    ) -> None:
        """Set up the lines.

        `known`: the same side's lines in another position, by the same rules.
        `apart`: the hexes where the two positions differ.
        """
        self.around = around
        self.rules = rules
        self.view = around.view
        self._limit = ANY_LENGTH if rules.longest is None else price_within(rules.longest)
        self._known = known
        self._apart = apart
        self._hexes: Worked[str, Passed] = Worked(self._read_hex, known._hexes if known else None, apart)
        self._states = dict[str, Supplied]()
        self._beelines = dict[str, tuple[str, ...]]()
        self._granted = set[tuple[str, ...]]()

    # --- contents of the map's hexes ---

    def _read_hex(self, at: str) -> Passed:
        """Return the facts of a hex that matter to lines. Its control does not matter if units stand there."""
        rules = self.rules
        around = self.around
        fact = self.view.fact(rules.ground, at) if rules.ends_in else None
        own = rules.holder is None or at in around.friends or at in around.enemies
        side = around.side if own or rules.holder is None else rules.holder(at)
        unstated = (rules.ground,) if rules.ends_in and fact is None else ()
        unstated = unstated if side else (*unstated, "control")
        ground = str(fact.value) if fact and fact.value in rules.ends_in else ""
        return Passed(ground, unstated, side not in ("", around.side))

    def is_held(self, at: str) -> bool:
        """Return whether enemies control a hex without standing in it."""
        return self._hexes[at].held

    def unstated(self, at: str) -> tuple[str, ...]:
        """Return the tracks that matter in a hex and are unknown. A line through the hex assumes them."""
        return self._hexes[at].unstated

    @cached_property
    def _all_ways(self) -> Crossings:
        known = self._known._all_ways if self._known else None
        grounds = known.grounds if known else Numbered[Ground]()
        layout = self.view.board.layout
        no_ground = grounds[()]

        def lies(at: int) -> int:
            passed = self._hexes[layout.hexes[at]]
            known = ("ground", passed.ground), ("stated", not passed.unstated)
            return grounds[(*known, ("held", passed.held))]

        def beside(at: int) -> list[int]:
            return [no_ground] * len(layout.around.of(at))

        return number_crossings(layout, grounds, lies, beside, known, self._apart)

    def _price(self, kind: Crossing, *, held: bool = True, ground: bool = True) -> int | None:
        """Return the price of a step, or None if the step is barred.

        `held`: whether enemy control of the hex left bars the step.
        `ground`: whether ground in which lines end bars the step.
        """
        leaves = dict(kind.leaves)
        enters = dict(kind.enters)
        if (held and leaves["held"]) or (ground and leaves["ground"]):
            return None
        return price_of_hex(certain=bool(enters["stated"]))

    def _price_back(self, kind: Crossing, *, held: bool = True, ground: bool = True) -> int | None:
        return self._price(kind.back, held=held, ground=ground)

    # --- supplied units ---

    @cached_property
    def _spread_from_sources(self) -> Spread:
        sources = self.rules.sources
        begun = {at: bool(source.assumed) + bool(self.unstated(at)) for source in sources for at in source.hexes}
        return Spread(self._open_ways, {at: cost for at, cost in begun.items() if at not in self.around.closed})

    @cached_property
    def _open_ways(self) -> OpenWays:
        if self._known:
            return self._known._open_ways.instead(self._all_ways, self.around.closed, self._apart)
        return OpenWays(self._all_ways, self._price, self.around.closed)

    def line_to(self, at: str) -> tuple[str, ...]:
        """Return the shortest line from a source to a hex, or () if there is none.

        Of equally long lines, the one with the fewest assumptions is chosen.
        """
        if self._is_pocket(at) or self._spread_from_sources.cost(at, self._limit) is None:
            return ()
        return self._spread_from_sources.line(at)

    def _is_pocket(self, at: str) -> bool:
        """Return whether no line leads far back from a hex; this saves a search of the whole map."""
        near = self._back[at].within(price_within(POCKET_RADIUS_HEXES)).cost
        ends = max(map(hex_count, near.values())) < POCKET_RADIUS_HEXES
        return ends and not any(start in near for source in self.rules.sources for start in source.hexes)

    def beeline(self, unit: Unit) -> tuple[str, ...]:
        """Return a line without detours to a unit, along hexes whose facts are mostly stated, or () if there is none.

        Another line may exist even then. This search needs few hexes and finds the lines of most units.
        """
        at = unit.place or ""
        if self._read_stated(unit):
            return ()
        if at not in self._beelines:
            self._beelines[at] = self._find_beeline(at)
        return self._beelines[at]

    def _find_beeline(self, at: str) -> tuple[str, ...]:
        board = self.view.board
        for source in self.rules.sources:
            distance, nearest = board.nearest(at, tuple(source.hexes)) if source.hexes else (0, (at,))
            end = nearest[len(nearest) // 2]  # the middle of an edge, for a straight line
            if end == at or distance > (self.rules.longest or distance) or not self._is_open(end):
                continue
            todo = list[tuple[str, ...]]([(at,)])
            seen = {at}
            while todo:
                line = todo.pop()
                hexes_left = distance - len(line)
                if not hexes_left:
                    return (end, *line)
                near = board.toward(line[0], end)
                open_ones = [other for other in near if other not in seen and self._is_open(other)]
                open_ones.sort(key=lambda hex: -len(self._hexes[hex].unstated))
                seen.update(near)
                todo += [(other, *line) for other in open_ones]
        return ()

    def _is_open(self, at: str) -> bool:
        return at not in self.around.closed and not ((passed := self._hexes[at]).ground or passed.held)

    def source_of(self, line: Sequence[str]) -> From:
        """Return the source of a line."""
        return next(source for source in self.rules.sources if line[0] in source.hexes)

    def _read_stated(self, unit: Unit) -> str:
        return self.view.word(SEEN_SUPPLY, unit.id) if SEEN_SUPPLY in self.view.game.tracks else ""

    def supply_of(self, unit: Unit, *, briefly: bool = False) -> Supplied:
        """Return the supply of a unit in a hex.

        A stated supply holds, unless a line without assumptions leads to the hex.

        `briefly`: whether to leave out the cause if the unit is not supplied.
        """
        at = unit.place or ""
        line = self.line_to(at)
        how = partial(Supplied, unit=unit.id, place=at)
        source = self.source_of(line) if line else None
        certain = source and not source.assumed and not any(map(self.unstated, line[:-1]))
        if (stated := self._read_stated(unit)) and not certain:
            return how(supplied=stated == "in", by=STATED)
        if source:
            return how(supplied=True, by=LINE, source=source.name, line=line, hexes=len(line) - 1)
        cause = None if briefly else self.cause(at)
        if self.asks(at):
            return how(supplied=None, cause=cause if cause and cause.by else None)
        return how(supplied=False, cause=cause)

    def asks(self, at: str) -> tuple[Ask, ...]:
        """Return the asks that decide the supply of a unit in a hex to which no line from a known source leads.

        They are for the hex of an unknown source, if a line may lead from there, and for the length of lines if it is
        unknown.
        """
        unknown = tuple(source.ask for source in self.rules.sources if source.ask and not source.hexes)
        sources = unknown if unknown and any(map(self.rules.may_be, self._find_back(at))) else ()
        too_long = (
            self.rules.if_longer
            and not self._is_pocket(at)
            and self._spread_from_sources.cost(at, ANY_LENGTH) is not None
        )
        return (*sources, self.rules.if_longer) if too_long and self.rules.if_longer else sources

    def _find_back(self, at: str) -> Collection[str]:
        return self._back[at].within(self._limit).cost

    @cached_property
    def _back(self) -> Worked[str, Spread]:
        ways = OpenWays(self._all_ways, self._price_back, self.around.closed)
        return Worked(lambda at: Spread(ways, {at: 0}))

    # --- assumptions, and units that are not supplied ---

    def grant(self, line: Sequence[str], cause: Cause | None = None) -> None:
        """Record the assumptions of a line to a unit in the report, or those of the cause if there is no line."""
        view = self.view
        rule = self.rules.rule
        if line and (assumed := self.source_of(line).assumed):
            view.premises.assume(step(rule, assumed))
        control_text = "{hexes} assumed not to be under enemy control (not stated)"
        ground_text = f"{{hexes}} assumed not to be {' or '.join(self.rules.ends_in)} (not stated)"
        for at in line[:-1]:
            for track in self.unstated(at):
                usual, text = (self.around.side, control_text) if track == "control" else ("", ground_text)
                view.granted(track, at, usual, rule, text)
        zones = [hindrance.where for hindrance in cause.hindrances if hindrance.kind == "zone"] if cause else []
        self.rules.assume(self.around, zones)

    def not_supplied(self, facts: Gather, units: Iterable[str]) -> frozenset[str]:
        """Return the units that are not supplied, and ask for supply that is not known.

        Units in no hex are left out.
        """
        out = set[str]()
        unknown = dict[str, list[str]]()
        for name in dict.fromkeys(units):
            unit = self.view.unit(name)
            if self.view.board.is_hex(at := unit.place) and self._read_stated(unit) != "in":
                if line := self.beeline(unit):
                    if line not in self._granted:
                        self.grant(line)
                        self._granted.add(line)
                    continue
                if name not in self._states:
                    self._states[name] = self.supply_of(unit)
                    self.grant(self._states[name].line, self._states[name].cause)
                state = self._states[name]
                if state.supplied is None:
                    unknown.setdefault(at, []).append(name)
                elif not state.supplied:
                    out.add(name)
        for ask in self._list_asks(unknown):
            facts.ask(ask)
        return frozenset(out)

    def _list_asks(self, units: Mapping[str, Sequence[str]]) -> Iterator[Ask]:
        """Yield the requests that decide whether units are supplied.

        If the game can state supply, the requests are for it, because the player sees it on the map. Otherwise they are
        for the facts that decide it.
        """
        if SEEN_SUPPLY not in self.view.game.tracks:
            yield from dict.fromkeys(ask for at in units for ask in self.asks(at))
        elif units:
            track = self.view.game.track(SEEN_SUPPLY)
            names = [name for there in units.values() for name in there]
            before = f"{','.join(units)} {track.name}="
            yield Ask(
                kind="fact",
                name=before + "|".join(track.values),
                rule=self.rules.rule,
                title=f"supply of {', '.join(names)}",
                how=before + "|".join(track.values),
                options=track.values,
                line=before + "{}",
            )

    # --- causes of a lack of supply ---

    def cause(self, at: str) -> Cause:
        """Return the smallest change that would supply a unit in a hex.

        Changes with fewest hindrances come first, counting one for each hex that a line is too long, then the shortest
        line. Ground counts only if nothing else is enough.
        """
        starts = {start: source.name for source in self.rules.sources for start in source.hexes}
        for ground in (True, False):
            mended = partial(self._price_back, held=False, ground=ground)
            lifting = Lifting(self._all_ways, self._price_back, mended, self.around.closed)
            if causes := [self._find_cause(starts, lifted) for lifted in self._find_restored(lifting, at, starts)]:
                return min(causes, key=lambda cause: (cause.weight, len(cause.line)))
        return cause_without_source("source", "", "no line leads to it from any source of supply")

    def _find_restored(self, lifting: Lifting, at: str, starts: Collection[str]) -> Iterator[Lifted]:
        """Yield lines from a hex back to a source that need few changes.

        The first has the fewest obstacles within the length of a line, the second the fewest of any length. If the
        second is too long, the third has the fewest obstacles and excess hexes together.
        """
        longest = self.rules.longest
        least = None
        nearest = min((self.view.board.distance(at, start) for start in starts), default=0)
        within = () if longest is not None and nearest > longest else (self._limit,)
        for limit in dict.fromkeys((*within, ANY_LENGTH)):
            field = lifted_field(
                lifting, [at], limit=limit, max_obstacles=MAX_OPENED_HEXES, wanted=dict.fromkeys(starts, limit)
            )
            found = {start: label for start in starts if (label := field.least(start, limit))}
            if least := field.to(min(sorted(found), key=found.__getitem__), limit) if found else None:
                yield least
        if longest is None or least is None or len(least.line) - 1 <= max(longest, nearest):
            return
        weight = len(least.obstacles) + len(least.line) - 1 - longest
        field = lifted_field(
            lifting, [at], limit=price_within(longest + weight), max_obstacles=min(weight, MAX_OPENED_HEXES)
        )
        labels = ((start, *label) for start in sorted(starts) for label in field.all_of(start))
        weighed = ((lifts + max(0, hex_count(cost) - longest), cost, start) for start, cost, lifts in labels)
        _, cost, start = min(weighed, default=(0, 0, ""))
        if shorter := field.to(start, cost) if start else None:
            yield shorter

    def _find_cause(self, starts: dict[str, str], back: Lifted) -> Cause:
        line = back.line[::-1]
        source = starts[back.line[-1]]
        hindrances = [*self._list_hindrances(line, back.opened[::-1])]
        longest = self.rules.longest
        lacks = 0 if longest is None else len(line) - 1 - longest
        opening = f"a line from {source} but for: "
        if lacks > 0:
            text = f"{line[-1]} is {len(line) - 1} hexes from {source}, and a line has {longest} at most"
            hindrances = [Hindrance(kind="range", where=source, lacks=lacks, text=text), *hindrances]
            opening = ""
        return cause_of_hindrances(opening, hindrances, source=source, by=LINE, line=line)

    def _list_hindrances(self, line: tuple[str, ...], opened: tuple[str, ...]) -> Iterator[Hindrance]:
        yield from find_obstacles(self.around, Lifted(0, line, opened), self.around.enemy_zones)
        for at in line[:-1]:
            if self.is_held(at):
                yield Hindrance(kind="control", where=at, text=f"enemy control of {at}")
            if ground := self._hexes[at].ground:
                yield Hindrance(kind="ground", where=at, text=f"{ground} in {at}")


_LINES: Memo[str, SideLines] = Memo()
"""The lines of supply by side."""


def supply_lines(facts: Gather, around: SideField, rules: Callable[[Gather, SideField], LineRules]) -> SideLines:
    """Return a side's lines of supply, computed once for a view."""

    def made(known: SideLines | None, difference: Divergence) -> SideLines:
        return SideLines(around, rules(facts, around), known, difference.hexes)

    lines = facts.view.memo(_LINES, around.side, made)
    return lines if lines.around.closed == around.closed else made(lines, NOTHING)


# --- the question -----------------------------------------------------------------------------------------------------


class SupplyAsked(Parameters, frozen=True):
    """The units that the question `supply` is about."""

    unit: Annotated[tuple[UnitName, ...], note("ids of the units; all of the side on the map if left out")] = ()
    side: Annotated[SideName, note("whose units; if left out, the phasing side's, or all sides' if none is stated")] = (
        ""
    )


Reading = Callable[[View, Iterable[str]], dict[str, SideLines]]
"""A function that returns the lines of each of the given sides."""


def supply_question(
    title: str, words: SupplyWords, field: Callable[[Gather], Field], rules: Callable[[Gather, SideField], LineRules]
) -> Question[SupplyAsked, Supply]:
    """Return the question `supply` of a game."""
    words = words._replace(field=field)
    read = partial(_read_lines, field, rules)
    return declare(
        "supply",
        title,
        partial(_answer_supply, words, read),
        sketch=words.sketch,
        decision=decided,
        decide=partial(_decide_supply, words, read),
    )


def _read_lines(
    field: Callable[[Gather], Field], rules: Callable[[Gather, SideField], LineRules], view: View, sides: Iterable[str]
) -> dict[str, SideLines]:
    with view.gather() as facts:
        who = field(facts).read()
        return {side: supply_lines(facts, who.around(side), rules) for side in sides}


def _trace_units(
    view: View, asked: SupplyAsked, read: Reading, *, briefly: bool = False
) -> tuple[dict[str, SideLines], Supply]:
    check_units(view, asked.unit, asked.side, "leave out the side, or the unit", view.board.is_hex)
    _, active = moment(view)
    lines = read(view, sides_asked(view, asked.side, asked.unit, active))
    sides = list[SideSupply]()
    for side, own in lines.items():
        units = (unit for unit in own.around.units if view.board.is_hex(unit.place))
        named = (unit for unit in units if not asked.unit or unit.id in asked.unit)
        states = tuple(own.supply_of(unit, briefly=briefly) for unit in named)
        if states:
            sides.append(SideSupply(side=side, units=states))
    return lines, Supply(tuple(sides))


def _answer_supply(words: SupplyWords, read: Reading, view: View, asked: SupplyAsked) -> Report[Supply]:
    lines, result = _trace_units(view, asked, read)
    asks = list[Ask]()
    for side in result.sides:
        for state in side.units:
            lines[side.side].grant(state.line, state.cause)
            if state.supplied is None:
                asks += lines[side.side].asks(state.place)
    parts = [Part(view.title_of(side.side), tuple(map(words.unit_step, side.units))) for side in result.sides]
    return words.report(view, result, asked.unit or map(view.game.file.the_side, lines), parts, asks)


def _decide_supply(words: SupplyWords, read: Reading, view: View, asked: SupplyAsked) -> Report[Supply]:
    """Return a report with the verdict alone, without causes."""
    _, result = _trace_units(view, asked, read, briefly=True)
    return Report(title="", verdict=words.verdict(result.units), result=result)


def words_of_lines(rule: str, state: str = "supply") -> SupplyWords:
    """Return the terms of a game in which lines alone supply units.

    `state`: the word for being supplied, as it reads after "in".
    """
    kinds = {"enemy": "enemy", "zone": "EZOC", "control": "enemy control", "ground": "ground"}
    how = {LINE: " from {source}, {hexes:#hex}", STATED: ", as stated"}
    return SupplyWords(
        state=state,
        how=how,
        rules=dict.fromkeys((LINE, STATED, ""), rule),
        source="source",
        is_source=lambda view, unit: False,
        breaks=kinds,
    )
