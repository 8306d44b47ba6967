"""Who stands where while a combat is fought, and what hexes hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial

import msgspec
from msgspec.structs import replace

from assistant.asking.view import View, changed
from assistant.state.changes import Change
from assistant.state.differences import NOTHING, Divergence
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, is_asset_unit, may_draw
from ..forces.unit import gather_unit, read_steps, retreats_with_stack
from ..forces.units import DIVISIONS, GUNS, CombatUnit, Force, forces, is_of_fischer, stacking_value
from ..ground.hexsides import exerts_zone
from ..terms import COMBAT_ARMS, FIELD_ARMS, SUPPLY_ARMS
from .retreat_ground import RetreatGround, Terrain
from .tolls import Toll

Supply = Mapping[tuple[str, str], Mapping[str, tuple[Unit, str]]]
"""The supply units of a side with their arms, by id, by their corps and by their army."""
Moves = tuple[tuple[str, str], ...]
"""Units that stand elsewhere than in the position, each with its hex, `OFF_MAP` if they have left the map for good, ""
if they are eliminated."""
Steps = tuple[tuple[str, int], ...]
"""Steps that units have lost since the position."""


class Piece(msgspec.Struct, frozen=True):
    """A unit on the map."""

    id: str
    side: str
    place: str
    arm: str
    zoned: bool = False
    """Whether it has a zone of control."""
    room: Fraction = Fraction(0)
    """The divisions that it counts for in stacking."""
    guns: int = 0
    """The artillery units that it counts for."""
    turns: int = 0
    """With how many more steps lost it turns to its reduced side, 0 if it cannot."""
    turned_room: Fraction = Fraction(0)
    """The divisions that it counts for then."""


def _read_piece(view: View, unit: str, place: str) -> Piece:
    """Return a unit on the map, as far as it is known. Rule: 4.2"""
    arm = view.word("arm", unit)
    entrained = view.flag("entrained", unit)
    zoned = exerts_zone(arm, entrained=entrained)
    guns = int(arm == "artillery" and not entrained)
    piece = Piece(unit, view.side_of(unit), place, arm, zoned, guns=guns)
    return piece if entrained else _add_room(view, piece)


def _add_room(view: View, piece: Piece) -> Piece:
    """Return a unit with the room that it takes in a hex, as far as that is known (2.2, 4.2)."""
    if piece.arm in SUPPLY_ARMS:
        return replace(piece, room=Fraction(1, 2))
    unit = piece.id
    size = view.word("size", unit)
    steps = read_steps(view, unit)
    stacked = CombatUnit(unit, "", piece.arm, size, True, "")
    half = stacking_value(replace(stacked, reduced=True))
    if steps.side != "front":
        return replace(piece, room=half)
    turns = steps.printed - steps.lost - steps.behind if 0 < steps.behind < steps.printed else 0
    return replace(piece, room=stacking_value(stacked), turns=turns, turned_room=half)


def unit_of(view: View, name: str) -> CombatUnit:
    """Return a unit as a position has it. Raises MissingFacts for what is not stated of it."""
    with view.gather() as facts:
        return gather_unit(facts, view.unit(name), None)


def _find_supply(view: View, pieces: Mapping[str, Piece], side: str) -> Supply:
    """Return the supply units of a side, by the commands that may draw on them."""
    supply: dict[tuple[str, str], dict[str, tuple[Unit, str]]] = {}
    for piece in pieces.values():
        if piece.side == side and piece.arm in SUPPLY_ARMS:
            corps, army = corps_and_army(view, piece.id)
            for key in (("corps", corps), ("army", army)):
                supply.setdefault(key, {})[piece.id] = (view.unit(piece.id), piece.arm)
    return supply


class Pieces:
    """All pieces of a position, and the terrain under them. What has been read or worked out once is kept."""

    def __init__(self, view: View, known: Pieces | None = None, apart: Divergence = NOTHING) -> None:
        """known: those of another position; apart: where the two differ."""
        self.view = view
        self.terrain = Terrain(view)  # never taken over: a retreat reads fortress units by it
        before: Mapping[str, Piece] = known.pieces if known else {}
        same = {name: piece for name, piece in before.items() if name not in apart.units}
        there = ((unit.id, unit.place) for unit in view.units() if unit.place and view.board.is_hex(unit.place))
        self.pieces: dict[str, Piece] = {
            name: same.get(name) or _read_piece(view, name, place) for name, place in there
        }
        self._layouts: dict[tuple[Moves, frozenset[str]], Layout] = {}
        self._supply = cache(partial(_find_supply, view, self.pieces))

    def layout(self, moved: Moves, lost: Steps = ()) -> Layout:
        """Return where all stand once some have moved. lost: the steps that units have lost meanwhile, which may turn
        them over (3.4.1).
        """
        return self.arranged(moved, frozenset(name for name, steps in lost if 0 < self.pieces[name].turns <= steps))

    def after(self, toll: Toll) -> Layout:
        """Return where all stand by what a combat has cost so far."""
        return self.layout(toll.moved, toll.steps)

    def arranged(self, moved: Moves, turned: frozenset[str]) -> Layout:
        """Return where all stand once some have moved and some have turned to their reduced sides."""
        if (moved, turned) not in self._layouts:
            self._layouts[moved, turned] = Layout(self, moved, turned)
        return self._layouts[moved, turned]

    def sources(self, force: Force) -> dict[str, str]:
        """Return the supply sources of a Force's command, the Corps Trains and depots, as far as they are known: each
        with its hex.
        """
        corps, army = corps_and_army(self.view, force.name)
        supply = self._supply(self.pieces[force.name].side)
        near = {**supply.get(("corps", corps), {}), **supply.get(("army", army), {})}
        drawn = (unit for unit, arm in near.values() if may_draw(corps, army, arm, *corps_and_army(self.view, unit.id)))
        return {unit.id: str(unit.place) for unit in drawn}

    @cached_property
    def trains(self) -> Mapping[str, tuple[str, ...]]:
        """The Corps Trains that retreat with their stacks, by hex."""
        trains = dict[str, tuple[str, ...]]()
        for piece in self.pieces.values():
            if piece.arm == "corps-train" and retreats_with_stack(self.view, piece.id):
                trains[piece.place] = (*trains.get(piece.place, ()), piece.id)
        return trains

    def is_agreed(self, ruling: str) -> bool:
        """Return whether the players have agreed on a reading of a doubtful rule."""
        return ruling in self.view.state.rulings

    @cached_property
    def ways_back(self) -> bool:
        """Whether a stack may go back to the hex that it has just left."""
        return self.view.ruling("way-back", self.is_agreed("way-back")) == "yes"

    @cached_property
    def may_leave(self) -> bool:
        """Whether a stack may leave the map though another hex is open to it."""
        return self.view.ruling("off-map-retreat", self.is_agreed("off-map-retreat")) == "choice"


class Layout:
    """Where all pieces stand at a moment."""

    def __init__(self, pieces: Pieces, moved: Moves, turned: frozenset[str] = frozenset()) -> None:
        self.pieces = pieces
        self.moved = moved
        self.turned = turned
        self.where = {piece.id: piece.place for piece in pieces.pieces.values()} | dict(moved)
        self._zones: dict[str, frozenset[str]] = {}
        self._grounds: dict[tuple[tuple[str, ...], str], RetreatGround] = {}

    def ground(self, forces: tuple[Force, ...], origin: str) -> RetreatGround:
        """Return the ground as some Forces find it that retreat together. origin: the hex where they were in the combat."""
        units = [unit for force in forces for unit in force.units]
        names = tuple(unit.id for unit in units)
        if (names, origin) not in self._grounds:
            pieces = self.pieces
            side = pieces.pieces[names[0]].side
            self._grounds[names, origin] = RetreatGround(
                pieces.terrain,
                side,
                origin,
                self.enemies(side),
                self.enemy_zones(side),
                self.friends(side, names),
                frozenset(self._list_sources(forces)),
                self._list_areas(units),
                any(unit.garrison for unit in units),
                self.abandoned(side),
                pieces.ways_back,
                frozenset(unit.nation for unit in units),
                any(is_of_fischer(unit.id, unit.corps) for unit in units),
                pieces.may_leave,
            )
        return self._grounds[names, origin]

    def _list_sources(self, forces: Iterable[Force]) -> Iterator[str]:
        """Yield the hexes of the supply sources of Forces that retreat, without Corps Trains that go along."""
        for force in forces:
            here = self.where[force.units[0].id]
            along = self.pieces.trains.get(self.pieces.pieces[force.units[0].id].place, ())
            for source, place in self.pieces.sources(force).items():
                if not (source in along and self.where[source] == here):
                    yield place

    def _list_areas(self, units: Sequence[CombatUnit]) -> tuple[frozenset[str] | None, ...]:
        """Return the Areas of Attachment of the armies of a stack, None where one is not stated; Asset Units go with
        their formations.
        """
        view = self.pieces.view
        formations = [unit for unit in units if unit.formation] or units
        return tuple(dict.fromkeys(area(view, army_of(view, unit.id)) for unit in formations))

    def forces_at(self, place: str) -> tuple[Force, ...]:
        """Return the Forces that stand at a place, with the status that the position gives them."""
        there = (piece.id for piece in self.at(place) if piece.arm in FIELD_ARMS)
        return forces([unit_of(self.pieces.view, name) for name in there])

    def at(self, place: str, without: Collection[str] = ()) -> Iterator[Piece]:
        """Return the pieces at a place but for some."""
        every = self.pieces.pieces
        return (every[name] for name, where in self.where.items() if where == place and name not in without)

    def stands(self, unit: str, otherwise: str) -> str:
        """Return the hex where a unit stands, or `otherwise` if it is off the map."""
        place = self.where[unit]
        return place if self.pieces.view.board.is_hex(place) else otherwise

    def enemies(self, side: str) -> frozenset[str]:
        """Return the hexes of the enemies of a side."""
        return frozenset(self.where[piece.id] for piece in self._others(side)) - {""}

    def enemy_zones(self, side: str) -> frozenset[str]:
        """Return the hexes in the zones of control of the enemies of a side."""
        if side not in self._zones:
            places = {self.where[piece.id] for piece in self._others(side) if piece.zoned} - {""}
            zones = (self.pieces.terrain.zone_from(place) for place in places)
            self._zones[side] = frozenset[str]().union(*zones)
        return self._zones[side]

    def friends(self, side: str, without: Collection[str]) -> frozenset[str]:
        """Return the hexes of the units of a side but for some."""
        every = self.pieces.pieces.values()
        return frozenset(self.where[piece.id] for piece in every if piece.side == side and piece.id not in without) - {
            ""
        }

    def abandoned(self, side: str) -> frozenset[str]:
        """Return the hexes that enemies of a side have left by a retreat, not those where they were eliminated
        (11.2.2).
        """
        every = self.pieces.pieces
        left = {every[name].place for name, where in self.moved if where and every[name].side != side}
        return frozenset(left - self.enemies(side))

    def _others(self, side: str) -> list[Piece]:
        return [piece for piece in self.pieces.pieces.values() if piece.side not in ("", side)]

    def without(self, units: Collection[str]) -> Layout:
        """Return where all others stand."""
        moved = dict(self.moved) | dict.fromkeys(units, "")
        return self.pieces.arranged(tuple(sorted(moved.items())), self.turned)

    def holds(self, coming: Iterable[str], place: str) -> bool:
        """Return whether a place holds some units beside the others there."""
        return not any(self.excess(place, coming))

    def excess(self, place: str, coming: Iterable[str]) -> tuple[Fraction, int]:
        """Return by how many divisions and artillery units a place holds too much once some units stand there too, each
        as its losses have left it; a place off the map holds all who come.
        Rule: 4.2.3b
        """
        if not self.pieces.view.board.is_hex(place) or self.pieces.terrain.is_off_map(place):
            return Fraction(0), 0
        names = frozenset(coming)
        return beyond_limits([*self.at(place, names), *(self.pieces.pieces[name] for name in names)], self.turned)


def beyond_limits(there: Sequence[Piece], turned: Collection[str] = ()) -> tuple[Fraction, int]:
    """Return by how many divisions and artillery units the pieces of a hex are more than may stay there. turned: those
    that have turned to their reduced sides meanwhile. Rule: 4.2.1
    """
    room = sum((piece.turned_room if piece.id in turned else piece.room for piece in there), Fraction(0))
    return max(room - DIVISIONS, Fraction(0)), max(sum(piece.guns for piece in there) - GUNS, 0)


def keep_attached(view: View, force: Force, unit: CombatUnit, beside: Iterable[str]) -> list[Change]:
    """Return the formation of an Asset Unit that ends its retreat beside others to which it might be counted.

    force: that it retreats with; beside: the units in the hex where it ends. Rule: 11.2.1a
    """
    own = force.formation
    if own is None or unit.formation or unit.with_ == own.id:
        return []
    kin = (other for other in beside if view.word("nation", other) == unit.nation)
    others = (other for other in kin if view.word("arm", other) in COMBAT_ARMS)
    alone = sum(not is_asset_unit(view, other) for other in others) < 2
    return [] if alone else [changed(view, "with", unit.id, own.id, "11.2.1")]
