"""What is paid for and what is taken off the map: the questions `mobilize` and `demobilize` (9, Optional Rules)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.asking import InputError, note
from assistant.asking.permission import holding, permission, refused
from assistant.asking.question import AnyName, PlaceName, UnitName, declare
from assistant.asking.report import Report
from assistant.asking.view import View, changed
from assistant.state.changes import AnyChange, Gain
from assistant.state.vocabulary import UnitId

from ..calendar.schedule import bars_by_phase
from ..corps import count_off
from ..forces import formation
from ..ground import field, side_of
from ..supply.reach import note_granted, supply_in
from ..terms import AVAILABLE, FORTRESS, OpenHexes
from ..victory.points import Entry, enter_hexes, format_entry, take_hexes
from . import entrances, newcomers

MOST_DEFENCE = 20
"""The greatest defence factor that a Fortified Zone may be stated to have."""


class Mobilization(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit costs."""

    unit: UnitId
    side: Annotated[str, note("the side that pays")]
    price: Annotated[newcomers.Price | None, note("the unit's price, null if the unit cannot be mobilized")] = None
    points: Annotated[int, note("Victory Points of the side")] = 0
    left: Annotated[int, note("Victory Points left to the side")] = 0
    arrives: Annotated[int, note("the game turn in which the unit arrives")] = 0
    open: OpenHexes = ()


def mobilize(
    view: View,
    *,
    unit: Annotated[
        AnyName, note("its id: one of the position or the roster, or one of your own with kind and nation")
    ],
    kind: newcomers.KindAsked = "",
    nation: newcomers.NationAsked = None,
    at: Annotated[
        PlaceName | None, note("the hex to place the unit in; if left out, only the cost is answered")
    ] = None,
    defence: Annotated[int, note("the defence factor of a Fortified Zone, if the position does not state it")] = 0,
) -> Report[Mobilization]:
    """Return the report on a unit that a side pays for. Raises InputError for a defence factor that no Fortified Zone
    has. Rule: 9.1, 9.3, 9.5/delay, 9.9
    """
    with view.gather() as facts:
        who = newcomers.read_newcomer(facts, unit, kind, nation or "")
    if not 0 <= defence <= MOST_DEFENCE:
        raise InputError(f"defence: {defence} is not a defence factor", hint=f"give 0 to {MOST_DEFENCE}")
    title = f"Mobilization of {who.unit}"
    no = "{unit} cannot be mobilized"
    result = Mobilization(unit=who.unit, side=who.side)
    if reasons := newcomers.bars_to_sale(view, who) or newcomers.bars_in_play(view, who):
        return refused(title, no, reasons, result, result=result)
    with view.gather() as facts:
        turn = facts.integer("turn")
        points = facts.integer("vp", who.side)
        unknown = who.arm == FORTRESS and not defence
        if unknown and who.unit in view.state.units:
            defence = facts.integer("defence", who.unit)
            unknown = False
        cost = newcomers.price_of_newcomer(facts, who, defence)
        text = "it costs 3 Victory Points for each point of its defence factor: state defence=N"
        reasons = [
            *bars_by_phase(view, who.side, "mobilization", "9.1"),
            *holding([(unknown, "9.3", text)]),
            *newcomers.bars_by_time(facts, who, cost),
            *newcomers.bars_by_cost(points, cost.cost),
        ]
        if at and not cost.delay:
            reasons += entrances.bars(facts, who, at)
    asked = at is None and not cost.delay and not reasons
    result = Mobilization(
        unit=who.unit,
        side=who.side,
        price=cost,
        points=points,
        left=points - cost.cost,
        arrives=turn + cost.delay,
        open=entrances.open_hexes(view, who) if asked else (),
    )
    clauses = (
        (True, cost.rule, "{unit} costs {cost:#Victory Point}" + (", doubled by low Morale" if cost.doubled else "")),
        (True, "5.5", "of {points:#Victory Point}, {left} will be left"),
        (cost.delay, "9.5", "it arrives {delay:#turn} later, in turn {arrives}"),
        (result.open, "9.4", "it may be placed in {open}"),
    )
    takes = enter_hexes(view, who.side, [at] if at and who.nation == "nationalist" else [], -cost.cost)
    changes = [*pay_for_unit(view, who, cost, takes, at, turn)] if (cost.delay or at) and not reasons else []
    return permission(
        title,
        ("{unit} costs {cost:#Victory Point}, leaving {left}; it arrives in turn {arrives}", no),
        reasons,
        result,
        cost,
        working={
            "Price": holding(clauses, result, cost),
            "Afterwards": format_entry(view, takes),
        },
        changes=changes,
        kind="figure",
    )


def pay_for_unit(
    view: View, who: newcomers.Newcomer, cost: newcomers.Price, takes: Entry, at: str | None, turn: int
) -> Iterator[AnyChange]:
    """Yield what changes as a unit is paid for: it waits for its turn, or is placed, where Volunteers take control.
    takes: what they take with their hex. Rule: 9.5/delay, Opt/Volunteer
    """
    yield Gain("vp", who.side, -cost.cost, cost.rule)
    if cost.delay:
        yield from newcomers.enter_play(view, who, None, "9.5", arrives=turn + cost.delay)
        return
    yield from newcomers.enter_play(view, who, at, "9.4", placed=True, arrives=None)
    yield from take_hexes(view, takes)
    if who.nation == "nationalist" and not takes.taken and view.word("control", str(at)) != who.side:  # whoever held it
        yield changed(view, "control", str(at), who.side, "Opt/Volunteer")


# --- units taken off the map ------------------------------------------------------------------------------------------


class Demobilization(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may be demobilized."""

    unit: UnitId
    source: Annotated[str, note("the supply unit or the fortress that supplies the unit, empty for none")] = ""
    allowed: Annotated[bool, note("whether the unit may be demobilized")] = True


def demobilize(view: View, *, unit: UnitName) -> Report[Demobilization]:
    """Return the report on a demobilization, which costs and restores no Victory Points.

    Raises InputError for a unit off the map, MissingFacts for its supply. Rule: 9.11
    """
    who = view.unit(unit)
    if who.place is None or view.board.is_box(who.place):
        raise InputError(f"unit: {unit} is not on the map", hint="name a unit that stands in a hex")
    with view.gather() as facts:
        side = side_of(facts, who)
        corps = formation(facts, who, fights=False)
        supplied = supply_in(facts, field(facts).around(side), who, who.place)
    note_granted(view, supplied.line)
    why = supplied.cause.text if supplied.cause else "as stated"
    cut = holding([(not supplied.supplied, "9.11", "{unit} cannot trace General Supply: {why}")], supplied, why=why)
    yes = "{unit} may be demobilized: no Victory Points change, and it may not be mobilized again this turn"
    return permission(
        f"Demobilization of {unit}",
        (yes, "{unit} may not be demobilized"),
        [*bars_by_phase(view, side, "mobilization", "9.11"), *cut],
        Demobilization(unit=unit, source=supplied.source),
        changes=[
            changed(view, "place", unit, AVAILABLE, "9.11"),
            changed(view, "demobilized", unit, True, "9.11"),
            *count_off(view, [corps], 1, "9.11"),
        ],
    )


QUESTIONS = (
    declare("mobilize", "what a unit costs to mobilize, and whether it may be", mobilize),
    declare("demobilize", "whether a unit may be taken off the map in the Mobilization Phase", demobilize),
)
