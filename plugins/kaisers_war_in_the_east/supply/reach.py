"""Lines of supply: the reach of sources, lines along railroads, and units in supply (17, 19.1, 22)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any

import msgspec

from assistant.asking import Gather, View, note
from assistant.mechanics.crossings import Crossing, Crossings, Ground
from assistant.mechanics.tracing import CostField, cost_field
from assistant.rules.field import SideField
from assistant.rules.field.lines import format_hexes, price_of_hex, price_within
from assistant.rules.supply import (
    RADIUS,
    RAILROAD,
    Sources,
    Supplied,
    Tracing,
    find_radius_cause,
    is_on_railroad,
    radius_or_max,
    ways_of_lines,
)
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitHex

from ..ground import SEA, assume_zones, at_war, between, is_neutral
from ..seasons import is_hard, season
from ..terms import FORTRESS, HEADQUARTERS, SUPPLY

MARSH = "marsh"
WINTER_RADIUS_HEXES = 1
"""Radius of Offensive Supply in winter (22.1)."""


def _gather_crossings(facts: Gather, around: SideField) -> Crossings:
    view = facts.view

    def ground(at: str) -> Ground:
        neutral = is_neutral(facts, view.word("country", at))
        return (("terrain", view.word("terrain", at)), ("neutral", neutral), ("zone", at in around.enemy_zones))

    def over(here: str, there: str) -> Ground:
        across = between(view, here, there)
        return (("sea", SEA in across.lies), ("rail", across.word("rail") == "rail"))

    return ways_of_lines(around, ground, over, lambda unit: view.word("arm", unit) in (SUPPLY, HEADQUARTERS))


def is_barred(kind: Crossing) -> bool:
    """Return whether a step is barred to every line of supply.

    A line may not leave or enter marsh, enter sea or a neutral country, or cross an all-sea hexside.

    Rule: 17.3
    """
    leaves = dict[str, Any](kind.leaves)
    over = dict[str, Any](kind.over)
    enters = dict[str, Any](kind.enters)
    marsh = MARSH in (leaves["terrain"], enters["terrain"])
    return over["sea"] or enters["neutral"] or marsh or enters["terrain"] == SEA


def price_of_step(kind: Crossing, *, zones: bool = True) -> int | None:
    """Return the cost of a step of a radius, or None if no line may take it.

    Of equal lines the one with fewest assumptions about terrain is chosen.

    `zones`: whether enemy zones count, which no line leaves.

    Rule: 13.7, 17.3
    """
    if is_barred(kind) or (zones and dict(kind.leaves)["zone"]):
        return None
    return price_of_hex(certain=bool(dict(kind.enters)["terrain"]))


def _price_freed_step(kind: Crossing) -> int | None:
    """Return the cost of a step of a radius that ignores enemy zones, or None if it is barred."""
    return price_of_step(kind, zones=False)


def rail_price(kind: Crossing) -> int | None:
    """Return the cost of a step along a railroad, or None without a railroad and in marsh.

    Rule: 17.5/3
    """
    return _price_freed_step(kind) if dict(kind.over)["rail"] else None


TRACING = Tracing(price_of_step, _price_freed_step, rail_price, is_barred, MARSH, line_rule="17.3", supply_rule="17.5")


def in_reach(facts: Gather, around: SideField, at: str, hexes: int, until: str = "") -> CostField:
    """Return the hexes within a radius, each with its distance and a shortest line.

    Lines lead into enemy zones but not out of them, never into enemies, marsh or neutral countries, nor across all-sea
    hexsides. The source's own hex is always within reach.

    `until`: a hex at which the search may end.

    Rule: 17.2, 17.3, 17.4
    """
    ways = _gather_crossings(facts, around)
    most = price_within(hexes)
    return format_hexes(cost_field(ways, price_of_step, {at: 0}, closed=around.enemies, limit=most, until=[until]))


def out_of_reach(facts: Gather, around: SideField, source: Unit, radius: int, hexes: Iterable[str]) -> str:
    """Return why a supply unit reaches none of some hexes, or "" if it reaches one.

    The reason is the distance to the nearest hex, the enemy zones in the way, or the lack of a line. Assumptions of the
    line that reaches a hex are noted.

    Rule: 17.2, 17.3
    """
    place = source.place or ""
    view = facts.view
    if not view.board.is_hex(place):
        return f"{source.id} is not on the map"
    asked = sorted(hexes)
    ways = _gather_crossings(facts, around)
    reached = in_reach(facts, around, place, radius)
    if near := [site for site in asked if site in reached.cost]:
        note_granted(view, reached.line(min(near, key=reached.cost.__getitem__)))
        return ""
    if not asked:
        return "there are no units to reach"
    tried = [find_radius_cause(TRACING, around, ways, source.id, place, radius, site) for site in asked]
    causes = [cause for cause in tried if cause]
    if not causes:
        far, nearest = min((view.board.distance(place, site), site) for site in asked)
        why = f"{nearest} is {far} hexes from {source.id}, whose radius is {radius}"
        return why if far > radius else "no line leads there"
    least = min(causes, key=lambda cause: cause.weight)
    assume_zones(view, [enemy for hindrance in least.hindrances for enemy in hindrance.by])
    return "; ".join(hindrance.text for hindrance in least.hindrances)


def along_railroads(facts: Gather, around: SideField, sources: Iterable[str]) -> CostField:
    """Return the railroad hexes linked to the hex of a supply unit, with the shortest ways.

    A way passes no enemy or enemy zone.

    Rule: 17.5/3
    """
    ways = _gather_crossings(facts, around)
    begins = {place: 0 for place in sources if is_on_railroad(ways, place)}
    return cost_field(ways, rail_price, begins, closed=around.enemies | around.enemy_zones)


def note_granted(view: View, line: Collection[str], rule: str = "17.3") -> None:
    """Note the assumptions about the hexes of a line in the report."""
    if len(line) > 1:
        for place in line:
            view.granted(
                "terrain", place, "clear", rule, "{hexes} assumed to be neither marsh nor sea (terrain not stated)"
            )
            view.granted(
                "country", place, "russia", rule, "{hexes} assumed to lie in no neutral country (country not stated)"
            )


# --- Offensive Supply -------------------------------------------------------------------------------------------------


def offensive_radius(printed: int, now: str, country: str, reading: str = "ring") -> int:
    """Return the radius in hexes of a supply unit's Offensive Supply, in hard weather at most 1.

    `country`: the country of its hex, which decides whether a thaw is hard.
    `reading`: the reading of ruling thaw-radius; by "hex" the radius is 0 in a thaw.

    Rule: 22.1/1
    """
    if not is_hard(now, country):
        return printed
    return 0 if now == "thaw" and reading == "hex" else min(printed, WINTER_RADIUS_HEXES)


def offensive_reach(facts: Gather, name: str, at: str) -> int:
    """Return the radius in hexes of a supply unit's Offensive Supply in this game turn."""
    view = facts.view
    now = season(facts)
    country = facts.word("country", at) if now == "thaw" else ""
    reading = view.ruling("thaw-radius", matters=now == "thaw" and is_hard(now, country))
    return offensive_radius(facts.integer("radius", name), now, country, reading)


class Offensive(msgspec.Struct, frozen=True, kw_only=True):
    """A supply unit that may be expended for Offensive Supply."""

    source: Annotated[str, note("the supply unit")]
    place: UnitHex
    radius: Annotated[int, note("the radius of the supply unit for Offensive Supply this game turn, in hexes")]
    why_not: Annotated[
        str, note("the reason why the supply unit gives no Offensive Supply this player turn, or empty if it does")
    ] = ""
    units: Annotated[tuple[str, ...], note("the units that the supply unit reaches")] = ()


def find_offensive_supply(
    facts: Gather, around: SideField, sources: Iterable[str], units: Iterable[Unit]
) -> Iterator[Offensive]:
    """Yield the supply units of a side, each with the units to which it can give Offensive Supply once it is expended.

    A supply unit that has moved gives none; one that was placed in this player turn may. It does not reach itself:
    another one must be expended for its Forced March.

    Rule: 17.9/1, 17.9/2, 17.10/1-3, 17.10/note, 17.12
    """
    asked = list(units)
    for name in sources:
        at = str(facts.view.unit(name).place)
        radius = offensive_reach(facts, name, at)
        reached = in_reach(facts, around, at, radius).cost
        reached_units = tuple(unit.id for unit in asked if unit.place in reached and unit.id != name)
        yield Offensive(
            source=name, place=at, radius=radius, why_not=bar_to_expending(facts, name), units=reached_units
        )


def bar_to_expending(facts: Gather, name: str) -> str:
    """Return why a supply unit gives no Offensive Supply in this player turn, or "" if it may."""
    if facts.flag("moved", name):
        return "it has moved this player turn"
    return "it is entrenched" if facts.flag("entrenched", name) else ""


# --- General Supply ---------------------------------------------------------------------------------------------------


BOLSHEVIK = "bolshevik"


def sources_of(facts: Gather, around: SideField) -> Sources:
    """Return the supply units of a side on the map and their reach.

    A unit that entrenches others supplies no units.

    Rule: 17.2, Opt/Entrench/1
    """
    view = facts.view
    supplies = (unit for unit in around.units if facts.word("arm", unit.id) == SUPPLY)
    on_map = (unit for unit in supplies if view.board.is_hex(str(unit.place)))
    units = {unit.id: str(unit.place) for unit in on_map if not facts.flag("entrenched", unit.id)}
    fields = {name: in_reach(facts, around, at, radius_or_max(view, name)) for name, at in units.items()}
    railroads = along_railroads(facts, around, units.values())
    return Sources(TRACING, around, _gather_crossings(facts, around), units, fields, railroads)


def judge_general_supply(facts: Gather, sources: Sources, unit: Unit) -> Supplied:
    """Return the General Supply of a unit on the map: its first source by 17.5 and 17.7, or the bars to all.

    A source in its hex always supplies the unit. So does a railroad there or adjacent that leads from a source. A
    fortress supplies its own hex alone.

    Rule: 17.4, 17.5/1, 17.5/2, 17.5/3, 17.7
    """
    at = str(unit.place)

    def supplied_by(means: str, source: str = "", line: tuple[str, ...] = ()) -> Supplied:
        hexes = len(line) - 1 if line else None
        return Supplied(unit=unit.id, place=at, supplied=True, by=means, source=source, line=line, hexes=hexes)

    if is_always_supplied(facts, unit):
        return supplied_by("always")
    there = [other.id for other in sources.around.units if other.place == at]
    inside = [name for name in there if facts.word("arm", name) == FORTRESS]
    if inside:
        return supplied_by("fortress", inside[0])
    if beside := sources.source_in(at):
        return supplied_by("same hex", beside, (at,))
    if reached := sources.nearest_by_radius(at):
        return supplied_by(RADIUS, *reached)
    if linked := sources.nearest_by_rail(at):
        return supplied_by(RAILROAD, *linked)
    unsupplied = sources.unsupplied(unit)
    hindrances = unsupplied.cause.hindrances if unsupplied.cause else ()
    assume_zones(facts.view, [enemy for hindrance in hindrances for enemy in hindrance.by])
    return unsupplied


def settle_supply(facts: Gather, sources: Sources, unit: Unit) -> Supplied:
    """Return the General Supply of a unit on the map, and ask for the facts that decide it."""
    state = judge_general_supply(facts, sources, unit)
    if state.supplied is None:
        for ask in sources.asks(unit):
            facts.ask(ask)
    return state


def supply_in(facts: Gather, around: SideField, unit: Unit, at: str) -> Supplied:
    """Return the General Supply that a unit has or would have in a hex, and ask for the facts that decide it."""
    return settle_supply(facts, sources_of(facts, around), Unit(id=unit.id, type=unit.type, place=at))


def at_war_on_map(facts: Gather, around: SideField) -> list[Unit]:
    """Return the units of a side in hexes, except units of nations known to be neutral."""
    units = (unit for unit in around.units if facts.view.board.is_hex(str(unit.place)))
    return [unit for unit in units if at_war(facts.view, facts.word("nation", unit.id)) is not False]


def is_always_supplied(facts: Gather, unit: Unit) -> bool:
    """Return whether a unit is always in General Supply: a supply unit, a fortress or a Bolshevik.

    Rule: 17.7, Opt/Bolshevik-units
    """
    return facts.word("arm", unit.id) in (SUPPLY, FORTRESS) or facts.word("nation", unit.id) == BOLSHEVIK
