"""What is at the edges of faces decides whether they share a cut."""

from __future__ import annotations

import pytest

from assistant.drawing.scene import Circle, Group, Layer, Polygon, Polyline, Rectangle, Scene, Shape, Text
from module_builder.sheets.edges import Edges, edges_of, ground_of, may_share

SIDE = 16.0
BLEED = 2.0
WHOLE = SIDE + 2 * BLEED
GREY = "#808080"
RED = "#c00000"
GROUND = Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=GREY)


def face(*shapes: Shape) -> Scene:
    return Scene(width=WHOLE, height=WHOLE, title="", layers=(Layer("counter", shapes),))


def edges(*shapes: Shape) -> Edges:
    return edges_of(face(*shapes), BLEED)


PLAIN = edges(GROUND)


def test_faces_of_one_colour_share_the_cuts_at_which_both_show_it() -> None:
    assert may_share(PLAIN, PLAIN, below=False) and may_share(PLAIN, PLAIN, below=True)
    red = edges(Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=RED))
    assert not may_share(PLAIN, red, below=False) and not may_share(red, PLAIN, below=True)
    stripe = Rectangle(x=BLEED + 1.6, y=BLEED + 1.6, width=SIDE - 3.2, height=3, fill=RED)
    assert edges(GROUND, stripe) == PLAIN
    striped = edges(GROUND, Rectangle(x=0, y=0, width=WHOLE, height=BLEED + 3, fill=RED))
    assert may_share(striped, striped, below=False)
    assert not may_share(striped, striped, below=True)
    assert not may_share(striped, PLAIN, below=False)


@pytest.mark.parametrize(
    "shape",
    [
        Rectangle(x=BLEED, y=BLEED, width=SIDE, height=SIDE, stroke=RED, stroke_width=0.4),
        Polygon(points=((BLEED, BLEED), (BLEED + 6, BLEED), (BLEED, BLEED + 6)), fill=RED),
        Circle(x=BLEED + 1, y=WHOLE / 2, radius=2, fill=RED),
        Rectangle(x=BLEED, y=0, width=2, height=WHOLE, fill=RED, opacity=0.5),
        Polyline(points=((BLEED + 1, 3), (BLEED + 1, WHOLE - 3)), stroke=RED, width=0.5),
        Text(x=BLEED + 0.5, y=WHOLE / 2, text="12", size=4, fill=RED),
        Group("inside", (Circle(x=BLEED + 1, y=WHOLE / 2, radius=2, stroke=RED, width=0.4),)),
    ],
)
def test_what_a_misplaced_cut_would_show_is_not_shared(shape: Shape) -> None:
    other = edges(GROUND, shape)
    assert not may_share(PLAIN, other, below=False)


def test_figures_may_stand_on_the_safe_area_where_letters_that_hang_below_the_line_may_not() -> None:
    base = WHOLE - BLEED - 1.6
    assert edges(GROUND, Text(x=WHOLE / 2, y=base, text="12-16", size=5, anchor="middle", fill=RED)) == PLAIN
    assert edges(GROUND, Text(x=WHOLE / 2, y=base, text="(gj)", size=5, anchor="middle", fill=RED)) != PLAIN


def test_the_ground_of_a_face_is_the_last_colour_that_covers_all_of_it() -> None:
    over = Rectangle(x=0, y=0, width=WHOLE, height=WHOLE, fill=RED)
    assert ground_of(face(GROUND, over)) == RED
    assert ground_of(face(GROUND, Circle(x=9, y=9, radius=9, fill=RED), over)) == GREY
    assert ground_of(face()) == ""
