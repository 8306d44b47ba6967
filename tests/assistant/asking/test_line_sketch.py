"""What a picture of lines shows: shared stretches, and who needs help most."""

from __future__ import annotations

from itertools import pairwise

from assistant.asking.line_sketch import Break, LineSketch, LineWords, Marked, Origin, Strand, Weight, weights, worst

ONE = Strand(unit="1", side="blue", hexes=("0101", "0102", "0103"))
OTHER = Strand(unit="2", side="blue", hexes=("0103", "0102", "0202"), full=False)
FOE = Strand(unit="3", side="red", hexes=("0101", "0102"))


def test_a_shared_stretch_counts_once_with_all_lines_of_its_side_in_the_order_in_which_they_cross_it() -> None:
    assert weights([ONE, OTHER, FOE], "blue") == {
        "0101|0102": Weight(1, True),
        "0102|0103": Weight(2, True),
        "0102|0202": Weight(1, False),
    }
    assert weights([ONE, OTHER, FOE], "red") == {"0101|0102": Weight(1, True)}
    along = [f"{column:02}.10" for column in range(10, 22)]
    strand = Strand(unit="A", side="red", hexes=tuple(along))
    assert list(weights([strand], "red")) == [f"{here}|{there}" for here, there in pairwise(along)]


def test_who_needs_help_most_comes_first() -> None:
    assert worst(["full", "low", "none"]) == "none"
    assert worst(["unknown", "low"]) == "unknown"


def test_all_that_matters_has_its_hex_once() -> None:
    shown = LineSketch(
        title="T",
        words=LineWords(statuses={}),
        sides=("blue",),
        units=(Marked(unit="1", place="0103", side="blue", status="full"),),
        origins=(Origin(name="D", place="0101", side="blue"),),
        strands=(ONE,),
        breaks=(Break(where="0104|0105", side="blue", why="river"),),
        focus=("0110",),
    )
    assert shown.hexes == ["0110", "0103", "0101", "0102", "0104", "0105"]
