"""The question `activate`: whether a new army comes into play, and its depots (16.3, 22.2, 23.1, 24.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    AnyName,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    View,
    declare,
    holding,
    note,
    refused,
    step,
    verdict,
)
from assistant.asking.case import list_bars
from assistant.asking.question import WAY
from assistant.asking.view import changed
from assistant.rules.arrivals import coming_units, format_units, with_units
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange
from assistant.state.vocabulary import Allowed

from ..entering.consequences import follows_changes
from ..forces.armies import is_shown
from ..forces.departures import end_waiting
from .entry import EntryGround
from .new_armies import NEW_ARMIES, NewArmy, depots_of


class ActivateParameters(Parameters, frozen=True):
    """Parameters of the question `activate`."""

    army: Annotated[Literal["Ninth", "Eleventh", "AG P-B"], note("the army, AG P-B with Karpatensicherung")]
    units: Annotated[
        tuple[AnyName, ...], note("the depots; by default those that the position and the counters name")
    ] = ()
    at: Annotated[tuple[PlaceName, ...], note("the RR Station in which each depot is placed, or one for all", WAY)] = ()


class ActivateResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on an army that comes into play."""

    army: Annotated[str, note("the army")]
    turn: Annotated[int, note("the game turn")]
    why: Annotated[str, note("why it may come into play, empty if it may not")] = ""
    depots: Annotated[tuple[str, ...], note("the depots off the map")] = ()
    stations: Annotated[tuple[str, ...], note("the RR Stations in which they may be placed, as far as known")] = ()
    units: Annotated[tuple[str, ...], note("units that are due with it, as far as the schedules name them")] = ()
    allowed: Allowed = False


def answer(view: View, parameters: ActivateParameters) -> Report[ActivateResult]:
    """Return the report on an army that comes into play.

    Raises MissingFacts if a deciding fact is not stated, InputError if units are not depots off the map, or the numbers
    of hexes and depots differ.
    """
    turn = view.integer("turn")
    army = NEW_ARMIES[parameters.army](view=view, turn=turn)
    title = army.called[:1].upper() + army.called[1:]
    if not is_shown(view, army.side):
        raise InputError(f"army: {army.army} is the enemy's", hint="a side sees only its own units off the map")
    reasons = list_bars(army.bars_of_phase, army.bars_for_good) or army.list_bars()
    result = ActivateResult(army=army.army, turn=turn)
    if reasons:
        return refused(title, "{army} does not come into play now", reasons, result=result, army=army.called)
    result = msgspec.structs.replace(result, why=army.why)
    depots = _check_depots(view, army, parameters.units) or depots_of(view, type(army))
    there = with_units(view, depots)
    with there.gather() as facts:
        ground = EntryGround(facts, army.side, depots=True)
    stations = ground.depot_stations()
    hexes = _check_hexes(depots, parameters.at)
    wrong = []
    for hex in dict.fromkeys(hexes):
        wrong += ground.bars_to_depot(facts, hex)
    result = msgspec.structs.replace(result, depots=depots, stations=stations)
    if wrong:
        return refused(title, "the depots of {army} may not be placed there", wrong, result=result, army=army.called)
    begins = [changed(view, army.track, "", turn, army.rule)]
    placed = dict(zip(depots, hexes, strict=False))
    changes = [*begins, *_placing_changes(view, army, placed)]
    following = follows_changes(there, [changed(there, "place", depot, hex, "16.3") for depot, hex in placed.items()])
    due, then = (
        [coming.unit for coming in coming_units(seen, army.side) if coming.turn == turn]
        for seen in (view, view.after(begins))
    )
    units = tuple(unit for unit in then if unit not in (*due, *depots))
    result = msgspec.structs.replace(result, units=units, allowed=True)
    return Report(
        title=title,
        verdict=verdict("yes", "{army} comes into play in GT {turn}: {why}", result, army=army.called),
        parts=(
            Part("Its depots", tuple(_list_steps(result, hexes))),
            Part("Units", tuple(holding([(units, "16.3", "due now: {units} (ask arrive)")], result))),
            *following.parts(view),
        ),
        changes=(*changes, *following.changes) if hexes or not depots else (),
        result=result,
    )


def _check_depots(view: View, army: NewArmy, named: Sequence[str]) -> tuple[str, ...]:
    names = format_units(view, named)
    there = with_units(view, names)
    for name in names:
        if not there.word("arm", name).endswith("depot") or there.side_of(name) != army.side:
            raise InputError(f"units: {name} is not a depot of that side", hint="name the depots of the army")
        if there.unit(name).place is not None:
            raise InputError(f"units: {name} is on the map", hint="name depots that are not in play yet")
    return tuple(names)


def _check_hexes(depots: Sequence[str], at: Sequence[str]) -> tuple[str, ...]:
    if at and not depots:
        raise InputError("at: no depot of the army is known", hint="name its depots: units=ID,ID")
    if len(at) not in (0, 1, len(depots)):
        raise InputError(f"at: {len(at)} hexes for {len(depots)} depots", hint="name one, or one for each")
    return tuple(at) if len(at) == len(depots) else (*at,) * len(depots)


def _placing_changes(view: View, army: NewArmy, places: dict[str, str]) -> Iterator[AnyChange]:
    there = with_units(view, places)
    for depot, hex in places.items():
        yield bring_unit(view, depot, hex, "16.3")
        yield from end_waiting(view, depot, "16.3")
        if there.word("army", depot) != army.army:
            yield changed(view, "army", depot, army.army, "16.3")


def _list_steps(result: ActivateResult, hexes: Sequence[str]) -> Iterator[Step]:
    for depot, hex in zip(result.depots, hexes, strict=False):
        yield step("16.3", "{unit}: in {hex}", unit=depot, hex=hex)
    if result.depots and not hexes:
        count = len(result.stations)
        text = "{units}: to be placed in RR Stations linked to the map edge, {count} of them known ({how})"
        how = f"at={next(iter(result.stations), 'HEX')}"
        yield step("16.3", text, units=result.depots, count=count, how=how)
    if not result.depots:
        yield step("16.3", "no depot of {army} is known (units=ID)", result)


QUESTION = declare(
    "activate", "whether a new army comes into play now, and where its depots are placed", answer, decision=None
)
