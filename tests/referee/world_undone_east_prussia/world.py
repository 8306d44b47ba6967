"""Made-up positions of The World Undone: East Prussia 1914 on the board that comes with the game, and the same in notation."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from random import Random

from assistant.testing import game_in

from ..hexes import Hex, Side, around, name, names, rings, side

GAME = "world-undone-east-prussia-1914"
BOARD = "east-prussia"
LAST = (59, 36)
"""The last column and the last row of the board."""
COSTS = {"clear": 0, "forest": 1, "swamp": 2, "town": 0, "city": 1, "river": 1}
"""Movement Points beyond the one for the hex, made up: the printed chart comes with the game."""
FORTRESSES = {(40, 25): 4, (33, 11): 6, (10, 23): 3, (6, 20): 2}
"""Lötzen, Königsberg, Strasburg and Graudenz with made-up strengths."""
ARMIES = {"german": ["8th"], "russian": ["first", "second"]}


@dataclass(frozen=True)
class Unit:
    """A counter. sp: Strength Points; ma: Movement Allowance; mark: what it has done."""

    id: str
    side: str
    arm: str
    army: str
    at: Hex
    sp: int
    ma: int
    mark: str = ""

    def text(self) -> str:
        """The unit as notation has it."""
        return f"{self.side} {self.arm} {self.army} {self.id} ({self.sp}-{self.ma}) {self.mark}".strip()


@dataclass
class Ground:
    """What the board says: terrain by hex, hexsides with a river, a lake or a railway, towns with what they are worth."""

    terrain: dict[Hex, str]
    country: dict[Hex, str]
    towns: dict[Hex, str]
    rivers: set[Side]
    lakes: set[Side]
    rails: set[Side]
    worth: dict[Hex, int]

    def lines(self) -> list[str]:
        """What a file states beside the board."""
        values: dict[int, list[Hex]] = defaultdict(list)
        for at, points in self.worth.items():
            values[points].append(at)
        return [
            f"board {BOARD}",
            "trust counters",
            "scenario=historical",
            *(f"chart terrain-cost {what} = {cost}" for what, cost in COSTS.items()),
            *(f"{name(at)} fortress={strength}" for at, strength in FORTRESSES.items()),
            *(f"{', '.join(names(hexes))} vp={points}" for points, hexes in sorted(values.items())),
        ]


def hex_of(text: str) -> Hex:
    """A hex by its number."""
    return int(text[:2]), int(text[2:])


def side_of(text: str) -> Side:
    """A hexside by the numbers of its hexes."""
    here, there = text.split("|")
    return side(hex_of(here), hex_of(there))


@cache
def ground() -> Ground:
    """The board of the game, read once."""
    board = game_in(GAME).board(BOARD)

    def words(track: str) -> dict[str, str]:
        known = {subject: board.fact(track, subject) for subject in board.known(track)}
        return {subject: str(fact.value) for subject, fact in known.items() if fact}

    def of_hexes(track: str) -> dict[Hex, str]:
        return {hex_of(subject): word for subject, word in words(track).items()}

    sides: dict[str, set[Side]] = defaultdict(set)
    for subject, word in words("barrier").items():
        sides[word].add(side_of(subject))
    sides["rail"] = {side_of(subject) for subject in words("rail")}
    towns = of_hexes("town")
    dice = Random(8)
    worth = {at: dice.randint(1, 4) * (5 if kind == "city" else 1) for at, kind in sorted(towns.items())}
    return Ground(of_hexes("terrain"), of_hexes("country"), towns, sides["river"], sides["lake"], sides["rail"], worth)


KONIGSBERG: Hex = (33, 11)


@dataclass
class World:
    """A position. held: hexes outside its own country that a side controls; over: fortresses destroyed; cut: Rail Cut markers."""

    map: Ground
    held: dict[str, set[Hex]] = field(default_factory=lambda: {"german": set(), "russian": set()})
    units: list[Unit] = field(default_factory=list)
    destroyed: set[Hex] = field(default_factory=set)
    cut: set[Hex] = field(default_factory=set)
    reserved: dict[Hex, int] = field(default_factory=dict)
    turn: int = 5
    phasing: str = "russian"
    phase: str = "first-movement"
    options: tuple[str, ...] = ()
    friends: bool = False
    lines: tuple[str, ...] = ()

    def ground(self, at: Hex) -> str:
        """The terrain of a hex; "" beyond the map."""
        return self.map.terrain.get(at, "")

    def near(self, at: Hex) -> list[Hex]:
        """The hexes next to a hex that are on the map."""
        return [there for there in around(at) if self.ground(there)]

    def stack(self, at: Hex) -> list[Unit]:
        """The units in a hex."""
        return [unit for unit in self.units if unit.at == at]

    def fortress(self, at: Hex) -> int:
        """The strength of a fortress that stands, 0 for none."""
        return 0 if at in self.destroyed else FORTRESSES.get(at, 0)

    def holder(self, at: Hex) -> str:
        """Who controls a hex: a unit in it, a marker, or else its country (2.0)."""
        for unit in self.units:
            if unit.at == at:
                return unit.side
        for owner, hexes in self.held.items():
            if at in hexes:
                return owner
        return {"germany": "german", "russia": "russian"}.get(self.map.country.get(at, ""), "")

    def text(self) -> list[str]:
        """What the position adds to its ground, in notation."""
        options = f" options={'+'.join(self.options)}" if self.options else ""
        stacks: dict[Hex, list[str]] = defaultdict(list)
        for unit in self.units:
            stacks[unit.at].append(unit.text())
        return [
            f"turn={self.turn} phasing={self.phasing} phase={self.phase}{options}{' rivalry-ended' if self.friends else ''}",
            *self.lines,
            *(f"{', '.join(names(hexes))} control={owner}" for owner, hexes in self.held.items() if hexes),
            *([f"{', '.join(names(self.destroyed))} destroyed"] if self.destroyed else []),
            *([f"{', '.join(names(self.cut))} rail-cut"] if self.cut else []),
            *(f"{name(at)} reserved={points}" for at, points in self.reserved.items()),
            *(f"{name(at)}: {', '.join(units)}" for at, units in stacks.items()),
        ]


# --- made from a seed -------------------------------------------------------------------------------------------------


def some_unit(dice: Random, number: int, owner: str, army: str, at: Hex, arm: str = "") -> Unit:
    """A unit with values of its own."""
    arm = arm or dice.choice(["infantry"] * 6 + ["cavalry", "cavalry", "heavy-artillery", "headquarters"])
    strength = {"heavy-artillery": 0, "headquarters": 1, "cavalry": dice.randint(1, 3)}.get(arm, dice.randint(2, 9))
    allowance = 4 if arm in ("cavalry", "headquarters") else 3 if owner == "german" else 2
    return Unit(f"{owner[0].upper()}{number}", owner, arm, army, at, strength, allowance)


def some_world(dice: Random, most: int, *, spread: int = 6, both: bool = False, paths: bool = True) -> World:
    """A position: units of both sides near a hex of the border, paths of control behind those that have gone far.

    spread: how many hexes from it; both: units of both Russian armies; paths: whether control is stated.
    """
    world = World(ground())
    border = [(51, 20), (48, 27), (42, 31), (35, 33), (29, 31), (20, 30), (13, 29)]
    middle = dice.choice(border)
    world.turn, world.phasing = dice.randint(2, 18), dice.choice([*ARMIES])
    world.phase = dice.choice(["first-movement", "second-movement"])
    near = [at for at in rings(middle, spread) if world.ground(at) not in ("", "sea")]
    world.destroyed = {at for at in FORTRESSES if dice.random() < 0.2}
    armies = {"german": "8th", "russian": dice.choice(ARMIES["russian"])}
    for number in range(1, most + 1):
        owner = dice.choice([*ARMIES])
        tries = dice.sample(near, 2)
        at = (min if owner == "german" else max)(tries) if dice.random() < 0.6 else tries[0]
        friends = [unit.at for unit in world.units if unit.side == owner]
        if friends and dice.random() < 0.25:
            at = dice.choice(friends)
        stack = world.stack(at)
        if any(unit.side != owner for unit in stack) or len(stack) > 2 or (owner == "russian" and world.fortress(at)):
            continue
        army = dice.choice(ARMIES[owner]) if both else armies[owner]
        unit = some_unit(dice, number, owner, army, at)
        if unit.arm in ("heavy-artillery", "headquarters") and any(other.arm == unit.arm for other in stack):
            continue
        world.units.append(unit)
    for unit in world.units:
        if paths and dice.random() < 0.85:
            lay_path(dice, world, unit)
    return world


def lay_path(dice: Random, world: World, unit: Unit) -> None:
    """Give a side the hexes of a way from one of its units, in a foreign country, toward its own: straight, with a turn now and then."""
    own = {"german": "germany", "russian": "russia"}[unit.side]
    step, at = (1 if unit.side == "russian" else -1), unit.at
    for _ in range(14):
        if world.map.country.get(at) == own or not world.ground(at):
            return
        if (
            world.ground(at) != "sea"
            and not world.fortress(at)
            and not any(other.side != unit.side for other in world.stack(at))
        ):
            for hexes in world.held.values():
                hexes.discard(at)
            world.held[unit.side].add(at)
        onward = [there for there in world.near(at) if there[0] == at[0] + step]
        aside = [there for there in world.near(at) if there[0] == at[0] and there[1] > at[1]]
        at = dice.choice(onward * 3 + aside) if onward + aside else (0, 0)
