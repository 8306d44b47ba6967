"""Every hex of every drawn board, in a module that is built of it: the engine prints the number that the assistant reads."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.modules import read_module
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game, read_game
from module_builder.vassal.module import build_module, module_grid, wanted_module
from module_builder.vassal.module_setting import MAP

from .test_grids import engine_names, names

PLUGINS = Path(__file__).parents[2] / "plugins"
BOARDS = [
    ("twilight_in_the_east", "east", 9442),
    ("der_weltkrieg", "map-4-5", 720),
    ("der_weltkrieg", "map-5-5", 660),
]
HEIGHT = 30
"""Of a hex in pixels: large enough for points near its edges, small enough to draw a whole board in a few seconds."""


def showing(game: Game, board: str) -> Game:
    """The game with a module of a whole board and nothing on it."""
    file = msgspec.structs.replace(game.file, module=VassalModule(name=board, board=board, hex=HEIGHT))
    return Game(game.id, game.folder, file, game.tracks)


def around(centre: Pixel, corner: float, side: float) -> list[Pixel]:
    """Three points in a hex. corner, side: how far towards two corners and a side, 1 for the edge itself."""
    radius = HEIGHT / sqrt(3)
    angles = {0.0: radius * corner, pi / 2: radius * cos(pi / 6) * side, 4 * pi / 3: radius * corner}
    return [(round(centre[0] + far * cos(angle)), round(centre[1] + far * sin(angle))) for angle, far in angles.items()]


@pytest.mark.parametrize(("folder", "board", "hexes"), BOARDS)
def test_the_engine_and_the_assistant_print_the_same_number_for_every_hex(
    engine: ModuleType, tmp_path: Path, folder: str, board: str, hexes: int
) -> None:
    game = showing(read_game(folder.replace("_", "-"), PLUGINS / folder), board)
    drawn, grid = game.board(board), module_grid(game, wanted_module(game)).hexes
    assert len(drawn.hexes) == hexes and drawn.hexes <= grid.keys()
    file = tmp_path / "board.vmod"
    file.write_bytes(build_module(game).data)
    dropped = [(at, point) for at in grid.values() for point in around(at, 0.7, 0.9)]  # VASSAL cuts off the corners
    edges = [point for at in grid.values() for point in around(at, 1.0, 1.0)]
    asked = {"centres": list(grid.values()), "dropped": [point for _, point in dropped], "edges": edges}
    steps = [{"do": "locate", "map": MAP, "points": points, "as": name} for name, points in asked.items()]
    outcome = engine.run(file, [{"do": "new"}, *steps], seconds=300)
    assert outcome.faults == []
    assert engine_names(outcome["centres"]) == list(grid)
    assert [place.snapped for place in outcome["dropped"]] == [at for at, _ in dropped]
    read, shown = read_module(file.read_bytes()), ((drawn.title, 0, 0),)
    for name, points in asked.items():
        assert names(read, MAP, shown, points) == engine_names(outcome[name]), name
