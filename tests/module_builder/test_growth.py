"""How the work of the builder grows: ten times as many units, hexes or facts take ten times the work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.drawing import png
from assistant.formats.notation import read_notation
from assistant.formats.vassal.containers import ModuleData
from assistant.game.games import Game, read_game
from assistant.game.rule_index import rule_index
from module_builder.counters.pictures import counter_pictures, overview_png
from module_builder.counters.pieces import design_counters
from module_builder.vassal import module
from module_builder.vassal.module import build_module
from module_builder.vassal.module_setting import ModuleSetting
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.setups import write_set_up
from tests.growing import PARTS, game_in
from tests.growth import grows_evenly

from ..cases import few, thorough

BUILT = (
    "units",
    "hexes",
    "hexsides",
    "placed",
    "nations",
    "choices",
    "colours",
    "symbols",
    "setups",
    "cells",
    "statuses",
)


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are not drawn: their scenes are what the builder makes."""
    for where in (png, module):
        monkeypatch.setattr(where, "to_png", lambda scenes, scale: [b""] * len(scenes))
    monkeypatch.setattr(png, "page_to_png", lambda page, scale: b"")


@few(3)
@pytest.mark.parametrize("part", BUILT)
def test_a_module_takes_as_much_more_work_as_the_game_holds(part: str, tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        folder = game_in(tmp_path / str(many) / "heath", {part: many})
        return lambda: build_module(read_game("heath", folder))

    assert grows_evenly(make)


@few(3)
@pytest.mark.parametrize("part", PARTS)
def test_counters_take_as_much_more_work_as_the_game_holds(part: str, tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        folder = game_in(tmp_path / str(many) / "heath", {part: many})

        def act() -> None:
            game: Game = read_game("heath", folder)
            made = design_counters(game)
            counter_pictures(made, 75)
            overview_png(made, 75)
            rule_index(game)

        return act

    assert grows_evenly(make)


@thorough
def test_a_set_up_takes_as_much_more_work_as_it_holds(tmp_path: Path) -> None:
    def make(many: int) -> Callable[[], object]:
        game = read_game("heath", game_in(tmp_path / str(many) / "heath", {"placed": many}))
        wanted = module.wanted_module(game)
        grid = module.module_grid(game, wanted)
        maker = Maker(game, dict.fromkeys(game.roster, Art("front.png")), wanted.counter)
        board = module.shown_board(game, wanted)
        setting = ModuleSetting(game, maker, board.title, board.grid, grid, ModuleData("Heath"))
        position = read_notation(
            (tmp_path / str(many) / "heath" / "start0.pos").read_bytes(), "start0.pos", lambda id: game
        )
        return lambda: write_set_up(setting, position)

    assert grows_evenly(make, 5)
