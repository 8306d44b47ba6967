"""The questions of the Mobilization Phase: `arrivals`, `place`, `mobilize` and `demobilize` (9, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import InputError, note
from assistant.asking.permission import holding, permission, refused
from assistant.asking.question import AnyName, PlaceName, SideName, UnitName, declare
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import View, changed
from assistant.rules.arrivals import Coming, coming_unit
from assistant.state.changes import AnyChange, Gain
from assistant.state.vocabulary import Hex, Side, UnitId

from ..calendar.schedule import (
    bars_by_phase,
    is_waiting,
    scheduled_units,
    standard_allies_gone,
    supply_sources,
    units_to_come,
)
from ..forces import count_off, formation
from ..ground import at_war, field, side_of
from ..supply.reach import note_granted, supply_in
from ..terms import ARMY, AVAILABLE, FORTRESS, NEUTRALS, OWNER, SUPPLY, OpenHexes
from ..victory.points import Entry, enter_hexes, format_ending, format_entry, take_hexes
from . import newcomers

MOST_DEFENCE = 20
"""The greatest defence factor that a Fortified Zone may be stated to have."""

# --- what is due ------------------------------------------------------------------------------------------------------


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """What is due for a side."""

    side: Side
    units: Annotated[tuple[Coming, ...], note("the units that are due, earliest first")]
    later: Annotated[tuple[Coming, ...], note("the units due in later turns, as far as known")]
    supply: Annotated[int, note("supply units at no cost")]
    supply_hexes: Annotated[tuple[str, ...], note("known hexes where supply units may be placed")]
    production: Annotated[
        dict[str, int | None], note("the most supply units placed in each country, null for no limit")
    ]


def arrivals(
    view: View, *, side: Annotated[SideName, note("the side whose Mobilization Phase it is")]
) -> Report[Arrivals]:
    """Return the report on what is due: units, supply units by country, and the hexes that are open to them.

    A unit that found no open hex stays due in the turns after. Rule: 9.1, 9.2, 9.7/blocked, 9.8/CP, 9.8/AL
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
        gone = standard_allies_gone(facts, side)
        expected = units_to_come(view, side)
        sources = supply_sources(facts, side)
        people = {due.unit: newcomers.read_newcomer(facts, due.unit) for due in expected}
    dated = [due for due in expected if due.turn == turn or (due.turn < turn and is_waiting(view, due))]
    supply = newcomers.Newcomer(id="supply", side=side, nation="", arm=SUPPLY, size="-")
    own = [country for country, owner in OWNER.items() if owner == side]
    result = Arrivals(
        side=side,
        units=tuple(msgspec.structs.replace(due, open=newcomers.open_hexes(view, people[due.unit])) for due in dated),
        later=tuple(due for due in expected if due.turn > turn),
        supply=sum(source.units for source in sources),
        supply_hexes=newcomers.open_hexes(view, supply),
        production={
            land: newcomers.PRODUCTION.get(land) for land in own if at_war(view, NEUTRALS.get(land, "")) is not False
        },
    )
    if not gone:
        text = "only these units arrive; the Turn Record Chart lists any others (state them: UNIT arrives=TURN)"
        view.premises.assume(step("9.2", text))
    supplies = [step(source.rule, "{units:#supply unit}: {why}", source) for source in sources]
    for country, most in result.production.items():
        text = "any number of them in {country}" if most is None else "at most {most} of them in {country}"
        supplies.append(step("9.8", text, SimpleNamespace(country=country.title(), most=most)))
    hexes = result.supply_hexes
    supplies += holding([(hexes, "9.4", "supply units may be placed in {hexes}")], hexes=hexes)
    text = "{units}; {supply:#supply unit}" if dated else "no units are due; {supply:#supply unit}"
    return Report(
        title=f"Arrivals of the {view.title_of(side)} in turn {turn}",
        verdict=verdict("figure", text, result, units=[due.unit for due in dated]),
        parts=(
            Part("Units", tuple(_arrival_step(due, turn) for due in result.units)),
            Part("Supply units", tuple(supplies)),
            Part("Later", tuple(step(due.rule, "{unit}: turn {turn}", due) for due in result.later)),
        ),
        result=result,
    )


def _arrival_step(due: Coming, turn: int) -> Step:
    """Return a unit that is due, in words."""
    text = "{unit}" + (", due since turn {turn}" if due.turn < turn else "")
    where = "{open}" if due.open else "to see where it may be placed, ask place unit={unit} at=HEX"
    return step(due.rule, f"{text}: {where}", due)


# --- units at no cost -------------------------------------------------------------------------------------------------


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be placed in a hex."""

    unit: UnitId
    at: Hex
    allowed: Annotated[bool, note("whether the unit may be placed in the hex")] = True


def place(
    view: View,
    *,
    unit: Annotated[AnyName, note("its id, such as Rus-9, or one of your own with kind and nation")],
    at: Annotated[PlaceName, note("the hex")],
    kind: newcomers.KindAsked = "",
    nation: newcomers.NationAsked = None,
) -> Report[Placing]:
    """Return the report on a placement: nothing is paid for it, so the unit must be due (9.4 to 9.7).
    Rule: 9.2, 10.4
    """
    with view.gather() as facts:
        who = newcomers.read_newcomer(facts, unit, kind, nation or "")
    title = f"Placing {who.unit} in {at}"
    placing = Placing(unit=who.unit, at=at)
    no = "{unit} may not be placed in {at}"
    if reasons := newcomers.bars_in_play(view, who):
        return refused(title, no, reasons, placing, result=placing)
    with view.gather() as facts:
        reasons = bars_by_phase(view, who.side, "mobilization", "9.1")
        if who.arm == SUPPLY:
            reasons += newcomers.bars_of_supply_received(view, who.side)
        else:
            reasons += bars_to_arrival(view, who, facts.integer("turn"))
        reasons += newcomers.bars(facts, who, at)
    changes = newcomers.enter_play(view, who, at, "9.4", placed=True, arrives=None)
    if who.size == ARMY:
        changes.append(changed(view, "met", who.unit, True, "10.4"))
    if who.arm == SUPPLY:
        changes.append(changed(view, "received", who.unit, True, "9.2"))
    return permission(
        title,
        ("{unit} may be placed in {at}", no),
        reasons,
        placing,
        working={
            "Placement": [step("9.4", "it may be placed in {at}, at no cost in Victory or Movement Points", at=at)]
        },
        changes=changes,
    )


def bars_to_arrival(view: View, who: newcomers.Newcomer, turn: int) -> Iterator[Step]:
    """Yield why a unit does not come in a turn at no cost: it is due later or not at all, or its army is gone.
    Rule: 9.2, Opt/Rev2-effects
    """
    with view.gather() as facts:
        due = coming_unit(scheduled_units(facts, who.side), who.unit)
        gone = standard_allies_gone(facts, who.side) and who.nation != "bolshevik"
    if due and turn < due.turn:
        yield step("9.2", "{unit} arrives in turn {turn}", due)
    elif due is None and who.nation not in ("bolshevik", "czech"):
        yield step("9.2", "{unit} is not due (if the Turn Record Chart lists it, state arrives=TURN)", who)
    if gone:
        yield step("Opt/Rev2-effects", "no units of the old armies arrive after the Second Revolution")


# --- units that are paid for ------------------------------------------------------------------------------------------


class Mobilization(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs."""

    unit: UnitId
    side: Annotated[str, note("the side that pays")]
    price: Annotated[newcomers.Price | None, note("the unit's price, null if the unit cannot be mobilized")] = None
    points: Annotated[int, note("Victory Points of the side")] = 0
    left: Annotated[int, note("Victory Points left to the side")] = 0
    arrives: Annotated[int, note("the game turn in which the unit arrives")] = 0
    open: OpenHexes = ()


def mobilize(
    view: View,
    *,
    unit: Annotated[
        AnyName, note("its id: one of the position or the roster, or one of your own with kind and nation")
    ],
    kind: newcomers.KindAsked = "",
    nation: newcomers.NationAsked = None,
    at: Annotated[
        PlaceName | None, note("the hex to place the unit in; if left out, only the cost is answered")
    ] = None,
    defence: Annotated[int, note("the defence factor of a Fortified Zone, if the position does not state it")] = 0,
) -> Report[Mobilization]:
    """Return the report on a unit that a side pays for. Raises InputError for a defence factor that no Fortified Zone
    has. Rule: 9.1, 9.3, 9.5/delay, 9.9
    """
    with view.gather() as facts:
        who = newcomers.read_newcomer(facts, unit, kind, nation or "")
    if not 0 <= defence <= MOST_DEFENCE:
        raise InputError(f"defence: {defence} is not a defence factor", hint=f"give 0 to {MOST_DEFENCE}")
    title = f"Mobilization of {who.unit}"
    no = "{unit} cannot be mobilized"
    result = Mobilization(unit=who.unit, side=who.side)
    if reasons := newcomers.bars_to_sale(view, who) or newcomers.bars_in_play(view, who):
        return refused(title, no, reasons, result, result=result)
    with view.gather() as facts:
        turn = facts.integer("turn")
        points = facts.integer("vp", who.side)
        unknown = who.arm == FORTRESS and not defence
        if unknown and who.unit in view.state.units:
            defence = facts.integer("defence", who.unit)
            unknown = False
        cost = newcomers.price_of_newcomer(facts, who, defence)
        text = "it costs 3 Victory Points for each point of its defence factor: state defence=N"
        reasons = [
            *bars_by_phase(view, who.side, "mobilization", "9.1"),
            *holding([(unknown, "9.3", text)]),
            *newcomers.bars_by_time(facts, who, cost),
            *newcomers.bars_by_cost(points, cost.cost),
        ]
        if at and not cost.delay:
            reasons += newcomers.bars(facts, who, at)
    asked = at is None and not cost.delay and not reasons
    result = Mobilization(
        unit=who.unit,
        side=who.side,
        price=cost,
        points=points,
        left=points - cost.cost,
        arrives=turn + cost.delay,
        open=newcomers.open_hexes(view, who) if asked else (),
    )
    clauses = (
        (True, cost.rule, "{unit} costs {cost:#Victory Point}" + (", doubled by low Morale" if cost.doubled else "")),
        (True, "5.5", "of {points:#Victory Point}, {left} will be left"),
        (cost.delay, "9.5", "it arrives {delay:#turn} later, in turn {arrives}"),
        (result.open, "9.4", "it may be placed in {open}"),
    )
    takes = enter_hexes(view, who.side, [at] if at and who.nation == "nationalist" else [], -cost.cost)
    changes = [*pay_for_unit(view, who, cost, takes, at, turn)] if (cost.delay or at) and not reasons else []
    return permission(
        title,
        ("{unit} costs {cost:#Victory Point}, leaving {left}; it arrives in turn {arrives}", no),
        reasons,
        result,
        cost,
        working={
            "Price": holding(clauses, result, cost),
            "Afterwards": [*format_entry(view, takes), *format_ending(view, changes)],
        },
        changes=changes,
        kind="figure",
    )


def pay_for_unit(
    view: View, who: newcomers.Newcomer, cost: newcomers.Price, takes: Entry, at: str | None, turn: int
) -> Iterator[AnyChange]:
    """Yield what changes as a unit is paid for: it waits for its turn, or is placed, where Volunteers take control.
    takes: what they take with their hex. Rule: 9.5/delay, Opt/Volunteer
    """
    yield Gain("vp", who.side, -cost.cost, cost.rule)
    if cost.delay:
        yield from newcomers.enter_play(view, who, None, "9.5", arrives=turn + cost.delay)
        return
    yield from newcomers.enter_play(view, who, at, "9.4", placed=True, arrives=None)
    yield from take_hexes(view, who.side, takes.taken)
    if who.nation == "nationalist" and not takes.taken and view.word("control", str(at)) != who.side:  # whoever held it
        yield changed(view, "control", str(at), who.side, "Opt/Volunteer")


# --- units taken off the map ------------------------------------------------------------------------------------------


class Demobilization(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be demobilized."""

    unit: UnitId
    source: Annotated[str, note("the supply unit or the fortress that supplies the unit, empty for none")] = ""
    allowed: Annotated[bool, note("whether the unit may be demobilized")] = True


def demobilize(view: View, *, unit: UnitName) -> Report[Demobilization]:
    """Return the report on a demobilization, which costs and restores no Victory Points.

    Raises InputError for a unit off the map, MissingFacts for its supply. Rule: 9.11
    """
    who = view.unit(unit)
    if who.place is None or view.board.is_box(who.place):
        raise InputError(f"unit: {unit} is not on the map", hint="name a unit that stands in a hex")
    with view.gather() as facts:
        side = side_of(facts, who)
        corps = formation(facts, who, fights=False)
        supplied = supply_in(facts, field(facts).around(side), who, who.place)
    note_granted(view, supplied.line)
    why = supplied.cause.text if supplied.cause else "as stated"
    cut = holding([(not supplied.supplied, "9.11", "{unit} cannot trace General Supply: {why}")], supplied, why=why)
    yes = "{unit} may be demobilized: no Victory Points change, and it may not be mobilized again this turn"
    return permission(
        f"Demobilization of {unit}",
        (yes, "{unit} may not be demobilized"),
        [*bars_by_phase(view, side, "mobilization", "9.11"), *cut],
        Demobilization(unit=unit, source=supplied.source),
        changes=[
            changed(view, "place", unit, AVAILABLE, "9.11"),
            changed(view, "demobilized", unit, True, "9.11"),
            *count_off(view, [corps], 1, "9.11"),
        ],
    )


QUESTIONS = (
    declare("arrivals", "what is due for a side this turn, and where it may be placed", arrivals, decision=None),
    declare("place", "whether a unit that is due may be placed in a hex", place),
    declare("mobilize", "what a unit costs to mobilize, and whether it may be", mobilize),
    declare("demobilize", "whether a unit may be taken off the map in the Mobilization Phase", demobilize),
)
