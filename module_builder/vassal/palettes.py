"""The palettes of a module: every counter, sorted by what is printed on it, and every marker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.pieces import Piece, write_definition
from assistant.game.gamefile import VassalModule

from .elements import MARKERS, MODULE, PALETTES, WIDGET, Hotkey, add
from .icons import icon_file
from .overlay import OverlayPiece
from .pieces.maker import Maker, marker_name

_OTHERS = "Others"
"""Where counters without a word stand."""
_ABREAST = 4
"""Pieces in a row of a panel."""
_MOST_SHOWN = 24
"""How many pieces a panel shows, for it does not scroll. A list of names does, and shows larger groups."""
_CELL = 1.2
"""What a piece takes in a palette with what it shows around its edges, as a share of its side."""
_LETTER = 8  # pixels, the width of a letter in the names of a list
_BESIDE = 40  # pixels that a list has beside its names
_NARROWEST = 110  # pixels, how narrow the names of a list may stand
_LOWEST = 420  # pixels, how low a list may be
_DIVIDER = 12  # pixels that divide the names from the pieces


class Room(NamedTuple):
    """What a part of a palette needs to be seen whole, in pixels."""

    width: int
    height: int


class PaletteSlot(NamedTuple):
    """A piece of a palette: the words by which it is sorted, its name, and its size in pixels."""

    path: tuple[str, ...]
    name: str
    piece: Piece
    side: int


def add_palettes(
    root: etree._Element, maker: Maker, wanted: VassalModule, overlay: Sequence[OverlayPiece] = ()
) -> None:
    """Add the window with every counter of the module, and the one with its markers, in which a second list has what
    shows supply, if there is any.
    """
    counters = _sort_counters(maker, wanted)
    add(
        root, MODULE + "PieceWindow", name="None", hidden="true"
    )  # VASSAL sets the first one of all beside the chat, cut off
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
    """Return the counters, sorted by what is printed on them; those without one of the words after the others."""
    slots = []
    for unit in maker.art:
        tracks = (maker.game.tracks[name] for name in wanted.palettes)
        path = tuple(maker.headings.word(track, unit) or _OTHERS for track in tracks)
        slots.append(PaletteSlot(path, maker.name(unit), maker.unit(unit), wanted.counter))
    first_seen = dict.fromkeys(word for slot in slots for word in slot.path if word != _OTHERS)
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
    """Put slots into a window or a part of it: tabs for words that are sorted further, a list for the last ones, then
    the pieces. Returns what it needs.
    """
    groups: dict[str, list[PaletteSlot]] = {}
    for slot in slots:
        groups.setdefault(slot.path[depth] if depth < len(slot.path) else "", []).append(slot)
    if groups.keys() == {""}:
        return _add_pieces(parent, name, slots)
    listed = depth + 1 == len(slots[0].path)
    group = add(parent, WIDGET + ("ListWidget" if listed else "TabWidget"), entryName=name)
    rooms = [_add_slots(group, word, some, depth + 1) for word, some in groups.items()]
    return _size_list(group, rooms, [*groups]) if listed else _cover(rooms)


def _even_out(window: etree._Element) -> None:
    """Make all lists of a window as large as the largest: it opens as large as the first of its tabs."""
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
    """Add the pieces of one group: as pictures, or as a list of names if there are many, or nothing on them says what
    they are. Returns what they need.
    """
    listed = named or len(slots) > _MOST_SHOWN
    if listed:
        group = add(parent, WIDGET + "ListWidget", entryName=name)
    else:
        columns = str(_ABREAST)
        panel = WIDGET + "PanelWidget"
        group = add(parent, panel, entryName=name, scale="1.0", fixed="true", nColumns=columns, vert="false")
    for slot in slots:
        content, side = write_definition(slot.piece), str(slot.side)
        add(group, WIDGET + "PieceSlot", content, entryName=slot.name, gpid=slot.piece.slot, width=side, height=side)
    cell = round(max(slot.side for slot in slots) * _CELL)
    if listed:
        return _size_list(group, [Room(cell, cell)], [slot.name for slot in slots])
    return Room(_ABREAST * cell, -(-len(slots) // _ABREAST) * cell)


def _cover(rooms: Sequence[Room]) -> Room:
    """Return what is enough for each."""
    return Room(max(room.width for room in rooms), max(room.height for room in rooms))


def _size_list(group: etree._Element, rooms: Sequence[Room], names: Sequence[str]) -> Room:
    """Set the size of a list, and return it: what any of its entries needs, and its names beside that."""
    inside = _cover(rooms)
    beside = max(max(map(len, names)) * _LETTER + _BESIDE, _NARROWEST)
    room = Room(inside.width + _DIVIDER + beside, max(inside.height, _LOWEST))
    looks = {"width": room.width, "height": room.height, "scale": "1.0", "divider": inside.width}
    group.attrib.update({name: str(value) for name, value in looks.items()})
    return room
