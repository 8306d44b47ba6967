"""Files in which a state comes: position notation, JSON, VASSAL saves; plugins may add others.

A file gives a `Position`: the state, what is asked of it and the answers so far stay apart.
"""

from __future__ import annotations

from collections.abc import Callable

from ..games import Game
from ..hookspecs import hookimpl
from ..positions import Cut, Format, Position


@hookimpl
def register_formats(register: Callable[[Format], None]) -> None:
    """Position notation, JSON, and VASSAL's saves and logs."""
    from .json_state import FORMAT as json_state
    from .notation import FORMAT as notation

    register(notation)
    register(json_state)
    register(Format("VASSAL save", (".vsav", ".vlog"), _read_save, _read_save))


def _read_save(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Position:
    """A save as a position; what reads it is loaded when there is one."""
    from .vassal.positions import read

    return read(data, name, load_game, cut)
