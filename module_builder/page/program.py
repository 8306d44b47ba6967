"""The program as it lies in the browser: the assistant, games, pictures and wheels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from assistant.installed.registry import game_folder, installed_games
from assistant.util.errors import InputError, Where, located
from assistant.util.files import files_below, package_folder, read_bytes, read_own
from assistant.util.limits import Limit
from assistant.util.patterns import late_pattern

from .parts import PageParts

_WITHOUT = (
    "assistant/__main__.py",
    "assistant/faces/cli/",
    "assistant/faces/mcp/",
    "assistant/faces/page/server/",
    "assistant/faces/page/shell/",
    "assistant/faces/prompt/keyboard.py",
    "assistant/testing.py",
    "field_staff_images/fonts/Condensed",
)
"""What a browser has no use for: the command line, what programs ask, and the fonts of a PDF."""
_LEFT_OUT = late_pattern(r"(.*/)?(__pycache__/.*|.*\.(pyc|pyo|pyi|typed|c|h|pyx|pxd)|\..*|tests?/.*)")
_OWN = "game_"
"""What the name of a package begins with that holds a game from a folder."""
_READ = (".toml", ".csv", ".pos", ".txt", ".lines", ".svg", ".py")
"""The endings of the files that a game is read from: a scan, a save or a module beside them stays at home."""
_MOST = 16_000_000  # bytes of the files of such a game


class PackedGame(NamedTuple):
    """A game in the archive."""

    id: str
    package: str
    """It can be imported as."""
    files: Mapping[str, bytes]
    """By their paths within it."""
    left_out: Sequence[str] = ()
    """The paths of those in its folder that no game is read from."""
    home: str = ""
    """That folder, "" for an installed game."""


def games_to_pack(named: Iterable[str]) -> list[PackedGame]:
    """Return the games that are named by their ids or folders; all that are installed if none is. Raises InputError for
    a game that is not there, and for one that is named twice.
    """
    games = [_pack_game(name) for name in named] or [_pack_game(name) for name in sorted(installed_games())]
    twice = next(
        (game.id for number, game in enumerate(games) if game.id in [other.id for other in games[:number]]), ""
    )
    if twice:
        raise InputError(f"two games are called {twice}", where=Where("--game"), hint="name each of them once")
    if not games:
        raise InputError("no game is installed", hint="name a folder with a game: --game FOLDER")
    return games


def _pack_game(named: str) -> PackedGame:
    game = game_folder(named)
    if not game.home:
        package = installed_games()[game.id].value.partition(":")[0].partition(".")[0]
        return PackedGame(game.id, package, dict(_list_package(package_folder(package))))
    package = _OWN + game.id.replace("-", "_")
    files, left_out = _read_folder(Path(named))
    return PackedGame(game.id, package, {"__init__.py": b"", **files}, left_out, game.home)


def _read_folder(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """Return the files from which the game in a folder is read, by their paths, and the paths of the others. Raises
    InputError for more than a game can have.
    """
    files, left_out = dict[str, bytes](), list[str]()
    for path, _ in files_below(folder):
        if _LEFT_OUT.fullmatch(path):
            continue
        if not path.endswith(_READ):
            left_out.append(path)
            continue
        files[path] = read_bytes(folder / path)
        with located(Where(str(folder / path))):
            Limit.DATA.check(len(files[path]), "it holds")
        if sum(map(len, files.values())) > _MOST:
            raise InputError(
                f"the game holds more than {_MOST} bytes",
                where=Where(str(folder)),
                hint="is it the folder of one game?",
            )
    return files, left_out


def program_files(games: Iterable[PackedGame], parts: PageParts) -> dict[str, bytes]:
    """Return the files of the program, games and wheels, by their paths in the archive."""
    return dict(_list_files(list(games), parts))


def _list_files(games: list[PackedGame], parts: PageParts) -> Iterator[tuple[str, bytes]]:
    for package in ("assistant", "field_staff_images"):
        for path, data in _list_package(package_folder(package)):
            if not f"{package}/{path}".startswith(_WITHOUT):
                yield f"{package}/{path}", data
    for wheel in parts.wheels.values():
        for path in wheel.namelist():
            if ".dist-info/" not in path and not path.endswith("/") and not _LEFT_OUT.fullmatch(path):
                yield path, wheel.read(path)
    for game in games:
        for path, data in game.files.items():
            yield f"{game.package}/{path}", data
    yield "field_staff_page-1.dist-info/entry_points.txt", _write_entry_points(games).encode()


def _write_entry_points(games: list[PackedGame]) -> str:
    """Return the games, and the assistant's own questions and formats; without the builder's."""
    own = [f"{game.id} = {game.package}" for game in games]
    return "\n".join(["[field_staff.plugins]", "assistant = assistant.builtin", "[field_staff.games]", *own, ""])


def _list_package(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a package that are needed, by their paths."""
    for path, file in files_below(folder):
        if not _LEFT_OUT.fullmatch(path):
            yield path, read_own(file)
