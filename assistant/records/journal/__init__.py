"""Journals: the events of a game as lines, and the positions, accounts and messages made from them."""

from ...formats.positions import JOURNAL, Format
from ...util.late import late

_READER = late(f"{__name__}.journal:position_at")
FORMAT = Format("journal", (JOURNAL,), _READER, read_at=_READER)
