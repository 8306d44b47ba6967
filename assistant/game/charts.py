"""Charts: results tables and other look-up tables, each cell with its source.

The owner's cells take precedence; made-up or rebuilt ones count only if the player trusts them.

A row of cells may be typed on one line, with spaces between the cells: `=` repeats the cell before, `===` three times.
The words of a field need no spaces (`+3xw1`), and the last fields may be left out if they are empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from ..mechanics.odds import Odds, OddsColumns
from ..state.state import Cell, Fields
from ..state.tracks import Number, Source, read_source
from ..util.datafiles import read_rows
from ..util.errors import InputError, OnFault, format_suggestion, quoted, stop
from ..util.notes import note as meaning
from ..util.texts import whole
from ..util.typesetting import MINUS

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


Keys = tuple[int | str, ...]
"""The keys that lead to a cell of a chart."""


class ChartKey(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """A row or column heading of a chart: one of `values`, odds, or a whole number from `least` to `most`.

    Ends that the owner states are in the keys of cells: `1:3-` is 1:3 and below, `6:1+` is 6:1 and above.
    """

    name: str
    title: Annotated[str, meaning("the title of the rows or columns on a printed chart")] = ""
    values: tuple[str, ...] = ()
    heads: Annotated[tuple[str, ...], meaning("the printed heading of each of `values`")] = ()
    odds: Annotated[bool, meaning("whether it is a ratio such as 3:1, whose ends only the owner knows")] = False
    least: Annotated[Number | None, meaning("the lowest number, or None if only the owner knows it, like `most`")] = (
        None
    )
    most: Number | None = None
    open: Annotated[bool, meaning("whether the first and the last row also apply to everything beyond them")] = False

    @cached_property
    def _by_word(self) -> dict[int | str, str]:
        folded: dict[int | str, str] = {value.casefold(): value for value in reversed(self.values)}
        return folded | {value: value for value in self.values}

    @property
    def has_owner_ends(self) -> bool:
        """Whether only the owner knows the first or last row or column."""
        return self.odds or (not self.values and (self.least is None or self.most is None))

    @property
    def takes(self) -> str:
        """The allowed rows or columns, in words."""
        if self.values:
            return ", ".join(self.values)
        beyond = "; the first and last also apply beyond" if self.open else ""
        if self.open and self.has_owner_ends:
            beyond += f": {'1:3- and 6:1+' if self.odds else '0- and 7+'}, if they are these"
        return ("odds such as 3:1" if self.odds else " ".join(self._list_ends()) or "a whole number") + beyond

    def read(self, given: int | str) -> int | str:
        """Return the row or column for a value, or raise InputError if there is none."""
        if self.values:
            value = self._by_word.get(given) or self._by_word.get(str(given).casefold())
            if value is not None:
                return value
            raise InputError(f"{self.name}: {given!r} is not allowed", hint=format_suggestion(str(given), self.values))
        if self.has_owner_ends and (end := end_of(given)) and not end_of(end.value):
            return f"{self.read(end.value)}{end.sign}"
        if self.odds:
            return str(Odds.parse(str(given)))
        number = given if isinstance(given, int) else whole(given)
        if number is None:
            raise InputError(f"{self.name}: {str(given)[:20]!r} is not allowed", hint="enter a whole number")
        inside = number if self.least is None else max(number, self.least)
        inside = inside if self.most is None else min(inside, self.most)
        if inside != number and not self.open:
            raise InputError(
                f"{self.name}: {number} is not allowed", hint=f"it ranges {' '.join(self._list_ends('from '))}"
            )
        return inside

    def may_end(self, part: int | str) -> bool:
        """Return whether the owner may state that a row or column is an end.

        It must have no sign yet.
        """
        return self.has_owner_ends and end_of(part) is None

    def size(self, part: int | str) -> int:
        """Return a row or column as a number: odds as their distance from 1:1 in columns, and `6:1+` like `6:1`."""
        end = end_of(part)
        value = end.value if end else part
        return Odds.parse(str(value)).columns if self.odds else int(value)

    def row(self, ends: Ends) -> Sequence[int | str]:
        """Return all rows or columns in order, or none if an end is unknown."""
        first = ends.first or self.least
        last = ends.last or self.most
        if first is None or last is None:
            return []
        if isinstance(first, int) and isinstance(last, int):
            return range(first, max(first, last) + 1)
        low, high = self.size(first), self.size(last)
        between = [str(Odds(number)) if self.odds else number for number in range(low + 1, high)]
        return [first, *between, last] if low < high else [first]

    def columns(self, ends: Ends) -> OddsColumns:
        """Return the odds columns: the columns of `values`, or all between the stated ends.

        Raises InputError if a value is not odds.
        """
        if self.values:
            return OddsColumns.from_names(self.values)
        first = Odds.parse(ends.first[:-1]) if ends.first else None
        last = Odds.parse(ends.last[:-1]) if ends.last else None
        return OddsColumns(first, last)

    def _list_ends(self, prefix: str = "") -> list[str]:
        """Return the bounds as `["1", "to 6"]`, the first with a prefix."""
        ends = [f"{prefix}{self.least}"] if self.least is not None else []
        return ends + ([f"to {self.most}"] if self.most is not None else [])


BELOW_SIGN = "-"
"""The sign after the first row or column if it also applies to everything below: `1:3-`."""
ABOVE_SIGN = "+"
"""The sign after the last row or column if it also applies to everything above: `6:1+`."""


class End(NamedTuple):
    """The first or last row or column, as the owner states it."""

    value: str
    sign: str
    """`BELOW_SIGN` for the first, `ABOVE_SIGN` for the last."""


class Ends(NamedTuple):
    """The first and last row or column with their signs, such as `1:3-` and `6:1+`, or "" if not stated."""

    first: str = ""
    last: str = ""


def end_of(part: int | str) -> End | None:
    """Return the end that a part of a key states, such as `6:1+`, or None if the part is not an end."""
    text = str(part)
    return End(text[:-1], text[-1]) if text[-1:] in (BELOW_SIGN, ABOVE_SIGN) and len(text) > 1 else None


@lru_cache(maxsize=1024)  # every question about a combat asks for the ends of its table
def ends_of(key: ChartKey, parts: tuple[int | str, ...]) -> Ends:
    """Return the ends of a key in some cells.

    Raises InputError if there are two ends on one side, or a row or column beyond an end.
    """
    known = dict.fromkeys(parts)
    ends = [str(part) for part in known if end_of(part)]
    first = _find_only_end(key, [end for end in ends if end.endswith(BELOW_SIGN)])
    last = _find_only_end(key, [end for end in ends if end.endswith(ABOVE_SIGN)])
    for part in known:
        for bound, direction in ((first, 1), (last, -1)):
            if bound and part != bound and _reaches_end(key.size(part), key.size(bound), direction):
                raise InputError(f"{key.name} ends at {bound}, but there is also {part}", hint=f"leave {part} out")
    return Ends(first, last)


def _find_only_end(key: ChartKey, ends: Sequence[str]) -> str:
    """Return the end of a key on one side, or "" if none is stated."""
    if len(ends) > 1:
        raise InputError(f"{key.name} ends at {ends[0]} and at {ends[1]}", hint="leave one of the two out")
    return ends[0] if ends else ""


def _reaches_end(size: int, end: int, direction: int) -> bool:
    """Return whether a row or column lies at or beyond an end.

    `direction`: 1 if the end is the first row or column, -1 if it is the last.
    """
    return (end - size) * direction >= 0


def _is_within(number: int | Fraction, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def _find_end(key: ChartKey, part: int | str, ends: Ends) -> int | str:
    """Return the end at or beyond which a part of a key lies, or the part itself."""
    for end, direction in ((ends.first, 1), (ends.last, -1)):
        if end and _reaches_end(key.size(part), key.size(end), direction):
            return end
    return part


class CellField(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A field of a cell, which holds words or a number."""

    name: str
    title: Annotated[str, meaning("the head of its column on a printed chart")] = ""
    values: tuple[str, ...] = ()
    meanings: Annotated[tuple[str, ...], meaning("the meaning of each of `values`")] = ()
    several: Annotated[
        bool, meaning('whether it may hold several words, with spaces between ("-" is always alone)')
    ] = False
    least: Annotated[
        Number | None, meaning("of the number, which like `most` may be left out where there are no words")
    ] = None
    most: Number | None = None
    halves: Annotated[bool, meaning("whether it may be a half such as 1.5, which stays as it is written")] = False
    note: Annotated[str, meaning("the allowed notation, in words")] = ""

    @cached_property
    def _by_word(self) -> dict[str, str]:
        return {value.casefold(): value for value in reversed(self.values)}

    def read(self, text: str) -> int | str:
        """Return the field's value, or raise InputError if the text does not fit."""
        words = text.split()
        known = [self._by_word[word.casefold()] for word in words if word.casefold() in self._by_word]
        may_combine = len(words) == 1 or (self.several and "-" not in known and len(set(known)) == len(known))
        if words and len(known) == len(words) and may_combine:
            return " ".join(known)
        value = self._read_number(" ".join(words))
        if value is None:
            usual = format_suggestion(text.strip(), self.values) if self.values else "enter a whole number"
            raise InputError(f"{self.name}: {text.strip()[:40]!r} is not allowed", hint=self.note or usual)
        return value

    @property
    def possible(self) -> Sequence[int | str] | None:
        """All values in order, or None if their number is unlimited."""
        if self.several or (self.least is None) != (self.most is None):
            return None
        numbers: list[int | str] = (
            [] if self.least is None or self.most is None else [*range(self.least, self.most + 1)]
        )
        halves = [f"{number}.5" for number in numbers[:-1]] if self.halves else []
        return [*self.values, *numbers, *halves]

    def allows(self, text: str) -> bool:
        """Return whether a text is one of its values."""
        try:
            self.read(text)
        except InputError:
            return False
        return True

    def _read_number(self, text: str) -> int | str | None:
        """Return a number within the bounds, a half such as `1.5` as text, or None for any other text."""
        if self.values and self.least is None and self.most is None:
            return None
        number = whole(text.removesuffix(".5") if self.halves else text)
        if number is None:
            return None
        if not self.halves:
            return number if _is_within(number, self.least, self.most) else None
        half = Fraction(text.endswith(".5"), 2)
        exact = number - half if text.startswith("-") else number + half  # the whole number of `-0.5`, 0, has no sign
        return text if _is_within(exact, self.least, self.most) else None


class Chart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chart as the game declares it."""

    name: str
    title: str
    rule: str = ""
    keys: tuple[ChartKey, ...]
    fields: tuple[CellField, ...]
    file: str = ""
    unread: str = ""
    """The part of the chart that no rule reads yet, in words, or "" if rules read the whole chart."""
    remark: str = ""
    """The text below the printed chart."""
    cells: Mapping[Keys, Cell] = {}
    """The cells known from the game's own files."""

    def key(self, *given: int | str) -> Keys:
        """Return the key of a cell in its regular form.

        Raises InputError if the key has too many or too few parts, or one is not on the chart.
        """
        if given in self.cells:
            return given
        if len(given) != len(self.keys):
            names = " ".join(key.name for key in self.keys)
            one = len(self.keys) == 1
            what = f"chart {self.name} needs {len(self.keys)} key{'' if one else 's'}"
            raise InputError(what, hint=f"{'it is' if one else 'they are'}: {names}")
        return tuple(key.read(value) for key, value in zip(self.keys, given, strict=True))

    @property
    def has_owner_ends(self) -> bool:
        """Whether only the owner knows an end of one of its keys."""
        return any(key.has_owner_ends for key in self.keys)

    def ends(self, cells: Iterable[Keys]) -> tuple[Ends, ...]:
        """Return the ends of each key in known cells, or raise InputError if the cells contradict each other."""
        known = [*cells]
        try:
            return tuple(
                ends_of(key, tuple(cell[place] for cell in known)) if key.has_owner_ends else Ends()
                for place, key in enumerate(self.keys)
            )
        except InputError as error:
            raise InputError(f"chart {self.name}: {error.what}", hint=error.hint) from None

    def key_within(self, key: Keys, ends: Sequence[Ends]) -> Keys:
        """Return the key of the cell that applies to a key: a part beyond an end becomes that end."""
        return tuple(
            part if end_of(part) or not heading.has_owner_ends else _find_end(heading, part, end)
            for heading, part, end in zip(self.keys, key, ends, strict=False)
        )

    def cell(self, text: str, source: Source = Source.STATED) -> Cell:
        """Parse the fields of a cell, with slashes between, or raise InputError if the text does not fit."""
        parts = [part.strip() for part in text.replace(MINUS, "-").split("/")]
        if len(parts) != len(self.fields):
            raise self.not_a_cell(text)
        values = ((field.name, field.read(part)) for field, part in zip(self.fields, parts, strict=True))
        return Cell(Fields(values), source)

    def check(self, cell: Cell) -> Cell:
        """Return a cell in its regular form, or raise InputError if the cell does not fit the chart."""
        fields = [field.name for field in self.fields]
        if unknown := [name for name in cell.values if name not in fields]:
            raise InputError(
                f"chart {self.name} has no field {unknown[0]!r}", hint=format_suggestion(unknown[0], fields)
            )
        return self.cell("/".join(str(cell.values.get(field.name, "")) for field in self.fields), cell.source)

    @property
    def sources(self) -> frozenset[Source]:
        """The sources of its known cells."""
        return frozenset(cell.source for cell in self.cells.values())

    def how_to_state(self, key: Keys) -> str:
        """Return the line to type to state one cell."""
        return f"{self._write_cell_name(key)} = {self.form}"

    def write(self, key: Keys, cell: Cell) -> str:
        """Return the line of position notation that states a cell."""
        return f"{self._write_cell_name(key)} = {self.write_cell(cell)}"

    def write_cell(self, cell: Cell) -> str:
        """Return the text of a cell."""
        return " / ".join(str(cell.values[field.name]) for field in self.fields)

    @property
    def form(self) -> str:
        """The names of a cell's fields, with slashes between."""
        return " / ".join(field.name for field in self.fields)

    def not_a_cell(self, text: str) -> InputError:
        """Return the error that a text is not a cell."""
        return InputError(f"{text!r} is not a cell of chart {self.name}", hint=f"a cell is: {self.form}")

    def _write_cell_name(self, key: Keys) -> str:
        return f"chart {self.name} {' '.join(quoted(str(part)) for part in key)}"

    def fill(
        self, file: Traversable, source: Source | None = None, on_fault: OnFault = stop, file_name: str = ""
    ) -> Chart:
        """Return the chart with the cells of a CSV file.

        The file has a column for each key and field, and a column `source`.

        `source`: the source of all cells, if the file has no such column.

        `on_fault`: receives each cell that does not fit or is repeated.
        """
        cells: dict[Keys, Cell] = {}
        headings = [(key.name, cache(key.read)) for key in self.keys]  # a few headings repeat in many rows
        fields = [field.name for field in self.fields]
        cell = cache(lambda text, word: self.cell(text, source or read_source(word)))
        columns = [*(name for name, _ in headings), *fields, *(() if source else ("source",))]
        for row, where in read_rows(file, columns, file_name, on_fault):
            try:
                key = tuple([read(row[name]) for name, read in headings])
                if key in cells:
                    raise InputError(f"cell {' '.join(map(str, key))} is given twice")
                cells[key] = cell("/".join([row[name] for name in fields]), row.get("source", ""))
            except InputError as error:
                on_fault(error.at(where))
        return msgspec.structs.replace(self, cells=cells)


# --- rows typed at once -----------------------------------------------------------------------------------------------


def rows_of(keys: Iterable[Keys]) -> list[list[Keys]]:
    """Return the keys of cells in rows; keys in a row differ only in the last part."""
    return [list(row) for _, row in groupby(keys, key=lambda key: key[:-1])]


def format_row(keys: Sequence[Keys]) -> str:
    """Return the cells of a row in words: `summer 1:4, 2 to 6, 8 to 12`, or one cell as `summer 1:4 7`."""
    if len(keys) == 1:
        return " ".join(map(str, keys[0]))
    runs: list[list[int | str]] = []  # runs of consecutive numbers; words count as consecutive
    for key in keys:
        part = key[-1]
        if runs and (isinstance(part, str) or runs[-1][-1] == part - 1):
            runs[-1].append(part)
        else:
            runs.append([part])
    row = " ".join(map(str, keys[0][:-1]))
    ranges = (str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return ", ".join(filter(None, [row, *ranges]))


_UNKNOWN = "?"
"""The text typed in a row for a cell that is not known."""


def cells_of(chart: Chart, keys: Sequence[Keys], line: str) -> dict[Keys, str]:
    """Return the texts of a typed line by key: all cells of a row, or only its first one.

    A single cell needs all its slashes. `?` is an unknown cell.

    Raises InputError if a text is not a cell, or if there are more cells or fewer than `keys`.
    """
    try:  # a single cell may contain spaces
        chart.cell(line)
        return {keys[0]: line.strip()}
    except InputError:
        words = re.sub(r"\s*/\s*", "/", line).split()
    if len(words) == 1 and len(words[0].split("/")) != len(chart.fields) and set(words[0]) != {"="}:
        raise chart.not_a_cell(words[0])
    values: list[str] = []
    for word in words:
        if set(word) == {"="}:
            if not values:
                raise InputError("there is no cell before =", hint="type the first cell of a row")
            values += [values[-1]] * len(word)
        elif word == _UNKNOWN:
            values.append(word)
        else:
            values.append(complete_cell(chart, word))
    if len(values) not in (1, len(keys)):
        what = f"{len(values)} cells, but {chart.name} {format_row(keys)} has {len(keys)}"
        hint = f"a cell is {chart.form}, with spaces only between cells; = repeats the one before, ? leaves one out"
        raise InputError(what, hint=hint)
    return dict(zip(keys, values, strict=False))


def known_cells(typed: Mapping[Keys, str]) -> dict[Keys, str]:
    """Return the cells of a typed line without the unknown ones."""
    return {key: text for key, text in typed.items() if text != _UNKNOWN}


def complete_cell(chart: Chart, word: str) -> str:
    """Return a cell typed in short in the chart's form, or raise InputError if the text is not a cell.

    The last fields, and spaces between the words of a field, may be left out.
    """
    parts = word.split("/")
    missing = [_find_default(field) for field in chart.fields[len(parts) :]]
    if len(parts) > len(chart.fields) or "" in missing:
        raise chart.not_a_cell(word)
    return chart.write_cell(chart.cell("/".join([*map(_space_words, chart.fields, parts), *missing])))


def _find_default(field: CellField) -> str:
    if "-" in field.values:
        return "-"
    return "" if field.values or field.least is None else str(field.least)


def _space_words(field: CellField, text: str) -> str:
    """Put spaces between the words of a field: `x w` for `xw`."""
    if not field.several:
        return text
    words = sorted(field.values, key=len, reverse=True)  # longer words first, because one word may begin with another
    words_found = re.findall("|".join(map(re.escape, words)), text, re.IGNORECASE)
    return " ".join(words_found) if "".join(words_found) == text else text
