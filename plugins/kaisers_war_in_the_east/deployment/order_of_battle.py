"""The set-up of a scenario, unit by unit, and whether a unit stands where it is told to (3.2, 7.1, 26 to 28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.questions import Gather, MissingFacts, View, note

from ..calendar.schedule import BEGINNINGS, ORDER, agreed, rows
from ..ground.countries import is_neutral
from ..ground.places import hex_named, hexes_with, started_with
from ..terms import FORTRESS, HOME

EVERY_FORTRESS = "every fortress: "
ANY_CITY, ANY_RAIL, ITS_CITY, MOBILIZATION = "any city", "any rail hex", "the city of its name", "mobilization "
SOUTH_OF_MINSK = "Minsk+"

Status = Literal["right", "misplaced", "missing", "open"]


class Instruction(NamedTuple):
    """Where one unit is set up. `Warsaw+` includes the row of Warsaw."""

    unit: str
    side: str
    reversed: bool
    country: str
    at: str
    within: int
    north_of: str
    south_of: str
    rule: str

    @property
    def where(self) -> str:
        """The instruction in words."""
        found = [self.at] if self.at else ["anywhere"]
        if self.within:
            found = [f"within {self.within} hex{'es' if self.within > 1 else ''} of {self.at}"]
        found += [f"in {written(self.country)}"] if self.country else []
        for word, of in (("north", self.north_of), ("south", self.south_of)):
            found += [f"{word} of {of.removesuffix('+')} ({'in' if of.endswith('+') else 'ex'}clusive)"] if of else []
        return " ".join(found) + (", on its reverse side" if self.reversed else "")


def written(countries: str) -> str:
    """Countries as they are written."""
    return " or ".join(country.title() for country in countries.split(" or "))


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of the set-up, and whether it stands where it is told to."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("its side")]
    where: Annotated[str, note("where it is set up")]
    place: Annotated[str, note("where it stands, empty for nowhere")] = ""
    status: Annotated[Status, note("right, misplaced, missing, or open while the map has to tell")] = "right"
    why: Annotated[str, note("what is wrong, or what has to be stated")] = ""
    rule: Annotated[str, note("the rule of the instruction")] = ""


def scenario_row(view: View, scenario: str) -> Mapping[str, str]:
    """The facts of a scenario. Rule: 26.1, 26.2, 26.3, 27.1, 27.2, 27.3, 28.1, 28.2, 28.3"""
    return next(row for row in rows(view.game, "scenarios", BEGINNINGS) if row["scenario"] == scenario)


def instructions(view: View, scenario: str) -> list[Instruction]:
    """The set-up of a scenario, as options change it; a row for every fortress becomes one for each that the position names.

    Rule: 26.4, 26.5, 27.4, 27.5, 28.4, 28.5, Opt/Moltke, Opt/PlanR, Opt/PlanG, Opt/Cavalry
    """
    ordered = [row for row in rows(view.game, "order-of-battle", ORDER) if row["scenario"] == scenario]
    optional = [row for row in rows(view.game, "options", ("option", *ORDER)) if row["scenario"] == scenario]
    found: dict[str, Instruction] = {}
    for row in (*ordered, *(row for row in optional if agreed(view, row["option"]))):
        if row["unit"].startswith(EVERY_FORTRESS):
            nation = row["unit"].removeprefix(EVERY_FORTRESS)
            names = [unit.id for unit in view.units() if is_fortress(view, unit.id, nation) and unit.id not in found]
        else:
            names = [row["unit"]]
        for name in names:
            found[name] = Instruction(
                name, row["side"], bool(row["reversed"]), row["country"], row["at"], int(row["within"] or 0),
                row["north_of"], row["south_of"], row["rule"],
            )  # fmt: skip
    return list(found.values())


def is_fortress(view: View, unit: str, nation: str) -> bool:
    """Whether a unit is a fortress of a nation."""
    return (view.word("arm", unit), view.word("nation", unit)) == (FORTRESS, nation)


def checked(view: View, told: Instruction) -> Checked:
    """Whether a unit of the position stands where it is set up. Rule: 3.2, 7.1/setup"""
    unit = view.state.units.get(told.unit)
    base = Checked(unit=told.unit, side=told.side, where=told.where, rule=told.rule)
    if unit is None or unit.place is None or view.board.is_box(unit.place):
        return msgspec.structs.replace(base, status="missing")
    base = msgspec.structs.replace(base, place=unit.place)
    try:
        with view.gather() as facts:
            wrong = list(faults(facts, told, unit.place))
    except MissingFacts as missing:
        return msgspec.structs.replace(base, status="open", why="state " + missing.asks[0].how)
    unknown = [what for what, certain in wrong if not certain]
    certain = [what for what, certain in wrong if certain]
    if certain:
        return msgspec.structs.replace(base, status="misplaced", why="; ".join(certain))
    return msgspec.structs.replace(base, status="open", why=unknown[0]) if unknown else base


def faults(facts: Gather, told: Instruction, at: str) -> Iterator[tuple[str, bool]]:
    """What is wrong with a unit's hex, and whether that is certain or turns on a name that the map has to tell.

    Rule: 3.2, 7.1/setup, 26.4, 27.4, 28.5
    """
    view = facts.view
    if told.at:
        yield from off_the_place(facts, told, at)
    if told.country and facts.word("country", at) and not in_country(view, told.country, at):
        yield f"{at} is not in {written(told.country)}", True
    for name, north in ((told.north_of, True), (told.south_of, False)):
        if name and (of := hex_named(view, name.removesuffix("+"))) is None:
            yield f"state HEX named={name.removesuffix('+')}", False
        elif name and of and not beyond(view, at, of, north=north, inclusive=includes(view, told, name)):
            yield f"{at} is not {'north' if north else 'south'} of {name.removesuffix('+')} ({of})", True
    if facts.flag("reversed", told.unit) != told.reversed:
        yield f"its {'reverse' if told.reversed else 'front'} side is to be up", True
    yield from beyond_the_front(facts, told, at)


def off_the_place(facts: Gather, told: Instruction, at: str) -> Iterator[tuple[str, bool]]:
    """A hex that is not the place named, nor near enough to it. Rule: 3.2"""
    view, name = facts.view, told.at
    if name == ANY_CITY:
        if not facts.flag("city", at):
            yield f"{at} is not a city", True
        return
    if name == ANY_RAIL:
        if not any(view.word("rail", f"{at}|{there}") == "rail" for there in view.board.neighbours(at)):
            yield f"state a railroad from {at}: {at}|HEX rail", False
        return
    if name.startswith(MOBILIZATION):
        number = int(name.removeprefix(MOBILIZATION))
        of = next(
            (hex for hex in hexes_with(view, "mobilization") if view.integer("mobilization", hex) == number), None
        )
        how = f"state HEX mobilization={number}"
    else:
        name = told.unit if name == ITS_CITY else name
        of, how = hex_named(view, name), f"state HEX named={name}"
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


def includes(view: View, told: Instruction, name: str) -> bool:
    """Whether the row of a place belongs to what lies north or south of it. Rule: 3.2, 27.4"""
    if told.rule == "27.4" and told.south_of == name == SOUTH_OF_MINSK:
        return view.ruling("south-minsk") == "inclusive"
    return name.endswith("+")


def beyond(view: View, at: str, of: str, *, north: bool, inclusive: bool) -> bool:
    """Whether a hex lies north (or south) of another by the rows of their numbers, which run from east to west. Rule: 3.2"""
    here, there = (view.board.grid.parse(hex)[1] for hex in (at, of))
    if here == there:
        return inclusive
    return here < there if north else here > there


def beyond_the_front(facts: Gather, told: Instruction, at: str) -> Iterator[tuple[str, bool]]:
    """A hex that is not on the unit's own side of the front line; units of neutrals stand in their country. Rule: 7.1/setup, 23.0/1"""
    country, nation = facts.word("country", at), facts.word("nation", told.unit)
    if not country or facts.view.word("named-beside", at):
        return
    if HOME.get(nation) in ("romania", "bulgaria"):
        if country != HOME[nation]:
            yield f"{at} is not in its country", True
    elif is_neutral(facts, country):
        yield f"{at} lies in a neutral country", True
    elif (side := started_with(facts, at)) and side != told.side:
        yield f"{at} lies beyond the front line", True
