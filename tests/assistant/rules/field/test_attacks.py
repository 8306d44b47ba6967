"""The hexes of an attack: where several are attacked from together, and what all attackers cross."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking import InputError, MissingFacts, View
from assistant.game.states import build_state
from assistant.rules.field import Hexside
from assistant.rules.field.attacks import all_across, attacking_hexes, bars_by_turn, common_ring, defender_of
from world_undone_east_prussia.ground import TRACKS

from ....conftest import typed
from ....folders import game_of


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


STANDING = "5320: XVII/36\n5321: I/2\n5420: III/25\n5421: III/27\n5219: I/1"


def test_who_defends_hexes_that_are_attacked_together() -> None:
    view = seen(STANDING)
    assert defender_of(view, ["5420", "5421"]) == "russian"
    with pytest.raises(InputError, match="nothing defends 5422"):
        defender_of(view, ["5420", "5422"])
    assert defender_of(view, ["5422"], lambda view, at: "german") == "german"
    with pytest.raises(InputError, match="5420 and 5321 are held by both sides"):
        defender_of(view, ["5420", "5321"])


def test_from_where_hexes_are_attacked() -> None:
    view = seen(STANDING)
    assert attacking_hexes(view, ["5420"], [], "german") == ["5321", "5320"]
    assert attacking_hexes(view, ["5420", "5421"], [], "german") == ["5321"]
    assert attacking_hexes(view, ["5420"], ["5219", "5219"], "german") == ["5219"]
    with pytest.raises(InputError, match="from: no attacker stands in 5421"):
        attacking_hexes(view, ["5420"], ["5320", "5421"], "german")


def test_a_game_may_count_neither_phases_nor_player_turns(tmp_path: Path) -> None:
    files = {"game.toml": 'title = "Moor"\nsides = { blue = ["blue"], red = ["red"] }\n', "tracks.toml": ""}
    game = game_of(tmp_path, files, "moor")
    assert bars_by_turn(View(game, build_state(game)), "blue", ["attack"], "1.1") == []
