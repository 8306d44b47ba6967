"""Made-up positions of Kaiser's War in the East, and the same in notation: ground, railways, borders, units of both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from ..hexes import Hex, Side, around, block, name, names, side
from .units import Unit, is_legal

GAME = "kaisers-war-in-the-east"
COLUMNS, ROWS = range(18, 32), range(18, 30)
AREA = block(COLUMNS, ROWS)
"""Beyond it everything is clear ground in Russia that the Allies control, without water and railways."""
SIDES = {
    "central-powers": ["german", "austro-hungarian", "german", "austro-hungarian", "bulgarian"],
    "allies": ["russian", "russian", "russian", "russian", "romanian"],
}
TURNS = {"summer": 9, "winter": 14, "thaw": 15}
TERRAIN = ("clear", "rough", "mountain", "forest", "marsh")
CORPS = {"german": 3, "austro-hungarian": 3, "russian": 3, "bulgarian": 2}
"""Corps to an army: printed for Germany and Russia, made up for the others."""


@dataclass
class Ground:
    """The map that the cases of a file share, and the cells of its charts. What is not named is as beyond the area."""

    terrain: dict[Hex, str] = field(default_factory=dict)
    country: dict[Hex, str] = field(default_factory=dict)
    water: dict[Side, str] = field(default_factory=dict)
    rails: set[Side] = field(default_factory=set)
    costs: dict[tuple[str, str], int] = field(default_factory=dict)
    doubles: set[str] = field(default_factory=set)
    checks: set[tuple[str, str]] = field(default_factory=set)

    def lines(self) -> list[str]:
        """The ground in notation, for the head of a file."""
        lines = [f"chart turn-record {turn} = {season}" for season, turn in TURNS.items()]
        lines += [f"chart terrain-cost {season} {what} = {cost}" for (season, what), cost in sorted(self.costs.items())]
        lines += [
            f"chart terrain-defence {season} {what} = {2 if what in self.doubles else 1}"
            for season in ("summer", "winter")
            for what in ("rough", "mountain", "forest", "marsh")
        ]
        lines += [
            f"chart terrain-attrition {season} {what} = {'yes' if (season, what) in self.checks else 'no'}"
            for season in TURNS
            for what in TERRAIN
        ]
        lines += [
            f"chart reorganization {nation} infantry-army = {CORPS[nation]}"
            for nation in ("austro-hungarian", "bulgarian")
        ]
        lines += ["side central-powers whole-network", "side allies whole-network"]
        lines += ["elsewhere clear country=russia open no-rail control=allies city=no objective=no map-edge=no"]
        facts: dict[str, list[str]] = defaultdict(list)
        for at in AREA:
            words = [self.terrain[at]] * (self.terrain[at] != "clear")
            words += [f"country={self.country[at]}"] * (self.country[at] != "russia")
            facts[" ".join(words)].append(name(at))
        lines += [f"{', '.join(hexes)} {words}" for words, hexes in sorted(facts.items()) if words]
        return lines + hexside_lines(self.water, self.rails)


def hexside_lines(water: dict[Side, str], rails: set[Side]) -> list[str]:
    """What lies on hexsides in notation."""
    sides: dict[str, list[str]] = defaultdict(list)
    for between in sorted({*water, *rails}, key=sorted):
        words = [water.get(between, ""), "rail" * (between in rails)]
        sides[" ".join(filter(None, words))].append("|".join(name(at) for at in sorted(between)))
    return [f"{', '.join(pairs)} {words}" for words, pairs in sorted(sides.items())]


@dataclass
class World:
    """A position on a ground. held: the hexes that the Central Powers control; the others are of the Allies."""

    map: Ground
    season: str
    held: set[Hex] = field(default_factory=set)
    belligerent: dict[str, bool] = field(default_factory=dict)
    units: list[Unit] = field(default_factory=list)
    phasing: str = "central-powers"
    phase: str = "movement"
    west: bool = False
    lines: tuple[str, ...] = ()

    @property
    def rails(self) -> set[Side]:
        """The hexsides with a railroad."""
        return self.map.rails

    @property
    def water(self) -> dict[Side, str]:
        """What water lies on hexsides."""
        return self.map.water

    def ground(self, at: Hex) -> str:
        """The terrain of a hex."""
        return self.map.terrain.get(at, "clear")

    def land(self, at: Hex) -> str:
        """The country of a hex."""
        return self.map.country.get(at, "russia")

    def holder(self, at: Hex) -> str:
        """Who controls a hex: a unit in it, or else the side that is stated (7.3)."""
        for unit in self.units:
            if unit.at == at:
                return unit.side
        return "central-powers" if at in self.held else "allies"

    def is_neutral(self, at: Hex) -> bool:
        """Whether a hex belongs to a country that is not at war (23.0)."""
        nations = {"romania": "romanian", "bulgaria": "bulgarian"}
        return self.land(at) in nations and not self.belligerent[nations[self.land(at)]]

    def stack(self, at: Hex) -> list[Unit]:
        """The units in a hex."""
        return [unit for unit in self.units if unit.at == at]

    def text(self) -> list[str]:
        """What the position adds to its ground, in notation."""
        effort = "west" if self.west else "east"
        at_war = [f"nation {nation} belligerent={'yes' if war else 'no'}" for nation, war in self.belligerent.items()]
        stacks: dict[Hex, list[str]] = defaultdict(list)
        for unit in self.units:
            stacks[unit.at].append(unit.text())
        return [
            f"turn={TURNS[self.season]} phasing={self.phasing} phase={self.phase} main-effort={effort}",
            *at_war,
            *self.lines,
            *([f"{', '.join(names(self.held))} control=central-powers"] if self.held else []),
            *(f"{name(at)}: {', '.join(units)}" for at, units in stacks.items()),
        ]


# --- made from a seed -------------------------------------------------------------------------------------------------


def some_ground(dice: Random) -> Ground:
    """A map: the border with Russia in the middle, Romania and Bulgaria in the south, a coast, rivers, railways, marshes and mountains."""
    ground = Ground()
    border = 24
    for row in ROWS:
        border = min(max(border + dice.choice([-1, 0, 0, 1]), 23), 26)
        for column in COLUMNS:
            land = "russia" if column >= border else "germany" if row < 22 else "austria-hungary"
            if row > 26 and column > 24:
                land = "romania"
            if row > 27 and column <= 24:
                land = "bulgaria"
            ground.country[column, row] = land
            ground.terrain[column, row] = dice.choices(TERRAIN, [52, 12, 8, 18, 8])[0]
    for column in COLUMNS:
        for row in range(18, 18 + dice.choice([0, 0, 1, 1, 2])):
            ground.terrain[column, row] = "all-sea"
    for at in dice.sample(AREA, 6):
        ground.terrain[at] = "all-sea"
    lay_water(dice, ground)
    lay_rails(dice, ground)
    for season in ("summer", "winter"):
        ground.costs |= {(season, "rough"): 2, (season, "mountain"): dice.choice([2, 3]), (season, "marsh"): 3}
    ground.costs |= {("summer", "river"): dice.choice([1, 1, 2]), ("summer", "lake"): dice.choice([1, 2, 3])}
    ground.doubles = {what for what in TERRAIN[1:] if dice.random() < 0.6}
    ground.checks = {(season, what) for season in TURNS for what in TERRAIN if dice.random() < 0.7}
    return ground


def some_world(dice: Random, ground: Ground, most: int, *, crowded: bool = False, held: bool = False) -> World:
    """A position on a ground: a front through a part of it, control that lags behind here and there, units of both sides.

    held: whether control is stated although no armoured train needs it.
    """
    world = World(ground, dice.choice([*TURNS]))
    world.belligerent = {"romanian": dice.random() < 0.6, "bulgarian": dice.random() < 0.6}
    world.phasing, world.west = dice.choice([*SIDES]), dice.random() < 0.5
    front, middle = dice.randint(21, 28), dice.randint(20, 27)
    world.held = {at for at in AREA if (at[0] < front) != (dice.random() < 0.08)}
    world.held = {at for at in world.held if ground.terrain[at] != "all-sea" and not world.is_neutral(at)}
    some_units(dice, world, most, front, middle, crowded=crowded)
    if not held and not any(unit.arm == "armoured-train" for unit in world.units):
        world.held = set()
    return world


def sides_of(hexes: Iterable[Hex]) -> list[Side]:
    """The hexsides between hexes of the area."""
    return sorted({side(at, there) for at in hexes for there in around(at) if there in AREA}, key=sorted)


def lay_water(dice: Random, ground: Ground) -> None:
    """Two rivers that part the columns, some lakes, some hexsides of sea."""
    for column in dice.sample(range(19, 31), 4):
        for between in sides_of(AREA):
            if {at[0] for at in between} == {column, column + 1} and dice.random() < 0.8:
                ground.water[between] = "river"
    for between in dice.sample(sides_of(AREA), 30):
        ground.water[between] = dice.choice(["river", "lake", "lake", "all-sea", "impassable"])


def lay_rails(dice: Random, ground: Ground) -> None:
    """Ten railways, each a winding walk from a hex on the edge; none over a hexside of sea or through a hex of it."""
    for _ in range(10):
        at = dice.choice([at for at in AREA if ground.terrain[at] != "all-sea"])
        heading = dice.randrange(6)
        for _ in range(dice.randint(6, 16)):
            there = around(at)[(heading + dice.choice([0, 0, 0, 1, -1])) % 6]
            between = side(at, there)
            if (
                there not in AREA
                or ground.terrain[there] == "all-sea"
                or ground.water.get(between) in ("all-sea", "impassable")
            ):
                break
            ground.rails.add(between)
            at = there


def some_unit(dice: Random, number: int, owner: str, at: Hex, arm: str = "") -> Unit:
    """A unit with values of its own."""
    nation = dice.choice(SIDES[owner])
    arm = arm or dice.choice(
        ["infantry"] * 7
        + ["cavalry", "alpine", "shock", "supply", "supply", "fortress", "headquarters", "armoured-train"]
    )
    size = {"fortress": "-", "supply": "-", "headquarters": "XXXXX", "armoured-train": "-"}.get(arm, "XXX")
    if nation in ("romanian", "bulgarian") and arm not in ("fortress", "supply"):
        arm, size = "infantry", "XXXX"
    if arm == "infantry" and size == "XXX":
        size = dice.choice(["XXXX", "XXXX", "XXX", *(["abteilung"] if nation == "german" else [])])
    attack = 0 if arm in ("fortress", "supply") else dice.randint(1, 12)
    movement = 0 if arm == "fortress" else dice.randint(2, 5)
    radius = dice.randint(2, 5) if arm in ("supply", "headquarters") else 0
    unit_id = f"{'C' if owner == 'central-powers' else 'A'}{number}"
    return Unit(unit_id, owner, nation, arm, size, at, attack, dice.randint(1, 9), movement, radius)


def some_units(dice: Random, world: World, most: int, front: int, middle: int, *, crowded: bool) -> None:
    """Units of both sides on both sides of a front, now and then behind it, and some hexes with two or three."""
    near = [at for at in AREA if abs(at[0] - front) < 5 and abs(at[1] - middle) < 5]
    free = [at for at in near if world.ground(at) != "all-sea" and not world.is_neutral(at)]
    for number in range(1, most + 1):
        owner = dice.choice([*SIDES])
        tries = dice.sample(free, min(3, len(free)))
        at = min(tries, key=lambda at: abs(at[0] - front + (1 if owner == "central-powers" else -1)))
        friends = [unit.at for unit in world.units if unit.side == owner]
        if friends and dice.random() < (0.5 if crowded else 0.2):
            at = dice.choice(friends)
        if any(unit.side != owner for unit in world.stack(at)):
            continue
        unit = some_unit(dice, number, owner, at)
        if may_stand(world, unit):
            world.units.append(unit)


def may_stand(world: World, unit: Unit) -> bool:
    """Whether a unit may be in its hex: stacking (12.1) in the simplest way, and the limits of Romanians and Bulgarians (23.3)."""
    lands = {
        "romanian": ("romania", "austria-hungary", "bulgaria", "russia"),
        "bulgarian": ("bulgaria", "romania"),
    }.get(unit.nation)
    if lands and (world.land(unit.at) not in lands or not world.belligerent[unit.nation]):
        return False
    if unit.arm == "armoured-train" and not any(unit.at in rail for rail in world.rails):
        return False
    return is_legal([*world.stack(unit.at), unit])


def fits(world: World, units: list[Unit], at: Hex) -> bool:
    """Whether units may end in a hex with those that are there (12.1)."""
    return is_legal([*(unit for unit in world.stack(at) if unit not in units), *units])
