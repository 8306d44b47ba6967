"""A photo of a map for tests: a board drawn by the program, as a camera sees it that is held at an angle, with noise. Nothing in it is scanned.

Run by itself it writes such a photo: `python -m tests.page.map_photo FILE.jpg`.
"""

from __future__ import annotations

import functools
import io
import random
import sys
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter

from assistant.drawing.layout import Layout
from assistant.drawing.map.survey import FULL_SCALE
from assistant.drawing.png import to_png
from assistant.drawing.style import HEX_MM
from assistant.game.games import Game
from assistant.installed.registry import load_game
from module_builder.boards.command import parse_area
from module_builder.boards.poster import PosterWish, poster_scene

Matrix = tuple[float, float, float, float, float, float, float, float, float]
GAME, BOARD, AREA = "twilight-in-the-east", "east", "52.12-36.27"
_PX = 60
"""The height of a hex in the picture that is photographed, in pixels."""
SIZE = 1800, 1400


class MapPhoto(NamedTuple):
    """A photo. jpeg: its file; matrix: from pixels of the picture to those of the photo; hexes: those in the picture."""

    jpeg: bytes
    matrix: Matrix
    layout: Layout
    hexes: tuple[str, ...]

    def shows(self, name: str) -> tuple[float, float]:
        """Where the photo shows the middle of a hex."""
        x, y = self.layout.centre(name)
        return _project(self.matrix, x * _PX / HEX_MM, y * _PX / HEX_MM)

    def shows_whole(self, margin: float = 60) -> list[str]:
        """The hexes whose middle lies so far within the photo."""
        wide, high = SIZE
        spots = {name: self.shows(name) for name in self.hexes}
        return [name for name, (x, y) in spots.items() if margin < x < wide - margin and margin < y < high - margin]


def _project(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f, g, h, i = matrix
    depth = g * x + h * y + i
    return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


def _inverse(matrix: Matrix) -> Matrix:
    """By the rule of Cramer, as a second way beside the program's."""
    a, b, c, d, e, f, g, h, i = matrix
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    cells = (
        e * i - f * h,
        c * h - b * i,
        b * f - c * e,
        f * g - d * i,
        a * i - c * g,
        c * d - a * f,
        d * h - e * g,
        b * g - a * h,
        a * e - b * d,
    )
    return tuple(cell / whole for cell in cells)  # type: ignore[return-value]


@functools.cache
def photograph(game: str = GAME, board: str = BOARD, area: str = AREA) -> MapPhoto:
    """A board as a camera sees it, a little from below and from the left."""
    playing: Game = load_game(game)
    drawn = playing.board(board)
    hexes = tuple(parse_area(drawn, area))
    scene = poster_scene(playing, drawn, hexes, PosterWish(margin=False), FULL_SCALE)
    picture = Image.open(io.BytesIO(to_png([scene], _PX / HEX_MM)[0])).convert("RGB")
    turned: Matrix = (1.12, -0.06, 90.0, 0.07, 1.0, 30.0, 0.00004, 0.00013, 1.0)
    share = min(SIZE[0] / picture.width, SIZE[1] / picture.height) * 1.02
    matrix: Matrix = tuple(cell * (share if at < 6 and at % 3 < 2 else 1.0) for at, cell in enumerate(turned))  # type: ignore[assignment]
    back = _inverse(matrix)
    seen = picture.transform(
        SIZE,
        Image.Transform.PERSPECTIVE,
        [cell / back[8] for cell in back[:8]],
        Image.Resampling.BICUBIC,
        fillcolor=(96, 80, 64),
    )
    random.seed(1914)
    noise = Image.effect_noise(SIZE, 18).convert("RGB")
    light = Image.linear_gradient("L").resize(SIZE).point(lambda shade: 205 + shade // 6).convert("RGB")
    seen = ImageChops.overlay(ImageChops.multiply(seen, light), noise).filter(ImageFilter.GaussianBlur(0.6))
    out = io.BytesIO()
    seen.save(out, "JPEG", quality=82)
    return MapPhoto(out.getvalue(), matrix, Layout(drawn, hexes), hexes)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(photograph().jpeg)
