"""One run at a time: what several may change is changed under a lock, which the system releases when a run ends,
however it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import InputError, Where
from .files import unwritable
from .saving import make_folder

LOCK = ".lock"


@contextmanager
def alone(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """Be the only run that changes the files of a folder, which is made if necessary. Not to be nested for one folder.

    seconds: how long to wait for another run.

    Raises InputError if another run still holds the folder then, or if it cannot be written to.
    """
    from filelock import FileLock, Timeout  # only here: most runs change nothing

    make_folder(folder)
    lock = FileLock(folder / LOCK, timeout=seconds, poll_interval=0.01)
    try:
        lock.acquire()
    except Timeout:
        hint = "try again when that one has ended"
        raise InputError("another run is changing the files in it", where=Where(str(folder)), hint=hint) from None
    except OSError as error:
        raise unwritable(error, folder) from None
    try:
        yield
    finally:
        lock.release()
