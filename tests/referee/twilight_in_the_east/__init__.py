"""A second program for *1914, Twilight in the East*: chapters 4, 8, 10, 11 and 14 in the plainest way, from the rulebook, on plain
values. It reads the game's charts and boards as data; nothing of the plugin's code is imported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..writing import Suite
from . import combats, reach, retreats, supply, zones

SUITES = {
    zones.suite: 120,
    retreats.suite: 240,
    reach.suite: 130,
    combats.suite: 250,
    supply.board_suite: 200,
    supply.network_suite: 200,
}
"""What makes each suite, and how many cases it has."""


def suites(seed: int) -> Iterator[Suite]:
    """All of them."""
    for make, many in SUITES.items():
        yield make(seed, many)
