"""The calendar of a game: its turns in order, and as players write them.

Turns without a `[calendar]` in `course.toml` are numbers, `12`. Otherwise the fifth turn of March 1916 is `mar16/5`,
and its special turn, if it has one, `mar16/0`. Special turns are in the order of turns, but turns after a turn are
counted without them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import msgspec

from ..util.errors import InputError, nearest
from ..util.patterns import late_pattern
from ..util.texts import folded, natural

_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
MONTHS = tuple(name[:3] for name in _MONTH_NAMES)
_TURN = late_pattern(r"(?P<month>[a-z]{3,9})[-. ]?(?P<year>[0-9]{4}|[0-9]{2})(?:\s*/\s*(?P<turn>[0-9]|s))?")
_TURN_FIRST = late_pattern(r"(?P<turn>[0-9])\s+(?P<month>[a-z]{3,9})[-. ]?(?P<year>[0-9]{4}|[0-9]{2})")
_FIRST_YEAR = 1900
"""Years of two digits belong to this century."""


class Month(msgspec.Struct, frozen=True):
    """A month: its number from January of the first year on, and how it is written."""

    number: int

    @property
    def year(self) -> int:
        """The year in full."""
        return _FIRST_YEAR + self.number // 12

    @property
    def of_year(self) -> int:
        """1 for January."""
        return self.number % 12 + 1

    @property
    def in_words(self) -> str:
        """Its name and year in full."""
        return f"{_MONTH_NAMES[self.number % 12].capitalize()} {self.year}"

    def __str__(self) -> str:
        return f"{MONTHS[self.number % 12]}{self.year % 100:02}"


class CalendarFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The calendar that `course.toml` may give."""

    first: str
    """A turn of the game, such as `aug14/1`; `last` likewise."""
    last: str
    turns: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """Of a month."""
    special: bool = False
    """Whether a special turn, 0, precedes them."""


def parse_date(text: str) -> tuple[Month, int | None] | None:
    """Return the month and the turn in it that a text such as `mar16/5`, `5 Mar 1916` or `mar16` names; no turn for a
    month alone; None for any other text.
    """
    match = _TURN.fullmatch(folded(text.strip())) or _TURN_FIRST.fullmatch(folded(text.strip()))
    if match is None:
        return None
    name = match["month"]
    year = int(match["year"])
    index = next((at for at, month in enumerate(_MONTH_NAMES) if month.startswith(name)), None)
    if index is None:
        return None
    number = (year - _FIRST_YEAR if len(match["year"]) == 4 else year) * 12 + index
    turn = match["turn"]
    if turn is None:
        return Month(number), None
    return Month(number), 0 if turn == "s" else int(turn)


def format_turn(text: str) -> str:
    """Return a turn in its regular form, be it in the calendar or not. Raises InputError for a text that names none."""
    parsed = parse_date(text)
    counted = natural(text)
    if parsed is not None and parsed[1] is not None:
        return f"{parsed[0]}/{parsed[1]}"
    if counted is not None:
        return str(counted)
    hint = f"name its turn too, such as {parsed[0]}/1" if parsed else "write a turn as mar16/5, or by its number"
    raise InputError(f"{text[:20]!r} is not a turn", hint=hint)


class Calendar:
    """The turns of a game, numbered from `first` in their order.

    first, last: the numbers of the first and the last turn. Where a game has no months, `months` is False, and what
    asks for one raises InputError.
    """

    months = False

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last

    def number(self, text: str) -> int:
        """Return the number of the turn of a text. Raises InputError for a text that is not a turn of the game."""
        number = natural(text)
        if number is None:
            raise InputError(f"{text[:20]!r} is not a turn", hint=f"turns are numbers, {self._range}")
        return self.check(number, text)

    def label(self, number: int) -> str:
        """Return how a turn is written."""
        return str(number)

    def check(self, number: int, text: str) -> int:
        """Return the number of a turn. Raises InputError if it lies outside the game. text: as it was written."""
        if not self.first <= number <= self.last:
            raise InputError(f"{text[:20]} is outside the game", hint=f"its turns are {self._range}")
        return number

    @property
    def _range(self) -> str:
        return f"{self.label(self.first)} to {self.label(self.last)}"

    def month(self, number: int) -> Month:
        """Return the month of a turn. Raises InputError in a game without months."""
        raise InputError("this game has no months", hint="count turns")

    def turn_of_month(self, number: int) -> int:
        """Return which turn of its month a turn is, 0 for the special one; in a game without months, its number."""
        return number

    def has_turn(self, turn: int) -> bool:
        """Return whether a month has such a turn, 0 for the special one; in a game without months, whether the game has
        it.
        """
        return self.first <= turn <= self.last

    def starts(self, month: Month) -> int:
        """Return the number of the first turn of a month, the special one if it has one; it may lie outside the game."""
        raise InputError("this game has no months", hint="count turns")

    def after_turns(self, number: int, turns: int) -> int:
        """Return the turn so many turns after another, or before it if negative; special turns do not count. It may lie
        outside the game.
        """
        return number + turns

    def after_months(self, number: int, months: int) -> int:
        """Return the turn of the same number so many months later."""
        return number + self.full_month_after(number, months) - self.starts(self.month(number))

    def full_month_after(self, number: int, months: int) -> int:
        """Return the first turn of the first full month after a turn, or of the second one, and so on."""
        return self.starts(Month(self.month(number).number + months))


class MonthCalendar(Calendar):
    """The turns of a game whose months have so many of them. Raises InputError for ends that are not turns, or in the
    wrong order.
    """

    months = True

    def __init__(self, file: CalendarFile) -> None:
        self.file = file
        self._all = file.turns + file.special
        self._before = 0
        first, last = self._read_end("first", file.first), self._read_end("last", file.last)
        if first > last:
            what = f"[calendar] first: {file.first} comes after {file.last}"
            raise InputError(what, hint="exchange `first` and `last`")
        self._before = first - 1
        super().__init__(1, last - self._before)

    def _read_end(self, key: str, text: str) -> int:
        """Return the first or the last turn. Raises InputError for what is none, with its key."""
        try:
            return self._count_turns(*self._read_date(text))
        except InputError as error:
            raise InputError(f"[calendar] {key}: {error.what}", hint=error.hint) from None

    def _read_date(self, text: str) -> tuple[Month, int]:
        """Return the month and turn of a text. Raises InputError for any other text and a turn that no month has."""
        parsed = parse_date(text)
        if parsed is None:
            example = "mar16/5" if text == self.file.first else self.file.first

            def hint() -> str:
                return f"write it as {example}; {nearest(text.partition('/')[0][:3], MONTHS)}"

            raise InputError(f"{text[:20]!r} is not a turn", hint=hint)
        month, turn = parsed
        if turn is None:
            raise InputError(f"{text[:20]!r} is a month", hint=f"name its turn too, such as {month}/1")
        if not self.has_turn(turn):
            special = ", and 0 for the special one" if self.file.special else ""
            raise InputError(f"{month} has no turn {turn}", hint=f"its turns are 1 to {self.file.turns}{special}")
        return month, turn

    def _count_turns(self, month: Month, turn: int) -> int:
        return month.number * self._all + turn - self._before

    def number(self, text: str) -> int:
        """Return the number of the turn of a text. Raises InputError for a text that is not a turn of the game."""
        known = self._by_label.get(text)
        return self.check(self._count_turns(*self._read_date(text)), text) if known is None else known

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {self.label(number): number for number in range(self.first, self.last + 1)}

    def label(self, number: int) -> str:
        """Return how a turn is written."""
        return f"{self.month(number)}/{self.turn_of_month(number)}"

    def month(self, number: int) -> Month:
        """Return the month of a turn."""
        return Month((number + self._before - self._offset) // self._all)

    def has_turn(self, turn: int) -> bool:
        """Return whether a month has such a turn, 0 for the special one."""
        return self._offset <= turn <= self.file.turns

    @property
    def _offset(self) -> int:
        return 0 if self.file.special else 1

    def turn_of_month(self, number: int) -> int:
        """Return which turn of its month a turn is, 0 for the special one."""
        return (number + self._before - self._offset) % self._all + self._offset

    def starts(self, month: Month) -> int:
        """Return the number of the first turn of a month, the special one if it has one; it may lie outside the game."""
        return month.number * self._all + self._offset - self._before

    def after_turns(self, number: int, turns: int) -> int:
        """Return the turn so many turns after another, or before it if negative; special turns do not count. It may lie
        outside the game.
        """
        counted = self.month(number).number * self.file.turns + self.turn_of_month(number) - 1 + turns
        if turns < 0 and not self.turn_of_month(number):
            counted += 1  # the turn before the special one is one turn before it
        month, turn = divmod(counted, self.file.turns)
        return self.starts(Month(month)) + turn + self.file.special
