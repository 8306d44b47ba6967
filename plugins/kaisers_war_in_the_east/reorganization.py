"""The question `reorganize`: armies into corps and back, conversions, and supply units turned over.

Rules 10, 21.1 and Optional Rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, note
from assistant.asking.permission import holding, permission
from assistant.asking.question import AnyName, UnitName, declare
from assistant.asking.report import Report, Step, step
from assistant.asking.view import Gather, View, changed, turned_over
from assistant.rules.arrivals import coming_unit
from assistant.rules.field import side_of
from assistant.rules.setups import Instruction
from assistant.state.changes import AnyChange, Gain

from . import forces
from .calendar.schedule import LOW_MORALE, Scenario, bars_by_phase, is_agreed, read_rows, scheduled_units
from .forces import (
    available_corps,
    bars_by_counters,
    corps_at_hand,
    corps_needed,
    count_off,
    is_alone,
    note_presumed_corps,
    place_corps,
)
from .ground import field, zone_in
from .mobilization.newcomers import bars_by_cost, enter_play, read_newcomer
from .seasons import year_of
from .supply.reach import bar_to_expending, offensive_reach, out_of_reach
from .terms import ABTEILUNG, AVAILABLE, CORPS, DEAD_PILE, FORTRESS, HEADQUARTERS, INFANTRY, SUD, SUPPLY, Cost

FIRST_CONVERSION_YEAR = 1916
"""The first year in which Headquarters are converted (10.7)."""
NATIONS_BOUND_BY_MORALE = ("austro-hungarian", "bulgarian", "russian")
"""The nations that form no armies while Morale is low."""


class Reorganization(msgspec.Struct, frozen=True, kw_only=True):
    """The reorganization of units."""

    units: Annotated[tuple[str, ...], note("the units that leave the map or are converted")]
    into: Annotated[tuple[str, ...], note("the units that replace them, where their ids are known")] = ()
    corps: Annotated[int, note("how many corps replace an army, or form one")] = 0
    supply: Annotated[str, note("the supply unit that is expended, empty for none")] = ""
    cost: Cost = 0
    allowed: Annotated[bool, note("whether it is allowed")] = True


def answer(
    view: View,
    *,
    break_: Annotated[UnitName | None, note("an army that breaks down")] = None,
    combine: Annotated[tuple[UnitName, ...], note("corps in one hex that form an army")] = (),
    into: Annotated[AnyName, note("the army that they form")] = "",
    convert: Annotated[UnitName | None, note("a Headquarters to convert")] = None,
    fortress: Annotated[UnitName | None, note("a fortress to turn into an infantry corps (optional rule)")] = None,
    entrench: Annotated[
        UnitName | None, note("a supply unit to turn over to entrench others, or back to its front (optional rule)")
    ] = None,
    supply: Annotated[UnitName | None, note("the supply unit that is expended")] = None,
) -> Report[Reorganization]:
    """Return the report on a reorganization.

    Raises InputError if no reorganization, or more than one, is described.

    Rule: 10.0
    """
    if sum(map(bool, (break_, combine, convert, fortress, entrench))) != 1 or bool(combine) != bool(into):
        hint = (
            "break=ARMY, combine=CORPS,CORPS into=ARMY supply=UNIT, convert=HQ supply=UNIT, fortress=UNIT, or "
            "entrench=UNIT"
        )
        raise InputError("state what to reorganize", hint=hint)
    if combine:
        return combination(view, combine, into, supply)
    if convert:
        return conversion(view, _require_unit(view, convert), supply)
    if break_:
        return breakdown(view, _require_unit(view, break_))
    if entrench:
        return entrenchment(view, _require_unit(view, entrench))
    return fortress_conversion(view, _require_unit(view, str(fortress)))


def _require_unit(view: View, name: str) -> forces.Formation:
    (unit,) = _require_units(view, [name])
    return unit


def _require_units(view: View, names: Sequence[str]) -> list[forces.Formation]:
    units = [view.unit(name) for name in names]
    for unit in units:
        if unit.place is None or view.board.is_box(unit.place):
            raise InputError(f"{unit.id} is not on the map", hint="name a unit that stands in a hex")
    with view.gather() as facts:
        return [forces.formation(facts, unit, fights=False) for unit in units]


def _report_on(
    title: str, reasons: Sequence[Step], result: Reorganization, steps: list[Step], changes: list[AnyChange]
) -> Report[Reorganization]:
    templates = ("{title} is allowed", "this is not allowed")
    working = {"Reorganization": steps}
    return permission(title, templates, reasons, result, working=working, changes=changes, title=title)


def breakdown(view: View, army: forces.Formation) -> Report[Reorganization]:
    """Return the report on an army that breaks down into corps of its nation and type. Rule: 10.1, 10.2/note, 9.10"""
    with view.gather() as facts:
        wanted = corps_needed(facts, army)
        side = view.side_of(army.id)
    kinds = [(nation, army.arm) for nation in wanted]
    corps = available_corps(army, wanted, corps_at_hand(view, kinds))
    reasons = [*bars_by_phase(view, side, "reorganization", "10.1"), *bars_to_breaking(army)]
    reasons += bars_by_counters(view, kinds)
    into = () if reasons else tuple(unit.id for unit in corps)
    note_presumed_corps(view, () if reasons else corps)
    result = Reorganization(units=(army.id,), into=into, corps=len(wanted))
    steps = [
        step("10.1", "{corps} corps take the place of {id} in {place}: {into}", result, army),
        step("10.2", "the breakdown returns no supply unit"),
    ]
    changes = [changed(view, "place", army.id, AVAILABLE, "9.10"), *place_corps(view, corps, "10.1")]
    return _report_on(f"The breakdown of {army.id}", reasons, result, steps, changes)


def combination(view: View, names: tuple[str, ...], into: str, supply: str | None) -> Report[Reorganization]:
    """Return the report on corps that form an army or Abteilung and expend a supply unit.

    Rule: 10.2, 10.4, SUP-summary/3
    """
    corps = _require_units(view, names)
    at = corps[0].place
    with view.gather() as facts:
        who = read_newcomer(facts, into)
    army = replace(who, place=at)
    with view.gather() as facts:
        wanted = corps_needed(facts, army)
        reasons = [
            *bars_by_phase(view, who.side, "reorganization", "10.2"),
            *bars_to_combining(corps, army, wanted),
            *bars_to_forming(facts, army, who.side),
            *bars_by_morale(facts, army, who.side),
            *bars_to_expending(view, supply, who.side, at),
        ]
    result = Reorganization(units=names, into=(army.id,), corps=len(wanted), supply=supply or "")
    changes: list[AnyChange] = [changed(view, "place", unit.id, AVAILABLE, "10.2") for unit in corps]
    changes += [
        *count_off(view, corps, 1, "10.2"),
        *expend_supply(view, supply, "10.2"),
        *enter_play(view, who, at, "10.2"),
    ]
    steps = [
        step("10.2", "{units} become {id} in {place}", result, army),
        step("10.2", "{supply} is expended", result),
    ]
    return _report_on(f"Forming {army.id}", reasons, result, steps, changes)


def expend_supply(view: View, supply: str | None, rule: str) -> list[AnyChange]:
    """Return the change by which a named supply unit leaves the map, or an empty list if none is named. Rule: 17.9/3"""
    return [changed(view, "place", supply, AVAILABLE, rule)] if supply else []


def conversion(view: View, unit: forces.Formation, supply: str | None) -> Report[Reorganization]:
    """Return the report on a Headquarters that is turned to its stronger side. Rule: 10.7, 10.7/state, SUP-summary/4"""
    side = view.side_of(unit.id)
    with view.gather() as facts:
        cost = int(str(facts.cell("mobilization", HEADQUARTERS).values["vp"]))
        reasons = [
            *bars_by_phase(view, side, "reorganization", "10.7"),
            *bars_to_conversion(facts, unit, side),
            *bars_by_cost(facts.integer("vp", side), cost),
            *bars_to_expending(view, supply, side, unit.place),
        ]
    result = Reorganization(units=(unit.id,), into=(unit.id,), supply=supply or "", cost=cost)
    turned = (*turned_over(view, "reversed", unit.id, True, "10.7"), changed(view, "converted", unit.id, True, "10.7"))
    changes: list[AnyChange] = [Gain("vp", side, -cost, "10.7"), *turned, *expend_supply(view, supply, "10.7")]
    steps = [
        step("10.7", "{id} is turned to its stronger side for good", unit),
        step("10.7", "it costs {cost:#Victory Point}, and {supply} is expended", result),
    ]
    return _report_on(f"The conversion of {unit.id}", reasons, result, steps, changes)


def fortress_conversion(view: View, unit: forces.Formation) -> Report[Reorganization]:
    """Return the report on a fortress that becomes an infantry corps. Rule: Opt/FortConv"""
    rule = "Opt/FortConv"
    side = view.side_of(unit.id)
    clauses = (
        (
            not is_agreed(view, "fortress-conversion"),
            rule,
            "fortress conversion is an optional rule (options=fortress-conversion)",
        ),
        (unit.arm != FORTRESS, rule, "{id} is not a fortress"),
    )
    reasons = [*bars_by_phase(view, side, "reorganization", rule), *holding(clauses, unit)]
    at_hand = corps_at_hand(view, [(unit.nation, INFANTRY)])
    corps = () if reasons else available_corps(replace(unit, arm=INFANTRY), [unit.nation], at_hand)
    if not reasons:
        reasons += bars_by_counters(view, [(unit.nation, INFANTRY)])
    placed = [*place_corps(view, corps, rule)]
    note_presumed_corps(view, corps)
    result = Reorganization(units=(unit.id,), into=tuple(unit.id for unit in corps), corps=1)
    text = "an infantry corps, {into}, takes the place of {id} in {place}, and the fortress never returns"
    changes: list[AnyChange] = [changed(view, "place", unit.id, None, rule), *placed]
    return _report_on(f"The conversion of {unit.id}", reasons, result, [step(rule, text, unit, result)], changes)


def entrenchment(view: View, unit: forces.Formation) -> Report[Reorganization]:
    """Return the report on a supply unit that is turned over to entrench others, or back to its front.

    Rule: Opt/Entrench/1
    """
    rule = "Opt/Entrench/1"
    side = view.side_of(unit.id)
    over = view.flag("entrenched", unit.id)
    clauses = (
        (not is_agreed(view, "entrenching"), rule, "entrenching is an optional rule (options=entrenching)"),
        (unit.arm != SUPPLY, rule, "{id} is not a supply unit"),
    )
    reasons = [*bars_by_phase(view, side, "reorganization", rule), *holding(clauses, unit)]
    text = "{id} is turned over to entrench others: it may neither move nor supply other units"
    if over:
        text = "{id} is turned back to its front"
    changes: list[AnyChange] = [changed(view, "entrenched", unit.id, not over, rule)]
    result = Reorganization(units=(unit.id,), into=(unit.id,))
    return _report_on(f"The entrenchment of {unit.id}", reasons, result, [step(rule, text, unit)], changes)


# --- reasons against a reorganization ---------------------------------------------------------------------------------


def bars_to_breaking(army: forces.Formation) -> list[Step]:
    """Return the reasons why a unit may not break down. Rule: 10.0/Romania, 10.1"""
    clauses = (
        (not army.is_army, "10.1", "{id} is not an army"),
        (is_alone(army.nation), "10.0", "{nation:title} armies may not break down"),
    )
    return holding(clauses, army)[:1]


def bars_to_combining(
    corps: Sequence[forces.Formation], army: forces.Formation, wanted: Sequence[str]
) -> Iterator[Step]:
    """Yield the reasons why corps do not form an army: their number, hex, nation or type.

    `wanted`: the nation of each corps that the army takes.

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
    """Yield the reasons why an army may not be formed now: it is on the map, or has not been in play yet.

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
    """Return the reason why low Morale forbids a nation to form armies. Rule: Opt/Morale/2"""
    if not is_agreed(facts.view, "morale") or army.nation not in NATIONS_BOUND_BY_MORALE:
        return []
    points = facts.integer("vp", side)
    text = "with {points:#Victory Point}, Morale is low: {nation:title} corps may not form armies"
    return holding([(points <= LOW_MORALE, "Opt/Morale/2", text)], army, points=points)


def bars_to_expending(view: View, supply: str | None, side: str, at: str) -> list[Step]:
    """Return the reasons why a supply unit does not serve a hex; one must be named. Rule: 10.2, 10.7, 17.4, 17.9/3"""
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
    """Yield the reasons why a Headquarters may not be converted.

    Rule: 10.7, 10.7/state, 9.5/year, MOB/HQ, Opt/Rev1-effects
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
        (year < FIRST_CONVERSION_YEAR, "10.7", "Headquarters may be converted only from 1916 on, but this is {year}"),
        (zone, "10.7", "{place} lies in {zone}"),
        (before, "10.7", "{other} of its country has already been converted this turn"),
        (after_revolution, "Opt/Rev1-effects", "Russian Headquarters may not be converted after a Revolution"),
    ]
    yield from holding(clauses, unit, year=year, other=before, zone=zone)


QUESTION = declare("reorganize", "whether units may break down, combine, be converted or turned over", answer)
