"""The owner's pack as one file, which a browser keeps and takes in, as the command line does."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

from ...game.games import Game
from ...game.pack_archive import pack_archive, take_archive
from ...game.pack_charts import Doubt
from ...game.packs import Pack
from ...installed.registry import pack_of
from .messages.entry import DoubtShown, PackShown
from .messages.requests import decoded

_TAKEN = "the pack"
"""What messages call the file that is taken in."""


def give_pack(game: Game) -> PackShown:
    """Return the owner's pack of a game as one file."""
    pack = pack_of(game)
    return _show(pack, b64encode(pack_archive(pack)).decode() if pack.files.list_existing() else "")


def take_pack(game: Game, data: str) -> PackShown:
    """Take files into the owner's pack, and show what it holds then. data: the zip file in base64. Raises InputError as
    `take_archive` does.
    """
    pack = pack_of(game)
    return _show(pack, doubts=take_archive(pack, decoded(data), _TAKEN))


def _show(pack: Pack, data: str = "", doubts: Iterable[Doubt] = ()) -> PackShown:
    return PackShown(
        name=f"{pack.game.id}-pack.zip",
        files=tuple(file.relative_to(pack.folder).as_posix() for file in pack.files.list_existing()),
        data=data,
        doubts=tuple(DoubtShown(rule=doubt.rule, text=doubt.text) for doubt in doubts),
    )
