"""Names of units on counters and in the VASSAL module that differ from the units' ids."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import tomli

from ..util.datafiles import read_rows, read_text, resolve_within
from ..util.errors import InputError, format_suggestion
from .games import Game
from .roster import list_copies

FILE = "counters.toml"
"""The file with the design of counters; `[short.unit]` has their names."""


class _Design(msgspec.Struct):
    short: dict[str, dict[str, str]] = {}


def counter_names(game: Game) -> Mapping[str, str]:
    """Return the short names of units by unit, or {} if the file has a mistake, which the builder reports."""
    try:
        file = resolve_within(game.folder, FILE)
        design = msgspec.convert(tomli.loads(read_text(file)), _Design) if file.is_file() else _Design()
    except (InputError, ValueError, RecursionError):
        return {}
    return design.short.get("unit", {})


def unit_names(game: Game) -> dict[str, str]:
    """Return the names of units in a module if they differ from the ids: `German 8th Army` for Ger-8.

    Raises InputError with the line if the game does not have a unit.
    """
    file = game.file.module.names if game.file.module else ""
    names: dict[str, str] = {}
    if not file:
        return names
    for row, where in read_rows(resolve_within(game.folder, file), ["unit", "name"]):
        if row["unit"] not in game.roster:
            raise InputError(
                f"unknown unit {row['unit']!r}", where=where, hint=format_suggestion(row["unit"], game.roster)
            )
        copies = game.copies(row["unit"]) or (row["unit"],)
        names |= zip(copies, (row["name"], *list_copies(row["name"], len(copies))), strict=True)
    return names
