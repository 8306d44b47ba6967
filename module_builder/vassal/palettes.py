"""The palettes of a module: every counter, sorted by what is printed on it, and every marker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.pieces import Piece, definition
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
_LIST = {"width": "440", "height": "420", "scale": "1.0", "divider": "330"}
_NARROW = {"divider": "150"}
"""A list that shares its window with a narrow panel."""


class PaletteSlot(NamedTuple):
    """A piece of a palette: the words by which it is sorted, its name, and its size in pixels."""

    path: tuple[str, ...]
    name: str
    piece: Piece
    side: int


def add_palettes(
    root: etree._Element, maker: Maker, wanted: VassalModule, overlay: Sequence[OverlayPiece] = ()
) -> None:
    """The window with every counter of the module, and the one with its markers, in which a second tab has what shows supply,
    if there is any.
    """
    counters = _counters(maker, wanted)
    if counters:
        _fill(_window(root, "Counters", "All counters", PALETTES), "Counters", counters)
    markers = [PaletteSlot((), marker_name(*marked), maker.marker(*marked), wanted.counter) for marked in maker.marked]
    shown = [PaletteSlot((), made.name, made.piece, round(made.scene.height)) for made in overlay]
    if markers or shown:
        window = _window(root, "Markers", "The markers of hexes", MARKERS)
        group = add(window, WIDGET + "TabWidget", entryName="Markers") if markers and shown else window
        if markers:
            _pieces(group, "Markers", markers)
        if shown:
            _pieces(group, "Supply", shown, named=True)


def _counters(maker: Maker, wanted: VassalModule) -> list[PaletteSlot]:
    """The counters, sorted by what is printed on them; those without one of the words after the others."""
    slots = []
    for unit in maker.art:
        tracks = (maker.game.tracks[name] for name in wanted.palettes)
        path = tuple(maker.headings.word(track, unit) or _OTHERS for track in tracks)
        slots.append(PaletteSlot(path, maker.name(unit), maker.unit(unit), wanted.counter))
    first_seen = dict.fromkeys(word for slot in slots for word in slot.path if word != _OTHERS)
    places = {word: number for number, word in enumerate(first_seen)}
    return sorted(slots, key=lambda slot: [places.get(word, len(places)) for word in slot.path])


def _window(root: etree._Element, name: str, tip: str, key: Hotkey) -> etree._Element:
    looks = {"hidden": "false", "scale": "1.0", "defaultWidth": "480", "icon": icon_file(name.lower())}
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
    if deepest and depth:
        group = add(parent, WIDGET + "ListWidget", entryName=name, **_LIST)
    else:
        group = add(parent, WIDGET + "TabWidget", entryName=name)
    for word, some in groups.items():
        _fill(group, word, some, depth + 1)


def _pieces(parent: etree._Element, name: str, slots: Sequence[PaletteSlot], *, named: bool = False) -> None:
    """The pieces of one group: as pictures, or as a list of names if there are many, or nothing on them says what they are."""
    if named or len(slots) > _MOST_SHOWN:
        group = add(parent, WIDGET + "ListWidget", entryName=name, **_LIST | (_NARROW if named else {}))
    else:
        looks = {"scale": "1.0", "fixed": "true", "nColumns": str(_ABREAST), "vert": "false"}
        group = add(parent, WIDGET + "PanelWidget", entryName=name, **looks)
    for slot in slots:
        measures = {"width": str(slot.side), "height": str(slot.side)}
        said = definition(slot.piece)
        add(group, WIDGET + "PieceSlot", said, entryName=slot.name, gpid=slot.piece.slot, **measures)
