"""The lines of a journal, as text: `NUMBER TURN [late] [force] HEAD REST ~CHECK`, and the changes of an answer in words.

The check at the end of a line, three letters, tells a line that was cut off from one that an editor has left without its
line end. Lines written by hand may lack it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from zlib import crc32

import msgspec

from ..state.changes import PLACED, AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.tracks import Track, Value
from ..state.words import SPACED, words_of
from ..util.errors import InputError
from ..util.limits import Limit
from ..util.texts import natural

FLAGS = ("force", "late")
_CHECK = re.compile(r" ~([0-9a-z]{3})$")
_ENTRY = re.compile(r"(\d{1,7}) (\S+) ((?:(?:late|force) )*)(\S+)(?: (.*))?", re.DOTALL)
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BAR, _JOIN = " | ", "; "
_PLAIN = re.compile(r'[^\s;|"]+')


class Line(msgspec.Struct, frozen=True):
    """A line that is an entry: its number, its turn and signs as written, its first word, and all that follows.

    place: its line in the file, 0 for one that is not in a file.
    """

    number: int
    turn: str
    flags: tuple[str, ...]
    head: str
    rest: str
    place: int = 0


def check_of(text: str) -> str:
    """The check of a line: three letters or digits."""
    number, letters = crc32(text.encode()) % 36**3, ""
    for _ in range(3):
        number, digit = divmod(number, 36)
        letters += _DIGITS[digit]
    return letters


def has_check(text: str) -> bool:
    """Whether a line ends with a check that fits."""
    match = _CHECK.search(text)
    return match is not None and check_of(text[: match.start()]) == match[1]


def read_entry(text: str, place: int = 0) -> Line:
    """The entry that a line is. Raises InputError for one that is not an entry, or whose check does not fit."""
    if len(text) > Limit.LINE.most:
        raise Limit.LINE.error("the line holds")
    if match := _CHECK.search(text):
        if not has_check(text):
            what = f"the line does not fit its check, {match[0].strip()}"
            raise InputError(what, hint="it was changed by hand: amend the entry instead, or take the check away")
        text = text[: match.start()]
    entry = _ENTRY.fullmatch(text.strip())
    if entry is None:
        hint = "write: NUMBER TURN WHO WHAT AMOUNT NOTE, such as 212 mar16/5 ah dm 22 Sabac"
        raise InputError(f"this is not an entry: {text[:30]!r}", hint=hint)
    number, turn, flags, head, rest = entry.groups()
    return Line(int(number), turn, tuple(sorted({*flags.split()})), head, (rest or "").strip(), place)


def write_entry(line: Line) -> str:
    """An entry as a line, with its check. Raises InputError for what a line cannot hold."""
    text = " ".join(filter(None, (str(line.number), line.turn, *line.flags, line.head, line.rest.strip())))
    if not text.isprintable() or len(text.splitlines()) > 1:
        raise InputError("an entry is one line of text", hint="leave out control characters")
    whole = f"{text} ~{check_of(text)}"
    if len(whole) > Limit.LINE.most:
        raise Limit.LINE.error("the entry holds")
    return whole


# --- answers ------------------------------------------------------------------------------------------------------------


def read_answer(text: str, tracks: Mapping[str, Track]) -> tuple[str, str, tuple[AnyChange, ...]]:
    """The question with its parameters, the dice and the changes of an answer: `QUESTION PARAMETERS | DICE | CHANGES`.

    Raises InputError for a question that is missing, and for a change that cannot be read.
    """
    question, dice, changes, *more = [*_apart(text, "|"), "", ""]
    if not question.strip() or any(part.strip() for part in more):
        raise InputError(
            "an answer is QUESTION PARAMETERS | DICE | CHANGES", hint="write: answer battle at=41.19 | crt=2+5"
        )
    read = tuple(read_change(part.strip(), tracks) for part in _apart(changes, ";") if part.strip())
    return question.strip(), dice.strip(), read


def write_answer(question: str, dice: str, changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> str:
    """An answer as `read_answer` reads it."""
    return _BAR.join((question, dice, _JOIN.join(write_change(change, tracks) for change in changes)))


def _apart(text: str, sign: str) -> list[str]:
    """A text in the parts between a sign outside quotes."""
    parts, quoted = [""], False
    for piece in re.split(f'(["{re.escape(sign)}])', text):
        if piece == sign and not quoted:
            parts.append("")
            continue
        quoted ^= piece == '"'
        parts[-1] += piece
    return parts


def write_change(change: AnyChange, tracks: Mapping[str, Track]) -> str:
    """A change in words: `steps 29/20 0 -> 1 11.3`, `vp allies + 3 5.4`, `enter A1 A1 0102 0 9.2`, `leave A1 10.2`."""
    match change:
        case Enter(unit, type_, place, order, rule):
            return " ".join(("enter", *map(_word, (unit, type_, place)), str(order), _rule(rule)))
        case Leave(unit, rule):
            return f"leave {_word(unit)} {_rule(rule)}"
        case Gain(name, subject, amount, rule):
            return f"{name} {_word(subject)} {'-' if amount < 0 else '+'} {abs(amount)} {_rule(rule)}"
        case Raise(name, subject, to, rule):
            return f"{name} {_word(subject)} up-to {to} {_rule(rule)}"
        case Change(name, subject, before, after, rule):
            was, now = (_value(value, tracks.get(name)) for value in (before, after))
            return f"{name} {_word(subject)} {was} -> {now} {_rule(rule)}"


def read_change(text: str, tracks: Mapping[str, Track]) -> AnyChange:
    """The change that words are. Raises InputError for other words."""
    words = [word.text if not word.quoted else f'"{word.text}"' for word in words_of(text, 1, SPACED)]
    match words:
        case ["enter", unit, type_, place, order, rule] if natural(order) is not None:
            return Enter(_name(unit) or "", _name(type_) or "", _name(place), int(order), _rule_of(rule))
        case ["leave", unit, rule]:
            return Leave(_name(unit) or "", _rule_of(rule))
        case [name, subject, "+" | "-" as sign, amount, rule] if natural(amount) is not None:
            return Gain(name, _name(subject) or "", int(amount) * (-1 if sign == "-" else 1), _rule_of(rule))
        case [name, subject, "up-to", to, rule]:
            return Raise(name, _name(subject) or "", int(to), _rule_of(rule))
        case [name, subject, before, "->", after, rule]:
            was, now = (_value_of(value, name, tracks) for value in (before, after))
            return Change(name, _name(subject) or "", was, now, _rule_of(rule))
    raise InputError(f"{text[:40]!r} is not a change", hint="write: TRACK SUBJECT BEFORE -> AFTER RULE")


def _word(name: str | None) -> str:
    """A name as one word; - for none."""
    if not name:
        return "-"
    return name if _PLAIN.fullmatch(name) and name not in ("-", "->", "+", "up-to") else f'"{name}"'


def _name(word: str) -> str | None:
    if word.startswith('"'):
        return word[1:-1]
    return None if word == "-" else word


def _rule(rule: str) -> str:
    return _word(rule)


def _rule_of(word: str) -> str:
    return _name(word) or ""


def _value(value: Value | None, track: Track | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    written = track.write(value) if track is not None else str(value)
    return _word(written)


def _value_of(word: str, name: str, tracks: Mapping[str, Track]) -> Value | None:
    text = _name(word)
    if text is None:
        return None
    if name in PLACED:
        return int(text) if name == "order" else text
    track = tracks.get(name)
    if track is None:
        raise InputError(f"unknown track {name!r} in a change")
    return track.parse(text)
