"""Where the data of a journal are kept: in a file, or in the memory of a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ...util.errors import InputError, Where, is_of_the_machine, word_machine_error
from ...util.files import read_bytes
from .files import append

T = TypeVar("T")
Prepare = Callable[[bytes], tuple[Sequence[str], T]]
"""Takes the stored data; returns the lines to add, and a result for whoever adds them."""


class JournalStore(Protocol):
    """A store for the data of a journal."""

    outlasts_process: bool
    """Whether the data are still there in the next process."""

    def read(self) -> bytes:
        """Return the data. Raises InputError if they cannot be read."""

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines; return the result of `prepare`, and the file to which a remnant was set aside, or None.

        Raises InputError, adding nothing, if the lines cannot be written.
        """

    def mark(self) -> tuple[int, int]:
        """Return two numbers, at least one of which changes whenever the data do.

        Raises InputError if there are no data.
        """


class DiskStore:
    """A store in the journal's file."""

    outlasts_process = True

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> bytes:
        """Return what the file holds. Raises InputError if it cannot be read."""
        return read_bytes(self.file)

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines to the file, as `files.append` does."""
        return append(self.file, prepare)

    def mark(self) -> tuple[int, int]:
        """Return the size of the file in bytes, and when it was last changed in nanoseconds.

        Raises InputError if there is no file.
        """
        try:
            about = self.file.stat()
        except OSError as error:
            hint = "has it been moved or removed?"
            if is_of_the_machine(error):
                raise word_machine_error(error) from None
            raise InputError(error.strerror or str(error), where=Where(str(self.file)), hint=hint) from None
        return about.st_size, about.st_mtime_ns


class MemoryStore:
    """A store in memory, which ends with the process."""

    outlasts_process = False

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._count = 0  # how often the data were replaced

    def begin(self, data: bytes) -> None:
        """Replace the data."""
        self._data = data
        self._count += 1

    def read(self) -> bytes:
        """Return the data."""
        return self._data

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines to the data."""
        lines, added = prepare(self._data)
        self._data += b"".join(line.encode() + b"\n" for line in lines)
        return added, None

    def mark(self) -> tuple[int, int]:
        """Return the size of the data, and how often they were replaced."""
        return len(self._data), self._count
