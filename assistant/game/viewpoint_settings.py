"""The viewpoints that the user has set, by game, in `settings.json` of the user's data folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from ..state.state import EVERYTHING
from ..util.console import encode_json
from ..util.errors import InputError, Where
from ..util.files import data_folder, read_bytes


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `settings.json` may say."""

    viewpoint: dict[str, str] = {}
    """By game, a side or "umpire"."""


def _find_file() -> Path:
    return data_folder() / "settings.json"


def read_viewpoints() -> Mapping[str, str]:
    """Return the viewpoint that the user has set, by game. Raises InputError if the settings cannot be read."""
    file = _find_file()
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(file), type=Settings).viewpoint
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "move the file away; `assistant viewpoint GAME SIDE` writes a new one"
        raise InputError(str(error), where=Where(str(file)), hint=hint) from None


def set_viewpoint(game: str, viewpoint: str) -> None:
    """Keep a viewpoint for a game, or forget it if it is "". Raises InputError if the file cannot be written."""
    from ..util.writing import hold_folder, write_whole  # only here: the settings are mostly read

    with hold_folder(data_folder()):
        kept = {**read_viewpoints(), game: viewpoint}
        settings = Settings({name: seen_as for name, seen_as in sorted(kept.items()) if seen_as != EVERYTHING})
        write_whole(_find_file(), encode_json(settings) + b"\n", force=True)
