"""A plugin that fails: the error names it, and the line of its code if that is known."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import InputError, Where

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MODULE = "field_staff_folder_"
"""How the name of a module begins that is run from a folder; its path in figures follows."""


class PluginError(InputError):
    """A plugin that cannot be loaded or that fails.

    plugin: its name, with its distribution or folder; doing: what it failed to do; place: the file and line, if known.
    """

    def __init__(self, plugin: str, error: BaseException, doing: str = "", place: str = "") -> None:
        what = f" to {doing}" if doing else ""
        what += f": {place}" if place else ""
        said = re.sub(rf"{MODULE}[0-9a-f]+\.?", "", error.msg if isinstance(error, SyntaxError) else str(error))
        super().__init__(
            f"plugin {plugin} failed{what}: {type(error).__name__}: {said}",
            hint="--debug adds the traceback, for its author",
        )

    def at(self, where: Where) -> PluginError:
        """The same error: what was typed is not at fault, so it has no place there."""
        return self


def line_of(error: BaseException, folder: Traversable) -> str:
    """The line of a game's code at which it failed, as `supply.py:3`; "" if no line of its files is to blame.

    folder: of the game's files.
    """
    from traceback import walk_tb

    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        lines.append((error.filename, error.lineno or 0))
    own = [place for file, line in lines if (place := place_of(file, line, folder))]
    return own[-1] if own else ""


def place_of(file: str, line: int, folder: Traversable) -> str:
    """A file of a game and a line in it, as `supply.py:3`; line 0 for the file alone; "" for a file outside the folder."""
    home, path = Path(str(folder)), Path(file)
    return str(Where(path.relative_to(home).as_posix(), line)) if path.is_relative_to(home) else ""
