"""Items that others go on from equal a list that is copied each time, whatever else goes on from them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.util.grown import Grown

STEPS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 6), st.lists(st.integers(0, 2), max_size=3)))
"""From which of those so far a step goes on, how many of its items it leaves out, and what it adds."""


@pytest.mark.hypothesis
@given(steps=STEPS)
def test_what_goes_on_from_items_leaves_all_as_they_were(steps: list[tuple[int, int, list[int]]]) -> None:
    grown = [Grown([0, 1, 2])]
    lists = [[0, 1, 2]]
    for which, fewer, more in steps:
        at = which % len(grown)
        count = max(len(lists[at]) - fewer, 0)
        grown.append(grown[at].first(count).plus(more))
        lists.append([*lists[at][:count], *more])
        for shared, copied in zip(grown, lists, strict=True):
            assert ([*shared], len(shared), shared) == (copied, len(copied), copied)
            assert [shared.goes_on(part) for part in grown] == [copied[: len(part)] == part for part in lists]


@pytest.mark.parametrize("at", [0, 2, -1, -3, slice(None), slice(1, None), slice(-2, None), slice(None, -3, -1), slice(0, 9, 2)])  # fmt: skip
def test_an_item_or_some_are_found_as_in_a_list(at: Any) -> None:
    items = Grown("abc")
    items.plus("d")
    assert items[at] == ["a", "b", "c"][at]


@pytest.mark.parametrize("at", [3, -4])
def test_what_was_added_to_others_is_none_of_them(at: int) -> None:
    items = Grown("abc")
    assert [*items.plus("d")] == [*"abcd"]
    with pytest.raises(IndexError):
        items[at]


def test_what_is_added_is_not_copied_and_what_is_there_alike_is_shared() -> None:
    items = Grown("abc")
    longer = items.plus("de")
    assert longer._items is items._items is items.plus("d")._items
    assert items.plus("x")._items is not items._items
