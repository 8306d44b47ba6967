"""General Supply: who has it, from where and along which hexes, and what keeps a unit from it (17.4 to 17.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from assistant.field import Around
from assistant.field.lines import price_within
from assistant.mechanics.lifting import Lifted, Lifting, lifted_field
from assistant.mechanics.tracing import CostField
from assistant.questions import Gather, View
from assistant.questions.asking import ask_for_fact
from assistant.questions.report import Ask
from assistant.readymade.supplied import Cause, Hindrance, Supplied, in_the_way, nothing
from assistant.state.state import Unit

from ..ground.countries import at_war
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
)

BOLSHEVIK = "bolshevik"
MOST_HINDRANCES = 4
"""Of how many hindrances a cause consists at most."""
RADIUS, RAILROAD = "radius", "railroad"


class Sources(NamedTuple):
    """The supply units of a side with the hexes that they reach. unknown: those whose radius is not stated, with the hexes that they
    may reach; railroads: the hexes that a railroad links to one of them."""

    units: Mapping[str, str]
    fields: Mapping[str, CostField]
    unknown: frozenset[str]
    railroads: CostField


def sources_of(facts: Gather, around: Around) -> Sources:
    """The supply units of a side on the map, and how far each leads; one that is turned over to entrench others supplies nobody.
    Rule: 17.2, Opt/Entrench/1
    """
    view = facts.view
    found = (one for one in around.units if facts.word("arm", one.id) == SUPPLY and view.board.is_hex(str(one.place)))
    units = {one.id: str(one.place) for one in found if not facts.flag("entrenched", one.id)}
    unknown = frozenset(name for name in units if view.fact(view.side_up("radius", name), name) is None)
    fields = {name: in_reach(facts, around, at, printed_radius(view, name)) for name, at in units.items()}
    return Sources(units, fields, unknown, along_railroads(facts, around, units.values()))


def general(facts: Gather, around: Around, sources: Sources, unit: Unit) -> Supplied:
    """The General Supply of a unit on the map: the first of what 17.5 and 17.7 name that it has, or what keeps it from all of them.

    Rule: 17.5/1, 17.5/3
    """
    view, at = facts.view, str(unit.place)

    def by(how: str, source: str = "", line: tuple[str, ...] = ()) -> Supplied:
        hexes = len(line) - 1 if line else None
        return Supplied(unit=unit.id, place=at, supplied=True, by=how, source=source, line=line, hexes=hexes)

    if is_always_supplied(facts, unit):
        return by("always")
    if fortress := fortress_in(facts, around, at):
        return by("fortress", fortress)
    if beside := source_in(sources, at):
        return by("same hex", beside, (at,))
    known = {name: field for name, field in sources.fields.items() if name not in sources.unknown and at in field.cost}
    if known:
        name = min(known, key=lambda name: known[name].cost[at])
        return by(RADIUS, name, known[name].line(at))
    if line := line_by_rail(facts, around, sources, at):
        return by(RAILROAD, source_in(sources, line[0]), line)
    if stated := view.fact("supply", unit.id):
        return Supplied(unit=unit.id, place=at, supplied=stated.value == "in", by="stated")
    keeps = cause(facts, around, sources, at)
    if asks(view, around, sources, unit):
        return Supplied(unit=unit.id, place=at, supplied=None, cause=keeps if keeps.by else None)
    return Supplied(unit=unit.id, place=at, supplied=False, cause=keeps)


def settled(facts: Gather, around: Around, sources: Sources, unit: Unit) -> Supplied:
    """The same; asks for what decides it and is not stated."""
    found = general(facts, around, sources, unit)
    for ask in asks(facts.view, around, sources, unit) if found.supplied is None else ():
        facts.ask(ask)
    return found


def supply_in(facts: Gather, around: Around, unit: Unit, at: str) -> Supplied:
    """The General Supply that a unit has in a hex, or would have there; asks for what decides it and is not stated."""
    return settled(facts, around, sources_of(facts, around), Unit(id=unit.id, type=unit.type, place=at))


def at_war_on_map(facts: Gather, around: Around) -> list[Unit]:
    """The units of a side in hexes, without those of nations that are known to be neutral."""
    units = (unit for unit in around.units if facts.view.board.is_hex(str(unit.place)))
    return [unit for unit in units if at_war(facts.view, facts.word("nation", unit.id)) is not False]


def is_always_supplied(facts: Gather, unit: Unit) -> bool:
    """Whether a unit is always in General Supply: supply units, fortresses and Bolsheviks are. Rule: 17.7, Opt/Bolshevik-units"""
    return facts.word("arm", unit.id) in (SUPPLY, FORTRESS) or facts.word("nation", unit.id) == BOLSHEVIK


def fortress_in(facts: Gather, around: Around, at: str) -> str:
    """The fortress that supplies a hex, "" for none: that of its side in it, and it supplies no other hex. Rule: 17.5/2, 17.7"""
    inside = (one.id for one in around.units if one.place == at and facts.word("arm", one.id) == FORTRESS)
    return next(inside, "")


def source_in(sources: Sources, at: str) -> str:
    """The supply unit that stands in a hex and supplies all others there, whatever else holds; "" for none. Rule: 17.4"""
    return next((name for name, place in sources.units.items() if place == at), "")


def line_by_rail(facts: Gather, around: Around, sources: Sources, at: str) -> tuple[str, ...]:
    """The line along railroads to a hex on or next to one, from the hex of a supply unit; empty if there is none. Rule: 17.5/3"""
    cost = sources.railroads.cost
    ends = [hex for hex in off_railroad(crossings(facts, around), at) if hex in cost]  # of one in the hex itself too
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
        title = f"does a railroad in or next to {at} lead to a supply unit, past no enemy and no enemy zone"
        how = f"type it, as {at}={view.board.neighbours(at)[0]}, or {unit.id} supply=in|out"
        found.append(Ask(kind="fact", name=f"railroad.{unit.id}", rule="17.5", title=title, how=how))
    return tuple(found)


def may_have_railroad(view: View, around: Around, sources: Sources, at: str) -> bool:
    """Whether a railroad that is not typed may supply a hex: some supply unit stands clear of enemy zones, and so does a hex in or next to it."""

    def is_open(hex: str) -> bool:
        return hex not in around.enemies | around.enemy_zones and view.word("terrain", hex) != MARSH

    starts = any(map(is_open, sources.units.values()))
    return starts and view.word("terrain", at) != MARSH and any(map(is_open, (at, *view.board.neighbours(at))))


# --- what keeps a unit from supply ----------------------------------------------------------------------------------------


def cause(facts: Gather, around: Around, sources: Sources, at: str) -> Cause:
    """The least that would have to be otherwise for a unit in a hex to be supplied: fewest hindrances first, a radius before a
    railroad, the shortest line."""
    view = facts.view
    if not sources.units:
        return nothing("source", "", "no supply unit of its side is on the map")
    if view.word("terrain", at) == MARSH:
        return nothing("marsh", at, f"{at} is marsh, into which no supply is traced (17.3)")
    found = [*by_radius(facts, around, sources, at), *by_railroad(facts, around, sources, at)]
    if not found:
        return nothing("source", "", "no line leads to it from any supply unit")
    least = min(found, key=lambda one: (one.weight, one.by != RADIUS, len(one.line)))
    assume_zones(view, [unit for one in least.hindrances for unit in one.by])
    return least


def by_radius(facts: Gather, around: Around, sources: Sources, at: str) -> Iterator[Cause]:
    """What each supply unit would need for its radius to lead to a hex."""
    lifting = Lifting(crossings(facts, around), price, partial(price, zones=False), around.enemies)
    for name, place in sources.units.items():
        if name in sources.unknown:
            continue
        far = printed_radius(facts.view, name)
        field = lifted_field(lifting, [place], limit=price_within(far + BEYOND), most=MOST_HINDRANCES)
        line = field.to(at, price_within(far)) or field.to(at)
        if line is None:
            continue
        keeps, lacks = tuple(in_the_way(around, line)), len(line.line) - 1 - far
        told = f"within the radius of {name} but for: "
        if lacks > 0:
            text = f"{at} is {far + lacks} hexes from {name}, whose radius is {far}"
            keeps, told = (Hindrance(kind="range", where=name, lacks=lacks, text=text), *keeps), ""
        yield Cause(
            source=name, by=RADIUS, line=line.line, hindrances=keeps, text=told + "; ".join(one.text for one in keeps)
        )


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
                line = lifted.line if end == at else (*lifted.line, at)
                opened = (*((place,) if place in shut else ()), *lifted.opened)
                keeps = tuple(in_the_way(around, Lifted(lifted.cost, line, opened), shut))
                told = f"by rail from {name} but for: " + "; ".join(one.text for one in keeps)
                yield Cause(source=name, by=RAILROAD, line=line, hindrances=keeps, text=told)
