"""Records of play made of questions alone, each with its position, its dice and its choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from assistant import ask
from assistant.asking.report import Report
from assistant.formats.positions import Asked, Position
from assistant.records.explaining.played import Passage, PlayedQuestion, PlayedRecord, Ruled
from assistant.records.luck.calculation import tell_luck
from assistant.records.luck.evening import BattleLuck, Evening


def passage(position: Position, question: str, answers: Mapping[str, str], number: int = 1, **given: Any) -> Passage:
    """A question as it was played."""
    asked = Asked(question, {name.rstrip("_").replace("_", "-"): value for name, value in given.items()})
    played = PlayedQuestion(asked, answers, lambda: Ruled(ask(position, asked, answers)))
    return Passage("question", number, number, lambda: (position, position), question=played)


def evening_of(passages: Iterable[Passage]) -> Evening:
    """The luck of some questions."""
    played = list(passages)
    return tell_luck(PlayedRecord("game.journal", played[0].before, played, is_log=False))


def battle_of(position: Position, answers: Mapping[str, str], **given: Any) -> BattleLuck:
    """The luck of the only battle."""
    (battle,) = evening_of([passage(position, "battle", answers, **given)]).battles
    return battle


class Course(NamedTuple):
    """One course of a question with all of its dice, die by die: the chance of its dice, and the report."""

    chance: Fraction
    answers: dict[str, str]
    report: Report[Any]


def courses(
    position: Position, question: str, chosen: Mapping[str, str], first: Mapping[str, str] | None = None, **given: Any
) -> Iterator[Course]:
    """All courses of a question, found by asking for what is due again and again: a naive reader of reports, which knows
    no procedure. chosen: options of choices; of others the one that is offered first is taken. first: answers to begin
    with.
    """
    answers = dict(first or {})
    report = ask(position, Asked(question, given), answers)
    due = next((one for one in report.asks if one.kind in ("roll", "choice")), None)
    if due is None:
        yield Course(Fraction(1), answers, report)
    elif due.kind == "choice":
        option = chosen.get(due.name, due.options[0])
        yield from courses(position, question, chosen, {**answers, due.name: option}, **given)
    else:
        number, _, sides = due.dice.partition("d")
        for faces in product(range(1, int(sides) + 1), repeat=int(number)):
            thrown = {**answers, due.name: "+".join(map(str, faces))}
            for course in courses(position, question, chosen, thrown, **given):
                yield course._replace(chance=course.chance / int(sides) ** int(number))
