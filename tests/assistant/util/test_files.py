"""When a saved file is told."""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from zipfile import ZipFile

import pytest

from assistant.util.errors import InputError
from assistant.util.files import (
    files_below,
    is_device,
    is_whole,
    read_standard_input,
    saves,
    scratch_folder,
    versions,
)


def test_a_save_is_told_and_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("unit\n")
    (tmp_path / "pages").mkdir()
    pauses: Iterator[tuple[str, str]] = iter(
        [
            ("", ""),
            (".roster.csv.swp", "x"),  # hidden: an editor's own
            ("roster.csv", "unit\n1/1\n"),
            ("pages/page-1.svg", "x"),  # what is made
            ("", ""),
            ("boards.toml", ""),
        ]
    )
    looks = 0

    def pause(seconds: float) -> None:
        nonlocal looks
        looks += 1
        name, text = next(pauses)
        if name:
            (tmp_path / name).write_text(text)

    assert [looks for _ in islice(saves(tmp_path, tmp_path / "pages", pause), 2)] == [3, 6]


def zipped(file: Path, text: str) -> bytes:
    """The bytes of a zip file with one text in it."""
    with ZipFile(file, "w") as archive:
        archive.writestr("savedGame", text)
    return file.read_bytes()


def looks_until(file: Path, happenings: list[Callable[[], object] | None], times: int) -> list[int]:
    """How many looks it took until each version of a file was told. happenings: what is done before each look."""
    pauses, looks = iter(happenings), 0

    def pause(seconds: float) -> None:
        nonlocal looks
        looks += 1
        if happens := next(pauses):
            happens()

    return [looks for _ in islice(versions(file, pause), times)]


def test_a_file_is_told_at_once_and_after_each_save_once_it_no_longer_changes(tmp_path: Path) -> None:
    file = tmp_path / "game.pos"
    file.write_text("turn=1\n")
    begun = [None, lambda: file.write_text("turn=2\n40.2"), lambda: file.write_text("turn=2\n40.20: 25/3\n"), None]
    assert looks_until(file, [*begun, None, None], 2) == [0, 4]


def test_a_save_is_waited_for_until_its_end_is_there_and_without_one_told_in_the_end(tmp_path: Path) -> None:
    file = tmp_path / "game.vsav"
    whole = zipped(file, "begin_save" * 100)
    half = len(whole) // 2
    happenings = [lambda: file.write_bytes(whole[:half]), None, None, None, lambda: file.write_bytes(whole + b""), None]
    assert not is_whole(tmp_path / "missing") and is_whole(file)
    assert looks_until(file, happenings, 2) == [0, 6]
    file.write_bytes(whole[:40])
    assert looks_until(file, [None] * 60, 1) == [20]


def test_nothing_is_told_while_a_file_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "game.pos"
    file.write_text("turn=1\n")
    happenings = [file.unlink, None, None, lambda: file.write_text("turn=3\n"), None]
    assert looks_until(file, happenings, 2) == [0, 5]


# --- the files of a package ---


def test_files_below_a_folder_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("page.js", "host/http_host.js", ".hidden", ".git/config", "host/.hidden"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    assert [(path, file.read_text()) for path, file in files_below(tmp_path)] == [
        ("host/http_host.js", "host/http_host.js"),
        ("page.js", "page.js"),
    ]


def test_a_folder_for_what_is_needed_in_between_goes_with_the_block() -> None:
    with scratch_folder() as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "a.txt").write_text("x")
    assert not folder.exists()


def test_standard_input_that_fails_is_said_with_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, _: object) -> int:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Failing())))
    with pytest.raises(InputError) as raised:
        read_standard_input()
    assert str(raised.value) == "standard input: Input/output error\n  name a file instead of -"


@pytest.mark.parametrize("name", ["con", "PRN", "aux.txt", "Nul.journal", "com1", "LPT9.tar.gz", "com\u00b9", "conin$"])
def test_names_that_windows_keeps_for_itself(name: str) -> None:
    assert is_device(name)
    assert not any(
        map(is_device, (f"a{name}", f"{name}a" if "." not in name else f"a.{name}", f"-{name}", "com", "lpt10"))
    )
