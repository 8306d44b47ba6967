"""What the counters of a module are called: units whose ids are short for typing have a name of their own there."""

from __future__ import annotations

from ..util.datafiles import read_rows, resolve_within
from ..util.errors import InputError, format_suggestion
from .games import Game
from .roster import list_copies


def unit_names(game: Game) -> dict[str, str]:
    """Return the names of the units that a module does not call by their ids: `German 8th Army` for Ger-8.

    Raises InputError with the line for a unit that the game does not have.
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
