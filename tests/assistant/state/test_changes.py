"""Changes and the journal."""

from __future__ import annotations

import msgspec
import pytest

from assistant.state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from assistant.state.changes import apply as applied
from assistant.state.state import GameState, Unit, Unread
from assistant.state.tracks import Fact, Track
from assistant.util.errors import InputError

STATE = GameState(
    game="g", units={"a": Unit("a", "a", "0101"), "b": Unit("b", "b", "0101", 1)}, facts={("lost", "a"): Fact(2)}
)

TRACKS = {
    "lost": Track(name="lost", title="steps lost", on="unit", kind="integer", rule="1", least=0, absent=0),
    "points": Track(name="points", title="points", on="nation", kind="integer", rule="1"),
    "morale": Track(name="morale", title="morale", on="nation", kind="integer", rule="1", absent=50),
    "weather": Track(name="weather", title="weather", on="game", kind="choice", rule="1", values=("dry", "mud")),
}


def apply(state: GameState, changes: list[AnyChange]) -> GameState:
    return applied(state, changes, TRACKS)


def test_a_change_sets_a_track_or_makes_it_silent_and_leaves_the_old_state_alone() -> None:
    after = apply(STATE, [Change("lost", "a", 2, 3, "1"), Change("place", "b", "0101", "0102", "2")])
    assert (after.value("lost", "a"), after.units["b"].place) == (3, "0102")
    assert (STATE.value("lost", "a"), STATE.units["b"].place) == (2, "0101")
    after = apply(STATE, [Change("lost", "a", 2, None, "1"), Change("place", "b", "0101", None, "2")])
    assert (after.value("lost", "a"), after.units["b"].place, after.stack("0101")) == (None, None, (STATE.units["a"],))


def test_a_unit_enters_in_its_place_of_the_stack_and_may_then_be_described() -> None:
    after = apply(STATE, [Enter("c", "C", "0101", 1, "8.1"), Change("lost", "c", None, 1, "8.1")])
    assert [unit.id for unit in after.stack("0101")] == ["a", "c", "b"]
    assert (after.units["c"].type, after.value("lost", "c")) == ("C", 1)
    assert apply(STATE, [Enter("c", "C", None, 0, "8.1")]).units["c"].place is None


def test_a_unit_leaves_with_all_that_is_known_of_it() -> None:
    after = apply(STATE, [Leave("a", "8.2")])
    assert (set(after.units), dict(after.facts)) == ({"b"}, {})
    assert set(apply(after, [Enter("a", "a", "0102", 0, "8.1")]).units) == {"a", "b"}


def test_gains_add_to_numbers_only_from_what_silence_means_and_a_raise_never_lowers() -> None:
    assert apply(STATE, [Gain("points", "g", 3, "1"), Gain("points", "g", -1, "1")]).value("points", "g") == 2
    worded = GameState(game="g", facts={("weather", ""): Fact("mud")})
    with pytest.raises(InputError, match="can only be set|is not a number"):
        apply(worded, [Gain("weather", "", 1, "1")])
    assert apply(STATE, [Gain("morale", "g", 3, "1")]).value("morale", "g") == 53
    raised = apply(STATE, [Raise("points", "g", 7, "1"), Raise("points", "g", 4, "1")])
    assert raised.value("points", "g") == 7


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (Enter("a", "a", "0102", 0, "8.1"), "a is already in play"),
        (Leave("c", "8.2"), "unknown unit 'c'"),
        (Change("place", "c", None, "0101", "1"), "unknown unit 'c'"),
        (Change("lost", "a", 1, 3, "1"), "not '?[01]"),
        (Change("place", "a", "0102", "0103", "1"), "not '?[01]"),
        (Change("lots", "a", None, 1, "1"), "unknown track 'lots'"),
        (Change("lost", "a", 2, -1, "1"), "steps lost: -1 is not allowed"),
        (Gain("lost", "a", -3, "1"), "steps lost: -1 is not allowed"),
        (Change("weather", "", None, "snow", "1"), "weather: 'snow' is not allowed"),
        (Gain("place", "a", 1, "1"), "can only be set"),
        (Change("order", "a", 0, True, "1"), "order: True is not allowed"),
    ],
)
def test_what_the_state_or_a_track_does_not_take_is_refused(change: AnyChange, what: str) -> None:
    with pytest.raises(InputError, match=what):
        apply(STATE, [change])


def test_a_unit_that_arrives_goes_to_the_bottom_whatever_the_order_of_the_file() -> None:
    units = {"x": Unit("x", "x", "0102"), "y": Unit("y", "y", "0102", 1)}
    moves = [Change("place", unit, "0101", "0102", "1") for unit in ("a", "b")]
    for known in ({**STATE.units, **units}, {**units, **STATE.units}):
        after = apply(GameState(game="g", units=known), [*moves])
        assert [unit.id for unit in after.stack("0102")] == ["x", "y", "a", "b"]
        assert len({unit.order for unit in after.stack("0102")}) == 4
        back = apply(after, [Change("place", unit, "0102", "0101", "1") for unit in ("a", "b")])
        assert [unit.id for unit in back.stack("0101")] == ["a", "b"]


def test_a_unit_that_arrives_lies_below_what_was_not_understood() -> None:
    unread = (Unread("a piece", place="0102", order=4),)
    after = apply(msgspec.structs.replace(STATE, unread=unread), [Change("place", "a", "0101", "0102", "1")])
    assert after.units["a"].order == 5
    assert apply(STATE, [Change("place", "b", "0101", "0101", "1")]).units["b"].order == 1, "who stays does not arrive"
