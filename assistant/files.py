"""Writing files whole or not at all, and never over an existing one unasked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from .errors import InputError, Where


def write_whole(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a file in one step: it is there complete, or not at all.

    Raises InputError if it exists and `force` is not set, or if it cannot be written.
    """
    check_free(path, force=force)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, 0o644)
            if force:
                os.replace(name, path)
            else:
                _publish(Path(name), path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except FileExistsError:
        raise InputError("the file exists already", where=Where(str(path)), hint="--force overwrites it") from None
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(path)), hint="check the folder") from None


def check_free(path: Path, *, force: bool = False) -> None:
    """Raise InputError if a file exists and `force` is not set: before the work that would be lost."""
    try:
        exists = path.exists()
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(path)), hint="check the folder") from None
    if exists and not force:
        raise InputError("the file exists already", where=Where(str(path)), hint="--force overwrites it")


def write_all(folder: Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Write files into a folder, each of them whole; the folder is made if it is not there.

    Raises InputError, before anything is written, if one of them exists and `force` is not set.
    """
    for name in files:
        check_free(folder / name, force=force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(folder)), hint="check the folder") from None
    for name, data in files.items():
        write_whole(folder / name, data, force=force)


def _publish(file: Path, path: Path) -> None:
    """Give a finished file its name. Raises FileExistsError if another program took the name meanwhile."""
    try:
        os.link(file, path)  # unlike a rename it never replaces anything
        file.unlink()
    except FileExistsError:
        raise
    except OSError:  # a disk that knows no links, as memory sticks are: take the name first
        path.open("xb").close()
        os.replace(file, path)
