"""Boards for the tests of maps: written as files, read as any board is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assistant.drawing.geometry import PageBox
from assistant.drawing.layout import Layout
from assistant.drawing.lettering import text_width
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.survey import FULL_SCALE, MapReader, Scale, Survey
from assistant.drawing.scene import Shape, Text
from assistant.drawing.symbols import Symbols
from assistant.game.boards import Board
from assistant.game.boards.files import read_board
from assistant.installed.registry import installed_games, load_game

BOARDS = [(game.id, name) for game in map(load_game, sorted(installed_games())) for name in game.board_names]
GAME = "twilight-in-the-east"
_HEAD = """title = "a map"
source = "drawn"
whole = ["barrier", "rail", "road", "border"]

[grid]
orientation = "{orientation}"
shifted = "odd"
format = "{{column:02}}.{{row:02}}"
columns = [1, 12]
rows = [1, 10]

[terrain]
c = "clear"
r = "rough"
s = "sea"
"""


def board(folder: Path, lines: str = "", places: str = "", water: int = 0, orientation: str = "flat") -> Board:
    """A board of 12 by 10 hexes, clear but for some columns of sea in the west."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "board.toml").write_text(_HEAD.format(orientation=orientation), "utf-8")
    columns = range(1, 13)
    rows = ["    " + " ".join(f"{column:02}" for column in columns)]
    for row in range(1, 11):
        rows.append(f"{row:02}  " + " ".join(" s" if column <= water else " c" for column in columns))
    (folder / "terrain.txt").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "map.lines").write_text(lines, "utf-8")
    if places:
        (folder / "places.csv").write_text(f"hex,name,class,label\n{places}", "utf-8")
    return read_board(folder, load_game(GAME).tracks)


def survey(drawn: Board, names: list[str] | None = None, *, doubts: bool = False, scale: Scale = FULL_SCALE) -> Survey:
    """The survey of a board, or of some of its hexes."""
    game = load_game(GAME)
    look = MapReader(drawn, game.tracks, game.file.picture, game.file.sides)
    layout = Layout(drawn, names or sorted(drawn.hexes))
    return Survey(layout, look, Symbols(game), doubts=doubts, scale=scale)


def layers(drawn: Survey, wish: MapWish = MapWish()) -> dict[str, tuple[Shape, ...]]:
    size = drawn.layout.width, drawn.layout.height
    return {layer.name: layer.shapes for layer in map_layers(drawn, size, "#ffffff", wish).all}


@cache
def the_east() -> tuple[Survey, dict[str, tuple[Shape, ...]]]:
    drawn = survey(load_game(GAME).board("east"))
    return drawn, layers(drawn)


def box(text: Text) -> PageBox:
    """The box of the letters themselves."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
    return PageBox(left, text.y - text.size * 0.74, left + width, text.y + text.size * 0.05)


def boxes(shapes: tuple[Shape, ...]) -> list[PageBox]:
    return [box(text) for text in shapes if isinstance(text, Text)]
