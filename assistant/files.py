"""Writing files whole or not at all, and never over an existing one unasked."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from .errors import InputError, Where


def write_whole(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write a file in one step: it is there complete, or not at all.

    Raises InputError if it exists and `force` is not set, or if it cannot be written.
    """
    if path.exists() and not force:
        raise InputError("the file exists already", where=Where(str(path)), hint="--force overwrites it")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(str(path)), hint="check the folder") from None
