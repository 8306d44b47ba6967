"""A procedure played with answers: what is settled, what comes next, the chances, the cells that are unknown."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import pytest

from assistant.asking.play import TypedAnswer, canonical, play_procedure, throw, throw_each
from assistant.asking.view import View
from assistant.installed.registry import load_game
from assistant.mechanics.procedure import AnswerError, Apart, Choice, Dice, Done, Modifier, Node, Roll, Situation, Stuck
from assistant.testing import typed

from ...conftest import viewed


class Begin(NamedTuple):
    """Before the roll."""


class Rolled(NamedTuple):
    natural: int


class Side(NamedTuple):
    name: str
    steps: int


def procedure(situation: Situation) -> Node:
    """A die: a 6 leads to an unknown cell, any other roll costs each side steps, and one side chooses who takes a third."""
    match situation:
        case Begin():
            return Roll("die", "1", "the die", Dice(1, 6), {}, Rolled)
        case Rolled(6):
            return Stuck(("crt", ("summer", "1:1", 6)))
        case Rolled(natural):
            return Apart({"a": Side("attacker", 1), "d": Side("defender", natural)}, {"natural": natural})
        case Side("defender", steps):
            options: dict[str, Situation] = {"first": Side("done", steps), "second": Side("done", 0)}
            return Choice("who", "2", "who takes it", "defender", options, {"steps": steps})
        case Side(name, steps):
            return Done({"steps": steps if name == "attacker" else 0})
    raise TypeError


def no_six(situation: Situation) -> Node:
    node = procedure(situation)
    return Done({"natural": 6}) if isinstance(node, Stuck) else node


VIEW = viewed("turn=1")
NAMES = {"die": "die", "roll": "die", "who": "who", "both": ("die", "who")}


def test_what_is_settled_counts_once_and_the_same_figure_of_two_sides_adds_up() -> None:
    played = play_procedure(VIEW, procedure, Begin(), {"die": "3"})
    assert played.settled == {"natural": 3, "steps": 4}
    assert [ask.name for ask in played.asks] == ["who"]
    assert not play_procedure(VIEW, procedure, Begin(), {"die": "3", "who": "first"}).asks


def test_answers_may_have_other_names_and_one_may_answer_several() -> None:
    for answers in ({"roll": "3", "who": "second"}, {"both": "3/second"}):
        assert play_procedure(VIEW, procedure, Begin(), answers, aliases=NAMES).settled["natural"] == 3
    assert canonical({"both": "3/second"}, NAMES)["who"] == TypedAnswer("both", "second")


@pytest.mark.parametrize(
    ("answers", "what"),
    [
        ({"dice": "3"}, "dice: no roll or choice of that name is due"),
        ({"roll": "7"}, "roll: 7 is impossible on a d6"),
        ({"both": "3"}, "both: '3' is not 2 values"),
        ({"both": "3/first", "die": "3"}, "die: both answers the same roll or choice"),
    ],
)
def test_an_answer_that_cannot_be_is_named_as_it_was_typed(answers: dict[str, str], what: str) -> None:
    with pytest.raises(AnswerError) as caught:
        play_procedure(VIEW, procedure, Begin(), answers, aliases=NAMES)
    assert caught.value.what == what


def test_an_answer_to_what_is_not_reached_is_passed_over_until_it_is_refused() -> None:
    """Under the name that was typed; while a chart cell is missing it may still be due."""
    early = play_procedure(VIEW, no_six, Begin(), {"die": "6", "who": "first"})
    assert early.settled == {"natural": 6}
    with pytest.raises(AnswerError, match="who: no roll or choice of that name is due"):
        early.refuse_unreached()
    early.refuse_unreached(["who"])
    play_procedure(VIEW, procedure, Begin(), {"die": "6", "who": "first"}).refuse_unreached()
    play_procedure(VIEW, no_six, Begin(), {"die": "3", "who": "first"}).refuse_unreached()
    play_procedure(VIEW, no_six, Begin(), {"both": "6/first"}, aliases=NAMES).refuse_unreached()
    with pytest.raises(AnswerError, match="whoever: no roll or choice of that name is due"):
        play_procedure(VIEW, no_six, Begin(), {"whoever": "first"}, aliases={"whoever": "who"}).refuse_unreached()


def test_the_chances_before_the_dice_whatever_the_answers_or_the_cells_that_are_unknown() -> None:
    played = play_procedure(VIEW, no_six, Begin(), {"die": "3"})
    assert played.chances is not None
    assert played.chances.probability(lambda natural: natural == 3, "natural") == Fraction(1, 6)
    assert not played.unknown_cells.steps
    stuck = play_procedure(VIEW, procedure, Begin(), {"die": "6"})
    assert stuck.chances is None
    assert stuck.stuck
    assert [ask.kind for ask in stuck.asks] == ["cell"]
    (step,) = stuck.unknown_cells.steps
    assert step.text.startswith(
        "no chances without 1 cell of the Combat Results Table: state them (the first: chart crt"
    )


def test_what_lies_beyond_an_open_end_is_one_cell_and_a_reconstruction_is_named_where_there_is_one() -> None:
    def modified(situation: Situation) -> Node:
        match situation:
            case Rolled(natural):
                return Stuck(("slrt", ("summer", "Small", natural - 5)))
            case _:
                return Roll("die", "1", "the die", Dice(1, 6), {}, Rolled)

    played = play_procedure(VIEW, modified, Begin(), {})
    assert played.unknown_cells.steps[0].text.startswith("no chances without 4 cells of the Step Loss Results Table")
    assert played.unknown_cells.steps[0].text.endswith(", or trust charts")
    assert (played.unknown_cells.brief, len(played.cells_asked)) == ("none without 4 chart cells", 4)
    elsewhere = typed("turn=1", load_game("world-undone-east-prussia-1914"))
    (none,) = play_procedure(View(elsewhere.game, elsewhere.state), from_memory, Begin(), {}).unknown_cells.steps
    assert none.text.startswith("no chances without 1 cell of the") and "reconstruction" not in none.text


def from_memory(situation: Situation) -> Node:
    """A procedure that waits for a cell of a chart without a reconstruction."""
    return Stuck(("terrain-cost", ("river",)))


# --- a single roll ----------------------------------------------------------------------------------------------------


def least(number: int) -> Callable[[int], bool]:
    return lambda natural: natural >= number


def test_a_roll_that_settles_a_question_has_its_chances_before_it_is_made_and_then_asks_for_nothing() -> None:
    thrown = throw("storm", "7.1", "whether a storm rises", least(5), {})
    assert thrown.came is None
    assert thrown.chances == {False: Fraction(2, 3), True: Fraction(1, 3)}
    (ask,) = thrown.asks
    assert (ask.kind, ask.name, ask.dice, ask.rule) == ("roll", "storm", "1d6", "7.1")
    assert ask.title == "whether a storm rises"
    for face, came in (("4", False), ("5", True)):
        thrown = throw("storm", "7.1", "whether a storm rises", least(5), {"storm": face})
        assert (thrown.came, thrown.asks) == (came, ())


def test_a_roll_of_several_dice_weighs_its_totals_and_shows_its_modifiers() -> None:
    drm = Modifier("7.2", "autumn", 1)
    thrown = throw("storm", "7.1", "a storm", lambda natural: natural + 1, {}, dice=Dice(2, 6), modifiers=(drm,))
    assert (thrown.chances[3], thrown.chances[8]) == (Fraction(1, 36), Fraction(1, 6))
    assert (thrown.asks[0].dice, thrown.asks[0].modifiers) == ("2d6", {"storm": (drm,)})


@pytest.mark.parametrize(
    ("answers", "fault"),
    [({"storm": "7"}, "storm: 7 is impossible on a d6"), ({"rain": "1"}, "rain: no roll or choice")],
)
def test_a_roll_that_cannot_be_and_one_that_is_not_due_are_refused(answers: dict[str, str], fault: str) -> None:
    with pytest.raises(AnswerError, match=fault):
        throw("storm", "7.1", "a storm", least(5), answers)
    with pytest.raises(AnswerError, match=fault):
        throw_each({"storm": "whether A is lost"}, "7.3", answers)


def test_several_rolls_that_are_apart_are_made_or_due_each_for_itself() -> None:
    rolls = {"storm.A": "whether A is lost", "storm.B": "whether B is lost"}
    totals, due = throw_each(rolls, "7.3", {"storm.B": "4"})
    assert totals == {"storm.B": 4}
    assert [(ask.name, ask.rule, ask.title, ask.dice) for ask in due] == [
        ("storm.A", "7.3", "whether A is lost", "1d6")
    ]
    assert throw_each(rolls, "7.3", {"storm.A": "12", "storm.B": "2"}, dice=Dice(2, 6)) == (
        {"storm.A": 12, "storm.B": 2},
        (),
    )
