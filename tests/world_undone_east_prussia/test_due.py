"""What arrives when: by the rulebook, as units state it, by the die of a lost unit, and by the owner's schedule (5.3, 9.3, 10)."""

from __future__ import annotations

import pytest

from assistant.game.schedule_files import read_schedules
from assistant.installed.registry import load_game

from .asking import GAME, state_after, undone

NINTH = "the Ninth Army, as units of the Second (state them: russian second infantry NAME arrives=2)"
CHANGED = "Hindenburg and Ludendorff in the place of Prittwitz: rail movement from now on"


def due(text: str, **named: str) -> list[tuple[str, str, str, str]]:
    """What is due: turn, side, rule, in words."""
    return [(item.turn, item.who, item.rule, item.text) for item in undone(text, "due", **named).result.items]


@pytest.mark.rule("9.3", "10.6.1/rail")
def test_what_the_rulebook_brings_comes_by_its_variant_and_option_alone() -> None:
    played = "scenario=historical turn=1 {}\n"
    assert due(played.format(""), until="26") == []
    assert due(played.format("variants=ninth-army"), until="26") == [("2", "russian", "9.3", NINTH)]
    led = played.format("options=german-headquarters")
    assert due(led, until="26") == [("3", "german", "10.6.1/rail", CHANGED)]
    assert due(led, until="2") == due(led, turn="4", until="26") == due(led, until="26", who="russian") == []


@pytest.mark.rule("3.1/reinf", "10.5")
def test_units_come_in_the_turn_that_they_state_or_that_of_their_die_until_they_are_on_the_map() -> None:
    text = "turn=3\nXI/22 german infantry arrives=4\nIC/3C arrives=3\n"
    units = [("3", "russian", "5.3/entry", "IC/3C"), ("4", "german", "5.3/entry", "XI/22")]
    assert due(text, until="26") == units
    assert due(text) == units[:1] and due(text, who="german") == []
    assert due("turn=3\nXI/22 german infantry arrives=4\n5919: IC/3C arrives=3\n", until="26") == units[1:]
    assert due(text, turn="4", until="26") == units[1:], "a unit enters in its turn alone"
    text = "turn=5 options=replacements\n5320: XVII/35\n"
    after = state_after(text, "replace", unit="XVII/36", answers={"replace": "4"})
    assert after.value("arrives", "XVII/36") == 9


def test_every_row_is_of_a_rule_of_the_ledger() -> None:
    assert [row.rule for row in read_schedules(load_game(GAME)).rows] == ["9.3", "10.6.1/rail"]
