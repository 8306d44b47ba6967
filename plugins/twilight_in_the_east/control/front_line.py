"""Front Lines through the foremost units of an army, and the control of hexes behind them (4.3, 4.3.1).

The rulebook has no procedure for a Front Line, so these lines are proposals that players may correct.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.asking import Gather, View, note
from assistant.game.boards import Board
from assistant.game.names import hexes_of_stretches
from assistant.mechanics.tracing import CostField, radius
from assistant.rules.field import Field, SideField, closed_hexes
from assistant.state.state import Unit
from assistant.util.limits import Limit

from ..forces.armies import army_of, known_armies, side_of_army
from ..ground import hexsides
from ..terms import SUPPLY_ARMS


class Line(msgspec.Struct, frozen=True):
    """A Front Line."""

    units: tuple[str, ...]
    """Hexes of the foremost units, from the left flank to the right."""
    hexes: tuple[str, ...]
    """All hexes of the line, in order."""
    gaps: tuple[tuple[str, str], ...] = ()
    """Pairs of successive hexes in `units` that the line cannot join."""


_SQUARE_GAIN = Fraction(3, 4)
"""The gain for a friend squarely before the unit (a proposal).

It counts hexes nearer to the enemy, per hex between unit and friend.
"""
_PARTIAL_GAIN = Fraction(1, 2)
"""The gain for a friend partly before the unit, counted as in `_SQUARE_GAIN`."""


def foremost(army: Collection[str], friends: Collection[str], enemies: Collection[str], board: Board) -> frozenset[str]:
    """Return the hexes of an army's units that no friends screen.

    Friends screen a unit if they are squarely before it against one of its nearest enemies, and at least partly before
    it against each other one.

    `army`: hexes of the army's units.
    `friends`: hexes of all units of the side that count.
    """

    def stands_out(here: str) -> bool:
        away = {enemy: board.distance(here, enemy) for enemy in enemies}
        nearest = min(away.values(), default=0)
        facing = [enemy for enemy, far in away.items() if far == nearest]
        reach = nearest / _PARTIAL_GAIN  # a friend farther off cannot be near enough to an enemy
        beside = {friend: far for friend in friends if 0 < (far := board.distance(here, friend)) <= reach}

        def screens(enemy: str, min_share: Fraction, *, more: bool = False) -> bool:
            nearer = ((nearest - board.distance(friend, enemy), min_share * far) for friend, far in beside.items())
            return any(gain > wanted or (gain == wanted and not more) for gain, wanted in nearer)

        if not any(screens(enemy, _SQUARE_GAIN, more=True) for enemy in facing):
            return bool(facing)
        return not all(screens(enemy, _PARTIAL_GAIN) for enemy in facing)

    return frozenset(filter(stands_out, army))


def closed_to_line(
    enemy_sources: Mapping[str, Collection[str]], friends: Collection[str], zone: Collection[str], board: Board
) -> frozenset[str]:
    """Return the hexes that no Front Line enters: hexes of enemies, and hexes between enemies and their supply.

    Hexes between an enemy and his nearest supply source stay open if a friend is there or has a zone there.

    `enemy_sources`: for each hex of enemies, the hexes of their sources.
    `zone`: the hexes in friendly zones.
    """
    supplied = dict[frozenset[str], set[str]]()
    for enemy, sources in enemy_sources.items():
        supplied.setdefault(frozenset(sources), set()).add(enemy)
    between = set[str]().union(*(_find_hexes_between(places, sources, board) for sources, places in supplied.items()))
    return closed_hexes(enemy_sources, between, {*friends, *zone})


def _find_hexes_between(starts: Collection[str], ends: Collection[str], board: Board) -> set[str]:
    """Return the hexes on all shortest paths from each start to the nearest end."""

    @cache
    def left(hex: str) -> int:
        return min((board.distance(hex, end) for end in ends), default=0)

    passed = set[str]()
    edge = set(starts)
    while edge:
        ahead = ((hex, left(at)) for at in edge for hex in board.neighbours(at) if hex not in passed)
        edge = {hex for hex, before in ahead if left(hex) < before}
        passed |= edge
    return passed


def _find_shortest_ways(start: str, ends: Collection[str], walls: Collection[str], board: Board) -> Iterator[set[str]]:
    """Yield the hexes on all shortest paths from a hex to the nearest ends, a set for each step.

    `walls`: hexes that no path enters.
    """
    far = min((board.distance(start, end) for end in ends), default=0)
    nearest = [end for end in ends if board.distance(start, end) == far]
    edge = {start}
    for left in range(far - 1, -1, -1):
        ahead = {hex for at in edge for hex in board.neighbours(at) if hex not in walls}
        edge = {hex for hex in ahead if any(board.distance(hex, end) == left for end in nearest)}
        yield edge


def front_line(ordered: tuple[str, ...], closed: Collection[str], board: Board) -> Line:
    """Return the Front Line through the hexes of foremost units, from flank to flank, joined by shortest ways.

    `closed`: hexes that the line does not enter.
    """
    hexes = list(ordered[:1])
    gaps = []
    regions: list[Collection[str]] = []
    for here, other in pairwise(ordered):
        way = _find_shortest_way(here, other, closed, regions, board)
        hexes += way[1:] or [other]
        if not way:
            gaps.append((here, other))
    return Line(ordered, tuple(dict.fromkeys(hexes)), tuple(gaps))


def _find_shortest_way(
    here: str, other: str, closed: Collection[str], regions: list[Collection[str]], board: Board
) -> tuple[str, ...]:
    """Return a shortest path between two hexes that enters no closed hex, or () if there is none.

    `regions`: sets of hexes that no path leaves. If there is no path, the hexes that can be reached are added.
    """
    if other in closed or any(here in region and other not in region for region in regions):
        return ()
    far = board.distance(here, other)

    def ways(length: int | None) -> CostField:
        def enters(hex: str) -> bool:
            detour = length is not None and board.distance(here, hex) + board.distance(hex, other) > length
            return hex not in closed and not detour

        return radius([here], length, board.neighbours, enters=enters, until=other)

    for length in (far, far + 4, far + 16, None):
        field = ways(length)
        if other in field.cost:
            return field.line(other)
    regions.append(field.cost)
    return ()


def order_along_front(
    units: Collection[str], rear: Collection[str], enemies: Collection[str], board: Board
) -> tuple[str, ...]:
    """Return hexes from the left flank to the right, facing the enemies from the rear.

    `rear`: hexes of the army's supply sources, or of its units if these are not known.
    """
    back_x, back_y = middle(rear, board)
    fore_x, fore_y = middle(enemies, board)

    def place_in_line(hex: str) -> tuple[float, str]:
        x, y = board.centre(hex)
        return round((fore_x - back_x) * y - (fore_y - back_y) * x, 6), hex

    return tuple(sorted(units, key=place_in_line))


def middle(hexes: Collection[str], board: Board) -> tuple[float, float]:
    """Return the mean of the centres of hexes."""
    points = [board.centre(hex) for hex in hexes]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def is_behind(hex: str, line: Sequence[str], enemies: Collection[str], board: Board) -> bool:
    """Return whether a hex is completely behind a Front Line: it blocks all shortest paths to the nearest enemies."""
    if not line or not enemies or hex in line or hex in enemies:
        return False
    *_, reached = _find_shortest_ways(hex, enemies, line, board)
    return not reached


def controller(standing: str, recorded: str, behind: str, reading: str) -> tuple[str, str]:
    """Return the side that controls a hex, and the reason, or "" twice if it is not known.

    `standing`: the side with troops there now.
    `recorded`: the side whose troops were there last, as the players record it.
    `behind`: the side whose Front Line has the hex completely behind it.
    `reading`: the reading of ruling behind-the-front.

    Rule: 4.3
    """
    if standing:
        return standing, "its troops stand there"
    if recorded and not (behind and reading == "front"):
        return recorded, "as recorded"
    return (behind, "it lies behind its Front Line") if behind else ("", "")


def holder(facts: Gather, around: SideField, hex: str) -> str:
    """Return the side that controls a hex: the side of the units there, or else the recorded one.

    A missing record is asked for. The question `control` adds the effect of Front Lines to the record (4.3).
    """
    if hex in around.enemies:
        return next(other for other in around.field.enemies_of(around.side) if hex in around.field.holds(other))
    return around.side if hex in around.friends else facts.word("control", hex)


def behind_agreed_fronts(view: View, around: SideField, hexes: Collection[str]) -> dict[str, str]:
    """Return the hexes among `hexes` that are completely behind an enemy army's agreed Front Line, each with the army.

    A line is agreed if the position states it as `front` of the army.
    """
    own = {hex for hex in around.friends if view.board.is_hex(hex)}
    behind = dict[str, str]()
    for army in known_armies(view):
        stated = view.word("front", army)
        if stated and side_of_army(army) in around.field.enemies_of(around.side) and own:
            line = tuple(hexes_of_stretches(stated, view.board))
            behind |= {hex: army for hex in hexes if hex not in own and is_behind(hex, line, own, view.board)}
    return behind


class ArmyFront(msgspec.Struct, frozen=True, kw_only=True):
    """The Front Line of an army."""

    army: Annotated[str, note("the army, by side and name")]
    agreed: Annotated[bool, note("whether the players have stated the line; if not, it is a proposal")]
    units: Annotated[tuple[str, ...], note("the hexes of its foremost units, from the left flank")]
    hexes: Annotated[tuple[str, ...], note("the whole line")]
    gaps: Annotated[tuple[str, ...], note("hexes between which no line can be drawn")] = ()


class Troops(msgspec.Struct, frozen=True, dict=True):
    """The troops on the map."""

    field: Field
    """The field of all units and their zones."""
    units: tuple[tuple[Unit, str], ...]
    """All units except supply units, each with its side."""
    sources: Mapping[tuple[str, str], frozenset[str]]
    """The hexes of supply units by side and army."""
    isolated: frozenset[str] = frozenset()
    """Ids of Isolated units, which do not count for Front Lines."""

    def of(self, side: str, *, counted: bool = False) -> frozenset[str]:
        """Return the hexes of a side's troops.

        `counted`: whether to return only troops that a Front Line counts (4.3).
        """
        return self._held.get((side, counted), frozenset())

    @cached_property
    def _held(self) -> Mapping[tuple[str, bool], frozenset[str]]:
        held: dict[tuple[str, bool], set[str]] = {}
        for unit, side in self.units:
            held.setdefault((side, False), set()).add(str(unit.place))
            if unit.id not in self.isolated:
                held.setdefault((side, True), set()).add(str(unit.place))
        return {key: frozenset(places) for key, places in held.items()}

    def against(self, side: str) -> frozenset[str]:
        return frozenset[str]().union(*(self.of(other) for other in self.field.enemies_of(side)))

    @cached_property
    def by_army(self) -> Mapping[str, frozenset[str]]:
        """The hexes of the troops of each army that a Front Line counts."""
        places_by_army: dict[str, set[str]] = {}
        for unit, _ in self.units:
            if unit.id not in self.isolated:
                places_by_army.setdefault(army_of(self.field.view, unit.id), set()).add(str(unit.place))
        return {army: frozenset(places) for army, places in places_by_army.items()}

    def closed_to(self, side: str) -> frozenset[str]:
        if side not in self._closed:
            theirs = {}
            for unit, other in self.units:
                if other != side:
                    army = army_of(self.field.view, unit.id)
                    theirs[str(unit.place)] = self.sources.get((other, army), frozenset())
            self._closed[side] = closed_to_line(theirs, self.of(side), self.field.zone(side), self.field.view.board)
        return self._closed[side]

    @cached_property
    def _closed(self) -> dict[str, frozenset[str]]:
        return {}


def gather_troops(facts: Gather, isolated: Collection[str] = ()) -> Troops:
    """Return the troops on the map, with the facts on which Front Lines depend."""
    view = facts.view
    field = hexsides.field(facts)
    units = []
    sources = dict[tuple[str, str], frozenset[str]]()
    for unit, side in field.all_units:
        if not view.board.is_hex(str(unit.place)):
            continue
        if facts.word("arm", unit.id) in SUPPLY_ARMS:
            army = side, army_of(view, unit.id)
            sources[army] = sources.get(army, frozenset()) | {str(unit.place)}
        else:
            units.append((unit, side))
    return Troops(field.read(), tuple(units), sources, frozenset(isolated))


def front_of(view: View, army: str, troops: Troops) -> ArmyFront | None:
    """Return an army's Front Line, agreed or proposed, or None if the army is not at the front.

    Raises TooMuch if troops are in too many hexes for a proposal.

    Rule: 4.3.1, 6.1c
    """
    side = side_of_army(army)
    own = troops.by_army.get(army, frozenset())
    if stated := view.word("front", army):
        hexes = tuple(hexes_of_stretches(stated, view.board))
        return ArmyFront(army=army, agreed=True, units=tuple(hex for hex in hexes if hex in own), hexes=hexes)
    Limit.FRONT.check(sum(len(troops.of(side)) for side in troops.field.sides), "the troops hold")
    first = foremost(own, troops.of(side, counted=True), troops.against(side), view.board)
    if not first:
        return None
    line = _propose_line(view, army, troops, first)
    gaps = tuple(map(" and ".join, line.gaps))
    return ArmyFront(army=army, agreed=False, units=line.units, hexes=line.hexes, gaps=gaps)


def _propose_line(view: View, army: str, troops: Troops, first: frozenset[str]) -> Line:
    side = side_of_army(army)
    board = view.board
    enemies = troops.against(side)
    friends = troops.of(side)
    rear = troops.sources.get((side, army)) or friends - first or friends
    near = {min(enemies, key=lambda enemy: (board.distance(hex, enemy), enemy)) for hex in first}
    return front_line(order_along_front(first, rear, near, board), troops.closed_to(side), board)
