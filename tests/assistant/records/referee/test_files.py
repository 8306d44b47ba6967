"""A referee's file, line by line, and what it may not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.records.referee.files import Case, Head, parse_suite, read_suite
from assistant.util.errors import InputError

from ....referee.writing import quoted_value

SUITE = """referee 1
# Two cases.
value open = options[barred=""].hex    # the hexes that are open
uses charts/crt.csv 0123456789abcdef
game twilight-in-the-east
turn=5

case first
41.19: 1/1
ask zones side=russian
expect zone: 40.19, "3 Train"=in,
  40.20=2
expect by: nothing

ask retreat at=41.19
answers hex.1=40.19
expect open: 40.19
case second
do weather
answers weather=4
expect verdict: yes
phase=attack
ask turn
expect verdict: figure
"""


def parsed(text: str) -> tuple[Head, list[Case]]:
    head, cases = parse_suite(text, "suite.txt")
    return head, list(cases)


def test_a_head_keeps_its_notation_in_its_lines() -> None:
    head, _ = parsed(SUITE)
    assert head.notation.splitlines() == ["", "", "", "", "game twilight-in-the-east", "turn=5"]
    assert {name: value.path for name, value in head.values.items()} == {"open": 'options[barred=""].hex'}
    assert [(used.path, used.mark, used.line) for used in head.uses] == [("charts/crt.csv", "0123456789abcdef", 4)]


def test_a_case_is_its_questions_with_what_is_expected() -> None:
    _, (first, second) = parsed(SUITE)
    zones, retreat = first.exchanges
    assert (first.name, first.line) == ("first", 8)
    assert (zones.asked, zones.line, zones.carried_out) == ("zones side=russian", 10, False)
    assert (zones.notation, zones.first) == ("41.19: 1/1\nask zones side=russian", 9)
    assert [(each.name, each.values, each.line) for each in zones.expected] == [
        ("zone", ("40.19", "3 Train=in", "40.20=2"), 11),
        ("by", (), 13),
    ]
    assert retreat.notation == "ask retreat at=41.19\nanswers hex.1=40.19"
    weather, turn = second.exchanges
    assert (weather.carried_out, weather.notation) == (True, "ask weather\nanswers weather=4")
    assert (turn.notation, turn.first) == ("phase=attack\nask turn", 22)


def test_cases_are_read_one_by_one() -> None:
    _, cases = parse_suite(SUITE + "case second\n", "suite.txt")
    assert [next(cases).name, next(cases).name] == ["first", "second"]
    with pytest.raises(InputError, match="a case named second stands above"):
        next(cases)


HEAD = "referee 1\ngame twilight-in-the-east\n"


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("", "the file is empty", 0),
        ("game x\n", "this is not a referee's file", 1),
        ("referee 2\n", "version 2 of the format is not known", 1),
        ("referee 1\nvalue Open = x\n", "a name of small letters and a path", 2),
        ("referee 1\nvalue a = x\nvalue a = y\n", "value a is given twice", 3),
        ("referee 1\nuses charts 12\n", "16 hexadecimal digits", 2),
        ("referee 1\nask zones\n", "'ask' stands before the first case", 2),
        (HEAD, "the file has no case", 2),
        (f"{HEAD}case\n", "the case has no name", 3),
        (f"{HEAD}case a\n", "no question ends the case", 3),
        (f"{HEAD}case a\n41.19: 1/1\n", "no question ends the case", 3),
        (f"{HEAD}case a\nexpect x: 1\n", "no question stands above 'expect'", 4),
        (f"{HEAD}case a\nanswers x=1\n", "no question stands above 'answers'", 4),
        (f"{HEAD}case a\nask\nexpect x: 1\n", "the question is missing", 4),
        (f"{HEAD}case a\nask zones\nask turn\nexpect x: 1\n", "nothing is expected of this question", 4),
        (f"{HEAD}case a\nask zones\nexpect x: 1\nanswers y=2\n", "these answers come too late", 6),
        (f"{HEAD}case a\nask zones\nexpect x 1\n", "have no name", 5),
        (f"{HEAD}case a\nask zones\nexpect x: 1,\n", "a value is missing after the comma", 5),
        (f"{HEAD}case a\nask zones\nexpect x: 1 2\n", "no value can be read at", 5),
        (f"{HEAD}case a\nask zones\nexpect x:\n", "no value can be read at", 5),
        (f"{HEAD}case a\nvalue x = y\n", "'value' belongs above the first case", 4),
        (f'{HEAD}case a\nask zones\nexpect x: "1\n', "a quotation mark is not closed", 5),
        (f"{HEAD}case a\nask zones\nexpect x: {'1, ' * 3000}2\n", "the line holds more than", 5),
    ],
)  # fmt: skip
def test_what_the_grammar_does_not_allow_is_named_with_its_line(text: str, what: str, line: int) -> None:
    with pytest.raises(InputError) as error:
        parsed(text)
    assert what in error.value.what
    assert error.value.where is not None
    assert (error.value.where.file, error.value.where.line) == ("suite.txt", line)


def test_a_file_is_read_as_its_text_and_named_if_it_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "suite.txt"
    file.write_bytes(b"\xef\xbb\xbf" + SUITE.replace("\n", "\r\n").encode())
    head, cases = read_suite(file)
    assert (head.values, list(cases)) == (parsed(SUITE)[0].values, parsed(SUITE)[1])
    with pytest.raises(InputError, match="No such file"):
        read_suite(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("data", "what", "line"),
    [
        (b"referee 1\n\xff\n", "this is not UTF-8 text", 2),
        (b"referee 1\n" + b"x" * 20_000, "the line holds more than", 2),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, data: bytes, what: str, line: int) -> None:
    file = tmp_path / "suite.txt"
    file.write_bytes(data)
    with pytest.raises(InputError) as error:
        read_suite(file)
    assert what in error.value.what
    assert str(error.value.where) == f"{file}:{line}"


@pytest.mark.parametrize("value", ["5/36", "3 Train", "nothing", "a,b", "a=b", "", "x#y"])
def test_a_value_is_read_as_it_is_written(value: str) -> None:
    _, (case,) = parsed(
        f"{HEAD}case a\nask zones\nexpect x: {quoted_value(value)}, {quoted_value(value)}={quoted_value(value)}\n"
    )
    assert case.exchanges[0].expected[0].values == (value, f"{value}={value}")


def test_what_is_expected_may_not_go_on_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    head, _, _ = SUITE.partition("case first")
    text = f"{head}case long\nask zones side=russian\nexpect zone: 40.19" + ",\n  40.20" * 30
    _, (case,) = parsed(text)
    assert len(case.exchanges[0].expected[0].values) == 31
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LINES", "20")
    with pytest.raises(InputError, match="what is expected holds more than 20 lines"):
        parsed(text)
