"""Tables of a chart as its owner pastes or types them: how they are laid out is found out, shown, and read into cells.

Tabs, pipes, semicolons, commas or blanks part the cells; tables may be turned, stacked or side by side, with headings
at any side, or none where their size is enough. The owner chooses among several readings.
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
    SHIFTED,
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

_MAX_READINGS = 6
"""The maximum number of ways to read a table without a name above its rows and columns that are still asked about."""
_MAX_CELLS_PER_CHART_CELL = 12
"""The maximum number of cells in a text, with headings and remarks, for each cell of the chart."""
_MIN_CHART_CELLS = 400
"""The number of cells that a smaller chart counts as."""
_NO_EFFECT = ("*", "•", "·", "none", "no effect", "no result")


class TableReading(NamedTuple):
    """A way to read a table."""

    cells: dict[Keys, str]
    """By key, each as the chart writes it."""
    blank: tuple[Keys, ...] = ()
    """The keys of those that are left open."""
    faults: tuple[str, ...] = ()
    """What is wrong with others, in words, each with its place."""
    notes: tuple[str, ...] = ()
    """What their fields may hold."""
    guess: str = ""
    """How the table lies, in words."""
    certain: bool = True
    """Whether its headings and titles say all of that."""

    @property
    def is_plain(self) -> bool:
        """Whether it leaves nothing to be confirmed."""
        return self.certain and not (self.blank or self.faults)


def read_tables(chart: Chart, text: str, ends: Sequence[Ends] = (), within: Keys = ()) -> list[TableReading]:
    """Return the ways to read a text as a table of a chart: one, or several between which only its owner can decide.

    ends: where the chart ends, as far as that is known; within: the beginning of the keys that are meant. Raises
    InputError for a text that is too long, or no table of the chart.
    """
    Limit.DATA.check(len(text), "the table has")
    if not (text := clean_pasted(text)).strip():
        raise InputError("there is no table", hint=_format_forms(chart))
    most = _MAX_CELLS_PER_CHART_CELL * max(
        prod(len(key.values or key.row(Ends())) for key in chart.keys), _MIN_CHART_CELLS
    )
    reader = _TableReader(chart, tuple(ends) or (Ends(),) * len(chart.keys), within, short="\n" not in text.strip())
    ways = [
        reader.read_rows(rows, mistaken=mistaken)
        for mistaken in (False, True)
        for rows in list_partings(text, most, reader.may_be_title)
    ]
    best = max(ways, key=lambda way: max(map(_measure_soundness, way), default=-inf), default=[])
    if sound := [reading for reading in best if len(reading.cells) >= len(reading.faults)]:
        return _drop_repeated(sound)
    faults = (f": {reading.faults[0]}" for way in ways for reading in way if reading.faults)
    raise InputError(f"this is not a table of {chart.name}{next(faults, '')}", hint=_format_forms(chart))


def _measure_soundness(reading: TableReading) -> float:
    """Return how likely it is that a text is parted and lies so: what is wrong counts twice against what is right."""
    return len(reading.cells) + len(reading.blank) - 2 * len(reading.faults)


def is_heading(chart: Chart, text: str) -> bool:
    """Return whether a text is the heading of a row or column of a chart."""
    return any(axis.read(text) is not None for axis in _TableReader(chart, (Ends(),) * len(chart.keys), ()).axes[:-1])


def heads_table(chart: Chart, line: str) -> bool:
    """Return whether a line stands above a table of a chart: a title, or the headings of all rows or columns as far as
    these are known, and not a row of its cells.
    """
    words = line.split()
    reader = _TableReader(chart, (Ends(),) * len(chart.keys), ())
    if all(map(reader.cell, words)):
        return False
    if any(fold_letters(line) in axis.words for axis in reader.axes[:-1]) or fold_letters(chart.title) in fold_letters(
        line
    ):
        return True
    axes = [axis for axis in reader.axes[:-1] if len(axis.parts) in (len(words), len(words) - 1)]
    axes += [axis for axis in reader.axes[:-1] if not axis.parts and len(words) > len(Ends._fields)]
    return len(words) > 1 and any(
        all(axis.read(word) is not None for word in words[-len(axis.parts) :]) for axis in axes
    )


def _drop_repeated(readings: Iterable[TableReading]) -> list[TableReading]:
    """Return readings without those that give the same cells as one before."""
    by_cells: dict[frozenset[tuple[Keys, str]], TableReading] = {}
    for reading in readings:
        by_cells.setdefault(frozenset(reading.cells.items()), reading)
    return [*by_cells.values()]


def _format_forms(chart: Chart) -> str:
    """Return what a table of a chart looks like, in words."""
    sizes = " by ".join(
        f"{len(key.values or key.row(Ends())) or 'some'} ({format_key_title(key)})" for key in reversed(chart.keys)
    )
    cell = f"; a cell is {chart.form}" if len(chart.fields) > 1 else ""
    return f"it has {sizes}: put the headings of its rows and columns beside it{cell}"


# --- readings -----------------------------------------------------------------------------------------------------------


class _PastedRow(NamedTuple):
    """A row of a table."""

    cells: Row
    section: Mapping[int, Part]
    """The parts of keys, by place, that a title above it names."""


class _TableSide(NamedTuple):
    """The rows or the columns of a table: what each stands for, by the places of keys"""

    axes: Sequence[Axis]
    parts: Sequence[Sequence[Part | None]]
    headed: int
    """How many of the innermost have headings."""
    faults: Sequence[str]
    """The headings that name nothing, or what another one does."""


class _TableReader:
    """Reads tables of a chart. ends: of each of its keys; within: the beginning of the keys that are meant; short:
    whether cells may be as short as in rows that are typed.
    """

    def __init__(self, chart: Chart, ends: Sequence[Ends], within: Keys, *, short: bool = True) -> None:
        self.chart = chart
        self.within = within
        self.short = short
        self.axes = [*(Axis(chart, place, end) for place, end in enumerate(ends)), Axis(chart, FIELDS, Ends())]
        self._cells: dict[str, str | InputError] = {}

    # --- lines, and what titles name ---

    def list_lines(self, rows: Sequence[Row]) -> Iterator[list[_PastedRow]]:
        """Yield the rows of a table without titles: of a row with a single cell, it may be that that is one, or the
        heading of a row that is blank.
        """
        rows = [row for row in rows if any(row)]
        if not rows:
            return
        width = max(map(len, rows))
        first = next(number for number, row in enumerate(rows) if len(row) == width)
        above = [self._straighten_upper(row, width) for row in rows[:first]]
        padded = [row + ("",) * (width - len(row)) for row in (*above, *rows[first:])]
        used = [column for column in range(width) if any(row[column] for row in padded)]
        whole_rows = [row[used[0] : used[-1] + 1] for row in padded] if used else []
        with_titles = [*self._drop_titles(whole_rows)]
        yield with_titles
        remarks = self._find_remarks(whole_rows)
        if not any(self.find_named(next(filter(None, whole_rows[at]))) for at in remarks):
            plain = [_PastedRow(row, {}) for at, row in enumerate(whole_rows) if at not in remarks]
            if plain != with_titles:
                yield plain

    def _straighten_upper(self, row: Row, width: int) -> Row:
        """Return a row that is shorter than the table below it: headings without the corner, a title in one cell, or as
        it is.
        """
        if len(row) == width - 1 > 1 and row[0]:
            return ("", *row)
        return (" ".join(filter(None, row)),) if self.may_be_title(row) else row

    def _find_remarks(self, rows: Sequence[Row]) -> set[int]:
        """Return the places of rows above and below a table with a single text, which is not a heading."""
        inner = [at for at, row in enumerate(rows) if sum(map(bool, row)) > 1]
        outer = [at for at in range(len(rows)) if inner and not inner[0] < at < inner[-1]]
        return {at for at in outer if at not in inner and not self._is_heading(next(filter(None, rows[at])))}

    def may_be_title(self, row: Sequence[str]) -> bool:
        """Return whether a row may be the words of a title: less than half of its texts are headings, and none is a
        cell.
        """
        return not self._is_heading_row(row, also_cells=True) and not any(self.cell(text) for text in row if text)

    def _is_heading_row(self, row: Sequence[str], *, also_cells: bool) -> bool:
        """Return whether at least half of what stands in a row are headings. also_cells: whether those count that may
        be cells, too.
        """
        texts = [*filter(None, row)]
        headings = (self._is_heading(text) and (also_cells or not self._is_value(text)) for text in texts)
        return 2 * sum(headings) >= len(texts)

    def _is_value(self, text: str) -> bool:
        """Return whether a text is a cell, or may stand in one of its fields."""
        return bool(self.cell(text)) or any(field.allows(_normalize_part(field, text)) for field in self.chart.fields)

    def _drop_titles(self, rows: Sequence[Row]) -> Iterator[_PastedRow]:
        section: dict[int, Part] = {}
        remarks = self._find_remarks(rows)
        for at, row in enumerate(rows):
            texts = [cell for cell in row if cell]
            if len(texts) == 1 and not self.cell(texts[0]) and (named := self.find_named(texts[0])):
                section = section | named
            elif at not in remarks or self.cell(texts[0]):
                yield _PastedRow(row, section)

    def _is_heading(self, text: str) -> bool:
        return any(axis.read(text) is not None for axis in self.axes)

    def find_named(self, title: str) -> dict[int, Part]:
        """Return the parts of keys that a title names, by place: of each key the only one of its words that stands
        there.
        """
        named: dict[int, Part] = {}
        text = f" {fold_words(title)} "
        for axis in self.axes[:-1]:
            assert axis.key
            forms = {
                fold_words(form): value
                for value in axis.key.values
                for form in (value, *format_heads(axis.key, [value]))
                if re.search("[^\\W0-9_]", form)
            }
            there = [form for form in forms if form and f" {form} " in text]
            parts = {forms[form] for form in there if not any(form != longer and form in longer for longer in there)}
            parts |= {*axis.key.values}.intersection(re.findall("(?<![0-9:])[0-9]+:[0-9]+(?![0-9:])", title))
            if len(parts) == 1:
                named[axis.place] = parts.pop()
        return named

    # --- what rows and columns stand for ---

    def read_rows(self, rows: Sequence[Row], *, mistaken: bool) -> list[TableReading]:
        """Return the ways to read the rows of a text, with the titles among them if these leave any cell."""
        ways = [self.read_lines(lines, mistaken=mistaken) for lines in self.list_lines(rows)]
        return next((way for way in ways if any(reading.cells for reading in way)), ways[0] if ways else [])

    def read_lines(self, lines: Sequence[_PastedRow], *, mistaken: bool) -> list[TableReading]:
        """Return the ways to read some rows. mistaken: whether some headings may be wrong."""
        if not lines:
            return []
        if ordered := self._match_file_columns(lines):
            laid = self._read_layout(self.axes[:-1], self.axes[-1:], ordered, {}, mistaken=mistaken)
            return [reading for reading in laid if reading.certain]
        fixed = set(range(len(self.within)))
        titled = {*lines[-1].section} - fixed
        left = [axis for axis in self.axes[:-1] if axis.place not in fixed | titled]
        readings: list[TableReading] = []
        for asked in range(len(left) + 1):
            ways = [*product(*(axis.parts for axis in left[:asked]))]
            if readings or len(ways) > _MAX_READINGS or (asked and asked == len(left)):
                break
            corner = self.find_named(lines[0].cells[0])
            for way in ways:
                if any(corner.get(axis.place, part) != part for axis, part in zip(left, way, strict=False)):
                    continue
                chosen = {axis.place: part for axis, part in zip(left, way, strict=False)}
                readings += self._read_in_all_layouts(left[asked:], lines, chosen, mistaken=mistaken)
        return readings

    def _match_file_columns(self, lines: Sequence[_PastedRow]) -> list[_PastedRow]:
        """Return the rows of a table with a column for each key and each field, in the order of the chart; none for any
        other.
        """
        head = [fold_letters(cell) for cell in lines[0].cells]
        names = [axis.names for axis in self.axes[:-1]]
        names += [frozenset(map(fold_letters, (field.name, field.title))) - {""} for field in self.chart.fields]
        columns = [next((column for column, cell in enumerate(head) if cell in some), -1) for some in names]
        if -1 in columns or len({*columns}) < len(columns):
            return []
        return [_PastedRow(tuple(line.cells[column] for column in columns), line.section) for line in lines]

    def _read_in_all_layouts(
        self, left: Sequence[Axis], lines: Sequence[_PastedRow], chosen: Mapping[int, Part], *, mistaken: bool
    ) -> Iterator[TableReading]:
        """Yield the ways to read rows whose cells are found by the parts of some keys. chosen: parts that nothing in
        the table names.
        """
        alone = [()] if len(self.chart.fields) == 1 else [(), (True,), (False,)]
        for down, of_fields in product(product((True, False), repeat=len(left)), alone):
            axes = [*zip(left, down, strict=True), *((self.axes[-1], is_down) for is_down in of_fields)]
            rows = [axis for axis, is_down in axes if is_down]
            columns = [axis for axis, is_down in axes if not is_down]
            yield from self._read_layout(rows, columns, lines, chosen, mistaken=mistaken)

    def _read_layout(
        self,
        rows: Sequence[Axis],
        columns: Sequence[Axis],
        lines: Sequence[_PastedRow],
        chosen: Mapping[int, Part],
        *,
        mistaken: bool,
    ) -> Iterator[TableReading]:
        """Yield the ways to read rows that lie so, by how many of their rows and columns are headings. rows, columns:
        what they stand for.
        """
        width = len(lines[0].cells)
        for high, wide in product(range(max(len(columns), 1) + 1), range(max(len(rows), 1) + 1)):
            tops = [line.cells for line in lines[:high]]
            body = [line for line in lines[high:] if line.cells not in tops]
            if not body or wide >= width or any(line.section.keys() != lines[-1].section.keys() for line in body):
                continue
            over = [tuple(top[column] for top in tops) for column in range(wide, width)]
            beside = [line.cells[:wide] for line in body]
            if not columns and not self._is_wordy(over, [top[:wide] for top in tops], rows):
                continue
            if not rows and not self._is_wordy(beside, [tuple(top[0] for top in tops)] * wide, columns):
                continue
            first_row, first_column = lines[0].cells[wide:], [line.cells[0] for line in lines[high:]]
            if (columns and not high and self._is_heading_row(first_row, also_cells=mistaken)) or (
                rows and not wide and self._is_heading_row(first_column, also_cells=mistaken)
            ):
                continue
            groups = [len([*some]) for _, some in groupby(body, key=lambda line: line.section)]
            down = _read_side(rows, beside if rows else [()] * len(body), groups, mistaken=mistaken)
            if not down:
                continue
            across = _read_side(columns, over if columns else [()] * len(over), [len(over)], mistaken=mistaken)
            corner = lines[0].cells[0] if high and wide else ""
            if across and (mistaken or self._fits_corner(corner, rows, columns)):
                yield self._read_cells(body, wide, down, across, chosen)

    def _is_wordy(self, headings: Sequence[Row], across: Sequence[Row], axes: Sequence[Axis]) -> bool:
        """Return whether headings where nothing is to be named may be some: words that are no cells. across: what
        stands beside them, which is not the headings of a row or column; axes: of those.
        """
        if any(text and self.cell(text) for row in headings for text in row):
            return False
        sides = [zip(axes[-len(row) :], row, strict=False) for row in across if row and axes]
        return not any(all(axis.read(text) is not None for axis, text in side) for side in sides)

    @staticmethod
    def _fits_corner(corner: str, rows: Sequence[Axis], columns: Sequence[Axis]) -> bool:
        """Return whether what stands in the corner does not name the columns first."""
        text = fold_letters(corner)
        by_rows = any(text.startswith(name) for axis in rows for name in axis.names)
        by_columns = any(text.startswith(name) for axis in columns for name in axis.names)
        return not text or by_rows or not by_columns

    # --- cells ---

    def cell(self, text: str) -> str:
        """Return a cell as the chart writes it, "" for a text that is none."""
        known = self._read_cell(text)
        return known if isinstance(known, str) else ""

    def _read_cell(self, text: str) -> str | InputError:
        if text not in self._cells:
            try:
                self._cells[text] = read_pasted_cell(self.chart, text, short=self.short)
            except InputError as error:
                self._cells[text] = error
        return self._cells[text]

    def _read_cells(
        self, body: Sequence[_PastedRow], wide: int, down: _TableSide, across: _TableSide, chosen: Mapping[int, Part]
    ) -> TableReading:
        """Return the cells of rows, once it is known what these and their columns stand for."""
        given = dict(enumerate(self.within)) | dict(chosen)
        texts: dict[Keys, dict[Part, str]] = {}
        faults = [*down.faults, *across.faults]
        for line, in_row in zip(body, down.parts, strict=True):
            about = given | dict(line.section) | _index_by_place(down.axes, in_row)
            if shifted := next((cell for cell in line.cells if cell.startswith(SHIFTED)), ""):
                faults.append(f"{self._format_place(about)}: {shifted.removeprefix(SHIFTED)}")
                continue
            for text, in_column in zip(line.cells[wide:], across.parts, strict=True):
                parts = about | _index_by_place(across.axes, in_column)
                key = tuple(part for place in range(len(self.axes) - 1) if (part := parts[place]) is not None)
                field = parts.get(FIELDS, FIELDS)
                if len(key) < len(self.axes) - 1 or field is None:
                    continue  # under a heading that is wrong
                fields = texts.setdefault(key, {})
                if field in fields:
                    faults.append(f"{self._format_place(parts)} stands there twice")
                fields[field] = text
        return self._make_reading(texts, faults, down, across, chosen, body[0].section)

    def _make_reading(
        self,
        texts: Mapping[Keys, Mapping[Part, str]],
        faults: list[str],
        down: _TableSide,
        across: _TableSide,
        chosen: Mapping[int, Part],
        section: Mapping[int, Part],
    ) -> TableReading:
        cells = dict[Keys, str]()
        blank = list[Keys]()
        notes = dict[str, None]()
        for key, by_field in texts.items():
            typed = [by_field[field] for field in sorted(by_field)]
            if any(text in ("", UNKNOWN) for text in typed) or (
                FIELDS not in by_field and len(typed) < len(self.chart.fields)
            ):
                blank.append(key)
                continue
            known = self._read_cell("/".join(typed))
            stated = self.chart.cells.get(key)
            if isinstance(known, InputError):
                faults.append(f"{self._format_place(dict(enumerate(key)))}: {known.what}")
                notes |= dict.fromkeys(filter(None, [known.hint]))
            elif stated and stated.source is Source.RULEBOOK and self.chart.write_cell(stated) != known:
                by_rule = f" by rule {self.chart.rule}" if self.chart.rule else ""
                what = f"{known} contradicts the rulebook{by_rule}: {self.chart.write_cell(stated)}"
                faults.append(f"{self._format_place(dict(enumerate(key)))}: {what}")
            else:
                cells[key] = known
        certain = not chosen and all(side.headed == len(side.axes) for side in (down, across))
        guess = self._format_guess(down, across, chosen, section)
        return TableReading(cells, tuple(blank), tuple(faults), tuple(notes), guess, certain)

    def _format_place(self, parts: Mapping[int, Part | None]) -> str:
        """Return a row, a column or a cell in words."""
        return ", ".join(
            f"{self.chart.keys[place].name} {part}" for place, part in sorted(parts.items()) if place != FIELDS
        )

    def _format_guess(
        self, down: _TableSide, across: _TableSide, chosen: Mapping[int, Part], section: Mapping[int, Part]
    ) -> str:
        parts = [_format_side(what, side) for what, side in (("rows", down), ("columns", across)) if side.axes]
        parts += [f"{self.chart.keys[place].name} {part}, which nothing names" for place, part in chosen.items()]
        parts += [f"{self.chart.keys[place].name} by its titles" for place in section]
        return "; ".join(parts) or "a single cell"


def _index_by_place(axes: Sequence[Axis], parts: Sequence[Part | None]) -> dict[int, Part | None]:
    return {axis.place: part for axis, part in zip(axes, parts, strict=True)}


def _read_side(
    axes: Sequence[Axis], headings: Sequence[Row], groups: Sequence[int], *, mistaken: bool
) -> _TableSide | None:
    """Return what rows or columns stand for, None if they cannot be those of some axes. headings: of each, for the
    innermost of the axes; groups: how many stand together below a title; mistaken: whether a third of the headings may
    be wrong.
    """
    headed = len(headings[0])
    outer, inner = axes[: len(axes) - headed], axes[len(axes) - headed :]
    sizes = prod(len(axis.parts) for axis in outer)
    if not sizes or any(count % sizes or (not headed and count != sizes) for count in groups):
        return None
    columns = [
        axis.within_ends(
            [axis.read(text) for text in _fill_merged([row[depth] for row in headings], is_merged=depth + 1 < headed)]
        )
        for depth, axis in enumerate(inner)
    ]
    wrong = {at for column in columns for at, part in enumerate(column) if part is None}
    around = [*product(*(axis.parts for axis in outer))]
    parts: list[tuple[Part | None, ...]] = []
    for count in groups:
        start = len(parts)
        blocks = [
            [tuple(column[start + at] for column in columns) for at in range(first, first + count // sizes)]
            for first in range(0, count, count // sizes)
        ]
        if any({*block} != {*blocks[0]} for block in blocks):
            return None
        some = [(*way, *part) for way, block in zip(around, blocks, strict=True) for part in block]
        twice = {part for part, times in Counter(some).items() if times > 1}
        wrong |= {start + at for at, part in enumerate(some) if part in twice}
        parts += some
    if wrong and (not mistaken or len({headings[at] for at in wrong}) * 3 > len(parts)):
        return None
    faults = [_format_heading_fault(inner, headings[at], at) for at in sorted(wrong)]
    unknown = (None,) * len(axes)
    return _TableSide(axes, [unknown if at in wrong else part for at, part in enumerate(parts)], headed, faults)


def _format_heading_fault(axes: Sequence[Axis], texts: Row, at: int) -> str:
    """Return what is wrong with a heading."""
    text = " ".join(filter(None, texts))
    names = " and ".join(axis.title for axis in axes)
    known = all(axis.read(text) is not None for axis, text in zip(axes, texts, strict=True))
    return f"heading {at + 1} of {names}, {text[:40]!r}, {'stands there twice' if known else 'names none of the chart'}"


def _fill_merged(texts: Sequence[str], *, is_merged: bool) -> Iterator[str]:
    """Yield headings, where one that is blank is that before it. is_merged: whether it may be."""
    last = ""
    for text in texts:
        last = text if text or not is_merged else last
        yield last


def _format_side(what: str, side: _TableSide) -> str:
    """Return what rows or columns stand for, in words."""
    named = []
    for place, axis in enumerate(side.axes):
        parts = [row[place] for row in side.parts if row[place] is not None]
        name = axis.title
        if axis.key is not None and parts:
            name += f" {parts[0]} to {parts[-1]}" if len({*parts}) > 1 else f" {parts[0]}"
        named.append(name)
    how = "by their headings" if side.headed == len(side.axes) else "in the order of the chart"
    if 0 < side.headed < len(side.axes):
        how = "the inner ones by their headings, the outer ones in the order of the chart"
    return f"{what} are {' and '.join(named)}, {how}"


def read_pasted_cell(chart: Chart, text: str, *, short: bool = False) -> str:
    """Return a cell as the chart writes it, from a text with dashes, fractions and decimal commas of any kind. short:
    whether what is left out behind the last slash is nothing, as in rows that are typed. Raises InputError for one that
    is not a cell of the chart.
    """
    for sign, written in FRACTION_SIGNS.items():
        text = text.replace(sign, written)
    if len(chart.fields) == 1:
        text = re.sub(r"(?:(?<=[0-9])\s+|\b)1/2$", ".5", text)
    parts = [part.strip() for part in text.split("/")] if len(chart.fields) > 1 else [text.strip()]
    plain = [_normalize_part(field, part) for field, part in zip(chart.fields, parts, strict=False)]
    if not short and len(parts) < len(chart.fields) and plain != ["-"]:
        raise chart.not_a_cell(text)
    return complete_cell(chart, "/".join([*plain, *parts[len(plain) :]]))


def _normalize_part(field: CellField, text: str) -> str:
    """Return what stands in a field, in the signs that the chart has."""
    if "-" in field.values and text not in field.values and text.casefold() in _NO_EFFECT:
        return "-"
    number = re.fullmatch(r"([+-]?[0-9]*)\s?[.,]([05])0*", text)
    if number and (field.halves or number[2] == "0"):
        return f"{number[1] or 0}{'.5' if number[2] == '5' else ''}"
    return text.replace(",", " ") if field.several else text
