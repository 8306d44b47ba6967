"""Tables in XLSX and ODS files are read as those in CSV files."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from assistant.util.datafiles import read_rows
from assistant.util.errors import InputError
from assistant.util.spreadsheets import read_sheet

SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGED = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
ROWS = [["Unit", "Strength", "Elite"], ["1st", 4.0, True], ["2nd", 2.5, False], ["", "", ""]]


def packed(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def xlsx(rows: list[list[object]], formula: str = "") -> bytes:
    """Return a workbook. `formula`: a formula in each cell with a number, whose saved value counts."""
    sheet = ""
    for number, row in enumerate(rows, 1):
        cells = ""
        for column, cell in zip("ABCDEFG", row, strict=False):
            place = f'r="{column}{number}"'
            if isinstance(cell, bool):
                cells += f'<c {place} t="b"><v>{int(cell)}</v></c>'
            elif isinstance(cell, float):
                cells += f"<c {place}>{formula}<v>{cell!r}</v></c>"
            else:
                cells += f'<c {place} t="inlineStr"><is><t>{cell}</t></is></c>'
        sheet += f'<row r="{number}">{cells}</row>'
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGED}/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{PACKAGED}/relationships"><Relationship Id="r1" Type="{RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{RELATED}"><sheets><sheet name="Roster" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGED}/relationships"><Relationship Id="r1" Type="{RELATED}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEETS}"><sheetData>{sheet}</sheetData></worksheet>',
        }
    )


def ods(rows: list[list[object]]) -> bytes:
    sheet = ""
    for row in rows:
        cells = ""
        for cell in row:
            if isinstance(cell, bool):
                cells += f'<table:table-cell office:value-type="boolean" office:boolean-value="{str(cell).lower()}"/>'
            elif isinstance(cell, float):
                cells += f'<table:table-cell office:value-type="float" office:value="{cell!r}"/>'
            else:
                cells += f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        sheet += f"<table:table-row>{cells}</table:table-row>"
    spaces = " ".join(f'xmlns:{name}="{OFFICE}:{name}:1.0"' for name in ("office", "table", "text"))
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="Roster">{sheet}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<m:file-entry m:full-path="/" m:media-type="{kind}"/>'
    manifest = f'<m:manifest xmlns:m="{OFFICE}:manifest:1.0">{entry}</m:manifest>'
    return packed({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


def rows_of(file: Path) -> list[tuple[dict[str, str], int]]:
    return [(row, where.line) for row, where in read_rows(file, ["unit"], optional=["strength", "elite"])]


@pytest.mark.parametrize(
    ("name", "data"),
    [("roster.xlsx", xlsx(ROWS)), ("ROSTER.XLSX", xlsx(ROWS, "<f>1+1</f>")), ("roster.ods", ods(ROWS))],
)
def test_rows_of_the_first_sheet_are_texts_with_their_numbers(name: str, data: bytes, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    assert rows_of(file) == [
        ({"unit": "1st", "strength": "4", "elite": "yes"}, 2),
        ({"unit": "2nd", "strength": "2.5", "elite": "no"}, 3),
    ]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"unit,strength\n1st,4\n", packed({"other.txt": "text"})])
def test_a_damaged_spreadsheet_is_refused_with_its_file(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "roster.xlsx"
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"the spreadsheet cannot be read: .+") as refused:
        rows_of(file)
    assert refused.value.where.file == "roster.xlsx"
    assert refused.value.hint == "save it again as XLSX or ODS, or as CSV"


def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_CONTAINER", "1K")
    file = tmp_path / "roster.xlsx"
    file.write_bytes(xlsx([["unit"], *([f"unit {n}"] for n in range(100))]))
    with pytest.raises(InputError, match="it unpacks to more than"):
        rows_of(file)


def test_without_its_reader_a_spreadsheet_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    file = tmp_path / "roster.ods"
    file.write_bytes(ods(ROWS))
    with pytest.raises(InputError, match="spreadsheets need the package python-calamine") as refused:
        rows_of(file)
    assert refused.value.hint == "pip install 'field-staff[spreadsheets]', or save the table as CSV"


def with_part(book: bytes, ending: str, change: Callable[[str], str]) -> bytes:
    """Return a spreadsheet with a change to the text of one part."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    return packed({name: change(part) if name.endswith(ending) else part for name, part in parts.items()})


def with_cells(cells: str) -> bytes:
    """Return a workbook with further rows of a sheet in XML."""
    return with_part(xlsx([["unit"]]), "sheet1.xml", lambda part: part.replace("</sheetData>", f"{cells}</sheetData>"))


def with_table(rows: str) -> bytes:
    """Return an ODS file with further rows of a table in XML."""
    return with_part(
        ods([["unit"]]), "content.xml", lambda part: part.replace("</table:table>", f"{rows}</table:table>")
    )


def repeated(rows: int, columns: int, contents: str = "") -> str:
    """Return a repeated row of a repeated cell. `contents`: its attributes and elements, none for an empty one."""
    cell = f'<table:table-cell table:number-columns-repeated="{columns}" {contents or "/>"}'
    return f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'


ONE = 'office:value-type="float" office:value="1"/>'


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (with_cells('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "a sheet has more than 1,000 columns"),
        (with_cells('<row r="1048576"><c r="B1048576"><v>1</v></c></row>'), "1,048,576 rows and 2 columns"),
        (with_cells('<row r="1048576"><c/><c><v>1</v></c></row>'), "1,048,576 rows and 2 columns"),
        (with_cells(f"<row r='7'>{'<c/>' * 1000}<c><v>1</v></c></row>"), "a sheet has more than 1,000 columns"),
        (with_table(repeated(1, 16_384, ONE)), "a sheet has more than 1,000 columns"),
        (with_table(repeated(1_048_570, 2, ONE)), "1,048,571 rows and 2 columns"),
        (with_table(repeated(1_048_570, 2) + repeated(1, 2, ONE)), "1,048,572 rows and 2 columns"),
        (
            with_table(
                repeated(9999, 90, f'office:value-type="string"><text:p>{"a" * 99}</text:p></table:table-cell>')
            ),
            "its cells hold more than 16,777,216 letters",
        ),
    ],
)
def test_a_sheet_that_would_fill_the_memory_is_refused_before_it_is_read(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as refused:
        read_sheet(data, "roster")
    assert (refused.value.where.file, refused.value.hint) == (
        "roster",
        "delete what stands far from the table, or save the table alone as CSV",
    )


def test_a_long_shared_text_may_not_be_in_every_cell() -> None:
    cell = '<c t="s"><f>1</f><v>0</v></c>'
    data = with_cells(f"<row>{cell * 900}</row>" * 20)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{SHEETS}"><si><t>{"a" * 1000}</t></si></sst>'
    with pytest.raises(InputError, match="its cells hold more than"):
        read_sheet(packed(parts), "roster.xlsx")


@pytest.mark.parametrize(
    "data",
    [
        with_table(repeated(1_048_570, 16_384)),
        with_table(repeated(1, 16_384) + repeated(1_048_570, 1)),
        with_cells('<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"></c></row>'),
    ],
)
def test_empty_rows_and_columns_after_a_table_do_not_count(data: bytes) -> None:
    assert [*read_sheet(data, "roster")] == [["unit"]]


def test_numbers_keep_all_their_digits() -> None:
    row: list[object] = [1234567.0, 2.1234567, -0.5, 1e15, 12345678901.0]
    for data in (xlsx([row]), ods([row])):
        assert [*read_sheet(data, "roster")] == [["1234567", "2.1234567", "-0.5", "1000000000000000", "12345678901"]]


def encrypted(data: bytes) -> bytes:
    """Return an archive whose directory says that its entries are encrypted."""
    return re.sub(rb"(PK\x01\x02.{4})..", lambda record: record[1] + b"\1\0", data, flags=re.DOTALL)


def compressed_by(method: bytes, data: bytes) -> bytes:
    return re.sub(rb"(PK\x01\x02.{6})..", lambda record: record[1] + method + b"\0", data, flags=re.DOTALL)


@pytest.mark.parametrize(
    "data",
    [
        encrypted(xlsx(ROWS)),
        compressed_by(b"\x61", xlsx(ROWS)),
        compressed_by(b"\x08", xlsx(ROWS)),
        compressed_by(b"\x0e", xlsx(ROWS)),
        with_cells("<row><c><v>1</v></row>"),
        with_cells('<row r="99999999"><c><v>1</v></c></row>'),
        with_cells('<row><c r="AAAA1"><v>1</v></c></row>'),
        with_part(xlsx(ROWS), "workbook.xml", lambda part: part.replace("r1", "r2")),
        packed({"content.xml": "<office/>", "mimetype": "application/vnd.oasis.opendocument.spreadsheet"}),
    ],
)
def test_damage_of_any_kind_is_reported(data: bytes) -> None:
    with pytest.raises(InputError, match="the spreadsheet cannot be read: .+") as refused:
        read_sheet(data, "roster")
    assert refused.value.where.file == "roster"


def test_a_panic_of_the_reader_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(_: object) -> None:
        raise PanicException("attempt to add with overflow")

    class Workbook:
        from_filelike = staticmethod(panic)

    monkeypatch.setattr("python_calamine.CalamineWorkbook", Workbook)
    with pytest.raises(InputError, match="cannot be read: attempt to add with overflow"):
        read_sheet(xlsx(ROWS), "roster.xlsx")


def test_a_document_type_is_refused() -> None:
    data = with_part(xlsx(ROWS), "sheet1.xml", lambda part: f"<!DOCTYPE x [<!ENTITY a 'b'>]>{part}")
    with pytest.raises(InputError, match="it declares a document type"):
        read_sheet(data, "roster.xlsx")
