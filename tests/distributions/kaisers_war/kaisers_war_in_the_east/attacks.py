"""The question `attacks`: the hexes that a side can attack, by the column that all its units next to each reach together."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.questions import Answers, InputError, Parameters, Part, Report, View, declare, note, step, verdict
from assistant.questions.ranking import ranked

from .combat import BattleParameters, engage, refusals
from .ground import field


class AttacksParameters(Parameters, frozen=True):
    """The attacks of one side."""

    side: Annotated[str, note("the side that attacks")]


class Target(msgspec.Struct, frozen=True):
    """A hex that may be attacked."""

    at: Annotated[str, note("the hex")]
    column: Annotated[str, note("the column of all units next to it, empty for no attack")] = ""
    percent: Annotated[int, note("attack in percents of the defence")] = 0
    why: Annotated[str, note("why it is not attacked, empty if it can be")] = ""


class AttacksResult(msgspec.Struct, frozen=True):
    """The hexes, best first."""

    targets: Annotated[tuple[Target, ...], note("by percentage, then by number")]


def answer(view: View, parameters: AttacksParameters, answers: Answers) -> Report[AttacksResult]:
    """The report on the attacks of a side."""
    if parameters.side not in view.game.file.sides:
        raise InputError(f"side: {parameters.side!r} is not a side", hint=" or ".join(view.game.file.sides))
    with view.gather() as facts:
        seen = field(facts).around(parameters.side)
    near = [at for at in sorted(seen.enemies) if not seen.friends.isdisjoint(view.board.neighbours(at))]

    def at(place: str) -> Target:
        battle = engage(view, BattleParameters(at=place))
        barred = "; ".join(reason.text for reason in refusals(battle.attackers, "standard"))
        return Target(place, why=barred) if barred else Target(place, battle.column, battle.percent)

    targets = ranked(
        view,
        near,
        at=at,
        lacking=lambda place, missing: Target(place, why=f"not stated: {missing}"),
        barred=lambda place, error: Target(place, why=error.what),
        order=lambda target: (bool(target.why), -target.percent, target.at),
    )
    text = {True: "{at}: {why}", False: "{at}: column {column} ({percent} %)"}
    return Report(
        title=f"Attacks of {parameters.side}",
        verdict=verdict("figure", "{targets:#hex} with enemies next to units of the side", targets=len(near)),
        parts=(Part("Targets", tuple(step("14.13", text[bool(one.why)], one) for one in targets.found)),),
        asks=targets.asks,
        result=AttacksResult(targets.found),
    )


QUESTION = declare("attacks", "the attacks of a side, ranked", answer)
