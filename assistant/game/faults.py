"""The mistakes found in a game's files: collected as they are found, listed a line each."""

from __future__ import annotations

from collections.abc import Iterable

from ..util.errors import InputError, plain

_MOST = 100
"""The mistakes that are listed."""


class Enough(Exception):
    """There are more mistakes than are listed: reading on would mostly find what follows from them."""


class Faults:
    """The mistakes found so far; one that many rows share is listed once, where it stands first.

    They end after 100, and only then are their remedies worked out: however many mistakes files hold, no more work is done.
    more: whether there are others.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], InputError] = {}
        self.more = False

    def __call__(self, fault: InputError) -> None:
        """Record a mistake. Raises Enough for one too many."""
        key = (fault.where.file if fault.where else "", fault.what)
        if key in self._found:
            return
        if len(self._found) >= _MOST:
            self.more = True
            raise Enough
        self._found[key] = fault

    def extend(self, faults: Iterable[InputError]) -> None:
        """Record several mistakes. Raises Enough as a call does."""
        for fault in faults:
            self(fault)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def lines(self) -> list[str]:
        """The mistakes, a line each: file and place, what is wrong, what to do."""
        return list(map(in_a_line, self._found.values()))


def in_a_line(fault: InputError) -> str:
    """A fault with its place and its remedy in one line."""
    where = f"{fault.where}: " if fault.where else ""
    return plain(f"{where}{fault.what}{f'; {fault.hint}' if fault.hint else ''}")
