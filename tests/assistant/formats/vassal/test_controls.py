"""Sides, turn trackers and dice buttons of a module's file, and the state of a turn tracker: written, read, and damaged."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.controls import DiceButton, TurnLevel
from assistant.formats.vassal.turn_lists import TurnList, can_show, read_steps, read_tracker_state, tracker_state

from .test_modules import module

P = "VASSAL.build.module."


def test_sides_and_turn_trackers_are_those_of_the_module() -> None:
    found = module(
        f"<{P}PlayerRoster><entry>Red</entry><entry> Blue </entry><entry>Red</entry><entry/></{P}PlayerRoster>"
    )
    assert found.controls.sides == ("Red", "Blue")
    phases = f'<{P}turn.ListTurnLevel property="Phase" list="Move,Fight"/>'
    turns = f'<{P}turn.CounterTurnLevel name="Turn">{phases}</{P}turn.CounterTurnLevel>'
    found = module(f"<{P}turn.TurnTracker>{turns}</{P}turn.TurnTracker>")
    assert found.controls.trackers == ((TurnLevel("Turn", (), (TurnLevel("Phase", ("Move", "Fight")),)),),)


def test_levels_beyond_reason_are_left_out() -> None:
    level = f'{P}turn.CounterTurnLevel name="n"'
    deep = f"<{level}>" * 100 + f"</{P}turn.CounterTurnLevel>" * 100
    (levels,) = module(f"<{P}turn.TurnTracker>{deep}</{P}turn.TurnTracker>").controls.trackers
    depth = 0
    while levels:
        (level,), depth = levels, depth + 1
        levels = level.below
    assert depth == 20


def test_dice_buttons_with_what_they_report() -> None:
    buttons = [
        '<%sDiceButton name="Combat" nDice="2" nSides="6" reportFormat="$name$: $result$"/>',
        '<%sDiceButton name="Sum" nDice="3" nSides="6" reportTotal="true" reportFormat="x"/>',
        '<%sDiceButton name="Usual"/>',
        '<%sDiceButton name="Too many" nDice="100000"/>',
        '<%sDiceButton name="None" nDice="x"/>',
    ]
    assert module(*(button % P for button in buttons)).controls.dice == (
        DiceButton("Combat", 2, 6, "$name$: $result$"),
        DiceButton("Sum", 3, 6, "x", total=True),
        DiceButton("Usual", 2, 6, "** $name$ = $result$ *** <$PlayerName$>"),
    )


USUAL = "** $name$ = $result$ *** <$PlayerName$>"


@pytest.mark.parametrize(
    ("button", "said", "thrown"),
    [
        (DiceButton("2d6", 2, 6, USUAL), "*** 2d6 = 2,5 *** <Ann>", ((2, 5), "Ann")),
        (DiceButton("2d6", 2, 6, USUAL, total=True), "*** 2d6 = 7 *** <Ann>", ((7,), "Ann")),
        (DiceButton("d6", 1, 6, USUAL), "*** d6 = 4 *** <An<n>", ((4,), "An<n")),
        (DiceButton("A+B", 2, 6, "$name$: $result1$ and $result2$"), "*A+B: 3 and 6", ((3, 6), "")),
        (DiceButton("Sum", 2, 6, "$name$ $numericalTotal$ in $Turn$"), "*Sum 11 in August", ((11,), "")),
        (DiceButton("2d6", 2, 6, USUAL), "*** 2d6 = 2,7 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, USUAL), "*** 2d6 = 0,5 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, USUAL), "*** 2d6 = 2,5,6 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, USUAL), "*** 2d6 = 13 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, USUAL), "*** 3d6 = 2,5 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, USUAL), "<Ann> - *** 2d6 = 2,5 *** <Ann>", None),
        (DiceButton("2d6", 2, 6, "$name$"), "*2d6", None),
        (DiceButton("x", 2, 6, "$name$: $result1$, sum $numericalTotal$"), "*x: 3, sum 9", ((9,), "")),
        (DiceButton("x", 2, 6, "$name$: $result1$"), "*x: 3", None),
        (DiceButton("2d6", 2, 6, "$a$ $b$ $c$ $result$"), "*1 2 3 4,5", None),
    ],
)
def test_a_report_tells_what_was_thrown_and_by_whom(button: DiceButton, said: str, thrown: object) -> None:
    assert button.thrown(said) == thrown


@pytest.mark.parametrize(
    ("level", "number", "steps"),
    [
        (TurnLevel("T", first=1, last=4), 4, 3),
        (TurnLevel("T", first=1, last=4), 6, -1),
        (TurnLevel("T", first=1, last=4), 0, -1),
        (TurnLevel("T", first=1), 6, 5),
        (TurnLevel("T", first=1, step=2), 4, -1),
        (TurnLevel("T", first=9, last=1, step=-2), 5, 2),
        (TurnLevel("T", first=9, last=1, step=-2), -1, -1),
    ],
)
def test_a_counter_takes_steps_to_the_numbers_up_to_its_last(level: TurnLevel, number: int, steps: int) -> None:
    assert level.steps_to(number) == steps


@given(st.text(max_size=600), st.text(max_size=60))
def test_any_line_and_any_report_can_be_compared(said: str, report: str) -> None:
    thrown = DiceButton("2d6", 2, 6, report).thrown(said)
    assert thrown is None or all(1 <= face <= 12 for face in thrown[0])


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
