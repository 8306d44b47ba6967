"""The typed result of a supply question, its parts in words, and what a line takes for granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import msgspec

from assistant.field.lines import Line, LineStep, Source
from assistant.questions import Part, Step, Verdict, View, note, step, verdict
from assistant.questions.report import Ask, Report, VerdictKind

from ..terms import SUPPLY_ARMS
from .rules import near_and_far

STATES = {"in": "In Supply", "low": "in Low Supply", "out": "Out of Supply"}
KINDS: Mapping[str, VerdictKind] = {"in": "yes", "low": "figure", "out": "no"}
"""What a state answers to the question whether a unit is In Supply."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source reaches, and the length of its line."""

    source: Annotated[str, note("its name")]
    kind: Annotated[str, note("corps-train, minor-depot, major-depot, fortress or RR line")]
    place: Annotated[str, note("its hex")]
    cost: Annotated[Fraction | None, note("length of its line in hexes, null where none is known or leads there")]
    range: Annotated[int | None, note("normal reach in hexes, null where the player vouches for the line")]
    extended_range: Annotated[int | None, note("in Extended Mode, or of Low Supply for a RR line")]


class SourceTried(Reach, frozen=True, kw_only=True):
    """A supply source that was tried."""

    why_not: Annotated[str, note("why it does not serve, empty if it does")]


class SupplyResult(msgspec.Struct, frozen=True, kw_only=True, tag="unit"):
    """A unit's supply."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    state: Annotated[str | None, note("in, low or out; null where only one typed line was judged and does not serve")]
    isolated: Annotated[bool | None, note("whether an Out of Supply unit is Isolated")] = None
    through: Annotated[str, note("the formation whose supply an Asset Unit shares")] = ""
    source: Annotated[str, note("what serves it")] = ""
    extended: Annotated[bool, note("whether that has to be in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of the line in hexes")] = None
    line: Annotated[tuple[LineStep, ...], note("its hexes from the source")] = ()
    stands: Annotated[
        str | None,
        note("its state with supply units in the modes that the position gives them, null where that was not traced"),
    ] = None
    among: Annotated[
        str | None,
        note("its state with what serves its whole side best, where that is less; null where it is the same"),
    ] = None
    tried: Annotated[tuple[SourceTried, ...], note("every source that was tried")] = ()
    idle: Annotated[str, note("why a supply unit serves nobody whatever its own supply, empty if it may")] = ""


def reach(source: Source, line: Line | None) -> dict[str, Any]:
    """The fields of a `Reach`: of a source, without ranges where the player vouches for the line, and the line from it."""
    near, far = near_and_far(source) if source.ranges else (None, None)
    where = {"source": source.name, "kind": source.kind, "place": source.place}
    return {**where, "cost": None if line is None else line.cost, "range": near, "extended_range": far}


def tried(source: Source, line: Line | None, why_not: str) -> SourceTried:
    """A source with the line from it, as far as one leads to the unit."""
    return SourceTried(**reach(source, line), why_not=why_not)


def state_verdict(result: SupplyResult, text: str) -> Verdict:
    """The supply state in a line. text: how it is said."""
    state = str(result.state)
    return verdict(KINDS[state], text, result, state=STATES[state])


def sources_part(sources: Sequence[SourceTried]) -> Part:
    """Every source that was tried."""
    steps = []
    for one in sources:
        text = "{source} in {place}, range {range}" + (", extended {extended_range}: " if one.extended_range else ": ")
        text += "no line" if one.cost is None else "{cost:#hex} away"
        steps.append(step("14.2", text + ("; {why_not}" if one.why_not else ""), one))
    return Part("Sources", tuple(steps) or (Step("14.2", "no source that the unit may draw on is within range"),))


def start_of(view: View, source: str) -> str:
    """The hex in which a line from a source begins, "" for what needs no line: of a supply unit its own, of another the one that it is
    named after."""
    if source in view.state.units:
        return view.state.units[source].place or ""
    _, at, place = source.rpartition(" at ")
    return place if at and view.board.has(place) else ""


def isolation_part(isolated: bool) -> Part:
    """The test of isolation."""
    text = "line of any length to an operational RR hex (a friendly ZOC opens a hex to it): {found}"
    return Part("Isolation", (step("14.4.1", text, found=not isolated),))


def report(result: SupplyResult, verdict: Verdict, *parts: Part, asks: tuple[Ask, ...] = ()) -> Report[SupplyResult]:
    """The report on the supply of a unit."""
    return Report(
        title=f"Supply of {result.unit} in {result.place}", verdict=verdict, parts=parts, asks=asks, result=result
    )


def take_for_granted(view: View, source: Source, line: Line, *, is_traced: bool = False) -> None:
    """Say what a typed line takes for granted: its source's own supply, unless that is traced, and what lies along RR lines and
    roads."""
    if source.kind in SUPPLY_ARMS and not is_traced and ("supply", source.name) not in view.state.facts:
        view.presume(step("14.2", "{source} is In Supply itself (no marker stated)", source=source.name))
    for one in line.steps:
        view.granted("terrain", one.hex, "clear", "14.1.1", "no High Mountain in {hexes}")
