"""Files are written whole or not at all, and never over an existing one unasked."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import IO, Any

import pytest

from assistant.util.errors import InputError
from assistant.util.files import write_whole

OLD, NEW = b"typed by hand\n", b"a report of several lines\n" * 100


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(entry.name for entry in folder.iterdir())


class FullDisk(io.FileIO):
    """Takes the first half of what is written to it, and then no more."""

    def write(self, data: Any) -> int:
        super().write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_new_file_holds_every_byte_and_stands_alone(tmp_path: Path) -> None:
    write_whole(tmp_path / "out.svg", NEW)
    assert (tmp_path / "out.svg").read_bytes() == NEW
    assert names(tmp_path) == ["out.svg"]


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_new_file_can_be_read_by_others(tmp_path: Path) -> None:
    write_whole(tmp_path / "out.svg", NEW)
    assert (tmp_path / "out.svg").stat().st_mode & 0o777 == 0o644, "the temporary file alone is private"


def test_an_existing_file_is_left_as_it_is_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "out.svg"
    path.write_bytes(OLD)
    with pytest.raises(InputError) as caught:
        write_whole(path, NEW)
    assert (caught.value.what, str(caught.value.where)) == ("the file already exists", str(path))
    assert "--force" in caught.value.hint
    assert (path.read_bytes(), names(tmp_path)) == (OLD, ["out.svg"])
    write_whole(path, NEW, force=True)
    assert (path.read_bytes(), names(tmp_path)) == (NEW, ["out.svg"])


@pytest.mark.parametrize("old", [None, OLD])
def test_a_disk_that_fills_up_half_way_leaves_nothing_of_it(
    old: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.svg"
    if old is not None:
        path.write_bytes(old)
    before = names(tmp_path)
    monkeypatch.setattr(os, "fdopen", lambda handle, mode: FullDisk(handle, mode))
    with pytest.raises(InputError) as caught:
        write_whole(path, NEW, force=True)
    assert (caught.value.what, str(caught.value.where)) == (os.strerror(errno.ENOSPC), str(path))
    assert names(tmp_path) == before, "no temporary file stays behind"
    assert (path.read_bytes() if path.exists() else None) == old


def test_a_writer_that_is_interrupted_leaves_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str, mode: int) -> None:
        assert names(tmp_path), "the data lie there under another name by now"
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "chmod", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "out.svg", NEW)
    assert names(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "out.svg"
    with pytest.raises(InputError) as caught:
        write_whole(path, NEW)
    assert (caught.value.what, str(caught.value.where)) == (os.strerror(errno.ENOENT), str(path))
    assert (caught.value.hint, names(tmp_path)) == ("check that the folder exists and that you may write to it", [])


def test_a_folder_is_not_replaced_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "out.svg").mkdir()
    with pytest.raises(InputError) as caught:
        write_whole(tmp_path / "out.svg", NEW, force=True)
    assert str(caught.value.where) == str(tmp_path / "out.svg")
    assert names(tmp_path) == ["out.svg"] and names(tmp_path / "out.svg") == []


def test_a_name_that_is_too_long_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_whole(tmp_path / ("x" * 300), NEW)


def test_a_disk_without_links_as_memory_sticks_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*names: object, **more: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    write_whole(tmp_path / "out.svg", NEW)
    assert (tmp_path / "out.svg").read_bytes() == NEW


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, fdopen = tmp_path / "out.svg", os.fdopen

    def another_program_is_quicker(handle: int, mode: str) -> IO[Any]:
        path.write_bytes(OLD)
        return fdopen(handle, mode)

    monkeypatch.setattr(os, "fdopen", another_program_is_quicker)
    with pytest.raises(InputError, match="already exists"):
        write_whole(path, NEW)
    assert path.read_bytes() == OLD
