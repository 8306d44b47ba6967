"""Units that are still to come onto the map, by a game's schedules and the units' own facts.

A game says what bars a place, and which of the units due earlier still wait.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated

import msgspec

from ..asking.view import Gather, View
from ..game.course import arrival_track, course_file
from ..game.games import Game
from ..game.schedule_dates import RULING, Dates, FactOf
from ..game.schedule_files import read_schedules
from ..game.schedule_rows import ABSENT, ARMY, ARRIVAL_ACTIONS, DEPARTURE_ACTIONS, ScheduleRow, absent_names
from ..game.schedules import Due, Schedules, arrival
from ..state.changes import Enter
from ..state.state import GameState
from ..state.tracks import Value
from ..state.vocabulary import UnitId, UnitSide
from ..util.errors import InputError, format_suggestion
from ..util.notes import note
from ..util.texts import natural

Bars = Callable[[Gather, str], Collection[object]]
"""A function that returns the reasons that keep a unit out of a place, or nothing if the place is open."""


class Coming(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is to come onto the map."""

    unit: UnitId
    side: UnitSide
    turn: Annotated[int, note("the game turn in which it is due")]
    rule: Annotated[str, note("the rule that brings it")]
    open: Annotated[tuple[str, ...], note("hexes that are known to be open to it")] = ()
    place: Annotated[str, note("where it comes, as far as the schedule says")] = ""
    army: Annotated[str, note("the army to which its row attaches it, by its side and name")] = ""
    corps: Annotated[str, note("the corps to which its row attaches it, or none")] = ""
    new: Annotated[bool, note("whether a row or its counter brings it in that turn, and it has not been in play")] = (
        False
    )


def fact_of(view: View) -> FactOf:
    """Return a function that reads a fact or a ruling from a view, or None for a track that the game lacks."""

    def fact(track: str, subject: str) -> Value | None:
        if track == RULING:
            return view.ruling(subject)
        return view.value(track, subject) if track in view.game.tracks else None

    return fact


def _brings_units(row: ScheduleRow) -> bool:
    return bool(row.units) and row.action in ARRIVAL_ACTIONS


def side_of_row(game: Game, who: str, unit: str) -> str:
    """Return the side of a unit that a row names.

    `who`: the nation or side of the row, or "" if only the counter tells.
    """
    nation = who or game.printed_nation(unit)
    return nation if nation in game.file.sides or not nation else game.side_of(nation)


def units_of_rows(game: Game, schedules: Schedules, fact: FactOf) -> Iterator[Coming]:
    """Yield the units that rows bring in known turns, whether in play or not.

    `fact`: reads the facts that rows depend on.
    """
    for row, turn in schedules.where(_brings_units).dated(fact):
        for unit in row.named_units:
            side = side_of_row(game, row.who, unit)
            yield Coming(
                unit=unit,
                side=side,
                turn=turn,
                rule=row.rule,
                place=row.place,
                army=row.army,
                corps=row.corps,
                new=True,
            )


def _find_absent_forces(view: View, fact: FactOf) -> frozenset[str]:
    schedules = read_schedules(view.game)
    return absent_names(row for row in schedules.rows if row.action == ABSENT and schedules.is_agreed(row, fact))


def value_known(game: Game, state: GameState, track: str, unit: str) -> str:
    """Return a unit's value of a track by the position, or else by its counter, or "" if neither states one.

    The track's default counts as not stated.
    """
    declared = game.tracks.get(track)
    known = state.units.get(unit)
    printed = game.roster.get(known.type if known else unit, {}).get(track, ())
    fact = state.facts.get((track, unit)) or next(iter(printed), None)
    return str(fact.value) if fact and fact.value not in (None, declared and declared.absent) else ""


def army_known(game: Game, state: GameState, unit: str) -> str:
    """Return a unit's army by side and name, as the position or the counter has it, or "" if it is unknown."""
    nation = value_known(game, state, game.file.picture.nation, unit)
    army = value_known(game, state, ARMY, unit)
    return f"{game.side_of(nation)} {army}" if nation and army else ""


def coming_units(view: View, side: str, fact: FactOf | None = None, rule: str = "") -> tuple[Coming, ...]:
    """Return a side's units that are still to come, by schedules or by their own facts, earliest first.

    Units in play are left out. A turn that a unit itself states precedes the turn of a row.

    `fact`: reads the facts that rows depend on, by default those of the position.
    `rule`: the rule of units with a turn of their own, by default that of the schedules.
    """
    rule = rule or course_file(view.game).scheduled.get("arrive", "")
    known = fact or fact_of(view)
    absent = _find_absent_forces(view, known)
    rows = dict[str, list[Coming]]()
    for coming in units_of_rows(view.game, read_schedules(view.game), known):
        if coming.side == side and coming.unit not in absent:
            rows.setdefault(coming.unit, []).append(coming)
    due = {unit: _list_still_to_come(view, comings, known) for unit, comings in rows.items()}
    leaving = _find_withdrawals(view.game, rows, known)
    track = arrival_track(view.game)
    in_play = view.state.units

    def is_absent(unit: str) -> bool:
        if not absent or (track, unit) in view.state.facts:
            return False
        return unit in absent or army_known(view.game, view.state, unit) in absent

    view = with_units(
        view, (unit for unit, printed in view.game.roster.items() if track in printed and unit not in absent)
    )
    for unit in view.units():
        turn = view.integer(track, unit.id) if track else 0
        if unit.place is not None and (not turn or view.board.is_hex(unit.place)):
            due[unit.id] = _list_returns(view, rows.get(unit.id, []), leaving.get(unit.id, []), known)
        elif unit.id not in due and is_absent(unit.id):
            continue
        elif turn and view.side_of(unit.id) == side:
            is_new = unit.id not in in_play or _read_printed_turn(view.game, track, unit.type) == turn
            stated = Coming(unit=unit.id, side=side, turn=turn, rule=rule, new=is_new)
            due[unit.id] = _list_stated(stated, rows.get(unit.id, []))
    return tuple(sorted(chain(*due.values()), key=lambda coming: (coming.turn, coming.unit)))


def _list_still_to_come(view: View, comings: Sequence[Coming], fact: FactOf) -> list[Coming]:
    """Return a unit's arrivals that are not over, or the last if all are over."""
    if not comings[1:]:
        return [*comings]
    now = _read_turn(view, fact)
    in_order = sorted(comings, key=lambda coming: coming.turn)
    return [coming for coming in in_order if coming.turn >= now] or in_order[-1:]


def _list_returns(view: View, comings: Sequence[Coming], leaving: Sequence[int], fact: FactOf) -> list[Coming]:
    """Return the future arrivals of a unit on the map: those after a withdrawal that follows its last arrival."""
    if not (comings and leaving):
        return []
    now = _read_turn(view, fact)
    last = max((coming.turn for coming in comings if coming.turn <= now), default=0)
    return [each for each in comings if each.turn > now and any(last < left < each.turn for left in leaving)]


def _find_withdrawals(game: Game, units: Container[str], fact: FactOf) -> dict[str, list[int]]:
    leaving = dict[str, list[int]]()
    for row, turn in read_schedules(game).where(lambda row: row.action in DEPARTURE_ACTIONS).dated(fact):
        for unit in row.named_units:
            if unit in units:
                leaving.setdefault(unit, []).append(turn)
    return leaving


def _read_turn(view: View, fact: FactOf) -> int:
    """Return the number of the turn, or 0 while it is unknown."""
    return Dates(view.game, read_schedules(view.game).calendar, fact).number(course_file(view.game).turns.track) or 0


def _list_stated(stated: Coming, rows: Sequence[Coming]) -> list[Coming]:
    """Return a unit's arrival in the turn that it states, completed by the row of that turn, and later arrivals.

    Without a row of that turn, the first row gives army and corps.
    """
    of_turn = [row for row in rows if row.turn == stated.turn]
    for row in of_turn or rows[:1]:
        stated = msgspec.structs.replace(stated, army=row.army, corps=row.corps)
    for row in of_turn:
        rule = row.rule if row.place else stated.rule
        stated = msgspec.structs.replace(stated, rule=rule, place=row.place, new=True)
    return [stated, *(row for row in rows if of_turn and row.turn > stated.turn)]


def coming_unit(units: Iterable[Coming], unit: str) -> Coming | None:
    """Return the arrival of a unit, or None if it is not to come."""
    return next((coming for coming in units if coming.unit == unit), None)


def _read_printed_turn(game: Game, track: str, counter: str) -> int:
    printed = game.roster.get(counter, {}).get(track, ())
    return (natural(str(printed[0].value)) or 0) if printed else 0


def with_units(view: View, units: Iterable[str]) -> View:
    """Return a view in which units of the roster that are not in play wait off the map."""
    named = (unit for unit in dict.fromkeys(units) if unit not in view.state.units)
    waiting = [Enter(unit, view.game.type_of(unit), None, 0, "") for unit in named]
    return view.after(waiting) if waiting else view


def format_units(view: View, names: Collection[str]) -> list[str]:
    """Return the names of units in the spelling of the position or the roster.

    Raises InputError if neither has a unit.
    """
    known = {name.casefold(): name for name in (*view.game.roster, *view.state.units)}
    for name in names:
        if name.casefold() not in known:
            raise InputError(f"units: unknown unit {name!r}", hint=format_suggestion(name, known.values()))
    return [known[name.casefold()] for name in names]


def bring_forward(units: Iterable[Coming], now: int, waits: Callable[[Coming], bool]) -> Iterator[Coming]:
    """Yield arrivals, with units of earlier turns that still wait moved to this turn.

    `waits`: returns whether a unit still waits.
    """
    for coming in units:
        is_late = coming.turn < now and waits(coming)
        yield msgspec.structs.replace(coming, turn=now) if is_late else coming


Units = Callable[[View, str], Iterable[Coming]]
"""A function that returns a side's units that are to come."""


def reckon_arrivals(
    view: View, first: int, last: int, units: Units | None = None, fact: FactOf | None = None
) -> Iterator[Due]:
    """Yield everything due in a period: units, and the other items that rows of schedules bring.

    If units state no turns of arrival, rows bring them too. For past turns that the journal covers, rows bring what
    they actually brought.

    `units`, `fact`: as in `coming_units`.
    """
    schedules = read_schedules(view.game)
    known = fact or fact_of(view)
    states_arrivals = bool(arrival_track(view.game))

    def comes(row: ScheduleRow) -> bool:
        return not (states_arrivals and _brings_units(row))

    def brought(turn: int) -> list[Due] | None:
        dues = view.past.brought_in(turn) if view.past else None
        return None if dues is None else [due for due in dues if comes(due.row)]

    yield from schedules.where(comes).over(first, last, known, _read_turn(view, known) or None, brought)
    if not states_arrivals:
        return
    exchanged = [row for row in schedules.rows if row.replaces and schedules.is_agreed(row, known)]
    replaces = {unit: row.replaces for row in exchanged for unit in row.named_units}
    for side in view.game.file.sides:
        all_coming = units(view, side) if units else coming_units(view, side, known)
        for coming in all_coming:
            if first <= coming.turn <= last:
                place = coming.place
                old = replaces.get(coming.unit, "")
                yield arrival(coming.unit, side, coming.turn, coming.rule, place, old)
