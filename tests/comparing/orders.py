"""An example of a search: whatever the order in which a position is stated, a question about it has one answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from .question_cases import QuestionCase, make_question_case
from .search import Search
from .ways import ask_file, decision, differences


def find_faults(world: QuestionCase, seen: Counter[str]) -> Iterator[str]:
    """Yield what is answered otherwise once the lines about hexes, hexsides and stacks stand in another order."""
    places = [line for line in world.lines if line[0].isdigit()]
    shuffled = Random(world.text()).sample(places, len(places))
    other = world._replace(lines=(*(line for line in world.lines if line not in places), *shuffled))
    seen[world.question] += 1
    answers = (decision(ask_file(each.text())) for each in (world, other))
    yield from differences("as it was", next(answers), "in another order", next(answers))


SEARCH = Search("orders", make_question_case, find_faults, 500, write=QuestionCase.text, smaller=QuestionCase.smaller)
