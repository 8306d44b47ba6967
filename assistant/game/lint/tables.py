"""Mistakes in the tables of a game, the CSV files in `tables/`: cells under headings that mean the same in all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...util.datafiles import files_in, read_rows, resolve_within
from ...util.errors import InputError, OnFault, Where
from ..course import TABLES
from ..games import Game
from ..schedule_dates import Dates
from ..turn_record import list_people, read_calendar
from .faults import unknown_names

BEGINS = ("from", "first")
ENDS = ("until", "last", "full")
"""The headings above dates, as the schedules have them."""


def table_rows(game: Game, on_fault: OnFault) -> Iterator[tuple[Mapping[str, str], Where]]:
    """Yield the rows of all tables of a game, each with its place."""
    folder = resolve_within(game.folder, TABLES)
    if not folder.is_dir():
        return
    for file in files_in(folder):
        if file.name.endswith(".csv"):
            yield from read_rows(file, [], f"{TABLES}/{file.name}", on_fault)


def find_table_faults(game: Game, on_fault: OnFault) -> None:
    """Give to `on_fault` what stands under `who` and is no nation, under `unit` and is in no roster, under `hex` or
    `hexes` and on no map, and dates that are none, or in the wrong order. Raises InputError for a game whose turns
    cannot be read.
    """
    concerned = list_people(game)
    for row, where in table_rows(game, on_fault):
        for fault in _find_row_faults(game, row, concerned):
            on_fault(fault.at(where))


def _find_row_faults(game: Game, row: Mapping[str, str], concerned: tuple[str, ...]) -> Iterator[InputError]:
    who = row.get("who", "")
    yield from unknown_names("who", [who], concerned, "side or nation", "", optional=True)
    yield from unknown_names("unit", [row.get("unit", "")], game.roster, "unit of the roster", "", optional=True)
    try:
        for hex in (*row.get("hex", "").split(), *row.get("hexes", "").split()):
            game.file.grid.parse(hex)
        first = " ".join(filter(None, map(row.get, BEGINS)))
        until = " ".join(filter(None, map(row.get, ENDS)))
        if first or until:
            dates = Dates(game, read_calendar(game), lambda track, subject: None)
            if dates.is_empty(first, until, who):
                yield InputError("the row ends before it begins", hint="exchange its dates")
    except InputError as error:
        yield error
