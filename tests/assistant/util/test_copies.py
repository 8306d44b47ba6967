"""What is read of a long TOML file is kept by its content: the answer is the same with, without and beside a copy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from assistant.util import datafiles
from assistant.util.datafiles import read_toml, write_toml_lines
from assistant.util.errors import InputError

TEXT = 'title = "Drill"\n[hill]\nheight = 2\nnames = ["Mill Hill", "Łysa"]\n'
TABLES = {"title": "Drill", "hill": {"height": 2, "names": ["Mill Hill", "Łysa"]}}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the copies of TOML files; every file is worth one."""
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datafiles, "_WORTH", 0)
    return tmp_path / "cache" / "tables"


def read(file: Path) -> dict[str, Any]:
    return read_toml(file, dict[str, Any])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "drill.toml"
    file.write_text(TEXT, "utf-8")
    return file


def test_a_file_is_parsed_once(file: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(file) == TABLES
    monkeypatch.setattr(tomli, "loads", lambda _: pytest.fail("it was parsed again"))
    assert read(file) == TABLES


def test_a_changed_file_is_parsed_anew_whatever_its_time(file: Path, kept: Path) -> None:
    read(file)
    before = file.stat()
    file.write_text(TEXT.replace("2", "3"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert read(file)["hill"]["height"] == 3


@pytest.mark.parametrize("spoil", ["cut", "flipped", "empty", "folder", "unreadable"])
def test_a_spoiled_copy_is_no_answer(spoil: str, file: Path, kept: Path) -> None:
    read(file)
    (copy,) = kept.iterdir()
    data = copy.read_bytes()
    match spoil:
        case "cut":
            copy.write_bytes(data[:-3])
        case "flipped":
            copy.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
        case "empty":
            copy.write_bytes(b"")
        case "folder":
            copy.unlink()
            copy.mkdir()
        case "unreadable":
            copy.chmod(0)
    assert read(file) == TABLES


def test_a_cache_that_is_a_file_keeps_nothing(file: Path, tmp_path: Path, kept: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert read(file) == TABLES


@pytest.mark.parametrize("value", ["1914-08-17", "06:30:00", "1914-08-17T06:30:00-07:00", "nan", "inf"])
def test_what_would_not_come_back_as_it_is_has_the_same_fault_each_time(value: str, file: Path, kept: Path) -> None:
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
        patch.setattr(datafiles, "_WORTH", 0)
        first, again = read(file), read(file)
    assert repr(first) == repr(again) == repr(tables)
