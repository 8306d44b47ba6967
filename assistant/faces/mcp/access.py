"""What a model may read: positions that it types, the examples of games, and the files that the user has named at the
start; all of it with the eyes that the user has chosen then.
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

TYPED = "position"
"""What messages call a position that is typed."""
LINES = "lines"
"""What messages call lines that change a position."""
MOST = 50
"""The most files that are listed."""
MOST_LOOKED_AT = 100_000
"""The most files of any kind that are looked at for the list."""


class Access(NamedTuple):
    """What the user has allowed at the start; the model can change none of it."""

    roots: Annotated[tuple[Path, ...], note("files, and folders with all in them")] = ()
    side: Annotated[str, note("the viewpoint for all positions: a side, the umpire, or empty for the settings")] = ""
    settings: Annotated[Mapping[str, str], note("the user's own viewpoints by game, as they were at the start")] = {}
    beside: Annotated[str, note("a game in a folder that positions may name, none by default")] = ""
    beside_id: Annotated[str, note("its id, as it was at the start")] = ""

    @property
    def is_limited(self) -> bool:
        """Whether a side may be looking, as far as can be told before the game is known."""
        return is_limited(self.side) if self.side else any(map(is_limited, self.settings.values()))

    def game(self, name: str) -> Game:
        """Return a game by its id: an installed one, or that of the user's folder. A model names no folder, whose code
        would be run. Raises InputError for any other.
        """
        return named_game(self.beside) if self.beside_id and name == self.beside_id else load_game(name)

    def game_ids(self) -> tuple[str, ...]:
        """Return the games that a position may be of."""
        return tuple(dict.fromkeys(filter(None, [self.beside_id, *sorted(installed_games())])))

    def without_folder(self, text: str) -> str:
        """Return a text without the folder of the user's game: where it lies is nobody's business."""
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
    """Raise InputError for a side that no game knows: nothing could be seen with its eyes."""
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
    """Return files and folders as they are read later, wherever the program runs then.

    Raises InputError for a path that does not exist, and for two paths of one name, between which a model could not
    choose.
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
    """Return the files that may be read, by the names by which a model knows them: that of a file, or that of a folder
    with the way in it; and whether there may be more, for only so many are listed and so many entries looked at.
    """
    endings = _list_endings()
    looked_at = 0
    names = list[str]()
    for root in access.roots:
        for path in _walk_files(root):
            looked_at += 1
            if len(names) == MOST or looked_at > MOST_LOOKED_AT:
                return names, True
            name = path.relative_to(root.parent).as_posix()
            if _is_readable(path, name, endings):
                names.append(name)
    return names, False


def _find_file(access: Access, name: str) -> Path | None:
    """Return the file of this name if it may be read. Links to elsewhere, what is hidden and files of other kinds may
    not.
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
    """Return how files of positions end."""
    return {suffix for known in formats() for suffix in known.suffixes}


def _is_readable(path: Path, name: str, endings: Container[str]) -> bool:
    """Return whether this is a file of a position. name: must be one that an answer can hold."""
    return path.suffix.lower() in endings and name.isprintable() and os.path.isfile(path)


def _walk_files(root: Path) -> Iterator[Path]:
    """Yield a file itself; all that is in a folder and below it, in the order of the names, but for links and what is
    hidden.
    """
    if not root.is_dir():
        yield root
        return
    for holder, folders, names in os.walk(root):  # which follows no link to a folder
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(holder, name)
            if not name.startswith(".") and not path.is_symlink():
                yield path


def user_position(access: Access, given: str, lines: str = "") -> Position:
    """Return a position as the user may see it; of a named file a side does not get questions and answers.

    given: notation, JSON, a link, or an example's or a readable file's name, with a moment behind a journal's; lines:
    notation that changes it. Raises InputError for what cannot be read or used.
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
    """Keep an error from revealing to a side what is hidden in a file. Of a file that is named a side is told no fault
    at all, for the model cannot open it: a fault may lie in what is hidden, and its line counts what is.
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
    """A position as it was given."""

    name: Annotated[str, note("what messages call it, with its ending")]
    data: bytes
    moment: Annotated[str, note("which position of a journal")] = ""
    is_named: Annotated[bool, note("whether it is a file of the user, which the model itself cannot open")] = False


def _read_named(access: Access, given: str) -> _Read:
    """Return a position that a model has typed or named."""
    named = given.strip()
    name, moment = part_moment(named, formats(), lambda name: _find_file(access, name) is not None)
    path = _find_file(access, name)
    if path is None and is_typed(named):
        data = given.encode("utf-8", "replace")
        return _Read(f"{TYPED}{ending_of(data)}", data)
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
            error.where = Where(name)  # where it lies is nobody's business
            raise


def _suggest_file(access: Access, name: str) -> str:
    """Return what to try in place of a name that no file has."""
    files, _ = list_files(access)
    return nearest(name, files) if files else "type the position itself; the user has allowed no files"


def is_typed(given: str) -> bool:
    """Return whether a position is typed, and not named: in notation, which begins with its game, as JSON or as a
    link.
    """
    text = given.strip()
    is_line = re.match(r"[^\s:]+: ", text) is not None  # such as `41.19: 1/1`, which lacks its game
    return not text or "\n" in text or text.startswith(("{", "[", "\ufeff", "#", "game ")) or is_line or is_link(text)
