"""Reach by land agrees with a second, naive reckoning written from the rulebook alone: rounds over all hexes until nothing gets cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

from assistant.asking.view import View
from assistant.rules.field.movement import judge_apart
from assistant.testing import typed
from kaisers_war_in_the_east.movement.land import enter, mover_of, moves

from ...cases import thorough
from ..examples import game

HEXES = [f"{column:02}{row:02}" for column in range(20, 24) for row in range(20, 24)]
COSTS = {"clear": 1, "forest": 1, "rough": 2, "marsh": 3}
Sides = set[frozenset[str]]


class Land(NamedTuple):
    """A small map: terrain by hex, hexsides with a river or a railroad, the season, enemies with a zone, those without one, own fortresses."""

    terrain: dict[str, str]
    rivers: Sides
    rails: Sides
    season: str
    armies: set[str]
    supplies: set[str]
    fortresses: set[str]


def some_land(dice: Random, start: str, next_to: dict[str, list[str]]) -> Land:
    """A map of sixteen hexes, with up to five units on it."""
    sides = sorted({frozenset((hex, other)) for hex in HEXES for other in next_to[hex]}, key=sorted)
    terrain = {hex: dice.choice(["clear", "clear", "forest", "rough", "marsh", "all-sea"]) for hex in HEXES}
    others = dice.sample([hex for hex in HEXES if hex != start], 5)
    found = set(dice.sample(sides, 8)), set(dice.sample(sides, 8)), dice.choice(["summer", "winter", "thaw"])
    return Land(terrain, *found, set(others[: dice.randint(0, 3)]), {others[3]}, {others[4]})


def position(land: Land, start: str, movement: int) -> str:
    """The map as a player types it; all of it lies in Russia."""
    turn = {"summer": 2, "winter": 4, "thaw": 6}[land.season]
    lines = [f"turn={turn}", f"{start}: AH-4 movement={movement}"]
    lines += [f"chart turn-record {turn} = {land.season}"]
    lines += [f"chart terrain-cost {season} rough = 2" for season in ("summer", "winter")]
    lines += [f"chart terrain-cost {season} marsh = 3" for season in ("summer", "winter")]
    lines += ["chart terrain-cost summer river = 1"]
    lines += [f"{hex} {terrain} country=russia" for hex, terrain in land.terrain.items()]
    lines += [f"{' | '.join(sorted(side))} river" for side in land.rivers]
    lines += [f"{' | '.join(sorted(side))} rail" for side in land.rails]
    units = [(hex, "russian infantry XXXX E{} movement=3") for hex in sorted(land.armies)]
    units += [(hex, "russian supply - E{} movement=2") for hex in sorted(land.supplies)]
    units += [(hex, "austro-hungarian fortress - E{}") for hex in sorted(land.fortresses)]
    return "\n".join([*lines, *(f"{hex}: {unit.format(number)}" for number, (hex, unit) in enumerate(units))])


class Reckoned(NamedTuple):
    """What it costs to get to each hex; which of these only the minimum move reaches; which hexes beside them a rule
    bars, and of which too little ground is stated.
    """

    costs: dict[str, Fraction]
    minimum: set[str]
    barred: set[str]
    unknown: set[str]


def reckoned(land: Land, start: str, movement: int, around: Callable[[str], Iterable[str]]) -> Reckoned:
    """Where a unit can move, and what keeps it from the hexes beside those (11, 13, 22). around: the hexes next to one, those
    beyond the map too, of which nothing is stated.
    """
    zones = {hex for enemy in land.armies for hex in around(enemy)} - land.fortresses
    frozen = land.season == "winter"

    def step(here: str, there: str) -> Fraction | str:
        if there in land.armies | land.supplies or land.terrain.get(there) == "all-sea":
            return "barred"
        if here in zones and (here != start or there in zones):
            return "barred"
        if there not in land.terrain:
            return "unknown"
        side = frozenset((here, there))
        cost = Fraction(COSTS[land.terrain[there]])
        if land.terrain[there] == "forest" and land.season != "summer":
            cost = Fraction(2)
        if side in land.rivers and not frozen:
            cost += 1
        if side in land.rails:
            cost = Fraction(1, 2)
        return cost + 1 if here in zones else cost

    best = {start: Fraction(0)}
    for _ in HEXES:
        for here, spent in list(best.items()):
            for there in around(here):
                cost = step(here, there)
                if isinstance(cost, Fraction) and spent + cost <= movement:
                    best[there] = min(best.get(there, Fraction(99)), spent + cost)
    nearest = {there for there in around(start) if isinstance(step(start, there), Fraction)}
    minimum = nearest - best.keys()
    best |= dict.fromkeys(minimum, Fraction(movement))
    beside = {there: [here for here in around(there) if here in best] for at in best for there in around(at)}
    steps = {there: [(here, step(here, there)) for here in ends] for there, ends in beside.items() if there not in best}
    unknown = {
        there
        for there, ways in steps.items()
        if any(why == "unknown" and (best[here] < movement or here == start) for here, why in ways)
    }
    barred = {
        there
        for there, ways in steps.items()
        if any(why == "barred" for _, why in ways) and all(isinstance(why, str) for _, why in ways)
    }
    del best[start]
    return Reckoned(best, minimum, barred - unknown, unknown)


@thorough
@pytest.mark.rule(
    "11.1", "11.4", "11.5/1", "11.5/2", "11.5/3", "11.6", "11.7", "12.4", "13.4", "13.5", "22.1/2", "22.1/3"
)
def test_reach_agrees_with_rounds_over_all_hexes() -> None:
    dice, found_any = Random(11), 0
    board = typed("turn=1\n", game())
    around = View(board.game, board.state).board.neighbours
    next_to = {hex: [one for one in around(hex) if one in HEXES] for hex in HEXES}
    for _ in range(200):
        start, movement = dice.choice(HEXES), dice.randint(1, 5)
        land = some_land(dice, start, next_to)
        read = typed(position(land, start, movement), game())
        view = View(read.game, read.state)
        with view.gather() as facts:
            mover, _ = mover_of(facts, "AH-4")
            moving = moves(mover, judge_apart(mover, enter))
            explored = moving.explore()
        expected = reckoned(land, start, movement, around)
        case = start, movement, land
        assert {place.hex: Fraction(place.cost, 2) for place in explored.places} == expected.costs, case
        assert {place.hex for place in explored.places if place.minimum} == expected.minimum, case
        assert ({option.hex for option in explored.barred}, {*explored.unknown}) == expected[2:], case
        found_any += len(explored.places)
    assert found_any > 600
