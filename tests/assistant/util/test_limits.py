"""What is kept of much."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.util.limits import last_within


@given(st.lists(st.integers(0, 9), min_size=1), st.integers(0, 30))
def test_the_last_are_kept_that_are_not_too_large_together(sizes: list[int], most: int) -> None:
    kept = last_within(most, sizes, lambda size: size)
    assert kept == sizes[-len(kept) :]
    assert kept
    assert len(kept) == 1 or sum(kept) <= most
    assert len(kept) == len(sizes) or sum(sizes[-len(kept) - 1 :]) > most
