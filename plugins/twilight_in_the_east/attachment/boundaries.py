"""Areas of Attachment and the boundary lines of an army: their ends and bends (6.1).

- Border hexes: the hexes of two areas along the line between them.
- Outline: all hexsides around an area, in chains.
- Chain: hexsides that join end to end; a ring if it comes back to its beginning.
- Boundary line: the part of a chain from the enemy's Front Line to the hexes far enough behind the friendly one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

from assistant.mechanics.tracing import radius

from ..forces.armies import GARRISONS, Breach, list_breaches, side_of_army

MIN_DEPTH_HEXES = 7
"""The minimum number of hexes that a boundary extends behind the friendly Front Line (6.1)."""

Hexes = Collection[str]
Neighbours = Callable[[str], Iterable[str]]
Point = tuple[float, float]
Hexside = tuple[str, str]
"""A hex of the area, and the adjacent hex outside it."""
MAX_STRAY_HEXES = {"hex": 1.01, "row": 0.51}
"""Maximum distance of a boundary line from a straight line, by reading of ruling boundary-bend.

It is a hex or half a hex, and a hundredth for the rounding of distances.
"""


class Rear(NamedTuple):
    """Positions of hexes between the enemy's Front Line and the rear of a side."""

    front: frozenset[str]
    """The hexes of the enemy's Front Line, and those adjacent to it."""
    depths: Mapping[str, int]
    """Distance of each hex behind the friendly Front Line, or 0 in front of it."""


class Map(NamedTuple):
    """The board's hexes for judging boundaries."""

    neighbours: Neighbours
    centre: Callable[[str], Point]
    """Returns the centre of a hex, in hexes."""
    closed: Callable[[str], bool]
    """Returns whether no army can enter a hex, such as one of sea."""

    def pieces(self, hexes: Hexes) -> list[frozenset[str]]:
        remaining = set(hexes)
        parts = []
        while remaining:
            part = radius([min(remaining)], None, self.neighbours, enters=remaining.__contains__).cost
            parts.append(frozenset(part))
            remaining -= parts[-1]
        return parts

    def outline(self, area: Hexes) -> list[list[Hexside]]:
        """Return the chains of hexsides around an area; a ring ends with its first hexside.

        Hexsides at the edge of the map or to a closed hex are left out.

        Rule: 6.1b
        """
        around = []
        for hex in sorted(area):
            for outside in self.neighbours(hex):
                if outside not in area and not self.closed(outside):
                    around.append((hex, outside))
        bounding = frozenset(around)
        chains = list[list[Hexside]]()
        remaining = set(around)

        def joined(hexside: Hexside) -> list[Hexside]:
            """Return the bounding hexsides that share a corner with a hexside, as sides of a third hex."""
            hex, outside = hexside
            thirds = sorted(set(self.neighbours(hex)) & set(self.neighbours(outside)))
            beside = [(hex, third) for third in thirds] + [(third, outside) for third in thirds]
            return [other for other in beside if other in bounding]

        while remaining:
            # an open chain has to begin at an end, which joins fewer hexsides
            start = min(remaining, key=lambda hexside: (len(joined(hexside)), hexside))
            chain = list[Hexside]()
            ahead = [start]
            while ahead:
                chain.append(ahead[0])
                remaining.discard(ahead[0])
                ahead = [other for other in joined(ahead[0]) if other in remaining]
            is_ring = len(chain) > 2 and start in joined(chain[-1])
            chains.append([*chain, start] if is_ring else chain)
        return chains

    def find_rear(self, hexes: Hexes, friendly: Hexes, enemy: Hexes) -> Rear:
        """Return the positions of some hexes.

        A hex is in front of the friendly Front Line if it is at most as far from the enemy's Front Line as the nearest
        friendly Front Line hex is.

        `friendly`, `enemy`: the hexes of the Front Lines; the enemy may have none.

        Rule: 6.1b
        """
        to_enemy = self.distances_from(dict.fromkeys(enemy, 0), {*hexes, *friendly})
        to_friend = self.distances_from({line: to_enemy[line][0] if enemy else 0 for line in friendly}, hexes)
        depths = dict[str, int]()
        for hex in hexes:
            depth, front_to_enemy = to_friend[hex]
            depths[hex] = depth if not enemy or to_enemy[hex][0] > front_to_enemy else 0
        return Rear(frozenset(enemy).union(*map(self.neighbours, enemy)), depths)

    def distances_from(self, sources: Mapping[str, int], wanted: Hexes) -> dict[str, tuple[int, int]]:
        """Return, by hex, the distance to the nearest source and the lowest number of the sources at that distance.

        Hexes are reached ring by ring around the sources, until all wanted hexes are.

        `sources`: source hexes, each with its number.
        `wanted`: the hexes to reach.

        Rule: 6.1b
        """
        reached = {hex: (0, number) for hex, number in sources.items()}
        ring = dict(sources)
        distance = 0
        while ring and not reached.keys() >= set(wanted):
            distance += 1
            ahead = dict[str, int]()
            for hex, number in ring.items():
                for other in self.neighbours(hex):
                    if other not in reached:
                        ahead[other] = min(number, ahead.get(other, number))
            reached |= {hex: (distance, number) for hex, number in ahead.items()}
            ring = ahead
        return reached


def shapes(areas: Mapping[str, frozenset[str]], board: Map) -> Iterator[Breach]:
    """Yield the breaches in the shape of areas.

    They are an area in pieces, a hex in two areas of a side, and an area of a garrison, which is not an army (24.1).

    Rule: 6.1
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
    """Yield the breaches at the ends of boundaries between two armies of a side.

    Armies without a piece of the Front Line are left out: they are behind it for now.

    `areas`: the area of each army, by side and name.
    `fronts`: the hexes of the Front Line of each army that has one.

    Rule: 6.1c
    """
    in_front = {army: areas[army] for army in sorted(areas) if army in fronts}
    for (first, second), shared in sorted(border_hexes(in_front, board.neighbours).items()):
        side = side_of_army(first)
        if side == side_of_army(second):
            friendly = {*fronts[first], *fronts[second]}
            rear = board.find_rear(shared, friendly, enemies_of(side, fronts))
            yield from breaches_of_ends(first, second, shared, rear)


def enemies_of(side: str, fronts: Mapping[str, Hexes]) -> set[str]:
    """Return the hexes of the Front Lines of the other side."""
    return {hex for army, hexes in fronts.items() if side_of_army(army) != side for hex in hexes}


def breaches_of_ends(army: str, other: str, hexes: Hexes, rear: Rear) -> list[Breach]:
    """Return the breaches at the ends of a boundary of an army.

    The boundary must begin on the enemy's Front Line or adjacent to it, if the enemy has one, and go back far enough.

    `other`: the army beyond the boundary, or "" for an outer boundary.
    `hexes`: the hexes along the boundary.

    Rule: 6.1b
    """
    begins_late = bool(rear.front) and rear.front.isdisjoint(hexes)
    last = max(rear.depths[hex] for hex in hexes)
    clauses = (
        (
            begins_late,
            "6.1",
            "its [army:boundary with {army}|outer boundary] does not begin on the enemy's Front Line",
        ),
        (
            last < MIN_DEPTH_HEXES and (other or not begins_late),
            "6.1",
            "its [army:boundary with {army}|outer boundary] ends {last} hexes behind the Front Line; "
            "the minimum is {limit}",
        ),
    )
    return list_breaches(army, clauses, other, last=last, limit=MIN_DEPTH_HEXES)


def border_hexes(areas: Mapping[str, Hexes], neighbours: Neighbours) -> dict[tuple[str, str], frozenset[str]]:
    """Return, by sorted pair of armies, the hexes of either area that are adjacent to the other."""
    armies_by_hex: dict[str, list[str]] = {}
    for army, hexes in areas.items():
        for hex in hexes:
            armies_by_hex.setdefault(hex, []).append(army)
    borders: dict[tuple[str, str], set[str]] = {}
    for hex, armies in armies_by_hex.items():
        adjacent_armies = {army for other in neighbours(hex) for army in armies_by_hex.get(other, ())}
        for army in armies:
            for other_army in adjacent_armies - {army}:
                borders.setdefault((min(army, other_army), max(army, other_army)), set()).add(hex)
    return {pair: frozenset(hexes) for pair, hexes in borders.items()}


BoundaryLine = tuple[str, str, tuple[Hexside, ...]]
"""The army of a boundary line, the army of the same side beyond it, or "" for an outer line, and its hexsides."""


def boundary_lines(
    areas: Mapping[str, frozenset[str]], fronts: Mapping[str, Collection[str]], board: Map
) -> tuple[list[BoundaryLine], list[Breach]]:
    """Return the boundary lines of the armies with a piece of the Front Line, and breaches at outer ends.

    Outer ends are judged only for an army whose area has no neighbour of its side. If the enemy has no Front Line, a
    side has no boundary lines. `boundary_breaches` judges the ends of a line between two armies.

    `areas`: the area of each army, by side and name.
    `fronts`: the hexes of the Front Line of each army that has one.

    Rule: 6.1b
    """
    lines = list[BoundaryLine]()
    breaches = list[Breach]()
    in_front = sorted(areas.keys() & fronts.keys())
    outlines = {army: board.outline(areas[army]) for army in in_front}
    for side in sorted({side_of_army(army) for army in in_front}):
        enemy = enemies_of(side, fronts)
        if not enemy:
            continue
        own = [army for army in in_front if side_of_army(army) == side]
        friendly = {hex for army in own for hex in fronts[army]}
        edge_hexes = {hex for army in own for chain in outlines[army] for hex, _ in chain}
        rear = board.find_rear(edge_hexes, friendly, enemy)
        army_by_hex = {hex: army for army in areas if side_of_army(army) == side for hex in areas[army]}
        for army in own:
            chains = outlines[army]
            for line in (line for chain in chains for line in cut_lines(chain, rear)):
                lines.append((army, find_neighbour(line, army_by_hex), tuple(line)))
            has_neighbour = any(outside in army_by_hex for chain in chains for _, outside in chain)
            if chains and not has_neighbour:
                breaches += breaches_of_ends(army, "", {hex for chain in chains for hex, _ in chain}, rear)
    return lines, breaches


def bent_boundaries(lines: Iterable[BoundaryLine], centre: Callable[[str], Point], reading: str) -> list[Breach]:
    """Return a breach for each boundary line with more than one major bend.

    A line between two armies has a single breach.

    `centre`: returns the centre of a hex.
    `reading`: the reading of ruling boundary-bend.

    Rule: 6.1b
    """
    breaches = dict[frozenset[str], Breach]()
    for army, neighbour, hexsides in lines:
        bent = not is_straight(hexsides, centre, reading)
        text = "its [army:boundary with {army}|outer boundary] has more than one major bend"
        for breach in list_breaches(army, [(bent, "6.1", text)], neighbour):
            breaches.setdefault(frozenset({army, neighbour}), breach)
    return [*breaches.values()]


def cut_lines(chain: Sequence[Hexside], rear: Rear) -> Iterator[list[Hexside]]:
    """Yield the boundary lines of a chain: its parts between the enemy's Front Line and the rear.

    The rear are the hexes at least `MIN_DEPTH_HEXES` behind the friendly Front Line. Parts with both ends at the front,
    or both in the rear, are no boundary lines.

    Rule: 6.1b
    """

    def end_at(hex: str) -> str:
        if hex in rear.front:
            return "front"
        return "rear" if rear.depths[hex] >= MIN_DEPTH_HEXES else ""

    ends = [end_at(hex) for hex, _ in chain]
    if "front" in ends and chain[0] == chain[-1]:
        # a ring may begin within a boundary line, which would be cut in two: let it begin at the front
        start = ends.index("front")
        chain = [*chain[start:-1], *chain[: start + 1]]
        ends = [*ends[start:-1], *ends[: start + 1]]
    last_end: int | None = None
    for number, end in enumerate(ends):
        if end and last_end is not None and ends[last_end] != end:
            yield list(chain[last_end : number + 1])
        last_end = number if end else last_end


def find_neighbour(line: Sequence[Hexside], army_by_hex: Mapping[str, str]) -> str:
    """Return the army beyond most hexsides of a boundary line, or "" if none lies beyond most of them."""
    armies = Counter(army_by_hex.get(outside, "") for _, outside in line)
    return armies.most_common(1)[0][0]


def is_straight(line: Sequence[Hexside], centre: Callable[[str], Point], reading: str) -> bool:
    """Return whether a boundary line consists of at most two straight parts, with one major bend.

    `centre`: returns the centre of a hex.
    `reading`: the reading of ruling boundary-bend, on how far hexsides may stray from a straight line.

    Rule: 6.1b
    """
    if reading not in MAX_STRAY_HEXES:
        return True
    # the middles of the hexsides lie on a line along a row or column of hexes, their corners zigzag about it
    middles = [_find_middle(centre(hex), centre(outside)) for hex, outside in line]
    parts_by_bend = ((middles[: bend + 1], middles[bend:]) for bend in range(len(middles)))
    return any(max(map(measure_stray, parts)) <= MAX_STRAY_HEXES[reading] for parts in parts_by_bend)


def _find_middle(here: Point, there: Point) -> Point:
    return (here[0] + there[0]) / 2, (here[1] + there[1]) / 2


def measure_stray(points: Sequence[Point]) -> float:
    """Return the greatest distance of a point from the straight line between the first and the last point.

    Rule: 6.1b
    """
    from_x, from_y = points[0]
    to_x, to_y = points[-1]
    length = dist(points[0], points[-1])
    if not length:
        return max(dist(points[0], point) for point in points)
    return max(abs((to_x - from_x) * (y - from_y) - (to_y - from_y) * (x - from_x)) / length for x, y in points)
