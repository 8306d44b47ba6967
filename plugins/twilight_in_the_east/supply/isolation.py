"""The test of isolation: whether an Out of Supply unit has a line of any length to a friendly operational RR hex
(14.4.1, 4.1.3).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from typing import NamedTuple

from assistant.asking import MissingFacts, View
from assistant.asking.asks import ask_for_fact
from assistant.mechanics.crossings import Crossing, Price
from assistant.mechanics.tracing import Spread
from assistant.rules.field import LineMap, SideField, closed_hexes
from assistant.state.state import Unit

from ..ground.hexsides import NETWORK
from .ground import UNKNOWN_TERRAIN, SupplyGround, ask_for_link, grant_links, supply_ground, yes_or_no

MOST_ENEMY_HEXES = 6
"""How many hexes controlled by the enemy a line may pass that keeps a unit from being Isolated."""
_ENEMY_HEX = 2**20
"""What a line costs for each hex controlled by the enemy: more than all its hexsides, so that of the lines that pass
the fewest enemy hexes the shortest is taken.
"""
_STEP = 1
"""What a line costs for each hexside."""
_MOST = (MOST_ENEMY_HEXES + 1) * _ENEMY_HEX - 1
"""The most that it may cost."""

OPEN_WAY = "avoiding enemy units, High Mountain and any EZOC not covered by your own units or ZOCs"
"""What else the player must look for on his map, where no hexes are typed (14.4.1, 4.1.3, 14.1.1)."""


def closed_for_isolation(
    enemies: Collection[str], enemy_zones: Collection[str], friends: Collection[str], friendly_zones: Collection[str]
) -> frozenset[str]:
    """Return the hexes that no line passes in the test of isolation, where a friendly zone, the unit's own included,
    opens a hex too. Rule: 14.4.1, 4.1.3
    """
    return closed_hexes(enemies, enemy_zones, {*friends, *friendly_zones})


def isolated_hexes(around: SideField, among: Set[str] | None = None) -> frozenset[str]:
    """Return the hexes that isolation closes, as a side sees them. among: the hexes that count, all if left out."""
    hexes = around.enemies, around.enemy_zones, around.friends, around.friendly_zones
    return closed_for_isolation(*(each if among is None else each & among for each in hexes))


def known_isolation(view: View, unit: Unit, side: str) -> bool | None:
    """Return whether an Out of Supply unit of a side is Isolated: no line of any length leads to a friendly operational
    RR hex; None where only a part of a paper map is typed. Raises MissingFacts as `find_way_out` does.
    """
    if not view.board.hexes and not view.flag(NETWORK.whole, side):
        return None
    return find_way_out(view, unit, supply_ground(view, side)) is None


def find_way_out(view: View, unit: Unit, ground: SupplyGround) -> tuple[str, ...] | None:
    """Return the way that keeps an Out of Supply unit from being Isolated, empty where only its player sees it, None if
    there is none. On a typed way the same facts are presumed, and reported, as on a supply line.

    Raises MissingFacts where that turns on hexes whose control is not stated, or on what only the player sees.
    Rule: 14.4.1, 4.1.3
    """
    around, board, network = ground.around, ground.certain, ground.network
    here = str(unit.place)
    known = WaysOut(around, board.lines, board.linked, frozenset({around.side}))
    possible = known._replace(friendly=known.friendly | {""})
    way = known.find(here)
    if way:
        if network:
            for hex in way[1:]:
                view.granted("terrain", hex, "clear", "14.1.1", "no High Mountain in {hexes}")
            grant_links(view, ground, way[-1:], ground.railway)
        return way
    if network is None:
        way = possible.find(here)
        unstated = [hex for hex in way if not view.word("control", hex) and hex not in around.friends]
        if not unstated:
            return None
        raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unstated])
    stated = view.fact("way-out", unit.id)
    if stated is not None:
        return () if stated.value else None
    open_hexes = (hex for hex in network.ways if network.is_open(hex, around.enemies))
    railway = ground.possible.linked.union(open_hexes)
    way = possible._replace(lines=ground.possible.lines, railway=railway).find(here)
    if not way:
        return None
    if network.is_whole and way[-1] in ground.railway.doubtful:
        raise MissingFacts([ask_for_link(view, ground, ground.railway.doubtful[way[-1]])])
    title = f"is there a route from {here} of at most {MOST_ENEMY_HEXES} enemy hexes to an operational RR line"
    raise MissingFacts([yes_or_no(view, "way-out", unit, f"{title}, {OPEN_WAY}")])


class WaysOut(NamedTuple):
    """The lines of any length by which units of a side may come to an RR line (14.4.1)."""

    around: SideField
    lines: LineMap
    railway: frozenset[str]
    """The hexes of operational RR lines."""
    friendly: frozenset[str]
    """The controllers whose hexes are no enemy hexes."""

    def find(self, here: str) -> tuple[str, ...]:
        """Return the shortest way from a hex to an RR line of those that pass the fewest enemy hexes, empty if none
        exists; whether the RR hex itself counts among them is a ruling (14.4.1).
        """
        first = self._spread(here, self.railway).within(_MOST, self.railway)
        in_order = self.lines.crossings.number.__getitem__
        reached = min(self.railway.intersection(first.cost), key=in_order, default="")
        if not reached:
            return ()
        if self._counts(reached, first.cost[reached]) and not isolated_hexes(self.around, {reached}):
            return first.line(reached)
        every = self._spread(here).within(_MOST)
        counting = (hex for hex in every.cost if hex in self.railway and self._counts(hex, every.cost[hex]))
        counted = min(counting, key=every.cost.__getitem__, default="")
        if counted or self.around.view.ruling("isolation-railway-hex") == "counted":
            return every.line(counted) if counted else ()
        return first.line(reached)

    def still_lead(self, way: Sequence[str]) -> bool:
        """Return whether a way out in another position is one in this, however its RR hex is counted."""
        end = way[-1]
        if end not in self.railway or isolated_hexes(self.around, {end}):
            return False
        cost = self._spread(way[0], self.railway).cost_along(way)
        return cost is not None and self._counts(end, cost)

    def list_inside(self, here: str) -> frozenset[str]:
        """Return the hexes from which a line to a hex may come."""
        return frozenset(self._spread(here).within(_MOST).cost)

    def _counts(self, end: str, cost: int) -> bool:
        """Return whether a way to an RR hex passes few enough enemy hexes, that hex among them. cost: as in `_spread`."""
        is_enemy = end not in self.around.friends and self.around.view.word("control", end) not in self.friendly
        return cost // _ENEMY_HEX + is_enemy <= MOST_ENEMY_HEXES

    def _spread(self, here: str, ends: frozenset[str] = frozenset()) -> Spread:
        """Return the lines that may come to a hex, at `_ENEMY_HEX` for each enemy hex that they pass, and `_STEP` for
        each hexside. ends: hexes in which they may begin though an EZOC closes them.
        """
        around, costs = self.around, self.lines.costs

        def price(kind: Crossing) -> int | None:
            cost = costs[kind.back]
            # of unknown terrain no more matters here than that it is not a High Mountain
            if isinstance(cost, str) and cost != UNKNOWN_TERRAIN:
                return None
            return _STEP if dict(kind.leaves)["control"] in self.friendly else _STEP + _ENEMY_HEX

        def rules() -> tuple[Price, frozenset[str]]:
            return price, isolated_hexes(around) - (ends - around.enemies)

        starts = () if here in around.enemies else (here,)
        return self.lines.spread(("isolation", self.friendly, ends), rules, starts)
