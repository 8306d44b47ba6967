"""What it costs to enter a hex and to cross a hexside, in halves of a Movement Point (11.1, 11.4, 11.5, 22.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction

from assistant.questions import Gather

from ..ground.entry import PROHIBITED
from ..ground.seasons import is_hard, season

ROAD = 1
"""The cost of a hex that is entered along a railroad, in halves of a Movement Point (11.5)."""
POINT = 2
"""A Movement Point in halves: what it costs to disengage, and what a rail move costs (13.5, 18.1)."""
COSTLY = ("river", "lake")
"""What may cost something on a hexside (11.4)."""


def halves(cost: object) -> int | None:
    """A cost of the Terrain Effects Chart in halves of a Movement Point; None for what is prohibited."""
    return None if cost == PROHIBITED else int(2 * Fraction(str(cost)))


def points(halves: int) -> str:
    """Halves of a Movement Point as players say them: 5 are 2.5."""
    return f"{halves / 2:g}"


def hex_cost(facts: Gather, hex: str) -> int | None:
    """What it costs to enter a hex off the roads; None for prohibited terrain. A thaw is winter in Russia. Rule: 11.4, 22.1/2, 22.2"""

    def hard() -> bool:
        now = season(facts)
        return is_hard(now, facts.word("country", hex) if now == "thaw" else "")

    terrain = facts.word("terrain", hex)
    return cost_of(facts, terrain, hard) if terrain else 0


def hexside_cost(facts: Gather, lies: Collection[str]) -> int | None:
    """What crossing a hexside adds off the roads; None for one that may not be crossed. Rivers and lakes freeze in winter, but not in a
    thaw. Rule: 11.4, 22.1/3
    """
    costs = [cost_of(facts, water, lambda: season(facts) == "winter") for water in COSTLY if water in lies]
    return None if None in costs else sum(cost or 0 for cost in costs)


def cost_of(facts: Gather, feature: str, hard: Callable[[], bool]) -> int | None:
    """A cost of the chart; whether winter's holds is asked only where it differs from summer's."""
    known = [facts.view.cell("terrain-cost", season, feature) for season in ("summer", "winter")]
    found = {str(cell.values["cost"]) for cell in known if cell}
    if len(found) == 1 and None not in known:
        return halves(found.pop())
    return halves(facts.cell("terrain-cost", "winter" if hard() else "summer", feature).values["cost"])
