"""The test of isolation (14.4.1, 4.1.3).

An Out of Supply unit is not Isolated if it has a way out: a line of any length to a friendly operational RR hex.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence, Set
from typing import NamedTuple

from assistant.asking import MissingFacts, View
from assistant.asking.asks import ask_for_fact
from assistant.mechanics.crossings import Crossing, Price
from assistant.mechanics.tracing import Spread
from assistant.rules.field import LineMap, Network, SideField, closed_hexes
from assistant.rules.field.lines import Rules
from assistant.state.state import Unit

from ..ground.hexsides import NETWORK
from .ground import UNKNOWN_TERRAIN, SupplyGround, ask_for_link, grant_links, supply_ground, yes_or_no

MAX_ENEMY_HEXES = 6
"""The maximum number of enemy-controlled hexes on a line that keeps a unit from being Isolated."""
_HEXSIDE_COST = 1
_ENEMY_HEX_COST = 2**20
"""The cost of an enemy hex; it exceeds the hexsides of any line, so that ways with fewer enemy hexes come first."""
_MAX_COST = (MAX_ENEMY_HEXES + 1) * _ENEMY_HEX_COST - 1

OPEN_WAY = "avoiding enemy units, High Mountain and any EZOC not covered by your own units or ZOCs"
"""The conditions of a way out, which the player checks on a paper map without typed hexes (14.4.1, 4.1.3, 14.1.1)."""
SEEN_BY_PLAYER: tuple[str, ...] = ()
"""The way out, without hexes, that the player reports from a paper map."""


def closed_for_isolation(
    enemies: Collection[str], enemy_zones: Collection[str], friends: Collection[str], friendly_zones: Collection[str]
) -> frozenset[str]:
    """Return the hexes closed to ways out: enemies and their zones.

    A hex is open if a friend or a friendly zone is there. The unit's own zone counts as a friendly one.

    Rule: 14.4.1, 4.1.3
    """
    return closed_hexes(enemies, enemy_zones, {*friends, *friendly_zones})


def closed_to_ways_out(around: SideField, among: Set[str] | None = None) -> frozenset[str]:
    """Return the hexes that the enemy closes to the ways out of a side.

    `among`: the hexes to judge, or None for all.
    """
    hexes = around.enemies, around.enemy_zones, around.friends, around.friendly_zones
    return closed_for_isolation(*(each if among is None else each & among for each in hexes))


def known_isolation(view: View, unit: Unit, side: str) -> bool | None:
    """Return whether an Out of Supply unit is Isolated, or None if only part of a paper map is typed.

    Raises MissingFacts as `find_way_out` does.
    """
    if not view.board.hexes and not view.flag(NETWORK.whole, side):
        return None
    return find_way_out(view, unit, supply_ground(view, side)) is None


def find_way_out(view: View, unit: Unit, ground: SupplyGround) -> tuple[str, ...] | None:
    """Return the way out of an Out of Supply unit, or None if the unit is Isolated.

    The way is `SEEN_BY_PLAYER` if nothing is typed and the player reports one. A typed way rests on the same
    assumptions as a supply line.

    Raises MissingFacts if hexes of unstated control, or facts that only the player sees, decide the test.

    Rule: 14.4.1, 4.1.3
    """
    around, board = ground.around, ground.certain
    certain = WaysOut(around, board.lines, board.linked, frozenset({around.side}))
    way = certain.find(str(unit.place))
    if way:
        if ground.network:
            _note_presumed(view, ground, way)
        return way
    # a hex of unstated control may be friendly
    possible = certain._replace(friendly=certain.friendly | {""})
    if ground.network is None:
        _ask_for_control(view, around, possible.find(str(unit.place)))
        return None
    return _find_unseen_way(view, unit, ground, ground.network, possible)


def _note_presumed(view: View, ground: SupplyGround, way: Sequence[str]) -> None:
    for hex in way[1:]:
        view.granted("terrain", hex, "clear", "14.1.1", "no High Mountain in {hexes}")
    grant_links(view, ground, way[-1:], ground.railway)


def _ask_for_control(view: View, around: SideField, way: Sequence[str]) -> None:
    """Raise MissingFacts if hexes of a possible way have no stated control."""
    unstated = [hex for hex in way if not view.word("control", hex) and hex not in around.friends]
    if unstated:
        raise MissingFacts([ask_for_fact(view.game.track("control"), hex) for hex in unstated])


def _find_unseen_way(
    view: View, unit: Unit, ground: SupplyGround, network: Network, possible: WaysOut
) -> tuple[str, ...] | None:
    """Return `SEEN_BY_PLAYER` if the player says that the paper map has a way out, or None if there is none.

    `possible`: the ways over typed hexes if those of unstated control are friendly.

    Raises MissingFacts if the player has not said, and a way may lead through untyped hexes.
    """
    stated = view.fact("way-out", unit.id)
    if stated is not None:
        return SEEN_BY_PLAYER if stated.value else None
    open_hexes = (hex for hex in network.ways if network.is_open(hex, ground.around.enemies))
    railway = ground.possible.linked.union(open_hexes)
    here = str(unit.place)
    way = possible._replace(lines=ground.possible.lines, railway=railway).find(here)
    if not way:
        return None
    if network.is_whole and way[-1] in ground.railway.doubtful:
        raise MissingFacts([ask_for_link(view, ground, ground.railway.doubtful[way[-1]])])
    title = f"is there a route from {here} of at most {MAX_ENEMY_HEXES} enemy hexes to an operational RR line"
    raise MissingFacts([yes_or_no(view, "way-out", unit, f"{title}, {OPEN_WAY}")])


class WaysOut(NamedTuple):
    """The ways of any length by which units of a side may reach an RR line (14.4.1)."""

    around: SideField
    lines: LineMap
    railway: frozenset[str]
    """The hexes of operational RR lines."""
    friendly: frozenset[str]
    """The controllers that count as friendly: the side, and "" if unstated control may be friendly."""

    def find(self, here: str) -> tuple[str, ...]:
        """Return the shortest of the ways with the fewest enemy hexes from a hex to an RR line, or ().

        Ruling isolation-railway-hex says whether the RR hex itself must be open and counts as an enemy hex (14.4.1). A
        way that holds under both readings is tried first, so the ruling is consulted only if it decides.
        """
        passing = self._spread(here, self.railway).within(_MAX_COST, self.railway)
        board_order = self.lines.crossings.number.__getitem__
        # the search ends at the cheapest RR hexes; any of them would do, so their order on the board decides
        nearest = min(self.railway.intersection(passing.cost), key=board_order, default="")
        if not nearest:
            return ()
        if self._has_few_enemies(nearest, passing.cost[nearest]) and not closed_to_ways_out(self.around, {nearest}):
            return passing.line(nearest)
        # if the RR hex itself counts, the nearest one fails, but one farther away may do
        counting = self._spread(here).within(_MAX_COST)
        ends = (hex for hex in counting.cost if hex in self.railway)
        passed = (end for end in ends if self._has_few_enemies(end, counting.cost[end]))
        end = min(passed, key=counting.cost.__getitem__, default="")
        if end or self.around.view.ruling("isolation-railway-hex") == "counted":
            return counting.line(end) if end else ()
        return passing.line(nearest)

    def still_lead(self, way: Sequence[str]) -> bool:
        """Return whether a way found in another position is a way out here, under both readings of the ruling."""
        end = way[-1]
        if way[0] in self.around.enemies or end not in self.railway or closed_to_ways_out(self.around, {end}):
            return False
        cost = self.lines.open_ways(*self._price_ways(self.railway)).cost_along(way)
        return cost is not None and self._has_few_enemies(end, cost)

    def list_inside(self, here: str) -> frozenset[str]:
        """Return the hexes that ways from a hex reach, past at most `MAX_ENEMY_HEXES` enemy hexes."""
        return frozenset(self._spread(here).within(_MAX_COST).cost)

    def _has_few_enemies(self, end: str, cost: int) -> bool:
        """Return whether a way has at most `MAX_ENEMY_HEXES` enemy hexes, including its end.

        `cost`: the cost of the way in `_spread`, which leaves its end out.
        """
        is_enemy = end not in self.around.friends and self.around.view.word("control", end) not in self.friendly
        return cost // _ENEMY_HEX_COST + is_enemy <= MAX_ENEMY_HEXES

    def _spread(self, here: str, ends: frozenset[str] = frozenset()) -> Spread:
        """Return the ways from a hex.

        `ends`: hexes that a way may enter although an EZOC closes them.
        """
        return self.lines.spread(*self._price_ways(ends), () if here in self.around.enemies else (here,))

    def _price_ways(self, ends: frozenset[str]) -> tuple[Hashable, Rules]:
        """Return the costs of ways out, with a name for them: `_ENEMY_HEX_COST` for each enemy hex left,
        `_HEXSIDE_COST` a hexside.

        `ends`: as for `_spread`.
        """
        around, costs = self.around, self.lines.costs

        def price(kind: Crossing) -> int | None:
            cost = costs[kind.back]
            # unstated terrain bars no way out: it is presumed to be no High Mountain
            if isinstance(cost, str) and cost != UNKNOWN_TERRAIN:
                return None
            return _HEXSIDE_COST if dict(kind.leaves)["control"] in self.friendly else _HEXSIDE_COST + _ENEMY_HEX_COST

        def rules() -> tuple[Price, frozenset[str]]:
            return price, closed_to_ways_out(around) - (ends - around.enemies)

        return ("isolation", self.friendly, ends), rules
