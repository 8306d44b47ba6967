"""Tables in spreadsheets: the first sheet of an XLSX or ODS file, as rows of texts. Formulas are not run."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time
from typing import TYPE_CHECKING

from .errors import InputError, Where
from .limits import Limit

if TYPE_CHECKING:
    from collections.abc import Sequence


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
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > Limit.ENTRY.most:
            raise Limit.ENTRY.error("it unpacks to").at(where)
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        return SheetRows(book.get_sheet_by_index(0).to_python(skip_empty_area=False))
    except (zipfile.BadZipFile, python_calamine.CalamineError, IndexError) as error:
        what = f"the spreadsheet cannot be read: {error}"
        raise InputError(what, where=where, hint="save it again as XLSX or ODS, or as CSV") from None


def _write_cell(cell: object) -> str:
    """Return a cell as it would be in a CSV file: whole numbers without a decimal point, dates as 1914-08-19."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:g}" if abs(cell) < 1e15 else str(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)
