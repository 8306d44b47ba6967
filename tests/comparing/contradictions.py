"""A position that contradicts itself is refused, and each way to ask says why in the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ..making.spoiling import contradict
from .question_cases import QuestionCase, make_question_case
from .search import Search
from .ways import ask_command, ask_library, ask_mcp, plain


class Case(NamedTuple):
    """A world, and its position with two terrains for one of its hexes."""

    world: QuestionCase
    text: str


def make_case(number: int, seed: int) -> Case:
    """Make a case."""
    world = make_question_case(number, seed)
    return Case(world, contradict(world.bare, Random(number), world.game.track("terrain").values))


def find_faults(case: Case, seen: Counter[str]) -> Iterator[str]:
    """Yield a way to ask by which the position is not refused in the words of the library."""
    given = case.text, case.world.question, case.world.parameters
    said = str(plain(ask_library(*given)).get("error", "no refusal"))
    seen[said.partition(":")[0]] += 1
    for way, answer in (("command", ask_command(f"{case.text}{case.world.ask}\n")), ("model", ask_mcp(*given))):
        if said not in str(answer.get("error")):
            yield f"the library: {said}; the {way}: {str(answer)[:300]}"


SEARCH = Search("contradictions", make_case, find_faults, 500, write=lambda case: case.text)
