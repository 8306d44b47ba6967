"""The question `scout`: whether a Headquarters or an airbase may look at an enemy stack (optional Fog of War)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Dice, Done, Procedure, Roll
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.play import play

from ..ground.zones import side_of
from ..terms import AIRBASE, HEADQUARTERS
from .phase import out_of_phase

RULES = {HEADQUARTERS: "Opt/Fog/3", AIRBASE: "Opt/Fog/4"}


class ScoutParameters(Parameters, frozen=True):
    """Who looks where."""

    unit: Annotated[UnitName, note("a Headquarters or an airbase")]
    at: Annotated[PlaceName, note("the hex of the enemy stack")]


class Scout(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a stack may be looked at."""

    unit: Annotated[str, note("who looks")]
    distance: Annotated[int, note("hexes to the stack")]
    radius: Annotated[int, note("how far it sees, in hexes")]
    most: Annotated[int, note("the highest die that shows the stack, 6 for an airbase, which needs none")]
    seen: Annotated[bool | None, note("whether the stack is shown, null before the die")] = None


def procedure(most: int) -> Procedure:
    """One die, which shows the stack up to the support strength. Rule: Opt/Fog/3"""

    def node(situation: object) -> Roll | Done:
        if situation == "start":
            return Roll("scout", "Opt/Fog/3", "HQ staff", Dice(1, 6), {}, lambda natural: natural <= most)
        return Done({"seen": bool(situation)})

    return node


def bars(facts: Gather, unit: str, side: str, at: str) -> list[Step]:
    """Why nobody looks: the option, the phase, or a hex without enemies. Rule: Opt/Fog/3, Opt/Fog/4"""
    view = facts.view
    reasons = out_of_phase(view, side, "movement", "Opt/Fog/3")
    if "fog-of-war" not in view.words("options"):
        reasons.append(step("Opt/Fog/1", "that belongs to an optional rule (options=fog-of-war)"))
    if facts.word("arm", unit) == AIRBASE and "air-units" not in view.words("options"):
        reasons.append(step("Opt/Fog/4", "airbases are an optional rule (options=air-units)"))
    if not any(side_of(facts, other) != side for other in view.stack(at)):
        reasons.append(step("Opt/Fog/3", "no enemy stands in {at}", at=at))
    return reasons


def answer(view: View, parameters: ScoutParameters, answers: Answers) -> Report[Scout]:
    """The report on a look at a stack, which zones of control do not hinder. Rule: Opt/Fog/3, Opt/Fog/4"""
    unit, at = view.unit(parameters.unit), parameters.at
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
        if arm not in ("", *RULES) or unit.place is None or view.board.is_box(unit.place):
            raise InputError(f"unit: {unit.id} sees nothing", hint="name a Headquarters or an airbase on the map")
        reasons = bars(facts, unit.id, side_of(facts, unit), at)
        radius = facts.integer(view.side_up("radius", unit.id), unit.id)
        most = facts.integer(view.side_up("attack", unit.id), unit.id) if arm == HEADQUARTERS else 6
    rule, distance = RULES[arm], view.board.distance(unit.place, at)
    if distance > radius:
        reasons.append(
            step(rule, "{at} is {distance:#hex} away: its radius is {radius}", at=at, distance=distance, radius=radius)
        )
    result = Scout(unit=unit.id, distance=distance, radius=radius, most=most)
    title = f"{unit.id} and the stack in {at}"
    if reasons:
        return refused(title, "{unit} does not see it", reasons, result, result=result)
    steps = (step(rule, "{at} is {distance:#hex} away: its radius is {radius}", result, at=at),)
    settled = play(view, procedure(most), "start", answers) if arm == HEADQUARTERS else None
    if settled is not None and "seen" not in settled.settled:
        said = verdict("figure", "it is shown on {most} or less", result)
        return Report(title=title, verdict=said, parts=(Part("Look", steps),), asks=settled.asks, result=result)
    seen = settled is None or bool(settled.settled["seen"])
    said = verdict("yes", "the stack is shown") if seen else verdict("no", "the stack is not shown")
    found = msgspec.structs.replace(result, seen=seen)
    return Report(title=title, verdict=said, parts=(Part("Look", steps),), result=found)


QUESTION = declare(
    "scout", "whether a Headquarters or an airbase sees an enemy stack", answer, {"scout": "the die of the HQ staff"}
)
