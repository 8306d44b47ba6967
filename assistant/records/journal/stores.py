"""What keeps the data of a journal: a file, or the memory of a process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ...util.errors import InputError, Where, is_of_the_machine, word_machine_error
from ...util.files import read_bytes
from .files import append

T = TypeVar("T")
Prepare = Callable[[bytes], tuple[Sequence[str], T]]
"""Gives the lines to add for the data that are kept, and what they are."""


class JournalStore(Protocol):
    """What keeps the data of a journal."""

    outlasts_process: bool
    """Whether the data are still there in the next process."""

    def read(self) -> bytes:
        """Return the data. Raises InputError if they cannot be read."""

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines; return what they are, and the file with a remnant set aside, if any.

        Raises InputError, adding nothing, if they cannot be written.
        """

    def mark(self) -> tuple[int, int]:
        """Return two numbers of which one changes with the data. Raises InputError if there are no data."""


class DiskStore:
    """A journal's file."""

    outlasts_process = True

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> bytes:
        """Return what the file holds. Raises InputError if it cannot be read."""
        return read_bytes(self.file)

    def append(self, prepare: Prepare[T]) -> tuple[T, Path | None]:
        """Add lines to the file, as `append` does."""
        return append(self.file, prepare)

    def mark(self) -> tuple[int, int]:
        """Return the size of the file and the time when it was written. Raises InputError if there is no file."""
        try:
            about = self.file.stat()
        except OSError as error:
            hint = "has it been moved or removed?"
            if is_of_the_machine(error):
                raise word_machine_error(error) from None
            raise InputError(error.strerror or str(error), where=Where(str(self.file)), hint=hint) from None
        return about.st_size, about.st_mtime_ns


class MemoryStore:
    """A journal that ends with the process."""

    outlasts_process = False

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._count = 0  # how often it was begun anew

    def begin(self, data: bytes) -> None:
        """Go on with other data."""
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
        """Return the size of the data, and how often it was begun anew."""
        return len(self._data), self._count
