"""The files of mappings, and beside each the fixtures of its module."""

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
"""The subfolder of mappings: in the user's data folder divided by game, and in the folder of a game."""
_MAX_STEM_CHARS = 60
"""Maximum length of the part of a file's name that comes from the module's name."""


class Fixtures(msgspec.Struct, frozen=True):
    """The parts of a module's file that its saves need: the boards and grids of maps, trackers and buttons."""

    maps: Mapping[str, MapWindow]
    controls: Controls = Controls()
    pieces: tuple[str, ...] = ()
    """All names that a mapping may use for its pieces."""


def mapping_file(module: str, game: str) -> File:
    """Return the file of a module's mapping for a game."""
    return data_folder() / MODULES / game / mapping_name(module)


def fixtures_file(mapping: File) -> File:
    """Return the file of a module's fixtures, beside its mapping."""
    return mapping.with_suffix(".json")


def mapping_files() -> list[File]:
    """Return the files of all mappings, sorted by name."""
    return sorted((data_folder() / MODULES).glob("*/*.toml"))


def has_mappings() -> bool:
    """Return whether any module is adopted."""
    return (data_folder() / MODULES).is_dir()


def adopted_games(module: str) -> list[str]:
    """Return the games for which a module is adopted."""
    folder = data_folder() / MODULES
    if not module or not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if mapping_file(module, path.name).is_file())


def like_named(module: str) -> tuple[str, File] | None:
    """Return the adopted module with the most similar name, with its mapping, or None."""
    known = {name: file for file in mapping_files() if (name := _read_key(file, "module"))}
    nearest = similar(module, known, 0.7, 1) if module else []
    return (nearest[0], known[nearest[0]]) if nearest else None


def folder_of(game: str) -> str:
    """Return the folder of a game that is not installed, from the game's mappings, or ""."""
    named = (_read_key(file, "folder") for file in _files_of(game))
    return next((home for home in named if home and File(home, "game.toml").is_file()), "")


def only_module(game: str) -> str:
    """Return the module adopted for a game, or "" if there is none or more than one."""
    files = _files_of(game)
    return _read_key(files[0], "module") if len(files) == 1 else ""


def _files_of(game: str) -> list[File]:
    return sorted((data_folder() / MODULES / game).glob("*.toml"))


def _read_key(mapping: File, key: str) -> str:
    """Return an entry at the head of a mapping, or "" if it is missing or cannot be read."""
    try:
        value = tomli.loads(read_bytes(mapping).decode()).get(key)
    except (InputError, ValueError, RecursionError):  # reported when the whole mapping is read
        return ""
    return value if isinstance(value, str) else ""


def read_fixtures(file: File) -> Fixtures:
    """Return the fixtures of a module.

    Raises InputError if they are missing or damaged.
    """
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
    """Return the mapping of a module in the game's own folder, or None."""
    file = resolve_within(folder, f"{MODULES}/{mapping_name(module)}")
    return file if file.is_file() else None


def mapping_name(module: str) -> str:
    """Return the file name of a module's mapping.

    A checksum is added if the module's name is very long, or has no Latin letter or digit.
    """
    plain = re.sub(r"[^a-z0-9]+", "-", folded(module)).strip("-")
    if plain and len(plain) <= _MAX_STEM_CHARS:
        return f"{plain}.toml"
    return f"{plain[:_MAX_STEM_CHARS] or 'module'}-{hashlib.sha256(module.encode()).hexdigest()[:8]}.toml"
