"""The parts of a module besides pieces, maps and set-ups: dice, charts, turns, and parts that have no place in a game."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree.ElementTree import Element

from assistant.formats.vassal.controls import TurnLevel, all_levels
from assistant.formats.vassal.modules import EXTENDS
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.turn_lists import read_tracker_state
from assistant.util.errors import InputError

from ..vassal.elements import MODULE, WIDGET
from ..vassal.extras import PAGES, check_file
from .findings import Findings
from .names import WORDS, Names, clean_text, slug
from .source import Source

_DICE_PER_BUTTON = range(1, 21)
_SIDES_PER_DIE = range(2, 101)
_MAX_TURNS = 200
DEFAULT_TURNS = 30
"""Turns of a track if the module counts turns without end, or not at all."""
_MAX_FIRST_TURN = 9999
_IMPORTED_ELEMENTS = (
    "PlayerRoster Map PrivateMap PieceWindow PrototypesContainer DiceButton ChartWindow turn.TurnTracker PredefinedSetup "
    "ExtensionElement"
)
_REMADE_ELEMENTS = (
    "BasicCommandEncoder BasicLogger Chatter KeyNamer GlobalOptions Documentation NotesWindow Inventory Language "
    "properties.GlobalProperties ModuleExtension gamepieceimage.GamePieceImageDefinitions"
)
_KNOWN_ELEMENTS = {MODULE + name for name in (*_IMPORTED_ELEMENTS.split(), *_REMADE_ELEMENTS.split())} | {
    "VASSAL.i18n.Language"
}


def read_dice(source: Source, findings: Findings) -> list[tuple[int, int]]:
    """Return the dice of a module's buttons: number and sides."""
    kinds: dict[tuple[int, int], None] = {}
    for button in source.module.controls.dice:
        if button.dice in _DICE_PER_BUTTON and button.faces in _SIDES_PER_DIE:
            kinds[button.dice, button.faces] = None
        else:
            findings.left_out("dice other than 1 to 20 dice of 2 to 100 sides", button.name)
    return [*kinds]


class Charts(NamedTuple):
    """A module's charts: titles with file names, and the files."""

    shown: list[tuple[str, str]]
    files: dict[str, bytes]


def read_charts(source: Source, findings: Findings) -> Charts:
    """Return the pictures and pages of the chart windows, without files that our modules may not contain."""
    taken, names = Charts([], {}), Names("chart", form=WORDS)
    for chart in source.elements(WIDGET + "Chart"):
        title, picture = _title_of(chart), source.picture(chart.get("fileName", ""))
        if picture is None:
            findings.left_out("charts without a usable picture", title)
        else:
            _add_chart(taken, names, title, picture.ending, picture.data, findings)
    for chart in source.elements(WIDGET + "HtmlChart"):
        title, name = _title_of(chart), chart.get("fileName", "")
        data = source.file(name)
        if data is None or name.rpartition(".")[2].lower() not in PAGES:
            findings.left_out("charts without a usable page", title)
        else:
            _add_chart(taken, names, title, "html", data, findings)
    return taken


def _title_of(chart: Element) -> str:
    return clean_text(chart.get("chartName", "")) or "Chart"


def _add_chart(collected: Charts, names: Names, title: str, ending: str, data: bytes, findings: Findings) -> None:
    file = f"charts/{names.give(slug(title) or 'chart')}.{ending}"
    try:
        collected.files[file] = check_file(file, data)
    except InputError as error:
        findings.left_out(f"charts that are refused: {error.what}", title)
        return
    collected.shown.append((title, file))


def read_turn(source: Source, save: Save) -> int | None:
    """Return the number of the turn in a save of the module, or None if there is none."""
    try:
        label, _ = read_tracker_state(next(iter(save.turns.values()), ""), ())
        turn = int(label)
    except (ValueError, IndexError):
        return None
    trackers = source.module.controls.trackers
    entries = trackers[0][0].entries if trackers and trackers[0] else ()
    if not entries:
        return turn
    if not 0 <= turn < len(entries) or not clean_text(entries[turn]):
        return None
    # `turn` is an index into all entries, but only entries with a name become turns.
    return sum(1 for entry in entries[: turn + 1] if clean_text(entry))


class Turns(NamedTuple):
    """The turn tracker."""

    least: int
    """The number of the first turn."""
    most: int
    """The number of the last turn."""
    names: dict[int, str]
    """Names of turns by number."""
    lists: list[list[str]]
    """Titles and entries of the lists within a turn."""


def read_turns(source: Source, findings: Findings) -> Turns | None:
    """Return the turn tracker of a module, or None if it has none."""
    trackers = source.module.controls.trackers
    if len(trackers) > 1:
        findings.left_out("turn trackers beyond the first")
    if not trackers or not trackers[0]:
        return None
    level, *others = trackers[0]
    for other in others:
        findings.left_out("levels of the turn tracker besides the first", clean_text(other.name))
    lists = []
    for within in all_levels(level.below):
        if within.entries:
            lists.append(_clean_entries(within))
        else:
            findings.left_out("counters within a turn", clean_text(within.name))
    return _read_list(level, lists, findings) if level.entries else _read_count(level, lists, findings)


def _read_list(level: TurnLevel, lists: list[list[str]], findings: Findings) -> Turns | None:
    """Return the turns of a list, or None if none of them has a name."""
    entries = _clean_entries(level)
    for entry in entries[_MAX_TURNS:]:
        findings.left_out(f"turns beyond the first {_MAX_TURNS}", entry)
    entries = entries[:_MAX_TURNS]
    if not entries:
        findings.left_out("a turn tracker whose turns have no names", clean_text(level.name))
        return None
    return Turns(1, len(entries), dict(enumerate(entries, 1)), lists)


def _read_count(level: TurnLevel, lists: list[list[str]], findings: Findings) -> Turns:
    first = min(max(level.first, 0), _MAX_FIRST_TURN)
    if first != level.first:
        findings.left_out(f"turns that begin below 0 or beyond {_MAX_FIRST_TURN}", str(level.first))
    if not level.last or level.last < first:
        last = first + DEFAULT_TURNS - 1
        findings.left_out(f"an endless count of turns: [turn] in tracks.toml has {DEFAULT_TURNS}")
    else:
        last = min(level.last, first + _MAX_TURNS - 1)
        if last != level.last:
            findings.left_out(f"turns beyond the first {_MAX_TURNS}", f"{last + 1} to {level.last}")
    if level.step != 1:
        findings.left_out("turns that are not counted one by one")
    return Turns(first, last, {}, lists)


def _clean_entries(level: TurnLevel) -> list[str]:
    return [name for entry in level.entries if (name := clean_text(entry))]


def note_others(source: Source, findings: Findings) -> None:
    """Note the elements of a module and its extensions that have no place in the builder's files."""
    for root in source.roots:
        for child in (*root, *root.iterfind(f"{EXTENDS}[@target='']/*")):
            if "." in child.tag and child.tag not in _KNOWN_ELEMENTS:
                name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", child.tag.rpartition(".")[2])
                title = clean_text(child.get("name") or child.get("mapName") or child.get("text") or "")
                description = f"{name}: {title}" if title else name
                findings.left_out("buttons, windows and commands that the builder cannot place", description)
