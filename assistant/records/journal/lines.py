"""The lines of a journal as text: `NUMBER TURN [and] [books=CHECK] [force] [late] [tap=MARK] HEAD REST ~CHECK`.

The check of three letters shows whether a line was cut off. Typed lines may lack it.
"""

from __future__ import annotations

from hashlib import sha256
from zlib import crc32

import msgspec

from ...util.errors import InputError
from ...util.limits import Limit
from ...util.patterns import late_pattern
from ...util.texts import DIRECTIONS

_CHECK = late_pattern(r" ~([0-9a-z]{3})$")
"""The check at the end of a line."""
AND = "and"
"""The word before an entry if the next one belongs to the same typed line, or the same tap on the page."""
TAP = "tap="
"""The sign before the last entry of a tap on the page; the entries before it have the word `and`."""
BOOKS = "books="
"""The sign before the last entry of a line that changes accounts: a check of the changes."""
_MARK_LENGTH = 12
"""The number of hexadecimal digits in the mark of a tap."""
_ENTRY = late_pattern(
    rf"([0-9]{{1,7}}) +(\S+) +((?:(?:{AND}|late|force|{BOOKS}[0-9a-z]{{3}}|{TAP}[0-9a-f]{{{_MARK_LENGTH}}}) +)*)(\S+)(?: +(.*))?"
)
"""An entry without its check: number, turn, signs, first word, rest."""
_CONTROL = late_pattern(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{DIRECTIONS}]")
"""Characters forbidden in lines: control characters, line ends, marks of writing direction, bytes that are not text."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The digits of a check."""


class JournalLine(msgspec.Struct, frozen=True):
    """An entry as a line: number, turn and signs as written, first word, and the rest."""

    number: int
    turn: str
    flags: tuple[str, ...]
    head: str
    rest: str
    line_number: int = 0
    """The number of the line in the file, or 0 if it is not in a file."""


def compute_tap_mark(tap: str) -> str:
    """Return the mark of a tap on the page, written before its entries.

    `tap`: a text that is unique to the tap.
    """
    return sha256(tap.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_LENGTH]


def compute_check(text: str) -> str:
    """Return the check of a line: three letters or digits."""
    number = crc32(text.encode()) % 36**3
    return _DIGITS[number % 36] + _DIGITS[number // 36 % 36] + _DIGITS[number // 36**2]


def has_check(text: str) -> bool:
    """Return whether a line ends with a check and the check fits."""
    match = _CHECK.search(text)
    return match is not None and compute_check(text[: match.start()]) == match[1]


def seems_checked(text: str) -> bool:
    """Return whether a line ends with a check, fitting or not."""
    return _CHECK.search(text) is not None


def read_entry(text: str, line_number: int = 0, max_chars: int = 0) -> JournalLine:
    """Parse a line as an entry.

    `line_number`: the number of the line in the file, or 0.
    `max_chars`: the maximum length in letters, or 0 for the usual one.

    Raises InputError if the line is not an entry, or if its check does not fit.
    """
    text = text.strip(" \t\r")
    if len(text) > (max_chars or Limit.RECORD.most):
        raise Limit.RECORD.error("the line holds")
    bare = text
    if not text.isprintable():
        bare = text.replace("\t", " ")
        _check_signs(bare)
    if match := _CHECK.search(text):
        if compute_check(text[: match.start()]) != match[1]:
            what = f"the line does not fit its check, {match[0].strip()}"
            raise InputError(what, hint="it was changed by hand: write back what it said, or take the check away")
        bare = bare[: match.start()].rstrip(" ")
    entry = _ENTRY.fullmatch(bare)
    if entry is None:
        hint = "write: NUMBER TURN WHO WHAT AMOUNT NOTE, such as 212 mar16/5 ah dm 22 Sabac"
        raise InputError(f"this is not an entry: {text[:30]!r}", hint=hint)
    number, turn, flags, head, rest = entry.groups()
    return JournalLine(int(number), turn, tuple(sorted({*flags.split()})), head, rest or "", line_number)


def format_line(line: JournalLine) -> str:
    """Return an entry as text without its check, with its number if it has one."""
    number = str(line.number) if line.number else ""
    return " ".join(filter(None, (number, line.turn, *sorted(line.flags), line.head, line.rest.strip(" "))))


def write_entry(line: JournalLine) -> str:
    """Return an entry as a line with its check.

    Raises InputError if the line would be read as another entry.
    """
    flags = tuple(sorted(line.flags))
    rest = line.rest.strip(" ")
    text = format_line(line)
    _check_signs(text)
    whole_line = f"{text} ~{compute_check(text)}"
    if len(whole_line) > Limit.RECORD.most:
        raise Limit.RECORD.error("the entry holds")
    if read_entry(whole_line, line.line_number) != msgspec.structs.replace(line, flags=flags, rest=rest):
        raise InputError(f"an entry cannot be written so: {text[:40]!r}", hint="write: NUMBER TURN WHO WHAT")
    return whole_line


def _check_signs(text: str) -> None:
    """Raise InputError if a line has control characters."""
    if sign := _CONTROL.search(text):
        what = f"an entry is one line of text, without {ascii(sign[0])[1:-1]}"
        raise InputError(what, hint="leave out control characters")
