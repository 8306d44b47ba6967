"""What is worked out where the position says enough."""

from __future__ import annotations

from assistant.questions import Gather
from assistant.readymade.known import if_known

from ...conftest import viewed


def turns_left(facts: Gather) -> int:
    return 27 - facts.integer("turn")


def test_a_result_or_none_where_a_fact_is_missing() -> None:
    assert if_known(viewed("turn=3\n"), turns_left) == 24
    assert if_known(viewed("41.19 clear\n"), turns_left) is None
