"""Answers in JSON that are computed again by `answer --reproduce`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli
from assistant.installed.answer_basis import find_basis, fingerprint_position
from assistant.records.reproduction import find_difference
from assistant.service import parse, pose_question, read
from assistant.util.limits import Limit

EXAMPLES = Path(__file__).parents[3] / "plugins/twilight_in_the_east/examples"
BATTLE = EXAMPLES / "battle.pos"
WITH_CELLS = EXAMPLES.parents[1] / "world_undone_east_prussia/examples/battle.pos"
BOOKS = EXAMPLES.parents[1] / "der_weltkrieg/examples/books.journal"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, words)])


def stored(tmp_path: Path, *words: str | Path) -> Path:
    """The file with what a command writes as JSON."""
    file = tmp_path / "answer.json"
    file.write_text(run(*words, "--json").stdout, "utf-8")
    return file


def changed(file: Path, change: Callable[[Any], object]) -> Path:
    """The file with an answer that has been changed."""
    values = json.loads(file.read_text("utf-8"))
    change(values)
    file.write_text(json.dumps(values), "utf-8")
    return file


@pytest.mark.parametrize(
    "words",
    [
        ("battle", BATTLE),
        ("answer", BATTLE),
        ("battle", BATTLE, BATTLE, "--jobs", "1"),
        ("battle", EXAMPLES / "battle-before.pos", "--answers", "crt=2+5"),
        ("journal", "due", BOOKS),
    ],
)
def test_an_answer_is_the_same_today(tmp_path: Path, words: tuple[str | Path, ...]) -> None:
    done = run("answer", "--reproduce", stored(tmp_path, *words))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines and all(line.endswith(": the same") for line in lines)


def test_a_figure_that_differs_is_named_in_words(tmp_path: Path) -> None:
    def change(values: Any) -> None:
        values["verdict"]["figures"]["column"] = "2:1"
        values["result"]["crt"] = "other"

    done = run("answer", "--reproduce", changed(stored(tmp_path, "battle", BATTLE), change))
    assert done.exit_code == 1
    _, first, why = done.stdout.splitlines()
    assert first.startswith("  first in the answer, column (") and first.endswith("): 2:1 then, 1:1 now")
    assert why == "  nothing from which it is computed has changed: the file may have been edited"


def test_a_step_that_differs_is_named_by_part_and_rule(tmp_path: Path) -> None:
    answer = stored(tmp_path, "battle", BATTLE)
    part, step = next(
        (part, step)
        for part in json.loads(answer.read_text("utf-8"))["parts"]
        for step in part["steps"]
        if step["rule"] and step["figures"]
    )

    def change(values: Any) -> None:
        parts = {each["title"]: each for each in values["parts"]}
        at = part["steps"].index(step)
        parts[part["title"]]["steps"][at]["figures"] = dict.fromkeys(step["figures"], "other")

    done = run("answer", "--reproduce", changed(answer, change))
    assert done.exit_code == 1
    assert f"first in the working, {part['title']}, rule {step['rule']}, " in done.stdout
    assert ": other then, " in done.stdout


def test_other_words_are_no_other_answer(tmp_path: Path) -> None:
    def change(values: Any) -> None:
        values["verdict"]["text"] = values["verdict"]["template"] = "worded otherwise"

    done = run("answer", "--reproduce", changed(stored(tmp_path, "battle", BATTLE), change))
    assert done.exit_code == 0 and done.stdout.endswith(": the same, in other words\n")


def test_what_has_changed_since_is_named(tmp_path: Path) -> None:
    def change(values: Any) -> None:
        values["basis"] |= {"game": "0", "charts": "1", "program": "0.9.0 2"}

    done = run("answer", "--reproduce", changed(stored(tmp_path, "battle", BATTLE), change))
    assert done.stdout.endswith(
        "  changed since then: the game's rules or data, your own charts, counters or map, the program\n"
    )
    assert done.exit_code == 0


def test_json_has_the_path_and_both_values(tmp_path: Path) -> None:
    answer = changed(stored(tmp_path, "battle", BATTLE), lambda values: values["result"].update(crt="other"))
    done = run("answer", "--reproduce", answer, "--json")
    (found,) = json.loads(done.stdout)
    assert (done.exit_code, found["same"], found["path"], found["then"]) == (1, False, ["result", "crt"], "other")


def test_a_later_field_is_no_difference_and_a_missing_one_is() -> None:
    assert find_difference({"a": 1, "basis": 1}, {"a": 1, "b": 2, "basis": 2}) is None
    assert find_difference({"a": {"b": 1}}, {"a": {}}) == ("a", "b")
    assert find_difference({"a": [1, 2]}, {"a": [1]}) == ("a", 1)
    assert find_difference({"a": 1}, {"a": True}) == ("a",)
    assert find_difference({"parts": 1, "verdict": 1}, {"parts": 2, "verdict": 2}) == ("verdict",)


def test_a_position_that_a_link_cannot_hold_is_named_beside_the_file(tmp_path: Path) -> None:
    answer = stored(tmp_path, "battle", WITH_CELLS, "--umpire")
    alone = run("answer", "--reproduce", answer, "--umpire")
    assert alone.exit_code == 3 and "it lacks a part of its position" in alone.stderr
    done = run("answer", WITH_CELLS, "--reproduce", answer, "--umpire")
    assert done.exit_code == 0 and done.stdout.endswith(": the same\n")


def test_another_position_is_reported(tmp_path: Path) -> None:
    other = tmp_path / "other.pos"
    text = BATTLE.read_text("utf-8")
    other.write_text(text.partition("ask ")[0] + "45.25 clear\n", "utf-8")
    done = run("answer", other, "--reproduce", stored(tmp_path, "battle", BATTLE))
    assert "changed since then: the position" in done.stdout


def test_a_question_that_is_refused_today_differs(tmp_path: Path) -> None:
    answer = stored(tmp_path, "battle", BATTLE)
    position = read(BATTLE)
    posed = pose_question(position, position.asks[0], {"crt": "7+9"})
    done = run("answer", "--reproduce", changed(answer, lambda v: v["basis"].update(asked=find_basis(posed).asked)))
    assert done.exit_code == 1 and "first in the answer: " in done.stdout and " then, refused: crt: " in done.stdout


def test_the_fingerprint_of_a_position_does_not_depend_on_the_order_of_its_lines() -> None:
    facts = ["turn=1", "41.19 clear", "40.20 rough"]
    orders = (facts, facts[::-1], facts[1:])
    one, other, fewer = (
        fingerprint_position(parse("\n".join(["game twilight-in-the-east", *order]))) for order in orders
    )
    assert one == other != fewer


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "it holds no answer"),
        (b"\xff\x00", "this is not JSON"),
        (b"[" * 100_000, "this is not JSON"),
        (b'"text"', "this is not an answer"),
        (b"[1, 2]", "this is not an answer"),
        (b"[]", "it holds no answer"),
        (b'{"file": "a", "error": {}}', "it holds no answer"),
        (b'{"question": "battle"}', "it does not say what the answer was computed from"),
        (b'{"report": 3}', "this is not an answer"),
        (b'{"basis": 1, "question": 2}', "this is not an answer"),
        (b"[" + b",".join([b'{"basis": {}}'] * 300) + b"]", "it holds more than 200 questions"),
    ],
)
def test_a_file_that_is_no_answer_is_refused(tmp_path: Path, data: bytes, what: str) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(data)
    done = run("answer", "--reproduce", file)
    assert done.exit_code == 3 and what in done.stderr and len(done.stderr.splitlines()) <= 2


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ("", "it does not hold the position"),
        ("#fs1.AAAA", "this link is damaged"),
        ("#fs9.AAAA", "this link is of version 9"),
        ("/etc/passwd", "this is not a link to a position"),
        ("#fs1." + "A" * 100_000, "it holds more than 64K letters"),
    ],
)
def test_a_link_that_holds_no_position_is_refused(tmp_path: Path, asked: str, what: str) -> None:
    answer = changed(stored(tmp_path, "battle", BATTLE), lambda values: values["basis"].update(asked=asked))
    done = run("answer", "--reproduce", answer)
    assert done.exit_code == 3 and what in done.stderr


def test_an_answer_beside_another_question_is_refused(tmp_path: Path) -> None:
    answer = changed(stored(tmp_path, "battle", BATTLE), lambda values: values.update(question="supply"))
    done = run("answer", "--reproduce", answer)
    assert done.exit_code == 3 and "it answers 'supply', but its position asks 'battle'" in done.stderr


def test_dice_are_not_given_twice(tmp_path: Path) -> None:
    done = run("answer", "--reproduce", stored(tmp_path, "battle", BATTLE), "--answers", "crt=1+1")
    assert done.exit_code == 3 and "these answers have their dice and choices" in done.stderr


def test_too_long_a_link_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.LINK.variable, "10")
    position = read(BATTLE)
    basis = find_basis(pose_question(position, position.asks[0], {}))
    assert (basis.asked, basis.left_out) == ("", ("the position, as its link is too long",))
