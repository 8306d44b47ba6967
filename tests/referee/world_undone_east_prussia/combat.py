"""Combat of East Prussia 1914 from the rulebook alone: strengths, odds, die roll modifiers, retreats, advances (6, 8, 3.2)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from assistant.testing import game_in

from ..hexes import Hex, rings, side
from .supply import supplied, zone_of, zones_against
from .world import GAME, KONIGSBERG, Unit, World

COLUMNS = ("1:2-", "1:1", "2:1", "3:1", "4:1", "5:1+")
FIGHTERS = ("infantry", "garrison", "cavalry", "headquarters")
GROUND = {"forest": 1, "swamp": 2}


class Attack(NamedTuple):
    """An attack on one hex, or in one on several."""

    at: list[Hex]
    attackers: list[Unit]


class Odds(NamedTuple):
    """What an attack comes to. also: other hexes that must be attacked; due: what an exchange costs the attacker at least."""

    attack: int
    defence: int
    column: str
    drm: int
    also: set[Hex]
    due: int


def attackers_of(world: World, at: list[Hex]) -> list[Unit]:
    """The units of the phasing side that are next to all the hexes: heavy artillery only in a stack with others (3.1, 6.1)."""
    near = [
        unit for unit in world.units if unit.side == world.phasing and all(hex_ in world.near(unit.at) for hex_ in at)
    ]
    led = {unit.at for unit in near if unit.arm in FIGHTERS}
    return [unit for unit in near if unit.at in led]


def strength(world: World, units: list[Unit]) -> int:
    """The strength of units: half of it, rounded up, without a line of supply; heavy artillery alone in its hex has 1 (3.1, 6.2)."""
    total = 0
    reached = supplied(world, units[0].side) if units else {}
    for unit in units:
        alone = all(other.arm == "heavy-artillery" for other in world.stack(unit.at))
        points = int(alone) if unit.arm == "heavy-artillery" else unit.sp
        fed = unit.at in reached or world.fortress(unit.at) > 0
        total += points if fed else (points + 1) // 2
    return total


def odds(world: World, attack: Attack) -> Odds | None:
    """Strengths, column and modifiers, None for an attack without strength (6.0 to 6.4)."""
    defenders = [unit for at in attack.at for unit in world.stack(at)]
    force = strength(world, attack.attackers)
    defence = strength(world, defenders) + sum(world.fortress(at) for at in attack.at)
    if not force or not defence:
        return None
    reached = {unit.at for unit in attack.attackers}
    zone: set[Hex] = set()
    for unit in attack.attackers:
        zone |= zone_of(world, unit)
    ring = {there for at in attack.at for there in world.near(at)} - {*attack.at}
    drm = max(GROUND.get(world.ground(at), 0) for at in attack.at)
    drm += 3 * all(side(unit.at, at) in world.map.rivers for unit in attack.attackers for at in attack.at)
    drm -= ring <= zone | reached
    drm -= sum(unit.arm == "heavy-artillery" for unit in attack.attackers)
    for unit in defenders:
        alone = all(other.arm == "heavy-artillery" for other in world.stack(unit.at))
        drm += unit.arm == "heavy-artillery" and not alone
    also = {unit.at for unit in world.units if unit.side != world.phasing and unit.at in zone} - {*attack.at}
    return Odds(force, defence, column(force, defence), drm, also, (defence + 1) // 2)


def column(attack: int, defence: int) -> str:
    """The column of the odds, rounded in favour of the defender."""
    if attack < defence:
        return COLUMNS[0]
    return COLUMNS[min(attack // defence, 5)]


@cache
def table(attacker: str) -> dict[tuple[str, str], str]:
    """The cells of a Combat Results Table as the game's data have them."""
    text = game_in(GAME).folder.joinpath("charts", f"{attacker}-table.csv").read_text("utf-8")
    return {(row["odds"], row["die"]): row["result"] for row in csv.DictReader(text.splitlines())}


def result(attacker: str, column_: str, roll: int) -> str:
    """The result of a roll after its modifiers."""
    return table(attacker)[column_, "0-" if roll <= 0 else "8+" if roll >= 8 else str(roll)]


def chances(attacker: str, found: Odds) -> dict[str, Fraction]:
    """The exact chance of each result."""
    codes = [result(attacker, found.column, die + found.drm) for die in range(1, 7)]
    return {code: Fraction(codes.count(code), 6) for code in sorted({*codes})}


# --- after combat -----------------------------------------------------------------------------------------------------


def may_retreat(world: World, units: list[Unit], here: Hex, there: Hex, zones: set[Hex]) -> bool:
    """Whether a stack may retreat into the next hex: no farther from its own edge, across no river, no zone without a friend (6.5)."""
    owner, stack = units[0].side, [unit for unit in world.stack(there) if unit not in units]
    if world.ground(there) in ("", "sea") or (stack and stack[0].side != owner):
        return False
    if side(here, there) in world.map.rivers | world.map.lakes or (owner == "russian" and world.fortress(there)):
        return False
    if (there[0] < here[0]) if owner == "russian" else (there[0] > here[0]):
        return False
    return there not in zones or bool(stack)


def retreats(world: World, units: list[Unit], owed: int) -> dict[Hex, set[Hex]]:
    """The first hexes of all ways of so many hexes, none entered twice, with the second ones of these ways."""
    zones = zones_against(world, units[0].side)

    def ways(way: list[Hex]) -> Iterator[list[Hex]]:
        if len(way) > owed:
            yield way
            return
        for there in world.near(way[-1]):
            if there not in way and may_retreat(world, units, way[-1], there, zones):
                yield from ways([*way, there])

    found: dict[Hex, set[Hex]] = {}
    for way in ways([units[0].at]):
        found.setdefault(way[1], set()).update(way[2:3])
    return found


def advance(world: World, unit: Unit, cleared: Hex, along: list[Hex], way: list[Hex]) -> tuple[bool, set[Hex]]:
    """Whether a unit may advance into a hex without enemies and along a way beyond it, and the hexes that may follow (6.6).

    along: the hexes through which the enemy retreated; way: those entered beyond the first.
    """
    zones = zones_against(world, unit.side)
    path = [unit.at, cleared, *way]
    if unit.arm not in ("infantry", "garrison", "cavalry"):
        return False, set()
    for number, (here, there) in enumerate(pairwise(path)):
        if not may_enter(world, unit, here, there) or (number and there not in along) or (number > 1 and here in zones):
            return False, set()
    if way and way[-1] in zones:
        return True, set()
    open_ = {
        there
        for there in world.near(path[-1])
        if there in along and there not in path and may_enter(world, unit, path[-1], there)
    }
    return True, open_


def may_enter(world: World, unit: Unit, here: Hex, there: Hex) -> bool:
    """Whether an advancing unit may enter a hex next to it: no enemies, no sea; defenders cross no river."""
    if there not in world.near(here) or world.ground(there) == "sea" or side(here, there) in world.map.lakes:
        return False
    if any(other.side != unit.side for other in world.stack(there)):
        return False
    return unit.side == world.phasing or side(here, there) not in world.map.rivers


def is_legal_stack(units: list[Unit]) -> bool:
    """Whether units may end together in a hex: three infantry and cavalry, one heavy artillery, one Headquarters (3.2)."""
    kinds = [
        "artillery" if unit.arm == "heavy-artillery" else unit.arm if unit.arm == "headquarters" else "line"
        for unit in units
    ]
    return kinds.count("line") <= 3 and kinds.count("artillery") <= 1 and kinds.count("headquarters") <= 1


def victory(world: World, extra: dict[str, int]) -> tuple[dict[str, int], str, str]:
    """The points of both sides, the winner and the level (8.0). extra: what losses of the enemy and awards have brought."""
    totals = dict(extra)
    for at, points in world.map.worth.items():
        totals[world.holder(at)] += points
    for owner, other in (("german", "russian"), ("russian", "german")):
        if totals[owner] > totals[other]:
            times = 3 if totals[owner] >= 3 * totals[other] else 2 if totals[owner] >= 2 * totals[other] else 1
            level = {3: "Significant Victory", 2: "Minor Victory", 1: "draw"}[times]
            return totals, owner if times > 1 else "", level
    return totals, "", "draw"


def evasion(world: World, unit: Unit) -> str:
    """Whether cavalry may retreat before a combat with all enemies beside it: yes, no, or by a die of 1 to 3 (10.2.2)."""
    foes = [other for at in world.near(unit.at) for other in world.stack(at) if other.side != unit.side]
    with_it = [other.arm for other in world.stack(unit.at) if other.id != unit.id]
    if unit.arm != "cavalry" or not foes or {"infantry", "garrison", "heavy-artillery"} & {*with_it}:
        return "no"
    return "die" if any(foe.arm == "cavalry" for foe in foes) else "yes"


def near_konigsberg(world: World) -> tuple[int, int]:
    """Strength Points of infantry of the Second Army within 10 hexes of Königsberg, and those of them with a line of supply (7.2)."""
    near, fed = rings(KONIGSBERG, 10), supplied(world, "russian")
    units = [unit for unit in world.units if unit.army == "second" and unit.arm == "infantry" and unit.at in near]
    return sum(unit.sp for unit in units), sum(unit.sp for unit in units if unit.at in fed)
