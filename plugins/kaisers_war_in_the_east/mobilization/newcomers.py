"""Units that are to come onto the map: what they are, what they cost, when they may come and where, and what changes as
they do (9.3 to 9.9, 23.1, 23.2, Optional Rules).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from assistant.asking import Gather, InputError, NationName, Step, View, changed, holding, note, step
from assistant.asking.permission import bars_by_option
from assistant.rules.arrivals import open_places
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange
from assistant.state.state import Unit
from assistant.state.vocabulary import UnitSide

from .. import ground
from ..calendar.schedule import LOW, free_supply, is_agreed, is_morale_low, read_rows, standard_allies_gone
from ..forces import Formation, bars_by_counters, count_off, describe_newcomer
from ..terms import ALLIES, ARMIES, CORPS, FORTRESS, HEADQUARTERS, HOME, OWNER, SUPPLY, Cost

Kind = Literal[
    "", "infantry-corps", "cavalry-corps", "marine-corps", "alpine-corps", "shock-corps",
    "supply", "fortress", "armoured-train", "airbase",
]  # fmt: skip
"""The kinds of units on the Mobilization Chart."""
KindAsked = Annotated[Kind, note("its kind, for a unit that neither the position nor the roster knows")]
NationAsked = Annotated[
    NationName | None, note("its nation, for a unit that neither the position nor the roster knows")
]


class Newcomer(Formation, frozen=True, kw_only=True):
    """A unit that is to come onto the map."""

    side: UnitSide
    place: str = ""

    @property
    def unit(self) -> str:
        """Its id, as reports name it."""
        return self.id

    @property
    def kind(self) -> str:
        """The line of the Mobilization Chart for such a unit, if it has one."""
        return f"{self.arm}-corps" if self.size == CORPS else self.arm

    @property
    def is_large(self) -> bool:
        """Whether it fills the room for units of a hex: a Headquarters or an army. Rule: 9.6"""
        return self.arm == HEADQUARTERS or self.size in ARMIES


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs."""

    cost: Cost
    doubled: Annotated[bool, note("whether low Morale has doubled the cost")] = False
    delay: Annotated[int, note("game turns until the unit arrives")] = 0
    first: Annotated[int, note("the first year in which the unit may be mobilized")] = 1914
    last: Annotated[int, note("the last year in which the unit may be mobilized")] = 1918
    each: Annotated[bool, note("whether each country may mobilize only one per turn")] = False
    rule: Annotated[str, note("the rule that names the price")] = "9.3"


class Offer(msgspec.Struct, frozen=True):
    """A unit that an optional rule lets a side mobilize: its price, and the first year."""

    nation: str
    arm: str
    size: str
    vp: int
    first: int
    rule: str


def read_newcomer(facts: Gather, unit: str, kind: str = "", nation: str = "") -> Newcomer:
    """Return a unit by its id: as the position or the roster has it, or else of a kind and nation that are stated.

    Raises InputError for a unit that neither knows and that is not described, and for an id that is empty or that of a
    hex.
    """
    view = facts.view
    if not unit.strip() or re.fullmatch("[0-9]{4}", unit):
        raise InputError(f"unit: {unit!r} is not the id of a unit", hint="name it, such as Rus-9")
    word: dict[str, Any]
    if unit in view.state.units:
        word = {name: facts.word(name, unit) for name in ("nation", "arm", "size")}
    elif unit in view.game.roster:
        word = {name: str(view.game.roster[unit][name][0].value) for name in ("nation", "arm", "size")}
    elif kind and nation:
        arm = kind.removesuffix("-corps")
        word = {"nation": nation, "arm": arm, "size": "-" if arm == kind else CORPS}
    else:
        hint = "state its kind and nation: kind=infantry-corps nation=german"
        raise InputError(f"unit: {unit!r} is not known", hint=hint)
    return Newcomer(id=unit, side=view.game.side_of(word["nation"]) if word["nation"] else "", **word)


def find_offer(view: View, who: Newcomer) -> Offer | None:
    """Return the optional rule by which a unit may be mobilized, None for one of the standard game.
    Rule: Opt/AEFR, Opt/Volunteer, MOB/optional
    """
    key = (who.nation, who.arm, who.size)
    return next((row for row in read_rows(view.game, "offers", Offer) if (row.nation, row.arm, row.size) == key), None)


def bars_to_sale(view: View, who: Newcomer) -> list[Step]:
    """Return why a unit cannot be mobilized at all: it comes by schedule alone, or from corps.
    Rule: 9.2, 9.3, 9.3/armies, 9.10
    """
    known = find_offer(view, who) or who.kind in view.game.chart("mobilization").keys[0].values
    clauses = (
        (who.arm == HEADQUARTERS, "9.10", "Headquarters arrive by schedule and are never rebuilt"),
        (who.size in ARMIES, "9.3", "armies arrive by schedule; combine corps to build one again (ask reorganize)"),
        (who.nation == "turkish", "9.2", "the Turkish corps arrives by schedule"),
        (who.nation in ("bolshevik", "czech"), "9.3", "{nation:title} units come only by the rules on Revolutions"),
        (not known, "9.3", "the Mobilization Chart lists no {arm} of size {size}"),
    )
    return holding(clauses, who)[:1]


def price_of_newcomer(facts: Gather, who: Newcomer, defence: int) -> Price:
    """Return what a unit costs by the Mobilization Chart or an optional rule, doubled by low Morale. defence: of a
    fortress. Rule: 9.3, 9.5/year, 9.5/delay, 9.9, MOB/Build, MOB/optional, Opt/Morale/1, Opt/AEFR, Opt/Volunteer
    """
    doubled = is_morale_low(facts, who.side)
    times = 2 if doubled else 1
    if optional := find_offer(facts.view, who):
        return Price(cost=optional.vp * times, doubled=doubled, first=optional.first, rule=optional.rule)
    cell = facts.cell("mobilization", who.kind).values
    cost = int(str(cell["vp"])) * times
    if who.arm == FORTRESS:
        cost *= defence
    return Price(
        cost=cost,
        doubled=doubled,
        delay=int(str(cell["delay"])),
        first=int(str(cell["first"])),
        last=int(str(cell["last"])),
        each=cell["each"] == "one",
    )


def bars_by_cost(points: int, cost: int) -> list[Step]:
    """Return why a side cannot pay: points left must stay above zero. Rule: 5.5"""
    text = "{cost:#Victory Point} of {points} would leave {left}, but at least 1 must remain"
    return holding([(points - cost < 1, "5.5", text)], cost=cost, points=points, left=points - cost)


def bars_by_time(facts: Gather, who: Newcomer, cost: Price) -> list[Step]:
    """Return why a unit cannot be mobilized this turn: its years, its country, one a turn, or demobilized in it.
    Rule: 9.5/year, 9.11, MOB/limits, Opt/AEFR, Opt/Volunteer, Opt/Rev2-effects
    """
    view = facts.view
    turn = facts.integer("turn")
    by = find_offer(facts.view, who)
    rule = by.rule if by else "9.5"
    year = ground.year_of(turn)
    other = _find_waiting_like(view, who, turn + cost.delay) if cost.each else ""
    rich = who.nation == "nationalist" and facts.integer("vp", ALLIES) > LOW
    gone = standard_allies_gone(facts, who.side)
    clauses = (
        (
            not cost.first <= year <= cost.last,
            rule,
            "it may be mobilized only from {first} to {last}, but this is {year}",
        ),
        (rich, "Opt/Volunteer", "volunteers enter only with 25 Victory Points or fewer, but the Allies have {points}"),
        (ground.at_war(view, who.nation) is False, "23.0", "{country:title} is neutral"),
        (gone, "Opt/Rev2-effects", "nothing is mobilized for the Allies after the Second Revolution"),
        (view.flag("demobilized", who.unit), "9.11", "{unit} was demobilized this turn"),
        (other, "9.5", "its country has mobilized {other} this turn, and one {arm} corps per turn is the limit"),
    )
    country = HOME.get(who.nation, "")
    points = view.integer("vp", ALLIES)
    return holding(clauses, cost, who, year=year, points=points, other=other, country=country)


def _find_waiting_like(view: View, who: Newcomer, arrives: int) -> str:
    """Return the id of another unit of the nation and type that waits to arrive in a turn, "" if there is none."""
    for unit in view.units():
        same = (view.word("nation", unit.id), view.word("arm", unit.id)) == (who.nation, who.arm)
        if unit.place is None and unit.id != who.unit and same and view.integer("arrives", unit.id) == arrives:
            return unit.id
    return ""


def bars_in_play(view: View, who: Newcomer) -> list[Step]:
    """Return why there is no counter for a unit: its optional rule is not in force, it stands on the map already, or no
    corps of its kind is off the map. Rule: 9.5
    """
    if off := [*bars_by_option(view, {who.unit: {"nation": who.nation, "arm": who.arm, "size": who.size}})]:
        return off
    place = view.state.units[who.unit].place if who.unit in view.state.units else None
    there = place is not None and not view.board.is_box(place)
    text = "{unit} is already in {place}, and the counters limit the number of units"
    counted = [(who.nation, who.arm)] if who.size == CORPS else []
    return holding([(there, "9.5", text)], who, place=place) or [*bars_by_counters(view, counted)]


def enter_play(view: View, who: Newcomer, at: str | None, rule: str, **more: int | bool | None) -> list[AnyChange]:
    """Return what changes as a unit enters a hex, or waits off the map. more: what else is stated of it then, by track;
    None removes it.
    """
    known = view.state.units.get(who.unit)
    comes = [bring_unit(view, who.unit, at, rule)] if known is None or known.place != at else []
    counted = count_off(view, [who], -1, rule) if at else ()
    made = [changed(view, track, who.unit, value, rule) for track, value in more.items()]
    return [
        *comes,
        *describe_newcomer(view, who, rule),
        *counted,
        *(change for change in made if change.before != change.after),
    ]


# --- where they may be placed -----------------------------------------------------------------------------------------


SMALL = 3
"""Units, other than a Headquarters or an army, that are placed in a hex in one Mobilization Phase (9.6)."""
PRODUCTION = {"austria-hungary": 2, "bulgaria": 1, "romania": 1}
"""The most supply units placed in a country in one turn; in the others there is no limit (9.8)."""


SITES = ("city", "map-edge", "objective", "edge", "named", "port", "coast")
"""What is stated of hexes where units may enter."""


class Entrance(msgspec.Struct, frozen=True):
    """Where units enter that have a rule of their own."""

    rule: str
    text: str
    unit: Annotated[str, note('its id, "" for any')] = ""
    nation: str = ""
    arm: str = ""
    option: str = ""
    country: str = ""
    edge: Annotated[str, note('the edge of the map, "" for any hex')] = ""
    site: Annotated[str, note("a flag of the hex, `rail` or a sea")] = ""
    cities: tuple[str, ...] = ()
    anyones: Annotated[bool, note("whether its side need not control the hex")] = False

    def takes(self, view: View, facts: View | Gather, at: str) -> bool:
        """Return whether a hex is such a one. facts: what is not stated is asked for, or by the view counts as not
        so.
        """
        if self.cities:
            return facts.word("named", at) in self.cities
        if self.country and facts.word("country", at) != self.country:
            return False
        if self.edge:
            return facts.word("edge", at) == self.edge
        if self.site == "rail":
            return ground.is_on_rails(view, at)
        if self.site == "black-sea":
            return self.site in (view.word("port", at), view.word("coast", at))
        return not self.site or facts.flag(self.site, at)


def bars(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return every reason why a unit may not be placed in a hex; none if it may."""
    return [*bars_by_occupation(facts, who, at), *bars_of_site(facts, who, at), *bars_by_limits(facts, who, at)]


def bars_by_occupation(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return what bars a hex: enemy units or their zones, a neutral country, the sea. Rule: 9.7"""
    view = facts.view
    enemies = any(ground.side_of(facts, unit) != who.side for unit in view.stack(at))
    zone = ground.zone_in(ground.field(facts).around(who.side), at)
    clauses = (
        (enemies, "9.7", "enemy units are in {at}"),
        (zone, "9.7", "{at} lies in {zone}"),
        (ground.is_neutral(facts, facts.word("country", at)), "9.7", "{at} lies in a neutral country"),
        (view.word("terrain", at) == ground.SEA, "9.7", "{at} is an all-sea hex"),
    )
    return holding(clauses, at=at, zone=zone)


def bars_of_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield a hex where units of this kind do not enter: neither a city nor a map edge of their own country, or not
    controlled; some kinds have their own entrances, and supply units enter in captured objectives too.
    Rule: 9.4/1, 9.4/2, 9.4/3, 9.4/4, 23.1/1, 23.1/2, 23.2, Opt/AEFR, Opt/CzLeg, Opt/Volunteer, Opt/Bolshevik-reinf
    """
    view = facts.view
    own = find_entrances(facts, who)
    first = next(iter(own), None)
    if (first is None or not first.anyones) and ground.controller(facts, at) != who.side:
        yield step("9.4", "the {side} do not control {at}", side=view.title_of(who.side), at=at)
    if first:
        text = first.text + (
            ", but none is stated at {at}" if first.site == "rail" and not ground.is_on_rails(view, at) else ""
        )
        # What is stated comes first, so that nothing is asked for where it is enough.
        taken = any(land.takes(view, view, at) for land in own) or any(land.takes(view, facts, at) for land in own)
        yield from holding([(not taken, first.rule, text)], who, first, at=at)
    elif who.arm == SUPPLY:
        country = facts.word("country", at)
        produced = OWNER.get(country) == who.side and _is_site(facts, at)
        if not produced and (ground.own_in_1914(country, who.side) or not facts.flag("objective", at)):
            text = (
                "supply units enter only in cities and at map edges of their side, and in captured Strategic Objectives"
            )
            yield step("9.4", text)
    elif facts.word("country", at) != HOME.get(who.nation):
        yield step("9.4", "{at} is not in the country of {unit}", who, at=at)
    elif not _is_site(facts, at):
        yield step("9.4", "{at} is neither a city nor a map edge with a railroad", at=at)


def find_entrances(facts: Gather, who: Newcomer) -> list[Entrance]:
    """Return the entrances of a unit if it has its own, those for it alone before those of its nation; after the Second
    Revolution supply units have the Bolsheviks'.
    Rule: 23.2, Opt/AEFR, Opt/Bolshevik-reinf
    """
    view, nation, arm = facts.view, who.nation, who.arm
    if arm == SUPPLY:
        nation = "bolshevik" if standard_allies_gone(facts, who.side) else "none"
    return [
        row
        for row in read_rows(view.game, "entrances", Entrance)
        if row.unit in ("", who.unit) and row.nation in ("", nation) and row.arm in ("", arm)
        if is_agreed(view, row.option)
    ]


def _is_site(facts: Gather, at: str) -> bool:
    """Return whether a hex is a city or a map edge with a railroad; a fact is asked for only where the other does not
    settle it.
    """
    view = facts.view
    return view.flag("city", at) or view.flag("map-edge", at) or facts.flag("city", at) or facts.flag("map-edge", at)


def bars_by_limits(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Return what is more than a hex takes in one Mobilization Phase, or more supply units than a country makes: any
    number in Germany and Russia.
    Rule: 9.6, 9.8/CP, 9.8/AL, 23.1/1, 23.1/2
    """
    view = facts.view
    if who.arm == SUPPLY:
        country = facts.word("country", at)
        most = PRODUCTION.get(country) if OWNER.get(country) == who.side else None
        made = [
            unit.id for unit in _find_units_placed(view, SUPPLY) if view.word("country", str(unit.place)) == country
        ]
        text = "{units} have already been placed in {country}, where only {most} may be placed per turn"
        full = most is not None and len(made) >= most
        return holding([(full, "9.8", text)], units=made, country=country, most=most)
    here = [unit for unit in _find_units_placed(view) if unit.place == at and view.word("arm", unit.id) != SUPPLY]
    large = [unit for unit in here if view.word("arm", unit.id) == HEADQUARTERS or view.word("size", unit.id) in ARMIES]
    text = "{units} entered in {at} this phase: a hex takes only one Headquarters or army, or three other units"
    full = bool(here) and (bool(large) or who.is_large or len(here) >= SMALL)
    return holding([(full, "9.6", text)], units=[unit.id for unit in here], at=at)


def _find_units_placed(view: View, arm: str = "", track: str = "placed") -> list[Unit]:
    """Return the units on the map of which the position says that they were placed this phase, those of one type if it
    is named. track: what says so.
    """
    return [
        unit
        for unit in view.units()
        if unit.place and view.flag(track, unit.id) and arm in ("", view.word("arm", unit.id))
    ]


def bars_of_supply_received(view: View, side: str) -> list[Step]:
    """Return a line where all supply units have been placed that a side receives at no cost this turn; how many, the
    Turn Record Chart may have to tell. Rule: 9.2
    """
    here = [unit.id for unit in _find_units_placed(view, SUPPLY, "received") if view.side_of(unit.id) == side]
    if (due := free_supply(view, side)) is None:
        view.premises.assume(step("9.2", "the Turn Record Chart brings that many supply units this turn"))
        return []
    text = "{units} have already been placed at no cost, and only {supply:#supply unit} may be this turn"
    return holding([(len(here) >= due, "9.2", text)], units=here, supply=due)


def open_hexes(view: View, who: Newcomer) -> tuple[str, ...]:
    """Return the hexes that are known to take a unit: a hex of which a fact is missing is left out.
    Rule: 9.7/blocked
    """
    sites = sorted({at for track in SITES for at in ground.hexes_with(view, track)})
    return open_places(view, sites, lambda facts, at: bars(facts, who, at))
