"""What the page is shown of VASSAL's files: one that a player has chosen, and the one that a table gives back."""

from __future__ import annotations

from typing import Literal

import msgspec


class FileShown(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="file"):
    """What is in a file. kind: a game that can be continued as a table; a list of the pieces of a module that nobody has adopted; an adoption,
    which has been taken in, or which replaces another one that is there, if that may go. game: its id; lines: what is in it; sides: of a game that may hide something, whose knowledge a
    table can hold, each with its title.
    """

    kind: Literal["game", "list", "adoption", "replaces"]
    title: str
    game: str = ""
    lines: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()


class SaveGiven(msgspec.Struct, frozen=True, kw_only=True, tag_field="is", tag="save"):
    """A table as a save or a log. name: of the file; data: in base64, "" if none can be written; why: that none can be; left: what the file
    does not show, for players to set; clicks: what to do with the counters in VASSAL for the same.
    """

    name: str
    data: str = ""
    why: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    clicks: tuple[str, ...] = ()
