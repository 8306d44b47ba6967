"""The question `move`: units go from hex to hex, and what follows at once where they enter and leave (4.3, 8.9.3, 13.4, 13.5.1, 17.1.4, 18.1).

What a move costs, and what else closes a hex, the question `ezoc` tells.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.field import check_way
from assistant.questions import (
    Answers,
    InputError,
    Parameters,
    Part,
    Report,
    UnitName,
    View,
    Way,
    declare,
    note,
    refused,
    step,
    verdict,
)
from assistant.questions.view import changed

from ..entering.following import what_follows
from ..entering.marches import March
from ..ground.zones import around_side


class MoveParameters(Parameters, frozen=True):
    """Units that move."""

    units: Annotated[tuple[UnitName, ...], note("those that move together, from one hex")]
    way: Annotated[Way, note("the hexes that they enter, in order")]


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move."""

    units: Annotated[tuple[str, ...], note("those that move")]
    way: Annotated[tuple[str, ...], note("the hexes that they enter, in order")]
    unsettled: Annotated[
        tuple[str, ...], note("what another question or a fact decides: units that may be abandoned, pontoon bridges")
    ] = ()


def answer(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """The report on a move: what follows from it, hex by hex.

    Raises MissingFacts for the nation of whoever moves, InputError for a way or units that cannot be.
    """
    moving, way = [view.unit(name) for name in parameters.units], parameters.way
    places = {unit.place for unit in moving}
    if len(places) != 1 or None in places:
        raise InputError("units: they do not stand in one hex", hint="name units that start together, on the map")
    check_way(view, str(moving[0].place), way)
    with view.gather() as facts:
        sides = {facts.view.game.side_of(facts.word("nation", unit.id)) for unit in moving}
        enemies = around_side(facts, next(iter(sides))).enemies
    title = f"{' and '.join(parameters.units)} from {moving[0].place} to {way[-1]}"
    if held := [hex for hex in way if hex in enemies]:
        return refused(title, "{hexes} is closed", [step("4.2", "enemies stand in {hexes}", hexes=held)], hexes=held)
    moves = [changed(view, "place", unit.id, way[-1], "8.1") for unit in moving]
    following = what_follows(view, [March(parameters.units, way)])
    result = MoveResult(units=parameters.units, way=way, unsettled=tuple(one.subject for one in following.unsettled))
    cost = step("8.1", "its cost, and what else may close a hex: ask ezoc")
    return Report(
        title=title,
        verdict=verdict("figure", "{units} go to {hex}", result, hex=way[-1]),
        parts=(following.part, Part("Left to the players", (cost,))),
        changes=(*moves, *following.changes),
        result=result,
    )


QUESTION = declare("move", "what follows at once when units move from hex to hex", answer)
