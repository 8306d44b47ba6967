"""The parameters and the typed result of a retreat question, and what a retreat costs in words (11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

import msgspec

from assistant.questions import Parameters, Part, PlaceName, Step, UnitName, Verdict, Way, note, step, verdict

from ..combat.engagement import Cause
from ..forces.units import Force
from .ways import Charge, ForceRetreat, RetreatHex, paid_by, suffer

EXCEPT = "all artillery except GAR.3, GAR.8 and GAR.14"


def charge_step(charge: Charge) -> Step:
    """What one thing on the way costs each Force of the stack."""
    listed = [price(charge) + " of each Force"] if charge.levels or charge.steps else []
    listed += ["all artillery"] * charge.guns + [EXCEPT] * charge.mountains
    return step(charge.rule, "{why}: " + ", ".join(listed), charge)


def force_step(force: ForceRetreat) -> Step:
    """What a retreat has cost a Force in all."""
    text = "{force} is eliminated" if force.eliminated else "{force}: " + price(force)
    text += "; artillery lost: {guns}" if force.guns and not force.eliminated else ""
    turned = "{converted:#level} that could not be lost became " + ("a step" if force.converted == 1 else "steps")
    return step("11.2", text + f" ({turned})" * bool(force.converted), force)


def price(cost: Charge | ForceRetreat) -> str:
    """The levels and steps that something costs, as a text to be filled in, without what it does not cost."""
    listed = ["{levels:#level}"] * bool(cost.levels) + ["{steps:#step}"] * bool(cost.steps)
    return ", ".join(listed) or "no level and no step"


def remark(
    forces: Iterable[Force], before: Mapping[str, Sequence[Charge]], after: Mapping[str, Sequence[Charge]]
) -> str:
    """What a hex that may be entered next costs the Forces that enter it, "" if nothing, and who does not survive that.

    before, after: what the way costs each Force without the hex and with it.
    """
    names_by_price, dead = dict[str, list[str]](), list[str]()
    for force in forces:
        charged = after[force.name]
        names_by_price.setdefault(prices(paid_by(force, charged)[len(before[force.name]) :]), []).append(force.name)
        dead += [force.name] if suffer(force, charged).eliminated else []
    lines = [
        text + f" for {', '.join(names)}" * (len(names_by_price) > 1) for text, names in names_by_price.items() if text
    ]
    return "; ".join([*lines, *([f"eliminates {', '.join(dead)}"] if dead else [])])


def prices(charges: Iterable[Charge]) -> str:
    """What a hex costs a Force, "" if nothing: an EZOC or a river, and the price."""
    lines = []
    for charge in charges:
        what = {"11.2.5": "an EZOC", "11.2.4": "over an un-bridged river"}.get(charge.rule, "")
        what = "through mountains" if charge.mountains else what
        levels, steps = (
            f"{number} {unit}{'s' * (number > 1)}"
            for number, unit in ((charge.levels, "level"), (charge.steps, "step"))
        )
        listed = [levels] * bool(charge.levels) + [steps] * bool(charge.steps)
        listed += ["all artillery"] * (charge.guns or charge.mountains)
        lines.append(f"{what}: {', '.join(listed)}")
    return "; ".join(lines)


Names = tuple[UnitName, ...]
Places = tuple[PlaceName, ...]


class RetreatParameters(Parameters, frozen=True):
    """A retreat to be looked at."""

    at: Annotated[PlaceName, note("the hex that the stack leaves")]
    hexes: Annotated[int | None, note("hexes to retreat, if other than the position states (`owes`)")] = None
    cause: Annotated[
        Cause | None, note("crt, check or repulse, if other than the position states; crt if neither does")
    ] = None
    units: Annotated[Names, note("units that retreat; if left out, those that owe hexes, or else all that can")] = ()
    way: Annotated[Way, note("the hexes that they enter, in order")] = ()
    abandoned: Annotated[Places, note("enemy hexes at the time of combat, left by a retreat")] = ()
    withheld: Annotated[bool, note("whether they were withheld from the combat")] = False
    last: Annotated[bool | None, note("whether no further retreat of the combat follows")] = None
    first: Annotated[
        PlaceName | None, note("the hex they were in when the combat was fought, if they have retreated since")
    ] = None
    before: Annotated[int, note("hexes retreated before")] = 0
    zones: Annotated[int, note("unoccupied hexes in EZOCs that they have entered before in the combat")] = 0

    @property
    def owed(self) -> int:
        """How many hexes it has to retreat, 0 while that is not known."""
        return self.hexes or 0

    @property
    def due_to(self) -> Cause:
        """What causes it."""
        return self.cause or "crt"

    @property
    def end(self) -> str:
        """Where the way ends."""
        return (self.at, *self.way)[-1]


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A retreat."""

    at: Annotated[str, note("the hex that is left")]
    units: Annotated[tuple[str, ...], note("the units that retreat")]
    owed: Annotated[int, note("hexes of retreat due")]
    way: Annotated[tuple[str, ...], note("the hexes entered so far")]
    end: Annotated[str, note("the hex where the stack is then")]
    options: Annotated[tuple[RetreatHex, ...], note("the hexes adjacent to that one, best first")]
    forces: Annotated[tuple[ForceRetreat, ...], note("what the way costs each Force")]
    passed_over: Annotated[
        dict[str, str], note("each hex entered that the priorities rank below another, with that other hex")
    ] = {}
    surrenders: Annotated[bool, note("whether the stack is gone because it cannot leave its hex")] = False
    complete: Annotated[bool, note("whether the retreat is over")] = False
    over_stacked: Annotated[bool, note("whether its last hex is over-stacked")] = False

    @property
    def retreated(self) -> int:
        """How many hexes it has retreated."""
        return len(self.way)


def in_a_line(result: RetreatResult) -> Verdict:
    """The retreat in a line."""
    if result.surrenders:
        return verdict("figure", "the stack in {at} cannot retreat at all and surrenders", result)
    if not result.complete:
        hexes = [option.hex for option in result.options if not option.barred]
        text = "{retreated} of {owed:#hex} retreated to {end}" if result.way else "{owed:#hex} to retreat from {at}"
        return verdict("figure", text + "; open next: {hexes}", result, hexes=hexes)
    text = "retreats {retreated} of {owed:#hex} to {end}; levels lost: {levels}; steps lost: {losses}; artillery lost: {guns}"
    levels = [f"{force.force} {force.levels}" for force in result.forces if force.levels]
    losses = [f"{force.force} {force.steps}" for force in result.forces if force.steps]
    guns = [gun for force in result.forces for gun in force.guns]
    return verdict("figure", text, result, levels=levels, losses=losses, guns=guns)


def cost_part(result: RetreatResult, costs: Sequence[Charge], own: Mapping[str, Sequence[Charge]]) -> Part:
    """What the way costs, charge by charge and Force by Force. own: charges of one Force alone."""
    steps = [step("11.2.1", "{at} to {hexes}", result, hexes=result.way)] if result.way else []
    if result.surrenders:
        text = "the Combat Results Table calls for a retreat and no hex is open: the stack surrenders and is "
        return Part("The way", (*steps, step("11.2.6", text + "permanently eliminated")))
    steps += map(charge_step, costs)
    for name, charged in own.items():
        steps += [step(charge.rule, "{force}: {why}, {levels:#level}", charge, force=name) for charge in charged]
    steps += map(force_step, result.forces)
    return Part("The way", tuple(steps))


def options_part(options: Sequence[RetreatHex]) -> Part:
    """The hexes around, each with what it costs or what bars it."""
    steps = []
    for option in options:
        if option.barred:
            steps.append(step(option.rule, "{hex}: {why}", option, why=option.barred))
            continue
        if option.is_safe:
            steps.append(step("23.4.1", "{hex}: open; the stack is safe there and its retreat ends", option))
            continue
        marks = {
            "an EZOC": option.zone,
            "over an un-bridged river, a level and all artillery": option.river,
            "artillery is lost in the mountains": option.mountains,
            "in the army's area": option.in_area is True,
            "outside the army's area": option.in_area is False,
            "under control": option.friendly is True,
            "not under control": option.friendly is False,
        }
        listed = [mark for mark, holds in marks.items() if holds]
        text = "{hex}: open, {distance:#hex} from the combat" + ("; {marks}" if listed else "")
        steps.append(step("11.2.2", text + ("; not stated: {unsaid}" if option.unsaid else ""), option, marks=listed))
    if any(option.zone and not option.barred for option in options):
        text = "the first EZOC on the way costs each Force a level; the second a level, a step and all artillery; "
        steps.append(step("11.2.5", text + "the third a level and a step; each further one at least a step"))
    text = "the farther the better, then within the Area of Attachment, under control, towards supply; EZOCs may be avoided"
    if any(option.in_area is None for option in options):
        text += "; no Area of Attachment is stated, so that priority is left to the players"
    return Part("Next hex", (*steps, step("11.2.2", text)))


def priority_step(hex: str, better: str, why: str) -> Step:
    """That a hex was entered though the priorities put another one before it, and the first that does."""
    return step("11.2.2", "the priorities put {better} before {hex}: {why}", better=better, hex=hex, why=why)
