"""The signs of statuses: told apart by everyone, by colour and by form."""

from __future__ import annotations

from itertools import combinations

from assistant.asking.line_sketch import STATUSES
from assistant.drawing.colours import find_close_colours
from assistant.drawing.lines.signs import COLOURS, status_shapes
from assistant.drawing.scene import Circle, Path, Polygon


def test_every_sight_and_a_grey_print_tell_the_colours_apart() -> None:
    assert find_close_colours(dict(COLOURS)) == []


def test_without_any_colour_each_status_has_its_own_form() -> None:
    forms = {}
    for status in STATUSES:
        shapes = status_shapes(status, 0.0, 0.0, 1.0)
        corners = [len(shape.points) for shape in shapes if isinstance(shape, Polygon)]
        discs = sum(isinstance(shape, Circle) for shape in shapes)
        marks = [shape.lines for shape in shapes if isinstance(shape, Path)]
        forms[status] = corners, discs, marks
    assert all(one != other for one, other in combinations(forms.values(), 2))
