"""VASSAL's files: saves, logs and modules, read and written exactly; saves read as positions."""

from __future__ import annotations

from pathlib import Path

from ...util.late import late
from ..positions import Format

SAVE = ".vsav"
"""How the name of a save ends."""
LOG = ".vlog"
"""How the name of a log ends."""


ENDINGS = (SAVE, LOG, ".sav", ".log")
"""The endings that are read; the last two are those of old engines."""


def is_played(file: Path) -> bool:
    """Return whether a file is named as a save or a log that VASSAL writes now."""
    return file.suffix.lower() in (SAVE, LOG)


_READ = late(f"{__name__}.positions:read_vassal")
FORMAT = Format(
    "VASSAL save",
    ENDINGS,
    _READ,
    _READ,
    late(f"{__name__}.logs:read_log"),
    late(f"{__name__}.file_limits:name_save_limits"),
    late(f"{__name__}.logs:read_at"),
)
