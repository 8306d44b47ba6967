"""Reach on made-up ground: against a second, naive search, and growing with the allowance; ways that `move` takes too."""

from __future__ import annotations

from random import Random

import pytest

from assistant.service import picture

from ..cases import few, seeds
from ..conftest import answered
from .test_movement import GERMAN
from .test_reserve import read

COLUMNS, ROWS = range(30, 36), range(10, 15)
HEXES = tuple(f"{column}{row:02}" for column in COLUMNS for row in ROWS)
"""A corner of a paper map: what lies beyond is not stated, so nobody goes there."""
COSTS = {"clear": 0, "forest": 1, "swamp": 2, "river": 1, "town": 1}


def around(at: str) -> set[str]:
    """The hexes next to a hex that belong to the corner: even columns lie half a hex lower."""
    column, row = int(at[:2]), int(at[2:])
    beside = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    near = [
        (column, row - 1),
        (column, row + 1),
        *((side, other) for side in (column - 1, column + 1) for other in beside),
    ]
    return {f"{one}{other:02}" for one, other in near} & {*HEXES}


class Country:
    """Made-up country, with a unit that moves, a friend, enemies and a German fortress."""

    def __init__(self, dice: Random) -> None:
        self.terrain = {at: dice.choice(("clear", "clear", "forest", "swamp")) for at in HEXES}
        self.towns = {at for at in HEXES if dice.random() < 0.1}
        self.sides = sorted({(at, other) for at in HEXES for other in around(at) if at < other})
        self.rivers = {side for side in self.sides if dice.random() < 0.2}
        self.start, *self.enemies, self.friend, self.fortress = dice.sample(HEXES, 6)
        self.russian, self.forced = dice.random() < 0.5, dice.random() < 0.3

    def text(self, allowance: int) -> str:
        """The country in notation."""
        mine, theirs = ("russian", "german") if self.russian else ("german", "russian")
        army = {"russian": "russian infantry first", "german": "german infantry 8th"}
        lines = [f"turn=9 phasing={mine} phase=second-movement options=forced-march scenario=historical"]
        lines += [f"chart terrain-cost {feature} = {cost}" for feature, cost in COSTS.items()]
        for at in HEXES:
            lines.append(f"{at} {self.terrain[at]} country=germany town={'town' if at in self.towns else 'none'}")
        lines += [
            f"{here} | {there} {'river' if (here, there) in self.rivers else 'open'}" for here, there in self.sides
        ]
        lines += ["0130 named=Königsberg", f"{self.fortress} fortress=3"]
        lines += [f"{self.start}: {army[mine]} Me (5-{allowance})", f"{self.friend}: {army[mine]} Friend (5-2)"]
        lines += [f"{at}: {army[theirs]} Enemy{number} (5-2)" for number, at in enumerate(self.enemies)]
        return "\n".join(lines) + "\n"

    def over_river(self, here: str, there: str) -> bool:
        """Whether a river lies between two hexes."""
        return tuple(sorted((here, there))) in self.rivers

    def zones(self) -> set[str]:
        """The hexes in enemy zones of control (3.3)."""
        reached = {at for enemy in self.enemies for at in around(enemy) if not self.over_river(enemy, at)}
        return reached | around(self.fortress) if self.russian else reached - {self.fortress}

    def reckoned(self, allowance: int) -> dict[str, int]:
        """What it costs to get to each hex, by rounds over all hexes (3.3, 5.0, 10.3)."""
        zones = self.zones()
        next_to_enemy = {at for enemy in self.enemies for at in around(enemy)}

        def cost(here: str, there: str) -> int | None:
            if there in self.enemies or (self.russian and there == self.fortress):
                return None
            if here in zones and (here != self.start or (there in zones and there != self.friend)):
                return None
            if self.forced and there in zones | next_to_enemy:
                return None
            town = COSTS["town"] if there in self.towns else 0
            return 1 + COSTS[self.terrain[there]] + town + (COSTS["river"] if self.over_river(here, there) else 0)

        best = {self.start: 0}
        for _ in HEXES:
            for here, spent in list(best.items()):
                for there in around(here):
                    points = cost(here, there)
                    if points is not None and spent + points <= allowance:
                        best[there] = min(best.get(there, 99), spent + points)
        for there in around(self.start):
            if cost(self.start, there) is not None:
                best.setdefault(there, allowance)
        return {at: points for at, points in best.items() if at != self.start}


@few(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_reach_agrees_with_rounds_over_all_hexes_and_grows_with_the_allowance(seed: int) -> None:
    dice, found = Random(1914 + seed), 0
    for _ in range(4):
        country = Country(dice)
        before = set[str]()
        for allowance in (1, 2, 4):
            position = read(country.text(allowance))
            report = answered(position, "reach", unit="Me", forced=country.forced)
            assert report.result is not None, report
            costs = {one.hex: one.cost for one in report.result.hexes}
            assert costs == country.reckoned(report.result.allowance), country.text(allowance)
            assert before <= costs.keys()
            before, found = set(costs), found + len(costs)
        for one in report.result.hexes[-2:]:
            moved = answered(position, "move", units=["Me"], way=list(one.way), forced=country.forced)
            assert (moved.verdict.kind, moved.result.units[0].cost) == ("yes", one.cost)
    assert found > 30


def test_its_picture_shows_what_is_within_reach_with_its_cost() -> None:
    position = read(GERMAN)
    drawn = picture(position, answered(position, "reach", unit="XVII/36")).decode()
    assert "3014: within reach, with what it costs, 1" in drawn
    assert "3012: within reach, with what it costs, 3" in drawn
    assert "3020" not in drawn, "nothing beyond"
