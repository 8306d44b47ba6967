"""Lines from sources: their cost, ranges that may be unlimited, and chains (as World Undone 3.4 and Twilight 14 have them)."""

from __future__ import annotations

import pytest

from assistant.field.lines import Cost, LineMap, Link, Range, Source, chain
from assistant.mechanics.tracing import Crossing, compile_crossings
from assistant.util.errors import InputError

ROAD = "abcdefgh"
"""Hexes in a row; a river without a bridge lies between g and h, and a line costs two in woods (d)."""


def line_map(closed: str = "") -> LineMap:
    def neighbours(hex: str) -> list[str]:
        at = ROAD.index(hex)
        return [ROAD[near] for near in (at - 1, at + 1) if 0 <= near < len(ROAD)]

    crossings = compile_crossings(
        ROAD,
        neighbours,
        lambda hex: (("woods", hex == "d"),),
        lambda here, there: (("river", {here, there} == {"g", "h"}),),
    )

    def price(kind: Crossing) -> Cost | str:
        if dict(kind.over)["river"]:
            return "no bridge"
        return Cost(2, "woods") if dict(kind.enters)["woods"] else Cost(1, "road", linked=True)

    return LineMap(crossings, {kind: price(kind) for kind in crossings.kinds}, frozenset(closed))


def within(cost: int, hexes: int) -> bool:
    return cost <= hexes


DEPOT = Source("depot", "depot", "a", (Range(2, "in"), Range(3, "in", extended=True), Range(5, "low", extended=True)))


def test_what_each_step_costs_and_why() -> None:
    assert line_map().costs("bcde") == [Cost(1, "road", True), Cost(2, "woods"), Cost(1, "road", True)]
    assert line_map().costs("gh") == ["no bridge"]


def test_a_line_goes_round_nothing_that_is_closed_but_may_begin_there() -> None:
    assert line_map("c").field({"a"}).cost == {"a": 0, "b": 1}
    assert line_map("a").field({"a"}, 2).cost == {"a": 0, "b": 1, "c": 2}
    with pytest.raises(InputError, match="no line can be traced from z"):
        line_map().field({"z"})


@pytest.mark.parametrize(
    ("to", "found"),
    [("c", Range(2, "in")), ("d", Range(5, "low", extended=True)), ("e", Range(5, "low", extended=True)), ("f", None)],
)
def test_the_best_range_that_suffices(to: str, found: Range | None) -> None:
    (link,) = chain(line_map(), [DEPOT], to, 1, within)
    assert link.range == found


def test_a_reach_may_be_unlimited() -> None:
    edge = Source("map edge", "edge", "a", (Range(None, "in"),))
    assert (edge.limit, DEPOT.limit) == (None, 5)
    assert chain(line_map(), [edge], "g", 1, within) == (Link(edge, "g", 7, edge.ranges[0], tuple("abcdefg")),)
    assert chain(line_map(), [edge], "h", 1, within) == (Link(edge, "h"),)


def test_a_chain_reaches_from_source_to_source_and_on() -> None:
    train = Source("train", "train", "c", (Range(3, "in"),))
    first, last = chain(line_map(), [DEPOT, train], "e", 1, within)
    assert (first.to, first.cost, last.to, last.cost, last.line) == ("c", 2, "e", 3, ("c", "d", "e"))
    assert [link.range is not None for link in chain(line_map("b"), [DEPOT, train], "e", 1, within)] == [False, True]
