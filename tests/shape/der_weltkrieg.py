"""Der Weltkrieg, Duration Campaign: Demoralization Points and what they bring about (3-10, 3-11, 6-17, 6-18, 25-4, 25-5).

A probe of the core's journal, no plugin. A month has a Monthly Special Turn, here turn 0, and seven normal turns.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.mechanics.odds import Bands
from assistant.state.changes import Entry, Gain, Raise
from assistant.state.state import GameState

POINTS = "demoralization"
STEADY, SHAKEN, COLLAPSE, SURRENDER = "steady", "Shaken", "Economic Collapse", "Surrender"
Course = Sequence[tuple[Entry, GameState]]
"""A campaign entry by entry, each with the state after it, as `Journal.states` gives it."""


class Turn(NamedTuple):
    """A turn of the campaign; turn 0 of a month is its Monthly Special Turn. Turns compare by date."""

    year: int
    month: int
    turn: int

    @classmethod
    def parse(cls, text: str) -> Turn:
        """The turn that a journal's entry names, as `str` writes it."""
        return cls(*map(int, text.split("-")))

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}-{self.turn}"

    @property
    def number(self) -> int:
        """Normal turns counted from the year 0; a Monthly Special Turn has that of the normal turn before it."""
        return (self.year * 12 + self.month - 1) * 7 + self.turn


class Nation(NamedTuple):
    """A nation's levels of morale by Demoralization Points, and the points that each month brings."""

    name: str
    levels: Bands
    monthly: int
    rule: str

    def begins(self, level: str) -> int:
        """The points with which a level begins."""
        return self.levels.bounds[list(self.levels.names).index(level)]


def read_nations(file: Path) -> dict[str, Nation]:
    """The nations of a table, by name.

    Rule: 3-11, 6-18
    """
    rows = csv.DictReader(file.read_text("utf-8").splitlines())
    return {
        row["nation"]: Nation(
            row["nation"],
            Bands(
                (0, int(row["shaken"]), int(row["economic_collapse"]), int(row["surrender"])),
                (STEADY, SHAKEN, COLLAPSE, SURRENDER),
            ),
            int(row["monthly"]),
            row["rule"],
        )
        for row in rows
    }


def monthly_gains(nations: Mapping[str, Nation], at: Turn) -> tuple[Gain, ...]:
    """What a Monthly Special Turn adds for want of imports, from January 1915.

    Rule: 3-10, 6-17
    """
    if at.turn or at < Turn(1915, 1, 0):
        return ()
    return tuple(Gain(POINTS, nation.name, nation.monthly, nation.rule) for nation in nations.values())


def points(state: GameState, nation: str) -> int:
    """A nation's Demoralization Points."""
    value = state.value(POINTS, nation)
    return value if isinstance(value, int) else 0


def morale(nation: Nation, total: int, budapest_lost: bool = False) -> str:
    """A nation's level of morale. Austria-Hungary also surrenders when Budapest is lost.

    Rule: 3-11, 6-18
    """
    return SURRENDER if budapest_lost and nation.name == "Austria-Hungary" else nation.levels.of(total)


def reached(course: Course, nation: str, total: int) -> Turn | None:
    """The turn in which a nation came to so many points, None if it has not."""
    return next((Turn.parse(entry.when) for entry, state in course if points(state, nation) >= total), None)


def became(course: Course, nation: Nation, level: str) -> Turn | None:
    """The turn in which a nation came to a level of morale, None if it has not.

    Rule: 3-11, 6-18
    """
    return reached(course, nation.name, nation.begins(level))


def declared_shaken(austria: Nation) -> Raise:
    """What a declaration of the Central Powers does: it moves Austria-Hungary to the level at which it is Shaken.

    Rule: 25-5
    """
    return Raise(POINTS, austria.name, austria.begins(SHAKEN), "25-5")


def additional_german_divisions(course: Course, austria: Nation, now: Turn) -> int | None:
    """Additional German divisions that may operate in the Austro-Hungarian sphere; None for no limit.

    Twelve for six months, which are 42 normal turns, from the turn after Austria-Hungary has 250 points; any number
    once it is Shaken.

    Rule: 25-4, 25-5
    """
    shaken = became(course, austria, SHAKEN)
    if shaken is not None and shaken <= now:
        return None
    first = reached(course, austria.name, 250)
    return 12 if first is not None and first.number < now.number <= first.number + 42 else 0
