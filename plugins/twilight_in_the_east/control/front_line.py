"""Front Lines: the foremost units of an army, the hexes that join them, and what lies behind (4.3.1).

The rulebook describes a Front Line and gives no procedure, so what is drawn here is a proposal that players may correct.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field import Field, closed_hexes
from assistant.game.board import Board
from assistant.mechanics.tracing import radius
from assistant.questions import Gather, View, note
from assistant.state.state import Unit

from ..forces.armies import army_of, hexes_of, side_of_army
from ..ground import zones
from ..terms import SUPPLY_ARMS


class Line(msgspec.Struct, frozen=True):
    """A Front Line. units: the hexes of the foremost units in order; hexes: the whole line, gaps left out; gaps: the pairs of
    foremost hexes that no line joins."""

    units: tuple[str, ...]
    hexes: tuple[str, ...]
    gaps: tuple[tuple[str, str], ...] = ()


SQUARELY, PARTLY = Fraction(3, 4), Fraction(1, 2)
"""How much nearer to an enemy a friend is who stands before a unit, or half before it, by each hex between the two: a proposal."""


def foremost(army: Collection[str], friends: Collection[str], enemies: Collection[str], board: Board) -> frozenset[str]:
    """The hexes of an army's units that their friends do not screen: squarely from one of the nearest enemies, and at least
    partly from each other one.

    army: hexes of the army's units; friends: of all units of the side that count.
    """

    def screen(here: str, enemy: str) -> Fraction:
        away = board.distance(here, enemy)
        others = ((away - board.distance(one, enemy), board.distance(here, one)) for one in friends if one != here)
        return max((Fraction(*nearer) for nearer in others), default=Fraction(-1))

    def stands_out(here: str) -> bool:
        away = {enemy: board.distance(here, enemy) for enemy in enemies}
        nearest = min(away.values(), default=0)
        screens = [screen(here, enemy) for enemy, far in away.items() if far == nearest]
        return bool(screens) and (max(screens) <= SQUARELY or min(screens) < PARTLY)

    return frozenset(filter(stands_out, army))


def closed_to_line(
    enemy_sources: Mapping[str, Collection[str]], friends: Collection[str], zone: Collection[str], board: Board
) -> frozenset[str]:
    """The hexes that no Front Line passes: those of enemies, and those between an enemy and his nearest supply source unless a
    friend stands there or has them in his zone.

    enemy_sources: each hex of enemies, with the hexes of the sources of those; zone: the hexes in friendly zones.
    """
    between = set[str]()
    for enemy, sources in enemy_sources.items():
        between.update(*shortest_ways(enemy, sources, (), board))
    return closed_hexes(enemy_sources, between, {*friends, *zone})


def shortest_ways(start: str, ends: Collection[str], walls: Collection[str], board: Board) -> Iterator[set[str]]:
    """The hexes on all shortest ways from a hex to the nearest of some others, step by step; no way enters a wall."""
    far = min((board.distance(start, end) for end in ends), default=0)
    nearest = [end for end in ends if board.distance(start, end) == far]
    edge = {start}
    for left in range(far - 1, -1, -1):
        ahead = {hex for at in edge for hex in board.neighbours(at) if hex not in walls}
        edge = {hex for hex in ahead if any(board.distance(hex, end) == left for end in nearest)}
        yield edge


def front_line(
    units: Collection[str], rear: Collection[str], enemies: Collection[str], closed: Collection[str], board: Board
) -> Line:
    """The Front Line through the hexes of foremost units, from one flank to the other, each pair joined by a shortest way.

    rear: where the army's supply comes from, or its units if that is not known; closed: hexes that the line does not pass.
    """
    ordered = along(units, rear, enemies, board)
    hexes, gaps = list(ordered[:1]), []
    for one, other in pairwise(ordered):
        ways = radius([one], None, board.neighbours, enters=lambda hex: hex not in closed, until=other)
        joined = other in ways.cost
        hexes += ways.line(other)[1:] if joined else [other]
        gaps += [] if joined else [(one, other)]
    return Line(ordered, tuple(dict.fromkeys(hexes)), tuple(gaps))


def along(units: Collection[str], rear: Collection[str], enemies: Collection[str], board: Board) -> tuple[str, ...]:
    """Hexes in order from the left flank to the right one, as seen from the rear towards the enemies."""
    (back_x, back_y), (fore_x, fore_y) = middle(rear, board), middle(enemies, board)

    def place_in_line(hex: str) -> tuple[float, str]:
        x, y = board.centre(hex)
        return round((fore_x - back_x) * y - (fore_y - back_y) * x, 6), hex

    return tuple(sorted(units, key=place_in_line))


def middle(hexes: Collection[str], board: Board) -> tuple[float, float]:
    """The middle of some hexes."""
    points = [board.centre(hex) for hex in hexes]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def is_behind(hex: str, line: Sequence[str], enemies: Collection[str], board: Board) -> bool:
    """Whether a hex lies completely behind a Front Line: the line crosses every shortest way to each of the nearest enemies."""
    if not line or not enemies or hex in line or hex in enemies:
        return False
    *_, reached = shortest_ways(hex, enemies, line, board)
    return not reached


def controller(standing: str, recorded: str, behind: str, reading: str) -> tuple[str, str]:
    """The side that controls a hex, and by what; two empty texts where that is not known.

    standing: the side whose troops are there now; recorded: the side whose troops were there last, as the players keep it;
    behind: the side behind whose Front Line it lies wholly; reading: ruling behind-the-front. Rule: 4.3
    """
    if standing:
        return standing, "its troops stand there"
    if recorded and not (behind and reading == "front"):
        return recorded, "as recorded"
    return (behind, "it lies behind its Front Line") if behind else ("", "")


class FrontFound(msgspec.Struct, frozen=True, kw_only=True):
    """The Front Line of an army."""

    army: Annotated[str, note("by its side and name")]
    agreed: Annotated[bool, note("whether the players have stated it, otherwise it is a proposal")]
    units: Annotated[tuple[str, ...], note("the hexes of its foremost units, from the left flank")]
    hexes: Annotated[tuple[str, ...], note("the whole line")]
    gaps: Annotated[tuple[str, ...], note("hexes between which no line can be drawn")] = ()


class Troops(msgspec.Struct, frozen=True):
    """Who stands on the map. field: everybody, with his zones; units: all but supply units, each with its side; sources: the hexes of
    supply units by side and army; isolated: the units that no Front Line counts."""

    field: Field
    units: tuple[tuple[Unit, str], ...]
    sources: Mapping[tuple[str, str], frozenset[str]]
    isolated: frozenset[str] = frozenset()

    def of(self, side: str, *, counted: bool = False) -> frozenset[str]:
        """The hexes of a side's troops. counted: of those alone that a Front Line counts (4.3)."""
        left_out = self.isolated if counted else ()
        return frozenset(str(unit.place) for unit, theirs in self.units if theirs == side and unit.id not in left_out)

    def against(self, side: str) -> frozenset[str]:
        """The hexes of its enemies' troops."""
        return frozenset[str]().union(*(self.of(other) for other in self.field.enemies_of(side)))


def troops(facts: Gather, isolated: Collection[str] = ()) -> Troops:
    """Who stands on the map, with what the Front Lines depend on; supply units are not troops."""
    view, field = facts.view, zones.field(facts)
    units, sources = [], dict[tuple[str, str], frozenset[str]]()
    for unit, side in field.all_units:
        if not view.board.is_hex(str(unit.place)):
            continue
        if facts.word("arm", unit.id) in SUPPLY_ARMS:
            army = side, army_of(view, unit.id)
            sources[army] = sources.get(army, frozenset()) | {str(unit.place)}
        else:
            units.append((unit, side))
    return Troops(field.read(), tuple(units), sources, frozenset(isolated))


def front_of(view: View, army: str, found: Troops) -> FrontFound | None:
    """The Front Line of an army: what the players have agreed on, or a proposal; None for one that is not in the front.
    Rule: 4.3.1, 6.1c
    """
    side = side_of_army(army)
    counted = [unit for unit, _ in found.units if unit.id not in found.isolated]
    own = frozenset(str(unit.place) for unit in counted if army_of(view, unit.id) == army)
    if stated := view.word("front", army):
        hexes = tuple(hexes_of(view, army, "front", stated))
        return FrontFound(army=army, agreed=True, units=tuple(hex for hex in hexes if hex in own), hexes=hexes)
    first = foremost(own, found.of(side, counted=True), found.against(side), view.board)
    if not first:
        return None
    line = proposed(view, army, found, first)
    gaps = tuple(map(" and ".join, line.gaps))
    return FrontFound(army=army, agreed=False, units=line.units, hexes=line.hexes, gaps=gaps)


def proposed(view: View, army: str, found: Troops, first: frozenset[str]) -> Line:
    """The line through an army's foremost units, as the board lets it run."""
    side, board = side_of_army(army), view.board
    enemies, friends = found.against(side), found.of(side)
    theirs = {
        str(unit.place): found.sources.get((other, army_of(view, unit.id)), frozenset())
        for unit, other in found.units
        if other != side
    }
    closed = closed_to_line(theirs, friends, found.field.zone(side), board)
    rear = found.sources.get((side, army)) or friends - first or friends
    near = {min(enemies, key=lambda enemy: (board.distance(hex, enemy), enemy)) for hex in first}
    return front_line(first, rear, near, closed, board)
