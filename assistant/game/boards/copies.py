"""The cache of large boards, keyed by their files, the game's tracks and the code that reads them."""

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


MIN_CACHED_BYTES = 32 * 1024
"""The minimum size of a board's files for the cache; smaller ones are read just as fast."""
BOARDS = Copies("boards", ".board", 24)


class _BoardCopy(msgspec.Struct, array_like=True, frozen=True):
    title: str
    grid: hexes.HexGrid
    boxes: tuple[str, ...]
    known: Sequence[Fact]
    layers: Mapping[str, Mapping[str, int]]
    """Indices of facts in `known`, by track and subject."""
    silence: Mapping[str, Fact]
    """The facts that hold where nothing is drawn, by track."""
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
    """Return the board in a folder, from the cache if possible.

    The arguments and errors are those of `read_board`. The cache is not used if faults are to be listed.
    """

    def read_anew() -> Board:
        from .files import read_board  # imported late, since most boards come from the cache

        return read_board(folder, tracks, on_fault, terrain, town)

    content = _mark_content(folder, tracks, terrain, town) if on_fault is stop else b""
    if not content:
        return read_anew()
    copy = Copy(BOARDS, str(folder), content)
    if (body := copy.read()) is not None:
        with suppress(InputError, *UNFIT):
            return _decode_board(body, folder.name, read_anew)
    board = read_anew()
    copy.write(_encode_board(board))
    return board


def _mark_content(folder: Traversable, declared: Mapping[str, Track], terrain: str, town: str) -> bytes:
    """Return a digest of everything that a board depends on, or b"" if the board is not cached."""
    modules = (datafiles, texts, hexes, tracks, words)
    code = mark_code((*(module.__file__ for module in modules), *modules_beside(__file__)))
    try:
        files = [(file.name, read_data(file)) for file in board_files(folder)]
    except InputError:
        return b""  # reading the board reports the fault
    if not code or sum(len(data) for _, data in files) < MIN_CACHED_BYTES:
        return b""
    arguments = msgspec.msgpack.encode((list(declared.values()), terrain, town))
    return mark_content([code, arguments, *(part for name, data in files for part in (name.encode(), data))])


def _decode_board(body: memoryview, name: str, read_anew: Callable[[], Board]) -> Board:
    """Return a board from the cache, read anew if its copy has a fault."""
    copied = msgspec.msgpack.decode(body, type=_BoardCopy)
    copied.grid.check()
    if not {*chain.from_iterable(layer.values() for layer in copied.layers.values())} <= {*range(len(copied.known))}:
        raise ValueError("facts that are not known")
    shared: dict[str, Any] = {field: getattr(copied, field) for field in _COPIED_FIELDS}
    facts = Facts(copied.known, copied.layers)
    return Board(name=name, facts=facts, drawing=lambda: _read_drawing(copied.drawing, read_anew), **shared)


def _encode_board(board: Board) -> bytes:
    shared: dict[str, Any] = {field: getattr(board, field) for field in _COPIED_FIELDS}
    drawing = msgspec.Raw(msgspec.msgpack.encode(board.drawn))
    return msgspec.msgpack.encode(
        _BoardCopy(known=board.facts.known, layers=board.facts.layers, drawing=drawing, **shared)
    )


def _read_drawing(kept: msgspec.Raw, read_anew: Callable[[], Board]) -> Drawing:
    """Return a board's drawing from the cache, or from its own files if the copy is spoiled."""
    with suppress(*UNFIT):
        return msgspec.msgpack.decode(kept, type=Drawing)
    return read_anew().drawn


_COPIED_FIELDS = ("title", "grid", "boxes", "silence", "hexes", "kilometres", "north", "picture")
"""The fields that a board shares with its copy."""
