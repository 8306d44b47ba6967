"""The words of `.lines` files, each with its place, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ...state.words import Word, check_signs, strip_comment
from ...util.datafiles import read_text
from ...util.errors import InputError, OnFault, Where, located
from ...util.patterns import late_pattern
from .features import check_name

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


_TOKEN = late_pattern(
    r'"(?P<quoted>[^"]*)"'
    r'|\[(?P<basis>(?:[^\[\]"]|"[^"]*")*)\]'
    r"|(?P<comma>,)"
    r'|(?P<word>[^\s",\[\]|]+="[^"]*"|[^\s",\[\]|]+(?:\s*\|\s*[^\s",\[\]|]+)?)'
    r"|(?P<stray>\S)"
)


_LINE_END = late_pattern("\r\n|\r|\n")
_QUOTED_NAME = late_pattern('"[^"]*"')


class Token(msgspec.Struct, frozen=True):
    """A word of an entry with its place."""

    kind: str
    """The name of its group in the pattern, or "colon"."""
    text: str
    where: Where

    @property
    def word(self) -> Word:
        """It as a word of a typed line."""
        return Word(self.text, self.where.column, self.kind == "quoted")


def read_file(file: Traversable, name: str, on_fault: OnFault) -> str:
    """Return the text of a file, empty after a fault. name: of the file in messages."""
    try:
        return read_text(file, name)
    except InputError as error:
        on_fault(error)
        return ""


def editor_lines(text: str) -> list[str]:
    """Return the lines of a text as an editor counts them: no rare sign of Unicode ends one."""
    return _LINE_END.split(text)


def split_entries(text: str, file: str, on_fault: OnFault) -> Iterator[list[Token]]:
    """Yield the entries of a text, each with all its lines. A line with a fault spoils its entry.

    Raises InputError for what cannot be read.
    """
    entry: list[Token] = []
    spoiled = False
    for number, line in enumerate(editor_lines(text), 1):
        bare = strip_comment(line.replace("\t", " "))
        if not bare:
            continue
        if not bare.startswith(" "):
            if entry and not spoiled:
                yield entry
            entry = []
            spoiled = False
        try:
            if bare.startswith(" ") and not entry and not spoiled:
                raise InputError(
                    "a line that begins with a space continues an entry, but there is none before it",
                    where=Where(file, number, 1),
                    hint="remove the space",
                )
            nameless = _QUOTED_NAME.sub(lambda name: f'"{"x" * (len(name[0]) - 2)}"', bare)
            check_signs(nameless, partial(Where, file, number))
            entry += split_tokens(bare, Where(file, number, 1))
        except InputError as error:
            spoiled = True
            on_fault(error.at(Where(file, number, 1)))
    if entry and not spoiled:
        yield entry


def split_tokens(text: str, begin: Where) -> list[Token]:
    """Return the words of a line. begin: where its first letter stands. Raises InputError for a stray character, and
    for a name that cannot be printed.
    """
    tokens = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        text_found = match[kind]
        where = Where(begin.file, begin.line, begin.column + match.start())
        if kind == "stray":
            hint = (
                "square brackets enclose the source of an entry: [...]"
                if text_found in "[]"
                else "write a hexside as HEX|NEXT"
            )
            raise InputError(f"{text_found} has no meaning here", where=where, hint=hint)
        if kind == "quoted":
            with located(where):
                check_name(text_found)
        if kind == "basis":
            where = Where(begin.file, begin.line, where.column + 1)
        if kind == "word" and text_found.endswith(":"):
            if len(text_found) > 1:
                tokens.append(Token("word", text_found[:-1], where))
            tokens.append(Token("colon", ":", Where(begin.file, begin.line, where.column + len(text_found) - 1)))
        else:
            tokens.append(Token(kind, text_found, where))
    return tokens
