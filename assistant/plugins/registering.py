"""What keeps the code of a game from adding questions: a file without a hook, a hook that is misspelt or not marked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pluggy

from ..util.errors import nearest
from . import hookspecs

if TYPE_CHECKING:
    from ..game.games import Game


def code_faults(game: Game, module: Any, manager: pluggy.PluginManager) -> Iterator[str]:
    """Why the code of a game adds no question, in words; nothing if it adds some, and for a game without code.

    module: its `__init__.py`, None if there is none.
    """
    code = [file.name for file in game.folder.iterdir() if re.fullmatch(r"(?!test_|conftest\.).+\.py", file.name)]
    if module is None:
        if code:
            yield "the folder has code, but no __init__.py to register its questions"
        return
    hooks = [name for name, what in vars(hookspecs).items() if hasattr(what, "field_staff_spec")]
    of_games = [name for name in hooks if "game" in inspect.signature(vars(hookspecs)[name]).parameters]
    marked = [name for name, what in vars(module).items() if hasattr(what, "field_staff_impl")]
    wrong = [f"__init__.py: unknown hook {name!r}; {nearest(name, of_games)}" for name in marked if name not in hooks]
    wrong += [f"__init__.py: write @hookimpl above {name}" for name in hooks if name in vars(module).keys() - marked]
    yield from wrong
    own: list[Any] = []
    others = [plugin for _, plugin in manager.list_name_plugin() if plugin is not module]
    register = manager.subset_hook_caller("register_questions", others)
    register(game=game, register=lambda *given, **named: own.append((given, named)))
    meant = len(code) > 1 or any(
        callable(what) and getattr(what, "__module__", "") == module.__name__ for what in vars(module).values()
    )
    if meant and not own and not wrong and not {*marked} - {"register_questions"}:
        yield f"the folder's __init__.py registered no question for the game {game.id!r}"
