"""The questions about the contents of hexes (3, 7.1, 12, 13, 20.1, 26 to 28).

- `setup`: the set-up of a scenario, and whether a position agrees with it
- `stack`: whether a hex is over-stacked, and which units may be removed
- `zones`: the zones of control that reach hexes
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import Annotated, Literal

import msgspec

from assistant.asking import Gather, Report, SideName, Step, View, changed, declare, note, step
from assistant.rules.field.places import hex_named, hexes_with
from assistant.rules.setups import (
    Deployed,
    Instruction,
    SetupFault,
    check_set_up,
    find_distance_faults,
    find_row_faults,
    set_up,
    units_left_out,
    write_countries,
)
from assistant.rules.stacks import Limits, stack_question
from assistant.rules.zones import zones_question
from assistant.state.changes import AnyChange
from assistant.state.state import FactKey, Unit
from assistant.state.tracks import Value

from .calendar.schedule import LAST_TURN_1918, Scenario, is_agreed, order_of_play, read_rows, revolutions_at_start
from .forces import Formation, count_off, formation, has_room, is_within_limits
from .ground import assume_zones, field, is_neutral, is_on_rails, side_at_start
from .terms import ALLIES, AVAILABLE, CENTRAL_POWERS, COMBAT_PHASES, DEAD_PILE, FORTRESS, HOME, SUPPLY, Effort

EVERY_FORTRESS = "every fortress: "
ANY_CITY = "any city"
ANY_RAIL = "any rail hex"
ITS_CITY = "the city of its name"
MOBILIZATION = "mobilization "
"""Prefix of the number of a mobilization."""
SOUTH_OF_MINSK = "Minsk+"
"""The hex row of Minsk and everything south of it."""
ANYWHERE = "anywhere"


# --- the order of battle ----------------------------------------------------------------------------------------------


def instructions(view: View, scenario: str) -> list[Instruction]:
    """Return the set-up of a scenario with its options, and with every fortress that the position names.

    Rule: 26.4, 26.5, 27.4, 27.5, 28.4, 28.5, Opt/Moltke, Opt/PlanR, Opt/PlanG, Opt/Cavalry
    """
    rows_by_unit: dict[str, Instruction] = {}
    for row in read_rows(view.game, "order-of-battle", Instruction):
        if row.scenario == scenario and is_agreed(view, row.option):
            nation = row.unit.removeprefix(EVERY_FORTRESS)
            names = [row.unit] if nation == row.unit else _find_fortresses(view, nation)
            rows_by_unit |= {name: msgspec.structs.replace(_apply_ruling(view, row), unit=name) for name in names}
    return list(rows_by_unit.values())


def _apply_ruling(view: View, instruction: Instruction) -> Instruction:
    """Return an instruction by the reading of ruling option-setup, if an option adds its unit without a place."""
    if not instruction.option or instruction.in_words != ANYWHERE or view.ruling("option-setup") != "country":
        return instruction
    (nation,) = view.game.roster[instruction.unit]["nation"]
    return msgspec.structs.replace(instruction, country=HOME[str(nation.value)])


def _find_fortresses(view: View, nation: str) -> list[str]:
    kind = (FORTRESS, nation)
    return [unit.id for unit in view.units() if (view.word("arm", unit.id), view.word("nation", unit.id)) == kind]


def find_faults(facts: Gather, instruction: Instruction, at: str) -> Iterator[SetupFault]:
    """Yield the faults of a unit's hex.

    A fault is uncertain if it depends on a place name that only the map shows.

    Rule: 3.2, 7.1/setup, 12.2, 12.5, 26.4, 27.4, 28.5
    """
    view = facts.view
    if instruction.at:
        yield from find_misplacement(facts, instruction, at)
    if instruction.country and not in_country(view, instruction.country, at, facts.word("country", at)):
        yield SetupFault(f"{at} is not in {write_countries(instruction.country)}")
    yield from find_row_faults(view, instruction, at, partial(hex_named, view), partial(is_included, view, instruction))
    if facts.flag("reversed", instruction.unit) != instruction.reversed:
        yield SetupFault(f"it must be set up with its {'reverse' if instruction.reversed else 'front'} side up")
    if not has_room(facts, at):
        yield SetupFault(f"{at} is over-stacked")
    yield from find_beyond_front(facts, instruction, at)


def find_misplacement(facts: Gather, instruction: Instruction, at: str) -> Iterator[SetupFault]:
    """Yield a fault if `at` is neither the named place nor near enough to it. Rule: 3.2"""
    view = facts.view
    name = instruction.unit if instruction.at == ITS_CITY else instruction.at
    number = name.removeprefix(MOBILIZATION)
    if name == ANY_CITY:
        if not facts.flag("city", at):
            yield SetupFault(f"{at} is not a city")
    elif name == ANY_RAIL:
        if not is_on_rails(view, at):
            yield SetupFault(f"state a railroad from {at}: {at}|HEX rail", certain=False)
    elif number != name:
        numbered = (place for place in hexes_with(view, "mobilization") if view.word("mobilization", place) == number)
        yield from find_distance_faults(
            view, instruction, at, next(numbered, None), name, f"state HEX mobilization={number}"
        )
    else:
        yield from find_distance_faults(view, instruction, at, hex_named(view, name), name)


def in_country(view: View, countries: str, at: str, country: str) -> bool:
    """Return whether a hex lies in one of the countries that an instruction names.

    By ruling romania-1916 the hexes named beside neutral Romania count as Romania, or none do.

    `country`: the country of the hex.

    Rule: 28.5
    """
    if countries == "russia or romania" and country != "russia":
        return view.word("named-beside", at) == "romania" and view.ruling("romania-1916") == "map"
    return country in countries.split(" or ")


def is_included(view: View, instruction: Instruction, name: str) -> bool:
    """Return whether "north of" or "south of" a place includes its own hex row. Rule: 3.2, 27.4"""
    if instruction.south_of == name == SOUTH_OF_MINSK:
        return view.ruling("south-minsk") == "inclusive"
    return name.endswith("+")


def find_beyond_front(facts: Gather, instruction: Instruction, at: str) -> Iterator[SetupFault]:
    """Yield a fault if a hex is not on the unit's own side of the front line.

    Units of neutrals must be in their country.

    Rule: 7.1/setup, 23.0/1
    """
    country = facts.word("country", at)
    home = HOME.get(facts.word("nation", instruction.unit), "")
    if facts.view.word("named-beside", at) not in ("", "none"):
        return
    if home in ("romania", "bulgaria"):
        if country != home:
            yield SetupFault(f"{at} is not in its country")
    elif is_neutral(facts, country):
        yield SetupFault(f"{at} lies in a neutral country")
    elif (side := side_at_start(facts, at)) and side != instruction.side:
        yield SetupFault(f"{at} lies on the enemy side of the front line")


# --- the question -----------------------------------------------------------------------------------------------------


class Setup(Deployed, frozen=True, kw_only=True):
    """The start of a scenario, and the differences of a position from its set-up."""

    turn: Annotated[int, note("the first turn of the scenario")]
    last: Annotated[tuple[int, ...], note("the turns that may be the last; the players agree on one")]
    points: Annotated[dict[str, int], note("Victory Points of each side at the start")]
    effort: Effort
    first: Annotated[str, note("the side that moves first")]
    deploys: Annotated[str, note("the side that sets up first")]
    abteilungen: Annotated[int, note("German Abteilungen in the Available box")]
    rebuild: Annotated[tuple[str, ...], note("armies that may be formed again from corps")]


def setup(
    view: View,
    *,
    scenario: Annotated[
        Literal["1914", "1915", "1916"] | None, note("the scenario; the one in the position if left out")
    ] = None,
    side: Annotated[SideName | None, note("the side whose units are listed; both if left out")] = None,
) -> Report[Setup]:
    """Return the report on a set-up.

    Its changes only state missing facts and place missing units. With the rules on Revolutions a scenario may last
    until 1918.

    Rule: 3.0, 3.1, 26.1, 26.2, 26.3, 26.6, 27.1, 27.2, 27.3, 27.6, 28.1, 28.2, 28.3, 28.6, Opt/1918, Opt/Moltke
    """
    with view.gather() as facts:
        known = scenario or facts.word("scenario")
    row = next(row for row in read_rows(view.game, "scenarios", Scenario) if row.scenario == known)
    turn = view.integer("turn") or row.first
    revolutions = is_agreed(view, "revolutions")
    there = view.after(changed(view, track, "", value, "3.0") for track, value in (("scenario", known), ("turn", turn)))
    orders = [instruction for instruction in instructions(there, known) if side in (None, instruction.side)]
    effort = "east" if known == "1914" and is_agreed(view, "moltke-plan") else row.main_effort
    result = Setup(
        scenario=known,
        turn=row.first,
        last=(*row.last, LAST_TURN_1918) if revolutions else row.last,
        points={CENTRAL_POWERS: row.vp_central_powers, ALLIES: row.vp_allies},
        effort=effort,
        first=order_of_play(effort)[0],
        deploys=row.deploys_first,
        abteilungen=row.abteilungen,
        rebuild=row.to_rebuild,
        units=check_set_up(there, orders, find_faults),
        extra=units_left_out(view, orders, side),
    )
    begins: dict[FactKey, Value] = {("turn", ""): row.first, ("scenario", ""): known, ("main-effort", ""): effort}
    begins |= {("vp", whose): points for whose, points in result.points.items()}
    if revolutions and (number := revolutions_at_start(view.integer("turn"))):
        begins["revolution", ""] = number
    view.premises.assume(step("3.2", "the rows of hexes run from east to west, and their numbers grow to the south"))
    fortresses = (
        "every city that has a fortress counter with its name starts with it; only those in the position are checked"
    )
    view.premises.assume(step("26.4", fortresses))
    steps = scenario_steps(view, result, row.rule)
    named = partial(hex_named, view)
    return set_up(view, result, orders, begins, steps, named=named, rule="3.0", placing_rule="3.2")


def scenario_steps(view: View, setup: Setup, rule: str) -> Iterator[Step]:
    """Yield the other facts of a scenario's start, and differences in the position.

    `rule`: the first rule of its chapter, such as 26.1.

    Rule: 3.1, 26.1, 27.1, 28.1
    """
    chapter = rule.partition(".")[0]
    names = {"first": view.title_of(setup.first), "deploys": view.title_of(setup.deploys)}
    yield step(rule, "it begins with turn {turn} and ends with one of turns {last}, as the players agree", setup)
    for side, points in setup.points.items():
        yield step(f"{chapter}.2", "{side}: {points:#Victory Point}", side=view.title_of(side), points=points)
    text = "Main Effort in the {effort}; the {first} move first, the {deploys} set up first"
    yield step(f"{chapter}.3", text, effort=setup.effort.title(), **names)
    text = "German Abteilungen in the Available box: {abteilungen}; armies that may be formed again: {rebuild}"
    yield step(f"{chapter}.6", text, setup)
    if (last := view.integer("last-turn")) and last not in setup.last:
        yield step("3.1", "the position states turn {agreed} as the last, which is not one of these", agreed=last)


# --- stacks -----------------------------------------------------------------------------------------------------------


class _Stacking(Limits[Formation]):
    """The limits at the end of a phase or a battle."""

    limit_rule = "12.1"
    excess_rule = "12.2"
    mixed_rule = "12.3"
    ends = "a Movement or Combat Phase or a battle"
    lost = " (at no cost in Victory Points)"
    together = "and may attack together only with a Headquarters"

    def read(self, facts: Gather, unit: Unit) -> Formation:
        return formation(facts, unit, fights=False)

    def fits(self, units: Collection[Formation]) -> bool:
        return is_within_limits(units)

    def gone(self, view: View, unit: str, rule: str) -> Iterator[AnyChange]:
        """Yield the changes that eliminate an excess unit, at no cost of Victory Points. Rule: 12.2"""
        with view.gather() as facts:
            excess = formation(facts, view.unit(unit), fights=False)
        yield changed(view, "place", unit, AVAILABLE if excess.is_army else DEAD_PILE, rule)
        yield from count_off(view, [excess], 1, rule)

    def mixes(self, unit: Formation) -> bool:
        """Return whether a unit may be stacked with units of any nation, as supply units may. Rule: 12.3"""
        return unit.arm == SUPPLY

    def now(self, view: View) -> bool:
        """Return whether units over the limit are eliminated now, at the end of the current phase.

        They are at the end of a Movement or Combat Phase, and if the phase is not stated.

        Rule: 12.2
        """
        return view.word("phase") in ("", "movement", *COMBAT_PHASES)


QUESTIONS = (
    stack_question(_Stacking()),
    zones_question(
        field,
        "13.0",
        "13.2",
        lambda who, zones: assume_zones(who.view, dict.fromkeys(unit for zone in zones for unit in zone.units)),
    ),
    declare("setup", "what a scenario places where, and whether a position is set up so", setup, decision=None),
)
