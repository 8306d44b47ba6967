"""Who stands where while retreats are carried out: all pieces of a position as plain values, and the ground that each stack finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import cached_property

import msgspec
from msgspec.structs import replace

from assistant.questions import View

from ..forces.units import DIVISIONS, GUNS, CombatUnit, Force, has_turned, stacking_value
from ..ground.zones import exerts_zone
from ..terms import FORTRESSES, SUPPLY_ARMS
from .ground import Ground, Terrain
from .sources import Supply, areas_of, sources_of, sources_of_command, supply_of

Moves = tuple[tuple[str, str], ...]
"""Units that stand elsewhere than in the position, each with its hex, "" off the map."""
Steps = tuple[tuple[str, int], ...]
"""Steps that units have lost since the position."""


class Piece(msgspec.Struct, frozen=True):
    """A unit on the map.

    zoned: whether it has a zone of control; room, guns: the divisions and artillery units that it counts for; turns: with how many more
    steps lost it turns to its reduced side, 0 if it cannot; turned_room: the divisions that it counts for then.
    """

    id: str
    side: str
    place: str
    arm: str
    zoned: bool = False
    room: Fraction = Fraction(0)
    guns: int = 0
    turns: int = 0
    turned_room: Fraction = Fraction(0)


def pieces_of(view: View) -> Iterator[Piece]:
    """The units on the map, as far as they are known. Rule: 4.2"""
    for unit in view.units():
        if unit.place is None or not view.board.is_hex(unit.place):
            continue
        arm, entrained = view.word("arm", unit.id), view.flag("entrained", unit.id)
        zoned = exerts_zone(arm, entrained)
        guns = int(arm == "artillery" and not entrained)
        piece = Piece(unit.id, view.side_of(unit.id), unit.place, arm, zoned, guns=guns)
        yield piece if entrained else with_room(view, piece)


def with_room(view: View, piece: Piece) -> Piece:
    """A unit with the room that it takes in a hex, as far as that is known (2.2, 4.2)."""
    if piece.arm in SUPPLY_ARMS:
        return replace(piece, room=Fraction(1, 2))
    unit = piece.id
    size, steps, lost = view.word("size", unit), view.integer("steps", unit), view.integer("lost", unit)
    back = view.integer("back-steps", unit) if view.fact("back-steps", unit) else 0
    turned = view.flag("reduced", unit) or has_turned(steps, lost, back)
    whole, half = (
        stacking_value(CombatUnit(unit, "", piece.arm, size, True, "", reduced=reduced)) for reduced in (False, True)
    )
    if turned:
        return replace(piece, room=half)
    turns = steps - lost - back if 0 < back < steps else 0
    return replace(piece, room=whole, turns=turns, turned_room=half)


class Pieces:
    """All pieces of a position, and the terrain under them. What has been read or worked out once is kept."""

    def __init__(self, view: View) -> None:
        self.view, self.terrain = view, Terrain(view)
        self.pieces = {piece.id: piece for piece in pieces_of(view)}
        self._layouts: dict[tuple[Moves, frozenset[str]], Layout] = {}

    def layout(self, moved: Moves, lost: Steps = ()) -> Layout:
        """Where all stand once some have moved. lost: the steps that units have lost meanwhile, which may turn them over (3.4.1)."""
        return self.arranged(moved, frozenset(name for name, steps in lost if 0 < self.pieces[name].turns <= steps))

    def arranged(self, moved: Moves, turned: frozenset[str]) -> Layout:
        """Where all stand once some have moved and some have turned to their reduced sides."""
        if (moved, turned) not in self._layouts:
            self._layouts[moved, turned] = Layout(self, moved, turned)
        return self._layouts[moved, turned]

    def sources(self, force: Force, corps: str, army: str) -> list[str]:
        """The hexes of the supply sources of a Force's command, as far as they are known."""
        return sources_of_command(self.view, self._supply(self.pieces[force.name].side), corps, army)

    @cached_property
    def ways_back(self) -> bool:
        """Whether a stack may go back to the hex that it has just left."""
        return self.view.ruling("way-back", "way-back" in self.view.state.rulings) == "yes"

    def _supply(self, side: str) -> Supply:
        own = (piece.id for piece in self.pieces.values() if piece.side == side)
        return supply_of(self.view, [self.view.unit(name) for name in own])

    def ground(self, layout: Layout, forces: tuple[Force, ...], origin: str) -> Ground:
        """The ground as some Forces find it that retreat together. origin: the hex where they were in the combat."""
        units = [unit for force in forces for unit in force.units]
        going, side = frozenset(unit.id for unit in units), self.pieces[units[0].id].side
        return Ground(
            self.terrain,
            side,
            origin,
            layout.enemies(side),
            layout.enemy_zones(side),
            layout.friends(side, going),
            sources_of(self.view, self._supply(side), forces),
            areas_of(self.view, units),
            any(unit.garrison for unit in units),
            layout.abandoned(side),
            self.ways_back,
            frozenset(unit.nation for unit in units),
        )


class Layout:
    """Where all pieces stand at a moment."""

    def __init__(self, pieces: Pieces, moved: Moves, turned: frozenset[str] = frozenset()) -> None:
        self.pieces, self.moved, self.turned = pieces, moved, turned
        self.where = {piece.id: piece.place for piece in pieces.pieces.values()} | dict(moved)
        self._zones: dict[str, frozenset[str]] = {}
        self._grounds: dict[tuple[tuple[str, ...], str], Ground] = {}

    def ground(self, forces: tuple[Force, ...], origin: str) -> Ground:
        """The ground as some Forces find it that retreat together."""
        key = tuple(unit.id for force in forces for unit in force.units), origin
        if key not in self._grounds:
            self._grounds[key] = self.pieces.ground(self, forces, origin)
        return self._grounds[key]

    def at(self, place: str, without: Collection[str] = ()) -> Iterator[Piece]:
        """The pieces at a place but for some."""
        every = self.pieces.pieces
        return (every[name] for name, where in self.where.items() if where == place and name not in without)

    def enemies(self, side: str) -> frozenset[str]:
        """The hexes of the enemies of a side."""
        return frozenset(self.where[piece.id] for piece in self._others(side)) - {""}

    def enemy_zones(self, side: str) -> frozenset[str]:
        """The hexes in the zones of control of the enemies of a side."""
        if side not in self._zones:
            places = {self.where[piece.id] for piece in self._others(side) if piece.zoned} - {""}
            zones = (self.pieces.terrain.zone_from(place) for place in places)
            self._zones[side] = frozenset[str]().union(*zones)
        return self._zones[side]

    def friends(self, side: str, without: Collection[str]) -> frozenset[str]:
        """The hexes of the units of a side but for some."""
        every = self.pieces.pieces.values()
        return frozenset(self.where[one.id] for one in every if one.side == side and one.id not in without) - {""}

    def abandoned(self, side: str) -> frozenset[str]:
        """The hexes that enemies of a side have left by a retreat, not those where they were eliminated (11.2.2)."""
        every = self.pieces.pieces
        left = {every[name].place for name, where in self.moved if where and every[name].side != side}
        return frozenset(left - self.enemies(side))

    def _others(self, side: str) -> list[Piece]:
        return [one for one in self.pieces.pieces.values() if one.side not in ("", side)]

    def excess(self, place: str, coming: Iterable[str]) -> tuple[Fraction, int]:
        """By how many divisions and artillery units a place holds too much once some units stand there too, each as its losses have left
        it; a place off the map holds all who come. Rule: 4.2.3b
        """
        if not self.pieces.view.board.is_hex(place):
            return Fraction(0), 0
        names = frozenset(coming)
        there = [*self.at(place, names), *(self.pieces.pieces[name] for name in names)]
        room = sum((one.turned_room if one.id in self.turned else one.room for one in there), Fraction(0))
        return max(room - DIVISIONS, Fraction(0)), max(sum(piece.guns for piece in there) - GUNS, 0)

    def has_fortress(self, place: str) -> bool:
        """Whether a fortress unit stands at a place."""
        return any(piece.arm in FORTRESSES for piece in self.at(place))
