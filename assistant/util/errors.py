"""What the assistant says when input cannot be used: one or two lines that name the place, the fault and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import NamedTuple


class Where(NamedTuple):
    """A place in a file: its name, and the line and column counted from 1 (0 where there is none)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file, *(str(n) for n in (self.line, self.column) if n)])


class InputError(ValueError):
    """Input that cannot be used; the command line prints it and exits with 3.

    `what` is wrong, `where` it stands (None if nobody knows yet: a reader may fill it in), `hint` says what to do.
    private: whether it tells what a file holds that not every side may know.
    """

    def __init__(self, what: str, *, where: Where | None = None, hint: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.hint = what, where, hint
        self.private = False

    def __str__(self) -> str:
        text = plain(f"{self.where}: {self.what}" if self.where else self.what)
        return f"{text}\n  {plain(self.hint)}" if self.hint else text

    def at(self, where: Where) -> InputError:
        """The same error with its place filled in, unless it already has one."""
        self.where = self.where or where
        return self


OnFault = Callable[[InputError], None]
"""What a reader does with a fault: it raises it, or keeps it so that the rest of the file is read too."""


def stop(fault: InputError) -> None:
    """Raise a fault: what a reader does unless told otherwise."""
    raise fault


_LONGEST = 600


def plain(text: str) -> str:
    """A text from a stranger's file as one line that a terminal shows as it is: no signs that steer it, not too long."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return printable(text)


def printable(line: str) -> str:
    """A line with signs that steer a terminal written out."""
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else ascii(sign)[1:-1] for sign in line)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the known words nearest to `word`; all of them if they are few, "" if none is near."""
    known = sorted({one for one in known if one})
    near = get_close_matches(word, known, n=3, cutoff=0.6) or get_close_matches(
        word.casefold(), {k.casefold(): k for k in known}, n=3, cutoff=0.5
    )
    near = [k for k in known if k in near or k.casefold() in near]
    if near and word:
        return "nearest known: " + ", ".join(near)
    return "known: " + ", ".join(known) if 0 < len(known) <= 12 else ""


def quoted(name: str) -> str:
    """A name as notation writes it: in quotes if it holds a space or another sign that ends a word."""
    return f'"{name}"' if re.search(r"[\s,=#()|]", name) else name
