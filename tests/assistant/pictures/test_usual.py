"""The pictures of ways and combats that questions declare."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.drawing.scene import Text
from assistant.field.moving import Reach, Reached
from assistant.pictures.situation import combat_picture, line_picture
from assistant.pictures.usual import of_combat, of_reach, of_way
from assistant.questions import Report, verdict

from ...conftest import viewed

POSITION = "40.20: 25/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11)\n"


def report(*hexes: str) -> Report[Any]:
    return Report(title="From here to there", verdict=verdict("yes", "it is near"), result=hexes)


def test_a_way_is_drawn_with_the_title_and_the_verdict() -> None:
    view = viewed(POSITION)
    drawn = of_way(lambda result: result)(view, report("41.19", "40.20"))
    line = line_picture(view, ["41.19", "40.20"], title="From here to there", caption="it is near")
    assert drawn == line


def test_where_a_unit_can_move_is_drawn_with_what_each_hex_costs() -> None:
    view = viewed(POSITION)
    reached = (Reached(hex="40.21", cost=3, way=("40.21",)), Reached(hex="39.20", cost=2, way=("39.20",)))
    found: Report[Any] = report("41.19", "40.20")
    for at, shown in (("40.20", ["40.20", "40.21", "39.20"]), ("", ["40.21", "39.20"])):
        drawn = of_reach(lambda cost: f"{cost / 2:g}")(
            view, replace(found, result=Reach(unit="25/3", at=at, allowance=4, hexes=reached))
        )
        labels = {"40.21": "1.5", "39.20": "1"}
        assert drawn == line_picture(
            view, (), title="From here to there", shown=shown, labels=labels, caption="it is near"
        )

    nowhere = replace(found, result=Reach(unit="25/3", at="", allowance=4))
    every = line_picture(view, (), title="From here to there", shown=["40.20", "41.19"], caption="it is near")
    assert of_reach()(view, nowhere) == every


@pytest.mark.parametrize(("board", "note"), [("", False), ("board east\n", True)])
def test_a_picture_says_that_its_map_is_drawn(board: str, note: bool) -> None:
    drawn = line_picture(viewed(board + POSITION), ["41.19", "40.20"], title="A way", caption="it is near")
    words = " ".join(shape.text for layer in drawn.layers for shape in layer.shapes if isinstance(shape, Text))
    assert "it is near" in words
    assert ("The map is drawn, not from the printed game: the Eastern Front, drawn from geography." in words) == note


def test_a_combat_is_drawn_with_an_arrow_from_each_attacking_hex() -> None:
    view = viewed(POSITION)
    drawn = of_combat(lambda result: (result[0], result[1:]))(view, report("41.19", "40.20"))
    assert drawn == combat_picture(view, "41.19", ["40.20"], title="From here to there", caption="it is near")
    assert drawn != of_combat(lambda result: (result[1], result[:1]))(view, report("41.19", "40.20"))
