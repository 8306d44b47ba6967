"""The rulings of a game: doubtful rules with their readings, and the default reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, format_suggestion, stop

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Ruling(msgspec.Struct, frozen=True):
    """A doubtful rule."""

    id: str
    """The name in notation and JSON."""
    rule: str
    doubt: str
    readings: dict[str, str]
    """The meanings of the readings by name."""
    default: str
    """The reading that holds unless a state has another."""
    authority: str
    """The reason for the default: errata, a worked example, the letter, or sense."""

    def check(self, reading: str) -> str:
        """Return the reading itself. Raises InputError if the ruling has no such reading."""
        if reading not in self.readings:
            raise InputError(
                f"unknown reading of {self.id}: {reading!r}", hint=format_suggestion(reading, self.readings)
            )
        return reading


def read_rulings(file: Traversable, on_fault: OnFault = stop) -> dict[str, Ruling]:
    """Return the rulings in `rulings.csv` by id. A cell of readings is `name: meaning; name: meaning`.

    Readings without a name, repeated ids or readings, and unknown defaults go to `on_fault` with file and line.
    """
    rulings: dict[str, Ruling] = {}
    for row, where in read_rows(file, ["id", "rule", "doubt", "readings", "default", "authority"], on_fault=on_fault):
        try:
            readings = _read_readings(row["readings"])
        except InputError as error:
            on_fault(error.at(where))
            continue
        ruling = Ruling(row["id"], row["rule"], row["doubt"], readings, row["default"], row["authority"])
        try:
            ruling.check(ruling.default)
        except InputError as error:
            on_fault(error.at(where))
        if len(readings) < 2:
            what = f"ruling {ruling.id} has only one reading"
            on_fault(InputError(what, where=where, hint="write: NAME: what it means; NAME: what it means"))
        if ruling.id in rulings:
            on_fault(InputError(f"ruling {ruling.id} is given twice", where=where, hint="leave one of the rows out"))
        rulings[ruling.id] = ruling
    return rulings


def _read_readings(text: str) -> dict[str, str]:
    readings: dict[str, str] = {}
    for part in text.strip().removesuffix(";").split(";"):
        name, _, meaning = map(str.strip, part.partition(":"))
        if not name or name in readings:
            what = f"the reading {name!r} is given twice" if name else "a reading has no name"
            raise InputError(what, hint="write them as name: meaning; name: meaning")
        readings[name] = meaning
    return readings
