"""What is installed: games, their questions, file formats and commands, found by their entry points.

The entry points of `field_staff.games` are named after the games and lead to the package with a game's files; asking
about one game loads that one only. Those of `field_staff.plugins` add questions to any game, formats or commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

from ..util.errors import InputError, Where, nearest
from . import hookspecs

if TYPE_CHECKING:  # `assistant --help` waits for this module, so it imports the others where it needs them
    from ..formats.positions import Cut, Format, Position
    from ..game.games import Game
    from ..game.packs import Pack
    from ..questions.question import Question


class PluginError(InputError):
    """A plugin that cannot be loaded or that fails; the message names it."""

    def __init__(self, entry: EntryPoint, error: BaseException) -> None:
        super().__init__(
            f"plugin {entry.name}{made_by(entry)} failed: {type(error).__name__}: {error}",
            hint="update or uninstall that package",
        )


def made_by(entry: EntryPoint) -> str:
    """The distribution that an entry point belongs to, in words; "" if nobody knows."""
    return f" of {entry.dist.name} {entry.dist.version}" if entry.dist else ""


_GAME = "game "


@cache
def _manager() -> pluggy.PluginManager:
    manager = pluggy.PluginManager("field_staff")
    manager.add_hookspecs(hookspecs)
    for entry in entry_points(group="field_staff.plugins"):
        manager.register(_load(entry), name=entry.name)
    return manager


def _load(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:  # whatever a stranger's package raises, the message names the package
        raise PluginError(entry, error) from error


def hooks() -> Any:
    """The hooks of all plugins but the games."""
    return _manager().hook


def call_plugins(hook: str, **given: Any) -> None:
    """Call a hook of all plugins, the last one first. Raises PluginError, which names the one that fails."""
    for found in reversed(getattr(hooks(), hook).get_hookimpls()):
        try:
            found.function(**{name: given[name] for name in found.argnames})
        except InputError:
            raise
        except Exception as error:  # whatever a stranger's package raises, the message names the package
            entries = {entry.name: entry for entry in entry_points(group="field_staff.plugins")}
            if found.plugin_name not in entries:
                raise
            raise PluginError(entries[found.plugin_name], error) from error


def installed_games() -> dict[str, EntryPoint]:
    """The entry points of the installed games by the game's id; no game is loaded."""
    return {entry.name: entry for entry in sorted(entry_points(group="field_staff.games"), key=lambda e: e.name)}


def load_game(id: str) -> Game:
    """A game, with its owner's pack over it. Raises InputError if it is not installed or cannot be loaded."""
    from ..game.packs import overlaid, pack_folder

    return overlaid(_loaded(id)[0], pack_folder(id))


def pack_of(id: str) -> Pack:
    """The pack of a game, be it empty. Raises InputError if the game is not installed, PluginError if it cannot be loaded."""
    from ..game.packs import ChartFact, Pack, pack_folder

    game, _, module = _loaded(id)
    facts: list[ChartFact] = []
    try:
        _hook_of(module, "register_chart_facts")(game=game, register=facts.append)
    except Exception as error:
        raise PluginError(installed_games()[id], error) from error
    return Pack(game, pack_folder(id), tuple(facts))


class Questions(Mapping[str, "Question[Any, Any]"]):
    """The questions of a game by name; one that was registered by the module it stands in is imported when it is looked up."""

    def __init__(self) -> None:
        self._known: dict[str, Question[Any, Any] | str] = {}

    def register(self, question: Question[Any, Any] | str, module: str = "") -> None:
        """Add a question, or the name of one that `module` holds as its `QUESTION`. Raises ValueError for a second one of a name."""
        name = question if isinstance(question, str) else question.name
        if name in self._known:
            raise ValueError(f"a question named {name} is registered twice")
        self._known[name] = module if isinstance(question, str) else question

    def __getitem__(self, name: str) -> Question[Any, Any]:
        known = self._known[name]
        if isinstance(known, str):
            known = self._known[name] = import_module(known).QUESTION
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def questions_of(game: Game) -> Questions:
    """What can be asked of an installed game, by name."""
    return _loaded(game.id)[1]


def question_of(game: Game, name: str) -> Question[Any, Any]:
    """A question of an installed game by name. Raises InputError with the nearest known one."""
    questions = questions_of(game)
    if name not in questions:
        raise InputError(f"unknown question {name!r}", hint=nearest(name, questions))
    try:
        return questions[name]
    except Exception as error:
        raise PluginError(installed_games()[game.id], error) from error


@cache
def _loaded(id: str) -> tuple[Game, Questions, Any]:
    """A game without its pack, its questions, and the module that it came from."""
    from ..game.games import read_game

    games = installed_games()
    if id not in games:
        raise InputError(f"unknown game {id!r}", hint=nearest(id, games) or "no game is installed: pip install one")
    entry = games[id]
    module = _load(entry)
    try:
        folder = files(module)
    except (TypeError, AttributeError) as error:  # no module
        raise PluginError(entry, error) from error
    game = read_game(id, folder, made_by(entry))
    questions = Questions()
    manager = _manager()
    if not manager.is_registered(module):
        manager.register(module, name=f"{_GAME}{id}")
    try:
        _hook_of(module, "register_questions")(game=game, register=questions.register)
    except Exception as error:
        raise PluginError(entry, error) from error
    return game, questions, module


def _hook_of(module: Any, hook: str) -> Any:
    """A hook of all plugins but the other games."""
    manager = _manager()
    others = [plugin for name, plugin in manager.list_name_plugin() if name.startswith(_GAME) and plugin is not module]
    return manager.subset_hook_caller(hook, others)


def formats() -> list[Format]:
    """All file formats in which states are read."""
    found: list[Format] = []
    call_plugins("register_formats", register=found.append)
    return found


def read_position(
    path: str, data: bytes | None = None, load_game: Callable[[str], Game] = load_game, cut: Cut | None = None
) -> Position:
    """The position in a file, by its ending; `data` if it was read already (from standard input, say).

    load_game: gives the game that the file names; cut: cuts it down to what somebody may know.

    Raises InputError for a file that is not there, too large, of no known format, or wrong inside.
    """
    if data is None:
        from ..util.files import read_bytes

        data = read_bytes(Path(path))
    known = formats()
    suffix = Path(path).suffix.lower()
    for format in known:
        if suffix in format.suffixes:
            position = _read(format, data, path, load_game, cut)
            return position if cut is None else position._replace(state=cut(position.game, position.state))
    endings = " ".join(sorted(suffix for format in known for suffix in format.suffixes))
    raise InputError(f"{suffix or 'no ending'} is no known kind of file", where=Where(path), hint=f"known: {endings}")


def _read(format: Format, data: bytes, path: str, load_game: Callable[[str], Game], cut: Cut | None) -> Position:
    """What a format's reader finds; one of a stranger's that fails is no fault of the file."""
    try:
        if cut is not None and format.read_cut is not None:
            return format.read_cut(data, path, load_game, cut)
        return format.read(data, path, load_game)
    except InputError:
        raise
    except Exception as error:
        if format.read.__module__.partition(".")[0] == __name__.partition(".")[0]:
            raise
        what = f"the reader of {format.name} failed: {type(error).__name__}: {error}"
        raise InputError(what, where=Where(path), hint="update or uninstall the package that brings it") from error
