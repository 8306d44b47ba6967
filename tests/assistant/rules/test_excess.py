"""What may go of too much."""

from __future__ import annotations

from assistant.rules.stacks import LISTED, removals


def test_each_set_is_enough_and_no_smaller_one_is() -> None:
    weight = {"a": 3, "b": 1, "c": 1, "d": 1}
    assert removals([*weight], lambda left: sum(weight[name] for name in left) <= 4) == (
        ("a",),
        ("b", "c"),
        ("b", "d"),
        ("c", "d"),
    )


def test_nothing_goes_where_all_fits_or_there_is_too_much_to_list() -> None:
    assert removals(["a", "b"], lambda left: True) == ()
    assert removals([str(number) for number in range(LISTED + 1)], lambda left: len(left) < 2) == ()
