"""The mistakes found in the files of a game, and helpers that the checks share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ...state.tracks import Track, Value
from ...util.datafiles import find_toml_line, resolve_within
from ...util.errors import InputError, MachineError, PluginError, Where, format_suggestion, plain
from ...util.patterns import late_pattern
from ..course import COURSE
from ..games import Game

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


COLOUR = late_pattern("#[0-9a-fA-F]{6}")
"""The pattern of a colour."""
T = TypeVar("T", bound=Hashable)
GAME = "game.toml"
TRACKS = "tracks.toml"
_MAX_LISTED = 100
"""The maximum number of mistakes that are listed."""


class Enough(Exception):
    """The error that there are more mistakes than are listed.

    Reading on would mostly find their consequences.
    """


class Faults:
    """The mistakes found so far. A mistake repeated in many rows of a file is listed once, at its first place.

    Collecting stops after 100 mistakes, and hints are computed only for these, so the work is bounded.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], InputError] = {}
        self.more = False

    def __call__(self, fault: InputError) -> None:
        """Record a mistake.

        Raises Enough if there are too many mistakes. Raises MachineError if a file cannot be read because of a disk or
        a permission, since the missing contents would cause many false mistakes.
        """
        if isinstance(fault, MachineError) and not isinstance(fault, PluginError):
            raise fault
        key = (fault.where.file if fault.where else "", fault.what)
        if key in self._found:
            return
        if len(self._found) >= _MAX_LISTED:
            self.more = True
            raise Enough
        self._found[key] = fault

    def extend(self, faults: Iterable[InputError]) -> None:
        """Record several mistakes, with the errors of a call.

        Raises Enough as a call does.
        """
        for fault in faults:
            self(fault)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def lines(self) -> list[str]:
        """The mistakes, one line each: file and place, what is wrong, what to do."""
        return list(map(format_fault, self._found.values()))


def format_fault(fault: InputError) -> str:
    """Return a fault with its place and its hint in one line."""
    where = f"{fault.where}: " if fault.where else ""
    return plain(f"{where}{fault.what}{f'; {fault.hint}' if fault.hint else ''}")


def unknown(spot: str, name: str, known: Iterable[str], what: str = "track", file: str = GAME) -> InputError:
    """Return the fault of an unknown name.

    `spot`: the place in the file, such as `[turns] order`.

    `what`: the kind of thing that the name should name.
    """
    return fault_in(file, f"{spot}: unknown {what} {name!r}", format_suggestion(name, known))


def unknown_names(
    spot: str,
    names: Iterable[str],
    known: Collection[str],
    what: str = "track",
    file: str = GAME,
    *,
    optional: bool = False,
) -> Iterator[InputError]:
    """Yield the faults of those names that are unknown."""
    for name in names:
        if name not in known and not (optional and not name):
            yield unknown(spot, name, known, what, file)


def fault_in(file: str, what: str, hint: str | Callable[[], str] = "") -> InputError:
    """Return a fault of a file of the game."""
    return InputError(what, where=Where(file) if file else None, hint=hint)


in_game = partial(fault_in, GAME)
in_tracks = partial(fault_in, TRACKS)
in_course = partial(fault_in, COURSE)
"""Functions that return a fault of `game.toml`, `tracks.toml` or `course.toml`."""


def with_line(fault: InputError, text: str) -> InputError:
    """Return a fault of a TOML file with a line number, by the words at the start of its message.

    Such words are `[turns] order` and `[[phase]] First Combat`.
    """
    if (
        fault.where is None
        or fault.where.line
        or not (spot := re.match(r"(\[+)([\w.-]+)\]+ ?(([\w-]*).*)", fault.what))
    ):
        return fault
    line = find_toml_line(text, (*spot[2].split("."), spot[4]))
    if spot[1] == "[[":  # one of several tables, found by its title
        tables = re.finditer(rf"^\[\[{re.escape(spot[2])}\]\](?:\n(?!\[).*)*", text, re.MULTILINE)
        quoted = re.compile(r'^\w+ = "(.+)"$', re.MULTILINE)
        values = (found for table in tables for found in quoted.finditer(text, table.start(), table.end()))
        named = [found for found in values if re.match(rf"{re.escape(found[1])}(?!\w)", spot[3])]
        longest = max(named, key=lambda found: len(found[1]), default=None)
        line = text.count("\n", 0, longest.start()) + 1 if longest else 0
    return fault.told_as(fault.what, fault.where._replace(line=line))


def on_counters(tracks: Mapping[str, Track]) -> dict[str, Track]:
    """Return the tracks printed on counters, by name."""
    return {name: track for name, track in tracks.items() if track.printed == "counter"}


def file_faults(folder: Traversable, where: str, file: str) -> Iterator[InputError]:
    """Yield the fault of a file that is missing or outside the game's folder."""
    try:
        inside = resolve_within(folder, file)
    except InputError:
        yield in_game(f"{where} {file}, which is outside the game's folder")
        return
    if not inside.is_file():
        yield in_game(f"{where} {file}, which does not exist")


def tracks_on(game: Game, subject: str) -> dict[str, Track]:
    """Return the tracks about one kind of subject, by name."""
    return {name: track for name, track in game.tracks.items() if track.on == subject}


def repeated(names: Sequence[T]) -> list[T]:
    """Return the items that a list has more than once, each only once."""
    return [name for name, count in Counter(names).items() if count > 1]


def value_fault(spot: str, file: str, read: Callable[[Any], object], value: Value) -> Iterator[InputError]:
    """Yield the fault of a value that a track does not allow."""
    try:
        read(value)
    except InputError as error:
        yield error.told_as(f"{spot}: {error.what}", Where(file))
