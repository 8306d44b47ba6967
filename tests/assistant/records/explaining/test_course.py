"""Which throw answers which roll."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.formats.positions import Throw
from assistant.records.explaining.throws_match import ThrowAndTalk, TrialBudget, course
from assistant.service import parse
from assistant.state.changes import AnyChange

from ....cases import thorough
from .played import ASK, BATTLE

POSITION = parse(f"{BATTLE}{ASK}")


class Anything:
    """A log that contradicts nothing."""

    def misfit(self, changes: Sequence[AnyChange], /) -> int:
        """Nothing."""
        return 0

    def likely(self, word: str, /) -> int:
        """Nothing."""
        return 0


def throw(step: int, *faces: int, said: Sequence[str] = ()) -> ThrowAndTalk:
    return ThrowAndTalk(Throw(step, f"{len(faces)}d6", faces, "Anna"), tuple(said))


def test_throws_answer_rolls_in_the_order_in_which_the_rules_ask_unless_a_name_or_an_answer_is_typed() -> None:
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4)]
    found = course(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert found.answers["crt"] == "2+5"
    assert [(name, one.step) for name, one in found.used] == [("crt", 1), ("slrt.attacker", 2), ("slrt.defender", 3)]
    assert found.in_order == ("slrt.attacker",)
    thrown = [throw(1, 2, 5), throw(2, 3, said=["defender:"]), throw(3, 4)]
    found = course(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert [(name, one.step) for name, one in found.used][1:] == [("slrt.defender", 2), ("slrt.attacker", 3)]
    assert found.in_order == ()
    found = course(POSITION, POSITION.asks[0], [throw(1, 3)], {"crt": "7"}, Anything(), TrialBudget())
    assert [name for name, _ in found.used] == ["slrt.attacker"]


@thorough
def test_dice_that_cannot_fall_so_are_passed_over() -> None:
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4), throw(4, 9, 9), throw(5, 1, 4)]
    found = course(POSITION, POSITION.asks[0], thrown, {}, Anything(), TrialBudget())
    assert [one.step for one in found.unused] == [4]
    assert [one.step for _, one in found.used] == [1, 2, 3, 5]


def test_with_the_budget_spent_only_the_first_possibility_is_tried() -> None:
    budget = TrialBudget()
    budget.left = 1
    thrown = [throw(1, 2, 5), throw(2, 3), throw(3, 4), throw(4, 1, 4), throw(5, 6, 6), throw(6, 2, 4)]
    found = course(POSITION, POSITION.asks[0], thrown, {}, Anything(), budget)
    assert len(found.used) == 6 and budget.left == 0


def test_a_log_that_fits_no_course_is_tried_in_all_ways_while_there_is_budget() -> None:
    class Nothing(Anything):
        """A log that contradicts everything."""

        def __init__(self) -> None:
            self.tried = 0

        def misfit(self, changes: Sequence[AnyChange], /) -> int:
            """Something."""
            self.tried += 1
            return 1

    def ways(left: int) -> int:
        budget, log = TrialBudget(), Nothing()
        budget.left = left
        course(POSITION, POSITION.asks[0], [throw(1, 2, 5), throw(2, 3), throw(3, 4)], {}, log, budget)
        return log.tried

    assert ways(0) == 2 < ways(5000)
