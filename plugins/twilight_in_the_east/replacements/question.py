"""The question `replace`: whether a unit may take replacements, and the remaining ones (15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from assistant.asking import (
    InputError,
    NationName,
    Parameters,
    Part,
    Report,
    UnitName,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.case import list_bars
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.vocabulary import Allowed, UnitId

from ..forces.gains import regain, show_steps
from ..forces.units import CombatUnit
from .rules import (
    NAMES,
    POINTS,
    TAKEN_TRACK,
    Points,
    Taking,
    as_stated,
    bars_of_time,
    nations_in,
    points_left,
    read_taking,
    reduced_units,
    require_replacements,
)


class ReplaceParameters(Parameters, frozen=True):
    """Parameters of the question `replace`, which gives an overview if no unit is named."""

    unit: Annotated[UnitName | None, note("the id; if left out, the answer is which units may take how many")] = None
    steps: Annotated[int | None, note("replacements for it; as many as it may take if left out")] = None
    nation: Annotated[NationName | None, note("whose replacements; those of its nation if left out")] = None


class ReplacementPool(msgspec.Struct, frozen=True, kw_only=True):
    """The replacements of a nation."""

    nation: Annotated[str, note("the nation")]
    kind: Annotated[Points, note("repl for infantry, cav-repl for cavalry")]
    left: Annotated[int | None, note("how many are left, null if that is not known")]


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that may take replacements."""

    unit: UnitId
    kind: Annotated[Points, note("repl for infantry, cav-repl for cavalry")]
    steps: Annotated[int, note("how many it may still take in this segment")]


class ReplaceResult(msgspec.Struct, frozen=True, kw_only=True):
    """The replacements of a unit, or the remaining ones."""

    unit: Annotated[UnitId | None, note("the unit, null where none is named")] = None
    allowed: Allowed = True
    steps: Annotated[int, note("replacements that it takes")] = 0
    pools: Annotated[tuple[ReplacementPool, ...], note("the replacements of each nation after it")] = ()
    units: Annotated[tuple[Candidate, ...], note("the units that may still take some, where none is named")] = ()


def answer(view: View, parameters: ReplaceParameters) -> Report[ReplaceResult]:
    """Return the report on replacements.

    Raises MissingFacts if the steps of units or the points of nations are not known, InputError if steps are given
    without a unit, or below 1.
    """
    if parameters.unit is not None:
        return _report_unit(view, parameters, parameters.unit)
    if parameters.steps is not None:
        raise InputError("steps: no unit is named", hint="add unit=UNIT")
    nations = [parameters.nation] if parameters.nation else nations_in(view, reduced_units(view))
    pools = list[ReplacementPool]()
    for nation in nations:
        for kind in POINTS.values():
            pools.append(ReplacementPool(nation=nation, kind=kind, left=points_left(view, nation, kind)))
    units = tuple(_candidates(view, nations))
    result = ReplaceResult(pools=tuple(pools), units=units)
    parts = (Part("Units", tuple(step("15.1.2", "{unit}: {steps}", unit) for unit in units)),)
    if pools:
        shown = verdict("figure", "{pools}", pools="; ".join(_format_pool(view, pool) for pool in pools))
    else:
        shown = verdict("figure", "no reduced unit is on the map, and no replacements are stated")
    late = tuple(bars_of_time(view))
    after = Part("Not now", late) if late else lapse_part(units)
    return Report(title="Replacements", verdict=shown, parts=(*parts, after), result=result)


def _candidates(view: View, nations: Sequence[str]) -> Iterator[Candidate]:
    """Yield the reduced units of some nations that may take replacements now.

    Raises MissingFacts for their steps.
    """
    own = [unit for unit in reduced_units(view) if view.word("nation", unit.id) in nations]
    with view.gather() as facts:
        units = [read_taking(facts, unit)[0] for unit in own]
    for unit in units:
        if unit.most and not list_bars(unit.bars_of_state):
            yield Candidate(unit=unit.unit, kind=POINTS[unit.arm], steps=unit.most)


def _report_unit(view: View, parameters: ReplaceParameters, name: str) -> Report[ReplaceResult]:
    if parameters.steps is not None and parameters.steps < 1:
        raise InputError(f"steps: {parameters.steps} is not possible", hint="give 1 or 2")
    unit = view.unit(name)
    giver = parameters.nation or ""
    known = as_stated(view, unit, giver)
    title = f"Replacements for {name}"
    text = "{unit} takes no replacements"
    result = ReplaceResult(unit=name, allowed=False)
    bars = [*bars_of_time(view), *list_bars(known.bars_of_state, known.bars_of_points)]
    if bars:
        return refused(title, text, bars, result, result=result)
    with view.gather() as facts:
        facts.word("nation", name)
        facts.word("arm", name)
    with view.gather() as facts:
        taking, strength, full = read_taking(facts, unit)
        kind = POINTS[taking.arm]
        left = require_replacements(facts, taking.nation, kind)
    taking.steps = steps = parameters.steps or max(taking.most, 1)
    if bars := list_bars(taking.bars_of_amount):
        text = "{unit} does not take {steps:#replacement}" if parameters.steps else text
        return refused(title, text, bars, result, result=result, steps=steps)
    pool = ReplacementPool(nation=taking.nation, kind=kind, left=left - steps)
    result = ReplaceResult(unit=name, steps=steps, pools=(pool,))
    joined = regain(strength, full, steps)[0]
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} takes {steps:#replacement}: {left} steps", result, left=joined.left),
        parts=(Part("Replacements", (step("15.0", _format_pool(view, pool)),)),),
        changes=tuple(changes_of(taking, joined, pool)),
        result=result,
    )


def changes_of(taking: Taking, joined: CombatUnit, pool: ReplacementPool) -> Iterator[Change]:
    """Yield the changes by which a unit takes replacements: its steps, and the points left. Rule: 15.1"""
    view = taking.view
    yield from show_steps(view, joined, rule="15.1")
    yield changed(view, TAKEN_TRACK, taking.unit, taking.taken + taking.steps, "15.1.2")
    yield changed(view, pool.kind, pool.nation, pool.left, "15.0")


def _format_pool(view: View, pool: ReplacementPool) -> str:
    left = "not stated" if pool.left is None else f"{pool.left} left"
    return f"{view.title_of(pool.nation)} {NAMES[pool.kind]}s: {left}"


def lapse_part(units: Sequence[Candidate]) -> Part:
    """Return the step about replacements that lapse if they are not allocated. Rule: 15.1"""
    text = "replacements that are not allocated are lost as the segment ends"
    return Part("Afterwards", (step("15.1", text),) if units else ())


QUESTION = declare("replace", "whether a unit takes replacements, and which units may take how many", answer)
