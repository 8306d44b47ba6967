"""The pictures of ways and combats that questions declare."""

from __future__ import annotations

from typing import Any

from assistant.pictures.situation import combat_picture, line_picture
from assistant.pictures.usual import of_combat, of_way
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


def test_a_combat_is_drawn_with_an_arrow_from_each_attacking_hex() -> None:
    view = viewed(POSITION)
    drawn = of_combat(lambda result: (result[0], result[1:]))(view, report("41.19", "40.20"))
    assert drawn == combat_picture(view, "41.19", ["40.20"], title="From here to there", caption="it is near")
    assert drawn != of_combat(lambda result: (result[1], result[:1]))(view, report("41.19", "40.20"))
