"""Units on the map and their zones of control, and the units that a question is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Set
from copy import copy
from functools import cached_property, partial
from typing import NamedTuple

from ...asking.view import Gather, View
from ...mechanics.tracing import zone
from ...state.differences import Divergence
from ...state.state import Unit, hexside
from ...util.errors import InputError
from .hexsides import Hexside


def side_of(facts: Gather, unit: Unit) -> str:
    """Return the side that a unit fights on, or "" while its nation is missing. The nation is then asked for."""
    nation = facts.word(facts.view.game.file.picture.nation, unit.id)
    return facts.view.game.side_of(nation) if nation else ""


def closed_hexes(enemies: Collection[str], enemy_zones: Collection[str], negated: Collection[str]) -> frozenset[str]:
    """Return the hexes that no line or route may enter: hexes of enemies, and hexes in their zones.

    `negated`: hexes where enemy zones do not count, such as hexes of friends.
    """
    return frozenset(enemies) | (frozenset(enemy_zones) - frozenset(negated))


class PlaceZone(NamedTuple):
    """A place with its own zone of control, whichever units stand there, such as a printed fortress."""

    at: str
    """The hex of the place."""
    side: str
    name: str
    """The place's name in answers, such as "the fortress in 4025"."""
    hexes: frozenset[str]
    """The hexes in the zone of the place."""
    assumed: bool = False
    """Whether the zone is assumed because it is not stated."""


class Field:
    """The units on the map by side, of any number of sides, and the hexes in their zones of control.

    Arms and hexsides are read when a zone is asked for. Ask within the gathering block: after it, a missing fact raises
    MissingFacts at once.
    """

    def __init__(
        self,
        facts: Gather,
        exerts: Callable[[Gather, Unit], bool],
        between: Callable[[str, str], Hexside],
        crossed: Callable[[Hexside], bool],
        *,
        places: Iterable[PlaceZone] = (),
        without: Collection[str] = (),
        near: Collection[str] | None = None,
        known: tuple[Field, Divergence] | None = None,
    ) -> None:
        """Set up the field with the rules of a game.

        `exerts`: returns whether a unit has a zone.
        `crossed`: returns whether zones reach across a hexside.
        `places`: places with a zone of their own.
        `without`: ids of units to leave out.
        `near`: the only places to read, or None for all.
        `known`: the field of an earlier view, and what differs.
        """
        self.view = facts.view
        self._facts = facts
        self._exerts = exerts
        self._between = between
        self._crossed = crossed
        self._units: dict[str, list[Unit]] = {}
        self._exerting: dict[str, bool] = {}
        self._reaches: dict[tuple[str, str], tuple[bool, bool]] = {}
        self._unstated: dict[str, set[str]] = {}
        self._around: dict[str, SideField] = {}
        self._zones: dict[str, frozenset[str]] = {}  # only hexes whose hexsides are all stated
        if known is not None:
            self._take_over(*known)
        for unit in self.view.units():
            if unit.place is None or unit.id in without or (near is not None and unit.place not in near):
                continue
            if side := side_of(facts, unit):
                self._units.setdefault(side, []).append(unit)
        self.places = tuple(places)
        for place in self.places:
            self._units.setdefault(place.side, [])

    def _take_over(self, known: Field, apart: Divergence) -> None:
        """Take over the facts that another field has read, except at the differences.

        The positions of units do not affect the reach of zones.
        """
        hexes = {at for _, subject in apart.facts for at in subject.split("|")}
        beside = self.view.board.neighbours
        self._exerting = {name: has for name, has in known._exerting.items() if name not in apart.units}
        self._reaches = {pair: reach for pair, reach in known._reaches.items() if hexes.isdisjoint(pair)}
        self._zones = {
            at: reached for at, reached in known._zones.items() if not hexes or hexes.isdisjoint((at, *beside(at)))
        }

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that have units on the map, or places with zones of their own."""
        return tuple(self._units)

    @property
    def all_units(self) -> list[tuple[Unit, str]]:
        """The units of all sides on the map, each with its side."""
        return [(unit, side) for side in self._units for unit in self._units[side]]

    def units(self, side: str) -> tuple[Unit, ...]:
        """Return the units of a side on the map."""
        return tuple(self._units.get(side, ()))

    def holds(self, side: str) -> frozenset[str]:
        """Return the places that units of a side occupy."""
        return frozenset(str(unit.place) for unit in self.units(side))

    def enemy(self, side: str) -> frozenset[str]:
        """Return the places that enemies of a side occupy."""
        return frozenset[str]().union(*(self.holds(other) for other in self.enemies_of(side)))

    def enemies_of(self, side: str) -> tuple[str, ...]:
        """Return the other sides."""
        return tuple(other for other in self._units if other != side)

    def zone(self, side: str, only: Callable[[Unit], bool] | None = None) -> frozenset[str]:
        """Return the hexes in the zones of control of a side.

        `only`: returns whether a unit counts. If it is given, places with zones of their own do not count.
        """
        exerting = [unit for unit in self.units(side) if self.has_zone(unit) and (only is None or only(unit))]
        own = self.zone_of(side, dict.fromkeys(str(unit.place) for unit in exerting))
        return own.union(*(place.hexes for place in self.places if place.side == side and only is None))

    def zone_of(self, side: str, places: Iterable[str]) -> frozenset[str]:
        """Return the hexes in the zones that a side's units have from the given places."""
        return frozenset[str]().union(*(self._zones.get(place) or self._find_zone(side, place) for place in places))

    def _find_zone(self, side: str, place: str) -> frozenset[str]:
        """Return the hexes in the zone from a place, and keep them if all its hexsides are stated."""
        neighbours = self.view.board.neighbours(place)
        reached = zone([place], lambda at: neighbours, partial(self.extends, side))
        if all(self._reaches[place, other][1] for other in neighbours):
            self._zones[place] = reached
        return reached

    def enemy_zone(self, side: str, only: Callable[[Unit], bool] | None = None) -> frozenset[str]:
        """Return the hexes in the zones of control of all enemies of a side."""
        return frozenset[str]().union(*(self.zone(other, only) for other in self.enemies_of(side)))

    def enemies_at(self, side: str, place: str) -> tuple[Unit, ...]:
        """Return the enemies of a side that stand at a place."""
        return tuple(unit for other in self.enemies_of(side) for unit in self._units[other] if unit.place == place)

    def reaching(self, side: str, place: str) -> tuple[Unit, ...]:
        """Return the enemies of a side whose zones of control reach a place."""
        near = self.view.board.neighbours(place)
        exerting = (
            (unit, other) for other in self.enemies_of(side) for unit in self._units[other] if unit.place in near
        )
        return tuple(
            unit for unit, other in exerting if self.has_zone(unit) and self.extends(other, str(unit.place), place)
        )

    def places_reaching(self, side: str, at: str) -> tuple[PlaceZone, ...]:
        """Return the enemy places whose own zones of control reach a hex."""
        return tuple(place for place in self.places if place.side != side and at in place.hexes)

    def whose_zones(self, side: str, at: str) -> tuple[str, ...]:
        """Return the names of a side's enemies whose zones of control reach a hex: first units, then places."""
        places = (place.name for place in self.places_reaching(side, at))
        return (*(unit.id for unit in self.reaching(side, at)), *places)

    def read(self) -> Field:
        """Read the zones of every side now, to ask for all missing facts together, and return the field."""
        for side in self.sides:
            self.zone(side)
        return self

    def around(self, side: str) -> SideField:
        """Return the field as one side sees it."""
        if side not in self._around:
            self._around[side] = SideField(self, side)
        return self._around[side]

    def unstated(self, side: str) -> Set[str]:
        """Return the hexsides that a side's ZOC is assumed to cross because their features are not stated."""
        return self._unstated.get(side, frozenset())

    def has_zone(self, unit: Unit) -> bool:
        """Return whether a unit has a zone of control."""
        if unit.id not in self._exerting:
            self._exerting[unit.id] = self._exerts(self._facts, unit)
        return self._exerting[unit.id]

    def extends(self, side: str, here: str, there: str) -> bool:
        """Return whether a zone of a side reaches from a hex into the next, and record an unstated hexside."""
        if (here, there) not in self._reaches:
            between = self._between(here, there)
            self._reaches[here, there] = self._crossed(between), between.is_stated
        extends, is_stated = self._reaches[here, there]
        if not is_stated:
            self._unstated.setdefault(side, set()).add(hexside(here, there))
        return extends


class SideField:
    """The field as one side sees it: its friends, its enemies, and the zones of control of both."""

    def __init__(self, field: Field, side: str) -> None:
        self.field = field
        self.view = field.view
        self.side = side

    def read_from(self, view: View) -> SideField:
        """Return this field for another view.

        `view`: a view that differs in nothing on which zones depend.
        """
        other = copy(self)
        other.view = view
        return other

    @property
    def units(self) -> tuple[Unit, ...]:
        """The side's own units on the map."""
        return self.field.units(self.side)

    @cached_property
    def friends(self) -> frozenset[str]:
        """The places of the side's own units."""
        return self.field.holds(self.side)

    @cached_property
    def enemies(self) -> frozenset[str]:
        """The places of the side's enemies."""
        return self.field.enemy(self.side)

    @cached_property
    def friendly_zones(self) -> frozenset[str]:
        """The hexes in the side's own zones of control."""
        return self.field.zone(self.side)

    @cached_property
    def enemy_zones(self) -> frozenset[str]:
        """The hexes in enemy zones of control."""
        return self.field.enemy_zone(self.side)

    @cached_property
    def closed(self) -> frozenset[str]:
        """The hexes closed to the side's lines and routes: those of enemies, and in enemy ZOC without a friendly unit."""
        return closed_hexes(self.enemies, self.enemy_zones, self.friends)

    def next_to_enemy(self, place: str) -> bool:
        """Return whether an enemy is adjacent to a hex."""
        return not self.enemies.isdisjoint(self.view.board.neighbours(place))

    def nearest_enemy(self, place: str) -> int | None:
        """Return the distance in hexes to the nearest enemy, or None if there is none on the map."""
        board = self.view.board
        return min((board.distance(place, other) for other in self.enemies if board.is_hex(other)), default=None)

    def unstated(self, hexes: Collection[str]) -> list[str]:
        """Return the hexsides of the given hexes across which ZOC is only assumed, if it matters.

        Enemy ZOC always matters, the side's own only where it meets enemy ZOC.
        """
        theirs = [self.field.unstated(other) for other in self.field.enemies_of(self.side)]
        own = self.field.unstated(self.side)
        if not (own or any(theirs)):
            return []
        beside = {hexside(at, other) for at in hexes for other in self.view.board.neighbours(at)}
        met = {name for name in beside & own if not self.enemy_zones.isdisjoint(name.split("|"))}
        return sorted(name for name in beside if name in met or any(name in unstated for unstated in theirs))


# --- the side of the units that a question names ----------------------------------------------------------------------


def check_units(
    view: View, units: Collection[str], side: str, hint: str, placed: Callable[[str], bool] = lambda place: True
) -> None:
    """Raise InputError if a unit is not on the map or not of the side.

    `side`: the side, or "" for any.
    """
    for name in units:
        place = view.unit(name).place
        if place is None or not placed(place):
            raise InputError(f"{name} is not on the map", hint="state where it stands, or leave it out")
        if side and view.side_of(name) not in ("", side):
            raise InputError(f"{name} is not a unit of {view.game.file.the_side(side)}", hint=hint)


def sides_asked(view: View, side: str, units: Collection[str] = (), active: str = "") -> tuple[str, ...]:
    """Return the sides that a question is about.

    The named side comes first, then the sides of the named units, the viewpoint, the active side, or else all sides.
    """
    if units and not side:
        return tuple(dict.fromkeys(own for name in units if (own := view.side_of(name))))
    sides = tuple(view.game.file.sides)
    named = side or (view.state.seen_by if view.state.seen_by in sides else "") or active
    return (named,) if named else sides
