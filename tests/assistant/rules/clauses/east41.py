"""The game of `games/east41` once more, in plain Python from its printed rules, without the kit and without `rules.toml`.

A position is the units on the map: each with its hex, and whether it has lost a step.
"""

from __future__ import annotations

import csv
import heapq
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "games" / "east41"
FIELD = FOLDER / "boards" / "field"
COLUMNS, ROWS = range(1, 11), range(1, 9)
MAX_STACK = 2
COLUMN_NAMES = ("1:2", "1:1", "2:1", "3:1", "4:1", "5:1")


class Counter(NamedTuple):
    name: str
    side: str
    arm: str
    attack: int
    defence: int
    movement: int
    weak_attack: int
    weak_defence: int


class Piece(NamedTuple):
    counter: Counter
    hex: str
    reduced: bool

    @property
    def name(self) -> str:
        return self.counter.name

    @property
    def side(self) -> str:
        return self.counter.side


Position = Collection[Piece]


def read_counters() -> list[Counter]:
    with (FOLDER / "roster.csv").open() as file:
        rows = list(csv.DictReader(file))
    numbers = ("attack", "defence", "movement", "weak_attack", "weak_defence")
    return [Counter(row["unit"], row["nation"], row["arm"], *(int(row[name]) for name in numbers)) for row in rows]


def read_terrain() -> dict[str, str]:
    words = {"c": "clear", "w": "forest", "s": "swamp", "t": "city"}
    lines = (FIELD / "terrain.txt").read_text().splitlines()[1:]
    return {f"{column:02}{row:02}": words[letter] for row, line in enumerate(lines, 1) for column, letter in enumerate(line.split()[1:], 1)}  # fmt: skip


def read_lines() -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """The hexsides with a river, and those that a road crosses."""
    rivers, roads = set[frozenset[str]](), set[frozenset[str]]()
    for line in (FIELD / "map.lines").read_text().splitlines():
        kind, _, rest = line.partition(": ")
        if kind.endswith("river"):
            for item in rest.split():
                here, _, others = item.partition("|")
                rivers |= {frozenset((here, other)) for other in others.split(",")}
        elif kind.endswith("road"):
            way = rest.split()
            roads |= {frozenset(pair) for pair in pairwise(way)}
    return rivers, roads


COUNTERS = {counter.name: counter for counter in read_counters()}
TERRAIN = read_terrain()
RIVERS, ROADS = read_lines()


def beside(hex: str) -> list[str]:
    """The hexes around one; those of even columns lie half a hex further south."""
    column, row = int(hex[:2]), int(hex[2:])
    lower = 1 - column % 2
    near = [(column, row - 1), (column, row + 1)]
    near += [(column + step, row + lower - up) for step in (-1, 1) for up in (0, 1)]
    return [f"{c:02}{r:02}" for c, r in near if c in COLUMNS and r in ROWS]


def zones(position: Position, side: str) -> set[str]:
    """4.1, 4.2"""
    own = [piece.hex for piece in position if piece.side == side]
    return {near for at in own for near in beside(at) if frozenset((at, near)) not in RIVERS}


def other(side: str) -> str:
    return "soviet" if side == "axis" else "axis"


def hexes(position: Position, side: str) -> set[str]:
    return {piece.hex for piece in position if piece.side == side}


def closed(position: Position, side: str) -> set[str]:
    """The hexes that no line of a side enters: enemies, and their zones without a friend (8.1)."""
    return hexes(position, other(side)) | (zones(position, other(side)) - hexes(position, side))


def supplied(position: Position, side: str) -> set[str]:
    """8.1: four hexes from a road that leads to the edge of the side."""
    bad = closed(position, side)
    edge = "01" if side == "axis" else "10"
    on_road = {at for at in TERRAIN if at.startswith(edge) and at not in bad and any(at in road for road in ROADS)}
    todo = list(on_road)
    while todo:
        at = todo.pop()
        for near in beside(at):
            if frozenset((at, near)) in ROADS and near not in bad | on_road:
                on_road.add(near)
                todo.append(near)
    reached = set(on_road)
    for _ in range(4):
        reached |= {near for at in reached for near in beside(at) if near not in bad}
    return {piece.name for piece in position if piece.side == side and piece.hex in reached}


def step_cost(arm: str, here: str, there: str) -> int | None:
    """6.3, 6.4; None if the ground is prohibited."""
    if frozenset((here, there)) in ROADS:
        return 1
    ground = TERRAIN[there]
    if ground == "swamp":
        cost = {"infantry": 2, "cavalry": 3}.get(arm)
    else:
        cost = {"clear": 1, "city": 1, "forest": 3 if arm == "armour" else 2}[ground]
    if cost is None:
        return None
    if frozenset((here, there)) in RIVERS:
        cost += 2 if arm == "armour" else 1
    return cost


def reach(position: Position, name: str) -> dict[str, int]:
    """The hexes that a unit can enter, with what the way costs; a unit without an allowance stays (4.3, 6.1 to 6.6)."""
    mover = next(piece for piece in position if piece.name == name)
    if not mover.counter.movement:
        return {}
    enemies, zone = hexes(position, other(mover.side)), zones(position, other(mover.side))
    points = mover.counter.movement
    if name not in supplied(position, mover.side):
        points = -(-points // 2)
    best = {mover.hex: 0}
    found = dict[str, int]()
    todo = [(0, mover.hex)]
    while todo:
        spent, here = heapq.heappop(todo)
        if spent > best[here] or (here != mover.hex and here in zone):
            continue
        for there in beside(here):
            cost = step_cost(mover.counter.arm, here, there)
            if there in enemies or cost is None:
                continue
            if here == mover.hex and cost > points:
                found.setdefault(there, points)  # the one hex that is always allowed, and then no more
            elif spent + cost <= points and spent + cost < best.get(there, 99):
                best[there] = found[there] = spent + cost
                heapq.heappush(todo, (spent + cost, there))
    found.pop(mover.hex, None)
    return found


def strength(position: Position, piece: Piece, *, attacks: bool) -> int:
    """7.4, 7.5"""
    front, back = ("attack", "weak_attack") if attacks else ("defence", "weak_defence")
    number: int = getattr(piece.counter, back if piece.reduced else front)
    return number if piece.name in supplied(position, piece.side) else -(-number // 2)


def attackers(position: Position, at: str) -> list[Piece]:
    defending = next(piece.side for piece in position if piece.hex == at)
    return [piece for piece in position if piece.side != defending and piece.hex in beside(at)]


def column(position: Position, at: str) -> str | None:
    """The column of an attack by all adjacent units, None without any strength (7.3, 7.4)."""
    attack = attackers(position, at)
    defence = [piece for piece in position if piece.hex == at]
    total = sum(strength(position, piece, attacks=True) for piece in attack)
    if not total:
        return None
    against = max(1, sum(strength(position, piece, attacks=False) for piece in defence))
    number = total // against - 1 if total >= against else 1 + -against // total
    number += {"city": -2, "forest": -1, "swamp": -1}.get(TERRAIN[at], 0)
    number -= all(frozenset((piece.hex, at)) in RIVERS for piece in attack)
    tanks = any(piece.counter.arm == "armour" for piece in attack)
    if tanks and TERRAIN[at] == "clear" and all(piece.counter.arm != "armour" for piece in defence):
        number += 1
    return COLUMN_NAMES[max(0, min(len(COLUMN_NAMES) - 1, number + 1))]


def retreats(position: Position, names: Iterable[str]) -> set[str]:
    """The hexes with room into which units of one hex may retreat one hex (7.6, 5.1)."""
    moving = [piece for piece in position if piece.name in {*names}]
    side, start = moving[0].side, moving[0].hex
    bad = closed(position, side)
    free = [at for at in beside(start) if at not in bad]
    return {at for at in free if sum(piece.hex == at for piece in position) + len(moving) <= MAX_STACK}
