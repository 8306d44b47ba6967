"""The disk that fails: what a kill, a loss of power and a full disk leave of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from .disk import Crash, Disk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files and syncs no folder")
SEEDS = range(40)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk/old").write_bytes(b"first;")
    return tmp_path / "disk"


def append(folder: Path, *, syncs: bool) -> None:
    """Add to a file."""
    handle = os.open(folder / "old", os.O_WRONLY | os.O_APPEND)
    os.write(handle, b"second")
    if syncs:
        os.fsync(handle)
    os.close(handle)


def replace(folder: Path, *, syncs: bool) -> None:
    """Replace an old file by a new one."""
    with open(folder / "part", "xb") as file:
        file.write(b"whole")
        if syncs:
            os.fsync(file.fileno())
    os.replace(folder / "part", folder / "old")
    if syncs:
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def survivors(folder: Path, disk: Disk, seeds: range = SEEDS) -> list[dict[str, bytes]]:
    """Return the different sets of files that losses of power leave."""
    found = []
    for seed in seeds:
        disk.survive(folder.with_name(str(seed)), Random(seed))
        if (left := files(folder.with_name(str(seed)))) not in found:
            found.append(left)
    return found


@pytest.mark.parametrize("write", [append, replace])
def test_a_loss_of_power_takes_only_what_was_not_synced(folder: Path, write: Callable[..., None]) -> None:
    disk = Disk(folder)
    with disk.hooked():
        write(folder, syncs=True)
    assert survivors(folder, disk) == [files(folder)]


def test_a_loss_of_power_cuts_what_was_added(folder: Path) -> None:
    disk = Disk(folder)
    with disk.hooked():
        append(folder, syncs=False)
    left = [data["old"] for data in survivors(folder, disk)]
    assert {b"first;", b"first;second", b"first;" + bytes(6)} < {*left}
    assert all(data.startswith(b"first;") for data in left)


def test_a_loss_of_power_leaves_names_old_or_new(folder: Path) -> None:
    disk = Disk(folder)
    with disk.hooked():
        replace(folder, syncs=False)
    left = survivors(folder, disk)
    assert {"old": b"first;"} in left
    assert {"old": b"whole"} in left
    assert {"old": b""} in left


def test_a_loss_of_power_brings_back_a_file_that_was_removed(folder: Path) -> None:
    disk = Disk(folder)
    with disk.hooked():
        open(folder / "lock", "xb").close()
        replace(folder, syncs=True)
        os.unlink(folder / "lock")
    assert {"old": b"whole", "lock": b""} in survivors(folder, disk)


def test_a_killed_process_does_nothing_more(folder: Path) -> None:
    disk = Disk(folder, fails_at=2)
    with disk.hooked(), pytest.raises(Crash):
        try:
            append(folder, syncs=True)
        finally:
            with pytest.raises(Crash):
                os.unlink(folder / "old")
    disk.survive(folder.with_name("next"))
    assert files(folder.with_name("next")) == {"old": b"first;sec"}


def test_a_full_disk_refuses_some_calls_and_then_works(folder: Path) -> None:
    disk = Disk(folder, fails_at=1, full_for=2)
    with disk.hooked():
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                append(folder, syncs=True)
        append(folder, syncs=True)
    assert files(folder) == {"old": b"first;second"}
    assert len(disk.calls) == 5
