"""Answers and their changes in a line of a journal: `QUESTION PARAMETERS | DICE | CHANGES`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...state.changes import PLACED, AnyChange, Change, Enter, Gain, Leave, Raise
from ...state.tracks import NONE, Track, Value
from ...util.errors import InputError, UnknownWord, format_suggestion
from ...util.texts import natural, whole
from .quoted_words import BAR, JOIN, quote_name, read_name, read_quoted_words, split_outside_quotes, write_name


def read_answer_line(text: str, tracks: Mapping[str, Track]) -> tuple[str, str, tuple[AnyChange, ...]]:
    """Return the question with its parameters, the dice and the changes of an answer: `QUESTION PARAMETERS | DICE |
    CHANGES`.

    Raises InputError for a question that is missing, and for a change that cannot be read.
    """
    question, dice, changes, *more = [*split_outside_quotes(text, "|"), "", ""]
    if not question.strip() or any(part.strip() for part in more):
        raise InputError(
            "an answer is QUESTION PARAMETERS | DICE | CHANGES", hint="write: answer battle at=41.19 | crt=2+5"
        )
    read = tuple(read_change(part.strip(), tracks) for part in split_outside_quotes(changes, ";") if part.strip())
    return question.strip(), dice.strip(), read


def write_answer(question: str, dice: str, changes: Iterable[AnyChange], tracks: Mapping[str, Track]) -> str:
    """Return an answer as `read_answer_line` reads it. Raises InputError for one that it would read as another."""
    question = question.strip()
    dice = dice.strip()
    changes = tuple(changes)
    text = BAR.join((question, dice, JOIN.join(write_change(change, tracks) for change in changes))).rstrip(" ")
    if read_answer_line(text, tracks) != (question, dice, changes):
        raise InputError(f"this answer cannot be written in a line: {text[:60]!r}", hint="put names in quotes")
    return text


def write_change(change: AnyChange, tracks: Mapping[str, Track]) -> str:
    """Return a change in words: `steps 29/20 0 -> 1 11.3`, `vp allies + 3 5.4`, `enter A1 A1 0102 0 9.2`, `leave A1
    10.2`.
    """
    match change:
        case Enter(unit, type_, place, order, rule):
            return " ".join(("enter", *map(write_name, (unit, type_, place)), str(order), write_name(rule)))
        case Leave(unit, rule):
            return f"leave {write_name(unit)} {write_name(rule)}"
        case Gain(name, subject, amount, rule):
            return f"{name} {write_name(subject)} {'-' if amount < 0 else '+'} {abs(amount)} {write_name(rule)}"
        case Raise(name, subject, to, rule):
            return f"{name} {write_name(subject)} up-to {to} {write_name(rule)}"
        case Change(name, subject, before, after, rule):
            was = _write_value(before, tracks.get(name))
            now = _write_value(after, tracks.get(name))
            return f"{name} {write_name(subject)} {was} -> {now} {write_name(rule)}"


def read_change(text: str, tracks: Mapping[str, Track]) -> AnyChange:
    """Return the change that words state. Raises InputError for other words."""
    match read_quoted_words(text):
        case [name, subject, before, "->", after, rule]:
            was = _read_value(before, name, tracks)
            now = _read_value(after, name, tracks)
            return Change(name, read_name(subject) or "", was, now, read_name(rule) or "")
        case ["enter", unit, type_, place, order, rule]:
            return Enter(
                read_name(unit) or "",
                read_name(type_) or "",
                read_name(place),
                _read_number(order),
                read_name(rule) or "",
            )
        case ["leave", unit, rule]:
            return Leave(read_name(unit) or "", read_name(rule) or "")
        case [name, subject, "+" | "-" as sign, amount, rule] if natural(amount) is not None:
            return Gain(name, read_name(subject) or "", int(f"{sign}{amount}"), read_name(rule) or "")
        case [name, subject, "up-to", to, rule]:
            return Raise(name, read_name(subject) or "", _read_number(to), read_name(rule) or "")
    raise InputError(f"{text[:40]!r} is not a change", hint="write: TRACK SUBJECT BEFORE -> AFTER RULE")


def _read_number(word: str) -> int:
    """Return the whole number that a word stands for. Raises InputError for any other."""
    number = whole(word)
    if number is None:
        raise InputError(f"{word[:20]!r} is not a whole number of at most 9 digits")
    return number


def _write_value(value: Value | None, track: Track | None) -> str:
    """Return a value as one word; - for none. A text that reads like an empty one stands in quotes."""
    if value is None:
        return "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.casefold() == NONE:
        return quote_name(value)
    return write_name(track.write(value) if track is not None else str(value))


def _read_value(word: str, name: str, tracks: Mapping[str, Track]) -> Value | None:
    """Return the value of a track that a word stands for, None for -. Raises InputError for an unknown track and a
    value not allowed.
    """
    text = read_name(word)
    if text is None:
        return None
    if name in PLACED:
        return _read_number(text) if name == "order" else text
    if name not in tracks:
        raise UnknownWord(f"unknown track {name[:40]!r} in a change", hint=format_suggestion(name, tracks))
    return text if tracks[name].kind == "text" and word.startswith('"') else tracks[name].parse(text)
