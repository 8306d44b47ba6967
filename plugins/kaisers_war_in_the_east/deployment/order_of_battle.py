"""The set-up of a scenario, unit by unit, and whether a unit stands where it is told to (3.2, 7.1, 26 to 28)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from assistant.questions import Gather, MissingFacts, View, note

from ..calendar.schedule import SetUp, agreed, rows
from ..ground.countries import is_neutral
from ..ground.places import hex_named, hexes_with, started_with
from ..terms import FORTRESS, HOME

EVERY_FORTRESS = "every fortress: "
ANY_CITY, ANY_RAIL, ITS_CITY, MOBILIZATION = "any city", "any rail hex", "the city of its name", "mobilization "
SOUTH_OF_MINSK = "Minsk+"

Status = Literal["right", "misplaced", "missing", "open"]
Fault = tuple[str, bool]
"""What is wrong with a hex, and whether that is certain; else it is what has to be stated of the map."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the set-up, and whether it stands where it is told to."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("its side")]
    where: Annotated[str, note("where it is set up")]
    place: Annotated[str, note("where it stands, empty for nowhere")] = ""
    status: Annotated[Status, note("right, misplaced, missing, or open while the map has to tell")] = "right"
    why: Annotated[str, note("what is wrong, or what has to be stated")] = ""
    rule: Annotated[str, note("the rule of the instruction")] = ""


def in_words(told: SetUp) -> str:
    """Where a unit is set up."""
    found = [told.at or "anywhere"]
    if told.within:
        found = [f"within {told.within} hex{'es' if told.within > 1 else ''} of {told.at}"]
    found += [f"in {written(told.country)}"] if told.country else []
    for word, of in (("north", told.north_of), ("south", told.south_of)):
        found += [f"{word} of {of.removesuffix('+')} ({'in' if of.endswith('+') else 'ex'}clusive)"] if of else []
    return " ".join(found) + (", on its reverse side" if told.reversed else "")


def written(countries: str) -> str:
    """Countries as they are written."""
    return " or ".join(country.title() for country in countries.split(" or "))


def instructions(view: View, scenario: str) -> list[SetUp]:
    """The set-up of a scenario, as options change it; a row for every fortress becomes one for each that the position names.

    Rule: 26.4, 26.5, 27.4, 27.5, 28.4, 28.5, Opt/Moltke, Opt/PlanR, Opt/PlanG, Opt/Cavalry
    """
    found: dict[str, SetUp] = {}
    for row in rows(view.game, "order-of-battle", SetUp):
        if row.scenario == scenario and agreed(view, row.option):
            nation = row.unit.removeprefix(EVERY_FORTRESS)
            names = [row.unit] if nation == row.unit else [one for one in fortresses(view, nation) if one not in found]
            found |= {name: msgspec.structs.replace(row, unit=name) for name in names}
    return list(found.values())


def fortresses(view: View, nation: str) -> list[str]:
    """The fortresses of a nation."""
    of = (FORTRESS, nation)
    return [unit.id for unit in view.units() if (view.word("arm", unit.id), view.word("nation", unit.id)) == of]


def checked(view: View, told: SetUp) -> Checked:
    """Whether a unit of the position stands where it is set up. Rule: 3.2, 7.1/setup"""
    unit, place, why = view.state.units.get(told.unit), "", ""
    status: Status = "missing"
    if unit is not None and unit.place is not None and not view.board.is_box(unit.place):
        place, status = unit.place, "right"
        try:
            with view.gather() as facts:
                wrong = [*faults(facts, told, place)]
        except MissingFacts as missing:
            wrong = [("state " + missing.asks[0].how, False)]
        if certain := [what for what, is_certain in wrong if is_certain]:
            status, why = "misplaced", "; ".join(certain)
        elif wrong:
            status, why = "open", wrong[0][0]
    return Checked(
        unit=told.unit, side=told.side, where=in_words(told), place=place, status=status, why=why, rule=told.rule
    )


def faults(facts: Gather, told: SetUp, at: str) -> Iterator[Fault]:
    """What is wrong with a unit's hex, and whether that is certain or turns on a name that the map has to tell.

    Rule: 3.2, 7.1/setup, 26.4, 27.4, 28.5
    """
    view = facts.view
    if told.at:
        yield from off_the_place(facts, told, at)
    if told.country and facts.word("country", at) and not in_country(view, told.country, at):
        yield f"{at} is not in {written(told.country)}", True
    for name, north in ((told.north_of, True), (told.south_of, False)):
        plain = name.removesuffix("+")
        if name and (of := hex_named(view, plain)) is None:
            yield f"state HEX named={plain}", False
        elif name and of and not beyond(view, at, of, north=north, inclusive=includes(view, told, name)):
            yield f"{at} is not {'north' if north else 'south'} of {plain} ({of})", True
    if facts.flag("reversed", told.unit) != told.reversed:
        yield f"its {'reverse' if told.reversed else 'front'} side is to be up", True
    yield from beyond_the_front(facts, told, at)


def off_the_place(facts: Gather, told: SetUp, at: str) -> Iterator[Fault]:
    """A hex that is not the place named, nor near enough to it. Rule: 3.2"""
    view, name = facts.view, told.unit if told.at == ITS_CITY else told.at
    if name == ANY_CITY:
        if not facts.flag("city", at):
            yield f"{at} is not a city", True
        return
    if name == ANY_RAIL:
        if not any(view.word("rail", f"{at}|{there}") == "rail" for there in view.board.neighbours(at)):
            yield f"state a railroad from {at}: {at}|HEX rail", False
        return
    number = name.removeprefix(MOBILIZATION)
    of, how = hex_named(view, name), f"state HEX named={name}"
    if number != name:
        numbered = (hex for hex in hexes_with(view, "mobilization") if view.word("mobilization", hex) == number)
        of, how = next(numbered, None), f"state HEX mobilization={number}"
    if of is None:
        yield how, False
    elif view.board.distance(at, of) > told.within:
        yield f"{at} is not {'within reach of ' if told.within else ''}{name} ({of})", True


def in_country(view: View, countries: str, at: str) -> bool:
    """Whether a hex lies in one of the countries; the hexes named beside Romania count for it while it is neutral, or none do.
    Rule: 28.5
    """
    country = view.word("country", at)
    if countries == "russia or romania" and country != "russia":
        return view.word("named-beside", at) == "romania" and view.ruling("romania-1916") == "map"
    return country in countries.split(" or ")


def includes(view: View, told: SetUp, name: str) -> bool:
    """Whether the row of a place belongs to what lies north or south of it. Rule: 3.2, 27.4"""
    if told.rule == "27.4" and told.south_of == name == SOUTH_OF_MINSK:
        return view.ruling("south-minsk") == "inclusive"
    return name.endswith("+")


def beyond(view: View, at: str, of: str, *, north: bool, inclusive: bool) -> bool:
    """Whether a hex lies north (or south) of another by the rows of their numbers, which run from east to west. Rule: 3.2"""
    here, there = (view.board.grid.parse(hex)[1] for hex in (at, of))
    return inclusive if here == there else (here < there) == north


def beyond_the_front(facts: Gather, told: SetUp, at: str) -> Iterator[Fault]:
    """A hex that is not on the unit's own side of the front line; units of neutrals stand in their country. Rule: 7.1/setup, 23.0/1"""
    country, home = facts.word("country", at), HOME.get(facts.word("nation", told.unit), "")
    if not country or facts.view.word("named-beside", at):
        return
    if home in ("romania", "bulgaria"):
        if country != home:
            yield f"{at} is not in its country", True
    elif is_neutral(facts, country):
        yield f"{at} lies in a neutral country", True
    elif (side := started_with(facts, at)) and side != told.side:
        yield f"{at} lies beyond the front line", True
