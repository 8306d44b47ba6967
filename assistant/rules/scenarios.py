"""An owner's scenarios: a set-up and a schedule in a pack, typed from the booklet, with faults and gaps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from ..asking.report import Step, step
from ..game.course import SCENARIO, arrival_track, course_file
from ..game.games import POSITION_SUFFIX, SETUPS, Game
from ..game.owned_turns import unknown_turns
from ..game.packs import Pack
from ..game.printed_counters import incomplete_counters
from ..game.schedule_files import read_schedules
from ..game.schedule_rows import (
    ABSENT,
    ARRIVAL_ACTIONS,
    DEPARTURE_ACTIONS,
    ScheduleRow,
    absent_names,
    hexes_in,
    is_hex_number,
    known_armies,
    places_in,
)
from ..game.turn_record import format_runs
from ..state.state import GameState
from ..util.console import format_count
from ..util.errors import InputError, Where, format_suggestion, quoted
from ..util.notes import note
from .arrivals import army_known, value_known
from .setup_question import read_set_up

LACKS = "The scenario lacks"
"""The title of the part with a scenario's gaps."""


class Gap(msgspec.Struct, frozen=True):
    """A part of a scenario that is still missing."""

    what: Annotated[str, note("what it lacks, in words")]
    names: Annotated[tuple[str, ...], note("the units, armies, tracks or turns of which it lacks that")]
    how: Annotated[str, note("what is typed")]

    @property
    def step(self) -> Step:
        """The gap in words."""
        return step("", "{what}: {names}; {how}", self)


def scenario_rows(game: Game, scenario: str) -> Iterator[tuple[ScheduleRow, Where]]:
    """Return the rows of schedules that count in a scenario, each with its place, turn by turn.

    Rows for all scenarios are included.
    """
    return ((row, where) for row, where in read_schedules(game).in_order if row.scenario in ("", scenario))


# --- faults -----------------------------------------------------------------------------------------------------------


def check_scenario(game: Game, scenario: str) -> None:
    """Raise InputError for the first fault in a scenario's files; a missing set-up is not a fault."""
    read_schedules(game)
    if scenario in game.setups:
        for fault in scenario_faults(game, scenario):
            raise fault


def scenario_faults(game: Game, scenario: str) -> Iterator[InputError]:
    """Yield the contradictions in a scenario, such as a unit that both is set up and arrives.

    Raises InputError if a file cannot be read.
    """
    there = read_set_up(game, scenario)
    file = game.set_up(scenario)
    stated = there.facts.get((SCENARIO, ""))
    declared = game.tracks.get(SCENARIO)
    if declared is not None and not declared.values and (stated is None or stated.value != scenario):
        what = "the set-up states no scenario" if stated is None else f"the set-up is of the scenario {stated.value}"
        yield InputError(what, where=Where(file.called), hint=f"write: scenario={quoted(scenario)}")
    nation = game.file.picture.nation
    for unit in there.units:
        if unit not in game.roster and (nation, unit) not in there.facts:
            near = format_suggestion(unit, game.roster)
            yield InputError(f"{unit!r} is not in the roster", where=Where(file.called), hint=near)
    board = game.board(there.board)
    left = set[str]()
    set_up = {unit.id: unit.place for unit in there.units.values() if unit.place}
    for row, where in scenario_rows(game, scenario):
        if row.action in DEPARTURE_ACTIONS:
            left.update(row.named_units)
        contrary = (
            f"arrives in turn {row.at or row.from_}" if row.action in ARRIVAL_ACTIONS and row.voluntary != "yes" else ""
        )
        contrary = "takes no part" if row.action == ABSENT else contrary
        for unit in (unit for unit in row.named_units if contrary and unit in set_up):
            if row.action == ABSENT or unit not in left:
                hint = f"leave it out of {SETUPS}/{scenario}{POSITION_SUFFIX}, or out of this row"
                yield InputError(f"{unit!r} is set up in {set_up[unit]} but {contrary}", where=where, hint=hint)
        for word in filter(is_hex_number, places_in(row.place)):
            try:
                board.place(word)
            except InputError as error:
                yield error.at(where)


# --- gaps -------------------------------------------------------------------------------------------------------------


def scenario_gaps(game: Game, scenario: str) -> Iterator[Gap]:
    """Yield the gaps in a scenario, in the best order to type them.

    They are the set-up, its facts of the game, units that are neither set up nor arrive, facts of armies, the turn
    record, and counters.

    Raises InputError if a file cannot be read.
    """
    if scenario not in game.setups:
        yield Gap("no set-up", (scenario,), f"type it: assistant pack enter {game.id} setups {quoted(scenario)}")
        return
    there = read_set_up(game, scenario)
    rows = [row for row, _ in scenario_rows(game, scenario)]
    coming = _find_coming(game, there, rows)
    armies = _list_armies(game, there, rows, coming)
    yield from _find_unstated_facts(game, there)
    yield from _find_waiting_units(game, scenario, there, (coming, absent_names(rows)), armies)
    own = [row for row in rows if row.scenario]
    named = dict[str, None]()
    for row in own:
        named.update(dict.fromkeys(row.replaced))
        if row.action in DEPARTURE_ACTIONS:
            named.update(dict.fromkeys(row.named_units))
    yield from _find_rows_without_entry(game, there, own)
    yield from _find_hexes_without_terrain(game, there, own)
    strays = tuple(unit for unit in named if unit not in coming)
    if strays:
        yield Gap("units that are withdrawn or replaced but never arrive", strays, "set them up, or correct the rows")
    yield from _find_unstated_armies(game, there, armies)
    yield from _find_unknown_turns(game, there)
    counters = incomplete_counters(Pack(game, game.overlay.folder or Path()))
    short = tuple(row.unit for row in counters if row.unit in coming)
    if short:
        yield Gap(
            "counters that lack values", short, f"type: assistant pack enter {game.id} counters {quoted(short[0])}"
        )


def _find_unstated_facts(game: Game, there: GameState) -> Iterator[Gap]:
    lacking = tuple(track for track in course_file(game).scenario.game if (track, "") not in there.facts)
    if lacking:
        titles = ", ".join(game.tracks[track].how_to_state("") for track in lacking)
        yield Gap("the set-up does not state", lacking, f"add: {titles}")


def _find_waiting_units(
    game: Game,
    scenario: str,
    there: GameState,
    known: tuple[Collection[str], Collection[str]],
    armies: Collection[str],
) -> Iterator[Gap]:
    waiting = list[str]()
    others = 0
    coming, absent = known
    for unit in game.roster:
        if (
            unit in coming
            or unit in absent
            or unit in game.hiding.decoy_types
            or not _belongs_to(game, there, scenario, unit)
        ):
            continue
        army = army_known(game, there, unit)
        if army in absent:
            continue
        if army in armies:
            waiting.append(unit)
        else:
            others += 1
    if waiting:
        besides = f" (not counting {format_count(others, 'unit')} of other armies or of none)" if others else ""
        where = f"assistant pack enter {game.id} schedules {quoted(scenario)}"
        how = f"set them up, or type when they come, or that they take no part (`{ABSENT}: UNIT, UNIT`): {where}"
        yield Gap(f"units of its armies that are neither set up nor arrive{besides}", tuple(waiting), how)


def _belongs_to(game: Game, there: GameState, scenario: str, unit: str) -> bool:
    """Return whether a unit of the roster belongs to a scenario, by the scenarios that use the unit's set."""
    sets = course_file(game).scenario.sets.items()
    return all(is_of_set(value_known(game, there, track, unit), known, scenario) for track, known in sets)


def is_of_set(own: str, sets: Mapping[str, str], scenario: str) -> bool:
    """Return whether a unit of a set belongs to a scenario.

    `own`: the unit's set, or "" if unknown. An unknown set belongs to all scenarios.
    `sets`: the set of each scenario that uses only one.
    """
    return not own or sets.get(scenario, own) == own


def _find_unstated_armies(game: Game, there: GameState, armies: Collection[str]) -> Iterator[Gap]:
    for track, concerned in course_file(game).scenario.armies.items():
        unstated = tuple(army for army in armies if army in (concerned or armies) and (track, army) not in there.facts)
        if unstated:
            how = f"add for each: army {quoted(unstated[0])} {track}, or {track}=no"
            yield Gap(f"{game.tracks[track].title} not stated for", unstated, how)


def _find_rows_without_entry(game: Game, there: GameState, rows: Iterable[ScheduleRow]) -> Iterator[Gap]:
    """Yield the units of a scenario's own rows that lack an entry hex, in a game that needs one."""
    track = course_file(game).scenario.entry
    arriving = (row for row in rows if track and row.action in ARRIVAL_ACTIONS and not (row.replaces or row.place))
    coming = (unit for row in arriving for unit in row.named_units if (track, unit) not in there.facts)
    free = course_file(game).scenario.anywhere.items()
    names = dict.fromkeys(
        unit for unit in coming if not any(value_known(game, there, of, unit) in words for of, words in free)
    )
    if names:
        how = f"add the hexes to their rows, such as `4 HEX: {quoted(next(iter(names)))}`"
        yield Gap("units that arrive without an entry hex", (*names,), how)


def _find_hexes_without_terrain(game: Game, there: GameState, rows: Iterable[ScheduleRow]) -> Iterator[Gap]:
    board = game.board_of(there)
    terrain = game.tracks.get(game.file.picture.terrain)
    if board.hexes or terrain is None or not terrain.values:
        return
    entries = [hex for row in rows for hex in hexes_in(board, row.place)]
    used = dict.fromkeys([*(unit.place for unit in there.units.values() if unit.place), *entries])
    bare = (hex for hex in used if (terrain.name, hex) not in there.facts and not board.fact(terrain.name, hex))
    if names := tuple(filter(board.is_hex, bare)):
        usual = terrain.word(terrain.parse(terrain.values[0]))
        how = f"add: {names[0]} {usual}; or of all hexes that you do not state: elsewhere {usual}"
        yield Gap("hexes without terrain", names, how)


def _find_unknown_turns(game: Game, there: GameState) -> Iterator[Gap]:
    course = course_file(game)
    first = _read_turn(there, course.turns.track)
    last = _read_turn(there, course.scenario.last)
    late = {figure.name for figure in course.turns.figures if figure.after}
    turns = dict[str, list[str]]()
    for kind, numbers in unknown_turns(game).items():
        end = last - 1 if kind in late else last
        if played := [number for number in numbers if number >= first and not (last and end < number)]:
            turns.setdefault(format_runs(played), []).append(kind)
    if turns:
        how = f"type: assistant pack enter {game.id} turns KIND"
        yield Gap("turns without", tuple(f"{', '.join(kinds)} ({runs})" for runs, kinds in turns.items()), how)


def _find_coming(game: Game, there: GameState, rows: Iterable[ScheduleRow]) -> dict[str, None]:
    arrives = arrival_track(game)
    set_up = [unit.id for unit in there.units.values() if unit.place or (arrives, unit.id) in there.facts]
    brought = (unit for row in rows if row.action in ARRIVAL_ACTIONS for unit in row.named_units)
    return dict.fromkeys([*set_up, *brought])


def _read_turn(there: GameState, track: str) -> int:
    stated = there.facts.get((track, ""))
    return stated.value if stated and isinstance(stated.value, int) else 0


def _list_armies(game: Game, there: GameState, rows: Iterable[ScheduleRow], units: Iterable[str]) -> list[str]:
    """Return the armies of a scenario's units or rows, in the order of their displays."""
    named = {*(row.army for row in rows if row.action != ABSENT), *(army_known(game, there, unit) for unit in units)}
    return [army for army in known_armies(game, course_file(game)) if army in named]
