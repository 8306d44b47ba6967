"""The files that the table has written, which it may write again as long as nothing else has changed them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from ..util.files import read_bytes


class OwnFiles:
    """The files that a table has written, each with the digest of what was written. digests: those of earlier sessions,
    by file.
    """

    def __init__(self, digests: Mapping[str, str] | None = None) -> None:
        self._digests = {Path(file): digest for file, digest in (digests or {}).items()}

    @property
    def digests(self) -> dict[str, str]:
        """The digests by file, for the next session."""
        return {str(file): digest for file, digest in self._digests.items()}

    def may_write(self, file: Path) -> bool:
        """Whether a file does not exist, or is as the table has written it."""
        return not file.exists() or (file in self._digests and self._digests[file] == _digest(file))

    def wrote(self, file: Path) -> None:
        """Note a file as written by the table."""
        self._digests[file] = _digest(file)


def _digest(file: Path) -> str:
    return sha256(read_bytes(file)).hexdigest()
