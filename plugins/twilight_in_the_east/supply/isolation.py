"""Isolation: whether an Out of Supply unit is cut off from every RR line of its side (14.4.1)."""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Around, closed_hexes
from assistant.mechanics.tracing import CostField, Crossing, cost_field
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

    def ways_out(friendly: Collection[str]) -> CostField:
        """The enemy hexes on the way from a RR line, those in the control of these being friendly."""

        def price(kind: Crossing) -> int | None:
            barred = isinstance(board.lines.costs[kind], str)
            return None if barred else int(dict(kind.enters)["control"] not in friendly)

        sources = dict.fromkeys(sorted(railway), 0)
        return cost_field(board.lines.crossings, price, sources, closed=closed, limit=MOST_ENEMY_HEXES)

    here = str(unit.place)
    if here in ways_out({around.side}).cost:
        return False
    at_best = ways_out({around.side, ""})
    if here not in at_best.cost:
        return True
    unstated = [hex for hex in at_best.line(here) if not view.word("control", hex) and hex not in around.friends]
    raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unstated])
