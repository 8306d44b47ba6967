"""The inks of a press: what a PDF of them holds, and what it does not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.colours import INK
from assistant.drawing.palettes import our_nations
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.process import convert_to_inks, process_inks
from assistant.drawing.scene import Bitmap, Layer, Rectangle, Scene, Shape, Text
from assistant.drawing.style import Palette


def channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def drawn(*shapes: Shape) -> bytes:
    """An open PDF of shapes in the inks of a press."""
    scene = Scene(width=50, height=50, title="", layers=(Layer("all", shapes),))
    page = PdfPage(50, 50, (PlacedScene(scene, 0, 0, 50, 50),))
    return pages_to_pdf([page], imprint=Imprint(process=True), compress=False)


@pytest.mark.parametrize(
    ("colour", "inks"),
    [
        ("#000000", (0, 0, 0, 1)),
        (INK, (0, 0, 0, 1)),
        ("#ffffff", (0, 0, 0, 0)),
        ("#808080", (0, 0, 0, 0.498)),
        ("#ff0000", (0, 1, 1, 0)),
        ("#00ffff", (1, 0, 0, 0)),
        ("#000080", (1, 1, 0, 0.498)),
    ],
)
def test_a_colour_in_four_inks(colour: str, inks: tuple[float, ...]) -> None:
    assert process_inks(*channels(colour)) == pytest.approx(inks)


def test_the_tint_of_a_nation_keeps_its_hue_and_takes_little_ink() -> None:
    palette = Palette({}, our_nations())
    for nation in our_nations():
        assert max(process_inks(*channels(palette.nation(nation)))[:3]) > 0, nation
        for colour in (palette.nation(nation), *(palette.stripe(nation, number).colour for number in range(6))):
            cyan, magenta, yellow, black = process_inks(*channels(colour))
            assert min(cyan, magenta, yellow) == 0, "black takes over what the three have in common"
            assert cyan + magenta + yellow + black <= 2.7, colour


@given(*[st.integers(0, 255)] * 3)
def test_no_colour_takes_more_ink_than_paper_holds(red: int, green: int, blue: int) -> None:
    inks = process_inks(red / 255, green / 255, blue / 255)
    assert all(0 <= share <= 1 for share in inks)
    assert sum(inks) <= 2.702


def test_letters_are_black_ink_alone() -> None:
    data = drawn(Text(x=5, y=20, text="Ink", size=8, fill=INK))
    assert b" 0 0 0 1 k" in data


def test_no_colour_of_a_screen_is_left() -> None:
    data = drawn(
        Rectangle(x=0, y=0, width=40, height=40, fill="#9ba091", stroke="#043a71", stroke_width=1),
        Text(x=5, y=20, text="Ink", size=8, fill="#731124", halo="#ffffff"),
        Bitmap(x=1, y=1, width=9, height=9, columns=1, rows=1, pixels=bytes((255, 0, 0))),
    )
    assert not re.search(rb"[0-9] (rg|RG)\b", data)
    assert b"/CS /RGB" not in data
    assert b"/CS /CMYK" in data
    assert re.search(rb"[0-9] k\b", data)
    assert re.search(rb"[0-9] K\b", data)


def test_lengths_and_letters_stay_as_they_are() -> None:
    operators = "q 1 0 0 1 2.5 3 cm 0.5 0.5 0.5 rg BT /F1+0 1 Tf [<0a1b>] TJ ET Q"
    assert convert_to_inks(operators) == "q 1 0 0 1 2.5 3 cm 0 0 0 0.5 k BT /F1+0 1 Tf [<0a1b>] TJ ET Q"
