"""Errors in the input: one or two lines that name the place, the fault and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Where(NamedTuple):
    """A place in a file: the file's name, and the line and column, counted from 1 (0 if they do not apply)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])


class InputError(ValueError):
    """Input that cannot be used; the command line prints it and exits with 3.

    what: the fault; where: its place in a file, None until a reader fills it in; hint: the remedy.
    private: whether the message reveals something in the file that not every side may know; names_units: whether the hint does,
    since it names units that the file places.
    """

    def __init__(self, what: str, *, where: Where | None = None, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.hint = what, where, hint
        self.private = self.names_units = False

    def __str__(self) -> str:
        text = plain(f"{self.where}: {self.what}" if self.where else self.what)
        return f"{text}\n  {plain(self.hint)}" if self.hint else text

    def at(self, where: Where) -> InputError:
        """This error with its place filled in, unless it already has one."""
        self.where = self.where or where
        return self


@contextmanager
def located(where: Where) -> Iterator[None]:
    """Give errors raised in the block this place, unless they have one."""
    try:
        yield
    except InputError as error:
        raise error.at(where) from None


OnFault = Callable[[InputError], None]
"""What a reader does with a fault: it raises it, or keeps it so that the rest of the file is read too."""


def stop(fault: InputError) -> None:
    """Raise a fault: what a reader does unless told otherwise."""
    raise fault


_LONGEST = 600


def plain(text: str) -> str:
    """Text from an untrusted file as one line that is safe to print: no control characters, not too long."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return printable(text)


def printable(line: str) -> str:
    """A line with control characters written out as escapes."""
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else " " if char.isspace() else ascii(char)[1:-1] for char in line)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the known words nearest to `word`. If none is near: all of them if they are few, else ""."""
    known = sorted({name for name in known if name})
    from difflib import get_close_matches  # only here: most runs meet no error

    near = get_close_matches(word, known, n=3, cutoff=0.6) or get_close_matches(
        word.casefold(), {k.casefold(): k for k in known}, n=3, cutoff=0.5
    )
    near = [k for k in known if k in near or k.casefold() in near]
    if near and word:
        return "nearest known: " + ", ".join(near)
    return "known: " + ", ".join(known) if 0 < len(known) <= 12 else ""


def quoted(name: str) -> str:
    """A name as notation writes it: in quotes if it contains a space or another character that ends a word."""
    return f'"{name}"' if re.search(r"[\s,;=#()|]", name) else name
