"""What is drawn on counters, shape by shape."""

from __future__ import annotations

from itertools import pairwise
from math import hypot, pi

import pytest

from assistant.drawing.scene import Point, Polygon, Rectangle
from module_builder.counters.shapes import Area, draw_ground

RADIUS = 2.0


def area_within(points: tuple[Point, ...]) -> float:
    return abs(sum(x * down - across * y for (x, y), (across, down) in pairwise((*points, points[0])))) / 2


@pytest.mark.parametrize(
    ("box", "rounded"), [((0, 0, 16, 16), 4), ((0, 0, 16, 5), 2), ((0, 8, 7, 8), 1), ((4, 0, 8, 5), 0)]
)
def test_a_ground_is_rounded_where_the_counter_is(box: tuple[float, float, float, float], rounded: int) -> None:
    ground = draw_ground(area := Area(*box), 16, RADIUS, "#123456")
    if not rounded:
        assert ground == Rectangle(x=area.x, y=area.y, width=area.width, height=area.height, fill="#123456")
        return
    assert isinstance(ground, Polygon)
    off = area.width * area.height - area_within(ground.points)
    assert off == pytest.approx(rounded * RADIUS**2 * (1 - pi / 4), abs=0.05 * rounded)
    corners = [(x, y) for x in (area.x, area.x + area.width) for y in (area.y, area.y + area.height)]
    met = [corner for corner in corners if min(hypot(x - corner[0], y - corner[1]) for x, y in ground.points) < 1e-9]
    assert len(met) == 4 - rounded
