"""Ranking: the cheapest way to each column, and places by what can be done at each."""

from __future__ import annotations

from assistant.questions.ranking import Way, cheapest, ranked
from assistant.questions.report import Ask, MissingFacts
from assistant.util.errors import InputError

from ...conftest import viewed

LACKING = Ask(kind="fact", name="turn=N", rule="", title="turn", how="turn=N")


def test_the_cheapest_way_to_each_column_may_lead_beyond_it() -> None:
    ways = [Way("three", 3, 30), Way("cheap three", 3, 15), Way("two", 2, 20), Way("one", 1, 10), Way("nine", 9, 90)]
    found = cheapest(ways, [0, 1, 2, 3, 4])
    assert {column: way.what for column, way in found.items()} == {
        0: "one",
        1: "one",
        2: "cheap three",
        3: "cheap three",
        4: "nine",
    }


def test_what_falls_short_of_the_chart_counts_for_its_first_column() -> None:
    assert list(cheapest([Way("weak", -7, 1)], [0, 1])) == [0]
    assert cheapest([], [0, 1]) == {}


def test_places_are_ranked_and_what_is_missing_is_asked_for_once() -> None:
    def at(place: str) -> tuple[int, str]:
        if place in "cd":
            raise MissingFacts([LACKING])
        if place == "e":
            raise InputError("nobody stands there")
        return {"a": 2, "b": 1}[place], place

    found = ranked(
        viewed("turn=1"),
        ["a", "b", "c", "d", "e"],
        at=at,
        lacking=lambda place, missing: (9, f"{place}: {missing.asks[0].how}"),
        barred=lambda place, error: (8, f"{place}: {error.what}"),
        order=lambda one: one,
    )
    assert [words for _, words in found.found] == ["b", "a", "e: nobody stands there", "c: turn=N", "d: turn=N"]
    assert found.asks == (LACKING,)
