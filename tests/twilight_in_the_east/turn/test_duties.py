"""What a phase owes, over plain values."""

from __future__ import annotations

import pytest

from twilight_in_the_east.turn.duties import rolls_for_weather


@pytest.mark.rule("5.3.1b")
@pytest.mark.parametrize(
    ("turn", "stated", "due"),
    [
        (1, "", True),
        (10, "", True),
        (10, "normal", False),
        (11, "", False),
        (16, "", False),
        (17, "", False),
        (23, "", False),
        (24, "", False),
        (33, "", False),
        (34, "", True),
        (47, "", True),
        (47, "freeze", False),
    ],
)
def test_the_weather_is_rolled_for_in_the_turns_that_have_a_choice(turn: int, stated: str, due: bool) -> None:
    assert rolls_for_weather(turn, stated) is due
