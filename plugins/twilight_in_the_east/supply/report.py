"""The typed result of a supply question, and its report in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.questions.report import Ask, Part, Report, Step, Verdict
from assistant.questions.view import View
from assistant.util.notes import note

from ..ground.calendar import weather_left_out
from .rules import HEX, Cost, Source

STATES = {"in": "In Supply", "low": "in Low Supply", "out": "Out of Supply"}


class LineStep(msgspec.Struct, frozen=True):
    """One hex of a supply line."""

    hex: Annotated[str, note("its number")]
    cost: Annotated[Fraction, note("in hexes")]
    sum: Annotated[Fraction, note("what the line has cost up to it")]
    why: Annotated[str, note("what makes the cost")]


class SourceTried(msgspec.Struct, frozen=True):
    """A supply source that was tried."""

    source: Annotated[str, note("its name")]
    kind: Annotated[str, note("corps-train, minor-depot, major-depot or RR line")]
    place: Annotated[str, note("its hex")]
    cost: Annotated[Fraction | None, note("to the unit in hexes, null where no line leads there")]
    range: Annotated[int, note("normal reach in hexes")]
    extended_range: Annotated[int, note("in Extended Mode, or of Low Supply for a RR line")]
    why_not: Annotated[str, note("why it does not serve, empty if it does")]


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    state: Annotated[str | None, note("in, low or out, null where only one typed line was judged and does not serve")]
    isolated: Annotated[bool | None, note("whether an Out of Supply unit is Isolated")] = None
    source: Annotated[str, note("what serves it")] = ""
    extended: Annotated[bool, note("whether that has to be in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("of the line in hexes")] = None
    line: Annotated[tuple[LineStep, ...], note("its hexes from the source")] = ()
    tried: Annotated[tuple[SourceTried, ...], note("every source that was looked at")] = ()


def hops(line: Sequence[str], costs: Sequence[Cost | str], closed: frozenset[str]) -> tuple[tuple[LineStep, ...], str]:
    """The steps of a line with their running sum, up to where it is barred, and why it is ("" if it is not)."""
    steps: list[LineStep] = []
    total = 0
    for there, cost in zip(line[1:], costs, strict=True):
        if there in closed:
            return tuple(steps), f"{there} is enemy-occupied or in an EZOC"
        if isinstance(cost, str):
            return tuple(steps), f"into {there}: {cost}"
        total += cost.quarters
        steps.append(LineStep(there, Fraction(cost.quarters, HEX), Fraction(total, HEX), cost.why))
    return tuple(steps), ""


def state_verdict(result: SupplyResult, source: Source) -> Verdict:
    """In Supply is a yes, Low Supply a figure of its own."""
    state = STATES[str(result.state)]
    figures = {"unit": result.unit, "state": state, "source": source.name, "cost": result.cost}
    mode = " in Extended Mode" if result.extended else ""
    template = "{unit} is {state} from {source}" + mode + ", {cost} hexes away"
    return Verdict("yes" if result.state == "in" else "figure", template, figures)


def line_part(title: str, start: str, steps: Sequence[LineStep]) -> Part:
    """A line, hex by hex."""
    listed = [Step("14.1.2", "from {hex}", {"hex": start})]
    for step in steps:
        figures = {name: getattr(step, name) for name in step.__struct_fields__}
        listed.append(Step("14.1.2", "{hex}: {cost} ({why}), {sum} so far", figures))
    return Part(title, tuple(listed))


def sources_part(tried: Sequence[SourceTried]) -> Part:
    """Every source that was looked at."""
    steps = []
    for one in tried:
        figures = {name: getattr(one, name) for name in one.__struct_fields__ if name != "kind"}
        text = "{source} in {place}, range {range}, extended {extended_range}: "
        text += "no line" if one.cost is None else "{cost} hexes away"
        text += "; {why_not}" if one.why_not else ""
        steps.append(Step("14.2", text, figures))
    if not steps:
        steps.append(Step("14.2", "no source that the unit may draw on", {}))
    return Part("Sources", tuple(steps))


def report(
    view: View,
    result: SupplyResult,
    verdict: Verdict,
    parts: Sequence[Part],
    asks: tuple[Ask, ...] = (),
    granted: Sequence[Step] = (),
) -> Report[SupplyResult]:
    """The report on one unit's supply. granted: what was taken for granted besides the weather."""
    granted = (*granted, *weather_left_out(view))
    return Report(
        game=view.game.id,
        question="supply",
        title=f"Supply of {result.unit} in {result.place}",
        verdict=verdict,
        parts=(*parts, *([Part("Taken for granted", granted)] if granted else [])),
        asks=asks,
        result=result,
    )
