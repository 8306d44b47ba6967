"""Limits on everything that an untrusted file may contain, so that reading it takes bounded memory and time.

Each limit can be set in the environment: FIELD_STAFF_LIMIT_FILE=64M allows files of 64 MiB. The handbook's page
"Limits" lists them.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from enum import Enum
from functools import cache
from itertools import accumulate, takewhile
from typing import TypeVar

from .errors import InputError, Where

T = TypeVar("T")
_FOR_A_SIDE = ContextVar("for a side", default=False)
_MULTIPLES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


class Limit(Enum):
    """The limits; each value is the default, its unit, and what it applies to."""

    FILE = "16M", "bytes", "a file with a position"
    JSON = "1M", "bytes", "a position in JSON"
    NOTATION = "256K", "letters", "a position in notation, also in the notes of a save"
    LINK = "64K", "letters", "a link to a position"
    SHARED = "64K", "bytes", "one side's own table when a table is served"
    LINES = "10000", "lines", "a position in notation, or the notes of a save"
    LINE = "4K", "letters", "one line of a position in notation or of the notes"
    RECORD = "256K", "letters", "an entry of a journal, with the changes of an answer"
    UNITS = "10000", "units", "a position in notation or JSON"
    JOURNAL = "50000", "entries", "a journal to which one is added"
    ASKS = "200", "questions", "a position in notation or JSON"
    ENTRIES = "20000", "entries", "a zip file"
    ENTRY = "64M", "bytes", "what one entry of a zip file unpacks to"
    CONTAINER = "96M", "bytes", "what all entries that are read unpack to"
    TEXT = "32M", "bytes", "the commands of a save or a log, as text"
    XML = "16M", "bytes", "buildFile.xml, moduledata or savedata"
    TAGS = "400000", "tags", "buildFile.xml, moduledata or savedata"
    ATTRIBUTES = (
        "500000",
        "attributes",
        "buildFile.xml, moduledata or savedata, counting every text that looks like an attribute",
    )
    COMMANDS = "500000", "commands", "a save, including those of its log"
    COMMAND = "200000", "letters", "a command other than a step of a log"
    NESTING = "32", "levels", "commands within commands, and lists within the parameters of a question in JSON"
    PIECES = "20000", "pieces", "a save, or the palettes of a module"
    PARTS = (
        "500000",
        "traits and properties",
        "all pieces of a save or of the palettes of a module, with the boards of a save",
    )
    HANDLED = "2M", "pieces", "all steps of a log, counting every piece in the stacks they touch"
    STACK = "1000", "pieces", "one stack"
    TRAITS = "1000", "traits", "a piece"
    PROTOTYPES = "1000", "prototypes", "a piece, including nested ones"
    GRID = "64K", "letters", "the grid of a map, in a save"
    DATA = "512K", "bytes", "a file of a game or a pack, or a table that is pasted"
    TURNS = "1000", "turns", "a game with a turn record"
    CELLS = "100000", "cells", "a chart of which every row and column is known"
    DRAWN = "200000", "facts", "a drawn board"
    HEXES = "40000", "hexes", "the map of a module"
    PIXELS = "150M", "pixels", "a picture that is read or drawn"
    FRONT = "600", "hexes", "hexes with troops, if Front Lines are to be proposed"
    ARMIES = "100", "armies", "a position, if it is asked what belongs to its armies or where they stand"
    AREAS = "20000", "hexes", "all areas of armies together"
    COMBAT = "200", "units", "a combat, with those that are withheld"
    TOGETHER = "8", "units", "a hex that takes part in attacks to be ranked"
    WAYS = "100000", "ways", "putting together those who may fight for a hex, where attacks are ranked"
    PLANS = "5000", "plans", "finding the modes of supply sources that serve the most units"
    LOSSES = "20000", "outcomes", "trying out losses one after the other, counting each unit after each loss"
    THREATS = "400", "attacks", "attacks on a side whose chances are worked out for one answer"
    CUTS = "40", "moves", "enemy moves after which supply is checked again, where lines of supply may be cut"
    DOUBTS = "200000", "facts", "reading again to see which assumed facts an answer depends on"
    SYMBOL = "64K", "bytes", "a symbol of a game or a pack"
    FACE = "256K", "bytes", "a whole face of a counter, drawn for a game or a pack"
    ART = "4M", "bytes", "a whole face of a counter as a PNG, JPEG or GIF"
    ART_PIXELS = "16M", "pixels", "a whole face of a counter as a PNG, JPEG or GIF"
    PHOTO = "12M", "bytes", "a photo of your own map, as it is stored beside your pack"
    PHOTO_FILE = "64M", "bytes", "a photo of your own map, as you choose it"
    PHOTO_PIXELS = "100M", "pixels", "a photo of your own map, as you choose it"
    SCAN = "400M", "pixels", "a picture of a module, of which its size is read; an import makes a board's smaller"
    IMPORT = "512M", "bytes", "what is read from a module that is imported"

    def __init__(self, default: str, unit: str, of: str) -> None:
        self.default = default
        self.unit = unit
        self.of = of

    @property
    def variable(self) -> str:
        return f"FIELD_STAFF_LIMIT_{self._name_}"

    @property
    def most(self) -> int:
        """The limit in force.

        While a file is read for a side, nothing hidden counts, or the limit is at least the default: see `_for_a_side`.

        Raises InputError if the environment variable is not a number.
        """
        most = _parse_number(os.environ.get(self.variable) or self.default, self.variable)
        if not _FOR_A_SIDE.get() or self not in HIDDEN_LIMITS:
            return most
        if self in SEEN_LATER and self is not Limit.PIECES:
            return sys.maxsize
        return (_PIECES_FACTOR if self is Limit.PIECES else 1) * max(most, _parse_number(self.default, self.variable))

    def check(self, count: int, holder: str) -> None:
        """Raise TooMuch if `count` exceeds the limit.

        `holder`: subject and verb of the message, such as "the stack holds".
        """
        if count > self.most:
            raise self.error(holder, count)

    def error(self, holder: str, count: int = 0) -> TooMuch:
        """Return the error for exceeding the limit.

        `holder`: as in `check`.
        `count`: the actual number, or 0 if unknown.
        """
        return TooMuch({self: (holder, count)})

    def allowing(self, count: int) -> str:
        """Return the setting of the variable that allows this count, by doubling the present limit."""
        enough = 2 * max(self.most, 1)
        while enough < count:
            enough *= 2
        return f"{self.variable}={_format_number(enough)}"

    @property
    def in_words(self) -> str:
        number = _format_number(self.most)
        if self.unit == "bytes" and number[-1] in "KMG":
            return f"{number[:-1]} {number[-1]}iB"
        return f"{number} {self.unit}"


def limits_set() -> tuple[str, ...]:
    """Return the value of each limit's environment variable, or "" if it is not set."""
    return tuple(os.environ.get(limit.variable, "") for limit in Limit)


_PIECES_FACTOR = 5
"""The limit on pieces in a file read for a side, as a multiple of the limit on pieces that the side may see."""
SEEN_LATER = frozenset({Limit.UNITS, Limit.PIECES, Limit.STACK})
"""The limits that apply only to what a side sees, and are checked after the file is read."""
HIDDEN_LIMITS = SEEN_LATER | {
    Limit.ASKS,
    Limit.COMMANDS,
    Limit.COMMAND,
    Limit.NESTING,
    Limit.HANDLED,
    Limit.TRAITS,
    Limit.PARTS,
}
"""The limits on things that may be hidden from a side."""


@contextmanager
def _for_a_side() -> Iterator[None]:
    """Apply the limits for reading a file for a side, so that no limit reveals how much is hidden from it.

    Units and stacks are bounded by the size of the file, and counted once hidden ones are removed. The limits on pieces
    and commands can be raised, but not lowered.
    """
    before = _FOR_A_SIDE.set(True)
    try:
        yield
    finally:
        _FOR_A_SIDE.reset(before)


class TooMuch(InputError):
    """Input that exceeds limits, all of which the message names. An answer with this error stays open.

    `over`: by limit, the subject and verb of the message, and the actual number, or 0 if unknown.
    """

    def __init__(self, over: Mapping[Limit, tuple[str, int]]) -> None:
        self.over = over
        what = ", ".join(f"{holder} more than {limit.in_words}" for limit, (holder, _) in over.items())
        raised = " ".join(limit.allowing(count) for limit, (_, count) in over.items())
        plural = "s" if len(over) > 1 else ""
        super().__init__(what, hint=f"if the file is sound, raise the limit{plural}: {raised}")
        self.private = not HIDDEN_LIMITS.isdisjoint(over)

    def with_more(self, over: Mapping[Limit, tuple[str, int]]) -> TooMuch:
        counted = {
            limit: (holder, max(count, over.get(limit, ("", 0))[1])) for limit, (holder, count) in self.over.items()
        }
        error = TooMuch({**counted, **over, **counted})
        error.where = self.where
        return error


def find_exceeded(taken: Mapping[Limit, tuple[str, int]]) -> dict[Limit, tuple[str, int]]:
    """Return the entries that exceed their limit.

    `taken`: by limit, the subject and verb of a message, and the number.
    """
    return {limit: (holder, count) for limit, (holder, count) in taken.items() if count > limit.most}


def last_within(limit: int, items: Sequence[T], size: Callable[[T], int]) -> Sequence[T]:
    """Return the longest end of the items whose total size is within `limit`, and at least the last item."""
    sizes = accumulate(map(size, reversed(items)))
    return items[-max(sum(1 for _ in takewhile(lambda total: total <= limit, sizes)), 1) :]


@cache  # every stack needs the number
def _parse_number(text: str, variable: str) -> int:
    number = re.fullmatch(r"([0-9]{1,12})([KMG]?)", text.strip().upper())
    if number is None:
        hint = "write a whole number, with K, M or G for KiB, MiB or GiB: 64M"
        raise InputError(f"{text!r} is not a limit", where=Where(variable), hint=hint)
    return int(number[1]) * _MULTIPLES[number[2]]


def _format_number(number: int) -> str:
    for letter, times in reversed(_MULTIPLES.items()):
        if number and number % times == 0:
            return f"{number // times}{letter}"
    return str(number)


@contextmanager
def kept_private(name: str, *, limited: bool) -> Iterator[None]:
    """Replace errors in the block by ones that reveal nothing hidden in a file to a side.

    `limited`: whether a side reads the file. `service.check_size` counts later what the side sees.
    """
    try:
        with _for_a_side() if limited else nullcontext():
            yield
    except InputError as error:
        if not limited:
            raise
        if error.private:
            hint = "an umpire learns more with --umpire"
            raise InputError("its pieces cannot be read", where=Where(name), hint=hint) from None
        if error.names_units:
            error.hint = ""
        raise
