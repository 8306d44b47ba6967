"""Attacks of Kaiser's War in the East from the rulebook alone: strengths, column, what each die leads to (14, 19, 20, 21)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from ..hexes import Hex, around, side
from .supply import by_radius, offensive, zone_of
from .units import Unit
from .world import CORPS, World

COLUMNS = ["<=49", "50-99", "100-149", "150-199", "200-299", "300-399", "400-499", "500-599", ">=600"]
TABLES = {
    "standard": (
        "AZ AZ AD AD AD ST BB BB BB",
        "AZ AD AD AD ST BB BB DD DD",
        "AD AD AD ST BB BB DD DD DD",
        "AD AD ST ST DD DD DD DD DZ",
        "AD ST ST DD DD DD DD DZ DZ",
        "AD DD DD DD DD DD DZ DZ DZ",
    ),
    "shock": (
        "AZ AD AD AD AD MD MD MD MD",
        "AD AD AD AD MD MD MD DP DP",
        "AD AD MD MD DP DP DP DP DP",
        "AD AD MD DP DP DP DP DP BT",
        "AD MD DP DP DP DP BT BT BT",
        "AD DP DP DP BT BT BT BT BT",
    ),
}


class Attack(NamedTuple):
    """An attack: who takes part, the Headquarters and supply units behind it."""

    at: Hex
    attackers: list[Unit]
    defenders: list[Unit]
    headquarters: Unit | None
    supply: list[Unit]


class Strengths(NamedTuple):
    """What an attack comes to."""

    attack: int
    defence: int
    column: str
    concentric: bool
    across_water: bool


def may_attack(world: World, unit: Unit, at: Hex) -> bool:
    """Whether a unit may take part in an attack on a hex beside it: no fortress, supply unit or bracketed factor; a train only by rail (14.4, 21.4)."""
    if unit.arm in ("fortress", "supply", "headquarters") or unit.attack < 1 or at not in around(unit.at):
        return False
    return unit.arm != "armoured-train" or side(unit.at, at) in world.rails


def is_legal(world: World, attack: Attack) -> bool:
    """Whether units of several countries are led by a Headquarters that reaches one of them and has a countryman among them (14.10, 19)."""
    leader = attack.headquarters
    if leader is None:
        return len({unit.nation for unit in attack.attackers}) == 1
    near = by_radius(world, leader.side, leader.at, leader.radius)
    return any(unit.at in near for unit in attack.attackers) and any(
        unit.nation == leader.nation for unit in attack.attackers
    )


def covers_all(world: World, attack: Attack) -> bool:
    """Whether attackers or their zones are in all six hexes around the defenders; a fortress prevents it but for siege guns (14.8, 19.5)."""
    if any(unit.arm == "fortress" for unit in attack.defenders) and attack.headquarters is None:
        return False
    covered = {unit.at for unit in attack.attackers}
    for unit in attack.attackers:
        covered |= zone_of(world, unit)
        unplayable = [at for at in around(unit.at) if world.ground(at) == "all-sea" or world.is_neutral(at)]
        covered.update(unplayable if unit.movement > 0 else [])
    return {*around(attack.at)} <= covered


def strengths(world: World, attack: Attack) -> Strengths:
    """The strengths of both sides, and the column (14.8 to 14.11, 14.13, 21.3, 22.1)."""
    reached = {unit for source in attack.supply for unit in offensive(world, source)}
    all_six = covers_all(world, attack)
    total = 0
    for unit in [*attack.attackers, *([attack.headquarters] if attack.headquarters else [])]:
        bonuses = [unit in reached, all_six, unit.arm == "alpine" and world.ground(attack.at) == "rough"]
        total += unit.attack * (1, 2, 3, 3)[sum(bonuses)]
    wet = world.season != "winter" and all(
        world.water.get(side(unit.at, attack.at)) in ("river", "lake") for unit in attack.attackers
    )
    defence = sum(unit.defence for unit in attack.defenders)
    if wet or world.ground(attack.at) in world.map.doubles:
        defence *= 2
    return Strengths(total, defence, column(total, defence), all_six, wet)


def column(attack: int, defence: int) -> str:
    """The column of the tables: the percentage, its fraction dropped."""
    percent = attack * 100 // defence
    return COLUMNS[sum(percent >= least for least in (50, 100, 150, 200, 300, 400, 500, 600))]


def results(table: str, column_: str) -> list[str]:
    """The results of the six dice."""
    return [row.split()[COLUMNS.index(column_)] for row in TABLES[table]]


def chances(table: str, column_: str) -> dict[str, Fraction]:
    """The exact chance of each result."""
    codes = results(table, column_)
    return {code: Fraction(codes.count(code), 6) for code in sorted({*codes})}


def best_column(world: World, at: Hex, supply: list[Unit]) -> str:
    """The highest column of all attacks on a hex: every set of attackers, with each Headquarters or none and all of some supply units."""
    near = [unit for unit in world.units if unit.side == world.phasing and may_attack(world, unit, at)]
    leaders = [unit for unit in world.units if unit.side == world.phasing and unit.arm == "headquarters"]
    found = set()
    for count in range(1, len(near) + 1):
        for group in combinations(near, count):
            for leader in (None, *leaders):
                attack = Attack(at, list(group), world.stack(at), leader, supply)
                if is_legal(world, attack):
                    found.add(strengths(world, attack).column)
    return max(found, key=COLUMNS.index)


# --- what a result does, where nobody has a choice -----------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a result leads to. lost: of each unit whether it breaks down, into how many corps, and the points that it costs and gives."""

    code: str
    lost: dict[str, tuple[bool, int, int, int]]
    retreats: str
    pursues: str
    pursuit: int


SIMPLE = ("AD", "AZ", "BT", "DD", "DZ")
"""The results that leave no choice to anybody, nor roll more dice."""


def points(world: World, unit: Unit) -> tuple[int, int]:
    """The points that an eliminated unit costs its side, and that its enemy gains (the Victory Points table)."""
    west = world.west and unit.side == "central-powers"
    if unit.arm == "fortress":
        return unit.defence, unit.defence
    if unit.arm in ("supply", "armoured-train"):
        return 0, 0
    if unit.arm == "headquarters" or unit.size == "XXXX":
        return (9 if west else 6), 0
    if unit.size == "abteilung":
        return (6 if west else 4), 0
    return (3 if west else 2), 0


def outcome(world: World, attack: Attack, code: str) -> Outcome:
    """What a result without a choice does to both sides."""
    losing = {"AD": attack.attackers, "AZ": attack.attackers}.get(code, attack.defenders)
    lost, left = {}, 0
    for unit in losing:
        corps = 2 if unit.size == "abteilung" else CORPS.get(unit.nation, 0)
        if code in ("AD", "DD") and unit.is_army() and unit.nation != "romanian":
            lost[unit.id] = (True, corps, 0, 0)
            left += corps
        else:
            lost[unit.id] = (False, 0, *points(world, unit))
    retreats = {"AD": "attacker", "DD": "defender"}.get(code, "") if left else ""
    if code == "AD":
        return Outcome(code, lost, retreats, "", 0)
    pursuer, units = ("defender", attack.defenders) if code == "AZ" else ("attacker", attack.attackers)
    able = any(unit.movement > 0 and unit.attack > 0 and unit.arm != "headquarters" for unit in units)
    return Outcome(code, lost, retreats, pursuer if able else "", (2 if code == "BT" else 1) if able else 0)
