"""Mistakes in the CSV files in `tables/`, and charts with a few missing cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from ...state.tracks import Source
from ...util.datafiles import files_in, read_rows, resolve_within
from ...util.errors import InputError, OnFault, Where
from ..charts import ABOVE_SIGN, BELOW_SIGN, Chart, Keys, format_row, rows_of
from ..course import TABLES
from ..games import Game
from ..schedule_dates import Dates
from ..turn_record import list_people, read_calendar
from .faults import unknown_names

FIRST_DATE_COLUMNS = ("from", "first")
"""Columns with first dates."""
LAST_DATE_COLUMNS = ("until", "last", "full")
"""Columns with last dates."""


def table_rows(game: Game, on_fault: OnFault) -> Iterator[tuple[Mapping[str, str], Where]]:
    """Yield the rows of all tables of a game, each with its place."""
    folder = resolve_within(game.folder, TABLES)
    if not folder.is_dir():
        return
    for file in files_in(folder):
        if file.name.endswith(".csv"):
            yield from read_rows(file, [], f"{TABLES}/{file.name}", on_fault)


def find_table_faults(game: Game, on_fault: OnFault) -> None:
    """Give the mistakes in the rows of all tables to `on_fault`.

    Mistakes are unknown names under `who` and `unit`, wrong numbers under `hex` and `hexes`, and wrong or reversed
    dates.

    Raises InputError for a game whose turns cannot be read.
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
        first = " ".join(filter(None, map(row.get, FIRST_DATE_COLUMNS)))
        until = " ".join(filter(None, map(row.get, LAST_DATE_COLUMNS)))
        if first or until:
            dates = Dates(game, read_calendar(game), lambda track, subject: None)
            if dates.is_empty(first, until, who):
                yield InputError("the row ends before it begins", hint="exchange its dates")
    except InputError as error:
        yield error


_MIN_SHARE_KNOWN = 0.75
"""The minimum share of known cells at which the missing ones seem to be an oversight."""
_MAX_ROWS_NAMED = 3
_MAX_CELLS_SEARCHED = 10_000


def chart_remarks(game: Game) -> Iterator[str]:
    """Yield the charts with a few missing cells, which their author seems to have overlooked.

    A chart from another source than the rulebook, or a mostly empty one, waits for its owner instead.
    """
    for chart in game.charts.values():
        if chart.cells and chart.sources == {Source.RULEBOOK}:
            yield from _find_unstated_ends(chart)
        cells = _list_cells(chart)
        missing = [key for key in cells if key not in chart.cells]
        if missing and chart.sources == {Source.RULEBOOK} and len(missing) <= len(cells) * (1 - _MIN_SHARE_KNOWN):
            rows = [format_row(row) for row in rows_of(missing)]
            remainder = f"; and {len(rows) - _MAX_ROWS_NAMED} more rows" if len(rows) > _MAX_ROWS_NAMED else ""
            named = "; ".join(rows[:_MAX_ROWS_NAMED]) + remainder
            yield f"chart {chart.name}: {len(cells) - len(missing)} of {len(cells)} cells; {chart.file} lacks {named}"


def _find_unstated_ends(chart: Chart) -> Iterator[str]:
    """Yield the keys without ends in the rulebook's cells, for which questions ask for cells beyond the chart."""
    for key, parts, ends in zip(chart.keys, zip(*chart.cells, strict=True), chart.ends(chart.cells), strict=True):
        if key.has_owner_ends:
            least, most = min(parts, key=key.size), max(parts, key=key.size)
            first = f"{least}{BELOW_SIGN}" if key.least is None and not ends.first else ""
            last = f"{most}{ABOVE_SIGN}" if key.most is None and not ends.last else ""
            if first or last:
                named = " and ".join(filter(None, [first, last]))
                yield f"chart {chart.name}: {chart.file} does not say where {key.name} ends: write {named} there"


def _list_cells(chart: Chart) -> list[Keys]:
    rows = [key.values or key.row(ends) for key, ends in zip(chart.keys, chart.ends(chart.cells), strict=True)]
    return [*product(*rows)] if prod(map(len, rows)) <= _MAX_CELLS_SEARCHED else []
