"""Files in which a state comes: position notation and JSON; plugins may add others.

A file gives a `Position`: the state, what is asked of it and the answers so far stay apart.
"""

from __future__ import annotations

from collections.abc import Callable

from ..hookspecs import hookimpl
from ..positions import Format


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Position notation and JSON."""
    from .json_state import FORMAT as json_state
    from .notation import FORMAT as notation

    register(notation)
    register(json_state)
