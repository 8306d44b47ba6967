"""The roster: what is printed on the counters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..state.tracks import Fact, Source, Track
from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, format_suggestion, stop

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Roster = dict[str, dict[str, list[Fact]]]
"""Unit type -> track -> facts, best source first."""


def read_roster(
    files: Iterable[tuple[Traversable, Source]], tracks: Mapping[str, Track], on_fault: OnFault = stop
) -> Roster:
    """Return the roster combined from the files.

    An unknown column, a bad value or a unit listed twice in one file goes to `on_fault` with file and line.
    """
    roster: Roster = {}
    printed = {name for name, track in tracks.items() if track.printed == "counter"}

    def read_fact(column: str, text: str, source: Source) -> Fact | None:
        if column not in printed:
            raise InputError(f"unknown track {column!r} of a counter", hint=format_suggestion(column, printed))
        return Fact(tracks[column].parse(text), source) if text else None

    for file, source in files:
        seen = set()
        known: dict[tuple[str, str], Fact | None] = {}  # few values stand on many counters
        for row, where in read_rows(file, ["unit"], on_fault=on_fault):
            unit = row.pop("unit")
            if not unit.strip() or not unit.isprintable():
                what = (
                    f"the unit {unit!r} has a character that cannot be printed"
                    if unit.strip()
                    else "a unit has no name"
                )
                on_fault(InputError(what, where=where, hint="write its name in the column `unit`"))
                continue
            if unit in seen:
                on_fault(InputError(f"unit {unit} is listed twice", where=where, hint="leave one of the rows out"))
                continue
            seen.add(unit)
            entry = roster.setdefault(unit, {})
            for cell in row.items():
                try:
                    if cell not in known:
                        known[cell] = read_fact(*cell, source)
                except InputError as error:
                    on_fault(error.at(where))
                    continue
                if stated := known[cell]:
                    entry.setdefault(cell[0], []).append(stated)
    return roster
