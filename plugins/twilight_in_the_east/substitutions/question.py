"""The question `substitute`: whether a unit replaces one or two others, and the changes (16.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    AnyName,
    InputError,
    Parameters,
    Part,
    Report,
    Step,
    View,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.report import Verdict
from assistant.asking.view import changed
from assistant.rules.arrivals import with_units
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Allowed, UnitId
from assistant.util.errors import quoted

from ..entering.consequences import follows_changes
from ..forces.armies import is_shown
from ..forces.departures import DEPARTED, EXCHANGED, NEVER_FORMED, end_waiting
from ..forces.gains import regain, show_steps
from ..forces.losses import step_losses
from ..forces.units import CombatUnit
from ..terms import KARPATEN
from .facts import (
    SUBSTITUTE_FOR,
    Substitution,
    carried_over,
    changes_of_view,
    exchanged_for,
    is_substitute,
    read_exchanges,
    read_substitution,
    ready_turn,
    with_substitutes,
)
from .rules import Kind, levels_after, returns_in_exchange, steps_of_substitute

ADDED = "added"
"""The reading of ruling substitute-room that keeps steps for which the counter has no room."""


class SubstituteParameters(Parameters, frozen=True):
    """Parameters of the question `substitute`."""

    unit: Annotated[
        AnyName | None, note("the substitute; if left out, the answer is which units wait to take the place of others")
    ] = None
    exchanged: Annotated[
        tuple[str, ...],
        note("the unit whose place it takes, or both brigades that form it; by substitute-for if left out"),
    ] = ()
    destroyed: Annotated[
        tuple[str, ...], note("those of them that have been destroyed and are not in the position any more")
    ] = ()


class SubstituteResult(msgspec.Struct, frozen=True, kw_only=True):
    """The permission to replace others, and the unit's state afterwards."""

    unit: Annotated[UnitId | None, note("the substitute, null if none is asked about")] = None
    exchanged: Annotated[tuple[str, ...], note("the units whose place it takes")] = ()
    destroyed: Annotated[tuple[str, ...], note("those of the units exchanged that have been destroyed")] = ()
    kind: Annotated[
        Kind, note("exchange, reinforcement if what it replaces has been destroyed, never if it is not formed")
    ] = "exchange"
    allowed: Allowed = True
    place: Annotated[str, note("the hex where it then stands, empty for none")] = ""
    steps: Annotated[int | None, note("the steps then, null for a unit that adds none")] = None
    lost: Annotated[int, note("steps for which its counter has no room, and that are lost")] = 0
    status: Annotated[int, note("the Combat Effectiveness Status then")] = 0
    waiting: Annotated[tuple[str, ...], note("the substitutes off the map, where none is named")] = ()


def answer(view: View, parameters: SubstituteParameters) -> Report[SubstituteResult]:
    """Return the report on a substitution.

    Raises MissingFacts for missing facts, and InputError for a unit on the map and for units that cannot be exchanged.
    """
    there = with_substitutes(view)
    if parameters.unit is None:
        return _report_waiting(there)
    if parameters.unit in view.game.roster and parameters.unit not in view.state.units:
        there = with_units(there, [parameters.unit])
    report = _report_substitution(there, parameters, there.unit(parameters.unit))
    entered = changes_of_view(view, there, [parameters.unit]) if report.changes else ()
    return replace(report, changes=(*entered, *report.changes))


def _report_substitution(view: View, parameters: SubstituteParameters, unit: Unit) -> Report[SubstituteResult]:
    """Return the report on the substitution of a unit.

    `view`: a view in which the unit waits off the map.

    Raises as `answer`.
    """
    if unit.place is not None:
        raise InputError(f"unit: {unit.id} is on the map, in {unit.place}", hint="name the substitute that comes")
    olds = exchanged_for(view, unit.id, parameters.exchanged)
    for name in parameters.destroyed:
        if name not in olds:
            raise InputError(f"destroyed: {name} is not exchanged for {unit.id}", hint=f"name {' or '.join(olds)}")
    known = read_substitution(view, unit, olds, parameters.destroyed)
    title = f"Substitution of {unit.id}"
    result = SubstituteResult(
        unit=unit.id,
        exchanged=tuple(old.id for old in known.units),
        destroyed=known.destroyed,
        kind=known.kind,
        allowed=not known.reasons,
    )
    if known.reasons:
        return refused(title, "the substitution is not possible yet", known.reasons, result, result=result)
    if known.kind == "exchange":
        return _report_exchange(view, title, known, result)
    changes = as_reinforcement(view, unit.id) if known.kind == "reinforcement" else cancel_division(view, unit.id)
    return Report(
        title=title,
        verdict=_choose_verdict(result),
        parts=(Part("Substitution", tuple(_list_steps_without_place(result))),),
        changes=tuple(changes),
        result=result,
    )


def _report_waiting(view: View) -> Report[SubstituteResult]:
    """Return the report on the viewpoint's substitutes that wait off the map."""
    shown = [unit for unit in view.units() if unit.place is None and is_shown(view, view.side_of(unit.id))]
    ready = {unit.id: ready_turn(view, unit.id) for unit in shown if is_substitute(view, unit.id)}
    waiting = tuple(unit for unit, turn in ready.items() if turn)
    olds = read_exchanges(view)
    text = "[substitutes:{substitutes} off the map, to take the place of others|no substitute waits off the map]"
    steps = [_waiting_step(unit, ready[unit], olds.get(unit, ())) for unit in waiting]
    result = SubstituteResult(waiting=waiting)
    return Report(
        title="Substitutions",
        verdict=verdict("figure", text, SimpleNamespace(substitutes=waiting)),
        parts=(Part("Waiting", tuple(steps)),),
        result=result,
    )


def _waiting_step(unit: str, turn: int, olds: Sequence[str]) -> Step:
    """Return a waiting substitute in words: its game turn, the units to be replaced, and the question to ask."""
    text = "{unit}, from GT {turn}[exchanged:: takes the place of {exchanged}] ({how})"
    return step("16.2", text, unit=unit, turn=turn, how=f"ask substitute unit={quoted(unit)}", exchanged=olds)


def _report_exchange(view: View, title: str, known: Substitution, result: SubstituteResult) -> Report[SubstituteResult]:
    changes = list(place_changes(view, known))
    rule = rule_of(known)
    levels = 0
    if known.strength:
        joined, lost, shown = join_steps(view, known, known.strength)
        levels = levels_after([old.levels for old in known.units])
        changes += shown
        if levels:
            changes.append(changed(view, "cel", known.unit, -levels, rule))
        result = replace(result, steps=joined, lost=lost)
    following = follows_changes(view, changes)
    result = replace(result, place=known.units[0].place, status=-levels)
    return Report(
        title=title,
        verdict=_choose_verdict(result),
        parts=(Part("Substitution", tuple(_exchange_steps(known, result))), *following.parts(view)),
        changes=(*changes, *following.changes),
        result=result,
    )


def rule_of(known: Substitution) -> str:
    """Return the rule by which a unit replaces others. Rule: 16.2.1, 16.2.2, 16.2.2b, 16.2.3"""
    alone = "16.2.3" if known.voluntary else "16.2.1"
    return "16.2.2" if known.units[1:] else alone


def place_changes(view: View, known: Substitution) -> Iterator[Change]:
    """Yield the changes by which a unit enters the hex of the exchanged units, with their army and markers.

    The exchanged units leave the map without elimination, so no points are scored. Their attached units are attached to
    the substitute.

    Rule: 16.2.1
    """
    unit = known.unit
    rule = rule_of(known)
    olds = [old.id for old in known.units]
    yield changed(view, "place", unit, known.units[0].place, rule)
    yield from end_waiting(view, unit, rule)
    taken = carried_over(view, unit, olds)
    for track, value in taken.items():
        yield changed(view, track, unit, value, rule)
    for old in filter(returns_in_exchange, olds):
        for track in taken:
            yield changed(view, track, old, None, rule)
    army = view.word("army", olds[0])
    if army and not view.word("army", unit) and unit != KARPATEN:
        yield changed(view, "army", unit, army, rule)
    for (track, subject), fact in view.state.facts.items():
        if view.game.tracks[track].names == "unit" and fact.value in olds and subject not in olds:
            yield changed(view, track, subject, unit, rule)
    for old in olds:
        yield changed(view, "place", old, None, rule)
        yield changed(view, DEPARTED, old, EXCHANGED, rule)


def join_steps(view: View, known: Substitution, strength: CombatUnit) -> tuple[int, int, list[Change]]:
    """Return the steps of a substitute, the steps lost because its counter has no room, and its changes.

    By ruling substitute-room no steps are lost.

    Rule: 16.2.1, 16.2.2
    """
    rule = rule_of(known)
    own = strength.left
    whole = known.pair and bool(known.destroyed) and view.ruling("lone-brigade") == "whole"
    total = steps_of_substitute(own, [old.steps for old in known.units], pair=known.pair, keeps_own_steps=whole)
    if total < own:
        return total, 0, step_losses(view, strength, own - total, rule)
    joined, excess = regain(strength, known.full, total - own)
    if excess and view.ruling("substitute-room") == ADDED:
        joined = replace(joined, steps=joined.steps + excess)
        return joined.left, 0, show_steps(view, joined, noted=True, rule=rule)
    return joined.left, excess, show_steps(view, joined, rule=rule)


def as_reinforcement(view: View, unit: str) -> Iterator[Change]:
    """Yield the changes by which a substitute enters as a normal reinforcement.

    The unit to be replaced is destroyed.

    Rule: 16.2.1
    """
    if is_substitute(view, unit):
        yield changed(view, SUBSTITUTE_FOR, unit, "", "16.2.1")
    turn = view.integer("turn")
    if turn != view.integer("arrives", unit):
        yield changed(view, "arrives", unit, turn, "16.2.1")


def cancel_division(view: View, unit: str) -> Iterator[Change]:
    """Yield the changes by which a division never comes, because both of its brigades are destroyed. Rule: 16.2.2b"""
    yield changed(view, "arrives", unit, None, "16.2.2")
    yield changed(view, DEPARTED, unit, NEVER_FORMED, "16.2.2")


# --- the result in words ----------------------------------------------------------------------------------------------


def _choose_verdict(result: SubstituteResult) -> Verdict:
    if result.kind == "never":
        return verdict("figure", "{unit} is never formed", result)
    text = "{unit} enters as a reinforcement"
    if result.kind == "exchange":
        text = "{unit} takes the place of {exchanged} in {place}[steps:: {steps:#step}, status {status}]"
    return verdict("yes", text, result)


def _list_steps_without_place(result: SubstituteResult) -> Iterator[Step]:
    if result.kind == "never":
        yield step("16.2.2", "both of its brigades have been destroyed: {destroyed}", result)
    else:
        text = "{destroyed} has been destroyed: {unit} enters as an ordinary reinforcement (ask {how})"
        yield step("16.2.1", text, result, how=f"arrive units={quoted(str(result.unit))}")


def _exchange_steps(known: Substitution, result: SubstituteResult) -> Iterator[Step]:
    """Yield the strength and status afterwards, and further duties, in words."""
    rule = rule_of(known)
    if result.steps is not None:
        text = "{unit} has {steps:#step} and status {status}"
        for old in known.units:
            yield step(rule, text, unit=old.id, steps=old.steps, status=-old.levels)
    yield step(rule, "off the map without being eliminated: {exchanged}", result)
    if result.lost:
        yield step(rule, "{lost:#step} lost, for which the counter of {unit} has no room", result)
    if result.unit == KARPATEN:
        text = "announce its army, which is then never changed (ask attach unit=Karpaten)"
        yield step("23.5", text)


QUESTION = declare(
    "substitute", "whether a unit takes the place of another one or of two, and with which strength and status", answer
)
