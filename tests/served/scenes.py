"""Scenes: lines that the four seats of a served table enter."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from .seats import LAPTOP, LINK

TWILIGHT = "twilight-in-the-east"
CP, RU, GE = "central-powers", "russian", "german"
EXAMPLE = Path(__file__).parents[2] / "plugins/world_undone_east_prussia/examples/battle.pos"


class Scene(NamedTuple):
    """A position with which a table begins, and the lines that its seats enter."""

    game: str
    position: str
    lines: tuple[tuple[str, str], ...]
    """The lines, each with its seat."""


_HEAD = f"game {TWILIGHT}\n"
_TYPED_MAP = f"""{_HEAD}trust charts counters
turn=2 phasing=russian phase=movement
41.19 clear: 1/1 (12-16-7-11), 35/17 (12-16-7-11)
40.20 clear: 25/3 (10-12-5-10), 27/3 (10-12-5-10)
40.20|41.19 open
"""
_DRAWN_MAP = f"""{_HEAD}accept illustrative reconstruction drawn
board east
turn=2 phasing=russian phase=attack
41.19: 1/1, 35/17
40.20: 25/3, 27/3
"""

SCENES = {
    "marches": Scene(
        TWILIGHT,
        _TYPED_MAP,
        (
            (RU, "38.26: russian infantry X b1 (4-4-1-7)"),
            (CP, "48.25: german infantry X a1 (4-4-1-7), 36/17 (12-16-7-11)"),  # the second is hidden
            (RU, "move units=b1 way=38.27"),
            (RU, "done"),
            (CP, "48.26: a1"),
            (RU, "undo"),
            (LINK, "45.25: russian infantry X c1 (4-4-1-7)"),
            (LAPTOP, "45.25 clear ip=1"),
            (LINK, "41.19 nonsense"),  # refused
            (LAPTOP, "next"),
            (LAPTOP, "done"),
        ),
    ),
    "guesses": Scene(
        TWILIGHT,
        _TYPED_MAP,
        (
            (RU, "1/1 lost=1"),
            (RU, "44.25: german infantry X g1 (4-4-1-7)"),  # seen by nobody else
            (RU, "4119 rough 1/1 -2"),  # the ground is for all, the losses are a guess
            (RU, "undo"),
            (CP, "35/17 lost=1"),
            (RU, "undo"),
            (RU, "need at=41.19 column=2:1"),
            (RU, "undo"),
            (RU, "undo"),
        ),
    ),
    "combat": Scene(
        "world-undone-east-prussia-1914",
        EXAMPLE.read_text("utf-8"),
        (
            (GE, "5420 < 5320, 5321"),
            (RU, "die=3"),
            (GE, "undo"),  # the die of the others would go
            (RU, "undo together"),
            (LAPTOP, "5420 < 5320, 5321"),
            (GE, "die=2"),
            (RU, "III/25 supply=in"),
            (GE, "done"),
            (GE, "undo"),
        ),
    ),
    "sixteen": Scene(
        TWILIGHT,
        _DRAWN_MAP,
        (
            (CP, "44.20: german infantry X a1 (4-4-1-7)"),
            (RU, "39.25: russian infantry X b1 (4-4-1-7)"),
            (LAPTOP, "1/1 lost=1"),
            (RU, "25/3 lost=1"),
            (CP, "44.21: a1"),
            (RU, "undo"),
            (LAPTOP, "45.25: russian infantry X c1 (4-4-1-7)"),
            (CP, "undo"),
            (LINK, "c1 disorder=1"),
            (RU, "41.19 < 40.20"),
            (LAPTOP, "undo"),
            (RU, "39.26: b1"),
            (CP, "41.19 announced"),
            (LINK, "45.26: c1"),
            (CP, "44.22 +35/17"),
            (RU, "40.20 -27/3"),
        ),
    ),
}
