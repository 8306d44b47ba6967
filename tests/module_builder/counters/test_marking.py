"""Markers as counters."""

from __future__ import annotations

import pytest

from assistant.game.games import Game
from assistant.plugins.registry import load_game
from module_builder.counters import marker_colour, markers

from .test_pieces import shown


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("twilight-in-the-east")


def test_two_levels_share_a_marker(game: Game) -> None:
    made = {counter.unit: counter for counter in markers(game)}
    both = made["ip 1/2"]
    assert "1" in " ".join(shown(both.front))
    assert "2" in " ".join(shown(both.back))
    assert both.is_marker


def test_each_side_controls_in_its_own_colour(game: Game) -> None:
    colours = {side: marker_colour(game, game.tracks["control"], side) for side in game.file.sides}
    assert len(set(colours.values())) == len(game.file.sides)
    control = next(counter for counter in markers(game) if counter.unit.startswith("control"))
    assert control.ground == colours["central-powers"]


def test_no_marker_without_a_back(game: Game) -> None:
    assert [counter.unit for counter in markers(game) if counter.back is None] == []
