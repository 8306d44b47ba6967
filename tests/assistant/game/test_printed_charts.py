"""Charts and counters as they are printed: each cell in one table, and what is not known of each."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.packs import Pack
from assistant.game.printed_charts import code_meanings, field_title, grids_of, keys_to_fill_in
from assistant.game.printed_counters import counters_with_gaps, incomplete_counters, list_counters
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


@pytest.fixture
def pack(twilight: Game, tmp_path: Path) -> Pack:
    return Pack(twilight, tmp_path / "pack")


def test_counters_stand_formation_by_formation_with_those_that_the_owner_adds(pack: Pack) -> None:
    rows = list_counters(pack)
    assert {row.unit for row in rows} == {*pack.game.roster}
    formations = [row.formation for row in rows]
    assert formations == sorted(formations, key=formations.index), "each formation once"
    pack.enter_all({("Reserve", "nation"): "german", ("Reserve", "arm"): "infantry", ("Reserve", "size"): "XX"})
    assert "Reserve" in {row.unit for row in list_counters(pack)}


def test_what_is_typed_is_missing_no_longer(pack: Pack) -> None:
    before = {row.unit: missing for row, missing in counters_with_gaps(pack)}["25/3"]
    assert "steps" in before and "effectiveness" not in before, "the rulebook states it"
    pack.enter_all({("25/3", name): "1" for name in before - {"artillery-class"}})
    after = {row.unit: missing for row, missing in counters_with_gaps(pack)}["25/3"]
    assert (before - after, after) == (before - {"artillery-class"}, {"artillery-class"})
    assert "25/3" in {row.unit for row in incomplete_counters(pack)}
