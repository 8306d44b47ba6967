"""Retreats (11.2): which hexes are open, and what a way back costs each Force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from ...making.hexes import distance, neighbours, within
from ..writing import Posed, Question, Suite
from .field import ELSEWHERE, GREAT, MIDDLE, NATIONS, SHUT, Field, Unit, draw_ground, lay_way

DEMORALIZED = -4


def suite(seed: int, many: int) -> Suite:
    return Suite(
        "retreats",
        [
            "Retreats of stacks: the hexes that are open next, and what a whole way costs each Force. Rules: 4.2, 8.1.1, 11.2.1,",
            "11.2.2b, 11.2.4, 11.2.5, 11.2.5a.",
        ],
        {
            "open": ('options[barred=""].hex', "the hexes that the stack may enter next"),
            "zones": ('options[barred=""][zone=yes].hex', "those of them in an EZOC that no friendly unit negates"),
            "levels": ("forces{force=levels}", "the levels of Combat Effectiveness that each Force loses on the way"),
            "steps": ("forces{force=steps}", "the steps that it loses"),
            "guns": ("forces.guns", "the artillery units that are eliminated"),
            "gone": ("forces[eliminated=yes].force", "the Forces that are eliminated"),
            "surrenders": ("surrenders", "whether the stack is gone because no hex is open"),
        },
        ["charts/terrain-cost.csv"],
        ["trust charts", ELSEWHERE, "ruling way-back=no", "ruling ezoc-levels=one"],
        cases(seed, many),
    )


def cases(seed: int, many: int) -> Iterator[Posed]:
    made, seen = 0, Counter[str]()
    for number in range(100 * many):
        chance = Random(f"retreats {seed} {number}")
        world = random_field(chance)
        stack = world.at(MIDDLE)
        first, owed = open_hexes(world, stack, MIDDLE), chance.choice((1, 2, 2, 3, 3, 4))
        way = random_way(world, stack, owed, chance)
        costs = {} if way is None else walk(world, stack, way)
        kind = kind_of(world, stack, first, way, costs)
        if seen[kind] >= max(4, many // 5):
            continue
        seen[kind] += 1
        asked = f"retreat at={MIDDLE} hexes={owed} cause=crt"
        if first:
            zones = [hex for hex in first if in_zone(world, stack, hex)]
            questions = [Question(asked, {"open": first, "zones": zones})]
        else:
            questions = [Question(asked, {"open": [], "surrenders": "yes"})]
        if way is not None and len(way) == owed:
            expected = {
                "levels": {name: cost.levels for name, cost in costs.items()},
                "steps": {name: cost.steps for name, cost in costs.items()},
                "guns": sorted(gun for cost in costs.values() for gun in cost.guns),
                "gone": sorted(name for name, cost in costs.items() if cost.gone),
            }
            questions.append(Question(f"{asked} way={','.join(way)}", expected))
        yield Posed(str(number), world.text(), questions)
        made += 1
        if made == many:
            return


# --- the ground and who stands on it ----------------------------------------------------------------------------------


def random_field(chance: Random) -> Field:
    """A stack in the middle with enemies around it, and friends."""
    world = draw_ground(chance, 4, 0.3, 0.3)
    world.turn, world.weather = chance.choice(((5, "normal"), (12, "normal"), (33, "normal")))
    for _ in range(chance.randint(0, 3)):
        lay_way(world, chance, chance.choice(within(MIDDLE, 1)), chance.randint(1, 4), *chance.choice(WAYS))
    side, other = chance.sample(("russian", "central-powers"), 2)
    nation = chance.choice(NATIONS[side])
    for number in range(chance.choice((1, 1, 2))):
        steps = chance.randint(2, 9)
        unit = Unit(
            f"D{number}",
            nation,
            "infantry",
            "XX",
            MIDDLE,
            steps,
            steps - 1,
            0,
            10,
            cel=-chance.choice((0, 0, 1, 2, 3, 4)),
        )
        unit.lost = chance.randint(0, steps - 1) if chance.random() < 0.3 else 0
        world.units[unit.name] = unit
        if chance.random() < 0.3:
            asset = Unit(f"A{number}", nation, "infantry", "III", MIDDLE, 2, 1, asset=True, with_=unit.name)
            world.units[asset.name] = asset
    for number in range(chance.choice((0, 1, 1, 2))):
        gun = Unit(f"guns{number}", nation, "artillery", "-", MIDDLE, 1, 0, 3, asset=True, with_="D0")
        world.units[gun.name] = gun
    hexes = within(MIDDLE, 3)[1:]
    for number in range(chance.randint(2, 7)):
        hex = chance.choice(hexes)
        arm = chance.choice(("infantry", "infantry", "cavalry", "artillery", "corps-train"))
        enemy = Unit(
            f"E{number}", chance.choice(NATIONS[other]), arm, "XX" if arm in ("infantry", "cavalry") else "-", hex, 6, 5
        )
        enemy.artillery, enemy.steps = (3, 1) if arm == "artillery" else (0, enemy.steps)
        if not world.at(hex):
            world.units[enemy.name] = enemy
    for number in range(chance.randint(0, 3)):
        hex = chance.choice(hexes)
        if not any(unit.side == other for unit in world.at(hex)):
            world.units[f"F{number}"] = Unit(
                f"F{number}", nation, chance.choice(("infantry", "cavalry")), "X", hex, 3, 2
            )
    return world


WAYS = (("rail", ("rail1", "rail2")), ("road", ("primary-road", "secondary-road")))


def random_way(world: Field, stack: list[Unit], owed: int, chance: Random) -> list[str] | None:
    """A way of so many hexes, never closer to the beginning; None if there is none, shorter if it ends before."""
    way: list[str] = []
    here, before = MIDDLE, ""
    while len(way) < owed:
        ways = [hex for hex in open_hexes(world, stack, here, before) if distance(MIDDLE, hex) == len(way) + 1]
        if not ways:
            return way or None
        zones = [hex for hex in ways if in_zone(world, stack, hex)]
        before, here = here, chance.choice(zones if zones and chance.random() < 0.7 else ways)
        way.append(here)
    return way


# --- rules ------------------------------------------------------------------------------------------------------------


def bridged(world: Field, here: str, there: str) -> bool:
    """Whether a road, a railway or a bridge leads over a hexside. Rule: 2.2"""
    return any(world.over(here, there, what) for what in ("rail", "road", "crossing"))


def may_cross(world: Field, here: str, there: str) -> bool:
    """Whether a retreat may go over a hexside: over a Grand River without a bridge, too, for which 11.2.4 names the price."""
    return not world.lies(here, there) & SHUT


def open_hexes(world: Field, stack: list[Unit], here: str, before: str = "") -> list[str]:
    """The hexes that a stack may enter next. Rule: 4.2, 11.2.2, 11.2.4"""
    side = stack[0].side
    return [
        near
        for near in sorted(neighbours(here))
        if near != before and may_cross(world, here, near) and not any(unit.side != side for unit in world.at(near))
    ]


def in_zone(world: Field, stack: list[Unit], hex: str) -> bool:
    """Whether a hex is in an EZOC that no friendly unit negates. Rule: 11.2.5"""
    enemy = "russian" if stack[0].side == "central-powers" else "central-powers"
    return hex in world.zone(enemy) and not any(unit not in stack for unit in world.at(hex))


@dataclass
class Cost:
    """What a way costs a Force. cel: what it has left; steps_left: of the whole Force."""

    cel: int
    steps_left: int
    levels: int = 0
    steps: int = 0
    guns: list[str] = field(default_factory=list)

    @property
    def gone(self) -> bool:
        return self.steps_left <= 0

    def lose_level(self) -> None:
        """A level, or a step of who is Demoralized. Rule: 11.2.4, 11.2.5a"""
        if self.cel > DEMORALIZED:
            self.cel -= 1
            self.levels += 1
        else:
            self.lose_step()

    def lose_step(self) -> None:
        self.steps += not self.gone
        self.steps_left -= 1


def walk(world: Field, stack: list[Unit], way: list[str]) -> dict[str, Cost]:
    """What a way costs each Force, hex by hex. Rule: 11.2.4, 11.2.5"""
    costs: dict[str, Cost] = {}
    for lead in (unit for unit in stack if unit.formation):
        of_force = [unit for unit in stack if unit is lead or unit.with_ == lead.name]
        costs[lead.name] = Cost(lead.cel, sum(unit.left for unit in of_force if unit.arm != "artillery"))
    guns = {unit.name: unit.with_ for unit in stack if unit.arm == "artillery"}
    here, zones = stack[0].place, 0
    for hex in way:
        lies, lost = world.lies(here, hex), False
        along = world.over(here, hex, "rail") or world.over(here, hex, "road")
        if lies & GREAT and not bridged(world, here, hex):
            lost = True
            for cost in costs.values():
                cost.lose_level()
        if ("ridge" in lies or "mountain" in (world.terrain(here), world.terrain(hex))) and not along:
            lost = True
        if in_zone(world, stack, hex):
            zones += 1
            for cost in costs.values():
                if zones <= 3:
                    cost.lose_level()
                if zones >= 2:
                    cost.lose_step()
            lost = lost or zones == 2
        if lost:
            for gun, force in guns.items():
                costs[force].guns.append(gun)
            guns = {}
        here = hex
    return costs


def kind_of(world: Field, stack: list[Unit], first: list[str], way: list[str] | None, costs: dict[str, Cost]) -> str:
    """What makes a case worth its place: only some of each kind are kept."""
    if not first:
        return "surrounded"
    if way is None:
        return "stuck"
    zones = sum(in_zone(world, stack, hex) for hex in way)
    guns, steps = any(cost.guns for cost in costs.values()), any(cost.steps for cost in costs.values())
    converted = any(unit.formation and unit.cel == DEMORALIZED for unit in stack) and zones
    gone = any(cost.gone for cost in costs.values())
    return f"{len(way)} {zones} {'guns' * guns} {'steps' * steps} {'dm' * bool(converted)} {'gone' * gone} {len(costs)} {len(first) < 4}"
