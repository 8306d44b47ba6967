"""The places of a published module's map as the game calls them: by format, by hexes that are known in both, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....game.boards.board import Board
from ....game.hexes import Hex, HexGrid
from ....util.errors import InputError


class Numbers:
    """How the numbers of a module's map lead to those of the game's.

    format: of the module's numbers, "" if they are written like the game's; known: hexes of the module by the game's number.

    Raises InputError for a format without column and row, and for known hexes that contradict each other.
    """

    def __init__(self, format: str, known: Mapping[str, str], board: Board) -> None:
        self.board = board
        reach = (-9999, 9999)
        self.theirs = HexGrid(format=format or board.grid.format, columns=reach, rows=reach)
        self.theirs.check()
        self.is_same = not format and not known
        pairs = [(self.theirs.parse(there), board.grid.parse(here)) for there, here in known.items()]
        self.columns = _Line.through([(there.column, here.column) for there, here in pairs])
        self.rows = _Line.through([(there.row, here.row) for there, here in pairs])

    def hex(self, printed: str) -> str:
        """The game's number of a hex, "" if there is none."""
        try:
            if self.is_same:
                return self.board.place(printed) if not self.board.is_box(printed) else ""
            there = self.theirs.parse(printed)
            return self.board.place(self.board.grid.name(Hex(self.columns.at(there.column), self.rows.at(there.row))))
        except InputError:
            return ""


class _Line:
    """Numbers that count with others, or against them."""

    def __init__(self, offset: int = 0, step: int = 1) -> None:
        self.offset, self.step = offset, step

    def at(self, number: int) -> int:
        """The number that stands beside one of theirs."""
        return self.offset + self.step * number

    @staticmethod
    def through(pairs: list[tuple[int, int]]) -> _Line:
        """The line through pairs of theirs and ours. Raises InputError if there is none."""
        if not pairs:
            return _Line()
        (there, here), *more = pairs
        fitting = (_Line(here - step * there, step) for step in (1, -1))
        line = next((line for line in fitting if all(line.at(one) == other for one, other in more)), None)
        if line is None:
            hint = "each number must be as far from the next one in both, or exactly opposite"
            raise InputError("the known hexes contradict each other", hint=hint)
        return line


class Places:
    """The places of one map of a module."""

    def __init__(self, board: Board, numbers: Numbers, boxes: Mapping[str, str]) -> None:
        self.board, self.numbers = board, numbers
        self.boxes = {name.casefold(): box for name, box in boxes.items()}
        self.found: dict[str, str] = {}

    def name(self, printed: str) -> str:
        """The game's name of a place that the module prints, "" for none."""
        if printed not in self.found:
            self.found[printed] = next(self._named(printed), "")
        return self.found[printed]

    def is_aside(self, printed: str) -> bool:
        """Whether the mapping says that what lies at a place is not in play."""
        return self.boxes.get(printed.casefold()) == ""

    def _named(self, printed: str) -> Iterator[str]:
        if (box := self.boxes.get(printed.casefold())) is not None:
            yield box
        elif printed:
            yield from filter(None, [self.numbers.hex(printed)])
            if self.board.is_box(printed):
                yield self.board.place(printed)
