"""Areas hold the points inside them; lines run through their towns, round water, and together."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from module_builder.geography.areas import Area
from module_builder.geography.links import chained
from module_builder.geography.mesh import Mesh, everywhere
from module_builder.geography.network import Network

GRID = HexGrid(shifted="odd", columns=(1, 20), rows=(1, 20), format="{column:02}.{row:02}")
MESH = Mesh(GRID, everywhere(GRID))


@given(st.floats(-1, 7), st.floats(-1, 7))
def test_a_lake_with_an_island(x: float, y: float) -> None:
    lake = ((0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0))
    island = ((2.0, 2.0), (4.0, 2.0), (4.0, 4.0), (2.0, 4.0))
    inside = 0 < x < 6 and 0 < y < 6 and not (2 < x < 4 and 2 < y < 4)
    if all(abs(c - line) > 1e-6 for c in (x, y) for line in (0, 2, 4, 6)):
        assert Area((lake, island)).holds((x, y)) == inside


def test_a_share_counts_points() -> None:
    square = Area((((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),))
    assert square.share([(0.5, 0.5), (0.2, 0.9), (2.0, 0.5), (-1.0, 0.5)]) == 0.5


def stations(*names: str) -> list[tuple[str, tuple[float, float]]]:
    return [(name, MESH.centre(name)) for name in names]


def free(here: str, there: str) -> float:
    return 0.0


def test_a_line_is_one_chain_through_its_stations() -> None:
    chain = chained(MESH, stations("03.03", "09.06", "09.12"), (), free)
    assert chain[0] == "03.03" and chain[-1] == "09.12" and "09.06" in chain
    assert all(other in MESH.neighbours[one] for one, other in pairwise(chain))
    assert len(chain) == 1 + 6 + 6, "no longer than need be"


def test_a_line_passes_near_what_it_only_passes() -> None:
    bent = chained(MESH, stations("03.08", "09.04", "15.08"), [1], free)
    straight = chained(MESH, stations("03.08", "15.08"), (), free)
    high = min(MESH.centre(name)[1] for name in bent)
    assert high < min(MESH.centre(name)[1] for name in straight) - 2


def test_a_line_goes_round_what_is_barred() -> None:
    sea = {"09.07", "09.08", "09.09"}
    chain = chained(MESH, stations("05.08", "13.08"), (), lambda _, there: None if there in sea else 0.0)
    assert not {*chain} & sea and chain[-1] == "13.08"


def test_lines_that_run_beside_each_other_share_their_links() -> None:
    main = chained(MESH, stations("03.08", "17.08"), (), free)
    shared = {frozenset(pair) for pair in pairwise(main)}
    branch = chained(MESH, stations("03.09", "17.09"), (), free, shared)
    alone = chained(MESH, stations("03.09", "17.09"), (), free)
    assert sum(frozenset(pair) in shared for pair in pairwise(alone)) == 0
    assert branch[0] == "03.09" and branch[-1] == "17.09"
    near = chained(MESH, stations("03.08", "16.08"), (), free, shared)
    assert sum(frozenset(pair) in shared for pair in pairwise(near)) >= 12


def test_a_course_follows_the_network_where_it_is_near() -> None:
    bend = [(x / 10, 1.0 if 20 <= x <= 40 else 0.0) for x in range(61)]
    network = Network((tuple(bend[:31]), tuple((x, y + 0.01) for x, y in bend[30:])))
    line = network.course([(0.0, 0.1), (6.0, -0.1)])
    assert max(y for _, y in line) == pytest.approx(1.0, abs=0.02), "over the gap between the pieces"
    assert network.course([(0.0, 5.0), (6.0, 5.0)]) == [(0.0, 5.0), (6.0, 5.0)], "nothing near: straight on"
    detour = Network(((((0.0, 0.0), (0.0, 9.0), (6.0, 9.0), (6.0, 0.0))),))
    assert detour.course([(0.0, 0.0), (6.0, 0.0)]) == [(0.0, 0.0), (6.0, 0.0)], "too long a way"
