"""The names that a game's counters have where they are shorter than those of its units."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import tomli

from ..util.datafiles import read_text, resolve_within
from ..util.errors import InputError
from .games import Game

FILE = "counters.toml"
"""The file with the design of counters, which has their names under `[short.unit]`."""


class _Design(msgspec.Struct):
    short: dict[str, dict[str, str]] = {}


def counter_names(game: Game) -> Mapping[str, str]:
    """Return the short names of units by unit; none where the file has a mistake, of which the builder tells."""
    try:
        file = resolve_within(game.folder, FILE)
        design = msgspec.convert(tomli.loads(read_text(file)), _Design) if file.is_file() else _Design()
    except (InputError, ValueError, RecursionError):
        return {}
    return design.short.get("unit", {})
