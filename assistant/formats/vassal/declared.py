"""What the global properties of one of the builder's modules declare: the game, its board, its windows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from ...game.games import Game
from ...state.tracks import Track
from ...util.errors import InputError
from ...util.limits import Limit
from .grids import Drawn, Pixel, Regions
from .saves import Save

#: Global properties of a module: the game's id, the board's name, and the grid of a map as JSON, its name at the end.
GAME, BOARD, GRID = "FieldStaffGame", "FieldStaffBoard", "FieldStaffGrid"
ARRIVALS = "FieldStaffArrivals"
"""A global property for the window with a box for each turn: units in one come into play then."""
PRIVATE = "FieldStaffPrivate"
"""A global property for each private window of a side: what lies in it is not in play."""
ASIDE = "FieldStaffAside"
"""A global property for each window whose pieces everybody sees, but which are not in play."""
REPORT = "** $name$: $result$"
"""What a dice button of our modules writes; VASSAL puts a star before it, the total of several dice behind it, and last
the player.
"""
TOTAL, PLAYER = " = $numericalTotal$", " <$PlayerName$>"
HEADING = "Field Staff"
"""The line of the public notes above the position notation."""
UNIT, MARKER = "unit", "marker"
"""The markers of a piece that name its type in the roster, or the track of hexes that it states."""
SEEN = "{} seen"
"""What the layer or the text is called that shows a track, `{}`, to the players of the counter's own side alone."""
MODULE = "Module"
"""What VASSAL calls the holder of a module's own global properties."""


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """A map of a module: its grid, and the first and the last column and row of the board that are drawn.

    size: of a sheet with boxes, beyond which nothing lies in one; None for a board, whose hexes tell, and in saves of
    older modules.
    """

    grid: Drawn
    columns: tuple[int, int]
    rows: tuple[int, int]
    size: Pixel | None = None

    def locate(self, at: Pixel) -> str:
        """The printed place at a pixel, "" off the sheet."""
        on_sheet = self.size is None or (0 <= at[0] < self.size[0] and 0 <= at[1] < self.size[1])
        return self.grid.locate(at) if on_sheet else ""


class TurnBoxes(msgspec.Struct, frozen=True):
    """A window with boxes that are called by the numbers of turns. track: the one that states in which turn a unit
    comes into play.
    """

    track: str
    grid: Regions


def tracker(game: Game) -> Track | None:
    """The track that the module's turn tracker shows: the first number among those of the game itself."""
    return next((track for track in game_tracks(game) if track.kind == "integer"), None)


def game_tracks(game: Game) -> list[Track]:
    """The tracks of the game itself that a module shows, on its turn tracker or by buttons."""
    return [track for track in game.tracks.values() if track.on == "game" and track.module is not None]


Declared = TypeVar("Declared", Window, TurnBoxes)


def arrivals(save: Save) -> dict[str, TurnBoxes]:
    """The windows with boxes of turns by name. Raises InputError for an invalid property."""
    return _declared(_of_module(save), ARRIVALS, TurnBoxes)


def windows(save: Save) -> dict[str, Window]:
    """The maps of a save by name. Raises InputError for an invalid property."""
    return declared_windows(_of_module(save))


def declared_windows(properties: Mapping[str, str]) -> dict[str, Window]:
    """The maps by name that a module's own global properties declare. Raises InputError for an invalid property."""
    return _declared(properties, GRID, Window)


def _of_module(save: Save) -> dict[str, str]:
    return {name: text for (holder, name), text in save.properties.items() if holder == MODULE}


def _declared(properties: Mapping[str, str], kind: str, type: type[Declared]) -> dict[str, Declared]:
    """What global properties of a kind declare of windows, by their names. Raises InputError for an invalid one."""
    declared = {}
    for name, text in properties.items():
        if name.startswith(f"{kind} "):
            Limit.GRID.check(len(text), f"{name} has")
            try:
                declared[name.removeprefix(f"{kind} ")] = msgspec.json.decode(text, type=type)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(f"{name} cannot be read: {error}", hint="the save is damaged") from None
    return declared
