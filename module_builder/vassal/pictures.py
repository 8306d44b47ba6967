"""Pictures of an author's own: a map instead of a drawn one, those of windows beside it, and whole faces of counters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assistant.formats.vassal.elements.pictures import picture_size
from assistant.game.boards import Board
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.pictures.symbols import Faces, PictureFile, Side
from assistant.util.datafiles import inner, read_data
from assistant.util.errors import InputError, Where

from ..counters import Counter
from .extras import checked
from .grids import BoardGrid, picture_grid

_PICTURES = ("png", "jpg", "jpeg", "gif")


class PictureWindow(NamedTuple):
    """A window beside the map that shows a picture. image: the file of it; grid: its boxes; data: what the file holds."""

    image: str
    grid: BoardGrid
    data: bytes


def own_map(game: Game, board: Board) -> PictureFile | None:
    """The picture that a board has of its own. Raises InputError with the file for one that is missing or is none."""
    if board.picture is None:
        return None
    path = f"boards/{board.name}/{board.picture.file}"
    ending = path.rpartition(".")[2].lower()
    if ending not in _PICTURES:
        raise InputError(
            "the picture of a board is a PNG, JPEG or GIF",
            where=Where(path),
            hint="save it as one, and name it in [picture]",
        )
    return PictureFile(ending, checked(path, read_data(inner(game.folder, path))))


def map_grid(game: Game, board: Board) -> BoardGrid:
    """The hexes and boxes on a board's own picture. Raises InputError with the file of its head for what VASSAL cannot
    show.
    """
    picture = own_map(game, board)
    assert picture is not None
    assert board.picture is not None
    try:
        return picture_grid(board.grid, board.picture, picture_size(picture.data), board.hexes)
    except InputError as error:
        raise error.at(Where(f"boards/{board.name}/board.toml")) from None


def picture_windows(game: Game, wanted: VassalModule) -> dict[str, PictureWindow]:
    """The windows beside the map that show the pictures of other boards, by title. Raises InputError for a board
    without one.
    """
    windows: dict[str, PictureWindow] = {}
    for name in wanted.windows:
        board = game.board(name)
        picture = own_map(game, board)
        if picture is None:
            hint = "give it a [picture] in its board.toml"
            raise InputError(f"[module] windows: the board {name} has no picture", where=Where("game.toml"), hint=hint)
        if board.title in windows:
            hint = "give each window a title of its own in its board.toml"
            raise InputError(f"[module] windows: two are called {board.title}", where=Where("game.toml"), hint=hint)
        windows[board.title] = PictureWindow(f"window-{name}.{picture.ending}", map_grid(game, board), picture.data)
    return windows


def own_faces(game: Game, made: list[Counter]) -> Iterator[tuple[str, Side, PictureFile]]:
    """The faces of counters that are pictures of pixels: unit, side, and the file as it lies in the game's folder."""
    sides: tuple[Side, ...] = ("front", "back")
    faces = Faces(game)
    for counter in made:
        for side in sides:
            if picture := faces.picture(counter.unit, side):
                yield counter.unit, side, picture
