"""The boundary lines of an army: where they begin, how straight they run and how far they go back, between two armies
and where an area has no neighbour (6.1).

A boundary follows hexsides. It is looked at as the middles of these, which lie on one line along a row or a column of
hexes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import dist
from typing import NamedTuple

from ..forces.armies import Breach, side_of_army
from .rules import DEPTH, Distance, Neighbours

Point = tuple[float, float]
Hexside = tuple[str, str]
"""Two adjacent hexes: of the area, and beyond it."""
STRAYS = {"hex": 1.01, "row": 0.51}
"""How far each part of a boundary may stray from a straight line, in hexes, by the reading of ruling boundary-bend: a
hex, or half of one, with room for the rounding of distances.
"""
NEXT_TO = 1
"""How near to the enemy's Front Line a boundary begins, in hexes."""


class Lines(NamedTuple):
    """The Front Lines by which the boundaries of an army are judged: all of its side, and all of the enemy's."""

    friendly: frozenset[str]
    enemy: frozenset[str]


class Map(NamedTuple):
    """What the board tells of hexes. closed: whether no army can stand in one, as in the sea; centre: its middle."""

    neighbours: Neighbours
    distance: Distance
    centre: Callable[[str], Point]
    closed: Callable[[str], bool]


def bent_boundaries(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Collection[str]], board: Map, reading: str
) -> list[Breach]:
    """What is wrong with the boundary lines of armies that have a piece of the front: one with more than one major
    bend, and an outer one that does not begin on the enemy's Front Line or ends too near behind the own.

    areas: of each army, by side and name; fronts: the hexes of the Front Line of each army that has one; reading: ruling
    boundary-bend. A line between two armies of a side is named once; where it begins and ends `boundary_breaches` says.
    Rule: 6.1b
    """
    breaches, named = [], set[frozenset[str]]()
    for army in sorted(areas.keys() & fronts.keys()):
        side = side_of_army(army)
        lines = Lines(_hexes_of(fronts, side, own=True), _hexes_of(fronts, side, own=False))
        others = {
            hex: other for other in areas if side_of_army(other) == side and other != army for hex in areas[other]
        }
        chains = outline(areas[army], board)
        if not lines.enemy:
            continue
        for flank in (flank for chain in chains for flank in flanks_of(chain, lines, board.distance)):
            neighbour = beyond(flank, others)
            if not is_straight(flank, board.centre, reading) and frozenset({army, neighbour}) not in named:
                named.add(frozenset({army, neighbour}))
                whose = f"its boundary with {neighbour}" if neighbour else "its outer boundary"
                breaches.append(Breach("6.1", army, f"{whose} has more than one major bend", others=_named(neighbour)))
        if chains and not any(outside in others for chain in chains for _, outside in chain):
            breaches += outer_breaches(army, chains, lines, board.distance)
    return breaches


def _named(neighbour: str) -> tuple[str, ...]:
    return (neighbour,) if neighbour else ()


def _hexes_of(fronts: Mapping[str, Collection[str]], side: str, *, own: bool) -> frozenset[str]:
    return frozenset(hex for army, hexes in fronts.items() if (side_of_army(army) == side) is own for hex in hexes)


def outline(area: Collection[str], board: Map) -> list[list[Hexside]]:
    """The hexsides around an area, in chains from corner to corner; one that is whole ends where it begins. Those at the edge
    of the map and to hexes that are closed bound nothing.
    Rule: 6.1b
    """
    around = [
        (hex, beyond)
        for hex in sorted(area)
        for beyond in board.neighbours(hex)
        if beyond not in area and not board.closed(beyond)
    ]
    bounding, chains = frozenset(around), list[list[Hexside]]()
    left = set(around)

    def joined(hexside: Hexside) -> list[Hexside]:
        hex, beyond = hexside
        around_both = set(board.neighbours(hex)) & set(board.neighbours(beyond))
        beside = [(hex, third) for third in sorted(around_both)] + [(third, beyond) for third in sorted(around_both)]
        return [other for other in beside if other in bounding]

    while left:
        start = min(left, key=lambda hexside: (len(joined(hexside)), hexside))  # an end, if there is one
        chain, ahead = list[Hexside](), [start]
        while ahead:
            chain.append(ahead[0])
            left.discard(ahead[0])
            ahead = [other for other in joined(ahead[0]) if other in left]
        ring = len(chain) > 2 and start in joined(chain[-1])
        chains.append([*chain, start] if ring else chain)
    return chains


def flanks_of(chain: Sequence[Hexside], lines: Lines, distance: Distance) -> Iterator[list[Hexside]]:
    """The parts of an outline that lead from the enemy's Front Line to the hexes far enough behind the own one.
    Rule: 6.1b
    """
    ends = [_end_of(hexside, lines, distance) for hexside in chain]
    if "front" in ends and chain[0] == chain[-1]:  # an outline that is whole has no beginning
        start = ends.index("front")
        chain, ends = [*chain[start:-1], *chain[: start + 1]], [*ends[start:-1], *ends[: start + 1]]
    last: int | None = None
    for number, end in enumerate(ends):
        if end and last is not None and ends[last] != end:
            yield list(chain[last : number + 1])
        last = number if end else last


def _end_of(hexside: Hexside, lines: Lines, distance: Distance) -> str:
    """Whether a hexside lies at the enemy's Front Line ("front"), far enough behind the own one ("rear") or neither."""
    hex, _ = hexside
    if min(distance(hex, line) for line in lines.enemy) <= NEXT_TO:
        return "front"
    return "rear" if depth(hex, lines, distance) >= DEPTH else ""


def depth(hex: str, lines: Lines, distance: Distance) -> int:
    """How many hexes behind the friendly Front Line a hex lies, 0 if it lies before it. Rule: 6.1b"""
    far = min(distance(hex, line) for line in lines.friendly)
    nearest = [line for line in lines.friendly if distance(hex, line) == far]
    from_enemy = min(distance(line, enemy) for line in nearest for enemy in lines.enemy)
    return far if min(distance(hex, enemy) for enemy in lines.enemy) > from_enemy else 0


def beyond(flank: Sequence[Hexside], others: Mapping[str, str]) -> str:
    """The army of the same side beyond most of a flank, "" if most of it has none. others: armies by hex."""
    armies = Counter(others.get(outside, "") for _, outside in flank)
    return armies.most_common(1)[0][0]


def outer_breaches(army: str, chains: Sequence[Sequence[Hexside]], lines: Lines, distance: Distance) -> list[Breach]:
    """What is wrong with where the boundary of an area without neighbours begins, and how far it goes back.
    Rule: 6.1b
    """
    hexes = {hex for chain in chains for hex, _ in chain}
    if min(distance(hex, line) for hex in hexes for line in lines.enemy) > NEXT_TO:
        return [Breach("6.1", army, "its outer boundary does not begin on the enemy's Front Line")]
    last = max(depth(hex, lines, distance) for hex in hexes)
    if last < DEPTH:
        why = f"its outer boundary ends {last} hexes behind the Front Line; the minimum is {DEPTH}"
        return [Breach("6.1", army, why)]
    return []


def is_straight(flank: Sequence[Hexside], centre: Callable[[str], Point], reading: str) -> bool:
    """Whether a boundary is straight but for one major bend: two parts at most, none of whose hexsides strays from a
    straight line.

    reading: ruling boundary-bend, how far they may. Rule: 6.1b
    """
    if reading not in STRAYS:
        return True
    middles = [_middle(centre(hex), centre(outside)) for hex, outside in flank]
    parts = ((middles[: bend + 1], middles[bend:]) for bend in range(len(middles)))
    return any(max(map(strays, two)) <= STRAYS[reading] for two in parts)


def _middle(here: Point, there: Point) -> Point:
    return (here[0] + there[0]) / 2, (here[1] + there[1]) / 2


def strays(points: Sequence[Point]) -> float:
    """How far the farthest of some points lies from the straight line between the first and the last. Rule: 6.1b"""
    (from_x, from_y), (to_x, to_y) = points[0], points[-1]
    length = dist(points[0], points[-1])
    if not length:
        return max(dist(points[0], point) for point in points)
    return max(abs((to_x - from_x) * (y - from_y) - (to_y - from_y) * (x - from_x)) / length for x, y in points)
