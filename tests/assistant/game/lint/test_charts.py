"""Charts of an author's own that lack a cell are told; those that wait for their owner are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.lint.charts import chart_remarks
from assistant.installed.registry import load_game, named_game
from module_builder.new import new_game

from ....folders import game_of

GAME = 'title = "Heath"\nabout = "Made up for the tests."\n'
CHART = """[crt]
title = "Results"
keys = [{ name = "odds", values = ["1:1", "2:1"] }, { name = "roll", least = 1, most = 6 }]
fields = [{ name = "result", values = ["NE", "DE"] }]
file = "crt.csv"
"""
ROWS = [f"{odds},{roll},NE,rulebook" for odds in ("1:1", "2:1") for roll in range(1, 7)]


def remarks(folder: Path, rows: list[str], chart: str = CHART) -> list[str]:
    cells = "\n".join(["odds,roll,result,source", *rows, ""])
    return [*chart_remarks(game_of(folder, {"game.toml": GAME, "charts.toml": chart, "crt.csv": cells}, "heath"))]


def test_missing_cells_and_ends_of_a_chart_are_named(tmp_path: Path) -> None:
    assert remarks(tmp_path / "a", ROWS) == []
    said = remarks(tmp_path / "b", [*ROWS[:8], *ROWS[9:11]])
    assert said == ["chart crt: 10 of 12 cells; crt.csv lacks 2:1, 3, 6"]
    ends = CHART.replace('values = ["1:1", "2:1"]', "odds = true, open = true")
    said = remarks(tmp_path / "c", [row.replace("2:1", "2:1+").replace("1:1", "1:1-") for row in ROWS[:-1]], ends)
    assert said == ["chart crt: 11 of 12 cells; crt.csv lacks 2:1+ 6"]
    ends = CHART.replace('values = ["1:1", "2:1"]', "odds = true")
    assert remarks(tmp_path / "a", ROWS, ends) == [
        "chart crt: crt.csv does not say where odds ends: write 1:1- and 2:1+ there"
    ]
    rows = [row.replace("2:1", "2:1+") for row in ROWS]
    assert remarks(tmp_path / "b", rows, ends) == ["chart crt: crt.csv does not say where odds ends: write 1:1- there"]
    assert remarks(tmp_path / "c", [row.replace("1:1", "1:1-") for row in rows], ends) == []


@pytest.mark.parametrize("rows", [ROWS[:8], [*ROWS[:10], "2:1,5,NE,reconstruction"], []])
def test_a_chart_that_waits_for_its_owner_is_none(rows: list[str], tmp_path: Path) -> None:
    assert remarks(tmp_path, rows) == []


def test_neither_the_installed_games_nor_a_new_one_lack_a_cell(tmp_path: Path) -> None:
    for game in ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"):
        assert [*chart_remarks(load_game(game))] == []
    new_game(tmp_path / "heath")
    assert [*chart_remarks(named_game(str(tmp_path / "heath")))] == []
