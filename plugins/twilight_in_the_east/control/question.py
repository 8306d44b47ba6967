"""The question `control`: who controls a hex, and where the Front Line of an army runs (4.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec

from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import View, ask_for_fact, changed
from assistant.state.changes import Change
from assistant.util.errors import InputError
from assistant.util.notes import note

from ..forces.armies import known_armies, known_army, side_of_army
from .front_line import FrontFound, Troops, controller, front_of, is_behind, troops


class ControlParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is looked at."""

    at: Annotated[tuple[PlaceName, ...], note("hexes whose control is asked")] = ()
    armies: Annotated[
        tuple[str, ...], note("those whose Front Line is drawn, as 'russian Second', every army if left out")
    ] = ()
    isolated: Annotated[tuple[UnitName, ...], note("units that are Isolated, which no Front Line counts")] = ()
    vacated: Annotated[tuple[PlaceName, ...], note("hexes that were left by a retreat in this phase")] = ()


class HexControl(msgspec.Struct, frozen=True, kw_only=True):
    """Who controls a hex."""

    hex: Annotated[str, note("its number")]
    side: Annotated[str, note("that controls it, empty where nobody knows")]
    why: Annotated[str, note("in words")]
    behind: Annotated[tuple[str, ...], note("the armies behind whose Front Lines it lies wholly")] = ()
    on: Annotated[tuple[str, ...], note("those on whose Front Lines it lies")] = ()


class ControlResult(msgspec.Struct, frozen=True):
    """Control and Front Lines."""

    hexes: Annotated[tuple[HexControl, ...], note("those asked for")]
    fronts: Annotated[tuple[FrontFound, ...], note("the line of each army that stands in the front")]


def answer(view: View, parameters: ControlParameters, answers: Answers) -> Report[ControlResult]:
    """The report on control and the Front Lines.

    Raises MissingFacts for a unit whose nation or arm nobody stated, InputError for an army that is not there.
    """
    del answers
    for name in parameters.isolated:
        if view.unit(name).place is None:
            raise InputError(f"isolated: {name} is not on the map")
    with view.gather() as facts:
        found = troops(facts, parameters.isolated)
        out = [
            u.id
            for u, _ in found.units
            if facts.word("supply", u.id) == "out" and facts.word("arm", u.id) != "fortress"
        ]
    every = tuple(front for army in known_armies(view) if (front := front_of(view, army, found)))
    shown = {known_army(view, army) for army in parameters.armies}
    hexes = tuple(judged(view, hex, found, every, parameters.vacated) for hex in parameters.at)
    result = ControlResult(hexes, tuple(front for front in every if not shown or front.army in shown))
    parts = [Part("Control", tuple(control_step(one) for one in hexes))] if hexes else []
    if result.fronts:
        parts.append(Part("Front Lines", tuple(step for front in result.fronts for step in front_steps(front))))
    if granted := taken_for_granted(found, result.fronts, out):
        parts.append(Part("Taken for granted", tuple(granted)))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title="Control of hexes" if hexes else "Front Lines",
        verdict=verdict(result),
        parts=tuple(parts),
        asks=tuple(ask_for_fact(view.game.track("control"), one.hex) for one in hexes if not one.side),
        changes=occupied(view, found, parameters.at),
        result=result,
    )


def judged(view: View, hex: str, found: Troops, fronts: tuple[FrontFound, ...], vacated: Collection[str]) -> HexControl:
    """Who controls a hex. A hex that was left by a retreat in this phase stays with the side that is recorded, wherever the
    Front Lines run now.

    Rule: 4.3b
    """
    standing = next((side for side in view.game.file.sides if hex in found.of(side)), "")
    fact = view.fact("control", hex)
    behind = (
        ()
        if hex in vacated
        else tuple(
            front.army
            for front in fronts
            if is_behind(
                hex, front.hexes, found.against(side_of_army(front.army)), view.board.neighbours, view.board.distance
            )
        )
    )
    sides = {side_of_army(army) for army in behind}
    recorded, lies_behind = str(fact.value) if fact else "", sides.pop() if len(sides) == 1 else ""
    differ = not standing and recorded and lies_behind not in ("", recorded)
    reading = view.ruling("behind-the-front") if differ else "recorded"
    side, why = controller(standing, recorded, lies_behind, reading)
    on = tuple(front.army for front in fronts if hex in front.hexes)
    return HexControl(hex=hex, side=side, why=why, behind=behind, on=on)


def occupied(view: View, found: Troops, at: Collection[str]) -> tuple[Change, ...]:
    """What brings the record of control up to date: every hex in which troops stand is theirs, and stays so when they leave.

    at: the hexes that are looked at, all if there is none.
    """
    return tuple(
        changed(view, "control", hex, side, "4.3")
        for side in view.game.file.sides
        for hex in sorted(found.of(side))
        if (not at or hex in at) and view.state.value("control", hex) != side
    )


def verdict(result: ControlResult) -> Verdict:
    """The answer in a line."""
    if len(result.hexes) == 1 and result.hexes[0].side:
        only = result.hexes[0]
        return Verdict(
            "figure", "{hex}: {controller}, {why}", {"hex": only.hex, "controller": only.side, "why": only.why}
        )
    if result.hexes:
        known = sum(bool(one.side) for one in result.hexes)
        figures = {"known": known, "hexes": len(result.hexes)}
        return Verdict(
            "figure" if known == len(result.hexes) else "undecided",
            "of {hexes:#hex} asked for, the control of {known} is known",
            figures,
        )
    return Verdict("figure", "in the front: {armies}", {"armies": [front.army for front in result.fronts]})


def control_step(one: HexControl) -> Step:
    """A hex in words."""
    figures = {"hex": one.hex, "controller": one.side, "why": one.why, "armies": list(one.behind)}
    if not one.side:
        text = "{hex}: nobody stands there, no control is recorded, and it lies "
        figures["armies"] = list(one.on or one.behind)
        if one.on:
            text += "on the Front Line of {armies}, not behind it"
        else:
            text += "behind the Front Lines of both sides, {armies}" if one.behind else "behind nobody's Front Line"
        return Step("4.3", text, figures)
    against = [army for army in one.behind if side_of_army(army) != one.side]
    text = "{hex}: {controller}, {why}"
    if against:
        figures["armies"] = against
        text += "; it lies wholly behind the Front Line of {armies}, and if you agree to that line it is theirs"
    return Step("4.3", text, figures)


def front_steps(front: FrontFound) -> list[Step]:
    """A Front Line in words."""
    figures = {"army": front.army, "hexes": list(front.hexes), "gaps": list(front.gaps)}
    text = (
        "{army}, as agreed: {hexes}"
        if front.agreed
        else '{army}, a proposal: {hexes} (correct it with army "{army}" front=...)'
    )
    steps = [Step("4.3.1", text, figures)]
    if front.gaps:
        steps.append(Step("4.3.1", "{army}: enemies leave no way for the line between {gaps}", figures))
    return steps


def taken_for_granted(found: Troops, fronts: tuple[FrontFound, ...], out: list[str]) -> list[Step]:
    """What is not stated and matters to the lines."""
    steps = []
    if out:
        text = "{units} are Out of Supply and count for the Front Line, as they are not named as Isolated (isolated=UNIT,...)"
        steps.append(Step("4.3", text, {"units": out}))
    proposed = [front.army for front in fronts if not front.agreed]
    bare = [army for army in proposed if (side_of_army(army), army) not in found.sources]
    if bare:
        text = "no supply source of {armies} is on the map, so how far its units are from supply does not count"
        steps.append(Step("4.3.1", text, {"armies": bare}))
    return steps


QUESTION = Question(
    name="control",
    title="who controls a hex, and where the Front Line of an army runs",
    parameters=ControlParameters,
    result=ControlResult,
    answer=answer,
    answers={},
)
