"""Whether answers to made-up questions say what follows from them, and whether it is owed until it is done."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.util.errors import InputError

from ..combats.faults import thrown
from ..conftest import answered, typed
from ..owing import depots_passed_by, left_out
from . import Case, ways, ways_of_others

MARCHES = (
    ways._march,
    ways._march,
    ways._march,
    ways._retreat,
    ways._retreat,
    ways._cavalry,
    ways._displace,
    ways._battle,
)
MARKS = re.compile(r" (spent|prepared|owes|cel)=\S+| halted")
"""What keeps units from moving on."""
LONGEST = 12
"""How many dice and choices a question waits for at most."""


def draw(chance: random.Random) -> Case:
    """Make up a march, an advance or a retreat in one of the games with combats, with nothing left unsaid."""
    if chance.random() < 0.3:
        game, make = chance.choice(ways_of_others.GAMES)
        question, text, given = make(chance)
        return Case(question, f"game {game}\n{text}\n", given)
    question, text, given = chance.choice(MARCHES)(ways.Front(chance))
    return Case(question, f"{MARKS.sub('', text)}\nweather=normal\n", given)


class Tried(NamedTuple):
    """What was found in some cases."""

    answers: int
    """The answers with changes."""
    owing: int
    """Those after which something is owed."""
    wrong: list[str]

    def __str__(self) -> str:
        """The counts in words."""
        return f"{self.answers} answers with changes, {self.owing} with consequences, {len(self.wrong)} at fault"


def answer_to_the_end(position: Position, case: Case, chance: random.Random) -> Report[Any]:
    """Return the answer to a case once its dice are thrown and its choices made, as chance has it."""
    dice = dict[str, str]()
    report = answered(position, case.question, **case.given)
    for _ in range(LONGEST):
        due = [ask for ask in report.asks if ask.kind in ("roll", "choice")]
        if not due:
            break
        dice |= {ask.name: thrown(ask, chance) for ask in due}
        report = answered(position, case.question, **case.given, answers=dice)
    return report


def find_unsaid(cases: Iterable[Case]) -> Tried:
    """Return what the answers to some cases leave out."""
    answers = owing = 0
    wrong = list[str]()
    for number, case in enumerate(cases):
        try:
            position = typed(case.position)
            report = answer_to_the_end(position, case, random.Random(number))
        except InputError:
            continue
        answers += bool(report.changes)
        owing += bool(report.follows)
        found = (*left_out(position, report), *depots_passed_by(position, report))
        wrong += [f"case {number}, {case.question} {case.given}: {fault}" for fault in found]
    return Tried(answers, owing, wrong)
