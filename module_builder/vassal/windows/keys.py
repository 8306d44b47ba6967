"""The keys of a module's buttons, and the page that lists them and those of counters."""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.declared import tracker
from assistant.formats.vassal.traits import CONTROL, CONTROL_SHIFT, key
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.state.tracks import Track

from ..elements import ALT
from ..pieces import traits
from ..pieces.statuses import ending
from ..pieces.traits import MOVED, OUT_OF_PLAY, RETURN, TRAIL, Line

_WORDS = {CONTROL: "Ctrl", CONTROL_SHIFT: "Ctrl+Shift", ALT: "Alt"}


class Hotkey(NamedTuple):
    """The key of a button."""

    letter: str
    modifiers: int = ALT

    @property
    def stroke(self) -> str:
        """As the build file has it."""
        return key(self.letter, self.modifiers)

    @property
    def words(self) -> str:
        """As players read it."""
        return f"{_WORDS[self.modifiers]}+{self.letter}"


PALETTES, MARKERS = Hotkey("C", CONTROL), Hotkey("C", CONTROL_SHIFT)
INVENTORY, NOTES, CHARTS, AWAY = Hotkey("I"), Hotkey("B"), Hotkey("C"), Hotkey("O")
NEXT_TURN, LAST_TURN, TURN, TRACK = Hotkey("N"), Hotkey("P"), Hotkey("U"), Hotkey("U", CONTROL_SHIFT)
CLEAR_MOVED, END_OF_PHASE, LINE, OVERVIEW = Hotkey("K"), Hotkey("G"), Hotkey("L"), Hotkey("O", CONTROL_SHIFT)
LARGER, SMALLER = Hotkey("=", CONTROL), Hotkey("-", CONTROL)


def dice_key(number: int) -> str:
    """The keystroke of the dice button with this number, from 0; "" beyond the ninth."""
    return Hotkey(str(number + 1)).stroke if number < 9 else ""


def lapses(game: Game) -> dict[str, list[Track]]:
    """What ends with what, by the words of a button: the statuses of counters that one press takes off."""
    tracks: dict[str, list[Track]] = {}
    for track in game.tracks.values():
        if track.on == "unit" and track.module is not None and track.ends_with and track.kind != "text":
            tracks.setdefault(ending(track), []).append(track)
    return tracks


def key_page(game: Game, wanted: VassalModule) -> str:
    """All keys on one page of the plain HTML that VASSAL shows."""
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    _table(body, "The table", _buttons(game, wanted))
    for group, lines in _groups(game).items():
        _table(body, group, lines)
    _table(body, "VASSAL itself", _OF_VASSAL)
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


_OF_VASSAL = [
    ("One step of a log forward", "Page Down"),
    ("Undo", "Ctrl+Z"),
    ("Move the chosen counters hex by hex", "Arrow keys"),
    ("Spread out a stack", "Double click"),
    ("Choose several counters", "Shift+click, or drag a frame"),
    ("Look into a stack", "Wait over it, or Ctrl+Space"),
]


def _buttons(game: Game, wanted: VassalModule) -> list[tuple[str, str]]:
    buttons = [("Counters", PALETTES.words), ("Markers", MARKERS.words)]
    buttons += [(f"Roll {dice}d{sides}", f"Alt+{n}") for n, (dice, sides) in enumerate(wanted.dice, 1) if n < 10]
    if tracker(game) is not None:
        buttons += [("Next phase or turn", NEXT_TURN.words), ("The one before", LAST_TURN.words)]
        buttons += [("Turn counter", TURN.words), ("Turn track", TRACK.words)]
    buttons += [
        ("Charts", CHARTS.words),
        ("Inventory", INVENTORY.words),
        ("Notes", NOTES.words),
        ("Counters out of play", AWAY.words),
    ]
    buttons += [("Clear the marks and trails of all that moved", CLEAR_MOVED.words)]
    for button, tracks in lapses(game).items():
        words = END_OF_PHASE.words if button == "End of phase" else ""
        buttons.append((f"{button}: clear {', '.join(track.title for track in tracks)}", words))
    return [
        *buttons,
        ("Count hexes", LINE.words),
        ("Overview", OVERVIEW.words),
        ("Larger, smaller", f"{LARGER.words}, {SMALLER.words}"),
    ]


def _groups(game: Game) -> dict[str, list[tuple[str, str]]]:
    """The lines of counters' menus with their keys, by group."""
    groups: dict[str, list[tuple[str, str]]] = {"Counters": [_line(OUT_OF_PLAY), _line(RETURN)]}
    for track in game.tracks.values():
        if track.module is not None and track.on in ("unit", "hex"):
            group = "Markers of hexes" if track.on == "hex" else track.module.group or "Counters"
            pairs = zip_longest(track.module.menu, track.module.keys, fillvalue="")
            groups.setdefault(group, []).extend((menu, f"Ctrl+{letter}" if letter else "") for menu, letter in pairs)
    groups["Movement"] = [_line(MOVED), _line(TRAIL)]
    if game.file.sides:
        groups["Hide"] = [_line(line) for line in (traits.FACE_DOWN, traits.WHOLE_STACK, traits.OUT_OF_SIGHT)]
    return groups


def _line(line: Line) -> tuple[str, str]:
    return line.menu, Hotkey(line.letter, line.modifiers).words


def _table(body: etree._Element, title: str, lines: list[tuple[str, str]]) -> None:
    etree.SubElement(body, "h3").text = title
    table = etree.SubElement(body, "table", border="1", cellpadding="3", cellspacing="0")
    for what, pressed in lines:
        row = etree.SubElement(table, "tr")
        etree.SubElement(row, "td").text = what
        etree.SubElement(etree.SubElement(row, "td"), "b").text = pressed
