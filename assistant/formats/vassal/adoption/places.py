"""Places of a published module's maps in a game: by the printed place, or by the game's picture of the map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ....game.games import Game
from ....util.errors import InputError
from ..board_grids import PictureMap
from ..grids import LaidBoards, Pixel, PlacedBoard
from ..legends import NOWHERE, ModulePlace, is_off_centre
from ..maps import MapWindow
from .mapping import BoardMeaning, MapMeaning, ModuleMapping
from .meanings import Numbers, Places


class ModulePlaces:
    """The places of a module's maps in one game or set-up.

    `mapping`: the mapping, already checked for its game.
    `windows`: the maps of the module.
    `laid`: the boards on each map; by default a map has its first board.
    """

    def __init__(
        self, game: Game, mapping: ModuleMapping, windows: Mapping[str, MapWindow], laid: Mapping[str, LaidBoards]
    ) -> None:
        self._game, self._mapping, self._windows = game, mapping, windows
        self._board = game.board(mapping.board)
        self.boards = {name: _place_boards(window, laid.get(name, ())) for name, window in windows.items()}
        in_play = {name: meaning for name, meaning in mapping.maps.items() if not meaning.aside and self.is_open(name)}
        self.by_print = {name: self._read_places(meaning) for name, meaning in in_play.items()}
        """By map, the places found by their printed names."""
        self._draw = cache(self._draw_picture)

    def is_open(self, map: str) -> bool:
        """Return whether all sides see the pieces on a map. Pieces on a side's own map are not in play."""
        return map in self._windows and self._windows[map].open

    def _read_places(self, meaning: MapMeaning) -> Places:
        return Places(self._board, Numbers(meaning.hexes, meaning.known, self._board), meaning.boxes)

    def _draw_picture(self, board: str) -> PictureMap | None:
        shown = self._game.board(board) if board else self._board
        return PictureMap(shown.grid, shown.picture, shown.hexes) if shown.picture else None

    def place(self, map: str, at: Pixel) -> ModulePlace:
        """Return the game's place at a pixel of a map."""
        board, places = self._find_board(map, at), self.by_print.get(map)
        if board is None or places is None:
            return NOWHERE
        meaning = self._find_lying(map, board)
        name = ""
        if meaning is not None and meaning.at is not None:
            name = self._find_on_picture(board, meaning, at)
        elif meaning is not None:
            printed = board.locate(at)
            name = meaning.boxes.get(printed, "") if meaning.boxes else places.name(printed)
        return ModulePlace(name, bool(name) and not board.turned and is_off_centre(board.grid, board.own(at)))

    def _find_lying(self, map: str, board: PlacedBoard) -> BoardMeaning | None:
        """Return the position of a board on a picture of the game, or None if the board shows no places."""
        boards = self._mapping.maps[map].boards
        return boards.get(board.name) if boards else BoardMeaning()

    def _find_on_picture(self, board: PlacedBoard, meaning: BoardMeaning, at: Pixel) -> str:
        """Return the place at a pixel on the picture, or ""."""
        assert meaning.at is not None
        x, y = board.own(at)
        if meaning.turned:
            x, y = board.size[0] - x, board.size[1] - y
        picture_map = self._draw(meaning.picture)
        picture_pixel = round(meaning.at[0] + x * meaning.scale), round(meaning.at[1] + y * meaning.scale)
        name = picture_map.locate(picture_pixel) if picture_map else ""
        try:
            place = self._board.place(name) if name else ""
        except InputError:
            return ""
        is_other_board = meaning.picture not in ("", self._mapping.board)
        return "" if is_other_board and not self._board.is_box(place) else place

    def printed(self, map: str, at: Pixel) -> str:
        """Return the name that the module prints for the place at a pixel, or ""."""
        board = self._find_board(map, at)
        return board.locate(at) if board else ""

    def _find_board(self, map: str, at: Pixel) -> PlacedBoard | None:
        return next((board for board in self.boards.get(map, ()) if board.holds(at)), None)

    def is_aside(self, map: str, at: Pixel) -> bool:
        """Return whether the mapping puts a map or one of its places out of play."""
        meaning = self._mapping.maps.get(map)
        if meaning is not None and (meaning.aside or not self.is_open(map)):
            return True
        if map not in self.by_print or (board := self._find_board(map, at)) is None:
            return False
        board_meaning, printed = self._find_lying(map, board), board.locate(at)
        if board_meaning is not None and board_meaning.boxes:
            return board_meaning.boxes.get(printed) == ""
        return self.by_print[map].is_aside(printed)


def _place_boards(window: MapWindow, laid: LaidBoards) -> list[PlacedBoard]:
    return window.placed(laid or tuple((name, 0, 0) for name in list(window.boards)[:1]))
