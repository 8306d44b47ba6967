"""Charts: the keys that lead to a cell, what a cell holds, the files of known cells, and how they and counters are printed."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.notation import read_notation
from assistant.game.charts import CellField, Chart, ChartKey
from assistant.game.games import Game, read_game
from assistant.game.pack_charts import list_keys
from assistant.game.packs import Pack
from assistant.game.printed_charts import code_meanings, field_title, grids_of, keys_to_fill_in
from assistant.game.printed_counters import counters_with_gaps, incomplete_counters, list_counters
from assistant.installed.registry import installed_games, load_game
from assistant.state.state import Cell, GameState
from assistant.state.tracks import Source
from assistant.util.errors import InputError

from ...folders import game_of

COMBAT = Chart(
    name="combat",
    title="Combat Table",
    rule="7.3",
    keys=(
        ChartKey(name="season", values=("Dry", "Mud")),
        ChartKey(name="odds", odds=True),
        ChartKey(name="roll", least=2, most=12),
    ),
    fields=(
        CellField(name="loss", note="steps lost"),
        CellField(
            name="result", values=("-", "W1", "W2", "X"), several=True, note="- for nothing, W1 or W2, perhaps with X"
        ),
    ),
)
LOSS = Chart(
    name="loss",
    title="Loss Table",
    rule="7.4",
    keys=(ChartKey(name="roll", least=-2, most=7, open=True),),
    fields=(CellField(name="steps"),),
)


def said(error: pytest.ExceptionInfo[InputError]) -> tuple[str, str]:
    """What an error says is wrong, and what to do."""
    return error.value.what, error.value.hint


# --- keys -------------------------------------------------------------------------------------------------------------


def test_keys_and_cells_are_made_regular() -> None:
    assert COMBAT.key("mud", "03:1", "7") == ("Mud", "3:1", 7)
    assert COMBAT.key("DRY", "1:1", 12) == ("Dry", "1:1", 12)
    assert COMBAT.cell(" +2 /  W1   X ") == Cell({"loss": 2, "result": "W1 X"}, Source.STATED)
    assert COMBAT.cell("-1/-", Source.PRINTED) == Cell({"loss": -1, "result": "-"}, Source.PRINTED)


@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        (("Must", "1:1", 7), "season: 'Must' is not allowed", "nearest known: Mud"),
        (("Dry", "3:2", 7), "'3:2' is not an odds column", "write odds like 3:1 or 1:2"),
        (("Dry", "2", 7), "'2' is not an odds column", "write odds like 3:1 or 1:2"),
        (("Dry", "1:1", 13), "roll: 13 is not allowed", "it ranges from 2 to 12"),
        (("Dry", "1:1", 1), "roll: 1 is not allowed", "it ranges from 2 to 12"),
        (("Dry", "1:1", "seven"), "roll: 'seven' is not allowed", "enter a whole number"),
        (("Dry", "1:1", "7.0"), "roll: '7.0' is not allowed", "enter a whole number"),
        (("Dry", 7), "chart combat needs 3 keys", "they are: season odds roll"),
        (("Dry", "1:1", 7, 7), "chart combat needs 3 keys", "they are: season odds roll"),
    ],
)
def test_keys_that_lead_nowhere(given: tuple[int | str, ...], what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        COMBAT.key(*given)
    assert said(caught) == (what, hint)


def test_an_end_that_is_left_out_is_no_end_of_a_chart_open_or_not() -> None:
    low, high, any_number = ChartKey(name="roll", least=2), ChartKey(name="roll", most=12), ChartKey(name="roll")
    assert (low.read(2), low.read(99), high.read(12), high.read(-99)) == (2, 99, 12, -99)
    assert (any_number.read("-5"), any_number.read("+500")) == (-5, 500)
    with pytest.raises(InputError, match="roll: 1 is not allowed"):
        low.read(1)
    with pytest.raises(InputError, match="roll: 13 is not allowed"):
        high.read(13)
    low, high = ChartKey(name="roll", least=2, open=True), ChartKey(name="roll", most=12, open=True)
    assert (low.read(1), low.read(99)) == (2, 99)
    assert (high.read(-99), high.read(12)) == (-99, 12)
    assert ChartKey(name="roll", most=12, open=True).read(13) == 12
    with pytest.raises(InputError) as caught:
        ChartKey(name="roll", least=2).read(1)
    assert "None" not in caught.value.hint


@given(st.integers())
def test_the_ends_of_an_open_chart_hold_for_everything_beyond_them(roll: int) -> None:
    (row,) = LOSS.key(roll)
    assert row == sorted([-2, roll, 7])[1]


@given(st.sampled_from(["dry", "MUD"]), st.integers(1, 30), st.integers(2, 12), st.booleans())
def test_a_regular_key_is_regular(season: str, strength: int, roll: int, turned: bool) -> None:
    key = COMBAT.key(season, f"1:{strength}" if turned else f"{strength}:1", str(roll))
    assert COMBAT.key(*key) == key


# --- cells ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("2", "'2' is not a cell of chart combat", "a cell is: loss / result"),
        ("2 / - / -", "'2 / - / -' is not a cell of chart combat", "a cell is: loss / result"),
        ("two / -", "loss: 'two' is not allowed", "steps lost"),
        ("2.5 / -", "loss: '2.5' is not allowed", "steps lost"),
        (" / -", "loss: '' is not allowed", "steps lost"),
        ("2 / W3", "result: 'W3' is not allowed", "- for nothing, W1 or W2, perhaps with X"),
        ("2 / W1 XX", "result: 'W1 XX' is not allowed", "- for nothing, W1 or W2, perhaps with X"),
    ],
)
def test_cells_that_do_not_fit(text: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        COMBAT.cell(text)
    assert said(caught) == (what, hint)


def test_a_number_beyond_all_measure_and_a_field_without_a_note() -> None:
    with pytest.raises(InputError) as caught:
        LOSS.cell("-")
    assert said(caught) == ("steps: '-' is not allowed", "enter a whole number")
    with pytest.raises(ValueError) as caught:
        LOSS.cell("9" * 5000)
    assert isinstance(caught.value, InputError)


MOVE = CellField(name="cost", values=("prohibited",), least=0, most=99, halves=True)
RESULT = CellField(name="result", values=("-", "+1", "W1", "X"), several=True)
HALVES = CellField(name="cost", halves=True, least=0, most=2)


@pytest.mark.parametrize(
    ("field", "typed", "kept"),
    [
        (RESULT, "-", "-"),
        (RESULT, " x  w1", "X W1"),
        (CellField(name="marker", values=("yes", "no")), "YES", "yes"),
        (MOVE, "1.5", "1.5"),
        (MOVE, "12", "12"),
        (MOVE, "Prohibited", "prohibited"),
        (HALVES, "0", "0"),
        (HALVES, "1.5", "1.5"),
        (HALVES, "2", "2"),
    ],
)
def test_a_field_of_words_and_numbers(field: CellField, typed: str, kept: str) -> None:
    assert field.read(typed) == kept


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (RESULT, ""),
        (RESULT, "W2"),
        (RESULT, "- W1"),
        (RESULT, "X X"),
        (RESULT, "1"),
        (CellField(name="marker", values=("yes", "no")), "yes no"),
        (MOVE, "1.25"),
        (MOVE, "100"),
        (MOVE, ".5"),
        (MOVE, "-1.5"),
        (HALVES, "2.5"),
        (HALVES, "-0.5"),
    ],
)
def test_what_is_neither_is_refused(field: CellField, typed: str) -> None:
    with pytest.raises(InputError, match=f"{field.name}: .* is not allowed"):
        field.read(typed)


def test_a_cell_is_checked_field_by_field_and_keeps_its_source() -> None:
    given = Cell({"result": " W2", "loss": "+1"}, Source.RECONSTRUCTION)
    assert COMBAT.check(given) == Cell({"loss": 1, "result": "W2"}, Source.RECONSTRUCTION)
    with pytest.raises(InputError, match="result: '' is not allowed"):
        COMBAT.check(Cell({"loss": 1}))
    with pytest.raises(InputError, match="loss: 'many' is not allowed"):
        COMBAT.check(Cell({"loss": "many", "result": "-"}))
    with pytest.raises(InputError, match="reslut"):
        COMBAT.check(Cell({"loss": 1, "result": "-", "reslut": "W1"}))
    with pytest.raises(InputError, match="is not allowed\n  nearest known: retreat"):
        CellField(name="result", values=("retreat", "stand")).read("retreet")


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "combat.csv"


HEAD = "season,odds,roll,loss,result,source\n"


def test_a_file_fills_the_chart_up_to_its_open_ends(file: Path) -> None:
    file.write_text(f"{HEAD}dry,1:1,7,1,W1 X,rulebook\nMud,02:1,12,0,-,reconstruction\n", "utf-8")
    filled = COMBAT.fill(file)
    assert filled.cells == {
        ("Dry", "1:1", 7): Cell({"loss": 1, "result": "W1 X"}, Source.RULEBOOK),
        ("Mud", "2:1", 12): Cell({"loss": 0, "result": "-"}, Source.RECONSTRUCTION),
    }
    assert (COMBAT.cells, filled.title) == ({}, "Combat Table")
    file.write_text("roll,steps,source\n7,2,printed\n9,3,printed\n", "utf-8")
    with pytest.raises(InputError, match="combat.csv:3: cell 7 is given twice"):
        LOSS.fill(file)


@pytest.mark.parametrize(
    ("rows", "line", "what", "hint"),
    [
        ("Dry,1:1,7,1,-,printed\nMud,1:1,7,1,-,printed\ndry,01:1,07,2,-,printed\n", 4, "cell Dry 1:1 7 is given twice", ""),
        ("Dry,1:1,7,1,-,rulbook\n", 2, "'rulbook' is not a source", "nearest known: rulebook"),
        ("Dry,1:1,13,1,-,printed\n", 2, "roll: 13 is not allowed", "it ranges from 2 to 12"),
        ("\nDry,1:1,7,1,W9,printed\n", 3, "result: 'W9' is not allowed", "- for nothing, W1 or W2, perhaps with X"),
        ("Dry,1:1,7,1/2,-,printed\n", 2, "'1/2/-' is not a cell of chart combat", "a cell is: loss / result"),
        ("Dry,1:1,7,1,-\n", 2, "the row has 5 cells, not 6", HEAD.strip()),
    ],
)  # fmt: skip
def test_faults_name_file_and_line(rows: str, line: int, what: str, hint: str, file: Path) -> None:
    file.write_text(HEAD + rows, "utf-8")
    with pytest.raises(InputError) as caught:
        COMBAT.fill(file)
    assert (str(caught.value.where), *said(caught)) == (f"combat.csv:{line}", what, hint)


@pytest.mark.parametrize("column", ["season", "odds", "roll", "loss", "result", "source"])
def test_every_key_every_field_and_the_source_are_columns(column: str, file: Path) -> None:
    file.write_text(HEAD.replace(column, "remark"), "utf-8")
    with pytest.raises(InputError) as caught:
        COMBAT.fill(file)
    assert (str(caught.value.where), caught.value.what) == ("combat.csv:1", f"column {column!r} is missing")


GAME = 'title = "Drill"\nabout = "Made up for the tests."\n[grid]\n'
CHARTS = r"""
[combat]
title = "Combat Table"
rule = "7.3"
keys = [{ name = "season", values = ["Dry", "Mud"] }, { name = "odds", odds = true }, { name = "roll", least = 2, most = 12 }]
fields = [{ name = "loss" }, { name = "result", values = ["-", "W1", "W2", "X"], several = true }]

[loss]
title = "Loss Table"
rule = "7.4"
keys = [{ name = "roll", least = -2, most = 7, open = true }]
fields = [{ name = "steps" }]

[fort]
title = "Fortress Table"
rule = "7.5"
keys = [{ name = "kind", values = ["Small", "Very Large"] }]
fields = [{ name = "steps" }]
"""


@pytest.fixture
def drill(tmp_path: Path) -> Game:
    (tmp_path / "game.toml").write_text(GAME, "utf-8")
    (tmp_path / "charts.toml").write_text(CHARTS, "utf-8")
    return read_game("drill", tmp_path)


def typed(game: Game, line: str) -> GameState:
    return read_notation(f"game drill\n{line}\n".encode(), "x.pos", lambda name: game).state


STATED = [
    ("combat", ("mud", "03:1", "7"), "chart combat Mud 3:1 7 = loss / result", "1 / W2 X", {"loss": 1, "result": "W2 X"}),
    ("combat", ("Dry", "1:4", 12), "chart combat Dry 1:4 12 = loss / result", "0 / -", {"loss": 0, "result": "-"}),
    ("loss", (-5,), "chart loss -2 = steps", "0", {"steps": 0}),
    ("fort", ("small",), "chart fort Small = steps", "-1", {"steps": -1}),
    ("fort", ("Very Large",), 'chart fort "Very Large" = steps', "2", {"steps": 2}),
]  # fmt: skip


@pytest.mark.parametrize(("chart", "key", "how", "cell", "values"), STATED)
def test_what_to_type_reads_back_through_the_notation(
    chart: str, key: tuple[int | str, ...], how: str, cell: str, values: dict[str, int | str], drill: Game
) -> None:
    declared = drill.chart(chart)
    regular = declared.key(*key)
    assert declared.how_to_state(regular) == how
    line = how.partition("=")[0] + f"= {cell}"
    assert typed(drill, line).cells == {(chart, regular): Cell(values)}


# --- ends that only the owner knows -----------------------------------------------------------------------------------

OWNED = Chart(
    name="owned",
    title="Owned Table",
    keys=(ChartKey(name="odds", odds=True, open=True), ChartKey(name="die", open=True)),
    fields=(CellField(name="result", values=("AE", "DE")),),
)


def test_ends_that_only_the_owner_knows_stand_in_the_keys_of_their_cells() -> None:
    assert OWNED.key("01:3-", "0-") == ("1:3-", "0-")
    assert OWNED.key("6:1+", "-1") == ("6:1+", -1)
    assert (
        OWNED.has_owner_ends,
        COMBAT.keys[0].has_owner_ends,
        LOSS.has_owner_ends,
        ChartKey(name="k", least=1).has_owner_ends,
    ) == (True, False, False, True)
    ends = OWNED.ends([("1:3-", "-1-"), ("2:1", 3), ("6:1+", "8+")])
    assert ends == (("1:3-", "6:1+"), ("-1-", "8+"))
    held = {("1:9", 4): ("1:3-", 4), ("1:3", -5): ("1:3-", "-1-"), ("7:1", 8): ("6:1+", "8+"), ("5:1", 7): ("5:1", 7)}
    assert {key: OWNED.key_within(key, ends) for key in held} == held
    assert OWNED.key_within(("9:1", 9), OWNED.ends([])) == ("9:1", 9)
    assert list_keys(OWNED) == []
    assert list_keys(OWNED, [("1:2-", "0-")]) == []
    keys = list_keys(OWNED, [("1:2-", "0-"), ("2:1+", "2+")])
    assert [key[1] for key in keys if key[0] == "1:1"] == ["0-", 1, "2+"]
    assert list(dict.fromkeys(key[0] for key in keys)) == ["1:2-", "1:1", "2:1+"]


@pytest.mark.parametrize("odds", ["1:3--", "6:1++", "6:1-+", "-"])
def test_an_end_has_one_sign(odds: str) -> None:
    with pytest.raises(InputError, match="is not an odds column"):
        OWNED.key(odds, 1)


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ([("1:3-", 1), ("1:2-", 1)], "chart owned: odds ends at 1:3- and at 1:2-"),
        ([("6:1+", 1), ("7:1", 1)], "chart owned: odds ends at 6:1+, but there is also 7:1"),
        ([("1:1", "0-"), ("1:1", 0)], "chart owned: die ends at 0-, but there is also 0"),
        ([("3:1-", 1), ("2:1+", 1)], "chart owned: odds ends at 2:1+, but there is also 3:1-"),
    ],
)
def test_ends_that_contradict_other_cells_are_refused(cells: list[tuple[int | str, ...]], what: str) -> None:
    with pytest.raises(InputError) as error:
        OWNED.ends(cells)
    assert error.value.what == what
    assert error.value.hint.startswith("leave ")


def test_open_beside_values_is_a_mistake_as_it_would_say_nothing(tmp_path: Path) -> None:
    keys = 'keys = [{ name = "odds", values = ["1:1", "2:1"], open = true }]'
    text = f'[crt]\ntitle = "Results"\n{keys}\nfields = [{{ name = "result" }}]\n'
    game = game_of(tmp_path, {"game.toml": GAME, "charts.toml": text})
    with pytest.raises(InputError, match=r"\[crt\] keys: odds has values, and with them open says nothing"):
        _ = game.charts


TWILIGHT = "twilight-in-the-east"


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
    chart = load_game(TWILIGHT).chart("crt")
    summer, autumn = grids_of(chart, list_keys(chart))
    assert (summer.title, autumn.title) == ("Summer", "Autumn")
    assert (summer.column_heads[0], summer.row_heads[0]) == ("1:4", "2")
    assert summer.key(0, 0) == ("summer", "1:4", 2)
    chart = load_game(TWILIGHT).chart("terrain-shift")
    (grid,) = grids_of(chart, list_keys(chart))
    assert (grid.across, grid.columns, grid.key(1, 0)) == ("", [()], ("rough",))


def test_blanks_stand_for_ends_that_only_the_owner_knows_and_like_codes_together() -> None:
    chart = load_game("world-undone-east-prussia-1914").chart("russian-table")
    (grid,) = grids_of(chart, keys_to_fill_in(chart))
    assert {head.strip() for head in (*grid.row_heads, *grid.column_heads)} == {""}
    chart = load_game(TWILIGHT).chart("crt")
    assert field_title(chart.fields[0]) == "Attacker"
    assert code_meanings(chart.fields)["W1 W2 W3"] == "retreat of so many hexes (white)"
    assert list(code_meanings(chart.fields, used={"X"})) == ["X"]


@pytest.fixture
def own_pack(twilight: Game, tmp_path: Path) -> Pack:
    return Pack(twilight, tmp_path / "own_pack")


def test_counters_stand_formation_by_formation_with_those_that_the_owner_adds(own_pack: Pack) -> None:
    rows = list_counters(own_pack)
    assert {row.unit for row in rows} == {*own_pack.game.roster}
    formations = [row.formation for row in rows]
    assert formations == sorted(formations, key=formations.index), "each formation once"
    own_pack.enter_all({("Reserve", "nation"): "german", ("Reserve", "arm"): "infantry", ("Reserve", "size"): "XX"})
    assert "Reserve" in {row.unit for row in list_counters(own_pack)}


def test_what_is_typed_is_missing_no_longer(own_pack: Pack) -> None:
    before = {row.unit: missing for row, missing in counters_with_gaps(own_pack)}["25/3"]
    assert "steps" in before and "effectiveness" not in before, "the rulebook states it"
    own_pack.enter_all({("25/3", name): "1" for name in before - {"artillery-class"}})
    after = {row.unit: missing for row, missing in counters_with_gaps(own_pack)}["25/3"]
    assert (before - after, after) == (before - {"artillery-class"}, {"artillery-class"})
    assert "25/3" in {row.unit for row in incomplete_counters(own_pack)}
