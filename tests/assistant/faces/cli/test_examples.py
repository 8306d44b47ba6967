"""`assistant examples` and `assistant learn`: what they print, what they write, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.installed.check import examine_game
from module_builder.new import new_game

from ....commands import run_command

EXAMPLES = """prefix = "H"
[[example]]
number = "1/1"
title = "Three against two"
position = '''
turn=1
{position}
'''
[[example.steps]]
ask = "check"
figures = [{{ path = "verdict", values = ["{verdict}"], printed = "1, example", decide = "Is it fine?", choices = ["figure", "no"] }}]
reasons = ["Nothing is wrong."]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the game `heath` and an example that agrees."""
    new_game(tmp_path / "heath")
    write(tmp_path)
    return tmp_path


def write(folder: Path, position: str = "", verdict: str = "figure") -> None:
    (folder / "heath/examples.toml").write_text(EXAMPLES.format(position=position, verdict=verdict), "utf-8")


def test_one_example_is_shown_whole(folder: Path) -> None:
    done = run_command(folder, "examples", "heath", "H-1/1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "H-1/1: Three against two",
        "",
        "    game heath",
        "    turn=1",
        "",
        "check",
        "  verdict: figure [printed: 1, example]",
        "  - Nothing is wrong.",
    ]


def test_a_figure_that_differs_ends_with_1(folder: Path) -> None:
    write(folder, verdict="no")
    done = run_command(folder, "examples", "heath")
    assert "verdict: expected no [printed: 1, example]; got figure" in done.stdout
    assert done.returncode == 1


def test_a_position_that_cannot_be_read_ends_with_3(folder: Path) -> None:
    write(folder, position="nowhere: nobody")
    done = run_command(folder, "examples", "heath")
    assert "unusable: examples.toml, 1/1:2" in done.stdout
    assert done.returncode == 3


def test_a_mistake_in_the_file_is_named_by_check_too(folder: Path) -> None:
    text = (folder / "heath/examples.toml").read_text("utf-8").replace(', printed = "1, example"', "")
    (folder / "heath/examples.toml").write_text(text, "utf-8")
    done = run_command(folder, "examples", "heath")
    assert (done.returncode, done.stdout) == (3, "")
    fault = " ".join(examine_game(str(folder / "heath")).faults.lines)
    for told in (done.stderr, fault):
        assert "examples.toml" in told
        assert "printed" in told


def test_json_has_all_that_another_program_needs(folder: Path) -> None:
    done = run_command(folder, "examples", "heath", "--json")
    (example,) = json.loads(done.stdout)
    assert (example["number"], example["result"], example["position"]) == ("H-1/1", "agrees", "game heath\nturn=1")
    (figure,) = example["steps"][0]["figures"]
    assert (figure["expected"], figure["got"], figure["printed"]) == (["figure"], ["figure"], "1, example")


def test_the_page_has_every_example_and_is_not_overwritten_unasked(folder: Path) -> None:
    assert run_command(folder, "examples", "heath", "--page", "page").returncode == 0
    page = (folder / "page/examples.md").read_text("utf-8")
    assert "## H-1/1: Three against two" in page
    assert "| `verdict` | figure | 1, example |" in page
    assert run_command(folder, "examples", "heath", "--page", "page").returncode == 3
    assert run_command(folder, "examples", "heath", "--page", "page", "--force").returncode == 0


def test_a_lesson_is_remembered_once_it_is_finished(folder: Path) -> None:
    begun = run_command(folder, "learn", "heath", typed="b\n", data=folder / "data")
    assert "No. Right: figure [1, example]" in begun.stdout
    assert (
        run_command(folder, "learn", "heath", "--list", data=folder / "data").stdout.splitlines()[-1]
        == "1 lesson, 0 finished"
    )
    run_command(folder, "learn", "heath", typed="figure\n\n", data=folder / "data")
    assert run_command(folder, "learn", "heath", "--list", data=folder / "data").stdout.splitlines() == [
        "1",
        "x 1/1: Three against two",
        "1 lesson, 1 finished",
    ]


def test_a_game_without_examples_says_where_they_would_be(folder: Path) -> None:
    (folder / "heath/examples.toml").unlink()
    for command in ("examples", "learn"):
        done = run_command(folder, command, "heath")
        assert done.returncode == 3
        assert "has no worked examples" in done.stderr
        assert "examples.toml" in done.stderr
