"""Whether answers to made-up questions say what follows from them, and whether it is owed until it is done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.util.errors import InputError

from ..combats.faults import thrown
from ..comparing.search import Search
from ..conftest import answered, typed
from ..making.shrinking import without_lines
from ..owing import depots_passed_by, left_out
from . import draw, read_chapters

MARKS = re.compile(r" (spent|prepared|owes|cel)=\S+| halted")
"""What keeps units from moving on."""
LONGEST = 12
"""The largest number of dice and choices of a question."""


def make_case(number: int, seed: int) -> str:
    """Make up a march, an advance or a retreat in one of the games with combats, with nothing left unsaid."""
    random = Random(f"{seed}/{number}")
    chapter = read_chapters()["ways_of_others" if random.random() < 0.3 else "ways"]
    return MARKS.sub("", draw(chapter, random, spoiled=False, moves=True))


def answer_to_the_end(position: Position, random: Random) -> Report[object]:
    """Return the answer to a case once its dice are thrown and its choices made by chance."""
    dice = dict[str, str]()
    report = answered(position)
    for _ in range(LONGEST):
        due = [ask for ask in report.asks if ask.kind in ("roll", "choice")]
        if not due:
            break
        dice |= {ask.name: thrown(ask, random) for ask in due}
        report = answered(position, answers=dice)
    return report


def find_faults(case: str, seen: Counter[str]) -> Iterator[str]:
    """Yield what the answer to a case leaves out."""
    try:
        position = typed(case)
        report = answer_to_the_end(position, Random(case))
    except InputError:
        seen["refused"] += 1
        return
    seen["answers with changes"] += bool(report.changes)
    seen["answers with consequences"] += bool(report.follows)
    yield from left_out(position, report)
    yield from depots_passed_by(position, report)


SEARCH = Search("owed", make_case, find_faults, 2000, 7, smaller=without_lines)
