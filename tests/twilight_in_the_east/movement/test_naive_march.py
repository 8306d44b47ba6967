"""Marches against a second, naive reckoning written by somebody who had only the rulebook."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from assistant.asking.report import Report

from ...cases import few, seeds
from ...conftest import answered, typed
from ...making.hexes import walk
from . import naive_march as naive
from .made_marches import FARTHEST, made, text_of
from .naive_march import Leaving, Points, World

BOARDS = 10
"""How many boards each seed makes."""


def boards(seed: int) -> list[World]:
    return [made(BOARDS * seed + number) for number in range(BOARDS)]


# --- the question move ------------------------------------------------------------------------------------------------


def some_ways(world: World, chance: random.Random) -> list[tuple[str, ...]]:
    """Some ways that the points last for, and some that are laid at random, through whatever lies there; none comes
    back to a hex.
    """
    every = sorted(way for way, _ in naive.ways(world) if way[1:])
    ways = chance.sample(every, min(4, len(every)))
    for _ in range(5):
        way = walk(chance, naive.start(world), chance.randint(1, 3), world["hexes"])
        ways += [(naive.start(world), *way)] if way else []
    return ways


def judged(world: World, way: tuple[str, ...]) -> tuple[str, int, Fraction]:
    """What becomes of a move along a way: whether it is allowed, barred or too dear, how many hexes are entered,
    and what they cost.
    """
    spent = Fraction(0)
    for number, (here, there) in enumerate(pairwise(way)):
        points = naive.step(world, here, there)
        begun = not isinstance(points, Points) and naive.is_left_for_a_crossing(world, here, there)
        paid = points if isinstance(points, Points) else naive.price(world, here, there) if begun else None
        if paid is None:
            return "barred", number, spent
        free = "once" in world["rulings"] and naive.is_paid_for(world, way[: number + 2])
        cost = paid.ground if free else paid.all
        if not naive.may_spend(world, spent + cost):
            return "dear", number, spent
        if begun:
            return "barred", number, spent
        spent += cost
    return "allowed", len(way) - 1, spent


def moved(world: World, way: tuple[str, ...]) -> tuple[str, int, Fraction] | None:
    """The same as the question `move` has it; None where a unit has no Movement Points left, which is refused as a whole."""
    report: Report[Any] = answered(typed(text_of(world)), "move", units=list(world["movers"]), way=list(way[1:]))
    if report.result is None and "no Movement Points left" in report.verdict.text:
        return None
    assert report.result is not None, (report.verdict.text, report.asks, text_of(world))
    entered = report.result.entered
    spent = sum((hex.ground + hex.zones for hex in entered), Fraction(0))
    if report.verdict.kind != "no":
        return "allowed", len(entered), spent
    rules = {step.rule for part in report.parts if part.title == "Not allowed" for step in part.steps}
    return "dear" if rules <= {"8.1", "8.3", "8.3.1"} else "barred", len(entered), spent


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_a_move_costs_what_it_does_by_the_naive_reckoning_and_is_barred_in_the_same_hex(seed: int) -> None:
    chance = random.Random(seed)
    for world in boards(seed):
        for way in some_ways(world, chance):
            expected, found = judged(world, way), moved(world, way)
            shown = f"{' '.join(way)}\n{text_of(world)}"
            assert found == expected or (found is None and expected[0] != "allowed"), shown


def some_company(world: World, way: tuple[str, ...], chance: random.Random) -> tuple[Leaving, Leaving]:
    """Who is left on a way, and who is taken up: at most one each, somewhere before its end."""
    between = way[1:-1]
    leaves = world["movers"][1:] and between and chance.random() < 0.7
    drop = {chance.choice(world["movers"]): chance.choice(between)} if leaves else {}
    joining = [name for name, unit in world["units"].items() if name.startswith("F") and unit["place"] in between]
    joining = [name for name in joining if world["units"][name]["arm"] in FARTHEST]
    pick = {name: world["units"][name]["place"] for name in chance.sample(joining, min(1, len(joining)))}
    return drop, pick


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_a_stack_that_leaves_units_and_takes_up_others_spends_what_the_naive_reckoning_has(seed: int) -> None:
    chance = random.Random(seed)
    for world in boards(seed):
        world["rulings"] = set()
        for unit in world["units"].values():
            unit.setdefault("movement", chance.randint(4, 9))
        for way in some_ways(world, chance):
            drop, pick = some_company(world, way, chance)
            if not (drop or pick) or any(world["units"][name].get("entrained") for name in pick):
                continue
            spent, arrives = naive.as_stack(world, way, drop, pick)
            given = {
                word: [f"{name}@{hex}" for name, hex in who.items()] for word, who in (("drop", drop), ("pick", pick))
            }
            moving = {"units": list(world["movers"]), "way": list(way[1:]), **given}
            report: Report[Any] = answered(typed(text_of(world)), "move", **moving)
            assert (report.verdict.kind != "no") is arrives, f"{moving}\n{text_of(world)}"
            if arrives:
                moves = {unit.unit: unit.ground + unit.zones for unit in report.result.moves}
                assert moves == spent, f"{moving}\n{text_of(world)}"


# --- the question reach -----------------------------------------------------------------------------------------------


def reached(world: World) -> dict[str, Any]:
    """What the question `reach` says of each hex within reach."""
    report: Report[Any] = answered(typed(text_of(world)), "reach", units=list(world["movers"]))
    assert report.result is not None, (report.verdict.text, report.asks, text_of(world))
    return {place.hex: place for place in report.result.hexes}


ENEMIES = {"4.2", "4.1.1a", "9.5.1", "9.8.1"}
"""The rules that an answer names for a hex with enemies, which units never enter (8.0)."""


def barred(world: World) -> dict[str, str]:
    """The hexes that `reach` says are barred, each with its rule; what lies around the board is sea."""
    report: Report[Any] = answered(typed(text_of(world)), "reach", units=list(world["movers"]))
    return {hex.hex: hex.rule for hex in report.result.barred if hex.hex in world["hexes"]}


@few(1)
@pytest.mark.parametrize("seed", seeds(15))
def test_the_same_hexes_are_barred_each_by_a_rule_that_bars_it(seed: int) -> None:
    for world in boards(seed):
        rules, expected = barred(world), naive.barred(world)
        assert rules.keys() == expected.keys(), text_of(world)
        for hex, rule in rules.items():
            assert ({"8.0"} if rule in ENEMIES else {rule, f"{rule}b"}) & expected[hex], (
                f"{hex} {rule}\n{text_of(world)}"
            )


def costs(within: dict[str, Any]) -> dict[str, Fraction]:
    return {hex: Fraction(place.cost, 2) for hex, place in within.items()}


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_the_same_hexes_are_within_reach_at_the_same_cost_by_ways_that_a_move_takes(seed: int) -> None:
    chance = random.Random(seed)
    for world in boards(seed):
        within, begin = reached(world), naive.start(world)
        assert costs(within) == naive.reach(world), text_of(world)
        for place in chance.sample(sorted(within.values(), key=str), min(2, len(within))):
            assert moved(world, (begin, *place.way)) == ("allowed", len(place.way), Fraction(place.cost, 2))
        most = {
            name: naive.allowance(world, unit) - unit["spent"]
            for name, unit in world["units"].items()
            if name in world["movers"]
        }
        for place in within.values():
            left = min(points - Fraction(place.cost, 2) for points in most.values())
            assert (place.left, place.march > 0) == (max(left, Fraction(0)), left <= -naive.HALF), (
                f"{place}\n{text_of(world)}"
            )


def with_more_points(world: World) -> World:
    more = {
        name: {**unit, "movement": unit["movement"] + 2} for name, unit in world["units"].items() if "movement" in unit
    }
    return {**world, "units": {**world["units"], **more}}


def with_an_enemy_gone(world: World) -> World:
    gone = next(name for name in world["units"] if name.startswith("E"))
    return {**world, "units": {name: unit for name, unit in world["units"].items() if name != gone}}


def with_bridges(world: World) -> World:
    between = {
        sides: {**lies, "crossing": "bridge"} if {*naive.RIVERS} & lies["barrier"] and not lies["spur"] else lies
        for sides, lies in world["between"].items()
    }
    return {**world, "between": between}


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
@pytest.mark.parametrize("change", [with_more_points, with_an_enemy_gone, with_bridges])
def test_more_points_fewer_enemies_and_bridges_never_lessen_what_is_within_reach(
    change: Callable[[World], World], seed: int
) -> None:
    for world in boards(seed):
        arms = {world["units"][name]["arm"] for name in world["movers"]}
        if change is with_an_enemy_gone and "cavalry" in arms and world["phase"] == "counter-movement":
            continue  # it enters the ZOC of infantry only from an EZOC, which may be that of who is gone (9.3)
        world["costs"]["bridge"] = world["costs"]["pontoon"] = Fraction(0)
        before, after = costs(reached(world)), costs(reached(change(world)))
        assert all(after.get(hex, points + 1) <= points for hex, points in before.items()), text_of(world)


COSTS = {"clear": 2, "rough": 3, "wetlands": 4, "minor-river": 1, "major-river": 3, "ferry": 2, "bridge": 1, "ridge": 1}
COSTS |= {"escarpment": 2, "primary-road": Fraction(3, 2), "secondary-road": 2, "rail": 2}


def test_a_world_is_the_same_each_time() -> None:
    assert text_of(made(7)) == text_of(made(7)) != text_of(made(8))
