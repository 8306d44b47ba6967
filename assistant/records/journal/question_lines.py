"""Questions and answers in a line of a journal: `QUESTION PARAMETERS | DICE | CHANGES` or `... | ASSUMPTIONS`.

Words may be in quotes, and stand between bars, semicolons and spaces. A quotation mark within quotes is doubled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from ...state.changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Gain, Leave, Raise
from ...state.state import FactKey
from ...state.tracks import NONE, Track, Value
from ...util.errors import InputError, UnknownWord, format_suggestion
from ...util.patterns import late_pattern
from ...util.texts import natural, whole

_BAR = " | "
"""The sign between the parts of an answer or a question."""
_JOIN = "; "
"""The separator of changes or assumptions."""
_PLAIN_NAME = late_pattern(r'[^\s;|"?][^\s;|"]*')
"""A name that needs no quotes."""
_SIGNS = ("-", "->", "+", "up-to", "=")
"""The separators of words in a change or an assumption."""
_WORD = late_pattern(r'"(?:[^"]|"")*"(?=\s|$)|[^\s"]+(?=\s|$)|(\S)')
"""A word, in quotes or not; the group catches a quotation mark within a word."""


class Assumed(msgspec.Struct, frozen=True):
    """A fact or parameter that a question takes for granted."""

    key: FactKey
    """The track and subject of a fact, or "" and the name of a parameter."""
    value: str = ""
    """The value chosen, or "" for the usual one."""
    is_numbered: bool = False
    """Whether the assumption is in the numbered list shown at the table."""


def read_answer_line(text: str, tracks: Mapping[str, Track]) -> tuple[str, str, tuple[AnyChange, ...]]:
    """Parse an answer, `QUESTION PARAMETERS | DICE | CHANGES`.

    Raises InputError if the question is missing, or a change cannot be read.
    """
    question, dice, changes, *more = [*_split_outside_quotes(text, "|"), "", ""]
    if not question.strip() or any(part.strip() for part in more):
        raise InputError(
            "an answer is QUESTION PARAMETERS | DICE | CHANGES", hint="write: answer battle at=41.19 | crt=2+5"
        )
    parsed = tuple(read_change(part.strip(), tracks) for part in _split_outside_quotes(changes, ";") if part.strip())
    return question.strip(), dice.strip(), parsed


def write_answer(question: str, dice: str, changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> str:
    """Return an answer in the form of `read_answer_line`.

    Raises InputError if it would be read as another answer.
    """
    question = question.strip()
    dice = dice.strip()
    changes = tuple(changes)
    text = _BAR.join((question, dice, _JOIN.join(write_change(change, tracks) for change in changes))).rstrip(" ")
    if read_answer_line(text, tracks) != (question, dice, changes):
        raise InputError(f"this answer cannot be written in a line: {text[:60]!r}", hint="put names in quotes")
    return text


def write_change(change: AnyChange, tracks: Mapping[str, Track]) -> str:
    """Return a change as text: `steps 29/20 0 -> 1 11.3`, `vp allies + 3 5.4`, `enter A1 A1 0102 0 9.2`, `leave A1
    10.2`.
    """
    match change:
        case Enter(unit, type_, place, order, rule):
            return " ".join(("enter", *map(_write_name, (unit, type_, place)), str(order), _write_name(rule)))
        case Leave(unit, rule):
            return f"leave {_write_name(unit)} {_write_name(rule)}"
        case Gain(name, subject, amount, rule):
            return f"{name} {_write_name(subject)} {'-' if amount < 0 else '+'} {abs(amount)} {_write_name(rule)}"
        case Raise(name, subject, to, rule):
            return f"{name} {_write_name(subject)} up-to {to} {_write_name(rule)}"
        case Change(name, subject, before, after, rule):
            old_text = _write_value(before, tracks.get(name))
            new_text = _write_value(after, tracks.get(name))
            return f"{name} {_write_name(subject)} {old_text} -> {new_text} {_write_name(rule)}"


def read_change(text: str, tracks: Mapping[str, Track]) -> AnyChange:
    """Parse a change in the form of `write_change`.

    Raises InputError if the text is not one.
    """
    match _read_quoted_words(text):
        case [name, subject, before, "->", after, rule]:
            old = _read_value(before, name, tracks)
            new = _read_value(after, name, tracks)
            return Change(name, _read_name(subject) or "", old, new, _read_name(rule) or "")
        case ["enter", unit, type_, place, order, rule]:
            return Enter(
                _read_name(unit) or "",
                _read_name(type_) or "",
                _read_name(place),
                _read_number(order),
                _read_name(rule) or "",
            )
        case ["leave", unit, rule]:
            return Leave(_read_name(unit) or "", _read_name(rule) or "")
        case [name, subject, "+" | "-" as sign, amount, rule] if natural(amount) is not None:
            return Gain(name, _read_name(subject) or "", int(f"{sign}{amount}"), _read_name(rule) or "")
        case [name, subject, "up-to", to, rule]:
            return Raise(name, _read_name(subject) or "", _read_number(to), _read_name(rule) or "")
    raise InputError(f"{text[:40]!r} is not a change", hint="write: TRACK SUBJECT BEFORE -> AFTER RULE")


def _read_number(word: str) -> int:
    number = whole(word)
    if number is None:
        raise InputError(f"{word[:20]!r} is not a whole number of at most 9 digits")
    return number


def _write_value(value: Value | None, track: Track | None) -> str:
    """Return a value as one word, or `-` for None. A text that reads like an empty value is put in quotes."""
    if value is None:
        return "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.casefold() == NONE:
        return _quote_name(value)
    return _write_name(track.write(value) if track is not None else str(value))


def _read_value(word: str, name: str, tracks: Mapping[str, Track]) -> Value | None:
    text = _read_name(word)
    if text is None:
        return None
    if name in BUILT_IN_TRACKS:
        return _read_number(text) if name == "order" else text
    if name not in tracks:
        raise UnknownWord(f"unknown track {name[:40]!r} in a change", hint=format_suggestion(name, tracks))
    return text if tracks[name].kind == "text" and word.startswith('"') else tracks[name].parse(text)


def read_question(text: str, tracks: Mapping[str, Track]) -> tuple[str, str, tuple[Assumed, ...]]:
    """Parse a question, `QUESTION PARAMETERS | DICE | ?1 PARAMETER; ?2 TRACK SUBJECT = VALUE`.

    All parts are empty if no question is open.

    Raises InputError for dice without a question, and for an assumption that cannot be read.
    """
    question, dice, assumed, *more = [*_split_outside_quotes(text, "|"), "", ""]
    if any(part.strip() for part in more) or (dice.strip() and not question.strip()):
        hint = "write: asked battle at=41.19 | crt=2+5"
        raise InputError("a question is QUESTION PARAMETERS | DICE | ASSUMPTIONS", hint=hint)
    assumptions = list[Assumed]()
    for part in filter(None, map(str.strip, _split_outside_quotes(assumed, ";"))):
        number = sum(known.is_numbered for known in assumptions) + 1
        assumptions.append(_read_assumed(part, number, tracks))
    return question.strip(), dice.strip(), tuple(assumptions)


def write_question(question: str, dice: str, assumed: Iterable[Assumed], tracks: Mapping[str, Track]) -> str:
    """Return a question in the form of `read_question`.

    Raises InputError if it would be read as another question.
    """
    question = question.strip()
    dice = dice.strip()
    numbered = sorted(assumed, key=lambda known: not known.is_numbered)
    words = _JOIN.join(_write_assumed(known, number) for number, known in enumerate(numbered, 1))
    text = _BAR.join((question, dice, words)).rstrip(" |")
    if read_question(text, tracks) != (question, dice, tuple(numbered)):
        raise InputError(f"this question cannot be written in a line: {text[:60]!r}", hint="put names in quotes")
    return text


def _write_assumed(assumed: Assumed, number: int) -> str:
    """Return an assumption as text: `?2 terrain 40.20 = rough`."""
    name, subject = assumed.key
    words = [f"?{number}"] if assumed.is_numbered else []
    if name:
        words.append(name)
    words.append(_write_name(subject))
    if assumed.value:
        words += ["=", _write_name(assumed.value)]
    return " ".join(words)


def _read_assumed(text: str, number: int, tracks: Mapping[str, Track]) -> Assumed:
    """Parse an assumption.

    `number`: the number that it must have if it is numbered.
    """
    words = _read_quoted_words(text)
    is_numbered = False
    if words[0].startswith("?"):
        if words[0] != f"?{number}":
            raise InputError(f"{words[0][:20]} should be ?{number}", hint="assumptions are numbered from ?1")
        is_numbered = True
        words = words[1:]
    match words:
        case [_] | [_, _]:
            value = ""
        case [*words, "=", word]:
            value = _read_name(word) or ""
        case _:
            words = []
    if not 1 <= len(words) <= 2 or not (value or is_numbered):
        hint = "write: TRACK SUBJECT = VALUE, or PARAMETER = VALUE"
        raise InputError(f"{text[:40]!r} is not an assumption", hint=hint)
    if len(words) == 1:
        return Assumed(("", _read_name(words[0]) or ""), value, is_numbered)
    name = words[0]
    subject = _read_name(words[1]) or ""
    if name not in tracks:
        raise UnknownWord(f"unknown track {name[:40]!r} in an assumption", hint=format_suggestion(name, tracks))
    if value:
        tracks[name].parse(value)
    return Assumed((name, subject), value, is_numbered)


def _split_outside_quotes(text: str, sign: str) -> list[str]:
    parts = [""]
    quoted = False
    for piece in re.split(f'(["{re.escape(sign)}])', text):
        if piece == sign and not quoted:
            parts.append("")
            continue
        quoted ^= piece == '"'
        parts[-1] += piece
    return parts


def _read_quoted_words(text: str) -> list[str]:
    words = list[str]()
    for word in _WORD.finditer(text):
        if word[1]:
            raise InputError(f"{text[word.start() :][:20]!r} is not a word", hint="put all of a name in quotes")
        words.append(word[0])
    return words


def _write_name(name: str | None) -> str:
    if not name:
        return "-"
    return name if _PLAIN_NAME.fullmatch(name) and name not in _SIGNS else _quote_name(name)


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _read_name(word: str) -> str | None:
    if word.startswith('"'):
        return word[1:-1].replace('""', '"')
    return None if word == "-" else word
