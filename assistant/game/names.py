"""The regular spelling of hexes, runs of hexes, units and armies that a text names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from ..state.tracks import NONE, Track, Value
from ..util.errors import InputError, UnknownWord, format_suggestion
from .boards import Board
from .calendar import format_turn
from .hexes import Hex

T = TypeVar("T")


def regular_value(track: Track, value: Value, board: Board, units: Mapping[str, object] | None = None) -> Value:
    """Return a value with the regular spelling of the hexes, units and turns that it names.

    `units`: the known units, or None if units need not be checked.

    Raises InputError if the text names anything else, or a hex off the map.
    """
    if track.names is None or not isinstance(value, str) or not value or value == NONE:
        return value
    try:
        match track.names:
            case "hex":
                return hex_numbered(value, board)
            case "hexes":
                return " ".join(hex_numbered(word, board) for word in _split_words(value))
            case "stretches":
                return " ".join("-".join(stretch) for stretch in _read_stretches(value, board))
            case "turn":
                return format_turn(value)
            case "unit":
                return value if units is None else _find_unit(value, units)
            case "points" | "amounts":
                return value  # already regular after the track's own check
    except InputError as error:
        hint = "; ".join(filter(None, [f"allowed: {track.takes}", error.hint]))
        raise InputError(f"{track.title}: {error.what}", hint=hint) from None


def regular_army(text: str, sides: Mapping[str, Sequence[str]], printed: Collection[str] = ()) -> str:
    """Return an army by side and name: `central-powers Eighth` for itself or `german Eighth`.

    `printed`: the armies on counters, which the message names first.

    Raises InputError if the text begins with neither a side nor a nation.
    """
    text = " ".join(text.split())
    sides_by_name = {name: side for side, nations in sides.items() for name in nations} | {side: side for side in sides}
    for name, side in sorted(sides_by_name.items(), key=lambda item: -len(item[0])):  # "white russian" before "white"
        if text.casefold().startswith(f"{name} ".casefold()):
            return f"{side} {text[len(name) + 1 :]}"
        if text.casefold() == name.casefold():
            raise InputError(f"army {text!r} names only a side or nation", hint=f'write: army "{side} NAME"')
    candidates = [f"{side} {text}" for side in sides]
    examples = " or ".join(f'army "{army}"' for army in [army for army in candidates if army in printed] or candidates)
    raise InputError(f"army {text!r} does not begin with its side", hint=f"write: {examples}")


def hex_numbered(text: str, board: Board) -> str:
    """Return a hex by its printed number.

    Raises InputError if the text is a box, a hex off the map or no hex at all.
    """
    place = board.place(text)
    if not board.is_hex(place):
        raise InputError(f"{place} is not a hex")
    return place


def hexes_of_stretches(text: str, board: Board) -> Iterator[str]:
    """Yield the hexes of a text such as `44.18-44.22 45.19`: single hexes, and runs down a column.

    Raises InputError if the text has another form or names a hex off the map.
    """
    for ends in _read_stretches(text, board):
        top = board.grid.parse(ends[0])
        bottom = board.grid.parse(ends[-1])
        yield from (board.place(board.grid.name(Hex(top.column, row))) for row in range(top.row, bottom.row + 1))


def _read_stretches(text: str, board: Board) -> Iterator[tuple[str, ...]]:
    """Yield the single hexes and runs in a text, each as its one or two ends."""
    for word in _split_words(text):
        ends = tuple(hex_numbered(end, board) for end in word.split("-"))
        top = board.grid.parse(ends[0])
        bottom = board.grid.parse(ends[-1])
        if len(ends) > 2 or top.column != bottom.column or top.row > bottom.row:
            raise InputError(f"{word} is neither a hex nor a run of hexes down one column")
        yield ends


def _split_words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _find_unit(text: str, units: Mapping[str, object]) -> str:
    return text if text in units else next((name for name in units if name.casefold() == text.casefold()), text)


def look_up(known: Mapping[str, T], name: str, what: str) -> T:
    """Return the value of a name.

    Raises UnknownWord with the nearest name.
    """
    if name in known:
        return known[name]
    raise UnknownWord(f"unknown {what} {name!r}", hint=format_suggestion(name, known))
