"""Ranking: the cheapest way to each column, and places by what can be done at each."""

from __future__ import annotations

import pytest

from assistant.asking.asks import Ask
from assistant.asking.ranking import AttacksAsked, RankedPlace, Way, cheapest, find_targets, rank_places
from assistant.asking.report import MissingFacts
from assistant.util.errors import InputError
from assistant.util.limits import Limit, TooMuch

from ...conftest import viewed

LACKING = Ask(kind="fact", name="turn=N", rule="", title="turn", how="turn=N")


def test_the_cheapest_way_to_each_column_may_lead_beyond_it_or_fall_short_of_the_chart() -> None:
    ways = [Way("three", 3, 30), Way("cheap three", 3, 15), Way("two", 2, 20), Way("one", 1, 10), Way("nine", 9, 90)]
    found = cheapest(ways, [0, 1, 2, 3, 4])
    assert [found[column].what for column in range(5)] == ["one", "one", "cheap three", "cheap three", "nine"]
    assert list(cheapest([Way("weak", -7, 1)], [0, 1])) == [0]
    assert cheapest([], [0, 1]) == {}


class Ford(RankedPlace, frozen=True, kw_only=True):
    """A place where something can be done, or not."""

    depth: int = 9


def test_places_are_ranked_and_what_is_missing_is_asked_for_once() -> None:
    def at(place: str) -> Ford:
        if place in "cd":
            raise MissingFacts([LACKING])
        if place == "e":
            raise InputError("nobody stands there")
        return Ford(at=place, depth={"a": 2, "b": 1}[place])

    ranking = rank_places(viewed("turn=1"), "abcde", Ford, at, lambda one: (bool(one.missing), one.depth, one.at))
    assert [(one.at, one.depth, *one.missing, *one.barred) for one in ranking.entries] == [
        ("b", 1),
        ("a", 2),
        ("e", 9, "nobody stands there"),
        ("c", 9, "turn=N"),
        ("d", 9, "turn=N"),
    ]
    assert ranking.asks == (LACKING,)


def test_too_much_at_one_place_stops_the_ranking_and_names_it() -> None:
    def at(place: str) -> Ford:
        Limit.WAYS.check(10**9, "its units can be put together in")
        raise AssertionError

    with pytest.raises(TooMuch, match="a: its units"):
        rank_places(viewed("turn=1"), ["a"], Ford, at, lambda one: one.at)


FRONT = """
40.20: 25/3 (10-?-5-10)
41.19: 1/1 (12-16-7-11)
45.25: 27/3 (10-?-5-10)
"""
"""A Russian division next to a German one, and another far away."""


@pytest.mark.parametrize(
    ("side", "at", "targets"),
    [
        ("russian", (), {"41.19": ("40.20",)}),
        ("central-powers", (), {"40.20": ("41.19",)}),
        ("central-powers", ("45.25", "40.20"), {"40.20": ("41.19",)}),
        ("central-powers", ("45.25",), {}),
    ],
)
def test_hexes_with_enemies_next_to_a_side_are_its_targets(
    side: str, at: tuple[str, ...], targets: dict[str, tuple[str, ...]]
) -> None:
    assert find_targets(viewed(FRONT), AttacksAsked(side=side, at=at)) == targets


def test_only_sides_have_targets_and_only_who_sees_everything_gets_a_ranking() -> None:
    with pytest.raises(InputError, match="has no side 'rusian'"):
        find_targets(viewed(FRONT), AttacksAsked(side="rusian"))
    with pytest.raises(InputError, match="who see both sides"):
        find_targets(viewed(FRONT.replace("27/3 (10-?-5-10)", "27/3 hidden=lost")), AttacksAsked(side="russian"))
