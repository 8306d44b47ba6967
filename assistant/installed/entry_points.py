"""The entry points of the installed packages, as `importlib.metadata` finds them.

Reading them with that module takes as many instructions as an empty Python, so it is used only for packages that are
not in plain folders (docs/maintaining/dependencies.md).
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from ..util.late import load

_GROUP_PREFIX = "field_staff."
"""The beginning of the groups whose entry points are read."""


class EntryPoint(NamedTuple):
    """An entry point: a reference to its object as `package.module:attribute`, and its distribution.

    The distribution has its version, or is "" if unknown.
    """

    group: str
    name: str
    value: str
    distribution: str

    @property
    def made_by(self) -> str:
        return f" of {self.distribution}" if self.distribution else ""

    @property
    def plugin(self) -> str:
        return self.name + self.made_by

    def load(self) -> Any:
        return load(self.value.partition("[")[0].strip())


def entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group by name; of equal names, the first one on the path comes first."""
    paths = [path or os.curdir for path in sys.path]
    folders = tuple(folder for path in paths if (folder := _read_entry(path)) is not None)
    points = _find_points(folders, plain=all(map(_is_plain, sys.meta_path)))
    return sorted((entry for entry in points if entry.group == group), key=lambda entry: entry.name)


class _OnPath(NamedTuple):
    """A folder or an archive on the path, with the time of its last change in nanoseconds."""

    path: str
    changed: int
    is_folder: bool


def _read_entry(path: str) -> _OnPath | None:
    try:
        status = os.stat(path)
        return _OnPath(path, status.st_mtime_ns, stat.S_ISDIR(status.st_mode))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None


def _is_plain(finder: Any) -> bool:
    """Return whether a finder of modules has no distributions of its own.

    A program packed into one file has a finder with its own.
    """
    return not hasattr(finder, "find_distributions") or finder.__module__ == "_frozen_importlib_external"


@cache
def _find_points(folders: tuple[_OnPath, ...], *, plain: bool) -> tuple[EntryPoint, ...]:
    if plain and all(folder.is_folder for folder in folders):
        return tuple(_list_points([folder.path for folder in folders]))
    from importlib.metadata import distributions

    return tuple(
        EntryPoint(entry.group, entry.name, entry.value, f"{package.name} {package.version}")
        for package in distributions()
        for entry in package.entry_points
        if entry.group.startswith(_GROUP_PREFIX)
    )


def _list_points(folders: list[str]) -> Iterator[EntryPoint]:
    seen: set[str] = set()
    for folder in folders:
        for file in _list_names(folder):
            if not file.endswith((".dist-info", ".egg-info")):
                continue
            package = re.sub(r"[-_.]+", "-", file.rpartition(".")[0].partition("-")[0]).lower()
            if package not in seen:
                seen.add(package)
                yield from _read_points(os.path.join(folder, file))


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (
        FileNotFoundError,
        NotADirectoryError,
        PermissionError,
    ):
        return []  # nothing can be imported from an unreadable folder


def _read_points(metadata_folder: str) -> Iterator[EntryPoint]:
    declared = _read_text(metadata_folder, "entry_points.txt")
    if f"[{_GROUP_PREFIX}" not in declared:
        return
    metadata = (_read_text(metadata_folder, "METADATA") or _read_text(metadata_folder, "PKG-INFO")).partition("\n\n")[0]
    fields = dict(re.findall("^(Name|Version): (.*)$", metadata, re.MULTILINE))
    group = ""
    for line in map(str.strip, declared.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif group.startswith(_GROUP_PREFIX) and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            distribution = f"{fields.get('Name', '')} {fields.get('Version', '')}".strip()
            yield EntryPoint(group, name.strip(), value.strip(), distribution)


def _read_text(metadata_folder: str, file: str) -> str:
    path = os.path.join(metadata_folder, file)
    try:
        with open(path, encoding="utf-8", errors="replace") as text:
            return text.read()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        error.filename = path  # the system omits the file name if a read fails midway
        raise
