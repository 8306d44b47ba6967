"""The mistakes found in a game's files: collected as they are found, listed a line each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ...state.tracks import Track
from ...util.datafiles import inner
from ...util.errors import InputError, Where, plain, suggested

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COLOUR = re.compile("#[0-9a-fA-F]{6}")
"""How a colour is written."""

_MOST = 100
"""The mistakes that are listed."""


class Enough(Exception):
    """There are more mistakes than are listed: reading on would mostly find what follows from them."""


class Faults:
    """The mistakes found so far; one that many rows share is listed once, where it stands first.

    They end after 100, and only then are their remedies worked out: however many mistakes files hold, no more work is
    done. more: whether there are others.
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


# --- what several checks of a game's files share ------------------------------------------------------------------


def unknown(spot: str, name: str, known: Iterable[str], what: str = "track", file: str = "game.toml") -> InputError:
    """The fault of an unknown name. spot: where in the file it stands; what: is named; file: "" if its place is known
    later.
    """
    where = Where(file) if file else None
    return InputError(f"{spot}: unknown {what} {name!r}", where=where, hint=suggested(name, known))


def in_game(what: str, hint: str | Callable[[], str] = "") -> InputError:
    """A fault of `game.toml`."""
    return InputError(what, where=Where("game.toml"), hint=hint)


def in_tracks(what: str, hint: str = "") -> InputError:
    """A fault of `tracks.toml`."""
    return InputError(what, where=Where("tracks.toml"), hint=hint)


def on_counters(tracks: Mapping[str, Track]) -> dict[str, Track]:
    """The tracks that are printed on counters, by name."""
    return {name: track for name, track in tracks.items() if track.printed == "counter"}


def file_faults(folder: Traversable, where: str, file: str) -> Iterator[InputError]:
    """The fault of a file that is outside the game's folder or missing."""
    try:
        inside = inner(folder, file)
    except InputError:
        yield in_game(f"{where} {file}, which is outside the game's folder")
        return
    if not inside.is_file():
        yield in_game(f"{where} {file}, which does not exist")
