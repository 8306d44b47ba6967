"""Photos of a flat sheet: four pairs settle where everything on it is seen, more are fitted, and pairs that settle nothing are told."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.faces.page.projection import DegeneratePairs, Pair, Point, Projection, distances, fit_projection

CORNERS: list[Point] = [(0.0, 0.0), (30.0, 1.0), (29.0, 22.0), (1.0, 20.0)]
INSIDE: list[Point] = [(15.0, 11.0), (3.0, 17.0), (28.0, 4.0), (9.0, 2.0)]


def photo(point: Point, turn: float, size: float, lean: Point, left: float = 900.0, top: float = 700.0) -> Point:
    """Where a camera sees a point of a sheet of 30 by 22: turned, enlarged, moved, and seen at an angle."""
    x, y = point[0] - 15, point[1] - 11
    depth = 1 + lean[0] * x + lean[1] * y
    across = size * (x * math.cos(turn) - y * math.sin(turn))
    down = size * (x * math.sin(turn) + y * math.cos(turn))
    return left + across / depth, top + down / depth


views = st.tuples(
    st.floats(-math.pi, math.pi), st.floats(8, 120), st.tuples(st.floats(-0.02, 0.02), st.floats(-0.02, 0.02))
)


def pairs_of(points: list[Point], view: tuple[float, float, Point]) -> list[Pair]:
    return [(point, photo(point, *view)) for point in points]


@given(views)
def test_four_pairs_settle_the_whole_sheet(view: tuple[float, float, Point]) -> None:
    fitted = fit_projection(pairs_of(CORNERS, view))
    for point in INSIDE:
        assert math.dist(fitted.project(point), photo(point, *view)) < 1e-6
        assert math.dist(fitted.inverse().project(photo(point, *view)), point) < 1e-6


@given(views, st.integers(0, 10_000))
def test_more_pairs_with_careless_taps_are_fitted_better_than_any_four(
    view: tuple[float, float, Point], seed: int
) -> None:
    random = Random(seed)
    pairs = [
        (point, (x + random.uniform(-2, 2), y + random.uniform(-2, 2)))
        for point, (x, y) in pairs_of([*CORNERS, *INSIDE], view)
    ]

    def squares(projection: Projection) -> float:
        return sum(math.dist(projection.project(one), other) ** 2 for one, other in pairs)

    least = squares(fit_projection(pairs))
    assert least <= squares(fit_projection(pairs[:4])) + 1e-9
    matrix = fit_projection(pairs).matrix
    for at in range(8):  # no small change of a parameter makes it better
        for share in (0.9999, 1.0001):
            changed = [value * share if number == at else value for number, value in enumerate(matrix)]
            assert squares(Projection(tuple(changed))) >= least * (1 - 1e-6)  # type: ignore[arg-type]


def test_exact_pairs_beyond_four_stay_exact() -> None:
    pairs = pairs_of([*CORNERS, *INSIDE], (0.4, 40.0, (0.012, -0.01)))
    assert max(distances(fit_projection(pairs), pairs)) < 1e-9


def test_distances_are_in_units_of_the_sheet() -> None:
    pairs = pairs_of(CORNERS, (0.0, 40.0, (0.0, 0.0)))
    fitted = fit_projection(pairs)
    (point, (x, y)), *_ = pairs
    assert distances(fitted, [(point, (x + 20, y))]) == [pytest.approx(0.5)]
    assert fitted.scale_at((4.0, 4.0)) == pytest.approx(40)


def test_a_sheet_in_other_units_is_seen_in_the_same_place() -> None:
    fitted = fit_projection(pairs_of(CORNERS, (0.3, 40.0, (0.01, 0.0))))
    assert fitted.after(34.0, (5.0, -7.0)).project((34 * 4 + 5, 34 * 9 - 7)) == pytest.approx(fitted.project((4, 9)))


@pytest.mark.parametrize(
    ("points", "fault", "which"),
    [
        (CORNERS[:3], "few", ()),
        ([*CORNERS[:3], CORNERS[0]], "twice", (0, 3)),
        ([(0, 0), (10, 0.1), (20, 0), (5, 9)], "line", (0, 1, 2)),
        ([(0, 0), (10, 0), (20, 0), (30, 0), (15, 0.2)], "line", (0, 1, 2)),
    ],
)
def test_pairs_that_settle_nothing_are_told(points: list[Point], fault: str, which: tuple[int, ...]) -> None:
    with pytest.raises(DegeneratePairs) as refused:
        fit_projection(pairs_of(points, (0.2, 40.0, (0.004, 0.002))))
    assert (refused.value.fault, refused.value.which) == (fault, which)


def test_three_in_line_do_no_harm_where_others_settle_it() -> None:
    view = (0.2, 40.0, (0.004, 0.002))
    fitted = fit_projection(pairs_of([*CORNERS, (15.0, 0.5)], view))
    assert fitted.project((10, 10)) == pytest.approx(photo((10, 10), *view))


@given(views)
def test_a_mirrored_photo_is_told(view: tuple[float, float, Point]) -> None:
    mirrored = [(point, (-x, y)) for point, (x, y) in pairs_of(CORNERS, view)]
    with pytest.raises(DegeneratePairs) as refused:
        fit_projection(mirrored)
    assert refused.value.fault == "mirrored"


@given(views)
def test_two_numbers_that_change_places_are_told(view: tuple[float, float, Point]) -> None:
    one, two, three, four = pairs_of(CORNERS, view)
    with pytest.raises(DegeneratePairs) as refused:
        fit_projection([one, two, (three[0], four[1]), (four[0], three[1])])
    assert refused.value.fault in ("crossed", "mirrored")


def test_nothing_is_seen_behind_the_camera() -> None:
    fitted = fit_projection(pairs_of(CORNERS, (0.0, 40.0, (0.02, 0.0))))
    with pytest.raises(ValueError, match="behind the camera"):
        fitted.project((-60.0, 11.0))
