"""Changes and what differs between two states, made in a third."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats import json_state
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.service import parse
from assistant.state.changes import AnyChange, Change, Enter, Gain, Leave, Raise, apply
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
from assistant.state.patches import cut_to_change, patch_state, take_back
from assistant.state.state import HIDDEN, GameState, Unit, Unread
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


def carry_out(state: GameState, changes: list[AnyChange]) -> GameState:
    return apply(state, changes, TRACKS)


def test_a_change_sets_a_track_or_makes_it_silent_and_leaves_the_old_state_alone() -> None:
    after = carry_out(STATE, [Change("lost", "a", 2, 3, "1"), Change("place", "b", "0101", "0102", "2")])
    assert (after.value("lost", "a"), after.units["b"].place) == (3, "0102")
    assert (STATE.value("lost", "a"), STATE.units["b"].place) == (2, "0101")
    after = carry_out(STATE, [Change("lost", "a", 2, None, "1"), Change("place", "b", "0101", None, "2")])
    assert (after.value("lost", "a"), after.units["b"].place, after.stack("0101")) == (None, None, (STATE.units["a"],))


def test_a_unit_enters_in_its_place_of_the_stack_and_may_then_be_described() -> None:
    after = carry_out(STATE, [Enter("c", "C", "0101", 1, "8.1"), Change("lost", "c", None, 1, "8.1")])
    assert [unit.id for unit in after.stack("0101")] == ["a", "c", "b"]
    assert (after.units["c"].type, after.value("lost", "c")) == ("C", 1)
    assert carry_out(STATE, [Enter("c", "C", None, 0, "8.1")]).units["c"].place is None


def test_a_unit_leaves_with_all_that_is_known_of_it() -> None:
    after = carry_out(STATE, [Leave("a", "8.2")])
    assert (set(after.units), dict(after.facts)) == ({"b"}, {})
    assert set(carry_out(after, [Enter("a", "a", "0102", 0, "8.1")]).units) == {"a", "b"}


def test_gains_add_to_numbers_only_from_what_silence_means_and_a_raise_never_lowers() -> None:
    assert carry_out(STATE, [Gain("points", "g", 3, "1"), Gain("points", "g", -1, "1")]).value("points", "g") == 2
    worded = GameState(game="g", facts={("weather", ""): Fact("mud")})
    with pytest.raises(InputError, match="can only be set|is not a number"):
        carry_out(worded, [Gain("weather", "", 1, "1")])
    assert carry_out(STATE, [Gain("morale", "g", 3, "1")]).value("morale", "g") == 53
    raised = carry_out(STATE, [Raise("points", "g", 7, "1"), Raise("points", "g", 4, "1")])
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
        carry_out(STATE, [change])


def test_a_unit_that_arrives_goes_to_the_bottom_whatever_the_order_of_the_file() -> None:
    units = {"x": Unit("x", "x", "0102"), "y": Unit("y", "y", "0102", 1)}
    moves = [Change("place", unit, "0101", "0102", "1") for unit in ("a", "b")]
    for known in ({**STATE.units, **units}, {**units, **STATE.units}):
        after = carry_out(GameState(game="g", units=known), [*moves])
        assert [unit.id for unit in after.stack("0102")] == ["x", "y", "a", "b"]
        assert len({unit.order for unit in after.stack("0102")}) == 4
        back = carry_out(after, [Change("place", unit, "0102", "0101", "1") for unit in ("a", "b")])
        assert [unit.id for unit in back.stack("0101")] == ["a", "b"]


def test_a_unit_that_arrives_lies_below_what_was_not_understood() -> None:
    unread = (Unread("a piece", place="0102", order=4),)
    after = carry_out(msgspec.structs.replace(STATE, unread=unread), [Change("place", "a", "0101", "0102", "1")])
    assert after.units["a"].order == 5
    assert carry_out(STATE, [Change("place", "b", "0101", "0101", "1")]).units["b"].order == 1, (
        "who stays does not arrive"
    )


# --- what differs between two states ----------------------------------------------------------------------------------

HIDING_TRACKS = {
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
    assert find_differences(BEFORE, BEFORE, HIDING_TRACKS) == find_differences(
        BEFORE, after({**BEFORE.units}), HIDING_TRACKS
    )
    assert not any(msgspec.structs.astuple(find_differences(BEFORE, BEFORE, HIDING_TRACKS)))


def test_units_move_go_and_come() -> None:
    now = after({"a": Unit("a", "a", "0102"), "c": Unit("c", "c", "0101"), "d": Unit("d", "d", "0103")})
    found = find_differences(BEFORE, now, HIDING_TRACKS)
    assert (found.moved, found.gone) == ((Move("a", "0101", "0102"),), (Departure("b", "0101"),))
    assert found.came == (Arrival("d", "0103", {}),)
    assert find_differences(now, BEFORE, HIDING_TRACKS).gone == (Departure("d", "0103"),)


def test_one_that_comes_brings_its_facts_and_one_that_goes_takes_them() -> None:
    here = {**BEFORE.units, "d": Unit("d", "d", "0103")}
    facts = {**BEFORE.facts, ("lost", "d"): Fact(1), ("supply", "d"): Fact("in")}
    found = find_differences(BEFORE, after(here, facts), HIDING_TRACKS)
    assert (found.came, found.facts) == ((Arrival("d", "0103", {"lost": 1}),), ())
    assert find_differences(after(here, facts), BEFORE, HIDING_TRACKS).facts == ()


def test_a_stack_is_in_another_order_only_if_those_that_stayed_are() -> None:
    a, b, c = (BEFORE.units[id] for id in "abc")
    turned = after({"a": a, "b": msgspec.structs.replace(b, order=3), "c": c})
    assert find_differences(BEFORE, turned, HIDING_TRACKS).restacked == (
        StackChange("0101", ("a", "b", "c"), ("a", "c", "b")),
    )
    assert find_differences(BEFORE, after({"b": b, "c": c}), HIDING_TRACKS).restacked == ()


def test_silence_is_the_value_that_it_means() -> None:
    facts = {("lost", "b"): Fact(0), ("supply", "c"): Fact("low")}
    assert find_differences(BEFORE, after(dict(BEFORE.units), facts), HIDING_TRACKS).facts == (
        FactChange("control", "0101", "red", None),
        FactChange("lost", "a", 2, 0),
        FactChange("supply", "c", "in", "low"),
    )


def test_what_a_side_may_not_know_in_one_of_the_states_has_not_changed() -> None:
    veiled = {(HIDDEN, "a"): Fact(("lost",)), ("control", "0101"): Fact("red")}
    assert find_differences(BEFORE, after(dict(BEFORE.units), veiled), HIDING_TRACKS).facts == ()
    assert find_differences(after(dict(BEFORE.units), veiled), BEFORE, HIDING_TRACKS).facts == ()


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
    now = apply(BEFORE, changes, HIDING_TRACKS)
    stated = BEFORE.facts, now.facts
    assert find_divergence(BEFORE, now, stated, HIDING_TRACKS, str.isdigit, changes) == apart
    assert find_divergence(BEFORE, now, stated, HIDING_TRACKS, str.isdigit) == apart


# --- made in a third --------------------------------------------------------------------------------------------------

GAME = "twilight-in-the-east"


def state(lines: str) -> Any:
    return parse(f"game {GAME}\n{lines}").state


def places(made: Any) -> dict[str, list[str]]:
    return {place: [unit.id for unit in made.stack(place)] for place in ("40.20", "41.19")}


@pytest.mark.parametrize(
    ("now", "before", "after", "made"),
    [
        ("40.20: 25/3, 27/3, 29/20", "40.20: 25/3", "41.19: 25/3", {"40.20": ["27/3", "29/20"], "41.19": ["25/3"]}),
        ("40.20: 25/3, 27/3", "40.20: 25/3", "40.20: 29/20, 25/3", {"40.20": ["29/20", "25/3", "27/3"], "41.19": []}),
        ("40.20: 27/3\n41.19: 25/3", "", "41.19: 29/20", {"40.20": ["27/3"], "41.19": ["25/3", "29/20"]}),
        ("40.20: 25/3, 27/3, 29/20", "40.20: 25/3, 29/20", "40.20: 29/20, 25/3", {"40.20": ["29/20", "25/3", "27/3"], "41.19": []}),
        ("40.20: 25/3, 27/3", "40.20: 25/3", "", {"40.20": ["27/3"], "41.19": []}),
    ],
)  # fmt: skip
def test_change_of_stacks_leaves_others_where_they_are(now: str, before: str, after: str, made: Any) -> None:
    assert places(patch_state(state(now), state(before), state(after))) == made


def test_change_of_facts_leaves_others() -> None:
    made = patch_state(
        state("41.19 clear\nturn=3\n40.20: 25/3 -1"), state("turn=3\n40.20: 25/3"), state("turn=4\n40.20: 25/3 cel=-1")
    )
    assert {key: fact.value for key, fact in made.facts.items()} == {
        ("terrain", "41.19"): "clear",
        ("turn", ""): 4,
        ("lost", "25/3"): 1,
        ("cel", "25/3"): -1,
    }
    now, other = state("40.20: 25/3"), state("41.19: 1/1")
    assert patch_state(now, other, other) is now
    made = patch_state(
        state("elsewhere clear control=russian"), state("elsewhere clear"), state("elsewhere rough open")
    )
    said = {track: fact.value for track, fact in made.elsewhere.items()}
    assert said == {"terrain": "rough", "barrier": ("open",), "control": "russian"}


LINES = (
    "40.20: 25/3, 27/3", "40.20: 27/3, 25/3, 29/20", "41.19: 1/1, 2/1", "41.19: 2/1", "40.19: 29/20", "42.19: 35/17 -1",
    "turn=3", "25/3 -1", "1/1 -2", "41.19 clear", "40.20 | 41.19 river=minor?", "elsewhere clear", "accept reconstruction",
    'line "3 Train": 40.20 -road- 40.21', "off-map: 25/3", "ruling", "phase=attack",
)  # fmt: skip
"""Lines of positions."""


@st.composite
def states(draw: st.DrawFn) -> Any:
    """States of some of these lines, each as far as it can be read after those before."""
    lines: list[str] = []
    for line in draw(st.lists(st.sampled_from(LINES), max_size=6, unique=True)):
        with suppress(InputError):
            state("\n".join([*lines, line]))
            lines.append(line)
    return state("\n".join(lines))


@given(states(), states(), states())
def test_what_is_the_same_in_both_is_not_needed_of_a_change(now: Any, before: Any, after: Any) -> None:
    cut = cut_to_change(before, after)
    assert patch_state(now, *cut) == patch_state(now, before, after)
    assert take_back(now, *reversed(cut)) == take_back(now, after, before)
    assert cut_to_change(now, now)[0].units == {}
    game = load_game(GAME)
    for part in cut:
        kept = json_state.read_json(json_state.write_json(Position(game, part)), "", load_game).state
        assert (kept.units, kept.facts) == (part.units, part.facts)


def test_what_is_taken_back_leaves_a_unit_where_it_has_gone_since_or_come_back_to() -> None:
    before, after, now = (
        parse(f"game {GAME}\nboard east\n{stacks}").state
        for stacks in ("41.19: 1/1, 2/1", "41.19: 1/1\n41.20: 2/1", "41.19: 1/1\n42.19: 2/1")
    )
    assert take_back(now, after, before).units["2/1"].place == "42.19"
    before, after = (
        parse(f"game {GAME}\nboard east\n{stacks}").state for stacks in ("41.19: 1/1\n42.19: 2/1", "41.20: 1/1, 2/1")
    )
    places = {id: unit.place for id, unit in take_back(after, after, before, {"2/1"}).units.items()}
    assert places == {"1/1": "41.19", "2/1": "41.20"}
