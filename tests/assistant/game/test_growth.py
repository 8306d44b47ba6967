"""How the work on a game's files grows: a check of ten times as many entries, or mistakes, takes ten times the work at most."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.game.games import read_game
from assistant.game.packs import overlay_pack
from assistant.installed.check import examine_game
from module_builder.counters.checks import symbol_faults
from tests.growing import PARTS, game_in
from tests.growth import grows_evenly

from ...cases import few, thorough


@few(2)
@pytest.mark.parametrize("wrong", [False, True], ids=["sound", "wrong"])
@pytest.mark.parametrize("part", PARTS)
def test_a_check_takes_as_much_more_work_as_a_game_has_entries(part: str, wrong: bool, tmp_path: Path) -> None:
    if wrong and part == "choices":
        pytest.skip("a word without a symbol is no mistake")

    def make(many: int) -> Callable[[], object]:
        game = game_in(tmp_path / str(many) / "heath", {part: many}, wrong=wrong)

        def act() -> None:
            found = examine_game(str(game), symbol_faults).faults
            assert bool(found.lines) == wrong, found.lines

        return act

    assert grows_evenly(make)


@thorough
def test_a_check_takes_as_much_more_work_as_a_game_has_entries_of_all_kinds(tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        sizes = dict.fromkeys(set(PARTS) - {"setups"}, many)  # each of which may use the words of all tracks
        game = game_in(tmp_path / str(many) / "heath", sizes)
        return lambda: examine_game(str(game), symbol_faults)

    assert grows_evenly(make)


@pytest.mark.parametrize("part", ["units", "charts", "cells", "hexes", "nations"])
def test_a_pack_takes_as_much_more_work_as_it_holds(part: str, tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        folder, pack = game_in(tmp_path / str(many) / "heath", {part: many}), tmp_path / str(many) / "pack"
        (pack / "charts").mkdir(parents=True, exist_ok=True)
        sizes = {"units": 3, "charts": 3, "cells": 3, "hexes": 3} | {part: many}
        cells = "".join(f"w{number},hold\n" for number in range(sizes["cells"]))
        for number in range(sizes["charts"]):
            (pack / "charts" / f"c{number}.csv").write_text(f"odds,result\n{cells}", "utf-8")
        values = "".join(f"U{number},4\n" for number in range(sizes["units"]))
        (pack / "counters.csv").write_text(f"unit,steps\n{values}", "utf-8")
        hexes = "".join(f"01{number + 1:02} terrain=wood\n" for number in range(sizes["hexes"] // 4))
        (pack / "map.lines").write_text(hexes, "utf-8")

        def act() -> None:
            game = overlay_pack(read_game("heath", folder), pack)
            assert game.charts["c0"].cells and game.roster["U0"] and game.board("moor").facts

        return act

    assert grows_evenly(make)
