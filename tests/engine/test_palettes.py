"""The windows of palettes in the real engine: they open whole, and hold every counter of the module."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from assistant.installed.registry import installed_games, load_game
from module_builder.vassal.module import build_module, list_units, wanted_module

from .palettes import seen_in

GAMES = [name for name in installed_games() if load_game(name).file.module]


@pytest.mark.parametrize("name", GAMES)
def test_every_counter_and_marker_is_seen_whole_in_its_palette(engine: ModuleType, tmp_path: Path, name: str) -> None:
    game = load_game(name)
    outcome = seen_in(engine, tmp_path, name, build_module(game).data)
    assert outcome.faults == []
    assert [piece for piece in outcome["seen"] if not piece.whole] == []
    assert {piece.window for piece in outcome["seen"]} <= {"Counters", "Markers"}, "windows of their own"
    counters = {piece.gpid for piece in outcome["seen"] if piece.window == "Counters"}
    assert len(counters) == len(list_units(game, wanted_module(game)))
