"""The question `zones`: hexes in zones of control, the units that exert them, and hexes not reached."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated

import msgspec

from ..asking.question import Parameters, PlaceName, Question, SideName, declare
from ..asking.report import Part, Report, Step, step, verdict
from ..asking.sketch import Sketch, ZoneHexes, sketch_of
from ..asking.view import Gather, View
from ..state.state import Unit
from ..state.vocabulary import HexNumber
from ..util.errors import InputError
from ..util.notes import note
from .field import Field, SideField


class ZonesAsked(Parameters, frozen=True):
    """The hexes that the question `zones` is about."""

    at: Annotated[tuple[PlaceName, ...], note("the hexes; all that a zone reaches if left out")] = ()
    side: Annotated[SideName, note("whose zones of control; those of all sides if left out")] = ""


class ZoneHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex with the zones of one side that reach it."""

    hex: HexNumber
    side: Annotated[str, note("whose zones")]
    units: Annotated[tuple[str, ...], note("the units whose zones reach the hex; empty if none does")] = ()
    places: Annotated[tuple[str, ...], note("the places, such as a fortress, whose own zones reach the hex")] = ()
    negated: Annotated[tuple[str, ...], note("adjacent units whose zones do not reach the hex")] = ()

    @property
    def exerting(self) -> tuple[str, ...]:
        """The names of the units and places whose zones reach the hex."""
        return (*self.units, *self.places)


class Zones(msgspec.Struct, frozen=True):
    """Zones of control."""

    hexes: Annotated[tuple[ZoneHex, ...], note("each hex and side; hexes in no zone only if they were named")]


Assume = Callable[[Field, Sequence[ZoneHex]], None]
"""A function that records in the report the assumptions about zones."""


def by_side(assume: Callable[[SideField, Collection[str]], None]) -> Assume:
    """Return a function that records, for each side, the assumptions about its enemies' zones.

    `assume`: records the assumptions about the zones in some hexes, for one side.
    """

    def assume_all(who: Field, zones: Sequence[ZoneHex]) -> None:
        for side in who.view.game.file.sides:
            assume(who.around(side), [zone.hex for zone in zones if zone.side != side])

    return assume_all


def zones_question(
    field: Callable[[Gather], Field], rule: str, unreached_rule: str, assume: Assume
) -> Question[ZonesAsked, Zones]:
    """Return the question `zones` of a game.

    `assume`: is called with the zones found.
    """

    def answer(view: View, parameters: ZonesAsked) -> Report[Zones]:
        with view.gather() as facts:
            who = field(facts).read()
            sides = [parameters.side] if parameters.side else list(who.sides)
            if not (parameters.at or who.places or any(map(who.units, sides))):
                whose = f" of {view.game.file.the_side(parameters.side)}" if parameters.side else ""
                raise InputError(f"no unit{whose} stands on the map", hint="place units in hexes, or name another side")
            by_side = {side: tuple(_find_hexes(who, side, parameters.at)) for side in sides}
        every = tuple(zone for hexes in by_side.values() for zone in hexes)
        inside = {zone.hex for zone in every if zone.exerting}
        assume(who, every)
        return Report(
            title=f"Zones of control{' in ' + ', '.join(parameters.at) if parameters.at else ''}",
            verdict=verdict("figure", "{hexes:#hex} in zones of control", hexes=len(inside)),
            parts=tuple(
                Part(view.title_of(side), tuple(_list_zone_steps(hexes, rule, unreached_rule)))
                for side, hexes in by_side.items()
            ),
            result=Zones(every),
        )

    return declare("zones", "whose zones of control reach which hexes", answer, sketch=sketch_zones)


def _find_hexes(who: Field, side: str, asked: Sequence[str]) -> Iterator[ZoneHex]:
    """Yield the hexes asked about with the zones of a side, or all that its zones reach."""
    board = who.view.board
    standing = dict[str, list[Unit]]()
    order = dict[Unit, int]()
    for unit in who.units(side):
        order[unit] = len(order)
        standing.setdefault(unit.place or "", []).append(unit)
    for at in asked or sorted(who.zone(side)):
        near = (unit for place in board.neighbours(at) for unit in standing.get(place, ()))
        beside = sorted(filter(who.has_zone, near), key=order.__getitem__)
        units = tuple(unit.id for unit in beside if who.extends(side, unit.place or "", at))
        negated = tuple(other.id for other in beside if other.id not in units)
        places = tuple(place.name for place in who.places if place.side == side and at in place.hexes)
        yield ZoneHex(hex=at, side=side, units=units, places=places, negated=negated)


def _list_zone_steps(zones: Sequence[ZoneHex], rule: str, unreached_rule: str) -> Iterator[Step]:
    groups = dict[tuple[str, ...], list[str]]()
    for zone in zones:
        groups.setdefault(zone.exerting, []).append(zone.hex)
    for units, hexes in groups.items():
        text = "{places}: in the zone of {units}" if units else "{places}: in no zone"
        yield step(rule, text, places=hexes, units=list(units))
    for zone in zones:
        if zone.negated:
            yield step(unreached_rule, "{hex}: no zone of {negated} reaches it", zone)


def sketch_zones(view: View, report: Report[Zones]) -> Sketch:
    """Return the picture of each side's zones, hatched, with all units."""
    hexes = dict[str, set[str]]()
    for zone in report.shown.hexes:
        if zone.exerting:
            hexes.setdefault(zone.side, set()).add(zone.hex)
    placed = [unit.place for unit in view.units() if view.board.is_hex(unit.place)]
    return sketch_of(
        view,
        report,
        zones=tuple(ZoneHexes(side=side, hexes=frozenset(of_side)) for side, of_side in hexes.items()),
        focus=tuple(dict.fromkeys([*placed, *(hex for of_side in hexes.values() for hex in of_side)])),
    )
