"""The calendar of a game: its turns in order, and their names.

Without a `[calendar]` in `course.toml`, turns are numbers. Otherwise `mar16/5` is the fifth turn of March 1916, and
`mar16/0` its special turn, if it has one. Special turns have a place in the order of turns, but do not count when turns
are counted from another turn.
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
"""The year to which years of two digits are added."""


class Month(msgspec.Struct, frozen=True):
    """A month, numbered from January of the first year."""

    number: int

    @property
    def year(self) -> int:
        """The year in full."""
        return _FIRST_YEAR + self.number // 12

    @property
    def of_year(self) -> int:
        """The month within its year, from 1 for January."""
        return self.number % 12 + 1

    @property
    def in_words(self) -> str:
        """The name of the month and the year in full."""
        return f"{_MONTH_NAMES[self.number % 12].capitalize()} {self.year}"

    def __str__(self) -> str:
        return f"{MONTHS[self.number % 12]}{self.year % 100:02}"


class CalendarFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The section `[calendar]` of `course.toml`."""

    first: str
    """The first turn of the game, such as `aug14/1`."""
    last: str
    """The last turn of the game."""
    turns: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """The number of turns in a month."""
    special: bool = False
    """Whether a special turn 0 precedes the others of each month."""


def parse_date(text: str) -> tuple[Month, int | None] | None:
    """Parse `mar16/5` or `5 Mar 1916` as a month and its turn 5, and `mar16` as a month without a turn.

    The turn is None for a month alone. Returns None if the text has another form.
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


def write_turn_in_words(text: str) -> str:
    """Return a turn of a month in words, such as `August 1914, turn 2` for `aug14/2`, or "" if the text has no month and turn."""
    month, turn = parse_date(text) or (None, None)
    if month is None or turn is None:
        return ""
    return f"{month.in_words}, {f'turn {turn}' if turn else 'special turn'}"


def format_turn(text: str) -> str:
    """Return a turn in its regular form, with or without a calendar.

    Raises InputError if the text is not a turn.
    """
    parsed = parse_date(text)
    counted = natural(text)
    if parsed is not None and parsed[1] is not None:
        return f"{parsed[0]}/{parsed[1]}"
    if counted is not None:
        return str(counted)
    hint = f"name its turn too, such as {parsed[0]}/1" if parsed else "write a turn as mar16/5, or by its number"
    raise InputError(f"{text[:20]!r} is not a turn", hint=hint)


class Calendar:
    """The turns of a game, numbered in order.

    `months`: False in a game without months. There, methods about months raise InputError.
    """

    months = False

    def __init__(self, first: int, last: int) -> None:
        self.first = first
        self.last = last

    def number(self, text: str) -> int:
        """Return the number of a turn.

        Raises InputError if the text is not a turn of the game.
        """
        number = natural(text)
        if number is None:
            raise InputError(f"{text[:20]!r} is not a turn", hint=f"turns are numbers, {self._range}")
        return self.check(number, text)

    def label(self, number: int) -> str:
        """Return a turn as players write it."""
        return str(number)

    def check(self, number: int, text: str) -> int:
        """Return the number of a turn.

        `text`: the turn as written, for the message.

        Raises InputError if the turn is outside the game.
        """
        if not self.first <= number <= self.last:
            raise InputError(f"{text[:20]} is outside the game", hint=f"its turns are {self._range}")
        return number

    @property
    def _range(self) -> str:
        return f"{self.label(self.first)} to {self.label(self.last)}"

    def month(self, number: int) -> Month:
        """Return the month of a turn. Raises InputError if the game has no months."""
        raise InputError("this game has no months", hint="count turns")

    def turn_of_month(self, number: int) -> int:
        """Return the place of a turn in its month, or 0 for the special one. Without months, return its number."""
        return number

    def has_turn(self, turn: int) -> bool:
        """Return whether every month has a turn with this number. Without months, the game must have the turn."""
        return self.first <= turn <= self.last

    def starts(self, month: Month) -> int:
        """Return the number of a month's first turn, or of its special turn, even outside the game."""
        raise InputError("this game has no months", hint="count turns")

    def after_turns(self, number: int, turns: int) -> int:
        """Return the number of the turn some turns after another, or before it if `turns` is negative.

        The turn may be outside the game. Special turns do not count.
        """
        return number + turns

    def after_months(self, number: int, months: int) -> int:
        """Return the turn at the same place of its month, some months later."""
        return number + self.full_month_after(number, months) - self.starts(self.month(number))

    def full_month_after(self, number: int, months: int) -> int:
        """Return the first turn of the month that comes `months` after the month of a turn."""
        return self.starts(Month(self.month(number).number + months))


class MonthCalendar(Calendar):
    """The turns of a game with months.

    Raises InputError if the first or last turn is not a turn, or if the two are in the wrong order.
    """

    months = True

    def __init__(self, file: CalendarFile) -> None:
        self.file = file
        self._turns_per_month = file.turns + file.special
        self._turns_before = 0
        first, last = self._read_end("first", file.first), self._read_end("last", file.last)
        if first > last:
            what = f"[calendar] first: {file.first} comes after {file.last}"
            raise InputError(what, hint="exchange `first` and `last`")
        self._turns_before = first - 1
        super().__init__(1, last - self._turns_before)

    def _read_end(self, key: str, text: str) -> int:
        try:
            return self._count_turns(*self._read_date(text))
        except InputError as error:
            raise InputError(f"[calendar] {key}: {error.what}", hint=error.hint) from None

    def _read_date(self, text: str) -> tuple[Month, int]:
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
        return month.number * self._turns_per_month + turn - self._turns_before

    def number(self, text: str) -> int:
        """Return the number of a turn. Raises InputError if the text is not a turn of the game."""
        known = self._by_label.get(text)
        return self.check(self._count_turns(*self._read_date(text)), text) if known is None else known

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {self.label(number): number for number in range(self.first, self.last + 1)}

    def label(self, number: int) -> str:
        """Return a turn as players write it."""
        return f"{self.month(number)}/{self.turn_of_month(number)}"

    def month(self, number: int) -> Month:
        """Return the month of a turn."""
        return Month((number + self._turns_before - self._first_of_month) // self._turns_per_month)

    def has_turn(self, turn: int) -> bool:
        """Return whether a month has a turn with this number, or 0 for the special one."""
        return self._first_of_month <= turn <= self.file.turns

    @property
    def _first_of_month(self) -> int:
        return 0 if self.file.special else 1

    def turn_of_month(self, number: int) -> int:
        """Return the place of a turn in its month, or 0 for the special one."""
        return (number + self._turns_before - self._first_of_month) % self._turns_per_month + self._first_of_month

    def starts(self, month: Month) -> int:
        """Return the number of a month's first turn, which may be outside the game."""
        return month.number * self._turns_per_month + self._first_of_month - self._turns_before

    def after_turns(self, number: int, turns: int) -> int:
        """Return the number of the turn some turns after another, without counting special turns.

        The turn may be outside the game.
        """
        counted = self.month(number).number * self.file.turns + self.turn_of_month(number) - 1 + turns
        if turns < 0 and not self.turn_of_month(number):
            counted += 1  # the special turn is not counted: one turn before it is the last turn of the month before
        month, turn = divmod(counted, self.file.turns)
        return self.starts(Month(month)) + turn + self.file.special
