"""Ranking: the cheapest way to each column, places by what can be done at each; and what would change an answer."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.asks import Ask
from assistant.asking.ranking import AttacksAsked, RankedPlace, Way, cheapest, find_targets, rank_places
from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.asking.what_if import NextColumn, compare_losses, compare_ranks, next_column, toggle_unit, what_if
from assistant.mechanics.odds import Bands, Odds, odds_down, odds_from_midpoint
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


# --- what would change an answer --------------------------------------------------------------------------------------


class Parameters(msgspec.Struct, frozen=True):
    withhold: tuple[str, ...] = ()


@pytest.mark.parametrize("rounding", [odds_down, odds_from_midpoint])
@given(attack=st.integers(1, 120), defence=st.integers(1, 60))
def test_the_fewest_points_to_the_next_column_and_the_most_to_spare(rounding, attack, defence) -> None:  # type: ignore[no-untyped-def]
    def column(points: int) -> Odds:
        return rounding(points, defence)

    found = next_column(column, attack)
    now = column(attack)
    assert found.more is not None
    assert column(attack + found.more - 1) == now < column(attack + found.more)
    assert found.column == str(column(attack + found.more))
    assert column(attack - found.spare) == now
    assert found.spare == attack - 1 or column(attack - found.spare - 1) < now


def test_bands_have_a_last_column() -> None:
    bands = Bands((0, 50, 100, 200), ("-50", "50", "100", "200"))

    def column(points: int) -> int:
        return bands.bounds.index(int(bands.of(points).replace("-50", "0")))

    assert next_column(column, 60) == NextColumn(40, "2", 10)
    assert next_column(column, 250) == NextColumn(None, "", 50)


def test_a_unit_is_listed_or_no_longer_listed() -> None:
    assert toggle_unit(Parameters(("a",)), "withhold", "b") == Parameters(("a", "b"))
    assert toggle_unit(Parameters(("a", "b")), "withhold", "a") == Parameters(("b",))


def test_what_changes_nothing_legal_is_left_out_and_nothing_counts_as_read() -> None:
    def outcome(view: View, parameters: Parameters, unit: str) -> int | None:
        view.fact("turn")
        if unit == "c":
            raise MissingFacts([])
        if unit == "d":
            raise InputError("d cannot be withheld")
        return None if unit == "b" else len(parameters.withhold)

    view = viewed("turn=1")
    assert what_if(view, Parameters(("z",)), "withhold", ["a", "b", "c", "d", "z"], outcome) == {"a": 2, "z": 0}
    assert not view.premises.facts


# --- what an outcome hangs on -----------------------------------------------------------------------------------------

BEFORE = {"a": 3, "b": 2, "c": 1}
AFTER: Mapping[str, Mapping[str, int]] = {
    "nothing": BEFORE,
    "well": {"a": 1, "b": 2, "c": 2},
    "bridge": {"a": 1, "b": 2, "c": 2},
    "mill": {"b": 0, "c": 1},
}


@pytest.fixture
def view() -> View:
    return viewed("40.20: german infantry XX g\n")


def test_who_has_less_and_who_has_more() -> None:
    worse, better = compare_ranks(BEFORE, AFTER["well"], int)
    assert [tuple(one) for one in worse] == [("a", 3, 1)]
    assert [tuple(one) for one in better] == [("c", 1, 2)]


def test_each_loss_is_supposed_alone_and_what_is_lost_with_it_is_neither_worse_nor_better_off(view: View) -> None:
    found = {one.loss: one for one in compare_losses(view, list(AFTER), BEFORE, AFTER.__getitem__, int)}
    assert found["nothing"].worse == found["nothing"].better == ()
    assert found["mill"].gone == ("a",)
    assert [one.subject for one in found["mill"].worse] == ["b"]


def test_the_work_is_bounded(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LOSSES", "11")
    with pytest.raises(TooMuch, match="finds more than 11 outcomes\n  ask about fewer, or .*LIMIT_LOSSES=22"):
        list(compare_losses(view, list(AFTER), BEFORE, AFTER.__getitem__, int))
