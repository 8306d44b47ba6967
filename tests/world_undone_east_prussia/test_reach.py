"""Reach on made-up ground: against a second, naive search, and growing with the allowance."""

from __future__ import annotations

from random import Random

import pytest

from assistant.questions.view import View

from ..conftest import answered
from .test_reserve import read

HEXES = tuple(f"{column}{row:02}" for column in range(30, 36) for row in range(10, 15))
"""A corner of a paper map: what lies beyond is not stated, so nobody goes there."""
FORTS = {"forest": 1, "swamp": 2, "clear": 0}
RIVER, TOWN = 1, 1


def neighbours(at: str) -> list[str]:
    """The hexes around a hex, by number."""
    column, row = int(at[:2]), int(at[2:])
    near = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    return [f"{column}{row - 1:02}", f"{column}{row + 1:02}", *(f"{side}{other:02}" for side in (column - 1, column + 1) for other in near)]


class Country:
    """Made-up country with units of both sides."""

    def __init__(self, dice: Random) -> None:
        self.terrain = {at: dice.choice(("clear", "clear", "forest", "swamp")) for at in HEXES}
        self.towns = {at for at in HEXES if dice.random() < 0.1}
        pairs = {tuple(sorted((at, other))) for at in HEXES for other in neighbours(at) if other in HEXES}
        self.sides = sorted(pairs)
        self.rivers = {pair for pair in self.sides if dice.random() < 0.2}
        free = dice.sample(HEXES, 6)
        self.start, self.enemies, self.friends = free[0], free[1:4], free[4:5]
        self.fortress = free[5]
        self.russian, self.allowance = dice.random() < 0.5, dice.randint(1, 4)
        self.forced = dice.random() < 0.3

    def text(self) -> str:
        """The country in notation."""
        side, other = ("russian", "german") if self.russian else ("german", "russian")
        army = " first" if self.russian else ""
        foe = "" if self.russian else " first"
        lines = [f"turn=9 phasing={side} phase=second-movement options=forced-march scenario=historical", "3410 town=none"]
        lines += [f"chart terrain-cost {feature} = {cost}" for feature, cost in (*FORTS.items(), ("river", RIVER), ("town", TOWN))]
        lines += [f"{at} {self.terrain[at]} town={'town' if at in self.towns else 'none'} country=germany" for at in HEXES if at != "3410"]
        lines += [f"{at} {self.terrain[at]} country=germany" for at in HEXES if at == "3410"]
        lines += [f"{here} | {there} {'river' if (here, there) in self.rivers else 'open'}" for here, there in self.sides]
        lines += [f"{self.fortress} fortress=3", "0130 named=Königsberg"]
        lines += [f"{self.start}: {side} infantry{army} Me ({5}-{self.allowance})"]
        lines += [f"{at}: {side} infantry{army} F{number} (5-2)" for number, at in enumerate(self.friends)]
        lines += [f"{at}: {other} infantry{foe} E{number} (5-2)" for number, at in enumerate(self.enemies)]
        return "\n".join(lines) + "\n"
