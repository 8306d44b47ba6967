"""Reading the tables of a chart that its owner pastes or types.

The layout is guessed: tabs, pipes, semicolons, commas or blanks separate the cells, and a key of the chart may run down
or across. If several readings remain, the owner chooses.

An axis is a key of the chart, or the fields of its cells. Its parts are the values of the key, or the fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from math import inf, prod
from typing import NamedTuple

from ..state.tracks import Source
from ..util.errors import InputError
from ..util.limits import Limit
from .charts import CellField, Chart, Ends, Keys, complete_cell
from .pasted_cells import (
    FIELDS,
    FRACTION_SIGNS,
    SHIFTED_SIGN,
    UNKNOWN,
    Axis,
    Part,
    Row,
    clean_pasted,
    fold_letters,
    fold_words,
    list_partings,
)
from .printed_charts import format_heads, format_key_title

_MAX_GUESSES = 6
"""The maximum number of combinations of parts that are tried for keys that nothing in the table names."""
_MAX_CELLS_PER_CHART_CELL = 12
"""The maximum number of cells in a text, with headings and remarks, for each cell of the chart."""
_MIN_CHART_CELLS = 400
"""The minimum number of cells assumed for a chart in the limit of `_MAX_CELLS_PER_CHART_CELL`."""
_NO_EFFECT = ("*", "•", "·", "none", "no effect", "no result")


class TableReading(NamedTuple):
    """A way to read a table."""

    cells: dict[Keys, str]
    """The cells as the chart writes them, by key."""
    blank: tuple[Keys, ...] = ()
    """The keys of cells that the table leaves open."""
    faults: tuple[str, ...] = ()
    """The faults of other cells and of headings, in words, each with its place."""
    notes: tuple[str, ...] = ()
    """The allowed values of fields in faulty cells."""
    guess: str = ""
    """The layout of the table, in words."""
    certain: bool = True
    """Whether headings and titles name every row and column."""

    @property
    def is_plain(self) -> bool:
        """Whether nothing is left to confirm."""
        return self.certain and not (self.blank or self.faults)


def read_tables(chart: Chart, text: str, ends: Sequence[Ends] = (), within: Keys = ()) -> list[TableReading]:
    """Return the ways to read a text as a table of a chart.

    `ends`: the known ends of each key.
    `within`: the first parts of all keys in the table, if the table is only a section of the chart.

    Raises InputError if the text is too long, or is not a table of the chart.
    """
    Limit.DATA.check(len(text), "the table has")
    if not (text := clean_pasted(text)).strip():
        raise InputError("there is no table", hint=_format_forms(chart))
    max_cells = _MAX_CELLS_PER_CHART_CELL * max(
        prod(len(key.values or key.row(Ends())) for key in chart.keys), _MIN_CHART_CELLS
    )
    reader = _TableReader(chart, tuple(ends) or (Ends(),) * len(chart.keys), within, short="\n" not in text.strip())
    # The strict attempts come first: among equally sound attempts, `max` takes the first.
    attempts = [
        reader.read_rows(rows, lenient=lenient)
        for lenient in (False, True)
        for rows in list_partings(text, max_cells, reader.may_be_title)
    ]
    best = max(attempts, key=lambda readings: max(map(_measure_soundness, readings), default=-inf), default=[])
    if sound := [reading for reading in best if len(reading.cells) >= len(reading.faults)]:
        return _drop_repeated(sound)
    faults = (f": {reading.faults[0]}" for readings in attempts for reading in readings if reading.faults)
    raise InputError(f"this is not a table of {chart.name}{next(faults, '')}", hint=_format_forms(chart))


def _measure_soundness(reading: TableReading) -> float:
    """Return a score in which each fault outweighs two cells."""
    return len(reading.cells) + len(reading.blank) - 2 * len(reading.faults)


def is_heading(chart: Chart, text: str) -> bool:
    """Return whether a text is the heading of a row or column of a chart."""
    return any(axis.read(text) is not None for axis in _TableReader(chart, (Ends(),) * len(chart.keys), ()).axes[:-1])


def heads_table(chart: Chart, line: str) -> bool:
    """Return whether a line is a title or the headings of a table, not a row of its cells."""
    words = line.split()
    reader = _TableReader(chart, (Ends(),) * len(chart.keys), ())
    if all(map(reader.cell, words)):
        return False
    folded = fold_letters(line)
    if any(folded in axis.words for axis in reader.axes[:-1]) or fold_letters(chart.title) in folded:
        return True
    # There may be one word more than parts: the name of the other axis in the corner.
    axes = [axis for axis in reader.axes[:-1] if len(axis.parts) in (len(words), len(words) - 1)]
    axes += [axis for axis in reader.axes[:-1] if not axis.parts and len(words) > len(Ends._fields)]
    return len(words) > 1 and any(
        all(axis.read(word) is not None for word in words[-len(axis.parts) :]) for axis in axes
    )


def _drop_repeated(readings: Iterable[TableReading]) -> list[TableReading]:
    by_cells: dict[frozenset[tuple[Keys, str]], TableReading] = {}
    for reading in readings:
        by_cells.setdefault(frozenset(reading.cells.items()), reading)
    return [*by_cells.values()]


def _format_forms(chart: Chart) -> str:
    sizes = " by ".join(
        f"{len(key.values or key.row(Ends())) or 'some'} ({format_key_title(key)})" for key in reversed(chart.keys)
    )
    cell = f"; a cell is {chart.form}" if len(chart.fields) > 1 else ""
    return f"it has {sizes}: put the headings of its rows and columns beside it{cell}"


# --- readings -----------------------------------------------------------------------------------------------------------


class _PastedRow(NamedTuple):
    cells: Row
    section: Mapping[int, Part]
    """The parts of keys that a title above the row names, by the place of the key."""


class _TableSide(NamedTuple):
    axes: Sequence[Axis]
    """The axes that run along this side, the outermost first."""
    parts: Sequence[Sequence[Part | None]]
    """The part of each axis for each row or column, None under a wrong heading."""
    headed: int
    """The number of innermost axes with headings. The parts of the other axes follow from the order."""
    faults: Sequence[str]
    """The wrong headings, in words. They name nothing, or the same as another heading."""


class _TableReader:
    """A reader of tables of a chart.

    `within`: the first parts of all keys in the table.

    `short`: whether a cell may leave out its last fields, as in typed rows.
    """

    def __init__(self, chart: Chart, ends: Sequence[Ends], within: Keys, *, short: bool = True) -> None:
        self.chart = chart
        self.within = within
        self.short = short
        self.axes = [*(Axis(chart, place, end) for place, end in enumerate(ends)), Axis(chart, FIELDS, Ends())]
        self._cells: dict[str, str | InputError] = {}

    # --- lines and titles ---

    def list_lines(self, rows: Sequence[Row]) -> Iterator[list[_PastedRow]]:
        """Yield the rows of a table without titles and remarks, in one or two ways.

        A row with a single text may be a title, or a heading without cells. The second way takes it for a heading.
        """
        rows = [row for row in rows if any(row)]
        if not rows:
            return
        width = max(map(len, rows))
        first_full = next(number for number, row in enumerate(rows) if len(row) == width)
        upper = [self._straighten_upper(row, width) for row in rows[:first_full]]
        padded = [row + ("",) * (width - len(row)) for row in (*upper, *rows[first_full:])]
        used_columns = [column for column in range(width) if any(row[column] for row in padded)]
        trimmed = [row[used_columns[0] : used_columns[-1] + 1] for row in padded] if used_columns else []
        with_titles = [*self._drop_titles(trimmed)]
        yield with_titles
        remarks = self._find_remarks(trimmed)
        if not any(self.find_named(next(filter(None, trimmed[number]))) for number in remarks):
            without_titles = [_PastedRow(row, {}) for number, row in enumerate(trimmed) if number not in remarks]
            if without_titles != with_titles:
                yield without_titles

    def _straighten_upper(self, row: Row, width: int) -> Row:
        """Return a row above the first full row of a table, with its missing corner or with a split title joined."""
        if len(row) == width - 1 > 1 and row[0]:
            return ("", *row)
        return (" ".join(filter(None, row)),) if self.may_be_title(row) else row

    def _find_remarks(self, rows: Sequence[Row]) -> set[int]:
        """Return the numbers of rows above and below a table with a single text that is not a heading."""
        in_table = [number for number, row in enumerate(rows) if sum(map(bool, row)) > 1]
        if not in_table:
            return set()
        outside = [number for number in range(len(rows)) if not in_table[0] <= number <= in_table[-1]]
        return {number for number in outside if not self._is_heading(next(filter(None, rows[number])))}

    def may_be_title(self, row: Sequence[str]) -> bool:
        """Return whether a row may be the words of a title: few texts are headings, and none is a cell."""
        return not self._is_heading_row(row, also_cells=True) and not any(self.cell(text) for text in row if text)

    def _is_heading_row(self, row: Sequence[str], *, also_cells: bool) -> bool:
        """Return whether at least half of the texts in a row are headings.

        `also_cells`: whether headings that may be cells too count.
        """
        texts = [*filter(None, row)]
        headings = (self._is_heading(text) and (also_cells or not self._is_value(text)) for text in texts)
        return 2 * sum(headings) >= len(texts)

    def _is_value(self, text: str) -> bool:
        return bool(self.cell(text)) or any(field.allows(_normalize_part(field, text)) for field in self.chart.fields)

    def _drop_titles(self, rows: Sequence[Row]) -> Iterator[_PastedRow]:
        """Yield the rows without titles and remarks. A title applies to the rows below it, until the next title."""
        section: dict[int, Part] = {}
        remarks = self._find_remarks(rows)
        for number, row in enumerate(rows):
            texts = [cell for cell in row if cell]
            if len(texts) == 1 and not self.cell(texts[0]) and (named := self.find_named(texts[0])):
                section = section | named
            elif number not in remarks or self.cell(texts[0]):
                yield _PastedRow(row, section)

    def _is_heading(self, text: str) -> bool:
        return any(axis.read(text) is not None for axis in self.axes)

    def find_named(self, title: str) -> dict[int, Part]:
        """Return the parts of keys that a title names, by the place of the key.

        A key counts only if the title has exactly one of its words; `light woods` does not name `woods`.
        """
        named: dict[int, Part] = {}
        text = f" {fold_words(title)} "
        for axis in self.axes[:-1]:
            assert axis.key
            values_by_form = {
                fold_words(form): value
                for value in axis.key.values
                for form in (value, *format_heads(axis.key, [value]))
                if re.search("[^\\W0-9_]", form)
            }
            forms = [form for form in values_by_form if form and f" {form} " in text]
            longest = [form for form in forms if not any(form != longer and form in longer for longer in forms)]
            parts = {values_by_form[form] for form in longest}
            parts |= {*axis.key.values}.intersection(re.findall("(?<![0-9:])[0-9]+:[0-9]+(?![0-9:])", title))
            if len(parts) == 1:
                named[axis.place] = parts.pop()
        return named

    # --- the meaning of rows and columns ---

    def read_rows(self, rows: Sequence[Row], *, lenient: bool) -> list[TableReading]:
        """Return the ways to read the rows of a text, titles among them."""
        attempts = [self.read_lines(lines, lenient=lenient) for lines in self.list_lines(rows)]
        first = attempts[0] if attempts else []
        return next((readings for readings in attempts if any(reading.cells for reading in readings)), first)

    def read_lines(self, lines: Sequence[_PastedRow], *, lenient: bool) -> list[TableReading]:
        """Return the ways to read the rows of a table.

        If nothing names some keys, parts of the first ones are guessed, for as few keys as possible: a table for one
        terrain may be for any terrain.

        `lenient`: whether up to a third of the headings may be wrong.
        """
        if not lines:
            return []
        if ordered := self._match_file_columns(lines):
            readings_as_file = self._read_layout(self.axes[:-1], self.axes[-1:], ordered, {}, lenient=lenient)
            return [reading for reading in readings_as_file if reading.certain]
        fixed_places = {*range(len(self.within)), *lines[-1].section}
        open_axes = [axis for axis in self.axes[:-1] if axis.place not in fixed_places]
        readings: list[TableReading] = []
        for guessed in range(len(open_axes) + 1):
            guesses = [*product(*(axis.parts for axis in open_axes[:guessed]))]
            if readings or len(guesses) > _MAX_GUESSES or (guessed and guessed == len(open_axes)):
                break
            corner = self.find_named(lines[0].cells[0])
            for guess in guesses:
                guessed_parts = {axis.place: part for axis, part in zip(open_axes, guess, strict=False)}
                if any(corner.get(place, part) != part for place, part in guessed_parts.items()):
                    continue
                readings += self._read_in_all_layouts(open_axes[guessed:], lines, guessed_parts, lenient=lenient)
        return readings

    def _match_file_columns(self, lines: Sequence[_PastedRow]) -> list[_PastedRow]:
        """Return the rows of a table like a chart's file, with columns in the chart's order.

        Returns no rows for another table.
        """
        head = [fold_letters(cell) for cell in lines[0].cells]
        names = [axis.names for axis in self.axes[:-1]]
        names += [frozenset(map(fold_letters, (field.name, field.title))) - {""} for field in self.chart.fields]
        columns = [next((column for column, cell in enumerate(head) if cell in named), -1) for named in names]
        if -1 in columns or len({*columns}) < len(columns):
            return []
        return [_PastedRow(tuple(line.cells[column] for column in columns), line.section) for line in lines]

    def _read_in_all_layouts(
        self, axes: Sequence[Axis], lines: Sequence[_PastedRow], guessed_parts: Mapping[int, Part], *, lenient: bool
    ) -> Iterator[TableReading]:
        """Yield the ways to read a table, with each axis down or across.

        `guessed_parts`: parts of keys that nothing in the table names, by the place of the key.
        """
        field_layouts = [()] if len(self.chart.fields) == 1 else [(), (True,), (False,)]
        for keys_down, fields_down in product(product((True, False), repeat=len(axes)), field_layouts):
            directions = [*zip(axes, keys_down, strict=True), *((self.axes[-1], is_down) for is_down in fields_down)]
            row_axes = [axis for axis, is_down in directions if is_down]
            column_axes = [axis for axis, is_down in directions if not is_down]
            yield from self._read_layout(row_axes, column_axes, lines, guessed_parts, lenient=lenient)

    def _read_layout(
        self,
        row_axes: Sequence[Axis],
        column_axes: Sequence[Axis],
        lines: Sequence[_PastedRow],
        guessed_parts: Mapping[int, Part],
        *,
        lenient: bool,
    ) -> Iterator[TableReading]:
        """Yield the ways to read a table with these axes, for each number of heading rows and heading columns."""
        width = len(lines[0].cells)
        for head_rows, head_columns in product(range(max(len(column_axes), 1) + 1), range(max(len(row_axes), 1) + 1)):
            heads = [line.cells for line in lines[:head_rows]]
            body = [line for line in lines[head_rows:] if line.cells not in heads]  # stacked tables repeat their heads
            if not body or head_columns >= width:
                continue
            if any(line.section.keys() != lines[-1].section.keys() for line in body):
                continue
            column_heads = [tuple(head[column] for head in heads) for column in range(head_columns, width)]
            row_heads = [line.cells[:head_columns] for line in body]
            # A side without an axis may only have words, such as a caption.
            if not column_axes and not self._is_caption(
                column_heads, [head[:head_columns] for head in heads], row_axes
            ):
                continue
            corners = [tuple(head[0] for head in heads)] * head_columns
            if not row_axes and not self._is_caption(row_heads, corners, column_axes):
                continue
            first_row, first_column = lines[0].cells[head_columns:], [line.cells[0] for line in lines[head_rows:]]
            if (column_axes and not head_rows and self._is_heading_row(first_row, also_cells=lenient)) or (
                row_axes and not head_columns and self._is_heading_row(first_column, also_cells=lenient)
            ):
                continue  # the headings would be read as cells
            section_sizes = [len([*group]) for _, group in groupby(body, key=lambda line: line.section)]
            down = _read_side(row_axes, row_heads if row_axes else [()] * len(body), section_sizes, lenient=lenient)
            if not down:
                continue
            count = len(column_heads)
            across = _read_side(column_axes, column_heads if column_axes else [()] * count, [count], lenient=lenient)
            corner = lines[0].cells[0] if head_rows and head_columns else ""
            if across and (lenient or self._fits_corner(corner, row_axes, column_axes)):
                yield self._read_cells(body, head_columns, down, across, guessed_parts)

    def _is_caption(self, texts: Sequence[Row], corners: Sequence[Row], axes: Sequence[Axis]) -> bool:
        """Return whether the texts at a side without an axis are a caption.

        They are if none is a cell, and no corner is a heading.

        `axes`: the axes of the other side.
        """
        if any(text and self.cell(text) for row in texts for text in row):
            return False
        pairs = [zip(axes[-len(corner) :], corner, strict=False) for corner in corners if corner and axes]
        return not any(all(axis.read(text) is not None for axis, text in pair) for pair in pairs)

    @staticmethod
    def _fits_corner(corner: str, row_axes: Sequence[Axis], column_axes: Sequence[Axis]) -> bool:
        """Return whether the corner is empty, names the rows first, or names no axis."""
        text = fold_letters(corner)
        names_rows = any(text.startswith(name) for axis in row_axes for name in axis.names)
        names_columns = any(text.startswith(name) for axis in column_axes for name in axis.names)
        return not text or names_rows or not names_columns

    # --- cells ---

    def cell(self, text: str) -> str:
        written = self._read_cell(text)
        return written if isinstance(written, str) else ""

    def _read_cell(self, text: str) -> str | InputError:
        if text not in self._cells:
            try:
                self._cells[text] = read_pasted_cell(self.chart, text, short=self.short)
            except InputError as error:
                self._cells[text] = error
        return self._cells[text]

    def _read_cells(
        self,
        body: Sequence[_PastedRow],
        head_columns: int,
        down: _TableSide,
        across: _TableSide,
        guessed_parts: Mapping[int, Part],
    ) -> TableReading:
        given = dict(enumerate(self.within)) | dict(guessed_parts)
        texts: dict[Keys, dict[Part, str]] = {}
        faults = [*down.faults, *across.faults]
        for line, row_parts in zip(body, down.parts, strict=True):
            parts_of_row = given | dict(line.section) | _index_by_place(down.axes, row_parts)
            if shifted := next((cell for cell in line.cells if cell.startswith(SHIFTED_SIGN)), ""):
                faults.append(f"{self._format_place(parts_of_row)}: {shifted.removeprefix(SHIFTED_SIGN)}")
                continue
            for text, column_parts in zip(line.cells[head_columns:], across.parts, strict=True):
                parts = parts_of_row | _index_by_place(across.axes, column_parts)
                key = tuple(part for place in range(len(self.axes) - 1) if (part := parts[place]) is not None)
                field = parts.get(FIELDS, FIELDS)
                if len(key) < len(self.axes) - 1 or field is None:
                    continue  # the cell is under a wrong heading
                fields = texts.setdefault(key, {})
                if field in fields:
                    faults.append(f"{self._format_place(parts)} stands there twice")
                fields[field] = text
        return self._make_reading(texts, faults, down, across, guessed_parts, body[0].section)

    def _make_reading(
        self,
        texts: Mapping[Keys, Mapping[Part, str]],
        faults: list[str],
        down: _TableSide,
        across: _TableSide,
        guessed_parts: Mapping[int, Part],
        section: Mapping[int, Part],
    ) -> TableReading:
        """Return the reading of a table.

        `texts`: the texts by key and field. A cell written whole has only the field `FIELDS`.
        """
        cells = dict[Keys, str]()
        blank = list[Keys]()
        notes = dict[str, None]()
        for key, by_field in texts.items():
            typed = [by_field[field] for field in sorted(by_field)]
            lacks_field = FIELDS not in by_field and len(typed) < len(self.chart.fields)
            if lacks_field or any(text in ("", UNKNOWN) for text in typed):
                blank.append(key)
                continue
            written = self._read_cell("/".join(typed))
            stated = self.chart.cells.get(key)
            if isinstance(written, InputError):
                faults.append(f"{self._format_place(dict(enumerate(key)))}: {written.what}")
                notes |= dict.fromkeys(filter(None, [written.hint]))
            elif stated and stated.source is Source.RULEBOOK and self.chart.write_cell(stated) != written:
                by_rule = f" by rule {self.chart.rule}" if self.chart.rule else ""
                what = f"{written} contradicts the rulebook{by_rule}: {self.chart.write_cell(stated)}"
                faults.append(f"{self._format_place(dict(enumerate(key)))}: {what}")
            else:
                cells[key] = written
        certain = not guessed_parts and all(side.headed == len(side.axes) for side in (down, across))
        guess = self._format_guess(down, across, guessed_parts, section)
        return TableReading(cells, tuple(blank), tuple(faults), tuple(notes), guess, certain)

    def _format_place(self, parts: Mapping[int, Part | None]) -> str:
        return ", ".join(
            f"{self.chart.keys[place].name} {part}" for place, part in sorted(parts.items()) if place != FIELDS
        )

    def _format_guess(
        self, down: _TableSide, across: _TableSide, guessed_parts: Mapping[int, Part], section: Mapping[int, Part]
    ) -> str:
        parts = [_format_side(what, side) for what, side in (("rows", down), ("columns", across)) if side.axes]
        parts += [f"{self.chart.keys[place].name} {part}, which nothing names" for place, part in guessed_parts.items()]
        parts += [f"{self.chart.keys[place].name} by its titles" for place in section]
        return "; ".join(parts) or "a single cell"


def _index_by_place(axes: Sequence[Axis], parts: Sequence[Part | None]) -> dict[int, Part | None]:
    return {axis.place: part for axis, part in zip(axes, parts, strict=True)}


def _read_side(
    axes: Sequence[Axis], headings: Sequence[Row], section_sizes: Sequence[int], *, lenient: bool
) -> _TableSide | None:
    """Return the meaning of a table's rows or columns, or None if they do not fit these axes.

    The innermost axes have headings; parts of the outer axes follow from the order of the chart. With a die from 1 to 6
    as the only heading, twelve rows are two blocks, one for each part of the outer axis.

    `headings`: the headings of each row or column, the outermost first.

    `section_sizes`: the number of rows or columns below each title.
    """
    headed = len(headings[0])
    outer_axes, inner_axes = axes[: len(axes) - headed], axes[len(axes) - headed :]
    block_count = prod(len(axis.parts) for axis in outer_axes)
    if not block_count:
        return None
    if any(size % block_count or (not headed and size != block_count) for size in section_sizes):
        return None
    parts_by_axis = [
        axis.within_ends(
            [axis.read(text) for text in _fill_merged([row[depth] for row in headings], is_merged=depth + 1 < headed)]
        )
        for depth, axis in enumerate(inner_axes)
    ]
    wrong_headings = {number for axis_parts in parts_by_axis for number, part in enumerate(axis_parts) if part is None}
    outer_parts = [*product(*(axis.parts for axis in outer_axes))]
    parts: list[tuple[Part | None, ...]] = []
    for size in section_sizes:
        start = len(parts)
        block_size = size // block_count
        blocks = [
            [tuple(axis_parts[start + at] for axis_parts in parts_by_axis) for at in range(first, first + block_size)]
            for first in range(0, size, block_size)
        ]
        if any({*block} != {*blocks[0]} for block in blocks):
            return None
        section_parts = [(*outer, *inner) for outer, block in zip(outer_parts, blocks, strict=True) for inner in block]
        repeated = {part for part, count in Counter(section_parts).items() if count > 1}
        wrong_headings |= {start + at for at, part in enumerate(section_parts) if part in repeated}
        parts += section_parts
    if wrong_headings and (not lenient or len({headings[number] for number in wrong_headings}) * 3 > len(parts)):
        return None
    faults = [_format_heading_fault(inner_axes, headings[number], number) for number in sorted(wrong_headings)]
    unknown = (None,) * len(axes)
    return _TableSide(
        axes, [unknown if number in wrong_headings else part for number, part in enumerate(parts)], headed, faults
    )


def _format_heading_fault(axes: Sequence[Axis], texts: Row, number: int) -> str:
    text = " ".join(filter(None, texts))
    names = " and ".join(axis.title for axis in axes)
    is_known = all(axis.read(text) is not None for axis, text in zip(axes, texts, strict=True))
    what = "stands there twice" if is_known else "names none of the chart"
    return f"heading {number + 1} of {names}, {text[:40]!r}, {what}"


def _fill_merged(texts: Sequence[str], *, is_merged: bool) -> Iterator[str]:
    last = ""
    for text in texts:
        last = text if text or not is_merged else last
        yield last


def _format_side(what: str, side: _TableSide) -> str:
    named = []
    for place, axis in enumerate(side.axes):
        parts = [row[place] for row in side.parts if row[place] is not None]
        name = axis.title
        if axis.key is not None and parts:
            name += f" {parts[0]} to {parts[-1]}" if len({*parts}) > 1 else f" {parts[0]}"
        named.append(name)
    basis = "by their headings" if side.headed == len(side.axes) else "in the order of the chart"
    if 0 < side.headed < len(side.axes):
        basis = "the inner ones by their headings, the outer ones in the order of the chart"
    return f"{what} are {' and '.join(named)}, {basis}"


def read_pasted_cell(chart: Chart, text: str, *, short: bool = False) -> str:
    """Return a cell as the chart writes it, from a text with dashes, fractions and decimal commas of any kind.

    `short`: whether the last fields may be left out, as in typed rows.

    Raises InputError if the text is not a cell of the chart.
    """
    for sign, written in FRACTION_SIGNS.items():
        text = text.replace(sign, written)
    if len(chart.fields) == 1:
        text = re.sub(r"(?:(?<=[0-9])\s+|\b)1/2$", ".5", text)
    parts = [part.strip() for part in text.split("/")] if len(chart.fields) > 1 else [text.strip()]
    normalized = [_normalize_part(field, part) for field, part in zip(chart.fields, parts, strict=False)]
    if not short and len(parts) < len(chart.fields) and normalized != ["-"]:
        raise chart.not_a_cell(text)
    surplus = parts[len(normalized) :]  # passed on, so that `complete_cell` reports the surplus
    return complete_cell(chart, "/".join([*normalized, *surplus]))


def _normalize_part(field: CellField, text: str) -> str:
    """Return the text of a field in the chart's signs: `none` as `-`, `1,5` as `1.5`, `2.0` as `2`."""
    if "-" in field.values and text not in field.values and text.casefold() in _NO_EFFECT:
        return "-"
    number = re.fullmatch(r"([+-]?[0-9]*)\s?[.,]([05])0*", text)
    if number and (field.halves or number[2] == "0"):
        return f"{number[1] or 0}{'.5' if number[2] == '5' else ''}"
    return text.replace(",", " ") if field.several else text
