"""What a text names: hexes, stretches of hexes, units and armies, each in its usual spelling."""

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
    """Return a value that a track has checked, with the hexes, units and turns that its text names in their usual
    spelling; any other value as it is.

    units: the units that are known, by id, None for none.

    Raises InputError for a text that names anything else, and for a hex off the map.
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
                return value  # the track has spelled them
    except InputError as error:
        hint = "; ".join(filter(None, [f"allowed: {track.takes}", error.hint]))
        raise InputError(f"{track.title}: {error.what}", hint=hint) from None


def regular_army(text: str, sides: Mapping[str, Sequence[str]], printed: Collection[str] = ()) -> str:
    """Return an army by its side and its name, such as `central-powers Eighth`, be it named by its side or by a nation,
    `german Eighth`.

    sides: with their nations; printed: armies that units are of, which the message names first. Raises InputError for
    an army named by neither.
    """
    text = " ".join(text.split())
    called = {name: side for side, nations in sides.items() for name in nations} | {side: side for side in sides}
    for name, side in sorted(called.items(), key=lambda item: -len(item[0])):  # white russian before white
        if text.casefold().startswith(f"{name} ".casefold()):
            return f"{side} {text[len(name) + 1 :]}"
        if text.casefold() == name.casefold():
            raise InputError(f"army {text!r} names only a side or nation", hint=f'write: army "{side} NAME"')
    meant = [f"{side} {text}" for side in sides]
    how = " or ".join(f'army "{army}"' for army in [army for army in meant if army in printed] or meant)
    raise InputError(f"army {text!r} does not begin with its side", hint=f"write: {how}")


def hex_numbered(text: str, board: Board) -> str:
    """Return a hex by its printed number. Raises InputError for one off the map, for a box and for anything else."""
    place = board.place(text)
    if not board.is_hex(place):
        raise InputError(f"{place} is not a hex")
    return place


def hexes_of_stretches(text: str, board: Board) -> Iterator[str]:
    """Yield the hexes that a text names: each by itself, or a stretch down a column by its two ends, `44.18-44.22
    45.19`.

    Raises InputError for anything else, and for a hex off the map.
    """
    for ends in _read_stretches(text, board):
        top = board.grid.parse(ends[0])
        bottom = board.grid.parse(ends[-1])
        yield from (board.place(board.grid.name(Hex(top.column, row))) for row in range(top.row, bottom.row + 1))


def _read_stretches(text: str, board: Board) -> Iterator[tuple[str, ...]]:
    """Yield the hexes and stretches that a text names, each by its one or two ends."""
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
    """Return the id of a unit, however its capitals are typed; a unit that is gone, or yet to come, keeps the name that
    was typed.
    """
    return text if text in units else next((name for name in units if name.casefold() == text.casefold()), text)


def look_up(known: Mapping[str, T], name: str, what: str) -> T:
    """Return what is known by a name. what: what it is, for messages. Raises UnknownWord with the nearest name."""
    if name in known:
        return known[name]
    raise UnknownWord(f"unknown {what} {name!r}", hint=format_suggestion(name, known))
