"""A map drawn by an author: its hexes lie below those of the grid, on paper and in the pictures of answers."""

from __future__ import annotations

import io
from math import sqrt
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw

from assistant.asking.view import View
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.own_art import art_layer
from assistant.drawing.map.survey import survey_of
from assistant.drawing.scene import Bitmap
from assistant.drawing.sketch.scene import standing_scene
from assistant.drawing.style import PAPER
from assistant.game.games import read_game
from assistant.service import parse
from module_builder.cli import cli
from module_builder.new import new_game

ACROSS = 52.0
DOWN = 60.0
FIRST = (70, 50)


@pytest.fixture
def drill(tmp_path: Path) -> Path:
    new_game(tmp_path / "drill")
    return tmp_path / "drill"


def paint(folder: Path, *, pointy: bool = False, more: str = "") -> dict[str, tuple[int, int, int]]:
    """Give the board a picture in which each hex has a spot of its own colour in its middle; the colours by hex."""
    head = folder / "boards" / "field" / "board.toml"
    text = head.read_text("utf-8").replace('"flat"', '"pointy"') if pointy else head.read_text("utf-8")
    step = (DOWN, ACROSS) if pointy else (ACROSS, DOWN)
    if pointy:  # what lies on hexsides lies elsewhere then
        (folder / "boards" / "field" / "map.lines").unlink()
    head.write_text(f'{text}\n[picture]\nfile = "map.png"\nfirst = {list(FIRST)}\nstep = {list(step)}\n{more}', "utf-8")
    (folder / "boards" / "field" / "map.png").touch()
    board = read_game("drill", folder).board("field")
    picture = Image.new("RGB", (720, 760), "#204060")
    draw = ImageDraw.Draw(picture)
    colours = {}
    corner = board.centre("0101")
    for number, name in enumerate(board_hexes(board)):
        x, y = board.centre(name)
        unit = step[0] / (1 if pointy else sqrt(3) / 2), step[1] / (sqrt(3) / 2 if pointy else 1)
        at = FIRST[0] + (x - corner[0]) * unit[0], FIRST[1] + (y - corner[1]) * unit[1]
        colours[name] = (100 + number, 255 - number, number * 2 % 256)
        draw.ellipse((at[0] - 9, at[1] - 9, at[0] + 9, at[1] + 9), fill=colours[name])
    picture.save(folder / "boards" / "field" / "map.png")
    return colours


def ground(folder: Path, hexes: list[str]) -> tuple[Layout, Bitmap]:
    game = read_game("drill", folder)
    layout = Layout(game.board("field"), hexes, (7.0, 11.0))
    layer = art_layer(survey_of(layout, game))
    assert layer is not None
    (bitmap,) = layer.shapes
    assert isinstance(bitmap, Bitmap)
    return layout, bitmap


def seen(bitmap: Bitmap, x: float, y: float) -> tuple[int, ...]:
    """The colour of a picture at a point of the sheet."""
    column = int((x - bitmap.x) / bitmap.width * bitmap.columns)
    row = int((y - bitmap.y) / bitmap.height * bitmap.rows)
    at = (row * bitmap.columns + column) * 3
    return tuple(bitmap.pixels[at : at + 3])


@pytest.mark.parametrize("pointy", [False, True])
@pytest.mark.parametrize("hexes", [[], ["0404", "0405", "0505"]])
def test_the_middle_of_each_hex_lies_where_its_number_says(drill: Path, pointy: bool, hexes: list[str]) -> None:
    colours = paint(drill, pointy=pointy)
    layout, bitmap = ground(drill, hexes or sorted(colours))
    for name in layout.names:
        assert seen(bitmap, *layout.centre(name)) == colours[name], name


def test_only_what_the_hexes_need_is_cut_out_and_takes_the_place_of_our_map_and_key(drill: Path) -> None:
    paint(drill)
    layout, bitmap = ground(drill, ["0404", "0405"])
    assert bitmap.width == pytest.approx(layout.width, abs=1.5)
    assert bitmap.height == pytest.approx(layout.height, abs=1.5)
    game = read_game("drill", drill)
    layout = Layout(game.board("field"), ["0404", "0405"])
    drawn = map_layers(survey_of(layout, game), (200, 200), PAPER, MapWish())
    assert [layer.name for layer in drawn.all] == ["own-art"]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_it_is_the_board_on_paper_and_on_the_screen(drill: Path) -> None:
    colours = paint(drill)
    out = drill.parent / "board.png"
    done = run("board", drill, "-o", out, "--px", "60")
    assert done.exit_code == 0, done.stderr
    with Image.open(out) as picture:
        shown = set(
            picture.convert("RGB")
            .resize((picture.width // 2, picture.height // 2), Image.Resampling.NEAREST)
            .get_flattened_data()
        )  # type: ignore[attr-defined]
    close = [
        colour
        for colour in colours.values()
        if any(max(abs(a - b) for a, b in zip(colour, other, strict=True)) < 4 for other in shown)
    ]
    assert len(close) > 90
    for ending in ("pdf", "svg"):
        assert run("board", drill, "-o", drill.parent / f"board.{ending}").exit_code == 0


def test_units_stand_on_it_in_pictures_of_a_position(drill: Path) -> None:
    def layers() -> list[str]:
        game = read_game("drill", drill)
        text = next((drill / "examples").glob("*.pos")).read_text("utf-8")
        position = parse(text, game=game)
        return [layer.name for layer in standing_scene(View(game, position.state)).layers]

    assert "terrain" in layers()
    paint(drill)
    assert "own-art" in layers()
    assert "terrain" not in layers()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no picture", "it is not a picture"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 99, "it is not a picture"),
        (None, "missing"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_file(drill: Path, data: bytes | None, said: str) -> None:
    paint(drill)
    file = drill / "boards" / "field" / "map.png"
    file.unlink()
    if data is not None:
        file.write_bytes(data)
    done = run("board", drill, "-o", drill.parent / "board.pdf")
    assert done.exit_code == 3
    assert said in done.stderr
    assert "map.png" in done.stderr or "board.toml" in done.stderr
    assert not (drill.parent / "board.pdf").exists()


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_unpacked(
    drill: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paint(drill)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "100000")
    done = run("board", drill, "-o", drill.parent / "board.pdf")
    assert done.exit_code == 3
    assert "FIELD_STAFF_LIMIT_PIXELS" in done.stderr


def test_a_large_picture_is_made_smaller_and_a_clear_one_lies_on_white(drill: Path) -> None:
    paint(drill)
    file = drill / "boards" / "field" / "map.png"
    held = io.BytesIO()
    Image.new("RGBA", (720, 760), (0, 0, 0, 0)).save(held, "PNG")
    file.write_bytes(held.getvalue())
    _, bitmap = ground(drill, ["0404"])
    assert seen(bitmap, bitmap.x + 1, bitmap.y + 1) == (255, 255, 255)
