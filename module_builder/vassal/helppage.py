"""The module's help page: what it is, how its counters say what the assistant reads, and which values are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from assistant.formats.vassal.positions import HEADING
from assistant.gamefile import VassalModule
from assistant.games import Game

from ..counters import Counter


def help_page(game: Game, wanted: VassalModule, made: Sequence[Counter], left_out: Mapping[str, Sequence[str]]) -> str:
    """The page as HTML of the plain kind that VASSAL shows."""
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    _add(body, "h1", wanted.name)
    _add(body, "p", wanted.about)
    _add(body, "p", game.file.about)
    _add(body, "h2", "What the counters say")
    _add(
        body,
        "p",
        "Click a counter with the right button, or use the key, to change what its tags show. Save the game; the "
        "assistant reads the save: assistant check GAME.vsav, assistant supply GAME.vsav, assistant battle GAME.vsav.",
    )
    table = etree.SubElement(body, "table", border="1", cellpadding="3")
    for track in game.tracks.values():
        if track.module is not None and track.on in ("unit", "hex"):
            row = etree.SubElement(table, "tr")
            _add(row, "td", f"{track.title} ({track.rule})")
            keys = (
                f"{menu} (Ctrl+{key})" if key else menu for menu, key in _menus(track.module.menu, track.module.keys)
            )
            _add(row, "td", ", ".join(keys))
    _add(body, "h2", "What they do not say")
    _add(
        body,
        "p",
        f"Terrain, rivers and whatever else lies on the map is unknown until somebody states it: in the window Notes, "
        f"tab Public, below the line “{HEADING}”, in position notation: 41.19 clear, or 41.19|40.19 open. Questions may "
        f"stand there too: ask battle at=41.19 from=40.19,40.20",
    )
    _add(body, "h2", "Values that are made up")
    doubtful = [counter for counter in made if counter.doubtful]
    _add(
        body,
        "p",
        f"{len(doubtful)} of {len(made)} counters show illustrative values, general history scaled to what the rulebook "
        "states; they are not those of the printed counters. Reports that rest on them say so.",
    )
    table = etree.SubElement(body, "table", border="1", cellpadding="3")
    for counter in doubtful:
        row = etree.SubElement(table, "tr")
        _add(row, "td", counter.unit)
        _add(row, "td", ", ".join(game.tracks[name].title for name in counter.doubtful))
    for title, unplaced in left_out.items():
        if unplaced:
            _add(body, "h2", f"Not on this part of the map: {title}")
            _add(body, "p", ", ".join(unplaced))
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


def _menus(menu: Sequence[str], keys: Sequence[str]) -> list[tuple[str, str]]:
    return [(line, keys[number] if number < len(keys) else "") for number, line in enumerate(menu)]


def _add(parent: etree._Element, tag: str, text: str) -> etree._Element:
    element = etree.SubElement(parent, tag)
    element.text = text
    return element
