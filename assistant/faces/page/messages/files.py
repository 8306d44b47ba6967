"""What the page is shown of VASSAL's files: one that a player has chosen, and the one that a table gives back."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....util.notes import note


class FileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="file"):
    """What is in a file: a game that can be continued, a list of the pieces of a module that nobody has adopted, or an
    adoption, taken in or about to replace another.
    """

    kind: Literal["game", "list", "adoption", "replaces"]
    title: str
    game: Annotated[str, note("its id")] = ""
    lines: Annotated[tuple[str, ...], note("what is in it")] = ()
    sides: Annotated[
        tuple[tuple[str, str], ...],
        note("of a game that may hide something: whose knowledge a table can hold, each with its title"),
    ] = ()


class SaveGiven(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="save"):
    """A table as a save or a log."""

    name: str
    data: str = ""
    """In base64, "" if no file can be written."""
    why: tuple[str, ...] = ()
    """Why none can be written."""
    left: tuple[str, ...] = ()
    """What the file does not show, for players to set."""
    clicks: tuple[str, ...] = ()
    """What to do with the counters in VASSAL for the same."""
