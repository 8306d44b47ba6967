"""The hexes of an attack: where several are attacked from together, and what all attackers cross."""

from __future__ import annotations

import pytest

from assistant.field import Hexside
from assistant.field.attacking import all_across, common_ring
from assistant.questions import MissingFacts, View
from world_undone_east_prussia.ground import TRACKS

from ...conftest import typed


def seen(text: str) -> View:
    position = typed(f"game world-undone-east-prussia-1914\n{text}")
    return View(position.game, position.state)


def test_the_hexes_adjacent_to_all_of_some() -> None:
    board = seen("turn=1").board
    assert common_ring(board, ["5420"]) == [*board.neighbours("5420")]
    assert set(common_ring(board, ["5420", "5421"])) == {"5321", "5521"}
    assert common_ring(board, ["5420", "5422"]) == ["5421"]
    assert common_ring(board, ["5420", "5425"]) == []


@pytest.mark.parametrize(
    ("text", "across"),
    [
        ("5320|5420 river\n5321|5420 river", True),
        ("5320|5420 river\n5321|5420 open", False),
        ("5321|5420 open", False),
    ],
)
def test_a_feature_that_all_attackers_cross(text: str, across: bool) -> None:
    view = seen(text)
    with view.gather() as facts:
        over = [Hexside(view, place, "5420", TRACKS) for place in ("5320", "5321")]
        assert all_across(facts, over, "barrier", "river") is across
        assert not all_across(facts, [], "barrier", "river")


def test_hexsides_are_asked_for_together_where_none_is_known_to_lack_it() -> None:
    view = seen("5321|5420 river")
    with pytest.raises(MissingFacts) as missing, view.gather() as facts:
        all_across(facts, [Hexside(view, at, "5420", TRACKS) for at in ("5320", "5321", "5419")], "barrier", "river")
    assert [ask.key for ask in missing.value.asks] == [("barrier", "5320|5420"), ("barrier", "5419|5420")]
