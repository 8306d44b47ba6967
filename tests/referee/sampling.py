"""How many cases of each kind a file holds: positions are made until there are enough, and no kind of answer has more than its share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from .writing import Posed, Question, Suite

Expected = dict[str, str | Sequence[str] | Mapping[str, object]]
"""What is expected of an answer, by the names of its values."""


class Made(NamedTuple):
    """A position in notation, its questions with the answers of the second program, and in a few words what kind of answer it has."""

    notation: Sequence[str]
    questions: list[Question]
    kind: str


class Subject(NamedTuple):
    """A file. cases: how many; make: makes one from dice and what all share, None if it would be trivial; values: as in `Suite`."""

    name: str
    about: str
    cases: int
    make: Callable[[Random, Any], Made | None]
    values: Mapping[str, tuple[str, str]]


def sampled(subject: Subject, dice: Random, shared: Any, head: Sequence[str], uses: Sequence[str]) -> Suite:
    """The file of a subject; its cases are made as they are taken. Before each stands in a comment what kind of answer it has."""
    about = [f"{subject.about} {subject.cases} made-up positions; a comment says what kind of answer each has."]
    return Suite(subject.name, about, subject.values, uses, head, some_cases(subject, dice, shared))


def some_cases(subject: Subject, dice: Random, shared: Any) -> Iterator[Posed]:
    """The cases of a subject: no kind of answer has more than a third of them, as long as others come up."""
    kinds, tries, number = Counter[str](), 0, 0
    while number < subject.cases:
        tries += 1
        made = subject.make(dice, shared)
        if made is None or (kinds[made.kind] >= max(subject.cases // 3, 3) and tries < 40 * subject.cases):
            continue
        kinds[made.kind] += 1
        number += 1
        yield Posed(f"{subject.name}-{number}", [f"# {made.kind}", *made.notation], made.questions)


def yes_no(fact: bool) -> str:
    """A fact as notation has it."""
    return "yes" if fact else "no"


def bucket(number: int, *least: int) -> str:
    """A number as a range, for the distribution of answers: `bucket(5, 1, 4)` is 4+."""
    bounds = (0, *least)
    place = max(at for at, bound in enumerate(bounds) if number >= bound)
    if place + 1 == len(bounds):
        return f"{bounds[place]}+"
    last = bounds[place + 1] - 1
    return f"{bounds[place]}" if last == bounds[place] else f"{bounds[place]}-{last}"
