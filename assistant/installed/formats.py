"""Positions and records, read by the formats of plugins, and the examples and set-ups of games.

An example has a name: `example:battle`, `example:kai/1914`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ..util.errors import InputError, Where, format_suggestion, is_of_the_machine
from .plugins import call_plugins
from .registry import installed_games, load_game, named_game

if TYPE_CHECKING:  # `assistant --help` loads this module, so the others are imported only where needed
    from ..formats.positions import Cut, Format, Position, Record
    from ..game.games import Game


def formats() -> list[Format]:
    """Return all file formats with states."""
    all_formats: list[Format] = []
    call_plugins("register_formats", register=all_formats.append)
    return all_formats


def read_position(
    path: str,
    data: bytes | None = None,
    load_game: Callable[[str], Game] = load_game,
    cut: Cut | None = None,
    moment: str | None = None,
) -> Position:
    """Return the position in a file, read by its suffix, or in a link in place of the path.

    `cut`: reduces the position to what a side may know.
    `moment`: an earlier position such as `@mar16/5`, or "" for the last one, or None if the path may name it.

    Raises InputError for an unusable file, and for a moment that does not exist or is not for the side.
    """
    from ..formats.positions import PASTED, file_bytes, is_link, part_moment
    from ..state.state import is_limited

    known = formats()
    if data is None and is_link(path):
        path, data = PASTED, path.encode()
    if moment is None:
        path, moment = part_moment(path, known)
    if data is None:
        data = file_bytes(Path(path), known)
    suffix = Path(path).suffix.lower()
    file_format = _find_format(path, known, f"{suffix or 'no ending'} is not a known kind of file")
    # Refused before the lookup: a missing entry would tell a side how many entries there are.
    if cut is not None and moment.startswith("#"):
        last = read_position(path, data, load_game, cut, moment="")
        if is_limited(last.state.seen_by):
            raise InputError("a side names a turn, not an entry", where=Where(path), hint=f"write: {path}@TURN")
    position = _call_reader(file_format, data, path, load_game, cut, moment)
    return position if cut is None else position.seen(cut(position.game, position.state))


def _find_format(path: str, known: list[Format], unknown: str, also: Collection[str] = ()) -> Format:
    """Return the format of a file by its suffix.

    `unknown`: the message if there is no such format.
    `also`: further suffixes for the hint.

    Raises InputError if there is no such format.
    """
    suffix = Path(path).suffix.lower()
    for file_format in known:
        if suffix in file_format.suffixes:
            return file_format
    endings = sorted({*(suffix for file_format in known for suffix in file_format.suffixes), *also})
    raise InputError(unknown, where=Where(path), hint=f"known: {' '.join(endings)}")


def _call_reader(
    file_format: Format, data: bytes, path: str, load_game: Callable[[str], Game], cut: Cut | None, moment: str
) -> Position:
    """Return the position from a format's reader. If a plugin's reader fails, the error does not blame the file."""
    try:
        cuts = [cut] if cut is not None and file_format.read_cut is not None else []
        if moment and file_format.read_at is not None:
            return file_format.read_at(data, path, load_game, moment, *cuts)
        if cut is not None and file_format.read_cut is not None:
            return file_format.read_cut(data, path, load_game, cut)
        return file_format.read(data, path, load_game)
    except InputError:
        raise
    except Exception as error:
        if is_of_the_machine(error) or file_format.read.__module__.partition(".")[0] == __name__.partition(".")[0]:
            raise
        what = f"the reader of {file_format.name} failed: {type(error).__name__}: {error}"
        raise InputError(what, where=Where(path), hint="update or uninstall the package that provides it") from error


def read_record(path: str, load_game: Callable[[str], Game], cut: Cut, other_endings: Collection[str] = ()) -> Record:
    """Return the record of play in a file. The parameters are those of `read_position`.

    `other_endings`: suffixes of files, other than logs, in which the caller would find a record too.

    Raises InputError for a file that is missing, too large, of another format, or faulty inside.
    """
    if path == "-":
        raise InputError("a log cannot be read from standard input", where=Where("-"), hint="name its file")
    from ..formats.positions import file_bytes

    known = formats()
    data = file_bytes(Path(path), known)
    suffix = Path(path).suffix.lower()
    kind = f"a {suffix} file" if suffix else "a file without an ending"
    records = [file_format for file_format in known if file_format.read_record]
    unknown = f"{kind} does not record how a game was played" if other_endings else f"{kind} is not a log"
    file_format = _find_format(path, records, unknown, other_endings)
    assert file_format.read_record
    return file_format.read_record(data, path, load_game, cut)


EXAMPLE = "example:"
"""The text before the name of an example or a set-up."""
POSITION_SUFFIX = ".pos"
"""The suffix of a position in notation, which an example's name leaves out."""


def example_file(named: str, find_game: Callable[[str], Game] | None = None) -> Path:
    """Return the path of `example:NAME` or `example:GAME/NAME`.

    `find_game`: returns the game for GAME, by default any game that a command may name. Finding a game in a folder runs
    its code.

    Raises InputError if there is no such example.
    """
    game_named, slash, name = named.removeprefix(EXAMPLE).rpartition("/")
    games = [(find_game or named_game)(game_named)] if slash else []
    for game in games or chain(first_games(), map(load_game, installed_games())):
        for file in examples_of(game):
            if name in (file.stem, file.name):
                return file
    names = example_names(games or map(load_game, installed_games()), f"{game_named}{slash}")
    raise InputError(f"there is no {named}", hint=format_suggestion(named, names))


def first_games() -> Iterator[Game]:
    """Return the installed games with which the table page can begin.

    An example without a game is looked up in these first.
    """
    return (game for game in map(load_game, installed_games()) if game.file.start)


def examples_of(game: Game) -> Iterator[Path]:
    """Yield the files of a game's examples, positions in notation first, and those of its set-ups."""
    endings = {suffix for known in formats() for suffix in known.suffixes}
    for folder in (game.folder.joinpath(name) for name in ("examples", "setups")):
        if isinstance(folder, Path) and folder.is_dir():
            files = (file for file in folder.iterdir() if file.suffix in endings)
            yield from sorted(files, key=lambda file: (file.suffix != POSITION_SUFFIX, file.name))


def example_names(games: Iterable[Game], named: str = "") -> list[str]:
    """Return the examples of games by name. `named`: a text before each name, such as the game as typed."""
    files = dict.fromkeys(
        file.stem if file.suffix == POSITION_SUFFIX else file.name for game in games for file in examples_of(game)
    )
    return [f"{EXAMPLE}{named}{name}" for name in files]
