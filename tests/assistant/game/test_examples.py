"""The file `examples.toml`: its mistakes, and the names by which examples are found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.game.examples import find_examples, read_examples
from assistant.util.errors import InputError

FIGURE = '{ path = "figures.column", values = ["1:1"], printed = "4.4" }'
GOOD = """prefix = "TE"
[[example]]
number = "{number}"
title = "A title"
position = "turn=1"
[[example.steps]]
ask = "battle at=41.19"
figures = [{figure}]
reasons = ["A reason."]
"""


def game(folder: Path, text: str) -> Any:
    """A stand-in for a game whose folder holds this file."""
    (folder / "examples.toml").write_text(text)
    return SimpleNamespace(folder=folder, title="A game")


def filled(number: str = "4.4/1", figure: str = FIGURE) -> str:
    return GOOD.format(number=number, figure=figure)


def test_a_game_without_the_file_has_no_examples(tmp_path: Path) -> None:
    bare: Any = SimpleNamespace(folder=tmp_path, title="A game")
    assert read_examples(bare).example == ()
    with pytest.raises(InputError, match="A game has no worked examples"):
        find_examples(bare)


def test_an_example_knows_its_rule_and_whether_the_rulebook_prints_it(tmp_path: Path) -> None:
    (example,) = read_examples(game(tmp_path, filled("10.10.1/2"))).example
    assert (example.rule, example.is_printed) == ("10.10.1", True)
    (example,) = read_examples(game(tmp_path, filled(figure=FIGURE.replace('"4.4"', '"ours"')))).example
    assert not example.is_printed


def test_an_example_may_take_its_position_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "one.pos").write_text(
        "# One.\ngame a\nturn=3\n40.20: A\nask battle at=41.19\nanswers die=6\n"
    )
    (example,) = read_examples(game(tmp_path, filled().replace('position = "turn=1"', 'file = "one.pos"'))).example
    assert example.position == "turn=3\n40.20: A"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (filled(figure=FIGURE.replace(', printed = "4.4"', "")), "printed"),
        (filled(figure=FIGURE.replace('"4.4"', '" "')), "`printed` does not say where"),
        (filled(figure=""), "4.4/1 expects nothing of 'battle at=41.19'"),
        (filled("4.4"), "'4.4' is not a number of an example"),
        (filled().replace('prefix = "TE"', ""), "the examples have no prefix"),
        (filled() + filled().partition("\n")[2], "4.4/1 is the number of two examples"),
        (filled(figure=FIGURE.replace(" }", ', decide = "Which?", choices = ["2:1"] }')), "the choices lack"),
        (filled(figure=FIGURE.replace(" }", ', choices = ["1:1"] }')), "choices without a question"),
        (filled().replace("reasons", "reason"), "reason"),
        (filled().replace('position = "turn=1"', ""), "4.4/1 has no position, or two"),
        (
            filled().replace('position = "turn=1"', 'file = "none.pos"'),
            "4.4/1: examples/none.pos: No such file or directory",
        ),
        (filled().replace('position = "turn=1"', 'file = "../../none.pos"'), "leads out of the game's folder"),
    ],
)
def test_a_mistake_names_the_file_and_what_to_write(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        read_examples(game(tmp_path, text))
    assert fault in raised.value.what
    assert raised.value.where
    assert raised.value.where.file == "examples.toml"
    assert raised.value.hint


def test_examples_are_found_by_rule_and_by_number(tmp_path: Path) -> None:
    text = filled("4.4/1") + "".join(filled(number).partition("\n")[2] for number in ("4.4/2", "4.41/1", "11.2.1/1"))
    found = game(tmp_path, text)
    assert len(find_examples(found)) == 4
    assert [example.number for example in find_examples(found, "4.4")] == ["4.4/1", "4.4/2"]
    assert [example.number for example in find_examples(found, "11")] == ["11.2.1/1"]
    assert [example.number for example in find_examples(found, "TE-4.4/2")] == ["4.4/2"]
    with pytest.raises(InputError, match="has no example '4.4/9'") as raised:
        find_examples(found, "4.4/9")
    assert "4.4/" in str(raised.value.hint)
