"""The questions `arrivals`, `place`, `mobilize` and `demobilize` (9, 10.4, 23.1, 23.2, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import Gather, InputError, note
from assistant.asking.permission import holding, permission, refused
from assistant.asking.question import AnyName, PlaceName, SideName, UnitName, declare
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import View, changed
from assistant.rules.arrival_places import open_places
from assistant.rules.arrivals import Coming, coming_unit
from assistant.rules.field import side_of
from assistant.rules.field.places import hexes_with
from assistant.state.changes import AnyChange, Gain
from assistant.state.state import Unit
from assistant.state.vocabulary import Hex, Side, UnitId

from ..calendar.schedule import (
    are_old_armies_gone,
    bars_by_phase,
    free_supply,
    is_agreed,
    is_waiting,
    read_rows,
    scheduled_units,
    supply_sources,
    units_to_come,
)
from ..forces import count_off, formation
from ..ground import SEA, at_war, controller, field, is_neutral, is_on_rails, own_in_1914, zone_in
from ..supply.reach import note_granted, supply_in
from ..terms import ARMIES, ARMY, AVAILABLE, FORTRESS, HEADQUARTERS, HOME, NEUTRALS, OWNER, SUPPLY, OpenHexes
from ..victory.points import Entry, enter_hexes, format_entry, take_hexes
from .newcomers import (
    KindAsked,
    NationAsked,
    Newcomer,
    Price,
    bars_by_cost,
    bars_by_time,
    bars_in_play,
    bars_to_sale,
    enter_play,
    price_of_newcomer,
    read_newcomer,
)

MAX_DEFENCE = 20
"""The highest defence factor of a Fortified Zone."""
MAX_SMALL_UNITS = 3
"""The maximum number of units that enter a hex in one phase, except Headquarters and armies (9.6)."""
MAX_PRODUCTION = {"austria-hungary": 2, "bulgaria": 1, "romania": 1}
"""The maximum number of supply units placed in a country in one turn (9.8).

Countries not listed have no limit.
"""
ENTRANCE_TRACKS = ("city", "map-edge", "objective", "edge", "named", "port", "coast")
"""The tracks of hexes where units may enter."""


# --- units that come at no cost ---------------------------------------------------------------------------------------


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """The units due for a side."""

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
    """Return the report on arrivals: units, supply units by country, and the hexes open to them.

    A unit that found no open hex stays due.

    Rule: 9.1, 9.2, 9.7/blocked, 9.8/CP, 9.8/AL
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
        gone = are_old_armies_gone(facts, side)
        expected = units_to_come(view, side)
        sources = supply_sources(facts, side)
        people = {due.unit: read_newcomer(facts, due.unit) for due in expected}
    dated = [due for due in expected if due.turn == turn or (due.turn < turn and is_waiting(view, due))]
    supply = Newcomer(id="supply", side=side, nation="", arm=SUPPLY, size="-")
    own = [country for country, owner in OWNER.items() if owner == side]
    result = Arrivals(
        side=side,
        units=tuple(msgspec.structs.replace(due, open=open_hexes(view, people[due.unit])) for due in dated),
        later=tuple(due for due in expected if due.turn > turn),
        supply=sum(source.units for source in sources),
        supply_hexes=open_hexes(view, supply),
        production={
            land: MAX_PRODUCTION.get(land) for land in own if at_war(view, NEUTRALS.get(land, "")) is not False
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
    text = "{unit}" + (", due since turn {turn}" if due.turn < turn else "")
    where = "{open}" if due.open else "to see where it may be placed, ask place unit={unit} at=HEX"
    return step(due.rule, f"{text}: {where}", due)


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be placed in a hex."""

    unit: UnitId
    at: Hex
    allowed: Annotated[bool, note("whether the unit may be placed in the hex")] = True


def place(
    view: View,
    *,
    unit: Annotated[AnyName, note("the id, such as Rus-9, or one of your own with kind and nation")],
    at: Annotated[PlaceName, note("the hex")],
    kind: KindAsked = "",
    nation: NationAsked = None,
) -> Report[Placing]:
    """Return the report on placing a unit that is due (9.4 to 9.7). Rule: 9.2, 10.4"""
    with view.gather() as facts:
        who = read_newcomer(facts, unit, kind, nation or "")
    title = f"Placing {who.unit} in {at}"
    placing = Placing(unit=who.unit, at=at)
    no = "{unit} may not be placed in {at}"
    if reasons := bars_in_play(view, who):
        return refused(title, no, reasons, placing, result=placing)
    with view.gather() as facts:
        reasons = bars_by_phase(view, who.side, "mobilization", "9.1")
        if who.arm == SUPPLY:
            reasons += bars_of_supply_received(view, who.side)
        else:
            reasons += bars_to_arrival(view, who, facts.integer("turn"))
        reasons += bars_to_placing(facts, who, at)
    changes = enter_play(view, who, at, "9.4", placed=True, arrives=None)
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


def bars_to_arrival(view: View, who: Newcomer, turn: int) -> Iterator[Step]:
    """Yield the reasons why a unit does not come at no cost in a turn. Rule: 9.2, Opt/Rev2-effects"""
    with view.gather() as facts:
        due = coming_unit(scheduled_units(facts, who.side), who.unit)
        gone = are_old_armies_gone(facts, who.side) and who.nation != "bolshevik"
    if due and turn < due.turn:
        yield step("9.2", "{unit} arrives in turn {turn}", due)
    elif due is None and who.nation not in ("bolshevik", "czech"):
        yield step("9.2", "{unit} is not due (if the Turn Record Chart lists it, state arrives=TURN)", who)
    if gone:
        yield step("Opt/Rev2-effects", "no units of the old armies arrive after the Second Revolution")


# --- units that are paid for ------------------------------------------------------------------------------------------


class Mobilization(msgspec.Struct, frozen=True, kw_only=True):
    """The cost of mobilizing a unit, and the turn of its arrival."""

    unit: UnitId
    side: Annotated[str, note("the side that pays")]
    price: Annotated[Price | None, note("the unit's price, null if the unit cannot be mobilized")] = None
    points: Annotated[int, note("Victory Points of the side")] = 0
    left: Annotated[int, note("Victory Points left to the side")] = 0
    arrives: Annotated[int, note("the game turn in which the unit arrives")] = 0
    open: OpenHexes = ()


def mobilize(
    view: View,
    *,
    unit: Annotated[
        AnyName, note("the id: one of the position or the roster, or one of your own with kind and nation")
    ],
    kind: KindAsked = "",
    nation: NationAsked = None,
    at: Annotated[
        PlaceName | None, note("the hex to place the unit in; if left out, only the cost is answered")
    ] = None,
    defence: Annotated[int, note("the defence factor of a Fortified Zone, if the position does not state it")] = 0,
) -> Report[Mobilization]:
    """Return the report on a unit that a side pays for.

    Raises InputError if no Fortified Zone has the defence factor.

    Rule: 9.1, 9.3, 9.5/delay, 9.9
    """
    with view.gather() as facts:
        who = read_newcomer(facts, unit, kind, nation or "")
    if not 0 <= defence <= MAX_DEFENCE:
        raise InputError(f"defence: {defence} is not a defence factor", hint=f"give 0 to {MAX_DEFENCE}")
    title = f"Mobilization of {who.unit}"
    no = "{unit} cannot be mobilized"
    result = Mobilization(unit=who.unit, side=who.side)
    if reasons := bars_to_sale(view, who) or bars_in_play(view, who):
        return refused(title, no, reasons, result, result=result)
    with view.gather() as facts:
        turn = facts.integer("turn")
        points = facts.integer("vp", who.side)
        unknown = who.arm == FORTRESS and not defence
        if unknown and who.unit in view.state.units:
            defence = facts.integer("defence", who.unit)
            unknown = False
        cost = price_of_newcomer(facts, who, defence)
        text = "it costs 3 Victory Points for each point of its defence factor: state defence=N"
        reasons = [
            *bars_by_phase(view, who.side, "mobilization", "9.1"),
            *holding([(unknown, "9.3", text)]),
            *bars_by_time(facts, who, cost),
            *bars_by_cost(points, cost.cost),
        ]
        if at and not cost.delay:
            reasons += bars_to_placing(facts, who, at)
    asked = at is None and not cost.delay and not reasons
    result = Mobilization(
        unit=who.unit,
        side=who.side,
        price=cost,
        points=points,
        left=points - cost.cost,
        arrives=turn + cost.delay,
        open=open_hexes(view, who) if asked else (),
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
            "Afterwards": format_entry(view, takes),
        },
        changes=changes,
        kind="figure",
    )


def pay_for_unit(
    view: View, who: Newcomer, cost: Price, entry: Entry, at: str | None, turn: int
) -> Iterator[AnyChange]:
    """Yield the changes as a unit is paid for: it waits for its turn, or is placed.

    `entry`: the hex that Volunteers enter, with its effects.

    Rule: 9.5/delay, Opt/Volunteer
    """
    yield Gain("vp", who.side, -cost.cost, cost.rule)
    if cost.delay:
        yield from enter_play(view, who, None, "9.5", arrives=turn + cost.delay)
        return
    yield from enter_play(view, who, at, "9.4", placed=True, arrives=None)
    yield from take_hexes(view, entry)
    # Volunteers take control of their hex, whoever controlled it before.
    if who.nation == "nationalist" and not entry.taken and view.word("control", str(at)) != who.side:
        yield changed(view, "control", str(at), who.side, "Opt/Volunteer")


# --- units taken off the map ------------------------------------------------------------------------------------------


class Demobilization(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be demobilized."""

    unit: UnitId
    source: Annotated[str, note("the supply unit or the fortress that supplies the unit, empty for none")] = ""
    allowed: Annotated[bool, note("whether the unit may be demobilized")] = True


def demobilize(view: View, *, unit: UnitName) -> Report[Demobilization]:
    """Return the report on a demobilization, which costs and restores no Victory Points.

    Raises InputError if the unit is not on the map, MissingFacts for its supply.

    Rule: 9.11
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


# --- where units may be placed ----------------------------------------------------------------------------------------


class Entrance(msgspec.Struct, frozen=True):
    """A special entrance of some units."""

    rule: str
    text: str
    unit: Annotated[str, note('the id, "" for any')] = ""
    nation: str = ""
    arm: str = ""
    option: str = ""
    country: str = ""
    edge: Annotated[str, note('the edge of the map, "" for any hex')] = ""
    site: Annotated[str, note("a flag of the hex, `rail` or a sea")] = ""
    cities: tuple[str, ...] = ()
    anyones: Annotated[bool, note("whether its side need not control the hex")] = False

    def takes(self, view: View, facts: View | Gather, at: str) -> bool:
        """Return whether units may enter at a hex by this entrance.

        `facts`: a `Gather`, which asks for unstated facts, or a `View`, which takes them as false.
        """
        if self.cities:
            return facts.word("named", at) in self.cities
        if self.country and facts.word("country", at) != self.country:
            return False
        if self.edge:
            return facts.word("edge", at) == self.edge
        if self.site == "rail":
            return is_on_rails(view, at)
        if self.site == "black-sea":
            return self.site in (view.word("port", at), view.word("coast", at))
        return not self.site or facts.flag(self.site, at)


def bars_to_placing(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return the reasons why a unit may not be placed in a hex."""
    return [*bars_by_occupation(facts, who, at), *bars_of_site(facts, who, at), *bars_by_limits(facts, who, at)]


def bars_by_occupation(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return the reasons that bar a hex: enemy units or zones, a neutral country, the sea. Rule: 9.7"""
    view = facts.view
    enemies = any(side_of(facts, unit) != who.side for unit in view.stack(at))
    zone = zone_in(field(facts).around(who.side), at)
    clauses = (
        (enemies, "9.7", "enemy units are in {at}"),
        (zone, "9.7", "{at} lies in {zone}"),
        (is_neutral(facts, facts.word("country", at)), "9.7", "{at} lies in a neutral country"),
        (view.word("terrain", at) == SEA, "9.7", "{at} is an all-sea hex"),
    )
    return holding(clauses, at=at, zone=zone)


def bars_of_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield the reasons why a unit cannot enter at a hex.

    Special entrances of the unit replace the usual ones.

    Rule: 9.4/4
    """
    if entrances := find_entrances(facts, who):
        yield from bars_of_own_entrances(facts, who, at, entrances)
    else:
        yield from bars_by_control(facts, who, at)
        if who.arm == SUPPLY:
            yield from bars_of_supply_site(facts, who, at)
        else:
            yield from bars_of_usual_site(facts, who, at)


def bars_by_control(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield a bar if the unit's side does not control a hex. Rule: 9.4/1, 9.4/2, 9.4/3, 9.4/4"""
    if controller(facts, at) != who.side:
        yield step("9.4", "the {side} do not control {at}", side=facts.view.title_of(who.side), at=at)


def bars_of_own_entrances(facts: Gather, who: Newcomer, at: str, entrances: Sequence[Entrance]) -> Iterator[Step]:
    """Yield the reasons why a unit with special entrances cannot enter at a hex.

    Rule: 9.4/4, 23.1/1, 23.1/2, 23.2, Opt/AEFR, Opt/CzLeg, Opt/Volunteer, Opt/Bolshevik-reinf
    """
    view = facts.view
    first = entrances[0]
    if not first.anyones:
        yield from bars_by_control(facts, who, at)
    # Stated facts come first, so that nothing is asked for if they are enough.
    if any(entrance.takes(view, view, at) for entrance in entrances):
        return
    lacking = first.site == "rail" and not is_on_rails(view, at)
    text = first.text + ", but none is stated at {at}" if lacking else first.text
    closed = not any(entrance.takes(view, facts, at) for entrance in entrances)
    yield from holding([(closed, first.rule, text)], who, first, at=at)


def bars_of_supply_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield the reasons why supply units cannot enter at a hex.

    They enter at a city or map edge of their side, or at a captured objective.

    Rule: 9.4/3
    """
    country = facts.word("country", at)
    produced = OWNER.get(country) == who.side and _is_site(facts, at)
    if not produced and (own_in_1914(country, who.side) or not facts.flag("objective", at)):
        text = "supply units enter only in cities and at map edges of their side, and in captured Strategic Objectives"
        yield step("9.4", text)


def bars_of_usual_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield the reasons why other units cannot enter at a hex.

    They enter at a city or map edge of their own country.

    Rule: 9.4/1, 9.4/2
    """
    if facts.word("country", at) != HOME.get(who.nation):
        yield step("9.4", "{at} is not in the country of {unit}", who, at=at)
    elif not _is_site(facts, at):
        yield step("9.4", "{at} is neither a city nor a map edge with a railroad", at=at)


def find_entrances(facts: Gather, who: Newcomer) -> list[Entrance]:
    """Return the special entrances of a unit, its own before those of its nation.

    After the Second Revolution supply units have the entrances of the Bolsheviks.

    Rule: 23.2, Opt/AEFR, Opt/Bolshevik-reinf
    """
    view = facts.view
    nation = who.nation
    arm = who.arm
    if arm == SUPPLY:
        nation = "bolshevik" if are_old_armies_gone(facts, who.side) else "none"
    entrances = []
    for row in read_rows(view.game, "entrances", Entrance):
        is_meant = row.unit in ("", who.unit) and row.nation in ("", nation) and row.arm in ("", arm)
        if is_meant and is_agreed(view, row.option):
            entrances.append(row)
    return entrances


def _is_site(facts: Gather, at: str) -> bool:
    """Return whether a hex is a city or a map edge with a railroad.

    Only deciding facts are asked for.
    """
    view = facts.view
    return view.flag("city", at) or view.flag("map-edge", at) or facts.flag("city", at) or facts.flag("map-edge", at)


def bars_by_limits(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return the reasons why a hex takes no more units in a phase, or a country no more supply units.

    Rule: 9.6, 9.8/CP, 9.8/AL, 23.1/1, 23.1/2
    """
    view = facts.view
    if who.arm == SUPPLY:
        country = facts.word("country", at)
        most = MAX_PRODUCTION.get(country) if OWNER.get(country) == who.side else None
        made = [
            unit.id for unit in _find_units_placed(view, SUPPLY) if view.word("country", str(unit.place)) == country
        ]
        text = "{units} have already been placed in {country}, where only {most} may be placed per turn"
        full = most is not None and len(made) >= most
        return holding([(full, "9.8", text)], units=made, country=country, most=most)
    here = [unit for unit in _find_units_placed(view) if unit.place == at and view.word("arm", unit.id) != SUPPLY]
    large = [unit for unit in here if view.word("arm", unit.id) == HEADQUARTERS or view.word("size", unit.id) in ARMIES]
    text = "{units} entered in {at} this phase: a hex takes only one Headquarters or army, or three other units"
    full = bool(here) and (bool(large) or who.is_large or len(here) >= MAX_SMALL_UNITS)
    return holding([(full, "9.6", text)], units=[unit.id for unit in here], at=at)


def _find_units_placed(view: View, arm: str = "", track: str = "placed") -> list[Unit]:
    placed = [unit for unit in view.units() if unit.place and view.flag(track, unit.id)]
    return [unit for unit in placed if arm in ("", view.word("arm", unit.id))]


def bars_of_supply_received(view: View, side: str) -> list[Step]:
    """Return the reasons why a side receives no more supply units at no cost this turn. Rule: 9.2"""
    here = [unit.id for unit in _find_units_placed(view, SUPPLY, "received") if view.side_of(unit.id) == side]
    if (due := free_supply(view, side)) is None:
        view.premises.assume(step("9.2", "the Turn Record Chart brings that many supply units this turn"))
        return []
    text = "{units} have already been placed at no cost, and only {supply:#supply unit} may be this turn"
    return holding([(len(here) >= due, "9.2", text)], units=here, supply=due)


def open_hexes(view: View, who: Newcomer) -> tuple[str, ...]:
    """Return the hexes that are known to take a unit. Rule: 9.7/blocked"""
    sites = sorted({at for track in ENTRANCE_TRACKS for at in hexes_with(view, track)})
    return open_places(view, sites, lambda facts, at: bars_to_placing(facts, who, at))


QUESTIONS = (
    declare("arrivals", "what is due for a side this turn, and where it may be placed", arrivals, decision=None),
    declare("place", "whether a unit that is due may be placed in a hex", place),
    declare("mobilize", "what a unit costs to mobilize, and whether it may be", mobilize),
    declare("demobilize", "whether a unit may be taken off the map in the Mobilization Phase", demobilize),
)
