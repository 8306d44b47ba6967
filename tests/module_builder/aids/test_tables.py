"""Charts: only what is known is printed, and what is not is a box to write into."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.game.charts import ChartKey
from assistant.game.games import Game, Overlay, read_game
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import BLANK_ROWS, format_heads, keys_to_fill_in
from assistant.state.state import Cell
from assistant.state.tracks import Source
from module_builder.aids.cards import CARDS
from module_builder.aids.page import MIN_SIZE_MM, AidStyle
from module_builder.aids.tables import (
    EASY_SIZE_MM,
    MADE_UP_COLOUR,
    MIN_WRITTEN_MM,
    Coverage,
    Table,
    chart_scene,
    tables_of,
)
from module_builder.sheets.sizes import PAPERS

from .moor import moor, said, texts, wanted


def test_a_table_prints_what_the_rulebook_states_with_its_last_key_down_the_side(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path)))
    words = said(card.pages)
    printed = [text.text for text in texts(card.pages)]
    assert "R" in printed and printed.count("3") == 1, "the losses and the result of the one cell, each in its column"
    assert "7" not in printed
    assert "12 cells: 1 from the rulebook, 11 not known" in words
    assert "RECONSTRUCTED" not in words
    words = [text.text for text in texts(card.pages)]
    assert [word for word in words if word.endswith((" or less", " or more"))] == ["1 or less", "3 or more"] * 2
    assert (words.count("1:1"), words.count("Dry"), words.count("Wet")) == (2, 1, 1)
    assert (words.count("Roll"), words.count("Odds")) == (2, 2)
    assert (words.count("Losses"), words.count("Result")) == (4, 4), "a column for each value, below each of the odds"
    assert "Costs of movement" not in said(card.pages)


def test_the_owner_s_cells_are_printed_and_reconstructed_ones_say_so(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(moor(tmp_path), made_up=True))
    words = said(card.pages)
    assert "[7] [\u2212]" in words
    assert "1 in brackets REBUILT, not those of the printed chart" in words
    colours = {text.text: text.fill for text in texts(card.pages)}
    assert colours["[7]"] == colours["[\u2212]"] == MADE_UP_COLOUR != colours["R"]
    cell = Cell({"losses": 5, "result": "-"}, Source.PRINTED)
    game = moor(tmp_path).with_overlay(Overlay(cells={("crt", ("dry", "1:1", 2)): cell}))
    (card,) = CARDS["charts"](wanted(game))
    words = said(card.pages)
    assert "5 \u2212" in words and "[" not in words
    assert "1 from the rulebook, 1 from your own copy, 10 not known" in words


def test_a_chart_whose_ends_nobody_knows_says_so_and_one_whose_owner_knows_them_is_filled_in(tmp_path: Path) -> None:
    charts = '[odds]\ntitle = "odds"\nkeys = [{ name = "odds", odds = true }]\nfields = [{ name = "x", least = 0 }]\n'
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None), made_up=True))
    assert "Its ends are not known" in said(card.pages)
    charts = (
        '[crt]\ntitle = "results"\nkeys = [{ name = "odds", odds = true, open = true }, { name = "die", open = true }]\n'
        'fields = [{ name = "x", values = ["AE", "DE"] }]\n'
    )
    game = moor(tmp_path, charts=charts, course=None)
    chart = game.chart("crt")
    keys = keys_to_fill_in(chart)
    assert len(keys) == BLANK_ROWS * BLANK_ROWS == len(set(keys))
    assert {text for key in chart.keys for text in format_heads(key, [part for part, _ in keys])} == {""}
    (card,) = CARDS["charts"](wanted(game, made_up=True))
    assert "write the heads in too" in said(card.pages)
    told = [("1:2-", "0-"), ("2:1+", "3+")]
    assert format_heads(chart.keys[0], ["1:2-", "1:1", "2:1+"]) == ["1:2 or less", "1:1", "2:1 or more"]
    assert format_heads(chart.keys[1], ["-1-", 0, "3+"]) == ["\u22121 or less", "0", "3 or more"]
    assert len(list_keys(chart, told)) == 3 * 4


def test_heads_of_open_keys_and_minus_signs(tmp_path: Path) -> None:
    key = moor(tmp_path).charts["crt"].keys[2]
    assert format_heads(key, [-2, -1, 0]) == ["\u22122 or less", "\u22121", "0 or more"]
    assert format_heads(key, [1]) == ["1"]


@pytest.mark.parametrize(("cell", "enough"), [("", MIN_WRITTEN_MM), ("1", 0.0)])
def test_boxes_to_write_into_are_wider(cell: str, enough: float) -> None:
    table = Table("", "roll", "odds", ["1"], ["1", "2"], {(0, 0): "1", (0, 1): cell})
    narrowest = table.side + 2 * max(enough, table.column(EASY_SIZE_MM))
    assert table.fits(narrowest + 0.01, 100)
    assert not table.fits(narrowest - 0.1, 100)
    assert not table.fits(narrowest + 0.01, 5)


def test_a_box_to_write_into_has_room_for_the_longest_value(tmp_path: Path) -> None:
    def narrowest(values: str) -> float:
        charts = f'[crt]\ntitle = "r"\nkeys = [{{ name = "die", least = 1, most = 6 }}]\nfields = [{{ name = "x", {values} }}]\n'
        (table,) = tables_of(Coverage(moor(tmp_path, charts=charts, course=None).charts["crt"], shown=False))
        return table.column(MIN_SIZE_MM)

    assert narrowest('values = ["AE", "DE"]') == MIN_WRITTEN_MM
    assert narrowest('values = ["AE", "the defender retreats"]') > 2 * MIN_WRITTEN_MM
    assert narrowest('values = ["+1 now", "-1 now"], several = true') > narrowest('values = ["+1 now", "-1 now"]')


CODES = """
[fire]
title = "fire table"
rule = "4.1/fire"
file = "fire.csv"
remark = "Marsh: one column less."
keys = [
    { name = "percent", title = "Strength in percent", values = ["<=99", ">=100"], heads = ["up to 99 %", "100 % and more"] },
    { name = "die", title = "Die roll", least = 1, most = 2 },
]
fields = [{ name = "result", title = "Result", values = ["A1", "D1", "D2", "-"], note = "a code", meanings = ["the attacker retreats", "the defender retreats", "the defender retreats", "no effect"] }]
"""


def with_codes(tmp_path: Path, *known: str) -> Game:
    """The game with a table of codes, of which some cells are known: `<=99 1 A1`."""
    game = moor(tmp_path, charts=CODES, course=None)
    rows = [f"{cell.replace(' ', ',')},rulebook" for cell in known]
    (tmp_path / "fire.csv").write_text("\n".join(["percent,die,result,source", *rows, ""]), "utf-8")
    return read_game("moor", game.folder)


def test_heads_are_words_and_codes_have_a_key_of_those_that_the_table_has(tmp_path: Path) -> None:
    (card,) = CARDS["charts"](wanted(with_codes(tmp_path, "<=99 1 A1")))
    printed = [text.text for text in texts(card.pages)]
    assert {"up to 99 %", "100 % and more", "Strength in percent", "4.1", "Marsh: one column less."} <= {*printed}
    assert printed[printed.index("D1 D2") :][:2] == ["D1 D2", "the defender retreats"], (
        "what means the same stands together"
    )
    assert not {"<=99", "percent", "die", "a code", "4.1/fire"} & {*printed}
    whole = with_codes(tmp_path, "<=99 1 A1", "<=99 2 D1", ">=100 1 D1", ">=100 2 D1")
    (card,) = CARDS["charts"](wanted(whole))
    printed = [text.text for text in texts(card.pages)]
    assert "All from the rulebook" in printed
    assert printed.count("the attacker retreats") == printed.count("the defender retreats") == 1
    assert "no effect" not in printed and "D1 D2" not in printed


def test_a_long_table_is_folded_a_wide_one_lies_on_its_side_and_a_larger_one_is_parted(tmp_path: Path) -> None:
    charts = '[record]\ntitle = "turns"\nkeys = [{ name = "turn", least = 1, most = 48 }]\nfields = [{ name = "season", least = 0 }]\n'
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None)))
    (page,) = card.pages
    rows = {text.text: text for text in texts((page,)) if text.text.isdecimal()}
    assert (rows["1"].y, rows["24"].y) == (rows["25"].y, rows["48"].y)
    assert rows["1"].x < rows["25"].x < page.width / 2, "in half the width of the page"
    assert "Continued" not in said(card.pages)
    odds = ", ".join(f'"{one}:1"' for one in range(1, 10))
    charts = f"""
[crt]
title = "results"
keys = [{{ name = "odds", values = [{odds}] }}, {{ name = "die", least = 1, most = 6 }}]
fields = [{{ name = "attacker", values = ["-", "+1", "W1"], several = true }}, {{ name = "defender", values = ["-", "+1", "W1"], several = true }}]
[small]
title = "small"
keys = [{{ name = "die", least = 1, most = 6 }}]
fields = [{{ name = "x", least = 0 }}]
"""
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None)))
    assert [page.width > page.height for page in card.pages] == [True, False]
    assert "Attacker" in said(card.pages[:1]) and "Small" in said(card.pages[1:])
    charts = """
[big]
title = "big table"
keys = [{ name = "row", least = 1, most = 90 }, { name = "roll", least = 1, most = 120 }]
fields = [{ name = "x", least = 0 }]
"""
    (card,) = CARDS["charts"](wanted(moor(tmp_path, charts=charts, course=None)))
    assert len(card.pages) > 5
    drawn = texts(card.pages)
    assert sum(text.text == "Continued" for text in drawn) == sum(text.text == "Roll" for text in drawn) - 1
    across = [int(text.text) for text in drawn if text.anchor == "middle" and text.text.isdecimal()]
    down = [int(text.text) for text in drawn if text.anchor == "start" and text.text.isdecimal()]
    assert Counter(across) == dict.fromkeys(range(1, 91), across.count(1))  # every column over every part of the rows
    assert Counter(down) == dict.fromkeys(range(1, 121), down.count(1))
    low = max(text.y for page in card.pages for text in texts((page,)) if text.text.isdecimal())
    assert low < 297 - 10 - 6


def test_a_chart_alone_is_a_picture_as_high_as_it_needs(tmp_path: Path) -> None:
    picture = chart_scene(Coverage(with_codes(tmp_path).charts["fire"], shown=False), AidStyle(PAPERS["a4"], 15), 120)
    assert (picture.width, picture.title) == (120, "Fire table")
    assert max(text.y for text in texts((picture,))) < picture.height < 80


def test_what_is_known_is_counted(tmp_path: Path) -> None:
    chart = moor(tmp_path).charts["crt"]
    assert Coverage(chart, shown=False).in_words == (
        "12 cells: 1 from the rulebook, 11 not known: write them in, or enter them in your pack"
    )
    assert Coverage(chart, shown=True).in_words.endswith("10 not known: write them in, or enter them in your pack")
    chart = replace(moor(tmp_path).charts["crt"], keys=(ChartKey(name="roll", least=2, most=2),), cells={})
    assert Coverage(chart, shown=False).in_words.startswith("1 cell: 1 not known")
