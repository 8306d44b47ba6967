"""Rivers and long lakes on hexsides: their courses, the order in which they are laid, their mouths and banks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from math import dist

import msgspec

from assistant.game.hexes import Corner

from .fitting import Ground
from .lines import Line, Point, is_left, length, nearest
from .mesh import Mesh, Side
from .network import Network
from .snapping import Banks, Guide, corners, snap
from .tables import Course, how_known

#: The maximum distance of a river's mouth or source from the course of the other river.
_MAX_MOUTH_DISTANCE_HEXES = 2.0
#: The maximum distance of a river's source from a corner of the river that it leaves.
_MAX_SOURCE_DISTANCE_HEXES = 1.6
#: The saving of a river for a hexside of a hex that it is to touch.
_SAVING_PER_TOUCHED_HEX = 0.3
#: The maximum distance of a town from a river to have a bank by its position ...
_MAX_BANK_DISTANCE_HEXES = 0.8
#: ... and the minimum distance.
_MIN_BANK_DISTANCE_HEXES = 0.09


class River(msgspec.Struct, frozen=True, dict=True):
    """A river by its rows in the table.

    `line`: its course on the board.
    `words`: the words of its hexsides, each with the point where they begin.
    `banks`: the towns with a stated bank, "l" or "r".
    """

    name: str
    line: tuple[Point, ...]
    words: tuple[tuple[str, Point], ...]
    banks: tuple[tuple[str, str], ...]
    rank: int
    known: str

    @cached_property
    def length(self) -> float:
        return length(self.line)


class LaidRiver(msgspec.Struct, frozen=True):
    """A river on its hexsides, from source to mouth.

    `stretches`: the words of each stretch, with its hexsides.
    """

    river: River
    walk: tuple[Side, ...]
    stretches: tuple[tuple[str, tuple[Side, ...]], ...]


def rivers(courses: Sequence[Course], ground: Ground, network: Network, ranks: Sequence[str]) -> list[River]:
    """Return the rivers of a table; successive rows of one name are one river.

    `ranks`: the words of rivers, the largest last.
    """
    grouped: dict[str, list[Course]] = {}
    for course in courses:
        grouped.setdefault(course.name, []).append(course)
    drawn = []
    for name, rows in grouped.items():
        points = [ground.place(*point) for row in rows for point in row.points]
        line = network.course(points) if rows[0].is_in_data else points
        words = tuple((row.words, ground.place(*row.points[0])) for row in rows)
        banks = tuple(
            (town, bank) for row in rows for town, bank in zip(row.names, row.banks, strict=True) if town and bank
        )
        rank = max(ranks.index(row.words) for row in rows if row.words in ranks)
        known = how_known(rows[-1].certainty, data=rows[0].is_in_data)
        drawn.append(River(name, tuple(line), words, banks, rank, known))
    return drawn


class Layout:
    """Lays rivers on hexsides one after another: the largest first, but a river after the one that it joins.

    `barred`: hexes between which no river runs (sea).
    `leaving`: the rivers that may begin at another one, or None for all near enough.
    """

    def __init__(
        self,
        mesh: Mesh,
        towns: Mapping[str, tuple[Point, str]],
        barred: Iterable[str],
        leaving: Collection[str] | None = None,
    ) -> None:
        self.leaving = leaving
        self.mesh = mesh
        self.towns = towns
        self.barred = frozenset(barred)
        self.laid: dict[str, LaidRiver] = {}
        self.taken: dict[Corner, str] = {}
        self._under_way: set[str] = set()

    def lay(self, rivers: Sequence[River], touching: Mapping[str, frozenset[str]]) -> None:
        """Lay all rivers.

        `touching`: hexes that rivers are to touch, by the river's name.
        """
        by_name = {river.name: river for river in rivers}
        for river in sorted(rivers, key=lambda river: (-river.rank, -river.length)):
            self._lay_river(river, by_name, touching)

    def _lay_river(self, river: River, by_name: Mapping[str, River], touching: Mapping[str, frozenset[str]]) -> None:
        if river.name in self.laid or river.name in self._under_way:
            return
        self._under_way.add(river.name)
        into = _find_beside(river.line[-1], river, by_name.values())
        leaves = self.leaving is None or river.name in self.leaving
        out_of = _find_beside(river.line[0], river, by_name.values()) if leaves else None
        for other in (into, out_of):
            if other:
                self._lay_river(other, by_name, touching)
        line = list(river.line)
        starts, line = self._join(line, out_of, 0)
        ends, line = self._join(line, into, -1)
        touch = touching.get(river.name, frozenset())
        guide = Guide(
            banks=self._find_banks(river),
            taken=self.taken,
            starts=starts,
            ends=ends,
            price=lambda side: -_SAVING_PER_TOUCHED_HEX * len({side.left, side.right} & touch),
        )
        walk = self._keep_on_land(max(snap(self.mesh, line, guide), key=len, default=[]))
        if walk:
            self.laid[river.name] = LaidRiver(river, tuple(walk), tuple(_cut_stretches(self.mesh, walk, river.words)))
            for corner in corners(walk):
                self.taken.setdefault(corner, river.name)
        self._under_way.discard(river.name)

    def _join(self, line: Line, other: River | None, end: int) -> tuple[frozenset[Corner], Line]:
        """Return the corners at which a line may meet other rivers, and the line extended to the river that it joins.

        `end`: 0 for the beginning, -1 for the end.
        """
        laid = self.laid.get(other.name) if other else None
        if laid is None or self.mesh.hex_at(line[end]) is None:
            return frozenset(), line
        near = [
            corner
            for corner in self.taken
            if end or dist(self.mesh.at(corner), line[end]) <= _MAX_SOURCE_DISTANCE_HEXES
        ]
        if not near:
            return frozenset(), line
        mouth = self.mesh.at(
            min(corners(laid.walk), key=lambda corner: (dist(self.mesh.at(corner), line[end]), corner))
        )
        return frozenset(near), [*line, mouth] if end else [mouth, *line]

    def _find_banks(self, river: River) -> Banks:
        """Return the hexes of towns beside a river by their bank: the one in the table, or else by position."""
        stated = dict(river.banks)
        sides: dict[str, dict[str, bool]] = {}
        for name, (point, hex) in self.towns.items():
            if name in stated:
                sides.setdefault(hex, {})[name] = stated[name] == "l"
                continue
            distance, _ = nearest(point, river.line) if _is_in_reach(point, river.line) else (9.0, 0)
            if _MIN_BANK_DISTANCE_HEXES < distance <= _MAX_BANK_DISTANCE_HEXES:
                sides.setdefault(hex, {})[name] = is_left(point, river.line)
        left: set[str] = set()
        right: set[str] = set()
        for hex, towns in sides.items():
            banks = {side for name, side in towns.items() if name in stated} or set(towns.values())
            if len(banks) == 1:
                (left if banks.pop() else right).add(hex)
        return Banks(frozenset(left), frozenset(right))

    def _keep_on_land(self, walk: Sequence[Side]) -> list[Side]:
        """Return the longest part of a walk that has land on at least one side."""
        parts: list[list[Side]] = [[]]
        for side in walk:
            if side.left in self.barred and side.right in self.barred:
                parts.append([])
            else:
                parts[-1].append(side)
        return max(parts, key=len)


def _is_in_reach(point: Point, line: Sequence[Point]) -> bool:
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return min(xs) - 1 < point[0] < max(xs) + 1 and min(ys) - 1 < point[1] < max(ys) + 1


def _find_beside(point: Point, river: River, others: Iterable[River]) -> River | None:
    """Return the other river whose course is nearest to a point, or None if none is near enough to join."""
    candidates = [
        (nearest(point, other.line)[0], other.name, other)
        for other in others
        if other.name != river.name and len(other.line) > 1 and _is_in_reach(point, other.line)
    ]
    distance, _, other = min(candidates, key=lambda candidate: candidate[:2], default=(9.0, "", None))
    return other if distance <= _MAX_MOUTH_DISTANCE_HEXES else None


def _cut_stretches(
    mesh: Mesh, walk: Sequence[Side], words: Sequence[tuple[str, Point]]
) -> Iterable[tuple[str, tuple[Side, ...]]]:
    """Return a walk cut where its words change: at the corner nearest to the point where each word begins."""
    cuts = [0]
    for _, point in words[1:]:
        nearest_corner = min(range(len(walk)), key=lambda index: dist(mesh.at(walk[index].start), point))
        cuts.append(max(cuts[-1], nearest_corner))
    cuts.append(len(walk))
    merged: list[tuple[str, tuple[Side, ...]]] = []
    for (word, _), first, last in zip(words, cuts, cuts[1:], strict=False):
        if last > first:
            if merged and merged[-1][0] == word:
                merged[-1] = (word, merged[-1][1] + tuple(walk[first:last]))
            else:
                merged.append((word, tuple(walk[first:last])))
    return merged
