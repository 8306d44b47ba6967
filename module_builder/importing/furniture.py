"""What a module has besides pieces and maps: sides, dice, charts, the turn tracker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.elements.starts import whole
from assistant.formats.vassal.sequence import split
from assistant.util.errors import InputError

from ..vassal.elements import MODULE, WIDGET
from ..vassal.extras import PAGES, checked
from .findings import Findings
from .names import WORDS, Names, cleaned, slug
from .source import Source

_DICE, _SIDES = range(1, 21), range(2, 101)
_TURNS = 200
"""How many turns a track has at most."""
_ENDLESS = 30
"""How many turns it has where the module counts without end."""
_TAKEN = (
    "PlayerRoster Map PrivateMap PieceWindow PrototypesContainer DiceButton ChartWindow turn.TurnTracker PredefinedSetup "
    "ExtensionElement"
)
_ANEW = (
    "BasicCommandEncoder BasicLogger Chatter KeyNamer GlobalOptions Documentation NotesWindow Inventory Language "
    "properties.GlobalProperties ModuleExtension gamepieceimage.GamePieceImageDefinitions"
)
_KNOWN = {MODULE + name for name in (*_TAKEN.split(), *_ANEW.split())} | {"VASSAL.i18n.Language"}


def sides(source: Source) -> list[str]:
    """The sides that players choose from, as the module names them."""
    return [
        entry.text or "" for roster in source.elements(MODULE + "PlayerRoster") for entry in roster.iterfind("entry")
    ]


def dice(source: Source, findings: Findings) -> list[tuple[int, int]]:
    """The dice of its buttons: how many of how many sides."""
    found: dict[tuple[int, int], None] = {}
    for button in source.elements(MODULE + "DiceButton"):
        pair = whole(button.get("nDice", "")), whole(button.get("nSides", ""))
        if pair[0] in _DICE and pair[1] in _SIDES:
            found[pair] = None
        else:
            findings.left_out("dice that are none of 1 to 20 dice of 2 to 100 sides", button.get("name", ""))
    return [*found]


class Charts(NamedTuple):
    """The charts of a module: each a title with its file, and the files."""

    shown: list[tuple[str, str]]
    files: dict[str, bytes]


def charts(source: Source, findings: Findings) -> Charts:
    """The pictures and pages of its chart windows; what a module of ours may not hold is left out."""
    found, names = Charts([], {}), Names("chart", form=WORDS)
    for chart in source.elements(WIDGET + "Chart"):
        title, picture = _title(chart), source.picture(chart.get("fileName", ""))
        if picture is None:
            findings.left_out("charts without a picture that can be used", title)
        else:
            _add_chart(found, names, title, picture.ending, picture.data, findings)
    for chart in source.elements(WIDGET + "HtmlChart"):
        title, name = _title(chart), chart.get("fileName", "")
        data = source.file(name)
        if data is None or name.rpartition(".")[2].lower() not in PAGES:
            findings.left_out("charts without a page that can be used", title)
        else:
            _add_chart(found, names, title, "html", data, findings)
    return found


def _title(chart: etree._Element) -> str:
    return cleaned(chart.get("chartName", "")) or "Chart"


def _add_chart(found: Charts, names: Names, title: str, ending: str, data: bytes, findings: Findings) -> None:
    file = f"charts/{names.given(slug(title) or 'chart')}.{ending}"
    try:
        found.files[file] = checked(file, data)
    except InputError as error:
        findings.left_out(f"charts that are refused: {error.what}", title)
        return
    found.shown.append((title, file))


class Turns(NamedTuple):
    """The turn tracker. least, most: the numbers of its turns; names: what they are called, by number; lists: what each turn goes through."""

    least: int
    most: int
    names: dict[int, str]
    lists: list[list[str]]


def turns(source: Source, findings: Findings) -> Turns | None:
    """The turn tracker of a module, None if it has none."""
    trackers = [*source.elements(MODULE + "turn.TurnTracker")]
    for other in trackers[1:]:
        findings.left_out("turn trackers beyond the first", other.get("name", ""))
    level = next(_levels(trackers[0]), None) if trackers else None
    if level is None:
        return None
    lists = [_entries(below) for below in level.iter(MODULE + "turn.ListTurnLevel") if below is not level]
    if level.tag == MODULE + "turn.ListTurnLevel":
        entries = _entries(level)[:_TURNS]
        return Turns(1, len(entries), dict(enumerate(entries, 1)), lists) if entries else None
    start = min(max(whole(level.get("start", "")), 0), 9999)
    most = whole(level.get("loopLimit", "")) if level.get("loop") == "true" else start + _ENDLESS
    if not start < most < start + _TURNS:
        most = start + _ENDLESS
    if level.get("loop") != "true":
        findings.left_out(f"turns without an end: [turn] in tracks.toml has {_ENDLESS} of them")
    if level.get("incr", "1") != "1":
        findings.left_out("turns that are not counted one by one")
    return Turns(start, most, {}, lists)


def _levels(tracker: etree._Element) -> Iterator[etree._Element]:
    return (one for one in tracker if isinstance(one.tag, str) and one.tag.endswith("TurnLevel"))


def _entries(level: etree._Element) -> list[str]:
    return [name for entry in split(level.get("list", ""), ",") if (name := cleaned(entry))]


def others(source: Source, findings: Findings) -> None:
    """Note the elements of a module that have no place in the builder's files."""
    found: Counter[str] = Counter()
    for root in source.roots:
        for child in root:
            if isinstance(child.tag, str) and "." in child.tag and child.tag not in _KNOWN:
                name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", child.tag.rpartition(".")[2])
                found[f"{name}: {cleaned(child.get('name') or child.get('text') or '')}".rstrip(": ")] += 1
    for name in found:
        findings.left_out("buttons, windows and commands that the builder has no place for", name)
