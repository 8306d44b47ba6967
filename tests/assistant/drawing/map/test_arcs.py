"""Letters along a line that bends evenly."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, pi, radians, sin

import pytest

from assistant.drawing.lettering import text_width
from assistant.drawing.map.arcs import MOST_TURN, Arc, arc_near, set_word


@pytest.mark.parametrize("bend", [-0.02, -0.001, 0.0, 0.004, 0.03])
@pytest.mark.parametrize("direction", [-1.2, 0.0, 0.4])
def test_the_line_near_points_on_an_arc_is_that_arc(bend: float, direction: float) -> None:
    arc = Arc(30.0, 20.0, direction, bend)
    points = [arc.at(along)[:2] for along in range(-12, 13, 2)]
    for ways in (points, points[::-1]):  # letters stand from west to east, whichever way a river runs
        found = arc_near(ways)
        assert found == pytest.approx(arc, abs=0.25)
        assert found.bend == pytest.approx(bend, rel=0.1, abs=1e-9)
        assert all(abs(found.place_of(point)[1]) < 0.1 for point in points)


def test_a_line_that_may_not_bend_is_straight_and_runs_amid_its_points() -> None:
    points = [(10 * cos(angle / 10), 10 * sin(angle / 10)) for angle in range(32)]
    arc = arc_near(points, 0.0)
    assert arc.bend == 0
    assert sum(arc.place_of(point)[1] for point in points) == pytest.approx(0, abs=1e-6)
    assert abs(arc_near(points, 0.05).bend) == 0.05


def test_a_line_beside_another_stays_as_far_from_it() -> None:
    arc = Arc(0.0, 0.0, 0.3, 0.05)
    below = arc.beside(4.0)
    assert dist(arc.at(0.0)[:2], below.at(0.0)[:2]) == pytest.approx(4.0)
    assert dist(arc.at(8.0)[:2], below.at(8.0 * (1 - 0.05 * 4))[:2]) == pytest.approx(4.0)
    assert below.y > arc.y


def test_letters_are_evenly_apart_whatever_their_width() -> None:
    text, size, apart = "SAMMLUNG", 10.0, 6.0
    word = set_word(text, size, apart)
    widths = [text_width(letter, size) for letter in text]
    gaps = [
        other - one - (before + after) / 2
        for (one, other), (before, after) in zip(pairwise(at for _, at in word.letters), pairwise(widths), strict=True)
    ]
    assert gaps == pytest.approx([apart] * len(gaps), abs=0.05 * size)  # but for kerning
    assert word.width == pytest.approx(text_width(text, size) + 7 * apart)


def test_words_stay_apart_and_no_letter_is_turned_far() -> None:
    word = set_word("EAST PRUSSIA", 10.0, 5.0)
    assert "".join(letter for letter, _ in word.letters) == "EASTPRUSSIA"
    places = [at for _, at in word.letters]
    assert max(other - one for one, other in pairwise(places)) == places[4] - places[3]
    assert places[0] + places[-1] == pytest.approx(0, abs=1.0)
    word = set_word("Weichsel", 4.5, 0.4)
    turns = [radians(letter.turn) for letter in word.along(Arc(0.0, 0.0, 0.0, word.most_bend))]
    assert max(other - one for one, other in pairwise(turns)) == pytest.approx(MOST_TURN)
    assert all(letter.turn == 90.0 for letter in word.across(Arc(0.0, 0.0, pi / 2)))
