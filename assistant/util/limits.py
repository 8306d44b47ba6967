"""Limits on everything that an untrusted file may contain, so that reading it takes bounded memory and time.

Each can be set in the environment: FIELD_STAFF_LIMIT_FILE=64M allows files of 64 MiB. docs/limits.md lists them.
"""

from __future__ import annotations

import os
import re
from enum import Enum
from functools import cache

from .errors import InputError, OverLimit, Where

_TIMES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


class Limit(Enum):
    """The limits; each value is the default, its unit, and what it applies to."""

    FILE = "16M", "bytes", "a file with a position"
    JSON = "1M", "bytes", "a position in JSON"
    NOTATION = "256K", "letters", "a position in notation, also in the notes of a save"
    LINES = "10000", "lines", "a position in notation, or the notes of a save"
    LINE = "4K", "letters", "one of these lines"
    UNITS = "10000", "units", "a position in notation or JSON"
    ENTRIES = "20000", "entries", "a zip file"
    ENTRY = "32M", "bytes", "what one entry of a zip file unpacks to"
    CONTAINER = "64M", "bytes", "what all entries that are read unpack to"
    XML = "8M", "bytes", "buildFile.xml, moduledata or savedata"
    TAGS = "400000", "tags", "one of these"
    COMMANDS = "50000", "commands", "a save, including those of its log"
    COMMAND = "200000", "letters", "a command other than a step of a log"
    NESTING = "16", "levels", "commands within commands, and lists within the parameters of a question in JSON"
    PIECES = "20000", "pieces", "a save, or the palettes of a module"
    HANDLED = "2M", "pieces", "all steps of a log, counting every piece in the stacks they touch"
    STACK = "1000", "pieces", "one stack"
    TRAITS = "200", "traits", "a piece"
    PROTOTYPES = "1000", "prototypes", "a piece, including nested ones"
    GRID = "4K", "letters", "the grid of a map, in a save"
    PIXELS = "150M", "pixels", "the picture of a board"
    FRONT = "600", "hexes", "where troops stand if Front Lines are to be proposed"
    ARMIES = "100", "armies", "a position, if it is asked what belongs to them or where they stand"
    AREAS = "20000", "hexes", "all areas of armies together"
    TOGETHER = "8", "units", "a hex that takes part in attacks to be ranked"
    WAYS = "100000", "ways", "putting together those who may fight for a hex, where attacks are ranked"
    FAULTS = "1000", "mistakes", "the files of a game, listed at once"
    SYMBOL = "64K", "bytes", "a symbol of a game or a pack"

    def __init__(self, default: str, unit: str, of: str) -> None:
        self.default, self.unit, self.of = default, unit, of

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"FIELD_STAFF_LIMIT_{self._name_}"

    @property
    def most(self) -> int:
        """The limit in force. Raises InputError if the variable is not a number."""
        return _number(os.environ.get(self.variable) or self.default, self.variable)

    def check(self, count: int, holder: str) -> None:
        """Raise OverLimit if `count` exceeds the limit. holder: subject and verb of the message: "the stack holds"."""
        if count > self.most:
            raise self.error(holder)

    def error(self, holder: str) -> OverLimit:
        """The error for exceeding the limit."""
        hint = f"if the file is sound, raise the limit: {self.variable}={_short(2 * self.most)}"
        return OverLimit(f"{holder} more than {self.in_words}", hint=hint)

    @property
    def in_words(self) -> str:
        """The limit with its unit."""
        number = _short(self.most)
        if self.unit == "bytes" and number[-1] in "KMG":
            return f"{number[:-1]} {number[-1]}iB"
        return f"{number} {self.unit}"


@cache  # needed for every stack
def _number(text: str, variable: str) -> int:
    """The number that a variable's text stands for. Raises InputError if it does not stand for one."""
    number = re.fullmatch(r"([0-9]{1,12})([KMG]?)", text.strip().upper())
    if number is None:
        hint = "write a whole number, with K, M or G for KiB, MiB or GiB: 64M"
        raise InputError(f"{text!r} is not a limit", where=Where(variable), hint=hint)
    return int(number[1]) * _TIMES[number[2]]


def _short(number: int) -> str:
    """A number as a variable may hold it."""
    for letter, times in reversed(_TIMES.items()):
        if number and number % times == 0:
            return f"{number // times}{letter}"
    return str(number)
