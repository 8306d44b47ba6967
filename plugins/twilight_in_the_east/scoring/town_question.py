"""The question `town`: the points of a starred town that was entered before its holder was stated (27.2.4)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from assistant.asking import PlaceName, SideName, View, changed, declare, note
from assistant.asking.asks import Ask
from assistant.asking.permission import holding, permission
from assistant.asking.report import MissingFacts, Report
from assistant.state.changes import AnyChange
from assistant.state.vocabulary import HexNumber

from ..terms import TOWN_OPEN
from .points import TOWNS, Award, gains, points_part, score_town


class TownResult(msgspec.Struct, frozen=True, kw_only=True):
    """The points of a starred town."""

    hex: HexNumber
    side: Annotated[str, note("the side that has entered it")]
    held: Annotated[str, note("the side that held it before")]
    points: Annotated[int, note("Victory Points that the side earns")]


def town(
    view: View,
    *,
    at: Annotated[PlaceName, note("the hex of the town")],
    held: Annotated[SideName, note("the side that last occupied it, or in whose country it lies")] = "",
) -> Report[TownResult]:
    """Return the report on a starred town that troops have entered.

    Raises MissingFacts if its earlier holder or its star is not stated.

    Rule: 27.2.4
    """
    side = view.word(TOWN_OPEN, at)
    reasons = holding([(not side, "27.2.4", "no troops have entered {at} while it was not stated who held it")], at=at)
    if side and not held:
        sides = tuple(view.game.file.sides)
        title = f"side that held {at} before"
        how = f"held={'|'.join(sides)}"
        raise MissingFacts([Ask(kind="parameter", name="held", rule="27.2.4", title=title, how=how, options=sides)])
    with view.gather() as facts:
        star = facts.integer("star", at) if side else 0
    points = score_town(star, held, side) if side else 0
    awards = [Award(TOWNS, side, points, at)] if points else []
    changes: list[AnyChange] = [*gains(awards)]
    if view.word("star-holder", at) != side:
        changes.append(changed(view, "star-holder", at, side, "27.2.4"))
    who = view.game.file.the_side(side) if side else ""
    return permission(
        f"Starred town in {at}",
        ("{who} scores {points:#Victory Point} for {hex}", "no points are open for {hex}"),
        reasons,
        TownResult(hex=at, side=side, held=held, points=points),
        working={"Victory Points": points_part(view, awards).steps},
        changes=changes,
        kind="figure",
        who=who,
    )


QUESTION = declare("town", "Victory Points of a starred town of which it was not stated who held it", town)
