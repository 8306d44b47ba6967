"""The report of the question `reach`: the hexes to which a unit can move, with what they cost."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, TypeVar

import msgspec

from ..field.moving import Entered, Moving, Reached
from ..questions.permission import permission
from ..questions.report import Report, Step, step
from ..state.vocabulary import HexLeft, UnitId
from ..util.notes import note


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit can move. Costs are in the smallest step of a Movement Point."""

    unit: UnitId
    at: HexLeft
    allowance: Annotated[int, note("what the unit has, in the smallest step of a Movement Point")]
    hexes: Annotated[tuple[Reached, ...], note("the hexes, the cheapest first")] = ()


E = TypeVar("E", bound=Entered)
R = TypeVar("R", bound=Reach)


def reach_of(
    kind: type[R],
    unit: str,
    how: str,
    moving: Moving[E],
    reasons: Collection[Step],
    *,
    rule: str,
    minimum_rule: str,
    points: Callable[[int], str] = str,
) -> Report[R]:
    """The report on where a unit can move.

    kind: of its result, which says what the smallest step is; how: by land or else, in a word; reasons: what keeps it
    from moving at all; rule: of its move; minimum_rule: of a minimum move; points: Movement Points as players say them.
    """
    hexes = () if reasons else moving.within_reach()
    steps = [
        step(minimum_rule if place.minimum else rule, "{hex}: {points} by {way}", place, points=points(place.cost))
        for place in hexes
    ]
    if not moving.view.board.hexes:
        steps.append(step(rule, "of the hexes whose terrain or railroad is stated"))
    return permission(
        f"Reach of {unit} by {how}",
        ("{unit} can move to {hexes:#hex}", "{unit} cannot move"),
        reasons,
        kind(unit=unit, at=moving.at, allowance=moving.allowance, hexes=hexes),
        working={"Hexes": steps},
        kind="figure",
        hexes=len(hexes),
    )
