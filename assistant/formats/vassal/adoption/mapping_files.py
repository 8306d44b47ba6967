"""The files of mappings, and beside each what of its module saves need."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path as File
from typing import TYPE_CHECKING

import msgspec
import tomli

from ....util.datafiles import resolve_within
from ....util.errors import InputError, Where, similar
from ....util.files import data_folder, read_bytes
from ....util.limits import Limit
from ....util.texts import folded
from ..controls import Controls
from ..maps import MapWindow

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MODULES = "modules"
"""The folder of mappings, in the user's data folder by game and in the folder of a game."""
_LONGEST = 60
"""The most letters of a file's name that come from the module's."""


class Fixtures(msgspec.Struct, frozen=True):
    """What of a module's file its saves need to be read: the boards and grids of its maps, its trackers and buttons."""

    maps: Mapping[str, MapWindow]
    controls: Controls = Controls()
    pieces: tuple[str, ...] = ()
    """All names by which a mapping may call its pieces."""


def mapping_file(module: str, game: str) -> File:
    """Return the file of the mapping of a module, by its name, for a game."""
    return data_folder() / MODULES / game / mapping_name(module)


def fixtures_file(mapping: File) -> File:
    """Return the file with the fixtures of a module, beside its mapping."""
    return mapping.with_suffix(".json")


def mapping_files() -> list[File]:
    """Return the files of all mappings, in the order of their names."""
    return sorted((data_folder() / MODULES).glob("*/*.toml"))


def has_mappings() -> bool:
    """Return whether any module is adopted."""
    return (data_folder() / MODULES).is_dir()


def adopted_games(module: str) -> list[str]:
    """Return the games for which a module is adopted, by its name."""
    folder = data_folder() / MODULES
    if not module or not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if mapping_file(module, path.name).is_file())


def like_named(module: str) -> tuple[str, File] | None:
    """Return the name and the mapping of the adopted module whose name is most like that of another; None if none is."""
    known = {name: file for file in mapping_files() if (name := _read_key(file, "module"))}
    nearest = similar(module, known, 0.7, 1) if module else []
    return (nearest[0], known[nearest[0]]) if nearest else None


def folder_of(game: str) -> str:
    """Return the folder of a game that is not installed, as the mappings of modules that were adopted for it name it;
    "" if none does.
    """
    named = (_read_key(file, "folder") for file in _files_of(game))
    return next((home for home in named if home and File(home, "game.toml").is_file()), "")


def only_module(game: str) -> str:
    """Return the module that is adopted for a game, "" if none is, or several."""
    files = _files_of(game)
    return _read_key(files[0], "module") if len(files) == 1 else ""


def _files_of(game: str) -> list[File]:
    """Return the files of the mappings for a game, in the order of their names."""
    return sorted((data_folder() / MODULES / game).glob("*.toml"))


def _read_key(mapping: File, key: str) -> str:
    """Return what a mapping says at its head, "" if it says nothing or cannot be read."""
    try:
        value = tomli.loads(read_bytes(mapping).decode()).get(key)
    except (InputError, ValueError, RecursionError):  # told by whoever reads the whole mapping
        return ""
    return value if isinstance(value, str) else ""


def read_fixtures(file: File) -> Fixtures:
    """Return the fixtures of a module. Raises InputError if they are missing or damaged."""
    hint = "make it again: assistant adopt MODULE --game GAME"
    try:
        data = read_bytes(file)
        Limit.DATA.check(len(data), "it holds")
        return msgspec.json.decode(data, type=Fixtures)
    except InputError as error:
        raise InputError(error.what, where=Where(str(file)), hint=hint) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"it is damaged: {error}", where=Where(str(file)), hint=hint) from None


def shipped_mapping(module: str, folder: Traversable) -> Traversable | None:
    """Return the file of the mapping of a module that a game has in its own folder, None if it has none."""
    file = resolve_within(folder, f"{MODULES}/{mapping_name(module)}")
    return file if file.is_file() else None


def mapping_name(module: str) -> str:
    """Return the name of the file with the mapping of a module. Of names without a letter or a digit of ours, and of
    very long ones, a checksum keeps them apart.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", folded(module)).strip("-")
    if plain and len(plain) <= _LONGEST:
        return f"{plain}.toml"
    return f"{plain[:_LONGEST] or 'module'}-{hashlib.sha256(module.encode()).hexdigest()[:8]}.toml"
