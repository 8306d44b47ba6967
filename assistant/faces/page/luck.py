"""The luck of a table's battles, also with the rebuilt charts in place of unknown cells."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from ...records.explaining.played_journal import play_journal
from ...records.journal.journal import Journal
from ...records.luck.calculation import tell_luck
from ...records.luck.words import format_forum
from ...state.trust import AS_STATED, Trust, find_sources, name_stand_ins
from .messages.requests import LuckRequest
from .messages.table import LuckShown


def show_luck(journal: Journal, request: LuckRequest) -> LuckShown:
    """Return the luck of a journal, and the charts that could stand in for unknown cells.

    Raises InputError if a position of the journal cannot be read.
    """
    trust = Trust(more=find_sources("charts")) if request.trusts_charts else AS_STATED
    told = tell_luck(play_journal(journal, trust))
    evening = replace(told, file=Path(told.file).stem, viewpoint="")  # no folders of the host, no options of a command
    unknown = dict.fromkeys(chart for left_out in evening.left_out for chart in left_out.charts)
    sources = {source for chart in unknown for source in journal.game.chart(chart).sources}
    stand_ins = "" if request.trusts_charts else name_stand_ins("charts", sources)
    return LuckShown(lines=tuple(format_forum(evening).splitlines()), stand_ins=stand_ins)
