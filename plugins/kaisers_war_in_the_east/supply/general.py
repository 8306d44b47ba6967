"""General Supply: who has it, from where and along which hexes, and what keeps a unit from it (17.4 to 17.7)."""

from __future__ import annotations

from assistant.field import Around
from assistant.questions import Gather
from assistant.readymade.sources import RADIUS, RAILROAD, Sources, printed_radius
from assistant.readymade.supplied import Supplied
from assistant.state.state import Unit

from ..ground.countries import at_war
from ..ground.zones import assume_zones
from ..terms import FORTRESS, SUPPLY
from .reach import TRACING, along_railroads, crossings, in_reach

BOLSHEVIK = "bolshevik"


def sources_of(facts: Gather, around: Around) -> Sources:
    """The supply units of a side on the map, and how far each leads; one that is turned over to entrench others supplies nobody.
    Rule: 17.2, Opt/Entrench/1
    """
    view = facts.view
    found = (one for one in around.units if facts.word("arm", one.id) == SUPPLY and view.board.is_hex(str(one.place)))
    units = {one.id: str(one.place) for one in found if not facts.flag("entrenched", one.id)}
    fields = {name: in_reach(facts, around, at, printed_radius(view, name)) for name, at in units.items()}
    railroads = along_railroads(facts, around, units.values())
    return Sources(TRACING, around, crossings(facts, around), units, fields, railroads)


def general(facts: Gather, sources: Sources, unit: Unit) -> Supplied:
    """The General Supply of a unit on the map: the first of what 17.5 and 17.7 name that it has, or what keeps it from all of them. A source in
    its hex supplies it whatever else holds, and so does a railroad that leads there from one, or to a hex next to it. A fortress supplies its own
    hex and no other.

    Rule: 17.4, 17.5/1, 17.5/2, 17.5/3, 17.7
    """
    at = str(unit.place)

    def by(how: str, source: str = "", line: tuple[str, ...] = ()) -> Supplied:
        hexes = len(line) - 1 if line else None
        return Supplied(unit=unit.id, place=at, supplied=True, by=how, source=source, line=line, hexes=hexes)

    if is_always_supplied(facts, unit):
        return by("always")
    inside = [one.id for one in sources.around.units if one.place == at and facts.word("arm", one.id) == FORTRESS]
    if inside:
        return by("fortress", inside[0])
    if beside := sources.beside(at):
        return by("same hex", beside, (at,))
    if reached := sources.by_radius(at):
        return by(RADIUS, *reached)
    if linked := sources.by_rail(at):
        return by(RAILROAD, *linked)
    found = sources.unsupplied(unit)
    assume_zones(facts.view, [enemy for one in (found.cause.hindrances if found.cause else ()) for enemy in one.by])
    return found


def settled(facts: Gather, sources: Sources, unit: Unit) -> Supplied:
    """The same; asks for what decides it and is not stated."""
    found = general(facts, sources, unit)
    for ask in sources.asks(unit) if found.supplied is None else ():
        facts.ask(ask)
    return found


def supply_in(facts: Gather, around: Around, unit: Unit, at: str) -> Supplied:
    """The General Supply that a unit has in a hex, or would have there; asks for what decides it and is not stated."""
    return settled(facts, sources_of(facts, around), Unit(id=unit.id, type=unit.type, place=at))


def at_war_on_map(facts: Gather, around: Around) -> list[Unit]:
    """The units of a side in hexes, without those of nations that are known to be neutral."""
    units = (unit for unit in around.units if facts.view.board.is_hex(str(unit.place)))
    return [unit for unit in units if at_war(facts.view, facts.word("nation", unit.id)) is not False]


def is_always_supplied(facts: Gather, unit: Unit) -> bool:
    """Whether a unit is always in General Supply: supply units, fortresses and Bolsheviks are. Rule: 17.7, Opt/Bolshevik-units"""
    return facts.word("arm", unit.id) in (SUPPLY, FORTRESS) or facts.word("nation", unit.id) == BOLSHEVIK
