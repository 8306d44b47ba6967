"""The messages about VASSAL files: a file that a player has chosen, and the file written from a table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....util.notes import note


class EarlierTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that may be an earlier state of the game in a file."""

    table: Annotated[str, note("the name of the table")]
    title: Annotated[str, note("the title that players gave it, or empty")]
    viewpoint: Annotated[str, note("the side whose knowledge it holds, or empty for everything")]


class FileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="file"):
    """The contents of a file: a game, the pieces of a module that has not been adopted, or an adoption."""

    kind: Literal["game", "list", "adoption", "replaces"]
    title: str
    game: Annotated[str, note("the id of the game")] = ""
    lines: Annotated[tuple[str, ...], note("the contents in words")] = ()
    sides: Annotated[
        tuple[tuple[str, str], ...],
        note("the sides whose knowledge a table can hold, with their titles, if the game may hide something"),
    ] = ()
    earlier: Annotated[
        tuple[EarlierTable, ...],
        note("tables with units of the game, which a table from the file can be compared with"),
    ] = ()


class SaveGiven(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="save"):
    """A table in the form of a save or a log."""

    name: str
    data: str = ""
    """The file in base64, or "" if none can be written."""
    why: tuple[str, ...] = ()
    """The reasons why no file can be written."""
    left: tuple[str, ...] = ()
    """Facts that the file does not show and players must set."""
    clicks: tuple[str, ...] = ()
    """The steps with the counters in VASSAL that have the same effect."""
