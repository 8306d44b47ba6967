"""Windows beside the map: boxes that are no hexes, what a side keeps off the map army by army, and the dead pile; each
a drawn sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.game.boards import Board
from assistant.game.games import Game

from ...counters import word_of
from ...course import title_of
from ..boxes import OUT, Display, dead_pile, display
from ..pieces.hiding import side_of, window
from ..pieces.statuses import file_word

BOXES = "Boxes"
"""The window for boxes."""


def displays(game: Game, board: Board, units: Sequence[str], counter: int) -> dict[str, Display]:
    """The sheets of a module by the names of their windows. units: in the module; counter: the side of one in pixels."""
    windows = {BOXES: display(board.title, board.boxes, (counter * 3, counter * 2))} if board.boxes else {}
    windows[OUT] = dead_pile(game, counter)
    sorts = game.file.module.palettes if game.file.module else ()
    sort = next((name for name in sorts if name != game.file.picture.nation), "")  # their armies, not the corps in them
    return windows | {window(side): _armies(game, units, side, sort, counter) for side in game.file.sides}


def _armies(game: Game, units: Sequence[str], side: str, sort: str, counter: int) -> Display:
    """The sheet of one side: a box for each of its armies, or whatever else its counters are sorted by."""
    words = [word_of(game, unit, sort) for unit in units if side_of(game, unit) == side] if sort else []
    names = [f"{word} {game.tracks[sort].title}" for word in dict.fromkeys(filter(None, words))]
    return display(
        f"What only the {title_of(game, side)} side sees", [*names, "Elsewhere"], (counter * 4, counter * 5 // 2)
    )


def image(name: str) -> str:
    """The file of a window's sheet."""
    return f"sheet-{file_word(name)}.png"
