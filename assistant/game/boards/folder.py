"""The files in a board's folder: board.toml, terrain.txt, places.csv, lakes.csv and .lines files.

People can edit them, and a diff shows what has changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...util.datafiles import files_in, resolve_within

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HEAD = "board.toml"
TERRAIN = "terrain.txt"
PLACES = "places.csv"
LAKES = "lakes.csv"
LINES = ".lines"


def in_boards(game: Traversable) -> list[Traversable]:
    """Return the files and folders in a game's folder `boards`, by name."""
    folder = resolve_within(game, "boards")
    return files_in(folder) if folder.is_dir() else []


def is_board_name(name: str) -> bool:
    """Return whether a position can name a board by its folder: only letters, digits, hyphens and dots."""
    return re.fullmatch(r"[\w.-]+", name) is not None


def board_files(folder: Traversable) -> list[Traversable]:
    """Return the existing files of a board, in the order in which they are read."""
    named = (resolve_within(folder, name) for name in (HEAD, TERRAIN, PLACES, LAKES))
    return [*(file for file in named if file.is_file()), *lines_files(folder)]


def lines_files(folder: Traversable) -> list[Traversable]:
    """Return the `.lines` files in a folder by name, without hidden ones.

    Raises InputError for a link out of the folder.
    """
    return [
        resolve_within(folder, file.name) for file in files_in(folder) if file.name.endswith(LINES) and file.is_file()
    ]
