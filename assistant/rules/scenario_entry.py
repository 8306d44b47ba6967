"""The rows and lines of a scenario, as its owner types them into a pack."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

import msgspec

from ..game.course import SCENARIO, course_file
from ..game.games import SCHEDULES, SETUPS, Game
from ..game.packs import Pack
from ..game.schedule_rows import (
    ABSENT,
    ScheduleRow,
)
from ..state.words import SPACED, check_signs, find_words, name_and_value, split_at_colon
from ..util.datafiles import read_rows, read_text
from ..util.errors import InputError, format_suggestion, quoted
from .scenarios import check_scenario


def read_row(game: Game, line: str) -> dict[str, str]:
    """Parse a typed row of a schedule: `3 38.14 39.14: 7 c, 8 c army=First`, `withdraw 25: PRAGA`, `absent: 9 c`.

    Action, turn and places precede the colon. Units with commas and cells by name follow the colon.

    Raises InputError if the row has no turn or an unknown column.
    """
    check_signs(line)
    before, colon, behind = split_at_colon(line)
    cells = dict[str, str]()
    actions = course_file(game).schedules.get("action", ())
    plain = list[str]()
    units = list[str]()
    for part, into in ((before, plain), (behind, units)):
        for word in find_words(part, 1, SPACED):
            if (pair := name_and_value(word)) and not word.quoted:
                cells[pair[0]] = pair[1]
            else:
                into.append(word.text.replace('"', ""))
    if plain and plain[0] in actions:
        cells["action"] = plain.pop(0)
    if plain:
        cells["at"] = plain.pop(0)
    is_dated = "at" in cells or cells.get("action") == ABSENT
    if not is_dated or (units and not colon):
        known = f"; actions: {', '.join(actions)}" if actions else ""
        raise InputError("the row has no turn", hint=f"write: 3 HEX: UNIT, UNIT army=ARMY{known}")
    if plain:
        cells["place"] = " ".join(plain)
    if units:
        cells["units"] = " ".join(units)
    columns = [field.encode_name for field in msgspec.structs.fields(ScheduleRow)]
    for column in cells:
        if column not in columns:
            raise InputError(f"unknown column {column!r}", hint=format_suggestion(column, columns))
    return cells


def add_row(pack: Pack, scenario: str, line: str) -> None:
    """Add a typed row to the schedule of a scenario after checking all its rows together.

    Raises InputError if the row has a fault.
    """
    rows = [*schedule_rows(pack, scenario), read_row(pack.game, line)]
    write_schedule(pack, scenario, rows)


def schedule_rows(pack: Pack, scenario: str) -> list[Mapping[str, str]]:
    """Return the cells of the rows of a scenario's schedule in a pack."""
    file = pack.folder / pack.files.scenario_file(SCHEDULES, scenario)
    return [row for row, _ in read_rows(file, (), str(file))] if file.exists() else []


def write_schedule(pack: Pack, scenario: str, rows: Iterable[Mapping[str, str]]) -> None:
    """Replace the rows of a scenario's schedule in the pack.

    Raises InputError if a row has a fault.
    """
    written = [*rows]
    order = [field.encode_name for field in msgspec.structs.fields(ScheduleRow)]
    columns = [column for column in order if any(row.get(column) for row in written)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([columns, *([row.get(column, "") for column in columns] for row in written)])
    put_file(pack, SCHEDULES, scenario, out.getvalue())


def put_file(pack: Pack, folder: str, scenario: str, text: str) -> None:
    """Check and save the set-up or the schedule of a scenario.

    Raises InputError if the text has a fault.
    """
    name = pack.files.scenario_file(folder, scenario)
    pack.put_scenario_file(name, text, lambda game: check_scenario(game, scenario))


def set_up_text(pack: Pack, scenario: str) -> str:
    """Return the set-up of a scenario in a pack, or the first lines of a new one."""
    file = pack.folder / pack.files.scenario_file(SETUPS, scenario)
    if file.exists():
        return read_text(file, str(file))
    stated = f"{SCENARIO}={quoted(scenario)}\n" if SCENARIO in pack.game.tracks else ""
    return f"game {pack.game.id}\n{stated}"


def add_line(pack: Pack, scenario: str, line: str) -> None:
    """Add a typed line to the set-up of a scenario after checking all its lines together.

    Raises InputError if the line has a fault.
    """
    put_file(pack, SETUPS, scenario, f"{set_up_text(pack, scenario).rstrip()}\n{line.strip()}\n")
