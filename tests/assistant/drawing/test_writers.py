"""Scenes as files by their ending."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from assistant.drawing import PIXELS_PER_MM, WRITERS
from assistant.drawing.scene import Layer, Polyline, Rectangle, Scene
from assistant.drawing.svg import to_svg


def sheet(side: float) -> Scene:
    """A square of one colour, in millimetres."""
    square = Rectangle(x=0, y=0, width=side, height=side, fill="#aabbcc")
    return Scene(width=side, height=side, title="T", layers=(Layer("paper", (square,)),))


def size(scene: Scene) -> tuple[int, int]:
    return Image.open(io.BytesIO(WRITERS[".png"](scene))).size


def test_a_png_has_its_usual_resolution() -> None:
    assert size(sheet(50)) == (50 * PIXELS_PER_MM, 50 * PIXELS_PER_MM)


def test_a_png_of_a_poster_has_fewer_pixels_so_that_it_stays_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PIXELS", "90000")
    width, height = size(sheet(100))
    assert width == height
    assert 85_000 < width * height <= 90_000


def test_no_length_of_an_svg_is_less_than_nothing_by_a_hair() -> None:
    line = Polyline(points=((-0.001, 0.0), (10.0, -0.004), (-10.0, -0.5)), stroke="#000000")
    scene = Scene(width=9, height=9, title="A line", layers=(Layer("lines", (line,)),))
    assert 'points="0,0 10,0 -10,-0.5"' in to_svg(scene)


def test_svg_holds_no_mark_of_writing_direction() -> None:
    """It would turn round what a reader or an editor shows beside it."""
    scene = Scene(width=40, height=10, title="25/3 \u202eb", description="\u2066a")
    assert not {"\u202e", "\u2066"} & {*to_svg(scene)}
