"""An account of a journal over time: as lines, in a picture and in letters."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.drawing.over_time import AccountCurve, Mark
from assistant.drawing.scene import Scene
from assistant.faces.cli.main import cli
from assistant.game.calendar import Calendar
from assistant.game.games import Game
from assistant.records.journal.charts import dates_of, draw_account, list_account, list_account_curves
from assistant.util.errors import InputError

from .small import journal

ENTRIES = ("aug14/2 ru dm 60 Ford", "aug14/2 ru dm 10", "aug14/5 na dm 20", "aug14/6 ru dm 50", "sep14/2 game score 3")


def texts_of(scene: Scene) -> set[str]:
    return {shape.text for layer in scene.layers for shape in layer.shapes if hasattr(shape, "text")}


def test_a_line_has_what_was_held_at_the_end_of_each_turn_and_its_levels(game: Game) -> None:
    rust, navy = list_account_curves(journal(game, *ENTRIES), "dm", ["ru", "navy"], 1, 10)
    assert rust.points == ((1, 0), (2, 70), (6, 120), (8, 128))
    assert rust.levels == (Mark("Shaken", 100, 6), Mark("Broken", 200))
    assert navy == AccountCurve("Navy", navy.colour, ((1, 0), (5, 20)), ())


def test_a_period_begins_with_what_was_held_and_knows_of_nothing_later(game: Game) -> None:
    (rust,) = list_account_curves(journal(game, *ENTRIES), "dm", ["ru"], 3, 5)
    assert rust.points == ((3, 70),)
    assert rust.levels[0] == Mark("Shaken", 100), "reached in a later turn"
    (rust,) = list_account_curves(journal(game, *ENTRIES), "dm", ["ru"], 8, 9)
    assert rust.points == ((8, 128),), "what the first turn brings is held in it"


def test_a_side_stands_for_its_nations_and_nobody_for_all_with_postings(game: Game) -> None:
    book = journal(game, *ENTRIES)
    assert [line.title for line in list_account_curves(book, "dm", ["red"], 1, 9)] == ["Rust", "Rose"]
    assert [line.title for line in list_account_curves(book, "dm", [], 1, 9)] == ["Rust", "Navy"]
    assert [line.title for line in list_account_curves(book, "vp", [], 1, 10)] == ["Small War"]


def test_a_picture_names_account_rule_period_and_months(game: Game) -> None:
    scene = draw_account(journal(game, *ENTRIES), "dm", [], "", "nov14/3")
    assert scene.title == "Demoralization points (rule 1)"
    assert scene.description == "Rust: 128, Shaken at 100 reached, 72 to Broken. Navy: 20."
    period = "Small War, aug14/1 to sep14/2"
    assert {period, "Aug", "Sep", "1914", "Rust 128"} <= texts_of(scene), "not beyond the journal"


def test_in_letters_each_line_is_a_row_of_blocks_on_one_scale(game: Game) -> None:
    assert list(list_account(journal(game, *ENTRIES), "dm", [])) == [
        "Rust ▁▅▅▅▅█████ 128  Broken at 200",
        "Navy ▁▁▁▁▂▂▂▂▂▂  20",
        "     aug14/1 sep14/2",
    ]


@pytest.mark.parametrize(
    ("account", "who", "period", "message"),
    [
        ("steps", [], ("", ""), "'steps' is not an account"),
        ("xp", [], ("", ""), "'xp' is not an account"),
        ("dm", ["us"], ("", ""), "'us' is neither a nation nor a side"),
        ("dm", [], ("oct14/1", ""), "there is nothing from oct14/1 to sep14/2"),
        ("dm", [], ("aug14/5", "aug14/2"), "aug14/2 comes before aug14/5"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    game: Game, account: str, who: list[str], period: tuple[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        draw_account(journal(game, *ENTRIES), account, who, *period)
    with pytest.raises(InputError, match="nothing has been posted to vp yet"):
        draw_account(journal(game, "aug14/1 ru dm 1"), "vp", [])


def test_the_command_prints_letters_or_writes_a_picture(tmp_path: Path) -> None:
    run = CliRunner().invoke
    file, picture = tmp_path / "war.journal", tmp_path / "dm.svg"
    for words in (["new", "der-weltkrieg", str(file)], ["add", str(file), "ge dm 30, ah dm 260"]):
        assert run(cli, ["journal", *words]).exit_code == 0
    chart = ["journal", "chart", str(file), "dm"]
    printed = run(cli, [*chart, "ge", "ah"])
    assert "Germany         ▂  30  Shaken at 1500" in printed.output
    assert run(cli, [*chart, "-o", str(picture)]).exit_code == 0
    assert "More German divisions 250" in picture.read_text()
    assert run(cli, [*chart, "-o", str(picture)]).exit_code == 3, "never overwritten"
    assert "is not a picture file" in run(cli, [*chart, "-o", str(tmp_path / "dm.bmp")]).output


def test_turns_without_months_are_dates_by_their_numbers() -> None:
    ticks, steps = dates_of(Calendar(1, 300), 3, 250)
    assert [(tick.at, tick.label, tick.group) for tick in ticks[:3]] == [(10, "10", ""), (20, "20", ""), (30, "30", "")]
    assert (len(ticks), steps[0]) == (25, 1)


def test_a_single_turn_is_named_once(game: Game) -> None:
    book = journal(game, "aug14/1 ru dm 3")
    assert list(list_account(book, "dm", [])) == ["Rust █ 3  Shaken at 100", "     aug14/1"]
    assert "Small War, aug14/1" in texts_of(draw_account(book, "dm", []))
