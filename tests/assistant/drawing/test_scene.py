"""Layers that are moved, enlarged and thinned out."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.scene import (
    Circle,
    Group,
    Layer,
    Path,
    Polygon,
    Polyline,
    Rectangle,
    Shape,
    Text,
    enlarge,
    shift,
    thin_line,
    thin_out,
)

LINE = ((0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (5.0, 1.0))
SHAPES: tuple[Shape, ...] = (
    Polygon(points=LINE),
    Polyline(points=LINE, stroke="#000000"),
    Path(lines=(LINE, LINE)),
    Rectangle(x=1, y=2, width=3, height=4),
    Circle(x=1, y=2, radius=3),
    Text(x=1, y=2, text="Goldap", size=3),
    Group("both", (Circle(x=1, y=2, radius=3), Polygon(points=LINE))),
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_layer_that_is_moved_there_and_back_is_the_same(shape: Shape) -> None:
    layer = Layer("all", (shape,))
    moved = shift(layer, 3.0, -4.0)
    assert moved != layer and shift(moved, -3.0, 4.0) == layer
    assert shift(enlarge(layer, 2.0), 6.0, -8.0) == enlarge(moved, 2.0)


POINTS = st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=2, max_size=30).map(tuple)


@given(POINTS, st.floats(0.1, 5))
def test_a_thinner_line_keeps_its_ends_and_never_strays_far(
    line: tuple[tuple[float, float], ...], least: float
) -> None:
    thin = thin_line(line, least)
    assert thin[0] == line[0] and thin[-1] == line[-1]
    assert {*thin} <= {*line} and len(thin) <= len(line)
    assert len(line) < 4 or all(min(dist(point, kept) for kept in thin) < least for point in line)


def test_arrows_stay_as_they_are() -> None:
    arrow = Polyline(points=LINE, stroke="#000000", head=1.0)
    layer = Layer("all", (arrow, Path(lines=(LINE,)), Group("one", (Polygon(points=LINE),))))
    thin = thin_out(layer, 2.0)
    assert thin.shapes[0] == arrow
    assert thin.shapes[1] == Path(lines=((LINE[0], LINE[2], LINE[3]),))
    assert thin.shapes[2] == Group("one", (Polygon(points=(LINE[0], LINE[2], LINE[3])),))
