"""The roster: what is printed on the counters."""

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
"""Unit -> track -> facts, best source first; copies of a counter have the same."""
COUNT = "count"
"""The column with how many counters of a unit there are."""
NUMBERED = "{} ({})"
"""The name of a unit that is not the first of its kind: `Infantry (2)`."""
_NUMBER = late_pattern(r" \([0-9]+\)$")
_MOST_COPIES = 500


class Counters(NamedTuple):
    """The counters of a roster."""

    printed: Roster
    """By their units, without copies."""
    counts: dict[str, int]
    """How many there are of each."""
    types: dict[str, str]
    """The units of which others are copies, by these."""


def shared_unit_name(unit: str) -> str:
    """Return what units are called whose counters are all alike: their name without the number behind it."""
    return _NUMBER.sub("", unit)


def list_copies(unit: str, count: int) -> Iterator[str]:
    """Yield the units whose counters are copies of one, which is the first of so many."""
    return (NUMBERED.format(unit, number) for number in range(2, count + 1))


def read_roster(
    files: Iterable[tuple[Traversable, Source]], tracks: Mapping[str, Track], on_fault: OnFault = stop
) -> Counters:
    """Return the counters combined from the files.

    An unknown column, a bad value, a unit listed twice in one file, or one that is a copy of another goes to `on_fault`
    with file and line.
    """
    roster: Roster = {}
    counts: dict[str, int] = {}
    places: dict[str, Where] = {}
    printed = {name for name, track in tracks.items() if track.printed == "counter"}

    for file, source in files:
        seen = set()
        known: dict[tuple[str, str], Fact] = {}  # few values stand on many counters
        unknown: list[str] | None = None  # until the head has been seen
        for row, where in read_rows(file, ["unit"], on_fault=on_fault, optional=(COUNT, *printed)):
            unit, count = row.pop("unit"), row.pop(COUNT, "")
            if unknown is None:
                unknown = [column for column in row if column not in printed]
                for column in unknown:
                    error = InputError(
                        f"unknown track {column!r} of a counter", hint=format_suggestion(column, printed)
                    )
                    on_fault(error.at(where._replace(line=1)))
            for column in unknown:
                del row[column]
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
            places.setdefault(unit, where)
            try:
                counts[unit] = max(counts.get(unit, 1), _read_count(count))
            except InputError as error:
                on_fault(error.at(where))
            for cell in compress(row.items(), row.values()):  # those that are not empty
                try:
                    if cell not in known:
                        known[cell] = Fact(tracks[cell[0]].parse(cell[1]), source)
                except InputError as error:
                    on_fault(error.at(where))
                    continue
                entry.setdefault(cell[0], []).append(known[cell])
    types = {copy: unit for unit, most in counts.items() for copy in list_copies(unit, most)}
    for copy, unit in types.items():
        if copy in roster:
            hint = f"leave this row out, or write a smaller {COUNT} for {unit}"
            on_fault(InputError(f"{copy} is already a copy of {unit}", where=places[copy], hint=hint))
    return Counters(roster, {unit: counts.get(unit, 1) for unit in roster}, types)


def _read_count(text: str) -> int:
    """Return how many counters of a unit there are, 1 if the cell is empty."""
    if not text:
        return 1
    count = int(text) if re.fullmatch("[0-9]{1,4}", text) else 0
    if not 1 <= count <= _MOST_COPIES:
        hint = f"write how many counters of it there are, from 1 to {_MOST_COPIES}"
        raise InputError(f"{COUNT}: {text!r} is not allowed", hint=hint)
    return count
