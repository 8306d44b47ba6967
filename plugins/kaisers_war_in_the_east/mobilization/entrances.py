"""Where units that come into play may be placed (9.2, 9.4, 9.6 to 9.8, 23.1, 23.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import Gather, Step, View, holding, note, step
from assistant.rules.arrival_places import open_places
from assistant.state.state import Unit

from .. import ground
from ..calendar.schedule import are_old_armies_gone, free_supply, is_agreed, read_rows
from ..terms import ARMIES, HEADQUARTERS, HOME, OWNER, SUPPLY
from .newcomers import Newcomer

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
        """Return whether it lets units in at a hex. facts: what is not stated is asked for, or by the view counts as not
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
    """Yield why a unit does not enter in a hex: special entrances of its own take the place of the usual ones. Rule: 9.4/4"""
    if entrances := find_entrances(facts, who):
        yield from bars_of_own_entrances(facts, who, at, entrances)
    else:
        yield from bars_by_control(facts, who, at)
        if who.arm == SUPPLY:
            yield from bars_of_supply_site(facts, who, at)
        else:
            yield from bars_of_usual_site(facts, who, at)


def bars_by_control(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield why the side of a unit bars it from a hex: it does not control the hex. Rule: 9.4/1, 9.4/2, 9.4/3, 9.4/4"""
    if ground.controller(facts, at) != who.side:
        yield step("9.4", "the {side} do not control {at}", side=facts.view.title_of(who.side), at=at)


def bars_of_own_entrances(facts: Gather, who: Newcomer, at: str, entrances: Sequence[Entrance]) -> Iterator[Step]:
    """Yield a hex where units with entrances of their own do not enter: it is none of these, or such as their side has to
    control, and does not.

    `entrances`: the entrances of the unit.

    Rule: 9.4/4, 23.1/1, 23.1/2, 23.2, Opt/AEFR, Opt/CzLeg, Opt/Volunteer, Opt/Bolshevik-reinf
    """
    view = facts.view
    first = entrances[0]
    if not first.anyones:
        yield from bars_by_control(facts, who, at)
    # What is stated comes first, so that nothing is asked for where it is enough.
    if any(entrance.takes(view, view, at) for entrance in entrances):
        return
    lacking = first.site == "rail" and not ground.is_on_rails(view, at)
    text = first.text + ", but none is stated at {at}" if lacking else first.text
    closed = not any(entrance.takes(view, facts, at) for entrance in entrances)
    yield from holding([(closed, first.rule, text)], who, first, at=at)


def bars_of_supply_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield why supply units do not enter in a hex: it is neither a city or map edge of their side, nor a captured Strategic
    Objective. Rule: 9.4/3
    """
    country = facts.word("country", at)
    produced = OWNER.get(country) == who.side and _is_site(facts, at)
    if not produced and (ground.own_in_1914(country, who.side) or not facts.flag("objective", at)):
        text = "supply units enter only in cities and at map edges of their side, and in captured Strategic Objectives"
        yield step("9.4", text)


def bars_of_usual_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Yield a hex where units other than supply units do not enter: neither a city nor a map edge of their own country.
    Rule: 9.4/1, 9.4/2
    """
    if facts.word("country", at) != HOME.get(who.nation):
        yield step("9.4", "{at} is not in the country of {unit}", who, at=at)
    elif not _is_site(facts, at):
        yield step("9.4", "{at} is neither a city nor a map edge with a railroad", at=at)


def find_entrances(facts: Gather, who: Newcomer) -> list[Entrance]:
    """Return the special entrances of a unit: those for it alone before those of its nation.

    After the Second Revolution supply units have those of the Bolsheviks.

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
    placed = [unit for unit in view.units() if unit.place and view.flag(track, unit.id)]
    return [unit for unit in placed if arm in ("", view.word("arm", unit.id))]


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
