"""The question `retreat`: which hexes a retreating unit may enter, hex by hex (15.2)."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec

from assistant.field.ways import Barred, HexOption, open_hexes, option
from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Part, Report, step, verdict
from assistant.questions.view import View
from assistant.state.changes import Leave
from assistant.util.errors import InputError
from assistant.util.notes import note

from .ground import around, between


class RetreatParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that retreats."""

    unit: Annotated[UnitName, note("its id")]
    hexes: Annotated[int, note("hexes that it has to retreat")]
    way: Annotated[tuple[PlaceName, ...], note("the hexes that it has entered so far")] = ()


class RetreatResult(msgspec.Struct, frozen=True, kw_only=True):
    """How far a unit has retreated, and where it may go on."""

    unit: Annotated[str, note("its id")]
    left: Annotated[int, note("hexes that are still owed")]
    open: Annotated[tuple[str, ...], note("the hexes that it may enter next")]
    options: Annotated[tuple[HexOption, ...], note("the hexes around it")]
    eliminated: Annotated[bool, note("whether it cannot go on, and is eliminated")]


def answer(view: View, parameters: RetreatParameters, answers: Answers) -> Report[RetreatResult]:
    """The report on a retreat as far as its way leads.

    Rule: 15.0, 15.2
    """
    unit = view.unit(parameters.unit)
    board = view.board
    start = str(unit.place)
    with view.gather() as facts:
        seen = around(facts, unit)
        immobile = facts.integer("movement", unit.id) == 0

    def barred(passed: tuple[str, ...], here: str, there: str) -> Barred | None:
        """Why a hex cannot be entered: enemies, their zones, sea, a hex entered before, or doubling back."""
        if there in seen.enemies:
            return Barred("15.2(1)", "enemy units")
        if there in seen.enemy_zones:
            return Barred("15.2(2)", "enemy zone of control")
        if "all-sea" in between(view, here, there).lies:
            return Barred("15.2(3)", "all-sea hexside")
        if there in passed or board.distance(start, there) < len(passed):
            return Barred("15.2(5)", "no doubling back")
        return None

    here, passed = start, (start,)
    for there in parameters.way:
        if there not in board.neighbours(here) or (why := barred(passed, here, there)):
            what = why.why if there in board.neighbours(here) and why else "not adjacent"
            raise InputError(f"way: {there} cannot be entered from {here}: {what}")
        here, passed = there, (*passed, there)
    left = parameters.hexes - len(parameters.way)
    options = (
        open_hexes(view, here, partial(option, [partial(barred, passed)], here), lambda one: one.hex)
        if left > 0
        else ()
    )
    openings = tuple(one.hex for one in options if not one.barred)
    lost = left > 0 and (immobile or not openings)
    found = RetreatResult(unit=unit.id, left=left, open=openings, options=options, eliminated=lost)
    steps = [step(one.rule or "15.2", "{hex}: {why}", one, why=one.barred or "open") for one in options]
    said = verdict("figure", "{unit} may retreat to {open}; {left} to go", found)
    if lost:
        said = verdict("no", "{unit} cannot retreat and is eliminated", found)
    elif not left:
        said = verdict("yes", "{unit} has retreated", found)
    changes = (Leave(unit.id, "15.2"),) if lost else ()
    return Report(
        title=f"Retreat of {unit.id}", verdict=said, parts=(Part("Hexes", tuple(steps)),), changes=changes, result=found
    )


QUESTION = Question(
    name="retreat",
    title="which hexes a retreating unit may enter",
    parameters=RetreatParameters,
    result=RetreatResult,
    answer=answer,
    answers={},
)
