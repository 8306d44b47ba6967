"""The functions that call others, and the conditions on which they do."""

from __future__ import annotations

import ast
from typing import NamedTuple

from .guards import Guards, find_nodes
from .sayings import Saying, Unsayable, Words
from .sources import Context, Sources

MAX_CALLERS = 3
"""The maximum number of callers that are named."""


class _Caller(NamedTuple):
    """A call in a function."""

    context: Context
    guards: Guards


class Callers:
    """The callers of a game's functions."""

    def __init__(self, sources: Sources, words: Words) -> None:
        self._sources = sources
        self._words = words
        self._found: dict[str, list[_Caller]] | None = None
        self._said = dict[str, tuple[str, ...]]()

    def list_of(self, context: Context) -> tuple[str, ...]:
        """Return the callers of a function, each with the conditions on which it calls it, as far as they have words."""
        place = context.place
        if place not in self._said:
            if self._found is None:
                self._found = self._find()
            callers = self._found.get(place, [])
            said = dict.fromkeys(map(self._say, callers[:MAX_CALLERS]))
            more = len(callers) - MAX_CALLERS
            self._said[place] = (*said, *([f"and {more} more"] if more > 0 else ()))
        return self._said[place]

    def _say(self, caller: _Caller) -> str:
        saying = Saying(caller.context, self._words)
        when = dict[str, None]()
        for guard in caller.guards:
            try:
                when |= dict.fromkeys(() if isinstance(guard, ast.comprehension) else saying.say(guard))
            except Unsayable:
                return f"{caller.context.place}, which decides when"
        return f"{caller.context.place}, when {' and '.join(when)}" if when else caller.context.place

    def _find(self) -> dict[str, list[_Caller]]:
        """Return the calls of the game's functions by the called function's place, each caller's first call."""
        found = dict[str, list[_Caller]]()
        contexts = [context for module in self._sources.modules.values() for context in module.list_contexts()]
        names = {context.function.name for context in contexts if context.function}
        for context in contexts:
            assert context.function is not None
            called = {context.place}
            for node, guards in find_nodes(context.function.body):
                match node:
                    case ast.Call(ast.Name(name) | ast.Attribute(_, name) as function) if name in names:
                        other = context.find_function(function)
                        if other is not None and other.place not in called:
                            called.add(other.place)
                            found.setdefault(other.place, []).append(_Caller(context, guards))
        return found
