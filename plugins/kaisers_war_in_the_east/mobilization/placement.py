"""Where a reinforcement may be placed (9.4, 9.6 to 9.8, 23.1, 23.2, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

import msgspec

from assistant.questions import Gather, Step, View, holding, note, step
from assistant.questions.permission import if_known
from assistant.state.state import Unit

from ..calendar.schedule import free_supply, is_agreed, rows, standard_allies_gone
from ..ground.countries import controller, hexes_with, is_neutral, is_on_rails, own_in_1914
from ..ground.zones import SEA, field, side_of, zone_in
from ..terms import ARMIES, HEADQUARTERS, HOME, OWNER, SUPPLY
from .newcomers import Newcomer

SMALL = 3
"""Units, other than a Headquarters or an army, that are placed in a hex in one Mobilization Phase (9.6)."""
PRODUCTION = {"austria-hungary": 2, "bulgaria": 1, "romania": 1}
"""The most supply units placed in a country in one turn; in the others there is no limit (9.8)."""


class Entrance(msgspec.Struct, frozen=True):
    """Where units enter that have a rule of their own."""

    rule: str
    text: str
    unit: Annotated[str, note('its id, "" for any')] = ""
    nation: str = ""
    arm: str = ""
    option: str = ""
    country: str = ""
    site: Annotated[str, note("a flag of the hex, `rail` or a sea")] = ""
    cities: tuple[str, ...] = ()
    anyones: Annotated[bool, note("whether the hex need not be under control")] = False

    def takes(self, facts: Gather, at: str) -> bool:
        """Whether a hex is such a one."""
        view = facts.view
        if self.cities:
            return facts.word("named", at) in self.cities
        if self.country not in ("", facts.word("country", at)):
            return False
        if self.site == "rail":
            return is_on_rails(view, at)
        if self.site == "black-sea":
            return self.site in (view.word("port", at), view.word("coast", at))
        return not self.site or facts.flag(self.site, at)


def bars(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Every reason why a unit may not be placed in a hex; none if it may."""
    return [*bars_by_occupation(facts, who, at), *wrong_site(facts, who, at), *over_limits(facts, who, at)]


def bars_by_occupation(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Enemy units or their zones, a neutral country, the sea. Rule: 9.7"""
    view = facts.view
    enemies = any(side_of(facts, unit) != who.side for unit in view.stack(at))
    zone = zone_in(field(facts).around(who.side), at)
    clauses = (
        (enemies, "9.7", "enemy units stand in {at}"),
        (zone, "9.7", "{at} lies in {zone}"),
        (is_neutral(facts, facts.word("country", at)), "9.7", "{at} lies in a neutral country"),
        (view.word("terrain", at) == SEA, "9.7", "{at} is an all-sea hex"),
    )
    return holding(clauses, at=at, zone=zone)


def wrong_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """A hex where units of this kind do not enter: neither a city nor a map edge of their own country, or not under
    control.

    Supply units have no country, and enter in captured objectives too; some units have entrances of their own:
    Volunteers and partisans need no control there.
    Rule: 9.4/1, 9.4/2, 9.4/3, 9.4/4, 23.1/1, 23.1/2, 23.2, Opt/AEFR, Opt/CzLeg, Opt/Volunteer, Opt/Bolshevik-reinf
    """
    view = facts.view
    own = entrances(facts, who)
    first = next(iter(own), None)
    if (first is None or not first.anyones) and controller(facts, at) != who.side:
        yield step("9.4", "the {side} do not control {at}", side=view.title_of(who.side), at=at)
    if first:
        text = first.text + (
            ", and none is stated at {at}" if first.site == "rail" and not is_on_rails(view, at) else ""
        )
        yield from holding([(not any(land.takes(facts, at) for land in own), first.rule, text)], who, first, at=at)
    elif who.arm == SUPPLY:
        country = facts.word("country", at)
        produced = OWNER.get(country) == who.side and is_site(facts, at)
        if not produced and (own_in_1914(country, who.side) or not facts.flag("objective", at)):
            text = "supply units enter in cities and by map edges of their side, and in captured Strategic Objectives"
            yield step("9.4", text)
    elif facts.word("country", at) != HOME.get(who.nation):
        yield step("9.4", "{at} is not in the country of {unit}", who, at=at)
    elif not is_site(facts, at):
        yield step("9.4", "{at} is neither a city nor a map edge with a railroad", at=at)


def entrances(facts: Gather, who: Newcomer) -> list[Entrance]:
    """The entrances of a unit if it has its own, those for it alone before those of its nation; after the Second
    Revolution supply units have the Bolsheviks'.
    Rule: 23.2, Opt/AEFR, Opt/Bolshevik-reinf
    """
    view, nation, arm = facts.view, who.nation, who.arm
    if arm == SUPPLY:
        nation = "bolshevik" if standard_allies_gone(facts, who.side) else "none"
    return [
        row
        for row in rows(view.game, "entrances", Entrance)
        if row.unit in ("", who.unit) and row.nation in ("", nation) and row.arm in ("", arm)
        if is_agreed(view, row.option)
    ]


def is_site(facts: Gather, at: str) -> bool:
    """Whether a hex is a city or a map edge with a railroad; a fact is asked for only where the other does not settle
    it.
    """
    view = facts.view
    return view.flag("city", at) or view.flag("map-edge", at) or facts.flag("city", at) or facts.flag("map-edge", at)


def over_limits(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """More than a hex takes in one Mobilization Phase, or more supply units than a country makes: any number in Germany
    and Russia.
    Rule: 9.6, 9.8/CP, 9.8/AL, 23.1/1, 23.1/2
    """
    view = facts.view
    if who.arm == SUPPLY:
        country = facts.word("country", at)
        most = PRODUCTION.get(country) if OWNER.get(country) == who.side else None
        made = [unit.id for unit in units_placed(view, SUPPLY) if view.word("country", str(unit.place)) == country]
        text = "{units} have been placed in {country}, which makes {most} a turn"
        full = most is not None and len(made) >= most
        return holding([(full, "9.8", text)], units=made, country=country, most=most)
    here = [unit for unit in units_placed(view) if unit.place == at and view.word("arm", unit.id) != SUPPLY]
    large = [unit for unit in here if view.word("arm", unit.id) == HEADQUARTERS or view.word("size", unit.id) in ARMIES]
    text = "{units} entered in {at} in this phase: a hex takes one Headquarters or army, or three other units"
    full = bool(here) and (bool(large) or who.is_large or len(here) >= SMALL)
    return holding([(full, "9.6", text)], units=[unit.id for unit in here], at=at)


def units_placed(view: View, arm: str = "", track: str = "placed") -> list[Unit]:
    """The units on the map of which the position says that they were placed in this phase, those of one type if it is
    named. track: what says so.
    """
    return [
        unit
        for unit in view.units()
        if unit.place and view.flag(track, unit.id) and arm in ("", view.word("arm", unit.id))
    ]


def bars_of_supply_received(view: View, side: str) -> list[Step]:
    """That all supply units have been placed that a side receives at no cost in this turn; how many, the Turn Record
    Chart may have to tell.
    Rule: 9.2
    """
    here = [unit.id for unit in units_placed(view, SUPPLY, "received") if view.side_of(unit.id) == side]
    if (due := free_supply(view, side)) is None:
        view.presume(step("9.2", "the Turn Record Chart brings as many supply units in this turn"))
        return []
    text = "{units} have been placed at no cost, and {supply:#supply unit} may be in this turn"
    return holding([(len(here) >= due, "9.2", text)], units=here, supply=due)


def open_hexes(view: View, who: Newcomer) -> tuple[str, ...]:
    """The hexes that are known to take a unit: a hex of which a fact is missing is left out. Rule: 9.7/blocked"""
    sites = sorted({*hexes_with(view, "city"), *hexes_with(view, "map-edge"), *hexes_with(view, "objective")})
    return tuple(at for at in sites if if_known(view, partial(bars, who=who, at=at)) == [])
