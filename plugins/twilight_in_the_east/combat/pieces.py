"""Who stands where while a combat is fought, on what ground, and what it has cost so far; Fortress Garrisons, which
keep to their fortress or Fortress Complex (12.4).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, note
from assistant.asking.view import View, changed
from assistant.mechanics.procedure import LookUp
from assistant.mechanics.tracing import zone
from assistant.rules.field import Hexside
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, is_asset_unit, may_draw
from ..forces.unit import gather_unit, read_steps
from ..forces.units import (
    DIVISIONS,
    GUNS,
    CombatUnit,
    Force,
    Role,
    forces,
    is_marsch,
    is_of_fischer,
    stacking_value,
)
from ..ground.edges import is_at_edge, lies_off_map
from ..ground.hexsides import between, do_zones_cross, exerts_zone, impassable, is_unbridged, lets_there_and_back
from ..terms import COMBAT_ARMS, FIELD_ARMS, FORTRESSES, OFF_MAP, SUPPLY_ARMS

MOUNTAINS = frozenset({"mountain", "high-mountain"})
Supply = Mapping[tuple[str, str], Mapping[str, tuple[Unit, str]]]
"""The supply units of a side with their arms, by id, by their corps and by their army."""
Moves = tuple[tuple[str, str], ...]
"""Units that stand elsewhere than in the position, each with its hex, `OFF_MAP` if they have left the map for good, ""
if they are eliminated."""
Steps = tuple[tuple[str, int], ...]
"""Steps that units have lost since the position."""
Amounts = tuple[tuple[str, int], ...]


class RetreatStep(NamedTuple):
    """What the way into the next hex means."""

    shut: str = ""
    """What nobody crosses."""
    into_sea: bool = False
    """Whether that hex is sea."""
    river: bool = False
    """Whether an un-bridged Major or Grand River is crossed."""
    mountains: bool = False
    """Whether artillery is lost."""
    unsaid: tuple[str, ...] = ()
    """What is not stated and assumed to be open."""


class Terrain:
    """The terrain as far as it is known, each hexside read once."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._passages: dict[tuple[str, str], RetreatStep] = {}
        self._neighbours: dict[str, tuple[str, ...]] = {}
        self._zones: dict[str, frozenset[str]] = {}
        self._friendly: dict[str, str | None] = {}
        self._off_map: dict[str, bool] = {}
        self.around: dict[Hashable, Any] = {}
        """What `retreat.hexes` has worked out over it, by the ground that a stack finds, its place and its way."""

    def neighbours(self, here: str) -> tuple[str, ...]:
        """Return the hexes around; none around a place off the map."""
        if here not in self._neighbours:
            board = self.view.board
            on_map = here != OFF_MAP and board.is_hex(here)
            self._neighbours[here] = tuple(board.neighbours(here)) if on_map else ()
        return self._neighbours[here]

    def passage(self, here: str, there: str) -> RetreatStep:
        """Return what the way into the next hex means."""
        if (here, there) not in self._passages:
            self._passages[here, there] = passage(between(self.view, here, there))
        return self._passages[here, there]

    def is_at_edge(self, place: str) -> bool:
        """Return whether a hex lies at an edge of the map."""
        return place != OFF_MAP and self.view.board.is_hex(place) and is_at_edge(self.view, place)

    def is_off_map(self, place: str) -> bool:
        """Return whether a unit that enters a place has left the map with that."""
        if place not in self._off_map:
            self._off_map[place] = lies_off_map(self.view, place)
        return self._off_map[place]

    def zone_from(self, place: str) -> frozenset[str]:
        """Return the hexes in the zone of control of a unit at a place that has one."""
        if place not in self._zones:
            self._zones[place] = zone(
                [place], self.neighbours, lambda here, there: do_zones_cross(between(self.view, here, there))
            )
        return self._zones[place]

    def controller(self, place: str) -> str | None:
        """Return the side that is said to control a hex, None if that is not stated."""
        if place not in self._friendly:
            fact = self.view.fact("control", place)
            self._friendly[place] = None if fact is None else str(fact.value)
        return self._friendly[place]


def passage(over: Hexside) -> RetreatStep:
    """Return what crossing a hexside means to a stack that retreats over it. Rule: 11.2.4a"""
    lets = lets_there_and_back(over)
    unstated = []
    if not over.enters:
        unstated.append(f"terrain of {over.there}")
    if not over.is_stated:
        unstated.append(f"hexside {over.name}")
    if lets is None:
        unstated.append("the movement cost of high-mountain")
    shut = impassable(over, "retreat")
    into_sea = over.enters == "sea"
    return RetreatStep(shut, into_sea, is_unbridged(over), through_mountains(over), tuple(unstated))


def through_mountains(over: Hexside) -> bool:
    """Return whether a way leads out of or into a Mountain hex or over a ridge, and along no road or RR line. Rule:
    11.2.4c
    """
    return bool(MOUNTAINS & {over.leaves, over.enters} or "ridge" in over.lies) and not over.linked


class RetreatGround(msgspec.Struct, frozen=True):
    """The ground as a retreating stack finds it."""

    terrain: Terrain
    side: str
    origin: Annotated[str, note("the hex of the combat")]
    enemies: Annotated[frozenset[str], note("hexes, like `enemy_zones`")]
    enemy_zones: frozenset[str]
    friends: Annotated[frozenset[str], note("hexes, its own only if a unit stays there")]
    sources: Annotated[frozenset[str], note("hexes of its supply sources")] = frozenset()
    areas: Annotated[tuple[frozenset[str] | None, ...], note("those of its armies, None where one is not stated")] = ()
    garrisoned: Annotated[bool, note("whether a Fortress Garrison is in it")] = False
    abandoned: Annotated[frozenset[str], note("hexes that enemies have left by a retreat in this combat")] = frozenset()
    turns_back: Annotated[bool, note("whether it may go back to the hex it has just left")] = False
    nations: Annotated[frozenset[str], note("of its units")] = frozenset()
    fischer: Annotated[bool, note("whether one is of Streifkorps Fischer")] = False
    may_leave: Annotated[bool, note("whether it may leave the map though another hex is open")] = False

    @property
    def view(self) -> View:
        """What is known."""
        return self.terrain.view

    def distance(self, here: str, there: str) -> int:
        """Return hexes between two places."""
        return self.view.board.distance(here, there)


def _supply_of(view: View, units: Iterable[Unit]) -> Supply:
    """Return the supply units among some units, by the commands that may draw on them."""
    supply: dict[tuple[str, str], dict[str, tuple[Unit, str]]] = {}
    for unit in units:
        if (arm := view.word("arm", unit.id)) in SUPPLY_ARMS:
            corps, army = corps_and_army(view, unit.id)
            for key in (("corps", corps), ("army", army)):
                supply.setdefault(key, {})[unit.id] = (unit, arm)
    return supply


def _sources_of_command(view: View, supply: Supply, corps: str, army: str) -> list[str]:
    """Return the hexes of the Corps Trains and the depots of a command, as far as they are known."""
    near = {**supply.get(("corps", corps), {}), **supply.get(("army", army), {})}
    drawn = (unit for unit, arm in near.values() if may_draw(corps, army, arm, *corps_and_army(view, unit.id)))
    return [str(unit.place) for unit in drawn]


def _sources_of(view: View, supply: Supply, retreating: Iterable[Force]) -> frozenset[str]:
    """Return the hexes of all supply sources of the commands of some Forces, as far as they are known."""
    commands = {corps_and_army(view, force.name) for force in retreating}
    return frozenset(place for command in commands for place in _sources_of_command(view, supply, *command))


def _areas_of(view: View, units: Sequence[CombatUnit]) -> tuple[frozenset[str] | None, ...]:
    """Return the Areas of Attachment of the armies of a stack, None where one is not stated; Asset Units go with their
    formations.
    """
    formations = [unit for unit in units if unit.formation] or units
    return tuple(dict.fromkeys(area(view, army_of(view, unit.id)) for unit in formations))


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


def pieces_of(view: View) -> Iterator[Piece]:
    """Yield the units on the map, as far as they are known. Rule: 4.2"""
    for unit in view.units():
        if unit.place is None or not view.board.is_hex(unit.place):
            continue
        arm = view.word("arm", unit.id)
        entrained = view.flag("entrained", unit.id)
        zoned = exerts_zone(arm, entrained)
        guns = int(arm == "artillery" and not entrained)
        piece = Piece(unit.id, view.side_of(unit.id), unit.place, arm, zoned, guns=guns)
        yield piece if entrained else _add_room(view, piece)


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


class Pieces:
    """All pieces of a position, and the terrain under them. What has been read or worked out once is kept."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.terrain = Terrain(view)
        self.pieces = {piece.id: piece for piece in pieces_of(view)}
        self._layouts: dict[tuple[Moves, frozenset[str]], Layout] = {}

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

    def sources(self, force: Force) -> list[str]:
        """Return the hexes of the supply sources of a Force's command, as far as they are known."""
        supply = self._supply(self.pieces[force.name].side)
        command = corps_and_army(self.view, force.name)
        return _sources_of_command(self.view, supply, *command)

    @property
    def look_up(self) -> LookUp:
        """The cells of the game's charts."""
        return self.view.cell

    def ruling(self, name: str, matters: bool) -> str:
        """Return the reading of a doubtful rule that holds, the usual one where it does not matter."""
        return self.view.ruling(name, matters)

    def is_agreed(self, ruling: str) -> bool:
        """Return whether the players have agreed on a reading of a doubtful rule."""
        return ruling in self.view.state.rulings

    def unit(self, name: str) -> CombatUnit:
        """Return a unit as the position has it. Raises MissingFacts for what is not stated of it."""
        return unit_of(self.view, name)

    def forces_at(self, place: str, layout: Layout) -> tuple[Force, ...]:
        """Return the Forces that stand at a place, with the status that the position gives them. layout: where all
        stand.
        """
        there = (piece.id for piece in layout.at(place) if piece.arm in FIELD_ARMS)
        return forces([self.unit(name) for name in there])

    @cached_property
    def ways_back(self) -> bool:
        """Whether a stack may go back to the hex that it has just left."""
        return self.ruling("way-back", self.is_agreed("way-back")) == "yes"

    @cached_property
    def may_leave(self) -> bool:
        """Whether a stack may leave the map though another hex is open to it."""
        return self.ruling("off-map-retreat", self.is_agreed("off-map-retreat")) == "choice"

    def _supply(self, side: str) -> Supply:
        own = (piece.id for piece in self.pieces.values() if piece.side == side)
        return _supply_of(self.view, [self.view.unit(name) for name in own])

    def ground(self, layout: Layout, forces: tuple[Force, ...], origin: str) -> RetreatGround:
        """Return the ground as some Forces find it that retreat together. origin: the hex where they were in the
        combat.
        """
        units = [unit for force in forces for unit in force.units]
        going = frozenset(unit.id for unit in units)
        side = self.pieces[units[0].id].side
        return RetreatGround(
            self.terrain,
            side,
            origin,
            layout.enemies(side),
            layout.enemy_zones(side),
            layout.friends(side, going),
            _sources_of(self.view, self._supply(side), forces),
            _areas_of(self.view, units),
            any(unit.garrison for unit in units),
            layout.abandoned(side),
            self.ways_back,
            frozenset(unit.nation for unit in units),
            any(is_of_fischer(unit.id, unit.corps) for unit in units),
            self.may_leave,
        )


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
        """Return the ground as some Forces find it that retreat together."""
        key = tuple(unit.id for force in forces for unit in force.units), origin
        if key not in self._grounds:
            self._grounds[key] = self.pieces.ground(self, forces, origin)
        return self._grounds[key]

    def at(self, place: str, without: Collection[str] = ()) -> Iterator[Piece]:
        """Return the pieces at a place but for some."""
        every = self.pieces.pieces
        return (every[name] for name, where in self.where.items() if where == place and name not in without)

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


class Toll(msgspec.Struct, frozen=True):
    """What a combat has cost so far."""

    moved: Annotated[tuple[tuple[str, str], ...], note('units that are elsewhere now, "" if they are eliminated')] = ()
    steps: Annotated[Amounts, note("lost, by unit")] = ()
    levels: Annotated[Amounts, note("lost, by the formation")] = ()
    disorder: Annotated[Amounts, note("the degree that a formation has now")] = ()
    hexes: Annotated[
        Amounts, note("that each Force has had to retreat by the result and its check, without those for want of room")
    ] = ()
    pushed: Annotated[Amounts, note("likewise, away from a Repulse")] = ()
    led: Annotated[Amounts, note("in how many Repulses each leader has been used")] = ()

    def and_steps(self, more: Mapping[str, int]) -> Toll:
        """Return the toll with more steps lost."""
        return replace(self, steps=add_amounts(self.steps, more))

    def and_levels(self, more: Mapping[str, int]) -> Toll:
        """Return the toll with more levels lost."""
        return replace(self, levels=add_amounts(self.levels, more))

    def and_hexes(self, more: Mapping[str, int], *, pushed: bool) -> Toll:
        """Return the toll with more hexes that Forces have had to retreat. pushed: whether away from a Repulse."""
        if pushed:
            return replace(self, pushed=add_amounts(self.pushed, more))
        return replace(self, hexes=add_amounts(self.hexes, more))

    def and_led(self, leaders: Iterable[str]) -> Toll:
        """Return the toll after one more Repulse in which some leaders have been used."""
        return replace(self, led=add_amounts(self.led, dict.fromkeys(leaders, 1)))

    def and_moved(self, more: Mapping[str, str]) -> Toll:
        """Return the toll with units moved."""
        return replace(self, moved=tuple(sorted({**dict(self.moved), **more}.items()))) if more else self

    def of(self, units: Iterable[CombatUnit]) -> Toll:
        """Return what it has cost some units, wherever they stand on the map."""
        names = {unit.id for unit in units}
        steps = tuple(amount for amount in self.steps if amount[0] in names)
        levels = tuple(amount for amount in self.levels if amount[0] in names)
        departed = tuple(move for move in self.moved if move[0] in names and move[1] == OFF_MAP)
        return Toll(departed, steps, levels)


def add_amounts(amounts: Amounts, more: Mapping[str, int]) -> Amounts:
    """Return two lists of amounts together."""
    total = dict(amounts)
    for name, amount in more.items():
        if amount:
            total[name] = total.get(name, 0) + amount
    return tuple(sorted(total.items()))


def units_after(units: Iterable[CombatUnit], toll: Toll) -> tuple[CombatUnit, ...]:
    """Return units as the combat has left them so far, those without a step left among them, which those count with
    that have left the map for good.
    """
    departed = {name for name, place in toll.moved if place == OFF_MAP}
    if not (toll.steps or toll.levels or toll.disorder or departed):
        return tuple(units)
    steps = dict(toll.steps)
    levels = dict(toll.levels)
    disorder = dict(toll.disorder)
    struck = departed.union(steps, levels, disorder)
    after = []
    for unit in units:
        if unit.id in struck:
            lost = unit.steps if unit.id in departed else min(unit.lost + steps.get(unit.id, 0), unit.steps)
            fallen = unit.levels + levels.get(unit.id, 0)
            unit = replace(unit, lost=lost, levels=fallen, disorder=disorder.get(unit.id, unit.disorder))
        after.append(unit)
    return tuple(after)


def remaining_force(force: Force, toll: Toll) -> Force | None:
    """Return a Force as the combat has left it so far, None if nothing is, or all have left the map (1.2.2)."""
    off = {name for name, place in toll.moved if not place}
    units = tuple(unit for unit in units_after(force.units, toll) if unit.left > 0 and unit.id not in off)
    return Force(force.name, units) if units else None


def spares_marsch_units(role: Role, units: Sequence[CombatUnit], toll: Toll, marsch_first: str) -> bool:
    """Return whether the next step loss is the first of an attack, which goes to others than Marsch units; artillery
    that a retreat eliminates is no loss that an owner assigns.

    units: of the side, as they are now; marsch_first: ruling, whether units with a single step left take that loss for
    them.
    Rule: 23.8
    """
    lost = dict(toll.steps)
    begun = any(unit.id in lost for unit in units if unit.arm != "artillery")
    able = marsch_first == "others" or any(unit.left > 1 for unit in units if not is_marsch(unit))
    return role == "attacker" and not begun and able


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


def garrison_move(inside: bool, required: bool, can_stay: bool) -> Literal["free", "barred", "released"]:
    """Return what entering a hex means to a Fortress Garrison: within its complex it is free; out of it only a retreat
    to which no hex of the complex is open takes and releases it.

    inside: whether the hex is the fortress unit's own or of its complex; required: whether it must leave its hex.
    Rule: 12.4.1
    """
    if inside:
        return "free"
    return "released" if required and not can_stay else "barred"


def is_inside(view: View, here: str, there: str) -> bool:
    """Return whether a hex is the one where a garrison stands, or one of its Fortress Complex: fortress units of one
    ID. An ID that is not stated joins no complex.
    """
    begun = {view.word("complex", unit) for unit in fortress_units_at(view, here)} - {""}
    reached = {view.word("complex", unit) for unit in fortress_units_at(view, there)}
    return here == there or not begun.isdisjoint(reached)


def known_inside(facts: Gather, here: str, there: str) -> bool:
    """Return whether a hex is inside as `is_inside` has it, the IDs being asked for on which that turns: where a
    fortress unit stands in either hex.
    """
    begun = fortress_units_at(facts.view, here)
    reached = fortress_units_at(facts.view, there)
    if here != there and begun and reached:
        for unit in (*begun, *reached):
            facts.word("complex", unit)
    return is_inside(facts.view, here, there)


def release_garrison(view: View, unit: str, here: str, there: str) -> list[Change]:
    """Return the change to a unit that must go from one hex to another and is a Fortress Garrison no more out of its
    complex (12.4.1).
    """
    move = garrison_move(is_inside(view, here, there), required=True, can_stay=False)
    leaves = view.flag("garrison", unit) and move == "released"
    return [changed(view, "garrison", unit, None, "12.4.1")] if leaves else []


def fortress_units_at(view: View, place: str) -> list[str]:
    """Return the fortress units at a place, Fortresses and Forts. Rule: 2.2e"""
    return [unit.id for unit in view.stack(place) if view.word("arm", unit.id) in FORTRESSES]
