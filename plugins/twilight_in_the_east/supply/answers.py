"""What every report on supply is put together from: the result of a unit, and what a line takes for granted."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.field import Line, Range, Source
from assistant.questions import View
from assistant.questions.report import Ask, Part, Report, Verdict, step
from assistant.state.state import Unit

from ..terms import SUPPLY_ARMS
from .guests import as_guest
from .report import SourceTried, SupplyResult


def report(result: SupplyResult, verdict: Verdict, *parts: Part, asks: tuple[Ask, ...] = ()) -> Report[SupplyResult]:
    """The report on the supply of a unit."""
    return Report(
        title=f"Supply of {result.unit} in {result.place}", verdict=verdict, parts=parts, asks=asks, result=result
    )


def supplied(
    unit: Unit, source: Source, line: Line, found: Range | None, looked_at: Sequence[SourceTried]
) -> SupplyResult:
    """The result of a unit that a source serves along a line; without a state where it does not."""
    return SupplyResult(
        unit=unit.id,
        place=str(unit.place),
        state=found.gives if found else None,
        source=source.name if found else "",
        extended=bool(found and found.extended),
        cost=line.cost,
        line=line.steps,
        tried=tuple(looked_at),
    )


def take_for_granted(view: View, source: Source, line: Line) -> None:
    """Say what a typed line takes for granted: its source's own supply, and what lies along RR lines and roads."""
    if source.kind in SUPPLY_ARMS and ("supply", source.name) not in view.state.facts:
        view.presume(step("14.2", "{source} is In Supply itself (no marker stated)", source=source.name))
    if unknown := [one.hex for one in line.steps if view.fact("terrain", one.hex) is None]:
        view.presume(step("14.1.1", "no High Mountain in {hexes}", hexes=unknown))


def guest_asks(view: View, unit: Unit, source: Source) -> tuple[Ask, ...]:
    """What to ask where a source may be the Corps Train of others, and too little is stated of whom else it serves."""
    if source.kind != "corps-train":
        return ()
    with view.gather() as facts:
        barred = as_guest(facts, unit, view.unit(source.name))
    return barred.asks if barred else ()
