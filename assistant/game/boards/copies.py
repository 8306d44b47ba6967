"""Copies of large boards in the user's cache, as questions need them, so that their files are not read each time.

A copy belongs to the content of the board's files, to the game's tracks and to the code that read them: no clock and no
version is asked. Whatever does not fit, or cannot be read, is made anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ...state import tracks, words
from ...state.tracks import Fact, Track
from ...util import datafiles, texts
from ...util.datafiles import read_data
from ...util.errors import InputError, OnFault, stop
from ...util.files import cache_folder, read_bytes
from ...util.writing import make_folder, write_whole
from .. import hexes
from .board import Board
from .board_facts import Facts
from .features import Drawing
from .files import board_files, read_board
from .map_picture import MapPicture

if TYPE_CHECKING:
    import hashlib
    from importlib.resources.abc import Traversable


WORTH = 32 * 1024
"""How many bytes the files of a board have that is kept; a smaller one is read as fast."""
MOST = 24
"""How many boards are kept; those kept longest make room."""
_DIGEST_SIZE = 32
"""Bytes of the marks of content and body."""
_ENDING = ".board"


def _blake2b(data: bytes | memoryview = b"", *, digest_size: int) -> hashlib.blake2b:
    """Return a digest. Its module is loaded with the first board, for no other question needs it, and past `hashlib`,
    which would load OpenSSL too.
    """
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b

    return blake2b(data, digest_size=digest_size)


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
    content = _mark_content(folder, tracks, terrain, town) if on_fault is stop else b""
    file = _find_file(folder) if content else None
    if file is None:
        return read_board(folder, tracks, on_fault, terrain, town)
    anew = partial(read_board, folder, tracks, on_fault, terrain, town)
    with suppress(InputError, OSError, msgspec.DecodeError, ValueError, LookupError):
        return _read_copy(folder.name, read_bytes(file), content, anew)
    board = anew()
    _write_copy(file, content, board)
    return board


def _mark_content(folder: Traversable, declared: Mapping[str, Track], terrain: str, town: str) -> bytes:
    """Return a mark of all that a compiled board depends on; empty for a board that is not kept."""
    digest = _blake2b(digest_size=_DIGEST_SIZE)
    size = 0
    try:
        for file in board_files(folder):
            data = read_data(file)
            size += len(data)
            digest.update(f"{file.name}\0{len(data)}\0".encode())
            digest.update(data)
    except InputError:
        return b""  # whoever reads the board will say what is wrong
    if size < WORTH or not (program := _mark_program()):
        return b""
    digest.update(msgspec.msgpack.encode((list(declared.values()), terrain, town, program)))
    return digest.digest()


@cache
def _mark_program() -> bytes:
    """Return a mark of the code that makes a board; empty if it does not lie in files."""
    modules = [Path(str(module.__file__)) for module in (datafiles, texts, hexes, tracks, words)]
    digest = _blake2b(digest_size=_DIGEST_SIZE)
    try:
        for file in (*modules, *sorted(Path(__file__).parent.glob("*.py"))):
            digest.update(_blake2b(file.read_bytes(), digest_size=_DIGEST_SIZE).digest())
    except OSError:
        return b""
    return digest.digest()


def _find_file(folder: Traversable) -> Path | None:
    """Return the file in which a board is kept; None without a cache folder."""
    named = _blake2b(os.fsencode(str(folder)), digest_size=8).hexdigest()
    try:
        return cache_folder() / "boards" / f"{named}{_ENDING}"
    except (RuntimeError, OSError):  # a user without a home
        return None


def _read_copy(name: str, data: bytes, content: bytes, anew: Callable[[], Board]) -> Board:
    """Return the board that a file keeps. Raises an error if it is another one, or spoiled. anew: reads it from its own
    files.
    """
    held = memoryview(data)
    stated_content = held[:_DIGEST_SIZE]
    mark = held[_DIGEST_SIZE : 2 * _DIGEST_SIZE]
    body = held[2 * _DIGEST_SIZE :]
    if stated_content != content or mark != _blake2b(body, digest_size=_DIGEST_SIZE).digest():
        raise ValueError("not this board")
    kept = _DECODER.decode(body)
    kept.grid.check()
    if not {*chain.from_iterable(layer.values() for layer in kept.layers.values())} <= {*range(len(kept.known))}:
        raise ValueError("facts that are not known")
    alike: dict[str, Any] = {field: getattr(kept, field) for field in _COPIED_FIELDS}
    facts = Facts(kept.known, kept.layers)
    return Board(name=name, facts=facts, drawing=lambda: _read_drawing(kept.drawing, anew), **alike)


def _read_drawing(kept: msgspec.Raw, anew: Callable[[], Board]) -> Drawing:
    """Return what a board is drawn from, as it is kept; read anew if that is spoiled."""
    with suppress(msgspec.DecodeError):
        return _DRAWING.decode(kept)
    return anew().drawn


_COPIED_FIELDS = ("title", "grid", "boxes", "silence", "hexes", "kilometres", "north", "picture")
"""What a board has as it is kept."""
_DECODER = msgspec.msgpack.Decoder(_BoardCopy)
_DRAWING = msgspec.msgpack.Decoder(Drawing)


def _write_copy(file: Path, content: bytes, board: Board) -> None:
    """Keep a board, if that is possible: nobody depends on it."""
    alike: dict[str, Any] = {field: getattr(board, field) for field in _COPIED_FIELDS}
    drawing = msgspec.Raw(msgspec.msgpack.encode(board.drawn))
    body = msgspec.msgpack.encode(
        _BoardCopy(known=board.facts.known, layers=board.facts.layers, drawing=drawing, **alike)
    )
    with suppress(InputError, OSError):
        make_folder(file.parent)
        write_whole(file, content + _blake2b(body, digest_size=_DIGEST_SIZE).digest() + body, force=True)
        _make_room(file.parent)


def _make_room(folder: Path) -> None:
    """Remove the boards that were kept longest, such as those of folders that are gone. Raises OSError if one cannot be
    removed.
    """
    kept = sorted(folder.glob(f"*{_ENDING}"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in kept[MOST:]:
        file.unlink(missing_ok=True)
