"""Where counters can lie in a module, and the properties by which the assistant recognizes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

import msgspec

from assistant.formats.vassal.board_grids import BoardGrid
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import Hexes, Pixel, Regions, ZonedGrid
from assistant.formats.vassal.legends import ARRIVALS, ASIDE_PROPERTY, BOARD, GAME, GRID, TurnBoxes, Window, turn_track
from assistant.formats.vassal.overlay import OVERLAYS
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.turn_lists import STEPS, TurnList
from assistant.game.boards.board import Board
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.util.notes import note

from .boards import PictureWindow
from .overlay import OverlayPiece
from .pieces import traits
from .pieces.maker import Maker
from .pieces.traits import side_of
from .records import RECORDS, RecordSheet
from .sheets import NO_PILE, OUT_WINDOW, Display
from .turn_track import TURNS, TrackerList, TurnTrack, frame_pieces
from .windows import BOXES

MAP = "Map"
"""The title of the window with the map."""


class ModuleSetting(NamedTuple):
    """The windows, grids and piece maker of a module, from which each of its set-ups is written."""

    game: Game
    maker: Maker
    board: Annotated[str, note("the title of the board in the module")]
    map_part: Annotated[HexGrid, note("the columns and rows of the board that are drawn")]
    grid: Annotated[BoardGrid, note("the hexes and boxes of the map in pixels")]
    about: Annotated[ModuleData, note("the module's name, version and description")]
    track: Annotated[TurnTrack | None, note("the turn track, or None if the game has none")] = None
    tracker_lists: Annotated[tuple[TrackerList, ...], note("the turn tracker's steps within a turn")] = ()
    windows: Annotated[Mapping[str, PictureWindow], note("windows with pictures of other boards, by title")] = {}
    displays: Annotated[Mapping[str, Display], note("windows with drawn sheets of boxes, by title")] = {}
    overlay: Annotated[tuple[OverlayPiece, ...], note("the pieces that show supply")] = ()
    records: Annotated[RecordSheet | None, note("the sheet of record tracks, or None if there are none")] = None

    @property
    def steps(self) -> tuple[TurnList, ...]:
        """The facts that the steps of the turn tracker state."""
        return tuple(tracker_list.steps for tracker_list in self.tracker_lists)

    @property
    def turn_frames(self) -> Iterator[Piece]:
        """The pieces that frame the current turn on the turn track."""
        turn = turn_track(self.game)
        if self.track is not None and turn is not None:
            yield from frame_pieces(self.track, turn, self.maker.slots)

    @property
    def opens_on_boxes(self) -> bool:
        """Whether the window of boxes opens first: the board has no map to play on."""
        return BOXES in self.displays and not self._module_board.is_map

    @property
    def _module_board(self) -> Board:
        module = self.game.file.module
        return self.game.board(module.board if module else "")

    @property
    def dead_pile_grid(self) -> ZonedGrid | None:
        """The grid of the window "Out of play": each side's box is the game's dead pile.

        None if the game has no dead pile.
        """
        module, display = self.game.file.module, self.displays.get(OUT_WINDOW)
        if display is None or module is None or not module.dead_pile:
            return None
        return display.zones({name: module.dead_pile for name in display.names if name != NO_PILE})

    def pixel_of_unit(self, window: str, at: Pixel, unit_type: str) -> Pixel:
        """Return the pixel for a unit in the place at `at`: in the dead pile its side's box, else `at` itself."""
        return self.displays[OUT_WINDOW].middles.get(side_of(self.game, unit_type), at) if window == OUT_WINDOW else at

    @property
    def pixels_by_place(self) -> dict[str, tuple[str, Pixel]]:
        """The window and the pixel of each hex, box and dead pile in which counters can stand."""
        pixels = {place: (MAP, at) for place, at in (*self.grid.hexes.items(), *self.grid.boxes.items())}
        for title, picture in self.windows.items():
            pixels |= {box: (title, at) for box, at in picture.grid.boxes.items()}
        if BOXES in self.displays:
            pixels |= {box: (BOXES, at) for box, at in self.displays[BOXES].middles.items()}
        if self.dead_pile_grid is not None:
            # All its zones but the last have the dead pile's name; pixel_of_unit then picks the side's box.
            dead_pile = self.dead_pile_grid.zones[0].name
            pixels[dead_pile] = OUT_WINDOW, next(iter(self.displays[OUT_WINDOW].middles.values()))
        return pixels

    @property
    def properties(self) -> dict[str, str]:
        """The global properties from which the assistant reads the game, the grids and the uses of the windows."""
        properties = {GAME: self.game.id, BOARD: self._module_board.name}
        properties |= {f"{GRID} {title}": _as_json(window) for title, window in self._grids()}
        if self.steps:
            properties[STEPS] = _as_json(self.steps)
        if self.track is not None:
            properties[f"{ASIDE_PROPERTY} {TURNS}"] = "yes"
            if self.track.arrives:
                turns = TurnBoxes(self.track.arrives, Regions.of(self.track.middles))
                properties[f"{ARRIVALS} {TURNS}"] = _as_json(turns)
        if self.records is not None:
            properties[f"{ASIDE_PROPERTY} {RECORDS}"] = "yes"
        if self.overlay:
            properties[OVERLAYS] = "yes"
        properties[f"{ASIDE_PROPERTY} {OUT_WINDOW}"] = "yes"
        return properties | traits.properties(self.game)

    def _grids(self) -> Iterator[tuple[str, Window]]:
        """Yield the title and the grid of each window with places."""
        columns, rows = self.map_part.columns, self.map_part.rows
        size = None if isinstance(self.grid.grid, Hexes) else self.grid.size  # a hex grid gives the size itself
        yield MAP, Window(self.grid.grid, columns, rows, size)
        for title, picture in self.windows.items():
            yield title, Window(picture.grid.grid, columns, rows, picture.grid.size)
        if (sheet := self.displays.get(BOXES)) is not None:
            yield BOXES, Window(Regions.of(sheet.middles), columns, rows, sheet.size)
        if self.dead_pile_grid is not None:
            yield OUT_WINDOW, Window(self.dead_pile_grid, columns, rows, self.displays[OUT_WINDOW].size)


def _as_json(value: Window | TurnBoxes | tuple[TurnList, ...]) -> str:
    return msgspec.json.encode(value).decode()
