"""The worked examples of all games come out as printed; one that does not is named with both figures."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from assistant.game.examples import Example, Figure, Step, read_examples
from assistant.installed.registry import installed_games, published_game
from assistant.records.examples import judge_example

GAME = "twilight-in-the-east"
NUMBERS = [
    (game, example.number) for game in installed_games() for example in read_examples(published_game(game)).example
]

POSITION = """
40.20: russian infantry XX A (16-?-0-10)
41.19: german infantry III d steps=4 (?-11-0-9)
turn=1 weather=normal
41.19 clear
elsewhere clear open no-rail no-road no-crossing
"""
COLUMN = Figure(path="figures.column", values=("1:1",), printed="4.4, example 1")
STEP = Step(ask="battle at=41.19 flanked=no", figures=(COLUMN,), reasons=("A reason.",))
EXAMPLE = Example(number="4.4/9", title="A title", position=POSITION, steps=(STEP,))


@pytest.mark.parametrize(("game", "number"), NUMBERS)
def test_every_example_comes_out_as_printed(game: str, number: str) -> None:
    published = published_game(game)
    (example,) = (example for example in read_examples(published).example if example.number == number)
    result = judge_example(published, "X", example)
    wrong = [
        (figure.path, figure.expected, figure.got, figure.why)
        for step in result.steps
        for figure in step.figures
        if not figure.agrees
    ]
    assert (result.result, result.error, wrong) == ("agrees", "", [])


def test_a_figure_that_differs_stands_beside_the_one_that_was_computed() -> None:
    wrong = replace(EXAMPLE, steps=(replace(STEP, figures=(replace(COLUMN, values=("2:1",)), COLUMN)),))
    result = judge_example(published_game(GAME), "TE", wrong)
    assert (result.number, result.result) == ("TE-4.4/9", "differs")
    first, second = result.steps[0].figures
    assert (first.expected, first.got, first.agrees) == (("2:1",), ("1:1",), False)
    assert second.agrees


def test_an_undecided_answer_differs_in_each_of_its_figures() -> None:
    unknown = replace(
        EXAMPLE, position=POSITION.replace("(?-11-0-9)", "(?-?-0-9)"), steps=(replace(STEP, figures=(COLUMN, COLUMN)),)
    )
    result = judge_example(published_game(GAME), "TE", unknown)
    assert result.result == "differs"
    assert [figure.agrees for figure in result.steps[0].figures] == [False, False]
    assert "undecided" in result.steps[0].figures[1].why


def test_a_position_that_cannot_be_read_makes_an_example_unusable() -> None:
    result = judge_example(published_game(GAME), "TE", replace(EXAMPLE, position="99.99 swampy"))
    assert result.result == "unusable"
    assert "examples.toml, 4.4/9:1" in result.error


def test_a_carried_out_answer_makes_the_position_of_the_next_step() -> None:
    march = Step(
        ask="move units=A way=40.21",
        figures=(Figure(path="verdict", values=("figure",), printed="ours"),),
        reasons=("It marches.",),
        lines="phase=movement phasing=russian",
        carry_out=True,
    )
    zones = Step(
        ask="zones side=russian",
        figures=(
            Figure(path="hexes.hex", values=("39.20", "39.21", "40.20", "40.22", "41.20", "41.21"), printed="ours"),
        ),
        reasons=("Its zone moves with it.",),
    )
    result = judge_example(published_game(GAME), "TE", replace(EXAMPLE, steps=(march, zones)))
    assert result.result == "agrees", result
