"""Who may build or raise an Improved Position, when, and what a level gives (13.1 to 13.3)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

from assistant.questions import Step, step

from ...ground.improved_positions import PRINTED, fate

COST = 7
"""Movement Points for each level (13.1.1)."""
LEVELS = range(1, 5)
FORMATION = 3
"""The level from which it takes a formation that is In Supply (13.1, 13.1.2)."""
NEAR = {"within": 3, "nearer": 2, "between": 4}
"""How far away an enemy may be at most where work begins, in hexes, by the reading of ruling dig-in-distance (13.1)."""
FIRST_TURN = {
    3: {"german": 22, "russian": 25, "austro-hungarian": 25},
    4: {"german": 35, "russian": 35, "austro-hungarian": 35},
}
"""The game turn from which a level may be begun (13.1.3)."""


class Readings(NamedTuple):
    """How the doubtful places of the chapter are read, each a ruling.

    near: dig-in-distance; rebuilding: who may do that; cost: rebuilding-cost; dates: rebuilding-dates.
    """

    near: str = "within"
    rebuilding: str = "builder"
    cost: str = "seven"
    dates: str = "none"


class Digger(NamedTuple):
    """A unit that digs in, in plain values.

    distance: hexes to the nearest enemy, None if there is none; begun: whether work on the level has begun already; ruins: whether a
    position of the map lies in ruins in its hex, which it would rebuild; home: whether that is in its home country; raised: from which
    game turn a position that was rebuilt is raised to Level 4, None for any other.
    """

    arm: str
    nation: str
    formation: bool
    demoralized: bool
    supply: str
    turn: int
    distance: int | None
    begun: bool = False
    ruins: bool = False
    home: bool = False
    raised: int | None = None
    readings: Readings = Readings()

    @property
    def rebuilt(self) -> tuple[bool, int] | None:
        """What the ruins become if it rebuilds them, see `improved_positions.fate`; None if it builds a position of its own."""
        return fate("rebuilt", self.home, self.turn) if self.ruins else None

    @property
    def cost(self) -> int:
        """The Movement Points that its next level takes (13.1.1)."""
        return 0 if self.rebuilt and self.readings.cost == "none" else COST

    @property
    def unfit(self) -> bool:
        """Whether the upper levels are not for it, if it is infantry: not a formation, or not In Supply."""
        return not self.formation or self.supply != "in"

    @property
    def early(self) -> bool:
        """Whether it is too early for the level of the positions on the map."""
        return self.turn < FIRST_TURN[PRINTED].get(self.nation, 1)


def forbidden(digger: Digger, level: int) -> list[Step]:
    """Every rule against building or raising a position to a level. Rule: 13.1b, 13.1.2, 13.1.3"""
    rebuilt, readings = digger.rebuilt, digger.readings
    upper = level >= FORMATION and (not rebuilt or readings.rebuilding == "formation")
    first = digger.raised or FIRST_TURN.get(level, {}).get(digger.nation, 1)
    early = digger.turn < first and (not rebuilt or readings.dates == "usual")
    far = digger.distance is None or digger.distance > NEAR[readings.near]
    infantry = digger.arm == "infantry"
    reasons = (
        (level not in LEVELS, "13.0", "there is no Level {level}"),
        (not infantry, "13.1", "only infantry builds positions"),
        (infantry and upper and not digger.formation, "13.1", "only a formation raises a position to Level {level}"),
        (far and not digger.begun, "13.1", "no enemy within {near:#hex}, so it cannot begin"),
        (digger.demoralized, "13.1.2", "it is Demoralized"),
        (upper and digger.supply != "in", "13.1.2", "Level {level} takes a unit that is In Supply"),
        (early and not digger.begun, "13.1.3", "Level {level} cannot be begun before GT {turn}"),
    )
    limits = SimpleNamespace(level=level, near=NEAR[readings.near], turn=first)
    return [step(rule, text, limits) for holds, rule, text in reasons if holds]


def gains(level: int) -> dict[str, Any]:
    """What a level gives to those who defend it, by the fields of the result (13.2, 13.3)."""
    check, hardship = -1 if level >= 2 else 0, 1 if level == LEVELS[-1] else 0
    return {"shift": -level, "check": check, "hardship": hardship, "bars": level >= FORMATION}
