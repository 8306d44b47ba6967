"""A stack of *Kaiser's War in the East* is judged as its parts are: what fits has no part that does not, and the fewest units go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from ..making.maker import Size
from .question_cases import QuestionCase, make_question_case
from .search import Search
from .ways import ask_file, plain

GAME = "kaisers-war-in-the-east"


def find_faults(world: QuestionCase, seen: Counter[str]) -> Iterator[str]:
    """Yield what the answer about a stack has otherwise than the answers about its parts."""
    at = world.parameters["at"]
    units = world.units_at(at)
    parts = [{*part} for size in range(len(units)) for part in combinations(units, size + 1)]
    results = [plain(ask_file(world.with_units(at, part).text())).get("result") for part in parts]
    if not all(results):
        seen["undecided"] += 1
        return
    stacks = [result["stacks"][0] for result in results]
    fitting = [part for part, stack in zip(parts, stacks, strict=True) if not stack["too_many"]]
    seen["fit" if len(fitting) == len(parts) else "too many"] += 1
    for part in fitting:
        if any(len(part) > 1 and part - {unit} not in fitting for unit in part):
            yield f"a stack fits though a part of it does not: {sorted(part)}"
    fewest = min((len(units) - len(part) for part in fitting), default=0)
    if stacks and any(len(excess) != fewest for excess in stacks[-1]["excess"]):
        yield f"other than the fewest units go, {fewest} of {units}: {stacks[-1]['excess']}"


SEARCH = Search(
    "stacking",
    lambda number, seed: make_question_case(number, seed, "stack", Size(stack=4), game=GAME, complete=True),
    find_faults,
    200,
    write=QuestionCase.text,
    smaller=QuestionCase.smaller,
)
