"""Units that come at no cost: the questions `arrivals` and `place` (9.1, 9.2, 9.7, 9.8, 10.4)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import declare, note
from assistant.asking.permission import holding, permission, refused
from assistant.asking.question import AnyName, PlaceName, SideName
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import View, changed
from assistant.rules.arrivals import Coming, coming_unit
from assistant.state.vocabulary import Hex, Side, UnitId

from ..calendar.schedule import (
    are_old_armies_gone,
    bars_by_phase,
    is_waiting,
    scheduled_units,
    supply_sources,
    units_to_come,
)
from ..ground import at_war
from ..terms import ARMY, NEUTRALS, OWNER, SUPPLY
from . import entrances, newcomers


class Arrivals(msgspec.Struct, frozen=True, kw_only=True):
    """What is due for a side."""

    side: Side
    units: Annotated[tuple[Coming, ...], note("the units that are due, earliest first")]
    later: Annotated[tuple[Coming, ...], note("the units due in later turns, as far as known")]
    supply: Annotated[int, note("supply units at no cost")]
    supply_hexes: Annotated[tuple[str, ...], note("known hexes where supply units may be placed")]
    production: Annotated[
        dict[str, int | None], note("the most supply units placed in each country, null for no limit")
    ]


def arrivals(
    view: View, *, side: Annotated[SideName, note("the side whose Mobilization Phase it is")]
) -> Report[Arrivals]:
    """Return the report on what is due: units, supply units by country, and the hexes that are open to them.

    A unit that found no open hex stays due in the turns after. Rule: 9.1, 9.2, 9.7/blocked, 9.8/CP, 9.8/AL
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
        gone = are_old_armies_gone(facts, side)
        expected = units_to_come(view, side)
        sources = supply_sources(facts, side)
        people = {due.unit: newcomers.read_newcomer(facts, due.unit) for due in expected}
    dated = [due for due in expected if due.turn == turn or (due.turn < turn and is_waiting(view, due))]
    supply = newcomers.Newcomer(id="supply", side=side, nation="", arm=SUPPLY, size="-")
    own = [country for country, owner in OWNER.items() if owner == side]
    result = Arrivals(
        side=side,
        units=tuple(msgspec.structs.replace(due, open=entrances.open_hexes(view, people[due.unit])) for due in dated),
        later=tuple(due for due in expected if due.turn > turn),
        supply=sum(source.units for source in sources),
        supply_hexes=entrances.open_hexes(view, supply),
        production={
            land: entrances.PRODUCTION.get(land) for land in own if at_war(view, NEUTRALS.get(land, "")) is not False
        },
    )
    if not gone:
        text = "only these units arrive; the Turn Record Chart lists any others (state them: UNIT arrives=TURN)"
        view.premises.assume(step("9.2", text))
    supplies = [step(source.rule, "{units:#supply unit}: {why}", source) for source in sources]
    for country, most in result.production.items():
        text = "any number of them in {country}" if most is None else "at most {most} of them in {country}"
        supplies.append(step("9.8", text, SimpleNamespace(country=country.title(), most=most)))
    hexes = result.supply_hexes
    supplies += holding([(hexes, "9.4", "supply units may be placed in {hexes}")], hexes=hexes)
    text = "{units}; {supply:#supply unit}" if dated else "no units are due; {supply:#supply unit}"
    return Report(
        title=f"Arrivals of the {view.title_of(side)} in turn {turn}",
        verdict=verdict("figure", text, result, units=[due.unit for due in dated]),
        parts=(
            Part("Units", tuple(_arrival_step(due, turn) for due in result.units)),
            Part("Supply units", tuple(supplies)),
            Part("Later", tuple(step(due.rule, "{unit}: turn {turn}", due) for due in result.later)),
        ),
        result=result,
    )


def _arrival_step(due: Coming, turn: int) -> Step:
    """Return a unit that is due, in words."""
    text = "{unit}" + (", due since turn {turn}" if due.turn < turn else "")
    where = "{open}" if due.open else "to see where it may be placed, ask place unit={unit} at=HEX"
    return step(due.rule, f"{text}: {where}", due)


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be placed in a hex."""

    unit: UnitId
    at: Hex
    allowed: Annotated[bool, note("whether the unit may be placed in the hex")] = True


def place(
    view: View,
    *,
    unit: Annotated[AnyName, note("its id, such as Rus-9, or one of your own with kind and nation")],
    at: Annotated[PlaceName, note("the hex")],
    kind: newcomers.KindAsked = "",
    nation: newcomers.NationAsked = None,
) -> Report[Placing]:
    """Return the report on a placement: nothing is paid for it, so the unit must be due (9.4 to 9.7).
    Rule: 9.2, 10.4
    """
    with view.gather() as facts:
        who = newcomers.read_newcomer(facts, unit, kind, nation or "")
    title = f"Placing {who.unit} in {at}"
    placing = Placing(unit=who.unit, at=at)
    no = "{unit} may not be placed in {at}"
    if reasons := newcomers.bars_in_play(view, who):
        return refused(title, no, reasons, placing, result=placing)
    with view.gather() as facts:
        reasons = bars_by_phase(view, who.side, "mobilization", "9.1")
        if who.arm == SUPPLY:
            reasons += entrances.bars_of_supply_received(view, who.side)
        else:
            reasons += bars_to_arrival(view, who, facts.integer("turn"))
        reasons += entrances.bars(facts, who, at)
    changes = newcomers.enter_play(view, who, at, "9.4", placed=True, arrives=None)
    if who.size == ARMY:
        changes.append(changed(view, "met", who.unit, True, "10.4"))
    if who.arm == SUPPLY:
        changes.append(changed(view, "received", who.unit, True, "9.2"))
    return permission(
        title,
        ("{unit} may be placed in {at}", no),
        reasons,
        placing,
        working={
            "Placement": [step("9.4", "it may be placed in {at}, at no cost in Victory or Movement Points", at=at)]
        },
        changes=changes,
    )


def bars_to_arrival(view: View, who: newcomers.Newcomer, turn: int) -> Iterator[Step]:
    """Yield why a unit does not come in a turn at no cost: it is due later or not at all, or its army is gone.
    Rule: 9.2, Opt/Rev2-effects
    """
    with view.gather() as facts:
        due = coming_unit(scheduled_units(facts, who.side), who.unit)
        gone = are_old_armies_gone(facts, who.side) and who.nation != "bolshevik"
    if due and turn < due.turn:
        yield step("9.2", "{unit} arrives in turn {turn}", due)
    elif due is None and who.nation not in ("bolshevik", "czech"):
        yield step("9.2", "{unit} is not due (if the Turn Record Chart lists it, state arrives=TURN)", who)
    if gone:
        yield step("Opt/Rev2-effects", "no units of the old armies arrive after the Second Revolution")


QUESTIONS = (
    declare("arrivals", "what is due for a side this turn, and where it may be placed", arrivals, decision=None),
    declare("place", "whether a unit that is due may be placed in a hex", place),
)
