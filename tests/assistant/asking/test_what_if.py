"""What would change an answer: the next column, a unit more or less, and what an outcome hangs on."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.asking.what_if import NextColumn, compare_losses, compare_ranks, next_column, toggle_unit, what_if
from assistant.mechanics.odds import Bands, Odds, odds_down, odds_from_midpoint
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

from ...conftest import viewed


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
