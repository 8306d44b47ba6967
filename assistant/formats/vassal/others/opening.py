"""A new game as a module's own file sets it up, for a module without a set-up file."""

from __future__ import annotations

from collections.abc import Mapping

from ..declared import MODULE
from ..elements.starts import Start, place_of
from ..grids import Pixel
from ..modules import Module
from ..pieces import Piece, Stack
from ..saves import Save


def opening(module: Module) -> Save:
    """A new game: each map with its first board, the module's own properties, and on the boards what the module's file says, prototypes replaced by their traits.

    Raises InputError for a prototype that contains itself, and for a printed place on a grid with too many cells.
    """
    boards = {name: ((next(iter(window.boards)), 0, 0),) for name, window in module.maps.items() if window.boards}
    pieces: dict[str, Piece] = {}
    stacks: dict[str, Stack] = {}
    for number, start in enumerate(module.starts, 1):
        at = _place(module, start, boards)
        ids = tuple(f"{number}.{height}" for height in range(1, len(start.pieces) + 1))
        for id, piece in zip(ids, start.pieces, strict=True):
            pieces[id] = piece._replace(id=id, traits=module.expanded(piece.traits), map=start.map, at=at)
        layer = None if start.deck else 0
        stacks[str(number)] = Stack(str(number), ids, start.map, at, layer, start.deck, start.face_down)
    properties = {(MODULE, name): value for name, value in module.properties.items()}
    return Save(about=module.about, boards=boards, pieces=pieces, stacks=stacks, properties=properties)


def _place(module: Module, start: Start, boards: Mapping[str, tuple[tuple[str, int, int], ...]]) -> Pixel:
    """Where a stack lies at the start of a game, in pixels of its map."""
    placed = module.maps[start.map].placed(boards.get(start.map, ()))
    board = next((one for one in placed if one.name == start.board), placed[0] if placed else None)
    if board is None:
        return start.at
    printed = place_of(start.location, board.grid, board.size) if start.location else None
    x, y = printed or start.at
    return board.x + x, board.y + y
