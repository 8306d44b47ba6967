"""The fit: known maps are found again, and every known place ends up in its hex."""

from __future__ import annotations

from math import asin, cos, dist, hypot, radians, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from assistant.util.errors import InputError
from tests.tools.geography.measures import residuals
from tools.geography.fitting import Fit, KnownPlace, fit_map, project, shift_to
from tools.geography.mesh import Mesh, everywhere

GRID = HexGrid(shifted="odd", columns=(1, 30), rows=(1, 30), format="{column:02}.{row:02}")
CENTRE = (52.0, 21.0)
TRUE = Fit(centre=CENTRE, x=(1.25, -0.08, 13.0), y=(0.07, 1.26, 15.0))


@given(st.floats(47, 56), st.floats(15, 28))
def test_distances_are_those_on_the_sphere(latitude: float, longitude: float) -> None:
    one, other, turn = radians(52.0), radians(latitude), radians(longitude - 21.0)
    half = sin((other - one) / 2) ** 2 + cos(one) * cos(other) * sin(turn / 2) ** 2  # the haversine formula
    east, south = project(CENTRE, latitude, longitude)
    assert hypot(east, south) == pytest.approx(2 * 637.1 * asin(sqrt(half)), abs=1e-6)
    assert (east > 0) == (longitude > 21.0) or abs(east) < 1e-9


@given(st.integers(0, 10_000))
def test_an_affine_map_is_found_again(seed: int) -> None:
    points = [(51 + (seed * k * 7 % 19) / 10, 20 + (seed * k * 3 % 23) / 10) for k in range(1, 7)]
    targets = [TRUE.place(*point) for point in points]

    class Exact:
        """A grid whose hexes have their middles exactly where the map puts them."""

        def parse(self, name: str) -> int:
            return int(name)

        def centre(self, at: int) -> tuple[float, float]:
            return targets[at]

    known = [KnownPlace(str(index), *point, str(index)) for index, point in enumerate(points)]
    if len({*points}) < 4 or abs(_spread(points)) < 0.05:
        return  # places on one line fix no map
    found = fit_map(Exact(), CENTRE, known)  # type: ignore[arg-type]
    for point, target in zip(points, targets, strict=True):
        assert found.place(*point) == pytest.approx(target, abs=1e-6)


def _spread(points: list[tuple[float, float]]) -> float:
    (a, b), *rest = points
    return max((c - a) * (f - b) - (e - a) * (d - b) for c, d in rest for e, f in rest)


def test_known_places_are_brought_into_their_hexes() -> None:
    mesh = Mesh(GRID, everywhere(GRID))
    known = []
    for step, (latitude, longitude) in enumerate([(52.0, 21.0), (52.3, 21.6), (51.6, 20.4), (52.6, 20.7)]):
        falls = mesh.hex_at(TRUE.place(latitude, longitude))
        assert falls
        printed = mesh.neighbours[falls][step]  # the printed map has it a hex away
        known.append(KnownPlace(f"place {step}", latitude, longitude, printed))
    ground = shift_to(GRID, TRUE, known)
    for place in known:
        assert mesh.hex_at(ground.place(place.latitude, place.longitude)) == place.hex
    assert max(residuals(GRID, TRUE, known).values()) > 0.5, "the fit alone leaves them outside"
    far = (50.0, 24.0)
    assert ground.place(*far) == pytest.approx(TRUE.place(*far), abs=1e-3), "a shift is felt nearby only"


def test_a_similarity_needs_two_places_and_keeps_shapes() -> None:
    known = [KnownPlace("one", 52.0, 21.0, "10.10"), KnownPlace("other", 52.5, 21.9, "20.15")]
    fit = fit_map(GRID, CENTRE, known, similarity=True)
    assert max(residuals(GRID, fit, known).values()) == pytest.approx(0, abs=1e-9)
    assert fit.x[0] == fit.y[1], "as large in each direction"
    assert fit.x[1] == -fit.y[0], "turned alike in each"
    far = [fit.place(*project_back) for project_back in ((52.0, 21.0), (52.0, 21.5), (52.3, 21.0))]
    assert dist(far[0], far[2]) * fit.kilometres == pytest.approx(0.3 * 111.2, rel=0.01)
    with pytest.raises(InputError, match="too few places for a fit"):
        fit_map(GRID, CENTRE, known[:1] * 3, similarity=True)
    with pytest.raises(InputError, match="too few places for a fit"):
        fit_map(GRID, CENTRE, known)


def test_where_the_north_is() -> None:
    assert TRUE.north == pytest.approx(3.6, abs=0.1)
    for turned in (26.0, -100.0, 180.0):
        a, b = cos(radians(turned)), sin(radians(turned))
        fit = Fit(centre=CENTRE, x=(a, -b, 0.0), y=(b, a, 0.0))
        here, there = fit.place(52.0, 21.0), fit.place(52.5, 21.0)
        east_of_top = (there[0] - here[0]) / dist(here, there)
        assert east_of_top == pytest.approx(sin(radians(turned)), abs=1e-6), "a step north leads that way"
        assert fit.north == pytest.approx(turned)


def test_a_shift_needs_one_place_and_keeps_north_at_the_top() -> None:
    known = [KnownPlace("Lemberg", 49.84, 24.03, "2622"), KnownPlace("Krakow", 50.06, 19.94, "2122")]
    fit = fit_map(GRID, CENTRE, known[:1], kilometres=70)
    assert (round(fit.kilometres, 9), fit.north) == (70, 0)
    assert dist(fit.place(49.84, 24.03), GRID.centre(GRID.parse("2622"))) < 1e-9
    both = fit_map(GRID, CENTRE, known, kilometres=70)
    missed = [
        tuple(at - aim for at, aim in zip(both.place(*one), GRID.centre(GRID.parse(hex)), strict=True))
        for *one, hex in ((place.latitude, place.longitude, place.hex) for place in known)
    ]
    assert all(abs(sum(axis)) < 1e-9 for axis in zip(*missed, strict=True)), "the misses of two cancel out"
    with pytest.raises(InputError, match="too few places for a fit"):
        fit_map(GRID, CENTRE, [], kilometres=70)
