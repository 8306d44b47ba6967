"""Lines run through their towns, round water, and together; stretches of railways have each link once, of the stronger
kind.
"""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from tools.geography.mesh import Mesh, everywhere
from tools.geography.tables import Route
from tools.geography.ways import Stretch, chain_hexes, stretches

GRID = HexGrid(shifted="odd", columns=(1, 20), rows=(1, 20), format="{column:02}.{row:02}")
MESH = Mesh(GRID, everywhere(GRID))
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


def test_a_line_passes_near_what_it_only_passes() -> None:
    bent = chain_hexes(MESH, stations("03.08", "09.04", "15.08"), [1], free)
    straight = chain_hexes(MESH, stations("03.08", "15.08"), (), free)
    high = min(MESH.centre(name)[1] for name in bent)
    assert high < min(MESH.centre(name)[1] for name in straight) - 2


def test_a_line_goes_round_what_is_barred() -> None:
    sea = {"09.07", "09.08", "09.09"}
    chain = chain_hexes(MESH, stations("05.08", "13.08"), (), lambda _, there: None if there in sea else 0.0)
    assert not {*chain} & sea and chain[-1] == "13.08"


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
