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
"""The same where only the status of its units is shown."""


def text_map(view: View, shown: Shown, width: int) -> Rows:
    """What a picture of lines shows, as rows of text. width: of the terminal, in letters.

    Raises InputError if no hex is left to show, or if they do not fit.
    """
    hexes = sorted(hexes_around(view.board, on_map(view.board, shown.hexes)))
    if not hexes:
        raise InputError("no hex to show", hint=f"name hexes of the map {view.board.title}")
    wide = _across(view.board, hexes)
    pitch = next((columns for columns in (*PITCHES, *FEW) if (wide - 1) * columns + max(columns, 8) <= width), 0)
    if not pitch:
        what = f"the map is {round(wide)} hexes wide, but {width} characters hold only {(width - 8) // FEW[-1] + 1}"
        raise InputError(what, hint="name some units, or draw it to a file: --picture NAME.svg")
    sheet = _Sheet(view.board, hexes, pitch)
    sheet.draw(view, shown)
    signed = {*shown.marks, *(origin.unit for origin in shown.origins)}
    others = any(unit.id not in signed for name in hexes for unit in view.state.stack(name))
    return (*sheet.rows(), (), *_key(shown, pitch, width, others=others))


_WAYS = {False: "[=]", True: "="}
"""How ways as a source are written, with names and without."""


class _Sheet:
    """Letters in rows, each with its tone. few: whether a hex has room for a status alone; room: how long the name of a
    unit may be: where hexes stand on a flat side those beside it lie half a hex lower.
    """

    def __init__(self, board: Board, hexes: Sequence[str], pitch: int) -> None:
        self.board, self.hexes, self.pitch, self.few = board, hexes, pitch, pitch in FEW
        self.room = 2 * pitch - 5 if board.grid.orientation == "flat" else pitch - 1
        across, down = _steps(board)
        high = (2 if self.few else 4) if board.grid.orientation == "flat" else (1 if self.few else 3)
        at = {name: board.centre(name) for name in hexes}
        left, top = min(x for x, _ in at.values()), min(y for _, y in at.values())
        half = 4 if self.few else max(pitch // 2, 4)
        self.at = {
            name: (round((y - top) / down * high) + 1, round((x - left) / across * pitch) + half)
            for name, (x, y) in at.items()
        }
        self._letters: dict[tuple[int, int], tuple[str, Tone]] = {}

    def put(self, row: int, middle: int, text: str, tone: Tone = "") -> None:
        """Write a text centred on a letter, over what stands there."""
        for number, letter in enumerate(text, middle - (len(text) - 1) // 2):
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
        one, _, other = name.partition("|")
        if one not in self.at or other not in self.at:
            return
        (row, at), (row2, at2) = sorted((self.at[one], self.at[other]))
        if row == row2:
            for letter in range(min(at, at2) + 1, max(at, at2)):
                self._letters[row, letter] = ("-" if weight.full else "."), ""
            return
        slope = "|" if at == at2 else "/" if at2 < at else "\\"
        many = row2 - row
        for step in range(1, many) if many > 1 else ():
            self._letters[row + step, at + round((at2 - at) * step / many)] = (slope if weight.full else ":"), ""
        if many == 1:
            self._letters[row2, at + round((at2 - at) / 2)] = (slope if weight.full else ":"), ""
        elif at != at2 and not self.few:  # towards the middle of both hexes
            quarter = round((at2 - at) * 0.3)
            for line, letter in ((row, at + quarter), (row2, at2 - quarter)):
                self._letters[line, letter] = (slope if weight.full else ":"), ""

    def _units(self, view: View, shown: Shown) -> None:
        marks, extended = shown.marks, {origin.unit: origin.extended for origin in shown.origins if origin.unit}
        for name in self.hexes:
            stack = [unit.id for unit in view.state.stack(name)]
            if not stack:
                continue
            row, at = self.at[name]
            statuses = [marks[unit].status for unit in stack if unit in marks]
            if self.few:
                sign = SIGNS[worst(statuses)] if statuses else "o"
                some = sign + (str(len(stack)) if len(stack) > 1 else "")
                some = f"[{sign}]" if any(unit in extended for unit in stack) else some
                some = some if len(some) < self.pitch else sign
                self.put(row, at, some, worst(statuses) if statuses else "faint")
                continue
            for number, unit in enumerate(stack[: 2 if len(stack) == 2 else 1]):
                mark = marks.get(unit)
                self.put(row + number, at, self._unit_text(unit, mark.status if mark else None, extended.get(unit)),
                         mark.status if mark else "faint")  # fmt: skip
            if len(stack) > 2:
                rest = Counter(SIGNS[marks[unit].status] if unit in marks else "o" for unit in stack[1:])
                self.put(
                    row + 1,
                    at,
                    " ".join(f"{many}{sign}" for sign, many in rest.items()),
                    worst(statuses) if statuses else "",
                )

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
        return f"{before}{text if len(text) <= room else f'{text[: room - 1]}>'}{sign}"

    def _break(self, where: str, why: str) -> None:
        ends = [self.at[name] for name in where.split("|") if name in self.at]
        if not ends:
            return
        row, at = round(sum(one for one, _ in ends) / len(ends)), round(sum(one for _, one in ends) / len(ends))
        beside = len(ends) == 1 and not self.few
        self.put(row + beside, at, "!" if self.few else f"!{why}"[: self.pitch], "break")


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


_FIGURES = frozenset("0123456789")


def _steps(board: Board) -> tuple[float, float]:
    """How far apart the columns and rows of a grid are, in its unit; along the direction of its half hexes from hex to
    hex.
    """
    return (sqrt(3) / 2, 1.0) if board.grid.orientation == "flat" else (1.0, sqrt(3) / 2)


def _across(board: Board, hexes: Sequence[str]) -> float:
    """How many hexes wide some hexes are."""
    xs = [board.centre(name)[0] for name in hexes]
    return (max(xs) - min(xs)) / _steps(board)[0] + 1


def _key(shown: Shown, pitch: int, width: int, *, others: bool) -> Iterator[tuple[Run, ...]]:
    """The signs that the map has, in words. others: whether it shows other units too."""
    words, statuses, few = shown.words, {unit.status for unit in shown.units}, pitch in FEW
    entries = [Run(f"{SIGNS[status]} {words.statuses[status]}", status) for status in STATUSES if status in statuses]
    sources = [origin for origin in shown.origins if origin.unit]
    covered = {unit.place for unit in shown.units}
    entries += (
        [Run(f"[ ] {words.source}")] if pitch > 3 and any(few or not source.extended for source in sources) else []
    )
    entries += [Run(f"[[ ]] {words.extended}")] if any(source.extended for source in sources) and not few else []
    ways = any(origin.ways and origin.place not in covered for origin in shown.origins)
    entries += [Run(f"{_WAYS[few]} {words.ways}")] if ways else []
    entries += [Run(f"/ | \\ {words.line}")] if any(strand.full for strand in shown.strands) else []
    entries += [Run(f": {words.low_line}")] if any(not strand.full for strand in shown.strands) else []
    if others:
        entries += [Run("o other units" if few else "no symbol: other units", "faint")]
    entries += [Run(f"! {words.breaks}", "break")] if shown.breaks else []
    row: list[Run] = []
    for entry in entries:
        if row and sum(len(part.text) for part in row) + 3 + len(entry.text) > width:
            yield tuple(row)
            row = []
        row += [Run("   "), entry] if row else [entry]
    yield tuple(row)
