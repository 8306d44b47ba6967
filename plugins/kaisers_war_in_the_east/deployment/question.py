"""The question `setup`: what a scenario places where, and whether a position is set up as it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from assistant.questions import Parameters, Part, Report, SideName, Step, View, changed, declare, note, step, verdict
from assistant.state.changes import AnyChange, Change, Enter
from assistant.state.sources import Value

from ..calendar.schedule import Scenario, SetUp, agreed, revolutions_at_start, rows
from ..ground.places import hex_named
from ..terms import ALLIES, CENTRAL_POWERS
from .order_of_battle import Checked, checked, instructions

TITLES = {
    "misplaced": "Misplaced",
    "missing": "Not on the map yet",
    "open": "For the map to tell",
    "right": "As the scenario says",
}


class SetupParameters(Parameters, frozen=True):
    """A scenario."""

    scenario: Annotated[Literal["", "1914", "1915", "1916"], note("the scenario; that of the position if left out")] = (
        ""
    )
    side: Annotated[SideName | None, note("the side whose units are listed; both if left out")] = None


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up of a scenario, and how far a position agrees with it."""

    scenario: Annotated[str, note("the scenario")]
    turn: Annotated[int, note("its first turn")]
    last: Annotated[tuple[int, ...], note("the turns of which the players agree on one as the last")]
    points: Annotated[dict[str, int], note("Victory Points of each side at the start")]
    effort: Annotated[str, note("where the Main Effort of the Central Powers lies")]
    first: Annotated[str, note("the side that moves first")]
    deploys: Annotated[str, note("the side that sets up first")]
    abteilungen: Annotated[int, note("German Abteilungen in the Available box")]
    rebuild: Annotated[tuple[str, ...], note("armies that may be formed again from corps")]
    units: Annotated[tuple[Checked, ...], note("each unit that is set up")]
    extra: Annotated[tuple[str, ...], note("units on the map that the scenario does not set up")]


def answer(view: View, parameters: SetupParameters) -> Report[Setup]:
    """The report on a set-up, which changes nothing that is stated already; with the rules on Revolutions a scenario may last until 1918.

    Rule: 3.0, 3.1, 26.6, 27.6, 28.6, Opt/1918
    """
    with view.gather() as facts:
        scenario, side = parameters.scenario or facts.word("scenario"), parameters.side
    row = next(row for row in rows(view.game, "scenarios", Scenario) if row.scenario == scenario)
    turn = view.integer("turn") or row.first
    there = view.supposing({("scenario", ""): view.word("scenario") or scenario, ("turn", ""): turn})
    told = [one for one in instructions(there, scenario) if side in (None, one.side)]
    units, named = tuple(checked(there, one) for one in told), {one.unit for one in told}
    extra = (unit for unit in view.units() if unit.place and not view.board.is_box(unit.place) and unit.id not in named)
    setup = Setup(
        scenario=scenario,
        turn=row.first,
        last=(*row.last, *((40,) if agreed(view, "revolutions") else ())),
        points={CENTRAL_POWERS: row.vp_central_powers, ALLIES: row.vp_allies},
        effort="east" if scenario == "1914" and agreed(view, "moltke-plan") else row.main_effort,
        first=row.first_player,
        deploys=row.deploys_first,
        abteilungen=row.abteilungen,
        rebuild=row.to_rebuild,
        units=units,
        extra=tuple(unit.id for unit in extra if side in (None, view.side_of(unit.id))),
    )
    parts = [Part("Scenario", tuple(scenario_steps(view, setup, row.rule)))]
    for status, title in TITLES.items():
        parts.append(Part(title, tuple(unit_step(one) for one in units if one.status == status)))
    parts.append(Part("Not in this set-up", tuple(step("3.2", "{unit}", unit=unit) for unit in setup.extra)))
    count = dict.fromkeys(TITLES, 0) | Counter(one.status for one in units)
    text = "{right:#unit} as the scenario says, {missing} to be placed, {open} for the map to tell"
    said = verdict("figure", text, **count)
    if count["misplaced"]:
        said = verdict("no", "{misplaced:#unit} misplaced", misplaced=count["misplaced"])
    if any(one.north_of or one.south_of for one in told):
        view.presume(step("3.2", "the rows of hexes run from east to west, and their numbers grow to the south"))
    fortresses = "every city with a fortress counter of its name has it; the position names those that are checked"
    view.presume(step("26.4", fortresses))
    changes = (*begun(view, setup), *placed(view, setup, told))
    return Report(title=f"Set-up of {scenario}", verdict=said, parts=tuple(parts), changes=changes, result=setup)


def scenario_steps(view: View, setup: Setup, rule: str) -> Iterator[Step]:
    """What else a scenario begins with, and what the position states otherwise. Rule: 3.1, 26.1, 27.1, 28.1"""
    names = {"first": view.title_of(setup.first), "deploys": view.title_of(setup.deploys)}
    yield step(rule, "it begins with turn {turn} and ends with one of the turns {last}, as the players agree", setup)
    for side, points in setup.points.items():
        yield step(rule, "{side}: {points:#Victory Point}", side=view.title_of(side), points=points)
    text = "Main Effort in the {effort}; the {first} move first, the {deploys} set up first"
    yield step(rule, text, effort=setup.effort.title(), **names)
    text = "{abteilungen} German Abteilungen in the Available box; armies that may be formed again: {rebuild}"
    yield step(rule, text, setup)
    if (last := view.integer("last-turn")) and last not in setup.last:
        yield step("3.1", "turn {agreed} is stated as the last, which is not one of them", agreed=last)
    for side, points in setup.points.items():
        if (stated := view.fact("vp", side)) and stated.value != points:
            text = "the {side} are stated to have {points} instead"
            yield step(rule, text, side=view.title_of(side), points=stated.value)


def unit_step(one: Checked) -> Step:
    """A unit of the set-up in words."""
    text = "{unit}" + (" in {place}" if one.place else "") + ": {where}" + (" - {why}" if one.why else "")
    return step(one.rule, text, one)


def begun(view: View, setup: Setup) -> Iterator[AnyChange]:
    """What a scenario begins with, as far as it is not stated: turn, Main Effort, Victory Points, and Revolutions. Rule: 3.0, Opt/1918"""
    known: dict[tuple[str, str], Value] = {
        ("turn", ""): setup.turn,
        ("scenario", ""): setup.scenario,
        ("main-effort", ""): setup.effort,
        **{("vp", side): points for side, points in setup.points.items()},
    }
    if agreed(view, "revolutions") and (number := revolutions_at_start(view.integer("turn") or setup.turn)):
        known["revolution", ""] = number
    for (track, of), value in known.items():
        if (track, of) not in view.state.facts:
            yield Change(track, of, None, value, "3.0")


def placed(view: View, setup: Setup, told: list[SetUp]) -> Iterator[AnyChange]:
    """The units whose hex is known, placed there. Rule: 3.0"""
    missing = {one.unit for one in setup.units if one.status == "missing"}
    for one in told:
        hex = hex_named(view, one.at) if one.at and not one.within else None
        if hex is None or one.unit not in missing or any(view.side_of(unit.id) != one.side for unit in view.stack(hex)):
            continue
        if one.unit in view.state.units:
            yield changed(view, "place", one.unit, hex, one.rule)
        else:
            yield Enter(one.unit, one.unit, hex, len(view.stack(hex)), one.rule)
        if one.reversed:
            yield Change("reversed", one.unit, None, True, one.rule)


QUESTION = declare("setup", "what a scenario places where, and whether a position is set up so", answer, decision=None)
