"""A map as text for a terminal: hexes in staggered rows, each with its number, and lines between them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby, product
from math import sqrt
from textwrap import wrap

from ..game.boards import Board
from ..util.errors import InputError
from .scene import TextRun, Tone

HEX_WIDTHS_CHARS = (11, 9, 7)
"""The widths of a hex that shows units, the widest first."""
SMALL_HEX_WIDTHS_CHARS = (4, 3, 2)
"""The widths of a hex that shows only a sign."""
_MIN_LAST_WIDTH_CHARS = 8
"""The minimum width of the last hex in a row: its number and the name of a unit."""
_FIGURES = frozenset("0123456789")

Place = tuple[int, int]
"""A place on the sheet: a row, and a column of characters."""


def pitch_for(board: Board, hexes: Collection[str], width: int, pitches: Sequence[int]) -> int:
    """Return the first of the pitches, the widths of a hex in characters, at which the map fits the terminal.

    Raises InputError if none fits.
    """
    across = _across(board, hexes)
    for pitch in pitches:
        if (across - 1) * pitch + max(pitch, _MIN_LAST_WIDTH_CHARS) <= width:
            return pitch
    room = max((width - _MIN_LAST_WIDTH_CHARS) // pitches[-1] + 1, 0)
    problem = f"the map is {round(across)} hexes wide, but {width} characters hold only {room}"
    raise InputError(problem, hint="name some units, or draw it to a file: --picture NAME.svg")


class Sheet:
    """Characters in rows, each with its tone.

    `few`: whether a hex has room for a status alone.
    `height`: the rows from hex to hex, for flat and for pointed hexes.
    """

    def __init__(
        self, board: Board, hexes: Sequence[str], pitch: int, width: int, height: tuple[int, int] = (4, 3)
    ) -> None:
        self.board, self.hexes, self.pitch, self.width, self.few = (
            board,
            hexes,
            pitch,
            width,
            pitch in SMALL_HEX_WIDTHS_CHARS,
        )
        self.flat = board.grid.orientation == "flat"
        self.room = 2 * pitch - 5 if self.flat else pitch - 1
        """The characters for a unit's name, twice as many if adjacent hexes are half a hex lower."""
        across, down = _steps(board)
        flat, pointed = (2, 1) if self.few else height
        rows = flat if self.flat else pointed
        at = {name: board.centre(name) for name in hexes}
        left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
        half_width = 4 if self.few else max(pitch // 2, 4)
        self.at = {
            name: (round((y - top) / down * rows) + 1, round((x - left) / across * pitch) + half_width)
            for name, (x, y) in at.items()
        }
        """The row and the middle column of each hex."""
        self._letters: dict[tuple[int, int], tuple[str, Tone]] = {}

    def _start_of(self, middle: int, text: str) -> int:
        return max(min(middle - (len(text) - 1) // 2, self.width - len(text)), 0)

    def has_room(self, row: int, middle: int, text: str) -> bool:
        """Return whether the place where `put` would write a text is free, with a column on both sides."""
        start = self._start_of(middle, text)
        return all((row, at) not in self._letters for at in range(start - 1, start + len(text) + 1))

    def put(self, row: int, middle: int, text: str, tone: Tone = "") -> None:
        """Write a text over the present one, centred on a column as far as the edges allow."""
        start = self._start_of(middle, text)
        for number, letter in enumerate(text, start):
            self._letters[row, number] = letter, tone

    def rows(self) -> Iterator[tuple[TextRun, ...]]:
        if not self._letters:
            return
        last = max(row for row, _ in self._letters)
        for row in range(min(row for row, _ in self._letters), last + 1):
            end = max((at for line, at in self._letters if line == row), default=-1)
            letters = [self._letters.get((row, at), (" ", "")) for at in range(end + 1)]
            runs = groupby(letters, key=lambda letter: letter[1])
            yield tuple(
                TextRun("".join(letter for letter, _ in letters_of_tone), tone) for tone, letters_of_tone in runs
            )

    def number(self, name: str, written: str = "", tone: Tone = "faint") -> None:
        """Write the number of a hex, or `written` instead, and a dot in its middle if that is free."""
        row, at = self.at[name]
        if not self.few:
            self.put(row - 1, at, written or name, tone)
        self._letters.setdefault((row, at), (".", "faint"))

    def stack(
        self, name: str, units: Sequence[str], write: Callable[[str], TextRun], others: TextRun, few: str
    ) -> None:
        """Write the units of a hex: one or two by name, or of more the first and `others`.

        `write`: returns the text of a unit.
        `few`: the text of the stack in a hex without room for names.
        """
        row, at = self.at[name]
        if self.few:
            self.put(row, at, few, others.tone)
            return
        for number, unit in enumerate(units if len(units) == 2 else units[:1]):
            written = write(unit)
            self.put(row + number, at, written.text, written.tone)
        if len(units) > 2:
            self.put(row + 1, at, others.text, others.tone)

    def line(self, one: str, other: str, sign: str = "") -> None:
        """Write a line over a hexside, between the texts of both hexes.

        `sign`: the character of the line, or "" for a stroke with its slope.
        """
        if one not in self.at or other not in self.at:
            return
        upper, lower = sorted((self.at[one], self.at[other]))
        for place in self._places_between(upper, lower):
            self._letters[place] = sign or _write_slope(upper, lower), ""

    def between(self, one: str, other: str) -> Place:
        (row, at), (last, end) = self.at[one], self.at[other]
        return round((row + last) / 2), round((at + end) / 2)

    def _places_between(self, upper: Place, lower: Place) -> Iterator[Place]:
        """Yield the places of a line's characters from hex to hex; a slanting line also points at both hexes."""
        (row, at), (last, end) = upper, lower
        down, across = last - row, end - at
        if not down:
            yield from ((row, letter) for letter in range(at + 1, end))
        elif down == 1:
            yield last, at + round(across / 2)
        else:
            yield from ((row + step, at + round(across * step / down)) for step in range(1, down))
            if across and not self.few:
                quarter = round(across * 0.3)
                yield from ((row, at + quarter), (last, end - quarter))


def _write_slope(upper: Place, lower: Place) -> str:
    (row, at), (last, end) = upper, lower
    if row == last:
        return "-"
    if at == end:
        return "|"
    return "/" if end < at else "\\"


def cut_text(text: str, room: int) -> str:
    """Return the text, cut to `room` characters with `>` at the end if it is longer."""
    return text if len(text) <= room else f"{text[: room - 1]}>"


def _shorten(unit: str) -> Iterator[str]:
    """Yield the name of a unit and shorter forms: without the words before its number, with later words as initials."""
    words = unit.split()
    yield unit
    numbered = [word.isupper() or not _FIGURES.isdisjoint(word) for word in words]
    if len(words) > 2 and numbered[1] and not numbered[0]:
        words = words[1:]
        yield " ".join(words)
    for whole in range(len(words) - 1, 0, -1):
        short = [word if not _FIGURES.isdisjoint(word) else word[0] for word in words[whole:]]
        yield " ".join((*words[:whole], *short))


def _steps(board: Board) -> tuple[float, float]:
    """Return the distances between columns and between rows, in the unit of the grid."""
    return (sqrt(3) / 2, 1.0) if board.grid.orientation == "flat" else (1.0, sqrt(3) / 2)


def _across(board: Board, hexes: Collection[str]) -> float:
    xs = [board.centre(name)[0] for name in hexes]
    return (max(xs) - min(xs)) / _steps(board)[0] + 1


def format_unit(unit: str, room: int, before: str = "", after: str = "", sign: str = "") -> str:
    """Return a unit in at most `room` characters: its name between `before` and `after`, then `sign`.

    The character `>` stands for a part of the name that does not fit.
    """
    text = unit
    for text, end in product(_shorten(unit), (after, "") if len(after) > 1 else (after,)):
        name = f"{before}{text}{end}"
        if len(name + sign) <= room:
            return f"{name} {sign}" if sign and len(name + sign) < room else name + sign
    room_for_name = room - len(before + sign)
    return f"{before}{cut_text(text, room_for_name)}{sign}"


def wrap_runs(text: str, width: int, tone: Tone = "") -> Iterator[tuple[TextRun, ...]]:
    """Yield a text below the map, in rows of at most `width` characters."""
    for line in wrap(text, width, subsequent_indent="  "):
        yield (TextRun(line, tone),)


def fill_rows(entries: Iterable[TextRun], width: int) -> Iterator[tuple[TextRun, ...]]:
    """Yield the entries of a key side by side, in rows of at most `width` characters."""
    row: list[TextRun] = []
    for entry in entries:
        if row and sum(len(part.text) for part in row) + 3 + len(entry.text) > width:
            yield tuple(row)
            row = []
        row += [TextRun("   "), entry] if row else [entry]
    if row:
        yield tuple(row)
