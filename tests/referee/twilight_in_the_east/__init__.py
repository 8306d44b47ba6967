"""A second program for *1914, Twilight in the East*: chapters 4, 8, 10, 11 and 14 in the plainest way, from the rulebook, on plain
values. It reads the game's charts and boards as data; nothing of the plugin's code is imported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..writing import Suite
from . import reach, retreats, zones

COUNTS = {"zones": 120, "retreats": 240, "reach": 130}


def suites(seed: int) -> Iterator[Suite]:
    """All of them."""
    for module in (zones, retreats, reach):
        name = module.__name__.rpartition(".")[2]
        yield module.suite(seed, COUNTS[name])
