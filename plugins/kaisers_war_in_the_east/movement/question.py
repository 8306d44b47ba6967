"""The question `move`: whether a unit may move by a way by land, rail or sea, what it costs, and what it changes (11,
13, 18, 21.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Literal

import msgspec

from assistant.asking import InputError, note
from assistant.asking.asks import Ask
from assistant.asking.messages import SAY
from assistant.asking.permission import holding, permission, refused
from assistant.asking.play import refuse_others, throw
from assistant.asking.question import Answers, PlaceName, UnitName, Way, declare
from assistant.asking.report import Report, Step, step
from assistant.asking.view import Gather, View, changed
from assistant.rules.field import HexBar
from assistant.rules.field.movement import Moved
from assistant.rules.moves import REFUSED, choose_refusal
from assistant.rules.sketches import of_way
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import hexside

from ..forces import formation, is_within_limits
from ..ground import TRACKS, field, zone_in
from ..supply.reach import Offensive
from ..terms import AVAILABLE, TRAIN
from ..victory.takings import Entry, enter_hexes, format_entry, take_hexes_in_movement
from . import land
from .forced_march import ForcedBy
from .rail import CAPACITY, Rail, bars_to_rail, enter_by_rail, note_granted_line, rail_in, thirds_of
from .sea import RULES, bars_to_sailing, find_voyage, landing_on, sail

BY = {"land": "11.4", "road": "11.5", "rail": "18.1", "sea": "21.6"}
"""The rule of each way to enter a hex."""
SAYS = {
    "amphibious": "an amphibious unit sails from port to port, which takes its entire move",
    "landing": "an amphibious move: it begins or ends in a port, and a die decides whether it lands",
    "assault": "an amphibious assault: it must attack an adjacent coastal hex in the First Combat Phase",
    "transfer": "a naval transfer of one corps or supply unit",
}
LANDINGS = {
    "eliminated": "is eliminated, as if lost in combat",
    "fails": "stays where it is and does not move in this phase",
    "lands": "lands",
}
DIE = "landing"


class Move(Moved, frozen=True, kw_only=True):
    """A move as far as it is allowed. Costs are in halves of a Movement Point."""

    by: Annotated[str, note("land, rail or sea")]
    entered: Annotated[tuple[land.Entered, ...], note("the hexes that the unit enters, with their costs")] = ()
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone")] = False
    railed: Annotated[int, note("rail capacity that the move takes, in thirds of an Army Equivalent")] = 0
    rail_left: Annotated[int, note("rail capacity that is left afterwards, in thirds of an Army Equivalent")] = CAPACITY
    over_stacked: Annotated[bool, note("whether the last hex is then over the stacking limits")] = False
    kind: Annotated[str, note("by sea: amphibious, landing, assault or transfer; else empty")] = ""
    landing: Annotated[str, note("by sea: eliminated, fails or lands, as rolled; empty if not rolled")] = ""


def move(
    view: View,
    answers: Answers,
    *,
    unit: UnitName,
    way: Annotated[Way, note("the hexes that the unit enters, in order; by sea only the last one")],
    by: Annotated[Literal["land", "rail", "sea"], note("land, rail or sea")] = "land",
    entrain: Annotated[PlaceName | None, note("the hex where its rail move begins, if it is not the first")] = None,
    detrain: Annotated[PlaceName | None, note("the hex where its rail move ends, if it is not the last")] = None,
    forced: ForcedBy = None,
    supply: Annotated[
        UnitName | None, note("the supply unit that is expended for an amphibious move or a naval transfer")
    ] = None,
) -> Report[Move]:
    """Return the report on a move.

    Raises InputError for hexes that make no way, MissingFacts for what is not stated.
    """
    title = f"Move of {unit} to {way[-1] if way else 'nowhere'}"
    if by == "sea" and (forced or entrain or detrain):
        raise InputError("forced, entrain and detrain are not for a move by sea", hint="leave them out")
    if by != "sea" and supply:
        raise InputError("supply is only for a move by sea", hint="type by=sea")
    with view.gather() as facts:
        mover, march = land.mover_of(facts, unit, forced)
        stopped = [*land.bars_to_moving(mover, march)]
        if by == "sea":
            if len(way) != 1:
                raise InputError("way: a move by sea has only one hex, where it ends", hint="name only that hex")
            (end,) = way
            return refused(title, REFUSED, stopped) if stopped else _report_voyage(mover, end, supply, answers, title)
        refuse_others(answers, [])
        line = (mover.at, *way)
        rail = None
        if by == "rail":
            rail = rail_in(line, entrain, detrain)
        elif entrain or detrain:
            raise InputError("entrain and detrain are only for a rail move", hint="type by=rail")
        stretch = line[rail.first : rail.last + 1] if rail else ()
        thirds = thirds_of(mover, stretch) if rail else 0
        move, bars = _walk_overland(mover, line, rail, thirds)
        stopped += bars
        if rail and not stopped:
            stopped += bars_to_rail(mover, stretch, thirds)
        if stopped:
            land.assume_near(mover, line[: len(move.entered) + 2] if bars else ())
            return refused(title, choose_refusal(stopped), stopped, result=move)
        move = msgspec.structs.replace(move, over_stacked=not fits(facts, mover, line[-1]))
        _note_granted(mover, move, rail, stretch)
        takes = enter_hexes(view, mover.side, [place.hex for place in move.entered])
        changes = [*move_changes(mover, move, march, takes)]
        return permission(
            title,
            ("{unit} may move to {end}: {cost_points} of {allowance_points} Movement Points", REFUSED),
            (),
            move,
            working={
                "Way": _way_steps(mover, move, march, line[-1]),
                "Afterwards": _list_steps_after(mover, move, rail, takes),
            },
            changes=changes,
            sentences=_format_move(move, line[-1]),
            end=line[-1],
            cost_points=land.format_points(move.cost),
            allowance_points=land.format_points(move.allowance),
        )


# --- by land and rail -------------------------------------------------------------------------------------------------


def _walk_overland(mover: land.Mover, line: Sequence[str], rail: Rail | None, thirds: int) -> tuple[Move, list[Step]]:
    """Return a move by land and rail as far as it leads, and what bars the rest. thirds: what it takes of the rail
    capacity.
    """
    by = "rail" if rail else "land"
    left = CAPACITY - mover.view.integer("railed", mover.side) - thirds
    enter = partial(enter_next, mover, rail)
    transport = {"by": by, "railed": thirds, "rail_left": left}
    move, bars = land.moves(mover, enter).moved(
        Move, mover.unit.id, line[1:], rule="11.1", points=land.format_points, **transport
    )
    return msgspec.structs.replace(move, disengages=any(place.disengages for place in move.entered)), bars


def enter_next(mover: land.Mover, rail: Rail | None, here: str, there: str, number: int) -> land.Entered | HexBar:
    """Return the next hex of a move, entered by land or, in the part of the way that is a rail move, by rail.
    Rule: 11.0, 18.1, 18.5
    """
    if rail and rail.first <= number < rail.last:
        return enter_by_rail(mover, rail.first, here, there, number)
    return land.enter(mover, here, there, number)


def fits(facts: Gather, mover: land.Mover, at: str) -> bool:
    """Return whether a hex has room for a unit besides those that stand there.
    Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4, 12.3, Opt/Amph/4
    """
    there = [unit for unit in facts.view.stack(at) if unit.id != mover.unit.id]
    return is_within_limits([formation(facts, unit, fights=False) for unit in (*there, mover.unit)])


def _note_granted(mover: land.Mover, move: Move, rail: Rail | None, stretch: Sequence[str]) -> None:
    """Say what is taken for granted: hexsides without water, railroads, control, zones of control."""
    view = mover.view
    here = move.at
    for place in move.entered:
        if place.how == "land":
            TRACKS.assume_none(view, [hexside(here, place.hex)], "11.4", "to be free of water")
        here = place.hex
    if rail:
        note_granted_line(view, mover.side, mover.nation, stretch, border=mover.arm != TRAIN)
    land.assume_near(mover, [entered.hex for entered in move.entered])


def _way_steps(mover: land.Mover, move: Move, march: Offensive | None, end: str) -> Iterator[Step]:
    """Yield the hexes of the way with their costs."""
    if march:
        yield step("17.9", "{source} is expended: {units} move by Forced March", march)
    for place in move.entered:
        text = "{hex} by {how}: {points}" + (", with 1 to disengage" if place.disengages else "")
        yield step("13.5" if place.disengages else BY[place.how], text, place, points=land.format_points(place.cost))
    if move.minimum:
        yield step("11.6", "the minimum move: one hex for all Movement Points")
    if move.entered[-1].stops:
        yield step("13.4", "{end} is in {zone}: the unit stops there", end=end, zone=zone_in(mover.around, end))


def _format_move(move: Move, end: str) -> list[Step]:
    """Return a move by land or rail in a sentence or two."""
    costs = [SAY.brief("move.hex", place, cost=land.format_points(place.cost)) for place in move.entered]
    cost = land.format_points(move.cost)
    allowance = land.format_points(move.allowance)
    whole = {"units": [move.unit], "end": end}
    sentences = [SAY("11.1", "move.to", **whole, cost=cost, allowance=allowance, way=costs)]
    return sentences + ([SAY("12.2", "move.over", over=[end])] if move.over_stacked else [])


def _list_steps_after(mover: land.Mover, move: Move, rail: Rail | None, takes: Entry) -> list[Step]:
    """Return the rail capacity, stacking and control after the move."""
    free = rail and not move.railed
    over = "{end} is over the stacking limits: any excess there when the phase ends is eliminated"
    clauses = (
        (move.railed, "18.2", "{railed} thirds of an Army Equivalent by rail, {rail_left} left this phase"),
        (free and mover.arm == TRAIN, "21.4", "armoured trains take no rail capacity"),
        (free and mover.arm != TRAIN, "18.3", "within Germany it takes no rail capacity"),
        (move.over_stacked, "12.2", over),
    )
    return [*holding(clauses, move, end=move.entered[-1].hex), *format_entry(mover.view, takes)]


def move_changes(mover: land.Mover, move: Move, march: Offensive | None, takes: Entry) -> Iterator[AnyChange]:
    """Yield what a move changes: the place, who has moved, control of the hexes entered, rail capacity, the supply unit
    expended.
    """
    if march:
        yield from begin_march(mover.view, march)
    yield from end_move(mover, move)
    yield from take_hexes_in_movement(mover.view, takes)
    yield from use_rails(mover, move)


def begin_march(view: View, march: Offensive) -> Iterator[Change]:
    """Yield the changes of a Forced March: its supply unit is expended, and the units are marked. Rule: 17.9/1"""
    yield changed(view, "place", march.source, AVAILABLE, "17.9")
    for unit_id in march.units:
        yield changed(view, "marching", unit_id, True, "17.9")


def end_move(mover: land.Mover, move: Move) -> Iterator[Change]:
    """Yield the changes at the end of a move: the unit is in its new hex, and has moved. Rule: 17.1"""
    name = mover.unit.id
    yield changed(mover.view, "place", name, move.entered[-1].hex, "11.1")
    yield changed(mover.view, "moved", name, True, "11.2")


def use_rails(mover: land.Mover, move: Move) -> Iterator[Gain]:
    """Yield the rail capacity that a move uses. Rule: 18.2"""
    if move.railed:
        yield Gain("railed", mover.side, move.railed, "18.2")


# --- by sea -----------------------------------------------------------------------------------------------------------


def _report_voyage(mover: land.Mover, end: str, supply: str | None, answers: Answers, title: str) -> Report[Move]:
    """Return the report on a move across the sea: what bars it, or the die that is due, or what it changes."""
    voyage = find_voyage(mover, end, supply)
    facts = mover.facts
    if reasons := [*bars_to_sailing(mover, voyage)]:
        return refused(title, REFUSED, reasons)
    landing = ""
    asks = tuple[Ask, ...]()
    if voyage.is_rolled:
        thrown = throw(DIE, "Opt/Amph/3", "Amphibious Landing Table", partial(landing_on, facts), answers)
        landing = thrown.came or ""
        asks = thrown.asks
    else:
        refuse_others(answers, [])
    ends = landing not in ("fails", "eliminated")
    entered = land.Entered(hex=end, cost=mover.allowance, how="sea", stops=end in mover.around.enemy_zones)
    move = Move(
        unit=mover.unit.id,
        at=mover.at,
        by="sea",
        entered=(entered,) if ends else (),
        cost=mover.allowance,
        allowance=mover.allowance,
        over_stacked=ends and not fits(facts, mover, end),
        kind=voyage.kind,
        landing=landing,
    )

    figures = SimpleNamespace(end=end, source=voyage.supply, landing=LANDINGS.get(landing, ""))
    attacks = "no Maximum Attack Supply; it lands if its result allows pursuit, and is eliminated if not"
    clauses = (
        (True, RULES[voyage.kind], SAYS[voyage.kind]),
        (voyage.supply, "Opt/Amph/2", "{source} is expended, whatever the outcome"),
        (landing, "Opt/Amph/3", "{unit} {landing}"),
        (move.over_stacked, "12.2", "{end} is over the stacking limits"),
        (voyage.kind == "assault" and ends, "Opt/Amph/5", attacks),
    )
    takes = enter_hexes(
        mover.view, mover.side, [end] if ends and voyage.kind != "assault" else []
    )  # an assault ends at sea
    changes = () if asks else (*sail(mover, voyage, landing), *take_hexes_in_movement(mover.view, takes))
    text = "{unit} {landing}" if landing else "{unit} may sail to {end}" + ("; roll 1d6" if asks else "")
    over = [step(RULES[voyage.kind], f"{text}.", figures, move), SAY("12.2", "move.over", over=[end])]
    return permission(
        title,
        (text, REFUSED),
        (),
        move,
        figures,
        working={
            "Voyage": holding(clauses, figures, move),
            "Afterwards": [] if asks else format_entry(mover.view, takes),
        },
        asks=asks,
        changes=changes,
        kind="yes" if ends and not asks else "figure",
        sentences=over if move.over_stacked and not asks else (),
    )


QUESTIONS = (
    declare(
        "move",
        "whether a unit may move along a route by land, rail or sea, and what it costs",
        move,
        {DIE: "the die on the Amphibious Landing Table"},
        sketch=of_way(
            lambda move: [move.at, *(place.hex for place in move.entered)],
            field,
            lambda move: {place.hex: land.format_points(place.cost) for place in move.entered},
        ),
    ),
)
