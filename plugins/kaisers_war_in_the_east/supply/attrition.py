"""The question `attrition`: checks for supply attrition (17.6, 17.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import InputError, declare, note
from assistant.asking.play import throw_each
from assistant.asking.question import Answers, SideName, UnitName
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import SideField
from assistant.rules.field.units import check_units
from assistant.rules.supply import Supplied
from assistant.state.changes import AnyChange
from assistant.state.vocabulary import Side, UnitHex, UnitId

from ..forces import (
    available_corps,
    breaks_down,
    corps_at_hand,
    corps_needed,
    formation,
    note_presumed_corps,
    place_corps,
)
from ..ground import field
from ..seasons import season
from ..terms import AVAILABLE
from ..victory.points import Worth, eliminate_unit, judge_worth
from .reach import at_war_on_map, note_granted, settle_supply, sources_of

MAX_STRIKING_DIE = 3
"""The highest die with which attrition strikes."""
DIE = "attrition."
UnitsAsked = Annotated[
    tuple[UnitName, ...], note("ids of the units asked about; all units of the side on the map if left out")
]
RESULTS = {"none": "no effect", "eliminated": "eliminated", "breakdown": "breaks down into {corps:#corps}"}


class AttritionCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is not in General Supply."""

    unit: UnitId
    place: UnitHex
    terrain: Annotated[str, note("the terrain that decides whether the unit checks")]
    checks: Annotated[bool, note("whether the unit checks this season")]
    checked: Annotated[bool, note("whether the unit has checked already this phase")] = False
    why: Annotated[str, note("what keeps the unit from supply")] = ""
    die: Annotated[int | None, note("the die roll, null until rolled")] = None
    result: Annotated[str, note("none, breakdown or eliminated; empty until rolled, or if the unit does not check")] = (
        ""
    )
    corps: Annotated[int, note("corps that take the place of an army")] = 0
    into: Annotated[tuple[str, ...], note("the ids of the corps that take the place of an army")] = ()

    @property
    def step(self) -> Step:
        """The check as a line of the report."""
        if self.die is not None:
            corps = ": {into}" if self.into else ""
            return step("17.8", "{unit} in {place} ({terrain}): {die}, " + RESULTS[self.result] + corps, self)
        text = "{unit} in {place} ({terrain}): not supplied ({why}), "
        still = "has checked" if self.checked else "does not check this season"
        return step("17.8", text + ("checks" if self.checks else still), self)


class Attrition(msgspec.Struct, frozen=True, kw_only=True):
    """Supply attrition at the end of a player turn."""

    side: Side
    season: Annotated[str, note("the season")]
    supplied: Annotated[tuple[str, ...], note("the side's units in General Supply")]
    units: Annotated[tuple[AttritionCheck, ...], note("the side's units not in General Supply")]


def must_check(facts: Gather, now: str, lying: str) -> bool:
    """Return whether a unit out of General Supply checks for attrition, by season and terrain.

    `now`: the season.
    `lying`: the terrain of the unit's hex in the Terrain Effects Chart.

    Rule: 17.6, 17.8, SUP-summary/2
    """
    return bool(lying and now) and facts.cell("terrain-attrition", now, lying).values["check"] == "yes"


def does_strike(die: int) -> bool:
    """Return whether attrition strikes on a die roll. Rule: 17.8"""
    return die <= MAX_STRIKING_DIE


def strike_units(
    facts: Gather, hit: Sequence[AttritionCheck], side: str
) -> Iterator[tuple[AttritionCheck, list[AnyChange]]]:
    """Yield each unit struck by attrition with its changes, in order.

    Armies share the corps that are off the map. Victory Points are lost only by ruling attrition-points.

    Rule: 17.8
    """
    view = facts.view
    used = list[str]()
    units = [formation(facts, view.unit(piece.unit), fights=False) for piece in hit]
    wanted = {unit.id: corps_needed(facts, unit) for unit in units}
    at_hand = corps_at_hand(view, [(nation, unit.arm) for unit in units for nation in wanted[unit.id]])
    for checked, unit in zip(hit, units, strict=True):
        if not breaks_down(unit):
            lost = judge_worth(facts, unit, side).loss if view.ruling("attrition-points") == "lost" else 0
            yield replace(checked, result="eliminated"), [*eliminate_unit(view, unit, side, Worth(lost, 0), "17.8")]
            continue
        left = available_corps(unit, wanted[unit.id], at_hand, used)
        used += (corps.id for corps in left)
        broken = changed(view, "place", unit.id, AVAILABLE, "17.8")
        note_presumed_corps(view, left)
        into = tuple(corps.id for corps in left)
        changes = [broken, *place_corps(view, left, "10.1")]
        yield replace(checked, result="breakdown", corps=len(left), into=into), changes


def attrition(
    view: View,
    answers: Answers,
    *,
    side: Annotated[SideName, note("whose units; the phasing side's if left out")] = "",
    unit: UnitsAsked = (),
) -> Report[Attrition]:
    """Return the report on supply attrition.

    Raises MissingFacts for facts and chart cells that are not stated.

    Raises InputError if no unit is on the map, or a named unit is off the map or not of the side.
    """
    with view.gather() as facts:
        checked = _gather_attrition(facts, side, unit)
    rolls = {DIE + piece.unit: f"supply attrition of {piece.unit}" for piece in checked.units if piece.checks}
    dice, due = throw_each(rolls, "17.8", answers)
    thrown = {piece.unit: dice[DIE + piece.unit] for piece in checked.units if DIE + piece.unit in dice}
    rolled = [piece for piece in checked.units if piece.unit in thrown]
    units = {piece.unit: replace(piece, die=thrown[piece.unit], result="none") for piece in rolled}
    with view.gather() as facts:
        hit = [piece for piece in units.values() if does_strike(thrown[piece.unit])]
        struck = list(strike_units(facts, hit, checked.side))
    units |= {piece.unit: piece for piece, _ in struck}
    checked = replace(checked, units=tuple(units.get(piece.unit, piece) for piece in checked.units))
    title = view.title_of(checked.side)
    outcome = verdict("figure", "{hit} of {due:#unit} struck", hit=len(hit), due=len(rolls))
    if not rolls:
        outcome = verdict("no", "no unit of the {side} checks in {season}", checked, side=title)
    elif due:
        outcome = verdict("figure", "{due:#unit} to check: attrition on a roll of 1 to 3", due=len(due))
    return Report(
        title=f"Supply attrition of {title}",
        verdict=outcome,
        parts=(Part("Units without General Supply", tuple(piece.step for piece in checked.units)),),
        asks=due,
        changes=tuple(_list_changes(view, checked, struck)),
        result=checked,
    )


def settle_units(facts: Gather, around: SideField, asked: Collection[str] = ()) -> Iterator[tuple[str, Supplied]]:
    """Yield the units of a side with their General Supply.

    `asked`: ids of the only units that matter, or empty for all.
    """
    units = at_war_on_map(facts, around)
    sources = sources_of(facts, around)
    for unit in units:
        if not asked or unit.id in asked:
            yield unit.id, settle_supply(facts, sources, unit)


def read_check(facts: Gather, now: str, unit: str, state: Supplied) -> AttritionCheck:
    """Return the check of a unit out of General Supply, and whether it is still to be made. Rule: 17.8"""
    view = facts.view
    lying = "city" if view.flag("city", state.place) else facts.word("terrain", state.place)
    checked = view.flag("checked", unit)
    return AttritionCheck(
        unit=unit,
        place=state.place,
        terrain=lying,
        checks=not checked and must_check(facts, now, lying),
        checked=checked,
        why=state.cause.text if state.cause else "as stated",
    )


def find_checks(facts: Gather, side: str) -> list[str]:
    """Return the units of a side that still have to check for supply attrition.

    The season is asked for only if a unit is out of General Supply.

    Rule: 17.8
    """
    states = settle_units(facts, field(facts).around(side))
    out = [(unit, state) for unit, state in states if state.supplied is False]
    now = season(facts) if out else ""
    return [unit for unit, state in out if read_check(facts, now, unit, state).checks]


def _list_changes(
    view: View, checked: Attrition, struck: Iterable[tuple[AttritionCheck, list[AnyChange]]]
) -> Iterator[AnyChange]:
    gone = set[str]()
    for piece, changes in struck:
        gone.add(piece.unit)
        yield from changes
        for corps in piece.into:
            yield changed(view, "checked", corps, True, "17.8")
    for piece in checked.units:
        if piece.die is not None and piece.unit not in gone:
            yield changed(view, "checked", piece.unit, True, "17.8")


def _gather_attrition(facts: Gather, side: str, asked: Sequence[str]) -> Attrition:
    """Return the units in and out of supply, and the checks.

    Raises MissingFacts, also if the supply of a unit is uncertain, and InputError for a unit that is not on the map or
    not of the side.
    """
    view = facts.view
    side = side or next((view.side_of(name) for name in asked), "") or facts.word("phasing")
    check_units(view, asked, side, "ask for the units of one side", view.board.is_hex)
    now = season(facts)
    supplied = list[str]()
    out = list[AttritionCheck]()
    around = field(facts).around(side)
    if side and not at_war_on_map(facts, around):
        raise InputError("no unit of this side is on the map", hint="place units in hexes, or name another side")
    for unit, state in settle_units(facts, around, asked):
        if state.supplied:
            supplied.append(unit)
            note_granted(view, state.line)
        elif state.supplied is False:
            out.append(read_check(facts, now, unit, state))
    return Attrition(side=side, season=now, supplied=tuple(supplied), units=tuple(out))


QUESTIONS = (
    declare(
        "attrition",
        "which units check for supply attrition, and with what effect",
        attrition,
        {"attrition.UNIT": "the die of a unit that checks"},
    ),
)
