"""Tables in XLSX and ODS files are read as those in CSV files."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant.util.datafiles import read_rows
from assistant.util.errors import InputError

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
                cells += f"<c {place}>{formula}<v>{cell:g}</v></c>"
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
                cells += f'<table:table-cell office:value-type="float" office:value="{cell:g}"/>'
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
    monkeypatch.setenv("FIELD_STAFF_LIMIT_ENTRY", "1K")
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
