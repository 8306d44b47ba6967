"""Units that come to a place: those on the map move, others of the roster enter play."""

from __future__ import annotations

from assistant.field.arriving import bring_unit
from assistant.state.changes import Change, Enter

from ...conftest import viewed


def test_a_unit_of_the_position_moves_and_another_enters() -> None:
    view = viewed("41.19: 1/1, 36/17\n40.20: 25/3\n")
    assert bring_unit(view, "25/3", "41.19", "6.1") == Change("place", "25/3", "40.20", "41.19", "6.1")
    assert bring_unit(view, "25/3", None, "6.1") == Change("place", "25/3", "40.20", None, "6.1")
    assert bring_unit(view, "29/20", "41.19", "6.1") == Enter("29/20", "29/20", "41.19", 2, "6.1")
    assert bring_unit(view, "29/20", "41.19", "6.1", on_top=True) == Enter("29/20", "29/20", "41.19", 0, "6.1")
    assert bring_unit(view, "29/20", None, "6.1") == Enter("29/20", "29/20", None, 0, "6.1")
