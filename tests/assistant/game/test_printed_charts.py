"""Charts as they are printed: each cell lies once in a table, under the heads that the game gives."""

from __future__ import annotations

from itertools import product

import pytest

from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import code_meanings, field_title, grids_of, keys_to_fill_in
from assistant.installed.registry import installed_games, load_game

GAME = "twilight-in-the-east"


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_each_cell_lies_in_one_table(game: str) -> None:
    for chart in load_game(game).charts.values():
        keys = list_keys(chart, doubtful=True)
        grids = grids_of(chart, keys)
        laid = [
            grid.key(row, column)
            for grid in grids
            for row, column in product(range(len(grid.rows)), range(len(grid.columns)))
        ]
        assert sorted(map(str, laid)) == sorted(map(str, keys))


def test_the_last_key_lies_down_the_side_and_the_one_before_across() -> None:
    chart = load_game(GAME).chart("crt")
    summer, autumn = grids_of(chart, list_keys(chart))
    assert (summer.title, autumn.title) == ("Summer", "Autumn")
    assert (summer.column_heads[0], summer.row_heads[0]) == ("1:4", "2")
    assert summer.key(0, 0) == ("summer", "1:4", 2)
    chart = load_game(GAME).chart("terrain-shift")
    (grid,) = grids_of(chart, list_keys(chart))
    assert (grid.across, grid.columns, grid.key(1, 0)) == ("", [()], ("rough",))


def test_blanks_stand_for_ends_that_only_the_owner_knows_and_like_codes_together() -> None:
    chart = load_game("world-undone-east-prussia-1914").chart("russian-table")
    (grid,) = grids_of(chart, keys_to_fill_in(chart))
    assert {head.strip() for head in (*grid.row_heads, *grid.column_heads)} == {""}
    chart = load_game(GAME).chart("crt")
    assert field_title(chart.fields[0]) == "Attacker"
    assert code_meanings(chart.fields)["W1 W2 W3"] == "retreat of so many hexes (white)"
    assert list(code_meanings(chart.fields, used={"X"})) == ["X"]
