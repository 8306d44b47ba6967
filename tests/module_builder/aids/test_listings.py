"""Tables of a game's own as printed ones: heads and values in words, long texts in lines, no word cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from assistant.drawing.lettering import POINT_MM, text_width
from assistant.game.course import PrintedTable, course_file
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.aids.cards import CARDS
from module_builder.aids.listings import Cells, column_widths, listing_pieces, read_cells
from module_builder.aids.page import MIN_SIZE_MM

from .moor import FILES, moor, said, texts, wanted

TABLE = """
[[table]]
title = "who may dig"
rule = "5.2/digging"
file = "digging"
columns = [
    { name = "who", title = "Nation" },
    { name = "from", title = "From", dates = true },
    { name = "deep", title = "Depth", values = { no = "not at all" }, empty = "any" },
    { name = "text", title = "Remarks" },
]
remark = "Bogs are wet."
"""
ROWS = "who,from,deep,text\nblood-red,aug14,no,in the peat-bog\nblue,mar15/3,,\nred,,2,\n"
LONG = "a long story of spades and barrows " * 8


def listed(tmp_path: Path, rows: str = ROWS, **game: str) -> tuple[PrintedTable, Cells]:
    (tmp_path / "tables").mkdir(exist_ok=True)
    (tmp_path / "tables" / "digging.csv").write_text(rows, "utf-8")
    read = moor(tmp_path, course=FILES["course.toml"] + TABLE, **game)
    (listing,) = course_file(read).table
    return listing, read_cells(read, listing)


def test_values_are_printed_in_words_and_a_short_table_takes_half_the_width(tmp_path: Path) -> None:
    _, cells = listed(tmp_path)
    assert cells.heads == ["Nation", "From", "Depth", "Remarks"]
    assert cells.rows == [
        ["Blood-Red", "Aug 1914", "not at all", "In the peat-bog"],
        ["Blue", "Mar 1915/3", "any", "\u2013"],
        ["Red", "\u2013", "2", "\u2013"],
    ]
    listed(tmp_path)
    (card,) = CARDS["charts"](wanted(moor(tmp_path, course=FILES["course.toml"] + TABLE)))
    printed = [text.text for text in texts(card.pages)]
    assert {"Who may dig", "5.2", "Bogs are wet.", "Nation", "Blood-Red"} <= {*printed}
    chosen = wanted(moor(tmp_path))
    listing, _ = listed(tmp_path)
    area = chosen.area()
    assert [piece.half for piece in listing_pieces(chosen.game, listing, chosen.look, area)] == [True]
    listing, _ = listed(tmp_path, ROWS + f"blue,,3,{LONG}\n")
    (long,) = listing_pieces(chosen.game, listing, chosen.look, area)
    assert not long.half
    lines = [text for text in long.block.draw(0, 0) if "barrows" in getattr(text, "text", "")]
    assert len(lines) > 1


@pytest.mark.parametrize("wide", [90.0, 120.0, 190.0])
def test_no_column_is_narrower_than_its_longest_word(wide: float) -> None:
    cells = Cells(["Effect", "What"], [["Contaminates the attacker", LONG], ["none", LONG * 2]])
    widths = column_widths(cells, 9 * POINT_MM, wide)
    assert sum(widths) == pytest.approx(wide)
    assert widths[0] > text_width("Contaminates", 9 * POINT_MM, bold=True)


def test_a_table_whose_file_is_not_there_is_a_fault(tmp_path: Path) -> None:
    listing, _ = listed(tmp_path)
    with pytest.raises(InputError, match=r"digging\.csv"):
        read_cells(moor(tmp_path), replace(listing, columns=(replace(listing.columns[0], name="whose"),)))


def test_the_tables_of_der_weltkrieg_are_printed_whole() -> None:
    chosen = wanted(load_game("der-weltkrieg"))
    (card,) = CARDS["charts"](chosen)
    printed = said(card.pages)
    assert all(words in printed for words in ("Terrain Effects Chart", "Wooded rough", "Great Britain", "Aug 1914/6"))
    assert "aug14" not in printed and "austro-hungarian" not in printed
    assert all(text.size >= MIN_SIZE_MM for text in texts(card.pages))
