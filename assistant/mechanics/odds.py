"""Odds and their columns, and rounding: strengths stay exact fractions until a rule rounds them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

import msgspec

from ..util.errors import InputError, format_suggestion
from ..util.texts import natural

_HALF = Fraction(1, 2)


def half_up(number: Fraction | int) -> int:
    """Return the nearest whole number, halves rounded up."""
    return floor(number + _HALF)


def down(number: Fraction | int) -> int:
    """Return the number rounded down."""
    return floor(number)


def up(number: Fraction | int) -> int:
    """Return the number rounded up."""
    return ceil(number)


class Odds(NamedTuple):
    """A whole ratio, attacker to defender. `columns` counts odds columns from 1:1: 2:1 is 1, 1:2 is -1.

    Odds compare by strength of the attack, and a column shift is plain addition: `Odds(1).shifted(-1)` is 1:1.
    """

    columns: int

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Return the odds in a text such as "3:1". Raises InputError unless one of the two numbers is 1."""
        attack, defence = map(natural, text.partition(":")[::2])
        if attack is not None and defence is not None:
            if attack >= 1 and defence == 1:
                return cls(attack - 1)
            if attack == 1 and defence > 1:
                return cls(1 - defence)
        raise InputError(f"{text!r} is not an odds column", hint="write odds like 3:1 or 1:2")

    def __str__(self) -> str:
        return f"{self.columns + 1}:1" if self.columns >= 0 else f"1:{1 - self.columns}"

    def shifted(self, columns: int) -> Odds:
        """Return the odds `columns` to the right, or to the left if negative."""
        return Odds(self.columns + columns)

    def within(self, lowest: Odds, highest: Odds) -> Odds:
        """Return the nearest odds between the lowest and the highest of a chart."""
        return max(lowest, min(self, highest))

    def strength(self, defence: int | Fraction) -> Fraction:
        """Return the attack strength that gives exactly these odds against a defence."""
        return Fraction(defence * (self.columns + 1)) if self.columns >= 0 else Fraction(defence, 1 - self.columns)


class OddsColumns(NamedTuple):
    """The columns of a table with odds rounded down. The first and the last, if known, apply to all odds beyond."""

    first: Odds | None = None
    last: Odds | None = None
    skipping: tuple[Odds, ...] = ()
    """All columns of a table with gaps, from left to right; odds in a gap use the lower column."""

    @classmethod
    def from_names(cls, names: Iterable[str]) -> OddsColumns:
        """Return the columns with these names, in any order; without names, all odds.

        Raises InputError if a name is not an odds column.
        """
        columns = sorted(map(Odds.parse, names))
        if not columns:
            return cls()
        has_no_gaps = columns[-1].columns - columns[0].columns == len(columns) - 1
        return cls(columns[0], columns[-1], () if has_no_gaps else tuple(columns))

    def of(self, attack: int | Fraction, defence: int | Fraction, shift: int = 0) -> Odds:
        """Return the column of two strengths after a shift. Raises InputError if either strength is not above 0."""
        return self.within(odds_down(attack, defence).shifted(shift))

    def within(self, odds: Odds) -> Odds:
        """Return the column for the odds."""
        odds = odds if self.first is None else max(self.first, odds)
        odds = odds if self.last is None else min(odds, self.last)
        return max(column for column in self.skipping if column <= odds) if self.skipping else odds

    def unknown_end(self, column: Odds) -> str:
        """Return the unknown end of the table on the column's side of 1:1, "first" or "last", or "" if it is known.

        Every table has a column 1:1, so the result for 1:1 is "".
        """
        if column.columns < 0:
            return "" if self.first else "first"
        return "last" if column.columns and not self.last else ""

    def after(self, column: Odds) -> Odds:
        """Return the next column to the right, or the odds one step higher if this column is the last."""
        return min((higher for higher in self.skipping if higher > column), default=column.shifted(1))

    def rank(self, name: str) -> int:
        """Return the position of a column, counted from 0 for 1:1. Raises InputError if the text is not a column."""
        return Odds.parse(name).columns

    def named(self, text: str) -> str:
        """Return a column in its regular spelling. Raises InputError if the text is not a column."""
        return str(Odds.parse(text))


def odds_down(attack: int | Fraction, defence: int | Fraction) -> Odds:
    """Return the odds rounded down to a whole ratio: 14 against 5 is 2:1, 9 against 20 is 1:3.

    Raises InputError if either strength is not above 0.
    """
    if attack <= 0 or defence <= 0:
        raise InputError(f"{attack} against {defence} has no odds", hint="both strengths must be above 0")
    return Odds(attack // defence - 1) if attack >= defence else Odds(1 + -defence // attack)


def odds_from_midpoint(attack: int | Fraction, defence: int | Fraction) -> Odds:
    """Return the odds rounded to the nearest whole ratio, measured by the attacker's strength.

    At the midpoint they are rounded up. Against 16 the ratios 1:2 and 1:1 need 8 and 16; 12 is the midpoint, so 12
    against 16 is 1:1.

    Raises InputError as `odds_down` does.
    """
    lower = odds_down(attack, defence)
    higher = lower.shifted(1)
    middle_twice = lower.strength(defence) + higher.strength(defence)
    return higher if 2 * attack >= middle_twice else lower


def percentage(attack: int | Fraction, defence: int | Fraction) -> Fraction:
    """Return the attack in percent of the defence. Raises InputError if the defence is not above 0."""
    if defence <= 0:
        raise InputError(f"{attack} against {defence} has no odds", hint="the defence must be above 0")
    return Fraction(attack) * 100 / Fraction(defence)


class Bands(msgspec.Struct, frozen=True):
    """Columns with a lower bound each: percentages, thresholds, artillery totals."""

    bounds: Sequence[int]
    names: Sequence[str]

    def column(self, number: int | Fraction) -> int:
        """Return the index of the band for a number. Raises InputError below the first bound, and if there are no
        bands.
        """
        if not self.bounds:
            raise InputError("there are no columns", hint="state the bound of each column")
        index = bisect_right(self.bounds, number) - 1
        if index < 0:
            raise InputError(f"{number} is below the first column, {self.bounds[0]}")
        return index

    def of(self, number: int | Fraction) -> str:
        """Return the name of the band for a number. Raises InputError below the first bound."""
        return self.names[self.column(number)]

    def rank(self, name: str) -> int:
        """Return the index of a band. Raises ValueError for an unknown one."""
        return self.names.index(name)

    def named(self, text: str) -> str:
        """Return the band with a name, or for a whole percentage. Raises InputError for other texts."""
        if text in self.names:
            return text
        if (percentage := natural(text)) is not None:
            return self.of(percentage)
        raise InputError(
            f"{text!r} is neither a column nor a whole percentage", hint=format_suggestion(text, self.names)
        )
