"""The luck of a table on the page: unknown cells leave a battle out, and the charts that could stand in are offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from .test_desk import COMBAT, GAME, Page

DICE = ("7", "3", "4", "3", "12", "5", "6", "39.20", "done")
"""The dice and choices of the combat, to its end."""


@pytest.fixture
def page(tmp_path: Path, own_data: None) -> Page:
    page = Page(tmp_path / "tables")
    page.send("begin", table="warsaw", game=GAME)
    for line in ("t=2", COMBAT, *DICE):
        assert page.enter(line)["refused"] is None
    return page


def test_battle_with_unknown_cells_is_left_out_until_charts_stand_in(page: Page) -> None:
    told = page.send("luck", table="warsaw")
    assert told["stand_ins"] == "made-up charts"
    assert "1 of 1 battle left out:" in told["lines"]
    told = page.send("luck", table="warsaw", trusts_charts=True)
    assert told["stand_ins"] == ""
    assert told["lines"][0] == "The Russian player was luckier than in 54 of 100 such battles."
    assert "Rests on made-up charts: Combat Results Table, Step Loss Results Table" in told["lines"]


def test_luck_names_no_folder_of_the_host(page: Page) -> None:
    lines = page.send("luck", table="warsaw")["lines"]
    assert any(line.startswith("Luck in warsaw") for line in lines)
    assert str(page.tables.folder) not in "\n".join(lines)


def test_table_without_battles_offers_no_charts(page: Page) -> None:
    page.send("begin", table="empty", game=GAME)
    told = page.send("luck", table="empty")
    assert (told["stand_ins"], told["lines"][0]) == ("", "Luck in empty: 0 battles")
