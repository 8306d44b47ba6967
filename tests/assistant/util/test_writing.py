"""Files are written whole or not at all, to the disk, and never over an existing one unasked."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.util import writing
from assistant.util.errors import InputError
from assistant.util.writing import Unsettled, check_free, clear, hold_folder, make_folder, write_all, write_whole

OLD, NEW = b"typed by hand\n", b"a report of several lines\n" * 100
SET = {"one.png": b"first", "two.png": b"second", "inner/three.png": b"third"}

posix = pytest.mark.skipif(os.name == "nt", reason="permissions and kinds of files of POSIX")


def names(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(entry.name for entry in folder.iterdir())


def held(folder: Path) -> dict[str, bytes]:
    """All files in a folder and below."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


class FullDisk(io.FileIO):
    """Takes the first half of what is written to it, and then no more."""

    def write(self, data: Any) -> int:
        super().write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def full(path: Any, mode: str, **options: Any) -> Any:
    return FullDisk(path, mode, opener=options.get("opener"))


# --- one file ---------------------------------------------------------------------------------------------------------


def test_a_new_file_holds_every_byte_and_stands_alone(tmp_path: Path) -> None:
    write_whole(tmp_path / "out.svg", NEW)
    assert (tmp_path / "out.svg").read_bytes() == NEW
    assert names(tmp_path) == ["out.svg"]


@posix
@pytest.mark.usefixtures("umask")
def test_a_new_file_may_be_read_by_whom_the_umask_lets(tmp_path: Path) -> None:
    write_whole(tmp_path / "out.svg", NEW)
    write_all(tmp_path / "new", SET)
    write_all(tmp_path / "new", {"four.png": b"fourth"})
    assert mode(tmp_path / "out.svg") == 0o640
    assert {mode(file) for file in (tmp_path / "new").rglob("*.png")} == {0o640}
    assert mode(tmp_path / "new") == 0o750


@posix
@pytest.mark.parametrize("kept", [0o600, 0o664, 0o444])
def test_a_file_that_is_overwritten_keeps_its_permissions(tmp_path: Path, kept: int) -> None:
    for name in ("out.svg", "one.png"):
        (tmp_path / name).write_bytes(OLD)
        (tmp_path / name).chmod(kept)
    write_whole(tmp_path / "out.svg", NEW, force=True)
    write_all(tmp_path, SET, force=True)
    assert (mode(tmp_path / "out.svg"), mode(tmp_path / "one.png")) == (kept, kept)


@posix
def test_what_others_may_not_read_they_may_not_read_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fill = tmp_path / "out.svg", writing._write_to_disk
    path.write_bytes(OLD)
    path.chmod(0o600)
    seen = []

    def look(file: Any, data: bytes) -> None:
        fill(file, data)
        seen.extend(mode(entry) for entry in tmp_path.iterdir())

    monkeypatch.setattr(writing, "_write_to_disk", look)
    write_whole(path, NEW, force=True)
    assert seen == [0o600, 0o600]


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


@posix
def test_the_data_are_on_the_disk_before_the_name_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace, link, rename = os.fsync, os.replace, os.link, os.rename

    def synced(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def noting(call: Any) -> Any:
        return lambda *names: (done.append("name"), call(*names))

    monkeypatch.setattr(os, "fsync", synced)
    for name, call in (("replace", replace), ("link", link), ("rename", rename)):
        monkeypatch.setattr(os, name, noting(call))
    write_whole(tmp_path / "out.svg", NEW)
    write_whole(tmp_path / "out.svg", NEW, force=True)
    assert done == ["file", "name", "folder"] * 2
    done.clear()
    write_all(tmp_path / "new", {"one.png": OLD})
    assert done == ["file", "folder", "name", "folder"]
    done.clear()
    make_folder(tmp_path / "a" / "b")
    assert done == ["folder", "folder"], "the names of both, in the folders above"


@pytest.mark.parametrize("old", [None, OLD])
def test_a_disk_that_fills_up_half_way_leaves_nothing_of_it(
    old: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.svg"
    if old is not None:
        path.write_bytes(old)
    before = names(tmp_path)
    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(InputError) as caught:
        write_whole(path, NEW, force=True)
    assert (caught.value.what, str(caught.value.where)) == (f"not written: {os.strerror(errno.ENOSPC)}", str(path))
    monkeypatch.undo()
    assert names(tmp_path) == before, "no temporary file stays behind"
    assert (path.read_bytes() if path.exists() else None) == old


def test_a_writer_that_is_interrupted_leaves_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(handle: int) -> None:
        assert names(tmp_path), "the data lie there under another name by now"
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "out.svg", NEW)
    assert names(tmp_path) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "out.svg"
    with pytest.raises(InputError) as caught:
        write_whole(path, NEW)
    assert (caught.value.what, str(caught.value.where)) == (f"not written: {os.strerror(errno.ENOENT)}", str(path))
    assert (caught.value.hint, names(tmp_path)) == ("check that the folder exists and that you may write to it", [])


def test_a_folder_is_not_replaced_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "out.svg").mkdir()
    with pytest.raises(InputError) as caught:
        write_whole(tmp_path / "out.svg", NEW, force=True)
    assert (
        str(caught.value) == f"{tmp_path / 'out.svg'}: this is a folder, which is not overwritten\n  name another file"
    )
    assert names(tmp_path) == ["out.svg"] and names(tmp_path / "out.svg") == []


@posix
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/null", path)])
def test_a_pipe_or_a_device_is_refused_even_by_force(tmp_path: Path, make: Any) -> None:
    make(tmp_path / "out.svg")
    for write in (write_whole, lambda path, data, force: write_all(path.parent, {path.name: data}, force=force)):
        with pytest.raises(InputError, match="this is a pipe or a device, which is not overwritten"):
            write(tmp_path / "out.svg", NEW, force=True)
    with pytest.raises(InputError):
        check_free(tmp_path / "out.svg", force=True)
    assert names(tmp_path) == ["out.svg"]


@posix
@pytest.mark.parametrize("old", [None, OLD])
def test_force_writes_what_a_symbolic_link_leads_to(tmp_path: Path, old: bytes | None) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    if old is not None:
        (tmp_path / "there" / "out.svg").write_bytes(old)
    link = tmp_path / "here" / "link.svg"
    link.symlink_to("../there/out.svg")
    with pytest.raises(InputError, match="already exists"):
        write_whole(link, NEW)
    write_whole(link, NEW, force=True)
    assert link.is_symlink() and (tmp_path / "there" / "out.svg").read_bytes() == NEW
    assert (names(tmp_path / "here"), names(tmp_path / "there")) == (["link.svg"], ["out.svg"])


@posix
def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out.svg").symlink_to("out.svg")
    with pytest.raises(InputError, match=os.strerror(errno.ELOOP)):
        write_whole(tmp_path / "out.svg", NEW, force=True)


def test_a_name_that_cannot_be_is_an_input_error(tmp_path: Path) -> None:
    for name in ("x" * 300, "nul\0"):
        with pytest.raises(InputError):
            write_whole(tmp_path / name, NEW)


def no_links(*names: object, **more: object) -> None:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def test_a_disk_without_links_as_memory_sticks_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_links)
    write_whole(tmp_path / "out.svg", NEW)
    (tmp_path / "one.png").write_bytes(OLD)
    write_all(tmp_path, SET, force=True)
    assert held(tmp_path) == {"out.svg": NEW} | SET


def test_an_interruption_there_leaves_no_empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*names: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "out.svg", NEW)
    assert names(tmp_path) == []


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, fsync = tmp_path / "out.svg", os.fsync

    def another_program_is_quicker(handle: int) -> None:
        path.write_bytes(OLD)
        fsync(handle)

    monkeypatch.setattr(os, "fsync", another_program_is_quicker)
    with pytest.raises(InputError, match="already exists"):
        write_whole(path, NEW)
    assert path.read_bytes() == OLD


# --- sets -------------------------------------------------------------------------------------------------------------


def failing_at(number: int, call: Any, error: BaseException) -> Any:
    """A call that raises an error the given time, and otherwise does what it did."""
    left = iter(range(1, 1000))

    def tried(*names: Any, **more: Any) -> Any:
        if next(left) == number:
            raise error
        return call(*names, **more)

    return tried


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["link", "replace", "fsync", "rename", "mkdir"])
@pytest.mark.parametrize("before", [None, {"mine.txt": OLD}, {"one.png": OLD, "inner/three.png": OLD}])
def test_a_set_that_fails_anywhere_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: dict[str, bytes] | None, call: str, error: BaseException
) -> None:
    folder = tmp_path / "drawn"
    for number in range(1, 100):
        if before is not None and number == 1:
            write_all(folder, before)
        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing_at(number, getattr(os, call), error))
            try:
                write_all(folder, SET, force=True)
            except KeyboardInterrupt:
                pass
            except Unsettled as told:
                assert told.what == f"written, but its durability is unknown ({os.strerror(errno.ENOSPC)})"
                assert call == "fsync" and not before and held(folder) == SET
                break
            except InputError as told:
                assert told.what in (f"not {what}: {os.strerror(errno.ENOSPC)}" for what in ("written", "made"))
            else:
                break
        now = held(folder) if folder.exists() else {}
        if now == (before or {}) | SET:  # all was there, and only its way to the disk was interrupted
            assert call == "fsync" and not before
            break
        assert now == (before or {})
        assert names(tmp_path) == ["drawn"] * (before is not None)
    assert held(folder) == (before or {}) | SET
    assert names(tmp_path) == ["drawn"] and not [file for file in folder.rglob("*") if file.name.startswith(".")]


def test_a_set_that_fills_the_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def third_is_too_much(path: Path, data: bytes) -> int:
        if path.name == "three.png":
            write(path, data[:2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", third_is_too_much)
    for folder in (tmp_path, tmp_path / "new"):
        with pytest.raises(InputError) as caught:
            write_all(folder, SET)
        assert (caught.value.what, str(caught.value.where)) == (
            f"not written: {os.strerror(errno.ENOSPC)}",
            str(folder),
        )
        assert names(tmp_path) == []


@posix
def test_a_set_does_not_write_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(OLD)
    (tmp_path / "one.png").symlink_to("mine")
    with pytest.raises(InputError, match="this is a symbolic link, which is not overwritten"):
        write_all(tmp_path, SET, force=True)
    assert held(tmp_path) == {"mine": OLD, "one.png": OLD}


# --- what killed runs leave ------------------------------------------------------------------------------------------


def test_only_what_no_living_run_holds_is_cleared(tmp_path: Path) -> None:
    dead, others = tmp_path / ".field-staff-dead.part", [".hidden", ".field-staff-notes", "one.part"]
    dead.write_bytes(NEW[:7])
    for name in others:
        (tmp_path / name).write_bytes(OLD)
    with writing._open_part(tmp_path, []) as (part, _):
        clear(tmp_path)
        assert names(tmp_path) == sorted([*others, part.name])
    assert names(tmp_path) == sorted(others)


@posix
def test_a_part_that_is_cleared_before_it_is_held_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold, cleared = writing.hold_file, []

    def late(file: Any, *, wait: bool) -> bool:
        if wait and not cleared:
            cleared.append(True)
            clear(tmp_path)
        return hold(file, wait=wait)

    monkeypatch.setattr(writing, "hold_file", late)
    write_whole(tmp_path / "out.svg", NEW)
    assert cleared and held(tmp_path) == {"out.svg": NEW}


def test_a_lock_that_cannot_be_released_does_not_hide_what_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch, hold_folder(tmp_path):
        patch.setattr("filelock.BaseFileLock.release", fail)


@pytest.mark.parametrize("is_written", [True, False])
def test_a_part_that_cannot_be_removed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_written: bool
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "unlink", fail)
    if not is_written:
        monkeypatch.setattr(writing, "_write_to_disk", fail)
    with pytest.raises(InputError) as raised:
        write_whole(tmp_path / "new.pos", b"whole")
    (part,) = (file for file in tmp_path.iterdir() if file.name != "new.pos")
    assert isinstance(raised.value, Unsettled) == is_written == (tmp_path / "new.pos").exists()
    assert f"{part.name} beside it could not be removed" in str(raised.value)
