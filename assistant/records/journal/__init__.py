"""Journals."""

from ...formats.positions import JOURNAL, Format
from ...util.late import late

_READ = late(f"{__name__}.journal:position_at")
FORMAT = Format("journal", (JOURNAL,), _READ, read_at=_READ)
