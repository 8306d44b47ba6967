"""What the prompt tells of a hex: its ground, its hexsides and its units, as far as a side may see them."""

from __future__ import annotations

import pytest

from assistant.faces.prompt.surroundings import describe_hex
from assistant.game.viewpoint import seen_as
from assistant.service import parse

PAPER = "game twilight-in-the-east\n40.20 clear: 25/3\n40.20|40.21 rail1"
HIDDEN = "game world-undone-east-prussia-1914\nboard east-prussia\noptions=hidden-movement\n5320: XVII/36\n5822: XX/28"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("4020", ["40.20: clear (stated)", "  to 40.21: rail1 (stated)", "  units: 25/3"]),
        ("4021", ["40.21: terrain (not stated)", "  to 40.20: rail1 (stated)"]),
        ("4030", []),
        ("8.1.4", []),
        ("9999", []),
        ("", []),
    ],
)
def test_a_hex_of_a_paper_map_has_what_is_stated_of_it(text: str, lines: list[str]) -> None:
    assert [*describe_hex(parse(PAPER), text)] == lines


def test_a_hex_of_a_board_says_how_it_is_known() -> None:
    lines = [*describe_hex(parse(HIDDEN), "5420")]
    assert lines[0] == "5420 (Eydtkuhnen): clear, town=town (drawn from geography)"
    assert "  to 5320: rail (drawn from geography)" in lines


def test_a_side_is_not_told_who_stands_there_unseen() -> None:
    position = parse(HIDDEN)
    seen = position.seen(seen_as(position.game, position.state, "german", {}))
    whole, told = "\n".join(describe_hex(position, "5822")), "\n".join(describe_hex(seen, "5822"))
    assert "XX/28" in whole and "XX/28" not in told
    assert "unseen=russian" in told
