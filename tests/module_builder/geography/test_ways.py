"""Stretches of railways: each link once, of the stronger kind, with both gauges where two lines of different ones meet."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from module_builder.geography.tables import Route
from module_builder.geography.ways import Stretch, stretches

STRONGEST = ("rail2", "rail1")


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
