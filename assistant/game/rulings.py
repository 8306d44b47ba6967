"""Rulings: the doubtful places of a rulebook, their possible readings, and which one holds unless the players agree otherwise."""

from __future__ import annotations

from importlib.resources.abc import Traversable

import msgspec

from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, nearest, stop


class Ruling(msgspec.Struct, frozen=True):
    """One doubtful place.

    id: its name in notation and JSON; rule: where it stands; doubt: what is open; readings: name -> what it means;
    default: the reading taken unless a state says otherwise; authority: errata, a worked example, the letter, or sense.
    """

    id: str
    rule: str
    doubt: str
    readings: dict[str, str]
    default: str
    authority: str

    def check(self, reading: str) -> str:
        """The reading itself. Raises InputError if the ruling has no such reading."""
        if reading not in self.readings:
            raise InputError(f"{reading!r} is no reading of {self.id}", hint=nearest(reading, self.readings))
        return reading


def read_rulings(file: Traversable, on_fault: OnFault = stop) -> dict[str, Ruling]:
    """The rulings of a game by id, from its `rulings.csv` (readings as `name: meaning; name: meaning`).

    A default that is not among the readings, or an id that is there twice, goes to `on_fault` with file and line.
    """
    rulings: dict[str, Ruling] = {}
    for row, where in read_rows(file, ["id", "rule", "doubt", "readings", "default", "authority"], on_fault=on_fault):
        readings = {}
        for part in row["readings"].split(";"):
            name, _, meaning = part.partition(":")
            readings[name.strip()] = meaning.strip()
        ruling = Ruling(row["id"], row["rule"], row["doubt"], readings, row["default"], row["authority"])
        try:
            ruling.check(ruling.default)
        except InputError as error:
            on_fault(error.at(where))
        if ruling.id in rulings:
            on_fault(InputError(f"ruling {ruling.id} is given twice", where=where, hint="leave one of the rows out"))
        rulings[ruling.id] = ruling
    return rulings
