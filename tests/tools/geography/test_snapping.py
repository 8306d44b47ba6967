"""Lines along hexsides without gaps or loops, and lines through their towns, round water and together."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from tests.tools.geography.measures import deviation
from tools.geography.mesh import Mesh, Side, everywhere
from tools.geography.snapping import Guide, corners, snap, without_loops
from tools.geography.tables import Route
from tools.geography.ways import Stretch, chain_hexes, stretches

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


def test_a_tributary_ends_where_it_meets_the_other_river() -> None:
    (main,) = snap(MESH, LINE)
    taken = {*corners(main)}
    (walk,) = snap(MESH, [(X, Y - 5), (X, Y + 5)], Guide(taken=taken, ends=taken))
    assert walk[-1].end in taken
    assert not {side.start for side in walk} & taken
    (other,) = snap(MESH, [(X, Y), (X, Y + 5)], Guide(taken=taken, starts=taken))
    assert other[0].start in taken and not {side.end for side in other} & taken


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


# --- through towns ----------------------------------------------------------------------------------------------------

STRONGEST = ("rail2", "rail1")


def stations(*names: str) -> list[tuple[str, tuple[float, float]]]:
    return [(name, MESH.centre(name)) for name in names]


def free(here: str, there: str) -> float:
    return 0.0


def test_a_line_is_one_chain_through_its_stations() -> None:
    chain = chain_hexes(MESH, stations("03.03", "09.06", "09.12"), (), free)
    assert chain[0] == "03.03" and chain[-1] == "09.12" and "09.06" in chain
    assert all(other in MESH.neighbours[one] for one, other in pairwise(chain))
    assert len(chain) == 1 + 6 + 6, "no longer than need be"


def test_lines_that_run_beside_each_other_share_their_links() -> None:
    main = chain_hexes(MESH, stations("03.08", "17.08"), (), free)
    shared = {frozenset(pair) for pair in pairwise(main)}
    branch = chain_hexes(MESH, stations("03.09", "17.09"), (), free, shared)
    alone = chain_hexes(MESH, stations("03.09", "17.09"), (), free)
    assert sum(frozenset(pair) in shared for pair in pairwise(alone)) == 0
    assert branch[0] == "03.09" and branch[-1] == "17.09"
    near = chain_hexes(MESH, stations("03.08", "16.08"), (), free, shared)
    assert sum(frozenset(pair) in shared for pair in pairwise(near)) >= 12


def route(name: str, words: str) -> Route:
    return Route(code=name, name=name, words=words, stations=(), soft=frozenset(), certainty="low")


def test_a_shared_link_is_the_stronger_and_stands_once() -> None:
    found = stretches([(route("A", "rail1 wide"), "abc"), (route("B", "rail2 wide"), "xbcd")], STRONGEST, {})
    assert found == [
        Stretch("A", ("rail1", "wide"), ["a", "b"], "general knowledge, low"),
        Stretch("A", ("rail2", "wide"), ["b", "c"], "general knowledge, low"),
        Stretch("B", ("rail2", "wide"), ["x", "b"], "general knowledge, low"),
        Stretch("B", ("rail2", "wide"), ["c", "d"], "general knowledge, low"),
    ]


def test_two_gauges_on_one_link() -> None:
    found = stretches(
        [(route("A", "rail1 wide"), "abc"), (route("B", "rail1 narrow"), "bcd")], STRONGEST, {"narrow+wide": "both"}
    )
    assert [(stretch.words[1], "".join(stretch.hexes)) for stretch in found] == [
        ("wide", "ab"),
        ("both", "bc"),
        ("narrow", "cd"),
    ]


@given(st.lists(st.tuples(st.sampled_from(STRONGEST), st.lists(st.sampled_from("abcdef"), min_size=2, max_size=8))))
def test_no_link_is_lost_or_written_twice(lines: list[tuple[str, list[str]]]) -> None:
    lines = [(kind, [one for n, one in enumerate(chain) if not n or one != chain[n - 1]]) for kind, chain in lines]
    found = stretches([(route("line", kind), chain) for kind, chain in lines], STRONGEST, {})
    links = [frozenset(pair) for stretch in found for pair in pairwise(stretch.hexes)]
    assert len(links) == len({*links})
    assert {*links} == {frozenset(pair) for _, chain in lines for pair in pairwise(chain)}
