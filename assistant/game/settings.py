"""The user's own settings: the data folder, and the viewpoint for each game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ..state.state import EVERYTHING
from ..util.errors import InputError, Where
from ..util.files import read_bytes

_DATA, _CACHE = "FIELD_STAFF_DATA", "FIELD_STAFF_CACHE"


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `settings.json` may say. viewpoint: by game, a side or "umpire"."""

    viewpoint: dict[str, str] = {}


def data_folder() -> Path:
    """The user's data folder, or the one that FIELD_STAFF_DATA names."""
    if folder := os.environ.get(_DATA):
        return Path(folder)
    from platformdirs import user_data_path

    return user_data_path("field-staff", appauthor=False)


def cache_folder() -> Path:
    """The user's folder for what can be made anew at any time, or the one that FIELD_STAFF_CACHE names.

    Who has a data folder of his own has it in there.
    """
    if folder := os.environ.get(_CACHE):
        return Path(folder)
    if folder := os.environ.get(_DATA):
        return Path(folder) / "cache"
    from platformdirs import user_cache_path

    return user_cache_path("field-staff", appauthor=False)


def _file() -> Path:
    return data_folder() / "settings.json"


def viewpoints() -> Mapping[str, str]:
    """The viewpoint that the user has set, by game. Raises InputError if the settings cannot be read."""
    file = _file()
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(file), type=Settings).viewpoint
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "move the file away; `assistant viewpoint GAME SIDE` writes a new one"
        raise InputError(str(error), where=Where(str(file)), hint=hint) from None


def set_viewpoint(game: str, viewpoint: str) -> None:
    """Keep a viewpoint for a game, or forget it if it is "". Raises InputError if the file cannot be written."""
    from ..util.console import json_text  # only here: most runs change nothing
    from ..util.saving import alone, write_whole

    with alone(data_folder()):
        kept = {**viewpoints(), game: viewpoint}
        settings = Settings({name: seen_as for name, seen_as in sorted(kept.items()) if seen_as != EVERYTHING})
        write_whole(_file(), json_text(settings) + b"\n", force=True)
