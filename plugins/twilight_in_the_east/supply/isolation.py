"""Isolation: whether an Out of Supply unit is cut off from every RR line of its side (14.4.1)."""

from __future__ import annotations

from collections.abc import Collection

from assistant.field import Around, LineMap, closed_hexes
from assistant.mechanics.tracing import CostField, Crossing, cost_field
from assistant.questions import MissingFacts, View
from assistant.questions.asking import ask_for_fact
from assistant.state.state import Unit

from .lines import SupplyMap

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
    here, railway = str(unit.place), board.railway.cost
    if way_out(around, board.lines, railway, here, {around.side}):
        return False
    way = way_out(around, board.lines, railway, here, {around.side, ""})
    unstated = [hex for hex in way if not view.word("control", hex) and hex not in around.friends]
    if not unstated:
        return True
    raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unstated])


def way_out(
    around: Around, lines: LineMap, railway: Collection[str], here: str, friendly: Collection[str]
) -> tuple[str, ...]:
    """The way from a hex to a RR line that passes the fewest enemy hexes, those in the control of these being friendly; empty if
    there is none. railway: the hexes of operational RR lines. Whether the RR hex itself is one of six is a ruling (14.4.1)."""
    field = surroundings(around, lines, here, friendly, railway)
    reached = next((hex for hex in field.cost if hex in railway), "")
    view = around.view

    def is_enemy(hex: str) -> bool:
        return hex not in around.friends and view.word("control", hex) not in friendly

    at_limit = bool(reached) and field.cost[reached] == MOST_ENEMY_HEXES and is_enemy(reached)
    if at_limit and view.ruling("isolation-railway-hex") == "counted":
        field = surroundings(around, lines, here, friendly)
        near = (hex for hex in field.cost if hex in railway and field.cost[hex] + is_enemy(hex) <= MOST_ENEMY_HEXES)
        reached = next(near, "")
    return field.line(reached) if reached else ()


def surroundings(
    around: Around, lines: LineMap, here: str, friendly: Collection[str], until: Collection[str] = ()
) -> CostField:
    """The hexes from which a line to a hex may come, up to the first of some, and how many enemy hexes it passes at least."""
    closed = closed_for_isolation(around.enemies, around.enemy_zones, around.friends, around.friendly_zones)

    def price(kind: Crossing) -> int | None:
        barred = lines.price_back(kind) is None
        return None if barred else int(dict(kind.leaves)["control"] not in friendly)

    prices = lines.prices(("isolation", frozenset(friendly)), price)
    return cost_field(lines.crossings, prices, {here: 0}, closed=closed, limit=MOST_ENEMY_HEXES, until=until)
