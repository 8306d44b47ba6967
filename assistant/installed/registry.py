"""Games and their questions.

The entry points of `field_staff.games` name installed games, which are loaded when needed. A folder with a `game.toml`
is a game while a command or an adopted module names it. A position cannot name a folder, so it never runs the folder's
code.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from ..util.errors import (
    MODULE,
    InputError,
    MachineError,
    PluginError,
    Where,
    find_failed_line,
    format_code_place,
    is_of_the_machine,
    nearest,
    word_plugin_error,
)
from ..util.files import is_device, package_folder
from . import hookspecs
from .entry_points import EntryPoint, entry_points
from .plugins import call_plugins, load_entry, plugin_manager, register_hooks

if TYPE_CHECKING:  # `assistant --help` loads this module, so the others are imported only where needed
    from importlib.resources.abc import Traversable

    from ..asking.question import Consequences, Question
    from ..formats.vassal.modules import Module
    from ..game.games import Game
    from ..game.packs import Pack

OVERRIDES = "overrides.py"
"""The module of a game of clauses with the functions that override them; `assistant.rules.clauses` reads it."""
_GAME = "game "
"""The beginning of the names of plugins that are games."""
_ID = r"[a-z0-9][a-z0-9_-]{0,60}"


class GameQuestions(Mapping[str, "Question[Any, Any]"]):
    """The questions of a game by name. A question registered by its module is imported when looked up.

    A module has its question as `QUESTION`, or several as `QUESTIONS`, or a function `make_questions` that returns
    those of a game. A lookup raises PluginError if the module cannot be loaded or has no question of the name, and
    InputError for a fault in the game's files.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._folder = game.folder
        self._plugin = game.id + game.made_by
        self._known: dict[str, Question[Any, Any] | str] = {}
        self._registered_at: dict[str, tuple[str, int]] = {}
        self.modules: dict[str, str] = {}
        """The module of each question by name: the module that has the question, or that registered it."""
        self.consequences: list[Consequences] = []
        """The consequences that the game registers for the changes of all questions."""

    def register(self, question: Question[Any, Any] | str, module: str = "", *, unless_known: bool = False) -> None:
        """Add a question, or the name of a question in `module`.

        `unless_known`: whether an earlier question of that name stays.

        Raises ValueError for a name registered twice.
        """
        name = question if isinstance(question, str) else question.name
        if name in self._known and unless_known:
            return
        if name in self._known:
            raise ValueError(f"a question named {name} is registered twice")
        caller = sys._getframe(1)
        self.modules[name] = module or str(caller.f_globals.get("__name__", ""))
        self._registered_at[name] = caller.f_code.co_filename, caller.f_lineno
        self._known[name] = module if isinstance(question, str) else question

    def __getitem__(self, name: str) -> Question[Any, Any]:
        known = self._known[name]
        if isinstance(known, str):
            known = self._known[name] = self._load_question(name, known)
        if self.consequences and not known.consequences:
            known = self._known[name] = msgspec.structs.replace(known, consequences=tuple(self.consequences))
        return known

    def _load_question(self, name: str, module: str) -> Question[Any, Any]:
        module_place = ""
        try:
            loaded = import_module(module)
            module_place = format_code_place(loaded.__file__ or "", 0, self._folder)
            listed_questions: tuple[Question[Any, Any], ...] = getattr(loaded, "QUESTIONS", ())
            if hasattr(loaded, "make_questions"):
                listed_questions = loaded.make_questions(self._game)
            if not listed_questions and not hasattr(loaded, "QUESTION"):
                raise AttributeError(f"{module.rpartition('.')[2]} has no QUESTION")
            names = {question.name: question for question in listed_questions or (loaded.QUESTION,)}
            if name not in names:
                known = " and ".join(map(repr, names))
                raise ValueError(f"its QUESTION has the name {known}, but is registered as {name!r}")
        except Exception as error:  # a module may raise anything; the message names the module
            if is_of_the_machine(error) or (isinstance(error, InputError) and module.startswith("assistant.")):
                raise
            place = find_failed_line(error, self._folder) or module_place
            place = place or format_code_place(*self._registered_at[name], self._folder)
            raise word_plugin_error(self._plugin, error, f"load the question {name}", place) from error
        return names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class GameFolder(msgspec.Struct, frozen=True):
    """The place of a game's files."""

    id: str
    folder: Traversable
    made_by: str
    home: str = ""
    """The path of a folder that a command named, or "" for an installed game."""

    @property
    def plugin(self) -> str:
        return self.id + self.made_by


def installed_games() -> dict[str, EntryPoint]:
    """Return the entry points of the installed games by the game's id. No game is loaded."""
    points = entry_points("field_staff.games")
    return {entry.name: entry for entry in points} | {entry.name: entry for entry in reversed(points)}


def aliases_of(entry: EntryPoint) -> tuple[str, ...]:
    """Return the short names in the `game.toml` of an installed game, without running its code."""
    from ..util.datafiles import read_toml

    try:
        spec = importlib.util.find_spec(entry.value.partition(":")[0].strip())
        folders = (spec and spec.submodule_search_locations) or ()
        declared = [read_toml(Path(folder, "game.toml"), dict[str, Any]).get("aliases", []) for folder in folders]
    except (ImportError, ValueError, InputError):  # reported when the game is loaded
        return ()
    return tuple(alias for aliases in declared if isinstance(aliases, list) for alias in aliases)


def full_id(name: str) -> str:
    """Return the id of the installed game with an id or alias, or the name itself if there is no such game.

    Raises InputError for an alias of several games.
    """
    games = installed_games()
    if name in games:
        return name
    matches = [game for game, entry in games.items() if name in aliases_of(entry)]
    if len(matches) > 1:
        raise InputError(f"{name!r} may mean {' or '.join(matches)}", hint=f"name one of {', '.join(matches)}")
    return matches[0] if matches else name


def game_folder(named: str) -> GameFolder:
    """Return the place of the game that a command names.

    An installed game is named by its id, by an alias, or by an unambiguous beginning ("" for the only game). Any game
    is named by the path of its folder, `./NAME` if an installed game has that name.

    Raises InputError for an unknown game, or for a folder whose name is not a valid id.
    """
    games = installed_games()
    if point := games.get(named):
        return _find_folder(point)
    folder = Path(named)
    if named and folder.is_dir():
        return _make_game_folder(folder)
    if point := games.get(full_id(named)):
        return _find_folder(point)
    matches = [name for name in games if name.startswith(named)]
    if len(matches) == 1:
        return _find_folder(games[matches[0]])
    if matches:
        what = f"{named!r} may mean {' or '.join(matches)}" if named else "several games are installed"
        raise InputError(what, hint=f"name one of {', '.join(matches)}")
    current_folder = Path.cwd()
    similar = [*games, *(inner.parent.name for inner in current_folder.glob("*/game.toml"))]
    hint = nearest(named, similar) or "name an installed game, or a folder with a game.toml"
    where = "" if folder.is_absolute() else f" in {current_folder}"
    raise InputError(f"unknown game {named!r}, and no folder of that name{where}", hint=hint)


def _find_folder(entry: EntryPoint) -> GameFolder:
    module = load_entry(entry)
    try:
        return GameFolder(entry.name, package_folder(module.__name__), entry.made_by)
    except (ImportError, TypeError, AttributeError) as error:  # not a package
        raise word_plugin_error(entry.plugin, error) from error


def game_id(folder: Path) -> str:
    """Return the id of a game in a folder: the folder's name. Raises InputError for a name that is not a valid id."""
    return _check_id(folder.resolve().name, Where(str(folder)))


def _read_id(folder: Path) -> str:
    from ..util.datafiles import read_toml, resolve_within

    try:
        name = read_toml(resolve_within(folder, "game.toml"), dict[str, Any]).get("id", "")
    except InputError:  # reported when the whole file is read
        return ""
    return _check_id(name, Where("game.toml")) if isinstance(name, str) and name else ""


def is_valid_id(name: str) -> bool:
    """Return whether a name may be the id of a game."""
    return bool(re.fullmatch(_ID, name)) and not is_device(name)


def _check_id(name: str, where: Where) -> str:
    if not is_valid_id(name):
        hint = "use small letters, digits, hyphens and underscores, such as my-game, and no word that Windows keeps for itself"
        raise InputError(f"{name!r} is not a valid game id", where=where, hint=hint)
    return name


def _make_game_folder(folder: Path) -> GameFolder:
    from ..util.datafiles import resolve_within

    if not resolve_within(folder, "game.toml").is_file():
        raise InputError(
            "this folder is not a game: it has no game.toml",
            where=Where(str(folder)),
            hint="module-builder new FOLDER makes one",
        )
    name = _read_id(folder) or game_id(folder)
    home = folder.resolve()
    shown_path = home.relative_to(Path.cwd()) if home.is_relative_to(Path.cwd()) else home
    return GameFolder(name, home, f" in {shown_path}", str(home))


def named_game(named: str) -> Game:
    """Return the game that a command names, by its id or its folder, with its owner's pack.

    This runs the code of a folder, so `named` must come from the user: `load_game` is for the names of games in files.

    Raises the errors of `game_folder`, InputError for a fault in its files, PluginError if its code fails.
    """
    return _overlay_pack(_load_named(named))


def published_game(named: str) -> Game:
    """Return the game that a command names, as it is published, without its owner's pack.

    Raises the errors of `named_game`.
    """
    return _load_named(named).game


def _load_named(named: str) -> _LoadedGame:
    folder = GameFolder(named, Path(), "") if named in installed_games() else game_folder(named)
    return _load_folder(folder.home or folder.id)


def load_game(name: str) -> Game:
    """Return a game with its owner's pack, by its id or an alias.

    The game is an installed one, or one with an adopted module.

    Raises InputError for any other name.
    """
    name = full_id(name)
    if name not in installed_games():
        from ..formats.vassal.adoption.mapping_files import folder_of

        folder = folder_of(name) if re.fullmatch(_ID, name) else ""  # a file never names its game by a path
        if folder and (_read_id(Path(folder)) or game_id(Path(folder))) == name:  # checked before the game's code runs
            return _overlay_pack(_load_folder(folder))
        hint = nearest(name, installed_games()) or "no game is installed: pip install one"
        raise InputError(
            f"unknown game {name!r}", hint=f"{hint}; name a game in a folder with --game FOLDER, or serve FOLDER FILE"
        )
    return _overlay_pack(_load_folder(name))


def make_game_loader(
    game: Game | None = None, *, others: bool = False, pack: Literal["as-named", "anew", "none"] = "as-named"
) -> Callable[[str], Game]:
    """Return the loader for the names of games in files: the game that a command named, or an installed one.

    A save of a module that is adopted for several games belongs to the named one.

    `others`: whether files may be of other installed games too. Otherwise these are refused, because an installed copy
    of the named game would answer by other rules.
    `pack`: `as-named` keeps the named game's pack, and `none` uses games without packs, as published. `anew` reads the
    pack again for each file, for a program that runs while the owner types.
    """

    def with_pack(found: Game) -> Game:
        if pack == "as-named":
            return found
        return reload_pack(found) if pack == "anew" else _load_folder(found.home or found.id).game

    if game is None:
        return load_game if pack == "as-named" else lambda name: with_pack(load_game(name))
    from ..game.games import Chosen

    def find_by_id(name: str) -> Game:
        if name in (game.id, *game.file.aliases):
            return game
        name = full_id(name)
        if name == game.id:
            return game
        is_installed = name in installed_games()
        if others and is_installed:
            return load_game(name)
        if game.home:
            what = f"the position is for {name}, but --game names {game.id}"
            raise InputError(what, hint=of_another(game, name))
        if is_installed:
            raise InputError(f"the position is for {name}, not for {game.id}", hint=f"name {name} instead")
        return load_game(name)

    return Chosen(game.id, lambda name: with_pack(find_by_id(name)))


def of_another(game: Game, name: str) -> str:
    """Return the remedy for a position in a game's folder that names another game."""
    return f'write: game {game.id}; or if this is a copy of {name}, id = "{name}" in its game.toml'


def reload_pack(game: Game) -> Game:
    """Return a game with its owner's pack as it is now."""
    return _overlay_pack(_load_folder(game.home or game.id))


def _overlay_pack(loaded: _LoadedGame) -> Game:
    from ..game.games import pack_folder

    folder = pack_folder(loaded.game.id)
    if not folder.exists():
        return loaded.game
    from ..game.packs import overlay_pack  # loaded late: most games have no pack

    return overlay_pack(loaded.game, folder)


def pack_of(game: Game) -> Pack:
    """Return the pack of a game, perhaps empty.

    Raises PluginError if the game's code fails.
    """
    from ..game.games import pack_folder
    from ..game.pack_charts import ChartFact
    from ..game.packs import Pack

    loaded = _load_folder(game.home or game.id)
    facts: list[ChartFact] = []
    try:
        _find_hook(loaded.module, "register_chart_facts")(game=loaded.game, register=facts.append)
    except Exception as error:
        if is_of_the_machine(error):
            raise
        raise word_plugin_error(game.id + game.made_by, error) from error
    return Pack(loaded.game, pack_folder(game.id), tuple(facts))


def palettes_of(game: Game) -> Module | None:
    """Return the pieces of the game's VASSAL module, or None if no plugin makes them.

    Returns None for a fault in the game's files too.
    """
    modules: list[Module] = []
    try:
        call_plugins("register_palettes", game=game, register=modules.append)
    except (PluginError, MachineError):
        raise
    except InputError:
        return None
    return modules[0] if modules else None


def questions_of(game: Game) -> GameQuestions:
    """Return the questions of a game by name."""
    return _load_folder(game.home or game.id).questions


def question_of(game: Game, name: str) -> Question[Any, Any]:
    """Return a question of a game by name. Raises InputError with the nearest known one."""
    questions = questions_of(game)
    if name not in questions:
        fault = next(code_faults(game, _load_folder(game.home).module), "") if game.home else ""
        raise InputError(f"unknown question {name!r}", hint=fault or nearest(name, questions))
    return questions[name]


def code_faults(game: Game, module: Any) -> Iterator[str]:
    """Yield the faults in the way a game's code registers its questions and other hooks.

    Code that registers nothing is a fault too.

    `module`: the game's `__init__.py` as a module, or None if the folder has none.
    """
    of_clauses = [OVERRIDES] if game.has_file("rules.toml") else []  # the clauses' questions call these functions
    names = [file.name for file in game.folder.iterdir() if file.name not in of_clauses]
    code = [name for name in names if re.fullmatch(r"(?!test_|conftest\.).+\.py", name)]
    if module is None:
        if code:
            yield "the folder has code, but no __init__.py to register its questions"
        elif of_clauses and game.has_file(OVERRIDES):
            yield f"{OVERRIDES} is not read without an __init__.py, which may be empty"
        return
    callers = {name: caller for name, caller in vars(plugin_manager().hook).items() if hasattr(hookspecs, name)}
    of_games = [name for name, caller in callers.items() if caller.spec and "game" in caller.spec.argnames]
    marked = [name for name, what in vars(module).items() if hasattr(what, "field_staff_impl")]
    wrong = [f"__init__.py: unknown hook {name!r}; {nearest(name, of_games)}" for name in marked if name not in callers]
    wrong += [f"__init__.py: write @hookimpl above {name}" for name in callers if name in vars(module).keys() - marked]
    yield from wrong
    registered: list[Any] = []
    other_plugins = plugin_manager().get_plugins() - {module}
    register = plugin_manager().subset_hook_caller("register_questions", other_plugins)
    register(game=game, register=lambda *given, **named: registered.append((given, named)))
    should_register = len(code) > 1 or any(
        callable(what) and getattr(what, "__module__", "") == module.__name__ for what in vars(module).values()
    )
    if should_register and not registered and not wrong and not {*marked} - {"register_questions"}:
        yield f"the folder's __init__.py registered no question for the game {game.id!r}"


class _LoadedGame(msgspec.Struct, frozen=True):
    """A game without its pack, its questions, and the module with its hooks (None for a folder without code)."""

    game: Game
    questions: GameQuestions
    module: Any


@cache
def _load_folder(named: str) -> _LoadedGame:
    from ..game.games import read_game

    folder = game_folder(named)
    game = read_game(folder.id, folder.folder, folder.made_by, folder.home)
    module = code_of(folder)
    return _LoadedGame(game, register_questions(game, folder, module), module)


def register_questions(game: Game, folder: GameFolder, module: Any) -> GameQuestions:
    """Return the questions that the plugins register for a game.

    `module`: the game's code.

    Raises PluginError if the code fails.
    """
    questions = GameQuestions(game)
    manager = plugin_manager()
    if module is not None and not manager.is_registered(module):
        register_hooks(manager, module, f"{_GAME}{folder.home or folder.id}", folder.plugin)
    try:
        _find_hook(module, "register_questions")(game=game, register=questions.register)
        _find_hook(module, "register_consequences")(game=game, register=questions.consequences.append)
    except Exception as error:
        if is_of_the_machine(error):
            raise
        raise word_plugin_error(folder.plugin, error, place=find_failed_line(error, folder.folder)) from error
    return questions


def code_of(folder: GameFolder) -> Any:
    """Return the module with a game's hooks, or None for a folder without `__init__.py`.

    The module of a folder is its `__init__.py`, run under a unique name.
    """
    if not folder.home:
        if (entry := installed_games().get(folder.id)) is None:
            raise InputError(f"{folder.id} is no longer found among the installed games", hint="check that disk")
        return load_entry(entry)
    start = Path(folder.home, "__init__.py")
    if not start.is_file():
        return None
    name = MODULE + folder.home.encode().hex()
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, start, submodule_search_locations=[folder.home])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # code may raise anything; the message names the game
        del sys.modules[name]
        raise word_plugin_error(folder.plugin, error, place=find_failed_line(error, folder.folder)) from error
    return module


def package_of(game: Game) -> str:
    """Return the name of the package with a game's code, or "" if the game has none."""
    module = code_of(GameFolder(game.id, game.folder, game.made_by, game.home))
    return module.__name__ if module else ""


def _find_hook(module: Any, hook: str) -> Any:
    manager = plugin_manager()
    others = [plugin for name, plugin in manager.list_name_plugin() if name.startswith(_GAME) and plugin is not module]
    return manager.subset_hook_caller(hook, others)
