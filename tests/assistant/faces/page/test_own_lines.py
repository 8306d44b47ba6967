"""The file of a side's own lines, which two runs may write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page import own_lines
from assistant.faces.page.own_lines import OwnFile, OwnLine
from assistant.util.errors import InputError
from assistant.util.writing import write_whole


def open_file(folder: Path) -> OwnFile:
    return OwnFile(folder / "sides" / "front.own", pytest.fail)


def taps(file: OwnFile) -> list[str]:
    return [line.tap for line in file.lines]


def test_line_goes_behind_those_that_another_run_has_added(tmp_path: Path) -> None:
    first, second = open_file(tmp_path), open_file(tmp_path)
    for number in range(3):
        first.add(OwnLine(f"first {number}"))
        second.add(OwnLine(f"second {number}"))
    first.renew()
    known = [f"{run} {number}" for number in range(3) for run in ("first", "second")]
    assert taps(first) == taps(second) == taps(open_file(tmp_path)) == known


def test_file_is_not_written_anew_over_a_line_that_another_run_has_added(tmp_path: Path) -> None:
    first = open_file(tmp_path)
    first.add(OwnLine("first"))
    open_file(tmp_path).add(OwnLine("second"))
    first.begin([OwnLine("", taps=("first",))])
    assert taps(first) == taps(open_file(tmp_path)) == ["first", "second"]
    first.begin([OwnLine("", taps=("first", "second"))])
    assert taps(first) == taps(open_file(tmp_path)) == [""]


def test_file_that_another_run_has_written_anew_has_lost_nothing(tmp_path: Path) -> None:
    first = open_file(tmp_path)
    first.add(OwnLine("first"))
    open_file(tmp_path).begin([OwnLine("", taps=("first",))])
    first.renew()
    assert taps(first) == [""]


def test_file_that_is_damaged_between_two_lines_gets_no_line_behind_the_damage(tmp_path: Path) -> None:
    said = list[str]()
    file = OwnFile(tmp_path / "front.own", said.append)
    file.add(OwnLine("first"))
    file.file.write_bytes(file.file.read_bytes() + b"\xff\n")
    with pytest.raises(InputError, match="cannot be used now"):
        file.add(OwnLine("second"))
    file.renew()
    file.add(OwnLine("second"))
    assert taps(file) == taps(OwnFile(file.file, pytest.fail)) == ["first", "second"]
    assert len(said) == 1 and "damaged-1" in said[0]


def test_damaged_file_that_cannot_be_replaced_is_copied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    file = OwnFile(tmp_path / "front.own", said.append)
    file.add(OwnLine("first"))
    data = file.file.read_bytes() + b"\xff\n"
    file.file.write_bytes(data)

    def refuse(path: Path, data: bytes, **options: Any) -> None:
        if options:
            raise InputError("no space left")
        write_whole(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(own_lines, "write_whole", refuse)
        for _ in range(3):
            file.renew()
    assert file.file.read_bytes() == data
    assert taps(file) == ["first"] and len(said) == 1
    file.renew()
    assert [path.read_bytes() for path in tmp_path.glob("*.damaged-*")] == [data]
    assert len(said) == 2 and "damaged-1" in said[1]
