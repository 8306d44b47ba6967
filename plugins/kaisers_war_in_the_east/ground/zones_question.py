"""The question `zones`: whose zones of control reach which hexes (13, 20.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from assistant.field import Field
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    SideName,
    Step,
    View,
    declare,
    note,
    step,
    verdict,
)

from .zones import assume_zones, field, has_zone

if TYPE_CHECKING:
    from assistant.drawing.scene import Scene


class ZonesAsked(Parameters, frozen=True):
    """The hexes that are asked for."""

    at: Annotated[tuple[PlaceName, ...], note("the hexes; all that a zone reaches if left out")] = ()
    side: Annotated[SideName, note("whose zones; those of both sides if left out")] = ""


class ZoneHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex with the zones of one side that reach it."""

    hex: Annotated[str, note("its number")]
    side: Annotated[str, note("whose zones")]
    units: Annotated[tuple[str, ...], note("the units whose zones reach it; empty if none does")] = ()
    negated: Annotated[
        tuple[str, ...], note("units next to it whose zones a fortress or an all-sea hexside keeps out")
    ] = ()


class Zones(msgspec.Struct, frozen=True):
    """Zones of control."""

    hexes: Annotated[tuple[ZoneHex, ...], note("each hex and side; hexes without a zone only where they were named")]


def answer(view: View, parameters: ZonesAsked, answers: Answers) -> Report[Zones]:
    """The report on zones of control. Raises MissingFacts for what is not stated, InputError where no unit is on the map."""
    with view.gather() as facts:
        who = field(facts).read()
        sides = [parameters.side] if parameters.side else list(who.sides)
        if not sides or not any(who.units(side) for side in sides):
            raise InputError("no unit is on the map", hint="place units in hexes, or name another side")
        found = tuple(one for side in sides for one in zone_hexes(facts, who, side, parameters.at))
    assume_zones(view, dict.fromkeys(unit for one in found for unit in one.units))
    reached = {one.hex for one in found if one.units}
    return Report(
        title=f"Zones of control{' in ' + ', '.join(parameters.at) if parameters.at else ''}",
        verdict=verdict("figure", "{hexes:#hex} in zones of control", hexes=len(reached)),
        parts=tuple(Part(view.game.file.title_of(side), tuple(lines(found, side))) for side in sides),
        result=Zones(found),
    )


def zone_hexes(facts: Gather, who: Field, side: str, asked: tuple[str, ...]) -> Iterator[ZoneHex]:
    """The hexes that zones of a side reach, or those that are asked for."""
    others = [one for one in who.view.game.file.sides if one != side]
    for hex in asked or sorted(who.zone(side)):
        units = tuple(unit.id for unit in who.reaching(others[0], hex))
        near = who.view.board.neighbours(hex)
        beside = [unit for unit in who.units(side) if unit.place in near and has_zone(facts, unit)]
        negated = tuple(unit.id for unit in beside if unit.id not in units)
        yield ZoneHex(hex=hex, side=side, units=units, negated=negated)


def lines(found: tuple[ZoneHex, ...], side: str) -> Iterator[Step]:
    """The hexes of a side's zones in lines, one for each group of units."""
    groups = dict[tuple[str, ...], list[str]]()
    for one in found:
        if one.side == side:
            groups.setdefault(one.units, []).append(one.hex)
    for units, hexes in groups.items():
        text = "{places}: in the zone of {units}" if units else "{places}: in no zone"
        yield step("13.0", text, places=hexes, units=list(units))
    for one in found:
        if one.side == side and one.negated:
            yield step("13.2", "{hex}: no zone of {negated} reaches it", one)


def picture(view: View, found: Report[Zones]) -> Scene:
    """The hexes of the zones. Raises InputError if there are none."""
    from assistant.pictures.line import line_picture

    assert found.drawable is not None
    labels = dict[str, str]()
    for one in found.drawable.hexes:
        if one.units:
            labels[one.hex] = labels.get(one.hex, "") + view.game.file.title_of(one.side)[:1]
    placed = [unit.place for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
    caption = "a letter: in a zone of the side that begins with it"
    return line_picture(view, (), title=found.title, shown=[*placed, *labels], labels=labels, caption=caption)


QUESTION = declare("zones", "whose zones of control reach which hexes", answer, picture=picture)
