"""What the question about one unit says of the modes of supply units: over a board and along a typed line."""

from __future__ import annotations

import pytest

from twilight_in_the_east.supply.question import report_unit_supply

from ...conftest import answered, told, typed, viewed

BOARD = 'board sample\ntrust counters\nturn=5\n65.37: "Russian 1 Train" range={} extended-range=12{}\n68.35: 22/1\n'
ROUND = "68.36: 41/20\n66.35: 37/20\n"
"""Germans whose zones lengthen the line."""
FLIPPED = "Russian 1 Train is flipped to Extended Mode for this, and therefore for all that it serves"


@pytest.mark.rule("14.2b", "14.4d")
def test_over_a_board_it_names_the_train_that_is_flipped_and_what_the_unit_has_as_it_stands() -> None:
    far = answered(typed(BOARD.format(2, "") + ROUND), "supply", unit="22/1")
    assert (far.result.state, far.result.stands) == ("low", "out")
    assert told(far, "Modes") == [FLIPPED, "as it stands, 22/1 is Out of Supply"]
    on_its_back = answered(typed(BOARD.format(2, " extended") + ROUND), "supply", unit="22/1")
    assert (on_its_back.result.state, told(on_its_back, "Modes")) == ("low", [])
    near = answered(typed(BOARD.format(12, " extended") + ROUND), "supply", unit="22/1")
    assert (near.result.state, near.result.stands) == ("in", "low")
    assert told(near, "Modes")[0].startswith("Russian 1 Train is flipped back to its front side")
    view = viewed(BOARD.format(2, "") + ROUND)
    brief = report_unit_supply(view, view.unit("22/1"), briefly=True)
    assert (brief.result.state, told(brief, "Modes")) == ("low", [])


@pytest.mark.rule("14.2b")
def test_along_a_typed_line_it_names_the_source_that_is_flipped() -> None:
    text = '40.23: "Russian 1 Train" supply=in range=1 extended-range=4{}\n40.20: 22/1\n'
    text += 'line "Russian 1 Train": 4023:4022c:4021c:4020c\n'
    assert told(answered(typed(text.format("")), "supply", unit="22/1", line="Russian 1 Train"), "Modes") == [
        FLIPPED,
        "as it stands, 22/1 is Out of Supply",
    ]
    flipped = answered(typed(text.format(" extended")), "supply", unit="22/1", line="Russian 1 Train")
    assert told(flipped, "Modes") == []
