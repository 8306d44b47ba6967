"""The costs of a combat so far, the places of all pieces after them, and stacking in the hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import note
from assistant.asking.view import View, changed
from assistant.state.changes import Change
from assistant.state.differences import NOTHING, Divergence
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, is_asset_unit, may_draw
from ..forces.unit import gather_unit, read_steps, retreats_with_stack
from ..forces.units import (
    MAX_DIVISIONS,
    MAX_GUNS,
    CombatUnit,
    Force,
    Role,
    forces,
    is_marsch,
    is_of_fischer,
    stacking_value,
)
from ..ground.hexsides import exerts_zone
from ..terms import COMBAT_ARMS, FIELD_ARMS, OFF_MAP, SUPPLY_ARMS
from .retreat_ground import RetreatGround, Terrain

Supply = Mapping[tuple[str, str], Mapping[str, tuple[Unit, str]]]
"""Supply units of a side with their arms, by corps or army, such as `("corps", "3")`, and by id."""
Moves = tuple[tuple[str, str], ...]
"""Units that have moved since the position, each with its present hex.

The hex is `OFF_MAP` if the unit has left the map for good, or "" if it is eliminated.
"""
Amounts = tuple[tuple[str, int], ...]
"""Amounts, such as steps lost, by the name of a unit, Force or leader."""


class Toll(msgspec.Struct, frozen=True):
    """The costs of a combat so far."""

    moved: Annotated[Moves, note('units that have moved, with their present place, or "" if they are eliminated')] = ()
    steps: Annotated[Amounts, note("steps lost, by unit")] = ()
    levels: Annotated[Amounts, note("Combat Effectiveness Levels lost, by formation")] = ()
    disorder: Annotated[Amounts, note("present degree of Disorder, by formation")] = ()
    hexes: Annotated[
        Amounts, note("hexes that each Force must retreat by the result and its check, without those for lack of room")
    ] = ()
    pushed: Annotated[Amounts, note("hexes that each Force must retreat because of a Repulse")] = ()
    led: Annotated[Amounts, note("number of Repulses in which each leader has been used")] = ()

    def and_steps(self, more: Mapping[str, int]) -> Toll:
        return replace(self, steps=add_amounts(self.steps, more))

    def and_levels(self, more: Mapping[str, int]) -> Toll:
        return replace(self, levels=add_amounts(self.levels, more))

    def and_hexes(self, more: Mapping[str, int], *, pushed: bool) -> Toll:
        """Return the toll with more hexes that Forces must retreat.

        `pushed`: whether because of a Repulse.
        """
        if pushed:
            return replace(self, pushed=add_amounts(self.pushed, more))
        return replace(self, hexes=add_amounts(self.hexes, more))

    def and_led(self, leaders: Iterable[str]) -> Toll:
        """Return the toll after one more Repulse in which the leaders have been used."""
        return replace(self, led=add_amounts(self.led, dict.fromkeys(leaders, 1)))

    def and_moved(self, more: Mapping[str, str]) -> Toll:
        return replace(self, moved=tuple(sorted({**dict(self.moved), **more}.items()))) if more else self

    def and_eliminated(self, left: Mapping[str, int]) -> Toll:
        """Return the toll with more units eliminated.

        `left`: the units to eliminate, each with the steps that it has left.
        """
        return self.and_steps(left).and_moved(dict.fromkeys(left, ""))

    def of(self, units: Iterable[CombatUnit]) -> Toll:
        """Return the steps, levels and departures from the map of some units."""
        names = {unit.id for unit in units}
        steps = tuple(amount for amount in self.steps if amount[0] in names)
        levels = tuple(amount for amount in self.levels if amount[0] in names)
        departed = tuple(move for move in self.moved if move[0] in names and move[1] == OFF_MAP)
        return Toll(departed, steps, levels)


def add_amounts(amounts: Amounts, more: Mapping[str, int]) -> Amounts:
    """Return the sums of two lists of amounts, by name."""
    total = dict(amounts)
    for name, amount in more.items():
        if amount:
            total[name] = total.get(name, 0) + amount
    return tuple(sorted(total.items()))


def units_after(units: Iterable[CombatUnit], toll: Toll) -> tuple[CombatUnit, ...]:
    """Return units after the costs so far; units that have left the map for good have no steps left."""
    departed = {name for name, place in toll.moved if place == OFF_MAP}
    if not (toll.steps or toll.levels or toll.disorder or departed):
        return tuple(units)
    steps = dict(toll.steps)
    levels = dict(toll.levels)
    disorder = dict(toll.disorder)
    affected = departed.union(steps, levels, disorder)
    after = []
    for unit in units:
        if unit.id in affected:
            steps_lost = unit.steps if unit.id in departed else min(unit.lost + steps.get(unit.id, 0), unit.steps)
            levels_lost = unit.levels + levels.get(unit.id, 0)
            unit = replace(unit, lost=steps_lost, levels=levels_lost, disorder=disorder.get(unit.id, unit.disorder))
        after.append(unit)
    return tuple(after)


def remaining_force(force: Force, toll: Toll) -> Force | None:
    """Return a Force after the costs so far, or None if all of its units are off the map."""
    eliminated = {name for name, place in toll.moved if not place}
    units = tuple(unit for unit in units_after(force.units, toll) if unit.left > 0 and unit.id not in eliminated)
    return Force(force.name, units) if units else None


def spares_marsch_units(role: Role, units: Sequence[CombatUnit], toll: Toll, marsch_first: str) -> bool:
    """Return whether the next step loss is the first of an attack, which Marsch units do not take.

    Artillery eliminated in a retreat does not count as a loss.

    `units`: the units of the side as they are now.
    `marsch_first`: ruling marsch-first: by `others` even units with a single step left take that loss for Marsch units.

    Rule: 23.8
    """
    steps_lost = dict(toll.steps)
    is_first = not any(unit.id in steps_lost for unit in units if unit.arm != "artillery")
    can_others = marsch_first == "others" or any(unit.left > 1 for unit in units if not is_marsch(unit))
    return role == "attacker" and is_first and can_others


class Piece(msgspec.Struct, frozen=True):
    """A unit on the map."""

    id: str
    side: str
    place: str
    arm: str
    zoned: bool = False
    """Whether it has a zone of control."""
    room: Fraction = Fraction(0)
    """Its stacking value in divisions."""
    guns: int = 0
    """Its stacking value in artillery units, 0 or 1."""
    turns: int = 0
    """The number of further step losses that turns it to its reduced side, or 0 if it cannot turn."""
    turned_room: Fraction = Fraction(0)
    """Its stacking value in divisions on its reduced side."""


def _read_piece(view: View, unit: str, place: str) -> Piece:
    """Return a unit on the map as the position states it.

    Rule: 4.2
    """
    arm = view.word("arm", unit)
    entrained = view.flag("entrained", unit)
    zoned = exerts_zone(arm, entrained=entrained)
    guns = int(arm == "artillery" and not entrained)
    piece = Piece(unit, view.side_of(unit), place, arm, zoned, guns=guns)
    return piece if entrained else _add_room(view, piece)


def _add_room(view: View, piece: Piece) -> Piece:
    if piece.arm in SUPPLY_ARMS:
        return replace(piece, room=Fraction(1, 2))
    unit = piece.id
    size = view.word("size", unit)
    steps = read_steps(view, unit)
    stacked = CombatUnit(unit, "", piece.arm, size, True, "")
    half = stacking_value(replace(stacked, reduced=True))
    if steps.side != "front":
        return replace(piece, room=half)
    # the unit turns over once it has no more steps left than its reduced side
    turns = steps.printed - steps.lost - steps.behind if 0 < steps.behind < steps.printed else 0
    return replace(piece, room=stacking_value(stacked), turns=turns, turned_room=half)


def unit_of(view: View, name: str) -> CombatUnit:
    """Return a unit as the position states it.

    Raises MissingFacts if a fact of the unit is not stated.
    """
    with view.gather() as facts:
        return gather_unit(facts, view.unit(name), None)


def _find_supply(view: View, pieces: Mapping[str, Piece], side: str) -> Supply:
    supply: dict[tuple[str, str], dict[str, tuple[Unit, str]]] = {}
    for piece in pieces.values():
        if piece.side == side and piece.arm in SUPPLY_ARMS:
            corps, army = corps_and_army(view, piece.id)
            for key in (("corps", corps), ("army", army)):
                supply.setdefault(key, {})[piece.id] = (view.unit(piece.id), piece.arm)
    return supply


class Pieces:
    """All pieces of a position and the terrain under them, with results cached."""

    def __init__(self, view: View, known: Pieces | None = None, divergence: Divergence = NOTHING) -> None:
        """Read the pieces on the map.

        `known`: the pieces of a similar position; its units are reused.
        `divergence`: the units in which the two positions differ.
        """
        self.view = view
        # never taken from `known`, because retreats read fortress units of this view from it
        self.terrain = Terrain(view)
        before: Mapping[str, Piece] = known.by_id if known else {}
        same = {name: piece for name, piece in before.items() if name not in divergence.units}
        on_map = ((unit.id, unit.place) for unit in view.units() if unit.place and view.board.is_hex(unit.place))
        self.by_id: dict[str, Piece] = {
            name: same.get(name) or _read_piece(view, name, place) for name, place in on_map
        }
        self._layouts: dict[tuple[Moves, frozenset[str]], Layout] = {}
        self._supply = cache(partial(_find_supply, view, self.by_id))

    def layout(self, moved: Moves, lost: Amounts = ()) -> Layout:
        """Return the places of all pieces after moves.

        `lost`: steps that units have lost, which may turn them to their reduced sides (3.4.1).
        """
        return self.arranged(moved, frozenset(name for name, steps in lost if 0 < self.by_id[name].turns <= steps))

    def after(self, toll: Toll) -> Layout:
        """Return the places of all pieces after the costs of a combat so far."""
        return self.layout(toll.moved, toll.steps)

    def arranged(self, moved: Moves, turned: frozenset[str]) -> Layout:
        """Return the places of all pieces after moves.

        `turned`: ids of the units that have turned to their reduced sides.
        """
        if (moved, turned) not in self._layouts:
            self._layouts[moved, turned] = Layout(self, moved, turned)
        return self._layouts[moved, turned]

    def sources(self, force: Force) -> dict[str, str]:
        """Return the known Corps Trains and depots from which a Force may draw supply, by id, each with its hex."""
        corps, army = corps_and_army(self.view, force.name)
        supply = self._supply(self.by_id[force.name].side)
        # other supply units would not pass `may_draw`, which requires the same corps or army
        candidates = {**supply.get(("corps", corps), {}), **supply.get(("army", army), {})}
        return {
            unit.id: str(unit.place)
            for unit, arm in candidates.values()
            if may_draw(corps, army, arm, *corps_and_army(self.view, unit.id))
        }

    @cached_property
    def trains(self) -> Mapping[str, tuple[str, ...]]:
        trains = dict[str, tuple[str, ...]]()
        for piece in self.by_id.values():
            if piece.arm == "corps-train" and retreats_with_stack(self.view, piece.id):
                trains[piece.place] = (*trains.get(piece.place, ()), piece.id)
        return trains

    def is_agreed(self, ruling: str) -> bool:
        return ruling in self.view.state.rulings

    @cached_property
    def turns_back(self) -> bool:
        """Whether a stack may retreat into the hex that it has just left (ruling way-back)."""
        return self.view.ruling("way-back", self.is_agreed("way-back")) == "yes"

    @cached_property
    def may_leave(self) -> bool:
        """Whether a stack may leave the map although another hex is open to it (ruling off-map-retreat)."""
        return self.view.ruling("off-map-retreat", self.is_agreed("off-map-retreat")) == "choice"


class Layout:
    """The places of all pieces at one moment of a combat."""

    def __init__(self, pieces: Pieces, moved: Moves, turned: frozenset[str] = frozenset()) -> None:
        self.pieces = pieces
        self.moved = moved
        self.turned = turned
        self.where = {piece.id: piece.place for piece in pieces.by_id.values()} | dict(moved)
        self._zones: dict[str, frozenset[str]] = {}
        self._grounds: dict[tuple[tuple[str, ...], str], RetreatGround] = {}

    def ground(self, forces: tuple[Force, ...], origin: str) -> RetreatGround:
        """Return the ground for Forces that retreat together.

        `origin`: the hex of the Forces in the combat.
        """
        units = [unit for force in forces for unit in force.units]
        names = tuple(unit.id for unit in units)
        if (names, origin) not in self._grounds:
            pieces = self.pieces
            side = pieces.by_id[names[0]].side
            self._grounds[names, origin] = RetreatGround(
                terrain=pieces.terrain,
                side=side,
                origin=origin,
                enemies=self.enemies(side),
                enemy_zones=self.enemy_zones(side),
                friends=self.friends(side, names),
                sources=frozenset(self._list_sources(forces)),
                areas=self._list_areas(units),
                garrisoned=any(unit.garrison for unit in units),
                abandoned=self.abandoned(side),
                turns_back=pieces.turns_back,
                nations=frozenset(unit.nation for unit in units),
                fischer=any(is_of_fischer(unit.id, unit.corps) for unit in units),
                may_leave=pieces.may_leave,
            )
        return self._grounds[names, origin]

    def _list_sources(self, forces: Iterable[Force]) -> Iterator[str]:
        """Yield the hexes of the Forces' supply sources, except Corps Trains that retreat with them."""
        for force in forces:
            first_unit = force.units[0].id
            here = self.where[first_unit]
            trains = self.pieces.trains.get(self.pieces.by_id[first_unit].place, ())
            for source, place in self.pieces.sources(force).items():
                if not (source in trains and self.where[source] == here):
                    yield place

    def _list_areas(self, units: Sequence[CombatUnit]) -> tuple[frozenset[str] | None, ...]:
        """Return the Areas of Attachment of a stack's armies, with None for each unstated area.

        Asset Units count only if the stack has no formation.
        """
        view = self.pieces.view
        formations = [unit for unit in units if unit.formation] or units
        return tuple(dict.fromkeys(area(view, army_of(view, unit.id)) for unit in formations))

    def forces_at(self, place: str) -> tuple[Force, ...]:
        """Return the Forces now at a place, with ratings and losses of units as the position states them."""
        names = (piece.id for piece in self.at(place) if piece.arm in FIELD_ARMS)
        return forces([unit_of(self.pieces.view, name) for name in names])

    def at(self, place: str, without: Collection[str] = ()) -> Iterator[Piece]:
        by_id = self.pieces.by_id
        return (by_id[name] for name, where in self.where.items() if where == place and name not in without)

    def stands(self, unit: str, default: str) -> str:
        """Return the hex where a unit stands, or `default` if it is off the map."""
        place = self.where[unit]
        return place if self.pieces.view.board.is_hex(place) else default

    def enemies(self, side: str) -> frozenset[str]:
        return frozenset(self.where[piece.id] for piece in self._enemy_pieces(side)) - {""}

    def enemy_zones(self, side: str) -> frozenset[str]:
        if side not in self._zones:
            places = {self.where[piece.id] for piece in self._enemy_pieces(side) if piece.zoned} - {""}
            zones = (self.pieces.terrain.zone_from(place) for place in places)
            self._zones[side] = frozenset[str]().union(*zones)
        return self._zones[side]

    def friends(self, side: str, without: Collection[str]) -> frozenset[str]:
        pieces = self.pieces.by_id.values()
        places = {self.where[piece.id] for piece in pieces if piece.side == side and piece.id not in without}
        return frozenset(places - {""})

    def abandoned(self, side: str) -> frozenset[str]:
        """Return the hexes that all enemies of a side have left in a retreat, rather than by elimination (11.2.2)."""
        by_id = self.pieces.by_id
        hexes_left = {by_id[name].place for name, where in self.moved if where and by_id[name].side != side}
        return frozenset(hexes_left - self.enemies(side))

    def _enemy_pieces(self, side: str) -> list[Piece]:
        return [piece for piece in self.pieces.by_id.values() if piece.side not in ("", side)]

    def without(self, units: Collection[str]) -> Layout:
        moved = dict(self.moved) | dict.fromkeys(units, "")
        return self.pieces.arranged(tuple(sorted(moved.items())), self.turned)

    def holds(self, coming: Iterable[str], place: str) -> bool:
        """Return whether a place has room for the units `coming` beside the others there."""
        return not any(self.excess(place, coming))

    def excess(self, place: str, coming: Iterable[str]) -> tuple[Fraction, int]:
        """Return by how many divisions and artillery units a place exceeds its limits once more units stand there.

        A place off the map has no limits. Units of `coming` that already stand there count once.

        Rule: 4.2.3b
        """
        if not self.pieces.view.board.is_hex(place) or self.pieces.terrain.is_off_map(place):
            return Fraction(0), 0
        names = frozenset(coming)
        return beyond_limits([*self.at(place, names), *(self.pieces.by_id[name] for name in names)], self.turned)


def beyond_limits(there: Sequence[Piece], turned: Collection[str] = ()) -> tuple[Fraction, int]:
    """Return by how many divisions and artillery units the pieces of a hex exceed its limits.

    `turned`: ids of the pieces that have turned to their reduced sides.

    Rule: 4.2.1
    """
    room = sum((piece.turned_room if piece.id in turned else piece.room for piece in there), Fraction(0))
    return max(room - MAX_DIVISIONS, Fraction(0)), max(sum(piece.guns for piece in there) - MAX_GUNS, 0)


def keep_attached(view: View, force: Force, unit: CombatUnit, others: Iterable[str]) -> list[Change]:
    """Return the changes that keep an Asset Unit attached to its formation at the end of a retreat.

    Returns [] if its attachment is stated already, or if no other formation of its nation is in the hex.

    `force`: the Force with which the unit has retreated.
    `others`: ids of the units in the hex where it ends.

    Rule: 11.2.1a
    """
    own = force.formation
    if own is None or unit.formation or unit.with_ == own.id:
        return []
    compatriots = (other for other in others if view.word("nation", other) == unit.nation)
    combat_units = (other for other in compatriots if view.word("arm", other) in COMBAT_ARMS)
    formations = sum(not is_asset_unit(view, other) for other in combat_units)
    return [changed(view, "with", unit.id, own.id, "11.2.1")] if formations > 1 else []
