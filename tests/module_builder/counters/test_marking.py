"""Markers as counters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.game.games import Game, read_game
from assistant.plugins.registry import load_game
from assistant.util.errors import InputError
from module_builder.counters import marker_colour, markers
from module_builder.counters.checks import counter_faults
from module_builder.new import new_game

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


@pytest.mark.parametrize(
    ("stated", "key", "what"),
    [
        ('colour = "blue"', "colour", "'blue' is not a colour"),
        ("pairs = [[]]", "pairs", "a marker shows one value or two, not 0"),
        ("pairs = [[1, 2, 3]]", "pairs", "a marker shows one value or two, not 3"),
        ("pairs = [[1, 99]]", "pairs", "99 is not allowed"),
        ('pairs = [["one"]]', "pairs", "'one' is not allowed"),
        ('shows = { 99 = "X" }', "shows", "99 is not allowed"),
        ('symbols = { one = "fort" }', "symbols", "'one' is not allowed"),
    ],
)
def test_a_mistake_in_markers_is_named_with_its_place(tmp_path: Path, stated: str, key: str, what: str) -> None:
    new_game(tmp_path / "drill")
    (tmp_path / "drill" / "counters.toml").write_text(f"[markers.turn]\n{stated}\n", "utf-8")
    drill = read_game("drill", tmp_path / "drill")
    (fault,) = counter_faults(drill)
    assert str(fault).startswith(f"counters.toml:2: [markers.turn] {key}: ")
    assert what in str(fault)
    with pytest.raises(InputError, match=re.escape(what)):
        markers(drill)


def test_a_colour_of_a_track_that_is_none_is_named(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    tracks = tmp_path / "drill" / "tracks.toml"
    tracks.write_text(tracks.read_text("utf-8").replace("#8c1f28", "#8c1f2"), "utf-8")
    with pytest.raises(InputError, match=re.escape("tracks.toml: [disrupted.module] colour '#8c1f2' is not a colour")):
        markers(read_game("drill", tmp_path / "drill"))
