"""Boards as pictures: every hex and place at its pixel, nothing that nobody stated."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import hypot, sqrt
from typing import Any, Literal

import pytest

from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.lettering import text_width
from assistant.drawing.palettes import ground_colour
from assistant.drawing.png import to_png
from assistant.drawing.scene import Path, Polyline, Rectangle, Scene, Shape, Text
from assistant.drawing.style import UNKNOWN_GROUND
from assistant.formats.vassal.board_grids import board_grid
from assistant.game.boards import Board
from assistant.game.hexes import HexGrid
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.vassal.boards import board_scene

from ...cases import thorough

HEIGHT = 112.0


def blank(orientation: Literal["flat", "pointy"]) -> Board:
    grid = HexGrid(orientation=orientation, shifted="odd", columns=(3, 9), rows=(2, 6), format="{column:02}.{row:02}")
    return Board(name="b", title="A board", grid=grid)


def centres(board: Board, margin: float = 150.0) -> tuple[Callable[[str], tuple[float, float]], tuple[float, float]]:
    """Where hexes lie, with the margin left and above, and the size of the picture."""
    found = {name: board.grid.centre(board.grid.parse(name)) for name in board_hexes(board)}
    left, top = min(x for x, _ in found.values()), min(y for _, y in found.values())
    at = {name: ((x - left) * HEIGHT + margin, (y - top) * HEIGHT + margin) for name, (x, y) in found.items()}
    size = max(x for x, _ in at.values()) + margin, max(y for _, y in at.values()) + margin
    return at.__getitem__, size


def drawn(board: Board, places: dict[str, str] | None = None, **more: Any) -> Scene:
    centre, size = centres(board)
    return board_scene(board, centre, HEIGHT, size, places or {}, **more)


def layer(scene: Scene, name: str) -> tuple[Shape, ...]:
    return next((layer.shapes for layer in scene.layers if layer.name == name), ())


def _lines(name: str) -> list[str]:
    """A long name is written on two lines."""
    first, comma, second = name.partition(", ")
    return [first + comma.strip(), second] if comma else [name]


def box(text: Text) -> tuple[float, float, float, float]:
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
    return left, text.y - text.size * 0.74, left + width, text.y + text.size * 0.05


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_every_hex_stands_where_the_map_says_with_its_number(orientation: Literal["flat", "pointy"]) -> None:
    board = blank(orientation)
    centre, (width, height) = centres(board)
    scene = drawn(board)
    assert (scene.width, scene.height) == (width, height)
    corners = {
        point for shape in layer(scene, "grid") if isinstance(shape, Path) for line in shape.lines for point in line
    }
    for name in board_hexes(board):
        x, y = centre(name)
        distances = sorted(hypot(at[0] - x, at[1] - y) for at in corners)
        assert distances[0] == pytest.approx(HEIGHT / sqrt(3))  # its own corners are the nearest, and all as far
        assert (
            len(
                {
                    (round(x), round(y))
                    for x, y in corners
                    if hypot(x - centre(name)[0], y - centre(name)[1]) < HEIGHT * 0.6
                }
            )
            == 6
        )
    numbers = {text.text: text for text in layer(scene, "numbers") if isinstance(text, Text)}
    assert set(numbers) == set(board_hexes(board))
    assert all(-HEIGHT / 2 < text.y - centre(name)[1] < -HEIGHT / 4 for name, text in numbers.items())


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_names_of_places_run_into_no_number_and_no_other_name(orientation: Literal["flat", "pointy"]) -> None:
    board = blank(orientation)
    words = ("Königsberg", "Gumbinnen, south-west", "Lyck", "Grumbkowkeiten", "Kraupischken, east", "Dtsch. Eylau")
    places = {name: words[n % len(words)] for n, name in enumerate(board_hexes(board))}
    scene = drawn(board, places)
    texts = [shape for name in ("numbers", "names") for shape in layer(scene, name) if isinstance(shape, Text)]
    assert {text.text for text in texts} == {word for line in words for word in _lines(line)} | {*board_hexes(board)}
    assert min(text.size for text in texts) >= 8
    for one, two in combinations(map(box, texts), 2):
        assert one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


def test_what_a_board_states_is_drawn_and_the_rest_is_blank_paper() -> None:
    game = load_game("twilight-in-the-east")
    scene = drawn(game.board("sample"), game=game)
    assert all(layer(scene, name) for name in ("terrain", "texture", "rivers", "roads", "railways", "hexsides"))
    fills = {
        shape.fill for shape in layer(scene, "terrain") if isinstance(shape, Path | Rectangle)
    }  # the lowest is the paper
    assert {ground_colour(terrain) for terrain in ("clear", "rough", "wetlands")} <= fills
    scene = drawn(blank("flat"), game=load_game("twilight-in-the-east"))
    assert [layer.name for layer in scene.layers] == ["paper", "terrain", "grid", "edge", "numbers", "frame", "title"]
    assert [shape.fill for shape in layer(scene, "terrain") if isinstance(shape, Rectangle)] == [UNKNOWN_GROUND]


def test_a_part_of_a_board() -> None:
    game = load_game("twilight-in-the-east")
    board = game.board("sample")
    centre, size = centres(board)
    some = board_hexes(board)[:40]
    at = {name: centre(name) for name in some}
    scene = board_scene(board, at.__getitem__, HEIGHT, size, {some[0]: "in", "62.41": "out"}, game=game, hexes=some)
    assert {text.text for text in layer(scene, "numbers") if isinstance(text, Text)} == set(some)
    assert [text.text for text in layer(scene, "names") if isinstance(text, Text)] == ["in"]
    beyond = [y for shape in layer(scene, "railways") if isinstance(shape, Polyline) for _, y in shape.points]
    assert not beyond or max(beyond) < max(y for _, y in at.values()) + HEIGHT  # lines end at the last hexes


def test_the_title_stands_in_the_margin_if_it_has_room_and_a_place_off_the_board_is_an_error() -> None:
    board = blank("flat")
    assert [shape.text for shape in layer(drawn(board), "title") if isinstance(shape, Text)] == ["A board"]
    centre, size = centres(board, HEIGHT / 2 + 10)
    assert layer(board_scene(board, centre, HEIGHT, size, {}), "title") == ()
    with pytest.raises(InputError, match="off the map"):
        drawn(blank("flat"), {"20.20": "nowhere"})


def test_the_picture_is_whole_and_the_same_each_time() -> None:
    scene = drawn(blank("flat"), {"05.04": "Königsberg"})
    first = scene.layers[0].shapes[0]
    assert isinstance(first, Rectangle)
    assert (first.width, first.height) == pytest.approx((scene.width, scene.height))
    assert to_png([scene], 1) == to_png([drawn(blank("flat"), {"05.04": "Königsberg"})], 1)


@thorough
def test_every_number_of_the_whole_eastern_board_stands_in_the_hex_that_the_engine_counts_there() -> None:
    game = load_game("twilight-in-the-east")
    board = game.board("east")
    grid = board_grid(board.grid, 60)
    hexes = [name for name in grid.hexes if name in board.hexes]
    scene = board_scene(board, grid.hexes.__getitem__, 60, grid.size, {}, game=game, hexes=hexes)
    numbers = [shape for shape in layer(scene, "numbers") if isinstance(shape, Text)]
    assert {text.text for text in numbers} == board.hexes
    for text in numbers:
        assert grid.grid.locate((round(text.x), round(text.y))) == text.text
