"""The question `control`: the control of hexes, and the Front Lines of armies (4.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, UnitName, declare, note
from assistant.asking.asks import ask_for_fact
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.view import View, changed
from assistant.state.changes import Change
from assistant.state.vocabulary import HexNumber

from ..concealment.cover import hides_units, side_in
from ..forces.armies import known_armies, known_army, side_of_army
from .front_line import ArmyFront, Troops, controller, front_of, gather_troops, is_behind


class ControlParameters(Parameters, frozen=True):
    """Parameters of the question `control`."""

    at: Annotated[tuple[PlaceName, ...], note("hexes whose control is asked about")] = ()
    armies: Annotated[
        tuple[str, ...], note("armies whose Front Line is drawn, such as 'russian Second'; all if left out")
    ] = ()
    isolated: Annotated[tuple[UnitName, ...], note("Isolated units, which do not count for Front Lines")] = ()
    vacated: Annotated[tuple[PlaceName, ...], note("hexes vacated by a retreat in this phase")] = ()


class HexControl(msgspec.Struct, frozen=True, kw_only=True):
    """The control of a hex."""

    hex: HexNumber
    side: Annotated[str, note("the side that controls the hex, empty if unknown")]
    why: Annotated[str, note("the reason in words")]
    behind: Annotated[tuple[str, ...], note("the armies behind whose Front Lines the hex lies completely")] = ()
    on: Annotated[tuple[str, ...], note("the armies on whose Front Line the hex lies")] = ()


class ControlResult(msgspec.Struct, frozen=True):
    """The control of hexes, and Front Lines."""

    hexes: Annotated[tuple[HexControl, ...], note("the hexes asked about")]
    fronts: Annotated[tuple[ArmyFront, ...], note("the line of each army with units in the front")]


def answer(view: View, parameters: ControlParameters) -> Report[ControlResult]:
    """Return the report on control and the Front Lines.

    Raises MissingFacts for a unit whose nation or arm is not stated, and InputError for an unknown army.
    """
    for name in parameters.isolated:
        if view.unit(name).place is None:
            raise InputError(f"isolated: {name} is not on the map")
    with view.gather() as facts:
        placed_troops = gather_troops(facts, parameters.isolated)
        out = [unit.id for unit, _ in placed_troops.units if facts.word("supply", unit.id) == "out"]
        out = [name for name in out if facts.word("arm", name) != "fortress"]
    every = tuple(front for army in known_armies(view) if (front := front_of(view, army, placed_troops)))
    shown = {known_army(view, army) for army in parameters.armies}
    hexes = tuple(control_of(view, hex, placed_troops, every, parameters.vacated) for hex in parameters.at)
    result = ControlResult(hexes, tuple(front for front in every if not shown or front.army in shown))
    _take_for_granted(view, placed_troops, result.fronts, out)
    lines = (line for front in result.fronts for line in _front_steps(front))
    title = "Front Lines"
    if hexes:
        title = "Control of hexes"
    return Report(
        title=title,
        verdict=_choose_verdict(result),
        parts=(Part("Control", tuple(map(_control_step, hexes))), Part("Front Lines", tuple(lines))),
        asks=tuple(
            ask_for_fact(view.game.track("control"), judged_hex.hex) for judged_hex in hexes if not judged_hex.side
        ),
        changes=_record_occupation(view, placed_troops, parameters.at),
        result=result,
    )


def control_of(
    view: View, hex: str, placed_troops: Troops, fronts: Collection[ArmyFront], vacated: Collection[str]
) -> HexControl:
    """Return the control of a hex.

    A hex left by a retreat in this phase keeps its recorded side, whatever the Front Lines are.

    Rule: 4.3, 4.3b
    """
    standing = next((side for side in view.game.file.sides if hex in placed_troops.of(side)), "")
    behind = []
    if hex not in vacated:
        for front in fronts:
            enemies = placed_troops.against(side_of_army(front.army))
            if is_behind(hex, front.hexes, enemies, view.board):
                behind.append(front)
    sides = {side_of_army(front.army) for front in behind}
    recorded = view.word("control", hex)
    lies_behind = sides.pop() if len(sides) == 1 else ""
    differ = not standing and bool(recorded) and lies_behind not in ("", recorded)
    side, why = controller(standing, recorded, lies_behind, view.ruling("behind-the-front", differ))
    on = tuple(front.army for front in fronts if hex in front.hexes)
    return HexControl(hex=hex, side=side, why=why, behind=tuple(front.army for front in behind), on=on)


def _record_occupation(view: View, placed_troops: Troops, at: Collection[str]) -> tuple[Change, ...]:
    """Return the changes that update the record of control.

    A hex keeps the side of the last troops in it. With hidden units, any unit in an unrecorded hex counts, so that the
    record reveals nothing to the enemy.

    `at`: the hexes to update, or all if empty.
    """
    unrecorded: list[str] = []
    if hides_units(view):
        taken = {unit.place for unit in view.state.units.values() if view.board.is_hex(unit.place)}
        unrecorded += (hex for hex in taken if not view.state.value("control", hex))
    made = []
    for side in view.game.file.sides:
        held = placed_troops.of(side).union(hex for hex in unrecorded if side_in(view, hex) == side)
        for hex in sorted(held):
            if (not at or hex in at) and view.state.value("control", hex) != side:
                made.append(changed(view, "control", hex, side, "4.3"))
    return tuple(made)


def _choose_verdict(result: ControlResult) -> Verdict:
    if not result.hexes:
        return verdict("figure", "in the front: {armies}", armies=[front.army for front in result.fronts])
    if len(result.hexes) == 1 and result.hexes[0].side:
        return verdict("figure", "{hex}: {controller}, {why}", result.hexes[0], controller=result.hexes[0].side)
    asked = len(result.hexes)
    known = sum(bool(judged_hex.side) for judged_hex in result.hexes)
    text = "of {hexes:#hex} asked about, control is known for {known}"
    return verdict("figure" if known == asked else "undecided", text, hexes=asked, known=known)


def _control_step(control: HexControl) -> Step:
    if control.side:
        against = [army for army in control.behind if side_of_army(army) != control.side]
        text = (
            "{hex}: {controller}, {why}[armies:; it lies wholly behind the Front Line of {armies}, and if you accept "
            "that line, the hex is theirs]"
        )
        return step("4.3", text, control, controller=control.side, armies=against)
    text = (
        "{hex}: no troops stand there, no control is recorded, and it lies "
        "[armies:behind the Front Lines of both sides, {armies}|behind no Front Line]"
    )
    if control.on:
        text = (
            "{hex}: no troops stand there, no control is recorded, and it lies on the Front Line of {armies}, not "
            "behind it"
        )
    return step("4.3", text, control, armies=list(control.on or control.behind))


def _front_steps(front: ArmyFront) -> list[Step]:
    text = '{army}, [agreed:as agreed: {hexes}|a proposal: {hexes} (correct it with army "{army}" front=...)]'
    steps = [step("4.3.1", text, front)]
    if front.gaps:
        steps.append(step("4.3.1", "{army}: enemies leave no room for the line between {gaps}", front))
    return steps


def _take_for_granted(view: View, placed_troops: Troops, fronts: Collection[ArmyFront], out: Collection[str]) -> None:
    """Note in the report the assumptions on which the lines depend.

    `out`: ids of troops that are Out of Supply.
    """
    if out:
        text = (
            "{units} are Out of Supply and count for the Front Line, as they are not named as Isolated "
            "(isolated=UNIT,...)"
        )
        view.premises.assume(step("4.3", text, units=list(out)))
    proposed = [front.army for front in fronts if not front.agreed]
    if bare := [army for army in proposed if (side_of_army(army), army) not in placed_troops.sources]:
        text = "no supply source of {armies} is on the map, so their distance from supply does not count"
        view.premises.assume(step("4.3.1", text, armies=bare))


QUESTION = declare("control", "who controls a hex, and where the Front Line of an army runs", answer)
