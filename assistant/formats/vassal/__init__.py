"""VASSAL's saves, logs and modules, read and written exactly, and saves as positions."""

from __future__ import annotations

from pathlib import Path

from ...util.late import late
from ..positions import Format

SAVE = ".vsav"
"""The suffix of a save."""
LOG = ".vlog"
"""The suffix of a log."""


ENDINGS = (SAVE, LOG, ".sav", ".log")
"""The suffixes that are read. The last two are from old engines."""


def is_played(file: Path) -> bool:
    """Return whether a file name has the suffix of a save or log of current engines."""
    return file.suffix.lower() in (SAVE, LOG)


_READER = late(f"{__name__}.positions:read_vassal")
FORMAT = Format(
    "VASSAL save",
    ENDINGS,
    _READER,
    _READER,
    late(f"{__name__}.logs:read_log"),
    late(f"{__name__}.file_limits:name_save_limits"),
    late(f"{__name__}.logs:read_at"),
)
