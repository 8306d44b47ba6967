"""Sides, turn trackers and dice buttons of a module's file."""

from __future__ import annotations

from assistant.formats.vassal.elements.controls import DiceButton, TurnLevel

from ..test_modules import module

P = "VASSAL.build.module."


def test_sides_are_those_of_the_players_roster() -> None:
    found = module(
        f"<{P}PlayerRoster><entry>Red</entry><entry> Blue </entry><entry>Red</entry><entry/></{P}PlayerRoster>"
    )
    assert found.controls.sides == ("Red", "Blue")


def test_a_turn_tracker_has_levels_within_levels() -> None:
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
