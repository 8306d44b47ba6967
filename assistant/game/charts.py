"""Charts: results tables and other look-up tables, each cell with its source.

A game declares its charts in `charts.toml`: the keys that lead to a cell, the fields of a cell, and the file with the
known cells. Cells that the owner states take precedence; a reconstructed cell counts only if the player accepts
reconstructions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from ..mechanics.odds import Odds
from ..state.sources import Source
from ..state.state import Cell
from ..state.tracks import Number
from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, nearest, quoted, stop
from ..util.numbers import whole
from ..util.patterns import pattern

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Key(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row or column heading of a chart: one of the words `values`, odds, or a whole number from `least` to `most`.

    odds: whether it is a ratio such as 3:1, the ends known only to the owner; least, most: left out if only the owner knows
    them; open: whether the first and the last row also apply to everything beyond them.
    """

    name: str
    values: tuple[str, ...] = ()
    odds: bool = False
    least: Number | None = None
    most: Number | None = None
    open: bool = False

    def read(self, given: int | str) -> int | str:
        """The row or column for a value. Raises InputError if the chart has none."""
        if given in self.values:
            return given
        if self.values:
            for value in self.values:
                if value.casefold() == str(given).casefold():
                    return value
            raise InputError(f"{self.name}: {given!r} is not allowed", hint=nearest(str(given), self.values))
        if self.odds:
            return str(Odds.parse(str(given)))
        number = given if isinstance(given, int) else whole(given)
        if number is None:
            raise InputError(f"{self.name}: {str(given)[:20]!r} is not allowed", hint="enter a whole number")
        inside = number if self.least is None else max(number, self.least)
        inside = inside if self.most is None else min(inside, self.most)
        if inside != number and not self.open:
            ends = [f"from {self.least}"] if self.least is not None else []
            ends += [f"to {self.most}"] if self.most is not None else []
            raise InputError(f"{self.name}: {number} is not allowed", hint=f"it ranges {' '.join(ends)}")
        return inside


def _within(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


class CellField(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of a cell: a number from `least` to `most`, or a text that matches a pattern.

    note: the allowed notation, in words.
    """

    name: str
    pattern: str = ""
    least: Number | None = None
    most: Number | None = None
    note: str = ""

    def read(self, text: str) -> int | str:
        """The field's value. Raises InputError if the text does not fit."""
        text = " ".join(text.split())
        number = None if self.pattern else whole(text)
        if number is not None and _within(number, self.least, self.most):
            return number
        if self.pattern:
            try:
                fits = pattern(self.pattern).matches(text)
            except ValueError as error:
                raise InputError(f"field {self.name} has an invalid pattern: {error}") from None
            if fits:
                return text
        raise InputError(f"{self.name}: {text[:40]!r} is not allowed", hint=self.note or "enter a whole number")


class Chart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chart as the game declares it. cells: those known from the game's own files."""

    name: str
    title: str
    rule: str = ""
    keys: tuple[Key, ...]
    fields: tuple[CellField, ...]
    file: str = ""
    cells: Mapping[tuple[int | str, ...], Cell] = {}

    def key(self, *given: int | str) -> tuple[int | str, ...]:
        """The keys of one cell in their regular form. Raises InputError for a wrong number of keys or one off the chart."""
        if given in self.cells:
            return given
        if len(given) != len(self.keys):
            names = " ".join(key.name for key in self.keys)
            raise InputError(f"chart {self.name} needs {len(self.keys)} keys", hint=f"they are: {names}")
        return tuple(key.read(one) for key, one in zip(self.keys, given, strict=True))

    def cell(self, text: str, source: Source = Source.STATED) -> Cell:
        """A cell from the text of its fields, separated by slashes. Raises InputError if it does not fit the chart."""
        parts = [part.strip() for part in text.split("/")]
        if len(parts) != len(self.fields):
            names = " / ".join(field.name for field in self.fields)
            raise InputError(f"{text!r} is not a cell of chart {self.name}", hint=f"a cell is: {names}")
        return Cell({field.name: field.read(part) for field, part in zip(self.fields, parts, strict=True)}, source)

    def check(self, cell: Cell) -> Cell:
        """The cell in its regular form. Raises InputError if it does not fit the chart."""
        fields = [field.name for field in self.fields]
        if unknown := [name for name in cell.values if name not in fields]:
            raise InputError(f"chart {self.name} has no field {unknown[0]!r}", hint=nearest(unknown[0], fields))
        return self.cell("/".join(str(cell.values.get(field.name, "")) for field in self.fields), cell.source)

    def how_to_state(self, key: tuple[int | str, ...]) -> str:
        """The line to type to state one cell."""
        fields = " / ".join(field.name for field in self.fields)
        return f"{self._named(key)} = {fields}"

    def write(self, key: tuple[int | str, ...], cell: Cell) -> str:
        """The line of position notation that states a cell."""
        values = " / ".join(str(cell.values[field.name]) for field in self.fields)
        return f"{self._named(key)} = {values}"

    def _named(self, key: tuple[int | str, ...]) -> str:
        return f"chart {self.name} {' '.join(quoted(str(part)) for part in key)}"

    def filled(
        self, file: Traversable, source: Source | None = None, on_fault: OnFault = stop, called: str = ""
    ) -> Chart:
        """The chart with the cells of a CSV file: a column for each key and each field, and a column `source`.

        source: of all cells, instead of that column; called: how messages name the file, by default its name. A cell that does not fit or is given twice goes to `on_fault` with file
        and line.
        """
        cells: dict[tuple[int | str, ...], Cell] = {}
        columns = [*(key.name for key in self.keys), *(field.name for field in self.fields)]
        headings = [(key.name, cache(key.read)) for key in self.keys]  # the same few stand in many rows
        cell = cache(self.cell)
        for row, where in read_rows(file, columns if source else [*columns, "source"], called, on_fault):
            try:
                key = tuple(read(row[name]) for name, read in headings)
                if key in cells:
                    raise InputError(f"cell {' '.join(map(str, key))} is given twice")
                stated = source or _source(row["source"])
                cells[key] = cell("/".join(row[field.name] for field in self.fields), stated)
            except InputError as error:
                on_fault(error.at(where))
        return msgspec.structs.replace(self, cells=cells)


@cache
def _source(word: str) -> Source:
    try:
        return Source(word)
    except ValueError:
        raise InputError(f"{word!r} is not a source", hint=nearest(word, list(Source))) from None
