"""How the work on a game's files grows: a check of ten times as many entries, or mistakes, takes ten times the work at most."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.plugins.checking import check_game
from module_builder.counters import symbol_faults
from tests.growing import PARTS, game_in
from tests.growth import grows_evenly


@pytest.mark.parametrize("wrong", [False, True], ids=["sound", "wrong"])
@pytest.mark.parametrize("part", PARTS)
def test_a_check_takes_as_much_more_work_as_a_game_has_entries(part: str, wrong: bool, tmp_path: Path) -> None:
    if wrong and part == "choices":
        pytest.skip("a word without a symbol is no mistake")

    def make(many: int) -> Callable[[], object]:
        game = game_in(tmp_path / str(many) / "heath", {part: many}, wrong=wrong)

        def act() -> None:
            found = check_game(str(game), symbol_faults).faults
            assert bool(found.lines) == wrong, found.lines

        return act

    assert grows_evenly(make)


def test_a_check_takes_as_much_more_work_as_a_game_has_entries_of_all_kinds(tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        sizes = dict.fromkeys(set(PARTS) - {"setups"}, many)  # each of which may use the words of all tracks
        game = game_in(tmp_path / str(many) / "heath", sizes)
        return lambda: check_game(str(game), symbol_faults)

    assert grows_evenly(make)
