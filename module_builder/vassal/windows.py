"""The windows of a module: its map, drawn sheets, palettes and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

import msgspec
from lxml import etree

from assistant.formats.vassal.grids import (
    HEXES,
    NUMBERED_HEXES,
    REGIONS,
    ZONE,
    ZONES,
    Drawn,
    Hexes,
    Regions,
    Zones,
)
from assistant.formats.vassal.legends import UNIT
from assistant.formats.vassal.pieces import Piece, definition
from assistant.formats.vassal.sequence import flag
from assistant.game.charts import Chart
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.state.state import Cell
from assistant.state.tracks import Source, Track
from assistant.util.datafiles import inner, read_data
from assistant.util.errors import InputError, Where
from assistant.util.files import read_xml

from ..counters.columns import word_of
from .elements import (
    CHARTS,
    CLEAR_MOVED,
    END_OF_PHASE,
    MAP,
    MARKERS,
    MODULE,
    PALETTES,
    WIDGET,
    Hotkey,
    add,
)
from .extras import PAGES, PICTURES, check_file
from .pieces.maker import Maker, marker_title
from .pieces.traits import LAPSE, file_word, private_window, side_of
from .sheets import OUT, SHEET, Display, dead_pile

BOXES = "Boxes"
"""The window for boxes."""
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


_MOVE = "$pieceName$ moves $previousLocation$ -> $location$ *"


def displays(game: Game, title: str, boxes: tuple[str, ...], units: Sequence[str], counter: int) -> dict[str, Display]:
    """The sheets of a module by the names of their windows.

    title: of the board; boxes: those of it that lie on no picture; units: in the module; counter: the side of one in
    pixels.
    """
    windows = {BOXES: Display(title, boxes, (counter * 3, counter * 2))} if boxes else {}
    windows[OUT] = dead_pile(game, counter)
    sorts = game.file.module.palettes if game.file.module else ()
    sort = next((name for name in sorts if name != game.file.picture.nation), "")  # their armies, not the corps in them
    return windows | {private_window(side): _armies(game, units, side, sort, counter) for side in game.file.sides}


def _armies(game: Game, units: Sequence[str], side: str, sort: str, counter: int) -> Display:
    """The sheet of one side: a box for each of its armies, or whatever else its counters are sorted by."""
    words = [word_of(game, unit, sort) for unit in units if side_of(game, unit) == side] if sort else []
    names = [f"{word} {game.tracks[sort].title}" for word in dict.fromkeys(filter(None, words))]
    title = f"What only the {game.file.title_of(side)} side sees"
    return Display(title, (*names, "Elsewhere"), (counter * 4, counter * 5 // 2))


def sheet_image(name: str) -> str:
    """The file of a window's sheet."""
    return f"sheet-{file_word(name)}.png"


def map_window(
    root: etree._Element, name: str, board: str, picture: str, grid: Drawn, lapses: Mapping[str, Sequence[Track]]
) -> None:
    """The map.

    name: its own; board: its board's title; picture: the file of it; grid: its hexes and boxes; lapses: by the words of
    a button, the statuses of counters that it takes off.
    """
    formats = {"moveToFormat": _MOVE, "moveWithinFormat": _MOVE, "createFormat": "$pieceName$ placed in $location$ *"}
    map = add(
        root, MODULE + "Map", mapName=name, launch="false", **_WINDOW | _CLEARS, **formats, changeFormat="$message$"
    )
    _board(map, name, board, picture, grid)
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


def side_window(
    root: etree._Element,
    name: str,
    title: str,
    picture: str,
    grid: Drawn | None,
    *,
    side: str = "",
    button: str = "",
    hotkey: str = "",
    moves: bool = False,
    zooms: bool = False,
) -> None:
    """A window beside the map, with a drawn sheet or the picture of another board.

    title: what its button says when the mouse rests on it; grid: its places, None for none; side: the only one that
    sees it, "" for all; button: what stands on its button, if not its name; moves: whether moves from place to place in
    it are told, as moves into its places are.
    """
    shown = {"launch": "true", "buttonName": button or name, "tooltip": title, "hotkey": hotkey}
    formats = {
        "moveToFormat": _MOVE if grid is not None else "",
        "moveWithinFormat": _MOVE if moves else "",
        "createFormat": "",
    }
    if side:
        private = {"side": side, "visible": "false", "changeFormat": ""}
        window = add(root, MODULE + "PrivateMap", mapName=name, **private, **shown, **_WINDOW, **formats)
    else:
        window = add(root, MODULE + "Map", mapName=name, **shown, **_WINDOW, **formats, changeFormat="$message$")
    _board(window, name, SHEET, picture, grid)
    _parts(window, "sheet", *(["zoom"] if zooms else []))


def _board(window: etree._Element, name: str, board: str, picture: str, grid: Drawn | None) -> None:
    """The only board of a window, with its grid."""
    picker = add(window, MAP + "BoardPicker", title="Board", slotScale="0.2", slotWidth="350", slotHeight="125")
    add(picker, "setup", f"{name}BoardPicker\t{board}\t0\t0")
    element = add(picker, MAP + "boardPicker.Board", name=board, image=picture, reversible="false")
    if grid is not None:
        _grid(element, grid)


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
            regions = add(parent, REGIONS, fontsize="9", snapto="true", visible="false")
            for x, y, name in grid.points:
                add(regions, MAP + "boardPicker.board.Region", name=name, originx=str(x), originy=str(y))
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


# --- palettes ---------------------------------------------------------------------------------------------------------

_OTHERS = "others"
_ABREAST, _MOST_SHOWN = 4, 24
"""Pieces in a row of a panel, which does not scroll; a group of more than so many is a list of names, which does."""
_LIST = {"width": "440", "height": "420", "scale": "1.0", "divider": "330"}


class PaletteSlot(NamedTuple):
    """A piece of a palette: the words by which it is sorted, its name, and its size in pixels."""

    path: tuple[str, ...]
    name: str
    piece: Piece
    side: int


def palettes(root: etree._Element, maker: Maker, wanted: VassalModule) -> None:
    """The window with every counter of the module, and the window with its markers, if it has any."""
    counters = _counters(maker, wanted)
    if counters:
        _fill(_window(root, "Counters", "All counters", PALETTES), "Counters", counters)
    markers = [PaletteSlot((), marker_title(status), maker.marker(status), wanted.counter) for status in maker.markers]
    if markers:
        _fill(_window(root, "Markers", "The markers of hexes", MARKERS), "Markers", markers)


def _counters(maker: Maker, wanted: VassalModule) -> list[PaletteSlot]:
    """The counters, sorted by what is printed on them; those without one of the words behind the others."""
    slots = []
    for unit in maker.art:
        words = [word_of(maker.game, unit, name) or _OTHERS for name in wanted.palettes]
        path = tuple(word[:1].upper() + word[1:] for word in words)
        slots.append(PaletteSlot(path, unit, maker.unit(unit), wanted.counter))
    places: dict[str, int] = {}
    for slot in slots:
        for word in slot.path:
            places.setdefault(word, len(places))
    last = len(places)
    return sorted(slots, key=lambda slot: [last if word == _OTHERS.title() else places[word] for word in slot.path])


def _window(root: etree._Element, name: str, tip: str, key: Hotkey) -> etree._Element:
    looks = {"hidden": "false", "scale": "1.0", "defaultWidth": "480", "icon": "/images/counter.gif"}
    return add(root, MODULE + "PieceWindow", name=name, text=name, tooltip=tip, hotkey=key.stroke, **looks)


def _fill(parent: etree._Element, name: str, slots: Sequence[PaletteSlot], depth: int = 0) -> None:
    """Put slots into a window or a part of it: tabs for words that are sorted further, a list for the last ones, then
    the pieces.
    """
    groups: dict[str, list[PaletteSlot]] = {}
    for slot in slots:
        groups.setdefault(slot.path[depth] if depth < len(slot.path) else "", []).append(slot)
    if groups.keys() == {""}:
        _pieces(parent, name, slots)
        return
    deepest = depth + 1 == len(slots[0].path)
    inner = add(parent, WIDGET + "ListWidget", entryName=name, **_LIST) if deepest and depth else None
    if inner is None:
        inner = add(parent, WIDGET + "TabWidget", entryName=name)
    for word, some in groups.items():
        _fill(inner, word, some, depth + 1)


def _pieces(parent: etree._Element, name: str, slots: Sequence[PaletteSlot]) -> None:
    """The pieces of one group: as pictures, or as a list of names if there are many."""
    if len(slots) > _MOST_SHOWN:
        group = add(parent, WIDGET + "ListWidget", entryName=name, **_LIST)
    else:
        looks = {"scale": "1.0", "fixed": "true", "nColumns": str(_ABREAST), "vert": "false"}
        group = add(parent, WIDGET + "PanelWidget", entryName=name, **looks)
    for slot in slots:
        measures = {"width": str(slot.side), "height": str(slot.side)}
        said = definition(slot.piece)
        add(group, WIDGET + "PieceSlot", said, entryName=slot.name, gpid=slot.piece.slot, **measures)


# --- charts -----------------------------------------------------------------------------------------------------------


def chart_files(game: Game, wanted: VassalModule) -> dict[str, bytes]:
    """The files of all charts by their paths in the module. Raises InputError with the file for one that cannot be
    used.
    """
    files = {}
    for _, file in wanted.charts:
        if file.rpartition(".")[2].lower() not in (*PICTURES, *PAGES):
            raise InputError(
                "a chart is a picture or an HTML page",
                where=Where(file),
                hint="[module] charts: name it .png, .svg or .html",
            )
        files[_path(file)] = check_file(file, read_data(inner(game.folder, file)))
    return files | {f"chart-{name}.html": page for name, (_, page) in own_charts(game).items()}


def own_charts(game: Game) -> dict[str, tuple[str, bytes]]:
    """By name, the title and page of each chart of which the owner's pack holds cells."""
    pages = {}
    for chart in game.charts.values():
        cells = {key: cell for key, cell in chart.cells.items() if cell.source is Source.PRINTED}
        if cells:
            pages[chart.name] = chart.title, _page(chart, cells).encode()
    return pages


def chart_window(root: etree._Element, game: Game, wanted: VassalModule) -> None:
    """The window with a tab for each chart, if there are any."""
    own = {f"chart-{name}.html": title for name, (title, _) in own_charts(game).items()}
    shown = [(title, _path(file)) for title, file in wanted.charts] + [(title, file) for file, title in own.items()]
    if not shown:
        return
    looks = {"icon": "", "hotkey": CHARTS.stroke, "tooltip": "Charts and tables"}
    window = add(root, MODULE + "ChartWindow", name="Charts", text="Charts", **looks)
    tabs = add(window, WIDGET + "TabWidget", entryName="Charts")
    for title, file in shown:
        kind = "HtmlChart" if file.rpartition(".")[2].lower() in PAGES else "Chart"
        add(tabs, WIDGET + kind, chartName=title, fileName=file.removeprefix("images/"))


def _path(file: str) -> str:
    """Where a chart stands in the module: a picture with the others, a page by itself."""
    name = file.replace("/", "-")
    return name if name.rpartition(".")[2].lower() in PAGES else f"images/chart-{name}"


def _page(chart: Chart, cells: dict[tuple[int | str, ...], Cell]) -> str:
    """The known cells of a chart as a page: a table for all keys but the last two, whose words head its columns and
    rows.
    """
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    etree.SubElement(body, "h2").text = chart.title + (f" ({chart.rule})" if chart.rule else "")
    fields = " / ".join(field.name for field in chart.fields)
    etree.SubElement(body, "p").text = f"{' by '.join(key.name for key in chart.keys)}: {fields}"
    for above, keys in groupby(cells, key=lambda key: key[:-2]):
        if above:
            etree.SubElement(body, "h3").text = ", ".join(map(str, above))
        _table(body, chart, cells, list(keys))
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


def _table(
    body: etree._Element, chart: Chart, cells: dict[tuple[int | str, ...], Cell], keys: list[tuple[int | str, ...]]
) -> None:
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1] for key in keys))
    table = etree.SubElement(body, "table", border="1", cellpadding="4", cellspacing="0")
    head = etree.SubElement(table, "tr")
    etree.SubElement(head, "th")
    for column in columns:
        etree.SubElement(head, "th").text = str(column[0]) if column else ""
    for row in rows:
        line = etree.SubElement(table, "tr")
        etree.SubElement(line, "th").text = str(row)
        for column in columns:
            cell = cells.get((*keys[0][:-2], *column, row))
            etree.SubElement(line, "td", align="center").text = " / ".join(_words(chart, cell)) if cell else ""


def _words(chart: Chart, cell: Cell) -> Iterator[str]:
    return (str(cell.values[field.name]) for field in chart.fields)
