"""What tests do with VASSAL's files that no command does."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.pieces import NOWHERE
from assistant.formats.vassal.replay import ReplayedGame
from assistant.formats.vassal.saves import Save


def read_container(source: bytes | Path) -> dict[str, bytes]:
    """The files of a container by name, without pictures and sounds."""
    with closing(Archive(source)) as archive:
        names = [name for name in archive.names if not name.startswith(("images/", "sounds/"))]
        return {name: archive.read(name) for name in names}


def move_piece(save: Save, id: str, map: str, at: Pixel, under: str = NOWHERE) -> Save:
    """A save in which a piece, or a whole stack, lies elsewhere: on top of the piece `under`, or below everything
    there.

    Raises KeyError for an unknown piece.
    """
    if id not in save.pieces and id not in save.stacks:
        raise KeyError(id)
    table = ReplayedGame(save)
    stacks, pieces = dict(table.stacks), dict(table.pieces)
    table.move(id, map, at, under)
    changed = {name: stack for name, stack in table.stacks.items() if stacks.get(name) != stack}
    shifted = {name: piece for name, piece in table.pieces.items() if pieces[name] != piece}
    return msgspec.structs.replace(save, stacks={**save.stacks, **changed}, pieces={**save.pieces, **shifted})
