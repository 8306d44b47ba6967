"""The question `supply`: General Supply with its lines, and Offensive Supply (17)."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Annotated

from assistant.asking import note
from assistant.asking.asks import Ask
from assistant.asking.permission import if_known
from assistant.asking.question import SideName, declare
from assistant.asking.report import Part, Report, Step, step
from assistant.asking.view import Gather, View
from assistant.rules import supply as shared
from assistant.rules.field.units import check_units, sides_asked

from ..ground import field
from ..terms import SUPPLY
from .attrition import UnitsAsked
from .reach import Offensive, at_war_on_map, find_offensive_supply, judge_general_supply, note_granted, sources_of

WORDS = shared.SupplyWords(
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
    field=field,
)


class SideSupply(shared.SideSupply, frozen=True, kw_only=True):
    """The supply of units of one side."""

    offensive: Annotated[
        tuple[Offensive, ...] | None,
        note("the side's supply units as Offensive Supply, null if the game turn is not stated"),
    ] = None


class Supply(shared.Supply, frozen=True):
    """The supply of units."""

    sides: Annotated[tuple[SideSupply, ...], note("the sides whose units were asked about")]


def supply(
    view: View,
    *,
    unit: UnitsAsked = (),
    side: Annotated[
        SideName, note("whose units; if left out, the phasing side's, or both sides' if none is stated")
    ] = "",
    offensive: Annotated[
        bool,
        note("whether to answer about Offensive Supply too; it is always included if the game turn is stated"),
    ] = False,
) -> Report[Supply]:
    """Return the report on the supply of units: one, several, or all of a side.

    Raises InputError for a unit that is not on the map or not of the side, MissingFacts for facts that are not stated.
    """
    check_units(view, unit, side, "leave out the side, or the unit", view.board.is_hex)
    whose = sides_asked(view, side, unit, view.word("phasing"))
    with view.gather() as facts:
        sides = [_judge_side(facts, name, unit, required=offensive) for name in whose]
    result = Supply(tuple(side_result for side_result, _ in sides if side_result.units))
    for state in result.units:
        note_granted(view, state.line if state.supplied else ())
    working = (part for power in result.sides for part in _parts(power, view.title_of(power.side)))
    return WORDS.report(
        view, result, unit or map(view.game.file.the_side, whose), working, (ask for _, asks in sides for ask in asks)
    )


def _judge_side(facts: Gather, side: str, named: Collection[str], *, required: bool) -> tuple[SideSupply, list[Ask]]:
    """Return the supply of a side's units, and the questions still open.

    `named`: ids of the only units that matter, or empty for all.
    `required`: whether facts for Offensive Supply are asked for too.
    """
    around = field(facts).around(side)
    units = [unit for unit in at_war_on_map(facts, around) if not named or unit.id in named]
    if not units:
        return SideSupply(side=side, units=()), []
    sources = sources_of(facts, around)
    states = tuple(judge_general_supply(facts, sources, unit) for unit in units)

    def reached(own: Gather) -> tuple[Offensive, ...]:
        return tuple(find_offensive_supply(own, around, sources.units, units))

    unsure = [unit for unit, how in zip(units, states, strict=True) if how.supplied is None]
    known = reached(facts) if required else if_known(facts.view, reached)
    side_result = SideSupply(side=side, units=states, offensive=known)
    return side_result, [ask for unit in unsure for ask in sources.asks(unit)]


def _parts(supplied_side: SideSupply, title: str) -> list[Part]:
    reached = tuple(_offensive_step(source) for source in supplied_side.offensive or ())
    general_supply = Part(f"General Supply: {title}", tuple(map(WORDS.unit_step, supplied_side.units)))
    return [general_supply, Part(f"Offensive Supply: {title}", reached)]


def _offensive_step(source: Offensive) -> Step:
    if source.why_not:
        return step("17.10", "{source} in {place}: no Offensive Supply, {why_not}", source)
    text = "{source} in {place}, within {radius:#hex}: " + (
        "{units}" if source.units else "none of the units asked about"
    )
    return step("17.10", text, source)


def _decision_of(report: Report[Supply]) -> Hashable:
    """Return the units supplied and the units within Offensive Supply, as a key to compare reports."""
    sides = report.result.sides if report.result else ()
    reached = tuple(source.units for side in sides for source in side.offensive or () if not source.why_not)
    return shared.decided(report), reached


QUESTIONS = (
    declare(
        "supply",
        "which units are in General Supply, along which hexes, or why not, and which units Offensive Supply reaches",
        supply,
        sketch=WORDS.sketch,
        decision=_decision_of,
    ),
)
