"""What supply units may still give of APs, and what is recorded."""

from __future__ import annotations

import pytest

from twilight_in_the_east.ammunition.sources import (
    Giver,
    allocation_limit,
    extend_depot,
    is_recorded,
)


@pytest.mark.rule("10.5.4", "3.6.2")
@pytest.mark.parametrize(
    ("giver", "limit", "recorded"),
    [
        (Giver("major-depot"), None, False),
        (Giver("major-depot", extended=True), 4, True),
        (Giver("corps-train"), None, False),
        (Giver("corps-train", extended=True), 2, True),
        (Giver("minor-depot"), 4, True),
        (Giver("minor-depot", extended=True), 2, True),
        (Giver("minor-depot", limit=3), 3, True),
        (Giver("minor-depot", extended=True, limit=3, extended_limit=1), 1, True),
        (Giver("corps-train", extended=True, extended_limit=0), 0, True),
    ],
)
def test_limits_and_who_is_recorded(giver: Giver, limit: int | None, recorded: bool) -> None:
    assert (allocation_limit(giver), is_recorded(giver)) == (limit, recorded)


@pytest.mark.rule("10.5.4b", "3.6")
@pytest.mark.parametrize(("spent", "after"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2)])
def test_a_minor_depot_that_is_extended(spent: int, after: int) -> None:
    extended = extend_depot(Giver("minor-depot", spent=spent))
    assert (extended.extended, extended.spent) == (True, after)
    assert extend_depot(extended) == extended, "it is turned over once only"


@pytest.mark.rule("10.5.4b", "3.6")
@pytest.mark.parametrize("arm", ["major-depot", "corps-train"])
def test_the_record_of_others_stays_when_they_are_extended(arm: str) -> None:
    assert extend_depot(Giver(arm, spent=2, incomplete=3)).spent == 2


@pytest.mark.rule("10.5.4", "3.6.2")
@pytest.mark.parametrize("arm", ["corps-train", "major-depot"])
def test_what_is_printed_on_a_front_limits_minor_depots_only(arm: str) -> None:
    assert allocation_limit(Giver(arm, limit=3)) is None
    assert allocation_limit(Giver("minor-depot", limit=3)) == 3
