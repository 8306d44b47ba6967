"""The question `replace`: whether a unit takes replacements, and what is left for which units (15)."""

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
    Step,
    UnitName,
    View,
    declare,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.vocabulary import Allowed, UnitId

from ..forces.gains import regain, show_steps
from ..forces.units import CombatUnit
from ..ground.calendar import phase_of
from .reserves import TAKEN, as_stated, nations_in, points_left, read_reduced, reduced_units, require_replacements
from .rules import (
    NAMES,
    POINTS,
    Points,
    Reduced,
    bars_of_points,
    bars_of_state,
    is_time,
    most_steps,
    replacements_for,
    why_no_replacements,
)


class ReplaceParameters(Parameters, frozen=True):
    """A unit that is to take replacements, or none for what is left."""

    unit: Annotated[UnitName | None, note("its id; if left out, the answer is which units may take how many")] = None
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
    """Replacements that a unit takes, or those that are left."""

    unit: Annotated[UnitId | None, note("the unit, null where none is named")] = None
    allowed: Allowed = True
    steps: Annotated[int, note("replacements that it takes")] = 0
    pools: Annotated[tuple[ReplacementPool, ...], note("the replacements of each nation after it")] = ()
    units: Annotated[tuple[Candidate, ...], note("the units that may still take some, where none is named")] = ()


def answer(view: View, parameters: ReplaceParameters) -> Report[ReplaceResult]:
    """Return the report on replacements. Raises MissingFacts for the steps of units and the points of nations,
    InputError for a number of steps without a unit, or below 1.
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
    late = tuple(_list_bars_by_time(view))
    after = Part("Not now", late) if late else lapse_part(units)
    return Report(title="Replacements", verdict=shown, parts=(*parts, after), result=result)


def _candidates(view: View, nations: Sequence[str]) -> Iterator[Candidate]:
    """Yield the reduced units of some nations that may take replacements now. Raises MissingFacts for their steps."""
    own = [unit for unit in reduced_units(view) if view.word("nation", unit.id) in nations]
    with view.gather() as facts:
        units = [read_reduced(facts, unit)[0] for unit in own]
    for unit in units:
        kind = POINTS[unit.arm]
        most = most_steps(unit, points_left(view, unit.nation, kind))
        if most and not bars_of_state(unit):
            yield Candidate(unit=unit.id, kind=kind, steps=most)


def _report_unit(view: View, parameters: ReplaceParameters, name: str) -> Report[ReplaceResult]:
    """Return the report on the replacements of one unit."""
    if parameters.steps is not None and parameters.steps < 1:
        raise InputError(f"steps: {parameters.steps} is not possible", hint="give 1 or 2")
    unit = view.unit(name)
    known = as_stated(view, unit)
    title = f"Replacements for {name}"
    text = "{unit} takes no replacements"
    too_many = "{unit} does not take {steps:#replacement}" if parameters.steps else text
    standing = [*_list_bars_by_time(view), *bars_of_state(known), *_list_bars(known, parameters.nation)]
    result = ReplaceResult(unit=name, allowed=False)
    reading = read_unless(standing, lambda: _read(view, name))
    if standing or reading is None:
        return refused(title, text, standing, result, result=result)
    reduced, strength, full, left = reading
    kind = POINTS[reduced.arm]
    steps = parameters.steps or max(most_steps(reduced, left), 1)
    reasons = why_no_replacements(reduced, steps, left)
    if reasons:
        return refused(title, too_many, reasons, result, result=result, steps=steps)
    pool = ReplacementPool(nation=reduced.nation, kind=kind, left=left - steps)
    result = ReplaceResult(unit=name, steps=steps, pools=(pool,))
    joined = regain(strength, full, steps)[0]
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} takes {steps:#replacement}: {left} steps", result, left=joined.left),
        parts=(Part("Replacements", (step("15.0", _format_pool(view, pool)),)),),
        changes=tuple(changes_of(view, reduced, joined, pool, steps)),
        result=result,
    )


def _list_bars(unit: Reduced, nation: str | None) -> list[Step]:
    """Return why a unit takes none of the replacements whose it would be, as far as its arm and its nation are stated."""
    return bars_of_points(unit, nation or unit.nation) if unit.arm and unit.nation else []


def _list_bars_by_time(view: View) -> list[Step]:
    """Return why replacements are not allocated now, as far as is stated."""
    phase = phase_of(view)
    turn = view.integer("turn")
    if is_time(phase, turn):
        return []
    text = "replacements are allocated only in the Replacement Allocation Segment, after every third game turn"
    now = "; this is GT {turn}" if is_time(phase, 0) else "; the phase is {phase}"
    return [step("15.1", text + now, phase=phase, turn=turn)]


def _read(view: View, name: str) -> tuple[Reduced, CombatUnit, int, int]:
    """Return a unit as replacements see it, with its strength, the steps of its full side, and the points that it may
    draw on. Raises MissingFacts for what is not stated.
    """
    with view.gather() as facts:
        facts.word("nation", name)
        facts.word("arm", name)
    with view.gather() as facts:
        reduced, strength, full = read_reduced(facts, view.unit(name))
        kind = replacements_for(reduced.arm)
        return reduced, strength, full, require_replacements(facts, reduced.nation, kind) if kind else 0


def changes_of(view: View, unit: Reduced, joined: CombatUnit, pool: ReplacementPool, steps: int) -> Iterator[Change]:
    """Yield the changes by which a unit takes replacements: its steps, and what is left of the points. Rule: 15.1"""
    yield from show_steps(view, joined, rule="15.1")
    yield changed(view, TAKEN, unit.id, unit.taken + steps, "15.1.2")
    yield changed(view, pool.kind, pool.nation, pool.left, "15.0")


def _format_pool(view: View, pool: ReplacementPool) -> str:
    """Return what is left of the replacements of a nation, in words."""
    left = "not stated" if pool.left is None else f"{pool.left} left"
    return f"{view.title_of(pool.nation)} {NAMES[pool.kind]}s: {left}"


def lapse_part(units: Sequence[Candidate]) -> Part:
    """Return the step that says that what is not allocated is lost. Rule: 15.1"""
    text = "replacements that are not allocated are lost as the segment ends"
    return Part("Afterwards", (step("15.1", text),) if units else ())


QUESTION = declare("replace", "whether a unit takes replacements, and which units may take how many", answer)
