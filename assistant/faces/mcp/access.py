"""The positions that a model may read: typed ones, examples of games, and files that the user named at the start.

All are seen from the viewpoint that the user chose at the start.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

from ...formats.positions import Position, ending_of, file_bytes, is_link, part_moment
from ...game.games import Game
from ...game.viewpoint import check_viewpoint, seen_as
from ...installed.formats import EXAMPLE, example_file, formats, read_position
from ...installed.registry import installed_games, load_game, named_game
from ...service import check_size, handed_on, parse
from ...state.state import is_limited
from ...util.errors import InputError, Where, nearest
from ...util.limits import kept_private
from ...util.notes import note

TYPED_POSITION = "position"
"""The word for a typed position in messages."""
LINES = "lines"
"""The word in messages for lines that change a position."""
MAX_FILES_LISTED = 50
"""The maximum number of files listed."""
MAX_FILES_WALKED = 100_000
"""The maximum number of files, of any kind, that are examined for the list."""


class Access(NamedTuple):
    """The user's permissions, given at the start; the model can change none of them."""

    roots: Annotated[tuple[Path, ...], note("the files and folders that may be read")] = ()
    side: Annotated[str, note("the viewpoint for all positions: a side, the umpire, or empty for the settings")] = ""
    settings: Annotated[Mapping[str, str], note("the user's own viewpoints by game, as of the start")] = {}
    beside: Annotated[str, note("a game in a folder that positions may name, none by default")] = ""
    beside_id: Annotated[str, note("the id of that game, as of the start")] = ""

    @property
    def is_limited(self) -> bool:
        """Whether the viewpoint may be that of a side; before a game is loaded, this is not certain."""
        return is_limited(self.side) if self.side else any(map(is_limited, self.settings.values()))

    def game(self, name: str) -> Game:
        """Return an installed game, or the one in the user's folder, by its id.

        A model cannot name a folder, since the code in it would run.

        Raises InputError if the game is neither.
        """
        return named_game(self.beside) if self.beside_id and name == self.beside_id else load_game(name)

    def game_ids(self) -> tuple[str, ...]:
        """Return the ids of the games whose positions may be read."""
        return tuple(dict.fromkeys(filter(None, [self.beside_id, *sorted(installed_games())])))

    def without_folder(self, text: str) -> str:
        """Return a text without the folder of the user's game, which is private."""
        if not self.beside_id or self.beside == self.beside_id:
            return text
        home = Path(self.beside).resolve()
        here = Path.cwd()
        folders = {self.beside, str(home)}
        if home.is_relative_to(here):
            folders.add(str(home.relative_to(here)))
        for folder in folders:
            text = text.replace(f" in {folder} ", " ").replace(repr(folder), repr(self.beside_id))
        return text


def check_side(access: Access) -> None:
    """Raise InputError if no game has the side of the viewpoint."""
    faults = list[InputError]()
    for name in access.game_ids():
        try:
            check_viewpoint(access.game(name), access.side)
        except InputError as error:
            faults.append(error)
        else:
            return
    if faults:
        raise faults[0].at(Where("--as"))


def check_roots(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return files and folders as absolute paths, which a later change of the working folder does not affect.

    Raises InputError if a path does not exist, or if two have the same name, as a model could not tell them apart.
    """
    roots = []
    for path in paths:
        try:
            roots.append(path.resolve(strict=True))
        except (OSError, RuntimeError) as error:
            what = error.strerror if isinstance(error, OSError) else None
            raise InputError(what or str(error), where=Where(str(path)), hint="check the path") from None
    if twice := [name for name, count in Counter(root.name for root in roots).items() if count > 1]:
        raise InputError(f"two files or folders are called {twice[0]}", hint="name the folder that holds both")
    return tuple(roots)


def list_files(access: Access) -> tuple[list[str], bool]:
    """Return the names of the files that may be read, and whether there may be more beyond the limits of the list.

    A model knows a file by its name, or by the name of its folder and the path in it.
    """
    endings = _list_endings()
    count_walked = 0
    names = list[str]()
    for root in access.roots:
        for path in _walk_files(root):
            count_walked += 1
            if len(names) == MAX_FILES_LISTED or count_walked > MAX_FILES_WALKED:
                return names, True
            name = path.relative_to(root.parent).as_posix()
            if _is_readable(path, name, endings):
                names.append(name)
    return names, False


def _find_file(access: Access, name: str) -> Path | None:
    """Return the file with a name if it may be read, or else None.

    Links to other places, hidden files and other formats may not be read.
    """
    for root in access.roots:
        path = root.parent / name
        if not path.is_relative_to(root) or path.relative_to(root.parent).as_posix() != name:
            continue
        is_hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if not is_hidden and _is_readable(path, name, _list_endings()) and os.path.realpath(path) == str(path):
            return path
    return None


def _list_endings() -> set[str]:
    return {suffix for known in formats() for suffix in known.suffixes}


def _is_readable(path: Path, name: str, endings: Container[str]) -> bool:
    """Return whether a file has the suffix of a position, and a name that can be printed."""
    return path.suffix.lower() in endings and name.isprintable() and os.path.isfile(path)


def _walk_files(root: Path) -> Iterator[Path]:
    """Yield the file `root`, or the visible files in the folder `root` and below, by name; links are not followed."""
    if not root.is_dir():
        yield root
        return
    for holder, folders, names in os.walk(root):  # os.walk follows no link to a folder
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(holder, name)
            if not name.startswith(".") and not path.is_symlink():
                yield path


def user_position(access: Access, given: str, lines: str = "") -> Position:
    """Return a position as the user may see it.

    The viewpoint of a side gets no questions and answers from a named file.

    `given`: notation, JSON, a link, or the name of an example or file; a journal's name may be followed by a moment.
    `lines`: notation that changes the position.

    Raises InputError if the position or the lines cannot be read or used.
    """
    file = _read_named(access, given)
    with _faults_kept_private(access, file.name, is_named=file.is_named):
        position = read_position(
            file.name,
            file.data,
            access.game,
            lambda game, state: seen_as(game, state, access.side, access.settings),
            file.moment,
        )
    check_size(position, file.name)
    if file.is_named:
        position = handed_on(position)
    if not lines.strip():
        return position
    try:
        return parse(lines, position)
    except InputError as error:
        error.where = error.where and error.where._replace(file=LINES)
        raise


@contextmanager
def _faults_kept_private(access: Access, name: str, *, is_named: bool) -> Iterator[None]:
    """Keep errors from revealing to a side the hidden parts of a file.

    The fault in a named file is not told to a side at all: it may be in a hidden part, and its line number counts
    hidden lines. The model cannot open the file itself.
    """
    try:
        with kept_private(name, limited=access.is_limited):
            yield
    except InputError:
        if not (is_named and access.is_limited):
            raise
        what = "it cannot be read from a side's viewpoint; only an umpire may see why"
        hint = "`assistant check FILE --umpire` in a terminal names the fault; a moment of a journal is FILE@TURN"
        raise InputError(what, where=Where(name), hint=hint) from None


class _Read(NamedTuple):
    """A typed or named position, not parsed yet."""

    name: Annotated[str, note("the name of the position in messages, with a suffix")]
    data: bytes
    moment: Annotated[str, note("the moment of a journal")] = ""
    is_named: Annotated[bool, note("whether it is a file of the user, which the model cannot open itself")] = False


def _read_named(access: Access, given: str) -> _Read:
    """Return a position that a model has typed or named."""
    named = given.strip()
    name, moment = part_moment(named, formats(), lambda name: _find_file(access, name) is not None)
    path = _find_file(access, name)
    if path is None and is_typed(named):
        data = given.encode("utf-8", "replace")
        return _Read(f"{TYPED_POSITION}{ending_of(data)}", data)
    if path is None and named.startswith(EXAMPLE):
        file = example_file(named, access.game)
        return _Read(file.name, file_bytes(file, formats()))
    if path is None:
        raise InputError(
            "there is no file of this name that may be read", where=Where(named), hint=_suggest_file(access, named)
        )
    with _faults_kept_private(access, name, is_named=True):
        try:
            return _Read(name, file_bytes(path, formats()), moment, is_named=True)
        except InputError as error:
            error.where = Where(name)  # without the folder, which is private
            raise


def _suggest_file(access: Access, name: str) -> str:
    files, _ = list_files(access)
    return nearest(name, files) if files else "type the position itself; the user has allowed no files"


def is_typed(given: str) -> bool:
    """Return whether a position is typed rather than named: in notation, as JSON or as a link."""
    text = given.strip()
    is_line = re.match(r"[^\s:]+: ", text) is not None  # such as `41.19: 1/1`, which lacks the line with its game
    return not text or "\n" in text or text.startswith(("{", "[", "\ufeff", "#", "game ")) or is_line or is_link(text)
