"""`make explore` says what there is to look for, and runs it with the numbers that it is given."""

from __future__ import annotations

import subprocess
from importlib.util import find_spec

import pytest

from .explore import SEARCHES, Search, commands_of, list_searches, main


@pytest.mark.parametrize("name", SEARCHES)
def test_commands_of_each_search_are_there(name: str) -> None:
    for module, *words in commands_of(SEARCHES[name], "", "", ()):
        assert find_spec(module)
        assert "{" not in " ".join(words)


def test_numbers_and_other_words_reach_each_command() -> None:
    search = Search("", "one {count} {seed}")
    assert commands_of(search, "", "", ()) == [["one", "-", "-"]]
    assert commands_of(search, "7", "3", ["--slow"]) == [["one", "7", "3", "--slow"]]
    assert len(commands_of(SEARCHES["properties"], "3", "", ())) == 3
    assert len(commands_of(SEARCHES["properties"], "", "", ())) == 10


def test_without_a_name_all_searches_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.strip() == list_searches()


@pytest.mark.parametrize(("words", "named"), [(("nothing",), "nothing"), (("combats", "many"), "many")])
def test_wrong_name_or_number_is_refused(
    words: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(*words) == 3
    assert named in capsys.readouterr().err.splitlines()[0]


def test_exit_code_is_that_of_the_command_with_most_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter([1, 0])
    monkeypatch.setattr(subprocess, "call", lambda words: next(codes))
    assert main("properties", "2") == 1
