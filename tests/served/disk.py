"""A disk that fails at a call of this process.

The process is killed there, the power is lost there, or the disk is full for some calls.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

KILLED, LOST, FULL = "killed", "lost", "full"
WAYS = (KILLED, LOST, FULL)
_CALLS = ("write", "fsync", "replace", "link", "rename", "unlink", "mkdir", "rmdir", "chmod", "ftruncate")
_REFUSED_IF_FULL = ("open", "write", "fsync", "replace", "link", "rename", "mkdir")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Crash(BaseException):
    """The end of the process. The program does not catch it, and its calls while it unwinds do nothing."""


class Disk:
    """A folder, with what of it outlasts a loss of power.

    `root`: the folder.
    `fails_at`: the number of the call that fails, or 0 if none does.
    `full_for`: for how many calls the disk is full then, or 0 for a crash.
    """

    def __init__(self, root: Path, fails_at: int = 0, full_for: int = 0) -> None:
        self.root, self.fails_at, self.full_for = root, fails_at, full_for
        self.calls: list[str] = []
        self.is_dead = False
        self._new_id = count()
        self._ids: dict[int, int] = {}  # by inode number, which the system uses again
        self._handles: dict[int, Path] = {}
        names = self._list_names()
        self._ids = {inode: next(self._new_id) for inode in names.values()}
        self._synced_names = {path: self._ids[inode] for path, inode in names.items()}
        self._folders = {self._ids[inode] for path, inode in names.items() if path.is_dir()}
        self._synced_data = {self._ids[inode]: path.read_bytes() for path, inode in names.items() if path.is_file()}

    @contextmanager
    def hooked(self) -> Iterator[None]:
        """Pass the calls of this process that write in the folder through this disk."""
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._hook(name, getattr(os, name)))
            patch.setattr(os, "open", self._hook_opening(os.open))
            patch.setattr(io, "open", self._hook_files(io.open))
            patch.setattr(builtins, "open", io.open)
            yield

    def _tick(self, call: str, path: Path, do_half: Callable[[], object] = lambda: None) -> None:
        """Count a call.

        `do_half`: does what a call that fails does all the same.

        Raises Crash or OSError if the call fails.
        """
        if self.is_dead:
            raise Crash
        self.calls.append(f"{call} {path.relative_to(self.root)}")
        number = len(self.calls)
        if not self.full_for and number == self.fails_at:
            do_half()
            self.is_dead = True
            raise Crash
        if self.fails_at <= number < self.fails_at + self.full_for and call in _REFUSED_IF_FULL:
            do_half()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def _is_here(self, path: Any) -> bool:
        return isinstance(path, str | os.PathLike) and Path(path).is_relative_to(self.root)

    def _hook(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def hooked(first: Any, *rest: Any, **options: Any) -> Any:
            path = self._handles.get(first) if isinstance(first, int) else first
            if not self._is_here(path):
                return call(first, *rest, **options)
            path = Path(path)  # type: ignore[arg-type]
            do_half = (lambda: call(first, rest[0][: len(rest[0]) // 2])) if name == "write" else (lambda: None)
            self._tick(name, path, do_half)
            done = call(first, *rest, **options)
            if name == "mkdir":
                self._ids[os.lstat(path).st_ino] = next(self._new_id)
                self._folders.add(self._ids[os.lstat(path).st_ino])
            if name == "fsync":
                self._sync(path)
            return done

        return hooked

    def _hook_opening(self, call: Callable[..., int]) -> Callable[..., int]:
        def hooked(path: Any, flags: int, *rest: Any, **options: Any) -> int:
            if not self._is_here(path):
                return call(path, flags, *rest, **options)
            is_new = not os.path.exists(path)
            if flags & _WRITES:
                self._tick("open", Path(path))
            handle = call(path, flags, *rest, **options)
            self._handles[handle] = Path(path)
            if is_new:
                self._ids[os.fstat(handle).st_ino] = next(self._new_id)
            return handle

        return hooked

    def _hook_files(self, call: Callable[..., Any]) -> Callable[..., Any]:
        disk = self

        class File(io.FileIO):
            def write(self, data: Any) -> int:
                disk._tick("write", Path(self.name), lambda: io.FileIO.write(self, data[: len(data) // 2]))
                return super().write(data)

            def truncate(self, size: int | None = None) -> int:
                disk._tick("ftruncate", Path(self.name))
                return super().truncate(size)

        def hooked(path: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
            if not self._is_here(path) or not set(mode) & set("wax+"):
                return call(path, mode, *rest, **options)
            return File(path, mode.replace("b", ""), opener=options.get("opener") or os.open)

        return hooked

    # --- what outlasts a crash ---

    def _list_names(self) -> dict[Path, int]:
        """Return the inode numbers of files and folders by path, each folder before its files."""
        return {path: os.lstat(path).st_ino for path in sorted(self.root.rglob("*"))}

    def _sync(self, path: Path) -> None:
        if path.is_file():
            self._synced_data[self._ids[os.lstat(path).st_ino]] = path.read_bytes()
            return
        kept = {name: id for name, id in self._synced_names.items() if name.parent != path}
        now = {name: self._ids[inode] for name, inode in self._list_names().items() if name.parent == path}
        self._synced_names = kept | now

    def survive(self, target: Path, chance: Random | None = None) -> None:
        """Write into a new folder what the next process finds.

        `chance`: chooses what a loss of power leaves of unsynced names and data, or None for a killed process.
        """
        now = {path: self._ids[inode] for path, inode in self._list_names().items()}
        data = {id: path.read_bytes() for path, id in now.items() if path.is_file()}
        names = now
        if chance:
            every = sorted({*now, *self._synced_names})
            names = {name: (now if chance.random() < 0.5 else self._synced_names).get(name, -1) for name in every}
            for id in sorted({*data, *self._synced_data}):
                data[id] = _lose_part(self._synced_data.get(id, b""), data.get(id), chance)
        target.mkdir()
        for path, id in sorted(names.items()):
            there = target / path.relative_to(self.root)
            if id in self._folders and there.parent.is_dir():
                there.mkdir()
            elif id >= 0 and there.parent.is_dir():
                there.write_bytes(data.get(id, b""))  # a file that was removed unsynced is empty


def _lose_part(synced: bytes, written: bytes | None, chance: Random) -> bytes:
    """Return what a loss of power leaves of a file.

    Data that were added are whole, cut, missing or zeros; data that were rewritten are the old or the new ones.

    `written`: the data before the loss, None for a file that was removed.
    """
    if written is None or written == synced:
        return synced
    if not written.startswith(synced):
        return chance.choice((synced, written))
    kept = written[: chance.choice((len(synced), len(written), chance.randint(len(synced), len(written))))]
    return kept + bytes(chance.choice((0, len(written) - len(kept))))
