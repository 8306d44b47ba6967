"""The question `romania`: whether Romania enters the war in this turn, and what follows (23.1, Variable Romanian Entry)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Dice, Done, Procedure, Roll
from assistant.questions import Answers, Parameters, Part, Report, Step, View, declare, note, refused, step, verdict
from assistant.questions.play import play
from assistant.questions.view import changed

from ..ground.countries import romania_enters
from .entry import enters_now, rolls_for_romania, romanian_chance
from .schedule import ARRIVALS, agreed, rows


class RomaniaParameters(Parameters, frozen=True):
    """No parameters: the position states the turn."""


class Romania(msgspec.Struct, frozen=True, kw_only=True):
    """Whether Romania enters the war."""

    turn: Annotated[int, note("the game turn")]
    enters: Annotated[bool | None, note("whether it enters now, null before the die")] = None
    most: Annotated[int, note("the highest die with which it enters, 0 without one")] = 0
    chance: Annotated[Fraction, note("the chance that it enters")] = Fraction(0)


def procedure(most: int) -> Procedure:
    """One die, with which Romania enters up to a number. Rule: Opt/VarRomania"""

    def node(situation: object) -> Roll | Done:
        if situation == "start":
            return Roll("entry", "Opt/VarRomania", "Romanian entry", Dice(1, 6), {}, lambda natural: natural <= most)
        return Done({"enters": bool(situation)})

    return node


def answer(view: View, parameters: RomaniaParameters, answers: Answers) -> Report[Romania]:
    """The report on Romania's entry, by the calendar or by the die of the Allied player. Rule: 23.1, Opt/VarRomania"""
    del parameters
    with view.gather() as facts:
        turn = facts.integer("turn")
    result = Romania(turn=turn)
    title = f"Romania in turn {turn}"
    if not rolls_for_romania(view, turn):
        now = enters_now(view, turn)
        result = msgspec.structs.replace(result, enters=now, chance=Fraction(int(now)))
        if not now:
            reason = step("23.1", "Romania enters the war in turn {enters}", enters=romania_enters(view))
            return refused(title, "Romania does not enter the war in this turn", [reason], result, result=result)
        return entered(view, title, result)
    most = romanian_chance(turn)
    result = msgspec.structs.replace(result, most=most, chance=Fraction(most, 6))
    played = play(view, procedure(most), "start", answers)
    steps = (step("Opt/VarRomania", "Romania enters the war on {most} or less", result),)
    if "enters" not in played.settled:
        said = verdict("figure", "Romania enters the war with a chance of {chance:%}", result)
        return Report(title=title, verdict=said, parts=(Part("Entry", steps),), asks=played.asks, result=result)
    result = msgspec.structs.replace(result, enters=bool(played.settled["enters"]))
    if result.enters:
        return entered(view, title, result)
    said = verdict("no", "Romania stays neutral; a die is thrown again next turn")
    return Report(title=title, verdict=said, parts=(Part("Entry", steps),), result=result)


def entered(view: View, title: str, result: Romania) -> Report[Romania]:
    """The report once Romania enters: who is at war when, and what arrives. Rule: 23.1, 23.2, Opt/VarRomania-arrivals"""
    steps: list[Step] = [
        step("23.1", "the Allies control Romania and its units"),
        step("23.1", "Bulgaria enters the war in the next player turn of the Central Powers"),
    ]
    for row in rows(view.game, "arrivals", ARRIVALS):
        if row["entry"] and agreed(view, row["option"]):
            turn = result.turn + int(row["entry"])
            steps.append(step(row["rule"], "{unit} arrives in turn {turn}", unit=row["unit"], turn=turn))
    return Report(
        title=title,
        verdict=verdict("yes", "Romania enters the war in turn {turn}", result),
        parts=(Part("What follows", tuple(steps)),),
        changes=(changed(view, "romania-enters", "", result.turn, "23.1"),),
        result=result,
    )


QUESTION = declare(
    "romania", "whether Romania enters the war in this turn", answer, {"entry": "the die for variable Romanian entry"}
)
