"""The question `retreat`: which hexes a retreating unit may enter, hex by hex (15.2)."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec

from assistant.field import Barred, HexOption, open_hexes, option
from assistant.questions import Answers, InputError, Parameters, Part, Report, UnitName, View, Way
from assistant.questions.question import declare
from assistant.questions.report import step, verdict
from assistant.state.changes import Leave
from assistant.util.notes import note

from .ground import around, between


class RetreatParameters(Parameters, frozen=True):
    """A unit that retreats."""

    unit: Annotated[UnitName, note("its id")]
    hexes: Annotated[int, note("hexes that it has to retreat")]
    way: Annotated[Way, note("the hexes that it has entered so far")] = ()


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """How far a unit has retreated, and where it may go on."""

    unit: Annotated[str, note("its id")]
    left: Annotated[int, note("hexes that are still owed")]
    options: Annotated[tuple[HexOption, ...], note("the hexes around it")]
    eliminated: Annotated[bool, note("whether it cannot go on, and is eliminated")]


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat as far as its way leads. Rule: 15.0, 15.2"""
    unit, distance = view.unit(parameters.unit), view.board.distance
    with view.gather() as facts:
        seen = around(facts, unit)
        immobile = facts.integer("movement", unit.id) == 0
    passed = [str(unit.place)]

    def barred(here: str, there: str) -> Barred | None:
        if there in seen.enemies:
            return Barred("15.2(1)", "enemy units")
        if there in seen.enemy_zones:
            return Barred("15.2(2)", "enemy zone of control")
        if "all-sea" in between(view, here, there).lies:
            return Barred("15.2(3)", "all-sea hexside")
        if there in passed or distance(passed[0], there) < len(passed):
            return Barred("15.2(5)", "no doubling back")
        return None

    for there in parameters.way:
        why = barred(passed[-1], there) if there in view.board.neighbours(passed[-1]) else Barred("", "not adjacent")
        if why:
            raise InputError(f"way: {there} cannot be entered from {passed[-1]}: {why.why}")
        passed.append(there)
    left = parameters.hexes - len(parameters.way)
    look = partial(option, [barred])
    options = open_hexes(view, passed[-1], look, lambda one: one.hex) if left > 0 else ()
    lost = left > 0 and (immobile or all(one.barred for one in options))
    found = RetreatResult(unit=unit.id, left=left, options=options, eliminated=lost)
    text = "{unit} has {left:#hex} to go" if left else "{unit} has retreated"
    said = verdict("no", "{unit} cannot retreat and is eliminated", found) if lost else verdict("figure", text, found)
    steps = tuple(step(one.rule or "15.2", "{hex}: {why}", one, why=one.barred or "open") for one in options)
    gone = (Leave(unit.id, "15.2"),) if lost else ()
    parts = (Part("Hexes", steps),)
    return Report(title=f"Retreat of {unit.id}", verdict=said, parts=parts, changes=gone, result=found)


QUESTION = declare("retreat", "which hexes a retreating unit may enter", answer)
