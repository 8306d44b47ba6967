"""Archives as tar, the same bytes for the same files."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping

_DATE = 315_532_800
"""The date of all files, in seconds: 1 January 1980."""


def pack_tar(files: Mapping[str, bytes]) -> bytes:
    """An archive of files by their paths."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(files[path]), _DATE
            archive.addfile(member, io.BytesIO(files[path]))
    return packed.getvalue()
