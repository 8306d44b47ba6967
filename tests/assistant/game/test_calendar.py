"""The calendar: turns in order, as they are written, and dates counted from others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.calendar import Calendar, CalendarFile, MonthCalendar, format_turn
from assistant.util.errors import InputError

FILE = CalendarFile(first="aug14/1", last="nov18/3", turns=7, special=True)
WAR = MonthCalendar(FILE)
TURNS = st.integers(WAR.first, WAR.last)


def test_the_war_has_411_turns_with_its_special_ones_and_months_after_a_turn() -> None:
    labels = [WAR.label(number) for number in range(WAR.first, WAR.last + 1)]
    assert len(labels) == 411 and labels[:9] == [*(f"aug14/{turn}" for turn in range(1, 8)), "sep14/0", "sep14/1"]
    assert labels[-4:] == ["nov18/0", "nov18/1", "nov18/2", "nov18/3"]
    assert WAR.label(WAR.after_turns(WAR.after_months(WAR.number("sep14/3"), 3), 1)) == "dec14/4"
    assert WAR.label(WAR.full_month_after(WAR.number("aug15/7"), 1)) == "sep15/0"
    assert WAR.label(WAR.full_month_after(WAR.number("jul16/1"), 4)) == "nov16/0"


@pytest.mark.parametrize(
    "text", ["mar16/5", "Mar16/5", "mar-16/5", "March 1916/5", "5 Mar 1916", "5 mar16", "mar 16 / 5"]
)
def test_a_turn_is_read_as_players_write_it(text: str) -> None:
    assert WAR.label(WAR.number(text)) == format_turn(text) == "mar16/5"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("mar25/1", "outside the game"),
        ("jul14/7", "outside the game"),
        ("aug14/0", "outside the game"),
        ("nov18/4", "outside the game"),
        ("mar16/8", "mar16 has no turn 8"),
        ("mar16", "is a month"),
        ("mrz16/5", "is not a turn"),
        ("", "is not a turn"),
        ("12", "is not a turn"),
        ("9" * 20, "is not a turn"),
    ],
)
def test_a_text_that_is_not_a_turn_of_the_game_is_refused(text: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        WAR.number(text)


@pytest.mark.parametrize(
    ("start", "turns", "end"),
    [
        ("jun16/3", 5, "jul16/1"),
        ("jul16/0", 1, "jul16/1"),
        ("jul16/1", -1, "jun16/7"),
        ("jul16/0", -1, "jun16/7"),
        ("mar16/5", 42, "sep16/5"),
        ("mar16/5", 0, "mar16/5"),
    ],
)
def test_turns_after_a_turn_leave_out_special_ones(start: str, turns: int, end: str) -> None:
    assert WAR.label(WAR.after_turns(WAR.number(start), turns)) == end


@given(TURNS)
def test_each_turn_is_written_and_read_as_itself(number: int) -> None:
    assert WAR.number(WAR.label(number)) == number
    month, turn = WAR.month(number), WAR.turn_of_month(number)
    assert WAR.label(number) == f"{month}/{turn}" and WAR.starts(month) + turn == number


@given(TURNS, st.integers(0, 100))
def test_turns_after_count_what_a_player_counts(number: int, turns: int) -> None:
    at = number
    for _ in range(turns):
        at += 1
        if not WAR.turn_of_month(at):
            at += 1
    if turns:
        assert WAR.after_turns(number, turns) == at


def test_turns_of_calendars_without_special_turns_or_months() -> None:
    plain = Calendar(1, 40)
    assert plain.number("12") == 12 and plain.label(12) == "12" and plain.after_turns(12, 8) == 20
    for text in ("0", "41", "x", "1e1", "-3"):
        with pytest.raises(InputError):
            plain.number(text)
    with pytest.raises(InputError, match="no months"):
        plain.month(3)
    short = MonthCalendar(CalendarFile(first="aug14/1", last="sep14/4", turns=4))
    assert [short.label(number) for number in range(short.first, short.last + 1)][3:5] == ["aug14/4", "sep14/1"]
    assert short.label(short.after_turns(1, 4)) == "sep14/1"


def test_a_calendar_whose_ends_are_exchanged_is_refused_and_a_month_nearly_typed_is_named() -> None:
    with pytest.raises(InputError, match="comes after"):
        MonthCalendar(CalendarFile(first="nov18/3", last="aug14/1", turns=7))
    with pytest.raises(InputError) as caught:
        WAR.number("agu16/5")
    assert caught.value.hint == "write it as aug14/1; nearest known: aug"
