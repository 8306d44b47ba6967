"""Where a reinforcement may be placed (9.4, 9.6 to 9.8, 23.1, 23.2, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.questions import Gather, Step, View, step
from assistant.questions.report import MissingFacts
from assistant.state.state import Unit

from ..calendar.entry import standard_allies_gone
from ..ground.countries import is_neutral, own_in_1914
from ..ground.places import controller, hexes_with
from ..ground.zones import SEA, field, side_of
from ..terms import ARMIES, HEADQUARTERS, HOME, OWNER, SUPPLY
from .newcomers import Newcomer

LARGE, SMALL = 1, 3
"""Headquarters or armies, or other units, that are placed in a hex in one Mobilization Phase (9.6)."""
PRODUCTION = {"austria-hungary": 2, "bulgaria": 1, "romania": 1}
"""The most supply units placed in a country in one turn; in the others there is no limit (9.8)."""
VOLUNTEER_CITIES = ("Abo", "Helsinki", "Reval", "Riga", "Warsaw", "Kiev", "Kharkov", "Sevastopol")
SOUTH_EDGE = ("Mackensen",)
"""Headquarters that enter by the south map edge in Bulgaria (23.2)."""


def bars(facts: Gather, who: Newcomer, at: str) -> list[Step]:
    """Every reason why a unit may not be placed in a hex; none if it may."""
    return [*occupied(facts, who, at), *wrong_site(facts, who, at), *over_limits(facts, who, at)]


def occupied(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """Enemy units or their zones, a neutral country, the sea. Rule: 9.7"""
    view = facts.view
    if any(side_of(facts, unit) != who.side for unit in view.stack(at)):
        yield step("9.7", "enemy units stand in {at}", at=at)
    elif at in field(facts).around(who.side).enemy_zones:
        yield step("9.7", "{at} lies in an enemy zone of control", at=at)
    if (country := facts.word("country", at)) and is_neutral(facts, country):
        yield step("9.7", "{at} lies in a neutral country", at=at)
    if view.word("terrain", at) == SEA:
        yield step("9.7", "{at} is an all-sea hex", at=at)


def wrong_site(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """A hex where units of this kind do not enter: neither a city nor a map edge of their own country, or not under control.

    Volunteers need no control; Romanians and Bulgarians enter in cities alone; supply units have no country, and enter in captured
    objectives too; Mackensen and the Turkish corps enter by the map edge in Bulgaria, the Expeditionary Force by that in the north,
    the Czech Legion on any railroad in Russia, Bolsheviks in objectives. Rule: 9.4/1, 9.4/2, 9.4/3, 9.4/4, 23.1/1, 23.1/2, 23.2, Opt/AEFR,
    Opt/CzLeg, Opt/Volunteer, Opt/Bolshevik-reinf
    """
    view, country = facts.view, facts.word("country", at)
    if who.nation == "nationalist":
        if facts.word("named", at) not in VOLUNTEER_CITIES:
            yield step("Opt/Volunteer", "volunteers enter in {cities}", cities=VOLUNTEER_CITIES)
        return
    if not country:
        return
    if controller(facts, at) != who.side:
        yield step("9.4", "the {side} do not control {at}", side=view.game.file.title_of(who.side), at=at)
    if who.unit in SOUTH_EDGE or who.nation == "turkish":
        if country != "bulgaria" or not facts.flag("map-edge", at):
            yield step("23.2", "{unit} enters by the map edge in Bulgaria", who)
    elif who.nation == "british":
        if country != "russia" or not facts.flag("map-edge", at):
            yield step("Opt/AEFR", "{unit} enters by the north map edge", who)
    elif who.nation == "czech":
        if country != "russia" or not on_railroad(view, at):
            yield step("Opt/CzLeg", "{unit} enters on a railroad in Russia", who)
    elif who.nation == "bolshevik" or (who.arm == SUPPLY and standard_allies_gone(facts, who.side)):
        if country != "russia" or not facts.flag("objective", at):
            yield step("Opt/Bolshevik-reinf", "{unit} enters in a Strategic Objective in Russia", who)
    elif who.arm == SUPPLY:
        own = OWNER.get(country) == who.side and is_site(facts, at)
        if not own and (own_in_1914(country, who.side) or not facts.flag("objective", at)):
            text = "supply units enter in cities and by map edges of their side, and in captured Strategic Objectives"
            yield step("9.4", text)
    elif country != HOME.get(who.nation):
        yield step("9.4", "{at} is not in the country of {unit}", who, at=at)
    elif country in ("romania", "bulgaria"):
        if not facts.flag("city", at):
            yield step("23.1", "{nation} units enter in cities", who)
    elif not is_site(facts, at):
        yield step("9.4", "{at} is neither a city nor a map edge with a railroad", at=at)


def is_site(facts: Gather, at: str) -> bool:
    """Whether a hex is a city or a map edge with a railroad; a fact is asked for only where the other does not settle it."""
    view = facts.view
    return view.flag("city", at) or view.flag("map-edge", at) or facts.flag("city", at) or facts.flag("map-edge", at)


def on_railroad(view: View, at: str) -> bool:
    """Whether a railroad is known to run through a hex."""
    return any(view.word("rail", f"{at}|{there}") == "rail" for there in view.board.neighbours(at))


def over_limits(facts: Gather, who: Newcomer, at: str) -> Iterator[Step]:
    """More than a hex takes in one Mobilization Phase, or more supply units than a country makes: any number in Germany and Russia.
    Rule: 9.6, 9.8/CP, 9.8/AL, 23.1/1, 23.1/2
    """
    view = facts.view
    if who.arm == SUPPLY:
        country = facts.word("country", at)
        made = [unit.id for unit in placed(view, SUPPLY) if view.word("country", str(unit.place)) == country]
        if (most := PRODUCTION.get(country)) is not None and OWNER[country] == who.side and len(made) >= most:
            yield step(
                "9.8",
                "{units} have been placed in {country}, which makes {most} a turn",
                units=made,
                country=country,
                most=most,
            )
        return
    here = [unit for unit in placed(view) if unit.place == at and view.word("arm", unit.id) != SUPPLY]
    large = any(is_large(view, unit) for unit in here)
    if here and (large or who.is_large or len(here) >= SMALL):
        text = "{units} entered in {at} in this phase: a hex takes one Headquarters or army, or three other units"
        yield step("9.6", text, units=[unit.id for unit in here], at=at)


def placed(view: View, arm: str = "") -> list[Unit]:
    """The units that were placed in this phase, those of one type if it is named."""
    return [
        unit
        for unit in view.units()
        if unit.place and view.flag("placed", unit.id) and arm in ("", view.word("arm", unit.id))
    ]


def is_large(view: View, unit: Unit) -> bool:
    """Whether a unit is a Headquarters or an army."""
    return view.word("arm", unit.id) == HEADQUARTERS or view.word("size", unit.id) in ARMIES


def open_hexes(view: View, who: Newcomer) -> list[str]:
    """The hexes that are known to take a unit: a hex of which a fact is missing is left out. Rule: 9.7/blocked"""
    found = []
    for at in sorted({*hexes_with(view, "city"), *hexes_with(view, "map-edge"), *hexes_with(view, "objective")}):
        try:
            with view.gather() as facts:
                open_ = not bars(facts, who, at)
        except MissingFacts:
            continue
        found += [at] if open_ else []
    return found
