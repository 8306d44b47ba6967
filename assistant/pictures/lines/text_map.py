"""The picture of lines in letters, for a terminal: hexes in their staggered rows, units with a sign of their status,
and the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from math import sqrt

from ...drawing.scene import Rows, Run, Tone
from ...game.boards import Board
from ...questions.view import View
from ...util.errors import InputError
from ..layout import hexes_around, on_map
from .shown import STATUSES, Shown, Status, Weight, weights, worst

SIGNS: Mapping[Status, str] = {"full": "+", "low": "~", "none": "x", "cut-off": "#", "unknown": "?"}
"""How a status is written: told apart without colours too."""
PITCHES = (11, 9, 7)
"""How many letters wide a hex with its units is: as wide as there is room for."""
FEW = (4, 3, 2)
"""How many letters wide a hex is where only the status of its units is shown."""
_EDGE = 8
"""How many letters wide the last hex of a row is at least: its number and the name of a unit."""
_WAYS = {False: "[=]", True: "="}
"""How ways as a source are written, with names and without."""
_FIGURES = frozenset("0123456789")


def text_map(view: View, shown: Shown, width: int) -> Rows:
    """What a picture of lines shows, as rows of text. width: of the terminal, in letters.

    Raises InputError if no hex is left to show, or if they do not fit.
    """
    hexes = sorted(hexes_around(view.board, on_map(view.board, shown.hexes)))
    if not hexes:
        raise InputError("no hex to show", hint=f"name hexes of the map {view.board.title}")
    wide = _across(view.board, hexes)
    pitch = next((columns for columns in (*PITCHES, *FEW) if (wide - 1) * columns + max(columns, _EDGE) <= width), 0)
    if not pitch:
        room = max((width - _EDGE) // FEW[-1] + 1, 0)
        what = f"the map is {round(wide)} hexes wide, but {width} characters hold only {room}"
        raise InputError(what, hint="name some units, or draw it to a file: --picture NAME.svg")
    sheet = _Sheet(view.board, hexes, pitch, width)
    sheet.draw(view, shown)
    signed = {*shown.marks, *(origin.unit for origin in shown.origins)}
    others = any(unit.id not in signed for name in hexes for unit in view.state.stack(name))
    return (*sheet.rows(), (), *_key(shown, sheet, others=others))


class _Sheet:
    """Letters in rows, each with its tone.

    few: whether a hex has room for a status alone; flat: whether hexes stand on a flat side; room: how long the name of
    a unit may be, twice as long where those beside it lie half a hex lower; at: the row and the middle of each hex.
    """

    def __init__(self, board: Board, hexes: Sequence[str], pitch: int, width: int) -> None:
        self.board, self.hexes, self.pitch, self.width, self.few = board, hexes, pitch, width, pitch in FEW
        self.flat = board.grid.orientation == "flat"
        self.room = 2 * pitch - 5 if self.flat else pitch - 1
        across, down = _steps(board)
        high = (2 if self.few else 4) if self.flat else (1 if self.few else 3)
        at = {name: board.centre(name) for name in hexes}
        left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
        half = 4 if self.few else max(pitch // 2, 4)
        self.at = {
            name: (round((y - top) / down * high) + 1, round((x - left) / across * pitch) + half)
            for name, (x, y) in at.items()
        }
        self._letters: dict[tuple[int, int], tuple[str, Tone]] = {}

    def put(self, row: int, middle: int, text: str, tone: Tone = "") -> None:
        """Write a text over what stands there: centred on a letter, or as near to it as the edges let it."""
        start = max(min(middle - (len(text) - 1) // 2, self.width - len(text)), 0)
        for number, letter in enumerate(text, start):
            self._letters[row, number] = letter, tone

    def rows(self) -> Iterator[tuple[Run, ...]]:
        """The rows from the top, each without what is blank at its end."""
        if not self._letters:
            return
        last = max(row for row, _ in self._letters)
        for row in range(min(row for row, _ in self._letters), last + 1):
            end = max((at for line, at in self._letters if line == row), default=-1)
            letters = [self._letters.get((row, at), (" ", "")) for at in range(end + 1)]
            runs = groupby(letters, key=lambda letter: letter[1])
            yield tuple(Run("".join(letter for letter, _ in same), tone) for tone, same in runs)

    def draw(self, view: View, shown: Shown) -> None:
        """The hexes, then the lines, then what stands in the hexes."""
        for side in shown.sides:
            for name, weight in weights(shown.strands, side).items():
                self._line(name, weight)
        for name in self.hexes:
            self._hex(name)
        for origin in shown.origins:
            if origin.ways and origin.place in self.at:
                row, at = self.at[origin.place]
                self.put(row, at, _WAYS[self.few])
        self._units(view, shown)
        for fault in shown.breaks:
            self._break(fault.where, fault.why)

    def _hex(self, name: str) -> None:
        row, at = self.at[name]
        if not self.few:
            self.put(row - 1, at, name, "faint")
        self._letters.setdefault((row, at), (".", "faint"))

    def _line(self, name: str, weight: Weight) -> None:
        """A line over a hexside, between what stands in both hexes."""
        one, _, other = name.partition("|")
        if one not in self.at or other not in self.at:
            return
        upper, lower = sorted((self.at[one], self.at[other]))
        sign = _slope(upper, lower) if weight.full else ":"
        for place in self._places_between(upper, lower):
            self._letters[place] = sign, ""

    def _places_between(self, upper: Place, lower: Place) -> Iterator[Place]:
        """Where the letters of a line from hex to hex stand; a slanting one also points at both of them."""
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

    def _units(self, view: View, shown: Shown) -> None:
        """The units of each hex: one or two by name, of more the first one and how many of which status the others
        are.
        """
        marks, extended = shown.marks, {origin.unit: origin.extended for origin in shown.origins if origin.unit}
        for name in self.hexes:
            stack = [unit.id for unit in view.state.stack(name)]
            if not stack:
                continue
            row, at = self.at[name]
            statuses = [marks[unit].status for unit in stack if unit in marks]
            tone: Tone = worst(statuses) if statuses else "faint"
            if self.few:
                is_source = not extended.keys().isdisjoint(stack)
                self.put(row, at, self._sign_of_stack(statuses, len(stack), is_source=is_source), tone)
                continue
            for number, unit in enumerate(stack if len(stack) == 2 else stack[:1]):
                status = marks[unit].status if unit in marks else None
                self.put(row + number, at, self._unit_text(unit, status, extended.get(unit)), status or "faint")
            if len(stack) > 2:
                rest = Counter(SIGNS[marks[unit].status] if unit in marks else "o" for unit in stack[1:])
                self.put(row + 1, at, " ".join(f"{many}{sign}" for sign, many in rest.items()), tone)

    def _sign_of_stack(self, statuses: Sequence[Status], many: int, *, is_source: bool) -> str:
        """A stack where a hex has no room for names: the worst status, in brackets for a source, or else with the
        number of units.
        """
        sign = SIGNS[worst(statuses)] if statuses else "o"
        text = f"[{sign}]" if is_source else f"{sign}{many}" if many > 1 else sign
        return text if len(text) < self.pitch else sign

    def _unit_text(self, unit: str, status: Status | None, extended: bool | None) -> str:
        """A unit as it is written: 41/20 without a status, 22/1 ~ with one, [1 Train] for a source, [[1 Train]] in its
        far-reaching mode; > stands for letters that have no room.
        """
        before, after = {None: ("", ""), False: ("[", "]"), True: ("[[", "]]")}[extended]
        sign = SIGNS[status] if status else ""
        for text, end in product(_shorter(unit), (after, "") if extended else (after,)):
            name = f"{before}{text}{end}"
            if len(name + sign) <= self.room:
                return f"{name} {sign}" if sign and len(name + sign) < self.room else name + sign
        room = self.room - len(before + sign)
        return f"{before}{_cut(text, room)}{sign}"

    def _break(self, where: str, why: str) -> None:
        ends = [self.at[name] for name in where.split("|") if name in self.at]
        if not ends:
            return
        row, at = round(sum(one for one, _ in ends) / len(ends)), round(sum(one for _, one in ends) / len(ends))
        beside = len(ends) == 1 and not self.few
        self.put(row + beside, at, "!" if self.few else _cut(f"!{why}", self.pitch), "break")


Place = tuple[int, int]
"""A row, and the number of a letter in it."""


def _slope(upper: Place, lower: Place) -> str:
    """How a line slopes, as it is written."""
    (row, at), (last, end) = upper, lower
    if row == last:
        return "-"
    return "|" if at == end else "/" if end < at else "\\"


def _cut(text: str, room: int) -> str:
    """A text in its room: > stands for what has none."""
    return text if len(text) <= room else f"{text[: room - 1]}>"


def _shorter(unit: str) -> Iterator[str]:
    """The name of a unit, and ways to shorten it: without what stands before its number, later words as one letter."""
    words = unit.split()
    yield unit
    numbered = [word.isupper() or not _FIGURES.isdisjoint(word) for word in words]
    if len(words) > 2 and numbered[1] and not numbered[0]:
        words = words[1:]
        yield " ".join(words)
    for kept in range(len(words) - 1, 0, -1):
        short = [word if not _FIGURES.isdisjoint(word) else word[0] for word in words[kept:]]
        yield " ".join((*words[:kept], *short))


def _steps(board: Board) -> tuple[float, float]:
    """How far apart the columns and rows of a grid are, in its unit; along the direction of its half hexes from hex to
    hex.
    """
    return (sqrt(3) / 2, 1.0) if board.grid.orientation == "flat" else (1.0, sqrt(3) / 2)


def _across(board: Board, hexes: Sequence[str]) -> float:
    """How many hexes wide some hexes are."""
    xs = [board.centre(name)[0] for name in hexes]
    return (max(xs) - min(xs)) / _steps(board)[0] + 1


def _key(shown: Shown, sheet: _Sheet, *, others: bool) -> Iterator[tuple[Run, ...]]:
    """The signs that the map has, in words, as wide as the map may be. others: whether it shows other units too."""
    words, statuses = shown.words, {unit.status for unit in shown.units}
    entries = [Run(f"{SIGNS[status]} {words.statuses[status]}", status) for status in STATUSES if status in statuses]
    sources = [origin for origin in shown.origins if origin.unit]
    if sheet.pitch > len("[+]") and any(sheet.few or not source.extended for source in sources):
        entries.append(Run(f"[ ] {words.source}"))
    if any(source.extended for source in sources) and not sheet.few:
        entries.append(Run(f"[[ ]] {words.extended}"))
    covered = {unit.place for unit in shown.units}
    if any(origin.ways and origin.place not in covered for origin in shown.origins):
        entries.append(Run(f"{_WAYS[sheet.few]} {words.ways}"))
    if any(strand.full for strand in shown.strands):
        entries.append(Run(f"{'/ |' if sheet.flat else '- /'} \\ {words.line}"))
    if any(not strand.full for strand in shown.strands):
        entries.append(Run(f": {words.low_line}"))
    if others:
        entries.append(Run("o other units" if sheet.few else "no symbol: other units", "faint"))
    if shown.breaks:
        entries.append(Run(f"! {words.breaks}", "break"))
    row: list[Run] = []
    for entry in entries:
        if row and sum(len(part.text) for part in row) + 3 + len(entry.text) > sheet.width:
            yield tuple(row)
            row = []
        row += [Run("   "), entry] if row else [entry]
    yield tuple(row)
