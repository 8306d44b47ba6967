"""Areas of Attachment and the boundary lines of an army: where they begin, how straight they run and how far they go
back, between two armies and where an area has no neighbour (6.1).

A boundary follows hexsides. It is looked at as the middles of these, which lie on one line along a row or a column of
hexes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

from assistant.mechanics.tracing import radius

from ..forces.armies import GARRISONS, Breach, list_breaches, side_of_army

DEPTH = 7
"""How many hexes a boundary goes on behind the friendly Front Line, at least (6.1)."""

Hexes = Collection[str]
Neighbours = Callable[[str], Iterable[str]]
Point = tuple[float, float]
Hexside = tuple[str, str]
"""Two adjacent hexes: of the area, and beyond it."""
STRAYS = {"hex": 1.01, "row": 0.51}
"""How far each part of a boundary may stray from a straight line, in hexes, by the reading of ruling boundary-bend: a
hex, or half of one, with room for the rounding of distances.
"""


class Rear(NamedTuple):
    """Where the hexes around the areas of a side lie."""

    front: frozenset[str]
    """Those on the enemy's Front Line or next to it."""
    depths: Mapping[str, int]
    """How many hexes behind the friendly Front Line each is."""


class Map(NamedTuple):
    """What the board tells of hexes."""

    neighbours: Neighbours
    centre: Callable[[str], Point]
    """The middle of a hex."""
    closed: Callable[[str], bool]
    """Whether no army can stand in a hex, as in the sea."""

    def pieces(self, hexes: Hexes) -> list[frozenset[str]]:
        """Return the contiguous pieces of a set of hexes."""
        left = set(hexes)
        parts = []
        while left:
            parts.append(frozenset(radius([min(left)], None, self.neighbours, enters=left.__contains__).cost))
            left -= parts[-1]
        return parts

    def outline(self, area: Hexes) -> list[list[Hexside]]:
        """Return the hexsides around an area, in chains from corner to corner; one that is whole ends where it begins.
        Those at the edge of the map and to hexes that are closed bound nothing. Rule: 6.1b
        """
        around = []
        for hex in sorted(area):
            for beyond in self.neighbours(hex):
                if beyond not in area and not self.closed(beyond):
                    around.append((hex, beyond))
        bounding = frozenset(around)
        chains = list[list[Hexside]]()
        left = set(around)

        def joined(hexside: Hexside) -> list[Hexside]:
            hex, beyond = hexside
            around_both = set(self.neighbours(hex)) & set(self.neighbours(beyond))
            beside = [(hex, third) for third in sorted(around_both)] + [
                (third, beyond) for third in sorted(around_both)
            ]
            return [other for other in beside if other in bounding]

        while left:
            start = min(left, key=lambda hexside: (len(joined(hexside)), hexside))  # an end, if there is one
            chain = list[Hexside]()
            ahead = [start]
            while ahead:
                chain.append(ahead[0])
                left.discard(ahead[0])
                ahead = [other for other in joined(ahead[0]) if other in left]
            ring = len(chain) > 2 and start in joined(chain[-1])
            chains.append([*chain, start] if ring else chain)
        return chains

    def find_rear(self, hexes: Hexes, friendly: Hexes, enemy: Hexes) -> Rear:
        """Return where some hexes lie: before the friendly Front Line if they are no farther from the enemy's than the
        nearest hex of the own one is. friendly, enemy: Front Lines, that of the enemy empty if there is none. Rule: 6.1b
        """
        to_enemy = self.distances_from(dict.fromkeys(enemy, 0), {*hexes, *friendly})
        to_friend = self.distances_from({line: to_enemy[line][0] if enemy else 0 for line in friendly}, hexes)
        depths = dict[str, int]()
        for hex in hexes:
            far, of_line = to_friend[hex]
            depths[hex] = far if not enemy or to_enemy[hex][0] > of_line else 0
        return Rear(frozenset(enemy).union(*map(self.neighbours, enemy)), depths)

    def distances_from(self, sources: Mapping[str, int], wanted: Hexes) -> dict[str, tuple[int, int]]:
        """Return how far hexes lie from the nearest of some sources, and the least number among those as near; looked for
        ring by ring until all that are wanted are reached.

        sources: hexes, each with a number. Rule: 6.1b
        """
        reached = {hex: (0, number) for hex, number in sources.items()}
        ring = dict(sources)
        far = 0
        while ring and not reached.keys() >= set(wanted):
            far += 1
            ahead = dict[str, int]()
            for hex, number in ring.items():
                for other in self.neighbours(hex):
                    if other not in reached:
                        ahead[other] = min(number, ahead.get(other, number))
            reached |= {hex: (far, number) for hex, number in ahead.items()}
            ring = ahead
        return reached


def shapes(areas: Mapping[str, frozenset[str]], board: Map) -> Iterator[Breach]:
    """Yield what is wrong with areas by army: one in pieces, a hex that two of a side hold, and an area of a garrison,
    which is no army (24.1). Rule: 6.1
    """
    for army, hexes in areas.items():
        count = len(board.pieces(hexes))
        clauses = (
            (army in GARRISONS, "24.1", "it is not an army, and has no Area of Attachment"),
            (army not in GARRISONS and count > 1, "6.1", "its Area of Attachment is in {many} pieces"),
        )
        yield from list_breaches(army, clauses, many=count)
    for first, second in combinations(sorted(areas), 2):
        shared = sorted(areas[first] & areas[second])
        overlaps = side_of_army(first) == side_of_army(second) and shared
        text = "its area and that of {army} both hold {hexes}"
        yield from list_breaches(first, [(overlaps, "6.1", text)], second, hexes=", ".join(shared))


def boundary_breaches(areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Hexes], board: Map) -> Iterator[Breach]:
    """Yield what is wrong with the boundaries between armies of a side that have a piece of the front; others lie
    behind it for now.

    areas: of each army, by side and name; fronts: the hexes of the Front Line of each army that has one.
    Rule: 6.1c
    """
    in_front = {army: areas[army] for army in sorted(areas) if army in fronts}
    for (first, second), shared in sorted(boundaries(in_front, board.neighbours).items()):
        side = side_of_army(first)
        if side == side_of_army(second):
            friendly = {*fronts[first], *fronts[second]}
            rear = board.find_rear(shared, friendly, enemies_of(side, fronts))
            yield from breaches_of_ends(first, second, shared, rear)


def enemies_of(side: str, fronts: Mapping[str, Hexes]) -> set[str]:
    """Return the hexes of the Front Lines of the other side."""
    return {hex for army, hexes in fronts.items() if side_of_army(army) != side for hex in hexes}


def breaches_of_ends(army: str, other: str, hexes: Hexes, rear: Rear) -> list[Breach]:
    """Return what is wrong with where a boundary of an army begins and how far it goes back: it has to begin on the
    enemy's Front Line or next to it, if there is one.

    other: the army beyond it, "" for an outer one; hexes: along it. Rule: 6.1b
    """
    late = bool(rear.front) and rear.front.isdisjoint(hexes)
    last = max(rear.depths[hex] for hex in hexes)
    clauses = (
        (
            late,
            "6.1",
            "its [army:boundary with {army}|outer boundary] does not begin on the enemy's Front Line",
        ),
        (
            last < DEPTH and (other or not late),
            "6.1",
            "its [army:boundary with {army}|outer boundary] ends {last} hexes behind the Front Line; "
            "the minimum is {limit}",
        ),
    )
    return list_breaches(army, clauses, other, last=last, limit=DEPTH)


def boundaries(areas: Mapping[str, Hexes], neighbours: Neighbours) -> dict[tuple[str, str], frozenset[str]]:
    """Return the hexes of two areas that lie along the line between them, by the two armies in order; each hex is
    looked at once.
    """
    held: dict[str, list[str]] = {}
    for army, hexes in areas.items():
        for hex in hexes:
            held.setdefault(hex, []).append(army)
    borders: dict[tuple[str, str], set[str]] = {}
    for hex, armies in held.items():
        beside = {army for other in neighbours(hex) for army in held.get(other, ())}
        for army_name in armies:
            for other in beside - {army_name}:
                borders.setdefault((min(army_name, other), max(army_name, other)), set()).add(hex)
    return {pair: frozenset(hexes) for pair, hexes in borders.items()}


class BoundaryLine(NamedTuple):
    """A boundary line of an army."""

    army: str
    neighbour: str
    """The army of its side beyond it, "" for an outer one."""
    hexsides: tuple[Hexside, ...]


def boundary_lines(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Collection[str]], board: Map
) -> tuple[list[BoundaryLine], list[Breach]]:
    """Return the boundary lines of armies in the front, and what is wrong with the ends of the outer ones.

    An army is in the front if it has a piece of it while an enemy has one, too. The ends of a line between two armies
    are left to `boundary_breaches`.

    `areas`: the area of each army, by side and name.
    `fronts`: the hexes of the Front Line of each army that has one.

    Rule: 6.1b
    """
    flanks = list[BoundaryLine]()
    breaches = list[Breach]()
    in_front = sorted(areas.keys() & fronts.keys())
    outlines = {army: board.outline(areas[army]) for army in in_front}
    for side in sorted({side_of_army(army) for army in in_front}):
        enemy = enemies_of(side, fronts)
        if not enemy:
            continue
        own = [army for army in in_front if side_of_army(army) == side]
        friendly = {hex for army in own for hex in fronts[army]}
        around = {hex for army in own for chain in outlines[army] for hex, _ in chain}
        rear = board.find_rear(around, friendly, enemy)
        held = {hex: army for army in areas if side_of_army(army) == side for hex in areas[army]}
        for army in own:
            chains = outlines[army]
            lines = [flank for chain in chains for flank in flanks_of(chain, rear)]
            flanks += [BoundaryLine(army, beyond(flank, held), tuple(flank)) for flank in lines]
            if chains and not any(outside in held for chain in chains for _, outside in chain):
                breaches += breaches_of_ends(army, "", {hex for chain in chains for hex, _ in chain}, rear)
    return flanks, breaches


def bent_boundaries(flanks: Iterable[BoundaryLine], centre: Callable[[str], Point], reading: str) -> list[Breach]:
    """Return the boundary lines with more than one major bend; one between two armies is named once.

    centre: the middle of a hex; reading: ruling boundary-bend. Rule: 6.1b
    """
    breaches = dict[frozenset[str], Breach]()
    for army, neighbour, hexsides in flanks:
        bent = not is_straight(hexsides, centre, reading)
        text = "its [army:boundary with {army}|outer boundary] has more than one major bend"
        for breach in list_breaches(army, [(bent, "6.1", text)], neighbour):
            breaches.setdefault(frozenset({army, neighbour}), breach)
    return [*breaches.values()]


def flanks_of(chain: Sequence[Hexside], rear: Rear) -> Iterator[list[Hexside]]:
    """Yield the parts of an outline that lead from the enemy's Front Line to the hexes far enough behind the own one.
    Rule: 6.1b
    """

    def end_at(hex: str) -> str:
        if hex in rear.front:
            return "front"
        return "rear" if rear.depths[hex] >= DEPTH else ""

    ends = [end_at(hex) for hex, _ in chain]
    if "front" in ends and chain[0] == chain[-1]:  # an outline that is whole has no beginning
        start = ends.index("front")
        chain = [*chain[start:-1], *chain[: start + 1]]
        ends = [*ends[start:-1], *ends[: start + 1]]
    last: int | None = None
    for number, end in enumerate(ends):
        if end and last is not None and ends[last] != end:
            yield list(chain[last : number + 1])
        last = number if end else last


def beyond(flank: Sequence[Hexside], others: Mapping[str, str]) -> str:
    """Return the army of the same side beyond most of a flank, "" if most of it has none. others: armies by hex."""
    armies = Counter(others.get(outside, "") for _, outside in flank)
    return armies.most_common(1)[0][0]


def is_straight(flank: Sequence[Hexside], centre: Callable[[str], Point], reading: str) -> bool:
    """Return whether a boundary is straight but for one major bend: two parts at most, none of whose hexsides strays
    from a straight line.

    reading: ruling boundary-bend, how far they may. Rule: 6.1b
    """
    if reading not in STRAYS:
        return True
    middles = [_find_middle(centre(hex), centre(outside)) for hex, outside in flank]
    parts = ((middles[: bend + 1], middles[bend:]) for bend in range(len(middles)))
    return any(max(map(strays, two)) <= STRAYS[reading] for two in parts)


def _find_middle(here: Point, there: Point) -> Point:
    return (here[0] + there[0]) / 2, (here[1] + there[1]) / 2


def strays(points: Sequence[Point]) -> float:
    """Return how far the farthest of some points lies from the straight line between the first and the last.
    Rule: 6.1b
    """
    from_x, from_y = points[0]
    to_x, to_y = points[-1]
    length = dist(points[0], points[-1])
    if not length:
        return max(dist(points[0], point) for point in points)
    return max(abs((to_x - from_x) * (y - from_y) - (to_y - from_y) * (x - from_x)) / length for x, y in points)
