"""A piece of the paper map with units on it, as plain values, at random: what the second program works on, and its text in notation.

All that is not stated is clear and open, without railways, roads and crossings, and Russian: the heads of the suites say so.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

from ...making.hexes import Pair, hexsides, neighbours, pair, within

GAME = Path(__file__).parents[3] / "plugins/twilight_in_the_east"
ELSEWHERE = "elsewhere clear open no-rail no-road no-crossing control=russian"
MIDDLE = "45.70"
"""The middle of the piece, far from all places that rules name."""
SIDES = {"german": "central-powers", "austro-hungarian": "central-powers", "russian": "russian"}
NATIONS = {"russian": ("russian",), "central-powers": ("german", "german", "austro-hungarian")}
GREAT = {"major-river", "grand-river"}
WATER = {"lake", "sea"}
SHUT = {*WATER, "impassable"}
COMBAT = ("infantry", "cavalry")
FEATURES = (
    "minor-river",
    "minor-river",
    "major-river",
    "major-river",
    "grand-river",
    "ridge",
    "ridge",
    "impassable",
    "lake",
)
GROUND = ("rough", "rough", "wetlands", "mountain", "mountain")


@dataclass(eq=False)
class Unit:
    """A unit. steps: on its front; lost: of them; back: steps of its reduced side, 0 for none; cel: 0 to -4; guns: what its artillery is."""

    name: str
    nation: str
    arm: str
    size: str
    place: str
    steps: int = 1
    defence: int = 0
    artillery: int = 0
    effectiveness: int = 10
    corps: str = ""
    lost: int = 0
    back: int = 0
    back_defence: int = 0
    back_artillery: int = 0
    cel: int = 0
    guns: str = "field"
    asset: bool = False
    with_: str = ""
    movement: int = 0
    entrained: bool = False
    prepared: str = ""
    half: bool = False
    fssm: int = 0
    supply: str = ""
    words: list[str] = field(default_factory=list)

    @property
    def side(self) -> str:
        return SIDES[self.nation]

    @property
    def left(self) -> int:
        """The steps that it has left."""
        return self.steps - self.lost

    @property
    def reduced(self) -> bool:
        """Whether it shows its back. Rule: 11.1"""
        return 0 < self.left <= self.back < self.steps

    @property
    def formation(self) -> bool:
        return self.arm in COMBAT and not self.asset and self.size in ("XX", "X")

    @property
    def exerts(self) -> bool:
        """Whether it has a ZOC. Rule: 4.1, 8.2.4, 12.1"""
        return (self.arm in COMBAT or self.arm == "fortress") and not self.entrained

    def text(self) -> str:
        """As notation has it."""
        words = [self.nation, self.arm, self.size, f'"{self.name}"']
        if self.arm in ("corps-train", "minor-depot", "major-depot"):
            return " ".join(
                [*words, f"range=4 corps={self.corps or 'none'}" if self.arm == "corps-train" else "range=4"]
            )
        rated = (self.steps, self.defence, self.artillery, self.effectiveness)
        words.append(f"({'-'.join(map(str, rated))})")
        if self.arm in ("fortress", "fort"):
            return " ".join([*words, f"fssm={self.fssm} back-steps=0"])
        words += [f"corps={self.corps}"] if self.corps else []
        words += [f"movement={self.movement}"] if self.movement else []
        words.append(f"back-steps={self.back}")
        words += [f"back-defence={self.back_defence}", f"back-artillery={self.back_artillery}"] if self.back else []
        words += [f"-{self.lost}"] if self.lost else []
        words += [f"cel={self.cel}"] if self.cel else []
        words += [self.guns] if self.artillery or self.back_artillery else []
        words += ["asset"] if self.asset else []
        words += [f'with="{self.with_}"'] if self.with_ else []
        words += ["entrained"] if self.entrained else []
        words += [f"prepared={self.prepared}"] if self.prepared else []
        words += ["half"] if self.half else []
        words += [f"supply={self.supply}"] if self.supply else []
        return " ".join([*words, *self.words])


@dataclass
class Field:
    """A piece of the map. hexes: terrain, ip and control; between: barriers, crossing, rail and road by hexside."""

    turn: int = 5
    weather: str = "normal"
    phase: str = ""
    phasing: str = ""
    hexes: dict[str, dict[str, object]] = field(default_factory=dict)
    between: dict[Pair, dict[str, str]] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)

    def terrain(self, hex: str) -> str:
        return str(self.hexes.get(hex, {}).get("terrain", "clear"))

    def ip(self, hex: str) -> int:
        return int(str(self.hexes.get(hex, {}).get("ip", 0)))

    def lies(self, here: str, there: str) -> set[str]:
        """The barriers on a hexside."""
        return set(self.between.get(pair(here, there), {}).get("barrier", "").split())

    def over(self, here: str, there: str, what: str) -> str:
        """The crossing, rail or road over a hexside, "" for none."""
        return self.between.get(pair(here, there), {}).get(what, "")

    def at(self, hex: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.place == hex]

    def zone(self, side: str) -> dict[str, list[str]]:
        """The hexes in the ZOC of a side, each with its units. Rule: 4.1, 4.1.1"""
        found: dict[str, list[str]] = {}
        for unit in self.units.values():
            for near in neighbours(unit.place) if unit.side == side and unit.exerts else ():
                if not self.lies(unit.place, near) & (GREAT | WATER):
                    found.setdefault(near, []).append(unit.name)
        return found

    @property
    def season(self) -> str:
        return "summer" if self.turn <= 27 else "autumn"

    @property
    def table(self) -> str:
        """The part of the chart of movement costs. Rule: 8.1.1"""
        return self.weather if self.weather in ("high-water", "freeze") else self.season

    def text(self) -> list[str]:
        """As notation has it, in the order of the hexes."""
        lines = [f"turn={self.turn} weather={self.weather}"]
        lines += [f"phase={self.phase} phasing={self.phasing}"] if self.phase else []
        for hex, facts in sorted(self.hexes.items()):
            for name in ("ip", "control"):
                lines += [f"{hex} {name}={facts[name]}"] if name in facts else []
        ground = {hex: str(facts["terrain"]) for hex, facts in self.hexes.items() if "terrain" in facts}
        lies = {
            "|".join(side): " ".join(filter(None, map(facts.get, ("barrier", "crossing", "rail", "road"))))
            for side, facts in self.between.items()
        }
        lines += [*gathered(ground, ", "), *gathered(lies, ",")]
        for hex in dict.fromkeys(unit.place for unit in self.units.values()):
            lines.append(f"{hex}: {', '.join(unit.text() for unit in self.at(hex))}")
        return lines


def gathered(words: dict[str, str], comma: str, width: int = 120) -> list[str]:
    """Lines that state the same words of several places or hexsides together."""
    lines = []
    for said in sorted({*words.values()} - {""}):
        names = sorted(name for name, word in words.items() if word == said)
        line = ""
        for name in names:
            if line and len(line) + len(name) > width:
                lines.append(f"{line} {said}")
                line = ""
            line += f"{comma if line else ''}{name}"
        lines.append(f"{line} {said}")
    return lines


@cache
def chart(name: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """A chart of the game: its cells by their keys. It reads the file and nothing else of the plugin."""
    keys = {"crt": 3, "slrt": 3, "terrain-shift": 1, "terrain-cost": 2, "forced-march": 2}[name]
    with open(GAME / f"charts/{name}.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return {tuple(row[:keys]): tuple(row[keys:-1]) for row in rows}


def draw_ground(chance: Random, far: int, rough: float = 0.35, barred: float = 0.25) -> Field:
    """Random ground around the middle: terrain, rivers in runs, ridges, some railways and roads with bridges."""
    world = Field()
    hexes = within(MIDDLE, far)
    for hex in hexes:
        if chance.random() < rough:
            world.hexes[hex] = {"terrain": chance.choice(GROUND)}
    for side in hexsides(hexes):
        if chance.random() < barred:
            world.between[side] = {"barrier": chance.choice(FEATURES)}
    return world


def lay_way(world: Field, chance: Random, start: str, many: int, what: str, words: tuple[str, ...]) -> None:
    """A railway or a road from a hex, over no water but rivers. what: rail or road."""
    here, passed = start, {start}
    inside = set(within(MIDDLE, 7))
    for _ in range(many):
        ways = [near for near in neighbours(here) if near in inside - passed and not world.lies(here, near) & SHUT]
        if not ways:
            return
        there = chance.choice(sorted(ways))
        world.between.setdefault(pair(here, there), {})[what] = chance.choice(words)
        passed.add(there)
        here = there


def half(number: Fraction | int) -> str:
    """A fraction as text."""
    return str(Fraction(number))
