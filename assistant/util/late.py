"""Importing functions at their first call, by their place: `package.module:name`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import Any


def load(place: str) -> Any:
    """Return the object at a place, `package.module:name`, or the module itself without a name.

    Raises whatever importing the module raises, and AttributeError if the module lacks the name.
    """
    module, _, names = place.partition(":")
    return reduce(getattr, names.split(".") if names else [], import_module(module))


def late(place: str) -> Callable[..., Any]:
    """Return a stand-in for a function, which it imports at the first call.

    `place`: the function as `package.module:name`.
    """

    def called(*arguments: Any, **named: Any) -> Any:
        return load(place)(*arguments, **named)

    called.__module__, _, called.__name__ = place.partition(":")
    return called
