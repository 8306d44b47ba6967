"""The user's viewpoint for each game, in `settings.json` of the data folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from ..state.state import EVERYTHING
from ..util.console import encode_json
from ..util.errors import InputError, Where
from ..util.files import data_folder, read_bytes


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `settings.json`."""

    viewpoint: dict[str, str] = {}
    """A side or "umpire" by game."""


def _find_file() -> Path:
    return data_folder() / "settings.json"


def read_viewpoints() -> Mapping[str, str]:
    """Return the user's viewpoints by game. Raises InputError if the settings cannot be read."""
    file = _find_file()
    if not file.exists():
        return {}
    try:
        return msgspec.json.decode(read_bytes(file), type=Settings).viewpoint
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "move the file away; `assistant viewpoint GAME SIDE` writes a new one"
        raise InputError(str(error), where=Where(str(file)), hint=hint) from None


def set_viewpoint(game: str, viewpoint: str) -> None:
    """Save the viewpoint for a game, or remove it if `viewpoint` is "".

    Raises InputError if the file cannot be written.
    """
    from ..util.writing import hold_folder, write_whole  # imported late, as settings are mostly read

    with hold_folder(data_folder()):
        viewpoints = {**read_viewpoints(), game: viewpoint}
        settings = Settings({name: seen_as for name, seen_as in sorted(viewpoints.items()) if seen_as != EVERYTHING})
        write_whole(_find_file(), encode_json(settings) + b"\n", force=True)
