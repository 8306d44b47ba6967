"""The parameters and the typed result of a retreat question, and its report in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from assistant.questions.question import PlaceName, UnitName
from assistant.questions.report import Part, Step, Verdict
from assistant.util.notes import note

from .cost import Cause, Charge, ForceLoss


class RetreatParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A retreat to be looked at."""

    at: Annotated[PlaceName, note("the hex that the stack leaves")]
    hexes: Annotated[int | None, note("how many it has to retreat, if not as the position says (`owes`)")] = None
    cause: Annotated[Cause, note("crt, check or repulse")] = "crt"
    units: Annotated[
        tuple[UnitName, ...],
        note(
            "those that retreat, if left out those there who owe hexes by the position, or else all combat "
            "and artillery units"
        ),
    ] = ()
    way: Annotated[tuple[PlaceName, ...], note("the hexes that they enter, in order")] = ()
    abandoned: Annotated[
        tuple[PlaceName, ...], note("hexes that enemies held when the combat was announced and left by a retreat")
    ] = ()
    last: Annotated[
        bool | None,
        note("whether this ends the retreats of the combat, as it does unless the Combat Results Table is the cause"),
    ] = None
    first: Annotated[
        PlaceName | None, note("the hex where the combat found them, if they have retreated from it already")
    ] = None
    before: Annotated[int, note("how many hexes that was")] = 0

    @property
    def owed(self) -> int:
        """How many hexes it has to retreat, 0 while that is not known."""
        return self.hexes or 0

    @property
    def is_last(self) -> bool:
        """Whether this ends the retreats of the combat."""
        return self.cause != "crt" if self.last is None else self.last


class RetreatHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex next to the one that the stack stands in now."""

    hex: Annotated[str, note("its number")]
    barred: Annotated[str, note("why it cannot be entered, empty if it can")] = ""
    rule: Annotated[str, note("that bars it")] = ""
    zone: Annotated[bool, note("whether it is in an EZOC with no friendly unit")] = False
    river: Annotated[bool, note("whether an un-bridged Major or Grand River is crossed")] = False
    mountains: Annotated[bool, note("whether artillery is lost")] = False
    distance: Annotated[int, note("hexes from the hex that is left")] = 0
    in_area: Annotated[
        bool | None, note("whether it lies in the Area of Attachment of the stack's army, null where nobody says")
    ] = None
    friendly: Annotated[bool | None, note("whether the side controls it, null where nobody says")] = None
    unsaid: Annotated[tuple[str, ...], note("what is not stated and taken to be open")] = ()


class ForceRetreat(msgspec.Struct, frozen=True, kw_only=True):
    """What the retreat costs a Force."""

    force: Annotated[str, note("by its first unit")]
    levels: Annotated[int, note("of Combat Effectiveness")]
    steps: Annotated[int, note("those among them that stand for levels")]
    guns: Annotated[tuple[str, ...], note("artillery units eliminated")]
    eliminated: Annotated[bool, note("whether it is gone")]


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat."""

    at: Annotated[str, note("the hex that is left")]
    units: Annotated[tuple[str, ...], note("that retreat")]
    owed: Annotated[int, note("hexes")]
    way: Annotated[tuple[str, ...], note("those entered")]
    end: Annotated[str, note("where the stack stands then")]
    options: Annotated[tuple[RetreatHex, ...], note("the hexes around that one, the best first")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what the way costs each Force")]
    surrenders: Annotated[bool, note("whether the stack is gone because it cannot leave its hex")] = False
    complete: Annotated[bool, note("whether the retreat is over")] = False
    over_stacked: Annotated[bool, note("whether its last hex holds too much")] = False


def verdict(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    figures = {"at": result.at, "end": result.end, "retreated": len(result.way), "owed": result.owed}
    if result.surrenders:
        return Verdict("figure", "the stack in {at} cannot retreat at all and surrenders", figures)
    if not result.complete:
        free = [option.hex for option in result.options if not option.barred]
        text = "{retreated} of {owed:#hex} retreated to {end}" if result.way else "{owed:#hex} to retreat from {at}"
        text += "; open next: {hexes}"
        return Verdict("figure", text, figures | {"hexes": free})
    levels = [f"{force.force} {force.levels}" for force in result.forces if force.levels]
    steps = [f"{force.force} {force.steps}" for force in result.forces if force.steps]
    guns = [gun for force in result.forces for gun in force.guns]
    text = "retreats {retreated} of {owed:#hex} to {end}; levels lost: {levels}; steps lost: {losses}; artillery lost: {guns}"
    return Verdict("figure", text, figures | {"levels": levels, "losses": steps, "guns": guns})


def cost_part(
    at: str,
    way: Sequence[RetreatHex],
    costs: Sequence[Charge],
    lost: Sequence[ForceLoss],
    gone: bool,
    own: Mapping[str, Sequence[Charge]],
) -> Part:
    """What the way costs, charge by charge and Force by Force. own: charges of one Force alone."""
    steps = []
    if way:
        hexes = [one.hex for one in way]
        steps.append(Step("11.2.1", "{at} to {hexes}", {"at": at, "hexes": hexes}))
    if gone:
        text = (
            "the Combat Results Table has it retreat and no hex is open: it surrenders; a Repulse may be tried before"
        )
        steps.append(Step("11.2.6", text))
        return Part("The way", tuple(steps))
    for charge in costs:
        text = "{why}: {levels:#level}, {steps:#step} of each Force" + (", all artillery" if charge.guns else "")
        text += ", the artillery but GAR.3, GAR.8 and GAR.14" if charge.mountains else ""
        steps.append(Step(charge.rule, text, {"why": charge.why, "levels": charge.levels, "steps": charge.steps}))
    for name, charged in own.items():
        for charge in charged:
            told = {"force": name, "why": charge.why, "levels": charge.levels}
            steps.append(Step(charge.rule, "{force}: {why}, {levels:#level}", told))
    for force in lost:
        figures = {"force": force.force, "levels": force.levels, "steps": force.steps, "guns": list(force.guns)}
        text = (
            "{force} is eliminated"
            if force.eliminated
            else "{force}: {levels:#level}, {steps:#step}; artillery lost: {guns}"
        )
        steps.append(Step("11.2.5", text, figures))
    return Part("The way", tuple(steps))


def options_part(options: Sequence[RetreatHex]) -> Part:
    """The hexes around, each with what it costs or what bars it."""
    steps = []
    for option in options:
        figures: dict[str, object] = {"hex": option.hex, "why": option.barred, "distance": option.distance}
        if option.barred:
            steps.append(Step(option.rule, "{hex}: {why}", figures))
            continue
        marks = [
            word
            for word, is_so in (
                ("an EZOC", option.zone),
                ("over an un-bridged river", option.river),
                ("artillery is lost in the mountains", option.mountains),
                ("in the army's area", option.in_area is True),
                ("outside the army's area", option.in_area is False),
                ("under control", option.friendly is True),
                ("not under control", option.friendly is False),
            )
            if is_so
        ]
        figures |= {"marks": marks, "unsaid": list(option.unsaid)}
        text = (
            "{hex}: open, {distance:#hex} from the combat; {marks}"
            if marks
            else "{hex}: open, {distance:#hex} from the combat"
        )
        steps.append(Step("11.2.2", text + ("; not stated: {unsaid}" if option.unsaid else ""), figures))
    text = "the farther the better, then within the Area of Attachment, under control, towards supply; EZOCs may be avoided"
    if any(option.in_area is None for option in options):
        text += "; no Area of Attachment is stated, so that much is left to the players"
    steps.append(Step("11.2.2", text))
    return Part("Next hex", tuple(steps))
