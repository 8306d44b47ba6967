"""The build file of a module: its windows, dice and properties, and the palettes with all counters and markers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.grids import Regions
from assistant.formats.vassal.legends import PLAYER, REPORT, TOTAL, UNIT, game_tracks, turn_track
from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait
from assistant.game.gamefile import VassalModule
from assistant.state.tracks import Track
from assistant.util.typesetting import sentence

from . import icons
from .charts import GameCharts, add_chart_window
from .elements import AWAY, INVENTORY, MARKERS, MODULE, NOTES, PALETTES, TRACK, UNDO, WIDGET, Hotkey, add
from .icons import icon_file
from .keys import dice_key, tracks_by_end
from .module_setting import MAP, ModuleSetting
from .overlay import OverlayPiece
from .pieces.maker import FIRST_FREE_SLOT, Maker, heading_property, marker_name
from .pieces.statuses import MAX_LEVELS
from .pieces.traits import private_window
from .records import RECORDS, RecordSheet
from .sheets import OUT_WINDOW
from .turn_track import TURNS, TurnTrack, add_frames, add_turn_tracker, put_pieces
from .windows import BOXES, SideWindow, add_layers, add_map_window, add_side_window, sheet_image

BOARD_PICTURE = "board"
"""The file name of the board's picture in a module, without the extension."""
HELP = "help.html"
KEYS = "keys.html"
VASSAL_VERSION = "3.6.0"
"""The oldest engine that the modules are made for; newer ones open them too."""
_OTHER_COUNTERS = "Others"
"""The group of counters without a word."""
_PIECES_PER_ROW = 4
"""The number of pieces in a row of a panel."""
_MAX_PANEL_PIECES = 24
"""The maximum number of pieces in a panel, which does not scroll. A list of names does, and shows larger groups."""
_CELL_SIDE_FACTOR = 1.2
"""The side of a cell in a palette, as a multiple of the side of a piece."""
_LETTER_WIDTH_PX = 8
"""The width of a letter in the names of a list."""
_LIST_MARGIN_PX = 40
"""The width of a list beside its names."""
_MIN_NAMES_WIDTH_PX = 110
"""The minimum width of the names of a list."""
_MIN_LIST_HEIGHT_PX = 420
"""The minimum height of a list."""
_DIVIDER_WIDTH_PX = 12
"""The width of the divider between the names and the pieces."""


def build_file(
    setting: ModuleSetting, wanted: VassalModule, picture: str, setups: Sequence[tuple[str, str]], charts: GameCharts
) -> etree._Element:
    """Return the root of the file `buildFile.xml`.

    `picture`: the file of the board's picture.
    `setups`: the title and file of each set-up.
    """
    about, sides, turn = setting.about, setting.game.file.sides, turn_track(setting.game)
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
    for title, page in (("About this module", HELP), ("Keys", KEYS)):
        add(documentation, MODULE + "documentation.HelpFile", title=title, fileName=page, fileType="archive")
    if sides:
        _add_roster(root, sides)
    options = add(root, MODULE + "GlobalOptions", promptString="Opponents can unmask my pieces", autoReport="Always")
    add(options, "option", UNDO.stroke, name="undoHotKey")
    _add_properties(root, setting, turn)
    prototypes = add(root, MODULE + "PrototypesContainer")
    for name, held in setting.maker.named.items():
        prototype = Piece("null", (*held, Trait("piece;;;;")))
        add(prototypes, MODULE + "PrototypeDefinition", write_definition(prototype), name=name, description="")
    add_palettes(root, setting.maker, wanted, setting.overlay)
    for number, dice in enumerate(wanted.dice):
        _add_dice(root, *dice, dice_key(number))
    tracker = add_turn_tracker(root, turn, setting.tracker_lists) if turn is not None else None
    _add_inventory(root, setting.maker.headings.depth, tuple(sides))
    icon = icon_file(icons.NOTES)
    add(root, MODULE + "NotesWindow", buttonText="Notes", icon=icon, tooltip="Notes", hotkey=NOTES.stroke)
    add_chart_window(root, charts, wanted)
    _add_windows(root, setting, picture, tracker)
    for title, file in setups:
        add(root, MODULE + "PredefinedSetup", name=title, file=file, useFile="true", isMenu="false", description="")
    add(root, MODULE + "Chatter")
    add(root, MODULE + "KeyNamer")
    return root


def _add_roster(root: etree._Element, sides: Iterable[str]) -> None:
    """Add the button by which players take a side."""
    tip = "Leave your side, or take one"
    roster = add(root, MODULE + "PlayerRoster", buttonText="Side", buttonIcon=icon_file(icons.SIDE), buttonToolTip=tip)
    for side in sides:
        add(roster, "entry", side)


def _add_windows(root: etree._Element, setting: ModuleSetting, picture: str, tracker: etree._Element | None) -> None:
    """Add the map, and the windows beside it: pictures of other boards, drawn sheets, the turn track."""
    boxes_first = setting.opens_on_boxes
    if boxes_first:  # VASSAL opens on the first map window of a module
        _add_boxes_window(root, setting, first=True)
    window = add_map_window(
        root,
        MAP,
        setting.board,
        picture,
        setting.grid.grid,
        tracks_by_end(setting.game),
        first=not boxes_first,
        drawn=not boxes_first,
    )
    add_layers(window, setting.game, supply=bool(setting.overlay))
    for title, shown in setting.windows.items():
        add_side_window(root, SideWindow(title, title, shown.image, shown.grid.grid, moves=True, zooms=True))
    if BOXES in setting.displays and not boxes_first:
        _add_boxes_window(root, setting)
    _add_displays(root, setting)
    if setting.records is not None:
        _add_record_window(root, setting.records, setting.maker.slots)
    if setting.track is not None:
        window = _add_turn_window(root, setting.track)
        if tracker is not None:
            add_frames(tracker, window, setting.turn_frames)


def _add_displays(root: etree._Element, setting: ModuleSetting) -> None:
    """Add the windows of counters out of play, and of what only one side sees."""
    sides = {private_window(side): side for side in setting.game.file.sides}
    for name, display in setting.displays.items():
        if name == OUT_WINDOW:
            tip = "Counters out of play"
            out = SideWindow(
                name, tip, sheet_image(name), setting.dead_pile_grid, icon=icons.OUT_OF_PLAY, hotkey=AWAY.stroke
            )
            add_side_window(root, out)
        elif name != BOXES:
            side = sides[name]
            button = f"Private {setting.game.file.title_of(side)}"
            private = SideWindow(name, display.title, sheet_image(name), None, side=side, button=button, icon=name)
            add_side_window(root, private)


def _add_record_window(root: etree._Element, records: RecordSheet, slots: Mapping[str, str]) -> None:
    """Add the window of the record tracks with their markers.

    `slots`: the id of each piece by its name.
    """
    tip, at = "The record tracks, such as those of Victory Points", Regions.of(records.boxes)
    sheet = SideWindow(RECORDS, tip, sheet_image(RECORDS), at, icon=icons.RECORDS, moves=True, zooms=True)
    put_pieces(add_side_window(root, sheet), records.pieces(slots))


def _add_turn_window(root: etree._Element, track: TurnTrack) -> etree._Element:
    boxes = Regions.of({track.name(int(number)): at for number, at in track.middles.items()})
    tip, key = "The turn track, with who arrives when", TRACK.stroke
    sheet = SideWindow(TURNS, tip, sheet_image(TURNS), boxes, icon=icons.TURNS, hotkey=key, moves=True, zooms=True)
    return add_side_window(root, sheet)


def _add_boxes_window(root: etree._Element, setting: ModuleSetting, *, first: bool = False) -> None:
    """Add the window of the boxes beside the map, on which the module opens if it is the `first`."""
    boxes = Regions.of(setting.displays[BOXES].middles)
    tip = "Places beside the map"
    sheet = SideWindow(BOXES, tip, sheet_image(BOXES), boxes, icon=icons.BOXES, zooms=first, first=first)
    add_side_window(root, sheet)


def write_buildfile(root: etree._Element, version: str) -> bytes:
    """Return the bytes of the file, for a version of the module."""
    root.set("version", version)
    etree.indent(root, " ")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


# --- facts of the game ------------------------------------------------------------------------------------------------


def _add_properties(root: etree._Element, setting: ModuleSetting, turn: Track | None) -> None:
    """Add global properties: the data of the module, and the facts of the game that buttons change."""
    holder = add(root, MODULE + "properties.GlobalProperties")
    for name, value in setting.properties.items():
        _add_property(holder, name, value)
    for track in game_tracks(setting.game):
        if track is turn:
            continue
        value = "" if track.absent is None else track.write(track.absent)
        element = _add_property(holder, track.name, value, track.title)
        if track.module is not None:
            words = [track.write(value) for value in track.in_turn(track.most or MAX_LEVELS)]
            add(
                element,
                MODULE + "properties.ChangePropertyButton",
                text=track.module.menu[0],
                tooltip=f"Set: {track.title}",
                propChanger=join(("E", sentence(track.title), join(words, ",")), ","),
                reportFormat=f"{sentence(track.title)}: $newValue$",
                hotkey="",
                icon=icon_file(icons.STATE),
            )


def _add_property(holder: etree._Element, name: str, value: str, description: str = "") -> etree._Element:
    return add(
        holder,
        MODULE + "properties.GlobalProperty",
        name=name,
        initialValue=value,
        isNumeric="false",
        description=description,
    )


def _add_dice(root: etree._Element, number: int, sides: int, stroke: str) -> None:
    name = f"{number}d{sides}"
    report = REPORT + (TOTAL if number > 1 else "") + PLAYER
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
        hotkey=stroke,
    )


def _add_inventory(root: etree._Element, depth: int, sides: Sequence[str]) -> None:
    """Add the window that lists all counters on the map under headings, except those hidden from the player.

    `depth`: the number of headings above a counter.
    """
    unseen = (f'(CurrentMap=="{private_window(side)}" && PlayerSide!="{side}")' for side in sides)
    listed = " && ".join((f'{UNIT}!=""', "Invisible!=true", *(f"!{window}" for window in unseen)))
    add(
        root,
        MODULE + "Inventory",
        name="Inventory",
        text="Inventory",
        tooltip="All counters on the map",
        icon=icon_file(icons.INVENTORY),
        include=f"{{{listed}}}",
        groupBy=",".join(map(heading_property, range(depth))),
        leafFormat="$PieceName$ ($LocationName$)",
        nonLeafFormat="$PropertyValue$",
        sortFormat='{PropertyValue=="" ? PieceName : PropertyValue}',  # only headings have `PropertyValue`
        sorting="length",  # sorts Corps 6 before Corps 13
        pieceZoom="0.5",
        sides="",
        hotkey=INVENTORY.stroke,
    )


class Room(NamedTuple):
    """The size of a part of a palette, in pixels."""

    width: int
    height: int


class PaletteSlot(NamedTuple):
    """A piece of a palette: the words that sort it, its name, and its size in pixels."""

    path: tuple[str, ...]
    name: str
    piece: Piece
    side: int


def add_palettes(
    root: etree._Element, maker: Maker, wanted: VassalModule, overlay: Sequence[OverlayPiece] = ()
) -> None:
    """Add a window with every counter of the module, and one with its markers and the pieces that show supply."""
    counters = _sort_counters(maker, wanted)
    # VASSAL docks the first palette beside the chat and cuts it off, so the first one is a hidden one.
    add(root, MODULE + "PieceWindow", name="None", hidden="true")
    if counters:
        window = _add_window(root, "Counters", "All counters", PALETTES)
        _add_slots(window, "Counters", counters)
        _even_out(window)
    markers = [PaletteSlot((), marker_name(*marked), maker.marker(*marked), wanted.counter) for marked in maker.marked]
    shown = [PaletteSlot((), made.name, made.piece, round(made.scene.height)) for made in overlay]
    if markers or shown:
        window = _add_window(root, "Markers", "The markers of hexes", MARKERS)
        kinds = {name: slots for name, slots in (("Markers", markers), ("Supply", shown)) if slots}
        group = add(window, WIDGET + "ListWidget", entryName="Markers") if len(kinds) > 1 else window
        rooms = [_add_pieces(group, name, slots, named=name == "Supply") for name, slots in kinds.items()]
        if len(kinds) > 1:
            _size_list(group, rooms, [*kinds])


def _sort_counters(maker: Maker, wanted: VassalModule) -> list[PaletteSlot]:
    """Return the counters, sorted by what is printed on them; those without a word come last."""
    slots = []
    for unit in maker.art:
        tracks = (maker.game.tracks[name] for name in wanted.palettes)
        path = tuple(maker.headings.word(track, unit) or _OTHER_COUNTERS for track in tracks)
        slots.append(PaletteSlot(path, maker.name(unit), maker.unit(unit), wanted.counter))
    first_seen = dict.fromkeys(word for slot in slots for word in slot.path if word != _OTHER_COUNTERS)
    places = {word: number for number, word in enumerate(first_seen)}
    return sorted(slots, key=lambda slot: [places.get(word, len(places)) for word in slot.path])


def _add_window(root: etree._Element, name: str, tip: str, key: Hotkey) -> etree._Element:
    return add(
        root,
        MODULE + "PieceWindow",
        name=name,
        text=name,
        tooltip=tip,
        hotkey=key.stroke,
        hidden="false",
        scale="1.0",
        icon=icon_file(name.lower()),
    )


def _add_slots(parent: etree._Element, name: str, slots: Sequence[PaletteSlot], depth: int = 0) -> Room:
    """Add slots to a window or a part of it, and return the room that they need.

    Words that are sorted further become tabs, the last ones a list.
    """
    groups: dict[str, list[PaletteSlot]] = {}
    for slot in slots:
        groups.setdefault(slot.path[depth] if depth < len(slot.path) else "", []).append(slot)
    if groups.keys() == {""}:
        return _add_pieces(parent, name, slots)
    listed = depth + 1 == len(slots[0].path)
    group = add(parent, WIDGET + ("ListWidget" if listed else "TabWidget"), entryName=name)
    rooms = [_add_slots(group, word, some, depth + 1) for word, some in groups.items()]
    return _size_list(group, rooms, [*groups]) if listed else _cover_rooms(rooms)


def _even_out(window: etree._Element) -> None:
    """Make all lists of a window as large as the largest: it opens in the size of its first tab."""
    lists = [
        part
        for part in window.iter(WIDGET + "ListWidget")
        if WIDGET + "ListWidget" not in {above.tag for above in part.iterancestors()}
    ]
    for measure in ("width", "height"):
        most = max((int(part.get(measure, "0")) for part in lists), default=0)
        for part in lists:
            part.set(measure, str(most))


def _add_pieces(parent: etree._Element, name: str, slots: Sequence[PaletteSlot], *, named: bool = False) -> Room:
    """Add the pieces of one group, and return the room that they need.

    They are shown as pictures, or as a list of names if there are many or nothing is printed on them.
    """
    listed = named or len(slots) > _MAX_PANEL_PIECES
    if listed:
        group = add(parent, WIDGET + "ListWidget", entryName=name)
    else:
        columns = str(_PIECES_PER_ROW)
        panel = WIDGET + "PanelWidget"
        group = add(parent, panel, entryName=name, scale="1.0", fixed="true", nColumns=columns, vert="false")
    for slot in slots:
        content, side = write_definition(slot.piece), str(slot.side)
        add(group, WIDGET + "PieceSlot", content, entryName=slot.name, gpid=slot.piece.slot, width=side, height=side)
    cell = round(max(slot.side for slot in slots) * _CELL_SIDE_FACTOR)
    if listed:
        return _size_list(group, [Room(cell, cell)], [slot.name for slot in slots])
    return Room(_PIECES_PER_ROW * cell, -(-len(slots) // _PIECES_PER_ROW) * cell)


def _cover_rooms(rooms: Sequence[Room]) -> Room:
    """Return a room large enough for each."""
    return Room(max(room.width for room in rooms), max(room.height for room in rooms))


def _size_list(group: etree._Element, rooms: Sequence[Room], names: Sequence[str]) -> Room:
    """Set the size of a list, and return it: the room of its largest entry, and its names beside that."""
    inside = _cover_rooms(rooms)
    beside = max(max(map(len, names)) * _LETTER_WIDTH_PX + _LIST_MARGIN_PX, _MIN_NAMES_WIDTH_PX)
    room = Room(inside.width + _DIVIDER_WIDTH_PX + beside, max(inside.height, _MIN_LIST_HEIGHT_PX))
    looks = {"width": room.width, "height": room.height, "scale": "1.0", "divider": inside.width}
    group.attrib.update({name: str(value) for name, value in looks.items()})
    return room
