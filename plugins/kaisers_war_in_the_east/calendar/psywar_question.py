"""The question `psywar`: what a PSYWAR attack costs, and whether a side may make one (Optional Rules)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.mechanics.procedure import Dice, Done, Procedure, Roll
from assistant.questions import Answers, Parameters, Part, Report, SideName, View, declare, note, refused, step, verdict
from assistant.questions.play import play
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..terms import ALLIES
from .phase import out_of_phase

COST = 5
"""Victory Points of a PSYWAR attack."""


class PsywarParameters(Parameters, frozen=True):
    """A side."""

    side: Annotated[SideName, note("the side that makes the attack")]


class Psywar(msgspec.Struct, frozen=True, kw_only=True):
    """A PSYWAR attack."""

    side: Annotated[str, note("the side that makes it")]
    cost: Annotated[int, note("Victory Points that it costs")]
    left: Annotated[int, note("Victory Points left to the side")]
    die: Annotated[int, note("the die, 0 before it is thrown")] = 0


def procedure() -> Procedure:
    """One die on the printed table. Rule: Opt/PSYWAR/2"""

    def node(situation: object) -> Roll | Done:
        if situation == "start":
            return Roll("psywar", "Opt/PSYWAR/2", "PSYWAR Table", Dice(1, 6), {}, lambda natural: natural)
        return Done({"die": int(str(situation))})

    return node


def price(side: str, revolution: int) -> int:
    """What an attack costs: 5 points, and nothing for the Allies after the Second Revolution. Rule: Opt/PSYWAR/2, Opt/International"""
    return 0 if side == ALLIES and revolution == 2 else COST


def answer(view: View, parameters: PsywarParameters, answers: Answers) -> Report[Psywar]:
    """The report on a PSYWAR attack. The table is printed with the game alone: its owner reads the result at the die.

    Rule: Opt/PSYWAR/1
    """
    side = parameters.side
    with view.gather() as facts:
        points, cost = facts.integer("vp", side), price(side, facts.integer("revolution"))
    title = f"PSYWAR attack of the {view.game.file.title_of(side)}"
    result = Psywar(side=side, cost=cost, left=points - cost)
    reasons = out_of_phase(view, side, "mobilization", "Opt/PSYWAR/1")
    if "psywar" not in view.words("options"):
        reasons.append(step("Opt/PSYWAR/1", "PSYWAR is an optional rule (options=psywar)"))
    if view.flag("psywar", side):
        reasons.append(
            step(
                "Opt/PSYWAR/1",
                "the {side} have made their attack of this player turn",
                side=view.game.file.title_of(side),
            )
        )
    if cost and points - cost < 1:
        reasons.append(step("5.5", "{cost:#Victory Point} would leave {left}, and at least 1 must remain", result))
    if reasons:
        return refused(title, "this attack is not allowed", reasons, result=result)
    played = play(view, procedure(), "start", answers)
    steps = [step("Opt/PSYWAR/2", "it costs {cost:#Victory Point}; {left} are left", result)]
    if "die" not in played.settled:
        said = verdict("figure", "{cost:#Victory Point}; roll 1d6 on the PSYWAR Table", result)
        return Report(title=title, verdict=said, parts=(Part("Attack", tuple(steps)),), asks=played.asks, result=result)
    result = msgspec.structs.replace(result, die=int(str(played.settled["die"])))
    steps.append(
        step(
            "Opt/PSYWAR/2",
            "read the result of {die} on the printed table; units that it eliminates count as lost",
            result,
        )
    )
    changes: list[AnyChange] = [changed(view, "psywar", side, True, "Opt/PSYWAR/1")]
    changes += [Gain("vp", side, -cost, "Opt/PSYWAR/2")] if cost else []
    return Report(
        title=title,
        verdict=verdict("figure", "read the result of {die} on the PSYWAR Table", result),
        parts=(Part("Attack", tuple(steps)),),
        changes=tuple(changes),
        result=result,
    )


QUESTION = declare(
    "psywar",
    "whether a side may make a PSYWAR attack, and what it costs",
    answer,
    {"psywar": "the die on the PSYWAR Table"},
)
