"""Reach on made-up ground: against a second, naive search, and growing with the allowance; ways that `move` takes too."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

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


class Reckoned(NamedTuple):
    """Where a unit can go, at what cost; which of these hexes only the minimum move reaches; of those beside them, which a rule
    bars, and of which nothing is known.
    """

    costs: dict[str, int]
    minimum: set[str]
    barred: set[str]
    unknown: set[str]


def next_to(at: str) -> set[str]:
    """The hexes next to a hex: even columns lie half a hex lower."""
    column, row = int(at[:2]), int(at[2:])
    beside = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    near = [
        (column, row - 1),
        (column, row + 1),
        *((side, other) for side in (column - 1, column + 1) for other in beside),
    ]
    return {f"{one}{other:02}" for one, other in near}


def around(at: str) -> set[str]:
    """Those of them that belong to the corner."""
    return next_to(at) & {*HEXES}


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
        """The hexes in enemy zones of control, those beyond the corner too (3.3)."""
        reached = {at for enemy in self.enemies for at in next_to(enemy) if not self.over_river(enemy, at)}
        return reached | next_to(self.fortress) if self.russian else reached - {self.fortress}

    def step(self, here: str, there: str) -> int | str:
        """What a step costs (5.0), or why a rule bars it (3.3, 10.3); "?" where nothing is known of the ground."""
        zones = self.zones()
        if there in self.enemies:
            return "enemies stand there"
        if self.russian and there == self.fortress:
            return "a fortress"
        if here in zones and here != self.start:
            return "it stops in a zone"
        if here in zones and there in zones and there != self.friend:
            return "from zone to zone"
        if self.forced and (there in zones or any(there in next_to(enemy) for enemy in self.enemies)):
            return "a forced march"
        if there not in HEXES:
            return "?"
        town = COSTS["town"] if there in self.towns else 0
        return 1 + COSTS[self.terrain[there]] + town + (COSTS["river"] if self.over_river(here, there) else 0)

    def reckoned(self, allowance: int) -> Reckoned:
        """Where the unit can go, by rounds over all hexes, and what keeps it from the hexes beside those."""
        best = {self.start: 0}
        for _ in HEXES:
            for here, spent in list(best.items()):
                for there in around(here):
                    points = self.step(here, there)
                    if isinstance(points, int) and spent + points <= allowance:
                        best[there] = min(best.get(there, 99), spent + points)
        nearest = {there for there in around(self.start) if isinstance(self.step(self.start, there), int)}
        minimum = nearest - best.keys()
        best |= dict.fromkeys(minimum, allowance)
        beside = {there: list[tuple[str, int | str]]() for here in best for there in next_to(here) if there not in best}
        for there, steps in beside.items():
            steps += [(here, self.step(here, there)) for here in best if there in next_to(here)]
        unknown = {
            there
            for there, steps in beside.items()
            if any(why == "?" and (best[here] < allowance or here == self.start) for here, why in steps)
        }
        barred = {
            there
            for there, steps in beside.items()
            if all(isinstance(why, str) for _, why in steps) and any(why != "?" for _, why in steps)
        }
        del best[self.start]
        return Reckoned(best, minimum, barred - unknown, unknown)


def compared(country: Country) -> int:
    """How many hexes were within reach of a unit with 1, 2 and 4 Movement Points; all is as it was reckoned."""
    before, found = set[str](), 0
    for allowance in (1, 2, 4):
        position = read(country.text(allowance))
        report = answered(position, "reach", unit="Me", forced=country.forced)
        result = report.result
        assert result is not None, report
        reckoned = country.reckoned(result.allowance)
        hexes = {one.hex: one.cost for one in result.hexes}
        assert (hexes, {one.hex for one in result.hexes if one.minimum}) == reckoned[:2], country.text(allowance)
        assert {one.hex for one in result.barred} == reckoned.barred, country.text(allowance)
        assert {*result.unknown} == reckoned.unknown, country.text(allowance)
        assert all(one.left == result.allowance - one.cost for one in result.hexes)
        assert before <= hexes.keys()
        before, found = set(hexes), found + len(hexes)
    for one in result.hexes[-2:]:
        moved = answered(position, "move", units=["Me"], way=list(one.way), forced=country.forced)
        assert (moved.verdict.kind, moved.result.units[0].cost) == ("yes", one.cost)
    return found


@few(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_reach_agrees_with_rounds_over_all_hexes_and_grows_with_the_allowance(seed: int) -> None:
    dice = Random(1914 + seed)
    assert sum(compared(Country(dice)) for _ in range(4)) > 20


@pytest.mark.rule("3.3/movement", "5.0/cost", "5.0/minimum")
def test_the_reach_over_one_country_is_as_reckoned() -> None:
    assert compared(Country(Random(1914))) > 5


def test_its_picture_shows_what_is_within_reach_with_its_cost() -> None:
    position = read(GERMAN)
    drawn = picture(position, answered(position, "reach", unit="XVII/36")).decode()
    assert "3014: within reach, with what it costs, 1" in drawn
    assert "3012: within reach, with what it costs, 3" in drawn
    assert "3020" not in drawn, "nothing beyond"
