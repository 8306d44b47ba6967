"""Lines along hexsides: without gaps or loops, near their course, joined where they must, towns on their bank."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from tests.tools.geography.measures import deviation
from tools.geography.mesh import Mesh, Side, everywhere
from tools.geography.snapping import Banks, Guide, corners, snap, without_loops

from ...cases import examples

GRID = HexGrid(shifted="odd", columns=(1, 20), rows=(1, 20), format="{column:02}.{row:02}")
MESH = Mesh(GRID, everywhere(GRID))
X, Y = MESH.centre("10.10")
LINE = [(X - 6, Y), (X + 6, Y + 0.8)]


def whole(walk: list[Side]) -> None:
    assert all(one.end == other.start for one, other in pairwise(walk)), "no gap"
    assert len({*corners(walk)}) == len(walk) + 1, "no loop"


@settings(deadline=None, max_examples=examples(30))
@given(st.lists(st.tuples(st.floats(3, 13), st.floats(3, 16)), min_size=2, max_size=6, unique=True))
def test_any_line_becomes_whole_walks(line: list[tuple[float, float]]) -> None:
    for walk in snap(MESH, line):
        whole(walk)
        assert deviation(MESH, walk, line) < 0.95


def test_a_straight_line_is_followed_closely_in_its_direction() -> None:
    (walk,) = snap(MESH, LINE)
    whole(walk)
    assert deviation(MESH, walk, LINE) < 0.3
    assert MESH.at(walk[0].start)[0] < MESH.at(walk[-1].end)[0]
    assert 18 <= len(walk) <= 28, "about two hexsides for each hex of the way"
    (back,) = snap(MESH, LINE[::-1])
    assert MESH.at(back[0].start)[0] > MESH.at(back[-1].end)[0]


def test_a_line_that_leaves_the_map_comes_back_as_another_walk() -> None:
    high = MESH.centre("10.01")[1] - 3
    walks = snap(MESH, [(4.0, 5.0), (6.0, high), (10.0, high), (12.0, 5.0)])
    assert len(walks) == 2
    for walk in walks:
        whole(walk)


def test_a_tributary_ends_where_it_meets_the_other_river() -> None:
    (main,) = snap(MESH, LINE)
    taken = {*corners(main)}
    (walk,) = snap(MESH, [(X, Y - 5), (X, Y + 5)], Guide(taken=taken, ends=taken))
    assert walk[-1].end in taken
    assert not {side.start for side in walk} & taken
    (other,) = snap(MESH, [(X, Y), (X, Y + 5)], Guide(taken=taken, starts=taken))
    assert other[0].start in taken and not {side.end for side in other} & taken


def test_a_town_comes_to_its_bank() -> None:
    (walk,) = snap(MESH, LINE)
    side = walk[len(walk) // 2]
    for banks in (Banks(left=frozenset({side.right})), Banks(right=frozenset({side.left}))):
        assert banks.wrong(side) == 1
        (other,) = snap(MESH, LINE, Guide(banks=banks))
        whole(other)
        assert not any(banks.wrong(one) for one in other)


def test_a_price_leads_along_what_is_cheap() -> None:
    (walk,) = snap(MESH, LINE)
    cheap = {frozenset((side.left, side.right)) for side in walk}
    beside = [(x, y + 0.4) for x, y in LINE]

    def shared(guide: Guide) -> int:
        (found,) = snap(MESH, beside, guide)
        whole(found)
        return sum(frozenset((side.left, side.right)) in cheap for side in found)

    plain = shared(Guide())
    led = shared(Guide(price=lambda side: -0.3 if frozenset((side.left, side.right)) in cheap else 0.0))
    assert led > plain and led >= len(walk) / 2


def test_loops_are_cut_out() -> None:
    around = [side for side in MESH.sides if side.right == "10.10"]
    ring = [around[0]]
    while len(ring) < 6:
        ring.append(next(side for side in around if side.start == ring[-1].end))
    tail = next(side for side in MESH.onward[ring[-1].end] if side.right != "10.10" and side.left != "10.10")
    assert without_loops([*ring, tail]) == [tail]
    assert without_loops([]) == []


def test_a_point_is_no_line() -> None:
    assert snap(MESH, [(-50.0, -50.0), (-49.0, -50.0)]) == []


def test_a_line_that_goes_on_off_the_map_is_laid_from_edge_to_edge() -> None:
    (walk,) = snap(MESH, [(-1.0, 5.2), (20.0, 6.0)])
    assert walk[0].start in MESH.rim and walk[-1].end in MESH.rim
    (walk,) = snap(MESH, [(3.0, 5.2), (20.0, 6.0)])
    assert walk[0].start not in MESH.rim and walk[-1].end in MESH.rim, "it rises inland"
