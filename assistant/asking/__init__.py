"""What can be asked of a position, how the answer reads, and how its doubts are made plain.

A game builds its own questions from the names exported here.
"""

from __future__ import annotations

from ..state.changes import Change, Enter, Gain, Leave, Raise
from ..util.datafiles import read_records
from ..util.errors import InputError
from ..util.notes import note
from .permission import DieRow, OneDie, holding, if_known, permission, read_unless, refused
from .play import certain, throw
from .question import (
    Answers,
    AnyName,
    Helpful,
    NationName,
    Parameters,
    PlaceName,
    Question,
    SideName,
    Single,
    UnitName,
    UnitOrDecoy,
    Way,
    declare,
)
from .report import MissingFacts, Part, Report, Step, Verdict, step, verdict
from .view import Gather, View, changed, turned_over

__all__ = [
    "Answers",
    "AnyName",
    "Change",
    "DieRow",
    "Enter",
    "Gain",
    "Gather",
    "Helpful",
    "InputError",
    "Leave",
    "MissingFacts",
    "NationName",
    "OneDie",
    "Parameters",
    "Part",
    "PlaceName",
    "Question",
    "Raise",
    "Report",
    "SideName",
    "Single",
    "Step",
    "UnitName",
    "UnitOrDecoy",
    "Verdict",
    "View",
    "Way",
    "certain",
    "changed",
    "declare",
    "holding",
    "if_known",
    "note",
    "permission",
    "read_records",
    "read_unless",
    "refused",
    "step",
    "throw",
    "turned_over",
    "verdict",
]
