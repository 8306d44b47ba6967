"""The question `supply`: who is in General Supply, along which hexes, why not, and whom Offensive Supply reaches (17)."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Annotated

from assistant.field.whose import check_units, sides_asked
from assistant.questions import InputError, note
from assistant.questions.question import SideName, UnitName, declare
from assistant.questions.report import Ask, Part, Report, Step, step
from assistant.questions.view import Gather, View
from assistant.readymade import supplied
from assistant.readymade.known import if_known

from ..ground.zones import field
from ..terms import SUPPLY
from .general import at_war_on_map, general, sources_of
from .reach import Offensive, grant, offensive

WORDS = supplied.Words(
    state="General Supply",
    how={
        "always": ", as always",
        "fortress": " in the hex of {source}",
        "same hex": " in the hex of {source}",
        "radius": " from {source}, {hexes:#hex} away",
        "railroad": " by rail from {source}",
        "stated": ", as stated",
    },
    rules={
        "always": "17.7",
        "same hex": "17.4",
        **dict.fromkeys(("fortress", "radius", "railroad", "stated", ""), "17.5"),
    },
    source="supply unit",
    is_source=lambda view, unit: view.word("arm", unit) == SUPPLY,
    breaks={"enemy": "enemy", "zone": "EZOC", "marsh": "marsh"},
)


class SideSupply(supplied.SideSupply, frozen=True, kw_only=True):
    """The supply of units of one side."""

    offensive: Annotated[
        tuple[Offensive, ...] | None,
        note("its supply units as Offensive Supply, null where the game turn is not stated"),
    ] = None


class Supply(supplied.Supply, frozen=True):
    """The supply of units."""

    sides: Annotated[tuple[SideSupply, ...], note("the sides whose units were asked for")]


def answer(
    view: View,
    *,
    unit: Annotated[tuple[UnitName, ...], note("their ids; all units of the side on the map if left out")] = (),
    side: Annotated[
        SideName, note("whose units; if left out, those of the side whose player turn it is, or of both")
    ] = "",
    offensive: Annotated[
        bool, note("whether Offensive Supply is asked too; it is told anyway where the game turn is stated")
    ] = False,
) -> Report[Supply]:
    """The report on the supply of units: one, several, or all of a side.

    Raises InputError for a unit that is not on the map or not of the side, MissingFacts for what is not stated.
    """
    check_units(view, unit, side, "leave out the side, or the unit", view.board.is_hex)
    whose = sides_asked(view, side, unit, view.word("phasing"))
    with view.gather() as facts:
        found = [side_supply(facts, one, unit, required=offensive) for one in whose]
    supply = Supply(tuple(one for one, _ in found if one.units))
    if not supply.units:
        raise InputError("no unit is on the map", hint="place units in hexes, or name another side")
    for one in supply.units:
        grant(view, one.line if one.supplied else ())
    return Report(
        title=f"Supply of {', '.join(unit) or ' and '.join(map(view.title_of, whose))}",
        verdict=WORDS.verdict(supply.units),
        parts=tuple(part for one in supply.sides for part in parts(one, view.title_of(one.side))),
        asks=tuple({ask.name: ask for _, asks in found for ask in asks}.values()),
        result=supply,
    )


def side_supply(facts: Gather, side: str, named: Collection[str], *, required: bool) -> tuple[SideSupply, list[Ask]]:
    """The supply of a side's units, or of those that are named, and what to ask where it is not certain. required: whether facts that
    Offensive Supply needs are asked for too."""
    around = field(facts).around(side)
    units = [one for one in at_war_on_map(facts, around) if not named or one.id in named]
    if not units:
        return SideSupply(side=side, units=()), []
    sources = sources_of(facts, around)
    found = tuple(general(facts, sources, one) for one in units)

    def reached(own: Gather) -> tuple[Offensive, ...]:
        return tuple(offensive(own, around, sources.units, units))

    unsure = [one for one, how in zip(units, found, strict=True) if how.supplied is None]
    known = reached(facts) if required else if_known(facts.view, reached)
    told = SideSupply(side=side, units=found, offensive=known)
    return told, [ask for one in unsure for ask in sources.asks(one)]


def parts(told: SideSupply, title: str) -> list[Part]:
    """The working of a side."""
    reached = tuple(offensive_step(one) for one in told.offensive or ())
    general = Part(f"General Supply: {title}", tuple(map(WORDS.unit_step, told.units)))
    return [general, Part(f"Offensive Supply: {title}", reached)]


def offensive_step(one: Offensive) -> Step:
    """What a supply unit may be expended for, in a line."""
    if one.why_not:
        return step("17.10", "{source} in {place}: no Offensive Supply, {why_not}", one)
    text = "{source} in {place}, within {radius:#hex}: " + ("{units}" if one.units else "none of these units")
    return step("17.10", text, one)


def decided(found: Report[Supply]) -> Hashable:
    """What a report decides: who is supplied, and whom Offensive Supply reaches."""
    sides = found.result.sides if found.result else ()
    reached = tuple(one.units for side in sides for one in side.offensive or () if not one.why_not)
    return supplied.decided(found), reached


QUESTION = declare(
    "supply",
    "which units are in General Supply, along which hexes, why not, and whom Offensive Supply reaches",
    answer,
    picture=WORDS.picture,
    text_map=WORDS.text_map,
    decision=decided,
)
