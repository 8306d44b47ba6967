"""What differs between two states."""

from __future__ import annotations

import msgspec
import pytest

from assistant.state.changes import AnyChange, Change, Enter, Leave, Raise, apply
from assistant.state.differences import (
    Arrival,
    Departure,
    Divergence,
    FactChange,
    Move,
    StackChange,
    find_differences,
    find_divergence,
)
from assistant.state.state import HIDDEN, GameState, Unit
from assistant.state.tracks import Fact, Track

TRACKS = {
    "lost": Track(name="lost", title="steps lost", on="unit", kind="integer", least=0, absent=0),
    "supply": Track(name="supply", title="supply", on="unit", kind="choice", values=("in", "low"), absent="in"),
    "control": Track(name="control", title="control", on="hex", kind="choice", values=("red", "blue")),
    HIDDEN: Track(name=HIDDEN, title="hidden facts", on="unit", kind="choices", values=("lost", "supply")),
}
BEFORE = GameState(
    game="g",
    units={id: Unit(id, id, "0101", order) for order, id in enumerate("abc")} | {"d": Unit("d", "d", None)},
    facts={("lost", "a"): Fact(2), ("control", "0101"): Fact("red")},
)


def after(units: dict[str, Unit], facts: dict[tuple[str, str], Fact] | None = None) -> GameState:
    return msgspec.structs.replace(BEFORE, units=units, facts=BEFORE.facts if facts is None else facts)


def test_a_state_does_not_differ_from_itself() -> None:
    assert find_differences(BEFORE, BEFORE, TRACKS) == find_differences(BEFORE, after({**BEFORE.units}), TRACKS)
    assert not any(msgspec.structs.astuple(find_differences(BEFORE, BEFORE, TRACKS)))


def test_units_move_go_and_come() -> None:
    now = after({"a": Unit("a", "a", "0102"), "c": Unit("c", "c", "0101"), "d": Unit("d", "d", "0103")})
    found = find_differences(BEFORE, now, TRACKS)
    assert (found.moved, found.gone) == ((Move("a", "0101", "0102"),), (Departure("b", "0101"),))
    assert found.came == (Arrival("d", "0103", {}),)
    assert find_differences(now, BEFORE, TRACKS).gone == (Departure("d", "0103"),)


def test_one_that_comes_brings_its_facts_and_one_that_goes_takes_them() -> None:
    here = {**BEFORE.units, "d": Unit("d", "d", "0103")}
    facts = {**BEFORE.facts, ("lost", "d"): Fact(1), ("supply", "d"): Fact("in")}
    found = find_differences(BEFORE, after(here, facts), TRACKS)
    assert (found.came, found.facts) == ((Arrival("d", "0103", {"lost": 1}),), ())
    assert find_differences(after(here, facts), BEFORE, TRACKS).facts == ()


def test_a_stack_is_in_another_order_only_if_those_that_stayed_are() -> None:
    a, b, c = (BEFORE.units[id] for id in "abc")
    turned = after({"a": a, "b": msgspec.structs.replace(b, order=3), "c": c})
    assert find_differences(BEFORE, turned, TRACKS).restacked == (
        StackChange("0101", ("a", "b", "c"), ("a", "c", "b")),
    )
    assert find_differences(BEFORE, after({"b": b, "c": c}), TRACKS).restacked == ()


def test_silence_is_the_value_that_it_means() -> None:
    facts = {("lost", "b"): Fact(0), ("supply", "c"): Fact("low")}
    assert find_differences(BEFORE, after(dict(BEFORE.units), facts), TRACKS).facts == (
        FactChange("control", "0101", "red", None),
        FactChange("lost", "a", 2, 0),
        FactChange("supply", "c", "in", "low"),
    )


def test_what_a_side_may_not_know_in_one_of_the_states_has_not_changed() -> None:
    veiled = {(HIDDEN, "a"): Fact(("lost",)), ("control", "0101"): Fact("red")}
    assert find_differences(BEFORE, after(dict(BEFORE.units), veiled), TRACKS).facts == ()
    assert find_differences(after(dict(BEFORE.units), veiled), BEFORE, TRACKS).facts == ()


@pytest.mark.parametrize(
    ("changes", "apart"),
    [
        ([], Divergence()),
        ([Change("place", "a", "0101", "0102", "")], Divergence(frozenset(["0101", "0102"]), frozenset("a"))),
        ([Change("place", "a", "0101", None, "")], Divergence(frozenset(["0101"]), frozenset("a"))),
        ([Change("order", "b", 1, 4, "")], Divergence(frozenset(["0101"]), frozenset("b"))),
        ([Raise("lost", "a", 1, "")], Divergence()),
        ([Raise("lost", "a", 3, "")], Divergence(frozenset(["0101"]), frozenset("a"), frozenset([("lost", "a")]))),
        (
            [Change("control", "0101", "red", None, "")],
            Divergence(frozenset(["0101"]), facts=frozenset([("control", "0101")])),
        ),
        ([Change("lost", "d", None, 1, ""), Change("lost", "d", 1, None, "")], Divergence()),
        ([Enter("e", "e", "0101", 1, "")], Divergence(frozenset(["0101"]), frozenset("bce"))),
        ([Leave("a", "")], Divergence(frozenset(["0101"]), frozenset("a"), frozenset([("lost", "a")]))),
    ],
)
def test_where_states_lie_apart_is_the_same_whether_the_changes_between_them_are_known(
    changes: list[AnyChange], apart: Divergence
) -> None:
    now = apply(BEFORE, changes, TRACKS)
    stated = BEFORE.facts, now.facts
    assert find_divergence(BEFORE, now, stated, TRACKS, str.isdigit, changes) == apart
    assert find_divergence(BEFORE, now, stated, TRACKS, str.isdigit) == apart
