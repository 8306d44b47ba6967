"""Isolation: whether an Out of Supply unit is cut off from every RR line of its side (14.4.1)."""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Around, LineMap, closed_hexes
from assistant.mechanics.tracing import Crossing, cost_field
from assistant.questions import MissingFacts, View
from assistant.questions.asking import ask_for_fact
from assistant.state.state import Unit

from .lines import SupplyMap, operational_hexes

MOST_ENEMY_HEXES = 6
"""How many hexes controlled by the enemy a line may pass that keeps a unit from being Isolated."""


def closed_for_isolation(
    enemies: Collection[str], enemy_zones: Collection[str], friends: Collection[str], friendly_zones: Collection[str]
) -> frozenset[str]:
    """The hexes that no line passes in the test of isolation, where a friendly zone, the unit's own included, opens a hex too.
    Rule: 14.4.1, 4.1.3
    """
    return closed_hexes(enemies, enemy_zones, {*friends, *friendly_zones})


def is_isolated(view: View, unit: Unit, around: Around, board: SupplyMap) -> bool:
    """Whether an Out of Supply unit is Isolated: no line of any length to a friendly operational RR hex.

    Raises MissingFacts where that turns on hexes whose control is not stated. Rule: 14.4.1, 4.1.3
    """
    closed = closed_for_isolation(around.enemies, around.enemy_zones, around.friends, around.friendly_zones)
    railway = operational_hexes(view, around.side)

    here = str(unit.place)
    if way_out(board.lines, here, railway, closed, {around.side}):
        return False
    possible = way_out(board.lines, here, railway, closed, {around.side, ""})
    unstated = [hex for hex in possible if not view.word("control", hex) and hex not in around.friends]
    if not unstated:
        return True
    raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unstated])


def way_out(
    lines: LineMap, here: str, railway: Collection[str], closed: Collection[str], friendly: Collection[str]
) -> tuple[str, ...]:
    """The way from a unit's hex to the RR line that passes the fewest enemy hexes, empty if it passes too many.

    lines: the map on which supply lines are traced; railway: friendly operational RR hexes; closed: hexes that no line passes;
    friendly: in whose control hexes are not the enemy's, "" for those of which it is not stated.
    """

    def price(kind: Crossing) -> int | None:
        towards_the_unit = Crossing(kind.enters, kind.over, kind.leaves)
        barred = isinstance(lines.costs[towards_the_unit], str)
        return None if barred else int(dict(kind.leaves)["control"] not in friendly)

    field = cost_field(lines.crossings, price, {here: 0}, closed=closed, limit=MOST_ENEMY_HEXES, until=railway)
    reached = next((hex for hex in field.cost if hex in railway), "")
    return field.line(reached) if reached else ()
