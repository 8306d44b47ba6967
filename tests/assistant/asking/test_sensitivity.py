"""What an outcome hangs on."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assistant.asking.view import View
from assistant.asking.what_if import compare_losses, compare_ranks
from assistant.util.limits import TooMuch

from ...conftest import viewed

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
