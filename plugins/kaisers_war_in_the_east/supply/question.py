"""The question `supply`: who is in General Supply, along which hexes, why not, and whom Offensive Supply reaches (17)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Annotated

from assistant.field import Around
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    MissingFacts,
    Parameters,
    Report,
    SideName,
    UnitName,
    View,
    declare,
    note,
)
from assistant.questions.report import Ask
from assistant.state.state import Unit

from ..ground.countries import at_war
from ..ground.zones import field
from .general import Sources, asks, general, sources_of
from .offensive import Offensive, offensive
from .reach import grant
from .report import SideSupply, Supply, parts, said

if TYPE_CHECKING:
    from assistant.drawing.letters import Rows
    from assistant.drawing.scene import Scene


class SupplyAsked(Parameters, frozen=True):
    """The units whose supply is asked: one, several, or all of a side."""

    unit: Annotated[tuple[UnitName, ...], note("their ids; all units of the side on the map if left out")] = ()
    side: Annotated[
        SideName, note("whose units; if left out, those of the side whose player turn it is, or of both")
    ] = ""
    offensive: Annotated[
        bool, note("whether Offensive Supply is asked too; it is told anyway where the game turn is stated")
    ] = False


def answer(view: View, parameters: SupplyAsked, answers: Answers) -> Report[Supply]:
    """The report on supply.

    Raises InputError for a unit that is not on the map or not of the side, MissingFacts for what is not stated.
    """
    found, asked = list[SideSupply](), dict[str, Ask]()
    with view.gather() as facts:
        whose = sides_asked(view, parameters)
        for side in whose:
            told, open_asks = side_supply(facts, side, parameters)
            found += [told] if told.units else []
            asked |= {ask.name: ask for ask in open_asks}
    supply = Supply(tuple(found))
    if not supply.units:
        raise InputError("no unit is on the map", hint="place units in hexes, or name another side")
    for one in supply.units:
        grant(view, one.line if one.supplied else (), "17.3")
    names = ", ".join(parameters.unit) or " and ".join(view.game.file.title_of(side) for side in whose)
    return Report(
        title=f"Supply of {names}",
        verdict=said(supply.units),
        parts=tuple(part for one in supply.sides for part in parts(one, view.game.file.title_of(one.side))),
        asks=tuple(asked.values()),
        result=supply,
    )


def sides_asked(view: View, parameters: SupplyAsked) -> tuple[str, ...]:
    """The sides of the units that are asked for. Raises InputError for a unit that is not on the map or of another side."""
    for name in parameters.unit:
        if view.unit(name).place is None or not view.board.is_hex(str(view.unit(name).place)):
            raise InputError(f"{name} is not on the map", hint="state in which hex it stands, or leave it out")
        if parameters.side and view.side_of(name) != parameters.side:
            raise InputError(f"{name} is not a unit of that side", hint="leave out the side, or the unit")
    if parameters.unit:
        return tuple(dict.fromkeys(view.side_of(name) for name in parameters.unit))
    one = parameters.side or view.state.seen_by or view.word("phasing")
    return (one,) if one else tuple(view.game.file.sides)


def side_supply(facts: Gather, side: str, parameters: SupplyAsked) -> tuple[SideSupply, list[Ask]]:
    """The supply of a side's units, and what to ask where it is not certain."""
    view = facts.view
    around = field(facts).around(side)
    units = [unit for unit in around.units if view.board.is_hex(str(unit.place)) and is_at_war(facts, unit)]
    asked = [unit for unit in units if not parameters.unit or unit.id in parameters.unit]
    if not asked:
        return SideSupply(side=side, units=()), []
    sources = sources_of(facts, around)
    found = tuple(general(facts, around, sources, unit) for unit in asked)
    unsure = [unit for unit, one in zip(asked, found, strict=True) if one.supplied is None]
    open_asks = [ask for unit in unsure for ask in asks(view, around, sources, unit)]
    return SideSupply(
        side=side, units=found, offensive=offensive_part(facts, around, sources, asked, parameters)
    ), open_asks


def is_at_war(facts: Gather, unit: Unit) -> bool:
    """Whether a unit's nation is not known to be neutral."""
    return at_war(facts.view, facts.word("nation", unit.id)) is not False


def offensive_part(
    facts: Gather, around: Around, sources: Sources, units: list[Unit], parameters: SupplyAsked
) -> tuple[Offensive, ...] | None:
    """The supply units of a side as Offensive Supply; None where it is not asked for and facts for it are missing."""
    try:
        with facts.view.gather() as own:
            return tuple(offensive(own, around, sources.units, units))
    except MissingFacts:
        if parameters.offensive:
            raise
        return None


def decided(found: Report[Supply]) -> Hashable:
    """What a report decides: who is supplied, and whom Offensive Supply reaches."""
    if not found.result:
        return None
    reached = tuple(one.units for side in found.result.sides for one in side.offensive or () if not one.why_not)
    return tuple((one.unit, one.supplied) for one in found.result.units), reached


def picture(view: View, found: Report[Supply]) -> Scene:
    """The units of a report with their lines and supply units. Raises InputError if none of them is in a hex."""
    from assistant.pictures.lines.scene import lines_scene

    from .picture import shown  # only here: most answers are not drawn

    return lines_scene(view, shown(view, found))


def text_map(view: View, found: Report[Supply], width: int) -> Rows:
    """The same in letters, so many wide. Raises InputError as `picture` does, and if it is too wide."""
    from assistant.pictures.lines.text_map import text_map as rows_of

    from .picture import shown

    return rows_of(view, shown(view, found), width)


QUESTION = declare(
    "supply",
    "which units are in General Supply, along which hexes, why not, and whom Offensive Supply reaches",
    answer,
    picture=picture,
    text_map=text_map,
    decision=decided,
)
