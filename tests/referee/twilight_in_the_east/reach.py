"""How far a unit can march (4.1.4, 8.1, 8.3): every hex within its reach, by the plainest search for the cheapest way."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from ...making.hexes import hexsides, neighbours, within
from ..writing import Posed, Question, Suite
from .field import COMBAT, ELSEWHERE, MIDDLE, NATIONS, SHUT, Field, Unit, chart, draw_ground, lay_way

MOST = {"infantry": 3, "cavalry": 6}
"""How many Movement Points a Forced March adds. Rule: 8.3"""
EACH = {"infantry": 2, "cavalry": 1}
"""What each of them after the first adds to the check. Rule: 8.3.2"""
ALLOWANCES = {"infantry": (5, 6, 7), "cavalry": (8, 9, 10), "artillery": (5, 6), "corps-train": (6, 7)}


def suite(seed: int, many: int) -> Suite:
    return Suite(
        "reach",
        [
            "The reach of a unit by the movement costs of the made-up chart, with roads, rivers, bridges, EZOCs, positions, friends",
            "on the road and Forced Marches. Costs are in half Movement Points. Rules: 4.1.4, 4.1.4a, 4.5, 8.1, 8.3, 9.5, 9.8, 13.2, 20.1.",
        ],
        {
            "reach": ("hexes{hex=cost}", "each hex within reach with the cheapest cost, in half Movement Points"),
            "march": ('hexes[march!="0"]{hex=march}', "the Movement Points of a Forced March, where one is needed"),
            "passes": ("hexes[passes!=none]{hex=passes}", "the chance to pass its check"),
        },
        ["charts/terrain-cost.csv"],
        ["trust charts", "campaign", ELSEWHERE, "ruling ezoc-position=any", "ruling ezoc-leaving=each"],
        cases(seed, many),
    )


def cases(seed: int, many: int) -> Iterator[Posed]:
    made, seen = 0, Counter[str]()
    for number in range(100 * many):
        chance = Random(f"reach {seed} {number}")
        world = random_field(chance)
        unit = world.units["U"]
        costs = reach(world, unit)
        kind = kind_of(world, unit, costs)
        if not kind or seen[kind] >= max(3, many // 12):
            continue
        seen[kind] += 1
        marches = {hex: march for hex, cost in costs.items() if (march := forced(unit, cost))}
        expected: dict[str, dict[str, object]] = {
            "reach": dict(sorted(costs.items())),
            "march": dict(sorted(marches.items())),
            "passes": {hex: passes(world, unit, march) for hex, march in sorted(marches.items())},
        }
        yield Posed(str(number), world.text(), [Question("reach units=U", expected)])
        made += 1
        if made == many:
            return


# --- the ground and who stands on it ----------------------------------------------------------------------------------


def random_field(chance: Random) -> Field:
    """A unit in the middle, enemies and friends around, roads and railways across rivers."""
    world = draw_ground(chance, 5, 0.25, 0.2)
    world.turn, world.weather = chance.choice(
        ((2, "normal"), (5, "summer-heat"), (12, "normal"), (20, "high-water"), (33, "normal"), (40, "freeze"))
    )
    side, other = chance.sample(("russian", "central-powers"), 2)
    world.phase, world.phasing = "movement", side
    for _ in range(chance.randint(2, 7)):
        lay_way(world, chance, chance.choice(within(MIDDLE, 3)), chance.randint(2, 6), *chance.choice(WAYS))
    for hexside in hexsides(within(MIDDLE, 5)):
        if world.lies(*hexside) & {"major-river", "grand-river"} and chance.random() < 0.12:
            world.between[hexside]["crossing"] = chance.choice(("bridge", "pontoon", "ferry"))
    arm = chance.choice(("infantry", "infantry", "infantry", "cavalry", "cavalry", "artillery"))
    nation = chance.choice(NATIONS[side])
    size = chance.choice(("XX", "X")) if arm in COMBAT else "-"
    unit = Unit(
        "U", nation, arm, size, MIDDLE, 1 if arm == "artillery" else chance.randint(2, 9), 4, 0, chance.randint(7, 12)
    )
    unit.movement, unit.cel = chance.choice(ALLOWANCES[arm]), -chance.choice((0, 0, 1, 2, 3, 4)) * (arm in COMBAT)
    unit.artillery = 3 * (arm == "artillery")
    world.units["U"] = unit
    hexes = within(MIDDLE, 4)
    for number in range(chance.randint(0, 6)):
        hex = chance.choice(hexes[1:])
        kind = chance.choice(("infantry", "infantry", "cavalry", "artillery", "corps-train"))
        enemy = Unit(f"E{number}", chance.choice(NATIONS[other]), kind, "XX" if kind in COMBAT else "-", hex, 6, 5)
        enemy.steps, enemy.artillery = (1, 3) if kind == "artillery" else (6, 0)
        if not world.at(hex):
            world.units[enemy.name] = enemy
            if kind == "infantry" and chance.random() < 0.4:
                world.hexes.setdefault(hex, {})["ip"] = chance.choice((1, 2, 3, 3, 4, 4))
    for number in range(chance.randint(0, 7)):
        hex = chance.choice(hexes)
        if any(one.side == other for one in world.at(hex)) or len(world.at(hex)) > 2:
            continue
        kind = chance.choice(("infantry", "infantry", "cavalry", "artillery", "corps-train"))
        friend = Unit(
            f"F{number}", nation, kind, chance.choice(("XX", "X", "III")) if kind in COMBAT else "-", hex, 6, 5
        )
        friend.asset = friend.size == "III" or kind == "artillery"
        friend.steps, friend.artillery = (1, 3) if kind == "artillery" else (6, 0)
        if kind == "infantry" and friend.size == "XX" and chance.random() < 0.3:
            friend.back, friend.lost = 3, chance.choice((0, 3, 4))
        world.units[friend.name] = friend
        if kind == "infantry" and hex != MIDDLE and chance.random() < 0.3:
            world.hexes.setdefault(hex, {})["ip"] = chance.choice((1, 2))
    return world


WAYS = (("rail", ("rail1", "rail2")), ("road", ("primary-road", "primary-road", "secondary-road")))


# --- rules ------------------------------------------------------------------------------------------------------------


def price(table: str, feature: str) -> int | None:
    """A cost of the chart in half Movement Points, None for what is prohibited."""
    cost = chart("terrain-cost")[table, feature][0]
    return None if cost == "prohibited" else int(2 * Fraction(cost))


def bridges(world: Field, here: str, there: str) -> str:
    """What leads over a river: a road or a railway has a bridge. Rule: 2.2, 8.1.3"""
    crossing = world.over(here, there, "crossing")
    return crossing or ("bridge" if world.over(here, there, "road") or world.over(here, there, "rail") else "")


def river_cost(world: Field, here: str, there: str) -> int | None:
    """What the river on a hexside costs. Rule: 8.1.1, 8.1.3, 20.1"""
    rivers = [barrier for barrier in world.lies(here, there) if barrier.endswith("river")]
    if not rivers or (rivers == ["minor-river"] and world.weather == "freeze"):
        return 0
    over = bridges(world, here, there)
    return price(world.table, over or rivers[0])


def ground_cost(world: Field, here: str, there: str) -> int | None:
    """What a hex costs by its terrain and what lies before it, None where it cannot be entered. Rule: 8.1.1, 20.1"""
    lies, river = world.lies(here, there), river_cost(world, here, there)
    if lies & SHUT or river is None:
        return None
    terrain = price(world.table, world.terrain(there))
    ridge = price(world.table, "ridge") if "ridge" in lies else 0
    return None if terrain is None or ridge is None else terrain + ridge + river


def road_cost(world: Field, unit: Unit, here: str, there: str) -> int | None:
    """What a hex costs by road or railway, with the friends on it; None without one. Rule: 8.1.3, 8.1.4, 8.1.4a"""
    ways = [
        price(world.table, way)
        for way in (world.over(here, there, "road"), "rail" if world.over(here, there, "rail") else "")
        if way
    ]
    river = river_cost(world, here, there)
    if not ways or river is None or world.lies(here, there) & SHUT:
        return None
    return min(cost for cost in ways if cost is not None) + river + sum(map(on_the_road, world.at(there)))


def on_the_road(unit: Unit) -> int:
    """What a friend adds for who comes along the road, in half Movement Points. Rule: 8.1.4a"""
    if unit.arm == "infantry" and unit.size == "XX" and not unit.reduced:
        return 2
    return int(unit.arm in ("cavalry", "artillery", "corps-train") or unit.size in ("XX", "X"))


def zone_cost(world: Field, unit: Unit, here: str, there: str) -> int | None:
    """What EZOCs add, None where they bar the way. Rule: 4.1.4, 4.1.4a, 9.5, 9.8, 13.2"""
    zone = world.zone("russian" if unit.side == "central-powers" else "central-powers")
    friends = [friend for friend in world.at(there) if friend is not unit]
    if there in zone and unit.arm not in COMBAT and not any(friend.arm in COMBAT for friend in friends):
        return None
    if here not in zone or there not in zone:
        return 2 * (here in zone or there in zone)
    strong = [any(world.ip(world.units[name].place) >= 3 for name in zone[hex]) for hex in (here, there)]
    if all(strong) and not friends:
        return None
    if friends and world.ip(there):
        return 2 * 2
    return 3 * 2 if any(friend.arm in COMBAT for friend in friends) else 6 * 2


def allowance(unit: Unit) -> int:
    """The most that it may spend, in whole Movement Points. Rule: 8.3"""
    return unit.movement + MOST.get(unit.arm, 0)


def rounded(cost: int) -> int:
    """Half Movement Points in whole ones, a half up. Rule: 4.4, 4.5"""
    return (cost + 1) // 2


def reach(world: Field, unit: Unit) -> dict[str, int]:
    """The cheapest cost of each hex that a unit can march to, in half Movement Points."""
    best, heap = {unit.place: 0}, [(0, unit.place)]
    held = {enemy.place for enemy in world.units.values() if enemy.side != unit.side}
    while heap:
        cost, here = heapq.heappop(heap)
        for there in neighbours(here) if cost == best[here] else ():
            ways = [
                way for way in (ground_cost(world, here, there), road_cost(world, unit, here, there)) if way is not None
            ]
            zones = zone_cost(world, unit, here, there)
            if there in held or not ways or zones is None:
                continue
            total = cost + min(ways) + zones
            if rounded(total) <= allowance(unit) and total < best.get(there, 999):
                best[there] = total
                heapq.heappush(heap, (total, there))
    return {hex: cost for hex, cost in best.items() if hex != unit.place}


def forced(unit: Unit, cost: int) -> int:
    """How many Movement Points of a Forced March a cost takes."""
    return max(0, rounded(cost) - unit.movement)


def passes(world: Field, unit: Unit, march: int) -> Fraction:
    """The chance to pass the check of a Forced March. Rule: 7.2, 8.3.2, 8.3.2a"""
    modifier = EACH[unit.arm] * (march - 1) + (world.weather == "summer-heat")
    rolls = [one + other for one, other in product(range(1, 7), repeat=2)]
    return Fraction(sum(roll + modifier <= unit.effectiveness + unit.cel for roll in rolls), len(rolls))


def kind_of(world: Field, unit: Unit, costs: dict[str, int]) -> str:
    """What makes a case worth its place, "" for one that does not: no EZOC or no way by road within reach."""
    zone = world.zone("russian" if unit.side == "central-powers" else "central-powers")
    bare = Field(world.turn, world.weather, hexes=world.hexes, between=world.between, units={"U": unit})
    without = reach(bare, unit)
    roadless = Field(world.turn, world.weather, hexes=world.hexes, units=world.units)
    roadless.between = {side: {"barrier": facts.get("barrier", "")} for side, facts in world.between.items()}
    marks = {
        "ezoc": without != costs,
        "beset": unit.place in zone,
        "road": reach(roadless, unit) != costs,
        "march": any(forced(unit, cost) for cost in costs.values()),
    }
    if not (marks["ezoc"] and marks["road"]) or len(costs) < 3:
        return ""
    return " ".join([unit.arm, world.table, *(mark for mark, holds in marks.items() if holds)])
