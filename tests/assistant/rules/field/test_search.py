"""The search of ways on made-up graphs, against rounds over all places and all ways one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from assistant.rules.field.search import cheapest_ways, whole_ways

from ....cases import few, seeds

Graph = dict[str, dict[str, int]]


def made(seed: int) -> Graph:
    """Ten places with what it costs to get from one to others."""
    chance = Random(f"search/{seed}")
    places = "abcdefghij"
    return {here: {there: chance.randint(0, 4) for there in places if chance.random() < 0.25} for here in places}


def search(graph: Graph, *starts: str) -> list[tuple[int, str]]:
    """The places in the order in which they are reached, each with its price and way."""

    def onward(ended: tuple[int, str]) -> Iterator[tuple[int, str]]:
        spent, way = ended
        return ((spent + price, way + there) for there, price in graph[way[-1]].items())

    return list(cheapest_ways([(0, start) for start in starts], onward, lambda ended: ended[1][-1]))


@few(5)
@pytest.mark.parametrize("seed", seeds(40))
def test_each_place_is_reached_once_by_a_cheapest_way_the_cheapest_first(seed: int) -> None:
    graph = made(seed)
    least = {"a": 0, "b": 0}
    for _ in graph:
        for here, spent in list(least.items()):
            for there, price in graph[here].items():
                least[there] = min(least.get(there, 99), spent + price)
    found = search(graph, "a", "b")
    assert {way[-1]: spent for spent, way in found} == least
    assert [spent for spent, _ in found] == sorted(least.values())
    for spent, way in found:
        assert sum(graph[here][there] for here, there in pairwise(way)) == spent


def test_of_ways_of_one_price_the_least_comes_first() -> None:
    graph = {"a": {"c": 1, "b": 1}, "b": {"d": 1}, "c": {"d": 1}, "d": {}}
    assert [way for _, way in search(graph, "a")] == ["a", "ab", "ac", "abd"]


def test_what_lies_beyond_a_way_is_asked_for_only_once_that_is_reached() -> None:
    asked = list[str]()

    def onward(ended: tuple[int, str]) -> list[tuple[int, str]]:
        asked.append(ended[1])
        return [(ended[0] + 1, ended[1] + "x")]

    ways = cheapest_ways([(0, "a")], onward, lambda ended: ended[1])
    assert next(ways) == (0, "a")
    assert asked == []
    assert next(ways) == (1, "ax")
    assert asked == ["a"]


@few(5)
@pytest.mark.parametrize("seed", seeds(40))
def test_whole_ways_are_those_from_whose_end_nothing_leads_on(seed: int) -> None:
    graph = made(seed)

    def onward(way: tuple[str, ...]) -> list[str]:
        return [there for there in graph[way[-1]] if there not in way and len(way) < 4]

    every = {("a",)}
    for _ in range(4):
        every |= {(*way, there) for way in every for there in onward(way)}
    whole = list(whole_ways(("a",), onward))
    assert len(whole) == len({*whole})
    assert {*whole} == {way for way in every if not onward(way)}


def test_whole_ways_come_in_order_and_only_as_they_are_asked_for() -> None:
    asked = list[tuple[str, ...]]()

    def onward(way: tuple[str, ...]) -> str:
        asked.append(way)
        return "xy" if len(way) < 2 else ""

    ways = whole_ways((), onward)
    assert next(ways) == ("x", "x")
    assert asked == [(), ("x",), ("x", "x")]
    assert list(ways) == [("x", "y"), ("y", "x"), ("y", "y")]
