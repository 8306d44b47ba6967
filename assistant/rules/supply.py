"""Supply by the radius of a source or along railroads: each unit's line, or why it is not supplied.

A game prices the steps of a radius and of a railroad. The search, the least cause, the requests, the words and the
picture are the same in all games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from ..asking.asks import Ask, ask_for_fact
from ..asking.line_sketch import (
    Break,
    Closed,
    Failing,
    LineSketch,
    LineWords,
    Marked,
    Origin,
    Status,
    Strand,
    make_failing_way,
)
from ..asking.messages import SAY
from ..asking.placeholders import format_drawn_note
from ..asking.report import Part, Report, Step, Verdict, step, verdict
from ..asking.view import View
from ..mechanics.crossings import Crossing, Crossings, Ground, Price, compile_crossings
from ..mechanics.repairs import Lifted, Lifting, lifted_field
from ..mechanics.tracing import CostField
from ..state.differences import Divergence
from ..state.state import Unit, hexside
from ..state.vocabulary import InWords, Side, UnitHex, UnitId
from ..util.console import format_count
from ..util.errors import InputError
from ..util.memo import Memo
from ..util.notes import note
from .field import SideField
from .field.lines import price_within
from .sketches import Fielding, draw_zones, enemies_of


class Hindrance(msgspec.Struct, frozen=True, kw_only=True):
    """One obstacle to a unit's supply."""

    kind: Annotated[str, note("the kind in a word: enemy, zone, range, source, or a kind of ground")]
    where: Annotated[str, note("the hex, or the source")]
    by: Annotated[tuple[str, ...], note("the enemy units, and places with zones, that cause the hindrance")] = ()
    lacks: Annotated[int, note("hexes by which a range is too short, 0 for other kinds")] = 0
    text: InWords


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest change that would supply a unit; all its hindrances must go together."""

    source: Annotated[str, note("the source that would then supply the unit, empty if there is none")] = ""
    by: Annotated[str, note("how the unit would then be supplied, empty if nothing can be named")] = ""
    line: Annotated[tuple[str, ...], note("the line that would then lead to the unit, from the source")] = ()
    hindrances: Annotated[tuple[Hindrance, ...], note("what would have to change")] = ()
    text: Annotated[str, note("the whole cause in words")]

    @property
    def weight(self) -> int:
        """The number of hindrances, with each hex that a range lacks counted as one."""
        return sum(hindrance.lacks or 1 for hindrance in self.hindrances)


def cause_without_source(kind: str, where: str, text: str) -> Cause:
    """Return the cause for a unit that no change of the position could supply."""
    return Cause(hindrances=(Hindrance(kind=kind, where=where, text=text),), text=text)


def find_obstacles(around: SideField, lifted: Lifted, zones: Collection[str] = ()) -> Iterator[Hindrance]:
    """Yield the enemies that would have to leave to open a line.

    They stand in its hexes, or have zones in hexes that the line leaves.

    `zones`: hexes in which zones count even if the line only enters them.
    """
    named = set[str]()
    for at in lifted.opened:
        if enemies := [unit.id for unit in around.field.enemies_at(around.side, at)]:
            named.update(enemies)
            yield Hindrance(kind="enemy", where=at, by=tuple(enemies), text=f"{' and '.join(enemies)} in {at}")
    left = {here for here, there in pairwise(lifted.line) if hexside(here, there) in lifted.mended}
    for at in dict.fromkeys((*lifted.opened, *lifted.line)):
        units = around.field.whose_zones(around.side, at)
        if (at in left or (at in lifted.opened and at in zones)) and not named.issuperset(units):
            named.update(units)
            yield Hindrance(kind="zone", where=at, by=units, text=f"{at}, in the zone of {' and '.join(units)}")


class Supplied(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply."""

    unit: UnitId
    place: UnitHex
    supplied: Annotated[bool | None, note("whether it is supplied, null where that is not certain")]
    by: Annotated[str, note("how it is supplied, in a word or two; empty if it is not")] = ""
    source: Annotated[str, note("the unit that supplies it, empty for none")] = ""
    line: Annotated[tuple[str, ...], note("the hexes of the line, from the source")] = ()
    hexes: Annotated[int | None, note("length of the line in hexes, null without one")] = None
    cause: Annotated[
        Cause | None, note("what keeps the unit from supply as far as is known, null if nothing is known to")
    ] = None


class SideSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply of units of one side."""

    side: Side
    units: Annotated[tuple[Supplied, ...], note("the side's units with their supply")]


class Supply(msgspec.Struct, frozen=True):
    """The supply of units."""

    sides: Annotated[tuple[SideSupply, ...], note("the sides whose units were asked about")]

    @property
    def units(self) -> list[Supplied]:
        """The units of all sides."""
        return [unit for side in self.sides for unit in side.units]


S = TypeVar("S", bound=Supply)


class SupplyWords(NamedTuple):
    """A game's terms for supply."""

    state: Annotated[str, note('the word for being supplied, as it reads after "in"')]
    how: Annotated[Mapping[str, str], note('the words after "supplied" by kind of supply')]
    rules: Annotated[Mapping[str, str], note('the rule by kind of supply, with "" for a unit that is not supplied')]
    source: Annotated[str, note("the word for a source")]
    is_source: Callable[[View, str], bool]
    breaks: Annotated[Mapping[str, str], note("the word for each kind of hindrance that lies on the map")]
    field: Annotated[Fielding | None, note("the units on the map, for the zones of control in the picture")] = None

    def verdict(self, units: Collection[Supplied]) -> Verdict:
        """Return whether one unit is supplied, or the number of several that are."""
        if len(units) == 1:
            (unit,) = units
            if unit.supplied is None:
                return verdict("undecided", "undecided: nothing known supplies {unit}", unit)
            text = f"{{unit}} is {'' if unit.supplied else 'not '}in {self.state}{self.how.get(unit.by, '')}"
            return verdict("yes" if unit.supplied else "no", text, unit)
        supplied = sum(unit.supplied is True for unit in units)
        out = sum(unit.supplied is False for unit in units)
        text = f"{{supplied:#unit}} in {self.state}, {{out}} not"
        if unknown := sum(unit.supplied is None for unit in units):
            text = f"undecided: {text}, {{unknown}} not certain"
            return verdict("undecided", text, supplied=supplied, out=out, unknown=unknown)
        return verdict("no" if out else "yes", text, supplied=supplied, out=out)

    def report(
        self, view: View, result: S, whose: Iterable[str], parts: Iterable[Part], asks: Iterable[Ask]
    ) -> Report[S]:
        """Return the report on the supply of units.

        `whose`: the names of the units or sides.

        Raises InputError if no unit is on the map.
        """
        if not result.units:
            raise InputError("no unit is on the map", hint="place units in hexes, or name another side")
        names = list(whose)
        return Report(
            title=f"Supply of {(', ' if names[0] in view.state.units else ' and ').join(names)}",
            verdict=self.verdict(result.units),
            short=tuple(self.sentences(result.units)),
            parts=tuple(parts),
            asks=tuple({ask.name: ask for ask in asks}.values()),
            result=result,
        )

    def sentences(self, units: Collection[Supplied]) -> Iterator[Step]:
        """Yield the supplied units, the line of a single unit, and the causes for the first unsupplied units."""
        out = [unit for unit in units if not unit.supplied]
        if len(units) > 1:
            supplied = [unit.unit for unit in units if unit.supplied]
            name = "some"
            if not (supplied and out):
                name = "none" if out else "all"
            ids = [unit.unit for unit in out]
            yield SAY(self.rules[""], f"supply.{name}", state=self.state, supplied=supplied, out=ids)
        explained = units if len(units) == 1 else out[:MAX_UNITS_EXPLAINED]
        for unit in explained:
            yield self.sentence(unit)
            if unit.supplied and len(unit.line) > 1:
                yield SAY(self.rules[unit.by], "supply.line", way=unit.line)

    def sentence(self, unit: Supplied) -> Step:
        """Return whether and how a unit is supplied, or why it is not."""
        cause = unit.cause
        message = partial(SAY, self.rules[unit.by])
        if unit.supplied or not cause:
            how = step("", self.how.get(unit.by, ""), unit).text
            return message("supply.in" if unit.supplied else "supply.out", unit, state=self.state, how=how)
        if not cause.source or any(hindrance.kind == "range" for hindrance in cause.hindrances):
            return message("supply.why", unit, state=self.state, why=cause.text)
        why = "; ".join(hindrance.text for hindrance in cause.hindrances)
        return message("supply.cut", unit, state=self.state, source=cause.source, why=why)

    def unit_step(self, unit: Supplied) -> Step:
        """Return a unit's supply in a line."""
        text = (
            "{unit} in {place}: "
            + {None: "nothing known supplies it", False: "not supplied", True: "supplied"}[unit.supplied]
        )
        if unit.supplied:
            text += self.how[unit.by] + (": {way}" if len(unit.line) > 1 else "")
        else:
            text += self.how.get(unit.by, "") + ("; {why}" if unit.cause else "")
        figures = {"way": " ".join(unit.line), "why": unit.cause.text if unit.cause else ""}
        wanted = {name: figure for name, figure in figures.items() if f"{{{name}}}" in text}
        return step(self.rules[unit.by], text, unit, **wanted)

    def sketch(self, view: View, report: Report[Any]) -> LineSketch:
        """Return the picture of units with their lines and sources.

        Raises InputError if the report has no units.
        """
        supply: Supply | None = report.drawable
        if not supply or not supply.units:
            raise InputError("there are no units to draw", hint="put units on the map")
        units = [(side.side, unit) for side in supply.sides for unit in side.units]
        status: dict[bool | None, Status] = {True: "full", False: "none", None: "unknown"}
        places = (unit.place for unit in view.state.units.values())
        sides = tuple(side.side for side in supply.sides)
        titles = {side: f"Supply of {view.game.file.the_side(side)}" for side in sides} if len(sides) > 1 else {}
        return LineSketch(
            title=report.title,
            words=LineWords(
                statuses={"full": f"in {self.state}", "none": f"not in {self.state}", "unknown": "undecided"},
                source=self.source,
                line="supply line",
                breaks="breaks a line",
                titles=titles,
            ),
            sides=sides,
            units=tuple(
                Marked(
                    unit=unit.unit,
                    place=unit.place,
                    side=side,
                    status=status[unit.supplied],
                    more=f"{format_count(unit.hexes, 'hex', 'hexes')} away" if unit.hexes else "",
                )
                for side, unit in units
            ),
            origins=tuple(self._list_origins(view, units)),
            strands=tuple(
                Strand(unit=unit.unit, side=side, hexes=unit.line) for side, unit in units if len(unit.line) > 1
            ),
            breaks=tuple(self._list_breaks(units)),
            failing=tuple(way for side, unit in units[:MAX_UNITS_FAILING] for way in self._find_failing(side, unit)),
            closed=tuple(self._list_zones(view, supply)),
            answer=report.headline,
            focus=tuple(place for place in places if view.board.is_hex(place)),
            caption=(
                *(f"{unit.unit}: {unit.cause.text}." for _, unit in units if unit.cause),
                *format_drawn_note(view.board),
            ),
        )

    def _list_zones(self, view: View, supply: Supply) -> Iterator[Closed]:
        """Yield the enemy zones of control, if the supply of only one side is shown."""
        if self.field and len(supply.sides) == 1:
            for zone in draw_zones(view, self.field, enemies_of(view, supply.sides[0].side)):
                text = f"in a zone of control: {view.title_of(zone.side)}"
                yield Closed(hexes=zone.hexes, enemy=zone.side, text=text)

    def _list_origins(self, view: View, units: Iterable[tuple[str, Supplied]]) -> Iterator[Origin]:
        """Yield the sources that supply the units or are among them, and the hexes where other lines begin."""
        lines = dict.fromkeys((side, unit.source or unit.unit, unit.line[:1]) for side, unit in units)
        for side, name, first in lines:
            place = view.state.units[name].place if name in view.state.units else None
            if place and self.is_source(view, name):
                yield Origin(name=name, place=place, side=side, unit=name)
            elif first and name not in view.state.units:
                yield Origin(name=name, place=first[0], side=side)
        begun = dict.fromkeys((side, way.hexes[0]) for side, unit in units for way in self._find_failing(side, unit))
        for side, place in begun:
            here = [unit.id for unit in view.stack(place) if self.is_source(view, unit.id)]
            yield Origin(name=here[0] if here else self.source, place=place, side=side, unit=here[0] if here else "")

    def _list_breaks(self, units_of_sides: Sequence[tuple[str, Supplied]]) -> Iterator[Break]:
        """Yield the breaks of lines on the map, each with the units of a side that it keeps from supply."""
        breaks: dict[tuple[str, str, str], list[str]] = {}
        for side, unit in units_of_sides:
            for where, why in self._find_closed(unit).items():
                breaks.setdefault((where, side, why), []).append(unit.unit)
        limits = {self._find_limit(unit)[:1] for _, unit in units_of_sides}
        for (where, side, why), units in breaks.items():
            yield Break(where=where, side=side, why=why, units=tuple(units), limit=(where,) in limits)

    def _find_limit(self, unit: Supplied) -> tuple[str, str] | tuple[()]:
        """Return the hex where a source's range ends on the line to a unit, and the range in words, or ().

        The result is () if no range is too short.
        """
        cause = unit.cause
        if not cause or not cause.line:
            return ()
        for hindrance in cause.hindrances:
            if hindrance.kind == "range":
                far = len(cause.line) - 1 - hindrance.lacks
                return cause.line[far], f"its range is {far}"
        return ()

    def _find_closed(self, unit: Supplied) -> dict[str, str]:
        closed = dict[str, str]()
        if cause := unit.cause:
            for hindrance in cause.hindrances:
                if hindrance.kind in self.breaks:
                    closed.setdefault(hindrance.where, self.breaks[hindrance.kind])
            if limit := self._find_limit(unit):
                closed.setdefault(*limit)
        return closed

    def _find_failing(self, side: str, unit: Supplied) -> Sequence[Failing]:
        return make_failing_way(unit.unit, side, unit.cause.line, self._find_closed(unit)) if unit.cause else ()


MAX_UNITS_EXPLAINED = 2
"""The number of unsupplied units that the short answer explains."""
MAX_UNITS_FAILING = 6
"""The maximum number of units whose failing lines are drawn."""


def decided(report: Report[Any]) -> Hashable:
    """Return the decisive part of a report on supply: the supply of each unit."""
    return tuple((unit.unit, unit.supplied) for unit in report.result.units) if report.result else None


# --- sources with a radius, and railroads -----------------------------------------------------------------------------


RADIUS = "radius"
"""The kind of supply within the radius of a source."""
RAILROAD = "railroad"
"""The kind of supply along a railroad."""
EXTRA_HEXES = 4
"""The distance beyond a radius within which lines are sought, to tell what is missing."""
MAX_RADIUS_HEXES = 20
"""The greatest radius on any counter."""
MAX_HINDRANCES = 4
"""The maximum number of hindrances in a cause."""


class Tracing(NamedTuple):
    """The rules by which lines of a radius and of a railroad lead in a game."""

    price: Annotated[Price, note("the price of each hex of a radius, as in `field.lines`")]
    freed: Annotated[Price, note("the price of each hex of a radius if enemy zones did not count")]
    rail: Annotated[Price, note("the price of each hex along a railroad")]
    barred: Annotated[Callable[[Crossing], bool], note("whether a step is barred to every line")]
    shut: Annotated[str, note("the kind of terrain that no line enters")]
    line_rule: str
    supply_rule: str


def radius_or_max(view: View, name: str) -> int:
    """Return the printed radius of a source in hexes, or `MAX_RADIUS_HEXES` if it is not stated."""
    return view.integer("radius", name) if view.fact("radius", name) else MAX_RADIUS_HEXES


class _Ground(NamedTuple):
    crossings: Crossings
    around: SideField


_GROUNDS: Memo[str, _Ground] = Memo()
"""The ground of lines of supply by side."""


def ways_of_lines(
    around: SideField,
    ground: Callable[[str], Ground],
    over: Callable[[str, str], Ground],
    has_radius: Callable[[str], bool],
) -> Crossings:
    """Return the steps of lines over the map as a side sees it, or over the relevant hexes of a paper map.

    `ground`: returns the features of a hex, such as enemy zones.
    `over`: returns the features between two hexes.
    `has_radius`: returns whether a unit is a source with a radius.
    """
    view = around.view

    def compiled(known: _Ground | None, divergence: Divergence) -> _Ground:
        hexes = tuple(sorted(view.board.hexes or hexes_on_paper(view, has_radius)))
        steps = partial(compile_crossings, hexes, view.board.neighbours, ground, over)
        if known and known.crossings.layout.hexes == hexes:
            zones = known.around.enemy_zones ^ around.enemy_zones
            return _Ground(steps(known.crossings, divergence.hexes | zones), around)
        return _Ground(steps(), around)

    return view.memo(_GROUNDS, around.side, compiled).crossings


def hexes_on_paper(view: View, has_radius: Callable[[str], bool]) -> set[str]:
    """Return the hexes of a paper map that lines may pass: near units, in a radius, or on typed railroads."""
    neighbours = view.board.neighbours
    places = {unit.id: unit.place for unit in view.units() if view.board.is_hex(unit.place)}
    sources = [name for name in places if has_radius(name)]
    hexes = rim = {places[name] for name in sources}
    for _ in range(max((radius_or_max(view, name) for name in sources), default=0) + EXTRA_HEXES):
        rim = {beyond for at in rim for beyond in neighbours(at)} - hexes
        hexes |= rim
    railed = {at for track, side in view.stated if track == "rail" for at in side.split("|")}
    beside = {*places.values(), *railed}
    return hexes.union(beside, *(neighbours(at) for at in beside))


def is_on_railroad(ways: Crossings, at: str) -> bool:
    """Return whether a railroad is known to lead out of a hex."""
    return any(dict[str, Any](kind.over)["rail"] for _, kind in ways.from_hex(at))


class Sources(NamedTuple):
    """A side's sources of supply with their hexes, and the hexes that they reach."""

    tracing: Tracing
    around: SideField
    ways: Annotated[Crossings, note("the steps of lines")]
    units: Mapping[str, str]
    fields: Annotated[Mapping[str, CostField], note("the hexes within the radius of each source")]
    railroads: Annotated[CostField, note("the hexes that a railroad links to a source")]

    @property
    def view(self) -> View:
        """The view of the position."""
        return self.around.view

    @property
    def unknown(self) -> list[str]:
        """The sources whose radius is not stated; their field has the greatest radius."""
        view = self.view
        return sorted(name for name in self.units if view.fact("radius", name) is None)

    def source_in(self, at: str) -> str:
        """Return the source that stands in a hex, or ""."""
        return next((name for name, place in self.units.items() if place == at), "")

    def nearest_by_radius(self, at: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the nearest source known to reach a hex by its radius, with the line, or None if there is none."""
        unknown = self.unknown
        known = {name: field for name, field in self.fields.items() if name not in unknown and at in field.cost}
        name = min(known, key=lambda name: known[name].cost[at], default=None)
        return None if name is None else (name, known[name].line(at))

    def nearest_by_rail(self, at: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the nearest source with a railroad to a hex or its neighbours, and the line, or None.

        Returns None if no source has such a railroad.
        """
        cost = self.railroads.cost
        # adjacent hexes, even if a railroad enters `at` itself
        ends = [place for place in self.hexes_leading_to(at) if place in cost]
        line = (*self.railroads.line(min(ends, key=lambda end: cost[end])), at) if ends else ()
        return (self.source_in(line[0]), line) if line else None

    def hexes_leading_to(self, at: str) -> list[str]:
        """Return the adjacent hexes from whose railroads supply may step into a hex.

        The result is empty for a hex of a paper map that is far from all units, sources and railroads.
        """
        if at not in self.ways.number:
            return []
        return [other for other, kind in self.ways.from_hex(at) if not self.tracing.barred(kind.back)]

    def asks(self, unit: Unit) -> tuple[Ask, ...]:
        """Return the asks that decide the supply of a unit that no known source supplies.

        They are for the radius of a source, or for a railroad that only the player sees on the map.
        """
        at = unit.place or ""
        view = self.view
        near = (name for name in self.unknown if at in self.fields[name].cost)
        asks = [ask_for_fact(view.game.track(view.side_up("radius", name)), name) for name in near]
        untyped = not view.board.known("rail") and not view.flag("whole-network", self.around.side)
        if untyped and self._may_have_railroad(at):
            title = f"does a railroad in or adjacent to {at} lead to a supply unit, clear of enemies and their zones of control"
            how = f"type it, as {at}={view.board.neighbours(at)[0]}, or {unit.id} supply=in|out"
            asks.append(
                Ask(kind="fact", name=f"railroad.{unit.id}", rule=self.tracing.supply_rule, title=title, how=how)
            )
        return tuple(asks)

    def _may_have_railroad(self, at: str) -> bool:
        """Return whether an untyped railroad may supply a hex.

        A source must be clear of enemy zones, and so must the hex or an adjacent one.
        """
        around = self.around
        view = self.view
        shut = self.tracing.shut

        def is_open(place: str) -> bool:
            return place not in around.enemies | around.enemy_zones and view.word("terrain", place) != shut

        starts = any(map(is_open, self.units.values()))
        return starts and view.word("terrain", at) != shut and any(map(is_open, (at, *view.board.neighbours(at))))

    def unsupplied(self, unit: Unit) -> Supplied:
        """Return the supply of a unit that no known source supplies.

        It is the stated supply, or undecided while facts are missing, or none.
        """
        at = unit.place or ""
        supply = partial(Supplied, unit=unit.id, place=at)
        if stated := self.view.fact("supply", unit.id):
            return supply(supplied=stated.value == "in", by="stated")
        cause = self.cause(at)
        if self.asks(unit):
            return supply(supplied=None, cause=cause if cause.by else None)
        return supply(supplied=False, cause=cause)

    def cause(self, at: str) -> Cause:
        """Return the smallest change that would supply a unit in a hex.

        Changes with fewest hindrances come first, then a radius before a railroad, then the shorter line.
        """
        shut = self.tracing.shut
        rule = self.tracing.line_rule
        if not self.units:
            return cause_without_source("source", "", "no supply unit of its side is on the map")
        if self.view.word("terrain", at) == shut:
            return cause_without_source(shut, at, f"{at} is {shut}: no supply line may be traced into it ({rule})")
        near = at in self.ways.number
        causes = [*self._list_radius_causes(at), *self._list_rail_causes(at)] if near else []
        if not causes:
            return cause_without_source("source", "", "no line leads to it from any supply unit")
        return min(causes, key=lambda cause: (cause.weight, cause.by != RADIUS, len(cause.line)))

    def _list_radius_causes(self, at: str) -> Iterator[Cause]:
        unknown = self.unknown
        for name, place in self.units.items():
            radius = radius_or_max(self.view, name)
            if name not in unknown and (
                cause := find_radius_cause(self.tracing, self.around, self.ways, name, place, radius, at)
            ):
                yield cause

    def _list_rail_causes(self, at: str) -> Iterator[Cause]:
        shut = self.around.enemies | self.around.enemy_zones
        lifting = Lifting(self.ways, self.tracing.rail, closed=shut)
        ends = [at, *self.hexes_leading_to(at)]
        for name, place in self.units.items():
            if not is_on_railroad(self.ways, place):
                continue
            field = lifted_field(lifting, [place], max_obstacles=MAX_HINDRANCES)
            for end in ends:
                if lifted := field.to(end):
                    line = lifted.line if end == at else (*lifted.line, at)
                    opened = (place, *lifted.opened) if place in shut else lifted.opened
                    hindrances = tuple(find_obstacles(self.around, Lifted(lifted.cost, line, opened), shut))
                    yield cause_of_hindrances(
                        f"by rail from {name} but for: ", hindrances, source=name, by=RAILROAD, line=line
                    )


def find_radius_cause(
    tracing: Tracing, around: SideField, ways: Crossings, name: str, place: str, far: int, at: str
) -> Cause | None:
    """Return the smallest change by which a unit's radius would reach a hex, or None if there is none to name.

    `far`: the unit's radius, in hexes.
    """
    lifting = Lifting(ways, tracing.price, tracing.freed, around.enemies)
    field = lifted_field(lifting, [place], limit=price_within(far + EXTRA_HEXES), max_obstacles=MAX_HINDRANCES)
    line = field.to(at, price_within(far)) or field.to(at)
    if line is None:
        return None
    hindrances = tuple(find_obstacles(around, line))
    lacks = len(line.line) - 1 - far
    opening = f"within the radius of {name}, {far} hexes, but for: "
    if lacks > 0:
        text = f"{at} is {far + lacks} hexes from {name}, whose radius is {far}"
        hindrances = (Hindrance(kind="range", where=name, lacks=lacks, text=text), *hindrances)
        opening = ""
    return cause_of_hindrances(opening, hindrances, source=name, by=RADIUS, line=line.line)


def cause_of_hindrances(
    opening: str, hindrances: Sequence[Hindrance], *, source: str, by: str, line: tuple[str, ...]
) -> Cause:
    """Return the cause that names the hindrances on one line.

    `opening`: the words before the hindrances.
    """
    text = opening + "; ".join(hindrance.text for hindrance in hindrances)
    return Cause(source=source, by=by, line=line, hindrances=tuple(hindrances), text=text)
