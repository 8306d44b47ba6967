"""The questions that plugins register for a game, each loaded when it is looked up."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..util.errors import PluginError, failed_line, place_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from ..questions.question import Question


class Questions(Mapping[str, "Question[Any, Any]"]):
    """The questions of a game by name; one that was registered by its module is imported when it is looked up.

    A module holds its question as `QUESTION`, or several as `QUESTIONS`. folder: of the game; plugin: its name in
    messages. Looking one up raises PluginError if its module cannot be loaded or holds none of that name.
    """

    def __init__(self, folder: Traversable, plugin: str) -> None:
        self._folder, self._plugin = folder, plugin
        self._known: dict[str, Question[Any, Any] | str] = {}
        self._registered_at: dict[str, str] = {}
        #: The module of each, by its name: the one that holds it, or the one that has registered it.
        self.modules: dict[str, str] = {}

    def register(self, question: Question[Any, Any] | str, module: str = "") -> None:
        """Add a question, or the name of one that `module` holds. Raises ValueError for a name registered twice."""
        name = question if isinstance(question, str) else question.name
        if name in self._known:
            raise ValueError(f"a question named {name} is registered twice")
        self._known[name] = module if isinstance(question, str) else question
        caller = sys._getframe(1)
        self.modules[name] = module or str(caller.f_globals.get("__name__", ""))
        self._registered_at[name] = place_of(caller.f_code.co_filename, caller.f_lineno, self._folder)

    def __getitem__(self, name: str) -> Question[Any, Any]:
        known = self._known[name]
        if isinstance(known, str):
            known = self._known[name] = self._load(name, known)
        return known

    def _load(self, name: str, module: str) -> Question[Any, Any]:
        own = ""
        try:
            loaded = import_module(module)
            own = place_of(loaded.__file__ or "", 0, self._folder)
            held: tuple[Question[Any, Any], ...] = getattr(loaded, "QUESTIONS", ())
            if not held and not hasattr(loaded, "QUESTION"):
                raise AttributeError(f"{module.rpartition('.')[2]} has no QUESTION")
            names = {question.name: question for question in held or (loaded.QUESTION,)}
            if name not in names:
                known = " and ".join(map(repr, names))
                raise ValueError(f"its QUESTION has the name {known}, but is registered as {name!r}")
        except Exception as error:  # a module may raise anything; the message names it
            place = failed_line(error, self._folder) or own or self._registered_at[name]
            raise PluginError(self._plugin, error, f"load the question {name}", place) from error
        return names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
