"""Open questions in a line of a journal, with what they take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ...state.state import FactKey
from ...state.tracks import Track
from ...util.errors import InputError, UnknownWord, format_suggestion
from .quoted_words import BAR, JOIN, read_name, read_quoted_words, split_outside_quotes, write_name


class Assumed(msgspec.Struct, frozen=True):
    """What a question takes for granted."""

    key: FactKey
    """A fact by its track and subject, or a parameter by "" and its name."""
    value: str = ""
    """The one that is chosen, "" for the usual one."""
    is_numbered: bool = False
    """Whether it is in the list that the table shows."""


def read_question(text: str, tracks: Mapping[str, Track]) -> tuple[str, str, tuple[Assumed, ...]]:
    """Return a question with its parameters, its dice and choices so far, and what it takes for granted, in the order
    of the numbers; all empty if no question is open.

    `QUESTION PARAMETERS | DICE | ?1 PARAMETER; ?2 TRACK SUBJECT = VALUE`. Raises InputError for dice without a
    question, and for what cannot be taken for granted.
    """
    question, dice, assumed, *more = [*split_outside_quotes(text, "|"), "", ""]
    if any(part.strip() for part in more) or (dice.strip() and not question.strip()):
        hint = "write: asked battle at=41.19 | crt=2+5"
        raise InputError("a question is QUESTION PARAMETERS | DICE | ASSUMPTIONS", hint=hint)
    read = list[Assumed]()
    for part in filter(None, map(str.strip, split_outside_quotes(assumed, ";"))):
        number = sum(known.is_numbered for known in read) + 1
        read.append(_read_assumed(part, number, tracks))
    return question.strip(), dice.strip(), tuple(read)


def write_question(question: str, dice: str, assumed: Iterable[Assumed], tracks: Mapping[str, Track]) -> str:
    """Return a question as `read_question` reads it. Raises InputError for one that it would read as another."""
    question = question.strip()
    dice = dice.strip()
    numbered = sorted(assumed, key=lambda known: not known.is_numbered)
    words = JOIN.join(_write_assumed(known, number) for number, known in enumerate(numbered, 1))
    text = BAR.join((question, dice, words)).rstrip(" |")
    if read_question(text, tracks) != (question, dice, tuple(numbered)):
        raise InputError(f"this question cannot be written in a line: {text[:60]!r}", hint="put names in quotes")
    return text


def _write_assumed(assumed: Assumed, number: int) -> str:
    """Return what is taken for granted, in words: `?2 terrain 40.20 = rough`. number: its own, if it is numbered."""
    name, subject = assumed.key
    words = [f"?{number}"] if assumed.is_numbered else []
    if name:
        words.append(name)
    words.append(write_name(subject))
    if assumed.value:
        words += ["=", write_name(assumed.value)]
    return " ".join(words)


def _read_assumed(text: str, number: int, tracks: Mapping[str, Track]) -> Assumed:
    """Return what words take for granted. number: the one that it would have. Raises InputError for other words, for an
    unknown track and a value that it cannot have.
    """
    words = read_quoted_words(text)
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
            value = read_name(word) or ""
        case _:
            words = []
    if not 1 <= len(words) <= 2 or not (value or is_numbered):
        hint = "write: TRACK SUBJECT = VALUE, or PARAMETER = VALUE"
        raise InputError(f"{text[:40]!r} is not an assumption", hint=hint)
    if len(words) == 1:
        return Assumed(("", read_name(words[0]) or ""), value, is_numbered)
    name = words[0]
    subject = read_name(words[1]) or ""
    if name not in tracks:
        raise UnknownWord(f"unknown track {name[:40]!r} in an assumption", hint=format_suggestion(name, tracks))
    if value:
        tracks[name].parse(value)
    return Assumed((name, subject), value, is_numbered)
