"""What a sketch holds: letters for reasons, labels, one part for each hex; and a picture of lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from assistant.asking.asks import Ask
from assistant.asking.line_sketch import (
    Break,
    LineSketch,
    LineWords,
    Marked,
    Origin,
    Strand,
    Weight,
    find_worst_status,
    weigh_hexsides,
)
from assistant.asking.sketch import (
    Arrow,
    Fate,
    Sketch,
    Spot,
    drop_repeated_spots,
    format_ask,
    format_number_change,
    merge_fates,
    way_of,
)
from assistant.state.changes import Change, Gain, Raise


def test_reasons_have_letters_in_their_order_and_hexes_that_share_one_share_its_letter() -> None:
    spots = (
        Spot(hex="1", role="open", label="free"),
        Spot(hex="2", role="barred", why="enemies stand there"),
        Spot(hex="3", role="barred", why="across a river"),
        Spot(hex="4", role="barred", why="enemies stand there"),
    )
    sketch = Sketch(title="T", spots=spots)
    assert sketch.letters == {"a": "enemies stand there", "b": "across a river"}
    assert [sketch.text(spot) for spot in spots] == ["free", "a", "b", "a"]
    many = Sketch(title="T", spots=tuple(Spot(hex=str(n), role="barred", why=f"reason {n}") for n in range(28)))
    assert list(many.letters)[24:] == ["y", "z", "aa", "ab"]


def test_a_hex_has_one_part_and_what_may_be_entered_comes_first() -> None:
    start, shut, free = (Spot(hex="1", role=role) for role in ("start", "barred", "open"))
    assert drop_repeated_spots([start, shut]) == (start,)
    assert drop_repeated_spots([start, free]) == (free,)


def test_a_way_needs_two_hexes() -> None:
    assert way_of(["1", "2"], "red") == (Arrow(hexes=("1", "2"), side="red"),)
    assert way_of(["", "2"]) == way_of(["1"]) == ()


@pytest.mark.parametrize(
    ("stated", "changes", "words"),
    [
        (65, [Gain("vp", "us", -9, ""), Gain("vp", "us", -9, "")], "down by 18, from 65 to 47"),
        (None, [Gain("vp", "us", -9, ""), Gain("vp", "us", -9, "")], "down by 18"),
        (3, [Change("lost", "1 H", 3, 4, "")], "up by 1, from 3 to 4"),
        (2, [Change("left", "1 H", 2, None, "")], "down by 2, from 2 to 0"),
        (None, [Change("left", "1 H", None, 5, "")], "now 5"),
        (4, [Raise("ip", "1", 3, "")], "unchanged at 4"),
        (1, [Raise("ip", "1", 3, ""), Gain("ip", "1", 1, "")], "up by 3, from 1 to 4"),
    ],
)
def test_all_changes_of_a_number_are_told_as_one_that_is_not_taken_for_a_value(
    stated: int | None, changes: list[Change | Gain | Raise], words: str
) -> None:
    assert format_number_change(stated, changes) == words


def test_units_that_share_a_fate_are_told_of_in_one_line() -> None:
    fates = [Fate(units=(unit,), text="cannot retreat and is eliminated", kind="lost") for unit in ("1", "2")]
    together = [*merge_fates([*fates, Fate(units=("3",), text="retreats off the map")])]
    assert [fate.line for fate in together] == [
        "1, 2: cannot retreat and are eliminated",
        "3: retreats off the map",
    ]


def test_a_choice_of_one_says_so() -> None:
    alone = Ask(kind="choice", name="hex.1", rule="", title="hex 1", how="", options=("5520",))
    assert format_ask(alone) == "hex 1: 5520, the only choice"


# --- lines ------------------------------------------------------------------------------------------------------------

ONE = Strand(unit="1", side="blue", hexes=("0101", "0102", "0103"))
OTHER = Strand(unit="2", side="blue", hexes=("0103", "0102", "0202"), full=False)
FOE = Strand(unit="3", side="red", hexes=("0101", "0102"))


def test_a_shared_stretch_counts_once_with_all_lines_of_its_side_in_the_order_in_which_they_cross_it() -> None:
    assert weigh_hexsides([ONE, OTHER, FOE], "blue") == {
        "0101|0102": Weight(1, True),
        "0102|0103": Weight(2, True),
        "0102|0202": Weight(1, False),
    }
    assert weigh_hexsides([ONE, OTHER, FOE], "red") == {"0101|0102": Weight(1, True)}
    along = [f"{column:02}.10" for column in range(10, 22)]
    strand = Strand(unit="A", side="red", hexes=tuple(along))
    assert list(weigh_hexsides([strand], "red")) == [f"{here}|{there}" for here, there in pairwise(along)]


def test_who_needs_help_most_comes_first() -> None:
    assert find_worst_status(["full", "low", "none"]) == "none"
    assert find_worst_status(["unknown", "low"]) == "unknown"


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
