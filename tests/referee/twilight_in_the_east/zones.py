"""Zones of control (4.1, 4.1.1): which hexes are in those of a side, by which units."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ...making.hexes import within
from ..writing import Posed, Question, Suite
from .field import ELSEWHERE, MIDDLE, Field, Unit, draw_ground

ARMS = ("infantry", "infantry", "cavalry", "artillery", "fortress", "fort", "corps-train", "minor-depot")


def suite(seed: int, many: int) -> Suite:
    return Suite(
        "zones",
        [
            "Zones of control on random ground, with rivers, lakes and units that have none. Rules: 4.1, 4.1.1, 3.5, 3.6, 8.2.4, 12.1."
        ],
        {
            "zone": ("hexes.hex", "the hexes in a zone of control of the side"),
            "by": ("hexes{hex=units}", "the units that exert it there, joined by +"),
        },
        [],
        [ELSEWHERE],
        cases(seed, many),
    )


def cases(seed: int, many: int) -> Iterator[Posed]:
    made = 0
    for number in range(10 * many):
        chance = Random(f"zones {seed} {number}")
        world, side = random_field(chance), chance.choice(("russian", "central-powers"))
        zone = world.zone(side)
        if is_trivial(world, side):
            continue
        by = {hex: "+".join(sorted(units)) for hex, units in sorted(zone.items())}
        yield Posed(str(number), world.text(), [Question(f"zones side={side}", {"zone": sorted(zone), "by": by})])
        made += 1
        if made == many:
            return


def random_field(chance: Random) -> Field:
    world = draw_ground(chance, 3, 0.1, 0.45)
    for number in range(chance.randint(5, 9)):
        arm = chance.choice(ARMS)
        nation = chance.choice(("russian", "german", "austro-hungarian"))
        held = {unit.place for unit in world.units.values() if unit.side != Unit("", nation, "", "", "").side}
        hex = chance.choice([hex for hex in within(MIDDLE, 2) if hex not in held] or [MIDDLE])
        if hex in held:
            continue
        unit = Unit(
            f"{nation[0].upper()}{number}",
            nation,
            arm,
            "XX" if arm in ("infantry", "cavalry") else "-",
            hex,
            steps=chance.randint(1, 9),
        )
        unit.fssm = 2 if arm in ("fortress", "fort") else 0
        unit.artillery = 3 if arm == "artillery" else 0
        unit.steps = 1 if arm == "artillery" else unit.steps
        unit.entrained = arm in ("infantry", "cavalry", "artillery") and chance.random() < 0.2
        world.units[unit.name] = unit
    return world


def is_trivial(world: Field, side: str) -> bool:
    """Whether nothing but counting six hexes is asked: no zone ends at water, and no unit is without one."""
    own = [unit for unit in world.units.values() if unit.side == side]
    bare = Field(units=world.units)
    return len(own) < 3 or all(unit.exerts for unit in own) or bare.zone(side) == world.zone(side)
