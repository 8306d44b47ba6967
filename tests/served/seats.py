"""The four seats of a served table: the laptop, an open link, and a link for each side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.faces.page.respond import respond
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.installed.registry import load_game

LAPTOP, LINK = "laptop", "link"
TABLE = "front"
Look = dict[str, Any]
Looks = dict[str, Look]
Answer = dict[str, Any]
_WITHOUT_ORDER = ("moment", "powers", "units", "ground")


def begin_table(folder: Path, game: str, position: str) -> None:
    """Begin the table in a folder with a position in notation."""
    Tables(folder / "page", load_game).begin(TABLE, game, position)


def find_sides(game: str) -> tuple[str, ...]:
    """Return the sides of a game."""
    return tuple(load_game(game).file.sides)


class Seats:
    """The seats of the table in a folder, served by a new start of the program.

    `sides`: the sides with a link of their own; if there are none, only the laptop and the open link share the table.
    """

    def __init__(self, folder: Path, sides: tuple[str, ...]) -> None:
        laptop = Tables(folder / "page", load_game)
        link = Tables(laptop.folder, load_game, files=laptop.files, writes_pack=False)
        self.tables: dict[str, OpenTables] = {LAPTOP: laptop, LINK: link}
        if sides:
            whole = WholeTables(laptop, TABLE, list(sides), folder / "sides")
            self.tables = {LAPTOP: whole, LINK: link, **{side: SideTables(whole, side) for side in sides}}

    def ask(self, seat: str, do: str, **request: Any) -> Answer:
        """Return the answer to a request of a seat."""
        sent = json.dumps({"do": do, "table": TABLE, **request}).encode()
        return json.loads(respond(self.tables[seat], sent))

    def enter(self, seat: str, line: str, tap: str) -> Answer:
        """Enter a line by a tap, with all that it asks first confirmed."""
        return self.ask(seat, "enter", line=line, tap=tap, sure=True)

    def look(self, seat: str) -> Look:
        """Return what a seat shows, with units and facts in a fixed order.

        The count of changes is left out. At the laptop and the open link the words of `undo` are left out too: a new
        start words the last line as the journal has it.
        """
        shown = self.ask(seat, "look")
        shown.pop("entry", None)
        shown |= {name: _sort(shown[name]) for name in _WITHOUT_ORDER if name in shown}
        return shown if shown.get("viewpoint") else shown | {"undo": bool(shown.get("undo"))}

    def looks(self) -> Looks:
        """Return what each seat shows."""
        return {seat: self.look(seat) for seat in self.tables}


def _sort(value: Any) -> Any:
    """Return a value with its lists sorted, and without the marks of pictures, which follow the order of facts."""
    if isinstance(value, dict):
        return {name: _sort(part) for name, part in value.items() if name != "look"}
    return sorted(map(_sort, value), key=json.dumps) if isinstance(value, list) else value


def find_differences(expected: Looks, found: Looks) -> list[str]:
    """Return the parts in which seats show something else than expected, with what they show."""
    return [
        f"{seat}, {'; '.join(_compare(part, value, found[seat].get(part)))}"
        for seat, look in expected.items()
        for part, value in look.items()
        if found[seat].get(part) != value
    ]


def _compare(name: str, expected: Any, found: Any) -> Iterator[str]:
    """Yield the parts in which two values of a name differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for part in {**expected, **found}:
            if expected.get(part) != found.get(part):
                yield from _compare(f"{name} {part}", expected.get(part), found.get(part))
    elif isinstance(expected, list) and isinstance(found, list) and _name_parts(expected + found):
        yield from _compare(name, _name_parts(expected), _name_parts(found))
    else:
        yield f"{name}: {_shorten(found)} instead of {_shorten(expected)}"


def _name_parts(values: list[Any]) -> dict[str, Any]:
    """Return units, facts or entries by their names, or nothing for other values."""
    try:
        return {
            " ".join(str(value[key]) for key in ("id", "track", "subject", "number") if key in value): value
            for value in values
        }
    except TypeError:
        return {}


def _shorten(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 100 else f"{text[:60]} ... {text[-30:]}"
