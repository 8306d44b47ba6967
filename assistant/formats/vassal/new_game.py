"""A new game of a module, as VASSAL sets it up."""

from __future__ import annotations

from .modules import Module, find_start
from .pieces import Piece, PieceStack
from .saves import MODULE, Save


def set_up_game(module: Module) -> Save:
    """Return a new game: each map with its boards, the module's own properties, and on the boards what the module's
    file says, prototypes replaced by their traits.

    Raises InputError for a prototype that contains itself.
    """
    pieces: dict[str, Piece] = {}
    stacks: dict[str, PieceStack] = {}
    for number, start in enumerate(module.starts, 1):
        window = None if start.joins else module.maps.get(start.map)
        if window is None:
            continue
        at = find_start(start, window.placed(window.setup), window.edge)
        if at is None:
            continue
        for height, piece in enumerate(start.pieces, 1):
            id = f"{number}.{height}"
            pieces[id] = piece._replace(id=id, traits=module.expanded(piece.traits), map=start.map, at=at)
        ids = tuple(f"{number}.{height}" for height in range(1, len(start.pieces) + 1))
        stacked = ids if start.deck else tuple(id for id in ids if pieces[id].stacks)
        layer = None if start.deck else 0
        stacks[str(number)] = PieceStack(str(number), stacked, start.map, at, layer, start.deck, start.face_down)
    properties = {(MODULE, name): value for name, value in module.properties.items()}
    boards = {name: window.setup for name, window in module.maps.items() if window.setup}
    return Save(about=module.about, boards=boards, pieces=pieces, stacks=stacks, properties=properties)
