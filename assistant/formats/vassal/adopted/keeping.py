"""Where mappings are kept: in the user's data folder, one for each game and module, with what of the module's file its saves need.

`modules/GAME/NAME.toml` is the mapping, `NAME.json` beside it the module's maps and controls, so that the module itself is
not read again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
import tomli

from ....game.settings import data_folder
from ....util.errors import InputError, Where, similar
from ....util.files import read_bytes
from ....util.folding import folded
from ....util.limits import Limit
from ..elements.controls import Controls
from ..elements.windows import MapWindow

_MODULES = "modules"
_LONGEST = 60
"""The most letters of a file's name that come from the module's."""


class Fixtures(msgspec.Struct, frozen=True):
    """What of a module's file its saves need to be read: the boards and grids of its maps, its trackers and buttons.

    pieces: all names by which a mapping may call its pieces.
    """

    maps: Mapping[str, MapWindow]
    controls: Controls = Controls()
    pieces: tuple[str, ...] = ()


def mapping_file(module: str, game: str) -> Path:
    """The file of the mapping of a module, by its name, for a game."""
    return data_folder() / _MODULES / game / f"{_file_name(module)}.toml"


def fixtures_file(mapping: Path) -> Path:
    """The file with the fixtures of a module, beside its mapping."""
    return mapping.with_suffix(".json")


def has_mappings() -> bool:
    """Whether any module is adopted."""
    return (data_folder() / _MODULES).is_dir()


def games_of(module: str) -> list[str]:
    """The games for which a module is adopted, by its name."""
    folder = data_folder() / _MODULES
    if not module or not folder.is_dir():
        return []
    return sorted(one.name for one in folder.iterdir() if mapping_file(module, one.name).is_file())


def like_named(module: str) -> tuple[str, Path] | None:
    """The name and the mapping of the adopted module whose name is most like that of another; None if none is."""
    files = sorted((data_folder() / _MODULES).glob("*/*.toml"))
    known = {name: file for file in files if (name := _said_in(file, "module"))}
    found = similar(module, known, 0.7, 1) if module else []
    return (found[0], known[found[0]]) if found else None


def folder_of(game: str) -> str:
    """The folder of a game that is not installed, as the mappings of modules that were adopted for it name it; "" if none does."""
    folder = data_folder() / _MODULES / game
    if not folder.is_dir():
        return ""
    named = (_said_in(file, "folder") for file in sorted(folder.glob("*.toml")))
    return next((home for home in named if home and Path(home, "game.toml").is_file()), "")


def _said_in(mapping: Path, key: str) -> str:
    """What a mapping says at its head, "" if it says nothing or cannot be read."""
    try:
        said = tomli.loads(read_bytes(mapping).decode()).get(key)
    except (InputError, ValueError, RecursionError):  # told by whoever reads the whole mapping
        return ""
    return said if isinstance(said, str) else ""


def read_fixtures(file: Path) -> Fixtures:
    """The fixtures of a module. Raises InputError if they are missing or damaged."""
    hint = "make it anew: assistant adopt MODULE --game GAME"
    try:
        data = read_bytes(file)
        Limit.DATA.check(len(data), "it holds")
        return msgspec.json.decode(data, type=Fixtures)
    except InputError as error:
        raise InputError(error.what, where=Where(str(file)), hint=hint) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"it is damaged: {error}", where=Where(str(file)), hint=hint) from None


def _file_name(module: str) -> str:
    """A module's name as that of a file. Of names without a letter or a digit of ours, and of very long ones, a checksum keeps them apart."""
    plain = re.sub(r"[^a-z0-9]+", "-", folded(module)).strip("-")
    if plain and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST] or 'module'}-{hashlib.sha256(module.encode()).hexdigest()[:8]}"
