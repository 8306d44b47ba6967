"""The windows of a module: the map with its grid, layers and buttons, and sheets such as the turn track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Annotated, NamedTuple

import msgspec
from lxml import etree

from assistant.formats.vassal.grids import (
    HEXES,
    NUMBERED_HEXES,
    OBLIQUE_HEXES,
    REGIONS,
    ZONE,
    ZONES,
    Drawn,
    Hexes,
    Regions,
    ZonedGrid,
)
from assistant.formats.vassal.legends import UNIT
from assistant.formats.vassal.overlay import OVERLAY, SUPPLY_LAYER
from assistant.formats.vassal.sequence import join, write_flag
from assistant.game.games import Game
from assistant.state.tracks import Track
from assistant.util.files import read_own
from assistant.util.notes import note

from ..counters.picture_names import file_word
from .elements import CLEAR_MOVED, END_OF_PHASE, HIDE, MAP, MODULE, SUPPLY, add, read_elements
from .icons import BOARD, CLEAR_SUPPLY, LAPSES, icon_file, only_icon
from .icons import SUPPLY as ICON
from .overlay import CLEAR_KEY
from .pieces.maker import MARKERS, Headings
from .pieces.statuses import CLEAR_PHASE, LAPSE
from .pieces.traits import LAYER, private_window, side_of
from .sheets import OUT_WINDOW, SHEET, Display, dead_pile

BOXES = "Boxes"
"""The window for boxes."""
BLANK_BUTTON = "Numbered hexes"
"""The label of the button for the hexes of a board that is not a map."""
_WINDOW = {
    "allowMultiple": "false",
    "markMoved": "Never",
    "edgeWidth": "0",
    "edgeHeight": "0",
    "backgroundcolor": "255,255,255",
}
"""The attributes that all these windows share."""
_CLEARS = {
    "markMoved": "Always",
    "markUnmovedIcon": "/images/unmoved.gif",
    "markUnmovedText": "Clear moved",
    "markUnmovedTooltip": "Clear the marks and trails of all counters that moved",
    "markUnmovedHotkey": CLEAR_MOVED.stroke,
    "markUnmovedReport": "marks of moved counters cleared",
}
"""The button of the map that clears marks and trails of movement."""
_MOVE = "$previousLocation$ to $location$: $pieceName$"
"""The report of a move in the chat.

A line of VASSAL's chat loses a question mark at its beginning, and a counter face down has no other name.
"""
_TOGGLE = "Switch Layer between Active and Inactive"


def list_displays(game: Game, boxes: tuple[str, ...], units: Sequence[str], counter: int) -> dict[str, Display]:
    """Return the sheets of a module by the names of their windows.

    `boxes`: the boxes of the board that are not on a picture.
    `units`: the units in the module.
    `counter`: the side of a counter, in pixels.
    """
    windows = {BOXES: Display("Places beside the map", boxes, (counter * 3, counter * 2))} if boxes else {}
    windows[OUT_WINDOW] = dead_pile(game, counter)
    sorts = game.file.module.palettes if game.file.module else ()
    sort = next((name for name in sorts if name != game.file.picture.nation), "")  # for example armies, not their corps
    return windows | {private_window(side): _list_armies(game, units, side, sort, counter) for side in game.file.sides}


def _list_armies(game: Game, units: Sequence[str], side: str, sort: str, counter: int) -> Display:
    """Return the sheet of one side, with a box for each army, or for whatever else sorts its counters."""
    headings = Headings(game)
    words = [headings.word(game.tracks[sort], unit) for unit in units if side_of(game, unit) == side] if sort else []
    names = dict.fromkeys(filter(None, words))
    title = f"What only the {game.file.title_of(side)} side sees"
    return Display(title, (*names, "Elsewhere"), (counter * 4, counter * 5 // 2))


def sheet_image(name: str) -> str:
    """Return the name of a sheet's picture file."""
    return f"sheet-{file_word(name)}.png"


def add_map_window(
    root: etree._Element,
    name: str,
    board: str,
    picture: str,
    grid: Drawn,
    lapses: Mapping[str, Sequence[Track]],
    *,
    first: bool = True,
    drawn: bool = True,
) -> etree._Element:
    """Return the window of the map.

    `board`, `picture`: the title of the board and its file.
    `grid`: the hexes and boxes.
    `lapses`: the statuses that a button takes off counters, by the words of the button.
    `first`: whether the module opens on it.
    `drawn`: whether it is a map, not blank hexes.
    """
    button, tip = (
        (name, "The map") if drawn else (BLANK_BUTTON, "Blank hexes with the printed numbers: no map is drawn")
    )
    formats = {"moveToFormat": _MOVE, "moveWithinFormat": _MOVE, "createFormat": "$pieceName$ is placed in $location$"}
    window = add(
        root,
        MODULE + "Map",
        mapName=name,
        **_describe_button(button, tip, BOARD, first=first),
        **_WINDOW | _CLEARS,
        **formats,
        changeFormat="$message$",
    )
    _add_board(window, name, board, picture, grid)
    _add_parts(window, "sheet", "map", "point", "zoom")
    for button, tracks in lapses.items():
        _add_lapse(window, button, ", ".join(track.module.menu[0] for track in tracks if track.module))
    return window


def _describe_button(button: str, tip: str, icon: str, hotkey: str = "", *, first: bool) -> dict[str, str]:
    """Return the attributes that open a window: with the module for the first, by a button for others."""
    if first:
        return {"launch": "false"}
    return {"launch": "true", "buttonName": button, "tooltip": tip, "icon": icon_file(icon), "hotkey": hotkey}


def _add_lapse(window: etree._Element, button: str, what: str) -> None:
    """Add a button that takes statuses off all counters."""
    add(
        window,
        MAP + "MassKeyCommand",
        name=button,
        buttonText=button,
        tooltip=f"Clear from all counters: {what}",
        icon=icon_file(LAPSES),
        buttonHotkey=END_OF_PHASE.stroke if button == CLEAR_PHASE else "",
        hotkey=LAPSE.format(button),
        filter=f'{{{UNIT}!=""}}',
        reportSingle="true",
        reportFormat=f" {button}: cleared from all counters: {what}",
        singleMap="true",
        deckCount="0",
        suppressSounds="true",
    )


class SideWindow(NamedTuple):
    """A window beside the map, with a drawn sheet or the picture of another board."""

    name: str
    title: Annotated[str, note("the tooltip of its button")]
    picture: str
    grid: Annotated[Drawn | None, note("the grid of its places, or None")]
    side: Annotated[str, note('the only side that sees it, or "" for all')] = ""
    button: Annotated[str, note("the text of its button, if not its name")] = ""
    icon: Annotated[str, note("the icon of its button")] = BOARD
    hotkey: str = ""
    moves: Annotated[bool, note("whether moves from place to place in it are reported")] = False
    zooms: bool = False
    first: Annotated[bool, note("whether the module opens on it")] = False


def add_side_window(root: etree._Element, shown: SideWindow) -> etree._Element:
    """Add a window beside the map."""
    opened = _describe_button(shown.button or shown.name, shown.title, shown.icon, shown.hotkey, first=shown.first)
    formats = {
        "moveToFormat": _MOVE if shown.grid is not None else "",
        "moveWithinFormat": _MOVE if shown.moves else "",
        "createFormat": "",
    }
    if shown.side:
        private = {"side": shown.side, "visible": "false", "changeFormat": ""}
        window = add(root, MODULE + "PrivateMap", mapName=shown.name, **private, **opened, **_WINDOW, **formats)
    else:
        public = {"changeFormat": "$message$"}
        window = add(root, MODULE + "Map", mapName=shown.name, **opened, **_WINDOW, **formats, **public)
    _add_board(window, shown.name, SHEET, shown.picture, shown.grid)
    parts = ["sheet"]
    if shown.first:
        parts.append("point")
    if shown.zooms:
        parts.append("zoom")
    _add_parts(window, *parts)
    return window


def _add_board(window: etree._Element, name: str, board: str, picture: str, grid: Drawn | None) -> None:
    picker = add(window, MAP + "BoardPicker", title="Board", slotScale="0.2", slotWidth="350", slotHeight="125")
    add(picker, "setup", f"{name}BoardPicker\t{board}\t0\t0")
    element = add(picker, MAP + "boardPicker.Board", name=board, image=picture, reversible="false")
    if grid is not None:
        _add_grid(element, grid)


def _add_parts(window: etree._Element, *groups: str) -> None:
    """Add the parts of a window besides its boards."""
    file = files(__package__).joinpath("map_parts.xml")
    parts = read_elements(read_own(file), file.name)
    for group in groups:
        window.extend(parts.findall(f"{group}/*"))


def _add_grid(parent: etree._Element, grid: Drawn) -> None:
    """Add a grid of any kind as an element of a board or a zone."""
    match grid:
        case Hexes():
            _add_hexes(parent, grid)
        case Regions():
            regions = add(parent, REGIONS, fontsize="9", snapto="true", visible="false")
            for x, y, name in grid.points:
                add(regions, MAP + "boardPicker.board.Region", name=name, originx=str(x), originy=str(y))
        case ZonedGrid():
            zoned = add(parent, ZONES)
            for zone in grid.zones:
                path = ";".join(f"{x},{y}" for x, y in zone.path)
                held = add(
                    zoned,
                    ZONE,
                    name=zone.name,
                    path=path,
                    locationFormat=zone.location_format,
                    useParentGrid="false",
                    useHighlight="false",
                )
                if zone.grid is not None:
                    _add_grid(held, zone.grid)
            if grid.background is not None:
                _add_grid(zoned, grid.background)


def _add_hexes(board: etree._Element, grid: Hexes) -> None:
    element = add(
        board,
        HEXES,
        x0=str(grid.x0),
        y0=str(grid.y0),
        dx=str(float(grid.dx)),
        dy=str(float(grid.dy)),
        sideways=write_flag(grid.sideways),
        snapTo="true",
        edgesLegal="false",
        cornersLegal="false",
        visible=write_flag(grid.dots is True),
        dotsVisible=write_flag(grid.dots is True),
        color="0,0,0",
    )
    if grid.numbering is not None:
        numbering = msgspec.to_builtins(grid.numbering)
        oblique = numbering.pop("oblique", False)
        words = {
            name: write_flag(value) if isinstance(value, bool) else str(value) for name, value in numbering.items()
        }
        kind = OBLIQUE_HEXES if oblique else NUMBERED_HEXES
        add(element, kind, **words, visible="false", fontSize="9", color="0,0,0", rotateText="0")


def add_layers(window: etree._Element, game: Game, *, supply: bool) -> None:
    """Add the layers of the map, from below: supply, markers, each side's counters, and pieces of no side.

    Counters of two sides never stack. Buttons hide layers on the player's own screen only.

    `supply`: whether the module has pieces that show supply.
    """
    sides = tuple(game.file.sides)
    order = (SUPPLY_LAYER, MARKERS, *sides) if supply else (MARKERS, *sides)
    layers = add(window, MAP + "LayeredPieceCollection", property=LAYER, layerOrder=join(order, ","))
    if len(sides) > 1:
        for side in sides:
            title = game.file.title_of(side)
            others = [other for other in sides if other != side]
            tip = f"Hide the counters of all but {game.file.the_side(side)}, or show them again"
            _add_button(layers, f"{title} only", tip, others, icon=only_icon(side))
    if supply:
        viewer = window.find(MAP + "CounterDetailViewer")
        if viewer is not None:  # the viewer lists the counters of the stack under the mouse
            viewer.set("display", "from layers other than those listed")
            viewer.set("layerList", SUPPLY_LAYER)
        _add_button(
            layers, "Supply", "Hide what shows supply, or show it again", [SUPPLY_LAYER], SUPPLY.stroke, icon_file(ICON)
        )
        _add_clear_button(window)
    add(
        window,
        MAP + "HidePiecesButton",
        buttonText="Hide all",
        tooltip="Hide all counters and markers, or show them again",
        hotkey=HIDE.stroke,
        showingIcon="/images/globe_unselected.gif",
        hiddenIcon="/images/globe_selected.gif",
    )


def _add_button(
    layers: etree._Element, name: str, tip: str, hidden: list[str], stroke: str = "", icon: str = ""
) -> None:
    """Add a button that hides layers, or shows them again."""
    add(
        layers,
        MAP + "LayerControl",
        name=name,
        text=name,
        tooltip=tip,
        icon=icon,
        hotkey=stroke,
        description=tip,
        command=_TOGGLE,
        skip="true",
        layers=join(hidden, ","),
    )


def _add_clear_button(window: etree._Element) -> None:
    """Add the button that removes everything that shows supply, for all players."""
    add(
        window,
        MAP + "MassKeyCommand",
        name="Clear supply",
        buttonText="Clear supply",
        icon=icon_file(CLEAR_SUPPLY),
        buttonHotkey="",
        tooltip="Take everything off the map that shows supply",
        hotkey=CLEAR_KEY,
        filter=f'{{{OVERLAY}!=""}}',
        reportSingle="true",
        reportFormat=" Clear supply: nothing shows supply any longer",
        singleMap="true",
        deckCount="0",
        suppressSounds="true",
    )
