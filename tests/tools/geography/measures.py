"""How well a fit and a walk match what they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import dist

from assistant.game.hexes import HexGrid
from tools.geography.fitting import Fit, KnownPlace
from tools.geography.lines import Point, from_segment
from tools.geography.mesh import Mesh, Side


def residuals(grid: HexGrid, fit: Fit, known: Sequence[KnownPlace]) -> Mapping[str, float]:
    """How far each place falls from the middle of its hex, in hexes, by its name."""
    return {
        place.name: dist(fit.place(place.latitude, place.longitude), grid.centre(grid.parse(place.hex)))
        for place in known
    }


def deviation(mesh: Mesh, walk: Sequence[Side], line: Sequence[Point]) -> float:
    """How far the middles of a walk's hexsides lie from a line in the mean, in hexes; 0 for no walk."""
    away = [min(from_segment(mesh.middle(side), one, other)[0] for one, other in pairwise(line)) for side in walk]
    return sum(away) / len(away) if away else 0.0
