"""The question `setup`: what a scenario places where, and whether a position is set up as it says."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.questions import Answers, Parameters, Part, Report, SideName, Step, View, declare, note, step, verdict
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change, Enter
from assistant.state.sources import Value

from ..ground.places import hex_named
from .order_of_battle import Checked, Instruction, checked, instructions, scenario_row

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


def answer(view: View, parameters: SetupParameters, answers: Answers) -> Report[Setup]:
    """The report on a set-up, which changes nothing that is stated already. Rule: 3.0, 3.1, 26.6, 27.6, 28.6"""
    del answers
    with view.gather() as facts:
        scenario = parameters.scenario or facts.word("scenario")
    there = view.supposing({("scenario", ""): scenario}) if not view.word("scenario") else view
    row = scenario_row(view, scenario)
    there = there if there.fact("turn") else there.supposing({("turn", ""): int(row["first"])})
    told = [one for one in instructions(there, scenario) if parameters.side in (None, one.side)]
    units = tuple(checked(there, one) for one in told)
    named = {one.unit for one in told}
    extra = tuple(
        unit.id
        for unit in view.units()
        if unit.place and not view.board.is_box(unit.place) and unit.id not in named
        if parameters.side in (None, view.side_of(unit.id))
    )
    setup = Setup(
        scenario=scenario,
        turn=int(row["first"]),
        last=last_turns(view, row["last"]),
        points={"central-powers": int(row["vp_central_powers"]), "allies": int(row["vp_allies"])},
        effort="east" if scenario == "1914" and "moltke-plan" in view.words("options") else row["main_effort"],
        first=row["first_player"],
        deploys=row["deploys_first"],
        abteilungen=int(row["abteilungen"]),
        rebuild=tuple(row["to_rebuild"].split()),
        units=units,
        extra=extra,
    )
    parts = [Part("Scenario", tuple(scenario_steps(view, setup, row["rule"])))]
    if wrong := [one for one in units if one.status == "misplaced"]:
        said = verdict("no", "{misplaced:#unit} misplaced", misplaced=len(wrong))
    else:
        said = verdict(
            "figure",
            "{right:#unit} as the scenario says, {missing} to be placed, {open} for the map to tell",
            **count(units),
        )
    for status, title in TITLES.items():
        parts.append(Part(title, tuple(unit_step(one) for one in units if one.status == status)))
    parts.append(Part("Not in this set-up", tuple(step("3.2", "{unit}", unit=unit) for unit in extra)))
    if any(one.north_of or one.south_of for one in told):
        view.presume(Step("3.2", "the rows of hexes run from east to west, and their numbers grow to the south", {}))
    fortresses = "every city with a fortress counter of its name has it; the position names those that are checked"
    view.presume(Step("26.4", fortresses, {}))
    return Report(
        title=f"Set-up of {scenario}",
        verdict=said,
        parts=tuple(parts),
        changes=tuple(placed(view, setup, told)),
        result=setup,
    )


def last_turns(view: View, said: str) -> tuple[int, ...]:
    """The turns with which a scenario may end; in 1918 too with the rules on Revolutions. Rule: 3.1, Opt/1918"""
    return (*map(int, said.split()), *((40,) if "revolutions" in view.words("options") else ()))


def count(units: tuple[Checked, ...]) -> dict[str, int]:
    """How many units are in each status."""
    return {status: sum(one.status == status for one in units) for status in TITLES}


def scenario_steps(view: View, setup: Setup, rule: str) -> list[Step]:
    """What else a scenario begins with, and what the position states otherwise. Rule: 3.1, 26.1, 27.1, 28.1"""
    names = {"first": view.game.file.title_of(setup.first), "deploys": view.game.file.title_of(setup.deploys)}
    found = [
        step(rule, "it begins with turn {turn} and ends with one of the turns {last}, as the players agree", setup),
        step(
            rule,
            "{side}: {points:#Victory Point}",
            side=view.game.file.title_of("central-powers"),
            points=setup.points["central-powers"],
        ),
        step(
            rule,
            "{side}: {points:#Victory Point}",
            side=view.game.file.title_of("allies"),
            points=setup.points["allies"],
        ),
        step(
            rule,
            "Main Effort in the {effort}; the {first} move first, the {deploys} set up first",
            effort=setup.effort.title(),
            **names,
        ),
        step(
            rule,
            "{abteilungen} German Abteilungen in the Available box; armies that may be formed again: {rebuild}",
            setup,
        ),
    ]
    agreed = view.integer("last-turn")
    if agreed and agreed not in setup.last:
        found.append(step("3.1", "turn {agreed} is stated as the last, which is not one of them", agreed=agreed))
    for side, points in setup.points.items():
        stated = view.fact("vp", side)
        if stated is not None and stated.value != points:
            found.append(
                step(
                    rule,
                    "the {side} are stated to have {points} instead",
                    side=view.game.file.title_of(side),
                    points=stated.value,
                )
            )
    return found


def unit_step(one: Checked) -> Step:
    """A unit of the set-up in words."""
    text = "{unit}" + (" in {place}" if one.place else "")
    text += ": {where}" + (" - {why}" if one.why else "")
    return step(one.rule, text, one)


def placed(view: View, setup: Setup, told: list[Instruction]) -> list[AnyChange]:
    """What sets the rest up: turn, Victory Points, and the units whose hex is known."""
    changes: list[AnyChange] = []
    known: dict[tuple[str, str], Value] = {
        ("turn", ""): setup.turn,
        ("scenario", ""): setup.scenario,
        ("main-effort", ""): setup.effort,
    }
    known |= {("vp", side): points for side, points in setup.points.items()}
    changes += [
        Change(track, of, None, value, "3.0")
        for (track, of), value in known.items()
        if view.state.facts.get((track, of)) is None
    ]
    missing = {one.unit for one in setup.units if one.status == "missing"}
    for one in told:
        hex = hex_named(view, one.at) if one.at and not one.within else None
        if hex is None or one.unit not in missing or any(view.side_of(unit.id) != one.side for unit in view.stack(hex)):
            continue
        if one.unit in view.state.units:
            changes.append(changed(view, "place", one.unit, hex, one.rule))
        else:
            changes.append(Enter(one.unit, one.unit, hex, len(view.stack(hex)), one.rule))
        if one.reversed:
            changes.append(Change("reversed", one.unit, None, True, one.rule))
    return changes


QUESTION = declare("setup", "what a scenario places where, and whether a position is set up so", answer, decision=None)
