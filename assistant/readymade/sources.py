"""Supply by the radius of a source or along railroads: whom each source reaches, what decides that and is not known,
and what keeps a unit from supply.

A game prices the steps of a radius and of a railroad; the search, the least cause and what to ask for are the same in
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple

from ..field import Around
from ..field.lines import price_within
from ..mechanics.crossings import Crossing, Crossings, Ground, Price, compile_crossings
from ..mechanics.lifting import Lifted, Lifting, lifted_field
from ..mechanics.tracing import CostField
from ..questions.report import Ask, ask_for_fact
from ..questions.view import View
from ..state.state import Unit
from ..util.notes import note
from .supplied import Cause, Hindrance, Supplied, in_the_way, nothing

RADIUS, RAILROAD = "radius", "railroad"
"""How a unit is supplied."""
BEYOND = 4
"""How many hexes beyond the radius of a source lines are sought, to tell what is missing."""
MOST_RADIUS = 20
"""The greatest radius that a counter may have, in hexes."""
MOST_HINDRANCES = 4
"""Of how many hindrances a cause consists at most."""


class Tracing(NamedTuple):
    """How lines lead in a game."""

    price: Annotated[Price, note("what a step of a radius costs, in the prices of `field.lines`")]
    freed: Annotated[Price, note("the same where enemy zones do not count")]
    rail: Annotated[Price, note("what a step along a railroad costs")]
    barred: Annotated[Callable[[Crossing], bool], note("whether no line takes a step at all")]
    shut: Annotated[str, note("the kind of terrain that no line enters")]
    line_rule: str
    supply_rule: str


def printed_radius(view: View, name: str) -> int:
    """The radius on the side of a counter that is up, in hexes; while it is unknown, the greatest that there may be."""
    stated = view.fact(view.side_up("radius", name), name)
    return int(str(stated.value)) if stated else MOST_RADIUS


def ways_of_lines(
    around: Around,
    ground: Callable[[str], Ground],
    over: Callable[[str, str], Ground],
    has_radius: Callable[[str], bool],
) -> Crossings:
    """The steps of lines over the map, or over the hexes of a paper map that matter, as a side sees them.

    ground, over: what matters of a hex, and between it and the next; has_radius: whether a unit is one that has a
    radius.
    """
    view = around.view

    def compiled() -> Crossings:
        hexes = view.board.hexes or hexes_on_paper(view, has_radius)
        return compile_crossings(sorted(hexes), view.board.neighbours, ground, over)

    return view.kept(("supply ground", around.side), lambda known, apart: compiled())


def hexes_on_paper(view: View, has_radius: Callable[[str], bool]) -> set[str]:
    """The hexes of a paper map that lines may pass: those round units with a radius as far as they may reach, those
    next to other units, and those along railroads that are typed.
    """
    neighbours = view.board.neighbours
    units = [unit for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
    sources = [unit for unit in units if has_radius(unit.id)]
    hexes = edge = {str(source.place) for source in sources}
    for _ in range(max((printed_radius(view, source.id) for source in sources), default=0) + BEYOND):
        edge = {beyond for at in edge for beyond in neighbours(at)} - hexes
        hexes |= edge
    railed = {at for track, side in view.stated if track == "rail" for at in side.split("|")}
    beside = {str(unit.place) for unit in units} | railed
    return hexes.union(beside, *(neighbours(at) for at in beside))


def is_on_railroad(ways: Crossings, at: str) -> bool:
    """Whether a railroad is known to lead out of a hex."""
    return any(dict[str, Any](kind.over)["rail"] for _, kind in ways.from_hex(at))


class Sources(NamedTuple):
    """The sources of a side, by name with their hexes, and the hexes that they reach."""

    tracing: Tracing
    around: Around
    ways: Annotated[Crossings, note("the steps of lines")]
    units: Mapping[str, str]
    fields: Annotated[Mapping[str, CostField], note("the hexes within the radius of each")]
    railroads: Annotated[CostField, note("those that a railroad links to one of them")]

    @property
    def view(self) -> View:
        """The position."""
        return self.around.view

    @property
    def unknown(self) -> list[str]:
        """The sources whose radius is not stated; their field is that of the greatest radius."""
        view = self.view
        return sorted(name for name in self.units if view.fact(view.side_up("radius", name), name) is None)

    def beside(self, at: str) -> str:
        """The source that stands in a hex, "" for none."""
        return next((name for name, place in self.units.items() if place == at), "")

    def by_radius(self, at: str) -> tuple[str, tuple[str, ...]] | None:
        """The nearest source that is known to reach a hex by its radius, with the line; None if none does."""
        unknown = self.unknown
        known = {name: field for name, field in self.fields.items() if name not in unknown and at in field.cost}
        name = min(known, key=lambda name: known[name].cost[at], default=None)
        return None if name is None else (name, known[name].line(at))

    def by_rail(self, at: str) -> tuple[str, tuple[str, ...]] | None:
        """The nearest source to which a railroad leads from a hex or from one next to it, with the line; None if there
        is none.
        """
        cost = self.railroads.cost
        ends = [place for place in self.next_to(at) if place in cost]  # of one in the hex itself too
        line = (*self.railroads.line(min(ends, key=lambda end: cost[end])), at) if ends else ()
        return (self.beside(line[0]), line) if line else None

    def next_to(self, at: str) -> list[str]:
        """The hexes next to a hex from whose railroads supply may step into it; none for a hex of a paper map too far
        from all that matters.
        """
        if at not in self.ways.number:
            return []
        return [other for other, kind in self.ways.from_hex(at) if not self.tracing.barred(kind.back)]

    def asks(self, unit: Unit) -> tuple[Ask, ...]:
        """What decides whether a unit is supplied that nothing known supplies: the radius of a source, or a railroad
        that only the player can see on his map.
        """
        at, view = str(unit.place), self.view
        near = (name for name in self.unknown if at in self.fields[name].cost)
        asks = [ask_for_fact(view.game.track(view.side_up("radius", name)), name) for name in near]
        untyped = not view.board.known("rail") and not view.flag("whole-network", self.around.side)
        if untyped and self._may_have_railroad(at):
            title = f"does a railroad in or next to {at} lead to a supply unit, past no enemy and no enemy zone"
            how = f"type it, as {at}={view.board.neighbours(at)[0]}, or {unit.id} supply=in|out"
            asks.append(
                Ask(kind="fact", name=f"railroad.{unit.id}", rule=self.tracing.supply_rule, title=title, how=how)
            )
        return tuple(asks)

    def _may_have_railroad(self, at: str) -> bool:
        """Whether a railroad that is not typed may supply a hex: some source stands clear of enemy zones, and so does a
        hex in or next to it.
        """
        around, view, shut = self.around, self.view, self.tracing.shut

        def is_open(place: str) -> bool:
            return place not in around.enemies | around.enemy_zones and view.word("terrain", place) != shut

        starts = any(map(is_open, self.units.values()))
        return starts and view.word("terrain", at) != shut and any(map(is_open, (at, *view.board.neighbours(at))))

    def unsupplied(self, unit: Unit) -> Supplied:
        """The supply of a unit that nothing known supplies: as it is stated, undecided while something is to be asked,
        or none, with the cause.
        """
        at = str(unit.place)
        supply = partial(Supplied, unit=unit.id, place=at)
        if stated := self.view.fact("supply", unit.id):
            return supply(supplied=stated.value == "in", by="stated")
        keeps = self.cause(at)
        if self.asks(unit):
            return supply(supplied=None, cause=keeps if keeps.by else None)
        return supply(supplied=False, cause=keeps)

    def cause(self, at: str) -> Cause:
        """The least that would have to be otherwise for a unit in a hex to be supplied: fewest hindrances first, a
        radius before a railroad, the shortest line.
        """
        shut, rule = self.tracing.shut, self.tracing.line_rule
        if not self.units:
            return nothing("source", "", "no supply unit of its side is on the map")
        if self.view.word("terrain", at) == shut:
            return nothing(shut, at, f"{at} is {shut}, into which no supply is traced ({rule})")
        near = at in self.ways.number
        causes = [*self._by_radius_but_for(at), *self._by_rail_but_for(at)] if near else []
        if not causes:
            return nothing("source", "", "no line leads to it from any supply unit")
        return min(causes, key=lambda cause: (cause.weight, cause.by != RADIUS, len(cause.line)))

    def _by_radius_but_for(self, at: str) -> Iterator[Cause]:
        """What each source would need for its radius to lead to a hex."""
        unknown = self.unknown
        for name, place in self.units.items():
            far = printed_radius(self.view, name)
            if name not in unknown and (
                keeps := out_of_radius(self.tracing, self.around, self.ways, name, place, far, at)
            ):
                yield keeps

    def _by_rail_but_for(self, at: str) -> Iterator[Cause]:
        """What would open a railroad from a source to a hex."""
        shut = self.around.enemies | self.around.enemy_zones
        lifting = Lifting(self.ways, self.tracing.rail, closed=shut)
        ends = [at, *self.next_to(at)]
        for name, place in self.units.items():
            if not is_on_railroad(self.ways, place):
                continue
            field = lifted_field(lifting, [place], most=MOST_HINDRANCES)
            for end in ends:
                if lifted := field.to(end):
                    line = lifted.line if end == at else (*lifted.line, at)
                    opened = (*((place,) if place in shut else ()), *lifted.opened)
                    keeps = tuple(in_the_way(self.around, Lifted(lifted.cost, line, opened), shut))
                    yield _but_for(f"by rail from {name} but for: ", keeps, source=name, by=RAILROAD, line=line)


def out_of_radius(
    tracing: Tracing, around: Around, ways: Crossings, name: str, place: str, far: int, at: str
) -> Cause | None:
    """The least that would have to be otherwise for the radius of a unit to lead to a hex; None where nothing that can
    be named keeps it off, or nothing does.

    name, place: the unit, and its hex; far: its radius, in hexes; at: the hex that it is to reach.
    """
    lifting = Lifting(ways, tracing.price, tracing.freed, around.enemies)
    field = lifted_field(lifting, [place], limit=price_within(far + BEYOND), most=MOST_HINDRANCES)
    line = field.to(at, price_within(far)) or field.to(at)
    if line is None:
        return None
    keeps, lacks = tuple(in_the_way(around, line)), len(line.line) - 1 - far
    lacking = f"within the radius of {name} but for: "
    if lacks > 0:
        text = f"{at} is {far + lacks} hexes from {name}, whose radius is {far}"
        keeps, lacking = (Hindrance(kind="range", where=name, lacks=lacks, text=text), *keeps), ""
    return _but_for(lacking, keeps, source=name, by=RADIUS, line=line.line)


def _but_for(lacking: str, keeps: Iterable[Hindrance], **of: Any) -> Cause:
    """The cause that keeps a unit from supply. lacking: what it lacks, in words, before the hindrances."""
    hindrances = tuple(keeps)
    return Cause(hindrances=hindrances, text=lacking + "; ".join(hindrance.text for hindrance in hindrances), **of)
