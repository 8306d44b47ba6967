"""The windows of a module: its map, a sheet for each side alone, boxes that are not hexes, what a side keeps off the
map army by army, and the dead pile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

import msgspec
from lxml import etree

from assistant.formats.vassal.declared import UNIT
from assistant.formats.vassal.grids import (
    HEXES,
    NUMBERED_HEXES,
    REGIONS,
    ZONE,
    ZONES,
    Drawn,
    Hexes,
    Pixel,
    Regions,
    Zones,
)
from assistant.formats.vassal.sequence import flag
from assistant.game.boards import Board
from assistant.game.games import Game
from assistant.state.tracks import Track
from assistant.util.markup import read_xml

from ...counters import word_of
from ...course import title_of
from ..boxes import OUT, SHEET, Display, dead_pile, display
from ..elements import MAP, MODULE, add
from ..pieces.statuses import LAPSE, file_word
from ..pieces.traits import side_of, window
from .keys import AWAY, CLEAR_MOVED, END_OF_PHASE, TRACK
from .turns import TURNS, TurnTrack

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


_WINDOW = {
    "allowMultiple": "false",
    "markMoved": "Never",
    "edgeWidth": "0",
    "edgeHeight": "0",
    "backgroundcolor": "255,255,255",
}
"""What all these windows have in common."""
_CLEARS = {
    "markMoved": "Always",
    "markUnmovedIcon": "/images/unmoved.gif",
    "markUnmovedText": "Clear moved",
    "markUnmovedTooltip": "Clear the marks and trails of all counters that moved",
    "markUnmovedHotkey": CLEAR_MOVED.stroke,
    "markUnmovedReport": "marks of moved counters cleared",
}
"""The button of the map that clears what counters show of their movement."""


def map_window(
    root: etree._Element, name: str, board: str, picture: str, grid: Drawn, lapses: Mapping[str, Sequence[Track]]
) -> None:
    """The map.

    name: its own; board: its board's title; picture: the file of it; grid: its hexes and boxes; lapses: by the words of
    a button, the statuses of counters that it takes off.
    """
    moved = "$pieceName$ moves $previousLocation$ -> $location$ *"
    formats = {"moveToFormat": moved, "moveWithinFormat": moved, "createFormat": "$pieceName$ placed in $location$ *"}
    map = add(
        root, MODULE + "Map", mapName=name, launch="false", **_WINDOW | _CLEARS, **formats, changeFormat="$message$"
    )
    _grid(
        add(_picker(map, name, board), MAP + "boardPicker.Board", name=board, image=picture, reversible="false"), grid
    )
    _parts(map, "sheet", "map", "zoom")
    for button, tracks in lapses.items():
        _lapse(map, button, ", ".join(track.title for track in tracks))


def _lapse(map: etree._Element, button: str, what: str) -> None:
    """A button that takes statuses off all counters."""
    said = {"name": button, "buttonText": button, "tooltip": f"Clear on all counters: {what}", "icon": ""}
    pressed = {"buttonHotkey": END_OF_PHASE.stroke if button == "End of phase" else "", "hotkey": LAPSE.format(button)}
    command = {
        "filter": f'{{{UNIT}!=""}}',
        "reportSingle": "true",
        "reportFormat": f"{button}: {what} cleared",
        "singleMap": "true",
    }
    add(map, MAP + "MassKeyCommand", **said, **pressed, **command, deckCount="0", suppressSounds="true")


def sheet_window(root: etree._Element, name: str, display: Display, side: str = "", button: str = "") -> None:
    """A window with a drawn sheet. side: the only one that sees it, "" for all; button: what stands on its button, if
    not its name.
    """
    shown = {
        "launch": "true",
        "buttonName": button or name,
        "tooltip": display.title,
        "hotkey": AWAY.stroke if name == OUT else "",
    }
    formats = dict.fromkeys(("moveToFormat", "moveWithinFormat", "createFormat"), "")
    if side:
        private = {"side": side, "visible": "false", "changeFormat": ""}
        window = add(root, MODULE + "PrivateMap", mapName=name, **private, **shown, **_WINDOW, **formats)
    else:
        formats["changeFormat"] = "$message$"
        if name == BOXES:
            formats["moveToFormat"] = "$pieceName$ moves $previousLocation$ -> $location$ *"
        window = add(root, MODULE + "Map", mapName=name, **shown, **_WINDOW, **formats)
    board = _sheet(window, name)
    if name == BOXES:
        _name_places(board, display.middles)
    _parts(window, "sheet")


def turn_window(root: etree._Element, track: TurnTrack) -> None:
    """The window of the turn track: whoever is put into a box is in the turn of that name."""
    shown = {
        "launch": "true",
        "buttonName": TURNS,
        "tooltip": "The turn track, with who arrives when",
        "hotkey": TRACK.stroke,
    }
    moved = "$pieceName$ moves $previousLocation$ -> $location$ *"
    formats = {"moveToFormat": moved, "moveWithinFormat": moved, "createFormat": "", "changeFormat": "$message$"}
    window = add(root, MODULE + "Map", mapName=TURNS, **shown, **_WINDOW, **formats)
    _name_places(_sheet(window, TURNS), {track.name(int(number)): at for number, at in track.middles.items()})
    _parts(window, "sheet", "zoom")


def picture_window(root: etree._Element, title: str, picture: str, grid: Drawn) -> None:
    """A window with the picture of another board, whose boxes are places too."""
    moved = "$pieceName$ moves $previousLocation$ -> $location$ *"
    formats = {"moveToFormat": moved, "moveWithinFormat": moved, "createFormat": "", "changeFormat": "$message$"}
    shown = {"launch": "true", "buttonName": title, "tooltip": title, "hotkey": ""}
    window = add(root, MODULE + "Map", mapName=title, **shown, **_WINDOW, **formats)
    board = {"name": SHEET, "image": picture, "reversible": "false"}
    _grid(add(_picker(window, title, SHEET), MAP + "boardPicker.Board", **board), grid)
    _parts(window, "sheet", "zoom")


def _sheet(window: etree._Element, name: str) -> etree._Element:
    """The board of a window with a drawn sheet."""
    drawn = {"name": SHEET, "image": image(name), "reversible": "false"}
    return add(_picker(window, name, SHEET), MAP + "boardPicker.Board", **drawn)


def _name_places(board: etree._Element, places: Mapping[str, Pixel]) -> None:
    regions = add(board, REGIONS, fontsize="9", snapto="true", visible="false")
    for name, (x, y) in places.items():
        add(regions, MAP + "boardPicker.board.Region", name=name, originx=str(x), originy=str(y))


def _picker(window: etree._Element, name: str, board: str) -> etree._Element:
    """What chooses the boards of a window: this one."""
    picker = add(window, MAP + "BoardPicker", title="Board", slotScale="0.2", slotWidth="350", slotHeight="125")
    add(picker, "setup", f"{name}BoardPicker\t{board}\t0\t0")
    return picker


def _parts(window: etree._Element, *groups: str) -> None:
    """What a window is made of besides its boards."""
    file = files(__package__).joinpath("map_parts.xml")
    parts = read_xml(file.read_bytes(), file.name)
    for group in groups:
        window.extend(parts.findall(f"{group}/*"))


def _grid(parent: etree._Element, grid: Drawn) -> None:
    """A grid of any kind as an element of a board or a zone."""
    match grid:
        case Hexes():
            _hexes(parent, grid)
        case Regions():
            _name_places(parent, {name: (x, y) for x, y, name in grid.points})
        case Zones():
            zoned = add(parent, ZONES)
            for zone in grid.zones:
                path = ";".join(f"{x},{y}" for x, y in zone.path)
                attributes = {"name": zone.name, "path": path, "locationFormat": zone.location_format}
                held = add(zoned, ZONE, **attributes, useParentGrid="false", useHighlight="false")
                if zone.grid is not None:
                    _grid(held, zone.grid)
            if grid.background is not None:
                _grid(zoned, grid.background)


def _hexes(board: etree._Element, grid: Hexes) -> None:
    shape = {"x0": str(grid.x0), "y0": str(grid.y0), "dx": str(float(grid.dx)), "dy": str(float(grid.dy))}
    snaps = {"snapTo": "true", "edgesLegal": "false", "cornersLegal": "false"}
    unseen = {"visible": "false", "dotsVisible": "false", "color": "0,0,0"}
    element = add(board, HEXES, **shape, sideways=flag(grid.sideways), **snaps, **unseen)
    if grid.numbering is not None:
        numbering = msgspec.to_builtins(grid.numbering)
        words = {name: flag(value) if isinstance(value, bool) else str(value) for name, value in numbering.items()}
        add(element, NUMBERED_HEXES, **words, visible="false", fontSize="9", color="0,0,0", rotateText="0")
