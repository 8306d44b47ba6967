"""The words of `.lines` files: which lines make an entry, and how an entry is split into words with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ...state.words import Word, check_signs, without_comment
from ...util.errors import InputError, OnFault, Where, located
from .entries import check_name

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"'
    r'|\[(?P<basis>(?:[^\[\]"]|"[^"]*")*)\]'
    r"|(?P<comma>,)"
    r'|(?P<word>[^\s",\[\]|]+="[^"]*"|[^\s",\[\]|]+(?:\s*\|\s*[^\s",\[\]|]+)?)'
    r"|(?P<stray>\S)"
)


_END = re.compile("\r\n|\r|\n")
_NAME = re.compile('"[^"]*"')


class Token(NamedTuple):
    """A word of an entry with its place. kind: the name of its group in the pattern, or "colon"."""

    kind: str
    text: str
    where: Where

    @property
    def word(self) -> Word:
        """It as a word of a typed line."""
        return Word(self.text, self.where.column, self.kind == "quoted")


def lines_of(text: str) -> list[str]:
    """The lines of a text as an editor counts them: no rare sign of Unicode ends one."""
    return _END.split(text)


def entries_of(text: str, file: str, on_fault: OnFault) -> Iterator[list[Token]]:
    """The entries of a text, each with all its lines. A line with a fault spoils its entry."""
    entry: list[Token] = []
    spoiled = False
    for number, line in enumerate(lines_of(text), 1):
        bare = without_comment(line.replace("\t", " "))
        if not bare:
            continue
        if not bare.startswith(" "):
            if entry and not spoiled:
                yield entry
            entry, spoiled = [], False
        try:
            if bare.startswith(" ") and not entry and not spoiled:
                raise InputError(
                    "a line that begins with a blank continues an entry, and there is none",
                    where=Where(file, number, 1),
                    hint="take away the blank",
                )
            nameless = _NAME.sub(lambda name: f'"{"x" * (len(name[0]) - 2)}"', bare)
            check_signs(nameless, partial(Where, file, number))
            entry += tokens_of(bare, Where(file, number, 1))
        except InputError as error:
            spoiled = True
            on_fault(error.at(Where(file, number, 1)))
    if entry and not spoiled:
        yield entry


def tokens_of(text: str, begin: Where) -> list[Token]:
    """The words of a line. begin: where its first letter stands. Raises InputError for a stray character, and for a
    name that cannot be printed.
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        said = match[kind]
        where = Where(begin.file, begin.line, begin.column + match.start())
        if kind == "stray":
            hint = "[ and ] hold how an entry is known" if said in "[]" else "write a hexside as HEX|NEXT"
            raise InputError(f"{said} has no meaning here", where=where, hint=hint)
        if kind == "quoted":
            with located(where):
                check_name(said)
        if kind == "basis":
            where = Where(begin.file, begin.line, where.column + 1)
        if kind == "word" and said.endswith(":"):
            if len(said) > 1:
                tokens.append(Token("word", said[:-1], where))
            tokens.append(Token("colon", ":", Where(begin.file, begin.line, where.column + len(said) - 1)))
        else:
            tokens.append(Token(kind, said, where))
    return tokens
