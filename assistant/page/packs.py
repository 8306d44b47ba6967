"""The owner's pack as one file, which a browser keeps and takes in, as the command line does."""

from __future__ import annotations

from base64 import b64decode, b64encode

from ..game.games import Game
from ..game.pack_archive import pack_archive, take_archive
from ..plugins.registry import pack_of
from ..util.errors import InputError
from .messages.entry import DoubtShown, PackShown

_TAKEN = "the pack"
"""What messages call the file that is taken in."""


def give_pack(game: Game) -> PackShown:
    """The owner's pack of a game as one file."""
    pack = pack_of(game)
    files = tuple(file.relative_to(pack.folder).as_posix() for file in pack.files())
    data = b64encode(pack_archive(pack)).decode() if files else ""
    return PackShown(name=f"{game.id}-pack.zip", files=files, data=data)


def take_pack(game: Game, data: str) -> PackShown:
    """Keep the files of a pack; what there is now. data: the file in base64. Raises InputError as `take_archive` does."""
    try:
        archive = b64decode(data, validate=True)
    except ValueError:
        raise InputError("the file did not arrive whole", hint="choose it again") from None
    pack = pack_of(game)
    doubts = take_archive(pack, archive, _TAKEN)
    return PackShown(
        name=f"{game.id}-pack.zip",
        files=tuple(file.relative_to(pack.folder).as_posix() for file in pack.files()),
        doubts=tuple(DoubtShown(rule=doubt.rule, text=doubt.text) for doubt in doubts),
    )
