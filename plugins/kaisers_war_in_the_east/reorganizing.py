"""What keeps units from breaking down, combining and converting (10.1 to 10.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from assistant.asking.permission import holding
from assistant.asking.report import Step, step
from assistant.asking.view import Gather, View
from assistant.rules.arrivals import coming_unit
from assistant.rules.setups import Instruction

from . import forces
from .calendar.schedule import LOW, Scenario, is_agreed, read_rows, scheduled_units
from .corps import is_alone
from .ground import field, side_of, zone_in
from .seasons import year_of
from .supply.reach import bar_to_expending, offensive_reach, out_of_reach
from .terms import ABTEILUNG, AVAILABLE, CORPS, DEAD_PILE, HEADQUARTERS, SUD, SUPPLY

CONVERSIONS_FROM = 1916
"""The first year in which Headquarters are converted (10.7)."""
MORALE_BINDS = ("austro-hungarian", "bulgarian", "russian")
"""The nations that form no armies while Morale is low."""


def bars_to_breaking(army: forces.Formation) -> list[Step]:
    """Return why a unit may not break down: it is not an army, or its armies have no corps. Rule: 10.0/Romania, 10.1"""
    clauses = (
        (not army.is_army, "10.1", "{id} is not an army"),
        (is_alone(army.nation), "10.0", "{nation:title} armies may not break down"),
    )
    return holding(clauses, army)[:1]


def bars_to_combining(
    corps: Sequence[forces.Formation], army: forces.Formation, wanted: Sequence[str]
) -> Iterator[Step]:
    """Yield why these corps do not make that army: their number, hex, nation or type.

    The Sud Army is made of a German and an Austro-Hungarian corps of infantry.

    `wanted`: the corps that the Reorganization Chart requires, by their nations.

    Rule: 10.2, 10.3, 10.5, 10.0/Romania, 21.1
    """
    if not army.is_army:
        yield step("10.2", "{id} is not an army", army)
        return
    hexes = sorted({unit.place for unit in corps})
    sud = army.id == SUD
    clauses = [
        (is_alone(army.nation), "10.0", "{nation:title} armies may not be formed from corps"),
        (len(hexes) > 1, "10.2", "the corps are in different hexes: {hexes}"),
    ]
    yield from holding(clauses, army, hexes=hexes)
    for unit in corps:
        foreign = not sud and (unit.nation, unit.arm) != (army.nation, army.arm)
        clauses = [
            (unit.size != CORPS, "10.2", "{id} is not a corps"),
            (foreign, "10.3", "{id} is {nation:title} {arm}, but {army} is not"),
        ]
        yield from holding(clauses, unit, army=army.id)
    mixed = sud and Counter((unit.nation, unit.arm) for unit in corps) != Counter(
        (nation, army.arm) for nation in wanted
    )
    clauses = [
        (len(corps) != len(wanted), "10.2", "{id} requires {wanted} corps, not {corps}"),
        (mixed, "21.1", "{id} requires one German and one Austro-Hungarian infantry corps"),
    ]
    yield from holding(clauses, army, wanted=len(wanted), corps=len(corps))


def bars_to_forming(facts: Gather, army: forces.Formation, side: str) -> Iterator[Step]:
    """Yield why an army may not be formed now: it is on the map, or has not been in play yet, as no Abteilung must.

    Rule: 9.3/armies, 9.10, 10.4, 10.5, 21.1, 26.6, 27.6, 28.6
    """
    view = facts.view
    known = facts.view.state.units.get(army.id)
    if known is not None and known.place not in (None, AVAILABLE, DEAD_PILE):
        yield step("10.4", "{id} stands in {place}", army, place=known.place)
        return
    met = known is not None and (known.place is not None or view.flag("met", army.id))
    if army.size == ABTEILUNG or met or is_begun_with(view, army.id):
        return
    due = coming_unit(scheduled_units(facts, side), army.id)
    if due is None:
        yield step(
            "10.4", "{id} is not known to have been in play (if it has, state it in the box: Available: {id})", army
        )
    elif facts.integer("turn") <= due.turn:
        yield step("10.4", "{unit} has not come into play yet: it arrives in turn {turn}", due)


def is_begun_with(view: View, unit: str) -> bool:
    """Return whether the scenario sets an army up, or leaves it for rebuilding. Rule: 27.6, 28.6"""
    scenario = view.word("scenario")
    orders = read_rows(view.game, "order-of-battle", Instruction)
    set_up = any((row.scenario, row.unit) == (scenario, unit) and is_agreed(view, row.option) for row in orders)
    left = (row.to_rebuild for row in read_rows(view.game, "scenarios", Scenario) if row.scenario == scenario)
    return set_up or any(unit in names for names in left)


def bars_by_morale(facts: Gather, army: forces.Formation, side: str) -> list[Step]:
    """Return a line where low Morale forbids the nation to form armies; the Germans may, and Sud too. Rule:
    Opt/Morale/2
    """
    if not is_agreed(facts.view, "morale") or army.nation not in MORALE_BINDS:
        return []
    points = facts.integer("vp", side)
    text = "with {points:#Victory Point}, Morale is low: {nation:title} corps may not form armies"
    return holding([(points <= LOW, "Opt/Morale/2", text)], army, points=points)


def bars_to_expending(view: View, supply: str | None, side: str, at: str) -> list[Step]:
    """Return a line that asks for a supply unit, or says why the one named does not serve a hex: what it is, and how
    far it reaches.

    Rule: 10.2, 10.7, 17.4, 17.9/3
    """
    if supply is None:
        return [step("10.2", "it must expend a supply unit whose radius includes the hex (supply=UNIT)")]
    with view.gather() as facts:
        unit = view.unit(supply)
        barred = bar_to_expending(facts, supply)
        whose = view.game.file.the_side(side)
        foreign = facts.word("arm", supply) != SUPPLY or side_of(facts, unit) != side
        clauses = [
            (foreign, "10.2", "{unit} is not a supply unit of {side}"),
            (unit.place is None or view.board.is_box(unit.place), "10.2", "{unit} is not on the map"),
            (barred, "10.2", "{unit} cannot be expended: {why_not}"),
        ]
        if barred_by := holding(clauses, unit=supply, side=whose, why_not=barred):
            return barred_by[:1]
        radius = offensive_reach(facts, supply, str(unit.place))
        why_not = out_of_reach(facts, field(facts).around(side), unit, radius, [at])
    return holding([(why_not, "10.2", "{id} in {place} does not reach {at}: {why_not}")], unit, at=at, why_not=why_not)


def bars_to_conversion(facts: Gather, unit: forces.Formation, side: str) -> Iterator[Step]:
    """Yield why a Headquarters may not be converted: its side, the year, an enemy zone, another one of its country, a
    revolution.

    One that is converted stays so. Rule: 10.7, 10.7/state, 9.5/year, MOB/HQ, Opt/Rev1-effects
    """
    view = facts.view
    if unit.arm != HEADQUARTERS:
        yield step("10.7", "{id} is not a Headquarters", unit)
        return
    year = year_of(facts.integer("turn"))
    zone = zone_in(field(facts).around(side), unit.place)
    converted = [other.id for other in view.units() if other.id != unit.id and view.flag("converted", other.id)]
    before = [other for other in converted if view.word("nation", other) == unit.nation]
    after_revolution = unit.nation == "russian" and facts.integer("revolution") > 0
    clauses = [
        (facts.flag("reversed", unit.id), "10.7", "{id} is already on its stronger side"),
        (year < CONVERSIONS_FROM, "10.7", "Headquarters may be converted only from 1916 on, but this is {year}"),
        (zone, "10.7", "{place} lies in {zone}"),
        (before, "10.7", "{other} of its country has already been converted this turn"),
        (after_revolution, "Opt/Rev1-effects", "Russian Headquarters may not be converted after a Revolution"),
    ]
    yield from holding(clauses, unit, year=year, other=before, zone=zone)
