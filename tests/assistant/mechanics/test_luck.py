"""The luck of rolls: what was expected, plus the luck of all rolls, plus what choices moved, is what came; every figure
against all courses of a procedure, die by die.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from assistant.mechanics.chances import UnknownCells
from assistant.mechanics.luck import Decision, ThrowLuck, Unfinished, all_chances, distribution_of, measure_luck
from assistant.mechanics.procedure import Choice, Dice, Done, Node, Roll, Situation, Stuck, first_option

from ...cases import few, seeds
from .made_up import Way, made_up, ways, worth

AMOUNTS = {"won": 1, "lost": -1}
HALF = Fraction(1, 2)


def last_option(choice: Choice) -> str:
    return list(choice.options)[-1]


def mean(found: list[Way]) -> Fraction:
    """The mean of what some courses come to, each with its chance."""
    return sum((way.chance * way.result for way in found), Fraction(0)) / sum(way.chance for way in found)


def courses(seed: int, count: int = 30) -> list[tuple[object, list[Way]]]:
    """Small procedures, each with all of its courses."""
    made = []
    for number in range(count):
        procedure = made_up(Random(f"{seed} {number}"))
        every = list(ways(procedure))
        if 1 < len(every) <= 3000:
            made.append((procedure, every))
    return made


@few(2)
@pytest.mark.parametrize("seed", seeds(20))
def test_expected_and_luck_and_choices_come_to_the_result_whatever_is_rolled_and_chosen(seed: int) -> None:
    tried = 0
    for procedure, every in courses(seed):
        for way in Random(seed).sample(every, min(len(every), 40)):
            course = measure_luck(procedure, "", first_option, way.answers, worth)
            moved = sum(
                (turn.luck if isinstance(turn, ThrowLuck) else turn.effect for turn in course.turns), Fraction(0)
            )
            assert course.start + moved == course.result == way.result
            tried += 1
    assert tried > 100


@few(2)
@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("policy", [first_option, last_option])
def test_what_is_expected_before_and_after_each_roll_is_the_mean_of_all_courses_from_there(seed: int, policy) -> None:  # type: ignore[no-untyped-def]
    for procedure, every in courses(seed, 12):
        usual = [way for way in every if follows(procedure, way, policy)]
        for way in Random(seed).sample(every, min(len(every), 12)):
            course = measure_luck(procedure, "", policy, way.answers, worth)
            assert course.start == mean(usual)
            known: dict[str, str] = {}
            for turn in course.turns:
                if isinstance(turn, ThrowLuck):
                    assert turn.before == mean(matching(procedure, every, known, policy))
                    for total in turn.worth:
                        there = {**known, turn.roll.name: str(total)}
                        assert turn.worth[total] == mean(matching(procedure, every, there, policy))
                    known[turn.roll.name] = str(turn.natural)
                else:
                    known[turn.choice.name] = turn.taken
                assert turn.after == mean(matching(procedure, every, known, policy))


def matching(procedure, every: list[Way], known: dict[str, str], policy) -> list[Way]:  # type: ignore[no-untyped-def]
    """The courses with these totals and options in which all else is chosen by a policy."""
    return [
        way
        for way in every
        if all(total_of(way.answers.get(name, "")) == total_of(answer) for name, answer in known.items())
        and follows(procedure, way, policy, known)
    ]


def total_of(answer: str) -> str:
    return str(sum(map(int, answer.split("+")))) if "+" in answer else answer


def follows(procedure, way: Way, policy, known: dict[str, str] | None = None) -> bool:  # type: ignore[no-untyped-def]
    """Whether all choices of a course but those known are what a policy takes."""
    return all(
        name in (known or {}) or policy(procedure(name[1:])) == answer
        for name, answer in way.answers.items()
        if name.startswith("c")
    )


@few(2)
@pytest.mark.parametrize("seed", seeds(6))
def test_percentiles_and_distributions_are_those_of_all_courses(seed: int) -> None:
    for procedure, every in courses(seed, 12):
        for way in Random(seed).sample(every, min(len(every), 8)):
            course = measure_luck(procedure, "", first_option, way.answers, worth)
            options = {turn.choice.name: turn.taken for turn in course.turns if isinstance(turn, Decision)}
            as_chosen = list(ways(procedure, "", options))
            swing = distribution_of(all_chances(procedure, "", first_option, course.decisions), AMOUNTS)
            below = sum((one.chance for one in as_chosen if one.result < way.result), Fraction(0))
            equal = sum((one.chance for one in as_chosen if one.result == way.result), Fraction(0))
            assert swing.percentile(way.result) == below + equal / 2
            for turn in course.turns:
                if isinstance(turn, ThrowLuck):
                    faces = {total: Fraction(count) for total, count in turn.roll.dice.totals}
                    number = turn.roll.dice.sides**turn.roll.dice.number
                    worse = sum(count for total, count in faces.items() if turn.worth[total] < turn.after)
                    alike = sum(count for total, count in faces.items() if turn.worth[total] == turn.after)
                    assert turn.percentile == (worse + alike * HALF) / number
                    assert sum(count * turn.worth[total] for total, count in faces.items()) / number == turn.before


def test_an_answer_that_is_missing_and_a_cell_that_is_unknown_are_told() -> None:
    def node(situation: Situation) -> Node:
        match situation:
            case "die":
                return Roll("die", "", "", Dice(1, 2), {}, lambda total: total)
            case 2:
                return Stuck(("crt", ("1:1", 2)))
        return Done({"won": 1})

    with pytest.raises(UnknownCells):
        measure_luck(node, "die", first_option, {"die": "1"}, worth)
    with pytest.raises(Unfinished, match="die"):
        measure_luck(lambda at: node(at) if at != 2 else Done(), "die", first_option, {}, worth)
