"""The file that puts a module together: maps, palettes, buttons and windows as VASSAL's own elements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from lxml import etree

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import HEXES, NUMBERED_HEXES, Hexes
from assistant.formats.vassal.positions import UNIT
from assistant.formats.vassal.saves import Piece, definition
from assistant.formats.vassal.sequence import flag, join
from assistant.state.tracks import Track

from . import hiding
from .pieces import FIRST_FREE_SLOT, PROTOTYPE
from .statuses import MOST

_MODULE, _MAP, _WIDGET = "VASSAL.build.module.", "VASSAL.build.module.map.", "VASSAL.build.widget."
VASSAL_VERSION = "3.6.0"
"""The oldest engine that the modules are made for; newer ones open them too."""


class PaletteSlot(NamedTuple):
    """A piece of a palette: the tab and list that it is in, and its size in pixels."""

    path: tuple[str, ...]
    name: str
    piece: Piece
    side: int


class Content(NamedTuple):
    """What a module holds.

    map: the name of its map; board: the board's title, picture and grid; slots: of all palettes; prototype: the piece
    whose traits all counters share; properties: global ones and their values; sides: that players may take; turn: the track of the turn tracker;
    choices: tracks of the game that buttons change; setups: title and file; dice: buttons; palettes: what the
    inventory sorts by; help: title and file.
    """

    about: ModuleData
    map: str
    board: tuple[str, str, Hexes]
    slots: Sequence[PaletteSlot]
    prototype: Piece
    properties: Mapping[str, str]
    sides: Sequence[str]
    turn: Track | None
    choices: Sequence[Track]
    setups: Sequence[tuple[str, str]]
    dice: Sequence[tuple[int, int]]
    palettes: Sequence[str]
    help: tuple[str, str]


def build_file(content: Content) -> bytes:
    """The file `buildFile.xml`."""
    about = content.about
    root = etree.Element(
        "VASSAL.build.GameModule",
        name=about.module,
        version=about.module_version,
        VassalVersion=about.vassal_version,
        description=about.description,
        nextPieceSlotId=str(FIRST_FREE_SLOT),
    )
    _add(root, _MODULE + "BasicCommandEncoder")
    documentation = _add(root, _MODULE + "Documentation")
    title, file = content.help
    _add(documentation, _MODULE + "documentation.HelpFile", title=title, fileName=file, fileType="archive")
    if content.sides:
        roster = _add(root, _MODULE + "PlayerRoster", buttonText="Side", buttonToolTip="Leave your side, or take one")
        for side in content.sides:
            _add(roster, "entry", side)
    _add(
        root,
        _MODULE + "GlobalOptions",
        promptString="Opponents can unmask my pieces",
        autoReport="Always",
    )
    _properties(root, content)
    prototypes = _add(root, _MODULE + "PrototypesContainer")
    _add(prototypes, _MODULE + "PrototypeDefinition", definition(content.prototype), name=PROTOTYPE, description="")
    _palette(root, content.slots)
    for number, sides in content.dice:
        _dice(root, number, sides)
    if content.turn is not None:
        _turn_tracker(root, content.turn)
    _inventory(root, content.palettes)
    _add(root, _MODULE + "NotesWindow", buttonText="Notes", icon="/images/notes.gif", tooltip="Notes")
    _map(root, content)
    for side in content.sides:
        _private_window(root, side)
    for title, file in content.setups:
        _add(root, _MODULE + "PredefinedSetup", name=title, file=file, useFile="true", isMenu="false", description="")
    _add(root, _MODULE + "Chatter")
    _add(root, _MODULE + "KeyNamer")
    etree.indent(root, " ")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def _add(parent: etree._Element, tag: str, inner: str = "", /, **attributes: str) -> etree._Element:
    element = etree.SubElement(parent, tag)
    for name, value in attributes.items():
        element.set(name, value)
    if inner:
        element.text = inner
    return element


# --- facts of the game ------------------------------------------------------------------------------------------------


def _properties(root: etree._Element, content: Content) -> None:
    """Global properties: what the module says of itself, and the facts of the game that buttons change."""
    holder = _add(root, _MODULE + "properties.GlobalProperties")
    for name, value in content.properties.items():
        _property(holder, name, value)
    for track in content.choices:
        element = _property(
            holder, track.name, "" if track.absent is None else track.write(track.absent), description=track.title
        )
        if track.module is not None:
            words = [track.write(value) for value in track.in_turn(track.most or MOST)]
            _add(
                element,
                _MODULE + "properties.ChangePropertyButton",
                text=track.module.menu[0],
                tooltip=track.title,
                propChanger=_prompt(track.title, words),
                reportFormat=f"{track.title}: $newValue$",
                hotkey="",
                icon="",
            )


def _property(holder: etree._Element, name: str, value: str, description: str = "") -> etree._Element:
    return _add(
        holder,
        _MODULE + "properties.GlobalProperty",
        name=name,
        initialValue=value,
        isNumeric="false",
        description=description,
    )


def _prompt(title: str, words: Iterable[str]) -> str:
    return join(("E", title, join(words, ",")), ",")


def _turn_tracker(root: etree._Element, track: Track) -> None:
    tracker = _add(
        root,
        _MODULE + "turn.TurnTracker",
        name=track.title.capitalize(),
        turnFormat=(track.module.tag if track.module else "{}").replace("{}", "$level1$"),
        buttonText="Turn",
        reportFormat="Now $newTurn$",
        icon="",
        hotkey="",
    )
    _add(
        tracker,
        _MODULE + "turn.CounterTurnLevel",
        name=track.title,
        property=track.name,
        start=str(1 if track.least is None else track.least),
        incr="1",
        loop=flag(bool(track.most)),
        loopLimit=str(track.most or -1),
        turnFormat="$value$",
    )


def _dice(root: etree._Element, number: int, sides: int) -> None:
    name = f"{number}d{sides}"
    report = "** $name$: $result$" + (" = $numericalTotal$" if number > 1 else "") + " <$PlayerName$>"
    _add(
        root,
        _MODULE + "DiceButton",
        name=name,
        text=name,
        tooltip=f"Roll {name}",
        nDice=str(number),
        nSides=str(sides),
        plus="0",
        addToTotal="0",
        reportTotal="false",
        reportFormat=report,
        prompt="false",
        sortDice="false",
        icon="/images/die.gif",
        hotkey="",
    )


def _inventory(root: etree._Element, palettes: Sequence[str]) -> None:
    _add(
        root,
        _MODULE + "Inventory",
        name="Inventory",
        text="Inventory",
        tooltip="All counters on the map",
        icon="/images/inventory.gif",
        include=f'{{{UNIT}!=""}}',
        groupBy=",".join(palettes),
        leafFormat="$PieceName$ ($LocationName$)",
        nonLeafFormat="$PropertyValue$",
        pieceZoom="0.5",
        sides="",
        hotkey="",
    )


# --- palettes ---------------------------------------------------------------------------------------------------------


def _palette(root: etree._Element, slots: Sequence[PaletteSlot]) -> None:
    """A window with a tab for each first word of the slots' paths, in it one for each second, and so on."""
    window = _add(
        root,
        _MODULE + "PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="All counters",
        hidden="false",
        scale="1.0",
        defaultWidth="0",
        icon="/images/counter.gif",
        hotkey="67,130",
    )
    top = _add(window, _WIDGET + "TabWidget", entryName="Counters")
    tabs: dict[tuple[str, ...], etree._Element] = {(): top}
    parents = {slot.path[:length] for slot in slots for length in range(len(slot.path))}
    for slot in slots:
        for length in range(1, len(slot.path) + 1):
            path = slot.path[:length]
            if path not in tabs:
                kind = "TabWidget" if path in parents else "ListWidget"
                more = {} if path in parents else {"divider": "110", "width": "300", "height": "300", "scale": "1.0"}
                tabs[path] = _add(tabs[path[:-1]], _WIDGET + kind, entryName=path[-1], **more)
        side = str(slot.side)
        _add(
            tabs[slot.path],
            _WIDGET + "PieceSlot",
            definition(slot.piece),
            entryName=slot.name,
            gpid=slot.piece.slot,
            width=side,
            height=side,
        )


# --- the map ----------------------------------------------------------------------------------------------------------

#: What a map is made of besides its boards, in VASSAL's order, with what differs from VASSAL's own choice.
_MAP_PARTS: tuple[tuple[str, dict[str, str]], ...] = (
    ("StackMetrics", {"exSepX": "6", "exSepY": "18", "unexSepX": "4", "unexSepY": "6", "disabled": "false"}),
    ("ForwardToKeyBuffer", {}),
    ("MenuDisplayer", {}),
    ("MapCenterer", {}),
    ("StackExpander", {}),
    ("PieceMover", {}),
    ("KeyBufferer", {}),
    ("ForwardToChatter", {}),
    ("Scroller", {"useArrows": "Prompt"}),
    ("SelectionHighlighters", {}),
    ("HighlightLastMoved", {"color": "255,0,0", "enabled": "true", "thickness": "2"}),
    (
        "CounterDetailViewer",
        {
            "description": "Stack viewer",
            "delay": "500",
            "display": "from top-most layer only",
            "minDisplayPieces": "2",
            "showgraph": "true",
            "showgraphsingle": "false",
            "showtext": "true",
            "showtextsingle": "false",
            "summaryReportFormat": "$LocationName$",
            "counterReportFormat": "$PieceName$",
            "zoomlevel": "1.2",
            "fontSize": "11",
            "borderWidth": "2",
            "bgColor": "255,250,240",
            "fgColor": "0,0,0",
        },
    ),
    (
        "GlobalMap",
        {
            "scale": "0.08",
            "color": "255,0,0",
            "hotkey": "79,195",
            "icon": "/images/overview.gif",
            "tooltip": "Overview",
        },
    ),
    (
        "Zoomer",  # begins with the sixth of the levels, the largest being the first
        {
            "zoomLevels": "0.25,0.35,0.5,0.7,0.85,1.0,1.4,2.0",
            "zoomStart": "6",
            "inTooltip": "Larger",
            "outTooltip": "Smaller",
            "zoomInKey": "61,130",
            "zoomOutKey": "45,130",
        },
    ),
    (
        "LOS_Thread",
        {
            "threadName": "LOS",
            "label": "LOS",
            "tooltip": "Count hexes",
            "hotkey": "76,520",
            "snapLOS": "true",
            "hideCounters": "false",
            "threadColor": "255,0,0",
            "drawRange": "true",
        },
    ),
    ("ImageSaver", {"tooltip": "Save the map as a picture", "icon": "/images/camera.gif"}),
)


_PARTS_OF_A_SHEET = 12
"""As many of these as a sheet needs that shows no map: all up to the viewer of stacks."""


def _map(root: etree._Element, content: Content) -> None:
    title, image, grid = content.board
    moved = "$pieceName$ moves $previousLocation$ -> $location$ *"
    map = _add(
        root,
        _MODULE + "Map",
        mapName=content.map,
        launch="false",
        allowMultiple="false",
        markMoved="Never",
        edgeWidth="0",
        edgeHeight="0",
        backgroundcolor="255,255,255",
        moveToFormat=moved,
        moveWithinFormat=moved,
        createFormat="$pieceName$ placed in $location$ *",
        changeFormat="$message$",
    )
    picker = _add(map, _MAP + "BoardPicker", title="Board", slotScale="0.2", slotWidth="350", slotHeight="125")
    _add(picker, "setup", f"{content.map}BoardPicker\t{title}\t0\t0")
    _grid(_add(picker, _MAP + "boardPicker.Board", name=title, image=image, reversible="false"), grid)
    for part, attributes in _MAP_PARTS:
        _add(map, _MAP + part, **attributes)


def _private_window(root: etree._Element, side: str) -> None:
    """A window that only one side sees, for what it keeps off the map."""
    name = hiding.window(side)
    map = _add(
        root,
        _MODULE + "PrivateMap",
        mapName=name,
        side=side,
        visible="false",
        launch="true",
        buttonName=name,
        tooltip=f"What only the {side} side sees",
        allowMultiple="false",
        markMoved="Never",
        edgeWidth="0",
        edgeHeight="0",
        backgroundcolor="255,255,255",
        moveToFormat="",
        moveWithinFormat="",
        createFormat="",
        changeFormat="",
    )
    picker = _add(map, _MAP + "BoardPicker", title="Board", slotScale="0.2", slotWidth="350", slotHeight="125")
    _add(picker, "setup", f"{name}BoardPicker\t{hiding.SHEET}\t0\t0")
    wide, high = hiding.SIZE
    _add(
        picker,
        _MAP + "boardPicker.Board",
        name=hiding.SHEET,
        width=str(wide),
        height=str(high),
        color="240,234,218",
        reversible="false",
    )
    for part, attributes in _MAP_PARTS[:_PARTS_OF_A_SHEET]:
        _add(map, _MAP + part, **attributes)


def _grid(board: etree._Element, grid: Hexes) -> None:
    shape = {"x0": str(grid.x0), "y0": str(grid.y0), "dx": f"{grid.dx:.1f}", "dy": f"{grid.dy:.1f}"}
    element = _add(
        board,
        HEXES,
        **shape,
        sideways=flag(grid.sideways),
        snapTo="true",
        edgesLegal="false",
        cornersLegal="false",
        visible="false",
        dotsVisible="false",
        color="0,0,0",
    )
    if grid.numbering is not None:
        said = msgspec.to_builtins(grid.numbering)
        words = {name: flag(value) if isinstance(value, bool) else str(value) for name, value in said.items()}
        _add(element, NUMBERED_HEXES, **words, visible="false", fontSize="9", color="0,0,0", rotateText="0")
