"""Writing files and sets of files: completely or not at all, and over others only on request.

When a call returns, the files are on the disk. A file being written is a part, `.field-staff-*.part`, in the folder of
its target, locked by its run. The next run that writes there removes parts without a lock, and undoes unfinished sets.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO

from . import chance
from .errors import InputError, Where
from .files import unwritable
from .locks import hold_abandoned, hold_file, release
from .renaming import close_first, name_file, replace_file, sync_folder

_OURS = ".field-staff-"
"""The prefix of the names of files being written."""
_PART = ".part"
"""The suffix of a file being written."""
_UNFINISHED = ".set"
"""The suffix of the folder of a set while its files are renamed."""
_SPARE_ENDING = ".spare"
"""The suffix of the folder of a set before and after its files are renamed."""
_OLD = ".field-staff-old"
"""The subfolder of a set for the files that it replaces."""


class Unsettled(InputError):
    """The error if the file is in place, but the disk has not confirmed it."""

    def __init__(self, error: OSError, path: Path) -> None:
        what = f"written, but its durability is unknown ({error.strerror or error})"
        super().__init__(what, where=Where(str(path)), hint="check that disk, and write it again")


class Untidy(Unsettled):
    """The error if the file is in place, but a part beside it could not be removed."""

    def __init__(self, path: Path, error: OSError) -> None:
        InputError.__init__(
            self,
            f"written, but {_format_left(error)}",
            where=Where(str(path)),
            hint="remove it, or write there again",
        )


def _format_left(error: OSError) -> str:
    return f"{Path(error.filename).name} beside it could not be removed ({error.strerror})"


def check_free(path: Path, *, force: bool = False) -> None:
    """Raise InputError if a file exists without `force`, cannot be overwritten, or has no folder.

    Call it before work that would be lost.
    """
    _check_target(path, force=force)
    try:
        os.stat(os.path.join(path.parent, ""))
    except (OSError, ValueError) as error:
        raise unwritable(error, path) from None


def write_whole(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a file in one step, completely or not at all. It is on the disk when this returns.

    `force`: whether to overwrite an existing file, or a symbolic link's target; its permissions stay.

    Raises InputError if the file exists or is unwritable; Unsettled if it is perhaps not on the disk; Untidy if a part
    is left beside it.
    """
    mode = _check_target(path, force=force)
    is_placed = False
    removal_errors = list[OSError]()
    try:
        target = Path(os.path.realpath(path)) if force else path
        clear(target.parent)
        with _open_part(target.parent, removal_errors, private=mode is not None) as (part, file):
            _write_to_disk(file, data)
            if mode is not None:
                os.chmod(part, mode)
            close_first(file)
            if force:
                replace_file(part, target)
            else:
                name_file(part, target)
            is_placed = True
        sync_folder(target.parent)
        if removal_errors:
            raise Untidy(path, removal_errors[0])
    except FileExistsError:
        raise _taken_error(path) from None
    except Untidy:  # an InputError is a ValueError too
        raise
    except (OSError, ValueError) as error:  # a name with a NUL raises a ValueError
        if is_placed and isinstance(error, OSError):
            raise Unsettled(error, path) from None
        fault = unwritable(error, path)
        if removal_errors:
            fault.hint = f"{fault.hint}; {_format_left(removal_errors[0])}"
        raise fault from None


def write_all(folder: Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Write all files of a set or none, creating the folder if necessary.

    On a disk without hard links only a set in a new folder is sure to be complete.

    `files`: the content of each file, by its path within the folder.

    Raises InputError, with nothing changed, if a file exists without `force` or cannot be written; Unsettled if the
    folder is perhaps not on the disk.
    """
    is_placed = False
    try:
        exists = folder.exists()
        folder_of_part = folder if exists else folder.parent
        make_folder(folder_of_part)
        clear_set(folder)
        modes = {name: _check_target(folder / name, force=force, links=False) for name in files}
        with _open_part(folder_of_part, []) as (part, _):
            spare, unfinished = part.with_suffix(_SPARE_ENDING), part.with_suffix(_UNFINISHED)
            try:
                _stage(spare, files)
                if exists:
                    os.rename(spare, unfinished)
                    _place(unfinished, folder, modes)
                    os.rename(unfinished, spare)
                    is_placed = True
                else:
                    os.rename(spare, folder)
                    is_placed = True
                    sync_name(folder_of_part, folder)
            except BaseException:
                _take_back(unfinished)
                raise
            finally:
                _remove(spare)
    except FileExistsError as error:
        raise _taken_error(Path(error.filename2 or error.filename or folder)) from None
    except InputError:  # an InputError is a ValueError too
        raise
    except (OSError, ValueError) as error:
        if not is_placed:  # otherwise only remains could not be removed; the next run removes them
            raise unwritable(error, folder) from None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if necessary.

    Raises InputError if the folder cannot be made.
    """
    try:
        missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
        for parent in reversed(missing):
            parent.mkdir(exist_ok=True)
            sync_folder(parent.parent)
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except (OSError, ValueError) as error:
        raise unwritable(error, folder, "not made") from None


def clear(folder: Path) -> None:
    """Remove the remains of killed runs in a folder, as far as this run may."""
    with suppress(OSError):
        ours = (entry for entry in folder.iterdir() if entry.name.startswith(_OURS))
        stems = {entry.stem for entry in ours if entry.suffix in (_PART, _UNFINISHED, _SPARE_ENDING)}
        for stem in stems:
            part = folder / f"{stem}{_PART}"
            with suppress(OSError), hold_abandoned(part):
                _take_back(part.with_suffix(_UNFINISHED))
                _remove(part.with_suffix(_SPARE_ENDING))


def clear_set(folder: Path) -> None:
    """Remove the remains of runs killed while they wrote a set into a folder, both in it and beside it."""
    clear(folder)
    clear(folder.parent)


def _check_target(path: Path, *, force: bool, links: bool = True) -> int | None:
    """Return the permissions of a file to be overwritten, or None for a new one.

    `links`: whether the file may be a symbolic link.

    Raises InputError as `check_free` does.
    """
    try:
        status = os.stat(path)
        is_link = not links and path.is_symlink()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise unwritable(error, path) from None
    if not force:
        raise _taken_error(path)
    if stat.S_ISDIR(status.st_mode):
        other_kind = "folder"
    elif stat.S_ISREG(status.st_mode):
        other_kind = ""
    else:
        other_kind = "pipe or a device"
    if other_kind or is_link:
        raise InputError(
            f"this is a {other_kind or 'symbolic link'}, which is not overwritten",
            where=Where(str(path)),
            hint="name another file" if links else "remove it, or name another folder",
        )
    return stat.S_IMODE(status.st_mode) & 0o777


def _taken_error(path: Path) -> InputError:
    return InputError("the file already exists", where=Where(str(path)), hint="--force overwrites it")


# --- parts ---


@contextmanager
def _open_part(
    folder: Path, removal_errors: list[OSError], *, private: bool = False
) -> Iterator[tuple[Path, BinaryIO]]:
    """Make a new part, lock it during the block, and remove it afterwards unless it has been renamed.

    `removal_errors`: gets the error, with the part as its file, if the part cannot be removed.
    `private`: whether only the owner may read the part for now.
    """
    while True:
        part = folder / f"{_OURS}{chance.draw_hex(6)}{_PART}"
        try:
            with open(part, "xb", opener=_readable_by_owner if private else None) as file:
                if hold_file(file, wait=True):
                    yield part, file
                    return
        finally:
            try:
                part.unlink(missing_ok=True)
            except OSError as error:
                error.filename = str(part)
                removal_errors.append(error)


def _readable_by_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _write_to_disk(file: BinaryIO, data: bytes) -> None:
    file.write(data)
    file.flush()
    os.fsync(file.fileno())


def sync_name(folder: Path, written: Path) -> None:
    """Ensure that a new name in a folder is on the disk.

    Raises Unsettled if that is unknown.
    """
    try:
        sync_folder(folder)
    except OSError as error:
        raise Unsettled(error, written) from None


# --- sets ---


def _stage(spare: Path, files: Mapping[str, bytes]) -> None:
    spare.mkdir()
    for name, data in files.items():
        (spare / name).parent.mkdir(parents=True, exist_ok=True)
        (spare / name).write_bytes(data)
    for name in files:  # many times faster than to sync each file after writing it
        with open(spare / name, "rb+") as file:
            os.fsync(file.fileno())
    for inner in {(spare / name).parent for name in files}:
        sync_folder(inner)


def _place(unfinished: Path, folder: Path, modes: Mapping[str, int | None]) -> None:
    for name, mode in modes.items():
        file = unfinished / name
        target = folder / name
        old = unfinished / _OLD / name
        make_folder(target.parent)
        if mode is None:
            name_file(file, target)
            continue
        os.chmod(file, mode)
        old.parent.mkdir(parents=True, exist_ok=True)
        second_link = file.with_name(_OURS + "again")
        try:
            os.link(target, old)
            os.link(file, second_link)
        except OSError:  # without hard links the set cannot be taken back
            second_link = file
        replace_file(second_link, target)
    for place in {(folder / name).parent for name in modes}:
        sync_folder(place)


def _take_back(unfinished: Path) -> None:
    """Undo an unfinished set: restore the replaced files, and remove the files of the set and its folder."""
    if not unfinished.is_dir():
        return
    folder = unfinished.parent
    old = unfinished / _OLD
    staged = [entry.relative_to(unfinished) for entry in unfinished.rglob("*") if old not in (entry, *entry.parents)]
    for name in staged:
        with suppress(FileNotFoundError):
            if (unfinished / name).is_file() and os.path.samefile(unfinished / name, folder / name):
                if (old / name).exists():
                    replace_file(old / name, folder / name)
                else:
                    (folder / name).unlink()
    for name in sorted(staged, reverse=True):
        with suppress(OSError):  # the folder may hold other files
            if (unfinished / name).is_dir():
                (folder / name).rmdir()
    _remove(unfinished)


def _remove(folder: Path) -> None:
    with suppress(FileNotFoundError):
        rmtree(folder)


LOCK = ".lock"


@contextmanager
def hold_folder(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """Lock a folder against changes by other runs, and make it if necessary. Calls must not be nested.

    `seconds`: the maximum time to wait for another run.

    Raises InputError if another run still has locked the folder, or if the folder cannot be written to.
    """
    from filelock import FileLock, Timeout  # loaded late: most runs change nothing

    make_folder(folder)
    lock = FileLock(folder / LOCK, timeout=seconds, poll_interval=0.01)
    try:
        lock.acquire()
    except Timeout:
        hint = "try again when that run has ended"
        raise InputError("another run is changing the files in it", where=Where(str(folder)), hint=hint) from None
    except OSError as error:
        raise unwritable(error, folder) from None
    try:
        yield
    finally:
        release(lock)
