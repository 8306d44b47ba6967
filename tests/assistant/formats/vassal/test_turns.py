"""The state of a turn tracker: written, read, and damaged."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.turn_lists import TurnList, can_show, read_steps, read_tracker_state, tracker_state

PHASES = TurnList(("phase=other", "phase=movement", "phase=attack", "phase=other"))
SIDES = TurnList(("phasing=russian", "phasing=german"), (PHASES,))
STEPS = (TurnList(("", "")), SIDES, TurnList(("",)))


def test_the_first_entry_states_nothing_and_lists_are_declared_as_json() -> None:
    state = tracker_state(2, STEPS)
    assert state.startswith(r"0|2;0;false;-1;0\;0\;0\;true,true;0\;0\;0\;true,true\;0\\;0\\;0\\;true,true,true,true;")
    assert read_tracker_state(state, STEPS) == ("2", [])
    assert read_steps(msgspec.json.encode(STEPS).decode()) == STEPS
    with pytest.raises(msgspec.DecodeError):
        read_steps('[{"words": "x"}]')
    assert tracker_state(5, ()) == "0|5;0;false;-1"
    assert read_tracker_state("0|5;0;true;47", STEPS) == ("5", [])
    assert read_tracker_state(tracker_state(5, STEPS, ["phasing=german", "phase=attack"]), ()) == ("5", [])


@pytest.mark.parametrize("words", [["phase=attack"], ["phasing=german"], ["phase=attack", "phasing=austrian"]])
def test_what_no_entry_states_is_left_to_others(words: list[str]) -> None:
    assert not can_show(STEPS, words)
    assert read_tracker_state(tracker_state(3, STEPS, words), STEPS) == ("3", [])


@pytest.mark.parametrize(
    "state",
    [
        "0|5;1;true;47;x",
        "0|5;7;true;47;0\\;0\\;0\\;true;0\\;0\\;0\\;true;0\\;0\\;0\\;true",
        "0|5;0;true;47;9\\;0\\;0\\;true;0\\;0\\;0\\;true;0\\;0\\;0\\;true",
        "0|5;0;true;47;-1\\;0\\;0\\;true;0\\;0\\;0\\;true;0\\;0\\;0\\;true",
        "0|5;1;true;47;0\\;0\\;0\\;true;0\\;0\\;0\\;true;0\\;0\\;0\\;true",
    ],
)
def test_a_state_of_other_lists_is_an_error(state: str) -> None:
    with pytest.raises((ValueError, IndexError)):
        read_tracker_state(state, STEPS)


words = st.sampled_from(["", "phase=a", "phase=b", "phasing=c", "x=1"])
lists = st.recursive(
    st.builds(TurnList, st.lists(words, min_size=1, max_size=3).map(tuple)),
    lambda inner: st.builds(
        TurnList, st.lists(words, min_size=1, max_size=3).map(tuple), st.lists(inner, max_size=2).map(tuple)
    ),
    max_leaves=4,
)


@given(st.lists(lists, max_size=3).map(tuple), st.sets(words.filter(bool), max_size=3))
def test_whatever_the_lists_what_can_be_shown_is_shown(steps: tuple[TurnList, ...], wanted: set[str]) -> None:
    told = set(read_tracker_state(tracker_state(1, steps, sorted(wanted)), steps)[1])
    assert told == (wanted if steps and can_show(steps, sorted(wanted)) else told)
    if steps and can_show(steps, sorted(wanted)):
        assert told == wanted
