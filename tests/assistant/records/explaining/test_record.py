"""What players type into the chat for the assistant: which lines count, and how long they hold."""

from __future__ import annotations

import pytest

from assistant.formats.positions import ChatLine, Position, Record
from assistant.records.explaining.account import account
from assistant.records.explaining.explanation import explain, reason
from assistant.records.explaining.record import AnnotatedRecord, Disagreement, LogStretch, find_notation
from assistant.service import parse
from assistant.state.changes import Gain
from assistant.util.errors import InputError

from .played import ASK, BATTLE, DICE, table

SUPPLY = ("supply", "25/3")


def unreadable_after(step: int, *, private: bool, typed: str) -> Record:
    """A record with a typed line, whose position cannot be read from one step on."""

    def position(at: int) -> Position:
        if at < step:
            return parse(BATTLE)
        error = InputError("unit 1/1 is in the save twice")
        error.private = private
        raise error

    return Record(parse(BATTLE).game, 2, (ChatLine(1, typed, "Boris"),), (0, 1, 2), position)


def test_a_position_that_cannot_be_read_is_no_fault_of_a_typed_line() -> None:
    for private in (False, True):
        with pytest.raises(InputError, match="twice"):
            AnnotatedRecord(unreadable_after(1, private=private, typed=ASK))


def test_what_a_side_may_not_know_never_becomes_a_reason() -> None:
    hidden, open = InputError("hidden", hint="see 1/1"), InputError("open", hint="see 1/1")
    hidden.private = True
    with pytest.raises(InputError) as raised:
        reason(hidden)
    assert raised.value is hidden
    assert reason(open) == "open; see 1/1"
    open.names_units = True
    assert reason(open) == "open"


def test_a_typed_fact_holds_until_the_map_or_a_later_line_says_otherwise() -> None:
    typed = table(BATTLE, "say: Field Staff: 25/3 supply=out", "turn=1", "40.20: 25/3 supply=low", "turn=1")
    assert [typed.at(step).state.value(*SUPPLY) for step in range(5)] == [None, "out", "out", "low", "low"]
    lines = ("say: Field Staff: 25/3 supply=out", "say: Field Staff: 25/3 supply=low")
    typed = table(BATTLE, *lines, "turn=1")
    assert [typed.at(step).state.value(*SUPPLY) for step in range(4)] == [None, "out", "low", "low"]
    typed = table(BATTLE, "say: Field Staff: 39.20: 27/3", "turn=1", "38.20: 27/3")
    assert [typed.at(step).state.units["27/3"].place for step in range(4)] == ["40.20", "39.20", "39.20", "38.20"]


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("Field Staff: 41.19 clear", "41.19 clear"),
        (ASK, ASK),
        ("ask batle at=41.19", "ask batle at=41.19"),
        ('ask supply unit="3 Train"', 'ask supply unit="3 Train"'),
        ("ask check", "ask check"),
        ("answers crt=7", "answers crt=7"),
        ("ask me when you are ready", ""),
        ("ask me", ""),
        ("ask", ""),
        ("answers will follow tomorrow", ""),
        ("answers", ""),
        ("ask battle at=41.19 please", ""),
        ("", ""),
    ],
)
def test_a_sentence_is_not_taken_for_notation(text: str, notation: str) -> None:
    assert find_notation(text, parse(BATTLE).game) == notation


def test_a_question_that_cannot_be_asked_is_counted_apart_and_told_with_its_remedy() -> None:
    found = explain(table(BATTLE, "say: ask stack at=40.20", "say: ask battle at=41.19 form=40.20", *DICE), "game.vlog")
    said = account(found)
    assert "\n\ngame.vlog: 5 steps, 1 question explained, 1 cannot be asked\n" in said
    assert "form" in found.explained[1].why_not and "; nearest known: from" in found.explained[1].why_not


def test_a_log_asks_no_more_questions_than_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a line is repeated in its chat."""
    with pytest.raises(InputError, match="its chat asks more than 200 questions"):
        table(BATTLE, *[f"say: {ASK}"] * 250)
    assert len(table(BATTLE, *[f"say: {ASK}"] * 200).asked) == 200


def test_a_long_line_that_cannot_be_read_is_quoted_in_part() -> None:
    ((line, _),) = table(BATTLE, f"say: Field Staff: 41.19 {'x' * 9000}").faults
    assert len(line.text) < 210 and line.text.endswith(" ...")


def test_a_step_before_the_first_position_is_named() -> None:
    record = Record(parse(BATTLE).game, 2, (), (), lambda step: parse(BATTLE))
    with pytest.raises(InputError, match="no position is known after step 1"):
        record.at(1)


def test_what_changed_beside_the_expected_is_a_disagreement_unless_its_marker_ends_by_itself() -> None:
    stretch = LogStretch(table(BATTLE, "40.20: 25/3 -1 fought, 27/3 -1\n"), 0, 1)
    differs, unmarked = stretch.agreement([Gain("lost", "25/3", 1, "10.5")])
    assert (differs, unmarked) == ((Disagreement("lost", "27/3", 0, 1, ""),), ())
    both = [Gain("lost", unit, 1, "10.5") for unit in ("25/3", "27/3")]
    assert stretch.agreement(both) == ((), ())
