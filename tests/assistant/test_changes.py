"""Changes and the journal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.changes import Change, Entry, Gain, Journal, apply
from assistant.errors import InputError
from assistant.sources import Fact
from assistant.state import GameState, Unit

STATE = GameState(
    game="g", units={"a": Unit("a", "a", "0101"), "b": Unit("b", "b", "0101", 1)}, facts={("lost", "a"): Fact(2)}
)


def test_a_change_sets_a_track_and_leaves_the_old_state_alone() -> None:
    after = apply(STATE, [Change("lost", "a", 2, 3, "1"), Change("place", "b", "0101", "0102", "2")])
    assert (after.value("lost", "a"), after.units["b"].place) == (3, "0102")
    assert (STATE.value("lost", "a"), STATE.units["b"].place) == (2, "0101")


def test_a_change_to_nothing_makes_the_track_silent_and_takes_a_unit_off_the_map() -> None:
    after = apply(STATE, [Change("lost", "a", 2, None, "1"), Change("place", "b", "0101", None, "2")])
    assert (after.value("lost", "a"), after.units["b"].place, after.stack("0101")) == (None, None, (STATE.units["a"],))


@pytest.mark.parametrize("change", [Change("lost", "a", 1, 3, "1"), Change("place", "a", "0102", "0103", "1")])
def test_a_change_made_for_another_state_is_refused(change: Change) -> None:
    with pytest.raises(InputError, match="not '?[01]"):
        apply(STATE, [change])


def test_changes_of_what_is_not_there() -> None:
    with pytest.raises(InputError, match="no unit 'c'"):
        apply(STATE, [Change("place", "c", None, "0101", "1")])


def test_gains_add_to_numbers_only() -> None:
    assert apply(STATE, [Gain("points", "g", 3, "1"), Gain("points", "g", -1, "1")]).value("points", "g") == 2
    worded = GameState(game="g", facts={("weather", ""): Fact("mud")})
    with pytest.raises(InputError, match="cannot be added to"):
        apply(worded, [Gain("weather", "", 1, "1")])


def gained(amount: int, amends: int | None = None) -> Entry:
    return Entry("later" if amends else "then", "why", (Gain("points", "", amount, "1"),), amends)


def test_an_amendment_replaces_what_it_amends_and_keeps_its_date() -> None:
    journal = Journal().add(gained(5)).add(gained(7)).add(gained(6, amends=1)).add(gained(4, amends=3))
    assert [(number, entry.when, entry.changes[0].amount) for number, entry in journal.in_force()] == [
        (1, "then", 4),
        (2, "then", 7),
    ]
    assert journal.fold(GameState(game="g")).value("points") == 11
    assert [entry.changes[0].amount for entry in journal.entries] == [5, 7, 6, 4], "nothing is struck out"


def test_an_amendment_of_nothing() -> None:
    with pytest.raises(InputError, match="no entry 3 to amend"):
        Journal().add(gained(1)).add(gained(1, amends=3))


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 9)), max_size=12))
def test_a_folded_journal_is_the_sum_of_its_entries_in_force(entries: list[tuple[int, int]]) -> None:
    journal, amounts, original = Journal(), {}, {}
    for amount, back in entries:
        number = len(journal.entries) + 1
        amends = back if 1 <= back < number else None
        journal = journal.add(gained(amount, amends))
        original[number] = original[amends] if amends else number
        amounts[original[number]] = amount
    assert (journal.fold(GameState(game="g")).value("points") or 0) == sum(amounts.values())
