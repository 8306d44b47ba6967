"""What is read of a long TOML file is kept by its content: the answer is the same with, without and beside a copy."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from assistant.util import datafiles, writing
from assistant.util.datafiles import read_toml, write_toml_lines
from assistant.util.errors import InputError

TEXT = 'title = "Drill"\n[hill]\nheight = 2\nnames = ["Mill Hill", "Łysa"]\n'
TABLES = {"title": "Drill", "hill": {"height": 2, "names": ["Mill Hill", "Łysa"]}}


@pytest.fixture
def tables_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the copies of TOML files; every file is worth one."""
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datafiles, "_MIN_COPIED_CHARS", 0)
    return tmp_path / "cache" / "tables"


def read(file: Path) -> dict[str, Any]:
    return read_toml(file, dict[str, Any])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "drill.toml"
    file.write_text(TEXT, "utf-8")
    return file


def test_a_file_is_parsed_once(file: Path, tables_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(file) == TABLES
    monkeypatch.setattr(tomli, "loads", lambda _: pytest.fail("it was parsed again"))
    assert read(file) == TABLES


def test_a_changed_file_is_parsed_anew_whatever_its_time(file: Path, tables_folder: Path) -> None:
    read(file)
    before = file.stat()
    file.write_text(TEXT.replace("2", "3"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read(file)["hill"]["height"] == 3


@pytest.mark.parametrize("spoil", ["cut", "flipped", "empty", "made up", "folder", "no file"])
def test_a_spoiled_copy_is_no_answer(spoil: str, file: Path, tables_folder: Path) -> None:
    read(file)
    (copy,) = tables_folder.iterdir()
    data = copy.read_bytes()
    match spoil:
        case "cut":
            copy.write_bytes(data[:-3])
        case "flipped":
            copy.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
        case "empty":
            copy.write_bytes(b"")
        case "made up":
            copy.write_bytes(with_body(data, b"\x81\xa1a" + b"\x91" * 100_000 + b"\x90"))  # deeper than Python reads
        case "folder":
            copy.unlink()
            copy.mkdir()
        case "no file":
            copy.unlink()
            copy.symlink_to(copy)
    assert read(file) == TABLES
    assert spoil in ("folder", "no file") or copy.read_bytes() == data, "it is kept again"


def with_body(copy: bytes, body: bytes) -> bytes:
    """A copy that says something else of the same content, and seems whole."""
    return copy[:32] + crc32(body).to_bytes(4, "big") + body


def test_what_a_copy_says_is_taken_for_the_file(file: Path, tables_folder: Path) -> None:
    """Else the tests of spoiled ones would show nothing."""
    read(file)
    (copy,) = tables_folder.iterdir()
    copy.write_bytes(with_body(copy.read_bytes(), b"\x81\xa1a\x01"))
    assert read(file) == {"a": 1}


def test_a_copy_of_another_version_is_no_answer(
    file: Path, tables_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(datafiles, "mark_code", lambda files: b"older")
        older.setattr(datafiles, "_parse_toml", lambda text, name: {"title": "Muster"})
        assert read(file) == read(file) == {"title": "Muster"}
    assert read(file) == TABLES


@pytest.mark.parametrize("error", [OSError(errno.EROFS, "it is read-only"), InputError("there is no room")])
def test_a_folder_that_cannot_be_written_keeps_nothing(
    error: Exception, file: Path, tables_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        refused.append(error)
        raise error

    refused = list[Exception]()
    monkeypatch.setattr(writing, "write_whole", refuse)
    assert read(file) == read(file) == TABLES
    assert len(refused) == 2 and not [*tables_folder.iterdir()]


def test_a_cache_that_is_a_file_keeps_nothing(file: Path, tmp_path: Path, tables_folder: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert read(file) == TABLES


@pytest.mark.parametrize("value", ["1914-08-17", "06:30:00", "1914-08-17T06:30:00-07:00", "nan", "inf"])
def test_what_would_not_come_back_as_it_is_has_the_same_fault_each_time(
    value: str, file: Path, tables_folder: Path
) -> None:
    file.write_text(f"{TEXT}when = {value}\n", "utf-8")
    messages = []
    for _ in range(2):
        with pytest.raises(InputError) as refused:
            read_toml(file, dict[str, str | dict[str, int | list[str]]])
        messages.append(str(refused.value))
    assert messages[0] == messages[1]


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(-1e6, 1e6)
    | st.text(st.characters(categories=("L", "N", "Zs", "P"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc-", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(tables=st.dictionaries(st.text("abc-", min_size=1), VALUES, max_size=4))
def test_a_copy_says_what_the_file_says(tables: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("copies")
    file = folder / "drill.toml"
    file.write_text(write_toml_lines(tables), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_CACHE", str(folder / "cache"))
        patch.setattr(datafiles, "_MIN_COPIED_CHARS", 0)
        first, again = read(file), read(file)
    assert repr(first) == repr(again) == repr(tables)
