"""A new game as a module's own file sets it up, for a module without a set-up file."""

from __future__ import annotations

from ..declared import MODULE
from ..elements.maps import Start, place_of
from ..grids import Pixel
from ..modules import Module
from ..pieces import Piece, Stack
from ..saves import Save


def opening(module: Module) -> Save:
    """A new game: each map with its boards, the module's own properties, and on the boards what the module's file says,
    prototypes replaced by their traits.

    Raises InputError for a prototype that contains itself.
    """
    pieces: dict[str, Piece] = {}
    stacks: dict[str, Stack] = {}
    for number, start in enumerate(module.starts, 1):
        if (at := _place(module, start)) is None:
            continue
        for height, piece in enumerate(start.pieces, 1):
            id = f"{number}.{height}"
            pieces[id] = piece._replace(id=id, traits=module.expanded(piece.traits), map=start.map, at=at)
        ids = tuple(f"{number}.{height}" for height in range(1, len(start.pieces) + 1))
        stacked = ids if start.deck else tuple(id for id in ids if pieces[id].stacks)
        layer = None if start.deck else 0
        stacks[str(number)] = Stack(str(number), stacked, start.map, at, layer, start.deck, start.face_down)
    properties = {(MODULE, name): value for name, value in module.properties.items()}
    boards = {name: window.setup for name, window in module.maps.items() if window.setup}
    return Save(about=module.about, boards=boards, pieces=pieces, stacks=stacks, properties=properties)


def _place(module: Module, start: Start) -> Pixel | None:
    """Where a stack lies at the start of a game, in pixels of its map; None if its board is not in play."""
    window = module.maps[start.map]
    placed = window.placed(window.setup)
    board = next((placed_board for placed_board in placed if not start.board or placed_board.name == start.board), None)
    if board is None and start.board:
        return None
    printed = place_of(start.location, board.grid) if start.location and board is not None else None
    return start.on(placed, window.edge, printed)
