"""Courses follow the network of open data where it is near."""

from __future__ import annotations

import pytest

from tools.geography.network import Network


def test_a_course_follows_the_network_where_it_is_near() -> None:
    bend = [(x / 10, 1.0 if 20 <= x <= 40 else 0.0) for x in range(61)]
    network = Network((tuple(bend[:31]), tuple((x, y + 0.01) for x, y in bend[30:])))
    line = network.course([(0.0, 0.1), (6.0, -0.1)])
    assert max(y for _, y in line) == pytest.approx(1.0, abs=0.02), "over the gap between the pieces"
    assert network.course([(0.0, 5.0), (6.0, 5.0)]) == [(0.0, 5.0), (6.0, 5.0)], "nothing near: straight on"
    detour = Network(((((0.0, 0.0), (0.0, 9.0), (6.0, 9.0), (6.0, 0.0))),))
    assert detour.course([(0.0, 0.0), (6.0, 0.0)]) == [(0.0, 0.0), (6.0, 0.0)], "too long a way"
