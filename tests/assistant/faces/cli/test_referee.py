"""`assistant referee`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.faces.cli.referee import format_difference
from assistant.records.referee.cases import CaseDifference

from ....cases import few
from ....commands import run_command

HEAD = "referee 1\ngame twilight-in-the-east\nelsewhere clear open\n"
CASE = "case {name}\n40.20: 25/3 (10-9-5-10)\nask zones side=russian\nexpect verdict: {verdict}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cases = CASE.format(name="a", verdict="figure") + CASE.format(name="b", verdict="no")
    (tmp_path / "zones.txt").write_text(HEAD + cases, "utf-8")
    (tmp_path / "good.txt").write_text(HEAD + CASE.format(name="a", verdict="figure"), "utf-8")
    (tmp_path / "faulty").mkdir()
    (tmp_path / "faulty/bad.txt").write_text(
        HEAD + CASE.format(name="a", verdict="figure").replace("25/3", "1/99"), "utf-8"
    )
    return tmp_path


def test_only_what_differs_is_printed_and_how_many_agree(folder: Path) -> None:
    done = run_command(folder, "referee", "zones.txt", "good.txt")
    assert done.stdout.splitlines() == [
        "zones.txt:11: case b: zones side=russian: verdict: expected no; got figure",
        "3 cases, 2 agree",
    ]
    assert (done.returncode, done.stderr) == (1, "")


def test_all_that_agrees_ends_with_0(folder: Path) -> None:
    done = run_command(folder, "referee", "good.txt", "--jobs", "2")
    assert (done.stdout, done.stderr, done.returncode) == ("1 case, 1 agrees\n", "", 0)


def test_a_case_that_cannot_be_read_ends_nothing(folder: Path) -> None:
    done = run_command(folder, "referee", "faulty", "zones.txt")
    assert done.stderr.startswith("faulty/bad.txt:5:8: ")
    assert done.stdout.splitlines()[-1] == "3 cases, 1 agrees, 1 cannot be read"
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("referee 1\nvalue Zone\n", "bad.txt:2: a name of small letters"),
        ("referee 1\ngame none-such\n" + CASE.format(name="a", verdict="no"), "bad.txt:2:1: unknown game"),
        (None, "bad.txt: No such file"),
    ],
    ids=["head", "game", "no such file"],
)
def test_a_file_that_cannot_be_read_does_not_stop_the_others(folder: Path, text: str | None, said: str) -> None:
    if text is not None:
        (folder / "bad.txt").write_text(text, "utf-8")
    done = run_command(folder, "referee", "bad.txt", "zones.txt")
    assert done.stderr.startswith(said)
    assert done.stdout.splitlines() == [
        "zones.txt:11: case b: zones side=russian: verdict: expected no; got figure",
        "2 cases, 1 agrees, 1 cannot be read",
    ]
    assert done.returncode == 3


@few(1)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_cases_above_one_that_breaks_the_grammar_are_judged(folder: Path, jobs: str) -> None:
    (folder / "bad.txt").write_text(HEAD + CASE.format(name="a", verdict="no") + "case a\n", "utf-8")
    done = run_command(folder, "referee", "bad.txt", "good.txt", "--jobs", jobs)
    assert done.stderr.startswith("bad.txt:8: a case named a stands above")
    assert done.stdout.splitlines() == [
        "bad.txt:7: case a: zones side=russian: verdict: expected no; got figure",
        "3 cases, 1 agrees, 1 cannot be read",
    ]
    assert done.returncode == 3


def test_the_same_as_json(folder: Path) -> None:
    done = run_command(folder, "referee", "zones.txt", "--json")
    answer = json.loads(done.stdout)
    assert (answer["cases"], answer["agree"], answer["unusable"]) == (2, 1, [])
    assert answer["differences"][0]["got"] == ["figure"]


def test_a_folder_without_files_is_refused(folder: Path) -> None:
    (folder / "empty").mkdir()
    done = run_command(folder, "referee", "empty")
    assert done.stderr == "assistant: empty: there is no referee's file (.txt) in this folder\n"
    assert done.returncode == 3


def told(expected: str, got: str, why: str = "", case: str = "a") -> str:
    return format_difference(
        CaseDifference("f", 3, case, "reach", "hexes", tuple(expected.split()), tuple(got.split()), why)
    )


def test_of_many_values_those_are_named_that_differ() -> None:
    assert told("1 2 3 4 5 6 7", "1 2 3 4 5 6 8") == "f:3: case a: reach: hexes: lacks 7; has too many: 8"
    assert told("1 2", "") == "f:3: case a: reach: hexes: expected 1, 2; got nothing"
    assert (
        told("1 2 3 4 5 6 7", "", "undecided: x")
        == "f:3: case a: reach: hexes: expected 1, 2, 3, 4, 5, 6 ...; undecided: x"
    )
    assert told("1", "2", case="") == "f:3: hexes differs from the one with which the answers were found"
