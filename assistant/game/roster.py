"""The roster: the printed facts of the counters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from ..state.tracks import Fact, Source, Track
from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, Where, format_suggestion, stop
from ..util.patterns import late_pattern

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Roster = dict[str, dict[str, list[Fact]]]
"""Facts by unit and track, the best source first; copies of a counter share them."""
COUNT = "count"
"""The column with the number of counters of a unit."""
UNIT = "unit"
"""The column with the name of a unit."""
ALIASES = {"name": UNIT, "qty": COUNT, "quantity": COUNT, "number": COUNT}
"""Usual heads of other rosters, with the columns that they mean."""
NUMBERED = "{} ({})"
"""The name of a copy, such as `Infantry (2)`."""
_NUMBER = late_pattern(r" \([0-9]+\)$")
MAX_COPIES = 500


class Counters(NamedTuple):
    """The counters of a roster."""

    printed: Roster
    """Printed facts by unit, without copies."""
    counts: dict[str, int]
    """The number of counters of each unit."""
    types: dict[str, str]
    """The original unit of each copy."""


def shared_unit_name(unit: str) -> str:
    """Return the common name of units with equal counters: their name without its number."""
    return _NUMBER.sub("", unit)


def list_copies(unit: str, count: int) -> Iterator[str]:
    """Yield the copies of a unit.

    `count`: the number of its counters, the first included.
    """
    return (NUMBERED.format(unit, number) for number in range(2, count + 1))


def list_rows(file: Traversable) -> list[str]:
    """Return the units that a file of a roster lists.

    Raises InputError with file and line if it cannot be read.
    """
    return [row[UNIT] for row, _ in read_rows(file, [UNIT], aliases=ALIASES)]


def read_roster(
    files: Iterable[tuple[Traversable, Source]], tracks: Mapping[str, Track], on_fault: OnFault = stop
) -> Counters:
    """Return the counters of all files together.

    Unknown columns, bad values, units listed twice in one file, and units with the name of a copy go to `on_fault`
    with file and line.
    """
    roster: Roster = {}
    counts: dict[str, int] = {}
    places: dict[str, Where] = {}
    printed = {name for name, track in tracks.items() if track.printed == "counter"}

    for file, source in files:
        units_in_file = set()
        facts_by_cell: dict[tuple[str, str], Fact] = {}  # a few values repeat on many counters
        unknown_columns: list[str] | None = None  # None until the first row is read
        for row, where in read_rows(file, [UNIT], "", on_fault, (COUNT, *printed), ALIASES):
            unit, count = row.pop(UNIT), row.pop(COUNT, "")
            if unknown_columns is None:
                unknown_columns = [column for column in row if column not in printed]
                for column in unknown_columns:
                    error = InputError(
                        f"unknown track {column!r} of a counter", hint=format_suggestion(column, printed)
                    )
                    on_fault(error.at(where._replace(line=1)))
            for column in unknown_columns:
                del row[column]
            if not unit.strip() or not unit.isprintable():
                what = (
                    f"the unit {unit!r} has a character that cannot be printed"
                    if unit.strip()
                    else "a unit has no name"
                )
                on_fault(InputError(what, where=where, hint="write its name in the column `unit`"))
                continue
            if unit in units_in_file:
                on_fault(InputError(f"unit {unit} is listed twice", where=where, hint="leave one of the rows out"))
                continue
            units_in_file.add(unit)
            facts_of_unit = roster.setdefault(unit, {})
            places.setdefault(unit, where)
            try:
                counts[unit] = max(counts.get(unit, 1), _read_count(count))
            except InputError as error:
                on_fault(error.at(where))
            for cell in compress(row.items(), row.values()):  # only cells that are not empty
                try:
                    if cell not in facts_by_cell:
                        facts_by_cell[cell] = Fact(tracks[cell[0]].parse(cell[1]), source)
                except InputError as error:
                    on_fault(error.at(where))
                    continue
                facts_of_unit.setdefault(cell[0], []).append(facts_by_cell[cell])
    types = {copy: unit for unit, count in counts.items() for copy in list_copies(unit, count)}
    for copy, unit in types.items():
        if copy in roster:
            hint = f"leave this row out, or write a smaller {COUNT} for {unit}"
            on_fault(InputError(f"{copy} is already a copy of {unit}", where=places[copy], hint=hint))
    return Counters(roster, {unit: counts.get(unit, 1) for unit in roster}, types)


def _read_count(text: str) -> int:
    if not text:
        return 1
    count = int(text) if re.fullmatch("[0-9]{1,4}", text) else 0
    if not 1 <= count <= MAX_COPIES:
        hint = f"write how many counters of it there are, from 1 to {MAX_COPIES}"
        raise InputError(f"{COUNT}: {text!r} is not allowed", hint=hint)
    return count
