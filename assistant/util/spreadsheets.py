"""Tables in spreadsheets: the first sheet of an XLSX or ODS file, as rows of texts. Formulas are not run."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from datetime import date, datetime, time
from typing import TYPE_CHECKING
from xml.parsers import expat

from .errors import InputError, Where, located
from .limits import Limit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAX_COLUMNS = 1000
_MAX_CELLS = 1_000_000
"""The maximum number of cells of a sheet from its first one to the last row and column that hold something."""
_MAX_LETTERS = 2**24
"""The maximum length of all texts of a spreadsheet, each counted in every cell that shows it."""
_MAX_TAGS = 4_000_000
_PARTS = (".xml", ".rels", "mimetype")
"""The suffixes of the entries that hold the tables of a spreadsheet; others are pictures, programs and settings."""
_BASE = ord("A") - 1


class SheetRows:
    """The rows of a sheet, like those of `csv.reader`.

    `line_num`: the number of the row that was returned last.
    """

    def __init__(self, rows: Sequence[Sequence[object]]) -> None:
        self.line_num = 0
        self._rows = rows

    def __iter__(self) -> SheetRows:
        return self

    def __next__(self) -> list[str]:
        if self.line_num == len(self._rows):
            raise StopIteration
        self.line_num += 1
        return [_write_cell(cell) for cell in self._rows[self.line_num - 1]]


def read_sheet(data: bytes, name: str) -> SheetRows:
    """Return the rows of the first sheet. A formula counts with the value that was saved with it.

    `name`: the name of the file in messages.

    Raises InputError if the file is damaged or too large, or the reader of spreadsheets is not installed.
    """
    where = Where(name)
    try:
        import python_calamine
    except ImportError:
        hint = "pip install 'field-staff[spreadsheets]', or save the table as CSV"
        raise InputError("spreadsheets need the package python-calamine", where=where, hint=hint) from None
    with located(where):
        try:
            parts = _read_parts(data)
            _check_size(parts)
            book = python_calamine.CalamineWorkbook.from_filelike(_pack(parts))
            return SheetRows(book.get_sheet_by_index(0).to_python(skip_empty_area=False))
        except (InputError, MemoryError):
            raise
        except BaseException as error:
            # zipfile and the reader raise various exceptions for damaged files; a panic of the reader is no Exception
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            hint = "save it again as XLSX or ODS, or as CSV"
            raise InputError(f"the spreadsheet cannot be read: {error}", hint=hint) from None


def _read_parts(data: bytes) -> dict[str, bytes]:
    """Return the entries of a spreadsheet that hold its tables, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        Limit.CONTAINER.check(sum(entry.file_size for entry in entries), "it unpacks to")
        return {entry.filename: archive.read(entry) for entry in entries if entry.filename.lower().endswith(_PARTS)}


def _pack(parts: Mapping[str, bytes]) -> io.BytesIO:
    """Return an archive with the parts whose size has been checked, so that nothing else of the file is read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    packed.seek(0)
    return packed


def _check_size(parts: Mapping[str, bytes]) -> None:
    """Raise InputError if a sheet is too large: its reader makes every cell up to the last row and column."""
    if sum(part.count(b"<") for part in parts.values()) > _MAX_TAGS:
        raise _too_large(f"the spreadsheet has more than {_MAX_TAGS:,} tags")
    measure = _Measure()
    for name, part in parts.items():
        if not name.lower().endswith("mimetype"):
            measure.read(part)
    measure.check_letters()


class _Measure:
    """Measures the sheets of a spreadsheet in the XML of its parts.

    Cells without contents do not count: programs state a million empty rows that only have a format.
    """

    def __init__(self) -> None:
        self._letters = 0
        self._shared_lengths = Counter[str]()
        """The length of each shared text of an XLSX file, by its number."""
        self._shared_uses = Counter[str]()
        self._begin_part()

    def _begin_part(self) -> None:
        self._row = self._column = self._shared = self._tables = 0
        self._rows = self._columns = 0
        """The last row and column of a sheet that hold something."""
        self._row_repeats = self._cell_repeats = 1
        self._row_columns = self._row_letters = 0
        self._text: list[str] = []
        self._is_reference = self._has_contents = self._is_in_cell = False

    def read(self, part: bytes) -> None:
        """Measure the sheets of a part. Raises InputError if one is too large, or the part declares a document type."""
        self._begin_part()
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parser.StartDoctypeDeclHandler = _refuse_document_type
        try:
            parser.Parse(part, True)
        finally:
            parser.StartElementHandler = parser.EndElementHandler = None  # breaks the reference cycle

    def check_letters(self) -> None:
        shared = sum(uses * self._shared_lengths[number] for number, uses in self._shared_uses.items())
        if self._letters + shared > _MAX_LETTERS:
            raise _too_large(f"its cells hold more than {_MAX_LETTERS:,} letters")

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        values = {name.rpartition(":")[2]: value for name, value in attributes.items()}
        self._has_contents = self._has_contents or self._is_in_cell
        match tag:
            case "table":
                if not self._tables:
                    self._row = self._rows = self._columns = 0
                self._tables += 1
            case "row":
                self._row, self._column = _parse_number(values["r"]) if "r" in values else self._row + 1, 0
            case "c":
                self._begin_cell()
                self._is_reference = values.get("t") == "s"
                self._column += 1
                if "r" in values:
                    self._column, row = _parse_place(values["r"])
                    self._row = max(self._row, row)
            case "table-row":
                self._row_repeats = _parse_number(values.get("number-rows-repeated", "1"))
                self._column = self._row_columns = self._row_letters = 0
            case "table-cell" | "covered-table-cell":
                self._begin_cell()
                self._has_contents = "value-type" in values
                self._cell_repeats = _parse_number(values.get("number-columns-repeated", "1"))
                self._row_letters += sum(map(len, values.values())) * self._cell_repeats
            case "si" | "v":
                self._text.clear()

    def _begin_cell(self) -> None:
        self._is_in_cell, self._has_contents = True, False
        self._text.clear()

    def _end(self, tag: str) -> None:
        match tag.rpartition(":")[2]:
            case "c":
                self._is_in_cell = False
                if self._has_contents:
                    self._widen(self._row, self._column)
                    if self._is_reference:
                        self._shared_uses["".join(self._text).strip()] += 1
            case "si":
                number, length = str(self._shared), sum(map(len, self._text))
                self._shared_lengths[number] = max(self._shared_lengths[number], length)
                self._shared += 1
            case "table-cell" | "covered-table-cell":
                self._is_in_cell = False
                self._column += self._cell_repeats
                if self._has_contents:
                    self._row_columns = self._column
                    self._row_letters += sum(map(len, self._text)) * self._cell_repeats
            case "table":
                self._tables -= 1
            case "table-row":
                self._row += self._row_repeats
                if self._row_columns:
                    self._widen(self._row, self._row_columns)
                    self._letters += self._row_letters * self._row_repeats

    def _widen(self, row: int, column: int) -> None:
        self._rows, self._columns = max(self._rows, row), max(self._columns, column)
        if self._columns > _MAX_COLUMNS:
            raise _too_large(f"a sheet has more than {_MAX_COLUMNS:,} columns")
        if self._rows * self._columns > _MAX_CELLS:
            raise _too_large(f"a sheet of {self._rows:,} rows and {self._columns:,} columns is too large")


def _too_large(what: str) -> InputError:
    return InputError(what, hint="delete what stands far from the table, or save the table alone as CSV")


def _refuse_document_type(*_: object) -> None:
    raise InputError("it declares a document type", hint="save it again as XLSX or ODS, or as CSV")


def _parse_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,7}", text):
        raise ValueError(f"{text[:20]!r} is not a number of rows or columns")
    return int(text)


def _parse_place(text: str) -> tuple[int, int]:
    """Return the column and row of `B7` as 2 and 7."""
    place = re.fullmatch(r"([A-Z]{1,3})([0-9]{1,7})", text)
    if place is None:
        raise ValueError(f"{text[:20]!r} is not a cell")
    column = 0
    for letter in place[1]:
        column = 26 * column + ord(letter) - _BASE
    return column, int(place[2])


def _write_cell(cell: object) -> str:
    """Return a cell as it would be in a CSV file: whole numbers without a decimal point, dates as 1914-08-19."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e16 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)
