"""Charts: only what is known is printed, and what is not is a box to write into."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.game.charts import Key
from assistant.game.games import Overlay
from assistant.game.packs import keys_of
from assistant.state.state import Cell
from assistant.state.tracks import Source
from module_builder.aids.cards import CARDS
from module_builder.aids.page import LEAST
from module_builder.aids.tables import BLANK, MADE_UP, Coverage, Table, heads, keys_to_fill_in

from .moor import moor, said, texts, wanted


def test_only_what_the_rulebook_states_is_printed(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path)))
    words = said(card.pages)
    assert "3 / R" in words
    assert "7 / " not in words
    assert "12 cells: 1 from the rulebook, 11 not known" in words
    assert "RECONSTRUCTED" not in words


def test_a_reconstruction_says_so_in_its_title_and_in_each_cell(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path), made_up=True))
    words = said(card.pages)
    assert "[7 / \u2212]" in words
    assert "1 in brackets RECONSTRUCTED, not those of the printed chart" in words
    colours = {text.text: text.fill for text in texts(card.pages)}
    assert colours["[7 / \u2212]"] == MADE_UP != colours["3 / R"]


def test_the_owner_s_cells_are_printed(tmp_path: Path) -> None:
    cell = Cell({"losses": 5, "result": "-"}, Source.PRINTED)
    game = moor(tmp_path).with_overlay(Overlay(cells={("crt", ("dry", "1:1", 2)): cell}))
    (card,) = CARDS["charts"](wanted(game))
    words = said(card.pages)
    assert "5 / \u2212" in words and "7 / " not in words
    assert "1 from the rulebook, 1 from your own copy, 10 not known" in words


def test_a_table_has_its_last_key_down_the_side_and_open_ends(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path)))
    words = [text.text for text in texts(card.pages)]
    assert [word for word in words if word.endswith((" or less", " or more"))] == ["1 or less", "3 or more"] * 2
    assert (words.count("1:1"), words.count("Dry"), words.count("Wet")) == (2, 1, 1)
    assert words.count("roll") == 2


def test_charts_of_terrain_stand_in_its_key_and_nowhere_else(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path)))
    assert "Costs of movement" not in said(card.pages)


def test_a_chart_whose_ends_nobody_knows_is_said_to_be_so(tmp_path: Path) -> None:
    charts = '[odds]\ntitle = "odds"\nkeys = [{ name = "odds", odds = true }]\nfields = [{ name = "x", least = 0 }]\n'
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None), made_up=True))
    assert "its ends are not known" in said(card.pages)


def test_a_chart_whose_ends_its_owner_knows_is_printed_to_be_filled_in(tmp_path: Path) -> None:
    charts = (
        '[crt]\ntitle = "results"\nkeys = [{ name = "odds", odds = true, open = true }, { name = "die", open = true }]\n'
        'fields = [{ name = "x", values = ["AE", "DE"] }]\n'
    )
    game = moor(tmp_path, charts=charts, course=None)
    chart = game.chart("crt")
    keys = keys_to_fill_in(chart)
    assert len(keys) == BLANK * BLANK == len(set(keys))
    assert {text for key in chart.keys for text in heads(key, [part for part, _ in keys])} == {""}
    (card,) = CARDS["charts"](wanted(game, made_up=True))
    assert "write the heads in too" in said(card.pages)
    told = [("1:2-", "0-"), ("2:1+", "3+")]
    assert heads(chart.keys[0], ["1:2-", "1:1", "2:1+"]) == ["1:2 or less", "1:1", "2:1 or more"]
    assert heads(chart.keys[1], ["-1-", 0, "3+"]) == ["\u22121 or less", "0", "3 or more"]
    assert len(keys_of(chart, told)) == 3 * 4


def test_heads_of_open_keys_and_minus_signs(tmp_path: Path) -> None:
    key = moor(tmp_path).charts["crt"].keys[2]
    assert heads(key, [-2, -1, 0]) == ["\u22122 or less", "\u22121", "0 or more"]
    assert heads(key, [1]) == ["1"]


@pytest.mark.parametrize(("cell", "enough"), [("", 12.0), ("1", 4.0)])
def test_boxes_to_write_into_are_wider(cell: str, enough: float) -> None:
    table = Table("", "roll", "odds", ["1"], ["1:1", "2:1"], {(0, 0): "1", (0, 1): cell})
    narrowest = table.side + 2 * max(enough, table.column(LEAST * 1.08, ""))
    assert table.fits(narrowest + 0.01, 100, "")
    assert not table.fits(table.side + 2 * enough - 1, 100, "")
    assert not table.fits(narrowest + 0.01, 5, "")


def test_a_table_larger_than_a_page_is_parted(tmp_path: Path) -> None:
    charts = """
[big]
title = "big table"
keys = [{ name = "row", least = 1, most = 90 }, { name = "roll", least = 1, most = 120 }]
fields = [{ name = "x", least = 0 }]
"""
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None)))
    assert len(card.pages) > 5
    drawn = texts(card.pages)
    assert sum(text.text == "Continued" for text in drawn) == sum(text.text == "roll" for text in drawn) - 1
    across = [int(text.text) for text in drawn if text.anchor == "middle"]
    down = [int(text.text) for text in drawn if text.anchor == "start" and text.text.isdecimal()]
    assert Counter(across) == dict.fromkeys(range(1, 91), across.count(1))  # every column over every part of the rows
    assert Counter(down) == dict.fromkeys(range(1, 121), down.count(1))
    low = max(text.y for page in card.pages for text in texts((page,)) if text.text.isdecimal())
    assert low < 297 - 10 - 6


def test_what_is_known_is_counted(tmp_path: Path) -> None:
    chart = moor(tmp_path).charts["crt"]
    assert Coverage(chart, shown=False).in_words == (
        "12 cells: 1 from the rulebook, 11 not known: write them in, or enter them in your pack"
    )
    assert Coverage(chart, shown=True).in_words.endswith("10 not known: write them in, or enter them in your pack")


def test_a_single_cell_is_one(tmp_path: Path) -> None:
    chart = replace(moor(tmp_path).charts["crt"], keys=(Key(name="roll", least=2, most=2),), cells={})
    assert Coverage(chart, shown=False).in_words.startswith("1 cell: 1 not known")
