"""The file that puts a module together: maps, palettes, buttons and windows as VASSAL's own elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import Hexes
from assistant.formats.vassal.positions import UNIT
from assistant.formats.vassal.saves import Piece, definition
from assistant.formats.vassal.sequence import flag, join
from assistant.state.tracks import Track

from .elements import MODULE, WIDGET, add
from .maps import map_window, private_window
from .pieces import FIRST_FREE_SLOT, PROTOTYPE
from .statuses import MOST

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
    add(root, MODULE + "BasicCommandEncoder")
    documentation = add(root, MODULE + "Documentation")
    title, file = content.help
    add(documentation, MODULE + "documentation.HelpFile", title=title, fileName=file, fileType="archive")
    if content.sides:
        roster = add(root, MODULE + "PlayerRoster", buttonText="Side", buttonToolTip="Leave your side, or take one")
        for side in content.sides:
            add(roster, "entry", side)
    add(root, MODULE + "GlobalOptions", promptString="Opponents can unmask my pieces", autoReport="Always")
    _properties(root, content)
    prototypes = add(root, MODULE + "PrototypesContainer")
    add(prototypes, MODULE + "PrototypeDefinition", definition(content.prototype), name=PROTOTYPE, description="")
    _palette(root, content.slots)
    for number, sides in content.dice:
        _dice(root, number, sides)
    if content.turn is not None:
        _turn_tracker(root, content.turn)
    _inventory(root, content.palettes)
    add(root, MODULE + "NotesWindow", buttonText="Notes", icon="/images/notes.gif", tooltip="Notes")
    map_window(root, content.map, *content.board)
    for side in content.sides:
        private_window(root, side)
    for title, file in content.setups:
        add(root, MODULE + "PredefinedSetup", name=title, file=file, useFile="true", isMenu="false", description="")
    add(root, MODULE + "Chatter")
    add(root, MODULE + "KeyNamer")
    etree.indent(root, " ")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


# --- facts of the game ------------------------------------------------------------------------------------------------


def _properties(root: etree._Element, content: Content) -> None:
    """Global properties: what the module says of itself, and the facts of the game that buttons change."""
    holder = add(root, MODULE + "properties.GlobalProperties")
    for name, value in content.properties.items():
        _property(holder, name, value)
    for track in content.choices:
        value = "" if track.absent is None else track.write(track.absent)
        element = _property(holder, track.name, value, track.title)
        if track.module is not None:
            words = [track.write(value) for value in track.in_turn(track.most or MOST)]
            add(
                element,
                MODULE + "properties.ChangePropertyButton",
                text=track.module.menu[0],
                tooltip=track.title,
                propChanger=join(("E", track.title, join(words, ",")), ","),
                reportFormat=f"{track.title}: $newValue$",
                hotkey="",
                icon="",
            )


def _property(holder: etree._Element, name: str, value: str, description: str = "") -> etree._Element:
    told = {"name": name, "initialValue": value, "isNumeric": "false", "description": description}
    return add(holder, MODULE + "properties.GlobalProperty", **told)


def _turn_tracker(root: etree._Element, track: Track) -> None:
    tracker = add(
        root,
        MODULE + "turn.TurnTracker",
        name=track.title.capitalize(),
        turnFormat=(track.module.tag if track.module else "{}").replace("{}", "$level1$"),
        buttonText="Turn",
        reportFormat="Now $newTurn$",
        icon="",
        hotkey="",
    )
    add(
        tracker,
        MODULE + "turn.CounterTurnLevel",
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
    add(
        root,
        MODULE + "DiceButton",
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
    add(
        root,
        MODULE + "Inventory",
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
    window = add(
        root,
        MODULE + "PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="All counters",
        hidden="false",
        scale="1.0",
        defaultWidth="0",
        icon="/images/counter.gif",
        hotkey="67,130",
    )
    top = add(window, WIDGET + "TabWidget", entryName="Counters")
    tabs: dict[tuple[str, ...], etree._Element] = {(): top}
    parents = {slot.path[:length] for slot in slots for length in range(len(slot.path))}
    for slot in slots:
        for length in range(1, len(slot.path) + 1):
            path = slot.path[:length]
            if path not in tabs:
                kind = "TabWidget" if path in parents else "ListWidget"
                more = {} if path in parents else {"divider": "110", "width": "300", "height": "300", "scale": "1.0"}
                tabs[path] = add(tabs[path[:-1]], WIDGET + kind, entryName=path[-1], **more)
        side = str(slot.side)
        add(
            tabs[slot.path],
            WIDGET + "PieceSlot",
            definition(slot.piece),
            entryName=slot.name,
            gpid=slot.piece.slot,
            width=side,
            height=side,
        )
