"""What the set-ups of a module have in common with it: its windows, places and properties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

import msgspec

from assistant.formats.vassal.board_grids import BoardGrid
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import Hexes, Pixel, Regions, ZonedGrid
from assistant.formats.vassal.legends import ARRIVALS, ASIDE, BOARD, GAME, GRID, TurnBoxes, Window, turn_track
from assistant.formats.vassal.overlay import OVERLAYS
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.turn_lists import STEPS, TurnList
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.util.notes import note

from .boards import PictureWindow
from .overlay import OverlayPiece
from .pieces import traits
from .pieces.maker import Maker
from .pieces.traits import side_of
from .records import RECORDS, RecordSheet
from .sheets import GONE, OUT, Display
from .turn_track import TURNS, TrackerList, TurnTrack, frame_pieces
from .windows import BOXES

MAP = "Map"
"""The window of the map."""


class ModuleSetting(NamedTuple):
    """What every set-up of a module has in common."""

    game: Game
    maker: Maker
    board: Annotated[str, note("its name in the module")]
    shown: Annotated[HexGrid, note("the part of the map that is drawn")]
    grid: Annotated[BoardGrid, note("its hexes in pixels")]
    about: Annotated[ModuleData, note("the module")]
    track: Annotated[TurnTrack | None, note("its turn track, None if it has none")] = None
    lists: Annotated[tuple[TrackerList, ...], note("what the turn tracker goes through within a turn")] = ()
    windows: Annotated[Mapping[str, PictureWindow], note("those with pictures of other boards, by title")] = {}
    displays: Annotated[
        Mapping[str, Display], note("the drawn sheets beside the map, by the names of their windows")
    ] = {}
    overlay: Annotated[tuple[OverlayPiece, ...], note("the pieces that show supply")] = ()
    records: Annotated[RecordSheet | None, note("its record tracks, None if it has none")] = None

    @property
    def steps(self) -> tuple[TurnList, ...]:
        """What the entries of these lists state."""
        return tuple(listed.steps for listed in self.lists)

    @property
    def frames(self) -> Iterator[Piece]:
        """The frames around the current turn, as they lie on the turn track."""
        turn = turn_track(self.game)
        if self.track is not None and turn is not None:
            yield from frame_pieces(self.track, turn, self.maker.slots)

    @property
    def opens_on_boxes(self) -> bool:
        """Whether the boxes beside the map are what a player sees first: there is no map to play on."""
        module = self.game.file.module
        return BOXES in self.displays and not self.game.board(module.board if module else "").is_map

    @property
    def out(self) -> ZonedGrid | None:
        """The places in the window of counters out of play, None if it has none: those of the dead pile of the game."""
        module = self.game.file.module
        pile = self.displays.get(OUT)
        if pile is None or module is None or not module.dead_pile:
            return None
        return pile.zones({name: module.dead_pile for name in pile.names if name != GONE})

    def spot(self, window: str, at: Pixel, unit: str) -> Pixel:
        """Return where a unit of the roster stands in a place: in its middle, or in a dead pile in the box of its side."""
        return self.displays[OUT].middles.get(side_of(self.game, unit), at) if window == OUT else at

    @property
    def places(self) -> dict[str, tuple[str, Pixel]]:
        """Where counters can stand: the window and the pixel of each hex and box."""
        pixels = {place: (MAP, at) for place, at in (*self.grid.hexes.items(), *self.grid.boxes.items())}
        for title, shown in self.windows.items():
            pixels |= {box: (title, at) for box, at in shown.grid.boxes.items()}
        if BOXES in self.displays:
            pixels |= {box: (BOXES, at) for box, at in self.displays[BOXES].middles.items()}
        if self.out is not None:
            pixels[self.out.zones[0].name] = OUT, next(iter(self.displays[OUT].middles.values()))
        return pixels

    @property
    def properties(self) -> dict[str, str]:
        """The global properties by which the assistant knows the module."""
        board = self.game.board(self.game.file.module.board if self.game.file.module else "")
        size = None if isinstance(self.grid.grid, Hexes) else self.grid.size
        window = Window(self.grid.grid, self.shown.columns, self.shown.rows, size)
        written = {GAME: self.game.id, BOARD: board.name, f"{GRID} {MAP}": msgspec.json.encode(window).decode()}
        for title, shown in self.windows.items():
            pictured = Window(shown.grid.grid, window.columns, window.rows, shown.grid.size)
            written[f"{GRID} {title}"] = msgspec.json.encode(pictured).decode()
        if (sheet := self.displays.get(BOXES)) is not None:
            regions = Window(Regions.of(sheet.middles), window.columns, window.rows, sheet.size)
            written[f"{GRID} {BOXES}"] = msgspec.json.encode(regions).decode()
        if (out := self.out) is not None:
            pile = Window(out, window.columns, window.rows, self.displays[OUT].size)
            written[f"{GRID} {OUT}"] = msgspec.json.encode(pile).decode()
        if self.steps:
            written[STEPS] = msgspec.json.encode(self.steps).decode()
        if (track := self.track) is not None:
            written[f"{ASIDE} {TURNS}"] = "yes"
            if track.arrives:
                turns = TurnBoxes(track.arrives, Regions.of(track.middles))
                written[f"{ARRIVALS} {TURNS}"] = msgspec.json.encode(turns).decode()
        if self.records is not None:
            written[f"{ASIDE} {RECORDS}"] = "yes"
        if self.overlay:
            written[OVERLAYS] = "yes"
        return written | {f"{ASIDE} {OUT}": "yes"} | traits.properties(self.game)
