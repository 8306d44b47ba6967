"""Procedures read both ways: exact chances and these dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.mechanics.chances import UnknownCells, chances
from assistant.mechanics.procedure import (
    AnswerError,
    Apart,
    Choice,
    Dice,
    Done,
    Node,
    Roll,
    Stuck,
    option_named,
    resolve,
)
from assistant.util.errors import InputError

from ...cases import examples


class Left(NamedTuple):
    """So many rolls left, so many points so far."""

    rolls: int
    points: int


def first(choice: Choice) -> str:
    return next(iter(choice.options))


def race(situation: object) -> Node:
    """Roll a die until three rolls are made or four points scored; sixes score two, fives one."""
    assert isinstance(situation, Left)
    rolls, points = situation
    if rolls == 0 or points >= 4:
        return Done({"points": points, "won": points >= 4})
    return Roll(f"roll{rolls}", "1", "a roll", Dice(1, 6), {}, lambda n: Left(rolls - 1, points + max(0, n - 4)))


def by_hand(name: str) -> dict[object, Fraction]:
    found: dict[object, Fraction] = {}
    for faces in product(range(1, 7), repeat=3):
        points = 0
        for face in faces:
            points += max(0, face - 4) if points < 4 else 0
        value = points if name == "points" else points >= 4
        found[value] = found.get(value, Fraction(0)) + Fraction(1, 216)
    return found


def test_marginals_equal_the_enumeration_of_all_dice() -> None:
    every = chances(race, Left(3, 0), first)
    assert every.marginal("points") == by_hand("points")
    assert every.marginal("won") == by_hand("won")
    assert every.probability(lambda points: points >= 2, "points") == sum(
        c for p, c in by_hand("points").items() if p >= 2
    )  # type: ignore[operator]
    assert every.mean("points") == sum(p * c for p, c in by_hand("points").items())  # type: ignore[operator]


def test_equal_situations_are_held_once() -> None:
    assert chances(race, Left(3, 0), first).situations < 6**3


def two_races(situation: object) -> Node:
    if situation == "both":
        return Apart({"one": Left(2, 0), "other": Left(2, 2)}, {"started": 1})
    return race(situation)


def choosing(situation: object) -> Node:
    if situation == "start":
        return Choice("which", "1", "which race", "us", {"long": Left(3, 0), "short": Left(1, 3)}, {"chosen": 1})
    return race(situation)


def test_a_number_that_is_not_settled_is_one_likelihood_with_nothing() -> None:
    """One and two settle it as 0, three and four as 1, and what is higher leaves it open."""

    def procedure(situation: object) -> Node:
        if situation == "roll":
            return Roll("die", "1", "a die", Dice(1, 6), {}, lambda total: ("rolled", total))
        assert isinstance(situation, tuple)
        return Done({"lost": (situation[1] - 1) // 2} if situation[1] < 5 else {})

    found = chances(procedure, "roll", lambda choice: "").likelihoods("lost")
    assert [(likelihood.value, likelihood.chance) for likelihood in found] == [(0, Fraction(2, 3)), (1, Fraction(1, 3))]


def test_results_stand_in_the_order_of_the_chart_if_it_is_given() -> None:
    results = ("DE", "AE", "EX", "NE", "AE", "DE")

    def procedure(situation: object) -> Node:
        if situation == "roll":
            return Roll("die", "1", "a die", Dice(1, 6), {}, lambda total: total)
        return Done({"outcome": results[int(str(situation)) - 1]})

    found = chances(procedure, "roll", lambda choice: "")
    assert [one.value for one in found.likelihoods("outcome")] == ["AE", "DE", "EX", "NE"]
    ordered = found.likelihoods("outcome", ("NE", "DR", "DE", "NE"))
    assert [(one.value, one.chance * 6) for one in ordered] == [("NE", 1), ("DE", 2), ("AE", 2), ("EX", 1)]


def test_choices_are_settled_by_the_policy_and_named() -> None:
    every = chances(choosing, "start", first)
    assert (every.settled, every.marginal("points")) == (("which",), by_hand("points"))
    other = chances(choosing, "start", lambda choice: "short")
    assert other.mean("points") == Fraction(7, 2)
    assert other.marginal("chosen") == {1: 1}


def unknown(situation: object) -> Node:
    if situation == "start":
        return Roll("d", "1", "a die", Dice(1, 6), {}, lambda n: n)
    assert isinstance(situation, int)
    return Stuck(("crt", (situation,))) if situation > 4 else Done({"n": situation})


def test_unknown_cells_are_named_all_at_once() -> None:
    with pytest.raises(UnknownCells) as caught:
        chances(unknown, "start", first)
    assert caught.value.cells == (("crt", (5,)), ("crt", (6,)))
    stuck = resolve(unknown, "start", {"d": "5"}).pending
    assert [node.cell for node in stuck if isinstance(node, Stuck)] == [("crt", (5,))]


# --- these dice -------------------------------------------------------------------------------------------------------


def test_resolution_stops_at_the_first_roll_without_an_answer_and_parts_go_on() -> None:
    resolved = resolve(two_races, "both", {})
    assert [node.name for node in resolved.pending] == ["roll2", "roll2"]  # type: ignore[union-attr]
    resolved = resolve(race, Left(3, 0), {"roll3": "6", "roll2": "6"})
    assert (resolved.pending, dict(resolved.notes)) == ([], {"points": 4, "won": True})
    assert [taken.answer for taken in resolved.trace] == [6, 6, None]


def test_a_choice_takes_lists_in_any_order_and_a_single_option_by_itself() -> None:
    choice = Choice("c", "1", "t", "us", {"a,b,b": 1, "c": 2})
    assert choice.read("b,a,b") == "a,b,b"
    with pytest.raises(InputError, match="not an option"):
        choice.read("a,b")

    def single(situation: object) -> Node:
        return Choice("c", "1", "t", "us", {"only": 1}) if situation == 0 else Done()

    assert [taken.answer for taken in resolve(single, 0, {}).trace] == ["only", None]
    with pytest.raises(AnswerError, match="'other' is not an option"):
        resolve(single, 0, {"c": "other"})


@pytest.mark.parametrize(("typed", "total"), [("7", 7), ("2+5", 7), ("6+6", 12), ("2", 2)])
def test_dice_as_typed(typed: str, total: int) -> None:
    assert Dice(2, 6).read(typed) == total


@pytest.mark.parametrize("typed", ["13", "1", "7+1", "0+3", "1+1+1", "six", "", "-3", "2+"])
def test_dice_that_cannot_be(typed: str) -> None:
    with pytest.raises(InputError) as caught:
        Dice(2, 6).read(typed)
    assert caught.value.hint


def test_parts_of_an_answer_may_have_blanks_between_them() -> None:
    assert option_named("1/2 , 1/1", ["1/1,1/2", "1/1"]) == "1/1,1/2"
    assert option_named("1/2, 1/3", ["1/1,1/2", "1/1"]) is None


def test_an_answer_error_names_its_node() -> None:
    with pytest.raises(AnswerError) as caught:
        resolve(race, Left(1, 0), {"roll1": "7"})
    assert (caught.value.name, caught.value.what) == ("roll1", "roll1: 7 is impossible on a d6")


@given(st.integers(1, 3), st.integers(2, 10))
def test_dice_totals_count_every_way_once(number: int, sides: int) -> None:
    totals = Dice(number, sides).totals
    assert sum(ways for _, ways in totals) == sides**number
    assert {total for total, _ in totals} == set(range(number, number * sides + 1))


# --- any procedure ----------------------------------------------------------------------------------------------------

noted = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2), max_size=2)
branches = st.recursive(
    noted.map(lambda notes: ("done", notes, [])),
    lambda inner: (
        st.tuples(st.just("roll"), noted, st.lists(inner, min_size=2, max_size=2))
        | st.tuples(st.just("apart"), noted, st.lists(inner, min_size=1, max_size=3))
        | st.tuples(st.just("choice"), noted, st.lists(inner, min_size=1, max_size=1))
    ),
    max_leaves=7,
)


def noting(situation: object) -> Node:
    """A random procedure: coins, parts and choices that note numbers of three names, once or again."""
    kind, notes, inner = situation  # type: ignore[misc]
    if kind == "done":
        return Done(dict(notes))
    if kind == "apart":
        return Apart({str(number): part for number, part in enumerate(inner)}, dict(notes))
    if kind == "choice":
        return Choice("which", "1", "which", "us", {"this": inner[0]}, dict(notes))
    return Roll("coin", "1", "a coin", Dice(1, 2), {}, lambda total: inner[total - 1], dict(notes))


def hashable(branch: object) -> object:
    kind, notes, inner = branch  # type: ignore[misc]
    return kind, tuple(sorted(notes.items())), tuple(map(hashable, inner))


@settings(max_examples=examples(200), deadline=None)
@given(branches)
def test_chances_of_any_procedure_are_those_of_its_courses_alone_and_together_with_others(branch: object) -> None:
    """Whether a quantity is noted once, in several parts or again on one way."""
    every = chances(noting, hashable(branch), first)
    for name in "abc":
        alone = every.marginal(name)
        assert alone == enumerated(branch, name)
        together: dict[object, Fraction] = {}
        for (value, _), chance in every.joint(name, "b" if name == "a" else "a").items():
            together[value] = together.get(value, Fraction(0)) + chance
        assert alone == together
        assert every.mean(name) == sum((value or 0) * chance for value, chance in alone.items())  # type: ignore[operator]
        assert every.probability(lambda value: value == 1, name) == alone.get(1, 0)


@pytest.mark.parametrize("notes", [{"passes": True}, {"crt": "X"}])
def test_what_is_no_number_is_noted_once(notes: dict[str, bool | str]) -> None:
    def twice(situation: object) -> Node:
        return Apart({"one": 1, "other": 2}) if situation == "start" else Done(notes)

    with pytest.raises(TypeError, match="noted under the same name"):
        chances(twice, "start", first).marginal(next(iter(notes)))


def enumerated(branch: object, name: str) -> dict[int | None, Fraction]:
    """What a random procedure comes to of one quantity, course by course; None where it is never noted."""
    kind, notes, inner = branch  # type: ignore[misc]
    parts = [enumerated(part, name) for part in inner]
    if kind == "roll":
        courses = [((value,), chance / 2) for part in parts for value, chance in part.items()]
    else:
        courses = [
            (tuple(value for value, _ in some), prod((chance for _, chance in some), start=Fraction(1)))
            for some in product(*(part.items() for part in parts))
        ]
    found: dict[int | None, Fraction] = {}
    for values, chance in courses:
        noted = [value for value in (notes.get(name), *values) if value is not None]
        total = sum(noted) if noted else None
        found[total] = found.get(total, Fraction(0)) + chance
    return found
