"""General Supply: who has it, from where and along which hexes, and what keeps a unit from it (17.4 to 17.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.field import Around
from assistant.mechanics.lifting import Lifted, Lifting, lifted_field
from assistant.mechanics.tracing import CostField
from assistant.questions import Gather, View, note
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask
from assistant.state.state import Unit, hexside

from ..ground.zones import assume_zones
from ..terms import FORTRESS, SUPPLY
from .reach import (
    BEYOND,
    MARSH,
    along_railroads,
    crossings,
    in_reach,
    is_on_railroad,
    off_railroad,
    price,
    printed_radius,
    rail_price,
    within,
)

BOLSHEVIK = "bolshevik"
MOST_HINDRANCES = 4
"""Of how many hindrances a cause consists at most."""


class Hindrance(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that keeps a unit from General Supply."""

    kind: Annotated[str, note("enemy, zone, range, marsh, railroad or source")]
    where: Annotated[str, note("the hex, or the supply unit")]
    by: Annotated[tuple[str, ...], note("the enemy units behind it")] = ()
    lacks: Annotated[int, note("hexes that a radius is too short by, 0 for other kinds")] = 0
    text: Annotated[str, note("the same in words")]


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """The least that would have to be otherwise for a unit to be in General Supply: all of it together."""

    source: Annotated[str, note("the supply unit that would then supply it, empty if there is none")] = ""
    by: Annotated[str, note("radius or railroad, empty if nothing can be named")] = ""
    line: Annotated[tuple[str, ...], note("the line that would then lead to it, from the supply unit")] = ()
    hindrances: Annotated[tuple[Hindrance, ...], note("what would have to be otherwise")] = ()

    @property
    def text(self) -> str:
        """The cause in words."""
        told = "; ".join(one.text for one in self.hindrances)
        if not self.by or any(one.kind == "range" for one in self.hindrances):
            return told
        way = "within the radius of" if self.by == "radius" else "by rail from"
        return f"{way} {self.source} but for: {told}"


class General(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's General Supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    supplied: Annotated[bool | None, note("whether it is in General Supply, null where that is not certain")]
    by: Annotated[str, note("always, fortress, same hex, radius, railroad, stated, or empty")] = ""
    source: Annotated[str, note("the supply unit or the fortress, empty for none")] = ""
    line: Annotated[tuple[str, ...], note("the hexes of the line, from the supply unit")] = ()
    hexes: Annotated[int | None, note("length of the line in hexes, null without one")] = None
    cause: Annotated[Cause | None, note("what keeps it from supply as far as is known, null if it is supplied")] = None


class Sources(NamedTuple):
    """The supply units of a side with the hexes that they reach. unknown: those whose radius is not stated, with the hexes that they
    may reach; railroads: the hexes that a railroad links to one of them."""

    units: Mapping[str, str]
    fields: Mapping[str, CostField]
    unknown: frozenset[str]
    railroads: CostField


def sources_of(facts: Gather, around: Around) -> Sources:
    """The supply units of a side on the map, and how far each leads. Rule: 17.2"""
    view = facts.view
    units = {
        unit.id: str(unit.place)
        for unit in around.units
        if facts.word("arm", unit.id) == SUPPLY and view.board.is_hex(str(unit.place))
    }
    unknown = frozenset(name for name in units if view.fact(view.side_up("radius", name), name) is None)
    fields = {name: in_reach(facts, around, at, printed_radius(view, name)) for name, at in units.items()}
    return Sources(units, fields, unknown, along_railroads(facts, around, units.values()))


def general(facts: Gather, around: Around, sources: Sources, unit: Unit) -> General:
    """The General Supply of a unit on the map: the first of what 17.5 and 17.7 name that it has, or what keeps it from all of them.

    Rule: 17.5/1, 17.5/3
    """
    view, at = facts.view, str(unit.place)
    found = by_right(facts, around, unit) or in_hex_of_source(sources, unit)
    if found or not view.board.is_hex(at):
        return found or General(unit=unit.id, place=at, supplied=None)
    known = {name: field for name, field in sources.fields.items() if name not in sources.unknown and at in field.cost}
    if known:
        name = min(known, key=lambda name: known[name].cost[at])
        line = known[name].line(at)
        return General(unit=unit.id, place=at, supplied=True, by="radius", source=name, line=line, hexes=len(line) - 1)
    if line := line_by_rail(facts, around, sources, at):
        name = next(name for name, place in sources.units.items() if place == line[0])
        return General(
            unit=unit.id, place=at, supplied=True, by="railroad", source=name, line=line, hexes=len(line) - 1
        )
    if stated := view.fact("supply", unit.id):
        return General(unit=unit.id, place=at, supplied=stated.value == "in", by="stated")
    keeps = cause(facts, around, sources, at)
    if asks(view, around, sources, unit):
        return General(unit=unit.id, place=at, supplied=None, cause=keeps if keeps.by else None)
    return General(unit=unit.id, place=at, supplied=False, cause=keeps)


def by_right(facts: Gather, around: Around, unit: Unit) -> General | None:
    """The supply of a unit that needs no supply unit: supply units, fortresses and units in their hexes, and Bolsheviks are always
    supplied. A fortress supplies no other hex. Rule: 17.5/2, 17.7, Opt/Bolshevik-units
    """
    at = str(unit.place)
    if facts.word("arm", unit.id) in (SUPPLY, FORTRESS) or facts.word("nation", unit.id) == BOLSHEVIK:
        return General(unit=unit.id, place=at, supplied=True, by="always")
    inside = [one.id for one in around.units if one.place == at and facts.word("arm", one.id) == FORTRESS]
    return General(unit=unit.id, place=at, supplied=True, by="fortress", source=inside[0]) if inside else None


def in_hex_of_source(sources: Sources, unit: Unit) -> General | None:
    """The supply of a unit that stands with a supply unit, whatever else holds there. Rule: 17.4"""
    at = str(unit.place)
    beside = next((name for name, place in sources.units.items() if place == at), "")
    if not beside:
        return None
    return General(unit=unit.id, place=at, supplied=True, by="same hex", source=beside, line=(at,), hexes=0)


def line_by_rail(facts: Gather, around: Around, sources: Sources, at: str) -> tuple[str, ...]:
    """The line along railroads to a hex on or next to one, from the hex of a supply unit; empty if there is none. Rule: 17.5/3"""
    cost = sources.railroads.cost
    ends = [
        hex for hex in off_railroad(crossings(facts, around), at) if hex in cost
    ]  # of a railroad in the hex itself too
    return (*sources.railroads.line(min(ends, key=lambda hex: cost[hex])), at) if ends else ()


def asks(view: View, around: Around, sources: Sources, unit: Unit) -> tuple[Ask, ...]:
    """What decides whether a unit is supplied that nothing known supplies: the radius of a supply unit, or a railroad that only the
    player can see on his map."""
    at = str(unit.place)
    found = [
        ask_for_fact(view.game.track(view.side_up("radius", name)), name)
        for name in sorted(sources.unknown)
        if at in sources.fields[name].cost
    ]
    untyped = not view.board.known("rail") and not view.flag("whole-network", around.side)
    if untyped and may_have_railroad(view, around, sources, at):
        beyond = view.board.neighbours(at)[0]
        title = f"does a railroad in or next to {at} lead to a supply unit, past no enemy and no enemy zone"
        how = f"type it, as {at}={beyond}, or {unit.id} supply=in|out"
        found.append(Ask(kind="fact", name=f"railroad.{unit.id}", rule="17.5", title=title, how=how))
    return tuple(found)


def may_have_railroad(view: View, around: Around, sources: Sources, at: str) -> bool:
    """Whether a railroad that is not typed may supply a hex: some supply unit stands clear of enemy zones, and so does a hex in or next to it."""

    def is_open(hex: str) -> bool:
        return hex not in around.enemies | around.enemy_zones and view.word("terrain", hex) != MARSH

    starts = any(is_open(place) for place in sources.units.values())
    own = view.word("terrain", at) != MARSH
    return starts and own and any(is_open(hex) for hex in (at, *view.board.neighbours(at)))


# --- what keeps a unit from supply ----------------------------------------------------------------------------------------


def cause(facts: Gather, around: Around, sources: Sources, at: str) -> Cause:
    """The least that would have to be otherwise for a unit in a hex to be supplied: fewest hindrances first, a radius before a
    railroad, the shortest line."""
    view = facts.view
    if not sources.units:
        none = Hindrance(kind="source", where="", text="no supply unit of its side is on the map")
        return Cause(hindrances=(none,))
    if view.word("terrain", at) == MARSH:
        marsh = Hindrance(kind="marsh", where=at, text=f"{at} is marsh, into which no supply is traced (17.3)")
        return Cause(hindrances=(marsh,))
    found = [*by_radius(facts, around, sources, at), *by_railroad(facts, around, sources, at)]
    if not found:
        text = "no line leads to it from any supply unit"
        return Cause(hindrances=(Hindrance(kind="source", where="", text=text),))
    least = min(found, key=weight)
    assume_zones(view, [unit for one in least.hindrances for unit in one.by])
    return least


def weight(cause: Cause) -> tuple[int, bool, int]:
    """What makes a cause less likely to be the one that matters: hindrances, of which a range counts for each hex that it lacks, then
    a railroad, then the length of its line."""
    return sum(one.lacks or 1 for one in cause.hindrances), cause.by != "radius", len(cause.line)


def by_radius(facts: Gather, around: Around, sources: Sources, at: str) -> Iterator[Cause]:
    """What each supply unit would need for its radius to lead to a hex."""
    ways, open_price = crossings(facts, around), partial(price, zones=False)
    lifting = Lifting(ways, price, open_price, around.enemies)
    for name, place in sources.units.items():
        if name in sources.unknown:
            continue
        far = printed_radius(facts.view, name)
        limit = within(far + BEYOND)
        field = lifted_field(lifting, [place], limit=limit, most=MOST_HINDRANCES)
        if near := field.to(at, within(far)):
            yield Cause(source=name, by="radius", line=near.line, hindrances=tuple(hindrances(around, near)))
        elif beyond := field.to(at):
            away = len(beyond.line) - 1
            text = f"{at} is {away} hexes from {name}, whose radius is {far}"
            far_off = Hindrance(kind="range", where=name, lacks=away - far, text=text)
            yield Cause(source=name, by="radius", line=beyond.line, hindrances=(far_off, *hindrances(around, beyond)))


def by_railroad(facts: Gather, around: Around, sources: Sources, at: str) -> Iterator[Cause]:
    """What would open a railroad from a supply unit to a hex."""
    ways, shut = crossings(facts, around), around.enemies | around.enemy_zones
    lifting = Lifting(ways, rail_price, closed=shut)
    ends = [at, *off_railroad(ways, at)]
    for name, place in sources.units.items():
        if not is_on_railroad(ways, place):
            continue
        field = lifted_field(lifting, [place], most=MOST_HINDRANCES)
        for end in ends:
            if lifted := field.to(end):
                own = (place,) if place in shut else ()
                line = lifted.line if end == at else (*lifted.line, at)
                opened = Lifted(lifted.cost, line, (*own, *lifted.opened))
                yield Cause(source=name, by="railroad", line=line, hindrances=tuple(hindrances(around, opened, shut)))


def hindrances(around: Around, lifted: Lifted, zones: Collection[str] = ()) -> Iterator[Hindrance]:
    """What a line lifts: enemies in its hexes, and the zones of others that it leads through. zones: hexes in which these count at any
    rate."""
    named = set[str]()
    for hex in lifted.opened:
        if enemies := [unit.id for unit in around.field.enemies_at(around.side, hex)]:
            named.update(enemies)
            yield Hindrance(kind="enemy", where=hex, by=tuple(enemies), text=f"{' and '.join(enemies)} in {hex}")
    left = {here for here, there in pairwise(lifted.line) if hexside(here, there) in lifted.mended}
    for hex in dict.fromkeys((*lifted.opened, *lifted.line)):
        units = [unit.id for unit in around.field.reaching(around.side, hex)]
        if (hex in left or (hex in lifted.opened and hex in zones)) and not named.issuperset(units):
            named.update(units)
            yield Hindrance(kind="zone", where=hex, by=tuple(units), text=f"the zone of {' and '.join(units)} in {hex}")
