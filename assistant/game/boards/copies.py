"""Copies of large boards, as questions need them, by their files, the game's tracks and the code that reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from ...state import tracks, words
from ...state.tracks import Fact, Track
from ...util import datafiles, texts
from ...util.copies import UNFIT, Copies, Copy, mark_code, mark_content, modules_beside
from ...util.datafiles import read_data
from ...util.errors import InputError, OnFault, stop
from .. import hexes
from .board import Board, Facts
from .features import Drawing
from .folder import board_files
from .map_picture import MapPicture

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


WORTH = 32 * 1024
"""How many bytes the files of a board have that is kept; a smaller one is read as fast."""
BOARDS = Copies("boards", ".board", 24)


class _BoardCopy(msgspec.Struct, array_like=True, frozen=True):
    """A board as it is kept."""

    title: str
    grid: hexes.HexGrid
    boxes: tuple[str, ...]
    known: Sequence[Fact]
    layers: Mapping[str, Mapping[str, int]]
    """By track and subject, the number of the fact."""
    silence: Mapping[str, Fact]
    """By track."""
    hexes: frozenset[str]
    kilometres: float
    north: float
    picture: MapPicture | None
    drawing: msgspec.Raw


def load_board(
    folder: Traversable,
    tracks: Mapping[str, Track],
    on_fault: OnFault = stop,
    terrain: str = "terrain",
    town: str = "town",
) -> Board:
    """Return the board in a folder, from the cache if it is there and no faults are to be listed. The arguments are
    those of `read_board`, and so is what it raises.
    """

    def anew() -> Board:
        from .files import read_board  # only here: most boards are kept

        return read_board(folder, tracks, on_fault, terrain, town)

    content = _mark_content(folder, tracks, terrain, town) if on_fault is stop else b""
    if not content:
        return anew()
    copy = Copy(BOARDS, str(folder), content)
    if (body := copy.read()) is not None:
        with suppress(InputError, *UNFIT):
            return _decode_board(body, folder.name, anew)
    board = anew()
    copy.write(_encode_board(board))
    return board


def _mark_content(folder: Traversable, declared: Mapping[str, Track], terrain: str, town: str) -> bytes:
    """Return a mark of all that a board depends on; empty for a board that is not kept."""
    modules = (datafiles, texts, hexes, tracks, words)
    code = mark_code((*(module.__file__ for module in modules), *modules_beside(__file__)))
    try:
        files = [(file.name, read_data(file)) for file in board_files(folder)]
    except InputError:
        return b""  # whoever reads the board will say what is wrong
    if not code or sum(len(data) for _, data in files) < WORTH:
        return b""
    stated = msgspec.msgpack.encode((list(declared.values()), terrain, town))
    return mark_content([code, stated, *(part for name, data in files for part in (name.encode(), data))])


def _decode_board(body: memoryview, name: str, anew: Callable[[], Board]) -> Board:
    """Return the board that a copy has. Raises an error if it is spoiled. anew: reads it from its own files."""
    kept = msgspec.msgpack.decode(body, type=_BoardCopy)
    kept.grid.check()
    if not {*chain.from_iterable(layer.values() for layer in kept.layers.values())} <= {*range(len(kept.known))}:
        raise ValueError("facts that are not known")
    alike: dict[str, Any] = {field: getattr(kept, field) for field in _COPIED_FIELDS}
    facts = Facts(kept.known, kept.layers)
    return Board(name=name, facts=facts, drawing=lambda: _read_drawing(kept.drawing, anew), **alike)


def _encode_board(board: Board) -> bytes:
    """Return what is kept of a board."""
    alike: dict[str, Any] = {field: getattr(board, field) for field in _COPIED_FIELDS}
    drawing = msgspec.Raw(msgspec.msgpack.encode(board.drawn))
    return msgspec.msgpack.encode(
        _BoardCopy(known=board.facts.known, layers=board.facts.layers, drawing=drawing, **alike)
    )


def _read_drawing(kept: msgspec.Raw, anew: Callable[[], Board]) -> Drawing:
    """Return what a board is drawn from, as it is kept; read anew if that is spoiled."""
    with suppress(*UNFIT):
        return msgspec.msgpack.decode(kept, type=Drawing)
    return anew().drawn


_COPIED_FIELDS = ("title", "grid", "boxes", "silence", "hexes", "kilometres", "north", "picture")
"""What a board has as it is kept."""
